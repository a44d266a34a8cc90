"""What a person said of letters in a workbook's columns, and of its thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ruleferry.converters.readers.spreadsheet.fields import ReadBlock
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.meaning.told_meanings import gone, meant
from ruleferry.converters.readers.spreadsheet.statement import Setting
from ruleferry.converters.readers.spreadsheet.values.words import plain
from ruleferry.converters.rule import Misfit
from ruleferry.converters.told import ToldLetter

# What is said of them is about these columns alone; that a cell states nothing, about any.
_OF_NEEDS = ("required", "nullable")


def with_letters(
    blocks: Sequence[ReadBlock], told: Sequence[ToldLetter]
) -> tuple[tuple[ReadBlock, ...], tuple[Misfit, ...]]:
    """The blocks with the legend of their columns, and what does not fit them."""
    read, misfits = list(blocks), []
    for one in told:
        found = list(_columns(read, one))
        why = _not_said(found, one)
        if not found:
            wrong = gone([block.block for block in read], one)
            misfits.append(Misfit("legend", "stale", wrong, one.column, one.text))
        elif why:
            misfits.append(Misfit("legend", "refused", why, one.column, one.text))
        else:
            for number, column in found:
                read[number] = _explained(read[number], column.meaning or "", one)
    return tuple(read), tuple(misfits)


def _columns(read: Sequence[ReadBlock], told: ToldLetter) -> Iterator[tuple[int, ColumnReading]]:
    for number, header in meant([block.block for block in read], told):
        columns = read[number].columns
        yield from ((number, c) for c in columns if c.header.index == header.index)


def _not_said(found: Sequence[tuple[int, ColumnReading]], told: ToldLetter) -> str:
    for _, column in found:
        if not column.sure or column.meaning is None:
            return f"what the column says is not sure; {column.why}"
        if told.says != "nothing" and column.meaning not in _OF_NEEDS:
            return "the column does not say whether a value is required"
    return ""


def _explained(block: ReadBlock, meaning: str, told: ToldLetter) -> ReadBlock:
    words = {**block.letters.get(meaning, {}), plain(told.text): told.says}
    return replace(block, letters={**block.letters, meaning: words})


def setting_with(setting: Setting, letters: Mapping[str, Mapping[str, str]]) -> Setting:
    """What a person said counts more than the legend of the profile."""
    legend = dict(setting.legend)
    for meaning, words in letters.items():
        legend[meaning] = {**legend.get(meaning, {}), **words}
    return replace(setting, legend=legend)


def settings_with(settings: Mapping[str, Setting], threshold: str | None) -> dict[str, Setting]:
    """What a person said that the thresholds of the whole file count."""
    if threshold is None:
        return dict(settings)
    letters = {"threshold": {"*": threshold}}
    return {sheet: setting_with(setting, letters) for sheet, setting in settings.items()}
