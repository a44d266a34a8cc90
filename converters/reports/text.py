"""Small pieces of text that every report shares: places, counts, and source text made visible."""

import re
import unicodedata
from collections.abc import Iterable

from ruleferry.converters.account import Entry
from ruleferry.converters.rule import Origin

# What a reader can't see, or what reorders or hides what he sees: controls, format characters
# (bidirectional overrides, zero-width), line separators, halves of surrogate pairs, no characters.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAK = re.compile("\r\n?|[\n\x0b\x0c\x85\u2028\u2029]")
# Python makes no number of more digits than 4,300.
_DIGITS = re.compile(r"([0-9]{1,4000})")


def visible(text: str) -> str:
    """The text on one line, with everything hidden in it spelt out.

    A line break becomes `⏎`, a tab a space, any other hidden character `⟨U+202E⟩`.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_spelt, _BREAK.sub("⏎", text).replace("\t", " "))


def visible_lines(text: str) -> str:
    """As `visible`, in the lines that the text has: a line break of any kind is one line feed."""
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(map(visible, _BREAK.split(text)))


def _spelt(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"


def shorten(text: str, width: int) -> str:
    """At most `width` characters; what is cut away shows as `…`."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def display_width(text: str) -> int:
    """The number of terminal columns: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def where(origin: Origin) -> str:
    """FILE:PLACE, as `explain` takes it."""
    return f"{origin.file}:{origin.place}"


def label(entry: Entry) -> str:
    """What a person calls the rule: its title, else its name, else its kind and columns."""
    return entry.title or entry.name or " ".join((entry.kind, *entry.columns))


def full_name(entry: Entry) -> str:
    """`table.name`, as `explain` takes it; a rule without a name goes by its id."""
    return f"{entry.table}.{entry.name}" if entry.name else entry.id


def natural(text: str) -> tuple[str | int, ...]:
    """A sort key that puts `expectations[2]` before `expectations[10]`."""
    parts: list[str | int] = [*_DIGITS.split(text)]
    parts[1::2] = map(int, parts[1::2])
    return tuple(parts)


def count(number: int, word: str, words: str | None = None) -> str:
    """`1 rule`, `2 rules`, `1,000 rules`."""
    return f"{number:,} {word if number == 1 else words or word + 's'}"


def listed(items: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = list(items)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
