"""LIKE of the source databases on Spark."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.express.like import Expressed, Refused, like
from ruleferry.converters.express.sql_text import column, to_sql

# dialect, pattern, escape, condition, caveats (without "like_")
EXPRESSED = [
    # nothing to escape: the pattern stays
    (None, "a%_b", None, "c LIKE 'a%_b'", ""),
    ("oracle", "", None, "c LIKE ''", ""),
    ("postgres", "it's 100$", None, "c LIKE 'it\\'s 100$'", ""),
    ("oracle", "${x}", None, "c LIKE concat('$', '{x}')", ""),
    ("snowflake", "[a]%", None, "c LIKE '[a]%'", ""),
    # the default escape
    ("postgres", r"a\_b", None, "c LIKE 'a!_b' ESCAPE '!'", ""),
    ("databricks", r"a\%\\b", None, r"c LIKE 'a!%\\b' ESCAPE '!'", ""),
    ("bigquery", r"a\_b", None, "c LIKE 'a!_b' ESCAPE '!'", ""),
    ("hive", r"a\_b", None, "c LIKE 'a!_b' ESCAPE '!'", ""),
    ("postgres", r"a\bc", None, "c LIKE 'abc'", ""),
    ("mysql", "1\\", None, r"c LIKE '1\\' ESCAPE '!'", ""),
    # none: a backslash is plain, and Spark must be told
    ("oracle", r"a\b", None, r"c LIKE 'a\\b' ESCAPE '!'", ""),
    ("snowflake", r"a\_b", None, r"c LIKE 'a\\_b' ESCAPE '!'", ""),
    ("trino", r"\%", None, r"c LIKE '\\%' ESCAPE '!'", ""),
    # an ESCAPE clause
    (None, "50#%", "#", "c LIKE '50!%' ESCAPE '!'", ""),
    ("oracle", r"A\_%", "\\", "c LIKE 'A!_%' ESCAPE '!'", ""),
    ("oracle", "a!!b!_", "!", "c LIKE 'a!b|_' ESCAPE '|'", ""),
    ("db2", "!|~^#@+=$%", "$", "c LIKE '!!|~^#@+=!%' ESCAPE '!'", ""),
    ("duckdb", "a!bc", "!", "c LIKE 'abc'", ""),
    ("postgres", r"a\_", "", r"c LIKE 'a\\_' ESCAPE '!'", ""),
    # case
    ("mysql", "A%", None, "c ILIKE 'A%'", "case"),
    ("mysql", "1%", None, "c LIKE '1%'", ""),
    ("sqlite", "a!%", "!", "c ILIKE 'a!%' ESCAPE '!'", "case"),
    ("teradata", "É_", None, "c ILIKE 'É_'", "case"),
    # SQL Server
    ("tsql", "A%", None, "c ILIKE 'A%'", "case"),
    ("tsql", "A", None, "c ILIKE 'A'", "case blanks"),
    ("tsql", "%[^0-9]%", None, "c RLIKE '[^0-9]'", "class"),
    ("tsql", "[A-Z][0-9]", None, r"c RLIKE '(?iu)^[A-Z][0-9]\\z'", "case class blanks"),
    ("tsql", "[13579]_%x", None, r"c RLIKE '(?ius)^[13579]..*x\\z'", "case blanks"),
    ("tsql", "[.]%[ab]", None, r"c RLIKE '(?ius)^[.].*[ab]\\z'", "case blanks"),
    ("tsql", "%[a^-]", None, r"c RLIKE '(?iu)[a\\^\\-]\\z'", "case blanks"),
    ("tsql", "%[%]%", None, "c LIKE '%!%%' ESCAPE '!'", ""),
    ("tsql", "[[]1]%", None, "c LIKE '[1]%'", ""),
    ("tsql", "[_]%", None, "c LIKE '!_%' ESCAPE '!'", ""),
    ("tsql", "[a!]b]%", "!", r"c RLIKE '(?iu)^[a\\]b]'", "case"),
    (None, "[a]%", None, "c LIKE '[a]%'", "class"),
    ("vertica", "[a]%", None, "c LIKE '[a]%'", "class"),
]

REFUSED = [
    (None, r"a\_b", None, "depends on the database"),
    ("vertica", r"a\_b", None, "depends on the database"),
    (None, "a#b", "#", "an error in places"),
    ("oracle", "a!b", "!", "an error in places"),
    ("databricks", r"a\b", None, "an error in places"),
    ("hive", r"a\\b", None, "an error in places"),
    ("postgres", "a\\", None, "never ran"),
    ("databricks", "a\\", None, "never ran"),
    ("oracle", "a!", "!", "never ran"),
    ("sqlite", "a!", "!", "nothing ever matches"),
    ("tsql", "a!", "!", "nothing ever matches"),
    ("oracle", "a", "", "not one character"),
    ("sqlite", "a", "!!", "not one character"),
    ("bigquery", "a!_", "!", "no ESCAPE clause"),
    ("tsql", "a[bc", None, "not closed"),
    ("tsql", "a[b-", None, "not closed"),
    ("tsql", "a[]", None, "is empty"),
    ("tsql", "a[^]", None, "is empty"),
    ("tsql", "[z-a]", None, "backwards"),
]


@pytest.mark.parametrize(("dialect", "pattern", "escape", "condition", "caveats"), EXPRESSED)
def test_a_pattern_is_expressed(dialect, pattern, escape, condition, caveats):
    found = like(column("c"), pattern, escape=escape, dialect=dialect)
    assert isinstance(found, Expressed)
    assert to_sql(found.tree) == condition
    assert [caveat.code for caveat in found.caveats] == [f"like_{c}" for c in caveats.split()]


@pytest.mark.parametrize(("dialect", "pattern", "escape", "reason"), REFUSED)
def test_a_pattern_is_refused(dialect, pattern, escape, reason):
    found = like(column("c"), pattern, escape=escape, dialect=dialect)
    assert isinstance(found, Refused)
    assert reason in found.reason


# Verdicts -----------------------------------------------------------------------------------------

TEXTS = [
    *("", "a", "A", "b", "%", "_", "\\", "!", "ab", "a%", "a_", "a\\", "a!", "aab", "a\nb", "a%b"),
    *(
        "a_b",
        "a\\b",
        "a!b",
        "a\\_b",
        "a!%b",
        "é",
        "aé",
        "😀",
        "a😀b",
        "50%",
        "50!",
        "${x}",
        "x",
        "[a]",
    ),
    *("[a]", "AB12", "ab12", "A112", "12A", "123", "a]", "[1]", "a^", "a-", "1.xa", "13x", "1\nx"),
]


@pytest.fixture(scope="module")
def verdict(spark):
    """All conditions on all texts at once."""
    conditions = list(dict.fromkeys(condition for _, _, _, condition, _ in EXPRESSED))
    frame = spark.createDataFrame([(text,) for text in TEXTS], "c string")
    rows = frame.selectExpr("c", *(f"({text}) AS `{n}`" for n, text in enumerate(conditions)))
    return {
        (condition, row.c): row[str(n)]
        for row in rows.collect()
        for n, condition in enumerate(conditions)
    }


@pytest.mark.parametrize(
    ("dialect", "pattern", "escape", "condition"),
    [case[:4] for case in EXPRESSED if case[0] not in ("sqlite", "tsql")],
)
def test_a_verdict_is_that_of_the_definition(dialect, pattern, escape, condition, verdict):
    """Against a matcher that knows only the rules of the dialect."""
    default = "\\" if dialect in ("postgres", "databricks", "bigquery", "hive", "mysql") else None
    ignore_case = dialect in ("mysql", "teradata")
    for text in TEXTS:
        subject, wanted = (text.lower(), pattern.lower()) if ignore_case else (text, pattern)
        expected = matches(subject, wanted, default if escape is None else escape)
        assert verdict[condition, text] is expected, text


def matches(text, pattern, escape):
    if not pattern:
        return not text
    if pattern[0] == escape and len(pattern) > 1:
        return text[:1] == pattern[1] and matches(text[1:], pattern[2:], escape)
    if pattern[0] == "%":
        return any(matches(text[at:], pattern[1:], escape) for at in range(len(text) + 1))
    return bool(text) and pattern[0] in (text[0], "_") and matches(text[1:], pattern[1:], escape)


@pytest.mark.parametrize(
    ("condition", "good", "bad"),
    [
        ("c RLIKE '[^0-9]'", ["12A", "a\nb"], ["123", ""]),
        (r"c RLIKE '(?iu)^[A-Z][0-9]\\z'", [], ["AB12", "A112", "a"]),
        (r"c RLIKE '(?ius)^[13579]..*x\\z'", ["13x", "1\nx"], ["x", "1.xa"]),
        (r"c RLIKE '(?iu)[a\\^\\-]\\z'", ["A", "a^", "a-", "12A"], ["ab", ""]),
        (r"c RLIKE '(?iu)^[a\\]b]'", ["ab", "AB12"], ["[a]", ""]),
        ("c LIKE '[1]%'", ["[1]"], ["1.xa"]),
    ],
)
def test_classes_of_sql_server(condition, good, bad, verdict):
    assert [text for text in good if not verdict[condition, text]] == []
    assert [text for text in bad if verdict.get((condition, text))] == []


SYMBOLS = st.text("ab%_!\\[]é", max_size=6)


@settings(max_examples=20, deadline=None)
@given(patterns=st.lists(SYMBOLS, min_size=8, max_size=8), texts=st.lists(SYMBOLS, min_size=8))
def test_random_patterns_as_sqlite(spark, patterns, texts):
    """SQLite runs here, and Spark agrees with it on ASCII letters."""
    found = {p: like(column("c"), p, escape="!", dialect="sqlite") for p in patterns}
    kept = {p: to_sql(r.tree) for p, r in found.items() if isinstance(r, Expressed)}
    assert all(r.reason for r in found.values() if isinstance(r, Refused))
    if not kept:
        return
    frame = spark.createDataFrame([(text,) for text in texts], "c string")
    rows = frame.selectExpr(*(f"{text} AS `{n}`" for n, text in enumerate(kept.values()))).collect()
    database = sqlite3.connect(":memory:")
    for row, text in zip(rows, texts, strict=True):
        query = "SELECT ? LIKE ? ESCAPE '!'"
        old = [database.execute(query, (text, p)).fetchone()[0] for p in kept]
        assert [int(verdict) for verdict in row] == old
