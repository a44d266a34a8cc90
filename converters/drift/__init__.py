"""Drift: where the sources, the committed modules and the last conversion part.

Sources are read as `convert` reads them, modules as syntax trees, and nothing is written. What
can't be compared is an error, never an agreement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ruleferry.converters.account import Entry, Ledger
from ruleferry.converters.config import Config
from ruleferry.converters.conversion import Today, today
from ruleferry.converters.drift.answers import by_decision, stale_answers
from ruleferry.converters.drift.committed import Committed, open_modules
from ruleferry.converters.drift.modules import of_modules
from ruleferry.converters.drift.pairs import Pair, is_rule, pairs
from ruleferry.converters.drift.rules import of_rules
from ruleferry.converters.drift.sides import Sides, sides
from ruleferry.converters.drift.unread import not_comparable
from ruleferry.converters.drifted import LEVELS, Accepted, Difference, Drift
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.outputs import LEDGER
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.rule import Origin
from ruleferry.converters.table_names import name_key
from ruleferry.converters.together import read_with


def drift(config: Config, given: Sequence[str] = ()) -> Drift:
    """Compare the sources with the committed modules, both with the last conversion.

    Raises InputFaults with all that can't be read or told.
    """
    folder = config.root / config.out
    then, now, committed = _all_three(config, given, folder)
    if faults := not_comparable(config, then, now, committed):
        raise InputFaults(faults)
    found = _compared(sides(then, now, committed, config.max_action))
    return replace(found, notices=(*_notices(config, now), *_edited_and_alike(committed, found)))


def _notices(config: Config, now: Today) -> Iterator[str]:
    if now.idle and now.whole:
        told = (
            "[actions.rules] has keys that are the name of no rule now, or of several which do not "
            "say the same; `convert` asks to correct them"
        )
        yield f"{config.file}: {told}: {', '.join(now.idle)}"


def _edited_and_alike(committed: Mapping[str, Committed], found: Drift) -> Iterator[str]:
    """No drift, and yet a conversion does not write over it."""
    told: list[Difference | Accepted] = [*found.differences, *found.accepted]
    edited = {one.module.file for one in told if one.module is not None}
    for module in committed.values():
        if module.touched and module.shown not in edited:
            yield (
                f"{module.shown} was edited by hand, and its rules agree with the sources all the "
                "same; `ruleferry convert --force` writes over what was edited"
            )


def _all_three(
    config: Config, given: Sequence[str], folder: Path
) -> tuple[Ledger, Today, dict[str, Committed]]:
    """All are read before anything is told."""
    faults: list[Fault] = []
    then, committed = None, {}
    try:
        then = _last_ledger(folder, config.out)
        committed = open_modules(folder, config.out, then)
    except InputFaults as found:
        faults += found.faults
    try:
        now = today(config, given)
    except InputFaults as found:
        raise InputFaults([*faults, *found.faults]) from found
    if faults or then is None:
        raise InputFaults(faults)
    return then, now, committed


def _last_ledger(folder: Path, shown: str) -> Ledger:
    path = folder / LEDGER
    if path.is_file():
        return open_ledger(path, f"{shown}/{LEDGER}")
    todo = "Run `ruleferry convert` once and commit what it writes, or name its folder: --out."
    found, expected = "no such file", "the ledger of the last conversion"
    raise InputFaults([Fault(f"{shown}/{LEDGER}", None, found, expected, todo)])


def _compared(of: Sides) -> Drift:
    declared = {name_key(module.table): module.columns for module in of.modules.values()}
    paired = pairs(of.then.entries, of.now.entries, declared)
    of = replace(of, beside=dict(reversed([*_beside(paired)])))  # the first of several
    found = [*of_rules(paired, of), *of_modules(of)]
    differences = [one for one in found if isinstance(one, Difference)]
    accepted = [one for one in found if isinstance(one, Accepted)]
    differences += stale_answers(of)
    open_ = {(one.table, one.rule) for one in differences}
    accepted += (one for one in by_decision(of) if (one.table, one.rule) not in open_)
    return Drift(
        differences=tuple(sorted(differences, key=_order)),
        accepted=tuple(sorted(accepted, key=lambda one: (one.table, one.rule, one.how))),
        rules={m.shown: len(m.rules.rules) for m in of.committed.values()},
        sources=sum(map(is_rule, of.now.entries)),
    )


def _beside(paired: Sequence[Pair]) -> Iterator[tuple[tuple[str, str], Origin]]:
    """(file, cell) -> a cell that changed and is a rule together with that one."""
    then = {_cell(pair.then): pair.then.origin.text for pair in paired if pair.then}
    now = {_cell(pair.now): pair.now.origin.text for pair in paired if pair.now}
    for pair in paired:
        entry = pair.now or pair.then
        if entry is None or entry.outcome != "not_a_rule":
            continue
        texts = {one.origin.text if one else None for one in (pair.then, pair.now)}
        changed = len(texts) > 1 and then.get(_cell(entry)) != now.get(_cell(entry))
        place = read_with(entry.reason)
        if changed and place:
            yield (entry.origin.file, place), entry.origin


def _cell(entry: Entry) -> tuple[str, str]:
    return entry.origin.file, entry.origin.place


def _order(one: Difference) -> tuple[object, ...]:
    """The most severe first."""
    place = one.module or one.source
    line = (place.file, place.line or 0, place.place) if place else ("", 0, "")
    return LEVELS.index(one.level), one.table, *line, one.rule, one.change, one.id or ""
