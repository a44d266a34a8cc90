"""Rules that compare a record with other records: tested on a column that the checked table adds.

A window function is evaluated over all rows of the table, so the number of rows stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.computed import Computed, Over, computed, stand_in
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import Node, call, either, is_null, nan
from ruleferry.converters.express.operand import MOMENTS, NUMBERS, CannotExpress, Operand
from ruleferry.converters.express.scopes import Tested, outside
from ruleferry.converters.express.sets import ignored
from ruleferry.converters.express.sql_text import column, number_literal
from ruleferry.converters.express.three_valued import always_true, never_true
from ruleferry.converters.express.values import type_mismatch
from ruleferry.converters.predicates import Ignore, Scope
from ruleferry.converters.rule import Caveat, Ordered, Unique
from ruleferry.converters.wording import scope_in_words

_SKIPPED_BY_SPARK = [parse_type(text) for text in ("bigint", "double", "int")]
# (descending, strictly) -> how a value stands to the one before it.
_ORDERS: Mapping[tuple[bool, bool], Callable[..., Node]] = {
    (False, False): exp.GTE,
    (False, True): exp.GT,
    (True, False): exp.LTE,
    (True, True): exp.LT,
}


@dataclass(frozen=True, slots=True)
class Flagged:
    """A condition on computed columns, which stand in it under their stand-ins."""

    good: Good
    columns: tuple[Computed, ...]
    over: Over = "record"


def unique(rule: Unique, scope: Scope | None, use: Use) -> Flagged:
    """Each combination of values occurs once among the records that are checked.

    Great Expectations flags all copies. A missing value of one column is never a copy; of several
    columns it is a value like others on pandas and Spark, while SQL engines pass a record that
    misses one (measured on 1.24.1).
    """
    operands = [use.operand(name) for name in rule.columns]
    for operand in operands:
        _refuse_no_key(operand, "equal values")
    out = out_of_scope(scope, use)
    keys = [operand.comparable() for operand in operands]
    copies = computed(1, "copies", exp.Window(this=_count(out), partition_by=keys))
    of_engine = rule.by_engine and use.kind == "sql"
    ignore: Ignore = "any_missing" if of_engine else rule.ignore
    once = exp.LTE(this=stand_in(copies), expression=number_literal(1))
    tree = either(*passing(out), *ignored(ignore, operands), once)
    caveats = tuple(c for operand in operands for c in operand.caveats)
    return Flagged(Good(tree, "pass", caveats + _nan(operands, use) + told(out)), (copies,))


def _count(out: Tested | None) -> Node:
    if out is None:
        return exp.Count(this=exp.Star())
    return call("count_if", in_scope(out))


def in_scope(out: Tested) -> Node:
    return exp.Not(this=exp.Paren(this=out.tree.copy()))


def out_of_scope(scope: Scope | None, use: Use, of_none: str = "never_fails") -> Tested | None:
    """None where every record is in scope. Raises CannotExpress, a gap `of_none`, where none is."""
    if scope is None:
        return None
    found = outside(scope, use.stated, use.types)
    if always_true(found.tree):
        reason = f"its row condition ({scope_in_words(scope)}) applies to no record"
        raise CannotExpress(of_none, reason)
    return None if never_true(found.tree) and not found.caveats else found


def passing(out: Tested | None) -> list[Node]:
    return [] if out is None or never_true(out.tree) else [out.tree]


def told(out: Tested | None) -> tuple[Caveat, ...]:
    return () if out is None else out.caveats


def _nan(operands: Sequence[Operand], use: Use) -> tuple[Caveat, ...]:
    names = [o.name for o in operands if o.type is None]
    if use.kind != "pandas" or not names:
        return ()
    detail = f"if {', '.join(names)} holds floating-point numbers, NaN in it is missing, too"
    return (Caveat("nan_unknown", detail),)


def _refuse_no_key(operand: Operand, what: str) -> None:
    if operand.type is not None and not operand.type.is_key:
        raise type_mismatch(operand, what)


def ordered(rule: Ordered, order_by: Sequence[str], scope: Scope | None, use: Use) -> Flagged:
    """Each value is no less (or no greater) than the one before it.

    Great Expectations takes the records in the order in which it finds them, which a table on
    Databricks does not keep: `order_by` are the columns that state one. It subtracts neighbours.
    pandas leaves out missing values; Spark does so where the type can hold NaN or is a plain whole
    number, else what follows a missing value passes; it counts times in days (source of 1.24.1).
    """
    operand = use.operand(rule.column)
    _refuse_order(operand, order_by, use)
    for name in order_by:
        _refuse_no_key(use.operand(name), "an order")
    out = out_of_scope(scope, use)
    order = exp.Order(expressions=[exp.Ordered(this=column(name)) for name in order_by])
    lag: Node = exp.Lag(this=_ordered_value(operand))
    if use.kind in ("pandas", "words") or operand.type in _SKIPPED_BY_SPARK:
        lag = exp.IgnoreNulls(this=lag)
    parts = [] if out is None else [out.tree.copy()]  # those out of scope are no neighbours
    before = computed(1, "before", exp.Window(this=lag, order=order, partition_by=parts))
    test = _ORDERS[rule.descending, rule.strictly](
        this=_ordered_value(operand), expression=stand_in(before)
    )
    first = is_null(stand_in(before))
    tree = either(*passing(out), is_null(_ordered_value(operand)), first, test)
    detail = f"the records are taken in the order of {', '.join(order_by)}, as configured"
    caveats = (*operand.caveats, *told(out), Caveat("order_given", detail))
    return Flagged(Good(tree, "pass", caveats), (before,))


def _refuse_order(operand: Operand, order_by: Sequence[str], use: Use) -> None:
    if not order_by:
        reason = "it compares a record with the one before it, and no column states their order"
        raise CannotExpress("no_order", reason)
    if operand.type is None:
        reason = f"how {operand.name} is ordered depends on its type, which is not known"
        raise CannotExpress("type_needed", reason)
    if operand.family not in NUMBERS | MOMENTS:
        reason = f"Great Expectations subtracts neighbours, and {operand.name} is no number or time"
        if use.kind == "words":
            reason = f"{operand.name} is no number or time, and has no order of its own"
        raise CannotExpress("type_mismatch", reason)


def _ordered_value(operand: Operand) -> Node:
    """NULL where it has no neighbours."""
    if operand.engine == "spark" and operand.family in MOMENTS - {"date"}:
        return exp.Cast(this=operand.node(), to=exp.DataType(this=exp.DataType.Type.DATE))
    if operand.engine == "spark" and operand.family == "double":
        return exp.Nullif(this=operand.node(), expression=nan())
    return operand.comparable()
