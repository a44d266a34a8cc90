"""Comparisons: each pair of sorts as the database compares it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.express.dialects import collation
from ruleferry.converters.express.dialects.chars import without_filling
from ruleferry.converters.express.dialects.collation import Collation
from ruleferry.converters.express.dialects.empty import present_any
from ruleferry.converters.express.dialects.implicit import fitted
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    again,
    differs,
    family,
    is_null,
    is_text,
    literal_text,
    only,
    read,
    sql,
    truth,
)
from ruleferry.converters.express.dialects.truth_tests import OPPOSITE, of_truths
from ruleferry.converters.express.dialects.untyped import (
    ORDERED,
    cast_to_text,
    of_bit,
    of_unknown,
)
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import TEXTS
from ruleferry.converters.express.tree_shape import shape

# Where a column of truth values is written 1 and 0.
_BITS = frozenset({"tsql", "mysql"})


def equal(left: Term, right: Term, here: Dialectal) -> exp.Expression:
    return compared(exp.EQ, left, right, here)


def compared(
    kind: type[exp.Expression],
    left: Term,
    right: Term,
    here: Dialectal,
    by: Collation | None = None,
) -> exp.Expression:
    """`left kind right` as the database compares them; `by` is the collation of texts."""
    if is_null(left) or is_null(right):
        return kind(this=left.tree, expression=right.tree)
    if "boolean" in (family(left), family(right)):
        return of_truths(kind, left, right, here)
    if here.dialect.name == "mysql" and (zero := _of_zero_day(kind, left, right, here)):
        return zero
    left, right = fitted(left, right, here, order=kind in ORDERED)
    if _are_texts(left, right):
        return _of_texts(kind, left, right, here, by or collation.collation(here))
    if left.type is None and right.type is None:
        return of_unknown(kind, left, right, here, by or collation.collation(here))
    if None in (left.type, right.type) and here.dialect.name in _BITS:
        return of_bit(kind, left, right, here)
    if here.dialect.name in _NAN_APART and any(_may_be_nan(t) for t in (left, right)):
        here.tell("dialect_differs", "NaN is unlike every number in the source, above all on Spark")
    return kind(this=left.tree, expression=right.tree)


# Where no comparison with NaN is TRUE.
_NAN_APART = frozenset({"bigquery"})


def _may_be_nan(term: Term) -> bool:
    return family(term) in ("float", "double") and isinstance(bare(term.tree), exp.Column)


_ZERO = re.compile(r"0000-00-00( 00:00:00)?\Z")


def _of_zero_day(
    kind: type[exp.Expression], left: Term, right: Term, here: Dialectal
) -> exp.Expression | None:
    """`d = '0000-00-00'`: such a day is missing on Spark."""
    value = literal_text(right.tree)
    if value is None or not _ZERO.match(value) or is_text(left):
        return None
    if kind not in OPPOSITE:
        raise differs(f"days are compared with {value!r}, which is no day on Spark")
    told = "a day 0000-00-00 is missing on Spark"
    if kind is exp.EQ:
        here.tell("dialect_differs", f"{told}, so that a missing day is taken for one")
    else:
        here.tell("dialect_note", told)
    missing: exp.Expression = exp.Is(this=left.tree, expression=exp.Null())
    if left.type is None:  # or it was loaded as a text
        written = exp.Like(this=cast_to_text(left), expression=exp.Literal.string(f"{_NONE}%"))
        missing = exp.Or(this=missing, expression=written)
    return missing if kind is exp.EQ else exp.Not(this=exp.Paren(this=missing))


_NONE = "0000-00-00"


def _are_texts(left: Term, right: Term) -> bool:
    """One that is not known beside a text is taken as text."""
    sorts = {family(left), family(right)}
    return bool(sorts & TEXTS) and sorts <= TEXTS | {None}


def _of_texts(
    kind: type[exp.Expression], left: Term, right: Term, here: Dialectal, by: Collation
) -> exp.Expression:
    sides = [present_any(t, here) for t in without_filling(left, right, here)]
    if here.dialect.empty and all(literal_text(s.tree) is not None for s in sides):
        by = replace(by, blanks=True)  # two literals are CHARs, of which blanks don't count
    if by.exact and kind not in ORDERED:
        return kind(this=sides[0].tree, expression=sides[1].tree)
    _tell_taken(sides, here)
    left, right = collation.folded(sides, by, here, order=kind in ORDERED)
    return kind(this=left.tree, expression=right.tree)


def _tell_taken(sides: Sequence[Term], here: Dialectal) -> None:
    """A value of unknown type beside a text that numbers and days are written like."""
    written = [value for side in sides if (value := literal_text(side.tree)) is not None]
    if any(value.upper() == value.lower() for value in written):
        for side in sides:
            if side.type is None:
                here.tell("dialect_assumed_type", f"{sql(side.tree)} is taken to be text")


# Nodes --------------------------------------------------------------------------------------------


def _comparison(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    left, right = bare(node.this), bare(node.args["expression"])
    if (listed := _listed(node, right)) is not None:
        return truth(_of_list(left, listed, here, negated=type(node) is exp.NEQ))
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return truth(_of_rows(type(node), left, right, here))
    by = collation.of_terms((left, right), here)
    return truth(compared(type(node), read(left, here), read(right, here), here, by))


def _listed(node: exp.Expression, right: exp.Expression) -> Sequence[exp.Expression] | None:
    """The values of `= ANY (ARRAY[…])` and `<> ALL (ARRAY[…])`."""
    array = _array_of(right, exp.Any if type(node) is exp.EQ else exp.All)
    if type(node) not in OPPOSITE or array is None:
        return None
    return list(array.expressions)


def _array_of(node: exp.Expression, kind: type[exp.Expression]) -> exp.Array | None:
    word = "any" if kind is exp.Any else "all"
    inner: exp.Expression | None = None
    if isinstance(node, kind):
        inner = bare(node.this)
    elif isinstance(node, exp.Anonymous) and str(node.this).lower() == word:
        inner = bare(node.expressions[0]) if len(node.expressions) == 1 else None
    return inner if isinstance(inner, exp.Array) else None


def _of_rows(
    kind: type[exp.Expression], left: exp.Expression, right: exp.Expression, here: Dialectal
) -> exp.Expression:
    """`(a, b) = (1, 2)`, value by value."""
    rows = [side.expressions if isinstance(side, exp.Tuple) else [] for side in (left, right)]
    if kind is not exp.EQ or not rows[0] or len(rows[0]) != len(rows[1]):
        raise differs("rows of several values are compared in it")
    by = collation.of_terms((left, right), here)
    tests = [compared(kind, read(a, here), read(b, here), here, by)
             for a, b in zip(*rows, strict=True)]  # fmt: skip
    return _joined(exp.And, tests)


def _joined(kind: type[exp.Expression], tests: Sequence[exp.Expression]) -> exp.Expression:
    tree, *others = tests
    for other in others:
        tree = kind(this=tree, expression=other)
    return tree


def _in(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expressions", "unnest", "query")
    if node.args.get("query"):
        from ruleferry.converters.express.dialects.queries import in_query

        return truth(in_query(node, here))
    listed = node.expressions
    if unnest := node.args.get("unnest"):
        only(unnest, "expressions")
        arrays = unnest.expressions
        if len(arrays) != 1 or not isinstance(arrays[0], exp.Array):
            raise differs("IN UNNEST of what is not written out is not carried over")
        listed = arrays[0].expressions
    return truth(_of_list(bare(node.this), listed, here, negated=False))


def _of_list(
    subject: exp.Expression, listed: Sequence[exp.Expression], here: Dialectal, *, negated: bool
) -> exp.Expression:
    if not listed:
        raise differs("its list of values is empty")
    if isinstance(subject, exp.Tuple):
        tests = [_of_rows(exp.EQ, subject, bare(row), here) for row in listed]
        found = _joined(exp.Or, tests)
    else:
        by = collation.of_terms((subject, *listed), here)
        found = in_list(read(subject, here), [read(v, here) for v in listed], here, by)
    return exp.Not(this=found) if negated else found


def in_list(
    subject: Term, values: Sequence[Term], here: Dialectal, by: Collation
) -> exp.Expression:
    """One IN where all values are compared alike, else one comparison after the other."""
    texts = all(is_text(v) or is_null(v) for v in values) and (
        subject.type is None or is_text(subject)
    )
    if texts and any(is_text(v) for v in values):
        return _in_texts(subject, values, here, by)
    tests = [compared(exp.EQ, Term(again(subject), subject.type), v, here, by) for v in values]
    return _as_in(tests) or _joined(exp.Or, tests)


def _as_in(tests: Sequence[exp.Expression]) -> exp.Expression | None:
    """`x = 1 OR x = 2` as `x IN (1, 2)`."""
    if not all(type(t) is exp.EQ for t in tests):
        return None
    if len({shape(t.this) for t in tests}) != 1:
        return None
    return exp.In(this=tests[0].this, expressions=[t.args["expression"] for t in tests])


def _in_texts(
    subject: Term, values: Sequence[Term], here: Dialectal, by: Collation
) -> exp.Expression:
    for value in values:  # a text that may be a day needs to be told
        fitted(subject, value, here, order=False)
    listed_ = [without_filling(subject, value, here)[1] for value in values]
    items = [present_any(subject, here), *(present_any(v, here) for v in listed_)]
    if not by.exact:
        _tell_taken(items, here)
        items = collation.folded(items, by, here, order=False)
    listed = {shape(i.tree): i.tree for i in items[1:]}
    return exp.In(this=items[0].tree, expressions=list(listed.values()))


def _between(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "low", "high")
    by = collation.of_terms(node.iter_expressions(), here)
    subject, low, high = (read(node.args[key], here) for key in ("this", "low", "high"))
    over = compared(exp.GTE, Term(again(subject), subject.type), low, here, by)
    under = compared(exp.LTE, Term(again(subject), subject.type), high, here, by)
    alike = isinstance(over, exp.GTE) and isinstance(under, exp.LTE)
    if alike and shape(over.this) == shape(under.this):
        bounds = {"low": over.args["expression"], "high": under.args["expression"]}
        return truth(exp.Between(this=over.this, **bounds))
    return truth(exp.And(this=over, expression=under))


def _collate(node: exp.Expression, here: Dialectal) -> Term:
    """The clause decides how the value is compared, which its neighbours find out."""
    only(node, "this", "expression")
    if not isinstance(node.parent, _ASK_COLLATION):
        raise differs("COLLATE is carried over beside a comparison only")
    return read(node.this, here)


_ASK_COLLATION: tuple[type[exp.Expression], ...] = (
    exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, *ORDERED, exp.In, exp.Between, exp.Like,
    exp.ILike, exp.Paren,
)  # fmt: skip

STEPS_HERE: dict[type[exp.Expression], Step] = {
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, *ORDERED), _comparison),
    exp.In: _in,
    exp.Between: _between,
    exp.Collate: _collate,
}
