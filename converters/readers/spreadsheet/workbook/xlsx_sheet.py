"""One sheet of an .xlsx: its marks, and how far its filled cells reach."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from ruleferry.converters.readers.spreadsheet.cells import Area, Place, Validation, address
from ruleferry.converters.readers.spreadsheet.workbook.archive import Archive
from ruleferry.converters.readers.spreadsheet.workbook.areas import areas, place
from ruleferry.converters.readers.spreadsheet.workbook.limits import COLUMNS, damaged
from ruleferry.converters.readers.spreadsheet.workbook.xlsx_cells import (
    Found,
    Unusual,
    Wanted,
    scan,
)
from ruleferry.converters.readers.spreadsheet.workbook.xml_text import (
    all_named,
    is_on,
    is_utf8,
    local,
    other_encoding,
    parse,
    text_of_xml,
    unescaped,
)

_START = re.compile(rb"<(?:([\w.-]+):)?sheetData(?:\s[^>]*?)?(/)?>")


@dataclass(frozen=True, slots=True)
class Scanned:
    cells: Found
    hidden_columns: frozenset[int]
    merged: tuple[Area, ...]
    validations: tuple[Validation, ...]


def read_sheet(archive: Archive, part: str, wanted: Wanted, filled_only: bool = False) -> Scanned:
    """Raises Unreadable. `filled_only`: cells that have a format alone don't count as far ones."""
    try:
        found, frame = _scanned(archive.chunks(part), part, wanted, filled_only)
    except Unusual:
        whole = _usual(archive.read(part), part)
        try:
            found, frame = _scanned(iter([whole]), part, wanted, filled_only)
        except Unusual:
            raise damaged(f"broken XML in the part {part}") from None
    root = parse(frame, part)
    return Scanned(
        cells=found,
        hidden_columns=frozenset(_hidden_columns(root)),
        merged=tuple(
            a for each in all_named(root, "mergeCell") for a in areas(each.get("ref", ""))
        ),
        validations=tuple(_validations(root)),
    )


def _scanned(
    pieces: Iterator[bytes], part: str, wanted: Wanted, filled_only: bool
) -> tuple[Found, bytes]:
    """The rows scanned; and what stands around them, as a document without rows."""
    found, frame = Found(), b""
    for is_rows, text in _split(pieces, part):
        if is_rows:
            scan(text, wanted, found, filled_only)
        else:
            frame += text
    return found, frame


def _split(pieces: Iterator[bytes], part: str) -> Iterator[tuple[bool, bytes]]:
    """(whether these are rows, whole ones and without a prefix; text) in the order of the part."""
    rest, start = b"", None
    for piece in pieces:
        if not rest and not is_utf8(piece):
            raise other_encoding(part)
        rest += _checked(piece, rest)
        start = _START.search(rest)
        if start:
            break
    if not start or start[2]:
        yield False, rest + b"".join(_checked(piece, b"") for piece in pieces)
        return
    yield False, rest[: start.end()]
    prefix = start[1] + b":" if start[1] else b""
    rest = rest[start.end() :]
    while (end := rest.find(b"</" + prefix + b"sheetData")) < 0:
        cut = max(rest.rfind(b"<" + prefix + b"row"), 0)
        yield True, _without(prefix, rest[:cut])
        piece = next(pieces, b"")
        if not piece:
            raise Unusual
        rest = rest[cut:] + _checked(piece, rest)
    yield True, _without(prefix, rest[:end])
    yield False, rest[end:] + b"".join(_checked(piece, b"") for piece in pieces)


def _checked(piece: bytes, before: bytes) -> bytes:
    """Comments and CDATA may hold what looks like cells; document types are refused elsewhere."""
    cut_through = before.endswith(b"<") and piece.startswith((b"!", b"?"))
    # One character is found many times as fast as two.
    commented = b"!" in piece and b"<!" in piece
    instructed = b"?" in piece and piece.rfind(b"<?") > 0
    if cut_through or commented or instructed:
        raise Unusual
    return piece


def _without(prefix: bytes, rows: bytes) -> bytes:
    if not prefix:
        return rows
    return rows.replace(b"<" + prefix, b"<").replace(b"</" + prefix, b"</")


def _usual(data: bytes, part: str) -> bytes:
    """The sheet as spreadsheet programs write it, each cell with its address first of all."""
    root = parse(data, part)
    row = -1
    for each in all_named(root, "row"):
        told = each.get("r", str(row + 2))
        row, column = _place_of(f"A{told}", part)[0], -1
        _put_first(each, told)
        for cell in (child for child in each if local(child) == "c"):
            where = _place_of(cell.get("r") or address(row, column + 1), part)
            column = where[1]
            _put_first(cell, address(*where))
    return text_of_xml(root)


def _place_of(text: str, part: str) -> Place:
    found = place(text)
    if found is None or ":" in text:
        raise damaged(f"the address {text[:20]} in the part {part}")
    return found


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 8 else default


def _put_first(element: Element, told: str) -> None:
    rest = {name: value for name, value in element.attrib.items() if name != "r"}
    element.attrib.clear()
    element.attrib.update({"r": told} | rest)


def _hidden_columns(root: Element) -> Iterator[int]:
    for each in all_named(root, "col"):
        no_width = is_on(each, "customWidth") and each.get("width") == "0"
        if is_on(each, "hidden") or no_width:
            first, last = _number(each.get("min"), 1), _number(each.get("max"), 0)
            yield from range(max(first, 1) - 1, min(last, COLUMNS))


def _validations(root: Element) -> Iterator[Validation]:
    """The classic ones and those of the extension list, in the order of the part."""
    for each in all_named(root, "dataValidation"):
        texts = {local(inner): (inner.text or "") for inner in each.iter()}
        extension = "sqref" in texts
        yield Validation(
            kind=each.get("type", "none"),
            areas=areas(texts.get("sqref", "") or each.get("sqref", "")),
            operator=each.get("operator", "between"),
            formulas=tuple(_formulas(each)),
            blank_allowed=is_on(each, "allowBlank"),
            strict=each.get("errorStyle", "stop") == "stop" and is_on(each, "showErrorMessage"),
            message=_titled(each, "error"),
            prompt=_titled(each, "prompt"),
            extension=extension,
        )


def _formulas(validation: Element) -> Iterator[str]:
    """formula1 and formula2. A list whose values hold commas stands in `list` instead."""
    written = next((x.text or "" for x in all_named(validation, "list")), "")
    if written:
        yield unescaped(written)
        return
    for name in ("formula1", "formula2"):
        for each in all_named(validation, name):
            yield unescaped("".join(each.itertext())).strip()


def _titled(validation: Element, name: str) -> str:
    texts = (validation.get(f"{name}Title", ""), validation.get(name, ""))
    return "\n".join(unescaped(text).strip() for text in texts if text.strip())
