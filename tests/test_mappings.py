"""The tables of `mappings/`: every word is known, every row is used, every code has a row."""

import ast
import string
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from ruleferry.converters import mappings
from ruleferry.converters.account import Proposal
from ruleferry.converters.mappings import (
    AskBy,
    Topic,
    action_words,
    caveat_titles,
    caveats,
    gap_titles,
    gaps,
    grade_of,
    kind_words,
    table,
)
from ruleferry.converters.naming import plain
from ruleferry.converters.readers import READERS
from ruleferry.converters.rule import Action, Caveat, Grade, Kind

ROOT = Path(__file__).resolve().parents[1]
TOPICS = {**gaps(), **caveats()}
# Calls that take a code first, by the table that has its row.
OF_GAPS = {"Gap", "Unread", "CannotExpress", "Refusal", "_unread"}
OF_CAVEATS = {"Caveat"}


def topics(*having):
    return [pytest.param(t, id=c) for c, t in TOPICS.items() if all(getattr(t, h) for h in having)]


# Topics -------------------------------------------------------------------------------------------


def test_a_code_stands_in_one_table():
    assert gaps().keys() & caveats().keys() == set()


@pytest.mark.parametrize("topic", topics())
def test_a_topic_has_a_title_and_a_code(topic):
    assert TOPICS[topic.code] is topic
    assert plain(topic.code) == topic.code
    assert topic.title.strip() == topic.title != ""
    assert not topic.title.endswith(".")


def test_a_gap_asks_and_has_no_grade():
    assert all(topic.question and topic.grade is None for topic in gaps().values())


def test_a_caveat_has_a_grade():
    assert {topic.grade for topic in caveats().values()} == set(get_args(Grade))


@pytest.mark.parametrize("topic", topics("question"))
def test_a_question_can_be_answered(topic):
    assert topic.ask_by in get_args(AskBy)
    assert "?" in topic.question
    assert len(topic.proposals) >= 1
    assert all(isinstance(p, Proposal) and p.label and p.effect for p in topic.proposals)
    assert len({p.label for p in topic.proposals}) == len(topic.proposals)
    assert topic.until.endswith(".")


@pytest.mark.parametrize("topic", topics("question"))
def test_a_question_names_only_what_is_known(topic):
    told = [topic.question, *(text for p in topic.proposals for text in (p.label, p.effect))]
    fields = {f for text in told for _, f, *_ in string.Formatter().parse(text) if f}
    of = {
        "file": {"n", "file", "table"},
        "table": {"n", "table"},
        "rule": {"table", "file", "place", "text", "why"},
        "column": {"n", "file", "column", "header", "why"},
        "text": {"n", "file", "table", "column", "header", "place", "text", "why"},
        "reason": {"n", "file", "reason"},
    }
    if topic.code == "table_not_stated":  # its table is that of one file
        of["table"] |= {"file"}
    assert fields <= of.get(topic.ask_by, {"n"})


@pytest.mark.parametrize("topic", [t for t in TOPICS.values() if not t.question])
def test_without_a_question_there_is_nothing_to_answer(topic):
    assert (topic.proposals, topic.until) == ((), "")


def test_titles_differ():
    assert gap_titles() == {code: topic.title for code, topic in gaps().items()}
    assert caveat_titles() == {code: topic.title for code, topic in caveats().items()}
    assert len({topic.title for topic in TOPICS.values()}) == len(TOPICS)


def test_a_topic_is_what_its_row_says():
    proposals = (Proposal("a", "b"), Proposal("c", "d"))
    row = {"title": "T", "proposals": [["a", "b"], ["c", "d"]], "ask_by": "file", "until": "U."}
    assert mappings._topic("x", row) == Topic(
        "x", "T", ask_by="file", proposals=proposals, until="U."
    )
    with pytest.raises(TypeError, match="titel"):
        mappings._topic("x", {"titel": "T"})


@pytest.mark.parametrize(
    ("codes", "grade"),
    [
        ((), "exact"),
        (("scope", "null_as_zero"), "exact"),
        (("scope", "type_unknown"), "assumed"),
        (("compared_as_double",), "differs"),
        (("type_unknown", "compared_as_double", "scope"), "differs"),
    ],
)
def test_the_worst_grade_counts(codes, grade):
    assert grade_of(Caveat(code, "") for code in codes) == grade
    assert grade_of(Caveat(code, "") for code in codes[::-1]) == grade


def test_a_caveat_of_no_row_has_no_grade():
    with pytest.raises(KeyError):
        grade_of([Caveat("unheard_of", "")])


# Codes in the code --------------------------------------------------------------------------------


def trees():
    return [ast.parse(path.read_text("utf-8")) for path in (ROOT / "converters").rglob("*.py")]


def codes_of(calls) -> set[str]:
    """The constant first arguments of these calls."""
    found = set()
    for node in (node for tree in trees() for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            found |= {node.args[0].value} if name in calls else set()
    return found


def test_every_code_has_a_row():
    of_gaps, of_caveats = codes_of(OF_GAPS), codes_of(OF_CAVEATS)
    assert of_gaps <= gaps().keys()
    assert of_caveats <= caveats().keys()
    assert len(of_gaps) > 15
    assert len(of_caveats) > 20


def test_every_row_is_used():
    said = {
        node.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    said |= {row.get("gap") for row in table("great_expectations").values()}
    said |= strings(table("functions"))
    assert TOPICS.keys() - said == set()


def strings(value) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(strings, value.values()))
    if isinstance(value, list):
        return set().union(*map(strings, value))
    return {value} if isinstance(value, str) else set()


# Kinds, actions, files ----------------------------------------------------------------------------


def test_every_kind_has_a_word_that_can_end_a_name():
    assert kind_words().keys() == set(get_args(Kind))
    assert all(plain(word) == word for word in kind_words().values())


def test_every_word_of_action_is_an_action():
    words: dict[str, set[str]] = {}
    for word, action in action_words().items():
        words.setdefault(action, set()).add(word)
    assert words == {
        "fail": {"fail", "abort", "raise", "stop"},
        "drop": {"drop", "reject", "quarantine", "delete"},
        "warn": {"warn", "ignore", "report"},
    }
    assert words.keys() == set(get_args(Action))


@pytest.mark.parametrize("severity", ["critical", "fatal", "error", "high", "warning", "info"])
def test_a_word_of_severity_is_no_action(severity):
    assert severity not in action_words()


def test_the_files_that_no_reader_reads():
    rows = table("files")
    assert rows.keys() == {"endings", "names"}
    assert all(ending == ending.lower().strip(".") for ending in rows["endings"])
    assert {f".{ending}" for ending in rows["endings"]} & READERS.keys() == set()
    assert not any(name.endswith(tuple(READERS)) for name in rows["names"])
    for what in (*rows["endings"].values(), *rows["names"].values()):
        assert what.strip() == what != ""
        assert not what.endswith(".")


def test_every_table_is_read():
    """A table that nobody reads would be corrected in vain."""
    said = {
        node.value
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    names = [
        f.name for f in (files("ruleferry") / "mappings").iterdir() if f.name.endswith(".toml")
    ]
    assert len(names) >= 6
    of_dialects = {f"sql_{name}" for name in [*table("dialects"), "common"]}
    unread = [name for name in names if name not in said and name.removesuffix(".toml") not in said]
    assert [name for name in unread if name.removesuffix(".toml") not in of_dialects] == []
