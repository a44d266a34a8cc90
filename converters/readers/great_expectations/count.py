"""The second count: how many expectations a suite's text holds, by other means than the reader.

It walks the tokens of the text and counts the elements of the outermost list `expectations`; it
shares nothing with the reader, so that a reader's bug can't hide itself.
"""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
_END = re.compile(r"\s*\]")
# A bracket or a comma, after whatever stands before it.
_SIGN = re.compile(r'(?:[^"\[\]{},]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{},])', re.DOTALL)


def count_expectations(text: str) -> int | None:
    """Elements of the top-level `expectations` list; None where there is no such list."""
    depth = 0
    key = previous = ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == ":":
            key = previous
        elif token == "[" and depth == 1 and previous == ":" and _names_the_list(key):
            return _elements(text, match.end())
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        previous = token
    return None


def _names_the_list(key: str) -> bool:
    return key == '"expectations"' or ("\\" in key and json.loads(key) == "expectations")


def _elements(text: str, start: int) -> int:
    """Commas at the list's own depth, plus one unless it is empty."""
    if _END.match(text, start):
        return 0
    depth, commas = 0, 0
    for sign in _SIGN.findall(text, start):
        if sign == ",":
            commas += depth == 0
        elif sign in "[{":
            depth += 1
        elif depth == 0:
            break
        else:
            depth -= 1
    return commas + 1
