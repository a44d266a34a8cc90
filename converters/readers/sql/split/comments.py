"""The comments that belong to a statement, and what they say without their marks and frames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from ruleferry.converters.readers.sql.found import Piece, Script
from ruleferry.converters.readers.sql.split.control import pieces_behind, place_of
from ruleferry.converters.readers.sql.split.lexer import tokens

Where: TypeAlias = Literal["above", "inside", "beside", "header"]
_Span: TypeAlias = tuple[int, int]

_NEW_LINE = re.compile(r"\r\n?|\n")
_MARK = re.compile(r"--+|#+|//+|(?:REM(?:ARK)?|PRO(?:MPT)?)\b", re.IGNORECASE)
_BLOCK = re.compile(r"/\*+(?:[!+](?=\d))?|\*+/\Z|\{#-?|-?#\}\Z")
# What begins or ends a line of a frame: | text |, * text, ==== text ====
_LEFT = re.compile(r"\s*(?:[*|#]+(?=\s|\Z)|[-=*#~+_/|]{2,})?\s*")
_RIGHT = re.compile(r"(?:\s+[*|#]+|\s*[-=*#~+_/|]{2,})?\s*\Z")
# Of a header that goes on for pages the first lines say what there is to know.
_MOST_IN_HEADER = 200


@dataclass(frozen=True, slots=True)
class Comment:
    """text[start:end] of the script; `text`: what it says, without marks, frames and rulers."""

    start: int
    end: int
    text: str
    where: Where


def comments_of(script: Script, piece: Piece) -> tuple[Comment, ...]:
    """The file's header, then those above, inside and beside the statement, as they stand.

    Above are those that no blank line parts from the statement; if there is none, the nearest that
    are together. The header is what stands first in the file, apart from all that follows.
    """
    number = place_of(script, piece)
    header = _header(script)
    above = [span for span in _above(script, number) if span not in header]
    inside, behind = _inside(script, piece), _behind(script, number)
    return (
        *_told(script, header, "header"),
        *_told(script, above, "above"),
        *_told(script, inside, "inside"),
        *_told(script, behind, "beside"),
    )


def _told(script: Script, spans: Iterable[_Span], where: Where) -> Iterator[Comment]:
    for start, end in spans:
        if text := bare(script.text[start:end]):
            yield Comment(start, end, text, where)


# Where they stand ---------------------------------------------------------------------------------


def _header(script: Script) -> list[_Span]:
    first = list(islice(_leading(script), _MOST_IN_HEADER))
    groups = _groups(script, first)
    if not groups or (len(groups) == 1 and first[-1].kind != "blank"):
        return []
    is_apart = len(groups) > 1 or _lines(script, first[-1]) > 1
    return groups[0] if is_apart else []


def _leading(script: Script) -> Iterator[Piece]:
    for piece in script.pieces:
        if piece.kind == "statement":
            return
        yield piece


def _above(script: Script, number: int) -> list[_Span]:
    first = number
    while first > 0 and script.pieces[first - 1].kind != "statement":
        first -= 1
    between = script.pieces[first:number]
    others = set(_behind(script, first - 1)) if first else set()
    groups = _groups(script, [p for p in between if (p.start, p.end) not in others])
    return groups[-1] if groups else []


def _groups(script: Script, pieces: Sequence[Piece]) -> list[list[_Span]]:
    """Comments that neither a blank line nor a separator parts."""
    groups: list[list[_Span]] = [[]]
    for piece in pieces:
        if piece.kind == "comment":
            groups[-1].append((piece.start, piece.end))
        elif piece.kind == "separator" or (piece.kind == "blank" and _lines(script, piece) > 1):
            groups.append([])
    return [group for group in groups if group]


def _behind(script: Script, number: int) -> list[_Span]:
    """Those on the last line of a statement, unless another begins there."""
    found: list[_Span] = []
    for piece in pieces_behind(script, number):
        if piece.kind == "blank" and _lines(script, piece):
            return found
        if piece.kind == "statement":
            return []
        if piece.kind == "comment":
            found.append((piece.start, piece.end))
    return found


def _lines(script: Script, piece: Piece) -> int:
    return len(_NEW_LINE.findall(script.text, piece.start, piece.end))


def _inside(script: Script, piece: Piece) -> Iterator[_Span]:
    for kind, start, end in tokens(script.text, script.dialect, piece.start, piece.end):
        if kind == "comment":
            yield start, end


# What they say ------------------------------------------------------------------------------------


def bare(comment: str) -> str:
    """The lines that say something, each without the signs that frame it."""
    block = comment.startswith(("/*", "{#"))
    inner = _BLOCK.sub("", comment) if block else _MARK.sub("", comment, count=1)
    lines = (_unframed(line) for line in _NEW_LINE.split(inner))
    return "\n".join(line for line in lines if line)


def _unframed(line: str) -> str:
    left = _LEFT.match(line)
    return _RIGHT.sub("", line[left.end() if left else 0 :])
