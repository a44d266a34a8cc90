"""A legacy rule -> a condition, TRUE for a good record, or a gap that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from ruleferry.converters.express import ranges, sets, several, texts
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import Node, both, either
from ruleferry.converters.express.operand import CannotExpress, Operand, Types
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_text import scoped, sql_condition
from ruleferry.converters.express.sql_text import UnsafeText, checked_text, to_sql
from ruleferry.converters.mappings import grade_of
from ruleferry.converters.rule import (
    Absent,
    Caveat,
    Compare,
    DistinctWithin,
    Engine,
    Format,
    Gap,
    Grade,
    Json,
    LegacyRule,
    Length,
    Like,
    Matches,
    Nulls,
    OneOf,
    PairIn,
    Predicate,
    Present,
    Range,
    Row,
    SameWithin,
    SqlText,
    SumIs,
)

__all__ = ["Condition", "Types", "express"]


@dataclass(frozen=True, slots=True)
class Condition:
    """`text` is Databricks SQL, TRUE for a good record, and the text of `tree`."""

    tree: Node
    text: str
    nulls: Nulls
    grade: Grade
    caveats: tuple[Caveat, ...] = ()


def express(rule: LegacyRule, types: Types) -> Condition | Gap:
    """The condition of a rule on the record alone. Other checks are the planner's."""
    assert isinstance(rule.check, Row)
    try:
        good = _for_engine(rule.check.predicate, rule.origin.engine, types)
        good = scoped(good, rule.scope, types)
        text = checked_text(good.tree)
    except CannotExpress as cannot:
        return cannot.gap
    except UnsafeText as unsafe:
        return Gap("unsafe_text", str(unsafe))
    except Refusal as refusal:  # the text is too deep to be read back
        return Gap(refusal.refused.code, refusal.refused.reason)
    caveats = tuple(dict.fromkeys(rule.caveats + good.caveats))
    return Condition(good.tree, text, good.nulls, grade_of(caveats), caveats)


def _for_engine(predicate: Predicate, engine: Engine | None, types: Types) -> Good:
    """Without an engine: Spark's meaning, and told where pandas' differs."""
    if engine is not None:
        return _of_sql_engine(_good(predicate, Use(engine, types)), engine)
    spark = _good(predicate, Use("spark", types))
    if isinstance(predicate, SqlText):
        detail = "its SQL is taken to be Spark's, since nothing tells which engine ran it"
        return Good(spark.tree, spark.nulls, (*spark.caveats, Caveat("engine_unknown", detail)))
    try:
        pandas = _good(predicate, Use("pandas", types))
    except CannotExpress as cannot:
        return _assumed(spark, cannot.gap.reason)
    if pandas.tree != spark.tree:
        return _assumed(spark, to_sql(pandas.tree))
    codes = {c.code for c in spark.caveats}
    more = [c for c in pandas.caveats if c.code not in codes]
    return _assumed(spark, more[0].detail) if more else spark


def _of_sql_engine(good: Good, engine: Engine) -> Good:
    """The meaning on SQL engines is known from their documents, and proved on none of them yet."""
    if engine != "sql":
        return good
    detail = "how the database compares texts and missing values was not proved row by row"
    return Good(good.tree, good.nulls, (*good.caveats, Caveat("sql_engine", detail)))


def _assumed(spark: Good, pandas: str) -> Good:
    detail = f"taken to have run on Spark; on pandas: {pandas}"
    return Good(spark.tree, spark.nulls, (*spark.caveats, Caveat("engine_unknown", detail)))


def _good(predicate: Predicate, use: Use) -> Good:
    match predicate:
        case Present():
            return _present(predicate, use)
        case Absent():
            operand = use.operand(predicate.column)
            return Good(either(*operand.missing()), "pass", _missing_caveats(operand, use))
        case Range():
            return ranges.in_range(predicate, use)
        case Length():
            return ranges.of_length(predicate, use)
        case OneOf():
            return sets.one_of(predicate, use)
        case PairIn():
            return sets.pair_in(predicate, use)
        case Matches():
            return texts.matches(predicate, use)
        case Like():
            return texts.like(predicate, use)
        case Format():
            return texts.of_format(predicate, use)
        case Json():
            return texts.json(predicate, use)
        case Compare():
            return several.compare(predicate, use)
        case DistinctWithin():
            return several.distinct_within(predicate, use)
        case SameWithin():
            return several.same_within(predicate, use)
        case SumIs():
            return several.sum_is(predicate, use)
        case SqlText():
            return sql_condition(predicate, use)


def _present(predicate: Present, use: Use) -> Good:
    operand = use.operand(predicate.column)
    terms = operand.present()
    tree = terms[0] if len(terms) == 1 else both(*terms)
    return Good(tree, "fail", _missing_caveats(operand, use))


def _missing_caveats(operand: Operand, use: Use) -> tuple[Caveat, ...]:
    """A type matters here only to pandas, which counts NaN as missing."""
    if use.engine == "pandas" and operand.type is None:
        detail = f"if {operand.name} holds floating-point numbers, NaN in it is a missing value too"
        return (*operand.caveats, Caveat("nan_unknown", detail))
    matters = operand.nan_is_missing
    return tuple(c for c in operand.caveats if matters or c.code != "type_from_suite")
