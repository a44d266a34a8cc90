"""The records of a block, and what stands between them and is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ruleferry.converters.readers.spreadsheet.blocks import Plain, Record, SheetKind
from ruleferry.converters.readers.spreadsheet.cells import Cell, Place
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid, Line
from ruleferry.converters.readers.spreadsheet.layout.header_rows import HeaderLine
from ruleferry.converters.readers.spreadsheet.layout.sheet_kinds import FACTS
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import says, words
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Continuation
from ruleferry.converters.rule import Skipped

_NOTHING: Mapping[int, Cell] = MappingProxyType({})
# What may stand under a name in lines of their own; None: nobody knows what the column means.
_GOES_ON = frozenset(words("meanings", "goes_on"))
# What a template holds in lines that nobody has filled yet.
_NUMBERS = frozenset({"order", "rule_id", "ignore"})
_BEARS = FACTS | {"rule", "sql", "code"}
_BELOW = "it stands below the records"
_RULED = re.compile(r"#+\s*[=\-*#~_]{2,}.*|[=\-*#~_\s]{3,}", re.DOTALL)
_REMARK = re.compile(r"#+(\s|$).*", re.DOTALL)
_LONG_NAME = 80


class RowCells(Mapping[int, tuple[Cell, ...]]):
    """The cells of a record, made when they are asked for: a sheet may have a million.

    Records are read one after the other, so of one sheet those of one record are held: `held`.
    Columns are read one after the other, too: one cell is made without the others.
    """

    __slots__ = ("_grid", "_held", "_items", "_lines")

    def __init__(
        self, grid: Grid, lines: tuple[int, ...], items: frozenset[int], held: Held
    ) -> None:
        self._grid, self._lines, self._items, self._held = grid, lines, items, held

    def __getitem__(self, index: int) -> tuple[Cell, ...]:
        if self._held.of is self:
            return self._held.cells[index]
        found = self._of(index) if index in self._items else ()
        if not found:
            raise KeyError(index)
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self._cells())

    def __len__(self) -> int:
        return len(self._cells())

    def __repr__(self) -> str:
        return repr(dict(self))

    def _cells(self) -> Mapping[int, tuple[Cell, ...]]:
        held = self._held
        if held.of is not self:
            held.of, held.cells = self, self._made()
        return held.cells

    def _of(self, item: int) -> tuple[Cell, ...]:
        grid = self._grid
        cells = (grid.cell(line, item) for line in self._lines if item in grid.lines[line])
        return tuple(cell for cell in cells if cell is not None)

    def _made(self) -> Mapping[int, tuple[Cell, ...]]:
        grid = self._grid
        found: dict[int, tuple[Cell, ...]] = {}
        for line in self._lines:
            for item in grid.lines[line]:
                cell = grid.cell(line, item) if item in self._items else None
                if cell is not None:
                    found[item] = (*found.get(item, ()), cell)
        return dict(sorted(found.items())) if len(self._lines) > 1 else found


@dataclass(slots=True)
class Held:
    """The record whose cells were asked for last, and they."""

    of: RowCells | None = None
    cells: Mapping[int, tuple[Cell, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """What the lines of a block hold."""

    records: list[Record] = field(default_factory=list)
    classes: dict[Place, Plain] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """The state while the lines of one block are read from top to bottom."""

    grid: Grid
    header: HeaderLine
    kind: SheetKind
    continuation: Continuation | None
    items: frozenset[int] = frozenset()
    names: frozenset[int] = frozenset()
    tables: frozenset[int] = frozenset()
    meanings: dict[int, str | None] = field(default_factory=dict)
    found: Found = field(default_factory=Found)
    pending: list[int] = field(default_factory=list)  # the lines of the record that is being read
    heading: tuple[int, Cell] | None = None  # a table's name over the records that follow
    blank: int = 0
    below: bool = False  # two empty lines have ended the records
    outside: dict[int, int] = field(default_factory=dict)  # item without a header -> cells
    unread: tuple[int, int, str, int] | None = None  # first and last line, reason, cells
    held: Held = field(default_factory=Held)


def read_records(
    grid: Grid,
    header: HeaderLine,
    last: int,
    kind: SheetKind,
    *,
    continuation: Continuation | None = None,
    first: int = 0,
) -> Found:
    """The records from the line under a header, or from `first` on, to the line `last`."""
    reading = _start(grid, header, kind, continuation)
    start = header.line + 1
    legend = _legend(reading, start, last)
    for line in range(start, last + 1):
        filled = grid.lines[line]
        if not filled:
            reading.blank += 1
            continue
        if line < first:
            _leave(reading, line, "the profile says that the records begin below")
        elif line == legend:
            _leave(reading, line, "it explains the headers above it")
        elif not _read_line(reading, line, filled):
            _leave_rest(reading, line, last)
            break
        reading.blank = 0
    _finish(reading)
    return reading.found


def _start(
    grid: Grid, header: HeaderLine, kind: SheetKind, continuation: Continuation | None
) -> _Reading:
    pairs = zip(header.headers, header.meanings, strict=True)
    meanings = {found.index: meaning for found, meaning in pairs}
    names = header.items("code") if kind == "code list" else header.items("column")
    reading = _Reading(grid, header, kind, continuation, frozenset(meanings), names)
    reading.tables, reading.meanings = header.items("table"), meanings
    return reading


def _read_line(reading: _Reading, line: int, filled: Line) -> bool:
    """False where the table ends."""
    own = [item for item in filled if item in reading.items]
    if len(own) < len(filled):
        _note_outside(reading, line, filled)
    if not own:
        return True
    if len(filled) == 1 and _ends(reading, reading.grid.text(line, own[0])):
        return False
    apart = (reading.below or reading.blank > 1) and not _goes_on_after_gap(reading, own)
    if not (apart and reading.tables.isdisjoint(own)) and _is_banner(reading, line, own):
        _banner(reading, line, own)
    elif apart:
        reading.below = True
        _leave(reading, line, _BELOW, own)
    elif not reading.names.isdisjoint(own):
        _record(reading, line)
    else:
        _nameless(reading, line, own)
    return True


def _ends(reading: _Reading, text: str) -> bool:
    """It says so, or the words of the cells above are explained from here on."""
    if says(text, "end"):
        return True
    sure = says(text, "legends") or (text.endswith(":") and says(text, "legends", "maybe"))
    return reading.blank > 0 and sure


def _note_outside(reading: _Reading, line: int, filled: Line) -> None:
    for item in filled:
        if item not in reading.items:
            reading.found.classes[reading.grid.place(line, item)] = "skipped"
            reading.outside[item] = reading.outside.get(item, 0) + 1


def _is_banner(reading: _Reading, line: int, own: list[int]) -> bool:
    """A text over the whole table, or a remark: no record."""
    if len(own) > 1:
        if own[0] != reading.header.headers[0].index:
            return False
        return _RULED.fullmatch(reading.grid.text(line, own[0])) is not None
    item = own[0]
    text = reading.grid.text(line, item)
    if (
        _RULED.fullmatch(text)
        or _REMARK.fullmatch(text)
        or item in reading.grid.widths.get(line, {})
    ):
        return True
    if item in reading.names:
        return len(text) > _LONG_NAME or (reading.blank > 0 and text.count(" ") > 1)
    if item in reading.tables:
        return True
    meaning = reading.meanings[item]
    bears = meaning in _BEARS or (meaning in _GOES_ON and reading.blank == 0)
    return item == reading.header.headers[0].index and not bears


def _banner(reading: _Reading, line: int, own: list[int]) -> None:
    _close(reading)
    _tell(reading)
    grid = reading.grid
    for item in own:
        reading.found.classes[grid.place(line, item)] = "title"
    reading.heading = None
    if len(own) == 1 and own[0] in reading.tables and own[0] not in grid.widths.get(line, {}):
        cell = grid.cell(line, own[0])
        reading.heading = None if cell is None else (own[0], cell)
    reading.found.skipped.append(grid.told(line, line, "a heading among the records", len(own)))


def _goes_on_after_gap(reading: _Reading, own: list[int]) -> bool:
    """After two empty lines only what is a record beyond doubt is one."""
    return len(own) > 1 and (not reading.names or not reading.names.isdisjoint(own))


def _nameless(reading: _Reading, line: int, own: list[int]) -> None:
    meanings = {reading.meanings[item] for item in own}
    if meanings <= _NUMBERS or (None in meanings and _only_numbers(reading, line, own)):
        _leave(reading, line, "a line of the template that nobody has filled", own)
    elif _continues(reading, line, meanings):
        reading.pending.append(line)
    elif _is_note(reading, meanings):
        _leave(reading, line, _BELOW, own)
    else:
        _record(reading, line)


def _is_note(reading: _Reading, meanings: set[str | None]) -> bool:
    """Apart from the records, without a name, and nothing that a field is held against."""
    if reading.kind not in ("dictionary", "mapping") or not reading.names:
        return False
    return meanings.isdisjoint(_BEARS) and (reading.blank > 0 or not reading.pending)


def _only_numbers(reading: _Reading, line: int, own: list[int]) -> bool:
    """Nothing but numbers in columns that nobody knows, or that only count."""
    return all(
        reading.meanings[item] in _NUMBERS
        or (reading.meanings[item] is None and _is_number(reading.grid.text(line, item)))
        for item in own
    )


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()


def _continues(reading: _Reading, line: int, meanings: set[str | None]) -> bool:
    """Whether a line without a name belongs to the record above it."""
    if not reading.pending or not reading.names or reading.continuation == "none":
        return False
    if any((line, name) in reading.grid.covered for name in reading.names):
        return True
    if reading.kind not in ("dictionary", "mapping"):
        return False
    if reading.continuation == "blank-name":
        return True
    return reading.blank == 0 and meanings <= _GOES_ON | {None}


def _record(reading: _Reading, line: int) -> None:
    _close(reading)
    _tell(reading)
    reading.below = False
    reading.pending.append(line)


def _close(reading: _Reading) -> None:
    if not reading.pending:
        return
    lines = tuple(reading.pending)
    reading.pending.clear()
    cells = RowCells(reading.grid, lines, reading.items, reading.held)
    shared = _shared(reading, lines[0])
    reading.found.records.append(Record(lines[0], cells, shared))


def _shared(reading: _Reading, line: int) -> Mapping[int, Cell]:
    grid = reading.grid
    if not grid.covered and reading.heading is None:
        return _NOTHING
    found: dict[int, Cell] = {}
    for item in reading.items:
        above = grid.covered.get((line, item))
        cell = None if above is None or above <= reading.header.line else grid.cell(above, item)
        if cell is not None:
            found[item] = cell
    if reading.heading is not None:
        if reading.tables.isdisjoint(grid.lines[line]):
            found.setdefault(*reading.heading)
        else:
            reading.heading = None
    return found


def _legend(reading: _Reading, start: int, last: int) -> int | None:
    """The first line under a header, where it explains the headers and is no record."""
    grid, items = reading.grid, reading.items
    first = next((n for n in range(start, last + 1) if grid.lines[n]), None)
    if first is None:
        return None
    texts = [grid.text(first, item) for item in grid.lines[first] if item in items]
    if len(texts) > 1 and all(re.fullmatch(r"[(<\[].*[)>\]]", text, re.DOTALL) for text in texts):
        return first
    if len(texts) > 2 and texts == [str(n) for n in range(1, len(items) + 1)]:
        return first
    return first if _explains_name(reading, first, last) else None


def _explains_name(reading: _Reading, first: int, last: int) -> bool:
    """A name of several words where all the others are of one."""
    grid = reading.grid
    if len(reading.names) != 1:
        return False
    (name,) = reading.names
    if grid.text(first, name).count(" ") < 2:
        return False
    others = [grid.text(n, name) for n in range(first + 1, min(last, first + 20) + 1)]
    others = [text for text in others if text]
    return len(others) >= 3 and not any(" " in text for text in others)


def _leave(reading: _Reading, line: int, reason: str, own: list[int] | None = None) -> None:
    """Lines that are not read; those that follow one another are told as one."""
    _close(reading)
    grid = reading.grid
    items = own if own is not None else [i for i in grid.lines[line] if i in reading.items]
    for item in items:
        reading.found.classes[grid.place(line, item)] = "skipped"
    if own is None:
        _note_outside(reading, line, grid.lines[line])
    before = reading.unread
    if before is not None and before[2] == reason:
        reading.unread = (before[0], line, reason, before[3] + len(items))
    else:
        _tell(reading)
        reading.unread = (line, line, reason, len(items))


def _tell(reading: _Reading) -> None:
    if reading.unread is not None:
        reading.found.skipped.append(reading.grid.told(*reading.unread))
    reading.unread = None


def _leave_rest(reading: _Reading, line: int, last: int) -> None:
    _close(reading)
    grid, rest = reading.grid, range(line, last + 1)
    for place in grid.places(rest):
        reading.found.classes[place] = "skipped"
    ends = says(grid.text(line, grid.lines[line][0]), "end")
    reason = "the sheet says that its table ends here" if ends else "it explains the records above"
    reading.found.skipped.append(grid.told(line, last, reason, grid.count(rest)))


def _finish(reading: _Reading) -> None:
    _close(reading)
    _tell(reading)
    for item, count in sorted(reading.outside.items()):
        told = reading.grid.told_items(item, item, "a column without a header", count)
        reading.found.skipped.append(told)
