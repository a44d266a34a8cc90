"""Spark or Databricks SQL -> a condition that is TRUE for a good record, or why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express import literals
from ruleferry.converters.express.computed import BATCH
from ruleferry.converters.express.functions import called, function, refused_functions
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal, Refused
from ruleferry.converters.express.spark_parser import parse_condition, parse_query
from ruleferry.converters.express.spark_tokens import double_quoted
from ruleferry.converters.express.three_valued import is_not_true, is_true
from ruleferry.converters.express.totality import make_total
from ruleferry.converters.express.truth import Outcomes, outcomes
from ruleferry.converters.rule import Grade, Nulls

__all__ = [
    "Good",
    "Query",
    "Refused",
    "read_predicate",
    "read_query",
    "read_query_tree",
    "read_tree",
]

_Types = Mapping[str, ColumnType]
_CheckRegex = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Good:
    """`tree` is TRUE or FALSE for every record and never raises.

    The verdict is that of the text wherever Spark gives one; `grade` "differs" means that the text
    may stop the check with an error where the condition does not, as `notes` tell, "assumed" that
    a column's type is not known. `columns` as the text writes them; `nulls` is what becomes of a
    record all of whose columns are missing.
    """

    tree: exp.Expression
    notes: tuple[str, ...]
    grade: Grade
    columns: tuple[str, ...]
    nulls: Nulls


@dataclass(frozen=True, slots=True)
class Query(Good):
    """The condition of a query that selects bad records; `table` as the text names it."""

    table: str
    alias: str | None


def read_predicate(
    text: str, types: _Types, *, bad: bool, check_regex: _CheckRegex = literals.regex_fault
) -> Good | Refused:
    """`bad`: the text is TRUE for a bad record; else TRUE for a good one, and NULL is bad.

    `types` by lower-case name. `check_regex` gives the reason to refuse a pattern, or None.
    """
    try:
        return _good(parse_condition(text), types, bad, check_regex, text)
    except Refusal as refusal:
        return refusal.refused


def read_tree(
    tree: exp.Expression,
    types: _Types,
    *,
    bad: bool,
    check_regex: _CheckRegex = literals.regex_fault,
) -> Good | Refused:
    """As `read_predicate`, of a tree of Spark SQL."""
    try:
        return _good(tree, types, bad, check_regex)
    except Refusal as refusal:
        return refusal.refused


def _good(
    tree: exp.Expression, types: _Types, bad: bool, check_regex: _CheckRegex, text: str = ""
) -> Good:
    refuse_quoted_columns(text, types)
    return good_of(tree, types, bad, check_regex)


def good_of(
    tree: exp.Expression,
    types: _Types,
    bad: bool,
    check_regex: _CheckRegex,
    counts: frozenset[str] = frozenset(),
) -> Good:
    """The same of Spark SQL's tree; `counts`: columns that are never negative. Raises Refusal."""
    total = make_total(tree, types, check_regex, counts)
    if isinstance(total, Refused):
        raise Refusal(total.code, total.reason)
    _refuse_constant(outcomes(total.tree), bad)
    condition = is_not_true(total.tree) if bad else is_true(total.tree)
    if isinstance(condition, exp.Boolean):
        raise _constant(passes=bool(condition.this))
    return Good(condition, total.notes, total.grade, _columns(total.tree), _nulls(condition, bad))


def refuse_quoted_columns(text: str, types: _Types) -> None:
    """`"status" = 'F'` compares two texts in Spark; whoever writes a column's name means it."""
    for name in double_quoted(text):
        if name in types:
            raise Refusal("not_readable", f'"{name}" in double quotes is a text, not the column')


def _refuse_constant(found: Outcomes, bad: bool) -> None:
    if True not in found:
        raise _constant(passes=bad)
    if found == {True}:
        raise _constant(passes=not bad)


def _constant(passes: bool) -> Refusal:
    if passes:
        return Refusal("never_fails", "it lets every record pass, whatever it holds")
    return Refusal("never_passes", "it refuses every record, whatever it holds")


def _columns(tree: exp.Expression) -> tuple[str, ...]:
    """In the order of the text, each once, whatever its case; of a field, the column it is in."""
    found: dict[str, str] = {}
    for node in tree.find_all(exp.Column, bfs=False):
        name = node.parts[0].name
        found.setdefault(name.lower(), name)
    return tuple(found.values())


def _nulls(condition: exp.Expression, bad: bool) -> Nulls:
    if condition.find(exp.Column) is None:
        return "none"
    found = outcomes(condition, missing=True)
    if len(found) == 1:
        return "pass" if True in found else "fail"
    return "pass" if bad else "fail"


# Queries that select bad records ------------------------------------------------------------------

_BRACES = re.compile(r"\{\{|\}\}|\{batch\}|\{[^{}]*\}?|\}")
_ALLOWED = frozenset({"expressions", "from_", "where", "order"})


def read_query(
    query: str, types: _Types, *, check_regex: _CheckRegex = literals.regex_fault
) -> Query | Refused:
    """`unexpected_rows_query` of Great Expectations: every row that it selects is bad.

    Per record is a query that selects from `{batch}` alone by a WHERE; doubled braces are braces.
    """
    try:
        return _read_query(query, types, check_regex)
    except Refusal as refusal:
        return refusal.refused


def read_query_tree(
    select: exp.Expression, types: _Types, *, check_regex: _CheckRegex = literals.regex_fault
) -> Query | Refused:
    """As `read_query`, of a tree of Spark SQL in which the batch has its name."""
    try:
        return _of_select(select, types, check_regex)
    except Refusal as refusal:
        return refusal.refused


def _read_query(query: str, types: _Types, check_regex: _CheckRegex) -> Query:
    text = with_batch(query)
    return _of_select(parse_query(text), types, check_regex, text)


def _of_select(
    select: exp.Expression, types: _Types, check_regex: _CheckRegex, text: str = ""
) -> Query:
    table = _only_table(select)
    alias = table.alias or None
    where = select.args.get("where")
    if where is None:
        raise Refusal("never_passes", "the query has no WHERE: it finds every record bad")
    predicate = unqualified(where.this, {BATCH, (alias or BATCH).lower()})
    good = _good(predicate, types, True, check_regex, text)
    return Query(
        good.tree, good.notes, good.grade, good.columns, good.nulls, table="{batch}", alias=alias
    )


def with_batch(query: str) -> str:
    """The text as `str.format` leaves it, with a name for the batch."""
    if BATCH in query:
        raise Refusal("not_readable", f"it uses the name {BATCH}")

    def fill(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        if found[0] == "{batch}":
            return BATCH
        raise Refusal("template", f"it holds a placeholder: {found[0]}")

    return _BRACES.sub(fill, query)


def _only_table(select: exp.Expression) -> exp.Table:
    if not isinstance(select, exp.Select):
        raise Refusal("needs_dataset", "it is no plain SELECT")
    extra = [key for key, value in select.args.items() if value and key not in _ALLOWED]
    if extra:
        name = extra[0].rstrip("_").replace("_", " ").upper()
        raise Refusal("needs_dataset", f"the query has more than a WHERE: {name}")
    source = select.args.get("from_")
    table = source.this if source is not None else None
    if not isinstance(table, exp.Table) or table.name != BATCH or _has_more(table):
        raise Refusal("needs_dataset", "the query does not read {batch} alone")
    if sum(t.name == BATCH for t in select.find_all(exp.Table)) > 1:
        raise Refusal("needs_dataset", "the query reads {batch} twice")
    for item in select.expressions:
        refuse_other_rows(item)
    return table


def _has_more(table: exp.Table) -> bool:
    """A schema, samples, pivots, versions, hints, or names for the columns."""
    alias = table.args.get("alias")
    renamed = alias is not None and bool(alias.args.get("columns"))
    return renamed or any(v for k, v in table.args.items() if v and k not in ("this", "alias"))


def refuse_other_rows(item: exp.Expression) -> None:
    """What a query shows of a bad record does not matter, as long as it shows each one once."""
    for node in item.walk():
        if isinstance(node, exp.Query | exp.Window | exp.AggFunc):
            raise Refusal("needs_dataset", "its select list looks at other records")
        found = called(node) if isinstance(node, exp.Expression) else None
        if found is None:
            continue
        name, arguments = found
        if (
            refused := refused_functions().get(name)
        ) is not None and refused.code != "unsupported_function":
            raise Refusal("needs_dataset", f"its select list: {refused.reason}")
        if refused is None and function(name, len(arguments)) is None:
            raise Refusal("unsupported_function", f"its select list calls {name}()")


def unqualified(tree: exp.Expression, tables: set[str]) -> exp.Expression:
    """Columns without the table's name or alias before them."""
    root = exp.Paren(this=tree.copy())
    for node in list(root.find_all(exp.Column)):
        first, *fields = [part.copy() for part in node.parts]
        if fields and first.name.lower() in tables:
            keys = ("this", "table", "db", "catalog")
            node.replace(exp.Column(**dict(zip(keys, reversed(fields), strict=False))))
    return bare(root)
