"""What the reports show, as JSON for a program (mappings/report.schema.json, version 1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from ruleferry.converters.account import Source
from ruleferry.converters.proved import Proved
from ruleferry.converters.reports.ledger_json import JsonObject
from ruleferry.converters.reports.report import Line, QuestionView, Report, RuleView

VERSION = 1


def report_json(report: Report) -> str:
    """The figures, the questions, and each rule with whether its old check may be switched off.

    One field a line. All but ASCII is escaped: nothing hidden gets into a log.
    """
    shown = {
        "version": VERSION,
        "tool": report.tool,
        "figures": _figures(report.total),
        "outcomes": dict(report.outcomes),
        "breakdowns": [
            {"by": b.by, "lines": [{"label": line.label, **_figures(line)} for line in b.lines]}
            for b in report.breakdowns
        ],
        "imbalances": report.imbalances,
        "questions": [_question(view) for view in report.questions],
        "rules": [_rule(view) for view in report.rules],
        "sources": [_source(source) for source in report.sources],
    }
    return "".join(_pieces(shown))


def _pieces(shown: JsonObject) -> Iterator[str]:
    """Row by row, as the encoder written in C does it: it knows no indent."""
    encode = json.JSONEncoder(separators=(", ", ": ")).encode
    for number, (name, value) in enumerate(shown.items()):
        yield ",\n" if number else "{\n"
        rows = value if isinstance(value, list) else None
        if not rows:
            yield f'"{name}": {encode(value)}'
            continue
        yield f'"{name}": [\n'
        yield ",\n".join(encode(row) for row in rows)
        yield "\n]"
    yield "\n}\n"


def _figures(line: Line) -> JsonObject:
    return {name: value for name, value in asdict(line).items() if name != "label"}


def _question(view: QuestionView) -> JsonObject:
    question = view.question
    return _present(
        id=question.id,
        number=view.number,
        code=question.code,
        title=view.title,
        opens=view.opens,
        question=question.question,
        proposals=[_present(**asdict(p) | {"value": p.value or None}) for p in view.proposals],
        takes=question.takes,
        until_answered=question.until_answered,
        about=_present(**asdict(question.about)) or None,
        answered=[_present(**asdict(a) | {"why": a.why or None}) for a in view.answered] or None,
        rules=[rule.entry.id for rule in view.rules],
    )


def _rule(view: RuleView) -> JsonObject:
    entry = view.entry
    return _present(
        id=entry.id,
        name=entry.name or None,
        title=view.title,
        words=view.words or None,
        table=entry.table,
        columns=entry.columns,
        place=view.place,
        also=view.also or None,
        text=entry.origin.text,
        outcome=entry.outcome,
        became=view.became,
        reason=view.reason or None,
        condition=entry.condition,
        nulls=view.nulls or None,
        action=entry.action,
        bad_record=view.action or None,
        why=view.why or None,
        owner=view.owner or None,
        grade=entry.grade,
        caveats=[dict(zip(("grade", "title", "detail"), c, strict=True)) for c in view.caveats]
        or None,
        decided=entry.decided or None,
        proof=view.proof,
        proved=_proved(view.proved),
        switch_off={"may": view.switch_off.may, "why": view.switch_off.why},
        questions=view.questions or None,
    )


def _proved(proved: Proved | None) -> JsonObject | None:
    if proved is None:
        return None
    examples = [{"values": dict(e.values), "old": e.old, "new": e.new} for e in proved.examples]
    return _present(
        rows=proved.rows,
        differing=proved.differing,
        examples=examples or None,
        why=proved.why or None,
    )


def _source(source: Source) -> JsonObject:
    return _present(file=source.file, read_as=source.read_as, why=source.why, rules=source.entries)


def _present(**fields: object) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}
