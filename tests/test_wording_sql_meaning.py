"""The words of a condition mean what the condition means: read back, they hold of the same rows."""

import re
from itertools import product

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spoken import readings

from ruleferry.converters.plain_words.conditions import _told, told

COLUMNS = {
    "x": (None, -1.0, 0.0, 1.0, 3.0),
    "y": (None, 0.0, 3.0),
    "s": (None, "", "  ", "F", "f", "ab", "A b", "3", "-1.5"),
    "t": (None, "F", "2"),
}
ROWS = [dict(zip(COLUMNS, values, strict=True)) for values in product(*COLUMNS.values())]

NUMBERS = st.sampled_from(["-1", "0", "1", "3", "2.5"])
TEXTS = st.sampled_from(["'F'", "'f'", "'ab'", "'A b'", "''", "'3'", "'missing'", "'x, y'"])
ORDERS = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
OF_NUMBER = st.sampled_from([
    "x", "y", "x + y", "abs(x)", "coalesce(x, 0)", "length(s)", "try_cast(s AS DOUBLE)", "x - 1",
    "try_cast(t AS DOUBLE)", "length(trim(s))", "x * y", "try_cast(CAST(s AS STRING) AS DOUBLE)",
])  # fmt: skip
OF_TEXT = st.sampled_from(
    ["s", "t", "lower(s)", "upper(t)", "trim(s)", "CAST(s AS STRING)", "coalesce(s, '')"]
)
ASKED = ["x", "y", "s", "t", "try_cast(s AS DOUBLE)", "try_cast(t AS DOUBLE)", "nullif(s, '')"]
BARE_TEXT = st.sampled_from(["s", "t"])
ANY = st.sampled_from(["", "%"])
PATTERNS = st.sampled_from(["^[A-F]", "b$", "A (b)"])
PARTS = st.sampled_from(["F", "b", "A b", "3"])


def written(form: str, *parts) -> st.SearchStrategy[str]:
    return st.builds(lambda *found: form.format(*found), *parts)


NOT = st.sampled_from(["", "NOT "])
ATOMS = st.one_of(
    written("{} {} {}", OF_NUMBER, ORDERS, st.one_of(NUMBERS, OF_NUMBER)),
    written("{} {} {}", OF_TEXT, ORDERS, st.one_of(TEXTS, OF_TEXT)),
    written("{} {} {}", NUMBERS, ORDERS, OF_NUMBER),
    written("{} {}IN ({}, {})", OF_NUMBER, NOT, NUMBERS, NUMBERS),
    written("{} {}IN ({}, {}, {})", OF_TEXT, NOT, TEXTS, TEXTS, TEXTS),
    written("{} {}IN ({})", OF_TEXT, NOT, TEXTS),
    written("{} {}BETWEEN {} AND {}", OF_NUMBER, NOT, NUMBERS, st.one_of(NUMBERS, OF_NUMBER)),
    written("{} {}LIKE '{}{}{}'", BARE_TEXT, NOT, ANY, PARTS, ANY),
    written("{} {}RLIKE '{}'", BARE_TEXT, NOT, PATTERNS),
    written("{} IS {}NULL", st.sampled_from(ASKED), NOT),
)  # fmt: skip
CONDITIONS = st.recursive(
    ATOMS,
    lambda parts: st.one_of(
        written("({}) {} ({})", parts, st.sampled_from(["AND", "OR"]), parts),
        written("({}) {} ({}) {} ({})", parts, *[x for _ in "ab" for x in (st.just("OR"), parts)]),
        written("NOT ({})", parts),
        written("coalesce({}, FALSE)", parts),
        written("({}) IS {}", parts, st.sampled_from(["TRUE", "FALSE", "NOT TRUE"])),
        written("{} IS NULL OR ({})", st.sampled_from(ASKED), parts),
        written("{} IS NULL OR {} IS NULL OR ({})", *[st.sampled_from(ASKED)] * 2, parts),
        written("CASE WHEN {} THEN {} ELSE TRUE END", parts, parts),
    ),
    max_leaves=4,
)  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE rows (i INT, x DOUBLE, y DOUBLE, s TEXT, t TEXT)")
    connection.executemany(
        "INSERT INTO rows VALUES (?, ?, ?, ?, ?)",
        [(i, *row.values()) for i, row in enumerate(ROWS)],
    )
    return connection


def good_rows(connection, condition: str) -> set[int]:
    """DuckDB has another word for RLIKE."""
    sql = re.sub(r"\b([st]) (NOT )?RLIKE ('[^']*')", r"\2regexp_matches(\1, \3)", condition)
    return {i for (i,) in connection.execute(f"SELECT i FROM rows WHERE {sql}").fetchall()}


def check(connection, condition: str) -> bool:
    found = told(condition)
    if found is None:
        return False
    good = good_rows(connection, condition)
    read = readings(found.words)
    assert read, f"can't be read back: {found.words}"
    for holds in read:
        said = {i for i, row in enumerate(ROWS) if holds(row, found.passes)}
        wrong = sorted(good ^ said)[:3]
        assert not wrong, (condition, found, [(ROWS[i], i in good) for i in wrong])
    return True


@given(condition=CONDITIONS)
@settings(deadline=None, max_examples=300)
def test_the_words_hold_where_the_condition_does(rows, condition):
    check(rows, condition)


@given(condition=CONDITIONS)
@settings(deadline=None, max_examples=200)
def test_what_is_said_of_a_shape_is_said_of_the_condition(condition):
    at_once, found = _told(condition), told(condition)
    assert at_once == found or (at_once is None) != (found is None)
