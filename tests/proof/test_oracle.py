"""Great Expectations as the oracle: its verdicts, engine by engine, row by row.

The table of verdicts is what Great Expectations 1.24 does, observed; where engines differ the
conversion of a suite has to know which one ran it.
"""

import socket
from datetime import date, datetime
from decimal import Decimal

import pytest

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.oracle import verdicts
from ruleferry.converters.proof.rows import Rows, boundary_values, table_rows
from ruleferry.converters.proof.verdict import Overall, Raised, RowVerdicts

# Great Expectations' own, where the tests use it as a user would.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

D = Decimal
NAN = float("nan")
at = datetime.fromisoformat
ENGINES = [("pandas", "nullable"), ("pandas", "numpy"), ("spark", "nullable")]


def expectation(type_: str, **kwargs):
    return {"type": f"expect_{type_}", "kwargs": kwargs}


def on_c(type_: str, **kwargs):
    return expectation(f"column_values_{type_}", column="c", **kwargs)


def lengths(**kwargs):
    return expectation("column_value_lengths_to_be_between", column="c", **kwargs)


def pair(type_: str, **kwargs):
    return expectation(f"column_pair_values_{type_}", column_A="a", column_B="b", **kwargs)


def multi(type_: str, **kwargs):
    return expectation(type_, column_list=["a", "b"], **kwargs)


def rows(types: dict[str, str], cells) -> Rows:
    columns = tuple((name, parse_type(type_)) for name, type_ in types.items())
    return Rows(columns, tuple(cell if isinstance(cell, tuple) else (cell,) for cell in cells))


def letters(verdict) -> str:
    return {RowVerdicts: lambda v: v.rows, Raised: lambda _: "raised"}[type(verdict)](verdict)


INTS = rows({"c": "bigint"}, [None, 0, 1, 5, 6])
DOUBLES = rows({"c": "double"}, [None, NAN, 0.0, 10.0, 11.0])
DECIMALS = rows({"c": "decimal(10,2)"}, [None, D("0.10"), D("0.11"), D("99.99"), D("100.00")])
BOOLEANS = rows({"c": "boolean"}, [None, True, False])
TEXTS = rows({"c": "string"}, [None, "1", "01", "5", "x"])
DATES = rows({"c": "date"}, [None, date(2020, 5, 31), date(2020, 6, 1), date(2020, 6, 2)])
TIMES = rows({"c": "timestamp"}, [None, at("2020-06-01"), at("2020-06-01 00:00:00.000001")])
BYTES = rows({"c": "binary"}, [None, b"", b"abc", b"\xc3\xa9"])
NUMBERS = rows({"c": "int"}, [None, 0, 12, -12, 123])

# rows, expectation, verdicts of pandas with nullable dtypes, of pandas with plain ones, of Spark
COLUMNS = [
    # NULL passes all but not_be_null; NaN is missing for pandas, and above every number on Spark
    (INTS, on_c("to_not_be_null"), "FTTTT", "FTTTT", "FTTTT"),
    (INTS, on_c("to_be_null"), "TFFFF", "TFFFF", "TFFFF"),
    (DOUBLES, on_c("to_not_be_null"), "FFTTT", "FFTTT", "FTTTT"),
    (DOUBLES, on_c("to_be_between", min_value=0, max_value=10), "TTTTF", "TTTTF", "TFTTF"),
    (DOUBLES, on_c("to_be_between", min_value=0), "TTTTT", "TTTTT", "TTTTT"),
    (DOUBLES, on_c("to_be_in_set", value_set=[10]), "TTFTF", "TTFTF", "TFFTF"),
    # bounds are floats: a decimal on the bound fails in pandas, where 0.1 is a little more
    (DECIMALS, on_c("to_be_between", min_value=0.1, max_value=99.99), "TFTFF", "TFTFF", "TTTTF"),
    (DECIMALS, on_c("to_be_in_set", value_set=[0.1, 100]), "TFFFT", "TFFFT", "TTFFT"),
    (INTS, on_c("to_be_between", min_value="1", max_value="5"), "TFTTF", "TFTTF", "TFTTF"),
    (INTS, on_c("to_be_between", min_value=5, max_value=1), "raised", "raised", "raised"),
    (BOOLEANS, on_c("to_be_between", min_value=1), "TTF", "TTF", "raised"),
    (TEXTS, on_c("to_be_between", min_value=1), "raised", "raised", "raised"),
    # sets: pandas never mixes types, except True and 1; Spark casts, and raises where it can't
    (BOOLEANS, on_c("to_be_in_set", value_set=[1]), "TTF", "TTF", "raised"),
    (BOOLEANS, on_c("to_be_in_set", value_set=["true"]), "TFF", "TFF", "TTF"),
    (INTS, on_c("to_be_in_set", value_set=["1", "5"]), "TFFFF", "TFFFF", "TFTTF"),
    (INTS, on_c("to_be_in_set", value_set=[True]), "TFTFF", "TFTFF", "raised"),
    (INTS, on_c("to_be_in_set", value_set=[1, None]), "TFTFF", "TFTFF", "TTTTT"),
    (INTS, on_c("to_not_be_in_set", value_set=[1, None]), "TTFTT", "TTFTT", "TTFTT"),
    (INTS, on_c("to_be_in_set", value_set=[]), "TFFFF", "TFFFF", "TFFFF"),
    (TEXTS, on_c("to_be_in_set", value_set=["1"]), "TTFFF", "TTFFF", "TTFFF"),
    (TEXTS, on_c("to_be_in_set", value_set=[1]), "TFFFF", "TFFFF", "raised"),
    (rows({"c": "string"}, [None, "1", "01", "5"]), on_c("to_be_in_set", value_set=[1]),
     "TFFF", "TFFF", "TTTF"),
    (DATES, on_c("to_be_in_set", value_set=["2020-06-01"]), "TFFF", "TFFF", "TFTF"),
    # dates: a bound of text is a date, or a datetime where it has a time
    (DATES, on_c("to_be_between", max_value="2020-06-01"), "TTTF", "raised", "TTTF"),
    (DATES, on_c("to_be_between", max_value="2020-06-01T12:00:00"), "raised", "TTTF", "TTTF"),
    (TIMES, on_c("to_be_between", max_value="2020-06-01"), "raised", "raised", "TTF"),
    (TIMES, on_c("to_be_between", max_value="2020-06-01T00:00:00"), "TTF", "TTF", "TTF"),
    # lengths and patterns read a number as text: 12.0 where NULL has made the column float
    (NUMBERS, lengths(min_value=2, max_value=2), "TFTFF", "TFFFF", "TFTFF"),
    (NUMBERS, on_c("to_match_regex", regex=r"^\d{2}$"), "TFTFF", "TFFFF", "TFTFF"),
    (NUMBERS, on_c("to_not_match_regex", regex="^12$"), "TTFTT", "TTTTT", "TTFTT"),
    (DECIMALS, on_c("to_match_regex", regex=r"^\d+\.\d{2}$"), "TTTTT", "TTTTT", "TTTTT"),
    (BOOLEANS, on_c("to_match_regex", regex="^True$"), "TTF", "TTF", "TFF"),
    (BOOLEANS, on_c("to_match_regex", regex="^true$"), "TFF", "TFF", "TTF"),
    (DATES, on_c("to_match_regex", regex="^2020-06"), "TFTT", "TFTT", "TFTT"),
    (BYTES, lengths(min_value=1, max_value=2), "TFFT", "TFFT", "TFFT"),
    (rows({"c": "binary"}, [b"\xc3\xa9", b"a"]), lengths(max_value=1), "TT", "TT", "FT"),
    (rows({"c": "binary"}, [b"\xff"]), lengths(min_value=1), "raised", "raised", "T"),
    (rows({"c": "string"}, ["", "é", "e\u0301", "\U0001f600"]), lengths(min_value=1, max_value=1),
     "FTFT", "FTFT", "FTFT"),
    # patterns: searched for; \d is Unicode in Python; $ stands before any last line end in Java
    (rows({"c": "string"}, ["12", "a12", "12\n", "12\r", "٣٤", "12\u2028"]),
     on_c("to_match_regex", regex=r"\d{2}$"), "TTTFTF", "TTTFTF", "TTTTFT"),
    (rows({"c": "string"}, ["x", ""]), on_c("to_match_regex", regex=""), "TT", "TT", "TT"),
    (rows({"c": "string"}, ["x"]), on_c("to_match_regex", regex="("), "raised", "raised", "raised"),
    (rows({"c": "string"}, ["1"]), on_c("to_match_regex", regex="(?P<n>1)"), "T", "T", "raised"),
    (rows({"c": "string"}, ["a1", "b2", "a2", "x"]),
     on_c("to_match_regex_list", regex_list=["^a", "2$"], match_on="all"), "FFTF", "FFTF", "FFTF"),
    # only for the engines that have it
    (TEXTS, on_c("to_match_like_pattern", like_pattern="1%"), "raised", "raised", "raised"),
    (TEXTS, on_c("to_be_dateutil_parseable"), "TTTTF", "TTTTF", "raised"),
    # scope: pandas counts a missing value as unequal, Spark leaves it out
    (rows({"c": "int", "g": "string"}, [(9, None), (9, "a"), (9, "b")]),
     on_c("to_be_between", max_value=5, row_condition='col("g")!="a"',
          condition_parser="great_expectations"), "FTF", "FTF", "TTF"),
]  # fmt: skip

PAIRS = rows({"a": "int", "b": "int"}, [(None, None), (None, 1), (1, None), (1, 1), (1, 2), (2, 1)])
PAIR_NANS = rows({"a": "double", "b": "double"}, [(NAN, NAN), (NAN, 1.0), (1.0, NAN), (None, NAN)])
SUMS = rows({"a": "int", "b": "int"}, [(None, None), (None, 3), (3, None), (1, 2), (1, 1)])
IN_SET, DISTINCT = "to_be_in_set", "select_column_values_to_be_unique_within_record"
BOTH, EITHER, NEITHER = (
    {"ignore_row_if": when}
    for when in ("both_values_are_missing", "either_value_is_missing", "neither")
)
ALL, ANY, NEVER = (
    {"ignore_row_if": when} for when in ("all_values_are_missing", "any_value_is_missing", "never")
)

# Columns of pandas' nullable dtypes can't be compared where a NULL takes part.
RECORDS = [
    (PAIRS, pair("to_be_equal", **BOTH), "raised", "TFFTFF", "TFFTFF"),
    (PAIRS, pair("to_be_equal", **EITHER), "TTTTFF", "TTTTFF", "TTTTFF"),
    (PAIRS, pair("to_be_equal", **NEITHER), "raised", "FFFTFF", "TFFTFF"),
    (PAIRS, pair("a_to_be_greater_than_b", **BOTH), "raised", "TFFFFT", "TTTFFT"),
    (PAIRS, pair("a_to_be_greater_than_b", **EITHER), "TTTFFT", "TTTFFT", "TTTFFT"),
    (PAIRS, pair("a_to_be_greater_than_b", **NEITHER), "raised", "FFFFFT", "TTTFFT"),
    (PAIRS, pair("a_to_be_greater_than_b", or_equal=True, **BOTH), "raised", "TFFTFT", "TTTTFT"),
    (PAIRS, pair("a_to_be_greater_than_b", or_equal=True, **EITHER), "TTTTFT", "TTTTFT", "TTTTFT"),
    (PAIRS, pair("a_to_be_greater_than_b", or_equal=True, **NEITHER), "raised", "FFFTFT", "TTTTFT"),
    (PAIRS, pair(IN_SET, value_pairs_set=[[1, 2], [None, 1]]), "TTFFTF", "TTFFTF", "TTFFTF"),
    (PAIRS, pair(IN_SET, value_pairs_set=[[1, 2]], **NEITHER), "FFFFTF", "FFFFTF", "FFFFTF"),
    (PAIRS, pair(IN_SET, value_pairs_set=[]), "TFFFFF", "TFFFFF", "raised"),
    (PAIR_NANS, pair("to_be_equal", **BOTH), "raised", "TFFT", "TFFF"),
    (PAIR_NANS, pair("a_to_be_greater_than_b", **EITHER), "TTTT", "TTTT", "FTFT"),
    (SUMS, multi("multicolumn_sum_to_equal", sum_total=3, **ALL), "raised", "TFFTF", "TTTTF"),
    (SUMS, multi("multicolumn_sum_to_equal", sum_total=3, **ANY), "TTTTF", "TTTTF", "TTTTF"),
    (SUMS, multi("multicolumn_sum_to_equal", sum_total=3, **NEVER), "raised", "FFFTF", "FTTTF"),
    (rows({"a": "decimal(5,2)", "b": "decimal(5,2)"}, [(D("0.10"), D("0.20")), (None, D("0.30"))]),
     multi("multicolumn_sum_to_equal", sum_total=0.3), "FF", "FF", "TT"),
    (SUMS, multi(DISTINCT, **ALL), "TTTTF", "TTTTF", "TTTTF"),
    (SUMS, multi(DISTINCT, **NEVER), "FTTTF", "FTTTF", "FTTTF"),
    (SUMS, multi("multicolumn_values_to_be_equal", **NEVER), "raised", "TFFFT", "TFFFT"),
]  # fmt: skip


def side_by_side(table) -> tuple[Rows, list[dict]]:
    """The frames of a table as one, each column named after its frame, filled up with NULL."""
    frames = list({id(row[0]): row[0] for row in table}.values())
    longest = max(len(frame.cells) for frame in frames)
    columns, cells = [], [() for _ in range(longest)]
    for number, frame in enumerate(frames):
        columns += [(f"{name}{number}", declared) for name, declared in frame.columns]
        filled = [*frame.cells, *[(None,) * len(frame.columns)] * (longest - len(frame.cells))]
        cells = [whole + part for whole, part in zip(cells, filled, strict=True)]
    asked = [renamed(row[1], next(n for n, f in enumerate(frames) if f is row[0])) for row in table]
    return Rows(tuple(columns), tuple(cells)), asked


def renamed(one: dict, number: int) -> dict:
    kwargs = dict(one["kwargs"])
    for key in ("column", "column_A", "column_B"):
        if key in kwargs:
            kwargs[key] += str(number)
    if "column_list" in kwargs:
        kwargs["column_list"] = [f"{name}{number}" for name in kwargs["column_list"]]
    if "row_condition" in kwargs:
        kwargs["row_condition"] = kwargs["row_condition"].replace('("g")', f'("g{number}")')
    return {"type": one["type"], "kwargs": kwargs}


@pytest.mark.parametrize("place", range(3), ids=[f"{e}-{style}" for e, style in ENGINES])
@pytest.mark.parametrize("table", [COLUMNS, RECORDS], ids=["columns", "records"])
def test_verdicts_of_great_expectations(spark, table, place):
    engine, style = ENGINES[place]
    frame, asked = side_by_side(table)
    found = verdicts(asked, frame, engine, pandas_style=style, spark=spark)
    wrong = []
    for row, verdict in zip(table, found, strict=True):
        seen = letters(verdict)
        seen = seen if seen == "raised" else seen[: len(row[0].cells)]
        if seen != row[2 + place]:
            wrong.append((row[1], seen, row[2 + place]))
    assert wrong == []


# The oracle against the public interface ----------------------------------------------------------

INT, TEXT = parse_type("int"), parse_type("string")
MANY = table_rows(
    {
        "n": (INT, boundary_values([5], INT)),
        "m": (INT, boundary_values([5], INT)),
        "s": (TEXT, boundary_values(["AB", "2024-01-31"], TEXT)),
    },
    together=[("n", "m")],
)
SUITE = [
    expectation("column_values_to_not_be_null", column="n", mostly=0.5),
    expectation("column_values_to_be_between", column="n", min_value=1, strict_min=True),
    expectation("column_values_to_be_between", column="n", max_value=5, row_condition='col("m")>0',
                condition_parser="great_expectations"),
    expectation("column_values_to_be_in_set", column="s", value_set=["AB", "ab", None]),
    expectation("column_values_to_be_in_set", column="s", value_set=[1, 2]),
    expectation("column_values_to_match_regex", column="s", regex="^A.*[^\n]$"),
    expectation("column_values_to_match_strftime_format", column="s", strftime_format="%Y-%m-%d"),
    expectation("column_values_to_be_unique", column="m"),
    expectation("column_values_to_be_increasing", column="m"),
    expectation("column_value_lengths_to_equal", column="s", value=2),
    expectation("column_pair_values_to_be_equal", column_A="n", column_B="m"),
    expectation("column_pair_values_a_to_be_greater_than_b", column_A="n", column_B="m"),
    expectation("multicolumn_sum_to_equal", column_list=["n", "m"], sum_total=10),
    expectation("compound_columns_to_be_unique", column_list=["n", "m"]),
    expectation("column_values_to_be_between", column="absent", min_value=1),
    expectation("column_values_to_be_between", column="s", min_value=1),
    expectation("column_values_to_match_like_pattern", column="s", like_pattern="A%"),
]  # fmt: skip


def publicly(expectations, frame, engine: str, number: str | None) -> list[str]:
    """Letters as a user of Great Expectations would get them: one expectation at a time."""
    import great_expectations as gx
    from great_expectations.expectations.expectation_configuration import (
        ExpectationConfiguration,
    )

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = getattr(context.data_sources, f"add_{engine}")("rows")
    asset = source.add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch({"dataframe": frame})
    wanted = {"result_format": "COMPLETE"}
    if number:
        wanted["unexpected_index_column_names"] = [number]
    found = []
    for one in expectations:
        built = ExpectationConfiguration(type=one["type"], kwargs=one["kwargs"]).to_domain_obj()
        outcome = batch.validate(built, result_format=wanted)
        if outcome.exception_info.get("raised_exception") is not False:
            found.append("raised")
            continue
        listed = outcome.result["unexpected_index_list"] or []
        bad = {item[number] if number else item for item in listed}
        assert len(bad) == outcome.result["unexpected_count"]
        found.append("".join("F" if row in bad else "T" for row in range(len(MANY.cells))))
    return found


@pytest.mark.parametrize("style", ["nullable", "numpy"])
def test_all_at_once_is_one_by_one_on_pandas(style):
    from ruleferry.converters.proof.frames import pandas_frame

    found = [letters(v) for v in verdicts(SUITE, MANY, "pandas", pandas_style=style)]
    assert found == publicly(SUITE, pandas_frame(MANY, style), "pandas", None)
    assert len(MANY.cells) > 400


def test_all_at_once_is_one_by_one_on_spark(spark):
    from ruleferry.converters.proof.frames import number_column, spark_frame

    found = [letters(v) for v in verdicts(SUITE, MANY, "spark", spark=spark)]
    assert found == publicly(SUITE, spark_frame(MANY, spark), "spark", number_column(MANY))
    assert max(letters_of_one.count("F") for letters_of_one in found) > 200  # above any cap


# What is no verdict on rows -----------------------------------------------------------------------


@pytest.mark.parametrize(("engine", "style"), ENGINES)
def test_expectations_on_the_whole_table_say_nothing_of_rows(spark, engine, style):
    asked = [
        expectation("column_mean_to_be_between", column="c", min_value=2, max_value=4),
        expectation("column_mean_to_be_between", column="c", min_value=4),
        expectation("table_column_count_to_equal", value=1),
        expectation("table_row_count_to_equal", value=4),
    ]
    found = verdicts(asked, INTS, engine, pandas_style=style, spark=spark)
    assert found == [Overall(True), Overall(False), Overall(True), Overall(False)]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (expectation("column_values_to_be_nice", column="c"), "not found"),
        (on_c("to_be_in_set"), "value_set field required"),
        (on_c("to_be_in_set", value_set=[1], nonsense=1), "extra fields not permitted"),
        (on_c("to_be_between"), "min_value and max_value cannot both be None"),
        (on_c("to_be_between", min_value="abc"), "validation error"),
        (expectation("column_values_to_not_be_null", column="zz"), '"zz" in BatchData does not'),
        (on_c("to_be_between", min_value=1, row_condition='col("c")==True',
              condition_parser="great_expectations"), "unable to parse condition"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["pandas", "spark"])
def test_what_great_expectations_refuses_is_raised_and_the_rest_judged(spark, engine, bad, message):
    first, raised, last = verdicts(
        [on_c("to_not_be_null"), bad, on_c("to_be_null")], INTS, engine, spark=spark
    )
    assert (letters(first), letters(last)) == ("FTTTT", "TFFFF")
    assert isinstance(raised, Raised)
    assert message in raised.message


def test_twins_are_told_apart():
    """Great Expectations gives metrics of equal JSON one result: a date, and the same as text."""
    text = on_c("to_be_in_set", value_set=["2020-06-01"])
    day = on_c("to_be_in_set", value_set=[date(2020, 6, 1)])
    for asked in ([text, day, text], [day, text, day]):
        found = [letters(verdict) for verdict in verdicts(asked, DATES, "pandas")]
        assert found == ["TFFF" if one is text else "TFTF" for one in asked]


def test_a_duplicate_has_a_verdict_of_its_own():
    asked = [on_c("to_not_be_null", mostly=0.9), on_c("to_not_be_null"), on_c("to_not_be_null")]
    assert [letters(v) for v in verdicts(asked, INTS, "pandas")] == ["FTTTT"] * 3


def test_no_expectation_and_no_row():
    assert verdicts([], INTS, "pandas") == []
    assert letters(verdicts([on_c("to_not_be_null")], rows({"c": "int"}, []), "pandas")[0]) == ""


def test_nothing_is_printed_and_no_network_is_used(capfd, recwarn, monkeypatch):
    def refuse(*_):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("GX_ANALYTICS_ENABLED", "true")
    verdicts([on_c("to_not_be_null"), on_c("to_be_between", min_value="x")], INTS, "pandas")
    assert capfd.readouterr() == ("", "")
    assert list(recwarn) == []
