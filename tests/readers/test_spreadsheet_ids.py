"""What holds whatever the rows and columns of a dictionary: ids, names, conditions, the books."""

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_workbooks import saved
from spreadsheet_project import book_of, convert, csv_of, source, xlsx

from ruleferry.converters.reports.books import imbalances

HEADER = (
    "Table", "Field", "Label", "Type", "Required", "Primary key", "Minimum", "Maximum",
    "Allowed values", "Validation rule", "Status",
)  # fmt: skip
ROWS = (
    ("orders", "id", "Id", "int", "Y", "Y", 1, 99, "", "", "Active"),
    ("orders", "line", "Line", "int", "Y", "Y", "", "", "", "", "Active"),
    ("orders", "a", "A state", "text", "N", "", "", "", "A; B", "", "Active"),
    ("orders", "begun", "Begun", "date", "Y", "", "", "", "", "", "Active"),
    ("orders", "ended", "Ended", "date", "N", "", "", "", "", "must be after begun", "Active"),
    ("orders", "note", "Note", "text", "N", "", "", "", "", "bla bla", "Draft"),
    ("customers", "id", "Id", "int", "Y", "Y", 1, "", "", "", "Retired"),
)


def became(entry):
    """Of two that say the same the first in the sheet stays."""
    return "record" if entry.outcome == "merged" else entry.outcome


WHOLE = xlsx(HEADER, *ROWS)


def rules(rows, header=HEADER, **sheets):
    """{id: (table, name, columns, condition, outcome)} of a dictionary."""
    with tempfile.TemporaryDirectory() as folder:
        done = convert(Path(folder), {"d.xlsx": xlsx(header, *rows, **sheets)})
    return {
        e.id: (e.table, e.name, set(e.columns), e.condition, became(e), e.gap and e.gap.code)
        for e in done.ledger.entries
    }


BEFORE = rules(ROWS)


def changed(row, column, value):
    """The ids that another value in one cell adds and takes away, and the rest that it changes."""
    rows = [list(found) for found in ROWS]
    rows[row][HEADER.index(column)] = value
    after = rules(rows)
    same = BEFORE.keys() & after.keys()
    return {k for k in same if BEFORE[k] != after[k]}, BEFORE.keys() ^ after.keys()


@pytest.mark.parametrize(
    ("row", "column", "value", "kinds"),
    [
        (0, "Label", "Number", 0),
        (0, "Maximum", 100, 1),  # the range says something else, and keeps its id
        (2, "Allowed values", "A; C", 1),
        (3, "Required", "N", 1),
    ],
)
def test_another_cell_of_the_row_changes_no_rule_but_its_own(row, column, value, kinds):
    other, _ = changed(row, column, value)
    assert len(other) <= kinds
    kept = {k: v[1] for k, v in BEFORE.items() if k not in other}
    rows = [list(found) for found in ROWS]
    rows[row][HEADER.index(column)] = value
    after = rules(rows)
    gone = kept.keys() - after.keys()
    assert len(gone) <= kinds
    assert {k: after[k][1] for k in kept.keys() - gone} == {k: kept[k] for k in kept.keys() - gone}


def shuffled(seed):
    random = Random(seed)
    order = random.sample(range(len(HEADER)), len(HEADER))
    rows = random.sample(ROWS, len(ROWS))
    return [[row[n] for n in order] for row in rows], [HEADER[n] for n in order]


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_order_of_rows_and_columns_tells_nothing(seed):
    assert rules(*shuffled(seed)) == BEFORE


def test_a_new_column_and_a_new_row_change_nothing():
    rows = [(*row, f"note {n}") for n, row in enumerate(ROWS)]
    assert rules(rows, (*HEADER, "Description")) == BEFORE
    new = ("orders", "new", "New", "int", "Y", "", "", "", "", "", "Active")
    assert BEFORE.items() <= rules([*ROWS, new]).items()


def test_titles_and_other_sheets_change_nothing():
    with tempfile.TemporaryDirectory() as folder:
        rows = [("Our orders",), (), HEADER, *ROWS]
        content = saved(book_of({"README": [("Read me first",)], "Fields": rows}))
        done = convert(Path(folder), {"d.xlsx": content})
    assert {e.id: e.name for e in done.ledger.entries} == {k: v[1] for k, v in BEFORE.items()}


# Any small table ----------------------------------------------------------------------------------

HEADERS = st.sampled_from(
    [*HEADER, "Rule", "Length", "Nullable", "Format", "Name", "Code", "Notes", "", "Foreign key",
     "Reference", "Unique", "Default", "Skip Logic", "Threshold", "Type"]
)  # fmt: skip
CELLS = st.one_of(
    st.sampled_from(
        ["", "", "Y", "N", "id", "a", "orders", "orders; customers", "int", "varchar(3)", "date",
         "decimal(5,2)", "A; B", "1=One, 2=Two", "0-100", ">= 5", "must be after begun", "NULL",
         "e.g. x", "TBD", "[id] = '2'", "see list", "^[A-Z]+$", "${x}", "95%", "yyyy-mm-dd",
         "=1+1", "orders.id", "N/A", "1..n"]
    ),
    st.integers(-5, 10**12).map(str),
    st.text(max_size=12),
)  # fmt: skip
TABLES = st.tuples(
    st.lists(HEADERS, min_size=1, max_size=7), st.lists(st.lists(CELLS, max_size=7), max_size=6)
)
ILLEGAL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])


def spelt(rows):
    """Without what no workbook can hold."""
    return [[str(value).translate(ILLEGAL) for value in row] for row in rows]


def outputs(files, *given):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = convert(folder, files, *given)
        assert imbalances(done.ledger) == ()
        out = folder / "expectations"
        return done, {p.name: p.read_bytes() for p in sorted(out.iterdir())}


@given(TABLES, st.booleans())
@settings(max_examples=120, deadline=None)
def test_any_table_is_read_or_listed_and_gives_the_same_bytes_again(table, text):
    header, rows = table
    every = spelt([header, *rows])
    name, content = ("d.csv", csv_of(*every)) if text else ("d.xlsx", xlsx(*every))
    if not content.strip():
        return
    files = {f"in/{name}": content}
    done, first = outputs(files, "in")
    assert outputs(files, "in")[1] == first
    found = source(done, f"in/{name}")
    if found.read_as != "not read":
        filled = sum(bool(value.strip()) for row in every for value in row)
        assert sum(found.cells.values()) == filled


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_workbook_gives_a_message_or_a_reading(data):
    at = data.draw(st.integers(0, 4000)) % len(WHOLE)
    broken = WHOLE[:at] + bytes([data.draw(st.integers(0, 255))]) + WHOLE[at + 1 :]
    with tempfile.TemporaryDirectory() as folder:
        done = convert(Path(folder), {"in/d.xlsx": broken}, "in", partial=True)
        assert imbalances(done.ledger) == ()
