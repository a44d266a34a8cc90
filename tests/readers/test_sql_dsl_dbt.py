"""Tests of dbt: what they become, record by record, and what must not become a rule."""

from __future__ import annotations

import json

import pytest
from sql_rows import Rows
from sql_shown import setting, shown

from ruleferry.converters.readers.sql.dsl import (
    is_clouddq,
    is_dbt,
    is_soda,
    project_in,
    read_dbt,
    read_dbt_templates,
    templates_in,
    with_severity,
)

ON_COLUMN = "models:\n- name: m\n  columns:\n  - name: c\n    tests:\n    - {}\n"
ON_MODEL = "models:\n- name: m\n  tests:\n  - {}\n"


def read(text, dialect="postgres", **more):
    founds, _ = read_dbt(text, "models/schema.yml", setting(dialect), **more)
    return [shown(found) for found in founds]


def test_the_case(shared):
    text = (shared / "cases" / "sql" / "s048_dbt_schema.yml").read_text("utf-8")
    assert read(text) == [
        "stg_orders_expression_is_true_a >= b: bad NOT (a >= b) -> warn",
        "stg_orders_unique_order_id_status: unique order_id, status (never) -> fail",
        "stg_orders_order_id_unique: unique order_id (any_missing) -> fail",
        "stg_orders_order_id_not_null: order_id present -> fail",
        "stg_orders_status_accepted_values: status in ('new', 'sent') -> fail",
        "stg_orders_customer_id_relationships: in stg_customers by customer_id = id (missing good)"
        " -> fail",
        "stg_orders_qty_accepted_range: qty [1, 99] -> fail",
    ]


def test_the_case_has_an_atom_for_each_item_of_a_list(shared):
    text = (shared / "cases" / "sql" / "s048_dbt_schema.yml").read_text("utf-8")
    founds, lengths = read_dbt(text, "x.yml", setting("postgres"))
    assert sum(lengths.values()) == len(founds) == 7
    for found in founds:
        path, _, index = found.part.rstrip("]").rpartition("[")
        assert int(index) < lengths[path]
    status = next(found for found in founds if found.part == "models[0].columns[1].tests[0]")
    assert text[status.start : status.end].startswith("accepted_values:")
    assert {found.checked.table for found in founds} == {"stg_orders"}


CONVERTS = [
    ("unique", "m_c_unique: unique c (any_missing) -> fail"),
    ("not_null: {severity: warn}", "m_c_not_null: c present -> warn"),
    ("not_null: {config: {severity: WARN}}", "m_c_not_null: c present -> warn"),
    ("not_null: {config: {severity: error}}", "m_c_not_null: c present -> fail"),
    ("not_null: {name: mine, error_if: '!= 0'}", "mine: c present -> fail"),
    ("not_null: {error_if: '>10', severity: warn}", "m_c_not_null: c present -> warn"),
    ("unique: {config: {where: b > 1}}", "m_c_unique: unique c (any_missing) where b > 1 -> fail"),
    ("accepted_values: {values: ['a']}", "m_c_accepted_values: c in ('a',) -> fail"),
    ("accepted_values: {arguments: {values: [a]}}", "m_c_accepted_values: c in ('a',) -> fail"),
    (
        "accepted_values: {values: [1], quote: false}",
        "m_c_accepted_values: c in (1,) -> fail",
    ),
    (
        "accepted_values: {values: [1, 2]}",
        "m_c_accepted_values: bad NOT c IN ('1', '2') -> fail",
    ),
    (
        "{name: mine, test_name: accepted_values, values: [a]}",
        "mine: c in ('a',) -> fail",
    ),
    (
        "relationships: {to: \"source('s', 't')\", field: id}",
        "m_c_relationships: in s.t by c = id (missing good) -> fail",
    ),
    (
        "relationships: {to: \"{{ ref('p', 'q') }}\", field: id}",
        "m_c_relationships: in q by c = id (missing good) -> fail",
    ),
    ("dbt_utils.accepted_range: {min_value: 0}", "m_c_accepted_range: c [0, None] -> fail"),
    (
        "dbt_utils.accepted_range: {min_value: 0, max_value: 9.5, inclusive: false}",
        "m_c_accepted_range: c (0, 9.5) -> fail",
    ),
    (
        "dbt_utils.accepted_range: {max_value: b + 1}",
        "m_c_accepted_range: bad NOT (c <= b + 1) -> fail",
    ),
    (
        "dbt_utils.expression_is_true: {expression: '> 1'}",
        "m_c_expression_is_true: bad NOT (c > 1) -> fail",
    ),
    (
        "dbt_utils.not_null_proportion: {at_least: 0.95}",
        "m_c_not_null_proportion: share 0.95 of c present -> fail",
    ),
    ("dbt_utils.not_empty_string", "m_c_not_empty_string: bad trim(c) = '' -> fail"),
    (
        "dbt_utils.not_accepted_values: {values: [a]}",
        "m_c_not_accepted_values: c not in ('a',) -> fail",
    ),
    ("dbt_utils.at_least_one", "m_c_at_least_one: figures good count(c) > 0 -> fail"),
    ("dbt_utils.not_constant", "m_c_not_constant: figures bad count(DISTINCT c) = 1 -> fail"),
    (
        "dbt_utils.relationships_where: {to: ref('q'), field: id, from_condition: a = 1, "
        "to_condition: b = 2}",
        "m_c_relationships_where: in q by c = id where b = 2 (missing good) where a = 1 -> fail",
    ),
    (
        "dbt_expectations.expect_column_values_to_be_in_set: {value_set: [a], "
        "row_condition: b = 1}",
        "m_c_expect_column_values_to_be_in_set: good c IN ('a') where b = 1 -> fail",
    ),
    (
        "dbt_expectations.expect_column_values_to_be_between: {min_value: 0, strictly: true}",
        "m_c_expect_column_values_to_be_between: c (0, None) -> fail",
    ),
    (
        "dbt_expectations.expect_column_value_lengths_to_equal: {value: 3}",
        "m_c_expect_column_value_lengths_to_equal: bad NOT (length(c) >= 3 AND length(c) "
        "<= 3) -> fail",
    ),
    (
        "dbt_expectations.expect_column_values_to_match_regex: {regex: '^[A-Z]+$'}",
        "m_c_expect_column_values_to_match_regex: c like ^[A-Z]+$ -> fail",
    ),
    (
        "dbt_expectations.expect_column_max_to_be_between: {max_value: 9}",
        "m_c_expect_column_max_to_be_between: figures bad NOT (max(c) <= 9) -> fail",
    ),
    (
        "dbt_expectations.expect_column_values_to_be_null",
        "m_c_expect_column_values_to_be_null: c absent -> fail",
    ),
    (
        "dbt_expectations.expect_column_to_exist",
        "m_c_expect_column_to_exist: columns exists  -> fail",
    ),
]


@pytest.mark.parametrize(("item", "rule"), CONVERTS)
def test_converts(item, rule):
    assert read(ON_COLUMN.format(item)) == [rule]


ON_TABLE = [
    (
        "dbt_utils.unique_combination_of_columns: {combination_of_columns: [a, b]}",
        "m_unique_a_b: unique a, b (never) -> fail",
    ),
    (
        "dbt_utils.equal_rowcount: {compare_model: ref('x')}",
        "m_equal_rowcount: row_count_of_tables other_table_name=x -> fail",
    ),
    (
        "dbt_utils.fewer_rows_than: {compare_model: ref('x')}",
        "m_fewer_rows_than: figures good count(*) < (SELECT count(*) FROM x) -> fail",
    ),
    (
        "dbt_utils.recency: {datepart: day, field: ts, interval: 2}",
        "m_recency_ts: freshness ts seconds=172800 -> fail",
    ),
    (
        "dbt_expectations.expect_table_row_count_to_equal: {value: 5}",
        "m_expect_table_row_count_to_equal: row_count max_value=5 min_value=5 -> fail",
    ),
    (
        "dbt_expectations.expect_compound_columns_to_be_unique: {column_list: [a, b]}",
        "m_expect_compound_columns_to_be_unique_a_b: unique a, b (all_missing) -> fail",
    ),
    (
        "dbt_expectations.expect_column_pair_values_A_to_be_greater_than_B: {column_A: "
        "a, column_B: b}",
        "m_expect_column_pair_values_A_to_be_greater_than_B: bad NOT (a > b) -> fail",
    ),
]


@pytest.mark.parametrize(("item", "rule"), ON_TABLE)
def test_converts_on_a_model(item, rule):
    assert read(ON_MODEL.format(item)) == [rule]


MUST_NOT = [
    ("my_test", "custom_test", "its SQL is nowhere"),
    ("pkg.other: {a: 1}", "custom_test", "a package nobody knows"),
    ("unique: {sideways: true}", "unknown_shape", "an argument nobody knows"),
    ("not_null: {error_if: '>10'}", "no_equivalent", "ten may be bad"),
    ("not_null: {warn_if: '>10', severity: warn}", "no_equivalent", "ten may be bad"),
    ("not_null: {fail_calc: sum(n)}", "no_equivalent", "it counts otherwise"),
    ("not_null: {where: \"dt > '{{ var(1) }}'\"}", "template", "a bound that is not known"),
    ("not_null: {enabled: \"{{ target.name == 'prod' }}\"}", "template", "known when it runs"),
    ("accepted_values: {values: [yes, no]}", "doubtful_yaml", "texts or truth values"),
    ("accepted_values: {values: []}", "never_passes", "no value is allowed"),
    ("accepted_values: {values: [[1]]}", "malformed", "no value"),
    ("accepted_values", "malformed", "no values"),
    ('relationships: {to: "{{ target.name }}", field: id}', "template", "which table"),
    ("relationships: {to: ref('x')}", "malformed", "which column"),
    ("dbt_utils.accepted_range", "never_fails", "no bound"),
    (
        "dbt_utils.not_null_proportion: {at_least: 0.1, at_most: 0.5}",
        "no_equivalent",
        "wants missing ones",
    ),
    ("dbt_utils.at_least_one: {group_by_columns: [b]}", "no_equivalent", "by groups"),
    ("dbt_utils.sequential_values: {interval: 1}", "no_equivalent", "neighbouring records"),
    (
        "dbt_utils.expression_is_true: {expression: '> {{ var(1) }}'}",
        "parameter",
        "a value not known",
    ),
    ("dbt_utils.expression_is_true: {expression: '> ('}", "not_readable", "no SQL"),
    (
        "dbt_utils.recency: {datepart: month, field: t, interval: 1}",
        "no_equivalent",
        "months differ",
    ),
    ("dbt_expectations.expect_column_values_to_be_increasing", "no_equivalent", "an order"),
    ("[unique]", "malformed", "a list"),
    ("{unique: {}, not_null: {}}", "malformed", "two names"),
]


@pytest.mark.parametrize(("item", "code", "why"), MUST_NOT)
def test_must_not_convert(item, code, why):
    (rule,) = read(ON_COLUMN.format(item))
    assert rule.endswith(f"gap {code}"), why


def test_a_column_that_is_an_expression_is_a_gap():
    assert read(ON_COLUMN.format("unique").replace("name: c", "name: lower(c)"))[0].endswith(
        "gap unknown_shape"
    )


def test_what_is_switched_off_is_no_rule():
    assert read(ON_COLUMN.format("unique: {enabled: false}")) == ["m_c_unique: no rule"]
    off = ON_COLUMN.format("unique").replace("- name: m", "- name: m\n  config: {enabled: false}")
    assert read(off) == ["m_c_unique: no rule"]


def test_texts_that_a_database_compares_in_its_own_way_are_left_to_its_dialect():
    rule = read(ON_COLUMN.format("accepted_values: {values: [a]}"), "tsql")
    assert rule == ["m_c_accepted_values: bad NOT c IN ('a') -> fail"]


def test_sources_are_named_by_schema_and_identifier():
    text = """
    sources:
    - name: raw
      schema: landing
      tables: [{name: o, identifier: O1, columns: [{name: id, tests: [unique]}]}]
    models:
    - name: m
      columns: [{name: c, tests: [{relationships: {to: "source('raw', 'o')", field: id}}]}]
    """
    founds, lengths = read_dbt(text, "x.yml", setting("postgres"))
    assert [(found.checked.table, shown(found)) for found in founds] == [
        ("m", "m_c_relationships: in landing.O1 by c = id (missing good) -> fail"),
        ("landing.O1", "source_raw_o_id_unique: unique id (any_missing) -> fail"),
    ]
    assert lengths == {"models[0].columns[0].tests": 1, "sources[0].tables[0].columns[0].tests": 1}


def test_a_filter_of_the_load_is_left_out_and_told():
    where = "not_null: {config: {where: \"dt = '{{ var('dt') }}' and b = 1\"}}"
    founds, _ = read_dbt(ON_COLUMN.format(where), "x.yml", setting("postgres"))
    assert shown(founds[0]) == "m_c_not_null: c present where b = 1 -> fail"
    assert founds[0].checked.filters == ("dt = '{{ var('dt') }}'",)


def test_a_key_within_a_load_is_told_to_be_one_of_the_whole_table():
    where = "unique: {config: {where: \"dt = '{{ var('dt') }}'\"}}"
    founds, _ = read_dbt(ON_COLUMN.format(where), "x.yml", setting("postgres"))
    assert [caveat.code for caveat in founds[0].checked.caveats] == ["whole_table"]


def test_anchors_share_tests_and_each_use_is_an_atom():
    text = """
    models:
    - {name: a, columns: [{name: c, tests: &t [unique, not_null]}]}
    - {name: b, columns: [{name: d, tests: *t}]}
    """
    founds, lengths = read_dbt(text, "x.yml", setting("postgres"))
    assert len(founds) == sum(lengths.values()) == 4


# Templates ----------------------------------------------------------------------------------------


def test_a_template_alone_is_no_rule(shared):
    text = (shared / "cases" / "sql" / "s049_dbt_generic.sql").read_text("utf-8")
    founds = read_dbt_templates(text, "tests/generic/s049.sql")
    assert [shown(found) for found in founds] == ["no rule"]


def test_each_use_of_a_template_is_a_rule(shared):
    text = (shared / "cases" / "sql" / "s049_dbt_generic.sql").read_text("utf-8")
    rule = read(ON_COLUMN.format("positive_value"), templates=templates_in(text))
    assert rule == ["m_c_positive_value: bad c < 1 -> fail"]


TEMPLATE = """
{% test above(model, column_name, low=0, of='a') %}
select * from {{ model }} where {{ column_name }} <= {{ low }} and kind = '{{ of }}'
{% endtest %}
"""


@pytest.mark.parametrize(
    ("item", "rule"),
    [
        ("above", "m_c_above: bad c <= 0 AND kind = 'a' -> fail"),
        ("above: {low: 3, of: b}", "m_c_above: bad c <= 3 AND kind = 'b' -> fail"),
        (
            "above: {low: 3, where: b = 1}",
            "m_c_above: bad c <= 3 AND kind = 'a' where b = 1 -> fail",
        ),
        ("above: {high: 3}", "m_c_above: gap unknown_shape"),
        ("above: {low: [3]}", "m_c_above: gap template"),
    ],
)
def test_arguments_of_a_template(item, rule):
    assert read(ON_COLUMN.format(item), templates=templates_in(TEMPLATE)) == [rule]


def test_a_template_with_code_of_its_own_is_a_gap():
    text = "{% test t(model) %}select * from {{ model }} where {% if x %}a{% endif %}{% endtest %}"
    assert read(ON_MODEL.format("t"), templates=templates_in(text)) == ["m_t: gap template"]


# Recognition --------------------------------------------------------------------------------------

DOCUMENTS = [
    ({"version": 2, "models": [{"name": "m"}]}, "dbt"),
    ({"sources": [{"name": "s", "tables": []}]}, "dbt"),
    ({"checks for t": ["row_count > 0"]}, "soda"),
    ({"for each dataset d": {"datasets": ["a"], "checks": []}}, "soda"),
    ({"rule_bindings": {"b": {"rule_ids": ["x"]}}}, "clouddq"),
    ({"expectation_suite_name": "s", "expectations": []}, ""),
    ({"models": ["a", "b"]}, ""),
    ({"models": {"my_project": {"+materialized": "table"}}}, ""),
    ({"sources": [{"id": 1}]}, ""),
    ({"checks": ["x"]}, ""),
    ({"rule_bindings": {}}, ""),
    ({"name": "x", "config_version": 3, "datasources": {}}, ""),
    ([1], ""),
    (None, ""),
]


@pytest.mark.parametrize(("document", "tool"), DOCUMENTS, ids=lambda given: json.dumps(given)[:40])
def test_whose_a_document_is(document, tool):
    found = {"dbt": is_dbt, "soda": is_soda, "clouddq": is_clouddq}
    assert [name for name, is_its in found.items() if is_its(document)] == ([tool] if tool else [])


# Records ------------------------------------------------------------------------------------------

ROWS = [(None, 1), (0, 1), (1, None), (2, 2), (2, 2), (9, 7)]
BY_RECORD = [
    # the item, and dbt's own query of bad records
    ("not_null", "c IS NULL"),
    ("accepted_values: {values: [0, 1], quote: false}", "c NOT IN (0, 1)"),
    ("dbt_utils.not_accepted_values: {values: [0, 1], quote: false}", "c IN (0, 1)"),
    ("dbt_utils.accepted_range: {min_value: 1, max_value: 2}", "NOT c >= 1 OR NOT c <= 2"),
    ("dbt_utils.accepted_range: {min_value: 1, inclusive: false}", "NOT c > 1"),
    ("dbt_utils.accepted_range: {min_value: b}", "NOT c >= b"),
    ("dbt_utils.expression_is_true: {expression: '>= b'}", "NOT (c >= b)"),
    (
        "unique",
        "c IN (SELECT c FROM ruleferry_rows WHERE c IS NOT NULL GROUP BY c HAVING count(*) > 1)",
    ),
    ("unique: {where: b = 1}", "FALSE"),
    ("not_null: {where: b = 1}", "c IS NULL AND b = 1"),
    ("relationships: {to: ref('q'), field: id}", "c IS NOT NULL AND c NOT IN (SELECT id FROM q)"),
    (
        "dbt_expectations.expect_column_values_to_be_in_set: {value_set: [0, 1], "
        "quote_values: false}",
        "c IS NULL OR c NOT IN (0, 1)",
    ),
]


@pytest.mark.parametrize(("item", "bad"), BY_RECORD)
def test_the_records_that_the_tool_finds_bad(item, bad):
    rows = Rows("c INTEGER, b INTEGER", ROWS, {"q": "SELECT * FROM (VALUES (1), (2)) AS v(id)"})
    founds, _ = read_dbt(ON_COLUMN.format(item), "x.yml", setting("duckdb"))
    assert rows.bad(founds[0].checked) == rows.where(bad)


# What is declared beside the tests ----------------------------------------------------------------

CONTRACT = "models:\n- name: m\n  config: {{contract: {{enforced: {}}}}}\n  constraints: [{}]\n"
CONSTRAINTS = [
    (
        "true",
        "{type: not_null, columns: [a, b]}",
        ["m_a_not_null: a present -> fail", "m_b_not_null: b present -> fail"],
    ),
    (
        "true",
        "{type: primary_key, columns: [a]}",
        [
            "m_a_primary_key_not_null: a present -> fail",
            "m_a_primary_key_unique: unique a (any_missing) -> fail",
        ],
    ),
    ("true", "{type: check, name: pos, expression: a > 0}", ["pos: bad NOT (a > 0) -> fail"]),
    ("false", "{type: check, expression: a > 0}", ["m_check: bad NOT (a > 0) -> warn"]),
    (
        "true",
        "{type: foreign_key, columns: [a], to: ref('d'), to_columns: [k]}",
        ["m_a_foreign_key: in d by a = k (missing good) -> fail"],
    ),
    (
        "true",
        "{type: foreign_key, columns: [a], expression: d (k)}",
        ["m_a_foreign_key: gap unknown_shape"],
    ),
    ("true", "{type: custom, expression: x}", ["m_custom: gap unknown_shape"]),
    ("true", "{type: not_null}", ["m_not_null: gap unknown_shape"]),
    ("true", "not_null", ["m_constraint: gap malformed"]),
]


@pytest.mark.parametrize(("enforced", "constraint", "rules"), CONSTRAINTS)
def test_constraints_of_a_contract(enforced, constraint, rules):
    assert read(CONTRACT.format(enforced, constraint)) == rules


SOURCE = "sources:\n- name: raw\n  {}\n  tables: [{{name: o{}}}]\n"
LIMIT = "warn_after: {count: 2, period: hour}"
FRESH = [
    (
        f"freshness: {{{LIMIT}}}",
        ", loaded_at_field: t",
        ["source_raw_o_fresh: freshness t seconds=7200 -> warn"],
    ),
    (
        "meta: {}",
        f", loaded_at_field: t, freshness: {{{LIMIT}}}",
        ["source_raw_o_fresh: freshness t seconds=7200 -> warn"],
    ),
    ("meta: {}", f", freshness: {{{LIMIT}}}", ["source_raw_o_fresh: gap no_equivalent"]),
    (
        "meta: {}",
        f", loaded_at_field: 'a + b', freshness: {{{LIMIT}}}",
        ["source_raw_o_fresh: gap unknown_shape"],
    ),
    (f"freshness: {{{LIMIT}}}", ", loaded_at_field: t, freshness: null", ["no rule"]),
    (
        "meta: {}",
        ", loaded_at_field: t, freshness: {error_after: {count: 1, period: year}}",
        ["source_raw_o_fresh: gap malformed"],
    ),
]


@pytest.mark.parametrize(("source", "table", "rules"), FRESH)
def test_how_fresh_a_source_is(source, table, rules):
    assert read(SOURCE.format(source, table)) == rules


PROJECT = """
name: shop
tests:
  +severity: warn
  shop: {staging: {+severity: error}, marts: {+severity: "{{ var('s') }}"}}
"""
SEVERITIES = {
    "p/models/schema.yml": "warn",
    "p/models/staging/schema.yml": "fail",
    "p/models/marts/schema.yml": None,
    "other/models/schema.yml": "fail",
}


@pytest.mark.parametrize(("file", "action"), SEVERITIES.items())
def test_a_project_decides_what_its_tests_do(file, action):
    text = ON_COLUMN.format("unique") + "    - not_null: {severity: error}\n"
    founds, _ = read_dbt(text, file, setting("postgres"))
    project = project_in(PROJECT, "p/dbt_project.yml")
    assert [f.effect.action for f in with_severity(founds, file, [project])] == [action, "fail"]
