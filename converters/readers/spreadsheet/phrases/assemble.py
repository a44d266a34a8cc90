"""Demands, their subjects and their conditions put together: the statements of a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    CountPresent,
    DistinctWithin,
    IsTrue,
    Not,
    OneOf,
    Or,
    Present,
    Range,
    Scope,
    Sort,
    Typed,
)
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    HERE,
    Claims,
    columns_of,
    compares_itself,
    kind_of,
    on_column,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import Source
from ruleferry.converters.readers.spreadsheet.phrases.conditions import Given, unresolved
from ruleferry.converters.readers.spreadsheet.phrases.demands import Demand
from ruleferry.converters.readers.spreadsheet.phrases.names import Name
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Caveat, Check, NotARule, Row, Unique, Unread


@dataclass(frozen=True, slots=True)
class Subjects:
    """The fields that are spoken of, and how the phrase joins them."""

    names: tuple[Name, ...]
    joint: Literal["", "and", "or", "both"] = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One reading of one sentence. `it`: the one field that it speaks of."""

    statements: tuple[Statement, ...]
    it: str | None = None


def sentence(
    source: Source, subjects: Subjects, demands: tuple[Demand, ...], givens: tuple[Given, ...]
) -> Sentence:
    it = subjects.names[0].column if len(subjects.names) == 1 else None
    return Sentence(tuple(_statements(source, subjects, demands, givens)), it)


def _statements(
    source: Source, subjects: Subjects, demands: tuple[Demand, ...], givens: tuple[Given, ...]
) -> Iterator[Statement]:
    unknown = next((n for n in subjects.names if n.column is None), None)
    if unknown is not None:
        yield of_check(unresolved(unknown))
        return
    real = _real(demands)
    for suggested in dict.fromkeys(d.suggested for d in real):
        claims = tuple(c for d in real if d.suggested == suggested for c in d.claims)
        for check in _checks(source, subjects, merged(claims)):
            yield _limited(check, givens, suggested=suggested)


def _real(demands: tuple[Demand, ...]) -> tuple[Demand, ...]:
    """`is optional, but must be blank when …`: that it is optional says no more."""
    real = tuple(d for d in demands if not all(isinstance(c, NotARule) for c in d.claims))
    return real or demands


def merged(claims: Claims) -> Claims:
    """A lower and an upper limit side by side are one range."""
    found: list[Check] = []
    for check in claims:
        one = _one_range(found[-1], check) if found else None
        if one is not None:
            found[-1] = Row(one)
        else:
            found.append(check)
    return tuple(found)


def _one_range(first: Check, second: Check) -> Range | None:
    match first, second:
        case Row(Range() as low), Row(Range() as high) if low.column == high.column:
            if low.low is None and high.high is None:
                low, high = high, low
            alike = type(low.low) is type(high.high) or not isinstance(low.low, str)
            if low.high is None and high.low is None and alike:
                return replace(low, high=high.high, high_open=high.high_open)
    return None


def _checks(source: Source, subjects: Subjects, claims: Claims) -> Iterator[Check]:
    columns = tuple(n.column for n in subjects.names if n.column is not None)
    if _mixes_dates(claims) and not _is_dated(source, columns):
        yield Unread("not_understood", "it bounds a date by plain numbers")
        return
    for claim in claims:
        together = _together(subjects, columns, claim)
        if together is not None:
            yield together
            continue
        for column in columns:
            yield on_column(claim, column, source.column)


def _mixes_dates(claims: Claims) -> bool:
    """A date between 19991001 and 20991231: how it is written in the data is not clear."""
    dates: tuple[Sort, ...] = ("date", "timestamp")
    dated = any(c == Row(Typed(HERE, sort)) for c in claims for sort in dates)
    ranges = [c.predicate for c in claims if isinstance(c, Row) and isinstance(c.predicate, Range)]
    bounds = [b for r in ranges for b in (r.low, r.high) if b is not None]
    return dated and any(not isinstance(b, date) for b in bounds)


def _is_dated(source: Source, columns: tuple[str, ...]) -> bool:
    own = source.column
    return own is not None and columns == (own.name,) and own.sort in ("date", "timestamp")


def _together(subjects: Subjects, columns: tuple[str, ...], claim: Check) -> Check | None:
    """A check of all the columns at once; None: it is one of each column."""
    if len(columns) < 2 or isinstance(claim, Unread):
        return None
    match subjects.joint, claim:
        case "or", Row(Present()):
            return Row(CountPresent(columns, 1))
        case "both", Row(Present()):
            return Row(CountPresent(columns, len(columns)))
        case "or", _:
            return Unread("not_understood", "which of the fields must satisfy it is not clear")
        case _, Unique():
            return Unread("not_understood", "whether each field or all together must be unique")
    return None


# Conditions ---------------------------------------------------------------------------------------


def _limited(check: Check, givens: tuple[Given, ...], *, suggested: bool) -> Statement:
    found = replace(of_check(check), suggested=suggested and not isinstance(check, Unread))
    for given in givens:
        found = under(found, given)
    return found


def under(found: Statement, given: Given) -> Statement:
    """The statement, limited by one more condition."""
    check = found.check
    if isinstance(check, Unread):
        return found
    if isinstance(given.scope, Unread):
        return of_check(given.scope)
    if isinstance(check, NotARule):
        return of_check(Unread("not_understood", "it allows a missing value on some records only"))
    if given.subject and not _needs_value(check, both=given.subject == "both"):
        return of_check(Unread("condition_elsewhere", "what must be provided is not clear"))
    caveats = (*found.caveats, _gloss(given)) if given.gloss else found.caveats
    if given.scope is None or _is_idle(given.scope, check):
        return replace(found, caveats=caveats)
    scope = given.scope if found.scope is None else _both(found.scope, given.scope)
    return replace(found, scope=scope, caveats=caveats)


def _both(first: Scope, second: Scope) -> Scope:
    parts = first.parts if isinstance(first, And) else (first,)
    return And((*parts, second))


def _needs_value(check: Check, *, both: bool) -> bool:
    """Whether the check passes on a missing value anyway, so that "when provided" adds nothing."""
    two = isinstance(check, Row) and isinstance(check.predicate, Compare | DistinctWithin)
    if both:
        return two
    if isinstance(check, Row):
        return not isinstance(check.predicate, Present | Absent | CountPresent) and not two
    return isinstance(check, Unique)


def _is_idle(scope: Scope, check: Check) -> bool:
    columns = set(columns_of(check))
    parts = scope.parts if isinstance(scope, And) else (scope,)
    present = {p.column for p in parts if isinstance(p, Present)}
    if len(present) != len(parts):
        return False
    passes = _needs_value(check, both=False) or _needs_value(check, both=True)
    return passes and present <= columns


def _gloss(given: Given) -> Caveat:
    return Caveat("named_records", f'"{given.gloss}" is read as the name of these records')


def of_check(check: Check) -> Statement:
    """A statement of its own; what names one column twice says nothing."""
    twice = isinstance(check, Unique) and len(set(check.columns)) < len(check.columns)
    if twice or (isinstance(check, Row) and compares_itself(check.predicate)):
        check = Unread("not_understood", "it names one field twice")
    return Statement(kind_of(check), check, columns_of(check))


def columns_of_scope(scope: Scope | Unread | None) -> tuple[str, ...]:
    match scope:
        case Comparison() | OneOf() | Present() | Absent() | IsTrue():
            return (scope.column,)
        case ColumnComparison(left, _, right):
            return (left, right)
        case Not(part):
            return columns_of_scope(part)
        case And(parts) | Or(parts):
            return tuple(c for part in parts for c in columns_of_scope(part))
        case _:
            return ()
