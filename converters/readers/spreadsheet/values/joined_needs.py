"""A field that stands in several rows: one may require it where another does not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.fields import Field
from ruleferry.converters.readers.spreadsheet.statement import Setting, Statement
from ruleferry.converters.readers.spreadsheet.statements import Stated
from ruleferry.converters.readers.spreadsheet.values.required_words import Need, need_of
from ruleferry.converters.readers.spreadsheet.values.statuses import in_force
from ruleferry.converters.rule import NotARule, Opposed, Row, Unread

# Place -> the cell of another row that says the opposite.
Against = Mapping[str, Cell]


def against_each_other(fields: Sequence[Field], setting_of: Mapping[str, Setting]) -> Against:
    """`setting_of`: sheet -> its setting."""
    said: defaultdict[tuple[str, str], dict[Need, Field]] = defaultdict(dict)
    found: dict[str, Cell] = {}
    for field in fields:
        for cell, need in _needs(field, setting_of):
            for key in _keys(field):
                opposite = said[key].get("optional" if need == "required" else "required")
                if opposite is not None and opposite is not field:
                    other = next(c for c, n in _needs(opposite, setting_of) if n != need)
                    found.setdefault(cell.place, other)
                    found.setdefault(other.place, cell)
                said[key].setdefault(need, field)
    return found


def _keys(field: Field) -> Iterator[tuple[str, str]]:
    if field.column is not None and not field.asked.repeat:
        for table in field.tables or (f"\n{field.within.block.sheet}",):
            yield table, field.column.name.casefold()


def _needs(field: Field, setting_of: Mapping[str, Setting]) -> Iterator[tuple[Cell, Need]]:
    """The cells of one row that require its field, or say that it may be empty."""
    setting = setting_of[field.within.block.sheet]
    status = field.within.of(field.record, "status")
    if field.column is None or not in_force(status, field.name, setting).in_force:
        return
    for meaning in ("required", "nullable"):
        for cell in field.within.of(field.record, meaning):
            need = None if cell.struck or cell.trouble else need_of(meaning, cell.text, setting)
            if need in ("required", "optional"):
                yield cell, need


def with_needs(stated: Stated, against: Against) -> Stated:
    other = against.get(stated.place)
    if other is None:
        return stated
    return replace(stated, statements=tuple(_asked(s, stated, other) for s in stated.statements))


def _asked(statement: Statement, stated: Stated, other: Cell) -> Statement:
    if isinstance(statement.check, Unread) or statement.kind != "present":
        return statement
    reason = f'"{stated.text}" contradicts "{other.text}" at {other.place}, of the same field'
    says = statement.check if statement.scope is None else None
    opposed = Opposed(other.place, says if isinstance(says, Row | NotARule) else None)
    check = Unread("contradiction", reason, statement.columns, opposed=opposed)
    return replace(statement, check=check, scope=None)
