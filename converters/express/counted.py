"""Columns of one record: how many of them hold a value, and whether they add up to another one."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import (
    Limit,
    Node,
    between,
    both,
    call,
    either,
    nan,
    or_false,
)
from ruleferry.converters.express.operand import FLOATING, NUMBERS, TEXTS, CannotExpress, Operand
from ruleferry.converters.express.readings import shaped
from ruleferry.converters.express.sets import ignored
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.express.sql_types import digits
from ruleferry.converters.express.values import number, type_mismatch
from ruleferry.converters.predicates import CountPresent, Identity, SumIs
from ruleferry.converters.rule import Caveat

# How many columns hold a value --------------------------------------------------------------------


def count_present(rule: CountPresent, use: Use) -> Good:
    operands = [use.operand(name) for name in dict.fromkeys(rule.columns)]
    low, high = _bounds(rule, len(operands))
    there = [_there(operand) for operand in operands]
    if low == len(there):
        tree = both(*there)
    elif (low, high) == (1, len(there)):
        tree = either(*there)
    elif high == 0:
        tree = both(*[either(*operand.missing()) for operand in operands])
    else:
        tree = _counted(operands, low, high)
    caveats = tuple(c for o in operands for c in (*o.caveats, *o.of_words()))
    return Good(tree, "fail" if low else "pass", caveats)


def _bounds(rule: CountPresent, count: int) -> tuple[int, int]:
    low, high = max(rule.low, 0), count if rule.high is None else min(rule.high, count)
    if not count:
        raise CannotExpress("invalid_rule", "it names no column")
    if low > high:
        reason = f"of {count} columns never at least {low} and at most {high} hold a value"
        raise CannotExpress("never_passes", reason)
    if (low, high) == (0, count):
        raise CannotExpress("never_fails", f"of {count} columns any number may hold a value")
    return low, high


def _there(operand: Operand) -> Node:
    return both(*operand.present())


def _counted(operands: Sequence[Operand], low: int, high: int) -> Node:
    def total() -> Node:
        one, none = number_literal(1), number_literal(0)
        terms = [
            exp.Case(ifs=[exp.If(this=_there(operand), true=one.copy())], default=none.copy())
            for operand in operands
        ]
        tree: Node = terms[0]
        for term in terms[1:]:
            tree = exp.Add(this=tree, expression=term)
        return tree

    if low == high:
        return exp.EQ(this=total(), expression=number_literal(low))
    at_least = Limit(number_literal(low)) if low else None
    at_most = Limit(number_literal(high)) if high < len(operands) else None
    return between(total, at_least, at_most)


# Sums ---------------------------------------------------------------------------------------------

# A number in a text: so many digits in all, so many of them after the point. Of a sum of ten, none
# is lost.
_TEXT_DIGITS, _TEXT_SCALE = 28, 10
_MOST_DIGITS = 38


def identity(rule: Identity, use: Use) -> Good:
    """Decimals are added exactly; a column of doubles makes doubles of all."""
    if not rule.terms:
        raise CannotExpress("invalid_rule", "it names no column to add")
    operands = [use.operand(name) for name in (rule.column, *(name for _, name in rule.terms))]
    floating = _floating(operands)
    whole, *parts = [_number(operand, bool(floating)) for operand in operands]
    signs = [sign for sign, _ in rule.terms]
    test = exp.EQ(this=whole, expression=_sum(signs, parts))
    caveats = tuple(dict.fromkeys(c for o in operands for c in o.caveats))
    caveats += unknown_type(*operands) + _told(operands, floating)
    tree = either(*ignored("any_missing", operands), or_false(test))
    return Good(tree, "pass", caveats)


def sum_is(rule: SumIs, use: Use) -> Good:
    """Of what a person wrote: a record passes where a value is missing, unless it counts as 0."""
    if not isinstance(rule.total, int | Decimal) or not rule.columns:
        raise CannotExpress("invalid_rule", "it has no total, or no columns")
    operands = [use.operand(name) for name in rule.columns]
    floating = _floating(operands)
    parts = [_number(operand, bool(floating)) for operand in operands]
    caveats = tuple(c for o in operands for c in o.caveats)
    caveats += unknown_type(*operands) + _told(operands, floating)
    if rule.missing == "zero":
        parts = [_or_zero(o, part) for o, part in zip(operands, parts, strict=True)]
        detail = "a missing value counts as 0, as it says"
        caveats += (Caveat("null_as_zero", detail),)
    test = or_false(exp.EQ(this=_sum([1] * len(parts), parts), expression=number(rule.total)))
    passes = ignored("any_missing", operands) if rule.missing is None else []
    return Good(either(*passes, test), "pass" if passes else "fail", caveats)


def _floating(operands: Sequence[Operand]) -> list[str]:
    """The columns of doubles. Raises CannotExpress for one that can't be added."""
    for operand in operands:
        if operand.family is not None and operand.family not in NUMBERS | TEXTS:
            raise type_mismatch(operand, "a sum")
    return [operand.name for operand in operands if operand.family in FLOATING]


def _or_zero(operand: Operand, part: Node) -> Node:
    missing = exp.If(this=either(*operand.missing()), true=number_literal(0))
    return exp.Case(ifs=[missing], default=part)


def _sum(signs: Sequence[int], parts: Sequence[Node]) -> Node:
    """`try_add` gives NULL, and no error, for a sum that is too large for any type."""
    tree = parts[0] if signs[0] == 1 else call("try_subtract", number_literal(0), parts[0])
    for sign, part in zip(signs[1:], parts[1:], strict=True):
        tree = call("try_add" if sign == 1 else "try_subtract", tree, part)
    return tree


def _number(operand: Operand, floating: bool) -> Node:
    """NULL for what is no number; NaN is none."""
    if operand.family in FLOATING:
        return exp.Nullif(this=operand.node(), expression=nan())
    if operand.family in NUMBERS:
        kind = "DOUBLE" if floating else "DECIMAL(20, 0)"
        as_is = operand.family == "decimal" and not floating
        return operand.node() if as_is else exp.cast(operand.node(), kind, dialect="databricks")
    kind = "DOUBLE" if floating else f"DECIMAL({_TEXT_DIGITS}, {_TEXT_SCALE})"
    text = shaped(operand.text(), exp.DataType.Type.DOUBLE)
    return exp.TryCast(this=text, to=exp.DataType.build(kind, dialect="databricks"), safe=True)


def _told(operands: Sequence[Operand], floating: Sequence[str]) -> tuple[Caveat, ...]:
    if floating:
        detail = f"{', '.join(floating)} are doubles, whose sums are rounded: 0.1 + 0.2 is not 0.3"
        return (Caveat("doubles_added", detail),)
    texts = [o.name for o in operands if o.family not in NUMBERS]
    if texts:
        before = _TEXT_DIGITS - _TEXT_SCALE
        detail = (
            f"the numbers in the texts of {', '.join(texts)} are added with {before} digits before "
            f"the point and {_TEXT_SCALE} after it; one that has more before it is bad"
        )
        return (Caveat("digits_added", detail),)
    before = max(digits(o.type)[0] for o in operands if o.type) + len(operands) - 1
    if before + max(digits(o.type)[1] for o in operands if o.type) > _MOST_DIGITS:
        detail = f"a sum has more than {_MOST_DIGITS} digits, of which Spark rounds the last ones"
        return (Caveat("digits_added", detail),)
    return ()
