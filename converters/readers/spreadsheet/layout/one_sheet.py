"""The layout of one sheet: its kind, its blocks, and the class of each filled cell outside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ruleferry.converters.readers.spreadsheet.blocks import Block, Layout, Plain, SheetKind
from ruleferry.converters.readers.spreadsheet.cells import Cell, Place, Sheet
from ruleferry.converters.readers.spreadsheet.layout.above import (
    Above,
    is_above,
    read_above,
    table_of_sheet,
    table_of_title,
    table_stated,
)
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid, grid_of, turned
from ruleferry.converters.readers.spreadsheet.layout.header_rows import (
    HeaderLine,
    Known,
    header_candidates,
    header_line,
    later_headers,
    of_both_sides,
)
from ruleferry.converters.readers.spreadsheet.layout.records import read_records
from ruleferry.converters.readers.spreadsheet.layout.regions import is_transposed, regions
from ruleferry.converters.readers.spreadsheet.layout.sheet_kinds import READ, block_kind, prose
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import holds
from ruleferry.converters.readers.spreadsheet.layout.stated import clipped, table_told
from ruleferry.converters.readers.spreadsheet.layout.templates import template_header
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import (
    NO_SETTINGS,
    SheetSettings,
)
from ruleferry.converters.readers.spreadsheet.statement import Meaning
from ruleferry.converters.rule import Skipped


@dataclass(slots=True)
class _Parts:
    """What is found of a sheet, region by region and block by block."""

    known: Known
    settings: SheetSettings
    blocks: list[Block] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)  # of each block
    rest: list[str] = field(default_factory=list)  # why other parts are none
    classes: dict[Place, Plain] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    pairs: list[tuple[Cell, Cell]] = field(default_factory=list)
    titles: list[Above] = field(default_factory=list)  # what stands above each block


def layout_of(
    sheet: Sheet,
    known: Callable[[str], Meaning | None],
    profile: SheetSettings | None = None,
) -> Layout:
    """How a sheet is read. Of one that describes nothing all cells are skipped, and it says why."""
    settings = profile or NO_SETTINGS
    grid = grid_of(sheet)
    reason = _not_read(grid, settings)
    if reason:
        return unread(sheet, settings.kind or "other", reason)
    known = of_both_sides(known)
    parts = _Parts(known, settings)
    grid = clipped(grid, settings, parts.classes, parts.skipped)
    across = is_transposed(grid, known) if settings.transposed is None else settings.transposed
    grid = turned(grid) if across else grid
    for region in [grid] if settings.header_row is not None else regions(grid, known):
        _read_region(region, parts)
    return _assembled(sheet, parts)


def _not_read(grid: Grid, settings: SheetSettings) -> str:
    """Why a sheet is not looked at, if so."""
    wanted = settings.read_hidden or settings.kind is not None or settings.header_row is not None
    if settings.ignore:
        return "the profile says that the sheet is not read"
    if settings.kind is not None and settings.kind not in READ:
        return f"the profile says that the sheet's kind is {settings.kind}"
    if grid.sheet.hidden and not wanted:
        return "the sheet is hidden"
    return "" if any(grid.lines) else "the sheet is empty"


def unread(sheet: Sheet, kind: SheetKind, reason: str) -> Layout:
    """All cells of a sheet are skipped, for one reason."""
    classes: dict[Place, Plain] = dict.fromkeys(sheet.filled(), "skipped")
    skipped = (Skipped(sheet.name or "the file", reason, len(classes)),) if classes else ()
    return Layout(sheet.name, kind, reason, (), classes, skipped)


def _assembled(sheet: Sheet, parts: _Parts) -> Layout:
    if not parts.blocks:
        return unread(sheet, *_kind_of_rest(sheet, parts))
    main = max(range(len(parts.blocks)), key=lambda n: (len(parts.blocks[n].records), -n))
    blocks = [
        replace(block, table=name, table_told=told)
        for block, (name, told) in zip(parts.blocks, _tables(sheet, parts), strict=True)
    ]
    kind, why = parts.blocks[main].kind, parts.reasons[main]
    return Layout(
        sheet.name, kind, why, tuple(blocks), parts.classes, tuple(parts.skipped),
        tuple(parts.pairs),
    )  # fmt: skip


def _kind_of_rest(sheet: Sheet, parts: _Parts) -> tuple[SheetKind, str]:
    """Of a sheet without a block that is read."""
    if holds(sheet.name, "kinds", "readme"):
        return "readme", f"the sheet's name is {sheet.name!r} and no header describes fields"
    if prose(grid_of(sheet)):
        return "readme", "the sheet holds a text to be read and no header"
    return "other", next(iter(parts.rest), "no row looks like the header of a dictionary")


# One region -----------------------------------------------------------------------------------

_Given = tuple[SheetKind | None, str]
_TEMPLATE = "its first row names fields, and rules stand in what the cells under it accept"
_PROFILE = "the profile says so"


def _read_region(grid: Grid, parts: _Parts) -> None:
    """A part of the sheet that has its own headers: its blocks from top to bottom."""
    heads, given = _heads(grid, parts)
    if not heads:
        _skip(grid, range(len(grid.lines)), given[1], parts)
        return
    start = 0
    for number, head in enumerate(heads):
        following = heads[number + 1] if number + 1 < len(heads) else None
        end = _end(grid, head, following, parts.known)
        _read_block(grid, range(start, end + 1), head, given, parts)
        start = end + 1


def _heads(grid: Grid, parts: _Parts) -> tuple[list[int], _Given]:
    """The lines of the headers, and the kind where more than the headers tell it."""
    kind, known = parts.settings.kind, parts.known
    told = parts.settings.header_row
    lines = header_candidates(grid, known) if told is None else [told - 1]
    possible = [line for line in lines if 0 <= line < len(grid.lines) and grid.lines[line]]
    if possible:
        read = next((line for line in possible if _is_read(grid, line, known)), None)
        first = possible[0] if read is None else read
        heads = [first, *later_headers(grid, first, known)]
        if kind or read is not None:
            return heads, (kind, _PROFILE if kind else "")
        template = template_header(grid)
        return (heads, (None, "")) if template is None else ([template], ("template", _TEMPLATE))
    template = template_header(grid) if kind in (None, "template") else None
    if template is not None:
        return [template], ("template", _PROFILE if kind else _TEMPLATE)
    return _by_name(grid, kind)


def _by_name(grid: Grid, kind: SheetKind | None) -> tuple[list[int], _Given]:
    """A header of which no text is known, where the profile or the sheet's name tells the kind."""
    name = grid.sheet.name
    wide = next((n for n, line in enumerate(grid.lines) if len(line) > 1), None)
    if wide is not None and kind:
        return [wide], (kind, _PROFILE)
    if wide is not None and holds(name, "kinds", "code_list") and not _is_translation(name):
        return [wide], ("code list", f"the sheet's name is {name!r}")
    return [], (None, "no row looks like the header of a dictionary")


def _is_translation(name: str) -> bool:
    return holds(name, "kinds", "mapping")


def _is_read(grid: Grid, line: int, known: Known) -> bool:
    return block_kind(header_line(grid, line, known), grid, len(grid.lines) - 1)[0] in READ


def _end(grid: Grid, head: int, following: int | None, known: Known) -> int:
    """The last line of a block: the titles above the next header are the next block's."""
    if following is None:
        return len(grid.lines) - 1
    end = following - 1
    if header_line(grid, following, known, head + 1).group is not None:
        end -= 1
    while end > head and (not grid.lines[end] or is_above(grid, end, known)):
        end -= 1
    return end


def _read_block(grid: Grid, lines: range, head: int, given: _Given, parts: _Parts) -> None:
    found = header_line(grid, head, parts.known, lines.start)
    top = head if found.group is None else found.group
    kind, why = given if given[0] else block_kind(found, grid, lines[-1])
    if kind is None or kind not in READ:
        _skip(grid, lines, why, parts)
        return
    above = read_above(grid, range(lines.start, top), parts.known)
    for line in range(top, head + 1):
        parts.classes.update({grid.place(line, i): "header" for i in grid.lines[line]})
    parts.classes.update(above.classes)
    parts.skipped += above.skipped
    parts.pairs += above.pairs
    parts.titles.append(above)
    parts.reasons.append(why)
    parts.blocks.append(_block(grid, found, lines[-1], kind, parts))


def _block(grid: Grid, found: HeaderLine, end: int, kind: SheetKind, parts: _Parts) -> Block:
    if kind == "template":
        _skip(grid, range(found.line + 1, end + 1), _DATA, parts)
        return Block(grid.sheet.name, found.headers, (), grid.transposed, kind=kind)
    settings = parts.settings
    first = 0 if grid.transposed or settings.first_row is None else settings.first_row - 1
    read = read_records(grid, found, end, kind, continuation=settings.continuation, first=first)
    parts.classes.update(read.classes)
    parts.skipped += read.skipped
    return Block(grid.sheet.name, found.headers, tuple(read.records), grid.transposed, kind=kind)


_DATA = "rows of data under the names of a template"


def _skip(grid: Grid, lines: range, reason: str, parts: _Parts) -> None:
    """Lines of one region; where nothing of a sheet is read, the reason is that of the sheet."""
    parts.rest.append(reason)
    filled = [line for line in lines if grid.lines[line]]
    if not filled:
        return
    parts.classes.update(dict.fromkeys(grid.places(lines), "skipped"))
    count = grid.count(lines)
    if len(lines) < len(grid.lines):
        parts.skipped.append(grid.told(filled[0], filled[-1], reason, count))
    else:
        items = {item for line in filled for item in grid.lines[line]}
        parts.skipped.append(grid.told_items(min(items), max(items), reason, count))


def _tables(sheet: Sheet, parts: _Parts) -> list[tuple[str | None, str]]:
    if parts.settings.table is not None:
        told = table_told(sheet, parts.settings)
        return [told] * len(parts.blocks)
    several = len(parts.blocks) > 1
    found: list[tuple[str | None, str]] = []
    before: tuple[str | None, str] | None = None
    for above in parts.titles:
        above_it = table_stated(above, parts.known)
        title = table_of_title(above) if several else None
        before = above_it or before
        found.append(above_it or title or before or _of_sheet(sheet, above, several))
    return found


def _of_sheet(sheet: Sheet, above: Above, several: bool) -> tuple[str | None, str]:
    """A block among others under a title of its own is not all that the sheet describes."""
    return (None, "") if several and above.titles else table_of_sheet(sheet.name)
