"""Decision diagrams: functions of a few things that each take one of a few cases.

Equal functions are one number, so that whether one implies another is a matter of looking.
"""

from __future__ import annotations

from collections.abc import Sequence

NO, YES = 0, 1

# A chain of conditions makes a few diagrams for each of its things, and a hard one any number.
_MOST_STEPS = 200_000
# A diagram is as deep as it has things, and each level is a call.
_MOST_THINGS = 250


class CannotTell(Exception):
    """The question is too large, or not one of two fixed conditions."""


class Diagrams:
    def __init__(self) -> None:
        self._cases: list[int] = []
        self._nodes: list[tuple[int, tuple[int, ...]]] = [(_MOST_THINGS, ()), (_MOST_THINGS, ())]
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        self._joined: dict[tuple[int, int], int] = {}
        self._denied: dict[int, int] = {NO: YES, YES: NO}
        self._steps = 0

    def thing(self, cases: int) -> int:
        """A new one, which is asked after all that there are."""
        if len(self._cases) == _MOST_THINGS:
            raise CannotTell
        self._cases.append(cases)
        return len(self._cases) - 1

    def case(self, thing: int, holds: Sequence[bool]) -> int:
        """Whether a thing is in one of the cases for which `holds` is true."""
        return self._node(thing, tuple(YES if one else NO for one in holds))

    def both(self, one: int, other: int) -> int:
        if NO in (one, other):
            return NO
        if one == other or other == YES:
            return one
        if one == YES:
            return other
        pair = (one, other) if one < other else (other, one)
        if pair not in self._joined:
            self._joined[pair] = self._both(*pair)
        return self._joined[pair]

    def _both(self, one: int, other: int) -> int:
        first = min(self._nodes[one][0], self._nodes[other][0])
        pairs = zip(self._branches(one, first), self._branches(other, first), strict=True)
        return self._node(first, tuple([self.both(*pair) for pair in pairs]))

    def either(self, one: int, other: int) -> int:
        return self.denied(self.both(self.denied(one), self.denied(other)))

    def denied(self, one: int) -> int:
        if one not in self._denied:
            thing, branches = self._nodes[one]
            made = self._node(thing, tuple([self.denied(branch) for branch in branches]))
            self._denied[one], self._denied[made] = made, one
        return self._denied[one]

    def _branches(self, one: int, thing: int) -> tuple[int, ...]:
        asked, branches = self._nodes[one]
        return branches if asked == thing else (one,) * self._cases[thing]

    def _node(self, thing: int, branches: tuple[int, ...]) -> int:
        self._steps += len(branches)
        if self._steps > _MOST_STEPS:
            raise CannotTell
        if len(set(branches)) == 1:
            return branches[0]
        key = (thing, branches)
        if key not in self._known:
            self._known[key] = len(self._nodes)
            self._nodes.append(key)
        return self._known[key]
