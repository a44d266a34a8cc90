"""The looks of the cells: a handful, each in two forms, of which one keeps a text a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ruleferry.converters.reports.workbook.shapes import STYLES, Style

_INK, _GREY, _BLUE, _RED = "1F2933", "8A94A0", "0B5CAD", "B42318"
_DARK, _AMBER, _YELLOW, _PINK, _LINE = "24405C", "F2B705", "FFF8DB", "FDE3DF", "D5DAE0"
_TEXT, _COUNT, _DATE = "@", "#,##0", "yyyy\\-mm\\-dd"


@dataclass(frozen=True, slots=True)
class _Look:
    size: int = 10
    bold: bool = False
    colour: str = _INK
    fill: str | None = None
    lined: bool = True
    wrapped: bool = True
    across: str | None = None
    down: str = "top"
    format: str = "General"
    font: str = "Calibri"
    underlined: bool = False
    locked: bool = True


_LOOKS: Mapping[Style, _Look] = {
    "title": _Look(size=18, bold=True, lined=False, wrapped=False),
    "heading": _Look(size=13, bold=True, lined=False, wrapped=False),
    "note": _Look(size=11, lined=False, wrapped=False),
    "warning": _Look(size=11, bold=True, colour=_RED, lined=False, wrapped=False),
    "bold": _Look(size=11, bold=True, lined=False, down="center"),
    "said": _Look(lined=False, wrapped=False, down="center"),
    "text": _Look(),
    "strong": _Look(size=11, bold=True),
    "code": _Look(size=9, font="Consolas"),
    "number": _Look(format=_COUNT, across="right"),
    "total": _Look(14, bold=True, format=_COUNT, across="right", down="center", lined=False),
    "open": _Look(bold=True, colour=_RED, fill=_PINK, across="center"),
    "later": _Look(across="center"),
    "link": _Look(colour=_BLUE, underlined=True),
    "go": _Look(size=11, bold=True, colour=_BLUE, underlined=True, lined=False, wrapped=False),
    "header": _Look(bold=True, colour="FFFFFF", fill=_DARK),
    "header_number": _Look(bold=True, colour="FFFFFF", fill=_DARK, across="right"),
    "header_filled": _Look(bold=True, fill=_AMBER),
    "answer": _Look(fill=_YELLOW, format=_TEXT, locked=False),
    "date": _Look(fill=_YELLOW, format=_DATE, locked=False),
    "id": _Look(size=8, colour=_GREY, wrapped=False, format=_TEXT),
}

# Style, and whether the text would be a formula when a person edits it -> number in the file.
StyleIds: TypeAlias = Mapping[tuple[Style, bool], int]


def style_ids(sheet: Any) -> StyleIds:  # noqa: ANN401 - openpyxl ships no types
    """The looks, as styles of the workbook that the sheet belongs to."""
    return dict(_ids(sheet))


def _ids(sheet: Any) -> Iterator[tuple[tuple[Style, bool], int]]:  # noqa: ANN401
    for name in STYLES:
        yield (name, False), _styled(sheet, _LOOKS[name]).style_id
        # A cell of its own: the workbook keeps the style itself, and no copy of it.
        kept = _styled(sheet, replace(_LOOKS[name], format=_TEXT))
        kept.quotePrefix = True
        yield (name, True), kept.style_id


def _styled(sheet: Any, look: _Look) -> Any:  # noqa: ANN401
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

    cell = WriteOnlyCell(sheet)
    underline = "single" if look.underlined else None
    cell.font = Font(look.font, look.size, look.bold, color=look.colour, underline=underline)
    cell.alignment = Alignment(look.across, look.down, wrap_text=look.wrapped)
    cell.number_format = look.format
    cell.protection = Protection(locked=look.locked)
    if look.fill:
        cell.fill = PatternFill("solid", fgColor=look.fill)
    if look.lined:
        side = Side("thin", color=_LINE)
        cell.border = Border(left=side, right=side, top=side, bottom=side)
    return cell
