"""Formulas and what they refer to."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spreadsheet_books import area, book, sheet

from ruleferry.converters.readers.spreadsheet.cells import Cell, address
from ruleferry.converters.readers.spreadsheet.lists.formulas import (
    Binary,
    Call,
    Number,
    Range,
    Text,
    moved,
    read_formula,
    same_in_every_row,
)
from ruleferry.converters.readers.spreadsheet.lists.references import cells_of
from ruleferry.converters.readers.spreadsheet.lists.serials import moment_of

LISTS = sheet(
    "Lists",
    ("Colour", "Size", "Value"),
    ("red", "S", "1"),
    ("green", "M", "2"),
    ("", "L", ""),
    tables={"Codes": area("A1:B4"), "Sizes": area("B1:B4")},
)
MINE = sheet("My sheet", ("a", "b"), ("c", None), ("d", "e"))
BOOK = book(
    MINE,
    LISTS,
    names={
        "colours": "Lists!$A$2:$A$4",
        "again": "colours",
        "round": "round",
        "gone": "Lists!#REF!",
        "far": "[1]Lists!$A$1:$A$3",
        "both": "Lists!$A$2:$A$3,Lists!$B$2:$B$3",
        "moving": "OFFSET(Lists!$A$1,1,0,3,1)",
        "x": "Lists!$A$2",
        "X": "Lists!$A$3",
        "My sheet!near": "'My sheet'!$A$1",
        "Lists!near": "Lists!$A$1",
        "near": "Lists!$B$1",
    },
)

FOUND = {
    "Lists!$A$2:$A$9": "red green",
    "=Lists!$A$2:$A$4": "red green",
    "lists!a2:a4": "red green",
    "$A$1:$A$3": "a c d",
    "A3:A1": "a c d",
    "'My sheet'!A:A": "a c d",
    "'My sheet'!$3:$3": "d e",
    "A1:B3": "a b c d e",
    "colours": "red green",
    "COLOURS": "red green",
    "again": "red green",
    "Lists!colours": "red green",
    "both": "red green S M",
    "Codes[Colour]": "red green",
    "Codes[[#All],[Size]]": "Size S M L",
    "Codes": "red S green M L",
    "Codes[#Data]": "red S green M L",
    "Sizes[size]": "S M L",
    'INDIRECT("Lists!$B$2:$B$3")': "S M",
    'INDIRECT("colours")': "red green",
    "C1:C3": "",
    "near": "a",
    "Lists!near": "Colour",
    "Other!near": "Size",
    "Lists!$A$4": "",
}
NOTHING = [
    "#REF!", "Lists!#REF!", "gone", "[1]Lists!A1", "'[1]My sheet'!A1", "'[other.xlsx]S'!A1",
    "far", "OFFSET(Lists!$A$1,1,0)", "moving", 'INDIRECT(A1)', "INDIRECT(A1&B1)", "Missing!A1",
    "unknown_name", "Codes[Weight]", "Codes[#Totals]", "Codes[@Colour]", "round", "x", "", "=",
    "A1048577", "XFE1", "A0", "Lists!", "A1 B1", "A1#", "{1,2}", "A1:B2:C3", '"a,b"', "5",
    "VLOOKUP(A1,B:C,2,0)", "(" * 5000, "A" * 9000, "1" * 9000, "INDIRECT(" * 100,
]  # fmt: skip


@pytest.mark.parametrize("reference", FOUND)
def test_a_reference_gives_its_filled_cells(reference):
    found = cells_of(reference, BOOK, "My sheet")
    assert found is not None
    assert " ".join(cell.text for cell in found) == FOUND[reference]


@pytest.mark.parametrize("reference", NOTHING)
def test_what_refers_to_nothing_that_can_be_seen(reference):
    assert cells_of(reference, BOOK, "My sheet") is None


def test_the_cells_know_where_they_stand():
    cells = cells_of("colours", BOOK, "My sheet")
    assert [cell.place for cell in cells] == ["Lists!A2", "Lists!A3"]


def cell(text):
    return read_formula(text)


READ = {
    "1+2*3": Binary("+", Number(Decimal(1)), Binary("*", Number(Decimal(2)), Number(Decimal(3)))),
    "1-2-3": Binary("-", Binary("-", Number(Decimal(1)), Number(Decimal(2))), Number(Decimal(3))),
    "(1+2)*3": Binary("*", Binary("+", Number(Decimal(1)), Number(Decimal(2))), Number(Decimal(3))),
    "-5": Number(Decimal(-5)),
    "+5": Number(Decimal(5)),
    "50%": Number(Decimal("0.5")),
    "1.5E3": Number(Decimal("1.5E3")),
    "A1=2": Binary("=", cell("A1"), Number(Decimal(2))),
    "A1<>2": Binary("<>", cell("A1"), Number(Decimal(2))),
    'A1&"x""y"': Binary("&", cell("A1"), Text('x"y')),
    "TODAY()": Call("TODAY", ()),
    "today( )": Call("TODAY", ()),
    "_xlfn.XLOOKUP(1)": Call("XLOOKUP", (Number(Decimal(1)),)),
    "LOG10(1)": Call("LOG10", (Number(Decimal(1)),)),
}


@pytest.mark.parametrize("text", READ)
def test_formulas_are_read(text):
    assert read_formula(text) == READ[text]


@pytest.mark.parametrize(
    "text",
    ["1+", "1 2", "f(1", "f(,)", "f(1,)", ")", '"open', "@A1", "A1!", "1..2", "=", "'x'", "%"],
)
def test_what_is_no_formula(text):
    assert read_formula(text) is None


@given(st.text(alphabet="AB12$:!'\"(),[]#=<>+-*&^%. {}@xé", max_size=30))
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_or_refused(text):
    read_formula(text)
    cells_of(text, BOOK, "My sheet")


@given(
    st.integers(0, 50), st.integers(0, 50), st.booleans(), st.booleans(), st.integers(0, 9),
    st.integers(0, 9),
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_a_dollar_keeps_a_row_or_column_where_it_is(
    row, column, row_fixed, column_fixed, down, right
):
    letters, number = address(row, column).rstrip("0123456789"), row + 1
    text = f"{'$' * column_fixed}{letters}{'$' * row_fixed}{number}"
    there = moved(read_formula(text), down, right)
    assert isinstance(there, Range)
    assert there.first.row == row + (0 if row_fixed else down)
    assert there.first.column == column + (0 if column_fixed else right)
    assert same_in_every_row(there) is row_fixed


def test_what_leaves_the_sheet_is_nothing():
    assert moved(read_formula("A2"), -2, 0) is None
    assert moved(read_formula("LEN(A2)<5"), -2, 0) is None
    assert moved(read_formula("A1,B1"), 0, -1) is None


DAYS = {
    ("43831", False): date(2020, 1, 1),
    ("42369", True): date(2020, 1, 1),
    ("1", False): date(1900, 1, 1),
    ("59", False): date(1900, 2, 28),
    ("60", False): None,
    ("61", False): date(1900, 3, 1),
    ("0", True): date(1904, 1, 1),
    ("0", False): None,
    ("-1", False): None,
    ("2958465", False): date(9999, 12, 31),
    ("2958466", False): None,
    ("1e30", False): None,
    ("43831.5", False): datetime.fromisoformat("2020-01-01 12:00"),
}


@pytest.mark.parametrize("case", DAYS)
def test_days_by_their_number(case):
    serial, from_1904 = case
    assert moment_of(Decimal(serial), from_1904=from_1904) == DAYS[case]


def test_an_empty_place_has_no_cell():
    assert all(isinstance(found, Cell) for found in cells_of("A:XFD", BOOK, "My sheet"))
