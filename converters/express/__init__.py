"""A legacy rule -> a condition, TRUE for a good record, or a gap that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.moulds import Worded, in_words, worded
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import UnsafeText
from ruleferry.converters.mappings import grade_of
from ruleferry.converters.normal_form import Meaning
from ruleferry.converters.rule import (
    Caveat,
    Engine,
    Gap,
    Grade,
    LegacyRule,
    Nulls,
    Predicate,
    Row,
    SqlText,
)

__all__ = ["Condition", "Types", "express"]


@dataclass(frozen=True, slots=True)
class Condition:
    """`text` is Databricks SQL, TRUE for a good record."""

    text: str
    meaning: Meaning
    nulls: Nulls
    grade: Grade
    caveats: tuple[Caveat, ...] = ()


def express(rule: LegacyRule, types: Types) -> Condition | Gap:
    """The condition of a rule on the record alone. Other checks are the planner's."""
    assert isinstance(rule.check, Row)
    predicate, engine = rule.check.predicate, rule.origin.engine
    try:
        found = _for_engine(predicate, engine, types)
        if rule.scope is not None:
            inside = good(predicate, Use(engine or "spark", types))
            found = _within(rule.scope, replace(inside, caveats=found.caveats), types)
    except CannotExpress as cannot:
        return cannot.gap
    except UnsafeText as unsafe:
        return Gap("unsafe_text", str(unsafe))
    except Refusal as refusal:  # the text is too deep to be read back
        return Gap(refusal.refused.code, refusal.refused.reason)
    caveats = tuple(dict.fromkeys(rule.caveats + found.caveats))
    return Condition(found.text, found.meaning, found.nulls, grade_of(caveats), caveats)


def _for_engine(predicate: Predicate, engine: Engine | None, types: Types) -> Worded:
    """Without an engine: Spark's meaning, and told where pandas' differs."""
    if engine is not None:
        return _of_sql_engine(worded(predicate, Use(engine, types)), engine)
    spark = worded(predicate, Use("spark", types))
    if isinstance(predicate, SqlText):
        detail = "its SQL is taken to be Spark's, since nothing tells which engine ran it"
        return _with(spark, Caveat("engine_unknown", detail))
    try:
        pandas = worded(predicate, Use("pandas", types))
    except CannotExpress as cannot:
        return _assumed(spark, cannot.gap.reason)
    if pandas.text != spark.text:
        return _assumed(spark, pandas.text)
    codes = {c.code for c in spark.caveats}
    more = [c for c in pandas.caveats if c.code not in codes]
    return _assumed(spark, more[0].detail) if more else spark


def _of_sql_engine(found: Worded, engine: Engine) -> Worded:
    """The meaning on SQL engines is known from their documents, and proved on none of them yet."""
    if engine != "sql":
        return found
    detail = "how the database compares texts and missing values was not proved row by row"
    return _with(found, Caveat("sql_engine", detail))


def _assumed(spark: Worded, pandas: str) -> Worded:
    detail = f"taken to have run on Spark; on pandas: {pandas}"
    return _with(spark, Caveat("engine_unknown", detail))


def _with(found: Worded, caveat: Caveat) -> Worded:
    return Worded(found.text, found.nulls, (*found.caveats, caveat), found.meaning)


def _within(scope: SqlText, inside: Good, types: Types) -> Worded:
    # Its room is large, and most suites don't need it.
    from ruleferry.converters.express.spark_text import scoped

    return in_words(scoped(inside, scope, types))
