"""CASE that shows a status or a message for each record: one rule for each message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.readers.sql.found import Checked, Effect, Label, Setting
from ruleferry.converters.readers.sql.shapes.branches import (
    Arm,
    arms,
    branches_of,
    first_text,
    raised,
    verdicts,
)
from ruleferry.converters.readers.sql.shapes.rows import of_condition
from ruleferry.converters.readers.sql.shapes.trees import text
from ruleferry.converters.readers.sql.shapes.words import CODE, whole
from ruleferry.converters.rule import Caveat

# A condition, and whether it is TRUE for a bad record -> what it checks.
Check: TypeAlias = Callable[[exp.Expression, bool], Checked]


@dataclass(frozen=True, slots=True)
class Message:
    """One arm of a CASE as a rule; `tree` is what stands in its place in the text."""

    part: str
    checked: Checked
    labels: tuple[Label, ...]
    effect: Effect
    tree: exp.Expression


def arms_of_case(
    case: exp.Expression, setting: Setting, table: str | None, *, name: str = ""
) -> tuple[Message, ...]:
    """Empty where the CASE shows no status: its texts are categories, or their words don't tell.

    `name`: of the column that it is shown in or written to.
    """

    def check(condition: exp.Expression, bad: bool) -> Checked:
        return of_condition(condition, setting, table, bad=bad)

    return messages(case, name, check)


def messages(node: exp.Expression, name: str, check: Check) -> tuple[Message, ...]:
    """Several CASE may be put together to one text."""
    cases = _joined(bare(node))
    found = [_of_one(case, name, check) for case in cases]
    if not all(found):
        return ()
    several = len(cases) > 1
    return tuple(
        replace(message, part=f"case {place}, {message.part}") if several else message
        for place, of_one in enumerate(found, 1)
        for message in of_one
    )


def _joined(node: exp.Expression) -> list[exp.Expression]:
    """The choices in `CASE … END || CASE … END`, or the one that it is."""
    if branches_of(node) is not None:
        return [node]
    name, arguments = called(node) or ("", [])
    if isinstance(node, exp.DPipe | exp.Add):
        arguments = [node.this, node.expression]
    elif name not in ("concat", "concat_ws", "trim", "ltrim", "rtrim", "nullif"):
        return []
    return [case for one in arguments for case in _joined(bare(one))]


def _of_one(case: exp.Expression, name: str, check: Check) -> tuple[Message, ...]:
    branches = branches_of(case)
    found = verdicts(branches, name) if branches else None
    if branches is None or found is None:
        return ()
    return tuple(_message(arm, check) for arm in arms(branches, found))


def _message(arm: Arm, check: Check) -> Message:
    checked = check(arm.condition, arm.bad)
    if arm.later:
        told = Caveat("first_match", "an earlier message of the same record hid this one")
        checked = replace(checked, caveats=(*checked.caveats, told))
    return Message(f"arm {arm.number}", checked, labels_of(arm.outcome), effect_of(arm.outcome),
                   arm.condition)  # fmt: skip


def labels_of(outcome: exp.Expression) -> tuple[Label, ...]:
    """The text of a branch. One that says no more than "bad" names no rule."""
    message = raised(outcome)
    written = message if message is not None else text(outcome) or first_text(outcome)
    if written is None or not written.strip() or whole(written) in _ANY:
        return ()
    short = written.strip()
    return (Label("id" if CODE.fullmatch(short) else "message", short),)


_ANY = frozenset({
    "fail", "failed", "failure", "fails", "f", "ko", "nok", "error", "err", "bad", "reject",
    "rejected", "warn", "warning", "issue", "wrong",
})  # fmt: skip


def effect_of(outcome: exp.Expression) -> Effect:
    message = raised(outcome)
    if message is None:
        return Effect("select")
    return Effect("raise", action="fail", detail=message)
