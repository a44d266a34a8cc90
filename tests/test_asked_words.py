"""The questions of `mappings/`: whoever owns a rule can read each of them, and answer it."""

import string
from typing import get_args

import pytest

from ruleferry.converters.account import Does, Takes
from ruleferry.converters.mappings import AskBy, caveats, gaps
from ruleferry.converters.rule import Action

FIELDS = {"n", "table", "file", "place", "column", "header", "text", "why", "reason"}
ASKING = [t for t in (*gaps().values(), *caveats().values()) if t.question]
# What each meaning of a sheet's column or letter is, only its cells can tell: their answers are
# made where the question is.
MADE = ("column_unsure", "threshold_unsure", "legend_missing")
READY = [t for t in ASKING if t.code not in MADE]
LONGEST = 80
# Words of programmers, in what a person must read to answer: no question, label or consequence
# has one. What happens then may name an option or a file, after the plain words.
JARGON = (
    "suite", "expectation", "regex", "regular expression", "parse", "boolean", "null", "module",
    "schema", "dialect", "engine", "row_condition", "row condition", "query asset", "yaml", "json",
    "predicate", "join", "subquery", "scalar", "dataset", "aggregate", "batch", "asset", "anchor",
    "convert", "collation", "lookup", "lakeflow", "spark sql", "atom", "waive", "caveat",
)  # fmt: skip
# In these the word is what is asked about.
ABOUT = {("conflict", "module")}


def asked(*which):
    return pytest.mark.parametrize("topic", which or READY, ids=lambda topic: topic.code)


def texts(topic) -> list[str]:
    return [topic.question, *(text for p in topic.proposals for text in (p.label, p.effect))]


@asked(*ASKING)
def test_every_question_can_be_asked(topic):
    assert topic.question.endswith(("?", "."))
    assert topic.until.endswith(".")
    assert topic.ask_by in get_args(AskBy)
    used = {name for t in texts(topic) for _, name, _, _ in string.Formatter().parse(t) if name}
    assert used <= FIELDS
    assert all(p.label and p.effect for p in topic.proposals)


@asked()
def test_every_question_has_two_ways_out_at_least(topic):
    assert len(topic.proposals) >= 2


@asked()
def test_every_proposal_does_something_that_is_known(topic):
    assert topic.takes is None or topic.takes in get_args(Takes)
    for proposal in topic.proposals:
        assert proposal.does in get_args(Does)
        assert topic.takes or proposal.does not in ("value", "write")
        assert bool(proposal.value) == (proposal.does in ("action", "keep", "value"))
        assert proposal.does != "action" or proposal.value in get_args(Action)


@asked()
def test_what_a_question_takes_it_offers_to_write(topic):
    offered = {p.does for p in topic.proposals}
    assert not topic.takes or offered & {"write", "value"}


@asked()
def test_a_gap_never_settles_by_doing_nothing(topic):
    """What is not checked any more is waived, with a name."""
    checked = ("conflict", "action_conflict", "answer_stale", "answer_disputed")
    if topic.code in gaps() and topic.code not in checked:
        assert "settle" not in {p.does for p in topic.proposals}


@asked()
def test_a_rule_is_given_up_by_a_proposal_that_says_so(topic):
    for proposal in topic.proposals:
        says = "recorded as waived, with your name" in proposal.effect
        assert says == (proposal.does == "waive"), proposal
        assert ("nothing changes" in proposal.effect) <= (proposal.does == "settle"), proposal


@asked()
def test_every_gap_can_be_given_up(topic):
    if topic.grade is None and topic.code not in (
        "conflict",
        "action_conflict",
        "action_undecided",
    ):
        assert "waive" in {p.does for p in topic.proposals}


@asked()
def test_a_label_tells_its_proposal_from_all_others(topic):
    labels = [" ".join(p.label.lower().split()) for p in topic.proposals]
    assert len(set(labels)) == len(labels)
    assert all(len(label) <= LONGEST for label in labels)
    assert not any("{" in label for label in labels)


@asked()
def test_no_word_of_programmers_stands_in_a_question(topic):
    for text in (topic.question, topic.until, *(p.label for p in topic.proposals)):
        found = [word for word in JARGON if word in text.lower()]
        assert not [word for word in found if (topic.code, word) not in ABOUT], text


@asked()
def test_plain_words_come_before_options_and_files(topic):
    for proposal in topic.proposals:
        assert not proposal.effect.startswith(("--", "[", "in ruleferry.toml")), proposal


@pytest.mark.parametrize("code", [t.code for t in READY if t.takes == "condition"])
def test_a_condition_is_asked_of_what_one_rule_says(code):
    assert gaps()[code].ask_by in ("rule", "text", "reason")
