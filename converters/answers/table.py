"""Where the questions stand in a workbook that people may have sorted, filtered and rearranged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.answers.given import key
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.cells import Book, Sheet, address
from ruleferry.converters.reports.workbook.columns import (
    FILLED,
    QUESTION_HEADERS,
    QuestionColumn,
)

_BY_TEXT = {key(header): column for column, header in QUESTION_HEADERS.items()}
# Sheet Rules has headers of the same texts, but none of these.
_OWN = {"question_id", "answer", "by"}
_IDS: tuple[QuestionColumn, ...] = ("question_id", "rule_id", "text_hash")
_READ = (*FILLED, *_IDS)
_LEAST = 4
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Table:
    """`header`: the row of the headers; `columns`: where each column stands."""

    sheet: Sheet
    header: int
    columns: Mapping[QuestionColumn, int]


def tables(book: Book) -> tuple[Table, ...]:
    """A table of questions for each sheet that has one: by its headers, whatever its name is."""
    found = (_table(sheet) for sheet in book.sheets)
    return tuple(table for table in found if table is not None)


def _table(sheet: Sheet) -> Table | None:
    rows = ((row, _headers(cells)) for row, cells in enumerate(sheet.rows))
    best = max(rows, key=lambda pair: len(pair[1]), default=(0, {}))
    row, columns = best
    if len(columns) < _LEAST or not _OWN & columns.keys():
        return None
    return Table(sheet, row, columns)


def _headers(cells: Sequence[object]) -> dict[QuestionColumn, int]:
    found: dict[QuestionColumn, int] = {}
    for column, value in enumerate(cells):
        name = _column(value)
        if name is not None:
            found.setdefault(name, column)
    return found


def _column(value: object) -> QuestionColumn | None:
    return _BY_TEXT.get(key(value)) if isinstance(value, str) and len(value) < _LONGEST else None


def header_faults(table: Table, file: str) -> Iterator[Fault]:
    """Columns that are missing, and those that are there twice."""
    sheet = table.sheet
    for name in _READ:
        if name not in table.columns:
            yield _missing(file, f"{sheet.name}!{table.header + 1}:{table.header + 1}", name)
    for column, value in enumerate(sheet.rows[table.header]):
        read = _column(value)
        if read in _READ and column != table.columns[read]:
            header = QUESTION_HEADERS[read]
            found = f'a second column "{header}"'
            place = f"{sheet.name}!{address(table.header, column)}"
            yield Fault(file, place, found, "each column once", "Delete the one that is not meant.")


def _missing(file: str, place: str, name: QuestionColumn) -> Fault:
    header = QUESTION_HEADERS[name]
    if name in _IDS:
        todo = (
            "It says which question a row answers: undo its deletion, or copy your answers into "
            "the newest gap_report.xlsx."
        )
    else:
        todo = f'Undo its deletion, or write "{header}" above an empty column.'
    return Fault(file, place, f'no column "{header}"', "all columns of sheet Questions", todo)
