"""Questions out, answers in, rules out: the steward's whole way on the sample."""

import shutil

import pytest
from openpyxl import load_workbook
from suites import rules_of
from trips import BOOK, CARRIED, Trip, fill, outcomes, without_decisions
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters.decided import Acted, Stated, Waived
from ruleferry.converters.errors import InputFaults

ANN = "Ann Smith on 2026-11-30"
WRITTEN = "o_orderstatus <> 'F' OR o_comment IS NOT NULL"


@pytest.fixture
def trip(tmp_path):
    found = Trip.of_sample(tmp_path / "orders")
    found.convert()
    return found


def asked(trip):
    """The three questions of the sample: when required, which rule, which action."""
    codes = "condition_elsewhere", "not_understood", "action_undecided"
    return tuple(trip.question(code) for code in codes)


def dropped(trip):
    """A rule on records of which no action is decided."""
    *_, action = asked(trip)
    return next(i for i in action.entries if trip.entries()[i].outcome == "record")


def all_answered(trip, **more):
    when, cell, action = asked(trip)
    own = dropped(trip)
    return trip.fill(
        (when, None, {"answer": WRITTEN, "action": "fail", "note": "agreed with sales"}),
        (cell, None, {"answer": "it is no rule"}),
        (action, None, {"answer": "warn"}),
        (action, own, {"answer": "drop", "note": "for now"}),
        **more,
    )


def test_every_answer_is_in_the_next_conversion(trip):
    before, modules = trip.entries(), trip.outputs()
    (when, cell, action), own = asked(trip), dropped(trip)
    taken = trip.answers(all_answered(trip))
    assert (len(taken.merged.added), taken.merged.not_taken) == (4, ())
    trip.convert()
    after = trip.entries()
    assert trip.ledger.questions == ()
    assert after.keys() == before.keys()
    assert {e.name for e in before.values()} - {e.name for e in after.values()} == set()
    change = outcomes(after.values())
    change.subtract(outcomes(before.values()))
    assert {o: n for o, n in change.items() if n} == {"gap": -2, "record": 1, "waived": 1}
    (stated,) = (after[i] for i in when.entries)
    assert (stated.outcome, stated.grade) == ("record", "exact")
    assert stated.decided[0] == f"condition, by {ANN}: agreed with sales"
    (waived,) = (after[i] for i in cell.entries)
    assert waived.waived.startswith(f"{ANN}: ")
    acted = {i: after[i] for i in action.entries if after[i].outcome in CARRIED}
    assert acted[own].action == "drop"
    assert {e.action for i, e in acted.items() if i != own} == {"warn"}
    assert (stated.action, stated.because.detail) == ("fail", ANN)
    assert {(e.because.by, e.because.detail) for e in acted.values()} == {("decision", ANN)}
    text = trip.outputs()["orders_expectations.py"].decode()
    assert text != modules["orders_expectations.py"].decode()
    assert rules_of(text)[stated.name] == ("fail", stated.condition)
    assert rules_of(text)[after[own].name][0] == "drop"


def test_a_second_conversion_and_any_order_of_decisions_give_the_same_bytes(trip):
    trip.answers(all_answered(trip))
    trip.convert()
    first = trip.outputs()
    trip.convert()
    assert trip.outputs() == first
    head, *blocks = (trip.folder / "decisions.toml").read_text().split("[[decision]]\n")
    assert len(blocks) > 2
    for number in range(1, len(blocks)):
        turned = [*blocks[number:], *blocks[:number]][:: (-1) ** number]
        parts = [block.rstrip() + "\n\n" for block in turned]
        (trip.folder / "decisions.toml").write_text("[[decision]]\n".join([head, *parts]))
        trip.convert()
        again = trip.outputs()
        assert without_decisions(again.pop("ledger.json")) == without_decisions(
            first["ledger.json"]
        )
        assert again == {name: data for name, data in first.items() if name != "ledger.json"}


def test_the_filled_workbook_stays_until_its_answers_are_merged(trip):
    when, *_ = asked(trip)
    book = trip.folder / BOOK
    fill(book, book, (when, None, {"answer": WRITTEN}))
    filled = trip.outputs()
    with pytest.raises(InputFaults, match="ruleferry answers"):
        trip.convert()
    assert trip.outputs() == filled
    trip.answers(BOOK)
    trip.convert()
    assert trip.outputs()["gap_report.xlsx"] != filled["gap_report.xlsx"]
    assert not trip.questions("condition_elsewhere")
    assert load_workbook(book)["Questions"].max_row > 1


def test_a_filled_workbook_is_overwritten_where_that_is_asked_for(trip):
    when, *_ = asked(trip)
    first = trip.outputs()
    fill(trip.folder / BOOK, trip.folder / BOOK, (when, None, {"answer": WRITTEN}))
    trip.convert(force=True)
    assert trip.outputs() == first


def test_a_half_filled_file_answers_what_it_answers(trip):
    when, cell, action = asked(trip)
    book = trip.fill(
        (when, None, {"answer": WRITTEN}),
        (cell, None, {"by": "Ann Smith", "on": None}),
        (action, action.entries[2], {"action": "fail"}),
    )
    taken = trip.answers(book)
    assert len(taken.merged.added) == 2
    assert set(taken.merged.unanswered) == {cell.id, action.id}
    trip.convert()
    left = trip.question("action_undecided")
    assert set(left.entries) == {*action.entries, *when.entries} - {action.entries[2]}
    assert trip.entries()[action.entries[2]].action == "fail"
    assert trip.question("not_understood").answered == ()


def test_without_the_column_of_answers_nothing_is_read(trip, monkeypatch):
    book = all_answered(trip)
    opened = load_workbook(book)
    sheet = opened["Questions"]
    (column,) = (cell.column for cell in sheet[1] if cell.value == "Answer")
    sheet.delete_cols(column)
    opened.save(book)
    (fault, *_) = trip.faults(book)
    assert "Answer" in fault.found
    monkeypatch.chdir(trip.folder)
    done = CliRunner().invoke(cli.app, ["answers", str(book)])
    assert done.exit_code == 2
    assert "Answer" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (trip.folder / "decisions.toml").exists()


def test_an_answer_to_a_text_that_changed_is_asked_again(trip):
    trip.answers(all_answered(trip))
    trip.convert()
    source = trip.folder / "dictionary.xlsx"
    opened = load_workbook(source)
    opened["Fields"]["F12"] = "Optional if o_orderstatus = 'O' and the customer says so"
    opened["Fields"]["L12"] = "as agreed with the customer and with us"
    opened.save(source)
    trip.convert()
    stale = [a for q in trip.ledger.questions for a in q.answered]
    assert stale
    assert {(a.state, a.by, a.on) for a in stale} == {("stale", "Ann Smith", "2026-11-30")}
    assert "the rule's text has changed" in stale[0].why
    assert not any(e.condition == WRITTEN for e in trip.entries().values())
    again = next(q for q in trip.ledger.questions if "F12" in q.question or "L12" in q.question)
    sheet = load_workbook(trip.folder / BOOK)["Questions"]
    shown = " ".join(str(c.value) for row in sheet.iter_rows() for c in row if c.value)
    assert "Ann Smith" in shown
    # A stale workbook is of no use any more: it speaks of the text that was.
    taken = trip.answers(trip.folder / "filled.xlsx")
    assert not [g for g in taken.merged.added if g.question == again.id]


def test_a_new_answer_to_a_changed_text_settles_it(trip):
    trip.answers(all_answered(trip))
    source = trip.folder / "dictionary.xlsx"
    opened = load_workbook(source)
    opened["Fields"]["L12"] = "as agreed with the customer and with us"
    opened.save(source)
    trip.convert()
    cell = trip.question("not_understood", "L12")
    assert [a.state for a in cell.answered] == ["stale"]
    trip.answers(trip.fill((cell, None, {"answer": "length(o_comment) > 3"}), by="Bo"))
    trip.convert()
    assert not trip.questions("not_understood")
    (rule,) = (trip.entries()[i] for i in cell.entries)
    assert rule.outcome == "record"
    assert rule.decided[0].startswith("condition, by Bo on")


def test_two_people_who_agree(trip):
    one = all_answered(trip)
    other = shutil.copy(one, trip.folder / "other.xlsx")
    opened = load_workbook(other)
    for row in opened["Questions"].iter_rows(min_row=2):
        for cell in row:
            if cell.value == "Ann Smith":
                cell.value = "Bo Diaz"
    opened.save(other)
    taken = trip.answers(one, other)
    assert taken.merged.disputed == ()
    trip.convert()
    assert trip.ledger.questions == ()


def test_two_people_who_differ_are_asked_again_and_a_third_answer_settles_it(trip):
    when, cell, action = asked(trip)
    book = trip.folder / BOOK
    rule = when.entries[0]
    a = fill(
        book, trip.folder / "a.xlsx", (when, None, {"answer": WRITTEN}),
        (cell, None, {"answer": "it is no rule"}), (action, None, {"answer": "fail"}),
    )  # fmt: skip
    b = fill(
        book, trip.folder / "b.xlsx", (when, None, {"answer": "o_comment IS NOT NULL"}),
        (action, None, {"answer": "warn"}), by="Bo Diaz",
    )  # fmt: skip
    taken = trip.answers(a, b)
    assert {len(d.answers) for d in taken.merged.disputed} == {2}
    trip.convert()
    again = trip.question("condition_elsewhere")
    assert {(x.state, x.answer, x.by) for x in again.answered} == {
        ("disputed", WRITTEN, "Ann Smith"),
        ("disputed", "o_comment IS NOT NULL", "Bo Diaz"),
    }
    assert trip.entries()[rule].outcome == "gap"
    acting = trip.question("action_undecided")
    assert {x.answer for x in acting.answered} == {"warn", "fail"}
    assert {trip.entries()[i].action for i in acting.entries} == {"warn"}
    # The same two files again change nothing.
    assert not trip.answers(b, a).written
    c = trip.fill(
        (again, None, {"answer": "o_comment <> ''", "action": "drop"}),
        (acting, None, {"answer": "fail"}),
        by="Cy",
    )
    trip.answers(c)
    trip.convert()
    assert trip.ledger.questions == ()
    assert trip.entries()[rule].decided[0].startswith("condition, by Cy on 2026-11-30")
    assert {d.by for d in trip.decisions} == {"Ann Smith", "Cy"}
    # Whoever lost is not heard again.
    assert not [d for d in trip.answers(a, b).merged.disputed if "o_comment" in d.about]


def test_one_rule_of_a_question_is_answered_beside_the_whole(trip):
    *_, action = asked(trip)
    first, second, *_ = action.entries
    book = trip.fill(
        (action, first, {"action": "fail"}),
        (action, second, {"answer": "don't carry it over", "note": "old"}),
        (action, None, {"answer": "warn"}),
    )
    trip.answers(book)
    trip.convert()
    found = trip.entries()
    assert (found[first].action, found[second].outcome) == ("fail", "waived")
    assert not trip.questions("action_undecided")
    kinds = {type(d.verdict) for d in trip.decisions}
    assert kinds == {Acted, Waived}


# Answers that can't be used -----------------------------------------------------------------------

# What is typed -> what is said of it.
BAD = {
    "o_totalprice >": "near '>'; a condition is such as",
    "price is above zero": "near 'zero'; a condition is such as",
    "o_totalprice > (SELECT max(x) FROM y)": "it looks into a table",
    "sum(o_totalprice) > 0": "it adds up many records; a condition is about one record",
    "row_number() OVER (ORDER BY o_orderkey) = 1": "it looks at other records",
    "o_price > 0": "no column o_price; the nearest is o_totalprice",
    "1 = 1": "it lets every record pass",
    "o_totalprice > 5 AND o_totalprice < 3": "no value is in the range that it allows",
    "SELECT * FROM orders_raw": "near 'SELECT'; a condition is such as",
    "o_totalprice + 1": "a condition compares, such as amount >= 0",
    "rand() > 0.5": "it gives another value each time",
    "my_function(o_comment)": "my_function() is not in the list of functions; say it",
    "o_comment RLIKE '[a'": "its pattern can't be read: it ends too early",
    "o_totalprice > 0; DROP TABLE orders_raw": "more than one SQL statement",
    "o_totalprice = NULL": "it refuses every record",
    "{{ condition }}": "it holds a placeholder: {{…; write the value itself",
    "$5 or more": "it holds a placeholder: $5; write the value itself",
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    found = Trip.of_sample(tmp_path_factory.mktemp("sample") / "orders")
    found.convert()
    return found


def test_a_bad_condition_comes_back_with_what_is_wrong(sample):
    """Each answer is replaced by the next one, and the last one can be used."""
    when = sample.question("condition_elsewhere")
    (rule,) = when.entries
    question = when
    for text, said in BAD.items():
        sample.answers(sample.fill((question, None, {"answer": text})))
        sample.convert()
        entry = sample.entries()[rule]
        assert (entry.outcome, entry.gap.code) == ("gap", "answer_refused")
        assert said in entry.gap.reason
        assert entry.gap.reason.startswith(f"the answer of {ANN} can't be used: ")
        (question,) = (q for q in sample.ledger.questions if rule in q.entries)
        assert [(a.state, a.answer) for a in question.answered] == [("refused", text)]
        assert f"the answer of {ANN} can't be used: {question.answered[0].why}" == entry.gap.reason
        assert [p.does for p in question.proposals] == [p.does for p in when.proposals]
    sample.answers(sample.fill((question, None, {"answer": WRITTEN})))
    sample.convert()
    assert sample.entries()[rule].outcome == "record"
    assert [type(d.verdict) for d in sample.decisions] == [Stated]
