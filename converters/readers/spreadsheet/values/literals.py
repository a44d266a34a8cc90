"""The values that stand in texts: numbers, days, this very day, and the name of another column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.values.words import MANY_TEXTS, classes, plain

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)
_GROUPED = re.compile(
    r"[-+]?\d{1,3}(?:(?P<sign>[ ,\u00a0\u2009\u202f'])\d{3})(?:(?P=sign)\d{3})*(?:\.\d+)?",
    re.ASCII,
)
_MINUS = str.maketrans({"−": "-", "–": "-", "﹣": "-"})
# A bound of more digits than any number of a database has is a slip of the keyboard.
_DIGITS = 60


# Where the comma stands before the decimals, 2.500 is 2500.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}\.\d00", re.ASCII)


@lru_cache(MANY_TEXTS)
def number_in(text: str) -> int | Decimal | None:
    """`1,000`, `25 000`, `-.5`, `1e-7`, exactly; None for `1,5` and `2.500`: either may be."""
    text = text.strip()
    if text[:1] in "−–":
        text = text[:1].translate(_MINUS) + text[1:]
    if _GROUPED.fullmatch(text):
        text = re.sub(r"[ ,\u00a0\u2009\u202f']", "", text)
    elif not _NUMBER.fullmatch(text) or _THOUSANDS.fullmatch(text):
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    if len(format(found, "f")) > _DIGITS:
        return None
    return int(found) if found == found.to_integral_value() and "." not in text else found


def is_padded(text: str) -> bool:
    """A leading zero that a number would not keep."""
    digits = text.strip().lstrip("+-−")
    return len(digits) > 1 and digits[0] == "0" and digits.isascii() and digits.isdigit()


# Days ---------------------------------------------------------------------------------------------

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ISO = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.0+)?)?)?", re.ASCII
)
_BY_SLASH = re.compile(r"(\d{1,4})([/.])(\d{1,2})\2(\d{1,4})", re.ASCII)
_NAMED = re.compile(r"(\d{1,2})[- ]([A-Za-z]{3,9})\.?[-, ]+(\d{4})", re.ASCII)
_NAMED_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})", re.ASCII)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)


@lru_cache(MANY_TEXTS)
def day_in(text: str, day_first: bool | None = None, *, compact: bool = False) -> date | None:
    """The day that a text names in one way only; `compact`: 19500101 is one as well.

    `3/4/2024` is one only where it is known which comes first; `3.4.2024` begins with the day.
    """
    text = text.strip()
    if found := _ISO.fullmatch(text):
        return _moment(*found.groups())
    if found := _BY_SLASH.fullmatch(text):
        return _slashed(found, day_first)
    if found := _NAMED.fullmatch(text):
        return _of_month(found[3], found[2], found[1])
    if found := _NAMED_FIRST.fullmatch(text):
        return _of_month(found[3], found[1], found[2])
    if compact and (found := _COMPACT.fullmatch(text)):
        return _day(*found.groups())
    return None


def _moment(year: str, month: str, day: str, *time: str | None) -> date | None:
    found = _day(year, month, day)
    if found is None or time[0] is None:
        return found
    hour, minute, second = (int(part or 0) for part in time)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return datetime(found.year, found.month, found.day, hour, minute, second)  # noqa: DTZ001


def _slashed(found: re.Match[str], day_first: bool | None) -> date | None:
    first, sign, second, third = found.groups()
    if len(first) == 4 and len(third) <= 2:
        return _day(first, second, third)
    if len(third) != 4 or len(first) > 2:
        return None
    as_day, as_month = _day(third, second, first), _day(third, first, second)
    if sign == ".":
        return as_day
    if as_day is None or as_month is None or as_day == as_month:
        return as_day or as_month
    return None if day_first is None else (as_day if day_first else as_month)


def _of_month(year: str, month: str, day: str) -> date | None:
    short = month[:3].casefold()
    return _day(year, str(_MONTHS.index(short) + 1), day) if short in _MONTHS else None


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def day_of_serial(serial: int | Decimal) -> date | None:
    """The day that a spreadsheet program shows for a number, where that is a likely day."""
    if serial != int(serial) or not 10_000 <= serial <= 80_000:
        return None
    return date.fromordinal(date(1899, 12, 30).toordinal() + int(serial))


# Today --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Today:
    days: int = 0
    now: bool = False


_DATEADD = re.compile(r"dateadd\(\s*(?:dd?|day)\s*,\s*([-+]?\d{1,6})\s*,\s*(.+?)\s*\)", re.ASCII)
_MOVED = re.compile(r"(.+?)\s*([-+])\s*(\d{1,6})(?: ?days?| ?d)?", re.ASCII)


@lru_cache(MANY_TEXTS)
def today_in(text: str) -> Today | None:
    """`today`, `{today}`, `today - 30`, `DATEADD(dd,1,GETDATE())`."""
    words = plain(text)
    if len(words) > 2 and words[0] + words[-1] in ("{}", "[]", "<>"):
        words = words[1:-1].strip()
    if found := _DATEADD.fullmatch(words):
        return _moved(_this(found[2]), int(found[1]))
    if this := _this(words):
        return this
    if found := _MOVED.fullmatch(words):
        return _moved(_this(found[1]), int(found[2] + found[3]))
    return None


def _this(words: str) -> Today | None:
    row = classes("today").get(words)
    return Today(now=row == "now") if row else None


def _moved(this: Today | None, days: int) -> Today | None:
    return Today(days, this.now) if this else None


# Names --------------------------------------------------------------------------------------------

_IN_BRACES = re.compile(r"(?:\$?\{([^{}\[\]]+)\}|\[([^{}\[\]]+)\]|<([^<>]+)>)")


@dataclass(frozen=True, slots=True)
class Name:
    """The name of another field, which the cell marks as one."""

    name: str


def name_in(text: str) -> Name | None:
    found = _IN_BRACES.fullmatch(text.strip())
    name = next((part for part in found.groups() if part), "").strip() if found else ""
    return Name(name) if name else None


Literal: TypeAlias = int | Decimal | date | Today | Name


def unquoted(text: str) -> str:
    """The text within one pair of quotes around the whole of it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`" and text[0] not in text[1:-1]:
        return text[1:-1]
    return text
