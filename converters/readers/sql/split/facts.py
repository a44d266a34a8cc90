"""The rows of mappings/scripts.toml: what a script's cutting must know of its dialect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.mappings import table

Client: TypeAlias = Literal[
    "sqlplus", "sqlcmd", "mysql", "psql", "bteq", "snowsql", "beeline", "clp", ""
]


@dataclass(frozen=True, slots=True)
class Facts:
    """One row of the table, which explains the fields."""

    nests: bool = False
    prefixes: tuple[str, ...] = ()
    word: str = ""
    brackets: bool = False
    slashes: bool = False
    client: Client = ""
    blocks: Literal["scripts", "routines", ""] = ""
    declares: bool = False
    routines_declare: bool = False
    variables: bool = False
    cells: bool = False


@cache
def _rows() -> Mapping[str, Facts]:
    return {name: _row(row) for name, row in table("scripts").items()}


def _row(row: object) -> Facts:
    assert isinstance(row, dict)
    return Facts(**{**row, "prefixes": tuple(row.get("prefixes", ()))})


def facts_of(dialect: SqlDialect) -> Facts:
    return _rows().get(dialect.name, Facts())
