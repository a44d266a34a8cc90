"""Predicates that once lost their meaning, each with rows and what a database says of them.

Measured on MariaDB 10.11 (where it and MySQL agree: utf8mb4_general_ci unless another collation is
named) and on PostgreSQL 15; of the others by their manuals.
"""

from dataclasses import dataclass

from ruleferry.converters.predicates import SqlSettings

DEFAULT = SqlSettings()
CI, BIN = SqlSettings(collation="utf8mb4_general_ci"), SqlSettings(collation="utf8mb4_bin")
NO_PAD = SqlSettings(collation="utf8mb4_0900_ai_ci")


@dataclass(frozen=True, slots=True)
class Measured:
    """`rows`: (column, type, values); `bad`: T where the predicate is TRUE, else F, row by row."""

    dialect: str
    text: str
    rows: tuple[str, str, tuple[str | None, ...]]
    bad: str
    settings: SqlSettings = DEFAULT


_TEXTS = ("s", "string", ("abc", "ABC", "abc ", "", " ", None, "12", "12abc"))
_CHARS = ("c", "char(5)", ("abc", "ab", "", "abcde", None))
_FLOATS = ("f", "double", ("2.5", "-2.5", "0.5", "1.5", "NaN", None))
_LARGE = ("n", "int", ("2147483647", "1", "-7", "0", None))
_TRUTHS = ("b", "boolean", ("true", "false", None))

MEASURED = (
    # A CHAR has no blanks at its end, but to LIKE, patterns and CONCAT of PostgreSQL.
    Measured("postgres", "length(c) = 3", _CHARS, "TFFFF"),
    Measured("postgres", "c = 'abc  '", _CHARS, "TFFFF"),
    Measured("postgres", "c IN ('abc ', 'ab')", _CHARS, "TTFFF"),
    Measured("postgres", "c || 'x' = 'abcx'", _CHARS, "TFFFF"),
    Measured("postgres", "upper(c) = 'ABC'", _CHARS, "TFFFF"),
    Measured("postgres", "coalesce(c, 'x') = 'ab'", _CHARS, "FTFFF"),
    Measured("postgres", "c LIKE 'abc'", _CHARS, "FFFFF"),
    Measured("postgres", "c LIKE 'ab___'", _CHARS, "TTFTF"),
    Measured("postgres", "c ~ 'c$'", _CHARS, "FFFFF"),
    Measured("postgres", "concat(c, 'x') = 'abcx'", _CHARS, "FFFFF"),
    Measured("mysql", "length(c) = 3", _CHARS, "TFFFF", CI),
    Measured("mysql", "concat(c, 'x') = 'abcx'", _CHARS, "TFFFF", CI),
    Measured("mysql", "c LIKE 'a%c'", _CHARS, "TFFFF", CI),
    Measured("mysql", "c = 'ABC '", _CHARS, "TFFFF", CI),
    Measured("mysql", "c = 'ABC '", _CHARS, "FFFFF", NO_PAD),
    Measured("mysql", "c = 'ABC'", _CHARS, "TFFFF", NO_PAD),
    # Patterns follow the collation.
    Measured("mysql", "s REGEXP 'ABC'", _TEXTS, "TTTFFFFT", CI),
    Measured("mysql", "s REGEXP 'ABC'", _TEXTS, "FTFFFFFF", BIN),
    Measured("mysql", "s NOT REGEXP '^[A-Z]+$'", _TEXTS, "TFTTTFTT", BIN),
    Measured("mysql", "s = 'ABC'", _TEXTS, "TTTFFFFF", CI),
    Measured("mysql", "s = 'ABC'", _TEXTS, "TTFFFFFF", NO_PAD),
    Measured("mysql", "s = ''", _TEXTS, "FFFTTFFF", CI),
    Measured("mysql", "s = ''", _TEXTS, "FFFTFFFF", NO_PAD),
    Measured("mysql", "s = 12", _TEXTS, "FFFFFFTT", CI),
    Measured("mysql", "s = 0", _TEXTS, "TTTTTFFF", CI),
    Measured("postgres", "s ~* 'B'", _TEXTS, "TTTFFFFT"),
    # Sums that are wider than an INT.
    Measured("mysql", "n + 1 > 2", _LARGE, "TFFFF", CI),
    Measured("mysql", "n * n > 5", _LARGE, "TFTFF", CI),
    Measured("oracle", "n + n > 5", _LARGE, "TFFFF"),
    Measured("snowflake", "n * 2 > 5", _LARGE, "TFFFF"),
    Measured("bigquery", "n + 1 > 2", _LARGE, "TFFFF"),
    # Halves, and what is no number.
    Measured("mysql", "CAST(f AS SIGNED) = 2", _FLOATS[:2] + (("2.5", "1.5", None),), "TTF", CI),
    Measured("mysql", "CAST(f AS SIGNED) = 3", _FLOATS[:2] + (("2.5", "3.5", None),), "FFF", CI),
    Measured("postgres", "sign(f) = 1", _FLOATS, "TFTTFF"),
    # A blank text is 0 beside a whole number of SQL Server.
    Measured("tsql", "s = 0", ("s", "string", ("", "  ", "0", "1", None)), "TTTFF"),
    Measured("tsql", "s < 5", ("s", "string", ("", "  ", "0", "7", None)), "TTTFF"),
    # Truth values, on either side.
    Measured("postgres", "b > false", _TRUTHS, "TFF"),
    Measured("postgres", "false < b", _TRUTHS, "TFF"),
    Measured("postgres", "(1 > 2) < b", _TRUTHS, "TFF"),
    Measured("tsql", "0 < b", _TRUTHS, "TFF"),
    Measured("bigquery", "SAFE_CAST(s AS BOOL)", ("s", "string", ("true", "TRUE", " true ", None)),
             "TTFF"),
    Measured("postgres", "CASE WHEN NULL THEN true ELSE b END", _TRUTHS, "TFF"),
    # Whole numbers that are joined.
    Measured("postgres", "concat(n, 'x') = '1x'", _LARGE, "FTFFF"),
    Measured("tsql", "CONCAT(n, 'x') = 'x'", _LARGE, "FFFFT"),
    Measured("mysql", "CONCAT(n, 'x') = '1x'", _LARGE, "FTFFF", CI),
)  # fmt: skip

# (dialect, predicate): what is no condition here, since it is not known to mean the same.
REFUSED = (
    ("mysql", "INTERVAL 1 DAY + d > e"),  # moves `d > e`
    ("mysql", "IF(n > 0, s, n) = 'abc'"),
    ("mysql", "CASE WHEN n > 0 THEN s ELSE n END = 'abc'"),
    ("snowflake", "s NOT LIKE ALL ('a%', 'b%')"),
    ("snowflake", "s NOT LIKE ANY ('a%', 'b%')"),
    ("postgres", "octet_length(c) = 5"),
)
# Without types.
REFUSED_UNTYPED = (
    ("postgres", "greatest(a, z) > 5"),
    ("mysql", "LEAST(a, z) = 'abc'"),
    ("oracle", "GREATEST(a, z) > 5"),
)
# (dialect, predicate, code of what is said): the condition may differ, and says so.
TOLD = (
    ("postgres", r"s ~ '^\w+$'", "dialect_differs"),
    ("postgres", "s ~ '[[:alpha:]]'", "dialect_differs"),
    ("postgres", r"s ~ '\mabc'", "dialect_differs"),
    ("mysql", "s REGEXP '[[:upper:]]'", "dialect_differs"),
    ("oracle", "REGEXP_LIKE(s, '[[:alpha:]]')", "dialect_differs"),
    ("mysql", "d = '0000-00-00'", "dialect_differs"),
    ("bigquery", "f > 1", "dialect_differs"),
    ("postgres", "c = s", "dialect_differs"),
)
TOLD_UNTYPED = (
    ("tsql", "a > '5'", "dialect_assumed_type"),
    ("mysql", "a = ''", "dialect_assumed_type"),
    ("mysql", "a > '2024-01'", "dialect_assumed_type"),
    ("tsql", "a = '2.5'", "dialect_assumed_type"),
    ("tsql", "a IN ('1', '2')", "dialect_assumed_type"),
    ("postgres", "nullif(a, z) IS NULL", "dialect_assumed_type"),
)
