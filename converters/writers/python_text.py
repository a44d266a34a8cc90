"""Text from a source as Python text: string literals and comments that nothing breaks out of.

A literal is written as `ruff format` would write it. A character whose width on a screen is not
sure to every tool is escaped, so that "does the line fit" has one answer on all machines.
"""

import re
from functools import cache

from ruleferry.converters.reports.text import visible

LINE_LENGTH = 100

# First and last code point, columns. Letters and signs in common use; all else is escaped.
_SHOWN = (
    (0x20, 0x7E, 1),
    (0xA1, 0xAC, 1),  # Latin; U+00AD is an invisible hyphen
    (0xAE, 0x2FF, 1),
    (0x370, 0x482, 1),  # Greek, Cyrillic
    (0x48A, 0x52F, 1),
    (0x5D0, 0x5EA, 1),  # Hebrew
    (0x620, 0x64A, 1),  # Arabic
    (0x660, 0x66D, 1),
    (0x1E00, 0x1FFF, 1),  # more Latin and Greek
    (0x2010, 0x2027, 1),  # dashes, quotes
    (0x2030, 0x205E, 1),
    (0x20A0, 0x20C0, 1),  # currencies
    (0x2190, 0x22FF, 1),  # arrows, mathematics
    (0x3001, 0x3029, 2),  # Chinese, Japanese, Korean
    (0x3041, 0x3096, 2),
    (0x309B, 0x30FF, 2),
    (0x3400, 0x4DBF, 2),
    (0x4E00, 0x9FFF, 2),
    (0xAC00, 0xD7A3, 2),
    (0xFF01, 0xFF60, 2),
)
_SHORT_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Words that make a comment within a comment an order to a tool.
_ORDER = re.compile(
    r"#(?=\s*(?:noqa|ruff|flake8|pylint|isort|fmt|yapf|type|mypy|pyright|nosec|pragma)\b)", re.I
)


def width(text: str) -> int:
    """Columns of one line of text; a character that is not sure counts as two."""
    return len(text) if text.isascii() else sum(_columns(char) or 2 for char in text)


def literal(text: str) -> str:
    """`text` as one Python string literal: double quotes unless single ones need fewer escapes."""
    if text.isascii() and text.isprintable() and '"' not in text:  # nearly all conditions
        return '"' + text.replace("\\", "\\\\") + '"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(_escaped(char, quote) for char in text) + quote


def pieces(text: str, room: int) -> list[str]:
    """`text` as literals of at most `room` columns each (12 at least), to be joined implicitly."""
    parts: list[str] = []
    while text:
        end = _fitting(text, room - 2)
        cut = end if end == len(text) else _best_break(text, end)
        parts.append(literal(text[:cut]))
        text = text[cut:]
    return parts


def with_literal(
    head: str, text: str, tail: str, *, indent: int = 0, brackets: str = "()"
) -> list[str]:
    """The lines of `head` + `text` as a literal + `tail`, the literal on lines of its own if long.

    `head` and `tail` are the Python text around it: `"name": ` and `,`. Where they bring brackets
    of their own, as a call does, `brackets` is empty.
    """
    margin, inner = " " * indent, " " * (indent + 4)
    if len(text) < LINE_LENGTH:
        line = margin + head + literal(text) + tail
        if width(line) <= LINE_LENGTH:
            return [line]
    parts = [inner + part for part in pieces(text, LINE_LENGTH - len(inner))]
    return [margin + head + brackets[:1], *parts, margin + brackets[1:] + tail]


def comment(text: str) -> str:
    """`text` on one line, without anything unseen and without orders to linters and formatters."""
    shown = visible(text)
    return _ORDER.sub(r"\\x23", shown) if "#" in shown else shown


def shortened(text: str, room: int) -> str:
    """The text, or `...` and as much of its end as fits into `room` columns."""
    if width(text) <= room:
        return text
    start, used = len(text), 3
    while used + width(text[start - 1]) <= room:
        start -= 1
        used += width(text[start])
    return "..." + text[start:]


@cache
def _columns(char: str) -> int:
    """Columns of a character that is shown as it is; 0: it is escaped."""
    code = ord(char)
    return next((columns for low, high, columns in _SHOWN if low <= code <= high), 0)


def _escaped(char: str, quote: str) -> str:
    if char == quote:
        return "\\" + char
    return _SHORT_ESCAPES.get(char) or (char if _columns(char) else _code(char))


def _code(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _fitting(text: str, room: int) -> int:
    """How many characters of `text` fit into a literal, its quotes not counted."""
    start = text[:room]
    if start.isascii() and len(literal(start)) == len(start) + 2:
        return len(start)  # nothing to escape
    if start.isascii() and start.isprintable():
        return _fitting_plain(start, room)
    used = double = single = 0
    for index, char in enumerate(text):
        double += char == '"'
        single += char == "'"
        used += width(_escaped(char, ""))
        if used + min(double, single) > room:
            return index
    return len(text)


def _fitting_plain(start: str, room: int) -> int:
    """The same of printable ASCII. A character takes two columns at most."""
    end = len(start)
    while (over := _used(start, end) - room) > 0:
        end -= (over + 1) // 2
    return end


def _used(text: str, end: int) -> int:
    """The columns of the first characters within a literal."""
    quotes = min(text.count('"', 0, end), text.count("'", 0, end))
    return end + text.count("\\", 0, end) + quotes


def _best_break(text: str, end: int) -> int:
    """Where a text is best broken: before AND and OR, after a comma, after a space."""
    connector = max(text.rfind(" AND ", 0, end + 4), text.rfind(" OR ", 0, end + 3))
    found = ((connector, 1), (text.rfind(", ", 0, end), 2), (text.rfind(" ", 0, end), 1))
    cuts = (place + length for place, length in found if place >= 0)
    return next((cut for cut in cuts if cut > end // 3), end)
