"""Queries that look each record up in another table: JOIN, LEFT JOIN … IS NULL, NOT EXISTS, NOT IN.

A tree is read as any dialect's parser leaves it; what else a query may be is its reader's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.tree import all_hold, bare, called, terms, unqualified
from ruleferry.converters.predicates import ColumnComparison, Operator, SqlText
from ruleferry.converters.rule import Exists, LookedUp, Lookup

_LEFT = {("LEFT", ""), ("LEFT", "OUTER")}
_INNER = {("", ""), ("", "INNER")}
_OPERATORS: Mapping[type[exp.Expression], Operator] = {
    exp.NEQ: "!=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=",
}  # fmt: skip
_TURNED: Mapping[Operator, Operator] = {"!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_HALF = {("LEFT", "ANTI"), ("LEFT", "SEMI"), ("", "ANTI"), ("", "SEMI")}
_PLAIN = frozenset({"expressions", "from_", "where", "joins", "order", "distinct"})
_JOIN = frozenset({"this", "side", "kind", "on"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What the dialect of a query says: which tables it is about, and how a part of it is written.

    `ours`: whether a table is the one whose records the query finds; `text`: a condition over one
    table's columns; `looks_further`: whether an item of a select list looks at other records.
    """

    ours: Callable[[exp.Table], bool]
    text: Callable[[exp.Expression], SqlText]
    looks_further: Callable[[exp.Expression], bool]


@dataclass(frozen=True, slots=True)
class LookedFor:
    """The rule, and which records the query looks at; None: all.

    `hidden_by`: a column of the other table that is called so hides the batch's own columns.
    """

    rule: Exists | LookedUp
    scope: SqlText | None
    hidden_by: str | None = None


def looked_for(query: exp.Expression, asked: Asked) -> LookedFor | None:
    """What a query checks that finds records of a table by whether another table has their keys.

    None where it is of another shape.
    """
    if not isinstance(query, exp.Select) or not _is_plain(query):
        return None
    ours = _alias_of(query.args["from_"].this, asked)
    where = query.args.get("where")
    joins = query.args.get("joins") or []
    if ours is None or (where is None and not joins):
        return None
    if any(asked.looks_further(item) for item in query.expressions):
        return None
    conditions = terms(where.this if where else None)
    if joins:
        return _by_join(ours, joins, conditions, asked)
    return _by_subquery(ours, conditions, asked)


def _is_plain(query: exp.Select) -> bool:
    others = {key for key, value in query.args.items() if value} - _PLAIN
    return not others and query.args.get("from_") is not None


def _alias_of(table: exp.Expression | None, asked: Asked) -> str | None:
    """How the records' columns are qualified; None where another table is read."""
    if not isinstance(table, exp.Table) or not asked.ours(table) or not _is_bare(table):
        return None
    return (table.alias or table.name).lower()


def _is_bare(table: exp.Table) -> bool:
    """No samples, versions, hints, or names for the columns."""
    alias = table.args.get("alias")
    renamed = alias is not None and bool(alias.args.get("columns"))
    kept = ("this", "db", "catalog", "alias")
    return not renamed and not any(v for k, v in table.args.items() if k not in kept)


# JOIN ---------------------------------------------------------------------------------------------


def _by_join(
    ours: str, joins: Sequence[exp.Join], conditions: Sequence[exp.Expression], asked: Asked
) -> LookedFor | None:
    join = joins[0]
    other = join.this
    strange = {key for key, value in join.args.items() if value} - _JOIN
    if len(joins) > 1 or strange or not _is_other(other, asked):
        return None
    theirs = (other.alias or other.name).lower()
    if theirs == ours:
        return None
    kind = (join.side or "").upper(), (join.kind or "").upper()
    on = terms(join.args.get("on"))
    if kind in _INNER:
        return _by_value(ours, other, [*on, *conditions], asked)
    if kind in _HALF:
        return _by_half(ours, other, on, conditions, asked, found=kind[1] == "SEMI")
    if kind not in _LEFT:
        return None
    return _by_absence(ours, other, on, conditions, asked)


def _by_absence(
    ours: str, other: exp.Table, on: Sequence[exp.Expression],
    conditions: Sequence[exp.Expression], asked: Asked,
) -> LookedFor | None:  # fmt: skip
    """`LEFT JOIN … WHERE l.key IS NULL`."""
    theirs = (other.alias or other.name).lower()
    found = _matched(on, ours, theirs)
    if found is None:
        return None
    keys, filters = found
    absent = [term for term in conditions if _missing_key(term, theirs, keys)]
    rest = [term for term in conditions if term not in absent]
    if not absent or not _all_of(rest, ours, alone=False):
        return None
    lookup = Lookup(name_of(other), tuple(keys), _text_of(filters, theirs, asked))
    return LookedFor(Exists(lookup), _text_of(rest, ours, asked))


def _by_half(
    ours: str, other: exp.Table, on: Sequence[exp.Expression],
    conditions: Sequence[exp.Expression], asked: Asked, *, found: bool,
) -> LookedFor | None:  # fmt: skip
    """`LEFT ANTI JOIN` and `LEFT SEMI JOIN`: WHERE sees the first table alone."""
    theirs = (other.alias or other.name).lower()
    matched = _matched(on, ours, theirs)
    if matched is None or not _all_of(conditions, ours, alone=True):
        return None
    keys, filters = matched
    lookup = Lookup(name_of(other), tuple(keys), _text_of(filters, theirs, asked))
    return LookedFor(Exists(lookup, negated=found), _text_of(conditions, ours, asked))


def _by_value(
    ours: str, other: exp.Table, conditions: Sequence[exp.Expression], asked: Asked
) -> LookedFor | None:
    """`JOIN … WHERE`: bad is a record for which all of it holds with one that it finds."""
    theirs = (other.alias or other.name).lower()
    rest = [term for term in conditions if _all_of([term], ours, alone=False)]
    left = [term for term in conditions if term not in rest]
    comparisons = [c for term in left if (c := _comparison(term, ours, theirs)) is not None]
    others = [term for term in left if _comparison(term, ours, theirs) is None]
    found = _matched(others, ours, theirs)
    if found is None:
        return None
    keys, filters = found
    lookup = Lookup(name_of(other), tuple(keys), _text_of(filters, theirs, asked))
    scope = _text_of(rest, ours, asked)
    if not comparisons:
        return LookedFor(Exists(lookup, negated=True), scope)
    return LookedFor(LookedUp(lookup, tuple(comparisons)), scope)


def _comparison(term: exp.Expression, ours: str, theirs: str) -> ColumnComparison | None:
    """A column of the record and one of the other table, in any order but for equal ones."""
    operator = _OPERATORS.get(type(term))
    if operator is None:
        return None
    left, right = bare(term.this), bare(term.expression)
    if _is_of(left, ours) and _is_of(right, theirs):
        return ColumnComparison(left.name, operator, right.name)
    if _is_of(right, ours) and _is_of(left, theirs):
        return ColumnComparison(right.name, _TURNED[operator], left.name)
    return None


def _is_other(table: exp.Expression, asked: Asked) -> bool:
    return isinstance(table, exp.Table) and _is_bare(table) and not asked.ours(table)


def name_of(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)


def _missing_key(term: exp.Expression, theirs: str, keys: Iterable[tuple[str, str]]) -> bool:
    """`l.key IS NULL`, which is so only where nothing was found."""
    if not isinstance(term, exp.Is) or not isinstance(bare(term.expression), exp.Null):
        return False
    column = bare(term.this)
    names = {name.lower() for _, name in keys}
    return _is_of(column, theirs) and column.name.lower() in names and not term.args.get("negate")


# EXISTS and IN ------------------------------------------------------------------------------------


def _by_subquery(ours: str, conditions: Sequence[exp.Expression], asked: Asked) -> LookedFor | None:
    looking = [term for term in conditions if term.find(exp.Query) is not None]
    rest = [term for term in conditions if term not in looking]
    if len(looking) != 1 or not _all_of(rest, ours, alone=True):
        return None
    found = bare(looking[0])
    negated = isinstance(found, exp.Not)
    inner = bare(found.this) if negated else found
    rule = _of_list(inner, ours, negated, asked) if isinstance(inner, exp.In) else None
    if rule is None and (query := _asked_for(inner)) is not None:
        rule = _of_exists(query, ours, negated, asked)
    return LookedFor(rule, _text_of(rest, ours, asked), ours) if rule else None


def _asked_for(node: exp.Expression) -> exp.Select | None:
    """Parsers differ in whether EXISTS is a call."""
    name, arguments = called(node) or ("", [])
    query = arguments[0] if name == "exists" and len(arguments) == 1 else None
    query = node.this if isinstance(node, exp.Exists) else query
    return query if isinstance(query, exp.Select) else None


def _of_exists(query: exp.Select, ours: str, negated: bool, asked: Asked) -> Exists | None:
    """NOT EXISTS finds the records that are not there; EXISTS those that are."""
    other = _only_source(query, asked)
    if other is None or any(asked.looks_further(item) for item in query.expressions):
        return None
    theirs = (other.alias or other.name).lower()
    where = query.args.get("where")
    found = _matched(terms(where.this if where else None), ours, theirs)
    if found is None or theirs == ours:
        return None
    keys, filters = found
    lookup = Lookup(name_of(other), tuple(keys), _text_of(filters, theirs, asked))
    return Exists(lookup, negated=not negated)


def _of_list(node: exp.In, ours: str, negated: bool, asked: Asked) -> Exists | None:
    """`k NOT IN (SELECT …)`: a missing key is not found bad, and NULL in the list hides all."""
    query = node.args.get("query")
    query = bare(query.this) if isinstance(query, exp.Subquery) else query
    key = bare(node.this)
    if not isinstance(query, exp.Select) or not _is_of(key, ours, alone=True):
        return None
    other = _only_source(query, asked)
    if other is None or len(query.expressions) != 1:
        return None
    theirs = (other.alias or other.name).lower()
    listed = bare(query.expressions[0])
    where = query.args.get("where")
    filters = terms(where.this) if where else []
    alike = _is_of(listed, theirs, alone=True) and _all_of(filters, theirs, alone=True)
    if not alike or theirs == ours:
        return None
    keys = ((key.name, listed.name),)
    lookup = Lookup(name_of(other), keys, _text_of(filters, theirs, asked))
    if not negated:
        return Exists(lookup, negated=True)
    complete = any(_excludes_missing(term, listed.name) for term in filters)
    return Exists(lookup, missing="good", listed="complete" if complete else "nullable")


def _excludes_missing(term: exp.Expression, name: str) -> bool:
    """`name IS NOT NULL`."""
    inner = bare(term.this) if isinstance(term, exp.Not) else term
    asked = isinstance(inner, exp.Is) and isinstance(bare(inner.expression), exp.Null)
    negated = isinstance(term, exp.Not) != bool(inner.args.get("negate"))
    column = bare(inner.this) if asked else None
    named = isinstance(column, exp.Column) and column.name.lower() == name.lower()
    return named and negated


def _only_source(query: exp.Select, asked: Asked) -> exp.Table | None:
    if not _is_plain(query) or query.args.get("joins"):
        return None
    table = query.args["from_"].this
    return table if _is_other(table, asked) else None


# Terms --------------------------------------------------------------------------------------------


def _matched(
    conditions: Sequence[exp.Expression], ours: str, theirs: str
) -> tuple[list[tuple[str, str]], list[exp.Expression]] | None:
    """The keys that are equal, and what limits the other table; None: there is more in it."""
    keys: list[tuple[str, str]] = []
    filters: list[exp.Expression] = []
    for term in conditions:
        pair = _pair(term, ours, theirs)
        if pair is not None:
            keys.append(pair)
        elif _all_of([term], theirs, alone=False):
            filters.append(term)
        else:
            return None
    return (keys, filters) if keys else None


def _pair(term: exp.Expression, ours: str, theirs: str) -> tuple[str, str] | None:
    if not isinstance(term, exp.EQ):
        return None
    sides = bare(term.this), bare(term.expression)
    for left, right in (sides, sides[::-1]):
        if _is_of(left, ours) and _is_of(right, theirs):
            return left.name, right.name
    return None


def _is_of(node: exp.Expression, table: str, *, alone: bool = False) -> bool:
    """A column of the table; `alone`: it may stand without the table's name."""
    if not isinstance(node, exp.Column) or node.args.get("join_mark"):
        return False
    qualifier = [part.name.lower() for part in node.parts[:-1]]
    return qualifier == [table] or (alone and not qualifier)


def _all_of(conditions: Sequence[exp.Expression], table: str, *, alone: bool) -> bool:
    """Whether they speak of nothing but columns of the table."""
    nodes = [node for term in conditions for node in term.walk()]
    if any(isinstance(node, exp.Query) for node in nodes):
        return False
    return all(_is_of(n, table, alone=alone) for n in nodes if isinstance(n, exp.Column))


def _text_of(conditions: Sequence[exp.Expression], table: str, asked: Asked) -> SqlText | None:
    if not conditions:
        return None
    return asked.text(unqualified(all_hold(conditions), {table}))
