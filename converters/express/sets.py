"""Lists of values: of one column, and of pairs of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import Node, both, either, is_nan, negate, or_false
from ruleferry.converters.express.operand import MOMENTS, NUMBERS, TEXTS, CannotExpress, Operand
from ruleferry.converters.express.sql_text import string_literal
from ruleferry.converters.express.values import (
    Subject,
    cast_to,
    exactness,
    is_unlike,
    number_caveats,
    placed,
    subject,
    time_reader_caveats,
    time_type,
    type_mismatch,
    written_by_spark,
    zone_caveat,
)
from ruleferry.converters.predicates import Ignore, OneOf, PairIn, Value
from ruleferry.converters.rule import Caveat, Nulls

_Lists: TypeAlias = dict[Subject, list[Node]]


def one_of(rule: OneOf, use: Use) -> Good:
    operand = use.operand(rule.column)
    values = _distinct([v for v in rule.values if v is not None])
    lists, dropped = _lists_of(rule, operand, values)
    caveats = _null_in_set(rule, use) + operand.caveats + _told(operand, lists, values, dropped)
    if not lists:
        raise _certain(rule, dropped)
    if operand.engine == "words" and operand.family == "boolean" and len(lists["plain"]) > 1:
        raise CannotExpress("never_fails", f"{operand.name} is a truth value, and both are allowed")
    inside = either(*[_membership(operand, kind, nodes) for kind, nodes in lists.items()])
    missing = list(operand.missing())
    if operand.type is None and use.engine == "pandas" and "number" in lists:
        missing.append(is_nan(subject(operand, "number")))
    good = _outside(inside) if rule.negated else inside
    return Good(either(*missing, good), "pass", caveats)


def _outside(inside: Node) -> Node:
    return exp.Not(this=inside) if isinstance(inside, exp.In) else negate(inside)


def _null_in_set(rule: OneOf, use: Use) -> tuple[Caveat, ...]:
    """Spark: `x IN (…, NULL)` is never FALSE, and NULL counts as good (probe on 1.24.1)."""
    if None not in rule.values or use.kind == "words":  # there a missing value passes anyway
        return ()
    if use.engine != "pandas" and not rule.negated:
        raise CannotExpress(
            "never_fails",
            "its list holds a null: there the Spark and SQL engines let every value pass, while "
            "pandas ignores the null",
        )
    return (Caveat("null_in_set", "the null in its list never matches a value and is left out"),)


def _certain(rule: OneOf, dropped: Sequence[Value]) -> CannotExpress:
    code = "never_fails" if rule.negated else "never_passes"
    if dropped:
        shown = ", ".join(map(str, dropped[:5]))
        return CannotExpress(
            code, f"no value of its list can match a value of the column ({shown})"
        )
    return CannotExpress(code, "its list of values is empty")


def _distinct(values: Sequence[Value]) -> list[Value]:
    seen = {(type(v) is bool, v): v for v in reversed(values)}
    return list(reversed(seen.values()))


def _lists_of(
    rule: OneOf, operand: Operand, values: Sequence[Value]
) -> tuple[_Lists, Sequence[Value]]:
    if rule.as_times and not (operand.engine == "pandas" and operand.family in MOMENTS):
        return _times(operand, values)
    if rule.as_written and is_unlike(operand, values):
        kind: Subject = "plain" if operand.family in TEXTS else "text"
        return {kind: [string_literal(written_by_spark(operand, v)) for v in values]}, ()
    return _lists(operand, values)


def _times(operand: Operand, values: Sequence[Value]) -> tuple[_Lists, Sequence[Value]]:
    """The Dataset API read the list as times; the column, too, on Spark, and on pandas never."""
    if operand.engine == "pandas" and operand.family in TEXTS:
        return {}, values
    if operand.family is not None and operand.family not in TEXTS:
        raise type_mismatch(operand, "texts that are read as times")
    kind = time_type(operand)
    return {"time": [cast_to(string_literal(str(value)), kind) for value in values]}, ()


def _lists(operand: Operand, values: Sequence[Value]) -> tuple[_Lists, list[Value]]:
    lists: dict[Subject, list[Node]] = {}
    dropped: list[Value] = []
    for value in values:
        place = placed(operand, value)
        if place is None:
            dropped.append(value)
        elif operand.family != "boolean" or place[1] not in lists.get(place[0], ()):
            lists.setdefault(place[0], []).append(place[1])
    return lists, dropped


def _membership(operand: Operand, kind: Subject, nodes: list[Node]) -> Node:
    test = exp.In(this=subject(operand, kind), expressions=nodes)
    return or_false(test) if kind in ("number", "time") else test


def _told(
    operand: Operand,
    kinds: Sequence[Subject] | dict[Subject, list[Node]],
    values: Sequence[Value],
    dropped: Sequence[Value],
) -> tuple[Caveat, ...]:
    caveats: tuple[Caveat, ...] = unknown_type(operand)
    if "time" in kinds:
        caveats += time_reader_caveats(operand, dateutil=True)
    if operand.family in TEXTS and "number" in kinds:
        caveats += number_caveats(operand)
    if operand.engine == "words" and operand.family not in NUMBERS and "number" in kinds:
        caveats += exactness(operand, [v for v in values if not isinstance(v, bool)])
    if operand.family in NUMBERS:
        caveats += exactness(operand, [v for v in values if not isinstance(v, bool)])
    if operand.family in MOMENTS:
        caveats += zone_caveat(operand) + _dates_as_texts(operand)
    if dropped:
        caveats += (_left_out(operand, dropped),)
    return caveats


def _left_out(operand: Operand, dropped: Sequence[Value]) -> Caveat:
    """pandas finds that nothing equals the value; Spark under ANSI raises for the whole rule."""
    shown = ", ".join(map(str, dropped[:5]))
    if operand.engine in ("pandas", "words"):
        detail = f"left out, since no value of {operand.name} equals it: {shown}"
        return Caveat("values_never_match", detail)
    detail = f"left out, since Spark can't compare it with {operand.name} and refuses to: {shown}"
    return Caveat("values_refused", detail)


def _dates_as_texts(operand: Operand) -> tuple[Caveat, ...]:
    if operand.engine != "pandas":
        return ()
    detail = f"{operand.name} holds dates and the list holds texts, which pandas may never match"
    return (Caveat("dates_as_texts", detail),)


# Pairs --------------------------------------------------------------------------------------------


def pair_in(rule: PairIn, use: Use) -> Good:
    left, right = use.operand(rule.left), use.operand(rule.right)
    pairs = [pair for pair in dict.fromkeys(rule.pairs) if not _is_ignored(pair, rule.ignore)]
    tests = [t for t in (_pair(left, a, right, b) for a, b in pairs) if t is not None]
    ignore: Ignore = rule.ignore
    if use.kind == "words" and ignore == "all_missing" and not any(None in p for p in rule.pairs):
        ignore = "any_missing"  # a missing value is in no list, and passes all of them
    if not tests:
        raise CannotExpress("never_passes", "no pair of its list can match the two columns")
    caveats = left.caveats + right.caveats
    for operand, values in ((left, [a for a, _ in pairs]), (right, [b for _, b in pairs])):
        caveats += _pair_caveats(operand, values, rule)
    nulls: Nulls = "pass" if ignore == "any_missing" else "fail"
    return Good(either(*ignored(ignore, (left, right)), *tests), nulls, caveats)


def _is_ignored(pair: tuple[Value, Value], ignore: Ignore) -> bool:
    """A pair that only says of an unchecked record that it is good."""
    if ignore == "never":
        return False
    return pair == (None, None) or (ignore == "any_missing" and None in pair)


def _pair_caveats(operand: Operand, values: Sequence[Value], rule: PairIn) -> tuple[Caveat, ...]:
    given = [v for v in values if v is not None]
    lists, dropped = _lists(operand, given)
    told = _told(operand, lists, given, dropped)
    unlike = [v for v in given if rule.as_written and is_unlike(operand, [v])]
    if not unlike:
        return told
    shown = ", ".join(map(str, unlike[:5]))
    detail = f"Spark 3 may compare {operand.name} otherwise with: {shown}"
    return (*told, Caveat("values_converted", detail))


def _pair(left: Operand, a: Value, right: Operand, b: Value) -> Node | None:
    first, second = _equal(left, a), _equal(right, b)
    return both(first, second) if first is not None and second is not None else None


def _equal(operand: Operand, value: Value) -> Node | None:
    """Two-valued: a missing value equals only a missing one, but on a database also any other:
    there the comparison is unknown, and counts as good (the tests run SQLite)."""
    if value is None:
        return either(*operand.missing())
    place = placed(operand, value)
    if place is None:
        return None
    kind, literal = place
    if operand.engine == "sql":
        test = exp.EQ(this=subject(operand, kind), expression=literal)
        return either(*operand.missing(), or_false(test) if kind == "number" else test)
    return exp.NullSafeEQ(this=subject(operand, kind), expression=literal)


def ignored(ignore: Ignore, operands: Sequence[Operand]) -> list[Node]:
    """The terms that let a record pass unchecked."""
    if ignore == "never":
        return []
    missing = [either(*operand.missing()) for operand in operands]
    if ignore == "all_missing":
        return [both(*missing)]
    return [term for operand in operands for term in operand.missing()]
