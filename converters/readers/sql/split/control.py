"""What a client does after a statement: a count of rows that ends the run."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from ruleferry.converters.readers.sql.found import Piece, Script

_FLOW = re.compile(r"\.[ \t]*(?:IF|ELSE(?:IF)?|ENDIF|GOTO|LABEL|QUIT|EXIT|LOGOFF)\b", re.IGNORECASE)
_OF_ROWS = re.compile(r"\.[ \t]*(?:ELSE)?IF\b[^'\"]*\bACTIVITY_?COUNT\b", re.IGNORECASE)
_OF_ERRORS = re.compile(r"\.[ \t]*IF\b[^'\"]*\bERROR(?:CODE|LEVEL)\b", re.IGNORECASE)
_LABEL = re.compile(r"\s*\.[ \t]*LABEL[ \t]+(\w+)", re.IGNORECASE)


def control_after(script: Script, piece: Piece) -> str | None:
    """The commands that decide by the statement's number of rows, and what they go on to.

    One a line, in order, up to the next statement; those that ask for an error's code are left out.
    """
    found: list[str] = []
    for after in pieces_behind(script, place_of(script, piece)):
        if after.kind == "statement":
            break
        text = script.of(after).strip().rstrip("; \t")
        if after.kind == "command" and _FLOW.match(text) and not _is_of_errors(text):
            found.append(text)
    first = next((i for i, text in enumerate(found) if _OF_ROWS.match(text)), None)
    return None if first is None else "\n".join(found[first:])


def at_labels(script: Script) -> Mapping[str, str]:
    """A label in capitals -> the command of the flow next behind it, "" where none is certain."""
    found: dict[str, str] = {}
    for number, piece in enumerate(script.pieces):
        label = _LABEL.match(script.of(piece)) if piece.kind == "command" else None
        if label is not None:
            name = label[1].upper()
            found[name] = "" if name in found else _flow_behind(script, number)
    return found


def _flow_behind(script: Script, number: int) -> str:
    for after in pieces_behind(script, number):
        text = script.of(after).strip().rstrip("; \t")
        if after.kind == "statement":
            break
        if after.kind == "command" and _FLOW.match(text):
            return text
    return ""


def _is_of_errors(text: str) -> bool:
    return bool(_OF_ERRORS.match(text)) and not _OF_ROWS.match(text)


def place_of(script: Script, piece: Piece) -> int:
    """The piece's number in its script."""
    return bisect_left(script.pieces, piece.start, key=lambda other: other.start)


def pieces_behind(script: Script, number: int) -> Iterator[Piece]:
    """Those after the piece of that number; `islice` would count up to it each time."""
    return (script.pieces[at] for at in range(number + 1, len(script.pieces)))
