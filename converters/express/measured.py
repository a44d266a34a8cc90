"""Predicates in SQL over figures of all records: each figure is a column, the rest a condition.

Aggregates of the table itself stand in the select of all its figures. Where a query of one value
stands among them, each is a query of its own.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.computed import BATCH, Computed, Over, computed, stand_in
from ruleferry.converters.express.flags import Flagged, out_of_scope, told
from ruleferry.converters.express.functions import called
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.lookups import counted, table_node
from ruleferry.converters.express.nodes import Node, negate
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.predicate_sql import (
    good_of,
    refuse_quoted_columns,
    unqualified,
)
from ruleferry.converters.express.queries import nothing_around, told_of
from ruleferry.converters.express.query_values import AGGREGATES, OWN, Around, filtered, total
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.spark_text import (
    is_plain_spark,
    notes_of,
    pattern_fault,
    refuse_other_dialect,
    spark_tree,
)
from ruleferry.converters.express.sql_text import column, number_literal
from ruleferry.converters.express.sql_types import BIGINT
from ruleferry.converters.express.tidy import tidy
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.predicates import Scope, SqlText
from ruleferry.converters.rule import Caveat, Measured

_ONE_VALUE = frozenset({"expressions", "from_", "joins", "where", "with_"})


def measured(rule: Measured, scope: Scope | None, use: Use) -> Flagged:
    """The predicate holds (or does not, where it tells bad ones) for the record of its figures.

    Raises CannotExpress and Refusal.
    """
    tree, written = _read(rule.predicate, use)
    out = out_of_scope(scope, use, of_none="row_condition")
    figures = _Figures(use, nothing_around(use), None if out is None else negate(out.tree))
    figures.of_queries = any(_is_query(node) for node in _parts(tree))
    test = _apart(tree, figures)
    bad, counts = rule.predicate.bad, frozenset(figures.counts)
    found = good_of(test, figures.types, bad, pattern_fault, counts)
    notes = [_in_full(note, figures.columns.values()) for note in found.notes]
    caveats = (*written, *told_of(figures.around), *notes_of(found.grade, notes), *told(out))
    tree = tidy(found.tree, frozenset(shape(column(name)) for name in counts))
    if isinstance(tree, exp.Boolean):
        raise _constant(tree)
    good = Good(tree, "none", tuple(dict.fromkeys(caveats)))
    over: Over = "query" if figures.of_queries else "figures"
    return Flagged(good, tuple(figures.columns.values()), over)


def _constant(tree: exp.Boolean) -> Refusal:
    if tree.this:
        return Refusal("never_fails", "it holds of any table, whatever it holds")
    return Refusal("never_passes", "it holds of no table, whatever it holds")


def _read(predicate: SqlText, use: Use) -> tuple[exp.Expression, tuple[Caveat, ...]]:
    """The predicate in Spark SQL."""
    refuse_other_dialect(predicate, use)
    if not is_plain_spark(predicate):
        return spark_tree(predicate, use.types, type_of=lambda column: _type_of(column, use))
    refuse_quoted_columns(predicate.text, use.types.known())
    return parse_condition(predicate.text), ()


def _type_of(column: exp.Column, use: Use) -> ColumnType | None:
    """Of a column of the table itself, or of the one that its query reads."""
    select = column.find_ancestor(exp.Select)
    if select is None:
        return use.types.known().get(column.name.lower())
    sources = [part.this for part in select.find_all(exp.From, exp.Join)]
    tables = [source for source in sources if isinstance(source, exp.Table)]
    known = [table for table in tables if column.table in ("", table.alias_or_name)]
    if len(known) != 1 or (not column.table and len(sources) > 1):
        return None
    name = ".".join(part.name for part in known[0].parts)
    types = use.types if name == BATCH else use.others(name).types
    return types.known().get(column.name.lower())


# The figures --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Figures:
    """The columns of a predicate so far, by what they compute; `seen`: the records that count.

    `counts`: what stands for a count, which is never NULL nor negative.
    """

    use: Use
    around: Around
    seen: Node | None
    of_queries: bool = False
    columns: dict[Hashable, Computed] = field(default_factory=dict)
    types: dict[str, ColumnType] = field(default_factory=dict)
    counts: set[str] = field(default_factory=set)

    def column(self, suffix: str, tree: Node, kind: ColumnType | None) -> exp.Expression:
        """What stands for the figure in the condition; one figure is computed once."""
        key = shape(tree)
        if key not in self.columns:
            number = len(self.columns) + 1
            made = computed(number, suffix if number == 1 else f"{suffix}_{number}", tree)
            self.columns[key] = made
            if _is_count(tree):
                self.counts.add(made.stand_in)
            if kind is not None:
                self.types[made.stand_in] = kind
        return stand_in(self.columns[key])


def _is_count(tree: exp.Expression) -> bool:
    node = tree.this.expressions[0] if isinstance(tree, exp.Subquery) else tree
    while isinstance(node, exp.Alias | exp.Filter):
        node = node.this
    return (called(node) or ("",))[0] in ("count", "count_if")


def _parts(tree: exp.Expression) -> Iterator[exp.Expression]:
    """The largest parts that are figures, and the columns that stand beside them."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if _is_query(node) or _is_aggregate(node) or isinstance(node, exp.Column | exp.Window):
            yield node
        else:
            waiting += [*node.iter_expressions(reverse=True)]


def _is_query(node: exp.Expression) -> bool:
    return isinstance(node, exp.Query) or _asked(node) is not None


def _asked(node: exp.Expression) -> exp.Expression | None:
    """The query of EXISTS."""
    name, arguments = called(node) or ("", [])
    if isinstance(node, exp.Exists):
        arguments = [node.this]
    elif name != "exists" or len(arguments) != 1:
        return None
    return next((each for each in arguments if isinstance(each, exp.Query)), None)


def _is_aggregate(node: exp.Expression) -> bool:
    return isinstance(node, exp.Filter) or (called(node) or ("",))[0] in AGGREGATES


def _apart(tree: exp.Expression, figures: _Figures) -> exp.Expression:
    root = exp.Paren(this=tree.copy())
    for node in [*_parts(root.this)]:
        node.replace(_figure(node, figures))
    if not figures.columns:
        raise Refusal("unsupported_query", "it holds no figure of the table's records")
    return bare(root)


def _figure(node: exp.Expression, figures: _Figures) -> exp.Expression:
    if (asked := _asked(node)) is not None:
        return _found(asked, figures)
    if isinstance(node, exp.Query):
        return _one_value(node, figures)
    if not _is_aggregate(node):
        what = "a window" if isinstance(node, exp.Window) else f"the column {node.sql()}"
        raise Refusal("unsupported_query", f"{what} stands beside figures of all records")
    return _own(node, figures)


def _own(node: exp.Expression, figures: _Figures) -> exp.Expression:
    """An aggregate of the table's own records."""
    _refuse_nested(node)
    node = unqualified(node, {BATCH})
    for own in node.find_all(exp.Column):
        figures.use.types.operand(".".join(part.name for part in own.parts), None)
    known = {OWN: figures.use.types.known()}
    found, put_back = total(node, figures.around.within(known))
    tree = put_back(found.tree)
    if not figures.of_queries:
        tree = tree if figures.seen is None else filtered(tree, figures.seen)
        return figures.column("value", tree, found.type)
    query = exp.Select(expressions=[tree]).from_(table_node(BATCH))
    query = query if figures.seen is None else query.where(figures.seen.copy())
    return figures.column("value", exp.Subquery(this=query), found.type)


def _one_value(node: exp.Expression, figures: _Figures) -> exp.Expression:
    _refuse_rows(node)
    _refuse_strangers(node)
    found, put_back = total(node, figures.around)
    return figures.column("value", put_back(found.tree), found.type)


def _found(asked: exp.Expression, figures: _Figures) -> exp.Expression:
    """EXISTS, as a count of what it finds."""
    _refuse_strangers(asked)
    _refuse_nested(asked)
    rows = counted(figures.around.query(asked, figures.around).tree)
    found = figures.column("rows", rows, BIGINT)
    return exp.Paren(this=exp.GT(this=found, expression=number_literal(0)))


# What can't be a figure ---------------------------------------------------------------------------


def _refuse_rows(node: exp.Expression) -> None:
    """Spark stops where a query of one value has two rows; one aggregate without groups has one."""
    select = node
    while isinstance(select, exp.Subquery | exp.Paren):
        select = select.this
    if not isinstance(select, exp.Select):
        raise Refusal("unsupported_query", "a query of several SELECTs is no single value")
    more = [key for key, value in select.args.items() if value and key not in _ONE_VALUE]
    if more or len(select.expressions) != 1:
        reason = "a query within it may have more than one value, or none"
        raise Refusal("unsupported_query", reason)
    item = select.expressions[0]
    parts = [*_parts(item.this if isinstance(item, exp.Alias) else item)]
    if not parts or not all(map(_is_aggregate, parts)):
        raise Refusal("unsupported_query", "a query within it may have more than one value")
    _refuse_nested(select)


def _refuse_nested(tree: exp.Expression) -> None:
    for node in _nodes(tree):
        if _is_aggregate(node) and any(map(_is_more, _within(node))):
            reason = "a figure of figures, or of what is looked up, is not carried over"
            raise Refusal("unsupported_query", reason)


def _nodes(tree: exp.Expression) -> Iterator[exp.Expression]:
    return (node for node in tree.walk() if isinstance(node, exp.Expression))


def _within(node: exp.Expression) -> Iterator[exp.Expression]:
    """What stands in an aggregate; a filter is one with what it filters."""
    own = (node, node.this) if isinstance(node, exp.Filter) else (node,)
    return (inner for inner in _nodes(node) if all(inner is not each for each in own))


def _is_more(node: exp.Expression) -> bool:
    return isinstance(node, exp.Query | exp.Exists | exp.Window) or _is_aggregate(node)


def _refuse_strangers(node: exp.Expression) -> None:
    """A query of one value speaks of its own tables alone."""
    names = {source.alias_or_name.lower() for source in node.find_all(exp.Table, exp.Subquery)}
    names |= {table.name.lower() for table in node.find_all(exp.Table)}
    for found in node.find_all(exp.Column):
        first = found.parts[0].name.lower()
        if len(found.parts) > 1 and first not in names:
            raise Refusal("unsupported_query", f"{found.sql()} is of no table of its query")


_STAND_IN = re.compile(r"computed_\d+_")


def _in_full(note: str, columns: Iterable[Computed]) -> str:
    """With what is computed in place of its stand-in."""
    known = {column.stand_in: column.sql for column in columns}
    return _STAND_IN.sub(lambda found: known.get(found[0], found[0]), note)
