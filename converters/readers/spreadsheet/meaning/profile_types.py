"""What a profile may say of one sheet, in place of what the reader would find out itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import SheetKind
from ruleferry.converters.readers.spreadsheet.statement import Meaning
from ruleferry.converters.rule import Action

Continuation: TypeAlias = Literal["blank-name", "none"]


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """None: the reader decides. Rows count from 1, as a person counts.

    `last_column`: its letters; in a transposed sheet too. `table`: a name, or the address of the
    cell that holds it (B1); `named`: a name, even where it looks like an address. `first_row`,
    `last_row`: the records outside them are not read; in a transposed sheet the rows of the sheet
    all the same. `ignore`: the sheet is not read. `read_hidden`: it is, though it is hidden;
    `skip_hidden_rows`: its hidden rows are not.
    """

    header_row: int | None = None
    last_column: str | None = None
    transposed: bool | None = None
    kind: SheetKind | None = None
    table: str | None = None
    continuation: Continuation | None = None
    ignore: bool = False
    first_row: int | None = None
    last_row: int | None = None
    named: bool = False
    read_hidden: bool = False
    skip_hidden_rows: bool = False


NO_SETTINGS = SheetSettings()


@dataclass(frozen=True, slots=True)
class TableFrom:
    """Where the name of the table stands. `split` parts the names of several tables in one cell."""

    source: Literal["sheet", "cell", "column", "name"]
    text: str = ""
    split: str | None = None


@dataclass(frozen=True, slots=True)
class SheetProfile:
    """One [[sheets]]. `match`: names of sheets, with * and ?; the sheet of a CSV has an empty one.

    `columns`: meaning -> headers, each as `Header` or `Group/Header`. `values`: meaning -> word in
    lower case -> what it says. `polarity`: header -> inverted, where yes means no.
    """

    match: tuple[str, ...] = ()
    settings: SheetSettings = NO_SETTINGS
    table: TableFrom | None = None
    columns: Mapping[Meaning, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[Meaning, Mapping[str, bool | str]] = field(default_factory=dict)
    polarity: Mapping[str, Literal["inverted", "plain"]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """How one workbook, or several alike, are read. `file`: the profile's own name.

    `workbooks`: names of files, with * and ?. `names`: label -> column. `severity`: word in lower
    case -> action. `types`: word in lower case -> a type that is known.
    """

    file: str
    workbooks: tuple[str, ...] = ()
    ignore_sheets: tuple[str, ...] = ()
    hidden_sheets: Literal["skip", "use"] = "skip"
    hidden_rows: Literal["skip", "use"] = "use"
    struck: Literal["skip", "use"] = "skip"
    sheets: tuple[SheetProfile, ...] = ()
    closed_lists: bool | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    null_words: tuple[str, ...] = ()
    day_first: bool | None = None
    relevance: Literal["off", "warn"] = "off"
    suggestions: Literal["report", "warn"] = "report"
    severity: Mapping[str, Action] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
