"""Keys of several fields: a table whose dictionary marks more than one is identified by all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.fields import Field
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.readers.spreadsheet.statements import Stated
from ruleferry.converters.readers.spreadsheet.values.keys import key_answer, key_statements
from ruleferry.converters.readers.spreadsheet.values.statuses import in_force

# (table, place of the cell) -> what the cell states as a part of the table's key.
Keys: TypeAlias = Mapping[tuple[str, str], tuple[Statement, ...]]
# What a part of a key states of its own; the rest of its cell, a reference say, stays.
_OF_KEYS = ("unique", "present")


def keys_of(fields: Sequence[Field], setting_of: Mapping[str, Setting]) -> Keys:
    """`setting_of`: sheet -> its setting. A table with one key field at most is left out."""
    marked: defaultdict[str, list[tuple[Cell, Column]]] = defaultdict(list)
    for field in fields:
        for cell, column in _marks(field, setting_of):
            for table in field.tables or ("",):
                marked[table].append((cell, column))
    found = {}
    for table, cells in marked.items():
        if len({column.name for _, column in cells}) < 2:
            continue
        cells = sorted(cells, key=lambda found: found[1].name)  # whatever the order of the rows
        statements = key_statements(table, cells)
        for cell, _ in cells:
            found[table, cell.place] = statements[cell.row, cell.column]
    return found


def _marks(field: Field, setting_of: Mapping[str, Setting]) -> Iterator[tuple[Cell, Column]]:
    setting = setting_of[field.within.block.sheet]
    standing = in_force(field.within.of(field.record, "status"), field.name, setting)
    if field.column is None or field.asked.repeat or not standing.in_force:
        return
    for cell in field.within.of(field.record, "primary_key"):
        sound = not cell.struck and not cell.trouble
        if sound and key_answer("primary_key", cell.text, setting):
            yield cell, field.column


def with_keys(stated: Stated, keys: Keys) -> Iterator[Stated]:
    """One for each table where the field is a part of another key in each."""
    if not any((table, stated.place) in keys for table in stated.tables or ("",)):
        yield stated
        return
    for table in stated.tables or ("",):
        own = keys.get((table, stated.place), ())
        rest = (s for s in stated.statements if not own or s.kind not in _OF_KEYS)
        own = (*own, *rest)
        yield replace(stated, tables=(table,) if table else (), statements=own)
