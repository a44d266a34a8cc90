"""A dictionary as a whole, from its cells to what stands in the module or is asked."""

import csv

import pytest
from spreadsheet_check import config_of, run


@pytest.fixture
def converted(tmp_path):
    """Rows of a CSV file -> its entries at each place; `profile`: the text of one."""

    def of(*rows, profile=None):
        with (tmp_path / "fields.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        if profile:
            (tmp_path / "fields.toml").write_text(profile, encoding="utf-8")
        config = config_of(tmp_path, "fields.csv", "fields.toml" if profile else None)
        return run(config)

    return of


def told(found, place):
    """The condition, or the code of the gap, or what became of it, of each entry of a place."""
    return [e.condition or (e.gap.code if e.gap else e.outcome) for e, _ in found.at(place)]


# Thresholds ---------------------------------------------------------------------------------------

BOUNDS = ("Table", "Field", "Min", "MinThreshold", "Max", "MaxThreshold")
KEYS = ("Table", "Field", "Is Foreign Key", "Is Foreign Key Threshold", "FK Table", "FK Field")
READING = """
[workbook]
file = "fields.csv"

[[sheets]]
match = ""

[sheets.columns]
table = "Table"
column = "Field"
{more}

[sheets.values.threshold]
"*" = "failing percent"
"""
OF_KEYS = 'foreign_key = "Is Foreign Key"\nreference_table = "FK Table"\n'
OF_KEYS += 'reference_column = "FK Field"\nthreshold = "Is Foreign Key Threshold"'
OF_BOUNDS = 'min = "Min"\nmax = "Max"\nthreshold = ["MinThreshold", "MaxThreshold"]'


def test_a_threshold_of_one_may_be_a_percentage(converted):
    found = converted(BOUNDS, ("t", "a", "0", "1", "", ""), ("t", "b", "0", "0.9", "", ""))
    assert told(found, "C2") == ["threshold_unsure"]
    assert [e.kind for e, _ in found.at("C3")] == ["share"]


def test_a_threshold_holds_for_the_cells_that_are_read_together(converted):
    row = ("t", "a_id", "Yes", "5", "a", "id")
    found = converted(KEYS, row, profile=READING.format(more=OF_KEYS))
    assert [e.kind for e, _ in found.at("E2")] == ["share"]
    assert told(converted(KEYS, row), "E2") == ["threshold_unsure"]


@pytest.mark.parametrize(("high", "kind"), [("5", "share"), ("6", "range")])
def test_cells_that_are_read_together_have_one_threshold(converted, high, kind):
    row = ("t", "a", "0", "5", "9", high)
    found = converted(BOUNDS, row, profile=READING.format(more=OF_BOUNDS))
    entry = next(e for e, _ in found.at("C2"))
    assert (entry.kind, entry.gap is None) == (kind, kind == "share")


# What a form shows --------------------------------------------------------------------------------

SHOWN = [
    "Must be shown on page if answer to a is 'Yes'",
    "• Must write it to the summary form\n• Displayed when a = 1",
    "This question is only asked of women.",
    "Hidden unless a is filled in",
]
NOT_SHOWN = [
    "An error message is shown if it is empty",
    "Must be shown on page",
    "Must be at least 5",
    "Help is displayed. If it is empty, continue",
]


@pytest.mark.parametrize(
    ("text", "said"),
    [(text, "condition_elsewhere") for text in SHOWN]
    + [(text, "b IS NOT NULL") for text in NOT_SHOWN],
)
def test_a_field_that_is_not_always_shown_is_not_always_required(converted, text, said):
    rows = (("t", "a", "Yes", ""), ("t", "b", "Yes", text))
    found = converted(("Table", "Field", "Required", "Validation Rule"), *rows)
    assert told(found, "C2") == ["a IS NOT NULL"]
    assert told(found, "C3") == [said]


# Rows without a name ------------------------------------------------------------------------------


def test_a_row_that_is_about_no_field_states_nothing_of_one(converted):
    named = [("t", name, "Yes", "") for name in "abcdefgh"]
    rows = (("t", "N/A", "Yes", "a must be 5"), ("t", "", "Yes", ""))
    found = converted(("Table", "Field", "Required", "Validation Rule"), *named, *rows)
    assert [told(found, f"C{row}") for row in (2, 10, 11)] == [
        ["a IS NOT NULL"],
        ["not_a_rule"],
        ["not_understood"],
    ]
    assert told(found, "D10") == ["not_understood"]
