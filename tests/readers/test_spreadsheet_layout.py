"""The layout of a sheet: where its header is, what its records are, and what is neither."""

import pytest
from sheet_books import only, read, rows_of

from ruleferry.converters.readers.spreadsheet.cells import Area

PLAIN = """
Field|Type|Required
id|int|Yes
name|text|No
"""
ROWS = [["id", "int", "Yes"], ["name", "text", "No"]]


# Headers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", [0, 1, 5, 29])
def test_a_header_stands_anywhere_in_the_first_rows(above):
    titles = "\n".join(f"Remark {n}" for n in range(above))
    layout = read(titles + PLAIN)
    assert rows_of(only(layout)) == ROWS
    assert only(layout).headers[0].cell.row == above
    assert sum(kind == "title" for kind in layout.classes.values()) == above
    assert sum(kind == "header" for kind in layout.classes.values()) == 3


def test_too_far_down_there_is_no_header():
    layout = read("\n".join(f"Remark {n}" for n in range(30)) + PLAIN)
    assert (layout.kind, layout.blocks) == ("other", ())


def test_keys_and_values_above_a_header():
    layout = read("Orders of the shop\n\nName|shipments\nVersion|3\n" + PLAIN)
    assert [(k.text, v.text) for k, v in layout.pairs] == [("Name", "shipments"), ("Version", "3")]
    assert (only(layout).table, only(layout).table_told) == ("shipments", "B3")
    assert [layout.classes[place] for place in [(0, 0), (2, 0), (2, 1)]] == [
        "title",
        "key_value",
        "key_value",
    ]


@pytest.mark.parametrize(
    ("above", "name", "table", "told"),
    [
        ("Table|x", "Sheet1", "x", "B1"),
        ("Table:|x", "Sheet1", "x", "B1"),
        ("Table: x", "Sheet1", "x", "A1"),
        ("Version|2|Table|x", "Sheet1", "x", "D1"),
        ("Name|no\nTable name|x", "Sheet1", "x", "B2"),
        ("Name|no\ncdmTableName|x", "Sheet1", "x", "B2"),
        ("Table|<table_name>", "orders", None, ""),
        ("Owner|me", "orders", "orders", "the sheet's name"),
        ("", "Orders 2024", "Orders 2024", "the sheet's name"),
        *(
            ("", name, None, "")
            for name in [
                "Sheet1",
                "Tabelle 2",
                "Fields",
                "Data Dictionary",
                "DataDictionary",
                "data-dictionary-v2",
                "Variables",
                "survey",
                "Input Fields",
                "",
            ]
        ),
    ],
)
def test_the_name_of_the_table(above, name, table, told):
    block = only(read(above + PLAIN, name))
    assert (block.table, block.table_told) == (table, told)


def test_two_row_headers_that_are_merged():
    text = "Source||Target|||\nField|Type|Field|Type|Nullable|Notes\na|int|b|int|N|x\n"
    layout = read(text, merged=(Area(0, 0, 0, 1), Area(0, 2, 0, 4)))
    groups = [header.group for header in only(layout).headers]
    assert groups == ["Source", "Source", "Target", "Target", "Target", ""]
    assert only(layout).headers[2].group_cell.place == "orders!C1"
    assert layout.kind == "mapping"
    assert rows_of(only(layout)) == [["a", "int", "b", "int", "N", "x"]]


def test_two_row_headers_that_go_on_to_the_right():
    text = "Source||Target||Comments\nField|Type|Field|Type|\na|int|b|int|x\n"
    block = only(read(text))
    assert [h.group for h in block.headers] == ["Source", "Source", "Target", "Target", ""]
    assert [h.text for h in block.headers] == ["Field", "Type", "Field", "Type", "Comments"]
    assert rows_of(block) == [["a", "int", "b", "int", "x"]]


@pytest.mark.parametrize("above", ["Fields of the shop", "Table|orders", "Owner:|me"])
def test_what_is_no_group(above):
    layout = read(above + PLAIN)
    assert {header.group for header in only(layout).headers} == {""}


def test_a_header_repeated_for_each_table():
    text = (
        "Customer\nField|Type|Required\nid|int|Y\n\n"
        "Invoice\nField|Type|Required\nno|int|Y\nday|date|N\n"
    )
    layout = read(text, "Sheet1")
    assert [(b.table, len(b.records)) for b in layout.blocks] == [("Customer", 1), ("Invoice", 2)]
    assert layout.classes[4, 0] == "title"
    assert layout.blocks[1].table_told == "the title in A5"


def test_a_header_repeated_without_titles_goes_on_with_the_same_table():
    text = "Field|Type|Required\nid|int|Y\nField|Type|Required\nno|int|Y\n"
    layout = read(text)
    assert [(b.table, rows_of(b)) for b in layout.blocks] == [
        ("orders", [["id", "int", "Y"]]),
        ("orders", [["no", "int", "Y"]]),
    ]


def test_blocks_under_titles_that_are_no_names_have_no_table():
    text = (
        "The first part of it\nField|Type|Required\nid|int|Y\n"
        "\nThe second part\nField|Type|Required\nno|int|Y\n"
    )
    assert [block.table for block in read(text).blocks] == [None, None]


def test_another_header_below_a_gap():
    text = PLAIN + "\nCode|Meaning|Description\nA|active|in use\nB|blocked|not in use\n"
    layout = read(text)
    assert [(b.kind, len(b.records)) for b in layout.blocks] == [
        ("dictionary", 2),
        ("code list", 2),
    ]


def test_the_first_header_is_not_overlooked_for_a_richer_one():
    text = PLAIN + "\nField|Type|Length|Required|Min|Max|Default\nday|date|8|Y|1|2|x\n"
    assert [len(block.records) for block in read(text).blocks] == [2, 1]


def test_a_title_above_a_block_says_more_than_the_keys_above_all():
    text = "Table|all\n\nCustomer\n" + PLAIN.lstrip() + "\nInvoice\n" + PLAIN.lstrip()
    assert [block.table for block in read(text).blocks] == ["all", "Invoice"]
    text = "Table|all\n\nThe first\n" + PLAIN.lstrip() + "\nThe second\n" + PLAIN.lstrip()
    assert [block.table for block in read(text).blocks] == ["all", "all"]


def test_a_header_right_below_a_header():
    text = "Field|Type|Required\nField|Type|Length\nField|Type|Required\nid|int|Y\n"
    assert sum(len(block.records) for block in read(text).blocks) >= 1


def test_another_header_of_two_texts_below_a_gap():
    text = PLAIN + "\nCode|Meaning\nA|active\nB|blocked\n"
    assert [(b.kind, len(b.records)) for b in read(text).blocks] == [
        ("dictionary", 2),
        ("code list", 2),
    ]
    text = "Field|Type|Notes\nid|int|x\n\nstatus|code|\nname|text|y\n"
    assert len(only(read(text)).records) == 3


def test_a_weaker_header_above_another_block():
    text = (
        "Field|Colour|Size|Type|Required\nid|red|2|int|Y\n"
        "\nField|Type|Length|Required|Min|Max\nday|date|8|Y|1|2\n"
    )
    assert [len(block.records) for block in read(text).blocks] == [1, 1]


def test_another_table_above_the_one_that_describes_fields():
    text = "Title|Description|Unit|Owner\nTea|hot|pot|me\n\nField|Type|Notes\nid|int|x\n"
    assert [rows_of(block) for block in read(text).blocks] == [[["id", "int", "x"]]]


def test_a_header_is_no_heading_of_the_next():
    codes = "|Field|Type||Code|Meaning\n"
    layout = read(f"{codes}Field|Type|Required|Notes\n{codes}{codes}")
    assert all(header.group == "" for block in layout.blocks for header in block.headers)


def test_a_record_that_reads_like_a_header_is_none():
    text = (
        "Field|Type|Description\nname|text|the name\n\ntype|text|its type\nrequired|text|the flag\n"
    )
    assert len(only(read(text)).records) == 3


def test_blocks_side_by_side_behind_an_empty_column():
    text = (
        "Field|Type|Required||Code|Meaning\nid|int|Y||A|active\n"
        "name|text|N||B|blocked\n|||| C|closed\n"
    )
    layout = read(text)
    assert [(b.kind, rows_of(b)) for b in layout.blocks] == [
        ("dictionary", [["id", "int", "Y"], ["name", "text", "N"]]),
        ("code list", [["A", "active"], ["B", "blocked"], ["C", "closed"]]),
    ]
    assert layout.kind in ("dictionary", "code list")


def test_blocks_side_by_side_where_the_header_begins_anew():
    text = "Field|Type|Required|Field|Type|Required\nid|int|Y|no|int|N\nname|text|N|||\n"
    assert [rows_of(block) for block in read(text).blocks] == [
        [["id", "int", "Y"], ["name", "text", "N"]],
        [["no", "int", "N"]],
    ]


def test_codes_behind_an_empty_column_belong_to_their_fields():
    text = (
        "Field|Type||Code|Meaning\nsex|int||1|male\n|||2|female\n"
        "age|int||\nin|int||0|no\n|||1|yes\n"
    )
    assert rows_of(only(read(text))) == [
        ["sex", "int", "1+2", "male+female"],
        ["age", "int", "", ""],
        ["in", "int", "0+1", "no+yes"],
    ]


def test_an_empty_column_within_a_block_parts_nothing():
    text = "Field|Type||Required|Notes\nid|int||Y|x\n"
    assert rows_of(only(read(text))) == [["id", "int", "Y", "x"]]


TRANSPOSED = """
Field|id|name|day
Type|int|text|date
Required|Yes|No|No
Description|the id||its day
"""


def test_fields_that_stand_across():
    layout = read(TRANSPOSED)
    block = only(layout)
    assert block.transposed
    assert [h.text for h in block.headers] == ["Field", "Type", "Required", "Description"]
    assert [h.index for h in block.headers] == [0, 1, 2, 3]
    assert rows_of(block) == [
        ["id", "int", "Yes", "the id"],
        ["name", "text", "No", ""],
        ["day", "date", "No", "its day"],
    ]
    assert [record.number for record in block.records] == [1, 2, 3]
    assert block.records[1].first(1).place == "orders!C2"


def test_keys_with_one_value_each_are_no_fields_across():
    layout = read("Name|shipments\nType|table\nDescription|of goods\nStatus|active\n")
    assert layout.blocks == ()
