"""Rules in words: each token is read, or the phrase is a gap."""

import pytest
from phrase_converts import ONE_RULE
from phrase_refuses import BESIDE, CODED, NOT_RULES, REST, UNCLEAR
from phrase_scoped import SCOPED, SEVERAL_RULES
from phrase_setting import AMOUNT, SETTING

from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    Length,
    OneOf,
    Present,
    Range,
)
from ruleferry.converters.readers.spreadsheet.phrases import read_phrase
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting
from ruleferry.converters.rule import NotARule, Row, Unread


def read(text, column=AMOUNT, setting=SETTING):
    return read_phrase(text, column, setting)


def check_of(text, column=AMOUNT):
    (statement,) = read(text, column)
    found = statement.check
    return found.predicate if isinstance(found, Row) else found


@pytest.mark.parametrize(("text", "expected"), ONE_RULE, ids=lambda v: str(v)[:60])
def test_a_phrase_becomes_its_rule(text, expected):
    (statement,) = read(text)
    assert check_of(text) == expected
    assert statement.scope is None
    assert not statement.suggested


@pytest.mark.parametrize(("text", "expected", "scope"), SCOPED, ids=lambda v: str(v)[:60])
def test_a_condition_limits_the_rule(text, expected, scope):
    (statement,) = read(text)
    assert check_of(text) == expected
    assert statement.scope == scope


@pytest.mark.parametrize(
    ("text", "expected"), [r for r in SEVERAL_RULES if r[1]], ids=lambda v: str(v)[:60]
)
def test_each_rule_is_a_statement(text, expected):
    assert [s.check.predicate for s in read(text)] == expected


@pytest.mark.parametrize("text", REST)
def test_a_phrase_that_is_not_read_to_its_end_is_a_gap(text):
    found = read(text)
    assert found
    assert all(isinstance(s.check, Unread) for s in found)


@pytest.mark.parametrize("text", UNCLEAR)
def test_a_phrase_with_two_meanings_is_a_gap(text):
    found = read(text)
    assert found
    assert all(isinstance(s.check, Unread) for s in found)


@pytest.mark.parametrize(("code", "text"), CODED)
def test_the_gap_tells_what_is_lacking(code, text):
    codes = {s.check.code for s in read(text) if isinstance(s.check, Unread)}
    assert codes == {code}
    assert code in gaps()
    assert not any(isinstance(s.check, Row) for s in read(text))


@pytest.mark.parametrize("text", NOT_RULES)
def test_what_states_no_rule_is_said_to_state_none(text):
    assert [type(s.check) for s in read(text)] == [NotARule]


@pytest.mark.parametrize("text", BESIDE)
def test_a_rule_beside_a_sentence_that_may_limit_it_is_a_gap(text):
    assert all(isinstance(s.check, Unread) for s in read(text))


def test_a_rule_beside_a_gap_of_its_own_stays():
    first, second = read("Must be registered in SAM. FAIN cannot be blank.")
    assert first.check.code == "external_authority"
    assert second.check == Row(Present("FAIN"))


def test_screens_do_not_limit_the_rule_beside_them():
    first, second = read("• Must be at least 5\n• Continue button must appear below the text")
    assert first.check == Row(Range("amount", low=5))
    assert isinstance(second.check, NotARule)


# Strength -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Value should be greater than 0", Range("amount", low=0, low_open=True)),
        ("Should be one of: yes, no, or unknown.", OneOf("amount", ("yes", "no", "unknown"))),
        ("recommended", Present("amount")),
        ("FAIN is recommended", Present("FAIN")),
        ("may not be blank", Present("amount")),
        ("should not be in the future", AgainstToday("amount", "<=")),
    ],
)
def test_a_recommendation_is_read_and_marked(text, expected):
    (statement,) = read(text)
    assert statement.check == Row(expected)
    assert statement.suggested


# Names --------------------------------------------------------------------------------------------


def test_without_a_field_a_phrase_needs_a_subject():
    assert isinstance(check_of("must be at least 5", None), Unread)
    assert check_of("FAIN must be provided", None) == Present("FAIN")


def test_a_word_for_the_field_that_is_also_a_column_is_not_guessed():
    known = {"value": "value"}
    setting = Setting(column_of=lambda n: known.get(n.casefold()))
    (statement,) = read_phrase("Value must be at least 5", AMOUNT, setting)
    assert statement.check.code == "name_unresolved"
    (statement,) = read_phrase("Value must be at least 5", Column("t", "value"), setting)
    assert statement.check == Row(Range("value", low=5))


def test_it_is_the_field_that_the_condition_names():
    (statement,) = read("When UEI is provided, it must be twelve characters.", None)
    assert statement.check == Row(Length("UEI", 12, 12))
    assert statement.scope is None


def test_it_is_the_field_of_the_sentence_before():
    _, second = read("UEI is required. It must be at most 30 characters.", None)
    assert second.check == Row(Length("UEI", high=30))


def test_it_is_not_guessed_between_two_fields():
    _, second = read("UEI is required. If FAIN is provided, it must be 12 characters.", None)
    assert isinstance(second.check, Unread)


# Columns of a sort --------------------------------------------------------------------------------


def test_a_field_of_several_values_gets_no_check_of_its_value():
    several = Column("orders", "amount", many=True)
    assert check_of("must be at least 5", several).code == "several_values"
    assert check_of("must be provided", several) == Present("amount")
    assert check_of("must be blank", several) == Absent("amount")


def test_a_date_in_digits_bounds_a_field_of_dates():
    from datetime import date

    dated = Column("orders", "amount", sort="date")
    wanted = Range("amount", date(1999, 10, 1), date(2099, 12, 31))
    assert check_of("must be between 19991001 and 20991231", dated) == wanted
    second = read("must be a valid date between 19991001 and 20991231", dated)[1]
    assert second.check == Row(wanted)


def test_a_field_of_timestamps_is_compared_with_this_moment():
    timed = Column("orders", "amount", sort="timestamp")
    assert check_of("must not be in the future", timed) == AgainstToday("amount", "<=", now=True)


@pytest.mark.parametrize(("day_first", "month"), [(True, 4), (False, 3)])
def test_the_setting_tells_the_day_from_the_month(day_first, month):
    setting = Setting(day_first=day_first)
    (statement,) = read_phrase("must be before 3/4/2024", AMOUNT, setting)
    assert statement.check.predicate.high.month == month


# What a reader is told ----------------------------------------------------------------------------


def test_the_name_of_some_records_is_told():
    (statement,) = read("FAIN is required for aggregate records (RecordType = 1)")
    (caveat,) = statement.caveats
    assert "aggregate records" in caveat.detail
    assert caveat.code in caveats()


def test_either_or_is_told():
    (statement,) = read("Must provide either FAIN, URI, or PIID")
    assert [c.code for c in statement.caveats] == ["either_or"]
    assert "either_or" in caveats()


def test_a_gap_names_the_field():
    (statement,) = read("based on local policy")
    assert statement.check.columns == ("amount",)


def test_an_empty_text_states_nothing():
    assert read("") == ()
    assert read(" \n ") == ()
