"""What 0.12 and older (v2), 0.13 to 0.18 (v3) and 1.x make of the same expectation."""

import json

import pytest
from ge_generations import (
    CAPITAL,
    GREATER,
    MEANT,
    NEVER,
    NEW,
    ONCE,
    PARSED,
    SUM,
    V2,
    V3,
    VERSIONS,
    WITHIN,
    L,
    P,
    V,
)

from ruleferry.converters.mappings import caveats
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.readers.json_text import parse_json
from ruleferry.converters.rule import Row, Table, Unread


def arguments(name, more):
    if name in (WITHIN, ONCE, SUM, "expect_multicolumn_values_to_be_equal"):
        columns = '"column_list": ["a", "b", "c"]'
    elif name.startswith(P):
        columns = '"column_A": "a", "column_B": "b"'
    else:
        columns = '"column": "a"'
    return f"{{{columns}{', ' if more else ''}{more}}}"


def read(name, more, generation, engine, version=None):
    key = "type" if generation == NEW else "expectation_type"
    element = parse_json(f'{{"{key}": "{name}", "kwargs": {arguments(name, more)}}}')
    engine = None if engine == "-" else engine
    return read_expectation(element, 0, Context("s.json", Table("t"), engine, version=version))


def each(cases):
    return [
        pytest.param(case, engine, id=f"{case.type} {case.generation} {engine} {case.more}")
        for case in cases
        for engine in case.engines.split()
    ]


@pytest.mark.parametrize(("case", "engine"), each(MEANT))
def test_means(case, engine):
    version = VERSIONS[case.generation]
    rule = read(case.type, case.more, case.generation, engine, version)
    assert repr(rule.check) == repr(Row(case.predicate))
    database = {"old_on_database"} if engine == "sql" else set()
    assert {caveat.code for caveat in rule.caveats} - database == set(case.codes)
    assert all(caveat.code in caveats() for caveat in rule.caveats)


@pytest.mark.parametrize(("case", "engine"), each(NEVER))
def test_never_ran(case, engine):
    version = VERSIONS[case.generation]
    check = read(case.type, case.more, case.generation, engine, version).check
    assert isinstance(check, Unread), check
    assert (check.code, case.reason in check.reason) == (case.code, True), check


@pytest.mark.parametrize(
    ("name", "more", "engines"),
    [
        (GREATER, "", "spark -"),
        (GREATER, PARSED, "pandas spark -"),
        (WITHIN, "", "spark -"),
        (SUM, '"sum_total": 6', "pandas -"),
        (V + "be_between", f'"min_value": "2020-01-01", {PARSED}', "pandas spark -"),
        (V + "be_in_set", f'"value_set": ["2020-01-01"], {PARSED}', "pandas spark -"),
    ],
)
def test_where_the_version_decides_and_none_is_stated_the_meaning_is_assumed(name, more, engines):
    for engine in engines.split():
        codes = [caveat.code for caveat in read(name, more, V3, engine).caveats]
        assert "version_unknown" in codes, engine
        stated = read(name, more, V3, engine, VERSIONS[V3]).caveats
        assert "version_unknown" not in [caveat.code for caveat in stated]


@pytest.mark.parametrize(
    ("name", "more", "engine"),
    [
        (V + "be_between", '"min_value": 1', "spark"),
        (V + "be_in_set", '"value_set": [1]', "spark"),
        (L + "be_between", '"min_value": 1', "pandas"),
        (P + "to_be_equal", "", "spark"),
        (GREATER, "", "pandas"),
        (WITHIN, "", "pandas"),
        (SUM, '"sum_total": 6', "spark"),
    ],
)
def test_where_every_version_means_the_same_none_is_asked_for(name, more, engine):
    assert read(name, more, V3, engine).caveats == ()


def test_a_version_of_1_x_before_1_24_chains_patterns_and_none_since():
    more = '"regex_list": ["a", "b"], "match_on": "all"'
    chained = {
        version: read(V + "match_regex_list", more, NEW, "spark", version).check.predicate.chained
        for version in ((1, 0), (1, 23), (1, 24), (1, 30), None)
    }
    assert [version for version, is_chained in chained.items() if is_chained] == [(1, 0), (1, 23)]


def test_the_name_that_only_the_dataset_api_has_tells_the_generation():
    assert (
        read(CAPITAL, "", V3, "spark", VERSIONS[V3]).check
        == read(CAPITAL, "", V2, "spark", (0, 12)).check
    )


REGEX = V + "match_regex"


@pytest.mark.parametrize(
    ("regex", "told"),
    [
        ("^[[:alpha:]]+$", "takes [:alpha:] for a class of characters"),
        ("^[[:^digit:]]$", "takes [:^digit:] for a class of characters"),
        ("x{,3}y", "takes {,3} for these very characters"),
        ("(?i)mixed", "does not take ı and İ for an i"),
        ("a(?i:[a-z])", "does not take ı and İ for an i"),
        ("(?i)abc", None),
        ("(?i:abc)", None),
        ("(?s)i", None),
        ("[A-Za-z]i{1,3}", None),
    ],
)
def test_a_pattern_that_pandas_reads_otherwise_since_version_3(regex, told):
    def details(generation, engine, name=REGEX, **kwargs):
        kwargs = json.dumps(kwargs or {"regex": regex})[1:-1]
        rule = read(name, kwargs, generation, engine, VERSIONS[generation])
        return [c.detail for c in rule.caveats if c.code == "pattern_of_pandas"]

    for found in (
        details(NEW, "pandas"),
        details(NEW, "pandas", V + "not_match_regex_list", regex_list=["x", regex]),
    ):
        assert len(found) == bool(told)
        assert all(f"in {regex} pandas 3 {told}" in detail for detail in found)
    assert not details(NEW, "spark") + details(V3, "pandas") + details(NEW, "sqlite")


@pytest.mark.parametrize(
    ("more", "version", "refused"),
    [
        ('"min_value": "2020-01-01", "max_value": "2020-02-01T12:00:00"', (1, 24), True),
        ('"min_value": "2020-01-01T00:00:00", "max_value": "2020-02-01"', (1, 24), True),
        ('"min_value": "2020-01-01", "max_value": "2020-02-01T12:00:00"', (1, 23), False),
        ('"min_value": "2020-01-01", "max_value": "2020-02-01T12:00:00"', None, False),
        ('"min_value": "2020-01-01", "max_value": "2020-02-01"', (1, 24), False),
        ('"min_value": "2020-01-01T00:00:00", "max_value": "2020-02-01T12:00:00"', (1, 24), False),
        ('"max_value": "2020-02-01T12:00:00"', (1, 24), False),
    ],
)
def test_1_24_compares_no_day_with_a_time(more, version, refused):
    check = read(V + "be_between", more, NEW, "spark", version).check
    assert (getattr(check, "code", None) == "invalid_rule") == refused, check
