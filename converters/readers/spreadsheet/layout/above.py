"""What stands above a header: titles, and keys with their values, of which one names the table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ruleferry.converters.readers.spreadsheet.blocks import Plain
from ruleferry.converters.readers.spreadsheet.cells import Cell, Place, address
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid
from ruleferry.converters.readers.spreadsheet.layout.header_rows import Known
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import (
    names_a_table,
    plain,
    says,
    words,
)
from ruleferry.converters.rule import Skipped

_PLACEHOLDER = re.compile(r"[<\[{(].*[>\]})]|n/?a|tbd|\?+|-+", re.IGNORECASE | re.DOTALL)
_IDENTIFIER = re.compile(r"[^\W\d][\w$.]*")
_WITH_KEY = re.compile(r"([^:=]{2,30})[:=]\s*(\S+)")


@dataclass(slots=True)
class Above:
    """`titles`: the cells that stand alone in their line, from top to bottom."""

    classes: dict[Place, Plain] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    pairs: list[tuple[Cell, Cell]] = field(default_factory=list)
    titles: list[Cell] = field(default_factory=list)


def read_above(grid: Grid, lines: range, known: Known) -> Above:
    above = Above()
    for line in lines:
        if grid.lines[line]:
            _read_line(grid, line, known, above)
    return above


def _read_line(grid: Grid, line: int, known: Known, above: Above) -> None:
    found = [grid.cell(line, item) for item in grid.lines[line]]
    cells = [cell for cell in found if cell is not None]
    sort: Plain = "skipped"
    if len(cells) == 1:
        above.titles += cells
        sort = "key_value" if _keyed(cells[0]) else "title"
    elif _are_pairs(cells, known):
        sort = "key_value"
        above.pairs += zip(cells[::2], cells[1::2], strict=True)
    else:
        above.skipped.append(grid.told(line, line, "it stands above the header", len(cells)))
    above.classes.update({grid.place(line, item): sort for item in grid.lines[line]})


def _are_pairs(cells: list[Cell], known: Known) -> bool:
    keys = cells[::2]
    if len(cells) % 2 or any(not isinstance(key.value, str) or len(key.text) > 60 for key in keys):
        return False
    return len(cells) == 2 or any(
        key.text.endswith(":") or says(key.text, "table_keys") or known(key.text) == "table"
        for key in keys
    )


def _keyed(cell: Cell) -> tuple[str, str] | None:
    """`Table: shipments` in one cell."""
    found = _WITH_KEY.fullmatch(cell.text)
    return (found[1], found[2]) if found and says(found[1], "table_keys") else None


def is_above(grid: Grid, line: int, known: Known) -> bool:
    """Whether a line between two blocks is a title or a key with its value."""
    items = grid.lines[line]
    if len(items) == 1:
        return True
    key = grid.text(line, items[0]) if len(items) == 2 else ""
    return key.endswith(":") or says(key, "table_keys") or known(key) == "table"


def table_stated(above: Above, known: Known) -> tuple[str | None, str] | None:
    """The table's name that a key states, and where; a name of None: it is still to be filled in.

    None: no key speaks of it.
    """
    stated = [(plain(key.text), value, value.text) for key, value in above.pairs]
    stated += [
        (plain(keyed[0]), cell, keyed[1]) for cell in above.titles if (keyed := _keyed(cell))
    ]
    ranks = {word: rank for rank, word in enumerate(words("table_keys"))}
    asked = [key.text for key, _ in above.pairs if known(key.text) == "table"]
    ranks.update({plain(text): 0 for text in asked if plain(text) not in ranks})
    found = sorted(
        ((ranks[key], cell, text) for key, cell, text in stated if key in ranks),
        key=lambda entry: entry[0],
    )
    if not found:
        return None
    _, cell, text = found[0]
    if _PLACEHOLDER.fullmatch(text):
        return None, ""
    return text, address(cell.row, cell.column)


def table_of_title(above: Above) -> tuple[str, str] | None:
    """The name in the title right above one of several blocks: `Customer`, `Table Customer`."""
    if not above.titles:
        return None
    cell = above.titles[-1]
    rest = re.sub(r"(?i)^(table|entity)\b\W*|\W*\b(table|entity)$", "", cell.text)
    if not _IDENTIFIER.fullmatch(rest):
        return None
    return rest, f"the title in {address(cell.row, cell.column)}"


def table_of_sheet(name: str) -> tuple[str | None, str]:
    return (name, "the sheet's name") if name and names_a_table(name) else (None, "")
