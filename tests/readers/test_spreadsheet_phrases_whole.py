"""Nothing of a phrase is dropped: one more word, one word less, and it is no longer the same rule."""

from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal

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
    "zork", "unless", "except", "usually", "not", "adult", "approximately", "other", "7", '"q"',
    "weekly", "total", "sometimes", "*", "?", "and", "or", "(draft)", "§", "if", "%", "kg",
)  # fmt: skip


def meaning(text):
    return read_phrase(text, AMOUNT, SETTING)


def is_rule(statement):
    return not isinstance(statement.check, Unread | NotARule)


@pytest.mark.parametrize("word", ADDED)
def test_one_more_word_is_never_the_same_rule(word):
    kept = []
    for text in CONVERTIBLE:
        same = set(meaning(text))
        words = text.split(" ")
        for place in range(len(words) + 1):
            longer = " ".join([*words[:place], word, *words[place:]])
            found = meaning(longer)
            if set(found) >= same and all(is_rule(s) for s in found):
                kept.append(longer)
    assert [k for k in kept if not is_harmless(k, word)] == []


def is_harmless(text, word):
    """`(total) amount …`: nothing yet."""
    return False


def test_one_word_less_is_never_the_same_rule():
    kept = []
    for text in CONVERTIBLE:
        same = meaning(text)
        words = text.split(" ")
        for place in range(len(words)):
            shorter = " ".join([*words[:place], *words[place + 1 :]])
            if meaning(shorter) == same and words[place].casefold().strip('.,:"•;()') not in FILLERS:
                kept.append((text, words[place]))
    assert kept == []


# Words without which these phrases mean the same.
FILLERS = frozenset(
    """
    the a an of be is are always must value values field fields record records row only for in
    to and note it this that all - -> following one either both long length total from with
    """.split()
)


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


# What stands in a check stands in the phrase ------------------------------------------------------


def parts(value):
    if is_dataclass(value):
        for field in fields(value):
            if field.name not in ("caveats", "title", "severity", "action_word", "kind", "operator"):
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


@pytest.mark.parametrize("text", CONVERTIBLE)
def test_reading_twice_gives_the_same(text):
    assert meaning(text) == meaning(text)
