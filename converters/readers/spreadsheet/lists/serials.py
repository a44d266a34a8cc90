"""Days as a spreadsheet counts them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

_DAY = 86_400
_LAST = 2_958_465  # 9999-12-31


def moment_of(serial: Decimal, *, from_1904: bool) -> date | None:
    """The day, or the day and time, of a number; None for a number that is none.

    Counting from 1900, day 60 is a 29th of February that 1900 did not have.
    """
    days = int(serial) if serial >= 0 else -1
    if days < 0 or days > _LAST - (1462 if from_1904 else 0):
        return None
    if from_1904:
        day = date(1904, 1, 1) + timedelta(days)
    elif days in (0, 60):
        return None
    else:
        day = date(1899, 12, 31 if days < 60 else 30) + timedelta(days)
    seconds = int(((serial - days) * _DAY).to_integral_value())
    if not seconds:
        return day
    return datetime.combine(day, datetime.min.time()) + timedelta(seconds=seconds)


def serial_told(serial: Decimal, day: date, *, from_1904: bool) -> str:
    first = 1904 if from_1904 else 1900
    return f"{serial.normalize():f} is {day.isoformat()}, counting the days from {first} on"
