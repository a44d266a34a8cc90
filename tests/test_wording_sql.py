"""Rules that a source says in SQL, in plain words: what is said, and what is rather not said."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.plain_words import condition_in_words, rule_in_words
from ruleferry.converters.plain_words.conditions import told
from ruleferry.converters.predicates import ColumnComparison, Comparison, Present, SqlText
from ruleferry.converters.rule import (
    Exists,
    LegacyRule,
    LookedUp,
    Lookup,
    Measured,
    Origin,
    Reconciled,
    Repeat,
    Row,
    Share,
    Table,
    Unread,
)

SAID = [
    ("a_b > 0", "a_b is above 0"),
    ("0 < x", "x is above 0"),
    ("x = y", "x equals y"),
    ("x <> 'F'", "x is not F"),
    ("x = 'y, z'", 'x is "y, z"'),
    ("x = 'missing'", 'x is "missing"'),
    ("x = '5'", 'x is "5"'),
    ("x = ''", "x is an empty text"),
    ("x < 'F'", "x is below the text F"),
    ("x = -5", "x is -5"),
    ("`order id` = 1", 'the column "order id" is 1'),
    ("`today` <= current_date()", 'the column "today" is at most today'),
    ("x IS NULL OR x IN ('F', 'O', 'P')", "x is one of F, O, P"),
    ("x NOT IN (1, 2)", "x is none of 1, 2"),
    ("x IN (1, 2, 3, 4, 5, 6, 7, 8)", "x is one of 1, 2, 3, 4, 5, 6 and 2 more"),
    ("x BETWEEN 1 AND 5", "x is at least 1 and at most 5"),
    ("x NOT BETWEEN 1 AND 5", "x is below 1 or above 5"),
    ("x IS NOT NULL AND x > 0", "x has a value and is above 0"),
    ("x IS NOT NULL OR y IS NOT NULL OR z IS NOT NULL", "x, y or z has a value"),
    ("x IS NOT NULL AND y IS NOT NULL", "x and y have a value"),
    ("x > 0 AND (y > 0 OR z > 0)", "x is above 0 and (y is above 0 or z is above 0)"),
    ("x > 0 AND (y IS NULL OR y > 0)", "x is above 0, and (if y has a value, y is above 0)"),
    ("x IS NULL OR x <> 'F' OR coalesce(y, 0) <> 0", "if x is F, y is not 0 and not missing"),
    ("x IS NULL OR NOT (try_cast(x AS DOUBLE) = 1) OR y > 0",
     "if x has a value, x, read as a number, is not 1, or y is above 0"),
    ("CASE WHEN x > 1 THEN y = 2 ELSE TRUE END", "if x is above 1, y is 2"),
    ("x IS NULL OR x <= current_date()", "x is at most today"),
    ("x >= current_date() - INTERVAL '5' DAY", "x is at least 5 days before today"),
    ("x > DATE'2019-01-01'", "x is above 2019-01-01"),
    ("x RLIKE '^A[0-9]{9}$'", "x matches the pattern ^A[0-9]{9}$"),
    ("x NOT LIKE '%abc%'", "x does not contain abc"),
    ("x LIKE 'a_c'", 'x reads like "a_c", where % is any text and _ any character'),
    ("length(x) <= 79", "the length of x is at most 79"),
    ("trim(x) <> ''", "x is not blank"),
    ("upper(trim(x)) = 'ABC'", "(x without blanks around it) in capital letters is ABC"),
    ("x + y >= z", "x + y is at least z"),
    ("(x / y > 3) IS NOT TRUE", "it does not hold that x / y is above 3"),
    ("coalesce(x > 3, FALSE)", "x is above 3"),
    ("try_cast(x AS DOUBLE) IS NOT NULL", "x can be read as a number"),
    ("try_cast(x AS DOUBLE) IS NULL OR try_cast(x AS DOUBLE) > 0",
     "x, where it can be read as a number, is above 0"),
    ("x IS NULL OR (x > 0 AND y > 0)", "if x has a value, x is above 0 and y is above 0"),
]  # fmt: skip
# Each with the reason.
UNSAID = [
    "f(x) > 0",  # a function that nothing is known of
    "x > (SELECT max(y) FROM t)",  # another table
    "x <=> y",  # a comparison that no words tell from =
    "x IN (y, 3)",  # a list of more than literals
    "x LIKE 'a!%' ESCAPE '!'",  # a pattern that is no plain one
    "x LIKE 'a\\\\_'",  # the same
    "CASE WHEN x = 1 THEN y = 1 WHEN x = 2 THEN y = 2 ELSE TRUE END",  # several cases
    "CASE WHEN x = 1 THEN y = 1 END",  # bad where no case is met
    "coalesce(x > 3, TRUE)",  # a missing value passes, of which the words say nothing
    "x > 0 AND (y > 0 OR (z > 0 AND (x > 3 OR y > 3)))",  # too deep
    " AND ".join(f"column_{n} > {n}" for n in range(20)),  # too long
    "count(*) > 3",  # a figure
    "1 = 1",  # about nothing
    "TRUE",
    "x >",  # no SQL
    "x > 0; DROP TABLE t",
    "",
]


@pytest.mark.parametrize(("condition", "words"), SAID)
def test_a_condition_in_words(condition, words):
    assert condition_in_words(condition) == words


@pytest.mark.parametrize("condition", UNSAID)
def test_what_is_not_said(condition):
    assert condition_in_words(condition) is None


def test_that_a_missing_value_passes_is_left_out_where_it_does_for_every_column():
    assert told("x IS NULL OR y IS NULL OR x <= y").passes
    assert not told("x IS NULL OR x <= y").passes
    assert not told("x <= y").passes


@given(st.text())
@settings(deadline=None)
def test_no_text_breaks_it(text):
    condition_in_words(text)


@settings(deadline=None)
@given(st.text(min_size=1).filter(lambda t: "'" not in t and "\\" not in t))
def test_a_literal_is_shown_as_it_is(text):
    words = condition_in_words(f"x = '{text}'")
    assert words is None or words.removeprefix("x is ").strip('"').replace('""', '"') == text.strip(
        '"'
    )


# Rules --------------------------------------------------------------------------------------------


def rule(check, scope=None, columns=("a",)) -> LegacyRule:
    origin = Origin("s.sql", "line 1", "", "sql")
    return LegacyRule(origin, "x", "predicate", check, Table("t"), columns, scope)


def sql(text, dialect="postgres", *, bad=True, whole_query=False) -> SqlText:
    return SqlText(text, dialect, bad=bad, whole_query=whole_query)


LOOKUP = Lookup("customers", (("c_id", "id"),))
WHERE = Lookup("customers", (("id", "id"),), Comparison("active", "=", "Y"))
IN_SQL = Lookup("customers", (("id", "id"),), sql("f(a)", bad=False))
RULES = [
    (Row(sql("a < 18 OR a > 120")), "a record is bad where a is below 18 or above 120"),
    (Row(sql("nvl(a, 0) = 0", "oracle")), "a record is bad where a is 0 or missing"),
    (Row(sql("a > 0", bad=False)), "a is above 0"),
    (Row(sql("trunc(a) > 0", "oracle")), "its SQL finds no bad record"),
    (Row(sql("a / b < 1")), "its SQL finds no bad record"),
    (Row(sql("a >")), "its SQL finds no bad record"),
    (Row(sql("f(a)", bad=False)), "what its SQL asks of a record holds"),
    (Row(sql("SELECT * FROM {batch}", whole_query=True)), "its SQL finds no bad record"),
    (Share(Row(sql("a < 0")), Decimal("0.95")),
     "a record is bad where a is below 0, and at least 95% of the records are not"),
    (Share(Row(sql("f(a)")), Decimal("0.95")),
     "its SQL finds no bad record, in at least 95% of the records"),
    (Measured(sql("sum(a) > 5", bad=False)), "the sum of a is above 5"),
    (Exists(LOOKUP), "c_id (there id) is found in customers"),
    (Exists(WHERE, negated=True),
     'id is not found in customers, among its records where active is "Y"'),
    (Exists(IN_SQL), "id is found in customers, among its records that its SQL chooses"),
    (LookedUp(WHERE, (ColumnComparison("total", "<", "least"),)),
     'no record of customers, among its records where active is "Y" with the same id is found for'
     " which total is below its least"),
    (Reconciled(LOOKUP, extra=False),
     "each combination of c_id (there id) in customers stands in this table too"),
    (Repeat("other.sql", "line 7"), "says again what other.sql:line 7 says"),
    (Unread("malformed", "x"), "something about a, which could not be read"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "words"), RULES)
def test_a_rule_in_words(check, words):
    assert rule_in_words(rule(check)) == words


def test_the_condition_says_it_better_than_its_source():
    found = rule(Row(sql("NOT a SIMILAR TO '[1-5]-[A-Z ]+'")))
    condition = "a IS NULL OR a RLIKE '^[1-5]'"
    assert rule_in_words(found, condition, "pass") == "a matches the pattern ^[1-5]"


def test_where_missing_values_are_not_told_to_pass_the_words_may_not_leave_it_out():
    found = rule(Row(sql("a < 0")))
    assert (
        rule_in_words(found, "a IS NULL OR a >= 0", "fail") == "a record is bad where a is below 0"
    )


def test_what_a_person_stated_is_said_in_place_of_what_could_not_be_read():
    found = rule(Unread("malformed", "x"))
    assert rule_in_words(found, "a > 0", "fail", stated=True) == "a is above 0"


def test_no_sql_stands_for_the_records_that_it_chooses():
    chosen = rule(Row(Present("a")), sql("b > 1", bad=False))
    assert rule_in_words(chosen) == "a has a value, where b is above 1"
    unsaid = rule(Row(Present("a")), sql("f(b)", bad=False))
    assert rule_in_words(unsaid) == "a has a value, in the records that its SQL chooses"
