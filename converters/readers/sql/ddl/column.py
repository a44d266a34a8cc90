"""The definition of a column: its name, its type as it is written, and its constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.ddl.constraint import Column, Constraint, Options
from ruleferry.converters.readers.sql.ddl.cursor import Cursor, parts
from ruleferry.converters.readers.sql.ddl.options import options
from ruleferry.converters.readers.sql.ddl.tokens import Token

# Words at which a type, or a default, ends.
_CLAUSES = frozenset({
    "NOT", "NULL", "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "DEFAULT", "GENERATED",
    "IDENTITY", "AUTO_INCREMENT", "AUTOINCREMENT", "AS", "COLLATE", "COMMENT", "ENCODE", "DISTKEY",
    "SORTKEY", "OPTIONS", "ON", "KEY", "FORMAT", "TITLE", "COMPRESS", "CASESPECIFIC", "UPPERCASE",
    "STORAGE", "COMPRESSION", "VISIBLE", "INVISIBLE", "SPARSE", "ROWGUIDCOL", "HIDDEN", "MASKED",
    "ENCRYPTED", "MASKING", "FIRST", "AFTER", "PERSISTED", "STORED", "VIRTUAL", "ENABLE",
    "DISABLE", "ENCRYPT", "INLINE", "TAG", "FOREIGN", "EXCLUDE", "SRID", "INCLUDE", "ENFORCED",
})  # fmt: skip
# Clauses that say nothing of the records: the words, and what follows them.
_BARE = frozenset({
    "AUTO_INCREMENT", "AUTOINCREMENT", "DISTKEY", "SORTKEY", "CASESPECIFIC", "UPPERCASE",
    "VISIBLE", "INVISIBLE", "SPARSE", "ROWGUIDCOL", "HIDDEN", "PERSISTED", "STORED", "VIRTUAL",
    "FIRST",
})  # fmt: skip
_WITH_VALUE = frozenset({
    "COLLATE", "COMMENT", "ENCODE", "FORMAT", "TITLE", "STORAGE", "COMPRESSION", "AFTER", "SRID",
})  # fmt: skip
_WITH_GROUP = frozenset({"OPTIONS", "COMPRESS", "IDENTITY", "TAG"})


def column(tokens: Sequence[Token], text: str, dialect: SqlDialect) -> Column | None:
    """None where no name stands first. What can't be read is a constraint with a problem."""
    cursor = Cursor(tokens)
    name = cursor.path()
    if name is None:
        return None
    first, last = tokens[0], tokens[-1]
    kind, of_type = _type(cursor, name, text, dialect)
    found = [*of_type]
    null: tuple[int, int] | None = None
    while not cursor.done:
        before = cursor.place
        if cursor.take("NULL"):
            null = tokens[before].start, tokens[before].end
        elif constraint := column_constraint(cursor, name, text, dialect):
            found.append(constraint)
        elif not _harmless(cursor):
            found = _unknown(found, cursor, name, before, last)
            break
    return Column(name, kind, first.start, last.end, tuple(found), null)


def _unknown(
    found: list[Constraint], cursor: Cursor, name: str, place: int, last: Token
) -> list[Constraint]:
    """Words that nobody can read may change the constraint that stands before them."""
    token = cursor.tokens[place]
    reason = f"{token.text!r} in the definition of {name} can't be read"
    if found and found[-1].end == cursor.tokens[place - 1].end:
        found[-1] = found[-1].unread("not_readable", reason)
        return found
    broken = Constraint("other", token.start, last.end, columns=(name,))
    return [*found, broken.unread("not_readable", reason)]


def _type(
    cursor: Cursor, name: str, text: str, dialect: SqlDialect
) -> tuple[str, list[Constraint]]:
    """The type as it is written, and what it says of the values."""
    first = cursor.place
    angles = 0
    while (token := cursor.next) is not None:
        if not angles and (token.word in _CLAUSES or _ends_type(cursor)):
            break
        if token.text == "(":
            if cursor.group() is None:
                break
            continue
        angles += (token.text == "<") - (token.text == ">")
        cursor.skip()
    if cursor.place == first:
        return "", []
    own = cursor.tokens[first : cursor.place]
    return text[own[0].start : own[-1].end], [*_of_words(own, name, dialect), *_nested(own, name)]


def _nested(own: Sequence[Token], name: str) -> list[Constraint]:
    """STRUCT<a INT NOT NULL>."""
    if not any(token.word == "NULL" for token in own):
        return []
    found = Constraint("other", own[0].start, own[-1].end, columns=(name,), of_column=True)
    return [found.unread("dialect_meaning", f"a field within {name} has a constraint of its own")]


def _ends_type(cursor: Cursor) -> bool:
    if cursor.at("WITH"):
        return cursor.word(1) not in ("TIME", "LOCAL")
    return cursor.at("CHARACTER", "SET") or cursor.at("CHARSET")


def _of_words(own: Sequence[Token], name: str, dialect: SqlDialect) -> list[Constraint]:
    """ENUM, SET and UNSIGNED of MySQL."""
    if dialect.name != "mysql" and own[0].word != "ENUM":
        return []
    start, end = own[0].start, own[-1].end
    words = {token.word for token in own}
    if own[0].word == "ENUM":
        values = tuple(plain_text(token.text) for token in own if token.kind == "text")
        listed = Constraint("enum", start, end, columns=(name,), values=values, of_column=True)
        return [listed]
    if own[0].word == "SET":
        listed = Constraint("other", start, end, columns=(name,), of_column=True)
        reason = f"{name} is a SET, whose values are lists of the words that it names"
        return [listed.unread("dialect_meaning", reason)]
    if words & {"UNSIGNED", "ZEROFILL"}:
        return [Constraint("unsigned", start, end, columns=(name,), of_column=True)]
    return []


def plain_text(literal: str) -> str:
    """The text that a literal stands for, without escapes of a dialect."""
    quote = literal[-1]
    return literal[literal.index(quote) + 1 : -1].replace(quote * 2, quote)


# Constraints --------------------------------------------------------------------------------------


def column_constraint(
    cursor: Cursor, name: str, text: str, dialect: SqlDialect
) -> Constraint | None:
    """The constraint that begins here; the place stays where there is none."""
    first = cursor.place
    own_name = cursor.name() if cursor.take("CONSTRAINT") else None
    for read in _READERS:
        at = cursor.place
        found = read(cursor, text)
        if found is not None:
            found = replace(found, columns=(name,), of_column=True)
            return finished(found, cursor, first, own_name)
        cursor.place = at
    cursor.place = first
    return None


def finished(found: Constraint, cursor: Cursor, first: int, name: str | None) -> Constraint:
    """With its name, where it stands, and what stands behind it."""
    given = options(cursor)
    if found.options.not_enforced:
        given = replace(given, not_enforced=True)
    start = cursor.tokens[first].start
    last = cursor.last
    end = last.end if last else start
    return replace(found, name=name, start=start, end=end, options=given)


def _not_null(cursor: Cursor, text: str) -> Constraint | None:
    return Constraint("not_null", 0, 0) if cursor.take("NOT", "NULL") else None


def _primary(cursor: Cursor, text: str) -> Constraint | None:
    if cursor.take("PRIMARY", "KEY") or cursor.take("KEY"):
        return Constraint("primary", 0, 0)
    return None


def _unique(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("UNIQUE"):
        return None
    cursor.take_one_of("KEY", "INDEX")
    return unique_nulls(cursor, Constraint("unique", 0, 0))


def unique_nulls(cursor: Cursor, found: Constraint) -> Constraint:
    if cursor.take("NULLS", "NOT", "DISTINCT"):
        return replace(found, nulls="same")
    if cursor.take("NULLS", "DISTINCT"):
        return replace(found, nulls="distinct")
    return found


def check(cursor: Cursor, text: str) -> Constraint | None:
    if not cursor.take("CHECK"):
        return None
    cursor.take("NOT", "FOR", "REPLICATION")
    return condition(cursor, text, Constraint("check", 0, 0))


def expect(cursor: Cursor, text: str) -> Constraint | None:
    """Of a table of a pipeline on Databricks."""
    if not cursor.take("EXPECT"):
        return None
    return condition(cursor, text, Constraint("expect", 0, 0))


def condition(cursor: Cursor, text: str, found: Constraint) -> Constraint:
    inside = cursor.group()
    if not inside:
        return found.unread("not_readable", "no condition in parentheses follows")
    return replace(found, text=text[inside[0].start : inside[-1].end])


def references(cursor: Cursor, text: str) -> Constraint | None:
    """REFERENCES and what follows; also behind FOREIGN KEY (…)."""
    cursor.take("FOREIGN", "KEY")
    if not cursor.take("REFERENCES"):
        return None
    no_check = cursor.take("WITH", "NO", "CHECK", "OPTION")
    cursor.take("WITH", "CHECK", "OPTION")
    target = cursor.path()
    if target is None:
        return Constraint("foreign", 0, 0).unread("not_readable", "no table is referred to")
    inside = cursor.group()
    names = key_columns(inside) if inside is not None else ()
    found = Constraint("foreign", 0, 0, target=target, target_columns=names or ())
    if names is None:
        return found.unread("not_readable", "its list of columns can't be read")
    return replace(found, options=Options(not_enforced=True)) if no_check else found


_READERS: Sequence[Callable[[Cursor, str], Constraint | None]] = (
    _not_null, _primary, _unique, check, references, expect,
)  # fmt: skip


def key_columns(tokens: Sequence[Token]) -> tuple[str, ...] | None:
    """The columns of a key; None where one of them is more than a column."""
    found = []
    for part in parts(tokens):
        cursor = Cursor(part)
        name = cursor.name()
        cursor.take_one_of("ASC", "DESC")
        if cursor.take("NULLS"):
            cursor.take_one_of("FIRST", "LAST")
        if name is None or not cursor.done:
            return None
        found.append(name)
    return tuple(found)


# Clauses that state nothing of the records --------------------------------------------------------


def _harmless(cursor: Cursor) -> bool:
    """Passes a clause that is known to state nothing; False where none is here."""
    if cursor.take_one_of(*_BARE):
        _steps(cursor)
        return True
    if cursor.take_one_of(*_WITH_VALUE):
        return cursor.skip() is not None
    if cursor.take_one_of(*_WITH_GROUP):
        cursor.group()
        _steps(cursor)
        return True
    return any(clause(cursor) for clause in _SHAPES)


def _steps(cursor: Cursor) -> None:
    """AUTOINCREMENT START 1 INCREMENT 1 NOORDER."""
    while word := cursor.take_one_of("START", "INCREMENT", "ORDER", "NOORDER"):
        if word in ("START", "INCREMENT"):
            cursor.take_one_of("WITH", "BY")
            cursor.skip()


def _default(cursor: Cursor) -> bool:
    """It may have a name (T-SQL)."""
    if cursor.at("CONSTRAINT") and cursor.word(2) == "DEFAULT":
        cursor.skip()
        cursor.name()
    if cursor.at("WITH", "DEFAULT"):
        cursor.skip()
    if not cursor.take("DEFAULT"):
        return False
    cursor.take("ON", "NULL")
    if cursor.done or cursor.word() in _CLAUSES - {"NULL"}:
        return True  # Db2: the default of the type
    if cursor.group() is None:
        cursor.skip()
    _rest_of_value(cursor)
    return True


def _rest_of_value(cursor: Cursor) -> None:
    """Of an expression that no parentheses end: it goes on to the next clause."""
    while not cursor.done and cursor.word() not in _CLAUSES and not cursor.at("WITH", "VALUES"):
        if cursor.group() is None:
            cursor.skip()
    cursor.take("WITH", "VALUES")


def _generated(cursor: Cursor) -> bool:
    if cursor.take("GENERATED"):
        if not (cursor.take("ALWAYS") or cursor.take("BY", "DEFAULT")):
            return False
        cursor.take("ON", "NULL")
    if not cursor.take("AS"):
        return False
    if cursor.take("IDENTITY"):
        cursor.group()
        return True
    if cursor.take("ROW"):
        return bool(cursor.take_one_of("START", "END"))
    return cursor.group() is not None


def _on_update(cursor: Cursor) -> bool:
    """MySQL: ON UPDATE CURRENT_TIMESTAMP(3)."""
    if not cursor.take("ON", "UPDATE"):
        return False
    cursor.skip()
    cursor.group()
    return True


def _not_something(cursor: Cursor) -> bool:
    return cursor.take("NOT", "CASESPECIFIC") or cursor.take("NOT", "FOR", "REPLICATION")


def _charset(cursor: Cursor) -> bool:
    if cursor.take("CHARACTER", "SET") or cursor.take("CHARSET"):
        return cursor.skip() is not None
    return False


def _masked(cursor: Cursor) -> bool:
    if cursor.at("WITH") and cursor.word(1) in ("MASKING", "TAG"):
        cursor.skip()
    if cursor.take("MASKED") or cursor.take("ENCRYPTED"):
        cursor.take("WITH")
        return cursor.group() is not None
    if cursor.take("MASKING", "POLICY"):
        cursor.path()
        if cursor.take("USING"):
            cursor.group()
        return True
    if cursor.take("TAG"):
        return cursor.group() is not None
    return False


def _lengths(cursor: Cursor) -> bool:
    if cursor.take("INLINE", "LENGTH"):
        return cursor.skip() is not None
    return cursor.take("FOR", "BIT", "DATA")


_SHAPES: Sequence[Callable[[Cursor], bool]] = (
    _default, _generated, _on_update, _not_something, _charset, _masked, _lengths,
)  # fmt: skip
