"""The report page: its structure, its figures, and that it needs nothing but itself."""

import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise

import pytest
from ledgers import entry, large_ledger, ledger_of, orders_ledger
from pages import Node, full_ledger, full_page, full_report, parsed, rule_of

from ruleferry.converters.account import Ledger, Source
from ruleferry.converters.reports.html import gap_page
from ruleferry.converters.reports.html.facets import NO_TABLE, SWITCH_OFF, facets_of, switch_off
from ruleferry.converters.reports.html.page import CELLS, FOLDED_RULES, OFF, OPEN_RULES
from ruleferry.converters.reports.html.texts import in_parts
from ruleferry.converters.reports.report import PROOFS, report
from ruleferry.converters.reports.words import OUTCOMES
from ruleferry.converters.rule import Origin


@pytest.fixture(scope="module")
def page() -> Node:
    return parsed(full_page())


def flat(text: str) -> str:
    return " ".join(text.split())


# The whole ----------------------------------------------------------------------------------------


def test_the_same_report_gives_the_same_page_in_any_process():
    script = "import hashlib, pages; print(hashlib.sha256(pages.full_page().encode()).hexdigest())"
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=__file__.rpartition("/")[0],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in "12"
    }
    assert found == {sha256(full_page().encode()).hexdigest()}


def test_the_page_names_nothing_that_is_elsewhere(page):
    for node in page.walk():
        for key, value in node.attributes.items():
            assert key not in ("src", "srcset", "action", "formaction", "style", "ping")
            assert not key.startswith("on")
            if key == "href":
                assert value.startswith("#")
    assert {"link", "img", "iframe", "object", "base"} & {node.tag for node in page.walk()} == set()
    style = page.one("style").text
    assert "url(" not in style
    assert "@import" not in style
    assert re.findall(r"https?://", page.one("script").text + style) == []


def test_the_policy_lets_this_style_and_this_script_run_and_nothing_else(page):
    (meta,) = (m for m in page.all("meta") if m.attributes.get("http-equiv"))
    policy = dict(
        part.strip().partition(" ")[::2] for part in meta.attributes["content"].split(";")
    )

    def named(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == named(page.one("style").text)
    assert policy["script-src"] == named(page.one("script").text)
    assert policy["base-uri"] == policy["form-action"] == "'none'"


def test_the_script_makes_no_markup_and_no_code_of_text(page):
    script = page.one("script").text
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
    ):
        assert word not in script
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "import("):
        assert word not in script


def test_each_id_stands_once_and_each_link_leads_to_one(page):
    ids = Counter(n.attributes["id"] for n in page.walk() if "id" in n.attributes)
    assert set(ids.values()) == {1}
    links = {a.attributes["href"][1:] for a in page.all("a")}
    assert links - set(ids) == set()
    for key in ("aria-labelledby", "aria-controls", "for"):
        assert {n.attributes[key] for n in page.walk() if key in n.attributes} - set(ids) == set()


def test_headings_skip_no_level_and_the_page_has_its_landmarks(page):
    levels = [int(n.tag[1]) for n in page.walk() if re.fullmatch("h[1-6]", n.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.one("html").attributes["lang"] == "en"
    for tag in ("header", "nav", "main", "footer", "title"):
        page.one(tag)


# Figures ------------------------------------------------------------------------------------------


def test_each_rule_stands_once_in_the_list_under_its_table(page):
    made = full_report()
    ids = [r.attributes["id"] for r in page.all("details", class_="r")]
    assert ids == [f"r-{rule.entry.id}" for rule in made.rules]
    tables = {
        section.one("h3").one("bdi").text: len(section.all("details", class_="r"))
        for section in page.all("section", class_="table")
    }
    assert tables == Counter(rule.entry.table or NO_TABLE for rule in made.rules)


def test_the_number_of_old_checks_is_the_reports(page):
    total = full_report().total
    assert (total.off, total.checks) == (1, 11)
    assert flat(page.one("p", class_="big").text) == "1 of 11"
    told = [flat(item.text) for item in page.one("ul", class_="key").all("li")]
    assert [t.split()[0] for t in told] == ["1", str(total.ready), str(11 - 1 - total.ready)]
    assert "1 further rule was only written down" in flat(page.text)


def test_where_no_old_check_runs_there_is_no_number_of_them():
    written = replace(entry("x"), origin=Origin("d.xlsx", "A!B2", "Yes", "spreadsheet", "words"))
    page = parsed(gap_page(report(ledger_of([written]))))
    assert page.all("p", class_="big") == []
    assert "No old check of these rules runs anywhere." in flat(page.text)
    assert len(page.all("div", class_="card")) == 1


def test_the_chart_and_its_table_say_the_same(page):
    made = full_report()
    counts = {word: n for word, n in made.outcomes if word != "not_a_rule"}
    card = page.all("div", class_="card")[1]
    rows = {th.attributes["data-value"]: th for th in card.all("th", data_key="became")}
    bars = {r.attributes["class"]: r.attributes for r in card.one("svg").all("rect")}
    assert set(rows) == set(counts)
    assert set(bars) == {f"c-{word}" for word in counts}
    assert sum(int(bar["width"]) for bar in bars.values()) == 1000
    for word, n in counts.items():
        assert abs(int(bars[f"c-{word}"]["width"]) - 1000 * n / made.total.rules) <= 1
    label = "; ".join(f"{n} {OUTCOMES[word]}" for word, n in counts.items())
    assert card.one("svg").attributes["aria-label"] == label


def test_each_breakdown_has_the_reports_figures(page):
    made = full_report()
    tables = page.all("table", class_="figures")
    assert len(tables) == len(made.breakdowns) == 6
    for table, breakdown in zip(tables, made.breakdowns, strict=True):
        rows = [[int(td.text) for td in tr.all("td")] for tr in table.all("tr") if tr.all("td")]
        lines = (*breakdown.lines, made.total)
        assert rows == [
            [x.rules, x.carried, x.merged, x.left, x.waived, x.exact, x.checks, x.off, x.ready]
            for x in lines
        ]


def test_a_line_of_a_breakdown_leads_to_a_filter_with_as_many_rules(page):
    options = {
        (select.attributes["data-key"], option.attributes["value"]): option.text
        for select in page.all("select")
        if "data-key" in select.attributes
        for option in select.all("option")
    }
    rows = [
        tr for table in page.all("table", class_="figures") for tr in table.one("tbody").all("tr")
    ]
    assert rows
    for tr in rows:
        th = tr.one("th").attributes
        assert options[th["data-key"], th["data-value"]].endswith(f"({tr.all('td')[0].text})")


def test_the_codes_of_a_rule_are_its_filters(page):
    made = full_report()
    facets = facets_of(made.rules)
    selects = [s for s in page.all("select") if "data-key" in s.attributes]
    for node, rule in zip(page.all("details", class_="r"), made.rules, strict=True):
        codes = [int(c) for c in node.attributes["data-f"].split(".")]
        values = [
            select.all("option")[code + 1].attributes["value"]
            for select, code in zip(selects, codes, strict=True)
        ]
        assert values[0] == rule.entry.outcome
        assert values[3] == switch_off(rule)
        assert values[6:] == [rule.entry.table or NO_TABLE, rule.entry.origin.file]
    assert sum(o.rules for o in facets.facets[0].options) == len(made.rules)


def test_every_state_of_an_old_check_has_its_words():
    assert set(OFF) == set(SWITCH_OFF)
    assert {switch_off(rule) for rule in full_report().rules} == set(SWITCH_OFF)


# Questions ----------------------------------------------------------------------------------------


def test_questions_by_which_rules_are_lost_come_first(page):
    lost = [t.one("span", class_="tag").attributes["class"] for t in page.all(class_="topic")]
    assert lost == sorted(lost, key=lambda word: "lost" not in word)
    assert "tag lost" in lost
    assert "tag runs" in lost


def test_a_question_tells_all_that_an_answer_needs(page):
    asked = page.one("article", id="q-q-action")
    text = flat(asked.text)
    assert "What should happen to a record that breaks these rules?" in text
    for words in ("drop", "the record goes to the quarantine table", "The rules warn."):
        assert words in text
    again = flat(page.one("article", id="q-q-again").text)
    assert "this answer can't be used. Ann Smith on 2026-11-30: o_clerk RLIKE '('" in again
    assert "It doesn't parse." in again
    assert "this is not done yet. Bob: mend the file" in again
    assert "what must hold for a good record, in SQL: such as price > 0" in again
    assert "Clerk#000000001" in again
    assert "dictionary.xlsx:Fields!D9" in again


def test_questions_have_their_numbers_and_rules_lead_to_them(page):
    numbers = {v.question.id: str(v.number) for v in full_report().questions}
    for article in page.all("article"):
        assert numbers[article.attributes["id"][2:]] == article.attributes["data-n"]
        assert article.one("span", class_="no").text == article.attributes["data-n"]
    asked = [node for node in page.all("details", class_="r") if "data-q" in node.attributes]
    assert asked
    for node in asked:
        links = [a.attributes["href"][3:] for a in node.all("a")]
        assert [numbers[i] for i in links] == node.attributes["data-q"].split()


def test_long_lists_of_rules_fold_and_very_long_ones_are_counted():
    page = parsed(gap_page(report(large_ledger(FOLDED_RULES + 50))))
    question = page.one("article")
    shown = question.one("div", class_="body").children
    first = next(n for n in shown if isinstance(n, Node) and n.fits("ul", {"class": "about"}))
    assert len(first.all("li")) == OPEN_RULES
    assert len(question.one("details").all("li")) == FOLDED_RULES - OPEN_RULES
    assert "And 50 others" in question.text


# One rule -----------------------------------------------------------------------------------------


def test_a_rule_shows_all_that_is_known_of_it(page):
    text = flat(rule_of(page, "o_totalprice_range").text)
    assert "o_totalprice IS NULL OR o_totalprice > 0" in text
    assert "A missing valuepasses" in text
    assert "drop: a bad record goes to the quarantine table" in text
    assert "a steward's decision: A. Steward, 2026-05-04: negative prices are refunds" in text
    assert "1,000 records compared" in text
    assert "may be switched off" in text
    assert '{"type": "expect_o_totalprice_range"}' in text
    assert "severity: critical" in text


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("o_orderstatus_allowed", "1,000 records compared, 2 differ"),
        ("o_orderstatus_allowed", "must keep running: the new rule does not mean quite the same"),
        ("c_email_pattern", "could not be compared: 1,000 records compared; no data was given"),
        ("c_custkey_unique", PROOFS["stale"]),
        ("c_custkey_unique", "count(*) OVER (PARTITION BY c_custkey)"),
        ("o_comment_share", "SELECT count(*) AS n FROM orders"),
        ("o_comment_share", "coalesce(n >= 0.95D, TRUE)"),
        ("o_comment_pattern", "left for a person: "),
        ("o_clerk_present", "A. Steward: clerks are no longer recorded"),
        ("o_clerk_format", "condition, by Ann Smith on 2026-11-30: as in the manual"),
        ("o_clerk_format", "none: no old check runs: a person wrote the rule down"),
    ],
)
def test_a_rule_tells(page, name, told):
    assert told in flat(rule_of(page, name).text)


def test_a_rule_names_the_places_of_those_that_were_merged_into_it():
    kept = entry("kept", "expectations[0]")
    other = entry("other", "A1", file="z.csv", outcome="merged", merged_into=kept.id, grade=None)
    page = parsed(gap_page(report(ledger_of([kept, other]))))
    assert "also z.csv:A1" in flat(rule_of(page, "kept").text)
    assert "stands for it" in flat(rule_of(page, "other").text)


def test_the_rows_that_differ_stand_in_a_table(page):
    table = rule_of(page, "o_orderstatus_allowed").one("table", class_="rows")
    heads, cells = [tr.children for tr in table.all("tr")]
    assert [h.text for h in heads] == ["o_orderstatus", "o_orderkey", "old check", "new rule"]
    assert [c.text for c in cells] == ["X", "7", "bad", "good"]


# The rest -----------------------------------------------------------------------------------------


def test_what_is_no_rule_stands_apart_with_its_reason(page):
    others = page.one("section", id="others")
    assert "an older run" in others.text
    assert "results[1]" in others.text


def test_each_file_is_listed_with_what_became_of_it(page):
    files = page.one("section", id="files")
    for source in full_ledger().sources:
        assert source.file in files.text
    assert "no reader knows this file" in files.text
    assert "rules: 12" in files.text
    assert "Notes: is empty (3 cells)" in files.text


def test_every_class_of_cells_has_its_words():
    from typing import get_args

    from ruleferry.converters.rule import CellClass

    assert set(CELLS) == set(get_args(CellClass))


def test_books_that_do_not_balance_are_an_alarm():
    made = orders_ledger()
    assert parsed(gap_page(report(made))).all(class_="alarm") == []
    wrong = replace(made, entries=made.entries[:-1])
    alarm = parsed(gap_page(report(wrong))).one(class_="alarm")
    assert alarm.attributes["role"] == "alert"
    assert len(alarm.all("li")) == len(report(wrong).imbalances) > 0


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("gx/a_b.json", ["gx/", "a_", "b.", "json"]),
        ("../__init__.py", ["../__", "init__.", "py"]),
        ("<b>/&", ["&lt;b&gt;/", "&amp;"]),
        ("plain", ["plain"]),
        ("", [""]),
    ],
)
def test_a_name_may_break_behind_its_separators(text, parts):
    assert str(in_parts(text)) == "<wbr>".join(parts)


@pytest.mark.parametrize(
    "ledger",
    [
        Ledger("ruleferry", (), (), ()),
        Ledger("ruleferry", (Source("a.txt", "not read", "0", 0, 0, {}, "?"),), (), ()),
        ledger_of([entry("one", outcome="not_a_rule", reason="a heading", grade=None)]),
    ],
    ids=["nothing", "a file that is not read", "no rule at all"],
)
def test_a_report_without_rules_is_a_page_too(ledger):
    text = parsed(gap_page(report(ledger))).text
    assert "0 rules found" in flat(text)
    assert "Nothing is asked" in flat(text)


def test_no_attribute_holds_a_text_whose_quotes_are_left_as_they_are():
    folder = files("ruleferry") / "converters" / "reports" / "html"
    templates = {
        file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".j2")
    }
    assert len(templates) >= 6
    for name, text in templates.items():
        for attribute in re.findall(r'[a-z-]+="([^"]*)"', text):
            assert not re.search(r"[|] *(block|lines)\b", attribute), (name, attribute)
    assert any("|block" in text for text in templates.values())


def test_a_rule_whose_title_says_it_all_says_it_once():
    told = (
        entry("a", title="x is above 0"),
        entry("b", "expectations[1]", title="Price", words="x > 0"),
    )
    page = parsed(gap_page(report(ledger_of(told))))
    assert "In plain words" not in rule_of(page, "a").text
    assert "In plain words" in rule_of(page, "b").text
    long = entry("c", title="x is one of " + ", ".join(map(str, range(99))))
    assert "In plain words" in rule_of(parsed(gap_page(report(ledger_of([long])))), "c").text
