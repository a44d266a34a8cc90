"""Rules that differ only in their columns and plain literals are expressed once.

A suite says the same few things of many columns. In the mould of a rule, stand-ins have the places
of its columns and plain literals: it is built, written and read back once; then each rule's own
names and literals, written as they are everywhere, take those places. A literal is plain where the
rooms see no more in it than in its stand-in; a rule with any other literal has no mould.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from ruleferry.converters.column_types import ColumnType, Family
from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.operand import MOMENTS, NUMBERS, CannotExpress, Types
from ruleferry.converters.express.sql_literals import text as text_literal
from ruleferry.converters.express.sql_text import checked_text, column, to_sql
from ruleferry.converters.express.texts import plain_pattern
from ruleferry.converters.normal_form import Form, Meaning, mentions, normal
from ruleferry.converters.rule import (
    Absent,
    Caveat,
    Compare,
    DistinctWithin,
    Engine,
    Json,
    Length,
    Matches,
    Nulls,
    OneOf,
    Predicate,
    Present,
    Range,
    SameWithin,
    Value,
)

_Literals: TypeAlias = tuple[int, ...] | tuple[str, ...]
_Kinds: TypeAlias = tuple[ColumnType | None, ...]

_MOST = 30
_COLUMNS = tuple(f"mould_column_{n:02}_" for n in range(_MOST))
_TEXTS = tuple(f"mould_text_{n:02}_" for n in range(_MOST))
_NUMBERS = tuple(range(2_000_000_001, 2_000_000_001 + _MOST))
_STAND_INS: frozenset[Hashable] = frozenset((*_COLUMNS, *_TEXTS, *_NUMBERS))


@dataclass(frozen=True, slots=True)
class Worded:
    """A condition as text, and what it says."""

    text: str
    nulls: Nulls
    caveats: tuple[Caveat, ...]
    meaning: Meaning


def worded(predicate: Predicate, use: Use) -> Worded:
    """Raises CannotExpress, UnsafeText, and Refusal where a text is too deep to be read back."""
    case = _case(predicate, use.engine)
    kinds = case and _kinds(case, use.types)
    mould = case and kinds and _mould(case.like, kinds, use.types.declared is None, use.engine)
    if case and mould:
        return mould.filled(case, lambda: normal(good(predicate, use).tree))
    return in_words(good(predicate, use))


def in_words(found: Good) -> Worded:
    """Without a mould. Raises Refusal where the text is too deep to be read back."""
    return Worded(checked_text(found.tree), found.nulls, found.caveats, Meaning.of(found.tree))


# Cases of a mould ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """A predicate with stand-ins, and what they stand for."""

    like: Predicate
    columns: tuple[str, ...]
    literals: _Literals = ()


def _case(predicate: Predicate, engine: Engine) -> _Case | None:
    """None where a literal is not plain."""
    match predicate:
        case Present() | Absent() | Json():
            return _Case(type(predicate)(_COLUMNS[0]), (predicate.column,))
        case Range() | Length():
            return _of_bounds(predicate)
        case OneOf():
            return _of_list(predicate)
        case Matches():
            return _of_patterns(predicate, engine)
        case Compare():
            left, right, *_ = _COLUMNS
            like = Compare(left, predicate.operator, right, predicate.ignore)
            return _Case(like, (predicate.left, predicate.right))
        case DistinctWithin() | SameWithin():
            columns = _COLUMNS[: len(predicate.columns)]
            return _Case(type(predicate)(columns, predicate.ignore), predicate.columns)
        case _:
            return None


def _of_bounds(rule: Range | Length) -> _Case | None:
    bounds = _numbers([b for b in (rule.low, rule.high) if b is not None])
    if not bounds or bounds[0] > bounds[-1]:
        return None
    if isinstance(rule, Length) and 0 in bounds:
        return None  # no text is shorter
    low = None if rule.low is None else _NUMBERS[0]
    high = None if rule.high is None else _NUMBERS[len(bounds) - 1]
    like = type(rule)(_COLUMNS[0], low, high, rule.low_open, rule.high_open)
    return _Case(like, (rule.column,), bounds)


def _of_list(rule: OneOf) -> _Case | None:
    numbers, texts = _numbers(rule.values), _texts(rule.values)
    stand_ins = _NUMBERS[: len(numbers)] or _TEXTS[: len(texts)]
    like = OneOf(_COLUMNS[0], stand_ins, rule.negated)
    return _Case(like, (rule.column,), numbers or texts) if stand_ins else None


def _of_patterns(rule: Matches, engine: Engine) -> _Case | None:
    texts = _texts([plain_pattern(pattern, engine) for pattern in rule.patterns])
    like = Matches(_COLUMNS[0], _TEXTS[: len(texts)], rule.each, rule.negated)
    return _Case(like, (rule.column,), texts) if texts else None


def _numbers(values: Sequence[Value]) -> tuple[int, ...]:
    """The values where they are plain numbers and differ, else none."""
    found = tuple(v for v in values if type(v) is int and 0 <= v < 2**31)
    return found if len(set(found)) == len(values) <= _MOST else ()


def _texts(values: Sequence[Value]) -> tuple[str, ...]:
    """The values where they are plain texts and differ, else none."""
    found = tuple(v for v in values if isinstance(v, str) and v.isprintable())
    return found if len(set(found)) == len(values) <= _MOST else ()


def _kinds(case: _Case, types: Types) -> _Kinds | None:
    """The columns' types. None where there is more to a name than its type, or more to a text."""
    names = [name.lower() for name in case.columns]
    alone = len(set(names)) == len(names) <= _MOST
    if not alone or not all(map(_is_plain, case.columns)):
        return None
    known = types.known()
    kinds = tuple(known.get(name) for name in names)
    if types.declared is not None and None in kinds:
        return None
    looked_into = _LOOKED_INTO[type(case.literals[0])] if case.literals else ()
    if any(kind is not None and kind.family in looked_into for kind in kinds):
        return None
    return kinds


# Where a text is read as a number or a time, and where 0 and 1 are truth values.
_LOOKED_INTO: Mapping[type, Set[Family]] = {
    str: NUMBERS | MOMENTS | {"boolean"},
    int: {"boolean"},
}


@lru_cache(maxsize=10_000)
def _is_plain(name: str) -> bool:
    return bool(name) and name.isprintable() and "." not in name and "${" not in name


# Moulds -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mould:
    """Texts in the form of `str.format`: the columns' places, then the literals'."""

    text: str
    nulls: Nulls
    caveats: tuple[tuple[str, str], ...]
    meaning: Meaning
    mentions: frozenset[Hashable]

    def filled(self, case: _Case, form: Callable[[], Form]) -> Worded:
        columns = map(_column_text, case.columns)
        literals = (str(v) if isinstance(v, int) else text_literal(v) for v in case.literals)
        names = (name.lower() for name in case.columns)
        return Worded(
            text=self.text.format(*columns, *literals),
            nulls=self.nulls,
            caveats=tuple(Caveat(code, text.format(*case.columns)) for code, text in self.caveats),
            meaning=Meaning(self.mentions.union(names, case.literals), form, self.meaning),
        )


@lru_cache(maxsize=1_000)
def _mould(like: Predicate, kinds: _Kinds, claimed: bool, engine: Engine) -> _Mould | None:
    """None where there is no condition, or where a caveat speaks of a literal."""
    known = {name: kind for name, kind in zip(_COLUMNS, kinds, strict=False) if kind}
    try:
        found = good(like, Use(engine, Types(None, known) if claimed else Types(known)))
    except CannotExpress:
        return None
    details = " ".join(caveat.detail for caveat in found.caveats)
    if any(str(literal) in details for literal in (*_TEXTS, *_NUMBERS)):
        return None
    columns = len(kinds)
    return _Mould(
        text=_format(checked_text(found.tree), columns),
        nulls=found.nulls,
        caveats=tuple((caveat.code, _format(caveat.detail, columns)) for caveat in found.caveats),
        meaning=Meaning.of(found.tree),
        mentions=mentions(found.tree) - _STAND_INS,
    )


def _format(text: str, columns: int) -> str:
    text = text.replace("{", "{{").replace("}", "}}")
    for place, stand_in in enumerate(_COLUMNS[:columns]):
        text = text.replace(stand_in, f"{{{place}}}")
    for place, (stand_in, number) in enumerate(zip(_TEXTS, _NUMBERS, strict=True), columns):
        text = text.replace(f"'{stand_in}'", f"{{{place}}}").replace(str(number), f"{{{place}}}")
    return text


@lru_cache(maxsize=10_000)
def _column_text(name: str) -> str:
    return to_sql(column(name))
