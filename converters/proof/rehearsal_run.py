"""What each engine of a rehearsal gives back."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from ruleferry.converters.rehearsed import Count, Flow, Quarantine

_NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?", re.ASCII)
_FAILED_RULES = re.compile(r"failed_rules_*")


class NeedsSpark(Exception):
    """What DuckDB can't hold, or where its answer may be another one, in a few words."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One update: `engine` is the name and version of what ran it."""

    engine: str
    expectations: tuple[Count, ...]
    flows: tuple[Flow, ...]
    quarantines: tuple[Quarantine, ...]
    streamed: bool = False
    notes: tuple[str, ...] = ()


class ModuleRaised(Exception):
    """File, line and error of a module that raised in another process."""


def as_text(value: object) -> str | None:
    """A value as Spark's SQL writes it; None is NULL."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case float():
            return of_double(value)
        case Decimal():
            return f"{value:f}"
        case datetime():
            moment = value.replace(tzinfo=None)
            text = moment.isoformat(sep=" ")
            return text.rstrip("0") if moment.microsecond else text
        case _:
            return str(value)


def of_double(number: float) -> str:
    """As Java writes a DOUBLE: with an exponent from ten million on, and below a thousandth."""
    if math.isnan(number) or math.isinf(number):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[repr(number)]
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(number)
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    assert isinstance(exponent, int)
    first, *others = map(str, digits)
    power = exponent + len(others)
    return f"{'-' if sign else ''}{first}.{''.join(others) or '0'}E{power}"


def in_order(found: Quarantine) -> Quarantine:
    """The rows from column to column: a table has no order, and each engine gives another one."""
    return replace(found, rows=tuple(sorted(found.rows, key=lambda row: [*map(_rank, row)])))


def _rank(text: str | None) -> tuple[int, float, str]:
    """Numbers by their value, then texts, then what is missing."""
    if text is None:
        return 2, 0, ""
    return (0, float(text), text) if _NUMBER.fullmatch(text) else (1, 0, text)


def failed_rules(columns: Sequence[str]) -> str | None:
    """The column of a quarantine dataset that names the rules a row broke: its last one."""
    return columns[-1] if columns and _FAILED_RULES.fullmatch(columns[-1]) else None
