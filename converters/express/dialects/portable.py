"""SQL whose dialect nothing tells: it is carried over where all dialects mean the same by it."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.dialects import InSpark, TypeOf, in_spark
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.predicates import SqlSettings
from ruleferry.converters.rule import Caveat

# The name of no dialect.
PORTABLE = "sql"
# Those that tools without a dialect of their own run on, and that differ most.
_ASKED = ("postgres", "snowflake", "bigquery", "hive", "tsql")
# Few of these projects run on Oracle, and there is no test for a missing value that it shares.
_APART = "oracle"


def in_every_dialect(
    tree: exp.Expression, settings: SqlSettings, type_of: TypeOf, *, as_condition: bool
) -> InSpark:
    """Raises Refusal, `dialect_unknown`, where two of them differ."""
    if any(node.args.get("quoted") for node in tree.find_all(exp.Identifier)):
        reason = "what quotes mean depends on the dialect, and nothing names one"
        raise Refusal("dialect_unknown", reason)
    exactly = replace(settings, collation=settings.collation or "cs")
    found = [_in(name, tree, exactly, type_of, as_condition=as_condition) for name in _ASKED]
    if len({shape(made.tree) for made in found}) > 1:
        reason = "databases mean different things by it, and nothing names one"
        raise Refusal("dialect_unknown", reason)
    return _with_oracle(found[0], tree, exactly, type_of, as_condition=as_condition)


def _with_oracle(
    made: InSpark,
    tree: exp.Expression,
    settings: SqlSettings,
    type_of: TypeOf,
    *,
    as_condition: bool,
) -> InSpark:
    try:
        there = _in(_APART, tree, settings, type_of, as_condition=as_condition)
    except Refusal:
        there = None
    if there is not None and shape(there.tree) == shape(made.tree):
        return made
    told = Caveat(
        "database_unknown", "on Oracle it is another condition: an empty text is missing there"
    )
    return replace(made, caveats=(*made.caveats, told))


def _in(
    name: str, tree: exp.Expression, settings: SqlSettings, type_of: TypeOf, *, as_condition: bool
) -> InSpark:
    try:
        return in_spark(tree, sql_dialects()[name], settings, type_of, as_condition=as_condition)
    except Refusal as refusal:
        reason = f"nothing names the database, and of one: {refusal.refused.reason}"
        raise Refusal("dialect_unknown", reason) from refusal
