"""Two cells of one workbook that contradict each other: one question, and either of them holds."""

import pytest
from filled_books import answered, choices
from spreadsheet_project import xlsx
from told_facts import convert

BY = "by Ann Smith"
OF_ONE_ROW = xlsx(("Column", "Required", "Nullable"), ("a", "yes", "yes"), name="orders")
OF_TWO_ROWS = xlsx(("Column", "Required"), ("a", "yes"), ("a", "no"), ("a", "no"), name="orders")
CROSSED = xlsx(("Column", "Type", "Min", "Max"), ("a", "int", "9", "5"), name="orders")
DIGITS = xlsx(("Column", "Type", "Precision"), ("a", "decimal(9,2)", "12"), name="orders")
MEND = ("mend one of the two cells", "write the rule here", "leave it out")


def opposed(done):
    return [q for q in done.ledger.questions if q.code == "contradiction"]


@pytest.mark.parametrize(
    ("book", "cells", "offered"),
    [
        (OF_ONE_ROW, "B2 C2", ["a has a value, as orders!B2", "a may be empty, as orders!C2"]),
        (OF_TWO_ROWS, "B2 B3 B4", [
            "a has a value, as orders!B2", "a may be empty, as orders!B3",
            "a may be empty, as orders!B4",
        ]),
        (CROSSED, "C2 D2", ["a is at least 9, as orders!C2", "a is at most 5, as orders!D2"]),
        (DIGITS, "B2 C2", [
            "a is a decimal number of at most 9 digits, 2 digits after the point, as orders!B2",
            "a is a decimal number of at most 12 digits, as orders!C2",
        ]),
    ],
)  # fmt: skip
def test_it_is_asked_once_and_names_both(tmp_path, book, cells, offered):
    (asked,) = opposed(convert(tmp_path, {"d.xlsx": book}))
    assert all(f"orders!{cell} says" in asked.question for cell in cells.split())
    assert len(asked.entries) == len(cells.split())
    found = choices(asked)
    assert tuple(found) == (*(f"{label} says" for label in offered), *MEND)
    for label in tuple(found)[: -len(MEND)]:
        assert found[label][0] == ("waive" if "may be empty" in label else "value")


@pytest.mark.parametrize(
    ("book", "choice", "words"),
    [
        (OF_ONE_ROW, "a has a value, as orders!B2 says", ["a IS NOT NULL"]),
        (OF_ONE_ROW, "a may be empty, as orders!C2 says", []),
        (OF_TWO_ROWS, "A has a value, as orders!B2 says", ["a IS NOT NULL"]),
        (CROSSED, "a is at least 9, as orders!C2 says", [">= 9"]),
        (CROSSED, "a BETWEEN 5 AND 9", ["BETWEEN 5 AND 9"]),
    ],
)
def test_the_cell_that_a_person_chose_holds(tmp_path, book, choice, words):
    def answer(done):
        return {asked.id: choice for asked in opposed(done)}

    before, after = answered(tmp_path, {"d.xlsx": book}, answer)
    assert not opposed(after)
    assert not after.notices
    both = opposed(before)[0].entries
    of_both = [entry for entry in after.ledger.entries if entry.id in both]
    conditions = [e.condition for e in of_both if e.outcome == "record"]
    assert len(conditions) == len(words)
    assert all(word in found for word, found in zip(words, conditions, strict=True))
    assert {e.outcome for e in of_both} <= {"record", "merged", "waived"}
    assert all(e.decided for e in of_both)


def test_pairs_of_cells_are_asked_about_apart(tmp_path):
    rows = [("a", "yes", "yes"), ("b", "no", "no"), ("c", "yes", "no")]
    book = xlsx(("Column", "Required", "Nullable"), *rows, name="orders")
    asked = opposed(convert(tmp_path, {"d.xlsx": book}))
    assert sorted(len(one.entries) for one in asked) == [2, 2]
    assert len({one.id for one in asked}) == 2


def test_what_other_cells_add_to_is_no_proposal(tmp_path):
    """A condition that left out when a value is required would check other records as well."""
    rows = ("Column", "Required", "Nullable", "Branching logic"), ("a", "yes", "yes", "[b] = '1'")
    done = convert(tmp_path, {"d.xlsx": xlsx(*rows, ("b", "no", "yes", None), name="orders")})
    for asked in opposed(done):
        assert not [p for p in asked.proposals if p.does == "value"]


def test_one_cell_that_contradicts_itself_is_asked_as_before(tmp_path):
    rows = ("Column", "Business rule"), ("a", "Required. May be left blank.")
    (asked,) = opposed(convert(tmp_path, {"d.xlsx": xlsx(*rows, name="orders")}))
    assert "Which of them" not in asked.question
    assert tuple(choices(asked)) == MEND
