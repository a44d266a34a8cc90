"""DATEADD and DATEDIFF: steps from one point in time to another."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.date_units import unit_of
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import (
    family,
    literal_text,
    refuse,
    said,
    whole_literal,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import BIGINT, DATE, INT, TIMESTAMP

_CLOCK_UNITS = ("hour", "minute", "second")
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}
_TIMES = ("date", "timestamp", "timestamp_ntz")
_MOST = 99_999


# Differences --------------------------------------------------------------------------------------

# How often a unit begins between _1 and _2.
_BEGINS: Mapping[str, str] = {
    "year": "year(_2) - year(_1)",
    "quarter": "year(_2) * 4 + quarter(_2) - (year(_1) * 4 + quarter(_1))",
    "month": "year(_2) * 12 + month(_2) - (year(_1) * 12 + month(_1))",
    "day": "datediff(_2, _1)",
}
_SUNDAYS = "datediff(trunc(date_add(_2, 1), 'WEEK'), trunc(date_add(_1, 1), 'WEEK')) DIV 7"
_MONDAYS = "datediff(trunc(_2, 'WEEK'), trunc(_1, 'WEEK')) DIV 7"
_CLOCK_BEGINS = "(unix_timestamp(date_trunc(_3, _2)) - unix_timestamp(date_trunc(_3, _1))) DIV _4"


def begun(unit: str, start: Term, end: Term, here: Dialectal) -> Term:
    """How many borders of the unit lie between both, as DATEDIFF of SQL Server counts."""
    if unit in _BEGINS:
        return said(_BEGINS[unit], start.tree, end.tree, kind=INT)
    if unit in ("week", "isoweek"):
        monday = unit == "isoweek" or _week_starts_on_monday(here)
        return said(_MONDAYS if monday else _SUNDAYS, start.tree, end.tree, kind=BIGINT)
    if unit in _CLOCK_UNITS:
        _want_times(start, end)
        return _clock(_CLOCK_BEGINS, unit, start, end)
    raise refuse(f"a difference in {unit}s is not carried over")


def _week_starts_on_monday(here: Dialectal) -> bool:
    """SQL Server counts Sundays whatever DATEFIRST is."""
    if here.dialect.name == "tsql":
        return False
    start = (here.settings.week_start or "").lower()
    if here.dialect.name == "bigquery":
        return False
    if start not in ("", "monday", "sunday"):
        raise refuse("a week that begins on another day than Sunday or Monday is not carried over")
    return start != "sunday" and here.dialect.name != "redshift"


def _want_times(*terms: Term) -> None:
    if any(family(term) not in _TIMES for term in terms):
        raise refuse("a difference of hours, minutes or seconds is certain for times only")


def _clock(template: str, unit: str, start: Term, end: Term) -> Term:
    word, seconds = exp.Literal.string(unit.upper()), exp.Literal.number(_SECONDS[unit])
    return said(template, start.tree, end.tree, word, seconds, kind=BIGINT)


# Complete units between _1 and _2; _3 and _4 are what of each lies within the unit.
_COMPLETE: Mapping[str, str] = {
    "year": "year(_2) - year(_1)",
    "month": "year(_2) * 12 + month(_2) - (year(_1) * 12 + month(_1))",
}
_CORRECTED = (
    "_5 - CASE WHEN _2 >= _1 AND _4 < _3 THEN 1 WHEN _2 < _1 AND _4 > _3 THEN -1 ELSE 0 END"
)
_WITHIN = {"year": "MM-dd HH:mm:ss", "month": "dd HH:mm:ss"}


def completed(unit: str, start: Term, end: Term, here: Dialectal) -> Term:
    """How many whole units lie between both, as TIMESTAMPDIFF of MySQL counts."""
    if unit == "quarter":
        return said("_1 DIV 3", completed("month", start, end, here).tree, kind=BIGINT)
    if unit in _COMPLETE:
        return _completed_dates(unit, start, end)
    dates = family(start) == family(end) == "date"
    if unit == "day" and dates:
        return said("datediff(_2, _1)", start.tree, end.tree, kind=INT)
    if unit == "week" and dates:
        return said("datediff(_2, _1) DIV 7", start.tree, end.tree, kind=BIGINT)
    seconds = {**_SECONDS, "day": 86_400, "week": 604_800}.get(unit)
    if seconds is None:
        raise refuse(f"a difference in {unit}s is not carried over")
    _want_times(start, end)
    if not dates:
        here.tell("dialect_differs", "a difference of times leaves out fractions of a second")
    template = "(unix_timestamp(_2) - unix_timestamp(_1)) DIV _3"
    return said(template, start.tree, end.tree, exp.Literal.number(seconds), kind=BIGINT)


def _completed_dates(unit: str, start: Term, end: Term) -> Term:
    count = said(_COMPLETE[unit], start.tree, end.tree).tree
    within = [_within(unit, term) for term in (start, end)]
    return said(_CORRECTED, start.tree, end.tree, *within, count, kind=INT)


def _within(unit: str, term: Term) -> exp.Expression:
    if unit == "month" and family(term) == "date":
        return call("day", [term.tree.copy()])
    return call("date_format", [term.tree.copy(), exp.Literal.string(_WITHIN[unit])])


def _datediff(found: Call) -> Term:
    """DATEDIFF(unit, start, end)"""
    unit = unit_of(found.word(0), found.here)
    return begun(unit, found.terms[1], found.terms[2], found.here)


def _date_diff_end_first(found: Call) -> Term:
    """DATE_DIFF(end, start, unit)"""
    unit = unit_of(_week_word(found), found.here)
    return begun(unit, found.terms[1], found.terms[0], found.here)


def _week_word(found: Call) -> str:
    return found.word(2)


def _timestamp_diff_end_first(found: Call) -> Term:
    """TIMESTAMP_DIFF(end, start, unit): whole units of fixed length."""
    unit = unit_of(found.word(2), found.here)
    if unit not in (*_CLOCK_UNITS, "day"):
        raise found.refused(f"counts no {unit}s")
    return completed(unit, found.terms[1], found.terms[0], found.here)


def _timestampdiff(found: Call) -> Term:
    """TIMESTAMPDIFF(unit, start, end)"""
    unit = unit_of(found.word(0), found.here)
    return completed(unit, found.terms[1], found.terms[2], found.here)


# Steps --------------------------------------------------------------------------------------------


def moved(term: Term, unit: str, count: Term, here: Dialectal) -> Term:
    """So many units later; the day of a month that is too long becomes its last."""
    number = whole_literal(count.tree)
    if unit == "quarter" and number is not None:
        unit, number = "month", number * 3
    if number is None:
        return _moved_by_value(term, unit, count)
    if abs(number) > _MOST:
        raise refuse(f"a step of {number} {unit}s is not carried over")
    if family(term) == "date" and unit in ("day", "week"):
        days = exp.Literal.number(abs(number) * (7 if unit == "week" else 1))
        sign = exp.Neg(this=days) if number < 0 else days
        return Term(call("date_add", [term.tree, sign]), DATE)
    return _by_interval(term, unit, number)


def _by_interval(term: Term, unit: str, number: int) -> Term:
    if unit not in ("year", "month", "week", "day", *_CLOCK_UNITS):
        raise refuse(f"a step in {unit}s is not carried over")
    step = exp.Interval(this=exp.Literal.string(str(number)), unit=exp.Var(this=unit.upper()))
    kind = TIMESTAMP if family(term) == "date" and unit in _CLOCK_UNITS else term.type
    if family(term) in _TIMES and not _is_clock(term):
        return Term(call("try_add", [term.tree, step]), kind)
    return Term(exp.Add(this=term.tree, expression=step), kind)


def _is_clock(term: Term) -> bool:
    return isinstance(bare(term.tree), exp.CurrentDate | exp.CurrentTimestamp)


def _moved_by_value(term: Term, unit: str, count: Term) -> Term:
    if unit != "day" or family(term) != "date" or family(count) not in (None, "integer"):
        raise refuse("a step whose length is not written out is carried over for days only")
    return Term(call("date_add", [term.tree, count.tree]), DATE)


def _dateadd(found: Call) -> Term:
    """DATEADD(unit, count, start)"""
    unit = unit_of(found.word(0), found.here)
    return moved(found.terms[2], unit, found.terms[1], found.here)


def _date_add(found: Call, *, back: bool = False) -> Term:
    """DATE_ADD(start, INTERVAL n unit), or a number of days."""
    step = found.tree(1)
    if isinstance(step, exp.Interval):
        unit, count = _interval(step, found)
    else:
        unit, count = "day", found.read(step)
    if back:
        count = _negated(count)
    return moved(found.terms[0], unit, count, found.here)


def _interval(step: exp.Interval, found: Call) -> tuple[str, Term]:
    unit = step.args.get("unit")
    if not isinstance(unit, exp.Var) or step.this is None:
        raise found.refused("has an interval of several units")
    written = literal_text(step.this)
    if written is not None and written.strip().lstrip("-").isdigit():
        value = exp.Literal.number(written.strip().lstrip("-"))
        minus = written.strip().startswith("-")
        return unit_of(unit.name, found.here), Term(exp.Neg(this=value) if minus else value, INT)
    return unit_of(unit.name, found.here), found.read(step.this)


def _negated(count: Term) -> Term:
    number = whole_literal(count.tree)
    if number is None:
        raise refuse("a step back whose length is not written out is not carried over")
    value = exp.Literal.number(abs(number))
    return Term(value if number < 0 else exp.Neg(this=value), INT)


def _add_months(found: Call) -> Term:
    """The day of a month that is too long becomes its last."""
    return moved(found.terms[0], "month", found.terms[1], found.here)


def _add_months_of_ends(found: Call) -> Term:
    """The last day of a month stays a last day."""
    start = found.terms[0]
    number = found.whole(1)
    plain = _by_interval(start, "month", number)
    after = _by_interval(_by_interval(start, "day", 1), "month", number)
    ends = _by_interval(after, "day", -1)
    template = "CASE WHEN day(_1) = day(last_day(_1)) THEN _2 ELSE _3 END"
    return said(template, start.tree, ends.tree, plain.tree, kind=start.type)


def _eomonth(found: Call) -> Term:
    start = found.terms[0]
    if len(found) > 1:
        start = _by_interval(start, "month", found.whole(1))
    return Term(call("last_day", [start.tree]), DATE)


def _days(found: Call) -> Term:
    """The number of a day since the first of the year 1."""
    return said("datediff(_1, DATE'0001-01-01') + 1", found.tree(0), kind=INT)


RULES: Mapping[str, Rule] = {
    "datediff": _datediff,
    "date_diff": _date_diff_end_first,
    "timestamp_diff": _timestamp_diff_end_first,
    "timestampdiff": _timestampdiff,
    "dateadd": _dateadd,
    "date_add": _date_add,
    "date_sub": lambda found: _date_add(found, back=True),
    "add_months": _add_months,
    "add_months_of_ends": _add_months_of_ends,
    "eomonth": _eomonth,
    "days": _days,
}
