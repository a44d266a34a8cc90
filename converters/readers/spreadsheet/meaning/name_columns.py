"""Which of several columns holds the physical names of the fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ruleferry.converters.readers.spreadsheet.blocks import Header, Record
from ruleferry.converters.readers.spreadsheet.meaning.header_words import part, words_of

_IDENTIFIER = re.compile(r"[^\W\d]\w*([.$#]\w+)*")
_NAME_LIKE = re.compile(r"\w[\w.\-]*")
_MOST = 80  # percent of the records, for some sheets hold a row without a name


@dataclass(frozen=True, slots=True)
class NameChoice:
    """`header`: None where it is not sure."""

    header: Header | None
    why: str


def choose_names(
    records: Sequence[Record],
    strong: Sequence[Header],
    weak: Sequence[Header],
    named: Sequence[Header],
) -> NameChoice:
    """`strong`: headers whose word says so; `weak`: that may hold names; `named`: by a profile."""
    if named:
        one = named[0] if len(named) == 1 else None
        return NameChoice(one, "the profile names several columns" if one is None else "")
    if len(strong) == 1:
        return _only(records, strong[0], weak)
    pool = strong or [one for one in weak if (words_of(one.text) or ("",))[-1] not in part("ids")]
    physical = [header for header in pool if _is_physical(records, header)]
    distinct = [header for header in physical if _is_distinct(records, header)]
    best = physical if len(physical) == 1 else distinct
    if len(best) == 1:
        return NameChoice(best[0], "it alone holds names as a database has them")
    texts = ", ".join(header.text for header in pool or weak) or "none"
    return NameChoice(None, f"these may hold the names of the fields: {texts}")


def _only(records: Sequence[Record], header: Header, weak: Sequence[Header]) -> NameChoice:
    """The one header whose word says so, unless its cells are labels and others are names."""
    if not _is_filled(records, header):
        return NameChoice(None, f"{header.text} is empty in many rows")
    better = [
        other
        for other in weak
        if words_of(other.text)[-1:] == ("name",) and _is_physical(records, other)
    ]
    if better and not _is_physical(records, header):
        return NameChoice(None, f"{better[0].text} may hold the names, and {header.text} labels")
    return NameChoice(header, "its header says so")


def _texts(records: Sequence[Record], header: Header) -> list[str]:
    cells = [record.first(header.index) for record in records]
    return [cell.text for cell in cells if cell is not None]


def _is_filled(records: Sequence[Record], header: Header) -> bool:
    return len(_texts(records, header)) * 100 >= len(records) * _MOST


def _is_physical(records: Sequence[Record], header: Header) -> bool:
    """Each record has one, and all of them look like a database's own names."""
    texts = _texts(records, header)
    named = all(_IDENTIFIER.fullmatch(text) for text in texts)
    return bool(texts) and named and _is_filled(records, header)


def _is_distinct(records: Sequence[Record], header: Header) -> bool:
    texts = _texts(records, header)
    return len(set(texts)) == len(texts)


def is_name_like(text: str) -> bool:
    """`A1.2`, `rule-7`: one word, as rules are called."""
    return _NAME_LIKE.fullmatch(text) is not None
