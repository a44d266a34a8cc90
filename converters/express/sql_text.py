"""The one place where trees become text: Databricks SQL on one line, as an engineer would write it.

One generator of sqlglot with some of its rows replaced, kept for all calls: a new one costs three
times as much. What this module writes it also reads back (`checked_text`), so that no text means
something else than its tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from decimal import Decimal
from functools import cache, lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel
from sqlglot.generator import Generator

from ruleferry.converters.express.functions import called, names_of_nodes
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_literals import digits, is_typed_literal
from ruleferry.converters.express.sql_literals import text as literal_text
from ruleferry.converters.express.tree_shape import shape, type_text
from ruleferry.converters.mappings import table

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
_HALF_PAIR = re.compile("[\ud800-\udfff]")


class UnsafeText(ValueError):
    """The text can't be written so that Spark reads the same one."""


class Unfaithful(AssertionError):
    """A fault of this module: the text of a tree does not mean the tree."""


# Building -----------------------------------------------------------------------------------------


def column(name: str) -> exp.Column:
    """A column of this very name; a dot in it is part of the name.

    Raises UnsafeText for a name that no quoting protects: Spark replaces `${…}` even in backticks.
    """
    if not name or "${" in name or not _is_unicode(name):
        raise UnsafeText(f"no column of Spark can be called {name!r}")
    return exp.Column(this=exp.Identifier(this=name, quoted=not is_plain_name(name)))


def string_literal(value: str) -> exp.Expression:
    """The text as a literal; `to_sql` writes it so that neither escapes nor `${…}` change it.

    Raises UnsafeText for half a surrogate pair, which is no text in UTF-8.
    """
    if not _is_unicode(value):
        raise UnsafeText(f"{value!r} is no text")
    return exp.Literal.string(value)


def number_literal(value: int | float | Decimal) -> exp.Expression:
    """The number in full, as a DECIMAL of up to 38 digits or an integer, else as a DOUBLE.

    A float is taken as the shortest decimal that means it. NaN and the infinities are casts.
    Raises OverflowError for a number beyond the DOUBLEs.
    """
    if isinstance(value, bool):
        raise TypeError("a truth value is no number")
    number = Decimal(repr(value) if isinstance(value, float) else value)
    if not number.is_finite():
        return _no_number(number)
    literal = exp.Literal.number(digits(number.copy_abs()))
    return exp.Neg(this=literal) if number < 0 else literal


def _no_number(number: Decimal) -> exp.Expression:
    name = "NaN" if number.is_nan() else "Infinity" if number > 0 else "-Infinity"
    kind = exp.DataType(this=exp.DataType.Type.DOUBLE)
    return exp.Cast(this=exp.Literal.string(name), to=kind)


def _is_unicode(text: str) -> bool:
    return text.isascii() or _HALF_PAIR.search(text) is None


@cache
def _words() -> frozenset[str]:
    return frozenset(
        word for words in table("spark_words").values() if isinstance(words, list) for word in words
    )


@lru_cache(maxsize=10_000)
def is_plain_name(name: str) -> bool:
    return bool(_PLAIN_NAME.match(name)) and name.lower() not in _words()


# Writing ------------------------------------------------------------------------------------------


def to_sql(tree: exp.Expression) -> str:
    """Databricks SQL on one line. Queries may hold conditions; their other parts are sqlglot's."""
    bare = _bare(tree)
    if isinstance(bare, exp.Query):
        return _generator().generate(bare)
    return _generator().sql(bare)


def checked_text(tree: exp.Expression, *, each: bool = False) -> str:
    """`to_sql` of a condition, read back and compared; raises Unfaithful where they differ.

    Trees of one shape (columns and literals blanked) are read back once per process, since columns
    and literals are written by functions of their own; `each` reads back every one.
    """
    text = to_sql(tree)
    kind = shape(tree, blank=True)
    if not each and kind in _FAITHFUL:
        return text
    if shape(parse_condition(text)) != shape(tree):
        raise Unfaithful(f"{text!r} does not say {tree!r}")
    _FAITHFUL.add(kind)
    return text


_FAITHFUL: set[Hashable] = set()


def _bare(node: exp.Expression) -> exp.Expression:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


# How tightly Spark binds; a node without a row is written as one piece.
_LOOSE, _AND, _NOT, _TEST, _OR_BITS, _XOR, _AND_BITS, _SHIFT, _SUM, _PRODUCT, _SIGN, _ONE = range(
    12
)

_INFIX: dict[type[exp.Expression], tuple[int, str]] = {
    exp.EQ: (_TEST, "="),
    exp.NEQ: (_TEST, "<>"),
    exp.LT: (_TEST, "<"),
    exp.LTE: (_TEST, "<="),
    exp.GT: (_TEST, ">"),
    exp.GTE: (_TEST, ">="),
    exp.NullSafeEQ: (_TEST, "<=>"),
    exp.BitwiseOr: (_OR_BITS, "|"),
    exp.BitwiseXor: (_XOR, "^"),
    exp.BitwiseAnd: (_AND_BITS, "&"),
    exp.BitwiseLeftShift: (_SHIFT, "<<"),
    exp.BitwiseRightShift: (_SHIFT, ">>"),
    exp.Add: (_SUM, "+"),
    exp.Sub: (_SUM, "-"),
    exp.DPipe: (_SUM, "||"),
    exp.Mul: (_PRODUCT, "*"),
    exp.Div: (_PRODUCT, "/"),
    exp.Mod: (_PRODUCT, "%"),
    exp.IntDiv: (_PRODUCT, "DIV"),
}
_NEGATABLE = (exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.RegexpLike, exp.Escape)
_RANKS: dict[type[exp.Expression], int] = {
    **{kind: rank for kind, (rank, _) in _INFIX.items()},
    **dict.fromkeys(_NEGATABLE, _TEST),
    exp.Or: _LOOSE,
    exp.And: _AND,
    exp.NullSafeNEQ: _NOT,
    exp.Neg: _SIGN,
    exp.BitwiseNot: _SIGN,
}


def _rank(node: exp.Expression) -> int:
    if isinstance(node, exp.Not):
        return _TEST if isinstance(_bare(node.this), _NEGATABLE) else _NOT
    return _RANKS.get(type(node), _ONE)


def _part(sql: Generator, node: exp.Expression, least: int) -> str:
    """The text of an operand, in parentheses where it binds less tightly than `least`."""
    bare = _bare(node)
    text = sql.sql(bare)
    return f"({text})" if _rank(bare) < least else text


def _infix(sql: Generator, node: exp.Expression) -> str:
    rank, operator = _INFIX[type(node)]
    # Comparisons do not chain; the others group to the left.
    left = _part(sql, node.args["this"], rank + (rank == _TEST))
    return f"{left} {operator} {_part(sql, node.args['expression'], rank + 1)}"


def _chain(word: str, least: int) -> Callable[[Generator, exp.Expression], str]:
    def write(sql: Generator, node: exp.Expression) -> str:
        return f" {word} ".join(_part(sql, part, least) for part in operands(node))

    return write


def operands(node: exp.Expression) -> list[exp.Expression]:
    """The operands of a chain of one connector, left to right, however it is nested."""
    kind = type(node)
    found: list[exp.Expression] = []
    waiting = [node]
    while waiting:
        part = _bare(waiting.pop())
        if type(part) is kind:
            waiting += [part.args["expression"], part.args["this"]]
        else:
            found.append(part)
    return found


def _not(sql: Generator, node: exp.Expression) -> str:
    inner = _bare(node.this)
    if isinstance(inner, _NEGATABLE):
        return _test(sql, inner, negated=True)
    return f"NOT {_part(sql, inner, _ONE)}"


def _test(sql: Generator, node: exp.Expression, negated: bool = False) -> str:
    if isinstance(node, exp.Escape):
        escape = sql.sql(node, "expression")
        return f"{_test(sql, _bare(node.this), negated)} ESCAPE {escape}"
    negated = negated != bool(node.args.get("negate"))
    word = "NOT " if negated else ""
    left = _part(sql, node.this, _TEST + 1)
    if isinstance(node, exp.Is):
        left = f"({left})" if isinstance(_bare(node.this), exp.Case) else left
        return f"{left} IS {word}{sql.sql(node, 'expression')}"
    if isinstance(node, exp.Between):
        low, high = (_part(sql, node.args[key], _TEST + 1) for key in ("low", "high"))
        return f"{left} {word}BETWEEN {low} AND {high}"
    if isinstance(node, exp.In):
        return f"{left} {word}IN {_set(sql, node)}"
    return f"{left} {word}{_LIKES[type(node)]} {_part(sql, node.args['expression'], _TEST + 1)}"


_LIKES: dict[type[exp.Expression], str] = {
    exp.Like: "LIKE",
    exp.ILike: "ILIKE",
    exp.RegexpLike: "RLIKE",
}


def _set(sql: Generator, node: exp.In) -> str:
    if query := node.args.get("query"):
        return sql.sql(query)
    return f"({', '.join(sql.sql(_bare(value)) for value in node.expressions)})"


def _null_safe_neq(sql: Generator, node: exp.Expression) -> str:
    equal = exp.NullSafeEQ(this=node.this.copy(), expression=node.args["expression"].copy())
    return f"NOT ({_infix(sql, equal)})"


def _sign(mark: str) -> Callable[[Generator, exp.Expression], str]:
    def write(sql: Generator, node: exp.Expression) -> str:
        text = _part(sql, node.this, _SIGN)
        return f"{mark}({text})" if text.startswith("-") else mark + text

    return write


def _case(sql: Generator, node: exp.Expression) -> str:
    subject = f" {sql.sql(_bare(node.this))}" if node.args.get("this") else ""
    arms = "".join(
        f" WHEN {sql.sql(_bare(arm.this))} THEN {sql.sql(_bare(arm.args['true']))}"
        for arm in node.args["ifs"]
    )
    default = node.args.get("default")
    otherwise = f" ELSE {sql.sql(_bare(default))}" if default else ""
    return f"CASE{subject}{arms}{otherwise} END"


def _cast(sql: Generator, node: exp.Expression) -> str:
    inner, kind = _bare(node.this), sql.sql(node, "to")
    if isinstance(inner, exp.Literal) and inner.is_string and is_typed_literal(inner.this, kind):
        return f"{kind}{sql.sql(inner)}"
    return f"CAST({sql.sql(inner)} AS {kind})"


def _try_cast(sql: Generator, node: exp.Expression) -> str:
    return f"try_cast({sql.sql(_bare(node.this))} AS {sql.sql(node, 'to')})"


def _literal(sql: Generator, node: exp.Expression) -> str:
    return literal_text(node.this) if node.args.get("is_string") else str(node.this)


def _column(sql: Generator, node: exp.Expression) -> str:
    parts = node.parts  # type: ignore[attr-defined]  # of a Column
    return ".".join(["*" if isinstance(p, exp.Star) else _name(p.name) for p in parts])


def _identifier(sql: Generator, node: exp.Expression) -> str:
    return _name(str(node.this))


def _name(name: str) -> str:
    return name if is_plain_name(name) else f"`{name.replace('`', '``')}`"


def _data_type(sql: Generator, node: exp.Expression) -> str:
    return type_text(node)


def _call(sql: Generator, node: exp.Expression) -> str:
    found = called(node)
    assert found is not None
    name, arguments = found
    return f"{name}({', '.join(sql.sql(_bare(a)) for a in arguments)})"


def _index(sql: Generator, node: exp.Expression) -> str:
    return f"{_part(sql, node.this, _ONE)}[{', '.join(sql.sql(e) for e in node.expressions)}]"


def _field(sql: Generator, node: exp.Expression) -> str:
    return f"{_part(sql, node.this, _ONE)}.{sql.sql(node, 'expression')}"


def _interval(sql: Generator, node: exp.Expression) -> str:
    unit = node.args["unit"]
    name = str(unit.this).upper().removesuffix("S") if isinstance(unit, exp.Var) else sql.sql(unit)
    return f"INTERVAL {sql.sql(node, 'this')} {name}"


@cache
def _generator() -> Generator:
    generator = Dialect.get_or_raise("databricks").generator(
        normalize_functions="lower", comments=False, unsupported_level=ErrorLevel.IMMEDIATE
    )
    generator._dispatch = {
        **generator._dispatch,
        **dict.fromkeys(_INFIX, _infix),
        **dict.fromkeys(_NEGATABLE, _test),
        **dict.fromkeys((*names_of_nodes(), exp.Anonymous), _call),
        exp.And: _chain("AND", _NOT),
        exp.Or: _chain("OR", _NOT),
        exp.Not: _not,
        exp.NullSafeNEQ: _null_safe_neq,
        exp.Neg: _sign("-"),
        exp.BitwiseNot: _sign("~"),
        exp.Case: _case,
        exp.Cast: _cast,
        exp.TryCast: _try_cast,
        exp.Literal: _literal,
        exp.Column: _column,
        exp.Identifier: _identifier,
        exp.DataType: _data_type,
        exp.Null: lambda *_: "NULL",
        exp.Bracket: _index,
        exp.Dot: _field,
        exp.Interval: _interval,
    }
    return generator
