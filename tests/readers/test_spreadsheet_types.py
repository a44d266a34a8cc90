"""Cells that tell the type of a field, how long it is, and how many digits it has."""

import pytest
from dictionary_values import SETTING, cell, field, states

from ruleferry.converters.predicates import (
    Format,
    Json,
    Length,
    Matches,
    OneOf,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.readers.spreadsheet.values.cell_values import (
    holds_many,
    sort_of,
    type_statements,
    understood,
)
from ruleferry.converters.readers.spreadsheet.values.type_texts import UUID

MUST = Present("x")


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
    ("select_one yes_No or_other", [OneOf("x", ("yes", "no", "other"))]),
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
