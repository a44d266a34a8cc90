"""What holds of the layout of any sheet."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from sheet_books import classes_of, known, sheet

from ruleferry.converters.readers.spreadsheet.blocks import Layout
from ruleferry.converters.readers.spreadsheet.cells import Area, Book, Marks, Sheet, Validation
from ruleferry.converters.readers.spreadsheet.layout.sheets import layout_of, layouts
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import SheetSettings

HEADERS = ["Field", "Type", "Required", "Table", "Code", "Meaning", "Rule", "Severity", "Min"]
WORDS = ["id", "int", "Yes", "No", "a b c", "1", "# x", "====", "End of worksheet", "Table:", "x y"]
VALUES = st.one_of(
    st.sampled_from(HEADERS),
    st.sampled_from(WORDS),
    st.none(),
    st.none(),
    st.just(" "),
    st.integers(0, 9),
    st.booleans(),
)
ROWS = st.one_of(
    st.just([]),
    st.lists(VALUES, max_size=8),
    st.just(["Field", "Type", "Required", "Notes"]),
    st.just(["Table", "Field", "Type", "Rule"]),
    st.just([None, "Field", "Type", None, "Code", "Meaning"]),
)
AREAS = st.builds(
    lambda top, left, height, width: Area(top, left, top + height, left + width),
    *[st.integers(0, 8), st.integers(0, 6), st.integers(0, 4), st.integers(0, 4)],
)
PLACES = st.tuples(st.integers(0, 12), st.integers(0, 8))
MARKS = st.builds(
    Marks,
    merged=st.lists(AREAS, max_size=3).map(tuple),
    comments=st.dictionaries(PLACES, st.just("a remark"), max_size=2),
    errors=st.dictionaries(PLACES, st.just("#REF!"), max_size=2),
    uncached=st.frozensets(PLACES, max_size=2),
    hidden_rows=st.frozensets(st.integers(0, 14), max_size=3),
    struck=st.frozensets(PLACES, max_size=2),
    validations=st.lists(
        st.builds(lambda area: Validation("list", (area,)), AREAS), max_size=2
    ).map(tuple),
)
NAMES = st.sampled_from(["", "orders", "Fields", "Codes", "mapping", "Notes", "Fields (2)", "Old"])
SHEETS = st.builds(
    lambda name, rows, marks, hidden: Sheet(name, rows, hidden, marks),
    *[NAMES, st.lists(ROWS, max_size=14), MARKS, st.booleans()],
)
KINDS = st.sampled_from(
    [None, "dictionary", "rule list", "code list", "mapping", "template", "readme", "copy", "other"]
)
SETTINGS = st.builds(
    SheetSettings,
    header_row=st.none() | st.integers(-1, 12),
    last_column=st.none() | st.sampled_from(["A", "c", "AA"]),
    transposed=st.none() | st.booleans(),
    kind=KINDS,
    table=st.none() | st.sampled_from(["x", "B1"]),
    continuation=st.sampled_from([None, "blank-name", "none"]),
    first_row=st.none() | st.integers(0, 12),
    last_row=st.none() | st.integers(-1, 12),
    skip_hidden_rows=st.booleans(),
)


def holds(made: Sheet, layout: Layout) -> None:
    classes = classes_of(layout)
    assert set(classes) == set(made.filled())
    skipped = sum(kind == "skipped" for kind in classes.values())
    banners = sum(s.cells for s in layout.skipped if s.reason == "a heading among the records")
    assert sum(s.cells for s in layout.skipped) == skipped + banners
    assert layout.why
    for block in layout.blocks:
        assert block.headers
        assert {header.cell.row for header in block.headers} or block.transposed
        assert all(set(record.cells) for record in block.records)


@settings(max_examples=400, deadline=None)
@given(SHEETS, st.none() | SETTINGS)
@example(sheet("Field|Type\nid|int\n"), None)
def test_each_filled_cell_stands_in_one_place(made, given_settings):
    holds(made, layout_of(made, known, given_settings))


LINES = [["Field", "Type", "Notes"], ["a", "int", "one"], [None, None, "two"], ["b", "int"]]


@settings(max_examples=400, deadline=None)
@given(SHEETS, st.none() | SETTINGS)
@example(Sheet("orders", LINES), SheetSettings(continuation="blank-name"))
@example(Sheet("orders", LINES), SheetSettings(last_column="B"))
@example(Sheet("orders", [*LINES[:2], ["b"]], marks=Marks(uncached=frozenset({(2, 1)}))), None)
def test_a_cell_of_a_record_is_the_same_alone_and_among_the_others(made, given_settings):
    one, other = (layout_of(made, known, given_settings) for _ in range(2))
    for block, twin in zip(one.blocks, other.blocks, strict=True):
        for record, its in zip(block.records, twin.records, strict=True):
            alone = {index: its.cells.get(index) for index in range(30)}
            assert {k: cells for k, cells in alone.items() if cells} == dict(record.cells)


@settings(max_examples=150, deadline=None)
@given(st.lists(SHEETS, max_size=4))
def test_so_it_is_in_a_workbook(sheets):
    found = layouts(Book("a.xlsx", "xlsx", tuple(sheets)), known)
    assert [layout.sheet for layout in found] == [made.name for made in sheets]
    for made, layout in zip(sheets, found, strict=True):
        holds(made, layout)


NAMED = st.lists(
    st.from_regex(r"[a-z]{3,8}_[0-9]", fullmatch=True), min_size=1, max_size=12, unique=True
)


@settings(max_examples=200, deadline=None)
@given(NAMED, st.integers(0, 25), st.integers(0, 3), st.integers(0, 1))
def test_a_field_is_a_record_wherever_its_table_stands(names, above, left, gap):
    """Titles above, empty columns before, an empty row under the header: the same records."""
    rows = [["A title"] for _ in range(above)]
    rows += [[*[None] * left, "Field", "Type", "Required"], *[[]] * gap]
    rows += [[*[None] * left, name, "int", "Y"] for name in names]
    (block,) = layout_of(Sheet("orders", rows), known).blocks
    assert [record.first(left).text for record in block.records] == names
    assert block.table == "orders"


@settings(max_examples=100, deadline=None)
@given(NAMED.filter(lambda names: len(names) > 1))
def test_a_sheet_says_the_same_when_it_is_turned(names):
    rows = [["Field", "Type", "Required", "Description"]]
    rows += [[name, "int", "Y", "what it is"] for name in names]
    turned = [list(column) for column in zip(*rows, strict=True)]
    upright = layout_of(Sheet("x", rows), known).blocks[0]
    across = layout_of(Sheet("x", turned), known).blocks[0]
    assert across.transposed
    assert not upright.transposed
    texts = [
        [[r.first(h.index).text for h in b.headers] for r in b.records] for b in (upright, across)
    ]
    assert texts[0] == texts[1]
