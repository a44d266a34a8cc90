"""Queries of Spark SQL as DuckDB's: joins, flags and figures, each with the types of its columns.

An allow-list, as for expressions. Every source gets a name of ours, and every column is written
with it, so that no name can be taken for another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count

from sqlglot import exp

from ruleferry.converters.express.functions import called
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import BIGINT, is_float
from ruleferry.converters.proof.duckdb_aggregates import AGGREGATES
from ruleferry.converters.proof.duckdb_kinds import Value, aliased, boolean, only
from ruleferry.converters.proof.duckdb_values import Field, condition, value
from ruleferry.converters.proof.rehearsal_run import NeedsSpark

_SELECT = {"expressions", "from_", "joins", "where", "group", "having", "distinct", "with_"}
_JOIN = {"this", "side", "kind", "on"}
VERDICTS = "rows"


class NotFound(Exception):
    """A query reads a table that is not there: its parts, in lower case."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A query for DuckDB and the columns that it gives."""

    query: exp.Query
    fields: tuple[Field, ...]


Tables = Callable[[tuple[str, ...]], Relation]


@dataclass(frozen=True, slots=True)
class _Source:
    """What stands in FROM: the names it goes by, ours and the author's, and its columns."""

    alias: str
    names: tuple[str, ...]
    fields: tuple[Field, ...]

    def answers_to(self, qualifier: Sequence[str]) -> bool:
        return not qualifier or self.names[-len(qualifier) :] == tuple(qualifier)


@dataclass(frozen=True, slots=True)
class Context:
    """What a whole update shares: its tables, its clock, and a counter for names."""

    tables: Tables
    now: datetime
    numbers: Iterator[int] = field(default_factory=count)

    def alias(self) -> str:
        return f"q{next(self.numbers)}"


@dataclass(frozen=True, slots=True)
class Scope:
    """The columns that an expression may speak of; `outer`: those around a subquery."""

    context: Context
    sources: tuple[_Source, ...] = ()
    outer: Scope | None = None
    records: bool = False  # aggregates and windows may stand here

    @property
    def now(self) -> datetime:
        return self.context.now

    def column(self, parts: list[str]) -> Value:
        *qualifier, name = [part.lower() for part in parts]
        found = [
            (source, own)
            for source in self.sources
            if source.answers_to(qualifier)
            for own in source.fields
            if own.name.lower() == name
        ]
        if not found and self.outer is not None:
            return self.outer.column(parts)
        if len(found) != 1:
            many = "several columns" if found else "no column"
            raise NeedsSpark(f"{many} of the name {'.'.join(parts)}")
        source, own = found[0]
        return _read(own, source)

    def over_records(self, node: exp.Expression) -> Value | None:
        if isinstance(node, exp.Window):
            return self._window(node)
        name, arguments = called(node) or ("", [])
        if name == "exists" and len(arguments) == 1 and isinstance(arguments[0], exp.Select):
            return self._exists(arguments[0])
        aggregate = AGGREGATES.get(name)
        if aggregate is None:
            return None
        if not self.records:
            raise NeedsSpark(f"{name} over many records")
        return aggregate([*arguments], replace(self, records=False))

    def _window(self, node: exp.Window) -> Value:
        """How many records share a key. A key that is a DOUBLE has two zeros and many NaN."""
        name, arguments = called(node.this) or ("", [])
        others = {k for k, v in node.args.items() if v} - {"this", "partition_by", "over"}
        if not self.records or name != "count" or others:
            raise NeedsSpark("a window other than count(…) OVER (PARTITION BY …)")
        inner = replace(self, records=False)
        keys = [_key(value(k, inner)) for k in node.args.get("partition_by") or []]
        counted = AGGREGATES[name]([*arguments], inner)
        window = exp.Window(this=counted.tree, partition_by=keys, over="OVER")
        return Value(window, BIGINT, counted=True)

    def _exists(self, tree: exp.Select) -> Value:
        if not self.records:
            raise NeedsSpark("a subquery in a condition")
        inner = replace(self, records=False)
        subquery = _select(tree, inner.context, inner, only_rows=True)
        return boolean(exp.Exists(this=subquery.query))


def translated(tree: exp.Expression, context: Context) -> Relation:
    """A query of the module. Raises NeedsSpark and NotFound."""
    return _query(tree, context, None)


def projected(
    expressions: Sequence[exp.Expression], relation: Relation, context: Context
) -> Relation:
    """What selectExpr gives."""
    scope, select = _alone(relation, context)
    return _made(_projection(expressions, scope), select)


def filtered(tree: exp.Expression, relation: Relation, context: Context) -> Relation:
    """What filter gives."""
    scope, select = _alone(relation, context)
    select.set("where", exp.Where(this=condition(tree, replace(scope, records=False))))
    return _made(list(_star(exp.Star(), scope.sources)), select)


def verdict(tree: exp.Expression, relation: Relation, context: Context) -> exp.Expression:
    """A condition on the columns of a relation that is read under the name VERDICTS."""
    source = _Source(VERDICTS, (), relation.fields)
    return condition(tree, Scope(context, (source,)))


def union(left: Relation, right: Relation) -> Relation:
    """UNION ALL: by position, and only of equal types."""
    types = [[own.type for own in side.fields] for side in (left, right)]
    if types[0] != types[1]:
        raise NeedsSpark("a UNION of columns with other types")
    query = exp.Union(this=left.query.copy(), expression=right.query.copy(), distinct=False)
    return Relation(query, left.fields)


def _alone(relation: Relation, context: Context) -> tuple[Scope, exp.Select]:
    alias = context.alias()
    scope = Scope(context, (_Source(alias, (), relation.fields),), records=True)
    return scope, exp.Select(from_=exp.From(this=_subquery(relation, alias)))


# SELECT -------------------------------------------------------------------------------------------


def _query(tree: exp.Expression, context: Context, outer: Scope | None) -> Relation:
    match tree:
        case exp.Subquery():
            only(tree, {"this", "alias"})
            return _query(tree.this, context, outer)
        case exp.Select():
            return _select(tree, context, outer)
        case exp.Union():
            return _union(tree, context, outer)
    raise NeedsSpark(f"{type(tree).__name__.upper()} as a query")


def _select(
    tree: exp.Select, context: Context, outer: Scope | None, *, only_rows: bool = False
) -> Relation:
    only(tree, _SELECT)
    context = _with_ctes(tree, context)
    sources, select = _sources(tree, context, outer)
    scope = Scope(context, tuple(sources), outer)
    if where := tree.args.get("where"):
        select.set("where", exp.Where(this=condition(where.this, scope)))
    if only_rows:
        if tree.args.get("group") or tree.args.get("having"):
            raise NeedsSpark("groups in a subquery")
        select.set("expressions", [exp.Literal.number(1)])
        return Relation(select, ())
    if group := tree.args.get("group"):
        only(group, {"expressions"})
        keys = [_key(value(key, scope)) for key in group.expressions]
        select.set("group", exp.Group(expressions=keys))
    records = replace(scope, records=True)
    if having := tree.args.get("having"):
        select.set("having", exp.Having(this=condition(having.this, records)))
    columns = _projection(tree.expressions, records)
    if distinct := tree.args.get("distinct"):
        only(distinct, set())
        for _, found in columns:
            _key(found)
        select.set("distinct", exp.Distinct())
    return _made(columns, select)


def _with_ctes(tree: exp.Select, context: Context) -> Context:
    with_ = tree.args.get("with_")
    if with_ is None:
        return context
    only(with_, {"expressions"})
    named: dict[tuple[str, ...], Relation] = {}

    def tables(parts: tuple[str, ...]) -> Relation:
        return named[parts] if parts in named else context.tables(parts)

    within = replace(context, tables=tables)
    for cte in with_.expressions:
        only(cte, {"this", "alias"})
        only(cte.args["alias"], {"this"})
        named[(cte.alias.lower(),)] = _query(cte.this, within, None)
    return within


def _sources(
    tree: exp.Select, context: Context, outer: Scope | None
) -> tuple[list[_Source], exp.Select]:
    from_ = tree.args.get("from_")
    if from_ is None:
        return [], exp.Select()
    first, relation = _source(from_.this, context)
    sources, select = [first], exp.Select(from_=exp.From(this=_subquery(relation, first.alias)))
    joins = []
    for join in tree.args.get("joins") or []:
        only(join, _JOIN)
        source, relation = _source(join.this, context)
        sources.append(source)
        kind = (join.side or "").upper(), (join.kind or "").upper()
        on = join.args.get("on")
        if kind not in (("LEFT", ""), ("LEFT", "OUTER"), ("", ""), ("", "INNER")) or on is None:
            raise NeedsSpark("a join other than LEFT JOIN … ON and JOIN … ON")
        joins.append(
            exp.Join(
                this=_subquery(relation, source.alias),
                side=kind[0] or None,
                on=_joined_on(on, Scope(context, tuple(sources), outer)),
            )
        )
    select.set("joins", joins)
    return sources, select


def _joined_on(on: exp.Expression, scope: Scope) -> exp.Expression:
    for column in on.find_all(exp.Column):
        _key(value(column, scope))
    return condition(on, scope)


def _source(node: exp.Expression, context: Context) -> tuple[_Source, Relation]:
    alias = node.args.get("alias")
    if alias is not None:
        only(alias, {"this"})
    if isinstance(node, exp.Table):
        only(node, {"this", "db", "catalog", "alias"})
        parts = tuple(part.name.lower() for part in node.parts)
        relation = context.tables(parts)
        names = (node.alias.lower(),) if node.alias else parts
    else:
        relation = _query(node, context, None)  # it sees nothing of what stands around it
        names = (node.alias.lower(),) if node.alias else ()
    return _Source(context.alias(), names, relation.fields), relation


def _union(tree: exp.Union, context: Context, outer: Scope | None) -> Relation:
    only(tree, {"this", "expression"})
    sides = [_query(side, context, outer) for side in (tree.this, tree.expression)]
    return union(*sides)


# The select list ----------------------------------------------------------------------------------

_Columns = Sequence[tuple[str, Value]]


def _projection(expressions: Sequence[exp.Expression], scope: Scope) -> _Columns:
    columns: list[tuple[str, Value]] = []
    for node in expressions:
        star = node.this if isinstance(node, exp.Column) else node
        if isinstance(star, exp.Star):
            columns += _star(star, _starred(node, scope))
        else:
            named = isinstance(node, exp.Alias)
            name = node.alias if named else _own_name(node)
            columns.append((name, value(node.this if named else node, scope)))
    return columns


def _starred(node: exp.Expression, scope: Scope) -> list[_Source]:
    """The sources that a star stands for."""
    qualifier = [p.name.lower() for p in node.parts[:-1]] if isinstance(node, exp.Column) else []
    sources = [source for source in scope.sources if source.answers_to(qualifier)]
    if not sources or (qualifier and len(sources) != 1):
        raise NeedsSpark("a star of a source that is not known")
    return sources


def _star(star: exp.Expression, sources: Sequence[_Source]) -> Iterator[tuple[str, Value]]:
    only(star, {"except_"})
    left_out = {column.name.lower() for column in star.args.get("except_") or []}
    for source in sources:
        for own in source.fields:
            if own.name.lower() not in left_out:
                yield own.name, _read(own, source)


def _own_name(node: exp.Expression) -> str:
    node = bare(node)
    if not isinstance(node, exp.Column):
        raise NeedsSpark("a column without a name")
    return node.name


def _made(columns: _Columns, select: exp.Select) -> Relation:
    names = [name.lower() for name, _ in columns]
    if len(set(names)) < len(names):
        raise NeedsSpark("two columns of one name")
    select.set("expressions", [aliased(found.tree, name) for name, found in columns])
    return Relation(
        select, tuple(Field(name, found.type, found.counted) for name, found in columns)
    )


# Nodes --------------------------------------------------------------------------------------------


def _key(found: Value) -> exp.Expression:
    if is_float(found.type) or found.family in ("binary", "nested", "other"):
        raise NeedsSpark(f"a key of type {found.type.text}")
    return found.tree


def _read(own: Field, source: _Source) -> Value:
    column, alias = (exp.to_identifier(text, quoted=True) for text in (own.name, source.alias))
    return Value(exp.column(column, alias), own.type, counted=own.counted)


def _subquery(relation: Relation, alias: str) -> exp.Subquery:
    named = exp.TableAlias(this=exp.to_identifier(alias, quoted=True))
    return exp.Subquery(this=relation.query.copy(), alias=named)
