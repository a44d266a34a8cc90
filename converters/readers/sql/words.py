"""The words of mappings/sql_names.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ruleferry.converters.mappings import table


@cache
def _table() -> Mapping[str, object]:
    return table("sql_names")


@cache
def words(section: str, row: str) -> frozenset[str]:
    return frozenset(entries(section, row))


@cache
def entries(section: str, row: str) -> tuple[str, ...]:
    """In the order of the table."""
    rows = _table()[section]
    assert isinstance(rows, dict)
    found = rows[row]
    return tuple(found.split() if isinstance(found, str) else map(str, found))
