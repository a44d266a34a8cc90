"""Words for units of time, and parts of a point in time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import family, refuse, said
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import BIGINT, INT
from ruleferry.converters.mappings import table

_PLAIN = {
    "year": "year", "quarter": "quarter", "month": "month", "day": "day", "dayofyear": "dayofyear",
    "isoweek": "weekofyear", "hour": "hour", "minute": "minute",
}  # fmt: skip
# Where the first day of the week is Sunday and has the number 1, or 0.
_FROM_ONE = frozenset({"tsql", "bigquery"})
_FROM_NULL = frozenset({"postgres", "redshift", "snowflake"})
# Where a week is that of ISO 8601.
_ISO_WEEKS = frozenset({"postgres", "redshift", "snowflake", "hive", "impala"})


def unit_of(word: str, here: Dialectal) -> str:
    """year, quarter, month … Raises Refusal for a word that the dialect is not known to have."""
    found = _words(here.dialect.name).get(word.lower())
    if found is None:
        raise refuse(f"{word} is not known as a unit of time of {here.dialect.called}")
    return found


@cache
def _words(dialect: str) -> Mapping[str, str]:
    rows = table("sql_units")
    found: dict[str, str] = {}
    for owner in ("all", dialect):
        units = rows.get(owner, {})
        assert isinstance(units, dict)
        found |= {word: unit for unit, words in units.items() for word in words}
    return found


def date_part(unit: str, term: Term, here: Dialectal) -> Term:
    """EXTRACT(unit FROM term), DATEPART(unit, term). `unit`: as `unit_of` gives it."""
    if unit in _PLAIN:
        return Term(call(_PLAIN[unit], [term.tree]), INT)
    match unit:
        case "weekday":
            return _weekday(term, here)
        case "isoweekday":
            return said("weekday(_1) + 1", term.tree, kind=INT)
        case "week" if here.dialect.name in _ISO_WEEKS and _starts_on(here) in (None, "monday"):
            return Term(call("weekofyear", [term.tree]), INT)
        case "second":
            return _second(term, here)
        case "epoch":
            return _epoch(term, here)
    raise refuse(f"the part {unit} of a date counts by the database's settings")


def _starts_on(here: Dialectal) -> str | None:
    start = here.settings.week_start
    return start.lower() if start else None


def _weekday(term: Term, here: Dialectal) -> Term:
    name, start = here.dialect.name, _starts_on(here)
    if name in _FROM_ONE and start in (None, "sunday"):
        return Term(call("dayofweek", [term.tree]), INT)
    if name == "tsql" and start == "monday":
        return said("weekday(_1) + 1", term.tree, kind=INT)
    if name in _FROM_NULL and start in (None, "sunday"):
        return said("dayofweek(_1) - 1", term.tree, kind=INT)
    raise refuse("the number of a weekday depends on the database's settings")


def _second(term: Term, here: Dialectal) -> Term:
    """PostgreSQL's has the fraction."""
    if here.dialect.name not in ("tsql", "snowflake", "bigquery", "mysql", "hive", "db2"):
        raise refuse("the seconds of a time may have a fraction")
    return Term(call("second", [term.tree]), INT)


def _epoch(term: Term, here: Dialectal) -> Term:
    if family(term) not in ("date", "timestamp", "timestamp_ntz"):
        raise refuse("the seconds since 1970 are certain for days and times only")
    if here.dialect.name in ("postgres", "netezza"):
        here.tell("dialect_differs", "the seconds since 1970 have no fraction here")
    return Term(call("unix_timestamp", [term.tree]), BIGINT)
