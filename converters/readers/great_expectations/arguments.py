"""The arguments of an expectation, brought into the forms that the model holds.

The fields of 1.x coerce (numeric text is a number, ISO text a date, "yes" is true) and refuse; 0.x
took what it was given (read in the fields of 1.24.1 and the source of 0.x). `ran` is what ran them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

from ruleferry.converters.predicates import Ignore, Value
from ruleferry.converters.readers.great_expectations.version import Ran
from ruleferry.converters.readers.json_text import Json, json_text

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
# What 0.8 to 0.12 took, whose last word is an error since.
_OF_PAIR_BEFORE: Mapping[str, Ignore] = {
    "both_values_are_missing": "all_missing",
    "either_value_is_missing": "any_missing",
    "never": "never",
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


class TemplateFault(ArgumentFault):
    """A name that is a placeholder."""

    code = "template"


class NoEquivalentFault(ArgumentFault):
    """An argument that gives the rule a meaning that SQL can't have."""

    code = "no_equivalent"


class VacuousFault(ArgumentFault):
    """An argument without which Great Expectations lets every value pass."""

    code = "never_fails"


class ImpossibleFault(ArgumentFault):
    """An argument with which Great Expectations lets no value pass."""

    code = "never_passes"


class ConditionFault(ArgumentFault):
    """A row condition that says more than can be read."""

    code = "row_condition"


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


def number_given(value: Json, ran: Ran) -> int | Decimal:
    """0.x compared with a text as it stands, of which only Spark made a number."""
    found = number(value)
    if is_numeric_text(value, ran) and ran.engine not in ("spark", None):
        raise NoEquivalentFault(f"a number was expected, found the text {shown(value)}")
    return found


def is_numeric_text(value: Json, ran: Ran) -> bool:
    return isinstance(value, str) and not ran.modern


def count(value: Json, ran: Ran) -> int | Decimal | None:
    """A whole number. 1.x cuts a fraction off and refuses its text; 0.x refuses both.

    Save up to 0.12 on Spark, where any number was a length.
    """
    if value is None:
        return None
    found = number(value)
    if ran.generation == "v2" and ran.engine == "spark" and not isinstance(value, str):
        return found
    if isinstance(found, Decimal) and (not ran.modern or isinstance(value, str)):
        raise ArgumentFault(f"a whole number was expected, found {shown(value)}")
    return int(number_given(value, ran))


def characters(value: Json, ran: Ran) -> int:
    """The one length that a text may have. 0.13 to 0.18 refused the text of one."""
    found = number_given(value, ran)
    if is_numeric_text(value, ran) and ran.generation == "v3":
        raise ArgumentFault(f"a number was expected, found {shown(value)}, so it never ran")
    if isinstance(found, Decimal):
        raise ImpossibleFault(f"no text has {shown(value)} characters")
    return found


def share(value: Json, ran: Ran) -> Decimal:
    """`mostly`: 0 to 1, a share and no percentage. Up to 0.12 a null was the default."""
    if value is None and ran.generation == "v2":
        return Decimal(1)
    if isinstance(value, str) and not ran.modern:
        raise ArgumentFault(f"mostly: a number from 0 to 1 was expected, found {shown(value)}")
    found = Decimal(number(value))
    if not 0 <= found <= 1:
        raise ArgumentFault(f"mostly: a number from 0 to 1 was expected, found {shown(value)}")
    return found


# Bounds -------------------------------------------------------------------------------------------


def bound(value: Json, ran: Ran) -> Value:
    """A bound of a range. Text stays text in 0.x, where it is compared as it stands."""
    if value is None or (isinstance(value, str) and not ran.modern):
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


def time(text: str) -> date:
    """A text that Python's dateutil read, where it does not read it in a way of its own."""
    found = _moment(text)
    if found is None:
        raise NoEquivalentFault(f"{shown(text)} is read as a date by Python's dateutil alone")
    return found


# Words and texts ----------------------------------------------------------------------------------


def flag(value: Json, ran: Ran) -> bool:
    if not ran.modern or (isinstance(value, int | float | Decimal) and value in (0, 1)):
        return bool(value)
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    raise ArgumentFault(f"true or false was expected, found {shown(value)}")


def switch(value: Json, ran: Ran) -> bool:
    """A flag that may be null, which is false."""
    return False if value is None else flag(value, ran)


def or_equal(value: Json, ran: Ran) -> str:
    return ">=" if switch(value, ran) else ">"


def text(value: Json, ran: Ran) -> str:
    """1.x takes a number for its digits."""
    if isinstance(value, int) and ran.modern:
        return str(value)
    if isinstance(value, float | Decimal) and ran.modern:
        return str(float(value))
    if not isinstance(value, str):
        raise ArgumentFault(f"a text was expected, found {shown(value)}")
    return value


def escape(value: Json, ran: Ran) -> str | None:
    if value is None:
        return None
    found = text(value, ran)
    if len(found) != 1:
        raise ArgumentFault(f"escape: one character was expected, found {shown(value)}")
    return found


def pattern(value: Json, ran: Ran) -> tuple[str, ...]:
    return (text(value, ran),)


def texts(value: Json, ran: Ran) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ArgumentFault(f"a list of texts was expected, found {shown(value)}")
    return tuple(text(v, ran) for v in value)


def ignore(value: Json, ran: Ran) -> Ignore:
    """`ignore_row_if` of two columns."""
    return _ignore(value, _OF_PAIR_BEFORE if ran.generation == "v2" else _OF_PAIR)


def ignore_many(value: Json, ran: Ran) -> Ignore:
    """`ignore_row_if` of a list of columns."""
    return _ignore(value, _OF_MANY)


def _ignore(value: Json, words: Mapping[str, Ignore]) -> Ignore:
    if isinstance(value, str) and value in words:
        return words[value]
    raise ArgumentFault(f"one of {', '.join(words)} was expected, found {shown(value)}")


def match_on(value: Json, ran: Ran) -> bool:
    """True where every pattern must match. 0.13 to 0.18 took a null for the default."""
    if value in ("any", "all") or (value is None and ran.generation == "v3"):
        return value == "all"
    raise ArgumentFault(f'"any" or "all" was expected, found {shown(value)}')


# Lists --------------------------------------------------------------------------------------------


def scalar(value: Json) -> Value:
    if isinstance(value, dict | list):
        raise NoEquivalentFault(f"a single value was expected, found {shown(value)}")
    if isinstance(value, str | bool | None):
        return value
    return number(value)


def _as_given(value: Json) -> Value:
    """As `scalar`, save that 1.0 stays apart from 1, and -0.0 from 0.0."""
    found = scalar(value)
    if type(found) is not int or isinstance(value, int | str):
        return found
    sign = "-" if found == 0 and str(value).startswith("-") else ""
    return Decimal(f"{sign}{found}.0")


def values(value: Json, ran: Ran) -> tuple[Value, ...]:
    if not isinstance(value, list):
        raise ArgumentFault(f"a list of values was expected, found {shown(value)}")
    return tuple((scalar if ran.modern else _as_given)(v) for v in value)


def pairs(value: Json, ran: Ran) -> tuple[tuple[Value, Value], ...]:
    if not isinstance(value, list) or not all(isinstance(p, list) and len(p) == 2 for p in value):
        raise ArgumentFault(f"a list of pairs was expected, found {shown(value)}")
    return tuple((scalar(a), scalar(b)) for a, b in value)


NUMERIC = ("number", "count", "characters")
FORMS: Mapping[str, Callable[[Json, Ran], object]] = {
    "bound": bound,
    "number": lambda value, ran: None if value is None else number_given(value, ran),
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
    "any": lambda value, ran: value,
}


def shown(value: Json, most: int = 60) -> str:
    """The value as JSON, cut to a length that a message can hold."""
    as_json = json_text(value)
    return as_json if len(as_json) <= most else as_json[: most - 3] + "..."
