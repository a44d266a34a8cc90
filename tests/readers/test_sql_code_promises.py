"""Nothing raises, and code that is cut off has no rule that the whole of it does not have."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_code import founds_of, told
from sql_code_refused import NO_RULES, REFUSED
from sql_code_samples import CONVERTS

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.code import is_code
from ruleferry.converters.readers.sql.code.tokens import tokens
from ruleferry.converters.rule import NotARule, Unread

SAMPLES = [(c[1], c[2]) for c in (*CONVERTS, *REFUSED, *NO_RULES)]
# Without its ELSE the message of IF is the only one.
WHOLE = [(c[1], c[2]) for c in (*CONVERTS, *REFUSED, *NO_RULES) if not c[0].startswith("both")]
_MAY_END_ANYWHERE = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "ABORT")


def _checks(code, dialect):
    """What is checked; what is done then may stand in the part that is lost.

    A query as the last statement may end anywhere: nothing tells that it is cut off.
    """
    founds = founds_of(code, dialect)
    rules = [f for f in founds if not isinstance(f.checked.check, NotARule | Unread)]
    return {
        told(f).rpartition(" -> ")[0]
        for f in rules
        if f.end < len(code.rstrip()) or not _is_open(code[f.start : f.end])
    }


def _is_open(text):
    return text.startswith(_MAY_END_ANYWHERE) and "IF" not in text.split()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(WHOLE), st.floats(0, 1))
def test_a_cut_adds_no_rule(sample, share):
    dialect, code = sample
    cut = code[: int(len(code) * share)]
    assert _checks(cut, dialect) <= _checks(code, dialect), cut


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SAMPLES), st.randoms(use_true_random=False))
def test_no_order_of_words_raises(sample, chance):
    dialect, code = sample
    words = [token.text for token in tokens(code, sql_dialects()[dialect])]
    place, other = chance.randrange(len(words)), chance.randrange(len(words))
    part = words[min(place, other) : max(place, other)]
    chance.shuffle(part)
    words[min(place, other) : max(place, other)] = part
    _whole(" ".join(words), dialect)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(sql_dialects())), st.text(max_size=60))
def test_no_text_raises(dialect, text):
    _whole(text, dialect)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(SAMPLES), st.sampled_from(sorted(sql_dialects())))
def test_no_other_dialect_raises(sample, dialect):
    _whole(sample[1], dialect)


def _whole(text, dialect):
    is_code(text, sql_dialects()[dialect])
    founds = founds_of(text, dialect, offset=3)
    assert founds
    assert all(3 <= found.start <= found.end <= len(text) + 3 for found in founds)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(SAMPLES), st.randoms(use_true_random=False))
def test_tokens_are_where_they_say(sample, chance):
    dialect, code = sample
    text = code[chance.randrange(len(code)) :]
    end = 0
    for token in tokens(text, sql_dialects()[dialect]):
        assert token.start >= end
        assert text[token.start : token.end] == token.text
        end = token.end


@pytest.mark.parametrize("word", ["BEGIN ", "IF 1=1 THEN ", "IF 1=1 ", "LOOP ", "(", "CASE ", "/*"])
@pytest.mark.parametrize("dialect", ["oracle", "tsql", "postgres", "mysql"])
def test_deep_nesting_is_a_gap(word, dialect):
    _whole(word * 3_000, dialect)
