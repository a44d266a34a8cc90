"""The second count: how many expectations a suite's text holds, by other means than the reader.

It walks the tokens of the text and counts the elements of the outermost list `expectations`; it
shares nothing with the reader, so that a reader's bug can't hide itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)


def count_expectations(text: str) -> int | None:
    """Elements of the top-level `expectations` list; None where there is no such list."""
    tokens = (match.group() for match in _TOKEN.finditer(text))
    depth = 0
    key = previous = ""
    for token in tokens:
        if token == ":":
            key = previous
        elif token == "[" and depth == 1 and previous == ":" and _names_the_list(key):
            return _elements(tokens)
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        previous = token
    return None


def _names_the_list(key: str) -> bool:
    return key == '"expectations"' or ("\\" in key and json.loads(key) == "expectations")


def _elements(tokens: Iterator[str]) -> int:
    """Commas at the list's own depth, plus one unless it is empty."""
    depth = commas = 0
    empty = True
    for token in tokens:
        if token == "]" and depth == 0:
            break
        empty = False
        if token in ("[", "{"):
            depth += 1
        elif token in ("]", "}"):
            depth -= 1
        elif token == "," and depth == 0:
            commas += 1
    return 0 if empty else commas + 1
