"""LIKE of a source database as a condition on Spark, with the same verdict on every text.

In Spark a backslash escapes unless an ESCAPE clause names another character, and a lone one raises.
A pattern that needs an escape therefore gets a clause with a character that it does not hold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.express.outcome import Expressed as Expressed
from ruleferry.converters.express.outcome import Refused as Refused
from ruleferry.converters.express.regex_text import literal, member
from ruleferry.converters.express.sql_text import string_literal
from ruleferry.converters.mappings import table
from ruleferry.converters.rule import Caveat

_ESCAPES = "!|~^#@+="  # those that need no escape of their own in a SQL literal
_BLANKS = "SQL Server ignores blanks at the end of a VARCHAR value, Spark does not"
_CASE = (
    "the source ignores the case of letters under its usual collation, and may ignore accents or "
    "fold ASCII letters only; ILIKE folds the letters of every script"
)
_CLASS = (
    "which letters and digits beyond ASCII lie in a range depends on the collation; here it is the "
    "order of Unicode"
)


class _Invalid(Exception):
    """The source itself can't run the pattern, or we do not know how it would."""


@dataclass(frozen=True, slots=True)
class _Rules:
    """A row of mappings/like.toml."""

    escape: str | None = None
    after: Literal["wildcard", "doubled", "anything"] = "doubled"
    at_end: Literal["error", "plain", "never"] = "error"
    none: bool = False
    clause: bool = True
    case: Literal["ignored", "counts"] = "counts"
    classes: bool = False


@dataclass(frozen=True, slots=True)
class _Text:
    char: str


@dataclass(frozen=True, slots=True)
class _Wild:
    """% or _"""

    sign: str


@dataclass(frozen=True, slots=True)
class _Class:
    """[a-f] of SQL Server; a member is one character or the two ends of a range."""

    negated: bool
    members: tuple[str, ...]


_Piece: TypeAlias = _Text | _Wild | _Class


def like(
    column: exp.Expression,
    pattern: str,
    *,
    escape: str | None,
    dialect: str | None,
    ignore_case: bool | None = None,
) -> Expressed | Refused:
    """`column LIKE pattern` as `dialect` (a name of sqlglot) reads it.

    `escape` is the character of the ESCAPE clause, None where there is no clause. With a dialect
    that is None or not known, only what all dialects read alike is expressed; whether case counts
    is then for the caller to say. `ignore_case`: what the collation says, where it is known. TRUE
    or FALSE for every text; NULL for NULL.
    """
    rules = _dialects().get(dialect or "")
    if rules is not None and ignore_case is not None:
        rules = replace(rules, case="ignored" if ignore_case else "counts")
    try:
        pieces = _pieces(pattern, rules or _Rules(), _escape(pattern, escape, rules))
    except _Invalid as reason:
        return Refused(str(reason))
    if any(isinstance(piece, _Class) for piece in pieces):
        tree: exp.Expression = exp.RegexpLike(
            this=column.copy(),
            expression=string_literal(
                _regex(pieces, rules is not None and rules.case == "ignored")
            ),
        )
    else:
        tree = _like(column, pieces, ignore_case=_ignores_case(rules, pieces))
    return Expressed(tree, tuple(_caveats(rules, pieces, pattern)))


def pattern_to_find(pattern: str, dialect: str, *, ignore_case: bool) -> str | None:
    """The pattern for java.util.regex, which finds the place; None where it can't be read.

    A % at either end is left out, as a search takes any part.
    """
    rules = _dialects().get(dialect)
    if rules is None:
        return None
    try:
        pieces = _pieces(pattern, rules, _escape(pattern, None, rules))
    except _Invalid:
        return None
    return _regex(pieces, ignore_case)


@cache
def _dialects() -> dict[str, _Rules]:
    rows = {name: row for name, row in table("like").items() if isinstance(row, dict)}
    return {name: _Rules(**row) for name, row in rows.items()}


def _escape(pattern: str, escape: str | None, rules: _Rules | None) -> str | None:
    """The character that escapes in this pattern."""
    if escape is None:
        if rules is None and "\\" in pattern:
            raise _Invalid("whether \\ escapes the next character depends on the database")
        return rules.escape if rules else None
    if rules is not None and not rules.clause:
        raise _Invalid("the source has no ESCAPE clause, so that the check never ran")
    if escape == "" and rules is not None and rules.none:
        return None
    if len(escape) != 1:
        raise _Invalid(f"the escape {escape!r} is not one character, so that the check never ran")
    return escape


def _pieces(pattern: str, rules: _Rules, escape: str | None) -> list[_Piece]:
    pieces: list[_Piece] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == escape:
            pieces.append(_Text(_escaped(pattern, at, rules)))
            at += 2
        elif char == "[" and rules.classes:
            end, found = _class(pattern, at, escape)
            pieces.append(found)
            at = end
        else:
            pieces.append(_Wild(char) if char in "%_" else _Text(char))
            at += 1
    return pieces


def _escaped(pattern: str, at: int, rules: _Rules) -> str:
    """The character that the escape at this place makes plain."""
    following = pattern[at + 1 : at + 2]
    if not following:
        if rules.at_end == "plain":
            return pattern[at]
        never = "nothing ever matches" if rules.at_end == "never" else "the check never ran"
        raise _Invalid(f"it ends in the escape {pattern[at]}, so that {never}")
    allowed = {"wildcard": "%_", "doubled": f"%_{pattern[at]}", "anything": following}[rules.after]
    if following not in allowed:
        raise _Invalid(f"{pattern[at]}{following} escapes what needs no escape, an error in places")
    return following


def _class(pattern: str, at: int, escape: str | None) -> tuple[int, _Piece]:
    """The class that opens at this place, and where it ends."""
    negated = pattern.startswith("[^", at)
    at += 1 + negated
    members: list[str] = []
    while not pattern.startswith("]", at):
        low, at = _class_char(pattern, at, escape)
        if pattern.startswith("-", at) and not pattern.startswith("-]", at):
            high, at = _class_char(pattern, at + 1, escape)
            if high < low:
                raise _Invalid(f"the range {low}-{high} is backwards in the order of Unicode")
            low += high
        members.append(low)
    if not members:
        raise _Invalid("a class in it is empty")
    if len(members) == 1 and len(members[0]) == 1 and not negated:
        return at + 1, _Text(members[0])
    return at + 1, _Class(negated, tuple(members))


def _class_char(pattern: str, at: int, escape: str | None) -> tuple[str, int]:
    at += pattern[at : at + 1] == escape
    if at >= len(pattern):
        raise _Invalid("a class in it is not closed, so that nothing ever matches")
    return pattern[at], at + 1


def _ignores_case(rules: _Rules | None, pieces: list[_Piece]) -> bool:
    return rules is not None and rules.case == "ignored" and any(map(_has_letter, pieces))


def _has_letter(piece: _Piece) -> bool:
    text = piece.char if isinstance(piece, _Text) else ""
    text = "".join(piece.members) if isinstance(piece, _Class) else text
    return text.lower() != text.upper()


def _like(column: exp.Expression, pieces: list[_Piece], ignore_case: bool) -> exp.Expression:
    texts = {piece.char for piece in pieces if isinstance(piece, _Text)}
    escape = None
    if texts & set("%_\\"):
        escape = next((char for char in _ESCAPES if char not in texts), _ESCAPES[0])
    pattern = "".join(_like_piece(piece, escape) for piece in pieces)
    kind = exp.ILike if ignore_case else exp.Like
    tree: exp.Expression = kind(this=column.copy(), expression=string_literal(pattern))
    return exp.Escape(this=tree, expression=string_literal(escape)) if escape else tree


def _like_piece(piece: _Piece, escape: str | None) -> str:
    if isinstance(piece, _Wild):
        return piece.sign
    assert isinstance(piece, _Text)
    return f"{escape}{piece.char}" if escape and piece.char in f"%_{escape}" else piece.char


def _regex(pieces: list[_Piece], ignore_case: bool) -> str:
    """The pieces for RLIKE; a % at either end is what RLIKE does anyway."""
    first, last = (pieces[at] == _Wild("%") for at in (0, -1))
    inner = pieces[first : len(pieces) - last]
    text = "".join(map(_regex_piece, inner))
    flags = "iu" * (ignore_case and any(map(_has_letter, inner))) + "s" * any(
        isinstance(p, _Wild) for p in inner
    )
    header = f"(?{flags})" if flags else ""
    return f"{header}{'' if first else '^'}{text}{'' if last else chr(92) + 'z'}"


def _regex_piece(piece: _Piece) -> str:
    match piece:
        case _Wild():
            return ".*" if piece.sign == "%" else "."
        case _Text():
            return literal(piece.char)
        case _Class():
            members = ("-".join(map(member, text)) for text in piece.members)
            return f"[{'^' * piece.negated}{''.join(members)}]"


def _caveats(rules: _Rules | None, pieces: list[_Piece], pattern: str) -> list[Caveat]:
    told = []
    if _ignores_case(rules, pieces):
        told.append(Caveat("like_case", _CASE))
    classes = [piece for piece in pieces if isinstance(piece, _Class)]
    if any(len(text) > 1 for piece in classes for text in piece.members):
        told.append(Caveat("like_class", _CLASS))
    if rules is None and "[" in pattern:
        told.append(Caveat("like_class", "in SQL Server a [ opens a class of characters"))
    if rules is not None and rules.classes and pieces[-1:] != [_Wild("%")]:
        told.append(Caveat("like_blanks", _BLANKS))
    return told
