"""Conditions that say the same, or the opposite, whatever the order and the case of their parts.

NOT is pushed down to the single tests, which keeps every one of the three truth values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Found
from ruleferry.converters.rule import Check, Row

_OPPOSITES: dict[str, str] = {
    "EQ": "NEQ", "NEQ": "EQ", "LT": "GTE", "GTE": "LT", "GT": "LTE", "LTE": "GT",
    "NullSafeEQ": "NullSafeNEQ", "NullSafeNEQ": "NullSafeEQ",
}  # fmt: skip
_TURNED = {"LT": "GT", "LTE": "GTE"}
_EITHER_WAY = ("EQ", "NEQ", "NullSafeEQ", "NullSafeNEQ")


def said(found: Found) -> Hashable:
    """Equal for rules that find the same records of one table."""
    return of_check(found.checked.check), found.checked.scope


def of_check(check: Check) -> Hashable:
    tree = tree_of(check)
    if tree is None:
        return check
    assert isinstance(check, Row)
    assert isinstance(check.predicate, SqlText)
    return form(tree), check.predicate.bad, check.predicate.whole_query


def tree_of(check: Check) -> exp.Expression | None:
    """That of a condition on a record."""
    predicate = check.predicate if isinstance(check, Row) else None
    if not isinstance(predicate, SqlText) or predicate.whole_query:
        return None
    return predicate.tree if isinstance(predicate.tree, exp.Expression) else None


def alternatives(found: Found) -> list[Hashable]:
    """What each part of an OR says alone; of another rule, what it says as a whole."""
    tree = tree_of(found.checked.check)
    if tree is None:
        return [said(found)]
    whole = said(found)
    parts = [(form(part), True, False) for part in _parts(tree, exp.Or)]
    return [whole] if len(parts) < 2 else [(part, found.checked.scope) for part in parts]


def _parts(tree: exp.Expression, kind: type[exp.Expression]) -> Iterator[exp.Expression]:
    waiting = [tree]
    while waiting:
        node = bare(waiting.pop())
        if type(node) is kind:
            waiting += [node.args["expression"], node.this]
        else:
            yield node


def form(tree: exp.Expression, *, denied: bool = False) -> Hashable:
    """`denied`: of its opposite, which is unknown where it is unknown."""
    node = bare(tree)
    if isinstance(node, exp.Not):
        return form(node.this, denied=not denied)
    if isinstance(node, exp.And | exp.Or):
        word = "and" if isinstance(node, exp.And) != denied else "or"
        return _chain(word, [form(p, denied=denied) for p in _parts(node, type(node))])
    return _test(node, denied=denied)


def _chain(word: str, forms: list[Hashable]) -> Hashable:
    """An AND within an OR is one of its parts; an AND within an AND is not."""
    found: set[Hashable] = set()
    for each in forms:
        same = isinstance(each, tuple) and each[0] == word
        found |= each[1] if same else {each}  # type: ignore[index]
    return next(iter(found)) if len(found) == 1 else (word, frozenset(found))


def _test(node: exp.Expression, *, denied: bool) -> Hashable:
    name = type(node).__name__
    if name in _OPPOSITES:
        name = _OPPOSITES[name] if denied else name
        left, right = _value(node.this), _value(node.args["expression"])
        if name in _TURNED:
            name, left, right = _TURNED[name], right, left
        sides = frozenset((left, right)) if name in _EITHER_WAY else (left, right)
        return name, sides
    negated = bool(node.args.get("negate"))
    parts = tuple(
        (key, _of(value))
        for key, value in sorted(node.args.items())
        if key != "negate" and value not in (None, False, [])
    )
    return name, parts, negated != denied


def _value(node: exp.Expression) -> Hashable:
    node = bare(node)
    if isinstance(node, exp.Identifier):
        return node.name.lower()
    if isinstance(node, exp.Literal):
        return "text" if node.is_string else "number", node.name
    if isinstance(node, exp.And | exp.Or | exp.Not | exp.Predicate):
        return form(node)
    parts = ((key, _of(value)) for key, value in sorted(node.args.items()))
    return type(node).__name__, tuple(part for part in parts if part[1] not in (None, False, ()))


def _of(value: object) -> Hashable:
    if isinstance(value, exp.Expression):
        return _value(value)
    if isinstance(value, list):
        return tuple(_of(each) for each in value)
    return str(value)


def never_unknown(tree: exp.Expression) -> bool:
    """Whether it asks for nothing but missing values."""
    node = bare(tree)
    if isinstance(node, exp.Not):
        return never_unknown(node.this)
    if isinstance(node, exp.And | exp.Or):
        return all(never_unknown(part) for part in _parts(node, type(node)))
    return isinstance(node, exp.Is) and isinstance(bare(node.expression), exp.Null)


def is_null_test(of: Hashable) -> bool:
    """A form that asks whether something is missing."""
    if not isinstance(of, tuple) or of[0] != "Is" or of[2]:
        return False
    return any(part == ("expression", ("Null", ())) for part in of[1])


def parts_of_and(tree: exp.Expression) -> list[exp.Expression]:
    return [*_parts(tree, exp.And)]
