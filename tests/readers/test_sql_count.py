"""The second count of a script sees what a reader loses, and agrees where nothing is lost."""

from dataclasses import replace

import pytest
from sql_split import cut

from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.count import NOT_COVERED, second_count
from ruleferry.converters.readers.sql.found import Checked, Found, Piece
from ruleferry.converters.rule import NotARule, Row, Unread

ROW = Row(SqlText("a < 0", "postgres", bad=True))
WHOLE = Row(SqlText("SELECT 1", "postgres", bad=True, whole_query=True))
GAP = Unread("unreadable", "It is not known.")
NONE = NotARule("it checks nothing")


def founds(script, *parts, check=ROW):
    """One for each part, of the statements in their order: (number, part)."""
    places = [piece for piece in script.pieces if piece.kind == "statement"]
    return [
        Found(Checked(check, "predicate", "t"), places[n].start, places[n].end, part)
        for n, part in parts
    ]


def parts(names, number=0):
    return [(number, name) for name in names]


# (what, dialect, script, parts that must be there)
NEEDED = [
    (
        "an index",
        "teradata",
        "CREATE TABLE t (a INT NOT NULL) UNIQUE PRIMARY INDEX (a)",
        ["a"],
    ),
    ("a query", "postgres", "SELECT 1 FROM t", [""]),
    (
        "a battery",
        "postgres",
        "SELECT 'a' FROM t UNION ALL SELECT 'b' FROM (SELECT 1 UNION SELECT 2) u UNION SELECT 'c'",
        ["branch 1", "branch 2", "branch 3"],
    ),
    ("UNION in a literal", "postgres", "SELECT ' UNION ' -- UNION\n, /* UNION */ 1", [""]),
    ("two sides", "postgres", "(SELECT 1 EXCEPT SELECT 2) UNION ALL SELECT 3 MINUS SELECT 4", [""]),
    (
        "a battery that is stored",
        "hive",
        "INSERT INTO r SELECT 'a' UNION ALL SELECT 'b'",
        ["branch 1", "branch 2"],
    ),
    (
        "a view",
        "snowflake",
        "CREATE OR REPLACE VIEW v AS SELECT 'a' UNION ALL SELECT 'b'",
        ["branch 1", "branch 2"],
    ),
    (
        "constraints of columns",
        "postgres",
        "CREATE TABLE t (a INT PRIMARY KEY, b INT NOT NULL CHECK (b IS NOT NULL AND b > 0),"
        " c INT UNIQUE REFERENCES u (c), d INT DEFAULT 1)",
        ["a", "b not null", "b check", "c unique", "c"],
    ),
    (
        "constraints of the table",
        "oracle",
        "CREATE TABLE t (a NUMBER, CONSTRAINT k PRIMARY KEY (a),"
        " CONSTRAINT f FOREIGN KEY (a) REFERENCES u (a), CONSTRAINT c CHECK (a > 0))",
        ["k", "f", "c"],
    ),
    ("a table of a query", "snowflake", "CREATE TABLE t AS SELECT 1 WHERE a IS NOT NULL", [""]),
    ("fields of a field", "bigquery", "CREATE TABLE t (a STRUCT<b INT64 NOT NULL>)", [""]),
    (
        "an added constraint",
        "tsql",
        "ALTER TABLE t WITH CHECK ADD CONSTRAINT c CHECK (a IS NOT NULL)",
        [""],
    ),
    ("a constraint that goes", "oracle", "ALTER TABLE t DROP PRIMARY KEY", [""]),
    ("a column that may be missing", "postgres", "ALTER TABLE t ALTER a DROP NOT NULL", [""]),
    ("two added", "oracle", "ALTER TABLE t MODIFY (a NOT NULL, b NOT NULL)", ["a", "b"]),
    (
        "errors of T-SQL",
        "tsql",
        "IF 1 = 1 RAISERROR('a', 16, 1);\nIF 2 = 2 THROW 50001, 'b', 1;\n"
        "BEGIN TRY SELECT 1 END TRY BEGIN CATCH RAISERROR('c', 16, 1); THROW; END CATCH",
        ["1", "2"],
    ),
    (
        "errors of Oracle",
        "oracle",
        "BEGIN IF a THEN RAISE_APPLICATION_ERROR(-20001, 'a'); END IF;\n"
        "IF b THEN RAISE_APPLICATION_ERROR(-20002, 'b'); END IF;\n"
        "EXCEPTION WHEN OTHERS THEN RAISE_APPLICATION_ERROR(-20000, SQLERRM); END;",
        ["1", "2"],
    ),
    (
        "errors within dollars",
        "postgres",
        "DO $$ BEGIN IF a THEN RAISE EXCEPTION 'a'; END IF; RAISE NOTICE 'b'; END $$",
        ["1"],
    ),
    (
        "errors of MySQL",
        "mysql",
        "CREATE TRIGGER t BEFORE INSERT ON u FOR EACH ROW BEGIN\n"
        "IF a THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a'; END IF;\n"
        "IF b THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'b'; END IF; END;",
        ["1", "2"],
    ),
    ("ABORT", "teradata", "ABORT 'a' WHERE EXISTS (SELECT 1)", [""]),
    (
        "arms",
        "snowflake",
        "SELECT CASE WHEN a IS NULL THEN 'a is missing' WHEN b < 0 THEN 'E02' ELSE 'valid' END",
        ["arm 1", "arm 2"],
    ),
    (
        "arms of an update",
        "oracle",
        "UPDATE t SET m = CASE WHEN a IS NULL THEN 'E01 a' WHEN b < 0 THEN 'E02 b' END",
        ["arm 1", "arm 2"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "text", "names"), [n[1:] for n in NEEDED], ids=[n[0] for n in NEEDED]
)
def test_the_counts_agree_where_nothing_is_lost(word, text, names):
    script = cut(text, word)
    assert second_count(script, founds(script, *parts(names))) == len(names)


@pytest.mark.parametrize(
    ("word", "text", "names"), [n[1:] for n in NEEDED], ids=[n[0] for n in NEEDED]
)
def test_what_a_reader_loses_is_seen(word, text, names):
    script = cut(text, word)
    for lost in range(len(names)):
        left = names[:lost] + names[lost + 1 :]
        assert second_count(script, founds(script, *parts(left))) > len(left)


@pytest.mark.parametrize("check", [GAP, NONE, WHOLE], ids=["a gap", "no rule", "a whole query"])
@pytest.mark.parametrize(
    ("word", "text", "names"), [n[1:] for n in NEEDED], ids=[n[0] for n in NEEDED]
)
def test_one_answer_may_stand_for_a_whole_statement(word, text, names, check):
    script = cut(text, word)
    assert second_count(script, founds(script, (0, ""), check=check)) == 1


def test_an_answer_for_one_part_stands_for_no_other():
    script = cut("SELECT 'a' FROM t UNION ALL SELECT 'b' FROM u", "postgres")
    assert second_count(script, founds(script, (0, "branch 1"), check=GAP)) == 2


def test_a_statement_without_an_answer_is_seen():
    script = cut("SELECT 1; SELECT 2; SELECT 3", "postgres")
    assert second_count(script, founds(script, (0, ""), (2, ""))) == 3
    assert second_count(script, founds(script, (0, ""), (1, ""), (2, ""))) == 3


def test_a_rule_outside_of_all_statements_does_not_count():
    script = cut("-- SELECT 1;\nSELECT 2;", "postgres")
    beside = Found(Checked(ROW, "predicate", "t"), 0, 12)
    assert second_count(script, [beside, *founds(script, (0, ""))]) == 1


def test_one_place_counts_once():
    script = cut("SELECT 1", "postgres")
    assert second_count(script, founds(script, (0, ""), (0, ""))) == 1


def test_a_rule_of_two_statements_counts_once():
    script = cut("AUDIT (name a);\nSELECT 1;", "sqlmesh")
    one = Found(Checked(ROW, "predicate", "t"), 0, len(script.text) - 1)
    assert second_count(script, [one]) == 1


# Pieces that lie ----------------------------------------------------------------------------------

SCRIPT = cut("-- a\nSELECT 1; SELECT 2; /* b */\nSELECT 3;", "oracle")


def with_pieces(change):
    return replace(SCRIPT, pieces=tuple(change(list(SCRIPT.pieces))))


LIES = {
    "a hole": lambda p: p[:3] + p[4:],
    "the end is missing": lambda p: p[:-1],
    "twice": lambda p: [*p, p[-1]],
    "a statement is called a blank": lambda p: [
        replace(x, kind="blank") if x.kind == "statement" else x for x in p
    ],
    "a statement is called a comment": lambda p: [
        replace(x, kind="comment") if x.kind == "statement" else x for x in p
    ],
    "a statement is called a command": lambda p: [
        replace(x, kind="command") if x.kind == "statement" else x for x in p
    ],
    "a comment goes on": lambda p: [Piece("comment", 0, len(SCRIPT.text))],
}


@pytest.mark.parametrize("change", LIES.values(), ids=LIES)
def test_pieces_that_lie_are_seen(change):
    assert second_count(SCRIPT, []) == 3
    assert second_count(with_pieces(change), []) == NOT_COVERED


def test_statements_that_are_joined_are_seen():
    def join(pieces):
        first, *_, last = [i for i, piece in enumerate(pieces) if piece.kind == "statement"]
        whole = Piece("statement", pieces[first].start, pieces[last].end)
        return [*pieces[:first], whole, *pieces[last + 1 :]]

    assert second_count(with_pieces(join), founds(SCRIPT, (0, ""))) == 3
