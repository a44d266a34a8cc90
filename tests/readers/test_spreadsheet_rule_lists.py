"""A rule for each row of a rule list."""

import csv
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_list_cases import CONVERTS, REFUSES, SELECT, SHARES

from ruleferry.converters.mappings import caveats, gaps, table
from ruleferry.converters.predicates import Matches, Present, Range
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.lists.rule_lists import read_rule_row
from ruleferry.converters.readers.spreadsheet.lists.thresholds import (
    READINGS,
    read_share,
    with_threshold,
)
from ruleferry.converters.readers.spreadsheet.statement import NO_SETTING, Setting, Statement
from ruleferry.converters.rule import NotARule, Row, Share, Unread

TOKENS = {
    ("rule_kind", "not_null"): lambda c: [Statement("present", Row(Present(c)), (c,))],
    ("rule_kind", "regex_email"): lambda c: [Statement("pattern", Row(Matches(c, ("@",))), (c,))],
    ("rule", "at least 0"): lambda c: [Statement("range", Row(Range(c, 0)), (c,))],
    ("rule", "two"): lambda c: [Statement("range", Row(Range(c, n)), (c,)) for n in (0, 1)],
}


def phrase(meaning, text, columns):
    made = TOKENS.get((meaning, text))
    return tuple(made(columns[0])) if made and columns else ()


def row(setting=NO_SETTING, struck=(), trouble=(), **texts):
    cells = {
        meaning: tuple(
            Cell(
                "Rules",
                4,
                number,
                text,
                text,
                meaning in struck,
                "",
                "an error" * (meaning in trouble),
            )
            for number, text in enumerate(
                [texts[meaning]] if isinstance(texts[meaning], str) else texts[meaning]
            )
        )
        for meaning in texts
    }
    return read_rule_row(cells, setting, phrase)


def check(**texts):
    found = row(**texts).statements
    assert len(found) == 1, found
    return found[0].check


# What a row says ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CONVERTS, ids=lambda case: str(case[0]))
def test_what_converts(case):
    texts, expected = case
    assert check(column="c", **texts) == expected


@pytest.mark.parametrize("case", REFUSES, ids=lambda case: str(case[0]))
def test_what_must_not_convert(case):
    texts, code, word = case
    gap = check(column="c", **texts)
    assert isinstance(gap, Unread), gap
    assert gap.code == code
    assert word in gap.reason
    assert gap.code in gaps()


NO_RULE = [
    {},
    {"rule_kind": "row_dq"},
    {"rule_kind": "not_null", "status": "rejected"},
    {"rule_kind": "row_dq", "sql": "a > 0", "status": "false"},
    {"rule": "at least 0", "status": "Retired"},
    {"rule": "at least 0", "status": ("approved", "Deprecated")},
    {"rule": "at least 0", "status": "approved", "struck": ("status",)},
]


@pytest.mark.parametrize("texts", NO_RULE, ids=str)
def test_what_is_no_rule(texts):
    assert isinstance(check(column="c", **texts), NotARule)


def test_a_spoilt_cell_spoils_the_rule():
    assert check(column="c", rule="at least 0", trouble=("rule",)).code == "corrupted_cell"
    assert check(column="c", rule="at least 0", description="x", trouble=("description",)) == Row(
        Range("c", 0)
    )


def test_what_stands_around_a_rule():
    found = row(
        table="Acc; Loc",
        column="c",
        rule="at least 0",
        severity="High",
        owner="steward",
        rule_id="q001",
        rule_name="c_positive",
        action="Drop",
    )
    assert (found.tables, found.columns) == (("Acc", "Loc"), ("c",))
    assert (found.author_id, found.author_name, found.owner) == ("q001", "c_positive", "steward")
    assert (found.severity, found.action_word) == ("High", "drop")
    assert found.tags == (("owner", "steward"), ("severity", "High"))
    assert [(s.severity, s.action_word) for s in found.statements] == [("High", "drop")]


def test_a_severity_is_an_action_where_the_profile_says_so():
    fatal = Setting(legend={"severity": {"fatal": "fail", "mild": "no word of ours"}})
    assert row(fatal, column="c", rule="at least 0", severity="Fatal").action_word == "fail"
    assert row(fatal, column="c", rule="at least 0", severity="mild").action_word is None
    assert row(column="c", rule="at least 0", severity="fatal").action_word is None
    assert (
        row(fatal, column="c", rule="at least 0", severity="fatal", action="ignore").action_word
        == "ignore"
    )


def test_an_action_in_words_is_told():
    found = row(column="c", rule="at least 0", action="Call the owner")
    assert found.action_word is None
    assert found.tags == (("action", "Call the owner"),)


def test_the_profile_explains_a_status():
    setting = Setting(legend={"status": {"in_review": True, "approved": False}})
    assert row(setting, column="c", rule="at least 0", status="in_review").statements[
        0
    ].check == Row(Range("c", 0))
    assert isinstance(
        row(setting, column="c", rule="at least 0", status="approved").statements[0].check, NotARule
    )


TABLES = {
    "orders": ("orders",),
    "A/B/C": ("A", "B", "C"),
    "A, B": ("A", "B"),
    "C/D2": ("C", "D2"),
    "in/out": ("in/out",),
    "orders/lines": ("orders/lines",),
    "Orders/Customers": ("Orders", "Customers"),
    "": (),
}


@pytest.mark.parametrize("text", TABLES)
def test_the_tables_of_a_rule(text):
    setting = Setting(tables={"orders": "orders", "customers": "customers"})
    assert row(setting, table=text, column="c", rule="at least 0").tables == TABLES[text]


def test_a_query_names_its_table():
    texts = {"column": "c", "sql": "select count(*) from db.o where p < 0", **SELECT}
    assert row(**texts).tables == ("db.o",)
    assert row(table="stated", **texts).tables == ("stated",)


def told(**texts):
    return [c.code for s in row(column="c", **texts).statements for c in s.caveats]


def test_whose_sql_it_is():
    assert told(sql="a > 0") == ["dialect_assumed"]
    assert told(rule_kind="row_dq", sql="a > 0") == []
    assert told(rule_kind="agg_dq", sql="sum(a) > 0") == []
    assert told(sql="select count(*) from t where a > 0", **SELECT) == ["dialect_assumed"]
    assert "dialect_assumed" in caveats()


# Thresholds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SHARES, ids=str)
def test_what_a_threshold_is(case):
    expected = SHARES[case]
    assert read_share(*case) == (None if expected is None else Decimal(expected))


def test_thresholds_of_failing_records():
    rule = Statement("present", Row(Present("c")), ("c",))
    cell = lambda text: Cell("S", 1, 1, text, text)  # noqa: E731
    assert with_threshold([rule], cell("0"), "failing percent") == (rule,)
    shared = with_threshold([rule], cell("5"), "failing percent")[0]
    assert (shared.kind, shared.check) == ("share", Share(Row(Present("c")), Decimal("0.95")))
    assert with_threshold([rule], cell("100"), "failing percent")[0].check.code == "never_fails"
    two = with_threshold([rule, rule], cell("5"), "failing percent")
    assert [s.check.code for s in two] == ["not_understood"] * 2
    gap = Statement("present", Unread("not_understood", "", ("c",)), ("c",))
    assert with_threshold([gap], cell("5"), None) == (gap,)


def test_a_threshold_of_several_rules():
    found = row(column="c", rule="two", threshold="0.9").statements
    assert [s.check.code for s in found] == ["not_understood"] * 2


def test_the_profile_says_what_thresholds_are():
    setting = Setting(legend={"threshold": {"*": "failing percent"}})
    found = row(setting, column="c", rule="at least 0", threshold="5").statements[0]
    assert found.check == Share(Row(Range("c", 0)), Decimal("0.95"))


@given(st.decimals(0, 200, places=3), st.sampled_from((None, *READINGS)), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_share_lies_between_none_and_all(number, reading, percent):
    share = read_share(f"{number}{'%' * percent}", reading)
    assert share is None or 0 <= share <= 1
    if share is not None and reading is None:
        assert share > Decimal("0.5")


# All of it ----------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "row_dq",
        "agg_dq",
        "query_dq",
        "library",
        "text",
        "sum(a) > 1",
        "a > 0",
        "nullCheck",
        "rowCount",
        "mustBe",
        "mustBeBetween",
        "[0,1]",
        "0",
        "0.99",
        "true",
        "no",
        "select 1",
        "not_null",
        "A/B",
        "x",
    ]
)
MEANINGS = st.sampled_from(
    [
        "table",
        "column",
        "rule",
        "rule_kind",
        "sql",
        "threshold",
        "threshold_operator",
        "status",
        "severity",
        "action",
        "owner",
        "reference_table",
        "cross_file",
        "min",
        "description",
        "rule_id",
    ]
)


@given(st.dictionaries(MEANINGS, st.one_of(WORDS, st.text(max_size=12)), max_size=8))
@settings(max_examples=400, deadline=None)
def test_every_row_has_statements_and_nothing_raises(texts):
    found = row(**texts)
    assert found.statements
    for statement in found.statements:
        if isinstance(statement.check, Unread):
            assert statement.check.code in gaps()
        assert {c.code for c in statement.caveats} <= caveats().keys()


def test_a_word_of_status_is_in_one_list_alone():
    status = table("rule_lists")["status"]
    assert not set(status["on"]) & set(status["off"])


# Real lists ---------------------------------------------------------------------------------------


def rows_of(shared, file, meanings):
    with (shared / "corpus/spreadsheets" / file).open(encoding="utf-8-sig", newline="") as opened:
        for each in csv.DictReader(opened):
            yield row(**{meanings[h]: each[h] for h in meanings if each[h].strip()})


def outcomes(found):
    return Counter(
        getattr(s.check, "code", type(s.check).__name__) for r in found for s in r.statements
    )


def test_a_list_of_sql_rules_that_is_a_sample(shared):
    found = list(
        rows_of(
            shared,
            "40_nike_product_rules.csv",
            {
                "table_name": "table",
                "rule_type": "rule_kind",
                "rule": "rule_name",
                "column_name": "column",
                "expectation": "sql",
                "action_if_failed": "action",
                "is_active": "status",
                "priority": "severity",
            },
        )
    )
    assert len(found) == 15
    assert outcomes(found) == {"not_understood": 14, "NotARule": 1}
    assert [r.action_word for r in found[:3]] == ["fail", "drop", "ignore"]
    assert (found[0].tables, found[0].author_name) == (("table1",), "rule1")


def test_a_list_of_tokens(shared):
    found = list(
        rows_of(
            shared,
            "41_content_catalyst_quality_rules.csv",
            {
                "rule_id": "rule_id",
                "rule_name": "rule_name",
                "field_name": "column",
                "rule_type": "rule_kind",
                "threshold": "threshold",
                "severity": "severity",
                "owner": "owner",
                "status": "status",
            },
        )
    )
    by_id = {r.author_id: r.statements[0].check for r in found}
    assert by_id["q001"] == Row(Present("email"))
    assert by_id["q002"] == Share(Row(Matches("email", ("@",))), Decimal("0.99"))
    assert by_id["q007"].code == "status_doubt"
    assert outcomes(found) == {"Row": 1, "Share": 1, "status_doubt": 1, "not_understood": 5}


def test_a_list_of_prose(shared):
    """Each rule over two files names the second; no prose is half read."""
    found = list(
        rows_of(
            shared,
            "02_dataact_sqlRules.csv",
            {
                "rule_label": "rule_id",
                "rule_error_message": "rule",
                "file_type": "table",
                "severity_name": "severity",
                "target_file": "reference_table",
            },
        )
    )
    assert len(found) == 235
    assert outcomes(found) == {"not_understood": 235}
    assert {r.severity for r in found} == {"fatal", "warning"}
    assert all(len(r.tables) == 1 for r in found)
