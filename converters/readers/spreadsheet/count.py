"""The books of a workbook: the class of each filled cell, and a count of them by other code."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ruleferry.converters.readers.spreadsheet.blocks import Block
from ruleferry.converters.readers.spreadsheet.cells import Book
from ruleferry.converters.readers.spreadsheet.fields import ReadBlock
from ruleferry.converters.readers.spreadsheet.look import OF_FIELDS, Look
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.workbook.archive import open_archive
from ruleferry.converters.readers.spreadsheet.workbook.csv_text import count_filled
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_parts import outline
from ruleferry.converters.rule import CellClass

_NAMES = frozenset({"table", "column", "label"})
_VALIDATION = re.compile(rb"<(?:\w+:)?dataValidation[\s/>]")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


def classes(look: Look) -> Counter[CellClass]:
    """How many filled cells of the whole workbook are of each class."""
    found: Counter[CellClass] = Counter()
    for layout in look.layouts:
        found.update(layout.classes.values())
    for within in look.blocks:
        found.update(_of_block(within))
    return found


def _of_block(within: ReadBlock) -> Iterator[CellClass]:
    block, other = within.block, _of_column(within.block, None)
    known = {column.header.index: _of_column(block, column) for column in within.columns}
    for record in block.records:
        for index, cells in record.cells.items():
            yield from [known.get(index, other)] * len(cells)


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


# The count by other code --------------------------------------------------------------------------


def bare_count(data: bytes, book: Book) -> int:
    """The filled cells as the file's own library gives them, and those that it can't see."""
    if book.format == "csv":
        return count_filled(data, book.file)
    hidden = sum(len(s.marks.errors.keys() | s.marks.uncached) for s in book.sheets)
    return hidden + _in_workbook(data)


def _in_workbook(data: bytes) -> int:
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    workbook = CalamineWorkbook.from_object(io.BytesIO(data))
    count = 0
    for number, found in enumerate(workbook.sheets_metadata):
        if found.typ == SheetTypeEnum.WorkSheet:
            rows = workbook.get_sheet_by_index(number).to_python()
            count += sum(_filled(row) for row in rows)
    return count


def _filled(row: Sequence[object]) -> int:
    return sum(1 for value in row if not isinstance(value, str) or value.strip())


def validation_count(data: bytes, book: Book) -> int:
    """The data validations that stand in the sheets of the archive."""
    if book.format != "xlsx":
        return 0
    archive = open_archive(data)
    parts = [sheet.part for sheet in outline(archive).sheets if sheet.kind == "worksheet"]
    return sum(len(_VALIDATION.findall(_plain(archive.read(part)))) for part in parts)


def _plain(part: bytes) -> bytes:
    """In one encoding, and without what is commented out."""
    wide = part.startswith((b"\xff\xfe", b"\xfe\xff"))
    return _COMMENT.sub(b"", part.decode("utf-16").encode() if wide else part)
