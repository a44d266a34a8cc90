"""Texts of sources in a workbook: shown as they are, never a formula, never broken XML."""

import re
from io import BytesIO
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook
from workbooks import HOSTILE, hostile_ledger, opened, parts, rows, workbook

from ruleferry.converters.reports.workbook.cell_text import (
    MOST,
    cell_text,
    height,
    like_a_formula,
    xml_text,
)

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
TEXTS = st.text(st.characters(codec=None), max_size=60)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:24]))
def test_a_hostile_text_is_inert_in_every_field(text):
    data = workbook(hostile_ledger(text))
    for name, part in parts(data).items():
        root = fromstring(part)  # well-formed
        if name.startswith("xl/worksheets"):
            assert not root.findall(f".//{SPACE}f")
            assert {c.get("t") for c in root.iter(f"{SPACE}c")} <= {None, "s"}
    for sheet in opened(data):
        for line in sheet.iter_rows():
            for cell in line:
                assert cell.data_type in ("s", "n")
                assert cell.data_type == "s" or isinstance(cell.value, int | None)
                if isinstance(cell.value, str) and cell.value[:1] in "=+-@\t\r":
                    assert cell.quotePrefix
                    assert cell.number_format == "@"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:24]))
def test_it_is_shown_as_it_is(text):
    data = workbook(hostile_ledger(text))
    shown = cell_text(text)
    theirs = CalamineWorkbook.from_filelike(BytesIO(data)).get_sheet_by_name("Rules").to_python()
    column = theirs[0].index("Original text")
    assert shown in [row[column] for row in theirs]
    if "_x" not in text:  # openpyxl leaves an escape as it stands in the file
        assert shown in [row["text"].value for row in rows(data, "Rules")]


@pytest.mark.parametrize("text", ["plain", "a = 1", "12", "3-Jan"])
def test_a_harmless_text_is_not_marked(text):
    row = next(r for r in rows(workbook(hostile_ledger(text)), "Rules") if r["text"].value == text)
    assert not row["text"].quotePrefix
    assert row["text"].number_format == "General"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:24]))
def test_an_answer_that_is_picked_is_a_text(text):
    made = opened(workbook(hostile_ledger(text)))
    for line in made["Lists"].iter_rows():
        for cell in line:
            assert cell.data_type == "s"
            assert "\n" not in cell.value
            assert units(cell.value) <= MOST


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\r\nlines", "two\nlines"),
        ("two\rlines", "two\nlines"),
        ("two\u2028lines", "two\nlines"),
        ("a\tb", "a b"),
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("\x00\x1b", "⟨U+0000⟩⟨U+001B⟩"),
        ("\ufffe\uffff\ud800", "⟨U+FFFE⟩⟨U+FFFF⟩⟨U+D800⟩"),
        ("Größe ≤ 5 😀", "Größe ≤ 5 😀"),
    ],
)
def test_hidden_characters_are_spelt_out_and_lines_stay_lines(text, shown):
    assert cell_text(text) == shown


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("x" * MOST, None),
        ("😀" * (MOST // 2), None),
        ("x" * (MOST + 1), 28),
        ("x" * 40_000, 7_262),
        ("😀" * 20_000, 3_631),
    ],
)
def test_a_cell_that_is_full_says_how_much_is_missing(text, missing):
    shown = cell_text(text)
    assert units(shown) <= MOST
    if missing is None:
        assert shown == text
    else:
        kept, told = re.fullmatch(
            r"(.*) … \[([0-9,]+) more characters\]", shown, re.DOTALL
        ).groups()
        assert text.startswith(kept)
        assert int(told.replace(",", "")) == len(text) - len(kept)
        assert abs(int(told.replace(",", "")) - missing) <= 2


@given(TEXTS)
def test_any_text_fits_and_survives_the_file(text):
    shown = cell_text(text)
    assert units(shown) <= MOST
    assert cell_text(shown) == shown
    read = fromstring(f"<t>{xml_text(shown)}</t>").text or ""
    decoded = re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), read)
    assert decoded == shown


@given(TEXTS)
def test_what_a_person_may_edit_into_a_formula_is_marked(text):
    shown = cell_text(text)
    assert like_a_formula(shown) == bool(re.match(r"[=+\-@]", shown))


@pytest.mark.parametrize(
    ("texts", "quoted", "more_than"),
    [
        ([("a", 10)], [], 13),
        ([("a" * 95, 10)], [], 10 * 13),
        ([("a\nb\nc", 10)], [], 3 * 13),
        ([("表" * 30, 10)], [], 6 * 13),
        ([("a", 10)], [("a\n" * 99, 10)], 8 * 13),
    ],
)
def test_a_row_has_room_for_its_texts(texts, quoted, more_than):
    assert more_than <= height(texts, quoted) <= 409


def test_a_long_text_of_a_source_does_not_make_its_row_a_page():
    assert height([("a", 9)], [("a\n" * 999, 9)]) < height([("a\n" * 999, 9)]) <= 409
