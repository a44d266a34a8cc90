"""Rules that look at more than one record: by a column that a dataset computes."""

from __future__ import annotations

from dataclasses import replace

from ruleferry.converters.express import distance, figures, flags, lookups, schema_rules, shares
from ruleferry.converters.express.computed import Traits
from ruleferry.converters.express.databases import of_database
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.operand import CannotExpress
from ruleferry.converters.express.scopes import refuse_certain
from ruleferry.converters.express.sql_text import checked_text
from ruleferry.converters.predicates import SameWithin, Scope, SqlText
from ruleferry.converters.rule import (
    Caveat,
    Check,
    Columns,
    Exists,
    Figure,
    LookedUp,
    Measured,
    Ordered,
    Reconciled,
    Row,
    Share,
    Unique,
)
from ruleferry.converters.wording import scope_in_words


def of_many(check: Check, scope: Scope | None, use: Use, traits: Traits) -> Flagged:
    """Without an engine: Spark's meaning, and told where pandas' is another one.

    Raises CannotExpress and UnsafeText.
    """
    found = _made(check, scope, use, traits)
    if scope is not None:
        found = _told_of_scope(found, scope_in_words(scope))
    if use.stated is not None:
        told = _told_of_database(check, use) if use.kind == "sql" else ()
        return _with_caveats(found, told)
    return _beside_pandas(found, check, scope, use, traits)


def _told_of_scope(found: Flagged, words: str) -> Flagged:
    if found.over == "record":
        refuse_certain(words, found.good.tree)
    return _with_caveats(found, (Caveat("scope", f"checked only where {words}"),))


def _told_of_database(check: Check, use: Use) -> tuple[Caveat, ...]:
    """What a database makes of values that are compared, and the condition does not."""
    match check:
        case Unique():
            return of_database(SameWithin(check.columns), use)
        case Share(row=Row(predicate)) if not isinstance(predicate, SqlText):
            return of_database(predicate, use)
        case Share(row=Unique() as row):
            return of_database(SameWithin(row.columns), use)
    return ()


def _made(check: Check, scope: Scope | None, use: Use, traits: Traits) -> Flagged:
    match check:
        case Row(SqlText() as text):
            # A large room, which most suites don't need.
            from ruleferry.converters.express.queries import no_rows

            return no_rows(text, scope, use)
        case Exists():
            return lookups.exists(check, scope, use)
        case LookedUp():
            return lookups.looked_up(check, scope, use)
        case Reconciled():
            return lookups.reconciled(check, scope, use)
        case Measured():
            # It shares the large room of queries.
            from ruleferry.converters.express.measured import measured

            return measured(check, scope, use)
        case Unique() if traits.streaming:
            return shares.unique(check, scope, use)
        case Share(row=Row() as row):
            return shares.share_of_rows(check, row, scope, use)
        case Ordered() | Share() | Figure(measure="z_score" | "outliers" | "most_common") if (
            traits.streaming
        ):
            raise CannotExpress("streaming", "no window can look at all records of a stream")
        case Unique():
            return flags.unique(check, scope, use)
        case Ordered():
            return flags.ordered(check, traits.order_by, scope, use)
        case Share():
            flagged = _made(check.row, scope, use, traits)
            return shares.share_of_flagged(check, flagged, scope, use)
        case Figure(measure="z_score" | "outliers"):
            return distance.near(check, scope, use)
        case Figure():
            return figures.figure(check, scope, use)
        case Columns():
            return schema_rules.of_schema(check, use)
    raise AssertionError(check)


def _beside_pandas(
    spark: Flagged, check: Check, scope: Scope | None, use: Use, traits: Traits
) -> Flagged:
    if isinstance(check, Exists | LookedUp | Reconciled):
        return spark  # all engines say the same
    if isinstance(check, Measured) or _is_sql(check.row if isinstance(check, Share) else check):
        detail = "its SQL is taken to be Spark's, since nothing tells which engine ran it"
        return _with(spark, detail)
    try:
        pandas = _made(check, scope, replace(use, engine="pandas", stated="pandas"), traits)
    except CannotExpress as cannot:
        return _with(spark, f"taken to have run on Spark; on pandas: {cannot.gap.reason}")
    if _said(pandas) != _said(spark):
        told = ", ".join(column.sql for column in pandas.columns)
        return _with(spark, f"taken to have run on Spark; on pandas it reads {told}")
    codes = {caveat.code for caveat in spark.good.caveats}
    more = [caveat for caveat in pandas.good.caveats if caveat.code not in codes]
    return (
        _with(spark, f"taken to have run on Spark; on pandas: {more[0].detail}") if more else spark
    )


def _is_sql(row: Check) -> bool:
    return isinstance(row, Row) and isinstance(row.predicate, SqlText)


def _said(found: Flagged) -> object:
    return checked_text(found.good.tree), [column.sql for column in found.columns]


def _with(found: Flagged, detail: str) -> Flagged:
    return _with_caveats(found, (Caveat("engine_unknown", detail),))


def _with_caveats(found: Flagged, more: tuple[Caveat, ...]) -> Flagged:
    good = found.good
    return replace(found, good=Good(good.tree, good.nulls, (*good.caveats, *more)))
