"""A cell of a sample file as a value of its column's type, in a text that every engine casts alike.

Engines read dates, blanks and numbers of other types each in its own way, so none of them does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from ruleferry.converters.column_types import ColumnType, Family, parse_type
from ruleferry.converters.proof.boundary_numbers import bits_of, digits_of
from ruleferry.converters.proof.boundary_text import size_of
from ruleferry.converters.proof.rehearsal_files import Written

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}.*")


class Unfit(ValueError):
    """A text that is no value of the type."""


def canonical(text: str, column_type: ColumnType) -> str:
    """The value as text: `12`, `1.50`, `true`, `2024-01-31`, `2024-01-31 10:00:00.000000` in UTC.

    Raises Unfit where the text is no value of the type as it stands: nothing is rounded or cut.
    """
    written = _CANONICAL.get(column_type.family)
    return text if written is None else written(text, column_type)


def read_as(column_type: ColumnType) -> ColumnType:
    """The type that a column of a text file gets; what a text can't hold is read as STRING."""
    if column_type.family in ("string", "char", "binary", "nested", "other"):
        return ColumnType("string", "string")
    return column_type


def is_read_as_text(column_type: ColumnType) -> bool:
    return column_type.family in ("binary", "nested", "other")


def inferred(cells: Iterable[Written | None]) -> ColumnType:
    """The type of a column that nobody declared: the narrowest that holds all of its values.

    A number with leading zeros is a text; so is what JSON holds in quotes.
    """
    given = [cell for cell in cells if cell is not None]
    kinds = {cell.kind for cell in given}
    if not given or "text" in kinds:
        return parse_type("string")
    texts = {cell.text for cell in given}
    shapes = _SHAPES if kinds == {"plain"} else _SHAPES[:4]
    return next((found for shape in shapes if (found := shape(texts))), parse_type("string"))


# Values of a type ---------------------------------------------------------------------------------


def _text(text: str, column_type: ColumnType) -> str:
    size = size_of(column_type)
    if size is not None and len(text) > size:
        raise Unfit
    # A CHAR(n) column gives its values back padded with spaces.
    return text.ljust(size) if size is not None and column_type.family == "char" else text


def _number(text: str) -> Decimal:
    if not _NUMBER.fullmatch(text.strip()):
        raise Unfit
    try:
        return Decimal(text.strip())
    except InvalidOperation as error:
        raise Unfit from error


def _integer(text: str, column_type: ColumnType) -> str:
    if not re.fullmatch(r"[+-]?[0-9]{1,40}", text.strip()):
        raise Unfit
    number = int(text)
    limit = 2 ** (bits_of(column_type) - 1)
    if not -limit <= number < limit:
        raise Unfit
    return str(number)


def _decimal(text: str, column_type: ColumnType) -> str:
    number = _number(text)
    precision, scale = digits_of(column_type)
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    stripped = "".join(map(str, digits)).rstrip("0")
    decimals = max(0, -exponent - (len(digits) - len(stripped)))
    if stripped and (decimals > scale or number.adjusted() >= precision - scale):
        raise Unfit
    return f"{number:f}"


def _double(text: str, _column_type: ColumnType) -> str:
    word = text.strip().lower()
    if word in ("nan", "inf", "infinity", "-inf", "-infinity", "+inf", "+infinity"):
        number = float(word)
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    return repr(float(_number(text)))


def _boolean(text: str, _column_type: ColumnType) -> str:
    word = text.strip().lower()
    if word not in ("true", "false"):
        raise Unfit
    return word


def _day(text: str, _column_type: ColumnType) -> str:
    if not _DAY.fullmatch(text.strip()):
        raise Unfit
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError as error:
        raise Unfit from error


def _moment(text: str, column_type: ColumnType) -> str:
    try:
        moment = datetime.fromisoformat(text.strip())
        if moment.tzinfo is not None:
            if column_type.family == "timestamp_ntz":
                raise Unfit
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise Unfit from error
    return moment.isoformat(sep=" ", timespec="microseconds")


_Canonical: TypeAlias = Callable[[str, ColumnType], str]
_CANONICAL: Mapping[Family, _Canonical] = {
    "string": _text,
    "char": _text,
    "integer": _integer,
    "decimal": _decimal,
    "float": _double,
    "double": _double,
    "boolean": _boolean,
    "date": _day,
    "timestamp": _moment,
    "timestamp_ntz": _moment,
}

# The type of values -------------------------------------------------------------------------------


def _whole(texts: set[str]) -> ColumnType | None:
    bigint = parse_type("bigint")
    return bigint if all(map(_WHOLE.fullmatch, texts)) and _all_fit(texts, bigint) else None


def _decimals(texts: set[str]) -> ColumnType | None:
    if not all(_WHOLE.fullmatch(text) or _PLAIN_NUMBER.fullmatch(text) for text in texts):
        return None
    parts = [text.lstrip("-").partition(".") for text in texts]
    scale = max(len(decimals) for _, _, decimals in parts)
    precision = max(len(whole) for whole, _, _ in parts) + scale
    return parse_type(f"decimal({precision},{scale})") if precision <= 38 else None


def _doubles(texts: set[str]) -> ColumnType | None:
    numbers = (_NUMBER.fullmatch(text) and not re.match(r"[+-]?0[0-9]", text) for text in texts)
    return parse_type("double") if all(numbers) else None


def _truths(texts: set[str]) -> ColumnType | None:
    return parse_type("boolean") if {text.lower() for text in texts} <= {"true", "false"} else None


def _days(texts: set[str]) -> ColumnType | None:
    day = parse_type("date")
    return day if _all_fit(texts, day) else None


def _moments(texts: set[str]) -> ColumnType | None:
    moment = parse_type("timestamp")
    return moment if all(map(_MOMENT.fullmatch, texts)) and _all_fit(texts, moment) else None


# The last two are texts in JSON.
_SHAPES = (_whole, _decimals, _doubles, _truths, _days, _moments)


def _all_fit(texts: Iterable[str], column_type: ColumnType) -> bool:
    try:
        for text in texts:
            canonical(text, column_type)
    except Unfit:
        return False
    return True
