"""Expectations that must not become a condition: type, arguments, code and a part of the reason."""

from dataclasses import dataclass

from ge_converts import BOTH, NEW, OLD, ON_A, L, P, V


@dataclass(frozen=True)
class No:
    """`reason`: a part of the sentence."""

    type: str
    kwargs: str
    code: str
    reason: str
    versions: tuple[str, ...] = BOTH


INVALID, LEFT, OPEN = "invalid_rule", "no_equivalent", "never_fails"
BETWEEN, SET, REGEX = V + "be_between", V + "be_in_set", V + "match_regex"
PRESENT, EQUAL = V + "not_be_null", P + "to_be_equal"
WITHIN = "expect_select_column_values_to_be_unique_within_record"
QUERY = "unexpected_rows_expectation"


def no(name, code, reason, *kwargs, versions=BOTH):
    """One row an argument text; `a` stands for the column that all of them name."""
    return [No(name, text, code, reason, versions) for text in kwargs]


def without_column():
    for name in (PRESENT, BETWEEN, "expect_column_mean_to_be_between", V + "be_unique"):
        expected = "column: a column was expected, found "
        yield from no(name, INVALID, expected, "{}", '{"column": null}', '{"column": 5}')
        yield from no(name, INVALID, expected, '{"column": ""}', '{"column": ["a"]}')
    yield from no(
        EQUAL, INVALID, "column_B: a column was expected, found null", '{"column_A": "a"}'
    )
    yield from no(EQUAL, INVALID, "column_A: a column was expected", '{"column_B": "b"}')
    for name in (WITHIN, "expect_compound_columns_to_be_unique"):
        expected = "column_list: a column was expected, found "
        yield from no(name, INVALID, expected, "{}", '{"column_list": []}')
        yield from no(name, INVALID, expected, '{"column_list": ["a", 5]}', '{"column_list": null}')
        two = "column_list: two columns or more were expected, found one"
        yield from no(name, INVALID, two, '{"column_list": ["a"]}', '{"column_list": "ab"}')


def of_bounds():
    number = "a number was expected, found "
    yield from no(
        BETWEEN,
        INVALID,
        number,
        *(f'{ON_A}"min_value": {text}}}' for text in ("[]", "{}", '{"a": 1}', "[1]")),
    )
    yield from no(
        BETWEEN,
        INVALID,
        number,
        *(f'{ON_A}"min_value": {text}}}' for text in ('""', '"abc"', '"now"', '"2020-W01-1"')),
        *(f'{ON_A}"max_value": "2020-{text}"}}' for text in ("01", "01-01x", "01-01T", "1-1 1")),
        f'{ON_A}"max_value": "20200101T120000"}}',
        versions=NEW,
    )
    yield from no(
        BETWEEN,
        INVALID,
        "a number or an ISO date was expected, found ",
        f'{ON_A}"min_value": "2020-13-01"}}',
        f'{ON_A}"min_value": "2020-02-30"}}',
        f'{ON_A}"min_value": "2020-01-01T25:00"}}',
        versions=NEW,
    )
    finite = "a finite number was expected, found "
    values = ("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e309", "1e-325", "1e99999999")
    yield from no(BETWEEN, LEFT, finite, *(f'{ON_A}"min_value": {text}}}' for text in values))
    yield from no(BETWEEN, LEFT, finite, f'{ON_A}"min_value": "nan"}}', versions=NEW)
    yield from no(BETWEEN, LEFT, finite + "Infinity", f'{ON_A}"max_value": Infinity}}')
    neither = "it has neither min_value nor max_value"
    for name in (BETWEEN, L + "be_between"):
        yield from no(name, INVALID, neither, '{"column": "a"}', f'{ON_A}"min_value": null}}')
        yield from no(name, INVALID, neither, f'{ON_A}"min_value": null, "max_value": null}}')
        yield from no(name, INVALID, neither, f'{ON_A}"strict_min": true}}')
    flag = "true or false was expected, found "
    flags = (f'{ON_A}"min_value": 1, "strict_max": {t}}}' for t in ("null", "2", '"maybe"', '""'))
    yield from no(BETWEEN, INVALID, flag, *flags, versions=NEW)
    flags = (f'{ON_A}"min_value": 1, "strict_max": {t}}}' for t in ("NaN", "[]", "{}", "0.5"))
    yield from no(BETWEEN, INVALID, flag, *flags, versions=NEW)
    whole = "a whole number was expected, found "
    yield from no(L + "be_between", INVALID, whole, f'{ON_A}"min_value": "1.5"}}')
    yield from no(L + "be_between", INVALID, whole, f'{ON_A}"max_value": 1.5}}', versions=OLD)
    yield from no(L + "be_between", INVALID, number, f'{ON_A}"max_value": "x"}}')
    yield from no(
        L + "equal", "never_passes", "no text has 3.5 characters", f'{ON_A}"value": 3.5}}'
    )
    yield from no(L + "equal", INVALID, "it has no value", '{"column": "a"}')
    yield from no(L + "equal", INVALID, "it has no value", f'{ON_A}"value": null}}')
    yield from no(L + "equal", INVALID, number, f'{ON_A}"value": "x"}}', f'{ON_A}"value": [3]}}')
    for measure in ("mean", "stdev", "unique_value_count"):
        name = f"expect_column_{measure}_to_be_between"
        yield from no(name, INVALID, number, f'{ON_A}"min_value": []}}')


def of_lists():
    for name in (SET, V + "not_be_in_set"):
        yield from no(
            name,
            INVALID,
            "a list of values was expected, found ",
            f'{ON_A}"value_set": "x"}}',
            f'{ON_A}"value_set": 5}}',
            f'{ON_A}"value_set": {{"x": 1}}}}',
        )
        yield from no(
            name,
            LEFT,
            "a single value was expected, found ",
            f'{ON_A}"value_set": [["x"]]}}',
            f'{ON_A}"value_set": ["x", {{"b": 1}}]}}',
        )
        yield from no(name, LEFT, "a finite number", f'{ON_A}"value_set": [1, NaN]}}')
    absent, null = missing = ('{"column": "a"}', f'{ON_A}"value_set": null}}')
    let_pass = "it has no value_set, and lets every value pass"
    for name in (SET, "expect_column_distinct_values_to_be_in_set"):
        yield from no(name, OPEN, let_pass, null, versions=OLD)
        yield from no(name, INVALID, "it has no value_set", null, versions=NEW)
        yield from no(name, INVALID, "it has no value_set", absent)
    yield from no(V + "not_be_in_set", INVALID, "it has no value_set", *missing)
    for name in ("distinct_values_to_contain_set", "distinct_values_to_equal_set"):
        yield from no(f"expect_column_{name}", INVALID, "it has no value_set", *missing)
    name = "expect_column_most_common_value_to_be_in_set"
    yield from no(name, INVALID, "it has no value_set", *missing)
    ties = f'{ON_A}"value_set": [1], "ties_okay": "x"}}'
    yield from no(name, INVALID, "true or false was expected", ties, versions=NEW)
    ends = '{"column_A": "a", "column_B": "b"'
    pairs = [f'{ends}, "value_pairs_set": {t}}}' for t in ('"x"', "[1]", '["ab"]', "[[1, 2, 3]]")]
    name = P + "to_be_in_set"
    yield from no(name, INVALID, "a list of pairs was expected, found ", *pairs)
    yield from no(name, LEFT, "a single value", f'{ends}, "value_pairs_set": [[1, [2]]]}}')
    let_pass = "it has no value_pairs_set, and lets every value pass"
    yield from no(name, OPEN, let_pass, f'{ends}, "value_pairs_set": null}}', versions=OLD)
    yield from no(name, INVALID, "it has no value_pairs_set", f"{ends}}}")


def of_texts():
    text = "a text was expected, found "
    for name, key in (
        *((REGEX, "regex"), (V + "not_match_regex", "regex")),
        *(
            (V + "match_like_pattern", "like_pattern"),
            (V + "not_match_like_pattern", "like_pattern"),
        ),
        (V + "match_strftime_format", "strftime_format"),
    ):
        yield from no(name, INVALID, text, f'{ON_A}"{key}": ["a"]}}', f'{ON_A}"{key}": {{}}}}')
        numbers = (f'{ON_A}"{key}": 5}}', f'{ON_A}"{key}": 1.5}}')
        yield from no(name, INVALID, text, *numbers, versions=OLD)
        yield from no(name, INVALID, f"it has no {key}", f'{ON_A}"{key}": null}}')
        if name != REGEX:
            yield from no(name, INVALID, f"it has no {key}", '{"column": "a"}')
    let_pass = "it has no regex, and lets every value pass"
    yield from no(REGEX, OPEN, let_pass, '{"column": "a"}')
    for name, key in (
        *((V + f"{verb}_regex_list", "regex_list") for verb in ("match", "not_match")),
        *(
            (V + f"{verb}_like_pattern_list", "like_pattern_list")
            for verb in ("match", "not_match")
        ),
    ):
        texts = "a list of texts was expected, found "
        yield from no(name, INVALID, texts, f'{ON_A}"{key}": []}}', f'{ON_A}"{key}": "a"}}')
        yield from no(name, INVALID, text, f'{ON_A}"{key}": ["a", null]}}')
        yield from no(name, INVALID, f"it has no {key}", '{"column": "a"}')
    for name, key in (
        (V + "match_regex_list", "regex_list"),
        (V + "match_like_pattern_list", "like_pattern_list"),
    ):
        words = '"any" or "all" was expected, found '
        given = f'{ON_A}"{key}": ["a"], "match_on": '
        yield from no(name, INVALID, words, f'{given}"one"}}', f"{given}5}}", f"{given}[]}}")
        yield from no(name, INVALID, words, f"{given}null}}", versions=NEW)
    given = f'{ON_A}"like_pattern": "a", "escape": '
    one = "escape: one character was expected, found "
    yield from no(
        V + "match_like_pattern", INVALID, one, f'{given}""}}', f'{given}"ab"}}', versions=NEW
    )
    yield from no(QUERY, INVALID, "it has no unexpected_rows_query", "{}")
    yield from no(QUERY, INVALID, text, '{"unexpected_rows_query": ["SELECT 1"]}')


def of_several():
    for name, key, more in (
        (
            EQUAL,
            "both_values_are_missing, either_value_is_missing, neither",
            '"all_values_are_missing"',
        ),
        (P + "a_to_be_greater_than_b", "both_values_are_missing", "5"),
    ):
        given = f'{{"column_A": "a", "column_B": "b", "ignore_row_if": {more}}}'
        yield from no(name, INVALID, f"one of {key}", given)
    given = '{"column_A": "a", "column_B": "b", "ignore_row_if": '
    yield from no(EQUAL, INVALID, "one of both_", f'{given}"never"}}', versions=NEW)
    yield from no(EQUAL, INVALID, "one of both_", f"{given}null}}")
    for name, versions in (
        (WITHIN, BOTH),
        ("expect_multicolumn_values_to_be_equal", NEW),
        ("expect_compound_columns_to_be_unique", BOTH),
    ):
        given = '{"column_list": ["a", "b"], "ignore_row_if": '
        texts = (f'{given}"neither"}}', f"{given}null}}")
        yield from no(name, INVALID, "one of all_values_are", *texts, versions=versions)
    given = '{"column_list": ["a", "b"]'
    name = "expect_multicolumn_sum_to_equal"
    yield from no(
        name, INVALID, "it has no sum_total", f"{given}}}", f'{given}, "sum_total": null}}'
    )
    yield from no(name, INVALID, "a number was expected", f'{given}, "sum_total": "x"}}')
    yield from no(name, LEFT, "a finite number", f'{given}, "sum_total": Infinity}}')
    given = '{"column_A": "a", "column_B": "b", "or_equal": '
    name = P + "a_to_be_greater_than_b"
    yield from no(name, INVALID, "true or false", f'{given}"maybe"}}', f"{given}[]}}", versions=NEW)
    given = '{"column_A": "a", "column_B": "b", "allow_cross_type_comparisons": true}'
    refused = "refuses allow_cross_type_comparisons here, so it never ran"
    yield from no(P + "A_to_be_greater_than_B", INVALID, refused, given, versions=OLD)
    for name in (V + "be_increasing", V + "be_decreasing"):
        yield from no(name, INVALID, "true or false", f'{ON_A}"strictly": "maybe"}}', versions=NEW)


def of_shares():
    from_0_to_1 = "mostly: a number from 0 to 1 was expected, found "
    for name in (PRESENT, V + "be_unique"):
        values = ("95", "1.0001", "-0.1", "1e3")
        yield from no(name, INVALID, from_0_to_1, *(f'{ON_A}"mostly": {t}}}' for t in values))
    yield from no(
        PRESENT,
        INVALID,
        "a number was expected",
        f'{ON_A}"mostly": []}}',
        f'{ON_A}"mostly": {{}}}}',
    )
    yield from no(
        PRESENT, INVALID, "a number was expected", f'{ON_A}"mostly": "most"}}', versions=NEW
    )
    yield from no(PRESENT, INVALID, "a number was expected", f'{ON_A}"mostly": null}}')
    yield from no(PRESENT, INVALID, from_0_to_1, f'{ON_A}"mostly": "0.5"}}', versions=OLD)
    yield from no(PRESENT, LEFT, "a finite number", f'{ON_A}"mostly": NaN}}')
    given = f'{ON_A}"type_": "int", "mostly": 95}}'
    yield from no(V + "be_of_type", INVALID, from_0_to_1, given)


def of_conditions():
    parser = "condition_parser: one of pandas, spark, great_expectations, "
    given = f'{ON_A}"row_condition": "b > 1", "condition_parser": '
    yield from no(PRESENT, INVALID, parser, f'{given}"python"}}', f'{given}""}}', versions=NEW)
    yield from no(PRESENT, INVALID, parser, f"{given}5}}", f"{given}[]}}", versions=NEW)
    condition = "row_condition: a condition was expected, found "
    given = f'{ON_A}"row_condition": '
    values = ('""', "5", "[]", "{}", '{"type": "x"}', '["b > 1"]')
    yield from no(PRESENT, INVALID, condition, *(f"{given}{t}}}" for t in values), versions=NEW)
    given = f'{ON_A}"row_condition": "b > 1"'
    refused = "is refused on every engine, so it never ran"
    texts = (f"{given}}}", f'{given}, "condition_parser": "x"}}')
    yield from no(PRESENT, INVALID, refused, *texts, versions=OLD)


def of_parameters():
    stated = 'min_value is the parameter "low"'
    parameter = '{"$PARAMETER": "low"}'
    yield from no(BETWEEN, "parameter", stated, f'{ON_A}"min_value": {parameter}}}')
    yield from no(BETWEEN, "parameter", stated, f'{ON_A}"max_value": 1, "min_value": {parameter}}}')
    yield from no(PRESENT, "parameter", "mostly is the parameter", f'{ON_A}"mostly": {parameter}}}')
    yield from no(SET, "parameter", "value_set is the", f'{ON_A}"value_set": {parameter}}}')
    within = f'{ON_A}"value_set": ["x", {parameter}]}}'
    yield from no(SET, "parameter", "it stands within the argument", within)
    given = f'{{"column": {parameter}}}'
    yield from no(PRESENT, "parameter", "column is the parameter", given, versions=OLD)
    yield from no(PRESENT, INVALID, "1.x takes none there", given, versions=NEW)
    yield from no(WITHIN, "parameter", "column_list is", f'{{"column_list": ["a", {parameter}]}}')
    given = f'{ON_A}"row_condition": "a > 1", "condition_parser": {parameter}}}'
    stated = "condition_parser is the parameter"
    yield from no(PRESENT, "parameter", stated, given, versions=OLD)
    yield from no(PRESENT, INVALID, stated, given, versions=NEW)
    stated = 'min_value is the parameter "low"'
    name = "expect_column_mean_to_be_between"
    yield from no(name, "parameter", stated, f'{ON_A}"min_value": {parameter}}}')
    nested = (
        f'{ON_A}"quantile_ranges": {{"quantiles": [0.5], "value_ranges": [[{parameter}, 1]]}}}}'
    )
    name = "expect_column_quantile_values_to_be_between"
    yield from no(name, "parameter", "quantile_ranges is the parameter", nested)
    windows = '"windows": [{"constraint_fn": "mean", "parameter_name": "p"}]'
    given = f'{ON_A}"min_value": 1, {windows}}}'
    yield from no(BETWEEN, LEFT, "computed anew at each run", given)


def of_arguments_unknown():
    for more, meant in (
        ('"strict_minimum": true', "strict_minimum here; strict_min may have been meant"),
        ('"xyz": 1', "Great Expectations knows no argument xyz here"),
        ('"parse_strings_as_datetimes": true', "no argument parse_strings_as_datetimes here"),
        ('"allow_cross_type_comparisons": false', "allow_cross_type_comparisons here"),
    ):
        yield from no(BETWEEN, INVALID, meant, f'{ON_A}"min_value": 1, {more}}}', versions=NEW)
    yield from no(
        BETWEEN,
        INVALID,
        "knows no argument xyz",
        f'{ON_A}"min_value": "x", "xyz": {{"$PARAMETER": "p"}}}}',
        versions=NEW,
    )
    for name in (V + "be_increasing", V + "be_decreasing"):
        given = f'{ON_A}"parse_strings_as_datetimes": true}}'
        yield from no(name, LEFT, "the way Python's dateutil does", given, versions=OLD)
    for bound in ('"now"', '"1/2/2020"', '"2020"'):
        given = f'{ON_A}"max_value": {bound}, "parse_strings_as_datetimes": true}}'
        yield from no(BETWEEN, LEFT, "dateutil alone", given, versions=OLD)
    for rest in (
        *("min_to_be_between", "max_to_be_between", "distinct_values_to_be_in_set"),
        *("distinct_values_to_contain_set", "distinct_values_to_equal_set"),
    ):
        given = f'{ON_A}"value_set": [1], "parse_strings_as_datetimes": true}}'
        name = f"expect_column_{rest}"
        yield from no(name, LEFT, "the way Python's dateutil does", given, versions=OLD)
    for name in ("expect_column_mean_to_be_between", "expect_table_row_count_to_be_between"):
        mostly = '{"column": "a", "mostly": 1}' if "mean" in name else '{"mostly": 1}'
        yield from no(name, INVALID, "no argument mostly here", mostly, versions=NEW)
    for name, own in (
        ("expect_column_to_exist", '"column": "a"'),
        ("expect_column_type_to_be", '"column": "a", "type_": "int"'),
        ("expect_table_column_count_to_equal", '"value": 5'),
        ("expect_table_column_count_to_be_between", '"min_value": 5'),
        ("expect_table_columns_to_match_ordered_list", '"column_list": ["a"]'),
        ("expect_table_columns_to_match_set", '"column_set": ["a"]'),
        (QUERY, '"unexpected_rows_query": "SELECT * FROM {batch}"'),
        (
            "expect_query_results_to_match_comparison",
            '"base_query": "q", "comparison_query": "r", "comparison_data_source_name": "d"',
        ),
    ):
        given = f'{{{own}, "row_condition": "a > 1"}}'
        yield from no(name, INVALID, "no argument row_condition here", given, versions=NEW)
    given = '{"min_value": 1, "strict_min": true}'
    name = "expect_table_column_count_to_be_between"
    yield from no(name, INVALID, "no argument strict_min here", given, versions=NEW)


def of_figures():
    for name, missing, rest in (
        ("expect_table_row_count_to_equal", "value", ""),
        ("expect_table_column_count_to_equal", "value", ""),
        ("expect_table_row_count_to_equal_other_table", "other_table_name", ""),
        ("expect_column_quantile_values_to_be_between", "quantile_ranges", '"column": "a"'),
        (
            "expect_column_value_z_scores_to_be_less_than",
            "threshold, double_sided",
            '"column": "a"',
        ),
        (
            "expect_column_value_z_scores_to_be_less_than",
            "double_sided",
            f'{ON_A[1:]}"threshold": 3',
        ),
    ):
        yield from no(name, INVALID, f"it has no {missing}", f"{{{rest}}}")
    only_new = "Great Expectations up to 0.18 has no "
    missing = "it has no type_"
    name = "expect_column_type_to_be"
    yield from no(name, INVALID, missing, '{"column": "a"}', versions=NEW)
    yield from no(name, INVALID, f"{only_new}{name}", f'{ON_A}"type_": "int"}}', versions=OLD)
    name = "expect_query_results_to_match_comparison"
    given = (
        '{"base_query": "q", "comparison_data_source_name": "d", "comparison_query": "r", '
        '"mostly": 1}'
    )
    yield from no(name, "comparison", "another data source", given, versions=NEW)
    missing = "it has no base_query, comparison_data_source_name, comparison_query"
    yield from no(name, INVALID, missing, "{}", versions=NEW)
    yield from no(name, INVALID, f"{only_new}{name}", "{}", versions=OLD)
    name = "expect_multicolumn_values_to_be_equal"
    given = '{"column_list": ["a", "b"]}'
    yield from no(name, INVALID, f"{only_new}{name}, so it never ran", given, versions=OLD)
    name = V + "be_of_type"
    yield from no(name, INVALID, "it has no type_", '{"column": "a"}', versions=NEW)
    yield from no(name, OPEN, "it has no type_, and lets", f'{ON_A}"type_": null}}', versions=OLD)
    yield from no("expect_table_row_count_to_equal", INVALID, "a whole number", '{"value": "1.5"}')
    yield from no("expect_table_row_count_to_equal", INVALID, "a number was", '{"value": "ten"}')
    yield from no("expect_column_to_exist", INVALID, "a number was", f'{ON_A}"column_index": "x"}}')
    given = '{"column_set": ["a"], "exact_match": "maybe"}'
    yield from no(
        "expect_table_columns_to_match_set", INVALID, "true or false", given, versions=NEW
    )


def of_kinds_without_equivalent():
    dateutil = V + "be_dateutil_parseable"
    yield from no(dateutil, LEFT, "Python's dateutil", '{"column": "a"}', f'{ON_A}"mostly": 0.5}}')
    schema = V + "match_json_schema"
    yield from no(schema, LEFT, "no validator for JSON schemas", f'{ON_A}"json_schema": {{}}}}')
    yield from no(schema, INVALID, "it has no json_schema", '{"column": "a"}')
    kl = (
        '"partition_object": {}, "threshold": 1, "tail_weight_holdout": 0, '
        '"internal_weight_holdout": 0, "bucketize_data": true, "min_value": 1, "max_value": 2'
    )
    for name, more in (
        ("kl_divergence_to_be_less_than", kl),
        (
            "bootstrapped_ks_test_p_value_to_be_greater_than",
            '"partition_object": {}, "p": 1, "bootstrap_samples": 1, "bootstrap_sample_size": 1',
        ),
        (
            "chisquare_test_p_value_to_be_greater_than",
            '"partition_object": {}, "p": 1, "tail_weight_holdout": 0',
        ),
        (
            "parameterized_distribution_ks_test_p_value_to_be_greater_than",
            '"distribution": "norm", "p_value": 1, "params": {}',
        ),
    ):
        statistic = "statistic" if name.startswith("kl") else "it is a statistical test on"
        yield from no(f"expect_column_{name}", LEFT, statistic, f"{ON_A}{more}}}")
    given = (
        '{"column_A": "a", "column_B": "b", "bins_A": [], "bins_B": [], '
        '"n_bins_A": 1, "n_bins_B": 1, "threshold": 0.1}'
    )
    cramers = "expect_column_pair_cramers_phi_value_to_be_less_than"
    yield from no(cramers, LEFT, "association between two columns", given)
    given = '{"column_list": ["a", "b"], "ignore_row_if": "never"}'
    yield from no("expect_multicolumn_values_to_be_unique", "unclear", "up to 0.12", given)


MUST_NOT = [
    *without_column(),
    *of_bounds(),
    *of_lists(),
    *of_texts(),
    *of_several(),
    *of_shares(),
    *of_conditions(),
    *of_parameters(),
    *of_arguments_unknown(),
    *of_figures(),
    *of_kinds_without_equivalent(),
]
