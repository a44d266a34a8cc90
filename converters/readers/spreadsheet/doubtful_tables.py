"""A column that may name the table of each field, where a field stands in several of them."""

from __future__ import annotations

from dataclasses import replace

from ruleferry.converters.readers.spreadsheet.fields import ReadBlock
from ruleferry.converters.readers.spreadsheet.values.words import says_nothing


def with_doubtful_tables(within: ReadBlock) -> ReadBlock:
    """Nothing is sure of fields whose table is not: one name would stand for several columns.

    Where each name stands once, the column only groups them, like the form of a questionnaire.
    """
    doubtful = next((c for c in within.columns if c.meaning == "table" and not c.sure), None)
    stated = any(c.meaning == "table" and c.sure for c in within.columns)
    if doubtful is None or stated or within.block.kind == "rule list" or not _repeated(within):
        return within
    why = f"{doubtful.header.text} may name the table of each field, and the fields repeat"
    columns = tuple(
        replace(column, sure=False, why=why, asked=doubtful.header.index)
        if column.sure and column.may_bear_rules
        else column
        for column in within.columns
    )
    return replace(within, columns=columns)


def _repeated(within: ReadBlock) -> bool:
    cells = [cell for record in within.block.records for cell in within.of(record, "column")]
    names = [cell.text for cell in cells if not says_nothing(cell.text)]
    return len(set(names)) < len(names)
