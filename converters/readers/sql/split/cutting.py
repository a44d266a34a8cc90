"""One pass over a script: its tokens and the lines of its client -> pieces."""

from __future__ import annotations

import re
from typing import TypeAlias

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.found import Piece, PieceKind
from ruleferry.converters.readers.sql.split.batches import Batch
from ruleferry.converters.readers.sql.split.blocks import Blocks
from ruleferry.converters.readers.sql.split.facts import facts_of
from ruleferry.converters.readers.sql.split.joining import Variables
from ruleferry.converters.readers.sql.split.lexer import Lexer, TokenKind
from ruleferry.converters.readers.sql.split.lines import DELIMITER, LineKind, lines_of
from ruleferry.converters.readers.sql.split.templates import Templates

_Cut: TypeAlias = tuple[PieceKind, int, int]

_NEW_LINE = re.compile(r"[\r\n]")
_PIECE_OF_LINE: dict[LineKind, PieceKind] = {
    "ends": "separator",
    "line": "command",
    "spoken": "comment",
}
_TERMINATOR = re.compile(
    r"--(?:#SET[ \t]+TERMINATOR[ \t]+|[ \t]*<ScriptOptions[ \t]+statementTerminator=\")(\S)",
    re.IGNORECASE,
)
_META = re.compile(
    r"\\(?:(?P<go>g(?:x|set|exec|desc)?(?![a-z])[^\r\n]*|;)|[a-z!?][^\r\n]*)", re.IGNORECASE
)
_CHOICE = re.compile(r"\\(?:if|elif|else|endif)\b", re.IGNORECASE)
# After a semicolon in a block: no routine is made inside of another.
_ROUTINE = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,2}?(?:PROCEDURE|FUNCTION|TRIGGER|PACKAGE)\b",
    re.IGNORECASE,
)
_COPY = re.compile(r"COPY\b[^;]*\bFROM\s+STDIN\b", re.IGNORECASE)
_END_OF_DATA = re.compile(r"(?<=[\r\n])\\\.[ \t]*(?=[\r\n]|\Z)")
_TRANSACTIONS = ("BT", "ET")
_CELL = re.compile(r"--[ \t]*COMMAND[ \t]+-{5,}[ \t]*\Z")


class Cutter:
    """`_start`: of the statement at hand, None between two; `_end`: of its last code token.

    `_behind`: blanks and comments after that token, which are its own if more code follows.
    `_fresh`: a line begins, or what stands on it ended with a separator.
    """

    def __init__(self, text: str, dialect: SqlDialect, wrapper: str) -> None:
        facts = facts_of(dialect)
        self._text = text
        self._dialect = dialect
        self._client = facts.client
        self._cells = facts.cells
        self._lexer = Lexer(text, dialect)
        self._lines = lines_of(facts, wrapper)
        self._blocks = Blocks(facts)
        self._batch = Batch() if dialect.name == "tsql" else None
        self._variables = Variables() if facts.variables else None
        self._templates = Templates(text, wrapper)
        self._pieces: list[Piece] = []
        self._behind: list[Piece] = []
        self._start: int | None = None
        self._end = 0
        self._fresh = True
        self._one_line = False  # the statement ends with its line
        self._has_data = True  # rows of COPY may come

    def pieces(self) -> tuple[Piece, ...]:
        at, size = 0, len(self._text)
        while at < size:
            line = self._line(at) if self._fresh else None
            at = self._token(at) if line is None else line
        self._finish()
        self._end_batch()
        if self._variables:
            return tuple(self._variables.end(self._pieces))
        return tuple(self._pieces)

    def _token(self, at: int) -> int:
        kind, end = self._lexer.next(at, fresh=self._fresh)
        if kind == "blank":
            self._blank(at, end)
        elif kind == "comment":
            self._comment(at, end)
        else:
            return self._code(kind, at, end)
        return end

    # Between tokens of code -------------------------------------------------------------------

    def _blank(self, at: int, end: int) -> None:
        if _NEW_LINE.search(self._text, at, end):
            self._fresh = True
            if self._one_line and self._text[self._end - 1] != "-":
                self._finish()
        self._between("blank", at, end)

    def _comment(self, at: int, end: int) -> None:
        if self._fresh and self._templates.begins_check(at):
            self._finish()
        if self._cells and self._fresh and _CELL.match(self._text, at, end):
            self._finish()
        if self._client == "clp" and (told := _TERMINATOR.match(self._text, at, end)):
            self._finish()
            self._lexer.delimiter = told[1]
        self._between("comment", at, end)

    def _between(self, kind: PieceKind, at: int, end: int) -> None:
        pieces = self._pieces if self._start is None else self._behind
        pieces.append(Piece(kind, at, end))

    def _add(self, cut: _Cut) -> int:
        self._finish()
        self._pieces.append(Piece(*cut))
        self._fresh = True
        return cut[2]

    def _finish(self) -> None:
        """The statement at hand ends with its last token of code."""
        if self._start is not None:
            self._pieces.append(Piece(self._kind(), self._start, self._end))
            self._pieces += self._behind
        self._behind.clear()
        self._start = None
        self._one_line = False
        self._blocks.reset()
        self._templates.reset()
        if self._batch:
            self._batch.end_statement()

    def _kind(self) -> PieceKind:
        assert self._start is not None
        short = self._client == "bteq" and self._end - self._start == len("ET")
        is_mark = short and self._text[self._start : self._end].upper() in _TRANSACTIONS
        return "separator" if is_mark else "statement"

    def _end_batch(self) -> None:
        if self._batch:
            self._pieces = self._batch.end(self._pieces)

    # Lines of the client ----------------------------------------------------------------------

    def _line(self, at: int) -> int | None:
        """Where the client's command ends that begins there, if one does."""
        if self._text[at].isspace():
            return None
        if self._client == "mysql" and (told := DELIMITER.match(self._text, at)):
            self._lexer.delimiter = told[1]
            return self._add(("separator", at, told.end()))
        found = self._lines.at(self._text, at, opened=self._start is not None)
        if found is None:
            return None
        kind, end = found
        if kind == "call":
            self._one_line = True
            return None
        if kind != "ends" and self._start is not None and not self._is_sure(at):
            return None
        self._add((_PIECE_OF_LINE[kind], at, end))
        if kind == "ends":
            self._end_batch()
        return end

    def _is_sure(self, at: int) -> bool:
        """A command may break into a statement only where that can't be code of it."""
        if self._client == "bteq":
            return True
        return self._at_margin(at) and not self._blocks.holds and self._blocks.parens == 0

    def _at_margin(self, at: int) -> bool:
        return at == 0 or self._text[at - 1] in "\r\n"

    # Code -------------------------------------------------------------------------------------

    def _code(self, kind: TokenKind, at: int, end: int) -> int:
        """Where it ends: a separator or a client's command may be longer than its first sign."""
        token = self._text[at:end].upper() if kind == "word" else ""
        if kind in ("sign", "end"):
            token = self._text[at]
            if cut := self._separator(kind, token, at, end):
                return self._data(self._add(cut))
        if self._start is not None and self._begins(kind, token, at, end):
            self._finish()
            if self._fresh and (line := self._line(at)) is not None:
                return line
        self._take("'" if kind == "text" else token, at, end)
        if self._templates.ends(kind, token, at):
            self._finish()
        return end

    def _take(self, token: str, at: int, end: int) -> None:
        if self._start is None:
            self._start = at
        self._blocks.token(token, lambda: self._follows(end))
        if self._batch:
            self._batch.token(token, len(self._pieces), lambda: self._follows(end))
        if self._variables:
            self._variables.token(token, len(self._pieces))
        self._lexer.before = token
        self._end = end
        self._fresh = False
        self._behind.clear()

    def _begins(self, kind: TokenKind, token: str, at: int, end: int) -> bool:
        """Another statement begins without a separator."""
        if self._batch and kind == "word":
            return self._batch.starts(token, lambda: self._follows(end))
        if kind == "template":
            return self._fresh and self._templates.begins_call(self._text[at:end])
        if token != "CREATE" or not self._fresh or self._lexer.before != ";":
            return False
        return self._at_margin(at) and _ROUTINE.match(self._text, at) is not None

    def _separator(self, kind: TokenKind, sign: str, at: int, end: int) -> _Cut | None:
        text = self._text
        if kind == "end":
            return "separator", at, end
        if sign == ";" and self._lexer.delimiter == ";":
            held = self._blocks.holds or self._templates.hold(at)
            return None if held else ("separator", at, at + 1)
        if sign == "@" and self._client == "clp" and not text[at + 1 : at + 2].strip():
            return "separator", at, at + 1
        if sign == "\\" and self._client == "mysql" and text[at + 1 : at + 2] in ("g", "G"):
            return "separator", at, at + 2
        if sign == "\\" and self._client == "psql":
            return self._meta_command(at)
        return None

    def _meta_command(self, at: int) -> _Cut | None:
        """Of psql: it takes the rest of its line. A choice within a statement is a part of it."""
        found = _META.match(self._text, at)
        if found is None or (self._start is not None and _CHOICE.match(self._text, at)):
            return None
        return "separator" if found["go"] else "command", at, found.end()

    def _data(self, at: int) -> int:
        """Where the rows end that COPY takes from the script itself."""
        if self._client != "psql" or len(self._pieces) < 2:
            return at
        before = self._pieces[-2]
        if before.kind != "statement" or not _COPY.match(self._text, before.start, before.end):
            return at
        found = _END_OF_DATA.search(self._text, at) if self._has_data else None
        self._has_data = found is not None
        return self._add(("command", at, found.end())) if found else at

    def _follows(self, at: int) -> str:
        """The next token of code, in capitals."""
        while at < len(self._text):
            kind, end = self._lexer.next(at, fresh=False)
            if kind not in ("blank", "comment"):
                return self._text[at:end].upper() if kind in ("word", "sign") else "'"
            at = end
        return ""
