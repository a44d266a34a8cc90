"""Conditions and row conditions that the source states in Spark SQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from ruleferry.converters.express import regex
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.outcome import Refused as RefusedPattern
from ruleferry.converters.express.predicate_sql import Good as Read
from ruleferry.converters.express.predicate_sql import Refused, read_predicate, read_query
from ruleferry.converters.express.scopes import Tested
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import Caveat, Engine, Grade

_SPARK = frozenset({"spark", "databricks"})
_TAKEN = "its row condition is taken to be Spark SQL, since nothing tells which engine ran it"
_CODES = {"exact": "sql_note", "assumed": "sql_assumed", "differs": "sql_differs"}


def refuse_other_dialect(predicate: SqlText, use: Use) -> None:
    if predicate.dialect not in _SPARK or (use.kind == "sql" and use.engine not in _SPARK):
        raise CannotExpress("needs_sql_reader", "its SQL is of another dialect than Spark's")


def sql_condition(predicate: SqlText, use: Use) -> Good:
    refuse_other_dialect(predicate, use)
    known = use.types.known()
    if predicate.whole_query:
        found: Read | Refused = read_query(predicate.text, known, check_regex=pattern_fault)
    else:
        bad = predicate.bad
        found = read_predicate(predicate.text, known, bad=bad, check_regex=pattern_fault)
    if isinstance(found, Refused):
        raise CannotExpress(found.code, found.reason)
    _refuse_unknown(found.columns, use.types)
    return Good(found.tree, found.nulls, notes_of(found.grade, found.notes))


def out_of_scope(scope: SqlText, engine: Engine | None, types: Types) -> Tested:
    """Where its row condition is FALSE or NULL."""
    told = (Caveat("engine_unknown", _TAKEN),) if engine is None else ()
    outside = read_predicate(scope.text, types.known(), bad=True, check_regex=pattern_fault)
    if isinstance(outside, Refused):
        return Tested(_constant(scope, outside, engine), told)
    _refuse_unknown(outside.columns, types)
    return Tested(outside.tree, (*told, *notes_of(outside.grade, outside.notes)))


def _constant(scope: SqlText, refused: Refused, engine: Engine | None) -> exp.Expression:
    """The row condition was read as that of bad records: one that holds for all limits nothing."""
    if refused.code in ("never_passes", "never_fails"):
        return exp.Boolean(this=refused.code == "never_fails")
    if engine is None:
        reason = f"its row condition {scope.text} can't be read as Spark SQL ({refused.reason})"
        raise CannotExpress("row_condition", f"{reason}, and nothing tells which engine ran it")
    raise CannotExpress(refused.code, f"its row condition: {refused.reason}")


def _refuse_unknown(columns: Iterable[str], types: Types) -> None:
    """Raises CannotExpress where the declared table has no such column."""
    for name in columns:
        types.operand(name, None)


def notes_of(grade: Grade, notes: Sequence[str]) -> tuple[Caveat, ...]:
    """A grade that nothing explains still shows as a caveat."""
    told = notes or (["its columns' types are not known"] if grade != "exact" else [])
    return tuple(Caveat(_CODES[grade], note) for note in told)


def pattern_fault(pattern: str) -> str | None:
    found = regex.to_java(pattern, "java")
    return found.reason if isinstance(found, RefusedPattern) else None
