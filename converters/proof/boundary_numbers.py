"""Boundary values of the number types, and the number that a literal states."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, InvalidOperation

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.predicates import Value
from ruleferry.converters.proof.cells import Cell, Family

INTEGER_BITS = {
    "tinyint": 8, "byte": 8, "smallint": 16, "short": 16, "int": 32, "integer": 32,
    "bigint": 64, "long": 64,
}  # fmt: skip

# Python's own arithmetic must not round what Spark keeps (38 digits).
EXACT = Context(prec=100)


def number_of(cell: Cell) -> Decimal | None:
    """The number that a literal states, in digits or in quotes; None for NaN and infinity too."""
    if isinstance(cell, bool | date | bytes) or cell is None:
        return None
    try:
        number = Decimal(cell) if not isinstance(cell, float) else Decimal(repr(cell))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 400 else None


def bits_of(column_type: ColumnType) -> int:
    return INTEGER_BITS.get(column_type.text, 64)


def _fit_integer(cell: Cell, column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(cell)
    if number is None:
        return
    limit = 2 ** (bits_of(column_type) - 1)
    for whole in (math.floor(number), math.ceil(number)):
        if -limit <= whole < limit:
            yield whole


def _around_integer(literal: Value, _column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(literal)
    if number is None:
        return
    whole = math.floor(number)
    yield from (whole - 1, whole + 1, whole + 2, -whole)
    if 0 < whole <= 19:  # it may be a number of digits
        yield from (10 ** (whole - 1) - 1, 10 ** (whole - 1), 10**whole - 1, 10**whole)
        yield from (-(10 ** (whole - 1)), -(10**whole) + 1)


def _integer_limits(column_type: ColumnType) -> Iterator[Cell]:
    limit = 2 ** (bits_of(column_type) - 1)
    yield from (0, 1, -1, 12, -limit, -limit + 1, limit - 1, limit - 2, 2**53 + 1)


def digits_of(column_type: ColumnType) -> tuple[int, int]:
    """Precision and scale; a decimal of unknown size is taken as wide as Spark has them."""
    return column_type.precision or 38, 18 if column_type.scale is None else column_type.scale


def _fit_decimal(cell: Cell, column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(cell)
    if number is None:
        return
    precision, scale = digits_of(column_type)
    step = Decimal((0, (1,), -scale))
    for rounding in (ROUND_FLOOR, ROUND_CEILING):
        cut = number.quantize(step, rounding=rounding, context=EXACT)
        if cut.copy_abs() < Decimal(10) ** (precision - scale):
            yield cut


def _around_decimal(literal: Value, column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(literal)
    if number is None:
        return
    step = Decimal((0, (1,), -digits_of(column_type)[1]))
    for by in (step, Decimal("0.01"), Decimal("0.5"), Decimal(1)):
        yield from (EXACT.subtract(number, by), EXACT.add(number, by))
    yield EXACT.minus(number)


def _decimal_limits(column_type: ColumnType) -> Iterator[Cell]:
    precision, scale = digits_of(column_type)
    step = Decimal((0, (1,), -scale))
    largest = EXACT.subtract(Decimal(10) ** (precision - scale), step)
    yield from (Decimal(0), step, -step, Decimal(1), Decimal(-1), largest, EXACT.minus(largest))


def _fit_double(cell: Cell, _column_type: ColumnType) -> Iterator[Cell]:
    if isinstance(cell, float):
        yield cell
    elif (number := number_of(cell)) is not None:
        yield float(number)


def _around_double(literal: Value, column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(literal)
    if number is None:
        return
    nearest = float(number)
    if not math.isinf(nearest):
        yield from (math.nextafter(nearest, -math.inf), math.nextafter(nearest, math.inf))
    yield from (cell for cell in _around_decimal(literal, column_type) if cell is not None)


def _double_limits(_column_type: ColumnType) -> Iterator[Cell]:
    yield from (0.0, -0.0, 1.0, -1.0, 0.1 + 0.2, math.nan, math.inf, -math.inf)
    yield from (5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 2.0**53, 1e16)


def _single(number: float) -> float:
    """The nearest number of 32 bits."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def _single_neighbour(number: float, direction: int) -> float:
    """The next number of 32 bits, upwards (1) or downwards (-1)."""
    if math.isinf(number) or math.isnan(number):
        return number
    if number == 0.0:
        return direction * 2.0**-149
    (bits,) = struct.unpack("<i", struct.pack("<f", number))
    away = direction if number > 0 else -direction
    return float(struct.unpack("<f", struct.pack("<i", bits + away))[0])


def _fit_float(cell: Cell, column_type: ColumnType) -> Iterator[Cell]:
    yield from (
        _single(found) for found in _fit_double(cell, column_type) if isinstance(found, float)
    )


def _around_float(literal: Value, column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(literal)
    if number is None:
        return
    nearest = _single(float(number))
    yield from (_single_neighbour(nearest, -1), _single_neighbour(nearest, 1))
    yield from _around_decimal(literal, column_type)


INTEGER = Family(_fit_integer, _around_integer, _integer_limits)
DECIMAL = Family(_fit_decimal, _around_decimal, _decimal_limits)
FLOAT = Family(_fit_float, _around_float, _double_limits)
DOUBLE = Family(_fit_double, _around_double, _double_limits)
