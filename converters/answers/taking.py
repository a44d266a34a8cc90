"""The road of `ruleferry answers`: read the workbooks, merge, write decisions.toml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from ruleferry.converters.account import Ledger
from ruleferry.converters.answers.given import Given, day_in
from ruleferry.converters.answers.merged import Merged
from ruleferry.converters.answers.merging import merge
from ruleferry.converters.answers.workbook import read_answers
from ruleferry.converters.config import Config
from ruleferry.converters.decided import Decisions
from ruleferry.converters.decisions_file import (
    decisions_text,
    open_decisions,
    own_comments,
    text_of_decisions,
)
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.outputs import write_all
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.text_files import TextFile


@dataclass(frozen=True, slots=True)
class Taken:
    """`file`: of the decisions; `written`: whether it changed. `lost`: comments that a person wrote
    into it and that are not in it any more, each with its line.
    """

    file: str
    written: bool
    merged: Merged
    ledger: Ledger
    lost: tuple[str, ...] = ()


def take_answers(config: Config, files: Sequence[str], by: str | None, on: str | None) -> Taken:
    """Merge the answers of the files into the decisions. Raises InputFaults with everything that is
    wrong; then nothing is written.
    """
    faults: list[Fault] = []
    day = _day(on, faults)
    name = _name(by, faults)
    text, before = _before(config, faults)
    ledger = _ledger(config, faults)
    given = [row for file in dict.fromkeys(files) for row in _read(config, file, faults)]
    if faults or ledger is None:
        raise InputFaults(faults)
    given = [replace(row, by=row.by or name, on=row.on or day) for row in given]
    merged = merge(before, given, ledger)
    if merged.faults:
        raise InputFaults(merged.faults)
    if merged.decisions == before:
        return Taken(config.decisions, False, merged, ledger)
    _write(config, decisions_text(merged.decisions))
    return Taken(config.decisions, True, merged, ledger, own_comments(text))


def _day(on: str | None, faults: list[Fault]) -> date | None:
    day = day_in(on.strip()) if on is not None else None
    if on is not None and day is None:
        expected = "a day such as 2026-11-30"
        faults.append(Fault("command line", "--on", f'"{on}"', expected, "Change it."))
    return day


def _name(by: str | None, faults: list[Fault]) -> str:
    if by is not None and not by.strip():
        faults.append(Fault("command line", "--by", f'"{by}"', "a person's name", "Change it."))
    return " ".join((by or "").split())


def _before(config: Config, faults: list[Fault]) -> tuple[str, Decisions]:
    """The text of the file and what it says; nothing where there is none."""
    file = text_of_decisions(config.root, config.decisions)
    found = open_decisions(config.root, config.decisions)
    if isinstance(found, Decisions):
        return file.text if isinstance(file, TextFile) else "", found
    faults.extend(found)
    return "", Decisions(config.decisions)


def _ledger(config: Config, faults: list[Fault]) -> Ledger | None:
    name = f"{config.out}/ledger.json"
    try:
        return open_ledger(config.root / name, name)
    except InputFaults as found:
        faults.extend(found.faults)
        return None


def _read(config: Config, file: str, faults: list[Fault]) -> Sequence[Given]:
    found = read_answers(config.cwd / file, file)
    if isinstance(found, tuple):
        return found
    faults.extend(found)
    return ()


def _write(config: Config, text: str) -> None:
    path = (config.root / config.decisions).resolve()  # a link stays one
    write_all(path.parent, {path.name: text}, ())
