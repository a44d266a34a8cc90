"""CAST, TRY_CAST, CONVERT: to which type of Spark, and what the dialect does on the way."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.express.dialects.cast_formats import STYLES, of_strftime, of_teradata
from ruleferry.converters.express.dialects.cast_numbers import to_number
from ruleferry.converters.express.dialects.cast_texts import to_text, written_as
from ruleferry.converters.express.dialects.cast_times import by_format, to_time
from ruleferry.converters.express.dialects.cast_truths import to_truth
from ruleferry.converters.express.dialects.cast_types import target
from ruleferry.converters.express.dialects.day_texts import is_iso, read_moment
from ruleferry.converters.express.dialects.implicit import moment
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    again,
    differs,
    is_null,
    is_text,
    is_time,
    literal_number,
    literal_text,
    only,
    read,
    sql,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import DATE, INT, NUMBERS, TIMES

# Where a CAST that fails gives NULL anyway.
_NEVER_FAILS = frozenset({"hive", "impala", "mysql"})


def _cast(node: exp.Expression, here: Dialectal) -> Term:
    # What else sqlglot notes says nothing beyond TRY_CAST.
    only(node, "this", "to", "safe", "requires_string", "null_on_text_overflow",
         "probe_date_format", "format", "default")  # fmt: skip
    term, to = read(node.this, here), node.args["to"]
    safe = isinstance(node, exp.TryCast)
    if node.args.get("format"):
        return _formatted(term, node, here)
    if "default" in node.args and node.args["default"] is not None:
        return _or_default(term, to, node.args["default"], here)
    return cast(term, to, here, safe=safe)


def cast(term: Term, to: exp.Expression, here: Dialectal, *, safe: bool) -> Term:
    """Raises Refusal."""
    wanted = target(to, here.dialect.name)
    safe = safe or here.dialect.name in _NEVER_FAILS
    if is_null(term):
        return Term(exp.Null(), wanted.type)
    family = wanted.type.family
    if family == "string":
        return to_text(term, wanted, here)
    if family in TIMES:
        return to_time(term, wanted, here, safe=safe)
    if family == "boolean":
        return to_truth(term, here)
    return to_number(term, wanted, here, safe=safe)


# With a format ------------------------------------------------------------------------------------


def _formatted(term: Term, node: exp.Expression, here: Dialectal) -> Term:
    """CAST(d AS CHAR(8) FORMAT 'YYYYMMDD') of Teradata."""
    written = literal_text(node.args["format"])
    if here.dialect.name != "teradata" or written is None:
        raise differs("CAST with FORMAT is not carried over")
    wanted = target(node.args["to"], here.dialect.name)
    java = of_teradata(written)
    if wanted.type.family == "string" and not is_text(term):
        return written_as(term, java, wanted, here)
    raise differs("CAST with FORMAT is not carried over")


def _by_strftime(node: exp.Expression, here: Dialectal) -> Term:
    """CAST(s AS DATE FORMAT 'YYYYMMDD') of Teradata, as sqlglot has it."""
    only(node, "this", "format")
    written = literal_text(node.args["format"]) if node.args.get("format") else None
    if here.dialect.name != "teradata" or written is None:
        raise differs(f"{sql(node)} is not carried over")
    term = read(node.this, here)
    if is_time(term) or is_null(term):
        return cast(term, exp.DataType(this=exp.DataType.Type.DATE), here, safe=False)
    return by_format(term, of_strftime(written), DATE, here)


def _convert(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression", "safe", "style")
    term, to = read(node.args["expression"], here), node.this
    safe, style = bool(node.args.get("safe")), node.args.get("style")
    if here.dialect.name != "tsql":
        raise differs("CONVERT is not carried over")
    wanted = target(to, here.dialect.name)
    if style is None or is_null(term):
        return cast(term, to, here, safe=safe)
    java = STYLES.get(literal_number(read(style, here).tree) or "")
    family = wanted.type.family
    if java is not None and family == "string" and not is_text(term):
        return written_as(term, java, wanted, here)
    if java is not None and family in TIMES and not is_time(term):
        return by_format(term, java, wanted.type, here)
    if (is_time(term) and family in TIMES) or (family in NUMBERS and is_text(term)):
        return cast(term, to, here, safe=safe)
    raise differs(f"{sql(node)} is not carried over")


# Failing casts ------------------------------------------------------------------------------------


def _or_default(term: Term, to: exp.Expression, default: exp.Expression, here: Dialectal) -> Term:
    """CAST(x AS NUMBER DEFAULT -1 ON CONVERSION ERROR): a missing x stays missing."""
    made = cast(Term(again(term), term.type), to, here, safe=True)
    other = read(default, here)
    if is_null(other):
        return made
    either = call("coalesce", [made.tree, other.tree])
    present = exp.Not(this=exp.Is(this=term.tree, expression=exp.Null()))
    return Term(exp.Case(ifs=[exp.If(this=present, true=either)]), made.type)


def _to_number(node: exp.Expression, here: Dialectal) -> Term:
    """TO_NUMBER(x DEFAULT n ON CONVERSION ERROR)."""
    only(node, "this", "default")
    number = exp.DataType(this=exp.DataType.Type.DECIMAL)
    return _or_default(read(node.this, here), number, node.args["default"], here)


def validated(node: exp.Expression, here: Dialectal) -> Term:
    """VALIDATE_CONVERSION(x AS NUMBER): 1 for what is missing or can be converted, else 0."""
    only(node, "this", "to")
    term = read(node.this, here)
    made = cast(Term(again(term), term.type), node.args["to"], here, safe=True)
    missing = exp.Is(this=term.tree, expression=exp.Null())
    valid = exp.Not(this=exp.Is(this=made.tree, expression=exp.Null()))
    test = exp.Or(this=missing, expression=valid)
    return Term(exp.Case(ifs=[exp.If(this=test, true=exp.Literal.number(1))],
                         default=exp.Literal.number(0)), INT)  # fmt: skip


def _day(node: exp.Expression, here: Dialectal) -> Term:
    """DATE '2024-03-05'."""
    only(node, "this")
    value = literal_text(node.this)
    found = read_moment(value, here) if value and is_iso(value) else None
    if found is None:
        raise differs(f"{sql(node)} is not carried over")
    return moment(found, Term(exp.Null(), DATE))


STEPS_HERE: dict[type[exp.Expression], Step] = {
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Convert: _convert,
    exp.StrToDate: _by_strftime,
    exp.ToNumber: _to_number,
    exp.DateStrToDate: _day,
}
