"""Hypothesis strategies: rules with literals that nobody chose, in batches that share a frame."""

from decimal import Decimal

from express_cases import Case, E
from hypothesis import strategies as st

texts = st.text(max_size=6) | st.sampled_from(
    ["", " ", "it's", "\\", "${x}", "a\nb", "é", "\u2028"]
)
safe = texts.filter(lambda t: "\x00" not in t and all(not "\ud800" <= c <= "\udfff" for c in t))
integers = st.integers(-(2**53) + 1, 2**53 - 1)
decimals = st.decimals(-(10**9), 10**9, places=2, allow_nan=False).map(float)
numbers = integers | decimals.filter(lambda d: repr(d) == repr(float(Decimal(repr(d)))))
columns = st.sampled_from(["int", "bigint", "decimal(15,2)", "double", "string"])


@st.composite
def bounds(draw):
    low, high = sorted((draw(numbers), draw(numbers)))
    kwargs = {"min_value": low, "max_value": high}
    if draw(st.booleans()):
        del kwargs[draw(st.sampled_from(["min_value", "max_value"]))]
    if low != high:
        kwargs |= {k: draw(st.booleans()) for k in ("strict_min", "strict_max")}
    return Case(E + "to_be_between", {"column": "c", **kwargs}, {"c": draw(columns)})


@st.composite
def sets(draw):
    values = draw(
        st.lists(safe, min_size=1, max_size=5) | st.lists(numbers, min_size=1, max_size=5)
    )
    kind = draw(st.sampled_from(["to_be_in_set", "to_not_be_in_set"]))
    return Case(E + kind, {"column": "c", "value_set": values}, {"c": draw(columns)})


@st.composite
def lengths(draw):
    low, high = sorted((draw(st.integers(1, 9)), draw(st.integers(1, 9))))
    kwargs = {"column": "c", "min_value": low, "max_value": high}
    return Case("expect_column_value_lengths_to_be_between", kwargs, {"c": "string"})


@st.composite
def pair_sets(draw):
    values = st.none() | safe
    pairs = draw(st.lists(st.tuples(values, values).map(list), min_size=1, max_size=4))
    ignore = draw(
        st.sampled_from(["both_values_are_missing", "either_value_is_missing", "neither"])
    )
    kwargs = {"column_A": "a", "column_B": "b", "value_pairs_set": pairs, "ignore_row_if": ignore}
    name = "expect_column_pair_values_to_be_in_set"
    return Case(name, kwargs, {"a": "string", "b": "string"})


@st.composite
def sums(draw):
    kwargs = {"column_list": ["a", "b"], "sum_total": draw(integers)}
    return Case("expect_multicolumn_sum_to_equal", kwargs, {"a": "int", "b": "int"})


def batches():
    case = st.one_of(bounds(), sets(), lengths(), pair_sets(), sums())
    return st.lists(case, min_size=40, max_size=60)
