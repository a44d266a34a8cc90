"""What procedural code consists of, as far as checks need it. Offsets are those of the code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """text[start:end], tokens[first:last]."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sql:
    """A statement that the database runs; `word` begins it: SELECT, INSERT, …

    `into`: the variables that it fills, and `hole`: where that stands in it. `assigned`: T-SQL's
    `SELECT @a = …`: variable and value.
    """

    span: Span
    word: str
    into: tuple[str, ...] = ()
    hole: Span | None = None
    assigned: tuple[tuple[str, Span], ...] = ()


@dataclass(frozen=True, slots=True)
class Arm:
    """`condition`: None for ELSE."""

    condition: Span | None
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class If:
    """`operand`: CASE x WHEN …, where the conditions are values that it may have."""

    span: Span
    arms: tuple[Arm, ...]
    operand: bool = False


@dataclass(frozen=True, slots=True)
class Raise:
    """`stops`: the run ends with an error; else it is a message. `name`: of a declared exception.

    `again`: it only hands on an error that is there already. `variable`: it holds the message.
    `warns`: it is called a warning.
    """

    span: Span
    stops: bool
    message: str = ""
    name: str = ""
    again: bool = False
    variable: str = ""
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """`value`: None where no expression gives it (the result of a procedure, GET DIAGNOSTICS)."""

    span: Span
    variables: tuple[str, ...]
    value: Span | None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Declare:
    """`sort`: variable, parameter, exception, cursor (`value` is its query)."""

    span: Span
    names: tuple[str, ...]
    value: Span | None = None
    sort: Literal["variable", "parameter", "exception", "cursor"] = "variable"


@dataclass(frozen=True, slots=True)
class Fetch:
    span: Span
    cursor: str
    into: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`record`: what the current row is called, `rows`: the query or the cursor that gives it."""

    span: Span
    body: tuple[Node, ...]
    record: str = ""
    rows: Span | None = None


@dataclass(frozen=True, slots=True)
class Handler:
    """`names`: the exceptions in capitals; "OTHERS" catches all."""

    names: tuple[str, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Block:
    span: Span
    body: tuple[Node, ...]
    handlers: tuple[Handler, ...] = ()


@dataclass(frozen=True, slots=True)
class Dynamic:
    """SQL in a text; `text`: its tokens."""

    span: Span
    text: Span


@dataclass(frozen=True, slots=True)
class Assertion:
    """ABORT and ASSERT. `bad`: it stops where the condition is true; `source`: ABORT's FROM."""

    span: Span
    condition: Span | None
    bad: bool
    message: str = ""
    source: Span | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """What is done that is no check, in a few words; `alone`: a Found of its own says so."""

    span: Span
    what: str
    alone: bool = False
    leaves: Literal["", "routine", "row"] = ""


@dataclass(frozen=True, slots=True)
class Other:
    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class Routine:
    """A procedure, a function, a package or an anonymous block."""

    span: Span
    name: str
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """`new`, `old`: what it calls the record after and before, in lower case."""

    span: Span
    name: str
    table: str
    table_span: Span
    events: frozenset[str]
    body: tuple[Node, ...]
    timing: str = ""
    each_row: bool = True
    new: str = "new"
    old: str = "old"
    when: Span | None = None
    enabled: bool = True


Node: TypeAlias = (
    Sql | If | Raise | Assign | Declare | Fetch | Loop | Block | Dynamic | Assertion | Skip | Other
    | Routine | Trigger
)  # fmt: skip
