"""Checks of Soda: what they become, and what must not become a rule."""

from __future__ import annotations

import pytest
from sql_rows import Rows
from sql_shown import setting, shown

from ruleferry.converters.readers.sql.dsl import read_soda
from ruleferry.converters.readers.sql.dsl.thresholds import threshold
from ruleferry.converters.rule import Exists, Row, Unique


def read(item, dialect="postgres", before=""):
    text = f"{before}\nchecks for t:\n  - {item}\n"
    founds, _ = read_soda(text, "checks.yml", setting(dialect))
    return [shown(found) for found in founds]


def test_the_case(shared):
    text = (shared / "cases" / "sql" / "s050_soda.yml").read_text("utf-8")
    founds, lengths = read_soda(text, "s050_soda.yml", setting("postgres"))
    assert [shown(found) for found in founds] == [
        "row_count: row_count min_value=1 -> fail",
        "email present: email present -> fail",
        "country_invalid_count: country in ('FR', 'DE') -> fail",
        "id_duplicate_count: unique id (any_missing) -> fail",
        "size sane: bad size < 0 OR size > 500 -> fail",
        "size_missing_percent: figures good count(*) = 0 OR 100 * count(CASE WHEN size IS NULL "
        "THEN 1 END) < 5 * count(*) -> fail",
    ]
    assert lengths == {"checks for dim_customer": 6}
    assert [found.part for found in founds] == [f"checks for dim_customer[{n}]" for n in range(6)]
    assert {found.checked.table for found in founds} == {"dim_customer"}


CONVERTS = [
    ("row_count between 10 and 20", ["row_count: row_count max_value=20 min_value=10 -> fail"]),
    ("row_count > 5", ["row_count: row_count min_value=6 -> fail"]),
    (
        "row_count: {warn: when < 10, fail: when < 1}",
        ["row_count: row_count min_value=10 -> warn", "row_count: row_count min_value=1 -> fail"],
    ),
    ("row_count same as u", ["row_count: row_count_of_tables other_table_name=u -> fail"]),
    ("missing_count(a) < 1", ["a_missing_count: a present -> fail"]),
    ("missing_count(a): {warn: when > 0}", ["a_missing_count: a present -> warn"]),
    (
        "missing_count(a) < 5",
        ["a_missing_count: figures good count(CASE WHEN a IS NULL THEN 1 END) < 5 -> fail"],
    ),
    (
        "missing_count(a) = 0: {missing values: [x]}",
        ["a_missing_count: bad a IS NULL OR a IN ('x') -> fail"],
    ),
    ("invalid_count(a) = 0: {valid min: 1, valid max: 5}", ["a_invalid_count: a [1, 5] -> fail"]),
    ("invalid_count(a) = 0: {invalid values: [x]}", ["a_invalid_count: a not in ('x',) -> fail"]),
    (
        "invalid_count(a) = 0: {valid max length: 5}",
        ["a_invalid_count: length a [None, 5] -> fail"],
    ),
    ("invalid_count(a) = 0: {valid regex: '^x+$'}", ["a_invalid_count: a like ^x+$ -> fail"]),
    (
        "invalid_count(a) = 0: {valid min: 1, filter: b = 2}",
        ["a_invalid_count: a [1, None] where b = 2 -> fail"],
    ),
    ("duplicate_count(a, b) = 0", ["a_b_duplicate_count: unique a, b (any_missing) -> fail"]),
    (
        "values in (a, b) must exist in u (x, y)",
        ["a_b_reference: in u by a = x, b = y (missing good) -> fail"],
    ),
    ("freshness(ts) < 1d12h", ["ts_freshness: freshness ts seconds=129600 -> fail"]),
    ("avg(a) between 1 and 5", ["a_avg: figures bad NOT ((avg(a) >= 1 AND avg(a) <= 5)) -> fail"]),
    ("max_length(a) <= 9", ["a_max_length: figures bad NOT (max(length(a)) <= 9) -> fail"]),
    (
        "failed rows: {fail query: 'SELECT * FROM t WHERE a < 0'}",
        ["failed_rows: bad a < 0 -> fail"],
    ),
    ("m > 5: {m expression: AVG(a)}", ["m: figures bad NOT ((avg(a)) > 5) -> fail"]),
    (
        "schema: {fail: {when required column missing: [a, b]}}",
        ["columns_required: columns column_set column_set=['a', 'b'] exact_match=False -> fail"],
    ),
    (
        "schema: {warn: {when wrong column type: {a: integer}}}",
        ["a_type: columns type type_=integer -> warn"],
    ),
]


@pytest.mark.parametrize(("item", "rules"), CONVERTS)
def test_converts(item, rules):
    assert read(item) == rules


MUST_NOT = [
    ("anomaly score for row_count < default", "unknown_shape", "a model of the past"),
    ("change avg last 7 for row_count < 50", "unknown_shape", "earlier runs"),
    ("distribution_difference(a) > 0.05: {method: ks}", "unknown_shape", "a distribution"),
    ("invalid_count(a) = 0: {valid format: email}", "dialect_meaning", "a pattern of the tool"),
    ("invalid_count(a) = 0", "never_fails", "nothing is invalid"),
    ("invalid_count(a) = 0: {valid colour: red}", "unknown_shape", "a setting nobody knows"),
    ("missing_count(a) = 0: {missing regex: x}", "dialect_meaning", "a pattern"),
    ("duplicate_count(a) < 5", "no_equivalent", "values that occur twice"),
    ("missing_count(a)", "not_understood", "no threshold"),
    ("missing_count(a) is small", "not_understood", "no threshold"),
    ("failed rows: {name: x}", "malformed", "no condition"),
    ("failed rows: {fail condition: 'a < ${low}'}", "parameter", "a value not known"),
    (
        "schema: {fail: {when forbidden column present: [x]}}",
        "no_equivalent",
        "a column that is there",
    ),
    ("schema: {fail: {when wrong column index: {a: 0}}}", "no_equivalent", "the first place"),
    ("m > 5: {m query: SELECT 1}", "unknown_shape", "a query of its own"),
    ("{a: 1, b: 2}", "malformed", "two keys"),
    ("missing_count(lower(a)) = 0", "malformed", "an expression"),
]


@pytest.mark.parametrize(("item", "code", "why"), MUST_NOT)
def test_must_not_convert(item, code, why):
    rules = read(item)
    assert rules, why
    assert all(rule.endswith(f"gap {code}") for rule in rules), (rules, why)


def test_defaults_of_a_column_hold_where_a_check_says_nothing():
    before = "configurations for t:\n  valid values for a: [x]\n"
    assert read("invalid_count(a) = 0", before=before) == ["a_invalid_count: a in ('x',) -> fail"]


def test_a_partition_only_picks_the_load():
    text = """
    filter t [daily]:
      where: ts >= '${start}' AND region = 'EU'
    checks for t [daily]:
      - missing_count(a) = 0
    checks for t [weekly]:
      - missing_count(a) = 0
    """
    founds, _ = read_soda(text, "x.yml", setting("postgres"))
    assert shown(founds[0]) == "a_missing_count: a present where region = 'EU' -> fail"
    assert founds[0].checked.filters == ("ts >= '${start}'",)
    assert shown(founds[1]) == "a_missing_count: gap template"


def test_for_each_dataset_that_is_named():
    text = "for each dataset D:\n  datasets: [o1, o2]\n  checks: [row_count > 0]\n"
    founds, lengths = read_soda(text, "x.yml", setting("postgres"))
    assert [found.checked.table for found in founds] == ["o1", "o2"]
    assert lengths == {"for each dataset D.checks": 1}
    founds, _ = read_soda(text.replace("o2", "dim_%"), "x.yml", setting("postgres"))
    assert [shown(found) for found in founds] == ["gap template"]


@pytest.mark.parametrize(
    ("text", "number", "holds"),
    [
        ("= 0", 0, True),
        ("!= 0", 0, False),
        ("< 5%", 5, False),
        ("<= 5", 5, True),
        ("between 1 and 5", 5, True),
        ("between 1 and 5)", 5, False),
        ("between (1 and 5", 1, False),
        ("not between 1 and 5", 3, False),
        ("not between 1 and 5", 6, True),
        ("> -1", 0, True),
    ],
)
def test_a_threshold(text, number, holds):
    limit = threshold(text)
    assert limit is not None
    assert limit.allows(number) is holds
    assert limit.negated().allows(number) is not holds
    low, high = limit.bounds() or (None, None)
    if (low, high) != (None, None):
        assert ((low is None or number >= low) and (high is None or number <= high)) is holds


@pytest.mark.parametrize("text", ["about 5", "= x", "< 5 %%", "between 1", "= 5 or 6", ""])
def test_no_threshold(text):
    assert threshold(text) is None


ROWS = [(None, "x"), (0, None), (1, "x"), (3, "z"), (9, "xx")]
BY_RECORD = [
    ("missing_count(a) = 0", "a IS NULL"),
    ("missing_count(b) = 0: {missing values: [x]}", "b IS NULL OR b = 'x'"),
    ("invalid_count(b) = 0: {valid values: [x, z]}", "b NOT IN ('x', 'z')"),
    (
        "invalid_count(b) = 0: {valid max length: 1, missing values: [z]}",
        "b <> 'z' AND length(b) > 1",
    ),
    ("invalid_count(a) = 0: {valid min: 1, valid max: 3}", "a < 1 OR a > 3"),
    ("failed rows: {fail condition: a > 2 or b = 'x'}", "a > 2 OR b = 'x'"),
    ("duplicate_count(b) = 0", "b = 'x'"),
    ("values in a must exist in q id", "a NOT IN (SELECT id FROM q)"),
    ("values in (a) must not exist in q (id)", "a IN (SELECT id FROM q)"),
]


@pytest.mark.parametrize(("item", "bad"), BY_RECORD)
def test_the_records_that_the_tool_finds_bad(item, bad):
    rows = Rows("a INTEGER, b VARCHAR", ROWS, {"q": "SELECT * FROM (VALUES (1), (3)) AS v(id)"})
    founds, _ = read_soda(f"checks for t:\n  - {item}\n", "x.yml", setting("duckdb"))
    assert isinstance(founds[0].checked.check, Row | Unique | Exists)
    if "length" in item:
        assert founds[0].checked.check.predicate.bad
    assert rows.bad(founds[0].checked) == rows.where(bad)


AS_A_WHOLE = [
    ("row_count = 5", True),
    ("row_count > 5", False),
    ("row_count between 1 and (5", None),
    ("missing_count(a) < 2", True),
    ("missing_count(a) < 1.5", True),
    ("missing_count(a) > 1", False),
    ("missing_percent(a) < 20", False),
    ("missing_percent(a) <= 20%", True),
    ("invalid_percent(a) < 50: {valid min: 1}", True),
    ("avg(a) > 100", False),
    ("max(a) = 9", True),
]


@pytest.mark.parametrize(("item", "passes"), [case for case in AS_A_WHOLE if case[1] is not None])
def test_the_verdict_on_a_table(item, passes):
    founds, _ = read_soda(f"checks for t:\n  - {item}\n", "x.yml", setting("duckdb"))
    assert Rows("a INTEGER, b VARCHAR", ROWS).passes(founds[0].checked) is passes


@pytest.mark.parametrize(
    ("item", "passes"),
    [
        ("missing_percent(a) < 20", True),
        ("missing_percent(a) > 20", False),
        ("row_count = 0", True),
    ],
)
def test_the_verdict_on_no_records(item, passes):
    founds, _ = read_soda(f"checks for t:\n  - {item}\n", "x.yml", setting("duckdb"))
    assert Rows("a INTEGER, b VARCHAR", []).passes(founds[0].checked) is passes
