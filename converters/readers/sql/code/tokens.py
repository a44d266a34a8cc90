"""Procedural code -> tokens with their offsets. Comments and blanks are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ruleferry.converters.dialects.words import SqlDialect

# "word": a name, a keyword, @x, :x, #t; "name": a quoted one; "text": a literal; "body": $$…$$;
# "broken": a quote or a comment that is not closed, up to the end.
TokenKind = Literal["word", "name", "text", "body", "number", "sign", "broken"]


@dataclass(frozen=True, slots=True)
class Token:
    """text[start:end] of the code; `upper`: its text in capitals where it is a word or a sign."""

    kind: TokenKind
    start: int
    end: int
    text: str
    upper: str

    @property
    def value(self) -> str:
        """The name without quotes, the literal as it is meant."""
        return _value(self)


_NESTED_COMMENTS = {"tsql", "postgres", "redshift", "netezza", "duckdb", "db2"}
_KINDS = {
    "skip_line": "skip", "triple": "text", "raw": "text", "escaped": "text", "bracket": "name",
    "tick": "name",
}  # fmt: skip
_Q_CLOSING = {"[": "]", "(": ")", "{": "}", "<": ">"}
_WORD = r"(?:@@?|\#\#?)?[^\W\d][\w$#@]*"


def tokens(text: str, dialect: SqlDialect) -> tuple[Token, ...]:
    return tuple(each_token(text, dialect))


def each_token(text: str, dialect: SqlDialect) -> Iterator[Token]:
    grammar = _grammar(dialect)
    at, nested = 0, dialect.name in _NESTED_COMMENTS
    while at < len(text):
        found = grammar.match(text, at)
        if found is None:  # no sign of SQL, and no harm
            yield Token("sign", at, at + 1, text[at], text[at])
            at += 1
            continue
        kind, end = found.lastgroup or "sign", found.end()
        if kind == "comment":
            end = _end_of_comment(text, at, nested=nested)
            kind = "skip" if end else "broken"
        elif kind == "quote":
            end = _end_of_q(text, found)
            kind = "text" if end else "broken"
        elif kind == "dollar":
            close = text.find(found[0], end)
            end = close + len(found[0]) if close >= 0 else 0
            kind = "body" if end else "broken"
        end = end or len(text)
        kind = _KINDS.get(kind, kind)
        if kind == "double":
            kind = "text" if dialect.quoted == "text" else "name"
        if kind != "skip":
            written = text[at:end]
            upper = written.upper() if kind in ("word", "sign") else ""
            yield Token(kind, at, end, written, upper)  # type: ignore[arg-type]
        at = end


@cache
def _grammar(dialect: SqlDialect) -> re.Pattern[str]:
    inner = r"(?:[^'\\]|''|\\.)*" if dialect.backslash else r"(?:[^']|'')*"
    inner_double = r'(?:[^"\\]|""|\\.)*' if dialect.backslash else r'(?:[^"]|"")*'
    parts = [r"(?P<skip>\s+|--[^\n]*" + (r"|\#[^\n]*" if dialect.hash else "") + ")"]
    if dialect.name == "snowflake":
        parts.append(r"(?P<skip_line>//[^\n]*)")
    parts.append(r"(?P<comment>/\*)")
    if dialect.dollar:
        parts.append(r"(?P<dollar>\$(?:[^\W\d]\w*)?\$)")
    if dialect.name == "oracle":
        parts.append(r"(?P<quote>[nN]?[qQ]'(?P<open>\S))")
    if dialect.name == "bigquery":
        parts.append(r"(?P<triple>[rRbB]{0,2}(?:'''.*?'''|\"\"\".*?\"\"\"))")
        parts.append(r"(?P<raw>[rRbB]{1,2}(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"))")
    if dialect.name in ("postgres", "redshift", "netezza", "duckdb"):
        parts.append(r"(?P<escaped>[eE]'(?:[^'\\]|''|\\.)*')")
    if dialect.name == "tsql":
        parts.append(r"(?P<bracket>\[(?:[^\]]|\]\])*\])")
    parts += [
        rf"(?P<text>(?:[nN]|_\w+\s*)?'{inner}')",
        rf'(?P<double>"{inner_double}")',
        r"(?P<tick>`[^`]*`)",
        r"(?P<broken>['\"`][\s\S]*)",
        r"(?P<number>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w]))",
        rf"(?P<word>{_WORD}|(?<![\w:)\]\"]):[^\W\d][\w$#]*|\$\d+|\d+\w+)",
        r"(?P<sign>:=|::|<>|!=|\^=|<=|>=|<<|>>|\.\.|\|\||=>|.)",
    ]
    pattern = "|".join(parts)
    return re.compile(pattern, re.DOTALL)


def _end_of_comment(text: str, start: int, *, nested: bool) -> int:
    """0 where it is not closed."""
    depth, at = 1, start + 2
    while True:
        close = text.find("*/", at)
        inner = text.find("/*", at) if nested else -1
        if close < 0:
            return 0
        if 0 <= inner < close:
            depth, at = depth + 1, inner + 2
            continue
        depth, at = depth - 1, close + 2
        if depth == 0:
            return at


def _end_of_q(text: str, found: re.Match[str]) -> int:
    """Oracle's q'[…]'."""
    opening = found["open"]
    close = text.find(_Q_CLOSING.get(opening, opening) + "'", found.end())
    return close + 2 if close >= 0 else 0


def _value(token: Token) -> str:
    text = token.text
    if token.kind == "body":
        mark = text.index("$", 1) + 1
        return text[mark:-mark]
    if token.kind == "name":
        return text[1:-1].replace(text[-1] * 2, text[-1])
    if token.kind != "text":
        return text
    if re.match(r"[nN]?[qQ]'\S", text) and not text.endswith("''"):
        return text[text.index("'") + 2 : -2]
    quote = text[-1]
    first = text.index(quote)
    if text[first:].startswith(quote * 3) and len(text) - first >= 6:
        return text[first + 3 : -3]
    return text[first + 1 : -1].replace(quote * 2, quote)
