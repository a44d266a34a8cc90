"""Required, Mandatory, Nullable, Optional, Allow blanks: whether a field must hold a value."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import Present
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    Read,
    gap,
    nothing,
    one,
    permitted,
    rule,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.words import (
    classes,
    has_word,
    plain,
    says_nothing,
)

# What a cell says of the field: it must hold a value, it need not, it must under a condition.
Need: TypeAlias = Literal["required", "optional", "conditional", "recommended"]

_NEEDS: dict[str, Need] = {
    "required": "required",
    "optional": "optional",
    "conditional": "conditional",
    "recommended": "recommended",
    "suggestion": "recommended",
}
# `CR1-01-1`: the condition of that number stands elsewhere.
_NUMBERED = re.compile(r"(?:cr|c|cond)[ -]?\d+(?:[-.]\d+)*", re.ASCII)
_LETTERS = 3


def read_required(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> Read:
    need = need_of(meaning, cell.text, setting)
    if need == "required":
        return one(_must_hold(column))
    if need == "recommended":
        must = _must_hold(column)
        suggested = Statement(must.kind, must.check, must.columns, suggested=True)
        return one(suggested)
    if need == "optional":
        return permitted(column)
    if need == "conditional":
        reason = f'"{cell.text}" requires it under a condition that the cell does not state'
        return gap("present", "condition_elsewhere", reason, column)
    return _neither(cell.text, column)


def _must_hold(column: Column) -> Statement:
    return rule("present", Present(column.name), column)


def need_of(meaning: Meaning, text: str, setting: Setting) -> Need | None:
    """The legend of the profile or the workbook counts more than the words that are known."""
    word = plain(text)
    explained = setting.legend.get(meaning)
    if explained and word in explained:
        return _explained(meaning, explained[word])
    row = classes("answers").get(word)
    if row in ("yes", "no"):
        return _answered(meaning, row == "yes")
    if row is None:
        return "conditional" if _NUMBERED.fullmatch(word) else None
    return _NEEDS[row]


def _explained(meaning: Meaning, said: object) -> Need | None:
    if isinstance(said, bool):
        return _answered(meaning, said)
    return _NEEDS.get(said) if isinstance(said, str) else None


def _answered(meaning: Meaning, yes: bool) -> Need:
    return "required" if yes == (meaning == "required") else "optional"


def _neither(text: str, column: Column) -> Read:
    silent = says_nothing(text)
    if silent:
        return nothing("present", silent)
    if silent == "":
        reason = f'"{text}" says that it is still to be decided'
        return gap("present", "not_understood", reason, column)
    if has_word(text, "limits"):
        reason = f'"{text}" may require it under a condition'
        return gap("present", "condition_elsewhere", reason, column)
    if _begins_with_answer(text):
        reason = f'what follows the first word of "{text}" may limit it'
        return gap("present", "not_understood", reason, column)
    if len(text) <= _LETTERS:
        reason = f'no legend says what "{text}" means'
        return gap("present", "legend_missing", reason, column, known=False)
    return strange("present", f'"{text}" is neither a yes nor a no', column)


def _begins_with_answer(text: str) -> bool:
    first, *rest = re.split(r"[;,:(–-]", plain(text), maxsplit=1)
    return bool(rest) and first.strip() in classes("answers")
