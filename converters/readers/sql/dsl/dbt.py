"""dbt: the tests of models, sources, seeds and snapshots in `schema.yml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.args import Args, refuse_doubt
from ruleferry.converters.readers.sql.dsl.build import On
from ruleferry.converters.readers.sql.dsl.dbt_declared import Declared, fresh, limits
from ruleferry.converters.readers.sql.dsl.dbt_templates import Template, filled
from ruleferry.converters.readers.sql.dsl.dbt_tests import Use, read_test
from ruleferry.converters.readers.sql.dsl.item import Item, Listed, document_of, rule, unread
from ruleferry.converters.readers.sql.dsl.nodes import Place, lists, places
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.rule import Action

_SECTIONS = ("models", "seeds", "snapshots")
_TESTS = ("tests", "data_tests")
_LISTS = re.compile(
    r"(?:models|seeds|snapshots|sources)\[\d+\](?:\.(?:tables|columns|versions)\[\d+\])*"
    r"\.(?:data_)?tests|models\[\d+\](?:\.columns\[\d+\])?\.constraints"
)
# What may stand among the arguments of a test and configures it, as under `config`.
_CONFIG = frozenset({
    "severity", "where", "enabled", "warn_if", "error_if", "fail_calc", "limit", "tags", "meta",
    "store_failures", "store_failures_as", "database", "schema", "alias", "group",
})  # fmt: skip
_ABOUT = frozenset({"name", "description", "config", "arguments", "test_name"})
_COUNTED = re.compile(r"\s*(?:!=\s*0|<>\s*0|>\s*0|>=\s*1)\s*\Z")


def is_dbt(document: Json) -> bool:
    """A list of models, sources, seeds or snapshots, each an object with a name."""
    if not isinstance(document, dict):
        return False
    listed = [document[name] for name in (*_SECTIONS, "sources") if document.get(name) is not None]
    return bool(listed) and all(
        isinstance(section, list)
        and bool(section)
        and all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in section)
        for section in listed
    )


def read_dbt(
    text: str,
    file: str,
    setting: Setting,
    templates: Mapping[str, Template] | None = None,
    values: Mapping[str, object] | None = None,
) -> Listed:
    """`templates`: the project's own tests (`templates_in`); `values`: of its variables."""
    document = document_of(text)
    if isinstance(document, Found):
        return (document,), {}
    where = places(text)
    project = _Project(setting, where, templates or {}, values or {}, _sources(document))
    founds = [found for owner in _owners(document) for found in project.tests(owner)]
    founds += project.declared(document)
    counted = lists(where, lambda path, _: _LISTS.fullmatch(path) is not None)
    return tuple(founds), {**counted, **limits(where)}


def _sources(document: Json) -> Mapping[tuple[str, str], str]:
    """(source, table) -> the name of the table in the database."""
    return {
        (str(source["name"]), str(table["name"])): _physical(source, table)
        for source in _objects(document, "sources")
        for table in _objects(source, "tables")
        if "name" in source and "name" in table
    }


def _physical(source: Mapping[str, Json], table: Mapping[str, Json]) -> str:
    parts = [source.get("database"), source.get("schema") or source.get("name")]
    parts.append(table.get("identifier") or table.get("name"))
    return ".".join(str(part) for part in parts if part)


def _objects(of: Json, key: str) -> list[Mapping[str, Json]]:
    found = of.get(key) if isinstance(of, dict) else None
    return (
        [one if isinstance(one, dict) else {} for one in found] if isinstance(found, list) else []
    )


# Owners of tests ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Owner:
    """A table and its node of the document; `prefix` begins the names of its rules."""

    place: str
    prefix: str
    table: str
    node: Mapping[str, Json]
    config: Mapping[str, Json] = field(default_factory=dict)
    problem: str = ""


def _owners(document: Json) -> Iterator[Owner]:
    for section in _SECTIONS:
        for index, node in enumerate(_objects(document, section)):
            name = str(node.get("name"))
            owner = Owner(f"{section}[{index}]", name, name, node, _config(node))
            yield owner
            yield from _versions(owner)
    for index, source in enumerate(_objects(document, "sources")):
        place, name = f"sources[{index}]", str(source.get("name"))
        yield Owner(place, f"source_{name}", name, source, problem="a source has no records")
        for number, table in enumerate(_objects(source, "tables")):
            config = {**_config(source), **_config(table)}
            prefix = f"source_{name}_{table.get('name')}"
            inner = f"{place}.tables[{number}]"
            yield Owner(inner, prefix, _physical(source, table), table, config)


def _versions(owner: Owner) -> Iterator[Owner]:
    for index, node in enumerate(_objects(owner.node, "versions")):
        place = f"{owner.place}.versions[{index}]"
        why = "it belongs to one version of the model"
        yield replace(owner, place=place, node=node, problem=why)


def _config(node: Mapping[str, Json]) -> Mapping[str, Json]:
    found = node.get("config")
    return found if isinstance(found, dict) else {}


# Tests --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Test:
    """`config`: severity and the like; `given`: the arguments of the test itself."""

    name: str
    given: Mapping[str, Json]
    config: Mapping[str, Json]
    own_name: str | None = None


@dataclass(frozen=True, slots=True)
class _Project:
    setting: Setting
    where: Mapping[str, Place]
    templates: Mapping[str, Template]
    values: Mapping[str, object]
    sources: Mapping[tuple[str, str], str]

    def tests(self, owner: Owner) -> Iterator[Found]:
        yield from self._of(owner, owner.node, owner.place, None)
        for index, column in enumerate(_objects(owner.node, "columns")):
            place = f"{owner.place}.columns[{index}]"
            name = column.get("name")
            yield from self._of(owner, column, place, name if isinstance(name, str) else "")

    def declared(self, document: Json) -> Iterator[Found]:
        """Constraints of models, and how fresh sources are."""
        for owner in _owners(document):
            if owner.place.startswith("models[") and not owner.problem:
                yield from self._constraints(owner)
        for index, source in enumerate(_objects(document, "sources")):
            place = f"sources[{index}]"
            inner = {
                owner.place: (self._on(owner.table), owner.prefix, owner.node)
                for owner in _owners(document)
                if owner.place.startswith(f"{place}.tables[")
            }
            yield from fresh(source, inner, place, self.where)

    def _constraints(self, owner: Owner) -> Iterator[Found]:
        contract = owner.config.get("contract")
        enforced = isinstance(contract, dict) and contract.get("enforced") is True
        nodes: list[tuple[str, str | None, Mapping[str, Json]]] = [(owner.place, None, owner.node)]
        for index, column in enumerate(_objects(owner.node, "columns")):
            name = column.get("name")
            nodes.append((f"{owner.place}.columns[{index}]", str(name) if name else None, column))
        for place, name, node in nodes:
            listed = node.get("constraints")
            for index, one in enumerate(listed if isinstance(listed, list) else []):
                at = f"{place}.constraints[{index}]"
                on = self._on(owner.table)
                declared = Declared(on, at, owner.prefix, name, one, self.sources, enforced)
                yield from declared.rules(self.where)

    def _on(self, table: str) -> On:
        return On(table, self.setting, "dbt", self.values)

    def _of(
        self, owner: Owner, node: Mapping[str, Json], place: str, column: str | None
    ) -> Iterator[Found]:
        for key in _TESTS:
            listed = node.get(key)
            for index, item in enumerate(listed if isinstance(listed, list) else []):
                yield self._test(owner, item, f"{place}.{key}[{index}]", column)

    def _test(self, owner: Owner, item: Json, place: str, column: str | None) -> Found:
        columns = (column,) if column else ()
        bare = Item(place, "", owner.table, columns)
        try:
            test = _form(item)
        except Unreadable as cannot:
            return unread(bare, cannot.code, cannot.reason, self.where)
        action, detail = _severity(test.config)
        named = replace(
            bare,
            name=test.own_name or _default_name(owner, column, test),
            action=action,
            detail=detail,
            retired=_retired(owner, test),
            tags=_tags(test.config),
        )
        if owner.problem:
            return unread(named, "unknown_shape", owner.problem, self.where)
        return rule(named, lambda: self._checked(owner, column, test), self.where)

    def _checked(self, owner: Owner, column: str | None, test: _Test) -> Checked:
        where = _where(test.config)
        on = self._on(owner.table)
        arguments = Args(test.name, test.given)
        use = Use(on, column, arguments, self.sources)
        template = self.templates.get(test.name)
        if template is not None:
            found = filled(template, use)
        else:
            found = read_test(test.name, use)
            arguments.done()
        return on.limited(found, where) if found.scope is None else _both(on, found, where)


def _both(on: On, found: Checked, where: str | None) -> Checked:
    if not where:
        return found
    limited = on.limited(replace(found, scope=None), where)
    if limited.scope is None:
        return replace(limited, scope=found.scope)
    raise Unreadable("unsupported_query", "a condition of the test and its `where` stand together")


def _form(item: Json) -> _Test:
    """`unique`, `{unique: {…}}`, or `{name: …, test_name: unique, …}`."""
    if isinstance(item, str):
        return _Test(item, {}, {})
    if not isinstance(item, dict) or not item:
        raise Unreadable("malformed", "it is neither a name nor an object")
    name: Json
    inner: Json
    if "test_name" in item:
        name, inner, beside = item["test_name"], item, dict[str, Json]()
    else:
        others = {key: value for key, value in item.items() if key in _ABOUT | _CONFIG}
        named = [key for key in item if key not in others]
        if len(named) != 1:
            raise Unreadable("malformed", f"it names {len(named)} tests: {', '.join(named)}")
        name, inner, beside = named[0], item[named[0]], others
    if not isinstance(name, str) or not isinstance(inner, dict | None):
        raise Unreadable("malformed", "its arguments are no object")
    return _parted(name, {**beside, **(inner or {})})


def _parted(name: str, inner: Mapping[str, Json]) -> _Test:
    nested = inner.get("arguments")
    if nested is not None and not isinstance(nested, dict):
        raise Unreadable("malformed", "its arguments are no object")
    known = _CONFIG | _ABOUT
    given = {key: value for key, value in inner.items() if key not in known}
    given |= nested or {}
    config = {key: value for key, value in inner.items() if key in _CONFIG}
    config |= _config(inner)
    own = inner.get("name")
    return _Test(name, given, config, own if isinstance(own, str) and own else None)


def _severity(config: Mapping[str, Json]) -> tuple[Action | None, str]:
    found = config.get("severity")
    if found is None:
        return "fail", ""
    word = str(found).lower()
    if word in ("error", "warn"):
        return ("fail" if word == "error" else "warn"), f"severity: {found}"
    return None, f"severity: {found}"


def _retired(owner: Owner, test: _Test) -> str:
    if test.config.get("enabled") is False:
        return "the test is switched off (enabled: false)"
    if owner.config.get("enabled") is False:
        return "its table is switched off (enabled: false)"
    return ""


def _tags(config: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    found = config.get("tags")
    listed = found if isinstance(found, list) else [found] if isinstance(found, str) else []
    named = [("tag", str(one)) for one in listed if isinstance(one, str)]
    meta = config.get("meta")
    owner = meta.get("owner") if isinstance(meta, dict) else None
    return (*named, *([("owner", owner)] if isinstance(owner, str) else []))


def _where(config: Mapping[str, Json]) -> str | None:
    """Raises Unreadable where the test counts otherwise than: any record found is one too many."""
    enabled = config.get("enabled")
    if enabled not in (None, True):
        raise Unreadable("template", f"enabled: {enabled} is only known when it runs")
    warns = str(config.get("severity", "error")).lower() == "warn"
    for key in ("warn_if",) if warns else ("error_if", "warn_if"):
        limit = config.get(key)
        if limit is not None and not _COUNTED.match(str(limit)):
            reason = f"{key}: {limit} lets some records be bad"
            raise Unreadable("no_equivalent", reason)
    if config.get("fail_calc") not in (None, "count(*)"):
        raise Unreadable("no_equivalent", f"fail_calc: {config['fail_calc']} counts otherwise")
    where = config.get("where")
    if where is None:
        return None
    if not isinstance(where, str):
        raise Unreadable("malformed", "where: a condition was expected")
    if "{" not in where:
        refuse_doubt(where, "where")
    return where


def _default_name(owner: Owner, column: str | None, test: _Test) -> str:
    """`<model>_<column>_<test>`; of a test on the model its columns or expression follow."""
    short = test.name.rpartition(".")[2]
    if column is not None:
        return f"{owner.prefix}_{column}_{short}"
    if short == "unique_combination_of_columns":
        short = "unique"
    found = [test.given.get(key) for key in _NAMING]
    told = next((one for one in found if one), None)
    words = [str(one) for one in told] if isinstance(told, list) else [str(told)] if told else []
    return "_".join((owner.prefix, short, *words))


_NAMING = ("expression", "combination_of_columns", "column_list", "column_name", "field")
