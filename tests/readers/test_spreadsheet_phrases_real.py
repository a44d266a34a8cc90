"""The rule texts of real dictionaries: what is read of them, and that nothing else is."""

import csv
import re
from collections import Counter

import pytest

from ruleferry.converters.predicates import (
    Absent,
    And,
    Comparison,
    Identity,
    OneOf,
    Present,
)
from ruleferry.converters.readers.spreadsheet.phrases import (
    read_constraint,
    read_phrase,
    read_relevance,
)
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting
from ruleferry.converters.rule import NotARule, Row, Unread

_ELEMENT = re.compile(r"[A-Z][a-z0-9]+[A-Z][A-Za-z0-9_+]*|FAIN|URI|PIID|PYA|DEFC|PARK")


def rows(shared, name):
    text = (shared / "corpus" / "spreadsheets" / name).read_text("utf-8-sig", "replace")
    return list(csv.DictReader(text.splitlines(keepends=True)))


@pytest.fixture(scope="session")
def data_act(shared):
    """Rule label -> the statements of its text."""
    found = rows(shared, "02_dataact_sqlRules.csv")
    words = {w for r in found for w in _ELEMENT.findall(r["rule_error_message"])}
    names = {w.casefold(): w for w in words}
    setting = Setting(column_of=lambda n: names.get(n.casefold()))
    return {r["rule_label"]: read_phrase(r["rule_error_message"], None, setting) for r in found}


def test_every_text_says_something(data_act):
    assert all(data_act.values())


def test_the_rules_of_a_submission_are_read(data_act):
    kinds = Counter(
        type(s.check.predicate).__name__
        for statements in data_act.values()
        for s in statements
        if isinstance(s.check, Row)
    )
    assert kinds == EXPECTED


# Each of them was compared with its text by hand.
EXPECTED = {
    "Absent": 18,
    "Present": 13,
    "OneOf": 11,
    "CountPresent": 5,
    "Format": 3,
    "Identity": 2,
    "Compare": 2,
    "Matches": 2,
    "Length": 1,
}
LOANS = ("07", "08", "F003", "F004")
FOREIGN = Comparison("LegalEntityCountryCode", "!=", "USA")


@pytest.mark.parametrize(
    ("label", "predicate", "scope"),
    [
        (
            "A4",
            Identity(
                "StatusOfBudgetaryResourcesTotal_CPE",
                ((1, "ObligationsIncurredTotalByTAS_CPE"), (1, "UnobligatedBalance_CPE")),
            ),
            None,
        ),
        ("FABS1.1", Present("FAIN"), OneOf("RecordType", (2, 3))),
        ("FABS1.2", Absent("FAIN"), Comparison("RecordType", "=", 1)),
        ("FABS3.2", OneOf("ActionType", ("A", "B", "C", "D", "E")), None),
        ("FABS13.2", Absent("LegalEntityZIP5"), FOREIGN),
        (
            "FABS15.1",
            Present("LegalEntityForeignCityName"),
            And((FOREIGN, OneOf("RecordType", (2, 3)))),
        ),
        ("FABS22", OneOf("CorrectionDeleteIndicator", ("C", "D")), None),
        ("FABS23.3", Present("AwardingSubTierAgencyCode"), Absent("AwardingOfficeCode")),
        ("FABS27", OneOf("NonFederalFundingAmount", (0,)), OneOf("AssistanceType", LOANS)),
        ("FABS29.2", OneOf("OriginalLoanSubsidyCost", (0,)), OneOf("AssistanceType", LOANS, True)),
    ],
)
def test_a_rule_of_a_submission(data_act, label, predicate, scope):
    (statement,) = data_act[label]
    assert statement.check == Row(predicate)
    assert statement.scope == scope


# Other files, other periods, registers of others, "for A and for B", a picture taken for a value.
@pytest.mark.parametrize(
    "label",
    [
        "A1.1",
        "A2",
        "A19",
        "C8",
        "FABS2.1",
        "FABS3.4",
        "FABS4.3",
        "FABS15.2",
        "FABS19",
        "FABS31.1",
        "FABS31.4",
        "FABS41.1",
        "FABS41.6",
        "FABSREQ4",
    ],
)
def test_what_is_no_check_of_one_record_is_a_gap(data_act, label):
    assert all(isinstance(s.check, Unread) for s in data_act[label])


def test_the_requirements_of_a_form_are_no_rules(shared):
    from python_calamine import CalamineWorkbook

    path = shared / "corpus" / "spreadsheets" / "16_uk_cica_data_dictionary.xlsx"
    sheet = CalamineWorkbook.from_path(str(path)).get_sheet_by_name("Data Dictionary")
    field = Column("form", "answer")
    found = [s for row in sheet.to_python() for s in read_phrase(str(row[10]), field, Setting())]
    assert not any(isinstance(s.check, Row) for s in found)
    assert sum(isinstance(s.check, NotARule) for s in found) > 300


def test_branching_logic_is_read(shared):
    found = rows(shared, "30_redcap_radx_up.csv")
    names = {r["Variable / Field Name"] for r in found}
    setting = Setting(column_of=lambda n: n if n in names else None)
    logic = [r["Branching Logic (Show field only if...)"] for r in found]
    scopes = [read_relevance(text, setting) for text in logic if text]
    assert len(scopes) == 50
    codes = Counter(s.code for s in scopes if isinstance(s, Unread))
    assert codes == {"several_values": 5}


def test_rules_of_a_schema_are_read(shared):
    found = rows(shared, "31_sage_schematic_model.csv")
    texts = [(r["Attribute"], r["Validation Rules"]) for r in found if r["Validation Rules"]]
    statements = [
        s for name, text in texts for s in read_constraint(text, Column("t", name), Setting())
    ]
    codes = Counter(s.check.code for s in statements if isinstance(s.check, Unread))
    assert codes["several_values"] == 16
    assert codes["other_records"] == 9
    assert sum(not isinstance(s.check, Unread) for s in statements) == 17
