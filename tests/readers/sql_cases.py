"""The cases of SQL checks: each converted as a user would, and what was expected of it."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ruleferry.converters.config import Config, Source, TableSettings
from ruleferry.converters.conversion import convert

OUTCOMES = {
    "per_record": {"record"},
    "join_flag": {"flag"},
    "validation_dataset": {"dataset"},
    "not_expressible": {"gap"},
    "not_a_rule": {"not_a_rule"},
}
# Columns that no probe has.
MORE_COLUMNS = {"s016_teradata_insert_err.btq": {"gender_cd": "string"}}
# What the placeholders of the cases stand for, where a rule can't be told without.
PARAMETERS = {"1": "core", "p_max": 100, "env": "prod"}


@dataclass(frozen=True)
class Case:
    file: str
    dialect: str
    rule: str
    table: str
    outcomes: frozenset
    action: str
    condition: str
    columns: tuple  # (name, type)
    probes: tuple  # (row, passes)


def cases(shared: Path) -> tuple[Case, ...]:
    path = shared / "cases/sql/expected.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(_case(row) for row in csv.DictReader(file, delimiter="\t"))


def _case(row: dict) -> Case:
    outcomes = set(OUTCOMES[row["class"]])
    if row["good_condition"] == "n <= 1":  # a key that is counted
        outcomes.add("flag")
    probes = json.loads(row["probes"]) if row["probes"] else []
    return Case(
        row["file"],
        row["dialect"],
        row["rule"],
        row["table"],
        frozenset(outcomes),
        row["action"],
        row["good_condition"],
        tuple(_columns(row["schema"])),
        tuple((probe["row"], probe["pass"]) for probe in probes),
    )


def _columns(schema: str) -> Iterator[tuple]:
    for part in re.split(r",\s*(?![^(]*\))", schema):
        if part.strip():
            name, kind = part.strip().split(" ", 1)
            yield name, kind.replace("numeric", "decimal")


def converted(file: Path, dialect: str, wanted, folder: Path, parameters=()) -> list[dict]:
    """The entries of the ledger."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file.name).write_bytes(file.read_bytes())
    schemas = {}
    for case in wanted:
        if file.name in MORE_COLUMNS:
            schemas.setdefault(case.table, {}).update(MORE_COLUMNS[file.name])
        if case.columns and re.fullmatch(r"[\w.$]+", case.table):
            schemas.setdefault(case.table, {}).update(case.columns)
    tables = {}
    for number, (table, columns) in enumerate(sorted(schemas.items())):
        name = f"schema_{number}.sql"
        listed = ", ".join(f"`{column}` {kind}" for column, kind in columns.items())
        (folder / name).write_text(f"CREATE TABLE `{table.split('.')[-1]}` ({listed})", "utf-8")
        tables[table] = TableSettings(schema=(name,))
    source = Source(path=(file.name,), dialect=dialect)
    config = Config(folder, folder, "ruleferry.toml", sources=(source,), tables=tables)
    config = replace(config, parameters=dict(parameters))
    convert(config)
    return json.loads((folder / "expectations/ledger.json").read_text("utf-8"))["entries"]
