"""SIMILAR TO as a regular expression of Java."""

from __future__ import annotations

import re

from ruleferry.converters.express.refusal import Refusal

_PLAIN = re.compile(r"[A-Za-z0-9 @#&,;:<>=~'\"!/`\-]|[^\x00-\x7f]")
_AS_IT_IS = frozenset("|*+?()")
_COUNT = re.compile(r"\{\d{1,4}(?:,\d{0,4})?\}")
_SET = re.compile(r"\[\^?[^\[\]\\^&]+\]")
_NAMED = re.compile(r"\[(\^?)\[:(alpha|digit|alnum|upper|lower|space):\]\]")
_CLASSES = {
    "alpha": "A-Za-z", "digit": "0-9", "alnum": "A-Za-z0-9", "upper": "A-Z", "lower": "a-z",
    "space": r"\s",
}  # fmt: skip


def similar(pattern: str) -> str:
    """The whole text is matched; % and _ are wildcards. Raises Refusal."""
    made, at = "", 0
    while at < len(pattern):
        length, piece = _piece(pattern, at)
        made += piece
        at += length
    try:
        re.compile(made)
    except re.error as error:
        raise Refusal("regex", f"the SIMILAR TO pattern {pattern!r} is invalid") from error
    return f"(?s)^(?:{made})\\z" if "." in made else f"^(?:{made})\\z"


def _piece(pattern: str, at: int) -> tuple[int, str]:
    char = pattern[at]
    if char in "%_":
        return 1, ".*" if char == "%" else "."
    if char in _AS_IT_IS or _PLAIN.match(char):
        return 1, char
    if char in ".^$":
        return 1, f"\\{char}"
    if char == "\\" and at + 1 < len(pattern) and not pattern[at + 1].isalnum():
        return 2, re.escape(pattern[at + 1])
    if found := _COUNT.match(pattern, at):
        return len(found[0]), found[0]
    if found := _NAMED.match(pattern, at):
        return len(found[0]), f"[{found[1]}{_CLASSES[found[2]]}]"
    if found := _SET.match(pattern, at):
        return len(found[0]), found[0]
    raise Refusal("regex", f"the SIMILAR TO pattern {pattern!r} can't be read at {pattern[at:]!r}")
