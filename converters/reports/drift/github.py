"""Differences as workflow commands of GitHub Actions, which shows them beside the changed lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.drifted import At, Difference, Drift, Level
from ruleferry.converters.reports.drift import shown
from ruleferry.converters.reports.drift.plain import line, plain
from ruleferry.converters.reports.drift.words import CHANGES

_COMMANDS: Mapping[shown.Severity, str] = {
    "error": "error",
    "warning": "warning",
    "note": "notice",
}
# The runner cuts a message after 4,096 characters.
_MESSAGE = 4_000
# GitHub shows ten annotations of each kind and step, the first ones; all are in the log.
_SHOWN = 10


def github(drift: Drift, fail_on: Level) -> str:
    """One command a difference; what is no failure of any kind are plain lines of the log."""
    return "".join(f"{each}\n" for each in _lines(drift, fail_on))


def _lines(drift: Drift, fail_on: Level) -> Iterator[str]:
    for one in shown.ordered(drift):
        yield _annotation(one, fail_on)
    if shown.nothing_compared(drift):
        yield f"::warning title=ruleferry drift::{_data(shown.headline(drift, fail_on))}"
    yield from map(line, shown.log(drift, fail_on))
    if len(drift.differences) > _SHOWN:
        yield f"GitHub shows the first {_SHOWN} errors, warnings and notices: all are in this log."


def _annotation(one: Difference, fail_on: Level) -> str:
    place = one.module or one.source
    told = {**_place(place), "title": f"{CHANGES[one.change].name}: {shown.name(one)}"}
    options = ",".join(f"{name}={_property(value)}" for name, value in told.items())
    message = shown.message(one, fail_on, "\n", _MESSAGE)
    return f"::{_COMMANDS[shown.severity(one, fail_on)]} {options}::{_data(message)}"


def _place(at: At | None) -> dict[str, str]:
    """A workbook has no lines: its cell stands in the message."""
    if at is None:
        return {}
    told = {"file": plain(at.file, 4_000)}
    return told if at.line is None else told | {"line": str(at.line)}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
