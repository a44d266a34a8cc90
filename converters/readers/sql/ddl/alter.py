"""ALTER TABLE and ALTER DOMAIN: what is added, what is taken away, what is switched off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.ddl.column import column, key_columns
from ruleferry.converters.readers.sql.ddl.constraint import Column, Constraint, Definition, Options
from ruleferry.converters.readers.sql.ddl.cursor import Cursor, parts
from ruleferry.converters.readers.sql.ddl.statement import (
    Change,
    ChangeKind,
    Statement,
    StatementKind,
    exists_words,
    span,
    thing,
)
from ruleferry.converters.readers.sql.ddl.table import definition, item
from ruleferry.converters.readers.sql.ddl.tokens import Token

# Changes that say nothing of the records, by their first words.
_HARMLESS = (
    ("OWNER",), ("SET",), ("RESET",), ("ENGINE",), ("AUTO_INCREMENT",), ("COMMENT",), ("CLUSTER",),
    ("ADD", "INDEX"), ("ADD", "KEY"), ("ADD", "FULLTEXT"), ("ADD", "SPATIAL"), ("ADD", "PARTITION"),
    ("DROP", "PARTITION"), ("ATTACH",), ("DETACH",), ("TRUNCATE",), ("ENABLE", "TRIGGER"),
    ("DISABLE", "TRIGGER"), ("ENABLE", "ROW"), ("DISABLE", "ROW"), ("ENABLE", "ALWAYS"),
    ("FORCE",), ("REPLICA",), ("CONVERT",), ("DEFAULT",), ("CHARACTER",), ("CHARSET",), ("MOVE",),
    ("SHRINK",), ("LOGGING",), ("NOLOGGING",), ("PARALLEL",), ("NOPARALLEL",), ("CACHE",),
    ("NOCACHE",), ("COMPRESS",), ("NOCOMPRESS",), ("REBUILD",), ("SWITCH",), ("LOCK",),
    ("ALGORITHM",), ("ROW_FORMAT",), ("TBLPROPERTIES",), ("UNSET",), ("RECOVER",), ("SWAP",),
    ("ALTER", "SORTKEY"), ("ALTER", "DISTKEY"), ("ALTER", "DISTSTYLE"), ("ALTER", "ENCODE"),
    ("DISABLE", "KEYS"), ("ENABLE", "KEYS"), ("ORDER",), ("INHERIT",), ("NO", "INHERIT"),
    ("DROP", "INDEX"), ("DROP", "KEY"), ("RENAME", "INDEX"), ("ACTIVATE",), ("VALIDATE",),
    ("DISCARD",), ("IMPORT",), ("PARTITION",), ("EXCHANGE",), ("SPLIT",), ("MERGE",),
)  # fmt: skip


@dataclass(slots=True)
class _Found:
    columns: list[Column] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


def altered(tokens: Sequence[Token], text: str, dialect: SqlDialect) -> Statement | None:
    """None where it is no ALTER TABLE or ALTER DOMAIN."""
    cursor = Cursor(tokens)
    what = thing(cursor)
    if what is None or what[0] != "ALTER" or what[1] not in ("TABLE", "DOMAIN"):
        return None
    start, end = span(tokens)
    exists_words(cursor)
    table = cursor.path() or ""
    cursor.take("*")
    found = _Found()
    adding = False
    for part in parts(tokens[cursor.place :]):
        adding = _Action(part, text, dialect, table, found).read(adding)
    listed = Definition(tuple(found.columns), tuple(found.constraints))
    kind: StatementKind = "alter" if what[1] == "TABLE" else "domain"
    return Statement(kind, table, start, end, listed, changes=tuple(found.changes))


@dataclass(slots=True)
class _Action:
    tokens: Sequence[Token]
    text: str
    dialect: SqlDialect
    table: str
    found: _Found

    def read(self, adding: bool) -> bool:
        """Whether what a comma parts from it is added, too: `ADD a int, CONSTRAINT c CHECK (…)`."""
        cursor = Cursor(self.tokens)
        unchecked = cursor.take("WITH", "NOCHECK")
        if not unchecked:
            cursor.take("WITH", "CHECK")
        if self._of_domain(cursor) or any(cursor.at(*words) for words in _HARMLESS):
            return False
        for take in (self._switched, self._dropped, self._renamed, self._altered, self._modified):
            if take(cursor):
                return False
        if cursor.take("ADD") or adding:
            self._added(cursor, unchecked)
            return True
        self._unknown(cursor)
        return False

    def _of_domain(self, cursor: Cursor) -> bool:
        """ALTER DOMAIN d SET NOT NULL, DROP NOT NULL; of a table nothing begins so."""
        if cursor.at("SET", "NOT", "NULL"):
            found = Constraint("not_null", *span(self.tokens), columns=("VALUE",))
            self.found.constraints.append(found)
        elif cursor.at("DROP", "NOT", "NULL"):
            self._change("drop_not_null", "VALUE")
        else:
            return False
        return True

    def _unknown(self, cursor: Cursor) -> None:
        token = cursor.next or self.tokens[0]
        reason = f"the change {token.text!r} can't be read"
        broken = Constraint("other", *span(self.tokens))
        self.found.constraints.append(broken.unread("not_readable", reason))

    def _change(self, kind: ChangeKind, name: str | None, columns: tuple[str, ...] = ()) -> None:
        at = self.tokens[0].start
        self.found.changes.append(Change(kind, self.table, at, name or "", columns))

    # ADD ------------------------------------------------------------------------------------------

    def _added(self, cursor: Cursor, unchecked: bool) -> None:
        cursor.take_one_of("COLUMN", "COLUMNS")
        exists_words(cursor)
        if cursor.at("("):
            self._several(cursor)
            return
        rest = self.tokens[cursor.place :]
        if not rest:
            self._unknown(cursor)
            return
        if _is_default(rest):
            return
        self._keep(item(rest, self.text, self.dialect), unchecked)

    def _several(self, cursor: Cursor) -> None:
        inside = cursor.group()
        if inside is None or not cursor.done:
            self._unknown(cursor)
            return
        listed = definition(inside, self.text, self.dialect)
        self.found.columns += listed.columns
        self.found.constraints += listed.constraints

    def _keep(self, found: Column | Constraint | None, unchecked: bool = False) -> None:
        if isinstance(found, Column):
            self.found.columns.append(found)
        elif found is not None:
            kept = replace(found, start=self.tokens[0].start)
            self.found.constraints.append(_not_validated(kept) if unchecked else kept)

    # What is switched on and off ------------------------------------------------------------------

    def _switched(self, cursor: Cursor) -> bool:
        first = cursor.place
        modify = cursor.take("MODIFY") or cursor.take("ALTER")
        word = cursor.take_one_of("ENABLE", "DISABLE", "NOCHECK", "CHECK")
        cursor.take_one_of("VALIDATE", "NOVALIDATE")
        if not (word or modify) or not cursor.take_one_of("CONSTRAINT", "CHECK"):
            cursor.place = first
            return False
        name = cursor.name() or ""
        rest = {token.word for token in self.tokens[cursor.place :]}
        off = word in ("DISABLE", "NOCHECK") or "DISABLE" in rest or {"NOT", "ENFORCED"} <= rest
        on = word in ("ENABLE", "CHECK") or "ENABLE" in rest or "ENFORCED" in rest
        if off or on:
            self._change("disable" if off else "enable", "" if name.upper() == "ALL" else name)
        return True

    # DROP and RENAME ------------------------------------------------------------------------------

    def _dropped(self, cursor: Cursor) -> bool:
        if not cursor.take("DROP"):
            return False
        if cursor.take("PRIMARY", "KEY"):
            self._change("drop_primary", None)
        elif cursor.take("UNIQUE"):
            inside = cursor.group()
            self._change("drop", None, key_columns(inside or ()) or ("",))
        elif cursor.take_one_of("CONSTRAINT", "CHECK") or cursor.take("FOREIGN", "KEY"):
            exists_words(cursor)
            self._change("drop", cursor.name())
        else:
            self._dropped_columns(cursor)
        return True

    def _dropped_columns(self, cursor: Cursor) -> None:
        cursor.take_one_of("COLUMN", "COLUMNS")
        exists_words(cursor)
        inside = cursor.group()
        names: list[str | None] = [
            token.value for token in inside or () if token.kind in ("word", "name")
        ]
        for name in names or (cursor.name(),):
            self._change("drop_column", name)

    def _renamed(self, cursor: Cursor) -> bool:
        if not cursor.take("RENAME"):
            return False
        if cursor.take("CONSTRAINT") or cursor.take("INDEX"):
            return True
        if cursor.take("TO") or cursor.take("AS"):
            self._change("rename_table", cursor.path())
            return True
        cursor.take("COLUMN")
        self._change("rename_column", cursor.name())
        return True

    # ALTER COLUMN, MODIFY, CHANGE -----------------------------------------------------------------

    def _altered(self, cursor: Cursor) -> bool:
        if not cursor.take("ALTER"):
            return False
        cursor.take("COLUMN")
        first = cursor.place
        name = cursor.name()
        if name is None:
            self._unknown(cursor)
        elif cursor.take("SET", "NOT", "NULL"):
            start, end = span(self.tokens)
            self.found.constraints.append(
                Constraint("not_null", start, end, columns=(name,), of_column=True)
            )
        elif cursor.take("DROP", "NOT", "NULL"):
            self._change("drop_not_null", name)
        elif cursor.take("TYPE") or cursor.take("SET", "DATA", "TYPE"):
            self._change("drop_type", name)
        elif not cursor.take_one_of("SET", "DROP", "ADD", "RESET", "COMMENT", "RESTART"):
            self._redefined(self.tokens[first:])
        return True

    def _modified(self, cursor: Cursor) -> bool:
        word = cursor.take_one_of("MODIFY", "CHANGE")
        if not word:
            return False
        cursor.take("COLUMN")
        if word == "CHANGE":
            old = cursor.name()
            new = cursor.tokens[cursor.place].value if not cursor.done else ""
            if old and old.lower() != new.lower():
                self._change("rename_column", old)
        inside = cursor.group() if cursor.at("(") else self.tokens[cursor.place :]
        for part in parts(inside or ()):
            self._redefined(part)
        return True

    def _redefined(self, tokens: Sequence[Token]) -> None:
        """MySQL and T-SQL state a column anew, and what is not said is gone; Oracle adds to it."""
        found = column(tokens, self.text, self.dialect)
        if found is None:
            self._unknown(Cursor(tokens))
            return
        anew = self.dialect.name != "oracle"
        required = any(constraint.kind == "not_null" for constraint in found.constraints)
        if found.nullable or (anew and not required and found.type):
            self._change("drop_not_null", found.name)
        if found.type:
            self._change("drop_type", found.name)
        self.found.columns.append(found)


def _is_default(tokens: Sequence[Token]) -> bool:
    """T-SQL: ADD CONSTRAINT df DEFAULT 0 FOR qty; MySQL: ADD INDEX is told before."""
    cursor = Cursor(tokens)
    if cursor.take("CONSTRAINT"):
        cursor.name()
    return cursor.at("DEFAULT")


def _not_validated(found: Constraint) -> Constraint:
    given: Options = replace(found.options, not_validated=True)
    return replace(found, options=given)
