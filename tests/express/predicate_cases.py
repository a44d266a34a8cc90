"""Predicates and hostile rows that the tests of Spark SQL texts share."""

from __future__ import annotations

import random
from functools import cache

from ruleferry.converters.column_types import ColumnType, parse_type

COLUMNS = {
    "s": "string",
    "r": "string",
    "n": "int",
    "k": "int",
    "l": "bigint",
    "b": "tinyint",
    "f": "float",
    "d": "double",
    "m": "decimal(10,2)",
    "w": "decimal(38,10)",
    "o": "boolean",
    "dt": "date",
    "ts": "timestamp",
    "tn": "timestamp_ntz",
    "a": "array<string>",
    "mp": "map<string,int>",
    "st": "struct<x:int,y:string>",
}
TYPES: dict[str, ColumnType] = {name: parse_type(text) for name, text in COLUMNS.items()}

_TEXTS = [
    "''", "' '", "'5'", "'12'", "'-3'", "'1.5'", "'abc'", "'1e3'", "'2024-01-31'", "'2024-13-45'",
    "'2024-01-31 10:00:00'", "'true'", "'NaN'", "'0'", "'99999999999999999999'", "' 7 '", "'a-b'",
    "'é'", r"'\\'", "'%'", "'a,b,c'", """'{"a":1}'""", "'A'", "'x'", "'31/01/2024'",
]  # fmt: skip
_INTS = ["0", "1", "-1", "2", "5", "100", "2147483647", "-2147483648"]
_DOUBLES = ["0", "1.5", "-1.5", "'NaN'", "'Infinity'", "'-Infinity'", "1e300", "0.1", "1e19"]
_DAYS = ["2024-01-31", "2020-01-01", "0001-01-01", "9999-12-31", "1970-01-01"]
_TIMES = [f"{day} {time}" for day in _DAYS for time in ("00:00:00", "10:11:12.5")]
_VALUES = {
    "s": _TEXTS,
    "r": _TEXTS,
    "n": [f"CAST({v} AS INT)" for v in _INTS],
    "k": [f"CAST({v} AS INT)" for v in _INTS],
    "l": [f"{v}L" for v in (*_INTS[:6], "9223372036854775807", "-9223372036854775807")],
    "b": [f"CAST({v} AS TINYINT)" for v in ("0", "1", "127", "-128")],
    "f": [f"CAST({v} AS FLOAT)" for v in _DOUBLES],
    "d": [f"CAST({v} AS DOUBLE)" for v in _DOUBLES],
    "m": [f"CAST({v} AS DECIMAL(10,2))" for v in ("0", "1.5", "99999999.99", "-99999999.99")],
    "w": [f"CAST({v} AS DECIMAL(38,10))" for v in ("0", "1.5", "9" * 28, "-" + "9" * 28)],
    "o": ["true", "false"],
    "dt": [f"DATE'{v}'" for v in _DAYS],
    "ts": [f"TIMESTAMP'{v}'" for v in _TIMES],
    "tn": [f"TIMESTAMP_NTZ'{v}'" for v in _TIMES],
    "a": ["array()", "array('x')", "array('y', 'x')", "array('1')"],
    "mp": ["map('k', 1)", "map('k', 7, 'j', 0)", "map('j', 2)"],
    "st": ["named_struct('x', 1, 'y', 'b')", "named_struct('x', 9, 'y', '')"],
}
# The lowest BIGINT can't be written as a literal with L behind it.
_VALUES["l"].append("CAST(-9223372036854775808 AS BIGINT)")


def rows_sql(count: int, *, missing: bool) -> str:
    """A query of hostile rows, the same at each call; with `missing`, one value in six is NULL."""
    dice = random.Random(7)
    rows = [_row(dice, missing) for _ in range(count)]
    if missing:
        rows.append(["NULL"] * len(COLUMNS))
    tuples = ", ".join(f"({', '.join(row)})" for row in rows)
    casts = ", ".join(f"CAST({name} AS {text}) AS {name}" for name, text in COLUMNS.items())
    return f"SELECT {casts} FROM VALUES {tuples} AS t({', '.join(COLUMNS)})"


def _row(dice: random.Random, missing: bool) -> list[str]:
    return [
        "NULL" if missing and dice.random() < 1 / 6 else dice.choice(_VALUES[name])
        for name in COLUMNS
    ]


# Each is read as one that selects bad rows, and as one that keeps good rows.
PREDICATES = [
    # comparisons
    "n < 0",
    "n <> k",
    "n <=> k",
    "NOT n <=> k",
    "n IS DISTINCT FROM k",
    "n = l",
    "n > 1.5",
    "n > d",
    "d > 1.5",
    "d = d",
    "f > 0.1",
    "m = 1.5",
    "m > n",
    "w > 1.5",
    "w = l",
    "s = r",
    "s < 'b'",
    "s > r",
    "o = true",
    "o <> false",
    "dt > '2020-01-01'",
    "dt = DATE'2024-01-31'",
    "dt < ts",
    "ts >= '2020-01-01 00:00:00'",
    "ts = tn",
    "tn > '2024-01-31'",
    "n = '5'",
    "'5' < n",
    "d > '1.5'",
    "o = 'true'",
    # texts where another type is wanted
    "s = 5",
    "s > 5",
    "s = 1.5",
    "s = d",
    "s = n",
    "s = m",
    "s IN (1, 2)",
    "n IN ('1', '2')",
    "s BETWEEN 1 AND 5",
    "n BETWEEN '1' AND '5'",
    "dt > s",
    "ts > s",
    "s = true",
    "s <=> 5",
    "s < current_date()",
    "dt IN ('2020-01-01', '2024-01-31')",
    "coalesce(s, 0) = 0",
    "s + 1 > 5",
    "s * 1.5 > 5",
    "abs(s) > 1",
    "CASE WHEN o THEN s ELSE 0 END = 0",
    "o AND s",
    # NULL
    "n IS NULL",
    "n IS NOT NULL AND n > 0",
    "n IS NULL OR n <= 0",
    "s IS NULL OR trim(s) = ''",
    "n IN (1, 2, NULL)",
    "NOT (n IN (1, 2))",
    "n NOT IN (1, k)",
    "n IN (k, 5)",
    "(n > 1) IS NULL",
    "(n > 1 AND k > 1) IS NOT TRUE",
    "(n > 1) IS FALSE",
    "o IS NOT TRUE",
    "o IS FALSE",
    "o IS UNKNOWN",
    "o",
    "NOT o",
    "n > 1 OR NULL",
    "n > 1 AND (k > 1 OR NULL)",
    "coalesce(n, 0) = 0",
    "coalesce(n > 1, false)",
    "coalesce(n, k) > 1",
    "nullif(n, 0) > 1",
    "ifnull(s, '') = ''",
    "nvl2(s, n, k) > 1",
    "isnull(n) OR isnotnull(k)",
    # logic
    "NOT (n > 1 AND k < 2)",
    "NOT (n > 1 OR NOT k < 2)",
    "NOT NOT (n > 1)",
    "n < 0 OR n > 100",
    "n < 0 OR n > 100 OR k < 0 OR k > 100",
    "(n < 0 AND k < 0) OR (n > 0 AND k > 0)",
    "n = 1 AND (s = 'a' OR s = 'x' AND k > 0)",
    "NOT (n BETWEEN 1 AND 5 OR s LIKE 'a%')",
    "(n > 1) = (k > 1)",
    "n NOT BETWEEN 1 AND 100",
    "n BETWEEN k AND 100",
    "n BETWEEN 1 AND k",
    "NOT n BETWEEN 0 AND NULL",
    "CASE WHEN n > 1 THEN k > 1 ELSE o END",
    "CASE WHEN n > 1 THEN true WHEN k > 1 THEN false END",
    "CASE n WHEN 1 THEN 'a' WHEN k THEN 'b' ELSE s END = 'a'",
    "if(o, n, 0) > 1",
    "IF(o, 'a', s) = 'a'",
    # patterns
    "s LIKE 'a%'",
    "s NOT LIKE '%-%'",
    "NOT s LIKE '_'",
    "s LIKE 'a!%%' ESCAPE '!'",
    "s NOT LIKE '!_%' ESCAPE '!'",
    r"s LIKE 'a\_b'",
    "s ILIKE 'A%'",
    "s LIKE ANY ('a%', '%c')",
    "s NOT LIKE ALL ('a%', '%c')",
    "s NOT LIKE ANY ('a%', '%c')",
    "n LIKE '1%'",
    "dt LIKE '2024%'",
    "s RLIKE '^[0-9]+$'",
    "NOT s RLIKE '^[A-Za-z]+$'",
    r"s RLIKE '^\\d+$'",
    r"s RLIKE r'^\d{4}-\d{2}$'",
    "n RLIKE '^1'",
    "startswith(s, 'a') AND NOT contains(s, 'b')",
    # calculations
    "n + k > 10",
    "n - 1 > k",
    "n * k = 0",
    "l + 1 > 0",
    "-n > 0",
    "-l > 0",
    "-d > 0",
    "b + b > 0",
    "m + n > 1",
    "m * n > 100",
    "w + w > 0",
    "w * m > 0",
    "d * d > 1",
    "n / k > 1",
    "n / 2 > 1",
    "m / m = 1",
    "d / d = 1",
    "n % k = 0",
    "n % 2 = 1",
    "d % 2 = 1",
    "mod(n, k) = 1",
    "pmod(n, k) = 1",
    "n DIV 2 > 1",
    "n DIV k > 1",
    "abs(n) > 1",
    "abs(l) > 1",
    "abs(n - k) > 0.01",
    "n & 1 = 1",
    "(n | k) > 1",
    "n > 60 * 60 * 24",
    "round(d, 2) <> d",
    "round(m) = m",
    "floor(m) <> m",
    "sqrt(n) > 1",
    "ln(d) > 1",
    "isnan(d)",
    "greatest(n, k, 0) > 1",
    "greatest(n, d) > 1",
    "(n > 0 AND k <> 0 AND n / k > 1) OR (k <> 0 AND n / k < 0)",
    # casts
    "CAST(s AS INT) > 5",
    "s::int > 5",
    "int(s) > 5",
    "double(s) > 5",
    "CAST(s AS DECIMAL(10, 2)) > 5",
    "CAST(s AS DATE) > DATE'2020-01-01'",
    "CAST(s AS BOOLEAN)",
    "try_cast(s AS INT) IS NULL",
    "CAST(l AS INT) > 5",
    "CAST(d AS INT) > 5",
    "CAST(d AS BIGINT) > 5",
    "CAST(m AS INT) > 5",
    "CAST(n AS BIGINT) + 1 > 5",
    "CAST(n AS STRING) = '5'",
    "CAST(w AS DECIMAL(10, 2)) > 5",
    "CAST(n AS DOUBLE) / 3 > 1",
    "CAST(ts AS DATE) = dt",
    "CAST(dt AS TIMESTAMP) = ts",
    "CAST(o AS INT) = 1",
    "CAST(n AS BOOLEAN)",
    "CAST(n AS TINYINT) > 1",
    "CAST(s AS VARCHAR(2)) = 'ab'",
    "CAST(CAST(s AS INT) AS BIGINT) > 5",
    "coalesce(CAST(s AS INT) > 0, false)",
    # days and times
    "dt > current_date()",
    "ts > current_timestamp()",
    "ts < now() - INTERVAL 30 DAYS",
    "dt + 1 > DATE'2024-01-31'",
    "dt - 30 > DATE'2024-01-31'",
    "dt + INTERVAL 1 MONTH > ts",
    "ts - INTERVAL '2' HOUR > dt",
    "add_months(dt, 12) > ts",
    "datediff(ts, dt) > 30",
    "date_add(dt, 1) = dt",
    "year(dt) < 2000",
    "year(s) < 2000",
    "extract(MONTH FROM ts) = 1",
    "to_date(s, 'yyyy-MM-dd') IS NULL",
    "to_date(s) > '2020-01-01'",
    "to_timestamp(s, 'dd/MM/yyyy') IS NOT NULL",
    "date_format(ts, 'yyyy-MM') = '2024-01'",
    "trunc(dt, 'MM') = dt",
    "date_trunc('DAY', ts) = ts",
    "months_between(ts, dt) > 1",
    "unix_timestamp(ts) > 0",
    # texts
    "length(s) > 3",
    "length(trim(s)) = 0",
    "length(n) > 1",
    "upper(s) <> s",
    "s || r = 'ab'",
    "n || '-' || s = '1-a'",
    "concat(s, n) = '51'",
    "concat_ws('-', s, n) = 'a-1'",
    "substring(s, 1, 2) = '20'",
    "substring(s, n, 2) = '20'",
    "substring(s, l, 2) = '20'",
    "left(s, 1) = 'a'",
    "split(s, '-')[1] = 'b'",
    "split_part(s, '-', 2) = 'b'",
    "regexp_replace(s, '[^0-9]', '') = ''",
    "regexp_extract(s, '([0-9]+)', 1) = '5'",
    "lpad(s, 5, '0') = '00005'",
    "replace(s, '-', '') = 'ab'",
    "instr(s, '-') > 0",
    # nested
    "a[0] = 'x'",
    "a[n] = 'x'",
    "element_at(a, 1) = 'x'",
    "mp['k'] > 1",
    "st.x > 1",
    "st.y = ''",
    "size(a) = 0",
    "array_contains(a, 'x')",
    "get_json_object(s, '$.a') = '1'",
    "to_number(s, '999') > 5",
    "typeof(n) = 'int' AND n > 1",
]


@cache
def frames(spark):
    """The hostile rows in nullable columns, and others in columns that hold no NULL; in memory.

    Spark folds tests for NULL on columns declared NOT NULL, so both kinds are needed.
    """
    found = [spark.sql(rows_sql(80, missing=missing)).cache() for missing in (True, False)]
    assert all(field.nullable for field in found[0].schema)
    assert sum(field.nullable for field in found[1].schema) < 4  # casts of texts to doubles are
    for frame in found:
        frame.count()
    return tuple(found)
