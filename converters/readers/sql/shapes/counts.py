"""Columns that count records: one rule for each that counts bad ones."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare, called, copied, terms
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.shapes.checks import no_rule, unread
from ruleferry.converters.readers.sql.shapes.counting import Counting, counting
from ruleferry.converters.readers.sql.shapes.figures import of_counting
from ruleferry.converters.readers.sql.shapes.here import Here, Part, found
from ruleferry.converters.readers.sql.shapes.outcomes import shows_figures
from ruleferry.converters.readers.sql.shapes.plain import plain_query
from ruleferry.converters.readers.sql.shapes.rows import named_table, of_query
from ruleferry.converters.readers.sql.shapes.signs import (
    bad_series,
    is_plain_name,
    series_of,
    sign_of,
)
from ruleferry.converters.readers.sql.shapes.trees import has_aggregate, has_query, value_of
from ruleferry.converters.readers.sql.shapes.words import words
from ruleferry.converters.rule import NotARule, Unread


@dataclass(frozen=True, slots=True)
class Counted:
    """A column; `total`: other columns of the query count some of the same records; `series`: it
    is one of several of which some are known to count bad ones."""

    item: exp.Expression
    name: str
    place: int
    counting: Counting | None
    total: bool = False
    series: bool = False


def of_counts(select: exp.Select, here: Here) -> tuple[Found, ...]:
    """Empty: the query is a listing."""
    if any(select.args.get(key) for key in ("group", "having", "qualify")):
        return _of_groups(select, here)
    if select.args.get("distinct"):
        select = copied(select)
        select.set("distinct", None)
    columns = _columns(select, here)
    return tuple(
        found(_of_column(column, select, here), _part(column, len(columns) > 1), here)
        for column in columns
    )


def _columns(select: exp.Select, here: Here) -> list[Counted]:
    named = enumerate(here.named(select), 1)
    found = [(place, item, name) for place, (item, name) in named if shows_figures(item)]
    counted = [counting(value_of(item), select) for _, item, _ in found]
    others = any(one is not None and one.condition is not None for one in counted)
    pairs = list(zip(found, counted, strict=True))
    series = bad_series((n, one.condition, one.bad) for (_, _, n), one in pairs if one is not None)
    return [
        Counted(
            item, name, place, one, others and _is_total(one, select), series_of(name) in series
        )
        for (place, item, name), one in pairs
    ]


def _is_total(one: Counting | None, select: exp.Select) -> bool:
    return one is not None and one.condition is None and one.source is select


def _part(column: Counted, several: bool) -> Part:
    word = f"column {column.name or column.place}" if several else ""
    return Part(column.item, word, column.name)


def _of_column(column: Counted, select: exp.Select, here: Here) -> Checked:
    table = named_table(select, here.setting)
    counted = column.counting
    if counted is None and _compares(value_of(column.item)):
        reason = "it shows how far two figures differ, and nothing says by how much they may"
        return unread("unknown_shape", reason, table, here.setting)
    if counted is None and _is_answer(value_of(column.item)):
        reason = "it answers a question with yes or no, and nothing says which answer is bad"
        return unread("unknown_shape", reason, table, here.setting)
    if counted is None:
        return no_rule("a figure, of which nothing is asked", table)
    if counted.condition is None and not _asks(counted.source):
        return no_rule("the number of all records: nothing is asked of it", table)
    if column.total:
        return no_rule("the number of all records that are looked at", table)
    try:
        checked = of_counting(counted, here.setting, of_query)
    except Unreadable as fault:
        return unread(fault.code, fault.reason, table, here.setting)
    known = here.said.named or column.series or isinstance(checked.check, Unread | NotARule)
    return checked if known else _if_bad(checked, column.name, counted, here.setting)


def _asks(select: exp.Select) -> bool:
    source = select.args.get("from_")
    derived = source is not None and isinstance(source.this, exp.Subquery)
    return derived or bool(select.args.get("where")) or asks_by_join(select)


def asks_by_join(select: exp.Select) -> bool:
    """Whether a join says by itself which records are wanted."""
    return any(map(_chooses, select.args.get("joins") or []))


def _chooses(join: exp.Join) -> bool:
    """An ANTI or SEMI JOIN; an inner one by more than equal columns, as a table with itself."""
    if (join.kind or "").upper() in ("ANTI", "SEMI"):
        return True
    on = join.args.get("on")
    if on is None or (join.side or "").upper():
        return False
    return not all(isinstance(term, exp.EQ) and _is_of_columns(term) for term in terms(on))


def _is_of_columns(term: exp.EQ) -> bool:
    return all(isinstance(bare(side), exp.Column) for side in (term.this, term.expression))


def _compares(value: exp.Expression) -> bool:
    """One count less another one."""
    sides = (value.this, value.expression) if isinstance(value, exp.Sub) else ()
    return bool(sides) and all(has_aggregate(side) or has_query(side) for side in sides)


def _is_answer(value: exp.Expression) -> bool:
    """`EXISTS (…)`, `COUNT(*) = 0`, `BOOL_OR(x < 0)`: a truth value of many records."""
    if isinstance(value, exp.Predicate | exp.Not | exp.And | exp.Or):
        return True
    return (called(value) or ("",))[0] in words("functions", "truths")


def _if_bad(checked: Checked, name: str, counted: Counting, setting: Setting) -> Checked:
    """A count of what is not said to be bad may be a figure about the business."""
    condition = counted.condition
    where = counted.source.args.get("where")
    if condition is None and where is not None and name and not is_plain_name(name):
        condition = where.this
    sign = sign_of(name, condition, bad=counted.bad)
    if sign == "bad":
        return checked
    if sign == "figure":
        return no_rule(f"{name} counts the records of a category", checked.table)
    reason = f"nothing says whether what {name or 'it'} counts is bad"
    return unread("unknown_shape", reason, checked.table, setting, checked.columns)


def _of_groups(select: exp.Select, here: Here) -> tuple[Found, ...]:
    """Figures of groups: HAVING says which are bad; without it they are shown to a reader."""
    if select.args.get("having") or select.args.get("qualify"):
        return ()
    table = named_table(select, here.setting)
    query = plain_query(select, here.setting)
    named = [name for _, name in here.named(select) if name and not is_plain_name(name)]
    bad = any(sign_of(name, None, bad=True) == "bad" for name in named)
    if query is None or not query.all_conditions or (select.args.get("order") and not bad):
        reason = "it shows figures of groups: nothing is asked of them"
        return (found(no_rule(reason, table), Part(select), here),)
    if bad or here.said.named:
        return ()
    reason = "nothing says whether the groups that it counts are bad"
    checked = unread("unknown_shape", reason, table, here.setting)
    return (found(checked, Part(select), here),)
