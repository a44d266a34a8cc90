"""What `ruleferry drift` prints, and the verdict that every format gives."""

from dataclasses import replace
from itertools import permutations, product

import pytest
from drifts import (
    BY_DECISION,
    BY_MARK,
    CUSTOMERS,
    GONE,
    MODULE,
    NEW,
    OUTSIDE,
    PRICE,
    SEVERAL,
    STATUS,
    drift_of,
    every_kind,
    in_sync,
    many,
    several,
)

from ruleferry.converters.drifted import CHANGES, LEVELS, SIDES, At, Drift, Said, drifted
from ruleferry.converters.reports.drift import FORMATS, drift_lines, report_text
from ruleferry.converters.reports.drift.shown import headline
from ruleferry.converters.reports.drift.words import CHANGES as CHANGE_WORDS
from ruleferry.converters.reports.drift.words import SIDES as SIDE_WORDS


def text(drift: Drift, fail_on="any", width=None) -> str:
    return "".join(f"{t}\n" for t, _ in drift_lines(drift, fail_on=fail_on, width=width))


def test_a_difference_tells_both_places_both_conditions_and_the_way_out():
    assert (
        text(drift_of(STATUS))
        == """\
Drift: 1 difference, which counts (--fail-on any).

loosened: orders.o_orderstatus_allowed
  Order status is one of F, O, P
  changed in the source: The list has one value more than the module.
  sources     dictionary.xlsx Fields!F12 [drop]
              o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P', 'X')
  module      expectations/orders_expectations.py:88 [drop]
              o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P')
  they part   only the sources list 'X'
  to do       Run `ruleferry drift --write`, and commit what it writes.

Compared: 42 of 43 rules of 2 modules agree with the sources (61 statements).
"""
    )


def test_a_conflict_tells_the_last_conversion_too():
    told = text(drift_of(PRICE))
    assert "  last said   [drop]\n" in told
    assert "BETWEEN 0 AND 400000" in told
    for side in SIDES:
        told = text(drift_of(replace(PRICE, side=side)))
        assert ("last said" in told) == (side == "both")


@pytest.mark.parametrize(("which", "told"), [
    ("source_says", "as the sources say now"),
    ("module_says", "as the module says now"),
])  # fmt: skip
def test_what_the_last_conversion_said_is_not_told_twice(which, told):
    one = replace(PRICE, last_said=getattr(PRICE, which))
    assert f"  last said   {told}\n" in text(drift_of(one))


def test_what_is_nowhere_is_told():
    assert "  module      not in it\n" in text(drift_of(GONE))
    one = replace(STATUS, source=None, source_says=None)
    assert "  sources     stated nowhere\n" in text(drift_of(one))


def test_what_was_somewhere_is_told_with_its_place():
    one = replace(STATUS, source_says=None)  # it stood there last
    assert "  sources     dictionary.xlsx Fields!F12 stated there no more\n" in text(drift_of(one))
    one = replace(STATUS, module_says=None)
    told = text(drift_of(one))
    assert "  module      expectations/orders_expectations.py:88 there no more\n" in told
    one = replace(STATUS, change="removed", source_says=None, module_says=None, module=None)
    assert "Fields!F12 stated there no more\n  module      not in it\n" in text(drift_of(one))


def test_what_is_beside_a_condition_parts_too():
    query = "SELECT " + "count(*), " * 200
    ours, theirs = Said("x > 1", "warn", f"{query}1"), Said("x > 1", "warn", f"{query}2")
    told = text(drift_of(replace(STATUS, source_says=ours, module_says=theirs)))
    assert "count(*), 1 (2,008 characters))" in " ".join(told.split())
    assert "count(*), 2 (2,008 characters))" in " ".join(told.split())
    lists = Said("x", note="a IN ('F')"), Said("x", note="a IN ('F', 'O')")
    told = text(drift_of(replace(STATUS, source_says=lists[0], module_says=lists[1])))
    assert "  they part   only the module lists 'O'\n" in told


def test_nobody_states_what_stands_outside_the_rules():
    assert "sources  " not in text(drift_of(OUTSIDE))


def test_what_is_below_the_level_is_a_note():
    told = text(drift_of(STATUS, NEW), fail_on="loosened")
    assert "Drift: 2 differences, 1 of which counts (--fail-on loosened).\n" in told
    assert "added: customers.c_phone_length (a note: below --fail-on loosened)\n" in told
    assert "loosened: orders.o_orderstatus_allowed\n" in told


def test_accepted_differences_are_listed_and_no_failure():
    told = text(drift_of(accepted=(BY_MARK, BY_DECISION)))
    assert told.startswith("In sync: 42 of 43 rules of 2 modules agree with the sources")
    assert "; accepted: 1 mark by\nhand and 1 decision." in told
    assert (
        """
Accepted, and no failure: 1 mark by hand and 1 decision
  customers.c_acctbal_range: by a decision: Ann Lee, 2026-11-30: not before the new year
    in dictionary.xlsx Customers!L3
  orders.o_shippriority_range: # manual: the depots ship with priority 9 since May
    in dictionary.xlsx Fields!L9 and expectations/orders_expectations.py:101
"""
        in told
    )


def test_of_many_the_first_are_shown_and_all_are_counted():
    told = text(many(300), fail_on="loosened")
    assert told.count("  to do  ") == 20
    assert "… and 280 more; --format markdown shows more, --format json has all." in told
    assert "\n  removed                   19  a check that is gone              count\n" in told
    counts = " " * 21 + "below --fail-on loosened"
    assert f"\n  changed                   19  anything else{counts}\n" in told
    rows = told[told.index("All together:") : told.index("Compared:")].splitlines()[1:-1]
    assert sum(int(row[26:32]) for row in rows) == 300
    assert len(told.splitlines()) < 260


def test_an_order_of_severity_and_nothing_else_by_chance():
    reports = {text(drift_of(*order)) for order in permutations(SEVERAL[:5])}
    assert len(reports) == 1
    heads = [t for t, style in drift_lines(several(), fail_on="any") if style == "yellow"]
    assert [h.partition(":")[0] for h in heads[1:]] == [
        "gap opened", "removed", "loosened", "edited outside the rules", "tightened", "changed",
        "added",
    ]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
def test_the_order_in_which_things_were_found_shows_nowhere(form):
    drift = several()
    turned = replace(
        drift,
        differences=drift.differences[::-1],
        accepted=drift.accepted[::-1],
        rules=dict(reversed(drift.rules.items())),
    )
    assert report_text(turned, form, fail_on="any") == report_text(drift, form, fail_on="any")


@pytest.mark.parametrize(("drift", "fail_on", "told"), [
    (in_sync(), "any",
     "In sync: 43 rules of 2 modules agree with the sources (61 statements)."),
    (drift_of(rules={MODULE: 1}, sources=1), "any",
     "In sync: 1 rule of 1 module agrees with the sources (1 statement)."),
    (drift_of(accepted=(BY_MARK,)), "any",
     "In sync: 42 of 43 rules of 2 modules agree with the sources (61 statements); "
     "accepted: 1 mark by hand."),
    (drift_of(NEW), "any", "Drift: 1 difference, which counts (--fail-on any)."),
    (drift_of(NEW), "changed", "1 difference, none of which counts (--fail-on changed)."),
    (drift_of(NEW, GONE), "any", "Drift: 2 differences, all of which count (--fail-on any)."),
    (drift_of(NEW, GONE), "removed",
     "Drift: 2 differences, 1 of which counts (--fail-on removed)."),
    (several(), "changed", "Drift: 7 differences, 6 of which count (--fail-on changed)."),
    (drift_of(rules={}, sources=0), "any",
     "Nothing was compared: no module has a rule, and no source states one."),
    (drift_of(rules={MODULE: 0}, sources=0), "any",
     "Nothing was compared: no module has a rule, and no source states one."),
])  # fmt: skip
def test_the_verdict(drift, fail_on, told):
    assert headline(drift, fail_on) == told
    for form in FORMATS:
        report = report_text(drift, form, fail_on=fail_on)
        assert told in " ".join(report.replace("\\", "").split())


@pytest.mark.parametrize("form", FORMATS)
def test_only_a_run_in_sync_says_so(form):
    for drift in (several(), drift_of(NEW), drift_of(rules={}, sources=0), many(40)):
        for fail_on in LEVELS:
            assert "In sync" not in report_text(drift, form, fail_on=fail_on)
    assert "In sync" in report_text(in_sync(), form, fail_on="any")


@pytest.mark.parametrize("form", FORMATS)
def test_every_kind_is_told_in_every_form(form):
    for one, fail_on in product(every_kind(), ("any", "removed")):
        drift = drift_of(one, accepted=(BY_MARK,))
        report = report_text(drift, form, fail_on=fail_on)
        assert report.endswith("\n")
        assert not report.endswith("\n\n")
        told = " ".join(report.replace("&gt;", ">").split())
        assert one.rule in told
        if form not in ("json", "sarif"):
            assert CHANGE_WORDS[one.change].name in told
            assert SIDE_WORDS[one.side].split("'")[0] in told
        if one.source_says and form != "github":
            assert one.source_says.condition in told
        if one.module_says and form != "github":
            assert one.module_says.condition in told
        if one.module:
            assert "expectations/orders_expectations.py" in told
        if one.source:
            assert "dictionary.xlsx" in told
            assert "Fields!L7" in told
        if drifted(drift, fail_on) != drifted(drift, "any") and form not in ("json", "sarif"):
            assert "below" in told


def test_places_stand_as_a_person_looks_for_them():
    suite = At("suites/orders.json", "expectations[3]")
    told = text(drift_of(replace(STATUS, source=suite, module=At(MODULE, "line 7", 7))))
    assert "suites/orders.json expectations[3] [drop]\n" in told
    assert "expectations/orders_expectations.py:7 [drop]\n" in told


def test_written_files_and_notices_are_told():
    told = text(drift_of(written=("b.py", "a.py"), notices=("One.", "One.", "Two.")))
    assert told.endswith("\nNote: One.\nNote: Two.\nWritten anew: a.py and b.py\n")
    assert "Nothing had to be written anew." in text(drift_of(written=()))
    assert "written" not in text(drift_of()).lower()


def test_a_module_agrees_but_for_what_differs_or_is_accepted():
    other = replace(STATUS, change="name_changed")  # the same rule again
    drift = drift_of(STATUS, other, PRICE, GONE, OUTSIDE, accepted=(BY_MARK, BY_DECISION))
    assert "40 of 43 rules of 2 modules agree" in text(drift)
    none = drift_of(STATUS, PRICE, rules={MODULE: 1, CUSTOMERS: 2})
    assert "2 of 3 rules of 2 modules agree" in text(none)


def test_long_conditions_show_where_they_part():
    values = ", ".join(f"'v{n:03}'" for n in range(400))
    ours, theirs = f"x IN ({values}, 'zz')", f"x IN ({values})"
    told = text(drift_of(replace(STATUS, source_says=Said(ours), module_says=Said(theirs))))
    assert "only the sources list 'zz'" in told
    assert "characters)" in told
    assert len(told) < 2_000


def test_every_change_side_and_level_has_its_words():
    assert set(CHANGE_WORDS) == set(CHANGES)
    assert set(SIDE_WORDS) == set(SIDES)
