"""Cells that tell the bounds of a field, its format, and the pattern of its texts."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from dictionary_values import SETTING, cell, field, states

from ruleferry.converters.predicates import (
    AgainstToday,
    Compare,
    Format,
    Matches,
    OneOf,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.readers.spreadsheet.statement import Setting
from ruleferry.converters.readers.spreadsheet.values.cell_values import (
    read_value,
)
from ruleferry.converters.readers.spreadsheet.values.type_texts import UUID

MUST = Present("x")


MIDNIGHT = datetime(2024, 5, 1)  # noqa: DTZ001


def typed(sort, *digits):
    return Typed("x", sort, *digits)


# Bounds -------------------------------------------------------------------------------------------


def low(value, **more):
    return Range("x", low=value, as_times=isinstance(value, date), unknown="bad", **more)


def high(value, **more):
    return Range("x", high=value, as_times=isinstance(value, date), unknown="bad", **more)


@pytest.mark.parametrize(
    ("meaning", "value", "sort", "wanted"),
    [
        ("min", "0", None, low(0)),
        ("min", "41.5", None, low(Decimal("41.5"))),
        ("min", "0.10", "decimal", low(Decimal("0.10"))),
        ("min", Decimal("0.0000001"), None, low(Decimal("0.0000001"))),
        ("min", "-32872", "integer", low(-32872)),
        ("min", "1,000", None, low(1000)),
        ("max", "25 000", None, high(25000)),
        ("max", "−5", None, high(-5)),
        ("min", "> 0", None, low(0, low_open=True)),
        ("max", "≤ 10", None, high(10)),
        ("exclusive_min", "0", None, low(0, low_open=True)),
        ("exclusive_max", "9", None, high(9, high_open=True)),
        ("min", "'19500101'", None, low(date(1950, 1, 1))),
        ("min", "19500101", "date", low(date(1950, 1, 1))),
        ("min", "19500101", None, low(19500101)),
        ("min", "1/1/1900", None, low(date(1900, 1, 1))),
        ("max", "13/4/2024", None, high(date(2024, 4, 13))),
        ("max", "2019-10-01", "date", high(date(2019, 10, 1))),
        ("max", "1-Jan-2020", "date", high(date(2020, 1, 1))),
        ("max", MIDNIGHT, "date", high(date(2024, 5, 1))),
        ("max", "today", "date", AgainstToday("x", "<=")),
        ("min", "{today}", None, AgainstToday("x", ">=")),
        ("max", "DATEADD(dd,1,GETDATE())", "timestamp", AgainstToday("x", "<=", 1, now=True)),
        ("min", "today - 30", "date", AgainstToday("x", ">=", -30)),
        ("max", "{end}", "date",
         Compare("end_date", ">=", "x", "any_missing", "good", "day")),
        ("min", "[end]", None, Compare("x", ">=", "end_date", "any_missing", "good")),
        ("exclusive_min", "${end}", None, Compare("x", ">", "end_date", "any_missing", "good")),
        ("max", "end_date", None, Compare("end_date", ">=", "x", "any_missing", "good")),
        ("max", "-1", None, high(-1)),
        ("max", "N/A", None, "no rule"),
        ("max", "unbounded", None, "no rule"),
        ("exclusive_min", False, None, "no rule"),
        ("exclusive_min", True, None, "not_understood"),
        ("max", "TBD", None, "not_understood"),
        ("max", "see unit", None, "unit"),
        ("max", "10 cm", None, "unit"),
        ("max", "10%", None, "unit"),
        ("max", "See list B", None, "list_elsewhere"),
        ("min", "{start}", None, "name_unresolved"),
        ("min", "3/4/2024", None, "not_understood"),
        ("min", "1/1/24", "date", "not_understood"),
        ("min", "1,5", None, "not_understood"),
        ("min", "00", "text", "not_understood"),
        ("min", "31/2/2020", "date", "not_understood"),
        ("min", 43831, "date", "corrupted_cell"),
        ("max", "47848", "timestamp", "corrupted_cell"),
        ("max", "1850", "date", "not_understood"),
        ("max", date(2020, 1, 3), "integer", "corrupted_cell"),
        ("max", "2020-01-03", "integer", "not_understood"),
        ("max", "today", "number", "not_understood"),
        ("max", "YEAR(GETDATE())+1", "integer", "not_understood"),
        ("min", "< 5", None, "not_understood"),
        ("min", "about 5", None, "not_understood"),
        ("min", "5 or 6", None, "not_understood"),
    ],
)  # fmt: skip
def test_a_bound(meaning, value, sort, wanted):
    assert states(meaning, value, sort) == [wanted]


def test_a_whole_bound_is_a_whole_number():
    (found,) = states("min", "1,000")
    assert type(found.low) is int
    (found,) = states("min", "1000.0")
    assert str(found.low) == "1000.0"


def test_the_day_is_proposed_where_the_cell_holds_its_number():
    (found,) = read_value("max", cell(43831), field("date"), SETTING)
    assert "2020-01-01" in found.check.reason


def test_which_part_of_a_day_comes_first_is_told_by_the_setting():
    for day_first, wanted in ((True, date(2024, 4, 3)), (False, date(2024, 3, 4))):
        setting = Setting(day_first=day_first)
        assert states("min", "3/4/2024", "date", setting) == [low(wanted)]


# Formats and patterns -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("YYYYMMDD", "%Y%m%d"),
        ("yyyy-mm-dd", "%Y-%m-%d"),
        ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S"),
        ("yyyy-mm-dd hh:mm:ss", "%Y-%m-%d %H:%M:%S"),
        ("yyyy-mm-ddThh:mm:ss", "%Y-%m-%dT%H:%M:%S"),
        ("DD/MM/YYYY", "%d/%m/%Y"),
        ("MM/DD/YYYY", "%m/%d/%Y"),
        ("dd-MON-yyyy", "%d-%b-%Y"),
        ("YYYY", "%Y"),
        ("HH:MM", "%H:%M"),
        ("hh:mm AM/PM", "%I:%M %p"),
        ("YYYYMMDDHHMMSS", "%Y%m%d%H%M%S"),
    ],
)
def test_a_mask_of_days_and_times(text, wanted):
    assert states("format", text) == [Format("x", wanted, exact=True)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Day/Month/Year", Format("x", "%d/%m/%Y")),
        ("####", Matches("x", ("^[0-9]{4}$",))),
        ("###-###-####", Matches("x", (r"^[0-9]{3}\-[0-9]{3}\-[0-9]{4}$",))),
        ("{integer}", typed("integer")),
        ("{float}", typed("number")),
        ("date_dmy", typed("date")),
        ("datetime_mdy", typed("timestamp")),
        ("number_2dp", typed("decimal", None, 2)),
        ("uuid", Matches("x", (UUID,))),
        ("Upper case", Matches("x", ("[a-zß-öø-ÿ]",), negated=True)),
        ("[aerobe| anaerobe|other]", OneOf("x", ("aerobe", "anaerobe", "other"))),
        ("^[A-Z]{3}$", Matches("x", ("^[A-Z]{3}$",))),
        ("{text}", "no rule"),
        ("autocomplete", "no rule"),
        ("N/A", "no rule"),
        ("{float} {unit}", "format"),
        ("{termLabel} {[termID]}", "format"),
        ("{PMID}|{DOI}", "format"),
        ("nn.nnnnn", "format"),
        ("8.1", "format"),
        ("date9.", "format"),
        ("datetime20.", "format"),
        ("email", "format"),
        ("ISO 8601", "format"),
        ("Right justified, zero filled", "format"),
        ("yyyy-mm-dd hh:mm:ss Z", "format"),
        ("TRUE", "format"),
        ("YYYY-MM-DD or YYYY", "not_understood"),
        ("MM", "not_understood"),
        ("mm:ss", "not_understood"),
        ("as agreed", "not_understood"),
    ],
)
def test_a_format(text, wanted):
    assert states("format", text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted", "caveats"),
    [
        ("^[A-Z]{3}$", "^[A-Z]{3}$", 0),
        (r"\A\d+\Z", r"\A\d+\Z", 0),
        ("^abc", "^abc", 0),
        ("[A-Z]{3}", "^(?:[A-Z]{3})$", 1),
        ("a|b", "^(?:a|b)$", 1),
        ("(?i)abc+", "(?i)^(?:abc+)$", 1),
        (r"[A-Z]+\$", r"^(?:[A-Z]+\$)$", 1),
        ("/^a+$/", "^a+$", 0),
        ("/^a+$/i", "(?i)^a+$", 0),
    ],
)
def test_a_pattern_without_anchors_is_that_of_the_whole_value(text, wanted, caveats):
    (found,) = read_value("pattern", cell(text), field(), SETTING)
    assert found.check.predicate == Matches("x", (wanted,))
    assert [caveat.code for caveat in found.caveats] == ["pattern_whole"] * caveats


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[", "regex"),
        ("*.csv", "regex"),
        ("/a+/x", "regex"),
        ("(?x) a b+", "regex"),
        ("Must be a number", "not_understood"),
        ("What is it?", "not_understood"),
        ("A%", "not_understood"),
        ("{float} {unit}", "format"),
    ],
)
def test_what_is_no_pattern_is_a_question(text, code):
    assert states("pattern", text) == [code]
