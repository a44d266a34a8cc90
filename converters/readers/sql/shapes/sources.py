"""Where a query's records come from: CTEs and derived tables are put in the place of their names.

What can't be put there stays as it is; the shapes refuse it, or take the query as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.tree import all_hold, bare, copied, nodes, terms
from ruleferry.converters.readers.sql.found import is_stand_in
from ruleferry.converters.readers.sql.shapes.trees import (
    has_aggregate,
    has_query,
    has_window,
    number,
    only_args,
)
from ruleferry.converters.readers.sql.shapes.words import words

_MOST = 200  # references to CTEs in one statement
_NAMED = frozenset({"this", "alias", "db", "catalog"})
_PLAIN = frozenset({"expressions", "from_", "where", "joins", "order"})
# They say how a query runs, never what it finds.
_HARMLESS = ("hint", "locks", "distribute", "sort", "cluster", "options", "into")
_MODIFIERS = frozenset({
    "SQL_CALC_FOUND_ROWS", "SQL_NO_CACHE", "SQL_CACHE", "SQL_BIG_RESULT", "SQL_SMALL_RESULT",
    "SQL_BUFFER_RESULT", "STRAIGHT_JOIN", "HIGH_PRIORITY",
})  # fmt: skip


def opened(tree: exp.Expression) -> exp.Expression:
    """A copy of the query, without what is wrapped around it, hints and CTEs."""
    node = _without_ctes(_unwrapped(copied(tree)))
    for part in reversed(nodes(node)):  # the inner ones first: an outer one may be copied
        match part:
            case exp.Select():
                _forget_hints(part)
            case exp.Table() if part.args.get("hints"):
                _forget_harmless(part)
            case exp.Exists() if isinstance(part.this, exp.Select):
                _forget_first(part.this)
    return node


def _forget_first(select: exp.Select) -> None:
    """One record of an EXISTS is as good as many: LIMIT, and `ROWNUM = 1` beside conditions."""
    if not select.args.get("offset"):
        select.set("limit", None)
    where = select.args.get("where")
    conditions = terms(where.this if where is not None else None)
    kept = [term for term in conditions if not _is_first(term)]
    if kept and len(kept) < len(conditions):
        select.set("where", exp.Where(this=all_hold(kept)))


def _is_first(term: exp.Expression) -> bool:
    limits = {(exp.EQ, 1.0), (exp.LTE, 1.0), (exp.LT, 2.0)}
    if not isinstance(term, exp.EQ | exp.LTE | exp.LT):
        return False
    named = isinstance(term.this, exp.Column | exp.Pseudocolumn)
    known = named and term.this.name.lower() == "rownum"
    return known and (type(term), number(term.expression)) in limits


def _unwrapped(node: exp.Expression) -> exp.Expression:
    while True:
        node = bare(node)
        if isinstance(node, exp.LockingStatement):
            node = node.expression
        elif (
            isinstance(node, exp.Subquery) and only_args(node, frozenset({"this", "alias"})) is None
        ):
            node = node.this
        else:
            return node.pop() if node.parent else node


def _forget_hints(select: exp.Select) -> None:
    for key in _HARMLESS:
        if select.args.get(key):
            select.set(key, None)
    modifiers = select.args.get("operation_modifiers")
    if modifiers and all(str(word.this).upper() in _MODIFIERS for word in modifiers):
        select.set("operation_modifiers", None)


def _forget_harmless(table: exp.Table) -> None:
    if all(_is_harmless(hint) for hint in table.args["hints"]):
        table.set("hints", None)


def _is_harmless(hint: exp.Expression) -> bool:
    known = words("hints", "harmless")
    if isinstance(hint, exp.IndexTableHint):
        return True
    names = [node.name.lower() for node in hint.expressions]
    return isinstance(hint, exp.WithTableHint) and all(name in known for name in names)


# CTEs ---------------------------------------------------------------------------------------------


def _without_ctes(query: exp.Expression) -> exp.Expression:
    named = query.args.get("with_")
    if named is None or named.args.get("recursive"):
        return query
    known: dict[str, exp.Expression] = {}
    for cte in named.expressions:
        alias = cte.args.get("alias")
        plain = isinstance(cte.this, exp.Query) and not cte.this.find(exp.With)
        if not plain or alias is None or alias.args.get("columns"):
            return query
        filled = _filled(copied(cte.this), known)
        if filled is None:
            return query
        known[alias.name.lower()] = filled
    rest = copied(query)
    rest.set("with_", None)
    return query if rest.find(exp.With) else _filled(rest, known) or query


def _filled(query: exp.Expression, known: Mapping[str, exp.Expression]) -> exp.Expression | None:
    """With the queries in the place of their names; None where there are too many of them."""
    found = [t for t in query.find_all(exp.Table) if not t.db and t.name.lower() in known]
    if len(found) > _MOST or any(only_args(table, _NAMED) for table in found):
        return None
    for table in found:
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name))
        inner = copied(known[table.name.lower()])
        table.replace(exp.Subquery(this=inner, alias=copied(alias)))
    return query


# Derived tables -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Inner:
    """A derived table that shows columns of its own source: name -> what it shows."""

    shown: Mapping[str, exp.Expression]
    star: bool
    alias: str
    own: frozenset[str]
    single: bool


def merged(select: exp.Select) -> exp.Select:
    """The query with the derived table that it reads put into it, as far as that can be done."""
    source = select.args.get("from_")
    derived = source.this if source is not None else None
    if not isinstance(derived, exp.Subquery) or only_args(derived, frozenset({"this", "alias"})):
        return select
    inner = bare(derived.this)
    if not isinstance(inner, exp.Select):
        return select
    inner = merged(copied(inner))
    found = _inner(inner, derived.alias.lower())
    joined = bool(select.args.get("joins"))
    if found is None or (joined and not found.single):
        return select
    copy = copied(select)
    if not _substituted(copy, found, joined):
        return select
    _put_in(copy, inner, found)
    return copy


def _inner(inner: exp.Select, alias: str) -> Inner | None:
    source = inner.args.get("from_")
    if only_args(inner, _PLAIN) or source is None or not isinstance(source.this, exp.Table):
        return None
    if any(has_aggregate(i) or has_window(i) or has_query(i) for i in inner.expressions):
        return None
    shown: dict[str, exp.Expression] = {}
    star = False
    for item in inner.expressions:
        node = item.this if isinstance(item, exp.Column) else item
        if isinstance(node, exp.Star):
            star = star or not only_args(node, frozenset())
            if only_args(node, frozenset()):
                return None
        elif item.alias_or_name:
            shown[item.alias_or_name.lower()] = bare(
                item.this if isinstance(item, exp.Alias) else item
            )
    table = source.this
    single = not inner.args.get("joins")
    if star and not single:
        return None
    own = frozenset({(table.alias or table.name).lower()})
    return Inner(shown, star, alias or next(iter(own)), own, single)


def _substituted(select: exp.Select, inner: Inner, joined: bool) -> bool:
    """Puts what the derived table shows in the place of its names; False: it can't be done."""
    aliases = {i.alias.lower() for i in select.expressions if isinstance(i, exp.Alias)}
    source = select.args["from_"]
    for column in list(select.find_all(exp.Column)):
        if column.find_ancestor(exp.From) is source or isinstance(column.this, exp.Star):
            continue
        qualifier = [part.name.lower() for part in column.parts[:-1]]
        name = column.name.lower()
        if qualifier and qualifier != [inner.alias]:
            continue
        nested = column.find_ancestor(exp.Query) is not select
        shown = inner.shown.get(name)
        if shown is None:
            if not inner.star and not (not qualifier and (name in aliases or nested or joined)):
                return False
            continue
        if not qualifier and (nested or joined):
            if not _is_same(shown, name):
                return False
            continue
        column.replace(_requalified(shown, inner))
    return True


def _is_same(shown: exp.Expression, name: str) -> bool:
    return isinstance(shown, exp.Column) and shown.name.lower() == name


def _requalified(shown: exp.Expression, inner: Inner) -> exp.Expression:
    root = exp.Paren(this=copied(shown))
    if inner.single:
        for column in list(root.find_all(exp.Column)):
            first = column.parts[0].name.lower()
            if is_stand_in(column):
                continue
            if len(column.parts) == 1 or (first in inner.own and len(column.parts) == 2):
                column.set("table", exp.to_identifier(inner.alias))
    return root.this if isinstance(root.this, exp.Column | exp.Literal | exp.Null) else root


def _put_in(select: exp.Select, inner: exp.Select, found: Inner) -> None:
    table = copied(inner.args["from_"].this)
    conditions = inner.args["where"].this if inner.args.get("where") else None
    if found.single:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(found.alias)))
        conditions = _requalified(conditions, found) if conditions is not None else None
    else:
        select.set("joins", [copied(join) for join in inner.args["joins"]])
    select.set("from_", exp.From(this=table))
    where = select.args.get("where")
    both = [c for c in (conditions, where.this if where else None) if c is not None]
    select.set("where", exp.Where(this=all_hold([bare(c) for c in both])) if both else None)
