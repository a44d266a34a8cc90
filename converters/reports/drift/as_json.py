"""A comparison as JSON, for a program (mappings/drift.schema.json, version 1)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import ruleferry
from ruleferry.converters.drifted import (
    CHANGES,
    LEVELS,
    SIDES,
    Accepted,
    At,
    Difference,
    Drift,
    Level,
    Said,
    drifted,
    reaches,
)
from ruleferry.converters.reports.drift import shown

VERSION = 1


def drift_json(drift: Drift, fail_on: Level) -> str:
    """All of it. One field a line; all but ASCII is escaped, and what a log takes for a command."""
    fields: dict[str, object] = {
        "version": VERSION,
        "tool": f"ruleferry {ruleferry.__version__}",
        "in_sync": shown.in_sync(drift),
        "fail_on": fail_on,
        "fails": drifted(drift, fail_on),
        "summary": shown.headline(drift, fail_on),
        "counts": _counts(drift, fail_on),
        "differences": [_difference(one, fail_on) for one in shown.ordered(drift)],
        "accepted": [_accepted(one) for one in shown.ordered_accepted(drift)],
        "modules": _modules(drift),
        "rules_in_sources": drift.sources,
        "notices": list(dict.fromkeys(drift.notices)),
    }
    if drift.written is not None:
        fields["written"] = sorted(drift.written)
    return "".join(pieces(fields))


def encoded(value: object) -> str:
    """JSON on one line that holds no command of a log: `##` is `#\\u0023`, the same to a reader."""
    text = json.dumps(value, ensure_ascii=True, separators=(", ", ": "))
    return text.replace("##", "#\\u0023")


def pieces(fields: Mapping[str, object]) -> Iterator[str]:
    """An object, field by field and row by row: the encoder written in C knows no indent."""
    for number, (name, value) in enumerate(fields.items()):
        yield ",\n" if number else "{\n"
        rows = value if isinstance(value, list) else None
        if not rows:
            yield f'"{name}": {encoded(value)}'
            continue
        yield f'"{name}": [\n'
        yield ",\n".join(encoded(row) for row in rows)
        yield "\n]"
    yield "\n}\n"


def _counts(drift: Drift, fail_on: Level) -> dict[str, object]:
    found = drift.differences
    return {
        "differences": len(found),
        "failing": shown.counted(drift, fail_on),
        "accepted": len(drift.accepted),
        "by_change": _of(CHANGES, (one.change for one in found)),
        "by_side": _of(SIDES, (one.side for one in found)),
        "by_level": _of(LEVELS, (one.level for one in found)),
    }


def _of(words: Sequence[str], found: Iterable[str]) -> dict[str, int]:
    """Those that occurred, in the order of the words."""
    number = Counter(found)
    return {word: number[word] for word in words if number[word]}


def _difference(one: Difference, fail_on: Level) -> dict[str, object]:
    return present(
        change=one.change,
        side=one.side,
        level=one.level,
        fails=reaches(one.level, fail_on),
        table=one.table,
        rule=one.rule,
        id=one.id,
        columns=list(one.columns),
        title=one.title or None,
        detail=one.detail,
        todo=one.todo,
        source=at(one.source),
        module=at(one.module),
        source_says=said(one.source_says),
        module_says=said(one.module_says),
        last_said=said(one.last_said),
    )


def _accepted(one: Accepted) -> dict[str, object]:
    return present(
        how=one.how,
        table=one.table,
        rule=one.rule,
        id=one.id,
        reason=one.reason,
        source=at(one.source),
        module=at(one.module),
        source_says=said(one.source_says),
        module_says=said(one.module_says),
    )


def _modules(drift: Drift) -> list[dict[str, object]]:
    agreeing = shown.agreed(drift)
    return [
        {"file": file, "rules": drift.rules[file], "agree": same} for file, same in agreeing.items()
    ]


def at(place: At | None) -> dict[str, object] | None:
    return present(file=place.file, place=place.place, line=place.line) if place else None


def said(what: Said | None) -> dict[str, object] | None:
    if what is None:
        return None
    return present(condition=what.condition, action=what.action, note=what.note or None)


def present(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
