"""CREATE and DROP of tables, unique indexes, domains and types."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.ddl.column import column, plain_text
from ruleferry.converters.readers.sql.ddl.constraint import Constraint, Definition
from ruleferry.converters.readers.sql.ddl.cursor import Cursor
from ruleferry.converters.readers.sql.ddl.index import unique_index
from ruleferry.converters.readers.sql.ddl.statement import (
    Change,
    ChangeKind,
    Statement,
    StatementKind,
    exists_words,
    query_place,
    span,
    thing,
)
from ruleferry.converters.readers.sql.ddl.table import definition
from ruleferry.converters.readers.sql.ddl.tokens import Token

_ELSEWHERE = "it takes the constraints of {what} over, which are not read with it"


def created(tokens: Sequence[Token], text: str, dialect: SqlDialect) -> Statement | None:
    """None where it is no CREATE or DROP of these."""
    cursor = Cursor(tokens)
    found = thing(cursor)
    if found is None or found[0] == "ALTER":
        return None
    verb, what, between = found
    if verb == "DROP":
        return _dropped(what, tokens, cursor)
    if what == "TABLE":
        return _table(tokens, cursor, between, text, dialect)
    if what == "INDEX":
        return _index(tokens, cursor, between, text)
    return _type(what, tokens, cursor, text, dialect)


def _dropped(what: str, tokens: Sequence[Token], cursor: Cursor) -> Statement:
    start, end = span(tokens)
    exists_words(cursor)
    changes = []
    while (name := cursor.path()) is not None:
        kind: ChangeKind = "drop_table" if what == "TABLE" else "drop"
        changes.append(Change(kind, name if what == "TABLE" else "", start, name))
        if what == "INDEX" and cursor.take("ON"):
            cursor.path()
        if not cursor.take(","):
            break
    first = changes[0].name if changes else ""
    return Statement("drop", first, start, end, changes=tuple(changes))


def _table(
    tokens: Sequence[Token],
    cursor: Cursor,
    between: frozenset[str],
    text: str,
    dialect: SqlDialect,
) -> Statement:
    start, end = span(tokens)
    exists_words(cursor)
    name = cursor.path() or ""
    extra = list(_inherited(cursor, tokens))
    _fallback(cursor)
    inside = cursor.group()
    if inside is None and cursor.at("("):
        broken = Constraint("other", start, end)
        extra.append(broken.unread("not_readable", "its list of columns does not end"))
        inside = tuple(tokens[cursor.place + 1 :])
        cursor.place = len(tokens)
    listed = definition(inside, text, dialect) if inside is not None else Definition()
    extra += _behind(tokens, cursor, text)
    outside = next((word for word in ("EXTERNAL", "FOREIGN") if word in between), "")
    told = f"it does not check the records of an {outside.lower()} table" if outside else ""
    return Statement("table", name, start, end, listed, tuple(extra), not_enforced=told)


def _fallback(cursor: Cursor) -> None:
    """Teradata states how a table is kept before its columns."""
    if not cursor.at(","):
        return
    while not cursor.done and not cursor.at("("):
        cursor.skip()


def _inherited(cursor: Cursor, tokens: Sequence[Token]) -> list[Constraint]:
    """Constraints that another table states."""
    first = cursor.place
    for words in (("LIKE",), ("CLONE",), ("PARTITION", "OF"), ("OF",), ("SHALLOW", "CLONE"),
                  ("DEEP", "CLONE"), ("COPY",)):  # fmt: skip
        if cursor.take(*words):
            what = cursor.path() or "another table"
            found = Constraint("other", *span(tokens[first : cursor.place]))
            return [found.unread("unknown_shape", _ELSEWHERE.format(what=what))]
    return []


def _behind(tokens: Sequence[Token], cursor: Cursor, text: str) -> list[Constraint]:
    """Behind the list: how the table is kept, its heirs, an index of Teradata, a query."""
    found: list[Constraint] = []
    query = query_place(tokens, cursor.place)
    while not cursor.done and cursor.place != query:
        first = cursor.place
        if cursor.take("INHERITS"):
            cursor.group()
            broken = Constraint("other", *span(tokens[first : cursor.place]))
            found.append(broken.unread("unknown_shape", _ELSEWHERE.format(what="its parent")))
        elif cursor.take("UNIQUE"):
            found.append(_teradata_index(tokens, cursor, first))
        elif cursor.at("TBLPROPERTIES", "("):
            found += _properties(tokens, cursor, text)
        elif cursor.group() is None:
            cursor.skip()
    if query is not None:
        found += _of_query(tokens[query:])
    return found


def _teradata_index(tokens: Sequence[Token], cursor: Cursor, first: int) -> Constraint:
    """UNIQUE PRIMARY INDEX name (a, b): a missing value is one value there."""
    cursor.take("PRIMARY")
    cursor.take("INDEX")
    name = None if cursor.at("(") else cursor.name()
    inside = cursor.group()
    names = tuple(token.value for token in inside or () if token.kind in ("word", "name"))
    found = Constraint(
        "unique", *span(tokens[first : cursor.place]), name=name, columns=names, index=True
    )
    return found if names else found.unread("not_readable", "its columns can't be read")


def _properties(tokens: Sequence[Token], cursor: Cursor, text: str) -> list[Constraint]:
    """A table of Delta may have conditions among its properties."""
    first = cursor.place
    cursor.skip()
    inside = cursor.group() or ()
    if not any("delta.constraints." in token.text.lower() for token in inside):
        return []
    found = Constraint("other", *span(tokens[first : max(cursor.place, first + 1)]))
    return [found.unread("unknown_shape", "a condition stands among the table's properties")]


_FILTERS = frozenset({"WHERE", "HAVING", "JOIN", "QUALIFY"})


def _of_query(tokens: Sequence[Token]) -> list[Constraint]:
    if not _FILTERS & {token.word for token in tokens}:
        return []
    found = Constraint("other", *span(tokens))
    reason = "the query that fills the table picks records, and is not read with its constraints"
    return [found.unread("unknown_shape", reason)]


# Indexes, domains, types --------------------------------------------------------------------------


def _index(
    tokens: Sequence[Token], cursor: Cursor, between: frozenset[str], text: str
) -> Statement:
    start, end = span(tokens)
    if "UNIQUE" not in between:
        return Statement("index", "", start, end)
    table, found = unique_index(tokens, cursor, text)
    return Statement("index", table, start, end, extra=(found,))


def _type(
    what: str, tokens: Sequence[Token], cursor: Cursor, text: str, dialect: SqlDialect
) -> Statement:
    """Its conditions hold for each column of that type."""
    start, end = span(tokens)
    kind: StatementKind = "domain" if what == "DOMAIN" else "type"
    name = cursor.path() or ""
    if what == "TYPE" and cursor.take("AS", "ENUM"):
        inside = cursor.group() or ()
        values = tuple(plain_text(token.text) for token in inside if token.kind == "text")
        return Statement("type", name, start, end, values=values)
    if what == "TYPE" and not cursor.take("FROM"):
        return Statement("type", name, start, end)
    cursor.take("AS")
    # Read as a column called VALUE, which is what the conditions of a domain say.
    head = Token("word", "VALUE", start, start)
    found = column([head, *tokens[cursor.place :]], text, dialect)
    if found is None:
        return Statement(kind, name, start, end)
    return Statement(kind, name, start, end, Definition((found,)), base=found.type)
