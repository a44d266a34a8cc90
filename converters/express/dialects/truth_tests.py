"""Comparisons with TRUE and FALSE, however a dialect writes them."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    differs,
    family,
    literal_number,
    literal_text,
)
from ruleferry.converters.express.nullness import bare

OPPOSITE: frozenset[type[exp.Expression]] = frozenset({exp.EQ, exp.NEQ})
_WORDS = {
    **dict.fromkeys(("t", "true", "y", "yes", "on", "1"), True),
    **dict.fromkeys(("f", "false", "n", "no", "off", "0"), False),
}
_WORDS_OF_TRUTH = {
    "postgres": _WORDS, "redshift": _WORDS, "netezza": _WORDS,
    "snowflake": _WORDS, "duckdb": {"true": True, "false": False, "t": True, "f": False},
    "tsql": {"true": True, "false": False, "1": True, "0": False},
}  # fmt: skip
_TURNED: dict[type[exp.Expression], type[exp.Expression]] = {
    exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.GTE: exp.LTE,
}  # fmt: skip


def of_truths(
    kind: type[exp.Expression], left: Term, right: Term, here: Dialectal
) -> exp.Expression:
    """`p = 1` is p, `p = 0` is NOT p: NULL where p is."""
    if family(left) != "boolean":
        left, right, kind = right, left, _TURNED.get(kind, kind)
    asked = _asked(right, here)
    if asked is None:
        if family(right) in ("boolean", None):
            return kind(this=left.tree, expression=right.tree)
        raise differs(f"a truth value and {right.tree.sql()} are compared in it")
    if kind not in OPPOSITE:
        return kind(this=left.tree, expression=exp.Boolean(this=asked))
    return left.tree if asked == (kind is exp.EQ) else exp.Not(this=left.tree)


def _asked(term: Term, here: Dialectal) -> bool | None:
    if isinstance(bare(term.tree), exp.Boolean):
        return bool(bare(term.tree).this)
    number = literal_number(term.tree)
    if number in ("0", "1"):
        return number == "1"
    word = literal_text(term.tree)
    return _WORDS_OF_TRUTH.get(here.dialect.name, {}).get(word.lower()) if word else None
