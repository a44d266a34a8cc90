"""Sheets that say once more what another sheet of the workbook says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header, Layout, Record
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import (
    holds,
    names_a_table,
    plain,
    words,
)
from ruleferry.converters.readers.spreadsheet.statement import Meaning

_NUMBERED = re.compile(r"\s*\(\d+\)\s*$")
_ALIKE = 0.7
_Row = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class _Sheet:
    """A sheet's records in a form that can be compared."""

    layout: Layout
    known: Callable[[str], Meaning | None]

    @property
    def name(self) -> str:
        return self.layout.sheet

    @cached_property
    def texts(self) -> frozenset[str]:
        headers = (header for block in self.layout.blocks for header in block.headers)
        return frozenset(plain(header.text) for header in headers)

    @cached_property
    def keys(self) -> frozenset[_Row]:
        """What the records are called."""
        rows = (_row(block, record, self._is_key) for block, record in self._records())
        return frozenset(row for row in rows if row)

    def rows(self, texts: frozenset[str]) -> frozenset[_Row]:
        """The records, of which only the headers of these texts are looked at."""
        found = self._records()
        return frozenset(_row(b, r, lambda header: plain(header.text) in texts) for b, r in found)

    def _records(self) -> Iterator[tuple[Block, Record]]:
        return ((block, record) for block in self.layout.blocks for record in block.records)

    def _is_key(self, header: Header) -> bool:
        return self.known(header.text) in ("column", "rule_id", "code", "table", "list_name")

    @cached_property
    def named_by_sheet(self) -> bool:
        """Whether the sheet's name is all that tells whose fields these are."""
        stated = [block for block in self.layout.blocks if block.table and _not_sheet(block)]
        column = any(self.known(h.text) == "table" for b in self.layout.blocks for h in b.headers)
        return not stated and not column and names_a_table(self.name)

    @property
    def marked(self) -> bool:
        return holds(self.name, "copies") or _NUMBERED.search(self.name) is not None

    @property
    def newer(self) -> bool:
        """Whether the name may say that this sheet is the one to go by."""
        return holds(self.name, "copies", "newer")

    @property
    def base(self) -> str:
        """The name without what marks it: `Fields-OLD`, `Fields (2)` and `Copy of Fields`."""
        rest = plain(_NUMBERED.sub("", self.name)).split()
        marks = {*words("copies"), *words("copies", "newer"), "of"}
        return " ".join(word for word in rest if word not in marks)


def _not_sheet(block: Block) -> bool:
    return block.table_told != "the sheet's name"


def _row(block: Block, record: Record, wanted: Callable[[Header], bool]) -> _Row:
    return frozenset(
        (plain(header.text), cell.text)
        for header in block.headers
        if wanted(header)
        for cell in record.cells.get(header.index, ())
    )


def copies(
    layouts: Sequence[Layout], known: Callable[[str], Meaning | None]
) -> dict[int, tuple[int, str]]:
    """Sheet -> the sheet that says the same, and how that is known."""
    sheets = {n: _Sheet(found, known) for n, found in enumerate(layouts) if found.blocks}
    found: dict[int, tuple[int, str]] = {}
    for number, sheet in sorted(sheets.items(), key=lambda entry: (not entry[1].marked, -entry[0])):
        for other, original in sheets.items():
            if other == number or other in found or original.layout.kind != sheet.layout.kind:
                continue
            reason = _copy_of(sheet, original)
            if reason:
                found[number] = (other, reason)
                break
    return found


def _copy_of(sheet: _Sheet, original: _Sheet) -> str:
    """Why a sheet says the same as another, "" where it says anything of its own."""
    shared = sheet.texts & original.texts
    if len(shared) < _ALIKE * len(sheet.texts) or not sheet.keys:
        return ""
    name = original.name
    if sheet.marked and not original.marked and not sheet.newer:
        if sheet.base == plain(name) and 2 * len(sheet.keys & original.keys) >= len(sheet.keys):
            return f"by its name it is another state of the sheet {name!r}"
        if sheet.keys <= original.keys:
            return f"all that it names stands in the sheet {name!r}"
    if not sheet.keys <= original.keys:
        return ""
    if (sheet.marked or not sheet.named_by_sheet) and sheet.rows(shared) <= original.rows(shared):
        return f"all its rows stand in the sheet {name!r}"
    return ""
