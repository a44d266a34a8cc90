"""A filled `gap_report.xlsx` -> the answers that stand in it, or all that is wrong with them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import get_args

from ruleferry.converters.answers.formulas import formulas
from ruleferry.converters.answers.given import Given, day_in, key
from ruleferry.converters.answers.table import Table, header_faults, tables
from ruleferry.converters.decided import HASH_DIGITS
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.cells import (
    Book,
    CellValue,
    Place,
    address,
    text_of,
)
from ruleferry.converters.readers.spreadsheet.workbook.limits import Unreadable
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
from ruleferry.converters.reports.text import shorten, visible
from ruleferry.converters.reports.workbook.columns import FILLED, QUESTION_HEADERS, QuestionColumn
from ruleferry.converters.rule import Action

_EXPECTED = "gap_report.xlsx, as ruleferry wrote it and people filled it"
_ID = re.compile(rf"[0-9a-f]{{{HASH_DIGITS}}}")
_SHOWN = 60


def read_answers(path: Path, shown_as: str) -> tuple[Given, ...] | list[Fault]:
    """The filled rows of sheet Questions, in their order; or all faults, each with its cell."""
    try:
        data = path.read_bytes()
    except OSError as error:
        found = f"no readable file ({error.strerror or error})"
        return [Fault(shown_as, None, found, _EXPECTED, "Check the path and the permissions.")]
    book = read_book(data, shown_as)
    if not isinstance(book, Book):
        return [replace(fault, expected=_EXPECTED) for fault in book]
    if book.format != "xlsx":
        todo = "Open it in a spreadsheet program and save it as .xlsx."
        return [Fault(shown_as, None, f"a file in the format {book.format}", _EXPECTED, todo)]
    try:
        of_sheets = formulas(data)
    except Unreadable as error:
        return [Fault(shown_as, error.place, error.found, _EXPECTED, error.todo)]
    with_questions = tables(book)
    if not with_questions:
        todo = "Give the gap_report.xlsx that was filled; it has a sheet Questions."
        return [Fault(shown_as, None, "a workbook without questions", _EXPECTED, todo)]
    readings = [
        _Reading(shown_as, table, of_sheets.get(table.sheet.name, frozenset()))
        for table in with_questions
    ]
    given = [given for reading in readings for given in reading.read()]
    faults = [fault for reading in readings for fault in reading.faults]
    return faults or tuple(given)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One sheet while it is read. `faults`: what is wrong with it so far."""

    file: str
    table: Table
    formulas: frozenset[Place]
    faults: list[Fault] = field(default_factory=list)

    def read(self) -> Sequence[Given]:
        self.faults.extend(header_faults(self.table, self.file))
        if self.faults:
            return ()
        rows = range(self.table.header + 1, len(self.table.sheet.rows))
        self._refuse_merged()
        seen = {question: tuple(sorted(of)) for question, of in self._seen(rows).items()}
        found = [self._given(row) for row in rows if self._is_filled(row)]
        return [replace(g, seen=seen.get(g.question, ())) for g in found if g is not None]

    def _refuse_merged(self) -> None:
        """One value in several rows: of which is it?"""
        names = {self.table.columns[name]: name for name in FILLED}
        for area in self.table.sheet.marks.merged:
            columns = [c for c in names if area.left <= c <= area.right]
            if columns and area.bottom > max(area.top, self.table.header):
                place = f"{address(area.top, area.left)}:{address(area.bottom, area.right)}"
                self.faults.append(
                    Fault(
                        self.file, f"{self.table.sheet.name}!{place}", "merged cells",
                        "an answer of its own in each row", "Split them, and fill each row.",
                    )
                )  # fmt: skip

    def _seen(self, rows: range) -> dict[str, set[tuple[str, str]]]:
        """Question -> the rules that the workbook shows with it, each with the hash of its text."""
        seen: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        for row in rows:
            rule, text = self._id(row, "rule_id"), self._id(row, "text_hash")
            if rule and text:
                seen[self._id(row, "question_id")].add((rule, text))
        return seen

    def _is_filled(self, row: int) -> bool:
        """Whether somebody answered there, or began to. Names and days alone are no beginning."""
        return any(
            self._value(row, name) is not None or self._trouble(row, name)
            for name in ("answer", "action", "note")
        )

    def _given(self, row: int) -> Given | None:
        before = len(self.faults)
        for name in (*FILLED, "question_id", "rule_id", "text_hash"):
            self._refuse_trouble(row, name)
        if len(self.faults) > before:
            return None
        given = Given(
            self.file,
            self._place(row, "answer"),
            self._checked_id(row, "question_id", required=True),
            rule := self._checked_id(row, "rule_id", required=self._is_of_one_rule(row)),
            self._checked_id(row, "text_hash", required=bool(rule)),
            self._text(row, "answer"),
            self._action(row),
            self._text(row, "note"),
            " ".join(self._text(row, "by").split()),
            self._day(row),
        )
        return given if len(self.faults) == before else None

    def _is_of_one_rule(self, row: int) -> bool:
        """Rows 3.1, 3.2 … are about rules of question 3; without its id one is about none."""
        there = "number" in self.table.columns
        return there and "." in self._text(row, "number")

    # Cells ----------------------------------------------------------------------------------------

    def _value(self, row: int, name: QuestionColumn) -> CellValue | None:
        """None for an empty cell, and for one of nothing but white space."""
        cells = self.table.sheet.rows[row]
        column = self.table.columns[name]
        value = cells[column] if column < len(cells) else None
        return None if value is None or (isinstance(value, str) and not value.strip()) else value

    def _text(self, row: int, name: QuestionColumn) -> str:
        value = self._value(row, name)
        return "" if value is None else text_of(value).replace("\r\n", "\n").replace("\r", "\n")

    def _place(self, row: int, name: QuestionColumn) -> str:
        return f"{self.table.sheet.name}!{address(row, self.table.columns[name])}"

    def _trouble(self, row: int, name: QuestionColumn) -> str:
        place = (row, self.table.columns[name])
        marks = self.table.sheet.marks
        if place in self.formulas:
            return "a formula"
        if place in marks.struck and self._value(row, name) is not None:
            return "a text that is struck through"
        return marks.trouble(place)

    def _refuse_trouble(self, row: int, name: QuestionColumn) -> None:
        if found := self._trouble(row, name):
            todo = {
                "a formula": "Write the text itself; a condition begins without the sign =.",
                "a text that is struck through": "Delete it, or take the strike away.",
            }.get(found, "Write it again.")
            self._fault(row, name, found, f"what a person wrote under {_header(name)}", todo)

    def _fault(self, row: int, name: QuestionColumn, found: str, expected: str, todo: str) -> None:
        self.faults.append(Fault(self.file, self._place(row, name), found, expected, todo))

    # What stands in them --------------------------------------------------------------------------

    def _id(self, row: int, name: QuestionColumn) -> str:
        """A program that takes an id of digits for a number drops the zeros before it."""
        value = self._value(row, name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return str(value).zfill(HASH_DIGITS)
        return "" if value is None else text_of(value).lower()

    def _checked_id(self, row: int, name: QuestionColumn, *, required: bool) -> str:
        found = self._id(row, name)
        if _ID.fullmatch(found) or (not found and not required):
            return found
        self._fault(
            row, name, _quoted(found) if found else "nothing",
            f"the {HASH_DIGITS} digits and letters that ruleferry wrote there",
            "Undo the change, or copy the answer into the newest gap_report.xlsx.",
        )  # fmt: skip
        return ""

    def _action(self, row: int) -> Action | None:
        text = self._text(row, "action")
        if not text:
            return None
        action = next((word for word in get_args(Action) if word == key(text)), None)
        if action is None:
            expected = f"one of {', '.join(get_args(Action))}, or nothing"
            self._fault(row, "action", _quoted(text), expected, "Pick one of the list.")
        return action

    def _day(self, row: int) -> date | None:
        """The day as a person typed it: a date, or a text that can be read in one way alone."""
        value = self._value(row, "on")
        if value is None:
            return None
        day = _day_of(value)
        if day is None:
            expected = "a day such as 2026-11-30, without a time, or nothing"
            todo = "Write it as year-month-day; other forms are read differently in each country."
            self._fault(row, "on", _quoted(text_of_any(value)), expected, todo)
        return day


def _day_of(value: CellValue) -> date | None:
    match value:
        case datetime():
            return value.date() if value.time() == time() else None
        case date():
            return value
        case str():
            return day_in(value.strip())
    return None


def text_of_any(value: CellValue) -> str:
    return format(value, "f") if isinstance(value, Decimal) else text_of(value)


def _header(name: QuestionColumn) -> str:
    return f'"{QUESTION_HEADERS[name]}"'


def _quoted(text: str) -> str:
    return f'"{shorten(visible(text), _SHOWN)}"'
