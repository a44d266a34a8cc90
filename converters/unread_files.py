"""Files that no reader reads, and those that could not be read: each is listed with its reason."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ruleferry.converters.errors import Fault
from ruleferry.converters.mappings import table
from ruleferry.converters.readers.raw import TablesOf
from ruleferry.converters.rule import LegacyRule, Origin, Reading, Table, Unread
from ruleferry.converters.source_files import SourceFile

NOT_READ = "not read"
LOCK = "~$"


def listed(source: SourceFile) -> Reading | Fault:
    try:
        sha256 = digest_of(source.path)
    except OSError as error:
        return not_there(source, error)
    return Reading(source.shown_as, NOT_READ, sha256, why=_what(source.path))


def not_there(source: SourceFile, error: OSError) -> Fault:
    found = f"a file that can't be read: {error.strerror}"
    return Fault(source.shown_as, None, found, "a readable file", "Check its permissions.")


def digest_of(path: Path) -> str:
    with path.open("rb") as file:  # may be data of any size
        return hashlib.file_digest(file, "sha256").hexdigest()


def _what(path: Path) -> str:
    endings, names = _known_files()
    if path.name.startswith(LOCK):
        return "a file that a program puts beside a workbook while it is open"
    if path.name in names:
        return names[path.name]
    return endings.get(path.suffix.lower().lstrip("."), "no reader knows files of this name")


@cache
def _known_files() -> tuple[Mapping[str, str], Mapping[str, str]]:
    rows = table("files")
    return rows["endings"], rows["names"]  # type: ignore[return-value]


def unreadable(source: SourceFile, faults: Sequence[Fault], tables_of: TablesOf) -> Reading:
    """The file as one gap on each of its tables, for `--partial`."""
    stem = source.path.stem
    named = tables_of((stem,)) or ((source.source.table,) if source.source.table else ())
    tables = tuple(map(Table, named)) or (Table(stem, stated=False),)
    place, why = faults[0].place or "file", " ".join(map(str, faults))
    rules = tuple(
        LegacyRule(
            origin=Origin(source.shown_as, place, "", "file"),
            atom="file",
            kind="predicate",
            check=Unread("unreadable", why),
            table=table,
            title="the whole file",
        )
        for table in tables
    )
    return Reading(source.shown_as, "unreadable", _digest_if_any(source.path), 1, rules)


def _digest_if_any(path: Path) -> str:
    try:
        return digest_of(path)
    except OSError:
        return ""
