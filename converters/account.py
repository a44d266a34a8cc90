"""The account of a conversion: what became of each rule, and what a person is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleferry.converters.rule import (
    Action,
    Caveat,
    CellClass,
    Decider,
    Grade,
    Kind,
    Nulls,
    Origin,
    Outcome,
    Skipped,
)


@dataclass(frozen=True, slots=True)
class Gap:
    """Left for a person: `code` is a row of mappings/gaps.toml; `reason` is one sentence."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Because:
    by: Decider
    detail: str


@dataclass(frozen=True, slots=True)
class KeysOf:
    """The distinct keys of another table, as the module joins them.

    `keys`: SQL over the table that is checked -> SQL over the other one; `where` limits the other.
    """

    table: str
    keys: tuple[tuple[str, str], ...]
    where: str | None = None


# Where a column stands: in the checked table, by itself or by what is looked up in other tables;
# among the figures of all records; or in a query of its own.
Place: TypeAlias = Literal["record", "lookup", "figures", "query"]


@dataclass(frozen=True, slots=True)
class Flag:
    """A column that a dataset adds for a rule.

    `keys`: it says whether a record is found among them.
    """

    column: str
    sql: str
    over: Place = "record"
    keys: KeysOf | None = None

    @property
    def of_record(self) -> bool:
        """Whether the checked table has it."""
        return self.over in ("record", "lookup")


@dataclass(frozen=True, slots=True)
class Validation:
    dataset: str
    query: str
    condition: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: one rule of an atom, with exactly one outcome."""

    id: str
    atom: str
    name: str
    title: str
    kind: Kind
    table: str
    columns: tuple[str, ...]
    outcome: Outcome
    origin: Origin
    text_sha256: str
    nulls: Nulls
    tags: tuple[tuple[str, str], ...] = ()
    dataset: str | None = None
    condition: str | None = None
    action: Action | None = None
    because: Because | None = None
    grade: Grade | None = None
    caveats: tuple[Caveat, ...] = ()
    flag: Flag | None = None
    validation: Validation | None = None
    gap: Gap | None = None
    merged_into: str | None = None
    reason: str | None = None
    waived: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    label: str
    effect: str


@dataclass(frozen=True, slots=True)
class Question:
    """Asked once about one entry or many; `until_answered` says what holds meanwhile."""

    id: str
    code: str
    entries: tuple[str, ...]
    question: str
    proposals: tuple[Proposal, ...]
    until_answered: str


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the books: `outcomes` adds up to `entries`.

    `cells`: of a spreadsheet, class -> how many filled cells are of it; `skipped`: what of it is
    not read.
    """

    file: str
    read_as: str
    sha256: str
    atoms: int
    entries: int
    outcomes: Mapping[Outcome, int]
    why: str | None = None
    cells: Mapping[CellClass, int] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """The rules of one table, ready to be written as `<stem>_expectations.py`.

    `rules` are the entries that were carried over, in the order in which they are written;
    `origins` gives for each rule all the places that say it: its own, and those merged into it;
    `computed`: id -> the columns that a dataset adds for the rule. `columns`: those that a schema
    states for the table.
    """

    table: str
    stem: str
    source_table: str
    rules: tuple[Entry, ...]
    origins: Mapping[str, tuple[Origin, ...]]
    computed: Mapping[str, tuple[Flag, ...]] = field(default_factory=dict)
    quarantine: Literal["tables", "column"] = "tables"
    streaming: bool = False
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    file: str
    sha256: str
    body_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The account of one conversion (schema version 1)."""

    tool: str
    sources: tuple[Source, ...]
    questions: tuple[Question, ...]
    entries: tuple[Entry, ...]
    outputs: tuple[Output, ...] = ()
