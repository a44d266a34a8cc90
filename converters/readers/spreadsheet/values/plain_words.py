"""Cells that tell of a field and state no rule about its values, and the cardinality."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleferry.converters.predicates import Present
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    KINDS,
    Read,
    gap,
    nothing,
    one,
    permitted,
    rule,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.words import plain, says_nothing

_REASONS: Mapping[Meaning, str] = {
    "default": "it says what is filled in where nothing is given",
    "null_words": "it says which texts count as a missing value",
    "status": "it says whether the field is in force",
    "severity": "it says how grave a bad record is",
    "action": "it says what is done with a bad record",
}
_MANY = frozenset({"n", "m", "*", "-1", "many", "multiple", "several", "unbounded", "repeated"})
_ONE = frozenset({"1", "one", "single", "0..1", "0-1", "zero or one", "at most one"})
_OF_TABLES = re.compile(r"(?:[01nm*]|one|many|zero) ?(?::|to|-to-|or) ?(?:[01nm*]|one|many)")
_COUNT = re.compile(r"\d{1,6}", re.ASCII)
_FROM_TO = re.compile(r"(\d{1,6}|zero|one) ?(?:\.\.\.?|-|–|…) ?(\d{1,6}|\*|n|m|many|more|-1)")


def read_plain(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> Read:
    return nothing(KINDS[meaning], _REASONS[meaning])


def read_cardinality(cell: Cell, column: Column, setting: Setting) -> Read:
    word = plain(cell.text)
    if silent := says_nothing(cell.text):
        return nothing("present", silent)
    if word in _ONE:
        return nothing("present", "it says that the field holds one value")
    if word in _MANY:
        return nothing("present", "it says that the field holds several values")
    if _COUNT.fullmatch(word) and int(word) > 1:
        return nothing("present", "it says how many values the field may hold")
    if word in ("0", "0..0"):
        return permitted(column)
    if found := _FROM_TO.fullmatch(word):
        if found[1] in ("0", "zero"):
            return permitted(column)
        if found[1] in ("1", "one"):
            return one(rule("present", Present(column.name), column))
    if _OF_TABLES.fullmatch(word):
        reason = f'"{cell.text}" may say how many records of two tables belong together'
        return gap("present", "not_understood", reason, column)
    return strange("present", f'"{cell.text}" is no number of values', column)


def is_many(text: str) -> bool:
    """A cardinality cell says that the field may hold several values."""
    word = plain(text)
    found = _FROM_TO.fullmatch(word)
    upper = found[2] if found else word
    return upper in _MANY or upper == "more" or (bool(_COUNT.fullmatch(upper)) and int(upper) > 1)
