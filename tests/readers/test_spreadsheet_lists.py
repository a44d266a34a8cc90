"""Cells that list what is allowed, and ranges in every notation."""

from datetime import date
from decimal import Decimal

import pytest
from dictionary_values import SETTING, cell, field, states

from ruleferry.converters.predicates import AgainstToday, Compare, OneOf, Range
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting
from ruleferry.converters.readers.spreadsheet.values.cell_values import read_value, understood
from ruleferry.converters.rule import Row


def one_of(*values):
    return OneOf("x", values)


LISTS = [
    ("1, Yes | 0, No", "1 0"),
    ("1,Yes, it is required| 0, No, it is not", "1 0"),
    ("1, Fraction, 0.21-1.0 | 2, %, 21-100", "1 2"),
    ("1, Woman | 0, Man |  3,  Neither (or both)", "1 0 3"),
    ("9, English| 1, Spanish |10, Albanian|13, Bengali/Bangla", "9 1 10 13"),
    ("7, A place (e.g., church, school, etc.) | 90, Other, Specify", "7 90"),
    (
        "AL, Alabama | AK, Alaska | AZ, Arizona | GUAM, GUAM | USVI, US Virgin Islands",
        "AL AK AZ GUAM USVI",
    ),
    ("01, One | 02, Two", "01 02"),
    ('"1"=[Yes] | "0"=[No]', "1 0"),
    ('"1"=[Yes, maybe | no]', "1"),
    ("A - Apple\nB - Berry, red", "A B"),
    ("1 - Yes\n2 - No", "1 2"),
    ("Y\tYes\nN\tNo", "Y N"),
    ("0 = N/A; 1 = Member", "0 1"),
    ("1=Yes; 2=No, maybe", "1 2"),
    ("1=Yes, 2=No", "1 2"),
    ("Yes/No/N/A", "Yes No N/A"),
    ("N/A/Unknown", "N/A Unknown"),
    ("M/F", "M F"),
    ("0: No, 1: Yes", "0 1"),
    ("Y = Yes", "Y"),
    ("1=One;1=One;2=Two", "1 2"),
    ('- "Yes"\n - "No"', "Yes No"),
    ("Yes\nNo\n", "Yes No"),
    ("• Yes\n• No", "Yes No"),
    ("a;b;c", "a b c"),
    ("a | b", "a b"),
    ("male|female|", "male female"),
    ("Yes/No", "Yes No"),
    ("Low / Medium / High", "Low Medium High"),
    ("Yes or No", "Yes No"),
    ("Breast, Colorectal, Lung", "Breast Colorectal Lung"),
    ("FASTQ, BAM, CRAM, CSV/TSV", "FASTQ BAM CRAM CSV/TSV"),
    ("Healthy, Malignant, None", "Healthy Malignant None"),
    ("720870,8795", "720870 8795"),
    ("X, B, or P", "X B P"),
    ("Red, Green or Blue", "Red Green Blue"),
    ("M,F,M", "M F"),
    ('"none", "light"', "none light"),
    ("“none”, “light”", "none light"),
    ("('A','B')", "A B"),
    ("'Y'", "Y"),
    ("[aerobe| anaerobe|other]", "aerobe anaerobe other"),
    ("[1, Yes | 0, No]", "1 0"),
    ("(1 = Yes; 0 = No)", "1 0"),
    ("YN", "Y N"),
    ("See code list YN", "Y N"),
    ("[YN]", "Y N"),
    ("00-07, 09-10, 99", "00 01 02 03 04 05 06 07 09 10 99"),
    ("1-3, 9", "1 2 3 9"),
    ("00-03", "00 01 02 03"),
]


@pytest.mark.parametrize(("text", "values"), LISTS, ids=[text for text, _ in LISTS])
def test_a_list_of_what_is_allowed(text, values):
    assert states("codes", text) == [one_of(*values.split())]
    assert understood("codes", cell(text), field(), SETTING)


def test_values_of_several_words():
    assert states("codes", "free living|parasitism") == [one_of("free living", "parasitism")]
    assert states("codes", "Myself/Someone else") == [one_of("Myself", "Someone else")]
    assert states("codes", "x; y z") == [one_of("x", "y z")]


def test_a_blank_text_may_be_one_of_the_values():
    assert states("codes", "1-3 or blank") == [one_of("1", "2", "3", "")]
    assert states("codes", "1, blank") == [one_of("1", "")]
    assert states("codes", "x;[blank]") == [one_of("x", "")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a;b;etc (see Terms)", "list_elsewhere"),
        ("a;b;etc", "partial_list"),
        ("1, 2, 3 ,4 …", "partial_list"),
        ("A, B, C...", "partial_list"),
        ("A, B and so on", "partial_list"),
        ("1=One, 2=Two, etc.", "partial_list"),
        ("1 - One\n2 - Two, etc.", "partial_list"),
        ("1, One | 2, Two | …", "partial_list"),
        ("e.g. A, B", "suggested_list"),
        ("such as A, B", "suggested_list"),
        ("Examples: A, B", "suggested_list"),
        ("Open list", "suggested_list"),
        ("Empty", "list_elsewhere"),
        ("SEX", "list_elsewhere"),
        ("Y_BLANK", "list_elsewhere"),
        ("See list of sites", "list_elsewhere"),
        ("See URL column", "list_elsewhere"),
        ("https://example.org/codes", "list_elsewhere"),
        ("ISO 3166-1 alpha-2", "external_authority"),
        ("[MEDDRA]", "external_authority"),
        ("USPS codes", "external_authority"),
        ("date9.", "format"),
        ("ISO 8601", "format"),
        ("9-Jan", "corrupted_cell"),
        ("3-Jan", "corrupted_cell"),
        ("Jan-99", "corrupted_cell"),
        ("TBD", "not_understood"),
    ],
)
def test_a_list_that_is_not_whole_or_not_here_is_a_question(text, code):
    assert states("codes", text) == [code]
    assert understood("codes", cell(text), field(), SETTING)


@pytest.mark.parametrize(
    "text",
    [
        "[environmental:faecal|vector:penetration]",
        "1, Yes",
        "1, Yes, 0, No",
        "1, Yes | 0, No | other",
        "1 - Yes | 2 - No | other",
        "Smith, John | Doe, Jane",
        "London, UK | Paris, France",
        "Yes = 1, No = 0",
        "A - 1\nB - 2",
        "1 = One; 1 = Uno",
        "1. Yes\n2. No",
        "Y=Yes, N=No, U",
        "1=Yes;2=No, 3=Maybe",
        "A - Apple, B - Berry\nC - Cherry",
        "Yes | No | Other, specify",
        "mg/L",
        "m/s",
        "1,000",
        "1/2",
        "Must be numeric\nNo spaces",
        "Enter text; do not exceed the limit",
        "Y (Yes), N (No)",
        "the name of the site, if known",
        "A,B,C and D",
        "old growth pine forest, meadow",
        "Valid dates",
        "{PMID}|{DOI}",
        "{PMID|DOI|URL}",
        '"a";b',
        "A - Z",
        "[0,1]",
        "Check box: I was under 18/I was told to wait/Other",
        "5",
        "and/or",
        "MM/DD/YYYY",
        "All values are allowed, unless the site is closed",
    ],
)
def test_what_may_be_no_list_is_none_by_guess(text):
    assert states("codes", text) == ["not_understood"]
    assert not understood("codes", cell(text), field(), SETTING)


@pytest.mark.parametrize(
    "text",
    ["N/A", "--", "none", "Free text", "any", "round(15 div (cos(${slope})),2)", "[a] + [b]",
     "if([x]=1, 2, 3)"],
)  # fmt: skip
def test_cells_that_list_nothing(text):
    assert states("codes", text) == ["no rule"]


def test_a_day_that_the_program_made_tells_what_it_may_have_been():
    for value in (date(2024, 1, 3), "3-Jan"):
        (found,) = read_value("codes", cell(value), field(), SETTING)
        assert found.check.code == "corrupted_cell"
        assert "1-3" in found.check.reason
    assert states("range", date(2024, 1, 3)) == ["corrupted_cell"]
    assert states("range", "Jan-99") == ["corrupted_cell"]


def test_a_field_of_several_values_and_lists_that_are_suggestions():
    assert states("codes", "a;b", many=True) == ["several_values"]
    assert states("codes", "YN", many=True) == ["several_values"]
    assert states("codes", "a;b", setting=Setting(closed_lists=False)) == ["suggested_list"]


# Ranges -------------------------------------------------------------------------------------------


def between(low, high, low_open=False, high_open=False):
    as_times = isinstance(low, date) or isinstance(high, date)
    return Range("x", low, high, low_open, high_open, as_times, "bad")


RANGES = [
    ("[0,)", between(0, None)),
    ("[0,]", between(0, None)),
    ("(,0]", between(None, 0)),
    ("[0,1]", between(0, 1)),
    ("(0, 1)", between(0, 1, True, True)),
    ("]0;10]", between(0, 10, True)),
    ("[-90,90]", between(-90, 90)),
    ("0-52", between(0, 52)),
    ("-5-10", between(-5, 10)),
    ("-10--5", between(-10, -5)),
    ("1–1000", between(1, 1000)),
    ("0..100", between(0, 100)),
    ("0.5 - 1.5", between(Decimal("0.5"), Decimal("1.5"))),
    ("1,000-2,000", between(1000, 2000)),
    ("10–49, inclusive", between(10, 49)),
    ("10-49 (exclusive)", between(10, 49, True, True)),
    ('0 ≤ "X" ≤ 10', between(0, 10)),
    ('0 ≤ "Height" < 10', between(0, 10, False, True)),
    ("1888 <= x <= 2026", between(1888, 2026)),
    ("1 ≥ x > 0", between(0, 1, True)),
    (">= 0 AND <= 0.10", between(0, Decimal("0.10"))),
    ("≥ 30 and ≤ 500", between(30, 500)),
    ("<= 500, >= 30", between(30, 500)),
    ("> 0", between(0, None, True)),
    ("x > 0", between(0, None, True)),
    ("≤ 25 000", between(None, 25000)),
    ("between 0 and 1", between(0, 1)),
    ("from 1 to 10", between(1, 10)),
    ("Index range from 1 to 10", between(1, 10)),
    ("inRange 50 100", between(50, 100)),
    ("at least 3", between(3, None)),
    ("no more than 7", between(None, 7)),
    ("up to 5", between(None, 5)),
    ("18+", between(18, None)),
    ("minimum: 0\nmaximum: 90", between(0, 90)),
    ("min 0 max 5", between(0, 5)),
    ("Positive", between(0, None, True)),
    ("non-negative", between(0, None)),
    ("Date Range: 2020-01-01 to 2030-12-31", between(date(2020, 1, 1), date(2030, 12, 31))),
    ("1/1/2000 - 31/12/2000", between(date(2000, 1, 1), date(2000, 12, 31))),
    ("between 19991001 and 20991231", between(19991001, 20991231)),
    ("<= today", AgainstToday("x", "<=")),
    ("01-03", one_of("01", "02", "03")),
    ("[-999,-999], [1,1]", one_of("-999", "1")),
    ("Red; Green", one_of("Red", "Green")),
]


@pytest.mark.parametrize(("text", "wanted"), RANGES, ids=[text for text, _ in RANGES])
def test_a_range(text, wanted):
    assert states("range", text) == [wanted]
    assert understood("range", cell(text), field(), SETTING)


def test_ranges_whose_bounds_are_of_two_sorts_are_two_rules():
    compared = Compare("end_date", ">=", "x", "any_missing", "good", "day")
    day = between(date(2020, 1, 1), None)
    assert states("range", '2020-01-01 ≤ "X" ≤ "end"', "date") == [day, compared]
    assert states("range", "2020-01-01 to today", "date") == [day, AgainstToday("x", "<=")]


def test_leading_zeros_are_kept_where_the_field_does_not_hold_numbers():
    assert states("range", "00-02", "text") == [one_of("00", "01", "02")]
    assert states("range", "00-02", "integer") == [between(0, 2)]
    assert states("range", "000000-999999", "text") == ["not_understood"]
    assert states("range", "between 19991001 and 20991231", "date") == [
        between(date(1999, 10, 1), date(2099, 12, 31))
    ]


def test_whole_numbers_of_several_ranges_are_a_list():
    assert states("range", "[-999,-999], [0,2]", "integer") == [one_of(-999, 0, 1, 2)]
    assert states("range", "[-999,-999], [0,1]", "number") == ["not_understood"]


@pytest.mark.parametrize(
    ("text", "sort", "code"),
    [
        ('100 cm ≤ "X" ≤ 200 cm', None, "unit"),
        ("≤ 25 000 IU", None, "unit"),
        ("0-100%", None, "unit"),
        ("0 - 100 mg/dL", None, "unit"),
        ('0 ≤ "Y" ≤ 10', None, "name_unresolved"),
        ("Weight > 0", None, "name_unresolved"),
        ("<= {begin}", None, "name_unresolved"),
        ("between 5 and 1", None, "not_understood"),
        ("2020-01-01 to 5", None, "not_understood"),
        ("0.0, 0.1-9999.9, XXXX.1", None, "not_understood"),
        ("1,5-2,5", None, "not_understood"),
        ("0-", None, "not_understood"),
        ("1-5 apples", None, "not_understood"),
        ("0 < x > 5", None, "not_understood"),
        ("0-52 except 5", None, "not_understood"),
        ("> 0 if known", None, "not_understood"),
        ("0-10", "date", "not_understood"),
        ("43831-47848", "date", "corrupted_cell"),
        ("2020-01-01 to 2020-12-31", "integer", "not_understood"),
        ("A-F", None, "list_elsewhere"),
    ],
)
def test_what_is_no_certain_range_is_a_question(text, sort, code):
    assert states("range", text, sort) == [code]


def test_a_label_of_the_field_may_stand_between_its_bounds():
    column = Column("t", "x", labels=("Cervical dilation",))
    found = read_value("range", cell('0 ≤ "Cervical dilation" ≤ 10'), column, Setting())
    assert found[0].check.predicate == between(0, 10)


def test_the_values_of_a_field_of_numbers_are_numbers():
    """A column of the sort may show 7 as 7.0."""
    for sort in ("integer", "decimal", "number"):
        assert states("codes", "1;7;8.10", sort) == [one_of(1, 7, Decimal("8.10"))]
        assert states("codes", "1;7;x", sort) == [one_of("1", "7", "x")]
        assert states("codes", "01;02", sort) == [one_of("01", "02")]
    assert states("codes", "1;7", "text") == [one_of("1", "7")]


def test_a_truth_value_is_written_in_two_ways():
    """Where the column holds truth values themselves, TRUE is `true` as a text."""
    (found,) = read_value("codes", cell("TRUE; FALSE"), field(sort="boolean"), Setting())
    assert found.check == Row(OneOf("x", ("TRUE", "FALSE", "true", "false")))
    (found,) = read_value("codes", cell("TRUE; FALSE"), field(sort="text"), Setting())
    assert found.check == Row(OneOf("x", ("TRUE", "FALSE")))
    (found,) = read_value("codes", cell("True; Maybe"), field(sort="boolean"), Setting())
    assert found.check == Row(OneOf("x", ("True", "Maybe")))
