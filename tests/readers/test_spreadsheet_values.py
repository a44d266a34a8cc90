"""Cells of one meaning each: required, types, sizes, bounds, formats, patterns, keys."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from dictionary_values import SETTING, cell, field, states

from ruleferry.converters.predicates import (
    AgainstToday,
    Compare,
    Format,
    Json,
    Length,
    Matches,
    OneOf,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.readers.spreadsheet.outcomes import KINDS
from ruleferry.converters.readers.spreadsheet.statement import Setting
from ruleferry.converters.readers.spreadsheet.type_texts import UUID
from ruleferry.converters.readers.spreadsheet.values import (
    MEANINGS,
    holds_many,
    read_value,
    sort_of,
    type_statements,
    understood,
)
from ruleferry.converters.rule import Exists, Lookup, Unique

MUST = Present("x")
MIDNIGHT = datetime(2024, 5, 1)  # noqa: DTZ001


# Required and nullable ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "TRUE",
        "Yes",
        "YES",
        "yes",
        "Y",
        "R",
        "M",
        "Req",
        "Required",
        "Mandatory",
        "Да",
        "是",
        "1",
        "Essential",
        "✓",
    ],
)
def test_a_field_that_is_required_must_hold_a_value(text):
    assert states("required", text) == [MUST]


@pytest.mark.parametrize("text", ["NO", "no", "N", "FALSE", "False", "NOT NULL", "R", "0"])
def test_a_field_that_is_not_nullable_must_hold_a_value(text):
    assert states("nullable", text) == [MUST]


@pytest.mark.parametrize("text", ["No", "FALSE", "O", "Optional", "Perm", "n/a", "-", "NA", "--"])
def test_a_field_that_is_not_required_states_no_rule(text):
    assert states("required", text) == ["no rule"]
    assert understood("required", cell(text), field(), SETTING)


@pytest.mark.parametrize("text", ["YES", "TRUE", "Y", "NULL", "n/a"])
def test_a_field_that_is_nullable_states_no_rule(text):
    assert states("nullable", text) == ["no rule"]


@pytest.mark.parametrize(
    "text",
    ["C", "CR", "CR1-01-1", "Cond Req", "Cond\u00a0Exp", "Conditional", "Required if x = 1",
     "Yes, if the site is open", "Include only if there is no risk"],
)  # fmt: skip
def test_a_condition_that_stands_elsewhere_is_a_question(text):
    assert states("required", text) == ["condition_elsewhere"]
    assert understood("required", cell(text), field(), SETTING)


@pytest.mark.parametrize("text", ["X", "E", "Q7", "*"])
def test_a_letter_without_a_legend_is_a_question_and_not_understood(text):
    assert states("required", text) == ["legend_missing"]
    assert not understood("required", cell(text), field(), SETTING)


@pytest.mark.parametrize("text", ["sample", "HTAN required", "${a} = ‘dead’", "Not for you"])
def test_a_word_that_is_neither_yes_nor_no_is_no_rule_by_guess(text):
    assert states("required", text)[0] in ("not_understood", "condition_elsewhere")


def test_a_yes_with_a_note_is_a_question():
    assert states("required", "Да; в CSV найден 1 пропуск") == ["not_understood"]
    assert states("required", "TBD") == ["not_understood"]


@pytest.mark.parametrize("text", ["Recommended", "preferred", "Exp", "Highly Recommended"])
def test_what_is_recommended_is_a_suggestion(text):
    (found,) = read_value("required", cell(text), field(), SETTING)
    assert found.suggested
    assert found.check.predicate == MUST


def test_a_legend_counts_more_than_the_words():
    legend = {"required": {"x": True, "m": False, "e": "conditional", "r": "recommended"}}
    setting = Setting(legend=legend)
    assert states("required", "X", setting=setting) == [MUST]
    assert states("required", "M", setting=setting) == ["no rule"]
    assert states("required", "E", setting=setting) == ["condition_elsewhere"]
    (found,) = read_value("required", cell("R"), field(), setting)
    assert found.suggested
    turned = Setting(legend={"nullable": {"x": True, "z": False}})
    assert states("nullable", "X", setting=turned) == ["no rule"]
    assert states("nullable", "Z", setting=turned) == [MUST]


def test_a_truth_value_is_read_as_its_word():
    assert states("required", True) == [MUST]
    assert states("nullable", True) == ["no rule"]


# Types --------------------------------------------------------------------------------------------


def up_to(high, **more):
    return Length("x", None, high, **more)


def typed(sort, *digits):
    return Typed("x", sort, *digits)


TYPES = [
    ("varchar(50)", [up_to(50)]),
    ("VARCHAR2(50 BYTE)", [up_to(50, in_bytes=True)]),
    ("varchar2(50 char)", [up_to(50)]),
    ("nvarchar (20)", [up_to(20)]),
    ("CHAR(1 BYTE)", [up_to(1, in_bytes=True)]),
    ("CHAR[40]", [up_to(40)]),
    ("character varying(10)", [up_to(10)]),
    ("varbinary(16)", [up_to(16, in_bytes=True)]),
    ("X(30)", [up_to(30)]),
    ("PIC X(30)", [up_to(30)]),
    ("integer", [typed("integer")]),
    ("BIGINT", [typed("integer")]),
    ("int64", [typed("integer")]),
    ("int(11)", [typed("integer")]),
    ("tinyint(1)", [typed("integer")]),
    ("Целое число", [typed("integer")]),
    ("integer, null", [typed("integer")]),
    ("int unsigned", [typed("integer"), Range("x", low=0, unknown="bad")]),
    ("9(8)", [typed("integer", 8)]),
    ("S9(11)V99", [typed("decimal", 13, 2)]),
    ("S9(6)V999", [typed("decimal", 9, 3)]),
    ("PIC S9(4) COMP-3", [typed("integer", 4)]),
    ("NUMBER(9,7)", [typed("decimal", 9, 7)]),
    ("NUMBER(9)", [typed("decimal", 9, 0)]),
    ("DECIMAL[5]", [typed("decimal", 5, 0)]),
    ("numeric (18, 1)", [typed("decimal", 18, 1)]),
    ("Numeric - up to 2 digits after decimal place", [typed("decimal", None, 2)]),
    ("decimal", [typed("number")]),
    ("NUM", [typed("number")]),
    ("float", [typed("number")]),
    ("float(53)", [typed("number")]),
    ("money", [typed("number")]),
    ("bit", [typed("boolean")]),
    ("Boolean", [typed("boolean")]),
    ("yesno", [typed("boolean")]),
    ("date", [typed("date")]),
    ("smalldatetime", [typed("timestamp")]),
    ("timestamp_tz", [typed("timestamp")]),
    ("timestamp with timezone", [typed("timestamp")]),
    ("timestamp(6)", [typed("timestamp")]),
    ("json", [Json("x")]),
    ("uuid", [Matches("x", (UUID,))]),
    ("digits", [Matches("x", ("^[0-9]+$",))]),
    ("Integer - exactly 6 digits", [Matches("x", ("^[0-9]{6}$",))]),
    ("Alphanumeric - 30 characters maximum", [up_to(30)]),
    ("Alphanumeric - between 7 and 128 characters", [Length("x", 7, 128)]),
    ("Alphanumeric - exactly 6 characters", [Length("x", 6, 6)]),
    ("YYYY-MM-DD", [Format("x", "%Y-%m-%d", exact=True)]),
    ("varchar(10) NOT NULL", [up_to(10), MUST]),
    ("int(2)", [typed("integer"), "not_understood"]),
    ("select_one yes_No", [OneOf("x", ("yes", "no"))]),
]


@pytest.mark.parametrize(("text", "wanted"), TYPES, ids=[text for text, _ in TYPES])
def test_a_type_states_rules(text, wanted):
    assert states("type", text) == wanted
    assert understood("type", cell(text), field(), SETTING)


@pytest.mark.parametrize(
    "text",
    ["varchar", "text", "str", "CHAR", "varchar(MAX)", "object", "mixed", "blob", "String List",
     "radio", "checkbox", "dropdown", "calc", "descriptive", "note", "begin group", "Free text",
     "Drop down list", "list", "array[string]", "list of strings", "N/A", "ST"],
)  # fmt: skip
def test_a_type_that_allows_every_text_or_tells_of_the_form_states_no_rule(text):
    assert states("type", text) == ["no rule"]
    assert understood("type", cell(text), field(), SETTING)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("url", "format"),
        ("email", "format"),
        ("wkt", "format"),
        ("array[string;enum]", "several_values"),
        ("list[integer]", "several_values"),
        ("select_multiple yes_No", "several_values"),
        ("select_one species", "list_elsewhere"),
        ("select_one_from_file UCL.csv", "list_elsewhere"),
    ],
)
def test_a_type_that_is_known_and_not_exact_is_a_question(text, code):
    assert states("type", text) == [code]
    assert understood("type", cell(text), field(), SETTING)


@pytest.mark.parametrize(
    "text",
    ["Codes", "Coding", "XAD", "Click through", "CWE", "NullValueMenu", "measurement value", "9",
     "99", "varchar(50", "varchar()", "varchar(0)", "decimal(2,5)", "integer or text", "date(8)",
     "varchar(10) or int", "integer since 2020", "Integer - greater than or equal to 0"],
)  # fmt: skip
def test_a_word_that_is_no_known_type_is_not_understood(text):
    assert states("type", text) == ["not_understood"]
    assert not understood("type", cell(text), field(), SETTING)


def test_the_sort_of_a_type():
    sorts = {"varchar(5)": "text", "BIGINT": "integer", "S9(2)V9": "decimal", "NUM": "number",
             "YYYYMMDD": "date", "bit": "boolean", "smalldatetime": "timestamp", "uuid": "text",
             "radio": None, "String List": None, "what": None}  # fmt: skip
    assert {text: sort_of(text) for text in sorts} == sorts
    assert holds_many("String List")
    assert holds_many("checkbox")
    assert not holds_many("text")
    assert [s.check.predicate for s in type_statements("bit", field(), SETTING)] == [
        Typed("x", "boolean")
    ]


# Sizes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sort", "wanted"),
    [
        ("50", None, up_to(50)),
        ("50", "text", up_to(50)),
        (50, "text", up_to(50)),
        ("50 characters", "text", up_to(50)),
        ("50 bytes", "text", up_to(50, in_bytes=True)),
        ("exactly 6", "text", Length("x", 6, 6)),
        ("1-3", "text", Length("x", 1, 3)),
        ("≤ 20", "text", up_to(20)),
        ("18, 1", "decimal", typed("decimal", 18, 1)),
        ("18,1", "number", typed("decimal", 18, 1)),
        ("Default", "text", "no rule"),
        ("MAX", "text", "no rule"),
        ("N/A", "text", "no rule"),
        ("-1", "text", "no rule"),
        ("0", "text", "no rule"),
        ("8", "date", "no rule"),
        ("20", "timestamp", "no rule"),
        ("1", "boolean", "no rule"),
        ("3", "integer", "not_understood"),
        ("12", "number", "not_understood"),
        ("1, 18", "decimal", "not_understood"),
        ("18, 1", "text", "not_understood"),
        ("*", "text", "legend_missing"),
        ("long", "text", "not_understood"),
        ("long", "date", "not_understood"),
        ("007", "text", "not_understood"),
        ("1.5", "text", "not_understood"),
    ],
)
def test_a_length(text, sort, wanted):
    assert states("length", text, sort) == [wanted]


def test_a_least_length():
    assert states("min_length", "8") == [Length("x", 8)]
    assert states("min_length", "0") == ["no rule"]


@pytest.mark.parametrize(
    ("meaning", "text"),
    [("type", "integer"), ("length", "8"), ("min", "0"), ("format", "YYYYMMDD"), ("range", "0-9"),
     ("codes", "a;b"), ("pattern", "^a+$"), ("reference", "t.c"), ("unique", "Yes"),
     ("max", "{end}"), ("max", "today")],
)  # fmt: skip
def test_what_is_said_of_each_of_several_values_is_a_question(meaning, text):
    assert states(meaning, text, many=True) == ["several_values"]
    assert states("required", "Yes", many=True) == [MUST]


def test_precision_and_scale():
    assert states("precision", "18", "decimal") == [typed("decimal", 18)]
    assert states("scale", "2", "number") == [typed("decimal", None, 2)]
    assert states("precision", "5", "integer") == [typed("integer", 5)]
    assert states("scale", "0", "integer") == ["no rule"]
    assert states("scale", "2", "text") == ["not_understood"]
    assert states("precision", "many", "decimal") == ["not_understood"]


# Bounds -------------------------------------------------------------------------------------------


def low(value, **more):
    return Range("x", low=value, as_times=isinstance(value, date), unknown="bad", **more)


def high(value, **more):
    return Range("x", high=value, as_times=isinstance(value, date), unknown="bad", **more)


@pytest.mark.parametrize(
    ("meaning", "value", "sort", "wanted"),
    [
        ("min", "0", None, low(0)),
        ("min", "41.5", None, low(Decimal("41.5"))),
        ("min", "0.10", "decimal", low(Decimal("0.10"))),
        ("min", Decimal("0.0000001"), None, low(Decimal("0.0000001"))),
        ("min", "-32872", "integer", low(-32872)),
        ("min", "1,000", None, low(1000)),
        ("max", "25 000", None, high(25000)),
        ("max", "−5", None, high(-5)),
        ("min", "> 0", None, low(0, low_open=True)),
        ("max", "≤ 10", None, high(10)),
        ("exclusive_min", "0", None, low(0, low_open=True)),
        ("exclusive_max", "9", None, high(9, high_open=True)),
        ("min", "'19500101'", None, low(date(1950, 1, 1))),
        ("min", "19500101", "date", low(date(1950, 1, 1))),
        ("min", "19500101", None, low(19500101)),
        ("min", "1/1/1900", None, low(date(1900, 1, 1))),
        ("max", "13/4/2024", None, high(date(2024, 4, 13))),
        ("max", "2019-10-01", "date", high(date(2019, 10, 1))),
        ("max", "1-Jan-2020", "date", high(date(2020, 1, 1))),
        ("max", MIDNIGHT, "date", high(date(2024, 5, 1))),
        ("max", "today", "date", AgainstToday("x", "<=")),
        ("min", "{today}", None, AgainstToday("x", ">=")),
        ("max", "DATEADD(dd,1,GETDATE())", "timestamp", AgainstToday("x", "<=", 1, now=True)),
        ("min", "today - 30", "date", AgainstToday("x", ">=", -30)),
        ("max", "{end}", "date",
         Compare("end_date", ">=", "x", "any_missing", "good", "day")),
        ("min", "[end]", None, Compare("x", ">=", "end_date", "any_missing", "good")),
        ("exclusive_min", "${end}", None, Compare("x", ">", "end_date", "any_missing", "good")),
        ("max", "end_date", None, Compare("end_date", ">=", "x", "any_missing", "good")),
        ("max", "-1", None, high(-1)),
        ("max", "N/A", None, "no rule"),
        ("max", "unbounded", None, "no rule"),
        ("exclusive_min", False, None, "no rule"),
        ("exclusive_min", True, None, "not_understood"),
        ("max", "TBD", None, "not_understood"),
        ("max", "see unit", None, "unit"),
        ("max", "10 cm", None, "unit"),
        ("max", "10%", None, "unit"),
        ("max", "See list B", None, "list_elsewhere"),
        ("min", "{start}", None, "name_unresolved"),
        ("min", "3/4/2024", None, "not_understood"),
        ("min", "1/1/24", "date", "not_understood"),
        ("min", "1,5", None, "not_understood"),
        ("min", "00", "text", "not_understood"),
        ("min", "31/2/2020", "date", "not_understood"),
        ("min", 43831, "date", "corrupted_cell"),
        ("max", "47848", "timestamp", "corrupted_cell"),
        ("max", "1850", "date", "not_understood"),
        ("max", date(2020, 1, 3), "integer", "corrupted_cell"),
        ("max", "2020-01-03", "integer", "not_understood"),
        ("max", "today", "number", "not_understood"),
        ("max", "YEAR(GETDATE())+1", "integer", "not_understood"),
        ("min", "< 5", None, "not_understood"),
        ("min", "about 5", None, "not_understood"),
        ("min", "5 or 6", None, "not_understood"),
    ],
)  # fmt: skip
def test_a_bound(meaning, value, sort, wanted):
    assert states(meaning, value, sort) == [wanted]


def test_a_whole_bound_is_a_whole_number():
    (found,) = states("min", "1,000")
    assert type(found.low) is int
    (found,) = states("min", "1000.0")
    assert str(found.low) == "1000.0"


def test_the_day_is_proposed_where_the_cell_holds_its_number():
    (found,) = read_value("max", cell(43831), field("date"), SETTING)
    assert "2020-01-01" in found.check.reason


def test_which_part_of_a_day_comes_first_is_told_by_the_setting():
    for day_first, wanted in ((True, date(2024, 4, 3)), (False, date(2024, 3, 4))):
        setting = Setting(day_first=day_first)
        assert states("min", "3/4/2024", "date", setting) == [low(wanted)]


# Formats and patterns -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("YYYYMMDD", "%Y%m%d"),
        ("yyyy-mm-dd", "%Y-%m-%d"),
        ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S"),
        ("yyyy-mm-dd hh:mm:ss", "%Y-%m-%d %H:%M:%S"),
        ("yyyy-mm-ddThh:mm:ss", "%Y-%m-%dT%H:%M:%S"),
        ("DD/MM/YYYY", "%d/%m/%Y"),
        ("MM/DD/YYYY", "%m/%d/%Y"),
        ("dd-MON-yyyy", "%d-%b-%Y"),
        ("YYYY", "%Y"),
        ("HH:MM", "%H:%M"),
        ("hh:mm AM/PM", "%I:%M %p"),
        ("YYYYMMDDHHMMSS", "%Y%m%d%H%M%S"),
    ],
)
def test_a_mask_of_days_and_times(text, wanted):
    assert states("format", text) == [Format("x", wanted, exact=True)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Day/Month/Year", Format("x", "%d/%m/%Y")),
        ("####", Matches("x", ("^[0-9]{4}$",))),
        ("###-###-####", Matches("x", (r"^[0-9]{3}\-[0-9]{3}\-[0-9]{4}$",))),
        ("{integer}", typed("integer")),
        ("{float}", typed("number")),
        ("date_dmy", typed("date")),
        ("datetime_mdy", typed("timestamp")),
        ("number_2dp", typed("decimal", None, 2)),
        ("uuid", Matches("x", (UUID,))),
        ("Upper case", Matches("x", ("[a-zß-öø-ÿ]",), negated=True)),
        ("[aerobe| anaerobe|other]", OneOf("x", ("aerobe", "anaerobe", "other"))),
        ("^[A-Z]{3}$", Matches("x", ("^[A-Z]{3}$",))),
        ("{text}", "no rule"),
        ("autocomplete", "no rule"),
        ("N/A", "no rule"),
        ("{float} {unit}", "format"),
        ("{termLabel} {[termID]}", "format"),
        ("{PMID}|{DOI}", "format"),
        ("nn.nnnnn", "format"),
        ("8.1", "format"),
        ("date9.", "format"),
        ("datetime20.", "format"),
        ("email", "format"),
        ("ISO 8601", "format"),
        ("Right justified, zero filled", "format"),
        ("yyyy-mm-dd hh:mm:ss Z", "format"),
        ("TRUE", "format"),
        ("YYYY-MM-DD or YYYY", "not_understood"),
        ("MM", "not_understood"),
        ("mm:ss", "not_understood"),
        ("as agreed", "not_understood"),
    ],
)
def test_a_format(text, wanted):
    assert states("format", text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted", "caveats"),
    [
        ("^[A-Z]{3}$", "^[A-Z]{3}$", 0),
        (r"\A\d+\Z", r"\A\d+\Z", 0),
        ("^abc", "^abc", 0),
        ("[A-Z]{3}", "^(?:[A-Z]{3})$", 1),
        ("a|b", "^(?:a|b)$", 1),
        ("(?i)abc+", "(?i)^(?:abc+)$", 1),
        (r"[A-Z]+\$", r"^(?:[A-Z]+\$)$", 1),
        ("/^a+$/", "^a+$", 0),
        ("/^a+$/i", "(?i)^a+$", 0),
    ],
)
def test_a_pattern_without_anchors_is_that_of_the_whole_value(text, wanted, caveats):
    (found,) = read_value("pattern", cell(text), field(), SETTING)
    assert found.check.predicate == Matches("x", (wanted,))
    assert [caveat.code for caveat in found.caveats] == ["pattern_whole"] * caveats


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[", "regex"),
        ("*.csv", "regex"),
        ("/a+/x", "regex"),
        ("(?x) a b+", "regex"),
        ("Must be a number", "not_understood"),
        ("What is it?", "not_understood"),
        ("A%", "not_understood"),
        ("{float} {unit}", "format"),
    ],
)
def test_what_is_no_pattern_is_a_question(text, code):
    assert states("pattern", text) == [code]


# Keys and references ------------------------------------------------------------------------------


def found_in(table, column):
    return Exists(Lookup(table, (("x", column),)), missing="good")


@pytest.mark.parametrize(
    ("meaning", "text", "wanted"),
    [
        ("primary_key", "Yes", [Unique(("x",)), MUST]),
        ("primary_key", "PK", [Unique(("x",)), MUST]),
        ("primary_key", "2", [Unique(("x",)), MUST]),
        ("primary_key", "PK, FK", [Unique(("x",)), MUST, "other_records"]),
        ("primary_key", "FK", ["other_records"]),
        ("primary_key", "No", ["no rule"]),
        ("primary_key", "-1", ["no rule"]),
        ("primary_key", "X", ["not_understood"]),
        ("unique", "TRUE", [Unique(("x",))]),
        ("unique", "FALSE", ["no rule"]),
        ("unique", "unique within site", ["not_understood"]),
        ("foreign_key", "Yes", ["other_records"]),
        ("foreign_key", "PK", ["no rule"]),
        ("foreign_key", "DimOkres.OkresID", [found_in("DimOkres", "OkresID")]),
        ("foreign_key", "references sites(id)", [found_in("main.sites", "id")]),
        ("foreign_key", "sites", ["other_records"]),
        ("foreign_key", "fish_field, fish_lab", ["other_records"]),
        ("foreign_key", "some other thing", ["not_understood"]),
        ("reference", "a.b.c", [found_in("a.b", "c")]),
        ("reference", "n/a", ["no rule"]),
        ("reference_table", "sites", ["other_records"]),
        ("reference_column", "id", ["other_records"]),
    ],
)
def test_a_key(meaning, text, wanted):
    assert states(meaning, text) == wanted


# Cells that are unfit, and what else there is -----------------------------------------------------


@pytest.mark.parametrize("meaning", sorted(MEANINGS))
def test_a_struck_cell_states_no_rule_and_a_spoilt_one_is_a_question(meaning):
    struck = read_value(meaning, cell("Yes", struck=True), field(), SETTING)
    assert [s.check.reason for s in struck] == ["its text is struck through"]
    spoilt = read_value(meaning, cell("#REF!", trouble="an error value, #REF!"), field(), SETTING)
    assert [s.check.code for s in spoilt] == ["corrupted_cell"]


def test_every_meaning_has_a_kind_and_others_are_not_read_here():
    assert KINDS.keys() == MEANINGS
    assert states("rule", "x > 5") == []
    assert not understood("rule", cell("x"), field(), SETTING)


@pytest.mark.parametrize(
    ("meaning", "text", "wanted"),
    [
        ("default", "((0))", "no rule"),
        ("severity", "HIGH", "no rule"),
        ("action", "drop", "no rule"),
        ("status", "Retired", "no rule"),
        ("null_words", "-999", "no rule"),
        ("cardinality", "0..1", "no rule"),
        ("cardinality", "1..*", MUST),
        ("cardinality", "1:1", "not_understood"),
        ("cardinality", "1:N", "not_understood"),
        ("cardinality", "one to many", "not_understood"),
        ("cardinality", "-1", "no rule"),
        ("cardinality", "m", "no rule"),
        ("cardinality", "5", "no rule"),
        ("cardinality", "some", "not_understood"),
    ],
)
def test_cells_that_tell_of_the_field(meaning, text, wanted):
    assert states(meaning, text) == [wanted]
