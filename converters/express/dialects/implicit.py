"""The conversions that a database makes by itself when two sorts of values meet."""

from __future__ import annotations

import re

from sqlglot import exp

from ruleferry.converters.express.dialects.cast_numbers import or_zero, prefix_number
from ruleferry.converters.express.dialects.cast_types import Target
from ruleferry.converters.express.dialects.day_texts import (
    Moment,
    is_iso,
    looks_like_a_day,
    read_by,
    read_moment,
)
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    differs,
    family,
    is_number,
    is_text,
    is_time,
    literal_number,
    literal_text,
    sql,
    type_needed,
)
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import (
    DATE,
    DOUBLE,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    number_type,
)

_NUMBER = re.compile(r"\s*([+-]?)(\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})\s*\Z", re.ASCII)
# Where a text beside a number is read as one, and what is no number stops the statement.
_STRICT = frozenset({"oracle", "tsql", "teradata", "snowflake", "redshift", "db2", "netezza"})
_LAX = frozenset({"hive", "impala"})  # what is no number is NULL
_KINDS = {
    "date": exp.DataType.Type.DATE,
    "timestamp": exp.DataType.Type.TIMESTAMPTZ,
    "timestamp_ntz": exp.DataType.Type.TIMESTAMPNTZ,
}


def fitted(left: Term, right: Term, here: Dialectal, *, order: bool) -> tuple[Term, Term]:
    """Both sides as ones that compare; what both are is left as it is. Raises Refusal."""
    return _fit(left, right, here), _fit(right, left, here)


def _fit(term: Term, other: Term, here: Dialectal) -> Term:
    value = literal_text(term.tree)
    if value is not None:
        return _literal(value, term, other, here)
    if is_text(term) and is_number(other):
        number = text_as_number(term, here)
        blank_is_zero = here.dialect.name == "tsql" and family(other) == "integer"
        return or_zero(term, number) if blank_is_zero else number
    if is_text(term) and is_time(other):
        raise differs(
            f"{sql(term.tree)} is a text beside a day or a time, and how "
            f"{here.dialect.called} reads it depends on the session"
        )
    if here.dialect.name == "teradata" and family(term) == "integer" and is_time(other):
        written = literal_number(term.tree)
        if written is not None:
            return day_of_number(int(written))
    if is_time(term) and is_number(other):
        if here.dialect.name == "teradata" and literal_number(other.tree) is not None:
            return term
        raise differs(f"{sql(term.tree)} is compared with a number")
    return term


def _literal(value: str, term: Term, other: Term, here: Dialectal) -> Term:
    if is_time(other):
        return as_moment(value, other, here)
    if is_number(other):
        plain = _NUMBER.match(value)
        return (
            text_as_number(term, here)
            if here.dialect.name == "mysql" and not plain
            else (_as_number(value, here))
        )
    if other.type is None and looks_like_a_day(value):
        return _perhaps_a_day(value, other, here)
    return term


def as_moment(value: str, other: Term, here: Dialectal) -> Term:
    """A literal beside a day or a time."""
    found = read_moment(value, here)
    if found is None:
        hint = "" if here.settings.date_format else ": date_format would tell"
        raise differs(f"how {here.dialect.called} reads {value!r} as a day is not certain{hint}")
    if family(other) == "date" and found.timed and not found.midnight:
        raise differs(f"a day is compared with the time {value!r}")
    return moment(found, other)


def moment(found: Moment, other: Term | None = None) -> Term:
    if not found.timed or (other is not None and family(other) == "date"):
        return _typed(found.day, "date")
    return _typed(found.text, str(family(other)) if other is not None else "timestamp_ntz")


_CENTURIES = 19_000_000  # 1240305 is 2024-03-05 in Teradata


def day_of_number(number: int) -> Term:
    found = read_by("yyyyMMdd", str(number + _CENTURIES))
    if found is None:
        raise differs(f"{number} is no day")
    return moment(found)


def _typed(text: str, sort: str) -> Term:
    kind = {"date": DATE, "timestamp": TIMESTAMP}.get(sort, TIMESTAMP_NTZ)
    data_type = exp.DataType(this=_KINDS.get(sort, _KINDS["timestamp_ntz"]))
    return Term(exp.Cast(this=exp.Literal.string(text), to=data_type), kind)


def _perhaps_a_day(value: str, other: Term, here: Dialectal) -> Term:
    """Beside a value of unknown type: 2024-03-05 is taken as a day, as Spark would."""
    found = read_moment(value, here) if is_iso(value) else None
    if found is None:
        raise type_needed(other, "a text or a day", here)
    return moment(found)


def _as_number(value: str, here: Dialectal) -> Term:
    found = _NUMBER.match(value)
    if found is None or here.dialect.name == "bigquery":
        raise differs(f"a number is compared with the text {value!r}")
    digits = found[2].lstrip("0") or "0"
    digits = f"0{digits}" if digits.startswith(".") else digits
    tree: exp.Expression = exp.Literal.number(digits)
    kind = number_type(digits)
    if kind is None:
        raise Refusal("not_readable", f"the number {value} is out of Spark's range")
    return Term(exp.Neg(this=tree) if found[1] == "-" else tree, kind)


def text_as_number(term: Term, here: Dialectal) -> Term:
    if here.dialect.name in _LAX:
        kind = exp.DataType(this=exp.DataType.Type.DOUBLE)
        return Term(exp.TryCast(this=term.tree, to=kind, safe=True), number_type("1e0"))
    if here.dialect.name == "mysql":
        return prefix_number(term, Target(DOUBLE))
    if here.dialect.name not in _STRICT:
        raise differs(f"the text {sql(term.tree)} is compared with a number")
    here.tell(
        "dialect_differs",
        f"{sql(term.tree)} is a text that is read as a number; one that is none stops the source's "
        "check with an error",
    )
    wide = exp.DataType.build("DECIMAL(38, 10)", dialect="databricks")
    return Term(exp.TryCast(this=term.tree, to=wide, safe=True), _WIDE)


_WIDE = number_type("1" * 28 + ".0000000001")
