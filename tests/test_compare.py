"""Normal forms, limits and what contradicts, on written conditions and on all rows of a domain."""

from decimal import Decimal
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp, parse_one
from three_values import rows, verdict

from ruleferry.converters.compare import (
    Interval,
    Members,
    Presence,
    contradict,
    extent,
    relation,
)
from ruleferry.converters.normal_form import Form, Meaning, mentions, negated, normal

X: Form = ("column", "x")


def tree(sql: str) -> exp.Expression:
    return parse_one(sql, read="databricks")


def form(sql: str) -> Form:
    return normal(tree(sql))


def number(value: str) -> Form:
    return ("number", Decimal(value))


# The normal form ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = 1 AND b = 2", "b = 2 AND a = 1"),
        ("a = 1 AND (b = 2 AND c = 3)", "(c = 3 AND a = 1) AND b = 2"),
        ("a = 1 OR b = 2 OR a = 1", "b = 2 OR a = 1"),
        ("a = 1", "1 = a"),
        ("a = b", "b = a"),
        ("a == 1", "((a = 1))"),
        ("a <> 1", "NOT a = 1"),
        ("a != 1", "NOT NOT a <> 1"),
        ("a < b", "b > a"),
        ("a <= 1", "1 >= a"),
        ("a BETWEEN 1 AND 2", "a >= 1 AND a <= 2"),
        ("a BETWEEN 1 AND 2 AND b = 1", "2 >= a AND b = 1 AND 1 <= a"),
        ("a NOT BETWEEN 1 AND 2", "NOT (a <= 2 AND a >= 1)"),
        ("a IN (1, 2, 3)", "a IN (3, 1, 2, 1)"),
        ("a IN (1)", "a = 1"),
        ("a NOT IN (1, 2)", "NOT (a IN (2, 1))"),
        ("a IS NOT NULL", "NOT a IS NULL"),
        ("a IS DISTINCT FROM b", "NOT (b <=> a)"),
        ("a NOT LIKE 'x%'", "NOT a LIKE 'x%'"),
        ("a NOT LIKE 'x!%' ESCAPE '!'", "NOT (a LIKE 'x!%' ESCAPE '!')"),
        ("a = 1", "a = 1.0"),
        ("a = 1", "a = 01"),
        ("a IN (1.50, 2)", "a IN (2.0, 1.5)"),
        ("a BETWEEN -1 AND 0", "a BETWEEN - 1.0 AND -0"),
        ("a = 0.1", "a = .10"),
        ("a = 'x'", 'a = "x"'),
        ("a = DATE'2020-01-01'", "a = CAST('2020-01-01' AS DATE)"),
        ("`A` = 1", "a = 1"),
        ("upper(a) = 'X'", "UPPER(A) = 'X'"),
        ("a = TRUE", "a = true"),
    ],
)
def test_only_the_way_of_writing_differs(one, other):
    assert form(one) == form(other)
    assert Meaning.of(tree(one)) == Meaning.of(tree(other))
    assert hash(Meaning.of(tree(one))) == hash(Meaning.of(tree(other)))
    assert {Meaning.of(tree(one))} == {Meaning.of(tree(other))}  # its hash, too


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a = 1 AND b = 2", "a = 1 OR b = 2"),
        ("a < 1", "a <= 1"),
        ("a < b", "b < a"),
        ("a < 1", "a > 1"),
        ("NOT a < 1", "a >= 1"),  # the same rows, but nothing merges that isn't plain to see
        ("a <=> 1", "a = 1"),  # NULL
        ("a <=> b", "a IS DISTINCT FROM b"),
        ("a IS NULL OR a = 1", "a = 1"),
        ("coalesce(a = 1, FALSE)", "a = 1"),
        ("a IN (1, 2)", "a IN (1, 2, 3)"),
        ("a IN (1, 2)", "a NOT IN (1, 2)"),
        ("a IN (1, NULL)", "a IN (1)"),
        ("a BETWEEN 1 AND 2", "a BETWEEN 2 AND 1"),
        ("a LIKE 'x%'", "a NOT LIKE 'x%'"),
        ("a LIKE 'x%'", "a ILIKE 'x%'"),
        ("a LIKE 'x!%' ESCAPE '!'", "a LIKE 'x!%'"),
        ("a LIKE 'x!%' ESCAPE '!'", "a LIKE 'x!%' ESCAPE '#'"),
        ("a LIKE 'x!%' ESCAPE '!'", "a NOT LIKE 'x!%' ESCAPE '!'"),
        ("a = '1'", "a = 1"),
        ("a = 'x'", "a = 'X'"),
        ("a = 'x'", "a = 'x '"),
        ("a = ''", "a IS NULL"),
        # 28 digits are as many as Python's decimals keep when they compute.
        (
            "a = 12345678901234567890123456789012345671",
            "a = 12345678901234567890123456789012345672",
        ),
        ("a = -1234567890123456789012345678901", "a = -1234567890123456789012345678902"),
        ("a = -1", "a = 1"),
        ("a = -(-1)", "a = -1"),
        ("a = 1e0", "a = 1"),  # a comparison of DOUBLEs
        ("a / 3 > 1", "a / 3.0 > 1"),  # a DOUBLE, and a DECIMAL of few digits
        ("a % -1 = 0", "a % 1 = 0"),
        ("CAST(a AS INT) = 1", "CAST(a AS DOUBLE) = 1"),
        ("CAST(a AS INT) = 1", "try_cast(a AS INT) = 1"),
        ("a = DATE'2020-01-01'", "a = TIMESTAMP'2020-01-01'"),
        ("a = DATE'2020-01-01'", "a = '2020-01-01'"),
        ("a.b = 1", "b = 1"),
        ("length(a) = 1", "a = 1"),
        ("a - b = 1", "b - a = 1"),
        ("a IS TRUE", "a IS NOT FALSE"),
        ("CASE WHEN a = 1 THEN b = 1 ELSE TRUE END", "CASE WHEN a = 1 THEN TRUE ELSE b = 1 END"),
    ],
)
def test_the_meaning_differs(one, other):
    assert form(one) != form(other)
    assert Meaning.of(tree(one)) != Meaning.of(tree(other))
    assert Meaning.of(tree(one)) != Meaning.of(tree(other))


def test_a_chain_of_thousands_is_no_deep_tree():
    """As a list of so many patterns gives it; a recursion would not come back."""
    tests = [f"a RLIKE 'p{n}'" for n in range(3000)]
    chain = exp.or_(*tests, dialect="databricks", wrap=False)
    assert normal(chain) == normal(exp.or_(*reversed(tests), dialect="databricks", wrap=False))


# Small trees over two columns, so that any two of them are likely to meet.

COLUMNS = st.sampled_from(["x", "y", "X"]).map(exp.column)
NUMBERS = st.sampled_from(["0", "1", "2"]).map(exp.Literal.number)
LITERALS = NUMBERS | NUMBERS.map(lambda n: exp.Neg(this=n)) | st.builds(exp.Null)
OPERANDS = COLUMNS | LITERALS
ORDERS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ)
DOMAIN = list(rows(x=[None, -2, -1, 0, 1, 2], y=[None, -1, 0, 2]))

comparisons = st.builds(
    lambda kind, left, right: kind(this=left, expression=right),
    st.sampled_from(ORDERS),
    OPERANDS,
    OPERANDS,
)
null_tests = COLUMNS.map(lambda c: exp.Is(this=c, expression=exp.Null()))
lists = st.builds(
    lambda c, values: exp.In(this=c, expressions=values),
    COLUMNS,
    st.lists(LITERALS, min_size=1, max_size=3),
)
betweens = st.builds(
    lambda c, low, high: exp.Between(this=c, low=low, high=high), COLUMNS, LITERALS, LITERALS
)
trees = st.recursive(
    comparisons | null_tests | lists | betweens,
    lambda inner: (
        st.builds(lambda a, b: exp.And(this=a, expression=b), inner, inner)
        | st.builds(lambda a, b: exp.Or(this=a, expression=b), inner, inner)
        | inner.map(lambda a: exp.Not(this=a))
        | inner.map(lambda a: exp.Paren(this=a))
    ),
    max_leaves=5,
)


def rewritten(node: exp.Expression, random: Random) -> exp.Expression:
    """The same meaning in another way of writing."""
    return node.copy().transform(lambda part: _rewritten(part, random))


_TURNED = {exp.LT: exp.GT, exp.LTE: exp.GTE, exp.GT: exp.LT, exp.GTE: exp.LTE}


def _rewritten(part: exp.Expression, random: Random) -> exp.Expression:
    if random.random() < 0.4:
        return part
    kind = type(part)
    match part:
        case exp.Literal():
            return exp.Literal.number(random.choice(["0", ""]) + part.this + ".0")
        case exp.Column():
            return exp.column(random.choice([str.upper, str.lower])(part.name))
        case exp.And() | exp.Or() | exp.EQ() | exp.NullSafeEQ():
            return exp.Paren(this=kind(this=part.right, expression=part.left))
        case exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            return _TURNED[kind](this=part.right, expression=part.left)
        case exp.NEQ():
            return exp.Not(this=exp.EQ(this=part.right, expression=part.left))
        case exp.Not():
            return exp.Not(this=exp.Not(this=part))
        case exp.In():
            values = [*part.expressions, part.expressions[0].copy()]
            random.shuffle(values)
            return exp.In(this=part.this, expressions=values)
        case exp.Between():
            low = exp.GTE(this=part.this, expression=part.args["low"])
            high = exp.LTE(this=part.this.copy(), expression=part.args["high"])
            return exp.Paren(this=exp.And(this=high, expression=low))
    return part


@given(trees, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_however_it_is_written_the_form_is_the_same(one, random):
    other = rewritten(one, random)
    assert normal(other) == normal(one)
    assert mentions(other) == mentions(one)


def changed(node: exp.Expression, random: Random) -> exp.Expression:
    """One part of a tree replaced by a near relation; rarely the meaning stays."""
    tree = node.copy()
    part = random.choice(list(tree.find_all(exp.Literal, exp.Column, exp.Binary, exp.In, exp.Not)))
    match part:
        case exp.Literal():
            part.set("this", random.choice("0123"))
        case exp.Column():
            part.replace(exp.column(random.choice("xy")))
        case exp.And() | exp.Or():
            part.replace(random.choice([exp.And, exp.Or])(this=part.left, expression=part.right))
        case exp.Binary() if isinstance(part, ORDERS):
            part.replace(random.choice(ORDERS)(this=part.left, expression=part.right))
        case exp.In():
            part.set("expressions", part.expressions[: random.randint(1, 3)])
        case exp.Not() if part is not tree:
            part.replace(part.this)
    return tree


@given(trees, st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_one_form_has_one_verdict_for_every_row(one, random):
    other = rewritten(changed(one, random), random)
    if normal(one) == normal(other):
        wrong = [row for row in DOMAIN if verdict(one, row) is not verdict(other, row)]
        assert not wrong, other.sql()
    else:  # and what no rewriting explains is not taken for a change
        assert normal(one) != normal(rewritten(other, random))


@given(trees)
@settings(max_examples=50, deadline=None)
def test_denying_twice_is_not_denying(one):
    assert negated(negated(normal(one))) == normal(one)


# Limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "limits"),
    [
        ("x BETWEEN 0 AND 100", Interval(X, number("0"), number("100"))),
        ("x IS NULL OR x BETWEEN 0 AND 100", Interval(X, number("0"), number("100"))),
        ("x IS NOT NULL AND x >= 0 AND x <= 100", Interval(X, number("0"), number("100"))),
        ("x > 0", Interval(X, number("0"), low_open=True)),
        ("x IS NULL OR x < 5.50", Interval(X, high=number("5.5"), high_open=True)),
        ("0 < X AND 5 >= X", Interval(X, number("0"), number("5"), low_open=True)),
        ("x >= -1", Interval(X, number("-1"))),
        ("x IN (1, 2)", Members(X, frozenset({number("1"), number("2")}))),
        ("x IS NULL OR x = 'F'", Members(X, frozenset({("text", "F")}))),
        ("x IS NULL", Presence(X, present=False)),
        ("x IS NOT NULL", Presence(X, present=True)),
        (
            "x IS NULL OR coalesce(try_cast(x AS DOUBLE) >= 1, FALSE)",
            Interval(form("try_cast(x AS DOUBLE)"), number("1")),
        ),
        ("coalesce(x IS NULL OR x >= 1, FALSE)", Interval(X, number("1"))),
        (
            "x IS NOT NULL AND CAST(x AS STRING) IN ('a', 'b')",
            Members(form("CAST(x AS STRING)"), frozenset({("text", "a"), ("text", "b")})),
        ),
        (
            "x >= DATE'2020-01-01'",
            Interval(X, form("DATE'2020-01-01'")),
        ),
        ("length(x) <= 3", Interval(form("length(x)"), high=number("3"))),
    ],
)
def test_the_limits_of_a_condition(sql, limits):
    assert extent(form(sql)) == limits


@pytest.mark.parametrize(
    "sql",
    [
        "x <> 1",
        "x NOT IN (1, 2)",
        "x >= 0 AND y <= 1",  # two columns
        "x >= y",
        "x = y",
        "x >= CAST(y AS INT)",  # a cast is a bound only where it is one of a literal
        "CAST(x AS INT) >= CAST(y AS INT)",
        "x >= 0 AND x >= 5",
        "x >= 0 OR x <= -5",
        "y IS NULL OR x <= 5",  # it limits x only where y has a value
        "y IS NOT NULL AND x <= 5",
        "x IS NULL OR y IS NULL",
        "x IS NOT NULL AND y IS NOT NULL",
        "x IS NOT NULL OR x <= 5",
        "x IS NULL AND x <= 5",
        "x <=> 5",
        "3 <= 5",
        "3 = 5",
        "coalesce(x <= 5, TRUE)",
        "x RLIKE 'a'",
        "x IS TRUE",
    ],
)
def test_no_limits_of_one_column(sql):
    assert extent(form(sql)) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x BETWEEN 0 AND 100", "x BETWEEN 0 AND 120"),
        ("x BETWEEN 0 AND 100", "x BETWEEN 1 AND 100"),
        ("x IS NULL OR x BETWEEN 0 AND 100", "x IS NOT NULL AND x BETWEEN 0 AND 120"),
        ("x > 0", "x >= 0"),
        ("x < 5", "x <= 5"),
        ("x >= 1", "x BETWEEN 2 AND 3"),
        ("x >= 100", "x <= 50"),  # no value is left
        ("x > 5", "x <= 5"),
        ("x >= DATE'2020-01-01'", "x >= DATE'2020-01-02'"),
        ("x >= DATE'2020-01-02'", "x < DATE'2020-01-01'"),
        ("x IN ('F', 'O')", "x IN ('F', 'O', 'P')"),
        ("x = 'F'", "x = 'O'"),
        ("x IS NOT NULL", "x IS NULL"),
        ("length(x) <= 3", "length(x) <= 4"),
        ("X <= 3", "`x` <= 4"),
    ],
)
def test_what_contradicts(one, other):
    first, second = extent(form(one)), extent(form(other))
    assert contradict(first, second)
    assert contradict(second, first)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x BETWEEN 0 AND 100", "x >= 0.0 AND x <= 100"),
        ("x IS NULL OR x <= 5", "x <= 5"),
        ("x >= 0", "x <= 100"),  # two halves of one range
        ("x >= 5", "x <= 5"),
        ("x BETWEEN 0 AND 100", "y BETWEEN 0 AND 120"),
        ("x <= 3", "length(x) <= 4"),
        ("x IS NOT NULL", "y IS NULL"),
        ("x IS NOT NULL", "x <= 5"),
        ("x IN (1, 2)", "x IN (2, 1)"),
        ("x IN (1, 2)", "x BETWEEN 0 AND 5"),
        ("x >= 'b'", "x <= 'a'"),  # how texts are ordered is the column's matter
    ],
)
def test_what_does_not_contradict(one, other):
    first, second = extent(form(one)), extent(form(other))
    assert not contradict(first, second)
    assert not contradict(second, first)


# Tighter and looser -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "word", "other"),
    [
        ("x <= 5 AND x >= 0", "equal", "x BETWEEN 0 AND 5"),
        ("x IS NULL OR x <= 5", "equal", "x IS NULL OR coalesce(x <= 5, FALSE)"),
        ("x BETWEEN 0 AND 100", "tighter", "x BETWEEN 0 AND 120"),
        ("x BETWEEN 0 AND 120", "looser", "x BETWEEN 0 AND 100"),
        ("x BETWEEN 0 AND 100", "tighter", "x >= 0"),
        ("x > 0", "tighter", "x >= 0"),
        ("x <= 5", "looser", "x < 5"),
        ("x BETWEEN 0 AND 100", "other", "x BETWEEN 50 AND 120"),
        ("x >= 0", "other", "x <= 100"),
        ("x IN (1, 2)", "tighter", "x IN (1, 2, 3)"),
        ("x = 1", "tighter", "x IN (1, 2)"),
        ("x IN (1, 2)", "other", "x IN (2, 3)"),
        ("x <= 5", "tighter", "x IS NULL OR x <= 5"),
        ("x IS NULL OR x <= 5", "other", "x <= 6"),  # NULL passes one, and 6 the other
        ("x IS NULL OR x <= 5", "tighter", "x IS NULL OR x <= 6"),
        ("x IS NOT NULL AND x <= 5", "equal", "x <= 5"),
        ("coalesce(x, 0) <= 5", "looser", "x IS NOT NULL AND coalesce(x, 0) <= 5"),
        ("y IS NULL OR x <= 5", "other", "x IS NULL OR x <= 6"),
        ("x <= 5", "other", "y <= 6"),
        ("CAST(x AS INT) >= 5", "other", "CAST(y AS INT) >= 5"),
        ("5 <= CAST(x AS INT)", "tighter", "4 <= CAST(x AS INT)"),
        ("x >= DATE'2020-02-01'", "tighter", "x >= DATE'2020-01-01'"),
        ("x >= DATE'2020-1-5'", "other", "x >= DATE'2020-01-10'"),  # a text of another form
        ("x >= DATE'20200105'", "other", "x >= DATE'2020-01-01'"),  # no date to Spark
        ("x >= TIMESTAMP'2020-01-01 10:00:00'", "looser", "x > TIMESTAMP'2020-01-01 10:00:00.5'"),
        (
            "x < TIMESTAMP'2020-01-01 10:00:00.5'",
            "tighter",
            "x <= TIMESTAMP'2020-01-01 10:00:00.50'",
        ),
        ("x >= DATE'2020-02-30'", "other", "x >= DATE'2020-01-01'"),
        ("x >= DATE'2020-02-01'", "other", "x >= TIMESTAMP'2020-01-01 00:00:00'"),
        ("x >= 'b'", "other", "x >= 'a'"),
        ("x IS NOT NULL", "looser", "x <= 5"),
        ("x <> 1", "other", "x <> 2"),
        ("x RLIKE 'a'", "equal", "x RLIKE 'a'"),
    ],
)
def test_how_one_relates_to_the_other(one, word, other):
    turned = {"tighter": "looser", "looser": "tighter"}
    assert relation(form(one), form(other)) == word
    assert relation(form(other), form(one)) == turned.get(word, word)


BOUNDS = st.sampled_from(["0", "1", "2", "3"])
CORES = (
    st.builds(
        "{} {} {}".format, st.just("{s}"), st.sampled_from(["<", "<=", ">", ">=", "="]), BOUNDS
    )
    | st.builds("{{s}} BETWEEN {} AND {}".format, BOUNDS, BOUNDS)
    | st.builds("{{s}} > {} AND {{s}} < {}".format, BOUNDS, BOUNDS)
    | st.lists(BOUNDS, min_size=1, max_size=3).map(lambda v: f"{{s}} IN ({', '.join(v)})")
    | st.sampled_from(["{s} IS NULL", "{s} IS NOT NULL"])
)
FRAMES = st.sampled_from(
    [
        "{0}",
        "{s} IS NULL OR {0}",
        "{c} IS NULL OR {0}",
        "{c} IS NULL OR coalesce({0}, FALSE)",
        "coalesce({c} IS NULL OR {0}, FALSE)",
        "{c} IS NOT NULL AND {0}",
        "x IS NULL OR ({0})",
        "y IS NOT NULL AND ({0})",
        "x IS NULL OR y IS NULL OR ({0})",
    ]
)
SUBJECTS = st.sampled_from(
    [("x", "x"), ("y", "y"), ("t", "try_cast(t AS DOUBLE)"), ("x", "coalesce(x, 1)")]
)
GRID = list(
    rows(
        x=[None, *map(Decimal, ["0", "0.5", "1", "1.5", "2", "2.5", "3", "4"])],
        y=[None, 1, 3],
        t=[None, "z", "2"],
    )
)


@st.composite
def limits(draw) -> str:
    column, subject = draw(SUBJECTS)
    core = draw(CORES).replace("{s}", subject)
    frame = draw(FRAMES).replace("{s}", subject).replace("{c}", column)
    return frame.format(f"({core})" if " OR " in frame else core)


def passing(sql: str) -> set[int]:
    judged = tree(sql)
    return {n for n, row in enumerate(GRID) if verdict(judged, row) is True}


@given(limits(), limits())
@settings(max_examples=400, deadline=None)
def test_what_the_rows_say_of_tighter_and_looser(one, other):
    first, second = passing(one), passing(other)
    match relation(form(one), form(other)):
        case "equal":
            assert first == second
        case "tighter":
            assert first <= second
        case "looser":
            assert first >= second


@given(limits(), limits())
@settings(max_examples=200, deadline=None)
def test_both_ways_agree(one, other):
    turned = {"tighter": "looser", "looser": "tighter"}
    there, back = relation(form(one), form(other)), relation(form(other), form(one))
    assert back == turned.get(there, there)
    first, second = extent(form(one)), extent(form(other))
    if first and second:
        assert contradict(first, second) == contradict(second, first)
