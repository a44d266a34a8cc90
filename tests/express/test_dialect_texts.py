"""Texts: the condition on the texts as they are, and the predicate on what the database sees.

Where '' is missing, the database sees NULL for it; where case and blanks at the end are ignored, it
sees the text without them. DuckDB compares exactly, so that it can be asked both.
"""

import itertools
import re

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.dialects.parse import parse_expression
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.good import Use
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.spark_text import sql_condition
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.predicates import SqlSettings, SqlText

TEXTS = [None, "", " ", "a", "A", "a ", "B", "b ", "ab"]
LITERALS = st.sampled_from(["''", "'a'", "'A '", "'b'", "'ab'", "' '"])
COLUMNS = st.sampled_from(["s", "t"])
SIDES = st.one_of(COLUMNS, LITERALS)
PATTERNS = st.sampled_from(["'a%'", "'%'", "'%B%'", "'_'", "'a_'"])
TESTS = st.one_of(
    st.builds("{} {} {}".format, COLUMNS, st.sampled_from(["=", "<>", "<", ">="]), SIDES),
    st.builds("{} {} ({}, {})".format, COLUMNS, st.sampled_from(["IN", "NOT IN"]), SIDES, SIDES),
    st.builds("{} LIKE {}".format, COLUMNS, PATTERNS),
    st.builds("{} IS NULL".format, COLUMNS),
    st.builds("COALESCE({}, {}) = {}".format, COLUMNS, LITERALS, LITERALS),
    st.builds("CASE WHEN {} = {} THEN {} ELSE {} END = {}".format,
              COLUMNS, LITERALS, SIDES, SIDES, LITERALS),
    st.builds("{} BETWEEN {} AND {}".format, COLUMNS, SIDES, SIDES),
)  # fmt: skip
PREDICATES = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        st.builds("({}) AND ({})".format, inner, inner),
        st.builds("({}) OR ({})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
        st.builds("({}) IS NOT TRUE".format, inner),
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def rows():
    base = duckdb.connect()
    base.execute("CREATE TABLE raw (i INT, s VARCHAR, t VARCHAR)")
    pairs = enumerate(itertools.product(TEXTS, TEXTS))
    base.executemany("INSERT INTO raw VALUES (?, ?, ?)", [(i, s, t) for i, (s, t) in pairs])
    base.execute("CREATE VIEW oracle AS SELECT i, nullif(s, '') AS s, nullif(t, '') AS t FROM raw")
    base.execute("CREATE VIEW teradata AS SELECT i, rtrim(lower(s), ' ') AS s, "
                 "rtrim(lower(t), ' ') AS t FROM raw")  # fmt: skip
    base.execute(
        "CREATE VIEW redshift AS SELECT i, rtrim(s, ' ') AS s, rtrim(t, ' ') AS t FROM raw"
    )
    return base


def seen(dialect, text):
    """The predicate as the database sees its literals."""
    if dialect == "oracle":
        return text.replace("''", "CAST(NULL AS VARCHAR)")
    fold = (lambda v: v.lower()) if dialect == "teradata" else (lambda v: v)
    return re.sub("'([^']*)'", lambda found: f"'{fold(found[1]).rstrip(' ')}'", text)


def found_by(base, table, condition):
    return {row[0] for row in base.execute(f"SELECT i FROM {table} WHERE {condition}").fetchall()}


def condition_of(predicate, use):
    """The condition, or the code of the gap."""
    try:
        return sql_condition(predicate, use)
    except CannotExpress as cannot:
        return cannot.gap.code


# Blanks count in LIKE, and DuckDB is asked on texts without them.
WITHOUT_LIKE = re.compile(r"LIKE")


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(["oracle", "teradata", "redshift"]), PREDICATES, st.booleans())
def test_a_condition_finds_good_what_the_database_does_not_find_bad(rows, dialect, text, bad):
    if dialect != "oracle" and WITHOUT_LIKE.search(text):
        return
    tree = parse_expression(text, sql_dialects()[dialect])
    types = Types({"s": parse_type("string"), "t": parse_type("string")})
    predicate = SqlText(text, dialect, bad, settings=SqlSettings(collation="ci" if dialect ==
                        "teradata" else "cs"), tree=tree)  # fmt: skip
    asked = found_by(rows, dialect, f"({seen(dialect, text)}) IS TRUE")
    wanted = set(range(len(TEXTS) ** 2)) - asked if bad else asked
    everything = set(range(len(TEXTS) ** 2))
    good = condition_of(predicate, Use(dialect, types, dialect))
    if isinstance(good, str):
        assert (good, wanted) in (("never_passes", set()), ("never_fails", everything))
        return
    condition = to_sql(good.tree).replace("rtrim(", "ruleferry_rtrim(")
    rows.execute("CREATE OR REPLACE MACRO ruleferry_rtrim(x) AS rtrim(x, ' ')")
    assert found_by(rows, "raw", condition) == wanted, condition
    assert found_by(rows, "raw", f"({condition}) IS NULL") == set()
