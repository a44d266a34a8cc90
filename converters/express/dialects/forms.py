"""Calls with words of their own inside: EXTRACT, TRIM … FROM, SUBSTRING … FROM, POSITION … IN."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ruleferry.converters.express.dialects.comparing import compared
from ruleferry.converters.express.dialects.empty import present
from ruleferry.converters.express.dialects.leaves import call_of
from ruleferry.converters.express.dialects.likes import as_text
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    again,
    differs,
    is_null,
    is_time,
    literal_text,
    null,
    only,
    read,
    sql,
    truth,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.regex_text import literal
from ruleferry.converters.express.sql_types import STRING


def _called(name: str, arguments: Sequence[exp.Expression], here: Dialectal) -> Term:
    """As if it were written as a plain call."""
    return call_of(name, arguments, here)


def _extract(node: exp.Expression, here: Dialectal) -> Term:
    from ruleferry.converters.express.dialects.arguments import fitted
    from ruleferry.converters.express.dialects.date_units import date_part, unit_of

    only(node, "this", "expression")
    unit = unit_of(node.this.name, here)
    inner = node.args["expression"]
    if isinstance(inner, exp.Sub | exp.Add):
        raise differs(f"{sql(node)} takes a part of a difference")
    term = fitted("time", inner, lambda part: read(part, here), "EXTRACT", here)
    return date_part(unit, term, here)


def _substring(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "start", "length")
    start, length = node.args.get("start"), node.args.get("length")
    parts = [part for part in (node.this, start, length) if part is not None]
    if start is None:
        raise differs(f"{sql(node)} is not carried over")
    pattern = literal_text(read(start, here).tree)
    if pattern is None:
        return _called("substring", parts, here)
    if length is not None or here.dialect.parser != "postgres":
        raise differs(f"{sql(node)} is not carried over")
    return _matching(as_text(read(node.this, here), here), pattern, here)


def _matching(subject: Term, pattern: str, here: Dialectal) -> Term:
    """SUBSTRING(x FROM 'pattern'): what the pattern matches, NULL where nothing does."""
    from ruleferry.converters.express.dialects.regexes import in_java

    if "(" in pattern:
        raise Refusal("regex", f"the pattern {pattern!r} of SUBSTRING has a group")
    java = in_java(pattern, here.dialect, tell=here.tell)
    return Term(call("regexp_substr", [subject.tree, exp.Literal.string(java)]), STRING)


def _position(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "substr")
    return _called("position", [node.args["substr"], node.this], here)


# TRIM ---------------------------------------------------------------------------------------------

_SIDES = {"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "trim", "": "trim"}
# Where several characters are a set of which each is cut off; elsewhere they are cut off as one.
_SETS = frozenset({"postgres", "redshift", "netezza", "snowflake", "bigquery", "duckdb"})


def _trim(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression", "position")
    side = str(node.args.get("position") or "").upper()
    signs = node.args.get("expression")
    cut = literal_text(read(signs, here).tree) if signs is not None else " "
    if cut is None or side not in _SIDES:
        raise differs(f"{sql(node)} is not carried over")
    subject = as_text(read(node.this, here), here)
    if is_null(subject):
        return null()
    if cut == " ":
        return present(Term(call(_SIDES[side], [subject.tree]), STRING), here)
    return present(_cut(subject, cut, _SIDES[side], here), here)


def _cut(subject: Term, signs: str, side: str, here: Dialectal) -> Term:
    if len(signs) != 1 and here.dialect.name not in (*_SETS, "mysql"):
        raise differs(f"TRIM of {signs!r} is not carried over")
    if len(signs) == 1 or here.dialect.name == "mysql":
        some = f"(?:{literal(signs)})+"
    else:
        some = f"(?:{'|'.join(map(literal, dict.fromkeys(signs)))})+"
    patterns = {"ltrim": rf"^{some}", "rtrim": rf"{some}\z", "trim": rf"^{some}|{some}\z"}
    parts = [subject.tree, exp.Literal.string(patterns[side]), exp.Literal.string("")]
    return Term(call("regexp_replace", parts), STRING)


# OVERLAPS -----------------------------------------------------------------------------------------

_OVERLAP = frozenset({"postgres", "netezza", "oracle", "teradata"})


def overlaps(arguments: Sequence[exp.Expression], here: Dialectal) -> Term:
    """Two periods that share a moment; each is begun by its earlier end.

    Only for periods whose ends are there and in order is it a comparison of four values.
    """
    if here.dialect.name not in _OVERLAP or len(arguments) != 4:
        raise differs("OVERLAPS is not carried over")
    terms = [read(argument, here) for argument in arguments]
    if not all(is_time(term) or term.type is None for term in terms):
        raise differs("OVERLAPS is carried over for days and times alone")
    ends = [_ordered(terms[0], terms[1], here), _ordered(terms[2], terms[3], here)]
    (start, end), (other_start, other_end) = ends
    begins = exp.Or(
        this=exp.And(
            this=compared(exp.LT, _copy(start), _copy(other_end), here),
            expression=compared(exp.LT, _copy(other_start), _copy(end), here),
        ),
        expression=compared(exp.EQ, _copy(start), _copy(other_start), here),
    )
    here.tell("dialect_differs", "OVERLAPS of a period with a missing end is FALSE here")
    known: exp.Expression = exp.Paren(this=begins)
    for term in terms:
        present_ = exp.Not(this=exp.Is(this=again(term), expression=exp.Null()))
        known = exp.And(this=known, expression=present_)
    return truth(known)


def _ordered(first: Term, second: Term, here: Dialectal) -> tuple[Term, Term]:
    if first.type is None or second.type is None:
        raise Refusal("type_needed", "OVERLAPS needs the types of its columns")
    pair = [again(first), again(second)], [again(first), again(second)]
    return Term(call("least", pair[0]), first.type), Term(call("greatest", pair[1]), first.type)


def _copy(term: Term) -> Term:
    return Term(again(term), term.type)


STEPS_HERE: dict[type[exp.Expression], Step] = {
    exp.Extract: _extract,
    exp.Substring: _substring,
    exp.StrPosition: _position,
    exp.Trim: _trim,
}
