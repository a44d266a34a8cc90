"""The zip archive of a workbook: its parts, unpacked within limits and never written anywhere."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ruleferry.converters.readers.spreadsheet.workbook.limits import (
    ALL_BYTES,
    MEGABYTE,
    PART_BYTES,
    PARTS,
    Unreadable,
    damaged,
)

_STEP = 4 * MEGABYTE
_PACKED_STEP = 256 * 1024
_SMALLER = "Save a smaller workbook, with the sheets of the dictionary alone."


@dataclass(frozen=True, slots=True)
class Archive:
    """`parts`: name in lower case, with slashes -> its entry."""

    data: bytes
    parts: Mapping[str, zipfile.ZipInfo]

    def __contains__(self, name: str) -> bool:
        return name.lower() in self.parts

    def read(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def chunks(self, name: str) -> Iterator[bytes]:
        """A part piece by piece. Raises Unreadable where it isn't what the archive declares.

        Not by zipfile: it stops at the declared size, other readers go on.
        """
        entry = self.parts[name.lower()]
        size = crc = 0
        for piece in _unpacked(_packed(self.data, entry), entry):
            size += len(piece)
            if size > entry.file_size:
                raise _bomb(f"the part {name}, larger than the archive says")
            crc = zlib.crc32(piece, crc)
            yield piece
        if size != entry.file_size or crc != entry.CRC:
            raise damaged(f"a damaged part {name}")


def open_archive(data: bytes) -> Archive:
    """Raises Unreadable for a broken archive and for one that unpacks beyond the limits."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error, OSError):
        raise Unreadable("a broken zip archive", "Copy or download it again, whole.") from None
    if len(entries) > PARTS:
        raise _bomb(f"{len(entries):,} parts in the archive")
    if sum(entry.file_size for entry in entries) > ALL_BYTES:
        raise _bomb(f"more than {ALL_BYTES // MEGABYTE:,} MB in the archive")
    parts: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        name = entry.filename.replace("\\", "/").lower()
        if name in parts:
            raise damaged(f"two parts named {entry.filename[:80]} in the archive")
        parts[name] = _sound(entry)
    return Archive(data, parts)


def _sound(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    name = entry.filename[:80]
    if entry.flag_bits & 0x1:
        raise Unreadable(f"an encrypted part {name}", "Save it without a password.")
    if entry.file_size > PART_BYTES:
        raise _bomb(f"the part {name} of more than {PART_BYTES // MEGABYTE} MB")
    return entry


def _bomb(found: str) -> Unreadable:
    return Unreadable(found, _SMALLER, expected="a workbook of a size that can be unpacked")


def _packed(data: bytes, entry: zipfile.ZipInfo) -> memoryview:
    """The bytes of an entry; its own header says where they begin."""
    start = entry.header_offset
    if data[start : start + 4] != b"PK\x03\x04" or start + 30 > len(data):
        raise damaged("a broken zip archive")
    begin = start + 30 + sum(struct.unpack_from("<HH", data, start + 26))
    return memoryview(data)[begin : begin + entry.compress_size]


def _unpacked(packed: memoryview, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    if entry.compress_type == zipfile.ZIP_STORED:
        yield from (bytes(packed[at : at + _STEP]) for at in range(0, len(packed), _STEP))
        return
    if entry.compress_type != zipfile.ZIP_DEFLATED:
        raise damaged(f"a part {entry.filename[:80]} that is packed in an unusual way")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for at in range(0, len(packed), _PACKED_STEP):
            rest: bytes | memoryview = packed[at : at + _PACKED_STEP]
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _STEP)
                rest = unpacker.unconsumed_tail
    except zlib.error:
        raise damaged(f"a damaged part {entry.filename[:80]}") from None
