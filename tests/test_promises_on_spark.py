"""The promises on real Spark: every condition is TRUE or FALSE, and no row is lost."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hostile_rows import rows_of, told_apart
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp
from suites import (
    CORPUS,
    Converted,
    between,
    convert,
    convert_corpus,
    ledger,
    no_rows,
    present,
    rules_of,
    suite,
    values,
    write,
)
from three_values import verdict

from ruleferry.converters.column_types import ColumnType, parse_type, type_from_name
from ruleferry.converters.config import Config
from ruleferry.converters.conversion import inspect
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.proof.frames import spark_frame
from ruleferry.converters.proof.judge import judge, refused
from ruleferry.converters.proof.pipeline import Run, run_module


@pytest.fixture(scope="module")
def corpus(shared, tmp_path_factory) -> Converted:
    return convert_corpus(shared, tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def types(corpus) -> dict[str, dict[str, ColumnType]]:
    """file -> lower-case column -> the type that the suite itself claims."""
    readings = inspect(Config(corpus.folder, corpus.folder), [CORPUS])
    return {
        reading.file: {
            column.lower(): STRINGS if found.family == "nested" else found
            for column, name in reading.type_names.items()
            if (found := type_from_name(name)) is not None
        }
        for reading in readings
    }


STRING, STRINGS = parse_type("string"), parse_type("array<string>")


def of_records(module) -> list:
    """Its conditions on the record alone; flags and figures are tested with what computes them."""
    return [rule for rule in module.rules if rule.outcome == "record"]


def columns_of(module, types) -> dict[str, ColumnType]:
    """The columns that the rules of a module read: as its suite claims them, else texts."""
    claimed = types[module.rules[0].origin.file]
    names = {
        ".".join(part.name for part in column.parts)
        for rule in of_records(module)
        for column in parse_condition(rule.condition).find_all(exp.Column)
    }
    names |= {name for rule in module.rules for name in rule.columns}
    first = {name.lower(): name for name in sorted(names, reverse=True)}
    return {name: claimed.get(lower, STRING) for lower, name in first.items()}


def batches(modules, types) -> list[tuple[dict[str, ColumnType], dict[str, str]]]:
    """Modules whose columns go into one frame, and their conditions: as few as that takes."""
    found: list[tuple[dict[str, ColumnType], dict[str, str]]] = []
    for module in modules:
        columns = columns_of(module, types)
        conditions = {f"{module.stem}.{r.name}": r.condition for r in of_records(module)}
        lower = {name.lower(): kind for name, kind in columns.items()}
        for known, told in found:
            there = {name.lower(): kind for name, kind in known.items()}
            if all(there.get(name, kind) == kind for name, kind in lower.items()):
                known |= {n: k for n, k in columns.items() if n.lower() not in there}
                told |= conditions
                break
        else:
            found.append((columns, conditions))
    return found


def test_every_public_rule_is_an_expectation(spark, corpus, types):
    """One frame for all suites that state no types, and a few for those that do."""
    found = batches(corpus.done.modules, types)
    assert len(found) < 12
    for columns, conditions in found:
        once = {condition: condition for condition in conditions.values()}
        assert refused(once, spark_frame(rows_of(columns, 1), spark)) == {}
    assert sum(len(conditions) for _, conditions in found) > 600


def test_public_rules_are_true_or_false_for_every_row(spark, corpus, types):
    judgements = 0
    for columns, conditions in batches(corpus.done.modules, types):
        verdicts = judge(told_apart(conditions), rows_of(columns), spark)
        assert verdicts.rejected == {}
        wrong = [conditions[n] for n, told in verdicts.verdicts.items() if set(told) - {*"TF"}]
        assert wrong == []
        judgements += len(verdicts.verdicts)
    assert judgements > 80


# Modules, run untouched ---------------------------------------------------------------------------


def picked(converted: Converted) -> list:
    """Some modules of a middling size, from all over the corpus."""
    found = [m for m in converted.done.modules if 6 <= len(of_records(m)) <= 12]
    found = [m for m in found if all(r.outcome != "flag" for r in m.rules)]
    return found[:: max(1, len(found) // 2)][:2]


def ran(module, converted: Converted, columns, spark) -> tuple[Run, dict[str, str], int]:
    """The run of a module on 30 rows, and what each rule says of each row."""
    rows = rows_of(columns, 29)
    frame = spark_frame(rows, spark)
    run = run_module(converted.modules[module.stem], spark, {module.source_table: frame})
    judged = judge({r.name: r.condition for r in of_records(module)}, rows, spark)
    return run, dict(judged.verdicts), len(rows.cells)


def test_modules_that_warn_keep_every_row_and_count(spark, corpus, types):
    for module in picked(corpus):
        columns = columns_of(module, types)
        run, verdicts, count = ran(module, corpus, columns, spark)
        flows = [(f.status, f.output_rows) for f in run.flows]
        assert flows[:3] == [("COMPLETED", count), ("COMPLETED", count), ("COMPLETED", 0)]
        assert set(flows[3:]) <= {("COMPLETED", 1)}  # figures and schema
        counted = {c.name: (c.action, c.passed, c.failed) for c in run.expectations}
        assert {name: counted[name] for name in verdicts} == {
            name: ("warn", told.count("T"), told.count("F")) for name, told in verdicts.items()
        }
        assert any("F" in told for told in verdicts.values())


@pytest.mark.parametrize("action", ["drop", "fail"])
def test_modules_that_drop_or_fail(spark, shared, types, tmp_path, action):
    config = f"[actions]\ndefault = '{action}'\n"
    converted = convert_corpus(shared, tmp_path, config)
    for module in picked(converted):
        run, verdicts, count = ran(module, converted, columns_of(module, types), spark)
        broken = {
            row: [name for name, told in verdicts.items() if told[row] == "F"]
            for row in range(count)
        }
        assert any(broken.values())
        if action == "fail":
            checked, clean, quarantine, *_ = run.flows
            assert checked.status == "FAILED"
            assert list(checked.violated) in broken.values()
            assert clean.status == quarantine.status == "SKIPPED"
            continue
        clean, quarantine = (run.frames[f"{module.stem}_{d}"] for d in ("clean", "quarantine"))
        assert sorted(row[0] for row in clean.collect()) == [r for r in broken if not broken[r]]
        assert {row[0]: row["failed_rules"] for row in quarantine.collect()} == {
            row: ", ".join(names) for row, names in broken.items() if names
        }


# Any rules, any rows ------------------------------------------------------------------------------

SCHEMA = "CREATE TABLE t (a INT, b INT, s STRING, day DATE);"
WORDS = '[actions.words]\nw = "warn"\nd = "drop"\nf = "fail"\n[tables.t]\nschema = "t.sql"\n'
RULES = (
    present("a"),
    present("s"),
    values("be_null", "b"),
    between("a", 0),
    between("a", None, 5),
    between("b", -1, 1),
    values("be_in_set", "s", value_set=["F", "O", "it's"]),
    values("not_be_in_set", "s", value_set=["X"]),
    {
        "type": "expect_column_pair_values_a_to_be_greater_than_b",
        "kwargs": {"column_A": "a", "column_B": "b", "ignore_row_if": "either_value_is_missing"},
    },
    values("be_unique", "a"),
    no_rows("a > b"),
    no_rows("a = b OR s = 'X'"),
    no_rows("day < current_date()"),
)
CELLS = st.tuples(
    st.sampled_from([None, -1, 0, 5, 6]),
    st.sampled_from([None, -1, 0, 6]),
    st.sampled_from([None, "F", "X", "it's", ""]),
    st.sampled_from([None, "1999-12-31", "9999-12-31"]),
)


def judged(condition: str, row: tuple) -> bool | None:
    """Whether a row passes, by means of the test's own; None where others or the clock tell."""
    if "CURRENT_DATE" in condition.upper() or "_copies" in condition:
        return None
    return verdict(parse_condition(condition), dict(zip("abs", row, strict=False))) is True


@given(
    st.lists(
        st.tuples(st.sampled_from(RULES), st.sampled_from("wdf" + "d" * 3)), min_size=1, max_size=7
    ),
    st.lists(CELLS, min_size=1, max_size=12),
)
@settings(max_examples=6, deadline=None)
def test_checked_is_clean_and_quarantine_whatever_the_rules_and_rows(spark, rules, rows):
    told = [{**rule, "meta": {"severity": word}} for rule, word in rules]
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write(
            folder,
            {"suites/t.json": suite("t", *told), "t.sql": SCHEMA, "ruleferry.toml": WORDS},
        )
        convert(folder, engine="spark")
        text = (folder / "expectations/t_expectations.py").read_text("utf-8")
        written = {e["name"]: e for e in ledger(folder)["entries"] if e["outcome"] != "merged"}
    assert set(written) == set(rules_of(text))
    frame = spark.createDataFrame(rows, "a INT, b INT, s STRING, day STRING")
    frame = frame.selectExpr("a", "b", "s", "CAST(day AS DATE) AS day")
    run = run_module(text, spark, {"t": frame})
    passed = {n: [judged(e["condition"], row) for row in rows] for n, e in written.items()}
    fails = {n for n, e in written.items() if e["action"] == "fail"}
    if run.flows[0].status == "FAILED":
        assert set(run.flows[0].violated) <= fails
        assert [flow.status for flow in run.flows[1:]] == ["SKIPPED"] * 2
        return
    assert [flow.status for flow in run.flows] == ["COMPLETED"] * 3
    assert not [n for n in fails if False in passed[n]]
    checked, clean, quarantine = (
        [tuple(row)[:4] for row in run.frames[f"t_{name}"].select("a", "b", "s", "day").collect()]
        for name in ("checked", "clean", "quarantine")
    )
    assert Counter(clean) + Counter(quarantine) == Counter(checked)
    assert len(checked) == len(rows)
    named = run.frames["t_quarantine"].select("a", "b", "s", "failed_rules").collect()
    drops = [n for n, e in written.items() if e["action"] == "drop"]
    for *row, failed in named:
        broken = {n for n in drops if judged(written[n]["condition"], row) is False}
        assert broken <= set(failed.split(", ")) <= set(drops)
    for row in clean:
        assert not [n for n in drops if judged(written[n]["condition"], row[:3]) is False]
