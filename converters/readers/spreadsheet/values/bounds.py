"""The least and the greatest value, each in a cell of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Literal as TypingLiteral

from ruleferry.converters.predicates import AgainstToday, Compare, Predicate, Range
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting
from ruleferry.converters.readers.spreadsheet.values.literals import (
    Literal,
    Name,
    Today,
    day_in,
    day_of_serial,
    is_padded,
    name_in,
    number_in,
    today_in,
    unquoted,
)
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    Read,
    gap,
    nothing,
    one,
    rule,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.words import (
    LONGEST,
    MANY_TEXTS,
    classes,
    has_word,
    plain,
    says_nothing,
    straight,
)


@dataclass(frozen=True, slots=True)
class Side:
    """Which of the two bounds it is; `is_open`: the bound itself is refused."""

    upper: bool
    is_open: bool = False


_OPERATORS: Mapping[Side, TypingLiteral["<", "<=", ">", ">="]] = {
    Side(upper=True): "<=",
    Side(upper=True, is_open=True): "<",
    Side(upper=False): ">=",
    Side(upper=False, is_open=True): ">",
}
_DAYS = ("date", "timestamp")
_NUMBERS = ("integer", "decimal", "number")
_SIGNED = re.compile(r"(<=|>=|=<|=>|≤|≥|<|>)\s*(.+)", re.DOTALL)
_UNIT = re.compile(r"([-+−]?[\d.,\s]+?)\s*([^\d\s.,].*)", re.DOTALL)


def read_bound(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> Read:
    side = Side(meaning.endswith("max"), meaning.startswith("exclusive"))
    if isinstance(cell.value, bool):
        return _switch(cell, column)
    if isinstance(cell.value, date | time | timedelta):
        return _typed_day(cell.value, side, column)
    return bound_text(cell.text, side, column, setting)


def _switch(cell: Cell, column: Column) -> Read:
    """`exclusiveMinimum: true` speaks of a bound that stands in another cell."""
    if not cell.value:
        return nothing("range", "the bound itself is allowed")
    reason = "it says that a bound is refused, and not which one"
    return gap("range", "not_understood", reason, column)


def _typed_day(value: date | time | timedelta, side: Side, column: Column) -> Read:
    if not isinstance(value, date) or column.sort in (*_NUMBERS, "time", "boolean"):
        reason = f"the cell holds {value}, which no {column.sort or 'such'} bound is"
        return gap("range", "corrupted_cell", reason, column)
    return one(rule("range", bounded(_without_midnight(value), side, column), column))


def _without_midnight(value: date) -> date:
    if isinstance(value, datetime) and value.time() == time():
        return value.date()
    return value


def bound_text(text: str, side: Side, column: Column, setting: Setting) -> Read:
    word = plain(text)
    if word in ("true", "false") and side.is_open:
        return _switch_word(word, column)
    if word in classes("unbounded"):
        return nothing("range", f'"{text}" states no bound')
    if (silent := says_nothing(text)) is not None:
        return _silent(silent, text, column)
    if signed := _SIGNED.fullmatch(text.strip()):
        if _looks_up(signed[1]) != side.upper:
            return strange("range", f'"{text}" is a bound of the other side', column)
        side = Side(side.upper, side.is_open or signed[1] in "<>")
        text = signed[2]
    found = literal_in(text, column, setting)
    if found is None:
        return _no_bound(text, side, column, setting)
    return of_literal(found, text, side, column, setting)


def _switch_word(word: str, column: Column) -> Read:
    if word == "false":
        return nothing("range", "the bound itself is allowed")
    reason = "it says that a bound is refused, and not which one"
    return gap("range", "not_understood", reason, column)


def _silent(silent: str, text: str, column: Column) -> Read:
    if silent:
        return nothing("range", silent)
    reason = f'"{text}" says that it is still to be decided'
    return gap("range", "not_understood", reason, column)


def _looks_up(sign: str) -> bool:
    return sign in ("<", "<=", "=<", "≤")


@lru_cache(MANY_TEXTS)
def _literal(text: str, day_first: bool | None, days: bool) -> Literal | None:
    text = straight(text).strip()
    if len(text) > LONGEST:
        return None
    bare = unquoted(text)
    if (days or bare != text) and (day := day_in(bare, day_first, compact=True)) is not None:
        return day
    for found in (number_in(bare), day_in(bare, day_first), today_in(bare)):
        if found is not None:
            return found
    return name_in(bare)


def literal_in(text: str, column: Column, setting: Setting) -> Literal | None:
    """A number, a day, today or the name of another column; a day where the field holds days."""
    return _literal(text, setting.day_first, column.sort in _DAYS)


def of_literal(found: Literal, text: str, side: Side, column: Column, setting: Setting) -> Read:
    if isinstance(found, Name):
        return _other_column(found.name, side, column, setting)
    if fault := misfit(found, text, column):
        return fault
    return one(rule("range", bounded(found, side, column), column))


def misfit(found: Literal, text: str, column: Column) -> Read | None:
    """A bound of another sort than the values of the field."""
    is_number = isinstance(found, int | Decimal)
    if is_number and column.sort in _DAYS:
        return _serial(found, text, column)  # type: ignore[arg-type]
    if not is_number and column.sort in (*_NUMBERS, "boolean", "time"):
        reason = f'"{text}" is a day, and the field holds none'
        return gap("range", "not_understood", reason, column)
    if is_number and column.sort in ("boolean", "time"):
        reason = f'"{text}" is a number, and the field holds none'
        return gap("range", "not_understood", reason, column)
    if is_padded(text) and column.sort not in _NUMBERS:
        reason = f'whether the values are written with the leading zeros of "{text}" is not stated'
        return gap("range", "not_understood", reason, column)
    return None


def _serial(found: int | Decimal, text: str, column: Column) -> Read:
    day = day_of_serial(found)
    if day is None:
        reason = f'"{text}" is no day, and the field holds days'
        return gap("range", "not_understood", reason, column)
    reason = f"the cell holds the number {text}, as which a spreadsheet program keeps the day {day}"
    return gap("range", "corrupted_cell", reason, column)


def bounded(found: Literal, side: Side, column: Column) -> Predicate:
    if isinstance(found, Today):
        return AgainstToday(column.name, _OPERATORS[side], found.days, found.now)
    assert not isinstance(found, Name)
    as_times = isinstance(found, date)
    if side.upper:
        return Range(
            column.name, high=found, high_open=side.is_open, as_times=as_times, unknown="bad"
        )
    return Range(column.name, low=found, low_open=side.is_open, as_times=as_times, unknown="bad")


def _other_column(name: str, side: Side, column: Column, setting: Setting) -> Read:
    other = setting.column_of(name)
    if other is None:
        reason = f'"{name}" is no column of the table, or more than one'
        return gap("compare", "name_unresolved", reason, column)
    if other == column.name:
        return strange("compare", f'"{name}" is the field itself', column)
    left, right = (other, column.name) if side.upper else (column.name, other)
    predicate = Compare(
        left, ">" if side.is_open else ">=", right, "any_missing", "good", read_as(column)
    )
    return one(rule("compare", predicate, column, other))


def read_as(column: Column) -> TypingLiteral["time", "day"] | None:
    if column.sort == "date":
        return "day"
    return "time" if column.sort == "timestamp" else None


def _no_bound(text: str, side: Side, column: Column, setting: Setting) -> Read:
    name = unquoted(text.strip())
    if setting.column_of(name) not in (None, column.name):
        return _other_column(name, side, column, setting)
    if "unit" in plain(text) and has_word(text, "lists", "elsewhere"):
        return gap("range", "unit", f'"{text}" says that the bound depends on a unit', column)
    if has_word(text, "lists", "elsewhere"):
        return gap("range", "list_elsewhere", f'"{text}" says that it stands elsewhere', column)
    if has_unit(text):
        return gap("range", "unit", f'"{text}" has a unit', column)
    return strange("range", f'"{text}" is no number, no day and no column', column)


def has_unit(text: str) -> bool:
    """A number with a word behind it that is known to be a unit."""
    found = _UNIT.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if not found or number_in(found[1]) is None:
        return False
    return plain(found[2]) in classes("ranges") and classes("ranges")[plain(found[2])] == "units"
