"""Validations by a formula of their own: those whose meaning for one record is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ruleferry.converters.predicates import Length, Like, OneOf, Range, Typed, Value
from ruleferry.converters.readers.spreadsheet.lists.formulas import (
    Binary,
    Call,
    Formula,
    Number,
    Text,
    Truth,
)
from ruleferry.converters.readers.spreadsheet.lists.formulas import Range as Cells
from ruleferry.converters.readers.spreadsheet.lists.references import sheet_of
from ruleferry.converters.readers.spreadsheet.lists.validation_bounds import (
    At,
    exact,
    field,
    own,
    read_bound,
)
from ruleferry.converters.readers.spreadsheet.lists.validation_kinds import (
    compared,
    length,
    made,
)
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Caveat, Row, Unique, Unread

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
_CASE = "the spreadsheet takes texts that differ in case alone as equal"


def of_formula(at: At) -> tuple[Statement, ...]:
    """All of the formula is understood, or none of it is."""
    formula = at.formulas[0] if at.formulas else None
    shown = " ".join(at.validation.formulas)
    if "#REF!" in shown.upper():
        reason = f"its formula refers to cells that are gone: {shown}"
        return (made(at, "predicate", at.unread("suspicious_validation", reason)),)
    found = None if formula is None else _all_of(formula, at)
    if found is None:
        reason = f"its formula is not one of those that are understood: {shown}"
        return (made(at, "predicate", at.unread("not_understood", reason)),)
    gap = next((rule for rule in found if isinstance(rule.check, Unread)), None)
    return (gap,) if gap else _together(found)


def _all_of(formula: Formula, at: At) -> tuple[Statement, ...] | None:
    if isinstance(formula, Call) and formula.function == "AND" and formula.arguments:
        rules: tuple[Statement, ...] = ()
        for argument in formula.arguments:
            found = _all_of(argument, at)
            if found is None:
                return None
            rules += found
        return rules
    return _one_of(formula, at)


def _one_of(formula: Formula, at: At) -> tuple[Statement, ...] | None:
    match formula:
        case Binary(sign, left, right) if sign in _TURNED:
            one = _compared(sign, left, right, at)
            other = _compared(_TURNED[sign], right, left, at)
            return other if one is None or (other is not None and _is_gap(one)) else one
        case Call("ISNUMBER", (inner,)) if own(inner, at):
            return (made(at, "type", Row(Typed(at.column, "number"))),)
        case Call("ISNUMBER", (inner,)):
            return _found(inner, at)
        case Call("OR", parts):
            return _any_of(parts, at)
        case Call("NOT", (Call("ISBLANK", (inner,)),)) if own(inner, at):
            return _not_blank(at)
        case _:
            return None


def _is_gap(rules: Sequence[Statement]) -> bool:
    return any(isinstance(rule.check, Unread) for rule in rules)


def _compared(sign: str, left: Formula, right: Formula, at: At) -> tuple[Statement, ...] | None:
    match left, right:
        case Call("COUNTIF", (cell, Text(pattern))), Number(value) if own(cell, at):
            there = f"{sign}{exact(value)}" in (">0", "=1", ">=1", "<>0")
            return _like(pattern, at) if there else None
        case Call("COUNTIF" | "COUNTIFS", given), Number(value) if _once(sign, value):
            return _unique(given, at)
        case Call("LEN", (cell,)), Number(value) if own(cell, at) and sign != "<>":
            rule = made(at, "length", Row(length(at.column, [(sign, exact(value))])))
            return _not_blank(at) if sign == ">" and value == 0 else (rule,)
        case Call("MOD", (cell, Number(divisor))), Number(rest) if own(cell, at):
            whole = sign == "=" and divisor == 1 and rest == 0
            return (made(at, "type", Row(Typed(at.column, "integer"))),) if whole else None
        case Call("INT", (cell,)), other if own(cell, at) and own(other, at) and sign == "=":
            return (made(at, "type", Row(Typed(at.column, "integer"))),)
        case cell, Text("") if own(cell, at):
            return _not_blank(at) if sign == "<>" else None
        case cell, Text(value) if own(cell, at) and sign in ("=", "<>"):
            return (_texts((value,), at, negated=sign == "<>"),)
        case cell, other if own(cell, at) and not isinstance(other, Text | Truth):
            return _bounded(sign, other, at)
        case _:
            return None


def _bounded(sign: str, other: Formula, at: At) -> tuple[Statement, ...] | None:
    # A formula alone does not tell whether a number counts days; a clock does.
    bound = read_bound(other, at, days=_has_clock(other))
    if isinstance(bound, Unread):
        return (made(at, "predicate", bound),)
    return compared(at, ((sign, bound),))


def _has_clock(formula: Formula) -> bool:
    match formula:
        case Call("TODAY" | "NOW" | "DATE", _):
            return True
        case Binary(_, left, right):
            return _has_clock(left) or _has_clock(right)
        case _:
            return False


def _not_blank(at: At) -> tuple[Statement, ...]:
    """A program that ignores blanks never asks; one that does not asks only where a cell is left
    blank while it is typed into.
    """
    reason = (
        f"whether the field may be blank: {' '.join(at.validation.formulas)}, while a blank is "
    )
    reason += "ignored" if at.validation.blank_allowed else "seen only where one is typed"
    return (made(at, "present", at.unread("suspicious_validation", reason)),)


# Keys ---------------------------------------------------------------------------------------------


def _once(sign: str, value: Decimal) -> bool:
    return f"{sign}{exact(value)}" in ("<2", "<=1", "=1")


def _unique(given: Sequence[Formula], at: At) -> tuple[Statement, ...] | None:
    """COUNTIF(A:A,A2): each range is the column of its cell."""
    columns: list[str] = []
    if not given or len(given) % 2:
        return None
    for cells, cell in zip(given[::2], given[1::2], strict=True):
        column = field(cell, at)
        if column is None or not _whole_column(cells, column, at):
            return None
        columns.append(column)
    if at.column not in columns or len(set(columns)) < len(columns):
        return None
    told = (Caveat("spreadsheet_case", _CASE),)
    rule = made(at, "unique", Unique(tuple(columns)), told)
    return (replace(rule, columns=tuple(columns)),)


def _whole_column(cells: Formula, column: str, at: At) -> bool:
    """All records of it, whatever row the formula stands in."""
    if not isinstance(cells, Cells) or cells.first.column != cells.last.column:
        return False
    here = cells.sheet is None or sheet_of(at.book, cells.sheet) is at.sheet
    fixed = cells.first.row_fixed and cells.last.row_fixed
    covers = cells.first.row <= at.area.top and cells.last.row >= at.area.bottom
    return here and fixed and covers and at.names.get(cells.first.column) == column


# Texts --------------------------------------------------------------------------------------------


def _any_of(parts: Sequence[Formula], at: At) -> tuple[Statement, ...] | None:
    """OR(A2="a",A2="b")"""
    values: list[Value] = []
    for part in parts:
        match part:
            case Binary("=", cell, Text(value)) if own(cell, at) and value:
                values.append(value)
            case Binary("=", cell, Number(value)) if own(cell, at):
                values.append(exact(value))
            case _:
                return None
    return (_texts(tuple(values), at),) if values else None


def _texts(values: tuple[Value, ...], at: At, *, negated: bool = False) -> Statement:
    told = (Caveat("spreadsheet_case", _CASE),) if _lettered("".join(map(str, values))) else ()
    check = Row(OneOf(at.column, values, negated=negated))
    return made(at, "refused" if negated else "allowed", check, told)


def _lettered(text: str) -> bool:
    return text.upper() != text.lower()


def _found(formula: Formula, at: At) -> tuple[Statement, ...] | None:
    """ISNUMBER(MATCH("*@*",A2,0)), ISNUMBER(SEARCH("@",A2)), ISNUMBER(FIND("@",A2))"""
    match formula:
        case Call("MATCH", (Text(pattern), cell, Number(kind))) if kind == 0 and own(cell, at):
            return _like(pattern, at)
        case Call("SEARCH", (Text(part), cell)) if own(cell, at) and part:
            return _like(f"*{part}*", at)
        case Call("FIND", (Text(part), cell)) if own(cell, at) and part:
            return (_like_of(f"%{_plain(part)}%", at, ()),)
        case _:
            return None


def _like(pattern: str, at: At) -> tuple[Statement, ...] | None:
    """Wildcards: * is any text, ? one character, ~ before them takes them as they stand."""
    found, position = "", 0
    while position < len(pattern):
        char = pattern[position]
        if char == "~" and pattern[position + 1 : position + 2] in ("*", "?", "~"):
            position += 1
            found += _plain(pattern[position])
        elif char in "*?":
            found += {"*": "%", "?": "_"}[char]
        else:
            found += _plain(char)
        position += 1
    if not found or pattern[:1] in "<>=":
        return None
    told = (Caveat("spreadsheet_case", _CASE),) if _lettered(pattern) else ()
    return (_like_of(found, at, told),)


def _plain(text: str) -> str:
    return "".join(f"!{char}" if char in "!%_" else char for char in text)


def _like_of(pattern: str, at: At, told: tuple[Caveat, ...]) -> Statement:
    escape = "!" if "!" in pattern or "\\" in pattern else None
    return made(at, "pattern", Row(Like(at.column, (pattern,), escape=escape)), told)


# Two bounds of one thing are one rule -------------------------------------------------------------


def _together(rules: Sequence[Statement]) -> tuple[Statement, ...]:
    found: list[Statement] = []
    for rule in rules:
        joined = _joined(found[-1], rule) if found else None
        if joined is None:
            found.append(rule)
        else:
            found[-1] = joined
    return tuple(found)


def _joined(one: Statement, other: Statement) -> Statement | None:
    """A lower and an upper bound, or a bound that says it all again."""
    if one == other:
        return one
    if not isinstance(one.check, Row) or not isinstance(other.check, Row):
        return None
    left, right = one.check.predicate, other.check.predicate
    if not isinstance(left, Range | Length) or type(left) is not type(right):
        return None
    assert isinstance(right, Range | Length)
    if left.low is None and right.high is None:
        left, right = right, left
    if left.high is not None or right.low is not None:
        return None
    check = replace(left, high=right.high, high_open=right.high_open)
    return replace(one, check=Row(check), caveats=tuple(dict.fromkeys(one.caveats + other.caveats)))
