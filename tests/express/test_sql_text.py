"""The text of trees: how it reads, that it means the tree, and that Spark reads literals back."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spark_verdicts import spark_tree
from sqlglot import exp, parse_one

from ruleferry.converters.express import sql_text
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import (
    Unfaithful,
    UnsafeText,
    checked_text,
    column,
    number_literal,
    string_literal,
    to_sql,
)
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.mappings import table

_SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=4)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("NOT x IS NULL", "x IS NOT NULL"),
        ("x is not null", "x IS NOT NULL"),
        ("NOT x IN (1,2)", "x NOT IN (1, 2)"),
        ("NOT x BETWEEN 1 AND 2", "x NOT BETWEEN 1 AND 2"),
        ("NOT x LIKE 'a%'", "x NOT LIKE 'a%'"),
        ("x NOT LIKE 'a!%' ESCAPE '!'", "x NOT LIKE 'a!%' ESCAPE '!'"),
        ("NOT x RLIKE '^a'", "x NOT RLIKE '^a'"),
        ("x REGEXP '^a'", "x RLIKE '^a'"),
        ("NOT x IS TRUE", "x IS NOT TRUE"),
        ("x IS NOT DISTINCT FROM y", "x <=> y"),
        ("x IS DISTINCT FROM y", "NOT (x <=> y)"),
        ("x == 1 and y != 2", "x = 1 AND y <> 2"),
        ("x = 1 OR y = 2 AND z = 3", "x = 1 OR (y = 2 AND z = 3)"),
        ("(x = 1 OR y = 2) AND z = 3", "(x = 1 OR y = 2) AND z = 3"),
        ("((x = 1))", "x = 1"),
        ("NOT (x = 1 OR y = 2)", "NOT (x = 1 OR y = 2)"),
        ("(x + 1) * 2 > y - (z - 1)", "(x + 1) * 2 > y - (z - 1)"),
        ("(x * 2) + 1 > 0", "x * 2 + 1 > 0"),
        ("- (-x) > 0", "-(-x) > 0"),
        ("(x > 1) = (y > 1)", "(x > 1) = (y > 1)"),
        ("(x IS NULL) = (y IS NULL)", "(x IS NULL) = (y IS NULL)"),
        ("date '2020-01-01' < x", "DATE'2020-01-01' < x"),
        ("timestamp '2020-01-01 10:00:00' < x", "TIMESTAMP'2020-01-01 10:00:00' < x"),
        ("CAST('2020-01' AS DATE) < x", "CAST('2020-01' AS DATE) < x"),
        ("x::int > 1", "CAST(x AS INT) > 1"),
        ("TRY_CAST(x as decimal(10,2)) > 1", "try_cast(x AS DECIMAL(10, 2)) > 1"),
        ("COALESCE(x, 0) > Length(y)", "coalesce(x, 0) > length(y)"),
        ("Date_Format(x, 'yyyy-MM') = 'a'", "date_format(x, 'yyyy-MM') = 'a'"),
        ("CURRENT_DATE > x", "current_date() > x"),
        ("x > now()", "x > now()"),
        ("x - interval 30 days > y", "x - INTERVAL '30' DAY > y"),
        ("CASE WHEN x = 1 THEN 'a' ELSE 'b' END = y", "CASE WHEN x = 1 THEN 'a' ELSE 'b' END = y"),
        ("case x when 1 then 2 end is null", "(CASE x WHEN 1 THEN 2 END) IS NULL"),
        ("m['k'] = 1 AND a.b.c = 2", "m['k'] = 1 AND a.b.c = 2"),
        ("x || 'a' = 'ba'", "x || 'a' = 'ba'"),
        ("x DIV 2 = 1 AND x % 2 = 0", "x DIV 2 = 1 AND x % 2 = 0"),
        ("`select` = 1 AND `a b` = 2 AND `a``b` = 3", "`select` = 1 AND `a b` = 2 AND `a``b` = 3"),
        ("`x` = 1", "x = 1"),
        (r"x = 'it\'s' OR x = 'it''s'", r"x = 'it\'s' OR x = 'it\'s'"),
        (r"x RLIKE '^\\d+$'", r"x RLIKE '^\\d+$'"),
        (r"x RLIKE r'^\d+$'", r"x RLIKE '^\\d+$'"),
    ],
)
def test_written_as_an_engineer_would(text, written):
    tree = parse_condition(text)
    assert to_sql(tree) == written
    assert checked_text(tree, each=True) == written


def test_trees_without_parentheses_get_those_they_need():
    """Builders of sqlglot trees need not think of them."""
    either = exp.Or(this=column("a"), expression=column("b"))
    assert to_sql(exp.And(this=either, expression=column("c"))) == "(a OR b) AND c"
    assert to_sql(exp.Not(this=exp.EQ(this=either.copy(), expression=column("c")))) == (
        "NOT ((a OR b) = c)"
    )
    total = exp.Sub(this=column("a"), expression=exp.Sub(this=column("b"), expression=column("c")))
    assert to_sql(total) == "a - (b - c)"
    is_null = exp.Is(this=exp.EQ(this=column("a"), expression=column("b")), expression=exp.Null())
    assert to_sql(is_null) == "(a = b) IS NULL"


def test_is_not_null_in_both_forms_of_tree():
    held = exp.Is(this=column("a"), expression=exp.Null(), negate=True)
    around = exp.Not(this=exp.Is(this=column("a"), expression=exp.Null()))
    assert to_sql(held) == to_sql(around) == "a IS NOT NULL"
    assert shape(held) == shape(around)


def test_conditions_inside_a_query():
    query = parse_one("SELECT COUNT(*) AS n FROM a.b WHERE NOT x IS NULL", read="databricks")
    assert to_sql(query) == "SELECT count(*) AS n FROM a.b WHERE x IS NOT NULL"


def test_a_long_chain_is_no_deep_recursion():
    tree = parse_condition(" OR ".join(f"x = {i}" for i in range(3000)))
    assert checked_text(tree, each=True).count(" OR ") == 2999


def test_writing_leaves_the_tree_as_it_is():
    tree = parse_condition("NOT (a IS DISTINCT FROM b OR (c IN (1, 2)))")
    before = repr(tree)
    to_sql(tree)
    assert repr(tree) == before


def test_a_text_that_means_something_else_is_told(monkeypatch):
    tree = parse_condition("a = 1 AND (b = 2 OR c = 3)")
    monkeypatch.setattr(sql_text, "to_sql", lambda _: "a = 1 AND b = 2 OR c = 3")
    with pytest.raises(Unfaithful):
        checked_text(tree, each=True)


def test_one_shape_is_read_back_once(monkeypatch):
    monkeypatch.setattr(sql_text, "_FAITHFUL", set())
    read = []
    monkeypatch.setattr(sql_text, "parse_condition", lambda t: read.append(t) or parse_condition(t))
    texts = ["a > 1", "b > 22", "a > 'x'", "a >= 1", "c IN (1, 2)", "c IN (3, 4, 5)"]
    for text in texts:
        checked_text(parse_condition(text))
    assert read == ["a > 1", "a > 'x'", "a >= 1", "c IN (1, 2)"]


# Names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("amount", "amount"),
        ("_x1", "_x1"),
        ("Amount", "Amount"),
        ("a.b", "`a.b`"),
        ("a b", "`a b`"),
        ("1st", "`1st`"),
        ("a`b", "`a``b`"),
        ("é", "`é`"),
        ("select", "`select`"),
        ("NULL", "`NULL`"),
        ("true", "`true`"),
        ("values", "`values`"),
        ("Current_Date", "`Current_Date`"),
        ("date", "`date`"),
        ("timestamp", "`timestamp`"),
        ("interval", "`interval`"),
        ("case", "`case`"),
    ],
)
def test_names(name, written):
    assert to_sql(column(name)) == written


@pytest.mark.parametrize("name", ["", "a${x}", "\ud800"])
def test_names_that_no_quoting_saves(name):
    with pytest.raises(UnsafeText):
        column(name)


def test_keywords_as_columns(spark):
    """The words of the table, and every eighth keyword of Spark: its parser takes long for each."""
    keywords = spark._jvm.org.apache.spark.sql.catalyst.util.SQLKeywordUtils.keywords()
    names = {w for words in table("spark_words").values() for w in words}
    names |= set(sorted(keywords.mkString(",").lower().split(","))[::8])
    names |= {"a.b", "a b", "a`b", "é", "1", "x'y", 'x"y', "a-b", "--", "/*"}
    written, quoted = [], []
    for name in sorted(names):
        equal = exp.EQ(this=column(name), expression=exp.Literal.number(7))
        present = exp.Not(this=exp.Is(this=column(name), expression=exp.Null()))
        written.append(checked_text(exp.And(this=equal, expression=present), each=True))
        inside = f"`{name.replace('`', '``')}`"
        quoted.append(f"{inside} = 7 AND {inside} IS NOT NULL")
    understood = spark_tree(spark, " AND ".join(written))
    assert understood == spark_tree(spark, " AND ".join(quoted))
    assert understood.count(" = 7)") == len(names)


# Literals ---------------------------------------------------------------------------------------

TEXTS = [
    "",
    "it's",
    "''",
    '"',
    "\\",
    "\\d\\'",
    "a\\",
    "a\nb\r\tc",
    "\x00",
    "\x0012",
    "a\x00b\x1fc\x7f",
    "${x}",
    "$",
    "$$",
    "a${spark.app.name}b${y}",
    "${",
    "$\\{x}",
    "{x}",
    "%",
    "\\%\\_",
    "\\u0041",
    "\\101",
    "é\u00a0\u200b\u2028🎈",
    "--",
    "/* x */",
    ";",
    "`a`",
    "{{ x }}",
]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("it's", r"'it\'s'"),
        ("a\\b", r"'a\\b'"),
        ("a\nb", r"'a\nb'"),
        ("${x}", "concat('$', '{x}')"),
        ("a$", "'a$'"),
        ("a\x00", "concat('a', chr(0))"),
        ("\x00", "chr(0)"),
    ],
)
def test_texts(value, written):
    assert to_sql(string_literal(value)) == written


def test_half_a_character_is_no_text():
    with pytest.raises(UnsafeText):
        string_literal("a\ud800")


def _read_by_spark(spark, literals):
    named = [f"{to_sql(literal)} AS c{i}" for i, literal in enumerate(literals)]
    return list(spark.range(1).selectExpr(*named).first())


def test_spark_reads_texts_back(spark):
    assert _read_by_spark(spark, [string_literal(t) for t in TEXTS]) == TEXTS


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=150, max_size=150))
@_SLOW
def test_spark_reads_any_text_back(spark, texts):
    assert _read_by_spark(spark, [string_literal(t) for t in texts]) == texts


@given(st.lists(st.text(alphabet="'\"\\${}x%_u0\n\0 "), min_size=150, max_size=150))
@_SLOW
def test_spark_reads_texts_of_special_characters_back(spark, texts):
    assert _read_by_spark(spark, [string_literal(t) for t in texts]) == texts


@given(st.text(st.characters(exclude_categories=["Cs"])))
@settings(deadline=None)
def test_a_text_is_read_back_as_a_tree(text):
    """Unless it holds `{{`, which a reader of texts takes for a template."""
    tree = exp.EQ(this=column("x"), expression=string_literal(text))
    if "{{" not in text:
        checked_text(tree, each=True)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (5, "5"),
        (-5, "-5"),
        (0, "0"),
        (2**63, "9223372036854775808"),
        (10**37, "1" + "0" * 37),
        (10**38, "1e+38"),
        (-(10**40), "-1e+40"),
        (1.5, "1.5"),
        (-0.1, "-0.1"),
        (-0.0, "0.0"),
        (1e300, "1e+300"),
        (5e-324, "5e-324"),
        (1e22, "10000000000000000000000"),
        (Decimal("1.50"), "1.50"),
        (Decimal("1E+3"), "1000"),
        (Decimal("-1E-3"), "-0.001"),
        (Decimal("1E+300"), "1e+300"),
        (Decimal("123456789012345678901234567890.12345678"),) * 2,
        (float("nan"), "CAST('NaN' AS DOUBLE)"),
        (float("inf"), "CAST('Infinity' AS DOUBLE)"),
        (float("-inf"), "CAST('-Infinity' AS DOUBLE)"),
    ],
)
def test_numbers(value, written):
    assert to_sql(number_literal(value)) == str(written)


@pytest.mark.parametrize("value", [Decimal("1E+400"), Decimal("1E-400"), Decimal("1E+1000000")])
def test_numbers_beyond_a_double(value):
    with pytest.raises(OverflowError):
        number_literal(value)


def test_a_truth_value_is_no_number():
    with pytest.raises(TypeError):
        number_literal(True)


_DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=None).filter(
    lambda d: max(d.adjusted() + 1, 0) + max(-d.as_tuple().exponent, 0) <= 38
)


@given(
    st.lists(st.integers(-(10**38) + 1, 10**38 - 1) | _DECIMALS, min_size=100, max_size=100),
    st.lists(st.floats(), min_size=100, max_size=100),
)
@_SLOW
def test_spark_reads_any_number_back(spark, exact, floats):
    read = _read_by_spark(spark, [number_literal(v) for v in exact])
    assert [Decimal(r) for r in read] == [Decimal(v) for v in exact]
    doubles = [
        exp.Cast(this=number_literal(v), to=exp.DataType(this=exp.DataType.Type.DOUBLE))
        for v in floats
    ]
    assert str(_read_by_spark(spark, doubles)) == str([v if v else 0.0 for v in floats])
