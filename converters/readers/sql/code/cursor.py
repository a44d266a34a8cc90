"""A place among the tokens of code, and what can be asked of what follows."""

from __future__ import annotations

import re
from collections.abc import Collection

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.code.nodes import (
    Block,
    If,
    Loop,
    Node,
    Other,
    Routine,
    Span,
)
from ruleferry.converters.readers.sql.code.tokens import Token

DEEPEST = 40
CUT = "it is cut off"
_PLACEHOLDER = re.compile(r"%%|%[-+0#]?\d*[a-zA-Z]?|\{\d*\}|:\d\b")


class Cursor:
    """The tokens of a text and a position among them, which only goes on."""

    def __init__(self, text: str, tokens: tuple[Token, ...], dialect: SqlDialect) -> None:
        self.text = text
        self.tokens = tokens
        self.dialect = dialect
        self.at = 0
        self.cut = False  # the text ended within a block
        self.depth = 0
        self.told = False  # that the rest can't be read

    def rest(self, why: str) -> tuple[Node, ...]:
        """What is left where a text ends too early; said once, however many blocks it ends in."""
        self.cut = True
        if self.told:
            return ()
        self.told = True
        return (Other(self.span(len(self.tokens) - 1, len(self.tokens)), why),)

    def upper(self, ahead: int = 0) -> str:
        """The word or sign in capitals; "" where there is none."""
        place = self.at + ahead
        return self.tokens[place].upper if 0 <= place < len(self.tokens) else ""

    def token(self, ahead: int = 0) -> Token | None:
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else None

    @property
    def ended(self) -> bool:
        return self.at >= len(self.tokens)

    def take(self, *words: str) -> bool:
        """All of them in a row."""
        if all(self.upper(ahead) == word for ahead, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def span(self, first: int, last: int | None = None) -> Span:
        """Tokens first to last, without the latter."""
        last = self.at if last is None else last
        last = max(last, first)
        if first >= len(self.tokens):
            return Span(len(self.text), len(self.text), first, first)
        end = self.tokens[last - 1].end if last > first else self.tokens[first].start
        return Span(self.tokens[first].start, end, first, last)

    def find(self, words: Collection[str], start: int, end: int | None = None) -> int | None:
        """The first of the words outside of parentheses and CASE; None where a ; comes before."""
        depth = cases = 0
        end = len(self.tokens) if end is None else end
        for place in range(start, end):
            upper = self.tokens[place].upper
            if self.tokens[place].kind == "broken":
                return None
            if depth == 0 and cases == 0 and upper in words:
                return place
            if upper == "(":
                depth += 1
            elif upper == ")":
                depth -= 1
            elif upper == "CASE" and self.tokens[place - 1].upper != "END":
                cases += 1
            elif upper == "END" and cases:
                cases -= 1
            elif upper == ";":
                return None
            if depth < 0:
                return None
        return None

    def is_whole(self, first: int, last: int) -> bool:
        """Its parentheses and its quotes are closed."""
        depth = 0
        for token in self.tokens[first:last]:
            depth += (token.upper == "(") - (token.upper == ")")
            if depth < 0 or token.kind == "broken":
                return False
        return depth == 0

    def closing(self, opening: int) -> int | None:
        """The place of the ) that belongs to the ( at a place."""
        depth = 0
        for place in range(opening, len(self.tokens)):
            depth += (self.tokens[place].upper == "(") - (self.tokens[place].upper == ")")
            if depth == 0:
                return place
        return None

    def parts(self, first: int, last: int, sign: str = ",") -> list[tuple[int, int]]:
        """What stands between commas."""
        found, depth, begin = [], 0, first
        for place in range(first, last):
            upper = self.tokens[place].upper
            depth += (upper == "(") - (upper == ")")
            if upper == sign and depth == 0:
                found.append((begin, place))
                begin = place + 1
        return [*found, (begin, last)] if begin < last or found else []

    def name_at(self, place: int) -> tuple[str, int]:
        """A name of several parts as it is written, and what comes after it; "" where none is."""
        begin = place
        while place < len(self.tokens) and self.tokens[place].kind in ("word", "name"):
            place += 1
            if place < len(self.tokens) and self.tokens[place].text == ".":
                place += 1
                continue
            break
        if place == begin:
            return "", begin
        return "".join(token.text for token in self.tokens[begin:place]), place

    def message(self, first: int, last: int) -> str:
        """The literal that a text begins with, up to what is put in when it runs."""
        if first < last and self.tokens[first].upper in ("CONCAT", "FORMAT", "FORMATMESSAGE", "("):
            first += 1 if self.tokens[first].upper == "(" else 2
        if first >= last or self.tokens[first].kind != "text":
            return ""
        return plain_message(self.tokens[first].value)

    def variable(self, first: int, last: int) -> str:
        """The only name of an expression, in lower case."""
        name, after = self.name_at(first)
        return name.lower() if name and after == last else ""


def without_cut(found: list[Node], cursor: Cursor) -> tuple[Node, ...]:
    """The statements of a block that the text ends within: its last one may be half a statement."""
    last = found[-1] if found else None
    whole = isinstance(last, Other | If | Loop | Block | Routine)
    if last is None or whole or cursor.tokens[-1].text == ";":
        return tuple(found)
    return (*found[:-1], Other(last.span, CUT))


def plain_message(text: str) -> str:
    """Without what is filled in later on."""
    parts = [part.strip(" \t\r\n:,;-(=[#'\"") for part in _PLACEHOLDER.split(text)]
    first = parts[0] or " ".join(part for part in parts if part)
    return first if len(parts) > 1 else text.strip().rstrip(" \t\r\n:;,(=[-#'\"")
