"""Sentences about several fields at once: at least one of them, not both, unique together."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.predicates import CountPresent
from ruleferry.converters.readers.spreadsheet.phrases.assemble import (
    Sentence,
    Subjects,
    of_check,
    sentence,
)
from ruleferry.converters.readers.spreadsheet.phrases.claims import PRESENT
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    listed,
    many,
    mapped,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.conditions import unresolved
from ruleferry.converters.readers.spreadsheet.phrases.demands import Demand
from ruleferry.converters.readers.spreadsheet.phrases.names import Name, name, subject
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import flags, one_of
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Caveat, Row, Unique

_and = any_of(["and", ", and"])
_or = any_of(["or", ", or"])
_comma = words(",")
_HowMany: TypeAlias = tuple[int, int | None, str]

# Lists of names -----------------------------------------------------------------------------------


def names_joined(one: Parser[Name], joint: Parser[str]) -> Parser[tuple[Name, ...]]:
    """`A, B, and C`."""

    def parse(source: Source, at: int) -> Readings[tuple[Name, ...]]:
        for first, after in many(one, _comma)(source, at):
            for _, start in joint(source, after):
                for last, done in one(source, start):
                    yield (*first, last), done

    return parse


subjects_named: Parser[Subjects] = alt(
    mapped(subject, lambda n: Subjects((n,))),
    mapped(names_joined(subject, _and), lambda n: Subjects(n, "and")),
    mapped(then(words("both"), names_joined(name, _and)), lambda n: Subjects(n, "both")),
    mapped(
        before(names_joined(name, _and), any_of([", both", "both"])), lambda n: Subjects(n, "both")
    ),
    mapped(then(opt(words("either")), names_joined(name, _or)), lambda n: Subjects(n, "or")),
)

# How many of them hold a value --------------------------------------------------------------------

_how_many: Parser[_HowMany] = listed(
    {
        "at least one of": (1, None, ""),
        "one or more of": (1, None, ""),
        "any one or more of": (1, None, ""),
        "at least one": (1, None, ""),
        "at least two of": (2, None, ""),
        "exactly one of": (1, 1, ""),
        "one and only one of": (1, 1, ""),
        "at most one of": (0, 1, ""),
        "no more than one of": (0, 1, ""),
        "not more than one of": (0, 1, ""),
        "one of": (1, None, "or"),
        "either": (1, None, "or"),
        "either one of": (1, None, "or"),
    }
)
_of_names = then(
    opt(any_of(["the following :", "the following", "the following fields :", "the fields", ":"])),
    alt(names_joined(name, _or), names_joined(name, _and)),
)
must_be_there = seq(
    listed({**flags("modals"), "can": False, "may": False}), then(words("be"), one_of("present"))
)
_must_provide = before(
    listed({"must": False, "should": True, "shall": False, "please": True}), one_of("provide")
)


def either_or(found: Statement) -> Statement:
    """Or between fields may exclude both of them; at least one of them holds in any case."""
    if not isinstance(found.check, Row) or not isinstance(found.check.predicate, CountPresent):
        return found
    caveat = Caveat("either_or", "or is read as: at least one of them, maybe more")
    return replace(found, caveats=(*found.caveats, caveat))


def count_of(how: _HowMany, names: tuple[Name, ...], *, suggested: bool) -> Sentence:
    """At least and at most so many of the fields hold a value."""
    unknown = next((n for n in names if n.column is None), None)
    if unknown is not None:
        return Sentence((of_check(unresolved(unknown)),))
    columns = tuple(n.column for n in names if n.column is not None)
    low, high, word = how
    found = replace(of_check(Row(CountPresent(columns, low, high))), suggested=suggested)
    return Sentence((either_or(found) if word else found,))


_some = seq(_how_many, _of_names)


def some_of(source: Source, at: int) -> Readings[Sentence]:
    """`At least one of A, B and C must be provided`."""
    for (how, names), after in _some(source, at):
        for (suggested, _), done in must_be_there(source, after):
            if source.tokens[after].norm in ("can", "may") and how[0] > 0:
                continue
            yield count_of(how, names, suggested=suggested), done


_please_provide: Parser[bool] = alt(_must_provide, says(one_of("provide"), False))


def provide_some(source: Source, at: int) -> Readings[Sentence]:
    """`Must provide either A or B`."""
    for suggested, start in _please_provide(source, at):
        for (how, names), done in _some(source, start):
            yield count_of(how, names, suggested=suggested), done


_row = seq(opt(any_of(["the", "a", "each", "every", "no"])), any_of(["row", "record"]))
_pair = seq(
    then(seq(words("both"), opt(any_of(["a", "an"]))), name),
    then(seq(words("and"), opt(any_of(["a", "an"]))), name),
)


_contains_not = seq(opt(_row), any_of(["must not contain", "cannot contain", "must not have"]))
_pairs = then(_contains_not, many(_pair, any_of([",", "or", ", or"])))


def not_both(source: Source, at: int) -> Readings[Sentence]:
    """`Row must not contain both A and B, both A and C or both B and C`."""
    for pairs, done in _pairs(source, at):
        found = [count_of((0, 1, ""), pair, suggested=False) for pair in pairs]
        yield Sentence(tuple(s for f in found for s in f.statements)), done


_together_tail = any_of(
    ["on the same row", "in the same row", "together", "at the same time", "in the same record",
     "on the same record", "for the same record", "simultaneously"]
)  # fmt: skip
_not_provided = seq(any_of(["cannot", "must not", "can not"]), then(words("be"), one_of("present")))
_cannot_both = any_of(["cannot both be", "must not both be", "can not both be"])


_two_names = seq(before(then(opt(words("both")), name), words("and")), name)
_not_together: Parser[tuple[Name, Name]] = alt(
    before(_two_names, seq(_not_provided, _together_tail)),
    before(_two_names, seq(_cannot_both, one_of("present"))),
)


def not_together(source: Source, at: int) -> Readings[Sentence]:
    """`A and B cannot be provided together`."""
    for names, done in _not_together(source, at):
        yield count_of((0, 1, ""), names, suggested=False), done


_row_contains = seq(
    seq(any_of(["each", "every", "all"]), one_of("records")),
    any_of(["must contain", "must have", "must provide", "must include"]),
)
_contained = then(_row_contains, then(opt(any_of(["a", "an"])), name))


def each_row(source: Source, at: int) -> Readings[Sentence]:
    """`Each row must contain A`."""
    for found, done in _contained(source, at):
        yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done


# Together -----------------------------------------------------------------------------------------

_combination_of = any_of(
    ["the combination of", "combination of", "each combination of", "the combination"]
)
_combination = seq(
    then(_combination_of, names_joined(name, _and)),
    listed({"must be unique": False, "is unique": False, "should be unique": True}),
)


def combination(source: Source, at: int) -> Readings[Sentence]:
    """`The combination of A and B must be unique`."""
    for (names, suggested), done in _combination(source, at):
        unknown = next((n for n in names if n.column is None), None)
        columns = tuple(n.column for n in names if n.column is not None)
        check = unresolved(unknown) if unknown else Unique(columns)
        yield Sentence((replace(of_check(check), suggested=suggested),)), done
