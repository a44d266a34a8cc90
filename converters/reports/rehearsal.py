"""A rehearsal as text and as JSON: what each rule counted, what became of each dataset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

from ruleferry.converters.rehearsed import Count, Flow, Quarantine, Rehearsal, SampleTable
from ruleferry.converters.reports.terminal import Line, aligned
from ruleferry.converters.reports.text import count, display_width, shorten, visible

_SHOWN = 20
_COLUMNS = 100
_WIDEST_CELL = 40
_NOBODY = "-"


def rehearsal_lines(rehearsal: Rehearsal, *, width: int | None = None) -> tuple[Line, ...]:
    """The tables of a rehearsal; rows of a quarantine are cut to `width` columns (else 100)."""
    blocks = (
        _head(rehearsal),
        _expectations(rehearsal.expectations),
        _flows(rehearsal.flows),
        *(_stopped(flow) for flow in rehearsal.flows if flow.record is not None),
        *(_quarantine(found, width or _COLUMNS) for found in rehearsal.quarantines if found.rows),
        _needs_spark(rehearsal),
        _notes(rehearsal.notes),
    )
    lines = [line for block in map(list, blocks) if block for line in (*block, ("", ""))]
    return tuple(lines[:-1])


def rehearsal_json(rehearsal: Rehearsal) -> str:
    """All that a rehearsal found, with every quarantined row.

    {"version": 1, "modules": [file], "engine": "Spark 4.3.0", "why": why this engine,
     "tables": [{"name", "files", "inferred": {column: type}}],
     "expectations": [{"dataset", "name", "action", "passed", "failed", "needs_spark"}],
     "flows": [{"dataset", "kind", "status", "output_rows", "dropped_records", "violated": [name],
                "record", "error"}],
     "quarantines": [{"dataset", "failed_rules": column, "rows": [{column: text}]}],
     "notes": [text]}
    `record` is the first violating record as the engine writes it in JSON. A figure that nobody
    counted is null. A value of a row is its text in SQL; null is NULL.
    """
    told = {
        "version": 1,
        "modules": rehearsal.modules,
        "engine": rehearsal.engine,
        "why": rehearsal.why,
        "tables": [_table(table) for table in rehearsal.tables],
        "expectations": [asdict(found) for found in rehearsal.expectations],
        "flows": [_flow(flow) for flow in rehearsal.flows],
        "quarantines": [
            {
                "dataset": found.dataset,
                "failed_rules": found.failed_rules,
                "rows": [dict(zip(found.columns, row, strict=True)) for row in found.rows],
            }
            for found in rehearsal.quarantines
        ],
        "notes": rehearsal.notes,
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _table(table: SampleTable) -> dict[str, object]:
    return {"name": table.name, "files": table.files, "inferred": dict(table.inferred)}


def _flow(flow: Flow) -> dict[str, object]:
    return {key: value for key, value in asdict(flow).items() if key != "missing"}


# The blocks ---------------------------------------------------------------------------------------


def _head(rehearsal: Rehearsal) -> Iterator[Line]:
    for module in rehearsal.modules:
        yield f"Executed {visible(module)}", "bold"
    yield f"on {rehearsal.engine} ({visible(rehearsal.why.rstrip('.'))}), with", ""
    for table in rehearsal.tables:
        yield f"  {visible(table.name)}: {visible(', '.join(table.files))}", ""


def _expectations(counts: Sequence[Count]) -> Iterator[Line]:
    if not counts:
        return
    rows = [("dataset", "expectation", "action", "passed", "failed")]
    rows += [
        (visible(c.dataset), visible(c.name), c.action, _figure(c.passed), _figure(c.failed))
        for c in counts
    ]
    head, *lines = aligned(rows, right=(3, 4))
    yield head, "bold"
    for found, line in zip(counts, lines, strict=True):
        yield line, "yellow" if found.failed != 0 else ""


def _flows(flows: Sequence[Flow]) -> Iterator[Line]:
    if not flows:
        return
    rows = [("flow", "status", "rows written", "dropped")]
    rows += [
        (visible(f.dataset), f.status, _figure(f.output_rows), _figure(f.dropped_records))
        for f in flows
    ]
    head, *lines = aligned(rows, right=(2, 3))
    yield head, "bold"
    for flow, line in zip(flows, lines, strict=True):
        yield line, "" if flow.status == "COMPLETED" else "yellow"
        if flow.error is not None:
            yield f"  {visible(flow.error)}", "yellow"


def _stopped(flow: Flow) -> Iterator[Line]:
    rules = ", ".join(flow.violated)
    yield f"{visible(flow.dataset)} stopped: a record breaks {visible(rules)}", "bold"
    yield f"  {visible(flow.record or '')}", ""


def _quarantine(found: Quarantine, width: int) -> Iterator[Line]:
    """The first rows: as many of the first columns as there is room for, and the rules."""
    shown = found.rows[:_SHOWN]
    table = [found.columns, *(tuple("NULL" if v is None else v for v in row) for row in shown)]
    cells = [[shorten(visible(cell), _WIDEST_CELL) for cell in row[:-1]] for row in table]
    rules = [visible(row[-1]) for row in table]
    room = width - max(map(display_width, rules)) - 2
    fitting = max(_fitting(cells, room), 1)
    head, *lines = aligned([(*row[:fitting], last) for row, last in zip(cells, rules, strict=True)])
    yield f"{visible(found.dataset)}: {count(len(found.rows), 'row')}", "bold"
    yield f"  {head}", "bold"
    yield from ((f"  {line}", "") for line in lines)
    if len(found.rows) > _SHOWN:
        yield f"  … and {count(len(found.rows) - _SHOWN, 'more row')}: see --json", "dim"


def _fitting(rows: Sequence[Sequence[str]], room: int) -> int:
    """How many of the first columns fit, with two blanks before each."""
    used = 0
    for number, column in enumerate(zip(*rows, strict=True)):
        used += max(map(display_width, column)) + 2
        if used > room:
            return number
    return len(rows[0])


def _needs_spark(rehearsal: Rehearsal) -> Iterator[Line]:
    unsure = [c for c in rehearsal.expectations if c.needs_spark]
    if not unsure:
        return
    yield "Needs Spark (--on spark):", "yellow"
    for why, held in groupby(unsure, key=lambda c: c.needs_spark):
        names = ", ".join(visible(c.name) for c in held)
        yield f"  {names}: {visible(why or '')}", "yellow"


def _notes(notes: Sequence[str]) -> Iterator[Line]:
    for note in notes:
        yield f"Note: {visible(note)}", ""


def _figure(number: int | None) -> str:
    return _NOBODY if number is None else f"{number:,}"
