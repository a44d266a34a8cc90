"""Figures that count records: COUNT, SUM of marks, a query of one value; and which they count."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.dialects.tree import all_hold, bare, called, copied
from ruleferry.converters.readers.sql.shapes.branches import any_of, branches_of
from ruleferry.converters.readers.sql.shapes.one_row import with_figures
from ruleferry.converters.readers.sql.shapes.trees import aggregate, number, only_args, value_of
from ruleferry.converters.readers.sql.shapes.words import words

_COUNTED = frozenset({"expressions", "from_", "joins", "where"})
_BOOLEAN = (exp.Predicate, exp.Connector, exp.Not, exp.Is)


@dataclass(frozen=True, slots=True)
class Counting:
    """The records of `source` (its FROM and WHERE) are counted for which the condition is TRUE.

    `condition` None: all of them. `bad` False: those for which it is not TRUE.
    """

    source: exp.Select
    condition: exp.Expression | None
    bad: bool = True


def counting(value: exp.Expression, select: exp.Select) -> Counting | None:
    """None for what is no such figure. `value` is a figure of `select`."""
    node = _plain(bare(value))
    if isinstance(node, exp.Subquery):
        return _of_query(node.this)
    if isinstance(node, exp.Sub):
        return _of_difference(node, select)
    if isinstance(node, exp.Filter):
        return _of_filter(node, select)
    found = aggregate(node)
    if found is None or not found[1]:
        return None
    name, arguments = found
    argument = bare(arguments[0])
    if len(arguments) > 1:
        return None
    if name in ("count", "count_big"):
        return _of_count(argument, select)
    if name in words("functions", "conditional_counts"):
        return Counting(select, argument)
    return _of_marks(argument, select) if name == "sum" else None


def _plain(node: exp.Expression) -> exp.Expression:
    """Without COALESCE(…, 0) and casts around it."""
    while True:
        if isinstance(node, exp.Cast | exp.TryCast):
            node = bare(node.this)
        elif _falls_to_zero(*(called(node) or ("", []))):
            node = bare(node.expressions[0])
        else:
            return node


def _falls_to_zero(name: str, arguments: list[exp.Expression]) -> bool:
    if name in words("functions", "zero_if_null"):
        return len(arguments) == 1
    known = name in words("functions", "coalesce")
    return known and len(arguments) == 2 and number(arguments[1]) == 0


def _of_query(query: exp.Expression) -> Counting | None:
    """`(SELECT COUNT(*) FROM t WHERE …)`."""
    query = bare(query)
    query = with_figures(query) if isinstance(query, exp.Select) else query
    if isinstance(query, exp.Select) and not query.args.get("from_") and _only_one(query):
        return counting(value_of(query.expressions[0]), query)
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return None
    if only_args(query, _COUNTED) or not query.args.get("from_"):
        return None
    return counting(value_of(query.expressions[0]), query)


def _only_one(query: exp.Select) -> bool:
    return len(query.expressions) == 1 and not only_args(query, frozenset({"expressions"}))


def _of_count(argument: exp.Expression, select: exp.Select) -> Counting | None:
    if isinstance(argument, exp.Star) or number(argument) is not None:
        return Counting(select, None)
    if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
        argument = bare(argument.expressions[0])  # none of them are none at all
    branches = branches_of(argument)
    if branches is None or len(branches) != 2 or not isinstance(branches[1].outcome, exp.Null):
        return None
    condition, outcome = branches[0].condition, bare(branches[0].outcome)
    if isinstance(outcome, exp.Column) and condition is not None:
        present = exp.Not(this=exp.Is(this=copied(outcome), expression=exp.Null()))
        return Counting(select, all_hold([condition, present]))
    return Counting(select, condition) if isinstance(outcome, exp.Literal) else None


def _of_marks(argument: exp.Expression, select: exp.Select) -> Counting | None:
    """SUM of 1 and 0."""
    if isinstance(argument, exp.Cast | exp.TryCast) and isinstance(bare(argument.this), _BOOLEAN):
        return Counting(select, bare(argument.this))
    if isinstance(argument, _BOOLEAN):
        return Counting(select, argument)  # MySQL: TRUE is 1
    name, arguments = called(argument) or ("", [])
    if name == "isnull" and len(arguments) == 1:
        return Counting(select, exp.Is(this=copied(arguments[0]), expression=exp.Null()))
    branches = branches_of(argument)
    if branches is None:
        return None
    marks = [_mark(branch.outcome) for branch in branches]
    held = [branch.condition for branch in branches if branch.condition is not None]
    *first, last = marks
    if set(first) == {1} and last == 0:
        return Counting(select, any_of(held))
    return Counting(select, any_of(held), bad=False) if set(first) == {0} and last == 1 else None


def _mark(node: exp.Expression) -> float | None:
    return 0 if isinstance(bare(node), exp.Null) else number(node)


def _of_filter(node: exp.Filter, select: exp.Select) -> Counting | None:
    """`COUNT(*) FILTER (WHERE …)`."""
    inner = aggregate(bare(node.this))
    where = node.expression
    if inner is None or inner[0] != "count" or not isinstance(where, exp.Where):
        return None
    stars = all(isinstance(bare(one), exp.Star | exp.Literal) for one in inner[1])
    return Counting(select, where.this) if stars else None


def _of_difference(node: exp.Sub, select: exp.Select) -> Counting | None:
    """`COUNT(*) - COUNT(x)`: where x is missing."""
    total, present = counting(node.this, select), counted_column(node.expression)
    if (
        total is None
        or total.condition is not None
        or present is None
        or total.source is not select
    ):
        return None
    return replace(total, condition=exp.Is(this=copied(present), expression=exp.Null()))


def counted_column(value: exp.Expression, *, distinct: bool = False) -> exp.Column | None:
    """`COUNT(x)`, or `COUNT(DISTINCT x)`: the column."""
    found = aggregate(bare(value))
    if found is None or found[0] not in ("count", "count_big") or len(found[1]) != 1:
        return None
    argument = bare(found[1][0])
    if isinstance(argument, exp.Distinct) != distinct:
        return None
    if isinstance(argument, exp.Distinct):
        if len(argument.expressions) != 1 or argument.args.get("on"):
            return None
        argument = bare(argument.expressions[0])
    plain = isinstance(argument, exp.Column) and not isinstance(argument.this, exp.Star)
    return argument if plain and isinstance(argument, exp.Column) else None
