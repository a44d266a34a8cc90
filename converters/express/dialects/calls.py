"""A call of a dialect's function -> the expression of Spark SQL that means the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express.calls import filled
from ruleferry.converters.express.dialects.arguments import fitted, one_family
from ruleferry.converters.express.dialects.call_rules import RULES
from ruleferry.converters.express.dialects.call_shape import Call
from ruleferry.converters.express.dialects.common_type import same_type
from ruleferry.converters.express.dialects.function_rows import (
    OWN,
    SqlFunction,
    function_of,
    is_known,
    words_of,
)
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import but_empty
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.refusal import Refusal, Refused
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_types import DATE, TIMESTAMP
from ruleferry.converters.wording import named

_CLOCKS = {"current_date()": DATE, "current_timestamp()": TIMESTAMP}


def translated_call(
    name: str,
    arguments: Sequence[exp.Expression],
    read: Callable[[exp.Expression], Term],
    here: Dialectal,
) -> Term:
    """`read` translates an argument. Raises Refusal for what is not in the dialect's table."""
    if here.dialect.name in OWN:
        trees = [read(argument).tree for argument in arguments]
        return Term(call(name, trees))
    row = _row(name, len(arguments), here)
    kinds = row.kinds_of(len(arguments))
    assert kinds is not None
    terms = [
        fitted(kind, argument, read, row.name, here)
        for kind, argument in zip(kinds, arguments, strict=True)
    ]
    one_family([term for kind, term in zip(kinds, terms, strict=True) if kind == "same"], name)
    if row.differs:
        here.tell("dialect_differs", f"{name}(): {row.differs}")
    found = _said(row, terms, read, here)
    return but_empty(found, here) if not row.full else found


def clock_word(name: str, here: Dialectal) -> Term | None:
    """What is called without parentheses, as SYSDATE; None for a name that is none."""
    text = words_of(here.dialect.name).get(name.lower())
    return Term(parse_condition(text), _CLOCKS[text]) if text else None


def _row(name: str, count: int, here: Dialectal) -> SqlFunction:
    dialect = here.dialect
    found = function_of(dialect.name, name, count)
    if isinstance(found, Refused):
        raise Refusal(found.code, found.reason)
    if found is not None and found.kinds_of(count) is not None:
        return found
    known = is_known(dialect.name, name)
    reason = (
        f"is not known with {count} {named('argument', count)}"
        if known
        else "is not in the list of functions"
    )
    raise Refusal("unsupported_function", f"{name}() of {dialect.called} {reason}")


def _said(
    row: SqlFunction,
    terms: list[Term],
    read: Callable[[exp.Expression], Term],
    here: Dialectal,
) -> Term:
    if row.rule is not None:
        found = RULES[row.rule](Call(row.name, tuple(terms), here, read))
        return found if row.returns is None else Term(found.tree, _returned(row, terms))
    trees = [term.tree for term in terms]
    tree = filled(row.means, trees) if row.means is not None else call(row.name, trees)
    return Term(tree, _returned(row, terms))


def _returned(row: SqlFunction, terms: Sequence[Term]) -> ColumnType | None:
    match row.returns:
        case None | "any":
            return None
        case "first":
            return terms[0].type
        case "same":
            return same_type([term.type for term in terms])
    return parse_type(row.returns)
