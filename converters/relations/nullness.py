"""When a form has no value: by what `mappings/functions.toml` says of its function."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from ruleferry.converters.mappings import table
from ruleferry.converters.normal_form import Form
from ruleferry.converters.relations.literals import type_word

# What a number is beside a literal: `roomy` where its type has room for all of its digits.
Number: TypeAlias = Literal["whole", "roomy", "number"]


class Called(NamedTuple):
    """A function or operator: its arguments, and when it gives NULL.

    `nulls`: args, where an argument is; more, there and elsewhere; never; all, where all are; own,
    which is not known. `number`: what it gives, if that is one: whole, roomy, or just a number.
    """

    arguments: tuple[Form, ...]
    nulls: str = "own"
    number: Number = "number"


# An overflow raises. A division by zero does, too, but not everywhere.
_OPERATORS = {
    "minus": "args", "Add": "args", "Sub": "args", "Mul": "args", "DPipe": "args",
    "Div": "more", "Mod": "more", "IntDiv": "more", "Coalesce": "all", "escape": "args",
}  # fmt: skip
_PATTERNS = ("RegexpLike", "Like", "ILike")
_TEXTS = ("DType.TEXT", "DType.VARCHAR", "DType.STRING")
_NUMBERS: Mapping[str, Number] = {
    "DType.TINYINT": "whole", "DType.SMALLINT": "whole", "DType.INT": "whole",
    "DType.BIGINT": "whole", "DType.FLOAT": "roomy", "DType.DOUBLE": "roomy",
    "int": "whole", "bigint": "whole", "double": "roomy",
}  # fmt: skip
# Of many records: they stand in the query of a figure, not in a condition on a record.
_COUNTS = ("count", "count_if", "approx_count_distinct")


def called(form: Form) -> Called:
    """Also of a form that is no call: it has no arguments, and its own NULLs."""
    word, *parts = form
    if word in ("Cast", "TryCast"):
        return _cast(dict(parts))
    if word in _PATTERNS:
        named = dict(parts)
        sure = named["expression"][0] == "text" and len(parts) == 2
        return Called((named["this"],), "args" if sure else "more")
    if word in ("minus", "escape"):
        return Called((parts[0],), "args")
    if word in _OPERATORS:
        return Called(_arguments(parts), _OPERATORS[word])
    return _function(word, parts)


def _cast(parts: Mapping[str, Any]) -> Called:
    """A text can be made of any value."""
    word = type_word(parts["to"])
    nulls = "args" if word in _TEXTS else "more"
    number = _NUMBERS.get(word, "number")
    plain = parts.keys() <= {"this", "to", "safe"}
    return Called((parts["this"],), nulls if plain else "own", number)


def _arguments(parts: list[Any]) -> tuple[Form, ...]:
    """A part is a name and a form, a list of forms, or a word."""
    found: list[Form] = []
    for _, value in parts:
        if value and not isinstance(value, str):
            found += [value] if isinstance(value[0], str) else value
    return tuple(found)


def _function(word: str, parts: list[Any]) -> Called:
    if word == "Anonymous":
        named = dict(parts)
        name, arguments = str(named["this"]).lower(), tuple(named.get("expressions", ()))
    elif word in _names():
        name, arguments = _names()[word], _arguments(parts)
    else:
        return Called(())
    row = _rows().get(f"{name}/{len(arguments)}") or _rows().get(name)
    if row is None:
        return Called(arguments, number="whole" if name in _COUNTS else "number")
    number = _NUMBERS.get(row.get("returns", ""), "number")
    return Called(arguments, row.get("nulls", "args"), number)


@cache
def _rows() -> Mapping[str, Mapping[str, str]]:
    rows = table("functions")["functions"]
    assert isinstance(rows, dict)
    return {name: row for name, row in rows.items() if "means" not in row}


@cache
def _names() -> Mapping[str, str]:
    """The word of a form -> the function."""
    return {row["node"]: name.partition("/")[0] for name, row in _rows().items() if "node" in row}


@cache
def unsteady() -> frozenset[str]:
    """Functions that may give another value each time, or that are not about the record."""
    rows = table("functions")["refused"]
    assert isinstance(rows, list)
    return frozenset(n for row in rows if row["code"] == "not_lakeflow" for n in row["names"])
