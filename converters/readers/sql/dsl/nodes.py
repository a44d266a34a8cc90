"""Where the values of a YAML text stand, and how long its lists are: the second count.

It walks the nodes of the text itself, with anchors and merges, and knows nothing of any tool.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml import MappingNode, Node

_LAST = re.compile(r"(?:\.[^.\[\]]*|\[\d+\])\Z")


@dataclass(frozen=True, slots=True)
class Place:
    """`start`, `end` in characters of the text; `items`: of a list, how many; `depth` from 0."""

    start: int
    end: int
    items: int | None = None
    depth: int = 0


def places(text: str) -> Mapping[str, Place]:
    """Path -> place: `models[0].columns[1].tests`. The text has been read by `parse_yaml`."""
    import yaml

    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return {}
    if node is None:
        return {}
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r|\x85|\u2028|\u2029", text))]
    return dict(_Walk(starts, len(text)).of(node, "", 0))


@dataclass(frozen=True, slots=True)
class _Walk:
    """`starts`: where the lines of the text begin."""

    starts: list[int]
    length: int

    def of(self, node: Node, path: str, depth: int) -> Iterator[tuple[str, Place]]:
        import yaml

        items = len(node.value) if isinstance(node, yaml.SequenceNode) else None
        yield path, Place(self.at(node.start_mark), self.at(node.end_mark), items, depth)
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                yield from self.of(item, f"{path}[{index}]", depth + 1)
        elif isinstance(node, yaml.MappingNode):
            for key, inner in _pairs(node).items():
                yield from self.of(inner, f"{path}.{key}" if path else key, depth + 1)

    def at(self, mark: object) -> int:
        line, column = getattr(mark, "line", 0), getattr(mark, "column", 0)
        return min(
            self.starts[line] + column if line < len(self.starts) else self.length, self.length
        )


def _pairs(node: MappingNode) -> dict[str, Node]:
    """With what is merged in (<<), which its own keys replace."""
    import yaml

    own: dict[str, Node] = {}
    merged: dict[str, Node] = {}
    for key, inner in node.value:
        if key.value == "<<" and not key.style:
            parts = inner.value if isinstance(inner, yaml.SequenceNode) else [inner]
            for part in reversed(parts):
                merged |= _pairs(part) if isinstance(part, yaml.MappingNode) else {}
        else:
            own[str(key.value)] = inner
    return merged | own


def place_of(path: str, found: Mapping[str, Place]) -> Place:
    """Of the value itself, else of what is around it."""
    while path not in found and (shorter := _LAST.sub("", path)) != path:
        path = shorter
    return found.get(path) or found.get("") or Place(0, 0)


def lists(found: Mapping[str, Place], wanted: Callable[[str, Place], bool]) -> Mapping[str, int]:
    """The lists that are wanted, with their lengths."""
    return {
        path: place.items
        for path, place in found.items()
        if place.items is not None and wanted(path, place)
    }
