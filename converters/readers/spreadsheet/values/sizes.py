"""How long a text is, and how many digits a number has, in cells beside the type of the field."""

from __future__ import annotations

import re
from decimal import Decimal

from ruleferry.converters.predicates import Length, Typed
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting
from ruleferry.converters.readers.spreadsheet.values.literals import is_padded, number_in
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    KINDS,
    Read,
    gap,
    nothing,
    one,
    rule,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.type_texts import TypeText, how_long, type_in
from ruleferry.converters.readers.spreadsheet.values.words import (
    classes,
    numbers,
    plain,
    says_nothing,
)
from ruleferry.converters.wording import named

_COUNT = re.compile(r"(\d{1,9}) ?(bytes?|octets?|chars?|characters?)?", re.ASCII)
_TWO = re.compile(r"\(?(\d{1,3}) ?, ?(\d{1,3})\)?", re.ASCII)
_NO_LIMIT = frozenset({"default", "varies", "-1", "free", "any length"})


def read_size(
    meaning: Meaning, cell: Cell, column: Column, setting: Setting, beside: str = ""
) -> Read:
    """`beside`: the text of the type in the same record, where there is one."""
    kind = KINDS[meaning]
    if found := _without_limit(meaning, cell, column):
        return found
    known = type_in(beside) if beside else TypeText("", column.sort)
    if known is None:
        reason = f'the type "{beside}" beside it is not known, so that nothing says what it counts'
        return gap(kind, "not_understood", reason, column)
    if meaning in ("length", "min_length"):
        return _length(meaning, cell.text, known, column)
    return _digits(meaning, cell.text, known, column)


def _without_limit(meaning: Meaning, cell: Cell, column: Column) -> Read | None:
    word, kind = plain(cell.text), KINDS[meaning]
    if word in _NO_LIMIT or word in classes("unbounded"):
        return nothing(kind, f'"{cell.text}" states no limit')
    silent = says_nothing(cell.text)
    if silent:
        return nothing(kind, silent)
    if silent == "" or word == "*":
        reason = f'nothing explains what "{cell.text}" means here'
        return gap(kind, "legend_missing", reason, column)
    return None


# Lengths ------------------------------------------------------------------------------------------


def _length(meaning: Meaning, text: str, known: TypeText, column: Column) -> Read:
    if known.sort in ("date", "time", "timestamp", "boolean"):
        reason = f"it says how a {known.sort} is stored or shown, not how long a text is"
        return _if_a_number(text, nothing("length", reason), column)
    if known.many:
        reason = "whether it counts one value or all of them is not stated"
        return _if_a_number(text, gap("length", "several_values", reason, column), column)
    if known.sort in ("integer", "decimal", "number"):
        return _of_number(text, known, column)
    return _of_text(meaning, text, known, column)


def _if_a_number(text: str, read: Read, column: Column) -> Read:
    if _COUNT.fullmatch(plain(text)) or _TWO.fullmatch(plain(text)):
        return read
    return strange("length", f'"{text}" is no length', column)


def _of_number(text: str, known: TypeText, column: Column) -> Read:
    """The bytes that a number is stored in are no rule; digits of a decimal are."""
    words = plain(text)
    two, count = _TWO.fullmatch(words), _COUNT.fullmatch(words)
    if two and known.sort in ("decimal", "number"):
        return _precise(int(two[1]), int(two[2]), column)
    if not count:
        return strange("length", f'"{text}" is no length', column)
    stored = numbers("storage").get(known.word, (0,))
    if int(count[1]) == stored[0] or (count[2] or "").startswith(("byte", "octet")):
        return nothing("length", f"{text} bytes is how such a number is stored")
    reason = f"whether {text} counts the digits, the characters or the bytes of a number"
    return gap("length", "not_understood", f"{reason} is not stated", column)


def _precise(precision: int, scale: int, column: Column) -> Read:
    if not 0 < precision >= scale:
        digits = named("digit", precision)
        reason = f"a number of {precision} {digits} has no {scale} of them after the point"
        return gap("type", "not_understood", reason, column)
    return one(rule("type", Typed(column.name, "decimal", precision, scale), column))


def _of_text(meaning: Meaning, text: str, known: TypeText, column: Column) -> Read:
    if two := _TWO.fullmatch(plain(text)):
        if known.sort is None:  # nothing but a number has digits behind the point
            return _precise(int(two[1]), int(two[2]), column)
        reason = f'"{text}" counts the digits of a number, and the field holds texts'
        return gap("length", "not_understood", reason, column)
    if is_padded(text):
        return strange("length", f'"{text}" is no length', column)
    count = _COUNT.fullmatch(plain(text))
    if count:
        in_bytes = known.in_bytes or (count[2] or "").startswith(("byte", "octet"))
        low, high = _sides(meaning, int(count[1]))
    else:
        in_bytes = known.in_bytes
        low, high = _told(text, meaning)
    if not low and not high:
        return _no_length(text, column, count is not None)
    return one(rule("length", Length(column.name, low, high, in_bytes=in_bytes), column))


def _told(text: str, meaning: Meaning) -> tuple[int | None, int | None]:
    """`exactly 6`, `1-3`: what they count stands in the header."""
    low, high = how_long(text)
    if low is None and high is None and meaning == "length":
        low, high = how_long(f"{text} characters")
    return low, high


def _sides(meaning: Meaning, count: int) -> tuple[int | None, int | None]:
    return (count, None) if meaning == "min_length" else (None, count)


def _no_length(text: str, column: Column, is_zero: bool) -> Read:
    if is_zero:
        return nothing("length", "a length of 0 states no limit")
    return strange("length", f'"{text}" is no length', column)


# Digits -------------------------------------------------------------------------------------------


def _digits(meaning: Meaning, text: str, known: TypeText, column: Column) -> Read:
    count = _whole(text)
    if count is None:
        return strange("type", f'"{text}" is no number of digits', column)
    if known.sort in ("decimal", "number") and known.word not in numbers("storage"):
        return _of_decimal(meaning, count, column)
    stored = (*numbers("storage").get(known.word, (0, 0))[1:], 0)
    if count in stored:
        return nothing("type", f"{text} is what every {known.word or 'value'} has")
    if known.sort == "integer" and meaning == "precision":
        return one(rule("type", Typed(column.name, "integer", precision=count), column))
    if known.sort in ("date", "time", "timestamp", "boolean"):
        return nothing("type", f"it says how exactly a {known.sort} is stored")
    digits = f"{count} {named('digit', count)} of a {known.word or 'field without a type'}"
    reason = f"what {digits} {'is' if count == 1 else 'are'} is not stated"
    return gap("type", "not_understood", reason, column)


def _of_decimal(meaning: Meaning, count: int, column: Column) -> Read:
    if meaning == "scale":
        return one(rule("type", Typed(column.name, "decimal", scale=count), column))
    if not count:
        return nothing("type", "0 digits state no limit")
    return one(rule("type", Typed(column.name, "decimal", precision=count), column))


def _whole(text: str) -> int | None:
    found = number_in(text)
    if isinstance(found, Decimal) and found == int(found):
        found = int(found)
    return found if isinstance(found, int) and 0 <= found <= 1000 else None
