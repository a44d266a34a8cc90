"""What compares a conversion with hand-made rules, tried on a suite that is no spreadsheet."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from spreadsheet_check import config_of, judge, run, says, spelt, summary
from spreadsheet_count import filled_cells
from spreadsheet_truth import (
    ANY,
    File,
    between,
    gaps,
    length,
    matches,
    never,
    one_of,
    present,
    refers,
    when,
)
from spreadsheet_truth_books import BOOKS
from spreadsheet_truth_csv import CSV
from spreadsheet_truth_large import LARGE
from spreadsheet_truth_lists import LISTS
from suites import suite, values, write

from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import OneOf, Present
from ruleferry.converters.readers.spreadsheet.layout.sheets import layout_of
from ruleferry.converters.readers.spreadsheet.meaning.header_words import known_meaning
from ruleferry.converters.readers.spreadsheet.meaning.profile import read_profile, settings_of
from ruleferry.converters.readers.spreadsheet.meaning.profile_match import check_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table

ONLY_F = {"row_condition": 'col("S") == "F"', "condition_parser": "great_expectations"}
SUITE = suite(
    "orders",
    values("not_be_null", "Id"),
    values("be_between", "price", min_value=0, max_value=10.5),
    values("be_in_set", "status", value_set=["a", "b"]),
    values("not_be_null", "Id"),
    values("not_be_null", "kind", **ONLY_F),
    {"type": "expect_home_made", "kwargs": {"column": "x"}},
    values("match_regex", "code", regex="^A"),
)
PLACES = [f"expectations[{number}]" for number in range(7)]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("orders")
    write(folder, {"orders.json": SUITE})
    config = config_of(folder, "orders.json", None)
    source = replace(config.sources[0], engine="spark")
    return run(replace(config, sources=(source,)))


def at(found, number):
    (pair,) = found.at(PLACES[number])
    return pair


RIGHT = [
    (0, present("", "id")),
    (0, present("", "ID", "orders")),
    (1, between("", "price", 0, Decimal("10.5"))),
    (2, one_of("", "status", "b", "a")),
    (3, present("", "Id")),
    (4, present("", "kind", scopes=when("S", "F"))),
    (6, matches("", "code", "^B", "^A")),
]
WRONG = [
    (0, present("", "price")),
    (0, replace(present("", "id"), kinds=("absent",))),
    (0, one_of("", "id", "a")),
    (1, between("", "price", 0, 10)),
    (1, between("", "price", 0, None)),
    (1, length("", "price", 0, 10)),
    (2, one_of("", "status", "a", "b", "c")),
    (4, present("", "kind")),
    (4, present("", "kind", scopes=when("S", "G"))),
    (5, present("", "x")),
    (6, matches("", "code", "^B")),
]


@pytest.mark.parametrize(("number", "expected"), RIGHT)
def test_an_entry_says_what_was_expected(found, number, expected):
    assert says(expected, *at(found, number), found)


@pytest.mark.parametrize(("number", "expected"), WRONG)
def test_an_entry_does_not_say_anything_else(found, number, expected):
    assert not says(expected, *at(found, number), found)


def test_another_table_is_another_rule(found):
    entry, draft = at(found, 0)
    ours = present("", "id", draft.target.name)
    assert says(ours, entry, draft, found)
    assert not says(replace(ours, table="invoices"), entry, draft, found)


def case(**parts):
    return File("orders.json", None, **parts)


def test_what_is_right_wrong_missing_and_asked(found):
    verdict = judge(
        case(
            rules=(
                present(PLACES[0], "id"),
                between(PLACES[1], "price", 0, 10),
                present("nowhere", "id"),
            ),
            may=(one_of(PLACES[2], "status", "a", "b"),),
            gaps=gaps("its code is not here", {"custom_expectation"}, PLACES[5]),
            not_rules=never("nothing", "nowhere"),
        ),
        found,
    )
    assert [e.place for e in verdict.found] == [PLACES[0]]
    assert [told.split()[0] for told in verdict.missing] == [PLACES[1], "nowhere"]
    assert verdict.right == 2
    assert [told.split()[0] for told in verdict.wrong] == [PLACES[1]]
    assert verdict.not_gaps == ()
    assert (round(verdict.precision, 2), round(verdict.recall, 2)) == (0.67, 0.33)
    assert "67% (2 of 3)  recall  33% (1 of 3)" in summary([verdict])


def test_a_rule_at_a_gap_is_wrong_and_so_is_a_gap_of_another_code(found):
    asked = gaps("", ANY, PLACES[0]) + gaps("", {"regex"}, PLACES[5])
    verdict = judge(case(gaps=asked), found)
    assert [told.split()[0] for told in verdict.wrong] == [PLACES[0]]
    assert [told.split(":")[0] for told in verdict.not_gaps] == [PLACES[0], PLACES[5]]


def test_a_cell_that_is_no_rule_is_neither_carried_over_nor_asked_about(found):
    verdict = judge(case(not_rules=never("", PLACES[0], PLACES[5])), found)
    assert [told.split()[0] for told in verdict.wrong] == [PLACES[0]]
    assert [told.split(":")[0] for told in verdict.not_gaps] == [PLACES[5]]
    harmless = judge(case(not_rules=never("", PLACES[5], gap_ok=True)), found)
    assert (harmless.wrong, harmless.not_gaps) == ((), ())


def test_a_rule_may_stand_in_another_cell_of_its_row(found):
    expected = present("elsewhere", "id", also=(PLACES[0],))
    assert judge(case(rules=(expected,)), found).missing == ()


def test_columns_are_spelt_as_in_the_file_and_values_are_not():
    own = {"id": "Id", "a": "A"}
    assert spelt(Row(Present("ID")), own) == Row(Present("Id"))
    assert spelt(OneOf("a", ("a", "id")), own) == OneOf("A", ("a", "id"))
    (check, _), *_ = refers("", "id", "other", "id").ways
    assert spelt(check, own).lookup.keys == (("Id", "id"),)


def test_filled_cells_are_counted(tmp_path):
    (tmp_path / "a.csv").write_text('a,b\n"x\ny", \n,z\n')
    assert filled_cells(tmp_path / "a.csv") == 4


# What was written by hand -------------------------------------------------------------------------

FILES = (*CSV, *LISTS, *BOOKS, *LARGE)
PROFILES = Path(__file__).parent / "profiles"
EXPECTED = [(f.name, expected) for f in FILES for expected in (*f.rules, *f.may)]


def conditions(expected):
    """What each way to say a rule comes to, on columns of which nothing is known."""
    for check, scope in expected.ways:
        origin = Origin("dictionary.xlsx", expected.place, "", "spreadsheet", "words")
        kind, columns = expected.kinds[0], expected.columns
        made = LegacyRule(origin, "a", kind, check, Table("t"), columns, scope)
        yield express(made, Types())


@pytest.mark.parametrize(
    ("name", "expected"), EXPECTED, ids=[f"{name[:8]} {e.place}" for name, e in EXPECTED]
)
def test_a_rule_that_is_expected_can_be_said(name, expected):
    assert any(isinstance(found, Condition) for found in conditions(expected))


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_nothing_is_expected_twice_or_both_wanted_and_refused(file):
    wanted = {place for expected in (*file.rules, *file.may) for place in expected.places}
    refused = {never.place for never in file.not_rules}
    assert not wanted & refused
    rules = [(e.place, e.kinds, e.table) for e in file.rules]
    assert len(rules) == len(set(rules))
    asked = {gap.place for gap in file.gaps}
    assert not asked & refused
    assert not asked & {expected.place for expected in file.rules}


@pytest.mark.parametrize("file", [f for f in FILES if f.profile], ids=lambda f: f.name)
def test_a_profile_fits_its_workbook(file, shared):
    profile = read_profile((PROFILES / file.profile).read_text(), file.profile)
    assert isinstance(profile, Profile)
    assert profile.workbooks == (file.name,)
    data = (shared / "corpus/spreadsheets" / file.name).read_bytes()
    sheets = read_book(data, file.name).sheets
    layouts = [
        layout_of(sheet, known_meaning, settings_of(profile, sheet.name)) for sheet in sheets
    ]
    assert check_profile(profile, layouts) == []
    cells = [r.cells.values() for layout in layouts for b in layout.blocks for r in b.records]
    of_records = sum(len(found) for record in cells for found in record)
    assert of_records + sum(len(layout.classes) for layout in layouts) == filled_cells(
        shared / "corpus/spreadsheets" / file.name
    )
