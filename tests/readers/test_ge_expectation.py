"""One expectation -> one legacy rule: what converts to what, and what must not convert, and why."""

from collections import Counter
from dataclasses import replace

import pytest
from ge_converts import CONVERTS, V
from ge_refuses import MUST_NOT

from ruleferry.converters.mappings import caveats, gaps, kind_words
from ruleferry.converters.predicates import Range, SqlText
from ruleferry.converters.readers.great_expectations.arguments import FORMS
from ruleferry.converters.readers.great_expectations.catalogue import catalogue
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.readers.great_expectations.version import GENERATIONS
from ruleferry.converters.readers.json_text import parse_json
from ruleferry.converters.rule import Caveat, LegacyRule, Origin, Row, Share, Table, Unread

ENGINES = ("pandas", "spark", "sql")
KEYS = {"0.x": "expectation_type", "1.x": "type"}
QUERY = '"unexpected_rows_query": "SELECT * FROM {batch} WHERE \\"a\\" < 0"'


def read(name, kwargs='{"column": "a"}', version="1.x", engine=None, more="") -> LegacyRule:
    text = f'{{"{KEYS[version]}": "{name}", "kwargs": {kwargs}{more}}}'
    return read_element(text, engine)


def read_element(text, engine=None) -> LegacyRule:
    context = Context("s.json", Table("t"), engine, version=(0, 18))
    return read_expectation(parse_json(text), 7, context)


# What 0.x alone means: tests/readers/test_ge_generations.py.
OF_0_X = {"unknown": None, "as_written": False, "chained": False, "wraps": False}


def plain(check):
    if not isinstance(check, Row | Share):
        return check
    if isinstance(check, Share):
        return replace(check, row=plain(check.row))
    own = {name: value for name, value in OF_0_X.items() if hasattr(check.predicate, name)}
    return replace(check, predicate=replace(check.predicate, **own))


def refused(rule: LegacyRule) -> Unread:
    assert isinstance(rule.check, Unread), rule.check
    return rule.check


def each(cases):
    return [
        pytest.param(case, version, id=f"{case.type} {version} {case.kwargs}")
        for case in cases
        for version in case.versions
    ]


@pytest.mark.parametrize(("case", "version"), each(CONVERTS))
def test_converts_to(case, version):
    rule = read(case.type, case.kwargs, version)
    # Their texts are compared: 1, 1.0 and true are equal to Python.
    assert repr(plain(rule.check)) == repr(case.check)
    assert (rule.kind, rule.columns, rule.scope) == (case.kind, case.columns, case.scope)
    assert rule.caveats == ()


@pytest.mark.parametrize(("case", "version"), each(MUST_NOT))
def test_must_not_convert(case, version):
    rule = read(case.type, case.kwargs, version)
    check = refused(rule)
    assert (check.code, case.reason in check.reason) == (case.code, True), check
    assert (check.columns, rule.kind) == (rule.columns, catalogue().row(case.type).kind)
    if case.reason.endswith("found "):
        found = check.reason.rpartition("found ")[2]
        assert found == "null" or found in case.kwargs


# Arguments that are not the rule's own ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kwargs", "details"),
    [
        (V + "not_be_null", '"xyz": 1', ["no argument xyz here"]),
        (
            V + "be_between",
            '"min_value": 1, "strict_min_value": true, "mostyl": 0.9',
            [
                "no argument mostyl here; mostly may have been meant",
                "no argument strict_min_value here; strict_min may have been meant",
            ],
        ),
        (V + "match_like_pattern", '"like_pattern": "a", "escape": "!"', ["no argument escape"]),
        ("expect_column_mean_to_be_between", '"mostly": 0.9', ["no argument mostly here"]),
        (V + "be_in_set", '"value_set": [1], "ignore_row_if": "x"', ["no argument ignore_row_if"]),
        # An argument without effect has no value either.
        (V + "not_be_null", '"xyz": {"$PARAMETER": "p"}', ["no argument xyz here"]),
    ],
)
def test_an_unknown_argument_is_ignored_by_0_x_and_told(name, kwargs, details):
    rule = read(name, f'{{"column": "a", {kwargs}}}', "0.x")
    assert not isinstance(rule.check, Unread)
    assert [caveat.code for caveat in rule.caveats] == ["argument_ignored"] * len(details)
    assert all(d in c.detail for d, c in zip(details, rule.caveats, strict=True))
    refused(read(name, f'{{"column": "a", {kwargs}, "never": 1}}', "1.x"))


def test_0_x_knows_no_mostly_where_records_are_selected_by_a_query():
    rule = read("unexpected_rows_expectation", f'{{{QUERY}, "mostly": 0.5}}', "0.x", "spark")
    assert isinstance(rule.check, Row)
    assert [caveat.code for caveat in rule.caveats] == ["argument_ignored"]


@pytest.mark.parametrize("version", KEYS)
@pytest.mark.parametrize("name", sorted(catalogue().noise))
def test_what_only_shows_a_result_is_passed_over(name, version):
    more = ('"COMPLETE"', '{"$PARAMETER": "p"}') if name != "windows" else ()
    for value in ("null", "[]", *more):
        rule = read(V + "be_null", f'{{"column": "a", "{name}": {value}}}', version)
        assert (type(rule.check), rule.caveats) == (Row, ())


@pytest.mark.parametrize(
    ("words", "value"),
    [("1 on t true y yes ON True", True), ("0 off f false n no OFF No", False)],
)
def test_1_x_takes_a_word_for_true_or_false(words, value):
    for word in words.split():
        kwargs = f'{{"column": "a", "min_value": 1, "strict_min": "{word}"}}'
        assert read(V + "be_between", kwargs).check == Row(Range("a", 1, low_open=value))


# Engines ------------------------------------------------------------------------------------------


def first_case(name):
    return next(c for c in (*CONVERTS, *MUST_NOT) if c.type == name)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("row", catalogue().rows.values(), ids=lambda row: row.name)
def test_an_engine_that_does_not_implement_it_never_ran_it(row, engine):
    case = first_case(row.name)
    check = read(row.name, case.kwargs, case.versions[0], engine).check
    never = isinstance(check, Unread) and check.reason.endswith("so it never ran")
    assert never == (engine not in row.engines)
    if never:
        assert (check.code, check.reason.split()[1]) == ("invalid_rule", engine)


def test_the_query_of_another_engine_is_no_spark_sql():
    query = SqlText('SELECT * FROM {batch} WHERE "a" < 0', "spark", bad=True, whole_query=True)
    for engine, codes in (("spark", []), ("sql", []), (None, ["engine_unknown"])):
        rule = read("unexpected_rows_expectation", f"{{{QUERY}}}", "1.x", engine)
        assert (rule.check, rule.origin.engine) == (Row(query), engine)
        assert (rule.kind, rule.columns) == ("predicate", ())
        assert [caveat.code for caveat in rule.caveats] == codes


# What is no core expectation ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("expect_column_values_to_be_in_Set", V + "be_in_set"),
        ("expect_column_pair_values_A_to_be_greater_then_B", "a_to_be_greater_than_b"),
        ("expect_column_values_to_match_regexlist", V + "match_regex_list"),
        ("ExpectColumnValuesToNotBeNull", V + "not_be_null"),
        ("EXPECT_COLUMN_VALUES_TO_BE_NULL", V + "be_null"),
        ("my_own_check", None),
        ("", None),
    ],
)
def test_an_unknown_type_is_told_with_the_nearest(name, nearest):
    kwargs = '{"column": "a", "column_A": "a", "column_B": "b", "other": 5}'
    rule = read(name, kwargs)
    check = refused(rule)
    found = (check.code, check.columns, rule.kind)
    assert found == ("custom_expectation", ("a", "a", "b"), "predicate")
    assert check.reason.startswith(f"{name} is no core expectation")
    assert check.reason.endswith(kwargs)
    assert ("the nearest core name is" in check.reason) == (nearest is not None)
    assert (nearest or "") in check.reason


@pytest.mark.parametrize(
    ("more", "is_read"), [("", True), (', "severity": "info"', True), (', "column": "a"', False)]
)
@pytest.mark.parametrize("version", ["0.x", "1.x"])
def test_a_class_of_ones_own_that_states_a_query_of_bad_records(more, is_read, version):
    rule = read("expect_passengers_to_be_legal", f"{{{QUERY}{more}}}", version)
    plain = read("unexpected_rows_expectation", f"{{{QUERY}}}", version)
    if not is_read:
        assert refused(rule).code == "custom_expectation"
        return
    assert (rule.check, rule.kind) == (plain.check, plain.kind)
    assert rule.caveats[-1] == Caveat(
        "own_query", "expect_passengers_to_be_legal is read as that query alone"
    )
    assert '"expect_passengers_to_be_legal"' in rule.origin.text
    assert caveats()["own_query"].question


def test_two_names_are_no_name():
    one, other = V + "be_null", V + "not_be_null"
    text = '{"type": "%s", "expectation_type": "%s", "kwargs": {"column": "a"}}'
    rules = [
        read_expectation(parse_json(text % (one, name)), 0, Context("s.json", Table("t"), None))
        for name in (one, other)
    ]
    assert isinstance(rules[0].check, Row)
    assert refused(rules[1]).code == "malformed"


@pytest.mark.parametrize(("length", "end"), [(58, '"'), (59, "...")])
def test_a_value_in_a_reason_is_cut(length, end):
    reason = refused(
        read(V + "be_in_set", f'{{"column": "a", "value_set": "{"y" * length}"}}')
    ).reason
    shown = reason.removeprefix("a list of values was expected, found ")
    assert (len(shown), shown.endswith(f"y{end}")) == (60, True)


def test_a_reason_is_cut_to_what_a_message_can_hold():
    reason = refused(read("my_own_check", f'{{"x": "{"y" * 500}"}}')).reason
    assert reason.endswith("y...")
    assert len(reason) < 400


@pytest.mark.parametrize(
    "text",
    [
        "null", "5", '"expect_table_row_count_to_equal"', "[]", "{}", '{"kwargs": {}}',
        '{"type": null, "kwargs": {}}', '{"type": 5, "kwargs": {}}', '{"type": ["x"]}',
        '{"expectation_type": {}}', '{"type": null, "expectation_type": "x", "kwargs": {}}',
    ],
)  # fmt: skip
def test_an_element_that_is_no_expectation_is_malformed(text):
    rule = read_element(text)
    assert refused(rule).code == "malformed"
    assert "no object with a type (or expectation_type)" in rule.check.reason
    assert (rule.atom, rule.origin.text, rule.columns) == ("expectations[7]", text, ())


@pytest.mark.parametrize("kwargs", ["null", "[]", '"a"', "5"])
def test_arguments_that_are_no_object_are_malformed(kwargs):
    check = refused(read(V + "be_null", kwargs))
    assert (check.code, check.reason) == ("malformed", f"kwargs is no object but {kwargs}")


def test_without_arguments_at_all():
    assert refused(read_element(f'{{"type": "{V}be_null"}}')).code == "invalid_rule"


def test_the_key_of_1_x_decides_about_the_version():
    name = f'"{V}be_null"'
    both = f'{{"type": {name}, "expectation_type": {name}, "kwargs": {{"column": "a", "y": 1}}}}'
    assert refused(read_element(both)).code == "invalid_rule"


# What is said about a rule ------------------------------------------------------------------------


def test_where_a_rule_was_found():
    rule = read(V + "be_null", engine="pandas")
    text = f'{{"type": "{V}be_null", "kwargs": {{"column": "a"}}}}'
    assert rule.origin == Origin("s.json", "expectations[7]", text, "great_expectations", "pandas")
    assert (rule.atom, rule.table, rule.title) == ("expectations[7]", Table("t"), "")
    assert (rule.behaviour, rule.action_word, rule.author_name) == (None, None, None)


@pytest.mark.parametrize(
    "value",
    [
        "1.10", "1e3", "1E+5", "0.1000000000000000055", "-0.0", "100000000000000000000.0", "1e400",
        "NaN", "-Infinity", '"é😀"', '"\ue0001.10\ue000"', '"a\\"b\\\\"', "[1.10, {\"x\": 1e3}]",
        '{"é": 1.50}', "[]", "{}", "null", "true",
    ],
)  # fmt: skip
def test_the_authors_text_keeps_its_digits(value):
    text = f'{{"type": "x", "kwargs": {{"a": {value}, "b": 0.10}}}}'
    assert read_element(text).origin.text == text


@pytest.mark.parametrize(
    ("more", "title", "author_id"),
    [
        ('"description": "No gaps", "id": "abc"', "No gaps", "abc"),
        ('"description": " ", "id": "", "ge_cloud_id": "def"', "", "def"),
        ('"description": null, "id": 5', "", None),
        ('"id": "abc", "ge_cloud_id": "def"', "", "abc"),
    ],
)
def test_the_authors_own_title_and_id(more, title, author_id):
    rule = read(V + "be_null", more=f", {more}")
    assert (rule.title, rule.author_id) == (title, author_id)


@pytest.mark.parametrize(
    ("name", "kwargs", "title"),
    [
        ("my_own_check", '{"column": "a", "column_B": "b"}', "my own check: a, b"),
        ("expect_my_own", "{}", "my own"),
        (V + "be_in_set", '{"column": "a"}', "column values to be in set: a"),
        (V + "be_null", '{"column": "a"}', ""),
    ],
)
def test_what_could_not_be_read_is_called_by_its_type(name, kwargs, title):
    assert read(name, kwargs).title == title
    assert read(name, kwargs, more=', "description": "Mine"').title == "Mine"
    assert read_element("{}").title == read_element("5").title == ""


@pytest.mark.parametrize(
    ("more", "tags"),
    [
        ('"severity": "warning"', {"severity": "warning"}),
        ('"meta": {"severity": "HIGH", "owner": "Ann", "dq_dimension": "validity"}',
         {"severity": "HIGH", "owner": "Ann", "dimension": "validity"}),
        ('"meta": {"level": "low", "dimension": "x"}', {"severity": "low", "dimension": "x"}),
        ('"severity": "info", "meta": {"severity": "x"}', {"severity": "info"}),
        ('"severity": 3, "meta": {"owner": ["Ann"], "other": "x"}', {}),
        ('"meta": null', {}),
        ('"meta": [1]', {}),
        ('"notes": "by hand"', {"notes": "by hand"}),
        ('"notes": ["one", 2, "three"]', {"notes": "one three"}),
        ('"meta": {"notes": {"format": "markdown", "content": ["a", "b"]}}', {"notes": "a b"}),
        ('"meta": {"notes": {"content": "a"}}', {"notes": "a"}),
        ('"notes": [], "meta": {"notes": "a"}', {"notes": "a"}),
        ('"notes": {}', {}),
    ],
)  # fmt: skip
def test_what_the_author_said_beside_the_rule(more, tags):
    assert dict(read(V + "be_null", more=f", {more}").tags) == tags


def test_the_suites_own_tags_come_first():
    context = Context("s.json", Table("t"), None, (("suite", "orders"),))
    element = {"type": V + "be_null", "kwargs": {"column": "a"}, "severity": "info"}
    rule = read_expectation(element, 0, context)
    assert rule.tags == (("suite", "orders"), ("severity", "info"))


# The table ----------------------------------------------------------------------------------------

ALL = (*CONVERTS, *MUST_NOT)


def stated(name, cases=ALL) -> set[str]:
    """The arguments that some case of a type states."""
    return {key for c in cases if c.type == name for key in parse_json(c.kwargs)}


@pytest.mark.parametrize("row", catalogue().rows.values(), ids=lambda row: row.name)
def test_no_row_and_no_argument_of_a_row_is_without_a_case(row):
    wanted = {*row.columns, *row.wants, *row.old}
    assert wanted <= stated(row.name)
    named = set(row.fields.values()) | set(row.open_without) | {*row.required, *row.one_of}
    assert named <= wanted
    assert row.new == () or set(row.new) <= wanted - set(row.old)
    assert {c.type for c in ALL} >= {row.name, *row.also}
    converted = [c for c in CONVERTS if c.type == row.name]
    assert bool(converted) == (row.gap is None and row.check != "SqlText")
    for name in row.required:
        without = [c for c in MUST_NOT if c.type == row.name and name in c.reason]
        assert any(name not in parse_json(c.kwargs) for c in without), name


def test_no_case_speaks_of_a_type_that_the_table_does_not_have():
    assert {c.type for c in ALL} == {*catalogue().rows, *catalogue().also}


def test_no_row_repeats_another():
    said = Counter(
        repr(replace(row, name="", also=(), reason=row.reason and row.name))
        for row in catalogue().rows.values()
    )
    assert [row for row, number in said.items() if number > 1] == []


@pytest.mark.parametrize("row", catalogue().rows.values(), ids=lambda row: row.name)
def test_the_words_of_a_row_are_known(row):
    assert row.kind in kind_words()
    assert set(row.wants.values()) <= set(FORMS)
    assert set(row.engines) <= set(ENGINES)
    assert set(row.open_without.values()) <= {"null", "default"}
    assert row.since in GENERATIONS
    assert set(row.v3) | set(row.refused) <= {*row.wants, *row.old}
    places = {f"{generation} {engine}" for generation in GENERATIONS for engine in ENGINES}
    assert {place for where in row.refused.values() for place in where} <= places
    assert row.before in {"", *catalogue().rows}
    assert (row.gap is None) == (row.reason is None) == (row.check != "none")
    assert row.gap is None or row.gap in gaps()
    assert bool(row.measure) == (row.check in ("Figure", "Columns"))


def test_every_form_is_wanted_by_a_row():
    assert {form for row in catalogue().rows.values() for form in row.wants.values()} == set(FORMS)


def test_the_codes_of_the_reader_are_known():
    for case, version in ((c, v) for c in MUST_NOT for v in c.versions):
        assert refused(read(case.type, case.kwargs, version)).code in gaps()
    assert Caveat("argument_ignored", "").code in caveats()


def test_the_nearest_name_takes_the_columns_that_are_stated():
    reason = refused(read("expect_column_values_to_be_greater_than", '{"column": "a"}')).reason
    assert "pair" not in reason


@pytest.mark.parametrize(
    ("element", "beside"),
    [
        ('{"type": "%s", "kwargs": {"column": "a"}, "mostly": 0.5}', "mostly"),
        ('{"type": "%s", "kwargs": {"column": "a"}, "row_condition": "x"}', "row_condition"),
        ('{"type": "%s", "column": "b", "kwargs": {"column": "a"}}', "column"),
    ],
)
def test_an_argument_beside_kwargs_is_told(element, beside):
    parsed = parse_json(element % f"{V}not_be_null")
    check = refused(read_expectation(parsed, 0, Context("s.json", Table("t"), None)))
    assert (check.code, check.reason) == (
        "malformed",
        f"{beside} stands beside kwargs, and not in them",
    )


def test_a_column_that_is_misspelt_is_told():
    reason = refused(read(f"{V}not_be_null", '{"colum": "a"}')).reason
    assert reason == "column: a column was expected, found null; colum may have been meant for it"
