"""The table of expectation types, `mappings/great_expectations.toml`, as frozen rows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ruleferry.converters.readers.great_expectations.version import Generation
from ruleferry.converters.rule import Kind

EVERY = "*"
_OF_MANY = {"figure", "row_count", "reconcile", "columns", "column_type"}
# Figures that test each record.
_OF_EACH = {"z_score", "outliers"}


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
    v3: tuple[str, ...] = ()
    since: Generation = "v2"
    before: str = ""
    refused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bare: bool = False
    engines: tuple[str, ...] = ("pandas", "spark", "sql")
    measure: str = ""
    gap: str | None = None
    reason: str | None = None

    def own(self, generation: Generation) -> frozenset[str]:
        """The arguments of its own in that generation."""
        other = self.old if generation == "1.x" else self.new
        later = self.v3 if generation == "v2" else ()
        return frozenset((*self.columns, *self.wants, *self.old)) - {*other, *later}

    @property
    def takes_mostly(self) -> bool:
        of_records = self.kind not in _OF_MANY or self.measure in _OF_EACH
        return not self.bare and of_records


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

    def arguments(self, row: Row, generation: Generation) -> frozenset[str]:
        """All that this generation takes, save what only says how a result is shown."""
        return _arguments(self, row, generation)


@cache
def _arguments(known: Catalogue, row: Row, generation: Generation) -> frozenset[str]:
    scope = frozenset() if row.bare and generation == "1.x" else known.scope
    return row.own(generation) | scope | (known.share if row.takes_mostly else frozenset())


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
    found["refused"] = {name: tuple(where) for name, where in found.get("refused", {}).items()}
    if form := found.pop("bounds", None):
        ends = {"min_value": form, "max_value": form, "strict_min": "flag", "strict_max": "flag"}
        found["wants"] = ends | found.get("wants", {})
    return found
