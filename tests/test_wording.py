"""Rules in plain words."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import get_args

import pytest

from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    Compare,
    CountPresent,
    DistinctWithin,
    Format,
    Identity,
    Json,
    Length,
    Like,
    Matches,
    OneOf,
    PairIn,
    Predicate,
    Present,
    Range,
    SameWithin,
    SqlText,
    SumIs,
    Typed,
)
from ruleferry.converters.rule import (
    Columns,
    Figure,
    LegacyRule,
    NotARule,
    Ordered,
    Origin,
    Row,
    Share,
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
    (Length("a", None, 1), "a has at most 1 character"),
    (Length("a", 1, None, in_bytes=True), "a has at least 1 byte"),
    (Length("a", 0, 1), "a has at least 0 and at most 1 character"),
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
    (Typed("c", "integer"), "c is a whole number"),
    (CountPresent(("a", "b")), "at least 1 of a, b has a value"),
    (Identity("c", ((1, "a"), (-1, "b"))), "c equals a - b"),
    (AgainstToday("c", ">=", -7), "c is at least 7 days before today"),
    (SumIs(("a", "b"), Decimal("0.30")), "a, b add up to 0.30"),
    (SqlText(QUERY, "spark", bad=True, whole_query=True), "its SQL finds no bad record"),
    (SqlText("a > 0", "spark", bad=False), "what its SQL asks of a record holds"),
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
    (Share(Unique(("a",)), Decimal("0.9")),
     "a: each value occurs once, in at least 90% of the records"),
    (Share(Ordered("a"), Decimal("0.5")),
     "a never falls from one record to the next, in at least 50% of the records"),
    (Figure("mean", ("price",), (("max_value", 5), ("min_value", 1))),
     "the mean of price is at least 1 and at most 5"),
    (Figure("mean", ("a",), (("min_value", 1), ("strict_min", True))), "the mean of a is above 1"),
    (Figure("stdev", ("a",), (("max_value", 5), ("min_value", 5))),
     "the standard deviation of a is exactly 5"),
    (Figure("proportion_of_unique_values", ("a",), (("min_value", Decimal("0.5")),)),
     "the share of different values among those of a is at least 0.5"),
    (Figure("row_count", (), (("max_value", 5), ("min_value", 1))),
     "the number of records is at least 1 and at most 5"),
    (Figure("row_count", (), (("value", 5),)), "the number of records is exactly 5"),
    (Figure("row_count_of_tables", (), (("other_table_name", "b.t"),)),
     "there are as many records as in b.t"),
    (Figure("max", ("a",)), "the greatest value of a is anything"),
    (Figure("distinct_values_allowed", ("a",), (("value_set", ("x", 1)),)),
     "every value of a is one of x, 1"),
    (Figure("distinct_values_contain", ("a",), (("value_set", ("x", None)),)),
     "a takes each of the values x, null"),
    (Figure("distinct_values_equal", ("a",), (("value_set", ("x",)),)),
     "a takes each of the values x and no other one"),
    (Figure("most_common", ("a",), (("ties_okay", True), ("value_set", ("x",)))),
     "the most common value of a is one of x"),
    (Figure("z_score", ("a",), (("double_sided", True), ("threshold", 3))),
     "a lies less than 3 standard deviations above or below its mean"),
    (Figure("z_score", ("a",), (("threshold", 3),)),
     "a lies less than 3 standard deviations above its mean"),
    (Figure("outliers", ("a",), (("method", "std"), ("multiplier", 3))),
     "a is no outlier (method std, multiplier 3)"),
    (Figure("quantiles", ("a",), (("quantile_ranges", {
        "quantiles": [Decimal("0.5"), 1], "value_ranges": [[1, None], [2, 3]]}),)),
     "of the quantiles of a, 0.5 is at least 1, 1 is at least 2 and at most 3"),
    (Figure("quantiles", ("a",), (("quantile_ranges", ["x"]),)), "quantiles of a: x"),
    (Columns("exists", ("a",)), "the table has the column a"),
    (Columns("exists", ("a",), (("column_index", 2),)),
     "the table has the column a at place 2, counted from 0"),
    (Columns("column_count", (), (("value", 5),)), "the number of columns is exactly 5"),
    (Columns("column_order", (), (("column_list", ["a", "b"]),)),
     "the columns are a, b, in this order"),
    (Columns("column_set", (), (("column_set", ["a", "b"]),)),
     "the table has the columns a, b and no other ones"),
    (Columns("column_set", (), (("column_set", ["a"]), ("exact_match", False))),
     "the table has the columns a"),
    (Columns("type", ("a",), (("type_list", ["int", "long"]),)), "a is of the type int or long"),
    (Columns("type", ("a",), (("type_", "int"),)), "a is of the type int"),
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


NUMBERS = (None, 0, 1, 2)


@pytest.mark.parametrize("one", NUMBERS)
@pytest.mark.parametrize("other", NUMBERS)
def test_one_is_told_of_in_the_singular(one, other):
    sized = [Typed("c", "decimal", one, other)]
    sized += [
        Length("c", one, other, in_bytes=b) for b in (False, True) if (one, other) != (None,) * 2
    ]
    sized += [AgainstToday("c", ">", days=days) for days in (one, other) if days is not None]
    far = Figure("z_score", ("c",), (("threshold", one),))
    for words in (in_words(rule(check)) for check in (*map(Row, sized), far)):
        for number, noun in re.findall(
            r"(\d+) (characters?|bytes?|digits?|days?|standard \w+)", words
        ):
            assert noun.endswith("s") == (number != "1"), words
