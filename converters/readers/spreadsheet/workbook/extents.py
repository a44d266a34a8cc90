"""How far the cells of .xlsb and .ods sheets reach, told before calamine lays them out."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml import DefusedXmlException
from defusedxml.sax import parseString

from ruleferry.converters.readers.spreadsheet.cells import address
from ruleferry.converters.readers.spreadsheet.workbook.archive import Archive
from ruleferry.converters.readers.spreadsheet.workbook.limits import (
    CELLS,
    ROWS,
    Unreadable,
    damaged,
    spread_too_wide,
)
from ruleferry.converters.readers.spreadsheet.workbook.xml_text import document_type

# [MS-XLSB]: records of a row's head, of filled cells, and of lists that begin with their count.
_ROW_HEAD, _FILLED, _COUNTED = 0, range(2, 12), (159, 615, 617)
_SPACES = 10_000


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
    """Raises Unreadable; also for what isn't well-formed, whose end calamine awaits forever."""
    manifest = "META-INF/manifest.xml"
    if manifest in archive and b"encryption-data" in archive.read(manifest):
        raise Unreadable("an encrypted workbook", "Save it without a password.")
    if "content.xml" not in archive:
        raise damaged("an OpenDocument archive without its content")
    content = _Content()
    try:
        parseString(archive.read("content.xml"), content, forbid_dtd=True)
    except DefusedXmlException:
        raise document_type("content.xml") from None
    except (SAXException, ValueError, LookupError):
        raise damaged("broken XML in the part content.xml") from None
    left = CELLS
    for name, height, width in content.extents:
        left = _spend(left, name, height, width)


class _Content(ContentHandler):
    """(sheet, rows, columns) up to the last filled cell of each; rows and cells may be repeated."""

    def __init__(self) -> None:
        super().__init__()
        self.extents: list[tuple[str, int, int]] = []
        self._row = self._repeats = self._column = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        if name == "table:table":
            self.extents.append((attrs.get("table:name", ""), 0, 0))
            self._row = self._repeats = 0
        elif name == "table:table-row":
            self._row += self._repeats
            self._repeats, self._column = _times(attrs, "table:number-rows-repeated"), 0
        elif name in ("table:table-cell", "table:covered-table-cell"):
            self._column += _times(attrs, "table:number-columns-repeated")
            if any(key.startswith("office:") or key == "table:formula" for key in attrs.getNames()):
                self._reach()
        elif name == "text:s" and _times(attrs, "text:c") > _SPACES:
            raise damaged("a text of too many spaces in the part content.xml")

    def _reach(self) -> None:
        if self.extents:
            name, height, width = self.extents[-1]
            height, width = max(height, self._row + self._repeats), max(width, self._column)
            self.extents[-1] = (name, height, width)


def _times(attrs: AttributesImpl, name: str) -> int:
    """How often a thing stands there; beyond a sheet's size it is all the same how far."""
    said = attrs.get(name, "1").strip()
    return min(int(said), ROWS) if said.isdecimal() and len(said) < 10 else ROWS
