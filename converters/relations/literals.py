"""What a literal is worth, and when two of them can be one value to a column."""

from __future__ import annotations

import re
from collections.abc import Hashable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ruleferry.converters.normal_form import Form
from ruleferry.converters.relations.logic import Kind, Value


class Worth(NamedTuple):
    kind: Kind
    value: Value


def worth(form: Form) -> Worth | None:
    """None where it is no literal, or one that we can't rank."""
    match form:
        case ("number", Decimal() as number):
            return _number(number)
        case ("digits", str(text)):
            return _double(text)
        case ("minus", inner):
            return _turned(worth(inner))
        case ("text", str(text)):
            return Worth("text", text)
        case ("true",) | ("false",):
            return Worth("truth", form == ("true",))
        case ("Cast", ("this", inner), ("to", kind)):
            return _cast(inner, kind)
        case ("TryCast", ("safe", _), ("this", inner), ("to", kind)):
            return _cast(inner, kind)
    return None


def is_literal(form: Form) -> bool:
    """Also one that we can't rank; a try_cast that may fail is NULL."""
    match form:
        case ("number" | "digits" | "text" | "true" | "false", *_):
            return True
        case ("minus", inner) | ("Cast", ("this", inner), _):
            return is_literal(inner)
    return form[0] == "TryCast" and worth(form) is not None


# Numbers ------------------------------------------------------------------------------------------

# A DECIMAL has 38 digits: beside one of 22 before the point and 15 behind it none is lost for the
# literal's sake. A DOUBLE has 15, and a text is made one for a literal with a point.
_WHOLE_DIGITS, _DIGITS = 22, 15


def _number(number: Decimal) -> Worth | None:
    """As written: 1.0 has a digit behind the point."""
    _, digits, exponent = number.as_tuple()
    behind = -exponent if isinstance(exponent, int) else _DIGITS + 1
    most = _DIGITS if behind else _WHOLE_DIGITS
    return Worth("number", Fraction(number)) if max(len(digits), behind) <= most else None


_DOUBLE = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _double(text: str) -> Worth | None:
    """0 * inf is none."""
    value = float(text) if _DOUBLE.fullmatch(text) else float("inf")
    return Worth("double", Fraction(value)) if value < float("inf") else None


def _turned(found: Worth | None) -> Worth | None:
    if found is None or not isinstance(found.value, Fraction):
        return None
    return Worth(found.kind, -found.value)


_WHOLE = re.compile(r"\d{1,38}", re.ASCII)
_WHOLE_TYPES = {
    "DType.TINYINT": 2**7, "DType.SMALLINT": 2**15, "DType.INT": 2**31, "DType.BIGINT": 2**63,
}  # fmt: skip
_MOMENTS = ("DType.DATE", "DType.TIMESTAMP", "DType.TIMESTAMPTZ", "DType.TIMESTAMPLTZ",
            "DType.TIMESTAMPNTZ")  # fmt: skip


def type_word(kind: Form) -> str:
    """The name of a type without parameters, else nothing."""
    return str(kind[1][1]) if len(kind) == 2 and kind[1][0] == "this" else ""


def _cast(inner: Form, kind: Form) -> Worth | None:
    word = type_word(kind)
    if word in _MOMENTS and inner[0] == "text":
        return _moment(word, inner[1])
    if inner[0] != "digits":
        return None
    if word == "DType.DOUBLE":
        return _double(inner[1])
    fits = _WHOLE.fullmatch(inner[1]) and int(inner[1]) < _WHOLE_TYPES.get(word, 0)
    return Worth("number", Fraction(int(inner[1]))) if fits else None


# Days and times -----------------------------------------------------------------------------------

# What Spark and Python read alike, and without a time zone.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d{1,6})?)?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def _moment(word: str, text: str) -> Worth | None:
    if not _MOMENT.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return Worth(word, found.date() if word == "DType.DATE" else found)


def day(text: str) -> date | None:
    """Texts of this form rank as the days do, whatever type a column has."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def clearly_before(one: datetime, other: datetime) -> bool:
    """Where clocks are set forward, by night, a time that they skip is read as a later one."""
    by_day = one.date() == other.date() and one.hour >= 6
    return one < other and (by_day or other - one >= timedelta(hours=3))


# Texts --------------------------------------------------------------------------------------------

_NUMERIC = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[df]?", re.ASCII)
_TRUTHS = {"t": 1, "true": 1, "y": 1, "yes": 1, "f": 0, "false": 0, "n": 0, "no": 0}
_MANY_WAYS = re.compile(r"[+-]?(\d{4,}-\d|\d{1,2}:\d|0x|(inf|infinity|nan)$)", re.ASCII)


def told_apart(texts: frozenset[str]) -> bool:
    """Whether no column can hold a value that equals two of them.

    A collation may take no notice of case, accents or blanks at the end; compared with a number, a
    day or a truth value, a text is made one.
    """
    keys = {_key(text) for text in texts}
    if None in keys or len(keys) < len(texts):
        return False
    return not (any(isinstance(k, date) for k in keys) and any(isinstance(k, float) for k in keys))


def _key(text: str) -> Hashable:
    """None where we can't tell."""
    if not (text.isascii() and text.isprintable()):
        return None
    if found := day(text):
        return found
    plain = text.strip().casefold()
    if plain in _TRUTHS:
        return float(_TRUTHS[plain])
    if _MANY_WAYS.match(plain):
        return None
    if _NUMERIC.fullmatch(plain):
        number = float(plain.rstrip("df"))
        return number if number.is_integer() else None
    return plain
