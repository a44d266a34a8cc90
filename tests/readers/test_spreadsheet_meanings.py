import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spreadsheet_blocks import block_of

from ruleferry.converters.mappings import gaps
from ruleferry.converters.readers.spreadsheet.meaning.header_words import RULES
from ruleferry.converters.readers.spreadsheet.meaning.meanings import meanings_of

WORDS = {
    "required": "yn",
    "nullable": "yn",
    "foreign_key": "yn",
    "unique": "yn",
    "primary_key": "yn",
}


def parses(meaning, cell):
    """A small stand-in: yes and no, numbers, names with a point."""
    text = cell.text.lower()
    if WORDS.get(meaning) == "yn":
        return text in ("yes", "no", "y", "n", "true", "false")
    if meaning in ("length", "min_length", "precision", "scale", "min", "max", "threshold"):
        return text.lstrip("-").replace(".", "", 1).isdigit()
    if meaning == "reference":
        return "." in text
    if meaning == "sql":
        return any(sign in text for sign in "<>=")
    return "?" not in text


def read(headers, *rows, groups=(), chosen=None):
    found = meanings_of(block_of(headers, *rows, groups=groups), parses, chosen or {})
    return {(row.header.group, row.header.text): row for row in found}


def told(headers, *rows, groups=(), chosen=None):
    """Header -> meaning, in brackets where it is not sure."""
    found = read(headers, *rows, groups=groups, chosen=chosen)
    return {
        (f"{group}/{text}" if group else text): (row.meaning if row.sure else [row.meaning])
        for (group, text), row in found.items()
    }


ROWS = [("cust_id", "Customer number", "Yes"), ("cust_nm", "Name of it", "No")]


def test_a_plain_dictionary_is_sure():
    headers = ["Column Name", "Description", "Required", "Data Type", "Max Length"]
    rows = [("id", "the key", "Yes", "int", 9), ("name", "a name", "No", "text", 40)]
    found = read(headers, *rows)
    assert [row.meaning for row in found.values()] == [
        "column", "description", "required", "type", "length",
    ]  # fmt: skip
    assert all(row.sure and row.parsed == row.filled == 2 for row in found.values())


# Sure or not --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bad", "sure"), [(0, True), (1, True), (2, False)])
def test_95_percent_of_the_cells_must_be_understood(bad, sure):
    rows = [(f"c{n}", "maybe" if n < bad else "Yes") for n in range(20)]
    row = read(["Column", "Required"], *rows)["", "Required"]
    assert (row.meaning, row.sure, row.parsed, row.filled) == ("required", sure, 20 - bad, 20)
    if not sure:
        assert row.why == 'only 18 of its 20 cells can be read as required, and not "maybe"'


def test_meanings_without_rules_need_no_cells_that_are_understood():
    found = told(["Column", "Description", "Example", "Default"], ("a", "what?", "??", "?"))
    assert found == {
        "Column": "column", "Description": "description", "Example": "example",
        "Default": "default",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("headers", "rows", "header", "why"),
    [
        (["Column", "Mandatory", "Required"], [("a", "Yes", "No")], "Required", "several columns"),
        (["Column", "Foo"], [("a", "x")], "Foo", "no word"),
        (["Column", ""], [("a", "x")], "", "empty"),
        (["Column", "Key"], [("a", "Yes")], "Key", "it may mean primary_key"),
        (["Column", "Expected value"], [("a", "text")], "Expected value", "it may mean type"),
        (["Description", "Required"], [("a", "Yes")], "Required", "no column holds the names"),
        (["Name", "ID", "Required"], [("A b", "1", "Yes")], "Required", "names of the fields"),
        (["Column", "Req/Opt"], [("a", "Yes")], "Req/Opt", "yes and no"),
        (
            ["Column", "Where Clause", "Required"],
            [("a", "b = 1", "Yes")],
            "Required",
            "some records",
        ),
        (
            ["Table", "Dataset", "Column", "Required"],
            [("t", "u", "a", "Yes")],
            "Required",
            "tables",
        ),
    ],
)
def test_what_is_not_sure(headers, rows, header, why):
    row = read(headers, *rows)["", header]
    assert not row.sure
    assert why in row.why
    assert row.code == "column_unsure"
    assert row.may_bear_rules


def test_limits_beside_counts_are_what_the_data_held():
    found = read(["Column", "minvalue", "maxvalue", "count", "avg"], ("a", 1, 9, 100, 4))
    for header in ("minvalue", "maxvalue"):
        assert not found["", header].sure
        assert found["", header].code == "observed_values"
    assert (found["", "count"].meaning, found["", "avg"].meaning) == ("ignore", "ignore")
    chosen = read(["Column", "minvalue", "count"], ("a", 1, 100), chosen={"minvalue": "min"})
    assert chosen["", "minvalue"].sure
    plain = read(["Column", "minvalue", "maxvalue"], ("a", 1, 9))
    assert plain["", "minvalue"].sure


def test_a_general_word_yields_to_a_special_one():
    found = told(["Column", "Type", "Data Type"], ("a", "PK", "int"))
    assert (found["Type"], found["Data Type"]) == (["type"], "type")


def test_the_cells_tell_what_a_foreign_key_says():
    headers = ["Column", "FK"]
    assert told(headers, ("a", "Yes"), ("b", "No"))["FK"] == "foreign_key"
    assert told(headers, ("a", "orders.id"), ("b", "t.u"))["FK"] == "reference"
    assert told(headers, ("a", "orders"), ("b", "No"))["FK"] == ["foreign_key"]
    assert told(headers, ("a", None))["FK"] == ["foreign_key"]


def test_a_threshold_is_about_the_column_that_its_header_names():
    headers = [
        "column",
        "isRequired",
        "isRequiredThreshold",
        "isRequiredNotes",
        "strange",
        "strangeThreshold",
    ]
    found = read(headers, ("a", "Yes", 5, "why?", "x", 0))
    row = found["", "isRequiredThreshold"]
    assert (row.meaning, row.sure, row.about) == ("threshold", True, 1)
    assert found["", "isRequiredNotes"].meaning == "description"
    assert (found["", "strange"].meaning, found["", "strangeThreshold"].about) == (None, 4)
    chosen = read(headers, ("a", "Yes", 5), chosen={"isRequiredThreshold": "threshold"})
    assert chosen["", "isRequiredThreshold"].about == 1


def test_an_owner_beside_a_table_is_a_schema():
    assert told(["OWNER", "TABLE", "COLUMN"], ("s", "t", "a"))["OWNER"] == "schema"
    assert told(["Owner", "Column"], ("Jane Doe", "a"))["Owner"] == "owner"


def test_spoilt_and_struck_cells_tell_nothing():
    block = block_of(["Column", "Required"], ("a", "Yes"))
    record = block.records[0]
    from dataclasses import replace

    bad = replace(record.cells[1][0], text="#REF!", trouble="an error value")
    struck = replace(record.cells[1][0], text="perhaps", struck=True)
    records = (replace(record, cells={**record.cells, 1: (record.cells[1][0], bad, struck)}),)
    row = meanings_of(replace(block, records=records), parses)[1]
    assert (row.sure, row.parsed, row.filled) == (True, 1, 1)


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "rows", "expected"),
    [
        (["Field", "Name"], [("cust_id", "The id")], {"Field": "column", "Name": "label"}),
        (["Name", "Label"], [("cust_id", "The id")], {"Name": "column", "Label": "label"}),
        # The one whose cells are names of a database
        (["Column", "Field"], [("cust_id", "The id")], {"Column": "column", "Field": "label"}),
        (["Column", "Field"], [("a", "b")], {"Column": ["column"], "Field": ["column"]}),
        (["Column", "Field"], [("a b", "c d")], {"Column": ["column"], "Field": ["column"]}),
        (["Column", "Field"], [("a", "b"), ("c", "b"), ("d", "b")],
         {"Column": "column", "Field": "ignore"}),
        # A number or sign is no name by its looks
        (["ID", "Title"], [("F1", "The id")], {"ID": ["column"], "Title": "title"}),
        (["Field", "SAS Name"], [("The id", "ID_")], {"Field": ["column"], "SAS Name": ["column"]}),
        (["Property", "Physical Name"], [("a", "x"), ("b", None)],
         {"Property": ["column"], "Physical Name": ["column"]}),
        (["List name", "Name"], [("yes_no", "y")], {"List name": "list_name", "Name": ["column"]}),
    ],
)  # fmt: skip
def test_which_column_holds_the_names(headers, rows, expected):
    assert told(headers, *rows) == expected


def test_a_column_of_tables_that_is_nearly_empty_says_nothing_of_the_others():
    rows = [(None if n else "t", f"c{n}", "Yes") for n in range(30)]
    found = told(["Table", "Column", "Required"], *rows)
    assert (found["Table"], found["Required"]) == (["table"], "required")


def test_rows_of_a_table_that_names_it_once():
    found = told(
        ["Table", "Column", "Required"], ("t", "a", "Yes"), (None, "b", "No"), (None, "c", "No")
    )
    assert (found["Table"], found["Required"]) == (["table"], ["required"])


# Mappings -----------------------------------------------------------------------------------------


def test_the_target_of_a_mapping_is_checked():
    found = told(
        ["Column", "Nullable", "Column", "Nullable"],
        ("a", "Yes", "b", "No"),
        groups=["Source", "Source", "Target", "Target"],
    )
    assert found == {
        "Source/Column": "ignore", "Source/Nullable": "ignore",
        "Target/Column": "column", "Target/Nullable": "nullable",
    }  # fmt: skip


def test_sides_in_the_headers_themselves():
    found = told(
        [
            "SRC_TABLE",
            "SRC_FIELD",
            "SRC_FIELD_DATATYPE",
            "DEST_SCHEMA",
            "DEST_TABLE",
            "DEST_COLUMN",
        ],
        ("s", "x", "int", "d", "t", "y"),
    )
    assert found == {
        "SRC_TABLE": "ignore", "SRC_FIELD": "ignore", "SRC_FIELD_DATATYPE": ["type"],
        "DEST_SCHEMA": "schema", "DEST_TABLE": "table", "DEST_COLUMN": "column",
    }  # fmt: skip


@pytest.mark.parametrize(
    "groups", [["A", "A", "B", "B"], ["Target 1", "Target 1", "Target 2", "Target 2"]]
)
def test_two_groups_that_are_no_source_and_target(groups):
    found = told(
        ["Column", "Nullable", "Column", "Nullable"], ("a", "Yes", "b", "No"), groups=groups
    )
    assert all(isinstance(meaning, list) for meaning in found.values())


def test_a_source_alone():
    found = told(["Source Column", "Source Nullable"], ("a", "Yes"))
    assert found == {"Source Column": ["column"], "Source Nullable": ["nullable"]}


# Rule lists ---------------------------------------------------------------------------------------


def test_lists_of_rules():
    found = told(
        ["Rule", "Rule Detail", "Type", "Severity"], ("A1", "x must be y", "Existence", "High")
    )
    assert found == {
        "Rule": "rule_id", "Rule Detail": "rule", "Type": "rule_kind", "Severity": "severity",
    }  # fmt: skip
    kinds = told(["rule_name", "field_name", "rule_type"], ("n", "a", "not_null"))
    assert kinds["rule_type"] == "rule"
    sql = told(["table", "column", "rule_type", "expectation"], ("t", "a", "row_dq", "a > 0"))
    assert (sql["rule_type"], sql["expectation"]) == ("rule_kind", "sql")


# Profiles -----------------------------------------------------------------------------------------


def test_what_a_profile_names_is_sure():
    headers = ["Foo", "Bar", "Column", "Required"]
    chosen = {"foo": "column", "Bar": "required", "Required": "ignore"}
    found = told(headers, ("a b", "perhaps", "c", "Yes"), chosen=chosen)
    assert found == {"Foo": "column", "Bar": "required", "Column": "label", "Required": "ignore"}


def test_a_profile_may_name_a_header_by_its_group():
    headers, groups = ["Column", "Type", "Type"], ["", "Old", "New"]
    found = told(headers, ("a", "int", "text"), groups=groups, chosen={"New/Type": "type"})
    assert (found["New/Type"], found["Old/Type"]) == ("type", ["type"])
    both = told(headers, ("a", "int", "text"), groups=groups, chosen={"Type": "type"})
    assert (both["New/Type"], both["Old/Type"]) == (["type"], ["type"])


# Promises -----------------------------------------------------------------------------------------

HEADERS = ["Column", "Field", "Name", "Required", "Nullable", "Type", "Data Type", "Min", "count",
           "FK", "Table", "Key", "Foo", "", "Rule", "Rule type", "Source Type",
           "Where clause", "Notes"]  # fmt: skip
CELLS = st.sampled_from([None, "a", "b_c", "a b", "Yes", "?", "t.x", 5])


@st.composite
def blocks(draw):
    headers = draw(st.lists(st.sampled_from(HEADERS), max_size=7))
    rows = draw(st.lists(st.tuples(*[CELLS] * len(headers)), max_size=4))
    groups = draw(st.lists(st.sampled_from(["", "Source", "Target", "X"]), max_size=len(headers)))
    return block_of(headers, *rows, groups=groups)


@settings(max_examples=300, deadline=None)
@given(blocks())
def test_what_is_sure_can_be_relied_on(block):
    found = meanings_of(block, parses)
    assert [row.header for row in found] == list(block.headers)
    sure = [row for row in found if row.sure]
    names = [row for row in sure if row.meaning == "column"]
    assert len(names) <= 1
    bound = [row for row in sure if row.meaning in RULES - {"rule", "sql", "threshold"}]
    assert names or not bound
    single = [row.meaning for row in bound if row.meaning != "threshold"]
    assert len(single) == len(set(single))
    for row in found:
        assert row.why
        assert row.code in gaps()
        assert row.parsed <= row.filled
        assert row.meaning is not None or not row.sure


@settings(max_examples=100, deadline=None)
@given(blocks(), st.randoms())
def test_the_order_of_the_rows_changes_nothing(block, random):
    from dataclasses import replace

    shuffled = list(block.records)
    random.shuffle(shuffled)
    if any(row.meaning == "table" for row in meanings_of(block, parses)):
        return  # whether the first row names the table is told by the order
    again = meanings_of(replace(block, records=tuple(shuffled)), parses)
    assert again == meanings_of(block, parses)


def test_a_group_stands_for_a_header_that_is_empty():
    found = told(["Column", ""], ("a", "why?"), groups=["Fields", "Comments"])
    assert found == {"Fields/Column": "column", "Comments/": "description"}
