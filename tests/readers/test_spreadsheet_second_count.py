"""What the second count must see as the reader does, however a file is written."""

import io
import re
import zipfile

import pytest
from made_workbooks import saved
from openpyxl.worksheet.datavalidation import DataValidation
from spreadsheet_project import at, book_of, convert, xlsx

from ruleferry.converters.reports.books import imbalances

RULES = [("B2", "present"), ("B3", "present")]


@pytest.mark.parametrize(
    "text",
    [
        # A list in a cell holds more commas than the file has delimiters.
        "Column;Required;Allowed values\na;Yes;1,2,3,4,5,6,7,8,9\nb;Yes;x,,,,y\n",
        "sep=;\nColumn;Required\na;Yes\nb;Yes\n",
        "sep=|\r\nColumn|Required\r\na|Yes\r\nb|Yes\r\n",
        'Column, "Required", "Notes"\na, "Yes", "x, y"\nb, "Yes", "z"\n',
        'Column,Required,Notes\na,Yes,"one\n""two"", \n\nthree"\nb,Yes," "\n',
        "Column\tRequired\tNotes\na\tYes\t;;;,,,\nb\tYes\t\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_of_text(tmp_path, text, encoding):
    done = convert(tmp_path, {"d.csv": text.encode(encoding)})
    assert [at(done, place) for place, _ in RULES] == [["a IS NOT NULL"], ["b IS NOT NULL"]]
    assert imbalances(done.ledger) == ()


def template():
    book = book_of({"orders": [("id", "status")]})
    for kind, cells in (("whole", "A2:A99"), ("list", "B2:B99")):
        formula = "0" if kind == "whole" else '"a,b"'
        limits = DataValidation(type=kind, operator="greaterThan", formula1=formula)
        limits.add(cells)
        book["orders"].add_data_validation(limits)
    return saved(book)


def edited(data, change):
    """(name, content) of each part, as `change` makes it."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        for name in old.namelist():
            new.writestr(*change(name, old.read(name)))
    return held.getvalue()


def in_another_folder(name, content):
    content = content.replace(b"/xl/worksheets/", b"/xl/tabs/")
    content = content.replace(b'"worksheets/', b'"tabs/')
    return name.replace("xl/worksheets/", "xl/tabs/"), content


def with_a_comment(name, content):
    note = b'<!-- <dataValidation sqref="A1"/> --><dataValidations'
    return name, content.replace(b"<dataValidations", note, 1)


@pytest.mark.parametrize("change", [in_another_folder, with_a_comment])
def test_the_data_validations_of_a_workbook(tmp_path, change):
    done = convert(tmp_path, {"d.xlsx": edited(template(), change)})
    assert at(done, "orders!B2") == ["status IS NULL OR CAST(status AS STRING) IN ('a', 'b')"]
    assert imbalances(done.ledger) == ()


@pytest.mark.parametrize("area", [b"", b"#REF!"])
def test_a_data_validation_of_no_cells_is_a_question(tmp_path, area):
    def change(name, content):
        return name, re.sub(rb'sqref="B2:B99"', b'sqref="' + area + b'"', content)

    done = convert(tmp_path, {"d.xlsx": edited(template(), change)})
    (entry,) = (e for e in done.ledger.entries if e.origin.text.startswith("no cells"))
    assert (entry.gap.code, entry.origin.place) == ("suspicious_validation", "orders")
    assert imbalances(done.ledger) == ()


def test_a_dictionary_with_a_data_validation_of_no_cells(tmp_path):
    def change(name, content):
        broken = b'<dataValidations count="1"><dataValidation type="list" sqref="#REF!"/>'
        return name, content.replace(b"<pageMargins", broken + b"</dataValidations><pageMargins", 1)

    done = convert(tmp_path, {"d.xlsx": edited(xlsx(("Column", "Required"), ("a", "Yes")), change)})
    assert at(done, "Fields!B2") == ["a IS NOT NULL"]
    assert at(done, "Fields") == ["not_a_rule"]
