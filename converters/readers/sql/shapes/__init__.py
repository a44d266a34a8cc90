"""What the shape of a statement says: which records it finds bad, and how many rules that is."""

from __future__ import annotations

from ruleferry.converters.readers.sql.shapes.rows import bad_rows, of_condition
from ruleferry.converters.readers.sql.shapes.selecting import read_query
from ruleferry.converters.readers.sql.shapes.status import Message, arms_of_case

__all__ = ["Message", "arms_of_case", "bad_rows", "of_condition", "read_query"]
