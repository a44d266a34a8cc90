"""Queries that return bad records, as a figure: how many rows they have.

A query runs as it is, on the table and on the others that it names, except that no part of it may
raise: every expression is made total as one of a condition is, with the rows around it (columns of
several tables, aggregates, windows, subqueries) held apart meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.coercion import Findings, Typed, as_condition
from ruleferry.converters.express.computed import BATCH, computed, stand_in
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.functions import called
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.lookups import counted, exists, table_node
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.operand import CannotExpress
from ruleferry.converters.express.predicate_sql import with_batch
from ruleferry.converters.express.query_shapes import looked_for
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_query
from ruleferry.converters.express.spark_text import notes_of, pattern_fault, refuse_other_dialect
from ruleferry.converters.express.sql_text import column, number_literal
from ruleferry.converters.express.sql_types import BIGINT, BOOLEAN, DOUBLE
from ruleferry.converters.express.totality import total_value
from ruleferry.converters.rule import Caveat, Grade, Scope, SqlText
from ruleferry.converters.table_names import written_parts

_SELECT = frozenset(
    {"expressions", "from_", "joins", "where", "group", "having", "distinct", "with_", "order",
     "limit"}
)  # fmt: skip
_JOIN = frozenset({"this", "side", "kind", "on", "using"})
_JOINS = frozenset({
    ("", ""), ("", "INNER"), ("", "CROSS"), ("LEFT", ""), ("LEFT", "OUTER"), ("RIGHT", ""),
    ("RIGHT", "OUTER"), ("FULL", ""), ("FULL", "OUTER"), ("LEFT", "SEMI"), ("LEFT", "ANTI"),
    ("", "SEMI"), ("", "ANTI"),
})  # fmt: skip
# Aggregates -> the one that never raises.
_AGGREGATES: Mapping[str, str] = {
    **{name: name for name in ("count", "count_if", "min", "max", "any_value", "bool_and",
       "bool_or", "every", "some", "stddev", "stddev_samp", "stddev_pop", "std", "variance",
       "var_samp", "var_pop", "median", "approx_count_distinct", "first", "last")},
    "sum": "try_sum", "try_sum": "try_sum", "avg": "try_avg", "mean": "try_avg",
    "try_avg": "try_avg",
}  # fmt: skip
_OF_WINDOWS = frozenset(
    {"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "lag", "lead", "first_value",
     "last_value"}
)  # fmt: skip
_OF_DOUBLES = frozenset({"avg", "mean", "try_avg", "median"})
_COUNTS = frozenset({"count", "count_if", "row_number", "rank", "dense_rank"})
# How the batch is called in a query that gives it no name.
_OWN = "batch"


def no_rows(predicate: SqlText, scope: Scope | None, use: Use) -> Flagged:
    """The query returns no row. Raises CannotExpress and Refusal."""
    refuse_other_dialect(predicate, use)
    if scope is not None:
        raise CannotExpress("row_condition", "a query says itself which records it looks at")
    tree = parse_query(with_batch(predicate.text))
    if (found := looked_for(tree)) is not None:
        return exists(found.rule, found.scope, use)
    if not isinstance(tree, exp.Query):
        raise Refusal("not_readable", "a SELECT was expected")
    _refuse_certain(tree)
    around = _Around(use, Findings({}, pattern_fault))
    rows = computed(1, "rows", counted(_query(tree, around).tree))
    none = exp.EQ(this=stand_in(rows), expression=number_literal(0))
    caveats = _others(around) + _notes(around.findings)
    return Flagged(Good(none, "none", caveats), (rows,), "query")


def _refuse_certain(tree: exp.Query) -> None:
    """An aggregate without groups gives one row, whatever the table holds."""
    if not isinstance(tree, exp.Select) or tree.args.get("group") or tree.args.get("having"):
        return
    if any((called(node) or ("",))[0] in _AGGREGATES and not _is_windowed(node)
           for item in tree.expressions for node in _own_nodes(item)):  # fmt: skip
        reason = "the query always returns one row, with what it counts: the row is never read"
        raise CannotExpress("never_passes", reason)


def _own_nodes(item: exp.Expression) -> Iterator[exp.Expression]:
    """Without those of subqueries."""
    nodes = item.walk(prune=lambda node: isinstance(node, exp.Query))
    return (node for node in nodes if isinstance(node, exp.Expression))


def _is_windowed(node: exp.Expression) -> bool:
    return isinstance(node.parent, exp.Window)


def _others(around: _Around) -> tuple[Caveat, ...]:
    """Tables for which the configuration has no other name."""
    same = [name for name, reads in around.read.items() if name == reads]
    return tuple(Caveat("other_table", f"{name} is read under this name") for name in same)


def _notes(findings: Findings) -> tuple[Caveat, ...]:
    grade: Grade = "differs" if findings.differs else "assumed" if findings.assumed else "exact"
    return notes_of(grade, tuple(findings.notes))


_Columns: TypeAlias = Mapping[str, ColumnType]


@dataclass(frozen=True, slots=True)
class _Made:
    """A query that never raises, and the known types of its columns, by lower-case name."""

    tree: exp.Query
    columns: _Columns = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Around:
    """What an expression may speak of: names of sources -> their types, and queries with a name.

    `read` gathers the other tables, as the query and Databricks call them.
    """

    use: Use
    findings: Findings
    sources: Mapping[str, _Columns] = field(default_factory=dict)
    named: Mapping[str, _Made] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)

    def type_of(self, node: exp.Column) -> ColumnType | None:
        """None where it is not known, as of a column that is not qualified beside other tables."""
        *qualifier, name = [part.name.lower() for part in node.parts]
        if qualifier:
            found = self.sources.get(_own_name(qualifier[0])) if len(qualifier) == 1 else None
        else:
            found = next(iter(self.sources.values())) if len(self.sources) == 1 else None
        return found.get(name) if found is not None else None


def _own_name(name: str) -> str:
    return _OWN if name == BATCH else name


# Queries ------------------------------------------------------------------------------------------


def _query(tree: exp.Expression, around: _Around) -> _Made:
    match tree:
        case exp.Subquery():
            _refuse_others(tree, frozenset({"this", "alias"}))
            return _query(tree.this, around)
        case exp.Select():
            return _select(tree, around)
        case exp.Union() | exp.Except() | exp.Intersect():
            _refuse_others(tree, frozenset({"this", "expression", "distinct", "order", "limit"}))
            left, right = (_query(side, around) for side in (tree.this, tree.expression))
            distinct = tree.args.get("distinct")
            both = type(tree)(this=left.tree, expression=right.tree, distinct=distinct)
            return _Made(both, left.columns if left.columns == right.columns else {})
    raise Refusal("unsupported_function", f"{type(tree).__name__.upper()} is not carried over")


def _refuse_others(node: exp.Expression, known: frozenset[str]) -> None:
    for key, value in node.args.items():
        if value and key not in known:
            name = key.rstrip("_").replace("_", " ").upper()
            raise Refusal("unsupported_function", f"the query has what is not carried over: {name}")


def _select(tree: exp.Select, around: _Around) -> _Made:
    _refuse_others(tree, _SELECT)
    made = exp.Select()
    around, own = _with_sources(tree, made, _with_named(tree, around))
    for key, kind in (("where", exp.Where), ("having", exp.Having)):
        if found := tree.args.get(key):
            made.set(key, kind(this=_condition(found.this, around)))
    if group := tree.args.get("group"):
        _refuse_others(group, frozenset({"expressions"}))
        keys = [_ordinal(key) or _value(key, around) for key in group.expressions]
        made.set("group", exp.Group(expressions=keys))
    items = [_item(item, around) for item in tree.expressions]
    made.set("expressions", [item for item, _ in items])
    if distinct := tree.args.get("distinct"):
        _refuse_others(distinct, frozenset())
        made.set("distinct", exp.Distinct())
    return _Made(_limited(tree, made), _types(items, own))


def _types(
    items: Sequence[tuple[exp.Expression, ColumnType | None]], own: Mapping[str, _Columns]
) -> _Columns:
    """By name; of two columns of one name nothing is known."""
    found: list[tuple[str, ColumnType | None]] = []
    for item, kind in items:
        star = item.this if isinstance(item, exp.Column) else item
        if isinstance(star, exp.Star):
            of = [own.get(item.table, {})] if isinstance(item, exp.Column) else own.values()
            found += [pair for columns in of for pair in columns.items()]
        else:
            found.append((item.alias_or_name.lower(), kind))
    names = Counter(name for name, _ in found)
    return {name: kind for name, kind in found if kind is not None and names[name] == 1}


def _limited(tree: exp.Select, made: exp.Select) -> exp.Select:
    """The order of a query's rows decides nothing but which of them a LIMIT keeps."""
    limit = tree.args.get("limit")
    if limit is not None:
        count = bare(limit.expression)
        if not isinstance(count, exp.Literal) or count.is_string:
            raise Refusal("unsupported_function", "a LIMIT that is computed is not carried over")
        made.set("limit", exp.Limit(expression=count.copy()))
    return made


def _with_named(tree: exp.Select, around: _Around) -> _Around:
    """The queries of WITH, which stand where they are read: a figure begins with SELECT."""
    with_ = tree.args.get("with_")
    if with_ is None:
        return around
    _refuse_others(with_, frozenset({"expressions"}))
    for cte in with_.expressions:
        _refuse_others(cte, frozenset({"this", "alias"}))
        _refuse_others(cte.args["alias"], frozenset({"this"}))
        query = _query(cte.this, replace(around, sources={}))
        around = replace(around, named={**around.named, cte.alias.lower(): query})
    return around


def _with_sources(
    tree: exp.Select, made: exp.Select, around: _Around
) -> tuple[_Around, Mapping[str, _Columns]]:
    """What the select reads is set in `made`; given back: with the sources around it, and alone."""
    from_ = tree.args.get("from_")
    if from_ is None:
        return around, {}
    own: dict[str, _Columns] = {}
    made.set("from_", exp.From(this=_source(from_.this, around, own)))
    joins = []
    for join in tree.args.get("joins") or []:
        _refuse_others(join, _JOIN)
        kind = (join.side or "").upper(), (join.kind or "").upper()
        if kind not in _JOINS:
            raise Refusal("unsupported_function", f"a {' '.join(kind)} JOIN is not carried over")
        source = _source(join.this, around, own)
        joined = exp.Join(this=source, side=kind[0] or None, kind=kind[1] or None)
        if on := join.args.get("on"):
            joined.set("on", _on(on, replace(around, sources={**around.sources, **own})))
        joined.set("using", [_name(key.name) for key in join.args.get("using") or []] or None)
        joins.append(joined)
    made.set("joins", joins)
    return replace(around, sources={**around.sources, **own}), own


def _source(node: exp.Expression, around: _Around, own: dict[str, _Columns]) -> exp.Expression:
    alias = node.args.get("alias")
    if alias is not None:
        _refuse_others(alias, frozenset({"this"}))
    if isinstance(node, exp.Subquery):
        query = _query(node.this, replace(around, sources={}))
        return _nested(query, node.alias, own)
    if not isinstance(node, exp.Table):
        raise Refusal("unsupported_function", f"FROM {type(node).__name__} is not carried over")
    _refuse_others(node, frozenset({"this", "db", "catalog", "alias"}))
    return _table(node, around, own)


def _nested(query: _Made, alias: str, own: dict[str, _Columns]) -> exp.Subquery:
    _add(alias, query.columns, own)
    named = exp.TableAlias(this=_name(alias)) if alias else None
    return exp.Subquery(this=query.tree.copy(), alias=named)


def _add(alias: str, columns: _Columns, own: dict[str, _Columns]) -> None:
    if alias.lower() in own:
        raise Refusal("not_readable", f"two of its tables are called {alias or 'nothing'}")
    own[alias.lower()] = columns


def _table(node: exp.Table, around: _Around, own: dict[str, _Columns]) -> exp.Expression:
    if not isinstance(node.this, exp.Identifier):
        raise Refusal("unsupported_function", "a table function is not carried over")
    name = ".".join(part.name for part in node.parts)
    alias = node.alias or (_OWN if name == BATCH else node.name)
    if (query := around.named.get(name.lower())) is not None:
        return _nested(query, alias, own)
    if name == BATCH:
        _add(alias, around.use.types.known(), own)
        return table_node(BATCH, alias)
    other = around.use.others(name)
    around.read[name] = other.reads
    _add(alias, other.types.known(), own)
    plain = not node.alias and written_parts(other.reads)[-1] == node.name
    return table_node(other.reads, None if plain else alias)


def _on(tree: exp.Expression, around: _Around) -> exp.Expression:
    """Keys of unknown type are equal as texts: by anything longer Spark could not join."""
    terms = exp.and_(*[_on_term(term, around) for term in _conjunction(tree)], copy=False)
    assert isinstance(terms, exp.Expression)
    return terms


def _conjunction(tree: exp.Expression) -> list[exp.Expression]:
    node = bare(tree)
    if isinstance(node, exp.And):
        return _conjunction(node.this) + _conjunction(node.expression)
    return [node]


def _on_term(term: exp.Expression, around: _Around) -> exp.Expression:
    sides = (bare(term.this), bare(term.expression)) if isinstance(term, exp.EQ) else ()
    columns = [side for side in sides if isinstance(side, exp.Column)]
    if len(columns) == 2 and any(around.type_of(side) is None for side in columns):
        around.findings.assume(columns[0], f"a text, as that of {columns[1].sql()}")
        left, right = (exp.cast(_column(side), exp.DataType.Type.TEXT) for side in columns)
        return exp.EQ(this=left, expression=right)
    return _condition(term, around)


def _item(node: exp.Expression, around: _Around) -> tuple[exp.Expression, ColumnType | None]:
    star = node.this if isinstance(node, exp.Column) else node
    if isinstance(star, exp.Star):
        _refuse_others(star, frozenset())
        return (_column(node) if isinstance(node, exp.Column) else exp.Star()), None
    if isinstance(node, exp.Alias):
        found, put_back = _total(node.this, around)
        return exp.Alias(this=put_back(found.tree), alias=_name(node.alias)), found.type
    found, put_back = _total(node, around)
    return put_back(found.tree), found.type


def _ordinal(node: exp.Expression) -> exp.Expression | None:
    return node.copy() if isinstance(node, exp.Literal) and not node.is_string else None


def _name(text: str) -> exp.Identifier:
    found = column(text).this
    assert isinstance(found, exp.Identifier)
    return found


# Expressions --------------------------------------------------------------------------------------


def _condition(tree: exp.Expression, around: _Around) -> exp.Expression:
    found, put_back = _total(tree, around)
    return put_back(as_condition(found, around.findings))


def _value(tree: exp.Expression, around: _Around) -> exp.Expression:
    found, put_back = _total(tree, around)
    return put_back(found.tree)


def _total(
    tree: exp.Expression, around: _Around
) -> tuple[Typed, Callable[[exp.Expression], exp.Expression]]:
    """The expression made total, and what puts back into it all that was held apart."""
    held: dict[str, Typed] = {}
    apart = _apart(exp.Paren(this=tree.copy()), held, around)
    types = {name: found.type for name, found in held.items() if found.type is not None}
    findings = Findings(types, around.findings.check_regex, around.findings.notes)
    found = total_value(apart.this, findings)
    around.findings.assumed |= findings.assumed
    around.findings.differs |= findings.differs

    def put_back(made: exp.Expression) -> exp.Expression:
        root = exp.Paren(this=made.copy())
        for node in [*root.find_all(exp.Column)]:
            if node.name in held:
                node.replace(held[node.name].tree.copy())
        whole: exp.Expression = root.this
        return whole

    return found, put_back


def _apart(root: exp.Paren, held: dict[str, Typed], around: _Around) -> exp.Paren:
    """Every part that is more than a record's own value is replaced by a column of a new name."""
    waiting: list[exp.Expression] = [root.this]
    while waiting:
        node = waiting.pop()
        found = _held(node, around)
        if found is None:
            waiting += node.iter_expressions()
            continue
        name = f"ruleferry_{len(held)}"
        held[name] = found
        node.replace(column(name))
    return root


def _held(node: exp.Expression, around: _Around) -> Typed | None:
    match node:
        case exp.Column() if isinstance(node.this, exp.Star):
            raise Refusal("unsupported_function", "* is carried over alone")
        case exp.Column():
            return Typed(_column(node), around.type_of(node))
        case exp.Query():
            query = _query(node, around)
            kinds = [*query.columns.values()]
            alone = len(query.tree.selects) == 1 and len(kinds) == 1
            return Typed(exp.Subquery(this=query.tree), kinds[0] if alone else None)
        case exp.In() if node.args.get("query"):
            inner = exp.Subquery(this=_query(node.args["query"], around).tree)
            return Typed(exp.In(this=_value(node.this, around), query=inner), BOOLEAN)
        case exp.Window():
            return _window(node, around)
        case exp.Filter():
            counted = _aggregate(node.this, around, windowed=False)
            where = exp.Where(this=_condition(node.expression.this, around))
            return Typed(exp.Filter(this=counted.tree, expression=where), counted.type)
    name, arguments = called(node) or ("", [])
    if name == "exists" and len(arguments) == 1 and isinstance(arguments[0], exp.Query):
        asked = exp.Anonymous(this="exists", expressions=[_query(arguments[0], around).tree])
        return Typed(asked, BOOLEAN)
    return _aggregate(node, around, windowed=False) if name in _AGGREGATES else None


def _column(node: exp.Column) -> exp.Expression:
    """As it is written, and each of its names in quotes where it needs them."""
    first, *others = [part.name for part in node.parts if not isinstance(part, exp.Star)]
    star = [exp.Star()] if isinstance(node.this, exp.Star) else []
    names = [_name(_own_name(first)), *map(_name, others), *star]
    keys = ("this", "table", "db", "catalog")
    if len(names) > len(keys):
        raise Refusal("not_readable", f"{node.sql()} has too many parts")
    return exp.Column(**dict(zip(keys, reversed(names), strict=False)))


def _aggregate(node: exp.Expression, around: _Around, *, windowed: bool) -> Typed:
    name, arguments = called(node) or ("", [])
    total = _AGGREGATES.get(name) or (name if windowed and name in _OF_WINDOWS else None)
    if total is None:
        raise Refusal("unsupported_function", f"{name or 'what it adds up'} is not carried over")
    made = [_argument(argument, around) for argument in arguments]
    counted_ = exp.Anonymous(this=total, expressions=made)
    if name in _OF_DOUBLES:  # of decimals it is one, whose type depends on theirs
        return Typed(exp.cast(counted_, exp.DataType.Type.DOUBLE, copy=False), DOUBLE)
    return Typed(counted_, BIGINT if name in _COUNTS else None)


def _argument(node: exp.Expression, around: _Around) -> exp.Expression:
    if isinstance(node, exp.Star):
        _refuse_others(node, frozenset())
        return exp.Star()
    if isinstance(node, exp.Distinct):
        return exp.Distinct(expressions=[_value(each, around) for each in node.expressions])
    return _value(node, around)


def _window(node: exp.Window, around: _Around) -> Typed:
    _refuse_others(node, frozenset({"this", "partition_by", "order", "over"}))
    found = _aggregate(node.this, around, windowed=True)
    keys = [_value(key, around) for key in node.args.get("partition_by") or []]
    order = node.args.get("order")
    sorted_ = [_sorted(each, around) for each in order.expressions] if order else []
    made = exp.Window(
        this=found.tree,
        partition_by=keys,
        order=exp.Order(expressions=sorted_) if sorted_ else None,
        over="OVER",
    )
    return Typed(made, found.type)


def _sorted(node: exp.Expression, around: _Around) -> exp.Expression:
    made = node.copy()
    made.set("this", _value(node.this, around))
    return made
