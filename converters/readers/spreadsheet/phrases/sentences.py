"""The shapes of a sentence. Each gives statements; a sentence that fits none is not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from ruleferry.converters.predicates import CountPresent, Identity, Operator, Or, Present
from ruleferry.converters.readers.spreadsheet.phrases.assemble import (
    Sentence,
    Subjects,
    columns_of_scope,
    of_check,
    sentence,
    under,
)
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    PRESENT,
    Claims,
    beside,
    both_limits,
    on_column,
    versus_claim,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    end,
    listed,
    many,
    mapped,
    nothing,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.complements import complement
from ruleferry.converters.readers.spreadsheet.phrases.conditions import (
    Given,
    condition,
    unresolved,
)
from ruleferry.converters.readers.spreadsheet.phrases.demands import (
    Demand,
    allowed_list,
    alone,
    demand,
)
from ruleferry.converters.readers.spreadsheet.phrases.terms import (
    Name,
    Versus,
    limit,
    name,
    operand,
    subject,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import flags, one_of
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Caveat, Row, Unique, Unread

_and = any_of(["and", ", and"])
_or = any_of(["or", ", or"])
_comma = words(",")


# Lists of names -----------------------------------------------------------------------------------


def _names(one: Parser[Name], joint: Parser[str]) -> Parser[tuple[Name, ...]]:
    """`A, B, and C`."""

    def parse(source: Source, at: int) -> Readings[tuple[Name, ...]]:
        for first, after in many(one, _comma)(source, at):
            for _, start in joint(source, after):
                for last, done in one(source, start):
                    yield (*first, last), done

    return parse


def _joined(joint: Literal["and", "or", "both"]) -> object:
    return lambda names: Subjects(names, joint)


_subjects: Parser[Subjects] = alt(
    mapped(subject, lambda n: Subjects((n,))),
    mapped(_names(subject, _and), lambda n: Subjects(n, "and")),
    mapped(then(words("both"), _names(name, _and)), lambda n: Subjects(n, "both")),
    mapped(before(_names(name, _and), any_of([", both", "both"])), lambda n: Subjects(n, "both")),
    mapped(then(opt(words("either")), _names(name, _or)), lambda n: Subjects(n, "or")),
)


# A subject and what is demanded of it -------------------------------------------------------------

_more_demands = any_of(["and", ", and", "but", ", but"])
_demands: Parser[tuple[Demand, ...]] = many(demand, _more_demands)
_suffixes: Parser[tuple[Given, ...]] = alt(
    says(nothing, ()),
    many(then(opt(_comma), condition), nothing),
)
_aside = before(then(_comma, condition), _comma)


def _with_subject(source: Source, at: int) -> Readings[Sentence]:
    for subjects, after in _subjects(source, at):
        for aside, start in opt(_aside)(source, after):
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
        return replace(found, statements=tuple(_either_or(s) for s in found.statements))
    return found


def _either_or(found: Statement) -> Statement:
    if not isinstance(found.check, Row) or not isinstance(found.check.predicate, CountPresent):
        return found
    caveat = Caveat("either_or", "or is read as: at least one of them, maybe more")
    return replace(found, caveats=(*found.caveats, caveat))


def _of_the_field(parser: Parser[Demand]) -> Parser[Sentence]:
    """What is demanded of the field in whose row the cell stands."""

    def parse(source: Source, at: int) -> Readings[Sentence]:
        if source.column is None:
            return
        subjects = Subjects((Name(source.column.name, source.column.name),))
        for demands, between in many(parser, _more_demands)(source, at):
            for suffixes, done in _suffixes(source, between):
                yield _built(source, subjects, demands, suffixes, bool(suffixes)), done

    return parse


_only_required: Parser[Demand] = says(any_of(["only required", "only mandatory"]), Demand(PRESENT))


def _provide(source: Source, at: int) -> Readings[Sentence]:
    """`(then) provide URI`."""
    for _, start in one_of("provide")(source, at):
        for found, done in name(source, start):
            yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done


# Several fields at once ---------------------------------------------------------------------------

_how_many = listed(
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
    alt(_names(name, _or), _names(name, _and)),
)
_must_be_there = seq(
    listed({**flags("modals"), "can": False, "may": False}), then(words("be"), one_of("present"))
)
_must_provide = before(
    listed({"must": False, "should": True, "shall": False, "please": True}), one_of("provide")
)


def _counted(
    how: tuple[int, int | None, str], names: tuple[Name, ...], *, suggested: bool
) -> Sentence:
    unknown = next((n for n in names if n.column is None), None)
    if unknown is not None:
        return Sentence((of_check(unresolved(unknown)),))
    columns = tuple(n.column for n in names if n.column is not None)
    low, high, word = how
    found = replace(of_check(Row(CountPresent(columns, low, high))), suggested=suggested)
    return Sentence((_either_or(found) if word else found,))


def _some_of(source: Source, at: int) -> Readings[Sentence]:
    for (how, names), after in seq(_how_many, _of_names)(source, at):
        for (suggested, _), done in _must_be_there(source, after):
            if source.tokens[after].norm in ("can", "may") and how[0] > 0:
                continue
            yield _counted(how, names, suggested=suggested), done


_please_provide: Parser[bool] = alt(_must_provide, says(one_of("provide"), False))


def _provide_some(source: Source, at: int) -> Readings[Sentence]:
    for suggested, start in _please_provide(source, at):
        for (how, names), done in seq(_how_many, _of_names)(source, start):
            yield _counted(how, names, suggested=suggested), done


_row = seq(opt(any_of(["the", "a", "each", "every", "no"])), any_of(["row", "record"]))
_pair = seq(
    then(seq(words("both"), opt(any_of(["a", "an"]))), name),
    then(seq(words("and"), opt(any_of(["a", "an"]))), name),
)


def _not_both(source: Source, at: int) -> Readings[Sentence]:
    """`Row must not contain both A and B, both A and C or both B and C`."""
    head = seq(opt(_row), any_of(["must not contain", "cannot contain", "must not have"]))
    for _, start in head(source, at):
        for pairs, done in many(_pair, any_of([",", "or", ", or"]))(source, start):
            found = [_counted((0, 1, ""), pair, suggested=False) for pair in pairs]
            yield Sentence(tuple(s for f in found for s in f.statements)), done


_together_tail = any_of(
    ["on the same row", "in the same row", "together", "at the same time", "in the same record",
     "on the same record", "for the same record", "simultaneously"]
)  # fmt: skip
_not_provided = seq(any_of(["cannot", "must not", "can not"]), then(words("be"), one_of("present")))
_cannot_both = any_of(["cannot both be", "must not both be", "can not both be"])


def _not_together(source: Source, at: int) -> Readings[Sentence]:
    pair = mapped(seq(before(then(opt(words("both")), name), words("and")), name), tuple)
    tails: Parser[object] = alt(
        seq(_not_provided, _together_tail), seq(_cannot_both, one_of("present"))
    )
    for names, after in pair(source, at):
        for _, done in tails(source, after):
            yield _counted((0, 1, ""), names, suggested=False), done


def _each_row(source: Source, at: int) -> Readings[Sentence]:
    """`Each row must contain A`."""
    head = seq(
        seq(any_of(["each", "every", "all"]), one_of("records")),
        any_of(["must contain", "must have", "must provide", "must include"]),
    )
    for found, done in then(head, then(opt(any_of(["a", "an"])), name))(source, at):
        yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done


def _combination(source: Source, at: int) -> Readings[Sentence]:
    head = any_of(
        ["the combination of", "combination of", "each combination of", "the combination"]
    )
    tail = listed({"must be unique": False, "is unique": False, "should be unique": True})
    for names, after in then(head, _names(name, _and))(source, at):
        for suggested, done in tail(source, after):
            columns = tuple(n.column for n in names if n.column is not None)
            unknown = next((n for n in names if n.column is None), None)
            check = unresolved(unknown) if unknown else Unique(columns)
            yield Sentence((replace(of_check(check), suggested=suggested),)), done


# Formulas -----------------------------------------------------------------------------------------

_plus_minus: Parser[Literal[1, -1]] = listed({"+": 1, "-": -1})


def _identity(source: Source, at: int) -> Readings[Sentence]:
    """`A = B + C - D`."""
    for total, after in before(name, words("="))(source, at):
        for first, start in name(source, after):
            for terms, done in _terms(source, start, ((1, first),)):
                yield Sentence((_sum(total, terms),), total.column), done


def _terms(
    source: Source, at: int, so_far: tuple[tuple[Literal[1, -1], Name], ...]
) -> Iterator[tuple[tuple[tuple[Literal[1, -1], Name], ...], int]]:
    yield so_far, at
    for (plus, found), after in seq(_plus_minus, name)(source, at):
        yield from _terms(source, after, (*so_far, (plus, found)))


def _sum(total: Name, terms: tuple[tuple[Literal[1, -1], Name], ...]) -> Statement:
    unknown = next((n for n in (total, *(n for _, n in terms)) if n.column is None), None)
    if unknown is not None:
        return of_check(unresolved(unknown))
    assert total.column is not None
    named = tuple((plus, n.column) for plus, n in terms if n.column is not None)
    if len(named) == 1:
        (check,) = beside("=", named[0][1])
        return of_check(on_column(check, total.column, None))
    return of_check(Row(Identity(total.column, named)))


_TURNED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_order: Parser[Operator] = listed({o: o for o in _TURNED})


def _chain(source: Source, at: int) -> Readings[Sentence]:
    """`0 <= "A" <= "B"`, `"A" >= 0`, `0 <= "A"`."""
    for named, after in subject(source, at):
        for first, start in _order(source, after):
            for right, done in limit(source, start) if _is_own(source, named) else ():
                yield _ordered(source, named, versus_claim(Versus(first, right))), done
    for left, after in limit(source, at):
        for (first, named), start in seq(_order, operand)(source, after):
            lower = Versus(_TURNED[first], left)
            for (second, right), done in seq(_order, limit)(source, start):
                claims = both_limits((lower, Versus(second, right)))
                if claims is not None:
                    yield _ordered(source, named, claims), done
            if not isinstance(left, Name) and _is_own(source, named):
                yield _ordered(source, named, versus_claim(lower)), start


def _is_own(source: Source, named: Name) -> bool:
    """In the row of another field `A >= 5` may be a condition: it is a rule in A's own row."""
    return source.column is None or named.column in (None, source.column.name)


def _ordered(source: Source, named: Name, claims: Claims) -> Sentence:
    return sentence(source, Subjects((named,)), (Demand(claims),), ())


def _not_empty(source: Source, at: int) -> Readings[Sentence]:
    for found, done in before(
        name, any_of(["= not empty", "= not null", "= not blank", "is not null"])
    )(source, at):
        yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done


def _question(source: Source, at: int) -> Readings[Sentence]:
    """`Is there a value in A?`, `Is the value of A a number between 0 and 9?`."""
    asked = before(then(any_of(["is there a value in", "is there a value for"]), name), words("?"))
    for found, done in asked(source, at):
        yield sentence(source, Subjects((found,)), (Demand(PRESENT),), ()), done
    for found, after in then(any_of(["is the value of", "is the value in"]), name)(source, at):
        for claims, done in before(complement, words("?"))(source, after):
            yield sentence(source, Subjects((found,)), (Demand(claims),), ()), done


# A whole sentence ---------------------------------------------------------------------------------

_lead = opt(
    any_of(["note", "note :", "note that", "please note", "please note that", "nb :", "n.b. :"])
)
_then = any_of([",", ":", ", then", "then"])

_bodies: Parser[Sentence] = alt(
    _with_subject,
    _of_the_field(alt(alone, allowed_list, _only_required)),
    _some_of,
    _provide_some,
    _not_both,
    _not_together,
    _each_row,
    _combination,
    _identity,
    _chain,
    _not_empty,
    _question,
)


def _limited_body(source: Source, at: int) -> Readings[Sentence]:
    """`When A = 1, B must be blank`; "it" after it is the one field that the condition names."""
    for given, after in condition(source, at):
        inner = replace(source, it=_it(source, given))
        for _, start in opt(_then)(source, after):
            for found, done in alt(_bodies, _provide, _both_of(given))(inner, start):
                yield _under(given, found), done


_both_words = any_of(["both", "both fields", "both values", "both of them", "both columns"])


def _both_of(given: Given) -> Parser[Sentence]:
    """`When A or B is provided, both must be provided`."""

    def parse(source: Source, at: int) -> Readings[Sentence]:
        columns = columns_of_scope(given.scope)
        if len(columns) != 2 or given.scope != Or(tuple(Present(c) for c in columns)):
            return
        for (suggested, _), done in then(_both_words, _must_be_there)(source, at):
            found = _counted((2, None, ""), tuple(Name(c, c) for c in columns), suggested=suggested)
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


_stop = many(any_of([".", "!"]), nothing)


def readings(source: Source) -> list[Sentence]:
    """Every complete reading of the sentence."""
    whole = before(then(_lead, alt(_bodies, _limited_body)), seq(opt(_stop), end))
    return [found for found, _ in whole(source, 0)]
