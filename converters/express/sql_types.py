"""The types of expressions, as far as they decide what Spark casts on its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express.tree_shape import type_text

STRING = parse_type("string")
BOOLEAN = parse_type("boolean")
INT = parse_type("int")
BIGINT = parse_type("bigint")
DOUBLE = parse_type("double")
DATE = parse_type("date")
TIMESTAMP = parse_type("timestamp")
TIMESTAMP_NTZ = parse_type("timestamp_ntz")
VOID = parse_type("void")

TEXTS = frozenset({"string", "char"})
NUMBERS = frozenset({"integer", "decimal", "float", "double"})
TIMES = frozenset({"date", "timestamp", "timestamp_ntz"})

_WHOLE_DIGITS = {"tinyint": 3, "byte": 3, "smallint": 5, "short": 5, "int": 10, "integer": 10}
_MAX_DIGITS = 38


def is_float(kind: ColumnType) -> bool:
    return kind.family in ("float", "double")


def digits(kind: ColumnType) -> tuple[int, int]:
    """Digits before and after the point that a value of the type may have."""
    if kind.family == "integer":
        return _WHOLE_DIGITS.get(kind.text, 20), 0
    if kind.precision is None:
        return _MAX_DIGITS, _MAX_DIGITS
    return kind.precision - (kind.scale or 0), kind.scale or 0


def fits_int(kind: ColumnType) -> bool:
    return kind.family == "integer" and digits(kind)[0] <= 10


def decimal(before: int, after: int) -> ColumnType:
    """A decimal wide enough, cut at 38 digits as Spark does."""
    after = min(after, max(_MAX_DIGITS - before, min(after, 6)))
    return parse_type(f"decimal({min(before + after, _MAX_DIGITS)},{min(after, _MAX_DIGITS)})")


def common_number(kinds: Iterable[ColumnType]) -> ColumnType:
    kinds = list(kinds)
    if any(is_float(k) for k in kinds):
        return DOUBLE
    before = max(digits(k)[0] for k in kinds)
    if all(k.family == "integer" for k in kinds):
        return INT if before <= 10 else BIGINT
    return decimal(before, max(digits(k)[1] for k in kinds))


def number_type(text: str) -> ColumnType | None:
    """The type of a literal number; None for one that is out of Spark's range."""
    if "e" in text.lower():
        return DOUBLE if float(text) not in (float("inf"), 0.0) or _is_zero(text) else None
    whole, _, fraction = text.partition(".")
    whole = whole.lstrip("0")
    if "." not in text:
        if int(text) < 2**31:
            return INT
        if int(text) < 2**63:
            return BIGINT
    if len(whole) + len(fraction) > _MAX_DIGITS:
        return None
    return parse_type(f"decimal({max(len(whole) + len(fraction), 1)},{len(fraction)})")


def _is_zero(text: str) -> bool:
    return not text.lower().partition("e")[0].strip("0.")


def type_of(node: exp.DataType) -> ColumnType:
    return _parsed(type_text(node))


@cache
def _parsed(text: str) -> ColumnType:
    return parse_type(text)


def element(kind: ColumnType | None) -> ColumnType | None:
    """The type of an array's elements or of a map's values, where it is plain."""
    if kind is None or kind.family != "nested":
        return None
    inner = kind.text.partition("<")[2].removesuffix(">")
    if kind.text.startswith("map<"):
        inner = inner.partition(",")[2]
    found = parse_type(inner)
    return found if found.family not in ("nested", "other") else None
