"""The rows and links of a sheet, as they stand in the file.

Written here and not through openpyxl: ten thousand rules are half a million cells, and every text
is a string because nothing else can be written. A text stands once in the file, for many cells say
the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ruleferry.converters.reports.workbook.cell_text import like_a_formula, xml_text
from ruleferry.converters.reports.workbook.shapes import Cell, Link, Row, Sheet
from ruleferry.converters.reports.workbook.styles import StyleIds

# A sheet with more links is refused by Excel.
MOST_LINKS = 65_530


def column_letter(number: int) -> str:
    """`A` of 1, `AB` of 28."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


@dataclass(frozen=True, slots=True)
class Strings:
    """The texts of a workbook in the order in which they come up; a cell has a text's number."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def strings_xml(strings: Strings) -> str:
    """The part that holds them."""
    items = "".join(map(_item, strings.numbers))
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<sst xmlns="{space}" uniqueCount="{len(strings.numbers)}">{items}</sst>'


def _item(text: str) -> str:
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<si><t{space}>{xml_text(text)}</t></si>"


def rows_xml(sheet: Sheet, styles: StyleIds, strings: Strings) -> str:
    letters = [column_letter(number) for number in range(1, len(sheet.widths) + 1)]
    return "".join(
        f"<row{_row_attributes(number, row)}>"
        f"{''.join(_cells(number, row, letters, styles, strings))}</row>"
        for number, row in enumerate(sheet.rows, 1)
    )


def _row_attributes(number: int, row: Row) -> str:
    height = f' ht="{row.height}" customHeight="1"' if row.height else ""
    folded = ' outlineLevel="1" hidden="1"' if row.folded else ""
    opens = ' collapsed="1"' if row.opens else ""
    return f' r="{number}"{height}{folded}{opens}'


def _cells(
    number: int, row: Row, letters: list[str], styles: StyleIds, strings: Strings
) -> Iterator[str]:
    for letter, cell in zip(letters, row.cells, strict=False):
        if cell is not None:
            yield _cell_xml(f"{letter}{number}", cell, styles, strings)


def _cell_xml(place: str, cell: Cell, styles: StyleIds, strings: Strings) -> str:
    value = cell.value
    if isinstance(value, int):
        return f'<c r="{place}" s="{styles[cell.style, False]}"><v>{value}</v></c>'
    style = styles[cell.style, like_a_formula(value)]
    if not value:
        return f'<c r="{place}" s="{style}"/>'
    return f'<c r="{place}" s="{style}" t="s"><v>{strings.number(value)}</v></c>'


def links_xml(sheet: Sheet) -> str:
    """Empty where there is none: an empty list is no valid file."""
    links = list(_links(sheet))[:MOST_LINKS]
    return f"<hyperlinks>{''.join(links)}</hyperlinks>" if links else ""


def _links(sheet: Sheet) -> Iterator[str]:
    for number, row in enumerate(sheet.rows, 1):
        for column, cell in enumerate(row.cells, 1):
            if cell is not None and cell.link is not None:
                yield _link_xml(f"{column_letter(column)}{number}", cell.link)


def _link_xml(place: str, link: Link) -> str:
    return f'<hyperlink ref="{place}" location="{link.sheet}!A{link.row}"/>'
