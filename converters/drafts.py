"""Every legacy rule with its id, its table and what could be made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ruleferry.converters import naming
from ruleferry.converters.account import Gap
from ruleferry.converters.config import Config, TableSettings
from ruleferry.converters.express import (
    PLAIN,
    Condition,
    Others,
    OtherTable,
    Traits,
    Types,
    express,
)
from ruleferry.converters.rule import LegacyRule, NotARule, Reading, Repeat, Table, Unread
from ruleferry.converters.table_names import joined, name_key, same_table

Result: TypeAlias = Condition | Gap | NotARule | Repeat
TypesOf: TypeAlias = Callable[[Reading, str], Types]
_TOO_DEEP = Gap("not_readable", "it is too long: its parts are nested too deep")


@dataclass(frozen=True, slots=True)
class Target:
    """One table: `key` tells it from all others, `reads` is what its module reads.

    `own`: nothing states a table, and the source's own name stands for one. `configured`: [tables]
    has it. `columns`: those that a schema states, in lower case.
    """

    key: str
    name: str
    reads: str
    module: str | None = None
    own: bool = False
    configured: bool = False
    traits: Traits = PLAIN
    columns: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule with its id and what could be made of it."""

    rule: LegacyRule
    id: str
    target: Target
    result: Result


def drafts(
    readings: Sequence[Reading], types_of: TypesOf, config: Config, sources: Mapping[str, str]
) -> list[Draft]:
    """`types_of`: the columns' types for a reading's rules on a table.

    `sources`: file -> the name that stands for it in ids.
    """
    rules = [(reading, rule) for reading in readings for rule in reading.rules]
    ids = naming.rule_ids([rule for _, rule in rules], sources)
    found: list[Draft] = []
    targets: dict[str, Target] = {}
    for (reading, rule), rule_id in zip(rules, ids, strict=True):
        target = _target(rule.table, rule.origin.file, config.tables)
        if isinstance(rule.check, NotARule | Repeat):  # nothing is asked of the table
            found.append(Draft(rule, rule_id, targets.get(target.key, target), rule.check))
            continue
        types = types_of(reading, target.reads)
        if target.key not in targets:  # one table, in the first of its spellings
            columns = frozenset(types.declared or ())
            targets[target.key] = replace(target, columns=columns)
        target = targets[target.key]
        result = _result(rule, types, target, _others(reading, types_of, config))
        found.append(Draft(rule, rule_id, target, result))
    return found


def _others(reading: Reading, types_of: TypesOf, config: Config) -> Others:
    """What a source calls a table is mapped like its own; what it claims of columns is its own."""

    def other(name: str) -> OtherTable:
        target = _target(Table(name), "", config.tables)
        declared = types_of(reading, target.reads).declared
        confirmed = declared is not None or target.configured
        return OtherTable(target.reads, Types(declared), confirmed)

    return other


def _target(table: Table, file: str, settings: Mapping[str, TableSettings]) -> Target:
    """The settings under the table's name, an alias, or the name that it has now.

    A table that nothing states is its file's own.
    """
    for name, found in settings.items():
        if any(same_table(table.name, other) for other in (name, *found.aliases)):
            return _named(name, found)
    for name, found in settings.items():
        if found.name and same_table(table.name, found.name):
            return _named(name, found)
    if table.stated:
        return Target(joined(name_key(table.name)), table.name, table.name)
    return Target(f"{table.name}\n{file}", table.name, table.name, own=True)


def _named(name: str, found: TableSettings) -> Target:
    reads = found.name or name
    traits = Traits(found.order_by, found.streaming)
    key = joined(name_key(reads))
    return Target(key, name, reads, found.module, configured=True, traits=traits)


def _result(rule: LegacyRule, types: Types, target: Target, others: Others) -> Result:
    check = rule.check
    match check:
        case Unread():
            return Gap(check.code, check.reason)
        case NotARule() | Repeat():
            return check
        case _:
            try:
                return express(rule, types, target.traits, others)
            except RecursionError:
                return _TOO_DEEP
