"""Sums, products and divisions that never raise.

As they stand where the types of their operands say so, else by the try_ functions.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.coercion import (
    Findings,
    Typed,
    as_kind,
    as_number,
    guarded,
    mismatch,
)
from ruleferry.converters.express.functions import call, called
from ruleferry.converters.express.nullness import bare, is_number_but_zero
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import (
    BIGINT,
    DATE,
    DOUBLE,
    INT,
    NUMBERS,
    STRING,
    TEXTS,
    TIMES,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    common_number,
    decimal,
    digits,
    fits_int,
    is_float,
)

_MAX_DIGITS = 38
# Beyond this many digits before the point Spark cuts the quotient of decimals, and may overflow.
_QUOTIENT_DIGITS = 32
_LONG_DIGITS = 18
_CLOCKS = (exp.CurrentDate, exp.CurrentTimestamp)
_SAFE: dict[type[exp.Expression], str] = {
    exp.Add: "try_add",
    exp.Sub: "try_subtract",
    exp.Mul: "try_multiply",
    exp.Div: "try_divide",
    exp.Mod: "try_mod",
}
_OPERATORS = {name: kind for kind, name in _SAFE.items()}
_EXACT: dict[type[exp.Expression], Callable[[int, int], int]] = {
    exp.Add: lambda a, b: a + b,
    exp.Sub: lambda a, b: a - b,
    exp.Mul: lambda a, b: a * b,
}


def arithmetic(kind: type[exp.Expression], left: Typed, right: Typed, findings: Findings) -> Typed:
    """`left kind right` for Add, Sub, Mul, Div, Mod and IntDiv."""
    if kind in (exp.Add, exp.Sub) and {left.family, right.family} & (TIMES | {"other"}):
        return _moved(kind, left, right, findings)
    left, right = _numbers(left, right, findings)
    if kind is exp.IntDiv:
        return _whole_division(left, right, findings)
    result = _result(kind, left.type or DOUBLE, right.type or DOUBLE)
    if _is_total(kind, left, right):
        return Typed(kind(this=left.tree, expression=right.tree), result)
    may_be_zero = kind in (exp.Div, exp.Mod) and not _never_zero(right.tree)
    key = "zero_divisor" if may_be_zero else "overflow"
    findings.lose(key, kind(this=left.tree.copy(), expression=right.tree.copy()))
    return Typed(call(_SAFE[kind], [left.tree, right.tree]), result)


def try_arithmetic(name: str, left: Typed, right: Typed, findings: Findings) -> Typed:
    """A try_ function that the author wrote: its operands must be total, too."""
    kind = _OPERATORS[name]
    if kind in (exp.Add, exp.Sub) and (left.family in TIMES or right.family == "other"):
        if left.family not in TIMES or not _is_interval(right):
            raise mismatch(left, "a time to add an interval to")
        result = _moved_type(left, right)
    else:
        left, right = _numbers(left, right, findings)
        result = _result(kind, left.type or DOUBLE, right.type or DOUBLE)
    return Typed(call(name, [left.tree, right.tree]), result)


def _numbers(left: Typed, right: Typed, findings: Findings) -> tuple[Typed, Typed]:
    """Spark reads a text beside an integer as BIGINT, beside another number as DOUBLE."""
    if left.family in TEXTS and right.family in TEXTS:
        raise mismatch(left, "a number to calculate with")
    whole = "integer" in (left.family, right.family)
    kind = BIGINT if whole else DOUBLE
    return as_number(left, findings, kind), as_number(right, findings, kind)


def _is_total(kind: type[exp.Expression], left: Typed, right: Typed) -> bool:
    a, b = left.type, right.type
    if a is None or b is None or left.is_null or right.is_null:
        return False
    if kind in (exp.Div, exp.Mod):
        if not _never_zero(right.tree):
            return False
        decimals = "decimal" in (a.family, b.family) and not (is_float(a) or is_float(b))
        return kind is exp.Mod or not decimals or digits(a)[0] + digits(b)[1] <= _QUOTIENT_DIGITS
    if is_float(a) or is_float(b):
        return True
    if a.family == b.family == "integer":
        return _is_small_constant(kind, left, right)
    return _fits(kind, a, b)


def _never_zero(node: exp.Expression) -> bool:
    """A number other than 0, or `nullif(x, 0)`: nothing divided by NULL is NULL."""
    name, arguments = called(bare(node)) or ("", [])
    if name != "nullif" or len(arguments) != 2:
        return is_number_but_zero(node)
    return Typed(arguments[1], None).whole_literal == 0


def _is_small_constant(kind: type[exp.Expression], left: Typed, right: Typed) -> bool:
    """Whether both sides are written out and every step of the result is an INT."""
    most = 2**31 if fits_int(common_number([k for k in (left.type, right.type) if k])) else 2**63
    return _span(kind(this=left.tree.copy(), expression=right.tree.copy()), most) is not None


def least(node: exp.Expression) -> int | None:
    """No INT that the expression gives is less; None where that is not known."""
    found = _span(node, 2**31)
    return found[0] if found is not None else None


# The least and the greatest value of whole numbers that a call gives.
_SPANS: dict[str, tuple[int, int]] = {
    "year": (-5_877_641, 5_881_580), "quarter": (1, 4), "month": (1, 12), "day": (1, 31),
    "dayofyear": (1, 366), "dayofweek": (1, 7), "weekday": (0, 6), "weekofyear": (1, 53),
    "hour": (0, 23), "minute": (0, 59), "second": (0, 59),
    **dict.fromkeys(("length", "octet_length", "instr", "locate"), (0, 2**31 - 16)),
    "unix_timestamp": (-(2**44), 2**44), "datediff": (-(2**31) + 1, 2**31 - 1),
}  # fmt: skip


def _span(node: exp.Expression, most: int) -> tuple[int, int] | None:
    """Between which numbers the value lies, where no step leaves the type."""
    node = bare(node)
    found: tuple[int, int] | None
    if type(node) in _EXACT:
        found = _combined(type(node), node.this, node.args["expression"], most)
    elif isinstance(node, exp.Case):
        found = _widest([arm.args["true"] for arm in node.args["ifs"]], node.args["default"], most)
    elif (value := Typed(node, None).whole_literal) is not None:
        found = value, value
    elif isinstance(node, exp.Mod):
        rest = Typed(node.args["expression"], None).whole_literal
        found = (1 - abs(rest), abs(rest) - 1) if rest else None
    else:
        found = _SPANS.get((called(node) or ("", []))[0])
    return found if found is not None and -most <= found[0] <= found[1] < most else None


def _combined(
    kind: type[exp.Expression], left: exp.Expression, right: exp.Expression, most: int
) -> tuple[int, int] | None:
    a, b = _span(left, most), _span(right, most)
    if a is None or b is None:
        return None
    ends = [_EXACT[kind](x, y) for x in a for y in b]
    return min(ends), max(ends)


def _widest(
    results: list[exp.Expression], default: exp.Expression | None, most: int
) -> tuple[int, int] | None:
    """Of the arms of a CASE; NULL, where none is taken, leaves no type."""
    spans = [_span(node, most) for node in [*results, *([default] if default else [])]]
    known = [span for span in spans if span is not None]
    if len(known) < len(spans) or not known:
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _fits(kind: type[exp.Expression], a: ColumnType, b: ColumnType) -> bool:
    """Whether the decimal result is never cut (Spark's own widths)."""
    (before_a, after_a), (before_b, after_b) = digits(a), digits(b)
    if kind is exp.Mul:
        return before_a + before_b + after_a + after_b + 1 <= _MAX_DIGITS
    return max(before_a, before_b) + 1 + max(after_a, after_b) <= _MAX_DIGITS


def _result(kind: type[exp.Expression], a: ColumnType, b: ColumnType) -> ColumnType:
    if is_float(a) or is_float(b):
        return DOUBLE
    if a.family not in NUMBERS or b.family not in NUMBERS:
        return DOUBLE
    whole = a.family == b.family == "integer"
    if whole:
        return DOUBLE if kind is exp.Div else common_number([a, b])
    (before_a, after_a), (before_b, after_b) = digits(a), digits(b)
    if kind is exp.Mul:
        return decimal(before_a + before_b + 1, after_a + after_b)
    if kind is exp.Div:
        return decimal(before_a + after_b, max(6, after_a + before_b + after_b + 1))
    return decimal(max(before_a, before_b) + 1, max(after_a, after_b))


def _whole_division(left: Typed, right: Typed, findings: Findings) -> Typed:
    """DIV gives a BIGINT: it overflows for the least one divided by -1, and for large decimals."""
    a, b = left.type, right.type
    if a is None or b is None or is_float(a) or is_float(b):
        raise Refusal("unsupported_function", "DIV is certain for whole and decimal columns only")
    small = digits(a)[0] + digits(b)[1] <= _LONG_DIGITS or (
        a.family == b.family == "integer" and _is_count(right.tree, findings)
    )
    divisor = right.whole_literal
    if is_number_but_zero(right.tree) and (small or (divisor is not None and divisor > 0)):
        return Typed(exp.IntDiv(this=left.tree, expression=right.tree), BIGINT)
    if not small or is_number_but_zero(right.tree):
        raise Refusal("unsupported_function", "DIV may overflow for numbers of this size")
    if _never_zero(right.tree):
        return Typed(exp.IntDiv(this=left.tree, expression=right.tree), BIGINT)
    findings.lose("zero_divisor", exp.IntDiv(this=left.tree.copy(), expression=right.tree.copy()))
    but_zero = call("nullif", [right.tree, exp.Literal.number(0)])
    return Typed(exp.IntDiv(this=left.tree, expression=but_zero), BIGINT)


def _is_count(node: exp.Expression, findings: Findings) -> bool:
    """A column that is never negative, and so is not the -1 that overflows; or `nullif` of it."""
    name, arguments = called(bare(node)) or ("", [])
    if name == "nullif" and _never_zero(node):
        return _is_count(arguments[0], findings)
    return isinstance(bare(node), exp.Column) and bare(node).name.lower() in findings.counts


# Days and times -----------------------------------------------------------------------------------


def _moved(kind: type[exp.Expression], left: Typed, right: Typed, findings: Findings) -> Typed:
    """A day or time and an interval, or a day and a number of days."""
    if left.family == "date" and right.type is not None and fits_int(right.type):
        return Typed(kind(this=left.tree, expression=right.tree), DATE)
    if not _is_interval(right):
        raise Refusal(
            "type_mismatch", "days and times are subtracted by datediff(), moved by an INTERVAL"
        )
    if left.type is None:
        left = guarded(left, TIMESTAMP_NTZ, "a day or a time", findings)
    if left.family not in TIMES:
        raise mismatch(left, "a day or a time")
    result = _moved_type(left, right)
    if isinstance(bare(left.tree), _CLOCKS):
        return Typed(kind(this=left.tree, expression=right.tree), result)
    findings.lose("overflow", kind(this=left.tree.copy(), expression=right.tree.copy()))
    return Typed(call(_SAFE[kind], [left.tree, right.tree]), result)


def _is_interval(item: Typed) -> bool:
    return isinstance(bare(item.tree), exp.Interval)


def _moved_type(left: Typed, right: Typed) -> ColumnType:
    unit = str(bare(right.tree).args["unit"].this).upper().removesuffix("S")
    if left.family == "date" and unit in ("HOUR", "MINUTE", "SECOND"):
        return TIMESTAMP
    return left.type or TIMESTAMP


# One operand --------------------------------------------------------------------------------------


def negative(item: Typed, findings: Findings) -> Typed:
    if item.whole_literal is not None:
        return Typed(exp.Neg(this=item.tree), item.type)
    number = as_number(item, findings)
    if number.type is None or number.type.family != "integer":
        return Typed(exp.Neg(this=number.tree), number.type)
    findings.lose("overflow", exp.Neg(this=number.tree.copy()))
    zero = exp.Literal.number(0)
    return Typed(call("try_subtract", [zero, number.tree]), common_number([INT, number.type]))


def absolute(item: Typed) -> Typed:
    """abs() of the least integer overflows: of a wider type it does not."""
    if item.type is None or item.type.family != "integer":
        return Typed(call("abs", [item.tree]), item.type)
    if fits_int(item.type):
        wider = exp.Cast(this=item.tree, to=exp.DataType(this=exp.DataType.Type.BIGINT))
        return Typed(call("abs", [wider]), BIGINT)
    wider = exp.Cast(this=item.tree, to=exp.DataType.build("DECIMAL(20, 0)", dialect="databricks"))
    return Typed(call("abs", [wider]), decimal(20, 0))


def bits(kind: type[exp.Expression], items: list[Typed], findings: Findings) -> Typed:
    """&, |, ^ and ~ of whole numbers never raise."""
    found: list[Typed] = []
    for item in items:
        number = item if item.type else as_kind(item, BIGINT, "a whole number", findings)
        if number.family != "integer":
            raise mismatch(number, "a whole number")
        found.append(number)
    trees = [f.tree for f in found]
    tree = kind(this=trees[0], expression=trees[1]) if len(trees) > 1 else kind(this=trees[0])
    return Typed(tree, common_number([f.type for f in found if f.type]))


def joined_text(left: Typed, right: Typed) -> Typed:
    """`||` makes texts of both sides, without fail; two arrays it joins."""
    if "nested" in (left.family, right.family):
        raise Refusal("type_mismatch", "|| is carried over for texts only")
    known = left.type is not None or right.type is not None
    return Typed(exp.DPipe(this=left.tree, expression=right.tree), STRING if known else None)
