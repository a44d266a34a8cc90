"""Statements within statements, in any dialect."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ruleferry.converters.readers.sql.code.cursor import DEEPEST, Cursor, without_cut
from ruleferry.converters.readers.sql.code.nodes import Node, Other


def up_to(
    cursor: Cursor, stops: Collection[str], statement: Callable[[Cursor], tuple[Node, ...]]
) -> tuple[Node, ...]:
    """Those before one of the words, or all that follow."""
    found: list[Node] = []
    while not cursor.ended and cursor.upper() not in stops:
        before = cursor.at
        found += statement(cursor)
        if cursor.at == before:  # a word that nothing opened, as an END too many
            cursor.at += 1
            found.append(Other(cursor.span(before), "it stands where no statement begins"))
    if cursor.ended and stops:
        cursor.cut = True
        return without_cut(found, cursor)
    return tuple(found)


def one_deeper(cursor: Cursor, statement: Callable[[Cursor], tuple[Node, ...]]) -> tuple[Node, ...]:
    if cursor.depth > DEEPEST:
        cursor.at = len(cursor.tokens)
        cursor.told = True
        return (Other(cursor.span(0), "its blocks are nested too deep"),)
    cursor.depth += 1
    try:
        return statement(cursor)
    finally:
        cursor.depth -= 1
