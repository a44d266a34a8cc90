"""Per table: names, merges, conflicts, actions; every rule becomes one entry of the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ruleferry.converters import compare, naming
from ruleferry.converters.actions import at_most, decided, strictest, undecided
from ruleferry.converters.config import Config
from ruleferry.converters.drafts import Draft, Result, TypesOf, drafts
from ruleferry.converters.express import Condition
from ruleferry.converters.normal_form import Meaning
from ruleferry.converters.questions import ask
from ruleferry.converters.rule import (
    Action,
    Because,
    Caveat,
    Entry,
    Gap,
    Module,
    NotARule,
    Origin,
    Outcome,
    Question,
    Reading,
)
from ruleferry.converters.table_names import written_parts
from ruleferry.converters.wording import in_words

_READERS = ("great_expectations", "spreadsheet", "sql", "python")


@dataclass(frozen=True, slots=True)
class Plan:
    """`conflicts`: a code of gaps.toml and the ids of the entries that it joins."""

    entries: tuple[Entry, ...]
    conflicts: tuple[tuple[str, tuple[str, ...]], ...]
    modules: tuple[Module, ...]
    action_keys: frozenset[str]

    @property
    def questions(self) -> tuple[Question, ...]:
        by_id = {entry.id: entry for entry in self.entries}
        return ask(self.entries, [(code, [by_id[i] for i in ids]) for code, ids in self.conflicts])


@dataclass(frozen=True, slots=True)
class _Table:
    """The rules of one table. A group says the same thing; its first member leads it."""

    stem: str
    groups: tuple[tuple[Draft, ...], ...]
    names: Mapping[str, str]

    def keys(self, draft: Draft, name: str) -> tuple[str, ...]:
        """What [actions.rules] may call a rule."""
        return f"{self.stem}.{name}", f"{draft.target.name}.{name}", draft.id


def plan(
    readings: Sequence[Reading], types_of: TypesOf, config: Config, sources: Mapping[str, str]
) -> Plan:
    """The entries of all rules, in the order of tables and, within one, of sources."""
    by_table: defaultdict[str, list[Draft]] = defaultdict(list)
    for draft in drafts(readings, types_of, config, sources):
        by_table[draft.target.key].append(draft)
    stems = _stems(by_table)
    tables = [_table(by_table[key], stems[key], config) for key in sorted(by_table)]
    entries: list[Entry] = []
    conflicts: list[tuple[str, Sequence[Entry]]] = []
    modules: list[Module] = []
    for table in tables:
        made = _entries(table, config)
        entries += made
        conflicts += _conflicts(table, {e.id: e for e in made}, config)
        modules += _module(table, made, config)
    keys = frozenset(
        key for t in tables for g in t.groups for d in g for key in t.keys(d, t.names[g[0].id])
    )
    joined = tuple((code, tuple(e.id for e in about)) for code, about in conflicts)
    return Plan(tuple(entries), joined, tuple(modules), keys)


def _stems(by_table: Mapping[str, Sequence[Draft]]) -> dict[str, str]:
    targets = {key: found[0].target for key, found in by_table.items()}
    pinned = {key: target.module for key, target in targets.items() if target.module}
    return naming.stems({key: written_parts(t.name) for key, t in targets.items()}, pinned)


# Merging ------------------------------------------------------------------------------------------


def _table(found: Sequence[Draft], stem: str, config: Config) -> _Table:
    groups: dict[object, list[Draft]] = {}
    for draft in found:
        result = draft.result
        same = (result.meaning, result.nulls) if isinstance(result, Condition) else draft.id
        groups.setdefault(same, []).append(draft)
    nameless = _Table(stem, (), {})
    ordered = [_led(nameless, group, config) for group in groups.values()]
    bases = {g[0].id: naming.base_name(g[0].rule, g[0].id) for g in ordered}
    return _Table(stem, tuple(ordered), naming.distinct_names(bases))


def _led(table: _Table, group: Sequence[Draft], config: Config) -> tuple[Draft, ...]:
    """A decided action before an undecided one, then the order of readers, files and places."""

    def rank(numbered: tuple[int, Draft]) -> tuple[bool, int, int]:
        number, draft = numbered
        base = naming.base_name(draft.rule, draft.id)
        decision = decided(draft.rule, table.keys(draft, base), config.actions)
        tool = draft.rule.origin.tool
        reader = _READERS.index(tool) if tool in _READERS else len(_READERS)
        return decision is None, reader, number

    if len(group) == 1:
        return tuple(group)
    return tuple(draft for _, draft in sorted(enumerate(group), key=rank))


# Entries ------------------------------------------------------------------------------------------


def _entries(table: _Table, config: Config) -> list[Entry]:
    made: list[Entry] = []
    for group in table.groups:
        leader, *followers = group
        name = table.names[leader.id]
        decision = None
        if isinstance(leader.result, Condition):
            decisions = _decisions(table, group, config)
            # All of them run today, so the strictest holds.
            decision = strictest(decisions) if decisions else undecided(config.actions)
        made.append(_entry(leader, name, table.stem, decision=decision))
        made += [_entry(draft, name, table.stem, merged_into=leader.id) for draft in followers]
    return made


def dataset_of(stem: str, action: Action) -> str:
    """The dataset of a module that carries the rules of an action."""
    return f"{stem}_{'checked' if action == 'fail' else 'clean'}"


def _decisions(
    table: _Table, group: Sequence[Draft], config: Config
) -> list[tuple[Action, Because]]:
    """What was decided about the members of a group; what is said of its leader is for all."""
    leader = group[0]
    name = table.names[leader.id]
    found = (decided(d.rule, (*table.keys(d, name), leader.id), config.actions) for d in group)
    return [decision for decision in found if decision is not None]


def _entry(
    draft: Draft,
    name: str,
    stem: str,
    *,
    decision: tuple[Action, Because] | None = None,
    merged_into: str | None = None,
) -> Entry:
    rule, result = draft.rule, draft.result
    condition = result if isinstance(result, Condition) else None
    gap = result if isinstance(result, Gap) else None
    action, because = decision or (None, None)
    return Entry(
        id=draft.id,
        atom=rule.atom,
        name=name,
        title=rule.title or in_words(rule),
        kind=rule.kind,
        table=draft.target.name,
        columns=rule.columns,
        outcome="merged" if merged_into else _outcome(result),
        origin=rule.origin,
        text_sha256=naming.sha256(rule.origin.text),
        nulls=condition.nulls if condition else "none",
        tags=rule.tags,
        dataset=dataset_of(stem, action) if action else None,
        condition=condition.text if condition else None,
        action=action,
        because=because,
        grade=condition.grade if condition and not merged_into else None,
        caveats=_unstated(draft) + _told(draft),
        gap=gap,
        merged_into=merged_into,
        reason=result.reason if isinstance(result, NotARule) else None,
    )


def _outcome(result: Result) -> Outcome:
    match result:
        case Condition():
            return "record"
        case Gap():
            return "gap"
        case NotARule():
            return "not_a_rule"


def _told(draft: Draft) -> tuple[Caveat, ...]:
    match draft.result:
        case Condition():
            return draft.result.caveats
        case Gap():
            return draft.rule.caveats
        case NotARule():
            return ()


def _unstated(draft: Draft) -> tuple[Caveat, ...]:
    if draft.rule.table.stated or not draft.target.own:
        return ()
    detail = f"the module reads {draft.target.reads}, the name of the suite"
    return (Caveat("table_not_stated", detail),)


# Conflicts ----------------------------------------------------------------------------------------


def _conflicts(
    table: _Table, entries: Mapping[str, Entry], config: Config
) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Rules of one column that can't both be meant, and one rule with two actions."""
    for group in table.groups:
        if len(group) > 1 and len({a for a, _ in _decisions(table, group, config)}) > 1:
            yield "action_conflict", [entries[d.id] for d in group]
    yield from (("conflict", [entries[i] for i in ids]) for ids in _contradictions(table))


def _contradictions(table: _Table) -> list[list[str]]:
    """Groups of ids: each contradicts another one of its group."""
    alike: defaultdict[object, list[tuple[str, Meaning]]] = defaultdict(list)
    for draft, *_ in table.groups:
        if isinstance(draft.result, Condition):
            columns = tuple(column.lower() for column in draft.rule.columns)
            meaning = draft.result.meaning
            alike[columns, compare.sort(meaning)].append((draft.id, meaning))
    return [ids for found in alike.values() if len(found) > 1 for ids in _opposed(found)]


def _opposed(found: Sequence[tuple[str, Meaning]]) -> Iterator[list[str]]:
    """Of some rules on the same columns: those that set the same thing different limits."""
    alike: defaultdict[object, list[tuple[str, compare.Extent]]] = defaultdict(list)
    for rule_id, meaning in found:
        extent = compare.extent(meaning.form)
        if extent is not None:
            alike[type(extent), extent.subject].append((rule_id, extent))
    for extents in alike.values():
        pairs = [p for p in combinations(extents, 2) if compare.contradict(p[0][1], p[1][1])]
        if pairs:
            yield list(dict.fromkeys(rule_id for pair in pairs for rule_id, _ in pair))


# Modules ------------------------------------------------------------------------------------------


def _module(table: _Table, entries: Sequence[Entry], config: Config) -> list[Module]:
    """The module of a table, none where no rule is left for it."""
    rules = tuple(_lowered(e, config.max_action) for e in entries if e.outcome == "record")
    if not rules:
        return []
    origins: defaultdict[str, list[Origin]] = defaultdict(list)
    for entry in entries:
        origins[entry.merged_into or entry.id].append(entry.origin)
    target = table.groups[0][0].target
    found = {rule.id: tuple(origins[rule.id]) for rule in rules}
    return [Module(target.name, table.stem, target.reads, rules, found)]


def _lowered(entry: Entry, limit: Action) -> Entry:
    assert entry.action is not None
    action = at_most(entry.action, limit)
    return entry if action == entry.action else replace(entry, action=action)
