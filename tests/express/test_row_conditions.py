"""Row conditions, row by row: Great Expectations 1.24.1 and 0.18.22 against Spark.

The rule is that `z` has a value, which it never has: a record is bad exactly where it is in scope.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

import pytest

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import And, Comparison, Length, Not, OneOf, Or, Present, Range
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.oracle import Raised, RowVerdicts, verdicts
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import LegacyRule as Rule
from ruleferry.converters.rule import Origin, Row, Table, Unread
from ruleferry.converters.wording import in_words

TYPES = {
    "x": "bigint", "y": "bigint", "d": "double", "g": "string", "h": "string", "f": "boolean",
    "m": "decimal(10,2)", "t": "date", "s": "timestamp_ntz", "col a": "int", "z": "string",
}  # fmt: skip


def cells(text):
    """`x y d g h f m t s`, and `col a` of the row's number; a point is a missing value."""
    x, y, d, g, h, f, m, t, s = (None if part == "." else part for part in text.split(" "))
    return (
        x and int(x), y and int(y), d and float(d), g and g.replace("_", " ").strip(),
        h and h.replace("_", " "), f and f == "true", m and Decimal(m), t and date.fromisoformat(t),
        s and datetime.fromisoformat(s),
    )  # fmt: skip


LINES = (
    "5 5 5.0 a a true 5.00 2020-01-01 2020-01-01T00:00",
    ". . . . . . . . .",
    "6 5 nan b B false 4.99 2020-01-02 2020-01-01T12:00",
    "4 . -1.5 _ . . -1.50 2019-12-31 2019-12-31T23:59:59",
    ". 5 inf A é true 0.10 . .",
    "0 1 0.1 5 a_b false . 2020-01-01 .",
    "-1 -1 . x\\y it's . 99.99 . 2021-01-01T00:00",
    "1 0 1.5 é . true 1.00 2021-01-01 2020-01-01T00:00:01",
)
CELLS = tuple((*cells(line), number or None, None) for number, line in enumerate(LINES))
ROWS = Rows(tuple((name, parse_type(text)) for name, text in TYPES.items()), CELLS)
DECLARED = {name: parse_type(text) for name, text in TYPES.items()}


@dataclass(frozen=True)
class Case:
    condition: object
    parser: str | None
    old: bool = False

    @property
    def element(self):
        parser = {"condition_parser": self.parser} if self.parser else {}
        kwargs = {"column": "z", "row_condition": self.condition, **parser}
        name = "expect_column_values_to_not_be_null"
        return {"expectation_type" if self.old else "type": name, "kwargs": kwargs}


def expressed(case, engine, *, typed=True, version=None):
    rule = read_expectation(case.element, 0, Context("s", Table("t"), engine, version=version))
    if isinstance(rule.check, Unread):
        return Gap(rule.check.code, rule.check.reason)
    return express(rule, Types(DECLARED if typed else None))


def compared(cases, old, spark, engine, **how):
    """(case, result, old verdict or the message, new verdict) of each case."""
    results = [expressed(case, engine, **how) for case in cases]
    texts = {str(i): r.text for i, r in enumerate(results) if isinstance(r, Condition)}
    judged = judge(texts, ROWS, spark)
    assert not judged.rejected
    assert not [t for t in judged.verdicts.values() if set(t) - {"T", "F"}]
    said = [v.rows if isinstance(v, RowVerdicts) else v for v in old]
    new = [judged.verdicts.get(str(i)) for i in range(len(cases))]
    return list(zip(cases, results, said, new, strict=True))


def the_same_where_exact(found):
    """The number of exact conditions whose verdicts were compared."""
    exact = [f for f in found if isinstance(f[1], Condition) and f[1].grade == "exact"]
    wrong = [(c.condition, r.text, o, n) for c, r, o, n in exact if isinstance(o, str) and o != n]
    assert not wrong
    return sum(isinstance(old, str) for _, _, old, _ in exact)


# The syntaxes -------------------------------------------------------------------------------------


def of_values():
    values = {
        "x": (5, 2**60), "d": (1.5, 1), "g": ("a", "é"), "h": ("it's", "x\\y"), "m": (5, 0.1),
        "f": (True,), "t": ("2020-01-01",), "col a": (3,), "s": ("2020-01-01 12:00:00",),
    }  # fmt: skip
    for column, literals in values.items():
        for value in literals:
            for operator in ("==", "!=", "<", ">="):
                yield column, operator, value


def comparison(column, operator, parameter):
    named = {"column": {"name": column}, "operator": operator, "parameter": parameter}
    return {"type": "comparison", **named}


def null(column, is_null=True):
    return {"type": "nullity", "column": {"name": column}, "is_null": is_null}


def joined(kind, *conditions):
    return {"type": kind, "conditions": list(conditions)}


OBJECTS = [
    *(comparison(*parts) for parts in of_values()),
    *(
        comparison(column, operator, listed)
        for column, listed in (
            ("x", [5, 1]), ("g", ["a", "é"]), ("d", [1.5, 0.1]), ("m", [5, 1]), ("h", ["it's"]),
        )
        for operator in ("IN", "NOT_IN")
    ),
    *(null(column, asked) for column in "xdgfmts" for asked in (True, False)),
    joined("and", comparison("x", ">", 1), comparison("g", "!=", "a")),
    joined(
        "or",
        comparison("x", "!=", 5),
        null("g"),
        joined("and", comparison("d", "<", 2), comparison("f", "==", True)),
    ),
    joined("and", joined("and", null("x", False), comparison("x", "<=", 4)), null("g", False)),
]  # fmt: skip
OWN = [
    *(f'col("{c}") {o} {v}' for c, o, v in of_values() if v in (5, 1.5, 3)),
    *(f'col("{c}") {o} "{v}"' for c, o, v in of_values() if v in ("a", "é", "x\\y")),
    *(f'col("t"){operator}date("2020-01-01")' for operator in ("==", "<")),
    'col("g").notNull()',
    'col("d") .notnull() and col("x") > 1',
    'col("x") > 1abc',
    'col("x")==5 OR col("x")==6',
    'col("g") == "  a"',
]
QUERIES = [
    "x > 4", "not x > 4", "~(x != 5)", "x != 5", "x == 5 | x == 6", "x in [1, 5]",
    "x not in (1, 5)", "g == 'a'", "g != 'a'", "not g == 'a'", "g > 'a'", "not g > 'a'",
    "g in ['a', 'é']", "g not in []", "g not in ['a']", "g.isnull()", "~g.isnull()",
    "g.notna() and x > 1", "f and x > 0", "x > 0 & f", "f == True", "f != True", "x == True",
    "f == 1", "1 < x < 6", "1 < x <= 7 != y", "x > y", "x != y", "x == y", "x <= y", "not x < y",
    "x == -1", "x in [-1, 5]", "5 < x", "'a' == g", "[1, 5] == x", "x != [1, 5]", "`col a` > 2",
    "`x` > 2", "t > '2020-01-01'", "s >= '2020-01-01 12:00:00'", "x == 5 & y == 5", "x > 1 # so",
    "g != 5", "x != '5'", "not (g != 'a')", "h == \"it's\"", "d > 1", "x < 4 or x.isnull()",
    "d != 1", "not d > 1", "d.isnull()", "not d.isnull()", "d == 0.1", "g == h", "g != h", "g < h",
    "d > y", "m > 1", "m == 5", "not m >= 5", "s < t", "x == d",
    "x > 1 and not (g == 'a' or h.isnull())", "x.isnull() and g == 'a'", "not not x > 4",
    "((x > 1)) | (`col a` == 2)", "d > 0 or d <= 0", "x == 5 or x != x", "x > 0 or x <= 0",
]  # fmt: skip
IN_SQL = [
    "x > 4", "x != 5", "not (x > 4)", "g <> 'a' or x is null", "x in (1, 5)", "x not in (1, 5)",
    "f", "not f", "d > 1", "g = h", "x between 1 and 5", "g like 'a%'", "x + y > 5",
]  # fmt: skip
RUNS = [("spark", "nullable"), ("pandas", "nullable"), ("pandas", "numpy")]
MODERN = [
    *(Case(condition, None) for condition in OBJECTS),
    *(Case(text, "great_expectations") for text in OWN),
]


@pytest.fixture(scope="module")
def found(spark):
    """run -> all cases of 1.x on that run."""
    of_engine = {
        # A row condition is a frame of its own there, which takes its time.
        "spark": [*MODERN[::3], *(Case(text, "spark") for text in IN_SQL)],
        "pandas": [*MODERN, *(Case(text, "pandas") for text in QUERIES)],
    }
    made = {}
    for engine, style in RUNS:
        cases = of_engine[engine]
        asked = [case.element for case in cases]
        old = verdicts(asked, ROWS, engine, pandas_style=style, spark=spark)
        made[engine, style] = compared(cases, old, spark, engine)
    return made


@pytest.mark.parametrize("run", RUNS)
def test_an_exact_scope_is_that_of_1_24(found, run):
    assert the_same_where_exact(found[run]) > 30


def test_nearly_all_of_them_convert(found):
    """What is left is compared with a value that its engine refuses, or holds for no record."""
    for run in RUNS:
        gaps = [f for f in found[run] if isinstance(f[1], Gap)]
        assert {gap.code for _, gap, _, _ in gaps} <= {"type_mismatch", "row_condition"}
        assert len(gaps) < len(found[run]) // 10, [(c.condition, r) for c, r, _, _ in gaps]


def test_a_scope_of_plain_columns_is_that_of_plain_columns(found):
    """`pandas_nullable` says that it holds for them, and where it does not."""
    wrong = {}
    for run in RUNS[1:]:
        assumed = [f for f in found[run] if "pandas_nullable" in codes(f[1])]
        assumed = [f for f in assumed if f[1].grade == "assumed" and isinstance(f[2], str)]
        wrong[run] = [f for f in assumed if f[2] != f[3]]
        assert len(assumed) > 15
    assert not wrong["pandas", "numpy"]
    assert len(wrong["pandas", "nullable"]) > 10


def codes(result):
    return {c.code for c in result.caveats} if isinstance(result, Condition) else set()


def test_what_differs_says_why(found):
    """No verdict differs without a caveat that explains it."""
    explained = Counter()
    for run in RUNS:
        for case, result, old, new in found[run]:
            if isinstance(old, str) and new is not None and old != new:
                why = codes(result) & {"pandas_nullable", "compared_as_double", "dates_as_texts"}
                assert why, (case.condition, result.text)
                explained[why.pop()] += 1
    assert set(explained) == {"pandas_nullable", "compared_as_double", "dates_as_texts"}


# 0.x ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "texts", "parser", "version", "least"),
    [
        ("v3 spark", OWN[::2], "great_expectations__experimental__", (0, 18), 5),
        ("v3 spark", IN_SQL, "spark", (0, 18), 10),
        ("v3 pandas", QUERIES, "pandas", (0, 18), 35),
        ("v3 pandas", [q for q in QUERIES if "'" not in q], "python", (0, 18), 10),
        ("v2 pandas", QUERIES[::2], "pandas", (0, 12), 15),
    ],
)
def test_an_exact_scope_is_that_of_0_18(gx018, spark, run, texts, parser, version, least):
    engine = run.split()[1]
    cases = [Case(text, parser, old=True) for text in texts]
    old = gx018.verdicts([case.element for case in cases], ROWS, run)
    found = compared(cases, old, spark, engine, version=version)
    assert the_same_where_exact(found) >= least
    refused = [f for f in found if isinstance(f[1], Gap) and f[1].code == "invalid_rule"]
    assert not [(c.condition, old) for c, _, old, _ in refused if not isinstance(old, Raised)]


@pytest.mark.parametrize(
    ("run", "parser", "text", "version"),
    [
        ("v3 pandas", None, "x > 1", (0, 18)),
        ("v3 pandas", "spark", "x > 1", (0, 18)),
        ("v3 pandas", "great_expectations__experimental__", 'col("x") > 1', (0, 18)),
        ("v3 pandas", "python", "g == 'a'", (0, 18)),
        ("v3 pandas", "pandas", "x = 1", (0, 18)),
        ("v3 spark", None, "x > 1", (0, 18)),
        ("v3 spark", "pandas", "x > 1", (0, 18)),
        ("v3 spark", "great_expectations", 'col("x") > 1', (0, 18)),
        ("v3 spark", "great_expectations__experimental__", 'col("x") != 1', (0, 18)),
        ("v3 spark", "great_expectations__experimental__", 'col("g") > "a"', (0, 18)),
        ("v3 spark", "great_expectations__experimental__", 'col("col a") > 1', (0, 18)),
        ("v3 spark", "great_expectations__experimental__", 'col("g") == "é"', (0, 18)),
        ("v2 pandas", None, "x > 1", (0, 12)),
        ("v2 pandas", "great_expectations__experimental__", 'col("x") > 1', (0, 12)),
        ("v2 spark", "spark", "x > 1", (0, 12)),
    ],
)
def test_what_never_ran_in_0_x_is_told(gx018, run, parser, text, version):
    case = Case(text, parser, old=True)
    (old,) = gx018.verdicts([case.element], ROWS, run)
    result = expressed(case, run.split()[1], version=version)
    assert isinstance(old, Raised)
    assert (type(result), result.code) == (Gap, "invalid_rule")


# Texts, gaps and an engine that nobody knows ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "engine", "condition"),
    [
        ("x > 4", "pandas", "x IS NULL OR x <= 4 OR z IS NOT NULL"),
        ("g == 'a'", "pandas", "g IS NULL OR g <> 'a' OR z IS NOT NULL"),
        ("g != 'a'", "pandas", "(g IS NOT NULL AND g = 'a') OR z IS NOT NULL"),
        ("g not in ['a', 'b']", "pandas", "(g IS NOT NULL AND g IN ('a', 'b')) OR z IS NOT NULL"),
        ("x in [1, 5]", "pandas", "x IS NULL OR x NOT IN (1, 5) OR z IS NOT NULL"),
        ("d > 1", "pandas", "d IS NULL OR isnan(d) OR d <= 1 OR z IS NOT NULL"),
        ("f", "pandas", "f IS NULL OR f <> TRUE OR z IS NOT NULL"),
        ("x > 4 and g == 'a'", "pandas",
         "x IS NULL OR x <= 4 OR g IS NULL OR g <> 'a' OR z IS NOT NULL"),
        ("x.isnull() or x.notnull()", "pandas", "z IS NOT NULL"),
        (comparison("g", "!=", "a"), "spark", "g IS NULL OR g = 'a' OR z IS NOT NULL"),
        (comparison("g", "NOT_IN", ["a"]), "spark", "g IS NULL OR g = 'a' OR z IS NOT NULL"),
        (comparison("d", ">", 1), "spark", "d IS NULL OR d <= 1 OR z IS NOT NULL"),
        (null("d"), "spark", "d IS NOT NULL OR z IS NOT NULL"),
    ],
)  # fmt: skip
def test_the_condition_reads_well(text, engine, condition):
    assert expressed(Case(text, None), engine).text == condition


@pytest.mark.parametrize(
    ("condition", "engine", "code", "reason"),
    [
        ("x in []", "pandas", "never_fails", "(x is one of an empty list) applies to no record"),
        ("g == 5", "pandas", "never_fails", "(g is 5) applies to no record"),
        ("z.notnull()", "pandas", "never_fails", "applies only to records that pass"),
        ("w > 1", "pandas", "column_unknown", "no column w"),
        ("g > 5", "pandas", "type_mismatch", "g is string"),
        ("x > 'a'", "pandas", "type_mismatch", "x is bigint"),
        ("g", "pandas", "type_mismatch", "g is string"),
        ("x == f", "pandas", "type_mismatch", "x is bigint"),
        ("f > True", "pandas", "row_condition", "orders f by true and false"),
        (comparison("g", "==", 5), "spark", "type_mismatch", "g is string"),
        (comparison("f", "!=", 1), "spark", "type_mismatch", "f is boolean"),
        (comparison("x", "==", "a"), "spark", "type_mismatch", "x is bigint"),
        (comparison("g\x00", "==", "a"), "spark", "column_unknown", "no column"),
        ("x is nothing", "spark", "unsupported_function", "its row condition: "),
        ("x is nothing", None, "row_condition", "and nothing tells which engine ran it"),
        ("g.isnull()", None, "row_condition", "and nothing tells which engine ran it"),
        ("1 = 2", "spark", "never_fails", "(1 = 2) applies to no record"),
    ],
)
def test_scopes_that_must_not_convert(condition, engine, code, reason):
    found = expressed(Case(condition, None), engine)
    assert isinstance(found, Gap), found
    assert (found.code, reason in found.reason) == (code, True), found


def test_without_an_engine_a_scope_that_depends_on_it_is_assumed():
    counted = Counter()
    for case in MODERN:
        spark, pandas, unknown = (expressed(case, engine) for engine in ("spark", "pandas", None))
        if not isinstance(spark, Condition):
            assert isinstance(unknown, Gap)
            continue
        alike = isinstance(pandas, Condition) and pandas.text == spark.text
        assert unknown.text == spark.text
        assert alike or "engine_unknown" in codes(unknown), case
        counted[unknown.grade] += 1
    assert counted["exact"] > 30
    assert counted["assumed"] > 30
    assert "engine_unknown" in codes(expressed(Case("x > 4", None), None))


def test_columns_of_unknown_type(found, spark):
    """The guarded forms: never NULL, never raising, and never exact."""
    for engine, style in (RUNS[0], RUNS[2]):
        cases = [f[0] for f in found[engine, style]]
        old = [RowVerdicts(f[2]) if isinstance(f[2], str) else f[2] for f in found[engine, style]]
        made = compared(cases, old, spark, engine, typed=False)
        conditions = [f for f in made if isinstance(f[1], Condition)]
        assert len(conditions) > 50
        tests = [f for f in conditions if "null" not in str(f[0].condition).lower()]
        alike = [f for f in tests if f[2] == f[3]]
        assert len(alike) > len(tests) * 0.8
        assert not [f for f in tests if f[1].grade == "exact" and f[2] != f[3]]


# Other rules in a scope ---------------------------------------------------------------------------


def rule(check, scope, columns=("x",)):
    origin = Origin("s", "expectations[0]", "{}", "great_expectations", "spark")
    return Rule(origin, "a", "range", Row(check), Table("t"), columns, scope)


@pytest.mark.parametrize(
    ("check", "scope", "condition"),
    [
        (Range("x", 0, 9), Comparison("x", ">", 5), "x IS NULL OR x <= 5 OR x BETWEEN 0 AND 9"),
        (
            OneOf("g", ("a", "b")),
            Or((Comparison("x", "<", 0), Comparison("y", "=", 1))),
            "((x IS NULL OR x >= 0) AND (y IS NULL OR y <> 1)) OR g IS NULL OR g IN ('a', 'b')",
        ),
        (
            Length("g", high=5),
            And((Present("h"), Not(Comparison("g", "=", "a")))),
            "h IS NULL OR (g IS NOT NULL AND g = 'a') OR g IS NULL OR length(g) <= 5",
        ),
    ],
)
def test_a_rule_in_its_scope(check, scope, condition):
    assert express(rule(check, scope), Types(DECLARED)).text == condition


def test_a_scope_in_plain_words():
    scope = And((Comparison("g", "=", "a"), Comparison("x", ">=", 5)))
    made = express(rule(Present("z"), scope), Types(DECLARED))
    assert [c.detail for c in made.caveats] == ['checked only where g is "a" and x is at least 5']
    words = 'z has a value, where (g is none of "a", "b" or x is not 5) and not (f is true)'
    text = "(g not in ['a', 'b'] or x != 5) and not f"
    read = read_expectation(Case(text, "pandas").element, 0, Context("s", Table("t"), "pandas"))
    assert in_words(read) == words


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("expect_column_values_to_be_unique", {}),
        ("expect_column_values_to_not_be_null", {"mostly": 0.5}),
        ("expect_column_mean_to_be_between", {"min_value": 1}),
        ("expect_column_values_to_be_increasing", {}),
    ],
)
def test_rules_about_many_records_keep_their_scope(name, more):
    of_text = {"row_condition": 'col("g") == "a"', "condition_parser": "great_expectations"}
    element = {"type": name, "kwargs": {"column": "x"} | of_text | more}
    read = read_expectation(element, 0, Context("s", Table("t"), "spark"))
    assert read.scope == Comparison("g", "=", "a")
    assert in_words(read).endswith(', where g is "a"')


def test_a_large_number_is_exact_but_for_pandas():
    """Spark is given its digits; pandas holds a column with a missing value as doubles."""
    case = Case(comparison("x", ">=", 2**60), None)
    assert expressed(case, "spark").grade == "exact"
    assert "compared_as_double" in codes(expressed(case, "pandas"))
