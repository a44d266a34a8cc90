"""Pieces of the Markdown report that have bounds, whatever the sources say."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from ruleferry.converters.reports.markdown import Row, cell_code, paragraph, prose, table
from ruleferry.converters.reports.text import shorten, visible

Item = TypeVar("Item")
Key = TypeVar("Key")

# Characters of a text that stand in the report; the page and the workbook have all of it.
WIDTH = 120


@dataclass(frozen=True, slots=True)
class Room:
    """What a list may take: so many lines, and so many characters together."""

    most: int
    characters: int


def said(text: str, width: int = WIDTH) -> str:
    """Text inside a line."""
    return prose(_cut(text, width))


def begun(text: str, width: int = WIDTH) -> str:
    """Text at the start of a line."""
    return paragraph(_cut(text, width))


def named(text: str, width: int = WIDTH) -> str:
    """A name, as code in a table."""
    return cell_code(_cut(text, width))


def _cut(text: str, width: int) -> str:
    """Cut as it is shown: a hidden character that is spelt out is as long as its spelling."""
    most = 2 * width + 2  # of a longer text no more is looked at: each line end may be two
    return shorten(visible(text[:most]), width)


def by_number(counts: Counter[str]) -> list[tuple[str, int]]:
    """What was counted, the commonest first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def counted(item: tuple[str, int]) -> Row:
    return said(item[0]), f"{item[1]:,}"


def fitting(pieces: Iterable[str], room: Room) -> list[str]:
    """The first pieces, as many as there is room for."""
    found: list[str] = []
    left = room.characters
    for piece in islice(pieces, room.most):
        left -= len(piece)
        if left < 0:
            break
        found.append(piece)
    return found


def bounded_table(
    header: Row, items: Sequence[Item], row: Callable[[Item], Row], room: Room, more: str
) -> str:
    """A table of the first items, and how many there are more; `more`: what, and where they are."""
    shown = fitting((f"| {' | '.join(row(item))} |\n" for item in items), room)
    rest = len(items) - len(shown)
    told = f"\n… and {rest:,} more {more}.\n" if rest else ""
    return f"{table(header, ())}{''.join(shown)}{told}"


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> Mapping[Key, Sequence[Item]]:
    """The items that share a key, in the order in which the keys come up."""
    groups: dict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
