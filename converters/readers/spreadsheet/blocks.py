"""The layout of a sheet: what kind it is, and the blocks of it that describe fields or rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleferry.converters.readers.spreadsheet.cells import Cell, Place
from ruleferry.converters.rule import Skipped

SheetKind: TypeAlias = Literal[
    "dictionary", "rule list", "code list", "mapping", "template", "readme", "copy", "other"
]


@dataclass(frozen=True, slots=True)
class Header:
    """One column of a block (in a transposed sheet: one row). `group`: the heading above it."""

    index: int
    text: str
    cell: Cell
    group: str = ""
    group_cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a block with the rows that continue it: header's index -> its filled cells.

    `number` is the row (in a transposed sheet: the column) of its first cell. `shared`: cells of
    earlier rows that hold for this record too: merged over its row, or a heading above it. They
    are counted where they stand, not here.
    """

    number: int
    cells: Mapping[int, tuple[Cell, ...]]
    shared: Mapping[int, Cell] = field(default_factory=dict)

    def first(self, index: int) -> Cell | None:
        found = self.cells.get(index, ())
        return found[0] if found else self.shared.get(index)


@dataclass(frozen=True, slots=True)
class Block:
    """A header and its records. `table`: the name that the sheet states for all of them, if any.

    `table_told`: where it stands, in words ("B1", "the sheet's name"). `kind`: of this block; a
    sheet of fields may hold a code list beside them.
    """

    sheet: str
    headers: tuple[Header, ...]
    records: tuple[Record, ...]
    transposed: bool = False
    table: str | None = None
    table_told: str = ""
    kind: SheetKind = "dictionary"


# The class of each filled cell that bears no rule; together with the blocks' records all of them.
Plain: TypeAlias = Literal["title", "header", "key_value", "skipped"]


@dataclass(frozen=True, slots=True)
class Layout:
    """One sheet. Each filled cell stands in `classes` or in a record of a block, never in both.

    `skipped` tells of all cells of the class skipped, and of titles in the midst of records.
    `pairs`: the keys and values above a header, as far as a key has a value.
    """

    sheet: str
    kind: SheetKind
    why: str
    blocks: tuple[Block, ...] = ()
    classes: Mapping[Place, Plain] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    pairs: tuple[tuple[Cell, Cell], ...] = ()
