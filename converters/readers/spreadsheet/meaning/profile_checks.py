"""Checks of the values that a profile gives."""

from __future__ import annotations

import re
from typing import get_args

from ruleferry.converters.readers.spreadsheet.blocks import SheetKind
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Continuation
from ruleferry.converters.toml_checks import Unfit, one_of

kind = one_of(*get_args(SheetKind))
continuation = one_of(*get_args(Continuation))
used = one_of("skip", "use")
polarity = one_of("inverted", "plain")
relevance = one_of("off", "warn")
suggestions = one_of("report", "warn")
table_from = one_of("sheet", "cell", "column", "name")


def row(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise Unfit("a row as the sheet counts it, 1 or more")


def letters(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z]{1,3}", value):
        return value.upper()
    raise Unfit('the letters of a column, such as "J"')


def address(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z]{1,3}[1-9]\d*", value, re.ASCII):
        return value.upper()
    raise Unfit('the address of a cell, such as "B1"')


def filled(value: object) -> str:
    """A text of any signs: headers hold line breaks, and a separator may be a blank."""
    if isinstance(value, str) and value:
        return value
    raise Unfit("a text in quotes, not empty")


def header(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise Unfit("the text of a header in quotes")


def headers(value: object) -> tuple[str, ...]:
    """One header or a list of them."""
    return tuple(map(header, value)) if isinstance(value, list) else (header(value),)


def patterns(value: object) -> tuple[str, ...]:
    """One name with * and ?, or a list of them."""
    return tuple(map(filled, value)) if isinstance(value, list) else (filled(value),)


def legend(value: object) -> bool | str:
    if isinstance(value, bool) or (isinstance(value, str) and value.strip()):
        return value
    raise Unfit("true, false or a word in quotes")


def sentinels(value: object) -> tuple[str, ...]:
    """Values that stand for a missing one: numbers or texts."""
    if not isinstance(value, list) or any(isinstance(item, bool) for item in value):
        raise Unfit("a list of numbers or texts")
    return tuple(map(_sentinel, value))


def _sentinel(value: object) -> str:
    text = str(value)
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", text, re.ASCII) or isinstance(value, str):
        return text
    raise Unfit("a list of numbers or texts")


def sheet_names(value: object) -> tuple[str, ...]:
    """As patterns; the sheet of a CSV has an empty name."""
    return ("",) if value == "" else patterns(value)
