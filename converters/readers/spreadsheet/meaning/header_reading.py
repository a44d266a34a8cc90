"""What one header says by itself, and how many of its cells can be read so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.meaning.header_words import (
    READ,
    RULES,
    Candidate,
    candidates,
    folded,
    names_fields,
    not_names,
    part,
    parts,
    words_of,
)
from ruleferry.converters.readers.spreadsheet.statement import Meaning

Parses: TypeAlias = Callable[[Meaning, Cell], bool]
_ENOUGH = 95  # percent
_SHOWN = 40  # signs of a cell that a reason repeats


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """`meaning`: None where no word of the header is known; not sure: the best guess.

    `parsed` of the `filled` cells can be read as such. `about`: the index of the column that a
    threshold or a note is about. `code`: the row of mappings/gaps.toml where it is not sure;
    `asked`: the index of the column that is in question then, where that is another one. `fixed`:
    a profile or a person says what it means.
    """

    header: Header
    meaning: Meaning | None
    sure: bool
    why: str
    parsed: int = 0
    filled: int = 0
    about: int | None = None
    code: str = "column_unsure"
    asked: int | None = None
    fixed: bool = False

    @property
    def may_bear_rules(self) -> bool:
        """Whether its cells might state rules, whatever it means in the end."""
        if self.sure:
            return self.meaning in RULES
        found = {candidate.meaning for candidate in word_of(self.header)}
        return not found or self.meaning in RULES or bool(found & RULES)


BY_PROFILE = "the profile says so"


def first_reading(
    block: Block,
    header: Header,
    parses: Parses,
    chosen: tuple[Meaning, str] | None,
    others: Mapping[str, int],
) -> ColumnReading:
    """`others`: the headers of the block, folded -> where they stand.

    `chosen`: what a profile or a person says of it, and which of them.
    """
    cells = tuple(cells_of(block, header))
    filled = len(cells)
    noted = _about(header, others)
    if chosen is not None:
        meaning, why = chosen
        parsed = _parsed(cells, meaning, parses) if meaning in READ else filled
        about = noted[1] if noted and noted[0] == meaning else None
        return ColumnReading(header, meaning, True, why, parsed, filled, about, fixed=True)
    if noted is not None:
        kind, index = noted
        told = _parsed(cells, kind, parses) if kind in READ else filled
        why = "its header names the column that it is about"
        return _enough(ColumnReading(header, kind, True, why, told, filled, index), cells, parses)
    return _byword_of(block, header, cells, parses)


def _byword_of(
    block: Block, header: Header, cells: Sequence[Cell], parses: Parses
) -> ColumnReading:
    filled = len(cells)
    found = word_of(header)
    if any(names_fields(other.text) for other in block.headers):
        found = not_names(found)
    if not found:
        why = "no word of the header is known" if header.text else "its header is empty"
        return ColumnReading(header, None, False, why, 0, filled)
    if found[0].by_cells:
        return _by_cells(header, cells, parses, found)
    meaning = found[0].meaning
    parsed = _parsed(cells, meaning, parses) if meaning in READ else filled
    if not found[0].sure:
        words = " or ".join(dict.fromkeys(candidate.meaning for candidate in found))
        return ColumnReading(header, meaning, False, f"it may mean {words}", parsed, filled)
    if folded(header.text) in part("either_or") and _says_yes_or_no(cells):
        why = "yes and no do not tell which of both is meant"
        return ColumnReading(header, meaning, False, why, parsed, filled)
    row = ColumnReading(header, meaning, True, "its header says so", parsed, filled)
    return _enough(row, cells, parses)


def _by_cells(
    header: Header, cells: Sequence[Cell], parses: Parses, found: Sequence[Candidate]
) -> ColumnReading:
    """The first meaning as which enough of the cells can be read."""
    filled = len(cells)
    tried = [
        ColumnReading(
            header, candidate.meaning, True, "its cells tell",
            _parsed(cells, candidate.meaning, parses), filled,
        )
        for candidate in found
        if candidate.by_cells
    ]  # fmt: skip
    good = [row for row in tried if filled and _is_enough(row) and _says_key(cells, row)]
    words = " or ".join(row.meaning or "" for row in tried)
    unsure = replace(tried[0], sure=False, why=f"it may mean {words}")
    return good[0] if good else unsure


def _says_key(cells: Sequence[Cell], row: ColumnReading) -> bool:
    """A column of numbers or yes and no under `Key` is not yet one of primary keys."""
    if row.meaning != "primary_key":
        return True
    return any(folded(cell.text).startswith(("pk", "pri")) for cell in cells)


def _is_enough(row: ColumnReading) -> bool:
    return row.meaning not in READ or row.parsed * 100 >= row.filled * _ENOUGH


def _enough(row: ColumnReading, cells: Sequence[Cell], parses: Parses) -> ColumnReading:
    """The row, with one of the cells that are in the way where it is not sure."""
    if _is_enough(row) or row.meaning is None:
        return row
    bad = (cell.text for cell in cells if not parses(row.meaning, cell))
    text = " ".join(min(bad).split())
    text = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    count = f"only {row.parsed} of its {row.filled} cells can be read as {row.meaning}"
    return replace(row, sure=False, why=f'{count}, and not "{text}"')


def cells_of(block: Block, header: Header) -> Iterator[Cell]:
    """The cells that speak for a meaning: a spoilt one or a struck one tells nothing."""
    for record in block.records:
        for cell in record.cells.get(header.index, ()):
            if not cell.trouble and not cell.struck:
                yield cell


def _parsed(cells: Sequence[Cell], meaning: Meaning, parses: Parses) -> int:
    """How many cells can be read so. Cells repeat, and each text is asked once."""
    known: dict[tuple[type, str], bool] = {}
    count = 0
    for cell in cells:
        key = (type(cell.value), cell.text)
        if key not in known:
            known[key] = parses(meaning, cell)
        count += known[key]
    return count


def _says_yes_or_no(cells: Sequence[Cell]) -> bool:
    return any(folded(cell.text) in part("yes_or_no") for cell in cells)


def word_of(header: Header) -> tuple[Candidate, ...]:
    """The candidates of a header without the side of the mapping that it names.

    The heading above stands for a header that is empty.
    """
    text = header.text or header.group
    if text_side(header) is None:
        return candidates(text)
    words = words_of(text)
    rest = candidates(" ".join(words[1:]))
    sides = parts("sides")["source"] | parts("sides")["target"]
    return rest if rest and words[0] in sides else candidates(" ".join(words[:-1]))


def _about(header: Header, others: Mapping[str, int]) -> tuple[Meaning, int] | None:
    """`isRequiredThreshold` is a threshold, and it is about the column `isRequired`."""
    words = words_of(header.text)
    for meaning, suffixes in parts("suffixes").items():
        index = others.get("".join(words[:-1]))
        if len(words) > 1 and words[-1] in suffixes and index is not None:
            return meaning, index
    return None


def text_side(header: Header) -> str | None:
    """`SRC_FIELD` and `Nullable (target)`: a side and one word more at least."""
    words = words_of(header.text)
    if len(words) < 2 or candidates(header.text):
        return None
    for side, known in parts("sides").items():
        if words[0] in known and candidates(" ".join(words[1:])):
            return side
        if words[-1] in known and candidates(" ".join(words[:-1])):
            return side
    return None
