"""Values in a phrase, and lists of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ruleferry.converters.predicates import Value
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    distinct,
    kept,
    listed,
    mapped,
    says,
)
from ruleferry.converters.readers.spreadsheet.phrases.names import column_named
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import never_values, one_of


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
    if is_word and found is not None and column_named(source, found.text) is None:
        yield Item("bare", found.text, found.text), at + 1


def _code_item(source: Source, at: int) -> Readings[Item]:
    """A bare value that can be nothing else: `F003`, `X`, yes."""
    found = source.at(at)
    if (
        found
        and found.kind == "word"
        and is_code(found)
        and column_named(source, found.text) is None
    ):
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


def items(one: Parser[Item], *, loose: bool = True) -> Parser[tuple[Item, ...]]:
    """`A, B, or C`; `A or B`; `A | B | C`. Not `loose`: words need an or, and no `A and B`."""

    one = distinct(one)

    def more(
        source: Source, at: int, found: tuple[Item, ...], between: tuple[str, ...]
    ) -> Iterator[tuple[tuple[Item, ...], int]]:
        source.step()
        if loose or _is_strict(found, between):
            yield found, at
        for separator, start in _SEPARATORS(source, at):
            if _goes_on(between, separator):
                for value, after in one(source, start):
                    yield from more(source, after, (*found, value), (*between, separator))

    def parse(source: Source, at: int) -> Readings[tuple[Item, ...]]:
        for value, after in one(source, at):
            yield from more(source, after, (value,), ())

    return parse


def _is_strict(found: tuple[Item, ...], between: tuple[str, ...]) -> bool:
    """In a condition `A = x, mostly` and `A = x and mostly` are no lists."""
    if between == ("and",):
        return False
    only_commas = bool(between) and not set(between) & {"or", "and", "last"}
    return not only_commas or not any(_is_plain_word(i) for i in found)


def _is_plain_word(found: Item) -> bool:
    return found.sort == "bare" and found.text != found.text.upper()


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
    if not real or sorts >= {"quoted", "number"}:
        return None
    if "number" in sorts and any(_is_plain_word(i) for i in real):
        return None
    if sorts == {"number"}:
        return Values(tuple(i.value for i in real), blank)
    return Values(tuple(i.text for i in real), blank)


def values(one: Parser[Item]) -> Parser[Values]:
    """The values of a condition: after "A = 1 and" another condition is to come, no value."""
    return kept(mapped(items(one, loose=False), as_values))
