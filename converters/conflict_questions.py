"""The question about rules that contradict each other: what each says, where, and the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ruleferry.converters.account import Entry, Proposal, Question
from ruleferry.converters.mappings import Topic, gaps
from ruleferry.converters.naming import sha256
from ruleferry.converters.rule import Action

# Signs of a rule's words, of a place, and how many rules are told apart in one question.
_WORDS, _PLACE, _MOST = 90, 80, 12
_STRICT: Sequence[Action] = ("warn", "drop", "fail")
_BECOMES: Mapping[Action, str] = {
    "warn": "a bad record is kept and counted",
    "drop": "a bad record goes to the quarantine table, and is not among the clean ones",
    "fail": "the update stops at the first bad record, and no counts are recorded for it",
}
# What of SQL alone is known of a rule is no words for everybody.
_EMPTY = "Until then it is checked that the field has a value."


def conflict_question(
    code: str,
    about: Sequence[Entry],
    merged: Mapping[str, Sequence[Entry]],
    stated: Mapping[str, Action],
) -> Question:
    """`merged`: rule id -> what was merged into it; `stated`: rule id -> its source's own action.

    The question is the same one as long as it is between the same rules.
    """
    topic = gaps()[code]
    ids = tuple(entry.id for entry in about)
    made = _of_actions if code == "action_conflict" else _of_rules
    question, proposals = made(about, merged, stated)
    permits = any(entry.outcome == "not_a_rule" for entry in about)
    return Question(
        id=sha256("\n".join((code, *sorted(ids))))[:12],
        code=code,
        entries=ids,
        question=question,
        proposals=(*_distinct(proposals), *_others(topic, permits=permits)),
        until_answered=_EMPTY if permits else topic.until,
        takes=topic.takes,
    )


def _others(topic: Topic, *, permits: bool) -> tuple[Proposal, ...]:
    """A field can't both have a value in every record and be empty in some."""
    left = tuple(p for p in topic.proposals if p.does in ("settle", "elsewhere"))
    return tuple(p for p in left if p.does != "settle") if permits else left


# Which rule ---------------------------------------------------------------------------------------


def _of_rules(
    about: Sequence[Entry], merged: Mapping[str, Sequence[Entry]], _: Mapping[str, Action]
) -> tuple[str, list[Proposal]]:
    column = next((c for entry in about for c in entry.columns), "")
    said = [(e, _said(e, column), _places([e, *merged.get(e.id, ())])) for e in about[:_MOST]]
    sides = "; ".join(f"{words} ({places})" for _, words, places in said)
    more = f"; and {len(about) - _MOST} more" if len(about) > _MOST else ""
    question = f"Rules of {about[0].table} do not agree: {sides}{more}. Which of them holds?"
    return question, [
        Proposal(f"{words}, as {places} says", _kept(entry, len(about) - 1), "keep", entry.id)
        for entry, words, places in said
    ]


def _said(entry: Entry, column: str) -> str:
    if entry.outcome == "not_a_rule":
        return f"{column} may be empty"
    return _cut(entry.words or entry.title, _WORDS)


def _kept(entry: Entry, others: int) -> str:
    if entry.outcome == "not_a_rule":
        return "that it must have a value is recorded as waived, with your name"
    which = "the other one is" if others == 1 else f"the {others} others are"
    return f"this one is checked; {which} not carried over, and recorded as waived, with your name"


def _places(entries: Sequence[Entry]) -> str:
    first = f"{entries[0].origin.file} {entries[0].origin.place}"
    more = len(entries) - 1
    others = f" and {more} other place{'s' if more > 1 else ''}" if more else ""
    return f"{_end(first)}{others}"


# Which action -------------------------------------------------------------------------------------


def _of_actions(
    about: Sequence[Entry], _: Mapping[str, Sequence[Entry]], stated: Mapping[str, Action]
) -> tuple[str, list[Proposal]]:
    by_action = {
        action: [entry for entry in about if stated.get(entry.id) == action] for action in _STRICT
    }
    said = [(action, _places(found)) for action, found in by_action.items() if found]
    sides = "; ".join(f"{action} ({places})" for action, places in said)
    words = _cut(about[0].words or about[0].title, _WORDS)
    question = (
        f"One rule of {about[0].table} has more than one action: {sides}. The rule: {words}. "
        "What shall happen to a bad record?"
    )
    return question, [
        Proposal(f"{action}, as {places} says", _BECOMES[action], "action", action)
        for action, places in said
    ]


# Texts --------------------------------------------------------------------------------------------


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _end(place: str) -> str:
    """Of a long path the end tells more."""
    line = " ".join(place.split())
    return line if len(line) <= _PLACE else f"…{line[1 - _PLACE :].lstrip()}"


def _distinct(proposals: Sequence[Proposal]) -> Iterator[Proposal]:
    """By its label an answer is known, so no two are alike."""
    alike = Counter(_key(proposal.label) for proposal in proposals)
    for proposal in proposals:
        twice = alike[_key(proposal.label)] > 1
        label = f"{proposal.label} (rule {proposal.value})" if twice else proposal.label
        yield Proposal(label, proposal.effect, proposal.does, proposal.value)


def _key(label: str) -> str:
    return "".join(label.split()).casefold()
