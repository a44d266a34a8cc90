"""The answers of a workbook that no decision holds yet: they would be lost with the workbook."""

from __future__ import annotations

from pathlib import Path

from ruleferry.converters.account import Ledger
from ruleferry.converters.answers.merging import merge
from ruleferry.converters.answers.workbook import read_answers
from ruleferry.converters.decided import Decisions
from ruleferry.converters.errors import Fault
from ruleferry.converters.reports.text import shorten, visible

_SHOWN = 60


def unmerged(path: Path, shown: str, decisions: Decisions, ledger: Ledger) -> list[Fault]:
    """A fault for each answer of the workbook at `path` that is not among the decisions.

    `ledger`: of the conversion that wrote it. Of a file that can't be read nobody knows what it
    holds: it is told too.
    """
    if not path.is_file():
        return []
    given = read_answers(path, shown)
    if isinstance(given, list):
        return [_fault(shown, fault.place, fault.found, shown) for fault in given]
    merged = merge(decisions, given, ledger)
    if merged.faults:
        return [_fault(shown, fault.place, fault.found, shown) for fault in merged.faults]
    lost = [*merged.added, *merged.replaced, *(left.given for left in merged.not_taken)]
    return [
        _fault(shown, g.place, f'the answer "{_said(g.answer or g.action or g.note)}"', shown)
        for g in sorted(dict.fromkeys(lost), key=given.index)
    ]


def _fault(file: str, place: str | None, found: str, shown: str) -> Fault:
    todo = f"Run `ruleferry answers {shown}` first, or overwrite the workbook with --force."
    return Fault(file, place, found, "no answer that decisions.toml does not hold", todo)


def _said(text: str) -> str:
    return shorten(visible(text), _SHOWN)
