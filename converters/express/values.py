"""Literals of a rule's values, as the type of their column wants them.

Where the type is unknown the guarded form stands: the value as text, or read from its text as a
number or a time, which analyses on a column of any type and never raises.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import Family
from ruleferry.converters.express.good import unknown_type
from ruleferry.converters.express.nodes import Maker, Node
from ruleferry.converters.express.operand import MOMENTS, NUMBERS, TEXTS, CannotExpress, Operand
from ruleferry.converters.express.sql_text import number_literal, string_literal
from ruleferry.converters.predicates import Unknown, Value
from ruleferry.converters.rule import Caveat

Subject: TypeAlias = Literal["plain", "text", "number", "time"]
_Type = exp.DataType.Type
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?\Z")
_INTEGER = re.compile(r"(0|-?[1-9]\d{0,17})\Z", re.ASCII)
# Decimals of up to 15 digits stay apart as doubles (IEEE 754), longer ones may fall together.
_SAFE_DIGITS = 15
_SAFE_INTEGER = 2**53


def number(value: Value) -> Node:
    assert isinstance(value, int | Decimal)
    try:
        return number_literal(value)
    except OverflowError:
        raise CannotExpress("invalid_rule", "a bound of it is beyond all numbers") from None


def guarded_number(operand: Operand) -> Maker:
    """The value as a double, NULL where it is none. Raises CannotExpress where it can't be one."""
    if operand.family is None or operand.family in TEXTS:
        return lambda: operand.guarded(_Type.DOUBLE)
    raise type_mismatch(operand, "numbers")


def number_caveats(operand: Operand, unknown: Unknown | None = None) -> tuple[Caveat, ...]:
    if operand.type is None:
        return unknown_type(operand)
    if operand.engine == "words":
        return ()  # a text that is no number is bad, and no tool ever read it otherwise
    before = "Great Expectations 1.x refuses to compare them"
    if unknown:
        before = "pandas refuses to compare them, and Spark 3 cut a fraction off and knew no 1e2"
    detail = (
        f"{operand.name} is {operand.type.text}: its texts are read as numbers, and one that is "
        f"no number is {unknown or 'bad'}; {before}"
    )
    return (Caveat("number_in_text", detail),)


def type_mismatch(operand: Operand, with_what: str) -> CannotExpress:
    declared = operand.type.text if operand.type else "unknown"
    return CannotExpress(
        "type_mismatch", f"{operand.name} is {declared} and can't be compared with {with_what}"
    )


def exactness(operand: Operand, values: Sequence[Value]) -> tuple[Caveat, ...]:
    """Where Great Expectations compares doubles and the condition compares exactly.

    What a person wrote no tool compared: there it is told where the condition itself can't.
    """
    numbers = [Decimal(v) for v in values if isinstance(v, int | Decimal)]
    if operand.engine == "words":
        return _rounded(operand, numbers)
    found = _compared_as_double(operand, numbers)
    return (found,) if found else ()


def _rounded(operand: Operand, numbers: Sequence[Decimal]) -> tuple[Caveat, ...]:
    if operand.family in ("integer", "decimal"):
        return ()
    long = [n for n in numbers if len(n.normalize().as_tuple().digits) > _SAFE_DIGITS]
    if operand.family == "float":
        long = [n for n in numbers if not _is_single(n)]
    if not long:
        return ()
    kind = "a float" if operand.family == "float" else "a double"
    detail = f"{operand.name} is compared as {kind}, which holds the number next to {long[0]}"
    return (Caveat("digits_compared", detail),)


def _compared_as_double(operand: Operand, numbers: list[Decimal]) -> Caveat | None:
    largest = max((abs(n) for n in numbers), default=Decimal(0))
    if operand.family == "integer" and largest >= _SAFE_INTEGER:
        detail = "Great Expectations 1.x compares as doubles; this bound is beyond 2^53"
        return Caveat("compared_as_double", detail)
    if operand.nan_is_missing:
        return _compared_as_float(operand, numbers, largest)
    if operand.family != "decimal" or operand.type is None:
        return None
    digits = max((len(n.as_tuple().digits) for n in numbers), default=0)
    inexact = [n for n in numbers if Decimal(float(n)) != n]
    if operand.engine == "pandas" and inexact:
        detail = f"pandas compares decimals with the binary fraction nearest to {inexact[0]}"
        return Caveat("compared_as_double", detail)
    if max(digits, operand.type.precision or 0) > _SAFE_DIGITS:
        detail = f"Great Expectations compares {operand.type.text} as doubles, which hold 15 digits"
        return Caveat("compared_as_double", detail)
    return None


def _compared_as_float(operand: Operand, numbers: list[Decimal], largest: Decimal) -> Caveat | None:
    """Up to 0.18 pandas compared whole numbers exactly, and some frames of floats as floats."""
    single = operand.family == "float" and any(not _is_single(n) for n in numbers)
    if not single and largest < _SAFE_INTEGER:
        return None
    detail = f"pandas may compare {operand.name} with a number that is rounded in another way"
    return Caveat("compared_as_double", detail)


def _is_single(number: Decimal) -> bool:
    try:
        return Decimal(struct.unpack("f", struct.pack("f", number))[0]) == number
    except OverflowError:
        return False


def moment_literal(value: Value, operand: Operand) -> Node:
    """DATE'…' for a date; a time of day in the type of the column, a date widening to it."""
    if isinstance(value, datetime) and value.tzinfo is not None and operand.family != "timestamp":
        raise type_mismatch(operand, "a time that has a time zone")
    if not isinstance(value, datetime):
        return cast_to(string_literal(str(value)), _Type.DATE)
    kind = _Type.TIMESTAMPNTZ if operand.family == "timestamp_ntz" else _Type.TIMESTAMP
    return cast_to(string_literal(written(value)), kind)


def written(value: Value) -> str:
    return value.isoformat(" ") if isinstance(value, datetime) else str(value)


def cast_to(node: Node, kind: exp.DType) -> Node:
    return exp.Cast(this=node, to=exp.DataType(this=kind))


def zone_caveat(operand: Operand) -> tuple[Caveat, ...]:
    if operand.family != "timestamp":
        return ()
    detail = f"{operand.name} is a timestamp: the bound is read in the session's time zone"
    return (Caveat("session_time_zone", detail),)


def time_type(operand: Operand) -> exp.DType:
    """As what a text is read as a time: dateutil and people know no time zone of a session."""
    zoneless = operand.engine in ("pandas", "words")
    return _Type.TIMESTAMPNTZ if zoneless else _Type.TIMESTAMP


def time_reader_caveats(operand: Operand, *, dateutil: bool = False) -> tuple[Caveat, ...]:
    """What a text is as a time depends on who reads it; `dateutil`: it read them on Spark, too."""
    if operand.engine == "words":
        detail = f"a time zone in the texts of {operand.name} is left out: 10:00Z is 10:00"
        return (Caveat("zone_left_out", detail),)
    if dateutil or operand.engine == "pandas":
        detail = (
            f"the texts of {operand.name} were read by Python's dateutil, which takes more than "
            "Spark, such as 1/2/2020 or 12; a text that Spark can't read as a time is bad"
        )
        return (Caveat("dates_by_dateutil", detail),)
    detail = f"{operand.name} is read in the session's time zone where a text states none"
    return (Caveat("session_time_zone", detail),)


def moment_of(value: Value) -> date | None:
    if not isinstance(value, str) or not _ISO.match(value):
        return None
    try:
        return date.fromisoformat(value) if len(value) == 10 else datetime.fromisoformat(value)
    except ValueError:
        return None


def _is_text(family: Family | None) -> bool:
    """It is a text, or may be one."""
    return family is None or family in TEXTS


def rendered(operand: Operand) -> tuple[Caveat, ...]:
    """A value that is no text is tested as text; pandas writes some values its own way."""
    if operand.engine not in ("pandas", "sql") or _is_text(operand.family):
        return ()
    if operand.engine == "sql":
        detail = (
            f"{operand.name} is {operand.type.text if operand.type else ''}: it is tested as Spark "
            "writes it as text; the database may write it otherwise, or refuse to"
        )
        return (Caveat("written_differently", detail),)
    detail = (
        f"{operand.name} is {operand.type.text if operand.type else ''}: it is tested as Spark "
        "writes it as text; pandas may write 12 as 12.0 and true as True"
    )
    return (Caveat("written_differently", detail),)


# Equality with a literal --------------------------------------------------------------------------


def placed(operand: Operand, value: Value) -> tuple[Subject, Node] | None:
    """What the literal is compared with, and the literal; None where it can never match.

    pandas matches by type and value (True is 1); Spark reads a text as a number where the column
    holds numbers.
    Raises CannotExpress where a column of this type can't be compared at all.
    """
    family = operand.family
    if family is None:
        return _guarded(value)
    if family in TEXTS:
        return _in_texts(operand, value)
    if family in NUMBERS:
        return _in_numbers(operand, value)
    if family == "boolean":
        return _in_booleans(operand, value)
    if family in MOMENTS:
        return _in_moments(operand, value)
    raise type_mismatch(operand, "a list of values")


def subject(operand: Operand, kind: Subject) -> Node:
    match kind:
        case "plain":
            return operand.node()
        case "text":
            return operand.text()
        case "number":
            return operand.guarded(_Type.DOUBLE)
        case "time":
            return operand.guarded(time_type(operand))


def is_unlike(operand: Operand, values: Sequence[Value]) -> bool:
    """Whether Spark 3 compares the column with the list as texts, since their types differ.

    Raises CannotExpress where it refuses to.
    """
    family = operand.family
    texts = [v for v in values if isinstance(v, str)]
    if operand.engine != "spark" or family is None:
        return False
    if family == "boolean" and texts:
        raise type_mismatch(operand, "texts")
    if family in TEXTS:
        return len(texts) < len(values)
    if family == "integer":
        fractions = any(isinstance(v, Decimal) for v in values)
        return bool(texts) and (fractions or not all(_INTEGER.match(text) for text in texts))
    days = family == "date" and all(len(t) == 10 and moment_of(t) for t in texts)
    return (family in NUMBERS or family in MOMENTS) and bool(texts) and not days


def written_by_spark(operand: Operand, value: Value) -> str:
    """The literal as text. Raises CannotExpress where that is not certain."""
    match value:
        case bool():
            raise type_mismatch(operand, "a truth value")
        case Decimal() if value and not -3 <= value.adjusted() < 7:
            raise type_mismatch(operand, f"the number {value}")
        case Decimal():
            return repr(float(value))
        case _:
            return str(value)


def _guarded(value: Value) -> tuple[Subject, Node]:
    if isinstance(value, bool):
        return "text", string_literal(str(value).lower())
    if isinstance(value, int | Decimal):
        return "number", number(value)
    return "text", string_literal(str(value))


def _in_texts(operand: Operand, value: Value) -> tuple[Subject, Node] | None:
    if isinstance(value, str):
        return "plain", string_literal(value)
    if isinstance(value, date):
        return "plain", string_literal(written(value))
    if isinstance(value, bool) or operand.engine == "pandas":
        return None
    return "number", number(value)


def _in_numbers(operand: Operand, value: Value) -> tuple[Subject, Node] | None:
    if isinstance(value, bool):
        return ("plain", number_literal(int(value))) if operand.engine == "pandas" else None
    if isinstance(value, int | Decimal):
        return "plain", number(value)
    read = _number_in(value)
    if operand.engine == "pandas" or read is None:
        return None
    return "plain", number(read)


def _number_in(value: Value) -> Decimal | None:
    try:
        read = Decimal(str(value).strip())
    except ArithmeticError:
        return None
    return read if read.is_finite() else None


def _in_booleans(operand: Operand, value: Value) -> tuple[Subject, Node] | None:
    """pandas takes True as 1; Spark casts the text true to TRUE."""
    truth: bool | None = None
    if isinstance(value, bool):
        truth = value
    elif operand.engine == "pandas" and isinstance(value, int):
        truth = {0: False, 1: True}.get(value)
    elif operand.engine != "pandas" and isinstance(value, str):
        truth = _TRUTHS.get(value.lower() if operand.engine == "words" else value)
    return None if truth is None else ("plain", exp.Boolean(this=truth))


_TRUTHS = {"true": True, "false": False}


def _in_moments(operand: Operand, value: Value) -> tuple[Subject, Node] | None:
    moment = value if isinstance(value, date) else moment_of(value)
    if moment is None or (operand.family == "date" and isinstance(moment, datetime)):
        return None
    return "plain", moment_literal(moment, operand)


def as_double(operand: Operand) -> Node:
    """A number as a double, NULL where it is none or the source sees a missing one."""
    if operand.type is None:
        return operand.guarded(exp.DataType.Type.DOUBLE)
    if operand.family not in NUMBERS:
        raise type_mismatch(operand, "a number")
    if operand.family == "double":
        return operand.comparable()
    return exp.Cast(this=operand.comparable(), to=exp.DataType(this=exp.DataType.Type.DOUBLE))
