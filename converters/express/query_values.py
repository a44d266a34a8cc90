"""The expressions of a query, made total as those of a condition are.

What is more than a record's own value (columns of several tables, aggregates, windows, subqueries)
is held apart meanwhile, and put back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express.coercion import Findings, Typed, as_condition, as_number
from ruleferry.converters.express.computed import BATCH
from ruleferry.converters.express.functions import called
from ruleferry.converters.express.good import Use
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import column, to_sql
from ruleferry.converters.express.sql_types import BIGINT, BOOLEAN, DOUBLE
from ruleferry.converters.express.totality import total_value

# Aggregates -> the one that never raises.
AGGREGATES: Mapping[str, str] = {
    **{name: name for name in ("count", "count_if", "min", "max", "bool_and",
       "bool_or", "every", "some", "stddev", "stddev_samp", "stddev_pop", "std", "variance",
       "var_samp", "var_pop", "median", "approx_count_distinct")},
    "sum": "try_sum", "try_sum": "try_sum", "avg": "try_avg", "mean": "try_avg",
    "try_avg": "try_avg",
}  # fmt: skip
_OF_WINDOWS = frozenset(
    {"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "lag", "lead", "first_value",
     "last_value"}
)  # fmt: skip
# Doubles; a mean of decimals is a decimal, which is cast.
_MEANS = frozenset({"avg", "mean", "try_avg", "median"})
_SPREADS = frozenset(
    {"stddev", "stddev_samp", "stddev_pop", "std", "variance", "var_samp", "var_pop"}
)
_SUMS: Mapping[str, ColumnType] = {"integer": BIGINT, "float": DOUBLE, "double": DOUBLE}
# Those whose value is one of those that they look at.
_ALIKE = frozenset({"min", "max", "lag", "lead", "first_value", "last_value"})
_MOST_DIGITS = 38
_COUNTS = frozenset({"count", "count_if", "row_number", "rank", "dense_rank"})
_STAND_IN = "ruleferry_{}"
_HELD = re.compile(r"ruleferry_\d+")
# What sqlglot calls a part of a query -> what its author does.
_CALLED: Mapping[str, str] = {
    "method": "a NATURAL JOIN",
    "columns": "a list of names behind an alias",
    "laterals": "LATERAL VIEW",
    "pivots": "PIVOT",
    "version": "a version of a table",
    "sample": "TABLESAMPLE",
    "kind": "SELECT AS",
    "hint": "a hint",
    "partition_by": "PARTITION BY",
    "spec": "a frame of a window (ROWS BETWEEN …)",
    "all": "GROUP BY ALL",
    "rollup": "ROLLUP",
    "cube": "CUBE",
    "grouping_sets": "GROUPING SETS",
    "recursive": "WITH RECURSIVE",
    "except_": "* EXCEPT",
    "replace": "* REPLACE",
}
_OF_THE_OLD_TOOL = "tmp_view"
_PARTS_OF_QUERIES = frozenset({"TUPLE", "GROUPINGSETS", "ROLLUP", "CUBE", "ALL", "ANY"})
# How the batch is called in a query that gives it no name.
OWN = "batch"


_Fit: TypeAlias = Callable[[Typed, Findings], Typed]
ColumnTypes: TypeAlias = Mapping[str, ColumnType]


@dataclass(frozen=True, slots=True)
class Made:
    """A query that never raises, and the known types of its columns, by lower-case name."""

    tree: exp.Query
    columns: ColumnTypes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Around:
    """What an expression may speak of: names of sources -> their types, and queries with a name.

    `own`: the sources of the select that it stands in, `sources`: those of all around it, too.
    `query` makes a subquery total; `read` gathers the tables that nothing confirms.
    """

    use: Use
    findings: Findings
    query: Callable[[exp.Expression, Around], Made]
    sources: Mapping[str, ColumnTypes] = field(default_factory=dict)
    own: Mapping[str, ColumnTypes] = field(default_factory=dict)
    named: Mapping[str, Made] = field(default_factory=dict)
    read: dict[str, None] = field(default_factory=dict)

    def type_of(self, node: exp.Column) -> ColumnType | None:
        """None where it is not known, as of a column that is not qualified beside other tables."""
        *qualifier, name = [part.name.lower() for part in node.parts]
        if qualifier:
            self._refuse_stranger(_own_name(qualifier[0]))
            found = self.sources.get(_own_name(qualifier[0])) if len(qualifier) == 1 else None
        else:
            found = next(iter(self.own.values())) if len(self.own) == 1 else None
        return found.get(name) if found is not None else None

    def _refuse_stranger(self, name: str) -> None:
        """What stands before a column's name is a source, or a column that holds fields."""
        known = [*self.sources.values()]
        named = name in self.sources or any(name in columns for columns in known)
        if name == _OF_THE_OLD_TOOL and not named:
            reason = "it calls the batch tmp_view, as Great Expectations does behind the scenes"
            raise Refusal("not_readable", f"{reason}: write {{batch}} with an alias")
        if not named and all(known):
            raise Refusal("not_readable", f"no table of the query is called {name}")

    def within(self, own: Mapping[str, ColumnTypes]) -> Around:
        """In a select from these sources."""
        return replace(self, sources={**self.sources, **own}, own=dict(own))

    def alone(self) -> Around:
        """In a query that sees nothing of what stands around it."""
        return replace(self, sources={}, own={})

    def take(self, found: Findings, held: Mapping[str, Typed]) -> None:
        """What an expression has brought to light, in the words of the query."""
        self.findings.assumed |= found.assumed
        self.findings.differs |= found.differs
        for note in found.notes:
            told = _HELD.sub(lambda name: to_sql(held[name[0]].tree), note)
            self.findings.notes[told] = None


def _own_name(name: str) -> str:
    return OWN if name == BATCH else name


def refuse_others(node: exp.Expression, known: frozenset[str]) -> None:
    for key, value in node.args.items():
        if value and key not in known:
            name = _CALLED.get(key) or key.rstrip("_").replace("_", " ").upper()
            raise Refusal("unsupported_query", f"{name} is not carried over in a query")


def identifier(text: str) -> exp.Identifier:
    found = column(text).this
    assert isinstance(found, exp.Identifier)
    return found


def total_condition(tree: exp.Expression, around: Around) -> exp.Expression:
    found, put_back = total(tree, around, _as_truth)
    return put_back(found.tree)


def _as_truth(found: Typed, findings: Findings) -> Typed:
    return Typed(as_condition(found, findings), BOOLEAN)


def _as_it_is(found: Typed, _: Findings) -> Typed:
    return found


def total_tree(tree: exp.Expression, around: Around) -> exp.Expression:
    found, put_back = total(tree, around)
    return put_back(found.tree)


# What Spark casts an argument to by itself, and raises where a text is none.
_FITS: Mapping[str, _Fit] = {
    **dict.fromkeys(("count_if", "bool_and", "bool_or", "every", "some"), _as_truth),
    **dict.fromkeys(("sum", "try_sum", *_MEANS, *_SPREADS), as_number),
}  # fmt: skip


def total(
    tree: exp.Expression, around: Around, fit: _Fit = _as_it_is
) -> tuple[Typed, Callable[[exp.Expression], exp.Expression]]:
    """The expression made total, and what puts back into it all that was held apart.

    `fit` reads it as what is wanted in its place.
    """
    held: dict[str, Typed] = {}
    apart = _apart(exp.Paren(this=tree.copy()), held, around)
    types = {name: found.type for name, found in held.items() if found.type is not None}
    findings = Findings(types, around.findings.check_regex)
    found = fit(_total_value(apart.this, findings), findings)
    around.take(findings, held)

    def put_back(made: exp.Expression) -> exp.Expression:
        root = exp.Paren(this=made.copy())
        for node in [*root.find_all(exp.Column)]:
            if node.name in held:
                node.replace(held[node.name].tree.copy())
        whole: exp.Expression = root.this
        return whole

    return found, put_back


def _total_value(tree: exp.Expression, findings: Findings) -> Typed:
    """A reason for the owner of a query, where it is written for that of a condition."""
    try:
        return total_value(tree, findings)
    except Refusal as refusal:
        code, reason = refusal.refused.code, refusal.refused.reason
        if code == "needs_dataset":
            name = reason.partition("()")[0]
            raise Refusal("unsupported_query", f"{name}() is not carried over") from refusal
        if reason.partition(" ")[0] in _PARTS_OF_QUERIES:
            named = reason.partition(" ")[0].replace("TUPLE", "a comparison of (a, b)")
            raise Refusal("unsupported_query", f"{named} is not carried over") from refusal
        raise


def _apart(root: exp.Paren, held: dict[str, Typed], around: Around) -> exp.Paren:
    """Every part that is more than a record's own value is replaced by a column of a new name."""
    waiting: list[exp.Expression] = [root.this]
    while waiting:
        node = waiting.pop()
        found = _held(node, around)
        if found is None:
            waiting += node.iter_expressions()
            continue
        name = _STAND_IN.format(len(held))
        held[name] = found
        node.replace(column(name))
    return root


def _held(node: exp.Expression, around: Around) -> Typed | None:
    match node:
        case exp.Column() if isinstance(node.this, exp.Star):
            raise Refusal("unsupported_query", "* is carried over alone")
        case exp.Column():
            return Typed(qualified(node), around.type_of(node))
        case exp.Query():
            query = around.query(node, around)
            kinds = [*query.columns.values()]
            alone = len(query.tree.selects) == 1 and len(kinds) == 1
            return Typed(exp.Subquery(this=query.tree), kinds[0] if alone else None)
        case exp.In() if node.args.get("query"):
            inner = exp.Subquery(this=around.query(node.args["query"], around).tree)
            return Typed(exp.In(this=total_tree(node.this, around), query=inner), BOOLEAN)
        case exp.Window():
            return _window(node, around)
        case exp.Filter():
            counted = _aggregate(node.this, around, windowed=False)
            where = total_condition(node.expression.this, around)
            return Typed(filtered(counted.tree, where), counted.type)
    name, arguments = called(node) or ("", [])
    if name == "exists" and len(arguments) == 1 and isinstance(arguments[0], exp.Query):
        asked = exp.Anonymous(this="exists", expressions=[around.query(arguments[0], around).tree])
        return Typed(asked, BOOLEAN)
    return _aggregate(node, around, windowed=False) if name in AGGREGATES else None


def filtered(aggregate: exp.Expression, where: exp.Expression) -> exp.Expression:
    """The aggregate of those records alone where the condition holds; a cast stays around it."""
    if isinstance(aggregate, exp.Cast):
        inner = filtered(aggregate.this, where)
        return exp.Cast(this=inner, to=aggregate.to.copy())
    if isinstance(aggregate, exp.Filter):
        where = exp.And(this=aggregate.expression.this.copy(), expression=where)
        aggregate = aggregate.this
    return exp.Filter(this=aggregate.copy(), expression=exp.Where(this=where.copy()))


def qualified(node: exp.Column) -> exp.Expression:
    """As it is written, and each of its names in quotes where it needs them."""
    first, *others = [part.name for part in node.parts if not isinstance(part, exp.Star)]
    star = [exp.Star()] if isinstance(node.this, exp.Star) else []
    names = [identifier(_own_name(first)), *map(identifier, others), *star]
    keys = ("this", "table", "db", "catalog")
    if len(names) > len(keys):
        raise Refusal("not_readable", f"{node.sql()} has too many parts")
    return exp.Column(**dict(zip(keys, reversed(names), strict=False)))


def _aggregate(node: exp.Expression, around: Around, *, windowed: bool) -> Typed:
    name, arguments = called(node) or ("", [])
    safe = AGGREGATES.get(name) or (name if windowed and name in _OF_WINDOWS else None)
    if safe is None:
        raise Refusal("unsupported_query", f"{name or 'what it adds up'} is not carried over")
    made = [_argument(argument, around, _FITS.get(name, _as_it_is)) for argument in arguments]
    counted_ = exp.Anonymous(this=safe, expressions=[tree for tree, _ in made])
    kind = made[0][1] if made else None
    if name in _MEANS and kind is not None and kind.family == "decimal":
        return Typed(exp.cast(counted_, exp.DataType.Type.DOUBLE, copy=False), DOUBLE)
    return Typed(counted_, _type_of(name, kind))


def _type_of(name: str, argument: ColumnType | None) -> ColumnType | None:
    if name in _COUNTS:
        return BIGINT
    if name in _MEANS | _SPREADS:
        return DOUBLE
    if name in _ALIKE:
        return argument
    return _sum_of(argument) if name in ("sum", "try_sum") and argument is not None else None


def _sum_of(kind: ColumnType) -> ColumnType | None:
    """Spark adds ten digits to those of a decimal."""
    if kind.family != "decimal" or kind.precision is None:
        return _SUMS.get(kind.family)
    wide = kind.precision + 10
    return parse_type(f"decimal({wide},{kind.scale or 0})") if wide <= _MOST_DIGITS else None


def _argument(
    node: exp.Expression, around: Around, fit: _Fit
) -> tuple[exp.Expression, ColumnType | None]:
    if isinstance(node, exp.Star):
        refuse_others(node, frozenset())
        return exp.Star(), None
    if isinstance(node, exp.Distinct):
        made = [_argument(each, around, fit) for each in node.expressions]
        kind = made[0][1] if len(made) == 1 else None
        return exp.Distinct(expressions=[tree for tree, _ in made]), kind
    found, put_back = total(node, around, fit)
    return put_back(found.tree), found.type


def _window(node: exp.Window, around: Around) -> Typed:
    refuse_others(node, frozenset({"this", "partition_by", "order", "over"}))
    found = _aggregate(node.this, around, windowed=True)
    keys = [total_tree(key, around) for key in node.args.get("partition_by") or []]
    order = node.args.get("order")
    sorted_ = [_sorted(each, around) for each in order.expressions] if order else []
    made = exp.Window(
        this=found.tree,
        partition_by=keys,
        order=exp.Order(expressions=sorted_) if sorted_ else None,
        over="OVER",
    )
    return Typed(made, found.type)


def _sorted(node: exp.Expression, around: Around) -> exp.Expression:
    made = node.copy()
    made.set("this", total_tree(node.this, around))
    return made
