"""A value in SQL, as a person calls it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.express.functions import called
from ruleferry.converters.normal_form import Form, normal
from ruleferry.converters.plain_words.names import name, pattern, text
from ruleferry.converters.plain_words.saying import Unsaid
from ruleferry.converters.wording import named

_TEXTS = (exp.DType.TEXT, exp.DType.VARCHAR)
_KINDS: Mapping[exp.DType, str] = {
    exp.DType.DOUBLE: "a number",
    exp.DType.BIGINT: "a whole number",
    exp.DType.INT: "a whole number (up to 2147483647)",
    exp.DType.SMALLINT: "a whole number (up to 32767)",
    exp.DType.TINYINT: "a whole number (up to 127)",
    exp.DType.DATE: "a date",
    exp.DType.TIMESTAMP: "a date with a time of day",
    exp.DType.TIMESTAMPNTZ: "a date with a time of day",
    exp.DType.BOOLEAN: "a truth value",
}
_MOMENTS = (exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPNTZ)
_SIGNS: Mapping[type, str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
_SIGN_CALLS = {"try_add": "+", "try_subtract": "-", "try_multiply": "*", "try_divide": "/"}


@dataclass(frozen=True, slots=True)
class Reading:
    """How the parts of a condition are read.

    `lenient`: the values that pass where there is none; `spark`: the functions are Databricks' own;
    `figure`: says a figure over many records, or a query of one.
    """

    lenient: frozenset[Form] = frozenset()
    spark: bool = True
    figure: Callable[[exp.Expression], str | None] | None = None


_PLAIN = Reading()


def bare(node: exp.Expression) -> exp.Expression:
    """Without what changes nothing that a person sees: brackets, and a value written as a text."""
    while isinstance(node, exp.Paren) or (_is_cast(node) and node.args["to"].this in _TEXTS):
        if not isinstance(node, exp.Paren) and node.args["to"].expressions:
            break  # VARCHAR(3) cuts it off
        node = node.this
    return node


def _is_cast(node: exp.Expression) -> bool:
    return type(node) in (exp.Cast, exp.TryCast)


def emptied(node: exp.Expression) -> exp.Expression | None:
    """x of `nullif(x, '')`: an empty text counts as missing."""
    node = bare(node)
    if not isinstance(node, exp.Nullif):
        return None
    other = node.expression
    empty = isinstance(other, exp.Literal) and other.is_string and not other.name
    return bare(node.this) if empty else None


def columns_of(node: exp.Expression) -> frozenset[str]:
    columns = node.find_all(exp.Column)
    return frozenset(name([part.name for part in column.parts]).lower() for column in columns)


def is_literal(node: exp.Expression) -> bool:
    node = bare(node)
    if isinstance(node, exp.Neg):
        return isinstance(node.this, exp.Literal) and not node.this.is_string
    if type(node) is exp.Cast:
        return isinstance(node.this, exp.Literal) and node.this.is_string
    return isinstance(node, exp.Literal | exp.Boolean)


def literal(node: exp.Expression) -> str:
    node = bare(node)
    if isinstance(node, exp.Literal):
        return text(node.name) if node.is_string else node.name
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    if isinstance(node, exp.Neg):
        return f"-{node.this.name}"
    kind = node.args["to"].this
    if kind not in _MOMENTS:
        raise Unsaid
    return str(node.this.name)


def subject(node: exp.Expression, how: Reading = _PLAIN) -> str:
    """What a test is about; how it is read stands behind it, between commas."""
    node = bare(node)
    if (read := reading_of(node)) is not None:
        inner, kind = read
        where = "where it can be " if normal(node) in how.lenient else ""
        return f"{value(inner, how)}, {where}read as {kind},"
    if (whole := emptied(node)) is not None:
        if normal(node) not in how.lenient:
            raise Unsaid  # an empty text fails like a missing one
        return f"{value(whole, how)}, unless it is an empty text,"
    return value(node, how)


def reading_of(node: exp.Expression) -> tuple[exp.Expression, str] | None:
    """A value that is read as another kind of value, which may fail."""
    if isinstance(node, exp.TryCast):
        return bare(node.this), _kind(node.args["to"])
    if type(node) is exp.Cast and node.args["to"].this == exp.DType.DATE:
        found = called(bare(node.this))
        if found and found[0] == "try_to_timestamp" and len(found[1]) == 2:
            inner, form = found[1]
            if isinstance(form, exp.Literal) and form.is_string:
                return bare(inner), f"a date written as {pattern(form.name)}"
    return None


def _kind(kind: exp.DataType) -> str:
    if kind.this == exp.DType.DECIMAL and len(kind.expressions) == 2:
        digits, scale = (part.name for part in kind.expressions)
        return f"a number of at most {digits} {named('digit', digits)} with {scale} after the point"
    if kind.this not in _KINDS:
        raise Unsaid
    return _KINDS[kind.this]


def value(node: exp.Expression, how: Reading = _PLAIN) -> str:
    return _value(bare(node), how)[0]


def _tight(node: exp.Expression, how: Reading) -> str:
    """Within another value."""
    said, loose = _value(bare(node), how)
    return f"({said})" if loose else said


def _value(node: exp.Expression, how: Reading) -> tuple[str, bool]:
    """And whether it needs brackets within another one."""
    if isinstance(node, exp.Column):
        return name([part.name for part in node.parts]), False
    if is_literal(node):
        return literal(node), False
    if isinstance(node, exp.CurrentDate) and not node.this:
        return "today", False
    if type(node) in _SIGNS:
        return _sum(node, how)
    if how.figure and (figure := how.figure(node)):
        return figure, True
    found = called(node)
    if found is not None:
        return _call(*found, how)
    if (read := reading_of(node)) is not None:
        return f"{_tight(read[0], how)} read as {read[1]}", True
    raise Unsaid


def _sum(node: exp.Expression, how: Reading) -> tuple[str, bool]:
    left, right = node.args["this"], node.args["expression"]
    if isinstance(right, exp.Interval):
        return _moved(left, right, -1 if isinstance(node, exp.Sub) else 1, how), True
    if isinstance(node, exp.Div) and not (how.spark or _is_decimal(left)):
        raise Unsaid  # what is left of whole numbers may be cut off
    return f"{_number(left, how)} {_SIGNS[type(node)]} {_number(right, how)}", True


def _is_decimal(node: exp.Expression) -> bool:
    return any(not one.is_string and "." in one.name for one in node.find_all(exp.Literal))


def _number(node: exp.Expression, how: Reading) -> str:
    """What is added up is read as a number: that goes without saying."""
    node = _without_reading(node, exp.DType.DOUBLE)
    if isinstance(node, exp.Literal) and node.is_string:
        raise Unsaid
    return _tight(node, how)


def _day(node: exp.Expression, how: Reading) -> str:
    return _tight(_without_reading(node, exp.DType.DATE), how)


def _without_reading(node: exp.Expression, kind: exp.DType) -> exp.Expression:
    node = bare(node)
    read = isinstance(node, exp.TryCast) and node.args["to"].this == kind
    return bare(node.this) if read else node


def _moved(start: exp.Expression, span: exp.Interval, sign: int, how: Reading) -> str:
    count, unit = span.this, span.args.get("unit")
    word = str(unit.this).lower() if isinstance(unit, exp.Var) else ""
    if not isinstance(count, exp.Literal) or not count.name.isdigit():
        raise Unsaid
    return _shifted(start, count.name, word.removesuffix("s"), sign, how)


def _shifted(start: exp.Expression, count: str, unit: str, sign: int, how: Reading) -> str:
    if unit not in ("day", "month", "year"):
        raise Unsaid
    units = unit if count == "1" else f"{unit}s"
    return f"{count} {units} {'after' if sign > 0 else 'before'} {_day(start, how)}"


# Calls --------------------------------------------------------------------------------------------


def _call(word: str, arguments: list[exp.Expression], how: Reading) -> tuple[str, bool]:
    if word in _SIGN_CALLS and len(arguments) == 2 and how.spark:
        left, right = (_number(one, how) for one in arguments)
        return f"{left} {_SIGN_CALLS[word]} {right}", True
    if word in ("current_date", "current_timestamp", "now") and not arguments:
        return ("today" if word == "current_date" else "this moment"), False
    say = _CALLS.get((word, len(arguments)))
    if say is None or not (how.spark or word in _EVERYWHERE):
        raise Unsaid
    return say(arguments, how), True


_Say = Callable[[list[exp.Expression], Reading], str]


def _of(form: str) -> _Say:
    return lambda given, how: form.format(*(_tight(one, how) for one in given))


def _of_days(form: str) -> _Say:
    return lambda given, how: form.format(*(_day(one, how) for one in given))


def _days(sign: int, unit: str) -> _Say:
    def said(given: list[exp.Expression], how: Reading) -> str:
        start, count = given
        if not isinstance(count, exp.Literal) or not count.name.isdigit():
            raise Unsaid
        return _shifted(start, count.name, unit, sign, how)

    return said


def _default(given: list[exp.Expression], how: Reading) -> str:
    """`coalesce(x, 0)`."""
    first, other = given
    if not is_literal(other):
        raise Unsaid
    first = bare(first)
    said = _number(first, how) if isinstance(first, exp.TryCast) else _tight(first, how)
    return f"{said} ({literal(other)} where it is missing)"


_EVERYWHERE = ("trim", "upper", "lower", "length", "abs")
_CALLS: Mapping[tuple[str, int], _Say] = {
    ("length", 1): _of("the length of {}"),
    ("char_length", 1): _of("the length of {}"),
    ("trim", 1): _of("{} without blanks around it"),
    ("rtrim", 1): _of("{} without blanks at its end"),
    ("ltrim", 1): _of("{} without blanks before it"),
    ("lower", 1): _of("{} in small letters"),
    ("upper", 1): _of("{} in capital letters"),
    ("abs", 1): _of("{} without its sign"),
    ("mod", 2): _of("the remainder of {} divided by {}"),
    ("datediff", 2): _of_days("the number of days from {1} to {0}"),
    ("date_diff", 2): _of_days("the number of days from {1} to {0}"),
    ("date_add", 2): _days(1, "day"),
    ("date_sub", 2): _days(-1, "day"),
    ("add_months", 2): _days(1, "month"),
    ("year", 1): _of_days("the year of {}"),
    ("month", 1): _of_days("the month of {}"),
    ("coalesce", 2): _default,
}
