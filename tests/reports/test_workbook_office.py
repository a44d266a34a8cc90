"""Another program opens the workbook, saves it, and nothing of it is lost."""

from io import BytesIO

import pytest
from ledgers import orders_ledger
from openpyxl import load_workbook
from workbooks import all_hostile, opened, rows, workbook

pytestmark = pytest.mark.more
ANSWERS = {"answer": "=price > 0", "note": "3-Jan", "by": "Ann Smith"}


@pytest.fixture
def saved(office, tmp_path):
    def save(data: bytes) -> bytes:
        path = tmp_path / "gap_report.xlsx"
        path.write_bytes(data)
        return office.convert(path, "xlsx").read_bytes()

    return save


def cells(data, sheet):
    """openpyxl leaves an escape as it stands in the file, and LibreOffice writes none."""
    return [
        [v.replace("_x005F_", "_") if isinstance(v, str) else v for v in line]
        for line in opened(data)[sheet].iter_rows(values_only=True)
    ]


def test_it_is_printed(office, tmp_path):
    path = tmp_path / "printed.xlsx"
    path.write_bytes(workbook(orders_ledger()))
    assert office.convert(path, "pdf").read_bytes().startswith(b"%PDF")


def test_it_is_saved_again_with_all_it_has(saved):
    data = workbook(orders_ledger())
    again = saved(data)
    before, after = opened(data), opened(again)
    assert after.sheetnames == before.sheetnames
    assert after["Lists"].sheet_state == "hidden"
    for name in before.sheetnames:
        assert cells(again, name) == cells(data, name)
    lists = [
        sorted(
            (str(rule.sqref), rule.formula1.replace("$", ""))
            for rule in made["Questions"].data_validations.dataValidation
            if rule.type == "list"
        )
        for made in (before, after)
    ]
    assert lists[0] == lists[1]
    links = [
        [row["row"].hyperlink and row["row"].hyperlink.location for row in rows(made, "Questions")]
        for made in (data, again)
    ]
    assert [str(link).replace("$", "") for link in links[1]] == [str(link) for link in links[0]]


def test_hostile_texts_stay_texts(saved):
    data = workbook(all_hostile())
    again = saved(data)
    for sheet in opened(again):
        assert all(cell.data_type != "f" for line in sheet.iter_rows() for cell in line)
    for sheet in ("Questions", "Rules"):
        assert cells(again, sheet) == cells(data, sheet)


def test_answers_stay_what_a_person_typed(saved):
    made = load_workbook(BytesIO(workbook(orders_ledger())))
    columns = [cell.value for cell in next(made["Questions"].iter_rows())]
    for header, text in zip(("Answer", "Note", "Answered by"), ANSWERS.values(), strict=True):
        cell = made["Questions"].cell(2, columns.index(header) + 1)
        cell.value, cell.data_type = text, "s"
    buffer = BytesIO()
    made.save(buffer)
    first = rows(saved(buffer.getvalue()), "Questions")[0]
    assert {key: first[key].value for key in ANSWERS} == ANSWERS
    assert first["answer"].data_type == "s"
