"""`drift --format github` and `azure`, read as the programs that run CI jobs read them."""

from dataclasses import replace

import pytest
from drifts import BY_MARK, GONE, MODULE, NEW, PRICE, STATUS, drift_of, in_sync, many, several
from log_readers import azure_commands, github_commands

from ruleferry.converters.drifted import At, Said
from ruleferry.converters.reports.drift import report_text


def github(drift, fail_on="any"):
    return github_commands(report_text(drift, "github", fail_on=fail_on))


def azure(drift, fail_on="any"):
    return azure_commands(report_text(drift, "azure", fail_on=fail_on))


LINES = [
    "orders.o_orderstatus_allowed (Order status is one of F, O, P): loosened",
    "changed in the source: The list has one value more than the module.",
    "sources: dictionary.xlsx Fields!F12 [drop] "
    "o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P', 'X')",
    "module: expectations/orders_expectations.py:88 [drop] "
    "o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P')",
    "they part: only the sources list 'X'",
    "to do: Run `ruleferry drift --write`, and commit what it writes.",
]


def test_github_shows_it_beside_the_line_of_the_module():
    title = "loosened: orders.o_orderstatus_allowed"
    place = {"file": MODULE, "line": "88", "title": title}
    assert github(drift_of(STATUS)) == [("error", place, "\n".join(LINES))]


def test_azure_shows_it_with_its_place():
    place = {"type": "error", "sourcepath": MODULE, "linenumber": "88", "code": "drift-loosened"}
    assert azure(drift_of(STATUS)) == [("task.logissue", place, " | ".join(LINES))]


def test_a_workbook_has_no_lines():
    ((_, place, message),) = github(drift_of(NEW))
    assert place["file"] == "dictionary.xlsx"
    assert "line" not in place
    assert "dictionary.xlsx Customers!H4" in message
    ((_, place, _),) = azure(drift_of(NEW))
    assert place == {"type": "error", "sourcepath": "dictionary.xlsx", "code": "drift-added"}


@pytest.mark.parametrize(("fail_on", "names", "types"), [
    ("any", ["error", "error", "error"], ["error", "error", "error"]),
    ("changed", ["error", "error", "notice"], ["error", "error", "warning"]),
    ("removed", ["error", "warning", "notice"], ["error", "warning", "warning"]),
])  # fmt: skip
def test_what_counts_is_an_error(fail_on, names, types):
    drift = drift_of(GONE, STATUS, NEW)
    assert [name for name, _, _ in github(drift, fail_on)] == names
    assert [place["type"] for _, place, _ in azure(drift, fail_on)] == types
    for name, _, message in github(drift, fail_on):
        assert ("below --fail-on" in message) == (name != "error")


@pytest.mark.parametrize("form", ["github", "azure"])
def test_accepted_ones_and_notes_are_lines_of_the_log(form):
    report = report_text(drift_of(accepted=(BY_MARK,), notices=("A note.",)), form, fail_on="any")
    assert github_commands(report) == azure_commands(report) == []
    assert report.splitlines()[:2] == [
        "accepted: orders.o_shippriority_range: # manual: the depots ship with priority 9 since "
        "May (in dictionary.xlsx Fields!L9 and expectations/orders_expectations.py:101)",
        "Note: A note.",
    ]


@pytest.mark.parametrize("form", ["github", "azure"])
def test_no_command_sets_the_result_of_the_step(form):
    for drift in (several(), many(60), in_sync()):
        report = report_text(drift, form, fail_on="any")
        assert {name for name, _, _ in azure_commands(report)} <= {"task.logissue"}


def test_nothing_compared_is_a_warning():
    nothing = drift_of(rules={}, sources=0)
    ((name, _, message),) = github(nothing)
    assert (name, message[:20]) == ("warning", "Nothing was compared")
    ((_, place, message),) = azure(nothing)
    assert (place["type"], message[:20]) == ("warning", "Nothing was compared")


def test_the_first_ones_are_the_most_severe_and_the_rest_is_said():
    report = report_text(many(60), "github", fail_on="any")
    assert "GitHub shows the first 10 errors" in report
    rules = [int(place["title"].rpartition("_")[2]) for _, place, _ in github(many(60))]
    assert [rule % 4 for rule in rules] == sorted(rule % 4 for rule in rules)


def test_no_message_is_so_long_that_the_runner_cuts_it():
    values = ", ".join(f"'{n}'" for n in range(9_000))
    long = replace(
        PRICE,
        detail="d" * 9_000,
        todo="t" * 9_000,
        source_says=Said(f"x IN ({values}, 'zz')"),
        module_says=Said(f"x IN ({values})"),
        source=At("f" * 9_000, "p" * 9_000),
    )
    hidden = replace(long, source_says=Said("\u202e" * 9_000, None, "\x07" * 9_000))
    for one in (long, hidden):
        ((_, _, message),) = github(drift_of(one))
        ((_, _, other),) = azure(drift_of(one))
        assert max(len(message), len(other)) <= 4_000
    ((_, _, message),) = github(drift_of(long))
    assert "only the sources list 'zz'" in message
    assert message.splitlines()[-1].startswith("to do: ttt")


@pytest.mark.parametrize("text", ["100%", "%0A", "%25", "%AZP25", "a;b", "a]b", "a,b", "a:b", "=="])
def test_what_is_escaped_is_read_back(text):
    one = replace(
        PRICE, rule=text, detail=text, module=At(text, "line 3", 3), source_says=Said(text)
    )
    ((_, place, message),) = github(drift_of(one))
    assert (place["file"], place["title"]) == (text, f"changed: orders.{text}")
    assert f"changed in both: {text}\n" in message
    ((_, place, message),) = azure(drift_of(one))
    assert place["sourcepath"] == text
    assert f"changed in both: {text} |" in message
