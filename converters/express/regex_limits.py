"""What Python patterns can say and java.util.regex can't, or says with another verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from ruleferry.converters.express.regex_tree import (
    Anchor,
    Backref,
    Branches,
    Char,
    CharClass,
    Group,
    Node,
    NotRead,
    Read,
    Repeat,
    Sequence,
    Span,
    least_width,
    walk,
)

_MOST = 2**31 - 1  # Java's greatest repetition
_DEEP = 50  # repetitions of a group that Java needs no deep stack for


def check(found: Read) -> None:
    """Raises NotRead where there is no Java pattern with the same verdict."""
    for node in walk(found.branches):
        if isinstance(node, Repeat):
            _check_repeat(node)
        elif isinstance(node, Backref) and node.flags & re.IGNORECASE:
            raise NotRead("Python and Java compare a repeated group differently under (?i)")
        elif isinstance(node, Group) and node.kind in ("<=", "<!"):
            _check_behind(node)
        if any(0xD800 <= char.code <= 0xDFFF for char in chars(node)):
            raise NotRead("it holds half a character (a surrogate)")
    _taken_part(found.branches, frozenset(), count(1))


def _check_behind(node: Group) -> None:
    if any(isinstance(inner, Backref) for inner in walk(node.branches)):
        raise NotRead("Java allows no reference to a group in a look-behind")


def _check_repeat(node: Repeat) -> None:
    if max(node.low, node.high or 0) > _MOST:
        raise NotRead("it repeats more often than Java can count")
    # Java ends a loop with its first empty turn, Python goes on until it has `low` turns.
    if node.low > 1 and least_width(node.item) == 0 and any(map(_fixes_place, _within(node))):
        raise NotRead("Python and Java repeat a match of nothing differently")


def _within(node: Repeat) -> Iterator[Node]:
    return walk(((node.item,),))


def _fixes_place(node: Node) -> bool:
    """It may match nothing here and not there, so that the order of turns counts."""
    if isinstance(node, Group):
        return node.kind not in ("capture", "plain")
    return isinstance(node, Anchor | Backref) or (isinstance(node, Repeat) and node.mode == "+")


def chars(node: Node) -> Iterator[Char]:
    """The characters that the node states, the ends of ranges included."""
    if isinstance(node, Char):
        yield node
    elif isinstance(node, CharClass):
        for item in node.items:
            if isinstance(item, Span):
                yield from (item.low, item.high)
            elif isinstance(item, Char):
                yield item


def _taken_part(branches: Branches, before: frozenset[int], numbers: count[int]) -> frozenset[int]:
    """The groups that have matched for certain after the branches, which have one way only.

    Raises NotRead at a reference to another group: the engines differ in what is left of a
    group that was tried and given up.
    """
    after = [_along(sequence, before, numbers) for sequence in branches]
    return after[0] if len(after) == 1 else before


def _along(sequence: Sequence, before: frozenset[int], numbers: count[int]) -> frozenset[int]:
    for node in sequence:
        before = _past(node, before, numbers)
    return before


def _past(node: Node, before: frozenset[int], numbers: count[int]) -> frozenset[int]:
    if isinstance(node, Backref) and node.number not in before:
        raise NotRead("it refers to a group that may not have taken part in the match")
    if isinstance(node, Repeat):
        _past(node.item, before, numbers)
    elif isinstance(node, Group):
        own = {next(numbers)} if node.kind == "capture" else set()
        after = _taken_part(node.branches, before, numbers)
        if node.kind in ("capture", "plain"):
            return after | own
    return before


def runs_deep(branches: Branches) -> bool:
    """Java takes a stack frame or more for each turn of a group whose length is not fixed.

    Measured with a stack of 1 MB: from about 1,000 turns on it ends in a StackOverflowError.
    """
    return any(
        isinstance(node, Repeat)
        and node.mode != "+"
        and (node.high is None or node.high > _DEEP)
        and isinstance(node.item, Group)
        and any(map(_varies, _within(node)))
        for node in walk(branches)
    )


def _varies(node: Node) -> bool:
    if isinstance(node, Group):
        return len(node.branches) > 1
    return isinstance(node, Repeat) and node.low != node.high
