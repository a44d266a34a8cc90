"""The code lists of a workbook, found by the name that a dictionary gives them.

A list stands in a sheet of lists, in a sheet or a column of its own, or behind a defined name.
A name that two different lists bear finds none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from itertools import pairwise

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header, Layout, Record
from ruleferry.converters.readers.spreadsheet.cells import Book, Cell, address
from ruleferry.converters.readers.spreadsheet.lists.formulas import read_formula
from ruleferry.converters.readers.spreadsheet.lists.references import cells_in, parts_of
from ruleferry.converters.readers.spreadsheet.statement import CodeList, Meaning

_OPEN_HEADER = re.compile(r"extension|extensible|extend|open|lookup ?status|closed|locked", re.I)
_CLOSED_WORDS = frozenset({"closed", "locked", "no", "n", "false", "0", "not extensible"})
_CLOSED_IF_YES = re.compile(r"closed|locked", re.IGNORECASE)
_YES = frozenset({"yes", "y", "true", "1", "closed", "locked"})
# see the "Peril Values" tab -> Peril Values
_SEE = re.compile(
    r"\s*(?:please\s+)?(?:(?:see|refer to|use|as in|from|in)\s+)?(?:the\s+)?(?:code\s?list\s+)?"
    r"[\"'“”‘’]?(?P<name>.+?)[\"'“”‘’]?"
    r"(?:\s+(?:tab|sheet|worksheet|list|code\s?list|value\s?list|table)s?)?\s*\.?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class _Entry:
    """One value of a list. `is_open`: its row says that the list may be added to."""

    code: Cell
    label: str = ""
    is_open: bool = False


class _Ambiguous:
    """A name of several lists."""


_AMBIGUOUS = _Ambiguous()


def named_lists(
    book: Book,
    layouts: Sequence[Layout],
    meaning_of: Callable[[Block], Mapping[int, Meaning]],
) -> Callable[[str], CodeList | None]:
    """A function that finds the list of a name; None where there is none, or more than one."""
    found: dict[str, list[CodeList]] = {}
    for layout in layouts:
        for name, values in _of_layout(layout, meaning_of):
            found.setdefault(_key(name), []).append(values)
    tables = [name for sheet in book.sheets for name in sheet.marks.tables]
    for name in (*book.names, *tables):
        behind = None if "!" in name else _defined(name, book)
        if behind is not None:
            found.setdefault(_key(name), []).append(behind)
    known = {key: _one(lists) for key, lists in found.items() if key}

    def find(text: str) -> CodeList | None:
        return _find(text, known)

    return find


def _find(text: str, known: Mapping[str, CodeList | _Ambiguous]) -> CodeList | None:
    if len(text) > _LONGEST_NAME:
        return None
    matched = _SEE.match(text)
    for name in (text, matched["name"] if matched else ""):
        one = known.get(_key(name))
        if one is not None:
            return one if isinstance(one, CodeList) else None
    return None


def _one(lists: Sequence[CodeList]) -> CodeList | _Ambiguous:
    """Lists of the same values are one; it is open where any of them is."""
    if len({frozenset(values.values) for values in lists}) > 1:
        return _AMBIGUOUS
    return replace(lists[0], closed=all(values.closed for values in lists))


def _key(name: str) -> str:
    """`Yes/No list`, `yes_no_list`, `YesNoList`: letters and digits alone count."""
    return "".join(char for char in name.casefold() if char.isalnum())


# Sheets of lists ----------------------------------------------------------------------------------


def _of_layout(
    layout: Layout, meaning_of: Callable[[Block], Mapping[int, Meaning]]
) -> Iterator[tuple[str, CodeList]]:
    if layout.kind in ("copy", "readme"):
        return
    single = len(layout.blocks) == 1
    for block in layout.blocks:
        meanings = meaning_of(block)
        if layout.kind == "code list":
            meanings = _in_a_code_list(block, meanings)
        codes = [h for h in block.headers if meanings.get(h.index) == "code"]
        names = [h for h in block.headers if meanings.get(h.index) == "list_name"]
        if len(codes) == 1 and names and "column" not in meanings.values():
            yield from _by_column(block, names, codes[0], meanings)
        if layout.kind == "code list":
            yield from _by_title(block, codes, meanings, single=single)


# What a name is in a sheet of lists: a value beside the name of its list (XLSForm), or the name of
# the list beside a code (CDISC).
_VALUE = frozenset({"name", "value", "option", "choice", "term"})


def _in_a_code_list(block: Block, meanings: Mapping[int, Meaning]) -> Mapping[int, Meaning]:
    """Where no field is described, a name and a label belong to the codes."""
    found = dict(meanings)
    of = {meaning: [i for i, m in found.items() if m == meaning] for meaning in found.values()}
    named = of.get("column", [])
    text = {header.index: _key(header.text) for header in block.headers}
    if "code" not in of and "list_name" in of:
        others = [i for i in text if "code" in text[i] and found.get(i) != "list_name"]
        values = [i for i in named if text[i] in _VALUE]
        if len(values) == 1 and not others:
            found[values[0]] = "code"
    elif len(of.get("code", [])) == 1 and "list_name" not in of:
        found |= {i: "list_name" for i in named if _groups(block, i, of["code"][0])}
    if "code_label" not in of and len(of.get("label", [])) == 1:
        found[of["label"][0]] = "code_label"
    return {i: m for i, m in found.items() if m != "column"}


def _groups(block: Block, name: int, code: int) -> bool:
    """Records of one name stand together, and none of its codes comes twice."""
    pairs = [
        (_first(record, name), cell.text)
        for record in block.records
        for cell in record.cells.get(code, ())
    ]
    names = [stated for stated, _ in pairs]
    runs = sum(1 for one, other in pairwise(names) if one != other) + 1
    return "" not in names and runs == len(set(names)) < len(set(pairs)) == len(pairs)


def _first(record: Record, index: int) -> str:
    cell = record.first(index)
    return cell.text if cell is not None else ""


def _by_column(
    block: Block, names: Sequence[Header], code: Header, meanings: Mapping[int, Meaning]
) -> Iterator[tuple[str, CodeList]]:
    """A row for each value, with the name of its list; a blank one stands for the one above.

    A name that spans several names of another column is that of a group of lists.
    """
    stated = list(_filled_down(block, names))
    for at in range(len(names)):
        lists: dict[str, list[_Entry]] = {}
        spans: dict[str, set[tuple[str | None, ...]]] = {}
        for record, row in zip(block.records, stated, strict=True):
            title = row[at]
            if title is not None:
                lists.setdefault(title, []).extend(_entries(record, block, code, meanings))
                spans.setdefault(title, set()).add(row[:at] + row[at + 1 :])
        for title, entries in lists.items():
            values = _list(title, entries) if len(spans[title]) == 1 else None
            if values is not None:
                yield title, values


def _filled_down(block: Block, names: Sequence[Header]) -> Iterator[tuple[str | None, ...]]:
    """The names of each record; None where there is none yet, or a spoilt one."""
    last: list[str | None] = [None] * len(names)
    for record in block.records:
        for number, header in enumerate(names):
            cell = record.first(header.index)
            if cell is not None:
                last[number] = None if cell.trouble else cell.text
        yield tuple(last)


def _entries(
    record: Record, block: Block, code: Header, meanings: Mapping[int, Meaning]
) -> Iterator[_Entry]:
    cells = record.cells.get(code.index, ())
    labels = [h.index for h in block.headers if meanings.get(h.index) == "code_label"]
    told = record.cells.get(labels[0], ()) if len(labels) == 1 else ()
    is_open = any(_says_open(header, record) for header in block.headers)
    for number, cell in enumerate(cells):
        label = told[number].text if len(told) == len(cells) else ""
        yield _Entry(cell, label, is_open)


def _says_open(header: Header, record: Record) -> bool:
    """`Extensible`: Yes; `LookupStatus`: Open; a word that is not known leaves it in doubt."""
    cell = record.first(header.index)
    if cell is None or not _OPEN_HEADER.search(header.text):
        return False
    word = cell.text.casefold()
    if _CLOSED_IF_YES.search(header.text):
        return word not in _YES
    return word not in _CLOSED_WORDS


def _by_title(
    block: Block, codes: Sequence[Header], meanings: Mapping[int, Meaning], *, single: bool
) -> Iterator[tuple[str, CodeList]]:
    """A sheet that is one list, and columns that each are one."""
    sole = block.headers if len(block.headers) == 1 else codes
    if len(sole) == 1 and _is_one_list(block, sole[0], meanings):
        titles = [block.sheet] if single else []
        if block.table is not None and _key(block.table) != _key(block.sheet):
            titles.append(block.table)
        for title in titles:
            values = _column(block, sole[0], meanings, title)
            if values is not None:
                yield title, values
    if not codes and "list_name" not in meanings.values():
        for header in block.headers:
            values = _column(block, header, {}, header.text)
            if values is not None:
                yield header.text, values


def _is_one_list(block: Block, code: Header, meanings: Mapping[int, Meaning]) -> bool:
    """Each code comes once, and no column before it parts them into several lists."""
    cells = [cell.text for record in block.records for cell in record.cells.get(code.index, ())]
    parting = [
        header.index
        for header in block.headers
        if header.index < code.index and meanings.get(header.index) in (None, "list_name")
    ]
    for index in parting:
        names = {_first(record, index) for record in block.records} - {""}
        if 1 < len(names) < len(cells):
            return False
    return len(set(cells)) == len(cells)


def _column(
    block: Block, header: Header, meanings: Mapping[int, Meaning], name: str
) -> CodeList | None:
    entries = [
        entry for record in block.records for entry in _entries(record, block, header, meanings)
    ]
    return _list(name, entries)


# One list -----------------------------------------------------------------------------------------


def _list(name: str, entries: Sequence[_Entry]) -> CodeList | None:
    """None where a cell of it is spoilt. A value that is struck through is no longer one of it."""
    if any(_spoilt(entry.code) for entry in entries):
        return None
    valid = [entry for entry in entries if not entry.code.struck and entry.code.text]
    if not valid:
        return None
    labels = {entry.code.text: entry.label for entry in reversed(valid) if entry.label}
    return CodeList(
        name,
        tuple(dict.fromkeys(entry.code.text for entry in valid)),
        _place([entry.code for entry in valid]),
        closed=not any(entry.is_open for entry in entries),
        labels={code: labels[code] for code in sorted(labels)},
    )


def _spoilt(cell: Cell) -> bool:
    """A day among codes is what the spreadsheet program made of 1-2."""
    return bool(cell.trouble) or isinstance(cell.value, date | time | timedelta)


def _place(cells: Sequence[Cell]) -> str:
    first, last = cells[0], cells[-1]
    if first is last:
        return first.place
    return f"{first.place}:{address(last.row, last.column)}"


def _defined(name: str, book: Book) -> CodeList | None:
    """Of a defined name, or of a table of one column. One cell is a value or the aim of a link."""
    formula = read_formula(name)
    parts = None if formula is None else parts_of(formula, book, "")
    if parts is None or len(parts) != 1 or not parts[0].is_line:
        return None
    cells = list(cells_in(parts))
    return _list(name, [_Entry(cell) for cell in cells]) if len(cells) > 1 else None
