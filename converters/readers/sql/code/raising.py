"""Statements that raise an error or show a message, in each dialect's own words."""

from __future__ import annotations

from ruleferry.converters.readers.sql.code.cursor import Cursor
from ruleferry.converters.readers.sql.code.nodes import Assertion, Node, Other, Raise, Skip

_LEVELS = {"DEBUG": False, "LOG": False, "INFO": False, "NOTICE": False, "WARNING": False,
           "EXCEPTION": True}  # fmt: skip
_MILD = 10  # the highest severity of SQL Server that is a message only


def raised(cursor: Cursor, first: int, last: int) -> Node | None:
    """What tokens first to last raise; None where they are no such statement."""
    word = cursor.tokens[first].upper
    span = cursor.span(first, last)
    if word in _READERS and not cursor.is_whole(first, last):
        return Other(span, "a quote or a parenthesis in it is not closed")
    reader = _READERS.get(word)
    if reader is not None:
        return reader(cursor, first, last)
    return _by_call(cursor, first, last)


def _by_call(cursor: Cursor, first: int, last: int) -> Node | None:
    """RAISE_APPLICATION_ERROR(…), DBMS_OUTPUT.PUT_LINE(…), also behind the name of a package."""
    name, after = cursor.name_at(first)
    called = name.upper().rpartition(".")[2]
    if after >= last or cursor.tokens[after].text != "(" or not cursor.is_whole(first, last):
        return None
    arguments = cursor.parts(after + 1, last - 1)
    span = cursor.span(first, last)
    if called == "RAISE_APPLICATION_ERROR":
        text = arguments[1] if len(arguments) > 1 else (last, last)
        return Raise(span, True, cursor.message(*text), variable=cursor.variable(*text))
    if name.upper() in ("DBMS_OUTPUT.PUT_LINE", "DBMS_OUTPUT.PUT"):
        text = arguments[0] if arguments else (last, last)
        return Raise(span, False, cursor.message(*text), variable=cursor.variable(*text))
    return None


def _raise(cursor: Cursor, first: int, last: int) -> Node:
    """Oracle, PostgreSQL, Snowflake, BigQuery."""
    span = cursor.span(first, last)
    place = first + 1
    level = cursor.tokens[place].upper if place < last else ""
    if place >= last:
        return Raise(span, True, again=True)
    stops = _LEVELS.get(level, True)
    if level in _LEVELS:
        place += 1
    warns = level == "WARNING"
    if place < last and cursor.tokens[place].kind == "text":
        return Raise(span, stops, cursor.message(place, last), warns=warns)
    using = _after(cursor, place, last, "MESSAGE")
    if using is not None:
        return Raise(span, stops, cursor.message(using, last), warns=warns)
    if level in _LEVELS or cursor.tokens[place].upper == "USING":
        return Raise(span, stops, warns=warns)
    name, after = cursor.name_at(place)
    if name and (after == last or cursor.tokens[after].upper == "USING"):
        return Raise(span, True, name=name.lower())
    return Other(span, "what it raises can't be told")


def _after(cursor: Cursor, first: int, last: int, word: str) -> int | None:
    """Behind `WORD =`."""
    for place in range(first, last - 1):
        if cursor.tokens[place].upper == word and cursor.tokens[place + 1].text in ("=", ":="):
            return place + 2
    return None


def _raiserror(cursor: Cursor, first: int, last: int) -> Node:
    span = cursor.span(first, last)
    if first + 1 >= last:
        return Other(span, "RAISERROR without a message")
    if cursor.tokens[first + 1].text != "(":  # RAISERROR 50001 'message'
        return Raise(span, True, cursor.message(first + 2, last))
    closing = cursor.closing(first + 1)
    arguments = cursor.parts(first + 2, closing) if closing is not None else []
    if len(arguments) < 2:
        return Other(span, "RAISERROR without a severity")
    severity = cursor.tokens[arguments[1][0]]
    plain = arguments[1][1] - arguments[1][0] == 1 and severity.kind == "number"
    # A severity that only the run knows is taken for a message: nothing says that it stops.
    stops = plain and severity.text.isdigit() and int(severity.text) > _MILD
    text = arguments[0]
    return Raise(span, stops, cursor.message(*text), variable=cursor.variable(*text))


def _throw(cursor: Cursor, first: int, last: int) -> Node:
    span = cursor.span(first, last)
    if first + 1 >= last:
        return Raise(span, True, again=True)
    arguments = cursor.parts(first + 1, last)
    if len(arguments) != 3:
        return Other(span, "THROW without its three arguments")
    text = arguments[1]
    return Raise(span, True, cursor.message(*text), variable=cursor.variable(*text))


def _signal(cursor: Cursor, first: int, last: int) -> Node:
    """MySQL, Db2, Teradata. A class 01 is a warning."""
    span = cursor.span(first, last)
    place = first + 1
    name, stops = "", True
    if place < last and cursor.tokens[place].upper == "SQLSTATE":
        place += 2 if place + 1 < last and cursor.tokens[place + 1].upper == "VALUE" else 1
        if place >= last or cursor.tokens[place].kind != "text":
            return Other(span, "SIGNAL without its state")
        stops = not cursor.tokens[place].value.startswith("01")
    elif place < last:
        name = cursor.name_at(place)[0].lower()
    else:
        return Other(span, "SIGNAL without its state")
    text = _after(cursor, place, last, "MESSAGE_TEXT")
    if text is None and place + 1 < last and cursor.tokens[place + 1].text == "(":
        text = place + 2
    message = cursor.message(text, last) if text is not None else ""
    return Raise(span, stops, message, name=name, warns=not stops)


def _resignal(cursor: Cursor, first: int, last: int) -> Node:
    return Raise(cursor.span(first, last), True, again=True)


def _print(cursor: Cursor, first: int, last: int) -> Node:
    span = cursor.span(first, last)
    message = cursor.message(first + 1, last)
    return Raise(span, False, message, variable=cursor.variable(first + 1, last))


def aborted(cursor: Cursor, first: int, last: int) -> Node:
    """Teradata: ABORT 'message' FROM … WHERE …; ROLLBACK is another word for it."""
    span = cursor.span(first, last)
    place, message = first + 1, ""
    if place < last and cursor.tokens[place].upper == "WORK":
        place += 1
    if place < last and cursor.tokens[place].kind == "text":
        message = cursor.message(place, place + 1)
        place += 1
    elif cursor.tokens[first].upper == "ROLLBACK":
        return Skip(span, "it takes a transaction back", leaves="routine")
    if place >= last:
        return Raise(span, True, message)
    where = cursor.find({"WHERE"}, place, last)
    if where is None or where + 1 >= last:
        return Other(span, "ABORT with more than a message and a WHERE")
    if where == place:
        return Assertion(span, cursor.span(where + 1, last), True, message)
    if cursor.tokens[place].upper != "FROM":
        return Other(span, "ABORT with more than a message and a WHERE")
    source = cursor.span(place, where)
    return Assertion(span, cursor.span(where + 1, last), True, message, source)


def _assert(cursor: Cursor, first: int, last: int) -> Node:
    """BigQuery: ASSERT condition AS 'message'; PL/pgSQL: ASSERT condition, 'message'."""
    span = cursor.span(first, last)
    end, message = last, ""
    label = cursor.find({"AS", ","}, first + 1, last)
    if label is not None:
        end, message = label, cursor.message(label + 1, last)
    if end <= first + 1:
        return Other(span, "ASSERT without a condition")
    return Assertion(span, cursor.span(first + 1, end), False, message)


_READERS = {
    "RAISE": _raise, "RAISERROR": _raiserror, "THROW": _throw, "SIGNAL": _signal,
    "RESIGNAL": _resignal, "PRINT": _print, "ABORT": aborted, "ASSERT": _assert,
}  # fmt: skip
