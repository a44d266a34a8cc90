"""Sheets as the bytes of an .xlsx file, the same on any machine.

openpyxl makes the parts: styles, views, filters, dropdowns, and how they hang together. The rows
are put in afterwards (sheet_xml.py), and the archive is built again: its clock, the order of its
parts, the clock in its properties, the XML library and the zlib at hand leave no trace.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import canonicalize

from ruleferry.converters.reports.text import count
from ruleferry.converters.reports.workbook.cell_text import cell_text
from ruleferry.converters.reports.workbook.columns import LISTS
from ruleferry.converters.reports.workbook.shapes import Cell, Choice, Row, Sheet
from ruleferry.converters.reports.workbook.sheet_xml import (
    Strings,
    column_letter,
    links_xml,
    rows_xml,
    strings_xml,
)
from ruleferry.converters.reports.workbook.styles import StyleIds, style_ids

# The first moment that a zip archive can tell.
_MOMENT = (1980, 1, 1, 0, 0, 0)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET_FILE = re.compile(r"xl/worksheets/sheet([0-9]+)\.xml")
_STRINGS = "xl/sharedStrings.xml"
# Two parts name all others, and openpyxl leaves out the table of texts where it wrote none.
_NAMED = {
    "[Content_Types].xml": (
        "</Types>",
        f'<Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.'
        f'sharedStrings+xml" PartName="/{_STRINGS}"></Override>',
    ),
    "xl/_rels/workbook.xml.rels": (
        "</Relationships>",
        '<Relationship Id="texts" Target="sharedStrings.xml" Type="http://schemas.openxmlformats.org'
        '/officeDocument/2006/relationships/sharedStrings"></Relationship>',
    ),
}
# Rows that a sheet has room for.
MOST_ROWS = 1_048_576
# From the year 2000 on.
_FIRST_DAY = "36526"


def workbook_bytes(sheets: Sequence[Sheet], title: str) -> bytes:
    """The workbook of these sheets, and of a hidden one with the lists of their dropdowns."""
    fitting = [fitted(sheet) for sheet in sheets]
    lists = _lists(fitting)
    every = [*fitting, _lists_sheet(lists)]
    frames, styles = _frames(every, lists, title)
    strings = Strings()
    parts = {name: _part(name, data, every, styles, strings) for name, data in frames.items()}
    parts[_STRINGS] = f"{_DECLARATION}{strings_xml(strings)}".encode()
    return _archive(parts)


def fitted(sheet: Sheet, most: int = MOST_ROWS) -> Sheet:
    """The rows that a sheet has room for; its last row says how many it has not."""
    if len(sheet.rows) <= most:
        return sheet
    left = len(sheet.rows) - most + 1
    word = Cell(f"… and {count(left, 'more row')}: a sheet has no room for more.", "warning")
    kept = tuple(
        replace(choice, rows=tuple(row for row in choice.rows if row < most))
        for choice in sheet.choices
    )
    choices = tuple(choice for choice in kept if choice.rows)
    return replace(sheet, rows=(*sheet.rows[: most - 1], Row((word,))), choices=choices)


# The hidden lists -----------------------------------------------------------------------------


def _lists(sheets: Sequence[Sheet]) -> Mapping[tuple[str, ...], str]:
    """List -> the cells of sheet Lists that hold it; they stand below each other in one column."""
    found: dict[tuple[str, ...], str] = {}
    row = 2
    for sheet in sheets:
        for choice in sheet.choices:
            if choice.picks is not None and choice.picks not in found:
                last = row + len(choice.picks) - 1
                found[choice.picks] = f"{LISTS}!$A${row}:$A${last}"
                row = last + 1
    return found


def _lists_sheet(lists: Mapping[tuple[str, ...], str]) -> Sheet:
    rows = [Row((Cell("Answers", "header"),))]
    rows += [Row((Cell(cell_text(pick)),)) for picks in lists for pick in picks]
    return Sheet(LISTS, tuple(rows), (60,), listing=False, hidden=True)


# What openpyxl makes ---------------------------------------------------------------------------


def _frames(
    sheets: Sequence[Sheet], lists: Mapping[tuple[str, ...], str], title: str
) -> tuple[Mapping[str, bytes], StyleIds]:
    """The parts of a workbook whose sheets have no rows yet."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    workbook = Workbook(write_only=True)
    for sheet in sheets:
        _frame(workbook.create_sheet(sheet.name), sheet, lists)
    styles = style_ids(workbook.worksheets[0])
    _properties(workbook, title)
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        ExcelWriter(workbook, archive).write_data()
    with zipfile.ZipFile(buffer) as archive:
        return {name: archive.read(name) for name in archive.namelist()}, styles


def _properties(workbook: Any, title: str) -> None:  # noqa: ANN401 - openpyxl ships no types
    moment = datetime(*_MOMENT)  # noqa: DTZ001 - the file's moments have no zone
    properties = workbook.properties
    properties.creator, properties.title = "ruleferry", title
    properties.created = properties.modified = moment


def _frame(made: Any, sheet: Sheet, lists: Mapping[tuple[str, ...], str]) -> None:  # noqa: ANN401
    for number, width in enumerate(sheet.widths, 1):
        made.column_dimensions[column_letter(number)].width = width
    if sheet.hidden:
        made.sheet_state = "hidden"
    made.sheet_properties.outlinePr.summaryBelow = False
    made.sheet_format.outlineLevelRow = int(any(row.folded for row in sheet.rows))
    _printed(made, sheet)
    if sheet.listing:
        _listing(made, sheet)
    else:
        made.sheet_view.showGridLines = False
    for choice in sheet.choices:
        made.data_validations.append(_validation(choice, lists))


def _listing(made: Any, sheet: Sheet) -> None:  # noqa: ANN401
    made.freeze_panes = f"{column_letter(sheet.frozen + 1)}2"
    made.auto_filter.ref = f"A1:{column_letter(len(sheet.widths))}{len(sheet.rows)}"
    made.print_title_rows = "1:1"


def _printed(made: Any, sheet: Sheet) -> None:  # noqa: ANN401
    """On A3 across, as many pages down as it takes."""
    from openpyxl.worksheet.properties import PageSetupProperties

    made.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    made.page_setup.orientation = "landscape"
    made.page_setup.paperSize = 8
    made.page_setup.fitToWidth, made.page_setup.fitToHeight = 1, 0
    made.page_margins.left = made.page_margins.right = 0.4


def _validation(choice: Choice, lists: Mapping[tuple[str, ...], str]) -> Any:  # noqa: ANN401
    from openpyxl.worksheet.datavalidation import DataValidation

    common = {
        "allow_blank": True,
        "sqref": _ranges(column_letter(choice.column), choice.rows),
        "showInputMessage": True,
        "prompt": choice.told[:255],
        "showErrorMessage": not choice.free,
        "errorStyle": "stop",
    }
    if choice.picks is None:
        error = "Please type a date, such as 2026-11-30."
        return DataValidation(
            "date", _FIRST_DAY, operator="greaterThanOrEqual", error=error, **common
        )
    error = "Please pick one of the answers in the list. What else there is to say goes into Note."
    return DataValidation("list", lists[choice.picks], error=error, **common)


def _ranges(letter: str, rows: Sequence[int]) -> str:
    """`J2:J5 J9`: rows that follow each other make one range."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and runs[-1][1] == row - 1:
            runs[-1][1] = row
        else:
            runs.append([row, row])
    return " ".join(
        f"{letter}{first}" if first == last else f"{letter}{first}:{letter}{last}"
        for first, last in runs
    )


# The archive -----------------------------------------------------------------------------------


def _part(
    name: str, data: bytes, sheets: Sequence[Sheet], styles: StyleIds, strings: Strings
) -> bytes:
    """A part in one form, whichever library wrote it; that of a sheet with its rows."""
    text = canonicalize(data.decode())
    number = _SHEET_FILE.fullmatch(name)
    if number:
        text = _filled(text, sheets[int(number[1]) - 1], styles, strings)
    if name in _NAMED and "sharedStrings" not in text:
        end, named = _NAMED[name]
        text = text.replace(end, f"{named}{end}")
    return f"{_DECLARATION}{text}".encode()


def _filled(text: str, sheet: Sheet, styles: StyleIds, strings: Strings) -> str:
    empty, margins = "<sheetData></sheetData>", "<pageMargins"
    head, _, tail = text.partition(empty)
    before, _, after = tail.partition(margins)
    rows = f"<sheetData>{rows_xml(sheet, styles, strings)}</sheetData>"
    return f"{head}{rows}{before}{links_xml(sheet)}{margins}{after}"


def _archive(parts: Mapping[str, bytes]) -> bytes:
    """Stored and not deflated: libraries deflate differently."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in _ordered(parts):
            info = zipfile.ZipInfo(name, _MOMENT)
            info.create_system = 0
            archive.writestr(info, parts[name])
    return buffer.getvalue()


def _ordered(parts: Mapping[str, bytes]) -> Iterator[str]:
    """What the parts are stands first."""
    first = "[Content_Types].xml"
    yield first
    yield from sorted(name for name in parts if name != first)
