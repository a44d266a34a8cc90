"""A date or time beside today, or beside this moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ruleferry.converters.express.functions import call
from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import Node, either, or_false
from ruleferry.converters.express.operand import MOMENTS, TEXTS, CannotExpress, Operand
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.express.values import cast_to, type_mismatch
from ruleferry.converters.predicates import AgainstToday
from ruleferry.converters.rule import Caveat

_Type = exp.DataType.Type
_MOST_DAYS = 500_000
_TESTS: Mapping[str, Callable[..., Node]] = {
    "=": exp.EQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip


def against_today(rule: AgainstToday, use: Use) -> Good:
    """A date is compared by its day, also with this moment; a text that is none is bad."""
    operand = use.operand(rule.column)
    if abs(rule.days) > _MOST_DAYS:
        raise CannotExpress("invalid_rule", f"no date lies {abs(rule.days)} days from today")
    if operand.type is not None and operand.family not in MOMENTS | TEXTS:
        raise type_mismatch(operand, "a date")
    by_moment = rule.now and operand.family != "date"
    value = _moment(operand) if by_moment else _day(operand)
    bound = _now(operand, rule.days) if by_moment else _today(rule.days)
    test = _TESTS[rule.operator](this=value, expression=bound)
    good = test if operand.family in MOMENTS else or_false(test)
    caveats = operand.caveats + unknown_type(operand) + _told(operand, by_moment)
    return Good(either(*operand.missing(), good), "pass", caveats)


def _day(operand: Operand) -> Node:
    if operand.family == "date":
        return operand.node()
    if operand.family in MOMENTS:
        return cast_to(operand.node(), _Type.DATE)
    return operand.guarded(_Type.DATE)


def _moment(operand: Operand) -> Node:
    return operand.node() if operand.family in MOMENTS else operand.guarded(_Type.TIMESTAMP)


def _today(days: int) -> Node:
    today = call("current_date", [])
    return call("date_add", [today, number_literal(days)]) if days else today


def _now(operand: Operand, days: int) -> Node:
    """In the type of the column: a time without a zone beside the clock of the session."""
    now = call("current_timestamp", [])
    if days:
        size = exp.Interval(this=exp.Literal.string(str(abs(days))), unit=exp.Var(this="DAY"))
        now = (exp.Add if days > 0 else exp.Sub)(this=now, expression=size)
    return cast_to(now, _Type.TIMESTAMPNTZ) if operand.family == "timestamp_ntz" else now


def _told(operand: Operand, by_moment: bool) -> tuple[Caveat, ...]:
    detail = f"{operand.name} is compared with the time at which the check runs"
    clock = Caveat("reads_clock", detail)
    if not by_moment or operand.family == "timestamp":
        return (clock,)
    zone = f"{operand.name} is read in the session's time zone where it states none"
    return clock, Caveat("session_time_zone", zone)
