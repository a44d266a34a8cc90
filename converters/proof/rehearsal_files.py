"""Sample files as they are written: the cells of a CSV or of JSON, each a text or missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ruleferry.converters.errors import Fault
from ruleferry.converters.text_files import read_text

# What is written between two separators: in quotes (a quote in it doubled), or as it is.
_CELL = r'(?: *"((?:[^"]|"")*)" *|([^"{0}\r\n]*))'
_DELIMITERS = ",;\t|"

Kind: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Written:
    """One cell. `kind`: "plain" is a text of which the file says no type, else JSON's word."""

    text: str
    kind: Kind = "plain"


Row: TypeAlias = Sequence[Written | None]


@dataclass(frozen=True, slots=True)
class Cells:
    """The rows of one file below its header, and the line or place where each stands."""

    columns: tuple[str, ...]
    rows: list[Row]
    places: list[str]


def read_cells(path: Path, shown_as: str) -> Cells | Fault:
    """A CSV with a header, JSON lines, or a JSON array of objects, by what the file's name says.

    In a CSV an empty cell is missing, and one of two quotes is an empty text.
    """
    file = read_text(path, shown_as)
    if isinstance(file, Fault):
        return file
    try:
        if path.suffix.lower() in (".json", ".jsonl", ".ndjson"):
            return _json_cells(file.text)
        return _csv_cells(file.text)
    except _Unreadable as wrong:
        found, place = wrong.args
        todo = "Mend the file, or give another."
        return Fault(shown_as, place, found, "CSV with a header, JSON lines or Parquet", todo)


class _Unreadable(Exception):
    """What was found, and where."""


# CSV ----------------------------------------------------------------------------------------------


def _csv_cells(text: str) -> Cells:
    header, *others = _csv_rows(text)
    columns = tuple((cell.text if cell else "").strip() for cell in header[1])
    twice = [c for c in columns if [other.lower() for other in columns].count(c.lower()) > 1]
    if "" in columns or twice:
        found = f"the column {twice[0]} twice" if twice and twice[0] else "a column without a name"
        raise _Unreadable(found, f"line {header[0]}")
    for line, row in others:
        if len(row) != len(columns):
            raise _Unreadable(f"{len(row)} cells under {len(columns)} names", f"line {line}")
    return Cells(columns, [row for _, row in others], [f"line {line}" for line, _ in others])


def _csv_rows(text: str) -> list[tuple[int, Row]]:
    """(line, cells) of each line that is not empty. Quotes may hold line breaks."""
    delimiter = _delimiter(text)
    cell = re.compile(_CELL.format(re.escape(delimiter)) + rf"({re.escape(delimiter)}|\r?\n|\r|$)")
    rows: list[tuple[int, Row]] = []
    row: list[Written | None] = []
    at, line, begin = 0, 1, 1
    while at < len(text):
        found = cell.match(text, at)
        if found is None:
            raise _Unreadable("a quote that is not closed, or stands within a cell", f"line {line}")
        quoted, plain, end = found.groups()
        row.append(_csv_cell(quoted, plain))
        line += found[0].count("\n")
        at = found.end()
        if end != delimiter or at == len(text):
            row += [None] if end == delimiter else []
            rows += [(begin, row)] if row != [None] else []
            row, begin = [], line
    return rows


def _csv_cell(quoted: str | None, plain: str) -> Written | None:
    if quoted is not None:
        return Written(quoted.replace('""', '"'))
    return Written(plain) if plain else None


def _delimiter(text: str) -> str:
    """The one that stands most often in the header; a comma where there is none."""
    header = text.partition("\n")[0]
    return max(_DELIMITERS, key=header.count)


# JSON ---------------------------------------------------------------------------------------------


def _json_cells(text: str) -> Cells:
    objects = list(_objects(text))
    columns = tuple(dict.fromkeys(name for _, found in objects for name in found))
    rows = [[found.get(name) for name in columns] for _, found in objects]
    return Cells(columns, [*rows], [place for place, _ in objects])


def _objects(text: str) -> Iterator[tuple[str, dict[str, Written | None]]]:
    if text.lstrip().startswith("["):
        for number, found in enumerate(_parsed(text, None)):
            yield f"[{number}]", _object(found, f"[{number}]")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield f"line {number}", _object(_parsed(line, f"line {number}"), f"line {number}")


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as the file writes it."""

    text: str


def _parsed(text: str, place: str | None) -> list[object]:
    try:
        found: list[object] = json.loads(text, parse_int=_Number, parse_float=_Number)
    except (ValueError, RecursionError) as error:
        raise _Unreadable(f"text that is no JSON ({error})", place) from error
    return found


def _object(found: object, place: str) -> dict[str, Written | None]:
    if not isinstance(found, dict):
        raise _Unreadable("JSON that is no object", place)
    return {name: _json_cell(value, name, place) for name, value in found.items()}


def _json_cell(value: object, name: str, place: str) -> Written | None:
    match value:
        case None:
            return None
        case bool():
            return Written("true" if value else "false", "boolean")
        case _Number(text):
            return Written(text, "number")
        case float():  # NaN and Infinity, which Python reads though they are no JSON
            return Written(repr(value), "number")
        case str():
            return Written(value, "text")
        case _:
            raise _Unreadable(f"a nested value in {name}, which only Parquet can hold", place)
