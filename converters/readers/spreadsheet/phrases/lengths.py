"""How long a text is: `exactly 6 digits`, `max. 255 characters`."""

from __future__ import annotations

from ruleferry.converters.predicates import Value
from ruleferry.converters.readers.spreadsheet.phrases.claims import Claims, length, length_between
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    listed,
    mapped,
    opt,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.limits import (
    OPERATORS,
    comparison_word,
    number,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import numbers, one_of, word_for

_count: Parser[Value] = alt(number, mapped(listed(numbers("numbers")), lambda n: n))
_unit: Parser[str] = before(word_for("lengths"), opt(one_of("after", "length_words")))
counted = seq(_count, _unit)


def _exactly(both: tuple[Value, str]) -> Claims:
    return length("=", both[0], both[1])


def limited_length(both: tuple[str, tuple[Value, str]]) -> Claims:
    return length(OPERATORS[both[0]], both[1][0], both[1][1])


_longer = listed(
    {
        "longer than": ">",
        "shorter than": "<",
        "no longer than": "<=",
        "not longer than": "<=",
        "no shorter than": ">=",
        "not shorter than": ">=",
    }
)
_to = any_of(["to", "to-", "-"])
_two_counts = alt(
    seq(before(then(words("between"), _count), words("and")), _count),
    seq(before(then(opt(words("from")), _count), _to), _count),
)


def _count_between(both: tuple[tuple[Value, Value], str]) -> Claims:
    (low, high), unit = both
    return length_between(low, high, unit)


def _hyphenated(source: Source, at: int) -> Readings[Claims]:
    """`a 3-digit code`."""
    found = source.at(at)
    if found is None or found.kind != "word":
        return
    count, _, unit = found.norm.partition("-")
    if count.isascii() and count.isdigit() and unit in ("digit", "character", "letter"):
        for _, after in opt(any_of(["code", "number", "identifier", "value", "string"]))(
            source, at + 1
        ):
            yield length("=", int(count), f"{unit}s"), after


_length_is = any_of(
    ["length of", "a length of", "a total length of", "length is", "length :", "length", "length ="]
)
_longest_is = any_of(
    [
        "a maximum length of",
        "maximum length of",
        "maximum length is",
        "maximum length",
        "maximum length :",
        "max length",
        "max length :",
        "max . length",
        "max length of",
        "a max length of",
    ]
)
_shortest_is = any_of(
    ["a minimum length of", "minimum length of", "minimum length is", "minimum length",
     "minimum length :", "min length", "min length :", "min . length"]
)  # fmt: skip
_bare_count = before(_count, opt(any_of(["characters", "character", "chars"])))
exact_length: Parser[Claims] = mapped(then(words("exactly"), counted), _exactly)
clear_length: Parser[Claims] = alt(
    exact_length,
    mapped(seq(alt(comparison_word, _longer), counted), limited_length),
    mapped(seq(word_for("limits"), counted), limited_length),
    mapped(seq(counted, word_for("limits_after")), lambda both: limited_length((both[1], both[0]))),
    mapped(seq(_two_counts, _unit), _count_between),
    mapped(then(_longest_is, _bare_count), lambda n: length("<=", n, "characters")),
    mapped(then(_shortest_is, _bare_count), lambda n: length(">=", n, "characters")),
)
lengths: Parser[Claims] = alt(
    clear_length,
    mapped(counted, _exactly),
    then(opt(words("a")), _hyphenated),
)
had_lengths: Parser[Claims] = alt(
    lengths,
    mapped(
        then(_length_is, then(opt(words("exactly")), _bare_count)),
        lambda n: length("=", n, "characters"),
    ),
    mapped(
        then(_length_is, seq(comparison_word, _bare_count)),
        lambda both: limited_length((both[0], (both[1], "characters"))),
    ),
    mapped(
        then(_length_is, before(_two_counts, opt(words("characters")))),
        lambda both: length_between(both[0], both[1], "characters"),
    ),
)
