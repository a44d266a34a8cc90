"""Rules that look at other tables, and freshness: what becomes of each, to the letter."""

from dataclasses import replace
from decimal import Decimal

import pytest
from made_rules import Typed, planned, rule

from ruleferry.converters.account import Entry, KeysOf
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import TableSettings
from ruleferry.converters.plan import Plan
from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Comparison,
    OneOf,
    Present,
    SqlText,
)
from ruleferry.converters.proof.pipeline import run_module
from ruleferry.converters.rule import (
    Exists,
    Figure,
    LookedUp,
    Lookup,
    Ordered,
    Reconciled,
    Row,
    Share,
    Unique,
)
from ruleferry.converters.writers.lakeflow import module_text

# Columns of the table t, and of what it looks at.
COLUMNS = {
    "a": "int", "b": "bigint", "s": "string", "d": "double", "day": "date", "ts": "timestamp",
    "tn": "timestamp_ntz", "o": "boolean", "mp": "map<string,int>", "limit": "int",
    "st": "struct<k:int>",
    "x": "int", "y": "string", "v": "int", "f": "double", "w": "date",
}  # fmt: skip
TYPES = {name: parse_type(kind) for name, kind in COLUMNS.items()}
NAN = "CAST('NaN' AS DOUBLE)"


def lookup(*keys: tuple[str, str], scope=None, table="ref") -> Lookup:
    return Lookup(table, keys, scope)


BY_A, BY_TWO = lookup(("a", "x")), lookup(("a", "x"), ("s", "y"))
LATE = lookup(("a", "x"), scope=Comparison("v", ">", 1))
LESS, UNLIKE = ColumnComparison("b", "<", "v"), ColumnComparison("s", "!=", "y")
NEVER = OneOf("s", ())
ALWAYS = SqlText("1 = 1", "spark", bad=False)


def checking(check, *, columns=("a",), kind="exists", **fields):
    return rule(
        Present("a"), table="t", check=check, kind=kind, columns=columns, text=repr(check), **fields
    )


def made(*rules, typed=True, **config) -> Plan:
    placed = [replace(one, atom=f"e[{place}]") for place, one in enumerate(rules)]
    return planned(*placed, types_of=Typed(TYPES if typed else None), **config)


def entry(check, *, typed=True, config=None, **fields) -> Entry:
    (found,) = made(checking(check, **fields), typed=typed, **(config or {})).entries
    return found


# Converts to --------------------------------------------------------------------------------------

FOUND = "a_exists_found"
# Check, what else is told -> condition, column, keys, what a missing value does, grade.
FLAGS = [
    (Exists(BY_A), {}, FOUND, "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)",
     KeysOf("ref", (("a", "x"),)), "fail", "exact"),
    (Exists(BY_A, missing="good"), {}, f"a IS NULL OR {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "pass", "exact"),
    (Exists(BY_A, negated=True), {}, f"NOT {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "pass", "exact"),
    (Exists(BY_A, negated=True, missing="good"), {}, f"NOT {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "pass", "exact"),
    (Exists(BY_A, missing="good", listed="nullable"), {}, f"a IS NULL OR {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "pass", "differs"),
    (Exists(replace(BY_TWO, scope=LATE.scope), missing="good"), {},
     f"a IS NULL OR s IS NULL OR {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a AND l.y = s.s AND l.v IS NOT NULL AND l.v > 1)",
     KeysOf("ref", (("a", "x"), ("s", "y")), "v IS NOT NULL AND v > 1"), "pass", "exact"),
    (Exists(lookup(("a", "x"), scope=ALWAYS)), {}, FOUND,
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "fail", "exact"),
    (Exists(lookup(("day", "ts"))), {}, FOUND, "exists(SELECT 1 FROM ref AS l WHERE l.ts = s.day)",
     KeysOf("ref", (("day", "ts"),)), "fail", "exact"),
    (Exists(lookup(("limit", "x"), table="far.`odd name`")), {}, FOUND,
     "exists(SELECT 1 FROM far.`odd name` AS l WHERE l.x = s.`limit`)",
     KeysOf("far.`odd name`", (("`limit`", "x"),)), "fail", "exact"),
    (Exists(lookup(("a", "x"), table="stream")), {}, FOUND,
     "exists(SELECT 1 FROM `stream` AS l WHERE l.x = s.a)", KeysOf("stream", (("a", "x"),)),
     "fail", "exact"),
    (Exists(lookup(("d", "f")), missing="good"), {"engine": "pandas"},
     f"d IS NULL OR isnan(d) OR {FOUND}",
     f"exists(SELECT 1 FROM ref AS l WHERE nullif(l.f, {NAN}) = nullif(s.d, {NAN}))",
     KeysOf("ref", ((f"nullif(d, {NAN})", f"nullif(f, {NAN})"),)), "pass", "exact"),
    (Exists(lookup(("s", "y"))), {"engine": "oracle"}, FOUND,
     "exists(SELECT 1 FROM ref AS l WHERE nullif(l.y, '') = nullif(s.s, ''))",
     KeysOf("ref", (("nullif(s, '')", "nullif(y, '')"),)), "fail", "exact"),
    (Exists(BY_A), {"typed": False}, FOUND,
     "exists(SELECT 1 FROM ref AS l WHERE CAST(l.x AS STRING) = CAST(s.a AS STRING))",
     KeysOf("ref", (("CAST(a AS STRING)", "CAST(x AS STRING)"),)), "fail", "assumed"),
    (Exists(BY_A), {"scope": Present("s")}, f"s IS NULL OR {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "fail", "exact"),
    (Exists(BY_A), {"scope": ALWAYS}, FOUND, "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)",
     KeysOf("ref", (("a", "x"),)), "fail", "exact"),
    (Exists(BY_A, negated=True), {"scope": Absent("s")}, f"s IS NOT NULL OR NOT {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a)", KeysOf("ref", (("a", "x"),)),
     "pass", "exact"),
    (LookedUp(BY_A, (LESS,)), {}, f"NOT {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a AND s.b < l.v)", None, "pass", "exact"),
    (LookedUp(LATE, (LESS, UNLIKE), wanted=True), {"scope": Absent("s")},
     f"s IS NOT NULL OR {FOUND}",
     "exists(SELECT 1 FROM ref AS l WHERE l.x = s.a AND l.v IS NOT NULL AND l.v > 1 "
     "AND s.b < l.v AND s.s <> l.y)", None, "fail", "exact"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "told", "condition", "sql", "keys", "nulls", "grade"), FLAGS, ids=range(len(FLAGS))
)
def test_flags(check, told, condition, sql, keys, nulls, grade):
    found = entry(check, **told)
    assert (found.outcome, found.nulls, found.grade) == ("flag", nulls, grade)
    assert (found.condition, found.flag.column) == (condition, FOUND)
    assert (found.flag.sql, found.flag.keys, found.flag.over) == (sql, keys, "lookup")


MISSING, EXTRA = "a_exists_missing", "a_exists_extra"
BOTH = f"{MISSING} = 0 AND {EXTRA} = 0"
LATEST = "a_freshness_latest"


def freshness(column: str, seconds: int) -> Figure:
    return Figure("freshness", (column,), (("seconds", seconds),))


def since(interval: str) -> str:
    return f"coalesce({LATEST} >= current_timestamp() - INTERVAL {interval}, FALSE)"


DATASETS = [
    (Reconciled(BY_A), {}, BOTH,
     f"SELECT (SELECT count(*) FROM (SELECT x FROM ref EXCEPT SELECT a FROM t)) AS {MISSING}, "
     f"(SELECT count(*) FROM (SELECT a FROM t EXCEPT SELECT x FROM ref)) AS {EXTRA}", "exact"),
    (Reconciled(replace(BY_TWO, scope=LATE.scope), extra=False), {"scope": Present("b")},
     f"{MISSING} = 0",
     f"SELECT count(*) AS {MISSING} FROM (SELECT x, y FROM ref WHERE v IS NOT NULL AND v > 1 "
     "EXCEPT SELECT a, s FROM t WHERE b IS NOT NULL)", "exact"),
    (Reconciled(BY_A, missing=False), {"typed": False}, f"{EXTRA} = 0",
     f"SELECT count(*) AS {EXTRA} FROM (SELECT CAST(a AS STRING) FROM t EXCEPT "
     "SELECT CAST(x AS STRING) FROM ref)", "assumed"),
    (freshness("ts", 86_400), {}, since("'1' DAY"), f"SELECT max(ts) AS {LATEST} FROM t", "exact"),
    (freshness("ts", 7_200), {}, since("'2' HOUR"), f"SELECT max(ts) AS {LATEST} FROM t", "exact"),
    (freshness("tn", 5_400), {}, since("'90' MINUTE"), f"SELECT max(tn) AS {LATEST} FROM t",
     "exact"),
    (freshness("day", 86_401), {}, since("'86401' SECOND"), f"SELECT max(day) AS {LATEST} FROM t",
     "exact"),
    (freshness("ts", 0), {}, since("'0' DAY"), f"SELECT max(ts) AS {LATEST} FROM t", "exact"),
    (freshness("s", 60), {}, since("'1' MINUTE"),
     f"SELECT max(try_cast(s AS TIMESTAMP)) AS {LATEST} FROM t", "exact"),
    (freshness("ts", 60), {"typed": False}, since("'1' MINUTE"),
     f"SELECT max(try_cast(CAST(ts AS STRING) AS TIMESTAMP)) AS {LATEST} FROM t", "assumed"),
    (freshness("ts", 60), {"scope": Present("s")}, since("'1' MINUTE"),
     f"SELECT max(ts) FILTER(WHERE s IS NOT NULL) AS {LATEST} FROM t", "exact"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "told", "condition", "query", "grade"), DATASETS, ids=range(len(DATASETS))
)
def test_datasets(check, told, condition, query, grade):
    found = entry(check, **told)
    assert (found.outcome, found.nulls, found.grade) == ("dataset", "none", grade)
    assert (found.condition, found.validation.query) == (condition, query)


def test_a_share_counts_by_the_flag():
    found = entry(Share(Exists(BY_A, missing="good"), Decimal("0.9")))
    assert (found.flag.column, found.validation.dataset) == (FOUND, "t_figures")
    assert found.validation.query == (
        "SELECT count_if(a IS NOT NULL) AS a_exists_checked, "
        f"count_if(NOT (a IS NULL OR {FOUND})) AS a_exists_bad FROM t_checked"
    )


def codes(found: Entry) -> list[str]:
    return [caveat.code for caveat in found.caveats]


def test_the_other_table_is_called_as_configured():
    tables = {"sales.ref": TableSettings(name="main.sales.ref_raw", aliases=("REF",))}
    found = entry(Exists(lookup(("a", "x"), table="ref")), config={"tables": tables})
    assert (found.flag.keys.table, codes(found)) == ("main.sales.ref_raw", [])
    found = entry(
        Exists(lookup(("a", "x"), table="elsewhere")), typed=False, config={"tables": tables}
    )
    assert (found.flag.keys.table, codes(found)) == ("elsewhere", ["lookup_named", "keys_as_texts"])


# Must not convert ---------------------------------------------------------------------------------

GAPS = [
    (Exists(lookup(("a", "y"))), {}, "type_mismatch",
     "a is int and can't be compared with y, which is string"),
    (Exists(lookup(("day", "v"))), {}, "type_mismatch",
     "day is date and can't be compared with v, which is int"),
    (Exists(lookup(("a", "x"), ("mp", "mp"))), {}, "type_mismatch",
     "mp is map<string,int> and can't be compared with mp, which is map<string,int>"),
    (Exists(lookup()), {}, "invalid_rule", "it names no key of ref"),
    (Exists(lookup(("a", "x"), table="a.b.c.d")), {}, "invalid_rule",
     "a table was expected, found a.b.c.d"),
    (Exists(lookup(("nope", "x"))), {}, "column_unknown", "the schema's table has no column nope"),
    (Exists(lookup(("a", "nope"))), {}, "column_unknown", "the schema's table has no column nope"),
    (Exists(lookup(("a", "x"), scope=OneOf("v", ()))), {}, "never_passes",
     "of ref no record counts (v is one of an empty list), so that none is ever found"),
    (Exists(lookup(("a", "x"), scope=SqlText("v = NULL", "spark", bad=False))), {}, "never_passes",
     "of ref no record counts (v = NULL), so that none is ever found"),
    (Exists(lookup(("a", "x"), scope=Comparison("y", ">", 1))), {}, "type_mismatch",
     "y is string and can't be compared with a value that is no text"),
    (Exists(lookup(("a", "x"), scope=SqlText("my_udf(v)", "spark", bad=False))), {},
     "unsupported_function", "its row condition: my_udf() is not in the list of functions"),
    (Exists(BY_A), {"scope": NEVER}, "never_fails",
     "its row condition (s is one of an empty list) applies to no record"),
    (Exists(BY_A, missing="good"), {"scope": Absent("a")}, "never_fails",
     "its row condition (a has no value) applies only to records that pass"),
    (LookedUp(BY_A, (LESS,)), {"scope": And((Present("s"), Absent("s")))}, "never_fails",
     "its row condition (s has a value and s has no value) applies to no record"),
    (LookedUp(BY_A, (LESS,)), {"typed": False}, "type_needed",
     "how b and v compare depends on the type of b, which is not known"),
    (LookedUp(BY_A, (ColumnComparison("b", "<", "y"),)), {}, "type_mismatch",
     "b is bigint and can't be compared with y, which is string"),
    (LookedUp(lookup(("a", "x"), scope=OneOf("v", ())), (LESS,)), {}, "never_passes",
     "of ref no record counts (v is one of an empty list), so that none is ever found"),
    (LookedUp(lookup(), (LESS,)), {}, "invalid_rule", "it names no key of ref"),
    (Reconciled(lookup(("a", "y"))), {}, "type_mismatch",
     "a is int and can't be compared with y, which is string"),
    (Reconciled(lookup()), {}, "invalid_rule", "it names no key of ref"),
    (Reconciled(BY_A, missing=False, extra=False), {}, "never_fails",
     "it asks for no record of either table"),
    (freshness("a", 60), {}, "type_mismatch", "a is int and can't be compared with a time"),
    (freshness("o", 60), {}, "type_mismatch", "o is boolean and can't be compared with a time"),
    (freshness("st", 60), {}, "type_mismatch",
     "st is struct<k:int> and can't be compared with a time"),
    (freshness("nope", 60), {}, "column_unknown", "the schema's table has no column nope"),
    # windows, limited like flags
    (Unique(("a",)), {"scope": Absent("a")}, "never_fails",
     "its row condition (a has no value) applies only to records that pass"),
    (Unique(("a",)), {"scope": NEVER}, "never_fails",
     "its row condition (s is one of an empty list) applies to no record"),
    (Share(Row(Present("a")), Decimal("0.9")), {"scope": NEVER}, "never_fails",
     "its row condition (s is one of an empty list) applies to no record"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "told", "code", "reason"), GAPS, ids=range(len(GAPS)))
def test_must_not_convert(check, told, code, reason):
    found = entry(check, **told)
    assert (found.outcome, found.gap.code, found.gap.reason) == ("gap", code, reason)
    assert found.flag is found.validation is found.condition is None


def test_a_stream_keeps_existence_as_a_flag_and_has_no_order():
    tables = {"t": TableSettings(streaming=True, order_by=("b",))}
    for check in (Exists(BY_A), LookedUp(BY_A, (LESS,))):
        assert entry(check, config={"tables": tables}).outcome == "flag"
    for check in (Ordered("a"), Share(Exists(BY_A), Decimal("0.9"))):
        assert entry(check, config={"tables": tables}).gap.code == "streaming"


# One column and one join --------------------------------------------------------------------------

SHARED = (
    checking(Exists(BY_A)),
    checking(Exists(BY_A, negated=True), scope=Present("s")),
    checking(Share(Exists(BY_A, missing="good"), Decimal("0.5")), kind="share"),
)


def flags(found: Plan) -> list[str]:
    return [column.column for columns in found.modules[0].computed.values() for column in columns]


def test_rules_that_look_at_the_same_keys_share_a_column_and_a_join():
    found = made(*SHARED)
    names = {entry.flag.column for entry in found.entries}
    assert len(names) == 1
    (name,) = names
    assert flags(found).count(name) == 3
    text = module_text(found.modules[0])
    assert text.count(f'"{name}": {{') == 1
    assert text.count('"table": "ref"') == 1
    assert all(name in entry.condition for entry in found.entries[:2])


OTHERS = [
    Exists(BY_TWO),
    Exists(lookup(("b", "x"))),
    Exists(lookup(("a", "v"))),
    Exists(lookup(("a", "x"), table="other")),
    Exists(LATE),
    LookedUp(BY_A, ()),  # found by EXISTS
]


@pytest.mark.parametrize("other", OTHERS, ids=range(len(OTHERS)))
def test_rules_that_look_at_other_keys_share_nothing(other):
    found = made(checking(Exists(BY_A)), checking(other))
    one, two = (entry.flag for entry in found.entries)
    assert one.column != two.column
    text = module_text(found.modules[0])
    assert text.count('"table": "') + text.count("exists(SELECT") == 2


def test_only_equal_rules_merge():
    same = made(checking(Exists(BY_A)), checking(Exists(BY_A), place="e[1]"))
    assert [entry.outcome for entry in same.entries] == ["flag", "merged"]
    assert same.entries[1].merged_into == same.entries[0].id
    for other in (*OTHERS, Exists(BY_A, missing="good"), Exists(BY_A, negated=True)):
        found = made(checking(Exists(BY_A)), checking(other))
        assert [entry.outcome for entry in found.entries] == ["flag", "flag"]
    found = made(*(checking(LookedUp(BY_A, (comparison,))) for comparison in (LESS, UNLIKE)))
    assert [entry.outcome for entry in found.entries] == ["flag", "flag"]


def test_a_flag_gives_way_to_a_column_that_a_rule_speaks_of():
    spoken = rule(Present(FOUND), table="t", columns=(FOUND,), kind="present")
    found = planned(spoken, replace(checking(Exists(BY_A)), atom="e[1]"), types_of=Typed())
    assert found.entries[1].flag.column == found.entries[1].condition == f"{FOUND}_flag"


# Empty tables and missing values ------------------------------------------------------------------

CHECKS = {
    "found": Exists(BY_A),
    "found_or_missing": Exists(BY_TWO, missing="good"),
    "not_found": Exists(LATE, negated=True),
    "less": LookedUp(BY_A, (LESS,)),
    "less_wanted": LookedUp(BY_A, (LESS,), wanted=True),
    "both": Reconciled(BY_A),
    "fresh": freshness("ts", 60),
    "share": Share(Exists(BY_A), Decimal("0.5")),
}
ROWS = {
    "rows": "(1, 1L, 'u', current_timestamp()), (2, 9L, NULL, NULL)",
    "nulls": "(CAST(NULL AS INT), CAST(NULL AS BIGINT), CAST(NULL AS STRING), "
    "CAST(NULL AS TIMESTAMP))",
    "look": "(1, 'u', 5), (1, 'u', 5), (2, 'u', NULL)",
    "look_nulls": "(CAST(NULL AS INT), CAST(NULL AS STRING), CAST(NULL AS INT))",
}
# t, ref -> how many rows break each rule; of the last three, whether the table does.
BROKEN = {
    ("rows", "look"): (0, 0, 1, 1, 1, 0, 0, 0),
    ("rows", "look_nulls"): (2, 1, 0, 0, 2, 1, 0, 1),
    ("nulls", "look"): (1, 0, 0, 0, 1, 1, 1, 1),
    ("nulls", "look_nulls"): (1, 0, 0, 0, 1, 0, 1, 1),
    ("no rows", "look"): (0, 0, 0, 0, 0, 1, 1, 0),
    ("rows", "no look"): (2, 1, 0, 0, 2, 1, 0, 1),
    ("no rows", "no look"): (0, 0, 0, 0, 0, 0, 1, 0),
}


def frame(spark, name: str):
    columns = "v(x, y, v)" if "look" in name else "v(a, b, s, ts)"
    filled = name.removeprefix("no ")
    none = "WHERE false" if name.startswith("no ") else ""
    return spark.sql(f"SELECT * FROM VALUES {ROWS[filled]} AS {columns} {none}")


@pytest.mark.parametrize(("rows", "look"), BROKEN)
def test_empty_tables_and_missing_values(spark, rows, look):
    rules = [checking(check, author_name=name) for name, check in CHECKS.items()]
    (module,) = made(*rules).modules
    tables = {"t": frame(spark, rows), "ref": frame(spark, look)}
    run = run_module(module_text(module), spark, tables)
    assert {flow.status for flow in run.flows} == {"COMPLETED"}
    failed = {count.name: count.failed for count in run.expectations}
    assert tuple(failed[name] for name in CHECKS) == BROKEN[rows, look]
    assert run.frames["t_checked"].count() == tables["t"].count()
