"""A sheet as lines of items: its rows and columns, or its columns and rows where it is transposed.

All that looks for headers and records speaks of lines and items, and so works both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ruleferry.converters.readers.spreadsheet.cells import (
    Area,
    Cell,
    CellValue,
    Place,
    Sheet,
    column_letters,
    text_of,
)
from ruleferry.converters.rule import Skipped

Line = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """`lines`: the filled items of each line."""

    sheet: Sheet
    lines: Sequence[Line]
    transposed: bool = False
    # line -> item -> how many items the merged cell that begins there covers
    widths: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    # item of a line -> the line of the merged cell that covers it from above
    covered: Mapping[Place, int] = field(default_factory=dict)

    def place(self, line: int, item: int) -> Place:
        return (item, line) if self.transposed else (line, item)

    def cell(self, line: int, item: int) -> Cell | None:
        return self.sheet.cell(item, line) if self.transposed else self.sheet.cell(line, item)

    def value(self, line: int, item: int) -> CellValue | None:
        row, column = self.place(line, item)
        cells = self.sheet.rows[row] if row < len(self.sheet.rows) else ()
        return cells[column] if column < len(cells) else None

    def text(self, line: int, item: int) -> str:
        value = self.value(line, item)
        return "" if value is None else text_of(value)

    def places(self, lines: range) -> Iterator[Place]:
        for line in lines:
            for item in self.lines[line]:
                yield self.place(line, item)

    def count(self, lines: range) -> int:
        return sum(len(self.lines[line]) for line in lines)

    def width(self) -> int:
        return max((line[-1] for line in self.lines if line), default=-1) + 1

    def between(self, left: int, right: int) -> Grid:
        """The same lines with the items from `left` to `right` alone."""
        if left <= 0 and right >= self.width() - 1:
            return self
        lines = [tuple(i for i in line if left <= i <= right) for line in self.lines]
        return replace(self, lines=lines)

    def told(self, first: int, last: int, reason: str, cells: int) -> Skipped:
        """Lines that are not read: `Fields!12:14`; transposed `Fields!C:D`."""
        names = [column_letters(n) if self.transposed else str(n + 1) for n in (first, last)]
        return Skipped(self._named(*names), reason, cells)

    def told_items(self, first: int, last: int, reason: str, cells: int) -> Skipped:
        """Items that are not read: `Fields!K:K`; transposed `Fields!4:4`."""
        names = [str(n + 1) if self.transposed else column_letters(n) for n in (first, last)]
        return Skipped(self._named(*names), reason, cells)

    def _named(self, first: str, last: str) -> str:
        where = f"{first}:{last}"
        return f"{self.sheet.name}!{where}" if self.sheet.name else where


def grid_of(sheet: Sheet) -> Grid:
    lines = [_filled(row) for row in sheet.rows]
    for row, column in sheet.marks.errors.keys() | sheet.marks.uncached:
        # As the sheet counts its filled cells: a place outside its rows is none of them.
        if row < len(lines) and column < len(sheet.rows[row]) and column not in lines[row]:
            lines[row] = tuple(sorted((*lines[row], column)))
    merged = sheet.marks.merged
    return Grid(sheet, lines, False, _widths(merged), _covered(merged, lines))


def _filled(row: Sequence[CellValue | None]) -> Line:
    """What cells.Sheet.filled says of one row, without a call for each of its cells."""
    return tuple(
        [
            column
            for column, value in enumerate(row)
            if value is not None
            and value != ""
            and not (isinstance(value, str) and value.isspace())
        ]
    )


def turned(grid: Grid) -> Grid:
    """Columns for lines, of a grid as grid_of makes it."""
    lines: list[list[int]] = [[] for _ in range(grid.width())]
    for number, line in enumerate(grid.lines):
        for item in line:
            lines[item].append(number)
    merged = tuple(Area(a.left, a.top, a.right, a.bottom) for a in grid.sheet.marks.merged)
    made = [tuple(line) for line in lines]
    return Grid(grid.sheet, made, True, _widths(merged), _covered(merged, made))


def _widths(merged: tuple[Area, ...]) -> Mapping[int, Mapping[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for area in merged:
        if area.right > area.left:
            found.setdefault(area.top, {})[area.left] = area.right - area.left + 1
    return found


def _covered(merged: tuple[Area, ...], lines: Sequence[Line]) -> Mapping[Place, int]:
    """A merged area holds its text in its first cell; the lines under it show it too."""
    found: dict[Place, int] = {}
    for area in merged:
        if area.bottom > area.top and area.top < len(lines) and area.left in lines[area.top]:
            for line in range(area.top + 1, min(area.bottom + 1, len(lines))):
                found.setdefault((line, area.left), area.top)
    return found


def bands(grid: Grid) -> list[tuple[int, int]]:
    """The items in runs that a wholly empty item parts."""
    used = sorted(set(chain.from_iterable(grid.lines)))
    found: list[tuple[int, int]] = []
    for item in used:
        if found and found[-1][1] == item - 1:
            found[-1] = (found[-1][0], item)
        else:
            found.append((item, item))
    return found
