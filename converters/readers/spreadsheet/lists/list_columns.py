"""What the columns of a code list hold: the name of the list, the codes, what they mean.

Words that say little elsewhere are clear there: in a sheet of lists `Code` is the code.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header
from ruleferry.converters.readers.spreadsheet.meaning.header_words import (
    Candidate,
    candidates,
    words_of,
)
from ruleferry.converters.readers.spreadsheet.statement import Meaning

_OF_LISTS: tuple[Meaning, ...] = ("list_name", "code", "code_label")
# What a general word means beside a column that is clear.
_LABELS = frozenset({"label", "description", "title"})
# Where a header speaks of codes, a name is no code, even if it can't be told which header is meant.
_CODES = frozenset({"code", "codes", "value", "values"})


def list_meanings(block: Block) -> Mapping[int, Meaning]:
    """Header's index -> its meaning; of several columns for one the sure word counts, or none."""
    words = {header.index: candidates(header.text) for header in block.headers}
    found = {meaning: _of(meaning, words) for meaning in _OF_LISTS}
    meanings = {index: m for m, indexes in found.items() for index in indexes}
    names_alone = not any(_CODES & set(words_of(header.text)) for header in block.headers)
    for header in block.headers:
        general = {candidate.meaning for candidate in words[header.index]}
        if header.index in meanings:
            continue
        if not found["list_name"] and "rule_id" in general and _repeats(block, header):
            meanings[header.index] = "list_name"
        elif not found["code"] and "column" in general and names_alone and _names(meanings):
            meanings[header.index] = "code"
        elif not found["code_label"] and general & _LABELS:
            meanings[header.index] = "code_label"
    return meanings


def _of(meaning: Meaning, words: Mapping[int, tuple[Candidate, ...]]) -> list[int]:
    known = [(i, c.sure) for i, row in words.items() for c in row if c.meaning == meaning]
    sure = [index for index, is_sure in known if is_sure]
    return sure or [index for index, _ in known]


def _repeats(block: Block, header: Header) -> bool:
    """The name of a list stands beside each of its codes."""
    texts = [cell.text for r in block.records for cell in r.cells.get(header.index, ())]
    return len(set(texts)) < len(texts)


def _names(meanings: Mapping[int, Meaning]) -> bool:
    return "list_name" in meanings.values()
