"""Conditions and row conditions that the source states in Spark SQL."""

from __future__ import annotations

from collections.abc import Iterable

from ruleferry.converters.express import regex
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import either
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.outcome import Refused as RefusedPattern
from ruleferry.converters.express.predicate_sql import Good as Read
from ruleferry.converters.express.predicate_sql import Refused, read_predicate, read_query
from ruleferry.converters.rule import Caveat, SqlText

_SPARK = frozenset({"spark", "databricks"})
_CODES = {"exact": "sql_note", "assumed": "sql_assumed", "differs": "sql_differs"}


def sql_condition(predicate: SqlText, use: Use) -> Good:
    if predicate.dialect not in _SPARK or use.engine == "sql":
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
        raise CannotExpress(outside.code, f"its row condition: {outside.reason}")
    _refuse_unknown(outside.columns, types)
    caveats = (*good.caveats, Caveat("scope", f"checked only where {scope.text}"), *_notes(outside))
    return Good(either(outside.tree, good.tree), good.nulls, caveats)


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
