"""EXCEPT and MINUS: what stands in one table and not in another, in one direction or in both."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.lookups import name_of
from ruleferry.converters.dialects.tree import all_hold, bare, copied
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes.checks import own_columns, sql_text
from ruleferry.converters.readers.sql.shapes.placeholders import refuse_parameters
from ruleferry.converters.readers.sql.shapes.plain import Query, plain_query
from ruleferry.converters.readers.sql.shapes.trees import has_query, has_window, only_args, value_of
from ruleferry.converters.rule import Lookup, Reconciled

_SIDE = frozenset({"expressions", "from_", "where", "distinct"})
_SET = frozenset({"this", "expression", "distinct"})


@dataclass(frozen=True, slots=True)
class Side:
    query: Query
    columns: tuple[str, ...]
    scope: SqlText | None


def reconciled(tree: exp.SetOperation, setting: Setting) -> Checked | None:
    """None where it is of another shape."""
    if isinstance(tree, exp.Except):
        pair = _pair(tree, setting)
        return _made(*pair, setting=setting) if pair else None
    if not isinstance(tree, exp.Union) or only_args(tree, _SET):
        return None
    first, second = (_pair(_opened(side), setting) for side in (tree.this, tree.expression))
    if first is None or second is None or not _is_turned(first, second):
        return None
    return _made(*first, setting=setting, both=True)


def _opened(node: exp.Expression) -> exp.Expression:
    """`SELECT * FROM (a MINUS b)` in one direction of two."""
    node = bare(node)
    while True:
        if isinstance(node, exp.Subquery) and not only_args(node, frozenset({"this", "alias"})):
            node = bare(node.this)
        elif isinstance(node, exp.Select) and _shows_all(node):
            node = bare(node.args["from_"].this)
        else:
            return node


def _shows_all(node: exp.Select) -> bool:
    """Literals that name the direction may stand beside the star."""
    source = node.args.get("from_")
    if only_args(node, frozenset({"expressions", "from_"})) or source is None:
        return False
    items = [value_of(item) for item in node.expressions]
    stars = [i for i in items if isinstance(i.this if isinstance(i, exp.Column) else i, exp.Star)]
    named = all(isinstance(item, exp.Literal) for item in items if item not in stars)
    return len(stars) == 1 and named and isinstance(source.this, exp.Subquery)


def _pair(tree: exp.Expression, setting: Setting) -> tuple[Side, Side] | None:
    if not isinstance(tree, exp.Except) or only_args(tree, _SET) or not tree.args.get("distinct"):
        return None
    left, right = _side(tree.this, setting), _side(tree.expression, setting)
    if left is None or right is None or len(left.columns) != len(right.columns):
        return None
    same = left.query.name.lower() == right.query.name.lower()
    return None if same else (left, right)


def _side(node: exp.Expression, setting: Setting) -> Side | None:
    node = bare(node)
    node = bare(node.this) if isinstance(node, exp.Subquery) else node
    if not isinstance(node, exp.Select):
        return None
    query = plain_query(node, setting)
    if query is None or query.filters or only_args(query.select, _SIDE):
        return None
    if any(has_query(term) or has_window(term) for term in query.all_conditions):
        return None
    refuse_parameters(query.select, setting.macros)
    items = [own_columns(copied(value_of(item)), query) for item in query.select.expressions]
    columns = [item.name for item in items if isinstance(item, exp.Column) and not item.table]
    if len(columns) != len(items) or not columns or "*" in columns:
        return None
    if len({name.lower() for name in columns}) != len(columns):
        return None
    scope = None
    if query.all_conditions:
        scope = sql_text(own_columns(all_hold(query.all_conditions), query), setting, bad=False)
    return Side(query, tuple(columns), scope)


def _is_turned(first: tuple[Side, Side], second: tuple[Side, Side]) -> bool:
    return all(
        (one.query.name.lower(), [c.lower() for c in one.columns], one.scope)
        == (other.query.name.lower(), [c.lower() for c in other.columns], other.scope)
        for one, other in zip(first, reversed(second), strict=True)
    )


def _made(left: Side, right: Side, *, setting: Setting, both: bool = False) -> Checked:
    keys = tuple(zip(left.columns, right.columns, strict=True))
    other = Lookup(name_of(right.query.table), keys, right.scope)
    check = Reconciled(other, missing=both, extra=True)
    return Checked(check, "reconcile", left.query.name, left.columns, left.scope)
