"""Cells of one record that state one rule together, or that contradict each other.

Each function looks at the cells of a record and gives the statements of those that it joins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from ruleferry.converters.predicates import Length, Predicate, Present, Range, Typed
from ruleferry.converters.readers.spreadsheet.cells import Cell, Place
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.keys import (
    Target,
    exists,
    key_answer,
    target_in,
)
from ruleferry.converters.readers.spreadsheet.values.list_texts import (
    ListText,
    labelled_in,
    values_in,
)
from ruleferry.converters.readers.spreadsheet.values.literals import number_in
from ruleferry.converters.readers.spreadsheet.values.outcomes import left, one_of, rule
from ruleferry.converters.readers.spreadsheet.values.required_words import need_of
from ruleferry.converters.readers.spreadsheet.values.type_texts import TypeText, type_in
from ruleferry.converters.readers.spreadsheet.values.words import numbers, plain, says_nothing
from ruleferry.converters.rule import Kind, NotARule, Opposed, Row, Unread
from ruleferry.converters.together import together_with

Found: TypeAlias = Mapping[Place, tuple[Statement, ...]]

_PAIRS: tuple[tuple[Kind, tuple[Meaning, ...], tuple[Meaning, ...]], ...] = (
    ("range", ("min", "exclusive_min"), ("max", "exclusive_max")),
    ("length", ("min_length",), ("length",)),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """The sound cells of one record, by their meaning, and what each states by itself."""

    cells: Mapping[Meaning, tuple[Cell, ...]]
    alone: Found
    column: Column
    setting: Setting

    def cell(self, meaning: Meaning) -> Cell | None:
        found = self.cells.get(meaning, ())
        return found[0] if found else None

    def bound(self, sides: tuple[Meaning, ...]) -> tuple[Cell, Row] | None:
        """The only cell of some meanings that states a rule."""
        found = [(self.cell(side), self.row(side)) for side in sides]
        rules = [(cell, row) for cell, row in found if cell is not None and row is not None]
        return rules[0] if len(rules) == 1 else None

    def row(self, meaning: Meaning) -> Row | None:
        """The one rule that the cell of a meaning states by itself."""
        cell = self.cell(meaning)
        stated = self.alone.get(place(cell), ()) if cell else ()
        return stated[0].check if len(stated) == 1 and isinstance(stated[0].check, Row) else None


def place(cell: Cell) -> Place:
    return cell.row, cell.column


def together(kind: Kind, with_cell: Cell) -> tuple[Statement, ...]:
    return (Statement(kind, NotARule(together_with(with_cell.place))),)


def against(kind: Kind, beside: Beside, *cells: Cell) -> Found:
    """Both cells are a question."""
    first, second = cells
    return {
        place(cell): (_opposed(kind, beside, cell, other),)
        for cell, other in ((first, second), (second, first))
    }


def _opposed(kind: Kind, beside: Beside, cell: Cell, other: Cell) -> Statement:
    column, stated = beside.column, beside.alone.get(place(cell), ())
    says = stated[0].check if len(stated) == 1 and stated[0].scope is None else None
    of_each = column.many and isinstance(says, Row) and not isinstance(says.predicate, Present)
    known = says if isinstance(says, Row | NotARule) and not of_each else None
    reason, opposed = _against(cell, other), Opposed(other.place, known)
    check = Unread("contradiction", reason, (column.name,), opposed=opposed)
    return Statement(kind, check, (column.name,))


def _against(cell: Cell, other: Cell) -> str:
    return f'"{cell.text}" contradicts "{other.text}" at {other.place}'


# Required and nullable ----------------------------------------------------------------------------


def needs(beside: Beside) -> Found:
    required, nullable = beside.cell("required"), beside.cell("nullable")
    if required is None or nullable is None:
        return {}
    said = {need_of("required", required.text, beside.setting),
            need_of("nullable", nullable.text, beside.setting)}  # fmt: skip
    if said == {"required", "optional"}:
        return against("present", beside, required, nullable)
    return {}


# Digits -------------------------------------------------------------------------------------------


def digits(beside: Beside) -> Found:
    """Precision and scale of a decimal number are one rule with its type."""
    cell = beside.cell("type")
    known = type_in(cell.text) if cell else None
    if cell is None or known is None or not _is_decimal(known):
        return {}
    parts = {meaning: beside.cell(meaning) for meaning in ("precision", "scale")}
    if parts["scale"] and not parts["precision"]:
        parts["precision"] = beside.cell("length")
    elif (length := beside.cell("length")) and _whole(length) == _size(parts["precision"]):
        parts["length"] = length  # it repeats the precision
    sizes = {meaning: _whole(part) for meaning, part in parts.items() if part}
    if not sizes or None in sizes.values():
        return {}
    return _joined(known, cell, {m: part for m, part in parts.items() if part}, beside)


def _is_decimal(known: TypeText) -> bool:
    return known.sort in ("decimal", "number") and known.word not in numbers("storage")


def _whole(cell: Cell) -> int | None:
    found = number_in(cell.text)
    if found is None or found != int(found) or not 0 <= found <= 1000:
        return None
    return int(found)


def _size(cell: Cell | None) -> int | None:
    return _whole(cell) if cell else -1


def _joined(known: TypeText, cell: Cell, parts: Mapping[Meaning, Cell], beside: Beside) -> Found:
    column = beside.column
    for meaning, part in parts.items():
        own = known.scale if meaning == "scale" else known.precision
        if own is not None and own != _whole(part):
            return against("type", beside, cell, part)
    precision = _whole(parts["precision"]) if "precision" in parts else known.precision
    scale = _whole(parts["scale"]) if "scale" in parts else known.scale
    if precision is not None and (not precision or (scale or 0) > precision):
        return {}
    joined = rule("type", Typed(column.name, "decimal", precision, scale), column)
    found = {place(part): together("type", cell) for part in parts.values()}
    return {place(cell): (joined,), **found}


# Bounds -------------------------------------------------------------------------------------------


def bounds(beside: Beside) -> Found:
    """A lower and an upper bound are one rule, which stands with the lower one."""
    switched = _switched(beside)
    opened = replace(beside, alone={**beside.alone, **switched})
    return {**switched, **(_crossed(opened) or _between(opened))}


def _between(beside: Beside) -> Found:
    found: dict[Place, tuple[Statement, ...]] = {}
    for kind, low, high in _PAIRS:
        first, second = beside.bound(low), beside.bound(high)
        if first is None or second is None:
            continue
        lower, upper = first[1].predicate, second[1].predicate
        whole = _whole_range(lower, upper)
        if whole is not None:
            found[place(first[0])] = (rule(kind, whole, beside.column),)
            found[place(second[0])] = together(kind, first[0])
    return found


def _whole_range(lower: Predicate, upper: Predicate) -> Range | Length | None:
    """None where they are bounds of different sorts, which are compared each by itself."""
    if isinstance(lower, Length) and isinstance(upper, Length):
        alike = lower.in_bytes == upper.in_bytes
        return replace(lower, high=upper.high, high_open=upper.high_open) if alike else None
    if not isinstance(lower, Range) or not isinstance(upper, Range):
        return None
    numbers = isinstance(lower.low, int | Decimal) and isinstance(upper.high, int | Decimal)
    alike = numbers or type(lower.low) is type(upper.high)
    same = (lower.as_times, lower.unknown) == (upper.as_times, upper.unknown)
    return replace(lower, high=upper.high, high_open=upper.high_open) if alike and same else None


def _switched(beside: Beside) -> Found:
    """`exclusiveMinimum: true` beside the bound itself."""
    found: dict[Place, tuple[Statement, ...]] = {}
    for side in ("min", "max"):
        switch, cell, row = beside.cell(f"exclusive_{side}"), beside.cell(side), beside.row(side)
        says = plain(switch.text) if switch else ""
        if switch is None or cell is None or row is None or says not in ("true", "yes"):
            continue
        if isinstance(row.predicate, Range):
            opened = _opened(row.predicate, side == "max")
            found[place(cell)] = (rule("range", opened, beside.column),)
            found[place(switch)] = together("range", cell)
    return found


def bounds_of_texts(beside: Beside) -> Found:
    """Min 5 beside VARCHAR(10) may be the least value, and the least length as well."""
    cell = beside.cell("type")
    known = type_in(cell.text) if cell else None
    if known is None or known.sort != "text" or not (known.high or "char" in known.word):
        return {}
    reason = "whether it limits the value or the length of a text is not stated"
    return {
        place(bound): (left("range", "not_understood", reason, beside.column),)
        for meaning in ("min", "max", "exclusive_min", "exclusive_max")
        if (row := beside.row(meaning)) and (bound := beside.cell(meaning))
        if isinstance(row.predicate, Range) and _counts(row.predicate)
    }


def _counts(found: Range) -> bool:
    """Its limits are whole numbers, as lengths are."""
    limits = [limit for limit in (found.low, found.high) if limit is not None]
    return all(isinstance(n, int | Decimal) and n >= 0 and n == int(n) for n in limits)


def _opened(found: Range, upper: bool) -> Range:
    return replace(found, high_open=True) if upper else replace(found, low_open=True)


def _crossed(beside: Beside) -> Found:
    pairs: tuple[tuple[Kind, Meaning, Meaning], ...] = (
        ("range", "min", "max"), ("length", "min_length", "length"),
    )  # fmt: skip
    for kind, low, high in pairs:
        first, second = beside.cell(low), beside.cell(high)
        if first and second and _cross(beside.row(low), beside.row(high)):
            return against(kind, beside, first, second)
    return {}


def _cross(first: Row | None, second: Row | None) -> bool:
    if first is None or second is None:
        return False
    lower, upper = first.predicate, second.predicate
    if not isinstance(lower, Range | Length) or not isinstance(upper, Range | Length):
        return False
    low, high = lower.low, upper.high
    if isinstance(low, date) and isinstance(high, date):
        return str(low) > str(high)
    alike = isinstance(low, int | Decimal) and isinstance(high, int | Decimal)
    return low > high if alike else (low is not None and high is not None)  # type: ignore[operator]


# References ---------------------------------------------------------------------------------------


def references(beside: Beside) -> Found:
    """Table and column of a reference stand in cells of their own."""
    table, column = beside.cell("reference_table"), beside.cell("reference_column")
    answer = beside.cell("foreign_key")
    if table is None or says_nothing(table.text):
        return {}
    said = key_answer("foreign_key", answer.text, beside.setting) if answer else None
    if answer and said is False and not says_nothing(answer.text):
        return against("exists", beside, answer, table)
    target = _target(table, column)
    if target is None or not target.column:
        return {}
    others = [cell for cell in (column, answer if said else None) if cell]
    return {
        place(table): (exists(target, beside.column, beside.setting),),
        **{place(cell): together("exists", table) for cell in others},
        **_key_as_well(beside, table),
    }


def _key_as_well(beside: Beside, table: Cell) -> Found:
    """`PK, FK` in the cell of the key: its table stands in another cell."""
    key = beside.cell("primary_key")
    stated = beside.alone[place(key)] if key else ()
    own = tuple(each for each in stated if each.kind != "exists")
    if key is None or len(own) == len(stated):
        return {}
    return {place(key): (*own, *together("exists", table))}


def _target(table: Cell, column: Cell | None) -> Target | None:
    named = target_in(table.text)
    if named is None or column is None or says_nothing(column.text):
        return named
    key = target_in(column.text)
    if key is None:
        return None
    if not key.column:  # `LOCATION` and `LOCATION_ID`, or `sales` . `orders` and `id`
        whole = f"{named.table}.{named.column}" if named.column else named.table
        return Target(whole, key.table)
    same = plain(key.table) == plain(named.table)
    return Target(named.table, key.column) if same and not named.column else None


# Lists and what fills them ------------------------------------------------------------------------


def lists(beside: Beside) -> Found:
    """One value in each of several rows is one list."""
    cells = beside.cells.get("codes", ())
    calculated = _calculated(beside)
    if calculated:
        return {place(cell): (Statement("allowed", NotARule(calculated)),) for cell in cells}
    if len(cells) < 2 or beside.column.many:
        return {}
    values = [_single(cell.text) for cell in cells]
    if not all(values):
        return {}
    listed = tuple(dict.fromkeys(value for value in values if value))
    first, *others = cells
    stated = one_of(listed, beside.column)
    return {place(first): (stated,)} | {place(cell): together("allowed", first) for cell in others}


def _calculated(beside: Beside) -> str:
    cell = beside.cell("type")
    word = plain(cell.text) if cell else ""
    if word in ("calc", "calculate", "calculated", "calculation", "formula"):
        return "the field is calculated: the cell holds how"
    if word in ("slider", "scale (slider)"):
        return "the cell holds what stands below a slider"
    return "the cell belongs to a text on the form" if word in ("descriptive", "note") else ""


def _single(text: str) -> str | None:
    """The one value of a row: `A - Apple` or `A`; None for a list, a sentence or a reference."""
    doubled = labelled_in(f"{text}\n{text}")
    if isinstance(doubled, ListText) and len(doubled.values) == 1:
        return doubled.values[0]
    alone = values_in(f"{text}\n{text}")
    splits = any(sign in text for sign in "|;,\n") or says_nothing(text) is not None
    if splits or not isinstance(alone, ListText) or len(alone.values) != 1:
        return None
    return alone.values[0]
