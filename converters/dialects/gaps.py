"""That nothing of a text is left unread: between two tokens lie blanks and comments alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from ruleferry.converters.dialects.words import SqlDialect

_MARK = re.compile(r"/\*|\*/")
# Dialects in which // begins a comment.
_SLASHES = frozenset({"snowflake"})
# In MySQL -- begins a comment only before a blank: a--1 is a sum.
_BLANK_AFTER = frozenset({"mysql"})


def unread_in(text: str, tokens: Sequence[Token], dialect: SqlDialect) -> str | None:
    """The first piece that no token holds and that is no comment."""
    end = 0
    for token in tokens:
        if token.start >= end:
            if found := _unread(text[end : token.start], dialect):
                return found
            end = token.end + 1
    return _unread(text[end:], dialect)


def _unread(gap: str, dialect: SqlDialect) -> str | None:
    rest = gap.lstrip()
    while rest:
        length = _comment(rest, dialect)
        if length is None:
            return rest[:20]
        rest = rest[length:].lstrip()
    return None


def _comment(text: str, dialect: SqlDialect) -> int | None:
    """How long the comment is that begins the text; None where it is none."""
    if text.startswith("/*") and not text.startswith("/*!"):
        return _block(text)
    dashes = text.startswith("--") and not (
        dialect.name in _BLANK_AFTER and text[2:3] and not text[2].isspace()
    )
    slashes = text.startswith("//") and dialect.name in _SLASHES
    if dashes or slashes or (text.startswith("#") and dialect.hash):
        return len(text.partition("\n")[0])
    return None


def _block(text: str) -> int | None:
    """Comments that hold comments are read as sqlglot reads them."""
    depth = 0
    for mark in _MARK.finditer(text):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return None
