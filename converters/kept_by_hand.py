"""What a person keeps by hand, carried into the plan of a new conversion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ruleferry.converters.account import Entry, Module
from ruleferry.converters.by_hand import with_columns_by_hand, with_rule_by_hand
from ruleferry.converters.outputs import MODULE_ENDING, Before
from ruleferry.converters.plan import Plan
from ruleferry.converters.writers.rules_module import BlockColumn, ModuleRule


def file_of(module: Module) -> str:
    return f"{module.stem}{MODULE_ENDING}"


def kept_rules(planned: Plan, before: Before) -> dict[str, dict[str, ModuleRule]]:
    """file -> name -> the rule that a person keeps there.

    It goes where the rule that it changes goes now, under that rule's name; else it stays.
    """
    rules = [(file_of(module), rule) for module in planned.modules for rule in module.rules]
    kept: dict[str, dict[str, ModuleRule]] = {}
    for found in before.kept:
        file, name = found.file, found.rule.name
        if found.entry is not None:
            file, name = _place_now(found.entry, rules) or (file, name)
        kept.setdefault(file, {})[name] = replace(found.rule, name=name)
    return kept


def kept_columns(planned: Plan, before: Before) -> dict[str, list[BlockColumn]]:
    """file -> the columns that a person keeps there, and those that a kept rule needs."""
    rules = [(file_of(module), rule) for module in planned.modules for rule in module.rules]
    columns = {file: list(found) for file, found in before.columns.items()}
    for found in before.kept:
        place = _place_now(found.entry, rules) if found.entry is not None else None
        columns.setdefault(place[0] if place else found.file, []).extend(found.columns)
    return columns


def _place_now(entry: Entry, rules: Sequence[tuple[str, Entry]]) -> tuple[str, str] | None:
    """The rule of its id; where there is none, the one that says the same of the same columns."""
    for alike in (lambda e: e.id, lambda e: (e.table, e.columns, e.kind, e.text_sha256)):
        places = [(file, rule.name) for file, rule in rules if alike(rule) == alike(entry)]
        if len(places) == 1:
            return places[0]
    return None


def with_what_is_kept(
    planned: Plan,
    kept: Mapping[str, Mapping[str, ModuleRule]],
    columns: Mapping[str, Sequence[BlockColumn]],
) -> Plan:
    """The entries and modules as the rules and columns that are kept by hand make them."""
    changed: dict[str, Entry] = {}
    for module in planned.modules:
        file = file_of(module)
        for rule in module.rules:
            found = with_columns_by_hand(rule, module, columns.get(file, ()))
            by_hand = kept.get(file, {}).get(rule.name)
            found = found if by_hand is None else with_rule_by_hand(found, module, by_hand)
            if found is not rule:
                changed[rule.id] = found
    if not changed:
        return planned
    entries = tuple(changed.get(e.id, e) for e in planned.entries)
    modules = tuple(
        replace(m, rules=tuple(changed.get(r.id, r) for r in m.rules)) for m in planned.modules
    )
    return replace(planned, entries=entries, modules=modules)
