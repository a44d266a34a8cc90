"""Nothing of a phrase is dropped: one word more or less, and it is another rule, or none."""

from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phrase_converts import ONE_RULE
from phrase_scoped import SCOPED, SEVERAL_RULES
from phrase_setting import AMOUNT, LABELS, SETTING

from ruleferry.converters.readers.spreadsheet.phrases import (
    read_constraint,
    read_phrase,
    read_relevance,
    relevance_statements,
)
from ruleferry.converters.rule import NotARule, Unread

CONVERTIBLE = sorted(
    {text for text, *_ in ONE_RULE}
    | {text for text, *_ in SCOPED}
    | {text for text, expected in SEVERAL_RULES if expected}
)
# Words that a person might add; none of them leaves a rule as it is.
ADDED = (
    "unless", "except", "usually", "not", "adult", "approximately", "other", "7", '"q"', "weekly",
    "total", "sometimes", "*", "?", "(draft)", "§", "if", "%", "kg", "to", "than",
)  # fmt: skip


def meaning(text):
    return read_phrase(text, AMOUNT, SETTING)


def is_rule(statement):
    return not isinstance(statement.check, Unread | NotARule)


def longer(text, word, step=1):
    """The phrase with the word at each of its places, or at some of them."""
    words = text.split(" ")
    for place in range(0, len(words) + 1, step):
        yield " ".join([*words[:place], word, *words[place:]])


@pytest.mark.parametrize("text", CONVERTIBLE)
def test_one_unknown_word_more_is_no_rule(text):
    same = meaning(text)
    for phrase in longer(text, "zork"):
        found = meaning(phrase)
        assert found != same, phrase
        assert not set(map(rule_of, same)) & set(map(rule_of, found)) or told(found, "zork"), phrase


def rule_of(statement):
    return (statement.check, statement.scope) if is_rule(statement) else None


def told(statements, word):
    """The word stands in a rule or beside it: in a value, or in what a reader is told of it."""
    return any(word in repr(s) for s in statements if is_rule(s)) or any(
        isinstance(s.check, Unread) for s in statements
    )


@pytest.mark.parametrize("turn", range(0, len(ADDED), 4))
def test_one_word_more_is_never_the_same_rule(turn):
    for number, text in enumerate(CONVERTIBLE):
        word = ADDED[(number + turn) % len(ADDED)]
        for phrase in longer(text, word, step=3):
            assert meaning(phrase) != meaning(text) or (text, word) in SYNONYMS, phrase


# What may stand there or not, without another meaning.
SYNONYMS = {
    ("must have a length of 11", "total"),
}


@pytest.mark.parametrize("text", CONVERTIBLE)
def test_one_word_less_is_never_the_same_rule(text):
    same, words = meaning(text), text.split(" ")
    for place, word in enumerate(words):
        shorter = " ".join([*words[:place], *words[place + 1 :]])
        if word.casefold().strip('.,:"•;()1\n') not in FILLERS:
            assert meaning(shorter) != same, word


# Words without which these phrases mean the same.
FILLERS = {
    "", "the", "a", "an", "of", "be", "is", "are", "always", "must", "value", "values", "field",
    "fields", "record", "records", "row", "only", "for", "in", "to", "and", "or", "note", "it",
    "this", "that", "all", "following", "one", "either", "both", "long", "length", "total", "from",
    "with", "then", "than", "when", "date", "datetime", "format", "use", "column", "expected",
    "left", "code", "iso", "valid", "exactly", "contain", "table", "inclusive", "empty", "amount",
    "=", "-", "->",
}  # fmt: skip


WORDS = sorted({word for text in CONVERTIBLE for word in text.split()} | set(ADDED))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_no_mixture_of_words_raises(text):
    for statement in read_phrase(text, AMOUNT, SETTING):
        assert literals_of(statement) <= literals_in(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_no_text_raises(text):
    read_phrase(text, AMOUNT, SETTING)
    read_phrase(text, None, SETTING)
    read_relevance(text, SETTING)
    relevance_statements(text, AMOUNT, SETTING)
    read_constraint(text, AMOUNT, SETTING)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="[]${}().'\"=<>!&| andor01x^#:;,-", max_size=40))
def test_no_syntax_raises(text):
    read_phrase(text, AMOUNT, SETTING)
    read_relevance(text, SETTING)
    read_constraint(text, AMOUNT, SETTING)


LONG = [
    "Required if " + "low = 1 and " * 110 + "high = 2",
    "low = 1 and " * 110 + "high = 2",
    "must be one of: " + ", ".join(str(i) for i in range(290)),
    "must be one of: " + ", ".join(f"v{i}" for i in range(290)),
    ", ".join(["low"] * 290) + " and high must be unique",
    "(" * 290 + "low = 1" + ")" * 290,
    "required if " + "(" * 290 + "low = 1" + ")" * 290,
    "not(" * 140 + "[low] = 1" + ")" * 140,
    "must be numeric and " * 140 + "positive",
    "FAIN is required " + "for loans (RecordType = 1) " * 70,
    "total = " + "part_a + " * 290 + "part_b",
    "must contain only " + "letters, " * 290 + "digits",
    "low and high " * 190 + "are provided",
    "if " * 590,
    "1 000 " * 290,
    "must be at least 5. " * 90,
    "(. > 1) and " * 80 + ". < 5",
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:20])
def test_a_long_text_is_read_or_refused_in_no_time(text):
    begun = process_time()
    read_phrase(text, AMOUNT, SETTING)
    read_relevance(text, SETTING)
    read_constraint(text, AMOUNT, SETTING)
    assert process_time() - begun < 5


# What stands in a check stands in the phrase ------------------------------------------------------


def parts(value):
    if is_dataclass(value):
        for field in fields(value):
            if field.name not in (
                "caveats",
                "title",
                "severity",
                "action_word",
                "kind",
                "operator",
            ):
                yield from parts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from parts(part)
    else:
        yield value


def literals_of(statement):
    """The numbers and dates of a rule, as texts; 0 and 1 come of words too (positive, either)."""
    if not is_rule(statement):
        return set()
    found = {p for p in parts((statement.check, statement.scope)) if is_number(p)}
    return {str(p) for p in found} - {"0", "1", "-1", "2"}


def is_number(value):
    return isinstance(value, int | Decimal | date) and not isinstance(value, bool)


WRITTEN = {"twelve": "12", "three": "3", "25,000": "25000", "2010": "2010-10-01"}


def literals_in(text):
    plain = text.replace("25 000", "25000").replace("–", "-")
    cut = "".join(c if c.isalnum() or c in ".-" else " " for c in plain).split()
    found = {w.strip(".-") for w in cut} | {w.strip(".") for w in cut}
    found |= {part for w in cut for part in w.split("-")}
    return found | {v for k, v in WRITTEN.items() if k in text} | {"2024-12-31", "2010-10-01"}


@pytest.mark.parametrize("text", CONVERTIBLE)
def test_the_numbers_of_a_rule_stand_in_its_phrase(text):
    for statement in meaning(text):
        assert literals_of(statement) <= literals_in(text)


@pytest.mark.parametrize("text", CONVERTIBLE)
def test_the_columns_of_a_rule_stand_in_its_phrase_or_are_its_field(text):
    labels = {column for label, column in LABELS.items() if label in text}
    for statement in meaning(text):
        for column in statement.columns:
            assert column == "amount" or column in text or column in labels


@pytest.mark.parametrize("text", [t for t in CONVERTIBLE if '"' not in t and "#" not in t])
def test_case_and_blanks_change_no_rule(text):
    spaced = "  ".join(text.split(" ")) + "  "
    assert meaning(spaced) == meaning(text)
