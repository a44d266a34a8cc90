"""Row conditions: what each syntax is read as, and what must not be read, and why."""

import itertools
import json
from decimal import Decimal
from tokenize import TokenError

import pytest

from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Comparison,
    IsTrue,
    Not,
    OneOf,
    Or,
    Present,
    SqlText,
)
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.readers.json_text import parse_json
from ruleferry.converters.rule import Table, Unread

INVALID, UNREAD = "invalid_rule", "row_condition"
OWN, OLD_OWN = "great_expectations", "great_expectations__experimental__"
PAIR = {"column_A": "a", "column_B": "b"}


def read(condition, parser=None, engine=None, version=None, *, old=False, on=None):
    """`old`: an expectation of 0.x; `on`: its columns."""
    name = "expect_column_pair_values_to_be_equal" if on else "expect_column_values_to_be_null"
    kwargs = (on or {"column": "a"}) | {"row_condition": condition}
    kwargs |= {"condition_parser": parser} if parser else {}
    element = {"expectation_type" if old else "type": name, "kwargs": kwargs}
    context = Context("s.json", Table("t"), engine, version=version)
    return read_expectation(parse_json(json.dumps(element)), 0, context)


def compared(column, operator, parameter):
    named = {"column": {"name": column}, "operator": operator, "parameter": parameter}
    return {"type": "comparison", **named}


def null(column, is_null=True):
    return {"type": "nullity", "column": {"name": column}, "is_null": is_null}


def joined(kind, *conditions):
    return {"type": kind, "conditions": list(conditions)}


def sql(text):
    return SqlText(text, "spark", bad=False)


# col("x") > 5 -------------------------------------------------------------------------------------

IN_COL = [
    ('col("a") == 5', Comparison("a", "=", 5)),
    ('col("a")!=-1.50', Comparison("a", "!=", -1.5)),
    (' col("a")\n >=\t1e3 ', Comparison("a", ">=", 1000)),
    ('col("a") < 05.', Comparison("a", "<", 5)),
    ('col("a")<="x y"', Comparison("a", "<=", "x y")),
    ("col(\"a\") > 'x'", Comparison("a", ">", "x")),
    ('col("a") == "  x  "', Comparison("a", "=", "x  ")),
    ('col("a") == date("2020-01-01")', Comparison("a", "=", "2020-01-01")),
    ("col(\"a\") < date ( '2020-01-01' )", Comparison("a", "<", "2020-01-01")),
    ('col("a").notnull()', Present("a")),
    ('col("a") .notNull()', Present("a")),
    ('col("a-b.c")==1', Comparison("a-b.c", "=", 1)),
]


@pytest.mark.parametrize(("text", "scope"), IN_COL)
@pytest.mark.parametrize("engine", ["spark", "sqlite", "pandas", None])
def test_the_syntax_of_great_expectations(text, scope, engine):
    rule = read(text, OWN, engine)
    assert (rule.scope, rule.caveats, rule.origin.engine) == (scope, (), engine)


@pytest.mark.parametrize(
    ("text", "scope", "applied", "left_out"),
    [
        (
            'col("a")==5 OR col("b")==6',
            Comparison("a", "=", 5),
            'col("a")==5',
            'OR col("b")==6',
        ),
        ('col("a") > 5abc', Comparison("a", ">", 5), 'col("a") > 5', "abc"),
        ('col("a").notnull() and x', Present("a"), 'col("a").notnull()', "and x"),
        ('col("a") == "x" "y"', Comparison("a", "=", "x"), 'col("a") == "x"', '"y"'),
    ],
)
@pytest.mark.parametrize("old", [False, True])
def test_what_great_expectations_left_out_is_told(text, scope, applied, left_out, old):
    rule = read(text, OLD_OWN, "spark", old=old)
    ((code, detail),) = [(c.code, c.detail) for c in rule.caveats]
    told = f"Great Expectations applied {applied} and left out the rest of the text: {left_out}"
    assert (rule.scope, code, detail) == (scope, "row_condition_cut", told)


NOT_IN_COL = (
    'col("a").isNull()', 'col("a") == True', 'col("a") = 5', "col('a') == 5", 'col("a") == ""',
    '(col("a") == 5)', 'not col("a") == 5', 'a == 5', 'col("") == 5', 'col("a") == "it\'s"', "col",
    'col("a") in (1)', 'col("a") == x', 'col( "a") == 5', 'col("a") == "   "', 'col("a") == "漢"',
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_IN_COL)
def test_what_great_expectations_can_not_parse(text):
    refused(read(text, OWN, "spark"), INVALID, "Great Expectations can't parse the row condition")


def test_the_reader_parses_what_great_expectations_parses():
    """Both agree on what is applied, for every combination of good and bad parts."""
    from great_expectations.exceptions import GreatExpectationsError
    from great_expectations.expectations.expectation import _convert_string_to_condition
    from great_expectations.expectations.row_conditions import ComparisonCondition

    columns = ('col("a")', 'col("a b")', "col('a')", ' col("é")', 'col( "a")', "a")
    operators = ("==", " !=", "< ", ">=", " <=\n", "=", "=>", "<>", ".notNULL()", " .notnull ()")
    values = (
        *("5", "-5", "+5.50", "1e2", "5.", ".5", "5abc", "", '"x"', "'x y'", '" x "', '"é"'),
        *('""', '"\t x"', 'date("2020-01-01")', "date('x')", "date(x)", "True", '"x', '"x" and 5'),
        *('"a\n"', '"\nb"', '"%_\\;"', "'a\"b'", '"—"', "1 2", "(5)", '"a" )', "1E+2", "1e"),
    )
    agreed = 0
    for text in map("".join, itertools.product(columns, operators, values)):
        rule = read(text, OWN, "spark")
        try:
            found = _convert_string_to_condition(text)
        except (GreatExpectationsError, KeyError):
            found = None
        if isinstance(rule.check, Unread):
            assert found is None, text
            continue
        assert found is not None, text
        agreed += 1
        if isinstance(found, ComparisonCondition):
            word = {"==": "="}.get(str(found.operator), str(found.operator))
            assert rule.scope == Comparison(found.column.name, word, found.parameter), text
        else:
            assert rule.scope == Present(found.column.name), text
    assert agreed > 300


# Objects ------------------------------------------------------------------------------------------

OBJECTS = [
    (compared("a", "==", 5), Comparison("a", "=", 5)),
    (compared("a b", "!=", "x"), Comparison("a b", "!=", "x")),
    (compared("a", "<", 0.1), Comparison("a", "<", Decimal("0.1"))),
    (compared("a", ">=", True), Comparison("a", ">=", True)),
    (compared("a", "IN", [1, 2.5]), OneOf("a", (1, 2.5))),
    (compared("a", "NOT_IN", ["x", "y"]), OneOf("a", ("x", "y"), negated=True)),
    (null("a"), Absent("a")),
    (null("a", False), Present("a")),
    (
        joined("and", null("a"), compared("b", "<=", 1)),
        And((Absent("a"), Comparison("b", "<=", 1))),
    ),
    (
        joined("or", null("a"), joined("and", null("b"), null("c"))),
        Or((Absent("a"), And((Absent("b"), Absent("c"))))),
    ),
]


@pytest.mark.parametrize(("condition", "scope"), OBJECTS)
@pytest.mark.parametrize("parser", [None, "spark", OWN])
def test_condition_objects(condition, scope, parser):
    assert read(condition, parser, "spark").scope == scope


HANDED_ON = {"type": "pass_through", "pass_through_filter": "b > 1"}
DEEP = null("a")
for _ in range(40):
    DEEP = joined("and", DEEP)


@pytest.mark.parametrize(
    ("condition", "code", "reason"),
    [
        (compared("a", "==", None), INVALID, "a value was expected, found null"),
        (compared("a", "=", 5), INVALID, 'no operator "="'),
        (compared("a", "IN", "x"), INVALID, "a list was expected"),
        (compared("a", "IN", [1, "x"]), INVALID, "texts or numbers were expected"),
        (compared("a", "IN", [True]), INVALID, "texts or numbers were expected"),
        (compared("a", "IN", [None]), INVALID, "texts or numbers were expected"),
        (compared("a", "IN", []), INVALID, "Spark refuses an empty list"),
        (compared("a", "==", [5]), INVALID, "a value was expected"),
        (compared("", "==", 5), INVALID, "a column was expected"),
        (compared("a", "==", 5) | {"column": "a"}, INVALID, "a column was expected"),
        (null("a", "maybe"), INVALID, "true or false was expected"),
        (joined("and", null("a"), joined("or", null("b"))), INVALID, 'an "or" within an "and"'),
        (joined("or", null("a"), joined("or", null("b"))), INVALID, 'an "or" within an "or"'),
        (joined("or", joined("and", joined("or", null("b")))), INVALID, 'an "or" within an "or"'),
        (joined("and", *[null("a")] * 101), INVALID, "100 conditions are the most"),
        (joined("and", {"type": "x"}), INVALID, "a condition was expected"),
        (joined("and", HANDED_ON), INVALID, "a condition was expected"),
        (joined("or"), UNREAD, "which holds no condition"),
        (DEEP, UNREAD, "nested too deeply"),
        (compared("a", "==", "x\xa0y"), UNREAD, "a character that Great Expectations does not"),
        (
            compared("a", "==", {"$PARAMETER": "p"}),
            "parameter",
            "row_condition is the parameter",
        ),
    ],
)
def test_objects_that_must_not_convert(condition, code, reason):
    refused(read(condition, None, "spark"), code, reason)


# Great Expectations takes it, and refuses it when it runs.
RAN_LATE = (compared("a", "==", [5]), compared("", "==", 5), joined("and", HANDED_ON))


def test_great_expectations_refuses_these_objects_too():
    from great_expectations.compatibility.pydantic import ValidationError
    from great_expectations.expectations import ExpectColumnValuesToBeNull

    refused_too = 0
    for case in test_objects_that_must_not_convert.pytestmark[0].args[1]:
        condition, code, reason = case
        ran_late = "Spark" in reason or condition in RAN_LATE
        if code == INVALID and not ran_late:
            with pytest.raises((ValidationError, ValueError, TypeError)):
                ExpectColumnValuesToBeNull(column="a", row_condition=condition)
            refused_too += 1
    assert refused_too > 10


# pandas -------------------------------------------------------------------------------------------

A5 = Comparison("a", "=", 5)
QUERIES = [
    ("a == 5", A5),
    ("5 == a", A5),
    ("5 < a", Comparison("a", ">", 5)),
    ("a >= -1.5", Comparison("a", ">=", -1.5)),
    ("`a b` != 'x'", Comparison("a b", "!=", "x")),
    ("a == True", Comparison("a", "=", True)),
    ("a == 'x`y'", Comparison("a", "=", "x`y")),
    ('`c` == "it\'s"', Comparison("c", "=", "it's")),
    ("a < b", ColumnComparison("a", "<", "b")),
    ("a in [1, -2]", OneOf("a", (1, -2))),
    ("a not in ('x',)", OneOf("a", ("x",), negated=True)),
    ("a == [1, 2]", OneOf("a", (1, 2))),
    ("[1, 2] != a", OneOf("a", (1, 2), negated=True)),
    ("1 < a <= 5", And((Comparison("a", ">", 1), Comparison("a", "<=", 5)))),
    ("a == 5 & b > 1", And((A5, Comparison("b", ">", 1)))),
    ("(a == 5) | (b > 1)", Or((A5, Comparison("b", ">", 1)))),
    ("not a == 5", Not(A5)),
    ("~(a == 5) and b.isnull()", And((Not(A5), Absent("b")))),
    ("~b.isna()", Not(Absent("b"))),
    ("b.notnull() or b.notna()", Or((Present("b"), Present("b")))),
    ("a", IsTrue("a")),
    ("not a", Not(IsTrue("a"))),
    ("a and ~b", And((IsTrue("a"), Not(IsTrue("b"))))),
    ("a == 5  # of the new kind", A5),
]


@pytest.mark.parametrize(("text", "scope"), QUERIES)
@pytest.mark.parametrize("old", [False, True])
def test_the_text_of_a_pandas_query(text, scope, old):
    assert read(text, "pandas", "pandas", old=old).scope == scope


NOT_READ = (
    "a > @limit", "a.str.startswith('x')", "a + 1 > 2", "abs(a) > 1", "index > 5", "a[0] > 1",
    "df.a > 1", "a == None", "a in [1, None]", "a in [b]", "a > 1 and True", "a.isnull() == True",
    "a or b > 1", "not (a and b)", "not not a", "a == 1e999", "a in 'x'", "1 == 1", "a < [1]",
    "list > 1", "`a\"b` > 1", "a == b'x'", "(a > 1) > b", "a.isnull(1)",
    "~a > 1", "a @ b", " and ".join(["a == 5"] * 3 + ["f(x)"]), "not " * 50 + "a == 5",
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_READ)
def test_a_query_that_is_not_understood(text):
    check = read(text, "pandas", "pandas").check
    assert isinstance(check, Unread)
    assert (check.code, check.reason.startswith("its row condition")) == (UNREAD, True)


REFUSED_BY_PANDAS = (
    "a = 5", "a is None", "a is not None", "a >", "a == 'x", "class == 1", "a == 5\nand b == 6",
    "a == 5; b == 6", "a > 1 AND b > 1", "a IS NULL", "lambda: a", "a if b else c", "(a == 5",
)  # fmt: skip


@pytest.mark.parametrize("text", REFUSED_BY_PANDAS)
def test_a_query_that_pandas_refuses(text):
    import pandas as pd

    refused(read(text, "pandas", "pandas"), INVALID, "pandas can't query with the row condition")
    with pytest.raises((SyntaxError, TokenError, ValueError, NotImplementedError)):
        pd.DataFrame({"a": [5], "b": [6]}).query(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a == 5) & (b > 1)", And((A5, Comparison("b", ">", 1)))),
        ("~(a == 5) | b.isnull()", Or((Not(A5), Absent("b")))),
        ("a == 'x'", INVALID),
        ("a in [1]", INVALID),
        ("a == 5 and b > 1", INVALID),
        ("not a == 5", INVALID),
        ("1 < a < 5", INVALID),
        ("`a b` == 5", INVALID),
        ("a & b == 5", UNREAD),
    ],
)
def test_the_parser_python_of_pandas_takes_less(text, expected):
    rule = read(text, "python", "pandas", old=True)
    found = rule.check.code if isinstance(rule.check, Unread) else rule.scope
    assert found == expected


def test_nothing_in_a_query_is_run(tmp_path):
    target = tmp_path / "made"
    made = f"__import__('pathlib').Path({str(target)!r}).touch()"
    for text in (made, f"open({str(target)!r}, 'w')"):
        refused(read(text, "pandas", "pandas"), UNREAD, "its row condition is")
        assert not target.exists()


# Who reads the text -------------------------------------------------------------------------------

B1, AS_SQL = Comparison("b", ">", 1), sql("b > 1")
NEVER = "so it never ran"


@pytest.mark.parametrize(
    ("old", "version", "engine", "parser", "expected"),
    [
        # 1.x since 1.8, and where no version is stated: handed to the engine, whatever its parser
        (False, None, "spark", None, AS_SQL),
        (False, None, "spark", "spark", AS_SQL),
        (False, None, "pandas", None, B1),
        (False, None, "pandas", "pandas", B1),
        (False, None, None, None, AS_SQL),
        (False, None, None, "spark", AS_SQL),
        (False, None, None, "pandas", B1),
        (False, (1, 9), "pandas", "spark", B1),
        (False, (1, 9), "spark", "pandas", AS_SQL),
        (False, None, "pandas", "spark", UNREAD),
        (False, None, "spark", "pandas", UNREAD),
        (False, None, "postgres", None, INVALID),
        (False, None, "postgres", "spark", INVALID),
        (False, (1, 9), "sql", "pandas", INVALID),
        # 0.13 to 1.7: each engine has its parsers
        *(
            (old, version, *row)
            for old, version in ((True, None), (True, (0, 18)), (False, (1, 3)))
            for row in (
                ("spark", "spark", AS_SQL),
                ("pandas", "pandas", B1),
                (None, "spark", AS_SQL),
                (None, "pandas", B1),
                ("spark", "pandas", INVALID),
                ("pandas", "spark", INVALID),
                ("sql", "spark", INVALID),
                ("postgres", "pandas", INVALID),
                ("spark", None, INVALID),
                ("pandas", None, INVALID),
                (None, None, INVALID),
            )
        ),
        (True, None, "pandas", "python", B1),
        (True, None, "spark", "python", INVALID),
        # 0.12 and older: pandas alone
        (True, (0, 12), "pandas", "pandas", B1),
        (True, (0, 12), None, "python", B1),
        (True, (0, 11), "pandas", None, INVALID),
        (True, (0, 11), "pandas", "spark", INVALID),
        (True, (0, 12), "spark", "spark", INVALID),
        (True, (0, 12), "sql", OLD_OWN, INVALID),
    ],
)
def test_who_reads_a_text(old, version, engine, parser, expected):
    rule = read("b > 1", parser, engine, version, old=old)
    if expected == INVALID:
        refused(rule, INVALID, NEVER)
    elif expected == UNREAD:
        refused(rule, UNREAD, "and only since 1.8 Great Expectations reads such a text")
    else:
        assert rule.scope == expected
        stated = {"pandas": "pandas", "python": "pandas", "spark": "spark"}
        assert rule.origin.engine == (engine or stated.get(parser))


@pytest.mark.parametrize(
    ("version", "engine", "parser", "ran"),
    [
        (None, "pandas", OLD_OWN, False),
        (None, "spark", OWN, False),
        (None, "spark", OLD_OWN, True),
        (None, "sqlite", OLD_OWN, True),
        (None, None, OLD_OWN, True),
        ((0, 12), "spark", OLD_OWN, False),
    ],
)
def test_its_own_syntax_in_0_x(version, engine, parser, ran):
    rule = read('col("b") > 1', parser, engine, version, old=True)
    assert rule.scope == B1 if ran else refused(rule, INVALID, "never ran") is None


def test_its_own_syntax_with_pandas_came_with_1_8():
    assert read('col("b") > 1', OWN, "pandas", (1, 8)).scope == B1
    assert read('col("b") > 1', OWN, "spark", (1, 2)).scope == B1
    refused(read('col("b") > 1', OWN, "pandas", (1, 7)), INVALID, NEVER)


@pytest.mark.parametrize(
    ("text", "engines"),
    [
        ('col("b") != 5', ["sqlite", None]),
        ('col("b") > "x"', ["sqlite", None]),
        ('col("b") == "x"', ["spark", "sqlite", None]),
        ('col("b") == date("2020-01-01")', ["spark"]),
        ('col("b") > date("2020-01-01")', []),
        ('col("b").notnull()', ["spark", "sqlite", None]),
        ('col("b c") == 5', []),
        ('col("b") == "é"', []),
    ],
)
def test_what_0_x_could_not_run(text, engines):
    for engine in ("spark", "sqlite", None):
        rule = read(text, OLD_OWN, engine, old=True)
        assert isinstance(rule.check, Unread) == (engine not in engines), (engine, rule.check)


def test_a_pair_of_0_12_is_read_with_the_default_parser():
    rule = read("a == 'x' and b > 1", "python", "pandas", (0, 12), old=True, on=PAIR)
    assert rule.scope == And((Comparison("a", "=", "x"), B1))
    assert read("b > 1", None, "pandas", (0, 12), old=True, on=PAIR).scope == B1


def test_a_pass_through_object_is_its_text():
    assert read(HANDED_ON, None, "pandas").scope == B1
    assert read(HANDED_ON, "spark", "spark").scope == AS_SQL
    refused(read(HANDED_ON, None, "mysql"), INVALID, NEVER)
    refused(read({"type": "pass_through"}, None, "spark"), INVALID, "a text was expected")


def test_the_condition_of_0_x_is_a_text():
    refused(read(null("b"), "spark", "spark", old=True), INVALID, "a text was expected")


def refused(rule, code, reason):
    assert isinstance(rule.check, Unread), rule.scope
    assert (rule.check.code, reason in rule.check.reason) == (code, True), rule.check
