"""Comparisons of columns whose types are not known, and keys."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ruleferry.converters.express.dialects import collation
from ruleferry.converters.express.dialects.cast_numbers import prefix_number
from ruleferry.converters.express.dialects.cast_types import Target
from ruleferry.converters.express.dialects.collation import Collation
from ruleferry.converters.express.dialects.empty import present_any
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    again,
    is_number,
    is_text,
    literal_number,
    sql,
    type_needed,
)
from ruleferry.converters.express.dialects.truth_tests import OPPOSITE
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import DOUBLE
from ruleferry.converters.express.tree_shape import shape

ORDERED: tuple[type[exp.Expression], ...] = (exp.LT, exp.LTE, exp.GT, exp.GTE)


# Truth values -------------------------------------------------------------------------------------


def of_bit(kind: type[exp.Expression], left: Term, right: Term, here: Dialectal) -> exp.Expression:
    """`flag = 1`, where the column may hold truth values on Databricks."""
    unknown, other = (left, right) if left.type is None else (right, left)
    plain = kind(this=left.tree, expression=right.tree)
    if here.dialect.name == "mysql" and is_number(other):
        plain = _of_prefix(kind, left, right, plain)
    number = literal_number(other.tree)
    if number not in ("0", "1") or kind not in OPPOSITE:
        return plain
    word = "true" if number == "1" else "false"
    return _by_type(
        [unknown], "boolean",
        kind(this=cast_to_text(unknown), expression=exp.Literal.string(word)), plain,
    )  # fmt: skip


def _of_prefix(
    kind: type[exp.Expression], left: Term, right: Term, plain: exp.Expression
) -> exp.Expression:
    """A text is worth the number that it begins with."""
    unknown = left if left.type is None else right
    read_ = [
        prefix_number(Term(cast_to_text(t)), Target(DOUBLE)).tree if t is unknown else again(t)
        for t in (left, right)
    ]
    return _by_type([unknown], "string", kind(this=read_[0], expression=read_[1]), plain)


def cast_to_text(term: Term) -> exp.Expression:
    return exp.Cast(this=again(term), to=exp.DataType(this=exp.DataType.Type.TEXT))


def _by_type(
    terms: Sequence[Term], name: str, then: exp.Expression, otherwise: exp.Expression
) -> exp.Expression:
    """`then` where all of them are of the type, else `otherwise`: Spark knows when it starts."""
    tests = [exp.EQ(this=call("typeof", [again(t)]), expression=exp.Literal.string(name))
             for t in terms]  # fmt: skip
    test: exp.Expression = tests[0]
    for other in tests[1:]:
        test = exp.And(this=test, expression=other)
    return exp.Case(ifs=[exp.If(this=test, true=then)], default=otherwise)


# Nothing known of either --------------------------------------------------------------------------


def of_unknown(
    kind: type[exp.Expression], left: Term, right: Term, here: Dialectal, by: Collation
) -> exp.Expression:
    """Two columns of unknown types: texts by the collation, all else as it is."""
    missing = here.dialect.empty == "missing"
    if kind is exp.EQ and _are_keys(left, right):  # by a longer one Spark could not join
        return kind(this=as_key(left, here), expression=as_key(right, here))
    exact = by.exact and not missing
    if exact or shape(left.tree) == shape(right.tree) or kind in _NULL_SAFE:
        if not exact and kind in _NULL_SAFE:
            raise type_needed(left, "a text", here)
        return kind(this=left.tree, expression=right.tree)
    if any(t.tree.find(exp.Query) is not None for t in (left, right)):
        raise type_needed(left, "a text", here)
    sides = [present_any(Term(cast_to_text(t)), here) for t in (left, right)]
    if not by.exact:
        sides = collation.folded(sides, by, here, order=kind in ORDERED)
    as_texts = kind(this=sides[0].tree, expression=sides[1].tree)
    for term in (left, right):
        here.tell("dialect_assumed_type", f"{sql(term.tree)} is read as what its values look like")
    return _by_type([left, right], "string", as_texts, _by_looks(kind, left, right))


_NULL_SAFE = (exp.NullSafeEQ, exp.NullSafeNEQ)


def _by_looks(kind: type[exp.Expression], left: Term, right: Term) -> exp.Expression:
    """As numbers, else as times, else as texts: a form that analyses whatever the types are."""
    kinds = (exp.DataType.Type.DOUBLE, exp.DataType.Type.TIMESTAMPNTZ)
    tests = [kind(this=_try(left, wanted), expression=_try(right, wanted)) for wanted in kinds]
    as_texts = kind(this=cast_to_text(left), expression=cast_to_text(right))
    return call("coalesce", [*tests, as_texts])


def _try(term: Term, wanted: exp.DType) -> exp.Expression:
    return exp.TryCast(this=cast_to_text(term), to=exp.DataType(this=wanted), safe=True)


# Keys ---------------------------------------------------------------------------------------------


def compares_exactly(here: Dialectal) -> bool:
    """Whether two texts are equal in the database where they are on Spark."""
    return collation.collation(here).exact and not here.dialect.empty


def as_key(term: Term, here: Dialectal) -> exp.Expression:
    """Of values that are equal in the database, one value."""
    if compares_exactly(here) or not (is_text(term) or term.type is None):
        return again(term)
    text = present_any(Term(again(term), term.type), here)
    by = collation.collation(here)
    if by.exact:
        return text.tree
    return collation.folded([text, text], by, here, order=False)[0].tree.copy()


def _are_keys(left: Term, right: Term) -> bool:
    """Columns of two tables."""
    sides = [bare(side.tree) for side in (left, right)]
    tables = {side.table.lower() for side in sides if isinstance(side, exp.Column)}
    return len(tables) == 2 and "" not in tables
