"""Rules that a person wrote in words: the verdicts that the words mean, on Spark in ANSI mode."""

import math
from collections import defaultdict
from dataclasses import replace

import pytest
from word_cases import VALUES, D, cases

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.compare import contradict, extent, relation
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.normal_form import normal
from ruleferry.converters.predicates import (
    AgainstToday,
    Comparison,
    CountPresent,
    Format,
    Identity,
    Length,
    Matches,
    OneOf,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table, Unique
from ruleferry.converters.wording import in_words

CASES = tuple(cases())


def rule(predicate, words=(), scope=None):
    origin = Origin("d.xlsx", "Sheet1!A2", "text", "spreadsheet", "words")
    return LegacyRule(
        origin, "a", "predicate", Row(predicate), Table("t"), scope=scope, missing_words=words
    )


def of(predicate, types=None, words=(), scope=None):
    """`types`: column -> type text, None without a schema."""
    known = None if types is None else {n: parse_type(t) for n, t in types.items()}
    return express(rule(predicate, words, scope), Types(known))


def rows_of(type_):
    return Rows((("c", parse_type(type_)),), tuple((value,) for value in (*VALUES[type_], None)))


@pytest.fixture(scope="module")
def judged(spark):
    """Case -> its verdicts, one letter a value, the missing one at last."""
    by_type = defaultdict(list)
    for case in CASES:
        by_type[case.type].append(case)
    found = {}
    for type_, group in by_type.items():
        texts = {}
        for number, case in enumerate(group):
            made = of(case.predicate, {"c": type_} if case.known else None, case.words)
            assert isinstance(made, Condition), (str(case), made)
            assert made.over == "record", str(case)
            texts[str(number)] = made.text
        result = judge(texts, rows_of(type_), spark)
        assert not result.rejected
        found |= {case: result.verdicts[str(number)] for number, case in enumerate(group)}
    return found


def same(a, b):
    nan = isinstance(a, float) and math.isnan(a) and isinstance(b, float) and math.isnan(b)
    return nan or (a == b and type(a) is type(b))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_has_the_verdict_that_the_words_mean(case, judged):
    *verdicts, missing = judged[case]
    values = VALUES[case.type]
    assert all(any(same(value, v) for v in values) for value in case.good)
    good = [value for value in values if any(same(value, v) for v in case.good)]
    passed = [value for value, letter in zip(values, verdicts, strict=True) if letter == "T"]
    assert list(map(repr, passed)) == list(map(repr, good))
    assert set(verdicts) <= {"T", "F"}
    assert missing == ("T" if case.missing else "F")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_read_back_as_it_is_written(case):
    made = of(case.predicate, {"c": case.type} if case.known else None, case.words)
    assert to_sql(parse_condition(made.text)) == made.text


TOLD = {"type_unknown", "session_time_zone", "zone_left_out", "iso_dates"}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_tool_is_spoken_of(case):
    made = of(case.predicate, {"c": case.type} if case.known else None, case.words)
    told = " ".join(caveat.detail for caveat in made.caveats)
    assert not [t for t in ("pandas", "Great", "Spark 2", "Spark 3", "Python") if t in told]
    assert {caveat.code for caveat in made.caveats} <= TOLD | {"values_never_match"}
    assert made.grade == "exact" or {c.code for c in made.caveats} & TOLD


# The schema, and gaps -----------------------------------------------------------------------------

SETTLED = (
    (Typed("c", "text"), "string"), (Typed("c", "text"), "varchar(10)"),
    (Typed("c", "integer"), "int"), (Typed("c", "integer", 10), "int"),
    (Typed("c", "integer", 19), "bigint"), (Typed("c", "number"), "double"),
    (Typed("c", "decimal", 10, 2), "decimal(10,2)"), (Typed("c", "decimal"), "bigint"),
    (Typed("c", "decimal", 12, 2), "int"), (Typed("c", "boolean"), "boolean"),
    (Typed("c", "date"), "date"), (Typed("c", "timestamp"), "timestamp_ntz"),
)  # fmt: skip


@pytest.mark.parametrize(("predicate", "type_"), SETTLED)
def test_what_the_type_settles_is_said_of_the_schema(predicate, type_, spark):
    made = of(predicate, {"c": type_}, ("NA",), Present("c"))
    unsized = predicate.sort == "decimal" and predicate.precision  # by its name alone
    grade, codes = ("differs", ["size_not_checked"]) if unsized else ("exact", [])
    assert (made.over, made.grade, made.nulls) == ("schema", grade, "none")
    assert [caveat.code for caveat in made.caveats] == codes
    name = type_.partition("(")[0]
    others = f",b:int,{{}}:{type_},z:date,"
    row = f"SELECT array('b', 'C', 'z') AS names, '{others}' AS types"
    assert spark.sql(f"SELECT {made.text} AS good FROM ({row.format('C')})").first().good
    assert not spark.sql(f"SELECT {made.text} AS good FROM ({row.format('cc')})").first().good
    assert name


WIDER = (
    (Typed("c", "integer", 10), "int", "bigint"),
    (Typed("c", "integer", 3), "tinyint", "smallint"),
    (Typed("c", "decimal", 12, 2), "int", "bigint"),
    (Typed("c", "decimal", 12, 2), "decimal(12,2)", "double"),
)


@pytest.mark.parametrize(("predicate", "fits", "wider"), WIDER)
def test_a_type_with_room_for_more_digits_does_not_hold(predicate, fits, wider, spark):
    made = of(predicate, {"c": fits}, ("NA",), Present("c"))
    for type_, good in ((fits, True), (wider, False)):
        row = f"SELECT array('c') AS names, ',c:{type_},' AS types"
        assert spark.sql(f"SELECT {made.text} AS good FROM ({row})").first().good is good


WITHOUT = (
    (Typed("c", "text"), None, "never_fails"),
    (Typed("c", "text"), "int", "type_mismatch"),
    (Typed("c", "date"), "int", "type_mismatch"),
    (Typed("c", "integer"), "date", "type_mismatch"),
    (Typed("c", "number"), "boolean", "type_mismatch"),
    (Typed("c", "boolean"), "date", "type_mismatch"),
    (Typed("c", "timestamp"), "date", "type_mismatch"),
    (OneOf("c", ("TRUE", "FALSE", "true", "false")), "boolean", "never_fails"),
    (Typed("c", "time"), "timestamp", "type_mismatch"),
    (Typed("c", "number"), "binary", "type_mismatch"),
    (Typed("c", "integer"), "array<int>", "type_mismatch"),
    (Typed("c", "decimal", 5), "double", "unclear"),
    (Typed("c", "decimal", 2, 5), None, "invalid_rule"),
    (Typed("c", "decimal", 0, 0), None, "invalid_rule"),
    (Typed("c", "integer", 10**9), "string", "invalid_rule"),
    (CountPresent(()), None, "invalid_rule"),
    (CountPresent(("c",), 2), None, "never_passes"),
    (CountPresent(("c",), 0), None, "never_fails"),
    (Identity("c", ()), None, "invalid_rule"),
    (Identity("c", ((1, "c"),)), "date", "type_mismatch"),
    (Identity("c", ((1, "x"),)), "int", "column_unknown"),
    (AgainstToday("c", "<="), "int", "type_mismatch"),
    (AgainstToday("c", "<=", 10**9), None, "invalid_rule"),
    (Length("c", 1, 5), "int", "type_mismatch"),
    (Length("c", 1, 5), "date", "type_mismatch"),
    (Matches("c", ("^a",)), "double", "type_mismatch"),
    (Matches("c", ("[",)), "string", "regex"),
    (Format("c", "%Y"), "date", "type_mismatch"),
    (Range("c", 0, 5), "date", "type_mismatch"),
    (Range("c", D("1e400")), "string", "invalid_rule"),
    (OneOf("c", ("Y", "N")), "boolean", "never_passes"),
    (OneOf("c", (D("1e400"),)), None, "invalid_rule"),
    (OneOf("c", (D("1e400"),)), "double", "invalid_rule"),
)


@pytest.mark.parametrize(("predicate", "type_", "code"), WITHOUT)
def test_a_rule_without_a_condition_says_why(predicate, type_, code):
    found = of(predicate, None if type_ is None else {"c": type_})
    assert isinstance(found, Gap), found
    assert found.code == code
    assert not [t for t in ("pandas", "Great", "never ran", "expectation") if t in found.reason]


# Wording, merging and the dictionary's own types --------------------------------------------------

WORDS = (
    (Typed("c", "integer"), "c is a whole number"),
    (
        Typed("c", "decimal", 5, 2),
        "c is a decimal number of at most 5 digits, 2 digits after the point",
    ),
    (Typed("c", "decimal", None, 1), "c is a decimal number of at most 1 digit after the point"),
    (CountPresent(("a", "b")), "at least 1 of a, b has a value"),
    (CountPresent(("a", "b"), 0, 1), "at most 1 of a, b has a value"),
    (CountPresent(("a", "b", "c"), 1, 2), "at least 1 and at most 2 of a, b, c have a value"),
    (CountPresent(("a", "b"), 1, 1), "exactly 1 of a, b has a value"),
    (CountPresent(("a", "b"), 2), "all of a, b have a value"),
    (Identity("c", ((1, "a"), (-1, "b"))), "c equals a - b"),
    (AgainstToday("c", "<="), "c is at most today"),
    (AgainstToday("c", ">=", -7), "c is at least 7 days before today"),
    (AgainstToday("c", "<", 1, now=True), "c is below 1 day after this moment"),
    (Length("c", high=5, in_bytes=True), "c has at most 5 bytes"),
    (Format("c", "%Y", exact=True), "c is a date or time written as %Y, with all digits"),
)  # fmt: skip


@pytest.mark.parametrize(("predicate", "said"), WORDS)
def test_it_is_said_in_words(predicate, said):
    assert in_words(rule(predicate)) == said


def test_the_blanks_of_a_padded_column_are_no_part_of_the_value():
    padded = {"c": "char(10)"}
    assert "length(rtrim(c))" in of(Length("c", 1, 5), padded).text
    assert "regexp_extract(rtrim(c)" in of(Range("c", 0, 5), padded).text


def test_digits_that_a_double_does_not_hold_are_told():
    for type_ in (None, "string", "double"):
        types = None if type_ is None else {"c": type_}
        told = [c.code for c in of(Range("c", 0, 12345678901234567), types).caveats]
        assert "digits_compared" in told
        assert "digits_compared" not in [c.code for c in of(Range("c", 0, 5), types).caveats]
    assert of(Range("c", 0, 12345678901234567), {"c": "bigint"}).grade == "exact"
    assert "digits_compared" in [c.code for c in of(Range("c", D("0.1")), {"c": "float"}).caveats]


def test_digits_in_a_pattern_are_those_of_ascii():
    made = of(Matches("c", (r"^\d{5}\Z",)), {"c": "string"})
    assert (made.grade, made.text) == ("exact", "c IS NULL OR c RLIKE '^\\\\d{5}\\\\z'")
    letters = of(Matches("c", (r"^\w\d\Z",)), {"c": "string"})
    assert [c.code for c in letters.caveats] == ["regex_unicode"]


def test_a_scope_may_name_a_word_that_counts_as_missing():
    made = of(Present("c"), {"a": "string", "c": "int"}, ("NA",), Comparison("a", "=", "NA"))
    assert made.text == "a IS NULL OR a <> 'NA' OR c IS NOT NULL"
    made = of(Present("c"), {"a": "string", "c": "int"}, ("NA",), Comparison("a", "!=", "x"))
    assert made.text == "a IS NULL OR a = 'NA' OR a = 'x' OR c IS NOT NULL"


def test_equal_rules_say_the_same():
    for a, b in (
        (CountPresent(("a", "b")), CountPresent(("b", "a"))),
        (CountPresent(("c",)), Present("c")),
        (Typed("c", "decimal"), Typed("c", "number")),
        (Range("c", 0, 5), Range("c", D("0.0"), D("5.00"))),
    ):
        assert of(a).said == of(b).said
    assert of(Typed("c", "integer")).said != of(Typed("c", "number")).said


def test_no_rule_takes_what_the_dictionary_says_of_a_type_for_granted():
    claimed = Types(None, {"c": parse_type("int")})
    assert express(rule(Range("c", 0, 5)), claimed) == of(Range("c", 0, 5))


def test_a_range_that_leaves_nan_out_is_still_compared_with_others():
    def extent_of(low, high):
        return extent(of(Range("c", low, high), {"c": "double"}).meaning.form)

    assert contradict(extent_of(5, None), extent_of(0, None))
    loose, tight = (of(Range("c", low, None), {"c": "double"}).meaning.form for low in (0, 5))
    assert relation(tight, loose) == "tighter"
    plain = normal(parse_condition("c IS NULL OR c >= 0"))
    assert relation(loose, plain) == "tighter"


# Keys ---------------------------------------------------------------------------------------------


def test_a_missing_key_is_no_copy(spark):
    check = Unique(("c",))
    unique = replace(rule(Present("c"), ("NA", "")), check=check, columns=("c",))
    made = express(unique, Types({"c": parse_type("string")}))
    values = ["NA", "NA", "", " ", None, None, "x", "x", "y"]
    frame = spark.createDataFrame([(v,) for v in values], "c string")
    (column,) = made.computed
    flagged = frame.selectExpr("c", f"{column.sql} AS {column.stand_in}")
    rows = flagged.selectExpr("c", f"{made.text} AS good").collect()
    assert {row.c for row in rows if not row.good} == {"x"}
    assert all(row.good is not None for row in rows)
