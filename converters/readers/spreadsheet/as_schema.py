"""A data dictionary as a schema: the columns of its tables and their types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from ruleferry.converters.column_types import ColumnType, parse_type, type_from_name
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.schema_line import SchemaLine
from ruleferry.converters.readers.spreadsheet.cells import Book, Cell
from ruleferry.converters.readers.spreadsheet.fields import Field, fields_of
from ruleferry.converters.readers.spreadsheet.look import OF_FIELDS, look_at
from ruleferry.converters.readers.spreadsheet.values.statuses import in_force
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
from ruleferry.converters.table_names import written_parts

# Words of a length that stands in a column of its own, and belongs to the type.
_SIZES = ("precision", "scale")


def schema_lines(data: bytes, file: str) -> tuple[list[SchemaLine], list[Fault]]:
    """One line for each field in force; a table that nothing states is called as the file."""
    book = read_book(data, file)
    if not isinstance(book, Book):
        return [], list(book)
    look = look_at(book, None, ())
    fields = fields_of([b for b in look.blocks if b.block.kind in OF_FIELDS], {})
    return [line for field in fields for line in _lines(field, file)], []


def _lines(field: Field, file: str) -> Iterator[SchemaLine]:
    types = field.within.of(field.record, "type")
    standing = in_force(field.within.of(field.record, "status"), field.name)
    if field.column is None or not types or not standing.in_force or field.asked.repeat:
        return
    for table in field.tables or (PurePosixPath(file).stem,):
        yield SchemaLine(
            table=written_parts(table),
            column=field.column.name,
            type=_type(types[0], field),
            nullable=None,
            place=types[0].place,
        )


def _type(cell: Cell, field: Field) -> ColumnType:
    """In words of Databricks, else of a database; of other words nothing is concluded."""
    sizes = [cells[0].text for m in _SIZES if (cells := field.within.of(field.record, m))]
    text = f"{cell.text}({','.join(sizes)})" if sizes and "(" not in cell.text else cell.text
    found = parse_type(text)
    if found.family != "other":
        return found
    named = type_from_name(text, "sql") or type_from_name(cell.text, "sql")
    return found if named is None else replace(named, known_from="schema")
