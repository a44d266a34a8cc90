"""Which truth values a predicate can have at all, as far as its literals tell.

An over-estimate: a value that is not in the answer can't occur; one that is in it may not either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.express.functions import called, function
from ruleferry.converters.express.literals import is_day
from ruleferry.converters.express.nullness import bare, null_causes
from ruleferry.converters.express.tree_shape import shape

Outcomes: TypeAlias = frozenset[bool | None]
# What is known of an expression: nothing (None), that it is NULL (()), or its value with its kind.
Known: TypeAlias = tuple[()] | tuple[str, object] | None

_ANY: Outcomes = frozenset({True, False, None})
_UNKNOWN: Outcomes = frozenset({None})
_NULL: Known = ()

_COMPARE: dict[type[exp.Expression], Callable[[int], bool]] = {
    exp.EQ: lambda order: order == 0,
    exp.NEQ: lambda order: order != 0,
    exp.LT: lambda order: order < 0,
    exp.LTE: lambda order: order <= 0,
    exp.GT: lambda order: order > 0,
    exp.GTE: lambda order: order >= 0,
}
_PREDICATES = (
    *_COMPARE,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.Not,
    exp.And,
    exp.Or,
    exp.Is,
    exp.In,
    exp.Between,
)
_PASS_NULL_ON = (
    exp.Like,
    exp.ILike,
    exp.RegexpLike,
    exp.Escape,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.IntDiv,
    exp.Neg,
    exp.DPipe,
    exp.Cast,
    exp.Dot,
    exp.Bracket,
)


def outcomes(predicate: exp.Expression, *, missing: bool = False) -> Outcomes:
    """`missing`: for the row in which every column is NULL."""
    node = bare(predicate)
    if isinstance(node, exp.Not):
        return frozenset(v if v is None else not v for v in outcomes(node.this, missing=missing))
    if isinstance(node, exp.And | exp.Or):
        return _of_chain(node, missing)
    if isinstance(node, exp.Is):
        return _of_is(node, missing)
    if type(node) in _COMPARE:
        return _of_comparison(node, missing)
    if isinstance(node, exp.NullSafeEQ | exp.NullSafeNEQ):
        return _of_null_safe(node, missing)
    if isinstance(node, exp.In):
        return _of_in(node, missing)
    if isinstance(node, exp.Between):
        return _of_between(node, missing)
    if isinstance(node, exp.Case):
        return _of_case(node, missing)
    return _of_other(node, missing)


def _of_chain(node: exp.Expression, missing: bool) -> Outcomes:
    decisive = isinstance(node, exp.Or)
    found: Outcomes = frozenset({not decisive})
    kind = type(node)
    waiting = [node]
    while waiting:
        part = bare(waiting.pop())
        if type(part) is kind:
            waiting += [part.args["expression"], part.args["this"]]
            continue
        others = outcomes(part, missing=missing)
        found = frozenset(_together(a, b, decisive) for a in found for b in others)
    return found


def _together(a: bool | None, b: bool | None, decisive: bool) -> bool | None:
    if decisive in (a, b) and (a is decisive or b is decisive):
        return decisive
    return None if a is None or b is None else not decisive


def _of_is(node: exp.Is, missing: bool) -> Outcomes:
    asked = bare(node.expression)
    if isinstance(asked, exp.Boolean):
        inner = outcomes(node.this, missing=missing)
        found = frozenset(value is bool(asked.this) for value in inner)
    else:
        found = _is_null(node.this, missing)
    return frozenset(not v for v in found) if node.args.get("negate") else found


def _is_null(node: exp.Expression, missing: bool) -> frozenset[bool]:
    value = known(node, missing)
    if value == _NULL:
        return frozenset({True})
    if value is not None or not null_causes(node):
        return frozenset({False})
    return frozenset({True, False})


def _of_comparison(node: exp.Expression, missing: bool) -> Outcomes:
    return _compare(_COMPARE[type(node)], node.this, node.args["expression"], missing)


def _compare(
    test: Callable[[int], bool], left: exp.Expression, right: exp.Expression, missing: bool
) -> Outcomes:
    a, b = known(left, missing), known(right, missing)
    if _NULL in (a, b):
        return _UNKNOWN
    order = _order(a, b)
    if order is not None:
        return frozenset({test(order)})
    nulls: Outcomes = frozenset() if _never_null(left, a) and _never_null(right, b) else _UNKNOWN
    if type(left) is type(right) and shape(left) == shape(right):
        return nulls | {test(0)}
    return nulls | {True, False}


def _never_null(node: exp.Expression, value: Known) -> bool:
    return value is not None or not null_causes(node)


def _order(left: Known, right: Known) -> int | None:
    if not left or not right or left[0] != right[0]:
        return None
    a, b = left[1], right[1]
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return (a > b) - (a < b)
    if isinstance(a, bool) and isinstance(b, bool):
        return int(a) - int(b)
    if isinstance(a, str) and isinstance(b, str):
        return (a > b) - (a < b)
    return None


def _of_null_safe(node: exp.Expression, missing: bool) -> Outcomes:
    left, right = known(node.this, missing), known(node.args["expression"], missing)
    same: Outcomes = frozenset({True, False})
    if (left == _NULL and right == _NULL) or shape(node.this) == shape(node.args["expression"]):
        same = frozenset({True})
    elif _NULL in (left, right) and (left or right):
        same = frozenset({False})
    elif (order := _order(left, right)) is not None:
        same = frozenset({order == 0})
    return frozenset(not v for v in same) if isinstance(node, exp.NullSafeNEQ) else same


def _of_in(node: exp.In, missing: bool) -> Outcomes:
    """An OR of equalities."""
    if not node.expressions:
        return _ANY
    found: Outcomes = frozenset({False})
    for value in node.expressions:
        equal = _compare(_COMPARE[exp.EQ], node.this, value, missing)
        found = frozenset(_together(a, b, True) for a in found for b in equal)
    return found


def _of_between(node: exp.Between, missing: bool) -> Outcomes:
    subject, low, high = node.this, node.args["low"], node.args["high"]
    order = _order(known(low, missing), known(high, missing))
    over = _compare(_COMPARE[exp.GTE], subject, low, missing)
    under = _compare(_COMPARE[exp.LTE], subject, high, missing)
    found = frozenset(_together(a, b, False) for a in over for b in under)
    return found - {True} if order is not None and order > 0 else found


def _of_case(node: exp.Case, missing: bool) -> Outcomes:
    arms = [arm.args["true"] for arm in node.args["ifs"]]
    default = node.args.get("default")
    found = frozenset(v for arm in arms for v in outcomes(arm, missing=missing))
    return found | (outcomes(default, missing=missing) if default else _UNKNOWN)


def _of_other(node: exp.Expression, missing: bool) -> Outcomes:
    value = known(node, missing)
    if value == _NULL:
        return _UNKNOWN
    if value and isinstance(value[1], bool):
        return frozenset({value[1]})
    return _ANY if null_causes(node) else frozenset({True, False})


# Values -------------------------------------------------------------------------------------------


def known(node: exp.Expression, missing: bool) -> Known:
    """What is known of the value: nothing, that it is NULL, or a constant."""
    node = bare(node)
    if isinstance(node, exp.Null) or (missing and isinstance(node, exp.Column)):
        return _NULL
    if isinstance(node, exp.Literal):
        return ("text", node.this) if node.is_string else ("number", Decimal(node.this))
    if isinstance(node, exp.Boolean):
        return ("boolean", bool(node.this))
    if isinstance(node, exp.Neg):
        return _negative(known(node.this, missing))
    if isinstance(node, exp.Coalesce):
        return _first_known([node.this, *node.expressions], missing)
    if isinstance(node, exp.Nullif):
        return _NULL if known(node.this, missing) == _NULL else None
    if isinstance(node, _PREDICATES):
        return _settled(outcomes(node, missing=missing))
    if _is_null_if_an_operand_is(node) and _any_null(node.iter_expressions(), missing):
        return _NULL
    if type(node) is exp.Cast and isinstance(node.this, exp.Literal):
        return _constant(node)
    return None


def _settled(found: Outcomes) -> Known:
    if len(found) != 1:
        return None
    (value,) = found
    return _NULL if value is None else ("boolean", value)


def _negative(value: Known) -> Known:
    if value and isinstance(value[1], Decimal):
        return ("number", -value[1])
    return _NULL if value == _NULL else None


def _first_known(nodes: Iterable[exp.Expression], missing: bool) -> Known:
    for node in nodes:
        value = known(node, missing)
        if value != _NULL:
            return value
    return _NULL


def _is_null_if_an_operand_is(node: exp.Expression) -> bool:
    if isinstance(node, _PASS_NULL_ON):
        return True
    call = called(node)
    if call is None:
        return False
    row = function(call[0], len(call[1]))
    return row is not None and row.nulls in ("args", "more")


def _any_null(nodes: Iterable[exp.Expr], missing: bool) -> bool:
    return any(isinstance(n, exp.Expression) and known(n, missing) == _NULL for n in nodes)


def _constant(node: exp.Cast) -> Known:
    """Days in full compare as their texts do."""
    text = node.this.name
    is_date = node.args["to"].this == exp.DataType.Type.DATE
    return ("day", text) if is_date and is_day(text) else None
