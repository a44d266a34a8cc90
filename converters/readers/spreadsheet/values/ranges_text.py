"""A range in one cell, as the rules that it states about the field."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from ruleferry.converters.predicates import OneOf, Range
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.bounds import (
    Side,
    bound_text,
    literal_in,
    misfit,
)
from ruleferry.converters.readers.spreadsheet.values.intervals import Interval, intervals_in
from ruleferry.converters.readers.spreadsheet.values.literals import (
    Literal,
    Name,
    Today,
    is_padded,
    unquoted,
)
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    Read,
    gap,
    one,
    one_of,
    rule,
)
from ruleferry.converters.readers.spreadsheet.values.words import plain
from ruleferry.converters.rule import Row

# Of more values a list is no longer a list that a person reads.
MANY_VALUES = 1000
_NUMBERS = ("integer", "decimal", "number")


def interval_read(text: str, column: Column, setting: Setting) -> Read | None:
    """None where the text names no interval."""
    found = intervals_in(text)
    if not found:
        return None
    if len(found) == 1:
        return _interval(found[0], column, setting)
    return _several(found, text, column, setting)


def _interval(found: Interval, column: Column, setting: Setting) -> Read:
    if found.name and not _is_own(found.name, column, setting):
        reason = f'"{unquoted(found.name)}" is not the field of this row'
        return gap("range", "name_unresolved", reason, column)
    if listed := _padded(found, column):
        return listed
    sides = [side for side in (found.low, found.high) if side]
    if len(sides) == 2:
        literals = [literal_in(side, column, setting) for side in sides]
        if joined := _joined(found, literals, sides, column):
            return joined
    return _sides(found, column, setting)


def _is_own(name: str, column: Column, setting: Setting) -> bool:
    name = unquoted(name.strip())
    known = {plain(word) for word in (column.name, *column.labels)}
    return plain(name) in known or setting.column_of(name) == column.name


def _padded(found: Interval, column: Column) -> Read | None:
    """`00-52` are the texts 00, 01 and so on, where the field does not hold numbers."""
    if column.sort in _NUMBERS or not (is_padded(found.low) or is_padded(found.high)):
        return None
    values = expanded(found.low, found.high)
    if values is None or found.low_open or found.high_open:
        reason = "whether its values are written with leading zeros is not stated"
        return gap("range", "not_understood", reason, column)
    return one(rule("allowed", OneOf(column.name, values), column))


def expanded(low: str, high: str) -> tuple[str, ...] | None:
    """All whole numbers from one to the other, as they are written; None for other bounds."""
    if not (low.isascii() and low.isdigit() and high.isascii() and high.isdigit()):
        return None
    padded = is_padded(low) or is_padded(high)
    first, last = int(low), int(high)
    if (padded and len(low) != len(high)) or not 0 <= last - first < MANY_VALUES:
        return None
    width = len(low) if padded else 0
    return tuple(str(number).zfill(width) for number in range(first, last + 1))


def _joined(
    found: Interval, literals: list[Literal | None], sides: list[str], column: Column
) -> Read | None:
    """Two numbers or two days are one range."""
    low, high = literals
    if low is None or high is None or isinstance(low, Today | Name):
        return None
    if isinstance(high, Today | Name):
        return None
    for literal, side in zip((low, high), sides, strict=True):
        if fault := misfit(literal, side, column):
            return fault
    if not _rises(low, high):
        reason = f"no value lies between {sides[0]} and {sides[1]}"
        return gap("range", "not_understood", reason, column)
    ends = found.low_open, found.high_open
    as_times = isinstance(low, date)
    predicate = Range(column.name, low, high, *ends, as_times=as_times, unknown="bad")
    return one(rule("range", predicate, column))


def _rises(low: int | Decimal | date, high: int | Decimal | date) -> bool:
    if isinstance(low, date) or isinstance(high, date):
        return isinstance(low, date) and isinstance(high, date) and str(low) <= str(high)
    return low <= high


def _sides(found: Interval, column: Column, setting: Setting) -> Read:
    """Each bound is a rule of its own; where one is a question, the whole is."""
    statements: list[Statement] = []
    for text, side in (
        (found.low, Side(upper=False, is_open=found.low_open)),
        (found.high, Side(upper=True, is_open=found.high_open)),
    ):
        if not text:
            continue
        read = bound_text(text, side, column, setting)
        if not _is_rule(read):
            return read
        statements += read.statements
    return Read(tuple(statements))


def _is_rule(read: Read) -> bool:
    return all(isinstance(statement.check, Row) for statement in read.statements)


def _several(found: tuple[Interval, ...], text: str, column: Column, setting: Setting) -> Read:
    """Intervals of single whole numbers are a list; others can't be told in one rule."""
    values: list[str] = []
    for each in found:
        if each.low_open or each.high_open or not each.low or not each.high:
            break
        if each.low == each.high:
            values.append(each.low)
        elif column.sort == "integer" and (between := expanded(each.low, each.high)):
            values += between
        else:
            break
    else:
        return one(one_of(values, column))
    reason = f'"{text}" names {len(found)} ranges, of which a value may lie in any'
    return gap("range", "not_understood", reason, column)
