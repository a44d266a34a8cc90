"""Verdicts of conditions on boundary rows, as the DuckDB engine of a rehearsal gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal

import duckdb

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.duckdb_queries import Relation, verdict
from ruleferry.converters.proof.duckdb_session import DuckSession, read_condition
from ruleferry.converters.proof.duckdb_store import Store, _on
from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.proof.rehearsal_run import NeedsSpark
from ruleferry.converters.proof.rehearsal_values import canonical, is_read_as_text
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.rehearsed import SampleTable


def written(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def loaded(rows: Rows, connection, folder) -> tuple[Store, Relation]:
    """The rows as a rehearsal loads them; columns that text can't hold are left out."""
    columns = [
        (number, name, kind)
        for number, (name, kind) in enumerate(rows.columns)
        if not is_read_as_text(kind)
    ]
    path = folder / f"rows{len(list(folder.iterdir()))}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for row in rows.cells:
            texts = {
                str(place): canonical(written(row[number]), kind)
                for place, (number, _, kind) in enumerate(columns)
                if row[number] is not None
            }
            file.write(json.dumps(texts) + "\n")
    store = Store(connection)
    typed = tuple(
        (name, parse_type("string") if kind.family == "char" else kind) for _, name, kind in columns
    )
    return store, store.loaded(Sample(SampleTable("t", ()), path, columns=typed))


def duck_verdicts(
    conditions: Mapping[str, str], rows: Rows, folder
) -> tuple[dict[str, str], dict[str, str]]:
    """Name -> a letter T, F or N a row; and name -> why it needs Spark."""
    with duckdb.connect() as connection:
        store, relation = loaded(rows, connection, folder)
        context = DuckSession({}).context
        found: dict[str, str] = {}
        refused: dict[str, str] = {}
        for name, text in conditions.items():
            try:
                tree = verdict(read_condition(text), relation, context)
                values = store._rows(_on(relation, [tree]))
            except (NeedsSpark, duckdb.Error) as why:
                refused[name] = f"{type(why).__name__}: {why}"
            else:
                found[name] = "".join({True: "T", False: "F", None: "N"}[v] for (v,) in values)
        return found, refused
