"""Whether a field, or a rule, is in force: its status, the end of its time, a struck text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import (
    NO_SETTING,
    Column,
    Meaning,
    Setting,
    Statement,
)
from ruleferry.converters.readers.spreadsheet.values.literals import day_in
from ruleferry.converters.readers.spreadsheet.values.outcomes import KINDS, left, nothing
from ruleferry.converters.readers.spreadsheet.values.words import classes, plain, says_nothing


@dataclass(frozen=True, slots=True)
class Standing:
    """`in_force`: None where a person must say; `reason` is empty for what simply holds."""

    in_force: bool | None = True
    reason: str = ""


IN_FORCE = Standing()
# A year in which nothing ends: 9999-12-31 and 2099-01-01 say that there is no end.
_NEVER = 2090
# No clock is read, since the same file must give the same rules. What ended before this room was
# written has ended; whether a later day has come is for a person to say.
_PAST = "2026-11-30"


def in_force(
    cells: Iterable[Cell], name: Cell | None = None, setting: Setting = NO_SETTING
) -> Standing:
    """By the cells of a record's status columns, and by the cell of its name, struck or not.

    One cell that ends it is enough; a doubt counts more than what holds.
    """
    found = [_by_name(name)] if name else []
    found += [_by_status(cell, setting) for cell in cells]
    for wanted in (False, None):
        for standing in found:
            if standing.in_force is wanted:
                return standing
    return IN_FORCE


def _by_name(cell: Cell) -> Standing:
    if cell.struck:
        return Standing(False, "its name is struck through")
    if "(" not in cell.text:
        return IN_FORCE
    words = plain(cell.text)
    for word, row in classes("status").items():
        if row == "out_of_force" and len(word) > 5 and f"({word}" in words:
            return Standing(False, f'its name says "{word}"')
    return IN_FORCE


def _by_status(cell: Cell, setting: Setting) -> Standing:
    word = plain(cell.text)
    explained = setting.legend.get("status", {}).get(word)
    if isinstance(explained, bool):
        return Standing(explained, "" if explained else f'its status is "{cell.text}"')
    if cell.struck or cell.trouble:
        return Standing(None, f'its status "{cell.text}" is struck through or spoilt')
    if day := cell.value if isinstance(cell.value, date) else day_in(cell.text, True):
        return _until(day, cell.text)
    row = classes("status").get(word)
    if row == "in_force" or says_nothing(cell.text):
        return IN_FORCE
    if row == "out_of_force" or _begins_retired(word):
        return Standing(False, f'its status is "{cell.text}"')
    return Standing(None, f'its status is "{cell.text}"')


def _until(day: date, text: str) -> Standing:
    if day.year >= _NEVER:
        return IN_FORCE
    if day.isoformat()[:10] <= _PAST:
        return Standing(False, f"it ended on {text}")
    return Standing(None, f"it ends on {text}")


def _begins_retired(word: str) -> bool:
    first = word.split(maxsplit=1)[0].rstrip(":;,-") if word else ""
    return len(first) > 5 and classes("status").get(first) == "out_of_force"


def not_in_force(meaning: Meaning, standing: Standing, column: Column) -> tuple[Statement, ...]:
    """What a rule cell of a record says that does not hold, or may not hold."""
    kind = KINDS.get(meaning, "predicate")
    if standing.in_force is None:
        return (left(kind, "status_doubt", standing.reason, column),)
    return nothing(kind, standing.reason).statements
