"""Constraints of XLSForm: `. >= 0 and . <= 100`, `regex(., '^[A-Z]+$')`, `. <= today()`."""

from __future__ import annotations

from ruleferry.converters.predicates import Matches, Operator, Value
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    HERE,
    Claims,
    allowed,
    gap,
    length,
    row,
    versus_claim,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    delayed,
    enclosed,
    end,
    listed,
    many,
    mapped,
    seq,
    then,
    token,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.limits import (
    Bound,
    Limit,
    Today,
    Versus,
)
from ruleferry.converters.readers.spreadsheet.phrases.machine import TURNED, operator
from ruleferry.converters.readers.spreadsheet.phrases.names import Name
from ruleferry.converters.readers.spreadsheet.phrases.values import Values

_itself = words(".")


def _limit(source: Source, at: int) -> Readings[Limit]:
    found = source.at(at)
    if found is None:
        return
    if found.kind == "ref":
        yield Name(source.setting.column_of(found.text), found.text), at + 1
    elif found.kind == "number" and not found.grouped and found.plain:
        yield Bound(found.value), at + 1
    else:
        yield from _today(source, at)


_today: Parser[Limit] = listed({"today ( )": Today(), "now ( )": Today(now=True)})


def _text(source: Source, at: int) -> Readings[Value]:
    found = source.at(at)
    if found is not None and found.kind == "quoted" and found.text:
        yield found.text, at + 1
    elif found is not None and found.kind == "number" and not found.grouped and found.plain:
        yield found.value, at + 1


def _compared(both: tuple[Operator, Limit]) -> Claims:
    return versus_claim(Versus(*both))


def _turned(both: tuple[Limit, Operator]) -> Claims:
    return versus_claim(Versus(TURNED[both[1]], both[0]))


def _is_text(both: tuple[Operator, Value]) -> Claims:
    sign, value = both
    if sign == "=":
        return allowed(Values((value,)))
    if sign == "!=":
        return versus_claim(Versus("!=", Bound(value)))
    return gap("not_understood", "it compares the order of texts")


def _is_any(values: tuple[Value, ...]) -> Claims:
    return allowed(Values(values))


def _length_of(both: tuple[Operator, Value]) -> Claims:
    return length(both[0], both[1], "characters")


def _whole_match(pattern: str) -> Claims:
    return row(Matches(HERE, (f"^(?:{pattern})$",)))


def _joined(parts: tuple[Claims, ...]) -> Claims:
    return tuple(check for claims in parts for check in claims)


def _quoted_only(source: Source, at: int) -> Readings[Value]:
    for value, after in _text(source, at):
        if isinstance(value, str):
            yield value, after


def _number_only(source: Source, at: int) -> Readings[Value]:
    for value, after in _text(source, at):
        if not isinstance(value, str):
            yield value, after


_equals = then(seq(_itself, words("=")), _text)
_whole_length = any_of(["string-length ( . )", "string-length( . )"])
_single: Parser[Claims] = alt(
    mapped(then(_itself, seq(operator, _limit)), _compared),
    mapped(before(seq(_limit, operator), _itself), _turned),
    mapped(then(_itself, seq(operator, _quoted_only)), _is_text),
    mapped(many(_equals, words("or"), 2), _is_any),
    mapped(then(_whole_length, seq(operator, _number_only)), _length_of),
    mapped(
        before(then(words("regex ( . ,"), token("quoted")), words(")")),
        lambda found: _whole_match(found.text),
    ),
    enclosed(delayed(lambda: _every)),
)
_every: Parser[Claims] = mapped(many(_single, words("and")), _joined)
constraint: Parser[Claims] = before(_every, end)
