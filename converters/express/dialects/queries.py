"""Whole queries: their expressions are read where they stand, their structure stays.

What of a structure can't be carried over is refused when the query is made total, if not here.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.dialects.empty import without_idle
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    condition,
    differs,
    family,
    only,
    read,
    sql,
    truth,
    type_needed,
)
from ruleferry.converters.express.dialects.untyped import as_key, compares_exactly
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import STRING, TEXTS
from ruleferry.converters.express.tree_shape import shape

_SELECT = (
    "with_", "expressions", "distinct", "from_", "joins", "where", "group", "having", "qualify",
    "order", "limit",
)  # fmt: skip


def _select(node: exp.Expression, here: Dialectal) -> Term:
    only(node, *_SELECT)
    made = exp.Select()
    for key in ("with_", "from_"):
        if found := node.args.get(key):
            made.set(key, _parts(found, here))
    made.set("joins", [_join(join, here) for join in node.args.get("joins") or []] or None)
    for key, kind in (("where", exp.Where), ("having", exp.Having), ("qualify", exp.Qualify)):
        if found := node.args.get(key):
            made.set(key, kind(this=_filter_of(found.this, here)))
    keys = _group(node, made, here)
    items = [_item(item, here, keys) for item in node.expressions]
    if distinct := node.args.get("distinct"):
        only(distinct)
        made.set("distinct", exp.Distinct())
        items = [_as_key_item(item, here) for item in items]
    made.set("expressions", [term.tree for term in items])
    _ends(node, made)
    return Term(made, items[0].type if len(items) == 1 else None)


def _filter_of(node: exp.Expression, here: Dialectal) -> exp.Expression:
    made = condition(node, here)
    return without_idle(made) if here.dialect.empty else made


def _ends(node: exp.Expression, made: exp.Expression) -> None:
    """Order and LIMIT decide nothing of a query that finds bad records; `queries` looks at them."""
    if limit := node.args.get("limit"):
        made.set("limit", limit.copy())


def _parts(node: exp.Expression, here: Dialectal) -> exp.Expression:
    """WITH and FROM, with the queries in them read."""
    made = node.copy()
    for table in made.find_all(exp.Table):
        if all(_is_idle_hint(hint) for hint in table.args.get("hints") or []):
            table.set("hints", None)
    for found in [*made.find_all(exp.CTE, exp.Subquery)]:
        inner = found.this
        if (
            isinstance(inner, exp.Select | exp.SetOperation | exp.Subquery)
            and found.find_ancestor(exp.Query) is None
        ):
            found.set("this", read(inner, here).tree)
    return made


def _is_idle_hint(node: exp.Expression) -> bool:
    """NOLOCK says how a table is read, not what is in it."""
    words = {part.name.upper() for part in node.expressions}
    return bool(words) and words <= {"NOLOCK", "READUNCOMMITTED", "TABLOCK"}


def _join(node: exp.Expression, here: Dialectal) -> exp.Expression:
    made = _parts(node, here)
    if on := node.args.get("on"):
        made.set("on", _filter_of(on, here))
    if node.args.get("using") and not compares_exactly(here):
        raise differs("JOIN … USING compares texts as the database does")
    if not any(node.args.get(key) for key in ("side", "kind", "method", "on", "using")):
        made.set("kind", "CROSS")  # `a, b`: a parser of Spark's SQL calls it so
    return made


# What it shows ------------------------------------------------------------------------------------


def _item(node: exp.Expression, here: Dialectal, keys: Mapping[object, exp.Expression]) -> Term:
    if isinstance(node, exp.Alias):
        only(node, "this", "alias")
        inner = _item(node.this, here, keys)
        value = inner.tree.this if isinstance(inner.tree, exp.Alias) else inner.tree
        return Term(exp.Alias(this=value, alias=node.args["alias"].copy()), inner.type)
    if _is_star(node):
        return Term(node.copy())
    term = read(node, here)
    tree = keys[shape(term.tree)].copy() if shape(term.tree) in keys else term.tree
    return Term(_named(tree, node), term.type)


def _named(tree: exp.Expression, node: exp.Expression) -> exp.Expression:
    """A column keeps its name, whatever stands around it now."""
    if not isinstance(node, exp.Column) or isinstance(tree, exp.Column):
        return tree
    return exp.Alias(this=tree, alias=exp.Identifier(this=node.name, quoted=True))


def _is_star(node: exp.Expression) -> bool:
    star = node.this if isinstance(node, exp.Column) else node
    return isinstance(star, exp.Star)


# What counts as one value -------------------------------------------------------------------------


def _group(
    node: exp.Expression, made: exp.Select, here: Dialectal
) -> Mapping[object, exp.Expression]:
    """The keys as they are grouped by; by the shape of what they are without that."""
    group = node.args.get("group")
    if group is None:
        return {}
    only(group, "expressions")
    terms = [_ordinal(key, node, here) or read(key, here) for key in group.expressions]
    keys = [as_key(term, here) for term in terms]
    made.set("group", exp.Group(expressions=keys))
    return {
        shape(term.tree): key
        for term, key in zip(terms, keys, strict=True)
        if shape(term.tree) != shape(key)
    }


def _ordinal(key: exp.Expression, node: exp.Expression, here: Dialectal) -> Term | None:
    """GROUP BY 1: the item at that place."""
    if not isinstance(key, exp.Literal) or key.is_string:
        return None
    place = int(key.name) if key.name.isdigit() else 0
    if not 0 < place <= len(node.expressions):
        raise Refusal("not_readable", f"GROUP BY {key.name} names no item of the query")
    item = node.expressions[place - 1]
    if _is_star(item):
        raise differs(f"GROUP BY {key.name} is not carried over")
    return read(item.this if isinstance(item, exp.Alias) else item, here)


def _as_key_item(item: Term, here: Dialectal) -> Term:
    if compares_exactly(here):
        return item
    if _is_star(item.tree):
        raise differs("SELECT DISTINCT * compares texts as the database does")
    inner = item.tree.this if isinstance(item.tree, exp.Alias) else item.tree
    if isinstance(inner, exp.Literal | exp.Null | exp.Boolean):
        return item
    key = as_key(Term(inner, item.type), here)
    if isinstance(item.tree, exp.Alias):
        return Term(exp.Alias(this=key, alias=item.tree.args["alias"].copy()), item.type)
    return Term(_named(key, inner), item.type)


def _set_operation(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression", "distinct", "with_", "order", "limit")
    made = type(node)(distinct=node.args.get("distinct"))
    if with_ := node.args.get("with_"):
        made.set("with_", _parts(with_, here))
    sides = [read(node.args[key], here).tree for key in ("this", "expression")]
    if node.args.get("distinct") and not compares_exactly(here):
        _as_rows(node, sides, here)
    made.set("this", sides[0])
    made.set("expression", sides[1])
    _ends(node, made)
    return Term(made)


def _as_rows(node: exp.Expression, sides: list[exp.Expression], here: Dialectal) -> None:
    """Equal rows are one row: of texts the database decides which are equal."""
    selects = [_select_in(side) for side in sides]
    sources = [_select_in(node.args[key]) for key in ("this", "expression")]
    if any(select is None for select in (*selects, *sources)):
        raise differs("rows of queries of this form are compared in it as the database does")
    lists = [select.expressions for select in (*selects, *sources) if select is not None]
    if len({len(items) for items in lists}) != 1 or any(map(_is_star, lists[0] + lists[1])):
        raise differs("rows of all columns are compared in it as the database does")
    for left, right, *written in zip(*lists, strict=True):
        terms = [read(w.this if isinstance(w, exp.Alias) else w, here) for w in written]
        sorts = {family(term) for term in terms}
        if not sorts <= {None, *TEXTS}:
            continue  # of one sort: else the source could not compare them
        if sorts == {None}:
            raise type_needed(terms[0], "a text", here)
        for item in (left, right):
            item.replace(_as_key_item(Term(item.copy(), STRING), here).tree)


def _select_in(side: exp.Expression) -> exp.Select | None:
    while isinstance(side, exp.Subquery | exp.Paren):
        side = side.this
    return side if isinstance(side, exp.Select) else None


def _subquery(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "alias")
    inner = read(node.this, here)
    made = exp.Subquery(this=inner.tree)
    if alias := node.args.get("alias"):
        made.set("alias", alias.copy())
    return Term(made, inner.type)


# Queries within conditions ------------------------------------------------------------------------


def in_query(node: exp.Expression, here: Dialectal) -> exp.Expression:
    """`x IN (SELECT …)`."""
    only(node, "this", "query")
    if isinstance(bare(node.this), exp.Tuple):
        raise differs("(a, b) IN (SELECT …) is not carried over")
    term, found = read(node.this, here), read(node.args["query"], here)
    made = found.tree.this if isinstance(found.tree, exp.Subquery) else found.tree
    sorts = {family(term), family(found)}
    if compares_exactly(here) or not sorts <= {None, *TEXTS}:
        return exp.In(this=term.tree, query=exp.Subquery(this=made))
    if not isinstance(made, exp.Select) or len(made.expressions) != 1:
        raise differs("IN with a query of this form compares texts as the database does")
    item = _as_key_item(Term(made.expressions[0], found.type), here)
    made.set("expressions", [item.tree])
    return exp.In(this=as_key(term, here), query=exp.Subquery(this=made))


def _exists(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this")
    inner = node.this
    made = read(inner.this if isinstance(inner, exp.Subquery) else inner, here).tree
    return truth(exp.Anonymous(this="exists", expressions=[made]))


# Windows and aggregates ---------------------------------------------------------------------------


def _window(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "partition_by", "order", "over", "spec", "first")
    if str(node.args.get("over") or "OVER").upper() != "OVER":
        raise differs(f"{sql(node)} is not carried over")
    if node.args.get("spec"):
        raise differs("a frame of a window (ROWS BETWEEN …) is not carried over")
    made = read(node.this, here)
    keys = [as_key(read(key, here), here) for key in node.args.get("partition_by") or []]
    order = node.args.get("order")
    sorted_ = [_sorted(each, here) for each in order.expressions] if order else []
    tree = exp.Window(
        this=made.tree,
        partition_by=keys,
        order=exp.Order(expressions=sorted_) if sorted_ else None,
        over="OVER",
    )
    return Term(tree, made.type)


def _sorted(node: exp.Expression, here: Dialectal) -> exp.Expression:
    only(node, "this", "desc", "nulls_first")
    term = read(node.this, here)
    tree = as_key(term, here) if family(term) in TEXTS else term.tree
    made = exp.Ordered(this=tree, desc=node.args.get("desc"))
    made.set("nulls_first", bool(node.args.get("nulls_first")))
    return made


def _filter(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    counted = read(node.this, here)
    where = exp.Where(this=condition(node.args["expression"].this, here))
    return Term(exp.Filter(this=counted.tree, expression=where), counted.type)


STEPS_HERE: dict[type[exp.Expression], Step] = {
    exp.Select: _select,
    exp.Union: _set_operation,
    exp.Except: _set_operation,
    exp.Intersect: _set_operation,
    exp.Subquery: _subquery,
    exp.Exists: _exists,
    exp.Window: _window,
    exp.Filter: _filter,
}
