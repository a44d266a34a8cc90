"""Columns that stop the query with an error: `raise_error('…')`, `assert_true(x > 0, '…')`."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Label
from ruleferry.converters.readers.sql.shapes.branches import first_text, raised
from ruleferry.converters.readers.sql.shapes.counting import Counting
from ruleferry.converters.readers.sql.shapes.figures import judged, of_counting
from ruleferry.converters.readers.sql.shapes.here import Here, Part, attempted, found
from ruleferry.converters.readers.sql.shapes.rows import of_query
from ruleferry.converters.readers.sql.shapes.trees import has_aggregate, has_query, value_of
from ruleferry.converters.readers.sql.shapes.words import words

_ELSEWHERE = "where it stops with an error can't be told"


def of_raised(select: exp.Select, here: Here) -> tuple[Found, ...]:
    """One rule for each such column; empty where there is none."""
    raising = [(item, name) for item, name in here.named(select) if _calls(item)]
    several = len(raising) > 1
    return tuple(
        _rule(item, name, f"column {name or number}" if several else "", select, here)
        for number, (item, name) in enumerate(raising, 1)
    )


def refuse_raised(select: exp.Select) -> None:
    """Raises Unreadable for an error in a place that nothing reads: who takes it for a query that
    only shows records takes its action for another one."""
    for item in select.expressions:
        if any(raised(node) is not None for node in item.find_all(exp.Anonymous)):
            raise Unreadable("unknown_shape", _ELSEWHERE)


def _calls(item: exp.Expression) -> bool:
    return raised(value_of(item)) is not None


def _rule(item: exp.Expression, name: str, word: str, select: exp.Select, here: Here) -> Found:
    function, arguments = called(bare(value_of(item))) or ("", [])
    asserts = function in words("functions", "assert")
    said = arguments[1:] if asserts else arguments
    message = (first_text(said[0]) or "").strip() if said else ""

    def read() -> Checked:
        if asserts:
            return _asserted(arguments[0], select, here)
        return _unless_empty(item, select, here)

    checked = attempted(read, select, here.setting)
    labels = (Label("message", message),) if message else ()
    part = Part(item, word, name, labels, Effect("raise", action="fail", detail=message))
    return found(checked, part, here)


def _asserted(condition: exp.Expression, select: exp.Select, here: Here) -> Checked:
    """It stops where the condition is not TRUE."""
    if has_aggregate(condition) or (has_query(condition) and not select.args.get("from_")):
        return judged(condition, _alone(select), here.setting, of_query, bad=False)
    return of_counting(Counting(_alone(select), condition, bad=False), here.setting, of_query)


def _unless_empty(item: exp.Expression, select: exp.Select, here: Here) -> Checked:
    """It stops with the first record that the query returns."""
    if has_aggregate(item) or has_query(item):
        raise Unreadable("unknown_shape", _ELSEWHERE)
    return of_query(_alone(select), here.setting)


def _alone(select: exp.Select) -> exp.Select:
    """Without what else the query shows."""
    copy = select.copy()
    copy.set("expressions", [exp.Star()])
    return copy
