"""Sheets to be filled in: the names of the fields in one row, the rules in what a cell accepts."""

from __future__ import annotations

from ruleferry.converters.readers.spreadsheet.cells import Place
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid
from ruleferry.converters.readers.spreadsheet.layout.sheet_kinds import is_identifier
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import holds

_LINES = 10


def template_header(grid: Grid) -> int | None:
    """The line of names above cells with validations, or with comments of its own."""
    marks = grid.sheet.marks
    if grid.transposed or not (marks.validations or marks.comments):
        return None
    if holds(grid.sheet.name, "kinds", "readme") or holds(grid.sheet.name, "kinds", "code_list"):
        return None
    best: tuple[int, int] = (0, -1)
    for line in range(min(_LINES, len(grid.lines))):
        backed = _backed(grid, line)
        if backed > best[0] and _are_names(grid, line):
            best = (backed, line)
    return best[1] if best[0] and _enough(grid, best[1], best[0]) else None


def _are_names(grid: Grid, line: int) -> bool:
    """Different texts, none of them long."""
    items = grid.lines[line]
    texts = [v for item in items if isinstance(v := grid.value(line, item), str) and len(v) <= 80]
    return len(items) >= 2 and len({t.strip().casefold() for t in texts}) == len(items)


def _backed(grid: Grid, line: int) -> int:
    """How many names have a comment, or a validation over the lines under them."""
    comments = grid.sheet.marks.comments
    return sum((line, i) in comments or _validated(grid, (line, i)) for i in grid.lines[line])


def _validated(grid: Grid, place: Place) -> bool:
    line, item = place
    return any(
        area.bottom > area.top and (line + 1, item) in area
        for validation in grid.sheet.marks.validations
        if validation.kind != "none"
        for area in validation.areas
    )


def _enough(grid: Grid, line: int, backed: int) -> bool:
    """Half of the names, or any of them where all look like those of fields."""
    items = grid.lines[line]
    names = sum(is_identifier(grid.text(line, item)) for item in items)
    return 2 * backed >= len(items) or names >= 0.8 * len(items)
