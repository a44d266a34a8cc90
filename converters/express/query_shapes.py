"""Queries of the batch that look each record up in another table, in Spark SQL."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects import lookups
from ruleferry.converters.dialects.lookups import Asked, LookedFor
from ruleferry.converters.express.computed import BATCH
from ruleferry.converters.express.predicate_sql import refuse_other_rows
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.predicates import SqlText

__all__ = ["LookedFor", "looked_for"]


def looked_for(query: exp.Expression) -> LookedFor | None:
    """None where the query is of another shape, which is `queries`'s affair."""
    return lookups.looked_for(query, _ASKED)


def _is_batch(table: exp.Table) -> bool:
    return table.name.lower() == BATCH


def _text(tree: exp.Expression) -> SqlText:
    return SqlText(to_sql(tree), "spark", bad=False)


def _looks_further(item: exp.Expression) -> bool:
    """At other records; an aggregate without groups gives a row even where nothing is found."""
    try:
        refuse_other_rows(item)
    except Refusal:
        return True
    return False


_ASKED = Asked(_is_batch, _text, _looks_further)
