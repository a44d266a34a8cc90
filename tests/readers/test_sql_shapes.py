"""What queries of bad records check, and conditions without a query around them."""

import pytest
from sql_shape_cases import CONDITIONS, QUERIES
from sql_shapes import brief, checked, condition, parsed

from ruleferry.converters.dialects.parse import parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.shapes import arms_of_case, bad_rows
from ruleferry.converters.rule import NotARule, Row, Unread


@pytest.mark.parametrize(("dialect", "text", "expected"), QUERIES)
def test_queries_of_bad_records(dialect, text, expected):
    assert brief(checked(dialect, text)) == expected


@pytest.mark.parametrize(("dialect", "text", "expected"), CONDITIONS)
def test_conditions(dialect, text, expected):
    assert brief(condition(dialect, text)) == expected


# Queries of good records: all others are bad.
GOOD = [
    ("SELECT * FROM t WHERE x > 0", "t range good [x > 0]"),
    ("SELECT * FROM t WHERE x IS NOT NULL AND x > 0", "t predicate good [x IS NOT NULL AND x > 0]"),
    ("SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k)",
     "t exists not found in u(k=k) missing bad"),
    ("SELECT t.* FROM t JOIN u ON u.k = t.k", "t exists not found in u(k=k) missing bad"),
    ("SELECT * FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k)",
     "t exists found in u(k=k) missing bad"),
    ("SELECT * FROM t WHERE k IN (SELECT k FROM u) AND x > 0", "t predicate gap unsupported_query"),
    ("SELECT * FROM t WHERE k NOT IN (SELECT k FROM u)", "t predicate gap unsupported_query"),
    ("SELECT t.* FROM t JOIN u ON u.k = t.k WHERE t.x < u.x", "t predicate gap unsupported_query"),
    ("SELECT * FROM t WHERE x > (SELECT MAX(x) FROM u)", "t predicate gap unsupported_query"),
    ("SELECT k FROM t GROUP BY k HAVING COUNT(*) > 1",
     "t predicate none: it keeps one record of each key"),
    ("SELECT k FROM a EXCEPT SELECT k FROM b", "a predicate gap unsupported_query"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GOOD)
def test_queries_of_good_records(text, expected):
    assert brief(checked("postgres", text, bad=False)) == expected


def test_negation_turns_the_kind_of_a_condition():
    assert condition("tsql", "x > 0", bad=False).kind == "range"
    assert condition("tsql", "NOT (x IN ('a'))").kind == "allowed"
    assert condition("tsql", "x IS NOT NULL", bad=False).kind == "present"
    assert condition("tsql", "x IS NOT NULL AND x <> ''", bad=False).kind == "present"
    assert condition("tsql", "NOT (x >= 0 AND y >= 0)").kind == "predicate"


def test_a_condition_may_name_its_table():
    found = condition("tsql", "t.x < 0 AND y = 1")
    assert brief(found) == "t predicate bad [x < 0 AND y = 1]"
    assert found.columns == ("x", "y")


def test_columns_in_the_order_of_the_text_without_placeholders_and_units():
    found = checked("tsql", "SELECT * FROM t WHERE DATEDIFF(YEAR, b, a) < 16 OR A > b")
    assert found.columns == ("b", "a")


def test_predicates_keep_dialect_and_tree():
    found = checked("oracle", "SELECT * FROM t a WHERE a.x || 'y' IS NULL")
    assert isinstance(found.check, Row)
    predicate = found.check.predicate
    assert isinstance(predicate, SqlText)
    assert (predicate.dialect, predicate.bad) == ("oracle", True)
    assert predicate.tree.sql(dialect="oracle") == "x || 'y' IS NULL"


def test_a_whole_query_doubles_its_braces():
    known = sql_dialects()["postgres"]
    text = "SELECT * FROM t WHERE x > (SELECT MAX(x) FROM t WHERE s = '{a}')"
    found = bad_rows(parse_statement(text, known), Setting(known))
    assert found.check.predicate.text == (
        "SELECT t.* FROM {batch} AS t WHERE x > (SELECT max(x) FROM {batch} AS t WHERE s = '{{a}}')"
    )


def test_the_query_that_is_given_stays_as_it_is():
    tree, setting = parsed(
        "tsql", "SELECT TOP 5 x FROM (SELECT x FROM t WHERE y = 1) q WHERE x < 0"
    )
    before = repr(tree)
    bad_rows(tree, setting)
    assert repr(tree) == before


@pytest.mark.parametrize(("dialect", "text", "expected"), QUERIES)
def test_codes_are_those_of_the_tables(dialect, text, expected):
    found = checked(dialect, text)
    assert all(caveat.code in caveats() for caveat in found.caveats)
    if isinstance(found.check, Unread):
        assert found.check.code in gaps()
        assert found.check.reason
    if isinstance(found.check, NotARule):
        assert found.check.reason


def test_arms_of_a_case_that_is_written_to_a_column():
    tree, _ = parsed(
        "oracle",
        "SELECT CASE WHEN sku IS NULL THEN 'E01 sku missing' "
        "WHEN LENGTH(sku) <> 8 THEN 'E02 sku length' END FROM stg_item",
    )
    setting = Setting(sql_dialects()["oracle"])
    found = arms_of_case(tree.expressions[0], setting, "stg_item", name="err_msg")
    assert [(m.part, brief(m.checked), [label.text for label in m.labels]) for m in found] == [
        ("arm 1", "stg_item present bad [sku IS NULL]", ["E01 sku missing"]),
        ("arm 2", "stg_item length bad [length(sku) <> 8] ~first_match", ["E02 sku length"]),
    ]


def test_a_case_of_categories_has_no_arms():
    tree, setting = parsed("oracle", "SELECT CASE WHEN a < 18 THEN 'minor' ELSE 'adult' END FROM t")
    assert arms_of_case(tree.expressions[0], setting, "t") == ()
