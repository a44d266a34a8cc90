"""What makes predicates in SQL alike: all but their columns, and what is compared with columns.

The rooms look into any other literal (a pattern, a date, an argument), so that it is part of what
makes trees alike; so are the names of a query, of tables and of whatever is no plain column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from typing import TypeGuard

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.dialects.tree import copied
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.operand import NUMBERS
from ruleferry.converters.express.sql_text import is_plain_name
from ruleferry.converters.mappings import table
from ruleferry.converters.predicates import SqlText

_Known = Mapping[str, ColumnType]

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_EQUALITIES = (exp.EQ, exp.NEQ)
# A number of Teradata may be a day.
_DAYS_ARE_NUMBERS = frozenset({"teradata"})
_INTS = range(2**31)
_TRUTHS = range(2)
# Of columns, and of literals: a tree with more of them is like no other.
MOST = 30
# Stand-ins begin so: of moulds, placeholders, calls, computed columns and numbers.
_OURS = ("mould_", "ruleferry_", "computed_", "20000000")


@dataclass(frozen=True, slots=True)
class Likeness:
    """`shape`: equal for trees that are alike.

    `columns`: as they are written, in the order of the tree, each once. `numbers`: by their worth.
    `texts`: in the order of the tree.
    """

    shape: tuple[object, ...]
    columns: tuple[str, ...]
    numbers: tuple[int, ...]
    texts: tuple[str, ...]


def likeness(tree: exp.Expr, known: _Known, predicate: SqlText) -> Likeness | None:
    """None for a tree that no other one may be like.

    A loop, not a recursion: a predicate may be deeper than Python's stack.
    """
    shape: list[object] = []
    columns: dict[str, str] = {}
    numbers: dict[int, int] = {}  # place in `shape` -> worth
    texts: dict[str, int] = {}
    beside: set[int] = set()
    waiting: list[object] = [tree]
    while waiting:
        if len(columns) > MOST:
            return None  # an end to searching in them
        node = waiting.pop()
        if not isinstance(node, exp.Expr):
            if not _is_value(node):
                return None
            shape += (type(node).__name__, node)  # True is no 1
        elif isinstance(node, exp.Column):
            name = _plain_column(node)
            if name is None or columns.setdefault(name.lower(), name) != name:
                return None
            quoted = bool(node.this.args.get("quoted"))
            shape += ("column", quoted, list(columns).index(name.lower()))
        elif id(node) in beside and node.args["is_string"]:
            shape += ("text", texts.setdefault(node.name, len(texts)))
        elif id(node) in beside:
            numbers[len(shape) + 1] = int(node.name)
            shape += ("number", None)
        elif isinstance(node, exp.Identifier | exp.Query):
            return None  # a name that is no column
        else:
            beside.update(map(id, _literals_beside_a_column(node, known, predicate)))
            waiting += reversed(_opened(node, shape))
    if max(len(columns), len(numbers) + len(texts)) > MOST:
        return None
    worths = sorted(set(numbers.values()))
    for place, worth in numbers.items():
        shape[place] = worths.index(worth)
    return Likeness(tuple(shape), tuple(columns.values()), tuple(worths), tuple(texts))


def _is_value(value: object) -> TypeGuard[object]:
    if isinstance(value, str):
        return not any(word in value.lower() for word in _OURS)
    return value is None or isinstance(value, bool | int | Enum)


def _opened(node: exp.Expr, shape: list[object]) -> list[object]:
    """What the node holds, in order; how much of what goes into `shape`."""
    shape.append(type(node).__name__)
    held: list[object] = []
    for key, value in node.args.items():
        if isinstance(value, list):
            shape += (key, len(value))
            held += value
        elif value is not None:
            shape.append(key)
            held.append(value)
    return held


# Columns ------------------------------------------------------------------------------------------


def _plain_column(node: exp.Column) -> str | None:
    """Its name; None where there may be more to it than a name."""
    name = node.this
    alone = isinstance(name, exp.Identifier) and not any(
        value for key, value in node.args.items() if key != "this"
    )
    return name.name if alone and _is_mere_name(name.name) else None


@cache
def _is_mere_name(name: str) -> bool:
    lower = name.lower()
    return is_plain_name(name) and lower not in _words() and not lower.startswith(_OURS)


@cache
def _words() -> frozenset[str]:
    """DAY in DATEADD(DAY, …), ROWNUM: they look like columns."""
    # A large room, which most suites don't need.
    from ruleferry.converters.express.dialects.leaves import PSEUDO

    found: set[str] = set().union(*PSEUDO.values())
    for units in table("sql_units").values():
        assert isinstance(units, dict)
        found.update(*units.values())
    return frozenset(found)


# Literals -----------------------------------------------------------------------------------------


def _literals_beside_a_column(
    node: exp.Expr, known: _Known, predicate: SqlText
) -> Sequence[exp.Expr]:
    """Those that the node compares with a column, and of which no room asks what they are."""
    sides = _sides(node)
    if sides is None:
        return ()
    subject, others = sides
    column = _filled(subject, others)
    if not isinstance(column, exp.Column):
        return ()
    kind = known.get(column.name.lower())
    if all(map(_is_plain_number, others)):
        return others if _are_mere_numbers(node, others, kind, predicate) else ()
    equal = isinstance(node, (*_EQUALITIES, exp.In)) and column is subject
    return others if equal and _are_mere_texts(others, kind, predicate) else ()


def _sides(node: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]] | None:
    if isinstance(node, _COMPARISONS):
        left, right = node.this, node.args["expression"]
        return (right, [left]) if isinstance(left, exp.Literal) else (left, [right])
    if isinstance(node, exp.Between):
        return node.this, [node.args["low"], node.args["high"]]
    if isinstance(node, exp.In) and node.args.keys() <= {"this", "expressions"}:
        return node.this, list(node.expressions)
    return None


def _filled(subject: exp.Expr, others: Sequence[exp.Expr]) -> exp.Expr:
    """The column of `coalesce(column, 0) < 7`: a lower number beside a higher one."""
    if not isinstance(subject, exp.Anonymous) or subject.name.lower() != "coalesce":
        return subject
    if len(subject.expressions) != 2 or not all(map(_is_plain_number, others)):
        return subject
    column, default = subject.expressions
    lower = _is_plain_number(default) and all(int(default.name) < int(o.name) for o in others)
    return column if lower else subject


def _are_mere_numbers(
    node: exp.Expr, numbers: Sequence[exp.Expr], kind: ColumnType | None, predicate: SqlText
) -> bool:
    """0 and 1 may stand for truth values, and of two bounds the first may be the higher one."""
    if isinstance(node, exp.In) or predicate.dialect in _DAYS_ARE_NUMBERS:
        return False
    if kind is not None and kind.family not in NUMBERS - {"float"}:
        return False
    worths = [int(number.name) for number in numbers]
    truth = isinstance(node, _EQUALITIES) and worths[0] in _TRUTHS
    return not truth and (worths[0] < worths[-1] or len(worths) == 1)


def _are_mere_texts(texts: Sequence[exp.Expr], kind: ColumnType | None, predicate: SqlText) -> bool:
    """Texts that are compared letter by letter."""
    dialect = sql_dialects().get(predicate.dialect)
    exact = dialect is not None and not (dialect.case or dialect.blanks)
    if not exact or predicate.settings.collation is not None:
        return False
    return (kind is None or kind.family == "string") and all(map(_is_plain_text, texts))


def _is_plain_text(node: exp.Expr) -> bool:
    if not isinstance(node, exp.Literal) or not node.is_string:
        return False
    return _is_mere_text(node.name)


@lru_cache(maxsize=10_000)
def _is_mere_text(text: str) -> bool:
    # A large room, which most suites don't need.
    from ruleferry.converters.express.dialects.day_texts import looks_like_a_day

    return bool(text) and text.isprintable() and _is_value(text) and not looks_like_a_day(text)


def _is_plain_number(node: exp.Expr) -> bool:
    if not isinstance(node, exp.Literal) or node.is_string:
        return False
    written = node.name
    short = written.isdecimal() and len(written) <= 10
    return short and written == str(int(written)) and int(written) in _INTS


# Stand-ins ----------------------------------------------------------------------------------------


def with_stand_ins(
    tree: exp.Expression,
    known: _Known,
    predicate: SqlText,
    columns: Mapping[str, str],
    literals: Mapping[int | str, int | str],
) -> exp.Expression:
    """A copy in which each of those has its stand-in; `columns` by lower-case name."""
    made = exp.Paren(this=copied(tree))
    for node in list(made.walk()):
        for literal in _literals_beside_a_column(node, known, predicate):
            worth = literal.name if literal.args["is_string"] else int(literal.name)
            literal.set("this", str(literals[worth]))
    for column in made.find_all(exp.Column):
        column.this.set("this", columns[column.name.lower()])
    root = made.this
    root.pop()
    assert isinstance(root, exp.Expression)
    return root
