"""The three that are compared, and the rule that stands for each entry in the module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ruleferry.converters.account import Entry, KeysOf, Ledger, Module
from ruleferry.converters.actions import at_most
from ruleferry.converters.conversion import Today
from ruleferry.converters.drift.causes import Causes
from ruleferry.converters.drift.committed import Committed, Matched, matched, written_entries
from ruleferry.converters.drift.meaning import (
    ASPECTS,
    Aspect,
    Columns,
    Tested,
    aspects_of,
    changes,
    definition,
)
from ruleferry.converters.drift.pairs import Pair
from ruleferry.converters.kept_by_hand import file_of
from ruleferry.converters.rule import Action, Origin
from ruleferry.converters.table_names import name_key
from ruleferry.converters.writers.block_columns import Block
from ruleferry.converters.writers.clock import reading_column
from ruleferry.converters.writers.lakeflow import module_block
from ruleferry.converters.writers.rules_module import BlockColumn, ModuleRule

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Sides:
    """`tested_then`, `tested_now`: id of an entry that leads others -> its rule, as the committed
    module has it and as it would be written now. `alone`: the rules of a module that no conversion
    wrote. `limit`: --max-action. `idle`: keys of
    [actions.rules] that no rule has. `beside`: (file, cell) -> one that changed and is a rule
    together with it.
    """

    then: Ledger
    now: Ledger
    committed: Mapping[str, Committed]
    modules: Mapping[str, Module]
    columns_now: Mapping[str, Columns]
    leaders: Mapping[str, Entry]
    leaders_now: Mapping[str, Entry]
    tested_then: Mapping[str, Tested]
    tested_now: Mapping[str, Tested]
    alone: tuple[Tested, ...]
    causes: Causes
    limit: Action
    idle: tuple[str, ...] = ()
    beside: Mapping[tuple[str, str], Origin] = field(default_factory=dict)

    @cached_property
    def stated_at(self) -> Mapping[tuple[str, str], Entry]:
        """(file, place) -> what stands there now; of several that state rules the first."""
        return {(e.origin.file, e.origin.place): e for e in reversed(self.now.entries)}

    def rule_then(self, entry: Entry | None) -> Tested | None:
        return self.tested_then.get(entry.merged_into or entry.id) if entry else None

    def rule_now(self, entry: Entry | None) -> Tested | None:
        return self.tested_now.get(entry.merged_into or entry.id) if entry else None

    def leader(self, entry: Entry) -> Entry:
        """The entry of the last conversion that its rule was written for."""
        return self.leaders.get(entry.merged_into or entry.id, entry)

    def moved(self, pair: Pair) -> frozenset[Aspect]:
        """In what the sources say something else than they did, and not in other words alone."""
        assert pair.then is not None
        assert pair.now is not None
        then, now = self.leader(pair.then), self.leaders_now[pair.now.merged_into or pair.now.id]
        if _is_kept(then):
            return ASPECTS
        module = self.modules[self.tested_now[now.id].file]
        found = aspects_of(changes(_of_ledger(then), _of_ledger(now), module))
        other = pair.renamed or _computed(then) != _computed(now)
        return found | {"condition"} if other else found

    def by_hand(self, rule: Tested, leader: Entry, now: Tested | None) -> frozenset[Aspect]:
        """In what a person changed what the rule says since it was written."""
        if not self.committed[rule.file].touched:
            return frozenset()
        if rule.rule.manual is None and _is_kept(leader):
            return ASPECTS
        return _edited(rule, leader, now, self)


def sides(then: Ledger, today: Today, committed: Mapping[str, Committed], limit: Action) -> Sides:
    modules = {file_of(module): module for module in today.modules}
    written = written_entries(then, list(committed))
    found = {file: matched(module, written[file]) for file, module in committed.items()}
    blocks = {file: module_block(module) for file, module in modules.items()}
    columns = {file: _columns(block) for file, block in blocks.items()}
    there = {file: Columns(module.rules.columns) for file, module in committed.items()}
    return Sides(
        then=then,
        now=today.ledger,
        committed=committed,
        modules=modules,
        columns_now=columns,
        leaders={entry.id: entry for of in written.values() for entry in of.values()},
        leaders_now={e.id: e for e in today.ledger.entries if not e.merged_into},
        tested_then=dict(_then(found, there)),
        tested_now=dict(_now(modules, blocks, columns)),
        alone=tuple(Tested(f, rule, there[f]) for f, m in found.items() for rule in m.alone),
        causes=Causes.of(then, today.ledger),
        limit=limit,
        idle=today.idle if today.whole else (),
    )


def _columns(block: Block) -> Columns:
    return Columns(tuple(column for found in block.columns.values() for column in found))


def _then(
    found: Mapping[str, Matched], columns: Mapping[str, Columns]
) -> Iterator[tuple[str, Tested]]:
    for file, of_module in found.items():
        for rule_id, rule in of_module.by_id.items():
            yield rule_id, Tested(file, rule, columns[file])


def _now(
    modules: Mapping[str, Module], blocks: Mapping[str, Block], columns: Mapping[str, Columns]
) -> Iterator[tuple[str, Tested]]:
    for file, module in modules.items():
        for entry, written in zip(module.rules, blocks[file].rules, strict=True):
            rule = ModuleRule(written.name, written.action, written.condition, over=written.over)
            yield entry.id, Tested(file, rule, columns[file])


def _of_ledger(entry: Entry) -> Tested:
    return Tested("", ModuleRule(entry.name, entry.action or "warn", entry.condition or ""))


def _computed(entry: Entry) -> tuple[str, str]:
    query = entry.validation.query if entry.validation else ""
    return (entry.flag.sql if entry.flag else "", query)


# As the last conversion wrote it ------------------------------------------------------------------


def _is_kept(entry: Entry) -> bool:
    return any(caveat.code == "kept_by_hand" for caveat in entry.caveats)


def _edited(rule: Tested, leader: Entry, now: Tested | None, of: Sides) -> frozenset[Aspect]:
    found: set[Aspect] = set()
    if not _action_as_written(rule, leader, of.limit):
        found.add("action")
    if not _condition_as_written(rule, leader, now, of):
        found.add("condition")
    return frozenset(found)


def _action_as_written(rule: Tested, leader: Entry, limit: Action) -> bool:
    """The ledger has not the action that --max-action lowered."""
    action = leader.action
    return action is not None and rule.rule.action in (action, at_most(action, limit))


def _condition_as_written(rule: Tested, leader: Entry, now: Tested | None, of: Sides) -> bool:
    """By meaning: a condition that is only written otherwise was not changed.

    The ledger has not the column that holds the time.
    """
    there = rule.rule
    if leader.action is None or (there.over == "query" and not rule.rests_on):
        return False  # its query is gone, or has another name than the rule
    texts = {leader.condition or "", *_with_clocks(leader.condition or "", there.condition)}
    said = (
        Tested(rule.file, ModuleRule(there.name, there.action, text, over=there.over), rule.columns)
        for text in texts
    )
    table = of.committed[rule.file].rules.source_table
    if now is not None and (_names(now) - _names(rule)) & _words(there.condition):
        return False  # a column was taken out
    return any(not changes(one, rule) for one in said) and all(
        _column_as_written(column, table, leader, now, alone=of.causes.none)
        for column in rule.rests_on
    )


def _names(rule: Tested) -> set[str]:
    return {column.name for column in rule.rests_on}


def _with_clocks(condition: str, there: str) -> Iterator[str]:
    """With the column in place of the clock, as a drop rule reads it."""
    words = {word.strip("`()") for word in there.split()}
    for word in sorted(words):
        if word.startswith("checked_at"):
            yield reading_column(condition, word)


def _column_as_written(
    column: BlockColumn, table: str, leader: Entry, now: Tested | None, *, alone: bool
) -> bool:
    """As it would be written now, or as the ledger has it for this rule, which says it in brief.

    `alone`: nothing but the module changed.
    """
    if now is not None and definition(column) in map(definition, now.rests_on):
        return True
    if alone and now is not None:
        return False
    if isinstance(column.value, KeysOf):
        return leader.flag is not None and _looks_at(leader.flag.sql, column.value)
    query = leader.validation.query if leader.validation else ""
    if column.dictionary == "QUERIES":
        return column.value.replace("{SOURCE_TABLE}", table) == query
    in_query = f"{column.value} AS {column.name}" in query
    return in_query or (leader.flag is not None and leader.flag.sql == column.value)


# What every `exists(SELECT 1 FROM t AS l WHERE l.id = s.id)` has.
_OF_EXISTS = frozenset({"exists", "select", "1", "from", "as", "l", "s", "where"})


def _looks_at(sql: str, keys: KeysOf) -> bool:
    """Whether the ledger's `exists(SELECT …)` speaks of these keys."""
    said = " ".join((*name_key(keys.table), *map(" ".join, keys.keys), keys.where or ""))
    return _words(said) - _OF_EXISTS == _words(sql) - _OF_EXISTS


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
