"""Masks of dates and times as strptime formats: `YYYYMMDD`, `yyyy-MM-dd HH:mm:ss`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ruleferry.converters.predicates import Sort
from ruleferry.converters.readers.spreadsheet.values.words import MANY_TEXTS


@dataclass(frozen=True, slots=True)
class Mask:
    """`exact`: each part has all of its digits."""

    format: str
    sort: Sort
    exact: bool = True


_PART = re.compile(r"yyyy|yy|mon|mmm|mm|dd|hh24|hh12|hh|mi|ss|am/pm|t(?=hh)|[a-z]+|[^a-z]+")
_FULL = {"yyyy": "%Y", "yy": "%y", "mmm": "%b", "mon": "%b", "dd": "%d",
         "hh24": "%H", "hh12": "%I", "mi": "%M", "ss": "%S", "am/pm": "%p"}  # fmt: skip
# What may stand between the parts.
_SIGNS = re.compile(r"[-/.: ,]{1,2}")
# Parts by their names, of which nobody says how many digits they have.
_SPOKEN = {
    "day/month/year": "%d/%m/%Y", "month/day/year": "%m/%d/%Y", "year/month/day": "%Y/%m/%d",
    "month/year": "%m/%Y", "day-month-year": "%d-%m-%Y", "month-day-year": "%m-%d-%Y",
    "year-month-day": "%Y-%m-%d", "d/m/yyyy": "%d/%m/%Y", "m/d/yyyy": "%m/%d/%Y",
    "d.m.yyyy": "%d.%m.%Y", "d-m-yyyy": "%d-%m-%Y", "m-d-yyyy": "%m-%d-%Y",
}  # fmt: skip
_SORTS: dict[bool, Sort] = {True: "timestamp", False: "date"}


@lru_cache(MANY_TEXTS)
def format_of(text: str) -> Mask | None:
    """None for a text that is no mask, or one that may be read in two ways."""
    words = _words(text)
    if not words or len(words) > 40:
        return None
    if words in _SPOKEN:
        return Mask(_SPOKEN[words], "date" if "%d" in _SPOKEN[words] else "text", exact=False)
    found = _directives(_PART.findall(words))
    if found is None or _repeats(found):
        return None
    return _mask("".join(found))


def _words(text: str) -> str:
    words = " ".join(text.split())
    for lead in ("format:", "date format:", "in the format", "format"):
        if words.casefold().startswith(lead + " "):
            words = words[len(lead) :].strip()
    words = words.removesuffix(" format").strip("\"'{}<>()")
    return words.replace("'T'", "T").casefold()


def _directives(parts: list[str]) -> list[str] | None:
    found: list[str] = []
    for index, part in enumerate(parts):
        directive = _directive(part, found, parts[index + 1 :])
        if directive is None:
            return None
        found.append(directive)
    return found


def _directive(part: str, before: list[str], after: list[str]) -> str | None:
    if part == "mm":
        return "%M" if _is_minute(before) else "%m"
    if part == "hh":
        return "%I" if "am/pm" in after else "%H"
    if part == "t":
        return "T" if "%d" in before and after[:1] in (["hh"], ["hh24"]) else None
    if part in _FULL:
        return _FULL[part]
    return part if _SIGNS.fullmatch(part) else None


def _is_minute(before: list[str]) -> bool:
    """After the hour."""
    fields = [part for part in before if part.startswith("%")]
    return bool(fields) and fields[-1] in ("%H", "%I")


def _repeats(found: list[str]) -> bool:
    fields = [part for part in found if part.startswith("%")]
    return len(fields) != len(set(fields))


_DAY = frozenset({"%Y", "%y", "%m", "%b", "%d"})
_HOUR = frozenset({"%H", "%I", "%M", "%S", "%p"})
_DATES = ({"%Y", "%m", "%d"}, {"%y", "%m", "%d"}, {"%Y", "%b", "%d"}, {"%y", "%b", "%d"},
          {"%Y", "%m"}, {"%Y", "%b"}, {"%Y"})  # fmt: skip
_TIMES = ({"%H", "%M"}, {"%H", "%M", "%S"}, {"%I", "%M", "%p"}, {"%I", "%M", "%S", "%p"})


def _mask(text: str) -> Mask | None:
    fields = set(re.findall("%.", text))
    day, hour = fields & _DAY, fields & _HOUR
    if not fields or (day and day not in _DATES) or (hour and hour not in _TIMES):
        return None
    if day and hour and "%d" not in day:
        return None
    if not day:
        return Mask(text, "time")
    return Mask(text, _SORTS[bool(hour)]) if len(day) == 3 else Mask(text, "text")
