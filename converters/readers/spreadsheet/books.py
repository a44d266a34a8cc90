"""The books of a workbook: the class of each filled cell, and a count of them by other code."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence

from ruleferry.converters.readers.spreadsheet.blocks import Block
from ruleferry.converters.readers.spreadsheet.cells import Book
from ruleferry.converters.readers.spreadsheet.fields import ReadBlock
from ruleferry.converters.readers.spreadsheet.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.look import OF_FIELDS, Look
from ruleferry.converters.rule import CellClass

_NAMES = frozenset({"table", "column", "label"})
_VALIDATION = re.compile(rb"<(?:\w+:)?dataValidation[\s/>]")


def classes(look: Look) -> Counter[CellClass]:
    """How many filled cells of the whole workbook are of each class."""
    found: Counter[CellClass] = Counter()
    for layout in look.layouts:
        found.update(layout.classes.values())
    for within in look.blocks:
        found.update(_of_block(within))
    return found


def _of_block(within: ReadBlock) -> Iterator[CellClass]:
    by_index = {column.header.index: column for column in within.columns}
    for record in within.block.records:
        for index, cells in record.cells.items():
            yield from [_of_column(within.block, by_index.get(index))] * len(cells)


def _of_column(block: Block, column: ColumnReading | None) -> CellClass:
    if block.kind == "rule list":
        return "rule"
    if block.kind not in OF_FIELDS or column is None:
        return "description"
    if column.sure and column.meaning in _NAMES:
        return "name"
    if not column.may_bear_rules:
        return "description"
    return "rule" if column.sure else "unsure"
