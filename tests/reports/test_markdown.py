"""Text from a source stays text, whatever it holds, in two independent Markdown readers."""

import re
from html import unescape

import mistune
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ruleferry.converters.reports.markdown import (
    cell_code,
    code,
    folded,
    folding_table,
    paragraph,
    prose,
    table,
)
from ruleferry.converters.reports.text import visible

COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MISTUNE = mistune.create_markdown(
    escape=False, plugins=["table", "url", "strikethrough", "footnotes", "math", "task_lists"]
)

# Characters that mean something somewhere, and pieces of markup.
HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(list("`|\\<>&*_[]()#!~$@:-+=.1 \n\r\t\"'{}^%")),
        st.sampled_from(
            [
                "<script>alert(1)</script>", "</td>", "</details>", "<!--", "-->", "<?", "]]>",
                "[x](http://evil.example)", "![x](x)", "http://evil.example", "www.evil.example",
                "a@b.example", "<http://evil.example>", "\\|", "\\\\|", "``", "```", "~~~", "---",
                "===", "&lt;", "&#124;", "&", "\u202e", "\u200b", "\x1b[31m", "\ud800", "\x00",
                "[^1]", "[^1]: x", "- [ ] x", "1. x", "# x", "> x", "$x$", "**x**", "__x__", "|--|",
                "javascript:alert(1)", "[x]: http://evil.example", "é", "⏎", "表",
            ]
        ),
        st.text(max_size=5),
    ),
    max_size=8,
).map("".join)  # fmt: skip

TAG = re.compile(r"<[^>]*>")
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def words(html: str) -> str:
    """What a person sees, without regard to white space."""
    return " ".join(unescape(TAG.sub("", html)).split())


def tags(html: str) -> set[str]:
    return {tag.strip("</>").split()[0] for tag in TAG.findall(html)}


def seen(text: str) -> str:
    return " ".join(visible(text).split())


@pytest.mark.parametrize("write", [prose, cell_code])
@given(text=HOSTILE)
@example(text="\\|")
@example(text="a\\")
@example(text="`")
@example(text="x://|")
@settings(max_examples=300, deadline=None)
def test_a_cell_stays_one_cell_and_shows_the_text(write, text):
    markdown = f"{table(('a', 'b'), [(write(text), 'next')])}\nafter\n"
    html = COMMONMARK.render(markdown)
    cells = CELL.findall(html)
    assert len(cells) == 2
    assert words(cells[0]) == seen(text)
    assert cells[1] == "next"
    assert tags(html) <= {"table", "thead", "tbody", "tr", "th", "td", "code", "p"}


@pytest.mark.parametrize("write", [prose, cell_code])
@given(text=HOSTILE)
@settings(max_examples=300, deadline=None)
def test_another_reader_sees_one_cell_and_no_markup(write, text):
    html = MISTUNE(f"{table(('a', 'b'), [(write(text), 'next')])}\nafter\n")
    assert len(CELL.findall(html)) == 2
    assert tags(html) <= {"table", "thead", "tbody", "tr", "th", "td", "code", "p"}


@pytest.mark.parametrize("before", ["", "### ", "x ", "### 1. ", "- **a** – ", "**b** "])
@given(text=HOSTILE)
@settings(deadline=None)
@example(text="a #")
@example(text="1. a")
def test_a_line_stays_one_line_of_text(before, text):
    for write in (prose if before else paragraph, code):
        html = COMMONMARK.render(f"{before}{write(text)}\n\nafter\n")
        assert words(html).endswith(f"{seen(text)} after".lstrip())
        assert tags(html) <= {"p", "code", "h3", "ul", "li", "strong"}
        assert before or tags(html) <= {"p", "code"}


@given(HOSTILE)
@settings(deadline=None)
def test_the_markdown_itself_is_one_line_without_hidden_characters(text):
    for write in (prose, paragraph, code, cell_code):
        made = write(text)
        assert made == visible(made)
        assert made.encode().decode() == made  # no half of a surrogate pair


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("Every order has a key", "Every order has a key"),
        ("o_orderkey_present", "o_orderkey_present"),  # no emphasis inside a word: stays readable
        ("_private", "\\_private"),
        ("price > 0, e.g. 1.5", "price &gt; 0, e.g. 1.5"),
        ("a #", "a \\#"),
        ("^[A-Z]\\d*$", "^\\[A-Z\\]\\\\d\\*&#36;"),
        ("a - b", "a - b"),
        ("a | b", "a &#124; b"),
        ("see http://x.example", "`see http://x.example`"),
        ("a\nb", "a⏎b"),
        ("a\u202eb", "a⟨U+202E⟩b"),
    ],
)
def test_prose_stays_readable_as_it_is(text, markdown):
    assert prose(text) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a", "a"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("===", "\\==="),
        ("# a", "\\# a"),
        ("1. first", "1\\. first"),
        ("12) first", "12\\) first"),
        ("1.5 to 2", "1\\.5 to 2"),
    ],
)
def test_a_paragraph_begins_no_block(text, markdown):
    assert paragraph(text) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("", ""),
        ("a > 1", "`a > 1`"),
        ("`a b` IS NULL", "`` `a b` IS NULL ``"),
        ("a || b", "`a \\|\\| b`"),
        ("RLIKE '\\|'", "<code>RLIKE &#39;&#92;&#124;&#39;</code>"),
    ],
)
def test_code_in_a_cell(text, markdown):
    assert cell_code(text) == markdown


def test_a_long_table_folds_with_its_number_and_keeps_every_row():
    rows = [(str(n), "x") for n in range(100)]
    made = folding_table(("n:", "what"), rows, shown=20, words="rules")
    assert "<details><summary>80 more rules</summary>" in made
    assert [cell for cell in CELL.findall(COMMONMARK.render(made)) if cell != "x"] == [
        str(n) for n in range(100)
    ]


def test_a_table_that_is_a_little_longer_does_not_fold():
    rows = [("x",)] * 25
    assert folding_table(("a",), rows, shown=20, words="rules") == table(("a",), rows)


@given(HOSTILE)
@settings(deadline=None)
def test_the_summary_of_a_fold_is_text(text):
    html = COMMONMARK.render(folded(text, "body\n") + "\nafter\n")
    assert tags(html) == {"details", "summary", "p"}
    assert words(html) == f"{seen(text)} body after".lstrip() or not seen(text)


def test_a_fold_holds_markdown():
    html = COMMONMARK.render(folded("2 rules", table(("a",), [("b",)])) + "\nafter\n")
    assert html.startswith("<details><summary>2 rules</summary>\n<table>")
    assert html.endswith("</details>\n<p>after</p>\n")
