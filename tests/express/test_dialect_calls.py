"""Calls of the dialects without Spark: what they become, and what must not be carried over."""

from __future__ import annotations

import pytest
from dialect_reading import TYPES, here_of, term_of, total_value

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.dialects.formats import format_of, of_style
from ruleferry.converters.express.dialects.regexes import in_java, may_be_empty
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import to_sql


@pytest.mark.parametrize(
    ("dialect", "text", "spark"),
    [
        ("tsql", "UPPER(s)", "upper(s)"),
        ("oracle", "NVL(n, 0)", "coalesce(n, 0)"),
        ("oracle", "NVL(x_any, '?')", "coalesce(nullif(CAST(x_any AS STRING), ''), '?')"),
        ("oracle", "NVL2(x_any, 'Y', 'N')",
         "nullif(CASE WHEN nullif(CAST(x_any AS STRING), '') IS NOT NULL "
         "THEN 'Y' ELSE 'N' END, '')"),
        ("oracle", "TRUNC(ts)", "CAST(ts AS DATE)"),
        ("oracle", "TRUNC(d, 'MM')", "trunc(d, 'MM')"),
        ("postgres", "TO_CHAR(d, 'YYYYMMDD')", "date_format(d, 'yyyyMMdd')"),
        ("oracle", "TO_DATE('2024-01-05', 'YYYY-MM-DD')", "DATE'2024-01-05'"),
        ("oracle", "TO_DATE('95-01-05', 'RR-MM-DD')", "DATE'1995-01-05'"),
        ("oracle", "TO_DATE('24-01-05', 'RR-MM-DD')", "DATE'2024-01-05'"),
        (
            "oracle",
            "TO_DATE(n, 'YYYYMMDD')",
            "CAST(try_to_timestamp(CAST(n AS STRING), 'yyyyMMdd') AS DATE)",
        ),
        ("oracle", "SUBSTR(s, INSTR(s, '-') + 1)",
         "nullif(substring(nullif(s, ''), instr(nullif(s, ''), '-') + 1), '')"),
        ("tsql", "LEN(s)", "length(rtrim(s))"),
        ("tsql", "CHARINDEX('@', s)", "instr(s, '@')"),
        ("tsql", "CHARINDEX('a', s)", "instr(lower(s), 'a')"),
        ("tsql", "LEFT(s, CHARINDEX('@', s) - 1)", "left(s, instr(s, '@') - 1)"),
        ("tsql", "SUBSTRING(s, CHARINDEX('@', s) + 1, 5)", "substring(s, instr(s, '@') + 1, 5)"),
        ("tsql", "DATEDIFF(year, d, ts)", "year(ts) - year(d)"),
        ("tsql", "DATEDIFF(day, '20240101', d)", "datediff(d, DATE'2024-01-01')"),
        ("tsql", "DATEADD(day, -7, d)", "date_add(d, -7)"),
        ("tsql", "REPLACE(s, CHAR(10), '')", "replace(s, '\\n', '')"),
        ("mysql", "DATE_FORMAT(d, '%Y-%m-%d')", "date_format(d, 'yyyy-MM-dd')"),
        ("mysql", "IF(n > 1, 'a', 'b')", "CASE WHEN n > 1 THEN 'a' ELSE 'b' END"),
        ("postgres", "DATE_PART('dow', d)", "dayofweek(d) - 1"),
        ("bigquery", "DATE_DIFF(d, d, DAY)", "datediff(d, d)"),
        ("snowflake", "TRY_TO_NUMBER(s, 12, 2)", "try_cast(s AS DECIMAL(12, 2))"),
        ("hive", "datediff(d, s)",
         "datediff(d, CAST(try_to_timestamp(substring_index(s, ' ', 1), 'yyyy-M-d') AS DATE))"),
    ],
)  # fmt: skip
def test_what_a_call_becomes(dialect, text, spark):
    assert to_sql(total_value(term_of(text, dialect).tree)) == spark


@pytest.mark.parametrize(
    ("dialect", "text", "reason"),
    [
        ("oracle", "MY_CHECK(s)", "not in the list"),
        ("oracle", "INITCAP(s)", "begin of a word"),
        ("oracle", "UPPER(s, s)", "is not known with 2 arguments"),
        ("oracle", "LENGTH(x)", "makes a text of x, which is decimal(10,2)"),
        ("oracle", "LENGTH(d)", "makes a text of d"),
        ("oracle", "ABS(s)", "for a number"),
        ("oracle", "NVL(n, 'x')", "mixes numbers and texts"),
        ("oracle", "TO_CHAR(x, '999.99')", "for a day or a time"),
        ("oracle", "TO_CHAR(d, 'WW')", "is not carried over"),
        ("oracle", "TO_CHAR(d, 'DAY')", "is not carried over"),
        ("oracle", "TO_DATE(s, 'IYYY-IW')", "is not carried over"),
        ("oracle", "TO_DATE('2024/01/05', 'YYYY-MM-DD')", "is not certain"),
        ("oracle", "LAST_DAY(ts)", "time of day"),
        ("oracle", "TRUNC(q)", "a number or a date"),
        ("oracle", "TRUNC(d, 'DAY')", "settings"),
        ("oracle", "REGEXP_LIKE(s, s)", "written out"),
        ("oracle", "REGEXP_LIKE(s, '^a', 'x')", "the flag 'x'"),
        ("oracle", "REGEXP_REPLACE(s, '(a)', '\\1b')", "a part of what it found"),
        ("oracle", "REGEXP_REPLACE(s, 'a*', 'b')", "an empty text"),
        ("oracle", "ADD_MONTHS(d, n)", "written out"),
        ("tsql", "DATEDIFF(day, s, d)", "for a day or a time"),
        ("tsql", "DATEDIFF(nanosecond, d, d)", "unit of time"),
        ("tsql", "DATEPART(week, d)", "settings"),
        ("tsql", "FORMAT(d, 'd')", "depends on the language"),
        ("tsql", "CHECKSUM(s)", "own procedure"),
        ("tsql", "DATALENGTH(s)", "encoding"),
        ("tsql", "GREATEST(s, 'a')", "collation"),
        ("tsql", "GETUTCDATE()", "another time zone"),
        ("tsql", "REPLACE(s, num, '')", "without regard to case"),
        ("tsql", "POWER(n, 2)", "rounds to the type"),
        ("mysql", "STR_TO_DATE(s, '%y-%m-%d')", "%y"),
        ("mysql", "WEEK(d)", "depends on the server"),
        ("mysql", "DATE(s)", "not known as a time"),
        ("postgres", "AGE(d)", "months and days"),
        ("postgres", "REGEXP_REPLACE(s, '[a-z]', '')", "the first match only"),
        ("postgres", "LEFT(s, n)", "written out"),
        ("teradata", "ROUND(x, 1)", "rounds a half"),
        ("teradata", "OREPLACE(s, 'a', '')", "without regard to case"),
        ("bigquery", "TIMESTAMP_DIFF(ts, ts, MONTH)", "counts no months"),
        ("snowflake", "SUBSTR(s, -2)", "from the end"),
        ("snowflake", "TO_DATE(s, 'YY-MM-DD')", "is not carried over"),
        ("redshift", "STRTOL(s, 16)", "not certain"),
        ("db2", "CHAR(n)", "type of its argument"),
        ("netezza", "REGEXP_LIKE(s, 'a')", "not in the list"),
    ],
)
def test_what_must_not_be_carried_over(dialect, text, reason):
    types = {**TYPES, "q": None}
    with pytest.raises(Refusal) as refusal:
        total_value(term_of(text, dialect, here_of(dialect, types)).tree)
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    ("dialect", "fmt", "use", "pattern"),
    [
        ("oracle", "DD-MON-YYYY", "read", "d-MMM-yyyy"),
        ("oracle", "YYYYMMDD", "read", "yyyyMMdd"),
        ("oracle", "YYYY-MM-DD HH24:MI:SS", "read", "yyyy-M-d H:m:s"),
        ("oracle", "YYYYMMDDHH24MISS", "write", "yyyyMMddHHmmss"),
        ("oracle", 'YYYY-MM-DD"T"HH24:MI', "write", "yyyy-MM-dd'T'HH:mm"),
        ("snowflake", "YYYY-MM-DD", "read", "yyyy-MM-dd"),
        ("mysql", "%d/%m/%Y", "read", "d/M/yyyy"),
        ("mysql", "%Y%m%d", "read", "yyyyMMdd"),
        ("mysql", "%c/%e/%Y", "write", "M/d/yyyy"),
        ("bigquery", "%F %T", "read", "yyyy-M-d H:m:s"),
        ("hive", "yyyy-MM-dd", "read", "yyyy-MM-dd"),
        ("tsql", "dd.MM.yyyy", "write", "dd.MM.yyyy"),
    ],
)
def test_formats(dialect, fmt, use, pattern):
    assert format_of(fmt, dialect, use).pattern == pattern


@pytest.mark.parametrize(
    ("dialect", "fmt", "use"),
    [
        ("oracle", "YYYY-WW", "read"), ("oracle", "J", "read"), ("oracle", "MONTH", "write"),
        ("oracle", "Mon-YYYY MON", "write"), ("oracle", "YYYY YYYY", "read"),
        ("oracle", "", "read"), ("oracle", "FMDD", "write"), ("mysql", "%U", "read"),
        ("mysql", "%", "read"), ("bigquery", "%E*S", "read"), ("postgres", "YY-MM-DD", "read"),
        ("hive", "YYYY-MM-dd", "read"), ("tsql", "D", "write"), ("db2", "é", "read"),
    ],
)  # fmt: skip
def test_formats_that_are_refused(dialect, fmt, use):
    with pytest.raises(Refusal):
        format_of(fmt, dialect, use)


def test_styles_of_convert():
    assert of_style(112).pattern == "yyyyMMdd"
    with pytest.raises(Refusal):
        of_style(100)


@pytest.mark.parametrize(
    ("dialect", "pattern", "options", "java"),
    [
        ("oracle", "^[[:digit:]]+$", {}, r"^[0-9]+\z"),
        ("oracle", "abc", {"flags": "i"}, "(?i)abc"),
        ("mysql", "abc", {}, "(?i)abc"),
        ("mysql", "abc", {"ignore_case": False}, "abc"),
        ("snowflake", "[A-Z]+", {"whole": True}, r"\A(?:[A-Z]+)\z"),
        ("bigquery", r"^\d+$", {}, r"^[0-9]+\z"),
        ("hive", r"^\d+$", {}, r"^\d+$"),
        ("postgres", r"\mbar", {}, "(?<![A-Za-z0-9_])(?=[A-Za-z0-9_])bar"),
    ],
)
def test_regular_expressions(dialect, pattern, options, java):
    assert in_java(pattern, sql_dialects()[dialect], **options) == java


@pytest.mark.parametrize(
    ("dialect", "pattern", "options"),
    [
        ("oracle", "(?i)abc", {}), ("oracle", r"\babc", {}), ("oracle", "a", {"flags": "x"}),
        ("oracle", "(", {}), ("mysql", "(?<=a)b", {}), ("netezza", "a", {}), ("tsql", "a", {}),
        ("bigquery", r"\pL", {}), ("postgres", "a{300}", {}),
    ],
)  # fmt: skip
def test_regular_expressions_that_are_refused(dialect, pattern, options):
    with pytest.raises(Refusal) as refusal:
        in_java(pattern, sql_dialects()[dialect], **options)
    assert refusal.value.refused.reason


@pytest.mark.parametrize(
    ("java", "empty"),
    [("a*", True), ("a", False), ("^$", True), (r"a|\z", True), ("(?i)a+", False)],
)
def test_patterns_that_take_nothing(java, empty):
    assert may_be_empty(java) is empty


@pytest.mark.parametrize(
    ("dialect", "text", "spark"),
    [
        ("oracle", "COUNT(*)", "count(*)"),
        ("oracle", "COUNT(DISTINCT n)", "count(DISTINCT n)"),
        ("tsql", "COUNT(DISTINCT s)", "count(DISTINCT rtrim(lower(s)))"),
        ("tsql", "SUM(x)", "sum(x)"),
        ("tsql", "AVG(x)", "avg(x)"),
        ("bigquery", "COUNTIF(n > 1)", "count_if(n > 1)"),
        ("mysql", "STDDEV(n)", "stddev_pop(n)"),
        ("oracle", "STDDEV(n)", "stddev_samp(n)"),
        ("postgres", "BOOL_AND(b)", "bool_and(b)"),
        ("hive", "LAG(n)", "lag(n)"),
        ("teradata", "MAX(d)", "max(d)"),
    ],
)
def test_aggregates(dialect, text, spark):
    assert term_of(text, dialect).tree.sql("databricks").lower() == spark.lower()


@pytest.mark.parametrize(
    ("dialect", "text", "reason"),
    [
        ("tsql", "AVG(n)", "a whole number"),
        ("db2", "AVG(q)", "a whole number"),
        ("tsql", "MAX(s)", "collation"),
        ("oracle", "LISTAGG(s, ',')", "many records"),
        ("mysql", "GROUP_CONCAT(s)", "many records"),
        ("oracle", "SUM(s)", "no number"),
        ("oracle", "NTILE(4)", "not in the list"),
        ("hive", "LAG(n, m)", "written out"),
    ],
)
def test_aggregates_that_are_refused(dialect, text, reason):
    with pytest.raises(Refusal) as refusal:
        term_of(text, dialect, here_of(dialect, {**TYPES, "q": None}))
    assert reason in str(refusal.value)
