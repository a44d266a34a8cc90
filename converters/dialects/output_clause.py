"""DELETE … OUTPUT … INTO, as SQL Server has it, in the order that sqlglot reads."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType


def output_first(tokens: list[Token]) -> list[Token]:
    """`DELETE FROM t OUTPUT … INTO a.b (c) WHERE`, as sqlglot reads it: `DELETE t OUTPUT … INTO a`.

    The name behind INTO becomes one token.
    """
    kinds = [token.token_type for token in tokens]
    if kinds[:2] != [TokenType.DELETE, TokenType.FROM] or TokenType.RETURNING not in kinds:
        return _with_one_name(tokens)
    if TokenType.WHERE in kinds[: kinds.index(TokenType.RETURNING)]:
        return tokens
    return _with_one_name([tokens[0], *tokens[2:]])


def _with_one_name(tokens: list[Token]) -> list[Token]:
    kinds = [token.token_type for token in tokens]
    if kinds[:1] != [TokenType.DELETE] or TokenType.RETURNING not in kinds:
        return tokens
    start = kinds.index(TokenType.RETURNING)
    if TokenType.INTO not in kinds[start:]:
        return tokens
    name = kinds.index(TokenType.INTO, start) + 1
    end = next((n for n in range(name, len(kinds)) if kinds[n] in _AFTER_OUTPUT), len(kinds))
    if name >= end:
        return tokens
    brackets = [n for n in range(name, end) if kinds[n] == TokenType.L_PAREN]
    parts = tokens[name : brackets[0] if brackets else end]
    tokens[name].text = "".join(part.text for part in parts)
    tokens[name].token_type = TokenType.VAR
    return [*tokens[: name + 1], *tokens[end:]]


_AFTER_OUTPUT = frozenset({TokenType.WHERE, TokenType.FROM})
