"""A regular expression of Python as a tree that keeps the author's own text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias


class NotRead(Exception):
    """The pattern is not one that we can read; the message says why, in a few words."""


@dataclass(frozen=True, slots=True)
class Char:
    """One character; `raw` is how the author wrote it."""

    raw: str
    code: int
    flags: int


@dataclass(frozen=True, slots=True)
class Dot:
    flags: int


@dataclass(frozen=True, slots=True)
class Shorthand:
    """`letter` is one of d D s S w W."""

    letter: str
    flags: int


@dataclass(frozen=True, slots=True)
class Span:
    """A range in a class, both ends included."""

    low: Char
    high: Char


Item: TypeAlias = Char | Span | Shorthand


@dataclass(frozen=True, slots=True)
class CharClass:
    negated: bool
    items: tuple[Item, ...]
    flags: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """`sign` is one of ^ $ A Z b B; the letters are written with a backslash."""

    sign: str
    flags: int


@dataclass(frozen=True, slots=True)
class Backref:
    number: int
    name: str | None
    flags: int


GroupKind: TypeAlias = Literal["capture", "plain", "atomic", "=", "!", "<=", "<!"]


@dataclass(frozen=True, slots=True)
class Group:
    """`added` and `dropped` are the flags of `(?i-s:…)`."""

    kind: GroupKind
    branches: Branches
    name: str | None = None
    added: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Repeat:
    """`high` None: without end. `mode` is `` (greedy), `?` (lazy) or `+` (possessive)."""

    item: Node
    low: int
    high: int | None
    mode: str
    raw: str


Node: TypeAlias = Char | Dot | Shorthand | CharClass | Anchor | Backref | Group | Repeat
Sequence: TypeAlias = tuple[Node, ...]
Branches: TypeAlias = tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """`flags` are those of the whole pattern, inline ones included."""

    branches: Branches
    flags: int


def walk(branches: Branches) -> Iterator[Node]:
    """Every node, outer ones first; the items of a class are not nodes."""
    for sequence in branches:
        for node in sequence:
            yield from _inside(node)


def _inside(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Repeat):
        yield from _inside(node.item)
    elif isinstance(node, Group):
        yield from walk(node.branches)


def least_width(node: Node) -> int:
    """The fewest characters that a match of the node can take."""
    if isinstance(node, Repeat):
        return node.low * least_width(node.item)
    if isinstance(node, Group):
        if node.kind in ("=", "!", "<=", "<!"):
            return 0
        return min(sum(map(least_width, sequence)) for sequence in node.branches)
    return 0 if isinstance(node, Anchor | Backref) else 1
