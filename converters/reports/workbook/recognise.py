"""Our own workbook, known again wherever a copy of it lies: it holds answers, and no rules."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.readers.spreadsheet.cells import Book, CellValue
from ruleferry.converters.readers.spreadsheet.workbook.archive import open_archive
from ruleferry.converters.readers.spreadsheet.workbook.limits import Unreadable
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
from ruleferry.converters.reports.workbook.columns import QUESTION_HEADERS, SHEETS

# Rows in which the header is sought: people put lines above it.
_ROWS = 30
# The columns by which an answer finds its question; a dictionary has no such three.
_IDS = frozenset(
    QUESTION_HEADERS[column].lower() for column in ("question_id", "rule_id", "text_hash")
)
# Where the formats keep the names of their sheets.
_PARTS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")
_ENCODINGS = ("utf-8", "utf-16-le")


def is_gap_workbook(data: bytes, file: str) -> bool:
    """Whether the workbook asks our questions, in any format and under any name.

    A file that can't be read is none: its reader tells what is wrong with it.
    """
    if not _may_be(data):
        return False
    book = read_book(data, file, _ROWS)
    return isinstance(book, Book) and any(_asks(sheet.rows) for sheet in book.sheets)


def _asks(rows: Sequence[Sequence[CellValue | None]]) -> bool:
    return any(
        {cell.strip().lower() for cell in row if isinstance(cell, str)} >= _IDS
        for row in rows[:_ROWS]
    )


def _may_be(data: bytes) -> bool:
    """By the names of sheets, or of columns where a file has no sheets: reading all costs more."""
    if not data.startswith(b"PK"):
        return any("Question id".encode(encoding) in data for encoding in _ENCODINGS)
    try:
        archive = open_archive(data)
        texts = [archive.read(part) for part in _PARTS if part in archive]
    except Unreadable:
        return False
    return any(_named(text) > 1 for text in texts)


def _named(text: bytes) -> int:
    """How many of our sheets it names."""
    return sum(any(name.encode(e) in text for e in _ENCODINGS) for name in SHEETS)
