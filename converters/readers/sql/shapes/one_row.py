"""Derived tables of one row: their figures are put in the place of their names."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, copied
from ruleferry.converters.readers.sql.shapes.trees import (
    has_aggregate,
    has_query,
    number,
    only_args,
    value_of,
)


def with_figures(select: exp.Select) -> exp.Select:
    """The query with the figures of derived tables of one row in the place of their names."""
    source = select.args.get("from_")
    joins = select.args.get("joins") or []
    if source is None or not all(_is_cross(join) for join in joins):
        return select
    derived = [source.this, *(join.this for join in joins)]
    shown = {}
    for one in derived:
        query = _one_row(one)
        if query is None:
            return select
        shown[one.alias.lower()] = query
    if len(shown) != len(derived):
        return select
    copy = copied(select)
    alone = next(iter(shown.values())) if len(shown) == 1 and not copy.args.get("where") else None
    if not _replaced(copy, shown, alone):
        return select
    for key in ("from_", "joins"):
        copy.set(key, None)
    if alone is not None:
        inner = copied(alone)
        for key in ("from_", "where", "joins"):
            copy.set(key, inner.args.get(key))
    return copy


def _is_cross(join: exp.Join) -> bool:
    on = join.args.get("on")
    true = on is None or (isinstance(on, exp.Boolean) and on.this)
    if isinstance(on, exp.EQ):
        left, right = number(on.this), number(on.expression)
        true = left is not None and left == right
    kind = (join.side or "").upper(), (join.kind or "").upper()
    known = kind in {("", ""), ("", "CROSS"), ("", "INNER"), ("FULL", ""), ("LEFT", "")}
    return true and known and not only_args(join, frozenset({"this", "kind", "side", "on"}))


def _one_row(node: exp.Expression) -> exp.Select | None:
    if not isinstance(node, exp.Subquery) or only_args(node, frozenset({"this", "alias"})):
        return None
    query = bare(node.this)
    if not isinstance(query, exp.Select):
        return None
    query = with_figures(query)
    if only_args(query, frozenset({"expressions", "from_", "where", "joins"})):
        return None
    figures = [has_aggregate(item) or has_query(item) for item in query.expressions]
    constant = [isinstance(value_of(item), exp.Literal) for item in query.expressions]
    known = all(a or b for a, b in zip(figures, constant, strict=True))
    return query if any(figures) and known else None


def _replaced(
    select: exp.Select, shown: Mapping[str, exp.Select], alone: exp.Select | None
) -> bool:
    for column in list(select.find_all(exp.Column)):
        if column.find_ancestor(exp.Subquery, exp.Select) is not select:
            continue
        qualifier, name = column.table.lower(), column.name.lower()
        found = [
            (query, item)
            for alias, query in shown.items()
            if not qualifier or alias == qualifier
            for item in query.expressions
            if item.alias_or_name.lower() == name
        ]
        if len(found) != 1:
            return False
        query, item = found[0]
        value = copied(value_of(item))
        column.replace(exp.Paren(this=value) if alone is not None else _asked(query, value))
    return True


def _asked(query: exp.Select, value: exp.Expression) -> exp.Expression:
    """The query of this one value; a query of queries is its value itself."""
    if not query.args.get("from_"):
        return exp.Paren(this=value)
    copy = copied(query)
    copy.set("expressions", [value])
    return exp.Subquery(this=copy)
