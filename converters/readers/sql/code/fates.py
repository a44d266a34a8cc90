"""What becomes of a variable into which texts of complaints are put."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleferry.converters.readers.sql.code.effects import Around, is_error_table, outcome, target_of
from ruleferry.converters.readers.sql.code.nodes import (
    Block,
    If,
    Loop,
    Node,
    Raise,
    Skip,
    Span,
    Sql,
)
from ruleferry.converters.readers.sql.code.simple import plain
from ruleferry.converters.readers.sql.code.tokens import Token
from ruleferry.converters.readers.sql.found import Effect


def fate(variable: str, around: Around, tokens: Sequence[Token]) -> Effect | None:
    """What is done with it first, and in any case; None where that can't be told."""
    return _among(variable, around.following(), around, tokens)


def _among(
    variable: str, nodes: Iterable[Node], around: Around, tokens: Sequence[Token]
) -> Effect | None:
    for node in nodes:
        if found := _of(variable, node, around, tokens):
            return found
    return None


def _of(variable: str, node: Node, around: Around, tokens: Sequence[Token]) -> Effect | None:
    match node:
        case If():
            return _of_if(variable, node, around, tokens)
        case Block():
            return _among(variable, node.body, around.within(node.handlers), tokens)
        case Loop():
            return _among(variable, node.body, around, tokens)
        case Raise() if mentions(variable, node.span, tokens):
            done = outcome((node,), around, tokens)
            return None if done is None else done.effect
        case Sql() if mentions(variable, node.span, tokens) and variable not in node.into:
            return _of_sql(node, tokens)
        case Skip() if node.leaves == "routine" and mentions(variable, node.span, tokens):
            return Effect("notice", detail="its text is given back")
        case _:
            return None


def _of_if(variable: str, node: If, around: Around, tokens: Sequence[Token]) -> Effect | None:
    """IF v_errors IS NOT NULL THEN RAISE …"""
    for arm in node.arms:
        tested = arm.condition is not None and mentions(variable, arm.condition, tokens)
        if not tested:
            continue
        done = outcome(arm.body, around, tokens)
        if done is not None and not done.collected:
            return done.effect
        if found := _among(variable, arm.body, around, tokens):
            return found
    for arm in node.arms:
        if arm.condition is None and mentions(variable, node.span, tokens):
            done = outcome(arm.body, around, tokens)
            if done is not None and not done.collected:
                return done.effect
    return None


def _of_sql(node: Sql, tokens: Sequence[Token]) -> Effect | None:
    if node.word == "INSERT":
        target = target_of(node, tokens)
        return Effect("insert", target) if is_error_table(target) else None
    if node.word == "UPDATE":
        return Effect("notice", detail="its text is written beside the record")
    return None


def mentions(variable: str, span: Span, tokens: Sequence[Token]) -> bool:
    return any(
        token.kind == "word" and plain(token.value) == variable
        for token in tokens[span.first : span.last]
    )
