"""SQL in a cell of a rule list: a condition on a record, a figure, or a query that counts.

`dialect`: in which SQL it is written; None where nothing tells, and it is read as that of Spark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, TypeAlias

from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import Caveat, Figure, Kind, Row, Unread
from ruleferry.converters.table_names import joined

if TYPE_CHECKING:
    from sqlglot import exp

# An operator and its number, as a threshold gives them: ("<=", 0).
Wanted: TypeAlias = tuple[tuple[str, Decimal], ...]

_BARE = re.compile(r"[`\"\[]?[\w.]+[`\"\]]?\Z")
_QUERY = re.compile(r"\s*\(*\s*(?:select|with)\b", re.IGNORECASE)
_TEMPLATE = re.compile(
    r"\$\{|\{\{|\{[A-Za-z_]\w*\}|(?<!\w)<[A-Za-z_]\w*>|(?<![\w@])@[A-Za-z_]\w*|"
    r"(?<![\w:\])`]):[A-Za-z_]\w*"
)
_NO_DIALECT = (
    Caveat(
        "dialect_assumed", "nothing states the dialect of its SQL, which is read as that of Spark"
    ),
)
_TURNED = {"GT": "LT", "GTE": "LTE", "LT": "GT", "LTE": "GTE", "EQ": "EQ"}
_SIGNS = {"GT": ">", "GTE": ">=", "LT": "<", "LTE": "<=", "EQ": "="}


def condition(text: str, columns: tuple[str, ...], dialect: str | None) -> Statement:
    """TRUE for a good record."""
    unread = _unfit(text, columns)
    if unread is not None:
        return Statement("predicate", unread, columns)
    check = Row(SqlText(text.strip(), dialect or "spark", bad=False))
    return Statement("predicate", check, columns, caveats=_told(dialect))


def _told(dialect: str | None) -> tuple[Caveat, ...]:
    return () if dialect else _NO_DIALECT


def _unfit(text: str, columns: tuple[str, ...]) -> Unread | None:
    if _TEMPLATE.search(_without_texts(text)):
        return Unread("template", f"a placeholder stands in it: {_short(text)}", columns)
    if _QUERY.match(text):
        reason = "a query, of which nothing tells whether it returns good records or bad ones"
        return Unread("other_records", f"{reason}: {_short(text)}", columns)
    if _BARE.match(text.strip()):
        return Unread("not_understood", f"a name or value is no condition: {_short(text)}", columns)
    return None


def _without_texts(sql: str) -> str:
    return re.sub(r"""'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|\\.)*\"""", "''", sql)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:119]}…"


# Figures ------------------------------------------------------------------------------------------


def figures(text: str, columns: tuple[str, ...]) -> tuple[Statement, ...]:
    """`sum(price) > 10 and count(*) > 5`: each aggregate is a rule; all of them are, or none is.

    The SQL of a tool that runs on Spark.
    """
    if _TEMPLATE.search(_without_texts(text)):
        gap = Unread("template", f"a placeholder stands in it: {_short(text)}", columns)
        return (Statement("figure", gap, columns),)
    if _BARE.match(text.strip()):
        reason = f"a name or value is no condition: {_short(text)}"
        return (Statement("figure", Unread("not_understood", reason, columns), columns),)
    found = _figures(text)
    if found is None:
        reason = f"a figure over many records that is not one of those known: {_short(text)}"
        return (Statement("figure", Unread("other_records", reason, columns), columns),)
    return tuple(_stated(figure) for figure in found)


def _stated(figure: Figure) -> Statement:
    kind: Kind = "row_count" if figure.measure == "row_count" else "figure"
    return Statement(kind, figure, figure.columns)


def _figures(text: str) -> tuple[Figure, ...] | None:
    tree = _parsed(text)
    if tree is None:
        return None
    found: list[Figure] = []
    for term in _terms(tree):
        figure = _figure(term)
        if figure is None:
            return None
        found.append(figure)
    return tuple(found)


def _parsed(text: str) -> exp.Expr | None:
    import sqlglot

    try:
        return sqlglot.parse_one(text.strip().rstrip(";"), dialect="spark")
    except (sqlglot.errors.SqlglotError, ValueError, RecursionError):
        return None


def _terms(tree: exp.Expr) -> Iterator[exp.Expr]:
    from sqlglot import exp

    tree = tree.unnest()
    if isinstance(tree, exp.And):
        yield from (term for part in tree.flatten() for term in _terms(part))
    else:
        yield tree


def _figure(term: exp.Expr) -> Figure | None:
    from sqlglot import exp

    if isinstance(term, exp.Between):
        low, high = _number(term.args["low"]), _number(term.args["high"])
        bounds = None if low is None or high is None else ((">=", low), ("<=", high))
        return _bounded(term.this, bounds)
    sign = type(term).__name__
    if sign not in _SIGNS:
        return None
    left, right = term.this, term.expression
    if _number(left) is not None:
        left, right, sign = right, left, _TURNED[sign]
    number = _number(right)
    return _bounded(left, None if number is None else ((_SIGNS[sign], number),))


def _number(node: exp.Expr) -> Decimal | None:
    from sqlglot import exp

    negative = isinstance(node, exp.Neg)
    literal = node.this if negative else node
    if not isinstance(literal, exp.Literal) or literal.is_string:
        return None
    try:
        value = Decimal(literal.this)
    except InvalidOperation:
        return None
    return -value if negative else value


def _bounded(aggregate: exp.Expr, wanted: Wanted | None) -> Figure | None:
    measured = _measured(aggregate)
    if measured is None or wanted is None:
        return None
    measure, columns = measured
    return Figure(measure, columns, arguments(wanted))


def arguments(wanted: Wanted) -> tuple[tuple[str, object], ...]:
    """As the figures of the model have them."""
    found: dict[str, object] = {}
    for sign, number in wanted:
        value = int(number) if number == number.to_integral_value() else number
        if sign == "=":
            found["value"] = value
        elif sign[0] == ">":
            found["min_value"] = value
            found |= {"strict_min": True} if sign == ">" else {}
        else:
            found["max_value"] = value
            found |= {"strict_max": True} if sign == "<" else {}
    return tuple(sorted(found.items()))


def _measured(node: exp.Expr) -> tuple[str, tuple[str, ...]] | None:
    from sqlglot import exp

    measures: dict[type[exp.Expr], str] = {
        exp.Sum: "sum", exp.Avg: "mean", exp.Min: "min", exp.Max: "max", exp.Median: "median",
        exp.Stddev: "stdev", exp.StddevSamp: "stdev",
    }  # fmt: skip
    node, inner = node.unnest(), node.unnest().this
    if _options(node):
        return None
    if isinstance(node, exp.Count) and isinstance(inner, exp.Star):
        return "row_count", ()
    if isinstance(node, exp.Count) and isinstance(inner, exp.Distinct):
        only = inner.expressions[0] if len(inner.expressions) == 1 else None
        return ("unique_value_count", (only.name,)) if only and _is_plain(only) else None
    measure = measures.get(type(node))
    return (measure, (inner.name,)) if measure and _is_plain(inner) else None


def _options(node: exp.Expr) -> set[str]:
    """What an aggregate has beside its argument, save what sqlglot notes for itself."""
    return {name for name, value in node.args.items() if value and name not in ("this", "big_int")}


def _is_plain(node: object) -> bool:
    from sqlglot import exp

    return (
        isinstance(node, exp.Column)
        and isinstance(node.this, exp.Identifier)
        and not node.args.get("table")
    )


def query(text: str, columns: tuple[str, ...]) -> Statement:
    """A query of which one tool takes the result as a verdict on whole tables."""
    what = (
        "a name or value" if _BARE.match(text.strip()) else "a query of its own over whole tables"
    )
    code = "not_understood" if what.startswith("a name") else "other_records"
    return Statement("figure", Unread(code, f"{what}: {_short(text)}", columns), columns)


# Queries that give one number ---------------------------------------------------------------------


def counted(
    text: str, wanted: Wanted, columns: tuple[str, ...], dialect: str | None
) -> tuple[Statement, str | None]:
    """`SELECT count(*) FROM orders WHERE price < 0` must be 0: its records are the bad ones.

    With the table that it reads.
    """
    caveats = _told(dialect)
    if _TEMPLATE.search(_without_texts(text)):
        gap = Unread("template", f"a placeholder stands in it: {_short(text)}", columns)
        return Statement("figure", gap, columns), None
    if dialect not in (None, "spark", "databricks"):
        return _counted_elsewhere(text, wanted, columns, str(dialect))
    found = _selected(text)
    if found is None or not wanted:
        reason = f"a query that is more than one figure of one table: {_short(text)}"
        return Statement("figure", Unread("other_records", reason, columns), columns), None
    aggregate, where, table = found
    if where is not None and _none_at_all(aggregate, wanted):
        check = Row(SqlText(where, "spark", bad=True))
        return Statement("predicate", check, columns, caveats=caveats), table
    figure = _bounded(aggregate, wanted)
    if figure is None:
        reason = f"a figure that is not one of those known: {_short(text)}"
        return Statement("figure", Unread("other_records", reason, columns), columns), table
    scope = None if where is None else SqlText(where, "spark", bad=False)
    kind: Kind = "row_count" if figure.measure == "row_count" else "figure"
    return Statement(kind, figure, figure.columns or columns, scope=scope, caveats=caveats), table


def _none_at_all(aggregate: exp.Expr, wanted: Wanted) -> bool:
    return _is_none(wanted) and _measured(aggregate) == ("row_count", ())


def _is_none(wanted: Wanted) -> bool:
    return wanted in ((("=", Decimal(0)),), (("<=", Decimal(0)),), (("<", Decimal(1)),))


def _counted_elsewhere(
    text: str, wanted: Wanted, columns: tuple[str, ...], dialect: str
) -> tuple[Statement, str | None]:
    """A query of another database, of which no record may be left."""
    # A large room, which most workbooks don't need.
    from ruleferry.converters.readers.sql.in_cells import bad_records

    if not _is_none(wanted):
        reason = f"a figure in the SQL of another database than Spark: {_short(text)}"
        return Statement("figure", Unread("other_records", reason, columns), columns), None
    found = bad_records(text, dialect)
    return (
        Statement(found.kind, found.check, found.columns, scope=found.scope, caveats=found.caveats),
        found.table,
    )


_PLAIN = frozenset({"expressions", "from_", "where", "kind"})
_NAMED = frozenset({"this", "db", "catalog"})


def _selected(text: str) -> tuple[exp.Expr, str | None, str] | None:
    """The one thing that it selects, its WHERE and its table; nothing else may stand in it."""
    from sqlglot import exp

    tree = _parsed(text)
    if not isinstance(tree, exp.Select) or len(tree.expressions) != 1:
        return None
    source = tree.args["from_"].this if tree.args.get("from_") else None
    plain = isinstance(source, exp.Table) and not _used(source) - _NAMED
    if not plain or _used(tree) - _PLAIN or tree.find(exp.Subquery, exp.Exists):
        return None
    assert isinstance(source, exp.Table)
    where = tree.args.get("where")
    selected = tree.expressions[0].unalias()
    table = joined([part.name for part in source.parts])
    return selected, where.this.sql(dialect="spark") if where else None, table


def _used(node: exp.Expr) -> set[str]:
    return {part for part, value in node.args.items() if value}
