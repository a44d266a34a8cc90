"""Where an expression is NULL."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from ruleferry.converters.express.functions import called, function
from ruleferry.converters.express.tree_shape import shape

_STRICT = (
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Neg,
    exp.DPipe,
    exp.BitwiseAnd,
    exp.BitwiseOr,
    exp.BitwiseXor,
    exp.BitwiseNot,
    exp.Like,
    exp.ILike,
    exp.RegexpLike,
    exp.Escape,
)
_DIVISIONS = (exp.Div, exp.Mod, exp.IntDiv)
_NEVER = (exp.Literal, exp.Boolean, exp.Interval, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)


def bare(node: exp.Expression) -> exp.Expression:
    """The node without the parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def null_causes(node: exp.Expression) -> tuple[exp.Expression, ...]:
    """The expression is NULL where one of these is NULL, and only there.

    Empty where it never is. An expression with NULLs of its own is its own cause.
    """
    node = bare(node)
    if isinstance(node, _NEVER):
        return ()
    if isinstance(node, _STRICT):
        return _of_all(node.iter_expressions())
    if isinstance(node, _DIVISIONS):
        return _of_all([node.this]) if is_number_but_zero(node.expression) else (node,)
    if type(node) is exp.Cast:
        return null_causes(node.this)
    if isinstance(node, exp.In):
        return _of_all([node.this, *node.expressions]) if _is_plain_list(node) else (node,)
    if isinstance(node, exp.Coalesce):
        return () if not all(null_causes(n) for n in (node.this, *node.expressions)) else (node,)
    return _of_call(node)


def _is_plain_list(node: exp.In) -> bool:
    """Values that are never NULL: else `x IN (1, NULL)` is TRUE or NULL."""
    return bool(node.expressions) and not any(null_causes(e) for e in node.expressions)


def _of_call(node: exp.Expression) -> tuple[exp.Expression, ...]:
    call = called(node)
    if call is None:
        return (node,)
    name, arguments = call
    row = function(name, len(arguments))
    if row is None or row.nulls in ("more", "own"):
        return (node,)
    return () if row.nulls == "never" else _of_all(arguments)


def _of_all(nodes: Iterable[exp.Expr]) -> tuple[exp.Expression, ...]:
    causes = [c for n in nodes if isinstance(n, exp.Expression) for c in null_causes(n)]
    if len(causes) < 2:
        return tuple(causes)
    return tuple({shape(c): c for c in causes}.values())


def is_number_but_zero(node: exp.Expression) -> bool:
    """A literal number other than 0."""
    node = bare(node)
    if isinstance(node, exp.Neg):
        node = bare(node.this)
    return isinstance(node, exp.Literal) and not node.is_string and float(node.this) != 0
