"""Thresholds of figures: `= 0`, `< 5%`, `between 10 and (20`, `when > 10`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.readers.sql.dsl.build import literal

_NUMBER = r"-?\d+(?:\.\d+)?"
_ONE = re.compile(rf"(=|!=|<>|<=|>=|<|>)\s*({_NUMBER})\s*%?\Z")
_BETWEEN = re.compile(
    rf"(not\s+)?between\s+([\[(]?)\s*({_NUMBER})\s*%?\s+and\s+({_NUMBER})\s*%?\s*([\])]?)\Z",
    re.IGNORECASE,
)
_SIGNS: dict[str, type[exp.Expression]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<>": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT,
    ">=": exp.GTE,
}  # fmt: skip
_NONE = (("=", Decimal(0)), ("<=", Decimal(0)), ("<", Decimal(1)))
_OPPOSITE = {"=": "!=", "!=": "=", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True, slots=True)
class Threshold:
    """Comparisons with numbers, of which all hold, or (`any_`) one."""

    tests: tuple[tuple[str, Decimal], ...]
    any_: bool = False

    def of(self, figure: exp.Expression) -> exp.Expression:
        return self._joined([_test(sign, figure, literal(end)) for sign, end in self.tests])

    def scaled(self, figure: exp.Expression, by: exp.Expression) -> exp.Expression:
        """A share in percent, without a division: `100 * figure < 5 * by`."""
        hundred = exp.Mul(this=literal(100), expression=figure)
        tests = [
            _test(sign, hundred, exp.Mul(this=literal(end), expression=by.copy()))
            for sign, end in self.tests
        ]
        return self._joined(tests)

    def _joined(self, tests: list[exp.Expression]) -> exp.Expression:
        if len(tests) == 1:
            return tests[0]
        both = exp.or_ if self.any_ else exp.and_
        return exp.Paren(this=both(*tests, copy=False))

    def allows(self, number: int) -> bool:
        found = [_holds(sign, number, end) for sign, end in self.tests]
        return any(found) if self.any_ else all(found)

    @property
    def is_none(self) -> bool:
        """Of a count: not one."""
        return len(self.tests) == 1 and self.tests[0] in _NONE

    def negated(self) -> Threshold:
        return Threshold(tuple((_OPPOSITE[s], end) for s, end in self.tests), not self.any_)

    def bounds(self) -> tuple[int | None, int | None] | None:
        """The least and the greatest whole number that is allowed, where that says it all."""
        low: int | None = None
        high: int | None = None
        for sign, end in self.tests:
            if end != int(end) or sign in ("!=", "<>") or (self.any_ and len(self.tests) > 1):
                return None
            number = int(end)
            if sign in ("=", ">", ">="):
                low = number + (sign == ">")
            if sign in ("=", "<", "<="):
                high = number - (sign == "<")
        return low, high


def _test(sign: str, left: exp.Expression, right: exp.Expression) -> exp.Expression:
    found: exp.Expression = _SIGNS[sign](this=left.copy(), expression=right)
    return found


def _holds(sign: str, number: int, end: Decimal) -> bool:
    return {
        "=": number == end, "!=": number != end, "<>": number != end, "<": number < end,
        "<=": number <= end, ">": number > end, ">=": number >= end,
    }[sign]  # fmt: skip


def threshold(text: str) -> Threshold | None:
    """None for what is none of these."""
    words = text.strip()
    if one := _ONE.match(words):
        return Threshold(((one[1], Decimal(one[2])),))
    if two := _BETWEEN.match(words):
        low = (">" if two[2] == "(" else ">=", Decimal(two[3]))
        high = ("<" if two[5] == ")" else "<=", Decimal(two[4]))
        found = Threshold((low, high))
        return found.negated() if two[1] else found
    return None
