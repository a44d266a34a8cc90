"""A workbook as it is read: the layout of its sheets, what the columns mean, its lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ruleferry.converters.readers.spreadsheet.blocks import Block, Layout
from ruleferry.converters.readers.spreadsheet.cells import Book, Cell, Place
from ruleferry.converters.readers.spreadsheet.doubtful_tables import with_doubtful_tables
from ruleferry.converters.readers.spreadsheet.fields import ReadBlock, known_type
from ruleferry.converters.readers.spreadsheet.layout.sheets import layouts
from ruleferry.converters.readers.spreadsheet.lists.list_columns import list_meanings
from ruleferry.converters.readers.spreadsheet.lists.thresholds import is_threshold
from ruleferry.converters.readers.spreadsheet.lists.workbook_lists import named_lists
from ruleferry.converters.readers.spreadsheet.meaning.header_words import known_meaning
from ruleferry.converters.readers.spreadsheet.meaning.meanings import meanings_of
from ruleferry.converters.readers.spreadsheet.meaning.profile import (
    chosen_of,
    setting_of,
    settings_of,
)
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile
from ruleferry.converters.readers.spreadsheet.meaning.told_meanings import (
    OfBlock,
    misfits,
    told_of,
)
from ruleferry.converters.readers.spreadsheet.statement import (
    CodeList,
    Column,
    Meaning,
    Setting,
)
from ruleferry.converters.readers.spreadsheet.told_letters import settings_with, with_letters
from ruleferry.converters.readers.spreadsheet.values.cell_values import understood
from ruleferry.converters.rule import Misfit
from ruleferry.converters.told import NOTHING_TOLD, ToldOfFile

# Kinds of blocks whose records describe fields.
OF_FIELDS = ("dictionary", "mapping")
# A field of no sort and no name, for asking whether a cell can be read at all.
_ANY = Column("", "x")


@dataclass(frozen=True, slots=True)
class Look:
    """`settings`: sheet -> what holds for its cells; `blocks`: those of fields and of rules.

    `misfits`: what a person said of its columns, and they are not read so.
    """

    book: Book
    layouts: tuple[Layout, ...]
    blocks: tuple[ReadBlock, ...]
    lists: Callable[[str], CodeList | None]
    settings: Mapping[str, Setting]
    misfits: tuple[Misfit, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether anything of it was recognised."""
        return any(layout.blocks for layout in self.layouts)


def look_at(
    book: Book,
    profile: Profile | None,
    missing_words: Sequence[str],
    dialect: str | None = None,
    facts: ToldOfFile = NOTHING_TOLD,
) -> Look:
    """What the configuration tells: `missing_words` count as missing, `dialect` of SQL in cells.

    `facts`: what a person decided.
    """
    if profile and profile.struck == "use":
        book = _unstruck(book)
    told = (lambda sheet: settings_of(profile, sheet)) if profile else None
    found = layouts(book, known_meaning, told)
    lists = named_lists(book, found, list_meanings)
    words = tuple(word for word in missing_words if word)
    base = Setting(lists=lists, null_words=words, dialect=dialect)
    settings = {
        sheet.name: setting_of(profile, sheet.name, base) if profile else base
        for sheet in book.sheets
    }
    every = [block for layout in found for block in layout.blocks]
    blocks = tuple(
        _read(block, profile, settings[block.sheet], of_block)
        for block, of_block in zip(every, told_of(every, facts.meanings), strict=True)
    )
    wrong = misfits([(read.block, read.columns) for read in blocks], facts.meanings)
    blocks, unfit = with_letters(blocks, facts.letters)
    settings = settings_with(settings, facts.threshold)
    return Look(book, found, blocks, lists, settings, (*wrong, *unfit))


def _unstruck(book: Book) -> Book:
    """What is struck through counts like the rest."""
    none: frozenset[Place] = frozenset()
    sheets = tuple(
        replace(sheet, marks=replace(sheet.marks, struck=none, partly_struck=none))
        for sheet in book.sheets
    )
    return replace(book, sheets=sheets)


def _read(block: Block, profile: Profile | None, setting: Setting, facts: OfBlock) -> ReadBlock:
    if block.kind not in (*OF_FIELDS, "rule list"):
        return ReadBlock(block, ())
    chosen = chosen_of(profile, block.sheet) if profile else {}

    def parses(meaning: Meaning, cell: Cell) -> bool:
        if meaning == "threshold":
            return is_threshold(cell.text)
        told = known_type(cell, setting.types) if meaning == "type" else cell
        return understood(meaning, told, _ANY, setting)

    return with_doubtful_tables(ReadBlock(block, meanings_of(block, parses, chosen, facts)))
