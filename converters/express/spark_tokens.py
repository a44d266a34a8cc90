"""Spark SQL text -> sqlglot's tokens, with Spark's meaning of literals and nothing left unread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, zip_longest

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from ruleferry.converters.express.functions import functions, refused_functions
from ruleferry.converters.express.refusal import Refusal

# A call is renamed before it is parsed, so that sqlglot knows no such function.
CALL_PREFIX = "ruleferry_call_"
_SPECIAL_FORMS = {"cast", "try_cast", "extract"}

# Wherever it stands: Spark replaces `${…}` even in literals.
_TEMPLATE = re.compile(r"\$\{|\{\{|<<\w+>>|%\(\w+\)s")
_TEMPLATE_TOKENS = {
    TokenType.PARAMETER,
    TokenType.PLACEHOLDER,
    TokenType.L_BRACE,
    TokenType.R_BRACE,
    TokenType.BLOCK_START,
    TokenType.BLOCK_END,
    TokenType.HASH,
}
_STRANGE_TOKENS = {
    TokenType.HINT: "a hint",
    TokenType.HEX_STRING: "a binary literal",
    TokenType.BIT_STRING: "a binary literal",
    TokenType.BYTE_STRING: "a binary literal",
    TokenType.NATIONAL_STRING: "a literal N'…'",
    TokenType.UNICODE_STRING: "a literal U&'…'",
    TokenType.HEREDOC_STRING: "a literal between dollar signs",
    TokenType.QDCOLON: "the operator ?::",
    TokenType.ARROW: "a function as an argument (->)",
    TokenType.DARROW: "the operator ->>",
}
# A type may be followed by a parenthesis, too: CAST(x AS DECIMAL(10, 2)).
_BEFORE_TYPES = {TokenType.ALIAS, TokenType.DCOLON}
_OPERAND_ENDS = {
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.NUMBER,
    TokenType.STRING,
    TokenType.R_PAREN,
    TokenType.R_BRACKET,
    TokenType.END,
    TokenType.DOT,
}


def spark_tokens(text: str) -> list[Token]:
    """Raises Refusal: template, not_readable, unsupported_function."""
    if found := _TEMPLATE.search(text):
        raise Refusal("template", f"it holds a placeholder: {found[0]}…")
    try:
        tokens = Dialect.get_or_raise("databricks").tokenize(text)
    except TokenError as error:
        raise Refusal("not_readable", "a quote or a comment in it is not closed") from error
    _check_gaps(text, tokens)
    for position, token in enumerate(tokens):
        token.comments = []
        _check_token(tokens, position, token)
    _check_stretches(tokens)
    return _with_calls_renamed(_with_texts_decoded(text, tokens))


def _check_gaps(text: str, tokens: Sequence[Token]) -> None:
    """Nothing but blanks and comments may lie between two tokens: no character is left unread."""
    end = 0
    for token in tokens:
        if token.start >= end:
            _check_gap(text[end : token.start])
            end = token.end + 1
    _check_gap(text[end:])


def _check_gap(gap: str) -> None:
    rest = gap.lstrip()
    while rest:
        if rest.startswith("--"):
            line, _, rest = rest.partition("\n")
            if line.rstrip("\r").endswith("\\"):
                raise Refusal("not_readable", "a comment ends in a backslash")
        elif rest.startswith("/*"):
            rest = rest[_comment_length(rest) :]
        elif rest.startswith("{#"):
            raise Refusal("template", "it holds a comment of a template: {#…")
        else:
            raise Refusal("not_readable", f"{rest[:20]!r} can't be read")
        rest = rest.lstrip()


def _comment_length(text: str) -> int:
    """Comments nest in Spark."""
    depth = 0
    for mark in re.finditer(r"/\*|\*/", text):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    raise Refusal("not_readable", "a comment in it is not closed")


def _check_token(tokens: Sequence[Token], position: int, token: Token) -> None:
    kind = token.token_type
    before = tokens[position - 1].token_type if position else None
    after = tokens[position + 1].text if position + 1 < len(tokens) else ""
    if kind in _TEMPLATE_TOKENS:
        raise Refusal("template", f"it holds a placeholder: {token.text}{after}")
    if kind == TokenType.COLON:
        if before in _OPERAND_ENDS:
            raise Refusal("unsupported_function", "it reads a path in JSON text (column:path)")
        raise Refusal("template", f"it holds a placeholder: :{after}")
    if kind in _STRANGE_TOKENS:
        raise Refusal("unsupported_function", f"it holds {_STRANGE_TOKENS[kind]}")
    if kind == TokenType.VAR and not re.fullmatch(r"\w+", token.text):
        raise Refusal("not_readable", f"{token.text!r} can't be read")


def _with_texts_decoded(text: str, tokens: Iterable[Token]) -> list[Token]:
    """Literals as Spark decodes them; `'it''s'` and `'a' 'b'` are one literal each."""
    kept: list[Token] = []
    for token in tokens:
        if token.token_type not in (TokenType.STRING, TokenType.RAW_STRING):
            kept.append(token)
            continue
        written = text[token.start : token.end + 1]
        value = _decoded(written)
        previous = kept[-1] if kept else None
        if previous is None or previous.token_type != TokenType.STRING:
            token.token_type, token.text = TokenType.STRING, value
            kept.append(token)
            continue
        doubled = previous.end + 1 == token.start and text[previous.end] == written[0]
        previous.text += (written[0] if doubled else "") + value
        previous.end = token.end
    return kept


_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([01][0-7]{2})|(.)|$)", re.DOTALL)
_SINGLE = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"} | {
    "%": "\\%",
    "_": "\\_",
    "\\": "\\",
    "'": "'",
    '"': '"',
}


def _decoded(written: str) -> str:
    """The value of a literal as it stands in the text, quotes included."""
    if written[0] in "rR":
        return written[2:-1]
    return _ESCAPE.sub(_unescape, written[1:-1])


def _unescape(found: re.Match[str]) -> str:
    if code := found[1] or found[2]:
        number = int(code, 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise Refusal("not_readable", f"{found[0]} is no character")
        return chr(number)
    if found[3]:
        return chr(int(found[3], 8))
    if (single := _SINGLE.get(found[4] or "")) is None:
        raise Refusal(
            "not_readable",
            f"Spark drops the backslash of {found[0]} in a literal; write it twice, or write r'…'",
        )
    return single


def _with_calls_renamed(tokens: list[Token]) -> list[Token]:
    for position, (token, after) in enumerate(pairwise(tokens)):
        if after.token_type != TokenType.L_PAREN or not _is_call(token):
            continue
        before = tokens[position - 1].token_type if position else None
        if before not in _OPERAND_ENDS | _BEFORE_TYPES:
            token.token_type, token.text = TokenType.VAR, CALL_PREFIX + token.text.lower()
    return tokens


def _is_call(token: Token) -> bool:
    name = token.text.lower()
    if name in _SPECIAL_FORMS:
        return False
    return token.token_type == TokenType.VAR or name in _known_names()


@cache
def _known_names() -> frozenset[str]:
    return frozenset(f.name for f in functions().values()) | frozenset(refused_functions())


# Binding ------------------------------------------------------------------------------------------

_TEST_TOKENS = {
    TokenType.EQ,
    TokenType.NEQ,
    TokenType.LT,
    TokenType.LTE,
    TokenType.GT,
    TokenType.GTE,
    TokenType.NULLSAFE_EQ,
    TokenType.IS,
    TokenType.IN,
    TokenType.BETWEEN,
    TokenType.LIKE,
    TokenType.ILIKE,
    TokenType.RLIKE,
}
_SEPARATORS = {
    TokenType.AND,
    TokenType.OR,
    TokenType.COMMA,
    TokenType.WHEN,
    TokenType.THEN,
    TokenType.ELSE,
    TokenType.SELECT,
    TokenType.FROM,
    TokenType.WHERE,
    TokenType.ON,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.QUALIFY,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
    TokenType.UNION,
}
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END}
UNCLEAR = "write parentheses around what belongs together"


@dataclass(slots=True)
class _Stretch:
    """What stands between two connectors at one depth of parentheses."""

    begun: bool = False
    tests: int = 0
    between: bool = False

    def restart(self) -> None:
        self.begun, self.tests, self.between = False, 0, False


def _check_stretches(tokens: Sequence[Token]) -> None:
    """One test between two connectors, and NOT only before it or within it.

    Where tests meet without parentheses (`a <=> b LIKE c`) Spark and sqlglot group differently.
    """
    stretches = [_Stretch()]
    before = None
    for token, after in zip_longest(tokens, tokens[1:]):
        kind, here = token.token_type, stretches[-1]
        if before == TokenType.DISTINCT and kind == TokenType.FROM:
            pass  # IS DISTINCT FROM
        elif kind in _CLOSING and len(stretches) > 1:
            stretches.pop()
        elif kind == TokenType.AND and here.between:
            here.between = False
        elif kind in _SEPARATORS:
            here.restart()
        elif kind == TokenType.NOT:
            _check_not(here, before, after)
        else:
            _advance(here, kind)
            if kind in _OPENING:
                stretches.append(_Stretch())
        before = kind


def _advance(here: _Stretch, kind: TokenType) -> None:
    here.begun = True
    here.tests += kind in _TEST_TOKENS
    here.between = here.between or kind == TokenType.BETWEEN
    if here.tests > 1:
        raise Refusal("not_readable", UNCLEAR)


def _check_not(here: _Stretch, before: TokenType | None, after: Token | None) -> None:
    within = before == TokenType.IS or (after is not None and after.token_type in _TEST_TOKENS)
    if here.begun and not within:
        raise Refusal("not_readable", UNCLEAR)


# Names in double quotes ---------------------------------------------------------------------------


def double_quoted(text: str) -> list[str]:
    """The literals in double quotes, which are texts in Spark and names elsewhere."""
    if '"' not in text:
        return []
    tokens = Dialect.get_or_raise("databricks").tokenize(text)
    strings = [t for t in tokens if t.token_type == TokenType.STRING]
    return [t.text for t in strings if text[t.start] == '"']
