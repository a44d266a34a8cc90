"""The values that are allowed: listed in the cell, by a name, as a range, or somewhere else."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from functools import lru_cache

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import CodeList, Column, Setting
from ruleferry.converters.readers.spreadsheet.values.list_texts import (
    Doubt,
    ListText,
    labelled_in,
    values_in,
)
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    NUMBERS,
    Read,
    gap,
    nothing,
    one,
    one_of,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.ranges_text import expanded, interval_read
from ruleferry.converters.readers.spreadsheet.values.words import (
    MANY_TEXTS,
    classes,
    has_word,
    plain,
    says_nothing,
)
from ruleferry.converters.rule import Kind

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)"
_MADE_DAY = re.compile(rf"\d{{1,2}}-{_MONTH}(?:-\d{{2,4}})?|{_MONTH}-\d{{2,4}}", re.ASCII)
_CALCULATION = re.compile(
    r"\b(?:round|sum|if|datediff|mean|min|max|sqrt|coalesce|concat|roundup|rounddown|abs)\s*\("
    r"|\[[A-Za-z_]\w*\]\s*[-+*/<>=]|[-+*/<>=]\s*\[[A-Za-z_]\w*\]",
    re.IGNORECASE,
)
# A format of SAS, or the one of ISO for days and times, in the place of a list.
FOREIGN_FORMAT = re.compile(
    r"\$?(?:date|datetime|time|best|comma|f|ddmmyy|mmddyy|yymmdd)\d*\.?\d*|iso ?-?8601", re.ASCII
)
_ADDRESS = re.compile(r"https?://|www\.", re.IGNORECASE)
_LIST_NAMES = re.compile(
    r"(?:see|refer to|use|lookup|look up|from|as per)?\s*(?:the\s+)?"
    r"(?:(?:code ?list|list|tab|sheet|worksheet|lookup|table|codes|value set)\s*:?\s+)?"
    r"[\"'\[]?(?P<name>[^\"'\]]+?)[\"'\]]?"
    r"(?:\s+(?:code ?list|list|tab|sheet|worksheet|lookup|table|codes|value set))?",
    re.IGNORECASE,
)
_OPEN_END = re.compile(r"(?:\betc\.?|…|\.\.\.)$", re.IGNORECASE)
_PAIR = re.compile(r"\[[^\[\],'\"]+,[^\[\],'\"]+\]")
_RANGE = re.compile(r"(\d{1,6}) ?[-–] ?(\d{1,6})", re.ASCII)


def read_codes(cell: Cell, column: Column, setting: Setting) -> Read:
    return _made_by_program(cell, column) or read_codes_text(cell.text, column, setting)


def read_range(cell: Cell, column: Column, setting: Setting) -> Read:
    """A column of ranges may hold lists as well."""
    return _made_by_program(cell, column) or _range_text(cell.text, column, setting)


def _range_text(text: str, column: Column, setting: Setting) -> Read:
    found = None if says_nothing(text) else interval_read(text, column, setting)
    return found or read_codes_text(text, column, setting, kind="range")


def _made_by_program(cell: Cell, column: Column) -> Read | None:
    """`3-Jan` is what a spreadsheet program makes of 1-3 or 3-1 that somebody typed."""
    is_time = isinstance(cell.value, date | time | timedelta)
    if not is_time and (len(cell.text) > 11 or not _MADE_DAY.fullmatch(plain(cell.text))):
        return None
    reason = f'the cell holds the day or time "{cell.text}"{_meant(cell)}'
    return gap("allowed", "corrupted_cell", reason, column)


def _meant(cell: Cell) -> str:
    if isinstance(cell.value, date):
        day, month = cell.value.day, cell.value.month
        return f", which may have been {month}-{day}, {month:02}-{day:02} or {day}-{month}"
    return ", which a spreadsheet program makes of a range such as 1-3 or 01-03"


def read_codes_text(text: str, column: Column, setting: Setting, kind: Kind = "allowed") -> Read:
    if silent := _silent(text, kind, column):
        return silent
    if found := _named(text, setting):
        return _of_list(found, column, setting)
    if _calculates(text):
        return nothing(kind, "it calculates the field's value, and lists none")
    listed = labelled_in(text)
    if isinstance(listed, ListText):
        return _whole(listed, column, setting)
    if told := _not_all(text, kind, column):
        return told
    if not isinstance(listed, Doubt):
        if read := _range(text, kind, column, setting):
            return read
        listed = _ranges_and_codes(text) or values_in(text)
    if isinstance(listed, ListText):
        return _allowed(_with_blank(listed.values), column, setting)
    return _no_list(text, listed, kind, column)


@lru_cache(MANY_TEXTS)
def _calculates(text: str) -> bool:
    return "|" not in text and bool(_CALCULATION.search(text))


def _range(text: str, kind: Kind, column: Column, setting: Setting) -> Read | None:
    if kind == "allowed" and _PAIR.fullmatch(text.strip()) and column.sort not in NUMBERS:
        return strange(kind, f'"{text}" may be a range, or a list of two values', column)
    return interval_read(text, column, setting)


def _whole(listed: ListText, column: Column, setting: Setting) -> Read:
    """Labels may hold any word, and the last one may end the list with one."""
    if _OPEN_END.search(listed.labels[-1]):
        reason = f'"{_short(listed.labels[-1])}" may say that there are more values'
        return gap("allowed", "partial_list", reason, column)
    return _allowed(listed.values, column, setting)


def _silent(text: str, kind: Kind, column: Column) -> Read | None:
    silent = says_nothing(text)
    if silent:
        return nothing(kind, silent)
    if silent == "":
        reason = f'"{text}" says that it is still to be decided'
        return gap(kind, "not_understood", reason, column)
    if plain(text) in classes("lists") and classes("lists")[plain(text)] == "any_text":
        return nothing(kind, f'"{text}" allows any text')
    return None


# Lists by their names -----------------------------------------------------------------------------


def _named(text: str, setting: Setting) -> CodeList | None:
    for name in _names(text):
        if found := setting.lists(name):
            return found
    return None


@lru_cache(MANY_TEXTS)
def _names(text: str) -> tuple[str, ...]:
    """What in the text may be the name of a list: all of it, or `X` in `See code list X`."""
    if "\n" in text or "|" in text or len(text) > 120:
        return ()
    whole = text.strip()
    name = _LIST_NAMES.fullmatch(whole)
    return (whole, name["name"].strip()) if name else (whole,)


def _of_list(found: CodeList, column: Column, setting: Setting) -> Read:
    if not found.closed:
        reason = f'values may be added to the list "{found.name}" at {found.place}'
        return gap("allowed", "suggested_list", reason, column)
    if not found.values:
        reason = f'the list "{found.name}" at {found.place} is empty'
        return gap("allowed", "list_elsewhere", reason, column)
    return _allowed(found.values, column, setting)


def _allowed(values: tuple[str, ...], column: Column, setting: Setting) -> Read:
    if column.many:
        reason = "each of several values is one of the list"
        return gap("allowed", "several_values", reason, column)
    if setting.closed_lists is False:
        reason = "the profile says that lists are suggestions"
        return gap("allowed", "suggested_list", reason, column)
    return one(one_of(values, column))


def _with_blank(values: tuple[str, ...]) -> tuple[str, ...]:
    """The word "blank" stands for the empty text."""
    return tuple("" if _is_blank(value) else value for value in values)


def _is_blank(value: str) -> bool:
    return plain(value) in classes("blank")


@lru_cache(MANY_TEXTS)
def _ranges_and_codes(text: str) -> ListText | None:
    """`00-07, 09-14, 99` and `1-3 or blank`."""
    parts = [part.strip() for part in re.split(r"[,;]| or ", text) if part.strip()]
    ranges = [_RANGE.fullmatch(part) for part in parts]
    if len(parts) < 2 or not any(ranges):
        return None
    values: list[str] = []
    for part, found in zip(parts, ranges, strict=True):
        between = expanded(found[1], found[2]) if found else (part,)
        if between is None or not (found or part.isdecimal() or _is_blank(part)):
            return None
        values += between
    return ListText(tuple(dict.fromkeys(values)))


# What is no list of its own -----------------------------------------------------------------------


def _not_all(text: str, kind: Kind, column: Column) -> Read | None:
    code, reason = _said_of_list(text)
    return gap(kind, code, reason, column) if code else None


@lru_cache(MANY_TEXTS)
def _said_of_list(text: str) -> tuple[str, str]:
    """The text says itself that it does not hold all values."""
    if _ADDRESS.search(text) or has_word(text, "lists", "elsewhere"):
        return "list_elsewhere", f'"{_short(text)}" says that the values stand elsewhere'
    if word := has_word(text, "lists", "partial"):
        return "partial_list", f'"{word}" says that there are more values'
    if word := has_word(text, "lists", "suggested"):
        return "suggested_list", f'"{word}" says that these are examples'
    if FOREIGN_FORMAT.fullmatch(plain(text)):
        return "format", f'which texts "{text}" allows is not stated exactly'
    if name := has_word(text, "lists", "authorities"):
        return "external_authority", f'"{name}" is a register that others keep'
    return "", ""


def _no_list(text: str, listed: Doubt | None, kind: Kind, column: Column) -> Read:
    if isinstance(listed, Doubt):
        return strange(kind, listed.reason, column)
    if re.fullmatch(r"\[?[\w.$-]+\]?", text.strip()) and re.search(r"[^\W\d_]", text):
        reason = f'the workbook has no list "{text}"'
        return gap(kind, "list_elsewhere", reason, column)
    return strange(kind, f'"{_short(text)}" is neither a list nor a range', column)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:59] + "…"
