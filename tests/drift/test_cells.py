"""The tool of these tests: one cell is another, and not one byte more."""

import zipfile

import pytest
from books import BOOKS, SAGE
from cells import change_cells, changed_csv, csv_fields, sheet_parts, texts_of
from trial import SAMPLE

CELLS = {"Fields!F5": "No", "Fields!E10": "16", "Fields!H4": "", "Fields!N4": "A & <B>"}


def parts(path):
    with zipfile.ZipFile(path) as book:
        return [(i.filename, i.date_time, book.read(i)) for i in book.infolist()]


@pytest.mark.parametrize("shared", [False, True])
def test_nothing_else_of_a_workbook(shared, tmp_path):
    path = tmp_path / "dictionary.xlsx"
    path.write_bytes((SAMPLE / "dictionary.xlsx").read_bytes())
    before, cells = parts(path), texts_of(path)
    change_cells(path, CELLS, shared=shared)
    after = parts(path)
    changed = {old[0] for old, new in zip(before, after, strict=True) if old != new}
    assert changed == {sheet_parts(path)["Fields"]}
    wanted = {**cells, **CELLS}
    assert texts_of(path) == {place: text for place, text in wanted.items() if text}


def test_the_same_bytes_each_time(tmp_path):
    paths = [tmp_path / "one.xlsx", tmp_path / "two.xlsx"]
    for path in paths:
        path.write_bytes((SAMPLE / "dictionary.xlsx").read_bytes())
        change_cells(path, CELLS)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("book", [b for b in BOOKS if b.file.endswith(".xlsx")], ids=lambda b: b.id)
def test_shared_strings_of_public_workbooks(book, shared, tmp_path):
    """A new one is added to the pool, so that no other cell says it, too."""
    path = tmp_path / book.file
    path.write_bytes((shared / "corpus/spreadsheets" / book.file).read_bytes())
    cells = texts_of(path)
    place = next(p for p in cells if p.startswith(tuple(f"{c}" for c in book.columns)))
    change_cells(path, {place: "zebra & more"}, shared=True)
    assert texts_of(path) == {**cells, place: "zebra & more"}


@pytest.mark.parametrize("text", ["plain", 'with "quotes"', "a, b", "two\nlines", "", "Ünï"])
def test_nothing_else_of_a_csv_file(text, shared):
    data = (shared / "corpus/spreadsheets" / SAGE.file).read_bytes()
    fields = {at: (shown, span) for at, shown, span in csv_fields(data)}
    new = changed_csv(data, {"C5": text})
    start, end = fields["C5"][1]
    assert new.startswith(data[:start])
    assert new.endswith(data[end:])
    assert {at: shown for at, shown, _ in csv_fields(new)} == {
        **{at: shown for at, (shown, _) in fields.items()}, "C5": text
    }  # fmt: skip
