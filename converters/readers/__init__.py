"""The readers: ending of a file's name -> the function that turns such files into readings.

A reader knows nothing of Lakeflow. To add one: a folder here, and its endings below. The folder is
imported where there is something for it to read; schema files are read without any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeAlias

from ruleferry.converters.readers.raw import Counted, Faults, RawFile, Reader

_Read: TypeAlias = Sequence[Counted | Faults]


def _great_expectations(files: Sequence[RawFile]) -> _Read:
    from ruleferry.converters.readers.great_expectations import read_files

    return read_files(files)


def _spreadsheet(files: Sequence[RawFile]) -> _Read:
    from ruleferry.converters.readers.spreadsheet import read_files

    return read_files(files)


def _sql(files: Sequence[RawFile]) -> _Read:
    from ruleferry.converters.readers.sql import read_files

    return read_files(files)


# A line at the margin that only a file of tests of dbt, Soda or CloudDQ has.
_OF_TESTS = re.compile(
    r"^(?:checks for |(?:models|sources|seeds|snapshots|data_tests|rule_bindings)\s*:|"
    r"filter [\w.]+ \[)",
    re.MULTILINE,
)


def _by_content(files: Sequence[RawFile]) -> _Read:
    """What the ending does not tell, the text does.

    All files together, since a test of dbt may be written in SQL in another file, and a table may
    say what scripts check.
    """
    scripts = [raw for raw in files if _is_of_sql(raw)]
    beside = _tables_beside(scripts, files)

    def reader_of(raw: RawFile) -> Reader:
        if raw in scripts or raw.file in beside:
            return _sql
        return _spreadsheet if raw.file.lower().endswith(BINARY) else _great_expectations

    return _shared(files, reader_of)


def _tables_beside(scripts: Sequence[RawFile], files: Sequence[RawFile]) -> Container[str]:
    tables = [raw for raw in files if raw.file.lower().endswith(TEXT_TABLES)]
    if not scripts or not tables:
        return ()
    from ruleferry.converters.readers.sql.beside import tables_beside

    return tables_beside(scripts, tables)


def _is_of_sql(raw: RawFile) -> bool:
    if raw.file.lower().endswith(SCRIPTS):
        return True
    if not raw.file.lower().endswith(YAML):
        return False
    return _is_of_dbt(raw) or _OF_TESTS.search(raw.text) is not None


def _is_of_dbt(raw: RawFile) -> bool:
    """What a project of dbt says of all its tests."""
    return PurePosixPath(raw.file).name.lower() in ("dbt_project.yml", "dbt_project.yaml")


def _shared(files: Sequence[RawFile], reader_of: Callable[[RawFile], Reader]) -> _Read:
    """Each reader is given its files at once; the results are in the order of the files."""
    waiting: dict[Reader, list[RawFile]] = {}
    for raw in files:
        waiting.setdefault(reader_of(raw), []).append(raw)
    found: dict[str, Counted | Faults] = {}
    for reader, of_it in waiting.items():
        found.update(zip((raw.file for raw in of_it), reader(of_it), strict=True))
    return [found[raw.file] for raw in files]


YAML = (".yml", ".yaml")
# SQL, by the endings that its tools give it.
SCRIPTS = (
    ".sql", ".ddl", ".hql", ".btq", ".bteq", ".sqlx", ".tsql", ".psql", ".plsql", ".pls", ".pks",
    ".pkb", ".prc", ".fnc", ".trg", ".db2",
)  # fmt: skip
# Files that are read as bytes, for they are no texts or tell their encoding themselves.
TEXT_TABLES = (".csv", ".tsv")
BINARY = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", *TEXT_TABLES)

READERS: Mapping[str, Reader] = dict.fromkeys((".json", *YAML, *SCRIPTS, *BINARY), _by_content)
