"""Whatever people decide, the promises are kept: books, names, conditions, the order of answers."""

import re
from collections import Counter
from datetime import date

import pytest
from hostile_rows import rows_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_decisions import decided, named
from made_rules import Typed, planned, rule

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.decided import (
    Accepted,
    Acted,
    Called,
    Kept,
    Pending,
    Profiled,
    Stated,
    Told,
    Waived,
)
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.predicates import Present, Range
from ruleferry.converters.rule import Figure, NotARule, Repeat, Row, Unique, Unread

COLUMNS = {
    "x": parse_type("int"), "y": parse_type("double"), "t": parse_type("string"),
    "d": parse_type("date"),
}  # fmt: skip
TYPES = Typed(COLUMNS)
NAME = re.compile(r"[a-z][a-z0-9_]{0,62}\Z")
CARRIED = ("record", "flag", "dataset", "schema")

RULES = [
    rule(Range("x", 0, 100), file="a.json", place="0"),
    rule(Range("x", 0, 120), file="b.json", place="0"),
    rule(Range("x", 0, 120), file="c.sql", place="0", tool="sql", behaviour="fail"),
    rule(Present("x"), file="a.json", place="1"),
    rule(Present("x"), check=Row(Range("y", 0)), file="a.json", place="2", text="clash"),
    rule(Present("t"), check=Unread("format", "so"), file="d.xlsx", place="B2", engine="words"),
    rule(Present("t"), check=Unread("format", "so"), file="d.xlsx", place="B3", engine="words"),
    rule(Present("x"), check=Unique(("x",)), kind="unique", file="a.json", place="3"),
    rule(Present("x"), check=Figure("mean", ("x",), (("min_value", 1),)), place="4", kind="figure"),
    rule(Present("x"), check=Repeat("a.json", "0"), file="old.json", place="0", text="again"),
    rule(Present("x"), check=Repeat("d.xlsx", "B2"), file="old.json", place="1", text="again"),
    rule(Present("d"), check=NotARule("a field that may be empty"), file="d.xlsx", place="C2"),
    rule(Range("x", 0, 5), table="other", file="e.json", engine=None),
]
PLAN = planned(*RULES, types_of=TYPES)
ENTRIES = PLAN.entries
CODES = sorted({"", *(q.code for q in PLAN.questions), "type_unknown", "answer_disputed",
                "answer_stale", "not_there"})  # fmt: skip
CONDITIONS = [
    "x > 0", "x BETWEEN 0 AND 100", "x IS NOT NULL", "t LIKE 'a%'", "x >", "1 = 1",
    "x IN (SELECT 1)", "nope > 1", "x / y > 1", "CAST(t AS INT) > 1", "{", "${x}",
]  # fmt: skip

words = st.text(max_size=12)
verdicts = st.one_of(
    st.sampled_from(CONDITIONS).map(Stated),
    words.map(Stated),
    words.map(Waived),
    st.sampled_from(["warn", "drop", "fail"]).map(Acted),
    st.sampled_from([e.id for e in ENTRIES] + ["nobody"]).map(Kept),
    st.sampled_from(["n1", "x_present", "x_range", "No Name", "clean"]).map(Called),
    words.map(Called),
    st.sampled_from(["yes", "no"]).map(Accepted),
    words.map(Pending),
    words.map(lambda text: Told("table", text)),
    words.map(Profiled),
)


@st.composite
def decisions(draw):
    made = []
    for _ in range(draw(st.integers(1, 6))):
        about = draw(st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=4, unique=True))
        texts = draw(st.sampled_from(["same", "same", "same", "changed", "moved"]))
        changed = {"changed": {"text": "0" * 12}, "moved": {"id": "0" * 12}}.get(texts, {})
        made.append(
            decided(
                draw(verdicts),
                rules=tuple(named(entry, **changed) for entry in about),
                by=draw(st.sampled_from(["Ann", "Bob"])),
                on=draw(st.sampled_from([None, date(2026, 11, 30), date(2026, 12, 1)])),
                code=draw(st.sampled_from(CODES)),
                note=draw(st.sampled_from(["", "why"])),
            )
        )
    return made


def ids(found):
    return [entry.id for entry in found.entries]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(decisions(), st.randoms(use_true_random=False))
def test_any_mix_of_decisions_keeps_the_promises(made, random):
    found = planned(*RULES, types_of=TYPES, decisions=made)
    assert sorted(ids(found)) == sorted(ids(PLAN))
    by_id = {entry.id: entry for entry in found.entries}
    _one_outcome(found, by_id)
    _modules_hold_what_is_carried(found, by_id)
    _questions(found, by_id)
    random.shuffle(made)
    again = planned(*RULES, types_of=TYPES, decisions=made)
    assert (again, again.questions) == (found, found.questions)


def _one_outcome(found, by_id):
    for entry in found.entries:
        outcome = entry.outcome
        assert entry.condition is not None if outcome in CARRIED else outcome != "record"
        assert (entry.gap is not None) == (outcome == "gap")
        assert (entry.waived is not None) == (outcome == "waived")
        assert (entry.action is not None) == (outcome in CARRIED)
        assert (entry.grade is not None) == (outcome in CARRIED)
        if entry.merged_into:
            assert by_id[entry.merged_into].outcome not in ("merged", "waived")
        if outcome in CARRIED and entry.because.by == "decision":
            assert entry.because.detail


def _modules_hold_what_is_carried(found, by_id):
    carried = {entry.id for entry in found.entries if entry.outcome in CARRIED}
    there = [rule.id for module in found.modules for rule in module.rules]
    assert Counter(there) == Counter(carried)
    for module in found.modules:
        names = [rule.name for rule in module.rules]
        assert len(set(names)) == len(names)
        assert all(NAME.match(name) for name in names)
        for one in module.rules:
            if one.outcome == "record":
                parse_condition(one.condition)
    touched = _groups(ENTRIES, found) | _groups(found.entries, found)
    assert {e.id: e.name for e in found.entries if e.id not in touched} == {
        e.id: e.name for e in ENTRIES if e.id not in touched
    }


def _groups(entries, found):
    """The rules that say the same as one that somebody decided about."""
    lead = {entry.id: entry.merged_into or entry.id for entry in entries}
    led = {lead[rule_id] for rule_id in found.standings}
    return {rule_id for rule_id, leader in lead.items() if leader in led}


def _questions(found, by_id):
    seen = [question.id for question in found.questions]
    assert len(set(seen)) == len(seen)
    for question in found.questions:
        assert question.code in gaps() | caveats()
        assert question.entries
        assert all(by_id[i].outcome != "waived" for i in question.entries)
        labels = [proposal.label for proposal in question.proposals]
        assert len(set(labels)) == len(labels)
    gone = {e.id for e in found.entries if e.outcome == "gap"}
    asked = {i for q in found.questions for i in q.entries}
    settled = {i for i in gone if any("accepted" in s for s in by_id[i].decided)}
    assert gone - asked <= settled


STATED = [
    "x > 0", "x > y", "t = 'a'", "t LIKE 'a%' OR x > 5", "NOT (x > 0)", "x IN (1, 2, NULL)",
    "x IS NULL OR y IS NOT NULL", "try_cast(t AS INT) > 1", "x / y > 1", "d > '2020-01-01'",
    "t RLIKE '^[A-Z]{2}[0-9]{4}$'", "length(t) = 5", "CASE WHEN x > 0 THEN y > 0 END",
    "coalesce(x, 0) >= 0", "x + y > 10", "to_date(t, 'yyyy-MM-dd') > d", "x = t",
]  # fmt: skip


@pytest.mark.parametrize("typed", [True, False])
def test_stated_conditions_are_true_or_false_for_hostile_rows(spark, typed):
    """And TRUE only where the text itself is, as far as Spark gives it a value."""
    legacy = [
        rule(Present("t"), check=Unread("format", "so"), text=text, place=str(n))
        for n, text in enumerate(STATED)
    ]
    types = TYPES if typed else Typed(None)
    before = planned(*legacy, types_of=types)
    made = [decided(text, e) for e, text in zip(before.entries, STATED, strict=True)]
    found = planned(*legacy, types_of=types, decisions=made)
    assert {entry.outcome for entry in found.entries} == {"record"}
    rows = rows_of(COLUMNS)
    schema = ", ".join(f"{name} {kind.text}" for name, kind in rows.columns)
    frame = spark.createDataFrame(list(rows.cells), schema)
    held = [f"({e.condition}) AS c{n}" for n, e in enumerate(found.entries)]
    for row in frame.selectExpr(*held).collect():
        assert set(row) <= {True, False}
    if typed:
        spark.conf.set("spark.sql.ansi.enabled", "false")
        try:
            plain = frame.selectExpr(*(f"({text}) AS c{n}" for n, text in enumerate(STATED)))
            pairs = zip(plain.collect(), frame.selectExpr(*held).collect(), strict=True)
            differing = Counter(
                STATED[n]
                for old, new in pairs
                for n in range(len(STATED))
                if bool(old[n]) != new[n]
            )
        finally:
            spark.conf.set("spark.sql.ansi.enabled", "true")
        assert differing == {}
