"""A steward's whole way: convert, fill the workbook, read the answers, convert again."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from openpyxl import load_workbook

from ruleferry.converters import conversion
from ruleferry.converters.account import Entry, Ledger, Question
from ruleferry.converters.answers.taking import Taken, take_answers
from ruleferry.converters.config import load_config
from ruleferry.converters.decided import Decision, Decisions
from ruleferry.converters.decisions_file import read_decisions
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.reports.books import imbalances
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.reports.workbook.columns import QUESTION_HEADERS

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "orders"
BOOK = "expectations/gap_report.xlsx"
DAY = date(2026, 11, 30)
CARRIED = ("record", "flag", "dataset", "schema")


class Trip:
    """One folder of sources, as its owner has it."""

    def __init__(self, folder: Path, *given: str):
        self.folder = folder
        self.given = given
        self.notices: tuple[str, ...] = ()
        self.ledger = Ledger("", (), (), ())

    @classmethod
    def of_sample(cls, folder: Path) -> Trip:
        shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("expectations", "data"))
        return cls(folder)

    def convert(self, **more) -> Ledger:
        """The books, which balance whatever was decided."""
        config = load_config(None, self.folder)
        self.notices = tuple(conversion.convert(config, self.given, **more).notices)
        self.ledger = open_ledger(self.folder / "expectations/ledger.json", "ledger.json")
        assert imbalances(self.ledger) == ()
        return self.ledger

    def answers(self, *files: str | Path, by: str | None = None, on: str | None = None) -> Taken:
        return take_answers(load_config(None, self.folder), [str(f) for f in files], by, on)

    def faults(self, *files: str | Path, **more) -> list[Fault]:
        """What keeps the answers from being taken; nothing was written."""
        before = self.outputs() | self.decisions_bytes()
        try:
            self.answers(*files, **more)
        except InputFaults as found:
            assert self.outputs() | self.decisions_bytes() == before
            return list(found.faults)
        raise AssertionError("the answers were taken")

    @property
    def decisions(self) -> tuple[Decision, ...]:
        text = (self.folder / "decisions.toml").read_text("utf-8")
        found = read_decisions(text, "decisions.toml")
        assert isinstance(found, Decisions)
        return found.decisions

    def decisions_bytes(self) -> dict[str, bytes]:
        path = self.folder / "decisions.toml"
        return {path.name: path.read_bytes()} if path.exists() else {}

    def outputs(self) -> dict[str, bytes]:
        out = self.folder / "expectations"
        return {path.name: path.read_bytes() for path in sorted(out.iterdir())}

    def question(self, code: str, *words: str) -> Question:
        """The one question of that code in which all these words stand."""
        (found,) = self.questions(code, *words)
        return found

    def questions(self, code: str, *words: str) -> list[Question]:
        asked = [q for q in self.ledger.questions if q.code == code]
        return [q for q in asked if all(word in q.question for word in words)]

    def entries(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.ledger.entries}

    def conditions(self, *, decided: bool = False) -> dict[str, str]:
        """Of the rules on records: id -> condition."""
        return {
            e.id: e.condition
            for e in self.ledger.entries
            if e.outcome == "record" and e.condition and (e.decided or not decided)
        }

    def fill(self, *rows: tuple[Question | str, str | None, Mapping[str, object]], **more) -> Path:
        """The workbook as a steward fills it: question, the rule of an own row, cells."""
        return fill(self.folder / BOOK, self.folder / "filled.xlsx", *rows, **more)


def fill(book: Path, to: Path, *rows, by: object = "Ann Smith", on: object = DAY) -> Path:
    opened = load_workbook(book)
    sheet = opened["Questions"]
    where = {cell.value: cell.column for cell in sheet[1] if cell.value}
    for question, rule, cells in rows:
        asked = getattr(question, "id", question)
        row = _row(sheet, where, asked, rule)
        for name, value in {"by": by, "on": on, **cells}.items():
            sheet.cell(row, where[QUESTION_HEADERS[name]]).value = value
    opened.save(to)
    return to


def _row(sheet, where: Mapping[str, int], question: str, rule: str | None) -> int:
    for row in range(2, sheet.max_row + 1):
        cells = [sheet.cell(row, where[name]).value for name in ("Question id", "Rule id")]
        if cells[0] == question and (rule is None or cells[1] == rule):
            return row
    raise AssertionError((question, rule))


def outcomes(entries: Iterable[Entry]) -> Counter[str]:
    return Counter(entry.outcome for entry in entries)


def without_decisions(ledger: bytes) -> str:
    """The ledger without the hash of decisions.toml, whose order may differ."""
    found = json.loads(ledger)
    found["sources"] = [s for s in found["sources"] if s["file"] != "decisions.toml"]
    return json.dumps(found)
