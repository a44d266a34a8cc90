"""Conditions in the syntax of a survey tool: REDCap, XLSForm, RADx, HL7.

`[x]='1' and [y(3)]='1'`, `${x} = 'yes'`, `x = "90"`, `IF PID-5 IS NOT VALUED`. Here and binds
tighter than or, as each of these tools has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ruleferry.converters.predicates import (
    Absent,
    ColumnComparison,
    Comparison,
    Operator,
    Present,
    Value,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    delayed,
    enclosed,
    end,
    many,
    mapped,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.conditions import (
    Test,
    all_of,
    any_one,
    negated,
    unresolved,
)
from ruleferry.converters.readers.spreadsheet.phrases.limits import OPERATORS
from ruleferry.converters.readers.spreadsheet.phrases.names import Name
from ruleferry.converters.rule import Unread

TURNED: dict[Operator, Operator] = {
    "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip

_NUMBER = re.compile(r"-?\d+(\.\d+)?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Constant:
    value: Value


def _field(source: Source, at: int) -> Readings[Name | Unread]:
    """`[x]`, `${x}`, `[x(3)]`, `x`, and `.` for the field itself."""
    found = source.at(at)
    if found is None:
        return
    if found.norm == "." and source.column is not None:
        yield Name(source.column.name, "."), at + 1
    elif found.kind == "ref":
        yield _referred(source, found.text), at + 1
    elif found.kind == "word" and _calls_nothing(source, at):
        yield Name(source.setting.column_of(found.text), found.text), at + 1


def _calls_nothing(source: Source, at: int) -> bool:
    following = source.at(at + 1)
    return following is None or following.norm != "("


def _referred(source: Source, text: str) -> Name | Unread:
    """A checkbox of REDCap, `x(3)`, is the column x___3 of its exports."""
    known = source.setting.column_of(text)
    field, bracket, code = text.partition("(")
    if known is not None or not bracket or not code.endswith(")"):
        return Name(known, text)
    column = source.setting.column_of(f"{field}___{code[:-1]}")
    if column is not None:
        return Name(column, text)
    if source.setting.column_of(field) is not None:
        return Unread("several_values", f"{field} holds several values, of which {code[:-1]}")
    return Name(None, text)


def _literal(source: Source, at: int) -> Readings[Constant]:
    found = source.at(at)
    if found is None:
        return
    if found.kind == "quoted":
        yield Constant(found.text), at + 1
    elif found.kind == "number" and not found.grouped:
        yield Constant(found.value if found.plain else found.text), at + 1


def operator(source: Source, at: int) -> Readings[Operator]:
    found = source.at(at)
    if found is not None and found.kind == "sign" and found.norm in OPERATORS:
        yield OPERATORS[found.norm], at + 1


# Tests --------------------------------------------------------------------------------------------


def _test(field: Name | Unread, sign: Operator, against: Name | Unread | Constant) -> Test:
    for side in (field, against):
        if isinstance(side, Unread):
            return side
        if isinstance(side, Name) and side.column is None:
            return unresolved(side)
    assert isinstance(field, Name)
    assert field.column is not None
    if isinstance(against, Name):
        assert against.column is not None
        return ColumnComparison(field.column, sign, against.column)
    assert isinstance(against, Constant)
    if against.value == "":
        return _emptiness(field.column, sign)
    return _with_value(field.column, sign, against.value)


def _with_value(column: str, sign: Operator, value: Value) -> Test:
    """These tools compare numbers by their order, in quotes or not."""
    if isinstance(value, str) and sign not in ("=", "!="):
        if not _NUMBER.match(value):
            return Unread("not_understood", f'it orders by the text "{value}"')
        value = Decimal(value) if "." in value else int(value)
    return Comparison(column, sign, value)


def _emptiness(column: str, sign: Operator) -> Test:
    if sign == "=":
        return Absent(column)
    if sign == "!=":
        return Present(column)
    return Unread("not_understood", "it compares with an empty text")


def _compared(found: tuple[tuple[Name | Unread, Operator], Name | Unread | Constant]) -> Test:
    (field, sign), against = found
    return _test(field, sign, against)


def _turned(found: tuple[tuple[Constant, Operator], Name | Unread]) -> Test:
    (value, sign), field = found
    return _test(field, TURNED[sign], value)


def _either_side(source: Source, at: int) -> Readings[Name | Unread | Constant]:
    yield from _field(source, at)
    yield from _literal(source, at)


def _selected(found: Name | Unread) -> Test:
    if isinstance(found, Name) and found.column is None:
        return unresolved(found)
    name = found.text if isinstance(found, Name) else "the field"
    return Unread("several_values", f"{name} may hold several selected values")


def _denied(found: Test) -> Test:
    return found if isinstance(found, Unread) else negated(found)


_selection: Parser[Test] = mapped(
    before(then(words("selected ("), _field), seq(words(","), before(_literal, words(")")))),
    _selected,
)
_valued = alt(
    says(any_of(["is not valued", "not valued"]), False),
    says(any_of(["is valued", "valued"]), True),
)


def _is_valued(found: tuple[Name | Unread, bool]) -> Test:
    field, there = found
    if isinstance(field, Unread):
        return field
    if field.column is None:
        return unresolved(field)
    return Present(field.column) if there else Absent(field.column)


_hl7_signs: Parser[Operator] = alt(
    says(any_of(["equals", "equal"]), OPERATORS["="]),
    says(words("not equal"), OPERATORS["!="]),
    says(words("greater than"), OPERATORS[">"]),
    says(words("less than"), OPERATORS["<"]),
)
_any_operator = alt(operator, _hl7_signs)
_atom: Parser[Test] = alt(
    mapped(seq(seq(_field, _any_operator), _either_side), _compared),
    mapped(seq(seq(_literal, operator), _field), _turned),
    _selection,
    mapped(seq(_field, _valued), _is_valued),
    mapped(then(words("not"), enclosed(delayed(lambda: expression))), _denied),
    enclosed(delayed(lambda: expression)),
)
_all: Parser[Test] = mapped(many(_atom, any_of(["and", "&&", "&"])), all_of)
expression: Parser[Test] = mapped(many(_all, any_of(["or", "||"])), any_one)

whole: Parser[Test] = before(then(opt(words("if")), expression), end)
