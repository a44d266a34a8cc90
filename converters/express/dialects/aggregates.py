"""Aggregates and functions of windows."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.reading import Term
from ruleferry.converters.express.dialects.terms import compared, family, is_text
from ruleferry.converters.express.sql_types import BIGINT, BOOLEAN, DOUBLE, INT, NUMBERS

# Where the mean of whole numbers is a whole number.
_WHOLE_MEANS = frozenset({"tsql", "db2", "redshift", "netezza"})
# Those that order texts by their bytes, as Spark does.
_BINARY = frozenset({"oracle", "bigquery", "snowflake", "redshift", "hive", "impala"})


def _aggregate(name: str, *arguments: exp.Expression) -> exp.Expression:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _count(found: Call) -> Term:
    node = found.tree(0)
    if isinstance(node, exp.Star):
        return Term(_aggregate("count", exp.Star()), BIGINT)
    if isinstance(node, exp.Distinct):
        return Term(_aggregate("count", _distinct(node, found)), BIGINT)
    return Term(_aggregate("count", found.read(node).tree), BIGINT)


def _distinct(node: exp.Distinct, found: Call) -> exp.Distinct:
    """Texts that the database takes as equal count once."""
    if node.args.get("on"):
        raise found.refused("has DISTINCT ON")
    parts = node.expressions
    if len(parts) == 1 and isinstance(parts[0], exp.Tuple):
        parts = parts[0].expressions
    read = [found.read(part) for part in parts]
    trees = [compared(each, found.here) if is_text(each) else each.tree for each in read]
    return exp.Distinct(expressions=trees)


def _plain(found: Call) -> Term:
    """The one argument, read; DISTINCT stays."""
    node = found.tree(0)
    if isinstance(node, exp.Star):
        raise found.refused("has a * for an argument")
    if not isinstance(node, exp.Distinct):
        return found.read(node)
    if len(node.expressions) != 1 or node.args.get("on"):
        raise found.refused("has several arguments behind DISTINCT")
    inner = found.read(node.expressions[0])
    return Term(exp.Distinct(expressions=[inner.tree]), inner.type)


def _number(found: Call) -> Term:
    inner = _plain(found)
    if family(inner) == "boolean" and found.here.dialect.name == "mysql":
        return _as_number(inner, found)
    if family(inner) not in (None, *NUMBERS):
        raise found.refused("adds up what is no number")
    return inner


def _as_number(truth: Term, found: Call) -> Term:
    """A condition of MySQL is 1, 0 or NULL."""
    if isinstance(truth.tree, exp.Distinct):
        raise found.refused("adds up different truth values")
    whether = [
        exp.If(this=truth.tree, true=exp.Literal.number(1)),
        exp.If(this=exp.Not(this=exp.Paren(this=truth.tree.copy())), true=exp.Literal.number(0)),
    ]
    return Term(exp.Case(ifs=whether), INT)


def _sum(found: Call) -> Term:
    inner = _number(found)
    kind = {"integer": BIGINT, "float": DOUBLE, "double": DOUBLE}.get(str(family(inner)))
    return Term(_aggregate("sum", inner.tree), kind)


def _avg(found: Call) -> Term:
    inner = _number(found)
    if found.here.dialect.name in _WHOLE_MEANS and family(inner) in ("integer", None):
        raise found.refused("gives a whole number where it adds up whole numbers")
    return Term(_aggregate("avg", inner.tree), DOUBLE)


def _extreme(found: Call) -> Term:
    inner = _plain(found)
    if is_text(inner) and found.here.dialect.name not in _BINARY:
        raise found.refused("orders texts by the database's collation")
    return Term(_aggregate(found.name, inner.tree), inner.type)


def _count_if(found: Call) -> Term:
    inner = found.read(found.tree(0))
    return Term(_aggregate("count_if", inner.tree), BIGINT)


def _every(name: str) -> Rule:
    return lambda found: Term(_aggregate(name, found.read(found.tree(0)).tree), BOOLEAN)


def _spread(name: str) -> Rule:
    return lambda found: Term(_aggregate(name, _number(found).tree), DOUBLE)


def _approximate(found: Call) -> Term:
    detail = f"{found.name}() estimates the number of distinct values; here they are counted"
    found.here.tell("dialect_differs", detail)
    inner = exp.Distinct(expressions=[found.tree(0)])
    return Term(_aggregate("count", _distinct(inner, found)), BIGINT)


# Windows ------------------------------------------------------------------------------------------


def _numbered(found: Call) -> Term:
    return Term(_aggregate(found.name), BIGINT)


def _neighbour(found: Call) -> Term:
    subject = found.terms[0]
    if len(found) > 1 and found.whole(1) < 0:
        raise found.refused("looks in the other direction")
    return Term(_aggregate(found.name, *found.trees), subject.type)


def _edge(found: Call) -> Term:
    return Term(_aggregate(found.name, found.tree(0)), found.terms[0].type)


def _ratio(found: Call) -> Term:
    return Term(_aggregate(found.name), DOUBLE)


RULES: Mapping[str, Rule] = {
    "count": _count,
    "sum": _sum,
    "avg": _avg,
    "extreme": _extreme,
    "count_if": _count_if,
    "bool_and": _every("bool_and"),
    "bool_or": _every("bool_or"),
    "stddev_samp": _spread("stddev_samp"),
    "stddev_pop": _spread("stddev_pop"),
    "var_samp": _spread("var_samp"),
    "var_pop": _spread("var_pop"),
    "approximate": _approximate,
    "numbered": _numbered,
    "neighbour": _neighbour,
    "edge": _edge,
    "ratio": _ratio,
}
