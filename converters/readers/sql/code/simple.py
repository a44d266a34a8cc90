"""Statements that all dialects with ; between them share: everything but blocks, IF and loops."""

from __future__ import annotations

from ruleferry.converters.readers.sql.code.cursor import Cursor
from ruleferry.converters.readers.sql.code.nodes import (
    Assign,
    Declare,
    Dynamic,
    Fetch,
    Node,
    Other,
    Skip,
    Span,
    Sql,
)
from ruleferry.converters.readers.sql.code.raising import raised

QUERIES = frozenset({"SELECT", "WITH", "PERFORM", "VALUES"})
WRITES = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "UPSERT", "SEL", "INS", "UPD",
                    "DEL"})  # fmt: skip
DEFINING = frozenset({
    "CREATE", "ALTER", "DROP", "TRUNCATE", "GRANT", "REVOKE", "DENY", "ANALYZE", "VACUUM", "COPY",
    "LOCK", "COLLECT", "RENAME", "COMMENT", "USE", "REFRESH", "MSCK", "UNLOAD", "EXPLAIN",
    "DATABASE", "CT", "SHOW", "DESCRIBE", "DESC",
})  # fmt: skip
_SHORT = {"SEL": "SELECT", "INS": "INSERT", "UPD": "UPDATE", "DEL": "DELETE"}  # Teradata
# What is done beside the data: word -> what it is, and what it leaves.
_PLAIN = {
    "COMMIT": ("it ends a transaction", ""), "ROLLBACK": ("it takes a transaction back", ""),
    "SAVEPOINT": ("it marks a place in a transaction", ""),
    "START": ("it begins a transaction", ""), "NULL": ("it does nothing", ""),
    "RETURN": ("it leaves the routine", "routine"), "EXIT": ("it leaves a loop", "row"),
    "LEAVE": ("it leaves a block", "row"), "BREAK": ("it leaves a loop", "row"),
    "CONTINUE": ("it goes on with the next round", "row"),
    "ITERATE": ("it goes on with the next round", "row"), "GOTO": ("it jumps", "row"),
    "OPEN": ("it opens a cursor", ""), "CLOSE": ("it closes a cursor", ""),
    "DEALLOCATE": ("it closes a cursor", ""), "PRAGMA": ("it is for the compiler", ""),
    "PIPE": ("it gives a row back", ""), "WAITFOR": ("it waits", ""),
    "SAVE": ("it marks a place", ""),
}  # fmt: skip


def simple(cursor: Cursor, first: int, last: int) -> Node:
    """Tokens first to last (the ; is not among them) as one statement."""
    span = cursor.span(first, last)
    word = cursor.tokens[first].upper
    if not cursor.is_whole(first, last):
        return Other(span, "a quote or a parenthesis in it is not closed")
    if found := raised(cursor, first, last):
        return found
    if word in _PLAIN and not _is_assigned(cursor, first, last):
        return _plain_skip(cursor, first, last)
    if word in QUERIES or word == "(" or _SHORT.get(word) == "SELECT":
        return _query(cursor, first, last)
    if word == "UPDATE" and first + 1 < last and cursor.tokens[first + 1].upper == "STATISTICS":
        return Skip(span, "it gathers statistics", alone=True)
    if word in WRITES:
        return _write(cursor, first, last)
    if word in DEFINING:
        return Sql(span, word)
    if word in ("CALL", "EXEC", "EXECUTE", "PREPARE"):
        return _execution(cursor, first, last)
    if word == "FETCH":
        return _fetch(cursor, first, last)
    if word in ("SET", "LET"):
        return _set(cursor, first, last)
    if word == "GET":
        return Assign(span, _names_before(cursor, first + 1, last), None, "what the database tells")
    return _assigned(cursor, first, last) or _called(cursor, first, last)


def _plain_skip(cursor: Cursor, first: int, last: int) -> Node:
    """EXIT WHEN c%NOTFOUND ends a loop after its last record."""
    what, leaves = _PLAIN[cursor.tokens[first].upper]
    words = {token.upper for token in cursor.tokens[first:last]}
    leaves = "" if words & {"NOTFOUND"} else leaves
    return Skip(cursor.span(first, last), what, leaves=leaves)  # type: ignore[arg-type]


def _is_assigned(cursor: Cursor, first: int, last: int) -> bool:
    return first + 1 < last and cursor.tokens[first + 1].text == ":="


# Queries ------------------------------------------------------------------------------------------


def _query(cursor: Cursor, first: int, last: int) -> Node:
    span, word = cursor.span(first, last), cursor.tokens[first].upper
    word = "SELECT" if word in ("SEL", "(") else word
    into = cursor.find({"INTO"}, first, last)
    if any(token.text == ":=" for token in cursor.tokens[first:last]):
        return Other(span, "it sets variables within a query")
    if into is None:
        return Sql(span, word)
    names, after = _variables(cursor, into + 1, last)
    begin = into
    if cursor.tokens[into - 1].upper == "COLLECT":  # BULK COLLECT INTO
        begin -= 2
    if not names or (after < last and cursor.tokens[after].upper not in _AFTER_INTO):
        return Other(span, "where its values go can't be told")
    return Sql(span, word, names, cursor.span(begin, after))


_AFTER_INTO = frozenset({"FROM", "WHERE", "LIMIT", "ORDER", "GROUP", "HAVING", "UNION", "FOR"})


def _variables(cursor: Cursor, place: int, last: int) -> tuple[tuple[str, ...], int]:
    if place < last and cursor.tokens[place].upper == "STRICT":
        place += 1
    found: list[str] = []
    while place < last:
        name, after = cursor.name_at(place)
        if not name:
            return (), place
        found.append(plain(name))
        if after >= last or cursor.tokens[after].text != ",":
            return tuple(found), after
        place = after + 1
    return (), place


def plain(name: str) -> str:
    """The name of a variable as it is looked up: `:V_N` and `v_n` are one."""
    return name.lower().lstrip(":")


def _write(cursor: Cursor, first: int, last: int) -> Node:
    """INSERT … RETURNING id INTO v fills a variable."""
    span = cursor.span(first, last)
    word = _SHORT.get(cursor.tokens[first].upper, cursor.tokens[first].upper)
    returning = cursor.find({"RETURNING"}, first, last)
    if returning is None:
        return Sql(span, word)
    into = cursor.find({"INTO"}, returning, last)
    names = _variables(cursor, into + 1, last)[0] if into is not None else ()
    return Sql(span, word, names, cursor.span(returning, last))


# What runs something else -------------------------------------------------------------------------


def _execution(cursor: Cursor, first: int, last: int) -> Node:
    """EXECUTE IMMEDIATE text, EXECUTE text, PREPARE s FROM text; EXECUTE s; CALL p(…)."""
    span, word = cursor.span(first, last), cursor.tokens[first].upper
    place = first + 1
    if word in ("CALL", "EXEC"):
        if place < last and _is_assigned(cursor, place, last):  # SQL*Plus: EXEC :n := 0
            return _assigned(cursor, place, last) or Skip(span, "it sets variables")
        return _called(cursor, place, last, span)
    if place < last and cursor.tokens[place].upper == "IMMEDIATE":
        place += 1
    elif word == "PREPARE":
        text = cursor.find({"FROM", "AS"}, place, last)
        return Dynamic(span, cursor.span(last if text is None else text + 1, last))
    if place < last and cursor.tokens[place].upper in ("FUNCTION", "PROCEDURE"):
        return _called(cursor, place + 1, last, span)
    name, after = cursor.name_at(place)
    if after < last and cursor.tokens[after].text == "(" and name.upper() not in _BUILDERS:
        return _called(cursor, place, last, span)  # EXECUTE FUNCTION p()
    end = cursor.find({"USING", "INTO"}, place, last)
    return Dynamic(span, cursor.span(place, last if end is None else end))


_BUILDERS = {"FORMAT", "CONCAT", "REPLACE", "QUOTE_IDENT", "QUOTE_LITERAL", "DBMS_LOB.SUBSTR"}


def _called(cursor: Cursor, first: int, last: int, span: Span | None = None) -> Node:
    """`p;`, `p(a, b);`: what it does stands elsewhere."""
    name, after = cursor.name_at(first)
    whole = span or cursor.span(first, last)
    if not name or (after < last and cursor.tokens[after].text != "("):
        return Other(whole, "a statement that is not known")
    return Skip(whole, f"it runs {name}, which is read where it is written", alone=True)


def _fetch(cursor: Cursor, first: int, last: int) -> Node:
    span = cursor.span(first, last)
    into = cursor.find({"INTO"}, first, last)
    if into is None:
        return Other(span, "a FETCH without variables")
    end = into
    while end > first and cursor.tokens[end - 1].upper in ("COLLECT", "BULK"):
        end -= 1
    names, _ = _variables(cursor, into + 1, last)
    return Fetch(span, cursor.tokens[end - 1].value.lower(), names)


# Values of variables ------------------------------------------------------------------------------


def _set(cursor: Cursor, first: int, last: int) -> Node:
    """SET a = 1; SET NEW.a = 1; SET (a, b) = (SELECT …); LET a INT := 1. What else is a setting."""
    span = cursor.span(first, last)
    if first + 1 < last and cursor.tokens[first + 1].text == "(":
        closing = cursor.closing(first + 1) or last
        names = tuple(plain(cursor.name_at(a)[0]) for a, _ in cursor.parts(first + 2, closing))
        return Assign(span, names, None, "several values at once")
    several = cursor.parts(first + 1, last)
    name, after = cursor.name_at(first + 1)
    sign = cursor.find({"=", ":="}, first + 1, last)
    if not name or sign is None:
        return Skip(span, "it sets how the session works")
    if cursor.tokens[first].upper == "SET" and sign != after:
        if cursor.tokens[after].text in ("+", "-", "*", "/", "%", "&", "|"):  # @n += 1
            return Assign(span, (plain(name),), None, "a running value")
        return Skip(span, "it sets how the session works")
    if len(several) > 1:
        names = tuple(plain(cursor.name_at(begin)[0]) for begin, _ in several)
        return Assign(span, names, None, "several values at once")
    return Assign(span, (plain(name),), cursor.span(sign + 1, last))


def _assigned(cursor: Cursor, first: int, last: int) -> Node | None:
    """`a := 1`, `a = 1`; an element of an array is a variable whose value isn't followed."""
    name, after = cursor.name_at(first)
    if not name or after >= last:
        return None
    span = cursor.span(first, last)
    if cursor.tokens[after].text in (":=", "=") and after + 1 < last:
        return Assign(span, (plain(name),), cursor.span(after + 1, last))
    if cursor.tokens[after].text in ("(", "[") and cursor.find({":="}, after, last):
        return Assign(span, (plain(name),), None, "a part of a collection")
    return None


def _names_before(cursor: Cursor, first: int, last: int) -> tuple[str, ...]:
    return tuple(
        plain(cursor.tokens[place].text)
        for place in range(first, last - 1)
        if cursor.tokens[place].kind == "word" and cursor.tokens[place + 1].text in ("=", ":=")
    )


# Declarations -------------------------------------------------------------------------------------


def declared(cursor: Cursor, first: int, last: int) -> Node:
    """What tokens first to last declare, without the word DECLARE."""
    span = cursor.span(first, last)
    if first >= last or not cursor.is_whole(first, last):
        return Other(span, "a declaration that is not closed")
    word = cursor.tokens[first].upper
    if word in ("TYPE", "SUBTYPE", "PRAGMA"):
        return Skip(span, "it declares a type")
    if cursor.find({"CURSOR"}, first, last) is not None:
        return _declared_cursor(cursor, first, last)
    if cursor.find({"EXCEPTION"}, first, last) is not None:
        opening = cursor.find({"EXCEPTION"}, first, last) or first
        name = plain(cursor.tokens[first].text)
        return Declare(span, (name,), cursor.span(opening + 1, last), "exception")
    sign = cursor.find({":=", "=", "DEFAULT"}, first, last)
    end = last if sign is None else sign
    names: list[str] = []
    place = first
    while place < end:
        names.append(plain(cursor.tokens[place].text))
        if place + 1 >= end or cursor.tokens[place + 1].text != ",":
            break
        place += 2
    value = None if sign is None else cursor.span(sign + 1, last)
    return Declare(span, tuple(names), value)


def _declared_cursor(cursor: Cursor, first: int, last: int) -> Node:
    """`CURSOR c IS SELECT …`, `c CURSOR FOR SELECT …`, also with parameters."""
    span = cursor.span(first, last)
    named = first + 1 if cursor.tokens[first].upper == "CURSOR" else first
    if named >= last:
        return Other(span, "a cursor without a name")
    name = cursor.tokens[named]
    begin = cursor.find({"SELECT", "WITH"}, first, last)
    while (
        begin is not None
        and cursor.tokens[begin].upper == "WITH"
        and (begin + 1 < last and cursor.tokens[begin + 1].upper in ("HOLD", "RETURN"))
    ):
        begin = cursor.find({"SELECT", "WITH"}, begin + 1, last)
    value = None if begin is None else cursor.span(begin, last)
    return Declare(span, (plain(name.value),), value, "cursor")
