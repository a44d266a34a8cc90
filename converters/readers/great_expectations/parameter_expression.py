"""The arithmetic of parameters: `{"$PARAMETER": "p_max * 2 - 1"}`.

The grammar and its quirks are those of Great Expectations (core/evaluation_parameters.py of
0.18.22, core/suite_parameters.py of 1.24.1, which agree): a sign binds closer than ^, only the
minus signs before a plus count, and a value that is put in is read from its text. Numbers are
Python's own, since those are what it compared with. Only the functions of `_FUNCTIONS` are run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import NoReturn, TypeAlias

from ruleferry.converters.readers.json_text import Json

Result: TypeAlias = int | float | datetime | timedelta

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<name>[A-Za-z][A-Za-z0-9_$]*)"
    r"|(?P<number>(?:\d+|\.\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<sign>[-+*/^(),=]))",
    re.ASCII,
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?", re.ASCII)
_CONSTANTS = {"E": math.e, "PI": math.pi}
_EPSILON = 1e-12
_DEEPEST = 50
_MOST_BITS = 4000


class NotComputed(Exception):
    """Great Expectations itself can't compute it; the message says why."""


class NotConstant(Exception):
    """What it gives is known only when the suite runs, or not to us; the message says why."""


def _sign_of(number: float) -> int:
    return -1 if number < -_EPSILON else 1 if number > _EPSILON else 0


def _clock() -> NoReturn:
    raise NotConstant("it reads the clock of the machine that runs the suite")


_FUNCTIONS: Mapping[str, Callable[..., Result]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "exp": math.exp,
    "abs": abs,
    "trunc": int,
    "round": round,
    "sgn": _sign_of,
    "now": _clock,
    "datetime": datetime,
    "timedelta": timedelta,
}


def names_in(expression: str) -> tuple[str, ...]:
    """The names that need a value, each once. Raises NotComputed where it can't be read."""
    tokens = _tokens(expression)
    following = [text for _, text in tokens[1:]] + [""]
    found = [
        name
        for (kind, name), after in zip(tokens, following, strict=True)
        if kind == "name" and after not in ("(", "=") and name not in _FUNCTIONS
    ]
    return tuple(dict.fromkeys(name for name in found if name not in _CONSTANTS))


def single(expression: str) -> str | None:
    """The one name or number that it is: it is then looked up, and its value taken as it is."""
    tokens = _tokens(expression)
    return tokens[0][1] if len(tokens) == 1 else None


def computed(expression: str, values: Mapping[str, Json]) -> int | float | str:
    """A number, or a time in ISO form. Raises NotComputed and NotConstant."""
    reader = _Reader(_tokens(expression), values)
    try:
        result = reader.whole()
    except (ArithmeticError, TypeError, ValueError) as error:
        raise NotComputed(str(error)) from None
    if isinstance(result, datetime):
        return result.isoformat()
    if isinstance(result, int | float) and math.isfinite(result):
        return result
    raise NotComputed("it gives neither a number nor a time")


def _tokens(expression: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at, text = 0, expression.rstrip(" \t\r\n")
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise NotComputed(f"{text[at : at + 10].strip()} is no part of an expression")
        kind = str(token.lastgroup)
        constant = kind == "name" and token[kind].upper() in _CONSTANTS
        found.append((kind, token[kind].upper() if constant else token[kind]))
        at = token.end()
    if not found:
        raise NotComputed("it is empty")
    return found


class _Reader:
    """One pass over the tokens, which computes as it reads."""

    def __init__(self, tokens: list[tuple[str, str]], values: Mapping[str, Json]) -> None:
        self.tokens = tokens
        self.values = values
        self.at = 0
        self.depth = 0

    def whole(self) -> Result:
        if self.tokens[0] == ("sign", "(") and self.closes(0) == len(self.tokens) - 1:
            raise NotComputed("it is one bracket as a whole")
        found = self.sum()
        if self.at < len(self.tokens):
            raise NotComputed(f"{self.peek()} is not expected there")
        return found

    def closes(self, at: int) -> int:
        """Where the bracket that opens there closes."""
        depth = 0
        for place in range(at, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[place][1], 0)
            if depth == 0:
                return place
        return -1

    def peek(self, more: int = 0) -> str:
        place = self.at + more
        return self.tokens[place][1] if place < len(self.tokens) else ""

    def take(self, *signs: str) -> str:
        found = self.peek()
        if found not in signs:
            return ""
        self.at += 1
        return found

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise NotComputed(f"{sign} was expected")

    def sum(self) -> Result:
        found = self.product()
        while sign := self.take("+", "-"):
            other = self.product()
            found = found + other if sign == "+" else found - other  # type: ignore[operator]
        return found

    def product(self) -> Result:
        found = self.power()
        while sign := self.take("*", "/"):
            other = self.power()
            found = found * other if sign == "*" else found / other  # type: ignore[operator]
        return found

    def power(self) -> Result:
        base = self.signed()
        if not self.take("^"):
            return base
        exponent = self.power()
        whole = isinstance(base, int) and isinstance(exponent, int)
        if whole and base.bit_length() * exponent > _MOST_BITS:  # type: ignore[operator, union-attr]
            raise NotConstant("it gives a number that is too large")
        return base**exponent  # type: ignore[operator]

    def signed(self) -> Result:
        """Only the minus signs before the first plus count."""
        signs = ""
        while sign := self.take("+", "-"):
            signs += sign
        found = self.atom()
        for _ in range(len(signs) - len(signs.lstrip("-"))):
            found = -found  # type: ignore[operator]
        return found

    def atom(self) -> Result:
        if self.at >= len(self.tokens):
            raise NotComputed("it ends too early")
        kind, text = self.tokens[self.at]
        self.at += 1
        if text == "(":
            found = self.inside()
            self.expect(")")
            return found
        if kind == "number":
            return _operand(text)
        if kind == "name":
            return self.call(text) if self.take("(") else self.named(text)
        raise NotComputed(f"{text} is not expected there")

    def inside(self) -> Result:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotConstant("its brackets are nested too deeply")
        found = self.sum()
        self.depth -= 1
        return found

    def named(self, name: str) -> Result:
        if name in self.values:
            return _operand(str(self.values[name]))
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name in _FUNCTIONS:
            return _FUNCTIONS[name]()
        raise NotComputed(f"{name} has no value")

    def call(self, name: str) -> Result:
        """The arguments have all a name, or none has."""
        given: list[Result] = []
        named: dict[str, Result] = {}
        while not self.take(")"):
            if given or named:
                self.expect(",")
            if self.peek(1) == "=":
                key = self.peek()
                self.at += 2
                named[key] = self.inside()
            else:
                given.append(self.inside())
        if name not in _FUNCTIONS:
            raise NotComputed(f"{name} is no function")
        if given and named:
            raise NotComputed(f"the arguments of {name} are mixed")
        return _FUNCTIONS[name](*given, **named)


def _operand(text: str) -> Result:
    """As an integer, else a float, else a date or time: in ISO form, where dateutil takes more."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    if _ISO.fullmatch(text):
        return (
            datetime.combine(date.fromisoformat(text), datetime.min.time())
            if (len(text) == 10)
            else datetime.fromisoformat(text)
        )
    raise NotConstant(f"{text[:40]} is neither a number nor a date in ISO form")
