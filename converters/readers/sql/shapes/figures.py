"""Conditions over figures of many records: counts that must be zero are rules of a record.

What else is asked of figures (a share, a sum, two tables of one size) is a predicate over them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import all_hold, bare, copied
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes.checks import (
    BATCH,
    own_columns,
    row,
    scope_of,
    sql_text,
    told,
)
from ruleferry.converters.readers.sql.shapes.counting import Counting, counted_column, counting
from ruleferry.converters.readers.sql.shapes.placeholders import refuse_parameters, table_name
from ruleferry.converters.readers.sql.shapes.plain import Query, on_records, plain_query
from ruleferry.converters.readers.sql.shapes.trees import (
    aggregate,
    columns_of,
    has_aggregate,
    has_query,
    has_window,
    is_null_test,
    number,
    only_args,
)
from ruleferry.converters.rule import Kind, Measured, Unique

# What a query of bad records checks: `rows.of_query`, which asks this room in its turn.
Rows: TypeAlias = Callable[[exp.Select, Setting], Checked]
_TURNED: Mapping[type[exp.Expression], type[exp.Expression]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
}  # fmt: skip
_SOME: Container[object] = {(exp.GT, 0.0), (exp.NEQ, 0.0), (exp.GTE, 1.0)}
_NONE: Container[object] = {(exp.EQ, 0.0), (exp.LTE, 0.0), (exp.LT, 1.0)}
_ROWS = frozenset({"expressions", "from_", "where"})


def judged(
    condition: exp.Expression, select: exp.Select, setting: Setting, rows: Rows, *, bad: bool
) -> Checked:
    """`condition` is over figures of the select. Raises Unreadable."""
    found = _of_bad_rows(bare(condition), select, setting, rows, bad)
    if found is not None:
        return found
    if select.args.get("group"):
        return _of_groups(condition, select, setting, rows, bad)
    return measured(condition, select, setting, bad=bad)


def _of_groups(
    condition: exp.Expression, select: exp.Select, setting: Setting, rows: Rows, bad: bool
) -> Checked:
    """A figure of each group: bad are the groups for which it holds."""
    if not bad or select.args.get("having"):
        raise Unreadable("unsupported_query", "it looks at the figures of each group")
    copy = copied(select)
    copy.set("having", exp.Having(this=copied(condition)))
    return rows(copy, setting)


# Counts of bad records ----------------------------------------------------------------------------


def _of_bad_rows(
    node: exp.Expression, select: exp.Select, setting: Setting, rows: Rows, bad: bool
) -> Checked | None:
    """None where the records that are counted are not bad for being there."""
    if isinstance(node, exp.Not):
        return _of_bad_rows(bare(node.this), select, setting, rows, not bad)
    if isinstance(node, exp.Exists) and isinstance(node.this, exp.Select):
        return rows(node.this, setting) if bad else None
    if type(node) not in _TURNED or select.args.get("group"):
        return None
    left, right, kind = bare(node.this), bare(node.args["expression"]), type(node)
    if number(left) is not None:
        left, right, kind = right, left, _TURNED[kind]
    limit = number(right)
    if limit is not None:
        wanted = _SOME if bad else _NONE
        found = counting(left, select) if (kind, limit) in wanted else None
        return None if found is None else _counted(found, setting, rows)
    pairs = _more_and_less(left, right, kind, bad)
    return _of_two(pairs, select, setting, rows)


def _more_and_less(
    left: exp.Expression, right: exp.Expression, kind: type[exp.Expression], bad: bool
) -> list[tuple[exp.Expression, exp.Expression]]:
    """What there is more of, in a condition that says so of bad records; else none."""
    if kind is (exp.NEQ if bad else exp.EQ):
        return [(left, right), (right, left)]
    if bad and kind is exp.GT:
        return [(left, right)]
    return [(right, left)] if bad and kind is exp.LT else []


def _counted(found: Counting, setting: Setting, rows: Rows) -> Checked | None:
    if found.condition is None and not _has_conditions(found.source, setting):
        return None  # how many records there are
    return of_counting(found, setting, rows)


def _has_conditions(select: exp.Select, setting: Setting) -> bool:
    if only_args(select, _ROWS):
        return True
    query = plain_query(select, setting)
    return query is None or bool(query.conditions) or bool(query.select.args.get("joins"))


def of_counting(found: Counting, setting: Setting, rows: Rows) -> Checked:
    """The records that a figure counts, as bad ones. Its WHERE says which ones are looked at."""
    select = copied(found.source)
    select.set("expressions", [exp.Star()])
    if found.condition is None:
        return rows(select, setting)
    query = plain_query(select, setting)
    if query is not None and not only_args(query.select, _ROWS) and _is_own(found, query):
        query, caveats = on_records(query, setting)
        refuse_parameters(found.condition, setting.macros)
        for condition in query.conditions:
            refuse_parameters(condition, setting.macros)
        row_of = told(_row(found, query, setting), query)
        return replace(row_of, caveats=caveats + row_of.caveats)
    if not found.bad:
        raise Unreadable("unsupported_query", "the records that it does not count can't be told")
    where = select.args.get("where")
    conditions = [where.this] if where is not None else []
    select.set("where", exp.Where(this=all_hold([*conditions, found.condition])))
    return rows(select, setting)


def _is_own(found: Counting, query: Query) -> bool:
    assert found.condition is not None
    trees = [found.condition, *query.conditions]
    return not any(has_query(tree) or has_window(tree) for tree in trees)


def _row(found: Counting, query: Query, setting: Setting) -> Checked:
    assert found.condition is not None
    tree = own_columns(copied(bare(found.condition)), query)
    checked = row(tree, setting, query.name, bad=found.bad)
    return replace(checked, scope=scope_of(query.conditions, query, setting))


def _of_two(
    pairs: Sequence[tuple[exp.Expression, exp.Expression]], select: exp.Select,
    setting: Setting, rows: Rows,
) -> Checked | None:  # fmt: skip
    """All records beside those that hold a value, a value of their own, or what they must."""
    for total, part in pairs:
        if (column := counted_column(part, distinct=True)) is not None:
            return _of_distinct(total, column, select, setting)
        all_rows = counting(total, select)
        if all_rows is None or all_rows.condition is not None or all_rows.source is not select:
            continue
        if (column := counted_column(part)) is not None:
            missing = exp.Is(this=copied(column), expression=exp.Null())
            return of_counting(Counting(select, missing), setting, rows)
        good = counting(part, select)
        if good is not None and good.source is select and good.condition is not None and good.bad:
            return of_counting(replace(good, bad=False), setting, rows)
    return None


def _of_distinct(
    total: exp.Expression, column: exp.Column, select: exp.Select, setting: Setting
) -> Checked | None:
    """COUNT(k) and COUNT(DISTINCT k); COUNT(*) where no k is missing."""
    query = plain_query(select, setting)
    if query is None or only_args(query.select, _ROWS):
        return None
    if any(has_query(term) for term in query.conditions):
        return None
    counted = counted_column(total)
    rest = [term for term in query.all_conditions if not _is_present(term, column)]
    same = counted is not None and counted.name.lower() == column.name.lower()
    if not same and (counted is not None or len(rest) == len(query.all_conditions)):
        return None
    if not same and counting(total, select) != Counting(select, None):
        return None
    for condition in rest:
        refuse_parameters(condition, setting.macros)
    scope = scope_of(rest, query, setting)
    unique = Unique((column.name,), "any_missing")
    return told(Checked(unique, "unique", query.name, (column.name,), scope), query)


def _is_present(term: exp.Expression, column: exp.Column) -> bool:
    found = is_null_test(term)
    if found is None or found[1] or not isinstance(found[0], exp.Column):
        return False
    return found[0].name.lower() == column.name.lower()


# Figures ------------------------------------------------------------------------------------------


def measured(
    condition: exp.Expression, select: exp.Select, setting: Setting, *, bad: bool
) -> Checked:
    """A predicate over figures of one table, and over queries of one value."""
    refuse_parameters(condition, setting.macros)
    if not select.args.get("from_"):
        return _of_queries(condition, setting, bad)
    query = plain_query(select, setting)
    if query is None or only_args(query.select, _ROWS):
        what = "a query within it" if _reads_query(select) else "more than one table"
        raise Unreadable("unsupported_query", f"it takes its figures from {what}")
    for term in query.all_conditions:
        refuse_parameters(term, setting.macros)
        if has_query(term) or has_window(term):
            raise Unreadable("unsupported_query", "its figures are of records of another query")
    _refuse_outer(condition)
    tree = own_columns(copied(condition), query)
    tree = _over_batch(tree, tuple(part.name.lower() for part in query.table.parts))
    check = Measured(sql_text(tree, setting, bad=bad))
    scope = scope_of(query.all_conditions, query, setting)
    columns = columns_of(tree)
    return told(Checked(check, _kind(tree), query.name, columns, scope), query)


def _refuse_outer(condition: exp.Expression) -> None:
    """A column beside the figures, whose value is any record's."""
    for column in condition.find_all(exp.Column):
        node: exp.Expr | None = column
        while node is not None and node is not condition.parent:
            if aggregate(node) or isinstance(node, exp.Query | exp.AggFunc | exp.Filter):
                break
            node = node.parent
        else:
            raise Unreadable("unsupported_query", f"{column.name} stands beside figures")


def _of_queries(condition: exp.Expression, setting: Setting, bad: bool) -> Checked:
    """The table of the first query is the one that is checked."""
    tree = copied(condition)
    for query in tree.find_all(exp.Select):
        _refuse_more_than_one(query)
    first = next((t for t in tree.find_all(exp.Table, bfs=False)), None)
    if first is None or not isinstance(first.this, exp.Identifier):
        raise Unreadable("no_table", "it reads no table")
    name = table_name(first, setting.macros)
    columns = columns_of(*(exp.column(c.name) for c in tree.find_all(exp.Column) if c.name))
    tree = _over_batch(tree, tuple(part.name.lower() for part in first.parts))
    check = Measured(sql_text(tree, setting, bad=bad))
    return Checked(check, _kind(tree), name, columns)


def _reads_query(select: exp.Select) -> bool:
    return isinstance(select.args["from_"].this, exp.Subquery) and not select.args.get("joins")


def _refuse_more_than_one(query: exp.Select) -> None:
    allowed = frozenset({"expressions", "from_", "where", "joins"})
    if strange := only_args(query, allowed):
        raise Unreadable("unsupported_query", f"{strange} is not carried over")
    if len(query.expressions) != 1 or not has_aggregate(query.expressions[0]):
        raise Unreadable("unsupported_query", "a query in it may give more than one value")


def _over_batch(tree: exp.Expression, driving: tuple[str, ...]) -> exp.Expression:
    root = exp.Paren(this=tree)
    for table in list(root.find_all(exp.Table)):
        if tuple(part.name.lower() for part in table.parts) == driving:
            alias = exp.TableAlias(this=exp.to_identifier(table.alias or table.name))
            table.replace(exp.Table(this=exp.to_identifier(BATCH), alias=alias))
    found = root.this
    found.pop()
    return found if isinstance(found, exp.Expression) else tree


def _kind(tree: exp.Expression) -> Kind:
    tables = {tuple(part.name.lower() for part in t.parts) for t in tree.find_all(exp.Table)}
    if len(tables) > 1:
        return "reconcile"
    if tree.find(exp.Div) is not None:
        return "share"
    counts = [found for node in tree.walk() if (found := aggregate(node)) is not None]
    plain = all(c[0] == "count" and isinstance(bare(c[1][0]), exp.Star) for c in counts if c[1])
    return "row_count" if counts and plain else "figure"
