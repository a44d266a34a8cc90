"""The workbook of the gap report: what stands where, the lists to pick from, and the links."""

from dataclasses import replace
from io import BytesIO

import pytest
from ledgers import digest, entry, ledger_of, orders_ledger
from openpyxl.utils import range_boundaries
from python_calamine import CalamineWorkbook
from workbooks import asking, opened, rows, workbook

from ruleferry.converters.account import Answered, Proposal
from ruleferry.converters.decided import WAIVE_LABEL
from ruleferry.converters.naming import sha256
from ruleferry.converters.proved import DifferingRow, Proved
from ruleferry.converters.reports.report import report
from ruleferry.converters.reports.workbook.columns import FILLED, LISTS, QUESTION_HEADERS, SHEETS
from ruleferry.converters.reports.workbook.package import fitted
from ruleferry.converters.reports.workbook.shapes import Cell, Choice, Row, Sheet
from ruleferry.converters.reports.workbook.sheet_xml import MOST_LINKS, column_letter


@pytest.fixture(scope="module")
def orders() -> bytes:
    return workbook(orders_ledger())


def values(data, sheet, *keys):
    return [tuple(row[key].value for key in keys) for row in rows(data, sheet)]


def asked(*questions, entries=None):
    """A workbook of these questions about two rules."""
    return workbook(ledger_of(entries or two(), *questions))


def two():
    return [entry("one", "expectations[0]"), entry("two", "expectations[1]")]


# Sheets -------------------------------------------------------------------------------------------


def test_the_sheets_and_the_hidden_lists(orders):
    made = opened(orders)
    assert made.sheetnames == [*SHEETS, LISTS]
    assert [made[name].sheet_state for name in made.sheetnames] == ["visible"] * 4 + ["hidden"]
    assert made.active.title == "Summary"


@pytest.mark.parametrize(
    ("sheet", "pane"), [("Questions", "C2"), ("Rules", "C2"), ("Sources", "B2")]
)
def test_a_listing_keeps_its_header_and_filters(orders, sheet, pane):
    made = opened(orders)[sheet]
    assert made.freeze_panes == pane
    assert made.auto_filter.ref == made.dimensions
    assert made.print_title_rows == "$1:$1"


def test_another_program_reads_the_same(orders):
    ours = opened(orders)
    theirs = CalamineWorkbook.from_filelike(BytesIO(orders))
    for name in ours.sheetnames:
        mine = [
            ["" if v is None else v for v in row] for row in ours[name].iter_rows(values_only=True)
        ]
        read = theirs.get_sheet_by_name(name).to_python(skip_empty_area=False)
        assert [[*row, *[""] * (len(mine[0]) - len(row))] for row in read] == mine


def test_a_ledger_of_nothing():
    data = workbook(ledger_of([]))
    made = opened(data)
    assert made["Questions"].max_row == made["Rules"].max_row == 1
    assert not made["Questions"].data_validations.dataValidation
    told = [cell.value for (cell,) in made["Summary"].iter_rows(max_col=1)]
    assert any("nothing to answer" in str(text) for text in told)


# Questions ----------------------------------------------------------------------------------------


def test_every_question_stands_once_gaps_first(orders):
    view = report(orders_ledger())
    wanted = [(q.number, q.question.id, q.question.question) for q in view.questions]
    found = values(orders, "Questions", "number", "question_id", "question")
    assert [row for row in found if isinstance(row[0], int)] == wanted
    assert wanted[0][1] == "q-regex"


def test_a_question_about_several_rules_has_a_row_for_each_of_them(orders):
    view = {q.question.id: q for q in report(orders_ledger()).questions}["q-table"]
    ids = values(orders, "Questions", "question_id", "rule_id", "text_hash")
    assert [row for row in ids if row[0] == "q-table"] == [
        ("q-table", None, None),
        *(("q-table", r.entry.id, r.entry.text_sha256[:12]) for r in view.rules),
    ]


def test_a_question_about_one_rule_names_it_in_its_row(orders):
    (row,) = [r for r in rows(orders, "Questions") if r["question_id"].value == "q-regex"]
    (rule,) = [e for e in orders_ledger().entries if e.name == "o_comment_pattern"]
    assert row["rule_id"].value == rule.id
    assert row["text_hash"].value == digest(rule.origin.text)[:12]
    assert row["text"].value == rule.origin.text
    assert row["place"].value == "suites/orders.json:expectations[5]"


def test_rows_of_rules_are_folded_below_their_question(orders):
    sheet = opened(orders)["Questions"]
    assert sheet.sheet_properties.outlinePr.summaryBelow is False
    for number, row in enumerate(rows(orders, "Questions"), 2):
        dimension = sheet.row_dimensions[number]
        whole = isinstance(row["number"].value, int)
        assert dimension.outlineLevel == (0 if whole else 1)
        assert dimension.hidden is not whole
        assert dimension.collapsed == (whole and not row["rule_id"].value)
    assert sheet.sheet_format.outlineLevelRow == 1


def test_what_is_to_be_filled_is_empty_light_and_unlocked(orders):
    for row in rows(orders, "Questions"):
        for key in QUESTION_HEADERS:
            filled = key in FILLED
            assert row[key].protection.locked is not filled
            assert (row[key].fill.fgColor.rgb == "00FFF8DB") is filled
        assert not any(row[key].value for key in FILLED)
        # What a person types stays what he typed, save a day.
        assert [row[key].number_format for key in FILLED] == ["@"] * 4 + [r"yyyy\-mm\-dd"]


def test_a_text_that_all_rules_share_is_shown():
    same = [replace(rule, origin=replace(rule.origin, text="R")) for rule in two()]
    question = asking(entries=tuple(rule.id for rule in same))
    assert values(asked(question, entries=same), "Questions", "text")[0] == ("R",)
    assert values(asked(question), "Questions", "text")[0] == (None,)


def test_earlier_answers_are_told():
    answered = (
        Answered("disputed", "drop it", "Ann", "2026-11-30", "Bob says keep it"),
        Answered("stale", "keep it", "Bob"),
    )
    question = asking(entries=(two()[0].id,), answered=answered)
    assert values(asked(question), "Questions", "before") == [
        (
            "Ann on 2026-11-30: drop it (the answers differ – Bob says keep it)\n"
            "Bob: keep it (the rule's text has changed since)",
        )
    ]


# Lists to pick from -------------------------------------------------------------------------------


def lists(data):
    """Cell of sheet Questions -> the answers that its list offers, and its validation."""
    made = opened(data)
    found = {}
    for rule in made["Questions"].data_validations.dataValidation:
        picks = _picks(made, rule) if rule.type == "list" else None
        for area in rule.sqref.ranges:
            for row, column in area.cells:
                cell = f"{column_letter(column)}{row}"
                assert cell not in found
                found[cell] = (picks, rule)
    return found


def _picks(made, rule):
    sheet, _, area = rule.formula1.partition("!")
    first, top, last, bottom = range_boundaries(area)
    assert (sheet, first, last) == (LISTS, 1, 1)
    return tuple(made[LISTS].cell(row, 1).value for row in range(top, bottom + 1))


@pytest.mark.parametrize(
    ("proposals", "entries", "offered"),
    [
        # Each question about rules may be answered so, whatever it proposes ...
        ([("leave it", "settle")], True, ("leave it", WAIVE_LABEL)),
        ([], True, (WAIVE_LABEL,)),
        # ... save where a proposal says it in other words, or there is no rule.
        ([("it is no rule", "waive"), ("keep", "keep")], True, ("it is no rule", "keep")),
        ([("leave it", "settle")], False, ("leave it",)),
        # The same label twice is one to pick.
        ([("a", "settle"), ("a", "value")], False, ("a",)),
        # One line each.
        ([("two\nlines", "settle")], False, ("two⏎lines",)),
    ],
)
def test_the_list_of_answers(proposals, entries, offered):
    ids = tuple(rule.id for rule in two()) if entries else ()
    made = tuple(Proposal(label, "", does) for label, does in proposals)
    found = lists(asked(asking(entries=ids, proposals=made)))
    answer = column_letter(list(QUESTION_HEADERS).index("answer") + 1)
    for row in range(2, 5 if entries else 3):
        assert found[f"{answer}{row}"][0] == offered


def test_questions_with_the_same_answers_share_one_list(orders):
    made = opened(orders)
    picks = {rule.formula1 for rule in made["Questions"].data_validations.dataValidation}
    offered = made[LISTS].max_row - 1
    found = lists(orders)
    distinct = {picked for picked, _ in found.values() if picked}
    assert offered == sum(map(len, distinct))
    assert len(picks) == len(distinct) + 1  # and the date


@pytest.mark.parametrize(("takes", "free"), [(None, False), ("condition", True), ("table", True)])
def test_other_texts_are_welcome_where_the_question_takes_one(takes, free):
    data = asked(asking(entries=(two()[0].id,), takes=takes))
    answer = column_letter(list(QUESTION_HEADERS).index("answer") + 1)
    _, rule = lists(data)[f"{answer}2"]
    assert rule.showErrorMessage is not free
    assert ("or write" in rule.prompt) is free
    assert ("or write" in values(data, "Questions", "proposals")[0][0]) is free


def test_actions_are_picked_and_days_are_days():
    data = asked(asking(entries=(two()[0].id,)), asking(id="q-2"))
    found = lists(data)
    action, on = (column_letter(list(QUESTION_HEADERS).index(key) + 1) for key in ("action", "on"))
    assert found[f"{action}2"][0] == ("warn", "drop", "fail")
    assert f"{action}3" not in found  # a question about no rule
    assert {found[f"{on}{row}"][1].type for row in (2, 3)} == {"date"}


# Rules and Sources --------------------------------------------------------------------------------


def test_every_entry_stands_once_in_rules(orders):
    view = report(orders_ledger())
    wanted = [rule.entry.id for rule in (*view.rules, *view.others)]
    assert [id_ for (id_,) in values(orders, "Rules", "id")] == wanted
    assert sorted(wanted) == sorted(e.id for e in orders_ledger().entries)


def test_a_rule_says_what_became_of_it(orders):
    found = {row["name"].value: row for row in rows(orders, "Rules")}
    price = found["o_totalprice_range"]
    assert price["condition"].value == "o_totalprice IS NULL OR o_totalprice > 0"
    assert price["action"].value == "drop: a bad record goes to the quarantine table"
    assert "negative prices are refunds" in price["why"].value
    assert price["owner"].value == "sales"
    assert found["o_comment_share"]["condition"].value == "coalesce(n >= 0.95D, TRUE)"
    assert "conditional group" in found["o_comment_pattern"]["reason"].value


def test_what_was_compared_is_told_with_its_first_records():
    rule = entry("one")
    examples = tuple(
        DifferingRow((("id", str(n)), ("price", "-1")), "good", "bad") for n in range(5)
    )
    proof = Proved(rule.id, rule.text_sha256, sha256(rule.condition), "differs", 1000, 5, examples)
    data = workbook(ledger_of([rule]), [proof])
    assert values(data, "Rules", "proof", "off") == [
        (
            "old and new disagree on some records: 5 of 1,000 records differ\n"
            "• id = 0, price = -1: old good, new bad\n"
            "• id = 1, price = -1: old good, new bad\n"
            "• id = 2, price = -1: old good, new bad",
            "no",
        )
    ]


def test_an_old_check_may_be_switched_off_where_both_agree():
    rule = entry("one")
    proof = Proved(rule.id, rule.text_sha256, sha256(rule.condition), "agrees", 9)
    found = values(workbook(ledger_of([rule]), [proof]), "Rules", "off", "off_why")
    assert found == [("yes", None)]


def test_sources_add_up(orders):
    ledger = orders_ledger()
    found = {row["file"].value: row for row in rows(orders, "Sources")}
    assert list(found) == [source.file for source in ledger.sources]
    assert found["suites/orders.json"]["entries"].number_format == "#,##0"
    for source in ledger.sources:
        row = found[source.file]
        assert (row["places"].value, row["entries"].value) == (source.atoms, source.entries)
        outcomes = {key: row[key].value for key in source.outcomes}
        assert outcomes == source.outcomes
    assert found["suites/notes.txt"]["why"].value == "no reader knows this file"


# Links --------------------------------------------------------------------------------------------


def links(data, sheet):
    """Cell -> sheet and row that it leads to."""
    return {
        cell.coordinate: cell.hyperlink.location
        for line in opened(data)[sheet].iter_rows()
        for cell in line
        if cell.hyperlink
    }


def test_questions_lead_to_their_rules_and_back(orders):
    questions, rules = rows(orders, "Questions"), rows(orders, "Rules")
    for row in questions:
        link = row["row"].hyperlink
        if row["rule_id"].value:
            target = int(link.location.removeprefix("Rules!A"))
            assert rules[target - 2]["id"].value == row["rule_id"].value
            assert row["row"].value == f"row {target}"
        else:
            assert link is None
    for rule in rules:
        if rule["questions"].value:
            target = int(rule["questions"].hyperlink.location.removeprefix("Questions!A"))
            numbers = rule["questions"].value.split(", ")
            assert str(questions[target - 2]["number"].value) == numbers[0]


def test_the_summary_leads_to_the_sheets(orders):
    assert set(links(orders, "Summary").values()) == {"Questions!A1", "Rules!A1", "Sources!A1"}


def test_no_link_leaves_the_workbook(orders):
    assert all(
        cell.hyperlink.target is None
        for sheet in opened(orders)
        for line in sheet.iter_rows()
        for cell in line
        if cell.hyperlink
    )


# Summary ------------------------------------------------------------------------------------------


def test_the_summary_has_the_figures_and_the_way_to_answer(orders):
    lines = list(opened(orders)["Summary"].iter_rows(values_only=True))
    total = report(orders_ledger()).total
    figures = {row[0]: row[1] for row in lines}
    assert figures["Rules that were read"] == total.rules
    assert figures["left for a person"] == total.left
    assert figures["Old checks that may be switched off"] == total.off
    told = "\n".join(str(row[0]) for row in lines)
    for word in ("yellow", "Answered by", ".xlsx", "ruleferry answers FILE"):
        assert word in told
    for by in ("source", "table", "owner", "action", "grade", "proof"):
        assert f"By {by}" in figures


def test_books_that_do_not_balance_are_told():
    ledger = orders_ledger()
    wrong = replace(ledger, sources=tuple(replace(s, atoms=s.atoms + 1) for s in ledger.sources))
    told = [row[0] for row in opened(workbook(wrong))["Summary"].iter_rows(values_only=True)]
    assert sum(str(text).startswith("Mind: ") for text in told) == len(ledger.sources)


# Bounds -------------------------------------------------------------------------------------------


def test_a_sheet_that_is_full_says_so():
    made = Sheet(
        "Rules",
        tuple(Row((Cell(n),)) for n in range(10)),
        (9,),
        choices=(Choice(1, (3, 9), ("a",), True, ""), Choice(1, (8,), ("b",), True, "")),
    )
    kept = fitted(made, 5)
    assert len(kept.rows) == 5
    assert kept.rows[:4] == made.rows[:4]
    assert kept.rows[4].cells[0].value == "… and 6 more rows: a sheet has no room for more."
    assert [choice.rows for choice in kept.choices] == [(3,)]
    assert fitted(made, 10) is made


def test_excel_opens_as_many_links_as_there_are():
    assert MOST_LINKS == 65_530


@pytest.mark.parametrize(
    ("number", "letter"), [(1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (703, "AAA")]
)
def test_columns_have_letters(number, letter):
    assert column_letter(number) == letter
