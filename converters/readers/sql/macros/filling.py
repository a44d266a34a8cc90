"""Values of parameters, as text that stands for them where the placeholder stood."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache

from sqlglot.dialects.dialect import Dialect

from ruleferry.converters.dialects.words import SqlDialect

_PLAIN = re.compile(r"[A-Za-z_][\w$]*", re.ASCII)
_PLAIN_PARTS = re.compile(r"[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*", re.ASCII)
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_QUOTED = re.compile(r"'((?:[^']|'')*)'")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NO_BOOLEANS = {"oracle", "tsql", "teradata", "db2"}
_MISSING = object()


def by_name(values: Mapping[str, object]) -> dict[str, object]:
    """Names without their signs, in lower case."""
    return {bare(name): value for name, value in values.items()}


def bare(name: str) -> str:
    """`&&schema` -> schema, `${hivevar:x}` -> x, `:'run_dt'` -> run_dt."""
    inner = re.sub(r"^[^\w?]+|[^\w?]+$", "", name).lower()
    return re.sub(r"^(?:hivevar|hiveconf|env|system|var):", "", inner)


def value_of(name: str, values: Mapping[str, object]) -> object:
    """`is_missing` tells whether there is one."""
    return values.get(bare(name), _MISSING)


def is_missing(value: object) -> bool:
    return value is _MISSING


def as_literal(value: object, dialect: SqlDialect) -> str | None:
    """A literal of the dialect; None for what has no safe one."""
    if isinstance(value, bool):
        return None if dialect.name in _NO_BOOLEANS else str(value).upper()
    if isinstance(value, int | float | Decimal):
        return _number(value)
    if isinstance(value, datetime):
        return _moment(value.isoformat(sep=" "), "TIMESTAMP", "DATETIME2", dialect)
    if isinstance(value, date):
        return _moment(value.isoformat(), "DATE", "DATE", dialect)
    if isinstance(value, str):
        inner = within(value, dialect)
        return None if inner is None else f"'{inner}'"
    return None


def _number(value: float | Decimal) -> str | None:
    if not math.isfinite(value):
        return None
    # In parentheses, so that a minus before it makes no comment of the rest.
    return f"({value})" if value < 0 else str(value)


def _moment(text: str, word: str, of_tsql: str, dialect: SqlDialect) -> str:
    return f"CAST('{text}' AS {of_tsql})" if dialect.name == "tsql" else f"{word} '{text}'"


def within(text: str, dialect: SqlDialect, quote: str = "'") -> str | None:
    """A text between the quotes of a literal; None for one that can't stand there."""
    if _NO_TEXT.search(text) or ("\\" in text and not _is_sure(dialect)):
        return None
    if dialect.backslash:  # there two quotes may be the end of one literal and the start of another
        return text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return text.replace(quote, quote * 2)


@cache
def _is_sure(dialect: SqlDialect) -> bool:
    """The parser takes a backslash for what the table of dialects says that it is."""
    escapes = Dialect.get_or_raise(dialect.parser).tokenizer_class.STRING_ESCAPES
    return ("\\" in escapes) is dialect.backslash


def as_text(value: object) -> str | None:
    """What a tool would write for it within quotes."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal | date):
        return None
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date) else str(value)


def as_name(value: object) -> str | None:
    """A table, a schema or a column, where the placeholder stands for a name."""
    return value if isinstance(value, str) and _PLAIN_PARTS.fullmatch(value) else None


def as_part(text: str) -> str | None:
    """A name, or a number, that a placeholder makes together with the text around it."""
    return text if _PLAIN.fullmatch(text) or _NUMBER.fullmatch(text) else None


def pasted(value: object, dialect: SqlDialect) -> str | None:
    """The text that a tool pastes into the code, where it can't be read in two ways.

    A bare word could be a column or a text without its quotes: None.
    """
    if not isinstance(value, str):
        return as_literal(value, dialect)
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return f"({text})" if text.startswith("-") else text
    if found := _QUOTED.fullmatch(text):
        return as_literal(found[1].replace("''", "'"), dialect)
    return None if _PLAIN_PARTS.fullmatch(text) else as_literal(value, dialect)
