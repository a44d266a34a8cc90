"""What a query of bad records checks, and what a bare condition does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.lookups import Asked, looked_for
from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import all_hold, bare, copied, terms, unqualified
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes.checks import (
    BATCH,
    no_rule,
    own_columns,
    row,
    sql_text,
    told,
    unread,
)
from ruleferry.converters.readers.sql.shapes.duplicates import duplicates
from ruleferry.converters.readers.sql.shapes.figures import judged
from ruleferry.converters.readers.sql.shapes.one_row import with_figures
from ruleferry.converters.readers.sql.shapes.placeholders import refuse_parameters, table_name
from ruleferry.converters.readers.sql.shapes.plain import Query, on_records, plain_query, resolved
from ruleferry.converters.readers.sql.shapes.reconciled import reconciled
from ruleferry.converters.readers.sql.shapes.trees import (
    aggregate,
    columns_of,
    has_aggregate,
    has_query,
    has_window,
    looks_further,
    only_args,
    value_of,
)
from ruleferry.converters.readers.sql.shapes.whole import whole, without_order
from ruleferry.converters.rule import Exists, Kind, LookedUp

_ROWS = frozenset({"expressions", "from_", "where", "distinct"})
_RETURNED = "the records that it does not return can't be told"
_DEEP = "it is nested too deep"


def bad_rows(select: exp.Expression, setting: Setting, *, bad: bool = True) -> Checked:
    """`bad`: the query returns the bad records; else the good ones, and all others are bad."""
    return _read(lambda: _of_query(resolved(select, setting), setting, bad), select, setting)


def of_condition(
    tree: exp.Expression, setting: Setting, table: str | None, *, bad: bool
) -> Checked:
    """A predicate over a table's records, without a query around it."""
    return _read(lambda: _of_condition(tree, setting, table, bad), tree, setting, table)


def _read(
    read: Callable[[], Checked], tree: exp.Expression, setting: Setting, table: str | None = None
) -> Checked:
    try:
        return read()
    except Unreadable as fault:
        return unread(fault.code, fault.reason, table or named_table(tree, setting), setting,
                      _named(tree.args.get("where")))  # fmt: skip
    except RecursionError:
        return unread("too_large", _DEEP, table, setting)


def _named(where: exp.Expression | None) -> tuple[str, ...]:
    if where is None:
        return ()
    columns = [exp.column(c.name) for c in where.find_all(exp.Column, bfs=False) if c.name]
    return columns_of(*columns)


def named_table(tree: exp.Expression, setting: Setting) -> str | None:
    """The first table of a text that could not be read any further."""
    found = tree.find(exp.Table, bfs=False)
    known = found is not None and isinstance(found.this, exp.Identifier)
    return table_name(found, setting.macros) if found is not None and known else None


# Conditions ---------------------------------------------------------------------------------------


def _of_condition(tree: exp.Expression, setting: Setting, table: str | None, bad: bool) -> Checked:
    refuse_parameters(tree, setting.macros)
    if has_window(tree) or has_aggregate(tree):
        raise Unreadable("unknown_shape", "it looks at more than one record")
    if has_query(tree):
        source = exp.Table(this=exp.to_identifier(BATCH))
        query = exp.Select(
            expressions=[exp.Star()],
            from_=exp.From(this=source),
            where=exp.Where(this=copied(tree)),
        )
        return replace(_of_query(query, setting, bad), table=table)
    names = {BATCH, *([table.split(".")[-1].lower()] if table else [])}
    return row(bare(unqualified(tree, names)), setting, table, bad=bad)


# Queries ------------------------------------------------------------------------------------------


def _of_query(tree: exp.Expression, setting: Setting, bad: bool) -> Checked:
    tree = without_order(tree)
    if isinstance(tree, exp.SetOperation):
        refuse_good(bad)
        return reconciled(tree, setting) or whole(tree, setting)
    if not isinstance(tree, exp.Select):
        raise Unreadable("unknown_shape", f"it is no query: {type(tree).__name__.upper()}")
    if (found := _of_figures(tree, setting, bad)) is not None:
        return found
    if not tree.args.get("from_"):
        raise Unreadable("no_table", "it reads no table")
    if (inner := _counted(tree)) is not None:
        return _of_query(inner, setting, bad)
    query = plain_query(tree, setting)
    found = duplicates(tree, query, setting)
    if found is not None:
        return found if bad else no_rule("it keeps one record of each key", found.table)
    if query is None:
        refuse_good(bad)
        return whole(tree, setting)
    query, caveats = on_records(query, setting)
    found = told(_of_plain(query, setting, bad, picked=bool(caveats)), query)
    return replace(found, caveats=caveats + found.caveats)


def _of_figures(tree: exp.Select, setting: Setting, bad: bool) -> Checked | None:
    """A row that is only there where a condition over figures of many records holds."""
    if not tree.args.get("from_"):
        where = tree.args.get("where")
        strange = only_args(tree, _ASKED)
        if where is None or strange or not has_query(where):
            return None
        return judged(where.this, tree, setting, of_query, bad=bad)
    having = tree.args.get("having")
    if having is not None and not tree.args.get("group"):
        if strange := only_args(tree, _ROWS | {"joins", "having"}):
            raise Unreadable("unsupported_query", f"{strange} is not carried over")
        copy = copied(tree)
        copy.set("having", None)
        return judged(_by_name(having.this, tree), copy, setting, of_query, bad=bad)
    figures = with_figures(tree)
    where = figures.args.get("where")
    if figures.args.get("from_") or where is None or only_args(figures, _ASKED):
        return None
    return judged(where.this, figures, setting, of_query, bad=bad)


_ASKED = frozenset({"expressions", "where"})


def _by_name(condition: exp.Expression, select: exp.Select) -> exp.Expression:
    """HAVING may speak of figures by the names that they are shown under."""
    shown = {item.alias.lower(): item.this for item in select.expressions
             if isinstance(item, exp.Alias) and has_aggregate(item)}  # fmt: skip
    root = exp.Paren(this=copied(condition))
    for column in list(root.find_all(exp.Column)):
        if not column.table and column.name.lower() in shown:
            column.replace(copied(shown[column.name.lower()]))
    return bare(root)


def of_query(select: exp.Select, setting: Setting) -> Checked:
    """What a query of bad records checks. Raises Unreadable."""
    return _of_query(select, setting, True)


def refuse_good(bad: bool) -> None:
    if not bad:
        raise Unreadable("unsupported_query", _RETURNED)


def _counted(select: exp.Select) -> exp.Expression | None:
    """`SELECT COUNT(*) FROM (a query)`: the query."""
    source = select.args["from_"].this
    if only_args(select, frozenset({"expressions", "from_"})) or len(select.expressions) != 1:
        return None
    value = value_of(select.expressions[0])
    counted = aggregate(value)
    plain = isinstance(value, exp.Star) or (
        counted is not None and counted[0] in ("count", "count_big") and not _counts_values(counted)
    )
    if not plain or not isinstance(source, exp.Subquery):
        return None
    return without_order(copied(bare(source.this)))


def _counts_values(counted: tuple[str, list[exp.Expression]]) -> bool:
    """COUNT(x), not COUNT(*) or COUNT(1)."""
    return not all(isinstance(bare(one), exp.Star | exp.Literal) for one in counted[1])


def _of_plain(query: Query, setting: Setting, bad: bool, *, picked: bool) -> Checked:
    """`picked`: it looked at the records of the last loads alone."""
    if not query.conditions:
        if query.filters or picked:
            return no_rule("it only picks the records of a load", query.name)
        if not query.select.args.get("joins") and not query.select.args.get("having"):
            raise Unreadable("unknown_shape", "it has no condition: it finds every record")
    for condition in query.conditions:
        refuse_parameters(condition, setting.macros)
    if strange := only_args(query.select, _ROWS | {"joins", "group", "having", "qualify"}):
        raise Unreadable("unsupported_query", f"{strange} is not carried over")
    if _is_row(query):
        tree = own_columns(all_hold(query.conditions), query)
        return row(tree, setting, query.name, bad=bad)
    found = looked_for(_stripped(query.select), _asked(query, setting))
    if found is not None and not only_args(query.select, _ROWS | {"joins"}):
        return _looked(query, found.rule, found.scope, bad)
    refuse_good(bad)
    _refuse_pairs(query)
    return whole(query.select, setting)


def _is_row(query: Query) -> bool:
    """The select list may group: what a group is shown for is a record of it."""
    grouped = query.select.args.get("having") or query.select.args.get("qualify")
    if query.select.args.get("joins") or grouped:
        return False
    return not any(has_query(c) or has_window(c) for c in query.conditions)


def _stripped(select: exp.Select) -> exp.Select:
    copy = copied(select)
    copy.set("expressions", [exp.Star()])
    return copy


def _asked(query: Query, setting: Setting) -> Asked:
    driving = [part.name.lower() for part in query.table.parts]

    def ours(table: exp.Table) -> bool:
        return [part.name.lower() for part in table.parts] == driving

    def text(tree: exp.Expression) -> SqlText:
        refuse_parameters(tree, setting.macros)
        return sql_text(tree, setting, bad=False)

    return Asked(ours, text, looks_further)


def _looked(query: Query, rule: Exists | LookedUp, scope: SqlText | None, bad: bool) -> Checked:
    columns = [ours for ours, _ in rule.lookup.keys]
    kind: Kind = "exists"
    if isinstance(rule, LookedUp):
        kind = "looked_up"
        columns += [comparison.left for comparison in rule.comparisons]
    if not bad:
        if scope is not None or isinstance(rule, LookedUp) or rule.listed:
            raise Unreadable("unsupported_query", _RETURNED)
        rule = replace(rule, negated=not rule.negated)
    return Checked(rule, kind, query.name, tuple(dict.fromkeys(columns)), scope)


def _refuse_pairs(query: Query) -> None:
    """A table joined with itself pairs each record with itself, unless a term says otherwise."""
    joins = query.select.args.get("joins") or []
    driving = [part.name.lower() for part in query.table.parts]
    same = [
        join for join in joins
        if isinstance(join.this, exp.Table)
        and [part.name.lower() for part in join.this.parts] == driving
    ]  # fmt: skip
    said = [*query.conditions, *(term for join in joins for term in terms(join.args.get("on")))]
    if same and not any(_tells_apart(term) for term in said):
        reason = "its table is joined with itself, and each record is paired with itself, too"
        raise Unreadable("unknown_shape", reason)


_UNEQUAL = (exp.NEQ, exp.LT, exp.GT, exp.NullSafeNEQ)


def _tells_apart(node: exp.Expression) -> bool:
    """`a.id <> b.id`: the same column on both sides."""
    if not isinstance(node, _UNEQUAL):
        return False
    left, right = bare(node.this), bare(node.args["expression"])
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return False
    return left.name.lower() == right.name.lower() and left.table != right.table
