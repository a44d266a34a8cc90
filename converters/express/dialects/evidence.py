"""What sort a value is of by what stands around it, where its type is not known."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.tree import called
from ruleferry.converters.express.dialects.reading import Dialectal
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import NUMBERS, TEXTS, TIMES

_CLOCKS = frozenset({
    "getdate", "sysdatetime", "now", "curdate", "current_date", "current_timestamp", "sysdate",
    "to_date", "to_timestamp", "str_to_date", "date", "add_months", "last_day", "trunc_date",
    "dateadd", "parse_date", "try_to_date", "getutcdate", "systimestamp", "localtimestamp",
})  # fmt: skip
_COUNTS = frozenset({
    "length", "len", "datediff", "abs", "round", "floor", "ceil", "mod", "count", "sum", "year",
    "month", "day", "char_length", "to_number", "sign",
})  # fmt: skip
_TIME_TYPES = exp.DataType.TEMPORAL_TYPES
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_RECKONED = (exp.Mul, exp.Div, exp.Mod, exp.IntDiv, exp.Neg)


def sort_of(node: exp.Expression, here: Dialectal, *, outward: bool = False) -> str | None:
    """ "number", "time", "text", or None; `outward`: by what it is compared with."""
    if outward:
        return _around(node, here)
    return _of(bare(node), here)


def _of(node: exp.Expression, here: Dialectal) -> str | None:
    if isinstance(node, exp.Column):
        return _family(node, here)
    if isinstance(node, exp.Literal):
        return None if node.is_string else "number"
    if isinstance(node, exp.CurrentDate | exp.CurrentTimestamp | exp.DateStrToDate | exp.StrToDate):
        return "time"
    if isinstance(node, exp.Cast | exp.TryCast):
        return _of_type(node.args["to"])
    if isinstance(node, exp.Convert):
        return _of_type(node.this)
    if isinstance(node, _RECKONED):
        return "number"
    if isinstance(node, exp.Add | exp.Sub):
        sorts = {_of(bare(n), here) for n in (node.this, node.args["expression"])}
        return "time" if sorts == {"time", "number"} or sorts == {"time", None} else None
    name = (called(node) or ("", []))[0]
    return "time" if name in _CLOCKS else "number" if name in _COUNTS else None


def _family(node: exp.Column, here: Dialectal) -> str | None:
    kind = here.type_of(node)
    family = kind.family if kind else ""
    return (
        "number" if family in NUMBERS else "time" if family in TIMES
        else "text" if family in TEXTS else None
    )  # fmt: skip


def _of_type(kind: exp.Expression) -> str | None:
    if not isinstance(kind, exp.DataType):
        return None
    if kind.this in _TIME_TYPES:
        return "time"
    return "number" if kind.this in exp.DataType.NUMERIC_TYPES else None


def _around(node: exp.Expression, here: Dialectal) -> str | None:
    parent: exp.Expr | None = node.parent
    child: exp.Expr = node
    while isinstance(parent, exp.Paren):
        child, parent = parent, parent.parent
    if isinstance(parent, _RECKONED):
        return "number"
    if isinstance(parent, _COMPARISONS):
        other = parent.args["expression"] if parent.this is child else parent.this
        return _of(bare(other), here)
    if isinstance(parent, exp.Between):
        others = [parent.args[key] for key in ("this", "low", "high")]
        found = {_of(bare(o), here) for o in others if o is not child} - {None}
        return found.pop() if len(found) == 1 else None
    if isinstance(parent, exp.In):
        found = {_of(bare(o), here) for o in (parent.this, *parent.expressions) if o is not child}
        return found.pop() if len(found) == 1 else None
    return None
