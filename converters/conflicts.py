"""Rules that can't all be meant: what one allows another refuses, or one rule has two actions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ruleferry.converters import limits
from ruleferry.converters.account import Entry
from ruleferry.converters.compare import Extent, Interval, Members, Presence
from ruleferry.converters.config import Config
from ruleferry.converters.drafts import Draft
from ruleferry.converters.entries import TableRules, decisions_of
from ruleferry.converters.express import Condition
from ruleferry.converters.normal_form import Meaning
from ruleferry.converters.rule import Action, NotARule
from ruleferry.converters.types_stated import Stated, types_stated

Ids: TypeAlias = list[str]


@dataclass(frozen=True, slots=True)
class _Permit:
    """A source says that the column may be empty."""


# What a rule says of its columns: a condition (its form is made only where another one is like it),
# types, or that there may be no value.
_Said: TypeAlias = Meaning | Stated | _Permit


def conflicts_of(
    table: TableRules, entries: Mapping[str, Entry], config: Config
) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Each conflict: its code, and the rules that it is between."""
    for group in table.groups:
        if _actions_differ(table, group, config):
            yield "action_conflict", [entries[draft.id] for draft in group]
    yield from (("conflict", [entries[i] for i in ids]) for ids in contradictions(table))


def stated_actions(table: TableRules, config: Config) -> dict[str, Action]:
    """Rule id -> the action that was decided for it alone, where those of one rule differ."""
    found: dict[str, Action] = {}
    for group in table.groups:
        if _actions_differ(table, group, config):
            for draft in group:
                alone = replace(table, names={draft.id: table.names[group[0].id]})
                found.update((draft.id, a) for a, _ in decisions_of(alone, [draft], config))
    return found


def _actions_differ(table: TableRules, group: Sequence[Draft], config: Config) -> bool:
    return len(group) > 1 and len({a for a, _ in decisions_of(table, group, config)}) > 1


# Contradictions -----------------------------------------------------------------------------------


def contradictions(table: TableRules) -> list[Ids]:
    """Groups of ids: each contradicts another one of its group."""
    alike: defaultdict[Hashable, list[tuple[str, _Said]]] = defaultdict(list)
    for draft, *_ in table.groups:
        for key, said in _claims(draft):
            alike[key].append((draft.id, said))
    return [ids for found in alike.values() if len(found) > 1 for ids in _opposed(found)]


def _claims(draft: Draft) -> Iterator[tuple[Hashable, _Said]]:
    """What can contradict another rule, and what such a rule has in common with it."""
    result = draft.result
    if isinstance(result, NotARule) and result.permits:
        yield ((result.permits.lower(),), Presence, ("record", ())), _Permit()
    if not isinstance(result, Condition):
        return
    columns = tuple(column.lower() for column in draft.rule.columns)
    stated = None if draft.changed else types_stated(draft.rule)
    if stated is not None:
        yield (columns, Stated), stated
        return
    meaning = result.meaning
    sort = limits.sort(meaning)
    if sort is not None:
        # The mean and the least value of a column are two things.
        of = result.over, tuple(column.form for column in result.computed)
        yield (columns, sort, of), meaning


def _opposed(found: Sequence[tuple[str, _Said]]) -> Iterator[Ids]:
    """Of some rules on the same columns: those that set the same thing different limits."""
    types = [(rule_id, said) for rule_id, said in found if isinstance(said, Stated)]
    if types:
        yield from _groups(_of_types(types))
    permits = {rule_id for rule_id, said in found if isinstance(said, _Permit)}
    alike: defaultdict[Hashable, list[tuple[str, Extent]]] = defaultdict(list)
    for rule_id, said in found:
        extent = limits.limit(said) if isinstance(said, Meaning) else None
        if extent is not None:
            alike[_subject(extent)].append((rule_id, extent))
    for extents in alike.values():
        against = _OPPOSED[type(extents[0][1])](extents)
        if permits and any(isinstance(e, Presence) and e.present for _, e in extents):
            against |= permits | {i for i, e in extents if isinstance(e, Presence) and e.present}
        yield from _groups([rule_id for rule_id, _ in found if rule_id in against])


def _groups(ids: Ids) -> Iterator[Ids]:
    if ids:
        yield ids


def _of_types(found: Sequence[tuple[str, Stated]]) -> Ids:
    sides = list(dict.fromkeys(stated for _, stated in found))
    opposed = {one for one in sides for other in sides if one.contradicts(other)}
    return [rule_id for rule_id, stated in found if stated in opposed]


def _of_lists(found: Sequence[tuple[str, Any]]) -> set[str]:
    """Other values, or a value that must be there and must not: any two that differ."""
    return {i for i, _ in found} if len({extent for _, extent in found}) > 1 else set()


def _of_ranges(found: Sequence[tuple[str, Interval]]) -> set[str]:
    """Limits that differ at one end, and limits that together leave no value at all."""
    lows = {i: (e.low, e.low_open) for i, e in found if e.low is not None}
    highs = {i: (e.high, e.high_open) for i, e in found if e.high is not None}
    against = {i for ends in (lows, highs) if len(set(ends.values())) > 1 for i in ends}
    return against | _apart(lows, highs)


_End: TypeAlias = tuple[Any, bool]


def _apart(lows: Mapping[str, _End], highs: Mapping[str, _End]) -> set[str]:
    """Ends have a kind and a value; texts have no order that is known."""
    if not lows or not highs or next(iter(lows.values()))[0][0] == "text":
        return set()
    greatest, least = max(lows.values()), min(highs.values(), key=lambda e: (e[0], not e[1]))
    below = {i for i, high in highs.items() if _is_above(greatest, high)}
    return below | {i for i, low in lows.items() if _is_above(low, least)}


def _is_above(low: _End, high: _End) -> bool:
    """No value is at least the one and at most the other; an open end leaves itself out."""
    return bool(low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1])))


_OPPOSED: Mapping[type[Extent], Callable[[Sequence[Any]], set[str]]] = {
    Interval: _of_ranges,
    Members: _of_lists,
    Presence: _of_lists,
}


# What is limited, however its type is made --------------------------------------------------------


def _subject(extent: Extent) -> Hashable:
    """Ends of two kinds, a number and a day, say nothing of each other."""
    kinds: tuple[str, ...] = ()
    if isinstance(extent, Interval):
        kinds = tuple({end[0] for end in (extent.low, extent.high) if end is not None})
    return type(extent), extent.subject, kinds
