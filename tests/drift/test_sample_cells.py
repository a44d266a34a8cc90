"""Each cell of the sample's dictionary that bears a rule, changed alone: read and judged by hand.

`python test_sample_cells.py DIR` prints how many changes were told right.
"""

import sys
from collections import Counter
from pathlib import Path

import pytest
from trial import after_cells, after_text, drift, sample

DICTIONARY, SUITE, SCRIPT = "dictionary.xlsx", "suites/orders.json", "checks/nightly.sql"


def told(change, level, place, file=DICTIONARY):
    return change, level, file, place


def removed(place):
    return told("removed", "removed", place)


def stays(change, place):
    """The suite or the script states the rule, too."""
    return told(change, "any", place)


# Where the dictionary no longer says what the suite says, there are two rules of one name: both get
# an ending, so that the action which ruleferry.toml gives to that name is neither's.
def _parted(suite, place):
    """The suite still says what both said: a rule is new beside it, and takes away the name."""
    return (told("added", "any", place), told("action_changed", "loosened", suite, SUITE))


# Place in the sheet Fields, new text, what must be told.
CELLS = (
    ("D4", "", [removed("D4")]),
    # H4 is a least number: of what is no number it can't be carried over either.
    ("D4", "DATE", [told("gap_opened", "removed", "D4"), told("gap_opened", "removed", "H4")]),
    ("D6", "CHAR(2)", [told("loosened", "loosened", "D6")]),
    ("D6", "", [removed("D6")]),
    ("D7", "DECIMAL(12,2)", [told("changed", "changed", "D7")]),
    ("D7", "INT", [told("changed", "changed", "D7")]),
    ("D8", "TIMESTAMP", [told("gap_opened", "removed", "D8")]),  # the schema says: a day
    ("D9", "VARCHAR(14)", [told("tightened", "changed", "D9")]),
    ("D9", "VARCHAR(16)", [told("loosened", "loosened", "D9")]),
    # E10 states a length, too: of two rules of one name the endings differ.
    ("D10", "VARCHAR(20)", [told("added", "any", "D10"), told("name_changed", "any", "E10")]),
    ("D11", "BIGINT", []),  # whole numbers either way
    ("D12", "VARCHAR(80)", [told("loosened", "loosened", "D12")]),
    ("D12", "VARCHAR(5)", [told("tightened", "changed", "D12")]),
    ("D13", "CHAR(4)", []),  # retired
    ("E10", "16", [told("loosened", "loosened", "E10")]),
    ("E10", "14", [told("tightened", "changed", "E10")]),
    ("E10", "", [removed("E10")]),
    ("F4", "No", [stays("removed", "F4")]),
    ("F5", "No", [removed("F5")]),
    ("F6", "", [removed("F6")]),
    ("F7", "N", [removed("F7")]),
    ("F8", "No", [stays("removed", "F8")]),
    ("F9", "Yes", [told("added", "any", "F9")]),
    ("F10", "Y", [told("added", "any", "F10")]),
    ("F11", "TRUE", [told("added", "any", "F11")]),
    ("F12", "Yes", [told("gap_closed", "any", "F12")]),
    ("F12", "No", [told("gap_closed", "any", "F12")]),
    ("F13", "No", []),  # retired
    ("G4", "No", [stays("removed", "G4"), stays("removed", "G4")]),  # unique, and never missing
    # Two keys are one key of two columns. Each is never missing, which F5 says, too.
    ("G5", "Yes", [told("added", "any", "G5"), stays("added", "G5"), stays("removed", "G4")]),
    ("H4", "2", [told("tightened", "changed", "H4")]),
    ("H4", "0", [told("loosened", "loosened", "H4")]),
    ("H4", "", [removed("H4")]),
    ("H8", "1990-01-01", [told("loosened", "loosened", "H8")]),
    ("H8", "1993-01-01", [told("tightened", "changed", "H8")]),
    ("H11", "1", [told("tightened", "changed", "H11")]),
    ("H11", "", [told("loosened", "loosened", "I11")]),  # the other bound alone
    ("I11", "10", [told("loosened", "loosened", "I11")]),
    ("I11", "8", [told("tightened", "changed", "I11")]),
    ("I11", "", [told("loosened", "loosened", "I11")]),
    ("J6", "F = finished; O = open", _parted("expectations[2]", "J6")),
    (
        "J6",
        "F = finished; O = open; P = in part; X = cancelled",
        _parted("expectations[2]", "J6"),
    ),
    ("J6", "", [stays("removed", "J6")]),
    ("J9", "", [stays("removed", "J9")]),
    ("J9", "See elsewhere", [stays("gap_opened", "J9")]),
    ("J13", "", []),  # retired
    ("K5", "people.c_custkey", [told("lookup_changed", "changed", "K5")]),
    ("K5", "customers_ref.id", [told("gap_opened", "removed", "K5")]),  # the schema has none
    ("K5", "", [removed("K5")]),
    ("L7", "must be greater than 1", _parted("expectations[1]", "L7")),
    (
        "L7",
        "must be greater or equal to 0",
        _parted("expectations[1]", "L7"),
    ),
    ("L7", "is fine", [stays("gap_opened", "L7")]),
    ("L8", "is fine", [stays("gap_opened", "L8")]),
    ("L10", 'must start with "Agent#"', [told("changed", "changed", "L10")]),
    ("L10", "is fine", [told("gap_opened", "removed", "L10")]),
    ("L12", "must not be empty", [told("gap_closed", "any", "L12")]),
    ("L12", "as agreed with the supplier", [told("gap_changed", "any", "L12")]),
    ("L12", "", [told("gap_closed", "any", "L12")]),
    ("M5", "Retired", [removed("D5"), removed("F5"), removed("K5")]),
    # The schema that the sample has knows neither such columns nor such a table.
    ("M13", "Active", [told("gap_opened", "any", place) for place in ("D13", "F13", "J13")]),
    ("B5", "o_customer", [told("gap_opened", "removed", place) for place in ("D5", "F5", "K5")]),
    (
        "A5",
        "orders_old",
        [told(*what, place) for place in ("D5", "F5", "K5")
         for what in (("removed", "removed"), ("added", "any"))],
    ),
    ("C5", "someone", []),
    ("N5", "someone", []),
)  # fmt: skip

# A word that nobody knows is a question of its own, and no doubt about the whole column.
UNKNOWN = (
    ("F6", "maybe", [told("gap_opened", "removed", "F6")]),
    ("F12", "see the appendix", [told("gap_changed", "any", "F12")]),
    ("H4", "one or so", [told("gap_opened", "removed", "H4")]),
)

# A file, a text that stands in it once, another one, what must be told.
TEXTS = (
    (SUITE, '"min_value": 0.0', '"min_value": 1.0', [
        told("added", "any", "expectations[1]", SUITE),
        told("action_changed", "loosened", "L7"),
    ]),
    (SCRIPT, "o_totalprice > 10000000", "o_totalprice > 20000000", [
        told("loosened", "loosened", "line 25", SCRIPT),
    ]),
    (SCRIPT, "o_totalprice > 10000000", "o_totalprice > 5000000", [
        told("tightened", "changed", "line 25", SCRIPT),
    ]),
    (SCRIPT, "coalesce(o_totalprice, 0) = 0", "coalesce(o_totalprice, 0) <= 0", [
        told("tightened", "changed", "line 14, branch 3", SCRIPT),
    ]),
    (SCRIPT, "RAISE EXCEPTION 'ORD-09", "RAISE WARNING 'ORD-09", [
        told("action_changed", "loosened", "line 25", SCRIPT),
    ]),
)  # fmt: skip


def found(told_now):
    assert {one.side for one in told_now.differences} <= {"source"}
    return Counter(
        (one.change, one.level, one.source.file, one.source.place.removeprefix("Fields!"))
        for one in told_now.differences
    )


@pytest.mark.parametrize(("at", "text", "wanted"), CELLS, ids=lambda v: str(v)[:20])
def test_one_cell(at, text, wanted, orders):
    assert found(after_cells(orders, {f"Fields!{at}": text})) == Counter(wanted)


@pytest.mark.parametrize(("at", "text", "wanted"), UNKNOWN, ids=lambda v: str(v)[:20])
def test_a_word_that_nobody_knows(at, text, wanted, orders):
    """Without a profile it casts doubt on its whole column, and on what is read with it."""
    told = found(after_cells(orders, {f"Fields!{at}": text}))
    assert set(wanted) <= set(told)
    beside = {(change, cell[0]) for change, _, _, cell in set(told) - set(wanted)}
    doubted = {("gap_opened", at[0]), ("gap_changed", at[0]), ("loosened", "I")}
    assert beside <= doubted


@pytest.mark.parametrize(("file", "old", "new", "wanted"), TEXTS, ids=lambda v: str(v)[:30])
def test_a_suite_and_a_script(file, old, new, wanted, orders):
    assert found(after_text(orders, orders.config.root / file, old, new)) == Counter(wanted)


def test_a_check_of_another_column_is_no_renamed_column(orders):
    """The dictionary has both columns still: one is checked less, and one more."""
    path = orders.config.root / SUITE
    now = found(after_text(orders, path, '"o_orderdate"', '"o_clerk"'))
    assert not any(change == "renamed_column" for change, *_ in now)


def test_a_list_on_another_sheet(orders):
    """The cell says where the list is: what changed is the list."""
    now = after_cells(orders, {"Priorities!A3": "2-HIGHEST"})
    added = told("added", "any", "J9")
    named = told("name_changed", "any", "expectations[5]", SUITE)
    assert found(now) == Counter([added, named])


def test_nothing_was_changed(orders):
    assert drift(orders.config).differences == ()


def main(folder: str) -> None:
    made = sample(Path(folder) / "one")
    right = 0
    for at, text, wanted in CELLS:
        now = found(after_cells(made, {f"Fields!{at}": text}))
        right += now == Counter(wanted)
        if now != Counter(wanted):
            print(at, repr(text), "wanted", wanted, "told", sorted(now.elements()))  # noqa: T201
    cells = len({at for at, *_ in CELLS})
    print(f"{right} of {len(CELLS)} changes of {cells} cells told right")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
