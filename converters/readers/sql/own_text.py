"""The text of a rule that is a part of its statement: whole, so that who reads it can judge it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from ruleferry.converters.readers.sql.found import Found, Piece, Script

_TOKEN = re.compile(
    r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|--[^\r\n]*|/\*.*?\*/|[()]|\bUNION\b(?:\s+(?:ALL|DISTINCT)\b)?",
    re.IGNORECASE | re.DOTALL,
)
_ARM = re.compile(r"\barm \d+$")
_WHEN = re.compile(r"\bWHEN\b", re.IGNORECASE)
_NEXT = re.compile(r"\s*\b(?:WHEN|ELSE|END)\b", re.IGNORECASE)
_BRANCH = re.compile(r"branch (\d+)(?:$|,)")


def own_text(found: Found, script: Script) -> str:
    """A branch from UNION to UNION; else what its names span, to the end of what is open there."""
    text = script.text[found.start : found.end]
    piece = _piece_at(script, found.start) if found.part else None
    if piece is None or (piece.start, piece.end) == (found.start, found.end):
        return text
    branch = _BRANCH.match(found.part)
    if branch is not None and found.part == branch[0]:
        start, end = _branch_at(script.text, piece, found.start)
        return script.text[start:end].strip()
    if _ARM.search(found.part):
        begun = [w.start() for w in _WHEN.finditer(script.text, piece.start, found.start)]
        ended = _NEXT.search(script.text, found.end, piece.end)
        if begun and ended:
            return script.text[begun[-1] : ended.start()]
    return script.text[found.start : _closed(script.text, found.start, found.end, piece.end)]


def _piece_at(script: Script, offset: int) -> Piece | None:
    number = bisect_right(script.pieces, offset, key=lambda piece: piece.start) - 1
    piece = script.pieces[number] if number >= 0 else None
    return piece if piece is not None and offset < piece.end else None


def _branch_at(text: str, piece: Piece, offset: int) -> tuple[int, int]:
    branches = _branches(text, piece.start, piece.end)
    return branches[max(bisect_right(branches, offset, key=lambda branch: branch[0]) - 1, 0)]


@lru_cache(maxsize=1)  # of the statement at hand, for each of its branches
def _branches(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    depth, begun = 0, start
    found: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text, start, end):
        depth += (token[0] == "(") - (token[0] == ")")
        if depth == 0 and token[0][:1] in "uU":
            found.append((begun, token.start()))
            begun = token.end()
    return (*found, (begun, end))


def _closed(text: str, start: int, end: int, limit: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, start, limit):
        if token.start() >= end and depth == 0:
            return end
        depth += (token[0] == "(") - (token[0] == ")")
        end = max(end, token.end()) if depth <= 0 and token.start() < end else end
        if token.start() >= end and depth == 0:
            return token.end()
    return end if depth == 0 else max(end, limit)
