"""A script -> what its statements state: each goes to the room that reads its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.dialects.tree import terms
from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.predicates import SqlSettings
from ruleferry.converters.readers.sql.code import is_code, read_code, trigger_tables
from ruleferry.converters.readers.sql.ddl import Facts, facts_of, is_ddl, read_ddl
from ruleferry.converters.readers.sql.dsl.singular import singular_test
from ruleferry.converters.readers.sql.found import (
    Checked,
    Found,
    Macro,
    Piece,
    Prepared,
    Script,
    Setting,
)
from ruleferry.converters.readers.sql.macros import (
    defaults_in,
    is_filter_of_loads,
    macros_in,
    prepare,
)
from ruleferry.converters.readers.sql.shapes import read_query
from ruleferry.converters.readers.sql.shapes.writes import no_rule, read_write
from ruleferry.converters.rule import Caveat, NotARule, Unread

# Where one of these words stands, a statement may state a rule, whatever it begins with.
_RULES = re.compile(
    r"\b(?:select|sel|insert|ins|delete|del|merge|upsert|where|having|check|constraint|raise\w*|"
    r"throw|signal|abort|assert\w*)\b",
    re.IGNORECASE,
)

# Characters of one statement. A condition may have 200,000 at most; to read ten times that takes
# minutes.
_LARGEST = 2_000_000


@dataclass(frozen=True, slots=True)
class Told:
    """What a run says of all statements of a file; `values`: placeholder -> its value."""

    wrapper: str
    settings: SqlSettings
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Stated:
    """The rules of a script in its order. `config`: what dbt is told of it.

    `by_file`: the file's name is the rule's own. `tests`: how many the lists of a tool's file hold;
    None for a script.
    """

    founds: tuple[Found, ...]
    config: Mapping[str, object] = field(default_factory=dict)
    by_file: bool = False
    tests: int | None = None


def stated_in(script: Script, told: Told) -> Stated:
    reader = _Reader(script, told)
    founds = tuple(
        found for piece in script.pieces if piece.kind == "statement" for found in reader.of(piece)
    )
    return Stated(founds, reader.config, reader.is_of_dbt)


class _Reader:
    def __init__(self, script: Script, told: Told) -> None:
        self._script = script
        self._told = told
        self._setting = Setting(script.dialect, told.settings)
        # What the command gives beats what the script itself sets.
        self._values = {**defaults_in(script), **told.values}
        self._facts: Facts | None = None
        self._tables: Mapping[str, str] | None = None
        self._of_dbt = singular_test(script, told.wrapper)
        self.config: dict[str, object] = {}

    @property
    def is_of_dbt(self) -> bool:
        return self._of_dbt is not None

    def of(self, piece: Piece) -> tuple[Found, ...]:
        text = self._script.of(piece)
        if is_ddl(text, self._script.dialect):
            return read_ddl(text, piece.start, self._setting, self._of_definitions())
        if is_code(text, self._script.dialect):
            return read_code(text, piece.start, self._setting, self._prepared, self._triggers())
        prepared = self._prepared(text)
        self.config.update(prepared.config)
        told = tuple(_given(macro) for macro in prepared.filled if macro.value is not None)
        return tuple(_told(found, told) for found in self._of_sql(prepared, piece))

    def _triggers(self) -> Mapping[str, str]:
        """A trigger may run a function that is defined in another statement."""
        if self._tables is None:
            texts = (self._script.of(piece) for piece in self._script.pieces)
            self._tables = trigger_tables(texts, self._script.dialect)
        return self._tables

    def _prepared(self, text: str) -> Prepared:
        dialect, wrapper = self._script.dialect, self._told.wrapper
        filled = prepare(text, dialect, wrapper, self._values)
        if not filled.filled:
            return filled
        names = _of_loads(prepare(text, dialect, wrapper, {}), dialect)
        if not names:
            return filled
        rest = {name: value for name, value in self._values.items() if name.lower() not in names}
        return prepare(text, dialect, wrapper, rest)

    def _of_definitions(self) -> Facts:
        """A constraint may be dropped, or its table described, in another statement."""
        if self._facts is None:
            self._facts = facts_of(self._script.text, self._script.dialect)
        return self._facts

    def _of_sql(self, prepared: Prepared, piece: Piece) -> Iterator[Found]:
        if len(prepared.text) > _LARGEST:
            reason = (
                f"it is {len(prepared.text):,} characters long; more than {_LARGEST:,} are data"
            )
            yield _gap("too_large", reason, piece)
            return
        if prepared.unread:
            yield _gap("template", prepared.unread, piece)
            return
        if self._of_dbt is not None:
            yield self._of_dbt.found(prepared, piece, self._setting)
            return
        if (upkeep := _housekeeping(prepared.text)) is not None:
            yield Found(Checked(NotARule(upkeep), "predicate", None), piece.start, piece.end)
            return
        setting = replace(self._setting, macros=prepared.macros)
        try:
            tree = parse_statement(prepared.text, setting.dialect)
        except Unreadable as unreadable:
            yield _gap(unreadable.code, unreadable.reason, piece)
            return
        asks = isinstance(tree, exp.Query) and not tree.args.get("into")
        read = read_query if asks else read_write
        yield from read(tree, piece.start, piece.end, setting)


def _housekeeping(text: str) -> str | None:
    """The database's own upkeep states no rule, and much of it no parser reads."""
    return None if _RULES.search(text) else no_rule(text)


def _of_loads(prepared: Prepared, dialect: SqlDialect) -> frozenset[str]:
    """The parameters that only pick a load: a rule is no rule of the one that their value names."""
    try:
        tree = parse_statement(prepared.text, dialect)
    except Unreadable:
        return frozenset()
    found: set[str] = set()
    others: set[str] = set()
    for where in tree.find_all(exp.Where):
        for term in terms(where.this):
            names = {macro.name.lower() for macro in macros_in(term, prepared.macros)}
            (found if is_filter_of_loads(term, prepared.macros) else others).update(names)
    elsewhere = tree.copy()
    for where in list(elsewhere.find_all(exp.Where)):
        where.pop()
    others |= {macro.name.lower() for macro in macros_in(elsewhere, prepared.macros)}
    return frozenset(found - others)


def _gap(code: str, reason: str, piece: Piece) -> Found:
    return Found(Checked(Unread(code, reason), "predicate", None), piece.start, piece.end)


def _given(macro: Macro) -> Caveat:
    return Caveat("parameter_given", f"{macro.written} is {macro.value}")


def _told(found: Found, caveats: tuple[Caveat, ...]) -> Found:
    checked = found.checked
    if not caveats:
        return found
    return replace(found, checked=replace(checked, caveats=(*checked.caveats, *caveats)))
