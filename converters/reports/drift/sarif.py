"""A comparison as SARIF 2.1.0, for programs that show the findings of analyses."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from urllib.parse import quote

import ruleferry
from ruleferry.converters.drifted import (
    CHANGES,
    LEVELS,
    Accepted,
    At,
    Change,
    Difference,
    Drift,
    Level,
    drifted,
    reaches,
)
from ruleferry.converters.reports.drift import shown
from ruleferry.converters.reports.drift.as_json import at, encoded, pieces, present, said
from ruleferry.converters.reports.drift.plain import plain
from ruleferry.converters.reports.drift.words import CHANGES as WORDS
from ruleferry.converters.reports.drift.words import EVERYTHING, rule_id
from ruleferry.converters.reports.drift.words import LEVELS as LEVEL_WORDS
from ruleferry.converters.reports.text import count

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_ACCEPTED = "drift-accepted"
_NOWHERE = At("ruleferry.toml", "")
# GitHub takes no file with more results in a run.
_MOST = 25_000
# Of a longer condition the message shows where it parts; the properties have it whole.
_CONDITION = 1_000
# `[text](1)` would be a link to another place.
_LINK = re.compile(r"\[(?=[^\]]*\]\()")

_Json = dict[str, object]


def sarif(drift: Drift, fail_on: Level) -> str:
    """One run. A place in a module has a line; a workbook has none: its cell is in the message."""
    results = [_difference(one, fail_on) for one in shown.ordered(drift)[:_MOST]]
    results += [_accepted(one) for one in shown.ordered_accepted(drift)[: _MOST - len(results)]]
    run: _Json = {
        "tool": {"driver": _driver()},
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The folder in which ruleferry ran."}}
        },
        "invocations": [_invocation(drift, fail_on)],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": _figures(drift, fail_on),
    }
    head = f'"$schema": {encoded(_SCHEMA)},\n"version": "2.1.0"'
    return f'{{\n{head},\n"runs": [\n{"".join(pieces(run))}]\n}}\n'


# The rules ----------------------------------------------------------------------------------------


def _driver() -> _Json:
    return {
        "name": "ruleferry",
        "version": ruleferry.__version__,
        "semanticVersion": ruleferry.__version__,
        "rules": [*map(_rule, CHANGES), _accepted_rule()],
    }


def _rule(change: Change) -> _Json:
    words = WORDS[change]
    return {
        "id": rule_id(change),
        "name": f"Drift{change.title().replace('_', '')}",
        "shortDescription": {"text": words.what},
        "fullDescription": {"text": f"{words.what} {words.means}"},
        "help": {"text": f"{words.means} {_HELP}"},
        "defaultConfiguration": {"level": "warning"},
    }


_HELP = (
    "The message names the place in the source and the place in the module, what each says now, "
    "and the way out. A difference that is meant is accepted by `# manual: reason` on its entry in "
    "the module, or by a decision."
)


def _accepted_rule() -> _Json:
    what = "The sources and the module differ, and a person stands for it."
    return {
        "id": _ACCEPTED,
        "name": "DriftAccepted",
        "shortDescription": {"text": what},
        "fullDescription": {"text": f"{what} It is listed, and is no failure."},
        "help": {"text": "To end it, take `# manual: reason` or the decision away."},
        "defaultConfiguration": {"level": "note"},
    }


# The results --------------------------------------------------------------------------------------


def _difference(one: Difference, fail_on: Level) -> _Json:
    return present(
        ruleId=rule_id(one.change),
        ruleIndex=CHANGES.index(one.change),
        level=shown.severity(one, fail_on),
        message=_message("\n".join(shown.sentences(one, fail_on, _CONDITION))),
        locations=_locations(one.module or one.source, one),
        relatedLocations=_related(one),
        partialFingerprints={"ruleferryDrift/v1": f"{_who(one)}/{one.change}"},
        properties=present(
            change=one.change,
            side=one.side,
            severity=one.level,
            failing=reaches(one.level, fail_on),
            **_facts(one),
            last_said=said(one.last_said),
        ),
    )


def _accepted(one: Accepted) -> _Json:
    kind = "inSource" if one.how == "manual" else "external"
    lines = [f"{shown.name(one)}: accepted, {shown.accepted_how(one)}"]
    lines += [f"{each.who}: {shown.stand_text(each)}" for each in shown.stands(one, _CONDITION)]
    return present(
        ruleId=_ACCEPTED,
        ruleIndex=len(CHANGES),
        level="note",
        message=_message("\n".join(lines)),
        locations=_locations(one.module or one.source, one),
        relatedLocations=_related(one),
        partialFingerprints={"ruleferryDrift/v1": f"{_who(one)}/accepted"},
        suppressions=[{"kind": kind, "justification": plain(one.reason)}],
        properties=present(**_facts(one)),
    )


def _facts(one: Difference | Accepted) -> _Json:
    """Whole and as it is, for a program."""
    return {
        "table": one.table,
        "rule": one.rule,
        "id": one.id,
        "source": at(one.source),
        "module": at(one.module),
        "source_says": said(one.source_says),
        "module_says": said(one.module_says),
    }


def _who(one: Difference | Accepted) -> str:
    """The same rule from run to run, wherever it stands."""
    if one.id is not None:
        return plain(one.id, 64)
    named = json.dumps([one.table, one.rule])
    return sha256(named.encode()).hexdigest()[:12]


def _message(text: str) -> _Json:
    """Plain text. Braces stay as they are: without arguments no program takes them for a place."""
    return {"text": _LINK.sub(r"\\[", text)}


# Places -------------------------------------------------------------------------------------------


def _locations(place: At | None, one: Difference | Accepted) -> list[_Json]:
    """A result without any place would make GitHub refuse the whole file."""
    found = _physical(place or _NOWHERE)
    return [{**found, "logicalLocations": [{"fullyQualifiedName": shown.name(one)}]}]


def _related(one: Difference | Accepted) -> list[_Json] | None:
    """The source, where the module is the place of the result."""
    if one.module is None or one.source is None:
        return None
    return [{"id": 0, **_physical(one.source), "message": {"text": shown.where(one.source)}}]


def _physical(place: At) -> _Json:
    found: _Json = {"artifactLocation": _artifact(place.file)}
    if place.line is not None and place.line > 0:
        found["region"] = {"startLine": place.line}
    return {"physicalLocation": found}


def _artifact(file: str) -> _Json:
    uri = quote(file, safe="/", errors="surrogatepass")
    return {"uri": uri} if uri.startswith("/") else {"uri": uri, "uriBaseId": _ROOT}


# The run ------------------------------------------------------------------------------------------


def _invocation(drift: Drift, fail_on: Level) -> _Json:
    notes: list[_Json] = [
        {"level": "note", "message": {"text": plain(notice)}}
        for notice in dict.fromkeys(drift.notices)
    ]
    left = len(drift.differences) + len(drift.accepted) - _MOST
    if left > 0:
        told = f"{count(left, 'result')} left out here: {EVERYTHING}."
        notes.append({"level": "warning", "message": {"text": told}})
    if shown.nothing_compared(drift):
        notes.append({"level": "warning", "message": {"text": shown.headline(drift, fail_on)}})
    made: _Json = {"executionSuccessful": True, "exitCode": int(drifted(drift, fail_on))}
    return made | ({"toolExecutionNotifications": notes} if notes else {})


def _figures(drift: Drift, fail_on: Level) -> _Json:
    return present(
        summary=shown.headline(drift, fail_on),
        fail_on=fail_on,
        levels={level: LEVEL_WORDS[level] for level in LEVELS},
        rules_in_sources=drift.sources,
        modules={file: drift.rules[file] for file in sorted(drift.rules)},
        written=sorted(drift.written) if drift.written is not None else None,
    )
