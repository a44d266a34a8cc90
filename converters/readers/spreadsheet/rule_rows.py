"""Lists of rules: each row is one, with the cells that say of what and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ruleferry.converters.readers.spreadsheet.blocks import Record
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.fields import ReadBlock
from ruleferry.converters.readers.spreadsheet.phrases import read_constraint, read_phrase
from ruleferry.converters.readers.spreadsheet.rule_lists import read_rule_row
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.statements import Stated
from ruleferry.converters.rule import Unread

# Where a row's own words of the rule stand, the best first.
_WORDS: tuple[Meaning, ...] = ("sql", "rule", "rule_kind", "threshold", "rule_name", "rule_id")


def of_rows(within: ReadBlock, setting: Setting) -> Iterator[Stated]:
    """One for each row."""
    for record in within.block.records:
        yield _of_row(within, record, setting)


def _of_row(within: ReadBlock, record: Record, setting: Setting) -> Stated:
    cells: defaultdict[Meaning, tuple[Cell, ...]] = defaultdict(tuple)
    unsure = ""
    for column in within.columns:
        found = within.cells(record, column.header.index)
        if column.sure and column.meaning is not None:
            cells[column.meaning] += found
        elif found and column.may_bear_rules and not unsure:
            unsure = f"what {column.header.text or 'a column'} means is not sure; {column.why}"
    row = read_rule_row(cells, setting, _phrase(cells, setting))
    statements = row.statements
    if unsure:
        statements = (
            Statement("predicate", Unread("column_unsure", unsure, row.columns), row.columns),
        )
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
        (row.author_id, row.author_name),
        row.action_word,
    )


def _place(cells: defaultdict[Meaning, tuple[Cell, ...]], record: Record) -> Cell:
    found = [cell for meaning in _WORDS for cell in cells.get(meaning, ())]
    every = [cell for of_column in record.cells.values() for cell in of_column]
    return (found or every)[0]


def _phrase(cells, setting):  # type: ignore[no-untyped-def]
    def read(meaning: Meaning, text: str, columns: tuple[str, ...]) -> tuple[Statement, ...]:
        column = Column("", columns[0]) if len(columns) == 1 else None
        reader = read_constraint if meaning == "rule_kind" else read_phrase
        return reader(text, column, setting)

    return read
