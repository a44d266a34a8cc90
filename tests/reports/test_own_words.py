"""A rule that stands in several cells is told in the words of all of them."""

from dataclasses import replace

import openpyxl
import pytest
from suites import convert

from ruleferry.converters.reports.explain import story
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.reports.own_words import own_words
from ruleferry.converters.reports.rendering import rendered
from ruleferry.converters.reports.report import report

HEADERS = ["Table", "Column", "Data type", "Primary key", "Minimum", "Maximum", "Allowed values"]
ROWS = [
    ["t", "age", "INT", None, 0, 9, None],
    ["t", "low", "INT", None, 3, None, None],
    ["t", "a", "INT", "Yes", None, None, None],
    ["t", "b", "INT", "Yes", None, None, None],
]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    book = openpyxl.Workbook()
    book.active.title = "Fields"
    for row in (["Our fields"], [], HEADERS, *ROWS):
        book.active.append(row)
    book.save(folder / "d.xlsx")
    convert(folder, "d.xlsx")
    return open_ledger(folder / "expectations/ledger.json", "ledger.json")


def texts(ledger) -> dict[str, str]:
    return {rule.entry.name: rule.text for rule in report(ledger).rules}


def test_both_bounds_are_told_behind_their_headers(ledger):
    assert texts(ledger)["age_range"] == "Minimum: 0\nMaximum: 9"


def test_a_rule_of_one_cell_is_its_text(ledger):
    assert texts(ledger)["low_range"] == "3"
    assert texts(ledger)["age_type"] == "INT"


def test_cells_below_one_header_are_told_apart(ledger):
    assert texts(ledger)["a_b_unique"] == "Fields!D6: Yes\nFields!D7: Yes"
    assert texts(ledger)["a_present"] == "Yes"  # the other rule of that cell


def test_without_the_headers_the_cells_are_named(ledger):
    """A ledger of an earlier version, or one that lost its source."""
    without = own_words(replace(ledger, sources=()))
    assert "Fields!E4: 0\nFields!F4: 9" in without.values()


def test_explain_tells_them_too(ledger):
    (entry,) = (e for e in ledger.entries if e.name == "age_range")
    told = " ".join(" ".join(story(ledger, entry)).split())
    assert "the text Minimum: 0 Maximum: 9" in told


def test_the_questions_sheet_shows_both(ledger, tmp_path):
    (tmp_path / "r.xlsx").write_bytes(rendered(ledger, kinds=("xlsx",))["gap_report.xlsx"])
    sheet = openpyxl.load_workbook(tmp_path / "r.xlsx")["Questions"]
    assert "Minimum: 0\nMaximum: 9" in [cell.value for row in sheet for cell in row]
