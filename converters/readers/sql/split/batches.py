"""Batches of SQL Server: statements need no semicolon, and control flow holds them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ruleferry.converters.readers.sql.found import Piece
from ruleferry.converters.readers.sql.split.joining import joined

_ROUTINES = frozenset({"PROC", "PROCEDURE", "FUNCTION", "TRIGGER"})
_CONTROL = frozenset({"WHILE", "RETURN", "GOTO"})
_TRANSACTION = frozenset({"TRAN", "TRANSACTION", "DISTRIBUTED", "DIALOG", "CONVERSATION"})
# Reserved words that can only begin a statement, where what stands before them is complete.
_STARTS = frozenset(
    {"DECLARE", "PRINT", "RAISERROR", "OPEN", "CLOSE", "DEALLOCATE", "COMMIT", "ROLLBACK", "USE",
     "DBCC", "CHECKPOINT", "WAITFOR", "GOTO", "RETURN", "WHILE", "BEGIN", "GRANT", "DENY",
     "REVOKE", "TRUNCATE", "EXEC", "EXECUTE", "SELECT", "INSERT", "UPDATE", "DELETE", "SET", "IF"}
)  # fmt: skip
# Those that begin one before certain words alone.
_OBJECTS = frozenset(
    {"TABLE", "VIEW", "PROC", "PROCEDURE", "FUNCTION", "TRIGGER", "SCHEMA", "DATABASE", "USER",
     "LOGIN", "ROLE", "TYPE", "SEQUENCE", "SYNONYM", "STATISTICS", "UNIQUE", "CLUSTERED",
     "NONCLUSTERED", "INDEX", "OR", "EXTERNAL", "PARTITION", "FULLTEXT", "XML"}
)  # fmt: skip
_BEFORE_OBJECT = frozenset({"CREATE", "ALTER", "DROP"})
_BEFORE_ONE: dict[str, frozenset[str]] = {
    "BULK": frozenset({"INSERT"}),
    "BACKUP": frozenset({"DATABASE", "LOG"}),
    "RESTORE": frozenset({"DATABASE", "LOG", "FILELISTONLY", "HEADERONLY"}),
    "FETCH": frozenset({"NEXT", "PRIOR", "FIRST", "LAST", "ABSOLUTE", "RELATIVE", "FROM"}),
}
# Behind them a statement is not complete, so that nothing begins there.
_INCOMPLETE = frozenset(
    {".", ",", "(", "=", "<", ">", "+", "-", "*", "/", "%", "!", "AS", "AND", "OR", "NOT", "BY",
     "WHERE", "HAVING", "FROM", "JOIN", "SELECT", "VALUES", "INTO", "IN", "LIKE", "BETWEEN", "IS",
     "CASE", "WHEN", "THEN", "ELSE", "FOR", "WITH", "UNION", "ALL", "EXCEPT", "INTERSECT", "GRANT",
     "DENY", "REVOKE", "OF", "AFTER", "BULK", "DISTINCT", "EXISTS", "TOP", "OPTION"}
)  # fmt: skip
_MAIN = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})
_FILLS = frozenset({"SELECT", "EXEC", "EXECUTE"})


class Batch:
    """What was seen since the last GO.

    `_from`: the batch's first piece; `_routines`: the pieces that a routine begins with, which go
    on to the next of them or to the end. `_due`: verbs that would go on with the statement.
    """

    def __init__(self) -> None:
        self._from = 0
        self._reset()

    def _reset(self) -> None:
        self._routines: list[int] = []
        self._whole = False
        self._declared: set[str] = set()
        self.end_statement()

    def end_statement(self) -> None:
        self._first = ""
        self._before = ""
        self._count = 0
        self._parens = 0
        self._due: frozenset[str] = frozenset()
        self._names: set[str] = set()  # what this statement declares
        self._with = 0  # words since WITH

    # Where a statement begins -----------------------------------------------------------------

    def starts(self, token: str, follows: Callable[[], str]) -> bool:
        """The token can't go on with the statement at hand."""
        if self._parens or self._before in _INCOMPLETE or token in self._due:
            return False
        if token in _BEFORE_OBJECT:
            return follows() in _OBJECTS and self._may_follow(token)
        if token in _BEFORE_ONE:
            return follows() in _BEFORE_ONE[token] and self._before not in ("ROW", "ROWS")
        if token == "MERGE":
            return self._before != "INNER" and follows() not in ("JOIN", "UNION")
        return token in _STARTS and self._may_follow(token)

    def _may_follow(self, token: str) -> bool:
        if self._before == "ON" and self._first != "SET":
            return False  # ON DELETE, ON UPDATE
        if token == "SET":
            return self._first != "ALTER" and self._before not in ("UPDATE", "DELETE")
        if token == "IF":
            return self._first not in ("DROP", "ALTER") or self._before not in _OBJECTS | {"COLUMN"}
        if token in _BEFORE_OBJECT and self._first == "ALTER":
            return self._count > 3 or token == "CREATE"
        return True

    # What the tokens mean ---------------------------------------------------------------------

    def token(self, token: str, piece: int, follows: Callable[[], str]) -> None:
        """The next one; `piece`: the number of its statement's piece."""
        self._count += 1
        if self._count == 1:
            self._first = token
            self._due = _due(token)
        if token == "(":
            self._parens += 1
        elif token == ")":
            self._parens = max(0, self._parens - 1)
        elif token[:1] == "@":
            self._variable(token)
        elif token[:1].isalpha() and self._parens == 0:
            self._word(token, piece, follows)
        self._before = token

    def _word(self, word: str, piece: int, follows: Callable[[], str]) -> None:
        if word in _ROUTINES and self._makes_routine():
            self._routines.append(piece)
        elif not self._routines and self._controls(word, follows):
            self._whole = True
        self._expect(word)

    def _controls(self, word: str, follows: Callable[[], str]) -> bool:
        if word == "BEGIN":
            return follows() not in _TRANSACTION
        if word == "IF":
            return self._count == 1
        return word in _CONTROL or (word == "CURSOR" and self._first == "DECLARE")

    def _makes_routine(self) -> bool:
        if self._first not in ("CREATE", "ALTER"):
            return False
        return self._count == 2 or (self._count == 4 and self._before == "ALTER")

    def _variable(self, name: str) -> None:
        if self._first == "DECLARE" and self._parens == 0 and self._before in ("DECLARE", ","):
            self._names.add(name)
            self._declared.add(name)
        elif name in self._declared and name not in self._names and not self._routines:
            self._whole = True

    def _expect(self, word: str) -> None:
        if self._count > 1 and word in self._due:
            self._due = _due(word)
        elif word == "VALUES" or (word == "STATISTICS" and self._before == "UPDATE"):
            self._due = frozenset()
        if self._is_cte(word):
            self._due = _MAIN

    def _is_cte(self, word: str) -> bool:
        """WITH name AS: what it is for comes behind."""
        self._with = 1 if word == "WITH" else self._with + 1 if self._with else 0
        return self._with == 3 and word == "AS"

    # The end of a batch -----------------------------------------------------------------------

    def end(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces, where those of a statement that goes on are one."""
        starts = [self._from, *self._routines, len(pieces)]
        found = list(pieces[: self._from])
        for number, (start, end) in enumerate(pairwise(starts)):
            part = pieces[start:end]
            found += joined(part) if number or self._whole else part
        self._from = len(found)
        self._reset()
        return found


def _due(verb: str) -> frozenset[str]:
    if verb == "INSERT":
        return _FILLS
    return frozenset({"SET"}) if verb == "UPDATE" else frozenset()
