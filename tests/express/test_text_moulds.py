"""A predicate in SQL says the same with and without its mould, whatever its columns and numbers."""

from dataclasses import replace

import pytest
from dialect_cases import TYPES, traps
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.dialects.parse import Unreadable, parse_expression
from ruleferry.converters.dialects.tree import copied
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express import moulds
from ruleferry.converters.express.moulds import moulded
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import UnsafeText
from ruleferry.converters.express.worded import worded
from ruleferry.converters.predicates import SqlText

UNKNOWN = Types()
KINDS = [None, *map(parse_type, ("int", "bigint", "double", "float", "decimal(9,2)", "string",
                                 "char(3)", "date", "timestamp", "boolean"))]  # fmt: skip
DIALECTS = sorted(sql_dialects())
NAMES = st.one_of(
    st.sampled_from(["amount", "Amount", "qty_2", "day", "ROWNUM", "select", "order", "user", "m",
                     "computed_1_", "mould_column_01_", "ruleferry_p_1_", "naïve", "a b", "x" * 90,
                     "date", "status", "value", "true_", "hh", "key", "level"]),
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,30}", fullmatch=True),
)  # fmt: skip
NUMBERS = st.one_of(st.integers(0, 12), st.integers(0, 2**32), st.just(20240305), st.just(1240305))
OPERANDS = st.sampled_from(["{a}", "{b}", "{n}", "{m}", "0", "1", "1.0", "-{n}", "'x'", "'{n}'",
                            "coalesce({a}, 0)", "length({b})", "{a} + {n}", "NULL", "'2024-03-05'",
                            "'true'", "''", "cast({a} AS date)", "({n})", "007"])  # fmt: skip
TESTS = st.one_of(
    st.builds("{} {} {}".format, OPERANDS, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]),
              OPERANDS),
    st.builds("{} BETWEEN {} AND {}".format, OPERANDS, OPERANDS, OPERANDS),
    st.builds("{} IN ({}, {})".format, OPERANDS, OPERANDS, OPERANDS),
    st.builds("{} IS NULL".format, OPERANDS),
    st.builds("{} LIKE 'a%'".format, OPERANDS),
)  # fmt: skip
SHAPES = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=4,
)


def outcome(make, *args):
    """What is said of a predicate: its condition, or why there is none."""
    try:
        found = make(*args)
    except CannotExpress as cannot:
        return cannot.gap
    except (Refusal, UnsafeText) as refusal:
        return str(refusal), getattr(refusal, "refused", None)
    meaning = found.meaning
    return (found.text, found.nulls, found.caveats, found.on_pandas, meaning.form,
            meaning.mentions)  # fmt: skip


def agrees(predicate, types, engine):
    assert outcome(moulded, predicate, engine, types) == outcome(worded, predicate, engine, types)


def read(text, dialect, bad=True):
    try:
        tree = parse_expression(text, sql_dialects()[dialect])
    except Unreadable:
        return None
    return SqlText(text, dialect, bad, tree=tree)


def typed(kinds, names):
    known = {name.lower(): kind for name, kind in zip(names, kinds, strict=True) if kind}
    return Types(known) if known else UNKNOWN


@settings(max_examples=400, deadline=None)
@given(SHAPES, st.sampled_from(DIALECTS), st.booleans(), st.data())
def test_a_mould_says_the_same_of_random_predicates(shape, dialect, bad, data):
    kinds = data.draw(st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS)))
    for _ in range(3):  # the first one makes the mould
        names = data.draw(st.tuples(NAMES, NAMES))
        a, b, n, m = *names, data.draw(NUMBERS), data.draw(NUMBERS)
        predicate = read(shape.format(a=a, b=b, n=n, m=m), dialect, bad)
        if predicate is not None:
            agrees(predicate, typed(kinds, names), dialect)


def renamed(predicate, suffix):
    """With other names for its columns, as far as they are columns of the tests."""
    tree = copied(predicate.tree)
    for column in tree.find_all(exp.Column):
        if column.name.lower() in TYPES and not column.table:
            column.this.set("this", column.name + suffix)
    return replace(predicate, tree=tree)


@pytest.mark.parametrize("declared", [True, False])
def test_a_mould_says_the_same_of_every_measured_expression(shared, declared):
    for case in traps(shared / "reference" / "legacy_sql_traps.tsv"):
        predicate = read(case.text, case.dialect)
        if predicate is None or not case.predicate:
            continue
        for suffix in ("", "_other", "_THIRD", "_" * 30):
            known = {f"{name}{suffix}".lower(): kind for name, kind in TYPES.items()}
            types = Types(known) if declared else UNKNOWN
            agrees(renamed(predicate, suffix), types, case.dialect)


def test_predicates_that_differ_in_names_and_numbers_share_a_mould():
    moulds._text_mould.cache_clear()
    for text in ("amount > 5 AND qty IS NULL", "Price > 7 AND total_of_all IS NULL"):
        moulded(read(text, "postgres"), "postgres", UNKNOWN)
    found = moulds._text_mould.cache_info()
    assert (found.misses, found.hits) == (1, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = 0", "a = 5"),
        ("a BETWEEN 2 AND 7", "a BETWEEN 7 AND 2"),
        ("a > 5 AND b > 5", "a > 5 AND b > 6"),
        ("a > b", "a > a"),
        ("a LIKE 'x%'", "a LIKE 'y%'"),
        ("length(a) > 5", "length(a) > 6"),
        ("dateadd(day, 1, a) > b", "dateadd(month, 1, a) > b"),
    ],
)
def test_these_are_not_alike(one, other):
    moulds._text_mould.cache_clear()
    for text in (one, other):
        outcome(moulded, read(text, "snowflake"), "snowflake", UNKNOWN)
    assert moulds._text_mould.cache_info().hits == 0


TEXTS = st.sampled_from(["A", "B", "x y", "it's", "1", "12", "20240305", "2024-03-05", "true", "",
                         " a", "a ", "ä", "today", "nan", "mould_text_00_", "ruleferry_p_1_", "{}",
                         "5 May 2024", "\\", "a\nb", "n", "on", "0000-00-00"])  # fmt: skip
OF_TEXTS = st.sampled_from([
    "{a} = '{s}'", "{a} <> '{s}' OR {b} = '{t}'", "{a} IN ('{s}', '{t}')",
    "NOT ({a} IN ('{s}', 'A', '{t}')) AND {b} > {n}", "{a} = '{s}' AND {a} = {b}",
    "coalesce({a}, 0) < {n}", "coalesce({a}, {m}) <= {n}", "{n} > coalesce({b}, 1)",
    "coalesce({a}, '{s}') = '{t}'", "{a} < '{s}'", "{a} BETWEEN '{s}' AND '{t}'",
    "{a} IN ({n}, {m})", "{a} IN ('{s}', {n})", "coalesce({a}, 0) <> {n}", "'{s}' = {a}",
    "nullif({a}, '') = '{s}'", "{a} LIKE '{s}' OR {b} = '{s}'",
])  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(OF_TEXTS, st.sampled_from(DIALECTS), st.data())
def test_a_mould_says_the_same_whatever_the_texts(shape, dialect, data):
    kinds = data.draw(st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS)))
    for _ in range(4):
        names = data.draw(st.tuples(NAMES, NAMES))
        s, t = (data.draw(TEXTS).replace("'", "''") for _ in range(2))
        n, m = (data.draw(st.integers(0, 9)) for _ in range(2))
        text = shape.format(a=names[0], b=names[1], s=s, t=t, n=n, m=m)
        predicate = read(text, dialect)
        if predicate is not None:
            agrees(predicate, typed(kinds, names), dialect)
