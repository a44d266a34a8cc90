"""XML parts of a workbook: no document types, no entities of their own; names without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring, tostring

from ruleferry.converters.readers.spreadsheet.workbook.limits import (
    MEGABYTE,
    PARSED_BYTES,
    Unreadable,
    damaged,
)

_ENCODING = re.compile(
    rb"""<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])""", re.IGNORECASE
)
# Readers set memory aside for as many elements as a list says that it holds.
_COUNT = re.compile(rb"""ount\s*=\s*["'][\s+]*[0-9]{8}""")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def parse(data: bytes, part: str) -> Element:
    """Raises Unreadable."""
    if len(data) > PARSED_BYTES:
        raise damaged(f"{len(data) // MEGABYTE} MB of unusual XML in the part {part}")
    refuse_large_counts(data, part)
    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise document_type(part) from None
    except (ParseError, ValueError, LookupError):
        raise damaged(f"broken XML in the part {part}") from None
    assert isinstance(root, Element)
    return root


def document_type(part: str) -> Unreadable:
    """No workbook has one; it is how a file makes a reader fetch or unfold what isn't in it."""
    return Unreadable(
        f"a document type (DOCTYPE) in the part {part}",
        "Ask where the file comes from: no spreadsheet program writes this.",
    )


def refuse_large_counts(data: bytes, part: str) -> None:
    """Raises Unreadable for a list of ten million elements or more."""
    if _COUNT.search(data):
        raise damaged(f"a list of too many elements in the part {part}")


def is_utf8(start: bytes) -> bool:
    """Whether a part that begins so is what readers of sheets take it for."""
    odd = start[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in start[:100]
    return not odd and not _ENCODING.match(start.removeprefix(b"\xef\xbb\xbf"))


def other_encoding(part: str) -> Unreadable:
    return damaged(f"the part {part} in another encoding than UTF-8")


def text_of_xml(root: Element) -> bytes:
    """The document in one way of writing: double quotes, no comments, no CDATA."""
    written = tostring(root, encoding="utf-8")
    assert isinstance(written, bytes)
    return written


def local(element: Element) -> str:
    """The element's name without its namespace: strict and transitional ones differ in it."""
    return element.tag.rpartition("}")[2]


def all_named(root: Element, name: str) -> Iterator[Element]:
    return (element for element in root.iter() if local(element) == name)


def first_named(root: Element, name: str) -> Element | None:
    return next(all_named(root, name), None)


def linked(element: Element) -> str:
    """The relationship that an element names (r:id)."""
    return next((v for k, v in element.attrib.items() if k.endswith("}id")), "")


def is_on(element: Element, name: str, default: bool = False) -> bool:
    value = element.get(name)
    return default if value is None else value.strip() in ("1", "true", "on")


def unescaped(text: str) -> str:
    """`_x000a_` is how an Office text holds a character."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text).replace("\r\n", "\n")


def written_text(root: Element) -> str:
    """What a person reads in a text that may have runs; no phonetic hints."""
    parts: list[str] = []
    for child in root:
        if local(child) == "t":
            parts.append(child.text or "")
        elif local(child) != "rPh":
            parts.append(written_text(child))
    return unescaped("".join(parts))
