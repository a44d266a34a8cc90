"""A rule over the columns as they are called on Databricks, in place of the source's own names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias, TypeVar

from ruleferry.converters.predicates import ColumnComparison, Identity, SqlText
from ruleferry.converters.renamed_sql import NotRenamed, renamed_sql
from ruleferry.converters.rule import Columns, LegacyRule, LookedUp, Lookup

__all__ = ["Names", "NotRenamed", "Renames", "renamed"]

T = TypeVar("T")
# Name in the source, in lower case -> name on Databricks.
Renames: TypeAlias = Mapping[str, str]
# A looked-up table, as the source names it -> the renames of its columns.
OfOthers: TypeAlias = Callable[[str], Renames]
# Fields that hold a column's name, or several; all others hold values or parts.
_COLUMNS = ("column", "columns", "left", "right", "permits")
# Arguments of a statement about the table that do.
_LISTS = ("column_list", "column_set")


@dataclass(frozen=True, slots=True)
class Names:
    """`own`: of the columns of the checked table."""

    own: Renames
    of: OfOthers = lambda _: {}

    def name(self, column: str) -> str:
        return self.own.get(column.lower(), column)


def renamed(rule: LegacyRule, names: Names) -> LegacyRule:
    """Raises NotRenamed where it is not clear which table's column a name is."""
    return replace(
        rule,
        check=_renamed(rule.check, names),
        scope=_renamed(rule.scope, names),
        columns=tuple(map(names.name, rule.columns)),
    )


def _renamed(part: T, names: Names) -> T:
    """A check, a predicate or a scope; what is none of these stays."""
    found: Any = part
    match part:
        case SqlText():
            found = renamed_sql(part, names.own, names.of)
        case Lookup():
            found = _of_lookup(part, names)
        case LookedUp():
            found = _of_looked_up(part, names)
        case Identity():
            terms = tuple((sign, names.name(column)) for sign, column in part.terms)
            found = Identity(names.name(part.column), terms)
        case Columns():
            found = _of_statement(part, names)
        case tuple():
            found = tuple(_renamed(one, names) for one in part)
        case _ if is_dataclass(part) and not isinstance(part, type):
            found = _by_fields(part, names)
    return found  # type: ignore[no-any-return]


def _by_fields(part: T, names: Names) -> T:
    changed: dict[str, object] = {}
    for field in fields(part):  # type: ignore[arg-type]
        value = getattr(part, field.name)
        if field.name not in _COLUMNS:
            changed[field.name] = _renamed(value, names)
        elif isinstance(value, str):
            changed[field.name] = names.name(value)
        else:
            changed[field.name] = tuple(names.name(column) for column in value)
    return replace(part, **changed)  # type: ignore[type-var]


def _of_lookup(lookup: Lookup, names: Names) -> Lookup:
    theirs = Names(names.of(lookup.table), names.of)
    keys = tuple((names.name(own), theirs.name(other)) for own, other in lookup.keys)
    return replace(lookup, keys=keys, scope=_renamed(lookup.scope, theirs))


def _of_looked_up(check: LookedUp, names: Names) -> LookedUp:
    theirs = Names(names.of(check.lookup.table), names.of)
    comparisons = tuple(
        ColumnComparison(names.name(one.left), one.operator, theirs.name(one.right))
        for one in check.comparisons
    )
    return replace(check, lookup=_of_lookup(check.lookup, names), comparisons=comparisons)


def _of_statement(check: Columns, names: Names) -> Columns:
    arguments = tuple(
        (key, _listed(value, names) if key in _LISTS else value) for key, value in check.arguments
    )
    return replace(check, columns=tuple(map(names.name, check.columns)), arguments=arguments)


def _listed(value: object, names: Names) -> object:
    if not isinstance(value, tuple | list):
        return value
    return type(value)(names.name(one) if isinstance(one, str) else one for one in value)
