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
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
_TABLES = ("table", "table_name", "data_asset_name")


def lists_of(document: Json, file: str) -> tuple[RuleSet, ...]:
    """One rule set a list; empty where nothing names an expectation."""
    return tuple(_lists({"": document} if _names_one(document) else document, file, "", None))


def _lists(node: Json, file: str, place: str, table: str | None) -> Iterator[RuleSet]:
    if isinstance(node, dict):
        table = next((found for key in _TABLES if (found := text(node, key))), table)
        named = {_joined(place, k): item for k, item in node.items() if _names_one(item)}
        if named:
            yield _rule_set(list(named.values()), list(named), file, table)
        for key, inner in node.items():
            if not _names_one(inner):
                yield from _lists(inner, file, _joined(place, key), table)
    elif isinstance(node, list):
        places = [f"{place}[{i}]" for i in range(len(node))]
        if any(_names_one(item) for item in node):
            yield _rule_set(node, places, file, table)
        else:
            for inner, at in zip(node, places, strict=True):
                yield from _lists(inner, file, at, table)


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key or "document"


def _rule_set(items: list[Json], places: list[str], file: str, table: str | None) -> RuleSet:
    return RuleSet(
        kind="list",
        file=file,
        name=_name(places[0]) or PurePosixPath(file).stem,
        elements=[_element(item) for item in items],
        stated=items,
        places=places,
        table=table,
    )


def _name(place: str) -> str | None:
    """The last key above the list that is no word for a list: `orders.checks[0]` is of orders."""
    keys = [key for key in re.split(r"\[\d+\]\.?|\.", place)[:-1] if key]
    return next((key for key in reversed(keys) if key.lower() not in _LISTS), None)


def _names_one(item: Json) -> bool:
    return isinstance(item, dict) and any(NAMES.match(name) for name in _stated_names(item))


def _stated_names(item: Mapping[str, Json]) -> Iterator[str]:
    yield from (name for key in _TYPES if (name := text(item, key)))
    if len(item) == 1:
        yield from item


def _element(item: Json) -> Json:
    """The item with `type` (or `expectation_type`) and `kwargs`, as a suite states it."""
    if not isinstance(item, dict) or not _names_one(item):
        return item
    if len(item) == 1:
        (name, kwargs), *_ = item.items()
        return _typed("expectation_type", name) | {"kwargs": {} if kwargs is None else kwargs}
    key = next(key for key in _TYPES if NAMES.match(text(item, key)))
    about = {k: value for k, value in item.items() if k in KEYS and k != key}
    kwargs = {k: value for k, value in item.items() if k not in KEYS and k != key}
    typed = _typed("type" if key == "type" else "expectation_type", text(item, key))
    return typed | ({"kwargs": kwargs} if "kwargs" not in item else kwargs) | about


def _typed(key: str, name: str) -> dict[str, Json]:
    """A class, which only 1.x has, by the name of its type."""
    if not name.startswith(("Expect", "Unexpected")):
        return {key: name}
    return {"type": re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()}
