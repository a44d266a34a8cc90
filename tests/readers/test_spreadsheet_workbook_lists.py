"""The code lists of a workbook, by the name that a dictionary gives them."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spreadsheet_books import area, block, book, layout, sheet

from ruleferry.converters.readers.spreadsheet.blocks import Layout
from ruleferry.converters.readers.spreadsheet.lists.workbook_lists import named_lists

MEANT = {
    "list_name": "list_name", "list name": "list_name", "ID": "list_name", "Name": "list_name",
    "Codelist": "list_name", "Category": "list_name", "Coded Value": "code", "name": "code",
    "Code": "code", "OED Code": "code", "Term": "code", "label": "code_label",
    "Decoded Value": "code_label", "Field": "column", "Description": "description",
}  # fmt: skip


def meaning_of(of):
    return {h.index: MEANT[h.text] for h in of.headers if h.text in MEANT}


def lists(*layouts, sheets=(), names=None):
    return named_lists(book(*sheets, names=names), layouts, meaning_of)


CHOICES = layout(
    "choices",
    (
        ("list_name", "name", "label"),
        ("yes_no", "yes", "Yes"),
        ("yes_no", "no", "No"),
        ("health", "alive", "Alive"),
        ("", "dead", "Dead"),
        ("zeros", "007", ""),
        ("zeros", 8, ""),
        ("zeros", "007", "again"),
    ),
)


def test_a_sheet_of_lists():
    find = lists(CHOICES)
    found = find("yes_no")
    assert (found.values, found.closed) == (("yes", "no"), True)
    assert found.place == "choices!B2:B3"
    assert found.labels == {"no": "No", "yes": "Yes"}
    assert find("health").values == ("alive", "dead")


def test_codes_keep_their_zeros():
    assert lists(CHOICES)("zeros").values == ("007", "8")


@pytest.mark.parametrize(
    "text",
    ["yes_no", "YES_NO", "Yes/No", "yes no list", "see yes_no", 'See the "Yes/No" tab.',
     "see code list yes_no", "refer to the yes_no sheet", "Please see the Yes No worksheet"],
)  # fmt: skip
def test_names_that_are_meant_for_a_list(text):
    assert lists(CHOICES)(text).values == ("yes", "no")


@pytest.mark.parametrize(
    "text",
    ["", " ", "-", "yes", "yes_no2", "choices", "label", "see", "see tab", "yes_no and health",
     "yes_no, health", "no", "x" * 300, "see " * 100],
)  # fmt: skip
def test_names_that_find_nothing(text):
    assert lists(CHOICES)(text) is None


def test_two_columns_may_name_a_list():
    find = lists(
        layout(
            "Codelists",
            (
                ("ID", "Name", "Term", "Decoded Value"),
                ("YN", "No Yes", "N", "No"),
                ("YN", "No Yes", "Y", "Yes"),
                ("NY", "Twice", "N", "No"),
                ("NX", "Twice", "X", "Other"),
            ),
        )
    )
    assert find("YN").values == find("No Yes").values == ("N", "Y")
    assert find("NY").values == ("N",)
    # The values of two lists together are none.
    assert find("Twice") is None


OPEN = {
    ("Extensible", "Yes"): False,
    ("Extensible", "No"): True,
    ("Extension?", "Y"): False,
    ("Extension?", ""): True,
    ("Lookup Status", "Open"): False,
    ("LookupStatus", "Closed"): True,
    ("LookupStatus", "Open with Enumerations"): False,
    ("LookupStatus", "unheard of"): False,
    ("Closed", "Yes"): True,
    ("Closed", "No"): False,
    ("Locked?", "y"): True,
    ("Remark", "open"): True,
}


@pytest.mark.parametrize("case", OPEN, ids=" ".join)
def test_a_list_that_others_may_be_added_to(case):
    header, word = case
    rows = (("list_name", "Coded Value", header), ("L", "a", word), ("L", "b", ""))
    assert lists(layout("Codes", rows))("L").closed is OPEN[case]


def test_a_sheet_that_is_a_list():
    find = lists(
        layout(
            "Peril Values",
            (("Code", "Description", "Country"), ("QEQ", "d", "AT"), ("QFF", "e", "BE")),
        ),
        layout("Colours", (("anything",), ("red",), ("green",))),
    )
    assert find("Peril Values").values == ("QEQ", "QFF")
    assert find("see Peril Values tab").values == ("QEQ", "QFF")
    assert find("colours").values == find("anything").values == ("red", "green")
    # A column that only describes the codes is no list.
    assert find("Country") is None
    assert find("Description") is None


def test_columns_that_are_lists():
    rows = (("Colour", "Size", "Empty"), ("red", "S", ""), ("green", "", ""), ("blue", "M", ""))
    find = lists(layout("Lists", rows))
    assert find("Colour").values == ("red", "green", "blue")
    assert find("Size").values == ("S", "M")
    assert find("Size").place == "Lists!B2:B4"
    assert find("Empty") is find("Lists") is None


def test_a_block_with_a_name_of_its_own():
    first = block("codelists", (("Title", "Code"), ("a", "1"), ("b", "2")), table="Reason")
    second = block("codelists", (("Title", "Code"), ("c", "3")), table="Purpose")
    find = lists(Layout("codelists", "code list", "", (first, second)))
    assert (find("Reason").values, find("Purpose").values) == (("1", "2"), ("3",))
    assert find("codelists") is None


def test_defined_names_and_tables():
    page = sheet(
        "L",
        ("h", "a"),
        ("x", "1"),
        ("y", "2"),
        tables={"Sole": area("A1:A3"), "Wide": area("A1:B3")},
    )
    names = {
        "Letters": "L!$A$2:$A$3",
        "Both": "L!$A$2:$B$3",
        "Gone": "#REF!",
        "Own": "L!$B$2:$B$3",
        "One": "L!$A$2",
    }
    find = lists(sheets=[page], names=names)
    assert find("Letters").values == find("Sole").values == ("x", "y")
    assert find("Letters").place == "L!A2:A3"
    assert find("Own").values == ("1", "2")
    assert find("Both") is find("Wide") is find("Gone") is find("One") is None


def test_a_name_of_two_lists_finds_none():
    one = layout("A", (("list_name", "Code"), ("L", "a"), ("M", "x")))
    other = layout("B", (("list_name", "Code"), ("l", "b"), ("m", "x")))
    find = lists(one, other)
    assert find("L") is None
    assert find("M").values == ("x",)


def test_one_list_twice_is_open_where_either_is():
    one = layout("A", (("list_name", "Code", "Extensible"), ("L", "a", "no")))
    other = layout("B", (("list_name", "Code", "Extensible"), ("L", "a", "yes")))
    assert lists(one, other)("L").closed is False


def named(of):
    """As the words of headers have it, where a name is a field's."""
    words = {
        "list name": "list_name",
        "name": "column",
        "ID": "column",
        "Name": "column",
        "Term": "code",
        "label": "label",
        "Category": "list_name",
        "Code": "code",
    }
    return {h.index: words[h.text] for h in of.headers if h.text in words}


def find_named(*rows, kind="code list"):
    return named_lists(book(), [layout("Lists", rows, kind)], named)


def test_a_name_beside_the_name_of_its_list_is_a_code():
    find = find_named(("list name", "name", "label"), ("yn", "yes", "Yes"), ("yn", "no", "No"))
    assert (find("yn").values, find("yn").labels) == (("yes", "no"), {"no": "No", "yes": "Yes"})
    # Another column may be the code.
    assert find_named(("Category", "OED Code", "Name"), ("Occ", 1000, "Unknown"))("Occ") is None
    # In a dictionary a name is a field's.
    assert find_named(("list name", "name"), ("yn", "yes"), kind="dictionary")("yn") is None


def test_names_beside_a_code_are_those_of_lists():
    rows = (("ID", "Name", "Term"), ("YN", "Yes", "Y"), ("YN", "Yes", "N"), ("S", "Sex", "F"))
    find = find_named(*rows)
    assert find("YN").values == find("Yes").values == ("Y", "N")
    assert find("S").values == ("F",)
    # A name for each code is its label.
    assert find_named(("Name", "Code"), ("Euro", "EUR"), ("Franc", "CHF"))("Euro") is None
    # One name here and there is none of a list.
    assert find_named(*rows, ("YN", "Yes", "U"))("YN") is None


def test_a_sheet_of_several_lists_is_none_of_its_own():
    assert find_named(("Term of what", "Code"), ("a", 0), ("a", 1), ("b", 2))("Lists") is None
    assert find_named(("Other", "Code"), ("a", 0), ("b", 0))("Lists") is None
    assert find_named(("Other", "Code"), ("a", 0), ("b", 1))("Lists").values == ("0", "1")


SPOILT = {
    "a day": {"rows": (("list_name", "Code"), ("L", "a"), ("L", date(2024, 1, 2)))},
    "an error": {
        "rows": (("list_name", "Code"), ("L", "a"), ("L", "b")),
        "marks": {"errors": {(2, 1): "#N/A"}},
    },
    "half struck": {
        "rows": (("list_name", "Code"), ("L", "a"), ("L", "b")),
        "marks": {"partly_struck": {(2, 1)}},
    },
    "two columns of codes": {"rows": (("list_name", "Code", "OED Code"), ("L", "a", "b"))},
    "a dictionary": {
        "rows": (("Field", "Codelist", "Code"), ("f", "L", "a")),
        "kind": "dictionary",
    },
    "a copy": {"rows": (("list_name", "Code"), ("L", "a")), "kind": "copy"},
}  # fmt: skip


@pytest.mark.parametrize("case", SPOILT)
def test_what_gives_no_list(case):
    given = dict(SPOILT[case])
    assert lists(layout("S", given.pop("rows"), **given))("L") is None


def test_a_code_that_is_struck_through_is_no_longer_one():
    rows = (("list_name", "Code"), ("L", "a"), ("L", "b"))
    assert lists(layout("S", rows, marks={"struck": {(2, 1)}}))("L").values == ("a",)
    assert lists(layout("S", rows, marks={"struck": {(1, 1), (2, 1)}}))("L") is None


CODES = st.text(alphabet="ab01 ", min_size=1, max_size=3)


@given(st.lists(st.tuples(st.sampled_from(["P", "Q", ""]), CODES), min_size=1, max_size=8))
@settings(max_examples=200, deadline=None)
def test_each_list_has_the_codes_of_its_rows(rows):
    find = lists(layout("S", (("list_name", "Code"), *rows)))
    wanted, name = {}, ""
    for stated, code in rows:
        name = stated or name
        if name and code.strip():
            wanted.setdefault(name, {})[code.strip()] = None
    for title in ("P", "Q"):
        found = find(title)
        assert (found.values if found else ()) == tuple(wanted.get(title, ()))
