"""Source text made visible, and the small words of every report."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import entry

from ruleferry.converters.reports.text import (
    count,
    display_width,
    full_name,
    label,
    listed,
    natural,
    shorten,
    visible,
    where,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain – é 表", "plain – é 表"),
        ("a\nb\r\nc\rd", "a⏎b⏎c⏎d"),
        ("a\tb", "a b"),
        ("\x1b[31mred", "⟨U+001B⟩[31mred"),
        ("\u202egnp.exe", "⟨U+202E⟩gnp.exe"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
    ],
)
def test_hidden_characters_show(text, shown):
    assert visible(text) == shown


@given(st.text())
@settings(deadline=None)
def test_nothing_hidden_is_left_and_nothing_is_lost(text):
    shown = visible(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    bidi = {unicodedata.bidirectional(c) for c in shown}
    assert bidi.isdisjoint({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
    assert len(shown) >= len(text.replace("\r\n", "\n"))


def test_places_sort_as_a_person_counts():
    places = ["expectations[10]", "expectations[9]", "Fields!G12", "Fields!G2", "", "²"]
    assert sorted(places, key=natural) == [
        "", "Fields!G2", "Fields!G12", "expectations[9]", "expectations[10]", "²",
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("é", 1), ("e\u0301", 1), ("表x", 3)])
def test_the_width_of_a_text_in_a_terminal(text, columns):
    assert display_width(text) == columns


def test_counts_and_lists():
    assert [count(n, "rule") for n in (0, 1, 1000)] == ["0 rules", "1 rule", "1,000 rules"]
    assert [count(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]
    assert [listed("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [shorten("abcd", n) for n in (4, 3)] == ["abcd", "ab…"]


def test_what_a_rule_is_called():
    named = entry("price_range", "expectations[2]", title="Price is positive")
    assert label(named) == "Price is positive"
    assert full_name(named) == "main.sales.orders.price_range"
    assert where(named.origin) == "suites/orders.json:expectations[2]"
    nameless = entry("", kind="range", columns=("a", "b"))
    assert label(nameless) == "range a b"
    assert full_name(nameless) == nameless.id
