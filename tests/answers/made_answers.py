"""A ledger with a question of each form, its workbook, and people who fill it."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

from openpyxl import load_workbook

from ruleferry.converters.account import About, Answered, Entry, Gap, Ledger, Proposal, Question
from ruleferry.converters.answers import Given
from ruleferry.converters.naming import sha256
from ruleferry.converters.reports.report import report
from ruleferry.converters.reports.workbook import gap_workbook
from ruleferry.converters.reports.workbook.columns import QUESTION_HEADERS
from ruleferry.converters.rule import Origin

FILE = "suites/orders.json"


def hexed(text: str) -> str:
    return sha256(text)[:12]


def rule(name: str, text: str = "") -> Entry:
    text = text or f"text of {name}"
    return Entry(
        id=hexed(name),
        atom=name,
        name=name,
        title=f"{name} holds",
        kind="predicate",
        table="orders",
        columns=(name,),
        outcome="gap",
        origin=Origin(
            FILE, f"expectations[{name}]", text or f"text of {name}", "great_expectations"
        ),
        text_sha256=sha256(text),
        nulls="none",
        gap=Gap("no_equivalent", "no SQL says it"),
    )


NAMES = ("price", "status", "clerk", "day", "key")
ENTRIES = tuple(map(rule, NAMES))
RULES = {entry.name: entry.id for entry in ENTRIES}
TEXTS = {entry.name: entry.text_sha256[:12] for entry in ENTRIES}


def question(name: str, code: str, of: str, proposals: list[tuple[str, ...]], **more) -> Question:
    return Question(
        id=hexed(name),
        code=code,
        entries=tuple(RULES[name] for name in of.split()),
        question=f"What of {name}?",
        proposals=tuple(Proposal(p[0], "so it is", *p[1:]) for p in proposals),
        until_answered="It is not in the module.",
        **more,
    )


ONE = question(
    "one",
    "no_equivalent",
    "price",
    [
        ("write the rule here", "write"),
        ("it’s “fine” – really", "settle"),
        ("mend it in the source", "elsewhere"),
        ("keep the old check", "waive"),
        ("at least nothing", "value", "price >= 0"),
    ],
    takes="condition",
)
MANY = question(
    "many",
    "invalid_rule",
    "status clerk day",
    [("mend it in the source", "elsewhere"), ("all is well", "settle")],
    takes="condition",
)
ACTION = question(
    "action",
    "action_undecided",
    "price status clerk",
    [("they warn", "settle"), ("drop", "action", "drop"), ("fail", "action", "fail")],
)
TABLE = question(
    "table",
    "table_not_stated",
    "status clerk",
    [
        ("write its name", "write"),
        ("it is called as its source is", "settle"),
        ("it is the old one", "value", "old.orders"),
    ],
    takes="table",
    about=About(file=FILE),
)
CONFLICT = question(
    "conflict",
    "conflict",
    "day key",
    [("the first holds", "keep", RULES["day"]), ("the second holds", "keep", RULES["key"])],
)
QUESTIONS = (ONE, MANY, ACTION, TABLE, CONFLICT)
BY_NAME = {"one": ONE, "many": MANY, "action": ACTION, "table": TABLE, "conflict": CONFLICT}


def ledger(*questions: Question, entries: tuple[Entry, ...] = ENTRIES) -> Ledger:
    return Ledger("ruleferry", (), questions or QUESTIONS, entries)


LEDGER = ledger()


def asked_again(asked: Question, *answered: Answered) -> Question:
    return replace(asked, answered=answered)


def given(asked: str, rule_name: str | None = None, **more) -> Given:
    """A row as a workbook of LEDGER gives it; of a question about one rule, with that rule."""
    of = BY_NAME[asked]
    shown = tuple(sorted((i, TEXTS[n]) for n, i in RULES.items() if i in of.entries))
    if rule_name is None and len(shown) == 1:
        rule_name = next(n for n, i in RULES.items() if i in of.entries)
    known = {"rule": RULES[rule_name], "text": TEXTS[rule_name]} if rule_name else {}
    place = f"Questions!H{len(asked)}{len(rule_name or '')}"
    filled = {"by": "Ann", "file": "ann.xlsx", "place": place, "seen": shown} | known | more
    if isinstance(filled.get("on"), str):
        filled["on"] = date.fromisoformat(filled["on"])
    return Given(question=of.id, **filled)


# The workbook -------------------------------------------------------------------------------------


@cache
def _written() -> bytes:
    return gap_workbook(report(LEDGER))


def opened(of: Ledger = LEDGER):
    """The workbook as openpyxl has it."""
    written = _written() if of is LEDGER else gap_workbook(report(of))
    return load_workbook(io.BytesIO(written))


def columns(sheet) -> dict[str, int]:
    """Header -> column."""
    return {cell.value: cell.column for cell in sheet[1] if cell.value}


def row_of(sheet, asked: str, rule_name: str | None = None) -> int:
    """The row of a question or of one of its rules."""
    where = columns(sheet)
    question_id = BY_NAME[asked].id
    for row in range(2, sheet.max_row + 1):
        ids = [sheet.cell(row, where[name]).value for name in ("Question id", "Rule id")]
        if ids[0] == question_id and (rule_name is None or ids[1] == RULES[rule_name]):
            return row
    raise AssertionError(asked, rule_name)


def fill(sheet, asked: str, rule_name: str | None = None, **cells) -> int:
    """Fill cells of a row: `answer=`, `action=`, `note=`, `by=`, `on=`, …"""
    row, where = row_of(sheet, asked, rule_name), columns(sheet)
    for name, value in cells.items():
        sheet.cell(row, where[QUESTION_HEADERS[name]]).value = value
    return row


def saved(book, path: Path) -> Path:
    book.save(path)
    return path
