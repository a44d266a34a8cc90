"""Tables beside scripts that say what each of them checks: names, messages, severities."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.readers.sql.labels.plain import plain
from ruleferry.converters.readers.sql.words import entries

_ENDINGS = (".sql", ".hql", ".btq", ".bteq", ".ddl", ".sqlx")


@dataclass(frozen=True, slots=True)
class SideFacts:
    """What one row says of a script."""

    id: str | None = None
    name: str | None = None
    message: str | None = None
    tags: tuple[tuple[str, str], ...] = ()


def read_sidecar(text: str, stems: Collection[str] | None = None) -> Mapping[str, SideFacts]:
    """A script's file name without its ending, in lower case -> what is said of it.

    `stems`: those of the scripts of the run; a table is one of theirs only if a column of names has
    one of them. A script with two rows has no facts, for which rule has which is not told.
    """
    rows = _rows(text)
    if len(rows) < 2:
        return {}
    header = [plain(cell) for cell in rows[0]]
    column = _column(header, "files")
    if column is None:
        return {}
    found: dict[str, list[SideFacts]] = {}
    for row in rows[1:]:
        if stem := stem_of(_cell(row, column)):
            found.setdefault(stem, []).append(_facts(header, row, column))
    known = {stem_of(stem) for stem in stems} if stems is not None else set(found)
    if not known & set(found):
        return {}
    return {stem: facts[0] for stem, facts in found.items() if len(facts) == 1}


def stem_of(name: str) -> str:
    """`checks/A16_amount.sql` -> a16_amount."""
    last = name.strip().replace("\\", "/").rsplit("/", 1)[-1].lower()
    return next((last.removesuffix(end) for end in _ENDINGS if last.endswith(end)), last)


def _rows(text: str) -> list[list[str]]:
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    delimiter = max(",;\t|", key=first.count)
    try:
        lines = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)
        return [row for row in lines if any(cell.strip() for cell in row)]
    except csv.Error:
        return []


def _column(header: Sequence[str], row: str, but: int | None = None) -> int | None:
    """The first of the known words that a column has."""
    for word in entries("sidecar", row):
        if word in header and header.index(word) != but:
            return header.index(word)
    return None


def _cell(row: Sequence[str], column: int | None) -> str:
    return row[column].strip() if column is not None and column < len(row) else ""


def _facts(header: Sequence[str], row: Sequence[str], files: int) -> SideFacts:
    said = {
        kind: _cell(row, _column(header, kind, files)) or None
        for kind in ("id", "name", "message", "severity", "owner")
    }
    tags = tuple((tag, value) for tag in ("severity", "owner") if (value := said[tag]))
    return SideFacts(said["id"], said["name"], said["message"], tags)
