"""Conditions and row conditions that the source states in Spark SQL."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from ruleferry.converters.express import regex
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import either
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.outcome import Refused as RefusedPattern
from ruleferry.converters.express.predicate_sql import Good as Read
from ruleferry.converters.express.predicate_sql import Refused, read_predicate, read_query
from ruleferry.converters.express.sql_text import operands
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.rule import Caveat, SqlText

_SPARK = frozenset({"spark", "databricks"})
_CODES = {"exact": "sql_note", "assumed": "sql_assumed", "differs": "sql_differs"}


def sql_condition(predicate: SqlText, use: Use) -> Good:
    if predicate.dialect not in _SPARK or use.kind == "sql":
        raise CannotExpress("needs_sql_reader", "its SQL is of another dialect than Spark's")
    known = use.types.known()
    if predicate.whole_query:
        found: Read | Refused = read_query(predicate.text, known, check_regex=_pattern_fault)
    else:
        bad = predicate.bad
        found = read_predicate(predicate.text, known, bad=bad, check_regex=_pattern_fault)
    if isinstance(found, Refused):
        raise CannotExpress(found.code, found.reason)
    _refuse_unknown(found.columns, use.types)
    return Good(found.tree, found.nulls, _notes(found))


def scoped(good: Good, scope: SqlText | None, types: Types) -> Good:
    """A record out of scope is good; so is one whose row condition is NULL."""
    if scope is None:
        return good
    if scope.dialect not in _SPARK:
        raise CannotExpress("row_condition", f"its row condition is {scope.text} ({scope.dialect})")
    outside = read_predicate(scope.text, types.known(), bad=True, check_regex=_pattern_fault)
    if isinstance(outside, Refused):
        return _of_constant_scope(good, scope, outside)
    _refuse_unknown(outside.columns, types)
    _refuse_certain(outside.tree, good, scope)
    caveats = (*good.caveats, _scope_note(scope), *_notes(outside))
    return Good(either(outside.tree, good.tree), good.nulls, caveats)


def _of_constant_scope(good: Good, scope: SqlText, refused: Refused) -> Good:
    """The row condition was read as that of bad records: one that holds for all limits nothing."""
    if refused.code == "never_passes":
        return Good(good.tree, good.nulls, (*good.caveats, _scope_note(scope)))
    if refused.code == "never_fails":
        raise CannotExpress("never_fails", f"its row condition {scope.text} applies to no record")
    raise CannotExpress(refused.code, f"its row condition: {refused.reason}")


def _refuse_certain(outside: exp.Expression, good: Good, scope: SqlText) -> None:
    """`x IS NULL OR … OR x IS NOT NULL`: where the rule applies, it can't fail."""
    terms = {shape(term) for tree in (outside, good.tree) for term in _alternatives(tree)}
    if any(("Not", term) in terms for term in terms):
        reason = f"its row condition {scope.text} applies only to records that pass"
        raise CannotExpress("never_fails", reason)


def _alternatives(tree: exp.Expression) -> list[exp.Expression]:
    return operands(tree) if isinstance(tree, exp.Or) else [tree]


def _scope_note(scope: SqlText) -> Caveat:
    return Caveat("scope", f"checked only where {scope.text}")


def _refuse_unknown(columns: Iterable[str], types: Types) -> None:
    """Raises CannotExpress where the declared table has no such column."""
    for name in columns:
        types.operand(name, None)


def _notes(found: Read) -> tuple[Caveat, ...]:
    """A grade that nothing explains still shows as a caveat."""
    notes = found.notes or (("its columns' types are not known",) if found.grade != "exact" else ())
    return tuple(Caveat(_CODES[found.grade], note) for note in notes)


def _pattern_fault(pattern: str) -> str | None:
    found = regex.to_java(pattern, "java")
    return found.reason if isinstance(found, RefusedPattern) else None
