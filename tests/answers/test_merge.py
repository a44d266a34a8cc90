"""Answers become decisions: what each of them decides, and what stays, whatever the order."""

from dataclasses import replace
from datetime import date
from itertools import permutations

import pytest
from hypothesis import assume, settings
from hypothesis import given as given_by
from hypothesis import strategies as st
from made_answers import (
    ACTION,
    BY_NAME,
    CONFLICT,
    ENTRIES,
    FILE,
    LEDGER,
    MANY,
    ONE,
    QUESTIONS,
    RULES,
    TABLE,
    TEXTS,
    asked_again,
    given,
    ledger,
    rule,
)

from ruleferry.converters.account import About, Answered
from ruleferry.converters.answers import merge
from ruleferry.converters.decided import (
    NO_DECISIONS,
    WAIVE_LABEL,
    Accepted,
    Acted,
    Decision,
    Decisions,
    Kept,
    Pending,
    RuleDecided,
    Stated,
    Told,
    Waived,
    answer_of,
)
from ruleferry.converters.decisions_file import decisions_text, read_decisions


def merged(*rows, before=NO_DECISIONS, of=LEDGER):
    found = merge(before, rows, of)
    assert found.faults == ()
    return found


def held(found):
    """(verdict, names of the rules or what it is about) of each decision."""
    names = {rule_id: name for name, rule_id in RULES.items()}
    return {
        (d.verdict, " ".join(sorted(names[r.id] for r in d.rules)))
        for d in found.decisions.decisions
    }


# What an answer decides ---------------------------------------------------------------------------

DOES = [
    # question, rule's own row, cells -> verdict, rules
    ("one", None, {"answer": "price > 0"}, Stated("price > 0"), "price"),
    ("one", None, {"answer": "price\xa0> 0"}, Stated("price > 0"), "price"),
    ("one", None, {"answer": "x <> '\xa0'"}, Stated("x <> '\xa0'"), "price"),
    ("one", None, {"answer": " AT least  Nothing "}, Stated("price >= 0"), "price"),
    ("one", None, {"answer": 'it\'s "fine" - REALLY'}, Accepted("it’s “fine” – really"), "price"),
    ("one", None, {"answer": "mend it in the source"}, Pending("mend it in the source"), "price"),
    ("one", None, {"answer": "keep the old check"}, Waived("keep the old check"), "price"),
    ("one", None, {"answer": "keep the old check", "note": "why"}, Waived("why"), "price"),
    ("one", None, {"answer": "Don’t carry it over", "note": "old"}, Waived("old"), "price"),
    ("one", None, {"answer": "waive", "note": "old"}, Waived("old"), "price"),
    ("one", None, {"action": "fail"}, Acted("fail"), "price"),
    ("many", None, {"answer": "all is well"}, Accepted("all is well"), "clerk day status"),
    ("many", "day", {"answer": "day > 1"}, Stated("day > 1"), "day"),
    ("many", None, {"action": "drop"}, Acted("drop"), "clerk day status"),
    ("action", None, {"answer": "they warn"}, Accepted("they warn"), "clerk price status"),
    ("action", "clerk", {"answer": "drop"}, Acted("drop"), "clerk"),
    ("action", "clerk", {"answer": "drop", "action": "drop"}, Acted("drop"), "clerk"),
    ("table", None, {"answer": " main.a\xa0"}, Told("table", "main.a"), "clerk status"),
    ("table", "clerk", {"answer": "a.b"}, Told("table", "a.b"), "clerk status"),
    ("table", None, {"answer": "it is the old one"}, Told("table", "old.orders"), "clerk status"),
    ("table", "clerk", {"answer": WAIVE_LABEL, "note": "n"}, Waived("n"), "clerk"),
    ("conflict", None, {"answer": "the first holds"}, Kept(RULES["day"]), "day key"),
    ("conflict", "key", {"answer": "the first holds"}, Kept(RULES["day"]), "day key"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "own", "cells", "verdict", "rules"), DOES)
def test_what_an_answer_decides(asked, own, cells, verdict, rules):
    assert held(merged(given(asked, own, **cells))) == {(verdict, rules)}


DOES_NOT = [
    # question, cells -> what is told; and why it is not taken
    ("one", {"answer": "write the rule here"}, "which says that something is to be written"),
    ("table", {"answer": "Write its name"}, "which says that something is to be written"),
    ("action", {"answer": "stop"}, '"stop"'),  # a text, where only proposals are taken
    ("conflict", {"answer": "price > 0"}, '"price > 0"'),
    ("one", {"answer": WAIVE_LABEL}, "without a reason"),
    ("many", {"answer": "waive"}, "without a reason"),
    ("one", {"answer": "price > 0", "by": ""}, "without a name"),
    ("action", {"answer": "drop", "action": "fail"}, '"drop" as the answer and fail'),
    ("action", {"answer": "they warn", "action": "fail"}, "as the action"),
    ("many", {"answer": "all is well", "seen": ()}, "whose rows are missing"),
]


@pytest.mark.parametrize(("asked", "cells", "found"), DOES_NOT)
def test_what_is_no_answer_is_told_with_its_cell(asked, cells, found):
    row = given(asked, **cells)
    after = merge(NO_DECISIONS, [row], LEDGER)
    (fault,) = after.faults
    assert (fault.file, fault.place) == (row.file, row.place)
    assert found in fault.found
    assert after.decisions == NO_DECISIONS


def test_a_text_where_proposals_are_taken_lists_them():
    (fault,) = merge(NO_DECISIONS, [given("action", answer="stop")], LEDGER).faults
    assert fault.expected == f'one of "they warn", "drop", "fail" and "{WAIVE_LABEL}"'


def test_all_faults_are_told_and_nothing_is_taken():
    rows = [
        given("action", answer="x"),
        given("one", answer="waive"),
        given("many", answer="ok", by=""),
    ]
    after = merge(NO_DECISIONS, rows, LEDGER)
    assert len(after.faults) == 3
    assert after.decisions == NO_DECISIONS


def test_a_decision_tells_who_when_why_and_what_was_asked():
    row = given("many", "day", answer="day > 1", note="as agreed", by="Ann Smith", on="2026-11-30")
    (decision,) = merged(row).decisions.decisions
    assert decision == Decision(
        Stated("day > 1"),
        by="Ann Smith",
        on=date(2026, 11, 30),
        note="as agreed",
        code=MANY.code,
        asked=MANY.question,
        rules=(
            RuleDecided(RULES["day"], TEXTS["day"], "orders.day", "orders", "predicate", ("day",)),
        ),
    )


def test_a_fact_tells_what_it_is_about():
    (decision,) = merged(given("table", answer="a.b")).decisions.decisions
    assert decision.about == About(file=FILE)


def test_a_fact_of_a_question_that_is_about_no_file_is_one_of_the_rules_files():
    asked = replace(TABLE, about=About())
    row = given("table", "clerk", answer="a.b")
    (decision,) = merged(row, of=ledger(asked)).decisions.decisions
    assert (decision.about, len(decision.rules)) == (About(file=FILE), 2)


# The whole question and its rules -----------------------------------------------------------------


def test_the_whole_question_speaks_for_rules_without_an_answer_of_their_own():
    rows = [given("many", answer="all is well"), given("many", "day", answer="day > 1")]
    assert held(merged(*rows)) == held(merged(*rows[::-1])) == {
        (Accepted("all is well"), "clerk status"),
        (Stated("day > 1"), "day"),
    }  # fmt: skip


def test_an_own_action_is_no_own_answer():
    rows = [
        given("many", answer="all is well", action="drop"),
        given("many", "day", action="fail"),
        given("many", "clerk", answer="clerk > 1"),
    ]
    assert held(merged(*rows)) == {
        (Accepted("all is well"), "day status"),
        (Acted("drop"), "clerk status"),
        (Acted("fail"), "day"),
        (Stated("clerk > 1"), "clerk"),
    }


def test_an_own_action_stands_before_the_answer_for_all():
    rows = [given("action", answer="drop"), given("action", "clerk", action="fail")]
    assert held(merged(*rows)) == {(Acted("drop"), "price status"), (Acted("fail"), "clerk")}


def test_an_answer_that_speaks_for_nobody_is_told():
    own = [given("many", name, answer="x > 1") for name in ("status", "clerk", "day")]
    after = merged(given("many", answer="all is well"), *own)
    assert [left.why for left in after.not_taken] == ["each of its rules has an answer of its own"]


def test_a_note_without_an_answer_is_told():
    after = merged(given("one", note="I must ask"))
    assert [left.why for left in after.not_taken] == ["there is a note, and no answer"]
    assert after.decisions == NO_DECISIONS


def test_a_rule_that_the_workbook_did_not_show_is_not_decided():
    shown = tuple((RULES[n], TEXTS[n]) for n in ("status", "day"))
    assert held(merged(given("many", answer="all is well", seen=shown))) == {
        (Accepted("all is well"), "day status")
    }


# Half-filled, old and repeated files --------------------------------------------------------------


def test_what_is_not_answered_stays_open():
    after = merged(given("one", answer="price > 0"), given("many", "day", answer="day > 1"))
    assert after.unanswered == (MANY.id, ACTION.id, TABLE.id, CONFLICT.id)
    assert merged(before=after.decisions).unanswered == after.unanswered


def test_when_all_is_answered_nothing_is_open():
    rows = [
        given("one", answer="price > 0"),
        given("many", answer="waive", note="n"),
        given("action", answer="they warn"),
        given("table", answer="a.b"),
        given("conflict", answer="the second holds"),
    ]
    assert merged(*rows).unanswered == ()


def test_an_action_that_is_asked_about_is_no_answer():
    offered = (ACTION.proposals[0], replace(ACTION.proposals[2], value="warn"))
    of = ledger(replace(ACTION, code="total_drop", proposals=offered))
    dropped = merged(given("action", action="drop")).decisions
    assert merged(before=dropped, of=of).unanswered == (ACTION.id,)
    warned = merged(given("action", action="warn", by="Ann"), before=dropped, of=of)
    assert warned.unanswered == ()


def test_an_answer_to_a_question_that_nobody_asks_is_told():
    after = merged(given("one", answer="price > 0"), of=ledger(MANY))
    assert [left.why for left in after.not_taken] == ["nobody asks this any more"]
    assert after.decisions == NO_DECISIONS


def test_an_answer_about_a_rule_that_nobody_asks_about_is_told():
    of = ledger(replace(MANY, entries=MANY.entries[:2]))
    after = merged(given("many", "day", answer="day > 1"), of=of)
    assert [left.why for left in after.not_taken] == ["nobody asks this any more"]


def test_an_answer_to_a_text_that_changed_is_told():
    entries = tuple(rule(e.name, "another text") if e.name == "day" else e for e in ENTRIES)
    of = ledger(entries=entries)
    after = merged(given("many", "day", answer="day > 1"), of=of)
    assert ["the rule changed" in left.why for left in after.not_taken] == [True]
    after = merged(given("many", answer="all is well"), of=of)
    assert held(after) == {(Accepted("all is well"), "clerk status")}
    assert MANY.id in after.unanswered


def test_the_same_file_after_a_conversion_changes_nothing():
    rows = [
        given("one", answer="price > 0", action="drop"),
        given("many", answer="all is well"),
        given("table", answer="a.b"),
    ]
    after = merged(*rows)
    again = merged(*rows, before=after.decisions, of=ledger(CONFLICT))
    assert again.decisions == after.decisions
    assert (len(again.unchanged), again.not_taken) == (3, ())


# One person, and several --------------------------------------------------------------------------


def test_the_newer_answer_of_a_person_replaces_the_older_one():
    old, new = (given("one", answer=f"price > {n}", on=f"2026-11-0{n}") for n in (1, 2))
    first = merged(old)
    assert held(merged(new, before=first.decisions)) == {(Stated("price > 2"), "price")}
    late = merged(old, before=merged(new).decisions)
    assert held(late) == {(Stated("price > 2"), "price")}
    assert [left.why for left in late.not_taken] == ["the same person gave a later answer"]
    both = merged(replace(old, file="b.xlsx"), new)
    assert held(both) == {(Stated("price > 2"), "price")}


def test_without_days_the_answer_that_is_merged_later_replaces():
    first = merged(given("one", answer="price > 1"))
    after = merged(given("one", answer="price > 2"), before=first.decisions)
    assert held(after) == {(Stated("price > 2"), "price")}
    assert (len(after.added), len(after.replaced)) == (0, 1)


@pytest.mark.parametrize("days", [(None, None), ("2026-01-01", None), ("2026-01-01",) * 2])
def test_of_two_answers_of_one_person_the_days_must_tell_the_last(days):
    rows = [
        given("one", answer=f"price > {n}", on=day, by=by, place=f"Questions!H{n}")
        for n, (day, by) in enumerate(zip(days, ("Ann", "ann "), strict=True))
    ]
    (fault,) = merge(NO_DECISIONS, rows, LEDGER).faults
    assert fault.place == "Questions!H1"
    assert "Questions!H0" in fault.found


def test_answers_of_two_people_that_differ_both_stay():
    rows = [given("one", answer=f"price > {by}", by=by) for by in ("1", "2")]
    after = merged(*rows)
    assert held(after) == {(Stated("price > 1"), "price"), (Stated("price > 2"), "price")}
    (dispute,) = after.disputed
    assert (dispute.about, len(dispute.answers)) == ("orders.price", 2)
    assert ONE.id in after.unanswered


def test_two_people_who_agree_differ_in_nothing():
    rows = [given("one", answer="waive", note=by, by=by) for by in ("Ann", "Bo")]
    after = merged(*rows)
    assert len(after.decisions.decisions) == 2
    assert after.disputed == ()
    assert ONE.id not in after.unanswered


def test_a_fact_and_that_all_is_as_assumed_differ():
    rows = [
        given("table", answer="a.b", by="Ann"),
        given("table", answer="it is called as its source is", by="Bo"),
    ]
    assert [d.about for d in merged(*rows).disputed] == [FILE]
    one = [replace(row, by="Ann") for row in rows]
    assert len(merge(NO_DECISIONS, one, LEDGER).faults) >= 1
    first = merged(rows[0])
    assert {type(v) for v, _ in held(merged(one[1], before=first.decisions))} == {Accepted}
    first = merged(one[1])
    assert {type(v) for v, _ in held(merged(rows[0], before=first.decisions))} == {Told}


def test_a_rule_may_be_waived_beside_a_fact():
    rows = [given("table", answer="a.b"), given("table", "clerk", answer="waive", note="n")]
    assert {type(verdict) for verdict, _ in held(merged(*rows))} == {Told, Waived}


def test_notes_of_one_person_are_all_kept():
    rows = [given("table", name, answer="a.b", note=f"note {name}") for name in ("clerk", "status")]
    (decision,) = merged(*rows).decisions.decisions
    assert decision.note == "note clerk; note status"
    again = merged(*rows, before=Decisions(decisions=(decision,)))
    assert again.decisions.decisions == (decision,)


# Asked again --------------------------------------------------------------------------------------


def told_of(found, state):
    """What a question says of these decisions when it is asked again."""
    return [
        Answered(state, answer_of(d.verdict), d.by, d.on.isoformat() if d.on else None)
        for d in found.decisions
    ]


@pytest.mark.parametrize("state", ["disputed", "refused", "pending"])
def test_a_new_answer_stands_for_those_that_settled_nothing(state):
    before = merged(*(given("one", answer=f"price > {by}", by=by) for by in ("1", "2"))).decisions
    of = ledger(asked_again(ONE, *told_of(before, state)))
    after = merged(given("one", answer="price > 3", by="Cy"), before=before, of=of)
    assert held(after) == {(Stated("price > 3"), "price")}
    assert after.unanswered == ()


def test_old_files_change_nothing_when_it_is_asked_again():
    rows = [given("one", answer=f"price > {by}", by=by) for by in ("1", "2")]
    before = merged(*rows).decisions
    of = ledger(asked_again(ONE, *told_of(before, "disputed")))
    assert merged(*rows, before=before, of=of).decisions == before
    assert merged(*rows, before=before, of=of).unanswered == (ONE.id,)
    settled = merged(given("one", answer="price > 3", by="Cy"), before=before, of=of).decisions
    for row in rows:
        again = merged(row, before=settled, of=of)
        assert again.decisions == settled
        assert ["settled nothing" in left.why for left in again.not_taken] == [True]


def test_who_repeats_his_answer_on_another_day_settles_it():
    rows = [given("one", answer=f"price > {by}", by=by) for by in ("1", "2")]
    before = merged(*rows).decisions
    of = ledger(asked_again(ONE, *told_of(before, "disputed")))
    after = merged(replace(rows[0], on=date(2026, 12, 1)), before=before, of=of)
    assert held(after) == {(Stated("price > 1"), "price")}


def test_who_says_of_a_changed_text_what_was_said_before_says_something_new():
    before = merged(given("one", answer="price > 0")).decisions
    changed = tuple(rule(e.name, "new text") if e.name == "price" else e for e in ENTRIES)
    of = ledger(asked_again(ONE, *told_of(before, "stale")), entries=changed)
    assert merged(before=before, of=of).unanswered == (ONE.id,)
    new = given("one", answer="price > 0", text=changed[0].text_sha256[:12], seen=())
    after = merged(new, before=before, of=of)
    (decision,) = after.decisions.decisions
    assert decision.rules[0].text == changed[0].text_sha256[:12]
    assert after.unanswered == ()
    other = merged(replace(new, by="Bo", answer="price > 1"), before=after.decisions, of=of)
    assert len(other.decisions.decisions) == 2


# Any order, any number of times -------------------------------------------------------------------

PEOPLE = ("Ann", "Bo", "Cy")
ANSWERS = {
    "one": ["price > 0", "price > 1", "keep the old check", "mend it in the source", "", "waive"],
    "many": ["all is well", "mend it in the source", "x > 0", "", "waive"],
    "action": ["they warn", "drop", "fail", "", ""],
    "table": ["a.b", "c.d", "it is called as its source is", "it is the old one", ""],
    "conflict": ["the first holds", "the second holds", "waive", ""],
}  # fmt: skip
NAMES = {i: name for name, i in RULES.items()}


@st.composite
def rows(draw, person):
    asked = draw(st.sampled_from(sorted(BY_NAME)))
    of = [None, *(NAMES[i] for i in BY_NAME[asked].entries)]
    return given(
        asked,
        draw(st.sampled_from(of)),
        answer=draw(st.sampled_from(ANSWERS[asked])),
        action=draw(st.sampled_from([None, None, "drop", "fail"])),
        note=draw(st.sampled_from(["n", "a note"])),
        on=draw(st.sampled_from([None, None, "2026-11-30", "2026-12-01"])),
        by=person,
        file=f"{person}.xlsx",
    )


def files(person):
    """What one person answered, without contradictions."""
    some = st.lists(rows(person), max_size=4)
    return some.filter(lambda found: not merge(NO_DECISIONS, found, LEDGER).faults)


@st.composite
def histories(draw):
    """Decisions that are there, and a ledger that tells of some that they settle nothing."""
    before = NO_DECISIONS
    for person in PEOPLE:
        before = merge(before, draw(files(person)), LEDGER).decisions
    states = draw(st.sampled_from([[], ["disputed"], ["refused", "pending"]]))
    again = tuple(t for state in states for t in told_of(before, state))
    asked = tuple(asked_again(q, *again) if draw(st.booleans()) else q for q in QUESTIONS)
    return before, ledger(*asked)


@settings(deadline=None, max_examples=20)
@given_by(histories(), st.tuples(*(files(person) for person in PEOPLE)))
def test_the_order_of_people_does_not_matter(history, each):
    before, of = history
    once = merge(before, [row for found in each for row in found], of)
    assume(not once.faults)
    wanted = decisions_text(once.decisions)
    for order in permutations(each):
        together = merge(before, [row for found in order for row in found], of)
        assert decisions_text(together.decisions) == wanted
        after = before
        for found in order:
            after = merge(after, found, of).decisions
        assert decisions_text(after) == wanted


@settings(deadline=None, max_examples=20)
@given_by(histories(), st.tuples(*(files(person) for person in PEOPLE)))
def test_what_was_merged_changes_nothing_when_it_is_merged_again(history, each):
    before, of = history
    after = merge(before, [row for found in each for row in found], of).decisions
    for found in each:
        again = merge(after, found, of)
        assert again.decisions == after
        assert (again.added, again.replaced) == ((), ())


@settings(deadline=None, max_examples=20)
@given_by(files("Ann"))
def test_decisions_are_as_they_would_be_read_from_their_file(found):
    after = merge(NO_DECISIONS, found, LEDGER).decisions
    assert read_decisions(decisions_text(after), after.file) == after


@settings(deadline=None, max_examples=20)
@given_by(files("Ann"))
def test_each_row_is_told_of_once(found):
    after = merge(NO_DECISIONS, found, LEDGER)
    told = [*after.added, *after.replaced, *after.unchanged, *(n.given for n in after.not_taken)]
    filled = dict.fromkeys(found)
    assert sorted(map(str, told)) == sorted(map(str, filled))
