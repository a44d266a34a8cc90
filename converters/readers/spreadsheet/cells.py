"""What a workbook holds as a person sees it: sheets, cells, and what stands around them.

Rows and columns count from 0, as calamine gives them; `address` says them as a person does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeAlias

# A number is exact: an int, or the shortest decimal of the double that the file holds.
CellValue: TypeAlias = str | bool | int | Decimal | date | datetime | time | timedelta
# (row, column)
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, its edges included."""

    top: int
    left: int
    bottom: int
    right: int

    def __contains__(self, place: Place) -> bool:
        row, column = place
        return self.top <= row <= self.bottom and self.left <= column <= self.right


@dataclass(frozen=True, slots=True)
class Validation:
    """A data validation: what may be typed into the cells of some areas.

    `kind`: list, decimal, whole, date, time, textLength, custom or none (a prompt alone). Formulas
    are texts as the file holds them; relative ones speak of the first area's top left cell.
    `strict`: the errorStyle stop; the others let a person keep the value.
    """

    kind: str
    areas: tuple[Area, ...]  # none where what it covers is no area, such as #REF!
    operator: str = "between"
    formulas: tuple[str, ...] = ()
    blank_allowed: bool = False
    strict: bool = True
    message: str = ""
    prompt: str = ""
    extension: bool = False


@dataclass(frozen=True, slots=True)
class Marks:
    """What changes the meaning of a sheet's cells and is no value.

    `struck`: the whole text is struck through; `partly_struck`: some of it. `shown`: what the cell
    shows where its number format makes another text of it (leading zeros, a share in percent).
    `errors`: #REF! and the like; `uncached`: formulas whose result the file does not hold.
    """

    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    struck: frozenset[Place] = frozenset()
    partly_struck: frozenset[Place] = frozenset()
    merged: tuple[Area, ...] = ()
    comments: Mapping[Place, str] = field(default_factory=dict)
    errors: Mapping[Place, str] = field(default_factory=dict)
    uncached: frozenset[Place] = frozenset()
    shown: Mapping[Place, str] = field(default_factory=dict)
    validations: tuple[Validation, ...] = ()
    tables: Mapping[str, Area] = field(default_factory=dict)

    def trouble(self, place: Place) -> str:
        """Why the cell there is unfit to be read; empty where it is fit."""
        if place in self.uncached:
            return "a formula whose result the file does not hold"
        if place in self.partly_struck:
            return "a text of which a part is struck through"
        error = self.errors.get(place, "")
        return f"an error value, {error}" if error else ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One filled cell. `text` is its value as a text, trimmed; `trouble` says why it is unfit."""

    sheet: str
    row: int
    column: int
    value: CellValue
    text: str
    struck: bool = False
    comment: str = ""
    trouble: str = ""

    @property
    def place(self) -> str:
        """`Fields!G12`; in a CSV, which has no sheets, `G12`."""
        return (
            f"{self.sheet}!{address(self.row, self.column)}"
            if self.sheet
            else address(self.row, self.column)
        )


@dataclass(frozen=True)
class Sheet:
    """`rows`: the values of each row from the first on; None or "" is an empty cell.

    The sheet of a CSV has no name; `lines`: row -> its first line in the file.
    """

    name: str
    rows: Sequence[Sequence[CellValue | None]]
    hidden: bool = False
    marks: Marks = field(default_factory=Marks)
    lines: Sequence[int] = ()

    def cell(self, row: int, column: int) -> Cell | None:
        """None for an empty cell. A text of nothing but white space is empty."""
        value = self._value(row, column)
        text = "" if value is None else text_of(value)  # a blank text alone is empty
        if (row, column) in self._marked:
            return self._marked_cell((row, column), value, text)
        return Cell(self.name, row, column, value, text) if value is not None and text else None

    def _marked_cell(self, place: Place, value: CellValue | None, text: str) -> Cell | None:
        marks, trouble = self.marks, self.marks.trouble(place)
        if not text and not trouble:
            return None
        return Cell(
            self.name, *place, "" if value is None else value,
            marks.shown.get(place) or text or marks.errors.get(place, ""),
            place in marks.struck, marks.comments.get(place, ""), trouble,
        )  # fmt: skip

    @cached_property
    def _marked(self) -> frozenset[Place]:
        """The cells of which more is known than their values."""
        marks = self.marks
        keys = marks.comments.keys() | marks.errors.keys() | marks.shown.keys()
        return marks.struck.union(marks.partly_struck, marks.uncached, keys)

    def _value(self, row: int, column: int) -> CellValue | None:
        cells = self.rows[row] if row < len(self.rows) else ()
        return cells[column] if column < len(cells) else None

    def filled(self) -> Iterator[Place]:
        """The places of all filled cells, row by row."""
        extra = self.marks.errors.keys() | self.marks.uncached
        for row, cells in enumerate(self.rows):
            for column, value in enumerate(cells):
                if not _empty(value) or (row, column) in extra:
                    yield row, column


Format: TypeAlias = Literal["xlsx", "xls", "xlsb", "ods", "csv"]


@dataclass(frozen=True, slots=True)
class Book:
    """`names`: defined name -> what it refers to, as the file holds it (`Lists!$A$2:$A$9`).

    `unseen`: what this format holds and can't be looked at, in words ("comments"). `from_1904`: its
    days are counted from 1904 on (date1904), else from 1900.
    """

    file: str
    format: Format
    sheets: tuple[Sheet, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()
    from_1904: bool = False


def _empty(value: CellValue | None) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def text_of(value: CellValue) -> str:
    """`9`, `0.1`, `TRUE`, `2024-05-01`; a text without white space around it."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return str(value)


def address(row: int, column: int) -> str:
    """(11, 6) is G12."""
    return f"{column_letters(column)}{row + 1}"


def column_letters(column: int) -> str:
    letters = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
