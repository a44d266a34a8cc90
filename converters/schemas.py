"""The types of the tables' columns: from schema files, else from what a suite claims."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from ruleferry.converters.column_types import ColumnType, type_from_name
from ruleferry.converters.config import Config
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.express import Types
from ruleferry.converters.readers.schema import (
    Ambiguous,
    Columns,
    SchemaFile,
    find_table,
    read_schema,
)
from ruleferry.converters.rule import Reading


@dataclass(frozen=True, slots=True)
class Schemas:
    """A table has the same types whichever source speaks of it, so all files are one pool.

    `own`: table as its sources state it -> the files that [tables] names for it alone.
    """

    pool: tuple[SchemaFile, ...] = ()
    own: dict[str, tuple[SchemaFile, ...]] = field(default_factory=dict)
    _found: dict[str, dict[str, ColumnType] | None] = field(default_factory=dict)
    _types: dict[tuple[str, str], Types] = field(default_factory=dict)

    @property
    def files(self) -> tuple[SchemaFile, ...]:
        every = [*self.pool, *(f for files in self.own.values() for f in files)]
        return tuple({f.file: f for f in every}.values())

    def types_of(self, reading: Reading, table: str) -> Types:
        """The declared types of a table (lower-case names), and the claims of a reading."""
        key = reading.file, table
        if key not in self._types:
            if table not in self._found:
                self._found[table] = self.declared(table)
            self._types[key] = Types(self._found[table], _claims(reading))
        return self._types[key]

    def missing(self) -> tuple[str, ...]:
        """Tables that no schema file has, where there are schema files at all."""
        if not self.files:
            return ()
        return tuple(sorted(table for table, found in self._found.items() if found is None))

    def declared(self, table: str) -> dict[str, ColumnType] | None:
        """The types that schema files state for a table, by lower-case name."""
        columns = find_table(self.own.get(table) or self.pool, table)
        if isinstance(columns, Ambiguous):
            raise InputFaults([_ambiguous(table, columns)])
        return None if columns is None else _by_lower_name(columns)


def read_schemas(config: Config) -> Schemas:
    """Raises InputFaults with the faults of all files."""
    faults: list[Fault] = []
    read: dict[str, SchemaFile] = {}
    given = [*config.schemas, *(s for source in config.sources for s in source.schema)]
    named = [_shown(file, config) for file in given]
    own = {
        name: [_shown(file, config) for file in settings.schema]
        for name, settings in config.tables.items()
        if settings.schema
    }
    for file in dict.fromkeys([*named, *(f for files in own.values() for f in files)]):
        found = read_schema(config.root / file, file)
        if isinstance(found, list):
            faults += found
        else:
            read[file] = found
    if faults:
        raise InputFaults(faults)
    own_files = {name: tuple(read[f] for f in files) for name, files in own.items()}
    called = {config.tables[name].name or name: files for name, files in own_files.items()}
    return Schemas(tuple(read[f] for f in dict.fromkeys(named)), own_files | called)


def _shown(file: str, config: Config) -> str:
    """One file has one name, and none that holds on one machine only."""
    return Path(os.path.relpath(config.root / file, config.root)).as_posix()


def _claims(reading: Reading) -> dict[str, ColumnType]:
    claims = {c.lower(): type_from_name(name) for c, name in reading.type_names.items()}
    return {column: found for column, found in claims.items() if found is not None}


def _by_lower_name(columns: Columns) -> dict[str, ColumnType]:
    return {name.lower(): column.type for name, column in columns.items()}


def _ambiguous(table: str, found: Ambiguous) -> Fault:
    return Fault(
        file="schema",
        place=table,
        found=f"several tables of that name: {', '.join(found.tables)}",
        expected="one table",
        todo="Name the table with its catalog and schema: --table, or [tables] in ruleferry.toml.",
    )
