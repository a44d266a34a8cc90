"""Casts to a text: how long it may be, and which values all write alike."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.express.dialects.cast_formats import shortened
from ruleferry.converters.express.dialects.cast_types import Target
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    differs,
    family,
    is_text,
    is_time,
    literal_text,
    sql,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import STRING, digits

_DAYS = frozenset({
    "postgres", "redshift", "netezza", "mysql", "bigquery", "snowflake", "hive", "impala", "tsql",
    "duckdb", "databricks", "spark",
})  # fmt: skip
_DECIMALS = frozenset({
    "tsql", "postgres", "mysql", "snowflake", "redshift", "netezza", "duckdb", "databricks",
    "spark",
})  # fmt: skip
_MOMENTS = frozenset({"postgres", "redshift", "netezza", "databricks", "spark"})
_WORDS = frozenset({"postgres", "snowflake", "bigquery", "redshift", "databricks", "spark"})
# Where CHAR(n) is filled up with blanks that count elsewhere than in a comparison.
_PADS = frozenset({"tsql", "oracle", "db2", "teradata"})
_DAY_LENGTH = 10


def to_text(term: Term, wanted: Target, here: Dialectal) -> Term:
    made = _written(term, here)
    if wanted.length is None:
        return made
    _tell_cut(term, wanted.length, here)
    if wanted.padded and here.dialect.name in _PADS:
        parts = [made.tree, exp.Literal.number(wanted.length), exp.Literal.string(" ")]
        return Term(call("rpad", parts), STRING)
    value = literal_text(made.tree)
    if value is not None:
        return Term(exp.Literal.string(value[: wanted.length]), STRING)
    if not _may_be_longer(term, wanted.length):
        return made
    parts = [made.tree, exp.Literal.number(1), exp.Literal.number(wanted.length)]
    return Term(call("substring", parts), STRING)


def _written(term: Term, here: Dialectal) -> Term:
    """The value as a text, where all write it alike. Raises Refusal."""
    if is_text(term):
        return term
    kind, name = family(term), here.dialect.name
    known = (
        kind in (None, "integer")
        or (kind == "decimal" and name in _DECIMALS)
        or (kind == "date" and name in _DAYS)
        or (kind in ("timestamp", "timestamp_ntz") and name in _MOMENTS)
        or (kind == "boolean" and name in _WORDS)
    )
    if not known:
        raise differs(f"how {here.dialect.called} writes {sql(term.tree)} as a text is not certain")
    if kind is None:
        here.tell("dialect_assumed_type", f"{sql(term.tree)} is taken to be a text or whole number")
    if kind == "date" and name == "tsql":
        here.tell("dialect_assumed_type", f"{sql(term.tree)} is taken to be a DATE, no DATETIME")
    to = exp.DataType(this=exp.DataType.Type.TEXT)
    return Term(exp.Cast(this=term.tree, to=to), STRING)


def _may_be_longer(term: Term, length: int) -> bool:
    kind = term.type
    if kind is None or kind.family == "string":
        return True
    if kind.family == "integer":
        return digits(kind)[0] + 1 > length
    return not (kind.family == "date" and length >= _DAY_LENGTH)


def _tell_cut(term: Term, length: int, here: Dialectal) -> None:
    kind = family(term)
    if kind in ("integer", "decimal") and _may_be_longer(term, length):
        detail = f"a number of more than {length} signs is cut, or refused, in the source's own way"
        here.tell("dialect_differs", detail)


def written_as(term: Term, java: str, wanted: Target, here: Dialectal) -> Term:
    """A day or time in a format, cut to the length of the type."""
    if not (is_time(term) or term.type is None):
        raise differs(f"{sql(term.tree)} is written by a format for days")
    length = wanted.length
    short = shortened(java, length) if length is not None else java
    if short is None:
        raise differs(f"a date is cut to {length} characters in it")
    if family(term) == "date" and any(letter in short for letter in "Hms") and java[0] == "y":
        raise differs(f"whether {sql(term.tree)} was a day or a time in the source is not certain")
    if term.type is None:
        here.tell("dialect_assumed_type", f"{sql(term.tree)} is taken to be a day or a time")
    if not short:
        raise Refusal("format", "its format is empty")
    return Term(call("date_format", [term.tree, exp.Literal.string(short)]), STRING)
