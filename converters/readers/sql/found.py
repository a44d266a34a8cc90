"""What the rooms of this reader hand to each other. Everything here is frozen.

text -> Script of Pieces (split) -> placeholders (macros) -> trees (dialects.parse) -> Found
(shapes, code, ddl, dsl) -> named (labels) -> action (behaviour) -> LegacyRule (legacy)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.predicates import Scope, SqlSettings
from ruleferry.converters.rule import Action, Caveat, Check, Kind

# Text ---------------------------------------------------------------------------------------------

_LINE_ENDS = re.compile(r"\r\n|\r|\n")

PieceKind: TypeAlias = Literal["statement", "comment", "separator", "command", "blank"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a script: text[start:end], offsets in characters.

    "statement" may hold comments and, in procedural code, other statements; "command" is one of the
    client (.IF, SET ECHO, \\i); "separator" what ends a statement (;, GO, /, @, DELIMITER $$).
    """

    kind: PieceKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Script:
    """A file's text; its pieces cover it without hole or overlap, in order."""

    file: str
    text: str
    dialect: SqlDialect
    pieces: tuple[Piece, ...]

    def of(self, piece: Piece) -> str:
        return self.text[piece.start : piece.end]

    def line(self, offset: int) -> int:
        """The number of the line, the first is 1."""
        return bisect_right(_lines_after(self.text), offset) + 1

    def column(self, offset: int) -> int:
        """The number of the character in its line, the first is 1."""
        return offset - max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset))


# Thousands of places are asked for in one text.
@lru_cache(maxsize=2)
def _lines_after(text: str) -> list[int]:
    """Where each line but the first begins; one that ends with two characters, between them."""
    return [found.start() + 1 for found in _LINE_ENDS.finditer(text)]


# Placeholders -------------------------------------------------------------------------------------

# ruleferry_p_3_: a placeholder's stand-in in the text that is parsed; its number follows.
STAND_IN = "ruleferry_p_"


def is_stand_in(column: exp.Column) -> bool:
    """It stands for a placeholder, which no table has for a column."""
    return not column.table and column.name.lower().startswith(STAND_IN)


@dataclass(frozen=True, slots=True)
class Macro:
    """A placeholder: as it is written, its bare name, and the value that is known of it.

    `table`: what it names where it is a reference to a table (`{{ ref('orders') }}` -> orders).
    `whole`: it is no part of a longer name or literal.
    """

    written: str
    name: str
    value: object | None = None
    table: str | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text whose placeholders have stand-ins that parse; `macros`: stand-in in lower case -> it.

    `text` is as long as it comes: offsets in it are not those of the script.
    `filled`: the placeholders whose value, or table, stands in the text.
    `unread`: why the text can't be taken as it stands, one sentence ("" where it can): a template
    language that is not evaluated, a placeholder for a whole clause. `config`: what dbt is told.
    """

    text: str
    macros: Mapping[str, Macro] = field(default_factory=dict)
    filled: tuple[Macro, ...] = ()
    unread: str = ""
    config: Mapping[str, object] = field(default_factory=dict)


# Rules --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for all statements of a file; `macros` are those of the statement at hand."""

    dialect: SqlDialect
    settings: SqlSettings = field(default_factory=SqlSettings)
    macros: Mapping[str, Macro] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a query of bad records, or a condition, checks.

    `table` as the text names it (a placeholder as it is written), None where there is none.
    `filters`: what was left out since it only picks the load, each as its text.
    """

    check: Check
    kind: Kind
    table: str | None
    columns: tuple[str, ...] = ()
    scope: Scope | None = None
    caveats: tuple[Caveat, ...] = ()
    filters: tuple[str, ...] = ()


LabelKind: TypeAlias = Literal["id", "name", "message", "comment", "alias"]


@dataclass(frozen=True, slots=True)
class Label:
    """What could name a rule. "id" and "name": a literal or a constraint's own name; "message": the
    text of an error or a status; "alias": the name of a result column."""

    kind: LabelKind
    text: str


EffectKind: TypeAlias = Literal[
    "select",  # the rows, a count or a status are shown
    "insert",  # copied to `target`
    "load",  # copied to `target`, where the good ones belong
    "delete",  # removed from their table
    "update",  # `column` of their table is set to a mark
    "merge",
    "raise",  # the run stops with an error
    "notice",  # a message, and the run goes on
    "constraint",  # the database refuses them
    "view",
    "test",  # of dbt, Soda, Dataform, SQLMesh: `action` says what it does
]


@dataclass(frozen=True, slots=True)
class Effect:
    """What the statement does with the rows it finds, as far as it says so itself.

    `by_table`: it finds them by the records of that table, of which those alone count that hold one
    of the texts `codes`, if there are any; `by_columns`: by the marks in these columns.
    `doubt`: why it may state no rule, unless an earlier statement finds the same records.
    """

    kind: EffectKind
    target: str | None = None
    column: str | None = None
    value: str | None = None
    action: Action | None = None
    detail: str = ""
    by_table: str | None = None
    codes: tuple[str, ...] = ()
    by_columns: tuple[str, ...] = ()
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One rule of a script, or why there is none: `checked.check` is then Unread or NotARule.

    `start`, `end`: where in the script it stands; `part`: what of its statement it is ("branch 2",
    "arm 3", "column qty"), "" where it is all of it. The atom is its place: line and part.
    """

    checked: Checked
    start: int
    end: int
    part: str = ""
    labels: tuple[Label, ...] = ()
    effect: Effect = Effect("select")
    tags: tuple[tuple[str, str], ...] = ()


# A tree of a statement, where it stands in the script, and what holds there -> its rules.
ReadStatement: TypeAlias = Callable[[exp.Expression, int, int, Setting], tuple[Found, ...]]
