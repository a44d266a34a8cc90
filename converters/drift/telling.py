"""Differences and what is accepted, with their places and what each side says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ruleferry.converters.account import Entry, KeysOf
from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drift.meaning import Tested
from ruleferry.converters.drift.pairs import Pair, is_rule
from ruleferry.converters.drift.sides import Sides
from ruleferry.converters.drift.words import What, happened, way_out
from ruleferry.converters.drifted import Accepted, At, Change, Difference, Level, Said
from ruleferry.converters.reports.text import listed, shorten, visible
from ruleferry.converters.rule import Origin
from ruleferry.converters.writers.rules_module import BlockColumn

# Of a text in a source so many characters are shown.
_TEXT = 120
_LINE = re.compile(r"line (\d+)")


def difference(
    change: Change,
    level: Level,
    cause: Cause,
    pair: Pair,
    of: Sides,
    *,
    then: Tested | None = None,
    now: Tested | None = None,
) -> Difference:
    """`then`, `now`: the rule as the module has it, and as it would be written."""
    entry = pair.now or pair.then
    assert entry is not None
    there, here = _says(then), _source_says(pair.now, now) or _stands_there(pair, of)
    gap = pair.now.gap.code if pair.now and pair.now.gap else None
    what = What(change, cause, then is not None, now is not None, gap)
    if then is not None and now is not None and then.definitions == now.definitions:
        there, here = _bare(there), _bare(here)
    return Difference(
        change=change,
        side=cause.side,
        level=level,
        rule=_name(then, now, entry),
        table=entry.table,
        detail=happened(what),
        todo=way_out(what),
        id=entry.id,
        columns=entry.columns,
        title=_title(pair, entry),
        source=_changed_at(pair, of),
        module=at_module(then, of),
        source_says=here,
        module_says=there,
        last_said=_last_said(pair.then, of),
    )


def _title(pair: Pair, entry: Entry) -> str:
    """The rule in words; of one that is none any more those that it had."""
    of = (
        pair.then
        if pair.then is not None and is_rule(pair.then) and not is_rule(pair.now)
        else entry
    )
    return of.words or of.title


def _bare(said: Said | None) -> Said | None:
    """Without what is the same on both sides."""
    return said and replace(said, note="")


def accepted(pair: Pair, of: Sides, then: Tested, now: Tested | None, reason: str) -> Accepted:
    """What a mark in the module stands for."""
    entry = pair.now or pair.then
    assert entry is not None
    return Accepted(
        how="manual",
        rule=then.rule.name,
        table=entry.table,
        reason=reason,
        id=entry.id,
        source=at_source(entry.origin),
        module=at_module(then, of),
        source_says=_source_says(pair.now, now),
        module_says=_says(then),
    )


def by_hand_alone(rule: Tested, of: Sides) -> Difference | Accepted:
    """A rule that a person wrote into a module."""
    module = of.committed[rule.file]
    name, table = rule.rule.name, module.rules.source_table
    at, says = at_module(rule, of), _says(rule)
    what = What("added", Cause("hand"), stated=False)
    if rule.rule.manual:
        return Accepted("manual", name, table, rule.rule.manual, module=at, module_says=says)
    return Difference(
        change="added",
        side="hand",
        level="any",
        rule=name,
        table=table,
        detail=happened(what),
        todo=way_out(what),
        module=at,
        module_says=says,
    )


def accepted_decision(entry: Entry, of: Sides, reason: str) -> Accepted:
    """What a decision stands for."""
    then, now = of.rule_then(entry), of.rule_now(entry)
    return Accepted(
        how="decision",
        rule=_name(then, now, entry),
        table=entry.table,
        reason=reason,
        id=entry.id,
        source=at_source(entry.origin),
        module=at_module(then, of),
        source_says=_source_says(entry, now),
        module_says=_says(then),
    )


def _name(then: Tested | None, now: Tested | None, entry: Entry) -> str:
    return next((one.rule.name for one in (then, now) if one is not None), entry.name)


# Places -------------------------------------------------------------------------------------------


def at_source(origin: Origin) -> At:
    found = _LINE.match(origin.place)
    return At(origin.file, origin.place, int(found[1]) if found else None)


def _changed_at(pair: Pair, of: Sides) -> At:
    """Where the rule stands; where its own cell is the same, the one that it is read with."""
    entry = pair.now or pair.then
    assert entry is not None
    origin = entry.origin
    if pair.then is None or pair.then.origin.text == origin.text:
        origin = of.beside.get((origin.file, origin.place), origin)
    return at_source(origin)


def at_module(rule: Tested | None, of: Sides) -> At | None:
    return at_line(of.committed[rule.file].shown, rule.rule.line) if rule else None


def at_line(shown: str, line: int) -> At:
    return At(shown, f"line {line}", line)


# What each says -----------------------------------------------------------------------------------


def _says(rule: Tested | None) -> Said | None:
    if rule is None:
        return None
    return Said(rule.rule.condition, rule.rule.action, columns_said(rule.rests_on))


def _source_says(entry: Entry | None, now: Tested | None) -> Said | None:
    if now is not None:
        return _says(now)
    if entry is None:
        return None
    return Said(note=f"“{_shown(entry)}”: {why_not(entry)}")


def _stands_there(pair: Pair, of: Sides) -> Said | None:
    """What stands in the place of a rule that is stated no more."""
    origin = pair.then.origin if pair.then else None
    entry = of.stated_at.get((origin.file, origin.place)) if origin else None
    if entry is None or pair.then is None:
        return None
    if not is_rule(entry):
        return _source_says(entry, None)
    if entry.columns == pair.then.columns:
        return None
    return Said(note=f"“{_shown(entry)}”: said of {listed(entry.columns) or entry.table} now")


def _shown(entry: Entry) -> str:
    return shorten(visible(entry.origin.text), _TEXT)


def why_not(entry: Entry) -> str:
    """Why an entry has no rule in a module."""
    if entry.gap is not None:
        return entry.gap.reason
    return entry.waived or entry.reason or ""


def _last_said(entry: Entry | None, of: Sides) -> Said | None:
    if entry is None:
        return None
    leader = of.leader(entry)
    if leader.condition is None:
        return Said(note=why_not(entry))
    query = leader.validation.query if leader.validation else ""
    note = f"{leader.flag.column} = {leader.flag.sql}" if leader.flag else query
    return Said(leader.condition, leader.action, note)


def columns_said(columns: Iterable[BlockColumn]) -> str:
    return "; ".join(f"{column.name} = {_sql(column.value)}" for column in columns)


def _sql(value: str | KeysOf) -> str:
    """What LOOKUPS says, as a person reads it."""
    if isinstance(value, str):
        return value
    ours, theirs = (", ".join(side) for side in zip(*value.keys, strict=True))
    where = f", of those with {value.where}" if value.where else ""
    return f"{ours} among {theirs} of {value.table}{where}"
