"""How the rooms of this folder reach each other: each reads some kinds of nodes.

A room reads what stands within its nodes by `read` and `condition`; `walk` says which room a node
belongs to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import BOOLEAN, NUMBERS, STRING, TEXTS, TIMES, VOID

Step: TypeAlias = Callable[[exp.Expression, Dialectal], Term]
STEPS: dict[type[exp.Expression], Step] = {}

# Where a number is TRUE unless it is 0.
_NUMBERS_ARE_TRUE = frozenset({"mysql"})


def read(tree: exp.Expression, here: Dialectal) -> Term:
    """A value or a predicate. Raises Refusal."""
    node = bare(tree)
    step = STEPS.get(type(node))
    if step is None:
        raise no_meaning(node, here)
    return step(node, here)


def condition(tree: exp.Expression, here: Dialectal) -> exp.Expression:
    """What stands where TRUE or FALSE is wanted."""
    return as_condition(read(tree, here), here)


def as_condition(term: Term, here: Dialectal) -> exp.Expression:
    if is_null(term):
        return unknown()
    if family(term) == "boolean":
        return term.tree
    if here.dialect.name in _NUMBERS_ARE_TRUE:
        if family(term) in NUMBERS:
            return exp.NEQ(this=term.tree, expression=exp.Literal.number(0))
        raise type_needed(term, "a number or a truth value", here)
    if term.type is None:
        return term.tree
    raise differs(f"{sql(term.tree)} is no condition in {here.dialect.called}")


# Terms --------------------------------------------------------------------------------------------


def family(term: Term) -> str | None:
    return term.type.family if term.type is not None else None


def is_null(term: Term) -> bool:
    return term.type == VOID


def is_text(term: Term) -> bool:
    return family(term) in TEXTS


def is_number(term: Term) -> bool:
    return family(term) in NUMBERS


def is_time(term: Term) -> bool:
    return family(term) in TIMES


def literal_text(node: exp.Expression) -> str | None:
    node = bare(node)
    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


def literal_number(node: exp.Expression) -> str | None:
    """As it is written, with its sign."""
    node, sign = bare(node), ""
    if isinstance(node, exp.Neg):
        node, sign = bare(node.this), "-"
    if isinstance(node, exp.Literal) and not node.is_string:
        return sign + str(node.this)
    return None


def text(value: str) -> Term:
    return Term(exp.Literal.string(value), STRING)


def truth(tree: exp.Expression) -> Term:
    return Term(tree, BOOLEAN)


def unknown() -> exp.Expression:
    """NULL as a truth value: of the bare word Spark makes no condition."""
    return exp.Cast(this=exp.Null(), to=exp.DataType(this=exp.DataType.Type.BOOLEAN))


def null() -> Term:
    return Term(exp.Null(), VOID)


def again(term: Term) -> exp.Expression:
    """A node has one parent, so that a tree is used once."""
    return term.tree.copy()


def common(types: list[ColumnType | None]) -> ColumnType | None:
    """The type of all of them, NULL aside; None where they differ or one is not known."""
    known = [kind for kind in types if kind != VOID]
    if not known:
        return VOID
    first = known[0]
    same = first is not None and all(k is not None and k.text == first.text for k in known)
    if same:
        return first
    return STRING if all(k is not None and k.family in TEXTS for k in known) else None


# Refusals -----------------------------------------------------------------------------------------


def sql(node: exp.Expression) -> str:
    """A part of a tree in a sentence."""
    written = node.sql(unsupported_level=ErrorLevel.IGNORE)
    return written if len(written) <= _LONG else f"{written[:_LONG]}…"


_LONG = 80


def differs(reason: str) -> Refusal:
    return Refusal("dialect_meaning", reason)


def type_needed(term: Term, what: str, here: Dialectal) -> Refusal:
    where = f"in {here.dialect.called} it decides what the expression means"
    return Refusal("type_needed", f"whether {sql(term.tree)} is {what} is not known, and {where}")


def no_meaning(node: exp.Expression, here: Dialectal) -> Refusal:
    if isinstance(node, exp.JSONExtract | exp.JSONExtractScalar):
        return differs(f"a part of a JSON value of {here.dialect.called} is not carried over")
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        called = f"{node.expression.name}()"
        reason = f"{called} is a function of the database's own, whose code is not here"
        return Refusal("unsupported_function", reason)
    name = node.sql_name() if isinstance(node, exp.Func) else type(node).__name__.upper()
    return differs(f"{name} of {here.dialect.called} is not carried over")


def only(node: exp.Expression, *known: str) -> None:
    """Raises Refusal where the node says more than that."""
    for key, value in node.args.items():
        if value and key not in known:
            word = key.rstrip("_").replace("_", " ").upper()
            raise differs(f"{type(node).__name__.upper()} with {word} is not carried over")
