"""A statement of a definition: what it is, of which table, and what it adds or takes away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from ruleferry.converters.readers.sql.ddl.constraint import Column, Constraint, Definition
from ruleferry.converters.readers.sql.ddl.cursor import Cursor
from ruleferry.converters.readers.sql.ddl.tokens import Token

StatementKind: TypeAlias = Literal["table", "alter", "index", "domain", "type", "drop"]
ChangeKind: TypeAlias = Literal[
    "drop", "drop_not_null", "drop_primary", "drop_column", "drop_table", "rename_table",
    "rename_column", "disable", "enable", "drop_type",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What a statement takes away from the constraints before it. `name`: of the constraint, the
    column, or what it is renamed to; "" for all of them."""

    kind: ChangeKind
    table: str
    at: int
    name: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """`extra`: constraints that stand outside of the list, or what can't be read of it."""

    kind: StatementKind
    name: str
    start: int
    end: int
    definition: Definition = field(default_factory=Definition)
    extra: tuple[Constraint, ...] = ()
    changes: tuple[Change, ...] = ()
    base: str = ""
    values: tuple[str, ...] | None = None
    not_enforced: str = ""

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        found = (*self.definition.all, *self.extra)
        return tuple(sorted(found, key=lambda constraint: constraint.start))

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.definition.columns


_MODIFIERS = frozenset({
    "OR", "REPLACE", "REFRESH", "GLOBAL", "LOCAL", "TEMPORARY", "TEMP", "VOLATILE", "MULTISET",
    "SET", "EXTERNAL", "FOREIGN", "UNLOGGED", "TRANSIENT", "HYBRID", "COLUMN", "PRIVATE",
    "STREAMING", "LIVE", "ICEBERG", "EVENT", "MANAGED", "IMMUTABLE", "DYNAMIC", "ROW",
    "UNIQUE", "CLUSTERED", "NONCLUSTERED", "BITMAP", "COLUMNSTORE", "FULLTEXT", "SPATIAL",
})  # fmt: skip
_THINGS = ("TABLE", "INDEX", "DOMAIN", "TYPE")


def thing(cursor: Cursor) -> tuple[str, str, frozenset[str]] | None:
    """`CREATE OR REPLACE TEMP TABLE` -> CREATE, TABLE, the words between; all are passed."""
    verb = cursor.take_one_of("CREATE", "ALTER", "DROP")
    between = set()
    while verb == "CREATE" and cursor.word() in _MODIFIERS:
        between.add(cursor.word())
        cursor.skip()
    if verb == "ALTER":
        cursor.take_one_of("EXTERNAL", "FOREIGN", "ICEBERG")
    what = cursor.take_one_of(*_THINGS) if verb else ""
    return (verb, what, frozenset(between)) if what else None


def is_definition(tokens: Sequence[Token]) -> bool:
    """Whether a statement defines or changes a table, an index, a domain or a type.

    A table that a query fills is a load, save where constraints of its own stand beside the query.
    """
    cursor = Cursor(tokens)
    found = thing(cursor)
    if found is None or (found[0] == "ALTER" and found[1] in ("INDEX", "TYPE")):
        return False
    if found[1] == "TYPE" and cursor.at("BODY"):
        return False
    query = query_place(tokens, cursor.place) if found[:2] == ("CREATE", "TABLE") else None
    return query is None or _states_constraints(tokens[:query])


def query_place(tokens: Sequence[Token], first: int) -> int | None:
    """Where `AS SELECT` stands, outside of all parentheses."""
    depth = 0
    for place in range(first, len(tokens)):
        depth += (tokens[place].text == "(") - (tokens[place].text == ")")
        if depth == 0 and tokens[place].word in ("AS", "SELECT", "WITH") and _begins(tokens, place):
            return place
    return None


def _begins(tokens: Sequence[Token], place: int) -> bool:
    ahead = Cursor(tokens, place)
    if ahead.take("AS"):
        while ahead.take("("):
            pass
        return ahead.word() in ("SELECT", "WITH", "TABLE", "VALUES", "SEL")
    return ahead.at("SELECT")


def _states_constraints(tokens: Sequence[Token]) -> bool:
    words = {token.word for token in tokens}
    return bool(words & {"CONSTRAINT", "PRIMARY", "CHECK", "REFERENCES", "UNIQUE"}) or any(
        (one.word, two.word) == ("NOT", "NULL")
        for one, two in pairwise(tokens)
        if one.word == "NOT"
    )


def exists_words(cursor: Cursor) -> None:
    """IF NOT EXISTS, IF EXISTS, ONLY."""
    cursor.take("IF", "NOT", "EXISTS")
    cursor.take("IF", "EXISTS")
    cursor.take("ONLY")


def span(tokens: Sequence[Token]) -> tuple[int, int]:
    return tokens[0].start, tokens[-1].end
