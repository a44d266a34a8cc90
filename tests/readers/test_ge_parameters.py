"""Parameters of expectations: what is filled in, what is left, and the arithmetic."""

import json
import math
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ruleferry.converters.predicates import Compare, Matches, OneOf, Present, Range
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.readers.great_expectations.parameter_expression import (
    NotComputed,
    NotConstant,
    computed,
    single,
)
from ruleferry.converters.readers.great_expectations.parameters import CONFIGURED, OF_SUITE
from ruleferry.converters.readers.great_expectations.parameters import given as given_values
from ruleferry.converters.readers.json_text import parse_json
from ruleferry.converters.rule import Row, Share, Table, Unread

V = "expect_column_values_to_"
BETWEEN, SET, REGEX = V + "be_between", V + "be_in_set", V + "match_regex"
MORE = "expect_column_pair_values_a_to_be_greater_than_b"
VALUES = {
    "lo": 2,
    "hi": Decimal("2.50"),
    "codes": ("F", 1, True),
    "pattern": "^x",
    "share": Decimal("0.9"),
    "day": date(2020, 1, 2),
    "time": datetime.fromisoformat("2020-01-02T03:04:05"),
    "text": "5",
    "name": "b",
    "yes": True,
}


def p(expression, **more):
    return {"$PARAMETER": expression, **more}


def read(kind, kwargs, parameters=VALUES, by=CONFIGURED, *, key="expectation_type"):
    element = parse_json(json.dumps({key: kind, "kwargs": {"column": "a"} | kwargs}))
    context = Context("s.json", Table("t"), "pandas", parameters=given_values(parameters, by))
    return read_expectation(element, 0, context)


# Converts to --------------------------------------------------------------------------------------

CONVERTS = [
    (BETWEEN, {"min_value": p("lo")}, Range("a", 2), ["lo is 2, as configured"]),
    (BETWEEN, {"min_value": p(" lo ")}, Range("a", 2), ["lo is 2, as configured"]),
    (BETWEEN, {"min_value": p("hi")}, Range("a", Decimal("2.50")), ["hi is 2.50, as configured"]),
    (BETWEEN, {"min_value": p("lo * 3 - 1")}, Range("a", 5),
     ["lo is 2, as configured", "lo * 3 - 1 is 5"]),
    (BETWEEN, {"min_value": p("lo"), "max_value": p("lo + hi")}, Range("a", 2, Decimal("4.5")),
     ["lo is 2, as configured", "hi is 2.50, as configured", "lo + hi is 4.5"]),
    (BETWEEN, {"min_value": p("0.1 + 0.2")}, Range("a", Decimal("0.30000000000000004")),
     ["0.1 + 0.2 is 0.30000000000000004"]),
    (BETWEEN, {"min_value": p("text + 1")}, Range("a", 6),
     ["text is 5, as configured", "text + 1 is 6"]),
    (BETWEEN, {"min_value": p("day")}, Range("a", "2020-01-02"),
     ["day is 2020-01-02, as configured"]),
    (BETWEEN, {"min_value": p("day - timedelta(days=1, hours=2)")},
     Range("a", "2019-12-31T22:00:00"),
     ["day is 2020-01-02, as configured",
      "day - timedelta(days=1, hours=2) is 2019-12-31T22:00:00"]),
    (BETWEEN, {"min_value": p("time")}, Range("a", "2020-01-02T03:04:05"),
     ["time is 2020-01-02T03:04:05, as configured"]),
    (BETWEEN, {"min_value": p("datetime(2020, 1, 1)")}, Range("a", "2020-01-01T00:00:00"),
     ["datetime(2020, 1, 1) is 2020-01-01T00:00:00"]),
    (SET, {"value_set": p("codes")}, OneOf("a", ("F", 1, True)),
     ['codes is ["F", 1, true], as configured']),
    (REGEX, {"regex": p("pattern")}, Matches("a", ("^x",)), ["pattern is ^x, as configured"]),
    (V + "not_be_null", {"column": p("name")}, Present("b"), ["name is b, as configured"]),
    # a temporary value comes first, whatever else is given
    (BETWEEN, {"min_value": p("lo", **{"$PARAMETER.lo": 7})}, Range("a", 7),
     ["lo is 7, as the suite states beside it, before any other"]),
    (BETWEEN, {"min_value": p("new", **{"$PARAMETER.new": 7})}, Range("a", 7),
     ["new is 7, as the suite states beside it, before any other"]),
    (BETWEEN, {"min_value": p("lo + 1", **{"$PARAMETER.lo + 1": 7})}, Range("a", 7),
     ["lo + 1 is 7, as the suite states beside it, before any other"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "kwargs", "predicate", "told"), CONVERTS)
def test_converts(kind, kwargs, predicate, told):
    rule = read(kind, kwargs)
    assert rule.check == Row(predicate)
    assert [c.detail for c in rule.caveats] == told
    assert {c.code for c in rule.caveats} == {"parameter_given"}
    assert json.loads(rule.origin.text)["kwargs"] == {"column": "a"} | kwargs


def test_a_flag_and_a_share_may_be_parameters():
    kwargs = {"column_A": "a", "column_B": "b", "or_equal": p("yes")}
    element = {"type": MORE, "kwargs": kwargs}
    context = Context("s", Table("t"), None, parameters=given_values(VALUES, CONFIGURED))
    assert read_expectation(element, 0, context).check == Row(Compare("a", ">=", "b"))
    rule = read(V + "not_be_null", {"mostly": p("share")})
    assert rule.check == Share(Row(Present("a")), Decimal("0.9"))


def test_a_row_condition_may_be_a_parameter_in_0_x():
    kwargs = {"row_condition": p("where"), "condition_parser": "pandas"}
    rule = read(V + "not_be_null", kwargs, {"where": "b > 1"})
    stated = read(V + "not_be_null", kwargs | {"row_condition": "b > 1"})
    assert rule.scope == stated.scope is not None


@pytest.mark.parametrize(
    ("key", "by", "codes"),
    [
        ("type", OF_SUITE, {"parameter_given", "parameter_assumed"}),
        ("type", CONFIGURED, {"parameter_given"}),
        ("expectation_type", OF_SUITE, {"parameter_given"}),
    ],
)
def test_who_gives_a_value_is_told(key, by, codes):
    """A checkpoint of 1.x reads no value from the suite."""
    rule = read(BETWEEN, {"min_value": p("lo")}, by=by, key=key)
    assert {c.code for c in rule.caveats} == codes
    assert rule.caveats[0].detail == f"lo is 2, {by}"


# Must not convert ---------------------------------------------------------------------------------

MUST_NOT = [
    ({"min_value": p("new")}, "parameter", 'min_value is the parameter "new"'),
    ({"min_value": p("new + lo")}, "parameter",
     'min_value is the parameter "new + lo"; no value is given for new'),
    ({"min_value": p("one"), "max_value": p("two - one * three")}, "parameter",
     'max_value is the parameter "two - one * three" and min_value is the parameter "one"; '
     "no value is given for two, one, three"),
    ({"min_value": p("now() - timedelta(days=1)")}, "parameter", "it reads the clock"),
    ({"min_value": p("now()")}, "parameter", "it reads the clock"),
    ({"min_value": p("name + 1")}, "parameter", "b is neither a number nor a date in ISO form"),
    ({"min_value": p("9^9^9^9")}, "parameter", "too large"),
    ({"min_value": p("(" * 60 + "1" + ")" * 60 + "+1")}, "parameter", "too deeply"),
    ({"min_value": p("urn:great_expectations:validations:s:e.result.observed_value:column=x")},
     "parameter", "an earlier validation or a store of metrics"),
    ({"min_value": p("urn:great_expectations:stores:m:n * 2")}, "parameter", "a store of metrics"),
    ({"min_value": [p("lo")]}, "parameter", "it stands within the argument"),
    ({"min_value": p(5)}, "parameter", "that is no expression"),
    # what Great Expectations can't compute either
    ({"min_value": p("5")}, "invalid_rule", "5 alone is taken for the name"),
    ({"min_value": p("PI")}, "invalid_rule", "PI alone is taken for the name"),
    ({"min_value": p("(lo)")}, "invalid_rule", "one bracket as a whole"),
    ({"min_value": p("1 / 0")}, "invalid_rule", "division by zero"),
    ({"min_value": p("lo +")}, "invalid_rule", "ends too early"),
    ({"min_value": p("")}, "invalid_rule", "it is empty"),
    ({"min_value": p("lo; hi")}, "invalid_rule", "; hi is no part"),
    ({"min_value": p("__import__(1) + 1")}, "invalid_rule", "is no part of an expression"),
    ({"min_value": p("open(1)")}, "invalid_rule", "open is no function"),
    ({"min_value": p("1 - timedelta(days=1)")}, "invalid_rule", "unsupported operand"),
    ({"min_value": p("timedelta(days=1) * 2")}, "invalid_rule", "neither a number nor a time"),
]  # fmt: skip


@pytest.mark.parametrize(("kwargs", "code", "reason"), MUST_NOT)
def test_must_not_convert(kwargs, code, reason):
    rule = read(BETWEEN, kwargs)
    assert isinstance(rule.check, Unread)
    assert (rule.check.code, reason in rule.check.reason) == (code, True), rule.check


@pytest.mark.parametrize(
    ("kind", "kwargs"),
    [
        (V + "not_be_null", {"column": p("name")}),
        (V + "not_be_null", {"row_condition": p("where"), "condition_parser": "pandas"}),
    ],
)
def test_1_x_takes_no_parameter_for_a_column_or_a_row_condition(kind, kwargs):
    parameters = VALUES | {"where": "b > 1"}
    check = read(kind, kwargs, parameters, key="type").check
    assert (check.code, "1.x takes none there" in check.reason) == ("invalid_rule", True)
    assert not isinstance(read(kind, kwargs, parameters).check, Unread)


# The arithmetic of Great Expectations -------------------------------------------------------------

VARIABLES = {"lo": 2, "hi": 2.5, "t": "7", "d": "2020-01-31", "s": "2020-02-29T12:30:00"}


def old(expression):
    """What Great Expectations makes of it; None where it raises."""
    from great_expectations.core.suite_parameters import parse_suite_parameter
    from great_expectations.exceptions import SuiteParameterError

    try:
        return parse_suite_parameter(expression, dict(VARIABLES))
    except (SuiteParameterError, TypeError, IndexError, ValueError):
        return None


def new(expression):
    try:
        if single(expression) is not None:
            return VARIABLES.get(single(expression))
        return computed(expression, VARIABLES)
    except NotComputed:
        return None


def agree(expression):
    try:
        found = new(expression)
    except NotConstant:
        return True
    was = old(expression)
    if isinstance(was, float) and not math.isfinite(was):
        return found is None
    return (found == was and type(found) is type(was)) or (found is None and not is_value(was))


def is_value(was):
    return isinstance(was, int | float | str)


@pytest.mark.parametrize(
    "expression",
    [
        *("lo", "lo+1", "lo + hi", "2^3^2", "-2^2", "+-5", "-+5", "--5", "-lo", "2 - -3", "2--3"),
        *(
            "1/2",
            "4/2",
            "7 / lo * 2",
            "2 * (3 + 4)",
            "(1)",
            "(lo) + 0",
            "((2)) * 1",
            "E + 0",
            "e*1",
        ),
        *("pi*2", "PI ^ 2", "sin(0)", "cos(PI)", "exp(1)", "abs(-3)", "trunc(2.9)", "round(2.5)"),
        *("round(2.567, 2)", "sgn(-2)", "sgn(0)", "sgn(0.5)", "1e3 + 0", "1E-2 * 1", ".5 + .5"),
        *("1. + 1", "007 + 0", "1 +", "* 2", "2 2", "lo lo", "5", "PI", "", "  ", "lo()", "foo(1)"),
        *("d + timedelta(days=1)", "s - timedelta(hours=12, minutes=30)", "d - d", "d + 1"),
        *(
            "datetime(2020, 2, 29)",
            "datetime(year=2020, month=1, day=2)",
            "datetime(2020, 13, 1)",
            "--d",
        ),
        *("timedelta(1)", "d + timedelta(1)", "abs(1, 2)", "abs()", "abs(x=1)", "abs(-lo)"),
        *("t * 2", "2 ^ -1", "0 ^ 0", "(-8) ^ 0.5", "1 / 0", "10 ^ 400 / 3", "1e400 - 1e400"),
        *("round(-0.5)", "-0.0 + 0", "3 - 2 - 1", "8 / 2 / 2", "2 * 3 ^ 2", "(2 * 3) ^ 2", "lo^lo"),
        *("- - 2", "-(1 + 2)", "+(1)", "trunc(-2.9)", "exp(1000)", "tan(1)", "lo\n+\t1"),
    ],
)
def test_the_arithmetic_is_that_of_great_expectations(expression):
    assert agree(expression), (new(expression), old(expression))


def expressions():
    atoms = st.one_of(
        st.integers(0, 99).map(str),
        st.sampled_from(["lo", "hi", "t", "PI", "E", "0.5", "1e2", ".25", "d", "s"]),
        st.integers(0, 9).map(lambda n: f"timedelta(days={n})"),
    )
    signs = st.sampled_from(["", "", "", "-", "+", "--", "+-"])

    def wider(inner):
        several = st.tuples(inner, st.sampled_from("+-*/^"), inner)
        names = st.sampled_from(["sin", "abs", "trunc", "round", "sgn", ""])
        return st.one_of(
            several.map(" ".join),
            several.map("".join),
            st.tuples(signs, inner).map("".join),
            st.tuples(names, inner).map(lambda both: f"{both[0]}({both[1]})"),
        )

    return st.recursive(st.tuples(signs, atoms).map("".join), wider, max_leaves=6)


@settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
@given(expressions())
def test_any_arithmetic_is_that_of_great_expectations(expression):
    assert agree(expression), (expression, new(expression), old(expression))


@pytest.mark.parametrize(
    ("kind", "kwargs", "code", "reason"),
    [
        (V + "not_be_null", {"column": "$domain.domain_kwargs.column"}, "parameter",
         'column is the parameter "$domain.domain_kwargs.column"; a profiler fills it in'),
        (BETWEEN, {"min_value": "$parameter.my_min.value[0]", "max_value": 5}, "parameter",
         'min_value is the parameter "$parameter.my_min'),
        (SET, {"value_set": ["x", "$variables.codes"]}, "parameter",
         'value_set is the parameter "$variables.codes"'),
        (V + "not_be_null", {"column": "{{ column }}"}, "template",
         'column is the placeholder "{{ column }}"'),
        (V + "not_be_null", {"column": "a_${suffix}"}, "template", "column is the placeholder"),
        (MORE, {"column_A": "a", "column_B": "{% x %}"}, "template", "column_B is the placeholder"),
    ],
)  # fmt: skip
def test_what_somebody_else_fills_in(kind, kwargs, code, reason):
    """A profiler that writes suites has their form; a name in it is no name of a column."""
    check = read(kind, kwargs).check
    assert isinstance(check, Unread)
    assert (check.code, check.reason.startswith(reason)) == (code, True), check


@pytest.mark.parametrize("name", ["$domain", "cost_$", "{a}", "parameter.x", "100%"])
def test_an_odd_name_is_a_name(name):
    assert read(V + "not_be_null", {"column": name}).check == Row(Present(name))
