"""One rule's story, also where no source states it: what a person keeps in a module alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ruleferry.converters.account import Ledger
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.outputs import MODULE_ENDING, Kept, look_before
from ruleferry.converters.reports.explain import lines_of, module_of, stories
from ruleferry.converters.reports.find_rule import find
from ruleferry.converters.reports.ledger_json import entries_text
from ruleferry.converters.reports.text import visible
from ruleferry.converters.reports.words import ACTIONS, ACTIONS_BESIDE
from ruleferry.converters.writers.rules_module import ModuleRule


def explained(ledger: Ledger, wanted: str, folder: Path, shown: str) -> list[str]:
    """The lines of its story. Raises InputFaults for what names no rule or several."""
    try:
        return stories(ledger, find(ledger, wanted, f"{shown}/ledger.json"))
    except InputFaults as unknown:
        kept = _kept_alone(ledger, wanted, folder, shown, unknown)
        return _of_kept(kept.rule, f"{shown}/{kept.file}")


def explained_json(ledger: Ledger, wanted: str, folder: Path, shown: str) -> str:
    """Its entries. Raises InputFaults, also for what is kept by hand, which has none."""
    try:
        return entries_text(find(ledger, wanted, f"{shown}/ledger.json"))
    except InputFaults as unknown:
        kept = _kept_alone(ledger, wanted, folder, shown, unknown)
        raise InputFaults([_without_entry(wanted, kept, shown)]) from None


def _of_kept(rule: ModuleRule, file: str) -> list[str]:
    words = ACTIONS if rule.over == "record" else ACTIONS_BESIDE
    told = (
        ("stands in", f"{file}:{rule.line}, and in no source"),
        ("kept by hand", rule.manual or ""),
        ("condition", rule.condition),
        ("action", f"{rule.action}: {words[rule.action]}"),
    )
    return [visible(rule.name), *(line for name, text in told for line in lines_of(name, text))]


def _without_entry(wanted: str, kept: Kept, shown: str) -> Fault:
    found = f"`{wanted}`, which a person keeps there and no source states"
    todo = "Leave out --json."
    return Fault(f"{shown}/{kept.file}", f"line {kept.rule.line}", found, "an entry", todo)


def _kept_alone(
    ledger: Ledger, wanted: str, folder: Path, shown: str, unknown: InputFaults
) -> Kept:
    """The one rule of that name. Raises what is `unknown`, and what is wrong with the modules."""
    key = wanted.strip().casefold()
    try:
        before = look_before(folder, shown, ledger)
    except InputFaults as found:
        raise InputFaults([*unknown.faults, *found.faults]) from None
    alone = (kept for kept in before.kept if kept.entry is None)
    named = [kept for kept in alone if key in _names(kept, ledger)]
    if len(named) != 1:
        raise unknown
    return named[0]


def _names(kept: Kept, ledger: Ledger) -> Iterator[str]:
    """Alone, and behind each name of the table whose module it stands in."""
    name = kept.rule.name
    yield name.casefold()
    yield f"{kept.file.removesuffix(MODULE_ENDING)}.{name}".casefold()
    tables = {e.table for e in ledger.entries if module_of(ledger, e) == kept.file}
    for table in sorted(tables):
        yield f"{table}.{name}".casefold()
        yield f"{table.rpartition('.')[2]}.{name}".casefold()
