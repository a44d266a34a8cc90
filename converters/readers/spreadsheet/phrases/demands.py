"""What is demanded of a field, with a word such as must or without one."""

from __future__ import annotations

from dataclasses import dataclass

from ruleferry.converters.predicates import AgainstToday, Range
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    HERE,
    OPTIONAL,
    PRESENT,
    UNIQUE,
    Claims,
    allowed,
    ends,
    gap,
    row,
    starts,
    versus_claim,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    alt,
    any_of,
    before,
    kept,
    listed,
    mapped,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.complements import (
    listed_values,
    range_words,
    ranged_alone,
    span,
    types_alone,
)
from ruleferry.converters.readers.spreadsheet.phrases.formats import (
    affixes,
    formats,
    mask,
    no_chars,
    only,
)
from ruleferry.converters.readers.spreadsheet.phrases.lengths import clear_length
from ruleferry.converters.readers.spreadsheet.phrases.limits import Limit, Today, Versus, limit
from ruleferry.converters.readers.spreadsheet.phrases.values import as_values, items, word_item
from ruleferry.converters.readers.spreadsheet.phrases.verbs import denied_verb, verb
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import flags, one_of


@dataclass(frozen=True, slots=True)
class Demand:
    """What is claimed, and whether it is only recommended."""

    claims: Claims
    suggested: bool = False


# After a subject ----------------------------------------------------------------------------------


def _modal_demand(both: tuple[bool, Claims]) -> Demand:
    return Demand(both[1], both[0])


_modal = before(listed(flags("modals")), opt(any_of(["always", "also"])))
_is = any_of(["is", "are", "is always", "are always"])
_stated: Parser[Claims] = alt(
    says(then(opt(_is), one_of("required")), PRESENT),
    says(any_of(["is never blank", "is never null", "is never empty"]), PRESENT),
    says(then(opt(_is), one_of("optional")), OPTIONAL),
    says(one_of("may_be_blank"), OPTIONAL),
)
_recommended = then(_is, any_of(["recommended", "preferred", "strongly recommended"]))
demand: Parser[Demand] = alt(
    mapped(seq(_modal, verb), _modal_demand),
    mapped(seq(listed(flags("modals_not")), denied_verb), _modal_demand),
    mapped(_stated, Demand),
    says(_recommended, Demand(PRESENT, suggested=True)),
)

# In the cell of a field, without must -------------------------------------------------------------


def _last_day(found: Limit) -> Claims:
    if isinstance(found, Today):
        return versus_claim(Versus("<=", found))
    return gap("not_understood", "which day is the last one is not clear")


_uses_format = any_of(["use", "follows", "in"])
_highest_day = any_of(
    ["maximum expected day =", "maximum expected date =", "maximum date =", "maximum day ="]
)
_alone: Parser[Claims] = alt(
    says(one_of("required"), PRESENT),
    says(one_of("unique"), UNIQUE),
    range_words,
    span,
    clear_length,
    types_alone,
    ranged_alone,
    mapped(listed_values, allowed),
    mapped(then(any_of(["starts with", "begins with"]), affixes), starts),
    mapped(then(any_of(["ends with", "ends in"]), affixes), ends),
    then(opt(_uses_format), formats),
    mask,
    only,
    no_chars,
    mapped(then(_highest_day, limit), _last_day),
    says(any_of(["no duplicates", "no duplicate values", "no duplicates allowed"]), UNIQUE),
    says(any_of(["no nulls", "no missing values", "no blank values"]), PRESENT),
    says(any_of(["not negative", "no negative values"]), row(Range(HERE, low=0))),
    says(
        any_of(["not in the future", "no future dates", "no future date"]),
        row(AgainstToday(HERE, "<=")),
    ),
)
_entered = any_of(["enter", "enter a", "please enter", "please enter a"])
_entered_value = then(_entered, then(opt(any_of(["value", "number"])), range_words))
alone: Parser[Demand] = alt(
    demand,
    mapped(_alone, Demand),
    mapped(_entered_value, Demand),
    says(any_of(["recommended", "preferred"]), Demand(PRESENT, suggested=True)),
)

_list_heads = seq(
    opt(words("the")),
    seq(
        seq(
            opt(words("only")),
            any_of(["acceptable", "allowed", "valid", "permitted", "accepted", "possible"]),
        ),
        seq(any_of(["values", "codes"]), any_of(["are", "are :", ":"])),
    ),
)
allowed_list: Parser[Demand] = mapped(
    then(_list_heads, kept(mapped(items(word_item), as_values))),
    lambda found: Demand(allowed(found)),
)
