"""What a value is compared with: a number, a date, today, another column."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from ruleferry.converters.predicates import Operator, Value
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    listed,
    mapped,
    opt,
    says,
    seq,
)
from ruleferry.converters.readers.spreadsheet.phrases.names import Name, name
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token, day
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import (
    numbers,
    one_of,
    phrases,
    strings,
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A number or date; `unit`: the word of measure beside it; `doubt`: why it can't be told."""

    value: Value
    unit: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Today:
    now: bool = False


Limit: TypeAlias = Bound | Today | Name


def number(source: Source, at: int) -> Readings[Value]:
    """A number, of which groups of three digits may stand apart: `25 000`."""
    found = source.at(at)
    if found is None or found.kind != "number" or not found.plain:
        return
    digits, after = found.norm, at + 1
    if digits.lstrip("+-").isdigit() and len(digits.lstrip("+-")) <= 3 and int(digits):
        while _is_group(source.at(after)):
            digits, after = digits + source.tokens[after].text, after + 1
    yield (Decimal(digits) if "." in digits else int(digits)), after


def _is_group(found: Token | None) -> bool:
    return (
        found is not None and found.kind == "number" and len(found.text) == 3
        and found.text.isdigit()
    )  # fmt: skip


_number_word: Parser[Value] = mapped(listed(numbers("numbers")), lambda n: n)


def _date(source: Source, at: int) -> Readings[Bound]:
    found = source.at(at)
    if found is None or found.kind != "date":
        return
    if isinstance(found.value, date):
        yield Bound(found.value), at + 1
        return
    moment = slash_date(found.text, source.setting.day_first)
    doubt = "" if moment else f"{found.text}: nothing tells the day from the month"
    yield Bound(moment, "", doubt), at + 1


def slash_date(text: str, day_first: bool | None) -> date | None:
    one, two, year = (int(p) for p in text.split("/"))
    readings = {day(year, two, one), day(year, one, two)} - {None}
    if len(readings) == 1:
        return readings.pop()
    if day_first is None:
        return None
    return day(year, two, one) if day_first else day(year, one, two)


_month: Parser[int] = listed(numbers("months"))


def _month_date(source: Source, at: int) -> Readings[Bound]:
    """`October 1, 2010`, `1 October 2010`."""
    for month, after in _month(source, at):
        first = source.at(after)
        comma = source.at(after + 1)
        year_at = after + 2 if comma is not None and comma.norm == "," else after + 1
        yield from _of_parts(first, month, source.at(year_at), year_at + 1)
    first = source.at(at)
    for month, after in _month(source, at + 1):
        yield from _of_parts(first, month, source.at(after), after + 1)


def _of_parts(
    of_month: Token | None, month: int, year: Token | None, after: int
) -> Readings[Bound]:
    if of_month is None or year is None:
        return
    if isinstance(of_month.value, int) and isinstance(year.value, int) and year.value > 999:
        moment = day(year.value, month, of_month.value)
        if moment is not None:
            yield Bound(moment), after


def _unit(source: Source, at: int) -> Readings[str]:
    found = source.at(at)
    if found is not None and found.kind == "word" and found.norm in phrases("units", "why"):
        yield found.text, at + 1


def _today_ref(source: Source, at: int) -> Readings[Limit]:
    found = source.at(at)
    if found is not None and found.kind == "ref" and found.norm in ("today", "now"):
        yield Today(now=found.norm == "now"), at + 1


def _measured(both: tuple[Value, str | None]) -> Bound:
    return Bound(both[0], both[1] or "")


bound: Parser[Bound] = alt(
    mapped(seq(number, opt(_unit)), _measured),
    mapped(_number_word, Bound),
    _date,
    _month_date,
)
today: Parser[Limit] = alt(
    says(one_of("today"), Today()), says(one_of("now"), Today(now=True)), _today_ref
)
limit: Parser[Limit] = alt(
    mapped(bound, lambda b: b), today, mapped(name, lambda n: n)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Versus:
    """A comparison with a limit: `at least 5`."""

    operator: Operator
    limit: Limit


OPERATORS: dict[str, Operator] = {o: o for o in ("=", "!=", "<", "<=", ">", ">=")}


def _versus(both: tuple[str, Limit]) -> Versus:
    return Versus(OPERATORS[both[0]], both[1])


comparison_word: Parser[str] = listed(strings("comparisons"))


def _sign(source: Source, at: int) -> Readings[str]:
    found = source.at(at)
    if found is not None and found.kind == "sign" and found.norm in OPERATORS:
        yield found.norm, at + 1


sign: Parser[str] = _sign
versus: Parser[Versus] = alt(
    mapped(seq(comparison_word, limit), _versus),
    mapped(seq(bound, listed(strings("limits_after"))), lambda both: _versus((both[1], both[0]))),
)
