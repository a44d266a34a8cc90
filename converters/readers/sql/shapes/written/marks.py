"""Columns in which a script marks its bad records, and what a value there says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.readers.sql.shapes.trees import number, text
from ruleferry.converters.readers.sql.shapes.words import CODE, parts_of, whole
from ruleferry.converters.readers.sql.shapes.written.tables import table_words

# "bad": yes or no, is it bad; "good": yes or no, is it good; "status": a word for either;
# "message": what is wrong, empty where nothing is.
MarkKind: TypeAlias = Literal["bad", "good", "status", "message"]
# What a value says of its record; "cleared": nothing any more; None: it is not known.
Says: TypeAlias = Literal["bad", "good", "cleared"]
_JOINED = (exp.Add, exp.DPipe, exp.Concat)


def mark_kind(column: str) -> MarkKind | None:
    """None for a column that says nothing of whether its record is good."""
    parts = frozenset(parts_of(column))
    if parts & table_words("columns", "no_mark"):
        return None
    bad = parts & table_words("columns", "bad")
    of_checks = parts & table_words("columns", "checks")
    if (
        parts & table_words("columns", "message_alone")
        or (bad and parts & table_words("columns", "message"))
        or (of_checks and parts & table_words("columns", "message_of_checks"))
    ):
        return "message"
    if bad:
        return "bad"
    if parts & table_words("columns", "good"):
        return "good"
    return "status" if parts & table_words("columns", "status") else None


@dataclass(frozen=True, slots=True)
class Mark:
    """`says`: None where the value is not known; `message`: what it says of what is wrong."""

    column: str
    kind: MarkKind
    says: Says | None
    value: str | None = None
    message: str = ""


def mark(column: str, kind: MarkKind, value: exp.Expression) -> Mark:
    """What a column is set to; a CASE is none, but its arms are."""
    value = bare(value)
    if isinstance(value, exp.Null):
        return Mark(column, kind, "cleared")
    written = literal(value)
    if written is not None:
        if kind == "bad" and _is_code(written):
            return Mark(column, "message", "bad", written, written.strip())
        return Mark(column, kind, _says(kind, written), written, _message(kind, written))
    if kind == "message" and (said := joined_text(value)):
        return Mark(column, kind, "bad", said, said)
    if kind == "bad" and _counts_up(value, column):
        return Mark(column, kind, "bad")
    return Mark(column, kind, None)


def _is_code(written: str) -> bool:
    """`err = 'CRM_19'`: a rule's code."""
    return CODE.fullmatch(written.strip()) is not None


def literal(node: exp.Expression) -> str | None:
    """A text, a number or a truth value that is written down."""
    node = bare(node)
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    if (found := text(node)) is not None:
        return found
    return node.name if isinstance(node, exp.Literal) and number(node) is not None else None


def _says(kind: MarkKind, written: str) -> Says | None:
    said = whole(written)
    if kind == "message":
        return "bad" if said and said not in table_words("values", "good") else "cleared"
    if kind == "status":
        known: Sequence[tuple[Says, str]] = (
            ("bad", "bad"), ("good", "good"), ("cleared", "state")
        )  # fmt: skip
        return next((says for says, key in known if said in table_words("values", key)), None)
    yes, no = (said in table_words("values", key) for key in ("yes", "no"))
    if yes == no:
        return None
    return "bad" if yes == (kind == "bad") else "good" if yes else "cleared"


def _message(kind: MarkKind, written: str) -> str:
    return written.strip() if kind == "message" else ""


def joined_text(node: exp.Expression) -> str:
    """`ISNULL(d, '') + 'V1: too late; '`: the text that is added."""
    node = bare(node)
    parts = [*node.flatten()] if isinstance(node, _JOINED) else []
    if isinstance(node, exp.Anonymous) and str(node.this).lower() in ("concat", "concat_ws"):
        parts = list(node.expressions)
    texts = [said.strip(" ;,|") for part in parts if (said := text(part))]
    return max(texts, key=len, default="")


def _counts_up(node: exp.Expression, column: str) -> bool:
    """`errors = errors + 1`, `COALESCE(errors, 0) + 1`."""
    if not isinstance(node, exp.Add) or not (number(node.expression) or 0) > 0:
        return False
    names = {found.name.lower() for found in node.this.find_all(exp.Column)}
    return names == {column.lower()}
