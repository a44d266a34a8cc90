"""The records that a loop goes through: FOR over a query, or FETCH from a cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.code.nodes import Fetch, Loop, Node, Span
from ruleferry.converters.readers.sql.code.rows import Record, record_of
from ruleferry.converters.readers.sql.code.simple import plain
from ruleferry.converters.readers.sql.code.values import (
    CURRENT,
    Code,
    Value,
    Values,
    assigned,
    changed,
    everything,
)


@dataclass(frozen=True, slots=True)
class Rounds:
    """A round of the loop: its record or why there is none, the code as it is read in it, and what
    variables hold. `query`: of the loop; `told`: the names that its values have in the loop."""

    code: Code
    values: Values
    record: Record | None = None
    why: str = "it runs in a loop"
    query: exp.Expression | None = None
    table: str = ""
    told: frozenset[str] = frozenset()


def rounds_of(node: Loop, code: Code, values: Values, cursors: Mapping[str, Span]) -> Rounds:
    inside = dict(values)
    for name in changed(node.body, code):
        inside[name] = Value(why="changes from round to round")
    fetch = next((n for n in everything(node.body) if isinstance(n, Fetch)), None)
    if node.record:
        return _of_rows(node, code, inside, cursors)
    if fetch is not None and fetch.cursor in cursors:
        return _of_fetch(node.body, fetch, code, inside, cursors[fetch.cursor])
    return Rounds(code, inside)


def _of_rows(node: Loop, code: Code, values: Values, cursors: Mapping[str, Span]) -> Rounds:
    span = node.rows
    if span is not None and span.last > span.first:
        span = cursors.get(plain(code.tokens[span.first].value), span)
    first = code.tokens[span.first].upper if span is not None and span.last > span.first else ""
    if span is None or first not in ("SELECT", "WITH", "("):
        return Rounds(code, values, why="it runs in a loop over numbers or a collection")
    found = _of_query(span, code, values)
    inner = found.code.with_record(node.record, CURRENT)
    return Rounds(
        inner, found.values, found.record, found.why, found.query, found.table,
        frozenset({node.record}),
    )  # fmt: skip


def _of_query(span: Span, code: Code, values: Values) -> Rounds:
    from ruleferry.converters.readers.sql.macros import table_name

    try:
        query, setting = code.parsed(code.source(span), values)
    except Unreadable as error:
        return Rounds(code, values, why=f"the query of its loop can't be read: {error.reason}")
    table = query.find(exp.Table)
    name = table_name(table, setting.macros) if table is not None else ""
    record = record_of(query, name)
    if isinstance(record, str):
        return Rounds(code, values, None, record, query, name)
    return Rounds(code, values, record, "", query, name)


def _of_fetch(body: Sequence[Node], fetch: Fetch, code: Code, values: Values, span: Span) -> Rounds:
    """FETCH c INTO a, b: the variables are columns of the cursor's query, by their place."""
    found = _of_query(span, code, values)
    told = frozenset(fetch.into)
    if len(fetch.into) == 1 and found.record is not None and _is_record(fetch.into[0], code):
        inner = code.with_record(fetch.into[0], CURRENT)
        return Rounds(inner, values, found.record, "", found.query, found.table, told)
    others = assigned([n for n in everything(body) if not isinstance(n, Fetch) and _is_leaf(n)])
    outputs = list(found.record.outputs or {}) if found.record is not None else []
    fetches = {(n.cursor, n.into) for n in everything(body) if isinstance(n, Fetch)}
    if len(outputs) == len(fetch.into) and fetches == {(fetch.cursor, fetch.into)}:
        for name, column in zip(fetch.into, outputs, strict=True):
            if name not in others:
                values[name] = Value(exp.column(column, table=CURRENT))
    return Rounds(code, values, found.record, found.why, found.query, found.table, told)


def _is_leaf(node: Node) -> bool:
    return not hasattr(node, "body") and not hasattr(node, "arms")


def _is_record(name: str, code: Code) -> bool:
    """`r.x` is written somewhere."""
    pairs = zip(code.tokens, code.tokens[1:], strict=False)
    return any(plain(one.value) == name and other.text == "." for one, other in pairs)
