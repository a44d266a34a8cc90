"""What stands in a phrase for a column: a label in quotes, `[x]`, `${x}`, a bare word, it."""

from __future__ import annotations

from dataclasses import dataclass

from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    enclosed,
    mapped,
    nothing,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import (
    never_values,
    one_of,
    phrases,
)

_MOST_WORDS_OF_A_NAME = 8


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a phrase; `column` is None where it is no column of the table."""

    column: str | None
    text: str


def _written_name(source: Source, at: int) -> Readings[Name]:
    """A name that the phrase marks as one: in quotes or brackets."""
    found = source.at(at)
    if found is not None and found.kind in ("quoted", "ref"):
        yield Name(column_named(source, found.text), found.text), at + 1


def _bare_name(source: Source, at: int) -> Readings[Name]:
    """Words that are a column's name or label."""
    text = ""
    for end in range(at, min(at + _MOST_WORDS_OF_A_NAME, len(source.tokens))):
        found = source.tokens[end]
        if found.kind not in ("word", "number", "mask"):
            return
        text = f"{text} {found.text}".strip()
        column = column_named(source, text)
        if column is not None and not _is_generic(text):
            yield Name(column, text), end + 1


def _is_generic(text: str) -> bool:
    return text.casefold() in _GENERIC_WORDS


def column_named(source: Source, text: str) -> str | None:
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
    if column_named(source, found.text) is None:
        yield Name(None, found.text), at + 1


# In front of a sign or "is" a single word is a name, known or not.
operand: Parser[Name] = alt(subject, _unknown_word)
