"""What a change of a cell means: told by whoever reads its heading, never by the product.

A role is what a column of a dictionary says. It gives ways to change a cell, each with what becomes
of the rule that the cell states.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

# What the cell was in the conversion: a rule that was carried over, a question, or no rule.
Was = Literal["carried", "gap", "silent"]
UNREADABLE = "as agreed with the committee"
OTHER_UNREADABLE = "as was agreed with the other committee"


@dataclass(frozen=True, slots=True)
class Way:
    """A cell's new text and what `drift` must call it. `change` "": nothing may be told."""

    text: str
    change: str


class Role:
    def ways(self, text: str, was: Was) -> Iterator[Way]:
        if was == "carried":
            yield from self.carried(text)
            yield Way("", "removed")
        elif was == "gap":
            yield from self.gap(text)
        else:
            yield from self.silent(text)

    def carried(self, text: str) -> Iterator[Way]:
        raise NotImplementedError

    def gap(self, text: str) -> Iterator[Way]:
        """A question that is put another way."""
        yield from ()

    def silent(self, text: str) -> Iterator[Way]:
        yield from ()


@dataclass(frozen=True, slots=True)
class Flag(Role):
    """A yes or no, of which `yes` states a rule. `unreadable`: another word is asked about."""

    yes: str
    no: str
    unreadable: bool = True
    closes: tuple[str, ...] = ()

    def carried(self, text):
        yield Way(self.no, "removed")
        if self.unreadable:
            yield Way(UNREADABLE, "gap_opened")

    def gap(self, text):
        if text in self.closes:
            yield Way(self.yes, "gap_closed")

    def silent(self, text):
        if text == self.no:
            yield Way(self.yes, "added")


@dataclass(frozen=True, slots=True)
class Number(Role):
    """A number in the text is a bound. `least`: one from below, where more is tighter."""

    least: bool = False
    floor: int = 1
    unreadable: bool = True

    def carried(self, text):
        number = re.search(r"[0-9]+", text)
        if number is None:
            return
        value = int(number[0])
        for new, more in ((value + 7, True), (value - 1, False)):
            if new >= self.floor:
                change = "tightened" if more == self.least else "loosened"
                yield Way(text[: number.start()] + str(new) + text[number.end() :], change)
        if self.unreadable:
            yield Way(UNREADABLE, "gap_opened")


@dataclass(frozen=True, slots=True)
class Interval(Role):
    """`[0,)`, `[1,10]`."""

    def carried(self, text):
        found = re.fullmatch(r"([\[(])(-?[0-9]*),(-?[0-9]*)([\])])", text.replace(" ", ""))
        if found is None:
            return
        opened, low, high, closed = found.groups()
        if low:
            yield Way(f"{opened}{int(low) - 3},{high}{closed}", "loosened")
            if not high:
                yield Way(f"{opened}{int(low) + 3},{high}{closed}", "tightened")
        if high:
            yield Way(f"{opened}{low},{int(high) + 3}{closed}", "loosened")
        yield Way(UNREADABLE, "gap_opened")

    def gap(self, text):
        yield Way("[0,1]", "gap_closed")
        yield Way(OTHER_UNREADABLE, "gap_changed")


@dataclass(frozen=True, slots=True)
class Types(Role):
    """Names of types, each with one of values that have nothing to do with its own."""

    other: Mapping[str, str]
    none: str = ""
    unreadable: bool = False

    def carried(self, text):
        if text in self.other:
            yield Way(self.other[text], "changed")
        if self.none:
            yield Way(self.none, "removed")


@dataclass(frozen=True, slots=True)
class Codes(Role):
    """A list of values. `pattern` finds each, `added` is one more, at the end before `close`."""

    separator: str
    added: str
    close: str = ""

    def carried(self, text):
        body = text.removesuffix(self.close) if self.close else text
        yield Way(body + self.added + self.close, "loosened")
        parts = body.split(self.separator)
        if len(parts) > 2:
            yield Way(self.separator.join(parts[:-1]).rstrip() + self.close, "tightened")


@dataclass(frozen=True, slots=True)
class Texts(Role):
    """Cells that a person went through one by one: text -> ways."""

    known: Mapping[str, tuple[tuple[str, str], ...]]
    gaps: tuple[tuple[str, str], ...] = ()

    def carried(self, text):
        yield from (Way(*way) for way in self.known.get(text, ()))

    def gap(self, text):
        yield from (Way(*way) for way in self.gaps)


@dataclass(frozen=True, slots=True)
class Either(Role):
    """A column of which some cells say this and others that."""

    roles: tuple[Role, ...] = field(default=())

    def carried(self, text):
        for role in self.roles:
            yield from role.carried(text)
