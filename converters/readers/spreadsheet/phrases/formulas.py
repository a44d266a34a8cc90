"""Sentences in signs: `A = B + C`, `0 <= "A" <= "B"`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import Identity, Operator
from ruleferry.converters.readers.spreadsheet.phrases.assemble import (
    Sentence,
    Subjects,
    of_check,
    sentence,
)
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    PRESENT,
    Claims,
    beside,
    both_limits,
    on_column,
    versus_claim,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    any_of,
    before,
    listed,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.complements import complement
from ruleferry.converters.readers.spreadsheet.phrases.conditions import unresolved
from ruleferry.converters.readers.spreadsheet.phrases.demands import Demand
from ruleferry.converters.readers.spreadsheet.phrases.limits import Versus, limit
from ruleferry.converters.readers.spreadsheet.phrases.names import Name, name, operand, subject
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Row

_Terms: TypeAlias = tuple[tuple[Literal[1, -1], Name], ...]
_plus_minus: Parser[Literal[1, -1]] = listed({"+": 1, "-": -1})


_total = before(name, words("="))
_term = seq(_plus_minus, name)


def identity(source: Source, at: int) -> Readings[Sentence]:
    """`A = B + C - D`."""
    for total, after in _total(source, at):
        for first, start in name(source, after):
            for terms, done in _further(source, start, ((1, first),)):
                yield Sentence((_sum(total, terms),), total.column), done


def _further(source: Source, at: int, so_far: _Terms) -> Iterator[tuple[_Terms, int]]:
    yield so_far, at
    for term, after in _term(source, at):
        yield from _further(source, after, (*so_far, term))


def _sum(total: Name, terms: _Terms) -> Statement:
    unknown = next((n for n in (total, *(n for _, n in terms)) if n.column is None), None)
    if unknown is not None:
        return of_check(unresolved(unknown))
    assert total.column is not None
    named = tuple((plus, n.column) for plus, n in terms if n.column is not None)
    if len(named) == 1:
        (check,) = beside("=", named[0][1])
        return of_check(on_column(check, total.column, None))
    return of_check(Row(Identity(total.column, named)))


_TURNED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_order: Parser[Operator] = listed({o: o for o in _TURNED})


_named_next = seq(_order, operand)
_limit_next = seq(_order, limit)


def chain(source: Source, at: int) -> Readings[Sentence]:
    """`0 <= "A" <= "B"`, `"A" >= 0`, `0 <= "A"`."""
    yield from _right(source, at)
    for left, after in limit(source, at):
        for (first, named), start in _named_next(source, after):
            lower = Versus(_TURNED[first], left)
            for (second, right), done in _limit_next(source, start):
                claims = both_limits((lower, Versus(second, right)))
                if claims is not None:
                    yield _ordered(source, named, claims), done
            if not isinstance(left, Name) and _is_own(source, named):
                yield _ordered(source, named, versus_claim(lower)), start


def _right(source: Source, at: int) -> Readings[Sentence]:
    for named, after in subject(source, at):
        for (order, right), done in _limit_next(source, after) if _is_own(source, named) else ():
            yield _ordered(source, named, versus_claim(Versus(order, right))), done


def _is_own(source: Source, named: Name) -> bool:
    """In the row of another field `A >= 5` may be a condition: it is a rule in A's own row."""
    return source.column is None or named.column in (None, source.column.name)


def _ordered(source: Source, named: Name, claims: Claims) -> Sentence:
    return sentence(source, Subjects((named,)), (Demand(claims),), ())


_not_empty = before(name, any_of(["= not empty", "= not null", "= not blank", "is not null"]))


def not_empty(source: Source, at: int) -> Readings[Sentence]:
    """`A = NOT EMPTY`."""
    for found, done in _not_empty(source, at):
        yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done


_value_there = before(
    then(any_of(["is there a value in", "is there a value for"]), name), words("?")
)
_value_is = seq(
    then(any_of(["is the value of", "is the value in"]), name), before(complement, words("?"))
)


def question(source: Source, at: int) -> Readings[Sentence]:
    """`Is there a value in A?`, `Is the value of A a number between 0 and 9?`."""
    for found, done in _value_there(source, at):
        yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done
    for (found, claims), done in _value_is(source, at):
        yield sentence(source, Subjects((found,)), (Demand(claims),), ()), done
