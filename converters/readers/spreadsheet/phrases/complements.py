"""What may follow "must be", and what may stand alone: ranges, lengths, lists, formats."""

from __future__ import annotations

from ruleferry.converters.predicates import AgainstToday, Range
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    ABSENT,
    HERE,
    PRESENT,
    UNIQUE,
    Claims,
    allowed,
    both_limits,
    denied_versus,
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
    mapped,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.formats import formats, no_chars, only
from ruleferry.converters.readers.spreadsheet.phrases.lengths import (
    clear_length,
    counted,
    lengths,
    limited_length,
)
from ruleferry.converters.readers.spreadsheet.phrases.limits import (
    OPERATORS,
    Limit,
    Versus,
    bound,
    limit,
    versus,
)
from ruleferry.converters.readers.spreadsheet.phrases.values import (
    Item,
    Values,
    as_values,
    code_item,
    item,
    items,
    word_item,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import one_of, strings, word_for

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
    mapped(seq(alt(listed({"longer than": "<=", "shorter than": ">="})), counted), limited_length),
    mapped(
        seq(listed({"more than": "<=", "fewer than": ">=", "less than": ">="}), counted),
        limited_length,
    ),
)
