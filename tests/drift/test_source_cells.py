"""Each cell that bears a rule is changed once: `drift` tells what became of the rule, and where.

Many cells are changed at a time, one of a field: what is told must be what was done, neither more
nor less. `python test_source_cells.py` prints how many were changed and how many were told right.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from books import BOOKS, MIXS, Book
from cells import change_validation, column_of, edit_part, names, row_of, split_place, validations
from roles import Cell, Way
from trial import CARRIED, Converted, after_cells, dictionary, drift, restored, short

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
        # What is a rule of one bound still is told as looser: the question is one more.
        level = "any" if stays or way.also == "loosened" else LEVELS.get(way.change, "any")
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


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("book", [b for b in BOOKS if b.file in QUICK], ids=lambda b: b.id)
def test_each_rule_bearing_cell(book, turn, converted):
    assert wrong(book, converted(book), turn) == []


@pytest.mark.more
@pytest.mark.parametrize("book", [b for b in BOOKS if b.file not in QUICK], ids=lambda b: b.id)
def test_each_rule_bearing_cell_of_large_ones(book, converted, request):
    if book is MIXS:
        told = "one field is required no more and another one is: told as one column renamed"
        request.applymarker(pytest.mark.xfail(reason=told, strict=True))
    made = converted(book)
    for turn in range(1 if book.share < 1 else 3):
        assert wrong(book, made, turn) == []


@pytest.mark.more
@pytest.mark.parametrize("book", BOOKS, ids=lambda b: b.id)
def test_a_cell_alone_is_told_as_among_others(book, converted):
    made = converted(book)
    cells = list(changes(book, made, 0))
    for one in cells[:: max(1, len(cells) // 12)]:
        told = after_cells(made, {one.place: one.way.text})
        assert unlike([(one, want) for want in one.wanted], told, made) == []


def test_enough_is_changed(shared, converted):
    """At least nine of ten cells that a role speaks of, and each kind of change."""
    (book,) = [b for b in BOOKS if b.file == QUICK[0]]
    made = converted(book)
    counts = Counter(one.way.change for turn in range(4) for one in changes(book, made, turn))
    assert counts.keys() == {
        "removed", "gap_opened", "added", "loosened", "tightened", "changed"
    }  # fmt: skip


# Names of fields ---------------------------------------------------------------------------------


def renames(book, made, every):
    """Place of a name -> what must be told of the cells of its row; each tenth field or so."""
    twice = described_twice(book, made)
    of_row = defaultdict(list)
    for place in rule_cells(book, made):
        if field_of(book, made, place) not in twice:
            of_row[_beside(place, book.name_column)].append(place)
    for name in list(of_row)[::every]:
        wanted = Counter()
        for place in (p for p in made.by_place if _beside(p, book.name_column) == name):
            for entry in made.at(place):
                if entry.outcome in (*CARRIED, "gap"):
                    change = "gap_changed" if entry.outcome == "gap" else "renamed_column"
                    wanted[change, place, entry.table] += 1
        yield name, wanted


RENAMED = [b for b in BOOKS if b.file.startswith(("02", "07_cdisc_mock", "08", "14", "38"))]


@pytest.mark.parametrize("book", RENAMED[:1], ids=lambda b: b.id)
def test_a_field_has_another_name(book, converted):
    _named_otherwise(book, converted(book), 3)


@pytest.mark.more
@pytest.mark.parametrize("book", RENAMED[1:], ids=lambda b: b.id)
def test_a_field_of_a_large_dictionary_has_another_name(book, converted):
    _named_otherwise(book, converted(book), 80)


# A field whose name alone is another, and what else it may be called: gone, and new. A column that
# is checked no more is never a smaller matter than it is.
_GONE_AND_NEW = {
    "renamed_column": ("removed", "added"),
    "gap_changed": ("gap_closed", "gap_opened"),
}


def _named_otherwise(book, made, every):
    """One at a time: of several that say the same nobody knows which is which."""
    renamed = 0
    for name, wanted in renames(book, made, every):
        told = after_cells(made, {name: f"{made.texts[name]}_X9"})
        found = Counter((d.change, d.source.place, d.table) for d in told.differences)
        apart = Counter()
        for (change, place, table), times in wanted.items():
            apart += {(one, place, table): times for one in _GONE_AND_NEW[change]}
        assert found in (wanted, apart)
        renamed += found == wanted
    assert renamed > 0


# Lists on other sheets, validations, comments -----------------------------------------------------


def at(told):
    return sorted((d.change, d.side, d.source.place) for d in told.differences)


def test_a_list_of_another_sheet(shared, converted):
    """All fields that say the name of the list, and no other."""
    (book,) = [b for b in BOOKS if b.file.startswith("07_cdisc_p21")]
    made = converted(book)
    value = next(p for p, t in made.texts.items() if p.startswith("Codelists!") and t == "MODERATE")
    users = [p for p, t in made.texts.items() if p.startswith("Variables!J") and t == "SEV"]
    told = at(after_cells(made, {value: "MEDIUM"}))
    assert told == [("changed", "source", place) for place in sorted(users)]


@pytest.fixture(scope="module")
def antibodies(shared, tmp_path_factory):
    file = shared / "corpus/spreadsheets/21_hubmap_antibodies.xlsx"
    return dictionary(tmp_path_factory.mktemp("antibodies") / "one", file, None)


def test_a_bound_of_a_validation(antibodies):
    with restored(antibodies.path):
        change_validation(
            antibodies.path, "Antibodies", "F2:F1001", lambda xml: xml.replace("2147483647", "5000")
        )
        told = drift(antibodies.config)
    found = {(d.change, d.side, d.source.place.partition(":")[0]) for d in told.differences}
    assert ("tightened", "source", "Antibodies!F2") in found
    assert {place for _, _, place in found} == {"Antibodies!F2"}


def test_a_validation_that_allows_anything(antibodies):
    with restored(antibodies.path):
        change_validation(
            antibodies.path,
            "Antibodies",
            "F2:F1001",
            lambda xml: re.sub(r'type="whole"', 'type="none"', xml),
        )
        told = drift(antibodies.config)
    assert {d.columns for d in told.differences} == {("dilution_factor",)}
    assert {d.side for d in told.differences} == {"source"}
    assert any(d.change == "removed" for d in told.differences)


def test_the_list_of_a_validation(antibodies):
    """It is on another sheet, which is the list alone."""
    told = after_cells(antibodies, {"antibody_concentration_unit!A1": "mg/ml"})
    assert [(d.change, d.side, d.columns) for d in told.differences] == [
        ("changed", "source", ("antibody_concentration_unit",))
    ]


def test_a_comment_that_requires_a_field(antibodies):
    part = next(name for name in names(antibodies.path) if "comments" in name)
    with restored(antibodies.path):
        edit_part(antibodies.path, part, lambda xml: xml.replace("(Required) Gene", "Gene", 1))
        told = drift(antibodies.config)
    assert ("removed", "source", ("hgnc_symbol",)) in {
        (d.change, d.side, d.columns) for d in told.differences
    }
    assert {d.columns for d in told.differences} == {("hgnc_symbol",)}


def test_a_validation_of_an_extension_list(shared, tmp_path):
    """It is for whoever fills in the template, and no rule: openpyxl would lose it."""
    file = shared / "corpus/spreadsheets/39_360giving_prep_template.xlsx"
    made = dictionary(tmp_path / "one", file, "39_360giving.toml")
    (one,) = [v for v in validations(made.path, "codelist_mapping") if v.areas == "B3:B53"]
    assert one.extended
    change_validation(
        made.path, "codelist_mapping", "B3:B53", lambda xml: xml.replace("$A$14", "$A$12")
    )
    assert short(drift(made.config)) == []


def main(folder: str, *wanted: str) -> None:
    """Prints how many cells were changed, and how many changes were told right."""
    shared = Path(__file__).resolve().parents[3] / "shared"
    total = right = 0
    for book in BOOKS:
        if wanted and not any(name in book.file for name in wanted):
            continue
        made = dictionary(Path(folder) / book.id, _file(shared, book), book.profile)
        cells = list(changes(book, made, 0))
        found = wrong(book, made, 0)
        amiss = {line.partition(" told: ")[2] or line for line in found}
        counts = Counter(one.way.change for one in cells)
        total, right = total + len(cells), right + len(cells) - len(amiss)
        told = ", ".join(f"{n} {change}" for change, n in sorted(counts.items()))
        print(f"{book.id}: {len(cells)} cells changed, {len(amiss)} told wrong ({told})")  # noqa: T201
        for line in found[:10]:
            print("   ", line[:400])  # noqa: T201
    print(f"{right} of {total} told right")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
