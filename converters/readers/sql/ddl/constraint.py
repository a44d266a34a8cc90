"""What a definition states of the records, before it is known what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

ConstraintKind: TypeAlias = Literal[
    "not_null",
    "null",
    "primary",
    "unique",
    "foreign",
    "check",
    "expect",
    "enum",
    "unsigned",
    "other",
]


@dataclass(frozen=True, slots=True)
class Options:
    """What stands behind a constraint; `action`: what a pipeline does with a bad record."""

    disabled: bool = False
    not_validated: bool = False
    not_enforced: bool = False
    enforced: bool = False
    match: str = ""
    action: Literal["", "drop", "fail", "?"] = ""


@dataclass(frozen=True, slots=True)
class Constraint:
    """`text`: a condition, or what a filtered index is limited to; `start`, `end`: in the text.

    `nulls`: what the definition itself says of missing values of a key. `problem`: why it can't be
    read, with a code of mappings/gaps.toml. `implied`: NOT NULL that follows from a key or a type.
    """

    kind: ConstraintKind
    start: int
    end: int
    name: str | None = None
    columns: tuple[str, ...] = ()
    text: str | None = None
    target: str | None = None
    target_columns: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    nulls: Literal["", "distinct", "same"] = ""
    index: bool = False
    of_column: bool = False
    options: Options = field(default_factory=Options)
    problem: tuple[str, str] | None = None

    def unread(self, code: str, reason: str) -> Constraint:
        return self if self.problem else replace(self, problem=(code, reason))


@dataclass(frozen=True, slots=True)
class Column:
    """`type`: as it is written, "" where none is stated; `null`: where it says NULL itself."""

    name: str
    type: str
    start: int
    end: int
    constraints: tuple[Constraint, ...] = ()
    null: tuple[int, int] | None = None

    @property
    def nullable(self) -> bool:
        return self.null is not None


@dataclass(frozen=True, slots=True)
class Definition:
    """What a list of columns and constraints holds."""

    columns: tuple[Column, ...] = ()
    constraints: tuple[Constraint, ...] = ()

    @property
    def all(self) -> tuple[Constraint, ...]:
        own = [constraint for column in self.columns for constraint in column.constraints]
        return tuple(sorted((*own, *self.constraints), key=lambda found: found.start))
