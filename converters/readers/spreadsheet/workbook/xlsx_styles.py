"""Styles and shared texts of an .xlsx: what is struck, and formats that make other texts."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from xml.etree.ElementTree import Element

from ruleferry.converters.readers.spreadsheet.workbook.archive import Archive
from ruleferry.converters.readers.spreadsheet.workbook.number_formats import changes_text
from ruleferry.converters.readers.spreadsheet.workbook.xml_text import (
    all_named,
    document_type,
    first_named,
    is_utf8,
    local,
    other_encoding,
    parse,
    refuse_large_counts,
)

Struck: TypeAlias = Literal["none", "part", "whole"]
_TEXT = re.compile(rb"<si(?=[\s/>])[^>]*?(?:/>|>(.*?)</si>)", re.DOTALL)
_HINT = re.compile(rb"<rPh[\s>].*?</rPh>", re.DOTALL)
_RUN = re.compile(rb"<r(?:\s[^>]*)?>(.*?)</r>", re.DOTALL)
_RUN_TEXT = re.compile(rb"<t(?:\s[^>]*)?>([^<]*)</t>")
_STRIKE = re.compile(rb"<strike(?:\s+val\s*=\s*[\"'](\w+)[\"'])?\s*(?:/>|></strike>)")
_PREFIX = re.compile(rb"<([\w.-]+):(?:sst|worksheet)[\s>]")


@dataclass(frozen=True, slots=True)
class Styles:
    """By the number of a cell's style. `formats`: the code of those that change a cell's text."""

    struck: frozenset[int] = frozenset()
    formats: Mapping[int, str] = field(default_factory=dict)


def styles(archive: Archive, part: str) -> Styles:
    if part not in archive:
        return Styles()
    root = parse(archive.read(part), part)
    struck = [_is_struck(font) for font in _children(root, "fonts")]
    codes = {each.get("numFmtId"): each.get("formatCode", "") for each in all_named(root, "numFmt")}
    cells = list(enumerate(_children(root, "cellXfs")))
    formats = (
        (n, changes_text(x.get("numFmtId", "0"), codes.get(x.get("numFmtId")))) for n, x in cells
    )
    return Styles(
        struck=frozenset(n for n, cell in cells if _pick(struck, cell.get("fontId", "0"))),
        formats={number: code for number, code in formats if code},
    )


def _children(root: Element, name: str) -> list[Element]:
    found = first_named(root, name)
    return list(found) if found is not None else []


def _pick(flags: Sequence[bool], number: str) -> bool:
    return number.isdecimal() and int(number) < len(flags) and flags[int(number)]


def _is_struck(font: Element) -> bool:
    strike = next((each for each in font if local(each) == "strike"), None)
    return strike is not None and strike.get("val", "1") not in ("0", "false", "off")


@dataclass(frozen=True, slots=True)
class Runs:
    """How much of a text in runs is struck: in a plain cell, and in one whose style is struck."""

    plain: Struck
    in_struck: Struck


def struck_texts(archive: Archive, part: str, any_style: bool) -> Mapping[int, Runs]:
    """Number of a shared text -> its runs, of those whose runs say something of it.

    `any_style`: some cell style is struck, so that a run that isn't matters too.
    """
    if part not in archive:
        return {}
    data = plain_xml(archive.read(part), part)
    if b"<r>" not in data or not (any_style or b"<strike" in data):
        return {}
    found = ((n, runs_of(each[1] or b"")) for n, each in enumerate(_TEXT.finditer(data)))
    return {number: runs for number, runs in found if runs}


def runs_of(text: bytes) -> Runs | None:
    """None for a text without runs, or without any that differs from its cell."""
    if b"<r>" not in text and b"<r " not in text:
        return None
    runs = list(_runs(_HINT.sub(b"", text)))
    both = (_share(runs, False), _share(runs, True))
    return None if both == ("none", "whole") else Runs(*both)


def _runs(text: bytes) -> Iterator[bool | None]:
    """Of each run that shows something: whether it is struck, None where its cell decides."""
    for run in _RUN.finditer(text):
        shown = b"".join(_RUN_TEXT.findall(run[1])).decode("utf-8", "replace")
        if html.unescape(shown).strip():
            strike = _STRIKE.search(run[1])
            own = strike is not None and strike[1] not in (b"0", b"false", b"off")
            yield own if b"<rPr" in run[1] else None


def _share(runs: Sequence[bool | None], cell: bool) -> Struck:
    struck = [cell if run is None else run for run in runs]
    if not any(struck):
        return "none"
    return "whole" if all(struck) else "part"


def plain_xml(data: bytes, part: str) -> bytes:
    """UTF-8 without a namespace's prefix. Raises Unreadable for what isn't."""
    if not is_utf8(data):
        raise other_encoding(part)
    refuse_large_counts(data, part)
    if b"<!DOCTYPE" in data:
        raise document_type(part)
    prefix = _PREFIX.search(data, 0, 4000)
    if not prefix:
        return data
    named = prefix[1] + b":"
    return data.replace(b"<" + named, b"<").replace(b"</" + named, b"</")
