"""Code in which statements end with ;: PL/SQL, PL/pgSQL, MySQL, Db2, Teradata, Snowflake, BigQuery.

Nothing raises: what is not understood is Other, up to where the next statement begins.
"""

from __future__ import annotations

from collections.abc import Collection

from ruleferry.converters.readers.sql.code.cursor import CUT, Cursor
from ruleferry.converters.readers.sql.code.nesting import one_deeper, up_to
from ruleferry.converters.readers.sql.code.nodes import (
    Arm,
    Block,
    Declare,
    Handler,
    If,
    Loop,
    Node,
    Other,
    Routine,
    Skip,
    Span,
)
from ruleferry.converters.readers.sql.code.raising import aborted
from ruleferry.converters.readers.sql.code.simple import declared, plain, simple

_TRANSACTION = {"TRANSACTION", "TRAN", "WORK", ";", ""}


def statements(cursor: Cursor, stops: Collection[str] = ()) -> tuple[Node, ...]:
    """Up to one of the words, or to the end."""
    return up_to(cursor, stops, statement)


def statement(cursor: Cursor) -> tuple[Node, ...]:
    return one_deeper(cursor, _statement)


def _statement(cursor: Cursor) -> tuple[Node, ...]:
    while cursor.take(";"):
        pass
    _past_label(cursor)
    if cursor.ended:
        return ()
    word = cursor.upper()
    if word == "BEGIN" and cursor.upper(1) not in _TRANSACTION:
        return (block(cursor),)
    if word == "DECLARE":
        return _declare(cursor)
    if word == "IF":
        return (_if(cursor),)
    if word == "CASE":
        return (_case(cursor),)
    if word in ("LOOP", "WHILE", "FOR", "FOREACH", "REPEAT"):
        return (_loop(cursor),)
    if word in ("PROCEDURE", "FUNCTION") and cursor.dialect.name == "oracle":
        return inner_routine(cursor)
    first = cursor.at
    cursor.at = end_of(cursor, first)
    last = cursor.at
    cursor.take(";")
    if last == first:
        return ()
    if word == "BEGIN" or word in ("BT", "ET"):
        return (Skip(cursor.span(first, last), "it begins or ends a transaction"),)
    if word == "ROLLBACK" and cursor.dialect.name == "teradata":
        return (aborted(cursor, first, last),)
    return (simple(cursor, first, last),)


def end_of(cursor: Cursor, first: int) -> int:
    """The place of the next ;, or the end."""
    for place in range(first, len(cursor.tokens)):
        if cursor.tokens[place].text == ";":
            return place
    return len(cursor.tokens)


def _past_label(cursor: Cursor) -> None:
    """<<name>> and name: before a block."""
    while cursor.upper() == "<<" and cursor.upper(2) == ">>":
        cursor.at += 3
    if cursor.upper(1) == ":" and cursor.upper(2) in ("BEGIN", "LOOP", "WHILE", "FOR", "REPEAT"):
        cursor.at += 2


# Blocks -------------------------------------------------------------------------------------------


def block(cursor: Cursor) -> Node:
    """BEGIN … [EXCEPTION WHEN … THEN …] END [name] ;"""
    first = cursor.at
    cursor.take("BEGIN")
    if not cursor.take("NOT", "ATOMIC"):
        cursor.take("ATOMIC")
    body = statements(cursor, ("END", "EXCEPTION"))
    handlers = list(_handlers_within(body))
    if cursor.take("EXCEPTION"):
        handlers += _handlers(cursor)
    if not cursor.take("END"):
        cursor.cut = True
        if not any(isinstance(node, Other) and node.why == CUT for node in body):
            body = (*body, *cursor.rest(CUT))
        return Block(cursor.span(first), body, tuple(handlers))
    _past_end(cursor)
    kept = tuple(node for node in body if not isinstance(node, Block) or not _is_handler(node))
    return Block(cursor.span(first), kept, tuple(handlers))


def _past_end(cursor: Cursor) -> None:
    """The name behind END, and the ;."""
    if not cursor.ended and cursor.upper() not in (";", "END", "ELSE", "/", "$$"):
        name, after = cursor.name_at(cursor.at)
        if name and (after >= len(cursor.tokens) or cursor.tokens[after].upper in (";", "/")):
            cursor.at = after
    cursor.take(";")


# What others call OTHERS.
_ANY_ERROR = {"bigquery": "ERROR", "snowflake": "OTHER"}


def _handlers(cursor: Cursor) -> list[Handler]:
    """WHEN a OR b THEN …"""
    found = []
    while cursor.take("WHEN"):
        then = cursor.find({"THEN"}, cursor.at)
        if then is None:
            break
        names = tuple(
            token.value.upper()
            for token in cursor.tokens[cursor.at : then]
            if token.kind in ("word", "name", "text") and token.upper not in ("OR", "SQLSTATE")
        )
        if _ANY_ERROR.get(cursor.dialect.name) in names:
            names = ("OTHERS",)
        cursor.at = then + 1
        found.append(Handler(names, statements(cursor, ("WHEN", "END"))))
    return found


def _is_handler(node: Block) -> bool:
    return not node.body and bool(node.handlers)


def _handlers_within(body: tuple[Node, ...]) -> tuple[Handler, ...]:
    """DECLARE EXIT HANDLER FOR … stands among the statements of its block."""
    return tuple(
        handler
        for node in body
        if isinstance(node, Block) and _is_handler(node)
        for handler in node.handlers
    )


def _declare(cursor: Cursor) -> tuple[Node, ...]:
    """One declaration, a handler, or a section of declarations before BEGIN."""
    first = cursor.at
    cursor.at += 1
    if cursor.upper(1) == "HANDLER" or cursor.upper() in ("CONTINUE", "EXIT", "UNDO"):
        return (_declared_handler(cursor, first),)
    if cursor.dialect.name in ("mysql", "db2", "teradata", "bigquery", "databricks", "spark"):
        begin = cursor.at
        cursor.at = end_of(cursor, begin)
        found = declared(cursor, begin, cursor.at)
        cursor.take(";")
        return (found,)
    return section(cursor)


def section(cursor: Cursor) -> tuple[Node, ...]:
    """Declarations up to BEGIN, and the block."""
    found: list[Node] = []
    while not cursor.ended and cursor.upper() not in ("BEGIN", "END"):
        if cursor.upper() in ("PROCEDURE", "FUNCTION"):
            found += statement(cursor)
            continue
        begin = cursor.at
        cursor.at = end_of(cursor, begin)
        if cursor.at > begin:
            found.append(declared(cursor, begin, cursor.at))
        cursor.take(";")
    if cursor.upper() == "BEGIN":
        return (*found, block(cursor))
    return tuple(found)


def inner_routine(cursor: Cursor) -> tuple[Node, ...]:
    """PROCEDURE p (…) IS … BEGIN … END; without a body it is only announced."""
    first = cursor.at
    name, cursor.at = cursor.name_at(cursor.at + 1)
    found = list(parameters(cursor))
    while not cursor.ended and cursor.upper() not in ("IS", "AS", ";"):
        cursor.at += 1
    if cursor.take(";") or cursor.ended:
        return (Skip(cursor.span(first), f"it announces {name or 'a routine'}"),)
    cursor.at += 1
    found += section(cursor)
    return (Routine(cursor.span(first), name, tuple(found)),)


def parameters(cursor: Cursor) -> tuple[Node, ...]:
    """(a IN NUMBER := 1, b DATE DEFAULT x, …): each with its default."""
    if cursor.upper() != "(":
        return ()
    closing = cursor.closing(cursor.at)
    if closing is None:
        return ()
    found = tuple(_parameter(cursor, *part) for part in cursor.parts(cursor.at + 1, closing))
    cursor.at = closing + 1
    return found


_MODES = {"IN", "OUT", "INOUT", "VARIADIC"}


def _parameter(cursor: Cursor, first: int, last: int) -> Node:
    place = first
    while place < last and cursor.tokens[place].upper in _MODES:
        place += 1
    sign = cursor.find({":=", "=", "DEFAULT"}, first, last)
    value = None if sign is None else cursor.span(sign + 1, last)
    name = cursor.tokens[place].value if place < last else ""
    return Declare(cursor.span(first, last), (plain(name),), value, "parameter")


def _declared_handler(cursor: Cursor, first: int) -> Node:
    """DECLARE CONTINUE HANDLER FOR NOT FOUND, SQLEXCEPTION …: a block of handlers alone."""
    continues = cursor.upper() == "CONTINUE"
    while not cursor.ended and cursor.upper() not in ("FOR", ";"):
        cursor.at += 1
    cursor.take("FOR")
    names = []
    while not cursor.ended and (cursor.upper() in _CONDITIONS or cursor.upper(-1) in (",", "FOR")):
        token = cursor.token()
        assert token is not None
        names.append(token.value.upper())
        cursor.at += 1
    body = statement(cursor)
    caught = ("OTHERS",) if "SQLEXCEPTION" in names else tuple(names)
    if continues and "SQLEXCEPTION" in names:
        body = (*body, Skip(cursor.span(first), "it goes on after an error"))
    return Block(cursor.span(first), (), (Handler(caught, body),))


_CONDITIONS = {"NOT", "FOUND", "SQLEXCEPTION", "SQLWARNING", "SQLSTATE", "VALUE", ","}


# IF and CASE --------------------------------------------------------------------------------------


def _if(cursor: Cursor) -> Node:
    first = cursor.at
    arms: list[Arm] = []
    cursor.at += 1
    while True:
        begin = cursor.at
        then = cursor.find({"THEN"}, begin)
        if then is None or then == begin:
            return _lost(cursor, first, "an IF without its THEN")
        cursor.at = then + 1
        body = statements(cursor, ("ELSIF", "ELSEIF", "ELSE", "END"))
        arms.append(Arm(cursor.span(begin, then), body))
        if not (cursor.take("ELSIF") or cursor.take("ELSEIF")):
            break
    if cursor.take("ELSE"):
        arms.append(Arm(None, statements(cursor, ("END",))))
    if not cursor.take("END", "IF"):
        return _lost(cursor, first, "an IF without its END")
    cursor.take(";")
    return If(cursor.span(first), tuple(arms))


def _lost(cursor: Cursor, first: int, why: str) -> Node:
    """Up to the next ;: the rest is read as what comes after it."""
    cursor.at = max(end_of(cursor, cursor.at), first + 1)
    cursor.take(";")
    return Other(cursor.span(first), CUT if cursor.cut else why)


def _case(cursor: Cursor) -> Node:
    """CASE [x] WHEN … THEN statements … END CASE"""
    first = cursor.at
    cursor.at += 1
    arms: list[Arm] = []
    when = cursor.find({"WHEN"}, cursor.at)
    if when is None:
        return _lost(cursor, first, "a CASE without its WHEN")
    operand = when > cursor.at
    cursor.at = when
    while cursor.take("WHEN"):
        begin = cursor.at
        then = cursor.find({"THEN"}, begin)
        if then is None or then == begin:
            return _lost(cursor, first, "a WHEN without its THEN")
        cursor.at = then + 1
        body = statements(cursor, ("WHEN", "ELSE", "END"))
        arms.append(Arm(cursor.span(begin, then), body))
    if cursor.take("ELSE"):
        arms.append(Arm(None, statements(cursor, ("END",))))
    if not cursor.take("END", "CASE"):
        return _lost(cursor, first, "a CASE without its END")
    cursor.take(";")
    return If(cursor.span(first), tuple(arms), operand)


# Loops --------------------------------------------------------------------------------------------


def _loop(cursor: Cursor) -> Node:
    first, word = cursor.at, cursor.upper()
    cursor.at += 1
    record, rows = "", None
    if word in ("WHILE", "FOR", "FOREACH"):
        opening = cursor.find({"LOOP", "DO"}, cursor.at)
        if opening is None:
            return _lost(cursor, first, "a loop without its body")
        if word == "FOR":
            record, rows = _rows(cursor, cursor.at, opening)
        cursor.at = opening + 1
    body = statements(cursor, ("END", "UNTIL") if word == "REPEAT" else ("END",))
    if cursor.take("UNTIL"):
        end = cursor.find({"END"}, cursor.at)
        cursor.at = cursor.at if end is None else end
    if not cursor.take("END") or cursor.upper() not in ("LOOP", "WHILE", "FOR", "REPEAT"):
        return _lost(cursor, first, "a loop without its END")
    cursor.at += 1
    _past_end(cursor)
    return Loop(cursor.span(first), body, record, rows)


def _rows(cursor: Cursor, first: int, last: int) -> tuple[str, Span | None]:
    """`r IN (SELECT …)`, `r IN c`, Db2's `r AS c CURSOR FOR SELECT …`."""
    record = plain(cursor.tokens[first].text)
    sign = cursor.find({"IN", "AS"}, first, last)
    if sign is None:
        return record, None
    begin, end = sign + 1, last
    select = cursor.find({"SELECT", "WITH"}, begin, last)
    if select is not None:
        return record, cursor.span(select, end)
    if begin < end and cursor.tokens[begin].text == "(" and cursor.closing(begin) == end - 1:
        return record, cursor.span(begin + 1, end - 1)
    return record, cursor.span(begin, end)
