"""A list of columns and constraints, and the constraints that stand in it by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.ddl.column import (
    check,
    column,
    expect,
    finished,
    key_columns,
    references,
    unique_nulls,
)
from ruleferry.converters.readers.sql.ddl.constraint import Column, Constraint, Definition
from ruleferry.converters.readers.sql.ddl.cursor import Cursor, parts
from ruleferry.converters.readers.sql.ddl.tokens import Token

# An item that begins so is an index or the like, and states nothing of the records.
_OTHER_ITEMS = (
    ("INDEX",), ("KEY",), ("FULLTEXT",), ("SPATIAL",), ("PERIOD", "FOR"), ("SUPPLEMENTAL", "LOG"),
)  # fmt: skip
_COPIED = "it is made LIKE {what}, whose constraints are not read with it"


def definition(tokens: Sequence[Token], text: str, dialect: SqlDialect) -> Definition:
    """What stands within the parentheses of CREATE TABLE."""
    columns: list[Column] = []
    constraints: list[Constraint] = []
    for part in parts(tokens):
        found = item(part, text, dialect)
        if isinstance(found, Column):
            columns.append(found)
        elif found is not None:
            constraints.append(found)
    return Definition(tuple(columns), tuple(constraints))


def item(tokens: Sequence[Token], text: str, dialect: SqlDialect) -> Column | Constraint | None:
    """None for an index and the like."""
    if found := constraint(Cursor(tokens), text):
        return found
    cursor = Cursor(tokens)
    if any(cursor.at(*words) for words in _OTHER_ITEMS) and not _is_column(cursor):
        return None
    if cursor.take("LIKE"):
        return _copied(tokens, cursor)
    found_column = column(tokens, text, dialect)
    if found_column is not None:
        return found_column
    reason = f"{tokens[0].text!r} begins no column and no constraint that is known"
    return Constraint("other", tokens[0].start, tokens[-1].end).unread("not_readable", reason)


def _is_column(cursor: Cursor) -> bool:
    """A column may be called `key` or `index`: then its type follows."""
    return cursor.word() in ("KEY", "INDEX") and len(cursor.tokens) == 2


def _copied(tokens: Sequence[Token], cursor: Cursor) -> Constraint:
    what = cursor.path() or "another table"
    found = Constraint("other", tokens[0].start, tokens[-1].end)
    return found.unread("unknown_shape", _COPIED.format(what=what))


# Constraints --------------------------------------------------------------------------------------


def constraint(cursor: Cursor, text: str) -> Constraint | None:
    """One that stands by itself; what is left of the item makes it a gap."""
    first = cursor.place
    named = cursor.take("CONSTRAINT")
    name = None
    if named and cursor.word() not in ("PRIMARY", "UNIQUE", "FOREIGN", "CHECK"):
        name = cursor.name()
    for read in _READERS:
        at = cursor.place
        found = read(cursor, text)
        if found is not None:
            return _whole(finished(found, cursor, first, name or found.name), cursor)
        cursor.place = at
    if named:
        found = Constraint("other", 0, 0).unread("not_readable", "a constraint of no known kind")
        return _whole(finished(found, cursor, first, name), cursor)
    cursor.place = first
    return None


def _whole(found: Constraint, cursor: Cursor) -> Constraint:
    if cursor.at("COMMENT"):
        cursor.skip()
        cursor.skip()
    token = cursor.next
    if token is None:
        return found
    end = cursor.tokens[-1].end
    return replace(found, end=end).unread("not_readable", f"{token.text!r} in it can't be read")


def _primary(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("PRIMARY", "KEY"):
        return None
    return _keyed(cursor, Constraint("primary", 0, 0))


def _unique(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("UNIQUE"):
        return None
    cursor.take_one_of("KEY", "INDEX")
    return _keyed(cursor, unique_nulls(cursor, Constraint("unique", 0, 0)))


def _keyed(cursor: Cursor, found: Constraint) -> Constraint | None:
    """Words of storage and MySQL's name of the index may stand before the columns."""
    cursor.take_one_of("CLUSTERED", "NONCLUSTERED")
    cursor.take_one_of("HASH")
    name = None if cursor.at("(") or cursor.at("USING") else cursor.name()
    if cursor.take("USING"):
        cursor.skip()
        if cursor.at("INDEX"):  # PostgreSQL: the columns are those of the index
            return None
    inside = cursor.group()
    if inside is None:
        return found.unread("not_readable", "no columns in parentheses follow")
    names = key_columns(inside)
    if not names:
        reason = "its key is made of more than columns: a part of one, or what is computed"
        return replace(found, name=name).unread("dialect_meaning", reason)
    return replace(found, name=name, columns=names)


def _foreign(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("FOREIGN", "KEY"):
        return None
    name = None if cursor.at("(") else cursor.name()
    inside = cursor.group()
    found = references(cursor, text)
    names = key_columns(inside) if inside is not None else None
    if found is None or not names:
        broken = found or Constraint("foreign", 0, 0)
        return broken.unread("not_readable", "its columns, or what they refer to, can't be read")
    return replace(found, name=name, columns=names)


def _not_null(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("NOT", "NULL"):
        return None
    name = cursor.name()
    found = Constraint("not_null", 0, 0, columns=(name,) if name else ())
    return found if name else found.unread("not_readable", "no column is named")


def _exclude(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("EXCLUDE"):
        return None
    cursor.place = len(cursor.tokens)
    reason = "EXCLUDE compares each record with all others, by operators of its own"
    return Constraint("other", 0, 0).unread("no_equivalent", reason)


_READERS: Sequence[Callable[[Cursor, str], Constraint | None]] = (
    _primary, _unique, _foreign, check, expect, _not_null, _exclude,
)  # fmt: skip
