"""Records, the lines that go on with them, and the lines that are none."""

import pytest
from sheet_books import only, read, rows_of

from ruleferry.converters.readers.spreadsheet.cells import Area
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import SheetSettings

PLAIN = """
Field|Type|Required
id|int|Yes
name|text|No
"""


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
    assert rows_of(only(read(text))) == [["id", "int", "Y"], ["name", "text", "N"]]


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
    text = (
        "Field|Type|Required\nthe name of it|text|Y\n"
        "the first day|date|Y\nits last day|date|N\nx|int|N\n"
    )
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
