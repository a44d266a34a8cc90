"""Figures over many records, of types whose figure does not depend on the order of the records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ruleferry.converters.express.sql_types import BIGINT
from ruleferry.converters.proof.duckdb_kinds import Value, call, cast, count_if, only
from ruleferry.converters.proof.duckdb_values import Scope, condition, value
from ruleferry.converters.proof.rehearsal_run import NeedsSpark

_Aggregate = Callable[[list[exp.Expression], Scope], Value]


def _of_one(name: str, arguments: list[exp.Expression], scope: Scope) -> Value:
    if len(arguments) != 1:
        raise NeedsSpark(f"{name} of several values")
    return value(arguments[0], scope)


def _count(arguments: list[exp.Expression], scope: Scope) -> Value:
    if len(arguments) == 1 and isinstance(arguments[0], exp.Star):
        only(arguments[0], ())
        return Value(call("count", exp.Star()), BIGINT, counted=True)
    return Value(call("count", _of_one("count", arguments, scope).tree), BIGINT, counted=True)


def _count_if(arguments: list[exp.Expression], scope: Scope) -> Value:
    if len(arguments) != 1:
        raise NeedsSpark("count_if of several values")
    counted = cast(count_if(condition(arguments[0], scope)), BIGINT)
    return Value(counted, BIGINT, counted=True)


def _sum(arguments: list[exp.Expression], scope: Scope) -> Value:
    """Of integers: DuckDB adds 128 bits; a sum that is too large raises in both."""
    found = _of_one("sum", arguments, scope)
    if found.family != "integer":
        raise NeedsSpark(f"a sum of {found.type.text}")
    return Value(cast(call("sum", found.tree), BIGINT), BIGINT)


def _extreme(name: str) -> _Aggregate:
    def extreme(arguments: list[exp.Expression], scope: Scope) -> Value:
        found = _of_one(name, arguments, scope)
        if found.family not in ("integer", "decimal", "string", "date"):
            raise NeedsSpark(f"{name} of {found.type.text}")
        return Value(call(name, found.tree), found.type)

    return extreme


AGGREGATES: Mapping[str, _Aggregate] = {
    "count": _count,
    "count_if": _count_if,
    "sum": _sum,
    "min": _extreme("min"),
    "max": _extreme("max"),
}
