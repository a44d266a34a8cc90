"""The word for what a predicate tests, where it tests exactly one thing of a column."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called, nodes, terms
from ruleferry.converters.readers.sql.shapes.trees import is_null_test, number, text
from ruleferry.converters.readers.sql.shapes.words import words
from ruleferry.converters.rule import Kind

_ORDERED = (exp.LT, exp.LTE, exp.GT, exp.GTE)
_LIKE = (exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo, exp.Glob)
_CASTS = (exp.Cast, exp.TryCast, exp.Convert)


def kind_of(tree: exp.Expression, *, bad: bool) -> Kind:
    """`bad`: the predicate is TRUE for a bad record; else for a good one."""
    node = bare(tree)
    while isinstance(node, exp.Not) and is_null_test(node) is None:
        node, bad = bare(node.this), not bad
    columns = {part.name.lower() for part in nodes(node) if isinstance(part, exp.Column)}
    if bad and isinstance(node, exp.And):
        rest = [term for term in terms(node) if not _is_present(term)]
        return kind_of(rest[0], bad=True) if len(rest) == 1 else "predicate"
    if isinstance(node, exp.Or if bad else exp.And):
        return _of_several(_either(node), columns, bad)
    return _of_one(node, bad)


def _either(node: exp.Expression) -> list[exp.Expression]:
    found: list[exp.Expression] = []
    waiting = [node]
    while waiting:
        part = bare(waiting.pop())
        if type(part) is type(node):
            waiting += [part.args["expression"], part.args["this"]]
        else:
            found.append(part)
    return found


def _of_several(parts: list[exp.Expression], columns: set[str], bad: bool) -> Kind:
    if len(columns) != 1:
        return "predicate"
    kinds = {kind_of(part, bad=bad) for part in parts}
    if all(_is_missing(part, bad) for part in parts):
        return "present"
    return kinds.pop() if len(kinds) == 1 and kinds <= {"range", "length"} else "predicate"


def _is_missing(node: exp.Expression, bad: bool) -> bool:
    """`x IS NULL`, `TRIM(x) = ''`, `LEN(x) = 0`; of good ones the opposite."""
    if found := is_null_test(node):
        return isinstance(found[0], exp.Column) and found[1] == bad
    if not isinstance(node, exp.EQ if bad else exp.NEQ):
        return False
    value = bare(node.expression)
    name, arguments = called(bare(node.this)) or ("", [bare(node.this)])
    inner = bare(arguments[0]) if len(arguments) == 1 else None
    if isinstance(node.this, exp.Trim):
        name, inner = "trim", bare(node.this.this)
    if text(value) == "" and (name in words("functions", "trim") or not name):
        return isinstance(inner, exp.Column)
    return number(value) == 0 and name in words("functions", "length")


def _is_present(node: exp.Expression) -> bool:
    found = is_null_test(node)
    return found is not None and isinstance(found[0], exp.Column) and not found[1]


def _of_one(node: exp.Expression, bad: bool) -> Kind:
    if isinstance(node, exp.Not):  # NOT … IS NULL
        node = bare(node)
    if found := is_null_test(node):
        return _of_null_test(found[0], found[1] == bad)
    match node:
        case exp.In():
            plain = isinstance(bare(node.this), exp.Column) and node.expressions
            return ("refused" if bad else "allowed") if plain else "predicate"
        case exp.Between():
            return "range" if isinstance(bare(node.this), exp.Column) else _length(node.this)
        case exp.EQ() | exp.NEQ():
            return _of_equal(node, bad == isinstance(node, exp.EQ))
        case exp.Like() | exp.ILike():
            matches = bad != bool(node.args.get("negate"))
            return "not_pattern" if matches else "pattern"
    if isinstance(node, _LIKE):
        return "not_pattern" if bad else "pattern"
    if isinstance(node, _ORDERED):
        return _of_ordered(node)
    name = (called(node) or ("",))[0]
    if name in words("functions", "pattern"):
        return "not_pattern" if bad else "pattern"
    return "predicate"


def _of_null_test(node: exp.Expression, missing_is_bad: bool) -> Kind:
    if isinstance(node, exp.Column):
        return "present" if missing_is_bad else "absent"
    if not missing_is_bad:
        return "predicate"
    inner = node.this if isinstance(node, exp.SafeFunc) else node
    name = (called(inner) or ("",))[0]
    if isinstance(node, _CASTS) or name in words("functions", "type"):
        return "type"
    return "format" if name in words("functions", "format") else "predicate"


def _of_equal(node: exp.Expression, equal_is_bad: bool) -> Kind:
    left, right = bare(node.this), bare(node.args["expression"])
    if isinstance(left, exp.Column) and isinstance(right, exp.Column):
        return "compare"
    name = (called(left) or ("",))[0]
    if name in words("functions", "type") and number(right) in (0, 1):
        return "type"
    if name in words("functions", "length"):
        return _length(left)
    if isinstance(left, exp.Column) and isinstance(right, exp.Literal):
        return "refused" if equal_is_bad else "allowed"
    return "predicate"


def _of_ordered(node: exp.Expression) -> Kind:
    left, right = bare(node.this), bare(node.args["expression"])
    if isinstance(left, exp.Column) and isinstance(right, exp.Column):
        return "compare"
    column, limit = (left, right) if left.find(exp.Column) else (right, left)
    if limit.find(exp.Column) is not None or limit.find(exp.Query) is not None:
        return "predicate"
    return "range" if isinstance(column, exp.Column) else _length(column)


def _length(node: exp.Expression) -> Kind:
    name, arguments = called(bare(node)) or ("", [])
    plain = name in words("functions", "length") and len(arguments) == 1
    plain = plain and _is_trimmed_column(arguments[0])
    return "length" if plain else "predicate"


def _is_trimmed_column(node: exp.Expression) -> bool:
    node = bare(node)
    name, arguments = called(node) or ("", [])
    if name in words("functions", "trim") and len(arguments) == 1:
        node = bare(arguments[0])
    return isinstance(node, exp.Column)
