"""The sample rows of a rehearsal: TABLE=FILE as it was given, and the rows with their types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.proof.rehearsal_files import Cells, Written, read_cells
from ruleferry.converters.proof.rehearsal_values import (
    Unfit,
    canonical,
    inferred,
    is_read_as_text,
    read_as,
)
from ruleferry.converters.rehearsed import SampleTable
from ruleferry.converters.schemas import Schemas
from ruleferry.converters.table_names import is_table_name, name_key

_FORM = "--data TABLE=FILE, such as --data main.sales.orders=orders.csv"


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of a table: a Parquet file, or lines of JSON whose keys are the positions of the
    columns and whose values are texts to cast to the columns' types."""

    table: SampleTable
    path: Path
    parquet: bool = False
    columns: tuple[tuple[str, ColumnType], ...] = ()
    notes: tuple[str, ...] = ()


def read_samples(
    given: Sequence[str], schemas: Schemas, cwd: Path, scratch: Path
) -> tuple[Sample, ...]:
    """`given`: the values of --data; several files of one table are its rows together.

    Rows are written to `scratch` in the one form that all engines read alike. Raises InputFaults
    with all faults of all files.
    """
    files, faults = _by_table(given)
    samples: list[Sample] = []
    for number, (name, paths) in enumerate(files.items()):
        found = _sample(name, paths, schemas, cwd, scratch / f"{number}.jsonl")
        if isinstance(found, Sample):
            samples.append(found)
        else:
            faults += found
    if faults:
        raise InputFaults(faults)
    return tuple(samples)


def _by_table(given: Sequence[str]) -> tuple[dict[str, list[str]], list[Fault]]:
    spelt: dict[tuple[str, ...], str] = {}
    files: dict[str, list[str]] = {}
    faults = []
    for option in given:
        table, _, file = (part.strip() for part in option.partition("="))
        if not file or not is_table_name(table):
            faults.append(Fault("command line", "--data", f'"{option}"', _FORM, "Change it."))
        else:
            files.setdefault(spelt.setdefault(name_key(table), table), []).append(file)
    return files, faults


def _sample(
    name: str, files: Sequence[str], schemas: Schemas, cwd: Path, out: Path
) -> Sample | list[Fault]:
    parquet = [file for file in files if file.lower().endswith(".parquet")]
    if parquet:
        return _parquet(name, files, cwd)
    declared = schemas.declared(name)
    read = {file: read_cells(cwd / file, file) for file in files}
    faults = [found for found in read.values() if isinstance(found, Fault)]
    cells = {file: found for file, found in read.items() if isinstance(found, Cells)}
    if not faults:
        faults = _unlike(cells)
    if faults:
        return faults
    columns = next(iter(cells.values())).columns
    types = _types(columns, cells, declared or {})
    rows, faults = _rows(columns, types, cells)
    if faults:
        return faults
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    guessed = tuple((c, types[c].text) for c in columns if c.lower() not in (declared or {}))
    return Sample(
        SampleTable(name, tuple(files), guessed),
        out,
        columns=tuple((column, read_as(types[column])) for column in columns),
        notes=tuple(_notes(name, columns, types, declared or {})),
    )


def _parquet(name: str, files: Sequence[str], cwd: Path) -> Sample | list[Fault]:
    """It brings its own types, so nothing is read here."""
    path = cwd / files[0]
    if len(files) > 1:
        expected = "one Parquet file, or any number of CSV and JSON files"
        found = f"several files for {name}, one of them Parquet"
        return [Fault("command line", "--data", found, expected, "Join the files.")]
    other = _not_parquet(path)
    if other is not None:
        todo = "Check the path, and that the file's name says what it is."
        return [Fault(files[0], None, other, "a Parquet file", todo)]
    return Sample(SampleTable(name, tuple(files)), path, parquet=True)


def _not_parquet(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return None if file.read(4) == b"PAR1" else "a file that is no Parquet"
    except OSError as error:
        return f"no readable file ({error.strerror or error})"


def _unlike(cells: Mapping[str, Cells]) -> list[Fault]:
    """Files of one table have the same columns."""
    (first, one), *others = cells.items()
    wanted = {column.lower() for column in one.columns}
    return [
        Fault(
            file,
            None,
            f"the columns {', '.join(other.columns)}",
            f"those of {first}, as both are rows of one table: {', '.join(one.columns)}",
            "Give files with the same columns.",
        )
        for file, other in others
        if {column.lower() for column in other.columns} != wanted
    ]


def _types(
    columns: Sequence[str], cells: Mapping[str, Cells], declared: Mapping[str, ColumnType]
) -> dict[str, ColumnType]:
    def guess(column: str) -> ColumnType:
        return inferred(cell for found in cells.values() for cell in _column(found, column))

    return {column: declared.get(column.lower()) or guess(column) for column in columns}


def _column(cells: Cells, column: str) -> list[Written | None]:
    place = [name.lower() for name in cells.columns].index(column.lower())
    return [row[place] for row in cells.rows]


def _rows(
    columns: Sequence[str], types: Mapping[str, ColumnType], cells: Mapping[str, Cells]
) -> tuple[list[dict[str, str]], list[Fault]]:
    """The rows of all files, missing values left out; one fault a column and file at most."""
    rows: list[dict[str, str]] = []
    faults = []
    for file, found in cells.items():
        of_file: list[dict[str, str]] = [{} for _ in found.rows]
        for number, column in enumerate(columns):
            for row, cell, place in zip(of_file, _column(found, column), found.places, strict=True):
                if cell is None:
                    continue
                try:
                    row[str(number)] = canonical(cell.text, types[column])
                except Unfit:
                    faults.append(_unfit(file, place, column, cell, types[column]))
                    break
        rows += of_file
    return rows, faults


def _unfit(file: str, place: str, column: str, cell: Written, column_type: ColumnType) -> Fault:
    return Fault(
        file,
        f"{place}, {column}",
        f'"{cell.text}"',
        f"a value of type {column_type.text}",
        "Write dates as 2024-01-31 and numbers with a point, or correct the type in the schema.",
    )


def _notes(
    name: str,
    columns: Sequence[str],
    types: Mapping[str, ColumnType],
    declared: Mapping[str, ColumnType],
) -> list[str]:
    guessed = [f"{c} {types[c].text}" for c in columns if c.lower() not in declared]
    given = {column.lower() for column in columns}
    lacking = [column for column in declared if column not in given]
    as_text = [column for column in columns if is_read_as_text(types[column])]
    notes = []
    if guessed:
        notes.append(f"{name}: types inferred from the rows, not declared: {', '.join(guessed)}.")
    if lacking:
        notes.append(f"{name}: the files lack columns of the schema: {', '.join(lacking)}.")
    if as_text:
        notes.append(f"{name}: read as plain text: {', '.join(as_text)}. Parquet keeps the type.")
    return notes
