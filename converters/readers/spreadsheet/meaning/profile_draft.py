"""A draft of a profile: what is sure, and a question for each other column."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from glob import escape
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import Layout
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.meaning.header_words import folded
from ruleferry.converters.readers.spreadsheet.statement import Meaning

_HEAD = """\
# How {file} is read. Each column under [sheets.columns] is read as that line says.
# Answer the questions: take the # off a line that is right, or name the column under ignore.
# Lines of one meaning are written as one: meaning = ["Header", "Other header"].
"""

# The headers of a sheet: name, meaning, sure, why, filled cells.
_Columns: TypeAlias = tuple[tuple[str, Meaning | None, bool, str, int], ...]


def draft_profile(
    file: str,
    layouts: Sequence[Layout],
    readings: Mapping[str, Sequence[tuple[ColumnReading, ...]]],
) -> str:
    """The text of a profile. `readings`: sheet -> what each of its blocks' columns mean."""
    lines = [_HEAD.format(file=quoted(file)), "[workbook]", f"file = {quoted(escape(file))}"]
    unread = [layout for layout in layouts if not layout.blocks]
    lines += [f"# {quoted(one.sheet)} is not read: {quoted(one.why)}" for one in unread]
    alike: dict[_Columns, list[str]] = {}
    for layout in layouts:
        columns = _columns(readings.get(layout.sheet, ()))
        if columns:
            alike.setdefault(columns, []).append(layout.sheet)
    for columns, sheets in alike.items():
        lines += _sheet(sheets, columns)
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A text of TOML, fit for a comment too."""
    told = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return told.encode("utf-8", "replace").decode("utf-8")


def _columns(blocks: Sequence[tuple[ColumnReading, ...]]) -> _Columns:
    """A column that stands in several blocks with one meaning is told once."""
    found: dict[tuple[str, Meaning | None, bool], tuple[str, int]] = {}
    for block in blocks:
        keys = Counter(key for row in block for key in _keys(row))
        for row in block:
            name = _name(row)
            once = keys[folded(name)] == 1
            why = row.why if once else "its header stands there more than once"
            found.setdefault((name, row.meaning, row.sure and once), (why, row.filled))
    return tuple((*key, *rest) for key, rest in found.items())


def _keys(row: ColumnReading) -> set[str]:
    """What a header may be called in a profile."""
    return {folded(row.header.text), folded(f"{row.header.group}/{row.header.text}")}


def _name(row: ColumnReading) -> str:
    header = row.header
    return f"{header.group}/{header.text}" if header.group else header.text


def _sheet(sheets: Sequence[str], columns: _Columns) -> Iterable[str]:
    names = [quoted(escape(sheet)) for sheet in sheets]
    yield ""
    yield "[[sheets]]"
    yield f"match = [{', '.join(names)}]" if len(names) > 1 else f"match = {names[0]}"
    yield "[sheets.columns]"
    # A header's text that cannot tell it from another one, or is empty, answers nothing.
    times = Counter(folded(name) for name, *_ in columns)
    alone = {name for name, *_ in columns if times[folded(name)] == 1 and folded(name)}
    yield from _sure(columns, alone)
    for name, meaning, sure, why, filled in columns:
        if folded(name) and (not sure or name not in alone):
            yield from _asked(name, meaning, why, filled)


def _sure(columns: _Columns, alone: Container[str]) -> Iterable[str]:
    found: dict[Meaning, list[str]] = {}
    for name, meaning, sure, _, _ in columns:
        if sure and meaning is not None and name in alone:
            found.setdefault(meaning, []).append(quoted(name))
    for meaning, names in found.items():
        yield f"{meaning} = [{', '.join(names)}]" if len(names) > 1 else f"{meaning} = {names[0]}"


def _asked(name: str, meaning: Meaning | None, why: str, filled: int) -> Iterable[str]:
    yield f"# What does {quoted(name)} say of the fields? {quoted(why)[1:-1]} (cells: {filled})"
    yield f"# {meaning or 'ignore'} = {quoted(name)}"
