"""Names and literals as a person writes them; in quotes where they could be taken for words."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"[^\W\d_][\w#@/+-]*")
_PATTERN = re.compile(r"[^\s\"(),]+")
_SHOWN = 6
# The words of the sentences themselves.
_OURS_TEXT = """
above after all an and any are as at before below blank blanks can't can characters day days
does empty ends equals exactly false first from has have hold holds if in is it its least length
letters like matches missing moment month months more most no none not null number of one or
part pattern place read remainder rounded sign small capital taken text than that the this to
today true unless value values where with without written year years begins contains last
divided by date time whole records every
"""
_OURS = frozenset(_OURS_TEXT.split())


def name(parts: Sequence[str]) -> str:
    text = ".".join(parts)
    if text.lower() not in _OURS and all(_NAME.fullmatch(part) for part in parts):
        return text
    return f"the column {quoted(text)}"


def text(value: str) -> str:
    """A text as a value."""
    if not value:
        return "an empty text"
    return value if _WORD.fullmatch(value) and value.lower() not in _OURS else quoted(value)


def pattern(value: str) -> str:
    return value if _PATTERN.fullmatch(value) and value.lower() not in _OURS else quoted(value)


def quoted(value: str) -> str:
    doubled = value.replace('"', '""')
    return f'"{doubled}"'


def listed(values: Sequence[str]) -> str:
    shown, more = ", ".join(values[:_SHOWN]), len(values) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
