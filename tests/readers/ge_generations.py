"""What only one generation of 0.x makes of an expectation, by the engine that ran it."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from ruleferry.converters.predicates import (
    Compare,
    DistinctWithin,
    Length,
    Matches,
    OneOf,
    PairIn,
    Predicate,
    Range,
    SumIs,
)

V, L, P = (
    "expect_column_values_to_",
    "expect_column_value_lengths_to_",
    "expect_column_pair_values_",
)
WITHIN = "expect_select_column_values_to_be_unique_within_record"
ONCE = "expect_multicolumn_values_to_be_unique"
SUM = "expect_multicolumn_sum_to_equal"
GREATER, CAPITAL = P + "a_to_be_greater_than_b", P + "A_to_be_greater_than_B"
PARSED = '"parse_strings_as_datetimes": true'
V2, V3, NEW = "v2", "v3", "1.x"
VERSIONS = {V2: (0, 12), V3: (0, 18), NEW: (1, 23)}


@dataclass(frozen=True)
class Meant:
    """`engine`: those that ran it, "-" for one that nothing tells."""

    type: str
    more: str
    generation: str
    engines: str
    predicate: Predicate
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Never:
    type: str
    more: str
    generation: str
    engines: str
    code: str
    reason: str


DAY, NOON = date(2020, 1, 1), datetime(2020, 1, 1, 12)  # noqa: DTZ001
BOUNDS = '"min_value": "2020-01-01", "max_value": "2020-1-1 12:00"'
ABC = ("a", "b", "c")

NUMERIC_TEXTS = (
    (L + "be_between", '"min_value": "2"', Length("a", 2)),
    (L + "equal", '"value": "3"', Length("a", 3, 3)),
)

MEANT = [
    # A text that is no number: bad, good, refused.
    Meant(V + "be_between", '"min_value": 1', V2, "spark -", Range("a", 1, unknown="bad")),
    Meant(V + "be_between", '"min_value": 1', V3, "spark -", Range("a", 1, unknown="good")),
    Meant(V + "be_between", '"min_value": 1', V2, "pandas sql", Range("a", 1)),
    Meant(V + "be_between", '"min_value": 1', NEW, "spark -", Range("a", 1)),
    Meant(V + "be_between", '"min_value": true', V3, "pandas", Range("a", 1)),
    *(
        Meant(V + "be_between", f"{BOUNDS}, {PARSED}", generation, engines, predicate)
        for generation, engines, predicate in (
            (V2, "pandas", Range("a", DAY, NOON, as_times=True)),
            (V2, "spark -", Range("a", DAY, NOON, as_times=True, unknown="bad")),
            (V3, "spark -", Range("a", DAY, NOON, as_times=True, unknown="good")),
        )
    ),
    Meant(
        V + "be_between",
        f'"min_value": "2020-01-01", {PARSED}',
        V2,
        "-",
        Range("a", DAY, as_times=True, unknown="bad"),
    ),
    Meant(
        V + "be_between",
        f'"min_value": 5, {PARSED}',
        V3,
        "pandas",
        Range("a", 5, as_times=True),
    ),
    Meant(
        V + "be_between",
        '"min_value": 1, "allow_cross_type_comparisons": true',
        V2,
        "pandas",
        Range("a", 1),
    ),
    # A list and a column of other types, a null, times.
    Meant(
        V + "be_in_set",
        '"value_set": ["1", 2, 1.0, 1.5]',
        V3,
        "spark -",
        OneOf("a", ("1", 2, Decimal("1.0"), Decimal("1.5")), as_written=True),
    ),
    Meant(V + "be_in_set", '"value_set": [1.0]', V2, "pandas", OneOf("a", (Decimal("1.0"),))),
    Meant(V + "be_in_set", '"value_set": [1.0]', NEW, "spark", OneOf("a", (1,))),
    Meant(
        V + "be_in_set",
        '"value_set": ["x", null]',
        V2,
        "-",
        OneOf("a", ("x",), as_written=True),
        ("null_in_set",),
    ),
    Meant(
        V + "be_in_set",
        f'"value_set": ["2020-01-01"], {PARSED}',
        V2,
        "pandas",
        OneOf("a", ("2020-01-01",), as_times=True),
    ),
    Meant(
        V + "not_be_in_set",
        f'"value_set": ["2020-01-01"], {PARSED}',
        V3,
        "pandas sql",
        OneOf("a", ("2020-01-01",), negated=True),
        ("argument_ignored",),
    ),
    # Patterns that must all match.
    *(
        Meant(
            V + "match_regex_list",
            '"regex_list": ["a", "b"], "match_on": "all"',
            generation,
            engine,
            Matches("a", ("a", "b"), each=True, chained=True),
            ("patterns_chained",) if engine == "spark" else (),
        )
        for generation in (V2, V3, NEW)
        for engine in ("pandas", "spark", "-")
    ),
    # A flag, a name or a reference reaches on into the patterns that Spark was given with it.
    *(
        Meant(
            f"{V}{negated}match_regex_list",
            f'"regex_list": {patterns}',
            generation,
            engine,
            Matches(
                "a",
                tuple(json.loads(patterns)),
                negated=bool(negated),
                branched=engine != "pandas" and not (negated and generation != V2),
            ),
        )
        for patterns in ('["(?i)a", "b"]', '["(a)\\\\1", "(b)\\\\1"]', '["(?<n>a)", "b"]')
        for negated in ("", "not_")
        for generation in (V2, V3, NEW)
        for engine in ("pandas", "spark", "-")
    ),
    Meant(
        V + "match_regex_list",
        '"regex_list": ["(?:a)", "b$"]',
        V3,
        "spark",
        Matches("a", ("(?:a)", "b$")),
    ),
    Meant(
        V + "match_regex_list",
        '"regex_list": ["a"], "match_on": "all"',
        V3,
        "spark",
        Matches("a", ("a",), each=True),
    ),
    # A bound that is itself refused, on pandas alone.
    Meant(
        L + "be_between",
        '"max_value": 3, "strict_max": true',
        V3,
        "pandas",
        Length("a", None, 3, high_open=True),
    ),
    Meant(
        L + "be_between",
        '"min_value": 1, "max_value": 3, "strict_min": true, "strict_max": true',
        V3,
        "spark",
        Length("a", 1, 3),
        ("argument_ignored",),
    ),
    Meant(
        L + "be_between",
        '"min_value": 1, "strict_min": true',
        V3,
        "-",
        Length("a", 1),
        ("engine_unknown",),
    ),
    Meant(L + "be_between", '"min_value": 1.5', V2, "spark", Length("a", Decimal("1.5"))),
    # One value of the pair is missing.
    Meant(P + "to_be_equal", "", V3, "pandas spark -", Compare("a", "=", "b")),
    Meant(P + "to_be_equal", "", V2, "spark", Compare("a", "=", "b", unknown="bad")),
    Meant(
        P + "to_be_equal",
        '"ignore_row_if": "never"',
        V2,
        "pandas -",
        Compare("a", "=", "b", "never", unknown="bad"),
        ("pandas_nullable",),
    ),
    # Only the Dataset API has this word and this name, and it lived on.
    Meant(
        P + "to_be_equal",
        '"ignore_row_if": "never"',
        V3,
        "pandas",
        Compare("a", "=", "b", "never", unknown="bad"),
        ("pandas_nullable",),
    ),
    *(
        Meant(
            CAPITAL, '"or_equal": true', generation, "spark", Compare("a", ">=", "b", unknown="bad")
        )
        for generation in (V2, V3)
    ),
    Meant(GREATER, "", V3, "spark pandas -", Compare("a", ">", "b")),
    Meant(
        CAPITAL,
        PARSED,
        V2,
        "pandas spark",
        Compare("a", ">", "b", unknown="bad", read_as="text"),
    ),
    Meant(GREATER, PARSED, V3, "pandas", Compare("a", ">", "b", unknown="bad", read_as="time")),
    Meant(GREATER, PARSED, V3, "spark", Compare("a", ">", "b", unknown="good", read_as="day")),
    Meant(
        GREATER,
        PARSED,
        V3,
        "-",
        Compare("a", ">", "b", unknown="good", read_as="day"),
        ("engine_unknown",),
    ),
    Meant(
        P + "to_be_in_set",
        '"value_pairs_set": [[1, 2]], "ignore_row_if": "never"',
        V2,
        "pandas",
        PairIn("a", "b", ((1, 2),), "never"),
    ),
    Meant(
        P + "to_be_in_set",
        '"value_pairs_set": [[1, 2]], "ignore_row_if": "never"',
        V2,
        "-",
        PairIn("a", "b", ((1, 2),), "never", as_written=True),
    ),
    # A text for a number: Spark alone makes a number of it.
    *(
        Meant(name, more, generation, "spark", predicate)
        for generation in (V2, V3)
        for name, more, predicate in NUMERIC_TEXTS
        if (generation, name) != (V3, L + "equal")
    ),
    Meant(
        *(L + "equal", '"value": "3"', V2, "-"),
        *(Length("a", 3, 3), ("engine_unknown",)),
    ),
    # Several columns.
    Meant(WITHIN, "", V2, "spark pandas -", DistinctWithin(ABC, neighbours=True)),
    Meant(WITHIN, "", V3, "spark", DistinctWithin(ABC)),
    Meant(
        ONCE,
        '"ignore_row_if": "never"',
        V2,
        "spark pandas -",
        DistinctWithin(ABC, "never", neighbours=True),
    ),
    Meant(SUM, '"sum_total": 6', V2, "pandas", SumIs(ABC, 6, missing="zero")),
    Meant(SUM, '"sum_total": 6', V2, "spark -", SumIs(ABC, 6, missing="zero", wraps=True)),
    Meant(SUM, '"sum_total": 6', V3, "spark -", SumIs(ABC, 6, wraps=True)),
    Meant(SUM, '"sum_total": 6', V3, "pandas", SumIs(ABC, 6)),
]

INVALID = "invalid_rule"
NEVER = [
    Never(V + "not_be_null", '"xyz": 1', V2, "pandas spark -", INVALID, "knows no argument xyz"),
    Never(
        L + "be_between",
        '"min_value": 1, "strict_min": true',
        V2,
        "pandas spark",
        INVALID,
        "knows no argument strict_min here",
    ),
    Never(V + "be_between", '"min_value": true', V3, "spark", INVALID, "with a truth value"),
    Never(
        V + "be_between",
        '"min_value": false, "max_value": 5',
        V2,
        "spark",
        INVALID,
        "with a truth value",
    ),
    Never(
        V + "be_between",
        f'"min_value": 5, {PARSED}',
        V2,
        "pandas spark -",
        INVALID,
        "reads only texts as bounds",
    ),
    Never(
        V + "be_between",
        f'"min_value": "2020-01-01", {PARSED}',
        V2,
        "spark",
        INVALID,
        "on Spark parse_strings_as_datetimes needs both bounds",
    ),
    Never(
        V + "be_between",
        '"min_value": 1, "allow_cross_type_comparisons": true',
        V2,
        "spark",
        INVALID,
        "refuses allow_cross_type_comparisons here",
    ),
    Never(
        V + "be_between",
        '"min_value": 1, "allow_cross_type_comparisons": true',
        V3,
        "pandas",
        INVALID,
        "refuses allow_cross_type_comparisons here",
    ),
    Never(
        V + "be_in_set",
        '"value_set": [1, null]',
        V2,
        "spark",
        INVALID,
        "refuses a null in the list",
    ),
    *(
        Never(name, more, generation, "pandas sqlite", "no_equivalent", "found the text")
        for generation in (V2, V3)
        for name, more in (
            *((name, more) for name, more, _ in NUMERIC_TEXTS),
            (SUM, '"sum_total": "6"'),
        )
    ),
    Never(L + "equal", '"value": "3"', V3, "spark -", INVALID, "so it never ran"),
    Never(L + "be_between", "", V2, "spark", "never_fails", "and lets every value pass"),
    Never(L + "be_between", "", V2, "pandas -", INVALID, "it has neither"),
    Never(L + "be_between", "", V3, "spark pandas", INVALID, "it has neither"),
    Never(
        *(V + "be_between", f'"min_value": 0, {PARSED}', V2, "pandas -"),
        *("no_equivalent", "pandas skips a 0"),
    ),
    Never(V + "be_between", f'"min_value": 0, {PARSED}', V2, "spark", INVALID, "never ran"),
    Never(V + "be_between", f'"min_value": 1, {PARSED}', V2, "pandas", INVALID, "never ran"),
    Never(
        *(V + "be_in_set", f'"value_set": [1, "2020-01-01"], {PARSED}', V2, "pandas -"),
        *("no_equivalent", "reads only the texts of the list"),
    ),
    Never(
        V + "be_in_set",
        f'"value_set": [1], {PARSED}',
        V2,
        "spark",
        INVALID,
        "a list of texts was expected",
    ),
    Never(
        V + "be_in_set",
        f'"value_set": ["now"], {PARSED}',
        V2,
        "pandas",
        "no_equivalent",
        '"now" is read as a date by',
    ),
    Never(
        V + "not_be_in_set",
        f'"value_set": ["2020-01-01"], {PARSED}',
        V2,
        "spark",
        INVALID,
        "refuses parse_strings_as_datetimes here",
    ),
    Never(
        V + "match_regex_list",
        '"regex_list": ["a"], "match_on": null',
        V2,
        "pandas spark",
        INVALID,
        '"any" or "all" was expected',
    ),
    Never(
        P + "to_be_equal",
        '"ignore_row_if": "never"',
        V2,
        "spark",
        INVALID,
        "ignore_row_if: never raises",
    ),
    Never(
        P + "to_be_in_set",
        '"value_pairs_set": [[1, 2]], "ignore_row_if": "never"',
        V2,
        "spark",
        INVALID,
        "ignore_row_if: never raises",
    ),
    Never(
        CAPITAL,
        f'"ignore_row_if": "never", {PARSED}',
        V2,
        "spark",
        INVALID,
        "ignore_row_if: never raises",
    ),
    Never(
        P + "to_be_equal",
        '"ignore_row_if": "neither"',
        V2,
        "pandas spark -",
        INVALID,
        "either_value_is_missing, never was expected",
    ),
    Never(
        CAPITAL,
        '"allow_cross_type_comparisons": true',
        V2,
        "pandas spark -",
        INVALID,
        "refuses allow_cross_type_comparisons here",
    ),
    Never(
        GREATER, PARSED, V3, "sql", INVALID, "on a database parse_strings_as_datetimes is refused"
    ),
    Never(ONCE, "", V3, "pandas spark -", "unclear", "up to 0.12 this name meant"),
    Never("expect_multicolumn_values_to_be_equal", "", V2, "pandas", INVALID, "up to 0.12 has no"),
    Never(
        "expect_column_value_z_scores_to_be_less_than",
        '"threshold": 3, "double_sided": true',
        V2,
        "spark",
        INVALID,
        "up to 0.12 has no",
    ),
]
