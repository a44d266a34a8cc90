"""A workbook's cells and what stands around them: values, places, marks."""

from datetime import date, datetime, time
from decimal import Decimal

import pytest
from made_workbooks import (
    BOOK_RELS,
    MAIN,
    SHEET,
    bare,
    edited,
    number,
    ods,
    ods_text,
    parts_of,
    related,
    saved,
    sheet_xml,
    text_cell,
    workbook,
    written,
    xlsb,
)
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table

from ruleferry.converters.readers.spreadsheet.cells import Area, Book
from ruleferry.converters.readers.spreadsheet.workbook.areas import area, areas
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book


def read(data, file="fields.xlsx"):
    book = read_book(data, file)
    assert isinstance(book, Book), book
    return book


def first(data, file="fields.xlsx"):
    return read(data, file).sheets[0]


def marks(data):
    return first(data).marks


def test_values_stand_where_they_stand():
    sheet = first(saved(workbook({"B3": "id", "D5": 7})))
    assert list(sheet.filled()) == [(2, 1), (4, 3)]
    assert (sheet.cell(2, 1).place, sheet.cell(4, 3).value) == ("Fields!B3", 7)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (7, 7),
        (7.0, 7),
        (0.1, Decimal("0.1")),
        (-32872, -32872),
        (1e-7, Decimal("1E-7")),
        (True, True),
        ("007", "007"),
        (date(2024, 5, 1), date(2024, 5, 1)),
        (datetime(2024, 5, 1, 10, 30), datetime(2024, 5, 1, 10, 30)),  # noqa: DTZ001
        (time(10, 30), time(10, 30)),
    ],
)
def test_values_are_exact(given, value):
    found = first(saved(workbook({"A1": given}))).rows[0][0]
    assert (found, type(found)) == (value, type(value))


def test_a_number_that_is_none_is_a_text():
    row = '<row r="1"><c r="A1"><v>NaN</v></c><c r="B1"><v>inf</v></c><c r="C1"><v>-0</v></c></row>'
    assert first(bare(row)).rows == [["nan", "inf", 0]]


def test_hidden_things():
    book = workbook({"A1": "a", "C3": "c"})
    book.active.row_dimensions[2].hidden = True
    book.active.column_dimensions["B"].hidden = True
    book.create_sheet("Old")["A1"] = 1
    book["Old"].sheet_state = "hidden"
    book.create_sheet("Older").sheet_state = "veryHidden"
    found = read(saved(book))
    assert [sheet.hidden for sheet in found.sheets] == [False, True, True]
    assert found.sheets[0].marks.hidden_rows == {1}
    assert found.sheets[0].marks.hidden_columns == {1}


def test_rows_that_a_filter_hides_and_columns_without_width():
    rows = '<row spans="1:1" r="2" hidden="true"><c r="A2"><v>1</v></c></row><row r="3"/>'
    columns = '<cols><col min="2" max="4" width="0" customWidth="1"/><col min="6" max="6"/></cols>'
    found = marks(bare(rows, columns, '<autoFilter ref="A1:A2"/>'))
    assert (found.hidden_rows, found.hidden_columns) == ({1}, {1, 2, 3})


def test_struck_cells():
    book = workbook({"A1": "kept", "A2": "gone"})
    book.active["A2"].font = Font(strike=True)
    assert marks(saved(book)).struck == {(1, 0)}
    assert first(saved(book)).cell(1, 0).struck


def runs(*pairs):
    blocks = [TextBlock(InlineFont(strike=strike), text) for text, strike in pairs]
    return CellRichText(*blocks)


@pytest.mark.parametrize(
    ("text", "struck", "partly"),
    [
        (runs(("a", True), ("b", None)), False, True),
        (runs(("a", True), ("b", True)), True, False),
        (runs(("a", True), (" \n", None)), True, False),
        (runs(("a", None), ("b", None)), False, False),
        (runs(("a", True), ("b", False)), False, True),
    ],
)
@pytest.mark.parametrize("shared", [True, False])
def test_struck_runs(text, struck, partly, shared):
    data = saved(workbook({"A1": text}))
    if shared:
        data = shared_texts(data)
    found = marks(data)
    assert (bool(found.struck), bool(found.partly_struck)) == (struck, partly)
    if partly:
        assert first(data).cell(0, 0).trouble


def shared_texts(data):
    """Its one text moved to the shared ones."""

    def move(old):
        start, end = old.index(b"<is>"), old.index(b"</is>")
        inside.append(old[start + 4 : end].decode())
        cell = b'<c r="A1" t="s"><v>1</v></c>'
        return old[: old.rindex(b"<c ", 0, start)] + cell + old[old.index(b"</c>", end) + 4 :]

    inside = []
    moved = edited(data, {SHEET: move})
    texts = f'<sst xmlns="{MAIN}"><si><t>other</t></si><si>{inside[0]}</si></sst>'
    links = related("sharedStrings", "sharedStrings.xml")
    return edited(moved, {"xl/sharedStrings.xml": texts, BOOK_RELS: links})


def test_runs_that_are_not_struck_in_a_struck_cell():
    book = workbook(
        {"A1": runs(("a", None)), "A2": "plain", "A3": CellRichText("x", runs(("b", None))[0])}
    )
    for place in ("A1", "A2", "A3"):
        book.active[place].font = Font(strike=True)
    found = marks(saved(book))
    assert (found.struck, found.partly_struck) == ({(1, 0)}, {(2, 0)})


def test_merged_cells_and_tables_and_names():
    book = workbook({"A1": "name", "B1": "type", "A2": "id", "B2": "int"})
    book.active.merge_cells("D4:E6")
    book.active.add_table(Table(displayName="Dictionary", ref="A1:B2"))
    book.defined_names["Units"] = DefinedName("Units", attr_text="Fields!$B$1:$B$2")
    book.active.defined_names["Own"] = DefinedName("Own", attr_text="Fields!$A$1")
    book.active.print_area = "A1:B2"
    found = read(saved(book))
    assert found.sheets[0].marks.merged == (Area(3, 3, 5, 4),)
    assert found.sheets[0].marks.tables == {"Dictionary": Area(0, 0, 1, 1)}
    own = {"Own": "Fields!$A$1", "Fields!Own": "Fields!$A$1"}
    assert found.names == {"Units": "Fields!$B$1:$B$2"} | own


def test_formulas_and_errors():
    cells = (
        '<c r="A1"><f>1+1</f></c><c r="B1"><f>1+1</f><v/></c><c r="C1"><f>1+1</f><v>2</v></c>'
        '<c r="D1" t="str"><f>""</f><v></v></c><c r="E1" t="e"><f>1/0</f><v>#DIV/0!</v></c>'
        '<c r="F1" t="e"><v>#REF!</v></c><c r="G1"><f t="shared" si="0"/></c><c r="H1"><v>0</v></c>'
        '<c r="I1" t="str"><f t="array" ref="I1">A1&amp;"&gt;"</f><v>x</v></c>'
    )
    sheet = first(bare(f'<row r="1">{cells}</row>'))
    assert sheet.marks.uncached == {(0, 0), (0, 1), (0, 6)}
    assert sheet.marks.errors == {(0, 4): "#DIV/0!", (0, 5): "#REF!"}
    assert [sheet.cell(0, n).text for n in (2, 4, 5, 7, 8)] == ["2", "#DIV/0!", "#REF!", "0", "x"]
    assert sheet.cell(0, 3) is None


def test_formulas_beyond_all_values():
    row = '<row r="{0}"><c r="A{0}">{1}</c><c r="C{0}"><f>1</f></c></row>'
    sheet = first(bare(row.format(1, "<v>7</v>") + row.format(3, "<f>2</f>")))
    assert list(sheet.filled()) == [(0, 0), (0, 2), (2, 0), (2, 2)]
    assert all(sheet.cell(*place).trouble for place in [(0, 2), (2, 0), (2, 2)])


@pytest.mark.parametrize("count", [2, 30])
def test_many_styles(count):
    """Few are looked for one by one; the first is that of cells that name none."""
    book = workbook({f"A{n}": n for n in range(1, count + 1)})
    for n in range(1, count + 1):
        book.active[f"A{n}"].number_format = f'"c{n}-"0'
        book.active[f"A{n}"].font = Font(strike=n % 2 == 0)
    found = marks(saved(book))
    assert found.shown == {(n - 1, 0): f"c{n}-{n}" for n in range(1, count + 1)}
    assert found.struck == {(n - 1, 0) for n in range(1, count + 1) if n % 2 == 0}


def test_the_first_style_is_struck():
    fonts = f'<styleSheet xmlns="{MAIN}"><fonts><font><strike/></font><font/></fonts>'
    styles = f'{fonts}<cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>'
    cells = '<c r="A1"><v>1</v></c><c r="B1" s="0"><v>1</v></c><c r="C1" s="1"><v>1</v></c>'
    data = bare(f'<row r="1">{cells}</row>', edits={"xl/styles.xml": styles})
    assert marks(data).struck == {(0, 0), (0, 1)}


def test_results_that_nobody_worked_out():
    """Programs that write formulas write 0 beside them, and that it is to be worked out."""
    cells = '<row r="1"><c r="A1"><f>B1</f><v>0</v></c><c r="B1"><v>0</v></c></row>'
    data = bare(cells)
    assert b'fullCalcOnLoad="1"' in parts_of(data)["xl/workbook.xml"]
    assert marks(data).uncached == {(0, 0)}
    worked_out = edited(data, {"xl/workbook.xml": lambda old: old.replace(b"fullCalcOnLoad", b"x")})
    assert not marks(worked_out).uncached


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (7, "00", "07"),
        (123, "00", None),
        (7, "0", None),
        (7, "General", None),
        (7, "0.00", None),
        (7.5, "000", None),
        (0, "000", "000"),
        (-7, "00", None),
        ("7", "00", None),
        (123456789, "000-00-0000", "123-45-6789"),
        (5, '0" %"', "5 %"),
        (5, "#,##0", None),
        (0.055, "0%", "5.5%"),
        (1, "0%", "100%"),
        (0.1, "0.00%", "10%"),
        (0, "0%", "0%"),
        (7, "[Red]00;[Blue]00", "07"),
        (date(2024, 1, 9), "d-mmm", "9-Jan"),
        (date(1999, 1, 1), "mmm-yy", "Jan-99"),
        (date(2024, 1, 9), "yyyy-mm-dd", None),
    ],
)
def test_what_a_cell_shows(value, code, shown):
    book = workbook({"A1": value})
    book.active["A1"].number_format = code
    assert marks(saved(book)).shown.get((0, 0)) == shown


ODD = '<row r="1" hidden="1"><c r="A1" t="e"><v>#N/A</v></c><c r="B1"><f>1</f></c></row>'


@pytest.mark.parametrize(
    "xml",
    [
        sheet_xml(ODD),
        sheet_xml(ODD.replace('"', "'")),
        sheet_xml(ODD.replace('r="A1" t="e"', 't="e" r="A1"')),
        sheet_xml(ODD.replace(' r="1"', "").replace(' r="A1"', "").replace(' r="B1"', "")),
        sheet_xml(ODD.replace("<c ", "<c\n").replace("<row ", "<row\t")),
        sheet_xml(ODD.replace("A1", "a1")),
        sheet_xml('<!-- <c r="C9" t="e"><v>#REF!</v></c> -->' + ODD),
        sheet_xml(ODD, start="\ufeff"),
        sheet_xml(ODD, start='<?xml version="1.0" encoding="utf-8"?>'),
        sheet_xml(ODD.replace("<", "<x:").replace("<x:/", "</x:"))
        .replace(b"sheetData", b"x:sheetData")
        .replace(b"worksheet", b"x:worksheet")
        .replace(b"xmlns=", b"xmlns:x="),
    ],
)
def test_ways_to_write_a_sheet(xml):
    found = marks(edited(saved(workbook()), {SHEET: xml}))
    assert (found.hidden_rows, found.errors, found.uncached) == ({0}, {(0, 0): "#N/A"}, {(0, 1)})


def test_what_looks_like_a_cell_in_a_text():
    cells = text_cell("A1", 'a t="e" s="1" hidden="1" ] = \'x\'') + text_cell(
        "B1", '<![CDATA[<c r="C1" t="e"><v>1</v></c>]]>'
    )
    sheet = first(bare(f'<row r="1">{cells}</row>'))
    assert sheet.rows[0][1] == '<c r="C1" t="e"><v>1</v></c>'
    found = sheet.marks
    assert (found.errors, found.hidden_rows, found.struck) == ({}, frozenset(), frozenset())


def test_chart_sheets_and_macros_hold_no_cells():
    book = workbook({"A1": 1})
    book.create_chartsheet("Chart", 0)
    book.create_sheet("Last")["B2"] = 2
    data = edited(saved(book), {"xl/vbaProject.bin": b"\xd0\xcf\x11\xe0 no macro is looked at"})
    found = read(data, "fields.xlsm")
    assert [(sheet.name, len(sheet.rows)) for sheet in found.sheets] == [("Fields", 1), ("Last", 2)]
    assert (found.format, found.unseen) == ("xlsx", ())


def test_ods():
    cells = ods_text("id") + '<table:table-cell office:value-type="float" office:value="1.5"/>'
    gap = '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
    last = f"<table:table-row><table:table-cell/>{ods_text('x')}</table:table-row>"
    style = (
        '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    )
    rows = f"<table:table-row>{cells}</table:table-row>{gap}{last}"
    table = f'<table:table table:name="Fields" table:style-name="h">{rows}</table:table>'
    found = read(ods(table, style), "fields.ods")
    assert (found.format, found.sheets[0].hidden) == ("ods", True)
    assert list(found.sheets[0].filled()) == [(0, 0), (0, 1), (3, 1)]
    assert found.sheets[0].rows[0] == ["id", Decimal("1.5")]
    assert {"comments", "data validations", "strikethrough"} <= set(found.unseen)


def test_xlsb():
    found = read(xlsb({(0, 0): number(1.5), (2, 1): written("id")}), "fields.xlsb")
    assert found.format == "xlsb"
    assert found.sheets[0].rows == [[Decimal("1.5"), ""], ["", ""], ["", "id"]]
    assert "hidden rows and columns" in found.unseen


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A1", (Area(0, 0, 0, 0),)),
        ("$C$2:B9", (Area(1, 1, 8, 2),)),
        ("B:C", (Area(0, 1, 1048575, 2),)),
        ("2:4", (Area(1, 0, 3, 16383),)),
        ("A1 B2:B3", (Area(0, 0, 0, 0), Area(1, 1, 2, 1))),
        ("XFD1048576", (Area(1048575, 16383, 1048575, 16383),)),
        ("XFE1", ()),
        ("A1048577", ()),
        ("A0", ()),
        ("A", ()),
        ("7", ()),
        ("A1:B", ()),
        ("A:2", ()),
        ("#REF!", ()),
        ("", ()),
    ],
)
def test_areas(text, found):
    assert areas(text) == found
    assert area(text) == (found[0] if len(found) == 1 else None)
