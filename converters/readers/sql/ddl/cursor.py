"""A place among the tokens of a definition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.readers.sql.ddl.tokens import Token


@dataclass(slots=True)
class Cursor:
    """`tokens` are those of one statement or of one part of it; `place` is the next one."""

    tokens: Sequence[Token]
    place: int = 0
    pairs: Mapping[int, int] | None = None

    @property
    def done(self) -> bool:
        return self.place >= len(self.tokens)

    @property
    def next(self) -> Token | None:
        return None if self.done else self.tokens[self.place]

    @property
    def last(self) -> Token | None:
        """The token before this place."""
        return self.tokens[self.place - 1] if self.place else None

    def word(self, ahead: int = 0) -> str:
        """The bare word or sign at this place in upper case, else ""."""
        at = self.place + ahead
        return self.tokens[at].word if at < len(self.tokens) else ""

    def at(self, *words: str) -> bool:
        return all(self.word(ahead) == word for ahead, word in enumerate(words))

    def take(self, *words: str) -> bool:
        """Goes on behind these words where they stand here."""
        if not self.at(*words):
            return False
        self.place += len(words)
        return True

    def take_one_of(self, *words: str) -> str:
        word = self.word()
        if word not in words:
            return ""
        self.place += 1
        return word

    def skip(self) -> Token | None:
        token = self.next
        self.place += token is not None
        return token

    def group(self) -> tuple[Token, ...] | None:
        """What stands in the parentheses here, which are passed; None where there are none."""
        if not self.at("("):
            return None
        if self.pairs is None:
            self.pairs = _pairs(self.tokens)
        end = self.pairs.get(self.place)
        if end is None:
            return None
        inside = tuple(self.tokens[self.place + 1 : end])
        self.place = end + 1
        return inside

    def name(self) -> str | None:
        """One name, bare or quoted."""
        token = self.next
        if token is None or token.kind not in ("word", "name"):
            return None
        self.place += 1
        return token.value

    def path(self) -> str | None:
        """A name of several parts; a placeholder in it stays as it is written."""
        first = self.place
        parts: list[str] = []
        while (token := self.next) is not None and token.kind in ("word", "name", "macro"):
            parts.append(token.value)
            self.place += 1
            glued = token.kind == "macro" and self._touches(token)
            if not glued and not self.take("."):
                break
        if self.place == first:
            return None
        if any(token.kind == "macro" for token in self.tokens[first : self.place]):
            return "".join(token.text for token in self.tokens[first : self.place])
        return ".".join(part for part in parts if part)

    def _touches(self, token: Token) -> bool:
        """`&schema..t`, `${db}_x`: the name goes on."""
        after = self.next
        if after is None or after.start != token.end:
            return False
        self.take(".")
        return True


def _pairs(tokens: Sequence[Token]) -> Mapping[int, int]:
    """The place of each parenthesis -> that of the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            found[opened.pop()] = at
    return found


def closing(tokens: Sequence[Token], place: int) -> int | None:
    """The place of the parenthesis that closes the one at `place`."""
    depth = 0
    for at in range(place, len(tokens)):
        depth += (tokens[at].text == "(") - (tokens[at].text == ")")
        if depth == 0:
            return at
    return None


def parts(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """What commas part; those within parentheses or angle brackets part nothing."""
    found: list[list[Token]] = [[]]
    depth = angles = 0
    for before, token in zip([None, *tokens], tokens, strict=False):
        depth += (token.text in "([") - (token.text in ")]")
        angles = _angles(angles, before, token, depth)
        if token.text == "," and depth == 0 and angles == 0:
            found.append([])
        else:
            found[-1].append(token)
    return [tuple(part) for part in found if part]


_NESTED = ("ARRAY", "STRUCT", "MAP", "TABLE", "ROW", "OBJECT")


def _angles(angles: int, before: Token | None, token: Token, depth: int) -> int:
    """STRUCT<a INT, b INT>: only after the name of such a type, since < also compares."""
    if depth:
        return angles
    if token.text == "<" and before is not None and (angles or before.word in _NESTED):
        return angles + 1
    if token.text == ">" and angles:
        return angles - 1
    return angles
