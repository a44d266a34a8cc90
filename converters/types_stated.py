"""The types that a rule asks of a column, so that two rules can be told to contradict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruleferry.converters.column_types import type_from_name
from ruleferry.converters.predicates import Sort, Typed
from ruleferry.converters.rule import Columns, LegacyRule, Row

_WHOLE = frozenset({"tinyint", "smallint", "int", "bigint"})
_NUMBERS = _WHOLE | {"decimal", "float", "double"}
# The types of Databricks that hold what a sort of values is; of a text nothing is known.
_OF_SORT: Mapping[Sort, frozenset[str]] = {
    "integer": _WHOLE,
    "decimal": _NUMBERS,
    "number": _NUMBERS,
    "boolean": frozenset({"boolean"}),
    "date": frozenset({"date"}),
    "timestamp": frozenset({"timestamp", "timestamp_ntz"}),
}
_TEXTS = ("string", "varchar", "char")


@dataclass(frozen=True, slots=True)
class Stated:
    """One of these types; `size`: how many digits, and how many of them after the point."""

    types: frozenset[str]
    size: tuple[int | None, int | None] = (None, None)

    def contradicts(self, other: Stated) -> bool:
        """No type is among both, or the sizes differ where both state one."""
        sizes = zip(self.size, other.size, strict=True)
        sized = any(None not in (a, b) and a != b for a, b in sizes)
        return not self.types & other.types or sized


def types_stated(rule: LegacyRule) -> Stated | None:
    """None where the rule is not about types, or holds for some records only."""
    match rule.check:
        case Row(Typed(_, sort, precision, scale)) if rule.scope is None and sort in _OF_SORT:
            return Stated(_OF_SORT[sort], (precision, scale))
        case Columns("type" | "databricks_type"):
            return _of_columns(rule.check, rule.origin.engine)
    return None


def _of_columns(check: Columns, engine: str | None) -> Stated | None:
    arguments = dict(check.arguments)
    given = arguments.get("types", arguments.get("type_list"))
    names = given if isinstance(given, list | tuple) else [arguments.get("type_")]
    kinds = [type_from_name(name, engine) for name in names if isinstance(name, str)]
    types = frozenset(_base(kind.text) for kind in kinds if kind is not None)
    return Stated(types) if types else None


def _base(text: str) -> str:
    """`varchar(10)` and `string` hold texts."""
    base = text.partition("(")[0].partition("<")[0].partition(" ")[0]
    return "string" if base in _TEXTS else base
