"""What was recognised and how it is read, file by file."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from ruleferry.converters.reports.ledger_json import JsonObject
from ruleferry.converters.reports.terminal import Line
from ruleferry.converters.reports.text import count, listed, visible
from ruleferry.converters.rule import Reading, Unread

# Of a long list the first; `--json` has all.
_SHOWN = 12


def inspect_lines(readings: Sequence[Reading]) -> tuple[Line, ...]:
    """A few lines a file: what it is, what is in it and for which tables."""
    lines = [line for reading in readings for line in (*_reading(reading), ("", ""))]
    return (*lines, (_total(readings), "bold"))


def inspect_json(readings: Sequence[Reading]) -> str:
    """The same as JSON: a list with one object a file; a field that does not apply is absent."""
    return json.dumps([_row(reading) for reading in readings], indent=1) + "\n"


def _reading(reading: Reading) -> Iterator[Line]:
    yield visible(reading.file), "bold"
    why = f": {visible(reading.why)}" if reading.why else ""
    yield f"  {visible(reading.read_as)}{why}", "yellow" if reading.read_as == "not read" else ""
    if reading.rules:
        places, rules = count(reading.atoms, "place"), count(len(reading.rules), "rule")
        engines = {rule.origin.engine for rule in reading.rules if rule.origin.engine} - {"words"}
        engines.discard("words")
        ran_on = f", read as rules of {listed(sorted(engines))}" if engines else ""
        yield f"  {places} that may state a rule, {rules}{ran_on}", ""
        yield f"  tables: {listed(_tables(reading))}", ""
        if reading.type_names:
            yield f"  types that the file claims: {count(len(reading.type_names), 'column')}", ""
    if reading.classes:
        words = [f"{n:,} {word.replace('_', ' ')}" for word, n in reading.classes.items()]
        yield f"  filled cells: {listed(words)}", ""
    yield from _columns(reading)
    yield from _skipped(reading)
    yield from _not_understood(reading)


def _columns(reading: Reading) -> Iterator[Line]:
    """How the columns are read, sheet by sheet; columns that are read alike once."""
    sheets: dict[tuple[str, ...], list[str]] = {}
    for sheet, columns in groupby(reading.columns, key=lambda c: c.place.rpartition("!")[0]):
        lines = tuple(
            f"    {visible(c.header) or '(no heading)'}: {c.meaning or 'unknown'}"
            + ("" if c.sure else f" – not sure: {visible(c.why)}")
            for c in columns
        )
        sheets.setdefault(lines, []).append(visible(sheet) or "its columns")
    for lines, names in sheets.items():
        yield f"  {listed(names)}:", ""
        yield from ((line, "yellow" if " – not sure: " in line else "") for line in lines)


def _skipped(reading: Reading) -> Iterator[Line]:
    for found in reading.skipped[:_SHOWN]:
        cells = count(found.cells, "filled cell")
        yield f"  not read: {visible(found.place)}, {cells}: {visible(found.reason)}", "dim"
    if len(reading.skipped) > _SHOWN:
        yield f"  … and {len(reading.skipped) - _SHOWN:,} more: see --json", "dim"


def _not_understood(reading: Reading) -> Iterator[Line]:
    """Reasons, each with the first of its places."""
    places: dict[str, list[str]] = {}
    for rule in reading.rules:
        if isinstance(rule.check, Unread):
            places.setdefault(visible(rule.check.reason), []).append(visible(rule.origin.place))
    if places:
        yield f"  {count(sum(map(len, places.values())), 'rule')} not understood:", "yellow"
    for reason, found in list(places.items())[:_SHOWN]:
        more = f" and {len(found) - 1:,} more" if len(found) > 1 else ""
        yield f"    {found[0]}{more}: {reason}", ""
    if len(places) > _SHOWN:
        yield f"    … and {count(len(places) - _SHOWN, 'more reason')}: see --json", "dim"


def _tables(reading: Reading) -> list[str]:
    """The tables of the rules; one that no source states is marked."""
    tables = dict.fromkeys(rule.table for rule in reading.rules)
    return [
        visible(table.name) if table.stated else f"{visible(table.name)} (not stated)"
        for table in sorted(tables, key=lambda table: table.name)
    ]


def _total(readings: Sequence[Reading]) -> str:
    rules = sum(len(reading.rules) for reading in readings)
    atoms = sum(reading.atoms for reading in readings)
    read = sum(1 for reading in readings if reading.rules)
    files = f"{read:,} of {count(len(readings), 'file')}"
    return f"{count(rules, 'rule')} in {count(atoms, 'place')} of {files}"


def _row(reading: Reading) -> JsonObject:
    row: dict[str, object | None] = {
        "file": reading.file,
        "read_as": reading.read_as,
        "why": reading.why,
        "sha256": reading.sha256,
        "atoms": reading.atoms,
        "rules": len(reading.rules),
        "tables": sorted({rule.table.name for rule in reading.rules}),
        "type_names": dict(sorted(reading.type_names.items())) or None,
        "cells": dict(reading.classes) or None,
        "columns": [
            {
                "place": c.place,
                "header": c.header,
                "meaning": c.meaning,
                "sure": c.sure,
                "why": c.why,
            }
            for c in reading.columns
        ]
        or None,
        "skipped": [
            {"place": s.place, "reason": s.reason, "cells": s.cells} for s in reading.skipped
        ]
        or None,
        "not_understood": [
            {"place": rule.origin.place, "code": rule.check.code, "reason": rule.check.reason}
            for rule in reading.rules
            if isinstance(rule.check, Unread)
        ]
        or None,
    }
    return {name: value for name, value in row.items() if value is not None}
