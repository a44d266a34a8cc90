"""AND, OR, NOT, IS, CASE."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ruleferry.converters.express.dialects.comparing import equal
from ruleferry.converters.express.dialects.empty import present_any, without_idle
from ruleferry.converters.express.dialects.likes import is_of_many
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    common,
    condition,
    is_number,
    is_text,
    null,
    only,
    read,
    truth,
)
from ruleferry.converters.express.dialects.steps import differs as _differs
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_text import operands


def _chain(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    kind = type(node)
    tree, *others = [condition(part, here) for part in operands(node)]
    for other in others:
        tree = kind(this=tree, expression=other)
    return truth(tree)


def _not(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this")
    if here.dialect.name == "snowflake" and is_of_many(node.this):  # NOT LIKE ALL is parsed so
        raise _differs("NOT LIKE ANY or ALL is not carried over")
    return truth(exp.Not(this=condition(node.this, here)))


def _is(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression", "negate")
    asked = bare(node.args["expression"])
    if isinstance(asked, exp.Not):  # `x IS NOT NULL` of some parsers
        return truth(exp.Not(this=_test(node.this, bare(asked.this), here)))
    test = _test(node.this, asked, here)
    return truth(exp.Not(this=test) if node.args.get("negate") else test)


def _test(tested: exp.Expression, asked: exp.Expression, here: Dialectal) -> exp.Expression:
    if isinstance(asked, exp.Null):
        return exp.Is(this=present_any(read(tested, here), here).tree, expression=exp.Null())
    if isinstance(asked, exp.Boolean):
        return exp.Is(this=condition(tested, here), expression=exp.Boolean(this=asked.this))
    raise _differs(f"IS {asked.sql()} is not carried over")


def _case(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "ifs", "default")
    subject, default = node.args.get("this"), node.args.get("default")
    results = [read(arm.args["true"], here) for arm in node.args["ifs"]]
    results.append(read(default, here) if default is not None else null())
    ifs = [
        exp.If(this=_arm(subject, arm.this, here), true=result.tree)
        for arm, result in zip(node.args["ifs"], results, strict=False)
    ]
    _refuse_mixed(results, here)
    tree = exp.Case(ifs=ifs, default=results[-1].tree if default is not None else None)
    return Term(tree, common([r.type for r in results]))


def _refuse_mixed(results: Sequence[Term], here: Dialectal) -> None:
    """Of texts and numbers Spark makes numbers, as SQL Server does, and MySQL makes texts."""
    texts, numbers = (any(map(is_kind, results)) for is_kind in (is_text, is_number))
    if texts and numbers and here.dialect.name != "tsql":
        raise _differs("a CASE gives texts and numbers")


def _if(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "true", "false")
    results = [read(node.args["true"], here)]
    results.append(read(node.args["false"], here) if node.args.get("false") else null())
    _refuse_mixed(results, here)
    ifs = [exp.If(this=_chosen(condition(node.this, here), here), true=results[0].tree)]
    return Term(exp.Case(ifs=ifs, default=results[1].tree), common([r.type for r in results]))


def _chosen(tree: exp.Expression, here: Dialectal) -> exp.Expression:
    return without_idle(tree) if here.dialect.empty else tree


def _arm(subject: exp.Expression | None, tested: exp.Expression, here: Dialectal) -> exp.Expression:
    """`CASE x WHEN a` compares x with a, as the database compares."""
    if subject is None:
        return _chosen(condition(tested, here), here)
    return equal(read(subject, here), read(tested, here), here)


STEPS_HERE: dict[type[exp.Expression], Step] = {
    exp.And: _chain,
    exp.Or: _chain,
    exp.Not: _not,
    exp.Is: _is,
    exp.Case: _case,
    exp.If: _if,
}
