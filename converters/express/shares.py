"""Shares of good records, and the number of different keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.express.computed import Computed, computed, stand_in
from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.flags import Flagged, out_of_scope
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import Node, both, call, either, negate, or_else
from ruleferry.converters.express.operand import CannotExpress
from ruleferry.converters.express.scopes import Tested
from ruleferry.converters.express.sets import ignored
from ruleferry.converters.express.sql_text import checked_text, number_literal, string_literal
from ruleferry.converters.predicates import (
    Absent,
    Compare,
    CountPresent,
    DistinctWithin,
    Identity,
    Ignore,
    PairIn,
    Predicate,
    Present,
    SameWithin,
    Scope,
    SqlText,
    SumIs,
)
from ruleferry.converters.rule import Caveat, Exists, Figure, Ordered, Row, Share, Unique

_Several: TypeAlias = Compare | PairIn | DistinctWithin | SameWithin | SumIs
_SEVERAL = (Compare, PairIn, DistinctWithin, SameWithin, SumIs)


def share_of_rows(rule: Share, check: Row, scope: Scope | None, use: Use) -> Flagged:
    """At least that share of the records that the rule checks is good; of none, all are.

    The records are those in scope that have a value: as Great Expectations counts them, all that
    are not ignored of a rule on several columns, and all of a rule about missing values.
    """
    found = good(check.predicate, use)
    out = out_of_scope(scope, use)
    inside = [] if out is None else [negate(out.tree)]
    one = either(*([out.tree.copy()] if out else []), found.tree.copy())
    detail = f"one record satisfies it where {checked_text(one)}: a rule to warn could count those"
    caveats = (*found.caveats, *(out.caveats if out else ()), Caveat("row_predicate", detail))
    tests = _counted(check.predicate, use) + inside
    bad = [*(node.copy() for node in inside), negate(found.tree)]
    return _reached(rule, Good(found.tree, found.nulls, caveats), tests, bad, ())


def share_of_flagged(rule: Share, flagged: Flagged, scope: Scope | None, use: Use) -> Flagged:
    """The same of a rule that needs a column of the checked table, which passes out of scope."""
    out: Tested | None = out_of_scope(scope, use)
    inside = [] if out is None else [negate(out.tree)]
    tests = _counted_of(rule, use) + inside
    columns = tuple(replace(column, over=column.over or "record") for column in flagged.columns)
    return _reached(rule, flagged.good, tests, [negate(flagged.good.tree)], columns)


def _reached(
    rule: Share, of: Good, tests: Sequence[Node], bad: Sequence[Node], needed: Sequence[Computed]
) -> Flagged:
    if not rule.threshold:
        raise CannotExpress("never_fails", "any share of the records is at least 0")
    number = len(needed) + 1
    checked = computed(number, "checked", count_where(tests))
    failed = computed(number + 1, "bad", count_where(bad))
    rest = exp.Sub(this=stand_in(checked), expression=stand_in(failed))
    ratio = call("try_divide", rest, stand_in(checked))
    reached = exp.GTE(this=ratio, expression=number_literal(rule.threshold))
    tree = or_else(reached, good=True)
    return Flagged(Good(tree, of.nulls, of.caveats), (*needed, checked, failed), "figures")


def _counted(predicate: Predicate, use: Use) -> list[Node]:
    """What a record must be, to be counted."""
    if isinstance(predicate, Present | Absent | CountPresent | SqlText):
        return []
    if isinstance(predicate, Identity):
        columns = (predicate.column, *(name for _, name in predicate.terms))
        return _not_ignored("any_missing", columns, use)
    if isinstance(predicate, _SEVERAL):
        return _not_ignored(predicate.ignore, _columns(predicate), use)
    return [*use.operand(predicate.column).present()]


def _counted_of(rule: Share, use: Use) -> list[Node]:
    match rule.row:
        case Unique():
            return _not_ignored(rule.row.ignore, rule.row.columns, use)
        case Ordered():
            return [*use.operand(rule.row.column).present()]
        case Figure():
            return [*use.operand(rule.row.columns[0]).present()]
        case Exists(lookup, missing="good"):
            return _not_ignored("any_missing", [name for name, _ in lookup.keys], use)
        case Exists():
            return []
    raise AssertionError(rule.row)


def _not_ignored(ignore: Ignore, columns: Sequence[str], use: Use) -> list[Node]:
    left_out = ignored(ignore, [use.operand(name) for name in columns])
    return [negate(either(*left_out))] if left_out else []


def _columns(predicate: _Several) -> tuple[str, ...]:
    if isinstance(predicate, Compare | PairIn):
        return predicate.left, predicate.right
    return predicate.columns


def count_where(tests: Sequence[Node]) -> Node:
    if not tests:
        return exp.Count(this=exp.Star())
    return call("count_if", both(*tests))


def unique(rule: Unique, scope: Scope | None, use: Use) -> Flagged:
    """The keys that are checked are as many as there are different ones: for a stream."""
    operands = [use.operand(name) for name in rule.columns]
    of_engine = rule.by_engine and use.kind == "sql"
    ignore: Ignore = "any_missing" if of_engine else rule.ignore
    tests = _not_ignored(ignore, rule.columns, use)
    caveats = tuple(caveat for operand in operands for caveat in operand.caveats)
    if (out := out_of_scope(scope, use)) is not None:
        tests.append(negate(out.tree))
        caveats += out.caveats
    parts = [(string_literal(f"key_{n}"), o.comparable()) for n, o in enumerate(operands, 1)]
    key = call("named_struct", *(node for part in parts for node in part))
    distinct: Node = exp.Count(this=exp.Distinct(expressions=[key]))
    if tests:
        seen = exp.Where(this=both(*[test.copy() for test in tests]))
        distinct = exp.Filter(this=distinct, expression=seen)
    keys, different = computed(1, "keys", count_where(tests)), computed(2, "different", distinct)
    tree = exp.EQ(this=stand_in(keys), expression=stand_in(different))
    return Flagged(Good(tree, "none", caveats), (keys, different), "figures")
