"""A suite that runs on a query: the table and the records of a plain one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleferry.converters.dialects.words import SqlDialect, sql_dialects, sql_of
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import Engine
from ruleferry.converters.table_names import joined

if TYPE_CHECKING:
    from sqlglot import exp

# Parts of a SELECT that leave its rows those of one table, each once, under their own names.
_PLAIN = frozenset({"expressions", "from_", "where"})
_NAMED = frozenset({"this", "db", "catalog", "alias"})
# What Great Expectations fills in when it runs.
_PLACEHOLDER = re.compile(r"\{\w*\}")


@dataclass(frozen=True, slots=True)
class Filtered:
    """`SELECT … FROM table [WHERE …]`: some records of one table."""

    table: str
    scope: SqlText | None


def read_query(query: str, engine: Engine | None) -> Filtered | str:
    """What the query selects, or why that can't be told."""
    import sqlglot
    from sqlglot import exp

    dialect = None if engine in (None, "sql", "pandas") else engine
    try:
        tree = sqlglot.parse_one(query.strip().rstrip(";"), dialect=dialect)
    except (sqlglot.errors.SqlglotError, ValueError):
        return "which can't be read"
    if not isinstance(tree, exp.Select):
        return "which is no plain SELECT"
    source = tree.args["from_"].this if tree.args.get("from_") else None
    columns_only = all(_is_column(column) for column in tree.expressions)
    if not isinstance(source, exp.Table) or _used(source) - _NAMED:
        return "which is more than a filter of one table"
    if _used(tree) - _PLAIN or not columns_only or tree.find(exp.Subquery, exp.Exists):
        return "which is more than a filter of one table"
    table = joined([part.name for part in source.parts])
    where = tree.args.get("where")
    if where is None:
        return Filtered(table, None)
    if _PLACEHOLDER.search(where.sql()):
        return "and it holds a placeholder"
    if engine == "spark":
        return Filtered(table, SqlText(where.this.sql(dialect="spark"), "spark", bad=False))
    if sql_of(engine) != engine:
        return f"and SQL of {engine or 'an unknown database'} is not read"
    return _filtered(table, query, sql_dialects()[engine])


def _filtered(table: str, query: str, dialect: SqlDialect) -> Filtered | str:
    """The filter as the database means it."""
    from ruleferry.converters.dialects.parse import Unreadable, parse_statement
    from ruleferry.converters.dialects.tree import text_of

    try:
        where = parse_statement(query.strip().rstrip(";"), dialect).args["where"].this
    except Unreadable as unreadable:
        return f"and {unreadable.reason}"
    return Filtered(table, SqlText(text_of(where, dialect), dialect.name, bad=False, tree=where))


def _used(node: exp.Expression) -> set[str]:
    return {part for part, value in node.args.items() if value}


def _is_column(node: object) -> bool:
    """A column under its own name, or *."""
    from sqlglot import exp

    return isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
    )
