"""A quarantine as a column, and a table that is read as a stream: the same rows as usual."""

import pytest
from suites import convert, ledger, no_rows, present, suite, values, write

from ruleferry.converters.proof.pipeline import run_module

ROWS = """
    SELECT * FROM VALUES
        (1L, 10.0D, 'F'), (2L, -1.0D, 'F'), (2L, 5.0D, 'X'), (3L, NULL, NULL), (NULL, NULL, 'X'),
        (4L, double('NaN'), 'F')
    AS v(k, price, status)
"""
SUITE = suite(
    "t",
    present("k"),
    values("be_between", "price", min_value=0),
    values("be_in_set", "status", value_set=["F", "O"]),
    values("be_unique", "k"),
    no_rows("price / k > 100"),
    {"type": "expect_table_row_count_to_be_between", "kwargs": {"min_value": 7}},
)
CONFIG = """
quarantine = "{quarantine}"
[[source]]
path = ["suites"]
engine = "spark"
[tables.t]
streaming = {streaming}
schema = ["schema.sql"]
[actions.rules]
"t.k_present" = "{k}"
"t.price_range" = "drop"
"t.status_allowed" = "drop"
"""
SCHEMA = "CREATE TABLE t (k BIGINT, price DOUBLE, status STRING)"


def converted(folder, quarantine, streaming, k="warn"):
    config = CONFIG.format(quarantine=quarantine, streaming=streaming, k=k)
    write(folder, {"suites/t.json": SUITE, "ruleferry.toml": config, "schema.sql": SCHEMA})
    convert(folder)
    return (folder / "expectations/t_expectations.py").read_text()


def run(spark, text):
    return run_module(text, spark, {"t": spark.sql(ROWS)})


def kept(frame):
    """The rows of a dataset without the columns that it adds, in an order of their own."""
    return sorted(map(repr, frame.select("k", "price", "status").collect()))


@pytest.fixture(scope="module")
def usual(spark, tmp_path_factory):
    return run(spark, converted(tmp_path_factory.mktemp("usual"), "tables", "false"))


def counts(done):
    return {c.name: (c.passed, c.failed) for c in done.expectations}


SHAPES = [("column", "false"), ("tables", "true"), ("column", "true")]


@pytest.mark.parametrize(("quarantine", "streaming"), SHAPES)
def test_each_shape_parts_the_same_rows(spark, usual, tmp_path, quarantine, streaming):
    done = run(spark, converted(tmp_path, quarantine, streaming))
    assert {flow.status for flow in done.flows} == {"COMPLETED"}
    for dataset in ("t_checked", "t_clean", "t_quarantine"):
        assert kept(done.frames[dataset]) == kept(usual.frames[dataset])
    parts = kept(done.frames["t_clean"]) + kept(done.frames["t_quarantine"])
    assert sorted(parts) == kept(done.frames["t_checked"])
    assert len(parts) == 6
    named = {r.k: r.failed_rules for r in done.frames["t_quarantine"].collect()}
    assert named == {2: "status_allowed", None: "status_allowed"} | {
        r.k: r.failed_rules for r in usual.frames["t_quarantine"].collect()
    }


@pytest.mark.parametrize(("quarantine", "streaming"), SHAPES)
def test_each_shape_counts_the_same_failures(spark, usual, tmp_path, quarantine, streaming):
    found, wanted = counts(run(spark, converted(tmp_path, quarantine, streaming))), counts(usual)
    if streaming == "true":  # a figure of the table in place of a flag of each row
        assert (found.pop("k_unique"), wanted.pop("k_unique")) == ((0, 1), (4, 2))
    assert found == wanted


@pytest.mark.parametrize(("quarantine", "streaming"), SHAPES)
def test_a_fail_rule_stops_each_shape(spark, tmp_path, quarantine, streaming):
    done = run(spark, converted(tmp_path, quarantine, streaming, k="fail"))
    status = {flow.dataset: flow.status for flow in done.flows}
    assert (status["t_checked"], status["t_clean"]) == ("FAILED", "SKIPPED")
    assert (status["t_quarantine"], status["t_figures"]) == ("SKIPPED", "COMPLETED")


def test_the_ledger_names_the_dataset_of_each_rule(tmp_path):
    converted(tmp_path, "column", "true", k="fail")
    found = {e["name"]: (e["outcome"], e["dataset"]) for e in ledger(tmp_path)["entries"]}
    assert found == {
        "k_present": ("record", "t_checked"),
        "price_range": ("record", "t_checked"),
        "status_allowed": ("record", "t_checked"),
        "k_unique": ("dataset", "t_figures"),
        "rule": ("record", "t_checked"),
        "row_count": ("dataset", "t_figures"),
    }


def test_a_stream_has_neither_order_nor_scores(tmp_path):
    order = {"type": "expect_column_values_to_be_increasing", "kwargs": {"column": "k"}}
    z = {
        "type": "expect_column_value_z_scores_to_be_less_than",
        "kwargs": {"column": "k", "threshold": 3, "double_sided": True},
    }
    config = CONFIG.format(quarantine="tables", streaming="true", k="warn").partition("[actions")[0]
    write(tmp_path, {"suites/t.json": suite("t", order, z), "ruleferry.toml": config})
    write(tmp_path, {"schema.sql": SCHEMA})
    convert(tmp_path)
    assert [e["gap"]["code"] for e in ledger(tmp_path)["entries"]] == ["streaming", "streaming"]


def test_the_option_names_the_table(tmp_path):
    write(tmp_path, {"suites/t.json": SUITE})
    convert(tmp_path, streaming=["t"])
    text = (tmp_path / "expectations/t_expectations.py").read_text()
    assert "spark.readStream.table(SOURCE_TABLE)" in text
    assert "@dp.table(" in text
