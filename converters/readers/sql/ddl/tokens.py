"""Tokens of a definition, with where they stand: any text has them, none is refused.

The parser's own tokens join words (PRIMARY KEY) and end at an open quote; constraints are told
apart here before one of them is parsed, so that one that nobody can read hides no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from ruleferry.converters.dialects.words import SqlDialect

TokenKind: TypeAlias = Literal["word", "name", "text", "number", "macro", "sign", "broken"]

_COMMENT = r"--[^\n]*|/\*(?:(?!\*/).)*\*/"
# Bounded: what never ends is looked for in a stretch of the text, and not up to its end.
_SHORT, _LONG = "{0,400}?", "{0,20000}?"
_MACRO = (
    rf"\{{\{{.{_SHORT}\}}\}}|\{{%.{_SHORT}%\}}|\$\{{[^}}\n]*\}}|\$\(\w+\)|<%.{_SHORT}%>|<@.{_SHORT}@>"
    r"|&&?\w+\.?"
)
_PLAIN_TEXT = r"[NnEeBbXxRr]?'(?:[^']|'')*'"
_ESCAPED_TEXT = r"[NnEeBbXxRr]?'(?:[^'\\]|''|\\.)*'"
_POSTGRES_TEXT = rf"[Ee]'(?:[^'\\]|''|\\.)*'|{_PLAIN_TEXT}"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` as it is written, `value` without quotes; `word`: in upper case where it is bare."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.text.upper() if self.kind in ("word", "sign") else ""

    @property
    def value(self) -> str:
        if self.kind == "name":
            close = self.text[-1]
            return self.text[1:-1].replace(close * 2, close)
        return self.text


def tokens_of(text: str, dialect: SqlDialect) -> Iterator[Token]:
    """All but blanks and comments. MySQL runs what stands in /*! … */."""
    for match in _pattern(dialect).finditer(text):
        kind = match.lastgroup
        if kind not in (None, "blank"):
            yield Token(kind, match.group(), match.start(), match.end())  # type: ignore[arg-type]


@cache
def _pattern(dialect: SqlDialect) -> re.Pattern[str]:
    text = _ESCAPED_TEXT if dialect.backslash else _PLAIN_TEXT
    if dialect.parser in ("postgres", "redshift"):
        text = _POSTGRES_TEXT
    double = r'"(?:[^"]|"")*"'
    names = [r"`(?:[^`]|``)*`"]
    texts = [text]
    if dialect.quoted == "name":
        names.append(double)
    else:
        texts.append(r'"(?:[^"\\]|""|\\.)*"')
    if dialect.dollar:
        texts.append(rf"\$(?P<tag>\w*)\$.{_LONG}\$(?P=tag)\$")
    if dialect.name == "tsql":
        names.append(r"\[(?:[^\]]|\]\])*\]")
    comment = _COMMENT
    if dialect.hash:
        comment += r"|\#[^\n]*"
    if dialect.name == "mysql":
        comment = r"/\*!\d*|\*/|" + comment
    start = r"[@\#]{0,2}[^\W\d]" if dialect.name == "tsql" else r"[^\W\d]"
    return re.compile(
        rf"(?P<blank>\s+|{comment})|(?P<macro>{_MACRO})|(?P<text>{'|'.join(texts)})"
        rf"|(?P<name>{'|'.join(names)})|(?P<word>{start}[\w$\#]*)|(?P<number>\d[\w.]*)"
        r"""|(?P<broken>['"`]|/\*.*)|(?P<sign>.)""",
        re.DOTALL,
    )


def statements(text: str, dialect: SqlDialect) -> Iterator[tuple[Token, ...]]:
    """The tokens of each statement, without what ends it: a semicolon, or a line of GO or /."""
    found: list[Token] = []
    for token in tokens_of(text, dialect):
        if token.text == ";" or _is_separator(token, text):
            if found:
                yield tuple(found)
            found = []
        else:
            found.append(token)
    if found:
        yield tuple(found)


def _is_separator(token: Token, text: str) -> bool:
    if token.word not in ("GO", "/"):
        return False
    line_start = text.rfind("\n", 0, token.start) + 1
    line_end = text.find("\n", token.end)
    line = text[line_start : len(text) if line_end < 0 else line_end]
    return line.strip().upper() == token.word
