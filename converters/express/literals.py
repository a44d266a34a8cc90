"""Literals that Spark reads when it runs, and raises where it can't: patterns, formats, numbers.

Each check of a pattern or format gives None, or why it is refused. They are narrower than Spark:
what is not certain is refused.
"""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?\Z", re.ASCII)
_ZONE = re.compile(r"(Z|[+-]\d{2}:\d{2})\Z", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,18}\Z", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,2})?\Z", re.ASCII)
_BOOLEANS = frozenset({"true", "t", "yes", "y", "1", "false", "f", "no", "n", "0"})

_REGEX_PIECE = re.compile(
    r"""
      \\[dDwWsSbtnr]                               # classes and plain escapes
    | \\[!-/:-@\[-`{-~]                            # an escaped mark
    | \[\^?(?:\\[dDwWs]|\\[!-/:-@\[-`{-~]|[^\\\[\]&^])+\]   # a set without sets in it
    | \((?:\?:|(?!\?)) | \) | \| | \^ | \$ | \.
    | \{\d{1,4}(?:,\d{0,4})?\}[?+]? | [*+?][?+]?
    | [^\\\[\](){}|^$.*+?]
    """,
    re.VERBOSE,
)
_FORMAT_PIECE = re.compile(
    r"yyyy|yy|y|MMMM|MMM|MM|M|dd|d|HH|H|hh|h|mm|m|ss|s|S{1,9}|a|E{1,4}|'[^']*'|[-/:., ]"
)
_FIGURES = re.compile(r"(0+|9+)([.D](0+|9+))?\Z")
_TRUNC = frozenset({"year", "yyyy", "yy", "quarter", "month", "mon", "mm", "week"})
_DATE_TRUNC = _TRUNC | {"day", "dd", "hour", "minute", "second", "millisecond", "microsecond"}


def is_day(text: str) -> bool:
    """A day in full, as in 2024-02-29."""
    return bool(_DAY.match(text)) and _exists(text)


def is_moment(text: str) -> bool:
    """A day, or a day and a time of it, without a zone."""
    return bool(_DAY.match(text) or _TIME.match(text)) and _exists(text)


def is_instant(text: str) -> bool:
    """A moment, with a zone or without one."""
    return is_moment(_ZONE.sub("", text))


def _exists(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_integer(text: str) -> bool:
    return bool(_INTEGER.match(text))


def is_number(text: str) -> bool:
    return bool(_NUMBER.match(text))


def is_boolean(text: str) -> bool:
    return text.lower() in _BOOLEANS


def regex_fault(pattern: str) -> str | None:
    """For a pattern of pieces that Python and Java read alike; everything else is refused."""
    position = 0
    while position < len(pattern):
        piece = _REGEX_PIECE.match(pattern, position)
        if piece is None:
            return f"the pattern {pattern!r} can't be checked at {pattern[position:][:10]!r}"
        position = piece.end()
    try:
        re.compile(pattern)
    except re.error as error:
        return f"the pattern {pattern!r} is invalid: {error}"
    return None


def group_count(pattern: str) -> int:
    """The groups of a pattern, as far as Python reads it; of another one, none."""
    text = re.sub(r"^\(\?[a-zA-Z]+\)", "", pattern).replace(r"\z", r"\Z")
    try:
        return re.compile(text).groups
    except re.error:
        return 0


def like_fault(pattern: str, escape: str) -> str | None:
    """Spark raises where the escape character stands before anything but `_`, `%` or itself."""
    if len(escape) != 1:
        return f"the escape character {escape!r} is not one character"
    if escape in "%_":
        return f"the escape character {escape!r} is a wildcard"
    position = pattern.find(escape)
    while position >= 0:
        if pattern[position + 1 : position + 2] not in ("%", "_", escape):
            return f"the LIKE pattern {pattern!r} has a lone escape character"
        position = pattern.find(escape, position + 2)
    return None


def format_fault(text: str, *, parses: bool) -> str | None:
    """Letters of date formats that Spark always takes; a weekday can be written but not parsed."""
    position = 0
    pieces: list[str] = []
    while position < len(text):
        piece = _FORMAT_PIECE.match(text, position)
        if piece is None or (parses and piece[0][0] == "E"):
            return f"the date format {text!r} can't be checked at {text[position:][:10]!r}"
        pieces.append(piece[0])
        position = piece.end()
    same = [a for a, b in pairwise(pieces) if a[0].isalpha() and a[0] == b[0]]
    return f"the date format {text!r} repeats {same[0]!r}" if same or not pieces else None


def figures_fault(text: str) -> str | None:
    return None if _FIGURES.match(text) else f"the number format {text!r} can't be checked"


def unit_fault(unit: str, kind: str) -> str | None:
    known = _TRUNC if kind == "trunc" else _DATE_TRUNC
    return None if unit.lower() in known else f"{unit!r} is no unit of {kind}"
