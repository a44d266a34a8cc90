"""The kind of a sheet, and what a profile says of its layout."""

import pytest
from sheet_books import only, read, rows_of

from ruleferry.converters.readers.spreadsheet.cells import Area, Validation
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import SheetSettings

PLAIN = """
Field|Type|Required
id|int|Yes
name|text|No
"""
TRANSPOSED = """
Field|id|name|day
Type|int|text|date
Required|Yes|No|No
Description|the id||its day
"""


# Kinds --------------------------------------------------------------------------------------------

KINDS = [
    ("dictionary", "Field|Type\nid|int\n"),
    ("dictionary", "Column Name|Description\nid|the id\norder_no|the number\n"),
    ("dictionary", "Field|Required\nid|Y\n"),
    ("dictionary", "Parameter code|Type|Length|Required\nA|int|3|Y\n"),
    ("dictionary", "Name|Type|Description\nid|int|the id\n"),
    ("rule list", "Rule ID|Column|Rule|Severity\n1|id|must be filled|fatal\n"),
    ("rule list", "Column|Rule\nid|must be filled\n"),
    ("rule list", "File|Rule|Type|Validation Type\nA|must be filled|Calculation|Record\n"),
    ("rule list", "Name|Type|Rule\nid|Completeness check|must be filled\n"),
    ("dictionary", "Name|Type|Rule\nid|int|must be filled\n"),
    ("code list", "Code|Description\nA|active\n"),
    ("code list", "list_name|name|label\nyes_no|1|Yes\n"),
    ("mapping", "Source Column|Source Type|Target Column|Target Type\na|int|b|int\n"),
    ("other", "Name|Description|Type\nAssay one|for blood|ELISA\nAssay two|for water|PCR\n"),
    ("other", "Username|Name|Description|Role\nme|My Name|it is me|owner\n"),
    ("other", "ID|Name|Price\n1|Tea|3\n2|Milk|4\n"),
    ("other", "Property|Value\nowner|me\n"),
    ("other", ""),
    ("other", "only one cell"),
]


@pytest.mark.parametrize(("kind", "text"), KINDS)
def test_kinds(kind, text):
    layout = read(text, "Sheet1")
    assert (layout.kind, bool(layout.why)) == (kind, True)
    assert bool(layout.blocks) == (kind != "other")
    if not layout.blocks:
        assert set(layout.classes.values()) <= {"skipped"}
        assert len(layout.skipped) == bool(layout.classes)


def test_a_sheet_to_be_read_by_a_person():
    text = (
        "How to use this workbook\n"
        "Please fill in one row for each of the fields that you send us.\n"
    )
    assert read(text + text, "Sheet1").kind == "readme"
    assert read("Version|3\nDate|2024\n", "README").kind == "readme"


def test_a_dictionary_whose_name_is_that_of_a_text_is_read():
    assert read(PLAIN, "Notes").kind == "dictionary"


RULED = (Validation("list", (Area(1, 1, 99, 1),), formulas=('"a,b"',)),)


def test_a_template():
    text = "order_no|state|day\n1|a|2024\n"
    layout = read(text, validations=RULED)
    assert (layout.kind, only(layout).records) == ("template", ())
    assert [header.text for header in only(layout).headers] == ["order_no", "state", "day"]
    assert [(s.place, s.cells) for s in layout.skipped] == [("orders!2:2", 3)]
    assert only(layout).table == "orders"
    assert read(text).kind == "other"
    assert read(text, comments={(0, 0): "a", (0, 1): "b"}).kind == "template"
    assert read(text, comments={(1, 0): "a"}).kind == "other"
    prompt = (Validation("none", (Area(1, 1, 99, 1),)),)
    assert read(text, validations=prompt).kind == "other"


def test_a_dictionary_with_validations_is_no_template():
    assert read(PLAIN, validations=RULED).kind == "dictionary"


# What a profile says ------------------------------------------------------------------------------


def test_a_hidden_sheet():
    layout = read(PLAIN, hidden=True)
    assert (layout.why, layout.blocks) == ("the sheet is hidden", ())
    assert [(s.place, s.cells) for s in layout.skipped] == [("orders", 9)]
    assert read(PLAIN, hidden=True, settings=SheetSettings(kind="dictionary")).blocks
    assert read(PLAIN, hidden=True, settings=SheetSettings(header_row=1)).blocks
    assert read(PLAIN, hidden=True, settings=SheetSettings(read_hidden=True)).blocks


def test_hidden_rows_are_skipped_where_the_profile_says_so():
    given = SheetSettings(skip_hidden_rows=True)
    layout = read(PLAIN, settings=given, hidden_rows=frozenset({2, 99}))
    assert rows_of(only(layout)) == [["id", "int", "Yes"]]
    assert [(s.place, s.reason, s.cells) for s in layout.skipped] == [
        ("orders!3:3", "the row is hidden", 3)
    ]


def test_an_ignored_sheet():
    layout = read(PLAIN, settings=SheetSettings(ignore=True))
    assert layout.blocks == ()
    assert "profile" in layout.why
    layout = read(PLAIN, settings=SheetSettings(kind="readme"))
    assert (layout.kind, layout.blocks) == ("readme", ())


def test_the_profile_says_where_the_header_is():
    text = "Field|Type|Required\nUne|Deux|Trois\nid|int|Y\n"
    block = only(read(text, settings=SheetSettings(header_row=2, kind="dictionary")))
    assert [header.text for header in block.headers] == ["Une", "Deux", "Trois"]
    assert len(block.records) == 1
    for row in (4, 99, 0, -3):
        assert read(text, settings=SheetSettings(header_row=row)).blocks == ()


def test_the_profile_says_what_is_read():
    text = "Field|Type|Required|Notes\nold|int|Y|x\nid|int|Y|y\nname|text|N|\nsum|int|N|z\n"
    layout = read(text, settings=SheetSettings(last_column="C", first_row=3, last_row=4))
    assert rows_of(only(layout)) == [["id", "int", "Y"], ["name", "text", "N"]]
    assert sorted((s.place, s.cells) for s in layout.skipped) == [
        ("orders!2:2", 3),
        ("orders!5:5", 4),
        ("orders!D:D", 3),
    ]


def test_the_profile_says_that_fields_stand_across():
    text = "Feld|id|name\nTyp|int|text\n"
    assert read(text, "Sheet1").blocks == ()
    given = SheetSettings(transposed=True, kind="dictionary")
    assert rows_of(only(read(text, settings=given))) == [["id", "int"], ["name", "text"]]
    assert not any(
        b.transposed for b in read(TRANSPOSED, settings=SheetSettings(transposed=False)).blocks
    )


@pytest.mark.parametrize(
    ("stated", "table", "told"),
    [("sales.orders", "sales.orders", "the profile"), ("b1", "x", "B1"), ("Z99", None, "")],
)
def test_the_profile_says_the_table(stated, table, told):
    block = only(read("Key|x" + PLAIN, settings=SheetSettings(table=stated)))
    assert (block.table, block.table_told) == (table, told)
    block = only(read("Key|x" + PLAIN, settings=SheetSettings(table=stated, named=True)))
    assert (block.table, block.table_told) == (stated, "the profile")
