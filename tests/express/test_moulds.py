"""A rule says the same with and without its mould, whatever its names, literals and types are."""

from dataclasses import astuple, replace
from decimal import Decimal

import pytest
from express_cases import cases
from express_strategies import batches
from hypothesis import given, settings
from hypothesis import strategies as st
from old_cases import TIMED
from old_cases import cases as old_cases

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import moulds
from ruleferry.converters.express.moulds import moulded
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.sql_text import UnsafeText
from ruleferry.converters.express.worded import worded
from ruleferry.converters.predicates import (
    Absent,
    Compare,
    DistinctWithin,
    Json,
    Length,
    Matches,
    OneOf,
    Present,
    Range,
    SameWithin,
)
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import Row, Table

ENGINES = (None, "spark", "pandas", "sql")
UNKNOWN = Types()


def outcome(make, *args):
    """What is said of a rule: its condition, or why there is none."""
    try:
        said = make(*args)
    except CannotExpress as cannot:
        return cannot.gap
    except UnsafeText as unsafe:
        return str(unsafe)
    return said, said.meaning.form


def both_ways(predicate, types):
    for engine in ENGINES:
        made = (predicate, engine, types)
        assert outcome(moulded, *made) == outcome(worded, *made), engine


def predicates(case, version=None):
    """The predicate of a case, and the types of its columns: declared, claimed and unknown."""
    key = "expectation_type" if version else "type"
    element = {key: case.type, "kwargs": dict(case.kwargs)}
    context = Context("suite.json", Table("t"), None, version=version)
    check = read_expectation(element, 0, context).check
    known = {name: parse_type(text) for name, text in case.columns.items()}
    if isinstance(check, Row):
        yield from ((check.predicate, t) for t in (Types(known), Types(None, known), UNKNOWN))


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_every_case_is_the_same_without_its_mould(case):
    for predicate, types in predicates(case):
        both_ways(predicate, types)


@pytest.mark.parametrize("version", [(0, 12), (0, 18)])
def test_every_case_of_0_x_is_the_same_without_its_mould(version):
    for case in (*old_cases(), *(case for timed in TIMED for case in timed.cases())):
        for predicate, types in predicates(case, version):
            both_ways(predicate, types)


@given(batches())
@settings(max_examples=20, deadline=None)
def test_rules_with_literals_that_nobody_chose(batch):
    for case in batch:
        for predicate, types in predicates(case):
            both_ways(predicate, types)


# Literals of which a room sees more than their kind, and such as look like a stand-in.
NAMES = ("a", "Amount", "order id", "select", "a.b", "é", "`", "{0}", "x${y}", "", "\ud800")
NAMES += (moulds._COLUMNS[0], moulds._COLUMNS[1], moulds._COLUMNS[0].upper())
TEXTS = ("", "A", "it's", "a\\b", "${x}", "{0}", "a\nb", "1", "1e3", "true", "NaN", "2020-01-01")
TEXTS += ("2020-01-01 10:00:00", "\ud800", "%", *moulds._TEXTS[:3], str(moulds._NUMBERS[0]))
NUMBERS = (0, 1, 2, -1, 7, 15, 2**31 - 1, 2**31, 2**53, *moulds._NUMBERS[:3])
NUMBERS += (Decimal("0.5"), Decimal("7"), Decimal("7.0"), None)
TYPES = ("string", "char(3)", "int", "bigint", "decimal(15,2)", "decimal(38,0)", "float", "double")
TYPES += ("boolean", "date", "timestamp", "timestamp_ntz", "binary", "array<int>", "interval day")

names = st.sampled_from(NAMES) | st.text(max_size=5)
texts = st.sampled_from(TEXTS) | st.text(max_size=5)
numbers = st.sampled_from(NUMBERS) | st.integers()
patterns = (
    st.sampled_from(["^[A-Z]{2}$", "x", "", "^", r"\d+", "(", "a.b", "(?i)k", *TEXTS]) | texts
)
moments = st.none() | st.dates() | st.datetimes()
values = texts | numbers | st.booleans()
flags = st.booleans()
ignores = st.sampled_from(["all_missing", "any_missing", "never"])


def listed(values, **limits):
    return st.lists(values, **limits).map(tuple)


any_predicate = st.one_of(
    st.builds(Present, names),
    st.builds(Absent, names),
    st.builds(Json, names),
    st.builds(Range, names, numbers, numbers, flags, flags),
    st.builds(Range, names, moments, moments, flags, flags),
    st.builds(Range, names, texts, texts, flags, flags),
    st.builds(Length, names, st.none() | st.integers(-2, 9), st.none() | st.integers(-2, 9), flags),
    st.builds(OneOf, names, listed(numbers, max_size=4), flags),
    st.builds(OneOf, names, listed(texts, max_size=4), flags),
    st.builds(OneOf, names, listed(values, max_size=4), flags),
    st.builds(OneOf, names, listed(st.integers(0, 99), min_size=29, max_size=32, unique=True)),
    st.builds(Matches, names, listed(patterns, min_size=1, max_size=3), flags, flags),
    st.builds(Compare, names, st.sampled_from(["=", ">", ">="]), names, ignores),
    st.builds(DistinctWithin, listed(names, min_size=2, max_size=4), ignores),
    st.builds(SameWithin, listed(names, min_size=2, max_size=4), ignores),
)


def spoken(predicate):
    """The names of columns among a predicate's fields."""
    fields = astuple(predicate)
    return fields[0] if isinstance(fields[0], tuple) else [f for f in fields if isinstance(f, str)]


@st.composite
def typed(draw):
    predicate = draw(any_predicate)
    kinds = {n.lower(): parse_type(draw(st.sampled_from(TYPES))) for n in spoken(predicate)}
    suite = {name: replace(kind, known_from="suite") for name, kind in kinds.items()}
    return predicate, draw(st.sampled_from([Types(kinds), Types(None, suite), UNKNOWN, Types({})]))


@given(typed())
@settings(max_examples=1500, deadline=None)
def test_any_rule_is_the_same_without_its_mould(rule):
    both_ways(*rule)


def mould_of(predicate, types=UNKNOWN, engine="spark"):
    case = moulds._case(predicate, engine)
    kinds = case and moulds._kinds(case, types)
    return case and kinds and moulds._mould(case.like, kinds, types.declared is None, engine)


@pytest.mark.parametrize(
    "pair",
    [
        (Present("a"), Present("order id")),
        (Range("a", 0, 7), Range("b", 15, 99)),
        (OneOf("a", ("A", "B")), OneOf("b", ("it's", "${x}"))),
        (OneOf("a", (0, 1)), OneOf("b", (7, 8))),
        (Matches("a", ("^[A-Z]{2}$",)), Matches("b", ("x-[0-9]$",))),
        (Compare("a", ">", "b"), Compare("b", ">", "a")),
    ],
    ids=str,
)
@pytest.mark.parametrize("engine", ENGINES[:3])
def test_rules_that_differ_in_plain_literals_share_a_mould(pair, engine):
    one, other = (mould_of(predicate, engine=engine) for predicate in pair)
    assert one is other is not None


@pytest.mark.parametrize(
    ("predicate", "types"),
    [
        (Present("a.b"), UNKNOWN),  # a column, or a field of one
        (Present("a"), Types({})),  # the schema has no such column
        (Range("a", 7, 7), UNKNOWN),  # is written as one comparison, or refused
        (Range("a", 8, 7), UNKNOWN),
        (Range("a", Decimal("0.5"), 7), UNKNOWN),  # a decimal is compared in its digits
        (Length("a", 0), UNKNOWN),  # no text is shorter
        (OneOf("a", ("A", None)), UNKNOWN),
        (OneOf("a", ("A", 1)), UNKNOWN),
        (OneOf("a", (True, False)), UNKNOWN),  # True is no 1 here
        (OneOf("a", ("1", "2")), Types({"a": parse_type("int")})),  # numbers in texts
        (OneOf("a", ("2020-01-01",)), Types({"a": parse_type("date")})),
        (OneOf("a", (0, 1)), Types({"a": parse_type("boolean")})),
        (Matches("a", (".*",)), UNKNOWN),  # every text matches
        (Matches("a", ("(",)), UNKNOWN),
        (Compare("a", "=", "A"), UNKNOWN),  # one column twice
    ],
    ids=str,
)
def test_a_rule_of_which_more_must_be_seen_has_no_mould(predicate, types):
    assert not mould_of(predicate, types)
