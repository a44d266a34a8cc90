"""TRUNC, DATE_TRUNC, DATEPART and what else asks for a part of a date."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.date_units import date_part, unit_of
from ruleferry.converters.express.dialects.number_rules import cut
from ruleferry.converters.express.dialects.reading import Term
from ruleferry.converters.express.dialects.terms import (
    family,
    is_number,
    literal_text,
    said,
    text,
    whole,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import DATE, TIMES, TIMESTAMP

# The models of TRUNC in Oracle -> units.
_MODELS = {
    "DD": "day", "DDD": "day", "J": "day", "MM": "month", "MON": "month", "MONTH": "month",
    "RM": "month", "Q": "quarter", "YYYY": "year", "YEAR": "year", "YYY": "year", "YY": "year",
    "Y": "year", "SYYYY": "year", "SYEAR": "year", "IW": "week", "HH": "hour", "HH12": "hour",
    "HH24": "hour", "MI": "minute",
}  # fmt: skip
_TRUNC = {"year": "YEAR", "quarter": "QUARTER", "month": "MM", "week": "WEEK"}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _trunc(found: Call) -> Term:
    """TRUNC of a number, or of a date."""
    subject = found.terms[0]
    if is_number(subject):
        return cut(found, found.whole(1, 0))
    if family(subject) in TIMES:
        return _trunc_date(found)
    if family(subject) is not None:
        raise found.refused("cuts what is neither a number nor a date")
    if len(found) == 1:
        raise found.refused("may cut a number or a date: the type of its argument is not known")
    is_model = literal_text(found.tree(1)) is not None
    return _trunc_date(found) if is_model else cut(found, found.whole(1))


def _trunc_date(found: Call) -> Term:
    model = found.word(1, "DD")
    unit = _MODELS.get(model.upper())
    if unit is None:
        raise found.refused(f"cuts to {model}, which depends on the database's settings")
    return cut_date(found.terms[0], unit)


def cut_date(subject: Term, unit: str) -> Term:
    """The begin of the unit; a week begins on Monday."""
    if unit == "day":
        return said("CAST(_1 AS DATE)", subject.tree, kind=DATE)
    if unit in _TRUNC:
        return Term(call("trunc", [subject.tree, text(_TRUNC[unit])]), DATE)
    return Term(call("date_trunc", [text(unit.upper()), subject.tree]), TIMESTAMP)


def _date_trunc(found: Call, *, unit: int = 0, at: int = 1) -> Term:
    word = unit_of(found.word(unit), found.here)
    name, start = found.here.dialect.name, (found.here.settings.week_start or "").lower()
    if word in ("week", "isoweek"):
        return _week(found.terms[at], found, sunday=word == "week" and _from_sunday(name, start))
    if word not in (*_TRUNC, "day", "hour", "minute", "second"):
        raise found.refused(f"does not cut to a {word}")
    return cut_date(found.terms[at], word)


def _from_sunday(name: str, start: str) -> bool:
    if name in ("bigquery", "tsql"):
        return start != "monday"
    return name == "snowflake" and start == "sunday"


def _week(subject: Term, found: Call, *, sunday: bool) -> Term:
    start = (found.here.settings.week_start or "").lower()
    if start not in ("", "monday", "sunday"):
        raise found.refused("cuts to a week that begins on another day than Sunday or Monday")
    if not sunday:
        return cut_date(subject, "week")
    template = "date_sub(trunc(date_add(_1, 1), 'WEEK'), 1)"
    return said(template, subject.tree, kind=DATE)


def _datepart(found: Call) -> Term:
    return date_part(unit_of(found.word(0), found.here), found.terms[1], found.here)


def _weekday(found: Call) -> Term:
    """DAYOFWEEK(day), by the dialect's count."""
    return date_part("weekday", found.terms[0], found.here)


def _last_day(found: Call) -> Term:
    """Oracle keeps the time of day."""
    subject = found.terms[0]
    if found.here.dialect.name == "oracle" and family(subject) != "date":
        raise found.refused("keeps the time of day, unless its argument is known as a DATE")
    return Term(call("last_day", [subject.tree]), DATE)


def _next_day(found: Call) -> Term:
    """The first such day after; its name is English."""
    name = found.word(1).strip().lower()
    least = 2 if found.here.dialect.name in ("snowflake", "hive") else 3
    named = [at for at, day in enumerate(_DAYS) if len(name) >= least and day.startswith(name)]
    if not named:
        raise found.refused(f"names {name!r}, which is no day in English")
    if found.here.dialect.name == "oracle" and family(found.terms[0]) != "date":
        raise found.refused("keeps the time of day, unless its argument is known as a DATE")
    ahead = whole(6 + named[0])
    template = "date_add(_1, (_2 - weekday(_1)) % 7 + 1)"
    return said(template, found.tree(0), ahead, kind=DATE)


def _as_date(found: Call) -> Term:
    """DATE(x): the day of a time."""
    if family(found.terms[0]) not in TIMES:
        raise found.refused("takes what is not known as a time")
    return said("CAST(_1 AS DATE)", found.tree(0), kind=DATE)


def _clock(found: Call) -> Term:
    """CURRENT_TIMESTAMP(3)"""
    return Term(exp.CurrentTimestamp(), TIMESTAMP)


RULES: Mapping[str, Rule] = {
    "trunc": _trunc,
    "trunc_date": _trunc_date,
    "date_trunc": _date_trunc,
    "date_trunc_unit_last": lambda found: _date_trunc(found, unit=1, at=0),
    "datepart": _datepart,
    "weekday": _weekday,
    "last_day": _last_day,
    "next_day": _next_day,
    "as_date": _as_date,
    "clock": _clock,
}
