"""`ledger.json` read back; every fault of the file is told with its place."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar, get_args

from ruleferry.converters.account import (
    About,
    Answered,
    AnsweredState,
    Because,
    Does,
    Entry,
    Flag,
    Gap,
    Heading,
    Ledger,
    Output,
    Proposal,
    Question,
    Source,
    Takes,
    Validation,
)
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.json_shapes import (
    NO_TEXT,
    TEXT,
    TEXTS,
    Checked,
    Field,
    Shape,
    faults,
    one_word,
    optional_object,
    parsed,
    problems,
)
from ruleferry.converters.reports.ledger_json import VERSION
from ruleferry.converters.rule import (
    Action,
    Caveat,
    CellClass,
    Decider,
    Grade,
    Kind,
    Nulls,
    Origin,
    Outcome,
    Skipped,
)
from ruleferry.converters.text_files import read_text

_AGAIN = "Restore the file from version control, or delete it and run `ruleferry convert` again."

_SOURCE: Shape = {
    "file": TEXT,
    "read_as": TEXT,
    "why": NO_TEXT,
    "sha256": TEXT,
    "atoms": Field(int),
    "entries": Field(int),
    "outcomes": optional_object({word: Field(int, optional=True) for word in get_args(Outcome)}),
    "cells": optional_object({word: Field(int, optional=True) for word in get_args(CellClass)}),
    "skipped": Field(
        list, shape={"place": TEXT, "reason": TEXT, "cells": Field(int)}, optional=True
    ),
    "headings": Field(list, shape={"place": TEXT, "text": TEXT, "meaning": NO_TEXT}, optional=True),
}
_ENTRY: Shape = {
    "id": TEXT,
    "atom": TEXT,
    "name": NO_TEXT,
    "title": NO_TEXT,
    "words": NO_TEXT,
    "kind": one_word(Kind),
    "table": TEXT,
    "columns": TEXTS,
    "dataset": NO_TEXT,
    "outcome": one_word(Outcome),
    "origin": Field(
        dict,
        shape={
            "file": TEXT,
            "place": TEXT,
            "text": TEXT,
            "text_sha256": TEXT,
            "tool": TEXT,
            "engine": NO_TEXT,
        },
    ),
    "tags": Field(dict, texts=True, optional=True),
    "condition": NO_TEXT,
    "action": one_word(Action, optional=True),
    "because": optional_object({"by": one_word(Decider), "detail": TEXT}),
    "nulls": one_word(Nulls),
    "grade": one_word(Grade, optional=True),
    "caveats": Field(list, shape={"code": TEXT, "detail": TEXT}, optional=True),
    "flag": optional_object({"column": TEXT, "sql": TEXT}),
    "validation": optional_object({"dataset": TEXT, "query": TEXT, "condition": TEXT}),
    "gap": optional_object({"code": TEXT, "reason": TEXT}),
    "merged_into": NO_TEXT,
    "reason": NO_TEXT,
    "waived": NO_TEXT,
    "decided": Field(list, texts=True, optional=True),
}
_QUESTION: Shape = {
    "id": TEXT,
    "code": TEXT,
    "entries": TEXTS,
    "question": TEXT,
    "proposals": Field(
        list,
        shape={
            "label": TEXT,
            "effect": TEXT,
            "does": one_word(Does, optional=True),
            "value": NO_TEXT,
        },
    ),
    "until_answered": TEXT,
    "about": optional_object(
        {"file": NO_TEXT, "table": NO_TEXT, "column": NO_TEXT, "header": NO_TEXT, "text": NO_TEXT}
    ),
    "takes": one_word(Takes, optional=True),
    "answered": Field(
        list,
        shape={
            "state": one_word(AnsweredState),
            "answer": TEXT,
            "by": TEXT,
            "on": NO_TEXT,
            "why": TEXT,
        },
        optional=True,
    ),
}
_LEDGER: Shape = {
    "version": Field(int),
    "tool": TEXT,
    "options": Field(list, texts=True, optional=True),
    "sources": Field(list, shape=_SOURCE),
    "outputs": Field(list, shape={"file": TEXT, "sha256": TEXT, "body_sha256": NO_TEXT}),
    "questions": Field(list, shape=_QUESTION),
    "entries": Field(list, shape=_ENTRY),
}


def open_ledger(path: Path, shown_as: str) -> Ledger:
    """The ledger at `path`, which messages call `shown_as`. Raises InputFaults."""
    if not path.exists():
        todo = "Run `ruleferry convert` first, or name the folder that holds it with --out."
        raise InputFaults([Fault(shown_as, None, "no file", "the ledger of a conversion", todo)])
    file = read_text(path, shown_as)
    if isinstance(file, Fault):
        raise InputFaults([file])
    return read_ledger(file.text, shown_as)


def read_ledger(text: str, file: str) -> Ledger:
    """The ledger that `ledger_text` wrote. Raises InputFaults that name `file` and the place."""
    ledger = parsed(text, file, "a ledger", VERSION, _AGAIN)
    if isinstance(ledger, Fault):
        raise InputFaults([ledger])
    wrong = faults(file, problems(ledger, _LEDGER), _AGAIN)
    if not wrong:
        wrong = [
            Fault(file, place, f"the id {id_!r} of no entry", "the id of an entry", _AGAIN)
            for place, id_ in _dangling(ledger)
        ]
    if wrong:
        raise InputFaults(wrong)
    return Ledger(
        tool=ledger["tool"],
        sources=tuple(_source(row) for row in ledger["sources"]),
        questions=tuple(_question(row) for row in ledger["questions"]),
        entries=tuple(_entry(row) for row in ledger["entries"]),
        outputs=tuple(Output(**row) for row in ledger["outputs"]),
        options=tuple(ledger.get("options", ())),
    )


# What is wrong ------------------------------------------------------------------------------------


def _dangling(ledger: Checked) -> Iterator[tuple[str, str]]:
    """Places that point to an entry which isn't there."""
    ids = {entry["id"] for entry in ledger["entries"]}
    for index, entry in enumerate(ledger["entries"]):
        if entry.get("merged_into", entry["id"]) not in ids:
            yield f"entries[{index}].merged_into", entry["merged_into"]
    for index, question in enumerate(ledger["questions"]):
        for id_ in question["entries"]:
            if id_ not in ids:
                yield f"questions[{index}].entries", id_


# The values ---------------------------------------------------------------------------------------


_Record = TypeVar("_Record", Because, Flag, Gap, Validation)


def _source(row: Checked) -> Source:
    skipped = tuple(Skipped(**found) for found in row.get("skipped", ()))
    headings = tuple(Heading(**found) for found in row.get("headings", ()))
    return Source(**row | {"skipped": skipped, "headings": headings})


def _question(row: Checked) -> Question:
    return Question(
        **row
        | {
            "entries": tuple(row["entries"]),
            "proposals": tuple(Proposal(**proposal) for proposal in row["proposals"]),
            "about": About(**row.get("about", {})),
            "answered": tuple(Answered(**answer) for answer in row.get("answered", ())),
        }
    )


def _entry(row: Checked) -> Entry:
    origin = dict(row["origin"])
    text_sha256 = origin.pop("text_sha256")
    return Entry(
        **row
        | {
            "name": row.get("name", ""),
            "title": row.get("title", ""),
            "words": row.get("words", ""),
            "decided": tuple(row.get("decided", ())),
            "columns": tuple(row["columns"]),
            "origin": Origin(**origin),
            "text_sha256": text_sha256,
            "tags": tuple(row.get("tags", {}).items()),
            "because": _made(Because, row.get("because")),
            "caveats": tuple(Caveat(**caveat) for caveat in row.get("caveats", ())),
            "flag": _made(Flag, row.get("flag")),
            "validation": _made(Validation, row.get("validation")),
            "gap": _made(Gap, row.get("gap")),
        }
    )


def _made(record: type[_Record], row: Checked) -> _Record | None:
    return None if row is None else record(**row)
