"""Expressions of Spark SQL as DuckDB's, where both give every record the same answer.

An allow-list: whatever is not on it needs Spark. Nothing on it raises on Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.functions import called
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_text import operands
from ruleferry.converters.express.sql_types import (
    BOOLEAN,
    DATE,
    STRING,
    TEXTS,
    TIMES,
    TIMESTAMP,
    VOID,
    number_type,
    type_of,
)
from ruleferry.converters.proof.duckdb_functions import arithmetic, chosen, function
from ruleferry.converters.proof.duckdb_kinds import (
    Value,
    as_kind,
    boolean,
    call,
    cast,
    literal,
    unified,
)
from ruleferry.converters.proof.duckdb_regex import re2
from ruleferry.converters.proof.rehearsal_run import NeedsSpark

__all__ = ["Field", "Scope", "condition", "value"]


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a relation."""

    name: str
    type: ColumnType
    counted: bool = False


class Scope(Protocol):
    """What an expression may speak of."""

    @property
    def now(self) -> datetime:
        """The one moment of the update, in UTC."""

    def column(self, parts: list[str]) -> Value:
        """The column of that name. Raises NeedsSpark where it is not known for sure."""

    def over_records(self, node: exp.Expression) -> Value | None:
        """An aggregate, a window or EXISTS, where a query may hold it; None for another node."""


def value(node: exp.Expression, scope: Scope) -> Value:
    """Raises NeedsSpark."""
    node = bare(node)
    found = scope.over_records(node)
    if found is not None:
        return found
    step = _STEPS.get(type(node))
    if step is not None:
        return step(node, scope)
    name, arguments = called(node) or ("", [])
    if not name:
        raise NeedsSpark(f"{type(node).__name__.upper()} is on no list")
    return function(name, [value(argument, scope) for argument in arguments])


def condition(node: exp.Expression, scope: Scope) -> exp.Expression:
    """An expression of type BOOLEAN."""
    found = value(node, scope)
    if found.family != "boolean":
        raise NeedsSpark(f"a condition of type {found.type.text}")
    return found.tree


# Leaves -------------------------------------------------------------------------------------------


def _column(node: exp.Expression, scope: Scope) -> Value:
    parts = node.parts if isinstance(node, exp.Column) else []
    if any(not isinstance(part, exp.Identifier) for part in parts):
        raise NeedsSpark("a star")
    return scope.column([part.name for part in parts])


def _literal(node: exp.Expression, _: Scope) -> Value:
    text = str(node.this)
    if node.args["is_string"]:
        return Value(exp.Literal.string(text), STRING, text=text)
    kind = number_type(text)
    if kind is None:
        raise NeedsSpark(f"the number {text}")
    return _number(Decimal(text), kind)


def _number(number: Decimal, kind: ColumnType) -> Value:
    written = repr(float(number)) if kind.family == "double" else f"{number:f}"
    return Value(literal(written, kind), kind, number=number)


def _negative(node: exp.Expression, scope: Scope) -> Value:
    """Of a number that is written out; -x raises for the least integer."""
    inner = value(node.this, scope)
    if inner.number is None:
        raise NeedsSpark("a sign before a column")
    return _number(-inner.number, inner.type)


def _null(_node: exp.Expression, _: Scope) -> Value:
    return Value(exp.Null(), VOID)


def _boolean(node: exp.Expression, _: Scope) -> Value:
    return boolean(exp.Boolean(this=node.this))


def _today(_node: exp.Expression, scope: Scope) -> Value:
    return Value(literal(scope.now.date().isoformat(), DATE), DATE)


def _now(_node: exp.Expression, scope: Scope) -> Value:
    return Value(literal(scope.now.isoformat(sep=" "), TIMESTAMP), TIMESTAMP)


# Logic and comparisons ----------------------------------------------------------------------------


def _logic(node: exp.Expression, scope: Scope) -> Value:
    """AND and OR; a chain of hundreds is no deep tree."""
    kind = type(node)
    tree, *others = [_truth(part, scope) for part in operands(node)]
    for other in others:
        tree = kind(this=tree, expression=other)
    return boolean(exp.Paren(this=tree))


def _truth(node: exp.Expression, scope: Scope) -> exp.Expression:
    found = value(node, scope)
    if found.is_null:
        return cast(exp.Null(), BOOLEAN)
    if found.family != "boolean":
        raise NeedsSpark(f"a condition of type {found.type.text}")
    return found.tree


def _not(node: exp.Expression, scope: Scope) -> Value:
    return boolean(exp.Not(this=exp.Paren(this=_truth(node.this, scope))))


def _comparison(node: exp.Expression, scope: Scope) -> Value:
    sides = [value(node.this, scope), value(node.args["expression"], scope)]
    (left, right), _ = unified(sides)
    return boolean(exp.Paren(this=type(node)(this=left, expression=right)))


def _is(node: exp.Expression, scope: Scope) -> Value:
    asked = bare(node.args["expression"])
    if isinstance(asked, exp.Null):
        inner = value(node.this, scope).tree
    elif isinstance(asked, exp.Boolean):
        inner = _truth(node.this, scope)
    else:
        raise NeedsSpark("IS with something else than NULL, TRUE or FALSE")
    test: exp.Expression = exp.Is(this=exp.Paren(this=inner), expression=asked.copy())
    return boolean(exp.Paren(this=exp.Not(this=test) if node.args.get("negate") else test))


def _in(node: exp.Expression, scope: Scope) -> Value:
    if not node.expressions or node.args.get("query"):
        raise NeedsSpark("IN with a subquery")
    values = [value(item, scope) for item in (node.this, *node.expressions)]
    (subject, *items), _ = unified(values)
    return boolean(exp.Paren(this=exp.In(this=subject, expressions=items)))


def _between(node: exp.Expression, scope: Scope) -> Value:
    """Two comparisons, as on Spark."""
    if node.args.get("symmetric"):
        raise NeedsSpark("BETWEEN SYMMETRIC")
    subject = value(node.this, scope)
    (low_side, low), _ = unified([subject, value(node.args["low"], scope)])
    (high_side, high), _ = unified([subject, value(node.args["high"], scope)])
    over = exp.GTE(this=low_side.copy(), expression=low)
    under = exp.LTE(this=high_side.copy(), expression=high)
    return boolean(exp.Paren(this=exp.And(this=over, expression=under)))


def _case(node: exp.Expression, scope: Scope) -> Value:
    if node.args.get("this") is not None:
        raise NeedsSpark("CASE with a value behind it")
    arms, default = node.args["ifs"], node.args.get("default")
    tests = [_truth(arm.this, scope) for arm in arms]
    results = [value(arm.args["true"], scope) for arm in arms]
    results += [] if default is None else [value(default, scope)]
    trees, of_type = chosen(results)
    ifs = [exp.If(this=test, true=tree) for test, tree in zip(tests, trees, strict=False)]
    last = None if default is None else trees[-1]
    return Value(exp.Case(ifs=ifs, default=last), of_type.type)


# Texts --------------------------------------------------------------------------------------------


def _text(node: exp.Expression, scope: Scope) -> exp.Expression:
    found = value(node, scope)
    if found.family not in TEXTS or found.type.collation is not None:
        raise NeedsSpark(f"a pattern on a value of type {found.type.text}")
    return found.tree


def _like(node: exp.Expression, scope: Scope) -> Value:
    return _liked(node, "\\", scope)


def _escape(node: exp.Expression, scope: Scope) -> Value:
    mark = bare(node.args["expression"])
    if not isinstance(mark, exp.Literal) or not mark.is_string or len(mark.name) != 1:
        raise NeedsSpark("an escape character that is not written out")
    return _liked(bare(node.this), mark.name, scope)


def _liked(node: exp.Expression, mark: str, scope: Scope) -> Value:
    """Spark has \\ as its escape where none is named, DuckDB has none."""
    pattern = bare(node.args["expression"])
    written = isinstance(pattern, exp.Literal) and pattern.is_string
    if not isinstance(node, exp.Like) or not written:
        raise NeedsSpark("a pattern of LIKE that is not one text")
    if _wrong_escape(pattern.name, mark):
        raise NeedsSpark(f"the pattern {pattern.name!r}")
    like = exp.Like(this=_text(node.this, scope), expression=exp.Literal.string(pattern.name))
    test: exp.Expression = exp.Escape(this=like, expression=exp.Literal.string(mark))
    return boolean(exp.Paren(this=exp.Not(this=test) if node.args.get("negate") else test))


def _wrong_escape(pattern: str, mark: str) -> bool:
    """Whether an escape stands before what needs none, where Spark raises."""
    pieces = iter(pattern)
    return any(sign == mark and next(pieces, "") not in ("%", "_", mark) for sign in pieces)


def _rlike(node: exp.Expression, scope: Scope) -> Value:
    pattern = bare(node.args["expression"])
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        raise NeedsSpark("a pattern that is not written out")
    translated = exp.Literal.string(re2(pattern.name))
    return boolean(call("regexp_matches", _text(node.this, scope), translated))


# Operations ---------------------------------------------------------------------------------------


def _arithmetic(node: exp.Expression, scope: Scope) -> Value:
    sides = [value(node.this, scope), value(node.args["expression"], scope)]
    assert isinstance(node, exp.Binary)
    return arithmetic(type(node), sides[0], sides[1], gives_null=False)


def _joined(node: exp.Expression, scope: Scope) -> Value:
    return function("concat", [value(node.this, scope), value(node.args["expression"], scope)])


def _cast(node: exp.Expression, scope: Scope) -> Value:
    """Only where nothing is lost and no text is read, but those of literals."""
    inner, kind = value(node.this, scope), type_of(node.args["to"])
    if inner.is_null:
        return Value(cast(exp.Null(), kind), kind)
    if inner.text is not None and kind.family in TIMES:
        return Value(as_kind(inner, kind), kind)
    if inner.text is not None and kind.family == "double" and inner.text.lower() == "nan":
        return Value(literal("NaN", kind), kind)
    if kind.family in TEXTS:
        return _as_text(inner)
    if inner.type == kind:
        return inner
    if _widens(inner.type, kind):
        return Value(cast(inner.tree, kind), kind)
    raise NeedsSpark(f"a cast of {inner.type.text} to {kind.text}")


def _as_text(inner: Value) -> Value:
    if inner.family in TEXTS:
        return inner
    if inner.family not in ("integer", "boolean") or inner.number is not None:
        raise NeedsSpark(f"a value of type {inner.type.text} as text")
    return Value(cast(inner.tree, STRING), STRING)


def _widens(own: ColumnType, kind: ColumnType) -> bool:
    if own.family == "integer":
        ranks = ("tinyint", "smallint", "int", "bigint")
        if kind.family == "integer":
            return own.text in ranks[: ranks.index(kind.text) + 1] if kind.text in ranks else False
        return kind.family == "double"
    pairs = {("float", "double"), ("date", "timestamp"), ("date", "timestamp_ntz")}
    pairs |= {("timestamp", "date"), ("timestamp_ntz", "date")}
    return (own.family, kind.family) in pairs


_Step = Callable[[exp.Expression, Scope], Value]


def _each(kinds: Iterable[type[exp.Expression]], step: _Step) -> dict[type[exp.Expression], _Step]:
    return dict.fromkeys(kinds, step)


_STEPS: Mapping[type[exp.Expression], _Step] = {
    exp.Column: _column,
    exp.Literal: _literal,
    exp.Null: _null,
    exp.Boolean: _boolean,
    exp.Neg: _negative,
    exp.CurrentDate: _today,
    exp.CurrentTimestamp: _now,
    exp.Not: _not,
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.Case: _case,
    exp.Like: _like,
    exp.Escape: _escape,
    exp.RegexpLike: _rlike,
    exp.DPipe: _joined,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    **_each((exp.And, exp.Or), _logic),
    **_each((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), _comparison),
    **_each((exp.NullSafeEQ, exp.NullSafeNEQ), _comparison),
    **_each((exp.Add, exp.Sub, exp.Mul), _arithmetic),
}
