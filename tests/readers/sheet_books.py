"""Sheets for the tests of a spreadsheet's layout: from a few lines of text, or from real files."""

import re
from functools import cache
from pathlib import Path

from ruleferry.converters.readers.spreadsheet.cells import Book, Marks, Sheet
from ruleferry.converters.readers.spreadsheet.layout.sheets import layout_of
from ruleferry.converters.readers.spreadsheet.meaning.header_words import known_meaning
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book

known = known_meaning


def classes_of(layout):
    """Place -> its class, or "record"; a place that stands twice is an error."""
    found = dict(layout.classes)
    for block in layout.blocks:
        for record in block.records:
            for cells in record.cells.values():
                for cell in cells:
                    place = (cell.row, cell.column)
                    assert place not in found, f"{cell.place} stands twice"
                    found[place] = "record"
    return found


def rows_of(block):
    """The records as lists of texts, those of one header joined by +."""
    return [
        ["+".join(cell.text for cell in r.cells.get(h.index, ())) for h in block.headers]
        for r in block.records
    ]


def sheet(text, name="orders", **marks):
    """Rows are lines, cells stand between `|`; a number is a number."""
    hidden = marks.pop("hidden", False)
    lines = text.strip("\n").splitlines()
    rows = [[_value(cell) for cell in line.split("|")] for line in lines]
    return Sheet(name, rows, hidden, Marks(**marks))


def _value(text):
    text = text.strip()
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text or None


@cache
def book(path: Path) -> Book:
    found = read_book(path.read_bytes(), path.name)
    assert isinstance(found, Book), found
    return found


def read(text, name="orders", settings=None, **marks):
    made = sheet(text, name, **marks)
    layout = layout_of(made, known, settings)
    assert set(classes_of(layout)) == set(made.filled())
    return layout


def only(layout):
    (block,) = layout.blocks
    return block
