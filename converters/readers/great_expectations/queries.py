"""A suite that runs on a query: the table and the records of a plain one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import Engine
from ruleferry.converters.table_names import joined

if TYPE_CHECKING:
    from sqlglot import exp

# Parts of a SELECT that leave its rows those of one table, each once, under their own names.
_PLAIN = frozenset({"expressions", "from_", "where"})
_NAMED = frozenset({"this", "db", "catalog", "alias"})


@dataclass(frozen=True, slots=True)
class Filtered:
    """`SELECT … FROM table [WHERE …]`: some records of one table."""

    table: str
    scope: SqlText | None


def read_query(query: str, engine: Engine | None) -> Filtered | str:
    """What the query selects, or why that can't be told.

    A filter is taken over where the engine is Spark, whose SQL the platform speaks.
    """
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
    if engine != "spark":
        return f"and SQL of {engine or 'an unknown database'} is not read yet"
    return Filtered(table, SqlText(where.this.sql(dialect="spark"), "spark", bad=False))


def _used(node: exp.Expression) -> set[str]:
    return {part for part, value in node.args.items() if value}


def _is_column(node: object) -> bool:
    """A column under its own name, or *."""
    from sqlglot import exp

    return isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
    )
