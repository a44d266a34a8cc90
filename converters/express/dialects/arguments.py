"""The arguments of a dialect's function, each as its kind wants it.

A database converts what is of another type in its own way; here that is refused, or assumed where
the type is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express import literals
from ruleferry.converters.express.dialects.chars import filled_up
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import (
    family,
    is_null,
    is_text,
    literal_text,
    refuse,
    said,
    text,
    whole_literal,
)
from ruleferry.converters.express.sql_text import UnsafeText, to_sql
from ruleferry.converters.express.sql_types import (
    DATE,
    NUMBERS,
    STRING,
    TEXTS,
    TIMES,
    TIMESTAMP,
    TIMESTAMP_NTZ,
)

_Read: TypeAlias = Callable[[exp.Expression], Term]
_MOST = 2**15
# Where a text in the form of ISO is a date whatever the settings are.
_ISO = frozenset({
    "tsql", "mysql", "postgres", "redshift", "netezza", "snowflake", "bigquery", "hive", "impala",
    "db2",
})  # fmt: skip
# Where a column of text is read as a date by its first ten characters.
_LENIENT = frozenset({"hive", "impala"})


def fitted(kind: str, node: exp.Expression, read: _Read, name: str, here: Dialectal) -> Term:
    """Raises Refusal where the argument is not of the kind."""
    if kind in _RAW:
        return Term(_RAW[kind](node, read, name))
    if isinstance(node, exp.Kwarg | exp.PropertyEQ | exp.Star | exp.Distinct | exp.Interval):
        raise refuse(f"{name}() has an argument of another form")
    return _FIT[kind](read(node), name, here)


def one_family(terms: Sequence[Term], name: str) -> None:
    """A database makes one type of several in its own way."""
    kinds = {_group(found) for term in terms if (found := family(term)) is not None}
    if len(kinds) > 1:
        raise refuse(f"{name}() mixes {' and '.join(sorted(kinds))}")


def _group(found: str) -> str:
    if found in TEXTS:
        return "texts"
    return "numbers" if found in NUMBERS else "times" if found in TIMES else found


def shown(term: Term) -> str:
    try:
        return to_sql(term.tree)
    except UnsafeText:
        return "a text"


def _text(term: Term, name: str, here: Dialectal) -> Term:
    """A whole number has one text everywhere; a fraction, a day, a truth value has not."""
    found = family(term)
    if name == "octet_length" and filled_up(term, here) is not term:
        raise refuse(f"{name}() counts the blanks that fill up a CHAR")
    if found in TEXTS or found == "integer" or is_null(term):
        return term
    if found is not None:
        raise refuse(f"{name}() makes a text of {shown(term)}, which is {_said_type(term)}")
    here.tell("dialect_assumed_type", f"{shown(term)} is taken to be text")
    return term


def _said_type(term: Term) -> str:
    return term.type.text if term.type else "of no known type"


def _number(term: Term, name: str, here: Dialectal) -> Term:
    return _of(NUMBERS, "a number", term, name)


def _of(families: frozenset[str], what: str, term: Term, name: str) -> Term:
    found = family(term)
    if found is None or found in families:
        return term
    raise refuse(f"{name}() takes {shown(term)}, which is {_said_type(term)}, for {what}")


def _whole(term: Term, name: str, here: Dialectal) -> Term:
    return _of(frozenset({"integer"}), "a whole number", term, name)


def _boolean(term: Term, name: str, here: Dialectal) -> Term:
    return _of(frozenset({"boolean"}), "a condition", term, name)


def _array(term: Term, name: str, here: Dialectal) -> Term:
    if term.type is None or not term.type.text.startswith("array"):
        raise refuse(f"{name}() takes {shown(term)}, which is not known as an array")
    return term


def _any(term: Term, name: str, here: Dialectal) -> Term:
    return term


def _count(term: Term, name: str, here: Dialectal) -> Term:
    value = whole_literal(term.tree)
    if value is None or not 0 <= value < _MOST:
        raise refuse(f"{name}() is certain only with a number written out that is not negative")
    return term


def _place(term: Term, name: str, here: Dialectal) -> Term:
    value = whole_literal(term.tree)
    if value is None or not 0 < abs(value) < _MOST:
        raise refuse(f"{name}() is certain only with a place written out, other than 0")
    return term


def _word(term: Term, name: str, here: Dialectal) -> Term:
    written = literal_text(term.tree)
    if written is None and here.dialect.empty and is_null(term):
        written = ""
    if written is None:
        raise refuse(f"{name}() is certain only with that text written out")
    return Term(text(written), STRING)


def _time(term: Term, name: str, here: Dialectal) -> Term:
    found = family(term)
    if found is None or found in TIMES:
        return term
    if found not in TEXTS:
        return _of(TIMES, "a day or a time", term, name)
    return _time_of_text(term, name, here)


def _time_of_text(term: Term, name: str, here: Dialectal) -> Term:
    written = literal_text(term.tree)
    if written is None:
        if here.dialect.name not in _LENIENT:
            return _of(TIMES, "a day or a time", term, name)
        return _lenient(term, here)
    day = _iso(written, here)
    if day is None and here.dialect.name in _LENIENT:
        return _lenient(term, here)
    if day is None:
        raise refuse(f"{name}() reads the text {written!r} as a date, by the database's settings")
    kind = DATE if literals.is_day(day) else TIMESTAMP
    template = "CAST(_1 AS DATE)" if kind == DATE else "CAST(_1 AS TIMESTAMP)"
    return said(template, text(day), kind=kind)


def _iso(written: str, here: Dialectal) -> str | None:
    """In full, as Spark reads it; None where it is no such text."""
    day = written.strip()
    if here.dialect.name == "tsql" and len(day) == 8 and day.isdigit():
        day = f"{day[:4]}-{day[4:6]}-{day[6:]}"
    day = day.replace("T", " ")
    return day if here.dialect.name in _ISO and literals.is_moment(day) else None


def _lenient(term: Term, here: Dialectal) -> Term:
    here.tell("dialect_differs", f"{shown(term)} is read as a day by its part before a blank")
    template = "CAST(try_to_timestamp(substring_index(_1, ' ', 1), 'yyyy-M-d') AS DATE)"
    return said(template, term.tree, kind=DATE)


def _date(term: Term, name: str, here: Dialectal) -> Term:
    """A day: the time of a day does not count."""
    return _time(term, name, here)


_FIT: Mapping[str, Callable[[Term, str, Dialectal], Term]] = {
    "text": _text,
    "number": _number,
    "whole": _whole,
    "boolean": _boolean,
    "array": _array,
    "any": _any,
    "same": _any,
    "count": _count,
    "place": _place,
    "word": _word,
    "date": _date,
    "time": _time,
}


# As they are written ------------------------------------------------------------------------------


def _unit(node: exp.Expression, read: _Read, name: str) -> exp.Expression:
    """DATEADD(day, …): a word that is no column."""
    found = node.name if isinstance(node, exp.Column | exp.Var | exp.Identifier) else None
    if isinstance(node, exp.Column) and len(node.parts) > 1:
        found = None
    found = found or literal_text(node)
    if not found:
        raise refuse(f"{name}() has no unit that can be read")
    return text(found.lower())


def _as_written(node: exp.Expression, read: _Read, name: str) -> exp.Expression:
    return node.copy()


def _counted(node: exp.Expression, read: _Read, name: str) -> exp.Expression:
    """* and DISTINCT of an aggregate."""
    if isinstance(node, exp.Star):
        if any(node.args.values()):
            raise refuse(f"{name}(*) is not all columns")
        return exp.Star()
    return node.copy()


_RAW: Mapping[str, Callable[[exp.Expression, _Read, str], exp.Expression]] = {
    "unit": _unit,
    "interval": _as_written,
    "counted": _counted,
}


def type_of_time(term: Term) -> ColumnType:
    return term.type if term.type is not None and not is_text(term) else TIMESTAMP_NTZ
