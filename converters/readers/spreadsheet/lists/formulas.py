"""Formulas of a spreadsheet as trees. They are read, and never computed.

The text is that of the file, which is the same in every language: names of functions in English,
commas between arguments, a point in numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeAlias

LAST_ROW, LAST_COLUMN = 1_048_575, 16_383
_LONGEST = 8_192  # what a formula may have in a file
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class Number:
    value: Decimal


@dataclass(frozen=True, slots=True)
class Text:
    value: str


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool


@dataclass(frozen=True, slots=True)
class Corner:
    """`row_fixed`: written with a $, so that it stays where it is in every cell."""

    row: int
    column: int
    row_fixed: bool
    column_fixed: bool


@dataclass(frozen=True, slots=True)
class Range:
    """Cells by their address; one cell has two equal corners. No sheet: that of the formula."""

    sheet: str | None
    first: Corner
    last: Corner

    @property
    def is_cell(self) -> bool:
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class TableColumn:
    """`Codes[Value]`; without a column all of its records."""

    table: str
    column: str | None
    with_header: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A defined name; `sheet` where it is that of one sheet."""

    name: str
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """`function` in capitals."""

    function: str
    arguments: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Union:
    """Several areas as one reference."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Number | Text | Truth | Range | TableColumn | Name | Call | Binary | Union

_QUOTED = r"'(?:[^']|'')+'"
_WORD = r"[^\W\d][\w.\\?]*"
_CELL = r"\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}"
_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<text>"(?:[^"]|"")*")
    | (?P<area>(?:(?:{_QUOTED}|{_WORD})!)?
        (?:{_CELL}(?::{_CELL})?|\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}|\$?\d{{1,7}}:\$?\d{{1,7}})
        (?![\w.(\[!]))
    | (?P<table>{_WORD}\[(?:[^\[\]]|\[[^\[\]]*\])*\])
    | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?)
    | (?P<function>{_WORD})\(
    | (?P<name>(?:(?:{_QUOTED}|{_WORD})!)?{_WORD})(?![\w.(\[!])
    | (?P<sign><>|<=|>=|[-+*/^&=<>(),])
    )""",
    re.VERBOSE,
)
_CORNER = re.compile(r"(\$?)([A-Za-z]*)(\$?)(\d*)\Z")
_OF_TABLE = re.compile(
    r"(?P<table>[^\[]+)\[(?:(?P<plain>[^\[\]#@]*)|(?P<part>#\w+)|"
    r"\[(?P<all>#\w+)\],\s*\[(?P<column>[^\[\]#@]+)\])\]\Z"
)
_STRENGTH = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2,
             "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}  # fmt: skip
# What newer functions are marked with in a file.
_MARKS = re.compile(r"(?:_XLFN\.|_XLWS\.)*")


class _Unreadable(Exception):
    """Not in the language that is read here."""


def read_formula(text: str) -> Formula | None:
    """None for what is not read: other files, errors, arrays, and whatever is no formula."""
    if len(text) > _LONGEST:
        return None
    try:
        reader = _Reader(list(_tokens(text.strip().removeprefix("="))))
        return reader.whole()
    except _Unreadable:
        return None


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise _Unreadable
        yield _Token(found.lastgroup, found[found.lastgroup])
        at = found.end()


class _Reader:
    """A descent through the tokens."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def whole(self) -> Formula:
        """Areas side by side, as a defined name may have them, are one reference."""
        parts = [self._formula(0, 0)]
        while self._takes(","):
            parts.append(self._formula(0, 0))
        if self._at < len(self._tokens):
            raise _Unreadable
        return parts[0] if len(parts) == 1 else Union(tuple(parts))

    def _takes(self, sign: str) -> bool:
        token = self._peek()
        if token is None or token.kind != "sign" or token.text != sign:
            return False
        self._at += 1
        return True

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _formula(self, weakest: int, depth: int) -> Formula:
        left = self._part(depth + 1)
        while (token := self._peek()) and token.kind == "sign":
            strength = _STRENGTH.get(token.text, 0)
            if not strength or strength <= weakest:
                return left
            self._at += 1
            left = Binary(token.text, left, self._formula(strength, depth + 1))
        return left

    def _part(self, depth: int) -> Formula:
        token = self._peek()
        if token is None or depth > _DEEPEST:
            raise _Unreadable
        self._at += 1
        match token.kind:
            case "text":
                return Text(token.text[1:-1].replace('""', '"'))
            case "number":
                return _number(token.text)
            case "area":
                return _range(token.text)
            case "table":
                return _table(token.text)
            case "function":
                return Call(_MARKS.sub("", token.text.upper(), count=1), self._arguments(depth))
            case "name":
                return _name(token.text)
            case _:
                return self._signed(token.text, depth)

    def _signed(self, sign: str, depth: int) -> Formula:
        if sign == "(":
            inner = self._formula(0, depth)
            if not self._takes(")"):
                raise _Unreadable
            return inner
        if sign not in "+-":
            raise _Unreadable
        # A sign binds closer than a power here: =-2^2 is 4.
        inner = self._part(depth + 1)
        if sign == "+":
            return inner
        if isinstance(inner, Number):
            return Number(-inner.value)
        return Binary("-", Number(Decimal(0)), inner)

    def _arguments(self, depth: int) -> tuple[Formula, ...]:
        if self._takes(")"):
            return ()
        found = [self._formula(0, depth)]
        while self._takes(","):
            found.append(self._formula(0, depth))
        if not self._takes(")"):
            raise _Unreadable
        return tuple(found)


def _number(text: str) -> Number:
    value = Decimal(text.rstrip("%"))
    if not -400 < value.adjusted() < 400:
        raise _Unreadable
    return Number(value / 100 if text.endswith("%") else value)


def _name(text: str) -> Formula:
    if text.upper() in ("TRUE", "FALSE"):
        return Truth(text.upper() == "TRUE")
    sheet, _, name = text.rpartition("!")
    return Name(name, _sheet(sheet))


def _sheet(text: str) -> str | None:
    """The name of a sheet; [1]Sheet1 is one of another file."""
    quoted = text.startswith("'")
    name = text[1:-1].replace("''", "'") if quoted else text
    if "[" in name or "]" in name:
        raise _Unreadable
    return name or None


def _range(text: str) -> Range:
    sheet, _, area = text.rpartition("!")
    first, _, last = area.partition(":")
    one, other = _corner(first, 0, 0), _corner(last or first, LAST_ROW, LAST_COLUMN)
    if one.row > other.row or one.column > other.column:
        one, other = _sorted(one, other)
    return Range(_sheet(sheet), one, other)


def _corner(text: str, row: int, column: int) -> Corner:
    """A missing half is where the sheet begins or ends, and stays there."""
    found = _CORNER.match(text)
    if found is None:
        raise _Unreadable
    dollar, letters, second, digits = found.groups()
    at_row = int(digits) - 1 if digits else row
    at_column = _column(letters) if letters else column
    if not (0 <= at_row <= LAST_ROW and 0 <= at_column <= LAST_COLUMN):
        raise _Unreadable
    row_dollar = second if letters else dollar or second
    return Corner(
        at_row,
        at_column,
        row_fixed=bool(row_dollar) or not digits,
        column_fixed=bool(dollar) or not letters,
    )


def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _sorted(one: Corner, other: Corner) -> tuple[Corner, Corner]:
    """D9:A2 is A2:D9."""
    low, high = sorted((one, other), key=lambda corner: corner.row)
    left, right = sorted((one, other), key=lambda corner: corner.column)
    return (
        replace(low, column=left.column, column_fixed=left.column_fixed),
        replace(high, column=right.column, column_fixed=right.column_fixed),
    )


def _table(text: str) -> TableColumn:
    found = _OF_TABLE.match(text)
    if found is None:
        raise _Unreadable
    part = (found["part"] or found["all"] or "#Data").lower()
    if part not in ("#all", "#data"):
        raise _Unreadable
    column = (found["plain"] or found["column"] or "").strip()
    return TableColumn(found["table"], column or None, with_header=part == "#all")


def moved(formula: Formula, rows: int, columns: int) -> Formula | None:
    """As it reads in a cell so much further down and right; None where it leaves the sheet."""
    match formula:
        case Range():
            first = _moved(formula.first, rows, columns)
            last = _moved(formula.last, rows, columns)
            return replace(formula, first=first, last=last) if first and last else None
        case Call():
            inner = [moved(argument, rows, columns) for argument in formula.arguments]
            known = tuple(part for part in inner if part is not None)
            return replace(formula, arguments=known) if len(known) == len(inner) else None
        case Binary():
            left = moved(formula.left, rows, columns)
            right = moved(formula.right, rows, columns)
            return Binary(formula.operator, left, right) if left and right else None
        case Union():
            inner = [moved(part, rows, columns) for part in formula.parts]
            known = tuple(part for part in inner if part is not None)
            return Union(known) if len(known) == len(inner) else None
        case _:
            return formula


def _moved(corner: Corner, rows: int, columns: int) -> Corner | None:
    row = corner.row if corner.row_fixed else corner.row + rows
    column = corner.column if corner.column_fixed else corner.column + columns
    if not (0 <= row <= LAST_ROW and 0 <= column <= LAST_COLUMN):
        return None
    return replace(corner, row=row, column=column)


def same_in_every_row(formula: Formula) -> bool:
    """Whether it names the same cells in each row that it stands in."""
    match formula:
        case Range():
            return formula.first.row_fixed and formula.last.row_fixed
        case Call():
            return all(map(same_in_every_row, formula.arguments))
        case Binary():
            return same_in_every_row(formula.left) and same_in_every_row(formula.right)
        case Union():
            return all(map(same_in_every_row, formula.parts))
        case _:
            return True
