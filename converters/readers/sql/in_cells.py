"""A query in a cell of a spreadsheet: what the records that it counts are bad by."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes import read_query
from ruleferry.converters.rule import Unread


def bad_records(text: str, dialect: str) -> Checked:
    """`SELECT COUNT(*) FROM t WHERE …`, which must find none."""
    known = sql_dialects()[dialect]
    try:
        tree = parse_statement(text.strip().rstrip(";"), known)
    except Unreadable as unreadable:
        return _unread(unreadable.code, unreadable.reason)
    founds = read_query(tree, 0, len(text), Setting(known)) if isinstance(tree, exp.Query) else ()
    if len(founds) != 1:
        return _unread("other_records", "it is more than one query of bad records")
    return founds[0].checked


def _unread(code: str, reason: str) -> Checked:
    return Checked(Unread(code, reason), "predicate", None)
