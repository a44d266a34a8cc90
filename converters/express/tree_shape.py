"""The shape of a tree: a value that two trees share where they mean the same, node for node."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeAlias

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from ruleferry.converters.express.functions import called

_Shaper: TypeAlias = Callable[[exp.Expression, bool], Hashable]


def shape(tree: exp.Expression, *, blank: bool = False) -> Hashable:
    """Parentheses left out, NOT LIKE and the like as NOT of the test, chains of AND and OR flat.

    With `blank`, columns and literals are left out too, and a list of values is its kinds.
    """
    return _shape(tree, blank)


def _shape(node: exp.Expression, blank: bool) -> Hashable:
    return _SHAPERS[type(node)](node, blank)


def _column(node: exp.Expression, blank: bool) -> Hashable:
    if len(node.args) == 1:
        return ("Column", 1 if blank else node.args["this"].name)
    parts = [part.name for part in node.parts]  # type: ignore[attr-defined]  # of a Column
    return ("Column", len(parts) if blank else tuple(parts) if len(parts) > 1 else parts[0])


def _dot(node: exp.Expression, blank: bool) -> Hashable:
    """A field of a column; `a.b` parses as a column b of a table a."""
    path = _path(node)
    return ("Column", len(path) if blank else path) if path else _plain(node, blank)


def _path(node: exp.Expression) -> tuple[str, ...]:
    if isinstance(node, exp.Column):
        return tuple(part.name for part in node.parts)
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        outer = _path(node.this)
        return (*outer, node.expression.name) if outer else ()
    return ()


def _literal(node: exp.Expression, blank: bool) -> Hashable:
    kind = "text" if node.args["is_string"] else "number"
    return kind if blank else (kind, node.args["this"])


def _named(node: exp.Expression, blank: bool) -> Hashable:
    return (type(node).__name__, str(node.args.get("this", "")))


def _interval(node: exp.Expression, blank: bool) -> Hashable:
    unit = str(node.args.get("unit")).upper().removesuffix("S")
    return ("Interval", None if blank else node.this.name, unit)


def _paren(node: exp.Expression, blank: bool) -> Hashable:
    return _shape(node.args["this"], blank)


def _not(node: exp.Expression, blank: bool) -> Hashable:
    return ("Not", _shape(node.args["this"], blank))


def _test(node: exp.Expression, blank: bool) -> Hashable:
    """IS, LIKE and ILIKE may hold the NOT themselves."""
    plain = _plain(node, blank)
    return ("Not", plain) if node.args.get("negate") else plain


def _escape(node: exp.Expression, blank: bool) -> Hashable:
    """`x NOT LIKE 'p' ESCAPE '!'` denies the whole."""
    like, escape = node.args["this"], _shape(node.args["expression"], blank)
    plain = ("Escape", _plain(like, blank), escape)
    return ("Not", plain) if like.args.get("negate") else plain


def _unequal(node: exp.Expression, blank: bool) -> Hashable:
    return ("Not", ("NullSafeEQ", *_children(node, blank)))


def _chain(node: exp.Expression, blank: bool) -> Hashable:
    kind = type(node)
    shapes: list[Hashable] = [kind.__name__]
    waiting = [node]
    while waiting:
        part = waiting.pop()
        while isinstance(part, exp.Paren):
            part = part.args["this"]
        if type(part) is kind:
            waiting += [part.args["expression"], part.args["this"]]
        else:
            shapes.append(_shape(part, blank))
    return tuple(shapes)


def _call(node: exp.Expression, blank: bool) -> Hashable:
    found = called(node)
    assert found is not None
    name, arguments = found
    shapes = tuple(_shape(a, blank) for a in arguments)
    whole = ("call", name, *shapes)
    return whole if blank or name not in ("chr", "concat") else _one_text(name, shapes, whole)


def _one_text(name: str, shapes: tuple[Hashable, ...], whole: Hashable) -> Hashable:
    """chr(0) and concat('$', '{x}') are how one literal text is written."""
    literals = [s for s in shapes if isinstance(s, tuple) and s[0] in ("text", "number")]
    if len(literals) != len(shapes):
        return whole
    if name == "chr":
        return ("text", chr(int(str(literals[0][1]))))
    return ("text", "".join(str(s[1]) for s in literals))


def _plain(node: exp.Expression, blank: bool) -> Hashable:
    return (type(node).__name__, *_children(node, blank))


def _children(node: exp.Expression, blank: bool) -> list[Hashable]:
    shapes: list[Hashable] = []
    for key, value in node.args.items():
        if isinstance(value, exp.Expression):
            shapes.append((key, _shape(value, blank)))
        elif isinstance(value, list) and value:
            found = [_shape(v, blank) for v in value]
            shapes.append((key, *(dict.fromkeys(found) if blank else found)))
    return shapes


def _type(node: exp.Expression, blank: bool) -> Hashable:
    return type_text(node)


def type_text(node: exp.Expression) -> str:
    """A DataType as Databricks writes it."""
    if node.args.get("expressions"):
        return node.sql("databricks")
    return _plain_type(node.args["this"])


@cache
def _plain_type(kind: object) -> str:
    return exp.DataType(this=kind).sql(Dialect.get_or_raise("databricks"))


class _Shapers(dict[type[exp.Expression], _Shaper]):
    """Filled as classes turn up: which of them are functions is known by the table only."""

    def __missing__(self, kind: type[exp.Expression]) -> _Shaper:
        is_call = issubclass(kind, exp.Func) and called(kind()) is not None
        self[kind] = _call if is_call else _plain
        return self[kind]


_SHAPERS = _Shapers(
    {
        exp.Column: _column,
        exp.Dot: _dot,
        exp.Literal: _literal,
        exp.DataType: _type,
        exp.Interval: _interval,
        exp.Paren: _paren,
        exp.Not: _not,
        exp.Is: _test,
        exp.Like: _test,
        exp.ILike: _test,
        exp.Escape: _escape,
        exp.NullSafeNEQ: _unequal,
        exp.And: _chain,
        exp.Or: _chain,
        **dict.fromkeys((exp.Identifier, exp.Var, exp.Boolean, exp.Null), _named),
    }
)
