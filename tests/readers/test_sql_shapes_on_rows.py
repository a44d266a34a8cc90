"""The records that a query returns are those that its check calls bad: on rows, in DuckDB."""

from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sql_shapes import checked, found_in

from ruleferry.converters.dialects.tree import text_of
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import Exists, LookedUp, Measured, Reconciled, Row, Unique

DUCKDB = sql_dialects()["duckdb"]
VALUES = ("NULL", "0", "1", "2")


@pytest.fixture(scope="module")
def database():
    import duckdb

    found = duckdb.connect()
    found.execute("CREATE TABLE t (id INT, a INT, b INT, k INT)")
    found.execute("CREATE TABLE u (k INT, v INT)")
    found.execute("CREATE TABLE w (k INT, v INT)")
    combinations = list(product(VALUES, VALUES, VALUES))
    rows = [f"({place}, {', '.join(row)})" for place, row in enumerate(combinations)]
    found.execute(f"INSERT INTO t VALUES {', '.join(rows)}")
    found.execute("INSERT INTO u VALUES (0, 1), (0, NULL), (1, 2), (NULL, 1), (1, 0)")
    found.execute("INSERT INTO w VALUES (1, 1), (2, 0), (2, 2), (2, 2)")
    return found


# Random queries -----------------------------------------------------------------------------------

COLUMNS = st.sampled_from(["a", "b", "k"])
OPERATORS = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])


def conditions(prefix: str = "", columns=COLUMNS):
    column = columns.map(lambda name: prefix + name)
    number = st.sampled_from(["0", "1", "2"])
    atoms = st.one_of(
        st.tuples(column, OPERATORS, number | column).map(" ".join),
        column.map(lambda c: f"{c} IS NULL"),
        column.map(lambda c: f"{c} IS NOT NULL"),
        column.map(lambda c: f"{c} NOT IN (0, 1)"),
        column.map(lambda c: f"NOT {c} BETWEEN 1 AND 2"),
        column.map(lambda c: f"CASE WHEN {c} = 1 THEN 0 ELSE {c} END = 0"),
        column.map(lambda c: f"COALESCE({c}, 1) > 1"),
    )
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(
                lambda part: f"({' '.join(part)})"
            ),
            inner.map(lambda part: f"NOT ({part})"),
        ),
        max_leaves=4,
    )


OTHER = st.sampled_from(["u", "w"])
THEIRS = conditions("o.", st.sampled_from(["k", "v"]))


@st.composite
def queries(draw) -> str:
    """Every shape whose check is one of a record."""
    ours, where = draw(conditions("t.")), draw(conditions())
    other, theirs = draw(OTHER), draw(THEIRS)
    key, value = draw(COLUMNS), draw(st.sampled_from(["<", ">", "<>", "<=", ">="]))
    return draw(st.sampled_from([
        f"SELECT id FROM t WHERE {where}",
        f"SELECT DISTINCT id FROM t WHERE {where} ORDER BY id",
        f"SELECT q.id FROM (SELECT * FROM t WHERE {where}) q WHERE q.a = 1",
        f"SELECT id FROM (SELECT id, a + 1 AS b, a AS k, b AS a FROM t) q WHERE {where}",
        f"WITH c AS (SELECT * FROM t WHERE {where}), d AS (SELECT id, k AS a, a AS k, b FROM c) "
        f"SELECT id FROM d WHERE {where}",
        f"SELECT t.id FROM t LEFT JOIN {other} o ON o.k = t.{key} WHERE {ours}",
        f"SELECT t.id FROM t LEFT JOIN {other} o ON o.k = t.{key} WHERE o.k IS NULL",
        f"SELECT t.id FROM t LEFT JOIN {other} o ON o.k = t.{key} AND {theirs} "
        f"WHERE o.k IS NULL AND {ours}",
        f"SELECT t.id FROM {other} o RIGHT JOIN t ON o.k = t.{key} WHERE o.k IS NULL AND {ours}",
        f"SELECT t.id FROM t LEFT JOIN {other} o ON o.k = t.{key} WHERE o.v IS NULL OR {ours}",
        f"SELECT t.id FROM t LEFT JOIN {other} o ON o.k = t.{key} WHERE o.v {value} t.a",
        f"SELECT t.id FROM t JOIN {other} o ON o.k = t.{key} WHERE {ours}",
        f"SELECT t.id FROM t JOIN {other} o ON o.k = t.{key} AND {theirs} WHERE t.a {value} o.v",
        f"SELECT t.id FROM {other} o, t WHERE o.k = t.{key} AND o.v {value} t.a AND {ours}",
        f"SELECT t.id FROM t WHERE {ours} AND NOT EXISTS "
        f"(SELECT 1 FROM {other} o WHERE o.k = t.{key} AND {theirs})",
        f"SELECT t.id FROM t WHERE EXISTS (SELECT o.v FROM {other} o WHERE o.k = t.{key})",
        f"SELECT t.id FROM t WHERE EXISTS (SELECT MAX(o.v) FROM {other} o WHERE o.k = t.{key})",
        f"SELECT id FROM t WHERE {key} NOT IN (SELECT k FROM w)",
        f"SELECT id FROM t WHERE {key} NOT IN (SELECT o.k FROM {other} o WHERE o.k IS NOT NULL "
        f"AND {theirs}) AND {where}",
        f"SELECT id FROM t WHERE {key} IN (SELECT k FROM {other}) AND {where}",
        f"SELECT t.id FROM t SEMI JOIN {other} o ON o.k = t.{key} WHERE {ours}",
        f"SELECT t.id FROM t ANTI JOIN {other} o ON o.k = t.{key} AND {theirs}",
        f"SELECT id FROM t WHERE a > (SELECT MIN(v) FROM {other} o WHERE {theirs})",
        "SELECT x.id FROM t x JOIN t y ON x.k = y.k AND x.id <> y.id WHERE x.a < y.b",
        f"SELECT id FROM (SELECT id, a, LAG(a) OVER (PARTITION BY k ORDER BY id) AS p FROM t) q "
        f"WHERE a < p AND {key.replace('b', 'a').replace('k', 'a')} > 0",
    ]))  # fmt: skip


@given(text=queries())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_rows_of_a_query_are_the_bad_ones(database, text):
    found = checked("duckdb", text)
    kept = {row[0] for row in database.execute(text).fetchall()}
    assert bad_ids(database, found) == kept


def bad_ids(database, found) -> set[int]:
    query = f"SELECT id FROM t WHERE ({_scope(found)}) IS TRUE AND ({_bad(found)})"
    check = found.check
    if isinstance(check, Row) and check.predicate.whole_query:
        text = text_of(check.predicate.tree, DUCKDB)
        query = f"SELECT id FROM ({text.replace('ruleferry_batch', 't')}) q"
    return {row[0] for row in database.execute(query).fetchall()}


def _scope(found) -> str:
    return _text(found.scope) if found.scope is not None else "TRUE"


def _text(predicate: SqlText, alias: str = "") -> str:
    tree = predicate.tree.copy()
    for column in tree.find_all(_column()) if alias else ():
        column.set("table", alias)
    return text_of(tree, DUCKDB)


def _column():
    from sqlglot import exp

    return exp.Column


def _bad(found) -> str:
    match found.check:
        case Row(predicate):
            return f"({_text(predicate)}) IS {'' if predicate.bad else 'NOT '}TRUE"
        case Exists(lookup) as check:
            missing = " OR ".join(f"t.{ours} IS NULL" for ours, _ in lookup.keys)
            there = f"EXISTS (SELECT 1 FROM {lookup.table} l WHERE {_held(lookup)})"
            if check.negated:
                return there
            if check.missing == "bad":
                return f"NOT {there}"
            anything = f"SELECT 1 FROM {lookup.table} l WHERE {_listed(lookup)}"
            return f"NOT {there} AND (NOT ({missing}) OR NOT EXISTS ({anything}))"
        case LookedUp(lookup, comparisons):
            held = [f"t.{c.left} {c.operator} l.{c.right}" for c in comparisons]
            there = " AND ".join([_held(lookup), *held])
            return f"EXISTS (SELECT 1 FROM {lookup.table} l WHERE {there})"
    raise AssertionError(found)


def _listed(lookup) -> str:
    """In an empty list nothing is found, not even a missing key."""
    return _text(lookup.scope, "l") if lookup.scope is not None else "TRUE"


def _held(lookup) -> str:
    keys = [f"l.{theirs} = t.{ours}" for ours, theirs in lookup.keys]
    scope = [f"({_text(lookup.scope, 'l')})"] if lookup.scope is not None else []
    return " AND ".join(keys + scope)


# Counts and statuses ------------------------------------------------------------------------------


@st.composite
def statements(draw) -> tuple[str, str]:
    """A statement of one rule, and the query of the records that it finds bad."""
    where, what = draw(conditions()), draw(conditions())
    bad = f"SELECT id FROM t WHERE ({where}) AND ({what}) IS TRUE"
    not_good = f"SELECT id FROM t WHERE ({where}) AND ({what}) IS NOT TRUE"
    return draw(st.sampled_from([
        (f"SELECT COUNT(*) AS bad FROM t WHERE {where}", f"SELECT id FROM t WHERE {where}"),
        (f"SELECT CASE WHEN COUNT(*) = 0 THEN 'PASS' ELSE 'FAIL' END FROM t WHERE {where}",
         f"SELECT id FROM t WHERE {where}"),
        (f"SELECT SUM(CASE WHEN {what} THEN 1 ELSE 0 END) AS bad FROM t WHERE {where}", bad),
        (f"SELECT SUM(CASE WHEN {what} THEN 0 ELSE 1 END) AS bad FROM t WHERE {where}", not_good),
        (f"SELECT COUNT(CASE WHEN {what} THEN 1 END) AS bad FROM t WHERE {where}", bad),
        (f"SELECT COUNT(*) FILTER (WHERE {what}) AS bad FROM t WHERE {where}", bad),
        (f"SELECT CASE WHEN COUNT(*) = SUM(CASE WHEN {what} THEN 1 ELSE 0 END) THEN 'OK' "
         f"ELSE 'KO' END FROM t WHERE {where}", not_good),
        (f"SELECT COUNT(*) - COUNT(a) AS missing FROM t WHERE {where}",
         f"SELECT id FROM t WHERE ({where}) AND a IS NULL"),
        (f"SELECT id, CASE WHEN {what} THEN 'OK' ELSE 'bad' END AS status FROM t WHERE {where}",
         not_good),
        (f"SELECT id, CASE WHEN a IS NULL THEN 'OK' WHEN {what} THEN 'wrong' END AS status FROM t",
         f"SELECT id FROM t WHERE a IS NOT NULL AND ({what}) IS TRUE"),
        (f"SELECT id, CASE WHEN {where} THEN 'OK' WHEN {what} THEN 'wrong' END AS status FROM t",
         f"SELECT id FROM t WHERE ({where}) IS NOT TRUE AND ({what}) IS TRUE"),
        (f"SELECT CASE WHEN (SELECT COUNT(*) FROM t WHERE {where}) > 0 THEN 'FAIL' ELSE 'OK' END",
         f"SELECT id FROM t WHERE {where}"),
        (f"WITH c AS (SELECT SUM(CASE WHEN {what} THEN 1 ELSE 0 END) AS n FROM t WHERE {where}) "
         f"SELECT CASE WHEN (SELECT n FROM c) = 0 THEN 'OK' ELSE 'KO' END", bad),
        (f"WITH c AS (SELECT COUNT(*) AS n FROM t WHERE {where}) "
         f"SELECT CASE WHEN n = 0 THEN 'OK' ELSE 'KO' END FROM c",
         f"SELECT id FROM t WHERE {where}"),
    ]))  # fmt: skip


@given(pair=statements())
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_statements_find_the_same_records(database, pair):
    statement, bad = pair
    (found,) = found_in("duckdb", statement)
    kept = {row[0] for row in database.execute(bad).fetchall()}
    assert bad_ids(database, found.checked) == kept


# Keys, tables, figures ----------------------------------------------------------------------------

KEYS = st.lists(COLUMNS, min_size=1, max_size=3, unique=True)


@given(keys=KEYS, where=conditions(), data=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
def test_keys_that_repeat(database, keys, where, data):
    listed = ", ".join(keys)
    text = data.draw(st.sampled_from([
        f"SELECT {listed} FROM t WHERE {where} GROUP BY {listed} HAVING COUNT(*) > 1",
        f"SELECT {listed} FROM t WHERE {where} AND {keys[0]} IS NOT NULL GROUP BY {listed} "
        f"HAVING 2 <= COUNT(*)",
        f"SELECT {listed} FROM (SELECT {listed}, ROW_NUMBER() OVER (PARTITION BY {listed} "
        f"ORDER BY id) AS rn FROM t WHERE {where}) q WHERE rn > 1",
        f"SELECT {listed} FROM t WHERE {where} QUALIFY COUNT(*) OVER (PARTITION BY {listed}) > 1",
        f"SELECT {listed} FROM (SELECT {listed}, COUNT(*) AS n FROM t WHERE {where} "
        f"GROUP BY {listed}) q WHERE n <> 1",
    ]))  # fmt: skip
    found = checked("duckdb", text)
    assert isinstance(found.check, Unique)
    present = " AND ".join(f"{key} IS NOT NULL" for key in found.check.columns)
    ignored = present if found.check.ignore == "any_missing" else "TRUE"
    columns = ", ".join(found.check.columns)
    again = (
        f"SELECT {columns} FROM t WHERE ({_scope(found)}) AND {ignored} "
        f"GROUP BY {columns} HAVING COUNT(*) > 1"
    )
    assert set(database.execute(again).fetchall()) == set(database.execute(text).fetchall())


@given(where=conditions(), other=conditions(columns=st.sampled_from(["k", "v"])))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_stands_in_one_table_alone(database, where, other):
    text = f"SELECT k, a FROM t WHERE {where} EXCEPT SELECT k, v FROM u WHERE {other}"
    found = checked("duckdb", text)
    assert isinstance(found.check, Reconciled)
    assert (found.check.missing, found.check.extra) == (False, True)
    lookup = found.check.other
    ours, theirs = zip(*lookup.keys, strict=True)
    again = (
        f"SELECT {', '.join(ours)} FROM t WHERE {_scope(found)} EXCEPT "
        f"SELECT {', '.join(theirs)} FROM u WHERE {_text(lookup.scope)}"
    )
    assert set(database.execute(again).fetchall()) == set(database.execute(text).fetchall())


@given(where=conditions(), what=conditions(), limit=st.integers(0, 100))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_shares(database, where, what, limit):
    figure = f"100.0 * SUM(CASE WHEN {what} THEN 1 ELSE 0 END) / COUNT(*)"
    text = (
        f"SELECT CASE WHEN n > {limit} THEN 'FAIL' ELSE 'OK' END FROM "
        f"(SELECT {figure} AS n FROM t WHERE {where}) q"
    )
    (found,) = found_in("duckdb", text)
    check = found.checked.check
    assert isinstance(check, Measured)
    word = "IS TRUE" if check.predicate.bad else "IS NOT TRUE"
    again = f"SELECT ({_text(check.predicate)}) {word} FROM t WHERE {_scope(found.checked)}"
    (bad,) = database.execute(again).fetchone()
    (status,) = database.execute(text).fetchone()
    assert bad == (status == "FAIL")
