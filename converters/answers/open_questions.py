"""What remains to be asked when answers are merged: open questions, and answers that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.account import Answered, Ledger, Question
from ruleferry.converters.answers.atoms import (
    Slot,
    atoms,
    fact_slot,
    rule_slot,
    said,
    slots,
)
from ruleferry.converters.answers.given import key
from ruleferry.converters.answers.merged import Dispute
from ruleferry.converters.answers.wishes import Asked, Wish, abouts
from ruleferry.converters.decided import Acted, Decision, Decisions, Told, Waived, answer_of
from ruleferry.converters.decisions_file import in_order

_Held: TypeAlias = Mapping[Slot, Sequence[Decision]]


def by_slot(found: Iterable[Decision]) -> _Held:
    held: defaultdict[Slot, list[Decision]] = defaultdict(list)
    for atom in found:
        for where in slots(atom):
            held[where].append(atom)
    return held


def is_told(atom: Decision, told: Answered) -> bool:
    """Whether it is the answer of which a question tells that it settles nothing."""
    day = atom.on.isoformat() if atom.on else None
    return told.on == day and are_same_words(atom, told)


def are_same_words(atom: Decision, told: Answered) -> bool:
    """Of the same person, on whichever day."""
    return key(told.answer) == key(answer_of(atom.verdict)) and key(told.by) == key(atom.by)


def is_fresh(atom: Decision, asked: Asked) -> bool:
    """Whether the rules are as they were when it was decided."""
    known = [rule for rule in atom.rules if rule.id in asked.entries]
    return isinstance(atom.verdict, Told) or all(r.text == asked.hash(r.id) for r in known)


# Open questions -----------------------------------------------------------------------------------


def unanswered(decisions: Decisions, ledger: Ledger, asked: Asked) -> Iterator[str]:
    """Ids of the questions of which a rule has no answer, or answers that differ."""
    held = by_slot(atoms(decisions))
    waived = {
        atom.rules[0].id
        for (kind, *_), found in held.items()
        if kind == "rule"
        for atom in found
        if said(atom) is Waived and is_fresh(atom, asked)
    }
    for question in ledger.questions:
        left = [rule for rule in question.entries if rule not in waived]
        if not all(_is_answered(question, rule, held, asked) for rule in left):
            yield question.id


def _is_answered(question: Question, rule: str, held: _Held, asked: Asked) -> bool:
    """By one answer, of which no other one differs."""
    different = [
        len({said(a) for a in held.get(where, ()) if _settles(a, question, asked)})
        for where in _slots(question, rule, asked)
    ]
    return max(different) == 1


def _settles(atom: Decision, question: Question, asked: Asked) -> bool:
    """A stale answer is one to another text, unless it was given anew."""
    told = (told for told in question.answered if told.state != "stale")
    if not is_fresh(atom, asked) or any(is_told(atom, each) for each in told):
        return False
    return question.code == "action_undecided" or _is_offered(atom, question)


def _is_offered(atom: Decision, question: Question) -> bool:
    """Another action than those that are offered is what the question is about."""
    verdict = atom.verdict
    offered = {proposal.value for proposal in question.proposals if proposal.does == "action"}
    return not isinstance(verdict, Acted) or verdict.action in offered


def _slots(question: Question, rule: str, asked: Asked) -> Iterator[Slot]:
    yield rule_slot(f"code {question.code}", rule)
    if question.code == "action_undecided" or any(p.does == "action" for p in question.proposals):
        yield rule_slot("an action", rule)
    if question.takes is not None and question.takes != "condition":
        for about in abouts(question, [rule], asked):
            yield fact_slot(question.takes, about)


# Answers that differ ------------------------------------------------------------------------------


def disputes(decisions: Decisions, wanted: Iterable[Wish], asked: Asked) -> Iterator[Dispute]:
    """Of what was answered just now."""
    held = by_slot(a for a in atoms(decisions) if is_fresh(a, asked))
    told: dict[tuple[Decision, ...], list[str]] = {}
    for where, rivals in dict.fromkeys((wish.slots[0], wish.rivals) for wish in wanted):
        found = [atom for each in (where, *rivals) for atom in held.get(each, ())]
        if len({said(atom) for atom in found}) > 1:
            distinct = Decisions(decisions=tuple({_without_rules(atom) for atom in found}))
            told.setdefault(in_order(distinct).decisions, []).append(_about(found))
    for answers, names in told.items():
        first, *others = dict.fromkeys(names)
        yield Dispute(f"{first} and {len(others):,} more" if others else first, answers)


def _without_rules(atom: Decision) -> Decision:
    return replace(atom, rules=())


def _about(found: Sequence[Decision]) -> str:
    """What a person calls that of which it was decided."""
    for atom in found:
        if isinstance(atom.verdict, Told):
            of = atom.about
            return " ".join(text for text in (of.file, of.table, of.column) if text)
    return found[0].rules[0].rule or found[0].rules[0].id
