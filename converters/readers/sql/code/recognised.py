"""Whether a statement is code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.code.cursor import Cursor
from ruleferry.converters.readers.sql.code.routines import head_at
from ruleferry.converters.readers.sql.code.tokens import Token, each_token, tokens

_FIRST = frozenset({
    "IF", "WHILE", "LOOP", "FOR", "DECLARE", "ASSERT", "ABORT", "RAISERROR", "THROW", "RAISE",
    "SIGNAL", "EXEC", "EXECUTE", "CALL", "PRINT", "PREPARE", "REPEAT", "LET", "PERFORM",
})  # fmt: skip
_WITHIN = frozenset({
    "IF", "WHILE", "DECLARE", "RAISERROR", "THROW", "PRINT", "EXEC", "EXECUTE", "GOTO", "FETCH",
})  # fmt: skip
_TRANSACTION = {"TRANSACTION", "TRAN", "WORK", ";", "", "DISTRIBUTED"}
_LABELS = {"BEGIN", "LOOP", "WHILE", "REPEAT", "FOR"}


def is_code(text: str, dialect: SqlDialect) -> bool:
    """It has statements within it, or variables, or it raises."""
    if dialect.name != "tsql" and _is_query(text, dialect):
        return False
    found = tokens(text, dialect)
    cursor = Cursor(text, found, dialect)
    first, second = cursor.upper(), cursor.upper(1)
    if head_at(cursor) is not None:
        return True
    if first == "BEGIN" and second not in _TRANSACTION:
        return True
    if first in _FIRST or (first == "DO" and dialect.dollar):
        return True
    if first == "<<" or (second == ":" and cursor.upper(2) in _LABELS):
        return True
    if first == "CASE" or second == ":=":
        return True
    if first == "ROLLBACK" and dialect.name == "teradata":
        return len(found) > 1 and found[1].kind == "text"
    sets = first == "SET" and dialect.name in ("tsql", "mysql", "bigquery")
    if sets and len(found) > 2 and found[2].text in ("=", ":="):
        return True
    return dialect.name == "tsql" and _is_batch(found)


def _is_query(text: str, dialect: SqlDialect) -> bool:
    """Most statements are queries, and two tokens are enough to see it."""
    words = [token.upper for token in islice(each_token(text, dialect), 2)]
    return words[:1] == ["SELECT"] and words[1:] not in ([":"], [":="])


def _is_batch(found: Sequence[Token]) -> bool:
    """T-SQL: statements that belong together for their variables or what they raise."""
    depth = cases = 0
    for place, token in enumerate(found):
        depth += (token.upper == "(") - (token.upper == ")")
        before = found[place - 1].upper if place else ";"
        if token.upper == "CASE":
            cases += 1
        elif token.upper == "END" and cases:
            cases -= 1
        elif depth == 0 and not cases and token.upper in _WITHIN and _begins(token, before):
            return True
        if token.text.startswith("@") and before == "SELECT" and depth == 0:
            return found[min(place + 1, len(found) - 1)].text == "="
    return False


def _begins(token: Token, before: str) -> bool:
    """Not DROP TABLE IF EXISTS, OFFSET … FETCH, WITH EXECUTE AS, INSERT t EXEC."""
    if token.upper == "IF":
        return before not in ("TABLE", "VIEW", "PROCEDURE", "PROC", "FUNCTION", "INDEX", "SCHEMA",
                              "TRIGGER", "DATABASE", "CONSTRAINT", "COLUMN", "TYPE")  # fmt: skip
    return before not in (".", "WITH", ",", "ROWS", "ROW", "AS", "GRANT")
