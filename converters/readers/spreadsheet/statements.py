"""What the rows of a dictionary state: every cell that may bear a rule, with its statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ruleferry.converters.predicates import And, Scope
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.fields import Field
from ruleferry.converters.readers.spreadsheet.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.phrases import (
    read_constraint,
    read_relevance,
    relevance_statements,
)
from ruleferry.converters.readers.spreadsheet.record_values import read_record
from ruleferry.converters.readers.spreadsheet.rule_sql import condition
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.statuses import Standing, in_force
from ruleferry.converters.readers.spreadsheet.thresholds import with_threshold
from ruleferry.converters.rule import NotARule, Unread

# Read by a grammar of their own; the others as values.
_TEXTS: frozenset[Meaning] = frozenset({"rule", "sql", "condition"})
_Cells: TypeAlias = Mapping[Meaning, tuple[Cell, ...]]
# A cell that may bear a rule, with what it states.
Told: TypeAlias = tuple[Cell, tuple[Statement, ...]]


@dataclass(frozen=True, slots=True)
class Stated:
    """The statements of one place about some tables, and what its row says of them.

    `atom`: what is counted, a cell, a row of a rule list or a validation. `tables`: none where
    nothing states one. `text` is the author's own; `author`: the row's own id and name of the rule.
    """

    atom: str
    place: str
    text: str
    sheet: str
    tables: tuple[str, ...]
    statements: tuple[Statement, ...]
    tags: tuple[tuple[str, str], ...] = ()
    author: tuple[str | None, str | None] = (None, None)
    action_word: str | None = None


def of_field(field: Field, setting: Setting) -> Iterator[Stated]:
    """One for each cell that may bear a rule; a row without such cells gives none."""
    tags, word = _tags(field), _first(field, "action")
    for cell, statements in _in_force(list(_told(field, setting)), field, setting):
        place, text = cell.place, cell.text
        yield Stated(
            place, place, text, cell.sheet, field.tables, statements, tags, action_word=word
        )


def _tags(field: Field) -> tuple[tuple[str, str], ...]:
    found = ((name, _first(field, name)) for name in ("owner", "severity"))
    return tuple((name, text) for name, text in found if text)


def _first(field: Field, meaning: Meaning) -> str | None:
    cells = field.within.of(field.record, meaning)
    return cells[0].text if cells else None


def _told(field: Field, setting: Setting) -> Iterator[Told]:
    sure: defaultdict[Meaning, tuple[Cell, ...]] = defaultdict(tuple)
    for column, cell in field.cells():
        if not column.may_bear_rules:
            continue
        if column.sure and column.meaning is not None:
            sure[column.meaning] += (cell,)
        else:
            yield cell, (_unsure(column, field),)
    if field.column is None:
        yield from ((cell, (_nameless(),)) for cells in sure.values() for cell in cells)
    elif field.asked.repeat:
        reason = f"it stands within the repeat {field.asked.repeat}, whose records are their own"
        gap = Statement("predicate", Unread("other_records", reason), (field.column.name,))
        yield from ((cell, (gap,)) for cells in sure.values() for cell in cells)
    else:
        yield from _of_named(sure, field, field.column, setting)


def _unsure(column: ColumnReading, field: Field) -> Statement:
    named = (field.column.name,) if field.column else ()
    header = column.header.text or "a column without a heading"
    reason = f"what {header} means is not sure; {column.why}"
    return Statement("predicate", Unread(column.code, reason, named), named)


def _nameless() -> Statement:
    return Statement("predicate", Unread("name_unresolved", "its row names no column"))


def _of_named(sure: _Cells, field: Field, column: Column, setting: Setting) -> Iterator[Told]:
    values = {meaning: cells for meaning, cells in sure.items() if meaning not in _TEXTS}
    read = read_record(values, column, setting)
    shares = dict(_shares(field))
    conditions = (*sure.get("condition", ()), *field.asked.conditions)
    for cells in values.values():
        for cell in cells:
            found = tuple(_asked(s, conditions, setting) for s in read[cell.row, cell.column])
            share = shares.get(cell.column)
            yield cell, with_threshold(found, share) if share else found
    for cell in sure.get("condition", ()):
        yield cell, _unspoilt(cell) or relevance_statements(cell.text, column, setting)
    for cell in sure.get("rule", ()):
        yield cell, _unspoilt(cell) or read_constraint(cell.text, column, setting)
    for cell in sure.get("sql", ()):
        yield cell, _unspoilt(cell) or (condition(cell.text, (column.name,), dialect_known=False),)


def _unspoilt(cell: Cell) -> tuple[Statement, ...]:
    """Why a text is not read; empty where it is."""
    if cell.struck:
        return (Statement("predicate", NotARule("its text is struck through")),)
    if cell.trouble:
        return (Statement("predicate", Unread("corrupted_cell", f"the cell holds {cell.trouble}")),)
    return ()


def _shares(field: Field) -> Iterator[tuple[int, Cell]]:
    """Column of the sheet -> the threshold that another column states for it."""
    at = {column.header.index: column.header.cell.column for column in field.within.columns}
    for column, cell in field.cells():
        if column.sure and column.meaning == "threshold" and column.about is not None:
            yield at[column.about], cell


def _asked(statement: Statement, conditions: Sequence[Cell], setting: Setting) -> Statement:
    """A field that a questionnaire does not ask for may be empty, though it is required."""
    states = not isinstance(statement.check, NotARule | Unread)
    if not conditions or not states or statement.kind != "present":
        return statement
    scopes = [read_relevance(cell.text, setting) for cell in conditions]
    parts: tuple[Scope, ...] = tuple(s for s in scopes if not isinstance(s, Unread))
    if len(parts) < len(scopes):
        reason = "it is required where it is asked for, and when that is could not be read"
        return replace(statement, check=Unread("condition_elsewhere", reason, statement.columns))
    return replace(statement, scope=parts[0] if len(parts) == 1 else And(parts))


def _in_force(told: Sequence[Told], field: Field, setting: Setting) -> Iterator[Told]:
    """A retired field has no rules, and one whose status is not clear leaves questions."""
    found = in_force(field.within.of(field.record, "status"), field.name, setting)
    for cell, statements in told:
        yield cell, tuple(_standing(s, found) for s in statements)


def _standing(statement: Statement, found: Standing) -> Statement:
    if found.in_force or isinstance(statement.check, NotARule):
        return statement
    if found.in_force is None:
        return replace(statement, check=Unread("status_doubt", found.reason, statement.columns))
    return replace(statement, check=NotARule(found.reason))
