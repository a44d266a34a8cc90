"""CSV and its like: encoding, delimiter, quotes and embedded newlines -> rows of texts."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.cells import Book, Sheet
from ruleferry.converters.readers.spreadsheet.workbook.limits import MEGABYTE, ROWS, Unreadable

DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 200
_HEAD_BYTES = 4 * MEGABYTE
_EXPECTED = "a CSV"
_OPEN = "a quote that opens in this row and is never closed"
_AS_CSV = "Save it as CSV in UTF-8, or as a workbook."
# Words of accented letters alone are another alphabet that Windows-1252 would garble.
_FOREIGN = re.compile(rb"[\xc0-\xff]{4,}|[\xa1-\xff]{6,}")
_MARKUP = re.compile(r"\s*<(?:!doctype|html|table|\?xml|head|body|meta|div)\b", re.IGNORECASE)
_STATED = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
_SPACED_QUOTE = re.compile(r'(?:^|[,;\t|])[ ]+"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Form:
    delimiter: str
    spaced: bool
    skipped_lines: int = 0


def read_csv(data: bytes, file: str, rows: int | None = None, cut: bool = False) -> Book:
    """Raises Unreadable. `rows`: the first ones alone; `cut`: the data are the begin of a file."""
    text = _decoded(data, cut)
    if _MARKUP.match(text):
        raise Unreadable("HTML or XML", _AS_CSV, expected=_EXPECTED)
    form, body = _form_and_body(text, file)
    most = ROWS + 1 if rows is None else rows
    table = list(islice((_whole_rows if cut else _rows)(body, form), most))
    if len(table) > ROWS:
        todo = "Give the rows of the dictionary in a file of their own."
        raise Unreadable(f"more than {ROWS:,} rows", todo, expected=_EXPECTED)
    lines = tuple(line for line, _ in table)
    return Book(file, "csv", (Sheet("", [cells for _, cells in table], lines=lines),))


def count_filled(data: bytes, file: str) -> int:
    """The filled cells of a file that was read, told apart by another way than `read_csv`'s."""
    form, body = _form_and_body(_decoded(data, cut=False), file)
    end, blanks = re.escape(form.delimiter), " *" if form.spaced else ""
    cell = rf'{blanks}(?:"([^"]*(?:""[^"]*)*)"|([^{end}\r\n]*))(?:{end}|\r\n|\r|\n|\Z)'
    return sum(bool((quoted or plain).strip()) for quoted, plain in re.findall(cell, body))


def _form_and_body(text: str, file: str) -> tuple[_Form, str]:
    form = _form(text, file)
    return form, text.split("\n", 1)[1] if form.skipped_lines else text


def read_csv_head(path: Path, file: str, rows: int) -> Book | list[Fault]:
    """The first rows of a file of whatever size, at most those of its first megabytes."""
    try:
        with path.open("rb") as opened:
            data = opened.read(_HEAD_BYTES + 1)
    except OSError as error:
        found = f"no readable file ({error.strerror or error})"
        return [Fault(file, None, found, _EXPECTED, "Check the path and the permissions.")]
    try:
        return read_csv(data[:_HEAD_BYTES], file, rows, cut=len(data) > _HEAD_BYTES)
    except Unreadable as error:
        return [Fault(file, error.place, error.found, error.expected, error.todo)]


def _decoded(data: bytes, cut: bool) -> str:
    """UTF-8 or UTF-16 (which says so), else Windows-1252."""
    if not data.strip():
        raise Unreadable("an empty file", "Export it again.", expected=_EXPECTED)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _unless_binary(data[: len(data) // 2 * 2].decode("utf-16", "replace"))
    try:
        return _unless_binary(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        if cut and error.start > len(data) - 4:
            return _unless_binary(data[: error.start].decode("utf-8-sig"))
    line = data.count(b"\n", 0, error_at(data)) + 1
    found = "text in an encoding that can't be told"
    if _FOREIGN.search(data):
        raise Unreadable(found, "Save it as text in UTF-8.", f"line {line}", _EXPECTED)
    try:
        return _unless_binary(data.decode("cp1252"))
    except UnicodeDecodeError:
        raise Unreadable(found, "Save it as text in UTF-8.", f"line {line}", _EXPECTED) from None


def error_at(data: bytes) -> int:
    """Where the bytes stop to be UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def _unless_binary(text: str) -> str:
    if "\0" in text:
        raise Unreadable("a binary file", _AS_CSV, expected=_EXPECTED)
    return text


def _form(text: str, file: str) -> _Form:
    stated = _STATED.match(text)
    body = text[stated.end() :] if stated else text
    choices = stated[1] if stated else "\t" if file.lower().endswith(".tsv") else DELIMITERS
    forms = [_Form(each, False) for each in choices]
    if _SPACED_QUOTE.search(body):
        forms = [_Form(each.delimiter, spaced) for each in forms for spaced in (True, False)]
    best = max(forms, key=lambda form: _fit(body, form))
    return _Form(best.delimiter, best.spaced, 1 if stated else 0)


def _fit(text: str, form: _Form) -> tuple[bool, float, int]:
    """(whether most rows are even and none is broken, how even, how wide) of the first rows."""
    widths: Counter[int] = Counter()
    broken = False
    try:
        for _, cells in islice(_rows(text, form), _SAMPLE_ROWS):
            widths[len(cells)] += any(cells)
    except Unreadable:
        broken = True
    wide = {width: count for width, count in widths.items() if width > 1}
    if not wide:
        return (False, 0.0, 1)
    width, count = max(wide.items(), key=lambda pair: (pair[1], pair[0]))
    even = count / (widths.total() or 1)
    return (even > 0.5 and not broken, even, width)


def _whole_rows(text: str, form: _Form) -> Iterator[tuple[int, Sequence[str]]]:
    """Of a text that ends anywhere: without its last row, and without an open quote's."""
    held: tuple[int, Sequence[str]] | None = None
    try:
        for row in _rows(text, form):
            if held:
                yield held
            held = row
    except Unreadable as error:
        if error.found != _OPEN:
            raise


def _rows(text: str, form: _Form) -> Iterator[tuple[int, Sequence[str]]]:
    """(its first line, cells) of each row."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=form.delimiter,
        skipinitialspace=form.spaced,
        strict=True,
    )
    line = 1 + form.skipped_lines
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _broken(line, error) from None
        if cells is None:
            return
        yield line, cells
        line = reader.line_num + 1 + form.skipped_lines


def _broken(line: int, error: csv.Error) -> Unreadable:
    told = str(error)
    if "unexpected end" in told:
        found = _OPEN
    elif "expected after" in told:
        found = "text after a closing quote"
    elif "field limit" in told:
        found = "a cell of more than 131,072 characters, as where a quote is never closed"
    else:
        found = f"a broken row ({told})"
    todo = "Mend the quotes of this row: a quote within a quoted cell is written twice."
    return Unreadable(found, todo, f"line {line}", _EXPECTED)
