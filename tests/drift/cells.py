"""Changes one cell of a workbook or a CSV file, and not one byte of anything else.

A workbook is changed in its XML: openpyxl would lose the validations of extension lists, comments
and styles that it does not know.
"""

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

# Address of a cell -> its new text; "" empties it.
Texts = Mapping[str, str]
_ADDRESS = re.compile(r"([A-Z]+)([0-9]+)")
_CELL = r"<((?:\w+:)?)c(?=\s)(?=[^>]*\sr=\"{address}\")([^>]*?)(?:/>|>(.*?)</\1c>)"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_SHARED = "xl/sharedStrings.xml"


def split_place(place: str) -> tuple[str, str]:
    """`Fields!F12` -> sheet and address; of a CSV file the sheet is empty."""
    sheet, _, address = place.rpartition("!")
    return sheet, address


def column_of(address: str) -> str:
    return _ADDRESS.fullmatch(address)[1]


def row_of(address: str) -> int:
    return int(_ADDRESS.fullmatch(address)[2])


def column_number(letters: str) -> int:
    """A is 1."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def change_cells(path: Path, texts: Mapping[str, str], *, shared: bool = False) -> None:
    """Gives the cells of `texts` (place -> text) new texts. `shared`: as shared strings."""
    if path.suffix.lower() == ".csv":
        path.write_bytes(changed_csv(path.read_bytes(), texts))
        return
    by_sheet: dict[str, dict[str, str]] = {}
    for place, text in texts.items():
        sheet, address = split_place(place)
        by_sheet.setdefault(sheet, {})[address] = text
    parts = sheet_parts(path)
    pool = Pool(read_part(path, _SHARED)) if shared and _SHARED in names(path) else None
    changes: dict[str, bytes] = {}
    for sheet, wanted in by_sheet.items():
        xml = read_part(path, parts[sheet]).decode("utf-8")
        changes[parts[sheet]] = with_cells(xml, wanted, pool).encode("utf-8")
    if pool is not None and pool.added:
        changes[_SHARED] = pool.xml()
    rewrite(path, changes)


# The parts of a workbook --------------------------------------------------------------------------


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as book:
        return book.namelist()


def read_part(path: Path, part: str) -> bytes:
    with zipfile.ZipFile(path) as book:
        return book.read(part)


def rewrite(path: Path, changes: Mapping[str, bytes]) -> None:
    """The workbook with some parts changed or added; times, order and all else stay."""
    with zipfile.ZipFile(path) as book:
        parts = [(info, book.read(info)) for info in book.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for info, data in parts:
            book.writestr(info, changes.get(info.filename, data))
        for name in sorted(changes.keys() - {info.filename for info, _ in parts}):
            book.writestr(zipfile.ZipInfo(name), changes[name])


def edit_part(path: Path, part: str, edit: Callable[[str], str]) -> None:
    """Raises where nothing was changed: a test that changes nothing shows nothing."""
    before = read_part(path, part).decode("utf-8")
    after = edit(before)
    assert after != before, f"{part} is as before"
    rewrite(path, {part: after.encode("utf-8")})


def sheet_parts(path: Path) -> dict[str, str]:
    """Sheet -> its part, in the order of the tabs."""
    book = read_part(path, "xl/workbook.xml").decode("utf-8")
    links = read_part(path, "xl/_rels/workbook.xml.rels").decode("utf-8")
    targets = {
        _attribute(tag, "Id"): _attribute(tag, "Target") for tag in _tags(links, "Relationship")
    }
    found = {}
    for tag in _tags(book, "sheet"):
        target = targets[_attribute(tag, r"\w+:id")]
        found[unescape(_attribute(tag, "name"))] = (
            target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        )
    return found


def _tags(xml: str, name: str) -> list[str]:
    return re.findall(rf'<(?:\w+:)?{name}\s(?:[^>"]|"[^"]*")*>', xml)


def _attribute(tag: str, name: str) -> str:
    return re.search(rf"\s{name}=\"([^\"]*)\"", tag)[1]


# The cells of a sheet -----------------------------------------------------------------------------


class Pool:
    """The shared strings, to which some are added."""

    def __init__(self, xml: bytes) -> None:
        self._xml = xml.decode("utf-8")
        self.size = len(re.findall(r"<(?:\w+:)?si(?:\s[^>]*)?/?>", self._xml))
        self.added: list[str] = []

    def number(self, text: str) -> int:
        if text not in self.added:
            self.added.append(text)
        return self.size + self.added.index(text)

    def xml(self) -> bytes:
        prefix = re.search(r"</((?:\w+:)?)sst>\s*$", self._xml)[1]
        items = "".join(f"<{prefix}si>{_quoted(prefix, text)}</{prefix}si>" for text in self.added)
        total = self.size + len(self.added)
        told = re.sub(r'uniqueCount="\d+"', f'uniqueCount="{total}"', self._xml, count=1)
        return re.sub(r"(</(?:\w+:)?sst>\s*)$", lambda end: items + end[1], told).encode("utf-8")


def with_cells(xml: str, texts: Texts, pool: Pool | None = None) -> str:
    """The sheet with new texts in some cells; a cell that is not there is added in its row."""
    index = {m[2]: m.span() for m in _every_cell(xml)}
    pieces: list[tuple[int, int, str]] = []
    for address, text in texts.items():
        if address in index:
            start, end = index[address]
            pieces.append((start, end, _cell(xml[start:end], address, text, pool)))
        else:
            at, prefix = _gap_for(xml, address, index)
            pieces.append((at, at, _written(prefix, f' r="{address}"', "", text, pool)))
    for start, end, piece in sorted(pieces, reverse=True):
        xml = xml[:start] + piece + xml[end:]
    return xml


_ANY_CELL = re.compile(
    r"<((?:\w+:)?)c(?=\s)[^>]*?\sr=\"([A-Z]+[0-9]+)\"[^>]*?(?:/>|(?<!/)>.*?</\1c>)", re.DOTALL
)


def _every_cell(xml: str) -> Iterator[re.Match[str]]:
    return _ANY_CELL.finditer(xml)


def _cell(old: str, address: str, text: str, pool: Pool | None) -> str:
    found = re.match(_CELL.format(address=address), old, re.DOTALL)
    prefix, attributes = found[1], found[2]
    kind = re.search(r'\st="(\w+)"', attributes)
    kept = re.sub(r'\s(t|cm|vm)="\w+"', "", attributes)
    return _written(prefix, kept, kind[1] if kind else "n", text, pool)


def _written(prefix: str, attributes: str, kind: str, text: str, pool: Pool | None) -> str:
    """A number where a number was, a truth value where one was, else a text."""
    if not text:
        return f"<{prefix}c{attributes}/>"
    if kind == "n" and _NUMBER.fullmatch(text):
        return f"<{prefix}c{attributes}><{prefix}v>{text}</{prefix}v></{prefix}c>"
    if kind == "b" and text.upper() in ("TRUE", "FALSE"):
        value = int(text.upper() == "TRUE")
        return f'<{prefix}c{attributes} t="b"><{prefix}v>{value}</{prefix}v></{prefix}c>'
    if pool is not None:
        number = pool.number(text)
        return f'<{prefix}c{attributes} t="s"><{prefix}v>{number}</{prefix}v></{prefix}c>'
    inner = f"<{prefix}is>{_quoted(prefix, text)}</{prefix}is>"
    return f'<{prefix}c{attributes} t="inlineStr">{inner}</{prefix}c>'


def _quoted(prefix: str, text: str) -> str:
    return f'<{prefix}t xml:space="preserve">{escape(text, quote=False)}</{prefix}t>'


def _gap_for(xml: str, address: str, index: Mapping[str, tuple[int, int]]) -> tuple[int, str]:
    """Where a new cell goes: after the cells of its row that stand left of it."""
    row = row_of(address)
    opened = re.search(rf'<((?:\w+:)?)row(?=\s)[^>]*\sr="{row}"[^>]*(?<!/)>', xml)
    assert opened, f"row {row} has no cell"
    wanted = column_number(column_of(address))
    left = [
        span[1]
        for at, span in index.items()
        if row_of(at) == row and column_number(column_of(at)) < wanted
    ]
    return max([*left, opened.end()]), opened[1]


def texts_of(path: Path) -> dict[str, str]:
    """Place -> text of each filled cell, read with other code than the product's."""
    if path.suffix.lower() == ".csv":
        return {at: text for at, text, _ in csv_fields(path.read_bytes()) if text}
    shared = _shared_texts(path)
    found = {}
    for sheet, part in sheet_parts(path).items():
        for cell in _every_cell(read_part(path, part).decode("utf-8")):
            text = _text(cell[0], shared)
            if text:
                found[f"{sheet}!{cell[2]}"] = text
    return found


def _shared_texts(path: Path) -> list[str]:
    if _SHARED not in names(path):
        return []
    xml = read_part(path, _SHARED).decode("utf-8")
    items = re.findall(r"<(?:\w+:)?si(?:\s[^>]*)?(?:/>|>(.*?)</(?:\w+:)?si>)", xml, re.DOTALL)
    return [_runs(item) for item in items]


def _runs(xml: str) -> str:
    """The texts of all runs, without what is only read aloud."""
    said = re.sub(r"<(?:\w+:)?rPh\s.*?</(?:\w+:)?rPh>", "", xml, flags=re.DOTALL)
    runs = re.findall(r"<(?:\w+:)?t(?:\s[^>]*)?(?:/>|>(.*?)</(?:\w+:)?t>)", said, re.DOTALL)
    return unescape("".join(runs))


def _text(cell: str, shared: list[str]) -> str:
    kind = re.search(r'<[^>]*\st="(\w+)"', cell)
    value = re.search(r"<(?:\w+:)?v(?:\s[^>]*)?>(.*?)</(?:\w+:)?v>", cell, re.DOTALL)
    if kind and kind[1] == "inlineStr":
        return _runs(cell)
    if value is None:
        return ""
    if kind and kind[1] == "s":
        return shared[int(value[1])]
    if kind and kind[1] == "b":
        return "TRUE" if value[1] == "1" else "FALSE"
    return unescape(value[1])


# CSV ----------------------------------------------------------------------------------------------


def csv_fields(data: bytes) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Address, text and span of each field. Latin-1 keeps every byte; texts are UTF-8 again."""
    text = data.decode("latin-1")
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    row = column = 1
    while at < len(text):
        end = _field_end(text, at)
        raw = text[at:end]
        shown = raw[1:-1].replace('""', '"') if raw.startswith('"') else raw
        with suppress(UnicodeDecodeError):
            shown = shown.encode("latin-1").decode("utf-8")
        yield f"{letters(column)}{row}", shown, (at, end)
        if text[end : end + 1] == ",":
            column, at = column + 1, end + 1
            if at == len(text):
                break
        else:
            row, column = row + 1, 1
            at = end + (2 if text[end : end + 2] == "\r\n" else 1)


def _field_end(text: str, at: int) -> int:
    if text[at : at + 1] == '"':
        return re.compile(r'"(?:[^"]|"")*"').match(text, at).end()
    return re.compile(r"[^,\r\n]*").match(text, at).end()


def changed_csv(data: bytes, texts: Texts) -> bytes:
    spans = {address: span for address, _, span in csv_fields(data)}
    for address in sorted(texts, key=lambda at: spans[at], reverse=True):
        start, end = spans[address]
        text = texts[address]
        if re.search(r'[",\r\n]', text):
            text = '"' + text.replace('"', '""') + '"'
        data = data[:start] + text.encode("utf-8") + data[end:]
    return data


def letters(number: int) -> str:
    """1 is A."""
    found = ""
    while number:
        number, rest = divmod(number - 1, 26)
        found = chr(65 + rest) + found
    return found


# Validations --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Validation:
    """A data validation of a sheet: the areas that it is for, and its XML."""

    areas: str
    xml: str
    extended: bool


def validations(path: Path, sheet: str) -> list[Validation]:
    xml = read_part(path, sheet_parts(path)[sheet]).decode("utf-8")
    found = []
    for one in re.finditer(
        r"<((?:\w+:)?)dataValidation(?=\s)(?:[^>]*/>|.*?</\1dataValidation>)", xml, re.DOTALL
    ):
        areas = re.search(r'\ssqref="([^"]*)"|<xm:sqref>(.*?)</xm:sqref>', one[0])
        found.append(Validation(areas[1] or areas[2], one[0], areas[1] is None))
    return found


def change_validation(path: Path, sheet: str, areas: str, edit: Callable[[str], str]) -> None:
    """Changes the XML of the one validation that is for these areas."""
    (old,) = [one for one in validations(path, sheet) if one.areas == areas]
    edit_part(path, sheet_parts(path)[sheet], lambda xml: xml.replace(old.xml, edit(old.xml)))
