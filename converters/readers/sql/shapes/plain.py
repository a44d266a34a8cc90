"""A query of one driving table, made plain: its joins, and which conditions say what is bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.transforms import eliminate_join_marks

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import all_hold, bare, called, copied, nodes, terms, text_of
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.shapes.placeholders import (
    is_load_filter,
    macros_in,
    table_name,
    with_tables,
    written,
)
from ruleferry.converters.readers.sql.shapes.sources import merged, opened
from ruleferry.converters.readers.sql.shapes.trees import has_aggregate, number, own_nodes
from ruleferry.converters.readers.sql.shapes.words import words
from ruleferry.converters.rule import Caveat

_INNER = {("", ""), ("", "INNER")}
_RIGHT = {("RIGHT", ""), ("RIGHT", "OUTER")}


@dataclass(frozen=True, slots=True)
class Query:
    """`select` is an own copy; `conditions` are those of its WHERE, without load filters.

    `filters`: what was left out since it only picks the load. `windows`: what looks at the records
    of the last loads alone, which a figure needs, and a rule of a record does not.
    """

    select: exp.Select
    table: exp.Table
    name: str
    conditions: tuple[exp.Expression, ...]
    filters: tuple[str, ...] = ()
    windows: tuple[exp.Expression, ...] = ()

    @property
    def aliases(self) -> frozenset[str]:
        return frozenset({(self.table.alias or self.table.name).lower()})

    @property
    def all_conditions(self) -> tuple[exp.Expression, ...]:
        return self.conditions + self.windows

    def where(self, *conditions: exp.Expression) -> exp.Select:
        """The query with these conditions for its own."""
        copy = copied(self.select)
        copy.set("where", exp.Where(this=all_hold(conditions)) if conditions else None)
        return copy


def resolved(tree: exp.Expression, setting: Setting) -> exp.Expression:
    """A copy without wrapping and CTEs, in which references to tables are tables."""
    return with_tables(opened(tree), setting.macros)


def plain_query(select: exp.Select, setting: Setting) -> Query | None:
    """None where its records come from no table. `select` is resolved."""
    copy = _with_plain_joins(merged(select))
    source = copy.args.get("from_")
    table = source.this if source is not None else None
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return None
    _refuse_strange(table)
    where = copy.args.get("where")
    query = Query(copy, table, _name(table, setting), ())
    return _without_filters(query, terms(where.this if where else None), setting)


def _name(table: exp.Table, setting: Setting) -> str:
    name = table_name(table, setting.macros)
    return f"#{name}" if table.this.args.get("temporary") else name


def _refuse_strange(table: exp.Table) -> None:
    kept = ("this", "db", "catalog", "alias")
    alias = table.args.get("alias")
    for key, value in table.args.items():
        if value and key not in kept:
            word = key.rstrip("_").upper()
            raise Unreadable("unsupported_query", f"only a part of the table is read: {word}")
    if alias is not None and alias.args.get("columns"):
        raise Unreadable("unsupported_query", "the table's columns are renamed")


# Conditions ---------------------------------------------------------------------------------------


def _without_filters(query: Query, conditions: Sequence[exp.Expression], setting: Setting) -> Query:
    kept: list[exp.Expression] = []
    filters: list[str] = []
    windows: list[exp.Expression] = []
    for term in conditions:
        if macros_in(term, setting.macros) and is_load_filter(term, setting.macros):
            filters.append(written(text_of(term, setting.dialect), setting.macros))
        elif is_load_window(term):
            windows.append(term)
        elif not _is_limit(term) and not _is_certain(term):
            kept.append(term)
    filled = replace(query, conditions=tuple(kept), filters=tuple(filters), windows=tuple(windows))
    if len(filled.all_conditions) == len(conditions):
        return filled
    return replace(filled, select=query.where(*filled.all_conditions))


def on_records(query: Query, setting: Setting) -> tuple[Query, tuple[Caveat, ...]]:
    """For a rule of a record: it holds for the records of older loads, too."""
    if not query.windows:
        return query, ()
    told = tuple(Caveat("scope_filter", text_of(term, setting.dialect)) for term in query.windows)
    return replace(query, windows=(), select=query.where(*query.conditions)), told


def _is_certain(term: exp.Expression) -> bool:
    """`1 = 1`, which scripts begin their WHERE with."""
    if isinstance(term, exp.Boolean):
        return bool(term.this)
    left, right = (
        (number(term.this), number(term.expression)) if isinstance(term, exp.EQ) else (0, 1)
    )
    return left is not None and left == right


def _is_limit(term: exp.Expression) -> bool:
    """`ROWNUM <= 100`: how many bad records are shown."""
    if not isinstance(term, exp.LT | exp.LTE):
        return False
    column, most = bare(term.this), number(term.expression)
    named = isinstance(column, exp.Column | exp.Pseudocolumn) and column.name.lower() == "rownum"
    return named and most is not None and most >= 1


def is_load_window(term: exp.Expression) -> bool:
    """`load_dt >= CURRENT_DATE - 7`: only the records of the last loads are looked at."""
    node = bare(term)
    if not isinstance(node, exp.GT | exp.GTE | exp.EQ):
        return False
    column = bare(node.this)
    named = isinstance(column, exp.Column) and column.name.lower() in words("window", "columns")
    if not named or not _is_clock(node.expression):
        return False
    back = node.expression.find(exp.Sub, exp.Neg) is not None or _calls(node.expression, "back")
    ahead = node.expression.find(exp.Add) is not None or _calls(node.expression, "moving")
    return back or not (ahead or isinstance(node, exp.GT))


def _calls(tree: exp.Expression, key: str) -> bool:
    return any((called(node) or ("",))[0] in words("window", key) for node in tree.walk())


def _is_clock(tree: exp.Expression) -> bool:
    """The time of the run, moved by a number of days; no column of the table's own."""
    known = words("window", "clocks")
    found = False
    for node in own_nodes(tree):
        name = (called(node) or ("",))[0]
        if isinstance(node, exp.Column):
            name = node.name.lower()
            if name not in known and name not in _UNITS:
                return False
        found = found or name in known or isinstance(node, _CLOCKS)
    return found and not has_aggregate(tree) and tree.find(exp.Query) is None


_CLOCKS = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime)
_UNITS = frozenset({"day", "days", "dd", "d", "week", "month", "mm", "hour", "hh", "year", "yy"})


# Joins --------------------------------------------------------------------------------------------


def _with_plain_joins(select: exp.Select) -> exp.Select:
    if any(node.args.get("join_mark") for node in nodes(select)):
        select = _without_marks(select)
    select = _with_on(select)
    joins = select.args.get("joins") or []
    if len(joins) == 1 and _kind(joins[0]) in _RIGHT:
        select = _turned(select, "LEFT")
    elif len(joins) == 1 and _kind(joins[0]) in _INNER and _shows_second(select, joins[0]):
        select = _turned(select, "")
    return _without_unused(select)


def _with_on(select: exp.Select) -> exp.Select:
    """One JOIN … USING (k) as ON a.k = b.k. A k by itself is that of the first table."""
    joins = select.args.get("joins") or []
    names = joins[0].args.get("using") if len(joins) == 1 else None
    sources = [select.args["from_"].this, *(join.this for join in joins)] if names else []
    if not names or not all(isinstance(source, exp.Table) for source in sources):
        return select
    ours, theirs = (source.alias_or_name for source in sources)
    lefts = (("LEFT", ""), ("LEFT", "OUTER"), *_INNER)
    if _kind(joins[0]) not in lefts or ours.lower() == theirs.lower():
        return select
    keys = [name.name for name in names]
    copy = copied(select)
    for column in [*copy.find_all(exp.Column)]:
        if column.table or column.name.lower() not in {key.lower() for key in keys}:
            continue
        if column.parent_select is not copy:
            return select
        column.set("table", exp.to_identifier(ours))
    (join,) = copy.args["joins"]
    equal = [exp.EQ(this=exp.column(k, ours), expression=exp.column(k, theirs)) for k in keys]
    join.set("using", None)
    join.set("on", all_hold(equal))
    return copy


def _kind(join: exp.Join) -> tuple[str, str]:
    return (join.side or "").upper(), (join.kind or "").upper()


def _without_marks(select: exp.Select) -> exp.Select:
    """`(+)` as joins."""
    try:
        found = eliminate_join_marks(copied(select))
    except (SqlglotError, AssertionError, AttributeError, KeyError, ValueError) as error:
        raise Unreadable("unsupported_query", "its (+) joins can't be told apart") from error
    if not isinstance(found, exp.Select) or any(
        column.args.get("join_mark") for column in found.find_all(exp.Column)
    ):
        raise Unreadable("unsupported_query", "its (+) joins can't be told apart")
    for join in found.args.get("joins") or []:
        if (join.kind or "").upper() == "LEFT":
            join.set("kind", None)
            join.set("side", "LEFT")
    return found


def _turned(select: exp.Select, side: str) -> exp.Select:
    """With the second table for the first."""
    copy = copied(select)
    join, first = copy.args["joins"][0], copy.args["from_"].this
    second = join.this
    copy.set("from_", exp.From(this=copied(second)))
    join.set("this", copied(first))
    join.set("side", side or None)
    return copy


def _shows_second(select: exp.Select, join: exp.Join) -> bool:
    """Whether all columns that the query shows are the second table's."""
    if not isinstance(join.this, exp.Table) or any(map(has_aggregate, select.expressions)):
        return False
    second = (join.this.alias or join.this.name).lower()
    columns = [c for item in select.expressions for c in item.find_all(exp.Column)]
    return bool(columns) and all(c.table.lower() == second for c in columns)


def _without_unused(select: exp.Select) -> exp.Select:
    """A LEFT JOIN whose table nothing speaks of finds the same records without it."""
    grouped = any(select.args.get(key) for key in ("group", "having", "qualify", "distinct"))
    joins = select.args.get("joins") or []
    if grouped or not joins:
        return select
    used = _used(select)
    kept = [join for join in joins if not _is_left(join) or _alias(join) in used]
    if len(kept) == len(joins) or "" in used:
        return select
    copy = copied(select)
    left = [join for join in copy.args["joins"] if not _is_left(join) or _alias(join) in used]
    copy.set("joins", left or None)
    return copy


def _is_left(join: exp.Join) -> bool:
    known = not any(v for k, v in join.args.items() if k not in ("this", "side", "kind", "on"))
    return known and _kind(join) in {("LEFT", ""), ("LEFT", "OUTER")}


def _alias(join: exp.Join) -> str:
    return str(join.this.alias_or_name).lower()


def _used(select: exp.Select) -> set[str]:
    """The qualifiers of columns in WHERE and in the conditions of other joins; "" for none."""
    where = select.args.get("where")
    found = {c.table.lower() for c in where.find_all(exp.Column)} if where else {""}
    for join in select.args["joins"]:
        on = join.args.get("on")
        columns = list(on.find_all(exp.Column)) if on is not None else []
        own = {_alias(join)} if _is_left(join) else set()
        found |= {column.table.lower() for column in columns} - own
        if not _is_left(join):
            found.add(_alias(join))
    return found
