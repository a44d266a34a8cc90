"""SQL's three truth values: exact rewrites of a predicate into conditions that are never NULL.

`is_not_true(p)` is TRUE where p is FALSE or NULL, and so on. The rewrite goes down to the single
tests: a OR b is not TRUE where neither is, a AND b where one is not, NOT a where a is not FALSE.
A test that is NULL only where one of its operands is gets `x IS NULL OR …` before its opposite; any
other is left as it stands, with IS NOT TRUE after it. NaN needs no care: Spark orders it, so the
opposite of `<` is `>=`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ruleferry.converters.express.nullness import bare, null_causes
from ruleferry.converters.express.tidy import joined, tidy
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.express.truth import outcomes

_LONG = 8
_OPPOSITES: dict[type[exp.Expression], type[exp.Expression]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.GTE: exp.LT,
    exp.GT: exp.LTE,
    exp.LTE: exp.GT,
    exp.NullSafeNEQ: exp.NullSafeEQ,
}


def is_not_true(predicate: exp.Expression) -> exp.Expression:
    """TRUE where the predicate is FALSE or NULL: the good rows of a check that selects bad ones."""
    return tidy(_is_not(predicate, True))


def is_not_false(predicate: exp.Expression) -> exp.Expression:
    """TRUE where the predicate is TRUE or NULL: a CHECK constraint lets such a row pass."""
    return tidy(_is_not(predicate, False))


def is_true(predicate: exp.Expression) -> exp.Expression:
    """TRUE where the predicate is TRUE: a filter lets such a row pass."""
    return tidy(_is(predicate, True))


def never_true(predicate: exp.Expression) -> bool:
    """Whether no row can make the predicate TRUE; False also where that could not be found out."""
    return True not in outcomes(predicate)


def always_true(predicate: exp.Expression) -> bool:
    """Whether every row makes the predicate TRUE; False also where that could not be found out."""
    return outcomes(predicate) == {True}


def _is(predicate: exp.Expression, wanted: bool) -> exp.Expression:
    """TRUE where the predicate is `wanted`, else FALSE."""
    node = _spread(bare(predicate))
    if isinstance(node, exp.Not):
        return _is(node.this, not wanted)
    if isinstance(node, exp.And | exp.Or):
        kind = exp.And if isinstance(node, exp.And) == wanted else exp.Or
        return joined(kind, [_is(part, wanted) for part in _operands(node)])
    if (asked := _asked(node)) is not None:
        inner, value, negated = asked
        return _is_not(inner, value) if negated == wanted else _is(inner, value)
    causes = _usable_causes(node)
    if causes is None:
        return _is_test(node, wanted, negated=False)
    tests = [_null_test(c, negated=True) for c in causes]
    return joined(exp.And, [*tests, node.copy() if wanted else _opposite(node)])


def _is_not(predicate: exp.Expression, unwanted: bool) -> exp.Expression:
    """TRUE where the predicate is anything but `unwanted`, else FALSE."""
    node = _spread(bare(predicate))
    if isinstance(node, exp.Not):
        return _is_not(node.this, not unwanted)
    if isinstance(node, exp.And | exp.Or):
        kind = exp.Or if isinstance(node, exp.And) == unwanted else exp.And
        return joined(kind, [_is_not(part, unwanted) for part in _operands(node)])
    if (asked := _asked(node)) is not None:
        inner, value, negated = asked
        return _is(inner, value) if negated == unwanted else _is_not(inner, value)
    causes = _usable_causes(node)
    if causes is None:
        return _is_test(node, unwanted, negated=True)
    tests = [_null_test(c, negated=False) for c in causes]
    return joined(exp.Or, [*tests, _opposite(node) if unwanted else node.copy()])


def _operands(node: exp.Expression) -> list[exp.Expression]:
    kind = type(node)
    found: list[exp.Expression] = []
    waiting = [node]
    while waiting:
        part = bare(waiting.pop())
        if type(part) is kind:
            waiting += [part.args["expression"], part.args["this"]]
        else:
            found.append(part)
    return found


def _spread(node: exp.Expression) -> exp.Expression:
    """BETWEEN and IN as what they stand for, where a bound or a value may be NULL.

    `-2 BETWEEN 0 AND NULL` is FALSE, not NULL; `x IN (1, NULL)` is TRUE or NULL, never FALSE.
    """
    if isinstance(node, exp.Between):
        low, high = node.args["low"], node.args["high"]
        if not null_causes(low) and not null_causes(high):
            return node
        return exp.And(
            this=exp.GTE(this=node.this.copy(), expression=low.copy()),
            expression=exp.LTE(this=node.this.copy(), expression=high.copy()),
        )
    if isinstance(node, exp.In) and not node.args.get("query"):
        return _spread_list(node)
    return node


def _spread_list(node: exp.In) -> exp.Expression:
    plain = [e for e in node.expressions if not null_causes(e)]
    others = [e for e in node.expressions if null_causes(e)]
    if not others:
        return node
    tests: list[exp.Expression] = [
        exp.EQ(this=node.this.copy(), expression=e.copy()) for e in others
    ]
    if plain:
        kept = exp.In(this=node.this.copy(), expressions=[e.copy() for e in plain])
        tests.insert(0, kept)
    return joined(exp.Or, tests)


def _asked(node: exp.Expression) -> tuple[exp.Expression, bool, bool] | None:
    """`x IS [NOT] TRUE`: the predicate x, the value asked for, and whether NOT stands there."""
    if isinstance(node, exp.Is) and isinstance(bare(node.expression), exp.Boolean):
        inner = bare(node.this)
        if not isinstance(inner, exp.Column):
            return inner, bool(bare(node.expression).this), bool(node.args.get("negate"))
    return None


def _usable_causes(node: exp.Expression) -> Sequence[exp.Expression] | None:
    """What to ask IS NULL of; None where `(…) IS NOT TRUE` is shorter to read."""
    if isinstance(node, exp.Column | exp.Null):
        return None
    causes = null_causes(node.this if isinstance(node, exp.Between) else node)
    mine = shape(node)
    if any(shape(c) == mine or _is_long(c) for c in causes):
        return None
    return causes


def _is_long(node: exp.Expression) -> bool:
    return node.find(exp.Case) is not None or sum(1 for _ in node.walk()) > _LONG


def _opposite(node: exp.Expression) -> exp.Expression:
    """FALSE where the test is TRUE and the other way round; NULL where it is."""
    if (kind := _OPPOSITES.get(type(node))) is not None:
        return kind(this=node.args["this"].copy(), expression=node.args["expression"].copy())
    if isinstance(node, exp.Boolean):
        return exp.Boolean(this=not node.this)
    opposite = node.copy()
    held = opposite.this if isinstance(opposite, exp.Escape) else opposite
    if held.args.get("negate"):
        held.set("negate", None)
        return opposite
    return exp.Not(this=opposite)


def _null_test(node: exp.Expression, negated: bool) -> exp.Expression:
    test = exp.Is(this=node.copy(), expression=exp.Null())
    return exp.Not(this=test) if negated else test


def _is_test(node: exp.Expression, value: bool, negated: bool) -> exp.Expression:
    if isinstance(node, exp.Null):
        return exp.Boolean(this=negated)
    test = exp.Is(this=node.copy(), expression=exp.Boolean(this=value))
    return exp.Not(this=test) if negated else test
