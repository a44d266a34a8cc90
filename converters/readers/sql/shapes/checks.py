"""What a shape comes to: a check with its table, columns and what else must be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.tree import all_hold, copied, nodes, text_of, unqualified
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes.kinds import kind_of
from ruleferry.converters.readers.sql.shapes.placeholders import written
from ruleferry.converters.readers.sql.shapes.plain import Query
from ruleferry.converters.readers.sql.shapes.trees import columns_of
from ruleferry.converters.rule import NotARule, Row, Unread

# The driving table in a query that is taken as a whole.
BATCH = "ruleferry_batch"


def sql_text(tree: exp.Expression, setting: Setting, *, bad: bool) -> SqlText:
    text = text_of(tree, setting.dialect)
    return SqlText(text, setting.dialect.name, bad, settings=setting.settings, tree=tree)


def own_columns(tree: exp.Expression, query: Query) -> exp.Expression:
    """Without the driving table's name before its columns."""
    tree = unqualified(tree, query.aliases)
    return _unqualified_in_full(tree, query.table)


def _unqualified_in_full(tree: exp.Expression, table: exp.Table) -> exp.Expression:
    """`dbo.orders.amount` -> `amount`."""
    full = [part.name.lower() for part in table.parts]
    root = exp.Paren(this=tree)
    for column in nodes(root):
        if not isinstance(column, exp.Column) or len(column.args) == 1:
            continue
        before = [part.name.lower() for part in column.parts[:-1]]
        if len(before) > 1 and full[-len(before) :] == before:
            column.replace(exp.Column(this=copied(column.this)))
    found = root.this
    found.pop()
    return found if isinstance(found, exp.Expression) else tree


def row(tree: exp.Expression, setting: Setting, table: str | None, *, bad: bool) -> Checked:
    """`tree` is over columns that stand without a table's name."""
    predicate = sql_text(tree, setting, bad=bad)
    return Checked(Row(predicate), kind_of(tree, bad=bad), table, columns_of(tree))


def scope_of(
    conditions: Sequence[exp.Expression], query: Query, setting: Setting
) -> SqlText | None:
    if not conditions:
        return None
    return sql_text(own_columns(all_hold(conditions), query), setting, bad=False)


def told(checked: Checked, query: Query) -> Checked:
    """With what the query's own WHERE left out."""
    return replace(
        checked,
        filters=query.filters + checked.filters,
    )


def unread(code: str, reason: str, table: str | None, setting: Setting,
           columns: tuple[str, ...] = ()) -> Checked:  # fmt: skip
    return Checked(Unread(code, written(reason, setting.macros), columns), "predicate", table,
                   columns)  # fmt: skip


def no_rule(reason: str, table: str | None = None) -> Checked:
    return Checked(NotARule(reason), "predicate", table)
