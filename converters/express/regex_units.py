"""Java counts UTF-16 units where it looks back and where it starts to search, Python characters.

A character beyond U+FFFF (an emoji, a rare script) is two units. These functions say where a
pattern meets the difference; everywhere else Java takes such a character whole.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from ruleferry.converters.express.regex_tree import (
    Anchor,
    Branches,
    Char,
    CharClass,
    Dot,
    Group,
    Item,
    Node,
    Sequence,
    Shorthand,
    Span,
    least_width,
    walk,
)

# Which characters beyond U+FFFF a node takes. "some" takes no half of one; "mixed" may.
Reach: TypeAlias = Literal["none", "all", "some", "mixed"]


def takes_two_units(sequence: Sequence) -> bool:
    r"""A look-behind on one character such as \w or \d: Java finds it whole with {1,2}."""
    return len(sequence) == 1 and _reach(sequence[0]) == "some"


def counts_units(branches: Branches) -> bool:
    """The verdict on text with characters beyond U+FFFF may differ."""
    nodes = tuple(walk(branches))
    behind = [n for n in nodes if isinstance(n, Group) and n.kind in ("<=", "<!")]
    if any(map(_looks_at_units, behind)):
        return True
    return any(map(_refuses_by_the_left, nodes)) and _starts_in_the_middle(branches, nodes)


def _refuses_by_the_left(node: Node) -> bool:
    """It holds unless something stands before: so it holds between the units of a character."""
    if isinstance(node, Anchor):
        return node.sign == "B"
    if not isinstance(node, Group) or node.kind not in ("!", "<!"):
        return False
    return node.kind == "<!" or any(map(_looks_left, walk(node.branches)))


def _looks_left(node: Node) -> bool:
    if isinstance(node, Anchor):
        return node.sign in "^AbB"
    return isinstance(node, Group) and node.kind in ("<=", "<!")


def _looks_at_units(behind: Group) -> bool:
    return not all(
        (len(sequence) == 1 and _reach(sequence[0]) in ("all", "some"))
        or all(_reach(node) == "none" for node in walk((sequence,)))
        for sequence in behind.branches
    )


def _starts_in_the_middle(branches: Branches, nodes: tuple[Node, ...]) -> bool:
    """Java searches from the second unit too, unless a class of the pattern reaches that far."""
    if any(not isinstance(node, Dot) and _reach(node) != "none" for node in nodes):
        return False
    boundaries = [node for node in nodes if isinstance(node, Anchor) and node.sign in "bB"]
    if any(not node.flags & re.ASCII for node in boundaries):
        return False
    empty = any(sum(map(least_width, sequence)) == 0 for sequence in branches)
    return empty or any(isinstance(node, Dot) for node in nodes)


def _reach(node: Node) -> Reach:
    if isinstance(node, Dot):
        return "all"
    if isinstance(node, CharClass):
        return _class_reach(node)
    return _item_reach(node) if isinstance(node, Char | Shorthand) else "none"


def _class_reach(node: CharClass) -> Reach:
    parts = {_item_reach(item) for item in node.items}
    orders: tuple[Reach, ...] = ("all", "mixed", "some")
    reach: Reach = next((each for each in orders if each in parts), "none")
    return _OPPOSITES[reach] if node.negated else reach


_OPPOSITES: dict[Reach, Reach] = {"none": "all", "all": "none", "some": "mixed", "mixed": "mixed"}


def _item_reach(item: Item) -> Reach:
    if isinstance(item, Char):
        return "none" if item.code <= 0xFFFF else "some"
    if isinstance(item, Span):
        return _span_reach(item.low.code, item.high.code)
    if item.letter == "s":
        return "none"
    if item.letter == "S":
        return "all"
    if item.flags & re.ASCII:
        return "none" if item.letter.islower() else "all"
    return "some" if item.letter.islower() else "mixed"


def _span_reach(low: int, high: int) -> Reach:
    if high < 0xD800 or (low > 0xDFFF and high <= 0xFFFF):
        return "none"
    if low <= 0xD800 and high == 0x10FFFF:
        return "all"
    return "some" if low > 0xDFFF else "mixed"
