import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.mappings import table
from ruleferry.converters.readers.spreadsheet.meaning.header_words import (
    RULES,
    candidates,
    folded,
    known_meaning,
    meanings,
    words_of,
)

SURE = [
    ("Nullable?", "nullable"), ("NULLABLE", "nullable"), ("Optional?", "nullable"),
    ("Allow blanks?", "nullable"), ("Nullowalny?", "nullable"), ("isRequired", "required"),
    ("Required Field?", "required"), ("Not Null", "required"), ("Min. Value", "min"),
    ("plausibleValueHigh", "max"), ("Minimum Length", "min_length"), ("Maximum Length", "length"),
    ("maxLength", "length"), ("LABEL", "label"), ("Type & Description", "description"),
    ("CCW Sample Data", "example"), ("Example", "example"), ("Example value", "example"),
    ("Example(s)", "example"), ("Notes", "description"), ("Comments (internal)", "description"),
    ("cdmFieldName", "column"), ("VARIABLE NAME", "column"), ("Variable / Field Name", "column"),
    ("fieldname", "column"), ("Column_Name", "column"), ("Column\nName", "column"),
    ("cdmTableName", "table"), ("DATA_TYPE", "type"), ("label::English (en)", "label"),
    ("label::Swahili (sw)", "label"), ("Required (Y/N)", "required"),
    ("fkTableName", "reference_table"),
    ("Null %", "ignore"), ("Java Field Name", "ignore"), ("Sort Order", "order"),
    ("Choices, Calculations, OR Slider Labels", "codes"), ("bind: relevant", "condition"),
    ("Spaltenname", "column"), ("Datentyp", "type"), ("Pflichtfeld", "required"),
    ("Länge", "length"),
    ("Obligatoire ?", "required"), ("Nom du champ", "column"), ("Tipo de dato", "type"),
    ("Descrição", "description"), ("Obbligatorio", "required"), ("Verplicht", "required"),
    ("Nazwa klumny", "column"), ("Długość", "length"), ("Обязательность", "required"),
    ("Тип данных", "type"), ("Допустимые значения", "codes"), ("字段", "column"),
    ("可为空", "nullable"),
    ("数据类型", "type"), ("Kolumnnamn", "column"),
]  # fmt: skip

UNSURE = [
    ("Expected value", {"type", "format", "rule"}),  # what is expected: a type, a format, a text
    ("range", {"type", "range"}),  # in LinkML a type
    ("Key", {"column", "primary_key"}),
    ("Value", {"code", "codes"}),
    ("Code", {"code", "column", "codes"}),
    ("Name", {"column", "rule_name"}),
    ("Unique ID", {"column", "rule_id"}),  # a name, and never that the column is unique
    ("Unique identifier", {"column", "rule_id"}),
    ("Cardinality - Min", {"cardinality"}),  # never required
    ("Size", {"type", "length"}),
    ("Mode", {"required"}),
    ("Requirement", {"required", "rule"}),
    ("Foreign Key", {"foreign_key", "reference"}),
    ("Length (bytes)", {"length"}),  # what stands in parentheses is not known to be harmless
    ("Minimum (observed)", {"min"}),
    ("是否为空", {"nullable"}),  # some mean by it that it may not be
]

UNKNOWN = [
    "Recommended",
    "preferred",
    "migs_eu",
    "",
    " ",
    "?",
    "Required ≥",
    "Not a required field x",
]


@pytest.mark.parametrize(("text", "meaning"), SURE)
def test_a_word_that_has_one_meaning(text, meaning):
    (found,) = candidates(text)
    assert (found.meaning, found.sure) == (meaning, True)
    assert known_meaning(text) == meaning


@pytest.mark.parametrize(("text", "expected"), UNSURE)
def test_a_word_that_may_have_several(text, expected):
    found = candidates(text)
    assert {candidate.meaning for candidate in found} == expected
    assert not any(candidate.sure for candidate in found)


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_word_that_nobody_knows(text):
    assert candidates(text) == ()
    assert known_meaning(text) is None


@pytest.mark.parametrize("text", ["Recommended", "Preferred", "Cardinality - Min", "Unique ID"])
def test_what_is_near_to_a_rule_and_is_none(text):
    found = {candidate.meaning for candidate in candidates(text)}
    assert not found & {"required", "nullable", "unique"}


def test_polarity_is_a_meaning_of_its_own():
    for text in ("Optional", "Nullable", "Allow nulls", "Not required", "Null allowed"):
        assert known_meaning(text) == "nullable"
    for text in ("Mandatory", "Not null", "Not nullable", "Obligatory"):
        assert known_meaning(text) == "required"


def test_words_that_are_ignored_have_no_other_meaning():
    for word in table("headers")["ignore"]["sure"]:
        assert [candidate.meaning for candidate in candidates(word)] == ["ignore"]


def test_each_word_stands_once_in_its_meaning_and_is_sure_in_one():
    rows = table("headers")
    for meaning, groups in rows.items():
        words = [folded(word) for words in groups.values() for word in words]
        assert len(words) == len(set(words)), meaning
    sure = [folded(word) for groups in rows.values() for word in groups.get("sure", ())]
    others = {folded(w) for g in rows.values() for k in ("maybe", "by_cells") for w in g.get(k, ())}
    assert len(sure) == len(set(sure))
    assert not set(sure) & others


def test_what_bears_rules_is_among_the_meanings():
    assert set(meanings()) >= RULES


@settings(deadline=None)
@given(st.text())
def test_any_text_has_its_candidates(text):
    found = candidates(text)
    assert (known_meaning(text) is None) == (not found)
    assert len({candidate.meaning for candidate in found}) == len(found)


@settings(deadline=None)
@given(
    st.sampled_from([text for text, _ in SURE]), st.sampled_from(["_", "-", " ", ".", "\n", " / "])
)
def test_case_and_signs_change_nothing(text, sign):
    if "::" in text or "(" in text or "%" in text:
        return
    words = words_of(text)
    assert known_meaning(sign.join(words)) == known_meaning(text)
    assert known_meaning(" ".join(words).upper() + "?") == known_meaning(text)
