"""The arguments of an expectation, brought into the forms that the model holds.

`modern` is Great Expectations 1.x, whose fields coerce (numeric text is a number, ISO text a date,
"yes" is true) and refuse; 0.x took what it was given (read in the fields of 1.24.1 and the source
of 0.x).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.rule import Ignore, Value

# What 1.x reads as a moment: 2020-1-1, 2020-01-01T12:30:00.5Z.
_MOMENT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,6})\d*)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?\Z"
)
_WORDS = {
    **dict.fromkeys(("1", "on", "t", "true", "y", "yes"), True),
    **dict.fromkeys(("0", "off", "f", "false", "n", "no"), False),
}
_OF_PAIR: Mapping[str, Ignore] = {
    "both_values_are_missing": "all_missing",
    "either_value_is_missing": "any_missing",
    "neither": "never",
}
_OF_MANY: Mapping[str, Ignore] = {
    "all_values_are_missing": "all_missing",
    "any_value_is_missing": "any_missing",
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


class VacuousFault(ArgumentFault):
    """An argument without which Great Expectations lets every value pass."""

    code = "never_fails"


class ImpossibleFault(ArgumentFault):
    """An argument with which Great Expectations lets no value pass."""

    code = "never_passes"


# Numbers ------------------------------------------------------------------------------------------


def number(value: Json) -> int | Decimal:
    """Exact: the decimal that the author wrote, not the nearest binary fraction."""
    match value:
        case bool():
            return int(value)
        case int() | Decimal():
            return _finite(Decimal(value), value)
        case float():
            return _finite(Decimal(repr(value)), value)
        case str():
            return _finite(_decimal(value), value)
        case _:
            raise ArgumentFault(f"a number was expected, found {shown(value)}")


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        raise ArgumentFault(f"a number was expected, found {shown(text)}") from None


def _finite(found: Decimal, value: Json) -> int | Decimal:
    # Great Expectations holds doubles: 1e400 is infinity there and 1e-400 nothing, and the digits
    # of either would fill a page.
    if not found.is_finite() or (found and not -325 < found.adjusted() < 309):
        raise NoEquivalentFault(f"a finite number was expected, found {shown(value)}")
    return int(found) if found == found.to_integral_value() else found


def count(value: Json, modern: bool) -> int | None:
    """A whole number. 1.x cuts a fraction off and refuses its text; 0.x refuses both."""
    if value is None:
        return None
    found = number(value)
    if isinstance(found, Decimal) and (not modern or isinstance(value, str)):
        raise ArgumentFault(f"a whole number was expected, found {shown(value)}")
    return int(found)


def characters(value: Json, modern: bool) -> int:
    """The one length that a text may have."""
    found = number(value)
    if isinstance(found, Decimal):
        raise ImpossibleFault(f"no text has {shown(value)} characters")
    return found


def share(value: Json, modern: bool) -> Decimal:
    """`mostly`: 0 to 1, a share and no percentage. 0.x took a null for the default."""
    if value is None and not modern:
        return Decimal(1)
    if isinstance(value, str) and not modern:
        raise ArgumentFault(f"mostly: a number from 0 to 1 was expected, found {shown(value)}")
    found = Decimal(number(value))
    if not 0 <= found <= 1:
        raise ArgumentFault(f"mostly: a number from 0 to 1 was expected, found {shown(value)}")
    return found


# Bounds -------------------------------------------------------------------------------------------


def bound(value: Json, modern: bool) -> Value:
    """A bound of a range. Text stays text in 0.x, where it is compared as it stands."""
    if value is None or (isinstance(value, str) and not modern):
        return value
    if isinstance(value, str) and (moment := _moment(value)):
        return moment
    return number(value)


def _moment(text: str) -> date | None:
    found = _MOMENT.match(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    try:
        if hour is None:
            return date(int(year), int(month), int(day))
        micro = (fraction or "").ljust(6, "0")
        time = f"{hour:0>2}:{minute:0>2}:{second or '':0>2}.{micro}{zone or ''}"
        return datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}T{time}")
    except ValueError:
        raise ArgumentFault(f"a number or an ISO date was expected, found {shown(text)}") from None


# Words and texts ----------------------------------------------------------------------------------


def flag(value: Json, modern: bool) -> bool:
    if not modern or (isinstance(value, int | float | Decimal) and value in (0, 1)):
        return bool(value)
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    raise ArgumentFault(f"true or false was expected, found {shown(value)}")


def switch(value: Json, modern: bool) -> bool:
    """A flag that may be null, which is false."""
    return False if value is None else flag(value, modern)


def or_equal(value: Json, modern: bool) -> str:
    return ">=" if switch(value, modern) else ">"


def text(value: Json, modern: bool) -> str:
    """1.x takes a number for its digits."""
    if isinstance(value, int) and modern:
        return str(value)
    if isinstance(value, float | Decimal) and modern:
        return str(float(value))
    if not isinstance(value, str):
        raise ArgumentFault(f"a text was expected, found {shown(value)}")
    return value


def escape(value: Json, modern: bool) -> str | None:
    if value is None:
        return None
    found = text(value, modern)
    if len(found) != 1:
        raise ArgumentFault(f"escape: one character was expected, found {shown(value)}")
    return found


def pattern(value: Json, modern: bool) -> tuple[str, ...]:
    return (text(value, modern),)


def texts(value: Json, modern: bool) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ArgumentFault(f"a list of texts was expected, found {shown(value)}")
    return tuple(text(v, modern) for v in value)


def ignore(value: Json, modern: bool) -> Ignore:
    """`ignore_row_if` of two columns."""
    # 0.8 to 0.12 said never; 1.x refuses the word.
    return _ignore(value, _OF_PAIR if modern else {**_OF_PAIR, "never": "never"}, modern)


def ignore_many(value: Json, modern: bool) -> Ignore:
    """`ignore_row_if` of a list of columns."""
    return _ignore(value, _OF_MANY, modern)


def _ignore(value: Json, words: Mapping[str, Ignore], modern: bool) -> Ignore:
    if value is None and not modern:
        return "all_missing"
    if isinstance(value, str) and value in words:
        return words[value]
    raise ArgumentFault(f"one of {', '.join(words)} was expected, found {shown(value)}")


def match_on(value: Json, modern: bool) -> bool:
    """True where every pattern must match."""
    if value in ("any", "all") or (value is None and not modern):
        return value == "all"
    raise ArgumentFault(f'"any" or "all" was expected, found {shown(value)}')


# Lists --------------------------------------------------------------------------------------------


def scalar(value: Json) -> Value:
    if isinstance(value, dict | list):
        raise NoEquivalentFault(f"a single value was expected, found {shown(value)}")
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


FORMS: Mapping[str, Callable[[Json, bool], object]] = {
    "bound": bound,
    "number": lambda value, modern: None if value is None else number(value),
    "count": count,
    "characters": characters,
    "share": share,
    "flag": flag,
    "switch": switch,
    "or_equal": or_equal,
    "text": text,
    "escape": escape,
    "pattern": pattern,
    "texts": texts,
    "ignore": ignore,
    "ignore_many": ignore_many,
    "match_on": match_on,
    "values": values,
    "pairs": pairs,
    "any": lambda value, modern: value,
}


def shown(value: Json, most: int = 60) -> str:
    """The value as JSON, cut to a length that a message can hold."""
    as_json = json_text(value)
    return as_json if len(as_json) <= most else as_json[: most - 3] + "..."
