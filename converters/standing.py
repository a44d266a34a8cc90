"""What people decided about one rule, and which of their answers settle nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.account import Answered, Gap
from ruleferry.converters.decided import (
    Accepted,
    Acted,
    Called,
    Decision,
    Kept,
    Stated,
    Waived,
    answer_of,
    who,
)
from ruleferry.converters.mappings import caveats, grade_of
from ruleferry.converters.rule import Action, Caveat, Grade

State: TypeAlias = Literal["stale", "disputed", "refused", "pending"]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """An answer that does not hold, and in one sentence why."""

    decision: Decision
    state: State
    why: str = ""

    @property
    def answered(self) -> Answered:
        said = self.decision
        day = said.on.isoformat() if said.on else None
        return Answered(self.state, answer_of(said.verdict), said.by, day, self.why)


@dataclass(frozen=True, slots=True)
class Waiver:
    """A person decided not to carry a rule over. `instead`: the id of the rule that holds."""

    decision: Decision
    instead: str | None = None
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """The decisions that hold for a rule, and the answers that don't.

    `confirmed`: that it warns, as long as nobody decided an action. `kept`: which of some rules
    holds; `upheld`: those by which this one does, where others were waived for it. `gap`: what was
    in the way before an answer was refused.
    """

    condition: Decision | None = None
    waiver: Decision | None = None
    action: Decision | None = None
    confirmed: Decision | None = None
    name: Decision | None = None
    accepted: tuple[Decision, ...] = ()
    kept: tuple[Decision, ...] = ()
    upheld: tuple[Decision, ...] = ()
    unsettled: tuple[Unsettled, ...] = ()
    gap: Gap | None = None

    @property
    def settled(self) -> frozenset[str]:
        """The codes of questions that are not asked again."""
        return frozenset(decision.code for decision in self.accepted)

    @property
    def acted(self) -> Action | None:
        verdict = self.action.verdict if self.action else None
        return verdict.action if isinstance(verdict, Acted) else None

    @property
    def called(self) -> str | None:
        verdict = self.name.verdict if self.name else None
        return verdict.name if isinstance(verdict, Called) else None

    @property
    def holding(self) -> Iterator[Decision]:
        """All decisions that have an effect, each once."""
        single = (self.waiver, self.condition, self.action, self.confirmed, self.name)
        found = [decision for decision in single if decision is not None]
        yield from dict.fromkeys((*found, *self.accepted, *self.upheld))


NOTHING_DECIDED = Standing()


def sentences(decisions: Iterable[Decision]) -> tuple[str, ...]:
    """What was decided, by whom, when and why, each decision in a sentence."""
    return tuple(dict.fromkeys(map(_sentence, decisions)))


def _sentence(decision: Decision) -> str:
    note = "" if _note_is_said(decision) else f": {decision.note}"
    return f"{_decided(decision)}, by {who(decision)}{note}"


def _note_is_said(decision: Decision) -> bool:
    verdict = decision.verdict
    return not decision.note or (isinstance(verdict, Waived) and verdict.reason == decision.note)


def _decided(decision: Decision) -> str:
    match decision.verdict:
        case Stated():
            return "condition"
        case Acted():
            return f"action {decision.verdict.action}"
        case Called():
            return f"name {decision.verdict.name}"
        case Accepted():
            return f"accepted “{decision.verdict.label}”"
        case _:
            return answer_of(decision.verdict)


def reason_of(waiver: Waiver, instead: str) -> str:
    """Who waived a rule, and why. `instead`: what the rule is called that holds."""
    decision = waiver.decision
    if isinstance(decision.verdict, Kept):
        note = f" ({decision.note})" if decision.note else ""
        return f"{who(decision)}: {instead} holds instead{note}"
    reason = decision.verdict.reason if isinstance(decision.verdict, Waived) else ""
    repeats = " (it repeats a rule that was waived)" if waiver.repeats else ""
    return f"{who(decision)}: {reason}{repeats}"


def graded(found: Iterable[Caveat], standing: Standing) -> Grade:
    """The worst grade of the caveats; what a person accepted is no longer assumed."""
    accepted = standing.settled
    rows = caveats()
    return grade_of(
        caveat
        for caveat in found
        if caveat.code not in accepted or rows[caveat.code].grade != "assumed"
    )
