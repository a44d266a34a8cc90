"""Texts that count as a missing value: what a column of a type makes of them.

A word that no value of the type can be says nothing of the column: NA of a column of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.column_types import Family
from ruleferry.converters.express.nodes import Maker, Node, call, is_nan, or_false, try_as
from ruleferry.converters.express.readings import shaped
from ruleferry.converters.express.sql_text import number_literal, string_literal

_Type = exp.DataType.Type
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)
_TRUTHS = {"true": True, "false": False}


def tests(
    node: Maker, text: Maker, family: Family | None, words: Sequence[str]
) -> tuple[Node, ...]:
    """Each is TRUE where the value is one of the words; none is NULL unless the value is."""
    match family:
        case None:
            return tuple(_of_any(text, words))
        case "string" | "char":
            return tuple(_of_text(text, words))
        case "integer" | "decimal":
            return tuple(_among(node(), _number_literals(words)))
        case "float" | "double":
            nan = [is_nan(node())] if any(w.strip().lower() == "nan" for w in words) else []
            return (*_among(node(), _number_literals(words)), *nan)
        case "date":
            days = [m for m in _moments(words) if not isinstance(m, datetime)]
            return tuple(_among(node(), [_cast(str(day), _Type.DATE) for day in days]))
        case "timestamp":
            return tuple(_among(node(), _times(words, _Type.TIMESTAMP)))
        case "timestamp_ntz":
            return tuple(_among(node(), _times(words, _Type.TIMESTAMPNTZ)))
        case "boolean":
            found = dict.fromkeys(_TRUTHS.get(word.strip().lower()) for word in words)
            return tuple(_among(node(), [exp.Boolean(this=t) for t in found if t is not None]))
    return ()


def by_type(words: Sequence[str]) -> bool:
    """Whether the type of a column decides what the words are of it."""
    return bool(_numbers(words) or _moments(words)) or "nan" in map(str.lower, words)


def _of_text(text: Maker, words: Sequence[str]) -> Iterator[Node]:
    """A word that is blank stands for every blank text."""
    written = list(dict.fromkeys(word for word in words if word.strip(" ")))
    yield from _among(text(), [string_literal(word) for word in written])
    if len(written) < len(set(words)):
        yield exp.EQ(this=call("trim", text()), expression=string_literal(""))


def _of_any(text: Maker, words: Sequence[str]) -> Iterator[Node]:
    """Its values as texts; a number or a time may be written otherwise than the word."""
    yield from _of_text(text, words)
    for kind, literals in (
        (_Type.DOUBLE, _number_literals(words)),
        (_Type.TIMESTAMPNTZ, _times(words, _Type.TIMESTAMPNTZ)),
    ):
        yield from map(or_false, _among(try_as(shaped(text(), kind), kind), literals))


def _among(subject: Node, literals: Sequence[Node]) -> Iterator[Node]:
    if len(literals) == 1:
        yield exp.EQ(this=subject, expression=literals[0])
    elif literals:
        yield exp.In(this=subject, expressions=list(literals))


def _number_literals(words: Iterable[str]) -> list[Node]:
    return [number_literal(number) for number in _numbers(words)]


def _numbers(words: Iterable[str]) -> list[Decimal]:
    found = [Decimal(w.strip()) for w in words if _NUMBER.fullmatch(w.strip())]
    return list(dict.fromkeys(n for n in found if -300 < n.adjusted() < 300))


def _times(words: Iterable[str], kind: exp.DType) -> list[Node]:
    return [_cast(m.isoformat(" ") if isinstance(m, datetime) else str(m), kind)
            for m in _moments(words)]  # fmt: skip


def _moments(words: Iterable[str]) -> list[date]:
    return list(dict.fromkeys(m for word in words if (m := _moment(word.strip())) is not None))


def _moment(word: str) -> date | None:
    if not _DAY.fullmatch(word):
        return None
    try:
        return date.fromisoformat(word) if len(word) == 10 else datetime.fromisoformat(word)
    except ValueError:
        return None


def _cast(text: str, kind: exp.DType) -> Node:
    return exp.Cast(this=string_literal(text), to=exp.DataType(this=kind))
