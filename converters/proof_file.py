"""`proof.json` read: the verdicts of old against new (mappings/proof.schema.json, version 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.json_shapes import (
    NO_TEXT,
    TEXT,
    Checked,
    Field,
    Problem,
    Shape,
    faults,
    one_word,
    parsed,
    problems,
    shown,
)
from ruleferry.converters.proved import DifferingRow, ProofVerdict, Proved
from ruleferry.converters.text_files import read_text

PROOF = "proof.json"
VERSION = 1

_AGAIN = "Restore the file from version control, or delete it: then nothing counts as compared."
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SEEN = Field(str, frozenset(("good", "bad", "error")))
_ROW: Shape = {"values": Field(dict, texts=True), "old": _SEEN, "new": _SEEN}
_PROVED: Shape = {
    "id": TEXT,
    "text_sha256": TEXT,
    "condition_sha256": TEXT,
    "verdict": one_word(ProofVerdict),
    "rows": Field(int, optional=True),
    "differing": Field(int, optional=True),
    "examples": Field(list, shape=_ROW, optional=True),
    "why": NO_TEXT,
}
_FILE: Shape = {
    "version": Field(int),
    "tool": TEXT,
    "proofs": Field(list, shape=_PROVED),
}
# Of a verdict: the fewest records compared, and the fewest on which old and new disagree.
_LEAST: Mapping[ProofVerdict, tuple[int, int]] = {
    "agrees": (1, 0),
    "differs": (1, 1),
    "untested": (0, 0),
}


def open_proofs(folder: Path, shown_as: str) -> tuple[Proved, ...]:
    """What is proved, by the file in the output folder; nothing where there is none.

    Raises InputFaults with everything that is wrong with the file.
    """
    path, name = folder / PROOF, f"{shown_as}/{PROOF}"
    if not path.exists():
        return ()
    file = read_text(path, name)
    found = [file] if isinstance(file, Fault) else read_proofs(file.text, name)
    if isinstance(found, list):
        raise InputFaults(found)
    return found


def read_proofs(text: str, file: str) -> tuple[Proved, ...] | list[Fault]:
    """The verdicts of a file, or all that is wrong with it: half of a proof is none."""
    value = parsed(text, file, "proofs", VERSION, _AGAIN)
    if isinstance(value, Fault):
        return [value]
    wrong = list(problems(value, _FILE)) or list(_contradictions(value["proofs"]))
    if wrong:
        return faults(file, wrong, _AGAIN)
    return tuple(_proved(row) for row in value["proofs"])


def _proved(row: Checked) -> Proved:
    return Proved(**row | {"examples": tuple(_row(found) for found in row.get("examples", ()))})


def _row(row: Checked) -> DifferingRow:
    return DifferingRow(tuple(row["values"].items()), row["old"], row["new"])


# What can't be true -------------------------------------------------------------------------------


def _contradictions(rows: Checked) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, row in enumerate(rows):
        for name, found, expected in _wrong(row):
            yield ("proofs", index, name), found, expected
        if row["id"] in seen:
            yield ("proofs", index, "id"), f"{shown(row['id'])} again", "each rule once"
        seen.add(row["id"])


def _wrong(row: Checked) -> Iterator[tuple[str, str, str]]:
    for name in ("text_sha256", "condition_sha256"):
        if not _DIGEST.fullmatch(row[name]):
            yield name, shown(row[name]), "a SHA-256 in 64 digits"
    yield from _wrong_figures(row)
    if row["verdict"] == "untested" and not row.get("why"):
        yield "why", "nothing", "why the rule could not be compared"
    for number, example in enumerate(row.get("examples", ())):
        if example["old"] == example["new"]:
            expected = "a record on which old and new disagree"
            yield f"examples[{number}]", f"{shown(example['old'])} twice", expected


def _wrong_figures(row: Checked) -> Iterator[tuple[str, str, str]]:
    """What agrees was compared on some record and disagrees on none."""
    rows, differing = row.get("rows", 0), row.get("differing", 0)
    least, fewest = _LEAST[row["verdict"]]
    most = rows if row["verdict"] == "differs" else 0
    if rows < least:
        yield "rows", f"{rows}", f"{least} or more"
    elif not fewest <= differing <= most:
        yield "differing", f"{differing}", f"{fewest} to {most}, since it {row['verdict']}"
    if len(row.get("examples", ())) > max(differing, 0):
        yield "examples", f"{len(row['examples'])}", f"{max(differing, 0)} or fewer"
