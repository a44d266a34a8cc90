"""Row conditions as objects (`Column("x") > 5` of Great Expectations 1.8 and later), as saved.

Read in expectations/row_conditions.py of 1.24.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import cast

from ruleferry.converters.predicates import (
    Absent,
    And,
    Comparison,
    OneOf,
    Operator,
    Or,
    Present,
    Scope,
    Value,
)
from ruleferry.converters.readers.great_expectations.arguments import (
    ArgumentFault,
    ConditionFault,
    number,
    shown,
)
from ruleferry.converters.readers.great_expectations.version import Ran
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import engine_kind

_Object = Mapping[str, Json]
_OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
_LISTS = ("IN", "NOT_IN")
_MOST = 100
_DEEPEST = 30


def read_condition_object(condition: _Object, ran: Ran) -> Scope:
    """Raises ArgumentFault where Great Expectations refuses the object."""
    if sum(1 for _ in _leaves(condition)) > _MOST:
        raise ArgumentFault(f"row_condition: {_MOST} conditions are the most that it may hold")
    _refuse_or(condition)
    return _scope(condition, ran, 0)


def _inner(condition: Json) -> list[Json]:
    """The conditions within an `and` or `or`."""
    if not isinstance(condition, dict) or condition.get("type") not in ("and", "or"):
        return []
    inner = condition.get("conditions")
    if not isinstance(inner, list):
        raise ArgumentFault(f"row_condition: a list was expected, found {shown(inner)}")
    if not inner:
        raise ConditionFault(f"its row condition is {shown(condition)}, which holds no condition")
    return inner


def _leaves(condition: Json) -> Iterator[Json]:
    inner = _inner(condition)
    for each in inner:
        yield from _leaves(each)
    if not inner:
        yield condition


def _refuse_or(condition: Json) -> None:
    """No `or` within an `and`, at any depth, nor in an `or`, or an `and` of an `or`."""
    kind = _kind(condition)
    within = list(_flat(condition)) if kind == "and" else _inner(condition)
    ands = [part for part in within if _kind(part) == "and"]
    if any(_kind(part) == "or" for part in (*within, *(p for part in ands for p in _inner(part)))):
        raise ArgumentFault(f'row_condition: an "or" within an "{kind}"')


def _flat(condition: Json) -> Iterator[Json]:
    for each in _inner(condition):
        if _kind(each) == "and":
            yield from _flat(each)
        else:
            yield each


def _kind(condition: Json) -> Json:
    return condition.get("type") if isinstance(condition, dict) else None


def _scope(condition: Json, ran: Ran, depth: int) -> Scope:
    if depth > _DEEPEST:
        raise ConditionFault("its row condition is nested too deeply")
    match _kind(condition):
        case "and":
            return And(tuple(_scope(each, ran, depth + 1) for each in _inner(condition)))
        case "or":
            return Or(tuple(_scope(each, ran, depth + 1) for each in _inner(condition)))
        case "nullity":
            return _nullity(cast(_Object, condition))
        case "comparison":
            return _comparison(cast(_Object, condition), ran)
    raise ArgumentFault(f"row_condition: a condition was expected, found {shown(condition)}")


def _column(condition: _Object) -> str:
    column = condition.get("column")
    name = column.get("name") if isinstance(column, dict) else None
    if not isinstance(name, str) or not name:
        raise ArgumentFault(f"row_condition: a column was expected, found {shown(column)}")
    return name


def _nullity(condition: _Object) -> Scope:
    asked = condition.get("is_null")
    if not isinstance(asked, bool):
        raise ArgumentFault(f"row_condition: is_null: true or false was expected, found {asked}")
    return Absent(_column(condition)) if asked else Present(_column(condition))


def _comparison(condition: _Object, ran: Ran) -> Scope:
    column, operator, given = (
        _column(condition),
        condition.get("operator"),
        condition.get("parameter"),
    )
    if operator in _LISTS:
        return OneOf(column, _listed(given, ran), negated=operator == "NOT_IN")
    if operator not in _OPERATORS:
        raise ArgumentFault(f"row_condition: no operator {shown(operator)}")
    word = "=" if operator == "==" else operator
    return Comparison(column, cast(Operator, word), _value(given, ran))


def _listed(given: Json, ran: Ran) -> tuple[Value, ...]:
    """Texts or numbers, and not both."""
    if not isinstance(given, list):
        raise ArgumentFault(f"row_condition: a list was expected, found {shown(given)}")
    kinds = {str if isinstance(v, str) else _is_number(v) for v in given}
    if len(kinds) > 1 or False in kinds:
        raise ArgumentFault(f"row_condition: texts or numbers were expected, found {shown(given)}")
    if not given and ran.engine == "spark":
        raise ArgumentFault("row_condition: Spark refuses an empty list, so it never ran")
    return tuple(_value(v, ran) for v in given)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _value(value: Json, ran: Ran) -> Value:
    if isinstance(value, bool):
        return value
    if _is_number(value):
        return number(value if isinstance(value, int) else float(cast(float, value)))
    if isinstance(value, str):
        _refuse_escaped(value, ran)
        return value
    if value is None or ran.engine == "spark":
        raise ArgumentFault(f"row_condition: a value was expected, found {shown(value)}")
    raise ConditionFault(f"its row condition compares a column with {shown(value)}")


def _refuse_escaped(text: str, ran: Ran) -> None:
    r"""Spark is handed Python's repr of the text, and reads `\xa0` in it as `xa0`."""
    on_spark = ran.engine is None or engine_kind(ran.engine) == "spark"
    if on_spark and any(repr(c).startswith("'\\x") for c in text):
        found = "a character that Great Expectations does not write as Spark reads it"
        raise ConditionFault(
            f"its row condition compares a column with {text!r}, which holds {found}"
        )
