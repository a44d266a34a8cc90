"""Which comments belong to a statement, and what they say without their marks."""

import pytest
from sql_split import cut

from ruleferry.converters.readers.sql.split import comments_of
from ruleferry.converters.readers.sql.split.comments import bare


def told(text, word="postgres"):
    script = cut(text, word)
    statements = [piece for piece in script.pieces if piece.kind == "statement"]
    return [[(c.where, c.text) for c in comments_of(script, piece)] for piece in statements]


HEADER = "/*******\n * Load of orders\n *******/\n\n"
PLACES = [
    ("above", "-- R1 a\nSELECT 1;", [[("above", "R1 a")]]),
    ("several above", "-- R1\n-- high\nSELECT 1;", [[("above", "R1"), ("above", "high")]]),
    ("above on the same line", "/* R1 */ SELECT 1;", [[("above", "R1")]]),
    ("beside", "SELECT 1; -- R1", [[("beside", "R1")]]),
    ("beside before the end", "SELECT 1 -- R1\n;", [[("beside", "R1")]]),
    ("inside", "SELECT 1 -- R1\nFROM t;", [[("inside", "R1")]]),
    (
        "beside the first, above the second",
        "SELECT 1; -- R1\n-- R2\nSELECT 2;",
        [[("beside", "R1")], [("above", "R2")]],
    ),
    (
        "between two on one line",
        "SELECT 1; /* R2 */ SELECT 2;",
        [[], [("above", "R2")]],
    ),
    ("a header", HEADER + "SELECT 1;", [[("header", "Load of orders")]]),
    (
        "a header and one above",
        HEADER + "-- R1\nSELECT 1;\n-- R2\nSELECT 2;",
        [
            [("header", "Load of orders"), ("above", "R1")],
            [("header", "Load of orders"), ("above", "R2")],
        ],
    ),
    (
        "a blank line",
        "SELECT 1;\n-- part two\n\n-- R2\nSELECT 2;",
        [[], [("above", "R2")]],
    ),
    ("a blank line below", "SELECT 1;\n-- R2\n\nSELECT 2;", [[], [("above", "R2")]]),
    ("a ruler", "-- R1\n-- -----\nSELECT 1;", [[("above", "R1")]]),
    ("none", "SELECT '-- a';", [[]]),
]


@pytest.mark.parametrize(("text", "comments"), [p[1:] for p in PLACES], ids=[p[0] for p in PLACES])
def test_where_a_comment_stands(text, comments):
    assert told(text) == comments


def test_between_insert_and_select():
    text = "INSERT INTO log PARTITION (t='a')\n-- R00417 id is there\nSELECT 'R00417' FROM t;"
    assert told(text, "hive") == [[("inside", "R00417 id is there")]]


def test_remarks_of_a_client():
    text = "REM R1 a\nPROMPT check it\nSELECT 1 FROM t;\nPROMPT R2\nSELECT 2 FROM u;"
    assert told(text, "oracle") == [
        [("above", "R1 a"), ("above", "check it")],
        [("above", "R2")],
    ]


def test_marks_of_bigquery():
    assert told("#fail\nSELECT 1;\n\n#warn\nSELECT 2;", "bigquery") == [
        [("above", "fail")],
        [("above", "warn")],
    ]


def test_rulers_of_the_data_integrator_say_nothing():
    text = (
        "/* TASK No. 21 */\n/* CK errors */\nselect 1 from a\n"
        "& /*-----*/\n/* next */\nselect 2 from b"
    )
    assert told(text, "oracle-odi") == [
        [("above", "TASK No. 21"), ("above", "CK errors")],
        [("above", "next")],
    ]


def test_batches_without_semicolons():
    text = "-- R1\nSELECT 1 -- one\n-- R2\nSELECT 2\nGO\n-- R3\nSELECT 3"
    assert told(text, "tsql") == [
        [("above", "R1"), ("beside", "one")],
        [("above", "R2")],
        [("above", "R3")],
    ]


def test_a_placeholder_is_no_comment():
    assert told("SELECT 1 FROM #DB WHERE a = #VAL; # R1", "mysql") == [[("beside", "R1")]]


def test_offsets_are_those_of_the_script():
    script = cut("-- R1\nSELECT 1 /* in */ FROM t; -- R2", "postgres")
    (statement,) = (piece for piece in script.pieces if piece.kind == "statement")
    comments = comments_of(script, statement)
    assert [script.text[c.start : c.end] for c in comments] == ["-- R1", "/* in */", "-- R2"]


BARE = [
    ("-- a", "a"),
    ("--a--", "a"),
    ("---- a ----", "a"),
    ("# a", "a"),
    ("### a ###", "a"),
    ("// a", "a"),
    ("REM a", "a"),
    ("remark a", "a"),
    ("PROMPT a", "a"),
    ("REM", ""),
    ("/* a */", "a"),
    ("/** a **/", "a"),
    ("/*+ a */", "+ a"),
    ("/*\n * a\n *\n * b\n */", "a\nb"),
    ("/*==== a ====*/", "a"),
    ("/*******\n** a  **\n*******/", "a"),
    ("/*\r\n| a |\r\n| b |\r\n*/", "a\nb"),
    ("{# a #}", "a"),
    ("{#- a -#}", "a"),
    ("/*----*/", ""),
    ("-- =====", ""),
    ("--", ""),
    ("-- a-b", "a-b"),
    ("-- x > 0 -- note", "x > 0 -- note"),
    ("-- #1 of 5", "#1 of 5"),
    ("/* a * b */", "a * b"),
    ("-- 'it''s' (a)", "'it''s' (a)"),
]


@pytest.mark.parametrize(("comment", "text"), BARE)
def test_what_a_comment_says(comment, text):
    assert bare(comment) == text
