"""What rules of scripts are called, and what is said of them."""

import csv
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_named_cases import CASES

from ruleferry.converters.dialects.words import dialect_word, sql_dialects
from ruleferry.converters.mappings import caveats
from ruleferry.converters.naming import plain
from ruleferry.converters.readers.sql.found import Checked, Found, Label
from ruleferry.converters.readers.sql.labels import SideFacts, labelled, read_sidecar
from ruleferry.converters.readers.sql.split import split
from ruleferry.converters.rule import NotARule, Unread

DIALECTS = sql_dialects()


def found(text, start, end, labels=(), *, rule=True, columns=(), table="s.t", tags=()):
    """A rule whose text goes from the words `start` to the words `end`."""
    check = Unread("parameter", "it has none") if rule else NotARule("it is a load")
    begins = text.index(start)
    ends = text.index(end, begins) + len(end)
    checked = Checked(check, "predicate", table, columns)
    labels = tuple(Label(kind, of) for kind, of in labels)
    return Found(checked, begins, ends, labels=labels, tags=tags)


def names_of(text, founds, dialect="tsql", stem="f", wrapper="", **more):
    return labelled(founds, split("f.sql", text, DIALECTS[dialect], wrapper), stem, **more)


def name_of(text, labels=(), dialect="tsql", **more):
    """Of the one rule of a text, which is its SELECT."""
    (named,) = names_of(text, [found(text, "SELECT", "t", labels)], dialect, **more)
    return named


# The shared scripts -----------------------------------------------------------------------------


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_names_of_the_shared_scripts(shared, case):
    with (shared / "cases" / "sql" / "expected.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"].startswith(case)]
    text = (shared / "cases" / "sql" / rows[0]["file"]).read_text("utf-8")
    founds = [found(text, start, end, labels) for start, end, labels in CASES[case]]
    word = dialect_word(rows[0]["dialect"])
    stem = rows[0]["file"].rsplit(".", 1)[0]
    named = names_of(text, founds, word.dialect or "snowflake", stem, word.wrapper)
    assert [plain(one.author_name) for one in named] == [row["rule"] for row in rows]
    assert not any(one.caveats for one in named)


# One rule ---------------------------------------------------------------------------------------

S = "SELECT a FROM t"
NAMES = [
    # text, labels, id, name
    (f"-- DQ-101 | amount\n{S}", [], "DQ-101", "DQ-101"),
    (f"-- DQ 101: amount\n{S}", [], "DQ 101", "DQ 101"),
    (f"-- [DQ-101] amount\n{S}", [], "DQ-101", "DQ-101"),
    (f"-- Rule ID: R7\n{S}", [], "R7", "R7"),
    (f"-- check dq_12: amount\n{S}", [], "dq_12", "dq_12"),
    (f"-- rule ACC_007 branch\n{S}", [], "ACC_007", "ACC_007"),
    (f"-- Check: unique_no\n{S}", [], None, "unique_no"),
    (f"-- amounts are positive\n{S}", [], None, "amounts are positive"),
    (f"-- amounts are positive.\n-- They come from x.\n{S}", [], None, "amounts are positive"),
    (f"/* amounts */\n{S}", [], None, "amounts"),
    (f"{S}; -- R12 amounts\n", [], "R12", "R12"),
    ("SELECT a -- R12 amounts\nFROM t", [], "R12", "R12"),
    (f"-- R12 amounts\n\n{S}", [], "R12", "R12"),
    (f"-- R12 amounts\nDECLARE @x INT;\n{S}", [], "R12", "R12"),
    (f"-- amounts\nDECLARE @x INT;\n{S}", [], None, "f"),
    (f"-- ISO 8601 dates\n{S}", [], None, "ISO 8601 dates"),
    (f"-- CUST_NO is there\n{S}", [("alias", "bad")], "CUST_NO", "CUST_NO"),
    (f"-- amounts\n{S}", [("id", "17")], "17", "17"),
    (f"-- amounts\n{S}", [("name", "Amounts are there")], None, "Amounts are there"),
    (f"-- amounts\n{S}", [("message", "E7: not there")], "E7", "E7"),
    (f"-- E8 amounts\n{S}", [("message", "not there")], "E8", "E8"),
    (f"-- amounts\n{S}", [("message", "not there: ")], None, "not there"),
    (f"-- amounts\n{S}", [("alias", "amount_bad")], None, "amounts"),
    (S, [("alias", "amount_bad")], None, "amount_bad"),
    (S, [("alias", "bad_cnt")], None, "f"),
    (S, [("message", "%d rows without ruleferry_p_1_ amount")], None, "rows without amount"),
    (S, [("message", "ruleferry_p_1_"), ("alias", "x1y")], None, "x1y"),
    (S, [], None, "f"),
]


@pytest.mark.parametrize(("text", "labels", "own_id", "name"), NAMES)
def test_a_rule_is_named(text, labels, own_id, name):
    named = name_of(text, labels)
    assert (named.author_id, named.author_name) == (own_id, name)


NO_NAMES = [
    "-- Author: someone",
    "-- Created 2024-01-01",
    "-- ==== Customers ====",
    "-- ===========\n-- Customers\n-- ===========",
    "-- tests/assert_amounts.sql",
    "-- SELECT b FROM u;",
    "-- delete from u where b < 0",
    "-- &1 = schema, :p_max = limit",
    "-- TODO amounts",
    "-- a > 5",
    "-- " + "very " * 20 + "long",
    "-- ----",
    "#fail",
    "-- 42",
]


@pytest.mark.parametrize("comment", NO_NAMES)
def test_a_comment_that_is_no_name(comment):
    dialect = "bigquery" if comment.startswith("#") else "tsql"
    assert name_of(f"{comment}\n{S}", dialect=dialect).author_name == "f"


def test_a_column_s_name_at_the_start_of_a_comment_is_no_id():
    text = f"-- CUST_NO is there\n{S}"
    (named,) = names_of(text, [found(text, "SELECT", "t", columns=("cust_no",))])
    assert (named.author_id, named.author_name) == (None, "CUST_NO is there")


def test_the_literal_wins_over_the_comment_and_that_is_told():
    named = name_of(f"-- R1 amounts\n{S}", [("id", "R2")])
    assert named.author_id == "R2"
    assert [caveat.code for caveat in named.caveats] == ["named_twice"]
    assert "R1" in named.caveats[0].detail
    assert caveats()["named_twice"].grade == "exact"


@pytest.mark.parametrize("comment", ["-- R2 amounts", "-- r2: amounts", "-- amounts"])
def test_a_comment_that_agrees_is_not_told(comment):
    assert not name_of(f"{comment}\n{S}", [("id", "R2")]).caveats


def test_the_title_tells_more_than_the_name():
    assert name_of(f"-- R1 | the amounts\n{S}").title == "the amounts"
    assert name_of(f"-- R1\n{S}").title == "R1"
    assert name_of(f"-- R1 x\n{S}", [("message", "it is not there")]).title == "it is not there"
    assert name_of(S).title == "f"


# Several rules ----------------------------------------------------------------------------------


def test_a_comment_belongs_to_the_rule_below_it():
    text = "-- R1 a\nSELECT 1 FROM t;\n-- R2 b\nSELECT 2 FROM t;\nSELECT 3 FROM t; -- R3 c\n"
    founds = [found(text, f"SELECT {n}", "t") for n in (1, 2, 3)]
    assert [one.author_id for one in names_of(text, founds)] == ["R1", "R2", "R3"]


def test_a_comment_on_the_last_line_is_not_that_of_the_next_rule():
    text = "SELECT 1 FROM t; -- R1 a\n-- b comes\nSELECT 2 FROM t;"
    founds = [found(text, f"SELECT {n}", "t") for n in (1, 2)]
    assert [one.author_name for one in names_of(text, founds)] == ["R1", "b comes"]


def test_a_comment_on_the_last_line_is_of_no_other_rule():
    text = "SELECT 1 FROM t; -- R1 a\nSELECT 2 FROM t;"
    founds = [found(text, f"SELECT {n}", "t") for n in (1, 2)]
    assert [one.author_name for one in names_of(text, founds)] == ["R1", "f"]


def test_ids_of_one_comment_pair_with_result_columns():
    text = "-- R1 a ; R2 b\nSELECT x FROM t"
    founds = [found(text, "SELECT", "t", [("alias", alias)]) for alias in ("r2_bad_cnt", "R1")]
    assert [one.author_id for one in names_of(text, founds)] == ["R2", "R1"]
    assert [one.title for one in names_of(text, founds)] == ["b", "a"]


def test_one_comment_over_several_rules_does_not_name_each_of_them():
    text = "-- R1 amounts\nSELECT x FROM t"
    founds = [found(text, "SELECT", "t", [("alias", alias)]) for alias in ("a_bad", "b_bad")]
    assert [one.author_name for one in names_of(text, founds)] == ["a_bad", "b_bad"]


def test_a_literal_that_all_rules_share_names_none():
    text = "SELECT 1 FROM t;\nSELECT 2 FROM t"
    labels = [("name", "DQ"), ("alias", "first_one")], [("name", "DQ"), ("alias", "second_one")]
    founds = [found(text, f"SELECT {n}", "t", labels[n - 1]) for n in (1, 2)]
    assert [one.author_name for one in names_of(text, founds)] == ["first_one", "second_one"]


def test_rules_without_a_name_are_not_all_named_after_the_file():
    text = "SELECT 1 FROM t;\nSELECT 2 FROM t"
    founds = [found(text, f"SELECT {n}", "t") for n in (1, 2)]
    assert [one.author_name for one in names_of(text, founds)] == [None, None]
    assert [one.author_name for one in names_of(text, founds[:1])] == ["f"]


def test_what_is_no_rule_takes_no_name_from_a_sentence():
    text = "-- clean up\nSELECT 1 FROM t;"
    (named,) = names_of(text, [found(text, "SELECT", "t", rule=False)])
    assert named.author_name == "f"


def test_what_stands_between_a_comment_and_its_rule_is_no_rule():
    text = "-- R1 amounts\nDECLARE x;\nSELECT 1 FROM t;"
    founds = [found(text, "DECLARE", "x", rule=False), found(text, "SELECT", "t")]
    assert names_of(text, founds)[1].author_id == "R1"


# Tags -------------------------------------------------------------------------------------------

TAGS = [
    (
        "-- DQ-1 | a | severity: HIGH | owner: finance-data",
        {"severity": "HIGH", "owner": "finance-data"},
    ),
    ("-- DQ-1 a, severity=low, owner=x@y.z", {"severity": "low", "owner": "x@y.z"}),
    ("-- DQ-1 | a | CRITICAL", {"severity": "CRITICAL"}),
    (
        "-- DQ-1 a\n-- @owner finance\n-- Description: the b",
        {"owner": "finance", "description": "the b"},
    ),
    ("-- DQ-1 high prices", {}),
    ("-- DQ-1 the owner is there", {}),
]


@pytest.mark.parametrize(("comment", "tags"), TAGS)
def test_tags_of_a_comment(comment, tags):
    named = name_of(f"{comment}\n{S}")
    assert dict(named.tags) == tags
    assert named.author_id == "DQ-1"


def test_what_is_nearest_to_the_rule_says_its_tags():
    text = f"-- R1 | severity: low | owner: a\n{S}"
    own = found(text, "SELECT", "t", tags=(("severity", "high"),))
    side = SideFacts(tags=(("severity", "info"), ("owner", "b")))
    config = {"severity": "warn", "meta": {"owner": "c", "description": "d"}}
    (named,) = names_of(text, [own], config=config, side=side)
    assert dict(named.tags) == {"severity": "high", "owner": "a", "description": "d"}


# Files beside -----------------------------------------------------------------------------------

SIDECAR = (
    "\ufeffrule_label,rule_error_message,query_name,severity_name\n"
    '"A16.1","Amounts, all of them, are there",A16_amounts,fatal\n'
    "B2,b,checks/b2.sql,warning\n"
    "C3,c,c3,warning\nC4,c,c3,warning\n"
)


def test_a_table_beside_scripts():
    facts = read_sidecar(SIDECAR, {"A16_amounts.sql", "x"})
    assert facts["a16_amounts"] == SideFacts(
        "A16.1", None, "Amounts, all of them, are there", (("severity", "fatal"),)
    )
    assert facts["b2"].id == "B2"
    assert "c3" not in facts  # which of its rules is which is not told


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        (SIDECAR, {"other"}),
        ("a,b\n1,2\n", {"1"}),
        ("query_name\n", {"x"}),
        ("", {"x"}),
        ("\x00", {"x"}),
    ],
)
def test_a_table_that_is_not_of_these_scripts(text, stems):
    assert read_sidecar(text, stems) == {}


def test_the_table_beside_names_the_one_rule():
    side = read_sidecar(SIDECAR)["a16_amounts"]
    named = name_of(f"-- R1 x\n{S}", side=side)
    assert (named.author_id, named.title) == ("A16.1", "Amounts, all of them, are there")
    assert name_of(S, [("id", "R2")], side=side).author_id == "R2"


def test_the_file_names_a_test_of_dbt():
    assert name_of(f"-- R1 x\n{S}", by_file=True).author_name == "f"


# Promises ---------------------------------------------------------------------------------------

_PARTS = [
    "-- R1 a",
    "\n",
    "SELECT a FROM t",
    "/* b",
    "*/",
    ";",
    "REM x",
    "'",
    "# c",
    " | ",
    "sev: x",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(_PARTS), max_size=15), st.sampled_from(sorted(DIALECTS)), st.data())
def test_every_rule_gets_what_it_is_called(parts, dialect, data):
    text = "".join(parts)
    script = split("f.sql", text, DIALECTS[dialect])
    if data.draw(st.booleans()):
        script = replace(script, pieces=())
    offsets = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(offsets, offsets), max_size=4))
    labels = (Label("alias", "x_bad"),)
    checked = Checked(Unread("parameter", "none"), "predicate", "t")
    founds = [Found(checked, min(s), max(s), labels=labels) for s in spans]
    named = labelled(founds, script, "f")
    assert len(named) == len(founds)
    assert named == labelled(founds, script, "f")
    assert all(one.title for one in named)


@given(st.text(max_size=80))
def test_any_table_can_be_read(text):
    assert isinstance(read_sidecar(text, {"a"}), dict)
