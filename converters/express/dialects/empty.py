"""Where the empty text is a missing value: NULLIF(x, '') wherever that decides something."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.functions import call, called, function
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import STRING, TEXTS


def present(term: Term, here: Dialectal) -> Term:
    """A text that is known to be one: NULL where it is empty."""
    if here.dialect.empty != "missing" or term.type is None or term.type.family not in TEXTS:
        return term
    return _but_empty(term)


def present_any(term: Term, here: Dialectal) -> Term:
    """A value that is used as a text, or may be one."""
    if here.dialect.empty != "missing" or (term.type and term.type.family not in TEXTS):
        return term
    return _but_empty(term)


def _but_empty(term: Term) -> Term:
    node = bare(term.tree)
    if isinstance(node, exp.Literal | exp.Null) or _wrapped(node) is not None:
        return term
    if _never_empty(node):
        return term
    return Term(call("nullif", [term.tree, exp.Literal.string("")]), term.type or STRING)


def _never_empty(node: exp.Expression) -> bool:
    if isinstance(node, exp.Coalesce):
        parts = [node.this, *node.expressions]
        return all(_wrapped(bare(p)) is not None or _is_full(bare(p)) for p in parts)
    return False


def _is_full(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and bool(node.this)


def _wrapped(node: exp.Expression) -> exp.Expression | None:
    """x of NULLIF(x, '')."""
    found = called(node)
    if found is None or found[0] != "nullif" or len(found[1]) != 2:
        return None
    second = bare(found[1][1])
    if isinstance(second, exp.Literal) and second.is_string and second.this == "":
        return found[1][0]
    return None


# Where it decides nothing -------------------------------------------------------------------------

_BOTH = frozenset({True, False})
# Of an empty text these give an empty one.
_KEEP_EMPTY = frozenset({
    "trim", "ltrim", "rtrim", "btrim", "upper", "lower", "substring", "substr", "reverse",
    "replace", "translate", "left", "right", "initcap",
})  # fmt: skip


def without_idle(tree: exp.Expression) -> exp.Expression:
    """NULLIF(x, '') as x where it makes no difference to which records the condition is TRUE for.

    `NULLIF(x, '') = 'A'` is TRUE where `x = 'A'` is; under NOT it is not.
    """
    return _condition(tree.copy(), frozenset({True}))


def _condition(node: exp.Expression, matters: frozenset[bool]) -> exp.Expression:
    match node:
        case exp.Paren():
            return exp.Paren(this=_condition(node.this, matters))
        case exp.And() | exp.Or():
            kind: Callable[..., exp.Expression] = type(node)
            left, right = (_condition(n, matters) for n in (node.this, node.expression))
            return kind(this=left, expression=right)
        case exp.Not():
            turned = frozenset(not value for value in matters)
            return exp.Not(this=_condition(node.this, turned))
        case exp.EQ() | exp.In() if matters == {True}:
            return _plain(node)
        case exp.NEQ() if matters == {False}:
            return _plain(node)
        case exp.RegexpLike() if matters == {True} and _finds_more(node):
            return _plain(node)
        case exp.Like() | exp.ILike() if matters == {True} and _wants_more(node):
            return _plain(node)
        case exp.Escape():
            return exp.Escape(
                this=_condition(node.this, matters), expression=node.args["expression"].copy()
            )
    return _within(node)


def _plain(node: exp.Expression) -> exp.Expression:
    """A test that an empty text fails as well as a missing one."""
    others = node.expressions if isinstance(node, exp.In) else [node.args["expression"]]
    if not all(_is_full(bare(other)) for other in others):
        return _within(node)
    inner = _wrapped(bare(node.this))
    if inner is not None:
        node.set("this", inner.copy())
    return _within(node)


def _wants_more(node: exp.Expression) -> bool:
    pattern = bare(node.args["expression"])
    return isinstance(pattern, exp.Literal) and str(pattern.this).strip("%") != ""


def _finds_more(node: exp.Expression) -> bool:
    """Whether the pattern finds nothing in an empty text."""
    pattern = bare(node.args["expression"])
    try:
        return (
            re.search(str(pattern.this).replace("\\z", "\\Z").replace("(?id)", "(?i)"), "") is None
        )
    except re.error:
        return False


def _within(node: exp.Expression) -> exp.Expression:
    """The conditions of CASEs in a test, and values of which one NULLIF is enough."""
    for arm in list(node.find_all(exp.If)):
        if isinstance(arm.parent, exp.Case) and arm.parent.args.get("this") is None:
            arm.set("this", _condition(arm.this, frozenset({True})))
    for found in list(node.find_all(exp.Nullif)):
        if (inner := _wrapped(found)) is not None:
            inner.replace(_inside(inner.copy()))
    for chosen in list(node.find_all(exp.Coalesce)):
        first, others = _wrapped(bare(chosen.this)), chosen.expressions
        if first is not None and len(others) == 1 and _is_empty(bare(others[0])):
            chosen.set("this", first.copy())
    return node


def _is_empty(node: exp.Expression) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_string) and node.this == ""


def _inside(node: exp.Expression) -> exp.Expression:
    """A value of which an empty text counts as missing anyway: NULLIF(trim(NULLIF(x, '')), '')."""
    if (first := _wrapped(bare(node))) is not None:
        return _inside(first.copy())
    if isinstance(node, exp.Case):
        for arm in node.args["ifs"]:
            arm.set("true", _inside(arm.args["true"].copy()))
        if default := node.args.get("default"):
            node.set("default", _inside(default.copy()))
        return node
    name, arguments = called(node) or ("", [])
    if name in _KEEP_EMPTY and arguments:
        arguments[0].replace(_inside(arguments[0].copy()))
    return node


# Texts of unknown type ----------------------------------------------------------------------------


def with_texts_present(tree: exp.Expression, here: Dialectal) -> exp.Expression:
    """A column whose type is not known is a text where a function takes a text."""
    if here.dialect.empty != "missing":
        return tree
    root = exp.Paren(this=tree)
    for node in list(root.walk()):
        name, arguments = (called(node) if isinstance(node, exp.Expression) else None) or ("", [])
        row = function(name, len(arguments)) if name else None
        kinds = row.kinds(len(arguments)) if row is not None else None
        for kind, argument in zip(kinds or (), arguments, strict=False):
            unknown = isinstance(argument, exp.Column) and here.type_of(argument) is None
            if kind == "text" and unknown and name != "nullif":
                argument.replace(_but_empty(Term(argument.copy())).tree)
    made: exp.Expression = root.this
    return made
