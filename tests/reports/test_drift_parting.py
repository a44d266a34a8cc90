"""Two conditions that differ never look alike in a report, however long they are."""

import time
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruleferry.converters.reports.drift.parting import parting, shortened

VALUES = ", ".join(f"'{n:04}'" for n in range(500))


@pytest.mark.parametrize(("sources", "module", "told"), [
    ("x IN ('F', 'O')", "x IN ('F')", "only the sources list 'O'"),
    ("x IN ('F')", "x IN ('F', 'O')", "only the module lists 'O'"),
    ("x IN ('A', 'B', 'C')", "x IN ('B', 'D')",
     "only the sources list 'A' and 'C'; only the module lists 'D'"),
    ("x IN (1, -2, 3.5)", "x IN (1, 2)",
     "only the sources list -2 and 3.5; only the module lists 2"),
    ("x in ('it''s', 'it\\'s')", "x IN ('it''s')", "only the sources list 'it\\'s'"),
    ("y > 1 AND x NOT IN ('a')", "y > 1 AND x NOT IN ('b')",
     "only the sources list 'a'; only the module lists 'b'"),
    (f"x IN ({VALUES})", "x IN ('0000')",
     "only the sources list '0001', '0002', '0003', '0004', '0005', '0006' and 493 more"),
    ("x IN ('), y IN (')", "x IN ('a')",
     "only the sources list '), y IN ('; only the module lists 'a'"),
])  # fmt: skip
def test_values_of_lists(sources, module, told):
    assert parting(sources, module) == told


@pytest.mark.parametrize(("sources", "module", "told"), [
    ("length(x) <= 20", "length(x) <= 15", "the sources say 20; the module says 15"),
    ("x >= -5", "x >= -7.5", "the sources say -5; the module says -7.5"),
    ("x BETWEEN 0 AND 9", "x BETWEEN -1 AND 10",
     "the sources say 0 and 9; the module says -1 and 10"),
    ("x - 5 > 0", "x - 7 > 0", "the sources say 5; the module says 7"),
    ("x = 'a'", "x = 'b'", "the sources say 'a'; the module says 'b'"),
    ("x = 'a\tb'", "x = 'a b'", "the sources say 'a⟨U+0009⟩b'; the module says 'a b'"),
    ("y IN (1, 2) AND x > 1", "y IN (2, 1) AND x > 2", "the sources say 1; the module says 2"),
    ("d >= DATE'1992-01-01'", "d  >= DATE'1993-01-01'",
     "the sources say '1992-01-01'; the module says '1993-01-01'"),
])  # fmt: skip
def test_single_values(sources, module, told):
    assert parting(sources, module) == told


@pytest.mark.parametrize(("sources", "module", "told"), [
    ("x = 'a b'", "x = 'a\xa0b'",
     "the sources have ⟨U+0020⟩ there, the module has ⟨U+00A0⟩ there"),
    ("x = 'a b'", "x = 'a  b'", "the sources have nothing there, the module has ⟨U+0020⟩ there"),
    ("x = 'А'", "x = 'A'", "the sources have ⟨U+0410⟩ there, the module has A there"),
    ("x = 'é'", "x = 'e\u0301'",
     "the sources have ⟨U+00E9⟩ there, the module has e⟨U+0301⟩ there"),
    ("x = 'a'", "x = 'a\u200b'", "the sources have nothing there, the module has ⟨U+200B⟩ there"),
    ("x = '\n'", "x = '⏎'", "the sources have ⟨U+000A⟩ there, the module has ⟨U+23CE⟩ there"),
])  # fmt: skip
def test_characters_that_look_alike(sources, module, told):
    assert parting(sources, module) == told


@pytest.mark.parametrize(("sources", "module"), [
    ("x > 1", "x >= 1"),  # a look tells it
    ("x > 1", "x > 2 AND y > 1"),
    ("`a` > 1", "`b` > 1"),  # another column
    ("x IN (1, 2) AND y > 1", "x IN (1, 3) AND y > 2"),  # lists part as well: half is not all
    ("x IN (1) AND y IN (2) AND a > 1 AND b > 1 AND c > 1", "x = 1 AND a > 2 AND b > 2 AND c > 2"),
    ("a > 1 AND b > 1 AND c > 1", "a > 2 AND b > 2 AND c > 2"),  # more than the ends of a range
    ("x IN ('a')", "x = 'a'"),  # other words beside the lists
    ("x IN (SELECT a)", "x IN (SELECT b)"),  # no values
    ("x > 1", "x > 1"),
    ("", "x"),
    ("x IN ('b', 'a')", "x IN ('a', 'b')"),  # order alone is no difference
])  # fmt: skip
def test_nothing_is_told_where_a_look_tells_it(sources, module):
    assert parting(sources, module) == ""


CONDITIONS = st.lists(
    st.sampled_from(
        ["x", " ", "'a'", "'", "`", "IN (", ")", ", ", "-", "1", "aaaa" * 40, "b" * 333, "é",
         "\xa0", "\t", "##", "…", "(1,000 characters)", " AND ", "'v', " * 60]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(one=CONDITIONS, other=CONDITIONS, room=st.sampled_from([40, 120, 400]))
@example(one="a" * 5000 + "x" + "a" * 5000, other="a" * 5000 + "y" + "a" * 5000, room=400)
@example(one="a" * 5000, other="a" * 5001, room=400)
@example(one="a" * 400, other="a" * 401, room=400)
@settings(max_examples=400, deadline=None)
def test_two_that_differ_never_look_alike(one, other, room):
    shown = shortened(one, other, room), shortened(other, one, room)
    if one == other:
        assert shown[0] == shown[1]
        assert parting(one, other) == ""
    else:
        assert shown[0] != shown[1] or parting(one, other)


@given(one=CONDITIONS, other=CONDITIONS, room=st.sampled_from([200, 400, 600]))
@settings(max_examples=200, deadline=None)
def test_what_is_shown_is_short(one, other, room):
    plain = [text.replace("##", "").replace("\xa0", "").replace("\t", "") for text in (one, other)]
    assert len(shortened(*plain, room)) <= room + 40


def test_no_command_is_made_where_two_part():
    begin = "a" * 500
    shown = shortened(f"{begin}##vso[x]", f"{begin}#", 400)
    assert "##" not in shown
    assert "vso[x]" in shown


def test_a_short_one_is_shown_whole():
    assert shortened("x > 1", "y" * 9_000, 400) == "x > 1"


@pytest.mark.parametrize("piece", ["'", "'\\", "`", '"', "''", "IN (", "IN ('a', ", "'a' ", "-"])
def test_a_hostile_condition_takes_no_time(piece):
    text = (piece * 40_000)[:32_767]
    start = time.process_time()
    for one, other in product((text, f"{text}x", f"x IN ({text})"), repeat=2):
        parting(one, other)
        shortened(one, other, 400)
    assert time.process_time() - start < 3
