"""Operators side by side whose order databases do not agree on: they need parentheses."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.express.dialects.steps import differs

_SUMS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv)
_BITS = (
    exp.DPipe,
    exp.BitwiseAnd,
    exp.BitwiseOr,
    exp.BitwiseXor,
    exp.BitwiseLeftShift,
    exp.BitwiseRightShift,
)
_TESTS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ,
          exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo, exp.In,
          exp.Between)  # fmt: skip


def refuse_unclear(tree: exp.Expression, dialect: SqlDialect) -> None:
    """Raises Refusal: sqlglot ranks these operators alike for all dialects, the dialects do not."""
    for node in tree.walk():
        if isinstance(node, (*_SUMS, *_BITS)):
            others: tuple[type[exp.Expression], ...]
            others = _SUMS + _BITS if isinstance(node, _BITS) else _BITS
            _refuse(node, others)
        elif isinstance(node, _TESTS):
            _refuse(node, _TESTS)


def _refuse(node: exp.Expression, others: tuple[type[exp.Expression], ...]) -> None:
    for operand in (node.args.get("this"), node.args.get("expression")):
        if isinstance(operand, others) and type(operand) is not type(node):
            raise differs("operators stand side by side in it whose order is not certain")
        if isinstance(operand, _TESTS) and isinstance(node, _TESTS):
            raise differs("comparisons follow each other in it without parentheses")
