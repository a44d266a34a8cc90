"""The cells of an .xlsx sheet, scanned piece by piece for what their values don't tell.

Regular expressions on bytes: within `<sheetData>` no text holds a bare `<`. Whatever is written in
another way than spreadsheet programs write it is first brought into that way by a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ruleferry.converters.readers.spreadsheet.areas import column_number
from ruleferry.converters.readers.spreadsheet.cells import Place
from ruleferry.converters.readers.spreadsheet.xlsx_styles import Runs, Styles, runs_of

# Of each cell; empty for one whose address isn't its first attribute.
_REF = re.compile(rb'<c(?: r="([A-Z]{1,3}[0-9]{1,7})"|(?=[\s/>]))')
_SINGLE_QUOTED = re.compile(rb"<(?:c|row)\s[^>']*'")
_CELL = re.compile(rb"<c(?=[\s/>])")
_EMPTY = re.compile(rb"<c\s[^>]*(?:/>|>\s*</c>)")
_ROW = re.compile(rb"<row\s([^>]*)>")
_HIDDEN = re.compile(rb'\shidden="(?:1|true)"')
_ROW_NUMBER = re.compile(rb'(?:\A|\s)r="([0-9]{1,7})"')
_ADDRESS = re.compile(rb'\sr="([A-Z]{1,3})([0-9]{1,7})"')
_ERROR = re.compile(rb'\st="e"')
_FORMULA = re.compile(rb"<f[\s/>]")
_AFTER_FORMULA = re.compile(rb"<f(?:\s[^>]*?)?(?:/>|>[^<]*</f>)\s*")
_VALUE = re.compile(rb"<v(?:\s[^>]*?)?(?:/>|>([^<]*)</v>)")
_SHARED = re.compile(rb"<v>([0-9]+)</v>")
_INLINE_RUN = re.compile(rb"<is>\s*<r[\s>]")
_STYLE = re.compile(rb'\ss="([0-9]+)"')
_DIGITS, _LETTERS = b"0123456789", bytes(range(ord("A"), ord("Z") + 1))


class Unusual(Exception):
    """A way of writing that the scan doesn't know."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the workbook bears on its cells. `recalculated`: a result of 0 may be none."""

    styles: Styles
    texts: Mapping[int, Runs] = field(default_factory=dict)
    recalculated: bool = False


@dataclass(slots=True)
class Found:
    """Of one sheet, filled piece by piece. `height`, `width`: of the area that its cells need.

    `formats`: the code of a number format that may show another text.
    """

    hidden_rows: set[int] = field(default_factory=set)
    struck: set[Place] = field(default_factory=set)
    partly_struck: set[Place] = field(default_factory=set)
    errors: dict[Place, str] = field(default_factory=dict)
    uncached: set[Place] = field(default_factory=set)
    formats: dict[Place, str] = field(default_factory=dict)
    height: int = 0
    width: int = 0


def scan(rows: bytes, wanted: Wanted, found: Found, filled_only: bool = False) -> None:
    """Raises Unusual. `filled_only`: the sheet's size is that of its filled cells."""
    _measure(_EMPTY.sub(b"", rows) if filled_only else rows, found)
    if b"hidden" in rows:
        found.hidden_rows.update(_hidden_rows(rows))
    for tag, place in _hits(_ERROR, rows) if b't="e"' in rows else ():
        value = _VALUE.search(rows, tag, rows.index(b"</c>", tag))
        found.errors[place] = ((value and value[1]) or b"#?").decode("utf-8", "replace")
    _look_for_results(rows, wanted, found)
    _look_at_styles(rows, wanted.styles, found)
    if wanted.texts or wanted.styles.struck:
        _look_at_runs(rows, wanted, found)
    elif b"<strike" in rows:
        _look_at_inline(rows, wanted, found)


def _measure(rows: bytes, found: Found) -> None:
    addresses = _REF.findall(rows)
    if b"" in addresses or (b"'" in rows and _SINGLE_QUOTED.search(rows)):
        raise Unusual
    joined = b" ".join(addresses)
    columns, numbers = joined.translate(None, _DIGITS), joined.translate(None, _LETTERS)
    letters = (column_number(each.decode()) for each in set(columns.split()))
    found.width = max(found.width, *(number + 1 for number in letters), 0)
    found.height = max(found.height, *map(int, set(numbers.split())), 0)


def _hidden_rows(rows: bytes) -> Iterator[int]:
    for row in _ROW.finditer(rows):
        if _HIDDEN.search(row[1]) or row[1].startswith((b'hidden="1"', b'hidden="true"')):
            number = _ROW_NUMBER.search(row[1])
            if not number:
                raise Unusual
            yield int(number[1]) - 1


def _hits(pattern: re.Pattern[bytes], rows: bytes) -> Iterator[tuple[int, Place]]:
    """(where its tag begins, place) of each cell with a match in its own tag."""
    for match in pattern.finditer(rows):
        tag = rows.rfind(b"<", 0, match.start() + 1)
        if rows.startswith((b"<c ", b"<c\n"), tag) and rows.find(b">", tag) >= match.end():
            yield tag, _place(rows, tag)


def _place(rows: bytes, tag: int) -> Place:
    address = _ADDRESS.search(rows, tag, rows.index(b">", tag))
    if not address:
        raise Unusual
    return int(address[2]) - 1, column_number(address[1].decode())


def _cell_of(rows: bytes, inside: int) -> int:
    """Where the tag of the cell around a place begins."""
    return rows.rfind(b"<c ", 0, inside)


def _look_for_results(rows: bytes, wanted: Wanted, found: Found) -> None:
    """A text that a formula works out may be empty; any other result may not."""
    for formula in _FORMULA.finditer(rows):
        whole = _AFTER_FORMULA.match(rows, formula.start())
        if not whole:
            raise Unusual
        tag = _cell_of(rows, formula.start())
        value = _VALUE.match(rows, whole.end())
        is_text = b't="str"' in rows[tag : rows.index(b">", tag)]
        held = value is not None and (is_text or bool((value[1] or b"").strip()))
        if not held or (wanted.recalculated and value and value[1] == b"0"):
            found.uncached.add(_place(rows, tag))


def _look_at_styles(rows: bytes, styles: Styles, found: Found) -> None:
    numbers = sorted(styles.struck | styles.formats.keys())
    # A cell that names no style has the first.
    if 0 in numbers:
        numbers.remove(0)
        _look_at_unstyled(rows, styles, found)
    used = [number for number in numbers if b's="%d"' % number in rows]
    if not used:
        return
    pattern = re.compile(rb'\ss="(?:%s)"' % b"|".join(b"%d" % number for number in used))
    for tag, place in _hits(pattern, rows):
        style = _STYLE.search(rows, tag)
        assert style
        _take_style(int(style[1]), place, styles, found)


def _look_at_unstyled(rows: bytes, styles: Styles, found: Found) -> None:
    for cell in _CELL.finditer(rows):
        style = _STYLE.search(rows, cell.start(), rows.index(b">", cell.start()))
        if style is None or int(style[1]) == 0:
            _take_style(0, _place(rows, cell.start()), styles, found)


def _take_style(number: int, place: Place, styles: Styles, found: Found) -> None:
    if number in styles.struck:
        found.struck.add(place)
    if number in styles.formats:
        found.formats[place] = styles.formats[number]


def _look_at_runs(rows: bytes, wanted: Wanted, found: Found) -> None:
    """Texts in runs, which say for themselves what is struck; the cell's style is known by now."""
    if wanted.texts:
        for value in _SHARED.finditer(rows):
            runs = wanted.texts.get(int(value[1]))
            if runs:
                tag = _cell_of(rows, value.start())
                if b't="s"' in rows[tag : rows.index(b">", tag)]:
                    _take_runs(runs, _place(rows, tag), found)
    _look_at_inline(rows, wanted, found)


def _look_at_inline(rows: bytes, wanted: Wanted, found: Found) -> None:
    for start in _INLINE_RUN.finditer(rows):
        runs = runs_of(rows[start.start() : rows.index(b"</is>", start.start())])
        if runs:
            _take_runs(runs, _place(rows, _cell_of(rows, start.start())), found)


def _take_runs(runs: Runs, place: Place, found: Found) -> None:
    share = runs.in_struck if place in found.struck else runs.plain
    found.struck.discard(place)
    if share == "whole":
        found.struck.add(place)
    elif share == "part":
        found.partly_struck.add(place)
