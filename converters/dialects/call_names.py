"""Calls are renamed before a text is parsed, so that sqlglot makes nothing else of them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

CALL_PREFIX = "ruleferry_call_"
_FORMS = frozenset({
    "cast", "try_cast", "safe_cast", "trycast", "convert", "try_convert", "parse",
    "extract", "values", "table", "unnest", "lateral", "flatten", "interval", "exists", "any",
    "all", "some", "array", "struct", "map", "json_table", "xmltable",
    "xmlelement", "case", "if", "primary", "unique", "check", "references", "key", "index", "in",
    "over", "using", "on", "and", "or", "not", "as", "from", "where", "select", "union", "when",
    "then", "else", "between", "like", "by", "set", "into", "row", "rows", "partition", "with",
    "within", "group", "keep", "pivot", "unpivot", "top", "limit", "distinct", "having",
    "escape", "is", "null", "default", "identity", "generated", "returning", "offset", "fetch",
    "except", "exclude", "tablesample", "xor", "div", "rlike", "regexp", "ilike",
    "join", "minus", "intersect", "sel", "end", "to", "apply", "rollup", "cube", "sets", "only",
    "overlaps", "sample", "option", "qualify", "at",
    "recursive", "materialized", "columns", "cluster", "distribute", "sort",
})  # fmt: skip
# With words inside the parentheses these are forms, else calls.
_MIXED = {
    "trim": {"FROM", "LEADING", "TRAILING", "BOTH"}, "substring": {"FROM", "FOR", "SIMILAR"},
    "position": {"IN"}, "overlay": {"PLACING"},
    "to_number": {"DEFAULT"}, "to_date": {"DEFAULT"}, "to_timestamp": {"DEFAULT"},
}  # fmt: skip
_BEFORE_NAMES = {
    TokenType.ALIAS, TokenType.DCOLON, TokenType.TABLE, TokenType.INTO, TokenType.FROM,
    TokenType.JOIN, TokenType.UPDATE, TokenType.REFERENCES, TokenType.CONSTRAINT, TokenType.VIEW,
    TokenType.PROCEDURE, TokenType.FUNCTION,
}  # fmt: skip


def with_calls_renamed(tokens: list[Token]) -> list[Token]:
    for position, token in enumerate(tokens[:-1]):
        if tokens[position + 1].token_type != TokenType.L_PAREN or not _is_call(tokens, position):
            continue
        token.token_type, token.text = TokenType.VAR, CALL_PREFIX + token.text.lower()
    return tokens


def _is_call(tokens: Sequence[Token], position: int) -> bool:
    token = tokens[position]
    name = token.text.lower()
    if not (name.isidentifier() and token.token_type != TokenType.IDENTIFIER) or name in _FORMS:
        return False
    if name == "filter" and position and tokens[position - 1].token_type == TokenType.R_PAREN:
        return False
    if name == "insert" and position and tokens[position - 1].token_type == TokenType.THEN:
        return False  # of a MERGE
    if name == "conflict" and position and tokens[position - 1].text.upper() == "ON":
        return False
    if name in _MIXED and _words_within(tokens, position) & _MIXED[name]:
        return False
    if _names_a_table(tokens, position):
        return False
    return token.token_type == TokenType.VAR or not _is_type(tokens, position)


def _names_a_table(tokens: Sequence[Token], position: int) -> bool:
    """`INSERT INTO s.t (a, b)`: a name of several parts, and what stands before it."""
    first = position
    while first > 1 and tokens[first - 1].token_type == TokenType.DOT:
        first -= 2
    if first and tokens[first - 1].text.upper() == "EXISTS":  # CREATE TABLE IF NOT EXISTS t (…)
        return True
    return first > 0 and tokens[first - 1].token_type in _BEFORE_NAMES


def _is_type(tokens: Sequence[Token], position: int) -> bool:
    """`DECIMAL(12, 2)` in a definition, a cast or a conversion; elsewhere it is a call."""
    if tokens[position].token_type not in _TYPES or not position:
        return False
    before = tokens[position - 1]
    if before.token_type in _BEFORE_TYPES or before.token_type == TokenType.LT:
        return before.token_type != TokenType.LT or _is_nested(tokens, position - 1)
    return _around(tokens, position) in ("convert", "try_convert")


def _is_nested(tokens: Sequence[Token], position: int) -> bool:
    """ARRAY<VARCHAR(5)>."""
    return position > 0 and tokens[position - 1].text.upper() in ("ARRAY", "MAP", "STRUCT")


def _around(tokens: Sequence[Token], position: int) -> str:
    """The name before the parenthesis that is open at this place."""
    depth = 0
    for at in range(position - 1, 0, -1):
        kind = tokens[at].token_type
        depth += (kind == TokenType.R_PAREN) - (kind == TokenType.L_PAREN)
        if depth < 0:
            return tokens[at - 1].text.lower()
    return ""


_TYPES = frozenset(
    getattr(TokenType, name)
    for name in ("CHAR", "VARCHAR", "NCHAR", "NVARCHAR", "DECIMAL", "INT", "BIGINT", "SMALLINT",
                 "TINYINT", "FLOAT", "DOUBLE", "DATE", "TIME", "TIMESTAMP", "DATETIME", "BINARY",
                 "VARBINARY", "BIT", "ENUM", "DATETIME2", "TIMESTAMPTZ", "TIMESTAMPLTZ", "TEXT")
    if hasattr(TokenType, name)
)  # fmt: skip
# A column's name in its definition, and what a cast says.
_BEFORE_TYPES = frozenset({TokenType.ALIAS, TokenType.DCOLON, TokenType.VAR, TokenType.IDENTIFIER})


def _words_within(tokens: Sequence[Token], position: int) -> set[str]:
    """At the first depth of the parentheses after a name."""
    depth, found = 0, set()
    for token in tokens[position + 1 :]:
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if depth == 0:
            break
        if depth == 1 and token.token_type != TokenType.STRING:
            found.add(token.text.upper())
    return found


def named_back(tree: exp.Expression) -> exp.Expression:
    for node in tree.find_all(exp.Anonymous, exp.Identifier):  # a name with columns: `x (a, b)`
        name = str(node.this)
        if name.startswith(CALL_PREFIX):
            node.set("this", name.removeprefix(CALL_PREFIX))
    return tree
