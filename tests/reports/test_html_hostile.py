"""Hostile text on the report page: it is shown, and it does nothing."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import Node, full_report, parsed, poisoned_report

from ruleferry.converters.reports.html import gap_page
from ruleferry.converters.reports.html.facets import facets_of
from ruleferry.converters.reports.html.page import _environment
from ruleferry.converters.reports.html.texts import LINES, LONG, block, cut, plain, shown, title
from ruleferry.converters.reports.text import visible

# Controls, halves of pairs, and what hides or reorders text.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
HOSTILE = [
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "</script><script>alert(1)//",
    "]]>",
    "</style><img src=x onerror=alert(1)>",
    "</details></section></main><!--",
    "-->",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;&amp;&#x202e;",
    "\u202egnp.exe\u2066",
    "שלום \u200f עולם",
    "a\x00b\x1b[31m",
    "\ud800 half",
    "one\r\ntwo\rthree\u2028four",
    "${alert(1)}`",
    "#became=gap&q=x",
]


def shape(page: Node) -> Counter[tuple[str, tuple[str, ...]]]:
    """Elements and names of attributes, which text must not change.

    In any order, since tables are sorted by their names; but a paragraph tells of what is hidden,
    and a name may break behind its separators.
    """
    held = Counter((n.tag, tuple(n.attributes)) for n in page.walk() if n.tag != "p")
    del held["wbr", ()]
    return held


@cache
def calm(length: int) -> Counter[tuple[str, tuple[str, ...]]]:
    """Of a text that does nothing, and that is as long: long places are told apart."""
    return shape(parsed(gap_page(poisoned_report("." * length))))


@pytest.mark.parametrize("poison", HOSTILE)
def test_text_changes_nothing_but_text(poison):
    page = gap_page(poisoned_report(poison))
    page.encode("utf-8")
    assert HIDDEN.findall(page) == []
    assert shape(parsed(page)) == calm(len(poison))


@pytest.mark.parametrize("poison", HOSTILE)
def test_text_is_shown_as_it_is(poison):
    page = parsed(gap_page(poisoned_report(poison)))
    (node,) = [r for r in page.all("details", class_="r") if "o_clerk looks like" in r.text]
    first, second = node.all("dd", class_="said")
    expected = [visible(line) for line in re.split("\r\n?|\n", poison)]
    assert first.text.endswith("\n".join(expected))
    assert second.text.endswith("\n".join(expected))


@settings(max_examples=12, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_inert(poison):
    text = gap_page(poisoned_report(poison))
    text.encode("utf-8")
    assert HIDDEN.findall(text) == []
    if poison:
        assert shape(parsed(text)) == calm(len(poison))


def test_a_text_of_32767_characters_folds_and_stands_there_whole():
    long = "".join(chr(ord("a") + n % 26) for n in range(32_767))
    page = parsed(gap_page(poisoned_report(long)))
    (node,) = [r for r in page.all("details", class_="r") if "o_totalprice_range" in r.text]
    words, text = node.all("dd", class_="said")
    for said in (words, text):
        assert len(said.children[0]) <= LONG
        assert long[-500:] in said.one("details").text
        joined = said.children[0] + said.one("div", class_="rest").text
        assert joined.endswith(long)
    summary = node.one("span", class_="t")
    assert len(summary.one("bdi").text) <= 160


@given(st.text(alphabet="ab \n\r", max_size=3 * LONG))
def test_what_is_cut_is_not_lost(text):
    head, rest = cut(text)
    assert head + rest == text
    assert not (head.endswith("\r") and rest.startswith("\n"))
    assert len(head) <= LONG
    assert head.count("\n") <= LINES


def test_many_short_lines_fold_too():
    head, rest = cut("x\n" * 100)
    assert head.count("\n") == LINES - 1
    assert rest


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        ("a\nb IS NULL", True),
        ("größer", True),
        ("a\u200bb", False),
        ("a\tb", False),
        ("a\r\nb", False),
    ],
)
def test_only_a_condition_that_is_seen_whole_can_be_copied(text, is_plain):
    assert plain(text) is is_plain


def test_a_condition_with_hidden_characters_has_no_copy_button():
    page = parsed(gap_page(poisoned_report("\u202e")))
    assert page.all("code", class_="copy") == []
    odd = page.all("code", class_="odd")
    assert odd
    assert all("⟨U+202E⟩" in code.text for code in odd)


def test_every_expression_of_a_template_is_escaped_and_made_visible():
    made = _environment()
    assert made.autoescape is True
    assert made.finalize is shown
    assert made.from_string("{{ text }}").render(text="<\u202e>") == "&lt;⟨U+202E⟩&gt;"
    sources = [
        name.read_text("utf-8") for name in Path(shown.__code__.co_filename).parent.glob("*.j2")
    ]
    assert len(sources) >= 6
    assert not any("|safe" in text or "autoescape" in text for text in sources)


def test_helpers_keep_their_promises():
    assert title("x" * 500) == "x" * 159 + "…"
    assert block("a<b") == "a&lt;b"
    assert shown(3) == 3
    assert len(facets_of(full_report().rules).facets) == 8
