"""Keys: what identifies a record, and what must be found in another table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ruleferry.converters.predicates import Present
from ruleferry.converters.readers.spreadsheet.cells import Cell, Place
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    KINDS,
    Read,
    gap,
    left,
    nothing,
    one,
    rule,
    stated,
    strange,
)
from ruleferry.converters.readers.spreadsheet.values.words import (
    MANY_TEXTS,
    classes,
    has_word,
    plain,
    says_nothing,
    straight,
)
from ruleferry.converters.rule import Exists, Lookup, NotARule, Unique
from ruleferry.converters.together import together_with

_MARKS: Mapping[Meaning, frozenset[str]] = {
    "primary_key": frozenset(
        {"pk", "primary key", "primary", "pri", "key", "p", "primarykey", "klucz"}
    ),
    "unique": frozenset({"unique", "u", "uk", "uq", "uni", "unique key", "distinct"}),
    "foreign_key": frozenset({"fk", "foreign key", "foreign", "foreignkey"}),
}
# An index that several records may share.
_INDEX = frozenset({"mul", "idx", "index"})
_BOTH = re.compile(r"(.+?) ?(?:,|/|\+|&|;| and ) ?(.+)")


def key_answer(meaning: Meaning, text: str, setting: Setting) -> bool | None:
    """Whether the cell says that the field is such a key; None where it says neither."""
    word = plain(text)
    explained = setting.legend.get(meaning, {}).get(word)
    if isinstance(explained, bool):
        return explained
    if classes("answers").get(word) in ("yes", "no"):
        return classes("answers")[word] == "yes"
    if _is_mark(meaning, word):
        return True
    if says_nothing(text):
        return False
    both = _BOTH.fullmatch(word)
    if both and all(any(part in marks for marks in _MARKS.values()) for part in both.groups()):
        return any(_is_mark(meaning, part) for part in both.groups())
    if word in _INDEX or any(word in marks for marks in _MARKS.values()):
        return False  # a column "Key" that tells PK from FK
    if meaning == "primary_key" and re.fullmatch(r"-?[0-9]{1,2}", word):
        return int(word) > 0  # its place in the key
    return None


def _is_mark(meaning: Meaning, word: str) -> bool:
    return word in _MARKS.get(meaning, ())


def read_key(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> Read:
    kind = KINDS[meaning]
    answer = key_answer(meaning, cell.text, setting)
    if meaning == "foreign_key" and answer is not False:
        return _foreign(answer, cell, column, setting)
    if answer is None:
        return _neither(meaning, cell.text, column)
    also = _also_foreign(meaning, cell.text, column)
    if not answer and _is_mark("unique", plain(cell.text)):
        return one(stated("unique", Unique((column.name,)), column))
    if not answer:
        reason = f'"{cell.text}" says that the field is no such key'
        return Read(also) if also else nothing(kind, reason)
    unique = stated("unique", Unique((column.name,)), column)
    return Read((unique, *_present(meaning, column), *also))


def _present(meaning: Meaning, column: Column) -> tuple[Statement, ...]:
    must = rule("present", Present(column.name), column)
    return (must,) if meaning == "primary_key" else ()


def _also_foreign(meaning: Meaning, text: str, column: Column) -> tuple[Statement, ...]:
    """`PK, FK` in one cell says two things."""
    parts = re.split(r" ?(?:,|/|\+|&|;| and ) ?", plain(text))
    if meaning == "foreign_key" or not any(part in _MARKS["foreign_key"] for part in parts):
        return ()
    return (left("exists", "other_records", _NO_TABLE, column),)


_NO_TABLE = "it says that the field is a key of another table, and not of which"


def _neither(meaning: Meaning, text: str, column: Column) -> Read:
    kind = KINDS[meaning]
    if has_word(text, "limits") or "within" in plain(text) or "per " in plain(text):
        reason = f'"{text}" may hold for some of the records alone'
        return gap(kind, "not_understood", reason, column)
    return strange(kind, f'"{text}" is neither a yes nor a no', column)


def key_statements(
    table: str, cells: Sequence[tuple[Cell, Column]]
) -> Mapping[Place, tuple[Statement, ...]]:
    """The primary key of a table: its cells that say yes, and the fields that they speak of.

    Several fields are one key together, which the first cell states. What else a cell says, such as
    FK beside PK, is not among it.
    """
    columns = tuple(dict.fromkeys(column.name for _, column in cells))
    found: dict[Place, tuple[Statement, ...]] = {}
    for index, (cell, column) in enumerate(cells):
        must = rule("present", Present(column.name), column)
        first = together_with(cells[0][0].place, f"the key of {table or 'the table'}")
        key = (
            Statement("unique", NotARule(first))
            if index
            else Statement("unique", Unique(columns), columns)
        )
        found[(cell.row, cell.column)] = (key, must)
    return found


# References ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target:
    table: str
    column: str = ""


_ID = r"(?:[^\W\d][\w$#]*|\"[^\"]+\"|`[^`]+`|\[[^\[\]]+\])"
_LEAD = re.compile(
    r"(?:references?|fk(?: to)?:?|foreign key(?: to| references)?:?|->|→|=>)\s+", re.IGNORECASE
)
_DOTTED = re.compile(rf"({_ID}(?:\.{_ID})?)\.({_ID})")
_CALLED = re.compile(rf"({_ID}(?:\.{_ID})?) ?(?:\(({_ID})\)|(?:->|→|::) ?({_ID})| ?\[({_ID})\])")


@lru_cache(MANY_TEXTS)
def target_in(text: str) -> Target | None:
    """`Table.column`, `schema.table(column)`, or a table alone."""
    text = _LEAD.sub("", straight(text).strip(), count=1).strip()
    if found := _CALLED.fullmatch(text):
        column = next(part for part in found.groups()[1:] if part)
        return Target(_bare(found[1]), _bare(column))
    if found := _DOTTED.fullmatch(text):
        return Target(_bare(found[1]), _bare(found[2]))
    return Target(_bare(text)) if re.fullmatch(_ID, text) else None


def _bare(name: str) -> str:
    return re.sub(r"[\"`\[\]]", "", name)


def _foreign(answer: bool | None, cell: Cell, column: Column, setting: Setting) -> Read:
    if answer:
        return gap("exists", "other_records", _NO_TABLE, column)
    return read_reference(cell, column, setting)


def read_reference(cell: Cell, column: Column, setting: Setting, *, is_table: bool = False) -> Read:
    if silent := says_nothing(cell.text):
        return nothing("exists", silent)
    target = target_in(cell.text)
    if target is None:
        return _no_target(cell.text, column)
    if not target.column:
        reason = f'"{cell.text}" names a table, and none of its columns'
        known = is_table or plain(target.table) in setting.tables
        return gap("exists", "other_records", reason, column, known=known)
    return Read((exists(target, column, setting),))


def _no_target(text: str, column: Column) -> Read:
    if re.fullmatch(rf"{_ID}(?:\.{_ID})*(?:\s*[,;|]\s*{_ID}(?:\.{_ID})*)+", text.strip()):
        reason = f'"{text}" names more than one table'
        return gap("exists", "other_records", reason, column)
    return strange("exists", f'"{text}" is no table and column', column)


def exists(target: Target, column: Column, setting: Setting) -> Statement:
    table = setting.tables.get(plain(target.table), target.table)
    check = Exists(Lookup(table, ((column.name, target.column),)), missing="good")
    return stated("exists", check, column)


def read_half_reference(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> Read:
    """The table or the column of a reference, where the other does not stand beside it."""
    if silent := says_nothing(cell.text):
        return nothing("exists", silent)
    if meaning == "reference_table":
        return read_reference(cell, column, setting, is_table=True)
    reason = f'"{cell.text}" names a column, and nothing names its table'
    return gap("exists", "other_records", reason, column)
