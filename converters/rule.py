"""The model: what a reader hands over.

A reader turns a file into a Reading of legacy rules and knows nothing of Lakeflow. `express` turns
a legacy rule into a condition or a Gap; `plan` makes entries of them (account.py). Everything here
is frozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

# The words of the ledger ------------------------------------------------------------------------

Action: TypeAlias = Literal["warn", "drop", "fail"]
# "pandas", "spark" or an SQL dialect ("postgres"); "sql" is one that nothing tells.
Engine: TypeAlias = str
EngineKind: TypeAlias = Literal["pandas", "spark", "sql"]
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

# Numbers are exact: an int, or the decimal that the author wrote.
Value: TypeAlias = str | bool | int | Decimal | date | datetime | None

# What a record is where a comparison gives neither yes nor no.
Unknown: TypeAlias = Literal["good", "bad"]

# Which records a rule over several columns leaves unchecked.
Ignore: TypeAlias = Literal["all_missing", "any_missing", "never"]


def engine_kind(engine: Engine) -> EngineKind:
    return engine if engine in ("pandas", "spark") else "sql"  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a rule was found, and the author's own text."""

    file: str
    place: str
    text: str
    tool: str
    engine: Engine | None = None


@dataclass(frozen=True, slots=True)
class Caveat:
    """What a reader of the condition must know; `code` is a row of mappings/caveats.toml."""

    code: str
    detail: str


# What a record must satisfy -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Present:
    column: str


@dataclass(frozen=True, slots=True)
class Absent:
    column: str


@dataclass(frozen=True, slots=True)
class Range:
    """A bound that is None is open; `low_open` says that the bound itself is refused.

    `as_times`: texts are read as dates and times. `unknown`: a text that is no number or time; None
    where the engine never compares it.
    """

    column: str
    low: Value = None
    high: Value = None
    low_open: bool = False
    high_open: bool = False
    as_times: bool = False
    unknown: Unknown | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """`as_times`: texts are read as dates and times.

    `as_written`: on Spark a text and a value that is none are equal where both are written alike,
    as in Spark 2 and 3 outside of ANSI mode.
    """

    column: str
    values: tuple[Value, ...]
    negated: bool = False
    as_times: bool = False
    as_written: bool = False


@dataclass(frozen=True, slots=True)
class Matches:
    """The text contains a match of any pattern (or of each one); negated: of none.

    `whole`: it is a match as a whole, on the databases that want that; None: nothing states the
    version of the tool, which decides it. On Spark they may have been given as one pattern:
    `chained`, so that all of them match from one place of the text, or `branched`, so that a flag
    or a group of one is seen by those after it.
    """

    column: str
    patterns: tuple[str, ...]
    each: bool = False
    negated: bool = False
    whole: bool | None = False
    chained: bool = False
    branched: bool = False


@dataclass(frozen=True, slots=True)
class Like:
    column: str
    patterns: tuple[str, ...]
    each: bool = False
    negated: bool = False
    escape: str | None = None


@dataclass(frozen=True, slots=True)
class Length:
    """The number of characters (code points) of the text."""

    column: str
    low: Value = None
    high: Value = None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """The text is a date or time in a format of Python's strptime."""

    column: str
    format: str


@dataclass(frozen=True, slots=True)
class Json:
    column: str


@dataclass(frozen=True, slots=True)
class Compare:
    """`unknown`: a record of which one value is missing; None: what the engine makes of it.

    `read_as`: texts alone are compared, as times; texts and times are, as times or as days.
    """

    left: str
    operator: Literal["=", ">", ">="]
    right: str
    ignore: Ignore = "all_missing"
    unknown: Unknown | None = None
    read_as: Literal["text", "time", "day"] | None = None


@dataclass(frozen=True, slots=True)
class PairIn:
    left: str
    right: str
    pairs: tuple[tuple[Value, Value], ...]
    ignore: Ignore = "all_missing"


@dataclass(frozen=True, slots=True)
class DistinctWithin:
    """No two of the columns hold the same value; two missing values are the same.

    `neighbours`: on Spark only columns that stand side by side in the list are compared.
    """

    columns: tuple[str, ...]
    ignore: Ignore = "all_missing"
    neighbours: bool = False


@dataclass(frozen=True, slots=True)
class SameWithin:
    """All columns hold the same value; two missing values are the same."""

    columns: tuple[str, ...]
    ignore: Ignore = "all_missing"


@dataclass(frozen=True, slots=True)
class SumIs:
    """`missing`: what counts for a missing value; None: what the engine makes of it.

    `wraps`: on Spark a sum of whole numbers that is too large for their type is another number.
    """

    columns: tuple[str, ...]
    total: Value
    ignore: Ignore = "all_missing"
    missing: Literal["zero"] | None = None
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class SqlText:
    """A predicate in SQL. `bad`: TRUE for a bad record; else TRUE for a good one.

    `whole_query` says that the text is a SELECT that returns the bad records of `{batch}`.
    """

    text: str
    dialect: str
    bad: bool
    whole_query: bool = False


Predicate: TypeAlias = (
    Present | Absent | Range | OneOf | Matches | Like | Length | Format | Json | Compare | PairIn
    | DistinctWithin | SameWithin | SumIs | SqlText
)  # fmt: skip


# Which records a rule is limited to ---------------------------------------------------------------


Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column compared with a value; what a missing one gives is the engine's own."""

    column: str
    operator: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class ColumnComparison:
    left: str
    operator: Operator
    right: str


@dataclass(frozen=True, slots=True)
class IsTrue:
    """The column itself is the condition."""

    column: str


@dataclass(frozen=True, slots=True)
class Not:
    part: Scope


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Scope, ...]


# Present, Absent and OneOf as a test: a missing value is not among the values of a list.
Scope: TypeAlias = (
    Comparison | ColumnComparison | OneOf | Present | Absent | IsTrue | Not | And | Or | SqlText
)


# What a rule checks -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """Each record by itself."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Unique:
    columns: tuple[str, ...]
    ignore: Ignore = "any_missing"


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
class Unread:
    """A rule that is there and could not be understood: `code` is a row of mappings/gaps.toml."""

    code: str
    reason: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotARule:
    reason: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """Says again what another atom of the sources says, of which the file and atom are given."""

    file: str
    atom: str


Check: TypeAlias = (
    Row | Share | Unique | Ordered | Exists | LookedUp | Reconciled | Figure | Columns | Unread
    | NotARule | Repeat
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
    behaviour: Action | None = None
    behaviour_detail: str = ""
    action_word: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What one file held. `read_as` is a reader's word, or "used" or "not read" with `why`.

    `type_names`: column name -> type name that the source itself claims for it.
    """

    file: str
    read_as: str
    sha256: str
    atoms: int = 0
    rules: tuple[LegacyRule, ...] = ()
    why: str | None = None
    type_names: Mapping[str, str] = field(default_factory=dict)
