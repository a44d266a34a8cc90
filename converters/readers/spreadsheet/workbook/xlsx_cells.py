"""The cells of an .xlsx sheet, scanned piece by piece for what their values don't tell.

Regular expressions on bytes: within `<sheetData>` no text holds a bare `<`. Whatever is written in
another way than spreadsheet programs write it is first brought into that way by a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache

from ruleferry.converters.readers.spreadsheet.cells import Place
from ruleferry.converters.readers.spreadsheet.workbook.areas import column_number
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_styles import Runs, Styles, runs_of

# Of each cell; empty for one whose address isn't its first attribute.
_REF = re.compile(rb'<c(?: r="([^"]*)"|(?=[\s/>]))')
_SINGLE_QUOTED = re.compile(rb"<(?:c|row)\s[^>']*'")
_COLUMN = re.compile(rb"[A-Z]{1,3}")
_CELL = re.compile(rb"<c(?=[\s/>])")
_EMPTY = re.compile(rb"<c\s[^>]*(?:/>|>\s*</c>)")
_ROW = re.compile(rb"<row\s([^>]*)>")
_HIDDEN = re.compile(rb'(?:\A|\s)hidden="(?:1|true)"')
_ROW_NUMBER = re.compile(rb'(?:\A|\s)r="([0-9]{1,7})"')
_ADDRESS = re.compile(rb'<c r="([A-Z]+)([0-9]+)"')
# A cell whose tag has an attribute of some value; its address stands first of all.
_WITH = rb'<c r="([A-Z]+)([0-9]+)"[^>]*?\s%s="(%s)"'
_ERROR = re.compile(_WITH % (b"t", b"e"))
_FORMULA = re.compile(rb"<f[\s/>]")
_AFTER_FORMULA = re.compile(rb"<f(?:\s[^>]*?)?(?:/>|>[^<]*</f>)\s*")
_VALUE = re.compile(rb"<v(?:\s[^>]*?)?(?:/>|>([^<]*)</v>)")
_SHARED = re.compile(rb"<v>([0-9]+)</v>")
_INLINE_RUN = re.compile(rb"<is>\s*<r[\s>]")
_STYLE = re.compile(rb'\ss="([0-9]+)"')
# Styles that are looked for one by one.
_FEW = 8
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
    if b' hidden="' in rows:
        found.hidden_rows.update(_hidden_rows(rows))
    for cell in _ERROR.finditer(rows) if b't="e"' in rows else ():
        value = _VALUE.search(rows, cell.end(), _end_of(rows, cell.end()))
        found.errors[_placed(cell)] = ((value and value[1]) or b"#?").decode("utf-8", "replace")
    _look_for_results(rows, wanted, found)
    _look_at_styles(rows, wanted.styles, found)
    if wanted.texts or wanted.styles.struck:
        _look_at_runs(rows, wanted, found)
    elif b"<strike" in rows:
        _look_at_inline(rows, wanted, found)


def _measure(rows: bytes, found: Found) -> None:
    joined = b" ".join(addresses := _REF.findall(rows))
    columns = set(joined.translate(None, _DIGITS).split(b" ")) if addresses else ()
    numbers = set(joined.translate(None, _LETTERS).split(b" ")) if addresses else ()
    known = all(_COLUMN.fullmatch(each) for each in columns) and all(
        each.isdigit() and len(each) < 8 for each in numbers
    )
    if not known or (b"'" in rows and _SINGLE_QUOTED.search(rows)):
        raise Unusual
    letters = (column_number(each.decode()) for each in columns)
    found.width = max(found.width, *(number + 1 for number in letters), 0)
    found.height = max(found.height, *map(int, numbers), 0)


def _hidden_rows(rows: bytes) -> Iterator[int]:
    for row in _ROW.finditer(rows):
        if _HIDDEN.search(row[1]):
            number = _ROW_NUMBER.search(row[1])
            if not number:
                raise Unusual
            yield int(number[1]) - 1


def _placed(cell: re.Match[bytes]) -> Place:
    return int(cell[2]) - 1, _column(cell[1])


@cache
def _column(letters: bytes) -> int:
    return column_number(letters.decode())


def _end_of(rows: bytes, inside: int) -> int:
    """Where the cell around a place in its tag ends."""
    tag_end = _find(b">", rows, inside)
    return tag_end if rows[tag_end - 1 : tag_end] == b"/" else _find(b"</c>", rows, tag_end)


def _find(text: bytes, rows: bytes, start: int) -> int:
    """Raises Unusual where the text doesn't follow."""
    found = rows.find(text, start)
    if found < 0:
        raise Unusual
    return found


def _place(rows: bytes, tag: int) -> Place:
    address = _ADDRESS.match(rows, tag) if tag >= 0 else None
    if not address:
        raise Unusual
    return _placed(address)


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
        is_text = b't="str"' in rows[tag : _find(b">", rows, tag)]
        held = value is not None and (is_text or bool((value[1] or b"").strip()))
        if not held or (wanted.recalculated and value and value[1] == b"0"):
            found.uncached.add(_place(rows, tag))


def _look_at_styles(rows: bytes, styles: Styles, found: Found) -> None:
    numbers = styles.struck | styles.formats.keys()
    # A cell that names no style has the first.
    if 0 in numbers:
        _look_at_unstyled(rows, styles, found)
    used: Set[int] = numbers - {0}
    if len(used) <= _FEW:
        used = frozenset(number for number in used if b's="%d"' % number in rows)
    if not used:
        return
    any_of = b"|".join(b"%d" % number for number in used) if len(used) <= _FEW else rb"[0-9]+"
    for cell in re.compile(_WITH % (b"s", any_of)).finditer(rows):
        _take_style(int(cell[3]), _placed(cell), styles, found)


def _look_at_unstyled(rows: bytes, styles: Styles, found: Found) -> None:
    """The cells of the first style, which need not say so."""
    for cell in _CELL.finditer(rows):
        style = _STYLE.search(rows, cell.start(), _find(b">", rows, cell.start()))
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
                if b't="s"' in rows[tag : _find(b">", rows, tag)]:
                    _take_runs(runs, _place(rows, tag), found)
    _look_at_inline(rows, wanted, found)


def _look_at_inline(rows: bytes, wanted: Wanted, found: Found) -> None:
    for start in _INLINE_RUN.finditer(rows):
        runs = runs_of(rows[start.start() : _find(b"</is>", rows, start.start())])
        if runs:
            _take_runs(runs, _place(rows, _cell_of(rows, start.start())), found)


def _take_runs(runs: Runs, place: Place, found: Found) -> None:
    share = runs.in_struck if place in found.struck else runs.plain
    found.struck.discard(place)
    if share == "whole":
        found.struck.add(place)
    elif share == "part":
        found.partly_struck.add(place)
