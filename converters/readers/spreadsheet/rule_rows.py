"""Lists of rules: each row is one, with the cells that say of what and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ruleferry.converters.read_as import read_as
from ruleferry.converters.readers.spreadsheet.blocks import Record
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.fields import Names, ReadBlock
from ruleferry.converters.readers.spreadsheet.lists.rule_lists import (
    Phrase,
    columns_in,
    read_rule_row,
)
from ruleferry.converters.readers.spreadsheet.meaning.told_meanings import doubtful
from ruleferry.converters.readers.spreadsheet.phrases import read_constraint, read_phrase
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.statements import Stated
from ruleferry.converters.rule import Unread

# Where a row's own words of the rule stand, the best first.
_WORDS: tuple[Meaning, ...] = ("sql", "rule", "rule_kind", "threshold", "rule_name", "rule_id")


def of_rows(within: ReadBlock, setting: Setting, names: Mapping[str, Names]) -> Iterator[Stated]:
    """One for each row. `names`: table -> the names of its columns, as far as they are known."""
    for record in within.block.records:
        yield _of_row(within, record, _beside(within, record, setting, names))


def _beside(
    within: ReadBlock, record: Record, setting: Setting, names: Mapping[str, Names]
) -> Setting:
    """A phrase may name what the workbook describes, and the columns that its own row is about."""
    tables = within.of(record, "table")
    known = names.get(tables[0].text, names[""]) if tables else names[""]
    own = {name.casefold(): name for name in columns_in(within.of(record, "column"))}

    def column_of(name: str) -> str | None:
        return known.find(name) or own.get(" ".join(name.split()).casefold())

    return replace(setting, column_of=column_of)


def _of_row(within: ReadBlock, record: Record, setting: Setting) -> Stated:
    cells: defaultdict[Meaning, tuple[Cell, ...]] = defaultdict(tuple)
    unsure, asked = "", None
    for column in within.columns:
        found = within.cells(record, column.header.index)
        if column.sure and column.meaning is not None:
            cells[column.meaning] += found
        elif found and column.may_bear_rules and not unsure:
            unsure = f"what {column.header.text or 'a column'} means is not sure; {column.why}"
            asked = doubtful(column, within.columns)
    row = read_rule_row(cells, setting, _phrase(setting))
    statements = row.statements
    if unsure:
        check = Unread("column_unsure", unsure, row.columns, asked)
        statements = (Statement("predicate", check, row.columns),)
    place = _place(cells, record)
    sheet = within.block.sheet
    return Stated(
        f"{sheet}!row {record.number + 1}" if sheet else f"row {record.number + 1}",
        place.place,
        place.text,
        sheet,
        row.tables or ((within.block.table,) if within.block.table else ()),
        statements,
        row.tags,
        author=(row.author_id, row.author_name),
        action_word=row.action_word,
        beside=_whole_row(within, record),
    )


def _whole_row(within: ReadBlock, record: Record) -> str:
    """The cells that the rule may be made of, whichever of them is its text."""
    bearing = [column.header.index for column in within.columns if column.may_bear_rules]
    return read_as(tuple(c.text for index in bearing for c in within.cells(record, index)))


def _place(cells: defaultdict[Meaning, tuple[Cell, ...]], record: Record) -> Cell:
    found = [cell for meaning in _WORDS for cell in cells.get(meaning, ())]
    every = [cell for of_column in record.cells.values() for cell in of_column]
    return (found or every)[0]


def _phrase(setting: Setting) -> Phrase:
    def read(meaning: Meaning, text: str, columns: tuple[str, ...]) -> tuple[Statement, ...]:
        column = Column("", columns[0]) if len(columns) == 1 else None
        if column is not None:
            return read_constraint(text, column, setting)
        return read_phrase(text, None, setting)

    return read
