"""One test of a condition, said of its subject."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.functions import called
from ruleferry.converters.plain_words.names import listed, pattern, quoted, text
from ruleferry.converters.plain_words.saying import Said, Test, Unsaid, every, some
from ruleferry.converters.plain_words.values import (
    Reading,
    bare,
    emptied,
    is_literal,
    literal,
    reading_of,
    subject,
    value,
)

Comparing = type[exp.Expression]
COMPARED: Mapping[Comparing, str] = {
    exp.EQ: "is", exp.NEQ: "is not", exp.LT: "is below", exp.LTE: "is at most",
    exp.GT: "is above", exp.GTE: "is at least",
}  # fmt: skip
OPPOSITES: Mapping[Comparing, Comparing] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.LT: exp.GTE, exp.GTE: exp.LT, exp.GT: exp.LTE,
    exp.LTE: exp.GT,
}  # fmt: skip
_TURNED: Mapping[Comparing, Comparing] = {
    exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE, exp.GTE: exp.LTE,
}  # fmt: skip
_DEFAULTS = ("coalesce", "nvl", "ifnull", "isnull")
_EQUAL = (exp.EQ, exp.NEQ)


def compared(kind: Comparing, left: exp.Expression, right: exp.Expression, how: Reading) -> Said:
    if is_literal(left):
        if is_literal(right):
            raise Unsaid
        kind, left, right = _TURNED.get(kind, kind), right, left
    if kind in _EQUAL and (special := _of_default(kind, left, right) or _blank(kind, left, right)):
        return special
    kind_told = (
        "the text " if kind not in _EQUAL and _is_text(right) else ""
    )  # else a column's name
    return Test(subject(left, how), f"{_verb(kind, right)} {kind_told}{_right(right, how)}")


def _is_text(node: exp.Expression) -> bool:
    node = bare(node)
    return isinstance(node, exp.Literal) and node.is_string and bool(node.name)


def _verb(kind: Comparing, right: exp.Expression) -> str:
    if kind in _EQUAL and not is_literal(right):
        return "equals" if kind is exp.EQ else "does not equal"
    return COMPARED[kind]


def _right(node: exp.Expression, how: Reading) -> str:
    return subject(node, how).removesuffix(",")


def _of_default(kind: Comparing, left: exp.Expression, right: exp.Expression) -> Test | None:
    """`coalesce(x, 0) <> 0`."""
    found = called(bare(left))
    if found is None or found[0] not in _DEFAULTS or len(found[1]) != 2 or not is_literal(right):
        return None
    first, other = found[1]
    if not is_literal(other) or literal(other) != literal(right):
        return None
    said = literal(right)
    verb = f"is not {said} and not missing" if kind is exp.NEQ else f"is {said} or missing"
    return Test(subject(first), verb)


def _blank(kind: Comparing, left: exp.Expression, right: exp.Expression) -> Test | None:
    """`trim(x) <> ''`."""
    found = called(bare(left))
    empty = isinstance(right, exp.Literal) and right.is_string and not right.name
    if not empty or found is None or found[0] != "trim" or len(found[1]) != 1:
        return None
    many = "is not blank" if kind is exp.NEQ else "is empty or all blanks"
    return Test(subject(found[1][0]), many)


def null(node: exp.Expression, how: Reading, *, missing: bool) -> Said:
    """`x IS NULL`, of what has one plain reason to be NULL."""
    node = bare(node)
    if (read := reading_of(node)) is not None:
        can = "is missing or can't be read as" if missing else "can be read as"
        return Test(value(read[0], how), f"{can} {read[1]}")
    if (whole := emptied(node)) is not None:
        empty = "is missing or empty" if missing else "is not missing and not empty"
        return Test(value(whole, how), empty)
    if not isinstance(node, exp.Column):
        raise Unsaid
    return Test(value(node, how), "has no value" if missing else "has a value")


def one_of(node: exp.In, how: Reading, *, negated: bool) -> Said:
    values = node.expressions
    if not values or node.args.keys() - {"this", "expressions"} or not all(map(is_literal, values)):
        raise Unsaid
    if len(values) == 1:
        return compared(exp.NEQ if negated else exp.EQ, node.this, values[0], how)
    verb = "is none of" if negated else "is one of"
    return Test(subject(node.this, how), f"{verb} {listed([literal(one) for one in values])}")


def between(node: exp.Between, how: Reading, *, negated: bool) -> Said:
    if node.args.get("symmetric"):
        raise Unsaid
    low, high = node.args["low"], node.args["high"]
    if negated:
        return some([compared(exp.LT, node.this, low, how), compared(exp.GT, node.this, high, how)])
    return every([compared(exp.GTE, node.this, low, how), compared(exp.LTE, node.this, high, how)])


_PART = re.compile(r"(%?)([^%_\\]+)(%?)")


def like(node: exp.Expression, how: Reading, *, negated: bool) -> Test:
    form = node.expression
    if not isinstance(form, exp.Literal) or not form.is_string or "\\" in form.name:
        raise Unsaid
    return Test(subject(node.this, how), _likeness(form.name, negated))


def _likeness(form: str, negated: bool) -> str:
    plain = _PART.fullmatch(form)
    if not plain:
        verb = "does not read" if negated else "reads"
        return f"{verb} like {quoted(form)}, where % is any text and _ any character"
    before, part, after = plain.groups()
    said = pattern(part)
    if before and after:
        return f"does not contain {said}" if negated else f"contains {said}"
    if before:
        return f"does not end with {said}" if negated else f"ends with {said}"
    if after:
        return f"does not begin with {said}" if negated else f"begins with {said}"
    return f"is not {text(part)}" if negated else f"is {text(part)}"


def matches(node: exp.Expression, how: Reading, *, negated: bool) -> Test:
    form = node.expression
    if not isinstance(form, exp.Literal) or not form.is_string:
        raise Unsaid
    verb = "does not match" if negated else "matches"
    return Test(subject(node.this, how), f"{verb} the pattern {pattern(form.name)}")
