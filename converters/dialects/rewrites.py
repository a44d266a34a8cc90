"""What some dialects write in a way that sqlglot does not read: the same said in words it reads.

Each rewrite takes the tokens of a text and gives others; none looks at more than its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from sqlglot.tokenizer_core import Token, TokenType

_Tokens: TypeAlias = list[Token]

# What an operand may end in; what follows can then be no operand.
_ENDS = frozenset({
    TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING, TokenType.R_PAREN,
    TokenType.CURRENT_DATE, TokenType.CURRENT_TIMESTAMP, TokenType.CURRENT_TIME, TokenType.NULL,
})  # fmt: skip
_UNITS = frozenset({
    "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "YEARS", "MONTHS", "DAYS", "HOURS",
    "MINUTES", "SECONDS",
})  # fmt: skip


def rewritten(tokens: _Tokens, dialect: str) -> _Tokens:
    for rewrite in (*_OF_ALL, *_REWRITES.get(dialect, ())):
        tokens = rewrite(tokens)
    return tokens


def _word(tokens: Sequence[Token], at: int) -> str:
    """In capitals; "" for what is quoted, and beyond the ends."""
    if not 0 <= at < len(tokens):
        return ""
    token = tokens[at]
    quoted = token.token_type in (TokenType.STRING, TokenType.IDENTIFIER, TokenType.RAW_STRING)
    return "" if quoted else token.text.upper()


def _like(token: Token, kind: TokenType, text: str) -> Token:
    """Another token in the place of one."""
    return Token(kind, text, token.line, token.col, token.start, token.end)


def _ends_operand(tokens: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(tokens) and tokens[at].token_type in _ENDS


def _closing(tokens: Sequence[Token], opened: int) -> int | None:
    """Where the parenthesis closes that opens at this place."""
    depth = 0
    for at in range(opened, len(tokens)):
        kind = tokens[at].token_type
        depth += (kind == TokenType.L_PAREN) - (kind == TokenType.R_PAREN)
        if depth == 0:
            return at
    return None


def _operand_start(tokens: Sequence[Token], end: int) -> int | None:
    """Where the operand begins that ends at this place: a name, a literal, a call, (…)."""
    at = end
    if tokens[at].token_type == TokenType.R_PAREN:
        depth = 0
        while at >= 0:
            kind = tokens[at].token_type
            depth += (kind == TokenType.R_PAREN) - (kind == TokenType.L_PAREN)
            if depth == 0:
                break
            at -= 1
        if at < 0:
            return None
        if at > 0 and tokens[at - 1].token_type == TokenType.VAR:
            at -= 1
    elif tokens[at].token_type not in _ENDS:
        return None
    while at > 1 and tokens[at - 1].token_type == TokenType.DOT:
        at -= 2
    return at


# Db2 ----------------------------------------------------------------------------------------------

_CURRENT = {
    "DATE": TokenType.CURRENT_DATE,
    "TIMESTAMP": TokenType.CURRENT_TIMESTAMP,
    "TIME": TokenType.CURRENT_TIME,
}
_NOT_SIGNS = {TokenType.EQ: (TokenType.NEQ, "<>"), TokenType.LT: (TokenType.GTE, ">="),
              TokenType.GT: (TokenType.LTE, "<=")}  # fmt: skip


def _current(tokens: _Tokens) -> _Tokens:
    """CURRENT DATE."""
    made: _Tokens = []
    for token in tokens:
        kind = _CURRENT.get(token.text.upper())
        before = made[-1].text.upper() if made else ""
        if kind is not None and before == "CURRENT" and token.token_type != TokenType.STRING:
            made[-1] = _like(made[-1], kind, f"CURRENT_{token.text.upper()}")
        else:
            made.append(token)
    return made


def _not_signs(tokens: _Tokens) -> _Tokens:
    """`¬=`, `¬<`, `^=`."""
    made: _Tokens = []
    for token in tokens:
        found = _NOT_SIGNS.get(token.token_type)
        sign = made[-1] if made else None
        touches = sign is not None and sign.end + 1 == token.start and sign.text in ("¬", "^")
        if found and touches and sign is not None:
            made[-1] = _like(sign, *found)
        else:
            made.append(token)
    return made


def _concat(tokens: _Tokens) -> _Tokens:
    """`a CONCAT b`."""
    return [
        _like(token, TokenType.DPIPE, "||")
        if _word(tokens, at) == "CONCAT" and _ends_operand(tokens, at - 1)
        else token
        for at, token in enumerate(tokens)
    ]


def _durations(tokens: _Tokens) -> _Tokens:
    """`30 DAYS`, as an interval."""
    made: _Tokens = []
    for at, token in enumerate(tokens):
        number = token.token_type == TokenType.NUMBER and _word(tokens, at + 1) in _UNITS
        if number and _word(tokens, at - 1) != "INTERVAL":
            made += [
                _like(token, TokenType.INTERVAL, "INTERVAL"),
                _like(token, TokenType.STRING, token.text),
            ]
        else:
            made.append(token)
    return made


def _isolation(tokens: _Tokens) -> _Tokens:
    """WITH UR and FOR READ ONLY say how a query runs, not what it finds."""
    if _word(tokens, len(tokens) - 2) == "WITH" and _word(tokens, len(tokens) - 1) in (
        "UR", "CS", "RS", "RR",
    ):  # fmt: skip
        tokens = tokens[:-2]
    last = [_word(tokens, len(tokens) - n) for n in (3, 2, 1)]
    if last in (["FOR", "READ", "ONLY"], ["FOR", "FETCH", "ONLY"]):
        tokens = tokens[:-3]
    return tokens


# Teradata -----------------------------------------------------------------------------------------

_CASE = {
    ("NOT", "CS"): "teradata_ci", ("NOT", "CASESPECIFIC"): "teradata_ci",
    ("CS",): "teradata_cs", ("CASESPECIFIC",): "teradata_cs",
}  # fmt: skip
_TYPES = frozenset({
    "CHAR", "VARCHAR", "INTEGER", "INT", "BIGINT", "SMALLINT", "BYTEINT", "DECIMAL", "FLOAT",
    "NUMERIC", "CHARACTER",
})  # fmt: skip


def _case_marks(tokens: _Tokens) -> _Tokens:
    """`x (NOT CASESPECIFIC)` as a collation."""
    made: _Tokens = []
    at = 0
    while at < len(tokens):
        closed = _closing(tokens, at) if _word(tokens, at) == "(" else None
        words = tuple(_word(tokens, i) for i in range(at + 1, closed)) if closed else ()
        if closed and words in _CASE and _ends_operand(tokens, at - 1):
            made += [
                _like(tokens[at], TokenType.COLLATE, "COLLATE"),
                _like(tokens[at], TokenType.VAR, _CASE[words]),
            ]
            at = closed + 1
        else:
            made.append(tokens[at])
            at += 1
    return made


def _titles(tokens: _Tokens) -> _Tokens:
    """`x (TITLE 'Name')` is for a report; `x (NAMED y)` is AS."""
    made: _Tokens = []
    at = 0
    while at < len(tokens):
        word = _word(tokens, at + 1) if _word(tokens, at) == "(" else ""
        closed = _closing(tokens, at) if word in ("TITLE", "NAMED") else None
        if closed != at + 3 or not _ends_operand(tokens, at - 1):
            made.append(tokens[at])
            at += 1
            continue
        if word == "NAMED":
            made += [_like(tokens[at], TokenType.ALIAS, "AS"), tokens[at + 2]]
        at = closed + 1
    return made


def _postfix_casts(tokens: _Tokens) -> _Tokens:
    """`d (FORMAT 'YYYYMM') (CHAR(6))`, `d (FORMAT 'YYYYMM')` and `n (CHAR(6))`."""
    at = 1
    while at < len(tokens):
        found = _postfix(tokens, at)
        if found is not None:
            tokens = found
        at += 1
    return tokens


def _postfix(tokens: _Tokens, at: int) -> _Tokens | None:
    if _word(tokens, at) != "(" or not _ends_operand(tokens, at - 1):
        return None
    closed, format_, end = _closing(tokens, at), [], at
    if closed is None:
        return None
    if _word(tokens, at + 1) == "FORMAT" and closed == at + 3:
        format_, end = tokens[at + 1 : closed], closed + 1
        if _word(tokens, end) != "(" or (closed := _closing(tokens, end)) is None:
            return None
    if _word(tokens, end + 1) not in _TYPES:
        return None
    start = _operand_start(tokens, at - 1)
    if start is None:
        return None
    type_ = tokens[end + 1 : closed]
    opened, before = tokens[at], tokens[start]
    cast = [
        _like(before, TokenType.VAR, "CAST"), _like(before, TokenType.L_PAREN, "("),
        *tokens[start:at], _like(opened, TokenType.ALIAS, "AS"), *type_, *format_,
        tokens[closed],
    ]  # fmt: skip
    return [*tokens[:start], *cast, *tokens[closed + 1 :]]


def _today(tokens: _Tokens) -> _Tokens:
    """DATE alone is the day; beside a literal or after AS it is the type."""
    made: _Tokens = []
    for at, token in enumerate(tokens):
        kind = {"DATE": TokenType.CURRENT_DATE, "TIME": TokenType.CURRENT_TIME}.get(
            _word(tokens, at)
        )
        after = tokens[at + 1].token_type if at + 1 < len(tokens) else None
        before = tokens[at - 1].token_type if at else None
        typed = after in (TokenType.STRING, TokenType.L_PAREN, TokenType.DOT) or before in (
            TokenType.ALIAS, TokenType.DOT, TokenType.VAR, TokenType.IDENTIFIER, TokenType.DCOLON,
        )  # fmt: skip
        if kind is None or typed or _word(tokens, at + 1) == "FORMAT":
            made.append(token)
        else:
            made.append(_like(token, kind, f"CURRENT_{token.text.upper()}"))
    return made


def _locking(tokens: _Tokens) -> _Tokens:
    """LOCKING … FOR ACCESS says how a query runs, not what it finds."""
    while _word(tokens, 0) in ("LOCKING", "LOCK"):
        ends = [at for at in range(min(len(tokens), _LONGEST_LOCK))
                if _word(tokens, at) in ("ACCESS", "READ")]  # fmt: skip
        if not ends:
            return tokens
        end = ends[0] + 1
        tokens = tokens[end + (_word(tokens, end) == "MODE") :]
    return tokens


_LONGEST_LOCK = 12


# Others -------------------------------------------------------------------------------------------


def _regex_of_any_case(tokens: _Tokens) -> _Tokens:
    """IREGEXP."""
    return [
        _like(token, TokenType.IRLIKE, "IREGEXP") if _word(tokens, at) == "IREGEXP" else token
        for at, token in enumerate(tokens)
    ]


_WITH_TYPES = frozenset({"VALIDATE_CONVERSION", "TRY_PARSE"})


def _typed_calls(tokens: _Tokens) -> _Tokens:
    """`VALIDATE_CONVERSION(x AS NUMBER)` as a call of a cast."""
    if not any(token.text.upper() in _WITH_TYPES for token in tokens):
        return tokens
    made: _Tokens = []
    closings: set[int] = set()
    for at, token in enumerate(tokens):
        made.append(token)
        if at in closings:
            made.append(_like(token, TokenType.R_PAREN, ")"))
        opens = _word(tokens, at) == "(" and _word(tokens, at - 1) in _WITH_TYPES
        closed = _closing(tokens, at) if opens else None
        if closed is not None:
            closings.add(closed)
            made += [
                _like(token, TokenType.VAR, "CAST"),
                _like(token, TokenType.L_PAREN, "("),
            ]
    return made


def _overlaps(tokens: _Tokens) -> _Tokens:
    """`(a, b) OVERLAPS (c, d)` as a call with the four."""
    if not any(token.text.upper() == "OVERLAPS" for token in tokens):
        return tokens
    at = next((at for at in range(len(tokens)) if _word(tokens, at) == "OVERLAPS"), None)
    if at is None or _word(tokens, at - 1) != ")" or _word(tokens, at + 1) != "(":
        return tokens
    start, end = _operand_start(tokens, at - 1), _closing(tokens, at + 1)
    if start is None or end is None or _word(tokens, start) != "(":
        return tokens
    name = _like(tokens[at], TokenType.VAR, "overlaps")
    comma = _like(tokens[at], TokenType.COMMA, ",")
    one = [name, *tokens[start : at - 1], comma, *tokens[at + 2 : end + 1]]
    return [*tokens[:start], *one, *_overlaps(tokens[end + 1 :])]


_Rewrite: TypeAlias = Callable[[_Tokens], _Tokens]
_OF_ALL: tuple[_Rewrite, ...] = (_typed_calls, _overlaps)
_REWRITES: Mapping[str, tuple[_Rewrite, ...]] = {
    "db2": (_current, _not_signs, _concat, _durations, _isolation),
    "oracle": (_not_signs,),
    "teradata": (_locking, _titles, _case_marks, _postfix_casts, _today),
    "impala": (_regex_of_any_case,),
}
