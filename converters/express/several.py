"""Columns of one record, compared with each other or added up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import combinations, pairwise

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
    or_else,
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
from ruleferry.converters.express.values import (
    cast_to,
    exactness,
    time_reader_caveats,
    time_type,
    type_mismatch,
)
from ruleferry.converters.predicates import Compare, DistinctWithin, Ignore, SameWithin, SumIs
from ruleferry.converters.rule import Caveat, Nulls

_Type = exp.DataType.Type
_GROUPS = (NUMBERS, TEXTS, MOMENTS, frozenset({"boolean"}), frozenset({"binary"}))
_ORDER: dict[str, Callable[..., Node]] = {"=": exp.EQ, ">": exp.GT, ">=": exp.GTE}


def compare(rule: Compare, use: Use) -> Good:
    left, right = use.operand(rule.left), use.operand(rule.right)
    if rule.read_as is not None:
        return _read(rule, left, right)
    refuse_strangers([left, right])
    caveats = _caveats([left, right])
    if use.kind == "words":
        return _in_words(rule, left, right, caveats)
    if rule.operator == "=":
        tree, nulls = _equality(rule, left, right)
    else:
        tree, nulls = _order(rule, left, right)
    return Good(tree, nulls, caveats)


def _equality(rule: Compare, left: Operand, right: Operand) -> tuple[Node, Nulls]:
    if rule.ignore == "any_missing":
        test = _test("=", left, right)
        return either(*ignored(rule.ignore, (left, right)), _total(test, left, right)), "pass"
    if rule.ignore == "all_missing" or (left.engine == "spark" and rule.unknown is None):
        return same(left, right), "fail"
    return or_false(_test("=", left, right)), "fail"


def _order(rule: Compare, left: Operand, right: Operand) -> tuple[Node, Nulls]:
    test = _test(rule.operator, left, right)
    if _passes(rule, left):
        missing = ignored("any_missing", (left, right))
        return either(*missing, _total(test, left, right)), "pass"
    return either(*ignored(rule.ignore, (left, right)), or_false(test)), "fail"


def _in_words(rule: Compare, left: Operand, right: Operand, caveats: tuple[Caveat, ...]) -> Good:
    """A missing value passes, unless the rule says otherwise. Texts are ordered as what they say:
    as numbers, or as times; what is neither has no order."""
    ordered = rule.operator != "=" and any(
        o.type is None or o.family in TEXTS for o in (left, right)
    )
    if ordered:
        test = or_false(_as_said(rule, left, right))
    else:
        test = _of_present(_ORDER[rule.operator], left, right)
    if rule.unknown != "bad":
        return Good(either(*ignored("any_missing", (left, right)), test), "pass", caveats)
    there = (*left.present(), *right.present())
    return Good(either(*ignored(rule.ignore, (left, right)), both(*there, test)), "fail", caveats)


def _of_present(kind: Callable[..., Node], left: Operand, right: Operand) -> Node:
    """TRUE or FALSE where neither value is missing."""
    if left.type is None or right.type is None:
        return or_false(_guarded(kind, left, right))
    return kind(this=left.node(), expression=right.node())


def _as_said(rule: Compare, left: Operand, right: Operand) -> Node:
    numbers, times = (
        _ORDER[rule.operator](this=left.guarded(kind), expression=right.guarded(kind))
        for kind in (_Type.DOUBLE, _Type.TIMESTAMPNTZ)
    )
    return exp.Coalesce(this=numbers, expressions=[times])


def _passes(rule: Compare, operand: Operand) -> bool:
    """Spark and SQL count an unknown comparison as good, pandas as bad (probes on 1.24.1)."""
    unknown = rule.unknown or ("bad" if operand.engine == "pandas" else "good")
    return unknown == "good" or rule.ignore == "any_missing"


def _read(rule: Compare, left: Operand, right: Operand) -> Good:
    """Texts read as times or days, an unknown one like a missing one."""
    kind = _Type.DATE if rule.read_as == "day" else time_type(left)
    if rule.read_as == "text":
        _refuse_unread([left, right])
    sides = [_read_as(operand, kind) for operand in (left, right)]
    test = _ORDER[rule.operator](this=sides[0], expression=sides[1])
    good = or_else(test, good=rule.unknown == "good")
    caveats = tuple(c for o in (left, right) for c in o.caveats + _reader(rule, o))
    caveats += unknown_type(left, right)
    nulls: Nulls = "pass" if _passes(rule, left) else "fail"
    return Good(either(*ignored(rule.ignore, (left, right)), good), nulls, caveats)


def _refuse_unread(operands: Sequence[Operand]) -> None:
    for operand in operands:
        if operand.family is not None and operand.family not in TEXTS:
            raise type_mismatch(operand, "a text that is read as a time")


def _read_as(operand: Operand, kind: exp.DType) -> Node:
    if operand.family in MOMENTS:
        return cast_to(operand.node(), kind) if kind == _Type.DATE else operand.node()
    if operand.family is None or operand.family in TEXTS:
        return operand.guarded(kind)
    raise type_mismatch(operand, "a time")


def _reader(rule: Compare, operand: Operand) -> tuple[Caveat, ...]:
    """Only what is text, or may be, is read."""
    read = operand.family is None or operand.family in TEXTS
    if not read or (rule.read_as == "day" and operand.engine != "pandas"):
        return ()
    return time_reader_caveats(operand, dateutil=True)


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


def refuse_strangers(operands: Sequence[Operand]) -> None:
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
    return left.type.text != right.type.text or not left.type.is_key


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
    pairs = _side_by_side if rule.neighbours and use.kind == "spark" else combinations
    if _by_value(rule, use):
        return _of_values(rule, use, lambda a, b: negate(_of_present(exp.EQ, a, b)))
    return _pairwise(rule, use, pairs, lambda a, b: negate(same(a, b)))


def _side_by_side(operands: Sequence[Operand], _: int) -> list[tuple[Operand, Operand]]:
    return list(pairwise(operands))


def same_within(rule: SameWithin, use: Use) -> Good:
    if _by_value(rule, use):
        return _of_values(rule, use, lambda a, b: _of_present(exp.EQ, a, b))
    return _pairwise(rule, use, lambda operands, _: [(operands[0], o) for o in operands[1:]], same)


def _by_value(rule: DistinctWithin | SameWithin, use: Use) -> bool:
    """To a person a missing value is neither equal to another one nor different from it."""
    return use.kind == "words" and rule.ignore == "all_missing"


def _of_values(
    rule: DistinctWithin | SameWithin, use: Use, test: Callable[[Operand, Operand], Node]
) -> Good:
    operands = [use.operand(name) for name in rule.columns]
    refuse_strangers(operands)
    tests = [
        either(*ignored("any_missing", pair), test(*pair)) for pair in combinations(operands, 2)
    ]
    return Good(both(*tests), "pass", _caveats(operands))


def _pairwise(
    rule: DistinctWithin | SameWithin,
    use: Use,
    pairs: Callable[[Sequence[Operand], int], object],
    test: Callable[[Operand, Operand], Node],
) -> Good:
    operands = [use.operand(name) for name in rule.columns]
    refuse_strangers(operands)
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
    zero = rule.missing == "zero" or use.kind == "spark"
    test = exp.EQ(this=_sum(operands, zero), expression=number_literal(rule.total))
    caveats = _caveats(operands)
    caveats += tuple(c for o in operands for c in exactness(o, [rule.total]))
    caveats += _null_as_zero(zero) + _wrapping(rule, operands) + _rounding(operands)
    # On a SQL engine the sum is NULL where a value is missing, and such a record passes.
    ignore: Ignore = "any_missing" if use.kind == "sql" and not zero else rule.ignore
    nulls: Nulls = "pass" if ignore == "any_missing" else "fail"
    return Good(either(*ignored(ignore, operands), or_false(test)), nulls, caveats)


def _sum(operands: Sequence[Operand], zero: bool) -> Node:
    total = _addend(operands[0], zero)
    for operand in operands[1:]:
        total = call("try_add", total, _addend(operand, zero))
    return total


def _addend(operand: Operand, zero: bool) -> Node:
    """An integer as BIGINT, so that a small type does not overflow."""
    if operand.type is None:
        number = operand.guarded(_Type.DOUBLE)
    elif operand.family == "integer" and operand.type.text != "bigint":
        number = exp.Cast(this=operand.node(), to=exp.DataType(this=_Type.BIGINT))
    else:
        number = operand.comparable()
    return exp.Coalesce(this=number, expressions=[number_literal(0)]) if zero else number


def _null_as_zero(zero: bool) -> tuple[Caveat, ...]:
    if not zero:
        return ()
    return (Caveat("null_as_zero", "a missing value counts as 0, as it did when it ran"),)


def _rounding(operands: Sequence[Operand]) -> tuple[Caveat, ...]:
    """By the dtypes of its columns and by what is missing, pandas adds in one order or another."""
    floating = len(operands) > 2 and any(o.nan_is_missing for o in operands)
    if operands[0].engine != "pandas" or not floating:
        return ()
    detail = "pandas may add the columns in another order, which may round otherwise"
    return (Caveat("compared_as_double", detail),)


def _wrapping(rule: SumIs, operands: Sequence[Operand]) -> tuple[Caveat, ...]:
    if not rule.wraps or operands[0].engine != "spark":
        return ()
    if any(o.type is not None and o.type.text == "float" for o in operands):
        detail = "Spark 3 adds up columns of type float as such, and the condition as doubles"
        return (Caveat("compared_as_double", detail),)
    if not all(o.family in (None, "integer") for o in operands):
        return ()
    detail = "a sum that is too large for its type was another number on Spark 3, and is bad here"
    return (Caveat("sum_wraps", detail),)
