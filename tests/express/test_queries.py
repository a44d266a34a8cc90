"""Queries of Great Expectations that look at other records and tables: old verdict against new."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from many_verdicts import _successes
from query_cases import DATASETS, FLAGS, GAPS, VALUES

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Config, TableSettings
from ruleferry.converters.express import Types
from ruleferry.converters.plan import plan
from ruleferry.converters.proof.oracle import _quiet
from ruleferry.converters.proof.oracle_batch import new_bench
from ruleferry.converters.proof.pipeline import run_module
from ruleferry.converters.proof.verdict import Overall, Raised
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import Reading, Table
from ruleferry.converters.writers.lakeflow import module_text

COLUMNS = {
    "orders": {"id": "bigint", "ck": "bigint", "st": "string", "price": "double"},
    "customers": {"ck": "bigint", "st": "string", "least": "double"},
    "lines": {"ck": "bigint", "st": "string"},
}
ORDERS = {
    "mixed": [(1, 10, "A", 10.0), (2, 20, "B", 25.5), (3, None, "A", None), (5, 99, None, 0.5),
              (5, 10, "B", 60.0)],
    "good": [(1, 10, "A", 12.0), (2, 20, "A", 13.0), (3, 30, "A", 14.0)],
    "without keys": [(1, None, None, None), (2, None, "A", 5.0)],
    "empty": [],
}  # fmt: skip
OTHERS = {
    "doubled, one keyless": [(10, "A", 5.0), (10, "A", 5.0), (20, "B", 30.0), (None, "A", 1.0)],
    "all": [(10, "A", 1.0), (20, "A", 1.0), (30, "B", 1.0)],
    "empty": [],
}  # fmt: skip
# (orders, others), and how many of these pairs are tried without types.
PAIRS = [
    ("mixed", "doubled, one keyless"),
    ("good", "all"),
    ("empty", "doubled, one keyless"),
    ("without keys", "empty"),
]
UNTYPED = 1
ARROW = {"bigint": pa.int64(), "string": pa.string(), "double": pa.float64()}


def element(query):
    return {"type": "unexpected_rows_expectation", "kwargs": {"unexpected_rows_query": query}}


def planned(queries, *, typed=True, engine="spark"):
    context = Context("s.json", Table("orders"), engine, version=(1, 24))
    rules = [read_expectation(element(q), i, context) for i, q in enumerate(queries)]
    reading = Reading("s.json", "great_expectations suite", "0" * 64, len(rules), tuple(rules))
    kinds = {t: {c: parse_type(k) for c, k in of.items()} for t, of in COLUMNS.items()}
    config = Config(Path(), Path(), tables={"lines": TableSettings(name="main.x.lines")})

    def types_of(_, table):
        return Types(kinds.get(table.rpartition(".")[2]) if typed else None)

    return plan([reading], types_of, config, {})


def by_place(found):
    return sorted(found.entries, key=lambda e: int(e.atom[len("expectations[") : -1]))


def frames(spark, orders, others):
    rows = {"orders": ORDERS[orders], "customers": OTHERS[others]}
    rows["lines"] = [row[:2] for row in OTHERS[others]]
    return {table: frame(spark, found, COLUMNS[table]) for table, found in rows.items()}


def frame(spark, rows, columns):
    values = [*zip(*rows, strict=True)] or [[] for _ in columns]
    arrays = [pa.array(v, ARROW[kind]) for v, kind in zip(values, columns.values(), strict=True)]
    return spark.createDataFrame(pa.table(arrays, names=[*columns]))


def old_successes(queries, tables):
    for name, frame in tables.items():
        frame.createOrReplaceTempView(name)
    with _quiet():
        batch = new_bench(tables["orders"]).batch
        found = _successes([element(query) for query in queries], batch)
    for name, frame in tables.items():
        frame.sparkSession.catalog.dropTempView(name)
    return found


def successes_of_module(found, tables, spark):
    """By name, as the module says it."""
    (module,) = found.modules
    names = {"lines": "main.x.lines"}
    given = {names.get(table, table): frame for table, frame in tables.items()}
    run = run_module(module_text(module), spark, given)
    stopped = [flow for flow in run.flows if flow.status != "COMPLETED"]
    assert not stopped, stopped
    return {count.name: Overall(count.failed == 0) for count in run.expectations}


def successes_of_queries(entries, tables, spark):
    """By name, all in one select; no dataset of a module for each."""
    for name, frame in tables.items():
        frame.createOrReplaceTempView(name)
    chosen = ", ".join(f"({e.validation.query}) AS {e.name}" for e in entries)
    (row,) = spark.sql(f"SELECT {chosen}").collect()
    for name in tables:
        spark.catalog.dropTempView(name)
    return {entry.name: Overall(row[entry.name] == 0) for entry in entries}


UNKNOWN = pytest.param(False, id="types unknown", marks=pytest.mark.more)


@pytest.fixture(scope="module", params=[pytest.param(True, id="typed"), UNKNOWN])
def compared(request, spark):
    """(query, entry, orders, others, old, new) of every query on pairs of tables."""
    queries = [*FLAGS, *VALUES, *DATASETS]
    entries = by_place(planned(queries, typed=request.param))
    flags = planned([*FLAGS, *VALUES], typed=request.param)
    asked = [entry for entry in entries if entry.outcome == "dataset"]
    by_id = {entry.id: entry for entry in entries}
    told = []
    for orders, others in PAIRS if request.param else PAIRS[:UNTYPED]:
        tables = frames(spark, orders, others)
        new = successes_of_module(flags, tables, spark)
        new |= successes_of_queries(asked, tables, spark)
        for query, entry, old in zip(queries, entries, old_successes(queries, tables), strict=True):
            name = by_id[entry.merged_into or entry.id].name
            told.append((query, entry, orders, others, old, new[name]))
    return told


def test_a_module_says_what_its_queries_say(spark):
    found = planned(DATASETS[::3])
    tables = frames(spark, *PAIRS[0])
    entries = [entry for entry in found.entries if entry.outcome == "dataset"]
    of_module = successes_of_module(found, tables, spark)
    assert of_module == successes_of_queries(entries, tables, spark)
    assert len(set(of_module.values())) == 2


def test_the_old_verdict_and_the_new_one_agree(compared):
    raised = [case for case in compared if isinstance(case[4], Raised)]
    assert {case[1].grade for case in raised} <= {"differs"}
    told = [case for case in compared if case not in raised]
    wrong = [case for case in told if case[4] != case[5] and not is_dead(case[1], case[3])]
    assert not wrong, wrong[:5]
    seen = Counter(case[4].success for case in told)
    assert min(seen.values()) > 5, seen


def is_dead(entry, others):
    """Where NOT IN differs, the entry says so: a key is missing in the other table, or all are."""
    told = {caveat.code for caveat in entry.caveats}
    return ("dead_check" in told and others == "doubled, one keyless") or (
        "empty_list" in told and others == "empty"
    )


def test_not_in_did_differ(compared):
    differing = {
        (case[2], case[4].success, case[5].success)
        for case in compared
        if is_dead(case[1], case[3])
    }
    assert ("mixed", True, False) in differing
    if {case[2] for case in compared} > {"mixed"}:
        assert ("without keys", False, True) in differing


def test_whether_a_query_is_about_each_record_is_told_by_its_shape(compared):
    outcomes = {case[0]: case[1].outcome for case in compared}
    assert {outcomes[query] for query in DATASETS} == {"dataset"}
    assert {outcomes[query] for query in FLAGS} <= {"flag", "merged"}
    typed = all(case[1].grade != "assumed" for case in compared if case[0] in VALUES)
    assert {outcomes[query] for query in VALUES} == {"flag" if typed else "dataset"}


def test_with_types_nothing_is_assumed_but_the_names_of_tables():
    found = planned([*FLAGS, *VALUES, *DATASETS])
    codes = {c.code for e in found.entries if e.grade == "assumed" for c in e.caveats}
    assert codes <= {"other_table", "sql_note", "scope", "lookup_named"}


RAISING = [
    "SELECT st FROM {batch} GROUP BY st HAVING sum(id) > 0",
    "SELECT st FROM {batch} GROUP BY st HAVING avg(price) / (count(*) - 2) > 1",
    "SELECT id FROM {batch} GROUP BY id, st HAVING CAST(st AS INT) > 1 AND id * 2 > 0",
    "SELECT id FROM {batch} GROUP BY id HAVING sum(st) > 1 OR avg(DISTINCT st) > 1",
    "SELECT id FROM {batch} GROUP BY id HAVING stddev(st) > 1 OR median(st) > 1",
    "SELECT id FROM {batch} GROUP BY id HAVING count_if(st) > 1 OR bool_and(st)",
    "SELECT * FROM (SELECT id + 1 AS n, row_number() OVER (ORDER BY id % (ck - ck)) AS r FROM "
    "{batch}) WHERE n > r",
]


@pytest.mark.parametrize("typed", [True, False])
def test_a_query_never_raises(spark, typed):
    """A sum beyond BIGINT, a division by zero, a text that is no number."""
    most = 2**63 - 1
    tables = {"orders": frame(spark, [(most, 1, "x", 1.0)] * 2, COLUMNS["orders"])}
    entries = planned(RAISING, typed=typed).entries
    assert {entry.grade for entry in entries} <= {"differs", "assumed", "exact"}
    told = [caveat.detail for entry in entries for caveat in entry.caveats]
    assert not [detail for detail in told if "ruleferry_" in detail]
    assert len(successes_of_queries(entries, tables, spark)) == len(RAISING)


@pytest.mark.parametrize(("query", "code", "reason"), GAPS)
def test_what_is_not_known_to_be_the_same_is_a_gap(query, code, reason):
    (entry,) = planned([query]).entries
    assert entry.outcome == "gap", entry.validation
    assert (entry.gap.code, reason in entry.gap.reason) == (code, True), entry.gap


def test_a_column_of_the_other_table_may_hide_the_batch(monkeypatch):
    """Within the subquery `o.ck` is first of all the field ck of a column o that it has."""
    query = "SELECT * FROM {batch} o WHERE NOT EXISTS (SELECT 1 FROM customers c WHERE c.ck = o.ck)"
    assert planned([query]).entries[0].outcome == "flag"
    monkeypatch.setitem(COLUMNS, "customers", COLUMNS["customers"] | {"o": "struct<ck:bigint>"})
    (entry,) = planned([query]).entries
    assert entry.outcome == "dataset"
    assert "c.ck = o.ck" in entry.validation.query


def test_names_of_tables_and_columns_have_no_case():
    found = planned(
        [
            "SELECT * FROM {batch} o LEFT JOIN CUSTOMERS c ON o.CK = c.Ck WHERE c.cK IS NULL",
            "SELECT * FROM {batch} o LEFT JOIN Customers c ON o.ck = c.ck WHERE c.ck IS NULL",
        ]
    )
    assert len({entry.flag.column for entry in found.entries if entry.flag}) == 1


DECIMALS = [
    ("decimal(10,2)", "try_sum(d) > 1.5"),
    ("decimal(38,2)", "try_cast(CAST(try_sum(d) AS STRING) AS DOUBLE) > 1.5"),
]


@pytest.mark.parametrize(("kind", "text"), DECIMALS)
def test_a_sum_of_decimals_is_compared_exactly_where_its_type_is_known(monkeypatch, kind, text):
    monkeypatch.setitem(COLUMNS, "orders", COLUMNS["orders"] | {"d": kind})
    (entry,) = planned(["SELECT ck FROM {batch} GROUP BY ck HAVING sum(d) > 1.5"]).entries
    assert f"HAVING {text})" in entry.validation.query


def test_a_query_has_the_meaning_of_its_database():
    query = "SELECT * FROM {batch} WHERE ck / 2 = 3"
    (on_postgres,) = planned([query], engine="postgres").entries
    (on_spark,) = planned([query]).entries
    assert on_postgres.condition == "ck IS NULL OR ck DIV 2 <> 3"
    assert "DIV" not in on_spark.condition


def test_the_sql_of_a_database_that_nobody_knows_is_a_gap():
    (entry,) = planned([DATASETS[0]], engine="trino").entries
    assert entry.gap.code == "needs_sql_reader"


def test_the_query_reads_the_tables_by_their_names_on_databricks():
    (entry,) = planned(["SELECT l.ck FROM lines l EXCEPT SELECT ck FROM {batch}"]).entries
    name = f"{entry.name}_rows"
    assert entry.validation.query == (
        f"SELECT count(*) AS {name} FROM (SELECT l.ck FROM main.x.lines AS l EXCEPT "
        "SELECT ck FROM orders AS batch)"
    )
    assert (entry.condition, entry.grade) == (f"{name} = 0", "exact")


def test_a_query_is_no_dataset_of_another_name():
    """A rule that is called `clean` would else be the clean table."""
    query = element(DATASETS[0]) | {"meta": {}}
    context = Context("s.json", Table("orders"), "spark", version=(1, 24))
    rule = replace(read_expectation(query, 0, context), author_name="clean")
    reading = Reading("s.json", "great_expectations suite", "0" * 64, 1, (rule,))
    (entry,) = plan([reading], lambda *_: Types(), Config(Path(), Path()), {}).entries
    assert (entry.name, entry.dataset) == ("clean_query", "orders_clean_query")
