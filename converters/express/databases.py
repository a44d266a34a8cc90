"""What is told of a rule that ran on a database: the facts of `mappings/engines.toml` that its
condition does not carry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.engines import Database
from ruleferry.converters.express.good import Use
from ruleferry.converters.express.operand import (
    FLOATING,
    MOMENTS,
    NUMBERS,
    TEXTS,
    CannotExpress,
    Operand,
)
from ruleferry.converters.predicates import (
    Absent,
    Compare,
    DistinctWithin,
    Length,
    Like,
    Matches,
    OneOf,
    PairIn,
    Predicate,
    Present,
    Range,
    SameWithin,
    SqlText,
    SumIs,
    Value,
)
from ruleferry.converters.rule import Caveat


def of_database(predicate: Predicate, use: Use) -> tuple[Caveat, ...]:
    """Raises CannotExpress where the database can't compare with what the rule states."""
    base = use.database
    if base is None:
        # What is known of a dialect of scripts was said where its text was read.
        plain = isinstance(predicate, SqlText | Present | Absent)
        known = plain and use.engine in sql_dialects() and use.engine != "sql"
        return () if known else (Caveat("database_unknown", _unknown(use)),)
    _refuse_empty_text(predicate, base)
    operands = [use.operand(name) for name in dict.fromkeys(_columns(predicate))]
    told = [
        _texts(predicate, operands, base),
        _nan(predicate, operands, base),
        _moments(predicate, operands, base),
        _length(predicate, base),
        _empty(operands, base),
        *(_other_types(operand, values, base) for operand, values in _lists(predicate, operands)),
    ]
    return tuple(caveat for caveat in told if caveat is not None)


def _unknown(use: Use) -> str:
    if use.engine == "sql":
        return "nothing tells which database ran it, and so how it compares texts and numbers"
    dialect = sql_dialects().get(use.engine)
    called = dialect.called if dialect else use.engine
    return f"how {called} compares texts and numbers is not established"


def _columns(predicate: Predicate) -> tuple[str, ...]:
    match predicate:
        case Compare() | PairIn():
            return predicate.left, predicate.right
        case DistinctWithin() | SameWithin() | SumIs():
            return predicate.columns
        case Present() | Absent() | Range() | OneOf() | Matches() | Like() | Length():
            return (predicate.column,)
        case _:  # never on a database
            return ()


def _lists(
    predicate: Predicate, operands: Sequence[Operand]
) -> Iterator[tuple[Operand, Sequence[Value]]]:
    """Each column with the values that it is to equal."""
    if isinstance(predicate, OneOf):
        yield operands[0], predicate.values
    elif isinstance(predicate, PairIn):
        for place, operand in enumerate(operands):
            yield operand, [pair[place] for pair in predicate.pairs]


# Texts --------------------------------------------------------------------------------------------


def _refuse_empty_text(predicate: Predicate, base: Database) -> None:
    """Where '' is NULL, a comparison with it is unknown, and unknown counts as good."""
    if not base.empty or "" not in _literals(predicate):
        return
    told = f"it compares with an empty text, which is a missing value in {base.called}"
    if isinstance(predicate, OneOf) and not predicate.negated:
        raise CannotExpress("never_fails", f"{told}, so that every value passes")
    if not isinstance(predicate, OneOf):
        raise CannotExpress("no_equivalent", told)


def _literals(predicate: Predicate) -> Sequence[Value]:
    match predicate:
        case OneOf():
            return predicate.values
        case PairIn():
            return [value for pair in predicate.pairs for value in pair]
        case Range():
            return predicate.low, predicate.high
        case Like():
            return predicate.patterns
        case _:
            return ()


def _texts(predicate: Predicate, operands: Sequence[Operand], base: Database) -> Caveat | None:
    """Told where texts are compared otherwise than byte by byte."""
    how = (base.sort or base.equal) if _sorts(predicate) else base.equal
    names = [operand.name for operand in _compared(predicate, operands)]
    if not how or not names:
        return None
    detail = (
        f"{base.called} compares texts {how}; the condition compares {', '.join(names)} exactly"
    )
    return Caveat("text_comparison", detail)


def _sorts(predicate: Predicate) -> bool:
    return isinstance(predicate, Range) or (
        isinstance(predicate, Compare) and predicate.operator != "="
    )


def _compared(predicate: Predicate, operands: Sequence[Operand]) -> list[Operand]:
    """The columns whose texts are compared, as far as their types are known."""
    if isinstance(predicate, Compare | DistinctWithin | SameWithin):
        return [operand for operand in operands if _may_be_text(operand)]
    if isinstance(predicate, Range):
        texts = isinstance(predicate.low, str) or isinstance(predicate.high, str)
        return [operand for operand in operands if texts and _may_be_text(operand)]
    return [
        operand
        for operand, values in _lists(predicate, operands)
        if _may_be_text(operand) and any(isinstance(value, str) for value in values)
    ]


def _may_be_text(operand: Operand) -> bool:
    return operand.family is None or operand.family in TEXTS


def _empty(operands: Sequence[Operand], base: Database) -> Caveat | None:
    names = [operand.name for operand in operands if operand.family is None]
    if not base.empty or not names:
        return None
    detail = f"if {', '.join(names)} holds texts, an empty one is a missing value in {base.called}"
    return Caveat("empty_text", detail)


# Numbers and times --------------------------------------------------------------------------------


def _nan(predicate: Predicate, operands: Sequence[Operand], base: Database) -> Caveat | None:
    """In Spark NaN equals itself and is above every number."""
    floating = [operand.name for operand in operands if operand.family in FLOATING]
    if not floating or base.nan in ("greatest", "missing", "none") or not _meets_nan(predicate):
        return None
    names = ", ".join(floating)
    if base.nan == "apart":
        detail = f"for {base.called} NaN in {names} is neither equal to NaN nor above a number"
        return Caveat("nan_compared", f"{detail}; for Spark it is both")
    return Caveat("nan_unknown", f"how {base.called} compares NaN in {names} is not established")


def _meets_nan(predicate: Predicate) -> bool:
    """A range with an upper bound and a list refuse NaN either way."""
    if isinstance(predicate, Range):
        return predicate.high is None
    return isinstance(predicate, Compare | DistinctWithin | SameWithin)


def _moments(predicate: Predicate, operands: Sequence[Operand], base: Database) -> Caveat | None:
    names = [operand.name for operand in operands if operand.family in MOMENTS]
    if not base.moments or not names or isinstance(predicate, Present | Absent):
        return None
    detail = f"{base.called} holds {', '.join(names)} as text, and compares dates and times so"
    return Caveat("dates_as_texts", detail)


def _length(predicate: Predicate, base: Database) -> Caveat | None:
    if not isinstance(predicate, Length) or not base.length:
        return None
    counted = {
        "bytes": f"{base.called} counts the bytes of a text; the condition counts those of UTF-8",
        "trimmed": f"{base.called} leaves out blanks at the end, as the condition does, and may "
        "count a character beyond U+FFFF as two",
    }
    return Caveat("length_counted", counted[base.length])


def _other_types(operand: Operand, values: Sequence[Value], base: Database) -> Caveat | None:
    """A value of another type than the column: databases convert one to the other, or refuse."""
    others = [v for v in values if v is not None and not _is_of(v, operand)]
    if not others:
        return None
    shown = ", ".join(map(str, others[:5]))
    detail = f"{base.called} may compare {operand.name} otherwise with, or refuse: {shown}"
    return Caveat("values_converted", detail)


def _is_of(value: Value, operand: Operand) -> bool:
    if operand.family is None:
        return True
    if isinstance(value, bool):
        return operand.family == "boolean"
    if isinstance(value, str):
        return operand.family in TEXTS
    return operand.family in NUMBERS
