"""Texts that stand for a missing value of one field: they pass where its values are judged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.readers.spreadsheet.values.list_texts import (
    ListText,
    labelled_in,
    values_in,
)
from ruleferry.converters.readers.spreadsheet.values.words import straight
from ruleferry.converters.rule import NotARule, Unread

# What judges the values that a field holds; whether it must hold one is another matter.
_OF_VALUES = frozenset({"type", "range", "allowed", "pattern", "format", "length"})
_ALONE = re.compile(r"[^\s,;|/=:]+(?: [^\s,;|/=:]+){0,2}")


def missing_words(cells: Iterable[Cell]) -> tuple[str, ...] | None:
    """The words of all cells; None where one of them is not understood."""
    found: list[str] = []
    for cell in cells:
        if cell.struck:
            continue
        words = None if cell.trouble else _words_in(cell.text)
        if words is None:
            return None
        found += words
    return tuple(dict.fromkeys(found))


def _words_in(text: str) -> tuple[str, ...] | None:
    for read in (labelled_in(text), values_in(text)):
        if isinstance(read, ListText):
            return read.values
    word = straight(text).strip().strip("\"'")
    return (word,) if _ALONE.fullmatch(word) else None


def passing(statement: Statement, words: tuple[str, ...] | None) -> Statement:
    """The rule with the words that pass it; a question where they are not understood."""
    states = not isinstance(statement.check, NotARule | Unread)
    if words == () or not states or statement.kind not in _OF_VALUES:
        return statement
    if words is None:
        reason = "which texts count as a missing value of the field is not understood"
        return replace(statement, check=Unread("not_understood", reason, statement.columns))
    return replace(statement, missing_words=words)
