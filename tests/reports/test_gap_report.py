"""The gap report: every rule is accounted for, and nothing from a source becomes markup."""

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgers import (
    CUSTOMERS,
    ORDERS,
    SUITE,
    bare,
    entry,
    large_ledger,
    ledger_of,
    left,
    orders_ledger,
)
from markdown_it import MarkdownIt

from ruleferry.converters.account import Flag, Ledger, Proposal, Question, Source, Validation
from ruleferry.converters.reports.gap_report import gap_report
from ruleferry.converters.reports.text import visible
from ruleferry.converters.rule import Caveat, Skipped

MARKDOWN = MarkdownIt("commonmark").enable("table")
TAG = re.compile(r"<[^>]*>")


def section(report: str, title: str) -> str:
    """The part of the report below a heading that begins so, up to the next of its rank."""
    found = re.search(rf"^(#+) {re.escape(title)}.*?$(.*?)(?=^#{{1,2}} |\Z)", report, re.M | re.S)
    assert found, f"no heading {title}"
    return found[2]


def headings(report: str) -> list[str]:
    return [line for line in report.splitlines() if line.startswith("#")]


def ask(code: str, *about, text: str = "What holds?", **fields) -> Question:
    made = Question(f"q-{about[0].id}", code, tuple(e.id for e in about), text, (), "Nothing.")
    return replace(made, **fields)


def test_the_parts_in_their_order():
    assert headings(gap_report(orders_ledger())) == [
        "# What became of the rules",
        "## Totals",
        "## Tables",
        "## Files",
        "## 3 questions",
        "### 1. Spark's patterns have no conditional groups. What should the comment look like?",
        "### 2. Which table does the suite customers check?",
        "### 3. What should happen to a record that breaks these rules?",
        "## Left for a person (1)",
        "### `main.sales.orders` (1)",
        "## Checked on each record with the help of an added column (1)",
        "## Checked over many records, in a dataset of its own (1)",
        "## Checked against the table's columns and types (1)",
        "## The same as another rule (1)",
        "## Not carried over, as a person decided (1)",
        "## Rules that stop the update (1)",
        "## What differs from the old check",
        "### Compared exactly, formerly as a double (1 rule)",
        "## What is assumed",
        "### The column's type is not known (1 rule)",
        "## Good to know",
        "### No source names the table (1 rule)",
        "## Read, and not a rule (1)",
        "## Files that were not read (1)",
    ]


def test_what_does_not_occur_has_no_heading():
    assert headings(gap_report(ledger_of([entry("a")]))) == [
        "# What became of the rules",
        "## Totals",
        "## Tables",
        "## Files",
    ]
    assert "found 0 rules in 0 files: 0 carried over." in gap_report(ledger_of([]))


def test_the_totals_add_up():
    report = gap_report(orders_ledger())
    numbers = re.findall(r"\| (\d+) \|$", section(report, "Totals"), re.M)
    assert sum(map(int, numbers)) == 11
    assert "| **together** |  | **11** |" in report
    assert "found 10 rules in 3 files: 7 carried over, 1 left for a person, 1 the same as" in report
    assert "The books balance: the files have 11 places" in report


def test_each_file_has_its_own_totals():
    files = section(gap_report(orders_ledger()), "Files")
    header, _, *rows = files.strip().splitlines()
    assert header.startswith("| file | read as | places | entries | record | flag |")
    assert "| `suites/customers.json` | great_expectations suite | 2 | 2 | 1 | 1 | 0 |" in files
    assert "| `checkpoints/daily.yml` | used: checkpoint | 0 |" in files
    columns = list(zip(*([c.strip(" *") for c in r.split("|")[3:-1]] for r in rows), strict=True))
    assert all(int(total) == sum(map(int, each)) for total, *each in columns)


def test_the_cells_of_a_spreadsheet():
    sheet = Source(
        "d.xlsx", "data dictionary", "0" * 64, 0, 0, {}, cells={"rule": 1500, "skipped": 7},
        skipped=(Skipped("Read me", "a text to be *read*", 7),),
    )  # fmt: skip
    report = gap_report(ledger_of([], extra=(sheet,)))
    assert "## Cells of the spreadsheets\n" in report
    assert "| `d.xlsx` | 1,507 | 1,500 | 7 |" in report
    assert "| `d.xlsx: Read me` | a text to be \\*read\\* | 7 |" in report


def test_books_that_do_not_balance_are_told():
    ledger = ledger_of([entry("a")])
    short = replace(ledger, sources=(replace(ledger.sources[0], atoms=2),))
    assert "**The books do not balance.** suites/orders.json: 2 places counted, 1" in gap_report(
        short
    )
    assert "books balance:" not in gap_report(short)


def test_the_figures_of_a_table():
    tables = section(gap_report(orders_ledger()), "Tables")
    assert "| table | rules | warn | drop | fail | exact | differs | assumed | left |" in tables
    assert "| `main.sales.orders` | 8 | 2 | 1 | 1 | 4 | 1 | 0 | 1 |" in tables
    assert "For 4 rules nobody has decided that: they warn." in tables


# Questions ----------------------------------------------------------------------------------------


def test_a_question_is_told_whole():
    report = gap_report(orders_ledger())
    asked = report.partition("### 3. ")[2].partition("\n## ")[0]
    assert asked == (
        "What should happen to a record that breaks these rules?\n\n"
        "No action was decided: 4 rules.\n\n"
        "- **warn** – the record stays; Lakeflow counts it\n"
        "- **drop** – the record goes to the quarantine table\n"
        "- **fail** – the update stops; nothing is written\n\n"
        "Until somebody answers: The rules warn.\n\n"
        "| rule | table | where it stands |\n"
        "| --- | --- | --- |\n"
        "| E-mail looks like one (`c_email_pattern`) | `customers` |"
        " `suites/customers.json:expectations[0]` |\n"
        "| `c_custkey_unique` | `customers` | `suites/customers.json:expectations[1]` |\n"
        "| Status is F, O or P (`o_orderstatus_allowed`) | `main.sales.orders` |"
        " `suites/orders.json:expectations[2]` |\n"
        "| `o_comment_share` | `main.sales.orders` | `suites/orders.json:expectations[3]` |\n"
    )


def test_a_question_about_many_rules_shows_ten_and_counts_the_others():
    asked = section(gap_report(large_ledger(200)), "1 question")
    assert "No action was decided: 200 rules." in asked
    assert asked.count("`main.sales.table_0` |") == 10
    assert asked.endswith(
        "… and 190 more rules (10 of `main.sales.table_0`, "
        + ", ".join(f"20 of `main.sales.table_{n}`" for n in range(1, 9))
        + " and 20 of `main.sales.table_9`).\n\n"
    )


def test_questions_that_read_alike_are_asked_once():
    gaps = [left(n, f"expectations[{n}]", "regex", "why") for n in "12"]
    report = gap_report(ledger_of(gaps, *(ask("regex", gap) for gap in gaps)))
    assert "## 1 question\n" in report
    assert (
        "### 1. What holds?\n\nA regular expression that Spark reads differently: 2 rules."
        in report
    )


def test_questions_of_one_topic_stand_together():
    gaps = [left(n, f"expectations[{n}]", "regex", "why") for n in "123"]
    words = ("And | this?", "And this?", "And | this?")
    questions = [ask("regex", gap, text=text) for gap, text in zip(gaps, words, strict=True)]
    asked = section(gap_report(ledger_of(gaps, *questions)), "2 questions on 1 topic")
    assert asked.startswith(
        "\n\n### 1. A regular expression that Spark reads differently\n\n"
        "2 questions about 3 rules.\n\n"
        "| question | rules |\n| --- | ---: |\n| And &#124; this? | 2 |\n| And this? | 1 |\n\n"
        "Until somebody answers: Nothing.\n"
    )
    assert asked.count("`suites/orders.json:") == 3


def test_other_answers_make_another_topic():
    gaps = [left(n, f"expectations[{n}]", "regex", "why") for n in "12"]
    other = ask("regex", gaps[1], proposals=(Proposal("a", "b"),))
    assert "## 2 questions\n" in gap_report(ledger_of(gaps, ask("regex", gaps[0]), other))


def test_what_is_not_checked_is_asked_before_what_is_undecided():
    rows = [entry(n, f"expectations[{n}]") for n in "123"]
    gap = left("g", "expectations[4]", "regex", "why")
    questions = (
        ask("action_undecided", *rows, text="action"),
        ask("table_not_stated", *rows, gap, text="table"),
        ask("type_unknown", rows[0], text="type"),
        ask("conflict", *rows[:2], text="conflict"),
        ask("regex", gap, text="gap"),
    )
    report = gap_report(ledger_of([*rows, gap], *questions))
    assert re.findall(r"^### \d\. (\w+)$", report, re.M) == [
        "gap", "conflict", "type", "table", "action",
    ]  # fmt: skip


# Rules --------------------------------------------------------------------------------------------


def rows_of(report: str, title: str) -> list[str]:
    return [line for line in section(report, title).splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize(
    ("title", "row"),
    [
        (
            "Left for a person",
            "| `o_comment_pattern` | `suites/orders.json:expectations[5]` | The pattern uses a "
            "conditional group, which Spark's regular expressions lack. "
            '| `{"regex": "^(a)?(?(1)b\\|c)$"}` |',
        ),
        (
            "Checked on each record with the help",
            "| `c_custkey_unique` | `customers` | `c_custkey_copies` "
            "| `count(*) OVER (PARTITION BY c_custkey)` | warn (decided by: nobody yet) | passes "
            "| `suites/customers.json:expectations[1]` |",
        ),
        (
            "Checked over many records",
            "| `o_comment_share` | `main.sales.orders` | `orders_figures` "
            "| `SELECT count(*) AS n FROM orders` | `coalesce(n >= 0.95D, TRUE)` "
            "| warn (decided by: nobody yet) | `suites/orders.json:expectations[3]` |",
        ),
        (
            "Checked against the table's",
            "| `columns` | `main.sales.orders` |  |  | `suites/orders.json:expectations[4]` "
            '| `{"type": "expect_columns"}` |',
        ),
        (
            "The same as another rule",
            "| `o_orderkey_present` | `main.sales.orders` "
            "| `validations/orders_2023.json:results[0]` | Every order has a key "
            "(`o_orderkey_present`), `suites/orders.json:expectations[0]` |",
        ),
        (
            "Not carried over",
            "| `o_clerk_present` | `main.sales.orders` | A. Steward: clerks are no longer recorded "
            "| `suites/orders.json:expectations[6]` |",
        ),
        (
            "Rules that stop the update",
            "| Every order has a key (`o_orderkey_present`) | `main.sales.orders` | fail; Lakeflow "
            "records no counts for it (decided by: the configuration) "
            "| `suites/orders.json:expectations[0]` |",
        ),
        (
            "Compared exactly",
            "| Status is F, O or P (`o_orderstatus_allowed`) | `main.sales.orders` | passes "
            "| `suites/orders.json:expectations[2]` |",
        ),
        (
            "Read, and not a rule",
            '| `results[1]` | an older run | `{"type": "expect_rule_heading"}` |',
        ),
        ("Files that were not read", "| `suites/notes.txt` | no reader knows this file |"),
    ],
)
def test_a_rule_in_its_list(title, row):
    assert rows_of(gap_report(orders_ledger()), title) == [row]


def test_gaps_stand_by_table_and_by_what_is_in_the_way():
    gaps = [
        left("a", "expectations[0]", "regex", "why", table=ORDERS),
        left("b", "expectations[1]", "like", "why", table=ORDERS),
        left("c", "expectations[2]", "regex", "why", table=CUSTOMERS),
        left("d", "expectations[3]", "no_such_code", "why", table=ORDERS),
    ]
    lines = section(gap_report(ledger_of(gaps)), "Left for a person (4)").splitlines()
    assert [line for line in lines if line.startswith(("#", "**"))] == [
        "### `customers` (1)",
        "**A regular expression that Spark reads differently** (1)",
        "### `main.sales.orders` (3)",
        "**A LIKE pattern that Spark can't read** (1)",
        "**no_such_code** (1)",
        "**A regular expression that Spark reads differently** (1)",
    ]


def test_details_that_differ_stand_beside_their_rules():
    report = gap_report(large_ledger(3))
    assert rows_of(report, "The column's type is not known (3 rules)") == [
        f"| Column {n} stays in its bounds (`c{n}_range`) | `main.sales.table_{n}` "
        f"| The type of c{n} is not known: read as a number. | passes "
        f"| `suites/orders.json:expectations[{n}]` |"
        for n in range(3)
    ]


@pytest.mark.parametrize(
    ("grade", "codes", "found"),
    [
        ("exact", [], []),
        ("exact", ["scope"], ["## Good to know", "### Checked on some records only (1 rule)"]),
        ("differs", [], ["## What differs from the old check", "### No reason is stated (1 rule)"]),
        # The caveat makes a rule assumed; that it differs must not go unsaid.
        (
            "differs",
            ["type_unknown"],
            [
                "## What differs from the old check",
                "### No reason is stated (1 rule)",
                "## What is assumed",
                "### The column's type is not known (1 rule)",
            ],
        ),
        ("assumed", ["no_such"], ["## What is assumed", "### no_such (1 rule)"]),
    ],
)
def test_each_grade_is_explained(grade, codes, found):
    rule = entry("a", grade=grade, caveats=tuple(Caveat(code, "detail") for code in codes))
    assert headings(gap_report(ledger_of([rule])))[4:] == found


def test_what_is_not_carried_over_has_no_caveats():
    gap = left("a", "expectations[0]", "regex", "why", caveats=(Caveat("scope", "detail"),))
    assert "Good to know" not in gap_report(ledger_of([gap]))


def test_a_file_that_could_not_be_read_stands_on_top():
    lost = left("orders", "file", "unreadable", "no JSON", title="the whole file")
    top = gap_report(ledger_of([lost, entry("a", "expectations[1]")])).partition("## Totals")[0]
    assert "## 1 file could not be read" in top
    assert "| `suites/orders.json:file` | no JSON |" in top


def test_every_rule_that_is_not_exact_and_on_the_record_is_named():
    report = gap_report(large_ledger(1000))
    listed = section(report, "The column's type is not known (1,000 rules)")
    assert len(re.findall(r"^\| Column \d+ stays", listed, re.M)) == 1000
    assert "<details><summary>980 more rules</summary>" in listed


def test_a_caveat_of_thousands_of_rules_lists_a_thousand_and_counts_the_others():
    listed = section(gap_report(large_ledger(1010)), "The column's type is not known (1,010 rules)")
    assert len(re.findall(r"^\| Column \d+ stays", listed, re.M)) == 1000
    told = "… and 10 more rules of `main.sales.table_9`: ledger.json has them all.\n"
    assert listed.endswith(f"</details>\n\n{told}")


def test_long_texts_are_cut():
    gap = left("a", "expectations[0]", "regex", "why", text="x" * 5000)
    assert f"`{'x' * 159}…`" in gap_report(ledger_of([gap]))


def test_the_order_of_the_entries_does_not_show():
    ledger = orders_ledger()
    turned = replace(ledger, entries=ledger.entries[::-1], questions=ledger.questions[::-1])
    assert gap_report(turned) == gap_report(ledger)


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


def test_what_stands_beside_the_tables_says_that_it_holds_nothing_back():
    report = gap_report(orders_ledger())
    _, _, figures = report.partition("## Checked over many records")
    assert "hold nothing back" in figures.partition("\n## ")[0]
    assert "job start that pipeline only after this one has succeeded" in figures
    _, _, schema = report.partition("## Checked against the table's")
    assert "This holds nothing back" in schema.partition("\n## ")[0]


def test_a_figure_that_must_hold_does_not_stop_the_tables():
    ledger = orders_ledger()
    failing = [
        replace(entry, action="fail") if entry.outcome == "dataset" else entry
        for entry in ledger.entries
    ]
    stops = rows_of(gap_report(replace(ledger, entries=tuple(failing))), "Rules that stop")
    assert not [row for row in stops if "o_comment_share" in row]


# Cells of a sheet ---------------------------------------------------------------------------------


def of_sheet(made, text="No"):
    return replace(made, origin=replace(made.origin, tool="spreadsheet", text=text))


def test_cells_of_a_column_under_one_question_are_one_row():
    gaps = [
        of_sheet(left(f"r{row}", f"S!C{row}", "column_unsure", why, table=ORDERS))
        for row, why in ((2, "so"), (3, "so"), (11, "so"), (12, "else"))
    ]
    rows = rows_of(gap_report(ledger_of(gaps)), "Left for a person (4)")
    assert rows == [
        f"| 3 cells | `{SUITE}:S!C2` and 2 more, the last at `{SUITE}:S!C11` | so |",
        f"| 1 cell | `{SUITE}:S!C12` | else |",
    ]


def test_cells_that_are_no_rules_for_one_reason_are_one_row():
    made = [
        ("S!C2", "No", "so"), ("S!C3", "No", "so"), ("S!C4", "Never", "so"), ("S!D2", "No", "so"),
        ("S!D3", "No", "else"),
    ]  # fmt: skip
    cells = [
        of_sheet(bare(f"r{place}", place, outcome="not_a_rule", reason=why), text)
        for place, text, why in made
    ]
    assert rows_of(gap_report(ledger_of(cells)), "Read, and not a rule (5)") == [
        "| `S!C2` and 1 more, the last at `S!C3` | so | `No` |",
        "| `S!C4` | so | `Never` |",
        "| `S!D2` | so | `No` |",
        "| `S!D3` | else | `No` |",
    ]
