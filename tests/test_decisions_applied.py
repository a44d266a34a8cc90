"""What people decided about rules, applied to them; and where it isn't, the reason."""

from dataclasses import replace
from datetime import date

import pytest
from made_decisions import ANN, decided, named
from made_rules import Typed, planned, rule

from ruleferry.converters.account import Because
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Actions
from ruleferry.converters.decided import (
    Accepted,
    Acted,
    Called,
    Kept,
    Pending,
    Stated,
    Told,
    Waived,
)
from ruleferry.converters.drafts import Draft, Target
from ruleferry.converters.express import Types
from ruleferry.converters.kept import waivers
from ruleferry.converters.predicates import Matches, Present, Range, SqlText
from ruleferry.converters.rule import (
    Caveat,
    Figure,
    NotARule,
    Repeat,
    Row,
    Share,
    Table,
    Unread,
)
from ruleferry.converters.standing import Standing, Waiver

TYPES = Typed({
    "x": parse_type("int"), "y": parse_type("int"), "status": parse_type("string"),
    "amount": parse_type("decimal(10,2)"),
})  # fmt: skip
WORDS = {"tool": "spreadsheet", "engine": "words", "file": "dictionary.xlsx"}


def unread(code="format", reason="its letters are unclear", **fields):
    fields = {"columns": ("status",), "text": "AA99"} | fields
    return rule(Present("status"), check=Unread(code, reason), **fields)


def one(found):
    (entry,) = found.entries
    return entry


def of_file(found, file):
    (entry,) = (entry for entry in found.entries if entry.origin.file == file)
    return entry


def asked(found, code):
    return [question for question in found.questions if question.code == code]


def codes(found):
    return sorted(question.code for question in found.questions)


def undecided(*rules, **config):
    return planned(*rules, types_of=TYPES, **config)


def after(rules, *decisions, **config):
    return planned(*rules, types_of=TYPES, decisions=decisions, **config)


# Conditions ---------------------------------------------------------------------------------------

GAP = unread(**WORDS)


@pytest.mark.parametrize(
    ("legacy", "answer", "condition", "nulls", "grade"),
    [
        (GAP, "x > 0", "x IS NOT NULL AND x > 0", "fail", "exact"),
        (GAP, "x > 0 OR x IS NULL", "x > 0 OR x IS NULL", "pass", "exact"),
        (GAP, "X > 0 -- as agreed", "X IS NOT NULL AND X > 0", "fail", "exact"),
        (GAP, "x > y", "x IS NOT NULL AND y IS NOT NULL AND x > y", "fail", "exact"),
        (unread(), "x > 0", "x IS NOT NULL AND x > 0", "fail", "assumed"),
        (rule(Range("x", 0, 5)), "x > 0", "x IS NOT NULL AND x > 0", "fail", "assumed"),
        (rule(Range("x", 0, 5), **WORDS), "x > 0", "x IS NOT NULL AND x > 0", "fail", "exact"),
        (
            rule(Range("x", 0), scope=SqlText("y = 1", "spark", bad=False)),
            "x > 0", "x IS NOT NULL AND x > 0", "fail", "assumed",
        ),
        (
            rule(Present("x"), check=Figure("mean", ("x",)), kind="figure"),
            "x > 0", "x IS NOT NULL AND x > 0", "fail", "assumed",
        ),
    ],
)  # fmt: skip
def test_a_stated_condition_is_that_of_the_rule(legacy, answer, condition, nulls, grade):
    before = one(undecided(legacy))
    found = after([legacy], decided(answer, before, code="format"))
    entry = one(found)
    assert (entry.outcome, entry.condition, entry.nulls) == ("record", condition, nulls)
    assert (entry.id, entry.name, entry.kind) == (before.id, before.name, before.kind)
    assert (entry.grade, entry.gap) == (grade, None)
    assert [rule.condition for rule in found.modules[0].rules] == [condition]
    assert entry.decided == (f"condition, by {ANN}",)
    assert "format" not in codes(found)


def test_a_stated_condition_tells_who_and_what_becomes_of_missing_values():
    legacy = rule(Range("x", 0), scope=SqlText("y = 1", "spark", bad=False))
    answer = decided("x > 0", one(undecided(legacy)), note="agreed with finance")
    (caveat,) = one(after([legacy], answer)).caveats
    assert caveat.code == "condition_replaced"
    assert caveat.detail == (
        f"{ANN}: agreed with finance; a record of which it can't be told, since a value is "
        "missing, is bad; it no longer adds: where y = 1"
    )
    entry = one(after([GAP], decided("x > 0 OR x IS NULL", one(undecided(GAP)))))
    assert entry.caveats == (
        Caveat("condition_stated", f"{ANN}; a record that has none of its values is good"),
    )


def test_a_stated_condition_takes_no_suite_by_its_word():
    legacy = rule(Range("x", 0))
    answer = decided("x > 0", one(planned(legacy)))
    entry = one(planned(legacy, types_of=Typed(None), decisions=[answer]))
    assert entry.grade == "assumed"
    assert "sql_assumed" in [caveat.code for caveat in entry.caveats]


def test_nor_what_the_suite_claims_of_its_types():
    legacy = rule(Range("x", 0))

    def claimed(reading, table):
        return Types(None, {"x": parse_type("int")})

    before = one(planned(legacy, types_of=claimed))
    entry = one(planned(legacy, types_of=claimed, decisions=[decided("x > 0", before)]))
    assert "try_cast" in entry.condition
    assert entry.grade == "assumed"


def test_how_the_text_was_read_no_longer_matters():
    told = Caveat("pattern_whole", "so"), Caveat("argument_ignored", "so"), Caveat("sql_note", "so")
    legacy = rule(Present("status"), check=Row(Matches("status", ("a",))), caveats=told, **WORDS)
    entry = one(after([legacy], decided("status LIKE 'a%'", one(undecided(legacy)))))
    assert [caveat.code for caveat in entry.caveats] == ["sql_note", "condition_stated"]
    assert entry.grade == "exact"


REFUSED = [
    ("x >", "can't be read"),
    ("SELECT * FROM t WHERE x > 0", "can't be read"),
    ("x > 0; DROP TABLE t", "more than one SQL statement"),
    ("x IN (SELECT k FROM t)", "it looks into a table"),
    ("EXISTS (SELECT 1)", "it looks into a table"),
    ("sum(x) > 1", "adds up many records"),
    ("row_number() OVER (ORDER BY x) = 1", "other records"),
    ("my_udf(x) > 1", "my_udf() is not in the list of functions"),
    ("rand() > x", "another value each time"),
    ("ai_query('m', status) = 'y'", "runs code outside SQL"),
    ("nope > 1", "the schema's table has no column nope"),
    ("amuont > 1", "the nearest is amount"),
    ("1 = 1", "lets every record pass"),
    ("x = NULL", "refuses every record"),
    ("x BETWEEN 5 AND 1", "refuses every record"),
    ("current_date() > DATE'2020-01-01'", "it reads no column of a record"),
    ("x > ${limit}", "a placeholder"),
    ("x > {limit}", "a placeholder"),
    ("amount", "can't be read as a truth value"),
    ("status RLIKE '(?<a'", "a group has no name"),
    ('status = "amount"', "in double quotes is a text"),
    ("x > 0 \u202e", "can't be read"),
    ("(" * 3000 + "x > 0" + ")" * 3000, "nested too deep"),
    ("x" * 250_000 + " > 0", "has no column"),
    ("\ud800 > 1", "can't be read"),
]


@pytest.mark.parametrize(("answer", "why"), REFUSED)
@pytest.mark.parametrize("legacy", [unread(), rule(Range("x", 0, 5))], ids=["gap", "carried"])
def test_a_bad_condition_comes_back_as_a_gap_that_says_why(legacy, answer, why):
    before = one(undecided(legacy))
    found = after([legacy], decided(answer, before, code="format"))
    entry = one(found)
    assert (entry.outcome, entry.gap.code, entry.condition) == ("gap", "answer_refused", None)
    assert entry.gap.reason.startswith(f"the answer of {ANN} can't be used: ")
    assert why in entry.gap.reason
    assert len(entry.gap.reason) < 400
    assert (entry.id, entry.name, found.modules) == (before.id, before.name, ())
    (question,) = (q for q in found.questions if q.answered)
    (given,) = question.answered
    assert (given.state, given.answer, given.by, given.on) == (
        "refused", answer, "Ann Smith", "2026-11-30",
    )  # fmt: skip
    assert f"the answer of {ANN} can't be used: {given.why}" == entry.gap.reason


def test_a_refused_answer_is_asked_with_the_words_of_its_question():
    before = undecided(GAP)
    found = after([GAP], decided("x >", one(before), code="format"))
    (was,), (now,) = asked(before, "format"), asked(found, "format")
    assert replace(now, answered=()) == was


# Waived -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "legacy",
    [
        unread(),
        rule(Range("x", 0, 5)),
        rule(Present("x"), check=Share(Row(Present("x")), 0.9)),
        rule(Present("x"), check=NotARule("a field that may be empty")),
    ],
    ids=["gap", "record", "share", "no rule"],
)
def test_a_waived_rule_is_in_the_books_and_not_in_the_module(legacy):
    before = one(undecided(legacy))
    found = after([legacy], decided(Waived("nobody reads it"), before))
    entry = one(found)
    assert (entry.outcome, entry.waived) == ("waived", f"{ANN}: nobody reads it")
    assert (entry.id, entry.name) == (before.id, before.name)
    assert (entry.condition, entry.action, entry.gap, entry.grade) == (None,) * 4
    assert (found.modules, found.questions) == ((), ())


def test_of_rules_that_say_the_same_each_is_waived_by_itself():
    two = [rule(Range("x", 0, 5), file=f"{name}.json") for name in "ab"]
    before = undecided(*two)
    leader, follower = before.entries
    assert follower.merged_into == leader.id
    found = after(two, decided(Waived("old"), leader))
    assert [entry.outcome for entry in found.entries] == ["waived", "record"]
    (left,) = found.modules[0].rules
    assert (left.id, left.name, left.condition) == (follower.id, leader.name, leader.condition)
    assert [o.file for o in found.modules[0].origins[left.id]] == ["b.json"]
    found = after(two, decided(Waived("old"), follower))
    assert [entry.outcome for entry in found.entries] == ["record", "waived"]
    assert found.modules[0].rules[0].name == leader.name


def test_what_repeats_a_waived_rule_is_waived_with_it():
    first = rule(Range("x", 0, 5), file="new.json")
    again = rule(
        Range("x", 0, 5), check=Repeat("new.json", first.atom), file="old.json", text="again"
    )
    before = undecided(first, again)
    found = after([first, again], decided(Waived("old"), of_file(before, "new.json")))
    assert {entry.outcome for entry in found.entries} == {"waived"}
    assert of_file(found, "old.json").waived.endswith("(it repeats a rule that was waived)")
    found = after([first, again], decided(Waived("old"), of_file(before, "old.json")))
    assert of_file(found, "new.json").outcome == "record"
    assert of_file(found, "old.json").waived == f"{ANN}: old"


def test_a_waiver_beats_a_condition():
    before = one(undecided(GAP))
    answers = decided("x > 0", before, code="format"), decided(Waived("no"), before, code="other")
    assert one(after([GAP], *answers)).outcome == "waived"


# Actions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "actions"),
    [
        ({}, Actions()),
        ({}, Actions(default="fail")),
        ({}, Actions(rules={"orders.x_range": "fail"})),
        ({"behaviour": "fail", "behaviour_detail": "RAISE"}, Actions()),
        ({"action_word": "fail"}, Actions()),
        ({"tags": (("severity", "high"),)}, Actions(words={"high": "fail"})),
    ],
)
def test_a_decided_action_beats_all_others(fields, actions):
    legacy = rule(Range("x", 0, 5), **fields)
    before = one(undecided(legacy, actions=actions))
    found = after([legacy], decided(Acted("drop"), before), actions=actions)
    entry = one(found)
    assert (entry.action, entry.because) == ("drop", Because("decision", ANN))
    assert (entry.dataset, entry.decided) == ("orders_clean", (f"action drop, by {ANN}",))
    assert "action_undecided" not in codes(found)


def test_an_action_of_any_rule_that_says_the_same_is_for_all():
    two = [rule(Range("x", 0, 5), file=f"{name}.json", behaviour="fail") for name in "ab"]
    leader, follower = undecided(*two).entries
    entry = after(two, decided(Acted("warn"), follower)).entries[0]
    assert (entry.id, entry.action, entry.because.by) == (leader.id, "warn", "decision")


def test_two_decided_actions_of_rules_that_say_the_same():
    two = [rule(Range("x", 0, 5), file=f"{name}.json") for name in "ab"]
    leader, follower = undecided(*two).entries
    answers = decided(Acted("warn"), leader), decided(Acted("fail"), follower, by="Bob")
    found = after(two, *answers)
    assert found.entries[0].action == "fail"
    (question,) = asked(found, "action_conflict")
    assert question.entries == (leader.id, follower.id)
    settled = decided(Accepted("as it is"), leader, follower, code="action_conflict")
    assert asked(after(two, *answers, settled), "action_conflict") == []
    assert after(two, *answers, settled).entries[0].action == "fail"


def test_a_figure_still_has_no_record_to_drop():
    legacy = rule(Present("x"), check=Figure("mean", ("x",), (("min_value", 1),)), kind="figure")
    entry = one(after([legacy], decided(Acted("drop"), one(undecided(legacy)))))
    assert (entry.action, entry.because.by) == ("warn", "decision")
    assert "no_record_to_drop" in [caveat.code for caveat in entry.caveats]


def test_an_action_waits_until_a_gap_is_closed():
    before = one(undecided(GAP))
    action, condition = decided(Acted("fail"), before), decided("x > 0", before, code="format")
    assert one(after([GAP], action)).action is None
    assert one(after([GAP], action, condition)).action == "fail"


def test_an_accepted_default_is_decided():
    legacy = rule(Range("x", 0, 5))
    before = one(undecided(legacy))
    accepted = decided(Accepted("warn"), before, code="action_undecided")
    found = after([legacy], accepted)
    assert (one(found).action, one(found).because) == ("warn", Because("decision", ANN))
    assert found.questions == ()
    later = rule(Range("x", 0, 5), behaviour="fail", file="later.sql", tool="sql")
    found = after([legacy, later], accepted)
    assert (found.entries[0].action, found.questions) == ("fail", ())


# Names --------------------------------------------------------------------------------------------


def test_a_name_is_pinned():
    legacy = rule(Range("x", 0, 5))
    before = one(undecided(legacy))
    found = after([legacy], decided(Called("price_limits"), before))
    assert (one(found).name, found.modules[0].rules[0].name) == ("price_limits",) * 2
    assert one(found).id == before.id
    assert "orders.price_limits" in found.keys.known
    changed = named(before, text="0" * 12)
    still = after([legacy], decided(Called("price_limits"), rules=(changed,)))
    assert one(still).name == "price_limits"  # it says nothing about the text


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Price", "lower-case letters"),
        ("1x", "begins with a letter"),
        ("", "no rule can be called ''"),
        ("a" * 64, "at most 63"),
        ("x; DROP", "no rule can be called"),
        ("x\n", "no rule can be called"),
        ("y_present", "another rule is called y_present"),
        ("clean", "a dataset of the module is called clean"),
    ],
)
def test_a_name_that_can_not_be_is_refused_aloud(name, why):
    two = [rule(Range("x", 0, 5)), rule(Present("y"), place="expectations[1]")]
    before = undecided(*two)
    found = after(two, decided(Called(name), before.entries[0]))
    assert [e.name for e in found.entries] == [e.name for e in before.entries]
    (caveat,) = found.entries[0].caveats
    assert caveat.code == "name_refused"
    assert why in caveat.detail
    assert caveat.detail.startswith(ANN)


def test_names_that_clash_with_each_other_are_both_refused_and_a_swap_is_none():
    two = [rule(Present("x")), rule(Present("y"), place="expectations[1]")]
    x, y = undecided(*two).entries
    twice = after(two, decided(Called("z"), x), decided(Called("z"), y))
    assert [e.name for e in twice.entries] == [x.name, y.name]
    swapped = after(two, decided(Called(y.name), x), decided(Called(x.name), y))
    assert [e.name for e in swapped.entries] == [y.name, x.name]


# Accepted -----------------------------------------------------------------------------------------


def test_what_is_accepted_is_told_and_neither_assumed_nor_asked():
    legacy = rule(Range("x", 0, 5), engine=None)
    found = planned(legacy)
    assert one(found).grade == "assumed"
    codes_ = [c.code for c in one(found).caveats if c.code in ("engine_unknown", "type_unknown")]
    assert len(codes_) == 2
    answers = [decided(Accepted("leave it"), one(found), code=code) for code in codes_]
    half = planned(legacy, decisions=answers[:1])
    assert (one(half).grade, codes_[0] in codes(half)) == ("assumed", False)
    entry = one(done := planned(legacy, decisions=answers))
    assert (entry.grade, codes(done)) == ("exact", ["action_undecided"])
    assert entry.caveats == one(found).caveats
    assert entry.decided[0] == f"accepted “leave it”, by {ANN}"


def test_what_differs_stays_different():
    legacy = rule(Range("x", 0, 5), caveats=(Caveat("whole_table", "so"),))
    accepted = decided(Accepted("yes"), one(undecided(legacy)), code="whole_table")
    found = after([legacy], accepted)
    assert (one(found).grade, codes(found)) == ("differs", ["action_undecided"])


def test_an_accepted_gap_stays_one_and_is_not_asked_again():
    found = after([GAP], decided(Accepted("keep it"), one(undecided(GAP)), code="format"))
    assert (one(found).outcome, found.questions) == ("gap", ())


def test_only_the_rules_that_were_asked_about_are_settled():
    three = [rule(Present(c), place=c, engine=None) for c in ("x", "y")] + [
        rule(Range("amount", 0), place="z", engine=None)
    ]
    before = undecided(*three)
    accepted = decided(Accepted("warn"), *before.entries[:2], code="action_undecided")
    (question,) = asked(after(three, accepted), "action_undecided")
    assert question.entries == (before.entries[2].id,)


# Rules that contradict ----------------------------------------------------------------------------

OPPOSED = [
    rule(Range("x", 0, 100), file="a.json"),
    rule(Range("x", 0, 120), file="b.json"),
    rule(Range("x", 0, 120), file="c.json"),
]


def test_of_rules_that_contradict_the_kept_one_holds():
    before = undecided(*OPPOSED)
    (question,) = asked(before, "conflict")
    a, b, _c = before.entries
    assert question.entries == (a.id, b.id)
    found = after(OPPOSED, decided(Kept(a.id), a, b, code="conflict", note="law of 2024"))
    assert [e.outcome for e in found.entries] == ["record", "waived", "waived"]
    assert {e.waived for e in found.entries[1:]} == {
        f"{ANN}: orders.{a.name} holds instead (law of 2024)"
    }
    assert [e.name for e in found.entries] == [a.name, b.name, b.name]
    assert asked(found, "conflict") == []
    found = after(OPPOSED, decided(Kept(b.id), a, b, code="conflict"))
    assert [e.outcome for e in found.entries] == ["waived", "record", "merged"]


def test_required_against_a_field_that_may_be_empty():
    required = rule(Present("x"), file="a.json")
    permit = rule(
        Present("x"), check=NotARule("x may be empty", permits="x"), file="d.xlsx",
        tool="spreadsheet", engine="words",
    )  # fmt: skip
    before = undecided(required, permit)
    (question,) = asked(before, "conflict")
    one_, other = (of_file(before, file) for file in ("a.json", "d.xlsx"))
    assert set(question.entries) == {one_.id, other.id}
    for kept, outcomes in ((one_, ["record", "waived"]), (other, ["waived", "not_a_rule"])):
        found = after([required, permit], decided(Kept(kept.id), one_, other, code="conflict"))
        assert [of_file(found, f).outcome for f in ("a.json", "d.xlsx")] == outcomes
        assert asked(found, "conflict") == []
        lost = of_file(found, "d.xlsx" if kept is one_ else "a.json")
        assert lost.waived == f"{ANN}: orders.{kept.name} holds instead"
    found = after([required, permit], decided(Waived("never true"), other, code="conflict"))
    assert [e.outcome for e in found.entries].count("waived") == 1
    assert asked(found, "conflict") == []


def test_a_conflict_tells_what_a_rule_says_now():
    answer = decided("x BETWEEN 0 AND 7", undecided(*OPPOSED).entries[0])
    (question,) = asked(after(OPPOSED, answer), "conflict")
    said = "x has a value and is at least 0 and at most 7"
    assert said in question.question
    assert any(said in proposal.label for proposal in question.proposals)


def test_a_new_rule_in_a_conflict_is_asked_about():
    a, b, _ = undecided(*OPPOSED).entries
    more = [*OPPOSED, rule(Range("x", 0, 50), file="d.json")]
    found = after(more, decided(Kept(a.id), a, b, code="conflict"))
    (question,) = asked(found, "conflict")
    assert set(question.entries) == {a.id, of_file(found, "d.json").id}
    accepted = decided(Accepted("both hold"), a, b, code="conflict")
    assert asked(after(OPPOSED, accepted), "conflict") == []
    assert len(asked(after(more, accepted), "conflict")) == 1


def test_a_rule_that_is_gone_holds_instead_of_none():
    a, b, _ = undecided(*OPPOSED).entries
    kept = decided(Kept(a.id), a, b, code="conflict")
    gone = after(OPPOSED[1:], kept)
    assert [e.outcome for e in gone.entries] == ["record", "merged"]
    changed = decided(Kept(a.id), rules=(named(a, text="0" * 12), named(b)), code="conflict")
    stale = after(OPPOSED, changed)
    assert [e.outcome for e in stale.entries] == ["record", "record", "merged"]
    (question,) = asked(stale, "conflict")
    assert "stale" in [answered.state for answered in question.answered]


@pytest.mark.parametrize("by", ["Ann Smith", "Bob"])
def test_who_keeps_a_rule_and_waives_it_leaves_both_rules_and_is_asked_again(by):
    a, b, _ = undecided(*OPPOSED).entries
    kept = decided(Kept(a.id), a, b, code="conflict")
    found = after(OPPOSED, kept, replace(decided(Waived("old"), a), by=by))
    assert [e.outcome for e in found.entries] == ["record", "record", "merged"]
    assert not [e for e in found.entries if e.decided]
    (question,) = asked(found, "conflict")
    assert [answered.state for answered in question.answered] == ["disputed"]


DAYS = (date(2026, 11, 1), date(2026, 11, 20))


@pytest.mark.parametrize("verdict", [Acted("fail"), Stated("x > 5")])
def test_two_people_of_whom_one_waives_a_rule_are_asked_again(verdict):
    (one,) = undecided(*OPPOSED[:1]).entries
    ann = replace(decided(verdict, one, code="action_undecided"), on=DAYS[1])
    bob = replace(decided(Waived("nah"), one, code="action_undecided"), by="Bob", on=DAYS[0])
    for order in ([ann, bob], [bob, ann]):
        found = after(OPPOSED[:1], *order)
        assert [(e.outcome, e.decided) for e in found.entries] == [("record", ())]
        told = [given for q in found.questions for given in q.answered]
        assert {(given.state, given.by) for given in told} == {
            ("disputed", "Ann Smith"),
            ("disputed", "Bob"),
        }


@pytest.mark.parametrize(
    ("waived", "acted", "outcome"),
    [(0, 1, "record"), (1, 0, "waived"), (1, 1, "waived")],
)
def test_one_persons_later_word_holds(waived, acted, outcome):
    (one,) = undecided(*OPPOSED[:1]).entries
    action = replace(decided(Acted("fail"), one, code="action_undecided"), on=DAYS[acted])
    waiver = replace(decided(Waived("nah"), one, code="conflict"), on=DAYS[waived])
    (entry,) = after(OPPOSED[:1], action, waiver).entries
    assert (entry.outcome, len(entry.decided)) == (outcome, 1)


def test_two_answers_about_one_rule_of_a_conflict_are_a_dispute():
    three = [rule(Range("x", 0, n), file=f"{n}.json") for n in (100, 110, 120)]
    a, b, c = undecided(*three).entries
    first = decided(Kept(a.id), a, b, code="conflict")
    second = decided(Kept(c.id), c, a, code="conflict", by="Bob")
    assert [e.outcome for e in after(three, first).entries] == ["record", "waived", "record"]
    disputed = after(three, first, second)
    (question,) = asked(disputed, "conflict")
    assert {given.state for given in question.answered} == {"disputed"}


def test_no_rule_is_waived_for_one_that_is_waived_itself():
    over = decided(Kept("a"), code="conflict"), decided(Kept("c"), code="conflict")
    target = Target("t", "t", "t")
    a, b, c = (
        Draft(rule(Present(i)), i, target, NotARule(""), standing=Standing(kept=kept))
        for i, kept in (("a", over), ("b", over[:1]), ("c", over[1:]))
    )
    found = waivers([[a], [b], [c]], [["a", "b"], ["a", "c"]])
    assert found == {"a": Waiver(over[1], "c")}


# Which rule ---------------------------------------------------------------------------------------


def test_a_rule_is_found_by_what_it_says_where_its_id_is_new():
    moved = replace(GAP, origin=replace(GAP.origin, file="renamed.xlsx"))
    before = one(undecided(GAP))
    found = after([moved], decided("x > 0", before, code="format"))
    assert one(found).id != before.id
    assert (one(found).outcome, found.lost) == ("record", ())


@pytest.mark.parametrize(
    "fields",
    [
        {"table": "other"},
        {"columns": ("z",)},
        {"kind": "range"},
        {"kind": None},
        {"text": "0" * 12},
    ],
)
def test_a_rule_that_says_something_else_is_not_meant(fields):
    there = named(one(undecided(GAP)), **({"id": "0" * 12} | fields))
    found = after([GAP], decided("x > 0", rules=(there,), code="format"))
    assert (one(found).outcome, found.lost) == ("gap", (there.rule,))


def test_of_two_rules_that_say_it_none_is_taken():
    moved = [replace(GAP, origin=replace(GAP.origin, file=f"{n}.xlsx")) for n in "ab"]
    before = one(undecided(GAP))
    found = after(moved, decided("x > 0", before, code="format"))
    assert ([e.outcome for e in found.entries], len(found.lost)) == (["gap", "gap"], 1)


def test_what_no_source_states_any_more_is_told():
    before = undecided(GAP, rule(Range("x", 0)))
    answer = decided(Waived("old"), *before.entries)
    found = after([GAP], answer)
    (gone,) = (e for e in before.entries if e.kind == "range")
    assert found.lost == (f"main.sales.orders.{gone.name}",)
    facts = decided(Told("engine", "spark"), *before.entries)
    assert after([GAP], facts).lost == ()


# Answers that settle nothing ----------------------------------------------------------------------


def stale(entry):
    return (named(entry, text="0" * 12),)


def test_a_stale_answer_is_not_applied_and_asked_again():
    before = one(undecided(GAP))
    found = after([GAP], decided("x > 0", rules=stale(before), code="format"))
    assert one(found).outcome == "gap"
    (question,) = asked(found, "format")
    (given,) = question.answered
    assert (given.state, given.answer) == ("stale", "x > 0")
    assert given.why == "the rule's text has changed since"


@pytest.mark.parametrize(
    ("verdict", "does", "value"),
    [
        (Stated("x > 0"), "value", "x > 0"),
        (Waived("old"), "waive", ""),
        (Acted("fail"), "action", "fail"),
    ],
)
def test_a_stale_answer_whose_question_is_gone_is_asked_by_itself(verdict, does, value):
    legacy = rule(Range("x", 0, 5), behaviour="drop")
    before = one(undecided(legacy))
    found = after([legacy], decided(verdict, rules=stale(before), code="format"))
    assert (one(found).outcome, one(found).action) == ("record", "drop")
    (question,) = found.questions
    assert (question.code, question.takes) == ("answer_stale", "condition")
    first = question.proposals[0]
    assert (first.label, first.does, first.value) == ("the earlier answer still holds", does, value)
    fresh = decided(verdict, before, code="answer_stale")
    settled = after([legacy], decided(verdict, rules=stale(before), code="format"), fresh)
    assert asked(settled, "answer_stale") == []
    void = decided(Accepted("no"), before, code="answer_stale")
    settled = after([legacy], decided(verdict, rules=stale(before), code="format"), void)
    assert (settled.questions, one(settled).outcome) == ((), "record")


def test_a_stale_acceptance_is_asked_where_the_question_still_is():
    legacy = rule(Range("x", 0, 5))
    accepted = Accepted("warn")
    old = decided(accepted, rules=stale(one(undecided(legacy))), code="action_undecided")
    (question,) = after([legacy], old).questions
    assert [a.state for a in question.answered] == ["stale"]
    sure = rule(Range("x", 0, 5), behaviour="drop")
    assert after([sure], old).questions == ()


def test_two_answers_that_differ_are_both_shown_and_neither_applied():
    before = one(undecided(GAP))
    answers = [
        decided("x > 0", before, code="format"),
        decided("x > 1", before, code="format", by="Bob", on=date(2026, 12, 1)),
    ]
    found = after([GAP], *answers)
    assert one(found).outcome == "gap"
    (question,) = asked(found, "format")
    assert [(a.state, a.by, a.answer) for a in question.answered] == [
        ("disputed", "Ann Smith", "x > 0"),
        ("disputed", "Bob", "x > 1"),
    ]
    assert found == after([GAP], *answers[::-1])
    assert one(after([GAP], answers[0], replace(answers[0], by="Bob"))).outcome == "record"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (decided(Waived("a"), code="format"), decided("x > 0", code="format", by="Bob")),
        (decided(Waived("a"), code="format"), decided(Pending("mend"), code="format", by="Bob")),
        (decided("x > 1", code="format"), decided("x > 0", code="type_unknown", by="Bob")),
        (decided(Acted("warn")), decided(Acted("drop"), by="Bob")),
        (
            decided(Accepted("warn"), code="action_undecided"),
            decided(Acted("drop"), code="action_undecided", by="Bob"),
        ),
        (decided(Waived("a"), code="gone"), decided("x > 0", code="gone", by="Bob")),
    ],
)
def test_what_differs_is_a_dispute(first, second):
    legacy = rule(Range("x", 0, 5), behaviour="fail")
    before = one(undecided(legacy))
    answers = [replace(a, rules=(named(before),)) for a in (first, second)]
    found = after([legacy], *answers)
    assert one(found) == before
    (question,) = found.questions
    assert [a.state for a in question.answered] == ["disputed"] * 2
    if question.code == "answer_disputed":
        labels = [p.label for p in question.proposals]
        assert f"the answer of {ANN}" in labels or "the answer of Bob on 2026-11-30" in labels
        last = replace(answers[1], code="answer_disputed")
        if isinstance(last.verdict, Stated):
            assert one(after([legacy], *answers, last)).condition == "x IS NOT NULL AND x > 0"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (decided(Waived("a")), decided(Waived("b"), by="Bob")),
        (decided("x > 0 "), decided("x > 0", by="Bob")),
        (decided(Accepted("warn")), decided(Acted("drop"))),
        (decided(Accepted("Leave it")), decided(Accepted("leave it"), by="Bob")),
        (decided(Acted("drop")), decided("x > 0", by="Bob")),
    ],
)
def test_what_does_not_differ_is_none(first, second):
    legacy = rule(Range("x", 0, 5))
    before = one(undecided(legacy))
    answers = [replace(a, rules=(named(before),), code="action_undecided") for a in (first, second)]
    found = after([legacy], *answers)
    assert [a for q in found.questions for a in q.answered] == []
    assert one(found) != before


def test_what_is_still_to_be_done_is_asked_until_it_is():
    before = one(undecided(GAP))
    pending = decided(Pending("mend the source"), before, code="format")
    (question,) = after([GAP], pending).questions
    assert [(a.state, a.answer) for a in question.answered] == [("pending", "mend the source")]
    mended = replace(GAP, check=Row(Range("x", 0)))
    assert all(not q.answered for q in after([mended], pending).questions)


def test_rules_with_other_answers_to_one_question_are_asked_about_apart():
    three = [rule(Present(c), place=c) for c in ("x", "y", "amount")]
    before = undecided(*three)
    (whole,) = before.questions
    pending = decided(Pending("ask"), before.entries[0], code="action_undecided")
    found = after(three, pending)
    assert len({q.id for q in found.questions}) == 2
    assert sorted((len(q.entries), len(q.answered)) for q in found.questions) == [(1, 1), (2, 0)]
    assert whole.id in {q.id for q in found.questions}


# What stays as it was -----------------------------------------------------------------------------


def test_no_decision_renames_another_rule():
    rules = [
        rule(Range("x", 0, 5), place="a"),
        rule(Range("x", 1, 4), place="b", text="other", scope=SqlText("y = 1", "spark", bad=False)),
        unread(place="c", kind="range", columns=("x",)),
        rule(Range("y", 0, 5), place="d"),
        rule(Range("y", 0, 5), place="e", file="z.json"),
    ]
    before = undecided(*rules)
    names = {e.id: e.name for e in before.entries}
    for entry in before.entries:
        for verdict in (Stated("x > 3"), Waived("old"), Stated("x >")):
            found = after(rules, decided(verdict, entry))
            assert {e.id: e.name for e in found.entries if e.id != entry.id} == {
                i: name for i, name in names.items() if i != entry.id
            }
            carried = [r.name for m in found.modules for r in m.rules]
            assert len(set(carried)) == len(carried)


@pytest.mark.parametrize("column", ["x", "y", "amount", "status", "z", "w"])
def test_who_says_the_same_keeps_the_name_when_another_condition_is_stated(column):
    """Whichever of the two stood for both."""
    two = [rule(Present(column), file=f"{name}.json") for name in "ab"]
    types = {name: parse_type("int") for name in ("x", "y", "amount", "status", "z", "w")}
    before = planned(*two, types_of=Typed(types))
    for entry in before.entries:
        found = planned(*two, types_of=Typed(types), decisions=[decided(f"{column} > 1", entry)])
        names = {e.id: e.name for e in found.entries}
        assert names.pop(entry.id) == f"{column}_present_{entry.id[:4]}"
        assert list(names.values()) == [f"{column}_present"]


def test_of_two_that_both_say_something_else_now_the_first_keeps_the_name():
    two = [rule(Present("x"), file="a.xlsx", tool="spreadsheet"), rule(Present("x"), file="b.json")]
    before = undecided(*two)
    first, second = before.entries
    assert first.origin.file == "b.json"
    found = after(two, decided("x > 1", first), decided("x > 2", second))
    names = {e.id: e.name for e in found.entries}
    assert names == {first.id: "x_present", second.id: f"x_present_{second.id[:4]}"}


def test_a_stated_condition_that_another_rule_has_merges_into_it():
    two = [rule(Range("x", 0, 5), file="a.json"), rule(Present("y"), file="b.json")]
    x, y = undecided(*two).entries
    found = after(two, decided("y IS NOT NULL", x))
    (left,) = found.modules[0].rules
    assert (left.id, left.name) == (y.id, y.name)
    assert {e.id: e.outcome for e in found.entries} == {x.id: "merged", y.id: "record"}


def test_a_rule_of_its_own_takes_no_name_that_clashed():
    """Rules that clash end in digits; so does one that is parted from its group."""
    four = [
        rule(Present("x"), file="a.json"),
        rule(Present("x"), file="b.json"),
        rule(Present("x"), check=Row(Range("y", 0)), file="c.json"),
    ]
    before = undecided(*four)
    first, second, _ = before.entries
    assert first.name.startswith("x_present_")
    found = after(four, decided("x > 7", second))
    (entry,) = (e for e in found.entries if e.id == second.id)
    assert entry.name == f"x_present_{second.id[:4]}"


def test_a_waived_rule_reads_no_table():
    legacy = rule(Range("x", 0, 5), table=Table("orders", stated=False))
    found = after([legacy], decided(Waived("old"), one(undecided(legacy))))
    assert (one(found).caveats, found.questions) == ((), ())


def test_a_condition_for_a_statement_without_a_table_tells_so():
    legacy = unread(
        "no_table", tool="sql", engine="oracle", table=Table("checks", stated=False), file="c.sql"
    )
    before = one(undecided(legacy))
    assert before.caveats == ()
    found = after([legacy], decided("x > 0", before, code="no_table"))
    assert [c.code for c in one(found).caveats] == ["table_not_stated", "condition_replaced"]
    assert "table_not_stated" in codes(found)
