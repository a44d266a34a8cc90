"""The records that a rule is limited to: a record out of its scope is good.

Each test of a scope is the test of a predicate (Range, OneOf, Compare), and what a missing value
gives is the engine's own: Spark and SQL leave such a record out; pandas leaves it out of `=`, `<`
and `in`, and takes it into their opposites (measured on pandas 2.1 and 3.1, Great Expectations
1.24.1, Spark 4.3).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import Node
from ruleferry.converters.express.operand import TEXTS, CannotExpress, Types
from ruleferry.converters.express.sql_text import checked_text, operands
from ruleferry.converters.express.three_valued import always_true, is_not_true, never_true
from ruleferry.converters.express.tidy import joined
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.express.values import type_mismatch
from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    IsTrue,
    Not,
    OneOf,
    Operator,
    Or,
    Predicate,
    Present,
    Range,
    Scope,
    SqlText,
    Value,
)
from ruleferry.converters.rule import Caveat, Engine
from ruleferry.converters.wording import scope_in_words


@dataclass(frozen=True, slots=True)
class Tested:
    """`tree` is two-valued; a constant where no record decides it."""

    tree: Node
    caveats: tuple[Caveat, ...] = ()


def limited(rule: Good, scope: Scope, engine: Engine | None, types: Types) -> Good:
    """The rule, for the records of its scope. Raises CannotExpress, also where there are none."""
    words = scope_in_words(scope)
    out = outside(scope, engine, types)
    if always_true(out.tree):
        raise CannotExpress("never_fails", f"its row condition ({words}) applies to no record")
    caveats = (*rule.caveats, Caveat("scope", f"checked only where {words}"), *out.caveats)
    if never_true(out.tree):
        return Good(rule.tree, rule.nulls, caveats)
    refuse_certain(words, out.tree, rule.tree)
    return Good(joined(exp.Or, [out.tree, rule.tree]), rule.nulls, caveats)


def refuse_certain(words: str, *trees: Node) -> None:
    """`x IS NULL OR … OR x IS NOT NULL`: where the rule applies, it can't fail."""
    terms = {shape(term) for tree in trees for term in _alternatives(tree)}
    if any(("Not", term) in terms for term in terms):
        reason = f"its row condition ({words}) applies only to records that pass"
        raise CannotExpress("never_fails", reason)


def _alternatives(tree: Node) -> Sequence[Node]:
    return operands(tree) if isinstance(tree, exp.Or) else [tree]


# What the engine leaves out -----------------------------------------------------------------------


def outside(scope: Scope, engine: Engine | None, types: Types) -> Tested:
    """TRUE for a record out of scope. Without an engine: Spark's meaning, and told."""
    if isinstance(scope, SqlText):
        # A large room, which most suites don't need.
        from ruleferry.converters.express.spark_text import out_of_scope

        return out_of_scope(scope, engine, types)
    found = _read(scope, Use(engine or "spark", types))
    return found if engine else _beside_pandas(found, scope, types)


def _read(scope: Scope, use: Use) -> Tested:
    inside = _inside(scope, use)
    caveats = inside.caveats + _of_dtypes(scope, use)
    return Tested(is_not_true(_plain(inside.tree)), tuple(dict.fromkeys(caveats)))


def _beside_pandas(spark: Tested, scope: Scope, types: Types) -> Tested:
    try:
        pandas = _read(scope, Use("pandas", types))
    except CannotExpress as cannot:
        return _taken(spark, cannot.gap.reason)
    text = checked_text(pandas.tree)
    if text != checked_text(spark.tree):
        return _taken(spark, f"a record is out of scope where {text}")
    codes = {caveat.code for caveat in spark.caveats}
    more = [caveat for caveat in pandas.caveats if caveat.code not in codes]
    return _taken(spark, more[0].detail) if more else spark


def _taken(spark: Tested, pandas: str) -> Tested:
    detail = f"its row condition is taken to have run on Spark; on pandas: {pandas}"
    return Tested(spark.tree, (*spark.caveats, Caveat("engine_unknown", detail)))


def _plain(tree: Node) -> Node:
    """A list of one value as an equality."""
    for test in [*tree.find_all(exp.In)]:
        if len(test.expressions) == 1:
            equal = exp.EQ(this=test.this, expression=test.expressions[0])
            tree = equal if test is tree else tree
            test.replace(equal)
    return tree


def _of_dtypes(scope: Scope, use: Use) -> tuple[Caveat, ...]:
    if use.kind != "pandas":
        return ()
    names = ", ".join(dict.fromkeys(_by_dtype(scope, asked=True)))
    if not names:
        return ()
    detail = (
        f"a missing value of {names} is in its scope, as in a plain column of pandas; in a column "
        "of a nullable dtype (Int64, boolean) pandas leaves it out"
    )
    return (Caveat("pandas_nullable", detail),)


def _by_dtype(scope: Scope, *, asked: bool) -> Iterator[str]:
    """The columns of tests that are TRUE of a missing value, unless their dtype is a nullable one.

    pandas looks texts up in a list, and there the dtype does not matter.
    """
    match scope:
        case And() | Or():
            for part in scope.parts:
                yield from _by_dtype(part, asked=asked)
        case Not():
            yield from _by_dtype(scope.part, asked=not asked)
        case Comparison(operator="=" | "!=", value=str()):
            return
        case Comparison() if asked == (scope.operator == "!="):
            yield scope.column
        case ColumnComparison() if asked == (scope.operator == "!="):
            yield from (scope.left, scope.right)


# The tests ----------------------------------------------------------------------------------------


def _inside(scope: Scope, use: Use) -> Tested:
    """TRUE for a record in scope, else FALSE."""
    match scope:
        case And():
            return _joined(exp.And, scope.parts, use)
        case Or():
            return _joined(exp.Or, scope.parts, use)
        case Not(IsTrue() as column):
            return _truth(column, use, wanted=False)
        case Not() if use.kind == "words" and (opposite := _opposite(scope.part)) is not None:
            return _inside(opposite, use)
        case Not():
            part = _inside(scope.part, use)
            return Tested(exp.Not(this=exp.Paren(this=part.tree)), part.caveats)
        case IsTrue():
            return _truth(scope, use, wanted=True)
        case Comparison():
            return _comparison(scope, use)
        case ColumnComparison():
            return _of_columns(scope, use)
        case OneOf():
            positive = OneOf(scope.column, scope.values)
            return _tested(positive, use, scope.values, negated=scope.negated)
        case Present() | Absent():
            found = good(scope, use)
            return Tested(found.tree, found.caveats)
    raise AssertionError(scope)


_OPPOSITES: Mapping[Operator, Operator] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip


def _opposite(scope: Scope) -> Scope | None:
    """Where the scope does not hold: what can't be decided of a record is not its opposite."""
    match scope:
        case Not():
            return scope.part
        case And():
            return Or(tuple(Not(part) for part in scope.parts))
        case Or():
            return And(tuple(Not(part) for part in scope.parts))
        case Comparison() | ColumnComparison():
            return replace(scope, operator=_OPPOSITES[scope.operator])
        case OneOf():
            return replace(scope, negated=not scope.negated)
        case Present():
            return Absent(scope.column)
        case Absent():
            return Present(scope.column)
    return None


def _joined(kind: type[exp.And] | type[exp.Or], parts: Sequence[Scope], use: Use) -> Tested:
    found = [_inside(part, use) for part in parts]
    caveats = tuple(caveat for each in found for caveat in each.caveats)
    return Tested(joined(kind, [each.tree for each in found]), caveats)


def _truth(scope: IsTrue, use: Use, *, wanted: bool) -> Tested:
    operand = use.operand(scope.column)
    if operand.family not in (None, "boolean"):
        raise type_mismatch(operand, "true and false")
    return _tested(OneOf(scope.column, (wanted,)), use, (wanted,))


def _comparison(scope: Comparison, use: Use) -> Tested:
    column, value = scope.column, scope.value
    if scope.operator in ("=", "!="):
        negated = scope.operator == "!="
        return _tested(OneOf(column, (value,)), use, (value,), negated=negated)
    if isinstance(value, bool):
        reason = f"its row condition orders {column} by true and false"
        raise CannotExpress("row_condition", reason)
    return _tested(_range(column, scope.operator, value), use, (value,))


def _range(column: str, operator: Operator, value: Value) -> Range:
    is_open = operator in ("<", ">")
    if operator in ("<", "<="):
        return Range(column, high=value, high_open=is_open)
    return Range(column, low=value, low_open=is_open)


def _of_columns(scope: ColumnComparison, use: Use) -> Tested:
    left, right, negated = scope.left, scope.right, scope.operator == "!="
    if scope.operator in ("<", "<="):
        left, right = right, left
    word = {"<": ">", "<=": ">=", "!=": "="}.get(scope.operator, scope.operator)
    test = Compare(left, word, right, "any_missing")  # type: ignore[arg-type]
    return _tested(test, use, (), negated=negated)


def _tested(
    predicate: Predicate, use: Use, values: Sequence[Value], *, negated: bool = False
) -> Tested:
    """The predicate or its opposite; with pandas a missing value has the opposite."""
    missing, test, caveats = _parts(predicate, use, values)
    if not negated:
        return Tested(joined(exp.And, [*_each_not(missing), test]), caveats)
    opposite = exp.Not(this=exp.Paren(this=test))
    if use.kind == "pandas":
        return Tested(joined(exp.Or, [*missing, opposite]), caveats)
    return Tested(joined(exp.And, [*_each_not(missing), opposite]), caveats)


def _each_not(nodes: Sequence[Node]) -> list[Node]:
    return [exp.Not(this=node) for node in nodes]


def _parts(
    predicate: Predicate, use: Use, values: Sequence[Value]
) -> tuple[list[Node], Node, tuple[Caveat, ...]]:
    """Of a predicate that a missing value passes: what is missing, the test, the caveats."""
    if isinstance(predicate, OneOf | Range):
        _refuse_strangers(predicate, values, use)
    if isinstance(predicate, OneOf):
        use = _with_named(use, values)
    try:
        found = good(predicate, use)
    except CannotExpress as cannot:
        if cannot.gap.code != "never_passes" or not isinstance(predicate, OneOf):
            raise
        return _of_no_value(predicate, use)
    terms = _alternatives(found.tree)
    words = _of_words(predicate, use)
    missing = [term for term in terms if _asks_missing(term) or shape(term) in words]
    rest = [term for term in terms if term not in missing]
    return missing, joined(exp.Or, rest), _of_test(found.caveats, values, use)


def _with_named(use: Use, values: Sequence[Value]) -> Use:
    """A scope that names a word which counts as a missing value means that very value."""
    named = {str(value) for value in values}
    words = tuple(word for word in use.types.missing_words if word not in named)
    if words == use.types.missing_words:
        return use
    return replace(use, types=replace(use.types, missing_words=words))


def _of_words(predicate: Predicate, use: Use) -> frozenset[Hashable]:
    """The tests of the words that count as a missing value."""
    if not use.types.missing_words:
        return frozenset()
    names = (
        (predicate.left, predicate.right)
        if isinstance(predicate, Compare)
        else (predicate.column,)
        if isinstance(predicate, OneOf | Range)
        else ()
    )
    return frozenset(shape(term) for name in names for term in use.operand(name).missing())


def _asks_missing(term: Node) -> bool:
    asks_null = isinstance(term, exp.Is) and isinstance(term.expression, exp.Null)
    return asks_null or isinstance(term, exp.IsNan)


def _of_no_value(predicate: OneOf, use: Use) -> tuple[list[Node], Node, tuple[Caveat, ...]]:
    """Of a list of which no value can match: FALSE with pandas, and Spark refuses to compare."""
    operand = use.operand(predicate.column)
    if predicate.values and use.kind != "pandas":
        raise type_mismatch(operand, "the values of its row condition")
    return [*operand.missing()], exp.false(), ()


def _refuse_strangers(predicate: OneOf | Range, values: Sequence[Value], use: Use) -> None:
    """A text and a number: Spark casts the text, which may raise; pandas knows no order of both."""
    operand = use.operand(predicate.column)
    alike = use.kind == "pandas" and isinstance(predicate, OneOf)
    alike = alike or use.kind == "words"  # a text is compared as the number that it says
    if operand.family in TEXTS and not alike and not all(isinstance(v, str) for v in values):
        raise type_mismatch(operand, "a value that is no text")


def _of_test(caveats: Sequence[Caveat], values: Sequence[Value], use: Use) -> tuple[Caveat, ...]:
    """Great Expectations hands a value of a row condition on as it is.

    A whole number is no double, and pandas reads a text as the time that a column is compared with.
    """
    untrue = {"refused_before"} if any(isinstance(v, str) for v in values) else set[str]()
    if use.kind != "pandas" and all(isinstance(v, int) for v in values):
        untrue.add("compared_as_double")
    return tuple(caveat for caveat in caveats if caveat.code not in untrue)
