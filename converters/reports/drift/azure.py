"""Differences as logging commands of Azure Pipelines.

None sets the result of the step: the exit code does, and a command could only contradict it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.drifted import At, Difference, Drift, Level
from ruleferry.converters.reports.drift import shown
from ruleferry.converters.reports.drift.plain import line, plain
from ruleferry.converters.reports.drift.words import rule_id

# The agent knows no third kind.
_TYPES: Mapping[shown.Severity, str] = {"error": "error", "warning": "warning", "note": "warning"}
# The agent cuts a message after 4,096 characters.
_MESSAGE = 4_000


def azure(drift: Drift, fail_on: Level) -> str:
    """One command a difference; what is no failure of any kind are plain lines of the log."""
    return "".join(f"{each}\n" for each in _lines(drift, fail_on))


def _lines(drift: Drift, fail_on: Level) -> Iterator[str]:
    for one in shown.ordered(drift):
        yield _issue(one, fail_on)
    if shown.nothing_compared(drift):
        yield f"##vso[task.logissue type=warning;]{_data(shown.headline(drift, fail_on))}"
    yield from map(line, shown.log(drift, fail_on))


def _issue(one: Difference, fail_on: Level) -> str:
    """On one line: the summary of a run shows no others."""
    told = {
        "type": _TYPES[shown.severity(one, fail_on)],
        **_place(one.module or one.source),
        "code": rule_id(one.change),
    }
    options = "".join(f"{name}={_property(value)};" for name, value in told.items())
    message = shown.message(one, fail_on, " | ", _MESSAGE)
    return f"##vso[task.logissue {options}]{_data(message)}"


def _place(at: At | None) -> dict[str, str]:
    """A workbook has no lines: its cell stands in the message."""
    if at is None:
        return {}
    told = {"sourcepath": plain(at.file, 4_000)}
    return told if at.line is None else told | {"linenumber": str(at.line)}


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace("]", "%5D").replace(";", "%3B")
