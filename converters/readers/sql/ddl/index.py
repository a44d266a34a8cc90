"""CREATE UNIQUE INDEX: a key that is unique, maybe among some records only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleferry.converters.readers.sql.ddl.column import key_columns, unique_nulls
from ruleferry.converters.readers.sql.ddl.constraint import Constraint
from ruleferry.converters.readers.sql.ddl.cursor import Cursor
from ruleferry.converters.readers.sql.ddl.statement import exists_words, span
from ruleferry.converters.readers.sql.ddl.tokens import Token

# How an index is built and kept: words alone, with a value, with parentheses.
_BARE = frozenset({
    "ONLINE", "OFFLINE", "LOGGING", "NOLOGGING", "REVERSE", "NOREVERSE", "LOCAL", "GLOBAL",
    "VISIBLE", "INVISIBLE", "NOPARALLEL", "NOCOMPRESS", "COMPRESS", "PARALLEL", "CLUSTER",
    "VALIDATE", "COMPUTE", "COLLECT", "STATISTICS", "ALLOW", "DISALLOW", "SCANS", "YES", "NO",
    "BTREE", "HASH", "SORT", "NOSORT", "DEFER",
})  # fmt: skip
_WITH_VALUE = frozenset({
    "TABLESPACE", "PCTFREE", "INITRANS", "MAXTRANS", "COMMENT", "ALGORITHM", "LOCK",
    "KEY_BLOCK_SIZE", "USING", "FILLFACTOR", "BUFFERPOOL", "ON",
})  # fmt: skip
_WITH_GROUP = frozenset({"INCLUDE", "STORAGE", "WITH"})


def unique_index(tokens: Sequence[Token], cursor: Cursor, text: str) -> tuple[str, Constraint]:
    """The table, and the key. `cursor` stands behind INDEX."""
    cursor.take("CONCURRENTLY")
    exists_words(cursor)
    name = None if cursor.at("ON") else cursor.path()
    found = Constraint("unique", *span(tokens), name=_last(name), index=True)
    cursor.take("ON")
    cursor.take("ONLY")
    table = cursor.path() or ""
    if cursor.take("USING"):
        cursor.skip()
    inside = cursor.group()
    if inside is None:
        return table, found.unread("not_readable", "its columns can't be read")
    names = key_columns(inside)
    if not names:
        reason = "its key is made of more than columns: a part of one, or what is computed"
        return table, found.unread("dialect_meaning", reason)
    return table, _rest(cursor, text, replace(found, columns=names))


def _last(name: str | None) -> str | None:
    return None if name is None else name.rpartition(".")[2]


def _rest(cursor: Cursor, text: str, found: Constraint) -> Constraint:
    while not cursor.done:
        found = unique_nulls(cursor, found)
        token = cursor.next
        if token is None:
            break
        if cursor.take("WHERE"):
            found, done = _filtered(cursor, text, found)
            if done:
                break
        elif not _storage(cursor):
            reason = f"{token.text!r} behind its columns can't be read"
            return found.unread("not_readable", reason)
        elif "IGNORE_DUP_KEY" in text[token.start : cursor.tokens[cursor.place - 1].end].upper():
            reason = (
                "of the records with an equal key the database keeps the first (IGNORE_DUP_KEY)"
            )
            return found.unread("dialect_meaning", reason)
    return found


def _filtered(cursor: Cursor, text: str, found: Constraint) -> tuple[Constraint, bool]:
    """Up to the storage that T-SQL may state behind the condition."""
    first = cursor.place
    while not cursor.done and not cursor.at("WITH", "("):
        if cursor.group() is None:
            cursor.skip()
    own = cursor.tokens[first : cursor.place]
    if not own:
        return found.unread("not_readable", "no condition follows WHERE"), True
    return replace(found, text=text[own[0].start : own[-1].end]), False


def _storage(cursor: Cursor) -> bool:
    if cursor.take_one_of(*_BARE):
        return True
    if cursor.take_one_of(*_WITH_VALUE):
        cursor.take("=")
        cursor.skip()
        cursor.group()
        return True
    if cursor.take_one_of(*_WITH_GROUP):
        return cursor.group() is not None
    token = cursor.next
    if token is not None and token.kind == "number":
        cursor.skip()
        return True
    return False
