"""What the message of a validation claims, and whether its formula says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias

from ruleferry.converters.predicates import Length, Range
from ruleferry.converters.readers.spreadsheet.cells import Validation
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Row

# (a sign, a number)
_Claim: TypeAlias = tuple[str, Decimal]

_N = r"(-?\d[\d,]*(?:\.\d+)?)(?!\d|%|\.\d)"
_LEAST = r"(?:\bthan or equal(?: to)?|\bat least|\bno less than|\bminimum(?: is| of|:)?|>=|≥)"
_MOST = (
    r"(?:\bat most|\b(?:no|not) (?:more|greater|longer) than|\bnot exceed|"
    r"\bmax(?:imum)?\.?(?: is| of|:)?|\bup to|<=|≤)"
)
# The longer words first: what one of them took, no other sees.
_PHRASES = tuple(
    (re.compile(pattern), signs)
    for pattern, signs in (
        (rf"\b(?:between|from)\s+{_N}\s+(?:and|to)\s+{_N}", ("[", "]")),
        (rf"(?<!or )\b(?:exactly|equal to)\s+{_N}", ("=",)),
        (rf"{_LEAST}\s*{_N}", (">=",)),
        (rf"\b{_N}\s+or\s+(?:more|greater|higher|above)", (">=",)),
        (rf"{_MOST}\s*{_N}", ("<=",)),
        (rf"\b{_N}\s+or\s+(?:less|fewer|lower|below)", ("<=",)),
        (rf"(?:\b(?:greater|more|larger|higher|bigger) than|\babove|>)\s*{_N}", (">",)),
        (rf"(?:\b(?:less|fewer|lower|smaller|shorter) than|\bbelow|<)\s*{_N}", ("<",)),
    )
)
_LESS = re.compile(rf"\bless than or equal(?: to)?\s*{_N}")
_WORDS = (
    (re.compile(r"\bnon-?\s?negative\b"), (">=", Decimal(0))),
    (re.compile(r"\bpositive or zero\b|\bzero or (?:a )?positive\b"), (">=", Decimal(0))),
    (re.compile(r"\bnegative or zero\b|\bzero or (?:a )?negative\b"), ("<=", Decimal(0))),
    (re.compile(r"\bpositive\b"), (">", Decimal(0))),
    (re.compile(r"\bnegative\b"), ("<", Decimal(0))),
)
_DAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_WHOLE = re.compile(r"\b(?:whole numbers?|integers?)\b")
_ABOUT_ZERO = re.compile(r"\b(?:negative|zero|0|less|below|minus)\b|<|≤")


def contradiction(validation: Validation, statements: Sequence[Statement]) -> str:
    """Why the message and the formula can't both be meant; empty where nothing tells."""
    for text in (validation.message, validation.prompt):
        said = " ".join(text.casefold().split())
        reason = said and _against(validation, statements, said)
        if reason:
            shown = text if len(text) <= 80 else f"{text[:79]}…"
            return f'its message says "{shown}", and {reason}'
    return ""


def _against(validation: Validation, statements: Sequence[Statement], said: str) -> str:
    if validation.kind in ("decimal", "date", "time", "textLength") and _WHOLE.search(said):
        return f"its kind is {validation.kind}"
    found = [
        statement.check.predicate
        for statement in statements
        if isinstance(statement.check, Row)
        and isinstance(statement.check.predicate, Range | Length)
    ]
    if len(found) != 1:
        return ""
    bounds = found[0]
    if isinstance(bounds.low, date) or isinstance(bounds.high, date):
        return _against_days(bounds, said)
    claims = list(_claims(said))
    wrong = [claim for claim in claims if not _agrees(claim, bounds, validation.kind)]
    if wrong:
        return f"its formula does not ({_shown(bounds)})"
    if not claims and _below_zero(bounds) and not _ABOUT_ZERO.search(said):
        return f"its formula takes nothing above 0 ({_shown(bounds)})"
    return ""


def _against_days(bounds: Range | Length, said: str) -> str:
    known = {
        (value.date() if isinstance(value, datetime) else value).isoformat()
        for value in (bounds.low, bounds.high)
        if isinstance(value, date)
    }
    other = set(_DAY.findall(said)) - known
    return f"its formula names {' and '.join(sorted(known))}" if other else ""


def _claims(said: str) -> Iterator[_Claim]:
    def taken(found: re.Match[str]) -> str:
        return " " * len(found[0])

    for number in _LESS.findall(said):
        yield "<=", _number(number)
    said = _LESS.sub(taken, said)
    for pattern, signs in _PHRASES:
        for found in pattern.finditer(said):
            yield from zip(signs, map(_number, found.groups()), strict=True)
        said = pattern.sub(taken, said)
    for pattern, claim in _WORDS:
        if pattern.search(said):
            yield claim
        said = pattern.sub(taken, said)


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def _agrees(claim: _Claim, bounds: Range | Length, kind: str) -> bool:
    sign, number = claim
    low, high = _closed(bounds, kind)
    step = 1 if kind in ("whole", "textLength") else 0
    match sign:
        case ">=":
            return low == (number, False)
        case ">":
            return low == ((number + 1, False) if step else (number, True))
        case "<=":
            return high == (number, False)
        case "<":
            return high == ((number - 1, False) if step else (number, True))
        case "=":
            return low == high == (number, False)
        case "[":
            return low is not None and low[0] in (number, number + step)
        case _:
            return high is not None and high[0] in (number, number - step)


_End: TypeAlias = tuple[Decimal, bool] | None


def _closed(bounds: Range | Length, kind: str) -> tuple[_End, _End]:
    """Each end with whether it is open; over whole numbers none is."""
    low, high = _end(bounds.low, bounds.low_open), _end(bounds.high, bounds.high_open)
    if kind not in ("whole", "textLength"):
        return low, high
    if low is not None and low[1]:
        low = (low[0] + 1, False)
    if high is not None and high[1]:
        high = (high[0] - 1, False)
    return low, high


def _end(value: object, is_open: bool) -> _End:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    return Decimal(value), is_open


def _below_zero(bounds: Range | Length) -> bool:
    high = _end(bounds.high, bounds.high_open)
    return bounds.low is None and high is not None and high[0] <= 0


def _shown(bounds: Range | Length) -> str:
    low = "" if bounds.low is None else f"{'>' if bounds.low_open else '>='} {bounds.low}"
    high = "" if bounds.high is None else f"{'<' if bounds.high_open else '<='} {bounds.high}"
    return " and ".join(part for part in (low, high) if part)
