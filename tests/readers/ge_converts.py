"""Expectations and what the reader makes of them: type, arguments, kind, check.

Arguments are JSON text, since the reader keeps digits that a Python value has lost.
"""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

from ruleferry.converters.predicates import (
    Absent,
    Compare,
    Comparison,
    DistinctWithin,
    Format,
    Json,
    Length,
    Like,
    Matches,
    OneOf,
    PairIn,
    Present,
    Range,
    SameWithin,
    Scope,
    SqlText,
    SumIs,
)
from ruleferry.converters.rule import Check, Columns, Figure, Ordered, Row, Share, Unique

BOTH = ("0.x", "1.x")
OLD, NEW = ("0.x",), ("1.x",)
V, L, P = (
    "expect_column_values_to_",
    "expect_column_value_lengths_to_",
    "expect_column_pair_values_",
)


@dataclass(frozen=True)
class Yes:
    type: str
    kwargs: str
    kind: str
    check: Check
    columns: tuple[str, ...] = ("a",)
    versions: tuple[str, ...] = BOTH
    scope: Scope | None = None


def of_column(name, kind, *cases):
    """(arguments beside the column, predicate, versions) of a rule on one column."""
    for more, predicate, *versions in cases:
        kwargs = f'{{"column": "a"{", " if more else ""}{more}}}'
        yield Yes(name, kwargs, kind, Row(predicate), versions=versions[0] if versions else BOTH)


def of_columns(name, kind, *cases):
    """The same of a rule on a list of columns: (arguments, check, versions)."""
    for more, check, *versions in cases:
        kwargs = f'{{"column_list": ["a", "b"]{", " if more else ""}{more}}}'
        yield Yes(name, kwargs, kind, check, ("a", "b"), versions[0] if versions else BOTH)


def of_pair(name, kind, *cases):
    for more, predicate, *versions in cases:
        kwargs = f'{{"column_A": "a", "column_B": "b"{", " if more else ""}{more}}}'
        made = Row(predicate)
        yield Yes(name, kwargs, kind, made, ("a", "b"), versions[0] if versions else BOTH)


def typed(name, text):
    """The value of an argument: numbers as they are written, lists of values as tuples."""
    value = json.loads(text, parse_float=Decimal)
    match name:
        case "value_set":
            return tuple(value)
        case "ties_okay":
            return bool(value)
        case "mostly":
            return Decimal(text)
        case "multiplier":
            return float(text)
    return value


def figures(kind, *cases):
    """(type, measure, column or none, arguments as the author wrote them, versions)."""
    for name, measure, column, more, *versions in cases:
        columns = (column,) if column else ()
        inner = [f'"column": "{column}"'] if column else []
        inner += [f'"{key}": {value}' for key, value in more.items()]
        made = Columns if kind in ("columns", "column_type") else Figure
        given = {name: typed(name, text) for name, text in more.items()}
        mostly = given.pop("mostly", None) if made is Figure else None
        check = made(measure, columns, tuple(sorted(given.items())))
        shown = kind
        if mostly is not None:
            check, shown = Share(check, mostly), "share"
        kwargs = f"{{{', '.join(inner)}}}"
        yield Yes(name, kwargs, shown, check, columns, versions[0] if versions else BOTH)


MIDNIGHT = date(2020, 1, 1)
NOON = datetime(2020, 1, 1, 12, 0)  # noqa: DTZ001
EAST = timezone(timedelta(hours=2))
DIGITS = Decimal("0.1000000000000000055")

RECORDS = [
    *of_column(V + "not_be_null", "present", ("", Present("a"))),
    *of_column(V + "be_null", "absent", ("", Absent("a"))),
    *of_column(
        V + "be_between",
        "range",
        ('"min_value": 1, "max_value": 5', Range("a", 1, 5)),
        ('"min_value": 1, "max_value": null', Range("a", 1)),
        ('"max_value": 5', Range("a", None, 5)),
        ('"min_value": 1, "strict_min": true', Range("a", 1, low_open=True)),
        ('"max_value": 5, "strict_max": true', Range("a", None, 5, high_open=True)),
        ('"min_value": 1, "strict_min": false, "strict_max": false', Range("a", 1)),
        ('"min_value": 1, "strict_min": null', Range("a", 1), OLD),
        ('"min_value": 1, "strict_min": "yes"', Range("a", 1, low_open=True)),
        ('"min_value": 1, "strict_min": "no"', Range("a", 1), NEW),
        ('"min_value": 1, "strict_min": 0, "strict_max": 1.0', Range("a", 1, high_open=True)),
        ('"min_value": -1.5', Range("a", Decimal("-1.5"))),
        ('"min_value": 1.10', Range("a", Decimal("1.10"))),
        ('"min_value": 2.0', Range("a", 2)),
        ('"min_value": 1e3, "max_value": 1E5', Range("a", 1000, 100000)),
        ('"min_value": 0.1000000000000000055', Range("a", DIGITS)),
        ('"min_value": 9007199254740993', Range("a", 9007199254740993)),
        ('"min_value": -0.0, "max_value": 0e999', Range("a", 0, 0)),
        ('"min_value": 5e-324', Range("a", Decimal("5e-324"))),
        ('"min_value": 1, "strict_min": 1.00', Range("a", 1, low_open=True)),
        ('"max_value": 1e308', Range("a", None, 10**308)),
        ('"min_value": true', Range("a", 1)),
        ('"min_value": "1"', Range("a", 1), NEW),
        ('"min_value": " 5.0 "', Range("a", 5), NEW),
        ('"min_value": "5"', Range("a", "5"), OLD),
        ('"min_value": "abc", "max_value": "now"', Range("a", "abc", "now"), OLD),
        ('"min_value": "2020-01-01"', Range("a", "2020-01-01"), OLD),
        ('"min_value": "2020-01-01"', Range("a", MIDNIGHT), NEW),
        ('"min_value": "2020-1-1"', Range("a", MIDNIGHT), NEW),
        ('"min_value": "20200101"', Range("a", 20200101), NEW),
        ('"max_value": "2020-01-01T12:00:00"', Range("a", None, NOON), NEW),
        ('"max_value": "2020-01-01 12:00"', Range("a", None, NOON), NEW),
        (
            '"max_value": "2020-1-1 1:2:3.5"',
            Range("a", None, datetime(2020, 1, 1, 1, 2, 3, 500000)),  # noqa: DTZ001
            NEW,
        ),
        ('"max_value": "2020-01-01T12:00:00Z"', Range("a", None, NOON.replace(tzinfo=UTC)), NEW),
        ('"max_value": "2020-01-01T12:00+02"', Range("a", None, NOON.replace(tzinfo=EAST)), NEW),
        ('"min_value": 5, "max_value": 1', Range("a", 5, 1)),
        ('"min_value": 1, "parse_strings_as_datetimes": false', Range("a", 1), OLD),
        ('"min_value": 1, "allow_cross_type_comparisons": true', Range("a", 1), OLD),
        ('"min_value": 1, "output_strftime_format": "%Y"', Range("a", 1), OLD),
    ),
    *of_column(
        V + "be_in_set",
        "allowed",
        ('"value_set": ["x", "it\'s", ""]', OneOf("a", ("x", "it's", ""))),
        ('"value_set": [1, 1.5, 1.50]', OneOf("a", (1, Decimal("1.5"), Decimal("1.50")))),
        ('"value_set": [true, 1, null]', OneOf("a", (True, 1, None))),
        ('"value_set": ["1", 1, "2020-01-01"]', OneOf("a", ("1", 1, "2020-01-01"))),
        ('"value_set": []', OneOf("a", ())),
        ('"value_set": ["x"], "parse_strings_as_datetimes": null', OneOf("a", ("x",)), OLD),
    ),
    *of_column(
        V + "not_be_in_set",
        "refused",
        ('"value_set": ["x", null]', OneOf("a", ("x", None), negated=True)),
        ('"value_set": ["x"], "parse_strings_as_datetimes": false', OneOf("a", ("x",), True), OLD),
    ),
    *of_column(
        V + "match_regex",
        "pattern",
        ('"regex": "^a|b$"', Matches("a", ("^a|b$",))),
        ('"regex": ""', Matches("a", ("",))),
        ('"regex": 5', Matches("a", ("5",)), NEW),
        ('"regex": 1.10', Matches("a", ("1.1",)), NEW),
        ('"regex": true', Matches("a", ("True",)), NEW),
    ),
    *of_column(
        V + "not_match_regex",
        "not_pattern",
        (r'"regex": "\\d\u00e9"', Matches("a", (r"\dé",), negated=True)),
    ),
    *of_column(
        V + "match_regex_list",
        "pattern",
        ('"regex_list": ["a", "b"]', Matches("a", ("a", "b"))),
        ('"regex_list": ["a", "b"], "match_on": "any"', Matches("a", ("a", "b"))),
        ('"regex_list": ["a", "b"], "match_on": "all"', Matches("a", ("a", "b"), each=True)),
        ('"regex_list": ["a", "b"], "match_on": null', Matches("a", ("a", "b")), OLD),
        ('"regex_list": ["a", 5]', Matches("a", ("a", "5")), NEW),
    ),
    *of_column(
        V + "not_match_regex_list",
        "not_pattern",
        ('"regex_list": ["a", "b"]', Matches("a", ("a", "b"), negated=True)),
    ),
    *of_column(
        V + "match_like_pattern",
        "pattern",
        ('"like_pattern": "a%"', Like("a", ("a%",))),
        ('"like_pattern": "a!%", "escape": "!"', Like("a", ("a!%",), escape="!"), NEW),
        ('"like_pattern": "a%", "escape": null', Like("a", ("a%",)), NEW),
    ),
    *of_column(
        V + "not_match_like_pattern",
        "not_pattern",
        ('"like_pattern": "a%"', Like("a", ("a%",), negated=True)),
        ('"like_pattern": "a%", "escape": "!"', Like("a", ("a%",), negated=True, escape="!"), NEW),
    ),
    *of_column(
        V + "match_like_pattern_list",
        "pattern",
        ('"like_pattern_list": ["a%", "b"]', Like("a", ("a%", "b"))),
        ('"like_pattern_list": ["a", "b"], "match_on": "all"', Like("a", ("a", "b"), each=True)),
        ('"like_pattern_list": ["a"], "escape": "!"', Like("a", ("a",), escape="!"), NEW),
    ),
    *of_column(
        V + "not_match_like_pattern_list",
        "not_pattern",
        ('"like_pattern_list": ["a%", "b"]', Like("a", ("a%", "b"), negated=True)),
        ('"like_pattern_list": ["a"], "escape": "!"', Like("a", ("a",), False, True, "!"), NEW),
    ),
    *of_column(
        L + "be_between",
        "length",
        ('"min_value": 1, "max_value": 3', Length("a", 1, 3)),
        ('"min_value": 1.0', Length("a", 1)),
        ('"max_value": 3, "strict_max": true', Length("a", None, 3, high_open=True), NEW),
        ('"min_value": 1, "strict_min": true', Length("a", 1, low_open=True), NEW),
        # What 1.x stores is whole: it cuts the fraction off.
        ('"min_value": 1.5, "max_value": -1.5', Length("a", 1, -1), NEW),
        ('"min_value": "2"', Length("a", 2), NEW),
    ),
    *of_column(
        L + "equal",
        "length",
        ('"value": 3', Length("a", 3, 3)),
        ('"value": "3"', Length("a", 3, 3), NEW),
        ('"value": 3.0', Length("a", 3, 3)),
    ),
    *of_column(
        V + "match_strftime_format",
        "format",
        ('"strftime_format": "%Y-%m-%d"', Format("a", "%Y-%m-%d")),
    ),
    *of_column(V + "be_json_parseable", "format", ("", Json("a"))),
]

SEVERAL = [
    *of_pair(
        P + "to_be_equal",
        "compare",
        ("", Compare("a", "=", "b")),
        ('"ignore_row_if": "both_values_are_missing"', Compare("a", "=", "b")),
        ('"ignore_row_if": "either_value_is_missing"', Compare("a", "=", "b", "any_missing")),
        ('"ignore_row_if": "neither"', Compare("a", "=", "b", "never")),
    ),
    *of_pair(
        P + "a_to_be_greater_than_b",
        "compare",
        ("", Compare("a", ">", "b")),
        ('"or_equal": true', Compare("a", ">=", "b")),
        ('"or_equal": false', Compare("a", ">", "b")),
        ('"or_equal": null', Compare("a", ">", "b")),
        (
            '"or_equal": "on", "ignore_row_if": "either_value_is_missing"',
            Compare("a", ">=", "b", "any_missing"),
        ),
        ('"parse_strings_as_datetimes": false', Compare("a", ">", "b"), OLD),
        ('"allow_cross_type_comparisons": true', Compare("a", ">", "b"), OLD),
    ),
    *of_pair(
        P + "to_be_in_set",
        "allowed",
        (
            '"value_pairs_set": [["x", 1], [null, 2.50]]',
            PairIn("a", "b", (("x", 1), (None, Decimal("2.50")))),
        ),
        ('"value_pairs_set": []', PairIn("a", "b", ())),
        (
            '"value_pairs_set": [[1, 2]], "ignore_row_if": "neither"',
            PairIn("a", "b", ((1, 2),), "never"),
        ),
    ),
    *of_columns(
        "expect_select_column_values_to_be_unique_within_record",
        "distinct_within",
        ("", Row(DistinctWithin(("a", "b")))),
        ('"ignore_row_if": "all_values_are_missing"', Row(DistinctWithin(("a", "b")))),
        (
            '"ignore_row_if": "any_value_is_missing"',
            Row(DistinctWithin(("a", "b"), "any_missing")),
        ),
        ('"ignore_row_if": "never"', Row(DistinctWithin(("a", "b"), "never"))),
    ),
    *of_columns(
        "expect_multicolumn_values_to_be_equal",
        "compare",
        ("", Row(SameWithin(("a", "b"))), NEW),
        ('"ignore_row_if": "never"', Row(SameWithin(("a", "b"), "never")), NEW),
    ),
    *of_columns(
        "expect_multicolumn_sum_to_equal",
        "sum",
        ('"sum_total": 100', Row(SumIs(("a", "b"), 100))),
        ('"sum_total": 0.30', Row(SumIs(("a", "b"), Decimal("0.30")))),
        ('"sum_total": "6"', Row(SumIs(("a", "b"), 6)), NEW),
        (
            '"sum_total": 1, "ignore_row_if": "any_value_is_missing"',
            Row(SumIs(("a", "b"), 1, "any_missing")),
        ),
    ),
]

OTHERS = [
    Yes(
        V + "be_unique", '{"column": "a"}', "unique", Unique(("a",), "any_missing", by_engine=True)
    ),
    *of_columns(
        "expect_compound_columns_to_be_unique",
        "unique",
        ("", Unique(("a", "b"), "all_missing", by_engine=True)),
        (
            '"ignore_row_if": "any_value_is_missing"',
            Unique(("a", "b"), "any_missing", by_engine=True),
        ),
        ('"ignore_row_if": "never"', Unique(("a", "b"), "never", by_engine=True)),
    ),
    Yes(V + "be_increasing", '{"column": "a"}', "order", Ordered("a")),
    Yes(
        V + "be_increasing",
        '{"column": "a", "strictly": true}',
        "order",
        Ordered("a", strictly=True),
    ),
    Yes(V + "be_increasing", '{"column": "a", "strictly": null}', "order", Ordered("a")),
    Yes(
        V + "be_increasing",
        '{"column": "a", "parse_strings_as_datetimes": false}',
        "order",
        Ordered("a"),
        versions=OLD,
    ),
    Yes(
        V + "be_decreasing",
        '{"column": "a", "strictly": true, "parse_strings_as_datetimes": null}',
        "order",
        Ordered("a", descending=True, strictly=True),
        versions=OLD,
    ),
    Yes(V + "be_decreasing", '{"column": "a"}', "order", Ordered("a", descending=True)),
]

ENDS = {"max_value": "2.50", "min_value": "1", "strict_max": "true", "strict_min": "false"}
FIGURES = [
    *figures(
        "figure",
        *(
            (f"expect_column_{measure}_to_be_between", measure, "a", ENDS)
            for measure in (
                *("mean", "median", "min", "max", "sum", "stdev", "unique_value_count"),
                "proportion_of_unique_values",
            )
        ),
        (
            "expect_column_proportion_of_non_null_values_to_be_between",
            "proportion_of_non_null_values",
            "a",
            ENDS,
            NEW,
        ),
        ("expect_column_max_to_be_between", "max", "a", {}),
        ("expect_column_max_to_be_between", "max", "a", {"max_value": '"2020-01-01"'}, OLD),
        (
            "expect_column_quantile_values_to_be_between",
            "quantiles",
            "a",
            {
                "allow_relative_error": "0.10",
                "quantile_ranges": '{"quantiles": [0.50], "value_ranges": [[1, null]]}',
            },
        ),
        *(
            (f"expect_column_distinct_values_to_{verb}_set", measure, "a", {"value_set": "[1]"})
            for verb, measure in (
                ("be_in", "distinct_values_allowed"),
                ("contain", "distinct_values_contain"),
                ("equal", "distinct_values_equal"),
            )
        ),
        (
            "expect_column_most_common_value_to_be_in_set",
            "most_common",
            "a",
            {"ties_okay": "null", "value_set": '["x"]'},
        ),
        (
            V + "not_be_outliers",
            "outliers",
            "a",
            {"method": '"std"', "mostly": "0.9", "multiplier": "3.0"},
            NEW,
        ),
    ),
    *figures(
        "row_count",
        ("expect_table_row_count_to_be_between", "row_count", None, {**ENDS, "max_value": "2"}),
        ("expect_table_row_count_to_equal", "row_count", None, {"value": "10"}),
        (
            "expect_table_row_count_to_equal_other_table",
            "row_count_of_tables",
            None,
            {"other_table_name": '"t"'},
        ),
    ),
    *figures(
        "columns",
        ("expect_column_to_exist", "exists", "a", {}),
        ("expect_column_to_exist", "exists", "a", {"column_index": "0"}),
        (
            "expect_table_column_count_to_be_between",
            "column_count",
            None,
            {"max_value": "5", "min_value": "1"},
        ),
        ("expect_table_column_count_to_equal", "column_count", None, {"value": "5"}),
        (
            "expect_table_columns_to_match_ordered_list",
            "column_order",
            None,
            {"column_list": '["b", "a"]'},
        ),
        (
            "expect_table_columns_to_match_set",
            "column_set",
            None,
            {"column_set": '["b", "a"]', "exact_match": "false"},
        ),
    ),
    *figures(
        "column_type",
        (V + "be_of_type", "type", "a", {"mostly": "0.5", "type_": '"int"'}),
        (V + "be_in_type_list", "type", "a", {"mostly": "1", "type_list": '["int", "INTEGER"]'}),
        (V + "be_in_type_list", "type", "a", {"type_list": "null"}),
        ("expect_column_type_to_be", "type", "a", {"type_": '"StringType"'}, NEW),
    ),
    Yes(
        "expect_column_value_z_scores_to_be_less_than",
        '{"column": "a", "double_sided": true, "mostly": 0.5, "threshold": 3}',
        "share",
        Share(
            Figure(
                "z_score",
                ("a",),
                (("double_sided", True), ("threshold", 3), ("undefined", "bad")),
            ),
            Decimal("0.5"),
        ),
        versions=OLD,
    ),
    Yes(
        "expect_column_max_to_be_between",
        '{"column": "a", "max_value": "2020-01-01"}',
        "figure",
        Figure("max", ("a",), (("max_value", MIDNIGHT),)),
        versions=NEW,
    ),
    Yes(
        "expect_column_min_to_be_between",
        '{"column": "a", "output_strftime_format": "%Y"}',
        "figure",
        Figure("min", ("a",)),
        versions=OLD,
    ),
    Yes(
        "expect_column_max_to_be_between",
        '{"column": "a", "output_strftime_format": "%Y"}',
        "figure",
        Figure("max", ("a",)),
        versions=OLD,
    ),
]

# `mostly` and `row_condition`, which many types share.
HALF = Decimal("0.5")
IN_SQL = SqlText("b > 1", "spark", bad=False)
ON_A = '{"column": "a", '
SHARED = [
    *(
        Yes(V + "not_be_null", f'{ON_A}"mostly": {text}}}', kind, check, versions=versions)
        for text, kind, check, versions in (
            ("1", "present", Row(Present("a")), BOTH),
            ("1.0", "present", Row(Present("a")), BOTH),
            ("1.00", "present", Row(Present("a")), BOTH),
            ("true", "present", Row(Present("a")), BOTH),
            ("0.95", "share", Share(Row(Present("a")), Decimal("0.95")), BOTH),
            ("0.950", "share", Share(Row(Present("a")), Decimal("0.950")), BOTH),
            (
                "0.9999999999999999999",
                "share",
                Share(Row(Present("a")), 1 - Decimal("1e-19")),
                BOTH,
            ),
            ("0", "share", Share(Row(Present("a")), Decimal(0)), BOTH),
            ("false", "share", Share(Row(Present("a")), Decimal(0)), BOTH),
            ('"0.5"', "share", Share(Row(Present("a")), HALF), NEW),
        )
    ),
    Yes(
        V + "be_between",
        f'{ON_A}"min_value": 1, "mostly": 0.5}}',
        "share",
        Share(Row(Range("a", 1)), HALF),
    ),
    Yes(
        V + "be_unique",
        f'{ON_A}"mostly": 0.5}}',
        "share",
        Share(Unique(("a",), "any_missing", by_engine=True), HALF),
    ),
    Yes(
        "expect_compound_columns_to_be_unique",
        '{"column_list": ["a", "b"], "mostly": 0.5}',
        "share",
        Share(Unique(("a", "b"), "all_missing", by_engine=True), HALF),
        ("a", "b"),
    ),
    Yes(
        V + "be_increasing",
        f'{ON_A}"mostly": 0.5}}',
        "share",
        Share(Ordered("a"), HALF),
    ),
    *(
        Yes(
            V + "be_null",
            f'{ON_A}"row_condition": {condition}{parser}}}',
            "absent",
            Row(Absent("a")),
            versions=versions,
            scope=scope,
        )
        for condition, parser, scope, versions in (
            ('"b > 1"', ', "condition_parser": "spark"', IN_SQL, BOTH),
            ('"b > 1"', ', "condition_parser": "pandas"', Comparison("b", ">", 1), BOTH),
            ('"b > 1"', ', "condition_parser": "python"', Comparison("b", ">", 1), OLD),
            ('"b > 1"', "", IN_SQL, NEW),
            (
                '{"type": "pass_through", "pass_through_filter": "b > 1"}',
                ', "condition_parser": "spark"',
                IN_SQL,
                NEW,
            ),
            (
                '{"type": "nullity", "column": {"name": "b"}, "is_null": true}',
                ', "condition_parser": "spark"',
                Absent("b"),
                NEW,
            ),
            ('""', "", None, OLD),
            ("null", ', "condition_parser": null', None, BOTH),
        )
    ),
]

CONVERTS = [*RECORDS, *SEVERAL, *OTHERS, *FIGURES, *SHARED]
