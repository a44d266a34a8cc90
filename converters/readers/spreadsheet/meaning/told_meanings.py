"""What a person said of a workbook's columns: which headers are meant, and whether it fits them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading, word_of
from ruleferry.converters.readers.spreadsheet.meaning.header_words import folded
from ruleferry.converters.readers.spreadsheet.statement import Meaning
from ruleferry.converters.rule import Doubtful, Misfit
from ruleferry.converters.told import ToldLetter, ToldMeaning, said_so

# Index of a header -> its meaning, and who says so.
OfBlock: TypeAlias = Mapping[int, tuple[Meaning, str]]
_SCOPE = (
    "it is known that it says for which records the rules beside it hold, and what its cells say "
    "can't be read; an engineer may state these rules by other means"
)
# How many meanings of one column are proposed.
_MOST = 6


def column_of(header: Header) -> str:
    """`Fields!G`, where the header stands in `Fields!G3`."""
    return header.cell.place.rstrip("0123456789")


def told_of(blocks: Sequence[Block], told: Sequence[ToldMeaning]) -> tuple[OfBlock, ...]:
    """Of each block what was told of its columns."""
    found: tuple[dict[int, tuple[Meaning, str]], ...] = tuple({} for _ in blocks)
    for one in told:
        for number, header in meant(blocks, one):
            found[number][header.index] = (one.meaning, said_so(one.by))
    return found


def misfits(
    read: Sequence[tuple[Block, Sequence[ColumnReading]]], told: Sequence[ToldMeaning]
) -> Iterator[Misfit]:
    """What of it the columns are not read as, and why."""
    blocks = [block for block, _ in read]
    for one in told:
        there = list(meant(blocks, one))
        if not there:
            yield Misfit("meaning", "stale", gone(blocks, one), one.column)
            continue
        if one.meaning == "scope":
            yield Misfit("meaning", "refused", _SCOPE, one.column)
            continue
        for number, header in there:
            row = next(row for row in read[number][1] if row.header.index == header.index)
            if not row.sure or row.meaning != one.meaning:
                yield Misfit("meaning", "refused", row.why, one.column)
                break


def doubtful(column: ColumnReading, others: Sequence[ColumnReading]) -> Doubtful:
    """The column that is in question where this one is not sure, and what it may say."""
    of_index = {other.header.index: other for other in others}
    asked = column if column.asked is None else of_index.get(column.asked, column)
    known = [candidate.meaning for candidate in word_of(asked.header)]
    likely = [asked.meaning, *known] if asked.meaning else [*known, "rule"]
    if column.asked is not None and not asked.may_bear_rules:
        likely = [asked.meaning or "column", *_BESIDE.get(asked.meaning or "column", ()), *known]
    names = [name for name in dict.fromkeys(likely) if name and name != "ignore"]
    return Doubtful(
        column_of(asked.header),
        asked.header.text,
        tuple((name, column.why) for name in names[:_MOST]),
    )


# What else a column is likely to be, of which that is not sure.
_BESIDE: Mapping[str, tuple[Meaning, ...]] = {"column": ("label",), "table": (), "scope": ()}


def meant(blocks: Sequence[Block], told: ToldMeaning | ToldLetter) -> Iterator[tuple[int, Header]]:
    """Under its header where it stood; one that moved is known where its header stands once."""
    own = _alike(blocks, told)
    there = [(n, header) for n, header in own if column_of(header) == told.column]
    moved = own if folded(told.header) and len(own) == 1 else []
    yield from there or moved


def _alike(blocks: Sequence[Block], told: ToldMeaning | ToldLetter) -> list[tuple[int, Header]]:
    """The headers of its sheet with its text."""
    sheet = told.column.rpartition("!")[0]
    return [
        (number, header)
        for number, block in enumerate(blocks)
        for header in block.headers
        if header.cell.sheet == sheet and folded(header.text) == folded(told.header)
    ]


def gone(blocks: Sequence[Block], told: ToldMeaning | ToldLetter) -> str:
    now = [
        header.text
        for block in blocks
        for header in block.headers
        if column_of(header) == told.column
    ]
    if now:
        return f'the column {told.column} is called "{now[0]}" now, and was "{told.header}"'
    return f'there is no column {told.column} "{told.header}" any more'
