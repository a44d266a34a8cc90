"""Blocks of Jinja and of Dataform: a semicolon within them ends no statement of the script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from ruleferry.converters.readers.sql.split.lexer import TokenKind

_TAG = re.compile(r"\{%[-+]?\s*(\w+)([^%{}]*)")
_CHECK = re.compile(r"#(?:fail|warn|xfail)\b")
_CONFIG = re.compile(r"\{\{[-+]?\s*config\b")
# They make a thing of their own: what follows them is another statement.
_WHOLE = frozenset({"macro", "test", "data_test", "snapshot", "materialization", "docs", "raw"})
_BLOCKS = _WHOLE | {"if", "for", "call", "filter", "set"}
_PARTS = frozenset({"CONFIG", "JS", "PRE_OPERATIONS", "POST_OPERATIONS"})


class Templates:
    """What a statement holds of templates. `_hold`: up to where the blocks go that have begun."""

    def __init__(self, text: str, wrapper: str) -> None:
        self._text = text
        self._blocks = _pairs(text) if "{%" in text else {}
        self._dataform = wrapper == "dataform"
        self._hold = -1
        self.reset()

    def reset(self) -> None:
        """Between two statements."""
        self._count = 0
        self._calls = False  # the statement is calls alone, each on lines of its own
        self._whole = -1  # the end tag behind which another statement begins
        self._by_itself = False
        self._part = False  # of a script of Dataform
        self._braces = 0

    def hold(self, at: int) -> bool:
        """No statement ends at a semicolon there."""
        if at < self._hold:
            self._by_itself = True  # several statements under one condition
            return True
        return self._part

    def begins_check(self, at: int) -> bool:
        """The comment there is a mark of BigQuery's checks."""
        return _CHECK.match(self._text, at) is not None

    def begins_call(self, template: str) -> bool:
        """A call on its own line after another one makes a statement of its own."""
        return self._calls and template.startswith("{{")

    def ends(self, kind: TokenKind, token: str, at: int) -> bool:
        """The token there is the last one of its statement."""
        self._count += 1
        if kind == "template":
            self._calls = self._count == 1 and not _CONFIG.match(self._text, at)
        else:
            self._calls = False
        if kind == "tag":
            return self._tag(at)
        return self._dataform and self._in_part(token)

    def _tag(self, at: int) -> bool:
        if closing := self._blocks.get(at):
            self._hold = max(self._hold, closing)
            if self._count == 1:
                self._whole = closing
                self._by_itself = _name(self._text, at) in _WHOLE
        return at == self._whole and self._by_itself

    def _in_part(self, token: str) -> bool:
        if self._count == 1:
            self._part = token in _PARTS
        elif self._part and self._count == 2 and token != "{":
            self._part = False
        self._braces += {"{": 1, "}": -1}.get(token, 0) if self._part else 0
        return self._part and token == "}" and self._braces == 0


def _name(text: str, at: int) -> str:
    tag = _TAG.match(text, at)
    return tag[1] if tag else ""


def _pairs(text: str) -> Mapping[int, int]:
    """Where a block's tag begins -> where its end tag does. Blocks that don't end are none."""
    opened: list[tuple[str, int]] = []
    names: Counter[str] = Counter()
    found: dict[int, int] = {}
    for tag in _TAG.finditer(text):
        name = tag[1]
        if name in _BLOCKS and not (name == "set" and "=" in tag[2]):
            opened.append((name, tag.start()))
            names[name] += 1
        while name.startswith("end") and names[name[3:]]:
            inner, start = opened.pop()
            names[inner] -= 1
            if inner == name[3:]:
                found[start] = tag.start()
                break
    return found
