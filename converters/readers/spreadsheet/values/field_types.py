"""The type of a field: the rules that it states about each value, and the sort of them."""

from __future__ import annotations

from functools import lru_cache

from ruleferry.converters.predicates import (
    Format,
    Json,
    Length,
    Matches,
    Predicate,
    Present,
    Range,
    Sort,
    Typed,
)
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.date_formats import format_of
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    Read,
    gap,
    left,
    nothing,
    one,
    one_of,
    rule,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.type_texts import TypeText, type_in
from ruleferry.converters.readers.spreadsheet.values.words import MANY_TEXTS, says_nothing
from ruleferry.converters.rule import Kind

# What `or_other` adds to the names of an XLSForm's choices.
_OTHER = "other"


@lru_cache(MANY_TEXTS)
def sort_of(text: str) -> Sort | None:
    """What a type cell says of the field's values; None where it says nothing of them."""
    known = type_in(text)
    if known is None:
        mask = format_of(text)
        return mask.sort if mask else None
    return None if known.many else known.sort


@lru_cache(MANY_TEXTS)
def holds_many(text: str) -> bool:
    """A type cell says that the field holds several values."""
    known = type_in(text)
    return known is not None and known.many


def form_of(text: str) -> str:
    """Why a type states no rule of any field, where it is a part of a form: `end group`."""
    known = type_in(text)
    return known.form if known else ""


def read_type(cell: Cell, column: Column, setting: Setting) -> Read:
    known = type_in(cell.text)
    if known is not None:
        return of_type(known, cell.text, column, setting)
    if mask := format_of(cell.text):
        return one(rule("format", Format(column.name, mask.format, exact=mask.exact), column))
    if silent := says_nothing(cell.text):
        return nothing("type", silent)
    return strange("type", f'"{cell.text}" is no type that is known', column)


def type_statements(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    known = type_in(text)
    return of_type(known, text, column, setting).statements if known else ()


def of_type(known: TypeText, text: str, column: Column, setting: Setting) -> Read:
    if known.many:
        return _several(known, text, column)
    if known.listed:
        return _choice(known, column, setting)
    if known.form:
        return nothing("type", known.form)
    if known.unstated:
        return gap("type", "format", known.unstated, column)
    found = [*_value_rules(known, column), *_doubts(known, column), *_must_hold(known, column)]
    return Read(tuple(found)) if found else nothing("type", f'"{text}" allows any text')


def _several(known: TypeText, text: str, column: Column) -> Read:
    if known.listed:
        reason = f'each of several values is of the list "{known.listed}"'
        return gap("allowed", "several_values", reason, column)
    if known.doubt:
        return gap("type", "several_values", known.doubt, column)
    return nothing("type", f'"{text}" says that the field holds several values')


def _choice(known: TypeText, column: Column, setting: Setting) -> Read:
    found = setting.lists(known.listed)
    if found is None:
        reason = f'the workbook has no list "{known.listed}"'
        return gap("allowed", "list_elsewhere", reason, column)
    if not found.closed or not found.values:
        reason = f'the list "{found.name}" at {found.place} may be added to'
        return gap("allowed", "suggested_list", reason, column)
    values = (*found.values, _OTHER) if known.or_other else found.values
    return one(one_of(tuple(dict.fromkeys(values)), column))


def _value_rules(known: TypeText, column: Column) -> list[Statement]:
    predicate = _predicate(known, column)
    found = [rule(_kind(predicate), predicate, column)] if predicate else []
    if known.unsigned:
        found.append(rule("range", Range(column.name, low=0, unknown="bad"), column))
    return found


def _kind(predicate: Predicate) -> Kind:
    if isinstance(predicate, Length):
        return "length"
    return "pattern" if isinstance(predicate, Matches) else "type"


def _predicate(known: TypeText, column: Column) -> Predicate | None:
    if known.json:
        return Json(column.name)
    if known.pattern:
        return Matches(column.name, (known.pattern,))
    if known.sort == "integer" and (known.low or known.high):
        return Matches(column.name, (_count_of_digits(known),))
    if known.low is not None or known.high is not None:
        return Length(column.name, known.low, known.high, in_bytes=known.in_bytes)
    if known.sort in (None, "text"):
        return None
    return typed(known, column)


def _count_of_digits(known: TypeText) -> str:
    low, high = known.low or 1, known.high
    count = f"{low}" if low == high else f"{low},{'' if high is None else high}"
    return f"^[0-9]{{{count}}}$"


def typed(known: TypeText, column: Column) -> Typed:
    """A decimal of which nobody states the digits is any number."""
    assert known.sort is not None
    sort: Sort = known.sort
    if sort == "decimal" and known.precision is None and known.scale is None:
        sort = "number"
    return Typed(column.name, sort, known.precision, known.scale)


def _doubts(known: TypeText, column: Column) -> list[Statement]:
    return [left("length", "not_understood", known.doubt, column)] if known.doubt else []


def _must_hold(known: TypeText, column: Column) -> list[Statement]:
    return [rule("present", Present(column.name), column)] if known.not_null else []
