"""The normal form of a condition: equal for conditions that differ only in how they are written.

Operands are sorted, IN is a set, BETWEEN two comparisons, a literal is what it is worth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeAlias

from sqlglot import exp

# A word and its operands, which are forms again, texts or numbers.
Form: TypeAlias = tuple[Any, ...]

NULL: Form = ("null",)


class Meaning:
    """What a condition says, however it is written.

    Its form is made where it is asked for, or where another condition has the same `mentions`.
    `like` differs from it in names and literals alone.
    """

    def __init__(
        self,
        mentions: frozenset[Hashable],
        form: Callable[[], Form],
        like: Meaning | None = None,
    ) -> None:
        self.mentions = mentions
        self._form = form
        self.like = like or self

    @classmethod
    def of(cls, tree: exp.Expression) -> Meaning:
        form = normal(tree)
        return cls(mentions(tree), lambda: form)

    @cached_property
    def form(self) -> Form:
        return self._form()

    def __hash__(self) -> int:
        return hash(self.mentions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Meaning):
            return NotImplemented
        return self.mentions == other.mentions and self.form == other.form


_PLAIN_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+", re.ASCII)


def normal(tree: exp.Expression) -> Form:
    """The normal form: equal for trees that differ only in how they are written."""
    rule = _RULES.get(type(tree))
    return rule(tree) if rule else _generic(tree)


def mentions(tree: exp.Expression) -> frozenset[Hashable]:
    """The names and literals in it. Trees of one normal form have the same."""
    found: set[Hashable] = set()
    for node in tree.walk():
        if isinstance(node, exp.Identifier):
            found.add(node.name.lower())
        elif isinstance(node, exp.Literal):
            plain = not node.is_string and _PLAIN_NUMBER.fullmatch(node.name)
            found.add(Decimal(node.name) if plain else node.name)
    return frozenset(found)


def _generic(tree: exp.Expression) -> Form:
    parts = tuple(
        (k, _value(v))
        for k, v in sorted(tree.args.items())
        if k != "negate" and not (v is None or v is False or v == [])
    )
    form = (type(tree).__name__, *parts)
    return negated(form) if tree.args.get("negate") else form


def _value(value: object) -> Hashable:
    if isinstance(value, exp.Expression):
        return normal(value)
    if isinstance(value, list):
        return tuple(_value(v) for v in value)
    return str(value)


def _connector(word: str) -> Callable[[exp.Expression], Form]:
    def connect(tree: exp.Expression) -> Form:
        """A loop, not a recursion: a list of a thousand patterns is a chain of a thousand ORs."""
        found: set[Form] = set()
        waiting = [tree]
        while waiting:
            part = waiting.pop()
            if isinstance(part, exp.Paren):
                waiting.append(part.this)
            elif type(part) is type(tree):
                waiting += [part.args["this"], part.args["expression"]]
            else:
                form = normal(part)
                found |= form[1] if form[0] == word else {form}
        return chain(word, found)

    return connect


def chain(word: str, operands: Iterable[Form]) -> Form:
    """The operands joined by `and` or `or`; one alone is itself."""
    found = frozenset(operands)
    return next(iter(found)) if len(found) == 1 else (word, found)


def _not(tree: exp.Expression) -> Form:
    return negated(normal(tree.this))


def negated(form: Form) -> Form:
    return form[1] if form[0] == "not" else ("not", form)


def _is(tree: exp.Expression) -> Form:
    form: Form = ("is", normal(tree.this), normal(tree.expression))
    return negated(form) if tree.args.get("negate") else form


def _escape(tree: exp.Expression) -> Form:
    """`x NOT LIKE 'p' ESCAPE '!'` denies the whole."""
    like = normal(tree.this)
    form: Form = ("escape", negated(like) if like[0] == "not" else like, normal(tree.expression))
    return negated(form) if like[0] == "not" else form


# Comparisons --------------------------------------------------------------------------------------


def _sides(word: str) -> Callable[[exp.Expression], Form]:
    def compared(tree: exp.Expression) -> Form:
        return (word, frozenset((_operand(tree.this), _operand(tree.expression))))

    return compared


def _denied(rule: Callable[[exp.Expression], Form]) -> Callable[[exp.Expression], Form]:
    return lambda tree: negated(rule(tree))


def _order(word: str, *, turned: bool) -> Callable[[exp.Expression], Form]:
    def order(tree: exp.Expression) -> Form:
        left, right = _operand(tree.this), _operand(tree.expression)
        return (word, right, left) if turned else (word, left, right)

    return order


def _in(tree: exp.Expression) -> Form:
    if not tree.expressions or tree.args.keys() - {"this", "expressions"}:
        return _generic(tree)
    values = frozenset(_operand(e) for e in tree.expressions)
    subject = _operand(tree.this)
    return ("eq", frozenset((subject, *values))) if len(values) == 1 else ("in", subject, values)


def _between(tree: exp.Expression) -> Form:
    if tree.args.get("symmetric"):
        return _generic(tree)
    subject = _operand(tree.this)
    low, high = _operand(tree.args["low"]), _operand(tree.args["high"])
    return chain("and", {("le", low, subject), ("le", subject, high)})


def _operand(tree: exp.Expression) -> Form:
    """A side of a comparison, where 1, 1.0 and 01 are one value.

    Elsewhere they are not: 1 / 3.0 has fewer digits than 1 / 3. Nor is 1e0 ever 1: a comparison
    with a DOUBLE rounds the other side.
    """
    form = normal(tree)
    inner, minus = form, False
    while inner[0] == "minus":
        inner, minus = inner[1], not minus
    if inner[0] != "digits" or not _PLAIN_NUMBER.fullmatch(inner[1]):
        return form
    number = Decimal(inner[1])
    return ("number", number.copy_negate() if minus else number)


def _literal(tree: exp.Expression) -> Form:
    return ("text" if tree.args.get("is_string") else "digits", tree.this)


def _column(tree: exp.Expression) -> Form:
    assert isinstance(tree, exp.Column)
    return ("column", *(part.name.lower() for part in tree.parts))


_equal, _same = _sides("eq"), _sides("same")

_RULES: Mapping[type, Callable[[exp.Expression], Form]] = {
    exp.Paren: lambda tree: normal(tree.this),
    exp.And: _connector("and"),
    exp.Or: _connector("or"),
    exp.Not: _not,
    exp.Is: _is,
    exp.Escape: _escape,
    exp.EQ: _equal,
    exp.NEQ: _denied(_equal),
    exp.NullSafeEQ: _same,
    exp.NullSafeNEQ: _denied(_same),
    exp.In: _in,
    exp.Between: _between,
    exp.LT: _order("lt", turned=False),
    exp.LTE: _order("le", turned=False),
    exp.GT: _order("lt", turned=True),
    exp.GTE: _order("le", turned=True),
    exp.Literal: _literal,
    exp.Neg: lambda tree: ("minus", normal(tree.this)),
    exp.Column: _column,
    exp.Null: lambda tree: NULL,
    exp.Boolean: lambda tree: ("true",) if tree.this else ("false",),
}
