"""A steward fills the workbook of a conversion, and the rules are converted again."""

from openpyxl import load_workbook
from told_facts import convert

from ruleferry.converters.answers.taking import take_answers
from ruleferry.converters.config import load_config
from ruleferry.converters.reports.workbook.columns import QUESTION_HEADERS


def answered(folder, files, answers, by="Ann Smith", **options):
    """`answers`: the conversion -> an answer by question id. The conversion before and after."""
    before = convert(folder, files, reports=("xlsx",), **options)
    book = load_workbook(folder / "expectations" / "gap_report.xlsx")
    sheet = book["Questions"]
    at = {cell.value: cell.column for cell in sheet[1] if cell.value}
    for asked, answer in answers(before).items():
        row = _row(sheet, at, asked)
        sheet.cell(row, at[QUESTION_HEADERS["answer"]]).value = answer
        sheet.cell(row, at[QUESTION_HEADERS["by"]]).value = by
    book.save(folder / "filled.xlsx")
    take_answers(load_config(None, folder), ["filled.xlsx"], None, None)
    return before, convert(folder, files, reports=("xlsx",), **options)


def _row(sheet, at, asked):
    column = at[QUESTION_HEADERS["question_id"]]
    return next(
        row for row in range(2, sheet.max_row + 1) if sheet.cell(row, column).value == asked
    )


def choices(question):
    """Label -> what choosing it does."""
    return {p.label: (p.does, p.value) for p in question.proposals}
