"""`ledger.json` read back; every fault of the file is told with its place."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, get_args

from ruleferry.converters.account import (
    Because,
    Entry,
    Flag,
    Gap,
    Ledger,
    Output,
    Proposal,
    Question,
    Source,
    Validation,
)
from ruleferry.converters.errors import Fault, InputFaults
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

# A JSON value whose shape `_faults` has checked.
Checked: TypeAlias = Any

_AGAIN = "Restore the file from version control, or delete it and run `ruleferry convert` again."
_NAMES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}


@dataclass(frozen=True, slots=True)
class _Field:
    """A field's JSON type; the closed list of its words; the shape of an object or of list items.

    `texts` says that a list or an object holds texts only.
    """

    type: type
    words: frozenset[str] | None = None
    shape: "_Shape | None" = None
    texts: bool = False
    optional: bool = False


_Shape: TypeAlias = dict[str, _Field]


def _word(literal: object, optional: bool = False) -> _Field:
    return _Field(str, frozenset(get_args(literal)), optional=optional)


_TEXT = _Field(str)
_NO_TEXT = _Field(str, optional=True)
_TEXTS = _Field(list, texts=True)


def _object(shape: _Shape) -> _Field:
    return _Field(dict, shape=shape, optional=True)


_SOURCE: _Shape = {
    "file": _TEXT,
    "read_as": _TEXT,
    "why": _NO_TEXT,
    "sha256": _TEXT,
    "atoms": _Field(int),
    "entries": _Field(int),
    "outcomes": _object({word: _Field(int, optional=True) for word in get_args(Outcome)}),
    "cells": _object({word: _Field(int, optional=True) for word in get_args(CellClass)}),
    "skipped": _Field(
        list, shape={"place": _TEXT, "reason": _TEXT, "cells": _Field(int)}, optional=True
    ),
}
_ENTRY: _Shape = {
    "id": _TEXT,
    "atom": _TEXT,
    "name": _NO_TEXT,
    "title": _NO_TEXT,
    "kind": _word(Kind),
    "table": _TEXT,
    "columns": _TEXTS,
    "dataset": _NO_TEXT,
    "outcome": _word(Outcome),
    "origin": _Field(
        dict,
        shape={
            "file": _TEXT,
            "place": _TEXT,
            "text": _TEXT,
            "text_sha256": _TEXT,
            "tool": _TEXT,
            "engine": _NO_TEXT,
        },
    ),
    "tags": _Field(dict, texts=True, optional=True),
    "condition": _NO_TEXT,
    "action": _word(Action, optional=True),
    "because": _object({"by": _word(Decider), "detail": _TEXT}),
    "nulls": _word(Nulls),
    "grade": _word(Grade, optional=True),
    "caveats": _Field(list, shape={"code": _TEXT, "detail": _TEXT}, optional=True),
    "flag": _object({"column": _TEXT, "sql": _TEXT}),
    "validation": _object({"dataset": _TEXT, "query": _TEXT, "condition": _TEXT}),
    "gap": _object({"code": _TEXT, "reason": _TEXT}),
    "merged_into": _NO_TEXT,
    "reason": _NO_TEXT,
    "waived": _NO_TEXT,
}
_QUESTION: _Shape = {
    "id": _TEXT,
    "code": _TEXT,
    "entries": _TEXTS,
    "question": _TEXT,
    "proposals": _Field(list, shape={"label": _TEXT, "effect": _TEXT}),
    "until_answered": _TEXT,
}
_LEDGER: _Shape = {
    "version": _Field(int),
    "tool": _TEXT,
    "sources": _Field(list, shape=_SOURCE),
    "outputs": _Field(list, shape={"file": _TEXT, "sha256": _TEXT, "body_sha256": _NO_TEXT}),
    "questions": _Field(list, shape=_QUESTION),
    "entries": _Field(list, shape=_ENTRY),
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
    ledger = _parsed(text, file)
    faults = [
        Fault(file, _place(path), found, expected, _AGAIN)
        for path, found, expected in _object_problems(ledger, _LEDGER, ())
    ]
    if not faults:
        faults = [
            Fault(file, place, f"the id {id_!r} of no entry", "the id of an entry", _AGAIN)
            for place, id_ in _dangling(ledger)
        ]
    if faults:
        raise InputFaults(faults)
    return Ledger(
        tool=ledger["tool"],
        sources=tuple(_source(row) for row in ledger["sources"]),
        questions=tuple(_question(row) for row in ledger["questions"]),
        entries=tuple(_entry(row) for row in ledger["entries"]),
        outputs=tuple(Output(**row) for row in ledger["outputs"]),
    )


def _parsed(text: str, file: str) -> Checked:
    try:
        ledger = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputFaults([Fault(file, place, error.msg, "JSON", _AGAIN)]) from error
    except RecursionError as error:
        raise InputFaults([Fault(file, None, "endless nesting", "a ledger", _AGAIN)]) from error
    version = ledger.get("version") if isinstance(ledger, dict) else None
    if type(version) is int and version != VERSION:
        todo = "Use the ruleferry that wrote it, or delete it and run `ruleferry convert` again."
        found, expected = f"schema version {version}", f"schema version {VERSION}"
        raise InputFaults([Fault(file, "version", found, expected, todo)])
    return ledger


# What is wrong ------------------------------------------------------------------------------------

_Path: TypeAlias = tuple[str | int, ...]
_Problem: TypeAlias = tuple[_Path, str, str]


def _object_problems(value: Checked, shape: _Shape, path: _Path) -> Iterator[_Problem]:
    if not isinstance(value, dict):
        yield path, _found(value), _NAMES[dict]
        return
    for name, item in value.items():
        field = shape.get(name)
        if field is None:
            yield (*path, name), "an unknown field", f"one of {', '.join(shape)}"
        elif type(item) is not field.type:
            yield (*path, name), _found(item), _NAMES[field.type]
        elif field.words is not None and item not in field.words:
            yield (*path, name), _found(item), f"one of {', '.join(sorted(field.words))}"
        elif field.texts:
            yield from _text_problems(item, (*path, name))
        elif field.shape is not None:
            yield from _inner_problems(item, field.shape, (*path, name))
    for name, field in shape.items():
        if name not in value and not field.optional:
            yield (*path, name), "nothing", _NAMES[field.type]


def _inner_problems(value: Checked, shape: _Shape, path: _Path) -> Iterator[_Problem]:
    if type(value) is dict:
        yield from _object_problems(value, shape, path)
    else:
        for index, row in enumerate(value):
            yield from _object_problems(row, shape, (*path, index))


def _text_problems(value: Checked, path: _Path) -> Iterator[_Problem]:
    for key, item in value.items() if type(value) is dict else enumerate(value):
        if type(item) is not str:
            yield (*path, key), _found(item), _NAMES[str]


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


def _found(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else text[:59] + "…"


def _place(path: _Path) -> str | None:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".") or None


# The values ---------------------------------------------------------------------------------------


_Record = TypeVar("_Record", Because, Flag, Gap, Validation)


def _source(row: Checked) -> Source:
    skipped = tuple(Skipped(**found) for found in row.get("skipped", ()))
    return Source(**row | {"skipped": skipped})


def _question(row: Checked) -> Question:
    return Question(
        **row
        | {
            "entries": tuple(row["entries"]),
            "proposals": tuple(Proposal(**proposal) for proposal in row["proposals"]),
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
