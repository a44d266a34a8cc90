"""Conditions and row conditions that the source states in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.dialects.joins import without_join_marks
from ruleferry.converters.dialects.parse import Unreadable, parse_expression, parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express import regex
from ruleferry.converters.express.computed import BATCH
from ruleferry.converters.express.good import Good, OtherTable, Use
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.outcome import Refused as RefusedPattern
from ruleferry.converters.express.predicate_sql import Good as Read
from ruleferry.converters.express.predicate_sql import (
    Refused,
    read_predicate,
    read_query,
    read_query_tree,
    read_tree,
    with_batch,
)
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.scopes import Tested
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import Caveat, Engine, Grade

TypeOf: TypeAlias = Callable[[exp.Column], ColumnType | None]

_SPARK = frozenset({"spark", "databricks"})
_TAKEN = "its row condition is taken to be Spark SQL, since nothing tells which engine ran it"
_CODES = {"exact": "sql_note", "assumed": "sql_assumed", "differs": "sql_differs"}


def refuse_other_dialect(predicate: SqlText, use: Use) -> None:
    """Spark SQL that a tool wrote for a database which is none, or a dialect that is not known."""
    written_as_spark = predicate.dialect in _SPARK and predicate.tree is None
    foreign = written_as_spark and use.kind == "sql" and use.engine not in _SPARK
    if foreign or predicate.dialect not in sql_dialects():
        raise CannotExpress("needs_sql_reader", "its SQL is of another dialect than Spark's")


def is_plain_spark(predicate: SqlText) -> bool:
    """Whether Spark's own reader reads the text."""
    return predicate.dialect in _SPARK and predicate.tree is None


def spark_tree(
    predicate: SqlText,
    types: Types,
    others: Callable[[str], OtherTable] | None = None,
    type_of: TypeOf | None = None,
) -> tuple[exp.Expression, tuple[Caveat, ...]]:
    """The tree of Spark SQL that means what the dialect's text does. Raises Refusal.

    `type_of`: of a column where it stands, for whoever knows better than the query's own sources.
    """
    # Large rooms, which most suites don't need.
    from ruleferry.converters.express.dialects import in_spark
    from ruleferry.converters.express.dialects.portable import PORTABLE, in_every_dialect
    from ruleferry.converters.express.dialects.sources import types_in_query, types_of_record

    known = types.known()

    def of_table(table: exp.Table) -> Mapping[str, ColumnType]:
        name = ".".join(part.name for part in table.parts)
        if name == BATCH:
            return known
        return others(name).types.known() if others is not None else {}

    tree, settings, query = _tree(predicate), predicate.settings, predicate.whole_query
    type_of = type_of or (types_in_query(of_table) if query else types_of_record(known))
    if predicate.dialect == PORTABLE:
        found = in_every_dialect(tree, settings, type_of, as_condition=not query)
    else:
        dialect = sql_dialects()[predicate.dialect]
        found = in_spark(tree, dialect, settings, type_of, as_condition=not query)
    return found.tree, found.caveats


def _tree(predicate: SqlText) -> exp.Expression:
    if isinstance(predicate.tree, exp.Expression):
        return without_join_marks(predicate.tree)
    dialect = sql_dialects()[predicate.dialect]
    try:
        if predicate.whole_query:
            return without_join_marks(parse_statement(with_batch(predicate.text), dialect))
        return parse_expression(predicate.text, dialect)
    except Unreadable as unreadable:
        raise Refusal(unreadable.code, unreadable.reason) from unreadable


def sql_condition(predicate: SqlText, use: Use) -> Good:
    refuse_other_dialect(predicate, use)
    try:
        found, told = _read(predicate, use.types)
    except Refusal as refusal:
        raise CannotExpress(refusal.refused.code, refusal.refused.reason) from refusal
    if isinstance(found, Refused):
        raise CannotExpress(found.code, found.reason)
    _refuse_unknown(found.columns, use.types)
    return Good(found.tree, found.nulls, (*told, *notes_of(found.grade, found.notes)))


def _read(predicate: SqlText, types: Types) -> tuple[Read | Refused, tuple[Caveat, ...]]:
    known, bad = types.known(), predicate.bad
    if is_plain_spark(predicate):
        if predicate.whole_query:
            return read_query(predicate.text, known, check_regex=pattern_fault), ()
        return read_predicate(predicate.text, known, bad=bad, check_regex=pattern_fault), ()
    tree, told = spark_tree(predicate, types)
    if predicate.whole_query:
        return read_query_tree(tree, known, check_regex=pattern_fault), told
    read_ = read_tree(tree, known, bad=bad, check_regex=pattern_fault)
    return _without_idle(read_, predicate), told


def _without_idle(read_: Read | Refused, predicate: SqlText) -> Read | Refused:
    """NULLIF(x, '') where it decides something alone."""
    from ruleferry.converters.express.dialects.empty import without_idle

    if isinstance(read_, Refused) or not sql_dialects()[predicate.dialect].empty:
        return read_
    return replace(read_, tree=without_idle(read_.tree))


def out_of_scope(scope: SqlText, engine: Engine | None, types: Types) -> Tested:
    """Where its row condition is FALSE or NULL."""
    told = (Caveat("engine_unknown", _TAKEN),) if engine is None and is_plain_spark(scope) else ()
    try:
        outside, more = _read(replace(scope, bad=True), types)
    except Refusal as refusal:
        outside, more = refusal.refused, ()
    told = (*told, *more)
    if isinstance(outside, Refused):
        return Tested(_constant(scope, outside, engine), told)
    _refuse_unknown(outside.columns, types)
    return Tested(outside.tree, (*told, *notes_of(outside.grade, outside.notes)))


def _constant(scope: SqlText, refused: Refused, engine: Engine | None) -> exp.Expression:
    """The row condition was read as that of bad records: one that holds for all limits nothing."""
    if refused.code in ("never_passes", "never_fails"):
        return exp.Boolean(this=refused.code == "never_fails")
    if engine is None and is_plain_spark(scope):
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
