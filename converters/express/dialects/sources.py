"""The types of a query's columns: each of the source that it is a column of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.dialects.reading import TypeOf

_Types: TypeAlias = Mapping[str, ColumnType]
# A table as the query names it -> the types of its columns, by lower-case name.
TypesOfTable: TypeAlias = Callable[[exp.Table], _Types]


def types_in_query(of_table: TypesOfTable) -> TypeOf:
    """Of a column whose source is a query within the query nothing is known."""

    def type_of(column: exp.Column) -> ColumnType | None:
        found = _types(column, of_table)
        return found.get(column.name.lower()) if found is not None else None

    return type_of


def types_of_record(types: _Types) -> TypeOf:
    """Of a condition that speaks of one table alone."""
    return lambda column: types.get(column.name.lower()) if len(column.parts) < _FIELD else None


_FIELD = 3


def _types(column: exp.Column, of_table: TypesOfTable) -> _Types | None:
    select = _select_of(column)
    while select is not None:
        sources = _sources(select)
        if not column.table:
            return _of(sources[0], of_table) if len(sources) == 1 else None
        named = [s for s in sources if _name(s) == column.table.lower()]
        if named:
            return _of(named[0], of_table) if len(named) == 1 else None
        select = _select_of(select)
    return None


def _select_of(node: exp.Expression) -> exp.Select | None:
    found = node.find_ancestor(exp.Select)
    return found if isinstance(found, exp.Select) else None


def _sources(select: exp.Select) -> list[exp.Expression]:
    from_ = select.args.get("from_")
    joins = select.args.get("joins") or []
    found = [from_.this] if from_ is not None else []
    return [*found, *(join.this for join in joins)]


def _name(source: exp.Expression) -> str:
    return str(source.alias or (source.name if isinstance(source, exp.Table) else "")).lower()


def _of(source: exp.Expression, of_table: TypesOfTable) -> _Types | None:
    return of_table(source) if isinstance(source, exp.Table) else None
