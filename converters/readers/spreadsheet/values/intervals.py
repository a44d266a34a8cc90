"""The intervals that a text names: `[0,1]`, `10–49, inclusive`, `≥ 30 and ≤ 500`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ruleferry.converters.readers.spreadsheet.values.words import (
    LONGEST,
    MANY_TEXTS,
    classes,
    plain,
    straight,
)


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds as they are written; `name`: what is said to lie between them."""

    low: str = ""
    high: str = ""
    low_open: bool = False
    high_open: bool = False
    name: str = ""


_LEAD = re.compile(
    r"(?:(?:valid |allowed |date |index )?range(?: is)?:?|values?:|numbers?|integers?|must be)"
    r" +(?=\S)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[, ]*\(?\b(inclusive|exclusive|included|excluded)\)?$", re.IGNORECASE)
# A bound: a number with its groups and its unit, a name in quotes or braces, or one word.
_NUM = r"(?:[-+−]?\d+(?:[., \u00a0\u202f]\d+)*(?:[eE][-+]?\d+)?|[-+−]?\.\d+)"
_NO = r"\s<>=≤≥\[\]();|,"
_JOINS = r"(?!(?i:and|or|to|through|thru|until|max|maximum)\b|&)"
_V = rf"(?:{_NUM}(?: ?{_JOINS}[^{_NO}\d][^{_NO}]*){{0,2}}|\"[^\"]+\"|\$?\{{[^{{}}]+\}}|[^{_NO}]+)"
_OP = r"(<=|>=|=<|=>|≤|≥|<|>)"


@lru_cache(MANY_TEXTS)
def intervals_in(text: str) -> tuple[Interval, ...]:
    """Empty where the text as a whole is not one interval or more."""
    words = " ".join(straight(text).split()).rstrip(".")
    if len(words) > LONGEST:
        return ()
    words = _LEAD.sub("", words, count=1) if _LEAD.match(words) else words
    tail = _TAIL.search(words)
    said = tail[1].casefold() if tail else ""
    words = words[: tail.start()].strip() if tail else words
    found = _brackets(words) or _single(words)
    return tuple(_with_ends(one, said) for one in found)


def _with_ends(one: Interval, said: str) -> Interval:
    if said in ("exclusive", "excluded"):
        return Interval(one.low, one.high, bool(one.low), bool(one.high), one.name)
    return one


def _single(words: str) -> tuple[Interval, ...]:
    for shape in (_word, _chain, _two_signs, _labelled, _one_sign, _worded, _dash):
        if found := shape(words):
            return (found,)
    return ()


# In brackets --------------------------------------------------------------------------------------

_B = r"([\[\](]) ?([^\[\]();,|'\"]*?) ?[,;] ?([^\[\]();,|'\"]*?) ?([\])\[])"
_BRACKET = re.compile(_B)
_BRACKETS = re.compile(rf"{_B}(?: ?(?:,|;|or|and|∪|u) ?{_B})*")


def _brackets(words: str) -> tuple[Interval, ...]:
    if not _BRACKETS.fullmatch(words):
        return ()
    found = tuple(
        Interval(low, high, bool(low) and opens != "[", bool(high) and closes != "]")
        for opens, low, high, closes in _BRACKET.findall(words)
    )
    return found if all(one.low or one.high for one in found) else ()


# With signs ---------------------------------------------------------------------------------------

_CHAIN = re.compile(rf"({_V}) ?{_OP} ?(.+?) ?{_OP} ?({_V})")
_TWO_SIGNS = re.compile(rf"{_OP} ?({_V})(?: and | & |, ?(?:and )?| ){_OP} ?({_V})", re.IGNORECASE)
_NAMED_SIGNS = re.compile(rf"(\"[^\"]+\"|[^\W\d]\w*) ?{_OP} ?({_V})")
_ONE_SIGN = re.compile(rf"{_OP} ?({_V})")
_FALLS = ("<", "<=", "=<", "≤")


def _chain(words: str) -> Interval | None:
    found = _CHAIN.fullmatch(words)
    if not found or re.search(r"[<>≤≥=]", found[3]):
        return None
    left, sign, name, other, right = found.groups()
    if (sign in _FALLS) != (other in _FALLS):
        return None
    if sign in _FALLS:
        return Interval(left, right, sign == "<", other == "<", name)
    return Interval(right, left, other == ">", sign == ">", name)


def _two_signs(words: str) -> Interval | None:
    found = _TWO_SIGNS.fullmatch(words)
    if not found or (found[1] in _FALLS) == (found[3] in _FALLS):
        return None
    sides = _side(found[1], found[2]), _side(found[3], found[4])
    low = next(side for side in sides if side.low)
    high = next(side for side in sides if side.high)
    return Interval(low.low, high.high, low.low_open, high.high_open)


def _one_sign(words: str) -> Interval | None:
    if found := _ONE_SIGN.fullmatch(words):
        return _side(found[1], found[2])
    if found := _NAMED_SIGNS.fullmatch(words):
        side = _side(found[2], found[3])
        return Interval(side.low, side.high, side.low_open, side.high_open, found[1])
    return None


def _side(sign: str, bound: str) -> Interval:
    if sign in _FALLS:
        return Interval(high=bound, high_open=sign == "<")
    return Interval(low=bound, low_open=sign == ">")


# With words ---------------------------------------------------------------------------------------

_LABELLED = re.compile(
    rf"min(?:imum)? ?[:=]? ?({_V})(?:,|;| and)? ?max(?:imum)? ?[:=]? ?({_V})", re.IGNORECASE
)
_BETWEEN = re.compile(
    rf"(?:between ({_V}) and ({_V})|(?:from )?({_V}) (?:to|through|thru|until) ({_V})"
    rf"|inrange ({_V}) ({_V}))",
    re.IGNORECASE,
)
_FROM = r"(?:at least|(?:no|not) less than|min(?:imum)?(?: of)?:?)"
_TO = r"(?:at most|(?:no|not) more than|not to exceed|up to|max(?:imum)?(?: of)?:?)"
_SIDES = tuple(
    (re.compile(text, re.IGNORECASE), sign)
    for text, sign in (
        (rf"(?:greater(?: than)? or equal to|{_FROM}) ({_V})", ">="),
        (rf"(?:less(?: than)? or equal to|{_TO}) ({_V})", "<="),
        (rf"(?:greater than|more than|above|over) ({_V})", ">"),
        (rf"(?:less than|below|under|fewer than) ({_V})", "<"),
        (rf"({_NUM}) ?(?:or (?:more|greater|above|higher)|and (?:above|over)|\+)", ">="),
        (rf"({_NUM}) (?:or (?:less|fewer|below|lower)|and below)", "<="),
    )
)


def _labelled(words: str) -> Interval | None:
    found = _LABELLED.fullmatch(words)
    return Interval(found[1], found[2]) if found else None


def _worded(words: str) -> Interval | None:
    for shape, sign in _SIDES:
        if found := shape.fullmatch(words):
            return _side(sign, found[1])
    found = _BETWEEN.fullmatch(words)
    if not found:
        return None
    low, high = (part for part in found.groups() if part)
    return Interval(low, high)


def _word(words: str) -> Interval | None:
    row = classes("ranges").get(plain(words))
    if row == "positive":
        return Interval("0", low_open=True)
    return Interval("0") if row == "non_negative" else None


# With a dash --------------------------------------------------------------------------------------

_PLAIN = r"[-+−]?(?:\d+(?:[,.]\d+)*|\.\d+)"
_UNIT = r"(?: ?(?:%|[^\W\d]+(?:/[^\W\d]+)?))?"
_DASH = re.compile(rf"({_PLAIN}{_UNIT}) ?(?:-|–|—|~|\.\.\.?|…) ?({_PLAIN}{_UNIT})")

_DAY = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
_DAYS = re.compile(rf"({_DAY}) (?:-|–|—|~) ({_DAY})")


def _dash(words: str) -> Interval | None:
    found = _DASH.fullmatch(words) or _DAYS.fullmatch(words)
    return Interval(found[1], found[2]) if found else None
