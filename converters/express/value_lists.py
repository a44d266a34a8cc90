"""Figures of a list of values: which of them occur, and which other ones do.

A record is compared with the list as a rule on each record compares it (`sets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.express.asked import Asked
from ruleferry.converters.express.computed import Computed, computed, stand_in
from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import Node, both, call, negate, or_false
from ruleferry.converters.express.operand import FLOATING, MOMENTS, CannotExpress
from ruleferry.converters.express.sql_text import number_literal
from ruleferry.converters.predicates import OneOf, Value
from ruleferry.converters.rule import Caveat


def allowed(asked: Asked) -> Flagged:
    """No value stands outside the list."""
    values = _values(asked)
    unexpected = computed(1, "unexpected", _count(asked, asked.use, values, inside=False))
    return Flagged(Good(_is_0(unexpected), "none", _of_list(asked, values)), (unexpected,))


def contained(asked: Asked) -> Flagged:
    """Each value of the list occurs."""
    values = _all_wanted(asked)
    absent = computed(1, "absent", _absent(asked, values))
    return Flagged(Good(_is_0(absent), "none", _of_list(asked, values)), (absent,))


def equal(asked: Asked) -> Flagged:
    """The values of the list, and no other ones."""
    values = _all_wanted(asked)
    unexpected = computed(1, "unexpected", _count(asked, asked.use, values, inside=False))
    absent = computed(2, "absent", _absent(asked, values))
    tree = both(_is_0(unexpected), _is_0(absent))
    return Flagged(Good(tree, "none", _of_list(asked, values)), (unexpected, absent))


def most_common(asked: Asked) -> Flagged:
    """The value that most records have is of the list; `ties_okay`: or one of those values is.

    Great Expectations compares in Python, on every engine: a day is no text, and 1 no "1".
    """
    operand, use = asked.operand, asked.use
    if operand.family in MOMENTS and use.kind != "words":
        reason = f"Python compares the days or times of {operand.name} with texts, and finds none"
        raise CannotExpress("never_passes", reason)
    as_it_is = operand.family in FLOATING or use.kind == "words"
    strict = use if as_it_is else replace(use, engine="pandas")
    values = tuple(value for value in _values(asked) if value is not None)
    copies = computed(1, "copies", _copies(asked), "record")
    others = [*asked.operand.present(), negate(_inside(asked, strict, values))]
    most = asked.of(call("max", stand_in(copies)), *others)
    counts = [_count(asked, strict, (value,), inside=True) for value in dict.fromkeys(values)]
    ranked = call("sort_array", exp.Array(expressions=counts), exp.false())
    listed, unlisted = computed(2, "listed", ranked), computed(3, "others", most)
    tree = _leads(listed, unlisted, bool(asked.arguments.get("ties_okay")))
    caveats = (*unknown_type(operand), *_of_list(asked, values))
    return Flagged(Good(tree, "none", caveats), (copies, listed, unlisted))


def _copies(asked: Asked) -> Node:
    """How many records that are seen have the value of this one."""
    everything = exp.Count(this=exp.Star())
    count = call("count_if", asked.seen.copy()) if asked.seen else everything
    return exp.Window(this=count, partition_by=[asked.operand.comparable()])


def _leads(listed: Computed, others: Computed, ties_okay: bool) -> Node:
    def at(place: int) -> Node:
        return call("get", stand_in(listed), number_literal(place))

    def ahead(of: Node, ties: bool) -> Node:
        rival = exp.Coalesce(this=of, expressions=[number_literal(0)])
        return (exp.GTE if ties else exp.GT)(this=at(0), expression=rival)

    some = exp.GT(this=at(0), expression=number_literal(0))
    tests = [some, ahead(stand_in(others), ties_okay)]
    return or_false(both(*tests, *([] if ties_okay else [ahead(at(1), False)])))


def _is_0(count: Computed) -> Node:
    return exp.EQ(this=stand_in(count), expression=number_literal(0))


def _values(asked: Asked) -> tuple[Value, ...]:
    found = asked.arguments.get("value_set")
    assert isinstance(found, tuple)
    if not any(value is not None for value in found):
        raise CannotExpress("never_passes", "its list of values is empty")
    return found


def _all_wanted(asked: Asked) -> tuple[Value, ...]:
    """Each of them must occur (source and probes of 1.24.1)."""
    found = asked.arguments.get("value_set")
    if found == ():
        raise CannotExpress("never_fails", "its list of values is empty")
    values = _values(asked)
    if None in values:
        reason = "its list holds a null, which must occur, and missing values are left out"
        raise CannotExpress("never_passes", reason)
    if asked.use.kind in ("spark", "sql") and len(set(values)) < len(values):
        reason = "its list holds a value twice, and both are looked for and found once"
        raise CannotExpress("never_passes", reason)
    return values


def _of_list(asked: Asked, values: tuple[Value, ...]) -> tuple[Caveat, ...]:
    return good(OneOf(asked.rule.columns[0], values), asked.use).caveats


def _inside(asked: Asked, use: Use, values: tuple[Value, ...]) -> Node:
    return good(OneOf(asked.rule.columns[0], values), use).tree


def _count(asked: Asked, use: Use, values: tuple[Value, ...], *, inside: bool) -> Node:
    """How many records have (or have none) of the values; a missing value is neither."""
    test = _inside(asked, use, values)
    wanted = [*asked.operand.present(), test if inside else negate(test)]
    seen = [asked.seen.copy()] if asked.seen else []
    return call("count_if", both(*seen, *wanted))


def _absent(asked: Asked, values: Sequence[Value]) -> Node:
    """How many values of the list no record has."""
    total: Node | None = None
    for value in dict.fromkeys(values):
        nowhere = exp.EQ(this=_occurring(asked, value), expression=number_literal(0))
        term = exp.Case(
            ifs=[exp.If(this=nowhere, true=number_literal(1))], default=number_literal(0)
        )
        total = term if total is None else exp.Add(this=total, expression=term)
    assert total is not None
    return total


def _occurring(asked: Asked, value: Value) -> Node:
    try:
        return _count(asked, asked.use, (value,), inside=True)
    except CannotExpress as cannot:
        if cannot.gap.code != "never_passes":
            raise
        reason = f"no value of the column can be {value}, which must occur"
        raise CannotExpress("never_passes", reason) from None
