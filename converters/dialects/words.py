"""The rows of mappings/dialects.toml, and the words that users have for a dialect.

A word may add what the SQL is wrapped in: `tsql-ssis`, `oracle-odi`, `dbt-snowflake`,
`bigquery+jinja`; or name the wrapping alone, where the dialect is not told: `dbt-yml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ruleferry.converters.mappings import table


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """One row of the table, which explains the fields."""

    name: str
    called: str
    parser: str
    case: Literal["ignored", ""] = ""
    blanks: Literal["ignored", ""] = ""
    empty: Literal["missing", ""] = ""
    division: Literal["whole", ""] = ""
    quoted: Literal["name", "text"] = "name"
    backslash: bool = False
    like_escape: str = ""
    hash: bool = False
    dollar: bool = False


@dataclass(frozen=True, slots=True)
class DialectWord:
    """`dialect`: None where the word does not tell it. `wrapper`: dbt, jinja, odi, ssis, …"""

    dialect: str | None
    wrapper: str = ""


_WRAPPERS: Mapping[str, DialectWord] = {
    "sqlrender": DialectWord("tsql", "sqlrender"),
    "sodacl": DialectWord(None, "soda"),
    "soda": DialectWord(None, "soda"),
    "sqlmesh": DialectWord(None, "sqlmesh"),
    "dataform": DialectWord("bigquery", "dataform"),
    "dbt": DialectWord(None, "dbt"),
}
_PARTS = ("dbt", "jinja", "odi", "ssis", "yml", "generic", "informatica", "ssdt", "bteq")
_OTHER_NAMES = {
    "postgresql": "postgres", "mssql": "tsql", "sqlserver": "tsql", "t-sql": "tsql",
    "mariadb": "mysql", "databricks_sql": "databricks", "sparksql": "spark", "plsql": "oracle",
    "bq": "bigquery", "sf": "snowflake",
}  # fmt: skip


@cache
def sql_dialects() -> Mapping[str, SqlDialect]:
    return {name: _row(name, row) for name, row in table("dialects").items()}


def sql_of(engine: str | None) -> str:
    """The dialect of SQL that ran on an engine; Spark's for one that has none."""
    return engine if engine in sql_dialects() and engine not in (None, "sql") else "spark"


def _row(name: str, row: object) -> SqlDialect:
    assert isinstance(row, dict)
    return SqlDialect(name, **row)


def dialect_word(word: str) -> DialectWord | None:
    """None for a word that says nothing."""
    written = word.strip().lower()
    if known := _known(written):
        return DialectWord(known)
    if written in _WRAPPERS:
        return _WRAPPERS[written]
    parts = re.split(r"[-+ ]", written)
    dialects = [name for part in parts if (name := _known(part))]
    wrappers = [part for part in parts if part in _PARTS or part in _WRAPPERS]
    if len(dialects) > 1 or len(dialects) + len(wrappers) != len(parts):
        return None
    return DialectWord(dialects[0] if dialects else None, wrappers[0])


def _known(word: str) -> str | None:
    name = _OTHER_NAMES.get(word, word)
    return name if name in sql_dialects() else None
