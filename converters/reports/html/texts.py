"""Text from sources on a page: markup is escaped, what is hidden is spelt out, what is long folds.

Everything that a template puts out passes `shown`, save what these filters have made safe already.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from ruleferry.converters.reports.text import count, shorten, visible

if TYPE_CHECKING:
    from markupsafe import Markup

# Beyond these a text is cut, and what follows folds away.
LONG = 1_200
LINES = 18
TITLE = 160
_PARTS = re.compile(r"[^/._]+[/._]*|[/._]+", re.DOTALL)
_BREAK = re.compile("\r\n?|\n")


def shown(value: object) -> object:
    """What a template puts out: no control, no override of direction, no half of a pair."""
    return visible(value) if type(value) is str else value


def title(text: str) -> str:
    """For one line: the whole text stands elsewhere."""
    return shorten(visible(text[: TITLE + 1]), TITLE)


def in_parts(text: str) -> Markup:
    """A name or a path in one line, for an element: it may break behind a separator."""
    from markupsafe import Markup

    return Markup("<wbr>").join(map(_of_element, _PARTS.findall(title(text))))


def block(text: str) -> Markup:
    """The text with its own line breaks, for an element (no attribute) that keeps white space."""
    if len(text) <= LONG and text.isascii() and text.isprintable():
        return _of_element(text)
    head, rest = cut(text)
    if not rest:
        return _of_element(_lines(head))
    more = count(len(rest), "more character")
    return _fold().format(_of_element(_lines(head)), more, _of_element(_lines(rest)))


def _of_element(text: str) -> Markup:
    """Quotes are no markup between tags, and of ten thousand rules they are half a megabyte."""
    from markupsafe import Markup

    return Markup(escape(text, quote=False))  # noqa: S704 - it is escaped just here


@cache
def _fold() -> Markup:
    from markupsafe import Markup

    return Markup(
        '{}<details class="more"><summary>{}</summary><div class="rest">{}</div></details>'
    )


def cut(text: str) -> tuple[str, str]:
    """What is shown at once, and what folds: where a line ends, if one does."""
    lines = _BREAK.split(text)
    if len(text) <= LONG and len(lines) <= LINES:
        return text, ""
    end = min(LONG, sum(len(line) + 1 for line in lines[:LINES]) - 1)
    # Not between the two characters of one line break.
    end -= text[end - 1 : end + 1] == "\r\n"
    return text[:end], text[end:]


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in _BREAK.split(text))


def plain(text: str) -> bool:
    """Whether a reader sees every character of it, so that what is copied is what is meant."""
    return _lines(text) == text


def is_long(text: str) -> bool:
    return cut(text)[1] != ""


def lines(text: str) -> Markup:
    """Uncut, with its own line breaks; for an element, and no attribute."""
    return _of_element(_lines(text))
