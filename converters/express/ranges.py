"""Bounds: a value's range and a text's length."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import (
    Limit,
    Maker,
    Node,
    between,
    both,
    call,
    either,
    is_nan,
    or_else,
)
from ruleferry.converters.express.operand import (
    FLOATING,
    MOMENTS,
    NUMBERS,
    TEXTS,
    CannotExpress,
    Operand,
)
from ruleferry.converters.express.sql_text import string_literal
from ruleferry.converters.express.values import (
    cast_to,
    exactness,
    guarded_number,
    moment_literal,
    moment_of,
    number,
    number_caveats,
    rendered,
    time_reader_caveats,
    time_type,
    type_mismatch,
    written,
    zone_caveat,
)
from ruleferry.converters.predicates import Length, Range, Value
from ruleferry.converters.rule import Caveat

_Type = exp.DataType.Type
_Sort: TypeAlias = Literal["number", "moment", "text"]


def in_range(rule: Range, use: Use) -> Good:
    operand = use.operand(rule.column)
    sort = _sort(rule)
    _refuse_empty(rule)
    if sort == "number":
        return _numbers(rule, operand)
    if sort == "moment" and rule.as_times and operand.family in TEXTS:
        return _texts_as_times(rule, operand)
    if sort == "moment":
        return _moments(rule, operand)
    return _texts(rule, operand)


def _sort(rule: Range) -> _Sort:
    bounds = [b for b in (rule.low, rule.high) if b is not None]
    if not bounds:
        raise CannotExpress("invalid_rule", "it has neither a lower nor an upper bound")
    sorts = {_sort_of(b) for b in bounds}
    if len(sorts) > 1:
        raise CannotExpress("invalid_rule", "its bounds are of different types")
    return sorts.pop()


def _sort_of(value: Value) -> _Sort:
    if isinstance(value, str):
        return "text"
    return "moment" if isinstance(value, date) else "number"


def _refuse_empty(rule: Range | Length) -> None:
    low, high = rule.low, rule.high
    if low is None or high is None:
        return
    if isinstance(low, date) and isinstance(high, date):
        low, high = str(low), str(high)
    empty = low > high or (low == high and (rule.low_open or rule.high_open))  # type: ignore[operator]
    if empty:
        raise CannotExpress("never_passes", f"no value lies between {low} and {high}")


def _limits(
    rule: Range | Length, literal: Callable[[Value], Node]
) -> tuple[Limit | None, Limit | None]:
    low = None if rule.low is None else Limit(literal(rule.low), rule.low_open)
    high = None if rule.high is None else Limit(literal(rule.high), rule.high_open)
    return low, high


# Numbers ------------------------------------------------------------------------------------------


def _numbers(rule: Range, operand: Operand) -> Good:
    low, high = _limits(rule, number)
    if operand.family in NUMBERS or _counts_as_number(operand):
        inside = between(lambda: _as_number(operand), low, high)
        if operand.engine == "words" and high is None and operand.family in FLOATING:
            inside = both(inside, exp.Not(this=is_nan(operand.node())))  # to people it is no number
        caveats = exactness(operand, [rule.low, rule.high])
        return Good(either(*operand.missing(), inside), "pass", operand.caveats + caveats)
    return _guarded_numbers(rule, operand, lambda number: between(number, low, high))


def _counts_as_number(operand: Operand) -> bool:
    """For pandas True is 1; Spark refuses to compare a truth value with a number."""
    return operand.engine == "pandas" and operand.family == "boolean"


def _as_number(operand: Operand) -> Node:
    return cast_to(operand.node(), _Type.INT) if _counts_as_number(operand) else operand.node()


def _guarded_numbers(rule: Range, operand: Operand, test: Callable[[Maker], Node]) -> Good:
    """A column whose type is unknown, or text that holds numbers."""
    number = guarded_number(operand)
    missing = list(operand.missing())
    if operand.engine == "pandas" and operand.type is None:
        missing.append(is_nan(number()))
    caveats = operand.caveats + number_caveats(operand, rule.unknown)
    if operand.engine == "words":
        caveats += exactness(operand, [rule.low, rule.high])
    inside = or_else(test(number), good=rule.unknown == "good")
    return Good(either(*missing, inside), "pass", caveats)


# Dates and times ----------------------------------------------------------------------------------


def _moments(rule: Range, operand: Operand) -> Good:
    """Typed bounds (dates of 1.x): for a column of dates or times; guarded where unknown."""
    if operand.engine == "words":
        return _days_or_times(rule, operand)
    if operand.family in MOMENTS:
        inside = between(operand.node, *_limits(rule, lambda v: moment_literal(v, operand)))
        caveats = operand.caveats + _zone(rule, operand) + _refused_before(rule, operand)
        return Good(either(*operand.missing(), inside), "pass", caveats)
    if operand.type is not None:
        raise type_mismatch(operand, "dates")
    limits = _limits(rule, _local_moment(operand))
    inside = between(lambda: operand.guarded(_Type.TIMESTAMPNTZ), *limits)
    caveats = operand.caveats + unknown_type(operand)
    caveats += time_reader_caveats(operand) if rule.as_times else ()
    good = or_else(inside, good=rule.unknown == "good")
    return Good(either(*operand.missing(), good), "pass", caveats)


def _days_or_times(rule: Range, operand: Operand) -> Good:
    """Until a day is until its end: a bound without a time of day is compared with days."""
    if operand.type is not None and operand.family not in MOMENTS | TEXTS:
        raise type_mismatch(operand, "dates")
    by_day = not any(isinstance(bound, datetime) for bound in (rule.low, rule.high))
    if operand.family in MOMENTS:
        limits = _limits(rule, lambda v: moment_literal(v, operand))
        inside = between(lambda: _day_or_time(operand, by_day), *limits)
        caveats = operand.caveats + _zone(rule, operand)
        return Good(either(*operand.missing(), inside), "pass", caveats)
    kind = _Type.DATE if by_day else time_type(operand)
    literal = (lambda v: moment_literal(v, operand)) if by_day else _local_moment(operand)
    inside = between(lambda: operand.guarded(kind), *_limits(rule, literal))
    good = or_else(inside, good=rule.unknown == "good")
    told = () if by_day else time_reader_caveats(operand)
    caveats = operand.caveats + unknown_type(operand) + told
    return Good(either(*operand.missing(), good), "pass", caveats)


def _day_or_time(operand: Operand, by_day: bool) -> Node:
    if by_day and operand.family != "date":
        return cast_to(operand.node(), _Type.DATE)
    return operand.node()


def _texts_as_times(rule: Range, operand: Operand) -> Good:
    """Spark reads the text in the session's time zone where it states none, dateutil in no zone."""
    kind = time_type(operand)
    literal = _local_moment(operand) if kind == _Type.TIMESTAMPNTZ else _zoned_moment
    inside = between(lambda: operand.guarded(kind), *_limits(rule, literal))
    good = or_else(inside, good=rule.unknown == "good")
    caveats = operand.caveats + time_reader_caveats(operand)
    return Good(either(*operand.missing(), good), "pass", caveats)


def _zoned_moment(value: Value) -> Node:
    return cast_to(string_literal(written(value)), _Type.TIMESTAMP)


def _zone(rule: Range, operand: Operand) -> tuple[Caveat, ...]:
    """A bound with an offset of its own does not depend on the session."""
    bounds = [b for b in (rule.low, rule.high) if b is not None]
    fixed = all(isinstance(b, datetime) and b.tzinfo is not None for b in bounds)
    return () if fixed else zone_caveat(operand)


def _local_moment(operand: Operand) -> Callable[[Value], Node]:
    """A column of unknown type is read without a time zone, and so must be its bounds."""

    def literal(value: Value) -> Node:
        if isinstance(value, datetime) and value.tzinfo is not None:
            raise type_mismatch(operand, "a time that has a time zone")
        return cast_to(string_literal(written(value)), _Type.TIMESTAMPNTZ)

    return literal


def _refused_before(rule: Range, operand: Operand) -> tuple[Caveat, ...]:
    """pandas compares neither a timestamp with a date nor a date with a time of day (1.24.1)."""
    bounds = [b for b in (rule.low, rule.high) if b is not None]
    by_day = operand.family == "date"
    alike = all(isinstance(b, datetime) != by_day for b in bounds)
    if operand.engine != "pandas" or alike:
        return ()
    declared = operand.type.text if operand.type else ""
    bound = "a time of day" if by_day else "a date"
    detail = f"pandas refuses to compare {declared} with {bound}, so the rule may never have run"
    return (Caveat("refused_before", detail),)


# Text ---------------------------------------------------------------------------------------------


def _texts(rule: Range, operand: Operand) -> Good:
    """Bounds that are text (0.x): texts compare by code points, dates as dates."""
    if operand.family in TEXTS:
        inside = between(operand.node, *_limits(rule, lambda v: string_literal(str(v))))
        return Good(either(*operand.missing(), inside), "pass", operand.caveats)
    if operand.family is None or operand.family in MOMENTS:
        dated = _dated(rule)
        read_by_day = operand.engine not in ("pandas", "words")
        if dated is not None and operand.family == "date" and read_by_day:
            return _days(dated, operand)
        if dated is not None:
            return _moments(dated, operand)
    if operand.family is None:
        inside = between(operand.text, *_limits(rule, lambda v: string_literal(str(v))))
        caveats = operand.caveats + unknown_type(operand)
        return Good(either(*operand.missing(), inside), "pass", caveats)
    raise type_mismatch(operand, "texts")


def _days(rule: Range, operand: Operand) -> Good:
    """0.x hands the text to Spark, which reads it as a date and drops a time of day."""
    low, high = (b.date() if isinstance(b, datetime) else b for b in (rule.low, rule.high))
    found = _moments(Range(rule.column, low, high, rule.low_open, rule.high_open), operand)
    if (low, high) == (rule.low, rule.high):
        return found
    detail = f"{operand.name} is a date: the time of day of its bound is dropped"
    return Good(found.tree, found.nulls, (*found.caveats, Caveat("bound_cut_to_day", detail)))


def _dated(rule: Range) -> Range | None:
    """The rule with its texts as dates, where each of them is one."""
    low, high = moment_of(rule.low), moment_of(rule.high)
    if (low is None) != (rule.low is None) or (high is None) != (rule.high is None):
        return None
    return Range(rule.column, low, high, rule.low_open, rule.high_open)


# Lengths ------------------------------------------------------------------------------------------


def of_length(rule: Length, use: Use) -> Good:
    operand = use.operand(rule.column)
    if rule.low is None and rule.high is None:
        raise CannotExpress("invalid_rule", "it has neither a lower nor an upper bound")
    _refuse_empty(rule)
    _refuse_certain(rule)
    if operand.family == "nested" or _has_no_length(rule, operand):
        raise type_mismatch(operand, "a length of text")
    inside = _lengths(rule, lambda: _length(operand, rule.in_bytes))
    caveats = operand.caveats + unknown_type(operand) + rendered(operand)
    return Good(either(*operand.missing(), inside), "pass", caveats)


def _has_no_length(rule: Length, operand: Operand) -> bool:
    """A person who states the length of a number may mean its digits, or how wide its field is."""
    texts = TEXTS | {None} | ({"binary"} if rule.in_bytes else set[str]())
    return operand.engine == "words" and operand.family not in texts


def _length(operand: Operand, in_bytes: bool) -> Node:
    """The number of characters, or what else the source's LENGTH counts."""
    value = operand.node() if operand.family == "binary" else operand.text()
    counted = operand.database.length if operand.database else ""
    if in_bytes or counted == "bytes":
        return call("octet_length", value)
    return exp.Length(this=call("rtrim", value) if counted == "trimmed" else value)


def _lengths(rule: Length, length: Maker) -> Node:
    if rule.low is not None and rule.low == rule.high:
        return exp.EQ(this=length(), expression=number(rule.low))
    return between(length, *_limits(rule, number))


def _refuse_certain(rule: Length) -> None:
    low, high = rule.low, rule.high
    if isinstance(high, int | Decimal) and (high < 0 or (high == 0 and rule.high_open)):
        raise CannotExpress("never_passes", f"no text is shorter than {high} characters")
    if (
        high is None
        and isinstance(low, int | Decimal)
        and (low < 0 or (low == 0 and not rule.low_open))
    ):
        raise CannotExpress("never_fails", f"every text has at least {low} characters")
