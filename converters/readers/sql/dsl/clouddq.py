"""CloudDQ: rule bindings, each with the rules that a column of a table is checked by.

The tool reports and stops nothing. A column that is missing is left out of all rules but NOT_NULL;
a condition of which nobody can say whether it holds fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.predicates import Matches
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.build import On, call, column
from ruleferry.converters.readers.sql.dsl.item import Item, Listed, document_of, rule
from ruleferry.converters.readers.sql.dsl.nodes import Place, lists, places
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.shapes import of_condition
from ruleferry.converters.rule import Row

_LISTS = re.compile(r"rule_bindings\.[^\[]+\.rule_ids")
_URI = re.compile(
    r"bigquery://projects/(?P<project>[^/]+)(?:/locations/[^/]+)?/datasets/(?P<dataset>[^/]+)"
    r"/tables/(?P<table>[^/]+)\Z"
)
_ALL = re.compile(r"\s*true\s*\Z", re.IGNORECASE)
_COLUMN = re.compile(r"\$column\b")


def is_clouddq(document: Json) -> bool:
    """Bindings with the ids of their rules."""
    bindings = document.get("rule_bindings") if isinstance(document, dict) else None
    return (
        isinstance(bindings, dict)
        and bool(bindings)
        and all(isinstance(one, dict) and "rule_ids" in one for one in bindings.values())
    )


def read_clouddq(
    text: str, file: str, setting: Setting, values: Mapping[str, object] | None = None
) -> Listed:
    document = document_of(text)
    if isinstance(document, Found):
        return (document,), {}
    if not isinstance(document, dict):
        return (), {}
    where = places(text)
    file_of = _File(document, setting, where, values or {})
    founds = [found for name in _words(document, "rule_bindings") for found in file_of.of(name)]
    return tuple(founds), lists(where, lambda path, _: _LISTS.fullmatch(path) is not None)


def _words(of: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    found = of.get(key)
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class _File:
    document: Mapping[str, Json]
    setting: Setting
    where: Mapping[str, Place]
    values: Mapping[str, object]

    def of(self, name: str) -> Iterator[Found]:
        binding = _words(_words(self.document, "rule_bindings"), name)
        listed = binding.get("rule_ids")
        table = self._table(binding)
        column_id = binding.get("column_id")
        own = self._column(binding, str(column_id)) if column_id is not None else ""
        for index, rule_id in enumerate(listed if isinstance(listed, list) else []):
            place = f"rule_bindings.{name}.rule_ids[{index}]"
            columns = (own,) if own else ()
            item = Item(
                place, f"{name}_{_id(rule_id)}", table, columns, "warn", tags=_tags(binding)
            )
            read = self._reader(binding, rule_id, table, own)
            yield rule(item, read, self.where)

    def _table(self, binding: Mapping[str, Json]) -> str | None:
        uri = binding.get("entity_uri")
        match = _URI.match(uri) if isinstance(uri, str) else None
        if match:
            return ".".join(match.groups())
        entity = _words(_words(self.document, "entities"), str(binding.get("entity_id")))
        keys = ("instance_name", "database_name", "table_name")
        found = [entity.get(key) for key in keys]
        parts = [str(part) for part in found if isinstance(part, str) and part]
        return ".".join(parts) if isinstance(found[-1], str) else None

    def _column(self, binding: Mapping[str, Json], column_id: str) -> str:
        entity = _words(_words(self.document, "entities"), str(binding.get("entity_id")))
        named = _words(_words(entity, "columns"), column_id).get("name")
        return named if isinstance(named, str) else column_id

    def _reader(
        self, binding: Mapping[str, Json], rule_id: Json, table: str | None, own: str
    ) -> Callable[[], Checked]:
        def read() -> Checked:
            if table is None:
                raise Unreadable("no_table", "its entity is not defined in this file")
            on = On(table, self.setting, "clouddq", self.values)
            found = _checked(on, self._rule(rule_id), own)
            return on.limited(found, self._filter(binding))

        return read

    def _rule(self, rule_id: Json) -> Mapping[str, Json]:
        if not isinstance(rule_id, str):
            raise Unreadable("template", "the rule is used with arguments of its own")
        found = _words(_words(self.document, "rules"), rule_id)
        if not found:
            raise Unreadable("custom_test", f"the rule {rule_id} is not defined in this file")
        return found

    def _filter(self, binding: Mapping[str, Json]) -> str | None:
        if binding.get("incremental_time_filter_column_id"):
            raise Unreadable("no_equivalent", "it looks at records that came since its last run")
        name = binding.get("row_filter_id")
        if name is None:
            return None
        found = _words(_words(self.document, "row_filters"), str(name)).get("filter_sql_expr")
        if found is True or (isinstance(found, str) and _ALL.match(found)):
            return None
        if not isinstance(found, str):
            raise Unreadable("template", f"the filter {name} is not defined in this file")
        return found


def _id(rule_id: Json) -> str:
    return str(next(iter(rule_id), "")) if isinstance(rule_id, dict) else str(rule_id)


def _tags(binding: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    found = binding.get("metadata")
    given = found if isinstance(found, dict) else {}
    return tuple((str(k), str(v)) for k, v in given.items() if isinstance(v, str | int))


def _checked(on: On, given: Mapping[str, Json], own: str) -> Checked:
    kind = given.get("rule_type")
    if not own:
        raise Unreadable("malformed", "the binding names no column")
    if kind == "NOT_NULL":
        return on.present(own)
    if kind == "NOT_BLANK":
        blank = exp.EQ(this=call("trim", column(own)), expression=exp.Literal.string(""))
        return on.of_tree(blank, bad=True)
    params = _words(given, "params")
    if kind == "REGEX":
        pattern = params.get("pattern")
        if not isinstance(pattern, str):
            raise Unreadable("malformed", "it has no pattern")
        return on.made(Row(Matches(own, (pattern.strip(),))), "pattern", (own,))
    if kind in ("CUSTOM_SQL_EXPR", "CUSTOM_SQL_EXPRESSION"):
        return _expression(on, params, own)
    raise Unreadable("custom_test", f"rules of type {kind} are queries of their own")


def _expression(on: On, params: Mapping[str, Json], own: str) -> Checked:
    if set(params) - {"custom_sql_expr"} or not isinstance(params.get("custom_sql_expr"), str):
        raise Unreadable("template", "its condition has arguments of its own")
    text = _COLUMN.sub(lambda _: own, str(params["custom_sql_expr"]))
    tree, setting = on.tree(text)
    missing = exp.Is(this=column(own), expression=exp.null())
    good = exp.Or(this=missing, expression=exp.Paren(this=tree))
    return replace(of_condition(good, setting, on.table, bad=False), kind="predicate")
