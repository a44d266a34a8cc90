"""What a record must satisfy, and which records a rule is limited to. Everything here is frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

# Numbers are exact: an int, or the decimal that the author wrote.
Value: TypeAlias = str | bool | int | Decimal | date | datetime | None

# What a record is where a comparison gives neither yes nor no.
Unknown: TypeAlias = Literal["good", "bad"]

# What a dictionary says that a field holds.
Sort: TypeAlias = Literal[
    "text", "integer", "decimal", "number", "boolean", "date", "time", "timestamp"
]

# Which records a rule over several columns leaves unchecked.
Ignore: TypeAlias = Literal["all_missing", "any_missing", "never"]


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
class Typed:
    """The value is of a sort, or a text that can be read as one.

    `precision`: digits in all; `scale`: digits after the point; None where nothing states them.
    """

    column: str
    sort: Sort
    precision: int | None = None
    scale: int | None = None


@dataclass(frozen=True, slots=True)
class CountPresent:
    """At least `low` and at most `high` of the columns hold a value; None: all of them."""

    columns: tuple[str, ...]
    low: int = 1
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """A column is the sum of others, each added (1) or taken off (-1); a missing one passes."""

    column: str
    terms: tuple[tuple[Literal[1, -1], str], ...]


@dataclass(frozen=True, slots=True)
class AgainstToday:
    """A date or time compared with today, moved by a number of days; `now`: with this moment."""

    column: str
    operator: Literal["=", "<", "<=", ">", ">="]
    days: int = 0
    now: bool = False


@dataclass(frozen=True, slots=True)
class Length:
    """The number of characters (code points) of the text, or of its bytes in UTF-8."""

    column: str
    low: Value = None
    high: Value = None
    low_open: bool = False
    high_open: bool = False
    in_bytes: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """The text is a date or time in a format of Python's strptime.

    `exact`: each part has all of its digits (`%m` is 05, never 5).
    """

    column: str
    format: str
    exact: bool = False


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
    """`as_written`: on Spark a column and a value of another type are compared as Spark 3 does."""

    left: str
    right: str
    pairs: tuple[tuple[Value, Value], ...]
    ignore: Ignore = "all_missing"
    as_written: bool = False


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
class SqlSettings:
    """How a database was set up, as far as the configuration tells; None: as it is by default.

    `collation`: its name, "ci" or "cs"; `date_format`: how it reads a text as a date, in its own
    letters; `week_start`: the first day of its week.
    """

    collation: str | None = None
    date_format: str | None = None
    week_start: str | None = None


@dataclass(frozen=True, slots=True)
class SqlText:
    """A predicate in SQL. `bad`: TRUE for a bad record; else TRUE for a good one.

    `whole_query` says that the text is a SELECT that returns the bad records of `{batch}`.
    `dialect`: a row of mappings/dialects.toml. `tree`: what `dialects.parse` makes of the text,
    where the reader has it; in a whole query the batch is a table called `ruleferry_batch` there.
    """

    text: str
    dialect: str
    bad: bool
    whole_query: bool = False
    settings: SqlSettings = SqlSettings()
    tree: object = field(default=None, compare=False, repr=False)


Predicate: TypeAlias = (
    Present | Absent | Range | OneOf | Matches | Like | Length | Format | Json | Compare | PairIn
    | DistinctWithin | SameWithin | SumIs | SqlText | Typed | CountPresent | Identity | AgainstToday
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
