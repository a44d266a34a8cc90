"""Makes a condition shorter without changing one of its values, NULL included."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from sqlglot import exp

from ruleferry.converters.express.nullness import bare, null_causes
from ruleferry.converters.express.tree_shape import shape

_Connector = type[exp.And] | type[exp.Or]


def joined(kind: _Connector, parts: Sequence[exp.Expression]) -> exp.Expression:
    """A chain of the parts, each once, without those that change nothing."""
    neutral, decisive = (True, False) if kind is exp.And else (False, True)
    kept: dict[Hashable, exp.Expression] = {}
    for part in _flat(kind, parts):
        if isinstance(part, exp.Boolean):
            if part.this is decisive:
                return exp.Boolean(this=decisive)
            continue
        kept.setdefault(shape(part), part)
    if not kept:
        return exp.Boolean(this=neutral)
    tree, *others = kept.values()
    for other in others:
        tree = kind(this=tree, expression=other)
    return tree


def _flat(kind: _Connector, parts: Iterable[exp.Expression]) -> list[exp.Expression]:
    """The operands of the parts that are chains of the same kind, and the other parts."""
    found: list[exp.Expression] = []
    for part in parts:
        waiting = [part]
        while waiting:
            node = bare(waiting.pop())
            if type(node) is kind:
                waiting += [node.args["expression"], node.args["this"]]
            else:
                found.append(node)
    return found


def tidy(tree: exp.Expression, present: frozenset[Hashable] = frozenset()) -> exp.Expression:
    """Leave out what another part of the same chain has settled, and say a shared IS NULL once.

    In `x IS NULL OR p` the part p only matters where x is not NULL, in `x IS NOT NULL AND p` too.
    `present`: the shapes of what is never NULL.
    """
    return _tidy(tree, present)


def _tidy(tree: exp.Expression, present: frozenset[Hashable]) -> exp.Expression:
    """`present` are the shapes of what is known not to be NULL."""
    node = bare(tree)
    if (test := _null_test(node)) is not None:
        subject, negated = test
        if isinstance(subject, exp.Null):
            return exp.Boolean(this=not negated)
        if shape(subject) in present or not null_causes(subject):
            return exp.Boolean(this=negated)
        return node
    if isinstance(node, exp.And | exp.Or):
        return _tidy_chain(type(node), _flat(type(node), [node]), present)
    if isinstance(node, exp.Not):
        inner = _tidy(node.this, present)
        return (
            exp.Boolean(this=not inner.this)
            if isinstance(inner, exp.Boolean)
            else exp.Not(this=inner)
        )
    return node


def _tidy_chain(
    kind: _Connector, parts: list[exp.Expression], present: frozenset[Hashable]
) -> exp.Expression:
    parts = list({shape(p): p for p in parts}.values())
    settled = [_settles(kind, p) for p in parts]
    tidied = [
        _tidy(part, present | {s for j, s in enumerate(settled) if s is not None and j != i})
        for i, part in enumerate(parts)
    ]
    return joined(kind, _shared(kind, _flat(kind, tidied)))


def _settles(kind: _Connector, part: exp.Expression) -> Hashable | None:
    """What is not NULL wherever the other parts of the chain matter."""
    test = _null_test(part)
    if test is not None and test[1] == (kind is exp.And):
        return shape(test[0])
    return None


def _null_test(node: exp.Expression) -> tuple[exp.Expression, bool] | None:
    """`x IS [NOT] NULL`: x, and whether NOT stands there."""
    negated = False
    if isinstance(node, exp.Not):
        node, negated = bare(node.this), True
    if isinstance(node, exp.Is) and isinstance(bare(node.expression), exp.Null):
        return bare(node.this), negated != bool(node.args.get("negate"))
    return None


_Parted = tuple[list[exp.Expression], list[exp.Expression]]


def _shared(kind: _Connector, parts: list[exp.Expression]) -> list[exp.Expression]:
    """(x IS NULL OR p) AND (x IS NULL OR q) as x IS NULL OR (p AND q), and its mirror image."""
    other: _Connector = exp.Or if kind is exp.And else exp.And
    groups: dict[Hashable, list[_Parted]] = {}
    for part in parts:
        tests, rest = _split(other, part)
        key: Hashable = frozenset(map(shape, tests)) if tests and rest else shape(part)
        groups.setdefault(key, []).append((tests, rest))
    merged = [_merged(kind, other, group) for group in groups.values()]
    common = frozenset.intersection(
        *(k if isinstance(k, frozenset) else frozenset() for k in groups)
    )
    if len(merged) < 2 or not common:
        return merged
    return [_factored(kind, other, merged, common)]


def _merged(kind: _Connector, other: _Connector, group: list[_Parted]) -> exp.Expression:
    """Parts with the same tests for NULL, as one."""
    if len(group) == 1:
        return joined(other, [*group[0][0], *group[0][1]])
    rests = [joined(other, rest) for _, rest in group]
    return joined(other, [*group[0][0], joined(kind, rests)])


def _factored(
    kind: _Connector, other: _Connector, parts: list[exp.Expression], common: frozenset[Hashable]
) -> exp.Expression:
    """The tests for NULL that all parts have, once before all of them."""
    tests: dict[Hashable, exp.Expression] = {}
    rests: list[exp.Expression] = []
    for part in parts:
        pieces = _flat(other, [part])
        tests |= {shape(p): p for p in pieces if shape(p) in common}
        rests.append(joined(other, [p for p in pieces if shape(p) not in common]))
    return joined(other, [*tests.values(), joined(kind, rests)])


def _split(
    other: _Connector, part: exp.Expression
) -> tuple[list[exp.Expression], list[exp.Expression]]:
    """The tests for NULL in a chain of the other kind, and the rest of it."""
    tests: list[exp.Expression] = []
    rest: list[exp.Expression] = []
    for piece in _flat(other, [part]):
        test = _null_test(piece)
        (tests if test is not None and test[1] == (other is exp.And) else rest).append(piece)
    return tests, rest
