"""SQLMesh, Dataform, CloudDQ and the checks of BigQuery: what their files become."""

from __future__ import annotations

import pytest
from sql_rows import Rows
from sql_shown import setting, shown

from ruleferry.converters.readers.sql.dsl import (
    is_bigquery_checks,
    is_dataform,
    is_sqlmesh,
    read_bigquery_checks,
    read_clouddq,
    read_dataform,
    read_sqlmesh,
    sections,
)
from ruleferry.converters.readers.sql.dsl.js_object import COMPUTED, read_object

# SQLMesh ------------------------------------------------------------------------------------------


def mesh(text, dialect="postgres"):
    return [shown(found) for found in read_sqlmesh(text, "audits/a.sql", setting(dialect))[0]]


def test_the_case_of_sqlmesh(shared):
    text = (shared / "cases" / "sql" / "s052_sqlmesh_audit.sql").read_text("utf-8")
    founds, lengths = read_sqlmesh(text, "s052_sqlmesh_audit.sql", setting("postgres"))
    (found,) = founds
    assert is_sqlmesh(text)
    assert shown(found).startswith(
        "assert_contract_known: in mdm.contract by contract_id = contract_id"
    )
    assert shown(found).endswith("-> warn")
    assert found.checked.table == "@this_model"
    assert lengths == {"audits[0]": 1}


BUILT_IN = [
    ("not_null(columns := (a))", "not_null_a: a present -> fail"),
    ("not_null(columns := (a, b))", "not_null_a_b: bad a IS NULL OR b IS NULL -> fail"),
    ("unique_values(columns := (a))", "unique_values_a: unique a (never) -> fail"),
    ("unique_values(columns=[a], blocking := false)", "unique_values_a: unique a (never) -> warn"),
    (
        "accepted_values(column := a, is_in := ('x', 'y'))",
        "accepted_values_a: bad NOT a IN ('x', 'y') -> fail",
    ),
    (
        "not_accepted_values(column := a, is_in := (1))",
        "not_accepted_values_a: bad a IN (1) -> fail",
    ),
    (
        "forall(criteria := (a > 0, b IN (1, 2)))",
        "forall: bad NOT (a > 0) OR NOT (b IN (1, 2)) -> fail",
    ),
    ("number_of_rows(threshold := 9)", "number_of_rows: row_count min_value=10 -> fail"),
    (
        "unique_combination_of_columns(columns := (a, b))",
        "unique_combination_of_columns_a_b: unique a, b (never) -> fail",
    ),
    (
        "accepted_range(column := a, min_v := 1, max_v := 5)",
        "accepted_range_a: bad a < 1 OR a > 5 -> fail",
    ),
    ("not_null_non_blocking(columns := (a))", "not_null_a: a present -> warn"),
    ("not_null(columns := (a), condition := b > 1)", "not_null_a: a present where b > 1 -> fail"),
    ("at_least_one(column := a)", "at_least_one_a: figures good count(a) > 0 -> fail"),
    ("not_constant(column := a)", "not_constant_a: figures good count(DISTINCT a) > 1 -> fail"),
    (
        "not_null_proportion(column := a, threshold := 0.9)",
        "not_null_proportion_a: figures good count(a) > count(*) * 0.9 -> fail",
    ),
    (
        "string_length_equal(column := a, v := 5)",
        "string_length_equal_a: bad length(a) <> 5 -> fail",
    ),
    (
        "string_length_between(column := a, min_v := 1, max_v := 5)",
        "string_length_between_a: bad length(a) < 1 OR length(a) > 5 -> fail",
    ),
    ("valid_email(column := a)", "valid_email_a: gap no_equivalent"),
    ("my_audit(x := 1)", "my_audit: gap custom_test"),
    ("not_null(columns := (a), sideways := 1)", "not_null_a: gap unknown_shape"),
    ("unique_values(columns := (a, b))", "unique_values_a_b: gap malformed"),
    ("number_of_rows(threshold := @n)", "number_of_rows: gap template"),
    ("accepted_range(column := a)", "accepted_range_a: gap never_fails"),
]


@pytest.mark.parametrize(("use", "rule"), BUILT_IN)
def test_audits_of_a_model(use, rule):
    text = f"MODEL (name db.m, kind FULL, audits ({use}));\nSELECT 1;"
    founds, lengths = read_sqlmesh(text, "m.sql", setting("postgres"))
    assert [shown(found) for found in founds] == [rule]
    assert founds[0].checked.table == "db.m"
    assert lengths == {"audits": 1}


def test_audits_of_a_file():
    text = "AUDIT (name a, dialect snowflake); SELECT * FROM @this_model WHERE x < 0;\n"
    text += "AUDIT (name b, skip true); SELECT * FROM @this_model WHERE y < 0;"
    assert mesh(text) == ["a: bad x < 0 -> fail", "b: no rule"]


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("AUDIT (name a);", "malformed"),
        ("AUDIT (name a, defaults (x = 1)); SELECT * FROM @this_model WHERE a > @x;", "template"),
        (
            "AUDIT (name a); SELECT * FROM @this_model WHERE a IN (SELECT a FROM @this_model);",
            "unsupported_query",
        ),
        ("AUDIT (name a); SELECT * FROM;", "not_readable"),
    ],
)
def test_audits_that_are_gaps(text, gap):
    assert mesh(text) == [f"a: gap {gap}"]


@pytest.mark.parametrize(
    "text", ["SELECT 1", "-- AUDIT (x)\nSELECT 1", "CREATE TABLE audit (a int)", ""]
)
def test_no_sqlmesh(text):
    assert not is_sqlmesh(text)


# Dataform -----------------------------------------------------------------------------------------


def form(config, query="select 1 as a"):
    text = f"config {{ {config} }}\n{query}"
    return [shown(found) for found in read_dataform(text, "defs/t.sqlx", setting("bigquery"))[0]]


def test_the_case_of_dataform(shared):
    text = (shared / "cases" / "sql" / "s053_dataform.sqlx").read_text("utf-8")
    founds, lengths = read_dataform(text, "s053_dataform.sqlx", setting("bigquery"))
    assert is_dataform(text, "s053_dataform.sqlx")
    assert [shown(found) for found in founds] == [
        "users_unique_key: unique user_id (never) -> fail",
        "users_non_null_user_id: user_id present -> fail",
        "users_non_null_email: email present -> fail",
        "users_row_condition_1: bad NOT (signup_date IS NULL OR signup_date > "
        "'2019-01-01') -> fail",
        "users_row_condition_2: bad NOT (email LIKE '%@%.%') -> fail",
        "no rule",
    ]
    assert {found.checked.table for found in founds} == {"users"}
    assert sum(lengths.values()) == 6
    assert text[founds[4].start : founds[4].end] == "'email like \"%@%.%\"'"


ASSERTIONS = [
    (
        "assertions: {uniqueKeys: [['a'], [\"b\", `c`]]}",
        ["t_unique_key_1: unique a (never) -> fail", "t_unique_key_2: unique b, c (never) -> fail"],
    ),
    (
        "assertions: {nonNull: 'a', /* x */ rowConditions: ['a > 0',], // y\n}",
        ["t_non_null_a: a present -> fail", "t_row_condition_1: bad NOT (a > 0) -> fail"],
    ),
    ("disabled: true, assertions: {nonNull: ['a']}", ["t_non_null_a: no rule"]),
    ("assertions: {nonNull: COLUMNS}", ["t_non_null: gap template"]),
    ("assertions: {nonNull: ['a'].concat(['b'])}", ["t_non_null: gap template"]),
    (
        "assertions: {rowConditions: [`a > ${LOW}`, 'b > 0']}",
        ["t_row_condition_1: gap template", "t_row_condition_2: bad NOT (b > 0) -> fail"],
    ),
    ("assertions: make()", ["gap unknown_shape"]),
    ("assertions: {isGood: true}", ["gap unknown_shape"]),
    ("name: NAME, assertions: {nonNull: ['a']}", ["t_non_null_a: gap template"]),
    ("assertions: {rowConditions: ['a >']}", ["t_row_condition_1: gap not_readable"]),
]


@pytest.mark.parametrize(("config", "rules"), ASSERTIONS)
def test_assertions_of_a_table(config, rules):
    assert form(config) == [*rules, "no rule"]


def test_an_assertion_that_is_a_query():
    text = "config { type: 'assertion', name: 'few' }\nSELECT * FROM ${ref('o')} WHERE a < 0"
    founds, _ = read_dataform(text, "x.sqlx", setting("bigquery"))
    assert [shown(found) for found in founds] == ["few: bad a < 0 -> fail"]
    assert founds[0].checked.table == "o"


def test_a_table_has_the_schema_of_its_configuration():
    text = "config { schema: 'core', assertions: {nonNull: ['a']} }\nselect 1"
    assert read_dataform(text, "d/t.sqlx", setting("bigquery"))[0][0].checked.table == "core.t"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "{a: 1, 'b': [true, null, -1.5], \"c\": {d: `x`},}",
            {"a": 1, "b": [True, None, -1.5], "c": {"d": "x"}},
        ),
        ("{a: 'it\\'s \\u0041'}", {"a": "it's A"}),
        ("{a: f(1, {b: ']'}), c: 2}", {"a": COMPUTED, "c": 2}),
        ("{a: 1 + 2}", {"a": COMPUTED}),
        ("{...rest, a: 1}", {"?0": COMPUTED, "a": 1}),
        ("{a: ", None),
    ],
)
def test_objects_of_javascript(text, value):
    def plain(found):
        if isinstance(found.plain, dict):
            return {key: plain(inner) for key, inner in found.plain.items()}
        if isinstance(found.plain, list):
            return [plain(inner) for inner in found.plain]
        return found.plain

    found = read_object(text, 0)
    assert (None if found is None else plain(found)) == value


# checks.sql ---------------------------------------------------------------------------------------


def checks(text, file="sql/p/d/t/checks.sql"):
    founds, _ = read_bigquery_checks(text, file, setting("bigquery"))
    return [shown(found) for found in founds]


def test_the_case_of_checks(shared):
    text = (shared / "cases" / "sql" / "s058_mozilla_style.sql").read_text("utf-8")
    founds, lengths = read_bigquery_checks(text, "s058_mozilla_style.sql", setting("bigquery"))
    assert is_bigquery_checks(text, "s058_mozilla_style.sql")
    assert [shown(found) for found in founds] == ["not_null_client_id: client_id present -> fail"]
    assert founds[0].checked.table == "p.d.clients"
    assert founds[0].checked.filters == ("submission_date = @submission_date",)
    assert lengths == {"checks": 2}
    assert [(part.action, part.macro) for part in sections(text)] == [
        ("fail", True),
        ("warn", False),
    ]


MACROS = [
    (
        'not_null(["a", "b"], "x = 1")',
        ["not_null_a: a present where x = 1 -> fail", "not_null_b: b present where x = 1 -> fail"],
    ),
    ('is_unique(columns=["a", "b"])', ["is_unique_a_b: unique a, b (never) -> fail"]),
    ("min_row_count(100)", ["min_row_count: row_count min_value=100 -> fail"]),
    ('value_length(column="a", expected_length=2)', ["value_length_a: bad length(a) <> 2 -> fail"]),
    ('accepted_values(column="a", values=["x"])', ["accepted_values_a: a in ('x',) -> fail"]),
    ('in_range(columns=["a"], min=0, max=none)', ["in_range_a: a [0, None] -> fail"]),
    ('matches_pattern(column="a", pattern="^x$")', ["matches_pattern_a: a like ^x$ -> fail"]),
    (
        'matches_pattern(column="a", pattern="x", threshold_fail_percentage=5)',
        ["matches_pattern_a: gap no_equivalent"],
    ),
    ('in_range(columns=["a"], min="b", max=none)', ["in_range_a: gap unknown_shape"]),
    ('not_null(columns=["a"], sideways=1)', ["not_null_a: gap unknown_shape"]),
    ("not_null()", ["not_null: gap malformed"]),
    ("not_null(columns=cols)", ["gap custom_test"]),
    ("row_count_within_past_partitions_avg(7)", ["gap custom_test"]),
]


@pytest.mark.parametrize(("macro", "rules"), MACROS)
def test_macros(macro, rules):
    assert checks(f"#fail\n{{{{ {macro} }}}}\n") == rules


def test_without_a_path_or_a_query_there_is_no_table():
    text = '#warn\n{{ not_null(columns=["a"]) }}'
    assert checks(text, "mine.sql") == ["not_null_a: gap no_table"]


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("SELECT 1", "checks.sql"),
        ("#fail\nSELECT 1", "x.sql"),
        ("# failure\nSELECT 1", "checks.sql"),
    ],
)
def test_no_checks(text, file):
    assert not is_bigquery_checks(text, file)


# CloudDQ ------------------------------------------------------------------------------------------

BINDINGS = """
entities:
  E: {{instance_name: p, database_name: d, table_name: t, columns: {{V: {{name: c}}}}}}
row_filters:
  ALL: {{filter_sql_expr: "True"}}
  F: {{filter_sql_expr: b = 1}}
rules:
  R: {{{rule}}}
rule_bindings:
  B: {{entity_id: E, column_id: V, row_filter_id: {row_filter}, rule_ids: [R]}}
"""
TYPES = [
    ("rule_type: NOT_NULL", "F", "B_R: c present where b = 1 -> warn"),
    ("rule_type: NOT_BLANK", "ALL", "B_R: bad trim(c) = '' -> warn"),
    ("rule_type: REGEX, params: {pattern: '^x'}", "ALL", "B_R: c like ^x -> warn"),
    (
        "rule_type: CUSTOM_SQL_EXPR, params: {custom_sql_expr: $column > 1}",
        "ALL",
        "B_R: good c IS NULL OR (c > 1) -> warn",
    ),
    (
        "rule_type: CUSTOM_SQL_STATEMENT, params: {custom_sql_statement: select 1}",
        "ALL",
        "B_R: gap custom_test",
    ),
    ("rule_type: NOT_NULL", "G", "B_R: gap template"),
]


@pytest.mark.parametrize(("rule", "row_filter", "shows"), TYPES)
def test_rules_of_clouddq(rule, row_filter, shows):
    text = BINDINGS.format(rule=rule, row_filter=row_filter)
    founds, lengths = read_clouddq(text, "x.yml", setting("bigquery"))
    assert [shown(found) for found in founds] == [shows]
    assert founds[0].checked.table == "p.d.t"
    assert lengths == {"rule_bindings.B.rule_ids": 1}


# Records ------------------------------------------------------------------------------------------

ROWS = [(None, 1), (0, 1), (1, None), (2, 2), (2, 2), (9, 7)]
BY_RECORD = [
    (
        "MODEL (name m, audits (forall(criteria := (c > 0, c >= b))));",
        "NOT (c > 0) OR NOT (c >= b)",
    ),
    ("MODEL (name m, audits (accepted_values(column := c, is_in := (0, 1))));", "c NOT IN (0, 1)"),
    ("MODEL (name m, audits (accepted_range(column := c, min_v := 1)));", "c < 1"),
    ("AUDIT (name a); SELECT c FROM @this_model WHERE c < b", "c < b"),
]


@pytest.mark.parametrize(("text", "bad"), BY_RECORD)
def test_the_records_that_sqlmesh_finds_bad(text, bad):
    founds, _ = read_sqlmesh(text, "m.sql", setting("duckdb"))
    rows = Rows("c INTEGER, b INTEGER", ROWS)
    assert rows.bad(founds[0].checked) == rows.where(bad)


def test_the_records_that_a_condition_of_clouddq_finds_bad():
    rule = "rule_type: CUSTOM_SQL_EXPR, params: {custom_sql_expr: $column >= b}"
    text = BINDINGS.format(rule=rule, row_filter="ALL")
    founds, _ = read_clouddq(text, "x.yml", setting("duckdb"))
    rows = Rows("c INTEGER, b INTEGER", ROWS)
    bad = "CASE WHEN c IS NULL THEN FALSE WHEN c >= b THEN FALSE ELSE TRUE END"
    assert rows.bad(founds[0].checked) == rows.where(bad)
