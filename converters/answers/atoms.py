"""Decisions taken apart, one for each rule or fact, so that answers can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.account import About
from ruleferry.converters.answers.given import key
from ruleferry.converters.decided import (
    Accepted,
    Acted,
    Called,
    Decision,
    Decisions,
    Pending,
    Profiled,
    RuleDecided,
    Stated,
    Told,
    Waived,
)
from ruleferry.converters.decisions_file import in_order

# What only one answer can hold for: the action of a rule, its name, an answer to a question about
# it; or a fact.
Slot: TypeAlias = tuple[object, ...]


def atoms(decisions: Decisions) -> list[Decision]:
    """Each of one rule; a fact as it is."""
    return [atom for decision in decisions.decisions for atom in _apart(decision)]


def _apart(decision: Decision) -> Iterator[Decision]:
    if isinstance(decision.verdict, Told | Profiled):
        yield decision
    else:
        yield from (replace(decision, rules=(rule,)) for rule in decision.rules)


def slot(atom: Decision) -> Slot:
    if isinstance(atom.verdict, Told | Profiled):
        takes = atom.verdict.takes if isinstance(atom.verdict, Told) else "profile"
        return fact_slot(takes, atom.about)
    return rule_slot(family(atom), atom.rules[0].id)


def fact_slot(takes: str, about: About) -> Slot:
    """A column is known by where it stands: its header is told beside it."""
    return "fact", takes, about.file, about.table, about.column, about.text


def assumed_slot(code: str, rule: str) -> Slot:
    """Where a person said that what is assumed holds, or that he mends it: no fact beside it."""
    return "assumed", code, rule


def slots(atom: Decision) -> Iterator[Slot]:
    """All slots by which it is found."""
    yield slot(atom)
    if isinstance(atom.verdict, Accepted | Pending):
        yield assumed_slot(atom.code, atom.rules[0].id)


def rule_slot(of: str, rule: str) -> Slot:
    return "rule", of, rule


def family(decision: Decision) -> str:
    """Who accepts that no action was decided says that the rule warns: an action too."""
    match decision.verdict:
        case Acted():
            return "an action"
        case Accepted() if decision.code == "action_undecided":
            return "an action"
        case Called():
            return "a name"
        case _:
            return f"code {decision.code}"


def said(decision: Decision) -> object:
    """What two people must agree on: why a rule is waived is no part of it."""
    match decision.verdict:
        case Accepted() if decision.code == "action_undecided":
            return Acted("warn")
        case Waived():
            return Waived
        case Stated():
            return decision.verdict.condition.strip()
        case Accepted() | Pending():
            return type(decision.verdict), key(decision.verdict.label)
        case _:
            return decision.verdict


def same_words(one: Decision, other: Decision) -> bool:
    """Also in the reasons that were given."""
    return one.note == other.note and (
        one.verdict == other.verdict
        or (said(one) == said(other) and not isinstance(one.verdict, Waived))
    )


def together(found: Iterable[Decision], like: Decisions) -> Decisions:
    """The file's decisions again: rules of which the same was said by the same person stand
    together.
    """
    groups: dict[Decision, dict[RuleDecided, None]] = {}
    for atom in found:
        if isinstance(atom.verdict, Told | Profiled):
            groups.setdefault(atom, {})
        else:
            whole = replace(atom, rules=())
            groups.setdefault(whole, {}).update(dict.fromkeys(atom.rules))
    joined = (replace(d, rules=tuple(rules)) if rules else d for d, rules in groups.items())
    return in_order(replace(like, decisions=tuple(joined)))
