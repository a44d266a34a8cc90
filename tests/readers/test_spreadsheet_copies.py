"""Sheets of a workbook in view of one another: copies, and templates of something else."""

import pytest
from sheet_books import classes_of, known, sheet

from ruleferry.converters.readers.spreadsheet.cells import Area, Book, Validation
from ruleferry.converters.readers.spreadsheet.layout.sheets import layouts
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import SheetSettings

ALL = "Table|Field|Type|Required\na|id|int|Y\na|name|text|N\nb|no|int|Y\n"
PART = "Table|Field|Type|Required\nb|no|int|Y\n"
OTHER = "Table|Field|Type|Required\nc|day|date|Y\n"
LOOSER = "Table|Field|Type|Required\nb|no|int|N\n"
FIELDS = "Field|Type|Required\nid|int|Y\nname|text|N\n"
WITHOUT = "Field|Type|Required\nid|int|N\nsize|int|N\n"


def kinds(*sheets, profile=None):
    made = [sheet(text, name) for name, text in sheets]
    found = layouts(Book("a.xlsx", "xlsx", tuple(made)), known, profile)
    for given, layout in zip(made, found, strict=True):
        assert set(classes_of(layout)) == set(given.filled())
    return [layout.kind for layout in found]


D, C = "dictionary", "copy"


@pytest.mark.parametrize(
    ("sheets", "expected"),
    [
        ([("All", ALL), ("Changed", PART)], [D, C]),
        ([("New", PART), ("All", ALL)], [C, D]),
        ([("Fields", ALL), ("Fields (2)", ALL)], [D, C]),
        ([("Copy of Fields", ALL), ("Fields", ALL)], [C, D]),
        ([("Fields", ALL), ("Fields-OLD", LOOSER)], [D, C]),
        ([("orders", FIELDS), ("orders_old", WITHOUT)], [D, C]),
        ([("Fields", ALL), ("demo", PART)], [D, C]),
        ([("Fields", ALL), ("Some", PART)], [D, C]),
        ([("One", ALL), ("Two", ALL)], [D, C]),
        ([("Fields", FIELDS), ("Variables", FIELDS)], [D, C]),
    ],
)
def test_copies(sheets, expected):
    assert kinds(*sheets) == expected


@pytest.mark.parametrize(
    "sheets",
    [
        [("All", ALL), ("New", OTHER)],  # what is new stands nowhere else
        [("All", ALL), ("Changed", LOOSER)],  # it contradicts: a person decides
        [("Fields-OLD", ALL)],
        [("Fields-OLD", ALL), ("Other", OTHER)],
        [("orders", FIELDS), ("invoices", FIELDS)],  # two tables that are alike
        [("orders", FIELDS), ("newsletter", FIELDS)],
        [("All", ALL), ("Some", LOOSER)],
        [("Fields", ALL), ("Fields (2)", OTHER)],
    ],
)
def test_no_copies(sheets):
    assert kinds(*sheets) == [D] * len(sheets)


def test_a_copy_is_told():
    made = Book("a.xlsx", "xlsx", (sheet(ALL, "All"), sheet(PART, "Changed")))
    copy = layouts(made, known)[1]
    assert copy.why == "all its rows stand in the sheet 'All'"
    assert [(s.place, s.reason, s.cells) for s in copy.skipped] == [("Changed", copy.why, 8)]


def test_two_copies_of_one_sheet():
    assert kinds(("All", ALL), ("Copy", ALL), ("All (2)", ALL)) == [D, C, C]


def test_of_two_marked_sheets_one_is_read():
    assert sorted(kinds(("All (2)", ALL), ("All (3)", ALL))) == [C, D]


def test_a_hidden_sheet_is_no_original():
    made = (sheet(ALL, "All", hidden=True), sheet(PART, "Changed"))
    found = layouts(Book("a.xlsx", "xlsx", made), known)
    assert [(layout.kind, bool(layout.blocks)) for layout in found] == [("other", False), (D, True)]


def test_what_the_profile_says_is_no_copy():
    settings = {"Changed": SheetSettings(kind="dictionary")}
    assert kinds(("All", ALL), ("Changed", PART), profile=settings.get) == [D, D]
    settings = {"Changed": SheetSettings(ignore=True)}
    assert kinds(("All", ALL), ("Changed", PART), profile=settings.get) == [D, "other"]


RULED = (Validation("list", (Area(1, 0, 99, 1),), formulas=('"a,b"',)),)


@pytest.mark.parametrize(
    ("names", "kind"),
    [("id|name", "template"), ("ID|other|Name", "template"), ("channel|tool", "other")],
)
def test_a_template_beside_a_dictionary(names, kind):
    made = (sheet(FIELDS, "Fields"), sheet(names, "Entry", validations=RULED))
    assert layouts(Book("a.xlsx", "xlsx", made), known)[1].kind == kind
    assert layouts(Book("a.xlsx", "xlsx", made[1:]), known)[0].kind == "template"
