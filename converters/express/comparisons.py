"""Comparisons of two values, lists and bounds, without casts that may raise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.coercion import Findings, Typed, as_text, try_as, unified
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import DOUBLE, STRING, TIMESTAMP_NTZ
from ruleferry.converters.express.tree_shape import shape

ORDERED = (exp.LT, exp.LTE, exp.GT, exp.GTE)


def compared(
    kind: type[exp.Expression], left: Typed, right: Typed, findings: Findings
) -> exp.Expression:
    """`left kind right` as a condition."""
    if left.type is None and right.type is None and shape(left.tree) != shape(right.tree):
        return _both_unknown(kind, left, right, findings)
    trees, _ = unified([left, right], findings, ordered=kind in ORDERED)
    return kind(this=trees[0], expression=trees[1])


def in_list(subject: Typed, values: Sequence[Typed], findings: Findings) -> exp.Expression:
    """IN, or an OR of comparisons where columns are in the list whose types are not known."""
    if sum(i.type is None for i in (subject, *values)) < 2:
        (first, *others), _ = unified([subject, *values], findings)
        return exp.In(this=first, expressions=others)
    tree, *others = [compared(exp.EQ, _again(subject), v, findings) for v in values]
    for other in others:
        tree = exp.Or(this=tree, expression=other)
    return tree


def between(subject: Typed, low: Typed, high: Typed, findings: Findings) -> exp.Expression:
    """Two comparisons to Spark; written as one BETWEEN where both read the value alike."""
    over = compared(exp.GTE, _again(subject), low, findings)
    under = compared(exp.LTE, _again(subject), high, findings)
    plain = isinstance(over, exp.GTE) and isinstance(under, exp.LTE)
    if plain and shape(over.args["this"]) == shape(under.args["this"]):
        bounds = {"low": over.args["expression"], "high": under.args["expression"]}
        return exp.Between(this=over.args["this"], **bounds)
    return exp.And(this=over, expression=under)


def _again(item: Typed) -> Typed:
    return Typed(item.tree.copy(), item.type)


def _both_unknown(
    kind: type[exp.Expression], left: Typed, right: Typed, findings: Findings
) -> exp.Expression:
    if kind not in (exp.NullSafeEQ, exp.NullSafeNEQ):
        return _by_looks(kind, left, right, findings)
    equal = _by_looks(exp.EQ, left, right, findings)
    nulls = exp.And(this=_is_null(left), expression=_is_null(right))
    same = exp.Or(this=nulls, expression=call("coalesce", [equal, exp.false()]))
    return same if kind is exp.NullSafeEQ else exp.Not(this=same)


def _is_null(item: Typed) -> exp.Expression:
    return exp.Is(this=item.tree.copy(), expression=exp.Null())


def _by_looks(
    kind: type[exp.Expression], left: Typed, right: Typed, findings: Findings
) -> exp.Expression:
    """As texts where both are text, else as numbers, else as times, else as texts.

    A form that analyses and never raises, whatever the two types are.
    """
    for item in (left, right):
        findings.assume(item.tree, "what its values look like")

    def test(cast: Callable[[Typed], exp.Expression]) -> exp.Expression:
        sides = (cast(Typed(i.tree.copy(), None)) for i in (left, right))
        return kind(this=next(sides), expression=next(sides))

    def read_as(wanted: ColumnType) -> exp.Expression:
        return test(lambda i: try_as(Typed(as_text(i.tree), STRING), wanted).tree)

    both_text = [
        exp.EQ(
            this=exp.Typeof(this=i.tree.copy()),
            expression=exp.Literal.string("string"),
        )
        for i in (left, right)
    ]
    otherwise = exp.Coalesce(
        this=read_as(DOUBLE),
        expressions=[read_as(TIMESTAMP_NTZ), test(lambda i: as_text(i.tree))],
    )
    arm = exp.If(
        this=exp.And(this=both_text[0], expression=both_text[1]),
        true=test(lambda i: as_text(i.tree)),
    )
    return exp.Case(ifs=[arm], default=otherwise)
