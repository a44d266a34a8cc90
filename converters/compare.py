"""Do two conditions say the same; does one allow more than the other?

Both questions are asked of the normal form: operands sorted, IN as a set, BETWEEN as two
comparisons, a literal by its value. Merging, conflicts and drift all ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from sqlglot import exp

# A word and its operands, which are forms again, texts or numbers.
Form: TypeAlias = tuple[Any, ...]
Relation: TypeAlias = Literal["equal", "tighter", "looser", "other"]


def normal(tree: exp.Expression) -> Form:
    """The normal form: equal for trees that differ only in how they are written."""
    rule = _RULES.get(type(tree))
    return rule(tree) if rule else _generic(tree)


def _generic(tree: exp.Expression) -> Form:
    parts = tuple(
        (k, _value(v)) for k, v in sorted(tree.args.items()) if v not in (None, [], False)
    )
    return (type(tree).__name__, *parts)


def _value(value: object) -> Hashable:
    if isinstance(value, exp.Expression):
        return normal(value)
    if isinstance(value, list):
        return tuple(_value(v) for v in value)
    return str(value)


def _connector(word: str) -> Callable[[exp.Expression], Form]:
    def connect(tree: exp.Expression) -> Form:
        found: set[Form] = set()
        for side in (normal(tree.this), normal(tree.expression)):
            found |= side[1] if side[0] == word else {side}
        return _of(word, found)

    return connect


def _of(word: str, operands: set[Form]) -> Form:
    return next(iter(operands)) if len(operands) == 1 else (word, frozenset(operands))


def _not(tree: exp.Expression) -> Form:
    return negated(normal(tree.this))


def negated(form: Form) -> Form:
    return form[1] if form[0] == "not" else ("not", form)


def _is(tree: exp.Expression) -> Form:
    form: Form = ("is", normal(tree.this), normal(tree.expression))
    return negated(form) if tree.args.get("negate") else form


def _equal(tree: exp.Expression) -> Form:
    return ("eq", frozenset((normal(tree.this), normal(tree.expression))))


def _in(tree: exp.Expression) -> Form:
    if tree.args.get("query") or tree.args.get("unnest"):
        return _generic(tree)
    values = frozenset(normal(e) for e in tree.expressions)
    subject = normal(tree.this)
    return ("eq", frozenset((subject, *values))) if len(values) == 1 else ("in", subject, values)


def _between(tree: exp.Expression) -> Form:
    subject = normal(tree.this)
    low, high = normal(tree.args["low"]), normal(tree.args["high"])
    return _of("and", {("le", low, subject), ("le", subject, high)})


def _order(word: str, *, turned: bool) -> Callable[[exp.Expression], Form]:
    def order(tree: exp.Expression) -> Form:
        left, right = normal(tree.this), normal(tree.expression)
        return (word, right, left) if turned else (word, left, right)

    return order


def _literal(tree: exp.Expression) -> Form:
    if tree.args.get("is_string"):
        return ("text", tree.this)
    return ("number", _number(tree.this))


def _number(digits: str) -> Hashable:
    try:
        return Decimal(digits).normalize()
    except ArithmeticError:
        return digits


def _negative(tree: exp.Expression) -> Form:
    inner = normal(tree.this)
    if inner[0] == "number" and isinstance(inner[1], Decimal):
        return ("number", -inner[1])
    return ("neg", inner)


def _column(tree: exp.Expression) -> Form:
    assert isinstance(tree, exp.Column)
    return ("column", *(part.name.lower() for part in tree.parts))


_RULES: Mapping[type, Callable[[exp.Expression], Form]] = {
    exp.Paren: lambda tree: normal(tree.this),
    exp.And: _connector("and"),
    exp.Or: _connector("or"),
    exp.Not: _not,
    exp.Is: _is,
    exp.EQ: _equal,
    exp.NEQ: lambda tree: negated(_equal(tree)),
    exp.NullSafeEQ: lambda tree: ("same", frozenset((normal(tree.this), normal(tree.expression)))),
    exp.In: _in,
    exp.Between: _between,
    exp.LT: _order("lt", turned=False),
    exp.LTE: _order("le", turned=False),
    exp.GT: _order("lt", turned=True),
    exp.GTE: _order("le", turned=True),
    exp.Literal: _literal,
    exp.Neg: _negative,
    exp.Column: _column,
    exp.Null: lambda tree: ("null",),
    exp.Boolean: lambda tree: ("true",) if tree.this else ("false",),
}


# Sets and intervals -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interval:
    """Values from `low` to `high`; None is open-ended; `*_open`: without the bound itself."""

    subject: Form
    low: Form | None = None
    high: Form | None = None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class Members:
    subject: Form
    values: frozenset[Form]


@dataclass(frozen=True, slots=True)
class Presence:
    """A column that must hold a value, or must not."""

    subject: Form
    present: bool


Extent: TypeAlias = Interval | Members | Presence


def extent(form: Form) -> Extent | None:
    """What values a condition allows, where it is a range, a list or a presence of one column.

    A leading `x IS NULL OR` and a guard `coalesce(…, FALSE)` do not change which values it
    allows.
    """
    presence = _presence(form)
    if presence is not None:
        return presence
    inner = _unguarded(_without_null(form))
    if inner[0] == "in":
        return Members(inner[1], inner[2])
    if inner[0] == "eq":
        return _single(inner[1])
    comparisons = inner[1] if inner[0] == "and" else {inner}
    return _interval(comparisons)


def _presence(form: Form) -> Presence | None:
    positive = form[0] != "not"
    inner = form if positive else form[1]
    if isinstance(inner, tuple) and inner[0] == "is" and inner[2] == ("null",):
        return Presence(inner[1], present=not positive)
    return None


def _without_null(form: Form) -> Form:
    if form[0] != "or":
        return form
    rest = {f for f in form[1] if not (f[0] == "is" and f[2] == ("null",))}
    return _of("or", rest) if rest else form


def _unguarded(form: Form) -> Form:
    if form[0] == "Coalesce" and ("expressions", (("false",),)) in form:
        return next(part[1] for part in form[1:] if part[0] == "this")
    return form


def _single(sides: frozenset[Form]) -> Members | None:
    literals = frozenset(s for s in sides if _is_literal(s))
    subjects = sides - literals
    return Members(next(iter(subjects)), literals) if len(subjects) == len(literals) == 1 else None


def _is_literal(form: Form) -> bool:
    return form[0] in ("number", "text", "Cast")


def _interval(comparisons: Iterable[Form]) -> Interval | None:
    found: dict[str, Any] = {}
    subjects: set[Form] = set()
    for comparison in comparisons:
        if comparison[0] not in ("lt", "le"):
            return None
        side = "high" if _is_literal(comparison[2]) else "low"
        subject, bound = comparison[1:] if side == "high" else comparison[:0:-1]
        if side in found or not _is_literal(bound):
            return None
        subjects.add(subject)
        found |= {side: bound, f"{side}_open": comparison[0] == "lt"}
    return Interval(subjects.pop(), **found) if len(subjects) == 1 else None


def contradict(a: Extent, b: Extent) -> bool:
    """Whether two rules on one column set different limits, different lists, or both presences."""
    if a.subject != b.subject or a == b:
        return False
    if isinstance(a, Interval) and isinstance(b, Interval):
        lows = (a.low, a.low_open) != (b.low, b.low_open) and None not in (a.low, b.low)
        highs = (a.high, a.high_open) != (b.high, b.high_open) and None not in (a.high, b.high)
        return lows or highs
    return type(a) is type(b)


def relation(a: Form, b: Form) -> Relation:
    """Of the records that `b` lets pass: does `a` let pass the same, fewer or more?"""
    if a == b:
        return "equal"
    first, second = extent(a), extent(b)
    if first is None or second is None or first.subject != second.subject:
        return "other"
    if _within(first, second):
        return "tighter"
    return "looser" if _within(second, first) else "other"


def _within(a: Extent, b: Extent) -> bool:
    if isinstance(a, Members) and isinstance(b, Members):
        return a.values <= b.values
    if isinstance(a, Interval) and isinstance(b, Interval):
        return _inside(a.low, a.low_open, b.low, b.low_open, upper=False) and _inside(
            a.high, a.high_open, b.high, b.high_open, upper=True
        )
    return False


def _inside(
    inner: Form | None, inner_open: bool, outer: Form | None, outer_open: bool, *, upper: bool
) -> bool:
    """Whether a bound lies within another one; an absent bound is without end."""
    if outer is None or inner is None:
        return outer is None
    if inner == outer:
        return inner_open or not outer_open
    (kind, value), (other_kind, other) = _ordinal(inner), _ordinal(outer)
    return bool(kind == other_kind and (value < other) == upper)


def _ordinal(literal: Form) -> tuple[Any, Any]:
    """What a literal is compared by: its kind and value; a date by its text, which sorts alike."""
    if literal[0] != "Cast":
        return literal[0], literal[1]
    parts: dict[str, Any] = dict(part for part in literal[1:] if isinstance(part, tuple))
    text = parts.get("this")
    return parts.get("to"), text[1] if isinstance(text, tuple) and len(text) > 1 else text
