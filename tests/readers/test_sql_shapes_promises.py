"""Whatever a statement is put together from: an answer, never an error, and never half a rule."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sql_shape_cases import CONDITIONS, QUERIES
from sql_shapes import parsed
from sql_statement_cases import STATEMENTS
from sqlglot import exp

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.shapes import bad_rows, of_condition, read_query
from ruleferry.converters.rule import Measured, Row, Unread

TEXTS = [(dialect, text) for dialect, text, _ in (*QUERIES, *STATEMENTS)]


@pytest.fixture(scope="module")
def trees():
    found = [parsed(dialect, text) for dialect, text in TEXTS]
    macros = {key: macro for _, setting in found for key, macro in setting.macros.items()}
    return [
        (tree, replace(setting, macros=macros))
        for tree, setting in found
        if isinstance(tree, exp.Query)
    ]


# What may stand in another's place.
KINDS = (exp.Condition, exp.Query, exp.Table, exp.Identifier)


def _places(tree):
    return [
        node for node in tree.walk()
        if isinstance(node, KINDS) and node.parent is not None and node.arg_key != "ifs"
    ]  # fmt: skip


def _kind(node):
    return next(kind for kind in (*KINDS[1:], exp.Condition) if isinstance(node, kind))


@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_mixed_trees_are_answered(trees, data):
    """Parts of other statements in the place of its own."""
    tree, setting = data.draw(st.sampled_from(trees))
    mixed = tree.copy()
    for _ in range(data.draw(st.integers(1, 4))):
        places = _places(mixed)
        place = data.draw(st.sampled_from(places))
        other, _ = data.draw(st.sampled_from(trees))
        parts = [node for node in _places(other) if _kind(node) is _kind(place)]
        if parts:
            place.replace(data.draw(st.sampled_from(parts)).copy())
    _answered(mixed, setting)


@given(data=st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_added_clauses_are_answered(trees, data):
    """Clauses of other statements beside its own."""
    tree, setting = data.draw(st.sampled_from(trees))
    mixed = tree.copy()
    other, _ = data.draw(st.sampled_from(trees))
    selects = list(mixed.find_all(exp.Select))
    target = data.draw(st.sampled_from(selects))
    given = data.draw(st.sampled_from(list(other.find_all(exp.Select)))).copy()
    for key, value in given.args.items():
        if value and key != "expressions" and data.draw(st.booleans()):
            target.set(key, value)
    _answered(mixed, setting)


def _answered(tree, setting) -> None:
    found = read_query(tree, 0, 1000, setting)
    assert found
    assert len({one.part for one in found}) == len(found)
    for checked in (*(one.checked for one in found), bad_rows(tree, setting),
                    bad_rows(tree, setting, bad=False)):  # fmt: skip
        check = checked.check
        if isinstance(check, Row | Measured):
            assert check.predicate.text
            assert "ruleferry_p_" not in check.predicate.text
            assert checked.table
        if isinstance(check, Unread):
            assert "ruleferry_" not in check.reason


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_conditions_are_answered(trees, data):
    tree, setting = data.draw(st.sampled_from(trees))
    conditions = [node for node in tree.walk() if isinstance(node, exp.Condition)]
    node = data.draw(st.sampled_from([*conditions, exp.column("x")])).copy()
    for bad in (True, False):
        assert of_condition(node, setting, "t", bad=bad).check is not None


# Clauses that change which records a query returns: each makes a gap or a query as it is.
STRANGE = [
    ("postgres", "SELECT x FROM t TABLESAMPLE SYSTEM (10) WHERE x < 0"),
    ("postgres", "SELECT x FROM ONLY t WHERE x < 0 OFFSET 1"),
    ("snowflake", "SELECT x FROM t AT (OFFSET => -60) WHERE x < 0"),
    ("snowflake", "SELECT x FROM t SAMPLE (10) WHERE x < 0"),
    ("tsql", "SELECT x FROM t FOR SYSTEM_TIME ALL WHERE x < 0"),
    ("tsql", "SELECT x FROM t CROSS APPLY (SELECT TOP 1 y FROM u) z WHERE x < 0"),
    ("tsql", "SELECT TOP 0 x FROM t WHERE x < 0"),
    ("hive", "SELECT x FROM t LATERAL VIEW explode(a) z AS q WHERE q < 0"),
    ("oracle", "SELECT x FROM t PARTITION (p) WHERE x < 0"),
    ("oracle", "SELECT x FROM t START WITH a = 1 CONNECT BY PRIOR a = b"),
    ("postgres", "SELECT x FROM t NATURAL JOIN u WHERE x < 0"),
    ("postgres", "SELECT x FROM t AS a (b, c) WHERE b < 0"),
    ("mysql", "SELECT x FROM t WHERE x < 0 LIMIT 5, 10"),
    ("teradata", "SELECT x FROM t WHERE x < 0 SAMPLE 5"),
    ("bigquery", "SELECT x FROM t, UNNEST(a) AS q WHERE q < 0"),
    ("snowflake", "SELECT * FROM t PIVOT (SUM(x) FOR m IN ('a')) WHERE y < 0"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text"), STRANGE)
def test_what_changes_the_records_is_not_left_out(dialect, text):
    tree, setting = parsed(dialect, text)
    check = bad_rows(tree, setting).check
    assert isinstance(check, Unread) or (isinstance(check, Row) and check.predicate.whole_query)


@pytest.mark.parametrize("dialect", sql_dialects())
def test_every_dialect_reads_the_same_shapes(dialect):
    tree, setting = parsed(dialect, "SELECT a.x FROM s.t a WHERE a.x < 0 AND a.y IS NULL")
    found = bad_rows(tree, setting)
    assert found.table == "s.t"
    assert found.check.predicate.text == found.check.predicate.tree.sql(
        sql_dialects()[dialect].parser
    )


def test_deep_statements_are_answered():
    setting = Setting(sql_dialects()["postgres"])
    tree = exp.column("x")
    for _ in range(3000):
        tree = exp.Paren(this=exp.Not(this=tree))
    select = exp.select("x").from_("t")
    select.set("where", exp.Where(this=tree))
    for checked in (bad_rows(select, setting), of_condition(tree, setting, "t", bad=True),
                    read_query(select, 0, 10, setting)[0].checked):  # fmt: skip
        assert isinstance(checked.check, Row | Unread)


def test_conditions_of_the_table_are_told_without_a_query():
    assert all(expected for _, _, expected in CONDITIONS)
