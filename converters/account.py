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
    Doubtful,
    Grade,
    Kind,
    Nulls,
    Origin,
    Outcome,
    Skipped,
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of two places of a file that contradict each other; `place`: the other one.

    `words`: what it says by itself, as `condition`, or that the field may be empty (`permits`);
    empty where that is no rule that could be proposed.
    """

    place: str
    words: str = ""
    condition: str = ""
    permits: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """Left for a person: `code` is a row of mappings/gaps.toml; `reason` is one sentence.

    `doubtful`: the column of a sheet that is in question; `side`: of what contradicts something.
    The ledger's questions tell both.
    """

    code: str
    reason: str
    doubtful: Doubtful | None = field(default=None, compare=False)
    side: Side | None = field(default=None, compare=False)


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
    """One line of the ledger: one rule of an atom, with exactly one outcome.

    `title` is the author's, else the rule in words; `words` says it in words beside his.
    `decided`: what a person decided about it, each decision in a sentence.
    """

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
    words: str = ""
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
    decided: tuple[str, ...] = ()


# What the choice of a proposal does: nothing changes, and it is not asked again; the rules are
# waived; they get the action `value`; of rules that contradict the one with the id `value` holds;
# `value` is the answer that the question takes; the answer must be written out; or a person does
# something elsewhere (mends the source), and it is asked again until that is done.
Does: TypeAlias = Literal["settle", "waive", "action", "keep", "value", "write", "elsewhere"]

# What an answer that is written out is: a condition in Databricks SQL, TRUE for a good record; a
# table's name; the engine or the SQL dialect of a file; columns that order a table's records; new
# names (`old = new`) of columns or of tables that are looked up; what a sheet's column says; what a
# letter in it means; what the thresholds of a file count.
Takes: TypeAlias = Literal[
    "condition", "table", "engine", "dialect", "order_by", "columns", "tables", "meaning", "legend",
    "threshold",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Proposal:
    label: str
    effect: str
    does: Does = "elsewhere"
    value: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What a question is about beside its rules: a file, a table, a column (`Fields!G`) of a file.

    `header`: what stands above that column; `text`: a letter or word in its cells.
    """

    file: str | None = None
    table: str | None = None
    column: str | None = None
    header: str | None = None
    text: str | None = None


AnsweredState: TypeAlias = Literal["stale", "disputed", "refused", "pending"]


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that was given and does not settle the question, and why not.

    stale: a rule's text changed since. disputed: two answers differ. refused: it can't be used.
    pending: what a person said to do elsewhere is not done yet.
    """

    state: AnsweredState
    answer: str
    by: str
    on: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Asked once about one entry or many; `until_answered` says what holds meanwhile.

    `takes`: what an answer other than a proposal may be; None: one of the proposals alone.
    """

    id: str
    code: str
    entries: tuple[str, ...]
    question: str
    proposals: tuple[Proposal, ...]
    until_answered: str
    about: About = About()
    takes: Takes | None = None
    answered: tuple[Answered, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A column of a spreadsheet. `place`: its header's; `meaning`: None where it is not sure."""

    place: str
    text: str
    meaning: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the books: `outcomes` adds up to `entries`.

    `cells`: of a spreadsheet, class -> how many filled cells are of it; `skipped`: what of it is
    not read; `headings`: its columns.
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
    headings: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """The rules of one table, ready to be written as `<stem>_expectations.py`.

    `rules` are the entries that were carried over, in the order in which they are written;
    `origins` gives for each rule all the places that say it: its own, and those merged into it;
    `computed`: id -> the columns that a dataset adds for the rule. `columns`: those that a schema
    states for the table; `whole`: those of whole numbers, `roomy`: those that round no literal,
    both in lower case (`compare.numbers`).
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
    whole: frozenset[str] = frozenset()
    roomy: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Output:
    file: str
    sha256: str
    body_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The account of one conversion (schema version 1). `options`: those of its command line."""

    tool: str
    sources: tuple[Source, ...]
    questions: tuple[Question, ...]
    entries: tuple[Entry, ...]
    outputs: tuple[Output, ...] = ()
    options: tuple[str, ...] = ()
