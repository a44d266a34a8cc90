"""The model: what a reader hands over.

A reader turns a file into a Reading of legacy rules and knows nothing of Lakeflow. `express` turns
a legacy rule into a condition or a Gap; `plan` makes entries of them (account.py). Everything here
is frozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import (
    ColumnComparison,
    Ignore,
    Predicate,
    Scope,
    SqlText,
    Unknown,
)

# The words of the ledger ------------------------------------------------------------------------

Action: TypeAlias = Literal["warn", "drop", "fail"]
# "pandas", "spark" or an SQL dialect ("postgres"); "sql" is one that nothing tells. "words" is no
# engine: a person wrote down what holds, and a missing value passes unless one is required.
Engine: TypeAlias = str
EngineKind: TypeAlias = Literal["pandas", "spark", "sql", "words"]
Grade: TypeAlias = Literal["exact", "differs", "assumed"]
Nulls: TypeAlias = Literal["pass", "fail", "none"]
Decider: TypeAlias = Literal["decision", "config", "behaviour", "word", "default"]
Outcome: TypeAlias = Literal[
    "record", "flag", "dataset", "schema", "merged", "gap", "not_a_rule", "waived"
]
Kind: TypeAlias = Literal[
    "present", "absent", "range", "allowed", "refused", "pattern", "not_pattern", "length", "type",
    "format", "compare", "sum", "distinct_within", "predicate", "exists", "looked_up", "unique",
    "order", "share", "figure", "row_count", "reconcile", "columns", "column_type",
]  # fmt: skip

# What a filled cell of a spreadsheet is.
CellClass: TypeAlias = Literal[
    "title", "header", "key_value", "name", "description", "rule", "unsure", "skipped"
]


def engine_kind(engine: Engine) -> EngineKind:
    known = ("pandas", "spark", "words")
    return engine if engine in known else "sql"  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a rule was found, and the author's own text."""

    file: str
    place: str
    text: str
    tool: str
    engine: Engine | None = None


def has_old_check(origin: Origin) -> bool:
    """Whether something runs that the rule was read from; a dictionary is only read."""
    if origin.engine:
        return engine_kind(origin.engine) != "words"
    return origin.tool != "spreadsheet"


@dataclass(frozen=True, slots=True)
class Caveat:
    """What a reader of the condition must know; `code` is a row of mappings/caveats.toml."""

    code: str
    detail: str


# What a rule checks -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """Each record by itself."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Unique:
    """`by_engine`: on a database a record that misses a value passes, whatever `ignore` says."""

    columns: tuple[str, ...]
    ignore: Ignore = "any_missing"
    by_engine: bool = False


@dataclass(frozen=True, slots=True)
class Ordered:
    column: str
    descending: bool = False
    strictly: bool = False


@dataclass(frozen=True, slots=True)
class Lookup:
    """The records of another table that have the keys of a record; a missing key equals none.

    `table` as the source states it; `keys`: column of the record, column of the other table.
    `scope` says which records of the other table count, over its columns.
    """

    table: str
    keys: tuple[tuple[str, str], ...]
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class Exists:
    """The record is found in another table; negated: it is not.

    `missing`: what a record is of which a key is missing. `listed`: the source asks NOT IN of the
    keys; there one missing key among them ("nullable") hides every bad record, and in an empty list
    a missing key is not found.
    """

    lookup: Lookup
    negated: bool = False
    missing: Unknown = "bad"
    listed: Literal["nullable", "complete"] | None = None


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A record is compared with those that it finds in another table.

    `comparisons`: a column of the record, and one of the other table. A record is bad where all of
    them hold for one that it finds; `wanted`: where they hold for none.
    """

    lookup: Lookup
    comparisons: tuple[ColumnComparison, ...]
    wanted: bool = False


@dataclass(frozen=True, slots=True)
class Reconciled:
    """Two tables hold the same combinations of values, of which two missing ones are equal.

    `missing`: those of the other table stand in this one; `extra`: those of this one in the other.
    """

    other: Lookup
    missing: bool = True
    extra: bool = True


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over many records: `measure` is a word of `express.figures`.

    `arguments`: name -> a Value, a tuple of them, or what the source states, sorted by name.
    """

    measure: str
    columns: tuple[str, ...]
    arguments: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures over many records, for which a predicate must hold.

    The predicate is over aggregates of the table's records and over queries of one value, in which
    the table is called `ruleferry_batch`. Without a figure (NULL) the record of figures is what
    `bad` of the predicate makes of it.
    """

    predicate: SqlText


@dataclass(frozen=True, slots=True)
class Share:
    """At least `threshold` (0 to 1) of the records that `row` checks are good."""

    row: Row | Unique | Ordered | Exists | Figure
    threshold: Decimal


@dataclass(frozen=True, slots=True)
class Columns:
    """A statement about the columns or types of the table."""

    statement: str
    columns: tuple[str, ...]
    arguments: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A column of a sheet of which it is asked what it says, and what it is likely to say.

    `column`: where its header stands (`Fields!G`). `likely`: a meaning, and why; the best first.
    """

    column: str
    header: str
    likely: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NotARule:
    """`permits`: the column of which it says that a value may be missing."""

    reason: str
    permits: str = ""


@dataclass(frozen=True, slots=True)
class Opposed:
    """The place of the same file that contradicts a rule; `says`: what the rule says by itself."""

    place: str
    says: Row | NotARule | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A rule that is there and could not be understood: `code` is a row of mappings/gaps.toml.

    `doubtful`: the column that is in question. `opposed`: what contradicts it.
    """

    code: str
    reason: str
    columns: tuple[str, ...] = ()
    doubtful: Doubtful | None = field(default=None, compare=False)
    opposed: Opposed | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Says again what another atom of the sources says, of which the file and atom are given."""

    file: str
    atom: str


Check: TypeAlias = (
    Row | Share | Unique | Ordered | Exists | LookedUp | Reconciled | Figure | Measured | Columns
    | Unread | NotARule | Repeat
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """The table that a rule speaks of, as its source states it; not stated: the source's stem.

    `told`: who states it, or what else the rules run on.
    """

    name: str
    stated: bool = True
    told: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LegacyRule:
    """One rule of one atom on one table, with the legacy tool's own meaning.

    `scope` limits the rule to some records (a row condition): a record out of scope is good.
    `behaviour` is what the source itself does with a bad record, `action_word` its own word of it.
    `part`: what part of its row states it, a column's meaning; it tells rules of one kind apart.
    `missing_words`: texts that count as a missing value; "" stands for every blank text.
    `beside`: what the rule depends on beside its text, such as the other cells of its row: where it
    changes, an answer is as stale as where the text does.
    """

    origin: Origin
    atom: str
    kind: Kind
    check: Check
    table: Table
    columns: tuple[str, ...] = ()
    scope: Scope | None = None
    title: str = ""
    author_id: str | None = None
    author_name: str | None = None
    part: str = ""
    behaviour: Action | None = None
    behaviour_detail: str = ""
    action_word: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    caveats: tuple[Caveat, ...] = ()
    missing_words: tuple[str, ...] = ()
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """What of a file is not read, and why; `cells`: how many filled cells that are."""

    place: str
    reason: str
    cells: int


@dataclass(frozen=True, slots=True)
class ColumnRead:
    """What a column of a spreadsheet was taken to say; `why` it is sure, or not.

    `place` is that of its header. `meaning`: None where no word of the header is known.
    """

    place: str
    header: str
    meaning: str | None
    sure: bool
    why: str


@dataclass(frozen=True, slots=True)
class Misfit:
    """What a person told of a file, and why it is not read so.

    `column`: of which column; `text`: of which letter in it.
    """

    takes: str
    state: Literal["stale", "refused"]
    why: str
    column: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file held. `read_as` is a reader's word, or "used" or "not read" with `why`.

    `type_names`: column name -> type name that the source itself claims for it. `classes`: of a
    spreadsheet, class -> how many filled cells are of it; `skipped`: what of it is not read;
    `columns`: how those are read that describe fields or rules. `misfits`: what of a person's
    facts does not fit it.
    """

    file: str
    read_as: str
    sha256: str
    atoms: int = 0
    rules: tuple[LegacyRule, ...] = ()
    why: str | None = None
    type_names: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[CellClass, int] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    columns: tuple[ColumnRead, ...] = ()
    misfits: tuple[Misfit, ...] = ()
