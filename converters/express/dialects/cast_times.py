"""Casts to a day or a time: which texts are one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.dialects.cast_formats import loose
from ruleferry.converters.express.dialects.cast_types import Target
from ruleferry.converters.express.dialects.day_texts import is_iso_shaped, read_by, read_moment
from ruleferry.converters.express.dialects.implicit import day_of_number, moment
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    again,
    differs,
    family,
    is_number,
    is_text,
    is_time,
    literal_number,
    literal_text,
    sql,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import DATE, TIMESTAMP

_ISO, _DIGITS = "yyyy-MM-dd", "yyyyMMdd"
_MONTH_FIRST, _ONE_DIGIT = "M/d/yyyy", "yyyy-M-d"
# The forms that a text may have, those of the sessions' own settings aside.
_FORMS: Mapping[str, Sequence[str]] = {
    "tsql": (_ISO, _DIGITS, _MONTH_FIRST),
    "postgres": (_ONE_DIGIT, _DIGITS),
    "redshift": (_ONE_DIGIT, _DIGITS),
    "netezza": (_ONE_DIGIT, _DIGITS),
    "mysql": (_ONE_DIGIT, _DIGITS),
    "snowflake": (_ISO,),
    "bigquery": (_ONE_DIGIT,),
    "hive": (_ISO,),
    "impala": (_ISO,),
    "db2": (_ISO, _MONTH_FIRST, "d.M.yyyy"),
    "duckdb": (_ONE_DIGIT,),
}
_CLOCKS = ("yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS")
_ALL_TOLD = frozenset({"bigquery"})  # there are no others
_BLANK = re.compile(r"\s*\Z")
_FIRST_DAY = "1900-01-01"
_CENTURIES = 19_000_000  # 1240305 is 2024-03-05 in Teradata


def to_time(term: Term, wanted: Target, here: Dialectal, *, safe: bool) -> Term:
    value = literal_text(term.tree)
    if value is not None:
        return _of_literal(value, wanted.type, here, safe=safe)
    if is_time(term):
        return Term(exp.Cast(this=term.tree, to=wanted.node), wanted.type)
    if is_number(term):
        return _of_number(term, here)
    if term.type is None:
        return _of_unknown(term, wanted, here)
    if is_text(term):
        return _of_text(term, wanted.type, here)
    raise differs(f"{sql(term.tree)} is made a day in it")


def _of_literal(value: str, kind: ColumnType, here: Dialectal, *, safe: bool) -> Term:
    found = read_moment(value, here)
    if found is not None:
        return moment(found, Term(exp.Null(), kind))
    if here.dialect.name == "tsql" and _BLANK.match(value):
        return _typed(_FIRST_DAY)
    if safe and (is_iso_shaped(value) or not value.strip() or here.dialect.name in _ALL_TOLD):
        return Term(exp.Null(), kind)
    raise differs(f"how {here.dialect.called} reads {value!r} as a day is not certain")


def _typed(day: str) -> Term:
    to = exp.DataType(this=exp.DataType.Type.DATE)
    return Term(exp.Cast(this=exp.Literal.string(day), to=to), DATE)


def _of_number(term: Term, here: Dialectal) -> Term:
    """A day of Teradata as the number that it is kept as."""
    if here.dialect.name != "teradata" or family(term) != "integer":
        raise differs(f"the number {sql(term.tree)} is made a day in it")
    written = literal_number(term.tree)
    if written is not None:
        return day_of_number(int(written))
    moved = exp.Add(this=term.tree, expression=exp.Literal.number(_CENTURIES))
    text = exp.Cast(this=exp.Paren(this=moved), to=exp.DataType(this=exp.DataType.Type.TEXT))
    return _parsed(Term(text), (_DIGITS,), DATE)


def _of_unknown(term: Term, wanted: Target, here: Dialectal) -> Term:
    """A text as the dialect reads it, a day or time as it is; of a number Spark makes no day."""
    of_text = _of_text(Term(_as_text(term)), wanted.type, here)
    is_string = exp.EQ(this=call("typeof", [again(term)]), expression=exp.Literal.string("string"))
    plain = exp.TryCast(this=_as_text(term), to=wanted.node, safe=True)
    tree = exp.Case(ifs=[exp.If(this=is_string, true=of_text.tree)], default=plain)
    return Term(tree, of_text.type if of_text.type == DATE else None)


def _as_text(term: Term) -> exp.Expression:
    return exp.Cast(this=again(term), to=exp.DataType(this=exp.DataType.Type.TEXT))


def _of_text(term: Term, kind: ColumnType, here: Dialectal) -> Term:
    forms = _forms(here)
    if here.dialect.name not in _ALL_TOLD:
        here.tell(
            "dialect_differs",
            f"{sql(term.tree)} is read as a day in the form {', '.join(forms)}; the source may "
            "read other texts, too",
        )
    if kind.family != "date":
        forms = (*_CLOCKS, *forms)
    return _or_first_day(term, _parsed(Term(again(term)), forms, kind), here)


def _forms(here: Dialectal) -> Sequence[str]:
    configured = here.settings.date_format
    if configured is not None:
        from ruleferry.converters.express.dialects.cast_formats import of_configured

        return (of_configured(configured),)
    forms = _FORMS.get(here.dialect.name)
    if forms is None:
        name = here.dialect.called
        raise differs(f"which texts {name} reads as a day depends on the session: date_format")
    return forms


def _parsed(term: Term, forms: Sequence[str], kind: ColumnType) -> Term:
    found = [call("try_to_timestamp", [again(term), exp.Literal.string(form)]) for form in forms]
    tree = found[0] if len(found) == 1 else call("coalesce", found)
    if kind.family != "date":
        return Term(tree, TIMESTAMP)
    return Term(exp.Cast(this=tree, to=exp.DataType(this=exp.DataType.Type.DATE)), DATE)


def _or_first_day(term: Term, made: Term, here: Dialectal) -> Term:
    """A blank text is 1900-01-01 in SQL Server."""
    if here.dialect.name != "tsql":
        return made
    blank = exp.EQ(this=call("trim", [again(term)]), expression=exp.Literal.string(""))
    first = _typed(_FIRST_DAY).tree
    if made.type != DATE:
        kind = exp.DataType(this=exp.DataType.Type.TIMESTAMPTZ)
        first = exp.Cast(this=exp.Literal.string(f"{_FIRST_DAY} 00:00:00"), to=kind)
    return Term(exp.Case(ifs=[exp.If(this=blank, true=first)], default=made.tree), made.type)


def by_format(term: Term, java: str, kind: ColumnType, here: Dialectal) -> Term:
    """A text as a day or time, read by a format."""
    value = literal_text(term.tree)
    if value is not None:
        found = read_by(java, value)
        if found is not None:
            return moment(found, Term(exp.Null(), kind))
        raise differs(f"how {value!r} is read by {java} is not certain")
    if not (is_text(term) or term.type is None):
        raise differs(f"{sql(term.tree)} is read by a format")
    here.tell(
        "dialect_differs",
        f"{sql(term.tree)} is read in the form {java}; the source may read other texts, too",
    )
    form = loose(java) if here.dialect.name == "tsql" else java
    return _or_first_day(term, _parsed(Term(_as_text(term)), (form,), kind), here)
