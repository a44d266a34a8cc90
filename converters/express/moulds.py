"""Rules that differ only in their columns and plain literals are expressed once.

A suite says the same few things of many columns. In the mould of a rule, stand-ins have the places
of its columns and plain literals: it is built, written and read back once; then each rule's own
names and literals, written as they are everywhere, take those places. A literal is plain where the
rooms see no more in it than in its stand-in; a rule with any other literal has no mould.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, Family
from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.good import Use
from ruleferry.converters.express.likeness import MOST, Likeness, likeness, with_stand_ins
from ruleferry.converters.express.operand import MOMENTS, NUMBERS, TEXTS, CannotExpress, Types
from ruleferry.converters.express.sql_literals import text as text_literal
from ruleferry.converters.express.sql_text import column, to_sql
from ruleferry.converters.express.texts import plain_pattern
from ruleferry.converters.express.worded import Worded, worded
from ruleferry.converters.normal_form import Form, Meaning, normal
from ruleferry.converters.predicates import (
    Absent,
    Compare,
    DistinctWithin,
    Json,
    Length,
    Matches,
    OneOf,
    Predicate,
    Present,
    Range,
    SameWithin,
    SqlSettings,
    SqlText,
    Typed,
    Value,
)
from ruleferry.converters.rule import Caveat, Engine, Nulls

_Kinds: TypeAlias = tuple[ColumnType | None, ...]

_COLUMNS = tuple(f"mould_column_{n:02}_" for n in range(MOST))
_TEXTS = tuple(f"mould_text_{n:02}_" for n in range(MOST))
_NUMBERS = tuple(range(2_000_000_001, 2_000_000_001 + MOST))
_NUMBERS_BEGIN = "20000000"


def moulded(predicate: Predicate, engine: Engine | None, types: Types) -> Worded:
    """The same as `worded`."""
    if isinstance(predicate, SqlText):
        return _of_text(predicate, engine, types)
    case = _case(predicate, engine)
    kinds = case and _kinds(case, types)
    words = types.missing_words
    mould = case and kinds and _mould(case.like, kinds, types.declared is None, engine, words)
    if not case or not mould:
        return worded(predicate, engine, types)
    return mould.filled(case, lambda: normal(good(predicate, Use(engine or "spark", types)).tree))


# Cases of a mould ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Case:
    """A predicate with stand-ins, and what they stand for.

    `on_pandas`: the literals that are others there.
    """

    like: Predicate
    columns: tuple[str, ...]
    literals: tuple[int | str, ...] = ()
    on_pandas: tuple[str, ...] = ()


def _case(predicate: Predicate, engine: Engine | None) -> _Case | None:
    """None where a literal is not plain."""
    match predicate:
        case Present() | Absent() | Json():
            return _Case(type(predicate)(_COLUMNS[0]), (predicate.column,))
        case Typed():
            return _Case(replace(predicate, column=_COLUMNS[0]), (predicate.column,))
        case Range() | Length():
            return _of_bounds(predicate)
        case OneOf():
            return _of_list(predicate)
        case Matches():
            return _of_patterns(predicate, engine)
        case Compare():
            left, right, *_ = _COLUMNS
            like = replace(predicate, left=left, right=right)
            return _Case(like, (predicate.left, predicate.right))
        case DistinctWithin() | SameWithin():
            columns = _COLUMNS[: len(predicate.columns)]
            return _Case(replace(predicate, columns=columns), predicate.columns)
        case _:
            return None


def _of_bounds(rule: Range | Length) -> _Case | None:
    bounds = _numbers([b for b in (rule.low, rule.high) if b is not None])
    if not bounds or bounds[0] > bounds[-1]:
        return None
    if isinstance(rule, Length) and bounds == (0,):
        return None  # no text is shorter
    low = None if rule.low is None else _NUMBERS[0]
    high = None if rule.high is None else _NUMBERS[len(bounds) - 1]
    like = replace(rule, column=_COLUMNS[0], low=low, high=high)
    return _Case(like, (rule.column,), bounds)


def _of_list(rule: OneOf) -> _Case | None:
    if rule.as_times:
        return None
    numbers, texts = _numbers(rule.values), _texts(rule.values)
    stand_ins = _NUMBERS[: len(numbers)] or _TEXTS[: len(texts)]
    like = replace(rule, column=_COLUMNS[0], values=stand_ins)
    return _Case(like, (rule.column,), numbers or texts) if stand_ins else None


def _of_patterns(rule: Matches, engine: Engine | None) -> _Case | None:
    """A pattern that is another one on pandas has a stand-in of which that is true, too."""
    if rule.whole is not False or rule.branched:
        return None
    texts = _texts([plain_pattern(p, engine or "spark") for p in rule.patterns])
    on_pandas = texts if engine else _texts([plain_pattern(p, "pandas") for p in rule.patterns])
    if not texts or not on_pandas:
        return None
    stand_ins = tuple(
        stand_in if one == other else f"{stand_in}$"
        for stand_in, one, other in zip(_TEXTS, texts, on_pandas, strict=False)
    )
    like = replace(rule, column=_COLUMNS[0], patterns=stand_ins)
    return _Case(like, (rule.column,), texts, on_pandas)


def _numbers(values: Sequence[Value]) -> tuple[int, ...]:
    """The values where they are plain numbers and differ, else none."""
    found = tuple(v for v in values if type(v) is int and 0 <= v < 2**31)
    return found if len(set(found)) == len(values) <= MOST else ()


def _texts(values: Sequence[Value]) -> tuple[str, ...]:
    """The values where they are plain texts and differ, else none."""
    found = tuple(v for v in values if isinstance(v, str) and v and v.isprintable())
    return found if len(set(found)) == len(values) <= MOST else ()


def _kinds(case: _Case, types: Types) -> _Kinds | None:
    """The columns' types. None where there is more to a name than its type, or more to a text."""
    names = [name.lower() for name in case.columns]
    alone = len(set(names)) == len(names) <= MOST
    if not alone or not all(map(_is_plain, case.columns)):
        return None
    known = types.known()
    kinds = tuple([known.get(name) for name in names])
    if types.declared is not None and None in kinds:
        return None
    looked_into = _LOOKED_INTO[type(case.literals[0])] if case.literals else ()
    if any(kind is not None and kind.family in looked_into for kind in kinds):
        return None
    return kinds


# Where a text is read as a number or a time, and a number as a text, a truth value or a float.
_LOOKED_INTO: Mapping[type, Set[Family]] = {
    str: NUMBERS | MOMENTS | {"boolean"},
    int: TEXTS | {"boolean", "float"},
}


@lru_cache(maxsize=10_000)
def _is_plain(name: str) -> bool:
    return bool(name) and name.isprintable() and "." not in name and "${" not in name


# Predicates in SQL --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Like:
    """All that a condition depends on but the names and numbers that have stand-ins."""

    shape: tuple[Hashable, ...]
    kinds: _Kinds
    claimed: bool
    engine: Engine | None
    words: tuple[str, ...]
    dialect: str
    bad: bool
    settings: SqlSettings
    tree: exp.Expression = field(compare=False)
    found: Likeness = field(compare=False)


def _of_text(predicate: SqlText, engine: Engine | None, types: Types) -> Worded:
    tree, known = predicate.tree, types.known()
    if not isinstance(tree, exp.Expression) or predicate.whole_query:
        return worded(predicate, engine, types)
    found = likeness(tree, known, predicate)
    if found is None:
        return worded(predicate, engine, types)
    kinds = tuple([known.get(name.lower()) for name in found.columns])
    unknown = types.declared is not None and None in kinds
    mould = None if unknown else _text_mould(
        _Like(
            found.shape, kinds, types.declared is None, engine, types.missing_words,
            predicate.dialect, predicate.bad, predicate.settings, tree, found,
        )
    )  # fmt: skip
    case = _Case(predicate, found.columns, (*found.numbers, *found.texts))
    if mould is None or not mould.tells(case):
        return worded(predicate, engine, types)
    return mould.filled(case, lambda: normal(good(predicate, Use(engine or "spark", types)).tree))


@lru_cache(maxsize=1_000)
def _text_mould(like: _Like) -> _Mould | None:
    columns = {name.lower(): new for name, new in zip(like.found.columns, _COLUMNS, strict=False)}
    known = {name: kind for name, kind in zip(columns, like.kinds, strict=True) if kind}
    first = len(like.found.numbers)  # numbers and texts are counted together
    literals: dict[int | str, int | str] = dict(zip(like.found.numbers, _NUMBERS, strict=False))
    literals |= dict(zip(like.found.texts, _TEXTS[first:], strict=False))
    unlike = SqlText("", like.dialect, like.bad, settings=like.settings)
    tree = with_stand_ins(like.tree, known, unlike, columns, literals)
    predicate = replace(unlike, tree=tree)
    mould = _made(predicate, like.kinds, like.claimed, like.engine, like.words)
    if mould is None or any("…" in told for _, told in mould.caveats):
        return None  # a part of it is cut off in a sentence
    stand_ins = (*columns.values(), *literals.values())
    kept = all(stand_in in mould.meaning.mentions for stand_in in stand_ins)
    return mould if kept else None  # what the condition leaves out it doesn't mention


# Moulds -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mould:
    """Texts in the form of `str.format`: c is for columns, v for literals, w for those on pandas.

    `mentions`: the names and literals of the condition that are nobody's stand-ins.
    """

    text: str
    on_pandas: str
    nulls: Nulls
    caveats: tuple[tuple[str, str], ...]
    meaning: Meaning
    mentions: frozenset[Hashable]

    def tells(self, case: _Case) -> bool:
        """A part of a condition is cut off in a sentence where it is too long."""
        named = any("{c[" in told for _, told in self.caveats)
        return not named or all(len(name) <= len(_COLUMNS[0]) for name in case.columns)

    def filled(self, case: _Case, form: Callable[[], Form]) -> Worded:
        c = [_column_text(name) for name in case.columns]
        v = [str(one) if isinstance(one, int) else text_literal(one) for one in case.literals]
        w = [text_literal(one) for one in case.on_pandas] if self.on_pandas else ()
        names = [name.lower() for name in case.columns]
        return Worded(
            self.text.format(c=c, v=v),
            self.nulls,
            tuple([Caveat(code, told.format(c=case.columns, v=v)) for code, told in self.caveats]),
            Meaning(self.mentions.union(names, case.literals), form, self.meaning),
            self.on_pandas and self.on_pandas.format(c=c, v=v, w=w),
        )


@lru_cache(maxsize=1_000)
def _mould(
    like: Predicate,
    kinds: _Kinds,
    claimed: bool,
    engine: Engine | None,
    words: tuple[str, ...] = (),
) -> _Mould | None:
    return _made(like, kinds, claimed, engine, words)


def _made(
    like: Predicate,
    kinds: _Kinds,
    claimed: bool,
    engine: Engine | None,
    words: tuple[str, ...],
) -> _Mould | None:
    """None where there is no condition, or where a caveat quotes a text."""
    if any("mould_" in word or _NUMBERS_BEGIN in word for word in words):
        return None
    known = {name: kind for name, kind in zip(_COLUMNS, kinds, strict=False) if kind}
    types = Types(None, known, words) if claimed else Types(known, missing_words=words)
    try:
        found = worded(like, engine, types)
    except CannotExpress:
        return None
    caveats = tuple((caveat.code, _format(caveat.detail)) for caveat in found.caveats)
    text, on_pandas = _sql_format(found.text), _sql_format(found.on_pandas)
    if any("mould_" in filled for filled in (text, on_pandas, *(told for _, told in caveats))):
        return None
    mentions = frozenset(m for m in found.meaning.mentions if not _is_stand_in(m))
    return _Mould(text, on_pandas, found.nulls, caveats, found.meaning, mentions)


def _format(text: str) -> str:
    text = text.replace("{", "{{").replace("}", "}}")
    for place, (name, number) in enumerate(zip(_COLUMNS, _NUMBERS, strict=True)):
        text = text.replace(name, f"{{c[{place}]}}").replace(str(number), f"{{v[{place}]}}")
    return text


def _sql_format(text: str) -> str:
    text = _format(text)
    for place, stand_in in enumerate(_TEXTS):
        for literal in (f"'{stand_in}'", f"'{stand_in}$'"):
            text = text.replace(literal, f"{{v[{place}]}}")
        text = text.replace(f"'(?d){stand_in}$'", f"{{w[{place}]}}")
    return text


def _is_stand_in(mentioned: Hashable) -> bool:
    return mentioned in _NUMBERS or str(mentioned).startswith("mould_")


@lru_cache(maxsize=10_000)
def _column_text(name: str) -> str:
    return to_sql(column(name))
