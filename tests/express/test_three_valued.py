"""Rewrites of SQL's three truth values, against DuckDB on all rows of three columns."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp, transpile

from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import checked_text, to_sql
from ruleferry.converters.express.three_valued import (
    always_true,
    is_not_false,
    is_not_true,
    is_true,
    never_true,
)
from ruleferry.converters.express.tidy import tidy
from ruleferry.converters.express.truth import outcomes


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ("x < 0", "x IS NULL OR x >= 0"),
        ("x < 0 OR x > 9", "x IS NULL OR (x >= 0 AND x <= 9)"),
        ("x IS NULL OR x <= 0", "x IS NOT NULL AND x > 0"),
        ("x IS NULL", "x IS NOT NULL"),
        ("NOT x IS NULL", "x IS NULL"),
        ("x <> y", "x IS NULL OR y IS NULL OR x = y"),
        ("x = y AND y > 1", "x IS NULL OR y IS NULL OR x <> y OR y <= 1"),
        ("NOT (x = 1 AND y = 2)", "(x IS NULL OR x = 1) AND (y IS NULL OR y = 2)"),
        ("NOT (x = 1 OR y = 2)", "x IS NULL OR x = 1 OR y IS NULL OR y = 2"),
        ("NOT NOT (x = 1)", "x IS NULL OR x <> 1"),
        ("x IN (1, 2)", "x IS NULL OR x NOT IN (1, 2)"),
        ("x NOT IN (1, 2)", "x IS NULL OR x IN (1, 2)"),
        ("x IN (1, NULL)", "x IS NULL OR x NOT IN (1)"),
        ("x NOT IN (1, NULL)", "TRUE"),
        ("x NOT IN (1, y)", "x IS NULL OR x IN (1) OR y IS NULL OR x = y"),
        ("x LIKE 'a%'", "x IS NULL OR x NOT LIKE 'a%'"),
        ("x NOT LIKE 'a%'", "x IS NULL OR x LIKE 'a%'"),
        ("NOT x LIKE 'a%'", "x IS NULL OR x LIKE 'a%'"),
        ("x NOT LIKE 'a!%' ESCAPE '!'", "x IS NULL OR x LIKE 'a!%' ESCAPE '!'"),
        ("x RLIKE 'a'", "x IS NULL OR x NOT RLIKE 'a'"),
        ("x BETWEEN 1 AND 5", "x IS NULL OR x NOT BETWEEN 1 AND 5"),
        ("x NOT BETWEEN 1 AND 5", "x IS NULL OR x BETWEEN 1 AND 5"),
        # -2 BETWEEN 0 AND NULL is FALSE: a NULL bound is not a NULL test.
        ("x NOT BETWEEN 0 AND y", "x IS NULL OR (x >= 0 AND (y IS NULL OR x <= y))"),
        ("x <=> y", "NOT (x <=> y)"),
        ("NOT x <=> y", "x <=> y"),
        ("x IS NOT DISTINCT FROM 1", "NOT (x <=> 1)"),
        ("b", "b IS NOT TRUE"),
        ("NOT b", "b IS NOT FALSE"),
        ("b = TRUE", "b IS NULL OR b <> TRUE"),
        ("b IS TRUE", "b IS NOT TRUE"),
        ("b IS NOT FALSE", "b IS FALSE"),
        ("(x > 1) IS TRUE", "x IS NULL OR x <= 1"),
        ("(x > 1) IS NOT TRUE", "x IS NOT NULL AND x > 1"),
        ("(x > 1) IS FALSE", "x IS NULL OR x > 1"),
        ("(x > 1) IS NULL", "(x > 1) IS NOT NULL"),
        ("coalesce(x, 0) = 0", "coalesce(x, 0) <> 0"),
        ("coalesce(x, y) = 0", "coalesce(x, y) IS NULL OR coalesce(x, y) <> 0"),
        ("length(x) > 5", "x IS NULL OR length(x) <= 5"),
        ("isnan(x)", "NOT isnan(x)"),
        ("try_cast(x AS INT) > 5", "try_cast(x AS INT) IS NULL OR try_cast(x AS INT) <= 5"),
        ("CASE WHEN x > 1 THEN b END", "(CASE WHEN x > 1 THEN b END) IS NOT TRUE"),
        ("x = NULL", "TRUE"),
        ("x > 1 OR NULL", "x IS NULL OR x <= 1"),
        ("x > 1 AND NULL", "TRUE"),
        ("x > 1 OR TRUE", "FALSE"),
        ("x / 2 > 1", "x IS NULL OR x / 2 <= 1"),
        ("x / y > 1", "x / y IS NULL OR x / y <= 1"),
        ("x IS NOT NULL AND (x > 5 OR y > 5)", "x IS NULL OR (x <= 5 AND (y IS NULL OR y <= 5))"),
    ],
)
def test_bad_rows_become_good_ones(bad, good):
    assert checked_text(is_not_true(parse_condition(bad)), each=True) == good


@pytest.mark.parametrize(
    ("good", "two_valued"),
    [
        ("x > 0", "x IS NOT NULL AND x > 0"),
        ("x > 0 AND x < 9", "x IS NOT NULL AND x > 0 AND x < 9"),
        ("x = 1 OR x = 2", "x IS NOT NULL AND (x = 1 OR x = 2)"),
        ("x = 1 OR y = 2", "(x IS NOT NULL AND x = 1) OR (y IS NOT NULL AND y = 2)"),
        ("x IS NULL OR x > 0", "x IS NULL OR x > 0"),
        ("NOT (x = 1)", "x IS NOT NULL AND x <> 1"),
        ("NOT b", "b IS FALSE"),
        ("x IN (1, NULL)", "x IS NOT NULL AND x IN (1)"),
        ("x NOT IN (1, NULL)", "FALSE"),
    ],
)
def test_good_conditions_fail_a_missing_value(good, two_valued):
    assert checked_text(is_true(parse_condition(good)), each=True) == two_valued


def test_a_constraint_lets_a_missing_value_pass():
    assert to_sql(is_not_false(parse_condition("x > 0"))) == "x IS NULL OR x > 0"


def test_the_predicate_is_left_as_it_is():
    tree = parse_condition("NOT (x IN (1, y) OR z BETWEEN 1 AND x)")
    before = repr(tree)
    is_not_true(tree)
    assert repr(tree) == before


@pytest.mark.parametrize(
    "dead",
    [
        "x = NULL",
        "x <> NULL",
        "x IN (NULL)",
        "x NOT IN (1, NULL)",
        "1 = 0",
        "FALSE",
        "NULL",
        "x < x",
        "x <> x",
        "x > 1 AND FALSE",
        "x BETWEEN 5 AND 1",
        "'a' = 'b'",
        "DATE'2020-01-02' < DATE'2020-01-01'",
        "NOT (1 = 1)",
        "coalesce(NULL, 1) > 1",
        "(x = NULL) IS TRUE",
        "NULL BETWEEN x AND 1",
    ],
)
def test_never_true(dead):
    assert never_true(parse_condition(dead))
    assert not always_true(parse_condition(dead))


@pytest.mark.parametrize(
    "constant",
    [
        "1 = 1",
        "TRUE",
        "x > 1 OR TRUE",
        "NOT FALSE",
        "x <=> x",
        "(x = NULL) IS NULL",
        "1 IS NOT NULL",
        "coalesce(NULL, 2) > 1",
        "'b' > 'a'",
        "NULL <=> NULL",
        "3 IN (1, 3)",
    ],
)
def test_always_true(constant):
    assert always_true(parse_condition(constant))
    assert not never_true(parse_condition(constant))


@pytest.mark.parametrize(
    "live", ["x = 1", "x = x", "x IN (1, NULL)", "x IS NULL", "b", "x BETWEEN 1 AND y", "'5' = 5"]
)
def test_neither(live):
    """`x = x` is NULL for a missing value; what '5' = 5 is, is left to Spark."""
    assert not never_true(parse_condition(live))
    assert not always_true(parse_condition(live))


# All rows of three columns ------------------------------------------------------------------------

_VALUES = (None, -1, 0, 1, 2)
_ROWS = list(product(_VALUES, repeat=3))
_NUMBERS = st.sampled_from(["a", "b", "c", "-1", "0", "1", "2", "NULL", "coalesce(a, 1)", "a + b"])


def _predicates() -> st.SearchStrategy[str]:
    return st.recursive(_tests(), _logic, max_leaves=6)


def _tests() -> st.SearchStrategy[str]:
    number = _NUMBERS
    operator = st.sampled_from(["=", "<>", "<", "<=", ">", ">=", "<=>"])
    no = st.sampled_from(["", "NOT "])
    return st.one_of(
        st.tuples(number, operator, number).map(" ".join),
        st.builds("{} IS {}NULL".format, number, no),
        st.builds("{} {}IN ({}, {})".format, number, no, number, number),
        st.builds("{} {}BETWEEN {} AND {}".format, number, no, number, number),
        st.sampled_from(["TRUE", "FALSE", "NULL", "CASE WHEN a > 0 THEN b > 0 END"]),
        st.just("CASE WHEN a > 0 THEN b > 0 ELSE c IS NULL END"),
    )


def _logic(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    asked = st.sampled_from(["TRUE", "FALSE", "NULL", "NOT TRUE", "NOT FALSE", "NOT NULL"])
    return st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("(NOT {})".format, inner.map("({})".format)),
        st.builds("(({}) IS {})".format, inner, asked),
    )


@cache
def _duckdb():
    import duckdb

    connection = duckdb.connect()
    connection.execute("CREATE TABLE t(i INT, a INT, b INT, c INT)")
    connection.executemany(
        "INSERT INTO t VALUES (?, ?, ?, ?)", [(i, *r) for i, r in enumerate(_ROWS)]
    )
    return connection


def _evaluated(*texts: str) -> list[tuple[bool | None, ...]]:
    written = [transpile(f"({text})", read="databricks", write="duckdb")[0] for text in texts]
    query = f"SELECT {', '.join(written)} FROM t ORDER BY i"
    return list(zip(*_duckdb().execute(query).fetchall(), strict=True))


@given(_predicates())
@settings(max_examples=400, deadline=None)
def test_equal_to_is_not_true_on_every_row(text):
    tree = parse_condition(text)
    results = _evaluated(
        text,
        *[
            checked_text(rewrite(tree), each=True)
            for rewrite in (is_not_true, is_not_false, is_true)
        ],
    )
    old, not_true, not_false, true = results
    assert list(not_true) == [v is not True for v in old]
    assert list(not_false) == [v is not False for v in old]
    assert list(true) == [v is True for v in old]


@given(_predicates())
@settings(max_examples=300, deadline=None)
def test_outcomes_leave_nothing_out(text):
    (found,) = _evaluated(text)
    tree = parse_condition(text)
    assert set(found) <= outcomes(tree)
    assert not (never_true(tree) and True in found)
    assert not (always_true(tree) and set(found) != {True})
    assert found[0] in outcomes(tree, missing=True)  # the first row is all NULL


@given(_predicates())
@settings(max_examples=300, deadline=None)
def test_tidying_changes_no_value(text):
    """Neither TRUE nor FALSE nor NULL."""
    before, after = _evaluated(text, to_sql(tidy(parse_condition(text))))
    assert before == after


def test_the_opposite_of_an_unknown_node_is_not():
    call = exp.Anonymous(this="startswith", expressions=[exp.column("x"), exp.Literal.string("a")])
    assert to_sql(is_not_true(call)) == "x IS NULL OR NOT startswith(x, 'a')"
