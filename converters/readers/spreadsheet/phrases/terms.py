"""What stands in a phrase for a column, a value, a list of values or a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import Operator, Value
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    enclosed,
    kept,
    listed,
    mapped,
    nothing,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token, day
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import (
    never_values,
    numbers,
    one_of,
    phrases,
    strings,
)

_MOST_WORDS_OF_A_NAME = 8


# Names --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a phrase; `column` is None where it is no column of the table."""

    column: str | None
    text: str


def _written_name(source: Source, at: int) -> Readings[Name]:
    """A name that the phrase marks as one: in quotes or brackets."""
    found = source.at(at)
    if found is not None and found.kind in ("quoted", "ref"):
        yield Name(_column(source, found.text), found.text), at + 1


def _bare_name(source: Source, at: int) -> Readings[Name]:
    """Words that are a column's name or label."""
    text = ""
    for end in range(at, min(at + _MOST_WORDS_OF_A_NAME, len(source.tokens))):
        found = source.tokens[end]
        if found.kind not in ("word", "number", "mask"):
            return
        text = f"{text} {found.text}".strip()
        column = _column(source, text)
        if column is not None and not _is_generic(text):
            yield Name(column, text), end + 1


def _is_generic(text: str) -> bool:
    return text.casefold() in _GENERIC_WORDS


def _column(source: Source, text: str) -> str | None:
    found = source.setting.column_of(text)
    if found is None and ":" in text and " " not in text:
        found = source.setting.column_of(text.rpartition(":")[2])
    return found


def _generic_name(source: Source, at: int) -> Readings[Name]:
    """The value, the field, it: the field of the row, unless a column is called so."""
    for phrase, after in _GENERIC(source, at):
        called = source.setting.column_of(phrase)
        meant = source.column.name if source.column else None
        if phrase == "it" and source.it is not None:
            meant = source.it if meant in (None, source.it) else None
        if called is not None and meant is not None and called != meant:
            yield Name(None, phrase), after
        elif meant or called:
            yield Name(meant or called, phrase), after


_GENERIC = one_of("generic")
_GENERIC_WORDS = frozenset(phrases("generic"))
_THE = opt(alt(words("the"), words("each"), words("every")))


def _named_twice(both: tuple[Name, Name | None]) -> Name:
    """`Label (column)`: one column, or a name that can't be trusted."""
    name, again = both
    if again is None or again.column == name.column:
        return name
    return Name(None, name.text)


_simple_name: Parser[Name] = alt(_written_name, _bare_name)
_marked: Parser[Name] = then(
    opt(words("the")),
    mapped(
        seq(_simple_name, opt(alt(enclosed(_simple_name)))),
        _named_twice,
    ),
)
# `the X field`, `value of X`
name: Parser[Name] = alt(
    before(_marked, alt(nothing, says(one_of("beside"), None))),
    then(
        seq(opt(words("the")), seq(any_of(["value", "values"]), one_of("of"))),
        before(_marked, alt(nothing, says(one_of("beside"), None))),
    ),
)
subject: Parser[Name] = alt(name, _generic_name)


def _unknown_word(source: Source, at: int) -> Readings[Name]:
    found = source.at(at)
    if found is None or found.kind != "word" or found.norm in never_values():
        return
    if _column(source, found.text) is None:
        yield Name(None, found.text), at + 1


# In front of a sign or "is" a single word is a name, known or not.
operand: Parser[Name] = alt(subject, _unknown_word)


# Values -------------------------------------------------------------------------------------------

Bare: TypeAlias = Literal["codes", "words"]


@dataclass(frozen=True, slots=True)
class Item:
    """A value of a list: `sort` says how it was written. A blank has no value."""

    sort: Literal["quoted", "number", "bare", "blank"]
    value: Value = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Values:
    """`blank`: the list allows a missing value too."""

    values: tuple[Value, ...]
    blank: bool = False


_BLANK_ITEM = says(one_of("blank_value"), Item("blank"))


def _blank_ref(source: Source, at: int) -> Readings[Item]:
    found = source.at(at)
    if found and found.kind in ("ref", "quoted") and found.norm in ("blank", "empty", "null"):
        yield Item("blank"), at + 1


def _quoted_item(source: Source, at: int) -> Readings[Item]:
    found = source.at(at)
    if found and found.kind == "quoted" and found.norm not in ("blank", "empty", "null", ""):
        yield Item("quoted", found.text, found.text), at + 1


def _number_item(source: Source, at: int) -> Readings[Item]:
    found = source.at(at)
    if found and found.kind == "number" and not found.grouped:
        yield Item("number" if found.plain else "bare", found.value, found.text), at + 1


def _word_item(source: Source, at: int) -> Readings[Item]:
    found = source.at(at)
    is_word = found is not None and found.kind == "word" and found.norm not in never_values()
    if is_word and found is not None and _column(source, found.text) is None:
        yield Item("bare", found.text, found.text), at + 1


def _code_item(source: Source, at: int) -> Readings[Item]:
    """A bare value that can be nothing else: `F003`, `X`, yes."""
    found = source.at(at)
    if found and found.kind == "word" and is_code(found) and _column(source, found.text) is None:
        yield Item("bare", found.text, found.text), at + 1


def is_code(found: Token) -> bool:
    if found.norm in ("yes", "no"):
        return True
    text = found.text
    if found.norm in never_values() or not text.isalnum() or text != text.upper():
        return False
    return len(text) <= 2 or any(c.isdigit() for c in text)


item: Parser[Item] = alt(_BLANK_ITEM, _blank_ref, _quoted_item, _number_item)
word_item: Parser[Item] = alt(item, _word_item)
code_item: Parser[Item] = alt(item, _code_item)

_SEPARATORS = listed(
    {
        ",": ",",
        "|": "|",
        ";": ";",
        "or": "or",
        ", or": "last",
        "and": "and",
        ", and": "last",
        "; or": "last",
    }
)


def items(one: Parser[Item]) -> Parser[tuple[Item, ...]]:
    """`A, B, or C`; `A or B`; `A | B | C`."""

    def more(
        source: Source, at: int, found: tuple[Item, ...], between: tuple[str, ...]
    ) -> Iterator[tuple[tuple[Item, ...], int]]:
        yield found, at
        for separator, start in _SEPARATORS(source, at):
            if not _goes_on(between, separator):
                continue
            for value, after in one(source, start):
                yield from more(source, after, (*found, value), (*between, separator))

    def parse(source: Source, at: int) -> Readings[tuple[Item, ...]]:
        for value, after in one(source, at):
            yield from more(source, after, (value,), ())

    return parse


def _goes_on(between: tuple[str, ...], separator: str) -> bool:
    """Commas with one last "or", or one separator throughout."""
    if not between:
        return True
    if between[-1] == "last" or (between[-1] in ("or", "and") and len(set(between)) > 1):
        return False
    if separator in ("last", "or", "and") and set(between) <= {",", ";"}:
        return True
    return set(between) == {separator} and separator != "and"


def as_values(found: tuple[Item, ...]) -> Values | None:
    """None where the items can't be values of one column."""
    blank = any(i.sort == "blank" for i in found)
    real = [i for i in found if i.sort != "blank"]
    sorts = {i.sort for i in real}
    if not real or (sorts >= {"quoted", "number"}):
        return None
    if sorts == {"number"}:
        return Values(tuple(i.value for i in real), blank)
    return Values(tuple(i.text for i in real), blank)


def values(one: Parser[Item]) -> Parser[Values]:
    return kept(mapped(items(one), as_values))


# Limits -------------------------------------------------------------------------------------------


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
