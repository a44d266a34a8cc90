"""Statements that mean something only together, as one piece."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.readers.sql.found import Piece


def joined(pieces: Sequence[Piece]) -> list[Piece]:
    """From the first statement to the last one: a single one."""
    places = [i for i, piece in enumerate(pieces) if piece.kind == "statement"]
    if not places:
        return list(pieces)
    first, last = places[0], places[-1]
    one = Piece("statement", pieces[first].start, pieces[last].end)
    return [*pieces[:first], one, *pieces[last + 1 :]]


class Variables:
    """Names that DECLARE makes and later statements use as if they were columns.

    `_first`: the piece of the first DECLARE whose name is used, `_last`: that of the last use.
    """

    def __init__(self) -> None:
        self._declared: dict[str, int] = {}
        self._before = ""
        self._declares = False
        self._piece = -1
        self._first: int | None = None
        self._last = -1

    def token(self, token: str, piece: int) -> None:
        if piece != self._piece:
            self._piece, self._declares, self._before = piece, token == "DECLARE", ""
        if token[:1].isalpha() or token[:1] == "_":
            self._word(token, piece)
        self._before = token

    def _word(self, word: str, piece: int) -> None:
        if self._declares and self._before in ("DECLARE", ",", "VARIABLE", "VAR", "REPLACE"):
            self._declared.setdefault(word, piece)
        declared = self._declared.get(word)
        if declared is not None and declared != piece and self._before != ".":
            self._first = declared if self._first is None else min(self._first, declared)
            self._last = piece

    def end(self, pieces: Sequence[Piece]) -> list[Piece]:
        if self._first is None:
            return list(pieces)
        end = self._last + 1
        return [*pieces[: self._first], *joined(pieces[self._first : end]), *pieces[end:]]
