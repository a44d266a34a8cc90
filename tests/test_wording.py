"""Rules in plain words."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import get_args

import pytest

from ruleferry.converters.rule import (
    Absent,
    Columns,
    Compare,
    DistinctWithin,
    Figure,
    Format,
    Json,
    LegacyRule,
    Length,
    Like,
    Matches,
    NotARule,
    OneOf,
    Ordered,
    Origin,
    PairIn,
    Predicate,
    Present,
    Range,
    Row,
    SameWithin,
    Share,
    SqlText,
    SumIs,
    Table,
    Unique,
    Unread,
)
from ruleferry.converters.wording import in_words

NOON = datetime(2020, 1, 1, 12, 0, tzinfo=UTC)
QUERY = "SELECT * FROM {batch} WHERE a < 0"
PREDICATES = [
    (Present("a"), "a has a value"),
    (Absent("a"), "a has no value"),
    (Range("a", 1, 5), "a is at least 1 and at most 5"),
    (Range("a", 1, 5, low_open=True, high_open=True), "a is above 1 and below 5"),
    (Range("a", Decimal("1.10")), "a is at least 1.10"),
    (Range("a", None, -1, high_open=True), "a is below -1"),
    (Range("a", 0, 0), "a is exactly 0"),
    (Range("a", 5, 5, low_open=True), "a is above 5 and at most 5"),
    (Range("a", 5, 5, high_open=True), "a is at least 5 and below 5"),
    (Range("a", "x", "z"), "a is at least x and at most z"),
    (Range("a", date(2020, 1, 1), NOON), "a is at least 2020-01-01 and at most "
     "2020-01-01 12:00:00+00:00"),
    (Range("a"), "a is anything"),
    (Length("a", 1, 3), "a has at least 1 and at most 3 characters"),
    (Length("a", 3, 3), "a has exactly 3 characters"),
    (OneOf("a", ("x", 1, Decimal("1.50"), None, True, False)),
     "a is one of x, 1, 1.50, null, true, false"),
    (OneOf("a", ("",)), "a is one of an empty text"),
    (OneOf("a", ()), "a is one of an empty list"),
    (OneOf("a", ("x",), negated=True), "a is none of x"),
    (OneOf("a", tuple(range(8))), "a is one of 0, 1, 2, 3, 4, 5 and 2 more"),
    (OneOf("a", tuple(range(6))), "a is one of 0, 1, 2, 3, 4, 5"),
    (Matches("a", ("^x",)), "a matches the pattern ^x"),
    (Matches("a", ("^x",), each=True), "a matches the pattern ^x"),
    (Matches("a", ("x", "y")), "a matches one of the patterns x, y"),
    (Matches("a", ("x", "y"), each=True), "a matches each of the patterns x, y"),
    (Matches("a", ("x",), negated=True), "a does not match the pattern x"),
    (Matches("a", ("x", "y"), negated=True), "a matches none of the patterns x, y"),
    (Like("a", ("x%",)), "a matches the LIKE pattern x%"),
    (Like("a", ("x%", "y"), each=True), "a matches each of the LIKE patterns x%, y"),
    (Like("a", ("x%",), negated=True), "a does not match the LIKE pattern x%"),
    (Format("a", "%Y-%m"), "a is a date or time written as %Y-%m"),
    (Json("a"), "a is JSON"),
    (Compare("a", "=", "b"), "a equals b"),
    (Compare("a", ">", "b"), "a is greater than b"),
    (Compare("a", ">=", "b"), "a is at least b"),
    (PairIn("a", "b", (("x", 1), (None, ""))),
     "a and b are one of the pairs (x, 1), (null, an empty text)"),
    (PairIn("a", "b", tuple((i, i) for i in range(7))),
     "a and b are one of the pairs (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5) and 1 more"),
    (DistinctWithin(("a", "b", "c")), "a, b, c differ from each other"),
    (SameWithin(("a", "b")), "a, b are all equal"),
    (SumIs(("a", "b"), Decimal("0.30")), "a, b add up to 0.30"),
    (SqlText(QUERY, "spark", bad=True, whole_query=True), f"no record is found by {QUERY}"),
    (SqlText("a > 0", "spark", bad=False), "a > 0"),
]  # fmt: skip
CHECKS = [
    *((Row(predicate), words) for predicate, words in PREDICATES),
    (Share(Row(Present("a")), Decimal("0.95")), "a has a value, in at least 95% of the records"),
    (Share(Row(Json("a")), Decimal("0.9950")), "a is JSON, in at least 99.50% of the records"),
    (Share(Row(Absent("a")), Decimal(0)), "a has no value, in at least 0% of the records"),
    (Unique(("a",)), "a: each value occurs once"),
    (Unique(("a", "b")), "a, b: each combination occurs once"),
    (Ordered("a"), "a never falls from one record to the next"),
    (Ordered("a", strictly=True), "a rises from one record to the next"),
    (Ordered("a", descending=True), "a never rises from one record to the next"),
    (Ordered("a", descending=True, strictly=True), "a falls from one record to the next"),
    (Figure("unique_share", ("a",), (("mostly", "0.9"),)), "unique share of a: mostly 0.9"),
    (Figure("row_count", (), (("max_value", "5"), ("min_value", "1"))),
     "row count: max_value 5, min_value 1"),
    (Figure("max", ("a",)), "max of a"),
    (Columns("column_count", (), (("value", "5"),)), "column count: value 5"),
    (Unread("malformed", "it is nothing"), "a, b"),
    (NotARule("a heading"), "a, b"),
]  # fmt: skip


def rule(check, scope=None, columns=("a", "b")) -> LegacyRule:
    origin = Origin("s.json", "expectations[0]", "", "great_expectations")
    return LegacyRule(origin, "x", "predicate", check, Table("t"), columns, scope)


@pytest.mark.parametrize(("check", "words"), CHECKS)
def test_a_rule_in_words(check, words):
    assert in_words(rule(check)) == words


def test_a_rule_on_some_records_says_on_which():
    scope = SqlText("b > 1", "spark", bad=False)
    assert in_words(rule(Row(Present("a")), scope)) == "a has a value, where b > 1"


def test_without_columns_there_is_nothing_to_say_of_what_could_not_be_read():
    assert in_words(rule(Unread("malformed", "x"), columns=())) == ""


def test_every_predicate_has_words():
    assert {type(predicate) for predicate, _ in PREDICATES} == set(get_args(Predicate))
