"""Addresses as workbooks write them (`A2:A9 C3`, `$B:$B`, `2:4`) -> areas."""

from __future__ import annotations

import re

from ruleferry.converters.readers.spreadsheet.cells import Area, Place
from ruleferry.converters.readers.spreadsheet.workbook.limits import COLUMNS, ROWS

_ADDRESS = re.compile(r"\$?([A-Z]{1,3})?\$?([0-9]{1,7})?\Z")


def areas(text: str) -> tuple[Area, ...]:
    """Those of a list with spaces between; what is no address is left out."""
    found = (area(word) for word in text.split())
    return tuple(each for each in found if each)


def area(text: str) -> Area | None:
    """None for what is no area of a sheet."""
    first, _, last = text.upper().partition(":")
    start, end = _corner(first), _corner(last or first)
    whole = last and start and end and (start[0] is None) == (end[0] is None)
    if not start or not end or not (whole or None not in (*start, *end)):
        return None
    (top, left), (bottom, right) = start, end
    if (left is None) != (right is None):
        return None
    rows = sorted((0 if top is None else top, ROWS - 1 if bottom is None else bottom))
    columns = sorted((0 if left is None else left, COLUMNS - 1 if right is None else right))
    return Area(rows[0], columns[0], rows[1], columns[1])


def _corner(text: str) -> tuple[int | None, int | None] | None:
    """(row, column), one of them None in `B` and `2`; None for no address."""
    match = _ADDRESS.match(text)
    if not match or not (match[1] or match[2]):
        return None
    row = int(match[2]) - 1 if match[2] else None
    column = column_number(match[1]) if match[1] else None
    fits = (row is None or 0 <= row < ROWS) and (column is None or column < COLUMNS)
    return (row, column) if fits else None


def column_number(letters: str) -> int:
    """`A` is 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def place(text: str) -> Place | None:
    """The place of one cell's address (of its top left cell, for an area)."""
    found = area(text)
    return (found.top, found.left) if found else None
