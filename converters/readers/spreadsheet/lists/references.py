"""What a reference speaks of: an address, a defined name, a column of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.cells import Area, Book, Cell, Place, Sheet
from ruleferry.converters.readers.spreadsheet.lists.formulas import (
    Call,
    Formula,
    Name,
    Range,
    TableColumn,
    Text,
    Union,
    read_formula,
)

_DEEPEST = 8  # a name may refer to a name
_MOST_AREAS = 100


@dataclass(frozen=True, slots=True)
class Part:
    """Some cells of one sheet."""

    sheet: Sheet
    area: Area

    @property
    def is_line(self) -> bool:
        """One row or one column: what a list may be."""
        one_column = self.area.left == self.area.right
        return one_column or self.area.top == self.area.bottom


def cells_of(reference: str, book: Book, sheet: str) -> tuple[Cell, ...] | None:
    """The filled cells of a reference that stands on that sheet.

    None where it refers to nothing, to another file, or where only a calculation could tell.
    """
    formula = read_formula(reference)
    parts = None if formula is None else parts_of(formula, book, sheet)
    return None if parts is None else tuple(cells_in(parts))


def cells_in(parts: tuple[Part, ...]) -> Iterator[Cell]:
    for part in parts:
        for row, column in _places(part):
            cell = part.sheet.cell(row, column)
            if cell is not None:
                yield cell


ReadCells: TypeAlias = Callable[[tuple[Part, ...]], tuple[Cell, ...]]


def remembered() -> ReadCells:
    """A reading of cells that reads no area twice: many validations share one list."""
    known: dict[tuple[tuple[str, Area], ...], tuple[Cell, ...]] = {}

    def read(parts: tuple[Part, ...]) -> tuple[Cell, ...]:
        key = tuple((part.sheet.name, part.area) for part in parts)
        if key not in known:
            known[key] = tuple(cells_in(parts))
        return known[key]

    return read


def _places(part: Part) -> Iterator[Place]:
    """Those that may be filled. Errors may stand beyond the last value of a row or sheet."""
    area, rows, marks = part.area, part.sheet.rows, part.sheet.marks
    for row in range(area.top, min(area.bottom + 1, len(rows))):
        for column in range(area.left, min(area.right + 1, len(rows[row]))):
            yield row, column
    for place in sorted(place for place in (*marks.errors, *marks.uncached) if place in area):
        row, column = place
        if row >= len(rows) or column >= len(rows[row]):
            yield place


def parts_of(formula: Formula, book: Book, sheet: str, depth: int = 0) -> tuple[Part, ...] | None:
    """The areas that a formula refers to."""
    match formula:
        case Range():
            found = sheet_of(book, formula.sheet or sheet)
            return None if found is None else (Part(found, _area(formula)),)
        case Name() if depth < _DEEPEST:
            return _of_name(formula, book, sheet, depth)
        case TableColumn():
            return _of_table(formula, book)
        case Call("INDIRECT", (Text(text),)) if depth < _DEEPEST:
            inner = read_formula(text)
            return None if inner is None else parts_of(inner, book, sheet, depth + 1)
        case Union(parts) if len(parts) <= _MOST_AREAS and depth < _DEEPEST:
            every = [parts_of(part, book, sheet, depth + 1) for part in parts]
            known = [found for found in every if found is not None]
            return sum(known, ()) if len(known) == len(every) else None
        case _:
            return None


def sheet_of(book: Book, name: str) -> Sheet | None:
    """By its name, of which the case does not count."""
    wanted = name.casefold()
    return next((sheet for sheet in book.sheets if sheet.name.casefold() == wanted), None)


def _area(of: Range) -> Area:
    return Area(of.first.row, of.first.column, of.last.row, of.last.column)


def _of_name(name: Name, book: Book, sheet: str, depth: int) -> tuple[Part, ...] | None:
    target = _target(name, book, sheet)
    if target is None:
        return _of_table(TableColumn(name.name, None), book)
    formula = read_formula(target)
    return None if formula is None else parts_of(formula, book, name.sheet or sheet, depth + 1)


def _target(name: Name, book: Book, sheet: str) -> str | None:
    """A name of the sheet comes before one of the workbook. Of two none is meant: ""."""
    for wanted in (f"{name.sheet or sheet}!{name.name}", name.name):
        found = {to for key, to in book.names.items() if key.casefold() == wanted.casefold()}
        if found:
            return found.pop() if len(found) == 1 else ""
    return None


def _of_table(of: TableColumn, book: Book) -> tuple[Part, ...] | None:
    wanted = of.table.casefold()
    for sheet in book.sheets:
        for name, area in sheet.marks.tables.items():
            if name.casefold() == wanted:
                return _within(of, sheet, area)
    return None


def _within(of: TableColumn, sheet: Sheet, area: Area) -> tuple[Part, ...] | None:
    """The first row of a table holds its headers."""
    top = area.top if of.with_header else area.top + 1
    if of.column is None:
        return (Part(sheet, Area(top, area.left, area.bottom, area.right)),)
    headers = {
        column: cell.text.casefold()
        for column in range(area.left, area.right + 1)
        if (cell := sheet.cell(area.top, column)) is not None
    }
    found = [column for column, text in headers.items() if text == of.column.casefold()]
    if len(found) != 1:
        return None
    return (Part(sheet, Area(top, found[0], area.bottom, found[0])),)
