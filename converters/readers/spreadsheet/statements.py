"""What the rows of a dictionary state: every cell that may bear a rule, with its statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ruleferry.converters.mappings import action_words
from ruleferry.converters.predicates import And, Scope
from ruleferry.converters.readers.spreadsheet.cells import Cell, Place
from ruleferry.converters.readers.spreadsheet.fields import Field, known_type
from ruleferry.converters.readers.spreadsheet.lists.rule_sql import condition
from ruleferry.converters.readers.spreadsheet.lists.thresholds import reading_of, with_thresholds
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.meaning.header_words import folded
from ruleferry.converters.readers.spreadsheet.meaning.told_meanings import column_of, doubtful
from ruleferry.converters.readers.spreadsheet.phrases import (
    read_constraint,
    read_phrase,
    read_relevance,
    relevance_statements,
    says_when_shown,
)
from ruleferry.converters.readers.spreadsheet.questionnaires import ends
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.cell_values import MEANINGS, read_value
from ruleferry.converters.readers.spreadsheet.values.joins import place, together
from ruleferry.converters.readers.spreadsheet.values.null_words import missing_words, passing
from ruleferry.converters.readers.spreadsheet.values.record_values import read_record
from ruleferry.converters.readers.spreadsheet.values.statuses import Standing, in_force
from ruleferry.converters.readers.spreadsheet.values.words import says_nothing
from ruleferry.converters.rule import Doubtful, NotARule, Row, Unread

# Read by a grammar of their own; the others as values.
_TEXTS: tuple[Meaning, ...] = ("rule", "sql", "condition")
_Cells: TypeAlias = Mapping[Meaning, tuple[Cell, ...]]
_NO_FIELD = Column("", "")
# A cell that may bear a rule, what its column is about, and what it states.
Told: TypeAlias = tuple[Cell, str, tuple[Statement, ...]]


@dataclass(frozen=True, slots=True)
class Stated:
    """The statements of one place about some tables, and what its row says of them.

    `atom`: what is counted, a cell, a row of a rule list or a validation. `tables`: none where
    nothing states one. `text` is the author's own; `author`: the row's own id and name of the rule;
    `part`: what its column is about; `beside`: what else its row says, where that is one rule.
    """

    atom: str
    place: str
    text: str
    sheet: str
    tables: tuple[str, ...]
    statements: tuple[Statement, ...]
    tags: tuple[tuple[str, str], ...] = ()
    part: str = ""
    author: tuple[str | None, str | None] = (None, None)
    action_word: str | None = None
    beside: str = ""


def of_field(field: Field, setting: Setting) -> Iterator[Stated]:
    """One for each cell that may bear a rule; a row without such cells gives none."""
    cells = dict(field.record.cells)  # a record makes its cells anew each time it is asked
    field = replace(field, record=replace(field.record, cells=cells))
    tags = _tags(field)
    word = _first(field, "action") or _by_severity(dict(tags).get("severity"), setting)
    for cell, part, statements in _in_force(list(_told(field, setting)), field, setting):
        yield Stated(
            cell.place,
            cell.place,
            cell.text,
            cell.sheet,
            field.tables,
            tuple(_of_letter(s, cell, field) for s in statements),
            tags,
            part,
            action_word=word,
        )


def _of_letter(statement: Statement, cell: Cell, field: Field) -> Statement:
    """What no legend explains is asked about its column, wherever that goes."""
    check = statement.check
    if not isinstance(check, Unread) or check.code != "legend_missing":
        return statement
    headers = (column.header for column, own in field.cells() if own.place == cell.place)
    header = next(headers, None)
    asked = Doubtful(column_of(header), header.text) if header else None
    return replace(statement, check=replace(check, doubtful=asked))


def _tags(field: Field) -> tuple[tuple[str, str], ...]:
    found = ((name, _first(field, name)) for name in ("owner", "severity"))
    return tuple((name, text) for name, text in found if text)


def _by_severity(severity: str | None, setting: Setting) -> str | None:
    """What the legend makes of the row's word of severity."""
    found = setting.legend.get("severity", {}).get((severity or "").lower())
    return found if isinstance(found, str) and found in action_words() else None


def _first(field: Field, meaning: Meaning) -> str | None:
    cells = field.within.of(field.record, meaning)
    return cells[0].text if cells else None


def _told(field: Field, setting: Setting) -> Iterator[Told]:
    sure: defaultdict[Meaning, tuple[Cell, ...]] = defaultdict(tuple)
    perhaps: list[Cell] = []  # types, if they are any
    for column, cell in field.cells():
        if not column.may_bear_rules:
            continue
        if column.sure and column.meaning is not None:
            sure[column.meaning] += (cell,)
        else:
            perhaps += [cell] if column.meaning == "type" else []
            yield cell, folded(column.header.text), (_unsure(column, field),)
    if field.column is None:
        named = field.within.of(field.record, "column")
        for meaning, cells in sure.items():
            yield from ((c, meaning, (_nameless(meaning, c, named, setting),)) for c in cells)
    elif field.asked.repeat:
        yield from _of_repeat(sure, field.asked.repeat, field.column, setting)
    else:
        yield from _of_named(sure, field, field.column, setting, tuple(perhaps))


def _of_repeat(sure: _Cells, repeat: str, column: Column, setting: Setting) -> Iterator[Told]:
    """Its records are a table of their own, which nothing names."""
    reason = f"it stands within the repeat {repeat}, whose records are a table of their own"
    gap = Statement("predicate", Unread("other_records", reason), (column.name,))
    for meaning, cells in sure.items():
        for cell in cells:
            asked = meaning == "condition" and not cell.struck and not cell.trouble
            read = relevance_statements(cell.text, column, setting) if asked else (gap,)
            yield cell, meaning, read


def _unsure(column: ColumnReading, field: Field) -> Statement:
    named = (field.column.name,) if field.column else ()
    header = column.header.text or "a column without a heading"
    reason = f"what {header} means is not sure; {column.why}"
    asked = doubtful(column, field.within.columns)
    return Statement("predicate", Unread(column.code, reason, named, asked), named)


def _nameless(meaning: Meaning, cell: Cell, names: Sequence[Cell], setting: Setting) -> Statement:
    """What states no rule of any field states none here; a text may be a rule of the whole table.

    `names`: what stands for a name and is none.
    """
    if ends(cell.text):
        return Statement("predicate", NotARule("it ends a group of the questionnaire"))
    read = read_value(meaning, cell, _NO_FIELD, setting) if meaning in MEANINGS else ()
    if says_nothing(cell.text) or (read and all(isinstance(s.check, NotARule) for s in read)):
        return Statement("predicate", NotARule("neither the cell nor its row states a rule"))
    if names and meaning not in _TEXTS:
        reason = f'"{names[0].text}" at {names[0].place} says that its row is about no field'
        return Statement("predicate", NotARule(reason))
    return Statement("predicate", Unread("not_understood", "its row names no column"))


def _of_named(
    sure: _Cells, field: Field, column: Column, setting: Setting, perhaps: tuple[Cell, ...]
) -> Iterator[Told]:
    texts = {cell.place: _of_text(m, cell, column, setting) for m, cell in _texts(sure)}
    many = any(_is_of_several(s) for statements in texts.values() for s in statements)
    column = replace(column, many=column.many or many)
    values = {meaning: cells for meaning, cells in sure.items() if meaning in MEANINGS}
    types = tuple(known_type(cell, setting.types) for cell in values.get("type", ()))
    known = {**values, "type": types} if types else values
    read = read_record(known, column, setting, perhaps)
    shares = dict(_shares(field))
    conditions = (*sure.get("condition", ()), *field.asked.conditions)
    words = missing_words(sure.get("null_words", ()))
    for meaning, cells in values.items():
        for cell in cells:
            stated = read[place(cell)]
            if meaning == "required":
                stated = _with_condition(stated, cell, column, setting)
            found = tuple(passing(_asked(s, conditions, setting), words) for s in stated)
            found = tuple(_shown(s, sure.get("rule", ())) for s in found)
            if conditions or shares or words != ():
                found = tuple(map(_of_more, found))
            if shares:
                of_rule = [shares[c] for c in (cell.column, *_joined(cell, read)) if c in shares]
                found = with_thresholds(found, of_rule, reading_of(setting))
            yield cell, meaning, found
    for meaning, cell in _texts(sure):
        yield cell, meaning, tuple(passing(s, words) for s in texts[cell.place])
    for cell in sure.get("threshold", ()):
        yield (
            cell,
            "threshold",
            (Statement("share", NotARule("it is a part of another cell's rule")),),
        )


def _joined(cell: Cell, read: Mapping[Place, tuple[Statement, ...]]) -> Iterator[int]:
    """Columns of the sheet whose cells of the record are read together with this one."""
    for (_, column), statements in read.items():
        if any(statements == together(s.kind, cell) for s in statements):
            yield column


def _with_condition(
    stated: tuple[Statement, ...], cell: Cell, column: Column, setting: Setting
) -> tuple[Statement, ...]:
    """`Required if status = 'closed'` states the condition itself."""
    codes = [s.check.code for s in stated if isinstance(s.check, Unread)]
    if codes != ["condition_elsewhere"]:
        return stated
    read = read_phrase(cell.text, column, setting)
    whole = all(s.kind == "present" and isinstance(s.check, Row) for s in read)
    return read if read and whole else stated


def _texts(sure: _Cells) -> Iterator[tuple[Meaning, Cell]]:
    return ((meaning, cell) for meaning in _TEXTS for cell in sure.get(meaning, ()))


def _of_text(
    meaning: Meaning, cell: Cell, column: Column, setting: Setting
) -> tuple[Statement, ...]:
    unread = _unspoilt(cell)
    if unread:
        return unread
    if meaning == "sql":
        return (condition(cell.text, (column.name,), setting.dialect),)
    read = relevance_statements if meaning == "condition" else read_constraint
    return read(cell.text, column, setting)


def _is_of_several(statement: Statement) -> bool:
    """A rule that says of the field that it holds a list of values."""
    return isinstance(statement.check, Unread) and statement.check.code == "several_values"


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


def _shown(statement: Statement, texts: Sequence[Cell]) -> Statement:
    """A field that a form shows to some alone may be empty where it is not shown."""
    if statement.kind != "present" or isinstance(statement.check, NotARule | Unread):
        return statement
    cell = next((cell for cell in texts if says_when_shown(cell.text)), None)
    if cell is None:
        return statement
    reason = f"it is required where the form shows it, and {cell.place} says when that is"
    return replace(statement, check=Unread("condition_elsewhere", reason, statement.columns))


def _of_more(statement: Statement) -> Statement:
    """What a cell says by itself is not all of its rule where others add to it."""
    check = statement.check
    if not isinstance(check, Unread) or check.opposed is None:
        return statement
    alone = replace(check.opposed, says=None)
    return replace(statement, check=replace(check, opposed=alone))


def _in_force(told: Sequence[Told], field: Field, setting: Setting) -> Iterator[Told]:
    """A retired field has no rules, and one whose status is not clear leaves questions."""
    found = in_force(field.within.of(field.record, "status"), field.name, setting)
    for cell, part, statements in told:
        yield cell, part, tuple(_standing(s, found) for s in statements)


def _standing(statement: Statement, found: Standing) -> Statement:
    if found.in_force:
        return statement
    if isinstance(statement.check, NotARule):
        return replace(statement, check=NotARule(statement.check.reason))
    if found.in_force is None:
        return replace(statement, check=Unread("status_doubt", found.reason, statement.columns))
    return replace(statement, check=NotARule(found.reason))
