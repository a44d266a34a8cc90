"""Formats and patterns: masks of days, digits and places, and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ruleferry.converters.predicates import Format, Matches, Sort, Typed
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.code_lists import (
    FOREIGN_FORMAT,
    read_codes_text,
)
from ruleferry.converters.readers.spreadsheet.values.date_formats import format_of
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    Read,
    gap,
    nothing,
    one,
    rule,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.type_texts import UUID
from ruleferry.converters.readers.spreadsheet.values.words import (
    MANY_TEXTS,
    classes,
    has_word,
    plain,
    says_nothing,
)
from ruleferry.converters.rule import Caveat, Kind

_SORTS: Mapping[str | None, Sort] = {
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
}
_HASHES = re.compile(r"[#\- ./()]*#[#\- ./()]*")
_PLACEHOLDER = re.compile(r"\{[^{}]*[A-Za-z][^{}]*\}")
_WIDTH = re.compile(r"\$?\d+\.\d*|\$\d+", re.ASCII)
_LIKE_A_MASK = re.compile(r"(?=.*yyyy)[ymdhszt:/., +-]+", re.ASCII)
_DIGIT_MASK = re.compile(r"[n9x]+(?:[.,\-/][n9x]+)*", re.ASCII)
_OPTIONS = re.compile(r"\[[^\[\]{}\\^]*\|[^\[\]{}\\^]*\]")
_PLACES = re.compile(r"number_(\d)dp(?:_comma_decimal)?", re.ASCII)


def read_format(cell: Cell, column: Column, setting: Setting) -> Read:
    text = cell.text
    return _told(text, column) or _mask(text, column, setting) or _left(text, column)


def _told(text: str, column: Column) -> Read | None:
    if silent := says_nothing(text):
        return nothing("format", silent)
    word = plain(text)
    if reason := classes("formats_without_a_rule").get(word):
        return nothing("format", reason)
    row = classes("formats").get(word)
    if row in _SORTS:
        return one(rule("type", Typed(column.name, _SORTS[row]), column))
    if row == "uuid":
        return one(rule("pattern", Matches(column.name, (UUID,)), column))
    if row == "upper":
        return one(_without("[a-zß-öø-ÿ]", column))
    if row == "lower":
        return one(_without("[A-ZÀ-ÖØ-Þ]", column))
    if row == "unstated":
        reason = f'which texts "{text}" allows is not stated'
        return gap("format", "format", reason, column)
    return None


def sort_in(text: str) -> Sort | None:
    """What a format says of the sort of the values."""
    row = classes("formats").get(plain(text))
    if row in _SORTS:
        return _SORTS[row]
    mask = format_of(text)
    return mask.sort if mask and mask.sort != "text" else None


def _without(letters: str, column: Column) -> Statement:
    return rule("not_pattern", Matches(column.name, (letters,), negated=True), column)


def _mask(text: str, column: Column, setting: Setting) -> Read | None:
    if mask := format_of(text):
        kind: Kind = "format"
        return one(rule(kind, Format(column.name, mask.format, exact=mask.exact), column))
    if pattern := _of_hashes(text):
        return one(rule("pattern", Matches(column.name, (pattern,)), column))
    if places := _PLACES.fullmatch(plain(text)):
        predicate = Typed(column.name, "decimal", scale=int(places[1]))
        return one(rule("type", predicate, column))
    if _OPTIONS.fullmatch(text.strip()):
        return read_codes_text(text, column, setting, kind="format")
    return None


@lru_cache(MANY_TEXTS)
def _of_hashes(text: str) -> str:
    """`###-###-####`: each # is one digit, what stands between them is itself."""
    text = text.strip()
    if not _HASHES.fullmatch(text):
        return ""
    runs = re.findall(r"#+|[^#]", text)
    return f"^{''.join(_run(run) for run in runs)}$"


def _run(run: str) -> str:
    if run[0] != "#":
        return re.escape(run)
    return "[0-9]" if len(run) == 1 else f"[0-9]{{{len(run)}}}"


def _left(text: str, column: Column) -> Read:
    word = plain(text)
    known = (
        _PLACEHOLDER.search(text)
        or FOREIGN_FORMAT.fullmatch(word)
        or _WIDTH.fullmatch(word)
        or _LIKE_A_MASK.fullmatch(word)
        or _DIGIT_MASK.fullmatch(word)
        or has_word(text, "formats", "unstated")
    )
    if known:
        reason = f'which texts "{text}" allows is not stated exactly'
        return gap("format", "format", reason, column)
    if re.search(r"[\\^$]|\[[^\]]+\][*+?{]|\([^)]*\|", text):
        return read_regex(text, column)
    return strange("format", f'"{text}" is no format that is known', column)


# Regular expressions ------------------------------------------------------------------------------

_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_FLAGS = re.compile(r"\(\?([a-zA-Z]+)\)")
_SIGNS = re.compile(r"[\\^$*+?\[{(|]")


def read_pattern(cell: Cell, column: Column, setting: Setting) -> Read:
    text = cell.text
    for read in (_told(text, column), _mask(text, column, setting)):
        if read:
            return read
    if _PLACEHOLDER.search(text):
        reason = f'which texts stand in place of the braces of "{text}" is not stated'
        return gap("pattern", "format", reason, column)
    return read_regex(text, column)


def read_regex(text: str, column: Column) -> Read:
    pattern, fault = _regex(text.strip())
    if fault:
        known = fault != _NO_SIGN
        return gap("pattern", "regex" if known else "not_understood", fault, column, known=known)
    if _is_anchored(pattern):
        return one(rule("pattern", Matches(column.name, (pattern,)), column))
    whole = _as_whole(pattern)
    if not _compiles(whole):
        return gap("pattern", "regex", "it can't be anchored to the whole value", column)
    caveat = Caveat("pattern_whole", "it has no anchors: the whole value must match it")
    return one(rule("pattern", Matches(column.name, (whole,)), column, caveats=(caveat,)))


_NO_SIGN = "it has no sign of a regular expression"


@lru_cache(MANY_TEXTS)
def _regex(text: str) -> tuple[str, str]:
    """The pattern, and what is wrong with it."""
    slashed = _SLASHED.fullmatch(text)
    pattern = slashed[1] if slashed else text
    if slashed and slashed[2] not in ("", "i", "g", "u"):
        return "", f'its flags "{slashed[2]}" are not carried over'
    if slashed and slashed[2] == "i":
        pattern = f"(?i){pattern}"
    if not _SIGNS.search(pattern) or _is_prose(pattern):
        return "", _NO_SIGN
    flags = _FLAGS.match(pattern)
    if flags and "x" in flags[1]:
        return "", "it is written over lines, with blanks that do not count"
    return pattern, "" if _compiles(pattern) else "Python can't read it as a regular expression"


def _is_prose(pattern: str) -> bool:
    return bool(re.fullmatch(r"(?:[\w,;:'\"()-]+[.?]? )+[\w,;:'\"()-]+[.?]?", pattern))


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _is_anchored(pattern: str) -> bool:
    """It says itself where the value begins or ends."""
    bare = _FLAGS.sub("", pattern, count=1)
    at_end = bare.endswith(("$", r"\Z", r"\z")) and not bare.endswith((r"\$", r"\\Z"))
    return bare.startswith(("^", r"\A")) or at_end


def _as_whole(pattern: str) -> str:
    flags = _FLAGS.match(pattern)
    head = flags.group() if flags else ""
    return f"{head}^(?:{pattern[len(head) :]})$"
