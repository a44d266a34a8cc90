"""Data validations of a template, as statements about its fields."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spreadsheet_books import book, validation
from validation_cases import BOOK, CONVERTS, FORM, NAMES, REFUSES, SETTINGS, listed

from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.predicates import Compare, Length, OneOf, Present, Typed
from ruleferry.converters.readers.spreadsheet.lists.validations import validation_statements
from ruleferry.converters.rule import NotARule, Row, Unread


def of(kind, *formulas, areas="C2:C100", in_book=BOOK, **given):
    rule = validation(kind, areas, *formulas, **given)
    return validation_statements(rule, FORM, in_book, NAMES, listed)


def checks(found):
    return [s.check.predicate if isinstance(s.check, Row) else s.check for s in found]


@pytest.mark.parametrize("case", CONVERTS, ids=lambda case: f"{case[0]} {' | '.join(case[1])}")
def test_what_converts(case):
    kind, formulas, given, expected = case
    given = dict(given)
    page, old = SETTINGS if given.pop("page", "") else FORM, given.pop("old", False)
    where = book(*BOOK.sheets, names=BOOK.names, from_1904=old)
    rule = validation(kind, given.pop("areas", "C2:C100"), *formulas, **given)
    found = validation_statements(rule, page, where, NAMES, listed)
    assert checks(found) == expected
    assert {c.code for s in found for c in s.caveats} <= caveats().keys()


@pytest.mark.parametrize("case", REFUSES, ids=lambda case: f"{case[0]} {' | '.join(case[1])}")
def test_what_must_not_convert(case):
    kind, formulas, code, word, *given = case
    found = of(kind, *formulas, **(given[0] if given else {}))
    gap = found[-1].check
    assert isinstance(gap, Unread), found
    assert (gap.code, gap.columns) == (code, ("amount",))
    assert word in gap.reason
    assert gap.code in gaps()
    # Never half of it: what stands beside a gap is the type alone.
    assert all(isinstance(c, Typed | Unread) for c in checks(found))


def test_a_prompt_is_no_rule():
    assert isinstance(of("none", prompt="a name")[0].check, NotARule)
    assert isinstance(of("list", '"a"', areas="H2:H9")[0].check, NotARule)


def test_a_rule_for_each_column_that_is_covered():
    found = of("decimal", "A2", operator="greaterThan", areas="B2:C9 E2:E9")
    compared = [c for c in checks(found) if isinstance(c, Compare)]
    # The formula moves with the column.
    assert [(c.left, c.right) for c in compared] == [
        ("colour", "id"),
        ("amount", "colour"),
        ("end", "start"),
    ]


def test_a_formula_speaks_of_the_first_area():
    assert checks(of("custom", "LEN(B5)<=3", areas="B5:B9 C2:C4"))[1] == Length("amount", None, 3)
    assert isinstance(of("custom", "LEN(B2)<=3", areas="B5:B9")[0].check, Unread)


def test_what_the_sheet_lets_pass_warns():
    assert [s.action_word for s in of("whole", "1", "2", strict=False)] == ["warn", "warn"]
    assert [s.action_word for s in of("whole", "1", "2")] == [None, None]


@pytest.mark.parametrize("allowed", [True, False])
def test_whether_blanks_are_ignored_makes_nothing_required(allowed):
    assert Present("amount") not in checks(of("list", '"a,b"', blank_allowed=allowed))


def codes(found):
    return [c.code for s in found for c in s.caveats]


def test_what_a_reader_must_know():
    assert codes(of("list", "colours")) == ["spreadsheet_case"]
    assert codes(of("list", '"red,green"')) == []
    assert codes(of("list", "Settings!$A$1")) == []
    assert codes(of("list", "with_blank", blank_allowed=True)) == ["blank_in_list"]
    assert codes(of("list", "with_blank")) == []
    assert codes(of("custom", "COUNTIF(C:C,C2)<2")) == ["spreadsheet_case"]
    assert codes(of("custom", 'ISNUMBER(FIND("a",C2))')) == []
    assert codes(of("custom", 'ISNUMBER(SEARCH("a",C2))')) == ["spreadsheet_case"]
    told = of("date", "43831", "47848")[1].caveats
    assert [c.detail for c in told] == [
        "43831 is 2020-01-01, counting the days from 1900 on",
        "47848 is 2030-12-31, counting the days from 1900 on",
    ]


# Messages -----------------------------------------------------------------------------------------

SAYS_THE_SAME = [
    ("whole", ["0"], "greaterThan", "Enter value greater than 0."),
    ("whole", ["1"], "greaterThanOrEqual", "Value should be greater than 0"),
    ("whole", ["0"], "greaterThanOrEqual", "must be greater than or equal to 0"),
    ("whole", ["1", "10"], "between", "Index range from 1 to 10"),
    ("decimal", ["1", "10"], "between", "Please use a number between 1 and 10, at most 10"),
    ("decimal", ["0"], "greaterThanOrEqual", "non-negative numbers only"),
    ("decimal", ["100"], "lessThanOrEqual", "no more than 100 (that is 100%)"),
    ("textLength", ["80"], "lessThanOrEqual", "80 or fewer"),
    ("textLength", ["6"], "equal", "exactly 6 digits"),
    ("date", ["43831", "47848"], "between", "Date Range: 2020-01-01 to 2030-12-31"),
    ("whole", ["0"], "lessThanOrEqual", "zero or a negative number"),
    ("whole", ["0"], "lessThan", "negative"),
    ("whole", ["1000"], "lessThanOrEqual", "up to 1,000"),
    ("list", ['"1,2"'], "between", "must be greater than 5"),
    ("whole", ["0", "52"], "between", "the week of the year"),
]
CONTRADICTS = [
    ("decimal", ["0"], "greaterThanOrEqual", "Enter value greater than 0.", "does not (>= 0)"),
    ("whole", ["0"], "greaterThan", "must be 0 or more", "does not"),
    ("decimal", ["0"], "lessThanOrEqual", "Value must be a whole number", "kind is decimal"),
    ("whole", ["0"], "lessThanOrEqual", "Value must be a whole number", "nothing above 0"),
    ("whole", ["1", "10"], "between", "between 1 and 12", "does not"),
    ("whole", ["1", "10"], "between", "a positive number up to 100", "does not"),
    ("whole", ["1"], "greaterThanOrEqual", "at most 10", "does not"),
    ("textLength", ["255"], "lessThanOrEqual", "Max. 250 characters", "does not"),
    ("textLength", ["80"], "lessThanOrEqual", "fewer than 80 characters", "does not"),
    ("date", ["43831", "47848"], "between", "from 2021-01-01 on", "2020-01-01 and 2030-12-31"),
    ("custom", ["LEN(C2)<=10"], "between", "at most 12 characters", "does not"),
]


@pytest.mark.parametrize("case", SAYS_THE_SAME, ids=lambda case: case[3])
@pytest.mark.parametrize("where", ["message", "prompt"])
def test_a_message_that_says_the_same(case, where):
    kind, formulas, operator, text = case
    found = of(kind, *formulas, operator=operator, **{where: text})
    assert not any(isinstance(s.check, Unread) for s in found), found


@pytest.mark.parametrize("case", CONTRADICTS, ids=lambda case: case[3])
@pytest.mark.parametrize("where", ["message", "prompt"])
def test_a_message_that_contradicts_its_formula(case, where):
    kind, formulas, operator, text, reason = case
    found = of(kind, *formulas, operator=operator, **{where: text})
    assert [s.check.code for s in found] == ["suspicious_validation"]
    assert reason in found[0].check.reason


@given(st.lists(st.text(alphabet="aB0 ñ_%", min_size=1, max_size=5), min_size=1, max_size=6))
@settings(max_examples=200, deadline=None)
def test_a_literal_list_is_what_its_items_are(items):
    found = of("list", '"' + ",".join(items) + '"')
    wanted = tuple(dict.fromkeys(item.strip() for item in items if item.strip()))
    if wanted:
        assert checks(found) == [OneOf("amount", wanted)]
    else:
        assert found[0].check.code == "suspicious_validation"
