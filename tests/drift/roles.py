"""What a change of a cell means: told by whoever reads its heading, never by the product.

A role is what a column of a dictionary says. It gives ways to change a cell, each with what becomes
of the rule that the cell states, and of rules that other cells of the field state.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

# What the cell was in the conversion: a rule that was carried over, a question, or no rule.
Was = Literal["carried", "gap", "silent"]
# Column of another cell of the field -> what that was -> what becomes of it.
Beside = Mapping[str, Mapping[Was, str]]
UNREADABLE = "as agreed with the committee"
OTHER_UNREADABLE = "as was agreed with the other committee"
NOTHING: Beside = {}


@dataclass(frozen=True, slots=True)
class Way:
    """A cell's new text and what `drift` must call it. `change` "": nothing may be told.

    `partner`: the column whose cell states one rule together with this one: it may be named.
    `also`: what becomes of that rule where this cell is a question of its own now. `stays`: another
    cell states the rule, too.
    """

    text: str
    change: str
    beside: Beside = field(default_factory=dict)
    partner: str = ""
    also: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """`row`: column -> text of the other cells of the field."""

    text: str
    was: Was
    row: Mapping[str, str]


class Role:
    def ways(self, cell: Cell) -> Iterator[Way]:
        if cell.was == "carried":
            yield from self.carried(cell)
            yield Way("", "removed")
        elif cell.was == "gap":
            yield from self.gap(cell)
        else:
            yield from self.silent(cell)

    def carried(self, cell: Cell) -> Iterator[Way]:
        raise NotImplementedError

    def gap(self, cell: Cell) -> Iterator[Way]:
        """A question that is put another way."""
        yield from ()

    def silent(self, cell: Cell) -> Iterator[Way]:
        yield from ()


@dataclass(frozen=True, slots=True)
class Flag(Role):
    """A yes or no, of which `yes` states a rule. `closes`: questions that it answers.

    `again`: the column in which the same word states this rule once more, so that it stays.
    """

    yes: str
    no: str
    closes: tuple[str, ...] = ()
    adds: bool = True
    again: str = ""

    def ways(self, cell):
        still = self.again and cell.row.get(self.again) == self.yes
        for way in Role.ways(self, cell):
            yield replace(way, stays=True) if still and way.change != "added" else way

    def carried(self, cell):
        yield Way(self.no, "removed")
        yield Way(UNREADABLE, "gap_opened")

    def gap(self, cell):
        if cell.text in self.closes:
            yield Way(self.yes, "gap_closed")

    def silent(self, cell):
        if cell.text == self.no and self.adds:
            yield Way(self.yes, "added")


def _bounds(text: str, more: int, less: int) -> Iterator[tuple[str, bool]]:
    """The text with another number or year, and whether that is greater."""
    date = re.fullmatch(r"(.*?)((?:18|19|20)[0-9]{2})(.*)", text)
    number = date or re.fullmatch(r"([^0-9]*?)(-?[0-9]+)(.*)", text, re.DOTALL)
    if number is None:
        return
    before, value, after = number.groups()
    for step, greater in ((more, True), (-less, False)):
        yield f"{before}{int(value) + step}{after}", greater


_BOUND = re.compile(r"-?[0-9]+([./-][0-9]+)*")


@dataclass(frozen=True, slots=True)
class Number(Role):
    """A number (or a day) in the text is a bound. `least`: one from below.

    `partner`: where the other bound is, if the field has one: then both are one rule, unless that
    is less than `counts`.
    """

    least: bool = False
    floor: int = 1
    unreadable: bool = True
    partner: str = ""
    counts: int = 0

    def ways(self, cell):
        if self.has_both(cell):
            yield from (replace(way, partner=self.partner) for way in self.carried(cell))
            yield Way("", "loosened", partner=self.partner)
        elif cell.was == "carried":
            yield from self.carried(cell)
            yield Way("", "removed")

    def has_both(self, cell: Cell) -> bool:
        other = cell.row.get(self.partner, "")
        if not (_BOUND.fullmatch(other) and _BOUND.fullmatch(cell.text)):
            return False
        own, its = (int(re.match("-?[0-9]+", text)[0]) for text in (cell.text, other))
        return its >= self.counts and own >= self.counts

    def carried(self, cell):
        both = self.has_both(cell)
        for text, greater in _bounds(cell.text, 2 if both else 7, 1):
            if int(re.search(r"-?[0-9]+", text)[0]) >= self.floor:
                yield Way(text, "tightened" if greater == self.least else "loosened")
        if (
            self.unreadable
        ):  # the other bound stands where it is written: here, or in the other cell
            also = ("added" if self.least else "loosened") if both else ""
            yield Way(UNREADABLE, "gap_opened", also=also)


@dataclass(frozen=True, slots=True)
class Interval(Role):
    """`[0,)`, `[1,10]`."""

    def carried(self, cell):
        found = re.fullmatch(r"([\[(])(-?[0-9]*),(-?[0-9]*)([\])])", cell.text.replace(" ", ""))
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

    def gap(self, cell):
        yield Way("[0,1]", "gap_closed")
        yield Way(OTHER_UNREADABLE, "gap_changed")


@dataclass(frozen=True, slots=True)
class Types(Role):
    """Names of types, each with one of values that have nothing to do with its own.

    `beside`: what another type means for other cells of the field; "" is none at all.
    """

    other: Mapping[str, str]
    none: str = ""
    beside: Callable[[Mapping[str, str], str], Beside] = field(default=lambda row, new: NOTHING)

    def ways(self, cell):
        if cell.was == "carried":
            for way in (*self.carried(cell), Way("", "removed")):
                yield replace(way, beside=self.beside(cell.row, way.text))

    def carried(self, cell):
        if cell.text in self.other:
            yield Way(self.other[cell.text], "changed")
        if self.none:
            yield Way(self.none, "removed")


@dataclass(frozen=True, slots=True)
class Codes(Role):
    """A list of values; `added` is one more, at the end before `close`."""

    separator: str
    added: str
    close: str = ""

    def carried(self, cell):
        body = cell.text.removesuffix(self.close) if self.close else cell.text
        yield Way(body + self.added + self.close, "loosened")
        parts = body.split(self.separator)
        if len(parts) > 2 and parts.count(parts[1]) == 1:
            yield Way(self.separator.join([parts[0], *parts[2:]]) + self.close, "tightened")


@dataclass(frozen=True, slots=True)
class Reference(Role):
    """The table that a value must be found in; `other` is one more. `without`: as in Types."""

    other: str
    without: Beside

    def ways(self, cell):
        if cell.was == "carried":
            yield Way(self.other, "lookup_changed")
            yield Way("", "removed", self.without)


@dataclass(frozen=True, slots=True)
class Texts(Role):
    """Cells that a person went through one by one: text -> new text and change."""

    known: Mapping[str, tuple[tuple[str, str], ...]]
    gaps: tuple[tuple[str, str], ...] = ()

    def carried(self, cell):
        yield from (Way(*way) for way in self.known.get(cell.text, ()))

    def gap(self, cell):
        yield from (Way(*way) for way in self.gaps)


@dataclass(frozen=True, slots=True)
class Either(Role):
    """A column of which some cells say this and others that, told by how they begin."""

    begins: str
    so: Role
    else_: Role

    def ways(self, cell):
        role = self.so if cell.text.startswith(self.begins) else self.else_
        return role.ways(cell)
