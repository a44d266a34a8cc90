"""Columns of one record, compared with each other or added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import combinations

from sqlglot import exp

from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import (
    Node,
    as_text,
    both,
    call,
    either,
    is_null,
    negate,
    or_false,
)
from ruleferry.converters.express.operand import (
    MOMENTS,
    NUMBERS,
    TEXTS,
    CannotExpress,
    Operand,
)
from ruleferry.converters.express.sets import ignored
from ruleferry.converters.express.sql_text import number_literal, string_literal
from ruleferry.converters.express.values import exactness, type_mismatch
from ruleferry.converters.rule import (
    Caveat,
    Compare,
    DistinctWithin,
    Ignore,
    Nulls,
    SameWithin,
    SumIs,
)

_Type = exp.DataType.Type
_GROUPS = (NUMBERS, TEXTS, MOMENTS, frozenset({"boolean"}), frozenset({"binary"}))
_ORDER: dict[str, Callable[..., Node]] = {"=": exp.EQ, ">": exp.GT, ">=": exp.GTE}


def compare(rule: Compare, use: Use) -> Good:
    left, right = use.operand(rule.left), use.operand(rule.right)
    _refuse_strangers([left, right])
    caveats = _caveats([left, right])
    if rule.operator == "=":
        tree, nulls = _equality(rule, left, right)
    else:
        tree, nulls = _order(rule, left, right)
    return Good(tree, nulls, caveats)


def _equality(rule: Compare, left: Operand, right: Operand) -> tuple[Node, Nulls]:
    if rule.ignore == "any_missing":
        test = _test("=", left, right)
        return either(*ignored(rule.ignore, (left, right)), _total(test, left, right)), "pass"
    if rule.ignore == "all_missing" or left.engine == "spark":
        return same(left, right), "fail"
    return or_false(_test("=", left, right)), "fail"


def _order(rule: Compare, left: Operand, right: Operand) -> tuple[Node, Nulls]:
    """Spark and SQL count an unknown comparison as good, pandas as bad (probes on 1.24.1)."""
    test = _test(rule.operator, left, right)
    passing = left.engine != "pandas" or rule.ignore == "any_missing"
    if passing:
        missing = ignored("any_missing", (left, right))
        return either(*missing, _total(test, left, right)), "pass"
    return either(*ignored(rule.ignore, (left, right)), or_false(test)), "fail"


def _total(test: Node, left: Operand, right: Operand) -> Node:
    """A guarded comparison may be NULL though neither value is."""
    return or_false(test) if left.type is None or right.type is None else test


def _test(operator: str, left: Operand, right: Operand) -> Node:
    kind = _ORDER[operator]
    if left.type is not None and right.type is not None:
        return kind(this=left.comparable(), expression=right.comparable())
    return _guarded(kind, left, right)


def same(left: Operand, right: Operand) -> Node:
    """Equal, or both missing."""
    if left.type is not None and right.type is not None:
        return exp.NullSafeEQ(this=left.comparable(), expression=right.comparable())
    nulls = both(is_null(left.node()), is_null(right.node()))
    return either(nulls, or_false(_guarded(exp.EQ, left, right)))


def _guarded(kind: Callable[..., Node], left: Operand, right: Operand) -> Node:
    """As texts where both columns are text, else as numbers, else as times, else as texts."""
    texts = both(*(_is_text(o) for o in (left, right)))
    as_texts = kind(this=as_text(left.node()), expression=as_text(right.node()))
    tests = [
        kind(this=left.guarded(t), expression=right.guarded(t))
        for t in (_Type.DOUBLE, _Type.TIMESTAMPNTZ)
    ]
    last = kind(this=as_text(left.node()), expression=as_text(right.node()))
    otherwise = exp.Coalesce(this=tests[0], expressions=[tests[1], last])
    return exp.Case(ifs=[exp.If(this=texts, true=as_texts)], default=otherwise)


def _is_text(operand: Operand) -> Node:
    return exp.EQ(this=exp.Typeof(this=operand.node()), expression=string_literal("string"))


def _refuse_strangers(operands: Sequence[Operand]) -> None:
    """Raises CannotExpress for two columns that only a cast, which may raise, could compare.

    pandas compares them too, and what two missing values are then depends on how it holds them.
    """
    for left, right in combinations(operands, 2):
        if _are_strangers(left, right):
            declared = right.type.text if right.type else ""
            raise type_mismatch(left, f"{right.name}, which is {declared}")


def _are_strangers(left: Operand, right: Operand) -> bool:
    if left.type is None or right.type is None:
        return False
    if any({left.family, right.family} <= group for group in _GROUPS):
        return False
    same_type = left.type.text == right.type.text
    return not same_type or left.type.text.startswith(("map", "variant"))


def _caveats(operands: Sequence[Operand]) -> tuple[Caveat, ...]:
    found = tuple(c for operand in operands for c in operand.caveats) + unknown_type(*operands)
    long = [o.name for o in operands if o.engine == "pandas" and o.type and o.type.text == "bigint"]
    if not long:
        return found
    detail = (
        f"pandas holds {', '.join(long)} as doubles where a value is missing, and wraps a sum that "
        "is too large; the condition compares exactly"
    )
    return (*found, Caveat("compared_as_double", detail))


# Within one record --------------------------------------------------------------------------------


def distinct_within(rule: DistinctWithin, use: Use) -> Good:
    return _pairwise(rule, use, combinations, lambda a, b: negate(same(a, b)))


def same_within(rule: SameWithin, use: Use) -> Good:
    return _pairwise(rule, use, lambda operands, _: [(operands[0], o) for o in operands[1:]], same)


def _pairwise(
    rule: DistinctWithin | SameWithin,
    use: Use,
    pairs: Callable[[Sequence[Operand], int], object],
    test: Callable[[Operand, Operand], Node],
) -> Good:
    operands = [use.operand(name) for name in rule.columns]
    _refuse_strangers(operands)
    tests = [test(a, b) for a, b in pairs(operands, 2)]  # type: ignore[attr-defined]
    caveats = _caveats(operands)
    nulls: Nulls = "pass" if rule.ignore == "any_missing" else "fail"
    return Good(either(*ignored(rule.ignore, operands), both(*tests)), nulls, caveats)


# Sums ---------------------------------------------------------------------------------------------


def sum_is(rule: SumIs, use: Use) -> Good:
    operands = [use.operand(name) for name in rule.columns]
    for operand in operands:
        if operand.type is not None and operand.family not in NUMBERS:
            raise type_mismatch(operand, "a sum")
    if not isinstance(rule.total, int | Decimal):
        raise CannotExpress("invalid_rule", "it has no total")
    test = exp.EQ(this=_sum(operands), expression=number_literal(rule.total))
    caveats = _caveats(operands)
    caveats += tuple(c for o in operands for c in exactness(o, [rule.total]))
    caveats += _null_as_zero(use)
    # On a SQL engine the sum is NULL where a value is missing, and such a record passes.
    ignore: Ignore = "any_missing" if use.kind == "sql" else rule.ignore
    nulls: Nulls = "pass" if ignore == "any_missing" else "fail"
    return Good(either(*ignored(ignore, operands), or_false(test)), nulls, caveats)


def _sum(operands: Sequence[Operand]) -> Node:
    total = _addend(operands[0])
    for operand in operands[1:]:
        total = call("try_add", total, _addend(operand))
    return total


def _addend(operand: Operand) -> Node:
    """An integer as BIGINT, so that a small type does not overflow; Spark counts a null as 0."""
    if operand.type is None:
        number = operand.guarded(_Type.DOUBLE)
    elif operand.family == "integer" and operand.type.text != "bigint":
        number = exp.Cast(this=operand.node(), to=exp.DataType(this=_Type.BIGINT))
    else:
        number = operand.comparable()
    if operand.engine != "spark":
        return number
    return exp.Coalesce(this=number, expressions=[number_literal(0)])


def _null_as_zero(use: Use) -> tuple[Caveat, ...]:
    if use.kind != "spark":
        return ()
    return (Caveat("null_as_zero", "a missing value counts as 0, as on the Spark engine"),)
