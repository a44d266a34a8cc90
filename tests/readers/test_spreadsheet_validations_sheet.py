"""All data validations of a template, and the comments of its header."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spreadsheet_books import area, book, sheet, validation
from validation_cases import BOOK, FORM, HEADER, LISTS, NAMES, listed

from ruleferry.converters.mappings import gaps
from ruleferry.converters.predicates import OneOf, Present
from ruleferry.converters.readers.spreadsheet.cells import Validation
from ruleferry.converters.readers.spreadsheet.lists.validations import (
    comment_statements,
    sheet_validations,
    validation_statements,
)
from ruleferry.converters.rule import NotARule, Row, Unread


def checks(found):
    return [s.check.predicate if isinstance(s.check, Row) else s.check for s in found]


# All of a sheet -----------------------------------------------------------------------------------


def on_sheet(*validations, rows=(), names=NAMES, header=0):
    page = sheet("Form", HEADER, *rows, validations=validations)
    where = book(page, LISTS, names=BOOK.names)
    found = sheet_validations(page, where, names, listed, header)
    assert [v for v, _ in found] == list(validations)
    return [s for _, statements in found for s in statements]


def test_one_list_over_several_ranges_is_one_rule():
    found = on_sheet(
        validation("list", "B2:B9 B20:B99", '"a,b"'),
        validation("list", "B10:B19", '"a,b"'),
        rows=[(None, "a")] * 50,
    )
    assert checks(found) == [OneOf("colour", ("a", "b"))] * 2


def test_different_lists_over_one_column_contradict_each_other():
    found = on_sheet(validation("list", "B2:B13", '"a,b"'), validation("list", "B14:B99", '"a,c"'))
    assert [s.check.code for s in found] == ["contradiction"] * 2
    assert "B2:B13, B14:B99" in found[0].check.reason


def test_a_dead_one_beside_a_good_one():
    good, dead = on_sheet(
        validation("list", "B2:B99", '"a,b"'), validation("list", "B348:B1048576", "Lists!#REF!")
    )
    assert good.check == Row(OneOf("colour", ("a", "b")))
    assert dead.check.code == "suspicious_validation"


def test_a_custom_one_that_is_not_understood_limits_too():
    found = on_sheet(validation("list", "B2:B9", '"a"'), validation("custom", "B10:B99", "F(B10)"))
    assert [s.check.code for s in found] == ["contradiction", "not_understood"]


PARTIAL = [
    ("B2:B3", [(None, "a")] * 5, "B4 is filled"),
    ("B15:B99", [], "begins in row 15"),
    ("B1:B1", [], "nothing but the header"),
    ("B348:B1048576", [(None, "a")] * 5, "begins in row 348"),
]


@pytest.mark.parametrize("case", PARTIAL, ids=lambda case: case[0])
def test_what_covers_some_of_the_records_is_no_rule_of_the_column(case):
    areas, rows, reason = case
    found = on_sheet(validation("list", areas, '"a"'), rows=rows)
    assert found[0].check.code == "suspicious_validation"
    assert reason in found[0].check.reason


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=4),
    st.sets(st.integers(1, 20)),
)
@settings(max_examples=300, deadline=None)
def test_every_filled_record_below_the_first_area_is_covered_or_told(spans, filled):
    areas = " ".join(f"B{top + 1}:B{top + size + 1}" for top, size in spans)
    rows = [(None, "a" if row in filled else None) for row in range(1, 21)]
    found = on_sheet(validation("list", areas, '"a"'), rows=rows)[0].check
    first = min(top for top, _ in spans)
    covered = {row for top, size in spans for row in range(top, top + size + 1)}
    assert isinstance(found, Unread) == bool({r for r in filled if r >= first} - covered)


def test_areas_may_begin_at_the_header_or_below_explanations():
    for areas in ("B1:B99", "B1:B1048576", "B4:B99"):
        found = on_sheet(
            validation("list", areas, '"a"'), rows=[(None, "a text"), (None, "an example")]
        )
        assert checks(found) == [OneOf("colour", ("a",))]


def test_columns_of_one_name():
    twice = {1: "colour", 2: "colour"}
    same = on_sheet(validation("list", "B2:C9", '"a"'), names=twice)
    assert checks(same) == [OneOf("colour", ("a",))] * 2
    other = on_sheet(
        validation("list", "B2:B9", '"a"'), validation("list", "C2:C9", '"b"'), names=twice
    )
    assert [s.check.code for s in other] == ["contradiction"] * 2


KINDS = ("list", "decimal", "whole", "date", "time", "textLength", "custom", "none", "odd")
FORMULAS = st.one_of(
    st.sampled_from(
        [
            '"a,b"',
            "C2",
            "$A$1",
            "TODAY()",
            "Lists!$A:$A",
            "1",
            "0.5",
            "1e999",
            "-1e-999",
            "99999999999",
            "colours",
            "AND(C2>1,LEN(C2)<3)",
            "COUNTIF(C:C,C2)<2",
            "#REF!",
        ]
    ),
    st.text(alphabet='AC2"(),<>=:$!*?~1.', max_size=15),
)
AREAS = st.sampled_from(["A1", "B2:C9", "C2:C9 C11:C12", "C2:E100000", "H9"])


@given(
    st.sampled_from(KINDS),
    AREAS,
    st.lists(FORMULAS, max_size=2),
    st.booleans(),
    st.sampled_from(["between", "notBetween", "equal", "lessThan", ""]),
    st.text(max_size=20),
)
@settings(max_examples=400, deadline=None)
def test_each_validation_has_statements_and_nothing_raises(
    kind, areas, formulas, strict, operator, text
):
    rule = validation(kind, areas, *formulas, strict=strict, operator=operator, message=text)
    for statement in on_sheet(rule, rows=[("a", 1)]):
        if isinstance(statement.check, NotARule):
            continue
        assert statement.columns
        assert set(statement.columns) <= set(NAMES.values())
        if isinstance(statement.check, Unread):
            assert statement.check.code in gaps()
            assert statement.check.columns == statement.columns[:1]


def test_an_empty_validation_of_no_area():
    empty = Validation("list", (), formulas=('"a"',))
    (found,) = validation_statements(empty, FORM, BOOK, NAMES, listed)
    assert isinstance(found.check, Unread)
    assert found.check.code == "suspicious_validation"
    assert area("C2:C9").left == 2


# Comments -----------------------------------------------------------------------------------------


def nothing(text, column):
    return ()


def test_a_comment_that_says_required():
    for text in ("(Required) A name.", "(REQUIRED)", "[Mandatory]: a name", " (required) x"):
        assert checks(comment_statements(text, "id", nothing)) == [Present("id")]


@pytest.mark.parametrize(
    "text",
    ["A name. (Required)", "Required if known", "(Optional) a name", "required", "(Requiredly)"],
)
def test_a_comment_that_does_not_say_required(text):
    found = comment_statements(text, "id", nothing)
    assert [type(c) for c in checks(found)] == [NotARule]


def test_a_comment_that_contradicts_itself():
    found = comment_statements("(Required) Leave blank if not known.", "id", nothing)
    assert [s.check.code for s in found] == ["contradiction"]


def test_the_rest_of_a_comment_is_read_by_another_room():
    seen = []
    comment_statements("(Required) At most 5.", "id", lambda *given: seen.append(given) or ())
    comment_statements("Any text", "id", lambda *given: seen.append(given) or ())
    assert seen == [("At most 5.", "id"), ("Any text", "id")]
    assert comment_statements("  ", "id", nothing) == ()
