"""What a cell states, and what the reading of a cell may know of its surroundings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import Scope, Sort, Value
from ruleferry.converters.rule import Caveat, Check, Kind

# What a column of a dictionary tells of its fields: a row of mappings/headers.toml.
Meaning: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Statement:
    """One rule that a cell states, or why it states none (NotARule, Unread).

    `suggested`: the cell only recommends it ("should"), so that a person decides.
    `severity`: the cell's own word of it; `action_word`: its own word of what is done.
    `missing_words`: texts that count as a missing value here, beside those that do everywhere.
    """

    kind: Kind
    check: Check
    columns: tuple[str, ...] = ()
    scope: Scope | None = None
    title: str = ""
    caveats: tuple[Caveat, ...] = ()
    suggested: bool = False
    severity: str | None = None
    action_word: str | None = None
    missing_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeList:
    """The values that a list allows. `closed`: nothing says that others may be added.

    `place`: where it stands; `labels`: code -> its label.
    """

    name: str
    values: tuple[str, ...]
    place: str
    closed: bool = True
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """The field that a row of a dictionary describes.

    `sort`: what its type says of it, None where nothing does; `many`: it holds several values.
    """

    table: str
    name: str
    sort: Sort | None = None
    labels: tuple[str, ...] = ()
    many: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for the cells of one block.

    `legend`: meaning -> word in lower case -> what the profile or the workbook's legend says that
    it means (True, False or a word such as "conditional"). `lists`: the list of a name, None where
    the workbook has none. `column_of`: a name in a phrase -> the column of the same table, None
    where there is none or more than one. `tables`: name in lower case -> the table of the workbook.
    `day_first`: how 3/4/2024 is read, None where nothing tells. `null_words`: count as missing.
    `types`: a word in lower case -> the type that it stands for. `dialect`: of SQL in a cell.
    """

    legend: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    lists: Callable[[str], CodeList | None] = lambda _: None
    column_of: Callable[[str], str | None] = lambda _: None
    tables: Mapping[str, str] = field(default_factory=dict)
    day_first: bool | None = None
    null_words: tuple[str, ...] = ()
    relevance: Literal["off", "warn"] = "off"
    closed_lists: bool | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    dialect: str | None = None


NO_SETTING = Setting()
__all__ = ["NO_SETTING", "CodeList", "Column", "Meaning", "Setting", "Statement", "Value"]
