"""A cell of a rule-bearing column, read by what the column means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Setting, Statement
from ruleferry.converters.readers.spreadsheet.values.bounds import read_bound
from ruleferry.converters.readers.spreadsheet.values.code_lists import read_codes, read_range
from ruleferry.converters.readers.spreadsheet.values.field_types import (
    holds_many,
    read_type,
    sort_of,
    type_statements,
)
from ruleferry.converters.readers.spreadsheet.values.keys import (
    read_half_reference,
    read_key,
    read_reference,
)
from ruleferry.converters.readers.spreadsheet.values.outcomes import (
    KINDS,
    Read,
    gap,
    nothing,
    of_several,
)
from ruleferry.converters.readers.spreadsheet.values.patterns import read_format, read_pattern
from ruleferry.converters.readers.spreadsheet.values.plain_words import read_cardinality, read_plain
from ruleferry.converters.readers.spreadsheet.values.required_words import read_required
from ruleferry.converters.readers.spreadsheet.values.sizes import read_size

_Reader: TypeAlias = Callable[[Meaning, Cell, Column, Setting], Read]

_READERS: Mapping[Meaning, _Reader] = {
    "type": lambda _, cell, column, setting: read_type(cell, column, setting),
    "length": read_size,
    "min_length": read_size,
    "precision": read_size,
    "scale": read_size,
    "required": read_required,
    "nullable": read_required,
    "primary_key": read_key,
    "unique": read_key,
    "foreign_key": read_key,
    "reference": lambda _, cell, column, setting: read_reference(cell, column, setting),
    "reference_table": read_half_reference,
    "reference_column": read_half_reference,
    "min": read_bound,
    "max": read_bound,
    "exclusive_min": read_bound,
    "exclusive_max": read_bound,
    "range": lambda _, cell, column, setting: read_range(cell, column, setting),
    "codes": lambda _, cell, column, setting: read_codes(cell, column, setting),
    "format": lambda _, cell, column, setting: read_format(cell, column, setting),
    "pattern": lambda _, cell, column, setting: read_pattern(cell, column, setting),
    "cardinality": lambda _, cell, column, setting: read_cardinality(cell, column, setting),
    "default": read_plain,
    "null_words": read_plain,
    "status": read_plain,
    "severity": read_plain,
    "action": read_plain,
}
# The meanings whose cells are read here; rule, condition and sql are texts with a grammar.
MEANINGS = frozenset(_READERS)


def read_value(
    meaning: Meaning, cell: Cell, column: Column, setting: Setting
) -> tuple[Statement, ...]:
    """At least one statement for every cell of a meaning that is read here."""
    return of_several(_read(meaning, cell, column, setting).statements, column)


def understood(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> bool:
    """The form of the cell is one of its meaning's, even where it leaves a question."""
    return _read(meaning, cell, column, setting).known


def _read(meaning: Meaning, cell: Cell, column: Column, setting: Setting) -> Read:
    reader = _READERS.get(meaning)
    if reader is None:
        return Read((), known=False)
    kind = KINDS[meaning]
    if cell.struck:
        return nothing(kind, "its text is struck through")
    if cell.trouble:
        return gap(kind, "corrupted_cell", f"the cell holds {cell.trouble}", column)
    return reader(meaning, cell, column, setting)


__all__ = ["MEANINGS", "holds_many", "read_value", "sort_of", "type_statements", "understood"]
