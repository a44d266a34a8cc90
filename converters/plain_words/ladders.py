"""One comparison of two columns whose types are not known, written once for each type."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ruleferry.converters.express.functions import called
from ruleferry.converters.normal_form import Form, normal
from ruleferry.converters.plain_words.comparing import COMPARED
from ruleferry.converters.plain_words.saying import Unsaid
from ruleferry.converters.plain_words.values import bare, emptied

_ORDERS = (exp.LT, exp.LTE, exp.GT, exp.GTE)


def ladder(node: exp.Expression) -> exp.Expression | None:
    """`a < b` of a CASE that asks for the types of a and b and compares them in each branch."""
    node = bare(node)
    if not isinstance(node, exp.Case) or node.this or len(node.args["ifs"]) != 1:
        return None
    (arm,), otherwise = node.args["ifs"], node.args.get("default")
    if otherwise is None or not all(map(_asks_type, _tests(arm.this))):
        return None
    found = [_stripped(rung) for rung in (*_rungs(arm.args["true"]), *_rungs(otherwise))]
    first = found[0]
    if first is None or any(_form(one) != _form(first) for one in found):
        return None
    return first


def _form(node: exp.Expression | None) -> Form | None:
    return normal(node) if node is not None else None


def _tests(node: exp.Expression) -> Iterator[exp.Expression]:
    node = bare(node)
    if isinstance(node, exp.And):
        yield from _tests(node.this)
        yield from _tests(node.expression)
    else:
        yield node


def _asks_type(node: exp.Expression) -> bool:
    found = called(node.this) if isinstance(node, exp.EQ) else None
    return found is not None and found[0] == "typeof"


def _rungs(node: exp.Expression) -> Iterator[exp.Expression]:
    node = bare(node)
    if isinstance(node, exp.Coalesce):
        for part in (node.this, *node.expressions):
            yield from _rungs(part)
    else:
        yield node


def _stripped(node: exp.Expression) -> exp.Expression | None:
    """The comparison without how its sides are read; case and blanks matter where texts equal."""
    if type(node) not in COMPARED:
        return None
    try:
        left, right = (_side(side, type(node)) for side in (node.this, node.expression))
    except Unsaid:
        return None
    return type(node)(this=left, expression=right)


def _side(node: exp.Expression, kind: type[exp.Expression]) -> exp.Expression:
    node = bare(node)
    while not isinstance(node, exp.Column):
        found = called(node)
        if isinstance(node, exp.Literal) and not node.is_string:
            break
        if isinstance(node, exp.TryCast):
            node = bare(node.this)
        elif (whole := emptied(node)) is not None:
            node = whole
        elif found and found[0] in ("rtrim", "lower") and kind in _ORDERS:
            node = bare(found[1][0])
        else:
            raise Unsaid
    return node.copy()
