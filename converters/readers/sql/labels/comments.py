"""Which comments of a script stand at which rule: above it, in it, behind it on its last line."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ruleferry.converters.readers.sql.found import Found, Piece, Script
from ruleferry.converters.readers.sql.labels.remarks import is_framed
from ruleferry.converters.readers.sql.split.lexer import tokens
from ruleferry.converters.rule import NotARule

_LINE = re.compile(r"\s*(?:REM(?:ARK)?|PROMPT)\b", re.I)
_MARK = re.compile(r"--|/\*|#|//|\bREM\b", re.I)
_TALL = 4  # a block of more lines is a header
_CODE = re.compile(r"[^\s;/&@,]|/(?!\s*$)")
_AT_DATA = re.compile(r"\b(?:FROM|WHERE)\b", re.I)


@dataclass(frozen=True, slots=True)
class Block:
    """Comments with no blank line between them. `names`: near enough to name the rule."""

    start: int
    end: int
    lines: tuple[str, ...]
    framed: bool
    names: bool = True


@dataclass(frozen=True, slots=True)
class _Comment:
    start: int
    end: int


def blocks_at(founds: Sequence[Found], script: Script) -> list[tuple[Block, ...]]:
    """For each of the founds those that stand at it, the nearest first."""
    ends = sorted({f.end for f in founds if not isinstance(f.checked.check, NotARule)})
    blocks = list(_blocks(list(_comments(script)), script.text, ends))
    starts = [block.start for block in blocks]
    return [_at(found, ends, blocks, starts, script.text) for found in founds]


def _comments(script: Script) -> Iterator[_Comment]:
    for piece in script.pieces or (Piece("statement", 0, len(script.text)),):
        if piece.kind == "comment" or _is_remark(piece, script.text):
            yield _Comment(piece.start, piece.end)
        elif piece.kind == "statement":
            yield from _within(piece, script)


def _is_remark(piece: Piece, text: str) -> bool:
    return piece.kind == "command" and _LINE.match(text, piece.start) is not None


def _within(piece: Piece, script: Script) -> Iterator[_Comment]:
    if not _MARK.search(script.text, piece.start, piece.end):
        return
    for kind, start, end in tokens(script.text, script.dialect, piece.start, piece.end):
        if kind == "comment":
            yield _Comment(start, end)


def _blocks(comments: Sequence[_Comment], text: str, ends: Sequence[int]) -> Iterator[Block]:
    """Parted by code, by a blank line, and after a comment on a rule's last line."""
    if not comments:
        return
    row = [comments[0]]
    for before, comment in pairwise(comments):
        if _is_parted(before, comment, text) or _is_beside(before, text, ends):
            yield _block(row, text)
            row = []
        row.append(comment)
    yield _block(row, text)


def _is_parted(before: _Comment, comment: _Comment, text: str) -> bool:
    between = text[before.end : comment.start]
    blank = (text[before.end - 1 : before.end] + between).count("\n") > 1
    return blank or bool(between.strip())


def _is_beside(comment: _Comment, text: str, ends: Sequence[int]) -> bool:
    """A rule ends before it on its line."""
    line = text.rfind("\n", 0, comment.start) + 1
    last = _last(ends, comment.start)
    return last is not None and last > line


def _last(ends: Sequence[int], at: int) -> int | None:
    """The end of the rule that is nearest before an offset."""
    place = bisect_right(ends, at)
    return ends[place - 1] if place else None


def _block(row: Sequence[_Comment], text: str) -> Block:
    start, end = row[0].start, row[-1].end
    whole = text[start:end]
    return Block(start, end, tuple(whole.splitlines()), is_framed(whole))


def _at(
    found: Found, ends: Sequence[int], blocks: Sequence[Block], starts: Sequence[int], text: str
) -> tuple[Block, ...]:
    low = _last(ends, found.start) or 0
    line_end = _end_of_line(text, found.end)
    above, inside, beside = [], [], []
    for block in blocks[bisect_left(starts, low) : bisect_left(starts, line_end)]:
        if block.start >= found.end:
            beside += [block] if not _CODE.search(text[found.end : block.start]) else []
        elif block.start >= found.start:
            inside.append(_with_name(block, not _AT_DATA.search(text, found.start, block.start)))
        elif not _is_of_line(block, low, text):
            above.append(_above(block, found, text))
    return (*above[-1:], *inside, *beside, *reversed(above[:-1]))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _is_of_line(block: Block, low: int, text: str) -> bool:
    """It stands behind the rule before, on its last line."""
    return low > 0 and "\n" not in text[low : block.start]


def _above(block: Block, found: Found, text: str) -> Block:
    between = text[block.end : found.start]
    far = bool(between.strip(" \t\r\n;"))
    header = block.framed or len(block.lines) > _TALL or (block.start == 0 and "\n\n" in between)
    return _with_name(block, not (far or header))


def _with_name(block: Block, names: bool) -> Block:
    return Block(block.start, block.end, block.lines, block.framed, names and not block.framed)
