"""The kinds of data validation: lists, numbers, days, times and lengths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from ruleferry.converters.predicates import (
    AgainstToday,
    Compare,
    Length,
    OneOf,
    Predicate,
    Range,
    Sort,
    Typed,
    Value,
)
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.lists.formulas import (
    Formula,
    Name,
    Number,
    Text,
    same_in_every_row,
)
from ruleferry.converters.readers.spreadsheet.lists.references import Part, parts_of
from ruleferry.converters.readers.spreadsheet.lists.validation_bounds import (
    At,
    Bound,
    Constant,
    Field,
    Today,
    read_bound,
)
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Caveat, Check, Kind, Row, Unread

_SORTS: dict[str, Sort] = {"whole": "integer", "decimal": "number", "date": "date", "time": "time"}
# Items of which one holds a comma: "Yes, of course",No
_ITEM = r'(?:"(?:[^"]|"")*"|[^",]*)'
_ITEMS = re.compile(rf"{_ITEM}(?:,{_ITEM})+\Z")
_EACH_ITEM = re.compile(rf"({_ITEM})(?:,|\Z)")
_OTHER_FILE = re.compile(r"\[[^\[\]]+\][^\[\]!]*'?!")
# How an operator reads: the sign of each formula.
_SIGNS: dict[str, tuple[str, ...]] = {
    "": (">=", "<="),
    "between": (">=", "<="),
    "equal": ("=",),
    "notEqual": ("<>",),
    "lessThan": ("<",),
    "lessThanOrEqual": ("<=",),
    "greaterThan": (">",),
    "greaterThanOrEqual": (">=",),
}
_TURNED = {"<": ">", "<=": ">="}
_CASE = "the spreadsheet may take a text that differs in case alone; here it has to be written so"

_Values: TypeAlias = tuple[Value, ...]


def made(at: At, kind: Kind, check: Check, caveats: tuple[Caveat, ...] = ()) -> Statement:
    """With what the sheet itself does about a wrong value, where it is not to refuse it."""
    word = None if at.validation.strict else "warn"
    return Statement(kind, check, (at.column,), caveats=caveats, action_word=word)


# Lists --------------------------------------------------------------------------------------------


def of_list(at: At) -> tuple[Statement, ...]:
    given = at.validation.formulas[0] if at.validation.formulas else ""
    formula = at.formulas[0] if at.formulas else None
    items = _items(formula, given)
    if items is not None:
        return (_allowed(at, items),)
    found = _listed(formula, given, at)
    if isinstance(found, Unread):
        return (made(at, "allowed", found),)
    values, caveats = found
    return (_allowed(at, values, caveats),)


def _items(formula: Formula | None, given: str) -> tuple[str, ...] | None:
    """Those that the formula itself lists, without the blanks around them; an empty one is none."""
    if isinstance(formula, Text):
        items = formula.value.split(",")
    elif '"' in given and _ITEMS.match(given):
        written = (item.strip() for item in _EACH_ITEM.findall(given))
        quoted = (item[1:-1].replace('""', '"') if item[:1] == '"' else item for item in written)
        items = list(quoted)
    else:
        return None
    return tuple(item.strip() for item in items if item.strip())


def _allowed(at: At, values: _Values, caveats: tuple[Caveat, ...] = ()) -> Statement:
    if not values:
        reason = f"its list is empty: {' '.join(at.validation.formulas)}"
        return made(at, "allowed", at.unread("suspicious_validation", reason))
    distinct = tuple(dict.fromkeys(values))
    return made(at, "allowed", Row(OneOf(at.column, distinct)), caveats)


def _listed(
    formula: Formula | None, given: str, at: At
) -> tuple[_Values, tuple[Caveat, ...]] | Unread:
    """The values that stand in cells."""
    if "#REF!" in given.upper():
        return at.unread(
            "suspicious_validation", f"its list refers to cells that are gone: {given}"
        )
    if _OTHER_FILE.search(given):
        return at.unread("list_elsewhere", f"its list stands in another file: {given}")
    if formula is None:
        return at.unread("list_elsewhere", f"its list is not given in a way that is read: {given}")
    parts = parts_of(formula, at.book, at.sheet.name)
    if parts is None:
        return _by_name(formula, given, at)
    if not same_in_every_row(formula) and at.area.top != at.area.bottom:
        reason = f"its list moves down with each record, for it has no $ before the row: {given}"
        return at.unread("suspicious_validation", reason)
    return _in_cells(parts, formula, given, at)


def _by_name(formula: Formula, given: str, at: At) -> tuple[_Values, tuple[Caveat, ...]] | Unread:
    known = at.lists(formula.name) if isinstance(formula, Name) else None
    if known is not None and known.closed:
        return known.values, _case(known.values)
    what = "is found nowhere" if isinstance(formula, Name) else "is worked out by a formula"
    return at.unread("list_elsewhere", f"its list {what}: {given}")


def _in_cells(
    parts: tuple[Part, ...], formula: Formula, given: str, at: At
) -> tuple[_Values, tuple[Caveat, ...]] | Unread:
    if any(_own(part, at) for part in parts):
        reason = f"its list is what stands in the column itself: {given}"
        return at.unread("suspicious_validation", reason)
    if len(parts) > 1 or not parts[0].is_line:
        reason = f"its list is neither one row nor one column: {given}"
        return at.unread("suspicious_validation", reason)
    cells = at.read(parts)
    unfit = _unfit(cells, at)
    if unfit is not None:
        return unfit
    values: _Values = tuple(cell.text for cell in cells)
    if any(isinstance(cell.value, date) for cell in cells):
        values = tuple(cell.value for cell in cells if isinstance(cell.value, date))
    return values, _case(values) + _open_by_blank(parts[0], formula, len(cells), at)


def _own(part: Part, at: At) -> bool:
    """Whether the list reaches into the cells that it is for."""
    area = part.area
    beside = area.right < at.index or area.left > at.index
    apart = area.bottom < at.area.top or area.top > at.area.bottom
    return part.sheet is at.sheet and not beside and not apart


def _unfit(cells: Sequence[Cell], at: At) -> Unread | None:
    for cell in cells:
        if cell.trouble:
            return at.unread("corrupted_cell", f"its list holds {cell.trouble} ({cell.place})")
        if cell.struck:
            reason = f"its list holds a text that is struck through ({cell.place})"
            return at.unread("status_doubt", reason)
    days = [cell for cell in cells if isinstance(cell.value, date)]
    if days and len(days) < len(cells):
        reason = f"among other values its list holds a day, {days[0].text} ({days[0].place})"
        return at.unread("corrupted_cell", reason)
    return None


def _case(values: _Values) -> tuple[Caveat, ...]:
    lettered = any(isinstance(v, str) and v.upper() != v.lower() for v in values)
    return (Caveat("spreadsheet_case", _CASE),) if lettered else ()


def _open_by_blank(part: Part, formula: Formula, filled: int, at: At) -> tuple[Caveat, ...]:
    """With an empty cell in a named list, and blanks allowed, the program refuses nothing."""
    size = (part.area.bottom - part.area.top + 1) * (part.area.right - part.area.left + 1)
    if not isinstance(formula, Name) or not at.validation.blank_allowed or filled == size:
        return ()
    return (Caveat("blank_in_list", f"{formula.name} has an empty cell"),)


# Numbers, days, times and lengths -----------------------------------------------------------------


def of_bounds(at: At) -> tuple[Statement, ...]:
    kind = at.validation.kind
    if kind == "time":
        return (_of_time(at),)
    found = _bounds(at, days=kind == "date")
    if isinstance(found, Unread):
        return (made(at, "length" if kind == "textLength" else "range", found),)
    if kind == "textLength":
        return (_of_length(at, found),)
    typed = made(at, "type", Row(Typed(at.column, _SORTS[kind])))
    return typed, *compared(at, found)


_Signed: TypeAlias = tuple[str, Bound]


def _bounds(at: At, *, days: bool) -> tuple[_Signed, ...] | Unread:
    shown = " and ".join(at.validation.formulas)
    signs = _SIGNS.get(at.validation.operator)
    if signs is None:
        reason = f"its values lie outside of two bounds, or its operator is unknown: {shown}"
        return at.unread("not_understood", reason)
    if len(at.formulas) < len(signs):
        return at.unread(
            "suspicious_validation", f"a bound of it is missing: {shown or 'both are'}"
        )
    found: list[_Signed] = []
    for sign, formula in zip(signs, at.formulas, strict=False):
        bound = read_bound(formula, at, days=days)
        if isinstance(bound, Unread):
            return bound
        found.append((sign, bound))
    return tuple(found)


def compared(at: At, bounds: Sequence[_Signed]) -> tuple[Statement, ...]:
    """One rule for both constants, and one for each field or clock."""
    told = tuple(c for _, bound in bounds if isinstance(bound, Constant) for c in bound.told)
    constants = [(sign, bound.value) for sign, bound in bounds if isinstance(bound, Constant)]
    rules = [made(at, *_against(at, constants), told)] if constants else []
    for sign, bound in bounds:
        if isinstance(bound, Field):
            rules.append(_beside(at, sign, bound.column))
        elif isinstance(bound, Today):
            rules.append(_clock(at, sign, bound))
    return tuple(rules)


def _against(at: At, bounds: Sequence[tuple[str, Value]]) -> tuple[Kind, Check]:
    low: Value = None
    high: Value = None
    low_open = high_open = False
    for sign, value in bounds:
        if sign == "<>":
            return "refused", Row(OneOf(at.column, (value,), negated=True))
        if sign in (">", ">=", "="):
            low, low_open = value, sign == ">"
        if sign in ("<", "<=", "="):
            high, high_open = value, sign == "<"
    return "range", Row(Range(at.column, low, high, low_open, high_open))


def _beside(at: At, sign: str, other: str) -> Statement:
    if sign == "<>":
        reason = f"two columns that have to differ: {' '.join(at.validation.formulas)}"
        return made(at, "compare", at.unread("not_understood", reason))
    left, right = (other, at.column) if sign in _TURNED else (at.column, other)
    check = Row(Compare(left, _TURNED.get(sign, sign), right, ignore="any_missing"))  # type: ignore[arg-type]
    rule = made(at, "compare", check)
    return Statement(
        rule.kind,
        rule.check,
        (at.column, other),
        caveats=rule.caveats,
        action_word=rule.action_word,
    )


def _clock(at: At, sign: str, today: Today) -> Statement:
    if sign == "<>":
        return made(at, "range", at.unread("not_understood", "any day but today is wanted"))
    predicate: Predicate = AgainstToday(at.column, sign, today.days, today.now)  # type: ignore[arg-type]
    return made(at, "range", Row(predicate))


def _of_length(at: At, bounds: Sequence[_Signed]) -> Statement:
    given = [(sign, bound.value) for sign, bound in bounds if isinstance(bound, Constant)]
    if len(given) < len(bounds) or any(sign == "<>" for sign, _ in given):
        reason = f"a length that is not limited by numbers: {' '.join(at.validation.formulas)}"
        return made(at, "length", at.unread("not_understood", reason))
    return made(at, "length", Row(length(at.column, given)))


def length(column: str, bounds: Sequence[tuple[str, Value]]) -> Length:
    """Every text has at least no character, which is no bound."""
    low: Value = None
    high: Value = None
    low_open = high_open = False
    for sign, value in bounds:
        if sign in (">", ">=", "="):
            low, low_open = value, sign == ">"
        if sign in ("<", "<=", "="):
            high, high_open = value, sign == "<"
    if low == 0 and not low_open and high is not None:
        low = None
    return Length(column, low, high, low_open, high_open)


def _of_time(at: At) -> Statement:
    """Any time of day; narrower bounds can't be told."""
    numbers = [formula.value for formula in at.formulas if isinstance(formula, Number)]
    signs = _SIGNS.get(at.validation.operator, ())
    lasts_all_day = len(numbers) == 2 and numbers[0] == 0 and Decimal("0.9999") < numbers[1] <= 1
    if signs == (">=", "<=") and lasts_all_day:
        return made(at, "type", Row(Typed(at.column, "time")))
    reason = f"its bounds are times of day: {' and '.join(at.validation.formulas)}"
    return made(at, "range", at.unread("not_understood", reason))
