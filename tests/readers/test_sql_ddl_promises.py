"""A database refuses exactly what the rules of a definition find bad, and nothing raises."""

from __future__ import annotations

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_rows import Rows
from sql_shown import setting

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.ddl import facts_of, is_ddl, read_ddl, types_in
from ruleferry.converters.rule import NotARule, Unread

_BASE = duckdb.connect()
_BASE.execute("CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2)")
_TYPES = "a INTEGER, b INTEGER, c VARCHAR"
_COLUMNS = ("a INTEGER", "b INTEGER", "c VARCHAR")
_OF_COLUMN = {
    "a": ("NOT NULL", "CHECK (a > 0)", "UNIQUE", "REFERENCES p (id)", "DEFAULT 1"),
    "b": ("NOT NULL", "CONSTRAINT low CHECK (b BETWEEN 0 AND 3)", "DEFAULT NULL", "UNIQUE"),
    "c": ("NOT NULL", "CHECK (c IN ('x', 'y'))", "CHECK (length(c) < 2 OR c = 'xx')"),
}
_OF_TABLE = (
    "CHECK (a < b)", "UNIQUE (a, b)", "PRIMARY KEY (a, c)", "CONSTRAINT k CHECK (a + b <> 3)",
    "FOREIGN KEY (b) REFERENCES p (id)", "UNIQUE (c)",
)  # fmt: skip
_ROW = st.tuples(
    st.sampled_from([None, 0, 1, 2, 3]),
    st.sampled_from([None, 0, 1, 2, 5]),
    st.sampled_from([None, "x", "y", "xx", "zz"]),
)


@st.composite
def tables(draw):
    items = []
    for column in _COLUMNS:
        wanted = st.lists(st.sampled_from(_OF_COLUMN[column[0]]), max_size=2, unique=True)
        items.append(" ".join([column, *draw(wanted)]))
    items += draw(st.lists(st.sampled_from(_OF_TABLE), max_size=3, unique=True))
    return ",\n".join(items)


def is_refused(definition, rows):
    _BASE.execute(f"CREATE OR REPLACE TABLE t ({definition})")
    try:
        for row in rows:
            _BASE.execute("INSERT INTO t VALUES (?, ?, ?)", row)
    except duckdb.ConstraintException:
        return True
    finally:
        _BASE.execute("DROP TABLE t")
    return False


@settings(max_examples=150, deadline=None)
@given(tables(), st.lists(_ROW, min_size=1, max_size=3))
def test_a_database_refuses_what_the_rules_find_bad(definition, rows):
    founds = read_ddl(f"CREATE TABLE t ({definition})", 0, setting("duckdb"))
    checks = [found.checked for found in founds if not isinstance(found.checked.check, NotARule)]
    assert not [check for check in checks if isinstance(check.check, Unread)]
    known = Rows(_TYPES, rows, {"p": "SELECT * FROM (VALUES (1), (2)) AS v(id)"})
    bad = any(known.bad(check) for check in checks)
    assert bad == is_refused(definition, rows), definition


_WORDS = st.sampled_from([
    "CREATE", "TABLE", "t", "(", ")", ",", "a", "int", "NOT", "NULL", "PRIMARY", "KEY", "UNIQUE",
    "CHECK", "(a > 0)", "REFERENCES", "p", "(b)", "CONSTRAINT", "c", "FOREIGN", "ALTER", "ADD",
    "DROP", "MODIFY", "COLUMN", ";", "'x", "'x'", '"', "[", "]", "`", "DEFAULT", "GENERATED", "AS",
    "ENUM", "('x')", "INDEX", "ON", "WHERE", "WITH", "DOMAIN", "TYPE", "/*", "--", "$$", "{{", "}}",
    "${x}", "DISABLE", "\n", "GO", "/", "RENAME", "TO", "<", ">", "STRUCT", "EXCLUDE", "LIKE",
])  # fmt: skip
_DIALECTS = st.sampled_from(sorted(sql_dialects()))


@settings(max_examples=400, deadline=None)
@given(_DIALECTS, st.one_of(st.lists(_WORDS, max_size=30).map(" ".join), st.text(max_size=60)))
def test_no_text_raises(dialect, text):
    here = setting(dialect)
    is_ddl(text, here.dialect)
    types_in(text, here.dialect)
    facts_of(text, here.dialect)
    founds = read_ddl(f"CREATE TABLE {text}", 7, here)
    assert founds
    for found in founds:
        assert 7 <= found.start <= found.end <= 7 + len(text) + len("CREATE TABLE ")


@settings(max_examples=100, deadline=None)
@given(tables())
def test_every_item_has_a_rule_or_a_reason(definition):
    """A word in the middle that nobody knows makes a gap, and never half a rule."""
    strange = definition.replace("CHECK (a > 0)", "CHECK (a > 0) FROBNICATED")
    before = read_ddl(f"CREATE TABLE t ({definition})", 0, setting("duckdb"))
    after = read_ddl(f"CREATE TABLE t ({strange})", 0, setting("duckdb"))
    gaps = [found for found in after if isinstance(found.checked.check, Unread)]
    assert len(gaps) == strange.count("FROBNICATED")
    assert len(after) <= len(before)
    places = {(found.start, found.part) for found in after}
    assert len(places) == len(after)
