"""Boundary values of dates, timestamps and booleans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.predicates import Value
from ruleferry.converters.proof.cells import Cell, Family

_Day = TypeVar("_Day", date, datetime)

_DAYS = (
    "0001-01-01", "9999-12-31", "1970-01-01", "2024-02-29",
    "1582-10-04", "1582-10-15", "1999-12-31", "2000-01-01",
)  # fmt: skip
_MOMENTS = (
    "0001-01-01", "9999-12-31 23:59:59.999999", "1970-01-01", "1969-12-31 23:59:59.999999",
    "2024-02-29 12:30", "2024-03-31 02:30",
)  # fmt: skip


def _moment(cell: Cell) -> datetime | None:
    """The point in time, in UTC, that a literal states: a date means its midnight."""
    if isinstance(cell, str):
        try:
            cell = datetime.fromisoformat(cell.strip())
        except ValueError:
            return None
    if not isinstance(cell, date):
        return None
    if not isinstance(cell, datetime):
        return datetime.combine(cell, time())
    if cell.tzinfo is None:
        return cell
    try:
        return cell.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return None


def _shifted(base: _Day, steps: Iterable[timedelta]) -> Iterator[_Day]:
    """`base` moved by each step, as far as Python's calendar (years 1 to 9999) reaches."""
    for step in steps:
        try:
            yield base + step
        except OverflowError:
            continue


def days_around(day: date) -> Iterator[date]:
    yield from _shifted(day, (timedelta(days=n) for n in (-1, 1, -366, 366)))


def _fit_date(cell: Cell, _column_type: ColumnType) -> Iterator[Cell]:
    if (moment := _moment(cell)) is not None:
        yield moment.date()


def _around_date(literal: Value, column_type: ColumnType) -> Iterator[Cell]:
    for day in _fit_date(literal, column_type):
        assert isinstance(day, date)
        yield from days_around(day)


def _date_limits(_column_type: ColumnType) -> Iterator[Cell]:
    yield from map(date.fromisoformat, _DAYS)


def _fit_timestamp(cell: Cell, _column_type: ColumnType) -> Iterator[Cell]:
    if (moment := _moment(cell)) is not None:
        yield moment


def _around_timestamp(literal: Value, _column_type: ColumnType) -> Iterator[Cell]:
    moment = _moment(literal)
    if moment is None:
        return
    tick, second, day = timedelta(microseconds=1), timedelta(seconds=1), timedelta(days=1)
    yield from _shifted(moment, (-tick, tick, -second, second, -day, day))
    midnight = datetime.combine(moment.date(), time())
    yield from _shifted(midnight, (timedelta(), -tick, tick, day / 2, day - tick, day))


def _timestamp_limits(_column_type: ColumnType) -> Iterator[Cell]:
    yield from map(datetime.fromisoformat, _MOMENTS)


def _fit_boolean(cell: Cell, _column_type: ColumnType) -> Iterator[Cell]:
    if isinstance(cell, bool):
        yield cell


def _around_nothing(_literal: Value, _column_type: ColumnType) -> Iterator[Cell]:
    yield from ()


def _boolean_limits(_column_type: ColumnType) -> Iterator[Cell]:
    yield from (True, False)


DATE = Family(_fit_date, _around_date, _date_limits)
TIMESTAMP = Family(_fit_timestamp, _around_timestamp, _timestamp_limits)
BOOLEAN = Family(_fit_boolean, _around_nothing, _boolean_limits)
