"""What [actions.rules] may call a rule, and that a key that a message proposes works."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_decisions import decided as answered
from made_rules import planned, rule
from suites import convert, entries, suite, values, write

from ruleferry.converters.config import Actions
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.predicates import OneOf, Present
from ruleferry.converters.rule import Unread

OLD, NEW = ("F", "O"), ("F", "O", "X")


def status(*allowed: str, **fields):
    return rule(OneOf("status", allowed), **fields)


# A suite and a script say the same; the script does something with bad records itself.
SUITE = status(*OLD, file="a.json")
SCRIPT = status(*OLD, file="b.sql", tool="sql", author_name="chk_7", behaviour="warn")
SAME = status(*OLD, file="c.json")
PARTED = status(*NEW, file="c.json")


def decided(*rules, **actions):
    """Each rule of the module: its condition's values -> its action; and what the keys are."""
    found = planned(*rules, actions=Actions(rules=actions.get("rules", {})))
    return {e.condition: e.action for e in found.entries if e.action}, found


def test_a_key_holds_whatever_rule_leads_by_it():
    key = "orders.status_allowed"
    acting, found = decided(SUITE, SCRIPT, rules={key: "drop"})
    assert list(acting.values()) == ["drop"]
    assert key in found.keys.known


def test_a_key_of_rules_that_part_is_unclear_and_decides_none():
    key = "orders.status_allowed"
    acting, _ = decided(SUITE, SCRIPT, SAME, rules={key: "fail"})
    assert list(acting.values()) == ["fail"]
    acting, found = decided(SUITE, SCRIPT, PARTED, rules={key: "fail"})
    assert set(acting.values()) == {"warn"}
    assert key not in found.keys.known
    first, second = found.keys.unclear[key]
    for better, values_of in ((first, OLD), (second, NEW)):
        acting, again = decided(SUITE, SCRIPT, PARTED, rules={better: "fail"})
        assert better in again.keys.known
        failing = [condition for condition, action in acting.items() if action == "fail"]
        assert [re.findall("'(.)'", text) for text in failing] == [list(values_of)]


@pytest.mark.parametrize("table", ["orders", "main.sales.orders"])
def test_a_better_key_has_the_table_that_was_written(table):
    _, found = decided(SUITE, PARTED)
    better = found.keys.unclear[f"{table}.status_allowed"]
    assert [key.rpartition(".")[0] for key in better] == [table] * 2


def test_the_name_of_a_merged_rule_decides_it():
    rules = (SUITE, status(*OLD, file="b.json", author_name="chk_7"))
    for key in ("orders.chk_7", "orders.status_allowed"):
        acting, found = decided(*rules, rules={key: "drop"})
        assert list(acting.values()) == ["drop"], key
        assert key in found.keys.known


def test_two_names_of_one_rule_with_two_actions_are_asked_about():
    rules = (SUITE, status(*OLD, file="b.json", author_name="chk_7"))
    keys = {"orders.chk_7": "drop", "orders.status_allowed": "fail"}
    acting, found = decided(*rules, rules=keys)
    assert list(acting.values()) == ["fail"]
    assert "action_conflict" in [question.code for question in found.questions]


def test_the_id_that_the_module_shows_decides():
    (entry,) = planned(SUITE).entries
    acting, found = decided(SUITE, rules={entry.id[:6]: "drop"})
    assert list(acting.values()) == ["drop"]
    assert found.keys.known >= {entry.id[:6], entry.id}


def test_a_gap_takes_no_name_from_a_rule():
    unread = Unread("unread_text", "who knows")
    gap = status(*OLD, file="z.json", author_name="status_allowed", check=unread)
    acting, found = decided(SUITE, gap, rules={"orders.status_allowed": "drop"})
    assert list(acting.values()) == ["drop"]
    assert found.keys.unclear == {}


def test_a_rule_whose_condition_a_person_changed_leaves_its_name_to_the_others():
    changed = next(e for e in planned(SUITE, SAME).entries if e.origin.file == "c.json")
    answers = [answered("status IN ('F')", changed)]
    key = "orders.status_allowed"
    found = planned(SUITE, SAME, decisions=answers, actions=Actions(rules={key: "drop"}))
    assert found.keys.unclear == {}
    assert {e.origin.file: e.action for e in found.entries} == {"a.json": "drop", "c.json": "warn"}


# Any rules ----------------------------------------------------------------------------------------

_RULES = st.builds(
    lambda file, named, own, check: rule(
        check,
        file=file,
        tool="sql" if own else "great_expectations",
        author_name=named,
        behaviour=own,
    ),
    st.sampled_from(["a.json", "b.json", "c.json", "d.json"]),
    st.sampled_from([None, None, "chk", "status_allowed"]),
    st.sampled_from([None, None, "warn", "drop"]),
    st.sampled_from([OneOf("status", OLD), OneOf("status", NEW), Present("status")]),
)


def _unlike(legacy):
    return legacy.origin.file, legacy.check


@given(st.lists(_RULES, min_size=1, max_size=6, unique_by=_unlike), st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_proposed_finds_one_rule_whatever_it_decides(rules, data):
    before, found = decided(*rules)
    better = [key for keys in found.keys.unclear.values() for key in keys]
    key = data.draw(st.sampled_from([*found.keys.proposed, *better]))
    after, again = decided(*rules, rules={key: "fail"})
    assert key in again.keys.known
    changed = [condition for condition in after if after[condition] != before[condition]]
    assert [after[condition] for condition in changed] == ["fail"]


@given(st.lists(_RULES, min_size=1, max_size=6, unique_by=_unlike), st.data())
@settings(max_examples=100, deadline=None)
def test_a_known_name_is_known_with_its_action_or_unclear(rules, data):
    """So nobody who writes what a report shows is told that no source states it."""
    _, found = decided(*rules)
    entry = data.draw(st.sampled_from(found.entries))
    key = f"orders.{entry.name}"
    _, again = decided(*rules, rules={key: "fail"})
    assert key in again.keys.known or key in again.keys.unclear


def decides_one(rules, changed, key):
    """Or it is refused, for it is unclear with its action, and then a better one decides one."""
    answers = [answered("status IN ('F', 'Z')", changed)]
    was = {entry.id: entry.action for entry in planned(*rules, decisions=answers).entries}

    def others(key):
        after = planned(*rules, decisions=answers, actions=Actions(rules={key: "fail"}))
        return after.keys, {
            e.condition for e in after.entries if e.action and e.action != was[e.id]
        }

    keys, acting = others(key)
    assert len(acting) <= 1
    for better in {key for proposed in keys.unclear.values() for key in proposed}:
        again, acting = others(better)
        assert better in again.known
        assert len(acting) <= 1


def keys_where(rules, changed):
    answers = [answered("status IN ('F', 'Z')", changed)]
    return sorted(planned(*rules, decisions=answers).keys.known)


@given(st.lists(_RULES, min_size=1, max_size=6, unique_by=_unlike), st.data())
@settings(max_examples=150, deadline=None)
def test_a_key_decides_one_rule_whatever_a_person_changed(rules, data):
    changed = data.draw(st.sampled_from(planned(*rules).entries))
    decides_one(rules, changed, data.draw(st.sampled_from(keys_where(rules, changed))))


def test_a_key_decides_one_rule_where_one_is_called_after_another():
    rules = [
        rule(check, file=file, author_name=name)
        for file, name, check in (
            ("a.json", "chk", Present("status")),
            ("b.json", None, OneOf("status", NEW)),
            ("a.json", None, OneOf("status", OLD)),
            ("a.json", None, OneOf("status", NEW)),
            ("b.json", "chk", OneOf("status", OLD)),
            ("c.json", None, Present("status")),
        )
    ]
    (changed,) = (e for e in planned(*rules).entries if e.id.startswith("d9ed"))
    for key in keys_where(rules, changed):
        decides_one(rules, changed, key)


# The road -----------------------------------------------------------------------------------------


def test_who_follows_the_message_gets_through(tmp_path):
    files = {
        f"suites/{name}.json": suite(name, values("be_in_set", "status", value_set=list(allowed)))
        for name, allowed in (("a", OLD), ("b", NEW))
    }
    config = '[tables.orders]\naliases = ["a", "b"]\n[actions.rules]\n"%s" = "drop"\n'
    write(tmp_path, {**files, "ruleferry.toml": config % "orders.status_allowed"})
    with pytest.raises(InputFaults) as raised:
        convert(tmp_path)
    (fault,) = raised.value.faults
    assert fault.found == "a name of 2 rules, which do not say the same"
    for better in re.findall(r"orders\.\w+", fault.todo):
        write(tmp_path, {"ruleferry.toml": config % better})
        convert(tmp_path, force=True)
        held = [e["name"] for e in entries(tmp_path).values() if e["action"] == "drop"]
        assert [f"orders.{name}" for name in held] == [better]
