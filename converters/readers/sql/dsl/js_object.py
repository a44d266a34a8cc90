"""Object literals of JavaScript, as far as they hold plain values. Nothing is evaluated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

_SKIP = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w$])")
_STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""", re.DOTALL)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_DEEP = 50


class Computed:
    """A value that is only known when the script runs."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Computed()"


COMPUTED = Computed()
Plain: TypeAlias = "str | bool | int | Decimal | Computed | list[Value] | dict[str, Value] | None"


@dataclass(frozen=True, slots=True)
class Value:
    """`start`, `end`: where it stands in the text."""

    plain: Plain
    start: int
    end: int


def read_object(text: str, start: int) -> Value | None:
    """The object whose brace stands at `start`; None where it never ends."""
    reader = _Reader(text)
    found = reader.value(start, 0)
    return found if isinstance(found.plain, dict) and found.end <= len(text) else None


@dataclass(slots=True)
class _Reader:
    text: str

    def skip(self, at: int) -> int:
        match = _SKIP.match(self.text, at)
        return match.end() if match else at

    def sign(self, at: int) -> str:
        return self.text[at : at + 1]

    def value(self, at: int, depth: int) -> Value:
        """Whatever is more than one plain value is computed, up to what ends it."""
        start = self.skip(at)
        found = self._plain(start, depth)
        after = self.skip(found.end)
        if depth == 0 or self.sign(after) in (",", "}", "]", ""):
            return found
        return Value(COMPUTED, start, self._end(after))

    def _plain(self, at: int, depth: int) -> Value:
        sign = self.sign(at)
        if sign in ("{", "[") and sign and depth < _DEEP:
            return self._object(at, depth) if sign == "{" else self._list(at, depth)
        if match := _STRING.match(self.text, at):
            return Value(_text(match[0]), at, match.end())
        if match := _NUMBER.match(self.text, at):
            return Value(_number(match[0]), at, match.end())
        match = _NAME.match(self.text, at)
        if match and match[0] in _WORDS:
            return Value(_WORDS[match[0]], at, match.end())
        return Value(COMPUTED, at, self._end(at))

    def _list(self, at: int, depth: int) -> Value:
        items: list[Value] = []
        place = self.skip(at + 1)
        while self.sign(place) not in ("]", ""):
            items.append(self.value(place, depth + 1))
            place = self.skip(max(items[-1].end, place + (items[-1].end == place)))
            if self.sign(place) == ",":
                place = self.skip(place + 1)
            elif self.sign(place) == "}":
                return Value(COMPUTED, at, place)
        return Value(items, at, place + 1)

    def _object(self, at: int, depth: int) -> Value:
        pairs: dict[str, Value] = {}
        place = self.skip(at + 1)
        while self.sign(place) not in ("}", ""):
            key, place = self._key(place)
            place = self.skip(place)
            if key is None or self.sign(place) != ":":
                end = self._end(place)
                pairs[f"?{len(pairs)}"] = Value(COMPUTED, place, end)
                place = end if end > place else place + 1
            else:
                pairs[key] = self.value(place + 1, depth + 1)
                place = pairs[key].end
            place = self.skip(place)
            if self.sign(place) == ",":
                place = self.skip(place + 1)
        return Value(pairs, at, place + 1)

    def _key(self, at: int) -> tuple[str | None, int]:
        if match := _STRING.match(self.text, at):
            found = _text(match[0])
            return (found if isinstance(found, str) else None), match.end()
        match = _NAME.match(self.text, at)
        return (match[0], match.end()) if match else (None, at)

    def _end(self, at: int) -> int:
        """Where the value that begins here ends: a comma, or what closes the object around it."""
        depth = 0
        while at < len(self.text):
            if match := _STRING.match(self.text, at):
                at = match.end()
                continue
            skipped = self.skip(at)
            if skipped > at:
                at = skipped
                continue
            sign = self.text[at]
            if depth == 0 and sign in ",}]":
                return at
            depth += (sign in "([{") - (sign in ")]}")
            at += 1
        return at


def _text(literal: str) -> str | Computed:
    inner = literal[1:-1]
    if literal[0] == "`" and "${" in inner:
        return COMPUTED
    return _ESCAPE.sub(_escaped, inner)


def _escaped(match: re.Match[str]) -> str:
    word = match[1]
    if word[0] in "ux" and len(word) > 1:
        code = int(word.strip("ux{}"), 16)
        return chr(code) if code < 0x110000 else "�"
    return "" if word in ("\n", "\r\n") else _ESCAPES.get(word, word)


def _number(text: str) -> int | Decimal | Computed:
    try:
        found = Decimal(text)
    except InvalidOperation:
        return COMPUTED
    if abs(found.adjusted()) > 300:
        return COMPUTED
    return int(found) if found == found.to_integral_value() else found
