"""A suite that runs on a query: the table and the records of a plain one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleferry.converters.dialects.words import SqlDialect, sql_dialects, sql_of
from ruleferry.converters.predicates import And, Present, Scope, SqlText
from ruleferry.converters.rule import Engine
from ruleferry.converters.table_names import joined

if TYPE_CHECKING:
    from sqlglot import exp

# Parts of a SELECT that leave its rows those of one table, each once, under their own names.
_PLAIN = frozenset({"expressions", "from_", "where"})
_NAMED = frozenset({"this", "db", "catalog", "alias"})
# What is filled in when it runs.
_PLACEHOLDER = re.compile(r"\{\w*\}")
# A text that is one placeholder and nothing else: {day}, ${day}, {{ day }}.
_ONLY_PLACEHOLDER = re.compile(r"\$?\{\{?\s*\w+\s*\}?\}")


@dataclass(frozen=True, slots=True)
class Filtered:
    """`SELECT … FROM table [WHERE …]`: some records of one table.

    `batch`: the part of them that a run takes, `day = '{day}'`; `columns`: those that it selects,
    in small letters, None where it selects all.
    """

    table: str
    scope: Scope | None = None
    batch: str | None = None
    columns: frozenset[str] | None = None


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
    plain = Filtered(joined([part.name for part in source.parts]), columns=_selected(tree))
    if not tree.args.get("where"):
        return plain
    cut, kept = _parts(tree.args["where"].this)
    plain = _of_batches(plain, cut, dialect)
    if not kept:
        return plain
    if any(_PLACEHOLDER.search(part.sql()) for part in kept):
        return "and it holds a placeholder"
    if engine == "spark":
        text = exp.and_(*kept).sql(dialect="spark")
        return _within(plain, SqlText(text, "spark", bad=False))
    if sql_of(engine) != engine:
        return f"and SQL of {engine or 'an unknown database'} is not read"
    return _filtered(plain, query, sql_dialects()[engine])


def _parts(where: exp.Expr) -> tuple[list[exp.Expr], list[exp.Expr]]:
    """What cuts a batch out of the table: a column equals what a run is given; and the rest."""
    from sqlglot import exp

    parts = list(where.flatten()) if isinstance(where, exp.And) else [where]
    cut = [part for part in parts if _cuts(part)]
    return cut, [part for part in parts if not _cuts(part)]


def _cuts(part: exp.Expr) -> bool:
    from sqlglot import exp

    if not isinstance(part, exp.EQ):
        return False
    column, value = sorted((part.this, part.expression), key=lambda side: side.key)
    given = isinstance(value, exp.Literal) and value.is_string
    return (
        isinstance(column, exp.Column) and given and bool(_ONLY_PLACEHOLDER.fullmatch(value.name))
    )


def _of_batches(plain: Filtered, cut: list[exp.Expr], dialect: str | None) -> Filtered:
    """All batches together are the table, save the records that have no value there."""
    from sqlglot import exp

    for part in cut:
        column = part.find(exp.Column)
        assert column is not None
        plain = _within(plain, Present(column.name))
    taken = " AND ".join(part.sql(dialect=dialect) for part in cut)
    return replace(plain, batch=taken or None)


def _within(plain: Filtered, scope: Scope) -> Filtered:
    return replace(plain, scope=And((plain.scope, scope)) if plain.scope else scope)


def _selected(tree: exp.Select) -> frozenset[str] | None:
    if tree.is_star:
        return None
    return frozenset(column.name.lower() for column in tree.expressions)


def _filtered(plain: Filtered, query: str, dialect: SqlDialect) -> Filtered | str:
    """With the filter as the database means it."""
    from sqlglot import exp

    from ruleferry.converters.dialects.parse import Unreadable, parse_statement
    from ruleferry.converters.dialects.tree import text_of

    try:
        where = parse_statement(query.strip().rstrip(";"), dialect).args["where"].this
    except Unreadable as unreadable:
        return f"and {unreadable.reason}"
    kept = _parts(where)[1]
    tree = where
    if plain.batch:
        tree = exp.and_(*kept, copy=False)
    return _within(plain, SqlText(text_of(tree, dialect), dialect.name, bad=False, tree=tree))


def _used(node: exp.Expression) -> set[str]:
    return {part for part, value in node.args.items() if value}


def _is_column(node: object) -> bool:
    """A column under its own name, or *."""
    from sqlglot import exp

    return isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)
    )
