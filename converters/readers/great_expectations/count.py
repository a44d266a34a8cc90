"""The second count: how many expectations a file's text holds, by other means than the reader.

For JSON it walks the tokens of the text and counts the elements of the lists that its form has;
it shares nothing with the reader, so that a reader's bug can't hide itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.yaml_text import events

if TYPE_CHECKING:
    from yaml import Event

# Where the lists of each form are; * is any one key or index.
LISTS: Mapping[str, tuple[str, ...]] = {
    "suite": ("expectations",),
    "result": ("results",),
    "checkpoint result": ("run_results", "*", "validation_result", "results"),
    "description": ("validation_results", "*", "expectations"),
}
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
_END = re.compile(r"\s*\]")
# A bracket or a comma, after whatever stands before it.
_SIGN = re.compile(r'(?:[^"\[\]{},]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{},])', re.DOTALL)
_NAME = re.compile(r"(?:unexpected_rows_expectation|expect_[a-z]|Expect[A-Z]|UnexpectedRows)")


def count_expectations(text: str, form: str = "suite") -> int | None:
    """Elements of the lists of a form; None where there is no such list."""
    path = LISTS[form]
    keys: list[str] = []  # of the collections that are open; * in a list
    key = previous = ""
    total: int | None = None
    at = 0
    while match := _TOKEN.search(text, at):
        token, at = match.group(), match.end()
        if token == ":":
            key = previous
        elif token == "[" and previous == ":" and _is_at(path, keys, key):
            counted, at = _elements(text, at)
            total = (total or 0) + counted
            if "*" not in path:
                return total
            token = "]"
        elif token in "[{":
            keys.append(key if previous == ":" else "*")
        elif token in "]}":
            keys.pop()
        previous = token
    return total


def _is_at(path: tuple[str, ...], keys: list[str], key: str) -> bool:
    """Whether the list under `key`, in the open collections, is one of the form's."""
    if len(keys) != len(path):  # the document itself is open, too
        return False
    written = [*keys[1:], key]
    return all(want in ("*", _unquoted(found)) for want, found in zip(path, written, strict=True))


def _unquoted(key: str) -> str:
    return str(json.loads(key)) if "\\" in key else key[1:-1]


def _elements(text: str, start: int) -> tuple[int, int]:
    """Commas at the list's own depth, plus one unless it is empty; and where the list ends."""
    if empty := _END.match(text, start):
        return 0, empty.end()
    depth, commas, end = 0, 0, start
    for found in _SIGN.finditer(text, start):
        sign = found[1]
        if sign == ",":
            commas += depth == 0
        elif sign in "[{":
            depth += 1
        elif depth == 0:
            end = found.end()
            break
        else:
            depth -= 1
    return commas + 1, end


# Other forms --------------------------------------------------------------------------------------


def count_items(document: Json) -> int:
    """Items of the lists and objects that name an expectation, in data of any form."""
    total = int(_is_named(document))
    open_nodes = [document]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, list):
            total += len(node) if any(map(_is_named, node)) else 0
            open_nodes += node
        elif isinstance(node, dict):
            inner = _beside_arguments(node) if _is_named(node) else node
            total += sum(_is_item(key, value) for key, value in inner.items())
            open_nodes += [v for k, v in inner.items() if _is_named(v) or not _is_item(k, v)]
    return total


def _is_item(key: str, value: Json) -> bool:
    """Named by itself, or by its key."""
    named = _NAME.match(key) and (value is None or isinstance(value, dict | list))
    return bool(named) or _is_named(value)


def _beside_arguments(node: Mapping[str, Json]) -> Mapping[str, Json]:
    if len(node) == 1:
        return {}
    return {key: value for key, value in node.items() if key not in ("kwargs", "meta")}


def _is_named(node: Json) -> bool:
    if not isinstance(node, dict):
        return False
    names = [node.get(key) for key in ("type", "expectation_type", "expectation")]
    names += list(node) if len(node) == 1 else []
    return any(isinstance(name, str) and _NAME.match(name.strip()) for name in names)


def count_in_yaml(text: str) -> int:
    """Items of the list under the top-level key `expectations`, by the parser's events."""
    import yaml

    depth, items, key, inside = 0, 0, "", False
    keys = 0  # scalars and collections that the top-level object has begun
    for event in events(text):
        if depth == 0 and isinstance(event, yaml.SequenceStartEvent):
            return 0
        starts = isinstance(event, yaml.CollectionStartEvent)
        ends = isinstance(event, yaml.CollectionEndEvent)
        if depth == 1 and not ends and _is_node(event):
            if keys % 2 == 0:
                key = getattr(event, "value", "")
            inside = keys % 2 == 1 and key == "expectations" and starts
            keys += 1
        elif depth == 2 and inside and not ends and _is_node(event):
            items += 1
        depth += starts - ends
    return items


def _is_node(event: Event) -> bool:
    import yaml

    return isinstance(event, yaml.NodeEvent)
