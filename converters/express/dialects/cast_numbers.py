"""Casts to a number: rounded or cut, and which texts are numbers."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.dialects.cast_types import Target
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    again,
    differs,
    family,
    is_number,
    is_text,
    literal_text,
    sql,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import BIGINT, DOUBLE

# A number with a fraction becomes the nearest whole one; elsewhere the fraction is cut off.
_ROUNDS = frozenset({
    "oracle", "postgres", "redshift", "snowflake", "bigquery", "mysql", "netezza", "duckdb",
})  # fmt: skip
# A half is rounded to the even neighbour, of floating numbers.
_EVEN = frozenset({"postgres", "redshift", "netezza", "mysql"})
# A blank text is 0.
_BLANK_IS_ZERO = frozenset({"tsql"})
_HEX = "a hexadecimal text is a number in the source"
_TELL = {
    "bigquery": {"integer": _HEX, "double": "nan and inf are written otherwise in the source"},
    "teradata": {"integer": "what the source makes of a blank text, or of one with a fraction"},
    "tsql": {"decimal": "a text with an exponent is no DECIMAL in the source"},
}
_WHOLE_PREFIX = r"^\s*([-+]?[0-9]+)"
_PREFIX = r"^\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"


def to_number(term: Term, wanted: Target, here: Dialectal, *, safe: bool) -> Term:
    if is_text(term):
        return _of_text(term, wanted, here, safe=safe)
    if term.type is None:
        return _of_unknown(term, wanted, here, safe=safe)
    if family(term) == "boolean":
        return _made(term, wanted, safe=False)
    if not is_number(term):
        raise differs(f"{sql(term.tree)} is made a number in it")
    return _of_number(term, wanted, here, safe=safe)


def _made(term: Term, wanted: Target, *, safe: bool) -> Term:
    if safe:
        return Term(exp.TryCast(this=term.tree, to=wanted.node, safe=True), wanted.type)
    return Term(exp.Cast(this=term.tree, to=wanted.node), wanted.type)


def _of_number(term: Term, wanted: Target, here: Dialectal, *, safe: bool) -> Term:
    sort, to = family(term), wanted.type.family
    if here.dialect.name == "db2" and to == "decimal" and sort == "decimal":
        raise differs("Db2 cuts the digits of a decimal, Spark rounds")
    if here.dialect.name == "teradata" and to == "decimal" and sort != "integer":
        here.tell("dialect_differs", "Teradata rounds a half to the even neighbour")
    if to != "integer" or sort == "integer" or here.dialect.name not in _ROUNDS:
        return _made(term, wanted, safe=safe)
    even = here.dialect.name in _EVEN and sort in ("float", "double")
    rounded = call("bround" if even else "round", [term.tree])
    return _made(Term(rounded, term.type), wanted, safe=safe)


def _of_unknown(term: Term, wanted: Target, here: Dialectal, *, safe: bool) -> Term:
    """A text or a number: a form that is right for both."""
    if here.dialect.name == "mysql":
        raise differs(f"whether {sql(term.tree)} is a text is not known, and decides the number")
    if here.dialect.name in _BLANK_IS_ZERO:
        return or_zero(term, _made(Term(again(term)), wanted, safe=safe))
    if wanted.type.family != "integer" or here.dialect.name not in _ROUNDS:
        return _of_either(term, wanted, here, safe=safe)
    text = exp.Cast(this=again(term), to=exp.DataType(this=exp.DataType.Type.TEXT))
    is_string = exp.EQ(this=call("typeof", [again(term)]), expression=exp.Literal.string("string"))
    of_text = _made(Term(text), wanted, safe=safe)
    rounded = _made(Term(call("round", [again(term)])), wanted, safe=safe)
    ifs = [exp.If(this=is_string, true=of_text.tree)]
    return Term(exp.Case(ifs=ifs, default=rounded.tree), wanted.type)


def _of_either(term: Term, wanted: Target, here: Dialectal, *, safe: bool) -> Term:
    _tell(wanted.type, here)
    return _made(term, wanted, safe=safe)


# Texts --------------------------------------------------------------------------------------------


def _of_text(term: Term, wanted: Target, here: Dialectal, *, safe: bool) -> Term:
    name = here.dialect.name
    value = literal_text(term.tree)
    if name == "mysql":
        return prefix_number(term, wanted)
    if name == "bigquery" and value is not None and "0x" in value.lower():
        raise differs(f"{value!r} is a hexadecimal number")
    if wanted.type == DOUBLE and value is None:
        here.tell("dialect_differs", f"a text such as 1d is a number on Spark alone, in "
                                     f"{sql(term.tree)}")  # fmt: skip
    if value is None:
        _tell(wanted.type, here)
    if wanted.type.text == "decimal(19,4)":
        return _of_money(term, wanted, here)
    if name in _BLANK_IS_ZERO and wanted.type.family != "decimal":
        if value is not None and value.strip():
            return _made(term, wanted, safe=safe)
        return or_zero(term, _made(Term(again(term), term.type), wanted, safe=safe))
    if name == "hive" and wanted.type.family == "integer":
        return _but_fraction(term, wanted)
    return _made(term, wanted, safe=safe)


def _tell(kind: ColumnType, here: Dialectal) -> None:
    detail = _TELL.get(here.dialect.name, {}).get(kind.family)
    if detail is not None:
        here.tell("dialect_differs", detail)


def or_zero(term: Term, made: Term) -> Term:
    """`made` of the text, and 0 where it is blank."""
    blank = exp.EQ(this=call("trim", [again(term)]), expression=exp.Literal.string(""))
    zero = exp.If(this=blank, true=exp.Literal.number(0))
    return Term(exp.Case(ifs=[zero], default=made.tree), made.type)


def _but_fraction(term: Term, wanted: Target) -> Term:
    """'12.5' is 12 in Hive."""
    parts = [term.tree, exp.Literal.string(r"\.[0-9]*$"), exp.Literal.string("")]
    return _made(Term(call("regexp_replace", parts), term.type), wanted, safe=True)


def _of_money(term: Term, wanted: Target, here: Dialectal) -> Term:
    """'$1,234.50'."""
    here.tell("dialect_differs", "the source reads other signs of money, too")
    parts = [term.tree, exp.Literal.string("[$,]"), exp.Literal.string("")]
    return _made(Term(call("regexp_replace", parts), term.type), wanted, safe=True)


def prefix_number(term: Term, wanted: Target) -> Term:
    """The number that a text begins with; 0 where it begins with none."""
    whole = wanted.type.family == "integer"
    pattern = _WHOLE_PREFIX if whole else _PREFIX
    parts = [again(term), exp.Literal.string(pattern), exp.Literal.number(1)]
    number = exp.TryCast(this=call("regexp_extract", parts), to=wanted.node, safe=True)
    either = call("coalesce", [number, exp.Literal.number(0)])
    present = exp.Not(this=exp.Is(this=term.tree, expression=exp.Null()))
    kind = BIGINT if whole else wanted.type
    return Term(exp.Case(ifs=[exp.If(this=present, true=either)]), kind)
