"""Rules that ran on a database: row by row on SQLite, and by the facts of the other databases."""

from collections import defaultdict

import pytest
import sqlalchemy as sa
from express_cases import IGNORE_PAIR, Case, cases, single
from express_verdicts import frame
from sqlalchemy.dialects import mssql, mysql, oracle, postgresql, sqlite
from sqlite_oracle import TYPES, on_sqlite

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config_checks import dialects
from ruleferry.converters.engines import database
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.express.worded import worded
from ruleferry.converters.mappings import grade_of, table
from ruleferry.converters.predicates import (
    Absent,
    Compare,
    DistinctWithin,
    Length,
    Like,
    Matches,
    OneOf,
    PairIn,
    Present,
    Range,
    SameWithin,
)
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.proof.verdict import Raised
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import Table, Unread

V = "expect_column_values_to_"
LIKES = [{"like_pattern": p} for p in ("A%", "%b", "_b_", "abc", "%", "", "a\\%", "é%", "12")]
ESCAPED = [{"like_pattern": "1!%%", "escape": "!"}, {"like_pattern": "%!_b", "escape": "!"}]
LISTS = [
    {"like_pattern_list": ["A%", "%b"]},
    {"like_pattern_list": ["A%", "%b"], "match_on": "all"},
    {"like_pattern_list": ["1%"]},
]
NOT_LISTS = [{"like_pattern_list": ["A%", "%b"]}, {"like_pattern_list": ["x"]}]
LIKED = ("A", "a", "ab", "Ab", "AB", "xb", "abc", "ABC", "xaby", "É", "é", "1%", "1%2", "12", "a_b",
         "a\\", "a\\%", "a%", "axb", "", " ", "A\n")  # fmt: skip


def sqlite_cases():
    for case in cases():
        if set(case.columns.values()) <= TYPES.keys() and "strftime" not in case.type:
            yield case
    yield from single(V + "match_like_pattern", ("string",), *LIKES, *ESCAPED, extra=LIKED)
    yield from single(V + "not_match_like_pattern", ("string",), *LIKES, *ESCAPED, extra=LIKED)
    yield from single(V + "match_like_pattern_list", ("string",), *LISTS, extra=LIKED)
    yield from single(V + "not_match_like_pattern_list", ("string",), *NOT_LISTS, extra=LIKED)
    yield from single(V + "be_in_set", ("string",), {"value_set": ["", "A"]}, {"value_set": [None]})
    for ignore in IGNORE_PAIR:
        kwargs = {"column_A": "a", "column_B": "b", "value_pairs_set": [["", None], ["F", ""]]}
        yield Case(
            "expect_column_pair_values_to_be_in_set",
            {**kwargs, **ignore},
            {"a": "string", "b": "string"},
        )


def of_engine(element, columns, engine, version=(1, 24)):
    """The condition or the gap of an expectation that ran on a database."""
    rule = read_expectation(element, 0, Context("s.json", Table("t"), engine, version=version))
    if isinstance(rule.check, Unread):
        return rule.check
    return express(rule, Types({n: parse_type(t) for n, t in columns.items()}))


@pytest.fixture(scope="module")
def compared(spark, tmp_path_factory):
    """(case, condition or gap, old verdict, [(row, old, new)] where the two differ)."""
    folder = tmp_path_factory.mktemp("sqlite")
    by_columns = defaultdict(list)
    for case in sqlite_cases():
        by_columns[tuple(case.columns.items())].append(case)
    found = []
    for columns, group in by_columns.items():
        rows = some(frame(dict(columns), group))
        results = [of_engine(c.element, c.columns, "sqlite") for c in group]
        old = on_sqlite([c.element for c in group], rows, folder)
        texts = {str(i): r.text for i, r in enumerate(results) if isinstance(r, Condition)}
        judged = judge(texts, rows, spark)
        assert not judged.rejected
        for i, (case, result, verdict) in enumerate(zip(group, results, old, strict=True)):
            new = judged.verdicts.get(str(i))
            found.append((case, result, verdict, differing(rows, verdict, new)))
    return found


def some(rows: Rows) -> Rows:
    """Great Expectations lists no more than 200 rows; SQLite itself ends a text at a NUL."""
    plain = [row for row in rows.cells if not any("\0" in str(cell) for cell in row)]
    step = len(plain) // 200 + 1
    return Rows(rows.columns, tuple(plain[::step]))


def differing(rows, verdict, new):
    if isinstance(verdict, Raised) or new is None:
        return []
    return [t for t in zip(rows.cells, verdict.rows, new, strict=True) if t[1] != t[2]]


# SQLite, row by row -------------------------------------------------------------------------------


def test_an_exact_condition_gives_the_verdict_of_sqlite(compared):
    exact = [c for c in compared if isinstance(c[1], Condition) and c[1].grade == "exact"]
    assert not [(str(case), r.text, bad[:3]) for case, r, _, bad in exact if bad]
    assert sum(not isinstance(old, Raised) for _, _, old, _ in exact) > 150


def test_an_exact_condition_had_a_verdict_on_sqlite(compared):
    exact = [c for c in compared if isinstance(c[1], Condition) and c[1].grade == "exact"]
    assert not [(str(case), old.message) for case, _, old, _ in exact if isinstance(old, Raised)]


# What SQLite does otherwise: it folds ASCII letters alone, writes numbers its own way as text, and
# converts a value to the type of the column.
DIFFERING = {"like_case", "values_converted", "written_differently"}


def test_where_sqlite_differs_a_caveat_says_so(compared):
    """Each of these is seen to differ, and nothing else does."""
    codes = [{c.code for c in result.caveats} for _, result, _, bad in compared if bad]
    assert all(found & DIFFERING for found in codes)
    assert set().union(*codes) >= DIFFERING


LEFT = {"invalid_rule", "never_fails", "never_passes", "type_mismatch"}


def test_a_rule_without_a_condition_could_not_have_one(compared):
    """Great Expectations raised, or no value could change its verdict, or the types differ."""
    for case, result, old, _ in compared:
        if not isinstance(result, Condition):
            assert result.code in LEFT
            raised = isinstance(old, Raised)
            assert raised == (result.code == "invalid_rule") or result.code == "type_mismatch", case


# The facts of the other databases -----------------------------------------------------------------

COLUMNS = {"s": "string", "t": "string", "i": "bigint", "j": "bigint", "d": "double", "e": "double"}
S, N, D = {"column": "s"}, {"column": "i"}, {"column": "d"}
ST, DE = {"column_A": "s", "column_B": "t"}, {"column_A": "d", "column_B": "e"}
SET, REGEX, LIKE = V + "be_in_set", V + "match_regex", V + "match_like_pattern"
LENGTH, RANGE = "expect_column_value_lengths_to_be_between", V + "be_between"
MORE, SAME = (f"expect_column_pair_values_{n}" for n in ("a_to_be_greater_than_b", "to_be_equal"))
LETTERS = {"value_set": ["a", "b"]}

CONVERTS = [
    # engines that compare texts byte by byte, and engines that do not
    ("postgres sqlite snowflake bigquery oracle databricks trino athena clickhouse dremio hive",
     SET, S | LETTERS, "s IN ('a', 'b')", ""),
    ("mysql singlestore tsql redshift teradata",
     SET, S | LETTERS, "s IS NULL OR s IN ('a', 'b')", "text_comparison"),
    ("mysql tsql teradata redshift oracle", SET, N | {"value_set": [1, 2]},
     "i IS NULL OR i IN (1, 2)", ""),
    ("mysql tsql redshift postgres", MORE, ST,
     "s IS NULL OR t IS NULL OR s > t", "text_comparison"),
    ("sqlite snowflake trino", MORE, ST, "s IS NULL OR t IS NULL OR s > t", ""),
    ("postgres snowflake", SAME, ST, "s <=> t", ""),
    ("mysql", SAME, ST, "s <=> t", "text_comparison"),
    # a value of another type
    ("sqlite mysql tsql", SET, N | {"value_set": ["1"]}, "i IN (1)", "values_converted"),
    # an empty text
    ("oracle", V + "not_be_null", S, "s IS NOT NULL AND s <> ''", ""),
    ("oracle", V + "be_null", S, "s IS NULL OR s = ''", ""),
    ("oracle", V + "not_be_null", N, "i IS NOT NULL", ""),
    ("postgres", V + "not_be_null", S, "s IS NOT NULL", ""),
    ("oracle", V + "not_be_in_set", S | {"value_set": ["a", ""]},
     "s IS NULL OR s = '' OR s NOT IN ('a', '')", ""),
    ("oracle", SAME, ST, "nullif(s, '') <=> nullif(t, '')", ""),
    # NaN
    ("postgres snowflake databricks mysql tsql", RANGE, D | {"min_value": 1},
     "d IS NULL OR d >= 1", ""),
    ("bigquery trino clickhouse athena", RANGE, D | {"min_value": 1}, "d >= 1", "nan_compared"),
    ("bigquery redshift oracle", RANGE, D | {"max_value": 1}, "d IS NULL OR d <= 1", ""),
    ("oracle redshift teradata dremio", RANGE, D | {"min_value": 1}, "d >= 1", "nan_unknown"),
    ("sqlite", RANGE, D | {"min_value": 1}, "d IS NULL OR isnan(d) OR d >= 1", ""),
    ("bigquery", SAME, DE, "d <=> e", "nan_compared"),
    ("bigquery", RANGE, N | {"min_value": 1}, "i IS NULL OR i >= 1", ""),
    # lengths
    ("postgres snowflake oracle", LENGTH, S | {"min_value": 2}, "length(s) >= 2", ""),
    ("mysql clickhouse singlestore", LENGTH, S | {"min_value": 2}, "octet_length(s) >= 2",
     "length_counted"),
    ("tsql", LENGTH, S | {"min_value": 2}, "length(rtrim(s)) >= 2", "length_counted"),
    ("postgres", LENGTH, N | {"min_value": 2}, "length(CAST(i AS STRING)) >= 2",
     "written_differently"),
    # LIKE
    ("postgres snowflake oracle", LIKE, S | {"like_pattern": "A%"}, "s LIKE 'A%'", ""),
    ("mysql sqlite", LIKE, S | {"like_pattern": "A%"}, "s ILIKE 'A%'", "like_case"),
    ("tsql", LIKE, S | {"like_pattern": "[0-9]%"}, "s RLIKE '^[0-9]'", "like_class"),
    ("bigquery clickhouse", LIKE, S | {"like_pattern": "1!%", "escape": "!"},
     "s LIKE '1!%' ESCAPE '!'", ""),
    # regular expressions
    ("postgres", REGEX, S | {"regex": "^a.b$"}, r"s RLIKE '(?s)^a.b\z'", ""),
    ("bigquery", REGEX, S | {"regex": r"^\d+$"}, r"s RLIKE '^[0-9]+\z'", ""),
    ("postgres", REGEX, S | {"regex": r"\d"}, "s RLIKE '[0-9]'", "regex_database"),
    ("postgres bigquery", REGEX, S | {"regex": "(?i)ab"}, "s RLIKE '(?i)ab'", "regex_database"),
    ("postgres", REGEX, S | {"regex": "[[:digit:]]+"}, "s RLIKE '[0-9]+'", "regex_database"),
    ("bigquery", REGEX, S | {"regex": "[[:digit:]]+"}, "s RLIKE '[0-9]+'", ""),
    ("bigquery", REGEX, S | {"regex": "[a-z_-]+?(?:x|y){2}"}, r"RLIKE '[a-z_\-]+?(?:x|y){2}'", ""),
    ("snowflake trino oracle redshift clickhouse", REGEX, S | {"regex": "ab?c"}, "s RLIKE 'ab?c'",
     "regex_database"),
    ("databricks", REGEX, S | {"regex": r"\bab(?=c)"}, r"s RLIKE '\bab(?=c)'", ""),
    ("sqlite", REGEX, S | {"regex": "a$"}, "s RLIKE '(?d)a$'", ""),
    ("teradata", REGEX, S | {"regex": "ab"}, r"s RLIKE '(?i)\A(?:ab)\z'", "regex_database"),
    ("mysql", REGEX, S | {"regex": "ab"}, "s RLIKE '(?i)ab'", "regex_database"),
]  # fmt: skip


def plain(text):
    """With a backslash as it is, not as a SQL literal writes it."""
    return text.replace("\\\\", "\\")


@pytest.mark.parametrize(("engines", "kind", "kwargs", "text", "code"), CONVERTS)
def test_converts(engines, kind, kwargs, text, code):
    for engine in engines.split():
        found = of_engine({"type": kind, "kwargs": kwargs}, COLUMNS, engine)
        assert isinstance(found, Condition), (engine, found)
        codes = {c.code for c in found.caveats}
        assert text in plain(found.text), engine
        assert code in codes if code else codes <= {"like_blanks"}, engine
        assert (found.grade == "exact") == (not codes), engine


OLD = {"expectation_type": REGEX, "kwargs": S | {"regex": "ab"}}
NEW = {"type": REGEX, "kwargs": S | {"regex": "ab"}}
OLD_LIKE = {"expectation_type": LIKE, "kwargs": S | {"like_pattern": "a%"}}
NEW_LIKE = {"type": LIKE, "kwargs": S | {"like_pattern": "a%"}}


@pytest.mark.parametrize(
    ("engine", "version", "element", "text", "codes"),
    [
        ("snowflake", (1, 23), NEW, r"'\A(?:ab)\z'", {"regex_database"}),
        ("snowflake", (0, 18), OLD, r"'\A(?:ab)\z'", {"regex_database"}),
        ("snowflake", None, OLD, r"'\A(?:ab)\z'", {"regex_database"}),
        ("snowflake", (1, 24), NEW, "'ab'", {"regex_database"}),
        ("snowflake", None, NEW, r"'\A(?:ab)\z'", {"regex_database", "version_unknown"}),
        ("oracle", (1, 22), NEW, "'ab'", {"regex_database"}),
        ("oracle", None, NEW, "'ab'", {"regex_database", "version_unknown"}),
        ("oracle", None, NEW_LIKE, "'a%'", {"version_unknown"}),
        ("postgres", (0, 12), OLD, "'ab'", {"old_on_database"}),
        ("postgres", None, OLD, "'ab'", set()),
    ],
)
def test_the_version_decides(engine, version, element, text, codes):
    found = of_engine(element, COLUMNS, engine, version)
    assert plain(found.text).endswith(text)
    assert {c.code for c in found.caveats} == codes


def test_a_pattern_of_the_whole_text_needs_no_version():
    element = {"type": REGEX, "kwargs": S | {"regex": "^(a|b)c$"}}
    known, unknown = (of_engine(element, COLUMNS, "snowflake", v) for v in ((1, 24), None))
    assert known.text == unknown.text
    assert known.caveats == unknown.caveats
    two = {"type": REGEX, "kwargs": S | {"regex": "^a|b$"}}
    assert of_engine(two, COLUMNS, "snowflake", None).grade != "exact"
    assert r"\A" in of_engine(two, COLUMNS, "snowflake", None).text


MUST_NOT = [
    # Great Expectations has none for the database
    ("tsql athena hive presto duckdb", REGEX, {"regex": "a"}, (1, 24), "invalid_rule",
     "no regular expressions"),
    ("athena hive presto duckdb", LIKE, {"like_pattern": "a"}, (1, 24), "invalid_rule", "no LIKE"),
    ("oracle", REGEX, {"regex": "a"}, (1, 21), "invalid_rule", "since version 1.22"),
    ("oracle", LIKE, {"like_pattern": "a"}, (1, 23), "invalid_rule", "since version 1.24"),
    ("clickhouse", REGEX, {"regex": "a"}, (1, 23), "invalid_rule", "since version 1.24"),
    # what does not read alike
    ("postgres bigquery snowflake mysql", REGEX, {"regex": "(?=a)b"}, (1, 24), "regex", "it holds"),
    ("postgres bigquery", REGEX, {"regex": r"(a)\1"}, (1, 24), "regex", "it holds"),
    ("postgres bigquery", REGEX, {"regex": r"\ba"}, (1, 24), "regex", "it holds"),
    ("postgres", REGEX, {"regex": "a{2"}, (1, 24), "regex", "it holds {2"),
    ("postgres", REGEX, {"regex": "a{256}"}, (1, 24), "regex", "it repeats {256}"),
    ("bigquery", REGEX, {"regex": "a{3,2}"}, (1, 24), "regex", "it repeats {3,2}"),
    ("postgres", REGEX, {"regex": "(|a)"}, (1, 24), "regex", "a branch that is empty"),
    ("postgres", REGEX, {"regex": "a|"}, (1, 24), "regex", "a branch that is empty"),
    ("postgres", REGEX, {"regex": "a**"}, (1, 24), "regex", "follows nothing"),
    ("postgres", REGEX, {"regex": "^*a"}, (1, 24), "regex", "follows nothing"),
    ("postgres", REGEX, {"regex": "[!-z]"}, (1, 24), "regex", "the range !-z"),
    ("postgres", REGEX, {"regex": "[a-c-e]"}, (1, 24), "regex", "in the middle"),
    ("postgres", REGEX, {"regex": "[[:foo:]]"}, (1, 24), "regex", "[:foo:]"),
    ("snowflake oracle redshift", REGEX, {"regex": r"[\w.]"}, (1, 24), "regex", "a backslash"),
    ("snowflake oracle", REGEX, {"regex": "(?:a)"}, (1, 24), "regex", "it holds (?:"),
    ("snowflake", REGEX, {"regex": "a+?b"}, (1, 24), "regex", "it holds +?"),
    ("singlestore", REGEX, {"regex": r"\d"}, (1, 24), "regex", r"it holds \d"),
    ("trino", REGEX, {"regex": "[[:alpha:]]"}, (1, 24), "regex", "[:alpha:]"),
    ("dremio", REGEX, {"regex": "a"}, (1, 24), "regex", "not established"),
    ("sql exasol", REGEX, {"regex": "a"}, (1, 24), "regex", "regular expressions of its own"),
    # a null in the list, which Great Expectations leaves out since 1.24
    ("sqlite postgres sql", SET, {"value_set": ["a", None]}, (1, 23), "never_fails", "a null"),
    ("sqlite", SET, {"value_set": [None]}, (1, 24), "never_passes", "empty"),
    # an empty text in Oracle
    ("oracle", SET, {"value_set": ["a", ""]}, (1, 24), "never_fails", "an empty text"),
    ("oracle", LIKE, {"like_pattern": ""}, (1, 24), "no_equivalent", "an empty text"),
    # what only pandas and Spark have
    ("sqlite", V + "be_json_parseable", {}, (1, 24), "invalid_rule", "does not implement"),
    ("sqlite", V + "match_strftime_format", {"strftime_format": "%Y"}, (1, 24), "invalid_rule",
     "does not implement"),
]  # fmt: skip


@pytest.mark.parametrize(("engines", "kind", "kwargs", "version", "code", "reason"), MUST_NOT)
def test_must_not_convert(engines, kind, kwargs, version, code, reason):
    for engine in engines.split():
        found = of_engine({"type": kind, "kwargs": S | kwargs}, COLUMNS, engine, version)
        assert not isinstance(found, Condition), (engine, found)
        assert (found.code, reason in found.reason) == (code, True), (engine, found)


def test_nothing_is_exact_on_a_database_that_is_not_known():
    for case in sqlite_cases():
        for engine in ("sql", "exasol"):
            found = of_engine(case.element, case.columns, engine)
            assert not isinstance(found, Condition) or found.grade != "exact", case
            if isinstance(found, Condition):
                assert "database_unknown" in {c.code for c in found.caveats}


# '' in Oracle -------------------------------------------------------------------------------------

OF_TEXTS = [
    Present("s"), Absent("s"), OneOf("s", ("a", "b")), OneOf("s", ("a",), negated=True),
    Range("s", "a", "b"), Length("s", 1, 2), Like("s", ("%",)), Like("s", ("a%",), negated=True),
    Matches("s", ("a*",)), Compare("s", "=", "t"), Compare("s", ">", "t", "any_missing"),
    Compare("s", ">=", "t", "never"), PairIn("s", "t", (("a", "b"), (None, "a"))),
    DistinctWithin(("s", "t"), "never"), SameWithin(("s", "t"), "all_missing"),
]  # fmt: skip


def test_an_empty_text_is_a_missing_value_in_oracle(spark):
    """Each rule says the same of '' and of NULL, in any place."""
    types = {name: parse_type("string") for name in "st"}
    texts = {str(p): worded(p, "oracle", Types(types)).text for p in OF_TEXTS}
    values = (None, "", "a", "b", "ab")
    cells = tuple((s, t) for s in values for t in values)
    found = judge(texts, Rows(tuple(types.items()), cells), spark).verdicts
    place = {cell: i for i, cell in enumerate(cells)}
    for name, letters in found.items():
        for s, t in cells:
            assert letters[place[s, t]] == letters[place[s or None, t or None]], (name, s, t)


# Great Expectations' own SQL ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "module", "regex", "like"),
    [
        ("postgres", postgresql, "c ~ ", "c LIKE"),
        ("mysql", mysql, "c REGEXP ", "c LIKE"),
        ("oracle", oracle, "regexp_like(c, ", "c LIKE"),
        ("sqlite", sqlite, "c REGEXP ", "c LIKE"),
        ("tsql", mssql, None, "c LIKE"),
    ],
)
def test_the_table_agrees_with_great_expectations(engine, module, regex, like):
    from great_expectations.expectations.metrics import util

    made = util.get_dialect_regex_expression(sa.column("c"), "a", module)
    assert (made is None) == (regex is None) == (database(engine).regex is None)
    if regex:
        assert str(made.compile(dialect=module.dialect())).startswith(regex)
    liked = util.get_dialect_like_pattern_expression(sa.column("c"), module, "a")
    assert str(liked.compile(dialect=module.dialect())).startswith(like)
    assert database(engine).like is not None


def test_only_sql_server_counts_characters_without_blanks():
    for engine, module in (("postgres", postgresql), ("tsql", mssql), ("oracle", oracle)):
        made = str(sa.func.length(sa.column("c")).compile(dialect=module.dialect()))
        assert ("LEN(c)" in made) == (database(engine).length == "trimmed")


def test_every_database_is_a_dialect():
    assert set(table("engines")) <= set(dialects())


# Regular expressions, as the databases themselves read them ---------------------------------------

# Measured on PostgreSQL 16 and on RE2 2025-11-05: a pattern, a text, whether it holds a match.
MEASURED = [
    ("a.b", "a\nb", {"postgres": True, "bigquery": False}),
    ("a.b", "a\rb", {"postgres": True, "bigquery": True}),
    ("a.b", "a\u2028b", {"postgres": True, "bigquery": True}),
    ("b$", "ab\n", {"postgres": False, "bigquery": False}),
    ("b$", "ab\r", {"postgres": False, "bigquery": False}),
    ("b$", "ab", {"postgres": True, "bigquery": True}),
    ("^a", "b\na", {"postgres": False, "bigquery": False}),
    ("[^a]", "\n", {"postgres": True, "bigquery": True}),
    ("a.c", "a😀c", {"postgres": True, "bigquery": True}),
    ("a..c", "a😀c", {"postgres": False, "bigquery": False}),
    (r"^[a\-z]$", "m", {"postgres": False, "bigquery": False}),
    (r"\s", "\v", {"bigquery": False}),
    (r"\s", "\u00a0", {"bigquery": False}),
    (r"\d", "٣", {"bigquery": False}),
    (r"\w", "é", {"bigquery": False}),
    (r"\W", "é", {"bigquery": True}),
    ("[[:space:]]", "\v", {"bigquery": True}),
    ("[[:punct:]]", "~", {"bigquery": True}),
    ("a+?$", "aa", {"postgres": True, "bigquery": True}),
    ("^(?:a|ab)c$", "abc", {"postgres": True, "bigquery": True}),
]


def test_a_pattern_finds_what_it_found_in_the_database(spark):
    asked = [(p, t, e, v) for p, t, found in MEASURED for e, v in found.items()]
    kinds = {"s": parse_type("string")}
    texts, old = {}, {}
    for number, (pattern, _, engine, verdict) in enumerate(asked):
        made = worded(Matches("s", (pattern,)), engine, Types(kinds))
        assert grade_of(made.told) == "exact"
        texts[str(number)], old[str(number)] = made.text, verdict
    cells = tuple(dict.fromkeys((text,) for _, text, *_ in asked))
    judged = judge(texts, Rows(tuple(kinds.items()), cells), spark).verdicts
    place = {cell: i for i, cell in enumerate(cells)}
    for number, (pattern, text, engine, verdict) in enumerate(asked):
        new = judged[str(number)][place[(text,)]] == "T"
        assert new == verdict, (engine, pattern, text)


ONE = "either_value_is_missing"
PAIRS = {"value_pairs_set": [["F", "O"]], "ignore_row_if": "neither"}


@pytest.mark.parametrize(
    ("name", "kwargs", "kind", "on_a_database"),
    [
        (
            *("expect_column_pair_values_to_be_in_set", PAIRS, "string"),
            "(a IS NULL OR a = 'F') AND (b IS NULL OR b = 'O')",
        ),
        (
            *("expect_multicolumn_sum_to_equal", {"sum_total": 3}, "bigint"),
            "a IS NULL OR b IS NULL OR coalesce(try_add(a, b) = 3, FALSE)",
        ),
        ("expect_column_pair_values_to_be_in_set", {**PAIRS, "ignore_row_if": ONE}, "string", None),
    ],
)
def test_without_an_engine_a_database_that_differs_is_told(name, kwargs, kind, on_a_database):
    of = {"column_list": ["a", "b"]} if "multi" in name else {"column_A": "a", "column_B": "b"}
    element = {"type": name, "kwargs": {**of, **kwargs}}
    found = of_engine(element, {"a": kind, "b": kind}, None)
    told = [c.detail for c in found.caveats if "on a database: " in c.detail]
    begin = "taken to have run on Spark; on a database: "
    assert told == ([f"{begin}{on_a_database}"] if on_a_database else [])
    assert (found.grade == "assumed") == bool(on_a_database)
