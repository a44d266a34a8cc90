"""Queries that return bad records, as a figure: how many rows they have.

A query runs as it is, on the table and on the others that it names, except that no part of it may
raise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.coercion import Findings
from ruleferry.converters.express.computed import BATCH, computed, stand_in
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.functions import called
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.lookups import counted, exists, looked_up, table_node
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.operand import CannotExpress
from ruleferry.converters.express.predicate_sql import refuse_quoted_columns, with_batch
from ruleferry.converters.express.query_shapes import LookedFor, looked_for
from ruleferry.converters.express.query_values import (
    AGGREGATES,
    OWN,
    Around,
    ColumnTypes,
    Made,
    identifier,
    qualified,
    refuse_others,
    total,
    total_condition,
    total_tree,
)
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_query
from ruleferry.converters.express.spark_text import (
    is_plain_spark,
    notes_of,
    pattern_fault,
    refuse_other_dialect,
    spark_tree,
)
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.predicates import Scope, SqlText
from ruleferry.converters.rule import Caveat, Exists, Grade
from ruleferry.converters.table_names import written_parts

_SELECT = frozenset(
    {"expressions", "from_", "joins", "where", "group", "having", "distinct", "with_", "order",
     "limit"}
)  # fmt: skip
_SET_OPERATION = frozenset({"this", "expression", "distinct", "order", "limit", "with_"})
_JOIN = frozenset({"this", "side", "kind", "on", "using"})
_JOINS = frozenset({
    ("", ""), ("", "INNER"), ("", "CROSS"), ("LEFT", ""), ("LEFT", "OUTER"), ("RIGHT", ""),
    ("RIGHT", "OUTER"), ("FULL", ""), ("FULL", "OUTER"), ("LEFT", "SEMI"), ("LEFT", "ANTI"),
    ("", "SEMI"), ("", "ANTI"),
})  # fmt: skip


def no_rows(predicate: SqlText, scope: Scope | None, use: Use) -> Flagged:
    """The query returns no row. Raises CannotExpress and Refusal."""
    refuse_other_dialect(predicate, use)
    if scope is not None:
        raise CannotExpress("row_condition", "a query says itself which records it looks at")
    tree, told = _parsed(predicate, use)
    found = looked_for(tree)
    if found is not None and (flagged := _flagged(found, use)) is not None:
        good = (
            replace(flagged.good, caveats=(*told, *flagged.good.caveats)) if told else flagged.good
        )
        return replace(flagged, good=good)
    if not isinstance(tree, exp.Query):
        raise Refusal("not_readable", "a SELECT was expected")
    _refuse_certain(tree)
    around = nothing_around(use)
    rows = computed(1, "rows", counted(_query(tree, around).tree))
    none = exp.EQ(this=stand_in(rows), expression=number_literal(0))
    return Flagged(Good(none, "none", told + told_of(around)), (rows,), "query")


def nothing_around(use: Use) -> Around:
    """What a query may speak of, that stands in no other one."""
    return Around(use, Findings({}, pattern_fault), _query)


def told_of(around: Around) -> tuple[Caveat, ...]:
    return _others(around) + _notes(around.findings)


def _parsed(predicate: SqlText, use: Use) -> tuple[exp.Expression, tuple[Caveat, ...]]:
    if not is_plain_spark(predicate):
        return spark_tree(predicate, use.types, use.others)
    text = with_batch(predicate.text)
    refuse_quoted_columns(text, use.types.known())
    return parse_query(text), ()


def _flagged(found: LookedFor, use: Use) -> Flagged | None:
    """None where the rule is safer as a query: a name is hidden, or a type is not known."""
    if _is_hidden(found, use):
        return None
    if isinstance(found.rule, Exists):
        return exists(found.rule, found.scope, use)
    try:
        return looked_up(found.rule, found.scope, use)
    except CannotExpress as cannot:
        if cannot.gap.code not in ("type_needed", "type_mismatch"):
            raise
        return None


def _is_hidden(found: LookedFor, use: Use) -> bool:
    """Within a subquery `o.k` is first of all the field k of its own column o."""
    theirs = use.others(found.rule.lookup.table).types.known()
    return found.hidden_by is not None and found.hidden_by in theirs


def _refuse_certain(tree: exp.Query) -> None:
    """An aggregate without groups gives one row, whatever the table holds."""
    if not isinstance(tree, exp.Select) or tree.args.get("group") or tree.args.get("having"):
        return
    if any((called(node) or ("",))[0] in AGGREGATES and not _is_windowed(node)
           for item in tree.expressions for node in _own_nodes(item)):  # fmt: skip
        reason = "the query always returns one row, with what it counts: the row is never read"
        raise CannotExpress("never_passes", reason)


def _own_nodes(item: exp.Expression) -> Iterator[exp.Expression]:
    """Without those of subqueries."""
    nodes = item.walk(prune=lambda node: isinstance(node, exp.Query))
    return (node for node in nodes if isinstance(node, exp.Expression))


def _is_windowed(node: exp.Expression) -> bool:
    return isinstance(node.parent, exp.Window)


def _others(around: Around) -> tuple[Caveat, ...]:
    return tuple(Caveat("other_table", f"{name} is read under this name") for name in around.read)


def _notes(findings: Findings) -> tuple[Caveat, ...]:
    grade: Grade = "differs" if findings.differs else "assumed" if findings.assumed else "exact"
    return notes_of(grade, tuple(findings.notes))


# Queries ------------------------------------------------------------------------------------------


def _query(tree: exp.Expression, around: Around) -> Made:
    _refuse_limit(tree)
    match tree:
        case exp.Subquery():
            refuse_others(tree, frozenset({"this", "alias"}))
            return _query(tree.this, around)
        case exp.Select():
            return _select(tree, around)
        case exp.Union() | exp.Except() | exp.Intersect():
            refuse_others(tree, _SET_OPERATION)
            around = _with_named(tree, around)
            left, right = (_query(side, around) for side in (tree.this, tree.expression))
            distinct = tree.args.get("distinct")
            both = type(tree)(this=left.tree, expression=right.tree, distinct=distinct)
            return Made(both, left.columns if left.columns == right.columns else {})
    raise Refusal("unsupported_query", f"{type(tree).__name__.upper()} is not carried over")


def _select(tree: exp.Select, around: Around) -> Made:
    refuse_others(tree, _SELECT)
    made = exp.Select()
    around, own = _with_sources(tree, made, _with_named(tree, around))
    for key, kind in (("where", exp.Where), ("having", exp.Having)):
        if found := tree.args.get(key):
            made.set(key, kind(this=total_condition(found.this, around)))
    if group := tree.args.get("group"):
        refuse_others(group, frozenset({"expressions"}))
        keys = [_ordinal(key) or total_tree(key, around) for key in group.expressions]
        made.set("group", exp.Group(expressions=keys))
    items = [_item(item, around) for item in tree.expressions]
    made.set("expressions", [item for item, _ in items])
    if distinct := tree.args.get("distinct"):
        refuse_others(distinct, frozenset())
        made.set("distinct", exp.Distinct())
    return Made(made, _types(items, own))


def _types(
    items: Sequence[tuple[exp.Expression, ColumnType | None]], own: Mapping[str, ColumnTypes]
) -> ColumnTypes:
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


def _refuse_limit(tree: exp.Expression) -> None:
    """Order and LIMIT of the query itself decide nothing: it has a row, or it has none.

    Within a query a LIMIT decides which rows are seen around it, and they differ from run to run.
    """
    limit = tree.args.get("limit")
    if limit is None:
        return
    count = bare(limit.expression)
    if tree.find_ancestor(exp.Query) is not None:
        reason = "a LIMIT within a query keeps other rows from run to run"
        raise Refusal("unsupported_query", reason)
    if not isinstance(count, exp.Literal) or count.is_string:
        raise Refusal("unsupported_query", "a LIMIT that is computed is not carried over")
    if not count.name.strip("0"):
        raise CannotExpress("never_fails", "LIMIT 0 keeps no row, whatever the table holds")


def _with_named(tree: exp.Query, around: Around) -> Around:
    """The queries of WITH, which stand where they are read: a figure begins with SELECT."""
    with_ = tree.args.get("with_")
    if with_ is None:
        return around
    refuse_others(with_, frozenset({"expressions"}))
    for cte in with_.expressions:
        refuse_others(cte, frozenset({"this", "alias"}))
        refuse_others(cte.args["alias"], frozenset({"this"}))
        query = _query(cte.this, around.alone())
        around = replace(around, named={**around.named, cte.alias.lower(): query})
    return around


def _with_sources(
    tree: exp.Select, made: exp.Select, around: Around
) -> tuple[Around, Mapping[str, ColumnTypes]]:
    """What the select reads is set in `made`; given back: with the sources around it, and alone."""
    from_ = tree.args.get("from_")
    if from_ is None:
        return around, {}
    own: dict[str, ColumnTypes] = {}
    made.set("from_", exp.From(this=_source(from_.this, around, own)))
    joins = []
    for join in tree.args.get("joins") or []:
        refuse_others(join, _JOIN)
        kind = (join.side or "").upper(), (join.kind or "").upper()
        if kind not in _JOINS:
            raise Refusal("unsupported_query", f"a {' '.join(kind)} JOIN is not carried over")
        source = _source(join.this, around, own)
        joined = exp.Join(this=source, side=kind[0] or None, kind=kind[1] or None)
        if on := join.args.get("on"):
            joined.set("on", _on(on, around.within(own)))
        joined.set("using", [identifier(key.name) for key in join.args.get("using") or []] or None)
        joins.append(joined)
    made.set("joins", joins)
    return around.within(own), own


def _source(node: exp.Expression, around: Around, own: dict[str, ColumnTypes]) -> exp.Expression:
    alias = node.args.get("alias")
    if alias is not None:
        refuse_others(alias, frozenset({"this"}))
    if isinstance(node, exp.Subquery):
        query = _query(node.this, around.alone())
        return _nested(query, node.alias, own)
    if not isinstance(node, exp.Table):
        raise Refusal("unsupported_query", f"FROM {type(node).__name__} is not carried over")
    refuse_others(node, frozenset({"this", "db", "catalog", "alias"}))
    return _table(node, around, own)


def _nested(query: Made, alias: str, own: dict[str, ColumnTypes]) -> exp.Subquery:
    _add(alias, query.columns, own)
    named = exp.TableAlias(this=identifier(alias)) if alias else None
    return exp.Subquery(this=query.tree.copy(), alias=named)


def _add(alias: str, columns: ColumnTypes, own: dict[str, ColumnTypes]) -> None:
    if alias.lower() in own:
        raise Refusal("not_readable", f"two of its tables are called {alias or 'nothing'}")
    own[alias.lower()] = columns


def _table(node: exp.Table, around: Around, own: dict[str, ColumnTypes]) -> exp.Expression:
    if not isinstance(node.this, exp.Identifier):
        raise Refusal("unsupported_query", "a table function is not carried over")
    name = ".".join(part.name for part in node.parts)
    alias = node.alias or (OWN if name == BATCH else node.name)
    if (query := around.named.get(name.lower())) is not None:
        return _nested(query, alias, own)
    if name == BATCH:
        _add(alias, around.use.types.known(), own)
        return table_node(BATCH, alias)
    other = around.use.others(name)
    if not other.confirmed:
        around.read[name] = None
    _add(alias, other.types.known(), own)
    plain = not node.alias and written_parts(other.reads)[-1] == node.name
    return table_node(other.reads, None if plain else alias)


def _on(tree: exp.Expression, around: Around) -> exp.Expression:
    """Keys of unknown type are equal as texts: by anything longer Spark could not join."""
    terms = exp.and_(*[_on_term(term, around) for term in _conjunction(tree)], copy=False)
    assert isinstance(terms, exp.Expression)
    return terms


def _conjunction(tree: exp.Expression) -> list[exp.Expression]:
    node = bare(tree)
    if isinstance(node, exp.And):
        return _conjunction(node.this) + _conjunction(node.expression)
    return [node]


def _on_term(term: exp.Expression, around: Around) -> exp.Expression:
    sides = (bare(term.this), bare(term.expression)) if isinstance(term, exp.EQ) else ()
    columns = [side for side in sides if isinstance(side, exp.Column)]
    if len(columns) == 2 and any(around.type_of(side) is None for side in columns):
        around.findings.assume(columns[0], f"a text, as that of {columns[1].sql()}")
        left, right = (exp.cast(qualified(side), exp.DataType.Type.TEXT) for side in columns)
        return exp.EQ(this=left, expression=right)
    return total_condition(term, around)


def _item(node: exp.Expression, around: Around) -> tuple[exp.Expression, ColumnType | None]:
    star = node.this if isinstance(node, exp.Column) else node
    if isinstance(star, exp.Star):
        refuse_others(star, frozenset())
        return (qualified(node) if isinstance(node, exp.Column) else exp.Star()), None
    if isinstance(node, exp.Alias):
        found, put_back = total(node.this, around)
        return exp.Alias(this=put_back(found.tree), alias=identifier(node.alias)), found.type
    found, put_back = total(node, around)
    return put_back(found.tree), found.type


def _ordinal(node: exp.Expression) -> exp.Expression | None:
    return node.copy() if isinstance(node, exp.Literal) and not node.is_string else None
