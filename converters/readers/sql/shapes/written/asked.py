"""Conditions that ask for marks: `ISNULL(error_flag, 0) = 0`, `err_msg IS NOT NULL`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.readers.sql.shapes.trees import is_null_test, number
from ruleferry.converters.readers.sql.shapes.words import words
from ruleferry.converters.readers.sql.shapes.written.marks import literal, mark, mark_kind

_ABOVE: Mapping[type[exp.Expression], float] = {exp.GT: 0.0, exp.GTE: 1.0}


def marks_of(condition: exp.Expression) -> tuple[str, ...]:
    """The columns of a condition where all of them are marks, and nothing else is looked at."""
    if condition.find(exp.Query) is not None:
        return ()
    names = {node.name.lower(): node.name for node in condition.find_all(exp.Column)}
    return tuple(names) if names and all(map(mark_kind, names.values())) else ()


def is_of_table(condition: exp.Expression, table: exp.Table) -> bool:
    """A mark of another table is none of the records that are changed."""
    own = {"", table.alias_or_name.lower(), table.name.lower()}
    return all(node.table.lower() in own for node in condition.find_all(exp.Column))


def asks_for_marked(condition: exp.Expression) -> bool | None:
    """TRUE of records that are marked as bad (True) or that are not (False); None: not certain."""
    node = bare(condition)
    step = _STEPS.get(type(node))
    return step(node) if step is not None else None


def _all(parts: Sequence[bool | None]) -> bool | None:
    """What all parts say alike."""
    return parts[0] if len({*parts}) == 1 else None


def _chain(node: exp.Expression) -> bool | None:
    return _all([asks_for_marked(node.this), asks_for_marked(node.args["expression"])])


def _not(node: exp.Expression) -> bool | None:
    inner = asks_for_marked(node.this)
    return None if inner is None else not inner


def _column(node: exp.Expression) -> bool | None:
    """A truth value by itself."""
    kind = mark_kind(node.name)
    return {"bad": True, "good": False}.get(kind or "")


def _is(node: exp.Expression) -> bool | None:
    if isinstance(bare(node.args["expression"]), exp.Boolean):
        asked = asks_for_marked(node.this)
        wanted = bool(bare(node.args["expression"]).this) != bool(node.args.get("negate"))
        return None if asked is None else asked == wanted
    found = is_null_test(node)
    if found is None or not isinstance(found[0], exp.Column):
        return None
    kind, missing = mark_kind(found[0].name), found[1]
    return None if kind is None else missing == (kind == "good")


def _equal(node: exp.Expression) -> bool | None:
    return _compared(node.this, node.args["expression"])


def _unequal(node: exp.Expression) -> bool | None:
    found = _compared(node.this, node.args["expression"])
    return None if found is None else not found


def _in(node: exp.Expression) -> bool | None:
    if not node.expressions:
        return None
    return _all([_compared(node.this, each) for each in node.expressions])


def _above(node: exp.Expression) -> bool | None:
    """`errors > 0`, `LENGTH(err_msg) > 0`."""
    least, limit = _ABOVE[type(node)], number(node.args["expression"])
    column = _column_of(node.this)
    if column is None or limit != least or mark_kind(column.name) not in ("bad", "message"):
        return None
    return True


def _compared(left: exp.Expression, right: exp.Expression) -> bool | None:
    column, value = _column_of(left), literal(right)
    kind = mark_kind(column.name) if column is not None else None
    if column is None or kind is None or value is None:
        return None
    if kind == "message" and _is_length(left):
        return False if value == "0" else None
    says = mark(column.name, kind, right).says
    return None if says is None else says == "bad"


def _is_length(node: exp.Expression) -> bool:
    return (called(bare(node)) or ("",))[0] in words("functions", "length")


def _column_of(node: exp.Expression) -> exp.Column | None:
    """`ISNULL(flag, 0)`, `TRIM(msg)`: the column that is looked at."""
    node = bare(node)
    if isinstance(node, exp.Column):
        return node
    name, arguments = called(node) or ("", [])
    if isinstance(node, exp.Trim | exp.Upper | exp.Lower):
        arguments, name = [node.this], "trim"
    plain = name in words("functions", "coalesce") | words("functions", "trim")
    if not arguments or not (plain or name in ("upper", "lower", "to_char") or _is_length(node)):
        return None
    inner = _column_of(arguments[0])
    if inner is None or name not in words("functions", "coalesce"):
        return inner
    return inner if _is_cleared(inner.name, arguments[1:]) else None


def _is_cleared(column: str, defaults: Sequence[exp.Expression]) -> bool:
    """What stands for a missing mark says that there is none."""
    kind = mark_kind(column)
    if kind is None or len(defaults) != 1:
        return False
    says = mark(column, kind, defaults[0]).says
    return says in (("bad",) if kind == "good" else ("cleared", "good"))


_STEPS: Mapping[type[exp.Expression], Callable[[exp.Expression], bool | None]] = {
    exp.And: _chain,
    exp.Or: _chain,
    exp.Not: _not,
    exp.Column: _column,
    exp.Is: _is,
    exp.EQ: _equal,
    exp.NullSafeEQ: _equal,
    exp.NEQ: _unequal,
    exp.In: _in,
    exp.GT: _above,
    exp.GTE: _above,
}
