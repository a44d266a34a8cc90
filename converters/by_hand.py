"""What a person keeps by hand in a module, in the account of the conversion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ruleferry.converters.account import Because, Entry, KeysOf, Module
from ruleferry.converters.entries import dataset_of, figures_query
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.outputs import MODULE_ENDING
from ruleferry.converters.rule import Caveat
from ruleferry.converters.table_names import table_reference
from ruleferry.converters.writers.rules_module import BlockColumn, ModuleRule, read_module

_WINDOW = re.compile(r"\bOVER\b", re.IGNORECASE)


def with_rule_by_hand(entry: Entry, module: Module, rule: ModuleRule) -> Entry:
    """The entry of a rule whose text in the module is a person's."""
    marked = module.quarantine == "column"
    query = entry.name if rule.over == "query" else None
    dataset = dataset_of(module.stem, rule.action, entry.outcome, query=query, marked=marked)
    validation = entry.validation and replace(
        entry.validation, dataset=dataset, condition=rule.condition
    )
    return _told(
        replace(
            entry,
            condition=rule.condition,
            action=rule.action,
            dataset=dataset,
            validation=validation,
            because=Because("decision", f"kept by hand in the module: {rule.manual}"),
        ),
        f"its text in the module is kept by hand: {rule.manual}",
    )


def with_columns_by_hand(entry: Entry, module: Module, kept: Sequence[BlockColumn]) -> Entry:
    """The entry of a rule that is tested on a column, or by a query, that a person wrote."""
    marked = {column.name: column for column in kept if column.manual}
    flags = module.computed.get(entry.id, ())
    own = marked.get(entry.name) if any(flag.over == "query" for flag in flags) else None
    if own is not None and entry.validation:
        table = table_reference(module.source_table)
        query = str(own.value).replace("{SOURCE_TABLE}", table)
        told = f"its query in the module is kept by hand: {own.manual}"
        return _told(replace(entry, validation=replace(entry.validation, query=query)), told)
    for flag in flags:
        if flag.column in marked:
            entry = _with_column(entry, module, marked)
            told = f"{flag.column} in the module is kept by hand: {marked[flag.column].manual}"
            entry = _told(entry, told)
    return entry


def _with_column(entry: Entry, module: Module, marked: Mapping[str, BlockColumn]) -> Entry:
    flags = [
        replace(flag, sql=_sql(marked[flag.column].value)) if flag.column in marked else flag
        for flag in module.computed[entry.id]
    ]
    of_record = next((flag for flag in flags if flag.of_record), None)
    figures = [flag for flag in flags if flag.over == "figures"]
    validation = entry.validation
    if validation and figures:
        source = f"{module.stem}_checked" if of_record else module.source_table
        validation = replace(validation, query=figures_query(figures, source))
    return replace(entry, flag=of_record, validation=validation)


def _sql(value: str | KeysOf) -> str:
    """What LOOKUPS says, as one expression."""
    if isinstance(value, str):
        return value
    ours, theirs = (", ".join(keys) for keys in zip(*value.keys, strict=True))
    where = f" WHERE {value.where}" if value.where else ""
    return f"({ours}) IN (SELECT {theirs} FROM {value.table}{where})"  # noqa: S608 - shown, never run


def _told(entry: Entry, detail: str) -> Entry:
    caveats = (*entry.caveats, Caveat("kept_by_hand", detail))
    return replace(entry, grade="assumed", caveats=caveats)


def by_hand_alone(modules: Sequence[Module], texts: Mapping[str, str]) -> Iterator[str]:
    """A notice for each module in which something stands that no source states."""
    for module in modules:
        file = f"{module.stem}{MODULE_ENDING}"
        there = read_module(texts[file], file)
        stated = {rule.name for rule in module.rules}
        stated |= {flag.column for flags in module.computed.values() for flag in flags}
        names = [item.name for item in there.rules] + [item.name for item in there.columns]
        alone = dict.fromkeys(name for name in names if name not in stated)
        if alone:
            yield f"{file}: by hand alone, and in no other account: {', '.join(alone)}"


def refuse_windows_of_streams(
    modules: Sequence[Module], kept: Mapping[str, Sequence[BlockColumn]]
) -> None:
    """A stream is read in parts, so that no window sees all of its records. Raises InputFaults."""
    faults = [
        Fault(
            file=file,
            place=f"line {column.line}",
            found=f"a window in {column.name}, which is kept by hand, of a table that is streamed",
            expected="a column of one record",
            todo="Remove the mark and the column, or don't stream the table.",
        )
        for module in modules
        if module.streaming
        for file in [f"{module.stem}{MODULE_ENDING}"]
        for column in kept.get(file, ())
        if column.dictionary == "FLAGS" and _WINDOW.search(str(column.value))
    ]
    if faults:
        raise InputFaults(faults)
