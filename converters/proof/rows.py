"""Boundary rows: the records on which two readings of one rule are most likely to differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.predicates import Value
from ruleferry.converters.proof.boundary_numbers import DECIMAL, DOUBLE, FLOAT, INTEGER
from ruleferry.converters.proof.boundary_text import BINARY, TEXT
from ruleferry.converters.proof.boundary_times import BOOLEAN, DATE, TIMESTAMP
from ruleferry.converters.proof.cells import Cell, Family

_FAMILIES: Mapping[str, Family] = {
    "string": TEXT,
    "char": TEXT,
    "boolean": BOOLEAN,
    "integer": INTEGER,
    "decimal": DECIMAL,
    "float": FLOAT,
    "double": DOUBLE,
    "date": DATE,
    "timestamp": TIMESTAMP,
    "timestamp_ntz": TIMESTAMP,
    "binary": BINARY,
}

# A list of a thousand codes needs each code once, but not the neighbours of each.
_WITH_NEIGHBOURS = 8


@dataclass(frozen=True, slots=True)
class Rows:
    """A small table: (name, type) of each column, and its cells row by row."""

    columns: tuple[tuple[str, ColumnType], ...]
    cells: tuple[tuple[Cell, ...], ...]

    def column(self, position: int) -> tuple[Cell, ...]:
        return tuple(row[position] for row in self.cells)


def boundary_values(
    literals: Iterable[Value], column_type: ColumnType, more: Iterable[Cell] = ()
) -> tuple[Cell, ...]:
    """The values at and around a rule's own literals that a column of `type` can hold.

    NULL comes first, then the literals and `more` (texts that match a pattern, say), then their
    neighbours, then the type's own limits: a caller that can't afford all takes the first ones.
    A value that the type can't hold is left out; a decimal is cut to the type's scale both ways.
    Types that are nested or unknown give NULL alone.
    """
    family = _FAMILIES.get(column_type.family)
    if family is None:
        return (None,)
    given = [literal for literal in literals if literal is not None]
    half = _WITH_NEIGHBOURS // 2
    ends = given if len(given) <= _WITH_NEIGHBOURS else [*given[:half], *given[-half:]]
    near = (cell for literal in ends for cell in family.around(literal, column_type))
    candidates = (*given, *more, *near, *family.limits(column_type))
    return (
        None,
        *_distinct(cell for found in candidates for cell in family.fit(found, column_type)),
    )


def table_rows(
    columns: Mapping[str, tuple[ColumnType, Sequence[Cell]]],
    *,
    together: Iterable[Sequence[str]] = (),
    also: Iterable[Mapping[str, Cell]] = (),
    limit: int = 400,
) -> Rows:
    """One frame for all rules of a table, the same for the same arguments.

    A row for each value of each column, the other columns at their neutral value (the first
    that is not NULL); for each group of columns that a rule reads `together`, combinations of
    their values, at most some 2 x `limit` rows; and the rows of `also`, where a column that is
    not named is neutral. No row stands twice.
    """
    neutral = {name: _neutral(cells) for name, (_, cells) in columns.items()}
    changes: list[Mapping[str, Cell]] = [
        {name: cell} for name, (_, cells) in columns.items() for cell in cells
    ]
    for group in together:
        changes += _combinations({name: columns[name] for name in group}, limit)
    changes += also
    rows = {repr(row): row for row in (tuple({**neutral, **c}.values()) for c in changes)}
    return Rows(
        tuple((name, declared) for name, (declared, _) in columns.items()), tuple(rows.values())
    )


def _distinct(cells: Iterable[Cell]) -> list[Cell]:
    """Each once; -0.0 is not 0.0, and True is not 1."""
    return list({repr(cell): cell for cell in cells}.values())


def _neutral(cells: Sequence[Cell]) -> Cell:
    return next((cell for cell in cells if cell is not None and cell == cell), None)


def _combinations(
    columns: Mapping[str, tuple[ColumnType, Sequence[Cell]]], limit: int
) -> Iterator[Mapping[str, Cell]]:
    """Every pair of columns with many values each; all columns at once with few; all equal."""
    names = list(columns)
    cells = {name: list(found) for name, (_, found) in columns.items()}
    if len({declared for declared, _ in columns.values()}) == 1:
        shared = _distinct(cell for found in cells.values() for cell in found)
        cells = dict.fromkeys(names, shared)
        yield from (dict.fromkeys(names, cell) for cell in shared[:limit])
    pairs = list(combinations(names, 2))
    many = math.isqrt(limit // max(len(pairs), 1))
    for left, right in pairs:
        for both in product(cells[left][:many], cells[right][:many]):
            yield dict(zip((left, right), both, strict=True))
    few = int(limit ** (1 / len(names)))
    if len(names) > 2 and few > 1:
        for all_ in product(*(cells[name][:few] for name in names)):
            yield dict(zip(names, all_, strict=True))
