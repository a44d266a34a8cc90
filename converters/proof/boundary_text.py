"""Boundary values of text and bytes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.predicates import Value
from ruleferry.converters.proof.boundary_numbers import EXACT, number_of
from ruleferry.converters.proof.boundary_times import days_around
from ruleferry.converters.proof.cells import Cell, Family

_ASTRAL = "\N{GRINNING FACE}"
_BLANKS = ("", " ", "\t", "\n", "\u00a0", "\u200b", "\u3000")
_LOOKALIKES = ("ı", "İ", "ß", "é", "e\u0301", "ﬁ", "٣", "²", _ASTRAL, "\0")
_LONGEST = 5_000


def _written(cell: Cell) -> str | None:
    """A literal as an author or a cast would write it."""
    if cell is None or isinstance(cell, bytes):
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    return cell if isinstance(cell, str) else str(cell)


def size_of(column_type: ColumnType) -> int | None:
    """n of CHAR(n) and VARCHAR(n)."""
    found = re.search(r"\(\s*(\d+)\s*\)", column_type.text)
    return int(found[1]) if found else None


def _fit_text(cell: Cell, column_type: ColumnType) -> Iterator[Cell]:
    text = _written(cell)
    size = size_of(column_type)
    if text is None or len(text) > (size or _LONGEST) or not _encodes(text):
        return
    # A CHAR(n) column gives its values back padded with spaces.
    yield text.ljust(size) if column_type.family == "char" and size else text


def _encodes(text: str) -> bool:
    """A lone surrogate is no character: no table can hold it."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _around_text(literal: Value, column_type: ColumnType) -> Iterator[Cell]:
    text = _written(literal)
    if text is None:
        return
    if (number := number_of(literal)) is not None:
        yield from _numeral_variants(number)
        if number == int(number) and 0 <= number <= _LONGEST:
            yield from _of_lengths(int(number))
    if isinstance(literal, date):
        yield from _date_variants(literal)
    for blank in (" ", "\t", "\n", "\r", "\r\n", "\u00a0", "\u200b"):
        yield from (text + blank, blank + text)
    yield from (text.lower(), text.upper(), text.title(), text.swapcase(), text.casefold())
    yield from (unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC"))
    yield from (text.replace("i", "ı"), text.replace("I", "İ"), text.replace("s", "ſ"))
    yield from (text[:-1], text[1:], text + text, f"x{text}", f"{text}x", text + _ASTRAL)
    yield from _wildcard_variants(text)


def _numeral_variants(number: Decimal) -> Iterator[str]:
    plain = f"{number:f}"
    yield from (plain, f"{plain}.0", f"0{plain}", f"+{plain}", f"{number:e}", f"{plain}abc")
    yield from (f"{EXACT.add(number, Decimal(by)):f}" for by in ("1", "-1", "0.01", "-0.01"))


def _of_lengths(length: int) -> Iterator[str]:
    """Texts around a length, in characters that UTF-8, UTF-16 and eyes count differently."""
    for n in (length - 1, length, length + 1):
        if n >= 0:
            yield from ("a" * n, "é" * n, _ASTRAL * n, " " * n)
    yield "e\u0301" * (length // 2) + "e" * (length % 2)


def _date_variants(day: date) -> Iterator[str]:
    yield from (
        day.isoformat(),
        f"{day.year}-{day.month}-{day.day}",
        f"{day.day:02}/{day.month:02}/{day.year:04}",
    )
    yield from (f"{day.isoformat()} 00:00:00", f"{day.isoformat()}T12:00:00Z")
    yield from (step.isoformat() for step in days_around(day))


def _wildcard_variants(text: str) -> Iterator[str]:
    """What the wildcards of LIKE and GLOB may or may not stand for."""
    if any(wildcard in text for wildcard in "%_*?"):
        for many, one in (("", ""), ("x", "x"), ("x\ny", "\n"), ("%", "_"), (_ASTRAL, _ASTRAL)):
            yield text.translate({ord("%"): many, ord("*"): many, ord("_"): one, ord("?"): one})


def _text_limits(column_type: ColumnType) -> Iterator[Cell]:
    yield from ("a", *_BLANKS, "0", "1", "true", "A", *_LOOKALIKES)
    yield from ("NULL", "null", "nan", "NaN", "-", "a\nb", "a b", "abc", "12", "1.5")
    if size := size_of(column_type):
        yield from ("a" * (size - 1), "a" * size, _ASTRAL * size)


def _fit_binary(cell: Cell, _column_type: ColumnType) -> Iterator[Cell]:
    if isinstance(cell, bytes):
        yield cell
    elif (text := _written(cell)) is not None and _encodes(text):
        yield text.encode()


def _around_binary(literal: Value, column_type: ColumnType) -> Iterator[Cell]:
    number = number_of(literal)
    if number is not None and number == int(number) and 0 <= number <= _LONGEST:
        yield from (text.encode() for text in _of_lengths(int(number)))
    for cell in _fit_binary(literal, column_type):
        assert isinstance(cell, bytes)
        yield from (cell + b"\0", cell + b"\n", cell[:-1], b"\xff" + cell)


def _binary_limits(_column_type: ColumnType) -> Iterator[Cell]:
    yield from (b"", b"\0", b"a", b"\xff\xfe", _ASTRAL.encode())


TEXT = Family(_fit_text, _around_text, _text_limits)
BINARY = Family(_fit_binary, _around_binary, _binary_limits)
