"""Small parts of translated expressions, and what of a dialect's own they must keep."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.calls import filled
from ruleferry.converters.express.dialects.collation import collation, tell
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import number_literal, string_literal
from ruleferry.converters.express.sql_types import NUMBERS, TEXTS, VOID


def said(template: str, *parts: exp.Expression, kind: ColumnType | None = None) -> Term:
    """The template of Spark SQL with _1, _2 … replaced by the parts."""
    return Term(filled(template, parts), kind)


def whole(value: int) -> exp.Expression:
    return number_literal(value)


def text(value: str) -> exp.Expression:
    return string_literal(value)


def literal_text(node: exp.Expression) -> str | None:
    """Of a text that is written out, however it is quoted."""
    node = bare(node)
    if isinstance(node, exp.RawString | exp.National):
        return str(node.this)
    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


def whole_literal(node: exp.Expression) -> int | None:
    node, sign = bare(node), 1
    if isinstance(node, exp.Neg):
        node, sign = bare(node.this), -1
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        return sign * int(node.this)
    return None


def is_text(term: Term) -> bool:
    return term.type is not None and term.type.family in TEXTS


def is_number(term: Term) -> bool:
    return term.type is not None and term.type.family in NUMBERS


def is_whole(term: Term) -> bool:
    return term.type is not None and term.type.family == "integer"


def is_null(term: Term) -> bool:
    return term.type == VOID or isinstance(bare(term.tree), exp.Null)


def family(term: Term) -> str | None:
    return None if term.type is None or term.type == VOID else term.type.family


# How the source compares texts --------------------------------------------------------------------


def ignores_case(here: Dialectal) -> bool:
    return collation(here).case


def same_letters(term: Term, here: Dialectal) -> exp.Expression:
    """The text as it is compared where case is ignored and blanks count."""
    by = collation(here)
    if not by.case:
        return term.tree
    tell(by, here)
    written = literal_text(term.tree)
    return text(written.lower()) if written is not None else call("lower", [term.tree])


def compared(term: Term, here: Dialectal) -> exp.Expression:
    """The text as the source compares it: without what it ignores."""
    tree = same_letters(term, here)
    if not collation(here).blanks or not (is_text(term) or term.type is None):
        return tree
    written = literal_text(tree)
    return text(written.rstrip(" ")) if written is not None else call("rtrim", [tree])


def null_text() -> exp.Expression:
    return exp.Cast(this=exp.Null(), to=exp.DataType(this=exp.DataType.Type.TEXT))


def has_letters(value: str) -> bool:
    return value.lower() != value.upper()


# A missing text -----------------------------------------------------------------------------------


def but_empty(term: Term, here: Dialectal) -> Term:
    """NULL for '' where the source has no empty text."""
    if not here.dialect.empty or not is_text(term) or literal_text(term.tree):
        return term
    return Term(call("nullif", [term.tree, text("")]), term.type)


def refuse(reason: str) -> Refusal:
    return Refusal("dialect_meaning", reason)
