"""The tree of a dialect -> the tree of Spark SQL that means the same, or why there is none.

It is not yet total, nor two-valued: `totality` and `three_valued` do that to Spark's SQL of any
origin.
"""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.express.dialects.empty import without_idle
from ruleferry.converters.express.dialects.own import OWN, as_it_is
from ruleferry.converters.express.dialects.ranks import refuse_unclear
from ruleferry.converters.express.dialects.reading import Dialectal, InSpark, Term, TypeOf
from ruleferry.converters.express.dialects.walk import condition, read
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.predicates import SqlSettings

__all__ = ["Dialectal", "InSpark", "Term", "TypeOf", "in_spark"]


def in_spark(
    tree: exp.Expression,
    dialect: SqlDialect,
    settings: SqlSettings,
    type_of: TypeOf,
    *,
    as_condition: bool = False,
) -> InSpark:
    """A predicate, a value or a whole query. Raises Refusal; `tree` stays as it is.

    `as_condition`: it stands where TRUE or FALSE is wanted.
    """
    try:
        return _in_spark(tree, Dialectal(dialect, settings, type_of), as_condition)
    except RecursionError as error:
        raise Refusal("not_readable", "its parentheses are nested too deep") from error


def _in_spark(tree: exp.Expression, here: Dialectal, as_condition: bool) -> InSpark:
    refuse_unclear(tree, here.dialect)
    if here.dialect.name in OWN:
        return InSpark(as_it_is(tree))
    made = condition(tree, here) if as_condition else read(tree, here).tree
    if as_condition and here.dialect.empty == "missing":
        made = without_idle(made)
    return InSpark(made, tuple(here.told))
