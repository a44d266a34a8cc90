"""Cells of one meaning each: required, keys, cells that are unfit, several values."""

import pytest
from dictionary_values import SETTING, cell, field, states

from ruleferry.converters.predicates import (
    Present,
)
from ruleferry.converters.readers.spreadsheet.statement import Setting
from ruleferry.converters.readers.spreadsheet.values.cell_values import (
    MEANINGS,
    read_value,
    understood,
)
from ruleferry.converters.readers.spreadsheet.values.outcomes import KINDS
from ruleferry.converters.rule import Exists, Lookup, Unique

MUST = Present("x")


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


def test_a_profile_may_call_a_recommendation_a_suggestion():
    setting = Setting(legend={"required": {"best": "suggestion"}})
    (found,) = read_value("required", cell("best"), field(), setting)
    assert found.suggested


def test_a_word_alone_is_followed_by_nothing():
    setting = Setting(legend={"required": {"recommended": "perhaps"}})
    (found,) = read_value("required", cell("Recommended"), field(), setting)
    assert found.check.reason == '"Recommended" is neither a yes nor a no'


def test_a_truth_value_is_read_as_its_word():
    assert states("required", True) == [MUST]
    assert states("nullable", True) == ["no rule"]


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
        ("cardinality", "2..5", "not_understood"),
        ("cardinality", "some", "not_understood"),
    ],
)
def test_cells_that_tell_of_the_field(meaning, text, wanted):
    assert states(meaning, text) == [wanted]
