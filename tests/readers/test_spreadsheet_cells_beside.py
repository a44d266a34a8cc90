"""What stands beside a sheet's cells: validations, comments and threads."""

from made_workbooks import (
    BOOK_RELS,
    SHEET_RELS,
    bare,
    edited,
    related,
    saved,
    workbook,
)
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation

from ruleferry.converters.readers.spreadsheet.cells import Area, Book, Validation
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book

THREADS = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
PEOPLE = "http://schemas.microsoft.com/office/2017/10/relationships"
X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
XM = "http://schemas.microsoft.com/office/excel/2006/main"


def read(data):
    book = read_book(data, "fields.xlsx")
    assert isinstance(book, Book), book
    return book


def first(data):
    return read(data).sheets[0]


def marks(data):
    return first(data).marks


def validation(sqref, **given):
    rule = DataValidation(**given)
    rule.add(sqref)
    return rule


def test_validations():
    book = workbook({"A1": "sex"})
    listed = validation(
        "B2:B9", type="list", formula1='"a,b"', allow_blank=True, showErrorMessage=True
    )
    listed.error, listed.errorTitle, listed.prompt = "one of two", "Sex", "Choose"
    book.active.add_data_validation(listed)
    soft = validation("C2", type="decimal", operator="lessThanOrEqual", formula1="0")
    soft.errorStyle, soft.showErrorMessage = "warning", True
    book.active.add_data_validation(soft)
    unchecked = validation("D2", type="whole", formula1="1", formula2="Lists!$A$1")
    unchecked.showErrorMessage = False
    book.active.add_data_validation(unchecked)
    assert marks(saved(book)).validations == (
        Validation(
            "list",
            (Area(1, 1, 8, 1),),
            "between",
            ('"a,b"',),
            True,
            True,
            "Sex\none of two",
            "Choose",
        ),
        Validation("decimal", (Area(1, 2, 1, 2),), "lessThanOrEqual", ("0",), strict=False),
        Validation("whole", (Area(1, 3, 1, 3),), "between", ("1", "Lists!$A$1"), strict=False),
    )


def test_validations_of_the_extension_list():
    rule = (
        f'<extLst><ext uri="{{CCE6A557}}" xmlns:x14="{X14}"><x14:dataValidations count="1" '
        f'xmlns:xm="{XM}"><x14:dataValidation type="list" allowBlank="1" showErrorMessage="1" '
        'prompt="a_x000a_b"><x14:formula1><xm:f>Lists!$A$2:$A$9</xm:f></x14:formula1>'
        "<xm:sqref>C2:C9 E2</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>"
    )
    found = marks(bare('<row r="1"><c r="A1"><v>1</v></c></row>', after=rule))
    where = (Area(1, 2, 8, 2), Area(1, 4, 1, 4))
    formulas = ("Lists!$A$2:$A$9",)
    assert found.validations == (
        Validation("list", where, "between", formulas, True, True, "", "a\nb", extension=True),
    )


def test_a_list_whose_values_hold_commas():
    choice = "http://schemas.microsoft.com/office/spreadsheetml/2011/1/ac"
    rule = (
        '<dataValidations count="1" xmlns:mc="http://schemas.openxmlformats.org/markup-'
        'compatibility/2006"><dataValidation type="list" sqref="A2:A9"><mc:AlternateContent>'
        f'<mc:Choice xmlns:x12ac="{choice}" Requires="x12ac"><x12ac:list>"a, b",c</x12ac:list>'
        '</mc:Choice><mc:Fallback><formula1>"a, b,c"</formula1></mc:Fallback>'
        "</mc:AlternateContent></dataValidation></dataValidations>"
    )
    found = marks(bare('<row r="1"><c r="A1"><v>1</v></c></row>', after=rule))
    assert found.validations[0].formulas == ('"a, b",c',)


def test_comments_and_threads():
    book = workbook({"A1": "name", "B1": "type"})
    book.active["A1"].comment = Comment("Not FK?", "Ann")
    book.active["B1"].comment = Comment("[Threaded comment]\n\nComment:\n  old", "tc={1}")
    thread = (
        f'<ThreadedComments xmlns="{THREADS}">'
        '<threadedComment ref="B1" personId="{P1}" id="{1}"><text>Which unit?</text>'
        '</threadedComment><threadedComment ref="B1" personId="{P2}" id="{2}" parentId="{1}">'
        "<text>cm &amp; mm</text></threadedComment></ThreadedComments>"
    )
    people = f'<personList xmlns="{THREADS}"><person displayName="Ann" id="{{P1}}"/></personList>'
    data = edited(
        saved(book),
        {
            "xl/threadedComments/t1.xml": thread,
            "xl/persons/p.xml": people,
            SHEET_RELS: related("threadedComment", "../threadedComments/t1.xml", office=PEOPLE),
            BOOK_RELS: related("person", "persons/p.xml", office=PEOPLE),
        },
    )
    assert marks(data).comments == {(0, 0): "Not FK?", (0, 1): "Ann: Which unit?\ncm & mm"}
    assert first(data).cell(0, 0).comment == "Not FK?"


def test_parts_are_found_by_their_relationships():
    """Not by their names: of the two comments parts the sheet's own is read."""
    book = workbook({"A1": 1})
    book.active["A1"].comment = Comment("first", "Ann")
    book.create_sheet("Two")["A1"] = 2
    book["Two"]["A1"].comment = Comment("second", "Ann")
    found = read(saved(book)).sheets
    assert [sheet.marks.comments[0, 0] for sheet in found] == ["first", "second"]
