"""dbt: what is declared beside the tests: a contract's constraints, the freshness of sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.args import Args, refuse_doubt
from ruleferry.converters.readers.sql.dsl.build import On, is_plain
from ruleferry.converters.readers.sql.dsl.dbt_tests import Use
from ruleferry.converters.readers.sql.dsl.item import Item, rule
from ruleferry.converters.readers.sql.dsl.nodes import Place
from ruleferry.converters.readers.sql.found import Checked, Found
from ruleferry.converters.rule import Action, Caveat, Figure

LIMITS = ("warn_after", "error_after")
_FRESHNESS = re.compile(
    r"(sources\[\d+\](?:\.tables\[\d+\])?)(?:\.config)?\.freshness\.((?:warn|error)_after)"
)
_SECONDS = {"minute": 60, "hour": 3_600, "day": 86_400}
_ACTIONS: Mapping[str, Action] = {"warn_after": "warn", "error_after": "fail"}
# What these hold of a declared constraint is left to whoever reads it.
_NO_CHECKS = frozenset({"snowflake", "bigquery", "redshift", "hive", "impala", "netezza", "sql"})
_NO_KEYS = _NO_CHECKS | {"databricks", "spark"}
_KEYS = ("primary_key", "unique", "foreign_key")
_KNOWN = frozenset({
    "type", "name", "columns", "expression", "to", "to_columns", "warn_unenforced",
    "warn_unsupported",
})  # fmt: skip


# Constraints --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declared:
    """A constraint of a model or of its column. `enforced`: the contract of the model is."""

    on: On
    place: str
    prefix: str
    column: str | None
    node: Json
    sources: Mapping[tuple[str, str], str]
    enforced: bool

    def rules(self, where: Mapping[str, Place]) -> Iterator[Found]:
        """A primary key is two: its columns are there, and no two records have the same."""
        kind = str(self.node.get("type")) if isinstance(self.node, dict) else ""
        parts = ("not_null", "unique") if kind == "primary_key" else (kind,)
        for part in parts:
            yield from self._rules(kind, part, where)

    def _rules(self, kind: str, part: str, where: Mapping[str, Place]) -> Iterator[Found]:
        columns = self._columns()
        each: list[tuple[str, ...]] = [(c,) for c in columns] if part == "not_null" else []
        for asked in each or [columns]:
            why = self._not_in_force(kind, part)
            own = self.node.get("name") if isinstance(self.node, dict) else None
            words = [part or "constraint"] if kind != "primary_key" else [kind, part]
            parts = [self.prefix, *asked, *words]
            if isinstance(own, str) and own:
                parts = [own] if kind != "primary_key" else [own, part, *asked]
            called = "_".join(parts)
            action: Action = "warn" if why else "fail"
            item = Item(self.place, called, self.on.table, asked, action, "the model's contract")
            yield rule(item, partial(self._checked, part, asked, why), where)

    def _columns(self) -> tuple[str, ...]:
        listed = self.node.get("columns") if isinstance(self.node, dict) else None
        if isinstance(listed, list) and listed:
            return tuple(str(one) for one in listed)
        return (self.column,) if self.column else ()

    def _not_in_force(self, kind: str, part: str) -> str:
        if not self.enforced:
            return "its model's contract is not said to be enforced here"
        lax = part != "not_null" and self.on.dialect in (_NO_KEYS if kind in _KEYS else _NO_CHECKS)
        return "the database may store records that break it" if lax else ""

    def _checked(self, part: str, columns: tuple[str, ...], why: str) -> Checked:
        if not isinstance(self.node, dict) or set(self.node) - _KNOWN:
            raise Unreadable("malformed", "it is no constraint of dbt, or has more than it needs")
        found = self._check(part, columns, self.node)
        caveat = Caveat("disabled_constraint", f"a constraint of dbt: {why}")
        return replace(found, caveats=(*found.caveats, caveat)) if why else found

    def _check(self, part: str, columns: tuple[str, ...], node: Mapping[str, Json]) -> Checked:
        expression = node.get("expression")
        if part == "check" and isinstance(expression, str) and expression.strip():
            refuse_doubt(expression, "expression")
            return self.on.condition(expression)
        if part == "foreign_key" and columns and expression is None:
            others = node.get("to_columns")
            if isinstance(others, list) and len(others) == len(columns):
                use = Use(self.on, self.column, Args("foreign_key", node), self.sources)
                return self.on.exists(columns, use.other("to"), [str(one) for one in others])
        if part in ("not_null", "unique") and columns and expression is None:
            if part == "unique":
                return self.on.unique(columns, "any_missing")
            return self.on.present(columns[0])
        raise Unreadable("unknown_shape", f"a constraint of the type {part or None} is not read")


# Freshness ----------------------------------------------------------------------------------------


def fresh(
    source: Mapping[str, Json],
    tables: Mapping[str, tuple[On, str, Mapping[str, Json]]],
    place: str,
    where: Mapping[str, Place],
) -> Iterator[Found]:
    """`tables`: by their places; what the source says holds for those that say nothing."""
    used: set[str] = set()
    for inner, (on, prefix, table) in tables.items():
        for limit in LIMITS:
            at = next((p for p in (inner, place) if _path(p, limit, where)), None)
            if at is None or _is_off(table):
                continue
            path = _path(at, limit, where)
            used.add(path)
            node = _at(table if at == inner else source, limit)
            field = _field(table) or _field(source)
            filters = _freshness(table if at == inner else source).get("filter")
            retired = "it is switched off (null)" if node is None else ""
            item = Item(path, f"{prefix}_fresh", on.table, (), _ACTIONS[limit], limit, retired)
            yield rule(item, partial(_figure, on, node, field, filters), where)
    for limit in LIMITS:
        path = _path(place, limit, where)
        if path and path not in used:
            off = "no table of the source is held to it"
            yield rule(Item(path, "", None, retired=off), _nothing, where)


def limits(where: Mapping[str, Place]) -> Mapping[str, int]:
    """The limits of a document, of which one may stand in two places."""
    found = (_FRESHNESS.fullmatch(path) for path in where)
    return {f"{each[1]}.{each[2]}": 1 for each in found if each is not None}


def _nothing() -> Checked:
    raise Unreadable("no_table", "no table of the source is held to it")


def _path(place: str, limit: str, where: Mapping[str, Place]) -> str:
    paths = (f"{place}.freshness.{limit}", f"{place}.config.freshness.{limit}")
    return next((path for path in paths if path in where), "")


def _freshness(node: Mapping[str, Json]) -> Mapping[str, Json]:
    config = node.get("config")
    found = node.get("freshness")
    if found is None and isinstance(config, dict):
        found = config.get("freshness")
    return found if isinstance(found, dict) else {}


def _is_off(node: Mapping[str, Json]) -> bool:
    """`freshness: null` lets a table be as old as it is."""
    return "freshness" in node and node["freshness"] is None


def _at(node: Mapping[str, Json], limit: str) -> Json:
    return _freshness(node).get(limit)


def _field(node: Mapping[str, Json]) -> Json:
    config = node.get("config")
    inner = config.get("loaded_at_field") if isinstance(config, dict) else None
    return node.get("loaded_at_field") or inner


def _figure(on: On, node: Json, field: Json, filters: Json) -> Checked:
    if not isinstance(node, dict) or set(node) != {"count", "period"}:
        raise Unreadable("malformed", "a count and a period were expected")
    seconds, count = _SECONDS.get(str(node["period"])), node["count"]
    if seconds is None or not isinstance(count, int) or isinstance(count, bool) or count <= 0:
        raise Unreadable("malformed", f"{count} {node['period']} is no time of dbt")
    if field is None:
        raise Unreadable("no_equivalent", "the database's own notes tell when it was loaded")
    if not isinstance(field, str) or not is_plain(field) or filters is not None:
        raise Unreadable("unknown_shape", "when it was loaded is told by an expression or a part")
    return on.made(
        Figure("freshness", (field,), (("seconds", seconds * count),)), "figure", (field,)
    )
