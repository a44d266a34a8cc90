"""Reads a Python regular expression into a tree that keeps the author's own text.

Python's own parser (`re._parser`) keeps no places in the text, so that nothing of the author's
spelling would survive a translation. This reader follows its grammar, and :func:`read` then has
Python parse the tree once more: where the two readings are not the same, there is no tree.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from importlib import import_module

from ruleferry.converters.express.regex_tree import (
    Anchor,
    Backref,
    Branches,
    Char,
    CharClass,
    Dot,
    Group,
    GroupKind,
    Item,
    Node,
    NotRead,
    Read,
    Repeat,
    Sequence,
    Shorthand,
    Span,
)

_FLAG_LETTERS = {
    "i": re.IGNORECASE,
    "m": re.MULTILINE,
    "s": re.DOTALL,
    "x": re.VERBOSE,
    "a": re.ASCII,
    "u": re.UNICODE,
}
_CONTROLS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_DIGITS = "0123456789"
_OCTAL = "01234567"


def read(pattern: str) -> Read:
    """The tree of a pattern that is used with `re.search` on text.

    Raises re.error for a pattern that Python rejects, NotRead for one that we do not read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            flags = re.compile(pattern).flags
            found = Read(_Reader(pattern).whole(flags), flags)
            if not _same_reading(pattern, found):
                raise NotRead("it is read in two ways")
        except RecursionError:
            raise NotRead("its groups are nested too deeply") from None
        except OverflowError as error:
            raise re.error(str(error)) from None
    return found


class _Reader:
    """One pass over the text; `flags` (VERBOSE too) are handed down, as groups change them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.names: dict[str, int] = {}
        self.groups = 0

    def whole(self, flags: int) -> Branches:
        branches = self.branches(flags)
        if self.at < len(self.text):
            raise NotRead("it has a bracket too many")
        return branches

    def branches(self, flags: int) -> Branches:
        found = [self.sequence(flags)]
        while self.take("|"):
            found.append(self.sequence(flags))
        return tuple(found)

    def sequence(self, flags: int) -> Sequence:
        found: list[Node] = []
        while self.at < len(self.text) and self.peek() not in "|)":
            if self.skip(flags):
                continue
            repeated = self.quantifier()
            if repeated is not None:
                found.append(self.repeat(found, *repeated))
            else:
                node = self.node(flags)
                if node is not None:
                    found.append(node)
        return tuple(found)

    def peek(self, size: int = 1) -> str:
        return self.text[self.at : self.at + size]

    def take(self, expected: str) -> bool:
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def next(self) -> str:
        if self.at >= len(self.text):
            raise NotRead("it ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def until(self, end: str) -> str:
        stop = self.text.find(end, self.at)
        if stop < 0:
            raise NotRead(f"a {end} is missing")
        found = self.text[self.at : stop]
        self.at = stop + len(end)
        return found

    def some(self, allowed: str, most: int) -> str:
        start = self.at
        while self.at - start < most and self.peek() and self.peek() in allowed:
            self.at += 1
        return self.text[start : self.at]

    def skip(self, flags: int) -> bool:
        """A comment, or what VERBOSE makes a blank."""
        if self.take("(?#"):
            self.until(")")
            return True
        if not flags & re.VERBOSE:
            return False
        if self.take("#"):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end + 1
            return True
        return bool(self.some(" \t\n\r\v\f", 1))

    def quantifier(self) -> tuple[int, int | None, str] | None:
        """The bounds and the text of a quantifier; a brace that starts none stays where it is."""
        for sign, low, high in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self.take(sign):
                return low, high, sign
        found = re.compile(r"\{([0-9]*)(,?)([0-9]*)\}").match(self.text, self.at)
        if found is None or found[0] == "{}":
            return None
        self.at = found.end()
        low = int(found[1] or 0)
        if not found[2]:
            return low, low, found[0]
        return low, int(found[3]) if found[3] else None, found[0]

    def repeat(self, before: list[Node], low: int, high: int | None, raw: str) -> Repeat:
        if not before:
            raise NotRead("a quantifier has nothing to repeat")
        mode = self.some("?+", 1)
        return Repeat(before.pop(), low, high, mode, raw)

    def node(self, flags: int) -> Node | None:
        char = self.next()
        if char == "\\":
            return self.escape(flags)
        if char == "[":
            return self.char_class(flags)
        if char == "(":
            return self.group(flags)
        if char == ".":
            return Dot(flags)
        if char in "^$":
            return Anchor(char, flags)
        return Char(char, ord(char), flags)

    def escape(self, flags: int) -> Node:
        start = self.at
        letter = self.next()
        if letter in "dDsSwW":
            return Shorthand(letter, flags)
        if letter in "AZbB" or letter == "z":  # \z: Python 3.14
            return Anchor("Z" if letter == "z" else letter, flags)
        if letter in "123456789" and not self.octal_follows(letter):
            return Backref(int(letter + self.some(_DIGITS, 1)), None, flags)
        self.at = start
        return self.char_escape(flags)

    def octal_follows(self, first: str) -> bool:
        digits = first + self.peek(2)
        return len(digits) == 3 and all(digit in _OCTAL for digit in digits)

    def char_escape(self, flags: int) -> Char:
        start = self.at - 1
        letter = self.next()
        sizes = {"x": 2, "u": 4, "U": 8}
        if letter in sizes:
            self.at += sizes[letter]
            code = int(self.text[start + 2 : self.at], 16)
        elif letter == "N":
            code = ord(unicodedata.lookup(self.until("}")[1:]))
        elif letter in _OCTAL:
            code = int(letter + self.some(_OCTAL, 2), 8)
        else:
            code = _CONTROLS.get(letter, ord(letter))
        return Char(self.text[start : self.at], code, flags)

    def char_class(self, flags: int) -> CharClass:
        negated = self.take("^")
        items: list[Item] = []
        while not (items and self.take("]")):
            items.append(self.class_item(flags))
        return CharClass(negated, tuple(items), flags)

    def class_item(self, flags: int) -> Item:
        low = self.class_char(flags)
        if self.peek() != "-" or self.peek(2) == "-]":
            return low
        self.at += 1
        high = self.class_char(flags)
        if isinstance(low, Shorthand) or isinstance(high, Shorthand):
            raise NotRead("a range in a class has no end")
        return Span(low, high)

    def class_char(self, flags: int) -> Char | Shorthand:
        char = self.next()
        if char != "\\":
            return Char(char, ord(char), flags)
        if self.peek() in ("d", "D", "s", "S", "w", "W"):
            return Shorthand(self.next(), flags)
        return self.char_escape(flags)

    def group(self, flags: int) -> Node | None:
        kind: GroupKind = "capture"
        if not self.take("?"):
            return self.closed(Group(kind, self.captured(None, flags)))
        if self.take("P<"):
            name = self.until(">")
            return self.closed(Group(kind, self.captured(name, flags), name))
        if self.take("P="):
            name = self.until(")")
            return Backref(self.names[name], name, flags)
        for opening, kind in _OPENINGS.items():
            if self.take(opening):
                return self.closed(Group(kind, self.branches(flags)))
        if self.take("("):
            raise NotRead("a condition on a group, (?(1)…), has no counterpart in Java")
        return self.flag_group(flags)

    def captured(self, name: str | None, flags: int) -> Branches:
        self.groups += 1
        if name is not None:
            self.names[name] = self.groups
        return self.branches(flags)

    def closed(self, group: Group) -> Group:
        if not self.take(")"):
            raise NotRead("a group is not closed")
        return group

    def flag_group(self, flags: int) -> Group | None:
        added = self.flag_letters()
        dropped = self.flag_letters() if self.take("-") else 0
        if self.take(")"):
            return None  # flags of the whole pattern: known from the start
        if not self.take(":"):
            raise NotRead("a group opens in a way that we do not know")
        if added & re.ASCII or (added & re.UNICODE and flags & re.ASCII):
            raise NotRead("it changes between ASCII and Unicode within the pattern")
        inner = (flags | added) & ~dropped
        return self.closed(Group("plain", self.branches(inner), None, added, dropped))

    def flag_letters(self) -> int:
        found = 0
        while self.peek() and self.peek() in _FLAG_LETTERS:
            found |= _FLAG_LETTERS[self.next()]
        return found


_OPENINGS: dict[str, GroupKind] = {
    ":": "plain",
    "=": "=",
    "!": "!",
    "<=": "<=",
    "<!": "<!",
    ">": "atomic",
}


def _same_reading(pattern: str, found: Read) -> bool:
    """Python's parser makes the same of the pattern and of our tree, written out again."""
    parse = import_module("re._parser").parse
    shared = found.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL | re.ASCII)
    again = parse(_plain_branches(found.branches), shared)
    return _plain_tree(parse(pattern)) == _plain_tree(again)


def _plain_tree(value: object) -> object:
    """The parser's lists and tuples as comparable text: they hold opcodes and numbers."""
    data = getattr(value, "data", value)
    if isinstance(data, list | tuple):
        return tuple(_plain_tree(part) for part in data)
    return str(data)


def _plain_branches(branches: Branches) -> str:
    return "|".join("".join(map(_plain, sequence)) for sequence in branches)


def _plain(node: Node | Span) -> str:
    """The node with every character escaped, so that nothing depends on its surroundings."""
    match node:
        case Char():
            return f"\\U{node.code:08x}"
        case Span():
            return f"{_plain(node.low)}-{_plain(node.high)}"
        case Dot():
            return "."
        case Shorthand():
            return f"\\{node.letter}"
        case CharClass():
            return f"[{'^' * node.negated}{''.join(map(_plain, node.items))}]"
        case Anchor():
            return node.sign if node.sign in "^$" else f"\\{node.sign}"
        case Backref():
            return f"(?P={node.name})" if node.name else f"\\{node.number}"
        case Repeat():
            high = "" if node.high is None else node.high
            return f"{_plain(node.item)}{{{node.low},{high}}}{node.mode}"
        case Group():
            return f"({_plain_opening(node)}{_plain_branches(node.branches)})"


def _plain_opening(group: Group) -> str:
    if group.added or group.dropped:
        added, dropped = (
            "".join(letter for letter, flag in _FLAG_LETTERS.items() if flags & flag)
            for flags in (group.added, group.dropped)
        )
        return f"?{added}{'-' * bool(dropped)}{dropped}:"
    if group.kind == "capture":
        return f"?P<{group.name}>" if group.name else ""
    return "?" + next(opening for opening, kind in _OPENINGS.items() if kind == group.kind)
