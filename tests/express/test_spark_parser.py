"""Spark SQL texts are grouped and decoded as Spark does it, or they are refused."""

from __future__ import annotations

import random

import pytest
from spark_verdicts import spark_tree
from sqlglot import exp

from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import to_sql


def refusal(text):
    with pytest.raises(Refusal) as refused:
        parse_condition(text)
    return refused.value.refused


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x = 1 -- a note", "x = 1"),
        ("x /* a /* nested */ one */ = 1", "x = 1"),
        ("-- first\nx = 1;", "x = 1"),
        ("x = 'a' 'b'", "x = 'ab'"),
        ("x = 'it''s'", r"x = 'it\'s'"),
        ('x = "it\'s"', r"x = 'it\'s'"),
        (r"x = 'a\tb\u0041\101\\'", r"x = 'a\tbAA\\'"),
        (r"x = r'a\tb'", r"x = 'a\\tb'"),
        ("x = '--' AND y = '/* */'", "x = '--' AND y = '/* */'"),
        ("`a b` = 1", "`a b` = 1"),
        ("x\u00a0= 1", "x = 1"),
        ("1L < x AND x < 1.5D", "CAST(1 AS BIGINT) < x AND x < CAST(1.5 AS DOUBLE)"),
        ("a BETWEEN 1 AND 2 AND b = 3", "a BETWEEN 1 AND 2 AND b = 3"),
        ("CASE WHEN a = 1 THEN 2 END = 3", "CASE WHEN a = 1 THEN 2 END = 3"),
        ("a IS NOT DISTINCT FROM b AND NOT c", "a <=> b AND NOT c"),
        ("left(a, 1) = right(b, 1)", "left(a, 1) = right(b, 1)"),
        ("cast(a as decimal(10, 2)) = decimal(b)", "CAST(a AS DECIMAL(10, 2)) = decimal(b)"),
        ("date_format(a, 'y-M-d') = 'b'", "date_format(a, 'y-M-d') = 'b'"),
        ("get_json_object(a, '$.b[0]') = 'c'", "get_json_object(a, '$.b[0]') = 'c'"),
    ],
)
def test_reads(text, same):
    assert to_sql(parse_condition(text)) == same


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("", "not_readable", "no SQL"),
        ("-- only a note", "not_readable", "no SQL"),
        ("x = ", "not_readable", "can't be read"),
        ("x = 1 y", "not_readable", "can't be read"),
        ("x = 1 AS y", "not_readable", "can't be read"),
        ("x = 1)", "not_readable", "can't be read"),
        ("x = 1) OR (true", "not_readable", "can't be read"),
        ("x = 1; DROP TABLE t", "not_readable", "more than one"),
        ("x = 1;;", "not_readable", "more than one"),
        ("x = 'a", "not_readable", "not closed"),
        ("x = 1 /* a", "not_readable", "not closed"),
        ("x = 1 -- a \\\n + 1", "not_readable", "ends in a backslash"),
        (r"x RLIKE '^\d+$'", "not_readable", "drops the backslash of \\d"),
        (r"x = '\ud800'", "not_readable", "no character"),
        ("x = ‘a’", "not_readable", "can't be read"),
        ("x < y = z", "not_readable", "parentheses"),
        ("x <=> y LIKE 'a'", "not_readable", "parentheses"),
        ("x = y IS NULL", "not_readable", "parentheses"),
        ("x = NOT y", "not_readable", "parentheses"),
        ("x BETWEEN 1 AND 2 = true", "not_readable", "parentheses"),
        ("x || y + 1 = 'a'", "not_readable", "parentheses"),
        ("x | y & 1 = 1", "not_readable", "parentheses"),
        ("(" * 400 + "x = 1" + ")" * 400, "not_readable", "nested too deep"),
        ("x = ${y}", "template", "${"),
        ("x = 'a${y}'", "template", "${"),
        ("x = {{ y }}", "template", "{{"),
        ("{% if y %} x = 1 {% endif %}", "template", "{%"),
        ("{# note #} x = 1", "template", "{#"),
        ("x = {y}", "template", "{y"),
        ("x = :y", "template", ":y"),
        ("x = ?", "template", "?"),
        ("x = @y", "template", "@y"),
        ("x = $y", "template", "$y"),
        ("x = <<y>>", "template", "<<y>>"),
        ("x = %(y)s", "template", "%(y)s"),
        ("x = x'1F'", "unsupported_function", "binary literal"),
        ("x = N'a'", "unsupported_function", "N'"),
        ("x:y = 1", "unsupported_function", "path in JSON"),
        ("exists(x, y -> y > 1)", "unsupported_function", "->"),
    ],
)
def test_refuses(text, code, reason):
    found = refusal(text)
    assert found.code == code
    assert reason in found.reason


def test_no_function_is_made_another():
    """sqlglot would read some of these as other functions, or with other arguments."""
    names = "ifnull nvl ucase iff date_add to_date unix_timestamp regexp_extract size mod int foo"
    for name in names.split():
        call = parse_condition(f"{name}(a, b) = 1").this
        assert isinstance(call, exp.Anonymous)
        assert (call.this, [e.name for e in call.expressions]) == (name, ["a", "b"])


_OPERATORS = [
    "=",
    "<>",
    "<",
    ">=",
    "<=>",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "DIV",
    "||",
    "&",
    "|",
    "^",
]
_CONNECTORS = ["AND", "OR"]
_ENDINGS = ["", "", "", " IS NULL", " IS NOT TRUE", " IN (1, 2)", " NOT IN (a)", " LIKE 'x'"]
_ENDINGS += [" BETWEEN 1 AND b", " NOT LIKE 'y'", " RLIKE 'z'", " IS DISTINCT FROM c"]


def _random_text(dice, depth=3):
    parts = [_random_operand(dice, depth)]
    for _ in range(dice.randint(0, depth)):
        parts.append(dice.choice(_OPERATORS if dice.random() < 0.6 else _CONNECTORS))
        parts.append(_random_operand(dice, depth))
    return " ".join(parts)


def _random_operand(dice, depth):
    kinds = ["a", "b", "c", "1", "2.5", "'x'", "NULL", "TRUE", "d::int", "e[0]", "s.f"]
    if depth > 1:
        inner = _random_text(dice, depth - 1)
        kinds += [f"({inner})", f"f({inner})", f"CAST({inner} AS INT)"]
        kinds.append(f"CASE WHEN {inner} THEN a ELSE b END")
    before = dice.choice(["", "", "", "", "NOT ", "-", "~", "! "])
    return before + dice.choice(kinds) + dice.choice(_ENDINGS)


def test_groups_operators_as_spark_does(spark):
    """Texts without the parentheses that would make it clear, as Spark's own parser groups them."""
    dice, read, differing = random.Random(5), 0, []
    for _ in range(4000):
        text = _random_text(dice)
        try:
            written = to_sql(parse_condition(text))
        except Refusal:
            continue
        before = spark_tree(spark, text)
        if before is None:
            continue  # Spark refuses more; types and functions are checked after
        read += 1
        if _normal(before) != _normal(spark_tree(spark, written)):
            flat = [spark_tree(spark, t, canonical=True) for t in (text, written)]
            if _normal(flat[0]) != _normal(flat[1]):
                differing.append((text, written))
    assert differing == []
    assert read > 800


def _normal(tree):
    """NOT of IS NULL and of NOT are written otherwise, and mean the same."""
    return tree.replace("isnotnull(", "NOT isnull(").replace("NOT NOT ", "").replace("NOT NOT ", "")
