"""Answers of people: those to a text that is another now, and those that stand for a difference."""

from __future__ import annotations

from collections.abc import Iterator

from ruleferry.converters.account import Answered, Entry, Ledger, Question
from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drift.pairs import Pair
from ruleferry.converters.drift.sides import Sides
from ruleferry.converters.drift.telling import accepted_decision, difference
from ruleferry.converters.drifted import Accepted, Difference


def stale_answers(of: Sides) -> Iterator[Difference]:
    """Those that were not stale at the last conversion."""
    then = {_key(question, answer) for question, answer in _stale(of.then)}
    now = {entry.id: entry for entry in of.now.entries}
    for question, answer in _stale(of.now):
        entry = next((now[i] for i in question.entries if i in now), None)
        if _key(question, answer) in then or entry is None:
            continue
        why = f"{answer.answer}, by {answer.by}"
        cause = Cause("source", why)
        pair = Pair(None, entry)
        yield difference(
            "answer_stale", "any", cause, pair, of, then=of.rule_then(entry), now=of.rule_now(entry)
        )


def _stale(ledger: Ledger) -> Iterator[tuple[Question, Answered]]:
    for question in ledger.questions:
        for answer in question.answered:
            if answer.state == "stale":
                yield question, answer


def _key(question: Question, answer: Answered) -> tuple[object, ...]:
    return question.code, question.about, answer.answer, answer.by, answer.on


def by_decision(of: Sides) -> Iterator[Accepted]:
    """The rules that are as a person decided, and not as their source says."""
    for entry in of.now.entries:
        if entry.decided:
            yield accepted_decision(entry, of, _reason(entry))


def _reason(entry: Entry) -> str:
    return "; ".join(entry.decided)
