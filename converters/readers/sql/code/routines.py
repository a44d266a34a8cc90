"""The heads of procedures, functions, packages and triggers, and the body behind them."""

from __future__ import annotations

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.code import batches, blocks
from ruleferry.converters.readers.sql.code.cursor import Cursor
from ruleferry.converters.readers.sql.code.nodes import (
    Declare,
    Node,
    Other,
    Routine,
    Skip,
    Span,
    Trigger,
)
from ruleferry.converters.readers.sql.code.simple import plain
from ruleferry.converters.readers.sql.code.tokens import Token, tokens

_HEADS = {"PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "PACKAGE"}
_BETWEEN = {"OR", "REPLACE", "ALTER", "EDITIONABLE", "NONEDITIONABLE", "DEFINER", "SQL",
            "SECURITY", "INVOKER", "CONSTRAINT", "TEMP", "TEMPORARY", "BODY",
            "AGGREGATE", "SECURE"}  # fmt: skip


def nodes(text: str, dialect: SqlDialect) -> tuple[tuple[Node, ...], tuple[Token, ...]]:
    """The code as a tree, and its tokens."""
    found = tokens(text, dialect)
    cursor = Cursor(text, found, dialect)
    head = head_at(cursor)
    if head is None and cursor.upper() == "DO" and dialect.dollar:
        return _body_in_text(cursor, "", 1, ())
    if head is None and _is_immediate(cursor):
        return _body_in_text(cursor, "", 2, ())
    if head is None:
        return _all(cursor), found
    kind, place = head
    if kind == "TRIGGER":
        return (_trigger(cursor, place),), found
    return _routine(cursor, kind, place)


def _is_immediate(cursor: Cursor) -> bool:
    """Snowflake: EXECUTE IMMEDIATE $$ … $$."""
    token = cursor.token(2)
    begins = cursor.upper() == "EXECUTE" and cursor.upper(1) == "IMMEDIATE"
    return begins and token is not None and token.kind == "body"


def _all(cursor: Cursor) -> tuple[Node, ...]:
    if cursor.dialect.name == "tsql":
        return batches.statements(cursor)
    return blocks.statements(cursor)


def head_at(cursor: Cursor) -> tuple[str, int] | None:
    """The word that says what is created, and the place behind it."""
    if cursor.upper() not in ("CREATE", "ALTER", "REPLACE"):
        return None
    for place in range(cursor.at + 1, min(cursor.at + 12, len(cursor.tokens))):
        token = cursor.tokens[place]
        if token.upper in _HEADS:
            return token.upper, place + 1
        if token.kind == "word" and token.upper not in _BETWEEN and place > 1:
            definer = any(t.upper == "DEFINER" for t in cursor.tokens[:place])
            if not definer:
                return None
    return None


# Routines -----------------------------------------------------------------------------------------


def _routine(cursor: Cursor, kind: str, place: int) -> tuple[tuple[Node, ...], tuple[Token, ...]]:
    first = cursor.at
    if cursor.tokens[place : place + 1] and cursor.tokens[place].upper == "BODY":
        place += 1
    elif kind == "PACKAGE":
        return (
            Skip(cursor.span(first, len(cursor.tokens)), "it announces a package"),
        ), cursor.tokens
    for _ in range(3):  # IF NOT EXISTS
        if place < len(cursor.tokens) and cursor.tokens[place].upper in ("IF", "NOT", "EXISTS"):
            place += 1
    name, cursor.at = cursor.name_at(place)
    if cursor.dialect.name == "tsql":
        return (_tsql_routine(cursor, first, name),), cursor.tokens
    given = blocks.parameters(cursor)
    body = next(
        (at for at in range(cursor.at, len(cursor.tokens)) if cursor.tokens[at].kind == "body"),
        None,
    )
    if body is not None and cursor.dialect.name != "oracle":
        return _body_in_text(cursor, name, body, given)
    found = (*given, *_body(cursor))
    if not found:
        return (
            Other(cursor.span(first, len(cursor.tokens)), "a routine without a body"),
        ), cursor.tokens
    return (Routine(cursor.span(first, len(cursor.tokens)), name, found),), cursor.tokens


_BODY_WORDS = {"BEGIN", "DECLARE", "IF", "SIGNAL", "CASE", "UPDATE", "INSERT", "DELETE", "MERGE",
               "SELECT", "SET"}  # fmt: skip


def _body(cursor: Cursor) -> tuple[Node, ...]:
    """Behind IS or AS, or where the first statement begins."""
    first = cursor.at
    depth = 0
    for place in range(first, len(cursor.tokens)):
        upper = cursor.tokens[place].upper
        depth += (upper == "(") - (upper == ")")
        if depth:
            continue
        after = cursor.tokens[place + 1] if place + 1 < len(cursor.tokens) else None
        if upper in ("IS", "AS") and after is not None:
            if after.kind == "text":
                return (Other(cursor.span(place), "its body is a text"),)
            cursor.at = place + 1
            return _section_or_statements(cursor)
        before = cursor.tokens[place - 1].upper
        if upper in _BODY_WORDS and before not in ("SQL", "READS", "MODIFIES", "CONTAINS"):
            cursor.at = place
            return blocks.statements(cursor)
    cursor.at = len(cursor.tokens)
    return ()


def _section_or_statements(cursor: Cursor) -> tuple[Node, ...]:
    if cursor.dialect.name == "oracle":
        found = blocks.section(cursor)
        if cursor.take("END"):  # of a package
            cursor.at = len(cursor.tokens)
        return (*found, *blocks.statements(cursor))
    if cursor.dialect.name in ("postgres", "snowflake", "netezza", "redshift"):
        cursor.take("DECLARE")
        return (*blocks.section(cursor), *blocks.statements(cursor))
    return blocks.statements(cursor)


def _body_in_text(
    cursor: Cursor, name: str, place: int, given: tuple[Node, ...]
) -> tuple[tuple[Node, ...], tuple[Token, ...]]:
    """DO $$ … $$: the offsets of what is within are those of the whole text."""
    while place < len(cursor.tokens) and cursor.tokens[place].kind != "body":
        place += 1
    if place >= len(cursor.tokens):
        return (
            Other(cursor.span(0, len(cursor.tokens)), "its body can't be found"),
        ), cursor.tokens
    token = cursor.tokens[place]
    begin = token.start + token.text.index("$", 1) + 1
    inner = _moved(tokens(token.value, cursor.dialect), begin)
    language = _language(cursor)
    if language not in ("", "plpgsql", "sql", "nzplsql"):
        why = f"it is written in {language}"
        return (Other(cursor.span(0, len(cursor.tokens)), why),), cursor.tokens
    # The parameters are read from the head: their tokens stand before those of the body.
    joined = (*cursor.tokens[:place], *inner)
    within = Cursor(cursor.text, joined, cursor.dialect)
    within.at = place
    found = (*given, *blocks.statements(within))
    return (Routine(cursor.span(0, len(cursor.tokens)), name, found),), joined


def _moved(found: tuple[Token, ...], by: int) -> tuple[Token, ...]:
    return tuple(Token(t.kind, t.start + by, t.end + by, t.text, t.upper) for t in found)


def _language(cursor: Cursor) -> str:
    for place, token in enumerate(cursor.tokens[:-1]):
        if token.upper == "LANGUAGE":
            return cursor.tokens[place + 1].value.lower()
    return ""


def _tsql_routine(cursor: Cursor, first: int, name: str) -> Node:
    """CREATE PROC p @a INT = 1, … AS statements"""
    begin = cursor.at
    if cursor.upper() == "(" and (closing := cursor.closing(cursor.at)):
        within = cursor.parts(begin + 1, closing)
        start = closing
    else:
        within, start = [], begin
    opening = next((at for at in range(start, len(cursor.tokens)) if _is_as(cursor, at)), None)
    if opening is None:
        return Other(cursor.span(first, len(cursor.tokens)), "a routine without a body")
    within = within or cursor.parts(begin, opening)
    given = tuple(_tsql_parameter(cursor, *part) for part in within if part[0] < part[1])
    cursor.at = opening + 1
    return Routine(
        cursor.span(first, len(cursor.tokens)), name, (*given, *batches.statements(cursor))
    )


def _is_as(cursor: Cursor, place: int) -> bool:
    """Not that of EXECUTE AS OWNER, nor of `@a AS INT`."""
    before = cursor.tokens[place - 1]
    plain_as = cursor.tokens[place].upper == "AS" and before.upper not in ("EXECUTE", "EXEC")
    return plain_as and not before.text.startswith("@")


def _tsql_parameter(cursor: Cursor, first: int, last: int) -> Node:
    sign = cursor.find({"="}, first, last)
    end = last
    while end > first and cursor.tokens[end - 1].upper in ("OUTPUT", "OUT", "READONLY"):
        end -= 1
    value = None if sign is None or sign + 1 >= end else cursor.span(sign + 1, end)
    name = cursor.tokens[first].text.lower()
    return Declare(cursor.span(first, last), (name,), value, "parameter")


# Triggers -----------------------------------------------------------------------------------------

_EVENTS = {"INSERT", "UPDATE", "DELETE"}


def _trigger(cursor: Cursor, place: int) -> Node:
    first = cursor.at
    last = len(cursor.tokens)
    name, cursor.at = cursor.name_at(place)
    head = _head_of_trigger(cursor)
    if head is None:
        return Other(cursor.span(first, last), "a trigger whose table or body can't be found")
    table_at, body = head
    table, after = cursor.name_at(table_at)
    words = [token.upper for token in cursor.tokens[cursor.at : body]]
    when = _when(cursor, after, body)
    if "WHEN" in words and when is None:
        return Other(cursor.span(first, last), "a trigger whose WHEN can't be read")
    new, old = _called(cursor, after, body)
    cursor.at = body
    return Trigger(
        cursor.span(first, last), name, table, cursor.span(table_at, after),
        _events(words), _body_of_trigger(cursor),
        timing=next((w for w in words if w in ("BEFORE", "AFTER", "INSTEAD")), ""),
        each_row="ROW" in words and "EACH" in words,
        new=new, old=old, when=when, enabled="DISABLE" not in words,
    )  # fmt: skip


def _events(words: list[str]) -> frozenset[str]:
    """Those of the head; `UPDATE OF a` and `FOR INSERT` alike."""
    return frozenset(word for word in words if word in _EVENTS)


def _head_of_trigger(cursor: Cursor) -> tuple[int, int] | None:
    """Where the table stands, and where the body begins."""
    on = cursor.find({"ON"}, cursor.at)
    if on is None:
        return None
    if cursor.dialect.name == "tsql":
        opening = next((at for at in range(on, len(cursor.tokens)) if _is_as(cursor, at)), None)
        return None if opening is None else (on + 1, opening + 1)
    depth = 0
    for place in range(on + 2, len(cursor.tokens)):
        upper = cursor.tokens[place].upper
        before = cursor.tokens[place - 1].upper
        is_body = upper in _TRIGGER_BODY or (upper == "(" and before not in ("WHEN", "OF"))
        if (depth == 0 and is_body and before not in ("ROW", "STATEMENT")) or (
            depth == 0 and upper in _TRIGGER_BODY
        ):
            return on + 1, place
        if depth == 0 and upper == "(" and before in ("ROW", ")"):  # Teradata: (statement;)
            return on + 1, place
        depth += (upper == "(") - (upper == ")")
    return None


_TRIGGER_BODY = {"BEGIN", "DECLARE", "IF", "SIGNAL", "SET", "INSERT", "UPDATE", "DELETE", "CALL",
                 "EXECUTE", "ABORT", "SELECT", "CASE", "MERGE"}  # fmt: skip


def _when(cursor: Cursor, first: int, last: int) -> Span | None:
    for place in range(first, last - 1):
        if cursor.tokens[place].upper == "WHEN" and cursor.tokens[place + 1].text == "(":
            closing = cursor.closing(place + 1)
            return None if closing is None or closing >= last else cursor.span(place + 2, closing)
    return None


def _called(cursor: Cursor, first: int, last: int) -> tuple[str, str]:
    """REFERENCING NEW ROW AS n OLD o"""
    names = {"NEW": "new", "OLD": "old"}
    begin = next(
        (at for at in range(first, last) if cursor.tokens[at].upper == "REFERENCING"), last
    )
    for place in range(begin + 1, last - 1):
        word, at = cursor.tokens[place].upper, place + 1
        if word not in names or cursor.tokens[place - 1].upper == "AS":
            continue
        while at < last and cursor.tokens[at].upper in ("ROW", "AS", "TABLE"):
            at += 1
        if at < last and cursor.tokens[at].kind in ("word", "name"):
            names[word] = plain(cursor.tokens[at].value)
        if cursor.tokens[place + 1].upper == "TABLE":
            names[word] = "a table"
    return names["NEW"], names["OLD"]


def _body_of_trigger(cursor: Cursor) -> tuple[Node, ...]:
    if cursor.dialect.name == "tsql":
        return batches.statements(cursor)
    if cursor.upper() == "(" and cursor.upper(-1) in ("ROW", ")"):
        cursor.at += 1
        return blocks.statements(cursor, (")",))
    return blocks.statements(cursor)
