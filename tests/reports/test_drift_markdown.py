"""`drift --format markdown`: a comment on a pull request."""

import re
from dataclasses import replace

import pytest
from drifts import BY_MARK, NEW, PRICE, STATUS, drift_of, many, several
from test_markdown import COMMONMARK, words

from ruleferry.converters.drifted import At, Said
from ruleferry.converters.reports.drift import report_text


def comment(drift, fail_on="any") -> str:
    return report_text(drift, "markdown", fail_on=fail_on)


def numbers(report: str) -> list[int]:
    return [int(n.replace(",", "")) for n in re.findall(r"^#### ([\d,]+)\.", report, re.M)]


def test_five_stand_open_and_the_others_are_folded():
    report = comment(several(), "changed")
    opened, _, rest = report.partition("<details>")
    assert numbers(opened) == [1, 2, 3, 4, 5]
    assert numbers(rest) == [6, 7]
    assert "<summary>2 more differences: 1 changed and 1 added</summary>" in report
    assert "<summary>Accepted, and no failure: 1 mark by hand and 1 decision</summary>" in report


def test_a_difference_is_read_as_it_is():
    seen = words(COMMONMARK.render(comment(drift_of(PRICE))))
    for told in (
        "1. changed: orders.o_totalprice_range",
        "Price of the whole order",
        "changed in both: The source says 0 to 500,000",
        "dictionary.xlsx Fields!L7",
        "expectations/orders_expectations.py:93",
        PRICE.source_says.condition,
        PRICE.module_says.condition,
        PRICE.last_said.condition,
        "Decide which holds: mark the entry with # manual: reason, or write the module anew.",
    ):
        assert told in seen


@pytest.mark.parametrize("text", ["a | b", "a \\| b", "`a` | b", "|", "x RLIKE '^[a|b]`$'", "\\"])
def test_cells_hold_their_whole_text(text):
    one = replace(
        STATUS, source=At(text, text), source_says=Said(text, "drop", text), module=At("m", text)
    )
    for drift in (drift_of(one), drift_of(accepted=(replace(BY_MARK, source=At(text, text)),))):
        seen = words(COMMONMARK.render(comment(drift)))
        assert f"sources {text} {text} " in seen
    seen = words(COMMONMARK.render(comment(drift_of(one))))
    assert f"sources {text} {text} drop {text} ({text}) module m {text} drop o_orderstatus" in seen


def test_the_counts_tell_what_counts():
    report = comment(drift_of(STATUS, NEW), "loosened")
    lets = "| loosened | a check that lets more pass | 1 | yes |"
    assert f"{lets}\n| added | anything else | 1 | no, below loosened |" in report
    assert "`customers.c_phone_length` (a note: below --fail-on loosened)" in report


def test_what_does_not_fit_is_told():
    for number in (100, 2_000):
        report = comment(many(number))
        assert len(report.encode()) < 60_000
        shown = numbers(report)
        assert shown == [*range(1, len(shown) + 1)]
        told = re.search(r"\*\*([\d,]+) more differences \(.*\) left out here\*\*", report)
        left = int(told[1].replace(",", "")) if told else 0
        assert len(shown) + left == number
        assert (left > 0) == (number > 150)


def test_of_many_accepted_ones_too():
    drift = drift_of(accepted=tuple(replace(BY_MARK, rule=f"r{n}") for n in range(500)))
    report = comment(drift)
    assert len(report.encode()) < 60_000
    shown = report.count("# manual")
    assert f"{500 - shown:,} more left out here: --format json has all." in report


def test_even_when_one_alone_does_not_fit():
    bars = "\\|" * 16_000
    one = replace(
        PRICE, source_says=Said(bars), module_says=Said(bars + "x"), last_said=Said("y" + bars)
    )
    for number in (1, 3, 9):
        report = comment(drift_of(*[replace(one, rule=f"r{n}") for n in range(number)]))
        assert len(report.encode()) < 60_000
        assert len(numbers(report)) >= 1


def test_code_in_a_sentence_is_code():
    def todo(text: str) -> str:
        report = comment(drift_of(replace(STATUS, todo=text)))
        return re.search(r"^\*\*To do:\*\* (.*)$", report, re.M)[1]

    assert todo("Run `a | b`, then `c`.") == "Run `a | b`, then `c`."
    assert todo("One ` alone") == "One \\` alone"
    assert todo("`a``b`") == "`a` `b`"
    assert todo("`<b>` and <b>") == "`<b>` and &lt;b&gt;"
