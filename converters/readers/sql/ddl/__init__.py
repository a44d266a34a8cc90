"""Constraints of CREATE TABLE and ALTER TABLE -> rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.ddl.constraint import Column, Constraint
from ruleferry.converters.readers.sql.ddl.enforcement import in_force, key_may_miss
from ruleferry.converters.readers.sql.ddl.facts import (
    Facts,
    Fate,
    all_statements,
    facts_of,
    fate,
)
from ruleferry.converters.readers.sql.ddl.rules import Stated, stated
from ruleferry.converters.readers.sql.ddl.statement import Statement, is_definition
from ruleferry.converters.readers.sql.ddl.tokens import statements, tokens_of
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Label, Setting
from ruleferry.converters.rule import Action, Caveat, Check, NotARule, Unread
from ruleferry.converters.table_names import name_key

__all__ = ["Facts", "facts_of", "is_ddl", "read_ddl", "types_in"]

_WORDS = frozenset({"CREATE", "ALTER", "DROP"})


def is_ddl(text: str, dialect: SqlDialect) -> bool:
    """Whether a statement defines a table, index, domain or type, or changes one."""
    first = list(islice(tokens_of(text, dialect), 1))
    if not first or first[0].word not in _WORDS:
        return False
    return any(is_definition(tokens) for tokens in islice(statements(text, dialect), 1))


def read_ddl(
    text: str, offset: int, setting: Setting, facts: Facts | None = None
) -> tuple[Found, ...]:
    """The constraints of one statement or of several; `offset`: where the text begins in its file.

    `facts`: of the whole script (`facts_of`), where the text is a part of it.
    """
    known = facts_of(text, setting.dialect, offset) if facts is None else facts
    reading = _Reading(offset, known, setting)
    found: list[Found] = []
    for statement in all_statements(text, setting.dialect):
        found += reading.statement(statement)
    return tuple(_numbered(found)) or (_nothing(text, offset),)


def _numbered(founds: Sequence[Found]) -> Iterator[Found]:
    """Parts that are called alike get a number: a place has one rule."""
    seen: Counter[str] = Counter()
    for found in founds:
        seen[found.part] += 1
        count = seen[found.part]
        yield (
            found
            if count == 1 or not found.part
            else replace(found, part=f"{found.part} ({count})")
        )


def _nothing(text: str, offset: int) -> Found:
    check = NotARule("it defines no table that can be read")
    return Found(Checked(check, "predicate", None), offset, offset + len(text))


def types_in(text: str, dialect: SqlDialect) -> Mapping[str, Mapping[str, str]]:
    """Table -> column -> its type as it is written, of every CREATE TABLE and added column."""
    found: dict[str, dict[str, str]] = {}
    for statement in all_statements(text, dialect):
        if statement.kind in ("table", "alter"):
            types = {column.name: column.type for column in statement.columns if column.type}
            if types:
                found.setdefault(statement.name, {}).update(types)
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    """What holds for all statements of a text."""

    offset: int
    facts: Facts
    setting: Setting

    def statement(self, statement: Statement) -> list[Found]:
        if statement.kind in ("domain", "type"):
            return [self._not_a_rule(statement, "it holds for the columns of this type")]
        constraints = self._with_domains(statement)
        own = [c for c in constraints if c.kind == "not_null" and c.problem is None]
        required = frozenset(name.lower() for c in own for name in c.columns)
        found = [
            rule
            for constraint in constraints
            for rule in self._of_constraint(constraint, statement, required)
        ]
        found += self._permitted(statement)
        if found:
            return sorted(found, key=lambda rule: rule.start)
        reason = _CHANGES if statement.changes else _REASONS[statement.kind]
        return [self._not_a_rule(statement, reason)]

    def _permitted(self, statement: Statement) -> Iterator[Found]:
        """The columns of which it says NULL. One that says nothing of it says nothing."""
        for column in statement.columns:
            if column.null is None:
                continue
            start, end = column.null
            said = Constraint("null", start, end, columns=(column.name,), of_column=True)
            became = fate(said, statement.name, self.offset + start, self.facts)
            check = NotARule(became.retired or _MAY_MISS, self._permits(column, statement, became))
            table = _shown(became.table, self.setting)
            yield Found(
                Checked(check, "present", table, (column.name,)),
                self.offset + start,
                self.offset + end,
                part=f"null {column.name}",
                effect=Effect("constraint"),
            )

    def _permits(self, column: Column, statement: Statement, became: Fate) -> str:
        """Nothing where the script says otherwise elsewhere, or takes the column away."""
        last = name_key(statement.name)[-1] if statement.name else ""
        elsewhere = (last, column.name.lower()) in self.facts.required
        return "" if elsewhere or became.retired or became.problem else column.name

    def _not_a_rule(self, statement: Statement, reason: str) -> Found:
        checked = Checked(NotARule(reason), "predicate", statement.name or None)
        return Found(checked, self.offset + statement.start, self.offset + statement.end)

    # Constraints of the types of columns ----------------------------------------------------------

    def _with_domains(self, statement: Statement) -> list[Constraint]:
        found = list(statement.constraints)
        for column in statement.columns:
            found += _of_type(column, self.facts.domains)
        return sorted(found, key=lambda constraint: constraint.start)

    # Rules ----------------------------------------------------------------------------------------

    def _of_constraint(
        self, constraint: Constraint, statement: Statement, required: frozenset[str]
    ) -> Iterator[Found]:
        """`required`: the columns that say NOT NULL themselves, in lower case."""
        became = fate(constraint, statement.name, self.offset + constraint.start, self.facts)
        for rule in stated(constraint, required, self.facts, self.setting):
            yield self._found(rule, constraint, became, statement.not_enforced)

    def _found(self, rule: Stated, constraint: Constraint, became: Fate, outside: str) -> Found:
        action, caveats = _in_force(rule, constraint, became, outside, self.setting)
        table = _shown(became.table, self.setting)
        check = _still(rule, became, table)
        return Found(
            Checked(check, rule.kind, table, rule.columns, rule.scope, caveats),
            self.offset + constraint.start,
            self.offset + constraint.end,
            part=rule.part,
            labels=(Label("name", rule.name),),
            effect=Effect("constraint", action=action),
        )


_MAY_MISS = "the column may be empty"
_REASONS = {
    "table": "its columns have types and no constraint",
    "alter": "it changes the table, and states nothing of its records",
    "index": "an index that is not unique states nothing of the records",
    "drop": "it takes away what was defined before",
}
_CHANGES = "it takes away, renames or switches what other statements define"


def _of_type(column: Column, domains: Mapping[str, Statement]) -> Iterator[Constraint]:
    """A domain of a domain is read once, also where two of them name each other."""
    kind = name_key(column.type.partition("(")[0].replace('"', ""))[-1]
    domain = domains.get(kind)
    if domain is None:
        return
    here = {"start": column.start, "end": column.end, "columns": (column.name,), "of_column": True}
    if domain.values is not None:
        yield Constraint("enum", values=domain.values, **here)  # type: ignore[arg-type]
    for constraint in domain.constraints:
        if constraint.kind == "not_null" and column.nullable:
            continue
        name = f"{column.name}_{constraint.name}" if constraint.name else None
        yield replace(constraint, target="domain", name=name, **here)  # type: ignore[arg-type]
    if domain.base:
        others = {name: other for name, other in domains.items() if name != kind}
        yield from _of_type(replace(column, type=domain.base), others)


def _in_force(
    rule: Stated, constraint: Constraint, became: Fate, outside: str, setting: Setting
) -> tuple[Action, tuple[Caveat, ...]]:
    """NOT NULL that follows from a key holds where the key itself is only noted down."""
    if constraint.kind == "expect":
        return _PIPELINE[constraint.options.action], ()
    asked = constraint
    if rule.implied and not key_may_miss(setting.dialect):
        options = replace(constraint.options, not_enforced=False)
        asked = replace(constraint, kind="not_null", options=options)
    return in_force(asked, setting.dialect, became.disabled, outside)


_PIPELINE: Mapping[str, Action] = {"": "warn", "drop": "drop", "fail": "fail", "?": "warn"}


def _still(rule: Stated, became: Fate, table: str | None) -> Check:
    if became.retired:
        return NotARule(became.retired)
    if became.problem:
        return Unread("unknown_shape", became.problem, rule.columns)
    if table is None:
        return Unread("no_table", "no table is named", rule.columns)
    return rule.check


def _shown(name: str, setting: Setting) -> str | None:
    """With placeholders as they are written, or the table that one is known to name."""
    if not name:
        return None
    for stand_in, macro in setting.macros.items():
        at = name.lower().find(stand_in)
        if at >= 0:
            shown = macro.table or macro.written
            name = name[:at] + shown + name[at + len(stand_in) :]
    return name
