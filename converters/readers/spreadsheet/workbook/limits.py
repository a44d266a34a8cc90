"""How much of a workbook is read; and how a part of it says that it can't be."""

from __future__ import annotations

MEGABYTE = 1024 * 1024
# Of an archive, unpacked.
PART_BYTES = 300 * MEGABYTE
ALL_BYTES = 1024 * MEGABYTE
# Of XML that is laid out as a tree, some ten times as large.
PARSED_BYTES = 40 * MEGABYTE
PARTS = 20_000
# What calamine lays out in memory, empty cells included: of all sheets together.
CELLS = 10_000_000
# Excel's own.
ROWS = 1_048_576
COLUMNS = 16_384


class Unreadable(Exception):
    """A file of which nothing is read; told as a Fault by the room's door."""

    def __init__(
        self, found: str, todo: str, place: str | None = None, expected: str = "a workbook"
    ) -> None:
        super().__init__(found)
        self.found = found
        self.todo = todo
        self.place = place
        self.expected = expected


def damaged(found: str, place: str | None = None) -> Unreadable:
    return Unreadable(found, "Open it in a spreadsheet program and save it again.", place)


def spread_too_wide(sheet: str, last: str, cells: int) -> Unreadable:
    """A cell far from all others makes a sheet of billions of empty cells."""
    return Unreadable(
        f"filled cells as far as {last}, that is {cells:,} cells with the empty ones",
        "Delete what stands far from the rest, or give the sheet's cells in a workbook of its own.",
        f"sheet {sheet}",
        f"at most {CELLS:,} cells in a workbook",
    )
