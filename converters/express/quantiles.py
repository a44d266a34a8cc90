"""Quantiles of a column, each within its range.

Great Expectations takes a quantile for within its range if it is closer to a bound than a ten
thousandth of that bound (its source, 1.24.1 and 0.18.22).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.express.computed import Computed, computed, stand_in
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.good import Good
from ruleferry.converters.express.nodes import Limit, Node, between, both, call, or_false
from ruleferry.converters.express.operand import CannotExpress
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.rule import Caveat, EngineKind

_TOLERANCE = Decimal("0.0001")
_BETWEEN_TWO = "where a quantile falls between two values, pandas takes {} and Spark the next one"


@dataclass(frozen=True, slots=True)
class Quantiles:
    """`value` is the column as a double; `of` limits an aggregate to the records that are seen."""

    value: Callable[[], Node]
    of: Callable[[Node], Node]
    kind: EngineKind
    ranges: object
    error: object


def quantiles(asked: Quantiles) -> Flagged:
    """Raises CannotExpress where the ranges are not what Great Expectations asks for."""
    _refuse_error(asked)
    pairs = [*_pairs(asked.ranges)]
    linear = asked.kind == "pandas" and asked.error == "linear"
    columns: list[Computed] = []
    tests: list[Node] = []
    for number, (share, low, high) in enumerate(pairs, 1):
        columns.append(computed(number, str(number), _quantile(asked, share, linear)))
        found = columns[-1]
        limits = _limit(low, -1), _limit(high, 1)
        if limits != (None, None):
            tests.append(or_false(between(lambda found=found: stand_in(found), *limits)))  # type: ignore[misc]
    if not tests:
        raise CannotExpress("never_fails", "its ranges have no bounds")
    return Flagged(Good(both(*tests), "none", _caveats(asked, linear)), tuple(columns), "figures")


_WORDS = ("linear", "lower", "higher", "midpoint", "nearest")


def _refuse_error(asked: Quantiles) -> None:
    """pandas takes a word, Spark a share; databases take what they like (source of 1.24.1)."""
    error = asked.error
    right = asked.kind == "sql" or not error or isinstance(error, str) == (asked.kind == "pandas")
    if not right or (isinstance(error, str) and asked.kind == "pandas" and error not in _WORDS):
        raise CannotExpress("invalid_rule", f"allow_relative_error: {asked.kind} refuses {error}")


def _quantile(asked: Quantiles, share: Decimal, linear: bool) -> Node:
    if linear:
        return asked.of(call("percentile", asked.value(), number_literal(share)))
    order = exp.Order(expressions=[exp.Ordered(this=asked.value(), nulls_first=True)])
    # No node of sqlglot: it would write one that only approximates.
    found = call("percentile_disc", number_literal(share))
    return asked.of(exp.WithinGroup(this=found, expression=order))


def _limit(bound: Decimal | None, way: int) -> Limit | None:
    if bound is None:
        return None
    return Limit(number_literal(bound + way * abs(bound) * _TOLERANCE))


def _pairs(ranges: object) -> Iterator[tuple[Decimal, Decimal | None, Decimal | None]]:
    given = ranges if isinstance(ranges, dict) else {}
    shares, bounds = given.get("quantiles"), given.get("value_ranges")
    if not isinstance(shares, list) or not isinstance(bounds, list) or not shares:
        raise CannotExpress("invalid_rule", "quantile_ranges: quantiles and value_ranges expected")
    if len(shares) != len(bounds):
        raise CannotExpress("invalid_rule", "it has not one range for each quantile")
    for share, pair in zip(shares, bounds, strict=True):
        if not isinstance(pair, list) or len(pair) != 2:
            raise CannotExpress("invalid_rule", "a range of two bounds was expected")
        found = _number(share)
        if found is None or not 0 <= found <= 1:
            raise CannotExpress("invalid_rule", f"a quantile from 0 to 1 was expected: {share}")
        yield found, *_bounds(pair)


def _bounds(pair: Sequence[object]) -> tuple[Decimal | None, Decimal | None]:
    low, high = map(_number, pair)
    if low is not None and high is not None and low > high:
        raise CannotExpress("invalid_rule", f"the range {low} to {high} is empty")
    return low, high


def _number(value: object) -> Decimal | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise CannotExpress("invalid_rule", f"a number was expected, found {value}")
    return Decimal(str(value)) if isinstance(value, float) else Decimal(value)


def _caveats(asked: Quantiles, linear: bool) -> tuple[Caveat, ...]:
    if asked.kind == "pandas":
        if linear:
            return ()
        way = asked.error if isinstance(asked.error, str) else "nearest"
        words = {"lower": "the lower one", "higher": "the higher one", "midpoint": "their middle"}
        return (Caveat("quantile_kind", _BETWEEN_TWO.format(words.get(way, "the nearest one"))),)
    if asked.kind == "spark" and asked.error in (None, False, 0):
        return ()
    detail = "Great Expectations asked the engine for an approximation; here the quantile is exact"
    return (Caveat("quantile_kind", detail),)
