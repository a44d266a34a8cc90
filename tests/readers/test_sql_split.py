"""A script falls into the statements that a person sees in it, and nothing of it is lost."""

import csv

import pytest
from sql_script_cases import CASES
from sql_scripts_code import ALL
from sql_split import covers, cut, shown, texts

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.mappings import table
from ruleferry.converters.readers.sql.split import control_after

SCRIPTS = [
    pytest.param(*row[1:], id=f"{group}: {row[0]}") for group, rows in ALL.items() for row in rows
]


@pytest.mark.parametrize(("word", "marked"), SCRIPTS)
def test_the_statements_are_those_that_a_person_sees(word, marked):
    script = cut(marked.replace("«", "").replace("»", ""), word)
    assert shown(script) == marked
    assert covers(script)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize(("word", "marked"), SCRIPTS)
def test_a_carriage_return_ends_a_line_as_well(word, marked, end):
    marked = marked.replace("\r\n", "\n").replace("\r", "\n").replace("\n", end)
    script = cut(marked.replace("«", "").replace("»", ""), word)
    assert shown(script) == marked
    assert covers(script)


def test_every_dialect_has_a_row():
    assert table("scripts").keys() == sql_dialects().keys()


# Pieces that are no statements --------------------------------------------------------------------


def test_each_piece_says_what_it_is():
    script = cut("SET ECHO ON\n-- a\nSELECT 1 FROM t -- b\n;\nREM c\n/\n", "oracle")
    assert [(p.kind, script.of(p)) for p in script.pieces if p.kind != "blank"] == [
        ("command", "SET ECHO ON"),
        ("comment", "-- a"),
        ("statement", "SELECT 1 FROM t"),
        ("comment", "-- b"),
        ("separator", ";"),
        ("comment", "REM c"),
        ("separator", "/"),
    ]


def test_the_line_of_a_statement():
    script = cut("-- a\n\nSELECT 1;\nSELECT 2", "postgres")
    starts = [piece.start for piece in script.pieces if piece.kind == "statement"]
    assert [script.line(start) for start in starts] == [3, 4]


# What a client does after a statement -------------------------------------------------------------


def control(text):
    script = cut(text, "teradata")
    return [control_after(script, p) for p in script.pieces if p.kind == "statement"]


CONTROL = [
    (
        ".IF ACTIVITYCOUNT > 0 THEN .QUIT 8\n.IF ERRORCODE <> 0 THEN .QUIT 1",
        ".IF ACTIVITYCOUNT > 0 THEN .QUIT 8",
    ),
    (".IF ACTIVITYCOUNT > 0 THEN .QUIT 8", ".IF ACTIVITYCOUNT > 0 THEN .QUIT 8"),
    (".if activitycount <> 0 then .goto BAD;", ".if activitycount <> 0 then .goto BAD"),
    (
        ".IF ERRORCODE <> 0 THEN .QUIT 1\n.IF ACTIVITYCOUNT > 0 THEN .QUIT 8",
        ".IF ACTIVITYCOUNT > 0 THEN .QUIT 8",
    ),
    (
        ".IF ACTIVITYCOUNT = 0 THEN .GOTO OK\n-- bad\n.QUIT 9\n.LABEL OK",
        ".IF ACTIVITYCOUNT = 0 THEN .GOTO OK\n.QUIT 9\n.LABEL OK",
    ),
    (".IF ERRORCODE <> 0 THEN .QUIT 8", None),
    (".IF ERRORLEVEL > 0 THEN .GOTO EXIT", None),
    (".LABEL X\n.QUIT 0", None),
    (".REMARK 'ACTIVITYCOUNT'", None),
    ("-- .IF ACTIVITYCOUNT > 0 THEN .QUIT 8", None),
    ("", None),
]


@pytest.mark.parametrize(("commands", "told"), CONTROL)
def test_what_the_client_does_after_a_statement(commands, told):
    assert control(f"SEL a FROM t;\n{commands}\nSEL 2;") == [told, None]


# The shared cases ---------------------------------------------------------------------------------


def test_all_shared_cases_are_told(shared):
    files = {path.name for path in (shared / "cases/sql").iterdir()}
    assert set(CASES) == {name for name in files if name.startswith("s0")}


@pytest.mark.parametrize("name", CASES)
def test_a_shared_case_falls_into_its_statements(name, shared):
    with (shared / "cases/sql/expected.tsv").open(newline="") as rows:
        words = {row["file"]: row["dialect"] for row in csv.DictReader(rows, delimiter="\t")}
    text = (shared / "cases/sql" / name).read_bytes().decode()
    script = cut(text, words[name])
    assert covers(script)
    statements = texts(script)
    assert [s.startswith(words) for s, words in zip(statements, CASES[name], strict=True)] == [
        True for _ in CASES[name]
    ]
