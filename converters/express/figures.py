"""Rules about figures over many records: aggregates of the table, and a condition on them.

All aggregates of a table's rules stand in one select, so that one scan serves them all; a rule with
a scope has it as FILTER. None of them raises on an empty table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from types import UnionType

from sqlglot import exp

from ruleferry.converters.express import value_lists
from ruleferry.converters.express.asked import Asked, bounded
from ruleferry.converters.express.computed import BATCH, Over, computed, stand_in
from ruleferry.converters.express.flags import Flagged, out_of_scope
from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.lookups import table_node
from ruleferry.converters.express.nodes import Node, call, negate, or_false
from ruleferry.converters.express.operand import MOMENTS, TEXTS, CannotExpress, Operand
from ruleferry.converters.express.quantiles import Quantiles, quantiles
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.express.values import as_double, type_mismatch
from ruleferry.converters.predicates import Scope
from ruleferry.converters.rule import Caveat, EngineKind, Figure


def figure(rule: Figure, scope: Scope | None, use: Use) -> Flagged:
    """Raises CannotExpress where the figure has no equivalent."""
    out = out_of_scope(scope, use, of_none="row_condition")
    seen = None if out is None else negate(out.tree)
    found = _FIGURES[rule.measure](Asked(rule, use, seen, dict(rule.arguments)))
    caveats = found.good.caveats + (out.caveats if out else ())
    over: Over = "query" if found.over == "query" else "figures"
    return Flagged(Good(found.good.tree, "none", caveats), found.columns, over)


def _row_count(asked: Asked) -> Flagged:
    return bounded(asked, asked.of(_all()), "bigint")


def _all() -> Node:
    return exp.Count(this=exp.Star())


def _distinct(operand: Operand) -> Node:
    return exp.Count(this=exp.Distinct(expressions=[operand.comparable()]))


def _unique_count(asked: Asked) -> Flagged:
    return bounded(asked, asked.of(_distinct(asked.operand)), "bigint")


def _unique_share(asked: Asked) -> Flagged:
    """Distinct values of those that are there; 0 where none is."""
    there = exp.Count(this=asked.operand.comparable())
    ratio = call("try_divide", asked.of(_distinct(asked.operand)), asked.of(there))
    value = exp.Coalesce(this=ratio, expressions=[number_literal(0)])
    return bounded(asked, value, "double")


def _present_share(asked: Asked) -> Flagged:
    """Of no records, none."""
    there = exp.Count(this=asked.operand.comparable())
    ratio = call("try_divide", asked.of(there), asked.of(_all()))
    value = exp.Coalesce(this=ratio, expressions=[number_literal(0)])
    return bounded(asked, value, "double")


def _extreme(function: str) -> Callable[[Asked], Flagged]:
    """The least or greatest value, of the column's own type."""

    def make(asked: Asked) -> Flagged:
        operand = asked.operand
        if operand.type is not None and operand.family in ("nested", "binary", "other"):
            raise type_mismatch(operand, "an order")
        if operand.type is None and _has(asked, date):
            what = f"how {operand.name} is compared with a date depends on its type"
            raise CannotExpress("type_needed", f"{what}, which is not known")
        if operand.type is None:
            kind = "double" if _has(asked, int | Decimal) else "string"
            value: Node = as_double(operand) if kind == "double" else operand.text()
        else:
            kind, value = operand.type.text, operand.comparable()
        found = asked.number(asked.of(call(function, value)))
        told = unknown_type(operand) + _times(asked)
        return bounded(asked, found, kind, told)

    return make


def _has(asked: Asked, kind: type | UnionType) -> bool:
    """Whether a bound is of that kind."""
    bounds = (asked.arguments.get("min_value"), asked.arguments.get("max_value"))
    return any(isinstance(bound, kind) for bound in bounds)


def _times(asked: Asked) -> tuple[Caveat, ...]:
    """What Python makes of a bound that is a day (source of 1.24.1)."""
    given, operand = asked.arguments, asked.operand
    bounds = [given.get("min_value"), given.get("max_value")]
    if not any(isinstance(bound, date | str) for bound in bounds):
        return ()
    if operand.family is None or operand.family in TEXTS:
        detail = "the text that is found is compared as a text, where dateutil made a date of it"
        return (Caveat("dates_by_dateutil", detail),)
    if operand.family in MOMENTS - {"date"} or asked.use.kind == "pandas":
        detail = "Python refuses to compare a day with a time, and the rule raised then"
        return (Caveat("refused_before", detail),)
    return ()


def _other_table(asked: Asked) -> Flagged:
    """As many records as another table has, which is read in a query of its own."""
    name = asked.arguments["other_table_name"]
    assert isinstance(name, str)
    table = asked.use.others(name)
    here = computed(1, "value", _count_of(BATCH, asked.seen))
    other = computed(2, "other", _count_of(table.reads, None))
    same = exp.EQ(this=stand_in(here), expression=stand_in(other))
    detail = f"{name} is read under this name"
    told = () if table.confirmed else (Caveat("other_table", detail),)
    return Flagged(Good(same, "none", told), (here, other), "query")


def _count_of(table: str, where: Node | None) -> Node:
    query = exp.Select(expressions=[_all()]).from_(table_node(table))
    return exp.Subquery(this=query.where(where.copy()) if where else query)


def _freshness(asked: Asked) -> Flagged:
    """The latest time is at most so many `seconds` ago; of no time at all nothing is fresh."""
    operand, seconds = asked.operand, asked.arguments["seconds"]
    assert isinstance(seconds, int)
    if operand.type is not None and operand.family not in MOMENTS | TEXTS:
        raise type_mismatch(operand, "a time")
    of_moments = operand.family in MOMENTS
    moment = operand.node() if of_moments else operand.guarded(exp.DataType.Type.TIMESTAMPTZ)
    latest = computed(1, "latest", asked.of(exp.Max(this=moment)))
    oldest = exp.Sub(this=exp.CurrentTimestamp(), expression=_interval(seconds))
    tree = or_false(exp.GTE(this=stand_in(latest), expression=oldest))
    detail = f"the latest {operand.name} is compared with the time at which the figures are made"
    caveats = (*operand.caveats, *unknown_type(operand), Caveat("reads_clock", detail))
    return Flagged(Good(tree, "none", caveats), (latest,), "figures")


_UNITS = (("DAY", 86_400), ("HOUR", 3_600), ("MINUTE", 60), ("SECOND", 1))


def _interval(seconds: int) -> Node:
    unit, size = next((unit, size) for unit, size in _UNITS if seconds % size == 0)
    number = exp.Literal.string(str(seconds // size))
    return exp.Interval(this=number, unit=exp.Var(this=unit))


def _of_numbers(function: str) -> Callable[[Asked], Flagged]:
    """An aggregate of doubles, which never overflows."""

    def make(asked: Asked) -> Flagged:
        value = asked.number(asked.of(call(function, as_double(asked.operand))))
        return bounded(asked, value, "double", _summed(asked.operand))

    return make


def _median(asked: Asked) -> Flagged:
    """Spark leaves NaN out of its quantiles, as pandas does (source of 1.24.1)."""
    value = asked.of(call("median", asked.number(as_double(asked.operand))))
    return bounded(asked, value, "double", unknown_type(asked.operand))


def _summed(operand: Operand) -> tuple[Caveat, ...]:
    """Sums of doubles depend on their order in the last digits."""
    if operand.type is not None and operand.family == "integer":
        return ()
    detail = "the last digits of the figure depend on the order in which numbers are added up"
    return (*unknown_type(operand), Caveat("figure_digits", detail))


def _sum(asked: Asked) -> Flagged:
    """pandas adds nothing up to 0; Spark and SQL to NULL, which fails (measured on 1.24.1)."""
    value = asked.number(asked.of(call("sum", as_double(asked.operand))))
    if asked.use.kind == "pandas":
        value = exp.Coalesce(this=value, expressions=[number_literal(0)])
    return bounded(asked, value, "double", _summed(asked.operand))


def _quantiles(asked: Asked) -> Flagged:
    operand, given = asked.operand, asked.arguments
    error = given.get("allow_relative_error")
    unstated = asked.use.stated is None and isinstance(error, str)
    kind: EngineKind = "pandas" if unstated else asked.use.kind  # only pandas takes a word
    wanted = Quantiles(
        value=lambda: asked.number(as_double(operand)),
        of=asked.of,
        kind=kind,
        ranges=given.get("quantile_ranges"),
        error=error,
    )
    found = quantiles(wanted)
    caveats = operand.caveats + unknown_type(operand) + found.good.caveats
    return Flagged(Good(found.good.tree, "none", caveats), found.columns)


_FIGURES: Mapping[str, Callable[[Asked], Flagged]] = {
    "row_count": _row_count,
    "unique_value_count": _unique_count,
    "proportion_of_unique_values": _unique_share,
    "proportion_of_non_null_values": _present_share,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "mean": _of_numbers("avg"),
    "median": _median,
    "stdev": _of_numbers("stddev_samp"),
    "sum": _sum,
    "quantiles": _quantiles,
    "distinct_values_allowed": value_lists.allowed,
    "distinct_values_contain": value_lists.contained,
    "distinct_values_equal": value_lists.equal,
    "most_common": value_lists.most_common,
    "row_count_of_tables": _other_table,
    "freshness": _freshness,
}
