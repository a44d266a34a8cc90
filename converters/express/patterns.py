"""LIKE and RLIKE with patterns that are written out, and that Spark can read."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ruleferry.converters.express import literals
from ruleferry.converters.express.coercion import Typed, mismatch
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal

_DEFAULT_ESCAPE = "\\"


def liked(
    node: exp.Expression, subject: Typed, escape: exp.Expression | None = None
) -> exp.Expression:
    """LIKE or ILIKE of a total subject; LIKE ANY and LIKE ALL are one LIKE after the other."""
    if subject.family == "nested":
        raise mismatch(subject, "text")
    patterns = bare(node.args["expression"])
    negated = bool(node.args.get("negate"))
    if not isinstance(patterns, exp.Any | exp.All):
        return _single(type(node), subject.tree, patterns, escape, negated)
    listed = patterns.this
    each = listed.expressions if isinstance(listed, exp.Tuple) else [listed]
    kind = exp.Or if isinstance(patterns, exp.Any) else exp.And
    tree, *others = [_single(type(node), subject.tree, p, escape, negated) for p in each]
    for other in others:
        tree = kind(this=tree, expression=other)
    return tree


def _single(
    kind: type[exp.Expression],
    subject: exp.Expression,
    pattern: exp.Expression,
    escape: exp.Expression | None,
    negated: bool,
) -> exp.Expression:
    text = _written(pattern, "like", "LIKE pattern")
    mark = _DEFAULT_ESCAPE if escape is None else _written(escape, "like", "escape character")
    if fault := literals.like_fault(text, mark):
        raise Refusal("like", fault)
    tree = kind(this=subject.copy(), expression=exp.Literal.string(text))
    if escape is not None:
        tree = exp.Escape(this=tree, expression=exp.Literal.string(mark))
    return exp.Not(this=tree) if negated else tree


def rlike(
    subject: Typed, pattern: exp.Expression, check_regex: Callable[[str], str | None]
) -> exp.Expression:
    if subject.family == "nested":
        raise mismatch(subject, "text")
    text = _written(pattern, "regex", "regular expression")
    if fault := check_regex(text):
        raise Refusal("regex", fault)
    return exp.RegexpLike(this=subject.tree, expression=exp.Literal.string(text))


def _written(node: exp.Expression, code: str, what: str) -> str:
    node = bare(node)
    if not isinstance(node, exp.Literal) or not node.is_string:
        raise Refusal(code, f"its {what} is not written out")
    return node.name
