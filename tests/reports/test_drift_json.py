"""`drift --format json`: all of a comparison, in the form that is published."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest
from drifts import BY_MARK, GONE, MODULE, NEW, PRICE, drift_of, every_kind, in_sync, many, several
from jsonschema import Draft202012Validator

from ruleferry.converters.drifted import CHANGES, LEVELS, SIDES, At, Drift, drifted, reaches
from ruleferry.converters.reports.drift import report_text

SCHEMA = json.loads((files("ruleferry") / "mappings" / "drift.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def shown(drift: Drift, fail_on="any") -> dict:
    text = report_text(drift, "json", fail_on=fail_on)
    assert text.isascii()
    told = json.loads(text)
    assert [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(told)] == []
    return told


def test_the_schema_is_one_and_knows_all_words():
    Draft202012Validator.check_schema(SCHEMA)
    of = SCHEMA["$defs"]["difference"]["properties"]
    assert of["change"]["enum"] == [*CHANGES]
    assert of["side"]["enum"] == [*SIDES]
    assert SCHEMA["$defs"]["level"]["enum"] == [*LEVELS]
    counts = SCHEMA["properties"]["counts"]["properties"]
    assert counts["by_change"]["propertyNames"]["enum"] == [*CHANGES]


def test_every_kind_is_as_published():
    told = shown(drift_of(*every_kind(), accepted=(BY_MARK,)))
    assert told["counts"]["differences"] == len(every_kind()) == len(told["differences"])
    assert sum(told["counts"]["by_change"].values()) == len(every_kind())


@pytest.mark.parametrize("fail_on", LEVELS)
def test_what_counts(fail_on):
    drift = many(40)
    told = shown(drift, fail_on)
    assert told["fails"] == drifted(drift, fail_on)
    assert told["fail_on"] == fail_on
    failing = [one for one in told["differences"] if one["fails"]]
    assert len(failing) == told["counts"]["failing"] > 0
    assert all(reaches(one["level"], fail_on) == one["fails"] for one in told["differences"])


@pytest.mark.parametrize(("drift", "synced", "fails"), [
    (in_sync(), True, False),
    (drift_of(accepted=(BY_MARK,)), True, False),
    (drift_of(NEW), False, False),
    (drift_of(NEW, GONE), False, True),
    (drift_of(rules={}, sources=0), False, False),  # nothing compared is nothing in sync
])  # fmt: skip
def test_in_sync_and_failing_are_two_things(drift, synced, fails):
    told = shown(drift, "changed")
    assert (told["in_sync"], told["fails"]) == (synced, fails)


def test_a_difference_is_told_whole():
    assert shown(drift_of(PRICE))["differences"] == [
        {
            "change": "changed",
            "side": "both",
            "level": "changed",
            "fails": True,
            "table": "orders",
            "rule": "o_totalprice_range",
            "id": "e78905aa01ff",
            "columns": ["o_totalprice"],
            "title": "Price of the whole order",
            "detail": PRICE.detail,
            "todo": PRICE.todo,
            "source": {"file": "dictionary.xlsx", "place": "Fields!L7"},
            "module": {"file": MODULE, "place": "line 93", "line": 93},
            "source_says": {"condition": PRICE.source_says.condition, "action": "drop"},
            "module_says": {"condition": PRICE.module_says.condition, "action": "warn"},
            "last_said": {"condition": PRICE.last_said.condition, "action": "drop"},
        }
    ]


def test_modules_and_what_was_written():
    told = shown(several())
    assert told["modules"] == [
        {"file": "expectations/customers_expectations.py", "rules": 12, "agree": 12},
        {"file": MODULE, "rules": 31, "agree": 26},
    ]
    assert told["rules_in_sources"] == 61
    assert told["notices"] == ["A note."]
    assert "written" not in told
    assert shown(drift_of(written=()))["written"] == []
    assert shown(drift_of(written=("b", "a")))["written"] == ["a", "b"]


def test_line_0_is_a_line():
    one = replace(PRICE, module=At(MODULE, "line 0", 0))
    assert shown(drift_of(one))["differences"][0]["module"]["line"] == 0
