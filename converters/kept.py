"""Rules that contradict each other, where a person decided which of them holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.decided import Decision, Kept
from ruleferry.converters.drafts import Draft
from ruleferry.converters.standing import NOTHING_DECIDED, Standing, Waiver

Group: TypeAlias = Sequence[Draft]


def waivers(groups: Sequence[Group], opposed: Iterable[Sequence[str]]) -> dict[str, Waiver]:
    """Rule id -> why it is waived. `opposed`: the leaders of groups that contradict each other."""
    by_leader = {group[0].id: group for group in groups}
    found: dict[str, Waiver] = {}
    for leaders in opposed:
        against = [by_leader[leader] for leader in leaders]
        for decision in _decisions(against):
            for draft, instead in _losing(against, decision):
                found.setdefault(draft.id, Waiver(decision, instead))
    # A rule that is waived itself holds instead of none.
    return {i: waiver for i, waiver in found.items() if waiver.instead not in found}


def _decisions(groups: Iterable[Group]) -> list[Decision]:
    return list(
        dict.fromkeys(k for group in groups for draft in group for k in draft.standing.kept)
    )


def _losing(groups: Sequence[Group], decision: Decision) -> Iterator[tuple[Draft, str]]:
    """All of the groups that the decision speaks of, if the one that holds is there to hold."""
    assert isinstance(decision.verdict, Kept)
    kept = decision.verdict.id
    holding = [g for g in groups if any(d.id == kept and _is_said(d, decision) for d in g)]
    for group in groups if holding else ():
        if group not in holding and any(_is_said(draft, decision) for draft in group):
            yield from ((draft, holding[0][0].id) for draft in group)


def _is_said(draft: Draft, decision: Decision) -> bool:
    return decision in draft.standing.kept


def without(found: Sequence[Draft], waived: Mapping[str, Waiver]) -> list[Draft]:
    """The rules that were waived for others are so, and those others tell by whom they hold."""
    holding: dict[str, dict[Decision, None]] = {}
    for waiver in waived.values():
        holding.setdefault(waiver.instead or "", {})[waiver.decision] = None
    return [_as_kept(draft, waived, tuple(holding.get(draft.id, ()))) for draft in found]


def _as_kept(draft: Draft, waived: Mapping[str, Waiver], upheld: tuple[Decision, ...]) -> Draft:
    if draft.id in waived:
        return replace(draft, result=waived[draft.id], first=draft.undecided)
    return replace(draft, standing=replace(draft.standing, upheld=upheld)) if upheld else draft


def is_settled(
    code: str, about: Sequence[Sequence[str]], standings: Mapping[str, Standing]
) -> bool:
    """Whether one answer leaves all of these rules as they are; of each, any that says the same."""
    covered: set[Decision] | None = None
    for ids in about:
        said = {
            decision
            for rule_id in ids
            for decision in standings.get(rule_id, NOTHING_DECIDED).accepted
            if decision.code == code
        }
        covered = said if covered is None else covered & said
    return bool(covered)
