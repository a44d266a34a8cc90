"""What the answers that were given make of the questions: settled, or asked again with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ruleferry.converters.account import Answered, Entry, Proposal, Question
from ruleferry.converters.decided import (
    Acted,
    Stated,
    Verdict,
    Waived,
    answer_of,
    who,
)
from ruleferry.converters.mappings import Topic, gaps
from ruleferry.converters.standing import NOTHING_DECIDED, Standing, Unsettled

_HOLDS = "the earlier answer still holds"


def as_asked(entry: Entry, standing: Standing) -> Entry:
    """Where an answer was refused, the question is the one that it answered."""
    return replace(entry, gap=standing.gap) if standing.gap and entry.gap else entry


def asked(
    entry: Entry, topics: Sequence[Topic], standing: Standing, conflicts: Iterable[str]
) -> Iterator[tuple[Topic, tuple[Unsettled, ...]]]:
    """The topics that are left, each with the answers that do not settle it."""
    if standing is NOTHING_DECIDED:
        yield from ((topic, ()) for topic in topics)
        return
    left = [topic for topic in topics if topic.code not in standing.settled]
    beside: dict[str, list[Unsettled]] = {topic.code: [] for topic in left}
    alone: list[Unsettled] = []
    for unsettled in standing.unsettled:
        code = _home(unsettled, left, conflicts)
        if code is None:
            alone.append(unsettled)
        elif code in beside:
            beside[code].append(unsettled)
    yield from ((topic, tuple(beside[topic.code])) for topic in left)
    if entry.outcome not in ("waived", "not_a_rule"):
        yield from _by_themselves(alone)


def _home(unsettled: Unsettled, left: Sequence[Topic], conflicts: Iterable[str]) -> str | None:
    """The question that an answer stands beside: its own, else the one about the same matter."""
    codes = [topic.code for topic in left]
    code = unsettled.decision.code
    if code in codes or code in conflicts:
        return code
    if isinstance(unsettled.decision.verdict, Acted):
        return "action_undecided" if "action_undecided" in codes else None
    return next((code for code in codes if code in gaps() and code != "action_undecided"), None)


def _by_themselves(unsettled: Sequence[Unsettled]) -> Iterator[tuple[Topic, tuple[Unsettled, ...]]]:
    """What would go unsaid, for its own question does not arise any more."""
    for code, states in (
        ("answer_stale", ("stale", "refused")),
        ("answer_disputed", ("disputed",)),
    ):
        found = [one for one in unsettled if one.state in states]
        if any(_changes(one.decision.verdict) for one in found):
            yield gaps()[code], tuple(found)


def _changes(verdict: Verdict) -> bool:
    return isinstance(verdict, Stated | Waived | Acted)


def in_conflict(
    code: str, about: Sequence[Entry], standings: Mapping[str, Standing]
) -> tuple[Unsettled, ...]:
    """The answers to a question about rules that contradict each other."""
    found = (u for entry in about for u in standings.get(entry.id, NOTHING_DECIDED).unsettled)
    return tuple(dict.fromkeys(u for u in found if u.decision.code == code))


def with_answers(question: Question, unsettled: Sequence[Unsettled]) -> Question:
    if not unsettled:
        return question
    proposals = (*_of_answers(question, unsettled), *question.proposals)
    return replace(question, proposals=proposals, answered=answers(unsettled))


def answers(unsettled: Iterable[Unsettled]) -> tuple[Answered, ...]:
    return tuple(dict.fromkeys(one.answered for one in unsettled))


def _of_answers(question: Question, unsettled: Sequence[Unsettled]) -> Iterator[Proposal]:
    """The answers that were given, as proposals."""
    if question.code == "answer_disputed":
        yield from _each(unsettled)
    stale = [one.decision.verdict for one in unsettled if one.state == "stale"]
    if len(set(stale)) == 1 and not (isinstance(stale[0], Stated) and question.takes is None):
        yield from _again(stale[0], _HOLDS, question.code)


def _each(unsettled: Sequence[Unsettled]) -> Iterator[Proposal]:
    labels: set[str] = set()
    for one in unsettled:
        label = number = f"the answer of {who(one.decision)}"
        while label in labels:
            label = f"{number} ({len(labels) + 1})"
        labels.add(label)
        yield from _again(one.decision.verdict, label, "answer_disputed")


def _again(verdict: Verdict, label: str, code: str) -> Iterator[Proposal]:
    effect = answer_of(verdict)
    match verdict:
        case Stated():
            yield Proposal(label, effect, "value", verdict.condition)
        case Acted():
            yield Proposal(label, effect, "action", verdict.action)
        case Waived() if code in ("answer_stale", "answer_disputed"):
            yield Proposal(label, f"it is recorded as waived, with your name: {effect}", "waive")
        case _:
            return
