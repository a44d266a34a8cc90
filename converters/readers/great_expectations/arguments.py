"""The arguments of an expectation, brought into the forms that the model holds.

`modern` is Great Expectations 1.x, whose fields coerce (numeric text is a number, ISO text a date)
and refuse; 0.x took what it was given (read in the fields of 1.24.1 and the source of 0.x).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from ruleferry.converters.rule import Ignore, Value

Json: TypeAlias = object
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}\Z")
_IGNORE: Mapping[str, Ignore] = {
    "both_values_are_missing": "all_missing",
    "all_values_are_missing": "all_missing",
    "either_value_is_missing": "any_missing",
    "any_value_is_missing": "any_missing",
    "neither": "never",
    "never": "never",
}


class ArgumentFault(Exception):
    """An argument that Great Expectations itself refuses: what was found, what was expected.

    `code` is the row of mappings/gaps.toml that the rule becomes.
    """

    code = "invalid_rule"


class ParameterFault(ArgumentFault):
    """An argument whose value is only known when the suite runs."""

    code = "parameter"


class NoEquivalentFault(ArgumentFault):
    """An argument that gives the rule a meaning that SQL can't have."""

    code = "no_equivalent"


def number(value: Json) -> int | Decimal:
    """Exact: the decimal that the author wrote, not the nearest binary fraction."""
    match value:
        case bool():
            return int(value)
        case int() | Decimal():
            found: int | Decimal = value
        case float():
            found = Decimal(repr(value))
        case str():
            found = _decimal(value)
        case _:
            raise ArgumentFault(f"a number was expected, found {shown(value)}")
    if isinstance(found, Decimal) and not found.is_finite():
        raise ArgumentFault(f"a finite number was expected, found {shown(value)}")
    return _integral(found)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        raise ArgumentFault(f"a number was expected, found {shown(text)}") from None


def _integral(value: int | Decimal) -> int | Decimal:
    if isinstance(value, int):
        return value
    # 1e400 is no float: Great Expectations would hold infinity, and the digits would fill a page.
    if value.adjusted() > 308:
        raise ArgumentFault(f"a number below 1e308 was expected, found {value}")
    return int(value) if value == value.to_integral_value() else value


def bound(value: Json, modern: bool) -> Value:
    """A bound of a range. Text stays text in 0.x, where it is compared as it stands."""
    if value is None:
        return None
    if not isinstance(value, str):
        return number(value)
    if not modern:
        return value
    try:
        return number(value)
    except ArgumentFault:
        return _moment(value)


def _moment(text: str) -> date:
    try:
        if _DATE.match(text):
            return date(*map(int, text.split("-")))
        return datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentFault(f"a number or an ISO date was expected, found {shown(text)}") from None


def flag(value: Json, modern: bool) -> bool:
    if modern and not isinstance(value, bool | None):
        raise ArgumentFault(f"true or false was expected, found {shown(value)}")
    return bool(value)


def text(value: Json, modern: bool) -> str | None:
    if not isinstance(value, str | None):
        raise ArgumentFault(f"a text was expected, found {shown(value)}")
    return value


def pattern(value: Json, modern: bool) -> tuple[str, ...]:
    return texts([value], modern)


def texts(value: Json, modern: bool) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ArgumentFault(f"a list of texts was expected, found {shown(value)}")
    if not value:
        raise ArgumentFault("a list of texts was expected, found an empty one")
    return tuple(value)


def scalar(value: Json) -> Value:
    if isinstance(value, str | bool | None):
        return value
    return number(value)


def values(value: Json, modern: bool) -> tuple[Value, ...]:
    if not isinstance(value, list):
        raise ArgumentFault(f"a list of values was expected, found {shown(value)}")
    return tuple(scalar(v) for v in value)


def pairs(value: Json, modern: bool) -> tuple[tuple[Value, Value], ...]:
    if not isinstance(value, list) or not all(isinstance(p, list) and len(p) == 2 for p in value):
        raise ArgumentFault(f"a list of pairs was expected, found {shown(value)}")
    return tuple((scalar(a), scalar(b)) for a, b in value)


def ignore(value: Json, modern: bool) -> Ignore:
    if isinstance(value, str) and value in _IGNORE:
        return _IGNORE[value]
    raise ArgumentFault(f"one of {', '.join(_IGNORE)} was expected, found {shown(value)}")


def match_on(value: Json, modern: bool) -> bool:
    """True where every pattern must match."""
    if value in ("any", "all", None):
        return value == "all"
    raise ArgumentFault(f'"any" or "all" was expected, found {shown(value)}')


def or_equal(value: Json, modern: bool) -> str:
    return ">=" if flag(value, modern) else ">"


def share(value: Json, modern: bool) -> Decimal:
    """`mostly`: 0 to 1, a share and no percentage."""
    if isinstance(value, bool) or (isinstance(value, str) and not modern):
        raise ArgumentFault(f"mostly: a number from 0 to 1 was expected, found {shown(value)}")
    found = Decimal(number(value))
    if not 0 <= found <= 1:
        raise ArgumentFault(f"mostly: a number from 0 to 1 was expected, found {shown(value)}")
    return found


FORMS: Mapping[str, Callable[[Json, bool], object]] = {
    "bound": bound,
    "number": lambda value, modern: None if value is None else number(value),
    "flag": flag,
    "text": text,
    "pattern": pattern,
    "texts": texts,
    "values": values,
    "pairs": pairs,
    "ignore": ignore,
    "match_on": match_on,
    "or_equal": or_equal,
    "any": lambda value, modern: value,
}


def shown(value: Json) -> str:
    """The value as JSON, cut to a length that a message can hold."""
    as_json = json.dumps(value, ensure_ascii=False, default=str)
    return as_json if len(as_json) <= 60 else as_json[:57] + "..."


def refuse_parameter(name: str, value: Json) -> None:
    """Raise where the value is `{"$PARAMETER": …}`, at any depth."""
    if isinstance(value, dict):
        if "$PARAMETER" in value:
            raise ParameterFault(f'{name} is the parameter "{value["$PARAMETER"]}"')
        for inner in value.values():
            refuse_parameter(name, inner)
    elif isinstance(value, list):
        for inner in value:
            refuse_parameter(name, inner)
