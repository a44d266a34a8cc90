"""Casts to a truth value."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    again,
    differs,
    family,
    is_number,
    is_text,
    literal_text,
    null,
    sql,
    truth,
)
from ruleferry.converters.express.functions import call

_WORDS = ("t", "true", "y", "yes", "on", "1"), ("f", "false", "n", "no", "off", "0")
_PLAIN = ("true",), ("false",)
# The words for TRUE and for FALSE.
WORDS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "postgres": _WORDS, "redshift": _WORDS, "netezza": _WORDS, "snowflake": _WORDS,
    "bigquery": _PLAIN, "duckdb": (("true", "t", "1"), ("false", "f", "0")),
    "tsql": (("true", "1"), ("false", "0")),
}  # fmt: skip
# Blanks around a word are no part of it.
_TRIMS = frozenset(WORDS) - {"bigquery"}
# Other texts are of no use there, too: `tru` is TRUE in PostgreSQL, 7 is in SQL Server.
_MORE = frozenset({"postgres", "netezza", "tsql"})


def to_truth(term: Term, here: Dialectal) -> Term:
    if is_number(term):
        return truth(exp.NEQ(this=term.tree, expression=exp.Literal.number(0)))
    if family(term) == "boolean":
        return term
    words = WORDS.get(here.dialect.name)
    if words is None or not is_text(term):
        name = here.dialect.called
        raise differs(f"how {name} reads {sql(term.tree)} as a truth value is not carried over")
    value = literal_text(term.tree)
    return _of_literal(value, words, here) if value is not None else _of_text(term, words, here)


def _of_literal(
    value: str, words: tuple[tuple[str, ...], tuple[str, ...]], here: Dialectal
) -> Term:
    word = (value.strip() if here.dialect.name in _TRIMS else value).lower()
    if word in words[0] or word in words[1]:
        return truth(exp.Boolean(this=word in words[0]))
    if here.dialect.name in _MORE:
        raise differs(f"{value!r} is read as a truth value in it")
    return null()


def _of_text(term: Term, words: tuple[tuple[str, ...], tuple[str, ...]], here: Dialectal) -> Term:
    if here.dialect.name in _MORE:
        here.tell("dialect_differs", f"the source reads other words as a truth value, too, in "
                                     f"{sql(term.tree)}")  # fmt: skip
    word = call("trim", [again(term)]) if here.dialect.name in _TRIMS else again(term)
    ifs = [
        exp.If(
            this=exp.In(
                this=call("lower", [word.copy()]),
                expressions=[exp.Literal.string(listed) for listed in spelled],
            ),
            true=exp.Boolean(this=value),
        )
        for spelled, value in zip(words, (True, False), strict=True)
    ]
    return truth(exp.Case(ifs=ifs))
