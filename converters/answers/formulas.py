"""Which cells of a workbook are formulas: what a person did not type himself is no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml import DefusedXmlException
from defusedxml.sax import parseString

from ruleferry.converters.readers.spreadsheet.cells import Place
from ruleferry.converters.readers.spreadsheet.workbook.archive import Archive, open_archive
from ruleferry.converters.readers.spreadsheet.workbook.areas import place
from ruleferry.converters.readers.spreadsheet.workbook.limits import damaged
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_parts import outline


def formulas(data: bytes) -> Mapping[str, frozenset[Place]]:
    """Sheet -> the places of its formulas. Raises Unreadable."""
    archive = open_archive(data)
    return {
        part.name: frozenset(_places(archive, part.part))
        for part in outline(archive).sheets
        if part.kind == "worksheet" and part.part in archive
    }


def _places(archive: Archive, part: str) -> Iterator[Place]:
    data = archive.read(part)
    if not _FORMULA.search(data):
        return
    cells = _Cells()
    try:
        parseString(data, cells, forbid_dtd=True)
    except (DefusedXmlException, SAXException, ValueError, LookupError):
        raise damaged(f"broken XML in the part {part}") from None
    yield from cells.found


# With or without a prefix; in UTF-8, which every program writes.
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]|\x00")


class _Cells(ContentHandler):
    """A row or a cell that does not say where it stands follows the one before it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Place] = []
        self._row = self._column = -1

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        tag = name.rpartition(":")[2]
        if tag == "row":
            said = attrs.get("r", "").strip()
            self._row = int(said) - 1 if said.isdecimal() and len(said) < 9 else self._row + 1
            self._column = -1
        elif tag == "c":
            there = place(attrs.get("r", ""))
            self._row, self._column = there or (self._row, self._column + 1)
        elif tag == "f":
            self.found.append((self._row, self._column))
