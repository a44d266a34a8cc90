"""Schema files: the columns of the tables, as the platform or the engineer states them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.schema_line import SchemaLine
from ruleferry.converters.table_names import joined, name_key
from ruleferry.converters.text_files import read_text


class Column(NamedTuple):
    """`nullable` is None where the schema does not say."""

    type: ColumnType
    nullable: bool | None


Columns: TypeAlias = Mapping[str, Column]

_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """Table -> columns in order; all names as written, with the table's catalog and schema."""

    file: str
    sha256: str
    tables: Mapping[str, Columns]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several tables, with different columns, answer to one name."""

    tables: tuple[str, ...]


def read_schema(path: Path, shown_as: str) -> SchemaFile | list[Fault]:
    """Read an export of `information_schema.columns` (CSV), CREATE TABLE, or a data dictionary."""
    workbook = path.suffix.lower() in _WORKBOOKS
    read = _of_workbook(path, shown_as) if workbook else _of_text(path, shown_as)
    if isinstance(read, Fault):
        return [read]
    sha256, lines, faults = read
    tables, clashes = _tables(lines, shown_as)
    faults = [*faults, *clashes]
    if not faults and not tables:
        faults = [
            Fault(
                shown_as,
                None,
                "no table",
                "information_schema.columns as CSV, CREATE TABLE statements or a data dictionary",
                "Export the columns of the tables that the rules speak of.",
            )
        ]
    return faults or SchemaFile(shown_as, sha256, MappingProxyType(tables))


_Read: TypeAlias = tuple[str, list[SchemaLine], list[Fault]]


def _of_text(path: Path, shown_as: str) -> _Read | Fault:
    # Imported where a schema is given: a conversion without one starts sooner.
    from ruleferry.converters.readers.schema_csv import is_columns_export, read_columns_export
    from ruleferry.converters.readers.schema_ddl import read_create_tables

    file = read_text(path, shown_as)
    if isinstance(file, Fault):
        return file
    read = read_columns_export if is_columns_export(file.text, path) else read_create_tables
    return file.sha256, *read(file.text, shown_as)


def _of_workbook(path: Path, shown_as: str) -> _Read | Fault:
    from ruleferry.converters.readers.spreadsheet.as_schema import schema_lines

    try:
        data = path.read_bytes()
    except OSError as error:
        found = f"no readable file ({error.strerror or error})"
        todo = "Check the path and the permissions."
        return Fault(shown_as, None, found, "a workbook", todo)
    return hashlib.sha256(data).hexdigest(), *schema_lines(data, shown_as)


def _tables(lines: Sequence[SchemaLine], shown_as: str) -> tuple[dict[str, Columns], list[Fault]]:
    """Fold lines into tables; a table may be stated again only in the same words."""
    faults: list[Fault] = []
    stated: dict[tuple[str, ...], tuple[str, Columns]] = {}
    ordered = sorted(lines, key=lambda line: (line.statement, line.key))
    for (_, key), group in groupby(ordered, key=lambda line: (line.statement, line.key)):
        of_table = list(group)
        faults += _duplicates(of_table, shown_as)
        columns = {line.column: Column(line.type, line.nullable) for line in of_table}
        name, first = stated.setdefault(key, (joined(of_table[0].table), columns))
        if _normal(first) != _normal(columns):
            faults.append(_clash(of_table[0], name, shown_as))
    order = {line.key: None for line in lines}
    return {stated[key][0]: MappingProxyType(stated[key][1]) for key in order}, faults


def _normal(columns: Columns) -> list[tuple[str, Column]]:
    return [(name.lower(), column) for name, column in columns.items()]


def _duplicates(lines: Sequence[SchemaLine], shown_as: str) -> list[Fault]:
    first: dict[str, SchemaLine] = {}
    return [
        Fault(
            shown_as,
            line.place,
            f"the column {line.column} of {joined(line.table)} again, after {before.place}",
            "each column of a table once, in any case",
            "Remove one; tables of one name need their schema and catalog beside it.",
        )
        for line in lines
        if (before := first.setdefault(line.column.lower(), line)) is not line
    ]


def _clash(line: SchemaLine, name: str, shown_as: str) -> Fault:
    return Fault(
        shown_as,
        line.place,
        f"another definition of {name}, with other columns",
        "one definition of each table",
        "Keep the one that holds today, or write the schema and catalog before both names.",
    )


def find_table(schemas: Sequence[SchemaFile], name: str) -> Columns | Ambiguous | None:
    """The columns of a table, compared without case and backticks; None when no file states it.

    The whole name wins. Else names that end alike are sought (`orders` for `main.sales.orders`,
    and the other way), those with most parts in common first; several of them that do not have
    the same columns are ambiguous, and so are two files that state one table differently.
    """
    wanted = name_key(name)
    found: dict[int, dict[str, Columns]] = {}
    for schema in schemas:
        for table, columns in schema.tables.items():
            if rank := _likeness(wanted, name_key(table)):
                shown = table if table not in found.get(rank, {}) else f"{table} ({schema.file})"
                found.setdefault(rank, {})[shown] = columns
    if not found:
        return None
    best = found[max(found)]
    first = next(iter(best.values()))
    if all(_normal(columns) == _normal(first) for columns in best.values()):
        return first
    return Ambiguous(tuple(best))


def _likeness(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """How many last parts two names share, when one is the end of the other; equal: more."""
    if a == b:
        return len(a) + 1
    shared = min(len(a), len(b))
    return shared if a[-shared:] == b[-shared:] else 0


def find_column(columns: Columns, name: str) -> Column | None:
    """A column by its name in any case, as Spark resolves it."""
    wanted = name.lower()
    return next((column for key, column in columns.items() if key.lower() == wanted), None)
