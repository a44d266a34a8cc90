"""A rules module, run untouched: the counts, the quarantine and the failures of a pipeline."""

import json
import sys

import pytest

from ruleferry.converters.proof.pipeline import Count, Flow, run_module

# The shape of an emitted module: rules on top, checked, clean and quarantine below.
MODULE = '''
from pyspark import pipelines as dp

SOURCE_TABLE = "sales_raw"
LOOKUP_TABLE = "shops"

RULES_FAIL = {"sale_id_present": "sale_id IS NOT NULL"}
RULES_DROP = {
    "amount_range": "amount > 0",
    "state_allowed": "state IN ('new', 'paid')",
    "sold_on_present": "sold_on IS NOT NULL",
    "shop_exists": "shop_found",
}
RULES_WARN = {"channel_allowed": "channel IN ('web', 'shop')"}


def only_true(condition):
    return f"coalesce(({condition}), false)"


FAILED = ", ".join(f"CASE WHEN NOT {only_true(c)} THEN '{n}' END" for n, c in RULES_DROP.items())


@dp.materialized_view(comment="the source, and a flag")
@dp.expect_all_or_fail(RULES_FAIL)
def sales_checked():
    return spark.sql(
        f"SELECT s.*, l.shop IS NOT NULL AS shop_found FROM {SOURCE_TABLE} s "
        f"LEFT JOIN (SELECT DISTINCT shop FROM {LOOKUP_TABLE}) l ON s.shop_id = l.shop"
    )


@dp.materialized_view
@dp.expect_all_or_drop(RULES_DROP)
@dp.expect_all(RULES_WARN)
def sales_clean():
    return spark.read.table("sales_checked")


@dp.materialized_view(comment="with the rules that a row broke")
def sales_quarantine():
    named = spark.read.table("sales_checked").selectExpr("*", f"concat_ws(', ', {FAILED}) AS failed_rules")
    return named.filter("failed_rules <> ''")
'''  # fmt: skip # noqa: E501
SCHEMA = (
    "sale_id INT, shop_id INT, state STRING, amount DECIMAL(10,2), sold_on DATE, channel STRING"
)
GOOD = "(id, 1 + id % 3, 'paid', 9.50, DATE'2024-01-01', 'web')"
PLANTED = """VALUES
    (9001, 1, 'new', -1.00, DATE'2024-01-01', 'web'), (9002, 1, 'lost', 5.00, DATE'2024-01-01', 'web'),
    (9003, 77, 'new', 5.00, DATE'2024-01-01', 'web'), (9004, 1, 'new', 5.00, NULL, 'shop'),
    (9005, 1, 'new', 5.00, DATE'2024-01-01', 'fax'), (9006, NULL, NULL, 5.00, DATE'2024-01-01', 'web')"""  # noqa: E501


@pytest.fixture(scope="module")
def good(spark):
    query = "SELECT id, 1 + id % 3, 'paid', 9.50, DATE'2024-01-01', 'web' FROM range(1000)"
    return spark.sql(
        f"SELECT * FROM ({query}) AS t(sale_id, shop_id, state, amount, sold_on, channel)"
    )


@pytest.fixture(scope="module")
def planted(spark, good):
    return good.union(spark.sql(PLANTED))


@pytest.fixture(scope="module")
def shops(spark):
    return spark.sql("VALUES (1), (2), (3), (3), (CAST(NULL AS INT)) AS t(shop)")


def counted(run) -> dict[str, tuple[int | None, int | None]]:
    return {count.name: (count.passed, count.failed) for count in run.expectations}


def flows(run) -> dict[str, tuple]:
    return {
        flow.dataset: (flow.status, flow.output_rows, flow.dropped_records) for flow in run.flows
    }


def test_clean_data(spark, good, shops):
    run = run_module(MODULE, spark, {"sales_raw": good, "shops": shops})
    assert flows(run) == {
        "sales_checked": ("COMPLETED", 1000, 0),
        "sales_clean": ("COMPLETED", 1000, 0),
        "sales_quarantine": ("COMPLETED", 0, 0),
    }
    assert set(counted(run).values()) == {(1000, 0)}
    assert [(count.dataset, count.name, count.action) for count in run.expectations] == [
        ("sales_checked", "sale_id_present", "fail"),
        ("sales_clean", "amount_range", "drop"),
        ("sales_clean", "state_allowed", "drop"),
        ("sales_clean", "sold_on_present", "drop"),
        ("sales_clean", "shop_exists", "drop"),
        ("sales_clean", "channel_allowed", "warn"),
    ]


def test_planted_errors(spark, planted, shops):
    run = run_module(MODULE, spark, {"sales_raw": planted, "shops": shops})
    assert flows(run) == {
        "sales_checked": ("COMPLETED", 1006, 0),
        "sales_clean": ("COMPLETED", 1001, 5),
        "sales_quarantine": ("COMPLETED", 5, 0),
    }
    assert counted(run) == {
        "sale_id_present": (1006, 0),
        "amount_range": (1005, 1),
        "state_allowed": (1004, 2),
        "sold_on_present": (1005, 1),
        "shop_exists": (1004, 2),
        "channel_allowed": (1005, 1),
    }
    broken = run.frames["sales_quarantine"].orderBy("sale_id").select("sale_id", "failed_rules")
    assert [tuple(row) for row in broken.collect()] == [
        (9001, "amount_range"),
        (9002, "state_allowed"),
        (9003, "shop_exists"),
        (9004, "sold_on_present"),
        (9006, "state_allowed, shop_exists"),
    ]
    kept = {row[0] for row in run.frames["sales_clean"].select("sale_id").collect()}
    assert 9005 in kept  # a warn rule keeps its row
    quarantined = {row[0] for row in broken.collect()}
    everything = {row[0] for row in planted.select("sale_id").collect()}
    assert kept | quarantined == everything
    assert not kept & quarantined


def test_a_fail_rule_stops_its_dataset_and_what_reads_it(spark, planted, shops):
    bad = spark.sql("SELECT CAST(NULL AS INT), 1, 'new', 5.00, DATE'2024-01-01', 'web'")
    run = run_module(MODULE, spark, {"sales_raw": planted.union(bad), "shops": shops})
    assert {name: flow[0] for name, flow in flows(run).items()} == {
        "sales_checked": "FAILED",
        "sales_clean": "SKIPPED",
        "sales_quarantine": "SKIPPED",
    }
    assert run.flows[0].violated == ("sale_id_present",)
    assert json.loads(run.flows[0].record) == {
        "sale_id": None, "shop_id": 1, "state": "new", "amount": 5.0, "sold_on": "2024-01-01",
        "channel": "web", "shop_found": True,
    }  # fmt: skip
    assert set(counted(run).values()) == {(None, None)}
    assert run.frames == {}


def test_names_of_three_parts(spark, planted, shops):
    module = MODULE.replace('"sales_raw"', '"main.sales.sales_raw"')
    module = module.replace('"shops"', '"`main`.sales.`Shops 2024`"')
    tables = {"main.sales.sales_raw": planted, "main.sales.`shops 2024`": shops}
    assert flows(run_module(module, spark, tables))["sales_clean"] == ("COMPLETED", 1001, 5)


def test_nothing_is_left_behind(spark, good, shops):
    loaded = "pyspark.pipelines" in sys.modules
    before = [table.name for table in spark.catalog.listTables()]  # of tests that ran before
    run = run_module(MODULE, spark, {"sales_raw": good, "shops": shops})
    assert [table.name for table in spark.catalog.listTables()] == before
    assert ("pyspark.pipelines" in sys.modules) is loaded
    assert run.frames["sales_clean"].count() == 1000  # the rows are still there
    with pytest.raises(ZeroDivisionError):
        run_module("1 / 0", spark, {"sales_raw": good})
    assert [table.name for table in spark.catalog.listTables()] == before
    assert ("pyspark.pipelines" in sys.modules) is loaded


# Small modules ------------------------------------------------------------------------------------


def small(spark, body: str, rows: str = "VALUES (1), (2), (NULL) AS t(n)", **tables):
    source = f"from pyspark import pipelines as dp\n{body}"
    return run_module(source, spark, {"src": spark.sql(rows), **tables})


RULE = """
@dp.table
@dp.expect{action}("r", "{condition}")
def out():
    return spark.readStream.table("src")
"""


@pytest.mark.parametrize(
    ("action", "condition", "flow", "count"),
    [
        ("", "n > 1", ("COMPLETED", 3, 0), (1, 2)),  # NULL is not TRUE
        ("_or_drop", "n > 1", ("COMPLETED", 1, 2), (1, 2)),
        ("_or_drop", "n IS NULL OR n > 1", ("COMPLETED", 2, 1), (2, 1)),
        ("_or_drop", "TRUE", ("COMPLETED", 3, 0), (3, 0)),
        ("_or_drop", "FALSE", ("COMPLETED", 0, 3), (0, 3)),
        ("_or_drop", "CAST(NULL AS BOOLEAN)", ("COMPLETED", 0, 3), (0, 3)),
        ("_or_fail", "n IS NULL OR n > 0", ("COMPLETED", 3, 0), (3, 0)),
        ("_or_fail", "n > 0", ("FAILED", None, None), (None, None)),
    ],
)
def test_actions(spark, action, condition, flow, count):
    run = small(spark, RULE.format(action=action, condition=condition))
    assert flows(run)["out"] == flow
    assert counted(run)["r"] == count


def test_every_action_on_one_dataset(spark):
    body = """
@dp.materialized_view
@dp.expect_all({"warn": "n <> 2"})
@dp.expect_all_or_drop({"drop": "n IS NOT NULL"})
@dp.expect_all_or_fail({"fail": "n IS NULL OR n < 9"})
def out():
    return spark.table("src")
"""
    run = small(spark, body)
    assert run.expectations == (
        Count("out", "warn", "warn", 1, 2),
        Count("out", "drop", "drop", 2, 1),
        Count("out", "fail", "fail", 3, 0),
    )
    assert run.flows == (Flow("out", "materialized_view", "COMPLETED", 2, 1),)


def test_the_record_names_all_its_violations(spark):
    body = """
@dp.materialized_view
@dp.expect_all_or_fail({"a": "n > 0", "b": "n IS NULL OR n < 9", "c": "n > 1"})
@dp.expect("w", "n > 7")
def out():
    return spark.sql("SELECT n, named_struct('x', n, 'y`z', CAST(NULL AS STRING)) AS `odd ``name` FROM src ORDER BY n DESC")
"""  # noqa: E501
    flow = small(spark, body, "VALUES (5), (3), (1) AS t(n)").flows[0]
    assert flow.violated == ("c",)
    assert json.loads(flow.record) == {"n": 1, "odd `name": {"x": 1, "y`z": None}}


def test_datasets_in_any_order_and_an_unrelated_failure(spark):
    body = """
@dp.materialized_view
def last():
    return spark.read.table("`middle`").union(spark.sql("SELECT * FROM FIRST"))
@dp.temporary_view
def middle():
    return spark.table("first").filter("n > 1")
@dp.materialized_view
@dp.expect_or_fail("never", "FALSE")
def broken():
    return spark.table("src")
@dp.materialized_view
def after_broken():
    return spark.table("broken").union(spark.table("last"))
@dp.table(name="first")
def one():
    return spark.read.table("src")
"""
    run = small(spark, body)
    assert flows(run) == {
        "last": ("COMPLETED", 4, 0),
        "middle": ("COMPLETED", 1, 0),
        "broken": ("FAILED", None, None),
        "after_broken": ("SKIPPED", None, None),
        "first": ("COMPLETED", 3, 0),
    }


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ('spark.table("absent")', "It reads absent, which is no given table and no dataset"),
        ('spark.sql("SELECT * FROM a.b.c")', "It reads a.b.c, which is no given table"),
        ('spark.table("out")', "It reads out, which reads it"),
        ('spark.sql("SELECT (")', "Syntax error"),
        ('spark.sql("SELECT nope FROM src")', "UNRESOLVED_COLUMN"),
        ('spark.sql("SELECT 1 / (n - 1) AS x FROM src")', "DIVIDE_BY_ZERO"),
        ("42", "Its query gave no DataFrame: int"),
    ],
)
def test_a_query_that_fails(spark, query, error):
    flow = small(spark, f"@dp.table\ndef out():\n    return {query}\n").flows[0]
    assert (flow.status, flow.violated) == ("FAILED", ())
    assert error in flow.error


@pytest.mark.parametrize(
    ("condition", "error"),
    [
        ("n = 1) OR (TRUE", "Expectation r: [PARSE_SYNTAX_ERROR]"),
        ("n > 1 -- note", "Expectation r: [PARSE_SYNTAX_ERROR]"),
        ("n + 1", "Expectation r: Its type is int"),
        ("n IN (SELECT n FROM src)", "Expectation r: It holds a subquery"),
        ("max(n) > 1", "Expectation r: It holds an aggregate"),
        ("m > 1", "Expectation r: [UNRESOLVED_COLUMN"),
        ("1 / (n - 1) > 1", "[DIVIDE_BY_ZERO]"),
    ],
)
def test_a_condition_that_is_no_expectation_fails_its_flow(spark, condition, error):
    run = small(spark, RULE.format(action="_or_drop", condition=condition))
    assert run.flows[0].status == "FAILED"
    assert error in run.flows[0].error
    assert counted(run) == {"r": (None, None)}


def test_a_guard_that_two_rules_share_fails_as_on_a_real_table(spark):
    body = """
@dp.table
@dp.expect_all_or_drop({"a": "n <> 0 AND 10 / n > 1", "b": "n = 0 OR 10 / n > 2"})
def out():
    return spark.table("src")
"""
    flow = small(spark, body, "VALUES (0), (1) AS t(n)").flows[0]
    assert flow.status == "FAILED"
    assert "DIVIDE_BY_ZERO" in flow.error


def test_datasets_in_a_circle(spark):
    body = """
@dp.table
def a():
    return spark.table("b")
@dp.table
def b():
    return spark.table("a")
"""
    assert {flow.dataset: flow.status for flow in small(spark, body).flows} == {
        "a": "SKIPPED",
        "b": "FAILED",
    }


def test_a_dataset_is_computed_once(spark):
    """What it reads of the clock is the same for all that read it."""
    body = """
@dp.table
def stamped():
    return spark.sql("SELECT n, uuid() AS id FROM src")
@dp.table
def copy_one():
    return spark.table("stamped")
@dp.table
def copy_two():
    return spark.table("stamped")
"""
    frames = small(spark, body).frames
    one, two = (sorted(r.id for r in frames[f"copy_{n}"].collect()) for n in ("one", "two"))
    assert one == two


def test_a_dataset_of_three_parts(spark):
    body = """
@dp.table(name="main.gold.kept")
def kept():
    return spark.table("src")
@dp.table
def reader():
    return spark.sql("SELECT kept.n FROM main.gold.kept WHERE n > 1")
"""
    run = small(spark, body)
    assert flows(run) == {"main.gold.kept": ("COMPLETED", 3, 0), "reader": ("COMPLETED", 1, 0)}
    assert set(run.frames) == {"main.gold.kept", "reader"}


def test_other_parts_of_the_session_are_the_real_ones(spark, tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("n\n1\n7\n")
    body = f"""
assert spark.conf.get("spark.sql.ansi.enabled") == "true"
@dp.table
def out():
    return spark.read.option("header", True).schema("n INT").csv({str(path)!r})
"""
    assert flows(small(spark, body))["out"] == ("COMPLETED", 2, 0)


def test_a_table_and_a_dataset_of_one_name(spark):
    with pytest.raises(
        ValueError, match="src is a dataset of the module, and was given as a table"
    ):
        small(spark, "@dp.table\ndef src():\n    return spark.range(1)\n")


def test_faults_of_the_module_itself_are_raised(spark):
    with pytest.raises(SyntaxError):
        run_module("def broken(:", spark, {})
    with pytest.raises(NameError):
        small(spark, "undefined")
