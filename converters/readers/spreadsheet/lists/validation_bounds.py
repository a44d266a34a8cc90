"""What a validation compares a value with: a number, a day, another field, or today."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.cells import Area, Book, Cell, Sheet, Validation
from ruleferry.converters.readers.spreadsheet.lists.formulas import (
    Binary,
    Call,
    Formula,
    Name,
    Number,
    Range,
)
from ruleferry.converters.readers.spreadsheet.lists.references import ReadCells, parts_of, sheet_of
from ruleferry.converters.readers.spreadsheet.lists.serials import moment_of, serial_told
from ruleferry.converters.readers.spreadsheet.statement import CodeList
from ruleferry.converters.rule import Caveat, Unread


@dataclass(frozen=True, slots=True)
class At:
    """One column that a validation covers. Its formulas are those of `area`'s first row there."""

    validation: Validation
    area: Area
    index: int
    column: str
    formulas: tuple[Formula | None, ...]
    sheet: Sheet
    book: Book
    names: Mapping[int, str]
    lists: Callable[[str], CodeList | None]
    read: ReadCells

    def unread(self, code: str, reason: str) -> Unread:
        return Unread(code, reason, (self.column,))


@dataclass(frozen=True, slots=True)
class Constant:
    """`value` as the sheet counts it; `told`: how a day was read."""

    value: int | Decimal | date
    told: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """Another column of the same record."""

    column: str


@dataclass(frozen=True, slots=True)
class Today:
    days: int
    now: bool = False


Bound: TypeAlias = Constant | Field | Today


def own(formula: Formula, at: At) -> bool:
    """Whether it is the cell that is validated."""
    return field(formula, at) == at.column


def field(formula: Formula, at: At) -> str | None:
    """The column whose cell of the same record it is."""
    if not isinstance(formula, Range) or not formula.is_cell or not _here(formula, at):
        return None
    moves = not formula.first.row_fixed or at.area.top == at.area.bottom
    in_record = moves and formula.first.row == at.area.top
    return at.names.get(formula.first.column) if in_record else None


def _here(formula: Range, at: At) -> bool:
    return formula.sheet is None or sheet_of(at.book, formula.sheet) is at.sheet


def read_bound(formula: Formula | None, at: At, *, days: bool) -> Bound | Unread:
    """`days`: numbers are days."""
    match formula:
        case None:
            return _unread(at)
        case Number(value):
            return _constant(value, at, days=days)
        case Call("DATE", (Number(year), Number(month), Number(day))) if days:
            return _day(year, month, day, at)
        case Call("TODAY" | "NOW", ()) if days:
            return Today(0, now=formula.function == "NOW")
        case Binary("+" | "-", Call("TODAY" | "NOW", ()) as clock, Number(value)) if days:
            if value == value.to_integral_value() and abs(value) < 1_000_000:
                moved = int(value) if formula.operator == "+" else -int(value)
                return Today(moved, now=clock.function == "NOW")
            return _unread(at)
        case Range() | Name():
            return _of_reference(formula, at, days=days)
        case _:
            return _unread(at)


def _unread(at: At) -> Unread:
    shown = " and ".join(at.validation.formulas)
    if "#REF!" in shown.upper():
        return at.unread("suspicious_validation", f"it refers to cells that are gone: {shown}")
    if "[" in shown:
        return at.unread("not_understood", f"it refers to another file or a table: {shown}")
    return at.unread("not_understood", f"the bound is worked out by a formula: {shown}")


def _constant(value: Decimal, at: At, *, days: bool) -> Bound | Unread:
    if not days:
        return Constant(exact(value))
    moment = moment_of(value, from_1904=at.book.from_1904)
    if moment is None:
        return at.unread("suspicious_validation", f"{value:f} is no day of a spreadsheet")
    told = serial_told(value, moment, from_1904=at.book.from_1904)
    return Constant(moment, (Caveat("date_serial", told),))


def exact(value: Decimal) -> int | Decimal:
    return int(value) if value == value.to_integral_value() else value


def _day(year: Decimal, month: Decimal, day: Decimal, at: At) -> Bound | Unread:
    """DATE(2024,13,1) is a day to a spreadsheet, and none to anybody else."""
    try:
        return Constant(date(int(year), int(month), int(day)))
    except (ValueError, OverflowError):
        return _unread(at)


def _of_reference(formula: Range | Name, at: At, *, days: bool) -> Bound | Unread:
    named = field(formula, at)
    if named == at.column:
        return at.unread("suspicious_validation", "it compares the field with itself")
    if named is not None:
        return Field(named)
    if isinstance(formula, Range) and not formula.first.row_fixed and at.area.top != at.area.bottom:
        shown = " and ".join(at.validation.formulas)
        return at.unread("other_records", f"it speaks of cells that move with the record: {shown}")
    parts = parts_of(formula, at.book, at.sheet.name)
    cells = None if parts is None else at.read(parts[:2])
    if cells is None:
        return _unread(at)
    if len(cells) != 1 or cells[0].trouble:
        shown = " and ".join(at.validation.formulas)
        return at.unread("suspicious_validation", f"the cell of its bound holds none: {shown}")
    return _of_cell(cells[0], at, days=days)


def _of_cell(cell: Cell, at: At, *, days: bool) -> Bound | Unread:
    value = cell.value
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return _constant(Decimal(value), at, days=days)
    if isinstance(value, date) and days:
        midnight = isinstance(value, datetime) and value.time() == datetime.min.time()
        return Constant(value.date() if midnight and isinstance(value, datetime) else value)
    return at.unread("suspicious_validation", f"the bound in {cell.place} is {cell.text!r}")
