"""Number formats that make another text of a cell: 07 for 7, 5.5% for 0.055, 9-Jan for a date."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from ruleferry.converters.readers.spreadsheet.cells import CellValue

# Of those that a file only numbers: the shares, and the two that Excel gives to a typed 1-9.
_BUILT_IN = {"9": "0%", "10": "0.00%", "16": "d-mmm", "17": "mmm-yy"}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CONDITION = re.compile(r"\[[^\]]*\]")
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|([0#])|([-/ ():])')
_SHARE = re.compile(r"[0#,]*(?:\.[0#]+)?%")


def changes_text(number: str, code: str | None) -> str | None:
    """The format's code where cells of it may show another text than their value; else None."""
    first = _CONDITION.sub("", (code or _BUILT_IN.get(number, "")).partition(";")[0]).strip()
    if first in ("d-mmm", "mmm-yy") or _SHARE.fullmatch(first):
        return first
    tokens = _tokens(first)
    if not tokens:
        return None
    zeros = sum(digit == "0" for digit, _ in tokens)
    return first if zeros > 1 or (zeros and len(tokens) > 1) else None


def _tokens(code: str) -> list[tuple[str, str]]:
    """(digit, literal) of each token; none where there is anything else."""
    found, at = [], 0
    while at < len(code):
        match = _TOKEN.match(code, at)
        if not match:
            return []
        found.append((match[3] or "", match[1] or match[2] or match[4] or ""))
        at = match.end()
    return found if any(digit for digit, _ in found) else []


def shown_as(value: CellValue | None, code: str) -> str | None:
    """What the cell shows (a share with all its digits); None where that is its value."""
    if isinstance(value, date):
        month = _MONTHS[value.month - 1]
        days = {"d-mmm": f"{value.day}-{month}", "mmm-yy": f"{month}-{value.year % 100:02}"}
        return days.get(code)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    if code.endswith("%"):
        share = (Decimal(value) * 100).normalize()
        return f"{share:f}%"
    if not isinstance(value, int) or value < 0:
        return None
    return _padded(value, _tokens(code))


def _padded(value: int, tokens: list[tuple[str, str]]) -> str | None:
    """The digits fill the places from the right; what is left of them stands at the first place."""
    places = sum(bool(digit) for digit, _ in tokens)
    digits = str(value).rjust(places)
    surplus = len(digits) - places
    text, at = "", 0
    for digit, literal in tokens:
        if not digit:
            text += literal
            continue
        end = at + 1 + (surplus if at == 0 else 0)
        piece = digits[at:end].strip()
        text += piece or ("0" if digit == "0" else "")
        at = end
    return text.strip() or None
