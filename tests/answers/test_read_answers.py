"""Filled workbooks: what people and programs do to them is read, or told with its cell."""

import io
import zipfile
from datetime import date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st
from made_answers import (
    ACTION,
    LEDGER,
    MANY,
    ONE,
    RULES,
    TEXTS,
    columns,
    fill,
    opened,
    row_of,
    saved,
)

from ruleferry.converters.answers import Given, read_answers

ANN = {"by": "Ann Smith", "on": datetime.combine(date(2026, 11, 30), time())}


@pytest.fixture
def book():
    return opened()


@pytest.fixture
def read(tmp_path):
    def read_book(book):
        return read_answers(saved(book, tmp_path / "filled.xlsx"), "filled.xlsx")

    return read_book


def place(sheet, row, header):
    return f"{sheet.title}!{sheet.cell(row, columns(sheet)[header]).coordinate}"


def told(found):
    assert isinstance(found, list), found
    return [(fault.place, fault.found) for fault in found]


# What is read -------------------------------------------------------------------------------------


def test_a_row_of_one_rule_is_read_whole(book, read):
    sheet = book["Questions"]
    row = fill(sheet, "one", answer="price > 0", action="drop", note="as agreed", **ANN)
    assert read(book) == (
        Given(
            "filled.xlsx",
            place(sheet, row, "Answer"),
            ONE.id,
            RULES["price"],
            TEXTS["price"],
            "price > 0",
            "drop",
            "as agreed",
            "Ann Smith",
            date(2026, 11, 30),
            ((RULES["price"], TEXTS["price"]),),
        ),
    )


def test_the_row_of_a_whole_question_knows_its_rules(book, read):
    fill(book["Questions"], "many", answer="all is well", **ANN)
    (found,) = read(book)
    assert (found.question, found.rule, found.text) == (MANY.id, "", "")
    assert dict(found.seen) == {RULES[n]: TEXTS[n] for n in ("status", "clerk", "day")}


def test_a_workbook_that_nobody_filled_has_no_answers(book, read):
    assert read(book) == ()


def test_names_and_days_alone_are_no_answers(book, read):
    sheet = book["Questions"]
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, columns(sheet)["Answered by"]).value = "Ann"
        sheet.cell(row, columns(sheet)["Answered on"]).value = "soon"
    assert read(book) == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("  price > 0 \xa0", "price > 0"),
        ("price > 0\r\nAND price < 9", "price > 0\nAND price < 9"),
        (7, "7"),
        (0.5, "0.5"),
        (True, "TRUE"),
        (date(2026, 1, 2), "2026-01-02"),
        ("it’s “fine”", "it’s “fine”"),
        ("a_x000a_b", "a\nb"),
    ],
)
def test_an_answer_of_any_type_is_read_as_its_text(book, read, value, text):
    fill(book["Questions"], "one", answer=value, **ANN)
    (found,) = read(book)
    assert found.answer == text


@pytest.mark.parametrize(
    "value",
    [
        datetime.combine(date(2026, 11, 30), time()),
        date(2026, 11, 30),
        "2026-11-30",
        " 2026-11-30 ",
    ],
)
def test_days_are_read_as_cells_and_as_texts(book, read, value):
    fill(book["Questions"], "one", answer="x > 0", by="Ann", on=value)
    (found,) = read(book)
    assert found.on == date(2026, 11, 30)


@pytest.mark.parametrize("value", ["Drop", "DROP ", "\xa0drop"])
def test_an_action_is_read_whatever_its_case(book, read, value):
    fill(book["Questions"], "one", action=value, by="Ann")
    (found,) = read(book)
    assert found.action == "drop"


def test_columns_may_move_and_rows_may_be_sorted_hidden_and_deleted(book, read):
    sheet = book["Questions"]
    fill(sheet, "one", answer="price > 0", **ANN)
    fill(sheet, "many", "day", answer="day > '2020-01-01'", **ANN)
    fill(sheet, "action", answer="drop", **ANN)
    before = read(book)
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    order = [*range(len(rows[0]))][::-1]
    dull = row_of(sheet, "table") - 1
    mixed = [rows[0], *[row for n, row in enumerate(rows[1:], 1) if n != dull][::-1]]
    other = book.create_sheet("Fragen (Kopie)")
    other.append(["", "Please answer by Friday"])
    for row in mixed:
        other.append(["", *(row[n] for n in order), ""])
    other.row_dimensions[4].hidden = True
    other.column_dimensions["C"].hidden = True
    del book["Questions"]
    after = read(book)

    def bare(found):
        return {(g.question, g.rule, g.text, g.answer, g.by, g.on, g.seen) for g in found}

    assert bare(after) == bare(before)
    assert all(g.place.startswith("Fragen (Kopie)!") for g in after)


def test_a_copy_of_the_sheet_is_read_too(book, read):
    fill(book["Questions"], "one", answer="price > 0", **ANN)
    copy = book.copy_worksheet(book["Questions"])
    fill(copy, "one", answer="price > 1", **ANN)
    assert [g.answer for g in read(book)] == ["price > 0", "price > 1"]


def test_ids_that_became_numbers_are_ids_again(book, read):
    sheet = book["Questions"]
    row = fill(sheet, "one", answer="price > 0", by="Ann")
    sheet.cell(row, columns(sheet)["Question id"]).value = 1234567890
    (found,) = read(book)
    assert found.question == "001234567890"


def test_a_workbook_with_macros_is_read_as_data(book, tmp_path):
    fill(book["Questions"], "one", answer="price > 0", by="Ann")
    path = saved(book, tmp_path / "filled.xlsm")
    assert len(read_answers(path, "filled.xlsm")) == 1


# What is told -------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["Answer", "Note", "Answered by", "Question id", "Text hash"])
def test_a_deleted_column_is_told(book, read, header):
    sheet = book["Questions"]
    fill(sheet, "one", answer="price > 0", by="Ann")
    sheet.delete_cols(columns(sheet)[header])
    (fault,) = read(book)
    assert (fault.file, fault.place) == ("filled.xlsx", "Questions!1:1")
    assert f'"{header}"' in fault.found


def test_a_column_that_is_there_twice_is_told(book, read):
    sheet = book["Questions"]
    sheet.cell(1, sheet.max_column + 1).value = " ANSWER"
    assert told(read(book)) == [
        (f"Questions!{sheet.cell(1, sheet.max_column).coordinate}", 'a second column "Answer"')
    ]


FAULTY = {
    "a formula": ({"answer": "=1+1"}, "Answer", "a formula"),
    "a name by formula": ({"answer": "x > 0", "by": "=A1"}, "Answered by", "a formula"),
    "a day by formula": ({"answer": "x > 0", "on": "=TODAY()"}, "Answered on", "a formula"),
    "an error": ({"answer": "#NAME?"}, "Answer", "an error value"),
    "no action": ({"action": "delete"}, "Action", '"delete"'),
    "no day": ({"answer": "x", "on": "yesterday"}, "Answered on", '"yesterday"'),
    "a day of another country": ({"answer": "x", "on": "30.11.2026"}, "Answered on", "30.11.2026"),
    "a day that is none": ({"answer": "x", "on": "2026-02-30"}, "Answered on", "2026-02-30"),
    "a number": ({"answer": "x", "on": 46356}, "Answered on", '"46356"'),
    "a time": (
        {"answer": "x", "on": datetime.combine(date(2026, 1, 2), time(3, 4))},
        "Answered on",
        "03:04",
    ),
    "a damaged id": ({"answer": "x", "question_id": "30c9440d81"}, "Question id", "30c9440d81"),
    "no id": ({"answer": "x", "question_id": None}, "Question id", "nothing"),
    "a damaged hash": ({"answer": "x", "text_hash": "zz"}, "Text hash", '"zz"'),
    "no hash": ({"answer": "x", "text_hash": None}, "Text hash", "nothing"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_cell_that_is_no_answer_is_told(book, read, name):
    cells, header, found = FAULTY[name]
    sheet = book["Questions"]
    row = fill(sheet, "one", **{"by": "Ann"} | cells)
    if name == "a number":  # a person took the format of days away
        sheet.cell(row, columns(sheet)["Answered on"]).number_format = "General"
    if name == "an error":
        sheet.cell(row, columns(sheet)["Answer"]).data_type = "e"
    ((where, what),) = told(read(book))
    assert where == place(sheet, row, header)
    assert found in what


def test_a_row_of_one_rule_whose_id_is_gone_is_no_answer_for_all(book, read):
    sheet = book["Questions"]
    row = fill(sheet, "many", "day", answer="x", by="Ann", rule_id=None, text_hash=None)
    ((where, what),) = told(read(book))
    assert (where, what) == (place(sheet, row, "Rule id"), "nothing")
    first = row_of(sheet, "many")
    assert sheet.cell(first, columns(sheet)["Rule id"]).value is None  # the question's own row


def test_all_is_told_at_once(book, read):
    sheet = book["Questions"]
    fill(sheet, "one", answer="=1", action="delete", on="soon", by="Ann")
    fill(sheet, "many", "day", action="stop", by="Ann")
    fill(sheet, "many", "clerk", answer="x", on="soon", by="Ann")
    assert len(read(book)) == 3  # a row with a formula is not looked at further


def test_a_text_that_only_looks_like_a_formula_is_a_text(book, read):
    sheet = book["Questions"]
    row = fill(sheet, "one", answer="=1+1", by="Ann")
    sheet.cell(row, columns(sheet)["Answer"]).data_type = "s"
    (found,) = read(book)
    assert found.answer == "=1+1"


def test_merged_answers_are_told(book, read):
    sheet = book["Questions"]
    row = fill(sheet, "many", "day", answer="x > 0", by="Ann")
    letter = sheet.cell(row, columns(sheet)["Answered by"]).column_letter
    sheet.merge_cells(f"{letter}{row - 1}:{letter}{row}")
    assert ("merged cells") in [found for _, found in told(read(book))]


def test_a_struck_answer_is_told(book, read):
    from openpyxl.styles import Font

    sheet = book["Questions"]
    row = fill(sheet, "one", answer="x > 0", by="Ann")
    sheet.cell(row, columns(sheet)["Answer"]).font = Font(strike=True)
    assert told(read(book)) == [(place(sheet, row, "Answer"), "a text that is struck through")]


def test_what_is_no_workbook_of_questions_is_told(tmp_path, book):
    from openpyxl import Workbook

    other = Workbook()
    other.active.append(["Rule", "Table", "Original text", "Where it stands", "Rule id"])
    files = {
        "other.xlsx": saved(other, tmp_path / "other.xlsx").read_bytes(),
        "a.csv": b"Answer;Question id;Answered by;Note\n1;2;3;4\n",
        "a.xls": b"\xd0\xcf\x11\xe0 old",
        "a.xlsx": b"PK\x03\x04 broken",
        "b.xlsx": b"",
        "c.xlsx": b"<html></html>",
        "d.pdf": b"%PDF-1.4",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        (fault,) = read_answers(tmp_path / name, name)
        assert (fault.file, fault.expected[:15]) == (name, "gap_report.xlsx")
    (fault,) = read_answers(tmp_path / "missing.xlsx", "missing.xlsx")
    assert "no readable file" in fault.found


def test_a_sheet_that_is_broken_xml_is_told(tmp_path, book):
    fill(book["Questions"], "one", answer="=1", by="Ann")
    data = saved(book, tmp_path / "good.xlsx").read_bytes()
    broken = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as good, zipfile.ZipFile(broken, "w") as bad:
        for name in good.namelist():
            content = good.read(name)
            cut = name.startswith("xl/worksheets/sheet")
            bad.writestr(name, content[: len(content) - 40] if cut else content)
    (tmp_path / "bad.xlsx").write_bytes(broken.getvalue())
    assert isinstance(read_answers(tmp_path / "bad.xlsx", "bad.xlsx"), list)


@settings(deadline=None, max_examples=30)
@given_by(st.binary(max_size=60))
def test_no_bytes_raise(data):
    with TemporaryDirectory() as folder:
        for start in (b"", b"PK\x03\x04"):
            path = Path(folder, "x.xlsx")
            path.write_bytes(start + data)
            assert isinstance(read_answers(path, "x.xlsx"), list)


# Other programs -----------------------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_a_workbook_that_libreoffice_saved_says_the_same(book, read, office, tmp_path, ending):
    sheet = book["Questions"]
    fill(sheet, "one", answer="price > 0\nAND price < 9", action="drop", note=" x ", **ANN)
    fill(sheet, "many", answer="all is well", by="Bo", on="2026-12-01")
    fill(sheet, "many", "day", answer="day >= '2020-01-01' _x000a_", **ANN)
    before = read(book)
    path = office.convert(tmp_path / "filled.xlsx", ending)
    after = read_answers(path, "filled.xlsx")
    if ending == "ods":
        assert "ods" in after[0].found
    else:
        assert after == before


def test_the_ledger_of_these_tests_is_as_a_conversion_writes_it():
    from ruleferry.converters.reports.ledger_json import ledger_text
    from ruleferry.converters.reports.ledger_reader import read_ledger

    back = read_ledger(ledger_text(LEDGER), "ledger.json")
    assert {q.id: q.question for q in back.questions} == {
        q.id: q.question for q in LEDGER.questions
    }
    assert ACTION.code in {q.code for q in back.questions}
