"""Spark SQL that another parser has read: its calls by the names that the table has for them."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.express.functions import call
from ruleferry.converters.express.refusal import Refusal

OWN = frozenset({"spark", "databricks"})


def as_it_is(tree: exp.Expression) -> exp.Expression:
    """A tree as Spark's own reader makes it. Raises Refusal for a parameter."""
    root = exp.Paren(this=tree.copy())
    for node in list(root.find_all(exp.Anonymous, exp.Exists, exp.If, exp.RawString, bfs=False))[
        ::-1
    ]:
        made = _made(node)
        if made is not None:
            node.replace(made)
    found = root.find(exp.Parameter, exp.Placeholder, exp.SessionParameter)
    if found is not None:
        raise Refusal("parameter", f"the value of {found.name or found.sql()} is not known")
    whole: exp.Expression = root.this
    return whole


def _made(node: exp.Expr) -> exp.Expression | None:
    match node:
        case exp.Anonymous():
            return call(str(node.this).lower(), list(node.expressions))
        case exp.Exists():
            return exp.Anonymous(this="exists", expressions=[node.this])
        case exp.RawString():
            return exp.Literal.string(str(node.this))
        case exp.If() if not isinstance(node.parent, exp.Case):
            arm = exp.If(this=node.this, true=node.args["true"])
            return exp.Case(ifs=[arm], default=node.args.get("false"))
    return None
