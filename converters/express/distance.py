"""How far a value lies from the others: a z-score, or a window that Great Expectations lays.

Its statistics are those of all values that are checked, by a window function. A value is good
where there is nothing to measure by: one value, no spread, NaN (source and probes of 1.24.1), but
for z-scores of pandas up to 0.18 (probes of 0.18.22; argument `undefined`).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.express.computed import computed, stand_in
from ruleferry.converters.express.flags import Flagged, in_scope, out_of_scope, passing, told
from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import Node, call, either, nan, or_else
from ruleferry.converters.express.operand import FLOATING, CannotExpress, Operand
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.express.values import as_double
from ruleferry.converters.predicates import Scope
from ruleferry.converters.rule import Caveat, Figure


def near(rule: Figure, scope: Scope | None, use: Use) -> Flagged:
    """Each value lies near enough to those that are checked. Raises CannotExpress."""
    operand = use.operand(rule.columns[0])
    value = as_double(operand)
    out = out_of_scope(scope, use)
    if out is not None:
        value = exp.Case(ifs=[exp.If(this=in_scope(out), true=value)])
    given = dict(rule.arguments)
    found = _z_score(value, given) if rule.measure == "z_score" else _within(value, given)
    passes = given.get("undefined") != "bad" or use.kind != "pandas"
    tree = either(*passing(out), *operand.missing(), or_else(found.good.tree, good=passes))
    caveats = (*operand.caveats, *unknown_type(operand), *told(out), *_of_numbers(operand, use))
    return Flagged(Good(tree, "pass", caveats), found.columns)


def _of_numbers(operand: Operand, use: Use) -> tuple[Caveat, ...]:
    if use.kind == "pandas" and operand.family == "decimal":
        detail = f"pandas does not compute with the decimals of {operand.name}, and raised"
        return (Caveat("refused_before", detail),)
    if operand.family is None or operand.family in FLOATING:
        detail = "the last digits of the figure depend on the order in which numbers are added up"
        return (Caveat("figure_digits", detail),)
    return ()


def _over_all(function: str, value: Node, *arguments: Node) -> Node:
    return exp.Window(this=call(function, value.copy(), *arguments))


def _less(left: Node, right: Node) -> Node:
    return exp.Sub(this=left, expression=right)


def _z_score(value: Node, given: Mapping[str, object]) -> Flagged:
    distance = _less(value.copy(), _over_all("avg", value))
    score = call("try_divide", distance, _over_all("stddev_samp", value))
    z = computed(1, "z", exp.Nullif(this=score, expression=nan()))
    threshold = given["threshold"]
    assert isinstance(threshold, int | Decimal)
    if given.get("double_sided"):
        size = exp.Abs(this=stand_in(z))
        most = -threshold if threshold < 0 else threshold
        test: Node = exp.LT(this=size, expression=number_literal(most))
    else:
        test = exp.LT(this=stand_in(z), expression=number_literal(threshold))
    return Flagged(Good(test, "pass"), (z,))


def _within(value: Node, given: Mapping[str, object]) -> Flagged:
    times = _multiplier(given)
    method = given.get("method", "iqr")
    if method not in ("iqr", "std"):
        raise CannotExpress("invalid_rule", f"method: iqr or std was expected, found {method}")
    inside = _fences(value, times) if method == "iqr" else _of_deviation(value, times)
    within = computed(1, "within", inside)
    return Flagged(Good(stand_in(within), "pass"), (within,))


def _multiplier(given: Mapping[str, object]) -> Decimal:
    stated = given.get("multiplier", Decimal("1.5"))
    if isinstance(stated, bool) or not isinstance(stated, int | float | Decimal) or stated < 0:
        reason = f"multiplier: a number from 0 was expected, found {stated}"
        raise CannotExpress("invalid_rule", reason)
    return Decimal(str(stated))


def _fences(value: Node, times: Decimal) -> Node:
    """Tukey's fences; a value on a fence is inside."""

    def quartile(share: str) -> Node:
        return _over_all("percentile", value, number_literal(Decimal(share)))

    def reach() -> Node:
        spread = exp.Paren(this=_less(quartile("0.75"), quartile("0.25")))
        return exp.Mul(this=number_literal(times), expression=spread)

    low = exp.Nullif(this=_less(quartile("0.25"), reach()), expression=nan())
    above = exp.Add(this=quartile("0.75"), expression=reach())
    high = exp.Nullif(this=above, expression=nan())
    return exp.Between(this=value.copy(), low=low, high=high)


def _of_deviation(value: Node, times: Decimal) -> Node:
    """Nearer to the mean than so many standard deviations; where these are 0, the mean itself."""

    def reach() -> Node:
        spread = exp.Nullif(this=_over_all("stddev_samp", value), expression=nan())
        return exp.Mul(this=number_literal(times), expression=spread)

    mean = _over_all("avg", value)
    exactly = exp.EQ(this=value.copy(), expression=mean.copy())
    far = exp.Abs(this=_less(value.copy(), mean))
    nearer = exp.LT(this=far, expression=reach())
    none = exp.EQ(this=reach(), expression=number_literal(0))
    return exp.Case(ifs=[exp.If(this=none, true=exactly)], default=nearer)
