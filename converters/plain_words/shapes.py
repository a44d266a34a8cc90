"""Conditions that differ in names and literals alone are said once.

The words of a shape are said of stand-ins, and each condition's own names and literals take their
places, written as they are everywhere. What more is seen in than in its stand-in stays as it is: an
empty text, 0 and 1, a LIKE pattern, a date, a word of SQL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ruleferry.converters.plain_words.names import name, pattern, text

# Every character is one of these; an escape, a comment or a name in quotes has no shape.
_TOKEN = re.compile(
    r"(?P<text>'[^'\\]*')|(?P<number>\d+(?:\.\d+)?)(?![\w.])|(?P<word>[^\W\d]\w*)(?P<open>\(?)"
    r"|(?P<between>[\s<>=(),+%!]+|-(?!-)|\*(?!/)|/(?!\*))|(?P<none>.)",
    re.DOTALL,
)
_KEPT_TEXT = """
and any array as asc between bigint binary boolean both by byte case cast collate current_date
current_time current_timestamp current_user cross date day days decimal default desc distinct
div double else end escape exists false filter float following for from full group having hour
hours ilike in inner int integer intersect interval is lateral leading left like limit localtime
localtimestamp long lower minute minutes month months natural not null nulls on or order over
partition preceding regexp right rlike rows second seconds select session_user short similar
smallint some string table then time timestamp timestamp_ltz timestamp_ntz tinyint to trailing
true try_cast union unknown user using values varchar void week when where window with within
xor year years char character
"""
_KEPT = frozenset(_KEPT_TEXT.split())
_KEEP_TEXTS = ("interval", "date", "timestamp", "like", "ilike", "escape", "similar", "to")
_STAND_IN = re.compile(r"wv[ctp]\d+w|20000000\d\d")


# Where a literal is more than a value: the form of a time, the size of a number.
_TIMES, _SIZES = "try_to_timestamp", "DECIMAL"
_MOST = 90


@dataclass(slots=True)
class _Shape:
    """`shown`: stand-in -> how what it stands for is written in a sentence."""

    texts: bool
    numbers: bool
    shown: dict[str, str] = field(default_factory=dict)
    known: dict[tuple[str, str], str] = field(default_factory=dict)
    spelt: dict[str, str] = field(default_factory=dict)
    last: str = ""
    after_text: bool = False
    lost: bool = False

    def put(self, found: re.Match[str]) -> str:
        token, kind = found.group(), found.lastgroup
        if kind == "between":
            self.after_text = self.after_text and token.isspace()
            return token
        if kind == "text":
            return self._text(token)
        self.after_text = False
        if kind == "open":
            return self._word(found["word"], token)
        if kind == "number":
            kept = token in ("0", "1") or not self.numbers
            return token if kept else self._stand_in("n", token, str)
        self.lost = True
        return token

    def _word(self, word: str, token: str) -> str:
        self.last = word.lower()
        if word != token or self.last in _KEPT:
            return token
        self.lost = self.lost or self.spelt.setdefault(self.last, word) != word
        return self._stand_in("c", word, _name)

    def _text(self, token: str) -> str:
        self.lost = self.lost or self.after_text  # two that are one
        self.after_text = True
        value = token[1:-1]
        if not value or self.last in _KEEP_TEXTS or not self.texts:
            return token
        kind, say = ("p", pattern) if self.last == "rlike" else ("t", text)
        return f"'{self._stand_in(kind, value, say)}'"

    def _stand_in(self, kind: str, value: str, say: Callable[[str], str]) -> str:
        found = self.known.get((kind, value))
        if found is None:
            count = len(self.known)
            found = str(2_000_000_001 + count) if kind == "n" else f"wv{kind}{count}w"
            self.known[kind, value] = found
            self.shown[found] = say(value)
        return found


def _name(word: str) -> str:
    return name([word])


def shape(condition: str) -> tuple[str, dict[str, str]] | None:
    """The condition with stand-ins, and what is shown for each; None where it has no shape."""
    if _STAND_IN.search(condition):
        return None
    made = _Shape(texts=_TIMES not in condition, numbers=_SIZES not in condition)
    like = _TOKEN.sub(made.put, condition)
    return None if made.lost or len(made.known) > _MOST else (like, made.shown)


def filled(words: str, shown: Mapping[str, str]) -> str:
    return _STAND_IN.sub(lambda found: shown.get(found.group(), found.group()), words)
