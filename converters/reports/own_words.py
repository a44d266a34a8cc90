"""A rule as its author wrote it: where it stands in several cells, the text of each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ruleferry.converters.account import Entry, Heading, Ledger
from ruleferry.converters.rule import Origin
from ruleferry.converters.together import read_with

_CELL = re.compile(r"(.*!)?([A-Z]+)(\d+)", re.DOTALL)

_Key: TypeAlias = tuple[str, str, str]


def own_words(ledger: Ledger) -> Mapping[str, str]:
    """Rule id -> what the author wrote, of the rules that stand in several cells."""
    headings = {source.file: source.headings for source in ledger.sources}
    beside: defaultdict[_Key, list[Origin]] = defaultdict(list)
    for entry in ledger.entries:
        if entry.outcome == "not_a_rule" and (place := read_with(entry.reason)):
            beside[entry.origin.file, place, entry.kind].append(entry.origin)
    rules = (entry for entry in ledger.entries if entry.outcome != "not_a_rule")
    return {
        rule.id: _told([rule.origin, *others], headings.get(rule.origin.file, ()))
        for rule in rules
        if (others := beside.get(_key(rule)))
    }


def _key(entry: Entry) -> _Key:
    return entry.origin.file, entry.origin.place, entry.kind


def _told(origins: Sequence[Origin], headings: Sequence[Heading]) -> str:
    """Each text behind its header; where two have one header, behind their cells."""
    headers = [_header(origin.place, headings) for origin in origins]
    alone = Counter(headers)
    names = (
        header if header and alone[header] == 1 else origin.place
        for header, origin in zip(headers, origins, strict=True)
    )
    return "\n".join(f"{name}: {o.text}" for name, o in zip(names, origins, strict=True))


def _header(place: str, headings: Sequence[Heading]) -> str:
    """Of the nearest header above the cell."""
    cell = _CELL.fullmatch(place)
    if cell is None:
        return ""
    above = {
        int(found[3]): heading.text
        for heading in headings
        if (found := _CELL.fullmatch(heading.place))
        and found[1] == cell[1]
        and found[2] == cell[2]
        and int(found[3]) < int(cell[3])
    }
    return " ".join(above[max(above)].split()) if above else ""
