"""What a reader is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ruleferry.converters.errors import Fault
from ruleferry.converters.predicates import SqlSettings
from ruleferry.converters.rule import Engine, Reading
from ruleferry.converters.text_files import TextFile
from ruleferry.converters.told import NOTHING_TOLD, ToldOfFile

# The names of a rule set (a suite) -> the tables that were stated for it.
TablesOf: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file's text, and what the run was told about it; `parameters`: [parameters].

    A reader of workbooks is given `data`, the file's bytes, and no text. `profile`: the name of the
    file that says how the workbook is read, and what it holds. `missing_words`: texts that count as
    a missing value ("": every blank one).

    `tables_of`: the tables that the user names for a rule set of the file; `table`: the one that
    stands where nothing tells. `named`: the file itself was named, not just its folder, by the
    command or by a path of the configuration. `dialect`: a word for the SQL of checks, as the user
    writes it; `sql`: how their database was set up. `told`: what a person decided of the file.
    """

    file: str
    text: str
    sha256: str
    engine: Engine | None
    tables_of: TablesOf
    parameters: Mapping[str, object] = field(default_factory=dict)
    table: str | None = None
    named: bool = False
    data: bytes = b""
    profile: tuple[str, TextFile] | None = None
    missing_words: tuple[str, ...] = ()
    dialect: str | None = None
    sql: SqlSettings = field(default_factory=SqlSettings)
    told: ToldOfFile = NOTHING_TOLD


@dataclass(frozen=True, slots=True)
class Counted:
    """A reading, and the number of its atoms as other code counts them.

    `rules_of_atom`: atom -> the number of its rules: one for each table that it runs on.
    """

    reading: Reading
    second_count: int
    rules_of_atom: Mapping[str, int] = field(default_factory=dict)


# What is wrong with a file, or several things.
Faults: TypeAlias = Fault | tuple[Fault, ...]

# Together, since one file may say what another means; the results are in the order of the files.
Reader: TypeAlias = Callable[[Sequence[RawFile]], Sequence[Counted | Faults]]
