"""How a text is written: masks, characters, what it starts and ends with."""

from __future__ import annotations

from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    Claims,
    gap,
    no_characters,
    only_characters,
    row,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    kept,
    many,
    mapped,
    opt,
    says,
    then,
    token,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.masks import of_mask
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token
from ruleferry.converters.readers.spreadsheet.phrases.values import Item, items
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import phrases, word_for


def of_token(found: Token) -> Claims:
    predicate = of_mask(found.text)
    if predicate is None:
        return gap("not_understood", f"{found.text} can mean more than one format")
    return row(predicate)


mask: Parser[Claims] = mapped(token("mask"), of_token)
_mask_names = {
    "yyyy": "year", "mm": "month", "dd": "day",
}  # fmt: skip


def _explained(source: Source, at: int) -> Readings[None]:
    """`, where YYYY is the year, MM the month and DD the day`: what a mask's parts stand for."""
    for _, start in any_of([", where", "where", "( where"])(source, at):
        yield from _parts(source, start)


def _parts(source: Source, at: int) -> Readings[None]:
    found = source.at(at)
    if found is None or found.kind != "word" or found.norm not in _mask_names:
        return
    named = _mask_names[found.norm]
    for _, after in any_of([f"is the {named}", f"the {named}", f"is {named}", f"= {named}"])(
        source, at + 1
    ):
        yield None, after
        for _, following in any_of([",", "and", ", and"])(source, after):
            yield from _parts(source, following)


formats: Parser[Claims] = before(
    alt(
        then(
            opt(any_of(["in the", "in", "in a", "the", "a", "of the"])),
            before(mask, opt(any_of(["format", "form", "pattern", "notation"]))),
        ),
        then(
            any_of(["in the format", "in format", "the format", "formatted as", "formatted like",
                    "in the form", "of the form", "in the format of", "format", "format :"]),
            mask,
        ),
    ),
    opt(_explained),
)  # fmt: skip

_commas = any_of([",", "and", "or", ", and", ", or"])
_char_words = many(word_for("charsets"), _commas)
_one_quoted = kept(mapped(token("quoted"), lambda t: t.text if len(t.text) == 1 else None))
_char_list = many(alt(word_for("charsets"), _one_quoted), _commas)
only: Parser[Claims] = mapped(
    alt(
        then(any_of(["only contain", "contain only", "only", "consist of only", "consist only of",
                     "only consist of", "contains only", "only contains", "be only", "only have",
                     "only use", "use only", "comprise only"]), _char_list),
        before(_char_list, words("only")),
    ),
    only_characters,
)  # fmt: skip
_space_words = says(any_of(["any spaces", "any space", "a space"]), (" ",))
no_chars: Parser[Claims] = mapped(
    then(any_of(["no", "without", "without any"]), alt(_char_words, _space_words)), no_characters
)
contained_chars: Parser[Claims] = mapped(alt(_char_words, _space_words), no_characters)


def _affix(source: Source, at: int) -> Readings[Item]:
    """A text that a value starts or ends with; a bare one can't be an English word."""
    found = source.at(at)
    if found is None:
        return
    if found.kind == "quoted" and found.text:
        yield Item("quoted", found.text, found.text), at + 1
    if found.kind == "number":
        yield Item("bare", found.text, found.text), at + 1
    if found.kind == "word" and _is_affix(found):
        yield Item("bare", found.text, found.text), at + 1


def _is_affix(found: Token) -> bool:
    if found.norm in {*phrases("no_affix"), *phrases("words", "function_words")}:
        return False
    return found.text == found.text.upper() or not set(found.norm) & set("aeiou")


affixes: Parser[tuple[str, ...]] = mapped(
    then(
        opt(
            any_of(["the", "either", "the prefix", "one of", "one of :", "the letters", "the text"])
        ),
        items(_affix),
    ),
    lambda found: tuple(i.text for i in found),
)
