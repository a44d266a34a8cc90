"""Lists of expectations in files that Great Expectations never wrote, in YAML and JSON."""

import json

import pytest

from ruleferry.converters.errors import Fault
from ruleferry.converters.predicates import OneOf, Present, Range
from ruleferry.converters.readers.great_expectations import read_files
from ruleferry.converters.readers.great_expectations.count import count_in_yaml
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.rule import Figure, Row, Table, Unread
from ruleferry.converters.sources import conserved

NOT_NULL = "expect_column_values_to_not_be_null"
BETWEEN = "expect_column_values_to_be_between"


def outcome(text, file="contracts/orders.yaml", named=False):
    raw = RawFile(file, text, "0" * 64, None, lambda _: (), named=named)
    return read_files([raw])[0]


def read(text, **more):
    counted = outcome(text, **more)
    assert not isinstance(counted, Fault), counted
    return conserved(counted)


CONTRACT = f"""
# expect_nothing_of_a_comment
version: 2
orders:
  table: sales.orders
  checks:
    - expectation_type: {NOT_NULL}
      kwargs: {{column: a}}
    - type: ExpectColumnValuesToBeBetween   # a class of 1.x, its arguments beside it
      column: p
      min_value: 0
      severity: warning
      meta: {{owner: jane}}
    - {NOT_NULL}: {{column: b}}
    - expectation: {NOT_NULL}
      column: c
customers:
  rules:
    named_rule: {{type: {NOT_NULL}, kwargs: {{column: d}}}}
    other: 5
"""


def test_a_contract_in_yaml():
    reading = read(CONTRACT)
    assert (reading.read_as, reading.atoms) == ("list of great_expectations types", 5)
    orders, customers = Table("sales.orders"), Table("customers", stated=False)
    assert [(r.atom, r.table, r.check) for r in reading.rules] == [
        ("orders.checks[0]", orders, Row(Present("a"))),
        ("orders.checks[1]", orders, Row(Range("p", low=0))),
        ("orders.checks[2]", orders, Row(Present("b"))),
        ("orders.checks[3]", orders, Row(Present("c"))),
        ("customers.rules.named_rule", customers, Row(Present("d"))),
    ]
    second = reading.rules[1]
    assert {"severity": "warning", "owner": "jane"}.items() <= dict(second.tags).items()
    stated = json.loads(second.origin.text)
    assert stated["type"] == "ExpectColumnValuesToBeBetween"  # in the author's own words


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        (f"- {NOT_NULL}: {{column: a}}\n- x: 1\n- just a text\n", 3),
        (f"type: {NOT_NULL}\nkwargs: {{column: a}}\n", 1),
        (f"a: {{b: [[{{type: {NOT_NULL}, column: a}}]]}}", 1),
        (f"x: &x {{type: {NOT_NULL}, column: a}}\nlist: [*x, *x]\n", 3),
        ("checks: [{type: unexpected_rows_expectation, unexpected_rows_query: 'x'}]", 1),
        ("a: [{type: ExpectedValue}, {kind: expect_x}]", None),
        ("steps: [{type: expected_shape}]", None),
        ("steps: [{name: expectations}]", None),
    ],
)
def test_every_item_of_such_a_list_is_accounted_for(text, atoms):
    reading = read(text)
    assert (reading.atoms, reading.read_as == "not read") == (atoms or 0, atoms is None)


def test_what_is_no_expectation_in_the_list_is_told():
    reading = read(f"- {NOT_NULL}: {{column: a}}\n- just a text\n")
    assert [type(r.check) for r in reading.rules] == [Row, Unread]
    assert reading.rules[1].check.code == "malformed"


def test_json_of_the_same_form():
    text = json.dumps({"orders": [{"type": NOT_NULL, "kwargs": {"column": "a"}}]})
    reading = read(text, file="checks.json")
    assert [(r.atom, r.check) for r in reading.rules] == [("orders[0]", Row(Present("a")))]
    assert read(json.dumps([{"type": NOT_NULL, "column": "a"}]), file="x.json").atoms == 1


SUITE = f"""
name: orders
expectations:
  - type: {NOT_NULL}
    kwargs: {{column: a}}
  - {{type: expect_column_values_to_be_in_set, kwargs: {{column: b, value_set: [A, "yes", 1.10]}}}}
meta: {{great_expectations_version: 1.2.0, expectations: [1, 2]}}
"""


def test_a_suite_in_yaml():
    reading = read(SUITE)
    assert (reading.read_as, reading.atoms) == ("great_expectations suite", 2)
    first, second = reading.rules
    assert first.check == Row(Present("a"))
    assert isinstance(second.check.predicate, OneOf)
    assert "1.10" in second.origin.text


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (SUITE, 2),
        ("expectations: []", 0),
        ("a: [1, 2]\nexpectations: [[1, 2], {a: b}, x]\nb: [1]", 3),
        ("expectations: &x [1]\nmore: {expectations: [1, 2, 3]}", 1),
        ("[expectations, [1, 2]]", 0),
        ("x: expectations\ny: [1, 2]", 0),
    ],
)
def test_the_second_count_of_yaml(text, items):
    assert count_in_yaml(text) == items


@pytest.mark.parametrize(
    ("scalar", "code"),
    [("yes", "doubtful_yaml"), ("2020-01-01", "doubtful_yaml"), ("'yes'", None), ("1.5", None)],
)
def test_a_scalar_that_readers_differ_on_is_a_gap(scalar, code):
    text = f"x:\n- type: expect_column_values_to_be_in_set\n  column: a\n  value_set: [{scalar}]"
    (rule,) = read(text).rules
    assert (rule.check.code if isinstance(rule.check, Unread) else None) == code
    if code:
        assert rule.check.reason.startswith(f"{scalar} without quotes is a text to some readers")
    text = text.replace("value_set", f"notes: {scalar}\n  value_set").replace(f"[{scalar}]", "[b]")
    assert isinstance(read(text).rules[0].check, Row)


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("x: [expect_", "line 2, column 1", "text that is no YAML: "),
        ("expectations: !Ref x", "line 1, column 15", "the tag !Ref, which asks for more than"),
        (f"a: [{{type: {NOT_NULL}, type: x}}]", "line 1, column 49", 'the key "type" twice'),
    ],
)
def test_a_broken_file_of_ours_is_a_fault(text, place, found):
    fault = outcome(text)
    assert isinstance(fault, Fault)
    assert (fault.place, found in fault.found) == (place, True), fault
    assert fault.expected == "a suite in YAML"


@pytest.mark.parametrize(
    "text", ["a: !Ref x", "{{ jinja }}: x: y", "a: [", "a: 1\na: 2", "a: 1\n---\nb: 2"]
)
def test_broken_yaml_of_others_is_only_listed(text):
    reading = read(text)
    assert (reading.read_as, reading.rules) == ("not read", ())
    assert "(line " in reading.why
    assert isinstance(outcome(text, named=True), Fault)


ITEM = {"type": NOT_NULL, "kwargs": {"column": "id"}}


@pytest.mark.parametrize(
    ("document", "names"),
    [
        ({"orders": [ITEM], "cust": [ITEM]}, ["orders", "cust"]),
        ({"datasets": {"orders": {"expectations": [ITEM]}, "cust": {"checks": [ITEM]}}},
         ["orders", "cust"]),
        ([{"name": "orders", "expectations": [ITEM]}, {"name": "cust", "expectations": [ITEM]}],
         ["orders", "cust"]),
        ({"suites": [{"expectation_suite_name": "a.b", "expectations": [ITEM]}]}, ["a.b"]),
        ({"orders": {"columns": {"id": {"tests": [ITEM]}}}}, ["orders"]),
        ({"name": "orders", "columns": [{"name": "id", "tests": [ITEM]}]}, ["orders"]),
        ({"checks": [ITEM]}, ["file"]),
        ([ITEM], ["file"]),
        ({"orders": {"table": "main.s.o", "rules": [ITEM]}}, ["main.s.o"]),
    ],
)  # fmt: skip
def test_a_list_is_about_what_stands_around_it(document, names):
    """Lists about several things are several tables, so that none of their rules merge."""
    reading = read(json.dumps(document), file="x/file.json")
    assert [rule.table.name for rule in reading.rules] == names


# Nothing that names an expectation gets lost beside another form --------------------------------


def run_of(*configurations):
    results = [{"success": True, "expectation_config": c} for c in configurations]
    return {"success": True, "results": results, "meta": {}}


@pytest.mark.parametrize(
    ("document", "atoms"),
    [
        ({"name": "s", "expectations": [ITEM], "retired": [ITEM], "meta": {"more": [ITEM]}},
         ["expectations[0]", "retired[0]", "meta.more[0]"]),
        ({"name": "s", "expectations": [{**ITEM, "children": [ITEM, ITEM]}]},
         ["expectations[0]", "expectations[0].children[0]", "expectations[0].children[1]"]),
        ({**run_of(ITEM), "expectations": [ITEM]}, ["results[0]", "expectations[0]"]),
        ({"run_results": {"a": {"validation_result": run_of(ITEM)},
                          "b": {"validation_result": run_of({"kwargs": {}})},
                          "c": {"actions_results": {}}}},
         ["run_results[0].results[0]", "run_results[1].results[0]"]),
        ({"config_version": 3, "datasources": {}, "rules": [ITEM]}, ["rules[0]"]),
        ({"x": [{**ITEM, "then": {"y": [ITEM]}}]}, ["x[0]", "x[0].then.y[0]"]),
        ({"x": {"a": {**ITEM, "b": ITEM}}}, ["x.a", "x.a.b"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("file", ["x.json", "x.yaml"])
def test_what_stands_beside_another_form_is_read_too(document, atoms, file):
    reading = read(json.dumps(document), file=file)
    assert sorted(rule.atom for rule in reading.rules) == sorted(atoms)


def test_a_list_beside_a_checkpoint_leaves_the_checkpoint_what_it_is():
    document = {
        "expectation_suite_name": "s",
        "batch_request": {"data_asset_name": "a.b"},
        "checks": [ITEM],
    }
    files = {"c.json": document, "s.json": {"name": "s", "expectations": [ITEM]}}
    raws = [RawFile(f, json.dumps(d), "0" * 64, None, lambda _: ()) for f, d in files.items()]
    listed, suite = (conserved(counted) for counted in read_files(raws))
    assert [rule.atom for rule in listed.rules] == ["checks[0]"]
    assert [rule.table.name for rule in suite.rules] == ["a.b"]


def test_a_parameter_that_readers_of_yaml_differ_on_is_a_gap():
    text = (
        "name: s\nevaluation_parameters: {p: 017}\nexpectations:\n- expectation_type: "
        f"{BETWEEN}\n  kwargs: {{column: a, min_value: {{$PARAMETER: p}}}}\n"
    )
    (rule,) = read(text).rules
    assert (rule.check.code, "017 without quotes" in rule.check.reason) == ("parameter", True)
    (rule,) = read(text.replace("017", "17")).rules
    assert rule.check == Row(Range("a", low=17, unknown="good"))


# Other forms beside those of a suite ------------------------------------------------------------

COUNT = "expect_table_row_count_to_be_between"


@pytest.mark.parametrize("file", ["x.json", "x.yaml"])
def test_a_suite_made_at_home_may_mix_all_forms(file):
    """Where it calls its list as Great Expectations does, too: each element counts once."""
    elements = [
        {"type": "ExpectColumnValuesToNotBeNull", "column": "a"},
        {"type": "ExpectColumnValuesToNotBeNull", "kwargs": {"column": "b"}},
        {"expectation_type": BETWEEN, "column": "c", "min_value": 1, "success_on_last_run": True},
        {NOT_NULL: {"column": "d"}},
        {"expectation": NOT_NULL, "column": "e", "severity": "warning"},
        {"type": NOT_NULL, "kwargs": {"column": "f"}},
    ]
    document = {"suite_name": "s.warning", "table": "main.s.o", "expectations": elements}
    reading = read(json.dumps(document), file=file)
    assert reading.read_as == "great_expectations suite"
    assert [(rule.atom, rule.check) for rule in reading.rules] == [
        ("expectations[0]", Row(Present("a"))),
        ("expectations[1]", Row(Present("b"))),
        ("expectations[2]", Row(Range("c", low=1, unknown="good"))),
        ("expectations[3]", Row(Present("d"))),
        ("expectations[4]", Row(Present("e"))),
        ("expectations[5]", Row(Present("f"))),
    ]
    assert {rule.table for rule in reading.rules} == {Table("main.s.o")}
    assert not any(rule.caveats for rule in reading.rules)
    assert [json.loads(rule.origin.text) for rule in reading.rules] == elements
    tags = dict(reading.rules[4].tags)
    assert (tags["suite"], tags["suite_level"], tags["severity"]) == (
        "s.warning",
        "warning",
        "warning",
    )


def test_the_text_of_an_element_is_the_authors_own():
    """By its text a rule is known again, so that the order of its words must not change."""
    elements = [
        {"meta": {}, "kwargs": {"column": "a"}, "expectation_type": NOT_NULL},
        {"severity": "info", "column": "b", "type": "ExpectColumnValuesToNotBeNull"},
    ]
    for document in ({"expectations": elements[:1]}, {"expectations": elements}, elements):
        rules = read(json.dumps(document), file="x.json").rules
        texts = [json.dumps(element) for element in elements]
        assert [rule.origin.text for rule in rules] == texts[: len(rules)]


def test_a_bare_name_in_a_suite_is_told():
    (rule,) = read(f"expectations: [{NOT_NULL}]").rules
    assert (rule.atom, rule.check.code) == ("expectations[0]", "malformed")


@pytest.mark.parametrize("file", ["x.json", "x.yaml"])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"orders": {NOT_NULL: {"column": "a"}, BETWEEN: {"column": "b", "max_value": 3}}},
         {f"orders.{NOT_NULL}": Row(Present("a")),
          f"orders.{BETWEEN}": Row(Range("b", high=3, unknown="good"))}),
        ({"orders": {NOT_NULL: ["a", "b"], "owner": "jane"}}, {f"orders.{NOT_NULL}": "malformed"}),
        ({"orders": {COUNT: None, "owner": "jane"}}, {f"orders.{COUNT}": Figure("row_count", ())}),
        ({"orders": {NOT_NULL: True, "owner": "jane"}}, {}),
        ({"x": [{"foo": 1, NOT_NULL: {"column": "a"}}, {NOT_NULL: {"column": "b"}}]},
         {"x[0]": "malformed", f"x[0].{NOT_NULL}": Row(Present("a")), "x[1]": Row(Present("b"))}),
        ({"expectations": [{"foo": 1, NOT_NULL: {"column": "a"}}, {NOT_NULL: {"column": "b"}}]},
         {"expectations[0]": "malformed", f"expectations[0].{NOT_NULL}": Row(Present("a")),
          "expectations[1]": Row(Present("b"))}),
        ({"expectations": [{"type": NOT_NULL, "kwargs": {"column": "a"}, BETWEEN: [ITEM]}]},
         {"expectations[0]": Row(Present("a")), f"expectations[0].{BETWEEN}": "malformed"}),
    ],
)  # fmt: skip
def test_names_that_are_keys(document, expected, file):
    rules = read(json.dumps(document), file=file).rules
    found = {r.atom: getattr(r.check, "code", r.check) for r in rules}
    assert found == expected
