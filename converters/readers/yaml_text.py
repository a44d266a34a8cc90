"""YAML as a source: read as data alone, no key twice, no tag, and no anchor that swells.

Scalars are those of YAML 1.2, which Great Expectations reads its own files as. Where YAML 1.1,
the default of other Python readers, takes a plain scalar for something else, it is `Doubtful`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from ruleferry.converters.readers.json_text import Json, Malformed, exact_number

if TYPE_CHECKING:
    from yaml import Event, MappingNode, Node, SequenceNode

_CORE = "tag:yaml.org,2002:"
_MERGE = "<<"
_NULL = re.compile(r"(?:~|null|Null|NULL)?\Z")
_TRUTH = dict.fromkeys(("true", "True", "TRUE"), True)
_TRUTH |= dict.fromkeys(("false", "False", "FALSE"), False)
_INT = re.compile(r"[-+]?\d+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?\Z")
# What the two versions read differently, and what it may have been meant as.
_DOUBTFUL = (
    (re.compile(r"(?:yes|no|on|off|y|n)\Z", re.IGNORECASE), "true or false"),
    (re.compile(r"\d{4}-\d\d?-\d\d?(?:[Tt \t].*)?\Z"), "a date"),
    (re.compile(r"[-+]?0\d+\Z"), "an octal number"),
    (re.compile(r"[-+]?0b[01_]+\Z|[-+]?\d[\d_]*_[\d_]*(?:\.\d*)?\Z"), "a number"),
    (re.compile(r"[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?\Z"), "a number to the base 60"),
    (re.compile(r"[-+]?\d+(?:\.\d*)?[eE]\d+\Z|[-+]?\d+[eE][-+]?\d+\Z"), "a text or a number"),
)
_DEEP = 100
# A document may hold so many values a character that is written, once its anchors are put in.
_SWELLS = 10
_SMALL = 10_000


class Doubtful(str):
    """A plain scalar that another version of YAML takes for `meant`."""

    __slots__ = ("meant",)
    meant: str

    def __new__(cls, text: str, meant: str) -> Doubtful:
        made = super().__new__(cls, text)
        made.meant = meant
        return made


def parse_yaml(text: str) -> Json:
    """The one document of a text. Raises Malformed, which names line and column."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    _refuse_depth(text)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "line 1"
        raise Malformed(place, f"text that is no YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise Malformed("line 1", f"text that is no YAML: {error}".split("\n")[0]) from None
    return None if node is None else _Reader().document(node, len(text))


def events(text: str) -> Iterator[Event]:
    """The stream of a text that `parse_yaml` has read."""
    import yaml

    return yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _refuse_depth(text: str) -> None:
    """Before the tree is built: the parser itself follows any depth, and Python does not."""
    import yaml

    depth = 0
    try:
        for event in events(text):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEP:
                raise _fault(event, f"YAML that is nested more than {_DEEP} deep")
    except yaml.YAMLError:
        return  # told by the parser


@dataclass(slots=True)
class _Reader:
    """One document; a node that an anchor repeats is read once and shared."""

    read: dict[int, Json] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)

    def document(self, node: Node, length: int) -> Json:
        found = self.value(node)
        size = self.sizes[id(node)]
        if size > max(_SMALL, _SWELLS * length):
            raise _fault(node, f"anchors that swell {length:,} characters to {size:,} values")
        return found

    def value(self, node: Node) -> Json:
        key = id(node)
        if key in self.open:
            raise _fault(node, "an anchor that holds itself")
        if key not in self.read:
            self.open.add(key)
            self.read[key], self.sizes[key] = self._made(node)
            self.open.remove(key)
        return self.read[key]

    def _made(self, node: Node) -> tuple[Json, int]:
        import yaml

        if isinstance(node, yaml.SequenceNode):
            return self._list(node)
        if isinstance(node, yaml.MappingNode):
            return self._object(node)
        return _scalar(node), 1

    def _list(self, node: SequenceNode) -> tuple[Json, int]:
        _refuse_tag(node, "seq")
        values = [self.value(item) for item in node.value]
        return values, 1 + sum(self.sizes[id(item)] for item in node.value)

    def _object(self, node: MappingNode) -> tuple[Json, int]:
        _refuse_tag(node, "map")
        own: dict[str, Json] = {}
        merged: dict[str, Json] = {}
        size = 1
        for key, inner in node.value:
            name = _key(key)
            value = self.value(inner)
            size += 1 + self.sizes[id(inner)]
            if name == _MERGE and not key.style:
                merged |= _merge(value, inner)
            elif name in own:
                raise _fault(key, f'the key "{name}" twice in one object')
            else:
                own[name] = value
        return merged | own, size


def _merge(value: Json, node: Node) -> dict[str, Json]:
    """`<<: *defaults`, or a list of such, the first of which wins."""
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, dict) for part in parts):
        raise _fault(node, "a merge (<<) of something that is no object")
    return {k: v for part in reversed(parts) for k, v in part.items()}


def _key(node: Node) -> str:
    if isinstance(node.value, list):
        raise _fault(node, "a key that is no single value")
    return str(node.value)


def _scalar(node: Node) -> Json:
    text: str = node.value
    if getattr(node, "style", None):
        _refuse_tag(node, "str")
        return text
    if node.tag != _implicit_tag(text):  # a tag that somebody wrote
        _refuse_tag(node, "str")
        return text
    return _plain(text, node)


@lru_cache(maxsize=10_000)
def _implicit_tag(text: str) -> str:
    """The tag that the parser gives to a plain scalar."""
    import yaml

    resolver = yaml.resolver.Resolver()
    return str(resolver.resolve(yaml.ScalarNode, text, (True, False)))  # type: ignore[no-untyped-call]


def _plain(text: str, node: Node) -> Json:
    if _NULL.match(text):
        return None
    if text.lower().lstrip("+-") in (".inf", ".nan"):
        return float(text.replace(".", ""))
    if text in _TRUTH:
        return _TRUTH[text]
    for shape, meant in _DOUBTFUL:
        if shape.match(text):
            return Doubtful(text, meant)
    if _BASED.match(text):
        return int(text, 0)
    if _INT.match(text) or _FLOAT.match(text):
        return _number(text, node)
    return text


def _number(text: str, node: Node) -> Json:
    try:
        return int(text) if _INT.match(text) else exact_number(text)
    except (ValueError, ArithmeticError):
        raise _fault(node, "a number too long to be read") from None


def _refuse_tag(node: Node, kind: str) -> None:
    if node.tag != f"{_CORE}{kind}":
        raise _fault(node, f"the tag {node.tag}, which asks for more than data")


def _fault(node: Node | Event, found: str) -> Malformed:
    mark = node.start_mark
    place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "line 1"
    return Malformed(place, found)
