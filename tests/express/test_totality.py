"""Nothing that may raise is left, nothing that is not on the list passes, and the list is right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from predicate_cases import PREDICATES, TYPES, frames
from spark_verdicts import verdicts
from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.functions import called, function, functions, refused_functions
from ruleferry.converters.express.nullness import null_causes
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import checked_text, to_sql
from ruleferry.converters.express.totality import Refused, Total, make_total
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.mappings import gaps, table


def total(text, types=TYPES):
    found = make_total(parse_condition(text), types)
    assert isinstance(found, Total), found
    return found


@pytest.mark.parametrize(
    ("text", "form"),
    [
        # casts
        ("CAST(s AS INT) > 5", "try_cast(s AS INT) > 5"),
        ("s::double > 5", "try_cast(s AS DOUBLE) > 5"),
        ("date(s) > dt", "try_cast(s AS DATE) > dt"),
        ("CAST(l AS INT) > 5", "try_cast(l AS INT) > 5"),
        ("CAST(n AS BIGINT) > 5", "CAST(n AS BIGINT) > 5"),
        ("CAST(n AS DECIMAL(9, 0)) > 5", "try_cast(n AS DECIMAL(9, 0)) > 5"),
        ("CAST(n AS DECIMAL(12, 2)) > 5", "CAST(n AS DECIMAL(12, 2)) > 5"),
        ("CAST(m AS DECIMAL(10, 1)) > 5", "CAST(m AS DECIMAL(10, 1)) > 5"),
        ("CAST(m AS DECIMAL(9, 1)) > 5", "try_cast(m AS DECIMAL(9, 1)) > 5"),  # 99999999.99
        ("CAST(m AS DOUBLE) > 5", "CAST(m AS DOUBLE) > 5"),
        ("CAST(ts AS DATE) = dt", "CAST(ts AS DATE) = dt"),
        ("CAST(s AS CHAR(3)) = 'a'", "CAST(s AS STRING) = 'a'"),
        ("try_cast(CAST(s AS INT) AS BIGINT) > 1", "try_cast(try_cast(s AS INT) AS BIGINT) > 1"),
        # calculations
        ("n / k > 1", "try_divide(n, k) > 1"),
        ("n / 4 > 1", "n / 4 > 1"),
        ("n / 0 > 1", "try_divide(n, 0) > 1"),
        ("n % k = 0", "try_mod(n, k) = 0"),
        ("n DIV k = 0", "n DIV nullif(k, 0) = 0"),
        ("n + k > 1", "try_add(n, k) > 1"),
        ("n - 1 > 1", "try_subtract(n, 1) > 1"),
        ("l * 2 > 1", "try_multiply(l, 2) > 1"),
        ("n > 60 * 60 * 24", "n > 60 * 60 * 24"),
        ("n > 60 * 60 * 1000000", "n > try_multiply(60 * 60, 1000000)"),
        ("m * n > 1", "m * n > 1"),  # 10 + 10 + 1 digits
        ("w * n > 1", "try_multiply(w, n) > 1"),
        ("d * n + 1 > 1", "d * n + 1 > 1"),
        ("-n > 1", "try_subtract(0, n) > 1"),
        ("-m > 1", "-m > 1"),
        ("n > -5", "n > -5"),
        ("abs(n) > 1", "abs(CAST(n AS BIGINT)) > 1"),
        ("abs(l) > 1", "abs(CAST(l AS DECIMAL(20, 0))) > 1"),
        ("abs(m) > 1", "abs(m) > 1"),
        ("pmod(n, k) = 1", "pmod(n, nullif(k, 0)) = 1"),
        ("try_add(CAST(s AS INT), 1) > 1", "try_add(try_cast(s AS INT), 1) > 1"),
        ("try_divide(n + 1, k) > 1", "try_divide(try_add(n, 1), k) > 1"),
        # texts beside other types
        ("s = 5", "try_cast(s AS BIGINT) = 5"),
        ("s > 1.5", "try_cast(s AS DOUBLE) > 1.5"),
        ("s IN (1, 2)", "try_cast(s AS BIGINT) IN (1, 2)"),
        ("n IN ('1', '2')", "n IN ('1', '2')"),
        ("dt > s", "dt > try_cast(s AS DATE)"),
        ("dt > '2020-01-01'", "dt > '2020-01-01'"),
        ("ts > '2020-01-01 10:00:00Z'", "ts > '2020-01-01 10:00:00Z'"),
        ("coalesce(s, 0) > 1", "coalesce(try_cast(s AS BIGINT), 0) > 1"),
        ("nullif(n, '0') > 1", "nullif(n, '0') > 1"),
        ("year(s) > 1", "year(try_cast(s AS DATE)) > 1"),
        ("hour(s) > 1", "hour(try_cast(s AS TIMESTAMP)) > 1"),
        ("sqrt(s) > 1", "sqrt(try_cast(s AS DOUBLE)) > 1"),
        ("substring(s, l, 2) = 'a'", "substring(s, try_cast(l AS INT), 2) = 'a'"),
        ("length(n) = 1 AND dt LIKE '2024%'", "length(n) = 1 AND dt LIKE '2024%'"),
        # days
        ("dt + INTERVAL 1 MONTH > ts", "try_add(dt, INTERVAL '1' MONTH) > ts"),
        ("ts < now() - INTERVAL 1 DAY", "ts < current_timestamp() - INTERVAL '1' DAY"),
        ("add_months(dt, -3) > dt", "try_add(dt, INTERVAL '-3' MONTH) > dt"),
        (
            "to_date(s, 'yyyy-MM-dd') IS NULL",
            "CAST(try_to_timestamp(s, 'yyyy-MM-dd') AS DATE) IS NULL",
        ),
        ("to_timestamp(s, 'yyyy') IS NULL", "try_to_timestamp(s, 'yyyy') IS NULL"),
        ("extract(YEAR FROM dt) = 1", "year(dt) = 1"),
        # parts of arrays, maps, texts
        ("a[0] = 'x'", "get(a, 0) = 'x'"),
        ("element_at(a, 1) = 'x'", "try_element_at(a, 1) = 'x'"),
        ("split(s, ',')[1] = 'x'", "get(split(s, ','), 1) = 'x'"),
        ("mp['k'] = 1", "mp['k'] = 1"),
        ("parse_json(s) IS NULL", "try_parse_json(s) IS NULL"),
        # other words for the same
        ("nvl(n, 0) = 0", "coalesce(n, 0) = 0"),
        ("isnull(n)", "n IS NULL"),
        ("mod(n, 2) = 0", "n % 2 = 0"),
        ("IF(o, n, 0) > 1", "CASE WHEN o THEN n ELSE 0 END > 1"),
        ("s LIKE ANY ('a%', 'b%')", "s LIKE 'a%' OR s LIKE 'b%'"),
    ],
)
def test_the_form_that_never_raises(text, form):
    assert checked_text(total(text).tree, each=True) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("x = 'F'", "CAST(x AS STRING) = 'F'"),
        ("x IN ('F', 'O')", "CAST(x AS STRING) IN ('F', 'O')"),
        ("x > 5", "try_cast(CAST(x AS STRING) AS DOUBLE) > 5"),
        ("x < current_date()", "try_cast(CAST(x AS STRING) AS TIMESTAMP_NTZ) < current_date()"),
        (
            "x >= '2020-01-01'",
            "try_cast(CAST(x AS STRING) AS TIMESTAMP_NTZ) >= DATE'2020-01-01'",
        ),
        ("x > 'm'", "CAST(x AS STRING) > 'm'"),
        ("x = true", "try_cast(CAST(x AS STRING) AS BOOLEAN) = TRUE"),
        (
            "x + y > 1",
            "try_cast(CAST(x AS STRING) AS DOUBLE) + try_cast(CAST(y AS STRING) AS DOUBLE) > 1",
        ),
        ("x AND n > 1", "try_cast(CAST(x AS STRING) AS BOOLEAN) AND n > 1"),
        (
            "ifnull(x, 1) > 1",
            "coalesce(try_cast(CAST(x AS STRING) AS DOUBLE), 1) > 1",
        ),
        ("year(x) > 1", "year(try_cast(CAST(x AS STRING) AS DATE)) > 1"),
    ],
)
def test_columns_of_unknown_type_are_read_from_their_text(text, form):
    found = total(text, {"n": TYPES["n"]})
    assert checked_text(found.tree, each=True) == form
    assert found.grade == "assumed"
    assert any(n.startswith("the type of ") and "is not known" in n for n in found.notes)


@pytest.mark.parametrize(
    "text", ["x IS NULL", "x LIKE 'a%'", "length(x) > 1", "x || 'a' = 'ba'", "x <=> x"]
)
def test_columns_whose_type_does_not_matter(text):
    found = total(text, {})
    assert (to_sql(found.tree), found.grade, found.notes) == (text, "exact", ())


@pytest.mark.parametrize(
    ("text", "grade", "note"),
    [
        ("n > 1", "exact", None),
        (
            "n + k > 1",
            "differs",
            "n + k has no value where the result is too large for its type; the check",
        ),
        (
            "n / k > 1",
            "differs",
            "n / k has no value where the divisor is 0; the check as written stops",
        ),
        (
            "CAST(s AS INT) > 1",
            "differs",
            "CAST(s AS INT) has no value where its text is not of the wanted form",
        ),
        ("a[0] = 'x'", "differs", "a[0] has no value where there is no such element"),
        ("dt < current_date()", "exact", "current_date() reads the clock"),
        ("x > 1 AND n / k > 1", "differs", "the type of x is not known: it is read as a number"),
    ],
)
def test_grades_and_notes(text, grade, note):
    found = total(text)
    assert found.grade == grade
    assert (found.notes == ()) if note is None else any(note in n for n in found.notes)


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        # Other rows, other tables
        ("n IN (SELECT k FROM t)", "needs_dataset", "a subquery"),
        ("EXISTS (SELECT 1 FROM t)", "needs_dataset", "a subquery"),
        ("n > (SELECT max(k) FROM t)", "needs_dataset", "a subquery"),
        ("count(*) > 1", "needs_dataset", "an aggregate"),
        ("sum(n) > 1", "needs_dataset", "it adds up many records"),
        ("max(n) > 1", "needs_dataset", "it adds up many records"),
        ("row_number() OVER (ORDER BY n) > 1", "needs_dataset", "a window"),
        ("lag(n) OVER (ORDER BY n) > 1", "needs_dataset", "a window"),
        ("x.y > 1", "needs_dataset", "a column of another table"),
        # What an expectation must not hold
        ("rand() < 0.5", "not_lakeflow", "another value each time"),
        ("uuid() = s", "not_lakeflow", "another value each time"),
        ("current_user() = s", "not_lakeflow", "on the session"),
        ("current_user = s", "not_lakeflow", "on the session"),
        ("session_user = s", "not_lakeflow", "on the session"),
        ("input_file_name() = s", "not_lakeflow", "the file read"),
        ("explode(a) = 'x'", "not_lakeflow", "several rows of one"),
        ("raise_error('x')", "not_lakeflow", "on purpose"),
        ("java_method('a', 'b') = 'x'", "not_lakeflow", "outside SQL"),
        # Not on the list
        ("my_udf(n) > 1", "unsupported_function", "my_udf() is not in the list"),
        ("sales.is_valid(n)", "unsupported_function", "a function of a schema"),
        ("length(s, n) > 1", "unsupported_function", "length() is not known with 2 arguments"),
        ("exists(a, x -> x = 'a')", "unsupported_function", "a function as an argument"),
        ("make_date(n, k, 1) > dt", "unsupported_function", "no form that never does"),
        ("s SIMILAR TO 'a'", "unsupported_function", "SIMILARTO"),
        ("s COLLATE UTF8_LCASE = 'a'", "unsupported_function", "COLLATE"),
        ("(n, k) = (1, 2)", "unsupported_function", "TUPLE"),
        ("n << 1 > 1", "not_readable", "parentheses"),
        ("floor(d) = 1", "unsupported_function", "overflows for large doubles"),
        ("l DIV k > 1", "unsupported_function", "may overflow"),
        ("CAST(s AS BINARY) = 'a'", "unsupported_function", "a cast to binary"),
        ("dt + INTERVAL '1-2' YEAR TO MONTH > dt", "unsupported_function", "INTERVAL"),
        ("s:a.b = 'x'", "unsupported_function", "a path in JSON text"),
        # Types that Spark can't compare
        ("o = 1", "type_mismatch", "can't compare o with 1"),
        ("dt > 5", "type_mismatch", "can't compare dt with 5"),
        ("dt > 'n/a'", "type_mismatch", "'n/a' is not a day"),
        ("dt > '2024-13-01'", "type_mismatch", "'2024-13-01' is not a day"),
        ("dt = DATE'today'", "type_mismatch", "'today' is no date in full"),
        ("n = 'abc'", "type_mismatch", "'abc' is not a number"),
        ("n IN ('1', 'x')", "type_mismatch", "'x' is not a number"),
        ("o = 'maybe'", "type_mismatch", "'maybe' is not a truth value"),
        ("coalesce(n, '') = ''", "type_mismatch", "'' is not a number"),
        ("n AND o", "type_mismatch", "n is int and can't be read as a truth value"),
        ("NOT n", "type_mismatch", "n is int"),
        ("s + s > 1", "type_mismatch", "a number to calculate with"),
        ("dt - dt > 1", "type_mismatch", "datediff()"),
        ("a > 1", "type_mismatch", "can't compare a with 1"),
        ("mp = mp AND dt = n", "type_mismatch", "can't compare"),
        ("CAST(dt AS INT) > 1", "type_mismatch", "dt is date and can't be read as int"),
        ("a LIKE 'x'", "type_mismatch", "text"),
        ("length(a) > 1", "type_mismatch", "the text that length() wants"),
        ("x > '5'", "type_mismatch", "whether x is text or a number"),
        ("nullif(s, 0) = 'a'", "type_mismatch", "compares it with"),
        # Literals that Spark reads when it runs
        ("s LIKE 'a\\\\b'", "like", "a lone escape character"),
        ("s LIKE 'a!b' ESCAPE '!'", "like", "a lone escape character"),
        ("s LIKE r", "like", "not written out"),
        ("s RLIKE r", "regex", "not written out"),
        ("s RLIKE '('", "regex", "invalid"),
        ("s RLIKE '[a-z&&[^b]]'", "regex", "can't be checked"),
        ("s RLIKE '(?<=a)b'", "regex", "can't be checked"),
        ("s RLIKE '[[:digit:]]'", "regex", "can't be checked"),
        ("s RLIKE '(?P<x>a)'", "regex", "can't be checked"),
        ("regexp_extract(s, 'a', 1) = 'a'", "regex", "no group 1"),
        ("regexp_replace(s, 'a', '$1') = 'a'", "unsupported_function", "refers to groups"),
        ("to_date(s, 'YYYY-MM-DD') > dt", "format", "can't be checked at 'YYYY"),
        ("to_date(s, 'E dd') > dt", "format", "can't be checked at 'E"),
        ("date_format(ts, 'dd/MM/yyyyy') = 'a'", "format", "repeats"),
        ("trunc(dt, 'DAY') = dt", "format", "no unit of trunc"),
        ("split_part(s, '-', 0) = 'a'", "unsupported_function", "a place other than 0"),
        ("lpad(s, n, '0') = 'a'", "unsupported_function", "written out"),
        ("n IN ()", "not_readable", "empty"),
        ("n = 1e999", "not_readable", "out of Spark's range"),
        ("`a${x}` = 1", "template", "placeholder"),
    ],
)
def test_must_not_pass(text, code, reason):
    try:
        found = make_total(parse_condition(text), TYPES)
    except Refusal as refusal:
        found = refusal.refused
    assert isinstance(found, Refused), to_sql(found.tree)
    assert found.code == code
    assert reason in found.reason


def test_the_caller_may_check_patterns_itself():
    tree = parse_condition("s RLIKE '(?<=a)b'")
    assert isinstance(make_total(tree, TYPES, lambda _: None), Total)
    refused = make_total(parse_condition("s RLIKE 'a'"), TYPES, lambda p: f"no {p} please")
    assert refused == Refused("regex", "no a please")


def test_the_tree_given_is_left_as_it_is():
    tree = parse_condition("CAST(s AS INT) / k BETWEEN 1 AND coalesce(x, 2)")
    before = repr(tree)
    make_total(tree, TYPES)
    assert repr(tree) == before


def test_whether_one_of_two_columns_is_missing_needs_no_types():
    found = total("coalesce(x, y) IS NULL", {})
    assert to_sql(found.tree) == "coalesce(CAST(x AS STRING), CAST(y AS STRING)) IS NULL"
    assert found.grade == "exact"


def test_a_type_that_only_the_source_states_is_an_assumption():
    claimed = replace(parse_type("int"), known_from="suite")
    found = total("n > 1", {"n": claimed})
    assert (to_sql(found.tree), found.grade) == ("n > 1", "assumed")
    assert found.notes == ("n is taken to be int, as its source says",)


def test_a_field_of_a_struct():
    assert to_sql(total("st.x IS NULL").tree) == "st.x IS NULL"
    assert to_sql(total("ST.y = 'b'").tree) == "CAST(ST.y AS STRING) = 'b'"


# The table of functions --------------------------------------------------------------------------

EXAMPLES = {key: row.example for key, row in functions().items() if row.example}


def test_every_function_has_an_example_that_calls_it():
    assert set(EXAMPLES) == set(functions())
    for key, example in EXAMPLES.items():
        names = {f[0] for n in parse_condition(example).walk() if (f := called(n))}
        assert key.partition("/")[0] in names, key


def test_no_function_is_both_carried_over_and_refused():
    assert not {f.name for f in functions().values()} & set(refused_functions())
    assert {r.code for r in refused_functions().values()} <= set(gaps())


def test_no_row_is_dead():
    rows = table("functions")
    used = {row.note for row in functions().values()}, {row.loses for row in functions().values()}
    assert set(rows["notes"]) == used[0] - {None}
    assert used[1] - {None} <= set(rows["loses"])
    for key, row in functions().items():
        assert not (row.means and (row.becomes or row.rule)), key


def test_spark_knows_each_function_and_its_type(spark):
    nullable, _ = frames(spark)
    wanted, calls = [], []
    for key, row in functions().items():
        if row.means or row.rule == "add_months":
            continue
        if row.returns in ("any", "first", "same", "element", "number"):
            continue
        tree = total(row.example).tree
        node = next(n for n in tree.walk() if _is_call_of(n, row))
        wanted.append((key, parse_type(row.returns).family))
        calls.append(to_sql(node))
    schema = nullable.selectExpr(*[f"{c} AS c{i}" for i, c in enumerate(calls)]).schema
    found = [parse_type(field.dataType.simpleString()).family for field in schema]
    assert [(key, kind) for (key, _), kind in zip(wanted, found, strict=True)] == wanted


def _is_call_of(node, row):
    if row.becomes:
        return shape(node)[0] == shape(parse_condition(row.becomes))[0]
    found = called(node) if isinstance(node, exp.Expression) else None
    return found is not None and found[0] == row.name


def test_examples_never_raise(spark):
    """With all rules of the table in one select, so that what they share may be hoisted."""
    texts = [to_sql(total(example).tree) for example in EXAMPLES.values()]
    for frame in frames(spark):
        for text, found in zip(texts, verdicts(frame, texts), strict=True):
            assert set(found) <= {"true", "false", None}, text


def test_expressions_are_null_where_it_is_said(spark):
    """The claims that the rewrite of NULL rests on: of operators, casts and each function."""
    claims = {}
    for text in [*PREDICATES, *EXAMPLES.values()]:
        for node in total(text).tree.walk():
            if not isinstance(node, exp.Predicate | exp.Func | exp.Binary | exp.Cast | exp.Neg):
                continue
            if isinstance(node, exp.Dot | exp.If) or isinstance(
                node.parent, exp.Escape | exp.Interval
            ):
                continue
            causes = null_causes(node)
            if [shape(c) for c in causes] != [shape(node)]:
                tests = " OR ".join(f"({to_sql(c)}) IS NULL" for c in causes) or "false"
                claims[f"(({to_sql(node)}) IS NULL) = ({tests})"] = None
    assert len(claims) > 150
    nullable, _ = frames(spark)
    for claim, found in zip(claims, verdicts(nullable, list(claims)), strict=True):
        assert set(found) == {"true"}, claim


def test_rows_for_a_number_of_arguments():
    assert function("to_date", 1).means == "CAST(_1 AS DATE)"
    assert function("to_date", 2).becomes is not None
    assert function("to_date", 3) is None
    assert function("concat", 5).kinds(5) == ("text",) * 5
    assert function("substring", 1).kinds(1) is None
