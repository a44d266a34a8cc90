"""JSON as a source: exact numbers, no key twice, and the author's digits kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

Json: TypeAlias = object
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]|-?\d[^\s\]},]*', re.DOTALL)
# Python reads no longer integer and no larger exponent; no rule is meant by one.
_TOO_LONG = re.compile(r"-?\d{4301}|-?\d[^eE]*[eE][+-]?\d{18}")
_ENCODER = json.JSONEncoder(ensure_ascii=False)
# The standard library gives up at a depth that differs from one Python to the next.
_DEEP = 100


class Written(Decimal):
    """A number with its digits as they were written (`1.10`, `1e3`)."""

    __slots__ = ("digits",)
    digits: str

    def __new__(cls, digits: str) -> Written:
        made = super().__new__(cls, digits)
        made.digits = digits
        return made


class Malformed(Exception):
    """Text that should be JSON and isn't; `place` is its line and column."""

    def __init__(self, place: str, found: str) -> None:
        super().__init__(found)
        self.place = place
        self.found = found


def parse_json(text: str) -> Json:
    """A number is an int, a float where its digits survive that, else `Written`.

    Raises Malformed, also where an object states a key twice or the text is nested too deeply.
    """
    try:
        return json.loads(text, parse_float=exact_number, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        found = f"text that is no JSON: {error.msg}"
        raise Malformed(_place(text, error.pos), found) from None
    except _KeyTwice as key:
        found = f"the key {json_text(str(key))} twice in one object"
        raise Malformed(_place(text, _second(text)), found) from None
    except RecursionError:
        raise too_deep(text) from None
    except (ValueError, InvalidOperation):
        long = (at for at, token in _tokens(text) if _TOO_LONG.match(token))
        found = "a number too long to be read"
        raise Malformed(_place(text, next(long, 0)), found) from None


def too_deep(text: str) -> Malformed:
    """For JSON whose nesting is more than its reader can follow."""
    depth = 0
    for at, token in _tokens(text):
        depth += (token in "[{") - (token in "]}")
        if depth == _DEEP:
            return Malformed(_place(text, at), f"JSON that is nested more than {_DEEP} deep")
    return Malformed("line 1, column 1", "JSON that is nested too deeply")


def json_text(value: Json) -> str:
    """One line of JSON in the author's digits."""
    try:
        return _ENCODER.encode(value)
    except TypeError:  # a `Written` is in it
        return _with_digits(value)


def _with_digits(value: Json) -> str:
    match value:
        case Written():
            return value.digits
        case dict():
            members = (f"{json_text(key)}: {_with_digits(inner)}" for key, inner in value.items())
            return "{" + ", ".join(members) + "}"
        case list():
            return "[" + ", ".join(map(_with_digits, value)) + "]"
        case _:
            return _ENCODER.encode(value)


def exact_number(digits: str) -> float | Decimal:
    """A float where the digits survive that, else `Written`."""
    number = float(digits)
    return number if repr(number) == digits else Written(digits)


class _KeyTwice(Exception):
    pass


def _unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _KeyTwice(next(name for name in names if names.count(name) > 1))
    return found


# Places, sought only where there is a fault -------------------------------------------------------


def _place(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found.group()) for found in _TOKEN.finditer(text))


def _second(text: str) -> int:
    """Where the first key stands that its object has stated already."""
    open_objects: list[set[str] | None] = []
    before = ""
    for at, token in _tokens(text):
        if token in "]}":
            open_objects.pop()
        elif token in "[{":
            open_objects.append(set() if token == "{" else None)
        elif token[0] == '"' and before in ("{", ",") and (keys := open_objects[-1]) is not None:
            key = json.loads(token)
            if key in keys:
                return at
            keys.add(key)
        before = token
    return 0
