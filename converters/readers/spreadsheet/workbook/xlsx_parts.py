"""The parts of an .xlsx around its sheets: relationships, the workbook, comments, tables."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ruleferry.converters.readers.spreadsheet.cells import Area, Place
from ruleferry.converters.readers.spreadsheet.workbook.archive import Archive
from ruleferry.converters.readers.spreadsheet.workbook.areas import area, place
from ruleferry.converters.readers.spreadsheet.workbook.limits import damaged
from ruleferry.converters.readers.spreadsheet.workbook.xml_text import (
    all_named,
    first_named,
    is_on,
    linked,
    parse,
    unescaped,
    written_text,
)


@dataclass(frozen=True, slots=True)
class Link:
    """`kind`: the last word of the relationship's type ("worksheet", "comments")."""

    id: str
    kind: str
    part: str


@dataclass(frozen=True, slots=True)
class SheetPart:
    """`kind`: worksheet, chartsheet, dialogsheet or xlMacrosheet."""

    name: str
    hidden: bool
    kind: str
    part: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The workbook's own part. `recalculated`: whoever wrote it left its formulas to be worked out.

    `links`: kind -> part of what the workbook shares among its sheets. `from_1904`: where its days
    begin.
    """

    sheets: tuple[SheetPart, ...]
    names: Mapping[str, str]
    links: Mapping[str, str]
    recalculated: bool
    from_1904: bool = False


def links(archive: Archive, part: str) -> tuple[Link, ...]:
    """Where a part's relationships lead within the archive; "" is the archive itself."""
    folder, name = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{name}.rels")
    if rels not in archive:
        return ()
    found = all_named(parse(archive.read(rels), rels), "Relationship")
    return tuple(
        Link(
            each.get("Id", ""),
            each.get("Type", "").rpartition("/")[2],
            _target(folder, each.get("Target", "")),
        )
        for each in found
        if each.get("TargetMode") != "External"
    )


def _target(folder: str, target: str) -> str:
    """A path from the archive's root; one that climbs out of it names no part."""
    path = unquote(target).replace("\\", "/")
    whole = path if path.startswith("/") else posixpath.join(folder, path)
    return posixpath.normpath(whole.lstrip("/"))


def outline(archive: Archive) -> Outline:
    """Raises Unreadable."""
    part = next((x.part for x in links(archive, "") if x.kind == "officeDocument"), "")
    if part not in archive:
        raise damaged("a zip archive without a workbook in it")
    root = parse(archive.read(part), part)
    related = links(archive, part)
    sheets = tuple(_sheets(root, {link.id: link for link in related}))
    calculation = first_named(root, "calcPr")
    settings = first_named(root, "workbookPr")
    return Outline(
        sheets=sheets,
        names=_names(root, [each.name for each in sheets]),
        links={link.kind: link.part for link in related if link.part in archive},
        recalculated=calculation is not None and is_on(calculation, "fullCalcOnLoad"),
        from_1904=settings is not None and is_on(settings, "date1904"),
    )


def _sheets(root: Element, related: Mapping[str, Link]) -> Iterator[SheetPart]:
    listed = first_named(root, "sheets")
    for each in listed if listed is not None else ():
        link = related.get(linked(each), Link("", "", ""))
        hidden = each.get("state", "visible") != "visible"
        yield SheetPart(each.get("name", ""), hidden, link.kind, link.part)


def _names(root: Element, sheets: Sequence[str]) -> Mapping[str, str]:
    """A name of one sheet alone stands under `Sheet!name`, and under itself where no other has it.

    Names that the program itself keeps (print areas, filters, views) are left out.
    """
    found: dict[str, str] = {}
    own: dict[str, list[str]] = {}
    for each in all_named(root, "definedName"):
        name, scope = each.get("name", ""), each.get("localSheetId", "")
        refers_to = unescaped(each.text or "").strip()
        if name.startswith("_xlnm.") or ".wvu." in name:
            continue
        if not scope:
            found[name] = refers_to
        elif scope.isdecimal() and int(scope) < len(sheets):
            found[f"{sheets[int(scope)]}!{name}"] = refers_to
            own.setdefault(name, []).append(refers_to)
    alone = {name: those[0] for name, those in own.items() if len(those) == 1}
    return alone | found


def tables(archive: Archive, related: Sequence[Link]) -> Mapping[str, Area]:
    """Name -> area, with its header."""
    found: dict[str, Area] = {}
    for part in _parts(archive, related, "table"):
        root = parse(archive.read(part), part)
        name, where = root.get("displayName") or root.get("name"), area(root.get("ref", ""))
        if name and where:
            found[unescaped(name)] = where
    return found


def comments(
    archive: Archive, related: Sequence[Link], people: Mapping[str, str]
) -> Mapping[Place, str]:
    """What stands beside each cell; a thread takes the place of the note that stands in for it."""
    found: dict[Place, str] = {}
    for part in _parts(archive, related, "comments"):
        for each in all_named(parse(archive.read(part), part), "comment"):
            where, text = place(each.get("ref", "")), first_named(each, "text")
            said = written_text(text).strip() if text is not None else ""
            if where and said:
                found[where] = said
    found.update(_threads(archive, related, people))
    return found


def _threads(
    archive: Archive, related: Sequence[Link], people: Mapping[str, str]
) -> Mapping[Place, str]:
    found: dict[Place, list[str]] = {}
    for part in _parts(archive, related, "threadedComment"):
        for each in all_named(parse(archive.read(part), part), "threadedComment"):
            where, text = place(each.get("ref", "")), first_named(each, "text")
            said = unescaped((text.text if text is not None else "") or "").strip()
            if where and said:
                person = people.get(each.get("personId", ""), "")
                found.setdefault(where, []).append(f"{person}: {said}" if person else said)
    return {where: "\n".join(said) for where, said in found.items()}


def people(archive: Archive, part: str) -> Mapping[str, str]:
    """Id -> name of those who write in threads."""
    if part not in archive:
        return {}
    found = all_named(parse(archive.read(part), part), "person")
    return {each.get("id", ""): each.get("displayName", "") for each in found}


def _parts(archive: Archive, related: Sequence[Link], kind: str) -> tuple[str, ...]:
    return tuple(link.part for link in related if link.kind == kind and link.part in archive)
