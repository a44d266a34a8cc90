"""The short report: every figure is there, it has bounds, and nothing becomes markup."""

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import (
    bare,
    digest,
    entry,
    large_ledger,
    ledger_of,
    left,
    orders_ledger,
)
from markdown_it import MarkdownIt

from ruleferry.converters.account import (
    Answered,
    Flag,
    Ledger,
    Proposal,
    Question,
    Source,
    Validation,
)
from ruleferry.converters.proved import Proved
from ruleferry.converters.reports import gap_report as room
from ruleferry.converters.reports.rendering import rendered, view
from ruleferry.converters.reports.report import old_checks
from ruleferry.converters.reports.text import visible
from ruleferry.converters.rule import Caveat, Skipped

MARKDOWN = MarkdownIt("commonmark").enable("table")
TAG = re.compile(r"<[^>]*>")
OTHERS = ("gap_report.html", "gap_report.xlsx")


def gap_report(ledger: Ledger, *proofs: Proved, others=OTHERS) -> str:
    return room.gap_report(view(ledger, proofs), others)


def section(report: str, title: str) -> str:
    """The part of the report below a heading that begins so, up to the next of its rank."""
    found = re.search(rf"^(#+) {re.escape(title)}.*?$(.*?)(?=^#{{1,2}} |\Z)", report, re.M | re.S)
    assert found, f"no heading {title}"
    return found[2]


def headings(report: str) -> list[str]:
    return [line for line in report.splitlines() if line.startswith("#")]


def rows_of(report: str, title: str) -> list[str]:
    return [line for line in section(report, title).splitlines() if line.startswith("| ")][2:]


def figures(report: str, of: str) -> list[str]:
    part = report.partition(f"<summary>{of}")[2].partition("</details>")[0]
    return [line for line in part.splitlines() if line.startswith("| ")][2:]


def ask(code: str, *about, text: str = "What holds?", **fields) -> Question:
    made = Question(f"q-{about[0].id}", code, tuple(e.id for e in about), text, (), "Nothing.")
    return replace(made, **fields)


# The parts ----------------------------------------------------------------------------------------


def test_the_parts_in_their_order():
    assert headings(gap_report(orders_ledger())) == [
        "# What became of the rules",
        "## Totals",
        "## 3 questions for the owner of the rules",
        "### 1. Spark's patterns have no conditional groups. What should the comment look like?",
        "### 2. What should happen to a record that breaks these rules?",
        "### 3. Which table does the suite customers check?",
        "## Left for a person (1)",
        "## Rules that stop the update (1)",
        "## What to know of the rules that were carried over",
        "## Figures",
        "## Files that were not read (1)",
    ]


def test_what_does_not_occur_has_no_heading():
    plain = ["# What became of the rules", "## Totals"]
    assert headings(gap_report(ledger_of([entry("a")]))) == [*plain, "## Figures"]
    assert headings(gap_report(ledger_of([]))) == plain
    assert "found 0 rules in 0 files: 0 carried over." in gap_report(ledger_of([]))


def test_the_totals_add_up():
    report = gap_report(orders_ledger())
    numbers = re.findall(r"\| (\d+) \|$", section(report, "Totals"), re.M)
    assert sum(map(int, numbers)) == 11
    assert "| **together** |  | **11** |" in report
    assert (
        "found 10 rules in 3 files: 7 carried over, 1 left for a person, 1 the same as another "
        "rule and 1 waived." in report
    )
    assert "The books balance: the files have 11 places" in report


def test_books_that_do_not_balance_are_told():
    ledger = ledger_of([entry("a")])
    short = replace(ledger, sources=(replace(ledger.sources[0], atoms=2),))
    report = gap_report(short)
    assert "**The books do not balance.**" in report
    assert "| suites/orders.json: 2 places counted, 1 in the ledger |" in report
    assert "books balance:" not in report


def test_the_engineers_number():
    assert (
        "**0 of 10 old checks may be switched off; "
        "6 of them may be once old and new are seen to agree.**" in gap_report(orders_ledger())
    )
    rule = orders_ledger().entries[0]
    proof = Proved(rule.id, rule.text_sha256, digest(rule.condition), "agrees", rows=5)
    assert (
        "**1 of 10 old checks may be switched off; "
        "5 others may be once old and new are seen to agree.**"
        in gap_report(orders_ledger(), proof)
    )
    assert "**No old check of these rules runs anywhere.**" in gap_report(ledger_of([]))


def test_figures_by_table_and_by_file():
    report = gap_report(orders_ledger())
    assert figures(report, "2 tables") == [
        "| `customers` | 2 | 2 | 0 | 0 | 0 | 1 | 0 | 1 |",
        "| `main.sales.orders` | 8 | 5 | 1 | 1 | 1 | 4 | 0 | 5 |",
    ]
    assert [row.split(" | ")[:2] for row in figures(report, "3 files")] == [
        ["| `suites/customers.json`", "2"],
        ["| `suites/orders.json`", "7"],
        ["| `validations/orders_2023.json`", "1"],
    ]


def test_a_file_that_could_not_be_read_stands_on_top():
    lost = left("orders", "file", "unreadable", "no JSON", title="the whole file")
    top = gap_report(ledger_of([lost, entry("a", "expectations[1]")])).partition("## Totals")[0]
    assert "## 1 file could not be read" in top
    assert "| `suites/orders.json:file` | The file could not be read: no JSON |" in top


def test_files_that_were_not_read_are_counted_by_reason():
    why = ["a lock", "a picture", "a lock"]
    extra = tuple(
        Source(f"f{n}", "not read", "0" * 64, 0, 0, {}, reason) for n, reason in enumerate(why)
    )
    report = gap_report(ledger_of([], extra=extra))
    rows = rows_of(report, "Files that were not read (3)")
    assert rows == [
        "| a lock | 2 |",
        "| a picture | 1 |",
    ]


def test_the_cells_of_spreadsheets_are_summed():
    sheets = tuple(
        Source(
            f"{name}.xlsx", "data dictionary", "0" * 64, 0, 0, {},
            cells={"rule": 1500, "skipped": n},
            skipped=(Skipped("Read me", "a text to be *read*", n),),
        )
        for name, n in (("a", 7), ("b", 1))
    )  # fmt: skip
    cells = section(gap_report(ledger_of([], extra=sheets)), "Cells of 2 spreadsheets")
    assert cells.strip() == "3,008 filled cells: 3,000 rule and 8 skipped."


@pytest.mark.parametrize(
    ("others", "told", "see"),
    [
        (OTHERS, "is in `gap_report.html` and `gap_report.xlsx`;", "see gap_report.html."),
        (OTHERS[1:], "is in `gap_report.xlsx`;", "see gap_report.xlsx."),
        ((), "is in `ledger.json`;", "see ledger.json."),
    ],
)
def test_it_says_where_the_rest_is(others, told, see):
    ledger = many(60)
    report = gap_report(ledger, others=others)
    assert told in report
    assert f"… and 35 more: {see}\n" in report
    assert ("Answers go into `gap_report.xlsx`" in report) == ("gap_report.xlsx" in others)


def test_the_report_names_those_that_are_written_beside_it():
    files = rendered(orders_ledger(), kinds=("md",))
    assert files.keys() == {"gap_report.md"}
    assert b"is in `ledger.json`;" in files["gap_report.md"]
    beside = rendered(orders_ledger(), kinds=("md", "html"))
    assert beside.keys() == {"gap_report.md", "gap_report.html"}
    assert b"is in `gap_report.html`;" in beside["gap_report.md"]


# Questions ----------------------------------------------------------------------------------------


def many(number: int, text: str = "Which?") -> Ledger:
    gaps = [left(f"r{n}", f"expectations[{n}]", "regex", "why") for n in range(number)]
    return ledger_of(gaps, *(ask("regex", gap, text=text) for gap in gaps))


def test_a_question_is_told_whole():
    asked = gap_report(orders_ledger()).partition("### 2. ")[2].partition("\n### ")[0]
    assert asked == (
        "What should happen to a record that breaks these rules?\n\n"
        "No action was decided: 4 rules, at `suites/customers.json:expectations[0]`, "
        "`suites/customers.json:expectations[1]`, `suites/orders.json:expectations[2]` and "
        "1 more.\n\n"
        "- **warn** – the record stays; Lakeflow counts it\n"
        "- **drop** – the record goes to the quarantine table\n"
        "- **fail** – the update stops; nothing is written\n\n"
        "Until somebody answers: The rules warn.\n"
    )


def test_what_was_answered_before_is_told():
    gap = left("a", "expectations[0]", "regex", "why")
    answers = (
        Answered("disputed", "a > 1", "Ann *Smith*", "2026-11-30"),
        Answered("refused", "a >", "Bob", why="it ends too soon"),
    )
    asked = gap_report(ledger_of([gap], ask("regex", gap, answered=answers)))
    assert (
        "Answered before by Ann \\*Smith\\* on 2026-11-30: a &gt; 1. It is asked again: "
        "the answers differ\n\n"
        "Answered before by Bob: a &gt;. It is asked again: it ends too soon\n" in asked
    )


def test_more_proposals_than_a_person_reads_are_counted():
    gap = left("a", "expectations[0]", "regex", "why")
    proposals = tuple(Proposal(f"p{n}", "") for n in range(9))
    asked = gap_report(ledger_of([gap], ask("regex", gap, proposals=proposals)))
    assert "- **p5**\n- … and 3 more\n" in asked


def test_what_is_lost_is_asked_before_what_is_undecided():
    rows = [entry(n, f"expectations[{n}]") for n in "123"]
    gap = left("g", "expectations[4]", "regex", "why")
    questions = (
        ask("action_undecided", *rows, text="action"),
        ask("type_unknown", rows[0], text="type"),
        ask("regex", gap, text="gap"),
    )
    report = gap_report(ledger_of([*rows, gap], *questions))
    assert re.findall(r"^### \d\. (\w+)$", report, re.M)[0] == "gap"


# Rules --------------------------------------------------------------------------------------------


def test_gaps_are_counted_by_what_is_in_the_way():
    gaps = [
        left(f"r{n}", f"expectations[{n}]", code, "why")
        for n, code in enumerate(["regex", "no_equivalent", "regex", "no such"])
    ]
    report = gap_report(ledger_of(gaps))
    assert rows_of(report, "Left for a person (4)") == [
        "| A text pattern that Databricks reads differently | 2 |",
        "| No condition can say it | 1 |",
        "| no such | 1 |",
    ]


def test_rules_that_stop_the_update():
    assert rows_of(gap_report(orders_ledger()), "Rules that stop the update (1)") == [
        "| Every order has a key | `main.sales.orders` "
        "| the configuration: \\[actions.rules\\] orders.o_orderkey_present "
        "| `suites/orders.json:expectations[0]` |"
    ]


@pytest.mark.parametrize("outcome", ["dataset", "schema", "merged"])
def test_what_stops_no_table_is_not_among_them(outcome):
    rule = entry("a", outcome=outcome, action="fail")
    assert "Rules that stop the update" not in gap_report(ledger_of([rule]))


@pytest.mark.parametrize(
    ("grade", "codes", "found"),
    [
        ("exact", [], None),
        ("exact", ["scope"], ["| Checked on some records only | means the same"]),
        ("differs", [], ["| No reason is stated | does not mean quite"]),
        # The caveat makes a rule assumed; that it differs must not go unsaid.
        (
            "differs",
            ["type_unknown"],
            [
                "| No reason is stated | does not mean quite",
                "| The column's type is not known | rests on",
            ],
        ),
        ("assumed", ["no_such"], ["| no\\_such | rests on", "| no_such | rests on"]),
    ],
)
def test_each_grade_is_explained(grade, codes, found):
    rule = entry("a", grade=grade, caveats=tuple(Caveat(code, "detail") for code in codes))
    report = gap_report(ledger_of([rule]))
    if found is None:
        assert "What to know" not in report
        return
    rows = rows_of(report, "What to know")
    assert all(any(row.startswith(words) for words in found) for row in rows)
    assert len(rows) == (1 if codes == ["no_such"] else len(found))


def test_what_is_not_carried_over_has_no_caveats():
    gap = left("a", "expectations[0]", "regex", "why", caveats=(Caveat("scope", "detail"),))
    assert "What to know" not in gap_report(ledger_of([gap]))


def test_a_caveat_of_many_rules_is_counted():
    rows = rows_of(gap_report(large_ledger(1200)), "What to know")
    assert rows == [
        "| The column's type is not known | rests on something that could not be established "
        "| 1,200 |"
    ]


def test_the_order_of_the_entries_does_not_show():
    ledger = orders_ledger()
    turned = replace(ledger, entries=ledger.entries[::-1], questions=ledger.questions[::-1])
    kinds = ("md",)
    assert rendered(turned, kinds=kinds) == rendered(ledger, kinds=kinds)


# Text from a source -------------------------------------------------------------------------------

HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "|", "`", "``", "\\", "\n", "\n\n", "# ", "<script>alert(1)</script>", "</details>",
                "</summary>", "<!--", "[x](http://evil.example)", "![x](y)", "http://evil.example",
                "a@b.example", "\u202e", "\x1b[31m", "\ud800", "\\|", "&lt;", "* ", "---", "\t",
            ]
        ),
        st.text(max_size=3),
    ),
    min_size=1,
    max_size=5,
).map("".join).filter(str.strip)  # fmt: skip
ALLOWED = {
    "h1", "h2", "h3", "p", "ul", "li", "strong", "code", "details", "summary",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def hostile(text: str) -> Ledger:
    """A ledger that says the text wherever a source has the word, and one that says `x`."""
    fields = {"title": text, "table": text, "columns": (text,), "file": text, "text": text}
    rows = [
        entry("a", text, caveats=(Caveat(text, text), Caveat("type_unknown", text)), **fields),
        entry("b", text, outcome="flag", flag=Flag(text, text), grade="assumed", **fields),
        entry("c", text, outcome="dataset", validation=Validation("d", "q", text), **fields),
        left("d", text, text, text, **fields),
        left("e", text, "unreadable", text, **fields),
        bare("f", text, outcome="waived", waived=text, **fields),
        bare("g", text, outcome="not_a_rule", reason=text, **fields),
    ]
    merged = bare("h", text, outcome="merged", merged_into=rows[0].id, **fields)
    question = ask(
        "regex", rows[3], text=text, proposals=(Proposal(text, text),), until_answered=text
    )
    extra = (Source(f"{text}2", "not read", "0" * 64, 0, 0, {}, text),)
    return ledger_of([*rows, merged], question, extra=extra)


def shape(html: str) -> list[str]:
    """The tags in their order, without code: a name in code may be prose in another report."""
    found = re.findall(r"</?(\w+)[^>]*>", html)
    assert set(found) <= ALLOWED
    return [tag for tag in found if tag != "code"]


@given(text=HOSTILE)
@settings(max_examples=80, deadline=None)
def test_no_text_of_a_source_becomes_markup(text):
    assert shape(MARKDOWN.render(gap_report(hostile(text)))) == shape(
        MARKDOWN.render(gap_report(hostile("x")))
    )


@given(text=HOSTILE)
@settings(max_examples=50, deadline=None)
def test_the_text_is_shown(text):
    html = MARKDOWN.render(gap_report(hostile(text)))
    seen = "".join(unescape(TAG.sub("", html)).split())
    assert "".join(visible(text).split()) in seen


# Bounds -------------------------------------------------------------------------------------------


def test_long_texts_are_shown_and_cut():
    ledger = replace(many(1, "x" * 5000), tool="y" * 5000)
    report = gap_report(ledger)
    assert f"### 1. {'x' * 299}…\n" in report
    assert f"{'y' * 119}… found 1 rule" in report
    assert "… and" not in report


# Each of these is spelt out at five to nine times its length.
LONG = [
    "|" * 5000,
    "\u202e" * 5000,
    "\U000e0041$" * 3000,
    "`|\\" * 3000,
    "http://x|" * 900,
    "<&>" * 2000,
]


def worst(rules: int, texts: list[str]) -> Ledger:
    """Every rule in its own file and table, each with its own question, and every list at once."""
    shapes = [_failing, _lost, _caveat, _gap]
    entries = [shapes[n % len(shapes)](n, texts[n % len(texts)]) for n in range(rules)]
    answers = (Answered("stale", texts[0], texts[-1], texts[0], texts[-1]),) * 5
    questions = [
        ask(
            e.gap.code if e.gap else "type_unknown", e, text=texts[0] + e.id,
            proposals=(Proposal(texts[0], texts[-1]),) * 20, until_answered=texts[-1],
            answered=answers,
        )
        for e in entries
    ]  # fmt: skip
    extra = tuple(
        Source(f"z{n}{texts[0]}", "not read", "", 0, 0, {}, f"{n}{texts[-1]}") for n in range(300)
    )
    ledger = ledger_of(entries, *questions, extra=extra)
    sources = [replace(source, atoms=source.atoms + 1) for source in ledger.sources]
    return replace(ledger, tool=texts[0], sources=tuple(sources))


def _named(n: int, text: str) -> dict:
    return {"title": f"{text}{n}", "table": f"{n}{text}", "file": f"{n}{text}", "text": text}


def _failing(n, text):
    return entry(f"r{n}", text, action="fail", **_named(n, text))


def _lost(n, text):
    return left(f"r{n}", text, "unreadable", text, **_named(n, text))


def _caveat(n, text):
    return entry(
        f"r{n}", text, caveats=(Caveat(f"{text}{n}", text),), grade="assumed", **_named(n, text)
    )


def _gap(n, text):
    return left(f"r{n}", text, f"{text}{n}", text, **_named(n, text))


@pytest.mark.parametrize("text", LONG)
def test_it_is_short_whatever_the_ledger_says(text):
    assert len(gap_report(worst(400, [text]))) < room.MOST


@given(texts=st.lists(HOSTILE.map(lambda text: text * 50), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_it_is_short_with_any_text(texts):
    assert len(gap_report(worst(120, texts))) < room.MOST


def test_it_is_short_with_ten_thousand_rules():
    hostile_texts = [text[:60] for text in LONG]
    report = gap_report(worst(10_000, hostile_texts))
    assert len(report) < room.MOST
    assert "… and 9,9" in report


def test_it_is_short_with_ten_thousand_plain_rules():
    assert len(gap_report(many(10_000, "Which value does the column have? " * 5))) < room.MOST


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ({"checks": 1, "ready": 1}, "0 of 1 old check may be switched off; it may be once"),
        (
            {"checks": 3, "ready": 3},
            "0 of 3 old checks may be switched off; all of them may be once",
        ),
        ({"checks": 3, "ready": 2}, "0 of 3 old checks may be switched off; 2 of them may be once"),
        (
            {"checks": 3, "ready": 1, "off": 1},
            "1 of 3 old checks may be switched off; 1 other may be",
        ),
        ({"checks": 3}, "0 of 3 old checks may be switched off."),
    ],
)
def test_whose_number_it_is_that_waits(figures, told):
    none = view(orders_ledger()).total
    line = replace(none, **{"off": 0, "ready": 0} | figures)
    assert old_checks(line).startswith(told)
