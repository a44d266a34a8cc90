"""What a person is asked: once about what belongs together, in an order that helps to answer."""

import re
from dataclasses import replace

import pytest
from made_rules import planned, rule

from ruleferry.converters.config import Actions
from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.predicates import Absent, Present, Range, SqlText
from ruleferry.converters.questions import ask
from ruleferry.converters.rule import Caveat, Ordered, Table, Unread

TOPICS = {**gaps(), **caveats()}
ASKING = [topic for topic in TOPICS.values() if topic.question]


def unread(code: str, **fields):
    return rule(Present("x"), check=Unread(code, "so"), **fields)


def questions(*rules, **config):
    return planned(*rules, **config).questions


def codes(found) -> list[str]:
    return [question.code for question in found]


def test_one_question_about_two_hundred_rules():
    rules = [rule(Present(f"c{n}"), place=f"expectations[{n}]") for n in range(200)]
    (question,) = questions(*rules)
    assert question.code == "action_undecided"
    assert len(set(question.entries)) == 200
    assert question.question.startswith("Rules of main.sales.orders without a decided action: 200.")
    assert [p.label for p in question.proposals] == ["warn", "drop", "fail"]
    assert question.until_answered


def test_a_question_per_table():
    found = questions(
        rule(Present("x"), file="a.json", table="a.orders"),
        rule(Present("y"), file="b.json", table="A.Orders"),
        rule(Present("x"), file="c.json", table="lines"),
    )
    assert codes(found) == ["action_undecided"] * 2
    assert [len(question.entries) for question in found] == [2, 1]
    assert "a.orders" in found[0].question


@pytest.mark.parametrize(
    ("reasons", "said"), [(("a b", "a b"), "Fields!C (a b)? "), (("a", "b"), "Fields!C? ")]
)
def test_a_question_tells_the_reason_that_all_share(reasons, said):
    rules = [
        rule(Present("x"), check=Unread("column_unsure", why), place=f"Fields!C{row}")
        for row, why in enumerate(reasons, start=2)
    ]
    (question,) = questions(*rules)
    assert said in question.question


def test_a_question_per_file():
    types = "type_unknown", "engine_unknown"
    rules = [
        rule(Range(column, 1), file=file, engine=None)
        for file in ("a.json", "b.json")
        for column in ("x", "y")
    ]
    found = [q for q in questions(*rules) if q.code in types]
    assert {q.code: len(q.entries) for q in found if q.code == "type_unknown"} == {
        "type_unknown": 2  # of the second file, all is merged into the first
    }
    other = questions(*(replace(r, table=Table(r.origin.file)) for r in rules))
    assert sorted(codes(other)).count("engine_unknown") == 2
    assert {q.question.split(":")[0] for q in other if q.code == "engine_unknown"} == {
        "Which program ran the checks of a.json",
        "Which program ran the checks of b.json",
    }


def test_a_question_per_rule():
    found = questions(*(unread("custom_expectation", table=f"t{n}") for n in range(3)))
    assert codes(found) == ["custom_expectation"] * 3
    assert len({question.id for question in found}) == 3
    assert all(len(question.entries) == 1 for question in found)


def test_tables_of_one_name_that_nothing_states_are_two_tables():
    table = Table("orders", stated=False)
    ordered = Ordered("x")
    rules = [rule(Present("x"), check=ordered, file=f, table=table) for f in ("a.json", "b.json")]
    found = questions(*rules)
    assert codes(found).count("no_order") == 2
    stated = questions(*(replace(r, table=Table("orders")) for r in rules))
    assert codes(stated).count("no_order") == 1


def test_proposals_name_the_file():
    table = Table("orders", stated=False)
    (question,) = (
        q
        for q in questions(rule(Present("x"), file="suites/a b.json", table=table))
        if q.code == "table_not_stated"
    )
    assert question.question == (
        'No source says on which table the rules of suites/a b.json run, here called "orders".'
        " What is it called on Databricks?"
    )
    assert (question.takes, question.about.file) == ("table", "suites/a b.json")
    assert question.proposals[0].effect.endswith(
        'Also: --table "suites/a b.json=catalog.schema.table"; or in ruleferry.toml: '
        '[[source]] path = ["suites/a b.json"], table = "catalog.schema.table"'
    )


def test_a_question_per_column_of_a_sheet():
    cells = [("Fields!G2", "8"), ("Fields!G10", "9"), ("Fields!H2", "8"), ("Other!G2", "8")]
    found = questions(
        *(unread("column_unsure", place=p, text=t, file="d.xlsx", columns=(p,)) for p, t in cells)
    )
    asked = "What does this column of d.xlsx say about the fields"
    told = "Cells that depend on it"
    assert sorted(q.question for q in found) == [
        f"{asked}: Fields!G (so)? {told}: 2.",
        f"{asked}: Fields!H (so)? {told}: 1.",
        f"{asked}: Other!G (so)? {told}: 1.",
    ]


def test_a_question_per_text_in_a_column():
    cells = [("Fields!G2", "CR"), ("Fields!G3", "CR"), ("Fields!G4", "X"), ("Fields!H2", "CR")]
    found = questions(
        *(unread("legend_missing", place=p, text=t, file="d.xlsx", columns=(p,)) for p, t in cells)
    )
    assert sorted(q.question for q in found) == [
        'What does "CR" mean in this column of d.xlsx: Fields!G? Cells with it: 2.',
        'What does "CR" mean in this column of d.xlsx: Fields!H? Cells with it: 1.',
        'What does "X" mean in this column of d.xlsx: Fields!G? Cells with it: 1.',
    ]


def test_a_long_text_is_cut_in_a_question():
    (question,) = questions(unread("not_understood", place="A!B3", text="so {n}\n " * 60))
    shown = question.question.partition('A!B3 "')[2]
    assert shown == ("so {n} " * 60)[:119] + '…" (so)?'


def test_a_name_with_braces_is_no_template():
    found = questions(
        rule(Present("x"), file="{n}.json", table=Table("{table}{0}", stated=False)),
    )
    assert "{n}.json" in next(q.question for q in found if q.code == "table_not_stated")
    assert "{table}{0}" in next(q.question for q in found if q.code == "action_undecided")


def test_what_is_merged_waived_or_no_rule_asks_nothing():
    found = planned(rule(Present("x")))
    (entry,) = found.entries
    entry = replace(entry, caveats=(Caveat("engine_unknown", "so"),))
    assert codes(ask([entry], ())) == ["engine_unknown", "action_undecided"]
    for outcome in ("merged", "waived", "not_a_rule"):
        assert ask([replace(entry, outcome=outcome)], ()) == ()


@pytest.mark.parametrize("code", ["row_condition_cut", "argument_ignored", "patterns_chained"])
def test_what_the_text_of_a_merged_rule_was_meant_to_say_is_asked_all_the_same(code):
    """The rule that stands for it states no such text."""
    (entry,) = planned(rule(Present("x"))).entries
    told = (Caveat(code, "so"), Caveat("engine_unknown", "so"))
    merged = replace(entry, caveats=told, outcome="merged", merged_into="0" * 12)
    (question,) = ask([merged], ())
    assert (question.code, question.entries) == (code, (entry.id,))
    for outcome in ("waived", "not_a_rule"):
        assert ask([replace(merged, outcome=outcome)], ()) == ()


def test_a_caveat_said_twice_is_asked_once():
    (entry,) = planned(rule(Present("x"))).entries
    twice = (Caveat("engine_unknown", "so"), Caveat("engine_unknown", "and so"))
    (question, _) = ask([replace(entry, caveats=twice)], ())
    assert question.entries == (entry.id,)


def test_a_caveat_without_a_question_asks_nothing():
    (entry,) = planned(rule(Present("x")), actions=Actions("warn")).entries
    assert caveats()["scope"].question is None
    assert ask([replace(entry, caveats=(Caveat("scope", "so"),))], ()) == ()


def test_what_is_lost_comes_first_and_what_is_undecided_last():
    table = Table("orders", stated=False)
    found = questions(
        rule(Range("x", 1), table=table, engine=None),
        rule(Present("x"), table=table, place="expectations[1]"),
        rule(Absent("x"), table=table, place="expectations[2]"),
        rule(Present("x"), table=table, place="expectations[3]", check=Ordered("x")),
        unread("custom_expectation", table=table, place="expectations[4]"),
    )
    assert codes(found) == [
        "conflict",
        "custom_expectation",
        "no_order",
        "engine_unknown",
        "type_unknown",
        "action_undecided",
        "table_not_stated",
    ]


def test_of_one_code_the_question_about_most_rules_comes_first():
    rules = [rule(Present("x"), file="a.json", table="a")] + [
        rule(Present(f"x{n}"), file="b.json", table="b") for n in range(3)
    ]
    assert [len(q.entries) for q in questions(*rules)] == [3, 1]


def test_ids_are_of_12_digits_and_the_same_whatever_else_is_asked():
    one = rule(Present("x"), file="a.json", table="a")
    more = [
        rule(Present("x"), file="b.json", table="b"),
        unread("custom_expectation", file="c.json", table="c"),
    ]
    alone = {(q.code, q.id) for q in questions(one)}
    beside = {(q.code, q.id) for q in questions(one, *more)}
    assert alone < beside
    assert all(re.fullmatch("[0-9a-f]{12}", i) for _, i in beside)
    assert len({i for _, i in beside}) == len(beside)


def test_the_same_table_is_the_same_question_when_rules_are_added():
    one = rule(Present("x"))
    (before,) = questions(one)
    (after,) = questions(one, rule(Present("y")))
    assert before.id == after.id


# The tables ---------------------------------------------------------------------------------------


def test_a_question_about_one_rule_names_no_number():
    for topic in ASKING:
        if topic.ask_by == "rule" and topic.code not in ("conflict", "action_conflict"):
            assert "{n}" not in topic.question


def test_no_code_is_in_both_tables():
    assert not gaps().keys() & caveats().keys()


def test_a_doubt_about_the_status_repeats_the_status_and_not_the_rule():
    doubt = Unread("status_doubt", 'its status is "Draft"')
    other = Unread("status_doubt", 'its status is "Proposed"')
    found = questions(
        rule(Present("x"), check=doubt, place="Fields!B4", text="Y"),
        rule(Present("y"), check=doubt, place="Fields!C5", text="10"),
        rule(Present("z"), check=other, place="Fields!B6", text="Y"),
    )
    assert [len(question.entries) for question in found] == [2, 1]
    assert 'its status is "Draft"? Cells that depend on it: 2.' in found[0].question


def test_conditions_in_another_dialect_ask_how_they_read_in_spark():
    sql = SqlText("x > 1", "trino", bad=True)
    assert "needs_sql_reader" in codes(questions(rule(sql)))
