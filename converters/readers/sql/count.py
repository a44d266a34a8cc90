"""The second count: how many rules a script must have at least, by other means than the reader.

It shares nothing with the cutting of scripts nor with the parser: words and brackets alone, so that
a fault there can't hide itself. It counts what is sure, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Found, Piece, Script
from ruleferry.converters.rule import NotARule, Reconciled, Row, Unread

# Characters. What is said of a statement that is larger than any person's is not sure.
_LARGEST = 2_000_000
# Pieces that don't cover the text: no number of rules equals this.
NOT_COVERED = -1

_TOKEN = re.compile(r"--|/\*|[qQ]'|['\"`]|\w+|[()#;,<>]")
_VERBS = re.compile(
    r"(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE|ALTER|BEGIN|DECLARE)\b", re.IGNORECASE
)
_COMMENT = re.compile(r"--|/\*|#|//|\{#|REM|PRO", re.IGNORECASE)
_MESSAGE = re.compile(
    r"\w\W+\w+\W+\w|\d|invalid|missing|error|fail|bad|null|not |unknown|wrong", re.IGNORECASE
)
_QUERIES = frozenset({"SELECT", "SEL", "WITH", "INSERT", "INS", "("})
# There a query is no battery of checks, or an INSERT of several.
_OTHERWISE = frozenset({"EXCEPT", "MINUS", "INTERSECT", "ALL", "FIRST"})
_CLOSING = {"[": "]", "(": ")", "{": "}", "<": ">"}
_ENDED_INSIDE = frozenset({"IF", "LOOP", "CASE", "TRY", "CATCH", "WHILE", "FOR", "REPEAT"})
# Before a constraint: it is none that comes into being here.
_UNDONE = frozenset(
    {"IS", "DROP", "ENABLE", "DISABLE", "VALIDATE", "NOVALIDATE", "MODIFY", "RENAME"}
)


def second_count(script: Script, founds: Sequence[Found]) -> int:
    """The number of places that the found rules have, or more where some are missing.

    Those outside of all statements don't count, and a statement without any counts as one: then
    the number is not that of the places, as little as where the pieces don't cover the text.
    """
    if not _is_covered(script):
        return NOT_COVERED
    rest = sorted(founds, key=lambda found: (found.start, found.end))
    count, reached, at = 0, 0, 0
    for piece in script.pieces:
        here: list[Found] = []
        while at < len(rest) and rest[at].start < piece.end:
            here.append(rest[at])
            at += 1
        if piece.kind == "statement":
            begun = reached > piece.start and not here  # a rule of more than one statement
            count += 0 if begun else _of_statement(script, piece, here)
            reached = max(reached, *(found.end for found in here), 0)
    return count


def _of_statement(script: Script, piece: Piece, founds: Sequence[Found]) -> int:
    places = {(found.start, found.part) for found in founds}
    if any(_is_whole(found) for found in founds):
        return max(len(places), 1)
    return max(len(places), _least(script.of(piece), script.dialect, founds))


def _is_whole(found: Found) -> bool:
    """It stands for all of its statement, and says so."""
    if found.part:
        return False
    match found.checked.check:
        case Unread() | NotARule() | Reconciled():
            return True
        case Row(SqlText(whole_query=True)):
            return True
    return False


# Are the pieces what they say? --------------------------------------------------------------------


def _is_covered(script: Script) -> bool:
    pieces, size = script.pieces, len(script.text)
    if not pieces:
        return size == 0
    joined = all(before.end == after.start for before, after in pairwise(pieces))
    ends = pieces[0].start == 0 and pieces[-1].end == size
    return joined and ends and all(_is_what_it_says(script, piece) for piece in pieces)


def _is_what_it_says(script: Script, piece: Piece) -> bool:
    text = script.of(piece)
    match piece.kind:
        case "blank":
            return not text.replace("\ufeff", "").strip()
        case "comment":
            return _is_comment(text)
        case "statement":
            return bool(text.strip())
        case _:
            return _VERBS.match(text) is None


def _is_comment(text: str) -> bool:
    if not _COMMENT.match(text):
        return False
    if text.startswith("/*"):
        nests = "/*" in text[2:]
        return text.endswith("*/") and (nests or text.find("*/", 2) == len(text) - 2)
    return text.startswith("{#") or not re.search(r"[\r\n]", text)


# What must be there -------------------------------------------------------------------------------


def _least(text: str, dialect: SqlDialect, founds: Sequence[Found]) -> int:
    words = list(_words(text, dialect)) if len(text) < _LARGEST else []
    first = next((word for word in words if word != "("), "")
    if first in ("CREATE", "ALTER") and _defines_table(words):
        return max(1, _constraints(words, 1 if first == "CREATE" else 0))
    if first in _QUERIES or _is_view(words) or first == "UPDATE":
        many = 1 if dialect.name == "tsql" else _statements(words)
        return max(many, _branches(words), _with_arms(words, founds))
    return max(1, _raises(words))


def _words(text: str, dialect: SqlDialect) -> Iterator[str]:
    """Words and brackets in capitals; a literal or a name in quotes with its first quote alone."""
    at, closed = 0, True
    while found := _TOKEN.search(text, at):
        token, at = found.group(), found.end()
        if token in ("--", "/*") or (token == "#" and dialect.hash):
            at = _comment_end(text, at, "*/" if token == "/*" else "\n")
        elif token[-1] in "'\"`":
            end = _literal_end(text, found, dialect) if closed else None
            closed = closed and end is not None
            yield token[-1] + text[at : end or at]
            at = end or at
        else:
            yield token.upper()


def _comment_end(text: str, at: int, mark: str) -> int:
    end = text.find(mark, at)
    if end >= 0:
        return end + len(mark)
    return at if mark == "*/" else len(text)


def _literal_end(text: str, opening: re.Match[str], dialect: SqlDialect) -> int | None:
    token, at = opening.group(), opening.end()
    if len(token) == 2:
        bracket = text[at : at + 1]
        end = text.find(_CLOSING.get(bracket, bracket) + "'", at + 1)
        return None if end < 0 else end + 2
    escaped = r"\\.|" if dialect.backslash and token != "`" else ""
    plain = rf"[^{token}\\]" if escaped else rf"[^{token}]"
    found = re.compile(rf"(?:{plain}|{escaped}{token}{token})*+{token}", re.DOTALL).match(text, at)
    return found.end() if found else None


def _defines_table(words: Sequence[str]) -> bool:
    return "TABLE" in words[:8] and "VIEW" not in words[: words.index("TABLE")]


def _is_view(words: Sequence[str]) -> bool:
    return words[0:1] in (["CREATE"], ["REPLACE"]) and "VIEW" in words[:8]


def _statements(words: Sequence[str]) -> int:
    """A query that another one follows behind a semicolon: they are two."""
    if words[1:2] in (["FUNCTION"], ["PROCEDURE"]):
        return 1
    return 1 + sum(a == ";" and b in _QUERIES for a, b in pairwise(words))


def _branches(words: Sequence[str]) -> int:
    """Of a UNION that stands in no brackets."""
    depth = unions = 0
    for before, word in pairwise(["", *words]):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0 and word in _OTHERWISE and before != "UNION":
            return 1
        unions += depth == 0 and word == "UNION"
    return unions + 1


def _constraints(words: Sequence[str], shallowest: int) -> int:
    """NOT NULL, CHECK (, UNIQUE, PRIMARY KEY and REFERENCES of columns or of the table."""
    depth = inner = count = 0
    for before, word, follows in zip(["", *words], words, [*words[1:], ""], strict=False):
        depth += {"(": 1, ")": -1}.get(word, 0)
        inner = max(0, inner + {"<": 1, ">": -1}.get(word, 0))  # of a STRUCT
        if word in ("SELECT", "PARTITION") and depth <= 1:
            break
        if shallowest <= depth <= 1 and not inner and before not in _UNDONE:
            count += _begins_constraint(word, follows)
    return count


def _begins_constraint(word: str, follows: str) -> bool:
    pairs = {"NOT": "NULL", "PRIMARY": "KEY", "CHECK": "("}
    return pairs.get(word) == follows or word in ("UNIQUE", "REFERENCES")


def _raises(words: Sequence[str]) -> int:
    """Errors that code raises by itself, and not because another one came."""
    count, handles = 0, False
    for before, word, follows in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word == "CATCH" and before in ("BEGIN", "END"):
            handles = before == "BEGIN"
        elif word in ("EXCEPTION", "HANDLER") and before != "RAISE" and follows != ";":
            handles = True
        elif word == "END" and follows not in _ENDED_INSIDE:
            handles = False
        elif not handles:
            count += _is_raise(word, follows)
    return count


def _is_raise(word: str, follows: str) -> bool:
    match word:
        case "RAISERROR" | "RAISE_APPLICATION_ERROR" | "ERROR":
            return follows == "("
        case "THROW":
            return follows.isdigit()
        case "RAISE":
            return follows == "EXCEPTION"
        case "SIGNAL":
            return follows == "SQLSTATE"
        case "ABORT":
            return follows[:1] == "'"
    return False


def _with_arms(words: Sequence[str], founds: Sequence[Found]) -> int:
    """Where arms of a CASE are rules: all that give a message, of the CASE with most of them."""
    places = {(found.start, found.part) for found in founds}
    arms = sum(part.startswith("arm") for _, part in places)
    return len(places) - arms + _arms(words) if arms else 1


def _arms(words: Sequence[str]) -> int:
    cases: list[int] = []
    most = 0
    for before, word in pairwise(["", *words]):
        if word == "CASE":
            cases.append(0)
        elif word == "END" and cases:
            most = max(most, cases.pop())
        elif cases and before == "THEN" and word[:1] == "'":
            cases[-1] += _MESSAGE.search(word) is not None
    return most
