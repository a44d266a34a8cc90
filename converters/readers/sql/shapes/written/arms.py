"""The arms of a CASE that marks records: which of them find bad ones."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.readers.sql.shapes.written.marks import Mark, mark, mark_kind


@dataclass(frozen=True, slots=True)
class Arm:
    """`bad`: TRUE of its condition is bad; else only what it is TRUE of is good.

    `shared`: other arms may have found the record before.
    """

    condition: exp.Expression
    bad: bool
    part: str = ""
    value: str | None = None
    message: str = ""
    shared: bool = False


def arms(column: str, case: exp.Case) -> tuple[Arm, ...]:
    """Raises Unreadable where an arm's value is not known, or an earlier one lets records pass."""
    subject = case.args.get("this")
    found = [
        (_asked(subject, arm.this), _mark(column, arm.args["true"])) for arm in case.args["ifs"]
    ]
    default = case.args.get("default")
    rest = _mark(column, default) if default is not None else None
    if rest is not None and _is_bad(rest, column):
        return _only_good(found, rest)
    bad = [number for number, (_, said) in enumerate(found) if _is_bad(said, column)]
    if any(number < max(bad, default=-1) for number in range(len(found)) if number not in bad):
        reason = f"an arm of its CASE lets records pass before others of {column} find them bad"
        raise Unreadable("unknown_shape", reason)
    several = len(bad) > 1
    return tuple(_arm(number, *found[number], shared=several) for number in bad)


def _asked(subject: exp.Expression | None, test: exp.Expression) -> exp.Expression:
    """CASE x WHEN 1 asks for x = 1."""
    if subject is None:
        return test
    return exp.EQ(this=subject.copy(), expression=test.copy())


def _arm(number: int, condition: exp.Expression, said: Mark, *, shared: bool) -> Arm:
    part = f"arm {number + 1}" if shared else ""
    return Arm(condition, True, part, said.value, said.message, shared and number > 0)


def _mark(column: str, value: exp.Expression) -> Mark:
    kind = mark_kind(column)
    assert kind is not None
    if isinstance(bare(value), exp.Column) and bare(value).name.lower() == column.lower():
        return Mark(column, kind, "cleared")  # it stays as it was
    return mark(column, kind, value)


def _is_bad(said: Mark, column: str) -> bool:
    if said.says is None:
        raise Unreadable("unknown_shape", f"what a value of {column} says is not certain")
    return said.says == "bad"


def _only_good(found: list[tuple[exp.Expression, Mark]], rest: Mark) -> tuple[Arm, ...]:
    """CASE WHEN good THEN 0 ELSE 1 END: a record is good only where the condition is TRUE."""
    if len(found) != 1 or _is_bad(found[0][1], rest.column):
        raise Unreadable("unknown_shape", "its CASE finds all records bad that no arm is about")
    return (Arm(found[0][0], False, "", rest.value, rest.message),)
