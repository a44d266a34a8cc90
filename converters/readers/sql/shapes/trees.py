"""Small questions about trees that every shape asks."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called, nodes
from ruleferry.converters.readers.sql.found import STAND_IN
from ruleferry.converters.readers.sql.shapes.words import words


def aggregate(node: object) -> tuple[str, list[exp.Expression]] | None:
    """The name and arguments of an aggregate that is no window."""
    found = called(node)
    if found is None or found[0] not in words("functions", "aggregates"):
        return None
    assert isinstance(node, exp.Expression)
    above = node.parent.parent if isinstance(node.parent, exp.Filter) else node.parent
    return None if isinstance(above, exp.Window) else found


def own_nodes(tree: exp.Expression) -> Iterator[exp.Expression]:
    """Without those of queries within it."""
    waiting: list[exp.Expr] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.Query):
            continue
        if isinstance(node, exp.Expression):
            yield node
        waiting += node.iter_expressions(reverse=True)


def has_aggregate(tree: exp.Expression) -> bool:
    return any(aggregate(node) or isinstance(node, exp.AggFunc) for node in own_nodes(tree))


def has_window(tree: exp.Expression) -> bool:
    return any(isinstance(node, exp.Window) for node in own_nodes(tree))


def has_query(tree: exp.Expression) -> bool:
    return any(isinstance(node, exp.Query) for node in nodes(tree))


def looks_further(item: exp.Expression) -> bool:
    """Whether an item of a select list looks at other records."""
    return has_query(item) or has_window(item) or has_aggregate(item)


def value_of(item: exp.Expression) -> exp.Expression:
    """An item of a select list without its name; `@n = COUNT(*)` is its value."""
    node = bare(item.this if isinstance(item, exp.Alias) else item)
    if isinstance(node, exp.EQ) and isinstance(bare(node.this), exp.Parameter):
        return bare(node.expression)
    return node


def number(node: object) -> float | None:
    """A number that is written down."""
    if isinstance(node, exp.Expression):
        node = bare(node)
    if isinstance(node, exp.Neg):
        inner = number(node.this)
        return None if inner is None else -inner
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    try:
        return float(node.name)
    except ValueError:
        return None


def text(node: object) -> str | None:
    """A text that is written down; N'…' is one too."""
    if isinstance(node, exp.Expression):
        node = bare(node)
    if isinstance(node, exp.National):
        return str(node.this)
    return node.name if isinstance(node, exp.Literal) and node.is_string else None


def is_null_test(node: exp.Expression) -> tuple[exp.Expression, bool] | None:
    """What is tested, and whether TRUE means that it is missing."""
    node = bare(node)
    if isinstance(node, exp.Not):
        inner = is_null_test(node.this)
        return None if inner is None else (inner[0], not inner[1])
    if not isinstance(node, exp.Is) or not isinstance(bare(node.expression), exp.Null):
        return None
    return bare(node.this), not node.args.get("negate")


def columns_of(*trees: exp.Expression | None) -> tuple[str, ...]:
    """In the order of the text, each once, whatever its case."""
    found: dict[str, str] = {}
    for tree in trees:
        for node in nodes(tree) if tree is not None else ():
            if not isinstance(node, exp.Column):
                continue
            name = node.parts[0].name
            if isinstance(node.this, exp.Star) or name.lower().startswith(STAND_IN):
                continue
            if not _is_unit(node):
                found.setdefault(name.lower(), name)
    return tuple(found.values())


def _is_unit(column: exp.Column) -> bool:
    """`DATEDIFF(year, a, b)`: the unit is no column."""
    found = called(column.parent)
    if found is None or column.table or not found[0].startswith(("date", "timestamp", "time")):
        return False
    return len(found[1]) > 1 and column.name.lower() in _UNITS


_UNITS = frozenset({
    "year", "years", "yy", "yyyy", "quarter", "qq", "q", "month", "months", "mm", "m", "week",
    "weeks", "wk", "ww", "day", "days", "dd", "d", "dayofyear", "dy", "hour", "hours", "hh",
    "minute", "minutes", "mi", "n", "second", "seconds", "ss", "s", "millisecond", "ms",
    "microsecond",
})  # fmt: skip


def only_args(node: exp.Expr, allowed: frozenset[str]) -> str | None:
    """The first argument that is set beside the allowed ones, as a word of SQL."""
    for key, value in node.args.items():
        if value and key not in allowed:
            return key.rstrip("_").replace("_", " ").upper()
    return None
