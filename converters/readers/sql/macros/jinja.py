"""Expressions between {{ and }}: what they name. They are read, and never evaluated."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

_LONGEST = 2_000
_CONSTANTS = {"true": True, "false": False, "none": None}


@dataclass(frozen=True, slots=True)
class Call:
    """`ref('orders')`; `dotted` is the name as it is written: `dbt_utils.star`.

    An argument that is no constant, list or dictionary of constants is None in `known`.
    """

    dotted: str
    arguments: tuple[object, ...] = ()
    named: Mapping[str, object] = field(default_factory=dict)
    known: bool = True


@dataclass(frozen=True, slots=True)
class Name:
    """`column_name`, `target.schema`."""

    dotted: str


def read_expression(text: str) -> Call | Name | None:
    """The text between the braces; None for what is neither a name nor a call."""
    inner = text.strip().strip("-").strip()
    if len(inner) > _LONGEST:
        return None
    try:
        node = ast.parse(inner, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(node, ast.Call):
        return _call(node)
    dotted = _dotted(node)
    return Name(dotted) if dotted else None


def _call(node: ast.Call) -> Call | None:
    dotted = _dotted(node.func)
    if dotted is None:
        return None
    arguments = [_constant(argument) for argument in node.args]
    named = {word.arg or "**": _constant(word.value) for word in node.keywords}
    known = all(isinstance(value, _Known) for value in (*arguments, *named.values()))
    return Call(
        dotted,
        tuple(_value(value) for value in arguments),
        {name: _value(value) for name, value in named.items()},
        known,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    value: object


def _value(found: _Known | None) -> object:
    return found.value if found else None


def _constant(node: ast.expr) -> _Known | None:
    if isinstance(node, ast.Name) and node.id.lower() in _CONSTANTS:
        return _Known(_CONSTANTS[node.id.lower()])
    try:
        return _Known(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return f"{before}.{node.attr}" if before else None
    return None
