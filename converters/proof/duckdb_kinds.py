"""Values of Spark SQL in DuckDB: what DuckDB holds them as, and how two of them compare.

A value keeps the type that it has on Spark, and every cast that Spark adds is written out. A
TIMESTAMP is held as DuckDB's without a zone, in UTC, which is the session's zone.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.literals import is_day, is_moment
from ruleferry.converters.express.sql_types import (
    BOOLEAN,
    DATE,
    NUMBERS,
    STRING,
    TIMES,
    TIMESTAMP_NTZ,
    VOID,
    common_number,
    digits,
)
from ruleferry.converters.proof.rehearsal_run import NeedsSpark

_INTEGERS = {
    "tinyint": "TINYINT", "byte": "TINYINT", "smallint": "SMALLINT", "short": "SMALLINT",
    "int": "INT", "integer": "INT", "bigint": "BIGINT", "long": "BIGINT",
}  # fmt: skip
_FAMILIES = {
    "string": "TEXT", "char": "TEXT", "boolean": "BOOLEAN", "float": "FLOAT", "double": "DOUBLE",
    "date": "DATE", "timestamp": "TIMESTAMP", "timestamp_ntz": "TIMESTAMP",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """An expression for DuckDB and its type on Spark. Of a literal also what it says.

    `counted`: a number of records, far from the limits of BIGINT.
    """

    tree: exp.Expression
    type: ColumnType
    text: str | None = None
    number: Decimal | None = None
    counted: bool = False

    @property
    def family(self) -> str:
        return self.type.family

    @property
    def is_null(self) -> bool:
        return self.type == VOID


def data_type(kind: ColumnType) -> exp.DataType:
    """DuckDB's type for values of a Spark type. Raises NeedsSpark where it has none."""
    if kind.family == "decimal" and kind.precision is not None:
        return exp.DataType.build(f"DECIMAL({kind.precision}, {kind.scale or 0})", "duckdb")
    name = _INTEGERS.get(kind.text) if kind.family == "integer" else _FAMILIES.get(kind.family)
    if name is None or kind.collation is not None:
        raise NeedsSpark(f"values of type {kind.text}")
    return exp.DataType.build(name, "duckdb")


def cast(tree: exp.Expression, kind: ColumnType) -> exp.Expression:
    return exp.Cast(this=tree, to=data_type(kind))


def literal(text: str, kind: ColumnType) -> exp.Expression:
    return cast(exp.Literal.string(text), kind)


def only(node: exp.Expression, known: Container[str]) -> None:
    """Nothing in the node but what we know how to carry over. Raises NeedsSpark."""
    others = sorted(key for key, given in node.args.items() if given and key not in known)
    if others:
        raise NeedsSpark(f"{others[0].strip('_').upper()} in a query")


def boolean(tree: exp.Expression) -> Value:
    return Value(tree, BOOLEAN)


def aliased(tree: exp.Expression, name: str) -> exp.Expression:
    return exp.Alias(this=tree, alias=exp.to_identifier(name, quoted=True))


def call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A function of DuckDB by its own name."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def count_if(test: exp.Expression) -> exp.Expression:
    """0 over no records, where DuckDB's own gives NULL."""
    return exp.Coalesce(this=call("count_if", test), expressions=[exp.Literal.number(0)])


# One type for several values ----------------------------------------------------------------------


def unified(values: Sequence[Value]) -> tuple[list[exp.Expression], ColumnType]:
    """The values in the type that Spark compares them in. NULL is of any type."""
    typed = [value for value in values if not value.is_null]
    kind = _common(typed)
    return [value.tree if value.is_null else as_kind(value, kind) for value in values], kind


def _common(values: Sequence[Value]) -> ColumnType:
    if not values:
        return VOID
    families = {"string" if v.family == "char" else v.family for v in values}
    if any(v.type.collation for v in values):
        raise NeedsSpark("texts with a collation of their own")
    if families <= NUMBERS:
        return common_number(v.type for v in values)
    fixed = families if all(v.text is None for v in values) else families - {"string"}
    if families == {"string"} or families == {"boolean"}:
        return values[0].type if families == {"boolean"} else STRING
    if fixed and fixed <= TIMES and _only_literals(values):
        return DATE if fixed == {"date"} else TIMESTAMP_NTZ
    raise NeedsSpark(f"a comparison of {' with '.join(sorted(v.type.text for v in values))}")


def _only_literals(values: Sequence[Value]) -> bool:
    """Whether every text is a literal."""
    return all(v.text is not None for v in values if v.family == "string")


def as_kind(value: Value, kind: ColumnType) -> exp.Expression:
    """The value in a type that Spark casts it to by itself and without loss."""
    if kind.family in NUMBERS:
        return _number(value, kind)
    if kind.family in TIMES:
        return _time(value, kind)
    return value.tree


def _number(value: Value, kind: ColumnType) -> exp.Expression:
    if value.number is not None:
        number = repr(float(value.number)) if kind.family == "double" else f"{value.number:f}"
        return literal(number, kind)
    if kind.family == "double":
        if value.family == "decimal":
            raise NeedsSpark("a DECIMAL beside a DOUBLE")
        return value.tree if value.family == "double" else cast(value.tree, kind)
    if kind.family == "integer":
        return value.tree if value.type.text == kind.text else cast(value.tree, kind)
    (before, after), (own_before, own_after) = digits(kind), digits(value.type)
    if own_before > before or own_after > after:
        raise NeedsSpark("a DECIMAL of more than 38 digits")
    return cast(value.tree, kind)


def _time(value: Value, kind: ColumnType) -> exp.Expression:
    if value.text is not None:
        fits = is_day if kind.family == "date" else is_moment
        if not fits(value.text):
            raise NeedsSpark(f"{value.text!r} read as a {kind.text}")
        return literal(value.text.replace("T", " "), kind)
    return value.tree if value.family != "date" or kind.family == "date" else cast(value.tree, kind)
