"""`drift --format sarif`, held to the schema of SARIF 2.1.0 and to what viewers ask for."""

import json
from dataclasses import replace
from urllib.parse import unquote, urlsplit

import pytest
from drifts import (
    BY_DECISION,
    BY_MARK,
    GONE,
    MODULE,
    NEW,
    OUTSIDE,
    PRICE,
    STATUS,
    drift_of,
    every_kind,
    in_sync,
    many,
    several,
)

from ruleferry.converters.drifted import LEVELS, At, Drift, drifted
from ruleferry.converters.reports.drift import report_text


def run_of(drift: Drift, fail_on="any") -> dict:
    text = report_text(drift, "sarif", fail_on=fail_on)
    assert text.isascii()
    (run,) = json.loads(text)["runs"]
    return run


def only(drift: Drift, fail_on="any") -> dict:
    (result,) = run_of(drift, fail_on)["results"]
    return result


@pytest.mark.parametrize("fail_on", LEVELS)
def test_it_is_as_the_schema_says(fail_on, sarif_schema):
    nothing = drift_of(rules={}, sources=0)
    for drift in (in_sync(), several(), many(50), drift_of(*every_kind()), nothing):
        log = json.loads(report_text(drift, "sarif", fail_on=fail_on))
        errors = [f"{[*e.path]}: {e.message[:300]}" for e in sarif_schema.iter_errors(log)]
        assert errors == []
        (run,) = log["runs"]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(rules) == len({*rules}) == 17
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"]
            # GitHub refuses a file with a result that has no place.
            (place,) = result["locations"]
            assert place["physicalLocation"]["artifactLocation"]["uri"]
        assert run["invocations"][0]["exitCode"] == drifted(drift, fail_on)


def test_the_place_is_the_line_of_the_module():
    result = only(drift_of(STATUS))
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": MODULE, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 88},
    }
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"] == {
        "artifactLocation": {"uri": "dictionary.xlsx", "uriBaseId": "%SRCROOT%"}
    }
    assert related["message"] == {"text": "dictionary.xlsx Fields!F12"}


def test_without_a_module_it_is_the_source_where_a_workbook_has_no_lines():
    place = only(drift_of(NEW))["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "dictionary.xlsx", "uriBaseId": "%SRCROOT%"}}
    result = only(drift_of(GONE))
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 18}
    assert "relatedLocations" not in result
    assert result["properties"]["source"]["place"] == "line 18"


@pytest.mark.parametrize(("fail_on", "levels"), [
    ("any", ["error", "error", "error"]),
    ("changed", ["error", "error", "note"]),
    ("loosened", ["error", "error", "note"]),
    ("removed", ["error", "warning", "note"]),
])  # fmt: skip
def test_what_counts_is_an_error(fail_on, levels):
    run = run_of(drift_of(GONE, STATUS, NEW), fail_on)
    assert [result["level"] for result in run["results"]] == levels
    for result in run["results"]:
        assert ("below" in result["message"]["text"]) == (result["level"] != "error")


def test_an_accepted_one_is_suppressed():
    marked, decided = (only(drift_of(accepted=(one,))) for one in (BY_MARK, BY_DECISION))
    assert marked["suppressions"] == [{"kind": "inSource", "justification": BY_MARK.reason}]
    assert decided["suppressions"] == [{"kind": "external", "justification": BY_DECISION.reason}]
    assert {marked["level"], decided["level"]} == {"note"}


def test_a_rule_has_one_fingerprint_wherever_it_stands():
    def finger(one):
        return only(drift_of(one))["partialFingerprints"]["ruleferryDrift/v1"]

    moved = replace(STATUS, module=At("x.py", "line 1", 1), source=At("y.xlsx", "A!A1"), detail="")
    assert finger(moved) == finger(STATUS) == "d33912aa01ff/loosened"
    assert finger(replace(STATUS, change="changed")) != finger(STATUS)
    nameless = replace(STATUS, id=None)
    assert finger(nameless) == finger(replace(nameless, module=None))
    assert finger(nameless) != finger(replace(nameless, rule="other"))
    assert finger(OUTSIDE).endswith("/edited_outside")


@pytest.mark.parametrize("file", [
    "a b/ü 100%.xlsx", "a:b.xlsx", "a#b?c.xlsx", "a\\b.xlsx", "~$x.xlsx", "a\ud800.xlsx", "[x].py",
])  # fmt: skip
def test_files_are_relative_addresses(file):
    one = replace(STATUS, module=At(file, "line 2", 2), source=At(file, "A!A1"))
    result = only(drift_of(one))
    for place in (result["locations"][0], result["relatedLocations"][0]):
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        parts = urlsplit(uri)
        assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
        assert unquote(uri, errors="surrogatepass") == file


def test_a_message_is_no_link_and_keeps_its_braces():
    one = replace(PRICE, detail="x RLIKE '[A-Z](1){3}' or [0-9]{2}")
    text = only(drift_of(one))["message"]["text"]
    assert "x RLIKE '\\[A-Z](1){3}' or [0-9]{2}" in text


def test_what_github_would_not_take_is_left_out_and_told(monkeypatch):
    monkeypatch.setattr("ruleferry.converters.reports.drift.sarif._MOST", 8)
    run = run_of(several())  # 7 differences, 2 accepted
    assert len(run["results"]) == 8
    told = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert told == ["A note.", "1 result left out here: --format json has all."]
    assert len(run_of(many(9))["results"]) == 8


def test_notices_and_nothing_compared_are_told():
    run = run_of(several())
    assert run["invocations"][0]["toolExecutionNotifications"] == [
        {"level": "note", "message": {"text": "A note."}}
    ]
    nothing = run_of(drift_of(rules={}, sources=0))["invocations"][0]
    assert nothing["toolExecutionNotifications"][0]["level"] == "warning"
