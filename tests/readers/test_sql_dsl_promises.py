"""Files of test tools: no text raises, and each item of a list has its rules or a reason."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from sql_shown import setting

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql import dsl
from ruleferry.converters.readers.yaml_text import parse_yaml

_DIALECTS = st.sampled_from(sorted(sql_dialects()))
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["unique", "not_null", "a", "ref('x')", "{{ x }}", "= 0", "when > 1", "a > 1"]),
)
_KEYS = st.sampled_from(
    [
        "name",
        "tests",
        "data_tests",
        "columns",
        "config",
        "severity",
        "where",
        "arguments",
        "values",
        "accepted_values",
        "relationships",
        "to",
        "field",
        "dbt_utils.accepted_range",
        "min_value",
        "test_name",
        "quote",
        "enabled",
        "dbt_utils.expression_is_true",
        "expression",
        "tables",
        "missing_count(a) = 0",
        "invalid_count(a) < 5",
        "valid min",
        "valid values",
        "schema",
        "fail",
        "when required column missing",
        "failed rows",
        "fail condition",
        "filter",
        "versions",
    ]
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_KEYS, inner, max_size=4)),
    max_leaves=25,
)
_TOPS = st.sampled_from(
    [
        "models",
        "sources",
        "seeds",
        "snapshots",
        "checks for t",
        "checks for t [p]",
        "filter t [p]",
        "for each dataset d",
        "configurations for t",
        "rules",
        "rule_bindings",
        "entities",
    ]
)
_YAML = (dsl.read_dbt, dsl.read_soda, dsl.read_clouddq)


@settings(max_examples=150, deadline=None)
@given(_DIALECTS, st.dictionaries(_TOPS, _VALUES, max_size=4))
def test_no_document_raises(dialect, document):
    text = json.dumps(document).replace("NaN", ".nan").replace("Infinity", ".inf")
    for is_its in (dsl.is_dbt, dsl.is_soda, dsl.is_clouddq):
        is_its(document)
    for read in _YAML:
        founds, lengths = read(text, "x.yml", setting(dialect))
        _each_item_is_there(founds, lengths)


def _each_item_is_there(founds, lengths):
    atoms = Counter(found.part.rpartition("[")[0] for found in {f.part: f for f in founds}.values())
    atoms.pop("", None)
    assert atoms == {path: count for path, count in lengths.items() if count}


_USES = st.sampled_from(
    [
        "unique",
        "not_null",
        {"accepted_values": {"values": ["a"]}},
        {"x.y": {"a": 1}},
        5,
        [],
        None,
        {"not_null": {"where": "a > 1"}},
        {"relationships": {"to": "ref('q')", "field": "id"}},
        {"dbt_utils.accepted_range": {"min_value": 1}},
        {"unique": {"enabled": False}},
        {},
        "",
    ]
)
_LISTS = st.lists(_USES, max_size=4)
_COLUMNS = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from(["a", "b c", "x"])}, optional={"tests": _LISTS}),
    max_size=3,
)
_NODES = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["m", "n"])},
        optional={"tests": _LISTS, "data_tests": _LISTS, "columns": _COLUMNS},
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=100, deadline=None)
@given(_NODES, _NODES)
def test_each_item_of_dbt_is_an_atom(models, tables):
    document = {"models": models, "sources": [{"name": "s", "tables": tables}]}
    founds, lengths = dsl.read_dbt(json.dumps(document), "x.yml", setting("postgres"))
    assert len(founds) == sum(lengths.values())
    assert len({found.part for found in founds}) == len(founds)
    _each_item_is_there(founds, lengths)


_WORDS = st.sampled_from(
    [
        "AUDIT",
        "MODEL",
        "(",
        ")",
        "name",
        "x",
        ",",
        ";",
        "SELECT",
        "*",
        "FROM",
        "@this_model",
        "WHERE",
        "a < 0",
        "audits",
        "not_null",
        "columns",
        ":=",
        "config",
        "{",
        "}",
        "[",
        "]",
        ":",
        "'a'",
        '"b',
        "`c${d}`",
        "assertions",
        "uniqueKey",
        "nonNull",
        "//",
        "/*",
        "\n#fail\n",
        "\n#warn\n",
        "{{",
        "}}",
        "{% test t(model) %}",
        "{% endtest %}",
        "{{ model }}",
        "in_range",
        "=",
        "\\",
    ]
)
_TEXTS = st.one_of(st.lists(_WORDS, max_size=25).map(" ".join), st.text(max_size=60))


@settings(max_examples=150, deadline=None)
@given(_DIALECTS, _TEXTS)
def test_no_text_raises(dialect, text):
    here = setting(dialect)
    dsl.is_sqlmesh(text)
    dsl.is_dataform(text, "x.sqlx")
    dsl.is_bigquery_checks(text, "checks.sql")
    dsl.templates_in(text)
    reads = (dsl.read_sqlmesh, dsl.read_dataform, dsl.read_bigquery_checks, *_YAML)
    for read in reads:
        for prefix in ("", "AUDIT (name x", "config {", "#fail\n"):
            founds, _ = read(prefix + text, "p/d/t/checks.sql", here)
            assert all(0 <= f.start <= f.end <= len(prefix + text) for f in founds)
    dsl.read_dbt_templates(text, "x.sql")


def test_an_anchor_that_swells_is_a_gap():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    founds, lengths = dsl.read_dbt("\n".join(lines), "x.yml", setting("postgres"))
    assert [found.checked.check.code for found in founds] == ["unreadable"]
    assert lengths == {}


def test_what_a_place_names_stands_there():
    text = (
        "models:\n  - name: m\n    columns:\n      - {name: é, tests: [unique, {not_null: {}}]}\n"
    )
    founds, _ = dsl.read_dbt(text, "x.yml", setting("postgres"))
    assert [text[found.start : found.end] for found in founds] == ["unique", "{not_null: {}}"]
    assert parse_yaml(text)
