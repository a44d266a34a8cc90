"""Soda: the checks of SodaCL files, `checks for T:` and `for each dataset D:`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.build import On
from ruleferry.converters.readers.sql.dsl.item import Item, Listed, document_of, rule, unread
from ruleferry.converters.readers.sql.dsl.nodes import Place, lists, places
from ruleferry.converters.readers.sql.dsl.soda_checks import Asked, read_check
from ruleferry.converters.readers.sql.dsl.soda_schema import schema_checks
from ruleferry.converters.readers.sql.dsl.thresholds import threshold
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.rule import Action

_CHECKS = re.compile(r"checks\s+for\s+(?P<table>\S+)(?:\s*\[(?P<part>[^\]]+)\])?\s*\Z")
_EACH = re.compile(r"for\s+each\s+(?:dataset|table)\s+(?P<name>\S+)\s*\Z")
_FILTER = re.compile(r"filter\s+(?P<table>\S+)\s*\[(?P<part>[^\]]+)\]\s*\Z")
_DEFAULTS = re.compile(r"configurations\s+for\s+(?P<table>\S+)\s*\Z")
_OF_COLUMN = re.compile(r"((?:valid|invalid|missing)\b.*?)\s+for\s+(\S+)\Z")
_WILD = re.compile(r"[%*?]")
# How a check is shown and sampled, and nothing of what it checks.
_SHOWN = frozenset({
    "name", "attributes", "identity", "samples limit", "samples columns", "title",
    "collect failed rows", "collect samples",
})  # fmt: skip


def is_soda(document: Json) -> bool:
    """`checks for …` or `for each dataset …` with a list of checks."""
    if not isinstance(document, dict):
        return False
    return any(
        (_CHECKS.match(key) and isinstance(value, list | dict | None))
        or (_EACH.match(key) and isinstance(value, dict) and "checks" in value)
        for key, value in document.items()
        if isinstance(key, str)
    )


def read_soda(
    text: str, file: str, setting: Setting, values: Mapping[str, object] | None = None
) -> Listed:
    document = document_of(text)
    if isinstance(document, Found):
        return (document,), {}
    where = places(text)
    if not isinstance(document, dict):
        return (), {}
    file_of = _File(setting, where, values or {}, _filters(document), _defaults(document))
    founds = [found for key, value in document.items() for found in file_of.section(key, value)]
    return tuple(founds), lists(where, _is_list)


def _is_list(path: str, place: Place) -> bool:
    if place.depth == 1:
        return _CHECKS.match(path) is not None
    return place.depth == 2 and path.startswith("for each ") and path.endswith(".checks")


def _filters(document: Mapping[str, Json]) -> Mapping[tuple[str, str], str]:
    found = {}
    for key, value in document.items():
        match = _FILTER.match(key)
        where = value.get("where") if isinstance(value, dict) else None
        if match and isinstance(where, str):
            found[match["table"], match["part"]] = where
    return found


def _defaults(document: Mapping[str, Json]) -> Mapping[tuple[str, str], Mapping[str, Json]]:
    """(table, column) -> what is valid or missing there, wherever nothing else is said."""
    found: dict[tuple[str, str], dict[str, Json]] = {}
    for key, value in document.items():
        table = _DEFAULTS.match(key)
        for name, inner in value.items() if table and isinstance(value, dict) else ():
            if of := _OF_COLUMN.match(str(name)):
                found.setdefault((table["table"], of[2]), {})[of[1]] = inner  # type: ignore[index]
    return found


@dataclass(frozen=True, slots=True)
class _File:
    setting: Setting
    where: Mapping[str, Place]
    values: Mapping[str, object]
    filters: Mapping[tuple[str, str], str]
    defaults: Mapping[tuple[str, str], Mapping[str, Json]] = field(default_factory=dict)

    def section(self, key: str, value: Json) -> Iterator[Found]:
        if match := _CHECKS.match(key):
            items = value if isinstance(value, list) else []
            part = match["part"]
            for index, item in enumerate(items):
                yield from self.check(item, f"{key}[{index}]", match["table"], part)
        elif _EACH.match(key) and isinstance(value, dict):
            yield from self._each(key, value)

    def _each(self, key: str, value: Mapping[str, Json]) -> Iterator[Found]:
        """Datasets that are listed by name; of a pattern nobody knows what it names."""
        named = value.get("datasets") or value.get("tables")
        names = named if isinstance(named, list) else []
        plain = [n for n in names if isinstance(n, str) and not _WILD.search(n) and " " not in n]
        checks = value.get("checks")
        for index, item in enumerate(checks if isinstance(checks, list) else []):
            place = f"{key}.checks[{index}]"
            if not plain or len(plain) < len(names):
                reason = "the tables that it runs on are named by a pattern"
                yield unread(Item(place, "", None), "template", reason, self.where)
                continue
            for name in plain:
                yield from self.check(item, place, name, None)

    def check(self, item: Json, place: str, table: str, part: str | None) -> Iterator[Found]:
        bare = Item(place, "", table)
        parted = _parted(item)
        if parted is None:
            yield unread(bare, "malformed", "it is neither a check nor one with settings",
                         self.where)  # fmt: skip
            return
        text, config = parted
        on = On(table, self.setting, "soda", self.values)
        if text in ("schema", "schema:"):
            for named, read in schema_checks(on, config, bare):
                yield rule(named, read, self.where)
            return
        for asked, action in self._levels(text, config, on):
            name = config.get("name")
            named = replace(
                bare,
                name=name if isinstance(name, str) and name else asked.default_name(),
                columns=asked.columns,
                action=action,
                tags=_tags(config),
            )
            yield rule(named, lambda asked=asked: self._read(asked, part), self.where)  # type: ignore[misc]

    def _levels(
        self, text: str, config: Mapping[str, Json], on: On
    ) -> Iterator[tuple[Asked, Action]]:
        """`warn: when …` and `fail: when …` are rules of their own."""
        rest = {key: value for key, value in config.items() if key not in _SHOWN}
        levels = {key: rest.pop(key) for key in ("warn", "fail") if key in rest}
        asked = Asked.of(text, rest, on)
        column = asked.columns[0] if asked.columns else ""
        asked = replace(asked, config={**self.defaults.get((on.table, column), {}), **rest})
        if not levels:
            yield asked, "fail"
        for level, when in levels.items():
            words = str(when).removeprefix("when").strip()
            limit = threshold(words)
            told = replace(asked, limit=limit.negated() if limit else None, said=f"{text} {words}")
            yield told, ("warn" if level == "warn" else "fail")

    def _read(self, asked: Asked, part: str | None) -> Checked:
        found = read_check(asked)
        if part is None:
            return found
        where = self.filters.get((asked.on.table, part))
        if where is None:
            raise Unreadable("template", f"the filter [{part}] of {asked.on.table} is not stated")
        if found.scope is not None:
            raise Unreadable("unsupported_query", "a filter of the check and of the table")
        return asked.on.limited(found, where, load=True)


def _parted(item: Json) -> tuple[str, Mapping[str, Json]] | None:
    if isinstance(item, str):
        return item.strip(), {}
    if isinstance(item, dict) and len(item) == 1:
        text, config = next(iter(item.items()))
        if config is None:
            return str(text).strip(), {}
        if isinstance(config, dict):
            return str(text).strip(), config
    return None


def _tags(config: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    found = config.get("attributes")
    given = found if isinstance(found, dict) else {}
    return tuple((str(k), str(v)) for k, v in given.items() if isinstance(v, str | int))
