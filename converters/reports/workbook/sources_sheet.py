"""Sheet Sources: every file, how it was read, and what was found in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from ruleferry.converters.account import Source
from ruleferry.converters.reports.report import Report
from ruleferry.converters.reports.workbook.cell_text import cell_text, height
from ruleferry.converters.reports.workbook.columns import SOURCE_HEADERS, SourceColumn
from ruleferry.converters.reports.workbook.shapes import Cell, Row, Sheet
from ruleferry.converters.rule import Outcome, Skipped

_WIDTHS: Mapping[SourceColumn, int] = {
    "file": 44, "part": 26, "read_as": 26, "why": 44, "places": 11, "entries": 11, "record": 11,
    "flag": 11, "dataset": 11, "schema": 11, "merged": 11, "gap": 11, "waived": 11,
    "not_a_rule": 11, "cells": 11, "classes": 40,
}  # fmt: skip


def sources_sheet(report: Report) -> Sheet:
    header = Row(tuple(Cell(text, "header") for text in SOURCE_HEADERS.values()), 60)
    rows = [row for source in report.sources for row in _rows(source)]
    return Sheet("Sources", (header, *rows), tuple(_WIDTHS.values()), frozen=1)


def _rows(source: Source) -> Iterator[Row]:
    """The file; below it the parts of it that were not read."""
    yield _row(_figures(source))
    for part in source.skipped:
        yield _row(_skipped(source, part))


def _figures(source: Source) -> Mapping[SourceColumn, str | int]:
    outcomes: dict[SourceColumn, str | int] = {
        word: source.outcomes.get(word, 0) for word in get_args(Outcome)
    }
    classes = [
        f"{word.replace('_', ' ')}: {cells:,}" for word, cells in sorted(source.cells.items())
    ]
    return {
        "file": source.file,
        "read_as": source.read_as,
        "why": source.why or "",
        "places": source.atoms,
        "entries": source.entries,
        **outcomes,
        **({"cells": sum(source.cells.values())} if source.cells else {}),
        "classes": ", ".join(classes),
    }


def _skipped(source: Source, part: Skipped) -> Mapping[SourceColumn, str | int]:
    return {
        "file": source.file,
        "part": part.place,
        "read_as": "not read",
        "why": part.reason,
        "cells": part.cells,
    }


def _row(values: Mapping[SourceColumn, str | int]) -> Row:
    cells = tuple(_cell(values.get(key, "")) for key in SOURCE_HEADERS)
    wrapped = [
        (cell.value, width)
        for cell, width in zip(cells, _WIDTHS.values(), strict=True)
        if isinstance(cell.value, str)
    ]
    return Row(cells, height(wrapped))


def _cell(value: str | int) -> Cell:
    return Cell(value, "number") if isinstance(value, int) else Cell(cell_text(value))
