"""Conditions that never raise: each part is on an allow-list; what may raise gives NULL instead.

AND and OR do not guard what stands beside them, and a try_ function covers itself alone (Spark
hoists shared casts and divisions out of a dataset's conditions), so each operation is made total
where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express import literals
from ruleferry.converters.express.arithmetic import arithmetic, bits, joined_text, negative
from ruleferry.converters.express.calls import meaning, total_call
from ruleferry.converters.express.casts import plain_cast, try_cast
from ruleferry.converters.express.coercion import (
    Findings,
    Typed,
    as_condition,
    mismatch,
    unified,
)
from ruleferry.converters.express.comparisons import ORDERED, between, compared, in_list
from ruleferry.converters.express.functions import called, refused_functions
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.patterns import liked, rlike
from ruleferry.converters.express.refusal import Refusal, Refused
from ruleferry.converters.express.sql_text import UnsafeText, column, operands, to_sql
from ruleferry.converters.express.sql_types import (
    BOOLEAN,
    STRING,
    VOID,
    element,
    number_type,
)
from ruleferry.converters.rule import Grade


@dataclass(frozen=True, slots=True)
class Total:
    """The same predicate, never raising: NULL where the one given would raise.

    `grade` is "differs" where the one given may raise (told in `notes`), "assumed" where a type was
    not known.
    """

    tree: exp.Expression
    notes: tuple[str, ...]
    grade: Grade


def make_total(
    tree: exp.Expression,
    types: Mapping[str, ColumnType],
    check_regex: Callable[[str], str | None] = literals.regex_fault,
    counts: frozenset[str] = frozenset(),
) -> Total | Refused:
    """`types` by lower-case name; `check_regex` gives the reason to refuse a pattern, or None.

    `counts`: columns that are never negative.
    """
    findings = Findings(types, check_regex, counts=counts)
    try:
        _refuse_other_rows(tree)
        condition = as_condition(_total(tree, findings), findings)
    except Refusal as refusal:
        return refusal.refused
    except UnsafeText as unsafe:
        return Refused("not_readable", str(unsafe))
    grade: Grade = "differs" if findings.differs else "assumed" if findings.assumed else "exact"
    return Total(condition, tuple(findings.notes), grade)


def total_value(tree: exp.Expression, findings: Findings) -> Typed:
    """The same value, NULL where the one given would raise; what it takes stands in `findings`.

    Raises Refusal.
    """
    try:
        return _total(tree, findings)
    except UnsafeText as unsafe:
        raise Refusal("not_readable", str(unsafe)) from unsafe


def _refuse_other_rows(tree: exp.Expression) -> None:
    for node in tree.walk():
        if isinstance(node, exp.Query | exp.Exists) or node.args.get("query"):
            raise Refusal("needs_dataset", "it looks into a table (a subquery)")
        if isinstance(node, exp.Window | exp.WithinGroup | exp.Filter | exp.AggFunc | exp.Star):
            raise Refusal("needs_dataset", "it looks at other records (an aggregate or a window)")


def _total(tree: exp.Expression, findings: Findings) -> Typed:
    node = bare(tree)
    step = _STEPS.get(type(node))
    if step is not None:
        return step(node, findings)
    found = called(node)
    if found is None:
        raise _strange(node)
    name, arguments = found
    other = meaning(name, arguments)
    if other is not None:
        return _total(other, findings)
    return total_call(name, [_total(a, findings) for a in arguments], findings)


def _strange(node: exp.Expression) -> Refusal:
    """current_user and the like need no parentheses, so they are no calls to the parser."""
    name = node.sql_name() if isinstance(node, exp.Func) else type(node).__name__.upper()
    refused = refused_functions().get(name.lower())
    if refused is not None:
        return Refusal(refused.code, refused.reason)
    return Refusal("unsupported_function", f"{name} is not in the list of operations")


# Leaves -------------------------------------------------------------------------------------------


def _column(node: exp.Expression, findings: Findings) -> Typed:
    first, *fields = [part.name for part in node.parts] if isinstance(node, exp.Column) else []
    kind = findings.types.get(first.lower())
    if kind is not None and kind.known_from == "suite":
        findings.take(first, kind)
    if not fields:
        return Typed(column(first), kind)
    if kind is None or kind.family != "nested":
        raise Refusal(
            "needs_dataset" if findings.types else "type_mismatch",
            f"{'.'.join([first, *fields])} may be a field of a struct or a column of another table",
        )
    return Typed(_fields(column(first), fields), None)


def _fields(tree: exp.Expression, names: list[str]) -> exp.Expression:
    for name in names:
        tree = exp.Dot(this=tree, expression=column(name).this)
    return tree


def _dot(node: exp.Expression, findings: Findings) -> Typed:
    field = node.args["expression"]
    if not isinstance(field, exp.Identifier):
        raise Refusal("unsupported_function", f"{to_sql(node)} calls a function of a schema")
    return Typed(_fields(_total(node.this, findings).tree, [field.name]), None)


def _literal(node: exp.Expression, findings: Findings) -> Typed:
    if node.args["is_string"]:
        return Typed(exp.Literal.string(node.this), STRING)
    kind = number_type(str(node.this))
    if kind is None:
        raise Refusal("not_readable", f"the number {node.this} is out of Spark's range")
    return Typed(exp.Literal.number(node.this), kind)


def _null(node: exp.Expression, findings: Findings) -> Typed:
    return Typed(exp.Null(), VOID)


def _boolean(node: exp.Expression, findings: Findings) -> Typed:
    return Typed(exp.Boolean(this=node.this), BOOLEAN)


_UNITS = frozenset({"YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"})


def _interval(node: exp.Expression, findings: Findings) -> Typed:
    value, unit = node.args.get("this"), node.args.get("unit")
    if not isinstance(value, exp.Literal) or not isinstance(unit, exp.Var):
        raise Refusal("unsupported_function", "an INTERVAL is carried over as number and unit")
    name = unit.name.upper().removesuffix("S")
    if name not in _UNITS or not literals.is_integer(value.name) or len(value.name) > 6:
        raise Refusal("unsupported_function", f"INTERVAL '{value.name}' {name} is not carried over")
    tree = exp.Interval(this=exp.Literal.string(value.name), unit=exp.Var(this=name))
    return Typed(tree, _INTERVAL)


_INTERVAL = ColumnType("other", "interval")


# Logic and comparisons ----------------------------------------------------------------------------


def _chain(node: exp.Expression, findings: Findings) -> Typed:
    kind = type(node)
    tree, *others = [as_condition(_total(p, findings), findings) for p in operands(node)]
    for other in others:
        tree = kind(this=tree, expression=other)
    return Typed(tree, BOOLEAN)


def _not(node: exp.Expression, findings: Findings) -> Typed:
    return Typed(exp.Not(this=as_condition(_total(node.this, findings), findings)), BOOLEAN)


def _comparison(node: exp.Expression, findings: Findings) -> Typed:
    sides = _total(node.this, findings), _total(node.args["expression"], findings)
    return Typed(compared(type(node), *sides, findings), BOOLEAN)


def _is(node: exp.Expression, findings: Findings) -> Typed:
    asked = bare(node.args["expression"])
    inner = _total(node.this, findings)
    if isinstance(asked, exp.Boolean):
        test = exp.Is(this=as_condition(inner, findings), expression=asked.copy())
    elif isinstance(asked, exp.Null):
        test = exp.Is(this=inner.tree, expression=exp.Null())
    else:
        raise Refusal("unsupported_function", f"{to_sql(node)} is not carried over")
    return Typed(exp.Not(this=test) if node.args.get("negate") else test, BOOLEAN)


def _in(node: exp.Expression, findings: Findings) -> Typed:
    if not node.expressions:
        raise Refusal("not_readable", "its list of values is empty")
    items = [_total(e, findings) for e in (node.this, *node.expressions)]
    return Typed(in_list(items[0], items[1:], findings), BOOLEAN)


def _between(node: exp.Expression, findings: Findings) -> Typed:
    if node.args.get("symmetric"):
        raise Refusal("unsupported_function", "BETWEEN SYMMETRIC is not carried over")
    subject, low, high = (_total(node.args[key], findings) for key in ("this", "low", "high"))
    return Typed(between(subject, low, high, findings), BOOLEAN)


def _case(node: exp.Expression, findings: Findings) -> Typed:
    arms = node.args["ifs"]
    results = [_total(arm.args["true"], findings) for arm in arms]
    default = node.args.get("default")
    if default is not None:
        results.append(_total(default, findings))
    trees, kind = unified(results, findings)
    conditions = _arm_conditions(node, findings)
    ifs = [exp.If(this=c, true=t) for c, t in zip(conditions, trees, strict=False)]
    tree = exp.Case(ifs=ifs, default=trees[-1] if default is not None else None)
    return Typed(tree, kind)


def _arm_conditions(node: exp.Expression, findings: Findings) -> list[exp.Expression]:
    """CASE x WHEN a compares x with a, arm by arm."""
    arms = node.args["ifs"]
    subject = node.args.get("this")
    if subject is None:
        return [as_condition(_total(arm.this, findings), findings) for arm in arms]
    return [
        compared(exp.EQ, _total(subject, findings), _total(arm.this, findings), findings)
        for arm in arms
    ]


def _like(node: exp.Expression, findings: Findings) -> Typed:
    return Typed(liked(node, _total(node.this, findings)), BOOLEAN)


def _escape(node: exp.Expression, findings: Findings) -> Typed:
    like = bare(node.this)
    return Typed(liked(like, _total(like.this, findings), node.args["expression"]), BOOLEAN)


def _rlike(node: exp.Expression, findings: Findings) -> Typed:
    subject = _total(node.this, findings)
    return Typed(rlike(subject, node.args["expression"], findings.check_regex), BOOLEAN)


# Operations ---------------------------------------------------------------------------------------


def _arithmetic(node: exp.Expression, findings: Findings) -> Typed:
    sides = _total(node.this, findings), _total(node.args["expression"], findings)
    return arithmetic(type(node), *sides, findings)


def _negative(node: exp.Expression, findings: Findings) -> Typed:
    return negative(_total(node.this, findings), findings)


def _bits(node: exp.Expression, findings: Findings) -> Typed:
    return bits(type(node), [_total(p, findings) for p in node.iter_expressions()], findings)


def _joined_text(node: exp.Expression, findings: Findings) -> Typed:
    return joined_text(_total(node.this, findings), _total(node.args["expression"], findings))


def _cast(node: exp.Expression, findings: Findings) -> Typed:
    return plain_cast(_total(node.this, findings), node.args["to"], findings)


def _try_cast(node: exp.Expression, findings: Findings) -> Typed:
    return try_cast(_total(node.this, findings), node.args["to"])


def _index(node: exp.Expression, findings: Findings) -> Typed:
    """array[i] raises outside of the array, map['k'] does not."""
    subject = _total(node.this, findings)
    key = _total(node.expressions[0], findings)
    if len(node.expressions) != 1:
        raise Refusal("unsupported_function", f"{to_sql(node)} is not carried over")
    if key.literal_text is not None:
        if subject.type is not None and not subject.type.text.startswith(("map", "struct")):
            raise mismatch(subject, "a map")
        tree = exp.Bracket(this=subject.tree, expressions=[key.tree])
        return Typed(tree, element(subject.type))
    if subject.type is None:
        findings.assume(subject.tree, "an array")
    findings.lose(
        "no_element", exp.Bracket(this=subject.tree.copy(), expressions=[key.tree.copy()])
    )
    return total_call("get", [subject, key], findings)


_PARTS = {
    "YEAR": "year",
    "QUARTER": "quarter",
    "MONTH": "month",
    "WEEK": "weekofyear",
    "DAY": "day",
    "DAYOFWEEK": "dayofweek",
    "DOW": "dayofweek",
    "DOY": "dayofyear",
    "HOUR": "hour",
    "MINUTE": "minute",
}


def _extract(node: exp.Expression, findings: Findings) -> Typed:
    name = _PARTS.get(str(node.this.name).upper())
    if name is None:
        raise Refusal("unsupported_function", f"EXTRACT of {node.this.name} is not carried over")
    return total_call(name, [_total(node.args["expression"], findings)], findings)


_STEPS: dict[type[exp.Expression], Callable[[exp.Expression, Findings], Typed]] = {
    exp.Column: _column,
    exp.Dot: _dot,
    exp.Literal: _literal,
    exp.Null: _null,
    exp.Boolean: _boolean,
    exp.Interval: _interval,
    exp.And: _chain,
    exp.Or: _chain,
    exp.Not: _not,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, *ORDERED), _comparison),
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.Case: _case,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Escape: _escape,
    exp.RegexpLike: _rlike,
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv), _arithmetic),
    exp.Neg: _negative,
    **dict.fromkeys((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot), _bits),
    exp.DPipe: _joined_text,
    exp.Cast: _cast,
    exp.TryCast: _try_cast,
    exp.Bracket: _index,
    exp.Extract: _extract,
}
