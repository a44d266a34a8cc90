"""The tests of one thing -> diagrams: which of them can be true together, and which can't.

Only that counts which the tests tell apart: a list of ten thousand values is one case, or two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise
from typing import Any, TypeAlias

from ruleferry.converters.relations.diagrams import NO, CannotTell, Diagrams
from ruleferry.converters.relations.literals import clearly_before, day, told_apart
from ruleferry.converters.relations.logic import Test, Thing

_Nodes: TypeAlias = Mapping[Test, int]
# What a value is, as far as the tests of it go: which of them hold.
_Case: TypeAlias = tuple[bool, ...]

_MOST_LOOKS = 1_000_000
_FIXED: Mapping[Hashable, tuple[Hashable, ...]] = {
    "truth": (True, False),
    "order": (-1, 0, 1),
    "same": (0,),
}


def nodes(thing: Thing, tests: Sequence[Test], diagrams: Diagrams) -> _Nodes:
    """Where each test holds, given that there is a value."""
    values = {value for test in tests for value in test.values}
    if fixed := _FIXED.get(thing.kind):
        return _one_thing(tests, _cases(tests, fixed, _is_in), diagrams)
    if thing.kind == "text":
        return _of_texts(tests, values, diagrams)
    if _are_apart(values):
        return _one_thing(tests, set(_ranked(thing.kind, tests, values)), diagrams)
    return _one_by_one(tests, values, diagrams)


def _is_in(test: Test, value: Hashable) -> bool:
    return value in test.values


def _cases(
    tests: Sequence[Test], values: Collection[Any], holds: Callable[[Test, Any], bool]
) -> set[_Case]:
    if len(tests) * len(values) > _MOST_LOOKS:
        raise CannotTell
    return {tuple([holds(test, value) for test in tests]) for value in values}


def _one_thing(tests: Sequence[Test], cases: Collection[_Case], diagrams: Diagrams) -> _Nodes:
    ordered = sorted(cases)
    thing = diagrams.thing(len(ordered))
    return {
        test: diagrams.case(thing, [case[n] for case in ordered]) for n, test in enumerate(tests)
    }


# Values that have an order ------------------------------------------------------------------------


def _are_apart(values: Iterable[Any]) -> bool:
    moments = sorted(value for value in values if isinstance(value, datetime))
    return all(clearly_before(one, other) for one, other in pairwise(moments))


def _ranked(kind: Hashable, tests: Sequence[Test], values: Collection[Any]) -> Iterator[_Case]:
    """The cases of each way in which a column's type may rank the values.

    A place is even between two values and odd at one: `2 * rank + 1`.
    """
    for ranks in _rankings(kind, values):
        last = 2 * (max(ranks.values(), default=-1) + 1)
        places = [*range(last + 1)] if kind != "whole" else _with_wholes(ranks, last)
        placed = {test: {2 * ranks[value] + 1 for value in test.values} for test in tests}
        nan = [last + 1] if kind in ("number", "roomy", "double") else []
        yield from _cases(tests, places + nan, partial(_holds, placed, last))


def _holds(at: Mapping[Test, Collection[int]], last: int, test: Test, place: int) -> bool:
    placed = at[test]
    match test.word:
        case "in":
            return place in placed
        case "lt":
            return all(place < one for one in placed)
        case "le":
            return all(place <= one for one in placed)
        case "nan":
            return place > last


def _rankings(kind: Hashable, values: Collection[Any]) -> Iterator[Mapping[Any, int]]:
    yield _ranks({value: value for value in values})
    if kind in ("number", "roomy"):
        for rounding in _roundings(values, decimals=kind == "number"):
            rounded = {value: rounding(value) for value in values}
            if len(set(rounded.values())) < len(rounded):
                yield _ranks(rounded)


def _ranks(worth: Mapping[Any, Any]) -> Mapping[Any, int]:
    order = {value: n for n, value in enumerate(sorted(set(worth.values())))}
    return {value: order[found] for value, found in worth.items()}


def _roundings(
    values: Collection[Fraction], *, decimals: bool
) -> Iterator[Callable[[Fraction], object]]:
    """What becomes of a literal beside a DOUBLE, and beside a DECIMAL without room for its digits.

    `x > 0.5` is `x > 1` where x is a DECIMAL(38, 0).
    """
    yield float
    places = 0
    while decimals and any((value * 10**places).denominator > 1 for value in values):
        yield partial(_half_up, 10**places)
        places += 1


def _half_up(unit: int, value: Fraction) -> int:
    size = math.floor(abs(value) * unit + Fraction(1, 2))
    return size if value >= 0 else -size


def _with_wholes(ranks: Mapping[Any, int], last: int) -> list[int]:
    """The places where there is a whole number."""
    values = [value for value, _ in sorted(ranks.items(), key=lambda one: one[1])]
    at = [2 * n + 1 for n, value in enumerate(values) if value.denominator == 1]
    between = [
        2 * n + 2 for n, (one, other) in enumerate(pairwise(values)) if math.floor(one) + 1 < other
    ]
    return [0, *at, *between, last]


# Values of which the order is not known -----------------------------------------------------------


def _of_texts(tests: Sequence[Test], values: Collection[Any], diagrams: Diagrams) -> _Nodes:
    """Texts have their column's order, and its notion of what is equal."""
    if any(test.word != "in" for test in tests):
        days = all(map(day, values))
        if days:
            return _one_thing(tests, set(_ranked("text", tests, values)), diagrams)
        listed = [test for test in tests if test.word == "in"]
        ranked = [test for test in tests if test.word != "in"]
        of_ranked = {value for test in ranked for value in test.values}
        return {**_listed(listed, diagrams), **_one_by_one(ranked, of_ranked, diagrams)}
    return _listed(tests, diagrams)


def _listed(tests: Sequence[Test], diagrams: Diagrams) -> _Nodes:
    values = frozenset(value for test in tests for value in test.values if isinstance(value, str))
    if told_apart(values):
        return _one_thing(tests, _cases(tests, [*values, None], _is_in), diagrams)
    # A value may equal any number of them: each group that no test tells apart is on its own.
    groups = sorted(_cases(tests, values, _is_in))
    found = [diagrams.case(diagrams.thing(2), (False, True)) for _ in groups]
    return {
        test: _any_of([one for one, group in zip(found, groups, strict=True) if group[n]], diagrams)
        for n, test in enumerate(tests)
    }


def _one_by_one(tests: Sequence[Test], values: Collection[Any], diagrams: Diagrams) -> _Nodes:
    """Of each literal alone it is known that a value is below, at or above it."""
    order = {value: diagrams.thing(3) for value in sorted(values)}
    words = {"in": (False, True, False), "lt": (True, False, False), "le": (True, True, False)}
    return {
        test: _any_of([diagrams.case(order[v], words[test.word]) for v in test.values], diagrams)
        for test in tests
    }


def _any_of(parts: Sequence[int], diagrams: Diagrams) -> int:
    return reduce(diagrams.either, parts, NO)
