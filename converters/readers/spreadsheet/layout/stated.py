"""What a profile says of a sheet, applied to its grid."""

from __future__ import annotations

import re
from dataclasses import replace

from ruleferry.converters.readers.spreadsheet.blocks import Plain
from ruleferry.converters.readers.spreadsheet.cells import Place, Sheet
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import SheetSettings
from ruleferry.converters.rule import Skipped

_ADDRESS = re.compile(r"([A-Za-z]{1,3})([1-9]\d{0,6})")


def clipped(
    grid: Grid, settings: SheetSettings, classes: dict[Place, Plain], skipped: list[Skipped]
) -> Grid:
    """The grid without the rows and columns that the profile leaves out."""
    last = len(grid.lines) if settings.last_row is None else max(settings.last_row, 0)
    right = None if settings.last_column is None else column_number(settings.last_column)
    low = range(min(last, len(grid.lines)), len(grid.lines))
    if grid.count(low):
        classes.update(dict.fromkeys(grid.places(low), "skipped"))
        reason = "the profile says that the records end above"
        skipped.append(grid.told(low.start, low.stop - 1, reason, grid.count(low)))
    kept = [*grid.lines[: low.start], *[()] * len(low)]
    if settings.skip_hidden_rows:
        for line in sorted(grid.sheet.marks.hidden_rows.intersection(range(low.start))):
            if kept[line]:
                classes.update(dict.fromkeys(grid.places(range(line, line + 1)), "skipped"))
                skipped.append(grid.told(line, line, "the row is hidden", len(kept[line])))
                kept[line] = ()
    if right is not None:
        beyond = [(n, i) for n, line in enumerate(kept) for i in line if i > right]
        if beyond:
            classes.update(dict.fromkeys(beyond, "skipped"))
            reason = "the profile says that the columns end before it"
            edge = max(item for _, item in beyond)
            skipped.append(grid.told_items(right + 1, edge, reason, len(beyond)))
        kept = [tuple(i for i in line if i <= right) for line in kept]
    return replace(grid, lines=kept)


def table_told(sheet: Sheet, settings: SheetSettings) -> tuple[str | None, str]:
    """A name, or the text of the cell whose address it is."""
    table = settings.table or ""
    found = None if settings.named else _ADDRESS.fullmatch(table)
    if not found:
        return table or None, "the profile"
    cell = sheet.cell(int(found[2]) - 1, column_number(found[1]))
    return (cell.text, table.upper()) if cell else (None, "")


def column_number(letters: str) -> int:
    """A is 0, AA is 26."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
