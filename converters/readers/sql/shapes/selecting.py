"""SELECT statements: which rules they are, each with its name, or why they are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare, copied
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.shapes.checks import no_rule, unread
from ruleferry.converters.readers.sql.shapes.counts import asks_by_join, of_counts
from ruleferry.converters.readers.sql.shapes.here import Here, Part, attempted, found, joined
from ruleferry.converters.readers.sql.shapes.one_row import with_figures
from ruleferry.converters.readers.sql.shapes.outcomes import of_outcomes
from ruleferry.converters.readers.sql.shapes.placeholders import with_tables
from ruleferry.converters.readers.sql.shapes.raised import of_raised, refuse_raised
from ruleferry.converters.readers.sql.shapes.record_status import of_statuses
from ruleferry.converters.readers.sql.shapes.rows import bad_rows, named_table, of_query
from ruleferry.converters.readers.sql.shapes.said import names_of, said
from ruleferry.converters.readers.sql.shapes.signs import asks_results, is_catalogue
from ruleferry.converters.readers.sql.shapes.sources import merged, opened
from ruleferry.converters.readers.sql.shapes.trees import (
    has_aggregate,
    has_query,
    has_window,
    only_args,
    text,
    value_of,
)
from ruleferry.converters.readers.sql.shapes.words import whole, words
from ruleferry.converters.readers.sql.shapes.written.tables import table_words
from ruleferry.converters.rule import Unread


def read_query(tree: exp.Expression, start: int, end: int, setting: Setting) -> tuple[Found, ...]:
    """The rules of a SELECT statement: at least one Found. Never raises."""
    here = Here(start, end, setting)
    try:
        return _apart(_of_query(opened(tree), here))
    except Unreadable as fault:
        checked = unread(fault.code, fault.reason, named_table(tree, setting), setting)
    except RecursionError:
        checked = unread("too_large", "it is nested too deep", None, setting)
    return (found(checked, Part(tree), here),)


def _apart(rules: Sequence[Found]) -> tuple[Found, ...]:
    """Columns may be called alike: `column x`, `column x (2)`."""
    seen: Counter[str] = Counter()
    made: list[Found] = []
    for rule in rules:
        seen[rule.part] += 1
        again = seen[rule.part]
        made.append(replace(rule, part=f"{rule.part} ({again})".strip()) if again > 1 else rule)
    return tuple(made)


def _of_query(tree: exp.Expression, here: Here) -> tuple[Found, ...]:
    if isinstance(tree, exp.Union) and not _is_one_check(tree, here.setting):
        return _of_battery(tree, here)
    if isinstance(tree, exp.Select):
        return _of_select(tree, here)
    return (found(bad_rows(tree, here.setting), Part(tree), here),)


# UNION --------------------------------------------------------------------------------------------


def _is_one_check(tree: exp.Union, setting: Setting) -> bool:
    """What is missing in one table or in the other."""
    if tree.find(exp.Except) is None:
        return False
    return not isinstance(bad_rows(tree, setting).check, Unread)


def _of_battery(tree: exp.Union, here: Here) -> tuple[Found, ...]:
    """Rules of each query; the first one names the columns."""
    queries = _queries(tree)
    first = queries[0]
    names = here.names
    if not names and isinstance(first, exp.Select):
        names = names_of(first.expressions)
    rules: list[Found] = []
    for place, query in enumerate(queries, 1):
        part = joined(here.part, f"branch {place}")
        rules += _safely(query, replace(here, names=names, part=part))
    return tuple(rules)


def _queries(tree: exp.Expression) -> list[exp.Expression]:
    found: list[exp.Expression] = []
    waiting = [tree]
    while waiting:
        node = bare(waiting.pop())
        if isinstance(node, exp.Subquery) and not only_args(node, frozenset({"this", "alias"})):
            waiting.append(node.this)
        elif isinstance(node, exp.Union):
            waiting += [node.expression, node.this]
        else:
            found.append(node)
    return found


def _safely(query: exp.Expression, here: Here) -> tuple[Found, ...]:
    """One query that can't be read doesn't hide the others."""
    try:
        return _of_query(query, here)
    except Unreadable as fault:
        table = named_table(query, here.setting)
        checked = unread(fault.code, fault.reason, table, here.setting)
        return (found(checked, Part(query), here),)


# SELECT -------------------------------------------------------------------------------------------


def _of_select(select: exp.Select, here: Here) -> tuple[Found, ...]:
    if (inner := _listed(select)) is not None:
        return _of_battery(inner, here)
    with_tables(select, here.setting.macros)
    names = here.names or names_of(select.expressions)
    here = replace(here, names=names, said=said(select.expressions, names))
    figures = _without_idle(merged(with_figures(select)))
    if (none := _why_none(figures, here.setting)) is not None:
        return (found(none, Part(select), here),)
    if raising := of_raised(figures, here):
        return raising
    if _is_of_figures(figures):
        rules = of_outcomes(figures, here) or of_counts(figures, here)
    else:
        rules = of_statuses(figures, here)
    if not any(rule.effect.kind == "raise" for rule in rules):
        refuse_raised(figures)
    return rules or _of_listing(select, here)


def _is_of_figures(select: exp.Select) -> bool:
    """Figures of all records; a query of one value beside each record only shows more of it."""
    if any(has_aggregate(item) for item in select.expressions):
        return True
    return not select.args.get("where") and any(map(has_query, select.expressions))


def _listed(select: exp.Select) -> exp.Union | None:
    """`SELECT * FROM (… UNION ALL …)`: each of the queries is one of bad records."""
    source = select.args.get("from_")
    inner = bare(source.this) if source is not None else None
    if isinstance(inner, exp.Subquery):
        inner = bare(inner.this)
    shown = all(isinstance(value_of(i), exp.Star | exp.Column) for i in select.expressions)
    if not isinstance(inner, exp.Union) or only_args(select, _SHOWN) or not shown:
        return None
    return None if inner.find(exp.Except) else inner


_SHOWN = frozenset({"expressions", "from_", "order"})


def _why_none(select: exp.Select, setting: Setting) -> Checked | None:
    """Statements that read no table, the database's own ones, or the results of earlier checks."""
    source = select.args.get("from_")
    if source is None:
        return None if has_query(select) and _asks(select) else no_rule("it reads no table")
    table = source.this
    if not isinstance(table, exp.Table):
        return None
    name = named_table(table, setting)
    if is_catalogue(table):
        return no_rule("it reads the database's own catalogue", name)
    if asks_results(select, table, setting):
        return no_rule("it shows the results of earlier checks", name)
    return None


def _without_idle(select: exp.Select) -> exp.Select:
    """A query of queries without its FROM dual."""
    source = select.args.get("from_")
    idle = source is not None and source.this.name.lower() in ("dual", "sysdummy1")
    if not idle or not any(map(has_query, select.expressions)):
        return select
    copy = copied(select)
    copy.set("from_", None)
    return copy


def _asks(select: exp.Select) -> bool:
    where = select.args.get("where")
    asked = [*select.expressions, *([where.this] if where is not None else [])]
    return any(has_query(one) for one in asked)


def _of_listing(select: exp.Select, here: Here) -> tuple[Found, ...]:
    if _lists_all(select):
        joined_too = " that another table has, too" if select.args.get("joins") else ""
        reason = f"it lists every record{joined_too}: nothing is asked of them"
        checked = no_rule(reason, named_table(select, here.setting))
    elif (praise := _praise(select)) is not None:
        reason = f"it calls the records that it finds {praise!r}: nothing says that they are bad"
        checked = unread("unknown_shape", reason, named_table(select, here.setting), here.setting)
    else:
        checked = attempted(lambda: of_query(select, here.setting), select, here.setting)
    return (found(checked, Part(select), here),)


def _praise(select: exp.Select) -> str | None:
    """`SELECT id, 'OK' FROM …`: a verdict beside each record that is found."""
    good = words("verdict", "pass") & table_words("values", "good")
    texts = [text(value_of(item)) or "" for item in select.expressions]
    return next((one for one in texts if whole(one) in good), None)


def _lists_all(select: exp.Select) -> bool:
    """Without a condition it is an extract or a look at the data."""
    keys = ("where", "having", "qualify", "group")
    if any(select.args.get(key) for key in keys) or any(map(has_window, select.expressions)):
        return False
    source = select.args.get("from_")
    return (
        not asks_by_join(select)
        and source is not None
        and not isinstance(source.this, exp.Subquery)
    )
