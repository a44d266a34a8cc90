"""Functions that choose among their arguments: COALESCE, NULLIF, DECODE, GREATEST."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.dialects.arguments import one_family
from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.collation import collation
from ruleferry.converters.express.dialects.common_type import same_type
from ruleferry.converters.express.dialects.empty import present_any
from ruleferry.converters.express.dialects.reading import Term
from ruleferry.converters.express.dialects.steps import type_needed
from ruleferry.converters.express.dialects.terms import (
    compared,
    family,
    is_null,
    is_text,
    literal_text,
    refuse,
    said,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.nodes import either
from ruleferry.converters.express.nodes import is_null as asked_null
from ruleferry.converters.express.sql_types import BOOLEAN, INT

# Those that order texts by their bytes, as Spark does.
_BINARY = frozenset({"oracle", "bigquery", "snowflake", "redshift", "hive", "impala"})


def _type(terms: Sequence[Term]) -> ColumnType | None:
    return same_type([term.type for term in terms])


def _coalesce(found: Call) -> Term:
    one_family(found.terms, found.name)
    if len(found) == 1:
        return found.terms[0]
    trees = found.trees
    if any(map(is_text, found.terms)):  # what stands beside a text is one, and may be empty
        trees = [present_any(term, found.here).tree for term in found.terms]
    return Term(call("coalesce", trees), _type(found.terms))


def _equal(left: Term, right: Term, found: Call) -> exp.Expression:
    one_family([left, right], found.name)
    if _are_texts(left, right):
        return exp.EQ(this=compared(left, found.here), expression=compared(right, found.here))
    return exp.EQ(this=left.tree, expression=right.tree)


def _are_texts(*terms: Term) -> bool:
    return any(is_text(term) for term in terms)


def _nullif(found: Call) -> Term:
    """The first argument, not what it is compared as."""
    left, right = found.terms
    if is_null(right) or is_null(left):
        return left
    if not _are_texts(left, right):
        _refuse_unknown_texts(found)
        one_family(found.terms, found.name)
        if all(family(term) is None for term in found.terms):
            told = f"{found.name}() compares values of unknown types as texts"
            found.here.tell("dialect_assumed_type", told)
        return Term(call("nullif", found.trees), left.type)
    plain = compared(left, found.here) is left.tree and literal_text(right.tree) is not None
    if plain and compared(right, found.here) == right.tree:
        return Term(call("nullif", found.trees), left.type)
    arm = exp.If(this=_equal(left, right, found), true=exp.Null())
    return Term(exp.Case(ifs=[arm], default=left.tree.copy()), left.type)


def _refuse_unknown_texts(found: Call) -> None:
    """Two columns of which it is not known whether they hold texts."""
    unsettled = not collation(found.here).exact
    if unsettled and all(family(term) is None and not is_null(term) for term in found.terms):
        raise refuse(f"{found.name}() compares values that may be texts, whose types aren't known")


def _decode(found: Call) -> Term:
    """Pairs of a value and a result; NULL equals NULL there."""
    if len(found) < 3:
        raise found.refused("has too few arguments")
    subject, *rest = found.terms
    pairs = list(zip(rest[::2], rest[1::2], strict=False))
    default = [rest[-1]] if len(rest) % 2 else []
    results = [result for _, result in pairs] + default
    one_family(results, found.name)
    arms = [exp.If(this=_same(subject, v, found), true=result.tree) for v, result in pairs]
    tree = exp.Case(ifs=arms, default=default[0].tree if default else None)
    return Term(tree, _type(results))


def _same(subject: Term, value: Term, found: Call) -> exp.Expression:
    if is_null(value):
        return asked_null(present_any(subject, found.here).tree.copy())
    one_family([subject, value], found.name)
    here = found.here
    texts = _are_texts(subject, value)
    left, right = (
        compared(term, here).copy() if texts else term.tree.copy() for term in (subject, value)
    )
    if _is_literal(value):
        return exp.EQ(this=left, expression=right)
    return exp.NullSafeEQ(this=left, expression=right)


def _is_literal(term: Term) -> bool:
    return isinstance(term.tree, exp.Literal | exp.Neg)


def _extreme(found: Call, name: str, *, any_null: bool) -> Term:
    one_family(found.terms, found.name)
    if found.here.dialect.name not in _BINARY and any(map(is_text, found.terms)):
        raise found.refused("orders texts by the database's collation")
    if all(family(term) is None for term in found.terms):  # Spark would compare them as texts
        raise type_needed(found.terms[0], "a text, a number or a day", found.here)
    kind = _type(found.terms)
    if len(found) == 1:
        return found.terms[0]
    if any_null and any(map(is_null, found.terms)):
        return Term(exp.Null(), kind)
    tree = call(name, found.trees)
    missing = [asked_null(term.tree.copy()) for term in found.terms if not _is_literal(term)]
    if not any_null or not missing:
        return Term(tree, kind)
    arm = exp.If(this=either(*missing), true=exp.Null())
    return Term(exp.Case(ifs=[arm], default=tree), kind)


def _missing_count(found: Call, *, of: bool) -> Term:
    """How many arguments are NULL (`of`), or are not."""
    yes, no = ("1", "0") if of else ("0", "1")
    template = f"CASE WHEN _1 IS NULL THEN {yes} ELSE {no} END"
    parts = [said(template, tree).tree for tree in found.trees]
    tree = parts[0]
    for part in parts[1:]:
        tree = exp.Add(this=tree, expression=part)
    return Term(tree, INT)


def _lnnvl(found: Call) -> Term:
    return said("NOT (_1) IS TRUE", found.tree(0), kind=BOOLEAN)


def _nvl2(found: Call) -> Term:
    subject, there, missing = found.terms
    tree = present_any(subject, found.here).tree.copy()
    present = exp.Not(this=asked_null(tree))
    case = exp.Case(ifs=[exp.If(this=present, true=there.tree)], default=missing.tree)
    return Term(case, _type([there, missing]))


RULES: Mapping[str, Rule] = {
    "nvl2": _nvl2,
    "coalesce": _coalesce,
    "nullif": _nullif,
    "decode": _decode,
    "greatest": lambda found: _extreme(found, "greatest", any_null=False),
    "least": lambda found: _extreme(found, "least", any_null=False),
    "greatest_of_all": lambda found: _extreme(found, "greatest", any_null=True),
    "least_of_all": lambda found: _extreme(found, "least", any_null=True),
    "num_nulls": lambda found: _missing_count(found, of=True),
    "num_nonnulls": lambda found: _missing_count(found, of=False),
    "lnnvl": _lnnvl,
}
