"""All rule-bearing cells of one record, read together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ruleferry.converters.readers.spreadsheet.cells import Cell, Place
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values import joins
from ruleferry.converters.readers.spreadsheet.values.cell_values import MEANINGS, read_value
from ruleferry.converters.readers.spreadsheet.values.field_types import holds_many, sort_of
from ruleferry.converters.readers.spreadsheet.values.joins import Beside, Found, place
from ruleferry.converters.readers.spreadsheet.values.outcomes import KINDS, nothing, of_several
from ruleferry.converters.readers.spreadsheet.values.patterns import sort_in
from ruleferry.converters.readers.spreadsheet.values.plain_words import is_many
from ruleferry.converters.readers.spreadsheet.values.sizes import read_size
from ruleferry.converters.readers.spreadsheet.values.statuses import (
    IN_FORCE,
    in_force,
    not_in_force,
)
from ruleferry.converters.readers.spreadsheet.values.words import plain
from ruleferry.converters.rule import NotARule

_SIZES = ("length", "min_length", "precision", "scale")
# Each join, and the meanings of which it wants at least one.
_JOINS: tuple[tuple[Callable[[Beside], Found], frozenset[Meaning]], ...] = (
    (joins.needs, frozenset({"nullable"})),
    (joins.digits, frozenset({"precision", "scale"})),
    (joins.bounds, frozenset({"max", "exclusive_min", "exclusive_max", "min_length"})),
    (joins.bounds_of_texts, frozenset({"min", "max", "exclusive_min", "exclusive_max"})),
    (joins.references, frozenset({"reference_table"})),
    (joins.lists, frozenset({"codes"})),
)
# What says of a record whether it counts, and is not itself a rule of it.
_ABOUT = frozenset({"status", "severity", "action", "default", "null_words"})


def read_record(
    cells: Mapping[Meaning, tuple[Cell, ...]],
    column: Column,
    setting: Setting,
    perhaps: tuple[Cell, ...] = (),
) -> Mapping[Place, tuple[Statement, ...]]:
    """Place -> what each cell states, of all cells whose meaning is read by its value.

    Cells of the meanings `column` and `status` say whether the record is in force at all.
    `perhaps`: cells that may be types. They state nothing, and no other cell is read against them.
    """
    types = cells.get("type", ()) or perhaps
    column = told({**cells, "type": types}, column)
    read = {meaning: found for meaning, found in cells.items() if meaning in MEANINGS}
    alone = {
        place(cell): _alone(meaning, cell, types, column, setting)
        for meaning, found in read.items()
        for cell in found
    }
    beside = Beside(_sound(read), alone, column, setting)
    for join, meanings in _JOINS:
        if not meanings.isdisjoint(cells):
            alone = {**alone, **join(beside)}
    if column.many:
        alone = {at: of_several(stated, column) for at, stated in alone.items()}
    return _standing(alone, cells, column, setting)


def told(cells: Mapping[Meaning, tuple[Cell, ...]], column: Column) -> Column:
    """The field with what its type and cardinality say of its values."""
    types = [cell.text for cell in cells.get("type", ())]
    several = any(is_many(cell.text) for cell in cells.get("cardinality", ()))
    sorts = {sort_of(text) for text in types}
    sort = column.sort or (sorts.pop() if len(sorts) == 1 else None)
    if sort in (None, "text"):  # `text` with `date_mdy` or `integer` beside it
        formats = [found for cell in cells.get("format", ()) if (found := sort_in(cell.text))]
        sort = formats[0] if formats else sort
    many = column.many or several or any(holds_many(text) for text in types)
    if (sort, many) == (column.sort, column.many):
        return column
    return replace(column, sort=sort, many=many)


def _alone(
    meaning: Meaning,
    cell: Cell,
    types: tuple[Cell, ...],
    column: Column,
    setting: Setting,
) -> tuple[Statement, ...]:
    if setting.legend.get(meaning, {}).get(plain(cell.text)) == "nothing":
        return nothing(KINDS[meaning], f'"{cell.text}" states nothing here').statements
    if meaning in _SIZES and types and not (cell.struck or cell.trouble):
        return read_size(meaning, cell, column, setting, _one_type(types)).statements
    return read_value(meaning, cell, column, setting)


def _one_type(types: tuple[Cell, ...]) -> str:
    """Types that do not agree are none that is known."""
    agreed = len({sort_of(cell.text) for cell in types}) == 1
    return types[0].text if agreed else " / ".join(cell.text for cell in types)


def _sound(cells: Mapping[Meaning, tuple[Cell, ...]]) -> Mapping[Meaning, tuple[Cell, ...]]:
    if not any(cell.struck or cell.trouble for found in cells.values() for cell in found):
        return cells
    return {
        meaning: tuple(cell for cell in found if not cell.struck and not cell.trouble)
        for meaning, found in cells.items()
    }


def _standing(
    found: Mapping[Place, tuple[Statement, ...]],
    cells: Mapping[Meaning, tuple[Cell, ...]],
    column: Column,
    setting: Setting,
) -> Mapping[Place, tuple[Statement, ...]]:
    """The rules of a record that is not in force hold no more."""
    names = cells.get("column", ())
    standing = in_force(cells.get("status", ()), names[0] if names else None, setting)
    if standing == IN_FORCE:
        return found
    changed = {
        place(cell): not_in_force(meaning, standing, column)
        for meaning, listed in cells.items()
        for cell in listed
        if meaning in MEANINGS - _ABOUT and not _states_nothing(found[place(cell)])
    }
    return {**found, **changed}


def _states_nothing(statements: tuple[Statement, ...]) -> bool:
    return all(isinstance(statement.check, NotARule) for statement in statements)
