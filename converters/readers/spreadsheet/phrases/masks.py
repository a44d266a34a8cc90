"""Pictures of a value: `####`, `YYYY-MM-DD`."""

from __future__ import annotations

import re

from ruleferry.converters.predicates import Format, Matches, Predicate
from ruleferry.converters.readers.spreadsheet.phrases.claims import HERE, literal

_PART = re.compile(r"yyyy|YYYY|yy|YY|MM|mm|DD|dd|HH|SS|ss|[-/. :T]")


def of_mask(mask: str) -> Predicate | None:
    """None where a part of the mask can mean more than one thing."""
    if "#" in mask and not any(c.isalnum() or c == "*" for c in mask):
        return Matches(HERE, (f"^{_digits(mask)}$",))
    found = _strptime(mask)
    return Format(HERE, found, exact=True) if found else None


def _digits(mask: str) -> str:
    """Each # is a digit, all else stands for itself."""
    parts = re.findall(r"#+|[^#]+", mask)
    return "".join(f"[0-9]{{{len(p)}}}" if p[0] == "#" else literal(p) for p in parts)


def _strptime(mask: str) -> str | None:
    parts = _PART.findall(mask)
    if "".join(parts) != mask:
        return None
    found = ""
    for part in parts:
        code = _code(part, after_hours="%H" in found)
        if code is None or (code.startswith("%") and code in found):
            return None
        found += code
    return found if _is_whole(found) else None


def _code(part: str, *, after_hours: bool) -> str | None:
    match part:
        case "YYYY" | "yyyy":
            return "%Y"
        case "MM" | "mm":
            return "%M" if after_hours else "%m"
        case "DD" | "dd":
            return "%d"
        case "HH":
            return "%H"
        case "SS" | "ss":
            return "%S"
        case "YY" | "yy":
            return None
        case _:
            return part


def _is_whole(found: str) -> bool:
    """A day has a month, a month has a year, a second has a minute."""
    needs = {"%d": "%m", "%m": "%Y", "%S": "%M", "%M": "%H"}
    return all(other in found for part, other in needs.items() if part in found)
