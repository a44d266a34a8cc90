"""`drift --format junit`, held to Jenkins' schema."""

from collections import Counter
from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

import pytest
from drifts import (
    BY_DECISION,
    BY_MARK,
    CUSTOMERS,
    GONE,
    MODULE,
    NEW,
    STATUS,
    drift_of,
    every_kind,
    in_sync,
    many,
    several,
)

from ruleferry.converters.drifted import LEVELS, Drift
from ruleferry.converters.reports.drift import report_text


def read(drift: Drift, fail_on="any") -> Element:
    return fromstring(report_text(drift, "junit", fail_on=fail_on))


def cases(root: Element) -> dict[str, list[str]]:
    return {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}


@pytest.mark.parametrize("fail_on", LEVELS)
def test_it_is_as_the_schema_says_and_its_counts_are_right(fail_on, junit_schema):
    nothing = drift_of(rules={}, sources=0)
    for drift in (in_sync(), several(), many(50), drift_of(*every_kind()), nothing):
        root = read(drift, fail_on)
        assert [e.reason for e in junit_schema.iter_errors(root)] == []
        for suite in (*root.iter("testsuite"), root):
            found = [*suite.iter("testcase")]
            failed = [case for case in found if case.find("failure") is not None]
            assert suite.get("tests") == str(len(found))
            assert suite.get("failures") == str(len(failed))
            assert found


def test_a_run_in_sync_passes_a_test_of_each_module():
    assert cases(read(in_sync())) == {
        "12 of 12 rules agree with the sources": [],
        "31 of 31 rules agree with the sources": [],
    }


def test_nothing_compared_is_no_test_that_passes():
    assert cases(read(drift_of(rules={}, sources=0))) == {"modules agree": ["skipped"]}
    none = {"0 of 0 rules agree with the sources": ["skipped"]}
    assert cases(read(drift_of(rules={MODULE: 0}, sources=0))) == none
    one = drift_of(STATUS, rules={MODULE: 1})
    assert cases(read(one))["0 of 1 rule agree with the sources"] == ["skipped"]


def test_what_counts_fails_and_the_rest_is_skipped():
    drift = drift_of(STATUS, NEW, GONE, accepted=(BY_MARK, BY_DECISION))
    root = read(drift, "loosened")
    assert cases(root) == {
        "12 of 12 rules agree with the sources": [],
        "orders.o_orderstatus_allowed: loosened": ["failure"],
        "orders.o_shippriority_range: accepted": ["skipped", "system-out"],
        "29 of 31 rules agree with the sources": [],
        "customers.c_phone_length: added": ["skipped", "system-out"],
        "customers.c_acctbal_range: accepted": ["skipped", "system-out"],
        "orders.ord_05: removed": ["failure"],
    }
    names = [suite.get("name") for suite in root]
    assert names == [CUSTOMERS, MODULE, "table customers", "table orders"]
    assert {case.find("failure").get("type") for case in root.iter("testcase")
            if case.find("failure") is not None} == {"drift-loosened", "drift-removed"}  # fmt: skip
    (reason,) = [s.get("message") for s in root.iter("skipped") if "manual" in s.get("message")]
    assert reason == "# manual: the depots ship with priority 9 since May"


def test_a_failure_tells_everything():
    (failure,) = read(drift_of(STATUS)).iter("failure")
    assert (
        failure.text
        == """\
orders.o_orderstatus_allowed (Order status is one of F, O, P): loosened
changed in the source: The list has one value more than the module.
sources: dictionary.xlsx Fields!F12 [drop] o_orderstatus IS NULL OR o_orderstatus IN \
('F', 'O', 'P', 'X')
module: expectations/orders_expectations.py:88 [drop] o_orderstatus IS NULL OR o_orderstatus IN \
('F', 'O', 'P')
they part: only the sources list 'X'
to do: Run `ruleferry drift --write`, and commit what it writes."""
    )


def test_an_accepted_one_tells_both_conditions():
    (case,) = (c for c in read(drift_of(accepted=(BY_MARK,))).iter("testcase") if len(c))
    assert case.find("system-out").text == (
        "sources: dictionary.xlsx Fields!L9 [warn] o_shippriority BETWEEN 0 AND 5\n"
        "module: expectations/orders_expectations.py:101 [warn] o_shippriority BETWEEN 0 AND 9"
    )


def test_no_two_cases_of_a_suite_have_one_name():
    twice = (STATUS, replace(STATUS, detail="Another."), replace(STATUS, side="hand"))
    for suite in read(drift_of(*twice)):
        names = Counter((case.get("classname"), case.get("name")) for case in suite)
        del names[None, None]
        assert not names or max(names.values()) == 1
    assert "orders.o_orderstatus_allowed: loosened (3)" in cases(read(drift_of(*twice)))
