"""Facts that a steward tells: they hold for the file or table, and their questions are gone."""

import json

import pytest
from suites import between, present, suite, write
from trips import Trip, outcomes

from ruleferry.converters.decided import Told

CUSTOM = {"type": "expect_our_own", "kwargs": {"column": "status"}}
SUITE = suite("bookings", present("id"), between("price", 0, 100), CUSTOM)
SQL = "SELECT * FROM orders WHERE price < 0;\nSELECT * FROM orders WHERE status !~ '^[A-Z]$';\n"
SHEET = "Field,Type,Zustand,Muss\nid,int,Y,x\nprice,decimal,N,\n"


@pytest.fixture
def trip(tmp_path):
    def made(files, *given):
        given = given or (() if "ruleferry.toml" in files else ("suites",))
        write(tmp_path, files)
        found = Trip(tmp_path, *given)
        found.convert()
        return found

    return made


def answered(trip, question, answer, **cells):
    trip.answers(trip.fill((question, None, {"answer": answer, **cells})))
    return trip.convert()


def test_the_table_of_a_suite(trip):
    there = trip({"suites/bookings.json": SUITE})
    before = there.entries()
    asked = there.question("table_not_stated")
    ledger = answered(there, asked, "main.sales.bookings")
    assert not there.questions("table_not_stated")
    assert there.entries().keys() == before.keys()
    assert {e.table for e in ledger.entries} == {"main.sales.bookings"}
    assert "bookings_expectations.py" in there.outputs()
    assert b'"main.sales.bookings"' in there.outputs()["bookings_expectations.py"]
    assert [type(d.verdict) for d in there.decisions] == [Told]


@pytest.mark.parametrize(
    "answer", ["it is called as its source is", "It is  called as its source is "]
)
def test_a_suite_that_is_called_as_its_table(trip, answer):
    there = trip({"suites/bookings.json": SUITE})
    answered(there, there.question("table_not_stated"), answer)
    assert not there.questions("table_not_stated")


def test_no_table_name_is_asked_again(trip):
    there = trip({"suites/bookings.json": SUITE})
    answered(there, there.question("table_not_stated"), "the one of the sales team")
    again = there.question("table_not_stated")
    assert [(a.state, a.answer) for a in again.answered] == [
        ("refused", "the one of the sales team")
    ]
    assert again.answered[0].why
    answered(there, again, "sales.bookings")
    assert not there.questions("table_not_stated")


@pytest.mark.parametrize("answer", ["Spark", "pandas", "PostgreSQL"])
def test_the_program_that_ran_a_suite(trip, answer):
    there = trip({"suites/bookings.json": SUITE})
    before = there.entries()
    answered(there, there.question("engine_unknown"), answer)
    assert not there.questions("engine_unknown")
    assert there.entries().keys() == before.keys()


def test_the_database_of_a_script(trip):
    there = trip({"checks/nightly.sql": SQL, "ruleferry.toml": ""}, "checks")
    codes = {q.takes: q for q in there.ledger.questions}
    before = outcomes(there.ledger.entries)
    asked = codes["dialect"]
    answered(there, asked, "PostgreSQL")
    assert not [q for q in there.ledger.questions if q.takes == "dialect"]
    assert outcomes(there.ledger.entries)["record"] >= before["record"]
    assert {d.verdict.takes for d in there.decisions} == {"dialect"}


def test_what_a_column_of_a_sheet_says(trip):
    there = trip({"fields.csv": SHEET}, "fields.csv")
    asked = there.questions("column_unsure")
    assert asked
    for question in asked:
        ignore = next(p.label for p in question.proposals if p.value == "ignore")
        answered(there, question, ignore)
    assert not there.questions("column_unsure")
    assert not [e for e in there.ledger.entries if e.gap and e.gap.code == "column_unsure"]


def test_one_cell_of_a_column_is_left_out(trip):
    """Told what the column says, its cells are rules of another kind; the waiver finds its own."""
    sheet = "Field,Type,Needed when ordered\nid,int,Yes\nprice,decimal,Yes\nstatus,text,No\n"
    there = trip({"fields.csv": sheet}, "fields.csv")
    asked = there.question("column_unsure")
    cells = there.entries()
    own = next(i for i in asked.entries if cells[i].columns == ("price",))
    book = there.fill(
        (asked, None, {"answer": "it says whether a value is required"}),
        (asked, own, {"answer": "don't carry it over", "note": "it is optional now"}),
    )
    there.answers(book)
    there.convert()
    place = cells[own].origin.place
    (left,) = (e for e in there.ledger.entries if e.origin.place == place)
    assert (left.outcome, left.waived) == (
        "waived", "Ann Smith on 2026-11-30: it is optional now",
    )  # fmt: skip
    (carried,) = (e for e in there.ledger.entries if e.columns == ("id",) and e.kind == "present")
    assert carried.outcome == "record"
    assert there.notices == ()


def test_a_table_that_is_called_as_its_file_is_so_for_all_its_rules(trip):
    """Told what a column says, its cells are other rules: nobody is asked about the table again."""
    sheet = "Field,Type,Needed when ordered\nid,int,Yes\nprice,decimal,Yes\nstatus,text,No\n"
    there = trip({"fields.csv": sheet}, "fields.csv")
    table = there.question("table_not_stated")
    book = there.fill(
        (there.question("column_unsure"), None, {"answer": "it says whether a value is required"}),
        (table, None, {"answer": "it is called as its source is"}),
    )
    there.answers(book)
    there.convert()
    assert not there.questions("table_not_stated")
    assert not there.questions("column_unsure")
    assert there.notices == ()


def test_one_rule_is_left_out_of_a_table_whose_name_is_accepted(trip):
    there = trip({"suites/bookings.json": SUITE})
    table = there.question("table_not_stated")
    own = table.entries[0]
    book = there.fill(
        (table, None, {"answer": "it is called as its source is"}),
        (table, own, {"answer": "don't carry it over", "note": "old"}),
    )
    there.answers(book)
    there.convert()
    assert not there.questions("table_not_stated")
    assert there.entries()[own].outcome == "waived"
    later = suite("bookings", present("id"), between("price", 0, 100), present("day"), CUSTOM)
    write(there.folder, {"suites/bookings.json": later})
    there.convert()
    assert not there.questions("table_not_stated")
    assert len(there.ledger.entries) == 4


def test_of_rules_that_contradict_one_is_kept(trip):
    two = suite("orders", between("price", 0, 120)), suite("orders", between("price", 0, 100))
    there = trip({
        "suites/a.json": two[0], "suites/b.json": two[1],
        "ruleferry.toml": '[[source]]\npath = "suites/**"\ntable = "orders"\nengine = "spark"\n',
    })  # fmt: skip
    asked = there.question("conflict")
    label = next(p.label for p in asked.proposals if p.does == "keep" and "100" in p.label)
    answered(there, asked, label, note="as agreed")
    assert not there.questions("conflict")
    found = {e.origin.file: e for e in there.ledger.entries}
    assert (found["suites/b.json"].outcome, found["suites/a.json"].outcome) == ("record", "waived")
    assert "100" in found["suites/b.json"].condition
    assert found["suites/b.json"].decided


def test_an_answer_finds_its_rule_in_a_file_that_was_renamed(trip):
    toml = '[[source]]\npath = "suites/**"\ntable = "orders"\nengine = "spark"\n'
    there = trip({"suites/old.json": SUITE, "ruleferry.toml": toml})
    asked = there.question("custom_expectation")
    answered(there, asked, "status IN ('A', 'B')")
    (there.folder / "suites/old.json").rename(there.folder / "suites/new.json")
    ledger = there.convert()
    (found,) = (e for e in ledger.entries if e.decided)
    assert (found.outcome, found.origin.file) == ("record", "suites/new.json")
    assert not there.questions("custom_expectation")
    assert there.notices == ()


def test_a_fact_about_a_file_that_was_renamed_is_told_and_asked_again(trip):
    there = trip({"suites/old.json": SUITE})
    answered(there, there.question("engine_unknown"), "pandas")
    assert not there.questions("engine_unknown")
    (there.folder / "suites/old.json").rename(there.folder / "suites/new.json")
    there.convert()
    assert there.question("engine_unknown").about.file == "suites/new.json"
    assert any("suites/old.json" in notice for notice in there.notices)


def test_the_answers_to_several_kinds_of_question_in_one_file(trip):
    there = trip({"suites/bookings.json": SUITE})
    by_code = {q.code: q for q in there.ledger.questions}
    rows = {
        "table_not_stated": {"answer": "sales.bookings"},
        "engine_unknown": {"answer": "Spark"},
        "custom_expectation": {"answer": "status <> ''", "action": "drop"},
        "action_undecided": {"answer": "warn"},
    }
    there.answers(there.fill(*((by_code[code], None, cells) for code, cells in rows.items())))
    ledger = there.convert()
    assert {q.code for q in ledger.questions} <= {"type_unknown"}
    assert {e.table for e in ledger.entries} == {"sales.bookings"}
    (own,) = (e for e in ledger.entries if e.condition and "status" in e.condition)
    assert (own.action, own.because.by) == ("drop", "decision")
    assert json.loads(there.outputs()["ledger.json"])["sources"][0]["file"] == "decisions.toml"


LIMITED = """Field,Data Type,Length,Where Clause
id,int,,
value,text,1,KIND = SEX
value,text,8,KIND = AGE
"""


def test_a_column_that_limits_rules_is_not_ignored_unawares(trip):
    """Its rules would hold for all records: whoever wants that must say so."""
    there = trip({"fields.csv": LIMITED}, "fields.csv")
    asked = there.question("column_unsure")
    assert asked.about.header == "Where Clause"
    labels = [p.label for p in asked.proposals]
    assert "it states no rules" not in labels
    assert "the rules beside it hold for every record, whatever it says" in labels
    answered(there, asked, "it says for which records the row holds")
    again = there.question("column_unsure")
    assert [a.state for a in again.answered] == ["refused"]
    assert not any(e.condition for e in there.ledger.entries if e.columns == ("value",))
    answered(there, again, "the rules beside it hold for every record, whatever it says")
    assert not there.questions("column_unsure")
