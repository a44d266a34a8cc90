"""Groups and repeats of a questionnaire: what a field inherits from those that it stands in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ruleferry.converters.readers.spreadsheet.cells import Cell

# `begin group`, `begin_repeat`, `end group` are types of rows of an XLSForm.
_EDGE = re.compile(r"(begin|end)[ _](group|repeat)")

Row = tuple[tuple[Cell, ...], tuple[Cell, ...], tuple[Cell, ...]]


@dataclass(frozen=True, slots=True)
class Asked:
    """The conditions of the groups around a field, and the repeat whose records are its own."""

    conditions: tuple[Cell, ...] = ()
    repeat: str = ""


NOWHERE = Asked()


def ends(text: str) -> bool:
    """`end group` stands in a row without a name, and states nothing."""
    edge = _EDGE.fullmatch(text.casefold())
    return edge is not None and edge[1] == "end"


def asked_of(rows: Sequence[Row]) -> list[Asked]:
    """One for each row, which is its cells of type, name and condition."""
    around: list[Asked] = []
    found = []
    for types, names, conditions in rows:
        edge = _EDGE.fullmatch(types[0].text.casefold()) if types else None
        outer = around[-1] if around else NOWHERE
        found.append(outer)
        if edge and edge[1] == "begin":
            repeat = names[0].text if edge[2] == "repeat" and names else outer.repeat
            around.append(Asked((*outer.conditions, *conditions), repeat))
        elif edge and around:
            around.pop()
    return found
