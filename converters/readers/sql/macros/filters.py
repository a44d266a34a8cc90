"""Conjuncts that only pick the load: `dt = '${run_dt}'`, `batch_id = ?`.

A bound that a rule itself has (`amt > :p_max`) is none, and what is unsure is none either: a rule
without one of its conditions is another rule, and a parameter that is asked for is no harm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.readers.sql.found import STAND_IN, Macro
from ruleferry.converters.readers.sql.macros import words
from ruleferry.converters.readers.sql.macros.back import macros_in

_FROM_BELOW = (exp.GTE, exp.GT)
_FROM_ABOVE = (exp.LTE, exp.LT)
_MIRRORED = {exp.GTE: exp.LTE, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.LT: exp.GT}
_KNOWN_ARGS: Mapping[type[exp.Expression], set[str]] = {
    exp.In: {"this", "expressions"},
    exp.Between: {"this", "low", "high"},
    exp.Cast: {"this", "to"},
    exp.TryCast: {"this", "to", "safe"},
}


def is_load_filter(conjunct: exp.Expression, macros: Mapping[str, Macro]) -> bool:
    """It compares a column with placeholders that have no value, and nothing else."""
    if not macros:
        return False
    node = bare(conjunct)
    match node:
        case exp.Or():
            return _is_optional(node, macros)
        case exp.EQ():
            return _is_equality(node, macros)
        case exp.In() if _has_only(node):
            values = node.expressions
            return (
                _column(node.this, macros) is not None
                and bool(values)
                and all(_placeholder(value, macros) is not None for value in values)
            )
        case exp.Between() if _has_only(node):
            return _is_window(node, macros)
        case exp.GTE() | exp.LTE() | exp.GT() | exp.LT():
            return _is_bound(node, macros)
    return False


def is_filter_of_loads(conjunct: exp.Expression, macros: Mapping[str, Macro]) -> bool:
    """The same of a column that can't be but one of loads, whatever the value is."""
    columns = list(conjunct.find_all(exp.Column))
    own = [c for c in columns if not macros_in(c, macros)]
    return bool(own) and all(map(_is_of_loads, own)) and is_load_filter(conjunct, macros)


def _has_only(node: exp.Expression) -> bool:
    known = _KNOWN_ARGS[type(node)]
    return all(name in known for name, value in node.args.items() if value)


def _is_optional(node: exp.Or, macros: Mapping[str, Macro]) -> bool:
    """`:p IS NULL OR col = :p`: the whole table where no load is asked for."""
    for absent, filters in ((node.this, node.expression), (node.expression, node.this)):
        missing = bare(absent)
        if not (isinstance(missing, exp.Is) and isinstance(missing.expression, exp.Null)):
            continue
        named = _placeholder(missing.this, macros)
        if named and macros_in(filters, macros) == (named,):
            return is_load_filter(filters, macros)
    return False


def _is_equality(node: exp.EQ, macros: Mapping[str, Macro]) -> bool:
    for column, value in ((node.this, node.expression), (node.expression, node.this)):
        if _column(column, macros) is not None and _placeholder(value, macros) is not None:
            return True
    return False


def _is_window(node: exp.Between, macros: Mapping[str, Macro]) -> bool:
    column = _column(node.this, macros)
    low, high = (_placeholder(node.args[side], macros) for side in ("low", "high"))
    if column is None or low is None or high is None:
        return False
    return _is_of_loads(column) or (_bounds(low, words.starts()) and _bounds(high, words.ends()))


def _is_bound(node: exp.Binary, macros: Mapping[str, Macro]) -> bool:
    """One bound of a window, in the direction that the window has."""
    column, operator = _column(node.this, macros), type(node)
    value = _placeholder(node.expression, macros)
    if column is None or value is None:
        column, value = _column(node.expression, macros), _placeholder(node.this, macros)
        operator = _MIRRORED[operator]
    if column is None or value is None:
        return False
    is_window = _bounds(value, words.starts() if operator in _FROM_BELOW else words.ends())
    if _is_of_loads(column):
        return is_window or operator in (exp.GTE, exp.LTE)
    # A business date that is compared with the day of the run is a rule: birth_dt <= :run_dt.
    return is_window and operator in _FROM_BELOW and _is_extract(value)


def _column(node: object, macros: Mapping[str, Macro]) -> exp.Column | None:
    """A column, or a function of one column."""
    inner = _unwrapped(node)
    if not isinstance(inner, exp.Column) or macros_in(inner, macros):
        return None
    return inner if isinstance(inner.this, exp.Identifier) else None


def _unwrapped(node: object) -> exp.Expression | None:
    """Without the functions around the one value that is no constant."""
    if not isinstance(node, exp.Expression):
        return None
    node = bare(node)
    if isinstance(node, exp.Cast) and (isinstance(node, exp.TryCast) or _has_only(node)):
        return _unwrapped(node.this)
    if (call := called(node)) and call[0] in words.load_functions():
        inner = [argument for argument in call[1] if not _is_constant(argument)]
        return _unwrapped(inner[0]) if len(inner) == 1 else None
    if isinstance(node, exp.Add | exp.Sub) and _is_constant(node.expression):
        return _unwrapped(node.this)
    return node


def _is_constant(node: object) -> bool:
    if isinstance(node, exp.Interval):
        return _is_constant(node.this)
    if isinstance(node, exp.Var | exp.DataType):
        return True
    return isinstance(node, exp.Literal) and STAND_IN not in str(node.this).lower()


def _placeholder(node: object, macros: Mapping[str, Macro]) -> Macro | None:
    """One that stands for a value of its own, or for a literal or a part of one."""
    inner = _unwrapped(node)
    if not isinstance(inner, exp.Column | exp.Literal):
        return None
    found = macros_in(inner, macros)
    if not found or (isinstance(inner, exp.Column) and len(inner.parts) > 1):
        return None
    if isinstance(inner, exp.Column) and not (found[0].whole and len(found) == 1):
        return None
    return found[0]


def _is_of_loads(column: exp.Column) -> bool:
    return column.name.lower() in words.load_columns()


def _words_of(name: str) -> set[str]:
    parted = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    return set(re.split(r"[^a-z]+", parted))


def _bounds(macro: Macro, side: frozenset[str]) -> bool:
    named = _words_of(macro.name)
    return bool(named & side and named & words.times())


def _is_extract(macro: Macro) -> bool:
    """`updated_at > :last_run_ts`: what changed since the last run."""
    named = _words_of(macro.name)
    return bool(
        named & {"last", "since", "prev", "previous"} and named & {"run", "load", "extract"}
    )
