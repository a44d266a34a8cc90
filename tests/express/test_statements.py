"""Row conditions, SQL of the source, and bounds that are times: what they become, and why not."""

import pytest

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import Table

TYPES = Types(
    {
        name: parse_type(text)
        for name, text in {
            "s": "string",
            "n": "bigint",
            "ts": "timestamp",
            "ntz": "timestamp_ntz",
            "dt": "date",
        }.items()
    }
)


def expressed(element, engine="spark"):
    return express(read_expectation(element, 0, Context("f", Table("t"), engine)), TYPES)


def present(row_condition):
    kwargs = {"column": "s", "row_condition": row_condition, "condition_parser": "spark"}
    return {"type": "expect_column_values_to_not_be_null", "kwargs": kwargs}


def between(column, key="type", **bounds):
    return {key: "expect_column_values_to_be_between", "kwargs": {"column": column, **bounds}}


def query(where):
    kwargs = {"unexpected_rows_query": f"SELECT * FROM {{batch}} WHERE {where}"}
    return {"type": "unexpected_rows_expectation", "kwargs": kwargs}


CONVERTS = [
    (present("n > 1"), "n IS NULL OR n <= 1 OR s IS NOT NULL", "exact"),
    # TRUE for every record: no limit at all.
    (present("true"), "s IS NOT NULL", "exact"),
    # An offset of its own does not depend on the session.
    (
        between("ts", min_value="2020-01-01T00:00:00+02:00"),
        "ts IS NULL OR ts >= CAST('2020-01-01 00:00:00+02:00' AS TIMESTAMP)",
        "exact",
    ),
    (between("ts", min_value="2020-01-01"), "ts IS NULL OR ts >= DATE'2020-01-01'", "assumed"),
    (
        between("dt", min_value="2020-01-01T12:00:00"),
        "dt IS NULL OR dt >= TIMESTAMP'2020-01-01 12:00:00'",
        "exact",
    ),
    # 0.x hands the text to Spark, which reads it as a date.
    (
        between("dt", "expectation_type", min_value="2020-01-01 12:00:00"),
        "dt IS NULL OR dt >= DATE'2020-01-01'",
        "assumed",
    ),
    # A text as a time: with the offset that it may have.
    (
        query("hour(s) = 22"),
        "try_cast(s AS TIMESTAMP) IS NULL OR hour(try_cast(s AS TIMESTAMP)) <> 22",
        "differs",
    ),
]
MUST_NOT_CONVERT = [
    (present("s = 'x'"), "never_fails", "applies only to records that pass"),
    (present("n > 1 AND s LIKE 'a%'"), "never_fails", "applies only to records that pass"),
    (present("n = NULL"), "never_fails", "applies to no record"),
    (present("n >"), "not_readable", "its row condition"),
    (present("missing > 1"), "column_unknown", "no column missing"),
    (query("missing > 1"), "column_unknown", "no column missing"),
    (between("ntz", min_value="2020-01-01T00:00:00+02:00"), "type_mismatch", "time zone"),
]


@pytest.mark.parametrize(("element", "text", "grade"), CONVERTS)
def test_converts_to(element, text, grade):
    found = expressed(element)
    assert isinstance(found, Condition), found
    assert (found.text, found.grade) == (text, grade)


@pytest.mark.parametrize(("element", "code", "reason"), MUST_NOT_CONVERT)
def test_must_not_convert(element, code, reason):
    found = expressed(element)
    assert isinstance(found, Gap), found
    assert found.code == code
    assert reason in found.reason


def test_the_sql_of_an_engine_that_nothing_names_is_taken_to_be_spark():
    found = expressed(query("n > 1"), engine=None)
    assert found.grade == "assumed"
    assert "engine_unknown" in {caveat.code for caveat in found.caveats}


@pytest.mark.parametrize("column", ["computed_1_", "COMPUTED_2_", "x computed_1_"])
def test_a_column_that_is_called_like_a_computed_one_is_no_flag(column):
    """Its name would be taken for that of the flag, and the condition would mean another column."""
    kwargs = {"column": column}
    element = {"type": "expect_column_values_to_be_unique", "kwargs": kwargs}
    types = Types({column.lower(): parse_type("bigint")})
    rule = read_expectation(element, 0, Context("f", Table("t"), "spark"))
    found = express(rule, types)
    assert isinstance(found, Gap)
    assert found.code == "unsafe_text"
    scoped = {**kwargs, "column": "a", "row_condition": f"`{column}` > 1"}
    element = {**element, "kwargs": scoped | {"condition_parser": "spark"}}
    types = Types({**types.declared, "a": parse_type("bigint")})
    rule = read_expectation(element, 0, Context("f", Table("t"), "spark"))
    assert isinstance(express(rule, types), Gap)


def test_a_date_bound_of_a_figure_needs_the_type_of_the_column():
    kwargs = {"column": "d", "min_value": "2020-01-01"}
    element = {"type": "expect_column_max_to_be_between", "kwargs": kwargs}
    rule = read_expectation(element, 0, Context("f", Table("t"), "spark"))
    found = express(rule, Types())
    assert (found.code, found.reason) == (
        "type_needed",
        "how d is compared with a date depends on its type, which is not known",
    )
    assert isinstance(express(rule, Types({"d": parse_type("date")})), Condition)


def test_what_fills_a_module_is_a_gap():
    values = [f"value number {n}" for n in range(12_000)]
    kwargs = {"column": "s", "value_set": values}
    element = {"type": "expect_column_values_to_be_in_set", "kwargs": kwargs}
    found = expressed(element)
    assert isinstance(found, Gap)
    assert (found.code, "more than 200,000" in found.reason) == ("too_large", True)
    assert isinstance(
        expressed({**element, "kwargs": kwargs | {"value_set": values[:8000]}}), Condition
    )
