"""What a table that a statement writes to is for, and statements that state no rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.mappings import table
from ruleferry.converters.readers.sql.shapes.words import parts_of, words

# "reject": for bad records; "results": for counts; "target": for records that are used.
Role: TypeAlias = Literal["reject", "results", "target", "unsure"]


@cache
def table_words(section: str, key: str) -> frozenset[str]:
    rows = table("sql_tables")[section]
    assert isinstance(rows, dict)
    return frozenset(rows[key])


def role_of(name: str, *, labelled: bool = False) -> Role:
    """`labelled`: what is written holds an error's code or message, beside the record."""
    *schemas, last = name.split(".")
    if _is_reject(last):
        return "reject"
    parts = frozenset(parts_of(last))
    if parts & table_words("tables", "results") and not labelled:
        return "results"
    schema = frozenset(part for each in schemas for part in parts_of(each))
    if labelled or schema & table_words("tables", "reject"):
        return "reject"
    return "unsure" if (parts | schema) & table_words("tables", "unsure") else "target"


def _is_reject(last: str) -> bool:
    begins = tuple(table_words("tables", "reject_begins"))
    known = frozenset(parts_of(last)) & table_words("tables", "reject")
    return last.lower().startswith(begins) or bool(known)


def same_table(one: str, other: str) -> bool:
    """One name as written, or the last parts alone where one of them has no schema."""
    a, b = one.lower().split("."), other.lower().split(".")
    count = min(len(a), len(b))
    return bool(count) and a[-count:] == b[-count:]


def is_control(name: str) -> bool:
    lower = name.lower()
    return lower in table_words("control", "columns") or lower in words("window", "columns")


# Statements that state no rule --------------------------------------------------------------------


def no_rule_of(tree: exp.Expression) -> str | None:
    """Why a statement states none; None where it may."""
    return _reasons("no_rules").get(type(tree).__name__)


_WORD = re.compile(r"[a-z_]+", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(--[^\n]*(\n|\Z)|/\*(?!!).*?\*/)", re.DOTALL)


def no_rule(text: str) -> str | None:
    """The same of a text that can't be read as SQL, by its first words."""
    while found := _COMMENT.match(text):
        text = text[found.end() :]
    words = [word.lower() for word in _WORD.findall(text[:200])][:2]
    reasons = _reasons("first_words")
    return reasons.get(" ".join(words)) or (reasons.get(words[0]) if words else None)


@cache
def _reasons(section: str) -> Mapping[str, str]:
    rows = table("sql_tables")[section]
    assert isinstance(rows, dict)
    return rows


def is_numbering(window: exp.Window) -> bool:
    """ROW_NUMBER, RANK: the place of a record among its copies."""
    return str(window.this.this).lower() in ("row_number", "rank", "dense_rank")
