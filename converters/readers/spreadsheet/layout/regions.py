"""Parts of a sheet that stand side by side, and sheets whose fields stand across."""

from __future__ import annotations

from itertools import pairwise

from ruleferry.converters.readers.spreadsheet.layout.grid import Grid, bands
from ruleferry.converters.readers.spreadsheet.layout.header_rows import (
    KEYS,
    Known,
    first_header,
    header_line,
    score,
)
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import holds

_FEW = 200
_MANY = 12


def regions(grid: Grid, known: Known) -> list[Grid]:
    """The sheet as it is, or its parts where each has a header of its own."""
    found = [grid.between(*band) for band in _joined(grid, known)]
    return [part for region in found for part in _repeated(region, known)]


def _joined(grid: Grid, known: Known) -> list[tuple[int, int]]:
    """Bands between empty items; one without a header that names something is no part alone."""
    found = bands(grid)
    if len(found) > _MANY:  # a form to be printed
        return [(0, found[-1][1])]
    whole = first_header(grid, known)
    if len(found) < 2 or (whole is None and holds(grid.sheet.name, "kinds", "code_list")):
        return found
    parts: list[tuple[int, int]] = []
    keyed = False
    for band in found:
        own = _names_something(grid.between(*band), known, whole)
        if parts and not (own and keyed and not _goes_with(grid, parts[-1], band)):
            parts[-1] = (parts[-1][0], band[1])
        else:
            parts.append(band)
        keyed = keyed or own
    return parts


def _goes_with(grid: Grid, band: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether lines of the right part belong to the lines of the left one, as codes to a field.

    A list of its own runs on without a gap; codes leave one beside each field that has none.
    """
    pairs = list(zip(grid.between(*band).lines, grid.between(*right).lines, strict=True))
    filled = [bool(theirs) for _, theirs in pairs]
    if not any(filled):
        return False
    end = len(filled) - filled[::-1].index(True)
    within = pairs[filled.index(True) : end]
    gaps = any(ours and not theirs for ours, theirs in within)
    more = any(theirs and not ours for ours, theirs in within)
    return gaps and more


def _names_something(grid: Grid, known: Known, whole: int | None) -> bool:
    head = first_header(grid, known)
    if head is None and whole is not None and len(grid.lines[whole]) > 1:
        head = whole
    return head is not None and not KEYS.isdisjoint(header_line(grid, head, known).meanings)


def _repeated(grid: Grid, known: Known) -> list[Grid]:
    """A header whose texts begin anew stands over two blocks, unless headings tell them apart."""
    head = first_header(grid, known)
    if head is None:
        return [grid]
    found = header_line(grid, head, known)
    texts = [header.text.casefold() for header in found.headers]
    starts = [n for n, text in enumerate(texts) if text == texts[0]]
    again = all(texts[n + 1 : n + 2] == texts[1:2] for n in starts)
    if len(starts) < 2 or not again or found.group is not None or len(texts) < 4:
        return [grid]
    items = [found.headers[n].index for n in starts]
    edges = [0, *items[1:], grid.width()]
    return [grid.between(left, right - 1) for left, right in pairwise(edges)]


def is_transposed(grid: Grid, known: Known) -> bool:
    """Whether what is said of the fields is named down one of the first columns."""
    filled = [line for line in range(len(grid.lines)) if grid.lines[line]]
    if not 2 <= len(filled) <= _FEW:
        return False
    down = max(_down(grid, filled, item, known) for item in range(3))
    across = max(score(grid, line, known) for line in filled[:30])
    return down > 1.2 * across and down >= 4


def _down(grid: Grid, filled: list[int], item: int, known: Known) -> float:
    """As header_rows.score, of a column whose lines say something of the fields that one names."""
    lines = [line for line in filled if item in grid.lines[line]]
    texts = [grid.text(line, item) for line in lines]
    meanings = [known(text) for text in texts]
    found = {meaning for meaning in meanings if meaning is not None}
    hits = sum(meaning is not None for meaning in meanings)
    if len(found) < 3 or hits < 0.5 * len(lines) or "column" not in found:
        return 0
    right = [frozenset(i for i in grid.lines[n] if i > item) for n in lines]
    fields = max((right[n] for n, m in enumerate(meanings) if m == "column"), key=len)
    wide = sum(len(fields) > 1 and bool(here) and here <= fields for here in right)
    return hits * (wide / len(lines)) * len(set(texts)) / len(texts)
