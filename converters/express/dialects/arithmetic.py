"""Sums, quotients, joined texts and moved days, by the rules of the dialect."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.dialects.days import apart, moved
from ruleferry.converters.express.dialects.empty import present, present_any
from ruleferry.converters.express.dialects.evidence import sort_of
from ruleferry.converters.express.dialects.implicit import text_as_number
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    differs,
    family,
    is_null,
    is_number,
    is_text,
    is_time,
    literal_number,
    literal_text,
    only,
    read,
    sql,
    type_needed,
)
from ruleferry.converters.express.functions import call, called
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import (
    BIGINT,
    DOUBLE,
    STRING,
    common_number,
    fits_int,
    is_float,
    number_type,
)

_DIVISIONS = (exp.Div, exp.Mod, exp.IntDiv)
_NULL_BY_ZERO = frozenset({"mysql", "hive", "impala"})
_TRY: dict[type[exp.Expression], str] = {exp.Div: "try_divide", exp.Mod: "try_mod"}
# Where + and - move a day by a number of days.
_MOVES = frozenset({
    "oracle", "postgres", "teradata", "snowflake", "redshift", "netezza", "tsql", "duckdb",
})  # fmt: skip
# ISO dates become the same texts on Spark.
_DAYS_AS_TEXT = frozenset(
    {"postgres", "redshift", "netezza", "mysql", "hive", "impala", "bigquery"}
)


def _arithmetic(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression", "typed", "safe")
    left, right = read(node.this, here), read(node.args["expression"], here)
    if isinstance(node, exp.Add | exp.Sub) and (found := _sum(node, left, right, here)):
        return found
    return _of_numbers(type(node), _number(left, here), _number(right, here), here)


def _sum(node: exp.Expression, left: Term, right: Term, here: Dialectal) -> Term | None:
    """What + and - mean of other things than two numbers; None where they are numbers."""
    if isinstance(node, exp.Add) and here.dialect.name == "tsql" and _joins(node, left, right):
        return joined(left, right, here)
    if _is_interval(right) or _is_interval(left):
        return _by_interval(node, left, right, here)
    sorts = [_sort(left, node.this, here), _sort(right, node.args["expression"], here)]
    if "time" in sorts or _is_moved(node, sorts, left, right, here):
        return _of_days(node, left, right, sorts, here)
    return None


def _sort(term: Term, node: exp.Expression, here: Dialectal) -> str | None:
    if is_time(term):
        return "time"
    if is_number(term) or is_null(term):
        return "number"
    return "text" if is_text(term) else sort_of(node, here)


def _is_moved(
    node: exp.Expression, sorts: list[str | None], left: Term, right: Term, here: Dialectal
) -> bool:
    """Whether a value of unknown type is a day: by what it is compared or reckoned with."""
    if here.dialect.name not in _MOVES or None not in sorts or "text" in sorts:
        return False
    around = sort_of(node, here, outward=True)
    if around is None and sorts != ["number", None]:
        unknown = left if sorts[0] is None else right
        raise type_needed(unknown, "a number or a day", here)
    if sorts == [None, None] and around == "number" and isinstance(node, exp.Sub):
        raise type_needed(left, "a number or a day", here)
    return around == "time"


def _of_days(
    node: exp.Expression, left: Term, right: Term, sorts: list[str | None], here: Dialectal
) -> Term:
    if here.dialect.name not in _MOVES:
        raise differs(
            f"{sql(node)}: how {here.dialect.called} reckons with days is not carried over"
        )
    if isinstance(node, exp.Sub) and sorts == ["time", "time"]:
        return apart(left, right, here)
    if sorts[0] in ("time", None) and sorts[1] in ("number", None):
        return moved(type(node), left, right, here)
    if isinstance(node, exp.Add) and sorts[1] == "time":
        return moved(type(node), right, left, here)
    raise type_needed(left if sorts[0] is None else right, "a day or a number of days", here)


def _is_interval(term: Term) -> bool:
    return isinstance(term.tree, exp.Interval)


def _by_interval(node: exp.Expression, left: Term, right: Term, here: Dialectal) -> Term:
    if isinstance(node, exp.Add) and _is_interval(left):
        if here.dialect.name == "mysql":  # `INTERVAL 1 DAY + a > b` moves `a > b` there
            raise differs("an INTERVAL stands before the day that it moves")
        left, right = right, left
    if _is_interval(left) or is_text(left) or is_number(left):
        raise differs(f"{sql(node)} is not carried over")
    return Term(type(node)(this=left.tree, expression=right.tree), left.type)


# Texts --------------------------------------------------------------------------------------------


def _joins(node: exp.Expression, left: Term, right: Term) -> bool:
    """`+` joins two texts; of what is not known, the other side tells, unless that is a number."""
    sides = [left, right]
    if all(is_text(t) for t in sides):
        return True
    texts = [t for t in sides if is_text(t)]
    unknown = [t for t in sides if t.type is None]
    if not texts or not unknown:
        return False
    value = literal_text(texts[0].tree)
    return value is None or number_like(value) is None


def number_like(value: str) -> str | None:
    stripped = value.strip()
    return stripped if stripped.replace(".", "", 1).lstrip("+-").isdigit() else None


def joined(left: Term, right: Term, here: Dialectal) -> Term:
    """Texts side by side; where '' is missing, a missing part is an empty one."""
    sides = [_as_part(t, here) for t in (left, right)]
    if here.dialect.empty == "missing":
        sides = [_or_empty(t) for t in sides]
    made = exp.DPipe(this=sides[0].tree, expression=sides[1].tree)
    return present(Term(made, STRING), here)


def _or_empty(term: Term) -> Term:
    if literal_text(term.tree) is not None:
        return term
    if is_null(term):
        return Term(exp.Literal.string(""), STRING)
    return Term(call("coalesce", [term.tree, exp.Literal.string("")]), STRING)


def _as_part(term: Term, here: Dialectal) -> Term:
    kind = family(term)
    if kind is None or is_text(term) or is_null(term):
        return present_any(term, here) if here.dialect.empty != "missing" else _text(term)
    if kind == "integer" or (kind == "date" and here.dialect.name in _DAYS_AS_TEXT):
        return _text(term)
    raise differs(f"how {here.dialect.called} writes {sql(term.tree)} as a text is not certain")


def _text(term: Term) -> Term:
    """As a text, so that it is one beside another."""
    if is_text(term) or is_null(term):
        return term
    to = exp.DataType(this=exp.DataType.Type.TEXT)
    return Term(exp.Cast(this=term.tree, to=to), STRING)


def _pipes(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression", "safe")
    left, right = read(node.this, here), read(node.args["expression"], here)
    return joined(left, right, here)


# Numbers ------------------------------------------------------------------------------------------


def _number(term: Term, here: Dialectal) -> Term:
    """A text literal beside a number; what is not known is read as a number."""
    value = literal_text(term.tree)
    if is_number(term) or is_null(term) or term.type is None:
        return term
    if value is not None and (digits := number_like(value)) is not None:
        kind = number_type(digits.lstrip("+-"))
        if kind is not None and here.dialect.name != "bigquery":
            tree: exp.Expression = exp.Literal.number(digits.lstrip("+-"))
            return Term(exp.Neg(this=tree) if digits[0] == "-" else tree, kind)
    if here.dialect.name == "mysql" and is_text(term):
        return text_as_number(term, here)
    raise differs(f"{sql(term.tree)} is reckoned with, and is no number")


# Where the sum of two INTs is wider than an INT.
_WIDER = frozenset({"oracle", "mysql", "snowflake", "bigquery"})


# Of these the sums stay far from the end of an INT.
_SMALL = frozenset({
    "length", "octet_length", "instr", "locate", "regexp_instr", "regexp_count", "datediff", "year",
    "quarter", "month", "day", "dayofyear", "dayofweek", "weekday", "weekofyear", "hour", "minute",
    "second",
})  # fmt: skip


def _is_small(term: Term) -> bool:
    name, _ = called(bare(term.tree)) or ("", [])
    return name in _SMALL or literal_number(term.tree) is not None


def _widened(left: Term, right: Term, here: Dialectal) -> Term:
    """The left one as a BIGINT where Spark would make an INT of both."""
    sides = (left, right)
    ints = all(t.type is not None and fits_int(t.type) for t in sides)
    if here.dialect.name not in _WIDER or not ints or all(map(_is_small, sides)):
        return left
    return Term(exp.Cast(this=left.tree, to=exp.DataType(this=exp.DataType.Type.BIGINT)), BIGINT)


def _of_numbers(kind: type[exp.Expression], left: Term, right: Term, here: Dialectal) -> Term:
    if kind in (exp.Add, exp.Sub, exp.Mul):
        left = _widened(left, right, here)
    if kind is exp.Div and _is_whole(left, right, here):
        kind = exp.IntDiv
    if here.dialect.name in _NULL_BY_ZERO and kind in _TRY and not _is_sure(right):
        made = call(_TRY[kind], [left.tree, right.tree])
    else:
        made = kind(this=left.tree, expression=right.tree)
    if (
        kind is exp.Div
        and here.dialect.name == "teradata"
        and "decimal" in map(family, (left, right))
    ):
        here.tell("dialect_differs", "Teradata rounds the quotient of two decimals")
    if kind is exp.Div and here.dialect.name in _ROUNDED and not _floats(left, right):
        detail = f"{here.dialect.called} rounds a quotient after a few digits"
        here.tell("dialect_differs", detail)
    return Term(made, _result(kind, left, right))


# The quotient of two exact numbers has four or six digits more than the first of them.
_ROUNDED = frozenset({"mysql", "snowflake"})


def _floats(left: Term, right: Term) -> bool:
    return bool({family(left), family(right)} & {"float", "double"})


def _is_sure(divisor: Term) -> bool:
    written = literal_number(divisor.tree)
    return written is not None and float(written) != 0


def _is_whole(left: Term, right: Term, here: Dialectal) -> bool:
    """Whether the quotient is cut to a whole number."""
    if here.dialect.division != "whole":
        return False
    for term in (left, right):
        if family(term) in ("decimal", "float", "double"):
            return False
    for term in (left, right):
        if family(term) != "integer":
            raise type_needed(term, "a whole number", here)
    return True


def _result(kind: type[exp.Expression], left: Term, right: Term) -> ColumnType | None:
    known = [t.type for t in (left, right) if is_number(t) and t.type is not None]
    if kind is exp.IntDiv:
        return BIGINT
    if len(known) < 2 or any(map(is_float, known)):
        return DOUBLE
    if all(k.family == "integer" for k in known):
        return DOUBLE if kind is exp.Div else common_number(known)
    return common_number(known)


def _negative(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this")
    inner = _number(read(node.this, here), here)
    return Term(exp.Neg(this=inner.tree), inner.type)


def _power(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    sides = [_number(read(n, here), here) for n in (node.this, node.args["expression"])]
    return Term(call("power", [t.tree for t in sides]), DOUBLE)


def _bits(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    sides = [_number(read(n, here), here) for n in node.iter_expressions()]
    if isinstance(node, exp.BitwiseXor) and here.dialect.parser in ("postgres", "redshift"):
        raise differs("^ is a power in some of these databases")
    if any(t.type is not None and family(t) != "integer" for t in sides):
        raise differs(f"{sql(node)} looks at the bits of what is no whole number")
    keys = ("this", "expression")
    made = type(node)(**dict(zip(keys, (t.tree for t in sides), strict=False)))
    return Term(
        made,
        common_number([t.type for t in sides if t.type]) if all(t.type for t in sides) else None,
    )


def _interval(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "unit")
    value, unit = node.args.get("this"), node.args.get("unit")
    number = literal_text(value) or literal_number(value) if value is not None else None
    if number is None or not isinstance(unit, exp.Var):
        raise Refusal("unsupported_function", "an INTERVAL is carried over as number and unit")
    made = exp.Interval(
        this=exp.Literal.string(number.strip()), unit=exp.Var(this=unit.name.upper())
    )
    return Term(made, None)


_Kind = Callable[..., exp.Expression]
STEPS_HERE: dict[type[exp.Expression], Step] = {
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul, *_DIVISIONS), _arithmetic),
    exp.Neg: _negative,
    exp.Pow: _power,
    **dict.fromkeys((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor), _bits),
    exp.DPipe: _pipes,
    exp.Interval: _interval,
}
