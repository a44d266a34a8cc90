"""What a room of `express` gives back: a tree that is TRUE for a good record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ruleferry.converters.engines import Database, database
from ruleferry.converters.express.nodes import Node
from ruleferry.converters.express.operand import Operand, Types
from ruleferry.converters.rule import Caveat, Engine, EngineKind, Nulls, engine_kind


@dataclass(frozen=True, slots=True)
class Good:
    """Two-valued and total: TRUE or FALSE for every record."""

    tree: Node
    nulls: Nulls
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherTable:
    """A table that a rule looks at beside its own: its name on Databricks, and its types.

    `confirmed`: the configuration or a schema has it; else the name is the source's own.
    """

    reads: str
    types: Types = field(default_factory=Types)
    confirmed: bool = False


# The name that a source has for a table -> the table.
Others: TypeAlias = Callable[[str], OtherTable]


@dataclass(frozen=True, slots=True)
class Use:
    """The engine whose meaning is asked for, and the columns' types.

    `stated`: the engine that ran the rule, None where nothing tells it.
    """

    engine: Engine
    types: Types
    stated: Engine | None = None
    others: Others = OtherTable

    @property
    def kind(self) -> EngineKind:
        return engine_kind(self.engine)

    @property
    def database(self) -> Database | None:
        return database(self.engine)

    def operand(self, name: str) -> Operand:
        found = self.types.operand(name, self.kind)
        base = self.database
        return replace(found, database=base) if base else found


def unknown_type(*operands: Operand) -> tuple[Caveat, ...]:
    """The guarded form was used: how a value compares depends on the column's type."""
    names = [o.name for o in operands if o.type is None]
    if not names:
        return ()
    return (Caveat("type_unknown", f"the type of {', '.join(names)} is not known"),)
