"""Checks of the values that a configuration or the command line gives."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from ruleferry.converters.table_names import is_table_name
from ruleferry.converters.toml_checks import Unfit, one_of, text, texts

Scalar: TypeAlias = str | bool | int | Decimal | date | datetime
Parameter: TypeAlias = Scalar | tuple[Scalar, ...]

_SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "mssql": "tsql",
        "sqlserver": "tsql",
        "postgresql": "postgres",
        "mariadb": "mysql",
        "awsathena": "athena",
        "teradatasql": "teradata",
        "singlestoredb": "singlestore",
        "databricks_sql": "databricks",
        "sparksql": "spark",
        "python": "pandas",
    }
)
_NO_SQL = {"DAX", "PRQL"}  # languages that the parser knows beside its SQL dialects

action = one_of("warn", "drop", "fail")
fail_on = one_of("none", "gap", "differs", "assumed", "undecided")
quarantine = one_of("tables", "column")
blank = one_of("value", "missing")
_report = one_of("md", "html", "xlsx", synonyms={"markdown": "md", "excel": "xlsx", "page": "html"})
week_start = one_of("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def dialects() -> tuple[str, ...]:
    """The names of the SQL dialects, as the parser knows them."""
    # Imported here, since most configurations name none.
    from sqlglot.dialects import DIALECTS

    return tuple(sorted(name.lower() for name in DIALECTS if name not in _NO_SQL))


def dialect(value: object) -> object:
    """A word for the SQL of checks: a dialect that the product reads, and what it is wrapped in."""
    # Imported here, since most configurations name none.
    from ruleferry.converters.dialects.words import dialect_word, sql_dialects

    if isinstance(value, str) and dialect_word(value):
        return value
    known = sorted(name for name in sql_dialects() if name != "sql")
    return one_of(*known, synonyms=_SYNONYMS)(value)


def engine(value: object) -> object:
    return one_of("pandas", *dialects(), synonyms=_SYNONYMS)(value)


def table_name(value: object) -> str:
    name = text(value)
    if is_table_name(name):
        return name
    raise Unfit("catalog.schema.table, where a part of other signs than A-Z, 0-9, _ has backticks")


def module(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9_]*", value):
        return value
    raise Unfit("a module's name: lower-case letters, digits and _, a letter first")


def reports(value: object) -> tuple[object, ...]:
    """A list; an empty one leaves the ledger alone."""
    if isinstance(value, list):
        return tuple(dict.fromkeys(map(_report, value)))
    raise Unfit("a list of md, html and xlsx")


def patterns(value: object) -> tuple[str, ...]:
    found = texts(value)
    if not found or any(Path(pattern).is_absolute() for pattern in found):
        raise Unfit("paths or patterns, relative to the configuration's folder")
    return found


def parameter(value: object) -> Parameter:
    """A scalar or a list of scalars."""
    return tuple(_scalar(item) for item in value) if isinstance(value, list) else _scalar(value)


def _scalar(value: object) -> Scalar:
    if isinstance(value, Decimal) and not value.is_finite():
        raise Unfit("a number that is finite")
    if isinstance(value, str | bool | int | Decimal | date | datetime):
        return value
    raise Unfit("a text, a number, true, false, a date, or a list of them")


def parameter_text(value: str) -> Parameter:
    """A parameter from the command line: 100, 0.5 and true as in TOML, all else a text."""
    if re.fullmatch(r"[+-]?(0|[1-9]\d*)", value, re.ASCII):
        return int(value)
    if re.fullmatch(r"[+-]?(0|[1-9]\d*)\.\d+", value, re.ASCII):
        return Decimal(value)
    return {"true": True, "false": False}.get(value, value)
