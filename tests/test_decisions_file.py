"""`decisions.toml`: it comes back, whatever the text; and all that can be wrong in it."""

import tomllib
from dataclasses import replace
from datetime import date
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.account import About
from ruleferry.converters.decided import (
    Accepted,
    Acted,
    Called,
    Decision,
    Decisions,
    Kept,
    Pending,
    Profiled,
    RuleDecided,
    Stated,
    Told,
    Waived,
)
from ruleferry.converters.decisions_file import decisions_text, in_order, read_decisions
from ruleferry.converters.rule import Action, Kind

RULE = RuleDecided("0123456789ab", "ba9876543210", "orders.price", "orders", "range", ("price",))
DECISION = Decision(
    Stated("price > 0"), "Ann Smith", date(2026, 11, 30), code="unread_text", rules=(RULE,)
)


def read(text):
    return read_decisions(text, "decisions.toml")


# What comes back ----------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]))
person_texts = texts.filter(str.strip)
abouts = st.builds(About, *[st.none() | texts] * 4)
rules = st.builds(
    RuleDecided,
    person_texts,
    texts,
    texts,
    texts,
    st.none() | st.sampled_from(get_args(Kind)),
    st.lists(texts, max_size=3).map(tuple),
)
some_rules = st.lists(rules, min_size=1, max_size=3).map(tuple)
names = st.from_regex(r"[a-z][a-z0-9_]{0,62}", fullmatch=True)
of_rules = st.one_of(
    *(st.builds(kind, person_texts) for kind in (Accepted, Waived, Stated, Kept, Pending)),
    st.builds(Acted, st.sampled_from(get_args(Action))),
    st.builds(Called, names),
)
takes = ("table", "engine", "dialect", "order_by", "columns", "tables", "meaning")
facts = st.builds(Told, st.sampled_from(takes), person_texts) | st.builds(Profiled, person_texts)
rest = {
    "by": person_texts,
    "on": st.none() | st.dates(),
    "note": texts,
    "code": texts,
    "asked": texts,
}
decisions = st.builds(Decision, of_rules, **rest, about=abouts, rules=some_rules) | st.builds(
    Decision, facts, **rest, about=abouts.filter(lambda about: about != About())
)


@settings(deadline=None, max_examples=40)
@given(st.lists(decisions, max_size=4))
def test_what_is_written_comes_back(some):
    given_ = Decisions(decisions=tuple(some))
    text = decisions_text(given_)
    tomllib.loads(text)
    back = read(text)
    assert back == in_order(given_)
    assert decisions_text(back) == text


@settings(deadline=None, max_examples=40)
@given(st.lists(decisions, max_size=4), st.randoms())
def test_the_text_does_not_depend_on_the_order(some, random):
    mixed = [replace(d, rules=tuple(random.sample(d.rules, len(d.rules)))) for d in some]
    random.shuffle(mixed)
    one, other = Decisions(decisions=tuple(some)), Decisions(decisions=tuple(mixed))
    assert decisions_text(one) == decisions_text(other)


@given(st.text(st.characters(categories=["Cs", "Cc", "Cf", "L"]), min_size=1).map("x".__add__))
def test_no_text_leaves_its_quotes_or_reorders_the_file(text):
    decision = replace(DECISION, note=text, by=text, verdict=Stated(text))
    written = decisions_text(Decisions(decisions=(decision,)))
    written.encode()
    body = written.replace("\n", "")
    assert body.isprintable() or not any(c in body for c in "\u202e\u2028\x7f\x85\ufeff")
    back = read(written)
    assert len(back.decisions) == 1
    assert back.decisions[0].rules == (RULE,)


def test_a_file_reads_like_one_that_a_person_would_write():
    waived = Decision(
        Waived('covered by "orders_ok"'), "Bo", code="conflict", asked="Which?", rules=(RULE,)
    )
    told = Decision(Told("table", "main.sales.orders"), "Ann", about=About(file="checks/a.sql"))
    text = decisions_text(Decisions(decisions=(waived, DECISION, told)))
    assert text.split("\n\n", 1)[1] == (
        """\
[[decision]]
table = "main.sales.orders"
by = "Ann"
about = { file = "checks/a.sql" }

[[decision]]
waive = "covered by \\"orders_ok\\""
by = "Bo"
code = "conflict"
asked = "Which?"
rules = [
  { id = "0123456789ab", text = "ba9876543210", rule = "orders.price", table = "orders", \
kind = "range", columns = ["price"] },
]

[[decision]]
condition = "price > 0"
by = "Ann Smith"
on = 2026-11-30
code = "unread_text"
rules = [
  { id = "0123456789ab", text = "ba9876543210", rule = "orders.price", table = "orders", \
kind = "range", columns = ["price"] },
]
"""
    )


def test_its_head_says_that_comments_are_lost():
    assert "comment" in decisions_text(Decisions())
    assert decisions_text(Decisions()).startswith("# ")


def test_no_decisions_are_a_file_too():
    assert read("") == read("# nothing yet\n") == Decisions()
    assert read(decisions_text(Decisions())) == Decisions()


def test_each_decision_knows_its_line():
    text = decisions_text(Decisions(decisions=(DECISION, replace(DECISION, by="Bo"))))
    lines = text.splitlines()
    places = [decision.place for decision in read(text).decisions]
    assert [lines[int(place.removeprefix("line ")) - 1] for place in places] == ["[[decision]]"] * 2


def test_where_the_lines_can_not_be_told_decisions_are_counted():
    rules = 'rules = [{id = "a", text = "b"}]'
    text = f'decision = [{{by = "Ann", action = "drop", {rules}}}]'
    assert [decision.place for decision in read(text).decisions] == ["decision 1"]
    text = f'[[decision]]\nby = "Ann"\nnote = """\n[[decision]]\n"""\naction = "drop"\n{rules}'
    assert [decision.place for decision in read(text).decisions] == ["decision 1"]


def test_the_file_and_its_hash_are_kept():
    assert read_decisions("", "a/d.toml", "ab") == Decisions("a/d.toml", "ab")


# What is told -------------------------------------------------------------------------------------

GOOD = 'by = "Ann"\naction = "drop"\nrules = [{ id = "a", text = "b" }]\n'
FAULTS = {
    # the text -> its place, what was found, what to do
    f"[[decision]]\n{GOOD}[[decisions]]": ("line 5", "unknown key `decisions`", "`decision`"),
    f"[[decision]]\n{GOOD}dialekt = 'oracle'": ("line 5", "`dialekt`", "mean `dialect`"),
    f"[[decision]]\n{GOOD}waive = 'old'": ("line 5", "`waive` beside `action`", "keep one"),
    "[[decision]]\nby = 'Ann'\nrules = [{ id = 'a', text = 'b' }]": ("line 1", "no answer", "Add"),
    "[[decision]]\naction = 'drop'\nrules = [{ id = 'a', text = 'b' }]": ("line 1", "no `by`", ""),
    f"[[decision]]\n{GOOD}on = 2026-11-30T10:00:00": ("line 5", "2026-11-30 10:00:00", ""),
    f"[[decision]]\n{GOOD}on = '2026-11-30'": ("line 5", '"2026-11-30"', ""),
    f"[[decision]]\n{GOOD}note = 5": ("line 5", "5 as", ""),
    "[[decision]]\nby = 'Ann'\naction = 'drop'": ("line 1", "no `rules`", "Add rules"),
    "[[decision]]\nby = 'Ann'\ntable = 'orders'": ("line 1", "no `about`", "Add about"),
    "[[decision]]\nby = ' '\naction = 'drop'\nrules = [{ id = 'a', text = 'b' }]": (
        "line 2",
        '" " as',
        "",
    ),
    "[[decision]]\nby = 'Ann'\naction = 'stop'\nrules = [{ id = 'a', text = 'b' }]": (
        "line 3",
        '"stop"',
        "",
    ),
    "[[decision]]\nby = 'Ann'\nname = 'Price ok'\nrules = [{ id = 'a', text = 'b' }]": (
        "line 3",
        '"Price ok"',
        "",
    ),
    "[[decision]]\nby = 'Ann'\naction = 'drop'\nrules = [{ id = 'a' }]": ("line 4", "`text`", ""),
    "[[decision]]\nby = 'A'\naction = 'drop'\nrules = [{ id = 'a', text = 'b', kind = 'rnge' }]": (
        "line 4",
        '"rnge"',
        "range",
    ),
    f"[[decision]]\n{GOOD}about = 'orders'": ("line 5", '"orders"', ""),
    f"[[decision]]\n{GOOD}about = {{ tabel = 'orders' }}": ("line 5", "`tabel`", "`table`"),
    "[[decision]]\nby = 'Ann'\naction = 'drop'\nrules = 'a'": ("line 4", '"a"', ""),
    "[decision]\nby = 'Ann'": ("line 1", "no list", "brackets"),
    "decision = 5": ("line 1", "no list", "brackets"),
    "decision = [5]": ("line 1", "5 as", ""),
    "[[decision]\n": ("line 1, column 11", "no TOML", ""),
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_wrong_is_told_with_its_line(text):
    place, found, todo = FAULTS[text]
    told = read(text)
    assert isinstance(told, list)
    assert told[0].file == "decisions.toml"
    assert told[0].place == place
    assert found in told[0].found
    assert todo in told[0].todo


def test_all_that_is_wrong_is_told_at_once_with_its_line():
    block = "[[decision]]\nby = 5\naction = 'stop'\nrules = [{ id = 'a', text = 'b' }]\n"
    told = read(block * 3)
    assert [fault.place for fault in told] == [f"line {n}" for n in (2, 3, 6, 7, 10, 11)]


def test_faults_of_a_long_file_are_told_soon():
    block = "[[decision]]\nby = 5\naction = 'stop'\nrules = [{ id = 'a', text = 'b' }]\n"
    assert len(read(block * 1000)) == 2000


@given(st.text())
def test_no_text_raises(text):
    assert read(text) is not None
    assert read(f"[[decision]]\n{GOOD}{text}") is not None


@pytest.mark.parametrize("text", ["a=" + "[" * 5000 + "]" * 5000, "about=" + "{a=" * 5000])
def test_endless_nesting_is_a_fault(text):
    (fault,) = read_decisions(text, "decisions.toml")
    assert (fault.file, fault.found) == ("decisions.toml", "what is nested too deep")
