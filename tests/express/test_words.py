"""Rules that a person wrote in words: the verdicts that the words mean, on Spark in ANSI mode."""

import math
from collections import defaultdict

import pytest
from word_cases import VALUES, cases

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table

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


TOLD = {"type_unknown", "session_time_zone", "zone_left_out"}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_tool_is_spoken_of(case):
    made = of(case.predicate, {"c": case.type} if case.known else None, case.words)
    told = " ".join(caveat.detail for caveat in made.caveats)
    assert not [t for t in ("pandas", "Great", "Spark 2", "Spark 3", "Python") if t in told]
    assert {caveat.code for caveat in made.caveats} <= TOLD | {"values_never_match"}
    assert made.grade == "exact" or {c.code for c in made.caveats} & TOLD
