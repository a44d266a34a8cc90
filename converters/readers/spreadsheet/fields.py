"""The fields that the blocks of a workbook describe: which table, which column, which cells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from ruleferry.converters.readers.spreadsheet.blocks import Block, Record
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.meaning.header_words import RULES
from ruleferry.converters.readers.spreadsheet.questionnaires import NOWHERE, Asked, asked_of
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning
from ruleferry.converters.readers.spreadsheet.values.cell_values import sort_of
from ruleferry.converters.readers.spreadsheet.values.words import says_nothing

# What parts the names of several tables in one cell.
_PARTS = re.compile(r"\s*[;,\n]\s*")


@dataclass(frozen=True)
class ReadBlock:
    """A block with what its columns mean.

    `letters`: meaning -> letter or word, plain -> what a person said that it says there.
    """

    block: Block
    columns: tuple[ColumnReading, ...]
    letters: Mapping[Meaning, Mapping[str, str]] = field(default_factory=dict, compare=False)

    def cells(self, record: Record, index: int) -> tuple[Cell, ...]:
        """Those of one column, one that is shared with other records included."""
        shared = record.shared.get(index)
        return record.cells.get(index) or ((shared,) if shared else ())

    def of(self, record: Record, meaning: Meaning) -> tuple[Cell, ...]:
        """The cells of a record under the sure columns of a meaning, those shared included."""
        indexes = self._indexes.get(meaning, ())
        return tuple(cell for index in indexes for cell in self.cells(record, index))

    @cached_property
    def _indexes(self) -> Mapping[Meaning, Sequence[int]]:
        """Meaning -> its sure columns."""
        found: defaultdict[Meaning, list[int]] = defaultdict(list)
        for column in self.columns:
            if column.sure and column.meaning is not None:
                found[column.meaning].append(column.header.index)
        return dict(found)


@dataclass(frozen=True, slots=True)
class Field:
    """One record of a block: a field of one table or of several.

    `asked`: when a questionnaire asks for it, beside what its own row says.
    """

    within: ReadBlock
    record: Record
    tables: tuple[str, ...]
    column: Column | None
    name: Cell | None = None
    asked: Asked = NOWHERE

    def cells(self) -> Iterator[tuple[ColumnReading, Cell]]:
        """Its own, and those merged over several rows that state a rule of each of them."""
        for column in self.within.columns:
            index = column.header.index
            states = column.sure and column.meaning in RULES
            own = self.record.cells.get(index, ())
            for cell in self.within.cells(self.record, index) if states else own:
                yield column, cell


def known_type(cell: Cell, types: Mapping[str, str]) -> Cell:
    """A cell of a type as it would stand there if its owner used a type that is known."""
    word = types.get(cell.text.lower()) if types else None
    return replace(cell, text=word) if word else cell


def fields_of(
    blocks: Sequence[ReadBlock],
    splits: Mapping[str, str],
    types: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Field, ...]:
    """`splits`: sheet -> what parts the names of several tables in one cell, where that is told.

    `types`: a word in lower case -> the type that it stands for.
    """
    alone = _tables_alone(blocks)
    return tuple(
        _field(block, record, _Parting(splits.get(block.block.sheet), alone), asked, types)
        for block in blocks
        for record, asked in zip(block.block.records, _asked(block), strict=True)
    )


def _asked(within: ReadBlock) -> Sequence[Asked]:
    if not any(column.meaning == "type" and column.sure for column in within.columns):
        return [NOWHERE] * len(within.block.records)
    return asked_of(
        [
            (within.of(r, "type"), within.of(r, "column"), within.of(r, "condition"))
            for r in within.block.records
        ]
    )


def _field(
    within: ReadBlock, record: Record, parting: _Parting, asked: Asked, types: Mapping[str, str]
) -> Field:
    stated = within.of(record, "table")
    tables = parting.tables(stated[0].text) if stated else (within.block.table,)
    known = tuple(table for table in tables if table is not None)
    # A row of `N/A` names no field.
    names = tuple(cell for cell in within.of(record, "column") if not says_nothing(cell.text))
    column = _column(within, record, known, names[0], types) if names else None
    return Field(within, record, known, column, names[0] if names else None, asked)


def _column(
    within: ReadBlock,
    record: Record,
    tables: Sequence[str],
    name: Cell,
    types: Mapping[str, str],
) -> Column:
    stated = within.of(record, "type")
    labels = tuple(cell.text for cell in within.of(record, "label"))
    sort = sort_of(known_type(stated[0], types).text) if stated else None
    return Column(tables[0] if tables else "", name.text, sort, labels)


def _tables_alone(blocks: Iterable[ReadBlock]) -> frozenset[str]:
    """The tables that a cell names alone."""
    named = (
        cell.text for block in blocks for r in block.block.records for cell in block.of(r, "table")
    )
    return frozenset(text for text in named if not _PARTS.search(text))


@dataclass(frozen=True, slots=True)
class _Parting:
    """How a cell that names several tables is told from one with a strange name.

    `split`: what a profile says; else `Acc; Loc` are two where other cells name each of them alone.
    """

    split: str | None
    alone: frozenset[str]

    def tables(self, text: str) -> tuple[str, ...]:
        if self.split is not None:
            return tuple(part.strip() for part in text.split(self.split) if part.strip())
        parts = tuple(part for part in _PARTS.split(text) if part)
        return parts if len(parts) > 1 and self.alone.issuperset(parts) else (text,)


@dataclass(frozen=True, slots=True)
class Names:
    """The columns of one table by what a phrase may call them; None: two columns are called so."""

    by_name: Mapping[str, str | None] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """As written, then without case; the physical name beats a label."""
        return self.by_name.get(name) or self.by_name.get(_folded(name))


def names_of(fields: Iterable[Field], also: Mapping[str, str]) -> Mapping[str, Names]:
    """Table -> its names, and under "" those that hold for a table whose fields are not known.

    `also`: label -> column, as a profile states it.
    """
    columns: defaultdict[str, list[Column]] = defaultdict(list, {"": []})
    for found in fields:
        if found.column is not None:
            for table in found.tables or ("",):
                columns[table].append(found.column)
    return {table: _names(of_table, also) for table, of_table in columns.items()}


def _names(columns: Sequence[Column], also: Mapping[str, str]) -> Names:
    exact = {column.name: column.name for column in columns}
    folded = _once((_folded(column.name), column.name) for column in columns)
    labels = _once((_folded(label), c.name) for c in columns for label in c.labels)
    told = {_folded(label): column for label, column in also.items()}
    return Names({**labels, **folded, **exact, **told})


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name, column in pairs:
        found[name] = column if found.get(name, column) == column else None
    return found


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
