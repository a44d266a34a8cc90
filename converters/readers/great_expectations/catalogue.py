"""The table of expectation types, `mappings/great_expectations.toml`, as frozen rows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ruleferry.converters.rule import Kind

_BOUNDS = ("min_value", "max_value", "strict_min", "strict_max")
EVERY = "*"


@dataclass(frozen=True, slots=True)
class Row:
    """One expectation type: what it checks and which arguments say so."""

    name: str
    kind: Kind
    check: str
    columns: tuple[str, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    wants: Mapping[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    engines: tuple[str, ...] = ("pandas", "spark", "sql")
    measure: str = ""
    bounds: bool = False
    gap: str | None = None
    reason: str | None = None

    @property
    def known(self) -> frozenset[str]:
        """The arguments of its own."""
        return frozenset((*self.columns, *self.wants, *(_BOUNDS if self.bounds else ())))

    @property
    def checks_records(self) -> bool:
        """Whether `mostly` has a meaning; types are checked on the records of a pandas column."""
        return self.check != "Figure" and self.kind != "columns"


@dataclass(frozen=True, slots=True)
class Catalogue:
    rows: Mapping[str, Row]
    scope: frozenset[str]
    share: frozenset[str]
    noise: frozenset[str]


@cache
def catalogue() -> Catalogue:
    text = (files("ruleferry") / "mappings" / "great_expectations.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    every = tables.pop(EVERY)
    return Catalogue(
        rows={name: Row(name=name, **_tuples(row)) for name, row in tables.items()},
        scope=frozenset(every["scope"]),
        share=frozenset(every["share"]),
        noise=frozenset(every["noise"]),
    )


def _tuples(row: Mapping[str, object]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
