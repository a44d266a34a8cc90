"""A whole dictionary through the command's own road: its books, tables, keys, names, statuses."""

from dataclasses import replace

import pytest
from made_workbooks import saved
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from spreadsheet_project import HEADER, at, book_of, convert, csv_of, made, refused, source, xlsx

from ruleferry.converters.readers.spreadsheet import reading
from ruleferry.converters.reports.books import imbalances
from ruleferry.converters.sources import ConservationError

TABLED = ("Table", "Field", "Type", "Required", "Minimum")
ORDERS = ("orders", "id", "int", "Y", 1)
CUSTOMERS = ("customers", "id", "int", "Y", 2)


def entries(done, place):
    return [e for e in done.ledger.entries if e.origin.place == place]


def tables(done):
    return sorted({e.table for e in done.ledger.entries})


# The books ----------------------------------------------------------------------------------------

SHEET = (
    ("Orders of the shop",),
    (),
    (*HEADER, "Strange header", "Description"),
    ("id", "int", "Y", 1, 9, "", "", "what?", "a key"),
    ("st", "char(1)", "N", "", "", "A; B", "must be A", "", "a state"),
)


@pytest.mark.parametrize("made_of", [lambda: xlsx(*SHEET), lambda: csv_of(*SHEET)])
def test_every_filled_cell_is_of_one_class(tmp_path, made_of):
    content = made_of()
    name = "d.xlsx" if content[:2] == b"PK" else "d.csv"
    done = convert(tmp_path, {name: content})
    cells = source(done, name).cells
    assert sum(cells.values()) == sum(value != "" for row in SHEET for value in row)
    # Rule may mean several things, and Strange header anything: both are asked.
    assert (cells["header"], cells["name"], cells["rule"], cells["unsure"]) == (9, 2, 7, 2)
    assert source(done, name).atoms == 9
    assert imbalances(done.ledger) == ()


def lose_one(stated):
    return list(stated)[1:]


def make_one_up(stated):
    found = list(stated)
    return [*found, replace(found[0], atom="Fields!ZZ99")]


@pytest.mark.parametrize("breaking", [lose_one, make_one_up])
def test_a_reader_that_loses_a_cell_is_found_out(tmp_path, monkeypatch, breaking):
    right = reading._stated
    monkeypatch.setattr(reading, "_stated", lambda *told: iter(breaking(right(*told))))
    with pytest.raises(ConservationError, match=r"d\.xlsx: 8 rules were counted"):
        convert(tmp_path, {"d.xlsx": xlsx(HEADER, *SHEET[3:])})
    assert not (tmp_path / "expectations").exists()


def test_a_class_that_is_lost_is_found_out(tmp_path, monkeypatch):
    right = reading.classes
    monkeypatch.setattr(reading, "classes", lambda look: _without_a_header(right(look)))
    with pytest.raises(ConservationError):
        convert(tmp_path, {"d.xlsx": xlsx(HEADER, *SHEET[3:])})


def _without_a_header(found):
    found["header"] -= 1
    return found


# Tables -------------------------------------------------------------------------------------------


def test_a_column_names_the_tables(tmp_path):
    done = convert(tmp_path, {"d.xlsx": xlsx(TABLED, ORDERS, CUSTOMERS)})
    assert tables(done) == ["customers", "orders"]


def test_several_tables_in_one_cell_that_others_name_alone(tmp_path):
    both = ("orders; customers", "changed", "date", "Y", "")
    done = convert(tmp_path, {"d.xlsx": xlsx(TABLED, ORDERS, CUSTOMERS, both)})
    assert sorted(e.table for e in entries(done, "Fields!D4")) == ["customers", "orders"]
    strange = ("orders; clients", "changed", "date", "Y", "")
    done = convert(tmp_path / "2", {"d.xlsx": xlsx(TABLED, ORDERS, CUSTOMERS, strange)})
    assert [e.table for e in entries(done, "Fields!D4")] == ["orders; clients"]


def test_the_sheet_names_the_table(tmp_path):
    content = xlsx(HEADER, ("id", "int"), name="Orders", Customers=[HEADER, ("no", "int")])
    assert tables(convert(tmp_path, {"d.xlsx": content})) == ["Customers", "Orders"]


def test_a_key_and_a_value_above_the_header_name_it(tmp_path):
    content = xlsx(("Table", "sales.orders"), (), HEADER, ("id", "int"), name="Sheet1")
    assert tables(convert(tmp_path, {"d.xlsx": content})) == ["sales.orders"]


def test_nothing_names_it(tmp_path):
    done = convert(tmp_path, {"dict.xlsx": xlsx(HEADER, ("id", "int"), name="Sheet1")})
    (entry,) = done.ledger.entries
    assert (entry.table, entry.caveats[0].code) == ("dict", "table_not_stated")
    assert entry.caveats[0].detail == "the module reads dict, the name of its source"


@pytest.mark.parametrize("key", ["orders", "d.xlsx", "d"])
def test_the_command_names_it(tmp_path, key):
    done = convert(tmp_path, {"d.xlsx": xlsx(TABLED, ORDERS)}, table=[f"{key}=m.s.o"])
    assert tables(done) == ["m.s.o"]


def test_the_command_names_one_table_of_two(tmp_path):
    files = {"d.xlsx": xlsx(TABLED, ORDERS, CUSTOMERS)}
    assert tables(convert(tmp_path, files, table=["orders=m.s.o"])) == ["customers", "m.s.o"]


def test_one_name_for_a_file_of_two_tables_is_refused(tmp_path):
    files = {"d.xlsx": xlsx(TABLED, ORDERS, CUSTOMERS)}
    message = refused(tmp_path, files, table=["d.xlsx=m.s.o"])
    assert "the tables customers, orders, and one name for the file" in message


def test_the_configuration_names_it_where_nothing_else_does(tmp_path):
    toml = '[[source]]\npath = ["*.xlsx"]\ntable = "m.s.o"\n'
    content = xlsx(HEADER, ("id", "int"), name="Sheet1")
    done = convert(tmp_path, {"ruleferry.toml": toml, "d.xlsx": content})
    assert tables(done) == ["m.s.o"]
    done = convert(tmp_path / "2", {"ruleferry.toml": toml, "d.xlsx": xlsx(TABLED, ORDERS)})
    assert tables(done) == ["orders"]


# Keys ---------------------------------------------------------------------------------------------

KEYED = ("Table", "Field", "Type", "Primary key")


def keys(done):
    return sorted(
        (e.table, e.columns)
        for e in done.ledger.entries
        if (e.kind, e.outcome) == ("unique", "flag")
    )


def test_a_key_over_several_fields(tmp_path):
    rows = [("o", "b", "int", "Y"), ("o", "a", "int", "Y"), ("c", "a", "int", "Y")]
    done = convert(tmp_path, {"d.xlsx": xlsx(KEYED, *rows, ("c", "x", "int", "N"))})
    assert keys(done) == [("c", ("a",)), ("o", ("a", "b"))]
    assert sorted(made(e) for e in entries(done, "Fields!D2")) == ["b IS NOT NULL", "not_a_rule"]


def test_a_field_of_two_tables_is_a_part_of_another_key_in_each(tmp_path):
    rows = [("o", "a", "int", "Y"), ("c", "b", "int", "Y"), ("o; c", "z", "int", "Y")]
    done = convert(tmp_path, {"d.xlsx": xlsx(KEYED, *rows)})
    assert keys(done) == [("c", ("b", "z")), ("o", ("a", "z"))]


def test_a_part_of_a_key_that_refers_to_another_table_still_asks_to_which(tmp_path):
    rows = [("o", "a", "int", "PK, FK"), ("o", "b", "int", "PK")]
    done = convert(tmp_path, {"d.xlsx": xlsx(KEYED, *rows)})
    assert keys(done) == [("o", ("a", "b"))]
    assert "other_records" in at(done, "Fields!D2")


def test_a_retired_field_is_no_part_of_a_key(tmp_path):
    rows = [("o", "a", "int", "Y", "Active"), ("o", "b", "int", "Y", "Retired")]
    done = convert(tmp_path, {"d.xlsx": xlsx((*KEYED, "Status"), *rows)})
    assert keys(done) == [("o", ("a",))]


# Names, thresholds, statuses ----------------------------------------------------------------------


def test_a_phrase_names_columns_of_its_own_table(tmp_path):
    header = ("Table", "Field", "Label", "Type", "Validation rule")
    rows = [
        ("o", "begun", "Start date", "date", ""),
        ("o", "ended", "End date", "date", "must be after begun"),
        ("o", "sent", "Sent", "date", "must be after Start date"),
        ("c", "born", "Birth", "date", "must be after begun"),
        ("o", "part", "Part", "int", "must be between 0 and 100 or so"),
    ]
    done = convert(tmp_path, {"d.xlsx": xlsx(header, *rows)})
    columns = {p: entries(done, p)[0].columns for p in ("Fields!E3", "Fields!E4")}
    assert {p: set(c) for p, c in columns.items()} == {
        "Fields!E3": {"begun", "ended"},
        "Fields!E4": {"begun", "sent"},
    }
    assert entries(done, "Fields!E5")[0].outcome == "gap"
    assert entries(done, "Fields!E6")[0].outcome == "gap"


def test_a_threshold_makes_a_share_of_the_column_that_it_is_about(tmp_path):
    header = ("Field", "Type", "Required", "requiredThreshold")
    rows = [("a", "int", "Y", "95%"), ("b", "int", "Y", ""), ("c", "int", "Y", "5")]
    done = convert(tmp_path, {"d.xlsx": xlsx(header, *rows)})
    outcomes = {e.origin.place: (e.kind, e.outcome) for e in done.ledger.entries}
    assert outcomes["Fields!C2"] == ("share", "dataset")
    assert outcomes["Fields!C3"] == ("present", "record")
    assert outcomes["Fields!C4"] == ("present", "gap")  # of good records or of bad ones?
    assert outcomes["Fields!D2"] == outcomes["Fields!D4"] == ("share", "not_a_rule")
    assert outcomes["Fields!B2"] == ("type", "record")


def test_the_status_of_a_field(tmp_path):
    states = ("Active", "", "Retired", "Deprecated", "Draft")
    rows = [(f"c{n}", "int", state) for n, state in enumerate(states)]
    done = convert(tmp_path, {"d.xlsx": xlsx(("Field", "Type", "Status"), *rows)})
    outcomes = [entries(done, f"Fields!B{n}")[0] for n in range(2, 7)]
    assert [e.outcome for e in outcomes] == ["record", "record", "not_a_rule", "not_a_rule", "gap"]
    assert outcomes[-1].gap.code == "status_doubt"


def test_severity_and_owner_are_tags_and_decide_nothing(tmp_path):
    header = ("Field", "Type", "Severity", "Owner")
    done = convert(tmp_path, {"d.xlsx": xlsx(header, ("a", "int", "Fatal", "Ann"))})
    (entry,) = done.ledger.entries
    assert dict(entry.tags) == {"owner": "Ann", "severity": "Fatal"}
    assert (entry.action, entry.because.by) == ("warn", "default")


def test_a_row_that_names_no_column_asks_which(tmp_path):
    rows = [*((f"c{n}", "int") for n in range(30)), ("", "int")]
    done = convert(tmp_path, {"d.xlsx": xlsx(("Field", "Type"), *rows)})
    assert at(done, "Fields!B32") == ["not_understood"]
    assert at(done, "Fields!B31") == [entries(done, "Fields!B31")[0].condition]


# Rule lists and templates -------------------------------------------------------------------------

RULES = ("Rule ID", "Table", "Column", "Rule description", "SQL expression", "Severity")


def test_each_row_of_a_rule_list_is_one_atom(tmp_path):
    rows = [
        ("R1", "orders", "amount", "positive", "amount > 0", "High"),
        ("R2", "orders", "amount", "a query", "SELECT count(*) FROM orders WHERE amount < 0", ""),
    ]
    done = convert(tmp_path, {"d.xlsx": xlsx(RULES, *rows, name="Rules")})
    first, second = done.ledger.entries
    assert (first.atom, first.name, first.outcome) == ("Rules!row 2", "r1", "record")
    assert (second.atom, second.name, second.outcome) == ("Rules!row 3", "r2", "gap")
    assert source(done, "d.xlsx").read_as == "rule list"
    assert source(done, "d.xlsx").cells == {"header": 6, "rule": 11}


def template():
    book = book_of({"Orders": [("order_id", "status", "qty")]})
    for place, text in (("A1", "Must not be blank"), ("C1", "How many of them")):
        book["Orders"][place].comment = Comment(text, "me")
    for kind, area, told in (
        ("list", "B2:B99", {"formula1": '"A,B"'}),
        ("whole", "C2:C99", {"operator": "between", "formula1": "1", "formula2": "9"}),
    ):
        validation = DataValidation(type=kind, **told)
        validation.add(area)
        book["Orders"].add_data_validation(validation)
    return saved(book)


def test_a_template_states_its_rules_in_validations_and_comments(tmp_path):
    done = convert(tmp_path, {"d.xlsx": template()})
    assert {(e.atom, e.kind, e.columns): e.outcome for e in done.ledger.entries} == {
        ("Orders!B2 validation 1", "allowed", ("status",)): "record",
        ("Orders!C2 validation 2", "type", ("qty",)): "record",
        ("Orders!C2 validation 2", "range", ("qty",)): "record",
        ("Orders!A1 comment", "present", ("order_id",)): "record",
        ("Orders!C1 comment", "predicate", ("qty",)): "gap",
    }
    assert tables(done) == ["Orders"]


def test_a_validation_of_the_dictionary_itself_is_no_rule_of_the_data(tmp_path):
    book = book_of({"Fields": [HEADER, ("id", "int", "Y")]})
    validation = DataValidation(type="list", formula1='"Y,N"')
    validation.add("C2:C99")
    book["Fields"].add_data_validation(validation)
    done = convert(tmp_path, {"d.xlsx": saved(book)})
    (entry,) = [e for e in done.ledger.entries if "validation" in e.atom]
    assert entry.outcome == "not_a_rule"
    assert "typed into the sheet itself" in entry.reason


def test_a_name_counts_only_where_each_table_of_the_field_has_it(tmp_path):
    """A rule of two tables may not speak of a column that one of them lacks."""
    rows = [
        ("Table", "Column", "Required", "Validation rule"),
        ("Acc; Loc", "x", "Yes", "must be less than or equal to y"),
        ("Acc; Loc", "z", "Yes", "must be less than or equal to x"),
        ("Acc", "y", "Yes", ""),
        ("Loc", "w", "Yes", ""),
    ]
    done = convert(tmp_path, {"d.xlsx": xlsx(*rows)})
    assert {(e.table, e.outcome) for e in entries(done, "Fields!D2")} == {
        ("Acc", "gap"),
        ("Loc", "gap"),
    }
    assert {(e.table, e.outcome) for e in entries(done, "Fields!D3")} == {
        ("Acc", "record"),
        ("Loc", "record"),
    }


def test_the_table_of_the_configuration_beats_the_name_of_the_only_sheet(tmp_path):
    rows = [("Column", "Required"), ("a", "Yes")]
    told = '[[source]]\npath = ["d.xlsx"]\ntable = "main.sales.orders"\n'
    files = {"d.xlsx": xlsx(*rows, name="Orders"), "ruleferry.toml": told}
    assert tables(convert(tmp_path / "one", files)) == ["main.sales.orders"]
    files["d.xlsx"] = xlsx(*rows, name="Orders", Lines=rows)
    assert tables(convert(tmp_path / "two", files)) == ["Lines", "Orders"]
