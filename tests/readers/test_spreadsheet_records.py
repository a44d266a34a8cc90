"""Cells of one record read together, what is in force, keys of a table, and real dictionaries."""

from collections import Counter
from datetime import date

import pytest
from dictionary_cells import MAPPED, records
from dictionary_values import SETTING, cell, field, short

from ruleferry.converters.predicates import AgainstToday, Length, OneOf, Present, Range, Typed
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting
from ruleferry.converters.readers.spreadsheet.values.cell_values import understood
from ruleferry.converters.readers.spreadsheet.values.keys import key_statements
from ruleferry.converters.readers.spreadsheet.values.record_values import read_record, told
from ruleferry.converters.readers.spreadsheet.values.statuses import in_force
from ruleferry.converters.rule import Exists, Lookup, Unique

MUST = Present("x")


def together(setting=SETTING, sort=None, **texts):
    """Meaning -> what its cell states; a tuple is one cell below the other."""
    cells, places = {}, {}
    for index, (meaning, value) in enumerate(texts.items()):
        rows = value if isinstance(value, tuple) else (value,)
        made = tuple(
            each if hasattr(each, "row") else cell(each, row, index)
            for row, each in enumerate(rows)
        )
        cells[meaning] = made
        places[meaning] = [(each.row, each.column) for each in made]
    found = read_record(cells, field(sort), setting)
    stated = {m: [short(s) for p in at for s in found.get(p, ())] for m, at in places.items()}
    return {m: s[0] if len(s) == 1 else s for m, s in stated.items()}


def _made(value, row, column):
    return value if hasattr(value, "row") else cell(value, row, column)


def digits(*numbers):
    return Typed("x", "decimal", *numbers)


# Types, lengths and digits ------------------------------------------------------------------------


def test_what_a_length_counts_is_told_by_the_type():
    assert together(type="CHAR", length="8") == {"type": "no rule", "length": Length("x", None, 8)}
    assert together(type="BIGINT", length="8")["length"] == "no rule"
    assert together(type="smallint", length="2")["length"] == "no rule"
    assert together(type="int", length="3")["length"] == "not_understood"
    assert together(type="DATE", length="8")["length"] == "no rule"
    assert together(type="float", length="21")["length"] == "not_understood"
    assert together(type="decimal", length="18, 1")["length"] == digits(18, 1)
    assert together(type="Codes", length="8")["length"] == "not_understood"
    assert together(length="8")["length"] == Length("x", None, 8)


def test_no_length_of_a_text_is_ever_stated_of_a_number():
    for word in ("BIGINT", "int", "decimal", "NUM", "date", "bit", "timestamp", "float"):
        for text in ("8", "12", "18, 1", "20 characters", "1-3", "exactly 6"):
            assert not isinstance(together(type=word, length=text)["length"], Length), (word, text)


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ({"type": "decimal", "precision": "12", "scale": "8"}, digits(12, 8)),
        ({"type": "NUMBER", "precision": "12"}, digits(12)),
        ({"type": "numeric", "scale": "2"}, digits(None, 2)),
        ({"type": "decimal", "length": "18", "scale": "1"}, digits(18, 1)),
        ({"type": "decimal", "length": "12", "precision": "12", "scale": "8"}, digits(12, 8)),
        ({"type": "decimal(12,8)", "precision": "12", "scale": "8"}, digits(12, 8)),
    ],
)
def test_precision_and_scale_are_one_rule_with_the_type(texts, wanted):
    found = together(**texts)
    assert found.pop("type") == wanted
    assert set(found.values()) == {"no rule"}


def test_digits_that_contradict_the_type():
    found = together(type="decimal(10,2)", precision="12")
    assert found == {"type": "contradiction", "precision": "contradiction"}
    assert together(type="decimal", precision="2", scale="5")["type"] == Typed("x", "number")


def test_the_digits_that_a_type_has_anyway_are_no_rule():
    assert together(type="bigint", precision="19", scale="0") == {
        "type": Typed("x", "integer"), "precision": "no rule", "scale": "no rule"}  # fmt: skip
    assert together(type="float", precision="53")["precision"] == "no rule"
    assert together(type="varchar", precision="0", scale="0")["scale"] == "no rule"


# Contradictions -----------------------------------------------------------------------------------


def test_required_and_nullable_contradict_each_other():
    both = {"required": "contradiction", "nullable": "contradiction"}
    assert together(required="R", nullable="YES") == both
    assert together(required="O", nullable="NO") == both
    assert together(required="R", nullable="NO") == {"required": MUST, "nullable": MUST}
    assert together(required="CR", nullable="YES")["required"] == "condition_elsewhere"
    assert together(required="n/a", nullable="NO") == {"required": "no rule", "nullable": MUST}


def test_a_struck_cell_contradicts_nothing():
    struck = cell("R", 0, 0, struck=True)
    assert together(required=struck, nullable="YES") == {
        "required": "no rule", "nullable": "no rule"}  # fmt: skip


def test_bounds_that_cross_contradict_each_other():
    assert together(min="10", max="5") == {"min": "contradiction", "max": "contradiction"}
    assert together(min="2020-01-01", max="2019-01-01")["min"] == "contradiction"
    assert together(min="2020-01-01", max="5")["max"] == "contradiction"
    assert together(min_length="9", length="5")["length"] == "contradiction"
    assert together(min="0", max="-1")["max"] == "contradiction"


def test_two_bounds_are_one_rule():
    whole = Range("x", 5, 5, unknown="bad")
    assert together(min="5", max="5") == {"min": whole, "max": "no rule"}
    assert together(min_length="2", length="5")["min_length"] == Length("x", 2, 5)


def test_bounds_of_two_sorts_stay_two_rules():
    found = together(type="date", min="2020-01-01", max="today")
    assert found["min"] == Range("x", low=date(2020, 1, 1), as_times=True, unknown="bad")
    assert found["max"] == AgainstToday("x", "<=")


def test_an_exclusive_bound_as_a_switch():
    found = together(min="0", exclusive_min=True)
    assert found == {"min": Range("x", low=0, low_open=True, unknown="bad"),
                     "exclusive_min": "no rule"}  # fmt: skip
    assert together(max="9", exclusive_max="true")["max"] == Range(
        "x", high=9, high_open=True, unknown="bad"
    )
    assert together(min="0", exclusive_min=False)["min"] == Range("x", low=0, unknown="bad")


def test_the_type_tells_how_a_bound_is_read():
    bound = Range("x", low=date(1950, 1, 1), as_times=True, unknown="bad")
    assert together(type="date", min="19500101")["min"] == bound
    assert together(type="text", format="date_mdy", min="19500101")["min"] == bound
    assert together(type="date", max="43831")["max"] == "corrupted_cell"


# References and keys ------------------------------------------------------------------------------


def test_table_and_column_of_a_reference_are_one_rule():
    found = together(foreign_key="Yes", reference_table="SITES", reference_column="SITE_ID")
    lookup = Lookup("main.sites", (("x", "SITE_ID"),))
    assert found == {"foreign_key": "no rule", "reference_table": Exists(lookup, missing="good"),
                     "reference_column": "no rule"}  # fmt: skip
    dotted = together(reference_table="sites", reference_column="sites.SITE_ID")
    assert dotted["reference_table"] == Exists(lookup, missing="good")


def test_a_key_that_is_a_reference_as_well():
    found = together(primary_key="PK, FK", reference_table="sites", reference_column="ID")
    assert found["primary_key"] == [Unique(("x",)), MUST, "no rule"]
    assert together(primary_key="PK, FK")["primary_key"][2] == "other_records"


def test_what_a_cardinality_makes_of_the_other_cells():
    found = together(cardinality="1..*", type="int", max="5", required="Yes")
    assert found == {"cardinality": MUST, "type": "several_values", "max": "several_values",
                     "required": MUST}  # fmt: skip


def test_half_a_reference_is_a_question():
    assert together(foreign_key="Yes", reference_table="SITES") == {
        "foreign_key": "other_records", "reference_table": "other_records"}  # fmt: skip
    assert together(reference_column="ID") == {"reference_column": "other_records"}
    assert together(reference_table="SITES", reference_column="N/A")["reference_table"] == (
        "other_records"
    )
    assert together(reference_table="SITES", reference_column="towns.ID")["reference_table"] == (
        "other_records"
    )
    assert together(foreign_key="No", reference_table="SITES", reference_column="ID") == {
        "foreign_key": "contradiction", "reference_table": "contradiction",
        "reference_column": "other_records"}  # fmt: skip


def test_the_keys_of_a_table_are_one_key():
    one = [(cell("Y", 3, 2), Column("t", "a"))]
    assert [short(s) for s in key_statements("t", one)[(3, 2)]] == [Unique(("a",)), Present("a")]
    two = [*one, (cell("Y", 4, 2), Column("t", "b"))]
    found = key_statements("t", two)
    assert [short(s) for s in found[(3, 2)]] == [Unique(("a", "b")), Present("a")]
    assert [short(s) for s in found[(4, 2)]] == ["no rule", Present("b")]
    assert "S!C4" in found[(4, 2)][0].check.reason


# Lists --------------------------------------------------------------------------------------------


def test_one_value_in_each_row_is_a_list():
    found = together(codes=("A - Apple", "B - Berry", "C - Cherry"))["codes"]
    assert found == [OneOf("x", ("A", "B", "C")), "no rule", "no rule"]
    assert together(codes=("Yes", "No"))["codes"] == [OneOf("x", ("Yes", "No")), "no rule"]
    assert together(codes=("a;b", "c"))["codes"][0] == OneOf("x", ("a", "b"))
    assert "no rule" not in together(codes=("Yes", "etc"))["codes"][:1]


def test_lists_of_calculated_fields_and_several_values():
    assert together(type="calc", codes="1, Yes | 0, No")["codes"] == "no rule"
    assert together(type="slider", codes="None | Some | All")["codes"] == "no rule"
    assert together(type="checkbox", codes="1, Yes | 0, No")["codes"] == "several_values"
    assert together(cardinality="0..*", codes="a;b")["codes"] == "several_values"
    assert together(type="radio", codes="1, Yes | 0, No")["codes"] == OneOf("x", ("1", "0"))


# What is in force ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        ("Active", True), ("approved", True), ("New", True), ("Y", True), ("true", True),
        ("N/A", True), ("9999-12-31", True),
        ("Retired", False), ("depreciated", False), ("Deprecated", False), ("false", False),
        ("2019-10-31", False), (date(2019, 10, 31), False), ("Retired in v3", False),
        ("Proposed", None), ("in_review", None), ("Draft", None), ("?!", None), ("wobbly", None),
    ],
)  # fmt: skip
def test_a_status(status, wanted):
    standing = in_force([cell(status)])
    assert standing.in_force is wanted
    assert bool(standing.reason) == (wanted is not True)


def test_a_name_ends_a_field_as_well():
    assert not in_force([], cell("x", struck=True)).in_force
    assert not in_force([], cell("age (Removed from Metadata Template)")).in_force
    assert in_force([], cell("removed_at")).in_force
    legend = Setting(legend={"status": {"z": False, "retired": True}})
    assert not in_force([cell("Z")], setting=legend).in_force
    assert in_force([cell("Retired")], setting=legend).in_force


def test_rules_of_a_field_that_is_not_in_force():
    found = together(required="Yes", type="int", status="Retired")
    assert found == {"required": "no rule", "type": "no rule", "status": "no rule"}
    found = together(required="Yes", nullable="n/a", status="Proposed")
    assert found == {"required": "status_doubt", "nullable": "no rule", "status": "no rule"}
    found = together(column=cell("x", 0, 0, struck=True), required="Yes")
    assert found == {"column": [], "required": "no rule"}
    assert together(required="Yes", status="Active")["required"] == MUST


# Real dictionaries --------------------------------------------------------------------------------


@pytest.fixture
def read(shared):
    """File and sheet -> what the rule cells of the dictionary state, counted."""

    def read_mapped(file, sheet=""):
        mapped = next(m for m in MAPPED if (m.file, m.sheet) == (file, sheet))
        found = Counter()
        for _, name, table, cells in records(shared / "corpus" / "spreadsheets", mapped):
            for meaning, listed, stated in _each(read_record, cells, Column(table, name)):
                found.update((meaning, listed.text, _of_any(short(s), name)) for s in stated)
        return found

    return read_mapped


def _each(reader, cells, column):
    found = reader(cells, column, Setting())
    for meaning, listed in cells.items():
        for one in listed:
            yield meaning, one, found[(one.row, one.column)]


def _of_any(check, name):
    return check if isinstance(check, str) else str(check).replace(repr(name), "#")


def test_every_cell_of_the_real_dictionaries_states_something(shared):
    for mapped in MAPPED:
        for _, name, table, cells in records(shared / "corpus" / "spreadsheets", mapped):
            for meaning, one, stated in _each(read_record, cells, Column(table, name)):
                assert stated, (mapped.file, meaning, one.place)


def test_most_cells_of_the_real_dictionaries_are_understood(shared):
    """Not those of 12 and 37, whose letters and types need a legend."""
    for mapped in MAPPED:
        seen, known = Counter(), Counter()
        for _, name, table, cells in records(shared / "corpus" / "spreadsheets", mapped):
            column = told(cells, Column(table, name))
            for meaning, listed in cells.items():
                seen[meaning] += len(listed)
                known[meaning] += sum(understood(meaning, c, column, Setting()) for c in listed)
        if mapped.file[:2] in ("12", "16", "37", "39"):
            continue
        for meaning, number in seen.items():
            assert known[meaning] >= 0.95 * number, (mapped.file, mapped.sheet, meaning)


def test_contradictions_of_a_real_dictionary(read):
    found = read("08_oasis_oed_spec.xlsx", "OED Input Fields")
    assert found["required", "R", "contradiction"] == 4
    assert found["nullable", "YES", "contradiction"] == 4
    assert found["required", "CR", "condition_elsewhere"] == 184
    assert found["range", "[-999,-999], [0,1]", "not_understood"] == 3


def test_references_of_a_real_dictionary(read):
    found = read("01_ohdsi_dqd_field_level.csv")
    stated = Counter(meaning for meaning, _, check in found.elements() if "Exists(" in check)
    assert stated == {"reference_table": 177}
    assert found["max", "DATEADD(dd,1,GETDATE())",
                 "AgainstToday(column=#, operator='<=', days=1, now=True)"] == 55  # fmt: skip


def test_lengths_of_a_real_dictionary_stand_on_texts_alone(read):
    for sheet in ("Carrier", "Inpatient", "PDE"):
        found = read("14_cms_bfd_rif_layout.xlsx", sheet)
        lengths = sum(n for (_, _, check), n in found.items() if "Length(" in check)
        texts = sum(n for (m, text, _), n in found.items() if m == "type" and text == "CHAR")
        stars = found["length", "*", "legend_missing"]
        assert texts - stars <= lengths <= texts


def test_lists_of_a_real_dictionary_are_those_of_its_codes(read):
    found = read("30_redcap_radx_up.csv")
    for (meaning, text, check), _ in found.items():
        if meaning == "codes" and "OneOf(" in check:
            codes = tuple(part.split(",", 1)[0].strip() for part in text.split("|"))
            assert check.startswith(f"OneOf(column=#, values={codes!r}, ")


def test_letters_of_a_real_dictionary_wait_for_a_legend(read):
    found = read("12_gsc_mixs_v6.xlsx", "environmental_packages")
    assert found["required", "X", "legend_missing"] == 1390
    assert found["required", "E", "legend_missing"] == 7


def test_fields_that_ended_in_a_real_dictionary(read):
    found = read("38_digital_land_field.csv")
    assert not any("Typed" in check for (m, text, check) in found if m == "status")
    assert found["type", "datetime", "no rule"] == 5


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2019-10-31", False),
        ("2026-11-30", False),
        ("2026-12-01", None),
        ("2031-01-01", None),
        ("9999-12-31", True),
        ("2099-01-01", True),
        (date(2020, 5, 1), False),
        (date(2032, 5, 1), None),
    ],
)
def test_the_day_on_which_a_field_ends(text, wanted):
    """Whether a day to come has come is not asked of a clock."""
    status = cell(text)
    assert in_force([status]).in_force is wanted
