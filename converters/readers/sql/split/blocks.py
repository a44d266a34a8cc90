"""Whether a semicolon stands inside a statement: blocks, routines, packages, macros."""

from __future__ import annotations

from collections.abc import Callable

from ruleferry.converters.readers.sql.split.facts import Facts

_ROUTINES = frozenset({"PROCEDURE", "FUNCTION", "TASK", "PACKAGE", "TYPE"})
_MADE = _ROUTINES | {"TRIGGER", "EVENT", "MACRO", "RULE", "JAVA"}
_MAKE = frozenset({"CREATE", "REPLACE", "ALTER"})
# Words that may stand between CREATE and what is made.
_BETWEEN = frozenset(
    {"OR", "REPLACE", "ALTER", "EDITIONABLE", "NONEDITIONABLE", "DEFINER", "SECURE", "TEMP", "AND",
     "TEMPORARY", "CONSTRAINT", "AGGREGATE", "EXTERNAL", "RESOLVE", "COMPILE", "NOFORCE"}
)  # fmt: skip
_LOOPS = frozenset({"LOOP", "WHILE", "FOR", "REPEAT"})
# A statement of a block begins behind them.
_BEFORE = frozenset({";", "THEN", "ELSE", "DO", "LOOP", "BEGIN", "ATOMIC", "REPEAT", ":", ">"})
# BEGIN of a transaction is no block.
_TRANSACTION = frozenset({";", "TRANSACTION", "TRAN", "WORK", "NAME", "ISOLATION", "READ", ""})
# Behind IS or AS: the body is elsewhere, or there is none.
_ELSEWHERE = frozenset(
    {"LANGUAGE", "EXTERNAL", "OBJECT", "TABLE", "VARRAY", "VARYING", "OPAQUE", "JSON", "(", "'"}
)
_BLOCKS = frozenset({"begin", "unit", "package", "compound"})


class Blocks:
    """What is open in a statement, by its code tokens: words in capitals, signs, "" for others.

    `_open`: "unit" waits for the BEGIN of a routine or of DECLARE, "package" and "compound"
    (a trigger) for their own END; "begin", "case", "if" and "loop" for theirs.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.reset()

    def reset(self) -> None:
        self._open: list[str] = []
        self._count = 0
        self.parens = 0
        self._before = ""
        self._first = ""
        self._made = ""  # by CREATE
        self._making = False  # what it makes is to come
        self._routine: int | None = None  # the parentheses at its name; its IS or AS is to come

    @property
    def holds(self) -> bool:
        """A semicolon here ends no statement of the script."""
        if self._open or self._made in ("JAVA", "WITH"):
            return True
        return self._made in ("MACRO", "RULE") and self.parens > 0

    def token(self, token: str, follows: Callable[[], str]) -> None:
        """The next one; `follows` tells the one behind it."""
        self._count += 1
        if self._count == 1:
            self._first, self._making = token, token in _MAKE
        elif token == "(":
            self.parens += 1
        elif token == ")":
            self.parens = max(0, self.parens - 1)
        elif token == ";":
            self._routine = None
        if token[:1].isalpha():
            self._header(token)
            self._word(token, follows)
        self._before = token

    def _word(self, word: str, follows: Callable[[], str]) -> None:
        if word in ("IS", "AS"):
            self._body(follows)
        elif word == "BEGIN":
            self._begin(follows)
        elif not self._open and self._starts():
            self._start(word)
        elif not self._open or self._before == "END":
            return
        elif word == "END":
            self._end(follows())
        elif word == "CASE":
            self._open.append("case")
        elif self._before in _BEFORE and (word == "IF" or word in _LOOPS):
            self._open.append("if" if word == "IF" else "loop")

    def _starts(self) -> bool:
        """The word is the first of the statement, or of what its label names."""
        return self._count == 1 or self._before in (">", ":") or self._made == "TRIGGER"

    def _start(self, word: str) -> None:
        if word == "DECLARE" and self._facts.declares:
            self._open.append("unit")
        elif self._facts.blocks != "scripts" or self._made:
            return
        elif word in ("IF", "CASE"):
            self._open.append(word.lower())
        elif word in _LOOPS:
            self._open.append("loop")

    # What CREATE makes ------------------------------------------------------------------------

    def _header(self, word: str) -> None:
        if self._making and self._count > 1:
            self._making = word in _BETWEEN or self._before in ("=", "@")
            if word in _MADE:
                self._made, self._making = word, False
                self._routine = self.parens if word in _ROUTINES and self._facts.blocks else None
        elif word in ("PROCEDURE", "FUNCTION"):
            self._inner_routine()
        elif word == "TRIGGER" and self._before == "COMPOUND":
            self._open.append("compound")
        elif word == "SELECT" and self._made == "WITH" and not self._open:
            self._made = ""  # what ends with the next semicolon

    def _inner_routine(self) -> None:
        if self._count == 2 and self._first == "WITH":
            self._made = "WITH"
        elif not self._open or self._before not in (";", "IS", "AS", "DECLARE"):
            return
        self._routine = self.parens

    def _body(self, follows: Callable[[], str]) -> None:
        if self._routine is None or self._routine != self.parens:
            return
        self._routine, next_one = None, follows()
        if self._facts.declares and next_one in _ELSEWHERE:
            return
        if self._facts.routines_declare:
            package = self._made in ("PACKAGE", "TYPE") and not self._open
            self._open.append("package" if package else "unit")
        elif next_one in ("BEGIN", "DECLARE"):
            self._open.append("unit")

    # Blocks -----------------------------------------------------------------------------------

    def _begin(self, follows: Callable[[], str]) -> None:
        if self._open and self._open[-1] == "unit":
            self._open[-1] = "begin"
        elif self._open and self._open[-1] == "package":
            pass  # what a package does at its start: its own END closes that, too
        elif self._open or self._opens(follows):
            self._open.append("begin")

    def _opens(self, follows: Callable[[], str]) -> bool:
        if self._made:
            return self._facts.blocks != "" or follows() == "ATOMIC"
        starts = self._count == 1 or self._before in (">", ":")
        return starts and self._facts.blocks == "scripts" and follows() not in _TRANSACTION

    def _end(self, follows: str) -> None:
        """END IF and the like close their kind; a bare END an expression, or else a block."""
        kind = {"IF": "if", "CASE": "case"}.get(follows, "loop" if follows in _LOOPS else "")
        if kind:
            self._close(frozenset({kind}))
        elif self._before == ";" or "case" not in self._inner():
            self._close(_BLOCKS)
        else:
            self._close(frozenset({"case"}))

    def _inner(self) -> list[str]:
        """What is open inside the innermost block."""
        last = max((i for i, kind in enumerate(self._open) if kind in _BLOCKS), default=-1)
        return self._open[last + 1 :]

    def _close(self, kinds: frozenset[str]) -> bool:
        """What is open inside is closed with it."""
        for number in range(len(self._open) - 1, -1, -1):
            if self._open[number] in kinds:
                del self._open[number:]
                return True
        return False
