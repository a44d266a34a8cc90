"""Real dictionaries: every file is read, with the values and marks that openpyxl sees."""

import warnings
from datetime import datetime, time
from decimal import Decimal

import openpyxl
import pytest

from ruleferry.converters.readers.spreadsheet.cells import Book
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "corpus/spreadsheets"


def books(folder, *endings):
    for path in sorted(folder.iterdir()):
        if path.suffix in endings:
            book = read_book(path.read_bytes(), path.name)
            assert isinstance(book, Book), book
            yield path, book


@pytest.fixture(scope="module")
def pairs(folder):
    """(name, our sheet, openpyxl's with its filled cells) of every .xlsx."""
    found = []
    for path, book in books(folder, ".xlsx"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other = openpyxl.load_workbook(path, data_only=True, rich_text=True)
        assert [sheet.name for sheet in book.sheets] == other.sheetnames
        for ours, theirs in zip(book.sheets, other.worksheets, strict=True):
            cells = [cell for row in theirs.iter_rows() for cell in row if cell.value is not None]
            found.append((f"{path.name} {ours.name}", ours, theirs, cells))
    return found


def test_all_files_are_read(folder):
    found = list(books(folder, ".csv", ".xls", ".xlsx"))
    assert len(found) == 25
    assert all(any(any(s.filled()) for s in book.sheets) for _, book in found)


def exact(value):
    """openpyxl's value as we hold it: midnight is a date, a number is exact."""
    if isinstance(value, datetime) and value.time() == time():
        return value.date()
    if isinstance(value, float):
        return int(value) if value.is_integer() else Decimal(repr(value))
    return str(value).replace("\r\n", "\n") if isinstance(value, str | list) else value


def is_link(cell):
    """openpyxl writes the target of a link into its empty cell."""
    return cell.hyperlink and cell.value in (cell.hyperlink.location, cell.hyperlink.target)


def covered(sheet):
    """By a merged cell: openpyxl drops what stands there."""
    return {
        (row, column)
        for area in sheet.marks.merged
        for row in range(area.top, area.bottom + 1)
        for column in range(area.left, area.right + 1)
        if (row, column) != (area.top, area.left)
    }


def test_same_values_at_the_same_places(pairs):
    count = 0
    for name, sheet, _, cells in pairs:
        filled = set(sheet.filled())
        expected = {
            (cell.row - 1, cell.column - 1): exact(cell.value)
            for cell in cells
            if str(cell.value).strip()
            and ((cell.row - 1, cell.column - 1) in filled or not is_link(cell))
        }
        found = {
            (row, column): sheet.marks.errors.get((row, column)) or exact(sheet.rows[row][column])
            for row, column in filled - covered(sheet) - sheet.marks.uncached
        }
        assert found == expected, name
        count += len(found)
    assert count > 50_000


def test_same_marks(pairs):
    for name, sheet, other, cells in pairs:
        marks = sheet.marks
        assert sheet.hidden == (other.sheet_state != "visible")
        comments = {
            (cell.row - 1, cell.column - 1): cell.comment.text.strip()
            for cell in cells
            if cell.comment and cell.comment.text.strip()
        }
        assert comments.items() <= marks.comments.items(), name
        hidden = {number - 1 for number, row in other.row_dimensions.items() if row.hidden}
        assert marks.hidden_rows == hidden, name
        struck = {(cell.row - 1, cell.column - 1) for cell in cells if cell.font.strike}
        runs = {(c.row - 1, c.column - 1) for c in cells if isinstance(c.value, list)}
        filled = {(cell.row - 1, cell.column - 1) for cell in cells}
        assert (marks.struck & filled) - runs == struck - runs, name
        assert len(marks.merged) == len(other.merged_cells.ranges)


def test_same_validations(pairs):
    count = 0
    for name, sheet, other, _ in pairs:
        classic = [rule for rule in sheet.marks.validations if not rule.extension]
        theirs = other.data_validations.dataValidation
        assert len(classic) == len(theirs), name
        for rule, their in zip(classic, theirs, strict=True):
            formulas = tuple(f for f in (their.formula1, their.formula2) if f is not None)
            assert (len(rule.areas), rule.formulas) == (len(their.sqref.ranges), formulas)
            assert (rule.kind, rule.operator) == (their.type or "none", their.operator or "between")
        count += len(sheet.marks.validations) - len(classic)
    assert count == 3  # of the extension lists, which openpyxl doesn't see


def test_a_struck_row(folder):
    found = {path.name: book for path, book in books(folder, ".xlsx")}
    packages = found["12_gsc_mixs_v6.xlsx"].sheets[2]
    filled = set(packages.filled())
    assert packages.marks.struck & filled == {place for place in filled if place[0] == 439}
