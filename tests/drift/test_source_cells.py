"""Each cell that bears a rule is changed once, and `drift` tells what became of the rule, and where.

Many cells are changed at a time, one of a field: what is told must be what was done, neither more
nor less. `python test_source_cells.py` prints how many were changed and how many were told right.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from books import BOOKS, Book
from cells import column_of, row_of, split_place
from roles import Cell, Way
from trial import CARRIED, Converted, after_cells, dictionary, short

QUICK = ("02_dataact_appropFields.csv", "16_uk_cica_data_dictionary.xlsx")
IDS = [book.id for book in BOOKS]


@dataclass(frozen=True, slots=True)
class Expect:
    """One difference that must be told, at one of these places."""

    change: str
    level: str
    table: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.level}: {self.change} at {' or '.join(self.places)} of {self.table}"


@dataclass(frozen=True, slots=True)
class Changed:
    """A cell, its new text and what must be told of it."""

    place: str
    way: Way
    wanted: tuple[Expect, ...]


@pytest.fixture(scope="module")
def converted(shared, tmp_path_factory):
    """book -> its folder, converted once."""
    made = {}

    def of(book: Book) -> Converted:
        if book.id not in made:
            folder = tmp_path_factory.mktemp("books") / "one"
            made[book.id] = dictionary(folder, _file(shared, book), book.profile)
        return made[book.id]

    return of


def _file(shared, book: Book) -> Path:
    return shared / "corpus/spreadsheets" / book.file


def rule_cells(book: Book, made: Converted) -> list[str]:
    """Places of the ledger that stand in a column which says something."""
    return [p for p in made.by_place if _column(p) in book.columns and p in made.texts]


def _column(place: str) -> str:
    sheet, address = split_place(place)
    return f"{sheet}!{column_of(address)}" if sheet else column_of(address)


def changes(book: Book, made: Converted, turn: int) -> Iterator[Changed]:
    """One way for each cell; with another turn another one, where it has several."""
    twice = described_twice(book, made)
    for number, place in enumerate(rule_cells(book, made)):
        row = row_at(made, place)
        if place in book.left_out or field_of(book, made, place) in twice:
            continue
        cell = Cell(made.texts[place], _was(made.at(place)), row)
        ways = list(book.columns[_column(place)].ways(cell))
        if ways:
            way = ways[(number + turn) % len(ways)]
            yield Changed(place, way, tuple(expected(place, way, made)))


def row_at(made: Converted, place: str) -> dict[str, str]:
    """Column -> text of the row of a cell."""
    rows = made.__dict__.get("_rows")
    if rows is None:
        rows = defaultdict(dict)
        for at, text in made.texts.items():
            sheet, address = split_place(at)
            rows[sheet, row_of(address)][column_of(address)] = text
        object.__setattr__(made, "_rows", rows)
    sheet, address = split_place(place)
    return rows[sheet, row_of(address)]


def field_of(book: Book, made: Converted, place: str) -> tuple[str, str, str]:
    row = row_at(made, place)
    table = row.get(book.table_column, "") if book.table_column else ""
    return split_place(place)[0], _plain(table), _plain(row.get(book.name_column, ""))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def described_twice(book: Book, made: Converted) -> set[tuple[str, str, str]]:
    """What one row says of such a field another row may say too: it is left out, and counted."""
    rows = {(split_place(p)[0], row_of(split_place(p)[1])): p for p in rule_cells(book, made)}
    fields = Counter(field_of(book, made, place) for place in rows.values())
    return {one for one, count in fields.items() if count > 1}


def _was(entries) -> str:
    outcomes = {entry.outcome for entry in entries}
    if outcomes & {*CARRIED, "merged"}:
        return "carried"
    return "gap" if "gap" in outcomes else "silent"


# How much a change matters. A question that was none is less than a rule that is none any more.
LEVELS = {
    "removed": "removed",
    "gap_opened": "removed",
    "loosened": "loosened",
    "changed": "changed",
    "tightened": "changed",
    "lookup_changed": "changed",
}


def expected(place: str, way: Way, made: Converted) -> Iterator[Expect]:
    """A rule that another cell states too is still checked, whatever becomes of this cell."""
    partner = _beside(place, way.partner) if way.partner else place
    places = tuple(dict.fromkeys((place, partner)))
    for entry in _speaking(made.at(place), made.at(partner)) if way.change else ():
        merged = entry.outcome == "merged"
        stays = way.change in ("removed", "gap_opened") and (way.stays or merged)
        level = "any" if stays else LEVELS.get(way.change, "any")
        change = "removed" if stays and merged else way.change  # a cell is one question, not two
        yield Expect(change, level, entry.table, (place,) if way.also else places)
        if way.also:
            yield Expect(way.also, LEVELS.get(way.also, "any"), entry.table, places)
    for letter, becomes in way.beside.items():
        other = _beside(place, letter)
        for entry in made.at(other):
            was = _was([entry])
            if change := becomes.get(was):
                level = LEVELS.get(change, "any") if was == "carried" else "any"
                yield Expect(change, level, entry.table, (other,))


def _speaking(own, partner):
    """Of two cells that state one rule the entry of one tells what became of both."""
    rules = [entry for entry in (*own, *partner) if entry.outcome in (*CARRIED, "merged")]
    return list({entry.id: entry for entry in rules}.values()) or own


def _beside(place: str, letter: str) -> str:
    sheet, address = split_place(place)
    return f"{sheet}!{letter}{row_of(address)}" if sheet else f"{letter}{row_of(address)}"


def rounds(made: Sequence[Changed], share: float) -> list[list[Changed]]:
    """In each round one cell of a field, and not the same column of all fields."""
    of_field = defaultdict(list)
    for one in made:
        sheet, address = split_place(one.place)
        of_field[sheet, row_of(address)].append(one)
    longest = max(map(len, of_field.values()), default=0)
    number_of = max(longest, round(longest / share))
    found: list[list[Changed]] = [[] for _ in range(number_of)]
    for number, cells in enumerate(of_field.values()):
        for step, one in enumerate(cells):
            found[(number + step * (number_of // longest)) % number_of].append(one)
    return [cells for cells in found if cells]


def wrong(book: Book, made: Converted, turn: int) -> list[str]:
    """What was not told, or told and not done."""
    found = []
    for number, cells in enumerate(rounds(list(changes(book, made, turn)), book.share)):
        texts = {one.place: one.way.text for one in cells}
        told = after_cells(made, texts, shared=number % 2 == 1)
        found += unlike([(one, want) for one in cells for want in one.wanted], told, made)
    return found


def unlike(wanted: Sequence[tuple[Changed, Expect]], told, made: Converted) -> list[str]:
    waiting = defaultdict(list)
    for one, want in wanted:
        for place in want.places:
            waiting[want.change, want.level, want.table, place].append((one, want))
    met: set[int] = set()
    found = []
    for difference, line in zip(told.differences, short(told), strict=True):
        at = difference.source.place if difference.source else "-"
        open_ = [
            pair
            for pair in waiting[difference.change, difference.level, difference.table, at]
            if id(pair[1]) not in met
        ]
        if open_ and difference.side == "source":
            met.add(id(open_[0][1]))
        else:
            found.append(f"too much: {line}")
    for one, want in wanted:
        if id(want) not in met:
            found.append(
                f"not told: {want}: {one.place} {made.texts[one.place]!r} -> {one.way.text!r}"
            )
    return sorted(found)


@pytest.mark.parametrize("book", [b for b in BOOKS if b.file in QUICK], ids=lambda b: b.id)
def test_each_rule_bearing_cell(book, converted):
    assert wrong(book, converted(book), 0) == []


def main(folder: str, *names: str) -> None:
    shared = Path(__file__).resolve().parents[3] / "shared"
    total = Counter()
    for book in BOOKS:
        if names and not any(name in book.file for name in names):
            continue
        made = dictionary(Path(folder) / book.id, _file(shared, book), book.profile)
        for turn in range(1):
            found = wrong(book, made, turn)
            cells = list(changes(book, made, turn))
            counts = Counter(one.way.change for one in cells)
            print(book.id, len(rule_cells(book, made)), len(cells), len(found), dict(counts))
            for line in found[:40]:
                print("   ", line[:420])


if __name__ == "__main__":
    main(*sys.argv[1:])
