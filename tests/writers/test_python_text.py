"""Literals that ruff format leaves alone, and comments that nothing breaks out of."""

import ast
import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.writers import python_text
from ruleferry.converters.writers.python_text import (
    comment,
    literal,
    pieces,
    shortened,
    width,
    with_literal,
)

ANY_TEXT = st.text(st.characters(codec=None, categories=None))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a > 0", '"a > 0"'),
        ("a IN ('F', 'O')", "\"a IN ('F', 'O')\""),
        ('say "no"', "'say \"no\"'"),
        ("""it's "no\"""", "'it\\'s \"no\"'"),
        ("""'F' = "F\"""", '"\'F\' = \\"F\\""'),  # as many of each: double quotes
        ("a RLIKE '^\\\\d'", "\"a RLIKE '^\\\\\\\\d'\""),
        ("Größe = 'Ω'", "\"Größe = 'Ω'\""),
        ("\r\n\t\x00\x7f\x85", '"\\r\\n\\t\\x00\\x7f\\x85"'),
        ("\u202e\u2028\ufeff", '"\\u202e\\u2028\\ufeff"'),
        ("\U0001f600\ud800e\u0301", '"\\U0001f600\\ud800e\\u0301"'),
        ('"""', '\'"""\''),
        ("${x} {y} %s", '"${x} {y} %s"'),
    ],
)
def test_literal(text, written):
    assert literal(text) == written
    assert ast.literal_eval(written) == text


@given(ANY_TEXT, st.integers(12, 92))
def test_pieces_join_to_the_text_and_fit(text, room):
    parts = pieces(text, room)
    assert "".join(ast.literal_eval(part) for part in parts) == text
    assert all(width(part) <= room for part in parts)
    assert all(part.isprintable() for part in parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("aaaaaaaa AND bbbb bbbb OR ccc", ["aaaaaaaa ", "AND bbbb bbbb ", "OR ccc"]),
        ("aaaaaaa, bbbbb bbb, ccc", ["aaaaaaa, ", "bbbbb bbb, ccc"]),
        ("aaaaaaaaa bbbb ccccccccc", ["aaaaaaaaa bbbb ", "ccccccccc"]),
        ("a" * 20, ["a" * 16, "aaaa"]),
        ("a bbbbbbbbbbbbbbbbbbbbb", ["a bbbbbbbbbbbbbb", "bbbbbbb"]),  # not a piece of two
        ("aaaaaaaaaaaaaa\\b", ["aaaaaaaaaaaaaa\\", "b"]),  # an escape is never cut
        ("'\"" * 8, ["'\"" * 5 + "'", '"\'"\'"']),  # one of the two is escaped, whichever
        ("OR" * 4 + " ORDER x y", ["OROROROR ORDER ", "x y"]),  # ORDER is not OR
    ],
)
def test_pieces_break_where_a_person_would(text, parts):
    found = pieces(text, 18)
    assert [ast.literal_eval(part) for part in found] == parts
    assert max(map(len, found)) <= 18


@pytest.mark.parametrize("length", [86, 87, 88, 89, 90, 91, 200])
def test_a_value_is_on_one_line_then_in_brackets_then_in_pieces(length):
    lines = with_literal('"n": ', "x" * length, ",", indent=4)
    assert "".join(ast.literal_eval("{" + "\n".join(lines) + "}").values()) == "x" * length
    assert len(lines) == (1 if length <= 88 else 3 if length <= 90 else 2 + -(-length // 90))
    assert max(map(len, lines)) <= 100


def test_widths_are_those_that_ruff_counts():
    shown = [
        chr(code)
        for low, high, _ in python_text._SHOWN
        for code in {*range(low, high, 1 + (high - low) // 60), high}
        if chr(code) not in '"\\'
    ]
    text = "".join(f'x = "{"a" * 100}{char * 10}"\n' for char in shown)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length=100"]
    command += ["--select=E501", "--output-format=json", "-"]
    run = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    found = {
        shown[fault["location"]["row"] - 1]: int(re.search(r"\((\d+)", fault["message"])[1])
        for fault in json.loads(run.stdout)
    }
    assert found == {char: 106 + 10 * width(char) for char in shown}


def test_ranges_of_shown_characters_do_not_overlap():
    ends = [end for low, high, _ in python_text._SHOWN for end in (low, high)]
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("suites/orders.json", "suites/orders.json"),
        ("a\nimport os", "a⏎import os"),
        ("a\r\x0b\x85\u2028b", "a⏎⏎⏎⏎b"),
        ("rtl \u202e txt\u200b", "rtl ⟨U+202E⟩ txt⟨U+200B⟩"),
        ("\x00\ud800", "⟨U+0000⟩⟨U+D800⟩"),
        ("Dict #1.xlsx", "Dict #1.xlsx"),
        ("x # noqa: E501", "x \\x23 noqa: E501"),
        ("x #NOQA", "x \\x23NOQA"),
        ("x # type: ignore # fmt: off", "x \\x23 type: ignore \\x23 fmt: off"),
    ],
)
def test_comment(text, written):
    assert comment(text) == written


@given(ANY_TEXT)
def test_a_comment_is_one_line_of_utf8(text):
    line = "# " + comment(text)
    assert line.splitlines() == [line]
    assert ast.dump(ast.parse(line.encode("utf-8"))) == ast.dump(ast.parse(""))


@pytest.mark.parametrize(
    ("text", "room", "written"),
    [
        ("orders.json:3", 13, "orders.json:3"),
        ("orders.json:3", 12, "...rs.json:3"),
        ("日本.json", 8, "....json"),
    ],
)
def test_shortened_keeps_the_end(text, room, written):
    assert shortened(text, room) == written
    assert width(written) <= room
