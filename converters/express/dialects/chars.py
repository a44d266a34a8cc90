"""CHAR columns, whose values Spark fills with blanks up to their length."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import literal_text, text
from ruleferry.converters.express.functions import call, called

# Where those blanks are no part of the value.
_STRIPPED = frozenset({"postgres", "mysql"})


def is_char(term: Term) -> bool:
    return term.type is not None and term.type.family == "char"


def stripped(term: Term, here: Dialectal) -> Term:
    """The value of a column as most operators see it; it stays a CHAR."""
    if not is_char(term) or here.dialect.name not in _STRIPPED:
        return term
    return Term(call("rtrim", [term.tree]), term.type)


def filled_up(term: Term, here: Dialectal) -> Term:
    """As LIKE, patterns and CONCAT of PostgreSQL see it: with its blanks."""
    if not is_char(term) or here.dialect.name != "postgres":
        return term
    name, arguments = called(term.tree) or ("", [])
    column = name == "rtrim" and len(arguments) == 1 and isinstance(arguments[0], exp.Column)
    return Term(arguments[0], term.type) if column else term


def without_filling(left: Term, right: Term, here: Dialectal) -> list[Term]:
    """Two texts to be compared: of a literal beside a CHAR blanks at the end don't count.

    In MySQL the collation says whether they do, whatever the column is.
    """
    sides = [left, right]
    if not any(map(is_char, sides)) or here.dialect.name == "mysql":
        return sides
    written = [literal_text(side.tree) for side in sides]
    if here.dialect.name == "postgres" and not all(map(is_char, sides)) and written == [None, None]:
        told = "blanks at the end don't count between a CHAR and a VARCHAR in the source"
        here.tell("dialect_differs", told)
    return [side if value is None else text(value.rstrip(" "))
            for side, value in zip(sides, written, strict=True)]  # fmt: skip
