"""Per table: names, merges, conflicts, actions; every rule becomes one entry of the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ruleferry.converters import kept, naming
from ruleferry.converters.account import Entry, Flag, KeysOf, Module, Question
from ruleferry.converters.action_keys import ActionKeys, keys_of, merged, own_keys
from ruleferry.converters.actions import at_most, decided
from ruleferry.converters.called import names_of, pinned
from ruleferry.converters.compare import numbers
from ruleferry.converters.config import Config
from ruleferry.converters.conflicts import conflicts_of, contradictions, stated_actions
from ruleferry.converters.decided import NO_DECISIONS, Decisions
from ruleferry.converters.decisions import as_decided, match, waived_with_it
from ruleferry.converters.drafts import Draft, Target, TypesOf, drafts
from ruleferry.converters.entries import OTHER_DATASETS, TableRules, table_entries
from ruleferry.converters.express import Condition
from ruleferry.converters.express.computed import with_names
from ruleferry.converters.questions import ask
from ruleferry.converters.rule import Action, Origin, Reading, Repeat
from ruleferry.converters.standing import NOTHING_DECIDED, Standing
from ruleferry.converters.table_names import name_key, written_parts

CARRIED = ("record", "flag", "dataset", "schema")
_READERS = ("great_expectations", "spreadsheet", "sql", "python")


@dataclass(frozen=True, slots=True)
class Plan:
    """`conflicts`: a code of gaps.toml and the ids of the entries that it joins.

    `keys`: what [actions.rules] may call the rules.
    `stated`: rule id -> the action that its source states, where those of one rule differ.
    `standings`: rule id -> what was decided about it. `lost`: the rules that a decision speaks of
    and no source states.
    """

    entries: tuple[Entry, ...]
    conflicts: tuple[tuple[str, tuple[str, ...]], ...]
    modules: tuple[Module, ...]
    keys: ActionKeys
    standings: Mapping[str, Standing] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    stated: Mapping[str, Action] = field(default_factory=dict)

    @property
    def questions(self) -> tuple[Question, ...]:
        by_id = {entry.id: entry for entry in self.entries}
        conflicts = [(code, [by_id[i] for i in ids]) for code, ids in self.conflicts]
        return ask(self.entries, conflicts, self.standings, stated=self.stated)


def plan(
    readings: Sequence[Reading],
    types_of: TypesOf,
    config: Config,
    sources: Mapping[str, str],
    decisions: Decisions = NO_DECISIONS,
) -> Plan:
    """The entries of all rules, in the order of tables and, within one, of sources."""
    by_table: defaultdict[str, list[Draft]] = defaultdict(list)
    found = _beside_repeated(drafts(readings, types_of, config, sources))
    matched = match(found, decisions)
    for draft in _decided(found, matched.standings):
        by_table[draft.target.key].append(draft)
    stems = _stems(by_table)
    tables = [_table(by_table[key], stems[key], config) for key in sorted(by_table)]
    entries: list[Entry] = []
    conflicts: list[tuple[str, Sequence[Entry]]] = []
    modules: list[Module] = []
    for table in tables:
        made = table_entries(table, config)
        entries += made
        conflicts += _open_conflicts(table, {e.id: e for e in made}, config)
        modules += _module(table, made, config)
    keys = merged(table.keys for table in tables)
    joined = tuple((code, tuple(e.id for e in about)) for code, about in conflicts)
    standings = {d.id: d.standing for t in tables for g in t.groups for d in g}
    standings = {i: found for i, found in standings.items() if found is not NOTHING_DECIDED}
    stated = {i: action for t in tables for i, action in stated_actions(t, config).items()}
    return Plan(tuple(entries), joined, tuple(modules), keys, standings, matched.lost, stated)


def _decided(found: Sequence[Draft], standings: Mapping[str, Standing]) -> Sequence[Draft]:
    if not standings:
        return found
    made = [as_decided(d, standings[d.id]) if d.id in standings else d for d in found]
    return waived_with_it(made)


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
    ordered = _groups(found, stem, config)
    if any(draft.standing.kept for draft in found):
        contradicting = contradictions(TableRules(stem, tuple(ordered), {}, {}))
        waived = kept.waivers(ordered, contradicting)
        ordered = _groups(kept.without(found, waived), stem, config)
    before = ordered
    if any(draft.changed for group in ordered for draft in group):
        undecided = [replace(d, result=d.undecided, first=None) for d in found]
        before = _groups(undecided, stem, config)
    names = names_of(ordered, before, OTHER_DATASETS)
    names, unnamed = pinned(ordered, names, OTHER_DATASETS)
    keys = keys_of(stem, ordered, names)
    return TableRules(stem, tuple(ordered), names, _computed(ordered, names), unnamed, keys)


def _groups(found: Sequence[Draft], stem: str, config: Config) -> list[tuple[Draft, ...]]:
    """Rules that say the same, the one that stands for them first."""
    groups: dict[object, list[Draft]] = {}
    same: dict[tuple[str, str], object] = {}  # atom -> the group of its rule
    for draft in found:
        if not isinstance(draft.result, Repeat):
            same[_atom(draft)] = key = _said(draft)
            groups.setdefault(key, []).append(draft)
    for draft in found:
        if isinstance(draft.result, Repeat):
            groups[same[draft.result.file, draft.result.atom]].append(draft)
    return [_led(stem, group, config) for group in groups.values()]


def _said(draft: Draft) -> object:
    """What merges rules: only conditions can be told to say the same."""
    result = draft.result
    return result.said if isinstance(result, Condition) else draft.id


def _led(stem: str, group: Sequence[Draft], config: Config) -> tuple[Draft, ...]:
    """A decided action before an undecided one, then the order of readers, files and places.

    A rule of which a person stated the condition renames none that says so itself.
    """

    def rank(numbered: tuple[int, Draft]) -> tuple[bool, bool, bool, int, int]:
        number, draft = numbered
        decision = decided(draft.rule, own_keys(stem, draft), config.actions)
        tool = draft.rule.origin.tool
        reader = _READERS.index(tool) if tool in _READERS else len(_READERS)
        return (
            isinstance(draft.result, Repeat), draft.changed, decision is None, reader, number
        )  # fmt: skip

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


def _open_conflicts(
    table: TableRules, entries: Mapping[str, Entry], config: Config
) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Those that nobody left as they are."""
    members = {group[0].id: [draft.id for draft in group] for group in table.groups}
    standings = {draft.id: draft.standing for group in table.groups for draft in group}
    for code, about in conflicts_of(table, entries, config):
        one_each = code == "action_conflict"
        ids = [[e.id] if one_each else members[e.id] for e in about]
        if not kept.is_settled(code, ids, standings):
            yield code, about


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
    whole, roomy = _numbers(table)
    columns = tuple(sorted(target.columns))
    module = replace(module, columns=columns, whole=whole, roomy=roomy)
    return [replace(module, quarantine=config.quarantine, streaming=streaming)]


def _numbers(table: TableRules) -> tuple[frozenset[str], frozenset[str]]:
    """The columns of whole numbers, and those that round no literal, as a schema says."""
    declared = (draft.types.declared for group in table.groups for draft in group)
    return numbers(next((types for types in declared if types), {}))


def _lowered(entry: Entry, limit: Action) -> Entry:
    assert entry.action is not None
    action = at_most(entry.action, limit)
    return entry if action == entry.action else replace(entry, action=action)
