"""Blocks for tests: from rows that are written down, and from the header rows of real files."""

import csv
from collections.abc import Sequence
from pathlib import Path

from python_calamine import CalamineWorkbook

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header, Record
from ruleferry.converters.readers.spreadsheet.cells import Cell, Sheet


def block_of(
    headers: Sequence[str],
    *rows: Sequence[object],
    groups: Sequence[str] = (),
    table: str | None = None,
    sheet: str = "Fields",
    first_row: int = 1,
) -> Block:
    """A block whose headers stand in the row above its records."""
    groups = [*groups, *[""] * len(headers)]
    made = [
        Header(index, text, Cell(sheet, first_row - 1, index, text, text), groups[index])
        for index, text in enumerate(headers)
    ]
    values = Sheet(sheet, [[]] * first_row + [list(row) for row in rows])  # type: ignore[arg-type]
    records = []
    for number in range(first_row, first_row + len(rows)):
        cells = {index: values.cell(number, index) for index in range(len(headers))}
        filled = {index: (cell,) for index, cell in cells.items() if cell is not None}
        if filled:
            records.append(Record(number, filled))
    return Block(sheet, tuple(made), tuple(records), table=table)


def real_rows(path: Path, sheet: str) -> list[list[object]]:
    """The values of a sheet of a real file; a CSV has none of that name."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            return [list(row) for row in csv.reader(file)]
    book = CalamineWorkbook.from_path(path)
    return [list(row) for row in book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)]


def real_block(path: Path, sheet: str, header_row: int, group_row: int | None = None) -> Block:
    """The block below a header row (from 1); the group row's texts reach to the right."""
    rows = real_rows(path, sheet)
    texts = [str(value).strip() for value in rows[header_row - 1]]
    groups: list[str] = []
    if group_row is not None:
        for value in rows[group_row - 1]:
            groups.append(str(value).strip() or (groups[-1] if groups else ""))
    return block_of(texts, *rows[header_row:], groups=groups, sheet=sheet, first_row=header_row)
