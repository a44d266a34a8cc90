"""The word tables of mappings/phrases.toml, as parsers and sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ruleferry.converters.mappings import table
from ruleferry.converters.readers.spreadsheet.phrases.combine import Parser, any_of, listed


@cache
def _tables() -> Mapping[str, Mapping[str, object]]:
    return table("phrases")  # type: ignore[return-value]


@cache
def strings(name: str) -> Mapping[str, str]:
    return {key: str(value) for key, value in _tables()[name].items()}


@cache
def numbers(name: str) -> Mapping[str, int]:
    return {key: int(str(value)) for key, value in _tables()[name].items()}


@cache
def flags(name: str) -> Mapping[str, bool]:
    return {key: bool(value) for key, value in _tables()[name].items()}


@cache
def phrases(name: str, part: str = "words") -> tuple[str, ...]:
    found = _tables()[part][name]
    assert isinstance(found, list)
    return tuple(str(phrase) for phrase in found)


@cache
def one_of(name: str, part: str = "words") -> Parser[str]:
    return any_of(phrases(name, part))


@cache
def word_for(name: str) -> Parser[str]:
    return listed(strings(name))


@cache
def never_values() -> frozenset[str]:
    return frozenset(phrases("words", "function_words"))


@cache
def never_gloss() -> frozenset[str]:
    return frozenset(phrases("never", "gloss"))
