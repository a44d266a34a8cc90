"""The old binary .xls: whether it is locked, and how far its cells reach, before it is laid out.

[MS-CFB] for the file of streams, [MS-XLS] for the records of the workbook's stream.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ruleferry.converters.readers.spreadsheet.cells import address
from ruleferry.converters.readers.spreadsheet.workbook.limits import (
    CELLS,
    Unreadable,
    damaged,
    spread_too_wide,
)

_HEADER = 512
_ENTRY = 128
_LAST_SECTOR = 0xFFFFFFFA  # above it stand the marks of ends and of free sectors
_BEGIN, _PASSWORD = 0x809, 0x2F
# Records that begin with row, column: formulas, numbers, texts, errors, and rows of numbers.
_CELLS = frozenset((0x06, 0xBD, 0xD6, 0xFD, 0x201, 0x203, 0x204, 0x205, 0x206, 0x27E, 0x406))
_SEVERAL = 0xBD
# Records that say how much is to come; readers set memory aside for it.
_EXTENT, _TEXTS = 0x200, 0xFC
_ROWS, _COLUMNS = 65_536, 256


def check_xls(data: bytes) -> None:
    """Raises Unreadable."""
    streams = dict(_streams(data))
    if "EncryptedPackage" in streams:
        raise Unreadable("an encrypted workbook", "Save it without a password.")
    start = next((streams[name] for name in ("Workbook", "Book") if name in streams), None)
    if start is None:
        raise damaged("an old Office file that is no workbook")
    _check_cells(_stream(data, *start))


def _check_cells(stream: bytes) -> None:
    left, sheet, height, width = CELLS, 0, 0, 0
    for kind, at, size in _records(stream):
        if kind == _PASSWORD:
            raise Unreadable("an encrypted workbook", "Save it without a password.")
        if _claims_too_much(kind, stream[at : at + min(size, 14)]):
            raise damaged("a sheet or list of more than an .xls can hold")
        if kind == _BEGIN:
            left, sheet, height, width = left - height * width, sheet + 1, 0, 0
        elif kind in _CELLS and size >= 4:
            row, column = struct.unpack_from("<HH", stream, at)
            if kind == _SEVERAL and size >= 6:
                column = struct.unpack_from("<H", stream, at + size - 2)[0]
            height, width = max(height, row + 1), max(width, column + 1)
        if height * width > left:
            last = address(height - 1, width - 1)
            # The stream begins with what all sheets share.
            raise spread_too_wide(f"number {sheet - 1}", last, height * width)


def _claims_too_much(kind: int, content: bytes) -> bool:
    if kind == _TEXTS and len(content) >= 8:
        return max(_number(content, 0), _number(content, 4)) > CELLS
    if kind != _EXTENT or len(content) < 10:
        return False
    form = "<IIHH" if len(content) == 14 else "<HHHH"
    top, bottom, left, right = struct.unpack_from(form, content)
    return not (top <= bottom <= _ROWS and left <= right <= _COLUMNS)


def _records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """(kind, where its content begins, size)."""
    at = 0
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        at += 4
        yield kind, at, min(size, len(stream) - at)
        at += size


def _streams(data: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    """Name -> (its first sector, its size) of the directory."""
    if len(data) < _HEADER:
        raise damaged("a broken old Office file")
    directory = _chained(data, _number(data, 48))
    for at in range(0, len(directory) - _ENTRY + 1, _ENTRY):
        length = min(struct.unpack_from("<H", directory, at + 64)[0], 64)
        name = directory[at : at + max(length - 2, 0)].decode("utf-16-le", "replace")
        yield name, (_number(directory, at + 116), _number(directory, at + 120))


def _stream(data: bytes, first: int, size: int) -> bytes:
    """Small streams stand in a stream of their own, in sectors of 64 bytes."""
    if size >= _number(data, 56):
        return _chained(data, first)[:size]
    root = next(start for _, start in _streams(data))
    held, table = _chained(data, root[0]), _chained(data, _number(data, 60))
    chain = _chain(first, struct.unpack(f"<{len(table) // 4}I", table[: len(table) // 4 * 4]))
    return b"".join(held[n * 64 : n * 64 + 64] for n in chain)[:size]


def _chained(data: bytes, first: int) -> bytes:
    return b"".join(_sector(data, number) for number in _chain(first, _table(data)))


def _chain(first: int, table: tuple[int, ...]) -> Iterator[int]:
    """The sectors of a stream; a chain that comes back to itself ends."""
    seen, number = 0, first
    while number < len(table) and seen <= len(table):
        yield number
        seen, number = seen + 1, table[number]


def _table(data: bytes) -> tuple[int, ...]:
    """Of each sector the one that follows it."""
    listed = list(struct.unpack_from("<109I", data, 76))
    more, seen = _number(data, 68), 0
    while more < _LAST_SECTOR and seen < len(data) // _size(data):
        sector = _sector(data, more)
        numbers = struct.unpack(f"<{len(sector) // 4}I", sector[: len(sector) // 4 * 4])
        listed, more, seen = listed + list(numbers[:-1]), (numbers or (_LAST_SECTOR,))[-1], seen + 1
    whole = b"".join(_sector(data, number) for number in listed if number < _LAST_SECTOR)
    return struct.unpack(f"<{len(whole) // 4}I", whole[: len(whole) // 4 * 4])


def _sector(data: bytes, number: int) -> bytes:
    size = _size(data)
    return data[(number + 1) * size : (number + 2) * size]


def _size(data: bytes) -> int:
    power: int = struct.unpack_from("<H", data, 30)[0]
    if power not in (9, 12):
        raise damaged("a broken old Office file")
    return 1 << power


def _number(data: bytes, at: int) -> int:
    number: int = struct.unpack_from("<I", data, at)[0]
    return number
