"""Whether a profile still fits its workbook: sheets and headers that are gone are faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.blocks import Block, Layout
from ruleferry.converters.readers.spreadsheet.meaning.header_words import folded
from ruleferry.converters.readers.spreadsheet.meaning.profile import is_match, sheet_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile, SheetProfile


def check_profile(profile: Profile, layouts: Sequence[Layout]) -> list[Fault]:
    """All faults of a profile against the sheets of a workbook as they are read with it."""
    faults: list[Fault] = []
    for number, one in enumerate(profile.sheets, 1):
        place = f"sheets {number}"
        faults += _patterns_gone(profile.file, place, one, [layout.sheet for layout in layouts])
        own = [layout for layout in layouts if sheet_profile(profile, layout.sheet) is one]
        blocks = [block for layout in own for block in layout.blocks]
        if own and not one.settings.ignore:
            faults += _headers_gone(profile.file, place, one, blocks)
    return faults


def _patterns_gone(
    file: str, place: str, one: SheetProfile, names: Sequence[str]
) -> Iterable[Fault]:
    for pattern in one.match:
        if not any(is_match(name, pattern) for name in names):
            found = f"no sheet that is called `{pattern}`"
            known = f"one of {', '.join(names)}" if names else "a sheet of the workbook"
            yield Fault(file, f"{place}.match", found, known, _nearest(pattern, names))


def _headers_gone(
    file: str, place: str, one: SheetProfile, blocks: Sequence[Block]
) -> Iterable[Fault]:
    told = [
        (f"columns.{meaning}", text) for meaning, texts in one.columns.items() for text in texts
    ]
    told += [("polarity", text) for text in one.polarity]
    if one.table is not None and one.table.source == "column":
        told.append(("table.column", one.table.text))
    known = list(dict.fromkeys(name for block in blocks for name in _names(block)))
    for key, text in told:
        counts = [sum(folded(text) in names for names in _keys(block)) for block in blocks]
        where = f"{place}.{key}"
        if not any(counts):
            found = f"no header `{text}` in the sheet"
            yield Fault(file, where, found, "a header as it stands there", _nearest(text, known))
        elif max(counts) > 1:
            found = f"the header `{text}` more than once in one table of the sheet"
            todo = "Name it with the heading above it, as Group/Header."
            yield Fault(file, where, found, "a header that stands once", todo)


def _keys(block: Block) -> Iterable[set[str]]:
    """What each header may be called."""
    for header in block.headers:
        yield {folded(header.text), folded(f"{header.group}/{header.text}")}


def _names(block: Block) -> Iterable[str]:
    for header in block.headers:
        if header.text:
            yield header.text
            if header.group:
                yield f"{header.group}/{header.text}"


def _nearest(text: str, names: Sequence[str]) -> str:
    near = get_close_matches(text.casefold(), [name.casefold() for name in names], 1, 0.5)
    found = [name for name in names if near and name.casefold() == near[0]]
    return f"Did you mean `{found[0]}`?" if found else "Change it, or take it out."
