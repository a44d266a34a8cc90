"""What a script itself says of its dialect: a proposal, never a decision."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.mappings import table

# Comments and literals say nothing; a script may be large.
_ASIDE = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)
_HEAD = 200_000
_SHOWN = 3


def proposal(text: str) -> str:
    """One sentence: which dialect the script points to, and by what."""
    found = _clues(_ASIDE.sub(" ", text[:_HEAD]))
    if not found:
        return "nothing in it points to one"
    most = max(map(len, found.values()))
    names = [name for name, signs in found.items() if len(signs) == most]
    told = " or ".join(
        f"{sql_dialects()[name].called} (--dialect {name}: {', '.join(found[name][:_SHOWN])})"
        for name in names[:2]
    )
    return f"it points to {told}"


def _clues(text: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for dialect, patterns in _patterns().items():
        signs = [_closed(" ".join(hit[0].split())) for p in patterns if (hit := p.search(text))]
        if signs:
            found[dialect] = signs
    return found


def _closed(sign: str) -> str:
    """A pattern may end within a call, and a sentence has no bracket that is left open."""
    return f"{sign}{'…)' * (sign.count('(') - sign.count(')'))}"


@cache
def _patterns() -> Mapping[str, list[re.Pattern[str]]]:
    rows = table("dialect_clues")["clues"]
    assert isinstance(rows, dict)
    flags = re.IGNORECASE | re.MULTILINE
    return {name: [re.compile(p, flags) for p in found] for name, found in rows.items()}
