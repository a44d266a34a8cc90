"""Days moved by a number of days, and how far apart two of them are."""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    differs,
    family,
    is_null,
    literal_number,
    sql,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import DOUBLE, INT, TIMESTAMP_NTZ

# How many of them make a day.
_PARTS = {"DAY": 1, "HOUR": 24, "MINUTE": 1_440, "SECOND": 86_400}
# Where one day less another is a number of days.
_NUMBER = frozenset(
    {"oracle", "postgres", "teradata", "snowflake", "redshift", "netezza", "duckdb"}
)


def apart(left: Term, right: Term, here: Dialectal) -> Term:
    """The days from the right one to the left one."""
    if here.dialect.name not in _NUMBER:
        raise differs(
            f"how {here.dialect.called} subtracts one day from another is not carried over"
        )
    if family(left) == family(right) == "date":
        return Term(call("datediff", [left.tree, right.tree]), INT)
    if here.dialect.name != "oracle":
        raise differs(f"{sql(left.tree)} less {sql(right.tree)} is no number of days")
    seconds = exp.Sub(
        this=call("unix_timestamp", [left.tree]), expression=call("unix_timestamp", [right.tree])
    )
    return Term(exp.Div(this=exp.Paren(this=seconds), expression=exp.Literal.number(86400)), DOUBLE)


def moved(kind: type[exp.Expression], day: Term, number: Term, here: Dialectal) -> Term:
    """`day + n` and `day - n`, n in days."""
    if here.dialect.name == "tsql" and family(day) == "date":
        raise differs("a DATE of SQL Server is not moved by a number")
    if family(day) == "date" and family(number) == "integer":
        return Term(kind(this=day.tree, expression=number.tree), day.type)
    if is_null(number):
        return Term(exp.Null(), day.type)
    unit = _unit(number)
    if unit is None:
        raise differs(f"{sql(day.tree)} is moved by a number of days that is not written out")
    count, name = unit
    if count < 0:
        kind, count = (exp.Add if kind is exp.Sub else exp.Sub), -count
    interval = exp.Interval(this=exp.Literal.string(str(count)), unit=exp.Var(this=name))
    moved_type = day.type if day.type is not None else TIMESTAMP_NTZ
    return Term(kind(this=day.tree, expression=interval), moved_type)


def _unit(number: Term) -> tuple[int, str] | None:
    """A number of days in full, as the largest unit of which it is a whole number."""
    value = _value(bare(number.tree))
    if value is None:
        return None
    numerator, denominator = value
    for name, parts in _PARTS.items():
        if (numerator * parts) % denominator == 0:
            return int(numerator * parts / denominator), name
    return None


def _value(node: exp.Expression) -> tuple[Decimal, Decimal] | None:
    """Numerator and denominator of 30, 0.5 and 1/24."""
    if isinstance(node, exp.Div | exp.Mul):
        left, right = (_value(bare(n)) for n in (node.this, node.args["expression"]))
        if left is None or right is None or not right[0]:
            return None
        if isinstance(node, exp.Div):
            right = right[1], right[0]
        return left[0] * right[0], left[1] * right[1]
    written = literal_number(node)
    return (Decimal(written), Decimal(1)) if written is not None else None
