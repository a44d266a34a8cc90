"""Lists of expectations in files that Great Expectations itself never wrote: contracts, configs.

A list counts where one of its items names an expectation, `expect_…` or a class `Expect…`:

    orders:
      table: sales.orders
      checks:
        - expectation_type: expect_column_values_to_not_be_null
          kwargs: {column: o_orderkey}
        - type: ExpectColumnValuesToBeBetween
          column: o_totalprice
          min_value: 0
        - expect_column_to_exist: {column: o_clerk}

or an object of such names, each with its arguments:

    orders:
      expect_column_values_to_not_be_null: {column: o_orderkey}
      expect_column_values_to_be_unique: {column: o_orderkey}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ruleferry.converters.readers.great_expectations.data import text
from ruleferry.converters.readers.great_expectations.expectation import KEYS, TYPE_KEYS
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.json_text import Json

NAMES = re.compile(r"expect_[a-z]|Expect[A-Z]|unexpected_rows_expectation\Z|UnexpectedRows")
_TYPES = (*TYPE_KEYS, "expectation")
# Words for a list of rules, which name nothing.
_LISTS = frozenset(
    ("expectations", "checks", "rules", "tests", "validations", "suites", "datasets", "tables",
     "expectation_suites", "document")
)  # fmt: skip
_COLUMNS = frozenset(("columns", "column", "fields"))
_NAMES = ("expectation_suite_name", "suite_name", "suite", "name", "dataset")
_TABLES = ("table", "table_name", "data_asset_name")


def lists_of(document: Json, file: str) -> tuple[RuleSet, ...]:
    """One rule set a list; empty where nothing names an expectation."""
    whole = {"": document} if _names_one(document) else document
    return tuple(_lists(whole, _Around(file, PurePosixPath(file).stem), ""))


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a list: the table and the name of what it is about.

    `of_columns`: it is below the columns of that, and keys and names are those of columns.
    """

    file: str
    name: str
    table: str | None = None
    of_columns: bool = False

    def within(self, node: Mapping[str, Json]) -> _Around:
        """What an object says itself."""
        table = next((found for key in _TABLES if (found := text(node, key))), self.table)
        named = next((found for key in _NAMES if (found := text(node, key))), "")
        return replace(self, table=table, name=self.name if self.of_columns else named or self.name)

    def below(self, key: str) -> _Around:
        """What a key says of what stands below it."""
        if key.lower() in _COLUMNS:
            return replace(self, of_columns=True)
        if self.of_columns or not key or key.lower() in _LISTS:
            return self
        return replace(self, name=key)


def _lists(node: Json, around: _Around, place: str) -> Iterator[RuleSet]:
    if isinstance(node, dict):
        around = around.within(node)
        named = {_joined(place, k): item for k, v in node.items() if (item := _item(k, v))}
        if named:
            yield _rule_set(list(named.values()), list(named), around)
        for key, inner in node.items():
            at = _joined(place, key)
            if item := _item(key, inner):
                yield from _within(item, around, at)
            else:
                yield from _lists(inner, around.below(key), at)
    elif isinstance(node, list):
        places = [f"{place}[{i}]" for i in range(len(node))]
        if any(_names_one(item) for item in node):
            yield _rule_set(node, places, around)
        for inner, at in zip(node, places, strict=True):
            yield from (
                _within(inner, around, at) if _names_one(inner) else _lists(inner, around, at)
            )


def _item(key: str, value: Json) -> Json:
    """What an object holds under a key, where it names an expectation: itself, or by its key."""
    if _names_one(value):
        return value
    arguments = value is None or isinstance(value, dict | list)
    return {key: value} if arguments and NAMES.match(key) else None


def _within(item: Json, around: _Around, place: str) -> Iterator[RuleSet]:
    """Lists that stand in an expectation, beside its own arguments."""
    if isinstance(item, dict) and len(item) > 1:
        own = ("kwargs", "meta")
        inner = {k: v for k, v in item.items() if k not in own and isinstance(v, dict | list)}
        yield from _lists(inner, around, place)


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key or "document"


def _rule_set(items: list[Json], places: list[str], around: _Around) -> RuleSet:
    return RuleSet(
        kind="list",
        file=around.file,
        name=around.name,
        elements=[in_form_of_suite(item) for item in items],
        stated=items,
        places=places,
        table=around.table,
    )


def names_one(element: Json) -> bool:
    """An element of a list that is one of expectations: an object or a bare name."""
    if isinstance(element, str):
        return bool(NAMES.match(element)) and " " not in element
    return _names_one(element)


def _names_one(item: Json) -> bool:
    return isinstance(item, dict) and any(NAMES.match(name) for name in _stated_names(item))


def _stated_names(item: Mapping[str, Json]) -> Iterator[str]:
    yield from (name for key in _TYPES if (name := text(item, key)))
    if len(item) == 1:
        yield from item


def in_form_of_suite(item: Json) -> Json:
    """The item with `type` (or `expectation_type`) and `kwargs`, as a suite states it."""
    if not isinstance(item, dict) or not _names_one(item):
        return item
    if len(item) == 1 and not item.keys() & set(_TYPES):
        (name, kwargs), *_ = item.items()
        return _typed("expectation_type", name) | {"kwargs": {} if kwargs is None else kwargs}
    key = next(key for key in _TYPES if NAMES.match(text(item, key)))
    about = {k: value for k, value in item.items() if k in KEYS and k != key}
    kwargs = {k: value for k, value in item.items() if k not in KEYS and k != key}
    typed = _typed("type" if key == "type" else "expectation_type", text(item, key))
    found = typed | ({"kwargs": kwargs} if "kwargs" not in item else kwargs) | about
    return item if found == item else found  # in the author's own order


def _typed(key: str, name: str) -> dict[str, Json]:
    """A class, which only 1.x has, by the name of its type."""
    if not name.startswith(("Expect", "Unexpected")):
        return {key: name}
    return {"type": re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()}
