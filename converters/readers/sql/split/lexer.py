"""A text -> its tokens, one at a time: nothing looks inside a literal, a name or a comment.

Every step takes at least one character and none looks at the same stretch again and again, so that
a text of any kind takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal, TypeAlias

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.split.facts import facts_of

TokenKind: TypeAlias = Literal[
    "blank",
    "comment",
    "word",
    "text",  # a literal
    "name",  # in quotes
    "template",  # {{ … }}, ${…}
    "tag",  # {% … %}
    "end",  # the client's own delimiter
    "broken",  # a literal without an end, as far as it surely goes
    "sign",
]
Token: TypeAlias = tuple[TokenKind, int]

_BLANK = re.compile(r"[\s\ufeff]+")
_LINE = re.compile(r"[^\r\n]*")
_NEW_LINE = re.compile(r"[\r\n]")
_DOLLARS = re.compile(r"\$(?:[^\W\d]\w*)?\$")
_PLACEHOLDER = re.compile(r"\$\$[^\W\d]\w*")
_BRACES = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*+\}")
_PROCEDURE = re.compile("BEGIN_PROC", re.IGNORECASE)
_NESTING = re.compile(r"/\*|\*/")
_MARKED = re.compile(r"#[A-Z_][A-Z0-9_]+(?![a-z0-9])")
_TEMPLATES = {"{{": "}}", "{%": "%}", "{#": "#}"}
_CLOSING = {"[": "]", "(": ")", "{": "}", "<": ">"}
# What comes before the body of a routine.
_BEFORE_BODY = frozenset({"AS", "DO", "IMMEDIATE", "LANGUAGE", "IS"})
# What comes before the name of a table or a value: there #NAME is a placeholder, and no comment.
_BEFORE_NAME = frozenset(
    {"FROM", "JOIN", "INTO", "UPDATE", "TABLE", ".", "=", "<", ">", "LIKE", "AND", "BETWEEN"}
)
# A template within a literal may hold its quotes.
_INNER = r"\{\{[^{}\r\n]*+\}\}"
_STATEMENT = (
    r"(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE|ALTER|DROP|TRUNCATE|BEGIN|DECLARE|EXEC"
    r"|EXECUTE|GRANT|COMMIT|ROLLBACK|USE|SET|CALL|SEL|PROMPT|REPLACE)\b"
)
# The end of a statement, and on a line below it the beginning of the next.
_BOUNDARY = re.compile(
    r"(?:;[ \t]*(?:--[^\r\n]*+)?(?=[\r\n])|(?:\r\n|[\r\n])(?:GO|/)[ \t]*(?=[\r\n]))"
    r"(?:\s++|--[^\r\n]*+|/\*(?:[^*]|\*(?!/)){0,2000}+\*/)*+(?<=[\r\n])" + _STATEMENT,
    re.IGNORECASE,
)
_MOST_BROKEN = 100
_LONGEST = 1000  # characters of a name


class Lexer:
    """The tokens of a text; `delimiter` may change from one token to the next.

    `before` is the last code token, in capitals, or its first sign.
    """

    def __init__(self, text: str, dialect: SqlDialect) -> None:
        self.text = text
        self.dialect = dialect
        self.facts = facts_of(dialect)
        self.delimiter = ";"
        self.before = ""
        self._last = len(text.rstrip())
        self._word = _word(self.facts.word)
        self._hopeless: set[str] = set()  # what is not closed after the place of the last try
        self._broken = 0
        self._handlers: dict[str, Callable[[int, bool], Token | None]] = {
            "'": lambda at, _: self._literal(at, "'"),
            '"': self._double,
            "`": lambda at, _: self._quoted(at, "`"),
            "[": lambda at, _: self._quoted(at, "[") if self.facts.brackets else None,
            "-": self._dashes,
            "/": self._slash,
            "#": self._hash,
            "$": self._dollar,
            "{": self._template,
        }

    def next(self, at: int, *, fresh: bool) -> Token:
        """The token at a place; `fresh`: nothing but blanks and comments stand before it there."""
        if self.delimiter != ";" and self.text.startswith(self.delimiter, at):
            return "end", at + len(self.delimiter)
        if blank := _BLANK.match(self.text, at):
            return "blank", blank.end()
        if word := self._word.match(self.text, at):
            return self._prefixed(at, word.end()) or ("word", self._cut(at, word.end()))
        handler = self._handlers.get(self.text[at])
        return (handler and handler(at, fresh)) or ("sign", at + 1)

    def _cut(self, at: int, end: int) -> int:
        """A delimiter may stand at the end of a word: END$$."""
        if self.delimiter == ";":
            return end
        found = self.text.find(self.delimiter, at + 1, end + len(self.delimiter) - 1)
        return found if found > 0 else end

    # Literals and names -----------------------------------------------------------------------

    def _prefixed(self, at: int, end: int) -> Token | None:
        quote = self.text[end : end + 1]
        if end - at == len("BEGIN_PROC") and "proc" in self.facts.prefixes:
            return self._procedure(at, end)
        if end - at > 2 or quote not in ("'", '"'):
            return None
        prefix = self.text[at:end].lower()
        prefixes = self.facts.prefixes
        if prefix in ("q", "nq") and "q" in prefixes and quote == "'":
            return self._own_brackets(end)
        if prefix == "e" and "e" in prefixes and quote == "'":
            return self._closed(_literal("'", True), end)
        if "r" in prefixes and prefix in ("r", "b", "rb", "br"):
            return self._raw(end, quote)
        return None

    def _procedure(self, at: int, end: int) -> Token | None:
        found = _PROCEDURE.match(self.text, at) and self._find("END_PROC", end)
        return ("text", found + len("END_PROC")) if found and found > 0 else None

    def _own_brackets(self, quote: int) -> Token | None:
        opening = self.text[quote + 1 : quote + 2]
        closing = _CLOSING.get(opening, opening) + "'"
        end = self._find(closing, quote + 2) if opening.strip() else -1
        return ("text", end + len(closing)) if end >= 0 else None

    def _raw(self, at: int, quote: str) -> Token | None:
        if "triple" in self.facts.prefixes:
            return self._triple(at, quote) or self._closed(_literal(quote, True, lines=False), at)
        end = self._find(quote, at + 1)
        return ("text", end + 1) if end >= 0 else None

    def _triple(self, at: int, quote: str) -> Token | None:
        if "triple" not in self.facts.prefixes or not self.text.startswith(quote * 3, at):
            return None
        if quote * 3 in self._hopeless:
            return None
        found = self._closed(_triple(quote), at)
        if found is None:
            self._hopeless.add(quote * 3)
        return found

    def _literal(self, at: int, quote: str) -> Token | None:
        if found := self._triple(at, quote):
            return found
        lines = "triple" not in self.facts.prefixes  # there a literal in one quote ends on its line
        found = self._closed(_literal(quote, self.dialect.backslash, lines=lines), at)
        return self._mended(at, found[1] if found else None) or found

    def _mended(self, at: int, end: int | None) -> Token | None:
        """Of a literal that closes nowhere, or where the next literal opens: what surely is of it.

        A quote too many turns all literals behind it inside out. It shows where a literal holds the
        end of a statement and the beginning of another, and a word touches its last quote.
        """
        text = self.text
        if end is not None and not _touches(text[end : end + 1]):
            return None
        if self._broken >= _MOST_BROKEN:
            return None if end is not None else ("broken", self._last)
        boundary = _BOUNDARY.search(text, at, len(text) if end is None else end)
        if boundary is None:
            return None if end is not None else ("broken", self._last)
        self._broken += 1
        return "broken", max(boundary.start(), at + 1)

    def _double(self, at: int, fresh: bool) -> Token | None:
        del fresh
        if self.dialect.quoted == "text":
            return self._literal(at, '"')
        return self._quoted(at, '"')

    def _quoted(self, at: int, quote: str) -> Token | None:
        found = _quoted(quote).match(self.text, at)
        return ("name", found.end()) if found else None

    def _closed(self, pattern: re.Pattern[str], at: int) -> Token | None:
        found = pattern.match(self.text, at)
        return ("text", found.end()) if found else None

    def _dollar(self, at: int, fresh: bool) -> Token | None:
        del fresh
        if braces := _BRACES.match(self.text, at):
            return "template", braces.end()
        mark = _DOLLARS.match(self.text, at) if self.dialect.dollar else None
        placeholder = _PLACEHOLDER.match(self.text, at)
        if placeholder and not (mark and self._is_body(at, mark.group())):
            return "template", placeholder.end()
        if mark is None:
            return None
        end = self._find(mark.group(), mark.end())
        return ("text", end + len(mark.group())) if end >= 0 else None

    def _is_body(self, at: int, mark: str) -> bool:
        """$$x is a placeholder, unless a routine's body begins here or $$ closes on the line."""
        if mark != "$$" or self.before in _BEFORE_BODY:
            return True
        line = _LINE.match(self.text, at + 2)
        return line is not None and self.text.find("$$", at + 2, line.end()) >= 0

    def _template(self, at: int, fresh: bool) -> Token | None:
        del fresh
        opening = self.text[at : at + 2]
        closing = _TEMPLATES.get(opening)
        end = self._find(closing, at + 2) if closing else -1
        if end < 0:
            return None
        kinds: dict[str, TokenKind] = {"{{": "template", "{%": "tag", "{#": "comment"}
        return kinds[opening], end + 2

    def _find(self, closing: str, at: int) -> int:
        """What is once not found is not sought again: all later places lie behind."""
        if closing in self._hopeless:
            return -1
        found = self.text.find(closing, at)
        if found < 0:
            self._hopeless.add(closing)
        return found

    # Comments ---------------------------------------------------------------------------------

    def _dashes(self, at: int, fresh: bool) -> Token | None:
        text = self.text
        if not text.startswith("--", at):
            return None
        # MySQL: 5--3 is 8
        if self.dialect.name == "mysql" and not fresh and text[at + 2 : at + 3].strip():
            return None
        return self._to_line_end(at)

    def _slash(self, at: int, fresh: bool) -> Token | None:
        del fresh
        text = self.text
        if text.startswith("/*", at):
            return self._block(at)
        url = at > 0 and text[at - 1] in ":/"
        if self.facts.slashes and text.startswith("//", at) and not url:
            return self._to_line_end(at)
        return None

    def _block(self, at: int) -> Token | None:
        end = self._find("*/", at + 2)
        if end < 0:
            return None
        if self.dialect.name == "mysql" and self.text.startswith(("/*!", "/*M!"), at):
            return "text", end + 2  # the database runs what stands there
        if self.facts.nests and "nested" not in self._hopeless:
            return "comment", self._nested(at) or end + 2
        return "comment", end + 2

    def _nested(self, at: int) -> int | None:
        depth = 0
        for mark in _NESTING.finditer(self.text, at):
            depth += 1 if mark.group() == "/*" else -1
            if depth == 0:
                return mark.end()
        self._hopeless.add("nested")
        return None

    def _hash(self, at: int, fresh: bool) -> Token | None:
        del fresh
        if not self.dialect.hash:
            return None
        if macro := _MARKED.match(self.text, at):
            joined = self.text[macro.end() : macro.end() + 2]
            inner = joined[:1] == "." and joined[1:].isidentifier()
            if inner or self.before in _BEFORE_NAME or _touches(self.text[at - 1 : at]):
                return "template", macro.end()
        return self._to_line_end(at)

    def _to_line_end(self, at: int) -> Token:
        line = _LINE.match(self.text, at)
        assert line is not None
        return "comment", line.end()


def tokens(
    text: str, dialect: SqlDialect, start: int, end: int
) -> Iterator[tuple[TokenKind, int, int]]:
    """Kind, start and end of the tokens of a stretch that begins with code."""
    lexer, at, fresh = Lexer(text, dialect), start, True
    while at < end:
        kind, after = lexer.next(at, fresh=fresh)
        yield kind, at, min(after, end)
        if kind == "blank":
            fresh = fresh or _NEW_LINE.search(text, at, after) is not None
        elif kind != "comment":
            fresh = False
            lexer.before = text[at:after].upper() if kind == "word" else text[at]
        at = after


def _touches(sign: str) -> bool:
    return sign == "_" or sign.isalnum()


@cache
def _word(signs: str) -> re.Pattern[str]:
    # @ ends a statement of Db2 where no name goes on behind it
    inner = "".join(re.escape(sign) for sign in signs if sign != "@")
    last = r"|@(?=\w)" if "@" in signs else ""
    first = r"|@@?(?=\w)|##?(?=\w)" if "@" in signs else ""
    return re.compile(rf"(?:[^\W\d]{first}|\d)(?:[\w{inner}]{last})*+")


@cache
def _literal(quote: str, backslash: bool, *, lines: bool = True) -> re.Pattern[str]:
    ends = "" if lines else r"\r\n"
    plain = rf"[^{quote}{{{ends}" + (r"\\]" if backslash else "]")
    escaped = r"\\.|" if backslash else ""
    body = rf"{plain}++|{escaped}{quote}{quote}|{_INNER}|\{{"
    return re.compile(rf"{quote}(?:{body})*+{quote}", re.DOTALL)


@cache
def _triple(quote: str) -> re.Pattern[str]:
    return re.compile(
        rf"{quote * 3}(?:[^\\{quote}]++|\\.|{quote}(?!{quote * 2}))*+{quote * 3}", re.S
    )


@cache
def _quoted(opening: str) -> re.Pattern[str]:
    closing = re.escape(_CLOSING.get(opening, opening))
    sign = rf"(?:[^{closing}\r\n]|{closing}{closing})"
    return re.compile(rf"{re.escape(opening)}{sign}{{1,{_LONGEST}}}+{closing}")
