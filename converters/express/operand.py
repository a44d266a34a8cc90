"""A column as a rule names it, and what is known of its type."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import ColumnType, Family
from ruleferry.converters.engines import Database
from ruleferry.converters.express import missing_words
from ruleferry.converters.express.nodes import (
    Node,
    as_text,
    both,
    call,
    is_nan,
    is_null,
    nan,
    not_null,
    try_as,
)
from ruleferry.converters.express.readings import shaped
from ruleferry.converters.express.sql_text import column, string_literal
from ruleferry.converters.rule import Caveat, EngineKind

NUMBERS: frozenset[Family] = frozenset({"integer", "decimal", "float", "double"})
FLOATING: frozenset[Family] = frozenset({"float", "double"})
MOMENTS: frozenset[Family] = frozenset({"date", "timestamp", "timestamp_ntz"})
TEXTS: frozenset[Family] = frozenset({"string", "char"})


class CannotExpress(Exception):
    """There is no condition; the rule becomes this gap."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.gap = Gap(code, reason)


@dataclass(frozen=True, slots=True)
class Operand:
    """`words`: texts that count as a missing value, "" for every blank one."""

    name: str
    path: tuple[str, ...]
    type: ColumnType | None
    engine: EngineKind | None
    caveats: tuple[Caveat, ...] = ()
    database: Database | None = None
    words: tuple[str, ...] = ()

    @property
    def family(self) -> Family | None:
        return self.type.family if self.type else None

    @property
    def nan_is_missing(self) -> bool:
        """pandas holds a missing number as NaN; for Spark NaN is a number."""
        taken = self.database is not None and self.database.nan == "missing"
        return (taken or self.engine == "pandas") and self.family in FLOATING

    @property
    def empty_is_missing(self) -> bool:
        """Oracle holds an empty text as NULL."""
        taken = self.database is not None and self.database.empty == "missing"
        return taken and self.family in TEXTS

    def node(self) -> Node:
        first = column(self.path[0])
        if len(self.path) == 1:
            return first
        parts = [column(p).this for p in self.path]
        return exp.Dot.build([first, *parts[1:]])

    def text(self) -> Node:
        """The value as text; a text column as it is, without the blanks that pad a CHAR."""
        if self.family == "char" and self.engine == "words":
            return call("rtrim", self.node())
        return self.node() if self.family in TEXTS else as_text(self.node())

    def guarded(self, kind: exp.DType) -> Node:
        """The value in another type, NULL where it is none; analyses on a column of any type."""
        text = shaped(self.text(), kind) if self.engine == "words" else self.text()
        return try_as(text, kind)

    def comparable(self) -> Node:
        """The value, NULL where the source sees a missing one."""
        if self.nan_is_missing:
            return exp.Nullif(this=self.node(), expression=nan())
        if self.empty_is_missing:
            return exp.Nullif(this=self.node(), expression=string_literal(""))
        if not self._worded():
            return self.node()
        there = both(*map(_opposite, self._worded()))
        return exp.Case(ifs=[exp.If(this=there, true=self.node())])

    def missing(self) -> tuple[Node, ...]:
        if self.nan_is_missing:
            return is_null(self.node()), is_nan(self.node())
        if self.empty_is_missing:
            return is_null(self.node()), exp.EQ(this=self.node(), expression=string_literal(""))
        return (is_null(self.node()), *self._worded())

    def present(self) -> tuple[Node, ...]:
        if self.nan_is_missing:
            return not_null(self.node()), exp.Not(this=is_nan(self.node()))
        if self.empty_is_missing:
            return not_null(self.node()), exp.NEQ(this=self.node(), expression=string_literal(""))
        return (not_null(self.node()), *map(_opposite, self._worded()))

    def of_words(self) -> tuple[Caveat, ...]:
        """Told where the type that is not known decides which values the words are."""
        if self.type is not None or not missing_words.by_type(self.words):
            return ()
        return (Caveat("type_unknown", f"the type of {self.name} is not known"),)

    def _worded(self) -> tuple[Node, ...]:
        """TRUE where the value is one of the words."""
        if not self.words:
            return ()
        return missing_words.tests(self.node, self.text, self.family, self.words)


def _opposite(test: Node) -> Node:
    if isinstance(test, exp.EQ):
        return exp.NEQ(this=test.this, expression=test.expression)
    return exp.Not(this=test)


@dataclass(frozen=True, slots=True)
class Types:
    """`declared`: lower-case column -> type of the table on Databricks, None without a schema.

    `claimed`: lower-case column -> type that the suite itself states. `missing_words`: texts that
    count as a missing value in the columns of a rule.
    """

    declared: Mapping[str, ColumnType] | None = None
    claimed: Mapping[str, ColumnType] = field(default_factory=dict)
    missing_words: tuple[str, ...] = ()

    def operand(self, name: str, engine: EngineKind | None) -> Operand:
        """Raises CannotExpress where the declared table has no such column."""
        found = self._operand(name, engine)
        return replace(found, words=self.missing_words) if self.missing_words else found

    def _operand(self, name: str, engine: EngineKind | None) -> Operand:
        if self.declared is not None:
            return self._declared(name, self.declared, engine)
        claim = self.claimed.get(name.lower())
        caveats: tuple[Caveat, ...] = ()
        if claim is not None:
            caveats = (self.resting_on(name, claim),)
        if "." in name:
            caveats += (Caveat("dotted_name", f"{name} is read as one column, not as a field"),)
        return Operand(name, (name,), claim, engine, caveats)

    @staticmethod
    def resting_on(name: str, claim: ColumnType) -> Caveat:
        detail = f"{name} is taken to be {claim.text}, as the suite says; no schema was given"
        return Caveat("type_from_suite", detail)

    def known(self) -> Mapping[str, ColumnType]:
        """Every type that is known, whoever states it."""
        return self.claimed if self.declared is None else self.declared

    def _declared(
        self, name: str, declared: Mapping[str, ColumnType], engine: EngineKind | None
    ) -> Operand:
        known = declared.get(name.lower())
        if known is not None:
            return Operand(name, (name,), known, engine, _padding(name, known))
        first, _, rest = name.partition(".")
        outer = declared.get(first.lower())
        if rest and outer is not None and outer.text.startswith("struct"):
            detail = f"{name} is read as a field of the struct {first}, whose type is not looked up"
            path = tuple(name.split("."))
            return Operand(name, path, None, engine, (Caveat("dotted_name", detail),))
        near = difflib.get_close_matches(name.lower(), declared, n=1)
        meant = f"; the nearest is {near[0]}" if near else ""
        raise CannotExpress("column_unknown", f"the schema's table has no column {name}{meant}")


def _padding(name: str, known: ColumnType) -> tuple[Caveat, ...]:
    if known.family == "char":
        detail = f"{name} is {known.text}: Databricks pads its values with blanks"
        return (Caveat("char_padding", detail),)
    return ()
