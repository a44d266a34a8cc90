"""What rules in words mean, in plain Python: of a record, is it good?

It knows nothing of SQL. A test of a value is True, False or None: None where nothing can be
decided, which is no good value, and no record in scope.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    CountPresent,
    Identity,
    Length,
    Not,
    OneOf,
    Or,
    Present,
    Range,
    Typed,
)

Record = Mapping[str, object]
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
OPERATORS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


def is_good(predicate, scope, record: Record, words: Sequence[str], *, known: bool) -> bool:
    if scope is not None and _in_scope(scope, record, words, known) is not True:
        return True
    columns = _columns(predicate)
    gone = [is_missing(record[name], words, known=known) for name in columns]
    match predicate:
        case Present():
            return not gone[0]
        case Absent():
            return gone[0]
        case CountPresent():
            there = gone.count(False)
            high = len(columns) if predicate.high is None else predicate.high
            return predicate.low <= there <= high
    return any(gone) or _test(predicate, record) is True


def _columns(predicate) -> Sequence[str]:
    match predicate:
        case CountPresent():
            return predicate.columns
        case Compare():
            return predicate.left, predicate.right
        case Identity():
            return predicate.column, *(name for _, name in predicate.terms)
    return (predicate.column,)


def is_missing(value, words: Sequence[str], *, known: bool) -> bool:
    if value is None:
        return True
    if isinstance(value, str):
        blank = "" in words and not value.strip(" ")
        as_number = not known and number(value) is not None and _among(number(value), words)
        return blank or value in words or as_number
    if isinstance(value, date):
        return value.isoformat() in words
    return _among(value, words)


def _among(value, words: Sequence[str]) -> bool:
    return any(number(word) == value for word in words if number(word) is not None)


def number(value) -> float | int | Decimal | None:
    if isinstance(value, str):
        return float(value) if NUMBER.fullmatch(value) else None
    if isinstance(value, float) and math.isnan(value):
        return None
    return value if isinstance(value, int | float | Decimal) else None


def day(value) -> date | None:
    if not isinstance(value, str):
        return value if isinstance(value, date) else None
    try:
        return date.fromisoformat(value) if len(value) == 10 else None
    except ValueError:
        return None


def _test(predicate, record: Record) -> bool | None:
    match predicate:
        case Range():
            return _range(predicate, record[predicate.column])
        case OneOf():
            found = _one_of(predicate.values, record[predicate.column])
            return found != predicate.negated
        case Typed():
            return _typed(predicate, record[predicate.column])
        case Length():
            size = len(str(record[predicate.column]))
            return (predicate.low or 0) <= size <= (predicate.high or size)
        case Compare():
            return _compare(predicate, record[predicate.left], record[predicate.right])
        case Identity():
            return _identity(predicate, record)
    raise AssertionError(predicate)


def _range(rule: Range, value) -> bool | None:
    by_day = isinstance(rule.low, date) or isinstance(rule.high, date)
    found = day(value) if by_day else number(value)
    if found is None:
        return None
    low = rule.low is None or (found > rule.low if rule.low_open else found >= rule.low)
    high = rule.high is None or (found < rule.high if rule.high_open else found <= rule.high)
    return low and high


def _one_of(values, value) -> bool:
    if isinstance(value, str) and all(isinstance(v, str) for v in values):
        return value in values
    found = day(value) if isinstance(value, date) else number(value)
    return found is not None and found in values


def _typed(rule: Typed, value) -> bool:
    text = value if isinstance(value, str) else None
    match rule.sort:
        case "integer":
            whole = re.fullmatch(r"[-+]?0*([0-9]+)", text, re.ASCII) if text is not None else None
            if text is not None:
                return bool(whole) and (rule.precision is None or len(whole[1]) <= rule.precision)
            if not isinstance(value, int | Decimal | float) or not math.isfinite(value):
                return False
            size = True if rule.precision is None else abs(value) < 10**rule.precision
            return value == math.floor(value) and size
        case "number":
            return number(value) is not None and (text is not None or math.isfinite(value))
        case "date":
            return day(value) is not None
    raise AssertionError(rule)


def _compare(rule: Compare, left, right) -> bool | None:
    if rule.operator == "=" and isinstance(left, str) and isinstance(right, str):
        return left == right
    return _ordered(rule.operator, left, right)


def _ordered(word: str, left, right) -> bool | None:
    """As numbers, or as days."""
    for read in (number, day):
        a, b = read(left), read(right)
        if a is not None and b is not None:
            return OPERATORS[word](a, b)
    return None


def _identity(rule: Identity, record: Record) -> bool | None:
    def exact(name: str) -> Decimal | None:
        found = number(record[name])
        written = record[name] if isinstance(record[name], str) else found
        if found is None or (isinstance(written, str) and abs(Decimal(written)) >= 10**18):
            return None  # told: in a text, no more digits are added
        return Decimal(written)

    total, parts = exact(rule.column), [(sign, exact(name)) for sign, name in rule.terms]
    if total is None or any(part is None for _, part in parts):
        return None
    return total == sum(sign * part for sign, part in parts)


# Scopes -------------------------------------------------------------------------------------------


def _in_scope(scope, record: Record, words: Sequence[str], known: bool) -> bool | None:
    def asked(part):
        return _in_scope(part, record, words, known)

    match scope:
        case Not():
            found = asked(scope.part)
            return None if found is None else not found
        case And():
            found = [asked(part) for part in scope.parts]
            return False if False in found else None if None in found else True
        case Or():
            found = [asked(part) for part in scope.parts]
            return True if True in found else None if None in found else False
        case Present():
            return not is_missing(record[scope.column], words, known=known)
        case Absent():
            return is_missing(record[scope.column], words, known=known)
        case Comparison():
            return _compared(scope, record[scope.column], words, known)
        case OneOf():
            left = [word for word in words if word not in map(str, scope.values)]
            if is_missing(record[scope.column], left, known=known):
                return None
            return _one_of(scope.values, record[scope.column]) != scope.negated
        case ColumnComparison():
            left, right = record[scope.left], record[scope.right]
            if any(is_missing(value, words, known=known) for value in (left, right)):
                return None
            return _ordered(scope.operator, left, right)
    raise AssertionError(scope)


def _compared(scope: Comparison, value, words: Sequence[str], known: bool) -> bool | None:
    equal = scope.operator in ("=", "!=")
    left = [word for word in words if not (equal and word == str(scope.value))]
    if is_missing(value, left, known=known):
        return None
    if equal:
        return _one_of((scope.value,), value) == (scope.operator == "=")
    found = day(value) if isinstance(scope.value, date) else number(value)
    return None if found is None else OPERATORS[scope.operator](found, scope.value)
