"""Expectations about many records, and the tables that they are tried on."""

import random
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.cells import Cell
from ruleferry.converters.proof.rows import Rows

V = "expect_column_values_to_"
COLUMNS = {
    "id": "bigint", "i": "bigint", "j": "int", "f": "double", "s": "string", "t": "string",
    "d": "date", "ts": "timestamp", "m": "decimal(10,2)", "b": "boolean",
}  # fmt: skip
# What SQLite holds as Great Expectations wants it.
ON_SQLITE = {"id": "bigint", "i": "bigint", "f": "double", "s": "string", "t": "string"}

Element = dict[str, object]


def of(kind: str, **kwargs) -> Element:
    return {"type": kind, "kwargs": kwargs}


# Expectations -------------------------------------------------------------------------------------


def _unique() -> Iterator[Element]:
    for column in ("i", "f", "s", "ts", "m", "b"):
        yield of(V + "be_unique", column=column)
    compound = "expect_compound_columns_to_be_unique"
    yield of(compound, column_list=["i", "s", "t"])
    for ignore in ("all_values_are_missing", "any_value_is_missing", "never"):
        yield of(compound, column_list=["s", "t"], ignore_row_if=ignore)
        yield of(compound, column_list=["f", "i"], ignore_row_if=ignore)


def near() -> Iterator[Element]:
    z = "expect_column_value_z_scores_to_be_less_than"
    outliers = V + "not_be_outliers"
    for column in ("i", "f"):
        yield of(z, column=column, threshold=0.5, double_sided=True)
        yield of(z, column=column, threshold=-0.5, double_sided=False)
        yield of(outliers, column=column, method="iqr", multiplier=0.5)
        yield of(outliers, column=column, method="std", multiplier=1)
    yield of(z, column="f", threshold=1, double_sided=True, mostly=0.5)
    yield of(outliers, column="f", method="std", multiplier=0)
    yield of(outliers, column="i")
    yield of(outliers, column="i", method="std", multiplier=0.5, mostly=0.6)


def _ordered() -> Iterator[Element]:
    for column in ("i", "f", "d", "ts", "m"):
        yield of(V + "be_increasing", column=column)
        yield of(V + "be_decreasing", column=column, strictly=True)
    yield of(V + "be_increasing", column="i", strictly=True)
    yield of(V + "be_increasing", column="ts", mostly=0.5)


def _shares() -> Iterator[Element]:
    for mostly in (0.5, 2 / 3):
        yield of(V + "not_be_null", column="i", mostly=mostly)
        yield of(V + "be_null", column="f", mostly=mostly)
        yield of(V + "be_between", column="f", max_value=2.5, mostly=mostly)
        yield of(V + "be_in_set", column="s", value_set=["a", "b"], mostly=mostly)
        yield of(V + "be_unique", column="f", mostly=mostly)
        yield of(V + "be_increasing", column="i", mostly=mostly)
    yield of(V + "not_be_in_set", column="i", value_set=[1, 2], mostly=0.5)
    yield of(V + "match_regex", column="s", regex="^a", mostly=0.5)
    yield of(V + "not_match_regex_list", column="s", regex_list=["^a", "^b"], mostly=0.25)
    yield of("expect_column_value_lengths_to_equal", column="s", value=1, mostly=0.75)
    for ignore in ("both_values_are_missing", "either_value_is_missing", "neither"):
        pair = {"column_A": "i", "column_B": "j", "ignore_row_if": ignore}
        yield of("expect_column_pair_values_to_be_equal", **pair, mostly=0.5)
        yield of("expect_column_pair_values_a_to_be_greater_than_b", **pair, mostly=0.4)
        yield of(
            "expect_column_pair_values_to_be_in_set",
            **pair, value_pairs_set=[[1, 1], [2, 1]], mostly=0.25,
        )  # fmt: skip
    for ignore in ("all_values_are_missing", "any_value_is_missing", "never"):
        some = {"ignore_row_if": ignore, "column_list": ["s", "t"]}
        yield of("expect_select_column_values_to_be_unique_within_record", **some, mostly=0.75)
        yield of("expect_multicolumn_values_to_be_equal", **some, mostly=0.25)
        yield of("expect_compound_columns_to_be_unique", **some, mostly=0.6)
        some["column_list"] = ["i", "j"]
        yield of("expect_multicolumn_sum_to_equal", **some, sum_total=3, mostly=0.25)


def _figures() -> Iterator[Element]:
    for column in ("i", "f", "m"):
        for figure in ("min", "max", "mean", "median", "sum", "stdev"):
            kind = f"expect_column_{figure}_to_be_between"
            yield of(kind, column=column, min_value=0, max_value=2.5)
    for figure in ("max", "mean", "sum"):  # of NaN, too
        yield of(f"expect_column_{figure}_to_be_between", column="f", min_value=0)
    for column in ("i", "f", "s", "b"):
        kind = "expect_column_unique_value_count_to_be_between"
        yield of(kind, column=column, min_value=1, max_value=5)
    yield of("expect_column_max_to_be_between", column="i", max_value=4, strict_max=True)
    yield of("expect_column_min_to_be_between", column="i", min_value=0, strict_min=True)
    for share in ("unique", "non_null"):
        kind = f"expect_column_proportion_of_{share}_values_to_be_between"
        for column in ("f", "s"):
            yield of(kind, column=column, min_value=0, max_value=0.5)
    days = {"min_value": "2024-01-02", "max_value": "2024-02-01"}
    yield of("expect_column_min_to_be_between", column="d", **days)
    yield of("expect_column_max_to_be_between", column="d", **days)
    yield of("expect_table_row_count_to_be_between", max_value=3)
    yield of("expect_table_row_count_to_equal", value=0)


def _quantiles() -> Iterator[Element]:
    quantile = "expect_column_quantile_values_to_be_between"
    between_two = {"quantiles": [0.4], "value_ranges": [[2, 2]]}
    yield of(quantile, column="i", quantile_ranges=between_two)
    for column in ("i", "f"):
        for ranges in ([[1, 2], [1, 3]], [[0, 1], [None, 4]]):
            wanted = {"quantiles": [0.25, 0.75], "value_ranges": ranges}
            yield of(quantile, column=column, quantile_ranges=wanted)
        yield of(quantile, column=column, quantile_ranges=wanted, allow_relative_error="linear")


def _distinct() -> Iterator[Element]:
    sets = {
        "i": [[1, 2], [0, 1, 2, 3, 4]], "f": [[1, 2.5]], "s": [["a"], ["a", "b", "ab", "", "2024"]],
        "d": [["2024-01-01", "2024-01-02"]],
    }  # fmt: skip
    most = "expect_column_most_common_value_to_be_in_set"
    for ties_okay in (True, False):  # 2 and 3 are the most common ones of j
        yield of(most, column="j", value_set=[3, 1], ties_okay=ties_okay)
        yield of(most, column="j", value_set=[3, 2], ties_okay=ties_okay)
    for column, lists in sets.items():
        for values in lists:
            for form in ("be_in_set", "contain_set", "equal_set"):
                kind = f"expect_column_distinct_values_to_{form}"
                yield of(kind, column=column, value_set=values)
            if column != "d":
                yield of(most, column=column, value_set=values, ties_okay=True)
                yield of(most, column=column, value_set=values)


def _limited() -> Iterator[Element]:
    """The same with a row condition."""
    yield of(V + "be_unique", column="s")
    yield of("expect_compound_columns_to_be_unique", column_list=["i", "s"])
    yield of(
        "expect_column_value_z_scores_to_be_less_than", column="f", threshold=1, double_sided=True
    )
    yield of(V + "not_be_outliers", column="f", method="iqr", multiplier=0.5)
    yield of(V + "not_be_outliers", column="f", method="std", multiplier=1)
    yield of(V + "be_increasing", column="f")
    yield of(V + "not_be_null", column="s", mostly=0.5)
    yield of(V + "be_in_set", column="s", value_set=["a"], mostly=0.5)
    yield of(V + "be_unique", column="s", mostly=0.5)
    yield of(V + "be_increasing", column="f", mostly=0.5)
    for figure in ("min", "mean", "median", "sum", "stdev", "unique_value_count"):
        yield of(f"expect_column_{figure}_to_be_between", column="f", min_value=0, max_value=2)
    for share in ("unique", "non_null"):
        yield of(
            f"expect_column_proportion_of_{share}_values_to_be_between",
            column="s", min_value=0.5, max_value=0.9,
        )  # fmt: skip
    yield of("expect_column_distinct_values_to_be_in_set", column="s", value_set=["a", "b"])
    yield of("expect_column_distinct_values_to_contain_set", column="s", value_set=["a", "b"])
    yield of(
        "expect_column_most_common_value_to_be_in_set", column="s", value_set=["a"], ties_okay=True
    )
    yield of(
        "expect_column_quantile_values_to_be_between",
        column="i", quantile_ranges={"quantiles": [0.5], "value_ranges": [[1, 3]]},
    )  # fmt: skip
    yield of("expect_table_row_count_to_be_between", min_value=1, max_value=5)


def schema_statements() -> Iterator[Element]:
    names = list(COLUMNS)
    for column in ("i", "I", "nothing"):
        yield of("expect_column_to_exist", column=column)
    for index in (0, 1, 3):
        yield of("expect_column_to_exist", column="i", column_index=index)
    for count in (9, 10, 11):
        yield of("expect_table_column_count_to_equal", value=count)
        yield of("expect_table_column_count_to_be_between", min_value=count)
        yield of("expect_table_column_count_to_be_between", max_value=count)
    for listed in (names, names[::-1], names[:-1], [*names, "x"], [n.upper() for n in names]):
        yield of("expect_table_columns_to_match_ordered_list", column_list=listed)
        yield of("expect_table_columns_to_match_set", column_set=listed)
        yield of("expect_table_columns_to_match_set", column_set=listed, exact_match=False)


def spark_types() -> Iterator[Element]:
    kinds = ("LongType", "LongType", "LongType", "DoubleType", "StringType", "IntegerType",
             "DateType", "TimestampType", "DecimalType", "BooleanType")  # fmt: skip
    for column, name in zip(COLUMNS, kinds, strict=True):
        yield of(V + "be_of_type", column=column, type_=name)
        yield of(V + "be_in_type_list", column=column, type_list=["LongType", "StringType"])


def figures() -> list[Element]:
    return [*_figures(), *_quantiles(), *_distinct()]


def elements(engine: str) -> list[Element]:
    made = [*_unique(), *near(), *_ordered(), *_shares(), *figures()]
    for element in _limited():
        kwargs = {**element["kwargs"], **_row_condition(engine)}
        made.append({**element, "kwargs": kwargs})
    return made


def _row_condition(engine: str) -> Mapping[str, object]:
    if engine == "sqlite":
        return {"row_condition": 'col("i") > 1', "condition_parser": "great_expectations"}
    return {"row_condition": "i > 1", "condition_parser": engine}


# Tables -------------------------------------------------------------------------------------------

NAN = float("nan")
_NEW_YEAR = datetime.fromisoformat("2024-01-01")
_CELLS: Mapping[str, tuple[Cell, ...]] = {
    "i": (0, 1, 1, 2, 2, 3, 4), "j": (1, 1, 2, 3), "f": (0.5, 1.0, 1.0, 2.5, 4.0, -3.0),
    "s": ("a", "a", "b", "ab", "", "2024"), "t": ("a", "b", ""), "m": tuple(
        Decimal(text) for text in ("0.50", "1.00", "1.00", "2.25", "99.99")
    ), "b": (True, False),
    "d": tuple(date(2024, 1, 1) + timedelta(days) for days in (0, 1, 1, 2, 31)),
    "ts": tuple(_NEW_YEAR + timedelta(hours=h) for h in (0, 1, 1, 30, 744)),
}  # fmt: skip
_VALUES = {name: _CELLS[name] for name in COLUMNS if name != "id"}


def tables() -> dict[str, Rows]:
    """name -> rows; each column id numbers them."""
    one = tuple(values[1] for values in _VALUES.values())
    missing = (None,) * len(_VALUES)
    return {
        "empty": _rows([]),
        "all missing": _rows([missing] * 3),
        "all alike": _rows([one] * 4),
        "some missing": _rows([_record(random.Random(n), 0.3) for n in range(100, 120)]),
        "with NaN": _with_nan(),
    }


def _with_nan() -> Rows:
    place = list(_VALUES).index("f")
    records = [_record(random.Random(n), 0.2) for n in range(300, 316)]
    for n, value in ((1, NAN), (5, NAN), (9, float("inf")), (11, NAN)):
        records[n] = (*records[n][:place], value, *records[n][place + 1 :])
    return _rows(records)


def _record(chosen: random.Random, missing: float) -> tuple[Cell, ...]:
    return tuple(
        None if chosen.random() < missing else chosen.choice(values) for values in _VALUES.values()
    )


def _rows(records: list[tuple[Cell, ...]]) -> Rows:
    columns = tuple((name, parse_type(text)) for name, text in COLUMNS.items())
    return Rows(columns, tuple((n, *record) for n, record in enumerate(records)))


def on(rows: Rows, columns: Mapping[str, str]) -> Rows:
    """The same rows with some columns alone."""
    places = [p for p, (name, _) in enumerate(rows.columns) if name in columns]
    kept = tuple(rows.columns[p] for p in places)
    return Rows(kept, tuple(tuple(record[p] for p in places) for record in rows.cells))
