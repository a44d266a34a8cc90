"""Parsers that give every way to read what stands at a place, put together from small ones.

A phrase has a meaning when all its complete readings agree; so each parser yields all of its
readings, and nobody decides early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias, TypeVar

from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token, Tokens
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting

T = TypeVar("T")
U = TypeVar("U")


class TooManyReadings(Exception):
    """So many ways to begin a sentence that nobody could tell which one is meant."""


# What real sentences need is some thousands at most.
_MOST_STEPS = 60_000


@dataclass(frozen=True, slots=True)
class Source:
    """What is read, and around it: the field of the row, and what "it" stands for.

    `steps`: how many attempts were made so far, with all that is read of the sentence.
    `norms`: the words, signs and punctuation marks as they are compared; "" for all others.
    """

    tokens: Tokens
    setting: Setting
    column: Column | None = None
    it: str | None = None
    steps: list[int] = field(default_factory=lambda: [0], repr=False, compare=False)
    norms: tuple[str, ...] = field(init=False, default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "norms", tuple(_norm(t) for t in self.tokens))

    def step(self) -> None:
        """One more attempt. Raises TooManyReadings."""
        self.steps[0] += 1
        if self.steps[0] > _MOST_STEPS:
            raise TooManyReadings

    def at(self, place: int) -> Token | None:
        return self.tokens[place] if 0 <= place < len(self.tokens) else None


Readings: TypeAlias = Iterator[tuple[T, int]]
Parser: TypeAlias = Callable[[Source, int], Iterator[tuple[T, int]]]


@cache
def words(phrase: str) -> Parser[None]:
    """The words of the phrase, one after another, whatever their case."""
    wanted = tuple(phrase.casefold().split())

    def parse(source: Source, at: int) -> Readings[None]:
        end = at + len(wanted)
        if source.norms[at:end] == wanted:
            yield None, end

    return parse


def _norm(token: Token) -> str:
    return token.norm if token.kind in ("word", "punct", "sign") else ""


def listed(table: Mapping[str, T]) -> Parser[T]:
    """Any phrase of the table, with its value."""
    by_first: dict[str, list[tuple[tuple[str, ...], T]]] = {}
    for phrase, value in table.items():
        wanted = tuple(phrase.casefold().split())
        by_first.setdefault(wanted[0], []).append((wanted, value))

    def parse(source: Source, at: int) -> Readings[T]:
        first = source.norms[at] if at < len(source.norms) else ""
        for wanted, value in by_first.get(first, ()):
            end = at + len(wanted)
            if source.norms[at:end] == wanted:
                yield value, end

    return parse


def any_of(phrases: Sequence[str]) -> Parser[str]:
    return _any_of(tuple(phrases))


@cache
def _any_of(phrases: tuple[str, ...]) -> Parser[str]:
    return listed({phrase: phrase for phrase in phrases})


def token(kind: str) -> Parser[Token]:
    def parse(source: Source, at: int) -> Readings[Token]:
        found = source.at(at)
        if found is not None and found.kind == kind:
            yield found, at + 1

    return parse


def nothing(source: Source, at: int) -> Readings[None]:
    yield None, at


def end(source: Source, at: int) -> Readings[None]:
    if at == len(source.tokens):
        yield None, at


def alt(*parsers: Parser[T]) -> Parser[T]:
    def parse(source: Source, at: int) -> Readings[T]:
        for parser in parsers:
            yield from parser(source, at)

    return parse


def mapped(parser: Parser[T], make: Callable[[T], U]) -> Parser[U]:
    def parse(source: Source, at: int) -> Readings[U]:
        for value, after in parser(source, at):
            yield make(value), after

    return parse


def kept(parser: Parser[T | None]) -> Parser[T]:
    """Without the readings that came to nothing."""

    def parse(source: Source, at: int) -> Readings[T]:
        for value, after in parser(source, at):
            if value is not None:
                yield value, after

    return parse


def opt(parser: Parser[T]) -> Parser[T | None]:
    def parse(source: Source, at: int) -> Readings[T | None]:
        yield None, at
        yield from parser(source, at)

    return parse


def seq(first: Parser[T], second: Parser[U]) -> Parser[tuple[T, U]]:
    def parse(source: Source, at: int) -> Readings[tuple[T, U]]:
        source.step()
        for one, between in first(source, at):
            for two, after in second(source, between):
                yield (one, two), after

    return parse


def then(first: Parser[T], second: Parser[U]) -> Parser[U]:
    """Both, of which the second counts."""
    return mapped(seq(first, second), lambda both: both[1])


def before(first: Parser[T], second: Parser[U]) -> Parser[T]:
    """Both, of which the first counts."""
    return mapped(seq(first, second), lambda both: both[0])


def says(parser: Parser[U], value: T) -> Parser[T]:
    return mapped(parser, lambda _: value)


def distinct(parser: Parser[T]) -> Parser[T]:
    """Without the readings that say the same: a list of them would double with each item."""

    def parse(source: Source, at: int) -> Readings[T]:
        yield from dict.fromkeys(parser(source, at))

    return parse


def many(item: Parser[T], separator: Parser[object], least: int = 1) -> Parser[tuple[T, ...]]:
    """Items with a separator between each two."""

    item = distinct(item)

    def more(source: Source, at: int, so_far: tuple[T, ...]) -> Readings[tuple[T, ...]]:
        source.step()
        if len(so_far) >= least:
            yield so_far, at
        for _, between in separator(source, at):
            for value, after in item(source, between):
                yield from more(source, after, (*so_far, value))

    def parse(source: Source, at: int) -> Readings[tuple[T, ...]]:
        for value, after in item(source, at):
            yield from more(source, after, (value,))

    return parse


def enclosed(parser: Parser[T]) -> Parser[T]:
    return before(then(words("("), parser), words(")"))


def delayed(make: Callable[[], Parser[T]]) -> Parser[T]:
    """A parser that is defined further down."""

    def parse(source: Source, at: int) -> Readings[T]:
        yield from make()(source, at)

    return parse
