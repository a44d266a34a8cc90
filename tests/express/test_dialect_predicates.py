"""What predicates of the dialects become, and which are refused; nothing else is ever raised."""

from contextlib import suppress

import pytest
from dialect_cases import Case, made
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.dialects.parse import Unreadable, parse_expression
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.dialects import in_spark
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_text import spark_tree
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.predicates import SqlSettings, SqlText

TYPES = {
    name: parse_type(text)
    for name, text in {
        "s": "string", "t": "string", "n": "int", "m": "int", "d": "date", "ts": "timestamp",
        "b": "boolean", "x": "decimal(10,2)", "f": "double",
    }.items()
}  # fmt: skip


def spark_of(dialect, text, types=TYPES, **setup):
    return made(Case(dialect, text, "", True, SqlSettings(**setup)), types)


CONVERTS = [
    # Texts by the collation.
    ("tsql", "s IN ('Open', 'closed ')", {}, "rtrim(lower(s)) IN ('open', 'closed')"),
    ("tsql", "s = '12'", {}, "rtrim(s) = '12'"),
    ("tsql", "s = 'Ab'", {"collation": "cs"}, "rtrim(s) = 'Ab'"),
    ("tsql", "s = 'Ab'", {"collation": "Latin1_General_CI_AS"}, "rtrim(lower(s)) = 'ab'"),
    ("tsql", "s COLLATE Latin1_General_BIN2 = 'Ab'", {}, "rtrim(s) = 'Ab'"),
    ("mysql", "s = 'Ab'", {}, "lower(s) = 'ab'"),
    ("mysql", "s = 'Ab'", {"collation": "utf8mb4_bin"}, "rtrim(s) = 'Ab'"),
    ("mysql", "s = 'Ab'", {"collation": "utf8mb4_0900_as_cs"}, "s = 'Ab'"),
    ("teradata", "s = 'Ab'", {}, "rtrim(lower(s)) = 'ab'"),
    ("teradata", "s (CASESPECIFIC) = 'Ab'", {}, "rtrim(s) = 'Ab'"),
    ("redshift", "s = 'Ab '", {}, "rtrim(s) = 'Ab'"),
    ("postgres", "s = 'Ab '", {}, "s = 'Ab '"),
    ("tsql", "n = '5'", {}, "n = 5"),
    ("tsql", "s = t", {}, "rtrim(lower(s)) = rtrim(lower(t))"),
    ("tsql", "n = m AND x > 0.5", {}, "n = m AND x > 0.5"),
    ("tsql", "CASE s WHEN 'A' THEN 1 ELSE 0 END = 1", {},
     "CASE WHEN rtrim(lower(s)) = 'a' THEN 1 ELSE 0 END = 1"),
    # '' is missing.
    ("oracle", "s IS NULL", {}, "nullif(s, '') IS NULL"),
    ("oracle", "s = 'A'", {}, "s = 'A'"),
    ("oracle", "NOT s = 'A'", {}, "NOT (nullif(s, '') = 'A')"),
    ("oracle", "s <> 'A'", {}, "nullif(s, '') <> 'A'"),
    ("oracle", "s || t = 'A'", {}, "coalesce(s, '') || coalesce(t, '') = 'A'"),
    ("oracle", "n IS NULL", {}, "n IS NULL"),
    # LIKE.
    ("tsql", "s LIKE '%[^0-9]%'", {}, "s RLIKE '[^0-9]'"),
    ("tsql", "s LIKE 'a[_]b%'", {"collation": "cs"}, "s LIKE 'a!_b%' ESCAPE '!'"),
    ("postgres", "s NOT LIKE 'a\\_%'", {}, "s NOT LIKE 'a!_%' ESCAPE '!'"),
    ("oracle", "s LIKE 'a!%%' ESCAPE '!'", {}, "s LIKE 'a!%%' ESCAPE '!'"),
    ("snowflake", "s LIKE ALL ('a%', '%b')", {}, "s LIKE 'a%' AND s LIKE '%b'"),
    ("netezza", "s !~~ 'a%'", {}, "s NOT LIKE 'a%'"),
    ("postgres", "s SIMILAR TO '[A-Z]{2}-%'", {}, "s RLIKE '(?s)^(?:[A-Z]{2}-.*)\\\\z'"),
    # Days.
    ("tsql", "d >= '20240305'", {}, "d >= DATE'2024-03-05'"),
    ("oracle", "d > '05-MAR-2024'", {"date_format": "DD-MON-YYYY"}, "d > DATE'2024-03-05'"),
    ("oracle", "d - 30 > DATE '2024-03-05'", {}, "d - 30 > DATE'2024-03-05'"),
    ("oracle", "ts < SYSDATE - 1/24", {}, "ts < current_timestamp() - INTERVAL '1' HOUR"),
    ("db2", "d < CURRENT DATE - 30 DAYS", {}, "d < current_date() - INTERVAL '30' DAY"),
    ("teradata", "d < DATE - 1", {}, "d < current_date() - 1"),
    ("teradata", "d > 1240305", {}, "d > DATE'2024-03-05'"),
    ("postgres", "ts > '2024-03-05 10:00:00'", {}, "ts > TIMESTAMP'2024-03-05 10:00:00'"),
    ("mysql", "d = '0000-00-00'", {}, "d IS NULL"),
    # Numbers and truth values.
    ("tsql", "n / 2 = 3", {}, "n DIV 2 = 3"),
    ("tsql", "x / 2 = 3", {}, "x / 2 = 3"),
    ("oracle", "n / 2 = 3", {}, "n / 2 = 3"),
    ("hive", "n % m = 1", {}, "try_mod(n, m) = 1"),
    ("tsql", "b = 1", {}, "b"),
    ("tsql", "b <> 1", {}, "NOT b"),
    ("mysql", "NOT n", {}, "NOT (n <> 0)"),
    ("mysql", "n && b", {}, "n <> 0 AND b"),
    ("postgres", "b = 't'", {}, "b"),
    # Lists and rows.
    ("postgres", "s = ANY(ARRAY['a', 'b'])", {}, "s IN ('a', 'b')"),
    ("postgres", "s <> ALL(ARRAY['a', 'b'])", {}, "s NOT IN ('a', 'b')"),
    ("bigquery", "s IN UNNEST(['a', 'b'])", {}, "s IN ('a', 'b')"),
    ("oracle", "(n, m) IN ((1, 2), (3, 4))", {}, "(n = 1 AND m = 2) OR (n = 3 AND m = 4)"),
    # Literals and operators of their own.
    ("oracle", "s = q'[it's]'", {}, "s = 'it\\'s'"),
    ("postgres", "s = E'a\\\\b'", {}, "s = 'a\\\\b'"),
    ("snowflake", "s = $$it's$$", {}, "s = 'it\\'s'"),
    ("mysql", 's = "12"', {}, "s = '12'"),
    ("tsql", "[s] = N'12'", {}, "rtrim(s) = '12'"),
    ("db2", "n ¬= 2", {}, "n <> 2"),
    ("db2", "s CONCAT 'x' = 'ax'", {}, "rtrim(s || 'x') = 'ax'"),
    ("impala", "s IREGEXP '12'", {}, "s RLIKE '(?i)12'"),
    ("databricks", "s <=> 'a' AND len(t) > 1", {}, "s <=> 'a' AND length(t) > 1"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "setup", "wanted"), CONVERTS)
def test_a_predicate_becomes(dialect, text, setup, wanted):
    tree = parse_expression(text, sql_dialects()[dialect])
    before = repr(tree)
    found = spark_tree(SqlText(text, dialect, bad=True, settings=SqlSettings(**setup), tree=tree),
                       _Known())[0]  # fmt: skip
    assert to_sql(_total(found)) == wanted
    assert repr(tree) == before  # the tree of the source stays as it is


class _Known:
    def known(self):
        return TYPES


def _total(tree):
    from ruleferry.converters.express.coercion import Findings
    from ruleferry.converters.express.spark_text import pattern_fault
    from ruleferry.converters.express.totality import total_value

    return total_value(tree, Findings(TYPES, pattern_fault)).tree


REFUSED = [
    ("oracle", "ROWNUM < 10", {}, "dialect_meaning"),
    ("oracle", "n > :p_min", {}, "parameter"),
    ("tsql", "n > @min", {}, "parameter"),
    ("postgres", "n > $1", {}, "parameter"),
    ("hive", "n > ${hiveconf:min}", {}, "parameter"),
    ("oracle", "n = ruleferry_p_1_", {}, "parameter"),
    ("oracle", "s = 'ruleferry_p_1_'", {}, "parameter"),
    ("oracle", "d > '01-JAN-2024'", {}, "dialect_meaning"),
    ("oracle", "d > '01-JAN-2024'", {"date_format": "YYYY-MM-DD"}, "dialect_meaning"),
    ("postgres", "n = 'x'", {}, "dialect_meaning"),
    ("postgres", "u / v = 1", {}, "type_needed"),
    ("oracle", "u - v > 3", {}, "type_needed"),
    ("tsql", "u >= '20240305'", {}, "type_needed"),
    ("tsql", "s = 'a'", {"collation": "Klingon_100"}, "dialect_meaning"),
    ("tsql", "s LIKE '[A-Z]%'", {"collation": "Latin1_General_CS_AS"}, "dialect_meaning"),
    ("tsql", "s LIKE t", {}, "like"),
    ("mysql", "d + 1 > 20240305", {}, "dialect_meaning"),
    ("db2", "d - d > 3", {}, "dialect_meaning"),
    ("tsql", "d + 1 > GETDATE()", {}, "dialect_meaning"),
    ("postgres", "s || n + 1 = 'a'", {}, "dialect_meaning"),
    ("postgres", "n BETWEEN SYMMETRIC 1 AND 2", {}, "dialect_meaning"),
    ("postgres", "s = ANY('{a,b}')", {}, "dialect_meaning"),
    ("tsql", "CONVERT(VARCHAR(30), d, 107) = 'a'", {}, "dialect_meaning"),
    ("oracle", "CAST(ts AS VARCHAR2(20)) = 'a'", {}, "dialect_meaning"),
    ("oracle", "CAST(s AS DATE) > SYSDATE", {}, "dialect_meaning"),
    ("mysql", "u = BINARY 'a'", {}, "dialect_meaning"),
    ("bigquery", "s = b'abc'", {}, "dialect_meaning"),
    ("mysql", "n XOR m", {}, "dialect_meaning"),
    ("oracle", "a.id = b.id(+)", {}, "dialect_meaning"),
    ("snowflake", "NOT (s:a.b = 1)", {}, "dialect_meaning"),
    ("postgres", "no_such(s) = 1", {}, "unsupported_function"),
    ("tsql", "x = 1 $ 2", {}, "not_readable"),
    ("mysql", "n /*! + 1 */ = 1", {}, "not_readable"),
]


@pytest.mark.parametrize(("dialect", "text", "setup", "code"), REFUSED)
def test_a_predicate_is_refused(dialect, text, setup, code):
    found = spark_of(dialect, text, **setup)
    assert found.sql is None, found.sql
    assert found.reason.startswith(f"{code}: ")
    assert len(found.reason) > len(code) + 12


TOLD = [
    ("tsql", "s = 'Ab'", {}, {"collation_assumed"}),
    ("tsql", "s = 'Ab'", {"collation": "ci"}, set()),
    ("tsql", "s = '12'", {}, set()),
    ("redshift", "s = 'Ab'", {}, set()),
    ("mysql", "s = 'Ab'", {"collation": "utf8mb4_0900_ai_ci"}, {"dialect_differs"}),
    ("postgres", "s < 'm'", {}, {"dialect_differs"}),
    ("oracle", "s < 'm'", {}, set()),
    ("tsql", "u < v", {}, {"collation_assumed", "dialect_differs", "dialect_assumed_type"}),
    ("mysql", "n / m > 2", {}, {"dialect_differs"}),
]


@pytest.mark.parametrize(("dialect", "text", "setup", "codes"), TOLD)
def test_what_is_not_certain_is_told(dialect, text, setup, codes):
    tree = parse_expression(text, sql_dialects()[dialect])
    found = in_spark(
        tree, sql_dialects()[dialect], SqlSettings(**setup), lambda c: TYPES.get(c.name)
    )
    assert {caveat.code for caveat in found.caveats} == codes


# Anything -----------------------------------------------------------------------------------------

VALUES = st.sampled_from([
    "s", "t", "n", "m", "d", "ts", "b", "x", "f", "u", "v", "1", "0", "2.5", "-3",
    "''", "'a'", "'B '",
    "'2024-03-05'", "'12'", "NULL", "TRUE", "CURRENT_DATE", "DATE '2024-03-05'", "CAST(s AS INT)",
    "CAST(n AS VARCHAR(5))", "UPPER(s)", "COALESCE(s, '')", "n + 1", "d - 1", "d - d", "x / n",
    "s || t", "CASE WHEN n = 1 THEN s ELSE 'x' END", "LENGTH(s)", "(SELECT 1)", "u.s", ":p",
])  # fmt: skip
OPERATORS = st.sampled_from(["=", "<>", "<", ">=", "+", "-", "*", "/", "%", "||", "IS", "LIKE"])
TESTS = st.one_of(
    st.builds("{} {} {}".format, VALUES, OPERATORS, VALUES),
    st.builds("{} IN ({}, {})".format, VALUES, VALUES, VALUES),
    st.builds("{} NOT BETWEEN {} AND {}".format, VALUES, VALUES, VALUES),
    st.builds("{} IS NULL".format, VALUES),
    st.builds("({} {} {}) = {}".format, VALUES, OPERATORS, VALUES, VALUES),
)
PREDICATES = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        st.builds("({}) AND ({})".format, inner, inner),
        st.builds("({}) OR ({})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=4,
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(sql_dialects())), PREDICATES, st.booleans())
def test_any_predicate_is_read_or_refused(dialect, text, known):
    types = TYPES if known else {}
    try:
        tree = parse_expression(text, sql_dialects()[dialect])
    except Unreadable:
        return
    before = repr(tree)
    with suppress(Refusal):
        in_spark(
            tree, sql_dialects()[dialect], SqlSettings(), lambda c: types.get(c.name),
            as_condition=True,
        )  # fmt: skip
    assert repr(tree) == before
    found = made(Case(dialect, text, "", True), types)
    assert (found.sql is None) != (found.reason is None)
