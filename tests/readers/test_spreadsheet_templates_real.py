"""The validations and comments of public templates."""

import io
from datetime import date

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900
from openpyxl.worksheet.datavalidation import DataValidation

from ruleferry.converters.predicates import OneOf, Present, Range, Typed
from ruleferry.converters.readers.spreadsheet.lists.references import cells_of, sheet_of
from ruleferry.converters.readers.spreadsheet.lists.validations import (
    comment_statements,
    sheet_validations,
)
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
from ruleferry.converters.rule import Row


@pytest.fixture
def opened(shared):
    def read(file):
        return read_book((shared / "corpus/spreadsheets" / file).read_bytes(), file)

    return read


def template(book, sheet_name, header):
    sheet = sheet_of(book, sheet_name)
    names = {
        column: cell.text
        for column in range(len(sheet.rows[header]))
        if (cell := sheet.cell(header, column)) is not None
    }
    found = sheet_validations(sheet, book, names, lambda _: None, header)
    return sheet, names, [s for _, statements in found for s in statements]


def said(statements):
    return [
        s.check.predicate if isinstance(s.check, Row) else getattr(s.check, "code", "no rule")
        for s in statements
    ]


def test_rules_that_stand_in_validations_and_comments_alone(opened):
    book = opened("21_hubmap_antibodies.xlsx")
    sheet, names, found = template(book, "Antibodies", 0)
    whole, number, unit = (
        "dilution_factor",
        "antibody_concentration_value",
        "antibody_concentration_unit",
    )
    assert said(found) == [
        Typed(whole, "integer"),
        Range(whole, -2147483648, 2147483647),
        Typed(number, "number"),
        Range(number, -34028235 * 10**31, 34028235 * 10**31),
        OneOf(unit, ("ug/ml",)),
    ]
    required = [
        names[column]
        for (row, column), text in sorted(sheet.marks.comments.items())
        if row == 0
        for s in comment_statements(text, names[column], lambda *_: ())
        if s.check == Row(Present(names[column]))
    ]
    assert required == [
        "channel_id",
        "hgnc_symbol",
        "antibody_rrid",
        "uniprot_accession_number",
        "metadata_schema_id",
    ]


def test_lists_of_an_extension(opened):
    book = opened("39_360giving_prep_template.xlsx")
    _, names, found = template(book, "codelist_mapping", 1)
    assert [s.columns for s in found] == [(names[1],), (names[6],)]
    values = [s.check.predicate.values for s in found]
    assert [len(v) for v in values] == [12, 17]
    assert values[0][0] == "Financial Hardship"
    assert [[c.code for c in s.caveats] for s in found] == [["spreadsheet_case"]] * 2


def test_a_list_that_is_gone(opened):
    book = opened("39_360giving_prep_template.xlsx")
    _, _, found = template(book, "source_data", 2)
    assert set(said(found)) == {"suspicious_validation"}
    assert cells_of("codelists!#REF!", book, "source_data") is None


def test_lists_that_differ_from_row_to_row(opened):
    book = opened("16_uk_cica_data_dictionary.xlsx")
    _, _, found = template(book, "Google Analytics", 1)
    assert said(found) == ["contradiction", OneOf("Who", ("Dev", "Team")), *["contradiction"] * 2]


def test_a_contract_template_warns_where_it_enforces_nothing(opened):
    book = opened("03_odcs_template.xlsx")
    _, _, found = template(book, "Quality", 3)
    rules = {s.columns: s for s in found if isinstance(s.check, Row)}
    assert rules[("Quality Type",)].check == Row(
        OneOf("Quality Type", ("text", "library", "sql", "custom"))
    )
    assert {s.action_word for s in rules.values()} <= {None, "warn"}


def test_every_reference_of_a_validation_or_name_is_read_or_refused(shared, opened):
    for path in sorted((shared / "corpus/spreadsheets").glob("*.xlsx")):
        book = opened(path.name)
        for reference in book.names.values():
            cells_of(reference, book, book.sheets[0].name)
        for sheet in book.sheets:
            names = {column: f"c{column}" for column in range(60)}
            found = sheet_validations(sheet, book, names, lambda _: None)
            assert len(found) == len(sheet.marks.validations)
            assert all(statements for _, statements in found)


@pytest.mark.parametrize("from_1904", [False, True])
def test_where_the_days_of_a_workbook_begin(from_1904):

    made = openpyxl.Workbook()
    made.epoch = CALENDAR_MAC_1904 if from_1904 else CALENDAR_WINDOWS_1900
    made.active.append(["id", "day"])
    rule = DataValidation("date", operator="greaterThan", formula1="43831", showErrorMessage=True)
    rule.add("B2:B99")
    made.active.add_data_validation(rule)
    out = io.BytesIO()
    made.save(out)
    _, _, found = template(read_book(out.getvalue(), "x.xlsx"), "Sheet", 0)
    day = date(2024, 1, 2) if from_1904 else date(2020, 1, 1)
    assert said(found) == [Typed("day", "date"), Range("day", day, low_open=True)]
