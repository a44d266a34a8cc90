"""Calls of functions: each argument as its kind wants it, and the form that never raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express import literals
from ruleferry.converters.express.arithmetic import absolute, try_arithmetic
from ruleferry.converters.express.coercion import (
    Findings,
    Typed,
    as_condition,
    as_kind,
    as_number,
    mismatch,
    unified,
    whole,
)
from ruleferry.converters.express.functions import (
    Function,
    call,
    function,
    functions,
    refused_functions,
)
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_types import (
    BIGINT,
    DATE,
    DOUBLE,
    NUMBERS,
    TIMES,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    common_number,
    decimal,
    digits,
    element,
)
from ruleferry.converters.wording import named

_MOST = 2**15
_MOST_MONTHS = 12_000_000


def meaning(name: str, arguments: Sequence[exp.Expression]) -> exp.Expression | None:
    """What a call says in other words, where the table tells; its arguments are checked there."""
    row = _row(name, len(arguments))
    if row.means is None:
        return None
    return filled(row.means, arguments)


def total_call(name: str, arguments: Sequence[Typed], findings: Findings) -> Typed:
    """Raises Refusal for a function that is not in the table, or not with such arguments."""
    row = _row(name, len(arguments))
    kinds = row.kinds(len(arguments))
    assert kinds is not None
    fitted = [
        item if kind == "same" else _FIT[kind](item, row, findings)
        for kind, item in zip(kinds, arguments, strict=True)
    ]
    fitted, same = _matched(kinds, fitted, findings)
    if row.note:
        findings.note(row.note, row.name)
    if row.rule:
        return _RULES[row.rule](row, fitted, findings)
    return _built(row, fitted, same, findings)


def _row(name: str, count: int) -> Function:
    if (refused := refused_functions().get(name)) is not None:
        raise Refusal(refused.code, refused.reason)
    row = function(name, count)
    if row is None:
        known = any(f.name == name for f in functions().values())
        reason = (
            "is not known with so many arguments" if known else "is not in the list of functions"
        )
        raise Refusal("unsupported_function", f"{name}() {reason}")
    if row.kinds(count) is None:
        raise Refusal(
            "unsupported_function", f"{name}() is not known with {count} {named('argument', count)}"
        )
    return row


def _matched(
    kinds: Sequence[str], items: list[Typed], findings: Findings
) -> tuple[list[Typed], ColumnType | None]:
    """The arguments that must have one type, made so."""
    places = [i for i, kind in enumerate(kinds) if kind == "same"]
    if not places:
        return items, None
    trees, kind = unified([items[i] for i in places], findings)
    for place, tree in zip(places, trees, strict=True):
        items[place] = Typed(tree, kind)
    return items, kind


def _built(
    row: Function, items: Sequence[Typed], same: ColumnType | None, findings: Findings
) -> Typed:
    kind = _returned(row, items, same)
    trees = [i.tree for i in items]
    if row.becomes is None:
        return Typed(call(row.name, trees), kind)
    if row.loses:
        findings.lose(row.loses, call(row.name, [t.copy() for t in trees]))
    return Typed(filled(row.becomes, trees), kind)


def _returned(row: Function, items: Sequence[Typed], same: ColumnType | None) -> ColumnType | None:
    match row.returns:
        case "any":
            return None
        case "first":
            return items[0].type
        case "same":
            return same
        case "number":
            return common_number([i.type for i in items if i.type and i.family in NUMBERS])
        case "element":
            return element(items[0].type)
    return _type(row.returns)


@cache
def _type(text: str) -> ColumnType:
    return parse_type(text)


def filled(template: str, arguments: Sequence[exp.Expression]) -> exp.Expression:
    """The template with _1, _2 … replaced by the arguments."""
    tree = exp.Paren(this=_template(template).copy())
    for node in list(tree.find_all(exp.Column)):
        node.replace(arguments[int(node.name.removeprefix("_")) - 1].copy())
    return bare(tree)


@cache
def _template(text: str) -> exp.Expression:
    return parse_condition(text)


# Kinds of arguments -------------------------------------------------------------------------------


def _text(item: Typed, row: Function, findings: Findings) -> Typed:
    """Spark makes a text of any plain value, without fail."""
    if item.family == "nested":
        raise mismatch(item, f"the text that {row.name}() wants")
    return item


def _number(item: Typed, row: Function, findings: Findings) -> Typed:
    return item if item.is_null else as_number(item, findings)


def _whole(item: Typed, row: Function, findings: Findings) -> Typed:
    return whole(item, findings)


def _date(item: Typed, row: Function, findings: Findings) -> Typed:
    return item if item.family in TIMES else as_kind(item, DATE, "a day", findings)


def _time(item: Typed, row: Function, findings: Findings) -> Typed:
    """Spark reads a text here as a TIMESTAMP, with the offset that it may have."""
    if item.family in TIMES:
        return item
    kind = TIMESTAMP_NTZ if item.type is None else TIMESTAMP
    return as_kind(item, kind, "a time", findings)


def _moment(item: Typed, row: Function, findings: Findings) -> Typed:
    if item.family not in TIMES:
        raise Refusal("type_mismatch", f"{row.name}() is certain for days and times only")
    return item


def _boolean(item: Typed, row: Function, findings: Findings) -> Typed:
    return Typed(as_condition(item, findings), item.type)


def _any(item: Typed, row: Function, findings: Findings) -> Typed:
    return item


def _array(item: Typed, row: Function, findings: Findings) -> Typed:
    if item.type is not None and not item.type.text.startswith("array") and not item.is_null:
        raise mismatch(item, "an array")
    return item


def _count(item: Typed, row: Function, findings: Findings) -> Typed:
    value = item.whole_literal
    if value is None or not 0 <= value < _MOST:
        raise _not_written_out(row, "a number that is not negative")
    return item


def _place(item: Typed, row: Function, findings: Findings) -> Typed:
    if item.whole_literal is None or item.whole_literal == 0 or abs(item.whole_literal) > _MOST:
        raise _not_written_out(row, "a place other than 0")
    return item


def _key(item: Typed, row: Function, findings: Findings) -> Typed:
    return item if item.literal_text is not None else _place(item, row, findings)


def _word(item: Typed, row: Function, findings: Findings) -> Typed:
    _literal_text(item, row)
    return item


def _literal_text(item: Typed, row: Function) -> str:
    if item.literal_text is None:
        raise _not_written_out(row, "a text")
    return item.literal_text


def _not_written_out(row: Function, what: str) -> Refusal:
    return Refusal("unsupported_function", f"{row.name}() is certain only with {what} written out")


def _checked(
    code: str, fault: Callable[[str, Function, Findings], str | None]
) -> Callable[[Typed, Function, Findings], Typed]:
    """A literal that Spark reads when it runs; read here before."""

    def check(item: Typed, row: Function, findings: Findings) -> Typed:
        if reason := fault(_literal_text(item, row), row, findings):
            raise Refusal(code, reason)
        return item

    return check


def _spare_fault(text: str) -> str | None:
    special = "$" in text or "\\" in text
    return f"the replacement {text!r} refers to groups of the pattern" if special else None


_FIT: dict[str, Callable[[Typed, Function, Findings], Typed]] = {
    "text": _text,
    "number": _number,
    "whole": _whole,
    "count": _count,
    "place": _place,
    "date": _date,
    "time": _time,
    "moment": _moment,
    "boolean": _boolean,
    "any": _any,
    "array": _array,
    "key": _key,
    "word": _word,
    "pattern": _checked("regex", lambda text, _, findings: findings.check_regex(text)),
    "spare": _checked("unsupported_function", lambda text, _, __: _spare_fault(text)),
    "format": _checked(
        "format",
        lambda text, row, _: literals.format_fault(text, parses=row.name != "date_format"),
    ),
    "figures": _checked("format", lambda text, _, __: literals.figures_fault(text)),
    "trunc": _checked("format", lambda text, _, __: literals.unit_fault(text, "trunc")),
    "date_trunc": _checked("format", lambda text, _, __: literals.unit_fault(text, "date_trunc")),
}


# Functions with a step of their own ---------------------------------------------------------------


def _nullif(row: Function, items: list[Typed], findings: Findings) -> Typed:
    """Both sides are compared, and the first is given as it was: a text is not made a number."""
    trees, kind = unified(items, findings)
    if trees[0] is not items[0].tree:
        if items[0].type is not None:
            raise mismatch(items[0], f"what {row.name}() compares it with")
        return Typed(call(row.name, trees), kind)
    return Typed(call(row.name, trees), items[0].type or kind)


def _sum(row: Function, items: list[Typed], findings: Findings) -> Typed:
    return try_arithmetic(row.name, items[0], items[1], findings)


def _abs(row: Function, items: list[Typed], findings: Findings) -> Typed:
    return absolute(items[0])


def _round(row: Function, items: list[Typed], findings: Findings) -> Typed:
    kind = items[0].type
    if kind is not None and kind.family == "decimal":
        places = items[1].whole_literal if len(items) > 1 else 0
        before, after = digits(kind)
        kind = decimal(before + 1, min(after, places or 0))
    return Typed(call(row.name, [i.tree for i in items]), kind)


def _floor(row: Function, items: list[Typed], findings: Findings) -> Typed:
    """Of a double beyond 2^63 floor() overflows."""
    kind = items[0].type or DOUBLE
    if kind.family not in ("integer", "decimal"):
        raise Refusal(
            "unsupported_function",
            f"{row.name}() overflows for large doubles: compare the value itself",
        )
    result = BIGINT if kind.family == "integer" else decimal(digits(kind)[0] + 1, 0)
    return Typed(call(row.name, [items[0].tree]), result)


def _regexp_extract(row: Function, items: list[Typed], findings: Findings) -> Typed:
    wanted = items[2].whole_literal if len(items) > 2 else 1
    if (wanted or 0) > literals.group_count(items[1].literal_text or ""):
        raise Refusal("regex", f"the pattern has no group {wanted}")
    return Typed(call(row.name, [i.tree for i in items]), _type(row.returns))


def _add_months(row: Function, items: list[Typed], findings: Findings) -> Typed:
    months = items[1].whole_literal
    if months is None or abs(months) > _MOST_MONTHS:
        raise _not_written_out(row, "a number of months")
    findings.lose("overflow", call(row.name, [i.tree.copy() for i in items]))
    unit = exp.Interval(this=exp.Literal.string(str(months)), unit=exp.Var(this="MONTH"))
    day = items[0]
    if day.family in ("timestamp", "timestamp_ntz") or day.literal_text is not None:
        day = Typed(exp.Cast(this=day.tree, to=exp.DataType(this=exp.DataType.Type.DATE)), DATE)
    return Typed(call("try_add", [day.tree, unit]), DATE)


_RULES: dict[str, Callable[[Function, list[Typed], Findings], Typed]] = {
    "nullif": _nullif,
    "sum": _sum,
    "abs": _abs,
    "round": _round,
    "floor": _floor,
    "regexp_extract": _regexp_extract,
    "add_months": _add_months,
}
