"""Which decisions hold for which rules: each is found by its id, else by what it says."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ruleferry.converters import naming
from ruleferry.converters.account import About, Gap
from ruleferry.converters.decided import (
    HASH_DIGITS,
    Accepted,
    Acted,
    Called,
    Decision,
    Decisions,
    Kept,
    Pending,
    Profiled,
    RuleDecided,
    Stated,
    Told,
    Waived,
    answer_of,
)
from ruleferry.converters.drafts import Draft
from ruleferry.converters.rule import NotARule, Repeat
from ruleferry.converters.standing import Standing, Unsettled, Waiver
from ruleferry.converters.stated import stated, why_refused
from ruleferry.converters.table_names import joined, name_key

# An answer to these questions stands for all that was said of the rule before.
ASKED_AGAIN = ("answer_stale", "answer_disputed")
_STALE = "the rule's text has changed since"
_DISPUTED = "two answers differ"

_Like: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """`standings`: rule id -> what holds for it. `lost`: rules that no source states."""

    standings: Mapping[str, Standing]
    lost: tuple[str, ...] = ()


# Which rules --------------------------------------------------------------------------------------


def match(found: Sequence[Draft], decisions: Decisions) -> Matched:
    """The decisions in any order give the same."""
    ours = [d for d in decisions.decisions if not isinstance(d.verdict, Told | Profiled)]
    if not ours:
        return Matched({})
    places = _places(found, sorted(ours, key=_order))
    ids = {old.id: draft.id for _, old, draft in places if draft}
    said: defaultdict[str, list[tuple[Decision, bool]]] = defaultdict(list)
    lost: set[str] = set()
    for decision, old, draft in places:
        named = _names_a_table(decision)
        if draft is not None and _may_hold(decision, draft):
            same = named or old.text in _texts_of(draft)
            said[draft.id].append((_kept_now(decision, ids), same))
        elif not named:
            lost.add(old.rule or old.id)
    for decision, draft in _of_tables(found, ours):
        if all(other.code != decision.code for other, _ in said[draft.id]):
            said[draft.id].append((decision, True))
    return Matched({i: _standing(i, of) for i, of in said.items() if of}, tuple(sorted(lost)))


def _names_a_table(decision: Decision) -> bool:
    """Who accepts what a file's table is called says so of all its rules, the later ones too."""
    named = decision.code == "table_not_stated" and decision.about.file and decision.about.table
    return bool(named) and isinstance(decision.verdict, Accepted)


def _of_tables(
    found: Sequence[Draft], decisions: Sequence[Decision]
) -> Iterator[tuple[Decision, Draft]]:
    """The rules of each table of which somebody accepted the name."""
    told = {
        (d.about.file, d.about.table): d for d in sorted(decisions, key=_order) if _names_a_table(d)
    }
    for draft in found if told else ():
        decision = told.get((draft.rule.origin.file, draft.target.name))
        if decision is not None and _may_hold(decision, draft):
            yield decision, draft


def text_of(draft: Draft) -> str:
    """What a decision keeps of a rule's text, and of what it depends on beside it."""
    return naming.text_sha256(draft.rule)[:HASH_DIGITS]


def _texts_of(draft: Draft) -> tuple[str, ...]:
    """Who decided about a text that nothing made a rule of, decided about the text alone."""
    return text_of(draft), naming.sha256(draft.rule.origin.text)[:HASH_DIGITS]


def _order(decision: Decision) -> tuple[str, ...]:
    day = decision.on.isoformat() if decision.on else ""
    said = type(decision.verdict).__name__, answer_of(decision.verdict)
    rules = sorted(f"{rule.id} {rule.text}" for rule in decision.rules)
    return day, decision.by, *said, decision.code, decision.note, decision.asked, *rules


def _may_hold(decision: Decision, draft: Draft) -> bool:
    """What repeats another rule can only be waived; what is none may contradict one."""
    if isinstance(draft.result, Repeat):
        return isinstance(decision.verdict, Waived)
    if isinstance(draft.result, NotARule):
        return isinstance(decision.verdict, Waived | Kept | Accepted | Pending)
    return True


def _kept_now(decision: Decision, ids: Mapping[str, str]) -> Decision:
    if not isinstance(decision.verdict, Kept):
        return decision
    kept = decision.verdict.id
    return replace(decision, verdict=Kept(ids.get(kept, kept)))


def _places(
    found: Sequence[Draft], decisions: Sequence[Decision]
) -> list[tuple[Decision, RuleDecided, Draft | None]]:
    """Each rule that a decision names, with the one that it is now."""
    by_id = {draft.id: draft for draft in found}
    named = {rule.id for decision in decisions for rule in decision.rules}
    alike: defaultdict[_Like, list[Draft]] = defaultdict(list)
    for draft in found:
        if draft.id not in named:
            for key in _keys(draft):
                alike[key].append(draft)
    places: list[tuple[Decision, RuleDecided, Draft | None]] = []
    for decision in decisions:
        rules = list(dict.fromkeys(decision.rules))
        there = [rule for rule in rules if rule.id in by_id]
        places += [(decision, rule, by_id[rule.id]) for rule in there]
        gone = [rule for rule in rules if rule.id not in by_id]
        places += [(decision, *pair) for pair in _by_text(gone, alike, decision.about)]
    return places


def _by_text(
    gone: Sequence[RuleDecided], alike: Mapping[_Like, Sequence[Draft]], about: About
) -> Iterator[tuple[RuleDecided, Draft | None]]:
    """Of rules that are alike, no more may be there than the decision names."""
    same: defaultdict[_Like, list[RuleDecided]] = defaultdict(list)
    for rule in sorted(gone, key=lambda r: r.id):
        key = _like(rule.table, rule.columns, rule.kind, rule.text)
        if about.column and key not in alike:
            key = _cell(about.file or "", about.column, rule.columns, rule.text)
        same[key].append(rule)
    for key, rules in same.items():
        now = sorted(alike.get(key, ()), key=lambda draft: draft.id)
        now = now if len(now) <= len(rules) else []
        for place, rule in enumerate(rules):
            yield rule, now[place] if place < len(now) else None


def _like(table: str, columns: Sequence[str], kind: str | None, text: str) -> _Like:
    return joined(name_key(table)), tuple(sorted(columns)), kind, text


def _keys(draft: Draft) -> set[_Like]:
    rule, target = draft.rule, draft.target
    names = (target.name, target.reads, rule.table.name)
    cell = rule.origin.place.rstrip(string.digits)
    return {
        key
        for text in _texts_of(draft)
        for key in (
            _cell(rule.origin.file, cell, rule.columns, text),
            *(_like(name, rule.columns, rule.kind, text) for name in names),
        )
    }


def _cell(file: str, column: str, columns: Sequence[str], text: str) -> _Like:
    """Of a sheet's column: its cells become rules of another kind once it is told what it says."""
    return file, column, tuple(sorted(columns)), text


# What holds ---------------------------------------------------------------------------------------


def _standing(rule: str, said: Sequence[tuple[Decision, bool]]) -> Standing:
    """The answers to one question must agree; a name holds whatever the text is."""
    fresh = [d for d, same in said if same or isinstance(d.verdict, Called)]
    stale = [d for d, same in said if not (same or isinstance(d.verdict, Called))]
    families: defaultdict[str, list[Decision]] = defaultdict(list)
    for decision in _last_words(fresh):
        families[_family(decision)].append(decision)
    _join_conditions(families)
    disputed = [d for of in families.values() if _differ(of) for d in of]
    agreed = [d for of in families.values() if not _differ(of) for d in of]
    against = _against_a_waiver(rule, agreed)
    disputed += against
    agreed = [d for d in _outlived(rule, agreed) if d not in against]
    pending = [d for d in agreed if isinstance(d.verdict, Pending)]
    unsettled = (
        *(Unsettled(d, "disputed", _DISPUTED) for d in disputed),
        *(Unsettled(d, "stale", _STALE) for d in stale if not _replaced(d, fresh)),
        *(Unsettled(d, "pending") for d in pending),
    )
    return _of_agreed(agreed, unsettled)


def _of_agreed(agreed: Sequence[Decision], unsettled: tuple[Unsettled, ...]) -> Standing:
    def of(*kinds: type) -> list[Decision]:
        return [decision for decision in agreed if isinstance(decision.verdict, kinds)]

    def first(found: Sequence[Decision]) -> Decision | None:
        return found[0] if found else None

    warns = [d for d in of(Accepted) if d.code == "action_undecided"]
    return Standing(
        condition=first(of(Stated)),
        waiver=first(of(Waived)),
        action=first(of(Acted)),
        confirmed=first(warns),
        name=first(of(Called)),
        accepted=tuple(of(Accepted)),
        kept=tuple(of(Kept)),
        unsettled=unsettled,
    )


def _family(decision: Decision) -> str:
    match decision.verdict:
        case Acted():
            return "an action"
        case Accepted() if decision.code == "action_undecided":
            return "an action"  # that it warns
        case Called():
            return "a name"
        case _:
            return decision.code


def _differ(family: Sequence[Decision]) -> bool:
    return len({_said(decision) for decision in family}) > 1


def _said(decision: Decision) -> object:
    """Two reasons for one waiver are one answer; a condition is compared as a text."""
    match decision.verdict:
        case Accepted() if decision.code == "action_undecided":
            return Acted("warn")
        case Waived():
            return Waived
        case Stated():
            return decision.verdict.condition.strip()
        case Accepted() | Pending():
            return type(decision.verdict), decision.verdict.label.strip().lower()
        case _:
            return decision.verdict


def _join_conditions(families: dict[str, list[Decision]]) -> None:
    """A rule has one condition, whatever was asked: those of all its questions must agree."""
    held = [code for code, of in families.items() if _states(of) and not _differ(of)]
    all_of_them = [decision for code in held for decision in families[code]]
    if len(held) > 1 and _differ(all_of_them):
        for code in held[1:]:
            families[held[0]] += families.pop(code)


def _against_a_waiver(rule: str, agreed: Sequence[Decision]) -> list[Decision]:
    """Who waives a rule, and who says what it does or that it holds, say two things of it.

    One person's later word stands for the earlier one; that a rule holds against others is never
    taken back in silence, for then one of those would be left.
    """
    waivers = [d for d in agreed if isinstance(d.verdict, Waived)]
    others = [d for d in agreed if _wants_it(rule, d)]
    pairs = [(w, o) for w in waivers for o in others if _is_open(w, o)]
    return list(dict.fromkeys(decision for pair in pairs for decision in pair))


def _wants_it(rule: str, decision: Decision) -> bool:
    verdict = decision.verdict
    return isinstance(verdict, Stated | Acted) or (isinstance(verdict, Kept) and verdict.id == rule)


def _is_open(waiver: Decision, other: Decision) -> bool:
    return waiver.by != other.by or isinstance(other.verdict, Kept)


def _outlived(rule: str, agreed: Sequence[Decision]) -> list[Decision]:
    """Without what one person said before: a waiver, or what was said of the rule before it.

    Of one day the waiver holds: an action was set for many rules, and one of them waived.
    """
    gone: set[Decision] = set()
    for waiver in (d for d in agreed if isinstance(d.verdict, Waived)):
        for other in (d for d in agreed if _wants_it(rule, d) and d.by == waiver.by):
            later = bool(other.on and waiver.on and other.on > waiver.on)
            gone.add(waiver if later else other)
    return [decision for decision in agreed if decision not in gone]


def _states(family: Iterable[Decision]) -> bool:
    return any(isinstance(decision.verdict, Stated) for decision in family)


def _last_words(fresh: Sequence[Decision]) -> list[Decision]:
    """Who is asked which of two answers holds, decides for all; who sets an action, for himself."""
    left = list(fresh)
    if any(decision.code == "answer_disputed" for decision in left):
        left = [d for d in left if d.code == "answer_disputed" or not _says_what_it_is(d)]
    acting = {decision.by for decision in left if isinstance(decision.verdict, Acted)}
    return [d for d in left if not (d.code == "action_undecided" and _accepts(d, acting))]


def _says_what_it_is(decision: Decision) -> bool:
    return isinstance(decision.verdict, Stated | Waived)


def _accepts(decision: Decision, people: Iterable[str]) -> bool:
    return isinstance(decision.verdict, Accepted) and decision.by in people


def _replaced(stale: Decision, fresh: Sequence[Decision]) -> bool:
    """An answer of before the change, where there is one of after it."""
    family = _family(stale)
    return any(
        _family(decision) == family
        or decision.code in ASKED_AGAIN
        or (family != "an action" and _says_what_it_is(decision))
        for decision in fresh
    )


# What it makes of a rule --------------------------------------------------------------------------


def as_decided(draft: Draft, standing: Standing) -> Draft:
    """The rule with the condition that a person stated, or waived."""
    draft = replace(draft, first=draft.result, standing=standing)
    if standing.waiver is not None:
        return replace(draft, result=Waiver(standing.waiver))
    decision = standing.condition
    if decision is None or not isinstance(decision.verdict, Stated):
        return draft
    result = stated(draft, decision, decision.verdict.condition)
    if not isinstance(result, Gap):
        return replace(draft, result=result)
    before = draft.result if isinstance(draft.result, Gap) else None
    refused = Unsettled(decision, "refused", why_refused(result, decision))
    unsettled = (*standing.unsettled, refused)
    left = replace(standing, condition=None, unsettled=unsettled, gap=before)
    return replace(draft, result=result, standing=left)


def waived_with_it(found: Sequence[Draft]) -> list[Draft]:
    """What only repeats a rule that is waived is waived with it."""
    waived = {
        (d.rule.origin.file, d.rule.atom): d.result for d in found if isinstance(d.result, Waiver)
    }
    stated_otherwise = {
        (d.rule.origin.file, d.rule.atom)
        for d in found
        if not isinstance(d.result, Waiver | Repeat)
    }
    return [
        replace(draft, result=replace(waiver, repeats=True), first=draft.result)
        if isinstance(draft.result, Repeat)
        and (waiver := waived.get((draft.result.file, draft.result.atom)))
        and (draft.result.file, draft.result.atom) not in stated_otherwise
        else draft
        for draft in found
    ]
