"""The table of expectation types, `mappings/great_expectations.toml`, as frozen rows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ruleferry.converters.rule import Kind

EVERY = "*"
_OF_MANY = {"figure", "row_count", "reconcile", "columns", "column_type"}


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One expectation type: what it checks and which arguments say so."""

    name: str
    kind: Kind
    check: str
    columns: tuple[str, ...]
    also: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    wants: Mapping[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    open_without: Mapping[str, str] = field(default_factory=dict)
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    bare: bool = False
    engines: tuple[str, ...] = ("pandas", "spark", "sql")
    measure: str = ""
    gap: str | None = None
    reason: str | None = None

    def own(self, modern: bool) -> frozenset[str]:
        """The arguments of its own in that version."""
        other = self.old if modern else self.new
        return frozenset((*self.columns, *self.wants, *self.old)) - frozenset(other)

    @property
    def takes_mostly(self) -> bool:
        return not self.bare and self.kind not in _OF_MANY


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """`also`: another name of a row -> its own."""

    rows: Mapping[str, Row]
    also: Mapping[str, str]
    scope: frozenset[str]
    share: frozenset[str]
    noise: frozenset[str]

    def row(self, name: str) -> Row | None:
        return self.rows.get(self.also.get(name, name))

    def arguments(self, row: Row, modern: bool) -> frozenset[str]:
        """All that this version takes, save what only says how a result is shown."""
        return _arguments(self, row, modern)


@cache
def _arguments(known: Catalogue, row: Row, modern: bool) -> frozenset[str]:
    scope = frozenset() if row.bare and modern else known.scope
    return row.own(modern) | scope | (known.share if row.takes_mostly else frozenset())


@cache
def catalogue() -> Catalogue:
    text = (files("ruleferry") / "mappings" / "great_expectations.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    every = tables.pop(EVERY)
    rows = {name: Row(name=name, **_row(row)) for name, row in tables.items()}
    return Catalogue(
        rows=rows,
        also={other: row.name for row in rows.values() for other in row.also},
        scope=frozenset(every["scope"]),
        share=frozenset(every["share"]),
        noise=frozenset(every["noise"]),
    )


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    if form := found.pop("bounds", None):
        ends = {"min_value": form, "max_value": form, "strict_min": "flag", "strict_max": "flag"}
        found["wants"] = ends | found.get("wants", {})
    return found
