"""A small judge of conditions: SQL's three truth values, over rows that a test enumerates."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from itertools import product

from sqlglot import exp


def verdict(tree: exp.Expression, row: Mapping[str, object]) -> object:
    """TRUE, FALSE or NULL (None); of a value, the value. Column names have no case."""
    match tree:
        case exp.Paren():
            return verdict(tree.this, row)
        case exp.Column():
            return row[tree.name.lower()]
        case exp.Null():
            return None
        case exp.Boolean():
            return bool(tree.this)
        case exp.Literal():
            return tree.this if tree.is_string else Decimal(tree.this)
        case exp.Neg():
            value = verdict(tree.this, row)
            return None if value is None else -value
        case exp.Coalesce():
            values = [verdict(v, row) for v in (tree.this, *tree.expressions)]
            return next((v for v in values if v is not None), None)
        case exp.Cast():  # TRY_CAST too; in these tests always to a number
            return _number(verdict(tree.this, row))
        case exp.Not():
            return _not(verdict(tree.this, row))
        case exp.And() | exp.Or():
            return _joined(tree, row)
        case exp.Is():
            asked = verdict(tree.this, row) is verdict(tree.expression, row)
            return asked != bool(tree.args.get("negate"))
        case exp.NullSafeEQ():
            return verdict(tree.this, row) == verdict(tree.expression, row)
        case exp.NullSafeNEQ():
            return verdict(tree.this, row) != verdict(tree.expression, row)
        case exp.In():
            subject = verdict(tree.this, row)
            return _any([_compared("EQ", subject, verdict(v, row)) for v in tree.expressions])
        case exp.Between():
            subject = verdict(tree.this, row)
            low = _compared("LTE", verdict(tree.args["low"], row), subject)
            high = _compared("LTE", subject, verdict(tree.args["high"], row))
            return _not(_any([_not(low), _not(high)]))
        case exp.Binary():
            sides = verdict(tree.this, row), verdict(tree.expression, row)
            return _compared(type(tree).__name__, *sides)
    raise AssertionError(f"no meaning for {tree!r}")


def _not(value: object) -> object:
    return None if value is None else not value


def _any(values: list[object]) -> object:
    return True if True in values else None if None in values else False


def _joined(tree: exp.Expression, row: Mapping[str, object]) -> object:
    sides = [verdict(side, row) for side in (tree.left, tree.right)]
    if isinstance(tree, exp.Or):
        return _any(sides)
    return _not(_any([_not(side) for side in sides]))


def _compared(operator: str, left, right) -> object:
    if left is None or right is None:
        return None
    return {
        "EQ": left == right,
        "NEQ": left != right,
        "LT": left < right,
        "LTE": left <= right,
        "GT": left > right,
        "GTE": left >= right,
    }[operator]


def _number(value) -> object:
    try:
        return None if value is None else Decimal(value)
    except InvalidOperation:
        return None


def rows(**domains: list[object]) -> Iterator[dict[str, object]]:
    for values in product(*domains.values()):
        yield dict(zip(domains, values, strict=True))
