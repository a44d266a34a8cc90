"""Per table: names, merges, conflicts, actions; every rule becomes one entry of the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ruleferry.converters import compare, naming
from ruleferry.converters.account import Entry, Flag, KeysOf, Module, Question
from ruleferry.converters.actions import at_most, decided
from ruleferry.converters.config import Config
from ruleferry.converters.drafts import Draft, Target, TypesOf, drafts
from ruleferry.converters.entries import OTHER_DATASETS, TableRules, decisions_of, table_entries
from ruleferry.converters.express import Condition
from ruleferry.converters.express.computed import with_names
from ruleferry.converters.normal_form import Meaning
from ruleferry.converters.questions import ask
from ruleferry.converters.rule import Action, Origin, Reading, Repeat
from ruleferry.converters.table_names import name_key, written_parts

CARRIED = ("record", "flag", "dataset", "schema")
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


def plan(
    readings: Sequence[Reading], types_of: TypesOf, config: Config, sources: Mapping[str, str]
) -> Plan:
    """The entries of all rules, in the order of tables and, within one, of sources."""
    by_table: defaultdict[str, list[Draft]] = defaultdict(list)
    for draft in _beside_repeated(drafts(readings, types_of, config, sources)):
        by_table[draft.target.key].append(draft)
    stems = _stems(by_table)
    tables = [_table(by_table[key], stems[key], config) for key in sorted(by_table)]
    entries: list[Entry] = []
    conflicts: list[tuple[str, Sequence[Entry]]] = []
    modules: list[Module] = []
    for table in tables:
        made = table_entries(table, config)
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


def _beside_repeated(found: Sequence[Draft]) -> list[Draft]:
    """A rule that repeats another one belongs to that one's table."""
    targets: dict[tuple[str, str], dict[str, Target]] = {}
    for draft in found:
        targets.setdefault(_atom(draft), {})[draft.target.key] = draft.target
    return [
        replace(draft, target=of.get(draft.target.key) or next(iter(of.values())))
        if isinstance(draft.result, Repeat)
        and (of := targets[draft.result.file, draft.result.atom])
        else draft
        for draft in found
    ]


def _atom(draft: Draft) -> tuple[str, str]:
    return draft.rule.origin.file, draft.rule.atom


def _table(found: Sequence[Draft], stem: str, config: Config) -> TableRules:
    groups: dict[object, list[Draft]] = {}
    same: dict[tuple[str, str], object] = {}  # atom -> the group of its rule
    for draft in found:
        if not isinstance(draft.result, Repeat):
            same[_atom(draft)] = key = _said(draft)
            groups.setdefault(key, []).append(draft)
    for draft in found:
        if isinstance(draft.result, Repeat):
            groups[same[draft.result.file, draft.result.atom]].append(draft)
    nameless = TableRules(stem, (), {}, {})
    ordered = [_led(nameless, group, config) for group in groups.values()]
    bases = {group[0].id: _base_name(group[0]) for group in ordered}
    left = {group[0].id for group in ordered if not isinstance(group[0].result, Condition)}
    names = naming.distinct_names(bases, left)
    return TableRules(stem, tuple(ordered), names, _computed(ordered, names))


def _base_name(draft: Draft) -> str:
    """A query of its own is a dataset, and must not be called as another one of the module."""
    base = naming.base_name(draft.rule, draft.id)
    alone = isinstance(draft.result, Condition) and draft.result.over == "query"
    return f"{base}_query" if alone and base in OTHER_DATASETS else base


def _said(draft: Draft) -> object:
    """What merges rules: only conditions can be told to say the same."""
    result = draft.result
    return result.said if isinstance(result, Condition) else draft.id


def _led(table: TableRules, group: Sequence[Draft], config: Config) -> tuple[Draft, ...]:
    """A decided action before an undecided one, then the order of readers, files and places."""

    def rank(numbered: tuple[int, Draft]) -> tuple[bool, bool, int, int]:
        number, draft = numbered
        base = naming.base_name(draft.rule, draft.id)
        decision = decided(draft.rule, table.keys(draft, base), config.actions)
        tool = draft.rule.origin.tool
        reader = _READERS.index(tool) if tool in _READERS else len(_READERS)
        return isinstance(draft.result, Repeat), decision is None, reader, number

    if len(group) == 1:
        return tuple(group)
    return tuple(draft for _, draft in sorted(enumerate(group), key=rank))


def _computed(
    groups: Sequence[Sequence[Draft]], names: Mapping[str, str]
) -> dict[str, dict[str, Flag]]:
    """The columns that datasets compute for the rules, called after them."""
    taken = {column.lower() for group in groups for d in group for column in d.rule.columns}
    taken |= groups[0][0].target.columns if groups else frozenset()
    found: dict[str, dict[str, Flag]] = {}
    joined: dict[object, Flag] = {}  # one join for all rules that look at the same keys
    for leader, *_ in groups:
        if isinstance(leader.result, Condition) and leader.result.computed:
            name = names[leader.id]
            found[leader.id] = _columns_of(leader.result, name, taken, joined)
    return found


def _columns_of(
    condition: Condition, name: str, taken: set[str], joined: dict[object, Flag]
) -> dict[str, Flag]:
    """Stand-in -> the column; a column may be made of those before it."""
    made: dict[str, Flag] = {}
    for column in condition.computed:
        same = _without_case(column.keys)
        if same is not None and same in joined:
            made[column.stand_in] = joined[same]
            continue
        sql = with_names(column.sql, {stand_in: flag.column for stand_in, flag in made.items()})
        place = column.over or condition.over
        assert place != "schema", condition
        free = _free(f"{name}_{column.suffix}", taken)
        made[column.stand_in] = flag = Flag(free, sql, place, column.keys)
        if same is not None:
            joined[same] = flag
    return made


def _without_case(keys: KeysOf | None) -> object:
    """Names of tables and columns have none; what limits the other table may hold texts."""
    if keys is None:
        return None
    pairs = tuple((ours.lower(), theirs.lower()) for ours, theirs in keys.keys)
    return name_key(keys.table), pairs, keys.where


def _free(name: str, taken: set[str]) -> str:
    """A column of the table that a rule speaks of keeps its name."""
    while name in taken:
        name += "_flag"
    return name


# Conflicts ----------------------------------------------------------------------------------------


def _conflicts(
    table: TableRules, entries: Mapping[str, Entry], config: Config
) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Rules of one column that can't both be meant, and one rule with two actions."""
    for group in table.groups:
        if len(group) > 1 and len({a for a, _ in decisions_of(table, group, config)}) > 1:
            yield "action_conflict", [entries[d.id] for d in group]
    yield from (("conflict", [entries[i] for i in ids]) for ids in _contradictions(table))


def _contradictions(table: TableRules) -> list[list[str]]:
    """Groups of ids: each contradicts another one of its group."""
    alike: defaultdict[object, list[tuple[str, Meaning]]] = defaultdict(list)
    for draft, *_ in table.groups:
        if isinstance(draft.result, Condition):
            columns = tuple(column.lower() for column in draft.rule.columns)
            meaning = draft.result.meaning
            # The mean and the least value of a column are two things.
            of = draft.result.over, tuple(column.form for column in draft.result.computed)
            alike[columns, compare.sort(meaning), of].append((draft.id, meaning))
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


def _module(table: TableRules, entries: Sequence[Entry], config: Config) -> list[Module]:
    """The module of a table, none where no rule is left for it."""
    rules = tuple(_lowered(e, config.max_action) for e in entries if e.outcome in CARRIED)
    if not rules:
        return []
    origins: defaultdict[str, list[Origin]] = defaultdict(list)
    for entry in entries:
        origins[entry.merged_into or entry.id].append(entry.origin)
    target = table.groups[0][0].target
    found = {rule.id: tuple(origins[rule.id]) for rule in rules}
    computed = {rule.id: tuple(table.computed.get(rule.id, {}).values()) for rule in rules}
    kept = {rule_id: columns for rule_id, columns in computed.items() if columns}
    module = Module(target.name, table.stem, target.reads, rules, found, kept)
    streaming = target.traits.streaming
    module = replace(module, columns=tuple(sorted(target.columns)))
    return [replace(module, quarantine=config.quarantine, streaming=streaming)]


def _lowered(entry: Entry, limit: Action) -> Entry:
    assert entry.action is not None
    action = at_most(entry.action, limit)
    return entry if action == entry.action else replace(entry, action=action)
