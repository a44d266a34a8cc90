"""How far the cells of .xlsb and .ods sheets reach, told before calamine lays them out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleferry.converters.readers.spreadsheet.archive import Archive
from ruleferry.converters.readers.spreadsheet.cells import address
from ruleferry.converters.readers.spreadsheet.limits import (
    CELLS,
    COLUMNS,
    ROWS,
    Unreadable,
    damaged,
    spread_too_wide,
)
from ruleferry.converters.readers.spreadsheet.xml_text import document_type

# [MS-XLSB]: records of a row's head, of filled cells, and of lists that begin with their count.
_ROW_HEAD, _FILLED, _COUNTED = 0, range(2, 12), (159, 615, 617)
_TAG = re.compile(
    rb"<table:(table|table-row|table-cell|covered-table-cell)(?=[\s/>])"
    rb"((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>"
)
_ROWS = re.compile(rb"table:number-rows-repeated=[\"']\s*([0-9]+)")
_COLUMNS = re.compile(rb"table:number-columns-repeated=[\"']\s*([0-9]+)")
_SPACES = re.compile(rb"text:c=[\"']\s*[0-9]{6}")


def check_xlsb(archive: Archive) -> None:
    """Raises Unreadable."""
    left = CELLS
    for name in archive.parts:
        if name.startswith("xl/worksheets/") and name.endswith(".bin"):
            left = _spend(left, name.rpartition("/")[2], *_binary_extent(archive.read(name)))
        elif name in ("xl/sharedstrings.bin", "xl/styles.bin"):
            for kind, start, size in _records(data := archive.read(name)):
                if kind in _COUNTED and size >= 8 and max(_numbers(data, start)) > CELLS:
                    raise damaged(f"a list of too many elements in the part {name}")


def _spend(left: int, sheet: str, height: int, width: int) -> int:
    if height * width > left:
        raise spread_too_wide(sheet, address(height - 1, width - 1), height * width)
    return left - height * width


def _binary_extent(data: bytes) -> tuple[int, int]:
    row = height = width = 0
    for kind, start, size in _records(data):
        if size >= 4 and kind == _ROW_HEAD:
            row = _numbers(data, start)[0]
        elif size >= 4 and kind in _FILLED:
            column = _numbers(data, start)[0]
            height, width = max(height, row + 1), max(width, column + 1)
    return height, width


def _numbers(data: bytes, start: int) -> tuple[int, int]:
    first, second = data[start : start + 4], data[start + 4 : start + 8]
    return int.from_bytes(first, "little"), int.from_bytes(second, "little")


def _records(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(kind, where its content begins, size) of each record of a binary part."""
    at, end = 0, len(data)
    while at < end:
        kind = data[at]
        at += 1
        if kind & 0x80 and at < end:
            kind = (kind & 0x7F) | (data[at] & 0x7F) << 7
            at += 1
        size = 0
        for shift in (0, 7, 14, 21):
            byte = data[at] if at < end else 0
            at += 1
            size |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        yield kind, at, min(size, max(end - at, 0))
        at += size


def check_ods(archive: Archive) -> None:
    """Raises Unreadable."""
    manifest = "META-INF/manifest.xml"
    if manifest in archive and b"encryption-data" in archive.read(manifest):
        raise Unreadable("an encrypted workbook", "Save it without a password.")
    if "content.xml" not in archive:
        raise damaged("an OpenDocument archive without its content")
    data = archive.read("content.xml")
    if b"<!DOCTYPE" in data:
        raise document_type("content.xml")
    if b"<!" in data or _SPACES.search(data):
        raise damaged("unusual XML in the part content.xml")
    left = CELLS
    for number, (height, width) in enumerate(_repeated_extents(data), 1):
        left = _spend(left, f"number {number}", height, width)


def _repeated_extents(data: bytes) -> Iterator[tuple[int, int]]:
    """(rows, columns) up to the last filled cell of each table; cells and rows may be repeated."""
    row = height = width = column = repeats = 0
    for tag in _TAG.finditer(data):
        kind, said = tag[1], tag[2]
        if kind == b"table":
            yield height, width
            row = height = width = column = repeats = 0
        elif kind == b"table-row":
            row += repeats
            repeats, column = _times(_ROWS, said), 0
        else:
            column += _times(_COLUMNS, said)
            if b"office:" in said or b"formula" in said:
                height, width = row + repeats, max(width, column)
    yield height, width


def _times(pattern: re.Pattern[bytes], said: bytes) -> int:
    """How often a row or cell stands there; more than a sheet holds is as bad as that."""
    match = pattern.search(said)
    return min(int(match[1][:9]), max(ROWS, COLUMNS)) if match else 1
