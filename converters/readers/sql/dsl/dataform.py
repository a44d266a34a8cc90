"""Dataform: the assertions of a table's configuration, and assertions that are queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.readers.sql.dsl.build import On
from ruleferry.converters.readers.sql.dsl.item import Item, Listed, rule, unread
from ruleferry.converters.readers.sql.dsl.js_object import Computed, Value, read_object
from ruleferry.converters.readers.sql.dsl.nodes import Place
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.rule import NotARule

_CONFIG = re.compile(r"^[ \t]*config\s*(?=\{)", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*(?:js|pre_operations|post_operations)\s*(?=\{)", re.MULTILINE)
_LISTS = ("nonNull", "rowConditions", "uniqueKeys")


def is_dataform(text: str, file: str) -> bool:
    return file.lower().endswith(".sqlx") and _CONFIG.search(text) is not None


def read_dataform(
    text: str, file: str, setting: Setting, values: Mapping[str, object] | None = None
) -> Listed:
    """The table is that of the configuration, else the file's stem."""
    match = _CONFIG.search(text)
    config = read_object(text, match.end()) if match else None
    if match is None or config is None or not isinstance(config.plain, dict):
        item = Item("config", "", None)
        return (unread(item, "not_readable", "its config { … } can't be read", {}),), {}
    given = config.plain
    stem = PurePosixPath(file.replace("\\", "/")).stem
    name = _text(given.get("name")) or stem
    retired = "it is switched off (disabled: true)" if _is_true(given.get("disabled")) else ""
    file_of = _File(text, setting, values or {}, name, _table(given, name), retired)
    rest = _query(text, config.end)
    if _text(given.get("type")) == "assertion":
        return (file_of.assertion(rest),), {"assertion": 1}
    founds = tuple(file_of.assertions(given.get("assertions")))
    lengths = {**_lengths(given.get("assertions")), "query": 1}
    return (*founds, file_of.load(rest)), lengths


def _text(value: Value | None) -> str:
    return value.plain if value is not None and isinstance(value.plain, str) else ""


def _is_true(value: Value | None) -> bool:
    return value is not None and value.plain is True


def _table(given: Mapping[str, Value], name: str) -> str | None:
    """None where a part of it is computed."""
    parts = [given.get(key) for key in ("database", "schema")]
    if any(part is not None and not isinstance(part.plain, str) for part in parts):
        return None
    if "name" in given and not isinstance(given["name"].plain, str):
        return None
    return ".".join([*(_text(part) for part in parts if part is not None), name])


def _query(text: str, start: int) -> Place:
    """What follows the configuration, blanks left out."""
    rest = text[start:]
    return Place(start + len(rest) - len(rest.lstrip()), start + len(rest.rstrip()))


def _lengths(assertions: Value | None) -> Mapping[str, int]:
    if assertions is None or not isinstance(assertions.plain, dict):
        return {}
    found = {}
    for key, value in assertions.plain.items():
        listed = value.plain if key in _LISTS else None
        found[f"config.assertions.{key}"] = len(listed) if isinstance(listed, list) else 1
    return found


@dataclass(frozen=True, slots=True)
class _File:
    text: str
    setting: Setting
    values: Mapping[str, object]
    name: str
    table: str | None
    retired: str

    @property
    def on(self) -> On:
        return On(self.table or "", self.setting, "dataform", self.values)

    def load(self, place: Place) -> Found:
        """The query that makes the table."""
        reason = "the query that makes the table; what its assertions say is read by itself"
        checked = Checked(NotARule(reason), "predicate", self.table)
        return Found(checked, place.start, place.end, part="query")

    # A query of bad records -----------------------------------------------------------------------

    def assertion(self, place: Place) -> Found:
        item = Item("assertion", self.name, None, retired=self.retired)
        return rule(item, lambda: self._bad_rows(place), {"assertion": place})

    def _bad_rows(self, place: Place) -> Checked:
        query = self.text[place.start : place.end].rstrip("; \n\t")
        if not query:
            raise Unreadable("malformed", "no query follows its configuration")
        if _BLOCK.search(query):
            raise Unreadable("template", "a block of code stands beside its query")
        prepared = prepare(query, self.setting.dialect, "dataform", self.values)
        tree = parse_statement(prepared.text, self.setting.dialect)
        return bad_rows(tree, replace(self.setting, macros=prepared.macros))

    # The configuration ----------------------------------------------------------------------------

    def assertions(self, value: Value | None) -> Iterator[Found]:
        if value is None:
            return
        if not isinstance(value.plain, dict):
            yield self._gap("config.assertions", value, "its assertions are computed")
            return
        for key, given in value.plain.items():
            place = f"config.assertions.{key}"
            read = _READERS.get(key)
            if read is None:
                yield self._gap(place, given, f"the assertion {key} is not known")
            elif key in _LISTS and isinstance(given.plain, list):
                for index, item in enumerate(given.plain):
                    yield self._item(read, key, item, f"{place}[{index}]", index + 1)
            else:
                yield self._item(read, key, given, place, 0)

    def _gap(self, place: str, value: Value, reason: str) -> Found:
        item = Item(place, "", self.table, retired=self.retired)
        return unread(item, "unknown_shape", reason, {place: Place(value.start, value.end)})

    def _item(self, read: _Read, key: str, value: Value, place: str, number: int) -> Found:
        told = value.plain if key == "nonNull" and isinstance(value.plain, str) else ""
        words = [self.name, _NAMES[key], *([told] if told else [str(number)] if number else [])]
        columns = (told,) if told else ()
        item = Item(place, "_".join(words), self.table, columns, retired=self.retired)
        where = {place: Place(value.start, value.end)}
        return rule(item, lambda: self._checked(read, value), where)

    def _checked(self, read: _Read, value: Value) -> Checked:
        if self.table is None:
            raise Unreadable("template", "the name of its table is computed")
        return read(self.on, value)


_Read = Callable[[On, Value], Checked]


def _unique(on: On, value: Value) -> Checked:
    """It groups by the key, and a missing value is one like others."""
    return on.unique(_strings(value), "never")


def _strings(value: Value) -> Sequence[str]:
    listed = value.plain if isinstance(value.plain, list) else [value]
    found = [item.plain for item in listed]
    if not found or not all(isinstance(name, str) and name for name in found):
        raise Unreadable(_code(found), "names of columns were expected, as texts")
    return [str(name) for name in found]


def _code(found: Sequence[object]) -> str:
    return "template" if any(isinstance(one, Computed) for one in found) else "malformed"


def _string(value: Value) -> str:
    if not isinstance(value.plain, str):
        raise Unreadable(_code([value.plain]), "a text was expected")
    return value.plain


_READERS: Mapping[str, _Read] = {
    "uniqueKey": _unique,
    "uniqueKeys": _unique,
    "nonNull": lambda on, value: on.present(_string(value)),
    "rowConditions": lambda on, value: on.condition(_string(value)),
}
_NAMES = {
    "uniqueKey": "unique_key",
    "uniqueKeys": "unique_key",
    "nonNull": "non_null",
    "rowConditions": "row_condition",
}
