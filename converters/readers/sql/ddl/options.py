"""What stands behind a constraint: whether it is in force, and what changes nothing of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from ruleferry.converters.readers.sql.ddl.constraint import Options
from ruleferry.converters.readers.sql.ddl.cursor import Cursor

# Words that say what is in force, the longer ones first.
_EFFECTS: tuple[tuple[tuple[str, ...], Mapping[str, bool]], ...] = (
    (("NOT", "ENFORCED"), {"not_enforced": True}),
    (("NOT", "VALID"), {"not_validated": True}),
    (("NOT", "DEFERRABLE"), {}),
    (("NOT", "FOR", "REPLICATION"), {}),
    (("NOT", "TRUSTED"), {"not_validated": True}),
    (("TRUSTED",), {}),
    (("WITH", "NO", "CHECK", "OPTION"), {"not_enforced": True}),
    (("WITH", "CHECK", "OPTION"), {}),
    (("NO", "INHERIT"), {}),
    (("ENFORCED",), {"enforced": True}),
    (("ENABLE",), {"enforced": True}),
    (("DISABLE",), {"disabled": True}),
    (("NOVALIDATE",), {"not_validated": True}),
    (("VALIDATE",), {}),
    (("RELY",), {}),
    (("NORELY",), {}),
    (("DEFERRABLE",), {}),
    (("INITIALLY", "DEFERRED"), {}),
    (("INITIALLY", "IMMEDIATE"), {}),
    (("CLUSTERED",), {}),
    (("NONCLUSTERED",), {}),
    (("ENABLE", "QUERY", "OPTIMIZATION"), {}),
    (("DISABLE", "QUERY", "OPTIMIZATION"), {}),
    (("ON", "DELETE", "CASCADE"), {}),
    (("ON", "DELETE", "RESTRICT"), {}),
    (("ON", "DELETE", "NO", "ACTION"), {}),
    (("ON", "DELETE", "SET", "NULL"), {}),
    (("ON", "DELETE", "SET", "DEFAULT"), {}),
    (("ON", "UPDATE", "CASCADE"), {}),
    (("ON", "UPDATE", "RESTRICT"), {}),
    (("ON", "UPDATE", "NO", "ACTION"), {}),
    (("ON", "UPDATE", "SET", "NULL"), {}),
    (("ON", "UPDATE", "SET", "DEFAULT"), {}),
    (("ASC",), {}),
    (("DESC",), {}),
    (("TIMESERIES",), {}),
)
_IN_ORDER = sorted(_EFFECTS, key=lambda effect: -len(effect[0]))
_MATCHES = ("FULL", "SIMPLE", "PARTIAL")


def options(cursor: Cursor) -> Options:
    """Passes all that is known; what comes next is no option."""
    found = Options()
    while True:
        effect = _effect(cursor)
        if effect is not None:
            found = replace(found, **effect)  # type: ignore[arg-type]
        elif cursor.at("MATCH") and cursor.word(1) in _MATCHES:
            cursor.skip()
            found = replace(found, match=cursor.take_one_of(*_MATCHES))
        elif cursor.at("ON", "VIOLATION"):
            cursor.take("ON", "VIOLATION")
            found = replace(found, action=_violation(cursor))
        elif not _storage(cursor):
            return found


def _effect(cursor: Cursor) -> Mapping[str, bool] | None:
    for words, effect in _IN_ORDER:
        if cursor.take(*words):
            return effect
    return None


def _violation(cursor: Cursor) -> Literal["drop", "fail", "?"]:
    if cursor.take("DROP", "ROW"):
        return "drop"
    return "fail" if cursor.take("FAIL", "UPDATE") else "?"


def _storage(cursor: Cursor) -> bool:
    """Where and how an index of a key is kept. True where something was passed."""
    first = cursor.place
    if cursor.take("USING", "INDEX"):
        if cursor.group() is None:
            cursor.take("TABLESPACE")
            cursor.path()
    elif cursor.take("WITH") or cursor.take("INCLUDE"):
        if cursor.group() is None:
            cursor.place = first
    elif cursor.take("USING") and cursor.take_one_of("BTREE", "HASH"):
        pass
    elif cursor.take("EXCEPTIONS", "INTO") or cursor.take("TABLESPACE"):
        cursor.path()
    elif cursor.at("ON") and cursor.word(1) not in ("DELETE", "UPDATE", "CONFLICT", "VIOLATION"):
        cursor.skip()  # a filegroup or a scheme of partitions
        cursor.path()
        cursor.group()
    else:
        cursor.place = first
    return cursor.place > first
