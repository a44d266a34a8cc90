"""Which lines of a grid are headers, and what the headers of such a line are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import Header
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid, Line
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import weights, without_side
from ruleferry.converters.readers.spreadsheet.meaning.header_words import (
    candidates,
    names_fields,
    not_names,
)
from ruleferry.converters.readers.spreadsheet.statement import Meaning

Known: TypeAlias = Callable[[str], "Meaning | None"]

FIRST_LINES = 30
_LONGEST = 120
_ENOUGH = 2.0
# An earlier line with this share of the best line's score is a header of its own.
_NEAR = 0.55
# What says which thing a line of a block speaks of.
KEYS = frozenset({"column", "rule", "sql", "code", "code_label", "rule_kind"})


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """`group`: the line above that holds the headings of several headers, if any."""

    line: int
    headers: tuple[Header, ...]
    meanings: tuple[Meaning | None, ...]
    group: int | None = None

    def items(self, meaning: Meaning) -> frozenset[int]:
        pairs = zip(self.headers, self.meanings, strict=True)
        return frozenset(header.index for header, found in pairs if found == meaning)


def of_both_sides(known: Known) -> Known:
    """`SRC_FIELD` names a field where `FIELD` does. A text is asked about once."""

    @cache
    def asked(text: str) -> Meaning | None:
        return known(text) or (known(rest) if (rest := without_side(text)) else None)

    return asked


def score(grid: Grid, line: int, known: Known) -> float:
    """How much a line looks like a header; 0 where it can't be one."""
    items = grid.lines[line]
    if len(items) < 2:
        return 0
    texts = [_header_text(grid, line, item) for item in items]
    words = [text for text in texts if text]
    meanings = [known(text) for text in words]
    found = {meaning for meaning in meanings if meaning is not None}
    if len(found) < 2:
        return 0
    weight = sum(weights().get(meaning, 1) for meaning in found)
    strings = len(words) / len(items)
    alone = len({word.casefold() for word in words}) / len(words)
    hits = sum(meaning is not None for meaning in meanings) / len(items)
    return weight * strings**2 * alone * (0.4 + 0.6 * hits) * (0.6 + 0.4 * _fill(grid, line))


def _header_text(grid: Grid, line: int, item: int) -> str:
    """ "" for what stands in no header: a number, a date, a paragraph."""
    value = grid.value(line, item)
    text = value.strip() if isinstance(value, str) else ""
    return text if len(text) <= _LONGEST or text.count(" ") < len(text) / 12 else ""


def _fill(grid: Grid, line: int) -> float:
    """The share of a header's items that the next lines fill."""
    items = set(grid.lines[line])
    below: set[int] = set()
    for number in range(line + 1, min(line + 6, len(grid.lines))):
        below.update(items.intersection(grid.lines[number]))
    return len(below) / len(items)


def first_header(grid: Grid, known: Known) -> int | None:
    """The first of the lines that may be the header, if any."""
    return next(iter(header_candidates(grid, known)), None)


def header_candidates(grid: Grid, known: Known) -> list[int]:
    """The best of the first filled lines, from top to bottom."""
    filled = [line for line in range(len(grid.lines)) if grid.lines[line]][:FIRST_LINES]
    scored = {line: score(grid, line, known) for line in filled}
    enough = max(max(scored.values(), default=0) * _NEAR, _ENOUGH)
    return [
        line
        for line, points in scored.items()
        if points >= enough
        or (points >= _ENOUGH and len(grid.lines[line]) > 2 and _is_known(grid, line, known))
    ]


def later_headers(grid: Grid, first: int, known: Known) -> list[int]:
    """The lines below a header that repeat it, or that open another block under a gap."""
    return [
        line
        for line in range(first + 2, len(grid.lines))
        if grid.lines[line] and (_repeats(grid, first, line) or _opens(grid, line, known))
    ]


def _repeats(grid: Grid, first: int, line: int) -> bool:
    items, given = grid.lines[first], grid.lines[line]
    if given[0] != items[0] or grid.value(line, items[0]) != grid.value(first, items[0]):
        return False
    same = sum(grid.value(line, item) == grid.value(first, item) for item in items)
    return len(items) > 1 and same >= max(2, 0.8 * len(items))


def _opens(grid: Grid, line: int, known: Known) -> bool:
    """Another header: under an empty line or a title, and nearly all of its texts known."""
    if len(grid.lines[line - 1]) > 1 or not _is_known(grid, line, known):
        return False
    narrow = len(grid.lines[line]) == 2
    return score(grid, line, known) >= _ENOUGH and (not narrow or _fits_below(grid, line))


def _is_known(grid: Grid, line: int, known: Known) -> bool:
    """Whether a line can hardly be anything but a header that names what its block speaks of."""
    items = grid.lines[line]
    texts = [_header_text(grid, line, item) for item in items]
    meanings = {known(text) for text in texts} - {None}
    hits = sum(known(text) is not None for text in texts)
    enough = hits == len(items) if len(meanings) < 3 else hits >= 0.6 * len(items)
    return all(texts) and len(meanings) > 1 and enough and not KEYS.isdisjoint(meanings)


def _fits_below(grid: Grid, line: int) -> bool:
    """Whether the lines under a header of two texts fill no more than it names."""
    items = grid.lines[line]
    below = grid.lines[line + 1 : line + 6]
    filled = [found for number, found in enumerate(below) if all(below[: number + 1])]
    return bool(filled) and all(set(found) <= set(items) for found in filled)


def header_line(grid: Grid, line: int, known: Known, top: int = 0) -> HeaderLine:
    """The headers of a line with the headings above them, which stand no higher than `top`."""
    group = line - 1 if line > top and _is_group(grid, line) else None
    above = {} if group is None else _spans(grid, group, grid.lines[line])
    items = sorted({*grid.lines[line], *_lone(grid, group, grid.lines[line])})
    headers = tuple(
        header for item in items if (header := _header(grid, line, item, group, above)) is not None
    )
    meanings = tuple(_meaning(header, headers, known) for header in headers)
    return HeaderLine(line, headers, meanings, group)


def _meaning(header: Header, headers: Sequence[Header], known: Known) -> Meaning | None:
    found = known(header.text)
    if found != "column" or not any(names_fields(other.text) for other in headers):
        return found
    rest = not_names(candidates(header.text))
    return rest[0].meaning if rest else found


def _header(
    grid: Grid, line: int, item: int, group: int | None, above: dict[int, int]
) -> Header | None:
    cell = grid.cell(line, item)
    heading = None
    if group is not None and item in above:
        heading = grid.cell(group, above[item])
    if cell is None:  # only the line above has a text for this item
        return None if heading is None else Header(item, heading.text, heading)
    return Header(item, cell.text, cell, heading.text if heading else "", heading)


def _is_group(grid: Grid, line: int) -> bool:
    """Whether the line above holds headings of several headers each."""
    items, labels = grid.lines[line], grid.lines[line - 1] if line else ()
    if not labels or any(not isinstance(grid.value(line - 1, item), str) for item in labels):
        return False
    widths = grid.widths.get(line - 1, {})
    if len(labels) == 1:
        wide = widths.get(labels[0], 1)
        return 1 < wide < len(items) or (labels[0] > items[0] + 1 and wide == 1)
    if len(labels) >= len(items) or labels[-1] > items[-1] + 2:
        return False
    if widths:
        return True
    return any(right - left > 1 for left, right in pairwise(labels))


def _spans(grid: Grid, group: int, items: Line) -> dict[int, int]:
    """Item -> the item of its heading: as far as it is merged, else up to the next heading."""
    labels = grid.lines[group]
    widths = grid.widths.get(group, {})
    found: dict[int, int] = {}
    last = max(items[-1], labels[-1])
    for number, label in enumerate(labels):
        following = labels[number + 1] if number + 1 < len(labels) else last + 1
        end = label + widths.get(label, 1) if widths else following
        found.update(dict.fromkeys(range(label, min(end, following)), label))
    return found


def _lone(grid: Grid, group: int | None, items: Line) -> Sequence[int]:
    """Headings that stand for a header themselves: nothing is written under them."""
    return () if group is None else [item for item in grid.lines[group] if item not in items]
