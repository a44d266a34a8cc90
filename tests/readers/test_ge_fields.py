"""The reader beside Great Expectations 1.24.1 itself: which rules each of them accepts."""

import contextlib
import io
import itertools
import json
import warnings
from dataclasses import dataclass

import pytest

from ruleferry.converters.readers.great_expectations.catalogue import catalogue
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.readers.json_text import parse_json
from ruleferry.converters.rule import Table, Unread

# Its own warnings, and those of what it is built on, say nothing of the reader.
pytestmark = pytest.mark.filterwarnings("ignore")

ROWS = catalogue().rows
# Fields of the models that say nothing of the check.
BESIDE = catalogue().noise
# The fields' classes of 1.24.1 by the engine that computes them.
ENGINES = {
    "PandasExecutionEngine": "pandas",
    "SparkDFExecutionEngine": "spark",
    "SqlAlchemyExecutionEngine": "sql",
}


@pytest.fixture(scope="module")
def models():
    """Type -> the model of 1.24.1 (importing it takes some 5 s)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import great_expectations.expectations  # noqa: F401
        from great_expectations.expectations import registry

        names = registry.list_registered_expectation_implementations()
        return {name: registry.get_expectation_impl(name) for name in names}


def test_every_type_of_1_24_has_a_row(models):
    assert set(models) <= set(ROWS)
    old = set(ROWS) - set(models)
    assert old == {
        "expect_column_bootstrapped_ks_test_p_value_to_be_greater_than",
        "expect_column_chisquare_test_p_value_to_be_greater_than",
        "expect_column_parameterized_distribution_ks_test_p_value_to_be_greater_than",
        "expect_column_pair_cramers_phi_value_to_be_less_than",
        "expect_multicolumn_values_to_be_unique",
    }


def test_every_field_of_a_model_is_an_argument_of_its_row_and_none_beside(models):
    for name, model in models.items():
        known = catalogue().arguments(ROWS[name], "1.x")
        assert known == model.__fields__.keys() - BESIDE, name


def test_what_a_model_requires_is_required(models):
    for name, model in models.items():
        wanted = {field.name for field in model.__fields__.values() if field.required}
        row = ROWS[name]
        lenient = {n for n, without in row.open_without.items() if without == "default"}
        assert wanted == {*row.columns, *row.required} - lenient, name


def test_an_engine_of_a_row_is_one_that_computes_it(models):
    from great_expectations.expectations.registry import _registered_metrics as metrics

    for name, model in models.items():
        metric = getattr(model, "map_metric", None)
        if metric is None or ROWS[name].check == "Columns":
            continue
        # Engines of a single database, which other tests may bring in, are kinds of SQL engine.
        providers = metrics[f"{metric}.condition"]["providers"].keys() & ENGINES.keys()
        assert set(ROWS[name].engines) == {ENGINES[p] for p in providers}, name


# Accepted or refused ------------------------------------------------------------------------------

VALID = {
    "column": '"a"', "column_A": '"a"', "column_B": '"b"', "column_list": '["a", "b"]',
    "value_set": "[1]", "value": "1", "regex": '"a"', "regex_list": '["a"]',
    "like_pattern": '"a"', "like_pattern_list": '["a"]', "strftime_format": '"%Y"',
    "json_schema": '{"type": "object"}', "type_": '"int"', "threshold": "1",
    "double_sided": "true", "value_pairs_set": "[[1, 2]]", "sum_total": "1",
    "unexpected_rows_query": '"SELECT * FROM {batch} WHERE a > 1"',
    "quantile_ranges": '{"quantiles": [0.5], "value_ranges": [[1, 2]]}',
    "other_table_name": '"t"', "base_query": '"q"', "comparison_data_source_name": '"d"',
    "comparison_query": '"q"', "min_value": "1",
}  # fmt: skip
OBJECTS = ('""', "[]", "{}", '{"a": 1}', "[[1, 2]]", '[["a", "b"]]')
VALUES = (
    *OBJECTS,
    *("null", "true", "false", "0", "1", "-1", "1.5", "95", "0.5", "1e3", "1e400", "NaN"),
    *("Infinity", "-Infinity", "9007199254740993", '"0.5"', '"1"', '" 1 "', '"1_0"', '"x"', '" "'),
    *('"2020-01-01"', '"2020-1-1"', '"2020-01-01T12:00:00"', '"2020-1-1 1:2"', '"2020-13-01"'),
    *('"2020-01-01T12:00:00Z"', '"20200101"', '"2020-W01-1"', '"20200101T120000"', '"now"'),
    *('"2020-01-01T12:00:00.1234567+0230"', '"2020-01-01x12:00"', '"nan"', '"inf"'),
    *('"true"', '"No"', '"on"', '"any"', '"all"', '"neither"', '"never"', '"iqr"', '"linear"'),
    *('"both_values_are_missing"', '"all_values_are_missing"', '"any_value_is_missing"'),
    *('["a"]', '["a", "b"]', '["a", ""]', "[1]", "[null]", "[1, 1.5]", "[[1, 2, 3]]"),
    *('[true, 1, "x", 1.5]', '{"$PARAMETER": "p"}', '[{"$PARAMETER": "p"}]'),
    *('"col(\\"a\\") > 5"', '"spark"', '"pandas"', '"python"', '"great_expectations"', '"%Q"'),
)
CONDITIONS = (
    '{"type": "nullity", "column": {"name": "a"}, "is_null": true}',
    '{"type": "comparison", "column": {"name": "a"}, "operator": "==", "parameter": 1}',
    '{"type": "and", "conditions": []}',
    '{"type": "or", "conditions": []}',
    '{"type": "pass_through", "pass_through_filter": "a > 1"}',
    '{"type": "between"}',
)
BOUNDS = ("null", "1", "5", "-1", '"5"', '"2020-01-01"', "1.5")


@dataclass(frozen=True)
class Difference:
    """A disagreement that is meant: where, and why."""

    why: str
    accepted: bool  # by Great Expectations
    arguments: frozenset[str]
    types: tuple[str, ...] = ("",)
    values: tuple[str, ...] | None = None

    def explains(self, name, argument, value, accepted):
        return (
            accepted == self.accepted
            and (argument in self.arguments or "*" in self.arguments)
            and any(part in name for part in self.types)
            and (self.values is None or value in self.values)
        )


def _of(arguments):
    return frozenset(arguments.split())


DIFFERENCES = [
    Difference(
        "an object may be a parameter to the model, and so may what `dict` makes one; it is "
        "refused when it runs",
        True,
        _of("*"),
        values=OBJECTS,
    ),
    Difference(
        "a number, and an empty text, is a condition to the model; no engine reads it",
        True,
        _of("row_condition"),
        values=(
            *('""', "true", "false", "0", "1", "-1", "1.5", "95", "0.5", "1e3", "1e400"),
            *("NaN", "Infinity", "-Infinity", "9007199254740993"),
        ),
    ),
    Difference(
        "a number as a column's name: refused rather than guessed",
        True,
        _of("column_list"),
        ("compound_columns", "select_column_values"),
        ("[1]", "[1, 1.5]", '[true, 1, "x", 1.5]'),
    ),
    Difference(
        "an empty name of a column: no engine has such a column",
        True,
        _of("column_list"),
        ("compound_columns", "select_column_values", "multicolumn"),
        ('["a", ""]',),
    ),
    Difference(
        "any text is taken by this model alone; an unknown word is refused when it runs",
        True,
        _of("ignore_row_if"),
        ("select_column_values",),
    ),
    Difference(
        "the argument is read when a validation dataset is made of the rule",
        False,
        _of("quantile_ranges allow_relative_error method multiplier"),
    ),
    Difference(
        "the argument is read when the schema is compared",
        False,
        _of("type_list column_set column_list"),
        ("type_list", "table_columns"),
    ),
    Difference(
        "a fraction as text, for a count that is compared as a number",
        False,
        _of("min_value max_value"),
        ("unique_value_count",),
        ('"0.5"',),
    ),
    Difference(
        "a moment as a number of rows",
        True,
        _of("min_value max_value"),
        ("table_row_count",),
    ),
    Difference(
        "min over max: seen when a validation dataset is made of the rule",
        False,
        _of("min_value max_value"),
        ("table_row_count",),
    ),
    Difference(
        "a format that strptime does not know is a gap of its own",
        False,
        _of("strftime_format"),
        values=('"%Q"',),
    ),
    Difference(
        "a set without values is seen when a validation dataset is made of the rule",
        False,
        _of("value_set"),
        ("distinct_values_to_be_in_set",),
        ("[]", "{}", '""'),
    ),
]


def attempts(models):
    """(type, the argument that varies, its text, all arguments as text)."""
    for name, model in models.items():
        fields = model.__fields__
        needed = [f for f in fields if fields[f].required or f == "min_value"]
        own = [f for f in fields if f not in BESIDE]
        for argument in (*own, "never_heard", "mostly", "row_condition", "strict_min", "value_set"):
            for value in (None, *VALUES, *(CONDITIONS if argument == "row_condition" else ())):
                given = {f: VALID[f] for f in needed} | {argument: value}
                yield name, argument, value, given
        if "max_value" in fields:
            for low, high in itertools.product(BOUNDS, BOUNDS):
                given = {f: VALID[f] for f in needed} | {"min_value": low, "max_value": high}
                yield name, "max_value", high, given


def accepts(model, kwargs: str) -> bool:
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            model(**json.loads(kwargs))
        except Exception:  # noqa: BLE001 (whatever it is, the rule is refused)
            return False
    return True


def reads(name, kwargs: str) -> bool | None:
    """Whether the reader takes the rule for one that ran; None where a gap leaves that open."""
    element = parse_json(f'{{"type": "{name}", "kwargs": {kwargs}}}')
    check = read_expectation(element, 0, Context("s.json", Table("t"), None)).check
    if not isinstance(check, Unread):
        return True
    return False if check.code == "invalid_rule" else None


@pytest.fixture(scope="module")
def disagreements(models):
    """All attempts that only one of the two accepts, and how many attempts there were."""
    found, number = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, argument, value, given in attempts(models):
            inner = ", ".join(f'"{f}": {v}' for f, v in given.items() if v is not None)
            accepted, read = accepts(models[name], f"{{{inner}}}"), reads(name, f"{{{inner}}}")
            number += 1
            if read is not None and read != accepted:
                found.append((name, argument, value, accepted))
    return found, number


def test_the_reader_accepts_what_great_expectations_accepts(disagreements):
    found, number = disagreements
    unexplained = [f for f in found if not any(d.explains(*f) for d in DIFFERENCES)]
    assert unexplained == []
    assert number > 10_000


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda d: d.why[:50])
def test_every_difference_is_one(disagreements, difference):
    assert any(difference.explains(*found) for found in disagreements[0])


# Accepted when it is written, and refused when it runs --------------------------------------------


@pytest.fixture(scope="module")
def runs(models):
    """Runs one rule on a small frame: None where it raised."""
    import great_expectations
    import pandas

    frame = pandas.DataFrame({"a": [1, 2, None], "b": [1, 3, None], "s": ["x", "yy", None]})
    context = great_expectations.get_context(mode="ephemeral")
    asset = context.data_sources.add_pandas("p").add_dataframe_asset("x")
    batch = asset.add_batch_definition_whole_dataframe("w").get_batch({"dataframe": frame})

    def run(name, **kwargs):
        result = batch.validate(models[name](**kwargs))
        return (result.success, result.result) if result.result else None

    return run


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        ("expect_column_values_to_not_be_null", {"column": "a", "row_condition": ""}),
        ("expect_column_values_to_not_be_null", {"column": "a", "row_condition": 1.5}),
        ("expect_column_values_to_not_be_null", {"column": "a", "mostly": {}}),
        ("expect_column_values_to_not_be_null", {"column": "a", "mostly": ""}),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": {"a": 1}}),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": 5, "max_value": 1}),
        ("expect_column_values_to_match_regex", {"column": "s", "regex": {}}),
        (
            "expect_column_pair_values_to_be_equal",
            {"column_A": "a", "column_B": "b", "ignore_row_if": ""},
        ),
        (
            "expect_select_column_values_to_be_unique_within_record",
            {"column_list": ["a", "b"], "ignore_row_if": "neither"},
        ),
    ],
)
def test_what_the_reader_refuses_never_gave_a_verdict(runs, name, kwargs):
    assert runs(name, **kwargs) is None
    if kwargs.get("max_value") != 1:  # min over max is a gap that expresses why
        assert reads(name, json.dumps(kwargs)) is False


@pytest.mark.parametrize(
    ("name", "kwargs", "unexpected"),
    [
        # The fraction of a length is cut off: 1, not 1.5.
        ("expect_column_value_lengths_to_be_between", {"column": "s", "min_value": 1.5}, 0),
        ("expect_column_value_lengths_to_equal", {"column": "s", "value": 1.5}, 2),
        ("expect_column_values_to_match_regex", {"column": "s", "regex": 5}, 2),
        ("expect_column_values_to_match_regex", {"column": "s"}, 0),
        ("expect_column_values_to_not_be_null", {"column": "a", "mostly": True}, 1),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": float("nan")}, 2),
        ("expect_column_values_to_be_in_set", {"column": "s", "value_set": [["x"]]}, 2),
        ("expect_column_values_to_not_be_null", {"column": "a", "windows": []}, 1),
    ],
)
def test_what_is_read_or_left_open_did_give_one(runs, name, kwargs, unexpected):
    _, result = runs(name, **kwargs)
    assert result["unexpected_count"] == unexpected
    assert reads(name, json.dumps(kwargs)) is not False
