"""Skip logic and constraints in the syntax of survey and schema tools."""

from datetime import date
from decimal import Decimal

import pytest
from phrase_setting import AMOUNT, SETTING

from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    Length,
    Matches,
    Not,
    OneOf,
    Or,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.readers.spreadsheet.phrases import (
    read_constraint,
    read_relevance,
    relevance_statements,
)
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting
from ruleferry.converters.rule import Exists, Lookup, NotARule, Row, Unique, Unread

NAMES = {n: n for n in ("x", "y", "z", "race___4", "race", "pid-5", "cbh", "size_limit", "a_b")}
KNOWN = Setting(column_of=lambda n: NAMES.get(n.casefold()), tables={"patient": "Patient"})
WARN = Setting(column_of=KNOWN.column_of, relevance="warn")
FIELD = Column("Patient", "field")
X1 = Comparison("x", "=", "1")
Y2 = Comparison("y", "=", "2")
Z3 = Comparison("z", "=", "3")

RELEVANCE = [
    ("[x]='1'", X1),
    ('[x] = "1"', X1),
    ("[x] ='1' ", X1),
    ("[x] = 1", Comparison("x", "=", 1)),
    ("[x] = '01'", Comparison("x", "=", "01")),
    ("[x]='1' and [y]='2'", And((X1, Y2))),
    ("[x]='1' AND [y]='2'", And((X1, Y2))),
    ("[x]='1' or [y]='2'", Or((X1, Y2))),
    ("[x]='1' or [y]='2' and [z]='3'", Or((X1, And((Y2, Z3))))),
    ("([x]='1' or [y]='2') and [z]='3'", And((Or((X1, Y2)), Z3))),
    ("not([x]='1')", Not(X1)),
    ("[x] <> '1'", Comparison("x", "!=", "1")),
    ("[x] != '1'", Comparison("x", "!=", "1")),
    ("[x] <> ''", Present("x")),
    ('[x] = ""', Absent("x")),
    ("[x] > 5", Comparison("x", ">", 5)),
    ("[x] > '5'", Comparison("x", ">", 5)),
    ("[x] >= '0.5'", Comparison("x", ">=", Decimal("0.5"))),
    ("5 < [x]", Comparison("x", ">", 5)),
    ("[x] = [y]", ColumnComparison("x", "=", "y")),
    ("[race(4)]='1'", Comparison("race___4", "=", "1")),
    ("${x} = ‘yes’", Comparison("x", "=", "yes")),
    ("${x}='yes'", Comparison("x", "=", "yes")),
    ("${cbh} >= 200", Comparison("cbh", ">=", 200)),
    ('x = "90"', Comparison("x", "=", "90")),
    ("IF PID-5 IS NOT VALUED", Absent("pid-5")),
    ("IF PID-5 NOT VALUED", Absent("pid-5")),
    ("IF PID-5 IS VALUED", Present("pid-5")),
    ("IF PID-5 EQUALS 1", Comparison("pid-5", "=", 1)),
    ("if x is empty", Absent("x")),
    ("x is not provided", Absent("x")),
]

UNREAD_RELEVANCE = [
    ("not_understood", ""),
    ("not_understood", "[x]='1' and"),
    ("not_understood", "[x]='1' [y]='2'"),
    ("not_understood", "[x]"),
    ("not_understood", "[event_1][x]='1'"),
    ("not_understood", "datediff([x], 'today', 'd') > 5"),
    ("not_understood", "[x] > 'abc'"),
    ("not_understood", "[x] > ''"),
    ("not_understood", "[x]='1"),
    ("not_understood", "([x]='1'"),
    ("not_understood", "[x]='1' and zork"),
    ("not_understood", "[x]='1' unless [y]='2'"),
    ("not_understood", "IF PID-11 LST.COUNT GREATER THAN 1"),
    ("not_understood", "IF PID-7 LENGTH GREATER THAN 8"),
    ("not_understood", "IF PID-11 IS VALUED NOT EQUAL PID-12"),
    ("not_understood", "If in the US and various other jurisdictions"),
    ("name_unresolved", "[nowhere]='1'"),
    ("name_unresolved", "${nowhere} = 'yes'"),
    ("name_unresolved", "Q1=5"),
    ("name_unresolved", "[x] = [nowhere]"),
    ("name_unresolved", "[nowhere(3)]='1'"),
    ("name_unresolved", "IF PID-14.2 IS NOT VALUED"),
    ("several_values", "[race(5)]='1'"),
    ("several_values", "selected(${x}, 'a')"),
    ("several_values", "[y]='1' and [race(5)]='1'"),
]


@pytest.mark.parametrize(("text", "scope"), RELEVANCE)
def test_skip_logic_becomes_a_scope(text, scope):
    assert read_relevance(text, KNOWN) == scope


@pytest.mark.parametrize(("code", "text"), UNREAD_RELEVANCE)
def test_skip_logic_that_is_not_read_to_its_end_is_a_gap(code, text):
    found = read_relevance(text, KNOWN)
    assert isinstance(found, Unread)
    assert found.code == code


@pytest.mark.parametrize("text", [text for text, _ in RELEVANCE])
def test_one_word_more_is_another_condition(text):
    words = text.split(" ")
    for place in range(len(words) + 1):
        longer = " ".join([*words[:place], "zork", *words[place:]])
        assert read_relevance(longer, KNOWN) != read_relevance(text, KNOWN)


def test_skip_logic_states_no_rule():
    (statement,) = relevance_statements("[x]='1'", FIELD, KNOWN)
    assert isinstance(statement.check, NotARule)
    assert statement.check.reason.startswith("relevance")


def test_a_profile_wants_the_field_empty_where_it_is_not_asked():
    (statement,) = relevance_statements("[x]='1'", FIELD, WARN)
    assert statement.check == Row(Absent("field"))
    assert statement.scope == Not(X1)
    assert statement.action_word == "warn"


def test_skip_logic_that_is_not_read_is_a_gap_where_it_is_wanted():
    (statement,) = relevance_statements("[nowhere]='1'", FIELD, WARN)
    assert statement.check == Unread(
        "name_unresolved", '"nowhere" is no column of the table', ("field",)
    )


# Constraints --------------------------------------------------------------------------------------

CONSTRAINTS = [
    (". >= 0", [Range("field", low=0)]),
    (". >= 0 and . <= 100", [Range("field", 0, 100)]),
    (".>=0 and .<=100", [Range("field", 0, 100)]),
    ("(. > 0) and (. < 100)", [Range("field", 0, 100, True, True)]),
    ("0 < .", [Range("field", low=0, low_open=True)]),
    (". >=  ${size_limit}", [Compare("field", ">=", "size_limit", ignore="any_missing")]),
    (". < ${x}", [Compare("x", ">", "field", ignore="any_missing")]),
    (". = 'a'", [OneOf("field", ("a",))]),
    (". = 'a' or . = 'b'", [OneOf("field", ("a", "b"))]),
    (". != 5", [OneOf("field", (5,), negated=True)]),
    (". <= today()", [AgainstToday("field", "<=")]),
    (". <= now()", [AgainstToday("field", "<=", now=True)]),
    ("string-length(.) <= 10", [Length("field", high=10)]),
    ("string-length(.) = 10 and . != 'x'",
     [Length("field", 10, 10), OneOf("field", ("x",), negated=True)]),
    ("regex(., '^[A-Z]+$')", [Matches("field", ("^(?:^[A-Z]+$)$",))]),
    ("int error", [Typed("field", "integer")]),
    ("int", [Typed("field", "integer")]),
    ("float error", [Typed("field", "decimal")]),
    ("num error", [Typed("field", "number")]),
    ("str error", [Typed("field", "text")]),
    ("inRange 50 100 error", [Range("field", 50, 100)]),
    ("inRange 0.5 100", [Range("field", Decimal("0.5"), 100)]),
    ("regex match [a-f]", [Matches("field", ("^(?:[a-f])",))]),
    ("regex search ^\\d+$", [Matches("field", ("^\\d+$",))]),
    ("not_null", [Present("field")]),
    ("nonnegative", [Range("field", low=0)]),
    ("date_valid", [Typed("field", "date")]),
    ("must be at least 5", [Range("field", low=5)]),
]  # fmt: skip

UNREAD_CONSTRAINTS = [
    ("not_understood", ". >= 0 or . = 5"),
    ("not_understood", ". >= 0 and"),
    ("not_understood", ". mod 2 = 0"),
    ("not_understood", "count-selected(.) <= 3"),
    ("not_understood", ". > '5'"),
    ("not_understood", "once(.) > 5"),
    ("not_understood", "inRange 50 100 200 error"),
    ("not_understood", "inRange fifty 100"),
    ("not_understood", "int::IsNA"),
    ("not_understood", "int maybe"),
    ("not_understood", "protectAges"),
    ("not_understood", "regex match [a-f] twice"),
    ("not_understood", "max_age_days_45"),
    ("not_understood", "unique_normalized"),
    ("not_understood", "regex_email"),
    ("list_elsewhere", "in_allowed_set"),
    ("list_elsewhere", "canonical_mapping"),
    ("name_unresolved", ". >= ${nowhere}"),
    ("several_values", "list"),
    ("several_values", "list strict"),
    ("several_values", "list::inRange 50 100 error"),
    ("several_values", "list like::regex match [a-f]"),
    ("external_authority", "url"),
    ("other_records", "matchAtLeastOne Patient.PatientID set"),
    ("other_records", "matchExactlyOne Patient.PatientID value"),
    ("other_records", "matchAtLeastOne Nowhere.PatientID value"),
    ("other_records", "#Biospecimen unique error"),
]


@pytest.mark.parametrize(("text", "expected"), CONSTRAINTS)
def test_a_constraint_becomes_its_rule(text, expected):
    assert [s.check.predicate for s in read_constraint(text, FIELD, KNOWN)] == expected


@pytest.mark.parametrize(("code", "text"), UNREAD_CONSTRAINTS)
def test_a_constraint_that_is_not_read_to_its_end_is_a_gap(code, text):
    (statement,) = read_constraint(text, FIELD, KNOWN)
    assert statement.check.code == code
    assert statement.check.columns == ("field",)


def test_a_schema_rule_keeps_its_severity():
    first, second = read_constraint(
        "#Patient unique warning^^#Biospecimen unique error", FIELD, KNOWN
    )
    assert first.check == Unique(("field",))
    assert first.severity == "warning"
    assert second.check.code == "other_records"


def test_a_value_must_stand_in_a_known_table():
    (statement,) = read_constraint("matchAtLeastOne Patient.PatientID value", FIELD, KNOWN)
    assert statement.check == Exists(Lookup("Patient", (("field", "PatientID"),)), missing="good")


def test_recommended_is_a_suggestion():
    (statement,) = read_constraint("recommended", FIELD, KNOWN)
    assert statement.check == Row(Present("field"))
    assert statement.suggested


def test_a_field_of_several_values_gets_no_constraint():
    (statement,) = read_constraint(". >= 0", Column("t", "field", many=True), KNOWN)
    assert statement.check.code == "several_values"


def test_a_constraint_is_a_phrase_where_it_is_no_syntax():
    (statement,) = read_constraint("must be on or after 2020-01-01", AMOUNT, SETTING)
    assert statement.check == Row(Range("amount", low=date(2020, 1, 1)))
