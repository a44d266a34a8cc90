"""T-SQL, where nothing need stand between statements: each ends where the next one begins."""

from __future__ import annotations

from ruleferry.converters.readers.sql.code.cursor import CUT, Cursor
from ruleferry.converters.readers.sql.code.nesting import one_deeper, up_to
from ruleferry.converters.readers.sql.code.nodes import (
    Arm,
    Assign,
    Block,
    Declare,
    Dynamic,
    Handler,
    If,
    Loop,
    Node,
    Other,
    Skip,
    Sql,
)
from ruleferry.converters.readers.sql.code.simple import declared, plain, simple

STARTS = frozenset({
    "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "IF", "WHILE", "BEGIN", "END", "ELSE",
    "DECLARE", "SET", "PRINT", "RAISERROR", "THROW", "RETURN", "EXEC", "EXECUTE", "OPEN", "CLOSE",
    "FETCH", "DEALLOCATE", "CREATE", "ALTER", "DROP", "TRUNCATE", "GOTO", "BREAK", "CONTINUE",
    "COMMIT", "ROLLBACK", "SAVE", "WAITFOR", "USE", "GRANT", "REVOKE", "DENY",
})  # fmt: skip
_TRANSACTION = ("TRAN", "TRANSACTION", "DISTRIBUTED")
_SET_OPERATORS = {"UNION", "ALL", "EXCEPT", "INTERSECT"}
# A statement that begins with the word has one of these further words in it.
_TAKES = {
    "INSERT": {"SELECT", "EXEC", "EXECUTE"}, "UPDATE": {"SET"}, "CREATE": {"SELECT"},
    "WITH": {"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"}, "DECLARE": {"SELECT"},
    "ALTER": {"DROP", "ALTER", "SET"}, "GRANT": STARTS, "REVOKE": STARTS, "DENY": STARTS,
}  # fmt: skip


def statements(cursor: Cursor, stops: tuple[str, ...] = ()) -> tuple[Node, ...]:
    return up_to(cursor, stops, statement)


def statement(cursor: Cursor) -> tuple[Node, ...]:
    return one_deeper(cursor, _statement)


def _statement(cursor: Cursor) -> tuple[Node, ...]:
    while cursor.take(";"):
        pass
    word = cursor.upper()
    if cursor.ended or word in ("END", "ELSE"):
        return ()
    if word == "BEGIN" and cursor.upper(1) not in _TRANSACTION:
        return (_block(cursor),)
    if word == "IF":
        return (_if(cursor),)
    if word == "WHILE":
        return (_while(cursor),)
    if cursor.upper(1) == ":" and cursor.upper(2) != ":":  # a label
        cursor.at += 2
        return (Skip(cursor.span(cursor.at - 2), "it marks a place to jump to"),)
    first = cursor.at
    last = cursor.at = _end_of(cursor, first)
    cursor.take(";")
    return _plain(cursor, first, last)


def _end_of(cursor: Cursor, first: int) -> int:
    """Where the statement at a place ends."""
    word = cursor.tokens[first].upper
    takes = set(_TAKES.get(word, ()))
    if word == "DECLARE" and cursor.tokens[min(first + 1, len(cursor.tokens) - 1)].text[0] == "@":
        takes = set()  # no cursor
    depth = cases = 0
    for place in range(first + 1, len(cursor.tokens)):
        upper, before = cursor.tokens[place].upper, cursor.tokens[place - 1].upper
        depth += (upper == "(") - (upper == ")")
        if upper == ";" and depth <= 0:
            return place
        if upper == "CASE":
            cases += 1
        elif upper == "END" and cases:
            cases -= 1
        elif depth <= 0 and not cases and upper in STARTS:
            if upper in takes:
                takes = _left(word, upper, takes)
            elif not _goes_on(cursor, place, word, upper, before):
                return place
        elif upper == "TO" and word in ("GRANT", "REVOKE", "DENY"):
            takes = set()
    return len(cursor.tokens)


def _left(word: str, upper: str, takes: set[str]) -> set[str]:
    """What may still come: WITH … INSERT goes on with a SELECT."""
    if word == "WITH":
        return set(_TAKES.get(upper, ()))
    return takes if word in ("GRANT", "REVOKE", "DENY", "ALTER") else set()


def _goes_on(cursor: Cursor, place: int, word: str, upper: str, before: str) -> bool:
    if word == "MERGE":  # it ends with a ;
        return True
    if upper == "SELECT" and before in _SET_OPERATORS:
        return True
    after = cursor.tokens[place + 1].upper if place + 1 < len(cursor.tokens) else ""
    if upper == "UPDATE" and (after == "(" or before == "FOR"):
        return True
    return before == "." or (upper == "FETCH" and before in ("ROWS", "ROW"))


def _plain(cursor: Cursor, first: int, last: int) -> tuple[Node, ...]:
    word = cursor.tokens[first].upper
    span = cursor.span(first, last)
    if not cursor.is_whole(first, last):
        return (Other(span, "a quote or a parenthesis in it is not closed"),)
    if word == "BEGIN":
        return (Skip(span, "it begins a transaction"),)
    if word == "DECLARE":
        return _declarations(cursor, first + 1, last)
    select = cursor.find({"SELECT"}, first, last) if word in ("SELECT", "WITH") else None
    if select is not None and (found := _assigning(cursor, first, select, last)):
        return found
    upkeep = word == "UPDATE" and "STATISTICS" in (t.upper for t in cursor.tokens[first:last][1:2])
    if word in ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE") and not upkeep:
        return (Sql(span, word, _set_beside(cursor, first, last)),)
    if word in ("EXEC", "EXECUTE"):
        return (_execution(cursor, first, last),)
    return (simple(cursor, first, last),)


# Blocks -------------------------------------------------------------------------------------------


def _block(cursor: Cursor) -> Node:
    first = cursor.at
    cursor.at += 1
    tries = cursor.take("TRY")
    body = statements(cursor, ("END",))
    if not cursor.take("END"):
        return Block(cursor.span(first), (*body, *cursor.rest(CUT)))
    if not tries:
        cursor.take(";")
        return Block(cursor.span(first), body)
    if not (cursor.take("TRY") and cursor.take("BEGIN", "CATCH")):
        return Other(cursor.span(first), "a TRY without its CATCH")
    caught = statements(cursor, ("END",))
    if not cursor.take("END", "CATCH"):
        return Other(cursor.span(first), CUT)
    cursor.take(";")
    return Block(cursor.span(first), body, (Handler(("OTHERS",), caught),))


def _if(cursor: Cursor) -> Node:
    first = cursor.at
    arms: list[Arm] = []
    begin, end = first + 1, _end_of_condition(cursor, first + 1)
    cursor.at = end
    if end == begin or cursor.ended or not cursor.is_whole(begin, end):
        cursor.at = max(end, first + 1)
        return Other(cursor.span(first), "an IF without a condition or a statement")
    body = statement(cursor)
    arms.append(Arm(cursor.span(begin, end), body))
    cursor.take(";")
    if cursor.take("ELSE"):
        otherwise = statement(cursor)
        if not otherwise:
            return Other(cursor.span(first), "an ELSE without a statement")
        arms.append(Arm(None, otherwise))
    if not body or cursor.cut:
        return Other(cursor.span(first), CUT if cursor.cut else "an IF without a statement")
    return If(cursor.span(first), tuple(arms))


def _end_of_condition(cursor: Cursor, first: int) -> int:
    depth = cases = 0
    for place in range(first, len(cursor.tokens)):
        upper = cursor.tokens[place].upper
        depth += (upper == "(") - (upper == ")")
        if upper == ";":
            return place
        if upper == "CASE":
            cases += 1
        elif upper == "END" and cases:
            cases -= 1
        elif depth <= 0 and not cases and (upper in STARTS or upper == "WITH"):
            if (
                upper == "UPDATE"
                and cursor.tokens[min(place + 1, len(cursor.tokens) - 1)].text == "("
            ):
                continue
            return place
    return len(cursor.tokens)


def _while(cursor: Cursor) -> Node:
    first = cursor.at
    cursor.at = _end_of_condition(cursor, first + 1)
    body = statement(cursor)
    if not body or cursor.cut:
        return Other(cursor.span(first), "a loop that is cut off")
    return Loop(cursor.span(first), body)


# Variables ----------------------------------------------------------------------------------------


def _declarations(cursor: Cursor, first: int, last: int) -> tuple[Node, ...]:
    """DECLARE @a INT = 1, @t TABLE (…), c CURSOR FOR SELECT …"""
    if first < last and not cursor.tokens[first].text.startswith("@"):
        return (declared(cursor, first, last),)
    found: list[Node] = []
    for begin, end in cursor.parts(first, last):
        name = cursor.tokens[begin].text.lower() if begin < end else ""
        sign = cursor.find({"="}, begin, end)
        value = None if sign is None else cursor.span(sign + 1, end)
        found.append(Declare(cursor.span(begin, end), (name,), value))
    return tuple(found)


def _set_beside(cursor: Cursor, first: int, last: int) -> tuple[str, ...]:
    """UPDATE t SET @a = x: a variable is filled by the way."""
    return tuple(
        cursor.tokens[place].text.lower()
        for place in range(first + 1, last - 1)
        if cursor.tokens[place].text.startswith("@")
        and cursor.tokens[place + 1].text == "="
        and cursor.tokens[place - 1].upper in ("SET", ",")
    )


_SELECT_WORDS = {"DISTINCT", "ALL"}
_AFTER_LIST = {"FROM", "WHERE", "GROUP", "ORDER", "OPTION", "HAVING", "UNION", "INTO", "FOR"}


def _assigning(cursor: Cursor, first: int, select: int, last: int) -> tuple[Node, ...]:
    """SELECT @a = COUNT(*), @b = … FROM …; nothing where it assigns no variable."""
    begin = select + 1
    while begin < last and cursor.tokens[begin].upper in _SELECT_WORDS:
        begin += 1
    if begin < last and cursor.tokens[begin].upper == "TOP":
        begin += 4 if begin + 1 < last and cursor.tokens[begin + 1].text == "(" else 2
    if begin >= last or not cursor.tokens[begin].text.startswith("@"):
        return ()
    if begin + 1 >= last or cursor.tokens[begin + 1].text not in ("=", "+"):
        return ()
    end = cursor.find(_AFTER_LIST, begin, last)
    end = last if end is None else end
    assigned = []
    for one, other in cursor.parts(begin, end):
        if one + 2 >= other or cursor.tokens[one + 1].text != "=":
            return (Other(cursor.span(first, last), "a value that grows from row to row"),)
        assigned.append((cursor.tokens[one].text.lower(), cursor.span(one + 2, other)))
    span, hole = cursor.span(first, last), cursor.span(begin, end)
    names = tuple(name for name, _ in assigned)
    return (Sql(span, "SELECT", names, hole, tuple(assigned)),)


def _execution(cursor: Cursor, first: int, last: int) -> Node:
    """EXEC (@sql), EXEC sp_executesql @sql, EXEC @rc = p @x OUTPUT."""
    span = cursor.span(first, last)
    place = first + 1
    if place < last and cursor.tokens[place].text == "(":
        closing = cursor.closing(place)
        return Dynamic(span, cursor.span(place + 1, last if closing is None else closing))
    filled = [
        plain(cursor.tokens[at - 1].text)
        for at in range(first + 1, last)
        if cursor.tokens[at].upper in ("OUTPUT", "OUT")
    ]
    if place + 1 < last and cursor.tokens[place + 1].text == "=":
        filled.append(cursor.tokens[place].text.lower())
        place += 2
    name, after = cursor.name_at(place)
    if name.lower().rpartition(".")[2] in ("sp_executesql", "[sp_executesql]"):
        end = cursor.find({","}, after, last)
        return Dynamic(span, cursor.span(after, last if end is None else end))
    if not name:
        return Other(span, "a statement that is not known")
    told = f"it runs {name}, which is read where it is written"
    return Assign(span, tuple(filled), None, told) if filled else Skip(span, told, alone=True)
