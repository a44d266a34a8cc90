"""One query whose records go to several tables: INSERT FIRST and ALL, and Hive's FROM … INSERT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import all_hold, bare, terms
from ruleferry.converters.readers.sql.found import Effect, Found
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.readers.sql.shapes.trees import only_args
from ruleferry.converters.readers.sql.shapes.written import copies
from ruleferry.converters.readers.sql.shapes.written.labels import Said, said_by
from ruleferry.converters.readers.sql.shapes.written.parts import Place, name_of
from ruleferry.converters.readers.sql.shapes.written.sources import only_picks
from ruleferry.converters.readers.sql.shapes.written.tables import Role, role_of

_DROPPED = "the statement sends them to {} and not to {}"


def many_inserts(tree: exp.Expression, place: Place) -> tuple[Found, ...]:
    source = tree.args.get("source")
    if all(isinstance(each, exp.Insert) for each in tree.expressions):
        return _from_first(tree.expressions, source, place)
    if not isinstance(source, exp.Select):
        raise Unreadable("unknown_shape", "it sends the records of several queries to tables")
    routes = [_route(each, place) for each in tree.expressions]
    if len({(route.condition is None, route.otherwise) for route in routes}) == 1 and (
        routes[0].condition is None and not routes[0].otherwise
    ):
        names = ", ".join(route.target for route in routes)
        return place.nothing(f"it copies all records to {names}", Effect("load", names))
    first = str(tree.args.get("kind") or "ALL").upper() == "FIRST"
    numbers = range(len(routes))
    return tuple(_of_route(number, routes, source, place, first=first) for number in numbers)


def _from_first(
    inserts: Sequence[exp.Expression], source: exp.Expression | None, place: Place
) -> tuple[Found, ...]:
    """FROM t INSERT … SELECT … WHERE …: each of them is a statement of its own."""
    found: list[Found] = []
    for number, insert in enumerate(inserts, 1):
        query = insert.expression
        if not isinstance(query, exp.Select) or query.args.get("from_") or source is None:
            raise Unreadable("unknown_shape", "one of its INSERTs does not read the records")
        query = query.copy()
        query.set("from_", exp.From(this=source.copy()))
        table = insert.this.this if isinstance(insert.this, exp.Schema) else insert.this
        if not isinstance(table, exp.Table):
            raise Unreadable("unknown_shape", "it writes to what is no table")
        names = [c.name for c in getattr(insert.this, "expressions", []) or []]
        target = name_of(table, place.setting)
        made = copies.copied(query, target, names if table is not insert.this else [], place)
        found += [replace(f, part=f"insert {number} {f.part}".strip()) for f in made]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Route:
    """`condition`: None where it takes all records; `otherwise`: those that no other one takes."""

    target: str
    role: Role
    condition: exp.Expression | None
    otherwise: bool
    said: Said


def _route(node: exp.Expression, place: Place) -> _Route:
    insert = node.this if isinstance(node, exp.ConditionalInsert) else node
    if not isinstance(insert, exp.Insert):
        raise Unreadable("unknown_shape", "it sends records to what is no table")
    schema = insert.this
    table = schema.this if isinstance(schema, exp.Schema) else schema
    if not isinstance(table, exp.Table):
        raise Unreadable("unknown_shape", "it sends records to what is no table")
    names = [c.name for c in schema.expressions] if isinstance(schema, exp.Schema) else []
    values = insert.args.get("expression")
    rows = values.expressions if isinstance(values, exp.Values) else []
    said = said_by(rows[0].expressions, names) if len(rows) == 1 else Said()
    target = name_of(table, place.setting)
    condition = node.args.get("expression") if isinstance(node, exp.ConditionalInsert) else None
    otherwise = bool(node.args.get("else_"))
    return _Route(target, role_of(target, labelled=said.named), condition, otherwise, said)


def _of_route(
    number: int, routes: Sequence[_Route], source: exp.Select, place: Place, *, first: bool
) -> Found:
    route = routes[number]
    part = f"insert {number + 1}"
    others = [r for r in routes if r is not route and r.role == "target"]
    if route.role != "reject":
        return _loaded(route, routes, source, place, part, first=first)
    effect = Effect("insert", route.target)
    if others and (first or any(r.otherwise for r in others) or route.otherwise):
        names = ", ".join(r.target for r in others)
        detail = _DROPPED.format(route.target, names)
        effect = replace(effect, action="drop", detail=detail)
    said = route.said
    conditions, bad = _conditions(number, routes, first=first)
    checked = bad_rows(_limited(source, conditions, bad, place), place.setting, bad=bad)
    return place.found(checked, effect, part=part, labels=said.labels, tags=said.tags)


def _conditions(
    number: int, routes: Sequence[_Route], *, first: bool
) -> tuple[list[exp.Expression], bool]:
    """What is TRUE of the records that a route takes (or of all others, and False)."""
    route, before = routes[number], routes[:number]
    if route.otherwise:
        asked = [r.condition for r in before if r.condition is not None]
        if len(asked) != 1 or before[0].role != "target":
            raise Unreadable("unknown_shape", "which records its ELSE takes is said by several")
        return asked, False
    if route.condition is None:
        raise Unreadable("never_passes", f"it sends every record to {route.target}")
    if first and any(r.role != "reject" for r in before):
        reason = f"which records are left for {route.target} is said by the tables before it"
        raise Unreadable("unknown_shape", reason)
    return [route.condition], True


def _limited(
    source: exp.Select, conditions: Sequence[exp.Expression], bad: bool, place: Place
) -> exp.Select:
    """The query's own records for which the conditions hold, over its own columns."""
    if only_args(source, frozenset({"expressions", "from_", "where"})) is not None:
        raise Unreadable("unknown_shape", "it sends the records of a query of several steps")
    where = source.args.get("where")
    own = terms(where.this) if where is not None else []
    if not bad and not only_picks(own, place.setting):
        raise Unreadable("unknown_shape", "its query leaves records out that no table gets")
    made = source.copy()
    asked = [*own, *(_own_columns(condition, source) for condition in conditions)]
    made.set("where", exp.Where(this=all_hold(asked)))
    return made


def _own_columns(condition: exp.Expression, source: exp.Select) -> exp.Expression:
    """A condition over the names of a select list, over what these stand for."""
    named = {i.alias.lower(): i.this for i in source.expressions if isinstance(i, exp.Alias)}
    root = exp.Paren(this=condition.copy())
    for node in [*root.find_all(exp.Column)]:
        value = named.get(node.name.lower()) if not node.table else None
        if value is not None:
            node.replace(exp.Paren(this=value.copy()) if value.find(exp.Binary) else value.copy())
    return bare(root)


def _loaded(
    route: _Route,
    routes: Sequence[_Route],
    source: exp.Select,
    place: Place,
    part: str,
    *,
    first: bool,
) -> Found:
    """Where records are used. With INSERT ALL its own condition alone says which ones."""
    effect = Effect("load", route.target)
    if not any(r.role == "reject" for r in routes):
        reason = f"it spreads records over {', '.join(r.target for r in routes)}"
    elif first or route.otherwise or route.condition is None:
        reason = f"it loads {route.target} with the records that go nowhere else"
    elif route.condition.find(exp.Column) is None:
        reason = f"it loads {route.target}"  # WHEN 1 = 1
    else:
        limited = _limited(source, [route.condition], True, place)
        checked = bad_rows(limited, place.setting, bad=False)
        return place.found(checked, effect, part=part)
    return replace(place.nothing(reason, effect)[0], part=part)
