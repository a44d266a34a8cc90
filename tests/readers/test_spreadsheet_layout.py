"""The layout of a sheet: where its header is, what its records are, and what is neither."""

import pytest
from sheet_books import classes_of, known, rows_of, sheet

from ruleferry.converters.readers.spreadsheet.cells import Area, Validation
from ruleferry.converters.readers.spreadsheet.layout import layout_of
from ruleferry.converters.readers.spreadsheet.profile_types import SheetSettings


def read(text, name="orders", settings=None, **marks):
    made = sheet(text, name, **marks)
    layout = layout_of(made, known, settings)
    assert set(classes_of(layout)) == set(made.filled())
    return layout


def only(layout):
    (block,) = layout.blocks
    return block


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
    text = "Customer\nField|Type|Required\nid|int|Y\n\nInvoice\nField|Type|Required\nno|int|Y\nday|date|N\n"
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
    text = "The first part of it\nField|Type|Required\nid|int|Y\n\nThe second part\nField|Type|Required\nno|int|Y\n"
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


def test_a_record_that_reads_like_a_header_is_none():
    text = (
        "Field|Type|Description\nname|text|the name\n\ntype|text|its type\nrequired|text|the flag\n"
    )
    assert len(only(read(text)).records) == 3


def test_blocks_side_by_side_behind_an_empty_column():
    text = "Field|Type|Required||Code|Meaning\nid|int|Y||A|active\nname|text|N||B|blocked\n|||| C|closed\n"
    layout = read(text)
    assert [(b.kind, rows_of(b)) for b in layout.blocks] == [
        ("dictionary", [["id", "int", "Y"], ["name", "text", "N"]]),
        ("code list", [["A", "active"], ["B", "blocked"], ["C", "closed"]]),
    ]
    assert layout.kind in ("dictionary", "code list")


def test_blocks_side_by_side_where_the_header_begins_anew():
    text = "Field|Type|Required|Field|Type|Required\nid|int|Y|no|int|N\nname|text|N|||\n"
    assert [rows_of(block) for block in read(text).blocks] == [
        ROWS[:0] + [["id", "int", "Y"], ["name", "text", "N"]],
        [["no", "int", "N"]],
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


# Records ------------------------------------------------------------------------------------------


def test_lines_without_a_name_go_on():
    text = "Field|Type|Value|Label\nsex|int|1|male\n||2|female\nage|int||\n"
    assert rows_of(only(read(text))) == [
        ["sex", "int", "1+2", "male+female"],
        ["age", "int", "", ""],
    ]


@pytest.mark.parametrize(
    ("line", "records"),
    [
        ("|int|3|x", 3),  # a type of its own: a field without a name
        ("||3|x", 2),
        ("|||x", 2),
    ],
)
def test_what_goes_on(line, records):
    text = f"Field|Type|Value|Label\nsex|int|1|male\n{line}\nage|int||\n"
    assert len(only(read(text)).records) == records


def test_the_profile_says_what_goes_on():
    text = "Field|Type|Value|Label\nsex|int|1|male\n|int|2|female\n||3|\n"
    assert len(only(read(text)).records) == 2
    assert len(only(read(text, settings=SheetSettings(continuation="none"))).records) == 3
    assert len(only(read(text, settings=SheetSettings(continuation="blank-name"))).records) == 1


def test_a_merged_name_holds_for_all_its_lines():
    text = "Field|Type|Required\nid|int|Y\n|text|N\nday|date|N\n"
    block = only(read(text, merged=(Area(1, 0, 2, 0),)))
    assert rows_of(block) == [["id", "int+text", "Y+N"], ["day", "date", "N"]]


def test_a_merged_table_is_shared_by_its_fields():
    text = "Table|Field|Type|Required\nshop|id|int|Y\n|name|text|N\nhouse|no|int|Y\n"
    block = only(read(text, merged=(Area(1, 0, 2, 0),)))
    assert [record.first(0).text for record in block.records] == ["shop", "shop", "house"]
    assert 0 not in block.records[1].cells


def test_a_heading_in_the_column_of_tables_holds_for_what_follows():
    text = (
        "Table|Field|Type|Required\nshop|||\n|id|int|Y\n|name|text|N\nhouse|no|int|Y\n|day|date|N\n"
    )
    block = only(read(text))
    told = [cell.text if (cell := record.first(0)) else None for record in block.records]
    assert told == ["shop", "shop", "house", None]


@pytest.mark.parametrize(
    "line",
    ["# ==== part two ====|||", "====|||", "# remarks|||", "A heading|||", "------|----|----|----"],
)
def test_banners(line):
    text = f"Section|Field|Type|Required\na|id|int|Y\n{line}\na|name|text|N\n"
    layout = read(text)
    assert len(only(layout).records) == 2
    assert layout.classes[2, 0] == "title"
    assert [skip.reason for skip in layout.skipped] == ["a heading among the records"]
    assert layout.skipped[0].place == "orders!3:3"


@pytest.mark.parametrize(
    "line", ["|note||", "#1|note|text|N", "|id2|#|Y", "# of rooms|rooms|int|Y", "||text|"]
)
def test_no_banners(line):
    text = f"Section|Field|Type|Required\na|id|int|Y\n{line}\na|name|text|N\n"
    layout = read(text)
    assert len(only(layout).records) == 3
    assert layout.skipped == ()


def test_a_merged_line_is_a_banner():
    text = "Field|Type|Required\nid|int|Y\nDelivery\nday|date|N\n"
    assert len(only(read(text)).records) == 3
    layout = read(text, merged=(Area(2, 0, 2, 2),))
    assert len(only(layout).records) == 2
    assert layout.classes[2, 0] == "title"


def test_empty_lines_part_records_and_are_none():
    text = "Field|Type|Required\n\nid|int|Y\n\n\n\nname|text|N\n"
    assert rows_of(only(read(text))) == ROWS[:0] + [["id", "int", "Y"], ["name", "text", "N"]]


def test_remarks_below_the_records():
    layout = read(PLAIN + "\n\nAll of this is a draft\nand may change\n")
    assert len(only(layout).records) == 2
    assert [(s.place, s.reason, s.cells) for s in layout.skipped] == [
        ("orders!6:7", "it stands below the records", 2)
    ]


def test_the_end_of_a_table():
    layout = read(PLAIN + "End of worksheet\nday|date|No\n")
    assert len(only(layout).records) == 2
    assert [(s.place, s.cells) for s in layout.skipped] == [("orders!4:5", 4)]


def test_lines_of_a_template_that_nobody_has_filled():
    text = "No|Field|Type|Required\n1|id|int|Y\n2|||\n3|||\n4|||\n"
    layout = read(text)
    assert len(only(layout).records) == 1
    assert [(s.place, s.cells) for s in layout.skipped] == [("orders!3:5", 3)]
    assert "template" in layout.skipped[0].reason


@pytest.mark.parametrize(
    "legend",
    [
        "(text)|(see below)|(Y or N)",
        "1|2|3",
        "the name of the field|int|Y",
    ],
)
def test_a_legend_under_the_header(legend):
    text = f"Field|Type|Required\n{legend}\nid|int|Y\nname|text|N\nday|date|N\n"
    layout = read(text)
    assert len(only(layout).records) == 3
    assert [(s.place, s.reason) for s in layout.skipped] == [
        ("orders!2:2", "it explains the headers above it")
    ]


def test_no_legend_where_all_names_are_of_several_words():
    text = "Field|Type|Required\nthe name of it|text|Y\nthe first day|date|Y\nits last day|date|N\nx|int|N\n"
    assert len(only(read(text)).records) == 4


def test_struck_and_hidden_lines_are_records():
    layout = read(PLAIN, struck=frozenset({(1, 0)}), hidden_rows=frozenset({2}))
    assert len(only(layout).records) == 2
    assert only(layout).records[0].first(0).struck


def test_a_column_without_a_header_is_told():
    layout = read("Field|Type|Required|\nid|int|Y|what\nname|text|N|\n")
    assert [(s.place, s.reason, s.cells) for s in layout.skipped] == [
        ("orders!D:D", "a column without a header", 1)
    ]


def test_a_note_beside_the_records_goes_on():
    text = "Field|Type|Required|Fancy\nid|int|Y|\n|||extra\nname|text|N|\n"
    assert rows_of(only(read(text)))[0] == ["id", "int", "Y", "extra"]


def test_nothing_goes_on_across_an_empty_line():
    text = "Field|Type|Value|Label\nsex|int|1|male\n\n||2|female\n"
    assert len(only(read(text)).records) == 2


def test_one_name_of_several_words_is_no_legend_where_few_follow():
    text = "Field|Type|Required\nthe first day|date|Y\nday|date|N\n"
    assert len(only(read(text)).records) == 2


def test_a_header_that_is_merged_downwards_is_no_value():
    text = "Table|Field|Type|Required\n|id|int|Y\na|name|text|N\n"
    block = only(read(text, merged=(Area(0, 0, 1, 0),)))
    assert [cell and cell.text for cell in (r.first(0) for r in block.records)] == [None, "a"]


def test_an_error_is_a_filled_cell():
    block = only(read("Field|Type|Required\nid|int|\n", errors={(1, 2): "#REF!"}))
    assert block.records[0].first(2).trouble == "an error value, #REF!"


def test_a_field_of_the_name_of_its_header():
    text = "Field|Type|Required\nid|int|Y\nField|text|N\nday|date|N\n"
    assert len(only(read(text)).records) == 3


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
    text = "How to use this workbook\nPlease fill in one row for each of the fields that you send us.\n"
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
