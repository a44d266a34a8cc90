"""Thresholds: which share of the records has to be good, or may be bad."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal, TypeAlias

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Setting, Statement
from ruleferry.converters.rule import (
    Exists,
    NotARule,
    Ordered,
    Row,
    Share,
    Unique,
    Unread,
)

# What the numbers of a column are. None: nothing tells, and the number alone decides.
Reading: TypeAlias = Literal["good share", "failing share", "good percent", "failing percent"]
READINGS: tuple[Reading, ...] = ("good share", "failing share", "good percent", "failing percent")

_NUMBER = re.compile(r"\s*(\d{1,12}(?:[.,]\d{1,12})?)\s*(%?)\s*\Z")


def is_threshold(text: str) -> bool:
    """A number, or a percentage."""
    return _NUMBER.match(text) is not None


def reading_of(setting: Setting) -> Reading | None:
    """What the profile says of the thresholds: the word for any of them."""
    stated = setting.legend.get("threshold", {}).get("*")
    return next((reading for reading in READINGS if reading == stated), None)


def read_share(text: str, reading: Reading | None = None) -> Decimal | None:
    """The share that has to be good; None where the text does not tell.

    Without a reading a number tells it from a half up to 1 alone: 0.99 is a share of good records,
    while 5 and 1 may be percentages of bad ones and 0.02 a share of them.
    """
    found = _NUMBER.match(text)
    if found is None:
        return None
    number = Decimal(found[1].replace(",", "."))
    if reading is None:
        share = number / 100 if found[2] else number
        told = found[1] != "1" or found[2]
        return share if told and Decimal("0.5") < share <= 1 else None
    share = number / 100 if found[2] or reading.endswith("percent") else number
    good = 1 - share if reading.startswith("failing") else share
    return good if 0 <= good <= 1 else None


def with_thresholds(
    statements: Sequence[Statement], cells: Sequence[Cell], reading: Reading | None = None
) -> tuple[Statement, ...]:
    """The statements of cells that are read together, each of which may have a threshold."""
    if len({cell.text for cell in cells}) < 2:
        return with_threshold(statements, cells[0], reading) if cells else tuple(statements)
    rules = [s for s in statements if not isinstance(s.check, NotARule | Unread)]
    reason = f"its cells have different thresholds: {', '.join(cell.text for cell in cells)}"
    return tuple(_gap(s, "not_understood", reason) if s in rules else s for s in statements)


def with_threshold(
    statements: Sequence[Statement], cell: Cell, reading: Reading | None = None
) -> tuple[Statement, ...]:
    """The statements, of so many records as a threshold says."""
    share = read_share(cell.text, reading)
    rules = [s for s in statements if not isinstance(s.check, NotARule | Unread)]
    if not rules or share == 1:
        return tuple(statements)
    reason = ""
    if share is None:
        reason = f"whether its threshold {cell.text} is of good or of bad records does not show"
    elif not share:
        reason = f"its threshold {cell.text} lets every record be bad"
    elif len(rules) > 1:
        reason = f"its threshold {cell.text} is one of several rules"
    elif not isinstance(rules[0].check, Row | Unique | Ordered | Exists):
        reason = f"a threshold of {cell.text} on what is no rule of one record"
    if reason or share is None:
        code = "not_understood" if share else "threshold_unsure" if share is None else "never_fails"
        return tuple(_gap(s, code, reason) if s in rules else s for s in statements)
    return tuple(_shared(s, share) if s in rules else s for s in statements)


def _gap(statement: Statement, code: str, reason: str) -> Statement:
    return replace(statement, check=Unread(code, reason, statement.columns))


def _shared(statement: Statement, share: Decimal) -> Statement:
    assert isinstance(statement.check, Row | Unique | Ordered | Exists)
    return replace(statement, kind="share", check=Share(statement.check, share.normalize()))
