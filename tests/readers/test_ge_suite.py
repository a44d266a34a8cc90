"""A suite's file: its forms from 0.7 to 1.x, what is no suite, and what is no JSON."""

import contextlib
import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.errors import Fault
from ruleferry.converters.predicates import Range
from ruleferry.converters.readers import READERS
from ruleferry.converters.readers.json_text import Malformed, json_text, parse_json
from ruleferry.converters.readers.raw import Counted, RawFile
from ruleferry.converters.rule import Reading, Row, Table, Unread
from ruleferry.converters.sources import conserved

V = "expect_column_values_to_"
NEW = f'{{"type": "{V}be_null", "kwargs": {{"column": "a"}}}}'
OLD = NEW.replace('"type"', '"expectation_type"')


def raw(text, file="suites/orders.json", tables=(), engine=None) -> RawFile:
    return RawFile(file, text, "0" * 64, engine, lambda names: tuple(tables))


def outcome(text, **more) -> Counted | Fault:
    return READERS[".json"]([raw(text, **more)])[0]


def read(text, **more) -> Reading:
    counted = outcome(text, **more)
    assert isinstance(counted, Counted), counted
    return conserved(counted)


def fault(text) -> Fault:
    found = outcome(text)
    assert isinstance(found, Fault), found
    assert (found.file, found.expected) == ("suites/orders.json", "a suite in JSON")
    assert found.todo == "Mend the file, or leave it out of the sources."
    return found


def suite(*elements, head='"name": "orders"') -> str:
    return f'{{{head}, "expectations": [{", ".join(elements)}]}}'


# Forms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "element"),
    [
        ('"dataset_name": "orders", "meta": {"great_expectations.__version__": "0.7.0"}', OLD),
        ('"data_asset_name": "orders", "data_asset_type": "Dataset"', OLD),
        ('"expectation_suite_name": "orders", "data_asset_type": null, "meta": {}', OLD),
        ('"expectation_suite_name": "orders", "ge_cloud_id": null', OLD),
        ('"name": "orders", "id": "b5d9", "notes": null', NEW),
        ('"name": "orders", "meta": {"great_expectations_version": "1.7.1"}', OLD),
        ('"expectation_suite_name": "orders"', NEW),
    ],
)
def test_the_forms_of_all_versions(head, element):
    reading = read(suite(element, OLD, NEW, head=head), file="suites/x.json")
    assert (reading.file, reading.read_as) == ("suites/x.json", "great_expectations suite")
    assert (reading.atoms, reading.sha256, reading.why) == (3, "0" * 64, None)
    assert [rule.atom for rule in reading.rules] == [f"expectations[{i}]" for i in range(3)]
    assert all(isinstance(rule.check, Row) for rule in reading.rules)
    assert {rule.table for rule in reading.rules} == {Table("orders", stated=False)}
    assert [dict(rule.tags) for rule in reading.rules] == [{"suite": "orders"}] * 3
    assert [rule.origin.text for rule in reading.rules] == [element, OLD, NEW]


@pytest.mark.parametrize(
    ("name", "table", "level"),
    [
        ("orders.warning", "orders", "warning"),
        ("a.b.failure", "a.b", "failure"),
        ("orders.error", "orders", "error"),
        ("orders.critical", "orders", "critical"),
        ("orders.info", "orders", "info"),
        ("orders.warning.critical", "orders.warning", "critical"),
        ("orders.Warning", "orders.Warning", None),
        ("orders_warning", "orders_warning", None),
        ("warning", "warning", None),
        (".warning", ".warning", None),
        (" .warning", " .warning", None),
        ("orders.warnings", "orders.warnings", None),
        ("orders.warning\n", "orders.warning\n", None),
    ],
)
def test_the_level_at_the_end_of_a_name(name, table, level):
    (rule,) = read(suite(NEW, head=f'"name": {json.dumps(name)}')).rules
    assert rule.table == Table(table, stated=False)
    assert dict(rule.tags) == {"suite": name, **({"suite_level": level} if level else {})}


@pytest.mark.parametrize(
    "head", ['"x": 1', '"name": null', '"name": ""', '"name": " "', '"name": 5', '"name": ["a"]']
)
def test_a_suite_without_a_name_is_called_like_its_file(head):
    (rule,) = read(suite(NEW, head=head), file="a/b.c/orders.v2.json").rules
    assert (rule.table, dict(rule.tags)) == (Table("orders.v2", False), {"suite": "orders.v2"})


def test_the_first_name_counts():
    head = '"dataset_name": "d", "expectation_suite_name": "c", "name": " "'
    assert read(suite(NEW, head=head)).rules[0].tags == (("suite", "c"),)


def test_a_suite_on_several_tables_has_a_rule_for_each():
    asked = []

    def tables_of(names):
        asked.append(names)
        return ("main.s.a", "main.s.b")

    text = suite(NEW, "5", head='"name": "orders.warning"')
    counted = READERS[".json"]([RawFile("f.json", text, "", "pandas", tables_of)])[0]
    reading = conserved(counted)
    assert set(asked) == {("orders.warning", "orders")}
    found = [(rule.table, rule.atom) for rule in reading.rules]
    a, b = Table("main.s.a"), Table("main.s.b")
    assert sorted(found, key=repr) == sorted(
        ((t, f"expectations[{i}]") for t in (a, b) for i in (0, 1)), key=repr
    )
    wanted = {"expectations[0]": 2, "expectations[1]": 2}
    assert (reading.atoms, counted.rules_of_atom) == (2, wanted)
    assert {rule.origin.engine for rule in reading.rules} == {"pandas"}


def test_an_empty_suite_is_read():
    reading = read(suite())
    assert (reading.read_as, reading.atoms, reading.rules) == ("great_expectations suite", 0, ())


def test_an_element_that_is_no_expectation_is_a_rule_that_nobody_understands():
    reading = read(suite("null", "5", '"x"', "[]", "{}", NEW))
    codes = [r.check.code if isinstance(r.check, Unread) else "read" for r in reading.rules]
    assert codes == ["malformed"] * 5 + ["read"]


@pytest.mark.parametrize(
    "head",
    [
        '"expectation_suite_name": "orders"',
        '"meta": {"great_expectations_version": "0.18.1"}',
        '"meta": {"great_expectations.__version__": "0.7.0"}',
    ],
)
def test_what_only_great_expectations_writes_is_a_suite_whatever_it_holds(head):
    reading = read(suite("{}", '{"kwargs": {}}', head=head))
    assert [r.check.code for r in reading.rules] == ["malformed"] * 2


def test_the_suite_claims_types():
    claim = '{{"expectation_type": "{}", "kwargs": {{"column": "{}", "type_": {}{}}}}}'.format
    of_type = f"{V}be_of_type"
    reading = read(
        suite(
            claim(of_type, "a", '"IntegerType"', ""),
            claim(of_type, "b", '"int"', ', "mostly": 1.0'),
            claim("expect_column_type_to_be", "c", '"TEXT"', ""),
            claim(of_type, "twice", '"int"', ""),
            claim(of_type, "twice", '"str"', ""),
            claim(of_type, "same", '"int"', ""),
            claim(of_type, "same", '"int"', ""),
            claim(of_type, "some", '"int"', ', "mostly": 0.9'),
            claim(of_type, "scoped", '"int"', ', "row_condition": "a > 1"'),
            claim(of_type, "none", "null", ""),
            claim(f"{V}be_in_type_list", "other", '"int"', ""),
            f'{{"type": "{of_type}", "kwargs": {{"column": 5, "type_": "int"}}}}',
            *("5", f'{{"type": "{of_type}", "kwargs": null}}', f'{{"type": "{of_type}"}}'),
        )
    )
    assert reading.type_names == {"a": "IntegerType", "b": "int", "c": "TEXT", "same": "int"}


# No suite -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "JSON that holds a list and no suite"),
        ('"expectations"', "JSON that holds a text and no suite"),
        ("true", "JSON that holds true or false and no suite"),
        ("5", "JSON that holds a value and no suite"),
        ("null", "JSON that holds a value and no suite"),
        ("{}", "JSON without a list of expectations (its keys: nothing)"),
        (f'{{"{"k" * 50}": 1}}', f"JSON without a list of expectations (its keys: {'k' * 40})"),
        ('{"expectations": null}', "JSON without a list of expectations (its keys: expectations)"),
        (
            '{"success": true, "results": [{"name": "x"}], "statistics": {}, "meta": {}}',
            "JSON without a list of expectations (its keys: meta, results, statistics, success",
        ),
        ('{"f": 1, "e": 1, "d": 1, "c": 1, "b": 1, "a": 1}', "(its keys: a, b, c, d, e)"),
        (
            '{"expectations": [{"kwargs": {}}, 5]}',
            "JSON whose expectations have neither type nor expectation_type",
        ),
        ('{"expectations": [{"type": 5}], "meta": {"great": 1}}', "neither type nor"),
    ],
)
def test_json_that_is_no_suite_is_listed_with_its_reason(text, why):
    reading = read(text)
    assert (reading.read_as, reading.atoms, reading.rules) == ("not read", 0, ())
    assert why in reading.why
    assert reading.why.endswith((")", " and no suite", " type nor expectation_type"))
    assert reading.sha256 == "0" * 64


# No JSON ------------------------------------------------------------------------------------------


TOO_LONG, TWICE = "a number too long to be read", '" twice in one object'


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("{", "line 1, column 2", "no JSON: Expecting property name"),
        ("\n{", "line 2, column 2", "no JSON: Expecting property name"),
        (suite(NEW)[:-2], "line 1, column 107", "no JSON: Expecting ',' delimiter"),
        ('{"expectations": [\n  {"type": "x",}\n]}', "line 2, column 16", "no JSON"),
        ("name: orders\nexpectations: []", "line 1, column 1", "no JSON: Expecting value"),
        ("{'name': 1}", "line 1, column 2", "no JSON"),
        (f"{suite(NEW)}\n{suite(NEW)}", "line 2, column 1", "no JSON: Extra data"),
        ('{"a": "x\ny"}', "line 1, column 9", "no JSON: Invalid control character"),
        ('{"a": "\\x"}', "line 1, column 8", "no JSON: Invalid \\escape"),
        ('{"a": 01}', "line 1, column 8", "no JSON"),
        ('{"name": "a", "name": "a"}', "line 1, column 15", 'the key "name" twice in one object'),
        (
            f'{{\n "b": {{"a": "\\"a\\": {{"}},\n "expectations": [{NEW},\n  {{"type": "x",\n'
            '   "kwargs": {"a": 1, "b": [{"a": 1}], "\\u0061": 2}}]}',
            "line 5, column 40",
            'the key "a" twice in one object',
        ),
        ('[{"a": 1}, {"a": 1}, {"b": 1, "c": {"b": 2}, "b": 1}]', "line 1, column 46", '"b"'),
        ('{"a": 1, "c": [{"d": 2}, {}], "b": 1, "a": 2}', "line 1, column 39", TWICE),
        ("[" * 100_000, "line 1, column 100", "nested more than 100 deep"),
        (suite('{"a":\n' * 50_000), "line 98, column 1", "nested more than 100 deep"),
        (f'{{"a": "[[[[",\n"b": {"9" * 5000}}}', "line 2, column 6", TOO_LONG),
        (f'["{"9" * 5000}", 1, -{"9" * 5000}]', "line 1, column 5009", TOO_LONG),
        ('{"e12345678901234567890": 1,\n\n"b": 1.5E+99999999999999999999}',
         "line 3, column 6", TOO_LONG),
    ],
)  # fmt: skip
def test_what_can_not_be_read_is_told_with_its_place(text, place, found):
    told = fault(text)
    assert (told.place, found in told.found) == (place, True), told
    assert told.found.endswith(found) or found not in (TWICE, TOO_LONG)


@pytest.mark.parametrize("depth", [10, 90, 200, 300, 400, 500, 700, 900, 960, 980, 990, 995, 1000])
@pytest.mark.parametrize(
    ("inside", "before", "after"),
    [
        ("kwargs", "[", "]"), ("kwargs", '{"a": ', "}"), ("meta", '{"notes": ', "}"),
        ("meta", '{"content": ', "}"), ("notes", '{"content": ', "}"),
        ("kwargs", '{"a": 1.10, "b": ', "}"),
    ],
)  # fmt: skip
def test_deep_nesting_is_read_or_told(inside, before, after, depth):
    deep = before * depth + "1.10" + after * depth
    column = '{"column": "a", "x": ' if inside == "kwargs" else '{"notes": '
    element = f'{{"type": "{V}be_null", "{inside}": {column}{deep}}}}}'
    found = outcome(suite(element))
    if depth <= 90:
        assert conserved(found).rules[0].origin.text == element
    elif isinstance(found, Fault):
        assert found.place == "line 1, column " + str(suite(element).index(deep) + place_of(before))
        assert found.found == "JSON that is nested more than 100 deep"
    else:
        assert conserved(found).atoms == 1


def place_of(before: str) -> int:
    """Where the 100th bracket stands: four are outside of the deep value."""
    return len(before) * 95 + 1


def test_line_ends_and_blanks_do_not_matter():
    spread = suite(NEW, OLD).replace(", ", " ,\r\n\t").replace("{", "{\r\n").replace(":", "\n:\t")
    assert [r.check for r in read(spread).rules] == [r.check for r in read(suite(NEW, OLD)).rules]
    told = fault(spread.replace("\r\n\t", "\r\n\t,", 1))
    assert told.place == "line 4, column 2"


def test_a_lone_surrogate_is_a_text_like_any_other():
    (rule,) = read(suite(f'{{"type": "{V}be_null", "kwargs": {{"column": "\\ud800"}}}}')).rules
    assert rule.columns == ("\ud800",)


# The text of JSON ---------------------------------------------------------------------------------

NUMBERS = (
    st.integers(-(10**30), 10**30).map(str)
    | st.decimals(allow_nan=False, allow_infinity=False).map(str).filter(lambda t: t != "-0")
    | st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.sampled_from(["1.10", "1e3", "-0.0", "1E-7", "0.30", "NaN", "Infinity", "-Infinity"])
)
TEXTS = st.text(max_size=8).map(lambda t: json.dumps(t, ensure_ascii=False))


def objects(inner):
    return st.dictionaries(TEXTS, inner, max_size=3).map(
        lambda d: "{" + ", ".join(f"{k}: {v}" for k, v in d.items()) + "}"
    )


JSON_TEXTS = st.recursive(
    NUMBERS | TEXTS | st.sampled_from(["null", "true", "false"]),
    lambda inner: (
        objects(inner) | st.lists(inner, max_size=3).map(lambda v: "[" + ", ".join(v) + "]")
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(JSON_TEXTS)
def test_json_keeps_its_text_and_its_value(text):
    value = parse_json(text)
    assert json_text(value) == text
    assert repr(as_floats(value)) == repr(json.loads(text))


def as_floats(value):
    match value:
        case Decimal():
            return float(value)
        case dict():
            return {key: as_floats(inner) for key, inner in value.items()}
        case list():
            return [as_floats(inner) for inner in value]
    return value


@settings(deadline=None)
@given(JSON_TEXTS, st.data())
def test_a_cut_json_is_read_or_told_never_raised(text, data):
    cut = text[: data.draw(st.integers(0, len(text)))]
    with contextlib.suppress(Malformed):
        parse_json(cut)


ARGUMENTS = st.dictionaries(
    st.sampled_from(
        ["column", "column_A", "column_B", "column_list", "value_set", "min_value", "max_value"]
        + ["mostly", "row_condition", "condition_parser", "regex", "value", "windows", "x"]
    ).map(json.dumps),
    JSON_TEXTS | st.just('"a"') | st.just('["a", "b"]') | st.just("1"),
    max_size=6,
).map(lambda d: "{" + ", ".join(f"{k}: {v}" for k, v in d.items()) + "}")


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["type", "expectation_type"]),
            st.sampled_from(
                [V + "be_between", V + "be_in_set", "expect_column_pair_values_to_be_in_set"]
                + ["expect_compound_columns_to_be_unique", "expect_column_mean_to_be_between"]
                + [V + "match_regex_list", "unexpected_rows_expectation", "other"]
            ),
            ARGUMENTS,
        ),
        max_size=4,
    )
)
def test_whatever_an_expectation_states_it_is_a_rule(elements):
    texts = [f'{{"{key}": "{name}", "kwargs": {kwargs}}}' for key, name, kwargs in elements]
    reading = read(suite(*texts, head='"expectation_suite_name": "s"'))
    assert [rule.origin.text for rule in reading.rules] == texts


def test_all_suites_of_the_corpus_are_read(shared):
    files = sorted((shared / "corpus/great_expectations").rglob("*.json"))
    atoms = 0
    for file in files:
        text = file.read_text("utf-8-sig")
        reading = read(text, file=file.name)
        assert reading.read_as == "great_expectations suite", file
        assert reading.atoms == len(json.loads(text)["expectations"])
        atoms += reading.atoms
    assert len(files) > 40
    assert atoms > 800


BEYOND = "a finite number was expected, found 1E+400"


@pytest.mark.parametrize(
    ("parameters", "check"),
    [
        ({"p_max": 100, "codes": ("F", "O")}, Row(Range("c", 0, 100, unknown="good"))),
        ({"p_max": 1.5}, Row(Range("c", 0, Decimal("1.5"), unknown="good"))),
        ({"p_max": date(2020, 1, 2)}, Row(Range("c", 0, "2020-01-02", unknown="good"))),
        ({"p_max": Decimal("1e400")}, Unread("no_equivalent", BEYOND, ("c",))),
        ({"other": 1}, Unread("parameter", 'max_value is the parameter "p_max"', ("c",))),
    ],
)
def test_a_parameter_takes_the_value_of_the_configuration(parameters, check):
    kwargs = {"column": "c", "min_value": 0, "max_value": {"$PARAMETER": "p_max"}}
    element = {"expectation_type": "expect_column_values_to_be_between", "kwargs": kwargs}
    raw = RawFile(
        "s.json", json.dumps({"expectations": [element]}), "", None, lambda _: (), parameters
    )
    (rule,) = READERS[".json"]([raw])[0].reading.rules
    assert rule.check == check
    told = [c.detail for c in rule.caveats if c.code == "parameter_given"]
    assert told == [
        f"p_max is {value}, as configured" for n, value in parameters.items() if n == "p_max"
    ]


@pytest.mark.parametrize("name", ['"other"', "5", '["code"]', "null", '{"a": 1}'])
def test_a_parameter_without_a_value_is_left(name):
    element = (
        f'{{"type": "{V}be_null", "kwargs": {{"column": "c", "mostly": {{"$PARAMETER": {name}}}}}}}'
    )
    given = RawFile("s.json", suite(element), "", None, lambda _: (), {"code": 1})
    (rule,) = conserved(READERS[".json"]([given])[0]).rules
    assert (rule.check.code, rule.caveats) == ("parameter", ())


def test_a_parameter_within_a_list_is_never_filled_in():
    element = f'{{"type": "{V}be_in_set", "kwargs": {{"column": "c", "value_set": '
    element += '["x", {"$PARAMETER": "code"}]}}'
    given = RawFile("s.json", suite(element), "", None, lambda _: (), {"code": "F"})
    (rule,) = conserved(READERS[".json"]([given])[0]).rules
    assert rule.check.code == "parameter"
    assert rule.caveats == ()
    assert rule.origin.text == element
