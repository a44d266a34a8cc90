"""Texts that a database reads as days or times by itself: which forms it takes, and what they say.

A literal is read here; for a column of texts there is a list of Spark's formats.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ruleferry.converters.express.dialects.reading import Dialectal

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})\Z", re.ASCII)
_ISO_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\Z", re.ASCII
)
_DIGITS = re.compile(r"(\d{4})(\d{2})(\d{2})\Z", re.ASCII)
_LOOSE = re.compile(
    r"\s*(?:\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}|\d{1,2}[- /]?[A-Za-z]{3,9}[- /,]*\d{2,4}"
    r"|[A-Za-z]{3,9}[ -]\d{1,2},?[ -]\d{2,4})(?:[ T]+\d{1,2}:\d{2}.*)?\s*\Z",
    re.ASCII,
)

# 2024-03-05 is read by each of them, unless it stops with an error; by these, 20240305, too.
_READ_DIGITS = frozenset({"tsql", "mysql", "postgres", "redshift", "netezza"})
_LEAST_YEAR, _LAST_YEAR = 1800, 2200


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, and the time of it where the text has one."""

    value: datetime
    timed: bool

    @property
    def day(self) -> str:
        return f"{self.value:%Y-%m-%d}".rjust(10, "0")

    @property
    def text(self) -> str:
        fraction = f".{self.value.microsecond:06d}".rstrip("0") if self.value.microsecond else ""
        return f"{self.day} {self.value:%H:%M:%S}{fraction}"

    @property
    def midnight(self) -> bool:
        return (self.value.hour, self.value.minute, self.value.second,
                self.value.microsecond) == (0, 0, 0, 0)  # fmt: skip


def is_iso(text: str) -> bool:
    return _of(_ISO, text) is not None or _of(_ISO_TIME, text) is not None


def is_iso_shaped(text: str) -> bool:
    """Of the form of a day, whether there is such a day or not."""
    return bool(_ISO.match(text) or _ISO_TIME.match(text))


_LETTERS = {"yyyy": "YYYY", "MM": "MM", "dd": "DD", "HH": "HH24", "mm": "MI", "ss": "SS"}


def read_by(java: str, text: str) -> Moment | None:
    """A text in one of Spark's formats."""
    written = re.sub("yyyy|MM|dd|HH|mm|ss", lambda found: _LETTERS[found[0]], java)
    return _by_format(text, written)


def looks_like_a_day(text: str) -> bool:
    """A text that some database would read as a day or a time."""
    if is_iso(text) or _LOOSE.match(text):
        return True
    found = _of(_DIGITS, text)
    return found is not None and _LEAST_YEAR <= found.value.year <= _LAST_YEAR


def read_moment(text: str, here: Dialectal) -> Moment | None:
    """The day or time that the database reads in the text; None where that is not certain."""
    if here.settings.date_format is not None:
        found = _by_format(text, here.settings.date_format)
        if found is not None:
            return found
    found = _of(_ISO, text) or _of(_ISO_TIME, text)
    if found is None and here.dialect.name in _READ_DIGITS:
        found = _of(_DIGITS, text)
    return found


def _of(pattern: re.Pattern[str], text: str) -> Moment | None:
    found = pattern.match(text)
    if found is None:
        return None
    numbers = [int(part or 0) for part in found.groups()]
    if len(numbers) > _FRACTION:
        numbers[_FRACTION] = int((found.groups()[_FRACTION] or "0").ljust(6, "0"))
    try:
        year, month, day, *clock = numbers
        return Moment(_moment((year, month, day), clock), len(numbers) > _DAY)
    except ValueError:
        return None


_DAY, _FRACTION = 3, 6


def _moment(day: tuple[int, int, int], clock: Sequence[int]) -> datetime:
    """Raises ValueError for a day or time that there is not. It has no zone, as in the text."""
    hour, minute, second, fraction = (*clock, 0, 0, 0, 0)[:4]
    return datetime(*day, hour, minute, second, fraction)  # noqa: DTZ001


# The configured format ----------------------------------------------------------------------------

_PARTS: Sequence[tuple[str, str, str]] = (
    ("YYYY", "year", r"\d{4}"), ("RRRR", "year", r"\d{4}"), ("RR", "short", r"\d{2}"),
    ("YY", "short", r"\d{2}"), ("MONTH", "name", r"[A-Za-z]+"), ("MON", "name", r"[A-Za-z]{3}"),
    ("MMM", "name", r"[A-Za-z]{3}"), ("MM", "month", r"\d{1,2}"), ("DD", "day", r"\d{1,2}"),
    ("HH24", "hour", r"\d{1,2}"), ("MI", "minute", r"\d{1,2}"), ("SS", "second", r"\d{1,2}"),
)  # fmt: skip
_NAMES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_FULL = ("JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER",
         "OCTOBER", "NOVEMBER", "DECEMBER")  # fmt: skip
_NEXT_CENTURY = 50


def _by_format(text: str, written: str) -> Moment | None:
    pattern = _pattern(written)
    found = pattern.fullmatch(text.strip()) if pattern else None
    parts = found.groupdict() if found else {}
    day = _day_of(parts)
    if day is None:
        return None
    clock = [int(parts.get(name) or 0) for name in ("hour", "minute", "second")]
    try:
        return Moment(_moment(day, clock), "hour" in parts)
    except (ValueError, TypeError):
        return None


def _pattern(written: str) -> re.Pattern[str] | None:
    """None for a format with letters that are not known."""
    made, rest = "", written.upper()
    while rest:
        part = next((p for p in _PARTS if rest.startswith(p[0])), None)
        if part is not None:
            made += f"(?P<{part[1]}>{part[2]})"
            rest = rest[len(part[0]) :]
        elif rest[0].isalnum():
            return None
        else:
            made += re.escape(rest[0])
            rest = rest[1:]
    try:
        return re.compile(made, re.ASCII)
    except re.error:  # a part stands twice in it
        return None


def _day_of(parts: Mapping[str, str]) -> tuple[int, int, int] | None:
    year = int(parts["year"]) if "year" in parts else _long_year(parts.get("short"))
    month = int(parts["month"]) if "month" in parts else _month(parts.get("name"))
    day = parts.get("day")
    if year is None or month is None or day is None:
        return None
    return year, month, int(day)


def _long_year(short: str | None) -> int | None:
    """As RR reads it in this half of the century."""
    if short is None:
        return None
    return int(short) + (2000 if int(short) < _NEXT_CENTURY else 1900)


def _month(name: str | None) -> int | None:
    for names in (_NAMES, _FULL):
        if name and name.upper() in names:
            return names.index(name.upper()) + 1
    return None
