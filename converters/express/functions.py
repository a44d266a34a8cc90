"""The functions that a condition may call: the rows of mappings/functions.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sqlglot import exp

from ruleferry.converters.express.refusal import Refused
from ruleferry.converters.mappings import table


@dataclass(frozen=True, slots=True)
class Function:
    """One row; `arguments` are the kinds, of which the first `needed` must be there."""

    name: str
    arguments: tuple[str, ...]
    needed: int
    repeated: bool
    returns: str
    nulls: str
    node: type[exp.Func] | None
    means: str | None
    becomes: str | None
    loses: str | None
    rule: str | None
    note: str | None
    example: str | None

    def kinds(self, count: int) -> tuple[str, ...] | None:
        """The kind of each of `count` arguments; None where so many can't be given."""
        if count < self.needed or (count > len(self.arguments) and not self.repeated):
            return None
        more = count - len(self.arguments)
        return self.arguments[:count] + self.arguments[-1:] * max(more, 0)


@cache
def functions() -> Mapping[str, Function]:
    """By name, or `name/n` where calls with n arguments have a row of their own."""
    rows = table("functions")["functions"]
    assert isinstance(rows, dict)
    return {key: _function(key, row) for key, row in rows.items()}


def function(name: str, count: int) -> Function | None:
    """The row of a call with `count` arguments."""
    rows = functions()
    return rows.get(f"{name}/{count}") or rows.get(name)


def _function(key: str, row: dict[str, str]) -> Function:
    written = [kind.strip() for kind in row["args"].split(",") if kind.strip()]
    repeated = bool(written) and written[-1].endswith("...")
    node = row.get("node")
    return Function(
        name=key.partition("/")[0],
        arguments=tuple(kind.rstrip("?.") for kind in written),
        needed=sum(not kind.endswith("?") for kind in written),
        repeated=repeated,
        returns=row.get("returns", "any"),
        nulls=row.get("nulls", "args"),
        node=getattr(exp, node) if node else None,
        means=row.get("means"),
        becomes=row.get("becomes"),
        loses=row.get("loses"),
        rule=row.get("rule"),
        note=row.get("note"),
        example=row.get("example"),
    )


@cache
def refused_functions() -> Mapping[str, Refused]:
    rows = table("functions")["refused"]
    assert isinstance(rows, list)
    return {
        name: Refused(row["code"], f"{name}() can't be used: {row['reason']}")
        for row in rows
        for name in row["names"]
    }


@cache
def sentence(section: Literal["notes", "loses"], key: str) -> str:
    rows = table("functions")[section]
    assert isinstance(rows, dict)
    return str(rows[key])


@cache
def names_of_nodes() -> Mapping[type, str]:
    """sqlglot's class -> the function's name in Databricks SQL."""
    rows = functions().values()
    return {f.node: f.name for f in rows if f.node is not None}


def call(name: str, arguments: Sequence[exp.Expression]) -> exp.Expression:
    """A call, by sqlglot's own class where the table gives one: one function, one form of tree."""
    row = function(name, len(arguments))
    if row is None or row.node is None or row.kinds(len(arguments)) is None:
        return exp.Anonymous(this=name, expressions=list(arguments))
    tree = row.node.from_arg_list(list(arguments))
    assert isinstance(tree, exp.Expression)
    return tree


def called(node: exp.Expression) -> tuple[str, list[exp.Expression]] | None:
    """The name and the arguments of a call, whichever form of tree it has."""
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower(), list(node.expressions)
    name = names_of_nodes().get(type(node))
    if name is None:
        return None
    arguments: list[exp.Expression] = []
    for key in node.arg_types:
        value = node.args.get(key)
        if isinstance(value, list):
            arguments.extend(value)
        elif isinstance(value, exp.Expression):
            arguments.append(value)
    return name, arguments
