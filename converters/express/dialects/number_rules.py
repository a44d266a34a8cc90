"""Functions of numbers whose meaning depends on the type, or that a template can't say."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.reading import Term
from ruleferry.converters.express.dialects.terms import (
    family,
    is_text,
    is_whole,
    said,
    text,
    whole,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    decimal,
    digits,
)

_FLOATS = ("float", "double")
# Where ROUND of a DOUBLE goes to the even neighbour.
_EVEN = frozenset({"postgres"})
_UNSETTLED = frozenset({"redshift", "netezza", "mysql", "oracle"})
_MOST_PLACES = 10


def _floor(found: Call, name: str) -> Term:
    subject = found.terms[0]
    if is_whole(subject):
        return subject
    kind = BIGINT
    if subject.type is not None and family(subject) == "decimal":
        kind = decimal(digits(subject.type)[0] + 1, 0)
    return Term(call(name, found.trees), kind)


def _sign(found: Call) -> Term:
    """A whole number, but of a DOUBLE: NaN has no sign."""
    if family(found.terms[0]) in _FLOATS:
        return Term(call("sign", found.trees), DOUBLE)
    parts = ("_1 > 0 THEN 1", "_1 < 0 THEN -1", "_1 = 0 THEN 0")
    return said(f"CASE WHEN {' WHEN '.join(parts)} END", found.tree(0), kind=INT)


def _round(found: Call) -> Term:
    subject = found.terms[0]
    places = found.whole(1, 0)
    if places < 0:
        raise found.refused("rounds before the point")
    if is_whole(subject):
        return subject
    name = "round"
    if family(subject) in _FLOATS:
        name = _round_of_doubles(found)
    trees = [found.tree(0), *([whole(places)] if places else [])]
    return Term(call(name, trees), _rounded_type(subject, places))


def _round_of_doubles(found: Call) -> str:
    if found.here.dialect.name in _UNSETTLED:
        raise found.refused("rounds halves of a DOUBLE in a way that is not certain")
    detail = f"{found.name}() of a DOUBLE may round a half to the other side"
    found.here.tell("dialect_differs", detail)
    return "bround" if found.here.dialect.name in _EVEN else "round"


def _rounded_type(subject: Term, places: int) -> ColumnType | None:
    if subject.type is None or family(subject) != "decimal":
        return subject.type
    before, after = digits(subject.type)
    return decimal(before + 1, min(after, places))


def _round_or_cut(found: Call) -> Term:
    """ROUND(x, n, 1) cuts."""
    if len(found) < 3 or found.whole(2) == 0:
        return _round(Call(found.name, found.terms[:2], found.here, found.read))
    return cut(found, found.whole(1))


def cut(found: Call, places: int) -> Term:
    """Towards zero."""
    subject = found.terms[0]
    if not 0 <= places <= _MOST_PLACES:
        raise found.refused("cuts before the point, or far behind it")
    if is_whole(subject):
        return subject
    if family(subject) != "decimal" or subject.type is None:
        return _cut_unknown(found, places)
    if places >= digits(subject.type)[1]:
        return subject
    if places == 0:
        template = "CASE WHEN _1 < 0 THEN ceil(_1) ELSE floor(_1) END"
        return said(template, subject.tree, kind=decimal(digits(subject.type)[0] + 1, 0))
    power = whole(10**places)
    template = "CASE WHEN _1 < 0 THEN ceil(_1 * _2) ELSE floor(_1 * _2) END / _2"
    return said(template, subject.tree, power, kind=decimal(digits(subject.type)[0], 6))


def _cut_unknown(found: Call, places: int) -> Term:
    if places:
        raise found.refused("cuts a number whose type is not known as a decimal")
    return said("try_cast(_1 AS BIGINT)", found.tree(0), kind=BIGINT)


def _mod_of_zero(found: Call) -> Term:
    """MOD(x, 0) is x."""
    return said("CASE WHEN _2 = 0 THEN _1 ELSE _1 % _2 END", *found.trees, kind=found.terms[0].type)


def _power(found: Call) -> Term:
    """The type of the first number is that of the result in SQL Server."""
    if found.here.dialect.name == "tsql" and family(found.terms[0]) not in _FLOATS:
        raise found.refused("rounds to the type of its first number")
    detail = f"{found.name}() is calculated in double precision"
    found.here.tell("dialect_differs", detail)
    return Term(call("power", found.trees), DOUBLE)


# Text that holds a number -------------------------------------------------------------------------

_FLOAT = r"^\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?\s*$"
_ISNUMERIC = (
    r"^\s*([-+]?[$]?|[$][-+]?)\s*([0-9][0-9,]*[.]?[0-9]*|[.,][0-9,]*|[.][0-9]*)\s*$"
    r"|^\s*[-+$]\s*$|^\s*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eEdD][-+]?[0-9]+)\s*$"
)


def _to_number(found: Call) -> Term:
    """The check stops at a text that is no number; `try_` gives NULL, as this does."""
    subject = found.terms[0]
    if not is_text(subject) and subject.type is not None:
        return subject
    if not found.name.startswith("try_") and found.here.dialect.name != "teradata":
        _tell_stop(found)
    return _decimal(subject, 38, 10)


def _tell_stop(found: Call) -> None:
    detail = f"{found.name}() has no value for a text of another form; the check as written stops"
    found.here.tell("dialect_differs", detail)


def _decimal(subject: Term, precision: int, scale: int) -> Term:
    to = exp.DataType.build(f"DECIMAL({precision}, {scale})", dialect="databricks")
    tree = exp.TryCast(this=subject.tree, to=to, safe=True)
    return Term(tree, decimal(precision - scale, scale))


def _snowflake_number(found: Call) -> Term:
    """TO_NUMBER(text, precision, scale): no digit behind the point where none is asked for."""
    precision, scale = found.whole(1, 38), found.whole(2, 0)
    if not 0 < precision <= 38 or not 0 <= scale <= precision:
        raise found.refused("has a precision that is none")
    if not found.name.startswith("try_"):
        _tell_stop(found)
    return _decimal(found.terms[0], precision, scale)


def _to_double(found: Call) -> Term:
    subject = found.terms[0]
    if not is_text(subject) and subject.type is not None:
        return said("CAST(_1 AS DOUBLE)", subject.tree, kind=DOUBLE)
    if not found.name.startswith("try_"):
        _tell_stop(found)
    template = "CASE WHEN _1 RLIKE _2 THEN try_cast(_1 AS DOUBLE) END"
    return said(template, subject.tree, text(_FLOAT), kind=DOUBLE)


def _isnumeric(found: Call) -> Term:
    detail = "ISNUMERIC() also takes other signs of money and control characters for a number"
    found.here.tell("dialect_differs", detail)
    if found.terms[0].type is not None and not is_text(found.terms[0]):
        return said("CASE WHEN _1 IS NULL THEN 0 ELSE 1 END", found.tree(0), kind=INT)
    template = "CASE WHEN _1 RLIKE _2 THEN 1 ELSE 0 END"
    return said(template, found.tree(0), text(_ISNUMERIC), kind=INT)


_TRUE = ("true", "t", "yes", "y", "on", "1")
_FALSE = ("false", "f", "no", "n", "off", "0")


def _to_boolean(found: Call) -> Term:
    """The words that Snowflake knows; what is none gives NULL."""
    if not is_text(found.terms[0]):
        raise found.refused("takes what is no text")
    if not found.name.startswith("try_"):
        _tell_stop(found)
    words = [exp.Tuple(expressions=[text(word) for word in each]) for each in (_TRUE, _FALSE)]
    folded = call("lower", [call("trim", [found.tree(0)])])
    arms = [
        exp.If(this=exp.In(this=folded.copy(), expressions=each.expressions), true=value)
        for each, value in zip(words, (exp.true(), exp.false()), strict=True)
    ]
    return Term(exp.Case(ifs=arms), BOOLEAN)


_WHOLE = {"integer": "INT", "int": "INT", "bigint": "BIGINT", "smallint": "SMALLINT"}


def _whole_of_text(found: Call) -> Term:
    """INTEGER('5'); the check stops at a text that is no number."""
    subject = found.terms[0]
    if not is_text(subject) and not is_whole(subject):
        raise found.refused("takes what is not known as a text or a whole number")
    to = _WHOLE[found.name]
    if is_text(subject):
        _tell_stop(found)
    tree = exp.TryCast(this=subject.tree, to=exp.DataType.build(to), safe=True)
    return Term(tree, parse_type(to))


_DIGITS = {"smallint": 5, "short": 5, "int": 10, "integer": 10, "bigint": 19, "long": 19}


def _digits(found: Call) -> Term:
    kind = found.terms[0].type
    size = _DIGITS.get(kind.text) if kind is not None else None
    if size is None:
        raise found.refused("pads to the size of a type that is not known")
    return said("lpad(CAST(abs(_1) AS STRING), _2, '0')", found.tree(0), whole(size))


def _plain_text(found: Call) -> Term:
    """A text of a whole number is the same everywhere; that of others is not."""
    subject = found.terms[0]
    if is_text(subject):
        return subject
    if not is_whole(subject):
        raise found.refused("makes a text of what is no whole number, by the database's settings")
    return said("CAST(_1 AS STRING)", subject.tree)


RULES: Mapping[str, Rule] = {
    "sign": _sign,
    "floor": lambda found: _floor(found, "floor"),
    "ceil": lambda found: _floor(found, "ceil"),
    "round": _round,
    "round_or_cut": _round_or_cut,
    "cut": lambda found: cut(found, found.whole(1, 0)),
    "mod_of_zero": _mod_of_zero,
    "power": _power,
    "to_number": _to_number,
    "snowflake_number": _snowflake_number,
    "to_double": _to_double,
    "to_boolean": _to_boolean,
    "isnumeric": _isnumeric,
    "whole_of_text": _whole_of_text,
    "digits": _digits,
    "plain_text": _plain_text,
}
