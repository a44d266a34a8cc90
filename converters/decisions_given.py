"""The decisions of a run: read from their file, and what is told of those that changed nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleferry.converters.config import Config
from ruleferry.converters.decided import (
    Accepted,
    Decision,
    Decisions,
    Kept,
    Pending,
    answer_of,
    who,
)
from ruleferry.converters.decisions_file import open_decisions
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.plan import Plan

# Rules that a notice names before it only counts them.
_NAMED = 10


def decisions_of(config: Config) -> Decisions:
    """What the owners of the rules decided; without the file nothing. Raises InputFaults."""
    found = open_decisions(config.root, config.decisions)
    if isinstance(found, list):
        raise InputFaults(found)
    return found


def in_vain(planned: Plan, decisions: Decisions, *, all_sources: bool) -> Iterator[str]:
    """Notices of rules that no source states, if all sources were read; of conditions and names
    that can't be used; and of decisions that changed nothing.
    """
    if planned.lost and all_sources:
        told = "decisions about rules that no source states any more, which were not applied"
        yield f"{decisions.file}: {told}: {_named(planned.lost)}"
    refused = [e.name for e in planned.entries if e.gap and e.gap.code == "answer_refused"]
    if refused:
        told = (
            "conditions that can't be used, so that their questions are asked again with the reason"
        )
        yield f"{decisions.file}: {told}: {_named(refused)}"
    for decision in without_effect(planned, decisions) if all_sources else ():
        said = f"{answer_of(decision.verdict)}, by {who(decision)}"
        yield f"{decisions.file}: {decision.place or 'a decision'}: it changed nothing ({said})"
    for entry in planned.entries:
        for caveat in entry.caveats:
            if caveat.code == "name_refused":
                yield f"{decisions.file}: the rule {entry.id}: {caveat.detail}"


def without_effect(planned: Plan, decisions: Decisions) -> Iterator[Decision]:
    """What was said of rules that are there, and neither is in force nor is asked about again."""
    standings = planned.standings.values()
    used = {_key(d) for s in standings for d in (*s.upheld, *(u.decision for u in s.unsettled))}
    known = gaps().keys() | caveats().keys()
    for decision in decisions.decisions:
        match decision.verdict:
            case Kept():
                there = any(rule.id in planned.standings for rule in decision.rules)
                if there and _key(decision) not in used:
                    yield decision
            case Accepted() | Pending() if decision.code not in known:
                yield decision


def _key(decision: Decision) -> object:
    """Whatever the rule is called by now that it keeps."""
    return replace(decision, verdict=type(decision.verdict))  # type: ignore[arg-type]


def _named(lost: Sequence[str]) -> str:
    more = len(lost) - _NAMED
    return ", ".join(lost[:_NAMED]) + (f", and {more} more" if more > 0 else "")
