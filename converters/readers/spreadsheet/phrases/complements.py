"""What may follow "must be", and what may stand alone: ranges, lengths, lists, formats."""

from __future__ import annotations

from ruleferry.converters.predicates import AgainstToday, Range, Value
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    ABSENT,
    HERE,
    PRESENT,
    UNIQUE,
    Claims,
    allowed,
    both_limits,
    denied_versus,
    gap,
    length,
    length_between,
    no_characters,
    only_characters,
    refused,
    row,
    two_sided,
    typed,
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
    kept,
    listed,
    many,
    mapped,
    opt,
    says,
    seq,
    then,
    token,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.masks import of_mask
from ruleferry.converters.readers.spreadsheet.phrases.terms import (
    OPERATORS,
    Item,
    Limit,
    Values,
    Versus,
    as_values,
    bound,
    code_item,
    comparison_word,
    item,
    items,
    limit,
    number,
    versus,
    word_item,
)
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import (
    numbers,
    one_of,
    phrases,
    strings,
    word_for,
)

# Ranges -------------------------------------------------------------------------------------------

_to = any_of(["to", "to-", "-", "through", "until"])
_sides = listed(
    {
        "inclusive": False,
        ", inclusive": False,
        "( inclusive )": False,
        ", inclusively": False,
        "inclusively": False,
        "exclusive": True,
        ", exclusive": True,
        "( exclusive )": True,
    }
)
_as_limit: Parser[Limit] = mapped(bound, lambda b: b)
_pair_of_limits: Parser[tuple[Limit, Limit]] = alt(
    seq(before(then(words("between"), limit), words("and")), limit),
    seq(before(then(words("from"), _as_limit), _to), _as_limit),
)


def _with_sides(both: tuple[tuple[Limit, Limit], bool | None]) -> Claims:
    (low, high), exclusive = both
    return two_sided(low, high, low_open=bool(exclusive), high_open=bool(exclusive))


_bare_pair: Parser[tuple[Limit, Limit]] = seq(before(_as_limit, _to), _as_limit)
between: Parser[Claims] = mapped(seq(_pair_of_limits, opt(_sides)), _with_sides)
span: Parser[Claims] = mapped(seq(_bare_pair, opt(_sides)), _with_sides)
_in_range: Parser[Claims] = then(
    one_of("range"),
    alt(between, span),
)
_and = any_of(["and", ", and", ",", "but", "and must be", "and be"])
_double: Parser[Claims] = kept(mapped(seq(before(versus, _and), versus), both_limits))
_limit_word: Parser[Versus] = mapped(
    seq(word_for("limits"), _as_limit), lambda both: Versus(OPERATORS[both[0]], both[1])
)
_double_words: Parser[Claims] = kept(
    mapped(seq(before(_limit_word, opt(any_of([",", "and", ";"]))), _limit_word), both_limits)
)


_one_sided: Parser[Claims] = mapped(versus, versus_claim)
range_words: Parser[Claims] = alt(
    between, _in_range, _double, _double_words, _one_sided, mapped(_limit_word, versus_claim)
)

_signs: Parser[Claims] = listed(
    {
        "positive": row(Range(HERE, low=0, low_open=True)),
        "negative": row(Range(HERE, high=0, high_open=True)),
        "non-negative": row(Range(HERE, low=0)),
        "nonnegative": row(Range(HERE, low=0)),
        "not negative": row(Range(HERE, low=0)),
        "zero or greater": row(Range(HERE, low=0)),
        "zero or positive": row(Range(HERE, low=0)),
    }
)
_signed_types = listed(
    {
        "integer": "integer",
        "whole number": "integer",
        "number": "number",
        "value": "",
        "amount": "",
        "numeric value": "number",
    }
)


def _signed(both: tuple[Claims, str]) -> Claims:
    claims, sort = both
    return (typed(sort) if sort else ()) + claims


signed: Parser[Claims] = alt(
    _signs, mapped(seq(then(opt(words("a")), _signs), _signed_types), _signed)
)

# Types --------------------------------------------------------------------------------------------

_types: Parser[Claims] = mapped(word_for("types"), typed)
types_alone: Parser[Claims] = mapped(word_for("types_alone"), typed)


def _joined(both: tuple[Claims, Claims]) -> Claims:
    return both[0] + both[1]


_ranged_type: Parser[Claims] = mapped(
    seq(before(_types, opt(any_of([",", "-", "that is"]))), alt(range_words, span)), _joined
)
ranged_alone: Parser[Claims] = mapped(
    seq(
        before(
            mapped(listed({**strings("types_alone"), "number": "number"}), typed),
            opt(any_of([",", "-", ":"])),
        ),
        alt(range_words, span, delayed(lambda: clear_length)),
    ),
    _joined,
)

# Lengths ------------------------------------------------------------------------------------------

_count: Parser[Value] = alt(number, mapped(listed(numbers("numbers")), lambda n: n))
_unit: Parser[str] = before(word_for("lengths"), opt(one_of("after", "length_words")))
_counted = seq(_count, _unit)


def _exactly(both: tuple[Value, str]) -> Claims:
    return length("=", both[0], both[1])


def _limited(both: tuple[str, tuple[Value, str]]) -> Claims:
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
exact_length: Parser[Claims] = mapped(then(words("exactly"), _counted), _exactly)
clear_length: Parser[Claims] = alt(
    exact_length,
    mapped(seq(alt(comparison_word, _longer), _counted), _limited),
    mapped(seq(word_for("limits"), _counted), _limited),
    mapped(seq(_counted, word_for("limits_after")), lambda both: _limited((both[1], both[0]))),
    mapped(seq(_two_counts, _unit), _count_between),
    mapped(then(_longest_is, _bare_count), lambda n: length("<=", n, "characters")),
    mapped(then(_shortest_is, _bare_count), lambda n: length(">=", n, "characters")),
)
lengths: Parser[Claims] = alt(
    clear_length,
    mapped(_counted, _exactly),
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
        lambda both: _limited((both[0], (both[1], "characters"))),
    ),
    mapped(
        then(_length_is, before(_two_counts, opt(words("characters")))),
        lambda both: length_between(both[0], both[1], "characters"),
    ),
)

# Lists --------------------------------------------------------------------------------------------

_what = any_of(["values", "codes", "options", "value", "these values", "terms", "choices"])
_one_of_head = seq(
    any_of(["one of", "any of", "one of either", "either one of"]),
    seq(
        opt(any_of(["the", "these", "the following", "following", "these following"])),
        seq(opt(_what), opt(words(":"))),
    ),
)


def _real_list(found: tuple[Item, ...]) -> Values | None:
    return as_values(found) if len(found) > 1 else None


def _clear(found: tuple[Item, ...]) -> Values | None:
    """A list without "one of": of texts in quotes, numbers or codes. A single code is no list."""
    if len(found) == 1 and found[0].sort not in ("quoted", "number"):
        return None
    return as_values(found)


word_list: Parser[Values] = kept(mapped(items(word_item), _real_list))
_code_list: Parser[Values] = kept(mapped(items(code_item), _clear))
listed_values: Parser[Values] = then(_one_of_head, word_list)
_zero: Parser[Values] = says(words("zero"), Values((0,)))
_blank_or_zero: Parser[Values] = says(
    any_of(["blank or zero", "zero or blank"]), Values((0,), True)
)
plain_values: Parser[Values] = alt(
    listed_values, then(opt(words("either")), _code_list), _zero, _blank_or_zero
)
_equal_list: Parser[Values] = then(
    any_of(["equal to", "set to"]), kept(mapped(items(item), as_values))
)
value_list: Parser[Claims] = mapped(alt(plain_values, _equal_list), allowed)

# Formats and characters ---------------------------------------------------------------------------


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

# Today --------------------------------------------------------------------------------------------


def _future(source: Source, at: int) -> Readings[bool]:
    now = source.column is not None and source.column.sort == "timestamp"
    for _, after in one_of("future")(source, at):
        yield now, after


_past = any_of(["in the past", "a date in the past", "a past date"])
against_today: Parser[Claims] = alt(
    mapped(_future, lambda now: row(AgainstToday(HERE, ">", now=now))),
    says(_past, row(AgainstToday(HERE, "<"))),
)
not_today: Parser[Claims] = alt(
    mapped(_future, lambda now: row(AgainstToday(HERE, "<=", now=now))),
    says(_past, row(AgainstToday(HERE, ">="))),
)

# After "must be" ----------------------------------------------------------------------------------

_states: Parser[Claims] = alt(
    says(one_of("present"), PRESENT),
    says(one_of("required"), PRESENT),
    says(one_of("blank"), ABSENT),
    says(one_of("unique"), UNIQUE),
)
complement: Parser[Claims] = alt(
    _states,
    range_words,
    mapped(seq(_bare_pair, opt(_sides)), _with_sides),
    signed,
    _types,
    _ranged_type,
    lengths,
    value_list,
    formats,
    no_chars,
    only,
    against_today,
)

_denied_lists: Parser[Claims] = mapped(alt(plain_values, _equal_list), refused)
denied: Parser[Claims] = alt(
    says(one_of("blank"), PRESENT),
    says(one_of("unused"), ABSENT),
    says(one_of("repeated"), UNIQUE),
    says(words("negative"), row(Range(HERE, low=0))),
    says(words("positive"), row(Range(HERE, high=0))),
    mapped(versus, denied_versus),
    _denied_lists,
    not_today,
    mapped(seq(alt(listed({"longer than": "<=", "shorter than": ">="})), _counted), _limited),
    mapped(
        seq(listed({"more than": "<=", "fewer than": ">=", "less than": ">="}), _counted), _limited
    ),
)
