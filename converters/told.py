"""What stewards told about files and tables, beside the configuration: its answers as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ruleferry.converters.table_names import same_table


@dataclass(frozen=True, slots=True)
class ToldMeaning:
    """What a column of a sheet says. `column`: where its header stood (`Fields!G`).

    `by`: who said it, and when.
    """

    column: str
    header: str
    meaning: str
    by: str


@dataclass(frozen=True, slots=True)
class ToldLetter:
    """What a letter or word in a column of a sheet says: required, optional or nothing."""

    column: str
    header: str
    text: str
    says: str
    by: str


@dataclass(frozen=True, slots=True)
class ToldOfFile:
    """How one file is read. `tables`: a table as the file states it, "" for its only one -> name.

    `by`: a field's name -> who said it, and when; `tables_by`: of each table.
    """

    engine: str | None = None
    dialect: str | None = None
    profile: str | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    meanings: tuple[ToldMeaning, ...] = ()
    letters: tuple[ToldLetter, ...] = ()
    threshold: str | None = None
    by: Mapping[str, str] = field(default_factory=dict)
    tables_by: Mapping[str, str] = field(default_factory=dict)

    def table(self, stated: str) -> str | None:
        """The name on Databricks of a table that the file calls so."""
        return _of_table(self.tables, stated)

    def who_named(self, stated: str) -> str:
        """Who told that name."""
        return _of_table(self.tables_by, stated) or ""


def _of_table(told: Mapping[str, str], stated: str) -> str | None:
    own = (value for called, value in told.items() if called and same_table(called, stated))
    return next(own, told.get(""))


@dataclass(frozen=True, slots=True)
class ToldOfTable:
    """A fact about a table under one of its names; `file`: about that file's rules of it alone.

    `columns`: name in the source -> name on Databricks.
    """

    table: str
    file: str | None = None
    order_by: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    by: str = ""

    def is_about(self, file: str, names: Iterable[str]) -> bool:
        """`names`: what the table is called, as the file and the configuration state it."""
        if self.file is not None and self.file != file:
            return False
        return any(same_table(self.table, name) for name in names)


NOTHING_TOLD = ToldOfFile()


def said_so(by: str) -> str:
    """Why a column of a sheet is read as it is."""
    return f"{by} said so"
