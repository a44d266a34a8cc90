"""What a statement makes its variables hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.readers.sql.code.nodes import Assign, Declare, Span, Sql
from ruleferry.converters.readers.sql.code.values import (
    CURRENT,
    FOUND_WORDS,
    Code,
    Value,
    Values,
    is_constant,
    put_in,
)
from ruleferry.converters.readers.sql.code.verdicts import count_of, is_one_row

_NOWHERE = {"dual", "sysibm.sysdummy1", "sysdummy1"}


def resolved(
    tree: exp.Expression, code: Code, values: Values
) -> tuple[exp.Expression, tuple[str, ...], tuple[Span, ...]]:
    """With queries where variables stood; the variables without a known value; the queries."""
    used = code.variables(tree)
    known = {
        key: values[name].tree
        for key, name in used.items()
        if name in values and values[name].tree is not None
    }
    queries = tuple(
        query for name in used.values() if (value := values.get(name)) and (query := value.query)
    )
    unknown = tuple(
        name
        for key, name in used.items()
        if key not in known and not _is_placeholder(tree, key, values.get(name))
    )
    return put_in(tree, known), unknown, queries


def _is_placeholder(tree: exp.Expression, key: str, value: Value | None) -> bool:
    """A parameter within a query may only pick the load: who reads the query decides."""
    if value is None or not value.parameter:
        return False
    columns = [c for c in tree.find_all(exp.Column) if c.name.lower() == key]
    within = isinstance(tree, exp.Query)
    return within or all(column.find_ancestor(exp.Query) is not None for column in columns)


def why_unknown(names: Sequence[str], values: Values) -> str:
    """One sentence for the first of them."""
    name = names[0]
    value = values.get(name)
    return f"{name} {value.why if value and value.why else 'is not set before it is tested'}"


def assign(node: Assign, code: Code, values: Values) -> None:
    """`x := …`; fields of records are no variables."""
    for name in node.variables:
        values[name] = _value_of(node.value, node, code, values)


def _value_of(span: Span | None, node: Assign, code: Code, values: Values) -> Value:
    if span is None or len(node.variables) != 1:
        return Value(why=f"holds {node.told or 'more than can be followed'}")
    return expression_value(span, code, values)


def expression_value(span: Span, code: Code, values: Values) -> Value:
    try:
        tree, _ = code.expression(span, values)
    except Unreadable:
        return Value(why="holds what can't be read")
    tree, unknown, queries = resolved(tree, code, values)
    if unknown:
        return Value(why=_depends(unknown[0], values))
    loose = [c for c in tree.find_all(exp.Column) if not c.find_ancestor(exp.Query)]
    if any(column.table.lower() != CURRENT for column in loose):
        return Value(why="holds what can't be followed")
    return Value(tree, query=queries[0] if queries else span if _has_query(tree) else None)


def _depends(name: str, values: Values) -> str:
    why = values[name].why if name in values else ""
    return why if why.startswith("changes") else f"depends on {name}"


def _has_query(tree: exp.Expression) -> bool:
    return any(tree.find_all(exp.Query))


def declare(
    node: Declare, code: Code, values: Values, given: Callable[[str], Value | None]
) -> None:
    if node.sort not in ("variable", "parameter"):
        return
    for name in node.names:
        if node.sort == "parameter":
            found = given(name) or (
                expression_value(node.value, code, values) if node.value else None
            )
            known = found is not None and found.tree is not None and _is_value(found.tree)
            tree = found.tree if found is not None and known else None
            values[name] = Value(tree, "is given when it runs", parameter=True)
        elif node.value is not None:
            values[name] = expression_value(node.value, code, values)
        else:
            values.setdefault(name, Value(why="is not set before it is tested"))


def _is_value(tree: exp.Expression) -> bool:
    """`@run_id INT = NULL` only says that it may be left out."""
    return is_constant(tree) and not isinstance(bare(tree), exp.Null)


# SELECT … INTO ------------------------------------------------------------------------------------


def select(node: Sql, code: Code, values: Values) -> exp.Expression | None:
    """The query, its variables bound; None where it can't be read."""
    forget(node.into, "holds what can't be read", values)
    try:
        tree, _ = code.parsed(select_text(node, code), values)
    except Unreadable:
        return None
    tree, unknown, _ = resolved(tree, code, values)
    if unknown:
        forget(node.into, _depends(unknown[0], values), values)
        return tree
    if isinstance(tree, exp.Select) and len(tree.expressions) == len(node.into):
        for place, name in enumerate(node.into):
            values[name] = _column_value(tree, place, node)
    return tree


def select_text(node: Sql, code: Code) -> str:
    holes = [node.hole] if node.hole is not None and not node.assigned else []
    for _, value in node.assigned:
        holes.append(Span(value.start, value.start, value.first - 2, value.first))
    text = code.source(node.span, holes)
    if node.word == "PERFORM":
        text = "SELECT" + text[len("PERFORM") :]
    return text


def _column_value(tree: exp.Select, place: int, node: Sql) -> Value:
    item = tree.expressions[place].unalias()
    source = tree.args.get("from_")
    if source is None or source.this.sql().lower() in _NOWHERE:
        where = tree.args.get("where")
        return (
            Value(item, query=node.span)
            if where is None
            else Value(why="is set in some cases only")
        )
    one = tree.copy()
    one.set("expressions", [item.copy()])
    if not is_one_row(one):
        return Value(why="holds a value of some record")
    return Value(exp.Subquery(this=one), query=node.span)


def forget(names: Sequence[str] | set[str], why: str, values: Values) -> None:
    for name in names:
        values[name] = Value(why=why)


def found_after(tree: exp.Expression | None, node: Sql, code: Code, values: Values) -> None:
    """FOUND, @@ROWCOUNT and the like after a query; any other statement makes them unknown."""
    for name in FOUND_WORDS & set(code.names):
        values[name] = Value(why="tells how many records a statement changed")
        if node.word not in ("SELECT", "WITH", "PERFORM") or not isinstance(tree, exp.Select):
            continue
        if is_one_row(tree):
            values[name] = Value(why="is the same after every query of a figure")
        elif name == "found":
            values[name] = Value(exp.Exists(this=tree.copy()), query=node.span)
        else:
            values[name] = Value(count_of(tree), query=node.span)
