"""`report --json`: what the reports show, in the form that is published."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ledgers import digest, entry, large_ledger, ledger_of, left, orders_ledger

from ruleferry.converters.account import About, Answered, Ledger, Proposal, Question
from ruleferry.converters.proved import DifferingRow, Proved
from ruleferry.converters.reports.rendering import view
from ruleferry.converters.reports.report_json import report_json

SCHEMA = json.loads((files("ruleferry") / "mappings" / "report.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def shown(ledger: Ledger, *proofs: Proved) -> dict:
    told = json.loads(report_json(view(ledger, proofs)))
    assert [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(told)] == []
    return told


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("ledger", [orders_ledger(), large_ledger(30), ledger_of([])])
def test_it_is_as_published(ledger):
    told = shown(ledger)
    assert len(told["rules"]) == told["figures"]["rules"]
    assert len(told["questions"]) == len(ledger.questions)
    assert sum(told["outcomes"].values()) == len(ledger.entries)


def proof_of(rule, verdict, **fields) -> Proved:
    return Proved(rule.id, rule.text_sha256, digest(rule.condition), verdict, **fields)


def test_which_old_checks_may_be_switched_off():
    good, other = entry("a", "[0]"), entry("b", "[1]")
    row = DifferingRow((("price", "-1"),), "good", "bad")
    proofs = (
        proof_of(good, "agrees", rows=9),
        proof_of(other, "differs", rows=9, differing=1, examples=(row,)),
    )
    told = shown(ledger_of([good, other, entry("c", "[2]")]), *proofs)
    assert {rule["name"]: rule["switch_off"] for rule in told["rules"]} == {
        "a": {"may": True, "why": ""},
        "b": {"may": False, "why": "old and new disagree on some records"},
        "c": {"may": False, "why": "not compared yet"},
    }
    assert told["rules"][1]["proved"] == {
        "rows": 9,
        "differing": 1,
        "examples": [{"values": {"price": "-1"}, "old": "good", "new": "bad"}],
    }
    assert (told["figures"]["checks"], told["figures"]["off"], told["figures"]["ready"]) == (
        3,
        1,
        1,
    )


def test_a_question_is_told_whole():
    gap = left("a", "[0]", "regex", "why")
    question = Question(
        "q", "regex", (gap.id,), "What?",
        (Proposal("leave it", "it is waived", "waive"),), "Nothing.",
        About(file="f"), "condition", (Answered("refused", "a >", "Ann", "2026-11-30", "no"),),
    )  # fmt: skip
    (told,) = shown(ledger_of([gap], question))["questions"]
    assert told == {
        "id": "q",
        "number": 1,
        "code": "regex",
        "title": "A text pattern that Databricks reads differently",
        "opens": True,
        "question": "What?",
        "proposals": [{"label": "leave it", "effect": "it is waived", "does": "waive"}],
        "takes": "condition",
        "until_answered": "Nothing.",
        "about": {"file": "f"},
        "answered": [
            {"state": "refused", "answer": "a >", "by": "Ann", "on": "2026-11-30", "why": "no"}
        ],
        "rules": [gap.id],
    }


@given(text=st.text(min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_any_text_comes_through_and_the_output_is_plain(text):
    rule = entry("a", text, title=text, table=text, columns=(text,), file=text, text=text)
    text_of = report_json(view(ledger_of([rule])))
    assert text_of.isascii()
    assert json.loads(text_of)["rules"][0]["title"] == text


def test_the_order_of_the_ledger_does_not_show():
    ledger = orders_ledger()
    turned = replace(ledger, entries=ledger.entries[::-1], questions=ledger.questions[::-1])
    assert report_json(view(turned)) == report_json(view(ledger))
