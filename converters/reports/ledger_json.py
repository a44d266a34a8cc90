"""The ledger as text: `ledger.json`, schema version 1 (mappings/ledger.schema.json)."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import TypeAlias, get_args

from ruleferry.converters.account import Entry, Flag, Ledger, Proposal, Question, Source
from ruleferry.converters.reports.text import natural
from ruleferry.converters.rule import Origin, Outcome

VERSION = 1

JsonObject: TypeAlias = dict[str, object]

_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

# One field a line, so that a diff of the committed file shows what changed. `indent` would do it
# more neatly and costs four times as much: it leaves the encoder that is written in C.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",\n  ", ": ")).encode

# Legal in JSON as they are, but a review of the committed file must see them; a lone half of a
# surrogate pair can't be written as UTF-8 at all. They stand in strings only, so that escaping the
# finished text is safe. Escaping all that isn't ASCII would spoil every accent.
_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)


def ledger_text(ledger: Ledger) -> str:
    """The text of `ledger.json`: sorted, one field a line; a field that does not apply is absent.

    Sources and outputs stand in the order of their files, entries in the order of file and place,
    questions in the order of code and id. Raises ValueError where two tags of an entry share a
    name, for one of them would be lost.
    """
    parts = {
        "version": str(VERSION),
        "tool": _seen(_encode(ledger.tool)),
        **({"options": _seen(_encode(ledger.options))} if ledger.options else {}),
        "sources": _rows(_source(s) for s in sorted(ledger.sources, key=lambda s: s.file)),
        "outputs": _rows(
            _present(file=o.file, sha256=o.sha256, body_sha256=o.body_sha256)
            for o in sorted(ledger.outputs, key=lambda o: o.file)
        ),
        "questions": _rows(
            _question(q) for q in sorted(ledger.questions, key=lambda q: (q.code, q.id))
        ),
        "entries": _rows(entry_object(e) for e in sorted(ledger.entries, key=entry_order)),
    }
    body = ",\n".join([f'"{name}": {text}' for name, text in parts.items()])
    return f"{{{body}}}\n"


def entries_text(entries: Iterable[Entry]) -> str:
    """A JSON list of entries, each as the ledger writes it."""
    return _rows(entry_object(entry) for entry in entries) + "\n"


def entry_order(entry: Entry) -> tuple[object, ...]:
    """The ledger's order of entries: by file, then by place as a person counts."""
    origin = entry.origin
    return origin.file, natural(origin.place), entry.table, entry.kind, entry.name, entry.id


def by_table(entry: Entry) -> tuple[object, ...]:
    """The order of the reports: by table, then by file and place."""
    return entry.table, *entry_order(entry)


def in_order(ledger: Ledger) -> Ledger:
    """The ledger as it comes back from its text: in order, and without what the text leaves out."""
    questions = [replace(q, entries=tuple(sorted(q.entries))) for q in ledger.questions]
    return Ledger(
        tool=ledger.tool,
        sources=tuple(sorted(ledger.sources, key=lambda s: s.file)),
        questions=tuple(sorted(questions, key=lambda q: (q.code, q.id))),
        entries=tuple(_as_kept(e) for e in sorted(ledger.entries, key=entry_order)),
        outputs=tuple(sorted(ledger.outputs, key=lambda o: o.file)),
        options=ledger.options,
    )


def _as_kept(entry: Entry) -> Entry:
    """Tags are sorted; of a flag its column and SQL are kept."""
    flag = entry.flag and Flag(entry.flag.column, entry.flag.sql)
    if flag == entry.flag and len(entry.tags) < 2:
        return entry
    return replace(entry, flag=flag, tags=tuple(sorted(entry.tags)))


def entry_object(entry: Entry) -> JsonObject:
    """An entry as the ledger writes it."""
    because, flag, validation, gap = entry.because, entry.flag, entry.validation, entry.gap
    return _present(
        id=entry.id,
        atom=entry.atom,
        name=entry.name or None,
        title=entry.title or None,
        words=entry.words or None,
        kind=entry.kind,
        table=entry.table,
        columns=entry.columns,
        dataset=entry.dataset,
        outcome=entry.outcome,
        origin=_origin(entry.origin, entry.text_sha256),
        tags=_tags(entry),
        condition=entry.condition,
        action=entry.action,
        because=because and {"by": because.by, "detail": because.detail},
        nulls=entry.nulls,
        grade=entry.grade,
        caveats=[{"code": c.code, "detail": c.detail} for c in entry.caveats] or None,
        flag=flag and {"column": flag.column, "sql": flag.sql},
        validation=validation
        and {
            "dataset": validation.dataset,
            "query": validation.query,
            "condition": validation.condition,
        },
        gap=gap and {"code": gap.code, "reason": gap.reason},
        merged_into=entry.merged_into,
        reason=entry.reason,
        waived=entry.waived,
        decided=list(entry.decided) or None,
    )


def _origin(origin: Origin, text_sha256: str) -> JsonObject:
    engine = {"engine": origin.engine} if origin.engine else {}
    return {
        "file": origin.file,
        "place": origin.place,
        "text": origin.text,
        "text_sha256": text_sha256,
        "tool": origin.tool,
        **engine,
    }


def _tags(entry: Entry) -> dict[str, str] | None:
    if not entry.tags:
        return None
    tags = dict(sorted(entry.tags))
    if len(tags) != len(entry.tags):
        raise ValueError(f"entry {entry.id}: two tags share a name: {entry.tags}")
    return tags


def _source(source: Source) -> JsonObject:
    counts = source.outcomes
    return _present(
        file=source.file,
        read_as=source.read_as,
        why=source.why,
        sha256=source.sha256,
        atoms=source.atoms,
        entries=source.entries,
        outcomes={word: counts[word] for word in _OUTCOMES if counts.get(word)},
        cells=dict(sorted(source.cells.items())) or None,
        skipped=[{"place": s.place, "reason": s.reason, "cells": s.cells} for s in source.skipped]
        or None,
        headings=[_present(place=h.place, text=h.text, meaning=h.meaning) for h in source.headings]
        or None,
    )


def _question(question: Question) -> JsonObject:
    return _present(
        id=question.id,
        code=question.code,
        entries=sorted(question.entries),
        question=question.question,
        proposals=[_proposal(p) for p in question.proposals],
        until_answered=question.until_answered,
        about=_present(**asdict(question.about)) or None,
        takes=question.takes,
        answered=[_present(**asdict(a)) for a in question.answered] or None,
    )


def _proposal(proposal: Proposal) -> JsonObject:
    return _present(
        label=proposal.label,
        effect=proposal.effect,
        does=proposal.does,
        value=proposal.value or None,
    )


def _present(**fields: object) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}


def _rows(rows: Iterable[JsonObject]) -> str:
    return "[" + ",".join(["\n " + _seen(_encode(row)) for row in rows]) + "]"


def _seen(text: str) -> str:
    # Of ASCII, JSON escapes all that is hidden but one. To look for it is a hundred times as fast.
    if text.isascii() and "\x7f" not in text:
        return text
    return _HIDDEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
