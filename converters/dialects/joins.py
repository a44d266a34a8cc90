"""Outer joins of Oracle that are written (+), as LEFT and RIGHT JOIN."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.transforms import eliminate_join_marks


def without_join_marks(tree: exp.Expression) -> exp.Expression:
    """The same query without (+); the tree itself where there is none.

    Where one stays (it stands beside OR, or in a list), it is left for the reader to refuse.
    """
    if not any(node.args.get("join_mark") for node in tree.find_all(exp.Column)):
        return tree
    made = tree.copy()
    for select in [*made.find_all(exp.Select)]:
        if _is_clear(select):
            eliminate_join_marks(select)
    for join in made.find_all(exp.Join):
        if join.kind in ("LEFT", "RIGHT"):  # as a parser has it
            join.set("side", join.kind)
            join.set("kind", None)
    return made


def _is_clear(select: exp.Select) -> bool:
    """Whether each (+) stands in a term of WHERE that AND alone joins to the others."""
    where = select.args.get("where")
    if where is None:
        return False
    marked = [c for c in where.find_all(exp.Column) if c.args.get("join_mark")]
    return bool(marked) and all(_stands_alone(column, where) for column in marked)


def _stands_alone(column: exp.Column, where: exp.Expression) -> bool:
    node = column.parent
    while node is not None and node is not where:
        if isinstance(node, exp.Or | exp.Not | exp.Case | exp.Query | exp.In):
            return False
        node = node.parent
    return True
