"""CASE, IF, IFF and DECODE as branches, and which of them speak of something bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called, copied
from ruleferry.converters.readers.sql.shapes.trees import is_null_test, number, text
from ruleferry.converters.readers.sql.shapes.words import CODE, parts_of, speaks, whole, words

# "maybe": a text that speaks of something bad, unless it stands for a category.
Verdict: TypeAlias = Literal["good", "bad", "maybe", "none", "unknown"]


@dataclass(frozen=True, slots=True)
class Branch:
    """`condition`: None for what holds where no other does."""

    condition: exp.Expression | None
    outcome: exp.Expression


@dataclass(frozen=True, slots=True)
class Arm:
    """A branch that speaks of something bad.

    `bad`: its condition is TRUE where it is; else it is so where the condition is not TRUE.
    `later`: another message of the same CASE comes before it.
    """

    number: int
    condition: exp.Expression
    bad: bool
    outcome: exp.Expression
    later: bool = False


def branches_of(node: exp.Expression) -> tuple[Branch, ...] | None:
    """None for what is no choice. A choice in ELSE belongs to it."""
    node = bare(node)
    found: list[Branch] = []
    match node:
        case exp.Case():
            operand = node.args.get("this")
            for one in node.args["ifs"]:
                test = _equal(operand, one.this) if operand is not None else one.this
                found.append(Branch(test, one.args["true"]))
            rest = node.args.get("default")
        case exp.If():
            found.append(Branch(node.this, node.args["true"]))
            rest = node.args.get("false")
        case _:
            name, arguments = called(node) or ("", [])
            if name in words("functions", "conditional") and len(arguments) == 3:
                found.append(Branch(arguments[0], arguments[1]))
                rest = arguments[2]
            elif name == "decode" and len(arguments) >= 3:
                found, rest = _decoded(arguments)
            else:
                return None
    return (*found, *_rest(rest))


def _rest(rest: exp.Expression | None) -> tuple[Branch, ...]:
    if rest is None:
        return (Branch(None, exp.Null()),)
    return branches_of(rest) or (Branch(None, rest),)


def _decoded(arguments: Sequence[exp.Expression]) -> tuple[list[Branch], exp.Expression | None]:
    operand, *pairs = arguments
    rest = pairs.pop() if len(pairs) % 2 else None
    found = [
        Branch(_equal(operand, pairs[place]), pairs[place + 1]) for place in range(0, len(pairs), 2)
    ]
    return found, rest


def _equal(operand: exp.Expression, value: exp.Expression) -> exp.Expression:
    if isinstance(bare(value), exp.Null):
        return exp.Is(this=copied(operand), expression=exp.Null())
    return exp.EQ(this=copied(operand), expression=copied(value))


# What a branch says -------------------------------------------------------------------------------


def verdicts(branches: Sequence[Branch], name: str) -> tuple[Verdict, ...] | None:
    """Of each branch whether it is good or bad; None where its words don't tell.

    `name`: of the column that shows it.
    """
    said = [_said(branch.outcome, name) for branch in branches]
    if "unknown" in said and not any(text(b.outcome) for b in branches):
        return None
    named = any(speaks(name, key) for key in ("message", "bad", "status"))
    if _is_sure(branches, said, named):
        told = all(_is_told(branch.outcome) for branch in branches)
        return tuple("good" if v in ("good", "none") else "bad" for v in said) if told else None
    if said.count("bad") == len(said) - 1 == 1:  # 'FAIL', or anything else
        return tuple("bad" if one == "bad" else "good" for one in said)
    only = named and set(said) <= {"bad", "maybe"}
    return tuple("bad" for _ in said) if only else None


def _is_sure(branches: Sequence[Branch], said: Sequence[Verdict], named: bool) -> bool:
    """One branch is good, or says nothing where the others speak of what is bad."""
    if "good" in said:
        weak = all(
            whole(text(branch.outcome) or "") in words("verdict", "weak")
            for branch, one in zip(branches, said, strict=True)
            if one == "good"
        )
        return not weak or named or "bad" in said or "maybe" in said
    if "none" not in said:
        return False
    if named or "bad" in said:
        return True
    strong = any(_is_strong(branch.outcome) for branch in branches)
    return strong and all(one in ("maybe", "none") for one in said)


def _is_strong(outcome: exp.Expression) -> bool:
    written = first_text(outcome) or ""
    return any(part in words("verdict", "strong") for part in parts_of(written))


def _is_told(outcome: exp.Expression) -> bool:
    node = bare(outcome)
    known = isinstance(node, exp.Null) or text(node) is not None or number(node) is not None
    return known or raised(node) is not None or _is_composed(node)


def _is_composed(node: exp.Expression) -> bool:
    """`'bad code ' || code`: a message with a value in it."""
    composed = isinstance(node, exp.DPipe | exp.Add) or (called(node) or ("",))[0] == "concat"
    return composed and first_text(node) is not None


def first_text(node: exp.Expression) -> str | None:
    """The first text of a message, which says what it is about."""
    for one in bare(node).find_all(exp.Literal, bfs=False):
        if one.is_string and one.name.strip():
            return str(one.name)
    return None


def raised(node: exp.Expression) -> str | None:
    """The message of ERROR('…')."""
    name, arguments = called(bare(node)) or ("", [])
    if name not in words("functions", "raise"):
        return None
    return (first_text(arguments[0]) or "") if arguments else ""


def _said(outcome: exp.Expression, name: str) -> Verdict:
    node = bare(outcome)
    if isinstance(node, exp.Null):
        return "none"
    if raised(node) is not None:
        return "bad"
    if (value := number(node)) is not None:
        return _marked(value, name)
    written = text(node)
    if written is None:
        return "maybe" if _is_composed(node) else "unknown"
    short = whole(written)
    if short in words("verdict", "pass"):
        return "good"
    if short in words("verdict", "fail"):
        return "bad"
    if not short:
        return "none"
    return "maybe" if _is_about_bad(written) else "unknown"


def _marked(value: float, name: str) -> Verdict:
    """A mark: 1 under `is_valid` is good, under `is_bad` bad."""
    if value not in (0, 1):
        return "unknown"
    bad, good = speaks(name, "bad"), speaks(name, "good")
    if bad == good:
        return "unknown"
    return "bad" if (value == 1) == bad else "good"


def _is_about_bad(written: str) -> bool:
    return bool(CODE.match(written)) or any(
        part in words("verdict", "message") for part in parts_of(written)
    )


# Arms ---------------------------------------------------------------------------------------------


def arms(branches: Sequence[Branch], found: Sequence[Verdict]) -> tuple[Arm, ...]:
    """What each bad branch finds, whatever other messages are shown for the same record.

    A good branch before it keeps its records; where no branch holds, the last one does.
    """
    made: list[Arm] = []
    good: list[exp.Expression] = []
    for place, (branch, verdict) in enumerate(zip(branches, found, strict=True), 1):
        if branch.condition is None:
            if verdict == "bad":
                held = [b.condition for b in branches if b.condition is not None]
                made.append(Arm(place, any_of(held), False, branch.outcome, bool(made)))
        elif verdict == "good":
            good.append(branch.condition)
        else:
            tree = _unless(good, branch.condition)
            made.append(Arm(place, tree, True, branch.outcome, bool(made)))
    return tuple(made)


def any_of(conditions: Sequence[exp.Expression]) -> exp.Expression:
    tree = copied(conditions[0])
    for one in conditions[1:]:
        tree = exp.Or(this=_bracketed(tree), expression=_bracketed(copied(one)))
    return tree


def _bracketed(node: exp.Expression) -> exp.Expression:
    return exp.Paren(this=node) if isinstance(node, exp.And) else node


def _unless(good: Sequence[exp.Expression], condition: exp.Expression) -> exp.Expression:
    """TRUE where the condition is and none of the others."""
    if not good:
        return copied(condition)
    if all(is_null_test(one) for one in good):
        tree = (
            exp.Paren(this=copied(condition))
            if isinstance(condition, exp.Or)
            else copied(condition)
        )
        for one in reversed(good):
            tree = exp.And(this=exp.Not(this=exp.Paren(this=copied(one))), expression=tree)
        return tree
    one, zero = exp.Literal.number(1), exp.Literal.number(0)
    ifs = [exp.If(this=copied(guard), true=copied(zero)) for guard in good]
    ifs.append(exp.If(this=copied(condition), true=copied(one)))
    return exp.EQ(this=exp.Case(ifs=ifs, default=zero), expression=one)
