r"""What a dictionary says that a field holds: the value is of a sort, or a text that is one.

Of a text nothing but the value counts: no blanks around it. A whole number has a sign and digits;
`12.0` and `1e3` are none. A column whose type settles the question has no record that could fail:
what the dictionary says is then a statement about the schema (`of_schema`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import Maker, Node, both, either, not_null, or_false, try_as
from ruleferry.converters.express.operand import (
    FLOATING,
    NUMBERS,
    TEXTS,
    CannotExpress,
    Operand,
)
from ruleferry.converters.express.readings import (
    CLOCK,
    DAY,
    MOMENT,
    extract,
    like,
)
from ruleferry.converters.express.sql_text import number_literal, string_literal
from ruleferry.converters.express.sql_types import digits
from ruleferry.converters.predicates import Sort, Typed
from ruleferry.converters.rule import Caveat, Columns

_Type = exp.DataType.Type
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMERIC = (*_WHOLE, "decimal", "float", "double")
# The types of a column that holds nothing but values of the sort.
_OF_SORT: Mapping[Sort, Sequence[str]] = {
    "text": ("string",),
    "integer": _WHOLE,
    "decimal": _NUMERIC,
    "number": _NUMERIC,
    "boolean": ("boolean",),
    "date": ("date",),
    "time": (),
    "timestamp": ("timestamp", "timestamp_ntz"),
}
_SAID: Mapping[Sort, str] = {
    "text": "texts",
    "integer": "whole numbers",
    "decimal": "decimal numbers",
    "number": "numbers",
    "boolean": "truth values",
    "date": "dates",
    "time": "times of day",
    "timestamp": "dates and times",
}
# The texts that Spark's own cast takes, which are those that people write.
_TRUTHS = ("true", "false", "t", "f", "yes", "no", "y", "n", "1", "0")
_WIDEST = {"tinyint": 3, "byte": 3, "smallint": 5, "short": 5, "int": 10, "integer": 10}


def typed(rule: Typed, use: Use) -> Good:
    """Raises CannotExpress where no value of the column could be of the sort, or each one is."""
    operand = use.operand(rule.column)
    _check(rule)
    if of_schema(rule, operand) is not None:
        reason = f"{_declared(operand)}, and so holds nothing but {_SAID[rule.sort]}"
        raise CannotExpress("never_fails", reason)
    if operand.family is None or operand.family in TEXTS:
        test = _of_text(rule, operand)
    else:
        test = _of_column(rule, operand)
    tree = either(*operand.missing(), test)
    told = unknown_type(operand) + _zone(operand) + _written(rule, operand)
    return Good(tree, "pass", operand.caveats + told)


def _written(rule: Typed, operand: Operand) -> tuple[Caveat, ...]:
    """A dictionary that says `date` does not say how one is written where it is a text."""
    if rule.sort not in ("date", "timestamp") or operand.family not in (None, *TEXTS):
        return ()
    detail = f"where {operand.name} holds texts, a date is taken to be written as 2024-01-31"
    return (Caveat("iso_dates", detail),)


def _zone(operand: Operand) -> tuple[Caveat, ...]:
    if operand.family != "timestamp":
        return ()
    detail = f"{operand.name} is a timestamp: its days are those of the session's time zone"
    return (Caveat("session_time_zone", detail),)


def of_schema(rule: Typed, operand: Operand) -> Columns | None:
    """The statement about the schema where the column's type settles the question."""
    if operand.type is None or not _settled(rule, operand.type):
        return None
    return Columns("databricks_type", (rule.column,), (("types", _fitting(rule)),))


def is_sized(rule: Typed) -> bool:
    return rule.precision is not None or rule.scale is not None


def _fitting(rule: Typed) -> tuple[str, ...]:
    """The types of the sort with no room for more digits; `decimal` does not tell by its name."""
    types = tuple(_OF_SORT[rule.sort])
    if not is_sized(rule):
        return types
    whole = tuple(name for name in _WHOLE if _has_room(rule, ColumnType("integer", name)))
    return (*whole, "decimal") if "decimal" in types else whole


def _settled(rule: Typed, kind: ColumnType) -> bool:
    match rule.sort:
        case "text":
            return kind.family in TEXTS
        case "integer":
            return kind.family == "integer" and _has_room(rule, kind)
        case "decimal" | "number" if rule.precision is None and rule.scale is None:
            return kind.family in NUMBERS
        case "decimal" | "number":
            return kind.family in ("integer", "decimal") and _has_room(rule, kind)
        case "boolean" | "date":
            return kind.family == rule.sort
        case "timestamp":
            return kind.family in ("timestamp", "timestamp_ntz")
    return False


def _has_room(rule: Typed, kind: ColumnType) -> bool:
    before, after = _before(rule), rule.scale
    widest, finest = _digits(kind)
    return (before is None or widest <= before) and (after is None or finest <= after)


def _digits(kind: ColumnType) -> tuple[int, int]:
    if kind.family == "integer":
        return _WIDEST.get(kind.text, 19), 0
    return digits(kind)


def _before(rule: Typed) -> int | None:
    """How many digits may stand before the point; of a precision alone, all of them."""
    return None if rule.precision is None else rule.precision - (rule.scale or 0)


# More than any type of a database holds, and than a pattern should count.
_MOST_DIGITS = 300


def _check(rule: Typed) -> None:
    sizes = [size for size in (rule.precision, rule.scale) if size is not None]
    wrong = any(not 0 <= size <= _MOST_DIGITS for size in sizes) or rule.precision == 0
    if wrong or (len(sizes) == 2 and rule.precision < rule.scale):  # type: ignore[operator]
        reason = f"no number has {rule.precision} digits, {rule.scale} of them after the point"
        raise CannotExpress("invalid_rule", reason)


def _declared(operand: Operand) -> str:
    return f"{operand.name} is {operand.type.text}" if operand.type else operand.name


# Texts --------------------------------------------------------------------------------------------


def _of_text(rule: Typed, operand: Operand) -> Node:
    match rule.sort:
        case "text":
            reason = f"every value of {operand.name} is a text, or can be written as one"
            raise CannotExpress("never_fails", reason)
        case "integer":
            return _number_text(rule, operand, _integer(rule))
        case "number" | "decimal" if rule.precision is None and rule.scale is None:
            return not_null(operand.guarded(_Type.DOUBLE))
        case "number" | "decimal":
            return _number_text(rule, operand, _decimal(rule))
        case "boolean":
            words = [string_literal(word) for word in _TRUTHS]
            return exp.In(this=call("lower", [operand.text()]), expressions=words)
        case "time":
            return like(operand.text(), rf"^{CLOCK}\z")
        case "date":
            return not_null(try_as(extract(operand.text(), rf"^{DAY}\z"), _Type.DATE))
        case "timestamp":
            return not_null(try_as(extract(operand.text(), MOMENT), _Type.TIMESTAMP))
    raise AssertionError(rule)


def _integer(rule: Typed) -> str:
    most = "+" if rule.precision is None else f"{{1,{rule.precision}}}"
    return rf"^[-+]?{'' if rule.precision is None else '0*'}[0-9]{most}\z"


def _decimal(rule: Typed) -> str:
    """Zeros before the other digits don't count. A precision alone counts all digits."""
    some, two = "(?=[.]?[0-9])", "(?!.*[.].*[.])"
    if rule.scale is None:
        return rf"^[-+]?{some}{two}0*([.]?[0-9]){{0,{rule.precision}}}[.]?\z"
    before = _before(rule)
    whole = "[0-9]*" if before is None else f"0*[0-9]{{0,{before}}}"
    return rf"^[-+]?{some}{whole}([.][0-9]{{0,{rule.scale}}})?\z"


def _number_text(rule: Typed, operand: Operand, pattern: str) -> Node:
    """A column of unknown type may hold numbers, which Spark writes otherwise: 12 as 12.0."""
    written = like(operand.text(), pattern)
    if operand.type is not None or (rule.sort != "integer" and rule.scale is None):
        return written
    is_text = exp.EQ(this=exp.Typeof(this=operand.node()), expression=string_literal("string"))
    tests = _size_tests(rule, lambda: operand.guarded(_Type.DOUBLE), *_UNBOUNDED)
    return exp.Case(ifs=[exp.If(this=is_text, true=written)], default=or_false(both(*tests)))


# Columns of another type --------------------------------------------------------------------------


def _of_column(rule: Typed, operand: Operand) -> Node:
    """The values of a wider type that are of the sort. Raises CannotExpress where none is."""
    family = operand.family
    if rule.sort in ("integer", "decimal", "number") and family in NUMBERS:
        return _sized(rule, operand)
    if rule.sort == "boolean" and family in NUMBERS:
        return exp.In(this=operand.node(), expressions=[number_literal(0), number_literal(1)])
    if rule.sort == "date" and family in ("timestamp", "timestamp_ntz"):
        day = exp.Cast(this=operand.node(), to=exp.DataType(this=_Type.DATE))
        return exp.EQ(this=operand.node(), expression=day)
    reason = f"{_declared(operand)}, and the dictionary says that it holds {_SAID[rule.sort]}"
    raise CannotExpress("type_mismatch", reason)


def _sized(rule: Typed, operand: Operand) -> Node:
    assert operand.type is not None
    if rule.sort != "integer" and rule.scale is None and operand.family != "integer":
        reason = (
            f"{_declared(operand)}, and of its {rule.precision} digits it is not stated how many "
            "stand after the point"
        )
        raise CannotExpress("unclear", reason)
    size = _UNBOUNDED if operand.family in FLOATING else _digits(operand.type)
    return both(*_size_tests(rule, operand.node, *size))


# Digits before and after the point that a double may have.
_UNBOUNDED = (309, 400)


def _size_tests(rule: Typed, value: Maker, widest: int, finest: int) -> list[Node]:
    """No more digits than stated, of a column that has room for more.

    NaN and the infinities have no digits: they pass none of the tests together.
    """
    scale = 0 if rule.sort == "integer" else rule.scale
    before = rule.precision if rule.sort == "integer" else _before(rule)
    tests = []
    if before is not None and before < widest:
        tests.append(_below(value, 10**before))
    elif widest == _UNBOUNDED[0] and scale != 0:
        tests.append(_below(value, float("inf")))
    if scale == 0 and (finest or not tests):
        rest = exp.Mod(this=value(), expression=number_literal(1))
        tests.append(exp.EQ(this=rest, expression=number_literal(0)))
    elif scale is not None and scale < finest:
        rounded = call("round", [value(), number_literal(scale)])
        tests.append(exp.EQ(this=value(), expression=rounded))
    return tests


def _below(value: Maker, bound: float) -> Node:
    """No `abs`: the least whole number has none, and Spark rounds that of a long decimal."""
    low = exp.LTE(this=value(), expression=number_literal(-bound))
    high = exp.GTE(this=value(), expression=number_literal(bound))
    return exp.Not(this=exp.Paren(this=exp.Or(this=low, expression=high)))
