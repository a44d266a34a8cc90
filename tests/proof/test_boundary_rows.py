"""Boundary values and the frame made of them: what is in, what must not be, always the same."""

import math
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.boundary_numbers import bits_of
from ruleferry.converters.proof.rows import boundary_values, table_rows

D = Decimal
at = datetime.fromisoformat
KYIV = timezone(timedelta(hours=2))

HELD = [
    # numbers: the literal, its neighbours, the type's limits
    ("int", [5], [None, 5, 4, 6, 0, -1, 2**31 - 1, -(2**31)]),
    ("tinyint", [100], [100, 99, 101, 127, -128]),
    ("smallint", [D("2.5")], [2, 3, 32767]),
    ("bigint", ["7"], [7, 2**63 - 1, -(2**63), 2**53 + 1]),
    ("int", [3], [99, 100, 999, 1000, -100]),  # a limit of three digits
    ("decimal(10,2)", [D("9.995")], [D("9.99"), D("10.00"), D("99999999.99"), D("-99999999.99")]),
    ("decimal(10,2)", [1], [D("1.00"), D("0.99"), D("1.01"), D("0.00")]),
    ("decimal(38,0)", [], [D("9" * 38), D("-" + "9" * 38)]),
    ("double", [D("0.3")], [0.3, math.nextafter(0.3, 1), math.nextafter(0.3, 0), 0.29, 0.31]),
    ("double", [], [-0.0, 0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308]),
    ("float", [D("0.1")], [0.10000000149011612, 0.09999999403953552, 0.10000000894069672]),
    # text: blanks, line ends, case, look-alikes, lengths in code points
    ("string", ["Ab"], ["Ab", "AB", "ab", "aB", "Ab ", " Ab", "Ab\n", "\nAb", "Ab\r", "Ab\t"]),
    ("string", ["Ab"], ["Ab\u200b", "Ab\u00a0", "", " ", "\t", "A", "b", "AbAb"]),
    ("string", ["Sié"], ["Sıé", "Sie\u0301", "SIÉ", "sIÉ"]),
    ("string", ["strasse"], ["STRASSE", "ſtraſſe"]),
    ("string", [2], ["a", "aa", "aaa", "\U0001f600" * 2, "\U0001f600" * 3, "e\u0301", "  "]),
    ("string", [D("1.5")], ["1.5", "1.5.0", "01.5", "+1.5", "0.5", "2.5"]),
    ("string", [date(2024, 1, 5)], ["2024-01-05", "2024-1-5", "05/01/2024", "2024-01-04"]),
    ("string", ["a_%"], ["a_%", "axx", "a", "a\nx\ny"]),
    ("varchar(3)", ["ab"], ["ab", "abx"]),
    ("char(3)", ["ab"], ["ab ", "AB ", "   "]),
    ("string", [True], ["true", "TRUE", "True"]),
    # times: midnight and a microsecond beside it, the ends of the calendar
    ("date", ["2024-03-01"], [date(2024, 3, 1), date(2024, 2, 29), date(2024, 3, 2)]),
    ("date", [], [date(1, 1, 1), date(9999, 12, 31)]),
    ("date", [date(9999, 12, 31)], [date(9999, 12, 30)]),
    ("timestamp", [date(2024, 3, 1)], [at("2024-03-01"), at("2024-02-29 23:59:59.999999"),
                                       at("2024-03-01 00:00:00.000001"), at("2024-03-02")]),
    ("timestamp", [datetime(2024, 3, 1, 1, tzinfo=KYIV)], [at("2024-02-29 23:00")]),
    ("timestamp_ntz", [], [at("0001-01-01"), at("9999-12-31 23:59:59.999999")]),
    ("boolean", [], [None, True, False]),
    ("binary", ["a", 2], [b"a", b"a\0", b"\xffa", b"", b"aa", "é".encode() * 2]),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "literals", "held"), HELD)
def test_boundary_values_hold(type_, literals, held):
    values = {repr(value) for value in boundary_values(literals, parse_type(type_))}
    assert [value for value in held if repr(value) not in values] == []


NOT_HELD = [
    ("tinyint", [300], 300),  # beyond the type
    ("int", ["abc"], 0.5),  # an int has no fraction
    ("decimal(4,2)", [1000], D("1000.00")),  # beyond the precision
    ("varchar(3)", ["abc"], "abc "),  # longer than the column
    ("char(2)", ["abc"], "abc"),  # a CHAR holds what is padded to its length, and no more
    ("char(3)", ["a"], "a"),
    ("boolean", [1], 1),  # 1 is no boolean value
    ("date", ["n/a"], "n/a"),  # a date column holds no text
    ("string", ["a\ud800"], "a\ud800"),  # a lone surrogate is no character
    ("array<int>", [1], 1),
    ("double", ["abc"], "abc"),
]


@pytest.mark.parametrize(("type_", "literals", "value"), NOT_HELD)
def test_boundary_values_leave_out(type_, literals, value):
    values = boundary_values(literals, parse_type(type_))
    assert repr(value) not in {repr(held) for held in values}


@pytest.mark.parametrize("type_", ["array<int>", "struct<a:int>", "interval day", "geometry"])
def test_nested_and_unknown_types_hold_null_alone(type_):
    assert boundary_values([1, "a"], parse_type(type_)) == (None,)


def test_nan_is_held_by_floating_numbers_alone():
    for type_, has_nan in [("float", True), ("double", True), ("decimal(5,2)", False)]:
        values = boundary_values([], parse_type(type_))
        assert any(value != value for value in values) is has_nan


def test_the_literals_come_first_and_then_what_the_caller_adds():
    values = boundary_values(["b", "a"], parse_type("string"), more=["sample"])
    assert values[:4] == (None, "b", "a", "sample")


def test_a_long_list_brings_each_value_and_few_neighbours():
    codes = [f"K{number}" for number in range(1000)]
    values = boundary_values(codes, parse_type("string"))
    assert set(codes) <= set(values)
    assert len(values) < 1400
    assert "K500 " not in values
    assert {"K0 ", "K999 "} <= set(values)


LITERALS = st.one_of(
    st.text(max_size=6),
    st.integers(-(10**20), 10**20),
    st.decimals(
        allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9
    ),
    st.dates(),
    st.datetimes(timezones=st.just(UTC)),
    st.booleans(),
    st.none(),
)
TYPES = st.sampled_from(
    ["tinyint", "int", "bigint", "decimal(5,2)", "decimal(38,10)", "float", "double", "string",
     "varchar(4)", "char(3)", "boolean", "date", "timestamp", "timestamp_ntz", "binary"]
)  # fmt: skip


@given(st.lists(LITERALS, max_size=4), TYPES)
def test_every_value_fits_its_type_and_stands_once(literals, type_):
    column_type = parse_type(type_)
    values = boundary_values(literals, column_type)
    assert values[0] is None
    assert len({repr(value) for value in values}) == len(values)
    assert repr(values) == repr(boundary_values(literals, column_type))
    for value in values[1:]:
        match column_type.family:
            case "integer":
                limit = 2 ** (bits_of(column_type) - 1)
                assert type(value) is int
                assert -limit <= value < limit
            case "decimal":
                _, digits, exponent = value.as_tuple()
                assert exponent == -column_type.scale
                assert len(digits) <= column_type.precision
            case "float" | "double":
                assert type(value) is float
            case "string" | "char":
                value.encode()
                assert type_ != "char(3)" or len(value) == 3
                assert type_ != "varchar(4)" or len(value) <= 4
            case "date":
                assert type(value) is date
            case "timestamp" | "timestamp_ntz":
                assert type(value) is datetime
                assert value.tzinfo is None


@given(st.from_regex(r"\A[A-Z]{2}[0-9]{1,3}\Z"))
def test_samples_of_a_pattern_are_taken_as_they_are(sample):
    assert boundary_values([], parse_type("string"), more=[sample])[1] == sample


# The frame ----------------------------------------------------------------------------------------

INT = parse_type("int")
TEXT = parse_type("string")


def test_a_row_for_each_value_with_the_others_neutral():
    rows = table_rows({"n": (INT, (None, 5, 4)), "s": (TEXT, (None, "x", "y"))})
    assert rows.columns == (("n", INT), ("s", TEXT))
    assert rows.cells == ((None, "x"), (5, "x"), (4, "x"), (5, None), (5, "y"))


def test_nan_is_not_neutral():
    rows = table_rows({"d": (parse_type("double"), (None, math.nan, 1.0)), "n": (INT, (1, 2))})
    assert (1.0, 2) in rows.cells


def test_a_column_of_nulls_stays_null():
    assert table_rows({"n": (INT, (None,)), "s": (TEXT, ("x",))}).cells == ((None, "x"),)


def test_columns_read_together_meet_in_every_way():
    values = (None, 5, 4, 6)
    rows = table_rows({"a": (INT, values), "b": (INT, values)}, together=[("a", "b")])
    assert {(a, b) for a in values for b in values} <= set(rows.cells)


def test_columns_of_one_type_share_their_values():
    rows = table_rows({"a": (INT, (1, 2)), "b": (INT, (7, 8))}, together=[("a", "b")])
    assert {(1, 1), (7, 7), (7, 1), (8, 8)} <= set(rows.cells)


def test_columns_of_different_types_keep_their_own_values():
    rows = table_rows({"a": (INT, (1, 2)), "s": (TEXT, ("x", "y"))}, together=[("a", "s")])
    assert set(rows.cells) == {(1, "x"), (2, "x"), (1, "y"), (2, "y")}


def test_three_columns_are_null_in_every_combination():
    column = (INT, (None, 1, 2, 3))
    rows = table_rows({"a": column, "b": column, "c": column}, together=[("a", "b", "c")])
    patterns = {tuple(cell is None for cell in row) for row in rows.cells}
    assert len(patterns) == 8


@pytest.mark.parametrize("columns", [2, 3, 6, 12])
def test_combinations_are_bounded(columns):
    values = tuple(range(500))
    table = {f"c{number}": (INT, values) for number in range(columns)}
    alone = len(table_rows(table).cells)
    rows = table_rows(table, together=[tuple(table)], limit=100)
    assert alone < len(rows.cells) <= alone + 300


def test_rows_of_the_caller_are_filled_up():
    rows = table_rows({"a": (INT, (1,)), "b": (INT, (2,))}, also=[{"b": 9}, {"b": None, "a": 0}])
    assert rows.cells == ((1, 2), (1, 9), (0, None))


def test_the_same_arguments_give_the_same_rows():
    values = boundary_values([5], INT)
    table = {"a": (INT, values), "b": (INT, values)}
    first = table_rows(table, together=[("a", "b")])
    assert repr(first) == repr(table_rows(table, together=[("a", "b")]))
    assert len({repr(row) for row in first.cells}) == len(first.cells)
