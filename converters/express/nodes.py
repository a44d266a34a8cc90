"""Small trees that every room of `express` builds with.

Every call makes new nodes: a sqlglot node has one parent, so a tree is never used twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlglot import exp

Node: TypeAlias = exp.Expression
Maker: TypeAlias = Callable[[], Node]


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound as a literal; open: the bound itself is refused."""

    node: Node
    open: bool = False


def is_null(node: Node) -> Node:
    return exp.Is(this=node, expression=exp.Null())


def not_null(node: Node) -> Node:
    return exp.Not(this=is_null(node))


def either(*nodes: Node) -> Node:
    """OR, left to right; an AND inside is bracketed, as a person would."""
    return _chain(exp.Or, [exp.Paren(this=n) if isinstance(n, exp.And) else n for n in nodes])


def both(*nodes: Node) -> Node:
    """AND, left to right; an OR inside is bracketed."""
    return _chain(exp.And, [exp.Paren(this=n) if isinstance(n, exp.Or) else n for n in nodes])


def negate(node: Node) -> Node:
    loose = isinstance(node, exp.Binary | exp.Between | exp.Connector | exp.Is)
    loose = loose and not isinstance(node, exp.Dot)
    return exp.Not(this=exp.Paren(this=node) if loose else node)


def _chain(kind: Callable[..., Node], nodes: Sequence[Node]) -> Node:
    tree = nodes[0]
    for node in nodes[1:]:
        tree = kind(this=tree, expression=node)
    return tree


def as_text(node: Node) -> Node:
    return exp.Cast(this=node, to=exp.DataType(this=exp.DataType.Type.TEXT))


def try_as(node: Node, kind: exp.DType) -> Node:
    return exp.TryCast(this=node, to=exp.DataType(this=kind), safe=True)


def or_false(node: Node) -> Node:
    """FALSE where the node is NULL."""
    return or_else(node, good=False)


def or_else(node: Node, *, good: bool) -> Node:
    """TRUE or FALSE, as wanted, where the node is NULL."""
    return exp.Coalesce(this=node, expressions=[exp.true() if good else exp.false()])


def call(name: str, *arguments: Node) -> Node:
    """A function that sqlglot has no node for."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def is_nan(node: Node) -> Node:
    return exp.IsNan(this=node)


def nan() -> Node:
    return exp.Cast(this=exp.Literal.string("NaN"), to=exp.DataType(this=exp.DataType.Type.DOUBLE))


def between(make: Maker, low: Limit | None, high: Limit | None) -> Node:
    """`x BETWEEN low AND high`, or one or two comparisons where a bound is open or missing."""
    if low and high and not (low.open or high.open):
        return exp.Between(this=make(), low=low.node, high=high.node)
    parts: list[Node] = []
    if low:
        kind = exp.GT if low.open else exp.GTE
        parts.append(kind(this=make(), expression=low.node))
    if high:
        upper = exp.LT if high.open else exp.LTE
        parts.append(upper(this=make(), expression=high.node))
    return both(*parts)
