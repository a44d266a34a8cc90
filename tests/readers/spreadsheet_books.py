"""Workbooks made of tuples, without a file."""

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header, Layout, Record
from ruleferry.converters.readers.spreadsheet.cells import (
    Area,
    Book,
    Cell,
    Marks,
    Sheet,
    Validation,
)


def area(text):
    """`A2:C9`, `A2`; whole columns are not needed here."""
    first, _, last = text.partition(":")
    (top, left), (bottom, right) = place(first), place(last or first)
    return Area(top, left, bottom, right)


def place(text):
    letters = text.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(text[len(letters) :]) - 1, column - 1


def sheet(name, *rows, **marks):
    return Sheet(name, rows, marks=Marks(**marks))


def book(*sheets, names=None, from_1904=False):
    return Book("book.xlsx", "xlsx", sheets, names or {}, from_1904=from_1904)


def validation(kind, areas, *formulas, **given):
    return Validation(kind, tuple(area(a) for a in areas.split()), formulas=formulas, **given)


def block(name, rows, **given):
    """The block of a sheet whose first row is its header; empty texts are no cells."""
    grid = Sheet(name, rows, marks=Marks(**given.pop("marks", {})))
    headers = tuple(
        Header(index, str(text), Cell(name, 0, index, text, str(text)))
        for index, text in enumerate(rows[0])
        if text not in (None, "")
    )
    records = tuple(
        Record(
            row,
            {
                header.index: (cell,)
                for header in headers
                if (cell := grid.cell(row, header.index)) is not None
            },
        )
        for row in range(1, len(rows))
    )
    return Block(name, headers, records, **given)


def layout(name, rows, kind="code list", **given):
    return Layout(name, kind, "", (block(name, rows, **given),))
