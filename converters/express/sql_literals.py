"""How literals are written in Databricks SQL."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from ruleferry.converters.express.literals import is_day, is_moment

_DECIMAL_DIGITS = 38
_DOUBLE_EXPONENTS = 400


def digits(number: Decimal) -> str:
    """A number that is not negative: in full up to 38 digits, else as a DOUBLE with an exponent.

    Raises OverflowError where a DOUBLE holds no such number either.
    """
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if max(number.adjusted() + 1, 0) + max(-exponent, 0) <= _DECIMAL_DIGITS:
        return f"{number:f}"
    nearest = float(number) if abs(number.adjusted()) < _DOUBLE_EXPONENTS else math.inf
    if math.isinf(nearest) or (nearest == 0) != (number == 0):
        raise OverflowError(f"{number} is no DOUBLE")
    written = repr(nearest)
    return written if "e" in written else f"{written}e0"


def is_typed_literal(text: str, kind: str) -> bool:
    """A real day or moment in full: for others `DATE'…'` and CAST do not mean the same."""
    if kind == "DATE":
        return is_day(text)
    return kind in ("TIMESTAMP", "TIMESTAMP_NTZ") and " " in text and is_moment(text)


_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
# `$` before `{` and control characters: Spark substitutes the one, and not every version has
# escapes for the others.
_PIECES = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|(?:[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f$]|\$(?!\{))*\$?"
)


def text(value: str) -> str:
    """The literal that Spark reads as this very text."""
    if "$" not in value and value.isprintable():
        return f"'{value.translate(_ESCAPES)}'"
    pieces = [piece for piece in _PIECES.findall(value) if piece] or [""]
    written = [
        f"chr({ord(p)})" if len(p) == 1 and ord(p) in _CONTROLS else f"'{p.translate(_ESCAPES)}'"
        for p in pieces
    ]
    return written[0] if len(written) == 1 else f"concat({', '.join(written)})"


_CONTROLS = frozenset({*range(32), 127} - {9, 10, 13})
