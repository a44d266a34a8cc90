"""Texts as a cell can hold them, and how much room they need."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ruleferry.converters.reports.text import count, display_width, visible_lines

# Excel counts halves of surrogate pairs.
MOST = 32_767
# Points a line of text is high, and the height of a row at most: the rest shows in the cell itself.
_LINE = 13
_TALLEST = 260
# The first of the wide characters, about.
_WIDE = "\u2e80"
# Lines of a source's own text that a row makes room for: it may be pages long.
_QUOTED = 8
# What a spreadsheet takes for a formula when a person edits the cell.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
# What a reader of the file takes for an escaped character.
_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def cell_text(text: str) -> str:
    """With everything hidden spelt out, save line breaks; cut where a cell is full, and told so."""
    shown = visible_lines(text)
    return shown if len(shown) <= MOST // 2 else _cut(shown)


def _cut(text: str) -> str:
    units = text.encode("utf-16-le")
    if len(units) <= 2 * MOST:
        return text
    room = MOST - len(_missing(len(text)))
    kept = units[: 2 * room].decode("utf-16-le", errors="ignore")
    return f"{kept}{_missing(len(text) - len(kept))}"


def _missing(characters: int) -> str:
    return f" … [{count(characters, 'more character')}]"


def like_a_formula(text: str) -> bool:
    return text.startswith(_FORMULA)


def xml_text(text: str) -> str:
    """A cell's text, as it stands in the file."""
    if "_" in text:
        text = _ESCAPED.sub("_x005F_", text)
    if "&" in text or "<" in text or ">" in text:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text


def height(texts: Sequence[tuple[str, int]], quoted: Sequence[tuple[str, int]] = ()) -> int:
    """Of a row whose cells have these texts and widths, in points; `quoted` ones show their begin.

    Nothing that opens the file reckons it anew. Where a line breaks is a guess, and errs towards
    an empty line.
    """
    needed = [1, *(_lines(*cell) for cell in texts)]
    needed += [min(_lines(*cell), _QUOTED) for cell in quoted]
    return min(max(needed) * _LINE + 4, _TALLEST)


@lru_cache(maxsize=4096)  # possible answers and the like are the same in many rows
def _lines(text: str, width: int) -> int:
    """As a guess that errs towards one too many."""
    if len(text) < width and text.isascii() and "\n" not in text:
        return 1
    lines = text.split("\n", _TALLEST // _LINE)
    if max(text, default="") < _WIDE:
        return sum(1 + len(line) // width for line in lines)
    return sum(1 + display_width(line) // width for line in lines)
