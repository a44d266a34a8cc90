"""The expectations of 0.x that the row tests run on 0.18.22, and their rows.

What 1.x makes the same of is in express_cases; here is what a generation of 0.x does otherwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from express_cases import IGNORE_MANY, Case, each, pair, several, single, with_options
from express_verdicts import frame

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.rows import Rows

V, L, P = (
    "expect_column_values_to_",
    "expect_column_value_lengths_to_",
    "expect_column_pair_values_",
)
GREATER = P + "a_to_be_greater_than_b"
PARSED = {"parse_strings_as_datetimes": True}
IGNORE = each(
    "ignore_row_if", ["both_values_are_missing", "either_value_is_missing", "neither", "never"]
)
TEXTS = ("abc", "a", "ABC", "AC", "1.5", "1e2", " 7 ", "100", "1", "1.0", "12", "x1", "1x")


def cases():
    yield from single(V + "not_be_null", ("double", "string"), {})
    yield from single(V + "be_null", ("double",), {})
    yield from _between()
    yield from _in_set()
    yield from _texts()
    yield from _several()


def _between():
    name = V + "be_between"
    yield from single(
        name, ("bigint", "decimal(15,2)", "double"), {"min_value": 0, "max_value": 100}
    )
    strict = {"min_value": 0.1, "strict_min": True, "max_value": 99.99, "strict_max": True}
    yield from single(name, ("decimal(15,2)", "float", "double"), strict)
    yield from single(name, ("bigint",), {"min_value": True}, {"min_value": 1, "mostly": None})
    yield from single(name, ("bigint",), {"min_value": 1, "xyz": 1})
    crossed = {"min_value": 1, "allow_cross_type_comparisons": True}
    yield from single(name, ("bigint",), crossed)
    yield from single(name, ("string",), {"min_value": 1, "max_value": 100}, extra=TEXTS)
    dates = {"min_value": "2020-01-01", "max_value": "2020-12-31"}
    yield from single(name, ("string", "date", "timestamp", "timestamp_ntz"), dates)
    noon = {"min_value": "2020-01-01T12:30:00", "max_value": "2020-12-31T23:59:59"}
    yield from single(name, ("timestamp",), noon)


def _in_set():
    for verb in ("be_in_set", "not_be_in_set"):
        name = V + verb
        yield from single(name, ("bigint", "double"), {"value_set": [1, 2, 3]})
        numbers = ("bigint", "decimal(15,2)", "double")
        yield from single(name, numbers, {"value_set": ["1", "2"]}, {"value_set": [1, "F"]})
        written = ({"value_set": [1, 12]}, {"value_set": [1.0, 1.5, "x1"]}, {"value_set": ["F"]})
        yield from single(name, ("string",), *written, extra=TEXTS)
        days = {"value_set": ["2020-01-01", "2020-02-29"]}
        yield from single(name, ("date", "timestamp", "timestamp_ntz"), days)
        yield from single(name, ("timestamp",), {"value_set": ["2020-01-01T00:00:00"]})
        yield from single(name, ("boolean",), {"value_set": ["true"]})
        yield from single(name, ("float",), {"value_set": ["1e2", -0.0, 2]})
        yield from single(name, ("int",), {"value_set": [0.3, 0.0, "5"]}, {"value_set": [2, "5"]})
        yield from single(name, ("string",), {"value_set": ["F", None]}, {"value_set": None})


def _texts():
    lists = [{"regex_list": ["^A", "C$"], "match_on": "all"}, {"regex_list": ["^A", "[a-z]"]}]
    lists += [{"regex_list": ["A", "B"], "match_on": None}]
    yield from single(V + "match_regex_list", ("string",), *lists, extra=TEXTS)
    lists = [{"regex_list": ["(?=a)", "ab"], "match_on": "all"}]
    yield from single(V + "match_regex_list", ("string",), *lists, extra=TEXTS)
    yield from single(V + "not_match_regex_list", ("string",), {"regex_list": ["^A", "C$"]})
    lengths = (
        {"min_value": 1, "max_value": 3},
        {"min_value": 1, "max_value": 3, "strict_min": True},
        {"max_value": 3, "strict_max": True},
        {"min_value": 1.5},
    )
    yield from single(L + "be_between", ("string",), *lengths, {}, extra=TEXTS)
    yield from single(L + "equal", ("string", "bigint"), {"value": 3}, extra=TEXTS)
    yield from single(L + "equal", ("string",), {"value": "3"}, extra=TEXTS)
    formats = each("strftime_format", ["%Y-%m-%d"])
    yield from single(V + "match_strftime_format", ("string",), *formats, extra=("2020-1-1", "2"))
    yield from single(V + "be_json_parseable", ("string",), {}, extra=("NaN", "{}", "1\n1"))


def _several():
    types = (("double", "double"), ("string", "string"))
    yield from pair(P + "to_be_equal", types, *IGNORE)
    yield from pair(GREATER, types, *IGNORE)
    yield from pair(GREATER, (("bigint", "bigint"), ("date", "date")), {"or_equal": True})
    pairs = {"value_pairs_set": [["F", "O"], [None, "P"]]}
    yield from pair(P + "to_be_in_set", (("string", "string"),), *with_options(IGNORE, pairs))
    unlike = ({"value_pairs_set": [[0, "2.50"], [2, 3]]}, {"value_pairs_set": [["1e2", "5"]]})
    yield from pair(P + "to_be_in_set", (("int", "int"),), *with_options(IGNORE, *unlike))
    within = "expect_select_column_values_to_be_unique_within_record"
    ignore = [IGNORE_MANY[0], IGNORE_MANY[3]]
    yield from several(within, (("int",) * 3, ("binary",) * 3), *ignore)
    totals = with_options(ignore, {"sum_total": 6})
    yield from several("expect_multicolumn_sum_to_equal", (("int",) * 3, ("double",) * 3), *totals)
    yield from several("expect_multicolumn_sum_to_equal", (("float",) * 3,), {"sum_total": 1})
    yield from several("expect_multicolumn_sum_to_equal", (("int",) * 3,), {"sum_total": "6"})
    wrapped = {"sum_total": 0}
    yield from several("expect_multicolumn_sum_to_equal", (("bigint", "bigint"),), wrapped)
    yield from several("expect_multicolumn_values_to_be_equal", (("int", "int"),), {})


# Texts as times -----------------------------------------------------------------------------------

# dateutil raises for the whole rule where it can't read a text, and where one is missing in a pair.
DAYS = ("2020-01-01", "2019-12-31 23:59:59", "2020-12-31", "2020-12-31 10:00:00", "2021-01-01")
FULL = (*zip(DAYS, reversed(DAYS), strict=True), ("2020-12-31 10:00:00", "2020-12-31 09:00:00"))
MISSING = ((None, "2020-01-01"), (None, None))
ODD = (("1/2/2020", "2020-01-01"), ("20200601", "2020-12-31"), ("2020-6-1", "2020-06-01"))
UNREAD = (("nope", "2020-01-01"), ("", "2020-12-31"))


@dataclass(frozen=True)
class Timed:
    """Rules on two columns of one type, and their rows as texts."""

    type: str
    rows: tuple[tuple[str | None, str | None], ...]

    @property
    def columns(self) -> Mapping[str, str]:
        return {"a": self.type, "b": self.type}

    def cases(self):
        ends = {"min_value": "2020-01-01", "max_value": "2020-12-31", **PARSED}
        few = {"value_set": ["2020-01-01", "2020-12-31 10:00:00"], **PARSED}
        for name, kwargs in (
            (V + "be_between", ends),
            (V + "be_between", {"min_value": "2020-01-01 00:00:01", **PARSED}),
            (V + "be_in_set", few),
            (V + "not_be_in_set", few),
        ):
            yield Case(name, {"column": "a", **kwargs}, self.columns)
        both = {"column_A": "a", "column_B": "b", **PARSED}
        for more in ({}, {"or_equal": True}):
            yield Case(GREATER, {**both, **more}, self.columns)

    def frame(self) -> Rows:
        cells = tuple(tuple(map(self._cell, row)) for row in self.rows)
        return Rows(tuple((name, parse_type(self.type)) for name in self.columns), cells)

    def _cell(self, text):
        if text is None or self.type == "string":
            return text
        moment = datetime.fromisoformat(text)
        return moment.date() if self.type == "date" else moment


TIMED = (
    *(Timed(kind, FULL + MISSING) for kind in ("date", "timestamp")),
    *(Timed("string", rows) for rows in (FULL, FULL + ODD, FULL + ODD + MISSING + UNREAD)),
)


def frames():
    """(columns' types, cases, rows) of each frame."""
    by_columns: dict[tuple, list[Case]] = {}
    for case in cases():
        by_columns.setdefault(tuple(case.columns.items()), []).append(case)
    for columns, group in by_columns.items():
        yield group, _that_pandas_holds(frame(dict(columns), group))
    for timed in TIMED:
        yield list(timed.cases()), timed.frame()


def _that_pandas_holds(rows: Rows) -> Rows:
    """datetime64[ns] reaches from 1678 to 2262."""
    kept = (
        row
        for row in rows.cells
        if all(not isinstance(cell, date) or 1678 <= cell.year <= 2261 for cell in row)
    )
    return replace(rows, cells=tuple(kept))
