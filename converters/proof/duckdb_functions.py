"""Calls of Spark's functions as DuckDB's: those of mappings/duckdb.toml, and those put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.sql_types import (
    BIGINT,
    DOUBLE,
    INT,
    STRING,
    TEXTS,
    VOID,
    common_number,
    decimal,
    digits,
)
from ruleferry.converters.mappings import table
from ruleferry.converters.proof.duckdb_kinds import (
    Value,
    as_kind,
    boolean,
    call,
    cast,
    unified,
)
from ruleferry.converters.proof.rehearsal_run import NeedsSpark

_ARGUMENTS: Mapping[str, frozenset[str]] = {
    "text": TEXTS,
    "date": frozenset({"date", "timestamp", "timestamp_ntz"}),
}
_LIMITS = {INT: 2**31, BIGINT: 2**63}


def function(name: str, values: Sequence[Value]) -> Value:
    """Raises NeedsSpark for a function, or types of its arguments, that is on no list."""
    composed = _COMPOSED.get(name)
    if composed is not None:
        return composed(name, values)
    rows = table("duckdb")["functions"]
    row = rows.get(name) if isinstance(rows, dict) else None
    if row is None:
        raise NeedsSpark(f"the function {name}")
    wanted = [_ARGUMENTS[word] for word in row["args"]]
    if len(values) != len(wanted) or any(
        v.family not in w for v, w in zip(values, wanted, strict=False)
    ):
        raise _other_arguments(name, values)
    returns = parse_type(row["returns"])
    return Value(cast(call(row["duckdb"], *(v.tree for v in values)), returns), returns)


def chosen(values: Sequence[Value]) -> tuple[list[exp.Expression], Value]:
    """The values that a CASE or a coalesce chooses from, in one type; and a value of that type."""
    trees, kind = unified(values)
    if any(v.text is not None for v in values) and kind != STRING:
        raise NeedsSpark(f"texts beside values of type {kind.text}")
    return trees, Value(exp.Null(), kind)


def _other_arguments(name: str, values: Sequence[Value]) -> NeedsSpark:
    kinds = ", ".join(value.type.text for value in values)
    return NeedsSpark(f"the function {name} on ({kinds})")


def _coalesce(_: str, values: Sequence[Value]) -> Value:
    (first, *others), of_type = chosen(values)
    return Value(exp.Coalesce(this=first, expressions=others), of_type.type)


def _nullif(name: str, values: Sequence[Value]) -> Value:
    if len(values) != 2 or values[0].is_null:
        raise _other_arguments(name, values)
    trees, _ = unified(values)
    equal = exp.EQ(this=trees[0].copy(), expression=trees[1])
    arm = exp.If(this=equal, true=exp.Null())
    return Value(exp.Case(ifs=[arm], default=values[0].tree), values[0].type)


def _if(name: str, values: Sequence[Value]) -> Value:
    if len(values) != 3 or values[0].family != "boolean":
        raise _other_arguments(name, values)
    trees, of_type = chosen(values[1:])
    arm = exp.If(this=values[0].tree, true=trees[0])
    return Value(exp.Case(ifs=[arm], default=trees[1]), of_type.type)


def _isnan(name: str, values: Sequence[Value]) -> Value:
    """FALSE for NULL, which DuckDB gives back as NULL."""
    if len(values) != 1 or values[0].family not in ("float", "double"):
        raise _other_arguments(name, values)
    test = call("isnan", values[0].tree)
    return boolean(exp.Coalesce(this=test, expressions=[exp.false()]))


def _concat(name: str, values: Sequence[Value]) -> Value:
    """NULL where any part is, which DuckDB's own concat leaves out."""
    if not values or any(v.family not in TEXTS for v in values):
        raise _other_arguments(name, values)
    tree, *others = [value.tree for value in values]
    for other in others:
        tree = exp.Paren(this=exp.DPipe(this=tree, expression=other, safe=False))
    return Value(tree, STRING)


def _concat_ws(name: str, values: Sequence[Value]) -> Value:
    if len(values) < 2 or any(v.family not in TEXTS | {VOID.family} for v in values):
        raise _other_arguments(name, values)
    return Value(call("concat_ws", *(value.tree for value in values)), STRING)


def _trim(name: str, values: Sequence[Value]) -> Value:
    """Spark takes away the space alone."""
    if len(values) != 1 or values[0].family not in TEXTS:
        raise _other_arguments(name, values)
    return Value(call(name, values[0].tree, exp.Literal.string(" ")), STRING)


_SIGNS: Mapping[str, type[exp.Binary]] = {
    "try_add": exp.Add,
    "try_subtract": exp.Sub,
    "try_multiply": exp.Mul,
}


def _try_sum(name: str, values: Sequence[Value]) -> Value:
    if len(values) != 2:
        raise _other_arguments(name, values)
    return arithmetic(_SIGNS[name], values[0], values[1], gives_null=True)


def arithmetic(sign: type[exp.Binary], left: Value, right: Value, *, gives_null: bool) -> Value:
    """A sum, difference or product: of DOUBLEs; of integers and decimals where it can't overflow,
    or gives NULL then."""
    kinds = [left.type, right.type]
    families = {kind.family for kind in kinds}
    if sign is not exp.Mul and left.counted and right.counted:
        return Value(exp.Paren(this=sign(this=left.tree, expression=right.tree)), BIGINT)
    if "double" in families and families <= {"double", "float", "integer", "decimal"}:
        trees = [as_kind(value, DOUBLE) for value in (left, right)]
        return Value(exp.Paren(this=sign(this=trees[0], expression=trees[1])), DOUBLE)
    if (
        families == {"integer"}
        and gives_null
        and all(kind.text in ("int", "integer", "bigint", "long") for kind in kinds)
    ):
        return _whole(sign, left, right)
    if families <= {"integer", "decimal"} and "decimal" in families and sign is not exp.Mul:
        return _decimal(sign, left, right)
    raise NeedsSpark(f"arithmetic with {left.type.text} and {right.type.text}")


def _whole(sign: type[exp.Binary], left: Value, right: Value) -> Value:
    """Computed in 128 bits; NULL beyond those of the result."""
    kind = common_number([left.type, right.type])
    wide = exp.DataType.build("HUGEINT", "duckdb")
    sides = [exp.Cast(this=value.tree.copy(), to=wide.copy()) for value in (left, right)]
    result = sign(this=sides[0], expression=sides[1])
    limit = _LIMITS[kind]
    low, high = (
        exp.Cast(this=exp.Literal.string(str(bound)), to=wide.copy())
        for bound in (-limit, limit - 1)
    )
    fits = exp.Between(this=exp.Paren(this=result), low=low, high=high)
    arm = exp.If(this=fits, true=cast(exp.Paren(this=result.copy()), kind))
    return Value(exp.Case(ifs=[arm]), kind)


def _decimal(sign: type[exp.Binary], left: Value, right: Value) -> Value:
    before = max(digits(value.type)[0] for value in (left, right)) + 1
    after = max(digits(value.type)[1] for value in (left, right))
    if before + after > 37:  # DuckDB needs one digit more on the way
        raise NeedsSpark("a DECIMAL of more than 37 digits")
    kind = decimal(before, after)
    sides = [as_kind(value, kind) for value in (left, right)]
    return Value(cast(exp.Paren(this=sign(this=sides[0], expression=sides[1])), kind), kind)


def _try_divide(name: str, values: Sequence[Value]) -> Value:
    """Of integers and DOUBLEs, both as DOUBLE."""
    if len(values) != 2 or any(v.family not in ("integer", "double") for v in values):
        raise _other_arguments(name, values)
    top, bottom = (as_kind(value, DOUBLE) for value in values)
    zero = exp.EQ(this=bottom.copy(), expression=as_kind(_ZERO, DOUBLE))
    quotient = exp.Div(this=top, expression=bottom, typed=False, safe=False)
    return Value(exp.Case(ifs=[exp.If(this=zero, true=exp.Null())], default=quotient), DOUBLE)


_ZERO = Value(exp.Literal.number(0), INT)

_COMPOSED: Mapping[str, Callable[[str, Sequence[Value]], Value]] = {
    "coalesce": _coalesce,
    "ifnull": _coalesce,
    "nvl": _coalesce,
    "nullif": _nullif,
    "if": _if,
    "isnan": _isnan,
    "concat": _concat,
    "concat_ws": _concat_ws,
    "trim": _trim,
    "ltrim": _trim,
    "rtrim": _trim,
    "try_divide": _try_divide,
    **dict.fromkeys(_SIGNS, _try_sum),
}
