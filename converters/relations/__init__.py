"""Of the records that one condition lets pass: does another one let pass the same, fewer or more?

A record passes where a condition is TRUE. Each thing that the two compare has few values that they
tell apart; with these, whether one implies the other is asked of decision diagrams. What we know
nothing of (a pattern, a function) may be TRUE, FALSE or NULL, but is the same in both.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from typing import Literal, TypeAlias

from ruleferry.converters.normal_form import Form, chain
from ruleferry.converters.relations.diagrams import NO, YES, CannotTell, Diagrams
from ruleferry.converters.relations.domains import nodes
from ruleferry.converters.relations.logic import (
    All,
    Const,
    Either,
    Logic,
    Missing,
    Not,
    Sure,
    Test,
    Unknown,
)
from ruleferry.converters.relations.reading import Reader, check_steady

Relation: TypeAlias = Literal["equal", "tighter", "looser", "other"]
_Known: TypeAlias = tuple[frozenset[str], frozenset[str]]


def relation(
    a: Form, b: Form, whole: Collection[str] = (), roomy: Collection[str] = ()
) -> Relation:
    """Of the records that `b` lets pass: does `a` let pass the same, fewer or more?

    "tighter" and "looser" also where we don't know better than that it may be the same. "other"
    also where that is not known: texts are ordered by their column's collation.
    `whole`: the columns (lower case) whose type is a whole number: there `x > 0` is `x >= 1`.
    `roomy`: those that round no literal, as a DECIMAL(38, 0) does, where `x > 0.5` is `x > 1`.
    """
    if a == b:
        return "equal"
    known = frozenset(whole), frozenset(roomy)
    try:
        check_steady((a, b))
        return _relation(a, b, known)
    except (CannotTell, RecursionError):
        return _of_operands(a, b, known)


def _relation(a: Form, b: Form, known: _Known) -> Relation:
    reader = Reader(*known)
    judge = _Judge(reader)
    first, second = reader.logic(a), reader.logic(b)
    one, other = judge.where(first)[0], judge.where(second)[0]
    tighter, looser = judge.implies(one, other), judge.implies(other, one)
    if tighter and looser:
        return "equal"
    return "tighter" if tighter else "looser" if looser else "other"


_SHARED: Form = ("column", "", "what they have in common")


def _of_operands(a: Form, b: Form, known: _Known) -> Relation:
    """Of two long chains, by what one of them has and the other has not."""
    if a[0] != b[0] or a[0] not in ("and", "or") or not a[1] & b[1]:
        return "other"
    try:
        check_steady((a, b))
        if a[1] <= b[1] or b[1] <= a[1]:
            return "tighter" if (a[1] < b[1]) == (a[0] == "or") else "looser"
        alone = [chain(a[0], {*(form[1] - (a[1] & b[1])), _SHARED}) for form in (a, b)]
        return _relation(alone[0], alone[1], known)
    except (CannotTell, RecursionError):
        return "other"


class _Judge:
    """Conditions as diagrams: where one is TRUE, and where it is FALSE."""

    def __init__(self, reader: Reader) -> None:
        self._diagrams = Diagrams()
        self._reader = reader
        self._found: dict[Logic, tuple[int, int]] = {}
        self._missing: dict[Form, int] = {}
        self._tests: dict[Test, int] = {}

    def implies(self, one: int, other: int) -> bool:
        return self._diagrams.both(one, self._diagrams.denied(other)) == NO

    def where(self, logic: Logic) -> tuple[int, int]:
        if logic not in self._found:
            self._found[logic] = self._where(logic)
        return self._found[logic]

    def _where(self, logic: Logic) -> tuple[int, int]:
        match logic:
            case Const():
                return (YES if logic.value is True else NO), (YES if logic.value is False else NO)
            case All():
                return self._chained(logic.parts)
            case Either():
                return self._chained([Not(part) for part in logic.parts])[::-1]
            case Not():
                return self.where(logic.part)[::-1]
            case Sure():
                return self._two_valued(self.where(logic.part)[0])
            case Unknown():
                return self._two_valued(self._unknown(logic.part))
            case Missing():
                return self._two_valued(self._no_value(logic.of))
            case Test():
                return self._tested(logic)

    def _chained(self, parts: Collection[Logic]) -> tuple[int, int]:
        """The last one first: what is asked before all others is put on top without a search."""
        found = [self.where(part) for part in parts]
        true = reduce(self._diagrams.both, (one for one, _ in reversed(found)), YES)
        false = reduce(self._diagrams.either, (other for _, other in reversed(found)), NO)
        return true, false

    def _two_valued(self, true: int) -> tuple[int, int]:
        return true, self._diagrams.denied(true)

    def _unknown(self, part: Logic) -> int:
        return self._diagrams.denied(self._diagrams.either(*self.where(part)))

    def _no_value(self, form: Form) -> int:
        if form not in self._missing:
            self._missing[form] = self._diagrams.case(self._diagrams.thing(2), (False, True))
        return self._missing[form]

    def _tested(self, test: Test) -> tuple[int, int]:
        if test not in self._tests:
            self._tests |= nodes(test.thing, self._reader.tests[test.thing], self._diagrams)
        there = self._diagrams.denied(self.where(test.missing)[0])
        holds = self._tests[test]
        both = self._diagrams.both
        return both(there, holds), both(there, self._diagrams.denied(holds))
