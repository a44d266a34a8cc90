"""A file's bytes -> a Book, or the fault that says what the file is instead."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from math import isfinite
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.cells import (
    Area,
    Book,
    CellValue,
    Format,
    Marks,
    Place,
    Sheet,
    address,
    text_of,
)
from ruleferry.converters.readers.spreadsheet.workbook.archive import Archive, open_archive
from ruleferry.converters.readers.spreadsheet.workbook.csv_text import read_csv
from ruleferry.converters.readers.spreadsheet.workbook.extents import check_ods, check_xlsb
from ruleferry.converters.readers.spreadsheet.workbook.limits import (
    CELLS,
    Unreadable,
    damaged,
    spread_too_wide,
)
from ruleferry.converters.readers.spreadsheet.workbook.number_formats import shown_as
from ruleferry.converters.readers.spreadsheet.workbook.old_format import check_xls
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_cells import Wanted
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_parts import (
    Outline,
    SheetPart,
    comments,
    links,
    outline,
    people,
    tables,
)
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_sheet import Scanned, read_sheet
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_styles import struck_texts, styles

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_TEXTS = (".csv", ".tsv", ".txt")
_UNSEEN = (
    "data validations",
    "comments",
    "strikethrough",
    "hidden rows and columns",
    "error values",
)
_LFS = b"version https://git-lfs.github.com/spec/"
_NO_PASSWORD = "Save it without a password."  # no secret: what to do


def read_book(data: bytes, file: str, rows: int | None = None) -> Book | list[Fault]:
    """`file`: the name that a person knows; `rows`: of a CSV, the first ones alone."""
    try:
        return _read(data, file, rows)
    except Unreadable as error:
        return [Fault(file, error.place, error.found, error.expected, error.todo)]


def _read(data: bytes, file: str, rows: int | None) -> Book:
    name = PurePosixPath(file.replace("\\", "/")).name
    ending = PurePosixPath(name).suffix.lower()
    if name.startswith("~$"):
        todo = "Give the workbook itself; this file goes when it is closed."
        raise Unreadable("the lock of a workbook that is open", todo)
    if data.startswith(_LFS):
        raise Unreadable("a pointer of Git LFS, not the file", "Fetch it with `git lfs pull`.")
    if not data.strip():
        raise Unreadable("an empty file", "Export it again.")
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        check_xls(data)
        return _seen_by_calamine(data, file, "xls")
    if data.startswith(b"PK"):
        return _zipped_book(data, file)
    if ending in _TEXTS:
        return read_csv(data, file, rows)
    raise _misnamed(data, ending)


def _misnamed(data: bytes, ending: str) -> Unreadable:
    start = data[:4000].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").lower().replace(b"\0", b"")
    if start.startswith((b"<html", b"<!doctype", b"<table", b"<meta", b"<?xml", b"<head")):
        return Unreadable(
            f"HTML or XML under the ending {ending}",
            "Open it in a spreadsheet program and save it as .xlsx.",
        )
    if b"\0" not in data[:4000] or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Unreadable(f"text under the ending {ending}", "Rename it to .csv if it is CSV.")
    return damaged("a binary file that is no workbook")


def _zipped_book(data: bytes, file: str) -> Book:
    archive = open_archive(data)
    if "mimetype" in archive and b"opendocument" in archive.read("mimetype"):
        check_ods(archive)
        return _seen_by_calamine(data, file, "ods")
    if "xl/workbook.bin" in archive:
        check_xlsb(archive)
        return _seen_by_calamine(data, file, "xlsb")
    return _xlsx(archive, file)


def _xlsx(archive: Archive, file: str) -> Book:
    """The marks first: they tell what is too large to be laid out."""
    plan = outline(archive)
    parts = [(n, part) for n, part in enumerate(plan.sheets) if part.kind == "worksheet"]
    if not parts:
        raise Unreadable("a workbook without a sheet of cells", "Check that it is the right file.")
    scanned = _scanned(archive, [part for _, part in parts], _wanted(archive, plan))
    book = _opened(archive.data)
    names = [part.name for part in plan.sheets]
    if names != book.sheet_names or len(set(names)) < len(names):
        raise damaged("a workbook whose list of sheets can be read in two ways")
    writers = people(archive, plan.links.get("person", ""))
    sheets = []
    for (number, part), seen in zip(parts, scanned, strict=True):
        rows = _rows(_sheet_at(book, number))
        _reach(rows, seen.cells.uncached)
        related = links(archive, part.part)
        beside = comments(archive, related, writers)
        marks = _marks(seen, rows, beside, tables(archive, related))
        sheets.append(Sheet(part.name, rows, part.hidden, marks))
    return Book(file, "xlsx", tuple(sheets), plan.names, from_1904=plan.from_1904)


def _wanted(archive: Archive, plan: Outline) -> Wanted:
    of_cells = styles(archive, plan.links.get("styles", ""))
    texts = struck_texts(archive, plan.links.get("sharedStrings", ""), bool(of_cells.struck))
    return Wanted(of_cells, texts, plan.recalculated)


def _scanned(archive: Archive, parts: Sequence[SheetPart], wanted: Wanted) -> list[Scanned]:
    """Raises Unreadable, before anything is laid out, for more cells than memory should hold."""
    found: list[Scanned] = []
    left = CELLS
    for part in parts:
        if part.part not in archive:
            raise damaged("a sheet without its part", f"sheet {part.name}")
        sheet = read_sheet(archive, part.part, wanted)
        if _size(sheet) > left:
            sheet = read_sheet(archive, part.part, wanted, filled_only=True)
        left -= _size(sheet)
        if left < 0:
            last = address(sheet.cells.height - 1, sheet.cells.width - 1)
            raise spread_too_wide(part.name, last, _size(sheet))
        found.append(sheet)
    return found


def _size(sheet: Scanned) -> int:
    return sheet.cells.height * sheet.cells.width


def _reach(rows: list[list[CellValue | None]], places: Iterable[Place]) -> None:
    """Cells without a value that stand beyond all values are cells of the sheet too."""
    for row, column in places:
        rows.extend([] for _ in range(row + 1 - len(rows)))
        rows[row].extend([None] * (column + 1 - len(rows[row])))


def _marks(
    sheet: Scanned,
    rows: Sequence[Sequence[CellValue | None]],
    beside: Mapping[Place, str],
    named: Mapping[str, Area],
) -> Marks:
    cells = sheet.cells
    return Marks(
        hidden_rows=frozenset(cells.hidden_rows),
        hidden_columns=sheet.hidden_columns,
        struck=frozenset(cells.struck),
        partly_struck=frozenset(cells.partly_struck),
        merged=sheet.merged,
        comments=beside,
        errors=cells.errors,
        uncached=frozenset(cells.uncached),
        shown=dict(_shown(cells.formats, rows)),
        validations=sheet.validations,
        tables=named,
    )


def _shown(
    formats: Mapping[Place, str], rows: Sequence[Sequence[CellValue | None]]
) -> Iterator[tuple[Place, str]]:
    for (row, column), code in formats.items():
        cells = rows[row] if row < len(rows) else ()
        value = cells[column] if column < len(cells) else None
        shown = shown_as(value, code)
        if shown and value is not None and shown != text_of(value):
            yield (row, column), shown


def _seen_by_calamine(data: bytes, file: str, form: Format) -> Book:
    book = _opened(data)
    sheets = tuple(_plain_sheets(book))
    if not sheets:
        raise Unreadable("a workbook without a sheet of cells", "Check that it is the right file.")
    return Book(file, form, sheets, unseen=_UNSEEN)


def _plain_sheets(book: CalamineWorkbook) -> Iterator[Sheet]:
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    for number, told in enumerate(book.sheets_metadata):
        if told.typ == SheetTypeEnum.WorkSheet:
            sheet = _sheet_at(book, number)
            merged = tuple(Area(*a, *b) for a, b in sheet.merged_cell_ranges or ())
            hidden = told.visible != SheetVisibleEnum.Visible
            yield Sheet(told.name, _rows(sheet), hidden, Marks(merged=merged))


@contextmanager
def _told(place: str | None = None) -> Iterator[None]:
    """What calamine refuses, or breaks on, as an Unreadable."""
    from python_calamine import CalamineError, PasswordError

    try:
        yield
    except PasswordError:
        raise Unreadable("an encrypted workbook", _NO_PASSWORD) from None
    except (CalamineError, OSError, ValueError, OverflowError) as error:
        raise damaged(f"what no reader understands ({error})", place) from None
    except BaseException as error:
        # A broken promise of its own (a Rust panic) has a class that can't be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise damaged("what no reader understands", place) from None


def _opened(data: bytes) -> CalamineWorkbook:
    """Raises Unreadable."""
    from python_calamine import CalamineWorkbook

    with _told():
        return CalamineWorkbook.from_filelike(io.BytesIO(data))


def _sheet_at(book: CalamineWorkbook, number: int) -> CalamineSheet:
    """Raises Unreadable."""
    with _told(f"sheet {book.sheet_names[number]}"):
        return book.get_sheet_by_index(number)


def _rows(sheet: CalamineSheet) -> list[list[CellValue | None]]:
    """From the sheet's first row and column on, so that places are those of the sheet."""
    with _told(f"sheet {sheet.name}"):
        rows: list[list[Any]] = sheet.to_python(skip_empty_area=False)
    # In place, and spelled out: a call for each number of a large workbook is felt.
    for row in rows:
        for column, value in enumerate(row):
            if isinstance(value, float):
                row[column] = int(value) if value.is_integer() else _fraction(value)
    return rows


def _fraction(value: float) -> CellValue:
    """Exact; what is no number is a text."""
    return Decimal(repr(value)) if isfinite(value) else str(value)
