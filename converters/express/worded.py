"""The condition of a predicate as text, for the engine that ran it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ruleferry.converters.express.databases import of_database
from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.sql_text import checked_text
from ruleferry.converters.normal_form import Meaning
from ruleferry.converters.predicates import PairIn, Predicate, SqlText, SumIs
from ruleferry.converters.rule import Caveat, Engine, Nulls, engine_kind


@dataclass(frozen=True, slots=True)
class Worded:
    """A condition as text, and what it says.

    `on_pandas` is its text on pandas, where nothing tells the engine and the two differ.
    """

    text: str
    nulls: Nulls
    caveats: tuple[Caveat, ...]
    meaning: Meaning
    on_pandas: str = ""

    @property
    def told(self) -> tuple[Caveat, ...]:
        """All of its caveats."""
        return (*self.caveats, _taken(self.on_pandas)) if self.on_pandas else self.caveats


def in_words(found: Good) -> Worded:
    """Raises Refusal where the text is too deep to be read back."""
    return Worded(checked_text(found.tree), found.nulls, found.caveats, Meaning.of(found.tree))


def worded(predicate: Predicate, engine: Engine | None, types: Types) -> Worded:
    """Without an engine: Spark's meaning, and told where that of pandas or of databases differs.

    Raises CannotExpress, UnsafeText, and Refusal where a text is too deep to be read back.
    """
    found = in_words(good(predicate, Use(engine or "spark", types)))
    if engine is not None and engine_kind(engine) == "sql":
        told = of_database(predicate, Use(engine, types))
        return replace(found, caveats=(*found.caveats, *told))
    if engine is not None:
        return found
    if isinstance(predicate, SqlText):
        detail = "its SQL is taken to be Spark's, since nothing tells which engine ran it"
        return _with(found, Caveat("engine_unknown", detail))
    return _beside_databases(_beside_pandas(found, predicate, types), predicate, types)


def _beside_databases(spark: Worded, predicate: Predicate, types: Types) -> Worded:
    """Where a missing value is another matter there than both on Spark and on pandas."""
    if not isinstance(predicate, PairIn | SumIs) or predicate.ignore == "any_missing":
        return spark
    try:
        text = checked_text(good(predicate, Use("sql", types)).tree)
    except CannotExpress as cannot:
        text = cannot.gap.reason
    if text in (spark.text, spark.on_pandas):
        return spark
    detail = f"taken to have run on Spark; on a database: {text}"
    return _with(spark, Caveat("engine_unknown", detail))


def _beside_pandas(spark: Worded, predicate: Predicate, types: Types) -> Worded:
    try:
        pandas = good(predicate, Use("pandas", types))
    except CannotExpress as cannot:
        return _with(spark, _taken(cannot.gap.reason))
    text = checked_text(pandas.tree)
    if text != spark.text:
        return replace(spark, on_pandas=text)
    codes = {c.code for c in spark.caveats}
    more = [c for c in pandas.caveats if c.code not in codes]
    return _with(spark, _taken(more[0].detail)) if more else spark


def _taken(pandas: str) -> Caveat:
    return Caveat("engine_unknown", f"taken to have run on Spark; on pandas: {pandas}")


def _with(found: Worded, caveat: Caveat) -> Worded:
    return replace(found, caveats=(*found.caveats, caveat))
