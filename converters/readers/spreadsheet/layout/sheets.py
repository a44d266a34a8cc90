"""The layout of a workbook's sheets: kinds, blocks and records, and what is not read."""

from __future__ import annotations

from collections.abc import Callable

from ruleferry.converters.readers.spreadsheet.blocks import Layout
from ruleferry.converters.readers.spreadsheet.cells import Book
from ruleferry.converters.readers.spreadsheet.layout.copies import copies
from ruleferry.converters.readers.spreadsheet.layout.one_sheet import layout_of, unread
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import SheetSettings
from ruleferry.converters.readers.spreadsheet.statement import Meaning

__all__ = ["layout_of", "layouts"]

_NAMING = ("dictionary", "mapping")


def layouts(
    book: Book,
    known: Callable[[str], Meaning | None],
    profile: Callable[[str], SheetSettings | None] | None = None,
) -> tuple[Layout, ...]:
    """The layouts of all sheets, each in view of the others.

    `profile`: a sheet's name -> what is said of it. A sheet whose kind it states is no copy.
    """
    settings = [profile(sheet.name) if profile else None for sheet in book.sheets]
    pairs = zip(book.sheets, settings, strict=True)
    found = [layout_of(sheet, known, setting) for sheet, setting in pairs]
    stated = {n for n, setting in enumerate(settings) if setting and setting.kind}
    for number, (_, reason) in copies(found, known).items():
        if number not in stated:
            found[number] = unread(book.sheets[number], "copy", reason)
    for number in _foreign_templates(found, known):
        if number not in stated:
            found[number] = unread(book.sheets[number], "other", _FOREIGN)
    return tuple(found)


_FOREIGN = "its columns are none of the fields that other sheets describe"


def _foreign_templates(found: list[Layout], known: Callable[[str], Meaning | None]) -> list[int]:
    """Sheets to be filled in with something else than what the workbook describes."""
    fields = {
        cell.text.casefold()
        for layout in found
        if layout.kind in _NAMING
        for block in layout.blocks
        for header in block.headers
        if known(header.text) in ("column", "label")
        for record in block.records
        for cell in record.cells.get(header.index, ())
    }
    described = any(layout.kind in _NAMING for layout in found)
    return [
        number
        for number, layout in enumerate(found)
        if layout.kind == "template" and described and not _names_of(layout, fields)
    ]


def _names_of(layout: Layout, fields: set[str]) -> bool:
    """Whether half of a template's names are fields that are described elsewhere."""
    names = [header.text.casefold() for block in layout.blocks for header in block.headers]
    return 2 * sum(name in fields for name in names) >= len(names)
