"""The shapes of a sentence. Each gives statements; a sentence that fits none is not read."""

from __future__ import annotations

from dataclasses import replace

from ruleferry.converters.predicates import Or, Present
from ruleferry.converters.readers.spreadsheet.phrases.assemble import (
    Sentence,
    Subjects,
    columns_of_scope,
    of_check,
    sentence,
    under,
)
from ruleferry.converters.readers.spreadsheet.phrases.claims import PRESENT
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    end,
    many,
    nothing,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.conditions import Given, condition
from ruleferry.converters.readers.spreadsheet.phrases.demands import (
    Demand,
    allowed_list,
    alone,
    demand,
)
from ruleferry.converters.readers.spreadsheet.phrases.formulas import (
    chain,
    identity,
    not_empty,
    question,
)
from ruleferry.converters.readers.spreadsheet.phrases.names import Name, name
from ruleferry.converters.readers.spreadsheet.phrases.several import (
    combination,
    count_of,
    each_row,
    either_or,
    must_be_there,
    not_both,
    not_together,
    provide_some,
    some_of,
    subjects_named,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import one_of
from ruleferry.converters.rule import Unread

# A subject and what is demanded of it -------------------------------------------------------------

_more_demands = any_of(["and", ", and", "but", ", but"])
_demands: Parser[tuple[Demand, ...]] = many(demand, _more_demands)
_suffixes: Parser[tuple[Given, ...]] = alt(
    says(nothing, ()),
    many(then(opt(words(",")), condition), nothing),
)
_aside = opt(before(then(words(","), condition), words(",")))


def _with_subject(source: Source, at: int) -> Readings[Sentence]:
    for subjects, after in subjects_named(source, at):
        for aside, start in _aside(source, after):
            for demands, between in _demands(source, start):
                for suffixes, done in _suffixes(source, between):
                    givens = (*((aside,) if aside else ()), *suffixes)
                    yield _built(source, subjects, demands, givens, bool(suffixes)), done


def _built(
    source: Source, subjects: Subjects, demands: tuple[Demand, ...], givens: tuple[Given, ...],
    after_demands: bool,
) -> Sentence:  # fmt: skip
    found = sentence(source, subjects, demands, givens)
    if after_demands and len(found.statements) > 1 and len(demands) > 1:
        reason = "which of its demands the condition belongs to is not clear"
        return Sentence((of_check(Unread("not_understood", reason)),), found.it)
    if subjects.joint == "or":
        return replace(found, statements=tuple(either_or(s) for s in found.statements))
    return found


def _of_the_field(parser: Parser[Demand]) -> Parser[Sentence]:
    """What is demanded of the field in whose row the cell stands."""
    several = many(parser, _more_demands)

    def parse(source: Source, at: int) -> Readings[Sentence]:
        if source.column is None:
            return
        subjects = Subjects((Name(source.column.name, source.column.name),))
        for demands, between in several(source, at):
            for suffixes, done in _suffixes(source, between):
                yield _built(source, subjects, demands, suffixes, bool(suffixes)), done

    return parse


_only_required: Parser[Demand] = says(any_of(["only required", "only mandatory"]), Demand(PRESENT))


def _provide(source: Source, at: int) -> Readings[Sentence]:
    """`(then) provide URI`."""
    for _, start in one_of("provide")(source, at):
        for found, done in name(source, start):
            yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done


# A whole sentence ---------------------------------------------------------------------------------

_lead = opt(
    any_of(["note", "note :", "note that", "please note", "please note that", "nb :", "n.b. :"])
)
_then = opt(any_of([",", ":", ", then", "then"]))

_bodies: Parser[Sentence] = alt(
    _with_subject,
    _of_the_field(alt(alone, allowed_list, _only_required)),
    some_of,
    provide_some,
    not_both,
    not_together,
    each_row,
    combination,
    identity,
    chain,
    not_empty,
    question,
)


def _limited_body(source: Source, at: int) -> Readings[Sentence]:
    """`When A = 1, B must be blank`; "it" after it is the one field that the condition names."""
    for given, after in condition(source, at):
        inner = replace(source, it=_it(source, given))
        for _, start in _then(source, after):
            for found, done in alt(_bodies, _provide, _both_of(given))(inner, start):
                yield _under(given, found), done


_both_words = any_of(["both", "both fields", "both values", "both of them", "both columns"])
_both_there = then(_both_words, must_be_there)


def _both_of(given: Given) -> Parser[Sentence]:
    """`When A or B is provided, both must be provided`."""

    def parse(source: Source, at: int) -> Readings[Sentence]:
        columns = columns_of_scope(given.scope)
        if len(columns) != 2 or given.scope != Or(tuple(Present(c) for c in columns)):
            return
        for (suggested, _), done in _both_there(source, at):
            found = count_of((2, None, ""), tuple(Name(c, c) for c in columns), suggested=suggested)
            yield found, done

    return parse


def _it(source: Source, given: Given) -> str | None:
    columns = set(columns_of_scope(given.scope)) if not given.gloss else set()
    if len(columns) != 1:
        return source.it
    (column,) = columns
    return column if source.it in (None, column) else None


def _under(given: Given, found: Sentence) -> Sentence:
    return Sentence(tuple(under(s, given) for s in found.statements), found.it)


_stop = opt(many(any_of([".", "!"]), nothing))
_whole = before(then(_lead, alt(_bodies, _limited_body)), seq(_stop, end))


def readings(source: Source) -> list[Sentence]:
    """Every complete reading of the sentence."""
    return [found for found, _ in _whole(source, 0)]
