"""What the rooms of this folder hand to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.predicates import SqlSettings
from ruleferry.converters.rule import Caveat

# The type of a column as the query names it; None: not known.
TypeOf: TypeAlias = Callable[[exp.Column], ColumnType | None]


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an expression in Spark SQL, and its type there; None: not known.

    Calls are built by `functions.call`, so that one function has one form of tree.
    """

    tree: exp.Expression
    type: ColumnType | None = None


@dataclass(slots=True)
class Dialectal:
    """How a tree is read, and what came to light while it was."""

    dialect: SqlDialect
    settings: SqlSettings
    type_of: TypeOf
    told: dict[Caveat, None] = field(default_factory=dict)

    def tell(self, code: str, detail: str) -> None:
        """`code`: a row of mappings/caveats.toml."""
        self.told[Caveat(code, detail)] = None


@dataclass(frozen=True, slots=True)
class InSpark:
    tree: exp.Expression
    caveats: tuple[Caveat, ...] = ()
