"""Row conditions as the text of pandas' `DataFrame.query`, parsed and never run.

Read in pandas/core/computation/expr.py of pandas 2.1 and 3.1: the text is Python, in which `&` and
`|` bind like `and` and `or`, names stand for columns, and backticks are around any other name.
With the parser "python" `&` and `|` bind as in Python, and texts, lists, `and`, `or` and `not` are
refused.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Comparison,
    IsTrue,
    Not,
    OneOf,
    Operator,
    Or,
    Present,
    Scope,
    Value,
)
from ruleferry.converters.readers.great_expectations.arguments import (
    ArgumentFault,
    ConditionFault,
    NoEquivalentFault,
    number,
    shown,
)

_PIECE = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?P<name>[^`]*)`""")
_OPERATORS: Mapping[type[ast.cmpop], Operator] = {
    ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_MIRRORED: Mapping[Operator, Operator] = {
    "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip
_TESTS: Mapping[str, Callable[[str], Scope]] = {
    "isnull": Absent, "isna": Absent, "notnull": Present, "notna": Present,
}  # fmt: skip
# What such a name stands for depends on the frame, or it is none of a column.
_NO_COLUMN = re.compile(
    r"index|columns|ilevel_\d+|level_\d+|Timestamp|datetime|list|tuple|[Ii]nf|__.*"
)
_REFUSED = (
    ast.Is, ast.IsNot, ast.IfExp, ast.Lambda, ast.Set, ast.Yield, ast.ListComp, ast.DictComp,
    ast.SetComp, ast.GeneratorExp, ast.NamedExpr, ast.Await,
)  # fmt: skip
_NOT_OF_PYTHON = (ast.BoolOp, ast.Not, ast.In, ast.NotIn)
_DEEPEST = 30


def read_pandas_query(text: str, *, python: bool = False) -> Scope:
    """`python`: condition_parser is "python".

    Raises ArgumentFault where pandas refuses the text, ConditionFault where it says more than a
    scope can.
    """
    source, names = (text, {}) if python else _unquoted(text)
    tree = _parsed(source, text, python)
    refused = next((n for n in ast.walk(tree) if isinstance(n, _REFUSED)), None)
    if refused is not None:
        raise _never_ran(text)
    if python and any(isinstance(n, _NOT_OF_PYTHON) or _compares_text(n) for n in ast.walk(tree)):
        raise _never_ran(text)
    return _Reader(text, names, python).scope(tree)


def _never_ran(text: str) -> ArgumentFault:
    return ArgumentFault(f"pandas can't query with the row condition {shown(text)}")


def _unquoted(text: str) -> tuple[str, Mapping[str, str]]:
    """The text with a word in place of each name in backticks, and what the words stand for."""
    stem = "name_"
    while stem in text:
        stem += "_"
    names: dict[str, str] = {}

    def word(found: re.Match[str]) -> str:
        if found["name"] is None:
            return found[0]
        names[f"{stem}{len(names)}"] = found["name"]
        return f" {stem}{len(names) - 1} "

    replaced = _PIECE.sub(word, text)
    if "``" in text or any(set(name) & set("'\"#\n\\") or not name for name in names.values()):
        raise ConditionFault(f"its row condition has a name that can't be read: {shown(text)}")
    return replaced, names


def _parsed(source: str, text: str, python: bool) -> ast.expr:
    if len([line for line in source.splitlines() if line.strip()]) != 1:
        raise _never_ran(text)
    if "@" in _PIECE.sub("", source):
        raise ConditionFault(f"its row condition uses a variable of the program: {shown(text)}")
    try:
        spelt = source.strip() if python else _booleans(source.strip())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(spelt).body
    except (SyntaxError, tokenize.TokenError, ValueError):
        raise _never_ran(text) from None
    except (RecursionError, MemoryError):
        raise ConditionFault("its row condition is nested too deeply") from None
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise _never_ran(text)
    return body[0].value


def _booleans(source: str) -> str:
    words = {"&": (tokenize.NAME, "and"), "|": (tokenize.NAME, "or")}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return tokenize.untokenize(
        words.get(token.string, token[:2]) if token.type == tokenize.OP else token[:2]
        for token in tokens
    )


def _compares_text(node: ast.AST) -> bool:
    """`==` with a text or a list, which pandas takes for `in`."""
    if not isinstance(node, ast.Compare):
        return False
    equal = any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
    texts = (_is_text(side) or _is_list(side) for side in (node.left, *node.comparators))
    return len(node.ops) > 1 or (equal and any(texts))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple)


@dataclass(frozen=True, slots=True)
class _Reader:
    text: str
    names: Mapping[str, str]
    python: bool

    def scope(self, node: ast.expr, depth: int = 0, *, within: bool = False) -> Scope:
        """`within`: an `or` or `not` is around it.

        What they make of a truth value that is missing depends on the dtype.
        """
        if depth > _DEEPEST:
            raise ConditionFault("its row condition is nested too deeply")
        match node:
            case ast.BoolOp(op=ast.And()):
                return And(self._all(node.values, depth, within))
            case ast.BoolOp():
                return Or(self._all(node.values, depth, True))
            case ast.BinOp(op=ast.BitAnd()) if self.python:
                return And(self._all([node.left, node.right], depth, within))
            case ast.BinOp(op=ast.BitOr()) if self.python:
                return Or(self._all([node.left, node.right], depth, True))
            case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=ast.Name()) if not within:
                return Not(IsTrue(self._column(node.operand)))
            case ast.UnaryOp(op=ast.Not() | ast.Invert()):
                return Not(self.scope(node.operand, depth + 1, within=True))
            case ast.Compare():
                return self._comparisons(node)
            case ast.Call(func=ast.Attribute() as method, args=[], keywords=[]):
                return self._missing(node, method)
            case ast.Name() if not within:
                return IsTrue(self._column(node))
        raise self._not_understood(node)

    def _all(self, nodes: Sequence[ast.expr], depth: int, within: bool) -> tuple[Scope, ...]:
        return tuple(self.scope(node, depth + 1, within=within) for node in nodes)

    def _missing(self, call: ast.Call, method: ast.Attribute) -> Scope:
        if method.attr not in _TESTS:
            raise self._not_understood(call)
        return _TESTS[method.attr](self._column(method.value))

    def _comparisons(self, node: ast.Compare) -> Scope:
        """`1 < x < 5` is both of its comparisons."""
        sides = [node.left, *node.comparators]
        found = tuple(
            self._comparison(node, *pair) for pair in zip(sides, node.ops, sides[1:], strict=False)
        )
        return found[0] if len(found) == 1 else And(found)

    def _comparison(
        self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr
    ) -> Scope:
        if _is_list(left) and not isinstance(op, ast.In | ast.NotIn):
            left, right = right, left
        if isinstance(right, ast.List | ast.Tuple):
            if not isinstance(op, ast.In | ast.NotIn | ast.Eq | ast.NotEq):
                raise self._not_understood(node)
            values = tuple(self._value(item) for item in right.elts)
            return OneOf(self._column(left), values, isinstance(op, ast.NotIn | ast.NotEq))
        if type(op) not in _OPERATORS:
            raise self._not_understood(node)
        return self._of_two(left, _OPERATORS[type(op)], right)

    def _of_two(self, left: ast.expr, operator: Operator, right: ast.expr) -> Scope:
        if not isinstance(right, ast.Name):
            return Comparison(self._column(left), operator, self._value(right))
        if not isinstance(left, ast.Name):
            return Comparison(self._column(right), _MIRRORED[operator], self._value(left))
        return ColumnComparison(self._column(left), operator, self._column(right))

    def _column(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Name) or _NO_COLUMN.fullmatch(node.id):
            raise self._not_understood(node)
        return self.names.get(node.id, node.id)

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=bool() | str() as value):
                return value
            case ast.Constant():
                return self._number(node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as digits):
                return -self._number(digits)
        raise self._not_understood(node)

    def _number(self, node: ast.Constant) -> int | Decimal:
        if not isinstance(node.value, int | float) or isinstance(node.value, bool):
            raise self._not_understood(node)
        try:
            return number(node.value)
        except NoEquivalentFault:
            raise self._not_understood(node) from None

    def _not_understood(self, node: ast.expr) -> ConditionFault:
        part = ast.unparse(node)
        for word, name in self.names.items():
            part = part.replace(word, f"`{name}`")
        return ConditionFault(
            f"its row condition is {shown(self.text)}, where {part} is not understood"
        )
